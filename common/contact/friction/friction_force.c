/* friction_force.c -- contact forces with friction where the slips are given.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/friction/friction_force.h"
#include "common/base/memory.h"
#include "common/contact/friction/mode_operator.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rest = 1e-9; /* [q_s/t_s]: slips up to this are none */

struct dls_friction_work {
  size_t dense_room;         /* numbers of contacts->dense */
  dls_mode_operator *bodies; /* of many unknowns; NULL before their first use */
  size_t *first;             /* m + 1: unknowns of each contact of the set */
  dls_unknown *unknown;      /* rows */
};

/* @return NULL if out of memory */
static struct dls_friction_work *work_of(dls_contact_system *contacts)
{
  contacts->sliding = contacts->sliding != NULL ? contacts->sliding : calloc(1, sizeof *contacts->sliding);
  return contacts->sliding;
}

/* One for a contact that slips, or has no friction; else one for each row. */
static size_t unknowns(const dls_contact_system *contacts, size_t k)
{
  return contacts->blocks[k].rows;
}

static double length(size_t d, const double *block)
{
  return d == 3 ? hypot(block[1], block[2]) : fabs(block[1]);
}

/* direction[d] := (1, -mu e) of contact j with the slip of v. @return whether it slips */
static bool slide(dls_contact_system *contacts, size_t j, const double *v, double *direction)
{
  const dls_configuration *config = contacts->config;
  const size_t d = config->d;
  const double still = rest * config->sys->length / config->sys->time;
  const double *began = contacts->slid + d * j;
  double product = 0;
  for (size_t i = 1; i < d; i++) {
    direction[i] = dls_configuration_row(config, d * j + i, v); /* u_T */
    product += direction[i] * began[i];                         /* turned round? */
  }
  const double *slip = contacts->in_interval && !(product > 0) ? began : direction;
  const double speed = length(d, slip);
  for (size_t i = 1; i < d; i++) {
    direction[i] = speed > 0 ? -contacts->mu[j] * slip[i] / speed : 0; /* -mu e */
  }
  direction[0] = 1;
  return speed > still && (!contacts->in_interval || length(d, began) > still);
}

bool dls_friction_slides(dls_contact_system *contacts, const dls_contacts *set, const double *v)
{
  const size_t d = contacts->config->d;
  bool any = false;
  for (size_t k = 0; k < set->count; k++) {
    const size_t j = set->index[k];
    const bool rough = dls_law_has_friction(contacts->config->sys, j),
               slides = slide(contacts, j, v, contacts->direction + d * k);
    contacts->blocks[k] =
        rough && !slides ? (dls_block){DLS_COULOMB, d, contacts->mu[j]} : (dls_block){DLS_HALF, 1, 0};
    if (!rough) {
      memset(contacts->direction + d * k + 1, 0, (d - 1) * sizeof(double));
    }
    any = any || (rough && slides);
  }
  return any;
}

/* Entry of the row of u' and the unknown i of contact k. */
static double entry(const dls_contact_system *contacts, const dls_contacts *set, size_t row, size_t k, size_t i)
{
  const size_t d = contacts->config->d, first = d * set->index[k];
  if (unknowns(contacts, k) > 1) {
    return dls_delassus_entry(contacts->W, row, first + i);
  }
  double sum = 0;
  for (size_t l = 0; l < d; l++) {
    const double part = contacts->direction[d * k + l];
    sum += part != 0 ? part * dls_delassus_entry(contacts->W, row, first + l) : 0;
  }
  return sum;
}

/* stage->dense := W of the unknowns, column by column; stage->x := its q. */
static void assemble(dls_contact_system *contacts, const dls_contacts *set, const double *q)
{
  const size_t d = contacts->config->d;
  double *next = contacts->dense;
  size_t unknown = 0;
  for (size_t k = 0; k < set->count; k++) {
    for (size_t i = 0; i < unknowns(contacts, k); i++) {
      contacts->x[unknown++] = q[d * k + i];
      for (size_t row = 0; row < set->count; row++) {
        for (size_t l = 0; l < unknowns(contacts, row); l++) {
          *next++ = entry(contacts, set, d * set->index[row] + l, k, i);
        }
      }
    }
  }
}

dls_status dls_friction_reserve(dls_contact_system *contacts, size_t count, dls_error *err)
{
  struct dls_friction_work *work = work_of(contacts);
  if (work == NULL || count * count > work->dense_room) {
    double *more =
        work == NULL ? NULL
                     : realloc(contacts->dense, dls_size_product(dls_size_product(count, count), sizeof *more));
    if (more == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu rows of contacts with friction", count);
    }
    contacts->dense = more;
    work->dense_room = count * count;
  }
  return DLS_OK;
}

/* r := the rows of the contacts from their unknowns x. */
static void spread(const dls_contact_system *contacts, const dls_contacts *set, const double *x, double *r)
{
  const size_t d = contacts->config->d;
  for (size_t k = 0; k < set->count; k++) {
    const bool all = unknowns(contacts, k) > 1;
    for (size_t i = 0; i < d; i++) {
      r[d * k + i] = all ? x[i] : x[0] * contacts->direction[d * k + i];
    }
    x += unknowns(contacts, k);
  }
}

void dls_friction_destroy(struct dls_friction_work *work)
{
  if (work != NULL) {
    dls_mode_operator_destroy(work->bodies);
    free(work->first);
    free(work->unknown);
    free(work);
  }
}

/* What many unknowns need. @return false if out of memory */
static bool reserve_bodies(dls_contact_system *contacts)
{
  struct dls_friction_work *work = work_of(contacts);
  if (work == NULL || work->bodies != NULL) {
    return work != NULL;
  }
  free(work->first);
  free(work->unknown);
  work->first = malloc((contacts->config->sys->m + 1) * sizeof *work->first);
  work->unknown = malloc(contacts->config->rows * sizeof *work->unknown);
  work->bodies = work->first != NULL && work->unknown != NULL ? dls_mode_operator_create(contacts) : NULL;
  return work->bodies != NULL;
}

/* The unknowns of contact k of the set: all rows, or the force along its direction. */
static size_t lay_contact(const dls_contact_system *contacts, const dls_contacts *set, size_t k, dls_unknown *x)
{
  const size_t d = contacts->config->d, count = unknowns(contacts, k);
  for (size_t i = 0; i < count; i++) {
    x[i] = (dls_unknown){.row = d * set->index[k]};
    x[i].along[i] = x[i].across[i] = 1;
    if (count == 1) {
      memcpy(x->along, contacts->direction + d * k, d * sizeof *x->along);
    }
  }
  return count;
}

/* W of the unknowns by the bodies; contacts->x := its q, contacts->unknown := the last force as a start. */
static const dls_problem_operator *take_bodies(dls_contact_system *contacts, const dls_contacts *set,
                                               const double *q)
{
  if (!reserve_bodies(contacts)) {
    return NULL;
  }
  struct dls_friction_work *work = contacts->sliding;
  const size_t d = contacts->config->d;
  work->first[0] = 0;
  for (size_t k = 0; k < set->count; k++) {
    const size_t at = work->first[k], count = lay_contact(contacts, set, k, work->unknown + at);
    work->first[k + 1] = at + count;
    for (size_t i = 0; i < count; i++) {
      contacts->x[at + i] = q[d * k + i];
      contacts->unknown[at + i] = contacts->force[d * set->index[k] + i];
    }
  }
  return dls_mode_operator_take(work->bodies, set->count, work->first, work->unknown) == DLS_OK
             ? dls_mode_operator_problem(work->bodies)
             : NULL;
}

/* The force that the next one starts from. */
static void keep_start(dls_contact_system *contacts, const dls_contacts *set, const double *r)
{
  const size_t d = contacts->config->d;
  memset(contacts->force, 0, contacts->config->rows * sizeof *contacts->force);
  for (size_t k = 0; k < set->count; k++) {
    memcpy(contacts->force + d * set->index[k], r + d * k, d * sizeof *r);
  }
}

dls_status dls_friction_force(dls_contact_system *contacts, const dls_contacts *set, const double *q, double *r,
                              dls_error *err)
{
  size_t count = 0;
  for (size_t k = 0; k < set->count; k++) {
    count += unknowns(contacts, k);
  }
  dls_problem problem = {.count = set->count, .blocks = contacts->blocks, .q = contacts->x};
  dls_status status = DLS_OK;
  if (count > DLS_MODES_FEW && dls_mode_operator_applies(contacts)) {
    problem.by_operator = take_bodies(contacts, set, q);
    status = problem.by_operator != NULL
                 ? DLS_OK
                 : dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu rows of contacts with friction", count);
  } else if ((status = dls_friction_reserve(contacts, count, err)) == DLS_OK) {
    assemble(contacts, set, q); /* W of the unknowns, and q */
    problem.dense = contacts->dense;
    memset(contacts->unknown, 0, count * sizeof *contacts->unknown);
  }
  if (status != DLS_OK) {
    return status;
  }
  dls_problem_report report = {0};
  status = dls_problem_solve(contacts->problem, &problem, contacts->unknown, NULL, &report, err);
  contacts->work->lcp_solves++;
  contacts->work->lcp_pivots += report.iterations;
  spread(contacts, set, contacts->unknown, r); /* forces along the directions */
  if (status == DLS_OK && problem.by_operator != NULL) {
    keep_start(contacts, set, r);
  }
  return status;
}
