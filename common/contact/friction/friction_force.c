/* friction_force.c -- contact forces with friction where the slips are given.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/friction/friction_force.h"
#include "common/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rest = 1e-9; /* [q_s/t_s]: slips up to this are none */

/* One for a contact that slips, or has no friction; else one for each row. */
static size_t unknowns(const dls_stage *stage, size_t k)
{
  return stage->blocks[k].rows;
}

static double length(size_t d, const double *block)
{
  return d == 3 ? hypot(block[1], block[2]) : fabs(block[1]);
}

/* direction[d] := (1, -mu e) of contact j with the slip of v. @return whether it slips */
static bool slide(dls_stage *stage, size_t j, const double *v, double *direction)
{
  const dls_place *place = stage->place;
  const size_t d = place->d;
  const double still = rest * place->sys->length / place->sys->time;
  const double *began = stage->slid + d * j;
  double product = 0;
  for (size_t i = 1; i < d; i++) {
    direction[i] = dls_place_row(place, d * j + i, v); /* u_T */
    product += direction[i] * began[i];                /* turned round? */
  }
  const double *slip = stage->on_way && !(product > 0) ? began : direction;
  const double speed = length(d, slip);
  for (size_t i = 1; i < d; i++) {
    direction[i] = speed > 0 ? -stage->mu[j] * slip[i] / speed : 0; /* -mu e */
  }
  direction[0] = 1;
  return speed > still && (!stage->on_way || length(d, began) > still);
}

bool dls_friction_slides(dls_stage *stage, const dls_contacts *set, const double *v)
{
  const size_t d = stage->place->d;
  bool any = false;
  for (size_t k = 0; k < set->count; k++) {
    const size_t j = set->index[k];
    const bool rough = dls_law_has_friction(stage->place->sys, j),
               slides = slide(stage, j, v, stage->direction + d * k);
    stage->blocks[k] =
        rough && !slides ? (dls_block){DLS_COULOMB, d, stage->mu[j]} : (dls_block){DLS_HALF, 1, 0};
    if (!rough) {
      memset(stage->direction + d * k + 1, 0, (d - 1) * sizeof(double));
    }
    any = any || (rough && slides);
  }
  return any;
}

/* Entry of the row of u' and the unknown i of contact k. */
static double entry(const dls_stage *stage, const dls_contacts *set, size_t row, size_t k, size_t i)
{
  const size_t d = stage->place->d, first = d * set->index[k];
  if (unknowns(stage, k) > 1) {
    return dls_delassus_entry(stage->W, row, first + i);
  }
  double sum = 0;
  for (size_t l = 0; l < d; l++) {
    const double part = stage->direction[d * k + l];
    sum += part != 0 ? part * dls_delassus_entry(stage->W, row, first + l) : 0;
  }
  return sum;
}

/* stage->dense := W of the unknowns, column by column; stage->x := its q. */
static void assemble(dls_stage *stage, const dls_contacts *set, const double *q)
{
  const size_t d = stage->place->d;
  double *next = stage->dense;
  size_t unknown = 0;
  for (size_t k = 0; k < set->count; k++) {
    for (size_t i = 0; i < unknowns(stage, k); i++) {
      stage->x[unknown++] = q[d * k + i];
      for (size_t row = 0; row < set->count; row++) {
        for (size_t l = 0; l < unknowns(stage, row); l++) {
          *next++ = entry(stage, set, d * set->index[row] + l, k, i);
        }
      }
    }
  }
}

dls_status dls_friction_reserve(dls_stage *stage, size_t count, dls_error *err)
{
  if (count * count > stage->dense_room) {
    double *more = realloc(stage->dense, dls_size_product(dls_size_product(count, count), sizeof *more));
    if (more == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu rows of contacts with friction", count);
    }
    stage->dense = more;
    stage->dense_room = count * count;
  }
  return DLS_OK;
}

/* r := the rows of the contacts from their unknowns x. */
static void spread(const dls_stage *stage, const dls_contacts *set, const double *x, double *r)
{
  const size_t d = stage->place->d;
  for (size_t k = 0; k < set->count; k++) {
    const bool all = unknowns(stage, k) > 1;
    for (size_t i = 0; i < d; i++) {
      r[d * k + i] = all ? x[i] : x[0] * stage->direction[d * k + i];
    }
    x += unknowns(stage, k);
  }
}

dls_status dls_friction_force(dls_stage *stage, const dls_contacts *set, const double *q, double *r,
                              dls_error *err)
{
  size_t count = 0;
  for (size_t k = 0; k < set->count; k++) {
    count += unknowns(stage, k);
  }
  dls_status status = dls_friction_reserve(stage, count, err);
  if (status != DLS_OK) {
    return status;
  }
  assemble(stage, set, q); /* W of the unknowns, and q */
  dls_problem_report report = {0};
  const dls_problem problem = {
      .count = set->count, .blocks = stage->blocks, .q = stage->x, .dense = stage->dense};
  memset(stage->unknown, 0, count * sizeof *stage->unknown);
  status = dls_problem_solve(stage->problem, &problem, stage->unknown, NULL, &report, err);
  stage->work->lcp_solves++;
  stage->work->lcp_pivots += report.iterations;
  spread(stage, set, stage->unknown, r); /* forces along the directions */
  return status;
}
