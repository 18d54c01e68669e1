/* event_driven/sensitivity/redundant.c -- see redundant.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/redundant.h"
#include "event_driven/sensitivity/event_values.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

bool dls_redundant_any(const dls_event_integrator *self)
{
  return self->state.active.count > 0 &&
         (self->work.solver != NULL ? dls_mode_solver_redundant(self->work.solver) > 0
                                    : dls_delassus_may_be_redundant(self->work.contacts.W));
}

/* What rows of direction k may differ from 0 by, in units of the rows. */
static double rounding_of(const dls_motion_tangents *tangents, size_t k, const dls_state_line *line)
{
  return threshold_transversal *
         fmax(dls_neighbours_size(tangents, line), 1 / dls_direction_unit(&tangents->result->direction[k]));
}

/* The round-off of differences of rows by the parameter: their terms are as large as the coordinates. In units of the rows. */
static double noise_of_rows(const dls_motion_tangents *tangents, size_t k, const dls_state_line *line)
{
  const dls_system *sys = tangents->self.run->method.sys;
  const dls_direction *direction = &tangents->result->direction[k];
  double terms = 0, increments = 0;
  for (size_t i = 0; i < tangents->n; i++) {
    terms = fmax(terms, fmax(dls_tangent_as_length(tangents, i, line->q[i]),
                             sys->time * dls_tangent_as_length(tangents, i, line->v[i])));
  }
  for (size_t i = 0; i < direction->count; i++) {
    increments += fabs(direction->weight[i]);
  }
  return threshold_tangent_rounding * DBL_EPSILON * increments * terms / sys->length;
}

static void note(dls_tangent *tangent, double t, size_t contact, double left, int which)
{
  if (tangent->status < DLS_DERIVATIVE_DEGENERATE) {
    tangent->inconsistency = left;
    tangent->inconsistent = which;
    dls_tangent_note(tangent, DLS_DERIVATIVE_DEGENERATE, t, contact);
  }
}

void dls_redundant_check_rows(dls_motion_tangents *tangents, size_t k, const dls_state_line *line, size_t count,
                              double *rows, int order)
{
  const dls_event_work *work = &tangents->self.run->work;
  const dls_system *sys = tangents->self.run->method.sys;
  if (!dls_delassus_may_be_redundant(work->contacts.W)) {
    return;
  }
  double *change = tangents->dv, worst = sys->length / (order == 0 ? 1 : sys->time) *
                                         (rounding_of(tangents, k, line) + noise_of_rows(tangents, k, line));
  size_t contact = SIZE_MAX;
  memset(change, 0, tangents->n * sizeof *change);
  dls_delassus_apply(work->contacts.W, count, work->held, 1, work->impulse, change);
  for (size_t i = 0; i < count; i++) {
    rows[i] += dls_matrix_column_dot(work->contacts.config->H, work->held[i], change);
    contact = fabs(rows[i]) > worst ? work->held[i] / tangents->self.run->method.d : contact;
    worst = fmax(worst, fabs(rows[i]));
  }
  if (contact == SIZE_MAX) {
    return;
  }
  note(&tangents->result->tangent[k], tangents->t, contact, worst, order);
  if (k < tangents->result
              ->count) { /* else of the adjoint equation: parameters may not move the state in this direction */
    dls_tangent_end(tangents, k, DLS_DERIVATIVE_DEGENERATE, contact);
  }
}

void dls_redundant_check_rates(dls_motion_tangents *tangents, size_t k, const dls_state_line *line,
                               const double *rate, const double *a, double noise)
{
  dls_event_integrator *self = tangents->self.run;
  const dls_event_work *work = &self->work;
  const dls_system *sys = self->method.sys;
  dls_tangent *tangent = &tangents->result->tangent[k];
  const bool closed = tangents->tape == NULL || tangents->exact; /* else dx need not keep the contacts closed */
  if (tangent->status >= DLS_DERIVATIVE_DEGENERATE || !closed || !dls_redundant_any(self)) {
    return;
  }
  const double none = noise + sys->length / (sys->time * sys->time) * rounding_of(tangents, k, line);
  for (size_t i = 0, held = dls_geometry_hold_rows(self, &self->state.active, true); i < held; i++) {
    const size_t row = work->held[i];
    const double left = fabs(rate[row] + dls_matrix_column_dot(work->contacts.config->H, row, a));
    if (left > none) {
      note(tangent, line->t, row / self->method.d, left, 2);
      return;
    }
  }
}

/* Does a closed contact slip? Then the rows that are held do not have the directions of the forces. */
static bool any_slips(const dls_event_state *state)
{
  bool slips = false;
  for (size_t k = 0; k < state->active.count; k++) {
    const size_t j = state->active.index[k];
    slips = slips || (state->contact[j].has_friction && state->mode[j].kind == DLS_MODE_SLIPS);
  }
  return slips;
}

/* Numbers between 1/2 and 3/2 without a pattern that forces could cancel: splitmix64 of Steele, Lea & Flood 2014 at i. */
static double scattered(size_t i)
{
  uint64_t x = ((uint64_t)i + 1) * UINT64_C(0x9E3779B97F4A7C15);
  x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
  return 0.5 + ldexp((double)((x ^ (x >> 31)) >> 11), -53);
}

/* x := forces of the `count` held rows that move nothing, z - W^+ W z for scattered z: 0 where all such forces are. @return false: not solved for */
static bool find_idle_forces(dls_motion_tangents *tangents, size_t count, double *x)
{
  const dls_event_work *work = &tangents->self.run->work;
  double *rows = tangents->P, *moved = tangents->dv;
  for (size_t i = 0; i < count; i++) {
    x[i] = scattered(i);
  }
  memset(moved, 0, tangents->n * sizeof *moved);
  dls_delassus_apply(work->contacts.W, count, work->held, 1, x, moved);
  for (size_t i = 0; i < count; i++) {
    rows[i] = dls_matrix_column_dot(work->contacts.config->H, work->held[i], moved);
  }
  dls_delassus_count_fallbacks(work->contacts.W, NULL); /* not of the run */
  const dls_status status =
      dls_delassus_solve_bilateral(work->contacts.W, count, work->held, rows, work->impulse, NULL);
  dls_delassus_count_fallbacks(work->contacts.W, tangents->fallbacks);
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    x[i] += work->impulse[i];
  }
  return status == DLS_OK;
}

/* Those of direction k. idle: forces of the held rows that move nothing; NULL: not known */
static void remove_derivatives(dls_motion_tangents *tangents, size_t k, size_t held, const double *idle,
                               double *lambda)
{
  const dls_event_integrator *self = tangents->self.run;
  const dls_event_method *method = &self->method;
  bool *any = &tangents->result->tangent[k].redundant_forces;
  for (size_t i = 0; i < held; i++) {
    const size_t row = self->work.held[i], own = row - row % method->d;
    const bool unknown = idle == NULL || fabs(idle[i]) > threshold_adjoint_rank;
    for (size_t l = 0; l < method->d && unknown; l++) {
      lambda[own + l] = idle == NULL || own + l == row ? NAN : lambda[own + l];
    }
    *any = *any || unknown;
  }
  for (size_t i = 0; i < method->sys->r; i++) {
    lambda[method->d * method->m + i] = NAN;
    *any = true;
  }
}

void dls_redundant_forces(dls_motion_tangents *tangents, bool left)
{
  dls_event_integrator *self = tangents->self.run;
  if (!dls_redundant_any(self)) {
    return;
  }
  const size_t held = dls_geometry_hold_rows(self, &self->state.active, true);
  const bool known = !any_slips(&self->state) && find_idle_forces(tangents, held, tangents->u);
  for (size_t k = 0; k < tangents->count; k++) {
    const bool least = self->work.solver == NULL && tangents->exact && !tangents->changed[k].H &&
                       !tangents->changed[k].M; /* of least norm, by the same projection for all p */
    const dls_tangent *tangent = &tangents->result->tangent[k];
    if (!least && !dls_tangent_has_ended(tangents, k)) {
      remove_derivatives(tangents, k, held, known ? tangents->u : NULL,
                         left ? tangent->forces_left : tangent->forces);
    }
  }
}
