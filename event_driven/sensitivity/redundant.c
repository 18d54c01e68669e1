/* event_driven/sensitivity/redundant.c -- see redundant.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/redundant.h"
#include "event_driven/sensitivity/event_values.h"
#include <math.h>
#include <string.h>

bool dls_redundant_any(const dls_event_integrator *self)
{
  return self->state.active.count > 0 &&
         (self->work.solver != NULL ? dls_mode_solver_redundant(self->work.solver)
                                    : dls_delassus_redundant(self->work.contacts.W)) > 0;
}

/* What rows of direction k may differ from 0 by, in units of the rows. */
static double rounding_of(const dls_motion_tangents *tangents, size_t k, const dls_state_line *line)
{
  return threshold_transversal *
         fmax(dls_neighbours_size(tangents, line), 1 / dls_direction_unit(&tangents->result->direction[k]));
}

void dls_redundant_check_rows(dls_motion_tangents *tangents, size_t k, const dls_state_line *line, size_t count,
                              double *rows, double unit)
{
  const dls_event_work *work = &tangents->self.run->work;
  double *change = tangents->dv, worst = unit * rounding_of(tangents, k, line);
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
  dls_tangent *tangent = &tangents->result->tangent[k];
  tangent->inconsistency = tangent->status < DLS_DERIVATIVE_DEGENERATE ? worst : tangent->inconsistency;
  if (k < tangents->result->count) {
    dls_tangent_end(tangents, k, DLS_DERIVATIVE_DEGENERATE, contact);
  } else { /* of the adjoint equation: parameters may not move the state in this direction */
    dls_tangent_note(tangent, DLS_DERIVATIVE_DEGENERATE, tangents->t, contact);
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
      tangent->inconsistency = left;
      dls_tangent_note(tangent, DLS_DERIVATIVE_DEGENERATE, line->t, row / self->method.d);
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

/* x := a vector of forces of the `count` held rows that moves nothing, z - W^+ W z, where z has no zeros. @return false: not solved for */
static bool find_idle_forces(dls_motion_tangents *tangents, size_t count, double *x)
{
  const dls_event_work *work = &tangents->self.run->work;
  double *rows = tangents->P, *moved = tangents->dv;
  for (size_t i = 0; i < count; i++) {
    x[i] = 1 + fmod(0.6180339887498949 * (double)i, 1);
  }
  memset(moved, 0, tangents->n * sizeof *moved);
  dls_delassus_apply(work->contacts.W, count, work->held, 1, x, moved);
  for (size_t i = 0; i < count; i++) {
    rows[i] = dls_matrix_column_dot(work->contacts.config->H, work->held[i], moved);
  }
  if (dls_delassus_solve_bilateral(work->contacts.W, count, work->held, rows, work->impulse, NULL) != DLS_OK) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    x[i] += work->impulse[i];
  }
  return true;
}

void dls_redundant_forces(dls_motion_tangents *tangents, size_t k, double *lambda)
{
  dls_event_integrator *self = tangents->self.run;
  const dls_event_method *method = &self->method;
  if (!dls_redundant_any(self)) {
    return;
  }
  const bool least = self->work.solver == NULL && tangents->exact && !tangents->changed[k].H &&
                     !tangents->changed[k].M; /* of least norm, by the same projection for all p */
  const size_t held = dls_geometry_hold_rows(self, &self->state.active, true);
  double *x = tangents->u;
  const bool some = !least && !any_slips(&self->state) && find_idle_forces(tangents, held, x);
  for (size_t i = 0; i < held && !least; i++) {
    const size_t row = self->work.held[i], j = row / method->d;
    for (size_t l = 0; l < method->d && !some; l++) {
      lambda[method->d * j + l] = NAN;
    }
    lambda[row] = fabs(x[i]) > threshold_adjoint_rank ? NAN : lambda[row];
  }
  for (size_t i = 0; i < method->sys->r && !least; i++) {
    lambda[method->d * method->m + i] = NAN;
  }
  tangents->result->tangent[k].redundant_forces |= !least;
}
