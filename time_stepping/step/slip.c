/* slip.c -- slips that end in a step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/slip.h"
#include "common/base/arrays.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rest = 1e-9;   /* [q_s/t_s]: smaller slips count as zero */
static const double inside = 1e-9; /* relative: a force that far inside of the cone sticks */

bool dls_slip_create(const dls_system *sys, dls_slip *s)
{
  const size_t rows = sys->d * sys->m;
  s->block = dls_arrays(
      (const dls_slot[]){{rows, {&s->u, &s->p, &s->lambda, &s->gamma}}, {sys->n, {&s->v, &s->a}}, {0}});
  s->rows = calloc(rows + 1, sizeof *s->rows);
  s->end = calloc(sys->m + 1, sizeof *s->end);
  return s->block != NULL && s->rows != NULL && s->end != NULL;
}

void dls_slip_destroy(dls_slip *s)
{
  free(s->rows);
  free(s->end);
  free(s->block);
}

static double size_of_tangents(size_t d, const double *block)
{
  return d == 3 ? hypot(block[1], block[2]) : d == 2 ? fabs(block[1]) : 0;
}

static double still(const dls_system *sys)
{
  return rest * sys->length / sys->time;
}

int dls_slip_status(const dls_contact_system *contacts, size_t j, const double *u, const double *gamma,
                    const double *lambda)
{
  const dls_system *sys = contacts->config->sys;
  const size_t row = sys->d * j;
  if (!dls_law_has_friction(contacts->config->sys, j)) {
    return 1;
  }
  const bool moves = size_of_tangents(sys->d, u + row) > still(sys);
  const bool limit = size_of_tangents(sys->d, lambda + row) >= (1 - inside) * contacts->mu[j] * lambda[row];
  const bool starts = size_of_tangents(sys->d, gamma + row) > contacts->open;
  return moves || (limit && starts) ? 2 : 1;
}

double dls_slip_way(const dls_sim *sim, dls_contact_system *contacts, double h)
{
  const double jump = contacts->problem == NULL
                          ? INFINITY
                          : dls_configuration_next_jump(contacts->config, sim->t, sim->t + h, sim->q);
  if (!(jump < sim->t + h)) {
    return h;
  }
  const double way = jump - sim->t;
  return sim->t + way < jump ? nextafter(way, INFINITY) : way;
}

/* Whether the slip of contact j at the end of the interval must be caught: it has reversed, or it began and goes with
 * the friction instead of against it, an error of quadrature where slip begins. */
static dls_slip_end end_of(const dls_contact_system *contacts, size_t j, const double *before,
                           const double *lambda, const double *v)
{
  const dls_configuration *config = contacts->config;
  const size_t d = config->d;
  double slip[DLS_MOST_ROWS] = {0}, turned = 0, driven = 0;
  for (size_t i = 1; i < d; i++) {
    slip[i] = dls_configuration_row(config, d * j + i, v); /* u_T' */
    turned += before[d * j + i] * slip[i];                 /* u_T . u_T' */
    driven += lambda[d * j + i] * slip[i];                 /* lambda_T . u_T' */
  }
  if (!dls_law_has_friction(contacts->config->sys, j) || size_of_tangents(d, slip) == 0) {
    return DLS_SLIP_CONTINUES;
  }
  if (size_of_tangents(d, before + d * j) > still(config->sys)) {
    return turned < 0 ? DLS_SLIP_REVERSES : DLS_SLIP_CONTINUES;
  }
  return driven >= 0 ? DLS_SLIP_RESTS : DLS_SLIP_CONTINUES;
}

/* @return whether there are any slips to stop */
static bool find_ends(const dls_contact_system *contacts, dls_slip *s, const dls_contacts *closed,
                      const double *before, const double *lambda, const double *v)
{
  bool any = false;
  for (size_t k = 0; k < closed->count; k++) {
    const size_t j = closed->index[k];
    s->end[j] = end_of(contacts, j, before, lambda, v);
    any = any || s->end[j] != DLS_SLIP_CONTINUES;
  }
  return any;
}

/* v := s->v with u_N = 0 on the closed contacts, u_T = 0 on those whose slip ends. */
static dls_status stop(dls_contact_system *contacts, dls_slip *s, const dls_contacts *closed, double *v,
                       dls_error *err)
{
  const size_t d = contacts->config->d;
  size_t count = 0;
  memcpy(v, s->v, contacts->config->sys->n * sizeof *v);
  for (size_t k = 0; k < closed->count; k++) {
    const size_t j = closed->index[k];
    for (size_t i = 0; i < (s->end[j] != DLS_SLIP_CONTINUES ? d : 1); i++) {
      s->rows[count] = d * j + i;
      s->u[count++] = dls_configuration_row(contacts->config, d * j + i, v);
    }
  }
  const dls_status status =
      dls_delassus_solve_bilateral(contacts->W, count, s->rows, s->u, s->p, err); /* W p + u = 0 */
  if (status == DLS_OK) {
    dls_delassus_apply(contacts->W, count, s->rows, 1, s->p, v); /* v + M^-1 H p */
  }
  return status;
}

/* |u_T| of contact j at v. */
static double slip_at(const dls_configuration *config, size_t j, const double *v)
{
  double slip[DLS_MOST_ROWS] = {0};
  for (size_t i = 1; i < config->d; i++) {
    slip[i] = dls_configuration_row(config, config->d * j + i, v);
  }
  return size_of_tangents(config->d, slip);
}

/* Fraction of the interval at which the first reversed slip ended, for slips that change linearly; 1: none. */
static double first_end(const dls_contact_system *contacts, const dls_slip *s, const dls_contacts *closed,
                        const double *before)
{
  const dls_configuration *config = contacts->config;
  double first = 1;
  for (size_t k = 0; k < closed->count; k++) {
    const size_t j = closed->index[k];
    const double was = size_of_tangents(config->d, before + config->d * j), is = slip_at(config, j, s->v);
    first = s->end[j] == DLS_SLIP_REVERSES ? fmin(first, was / (was + is)) : first;
  }
  return first;
}

/* Let reversed slips continue where the forces cannot hold them. @return whether there were any */
static bool let_go(const dls_contact_system *contacts, dls_slip *s, const dls_contacts *closed, const double *v)
{
  bool any = false;
  dls_configuration_velocity(contacts->config, v, s->u);
  for (size_t k = 0; k < closed->count; k++) {
    const size_t j = closed->index[k];
    if (s->end[j] == DLS_SLIP_REVERSES && dls_slip_status(contacts, j, s->u, s->gamma, s->lambda) == 2) {
      s->end[j] = DLS_SLIP_CONTINUES;
      s->reversed = fmax(s->reversed, slip_at(contacts->config, j, s->v));
      any = true;
    }
  }
  return any;
}

dls_status dls_slip_catch(dls_sim *sim, dls_contact_system *contacts, dls_slip *s,
                          const dls_smooth_interval *interval, bool *changed, dls_error *err)
{
  dls_status status = DLS_OK;
  s->removed = s->reversed = 0;
  if (contacts->problem == NULL) {
    *changed = false;
    return DLS_OK;
  }
  *changed = find_ends(contacts, s, interval->closed, interval->before, interval->lambda, interval->v);
  dls_contact_system_begin_interval(contacts, NULL);
  memcpy(s->v, interval->v, sim->sys->n * sizeof *s->v);
  for (bool again = *changed; again && status == DLS_OK;) {
    status = stop(contacts, s, interval->closed, interval->v, err);
    status = status != DLS_OK
                 ? status
                 : dls_instant_acceleration(sim, contacts, interval->t, interval->q, interval->v,
                                            interval->closed, s->a, s->lambda, s->gamma, NULL, err);
    again = status == DLS_OK && let_go(contacts, s, interval->closed, interval->v);
  }
  const double left =
      *changed ? (1 - first_end(contacts, s, interval->closed, interval->before)) * interval->h : 0;
  for (size_t i = 0; left > 0 && i < sim->sys->n; i++) {
    const double removed = left / 2 * (interval->v[i] - s->v[i]);
    interval->q[i] += removed;
    s->removed = fmax(s->removed, fabs(removed));
  }
  return status;
}
