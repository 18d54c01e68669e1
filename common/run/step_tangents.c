/* step_tangents.c -- derivatives of a run by step from neighbouring runs; see step_tangents.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/step_tangents.h"
#include "common/base/arrays.h"
#include "common/run/run_spec.h"
#include "common/run/sensitivity.h"
#include "common/run/step_thresholds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A neighbouring run. */
typedef struct neighbour {
  dls_sim *sim; /* NULL: none */
  bool
      lost; /* its contacts once did in a step what those of the run did not, and its scheme cannot be set to another state */
  bool agrees; /* in the last step they did what those of the run did */
} neighbour;

typedef struct step_tangents {
  dls_runs_along along; /* the first member */
  dls_tangent_method method;
  size_t n, count; /* of neighbours: DLS_DIRECTION_SYSTEMS a direction */
  neighbour *near;
  double *q; /* n: a state that a neighbour is set to */
  double *v;
  size_t step; /* of the run, at the beginning of an advance */
} step_tangents;

static step_tangents *tangents_of(const dls_sim *sim)
{
  return (step_tangents *)sim->sensitivity->along;
}

/* --- one direction --- */

/* Coordinate i of (q, v). */
static double state_of(const dls_sim *sim, size_t i)
{
  const size_t n = sim->sys->n;
  return i < n ? sim->q[i] : sim->v[i - n];
}

static double *tangent_at(dls_tangent *tangent, size_t n, size_t i)
{
  return i < n ? &tangent->dq[i] : &tangent->dv[i - n];
}

/* Do the contacts of the neighbour do in this step what those of the run do? */
static bool same_sets(const dls_sim *sim, const dls_sim *near)
{
  bool same = true;
  for (size_t j = 0; j < sim->sys->m && same; j++) {
    same = sim->status[j] == near->status[j] && (sim->p[j] > 0) == (near->p[j] > 0);
    if (same && sim->status[j] == 2 && sim->sys->d == 2) {
      same = (sim->p_t[j] > 0) == (near->p_t[j] > 0);
    }
  }
  return same;
}

/* Distance of neighbour x from the run, plus c times that of y, in units of the scales. */
static double distance(const dls_sim *sim, const dls_sim *x, double c, const dls_sim *y)
{
  const size_t n = sim->sys->n;
  double most = 0;
  for (size_t i = 0; i < 2 * n; i++) {
    const double base = state_of(sim, i);
    const double difference = state_of(x, i) - base + c * (state_of(y, i) - base);
    most = fmax(most, fabs(difference) * (i < n ? 1 : sim->sys->time) / sim->sys->length);
  }
  return most;
}

/* Neighbours on both sides must lie on a line with the run. If they do not, the farther one has switched. */
static void compare_sides(const dls_sim *sim, neighbour near[2])
{
  const dls_sim *a = near[0].sim, *b = near[1].sim;
  if (distance(sim, a, 1, b) > threshold_bend * distance(sim, a, -1, b) + threshold_bend_rounding) {
    const bool first = distance(sim, a, 0, b) > distance(sim, b, 0, a);
    near[first ? 0 : 1].agrees = false;
  }
}

/* sum of weight[i] x(neighbour i) */
static void sum_all(const dls_sim *sim, const dls_direction *direction, const neighbour *near,
                    dls_tangent *tangent)
{
  const size_t n = sim->sys->n;
  for (size_t i = 0; i < 2 * n; i++) {
    double sum = 0;
    for (size_t k = 0; k < direction->count; k++) {
      sum += direction->weight[k] * (state_of(near[k].sim, i) - state_of(sim, i));
    }
    *tangent_at(tangent, n, i) = sum;
  }
}

/* (x(neighbour) - x)/offset */
static void one_side(const dls_sim *sim, double offset, const dls_sim *near, dls_tangent *tangent)
{
  const size_t n = sim->sys->n;
  for (size_t i = 0; i < 2 * n; i++) {
    *tangent_at(tangent, n, i) = (state_of(near, i) - state_of(sim, i)) / offset;
  }
}

static size_t closed_of(const dls_sim *sim)
{
  size_t closed = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    closed += sim->status[j] > 0;
  }
  return closed;
}

static void end_tangent(const dls_sim *sim, dls_tangent *tangent)
{
  for (size_t i = 0; i < 2 * sim->sys->n; i++) {
    *tangent_at(tangent, sim->sys->n, i) = NAN;
  }
}

/* No neighbour agrees: the step has two derivatives. Theory: the element of the generalised Jacobian with the contact open. */
static void take_open(dls_sim *sim, const dls_direction *direction, const neighbour *near, dls_tangent *tangent)
{
  size_t open = direction->count;
  for (size_t k = 0; k < direction->count; k++) {
    const bool usable = !near[k].lost && direction->offset[k] != 0;
    if (usable && (open == direction->count || closed_of(near[k].sim) < closed_of(near[open].sim))) {
      open = k;
    }
  }
  dls_tangent_note(tangent, DLS_DERIVATIVE_DEGENERATE, sim->t, SIZE_MAX);
  if (open < direction->count) {
    one_side(sim, direction->offset[open], near[open].sim, tangent);
  } else {
    end_tangent(sim, tangent);
  }
}

/* Set the neighbours that did not agree to the run plus its tangent, or leave them out. */
static dls_status return_lost(dls_sim *sim, const dls_direction *direction, neighbour *near,
                              const dls_tangent *tangent, dls_error *err)
{
  step_tangents *tangents = tangents_of(sim);
  dls_status status = DLS_OK;
  for (size_t k = 0; k < direction->count && status == DLS_OK; k++) {
    if (near[k].agrees || near[k].lost) {
      continue;
    }
    near[k].lost = sim->scheme->moved == NULL || isnan(tangent->dq[0]);
    if (!near[k].lost) {
      for (size_t i = 0; i < tangents->n; i++) {
        tangents->q[i] = sim->q[i] + direction->offset[k] * tangent->dq[i];
        tangents->v[i] = sim->v[i] + direction->offset[k] * tangent->dv[i];
      }
      status = dls_sim_move(near[k].sim, sim->t, tangents->q, tangents->v, err);
    }
  }
  return status;
}

/* The tangent of direction k from its neighbours, which have made the step. */
static dls_status combine(dls_sim *sim, size_t direction_number, dls_error *err)
{
  step_tangents *tangents = tangents_of(sim);
  const dls_direction *direction = &sim->sensitivity->direction[direction_number];
  dls_tangent *tangent = &sim->sensitivity->tangent[direction_number];
  neighbour *near = tangents->near + DLS_DIRECTION_SYSTEMS * direction_number;
  if (tangents->method.kind == DLS_TANGENT_DIFFERENCE) {
    sum_all(sim, direction, near, tangent);
    return DLS_OK;
  }
  if (direction->count == 2 && near[0].agrees && near[1].agrees) {
    compare_sides(sim, near);
  }
  size_t agree = 0, one = direction->count;
  for (size_t k = 0; k < direction->count; k++) {
    agree += near[k].agrees;
    one = near[k].agrees && direction->offset[k] != 0 ? k : one;
  }
  if (agree == direction->count) {
    sum_all(sim, direction, near, tangent);
    return DLS_OK;
  }
  if (one < direction->count) {
    one_side(sim, direction->offset[one], near[one].sim, tangent);
  } else {
    take_open(sim, direction, near, tangent);
  }
  return return_lost(sim, direction, near, tangent, err);
}

static dls_status combine_all(dls_sim *sim, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t k = 0; k < sim->sensitivity->count && status == DLS_OK; k++) {
    status = combine(sim, k, err);
  }
  return status;
}

/* --- the run --- */

static dls_status start(dls_sim *sim, dls_error *err)
{
  step_tangents *tangents = tangents_of(sim);
  const size_t n = tangents->n;
  dls_status status = DLS_OK;
  for (size_t i = 0; i < tangents->count && status == DLS_OK; i++) {
    dls_sim *near = tangents->near[i].sim;
    if (near == NULL) {
      continue;
    }
    for (size_t j = 0; j < n; j++) {
      tangents->q[j] = sim->q[j] + (near->sys->q0[j] - sim->sys->q0[j]);
      tangents->v[j] = sim->v[j] + (near->sys->v0[j] - sim->sys->v0[j]);
    }
    near->spec = sim->spec;
    status = dls_sim_start_from(near, sim->t, tangents->q, tangents->v, err);
    near->spec = NULL;
  }
  return status;
}

static dls_status started(dls_sim *sim, dls_error *err)
{
  step_tangents *tangents = tangents_of(sim);
  for (size_t k = 0; k < sim->sensitivity->count; k++) {
    if (sim->sensitivity->direction[k].one_sided) {
      dls_tangent_note(&sim->sensitivity->tangent[k], DLS_DERIVATIVE_ONE_SIDED, sim->t, SIZE_MAX);
    }
  }
  for (size_t i = 0; i < tangents->count; i++) {
    neighbour *near = &tangents->near[i];
    near->agrees = near->sim != NULL && same_sets(sim, near->sim);
  }
  return combine_all(sim, err);
}

static void keep(dls_sim *sim)
{
  tangents_of(sim)->step = sim->step;
}

/* One step of a neighbour, from step `step` of the run. */
static dls_status advance_one(const dls_sim *sim, neighbour *near, size_t step, double h, dls_error *err)
{
  dls_sim *x = near->sim;
  dls_status status = DLS_OK;
  x->t_base = sim->t_base;
  x->step = step;
  x->spec = sim->spec;
  x->part_end = sim->part_end;
  do {
    status = dls_sim_advance(x, h, err);
  } while (status == DLS_OK && x->step == step);
  x->spec = NULL;
  near->agrees = status == DLS_OK && same_sets(sim, x);
  return status;
}

/* A neighbour that fails has left the run, unless the failure is none of the step, or differences need it. */
static bool may_fail(const step_tangents *tangents, dls_status status)
{
  return tangents->method.kind != DLS_TANGENT_DIFFERENCE && status != DLS_ERR_INTERRUPTED &&
         status != DLS_ERR_MEMORY;
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  step_tangents *tangents = tangents_of(sim);
  if (sim->step == tangents->step) { /* inside a step, by substep: derivatives belong to its end */
    for (size_t k = 0; k < sim->sensitivity->count; k++) {
      end_tangent(sim, &sim->sensitivity->tangent[k]);
    }
    return DLS_OK;
  }
  for (size_t i = 0; i < tangents->count; i++) {
    neighbour *near = &tangents->near[i];
    if (near->sim == NULL || near->lost) {
      near->agrees = false;
      continue;
    }
    const dls_status status = advance_one(sim, near, tangents->step, h, err);
    if (status != DLS_OK && !may_fail(tangents, status)) {
      return status;
    }
  }
  return combine_all(sim, err);
}

/* --- creation --- */

static void destroy(dls_runs_along *along)
{
  step_tangents *tangents = (step_tangents *)along;
  for (size_t i = 0; tangents->near != NULL && i < tangents->count; i++) {
    dls_sim_destroy(tangents->near[i].sim);
  }
  free(tangents->near);
  free(tangents->q);
  free(tangents);
}

dls_status dls_step_tangents_create(dls_sim *sim, const dls_tangent_method *method, dls_error *err)
{
  if (sim->scheme->stepping == DLS_BY_EVENT) {
    return dls_fail(
        err, DLS_ERR_NOT_APPLICABLE,
        "scheme %s chooses its steps, which depend on the parameters: there are no derivatives along "
        "its runs; allowed are schemes with --step, and event-driven",
        sim->scheme->name);
  }
  if (method->kind == DLS_TANGENT_SALTATION) {
    return dls_fail(
        err, DLS_ERR_NOT_APPLICABLE,
        "scheme %s: derivatives with saltation matrices are computed by event-driven; allowed here are "
        "plain and difference:delta=D",
        sim->scheme->name);
  }
  if (method->kind == DLS_TANGENT_DIFFERENCE && !(method->delta > 0)) {
    return dls_fail(err, DLS_ERR_ARG, "difference: delta = %g must be > 0", method->delta);
  }
  step_tangents *tangents = calloc(1, sizeof *tangents);
  if (tangents != NULL) {
    tangents->along = (dls_runs_along){start, started, keep, advance, destroy};
    sim->sensitivity->along = &tangents->along;
    tangents->method = *method;
    tangents->n = sim->sys->n;
    tangents->count = DLS_DIRECTION_SYSTEMS * sim->sensitivity->count;
    tangents->near = calloc(tangents->count + 1, sizeof *tangents->near);
    tangents->q = dls_arrays((const dls_slot[]){{2 * sim->sys->n, {&tangents->v}}, {0}});
  }
  if (tangents == NULL || tangents->near == NULL || tangents->q == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the derivatives of %zu parameters",
                    sim->sensitivity->count);
  }
  tangents->v = tangents->q + tangents->n;
  dls_status status = DLS_OK;
  for (size_t k = 0; k < sim->sensitivity->count && status == DLS_OK; k++) {
    const dls_direction *direction = &sim->sensitivity->direction[k];
    for (size_t i = 0; i < direction->count && status == DLS_OK; i++) {
      neighbour *near = &tangents->near[DLS_DIRECTION_SYSTEMS * k + i];
      status = dls_sim_create_like(sim, direction->system[i], &near->sim, err);
    }
  }
  return status;
}
