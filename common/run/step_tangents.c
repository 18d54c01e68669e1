/* step_tangents.c -- derivatives of a run by step from neighbouring runs; see step_tangents.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/step_tangents.h"
#include "common/base/arrays.h"
#include "common/run/run_spec.h"
#include "common/run/sensitivity.h"
#include "common/run/step_events.h"
#include "common/run/step_thresholds.h"
#include "common/system/coordinate_scales.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A neighbouring run. */
typedef struct neighbour {
  dls_sim *sim; /* NULL: none */
  bool lost;    /* it has left the sets of the run, and its scheme cannot be set to another state */
  bool agrees;  /* in the last step its contacts did what those of the run did */
  size_t place; /* saltation: of its state among `states` */
} neighbour;

typedef struct step_tangents {
  dls_runs_along along; /* the first member */
  dls_tangent_method method;
  size_t n, count; /* of neighbours: DLS_DIRECTION_SYSTEMS a direction */
  neighbour *near;
  double *q, *v;     /* n: a state that a neighbour is set to */
  double *scale;     /* n: of the coordinates */
  bool *by_quotient; /* n: v is a difference of positions over h, by the scheme or for want of mass */
  double quotient;   /* rounding of such v, in units of the scales */
  double *block;
  size_t step, event_count; /* of the run, at the beginning of an advance */
  /* saltation */
  dls_step_events *events; /* NULL without contacts */
  dls_step_node node;      /* of the run, at the beginning of an advance */
  double *states;          /* 2 n of the run, then of each neighbour */
  double *kept;            /* 2 n of each direction: tangents at the node */
  bool *pushed;            /* m: with an impulse or a force in the step so far */
  bool inside;             /* a step has begun, by substep */
  bool centred; /* the neighbours are around the run; else around a motion that has passed an event elsewhere */
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

/* Row `row` of the impulses of the last step, d rows of each contact. */
static double impulse_of(const dls_sim *sim, size_t row)
{
  const size_t d = sim->sys->d, j = row / d;
  return row % d == 0 ? sim->p[j] : sim->p_t[(d - 1) * j + row % d - 1];
}

static size_t impulses_of(const dls_sim *sim, const dls_tangent *tangent)
{
  return tangent->impulse != NULL ? sim->sys->d * sim->sys->m : 0;
}

static void end_impulses(const dls_sim *sim, dls_tangent *tangent)
{
  for (size_t i = 0; i < impulses_of(sim, tangent); i++) {
    tangent->impulse[i] = NAN;
  }
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

/* Unit of coordinate i of (q, v). */
static double unit_of(const dls_sim *sim, size_t i)
{
  const size_t n = sim->sys->n;
  const double *scale = tangents_of(sim)->scale;
  return i < n ? 1 / scale[i] : sim->sys->time / scale[i - n];
}

/* Distance of neighbour x from `base`, plus c times that of y, in units of the scales of the run. */
static double distance(const dls_sim *sim, const dls_sim *base, const dls_sim *x, double c, const dls_sim *y)
{
  double most = 0;
  for (size_t i = 0; i < 2 * sim->sys->n; i++) {
    const double at = state_of(base, i);
    const double difference = state_of(x, i) - at + c * (state_of(y, i) - at);
    most = fmax(most, fabs(difference) * unit_of(sim, i));
  }
  return most;
}

/* Neighbours must lie on a line with the run; where they are around another motion, with the one of the same system, if there is any. If they
 * do not, the farther one has switched. Where they are around the run, that of the same system repeats it. */
static void compare_sides(const dls_sim *sim, const dls_direction *direction, neighbour *near, bool centred)
{
  size_t side[DLS_DIRECTION_SYSTEMS], sides = 0;
  neighbour *same = NULL;
  for (size_t k = 0; k < direction->count; k++) {
    if (direction->offset[k] != 0) {
      side[sides++] = k;
    } else {
      same = &near[k];
    }
  }
  const dls_sim *base = centred ? sim : same != NULL ? same->sim : NULL;
  if (base == NULL || sides < 2 || !near[side[0]].agrees || !near[side[1]].agrees) {
    return;
  }
  const dls_sim *a = near[side[0]].sim, *b = near[side[1]].sim;
  const double ratio = direction->offset[side[0]] / direction->offset[side[1]],
               allowed = threshold_bend * distance(sim, base, a, ratio, b) + threshold_bend_rounding +
                         threshold_quotient_rounding * tangents_of(sim)->quotient;
  if (distance(sim, base, a, -ratio, b) > allowed) {
    const bool first = distance(sim, base, a, 0, b) > fabs(ratio) * distance(sim, base, b, 0, a);
    near[side[first ? 0 : 1]].agrees = false;
  }
  if (same != NULL && centred) {
    same->agrees = same->agrees && distance(sim, sim, same->sim, 0, a) <= allowed;
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
  for (size_t i = 0; i < impulses_of(sim, tangent); i++) {
    tangent->impulse[i] = 0;
    for (size_t k = 0; k < direction->count; k++) {
      tangent->impulse[i] += direction->weight[k] * (impulse_of(near[k].sim, i) - impulse_of(sim, i));
    }
  }
}

/* (x(neighbour) - x)/offset */
static void one_side(const dls_sim *sim, double offset, const dls_sim *near, dls_tangent *tangent)
{
  const size_t n = sim->sys->n;
  for (size_t i = 0; i < 2 * n; i++) {
    *tangent_at(tangent, n, i) = (state_of(near, i) - state_of(sim, i)) / offset;
  }
  for (size_t i = 0; i < impulses_of(sim, tangent); i++) {
    tangent->impulse[i] = (impulse_of(near, i) - impulse_of(sim, i)) / offset;
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
  end_impulses(sim, tangent);
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
    end_impulses(sim, tangent); /* those of the run are not those of the neighbour */
  } else {
    end_tangent(sim, tangent);
  }
}

/* Set a neighbour to a state at the time of the run. A scheme that keeps more than a state restarts there, or at the nearest state that its joints
 * allow. */
static dls_status set_state(dls_sim *sim, neighbour *near, const double *q, const double *v, dls_error *err)
{
  if (sim->scheme->moved != NULL) {
    return dls_sim_move(near->sim, sim->t, q, v, err);
  }
  const dls_system *sys = near->sim->sys;
  dls_sim_destroy(near->sim);
  dls_status status = dls_sim_create_like(sim, sys, &near->sim, err);
  if (status == DLS_OK) {
    dls_error why = {0};
    dls_run_spec spec = sim->spec != NULL ? *sim->spec : (dls_run_spec){0};
    spec.start.project = true; /* joints drift */
    near->sim->spec = &spec;
    status = dls_sim_start_from(near->sim, sim->t, q, v, &why);
    near->sim->spec = NULL;
    if (status == DLS_ERR_ARG) { /* it penetrates */
      dls_fail(err, status,
               "a neighbouring run for the derivatives cannot restart where a step ends at an impact: %s; take "
               "a step "
               "that does not end there",
               why.text);
    } else if (status != DLS_OK) {
      *err = why;
    }
  }
  return status;
}

/* To the state of the run plus the offset of the neighbour times the tangent. */
static dls_status set_around(dls_sim *sim, double offset, neighbour *near, const dls_tangent *tangent,
                             dls_error *err)
{
  step_tangents *tangents = tangents_of(sim);
  for (size_t i = 0; i < tangents->n; i++) {
    tangents->q[i] = sim->q[i] + offset * tangent->dq[i];
    tangents->v[i] = sim->v[i] + offset * tangent->dv[i];
  }
  return set_state(sim, near, tangents->q, tangents->v, err);
}

/* Set the neighbours that did not agree around the run, or leave them out where that loses what they keep. */
static dls_status return_lost(dls_sim *sim, const dls_direction *direction, neighbour *near,
                              const dls_tangent *tangent, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t k = 0; k < direction->count && status == DLS_OK; k++) {
    if (near[k].agrees || near[k].lost) {
      continue;
    }
    near[k].lost = sim->scheme->moved == NULL || isnan(tangent->dq[0]);
    status = near[k].lost ? DLS_OK : set_around(sim, direction->offset[k], &near[k], tangent, err);
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
  bool differs = false;
  for (size_t k = 0; k < direction->count; k++) {
    differs = differs || !near[k].agrees;
  }
  tangent->differing += differs;
  if (tangents->method.kind == DLS_TANGENT_DIFFERENCE) {
    sum_all(sim, direction, near, tangent);
    return DLS_OK;
  }
  compare_sides(sim, direction, near, true);
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
    dls_tangent_note_direction(sim->sensitivity, k, sim->t);
  }
  for (size_t i = 0; i < tangents->count; i++) {
    neighbour *near = &tangents->near[i];
    near->agrees = near->sim != NULL && same_sets(sim, near->sim);
  }
  return combine_all(sim, err);
}

static void keep(dls_sim *sim)
{
  step_tangents *tangents = tangents_of(sim);
  const size_t n = tangents->n, m = sim->sys->m;
  tangents->step = sim->step;
  if (tangents->inside) {
    return;
  }
  tangents->node.t = sim->t;
  memcpy(tangents->node.q, sim->q, n * sizeof *sim->q);
  memcpy(tangents->node.v, sim->v, n * sizeof *sim->v);
  memset(tangents->pushed, 0, m * sizeof *tangents->pushed);
  tangents->event_count = sim->sensitivity->event_count;
  for (size_t k = 0; k < sim->sensitivity->count; k++) {
    dls_tangent *tangent = &sim->sensitivity->tangent[k];
    memcpy(tangents->kept + 2 * n * k, tangent->dq, n * sizeof *tangent->dq);
    memcpy(tangents->kept + 2 * n * k + n, tangent->dv, n * sizeof *tangent->dv);
    tangent->dt = NAN; /* times of events are not known yet */
    for (size_t j = 0; j < m; j++) {
      tangent->contact_dt[j] = NAN;
    }
  }
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

/* Does a contact of the run touch without force or velocity, where it is pushed in the neighbour? Then the run is between two sets. */
static bool between_sets(const dls_sim *sim, const dls_sim *near)
{
  const double still = threshold_still * sim->sys->length;
  for (size_t j = 0; j < sim->sys->m; j++) {
    const bool idle = sim->p[j] == 0 && !(sim->lambda[j] > 0) && fabs(sim->g[j]) <= still &&
                      fabs(sim->u[j]) <= still / sim->sys->time;
    if (idle && (near->p[j] > 0 || near->lambda[j] > 0)) {
      return true;
    }
  }
  return false;
}

/* A neighbour that fails has left the run, unless the failure is none of the step, or differences need it. */
static bool may_fail(const step_tangents *tangents, dls_status status)
{
  return tangents->method.kind != DLS_TANGENT_DIFFERENCE && status != DLS_ERR_INTERRUPTED &&
         status != DLS_ERR_MEMORY;
}

static dls_status advance_all(dls_sim *sim, double h, dls_error *err)
{
  step_tangents *tangents = tangents_of(sim);
  for (size_t i = 0; i < tangents->count; i++) {
    neighbour *near = &tangents->near[i];
    near->agrees = false;
    if (near->sim == NULL || near->lost) {
      continue;
    }
    const dls_status status = advance_one(sim, near, tangents->step, h, err);
    if (status != DLS_OK && !may_fail(tangents, status)) {
      return status;
    }
    if (tangents->method.kind != DLS_TANGENT_DIFFERENCE && between_sets(sim, near->sim)) {
      dls_tangent_note(&sim->sensitivity->tangent[i / DLS_DIRECTION_SYSTEMS], DLS_DERIVATIVE_DEGENERATE, sim->t,
                       SIZE_MAX);
    }
  }
  return DLS_OK;
}

/* --- saltation --- */

/* The states of the run and of its neighbours at the beginning of the step. */
static void gather_states(dls_sim *sim)
{
  step_tangents *tangents = tangents_of(sim);
  const size_t n = tangents->n;
  memcpy(tangents->states, tangents->node.q, n * sizeof(double));
  memcpy(tangents->states + n, tangents->node.v, n * sizeof(double));
  for (size_t i = 0; i < tangents->count; i++) {
    const neighbour *near = &tangents->near[i];
    const size_t k = i / DLS_DIRECTION_SYSTEMS;
    const double *dx = tangents->kept + 2 * n * k;
    const double offset = sim->sensitivity->direction[k].offset[i % DLS_DIRECTION_SYSTEMS];
    double *x = tangents->states + 2 * n * near->place;
    for (size_t j = 0; j < n && near->sim != NULL; j++) {
      x[j] = tangents->node.q[j] + offset * dx[j];
      x[n + j] = tangents->node.v[j] + offset * dx[n + j];
    }
  }
}

/* The derivative of the time of an event, for the records of the step and for later ones. */
static void set_event_dt(dls_sim *sim, size_t event)
{
  step_tangents *tangents = tangents_of(sim);
  dls_sensitivity *s = sim->sensitivity;
  const size_t contact = dls_step_events_contact(tangents->events, event);
  const double *tau = dls_step_events_tau(tangents->events, event);
  for (size_t k = 0; k < s->count && tau != NULL; k++) {
    const neighbour *near = tangents->near + DLS_DIRECTION_SYSTEMS * k;
    double dt = 0;
    for (size_t i = 0; i < s->direction[k].count; i++) {
      dt += s->direction[k].weight[i] * (tau[near[i].place] - tau[0]);
    }
    s->tangent[k].dt = dt;
    if (contact == SIZE_MAX) {
      continue;
    }
    s->tangent[k].contact_dt[contact] = dt;
    s->tangent[k].valid_within =
        fmin(s->tangent[k].valid_within, dls_step_events_reach(tangents->events, event) / fabs(dt));
    for (size_t i = tangents->event_count; i < s->event_count; i++) {
      if (s->event[i].contact == contact) {
        s->event_dt[i * s->columns + k] = dt;
      }
    }
  }
}

/* The derivatives of the impulses of a step that has been crossed. */
static void cross_impulses(dls_sim *sim)
{
  step_tangents *tangents = tangents_of(sim);
  const double *own = dls_step_events_impulse(tangents->events, 0);
  for (size_t k = 0; k < sim->sensitivity->count; k++) {
    const dls_direction *direction = &sim->sensitivity->direction[k];
    dls_tangent *tangent = &sim->sensitivity->tangent[k];
    for (size_t i = 0; i < impulses_of(sim, tangent); i++) {
      tangent->impulse[i] = 0;
      for (size_t l = 0; l < direction->count; l++) {
        const size_t place = tangents->near[DLS_DIRECTION_SYSTEMS * k + l].place;
        tangent->impulse[i] +=
            direction->weight[l] * (dls_step_events_impulse(tangents->events, place)[i] - own[i]);
      }
    }
  }
}

/* Through the events of the step, or without them where neighbours did not do what the run did: the tangents, and where the neighbours
 * go on. */
static dls_status cross(dls_sim *sim, double h, size_t found, dls_error *err)
{
  step_tangents *tangents = tangents_of(sim);
  const size_t n = tangents->n;
  gather_states(sim);
  dls_status status = dls_step_events_cross(tangents->events, &tangents->node, h, tangents->states, err);
  for (size_t i = 0; i < found && status == DLS_OK; i++) {
    set_event_dt(sim, i);
  }
  for (size_t i = 0; i < tangents->count; i++) {
    const size_t apart = dls_step_events_apart(tangents->events, tangents->near[i].place);
    if (tangents->near[i].sim != NULL && apart != SIZE_MAX) {
      dls_tangent_note(&sim->sensitivity->tangent[i / DLS_DIRECTION_SYSTEMS], DLS_DERIVATIVE_DEGENERATE, sim->t,
                       apart);
    }
  }
  tangents->centred = sim->scheme->moved != NULL || (found == 0 && sim->sys->r == 0);
  for (size_t i = 0; i < 2 * n * sim->sensitivity->count && status == DLS_OK; i++) {
    const size_t k = i / (2 * n), j = i % (2 * n);
    const dls_direction *direction = &sim->sensitivity->direction[k];
    double sum = 0;
    for (size_t l = 0; l < direction->count; l++) {
      const size_t place = tangents->near[DLS_DIRECTION_SYSTEMS * k + l].place;
      sum += direction->weight[l] * (tangents->states[2 * n * place + j] - tangents->states[j]);
    }
    *tangent_at(&sim->sensitivity->tangent[k], n, j) = sum;
  }
  cross_impulses(sim);
  for (size_t i = 0; i < tangents->count && status == DLS_OK; i++) {
    neighbour *near = &tangents->near[i];
    const size_t k = i / DLS_DIRECTION_SYSTEMS;
    const double *x = tangents->states + 2 * n * near->place;
    if (near->sim != NULL) {
      status = tangents->centred
                   ? set_around(sim, sim->sensitivity->direction[k].offset[i % DLS_DIRECTION_SYSTEMS], near,
                                &sim->sensitivity->tangent[k], err)
                   : set_state(sim, near, x, x + n, err);
    }
  }
  return status;
}

/* Have all neighbours done in the step what the run did, on a line with it? */
static bool all_agree(const dls_sim *sim)
{
  step_tangents *tangents = tangents_of(sim);
  bool agree = true;
  for (size_t k = 0; k < sim->sensitivity->count; k++) {
    neighbour *near = tangents->near + DLS_DIRECTION_SYSTEMS * k;
    const dls_direction *direction = &sim->sensitivity->direction[k];
    compare_sides(sim, direction, near, tangents->centred);
    for (size_t i = 0; i < direction->count; i++) {
      agree = agree && near[i].agrees;
    }
  }
  return agree;
}

static dls_status advance_by_saltation(dls_sim *sim, double h, dls_error *err)
{
  step_tangents *tangents = tangents_of(sim);
  size_t found = 0;
  dls_status status =
      dls_step_events_find(tangents->events, sim, &tangents->node, tangents->pushed, h, &found, err);
  if (status == DLS_OK && found == 0) {
    status = advance_all(sim, h, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  const size_t differs = dls_step_events_compare(tangents->events, sim, tangents->pushed);
  for (size_t k = 0; k < sim->sensitivity->count && differs != SIZE_MAX; k++) {
    dls_tangent_note(&sim->sensitivity->tangent[k], DLS_DERIVATIVE_DEGENERATE, sim->t, differs);
  }
  if (found > 0 || dls_step_events_straddled(tangents->events) || !all_agree(sim)) {
    return cross(sim, h, found, err);
  }
  for (size_t k = 0; k < sim->sensitivity->count; k++) {
    sum_all(sim, &sim->sensitivity->direction[k], tangents->near + DLS_DIRECTION_SYSTEMS * k,
            &sim->sensitivity->tangent[k]);
  }
  return DLS_OK;
}

/* --- a step --- */

/* How far the last two neighbours are from a line with the run, relative to their distance from it; 0: not known. */
static double line_error(const dls_sim *sim, const dls_direction *direction, const neighbour *near)
{
  const size_t b = direction->count - 1, a = b > 0 ? b - 1 : 0;
  const double ratio = direction->offset[a] / direction->offset[b];
  const step_tangents *tangents = tangents_of(sim);
  if (a == b || !tangents->centred || tangents->method.kind == DLS_TANGENT_DIFFERENCE || !near[a].agrees ||
      !near[b].agrees) {
    return 0;
  }
  const double apart = distance(sim, sim, near[a].sim, ratio, near[b].sim);
  return apart > 0 ? distance(sim, sim, near[a].sim, -ratio, near[b].sim) / apart : 0;
}

/* Of v that is x/h the rounding of q over h. */
static double quotient_rounding(const dls_sim *sim, double h)
{
  const size_t n = sim->sys->n;
  double most = 0;
  for (size_t i = 0; i < n; i++) {
    most = tangents_of(sim)->by_quotient[i] ? fmax(most, unit_of(sim, n + i) * fabs(sim->q[i])) : most;
  }
  return DBL_EPSILON * most / h;
}

/* The rounding of the neighbours, relative to the derivative: their states are rounded, and divided by their distance. In stiff systems more of it
 * adds up, and bends their line. NaN where they are equal: the derivative is 0, or less than that. */
static void estimate_rounding(const dls_sim *sim)
{
  const size_t n = sim->sys->n;
  for (size_t k = 0; k < sim->sensitivity->count; k++) {
    const dls_direction *direction = &sim->sensitivity->direction[k];
    dls_tangent *tangent = &sim->sensitivity->tangent[k];
    double most = 0, state = 0, weights = 0;
    for (size_t i = 0; i < direction->count; i++) {
      weights += fabs(direction->weight[i]);
    }
    for (size_t i = 0; i < 2 * n; i++) {
      most = fmax(most, unit_of(sim, i) * fabs(*tangent_at(tangent, n, i)));
      state = fmax(state, unit_of(sim, i) * fabs(state_of(sim, i)));
    }
    const double of_steps = threshold_steps_rounding, of_step = threshold_quotient_rounding,
                 quotient = (sim->scheme->v_is_quotient ? of_steps : of_step) * tangents_of(sim)->quotient,
                 rounding = fmax(of_steps * DBL_EPSILON * state, quotient),
                 bent = line_error(sim, direction, tangents_of(sim)->near + DLS_DIRECTION_SYSTEMS * k);
    tangent->rounding = most > 0 ? fmax(weights * rounding / most, bent) : NAN;
  }
}

/* A step of parts has no impulse of its own. */
static void end_impulses_of_parts(const dls_sim *sim, bool parts)
{
  for (size_t k = 0; k < sim->sensitivity->count && parts; k++) {
    end_impulses(sim, &sim->sensitivity->tangent[k]);
  }
}

/* At a jump the tangents before it are those of the last node. */
static void set_left(dls_sim *sim)
{
  const step_tangents *tangents = tangents_of(sim);
  const size_t n = tangents->n;
  for (size_t k = 0; k < sim->sensitivity->count; k++) {
    dls_tangent *tangent = &sim->sensitivity->tangent[k];
    memcpy(tangent->dq_left, tangents->kept + 2 * n * k, n * sizeof *tangent->dq_left);
    memcpy(tangent->dv_left, tangents->kept + 2 * n * k + n, n * sizeof *tangent->dv_left);
  }
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  step_tangents *tangents = tangents_of(sim);
  for (size_t j = 0; j < sim->sys->m; j++) {
    tangents->pushed[j] = tangents->pushed[j] || sim->p[j] > 0 || sim->lambda[j] > 0;
  }
  if (sim->jump) {
    set_left(sim);
  }
  const bool parts = tangents->inside;
  tangents->inside = sim->step == tangents->step;
  if (tangents->inside) { /* derivatives belong to the end of a step */
    for (size_t k = 0; k < sim->sensitivity->count; k++) {
      end_tangent(sim, &sim->sensitivity->tangent[k]);
    }
    return DLS_OK;
  }
  tangents->quotient = quotient_rounding(sim, h);
  dls_status status = DLS_OK;
  if (tangents->events != NULL) {
    status = advance_by_saltation(sim, sim->t - tangents->node.t, err);
  } else if ((status = advance_all(sim, h, err)) == DLS_OK) {
    status = combine_all(sim, err);
  }
  end_impulses_of_parts(sim, parts);
  estimate_rounding(sim);
  return status;
}

/* --- creation --- */

static void destroy(dls_runs_along *along)
{
  step_tangents *tangents = (step_tangents *)along;
  for (size_t i = 0; tangents->near != NULL && i < tangents->count; i++) {
    dls_sim_destroy(tangents->near[i].sim);
  }
  dls_step_events_destroy(tangents->events);
  free(tangents->near);
  free(tangents->pushed);
  free(tangents->by_quotient);
  free(tangents->block);
  free(tangents);
}

static dls_status create_events(const dls_sim *sim, step_tangents *tangents, size_t count, dls_error *err)
{
  const dls_system **systems = calloc(count, sizeof *systems);
  if (systems == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the events of steps");
  }
  systems[0] = sim->sys;
  for (size_t i = 0; i < tangents->count; i++) {
    if (tangents->near[i].sim != NULL) {
      systems[tangents->near[i].place] = tangents->near[i].sim->sys;
    }
  }
  const dls_status status = dls_step_events_create(sim, count, systems, &tangents->events, err);
  free(systems);
  return status;
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
  if (method->kind == DLS_TANGENT_DIFFERENCE && !(method->delta > 0)) {
    return dls_fail(err, DLS_ERR_ARG, "difference: delta = %g must be > 0", method->delta);
  }
  step_tangents *tangents = calloc(1, sizeof *tangents);
  if (tangents != NULL) {
    tangents->along = (dls_runs_along){start, started, keep, advance, destroy};
    sim->sensitivity->along = &tangents->along;
    sim->sensitivity->method = *method;
    tangents->method = *method;
    tangents->n = sim->sys->n;
    tangents->count = DLS_DIRECTION_SYSTEMS * sim->sensitivity->count;
    tangents->near = calloc(tangents->count + 1, sizeof *tangents->near);
    tangents->centred = true;
    tangents->pushed = calloc(sim->sys->m + 1, sizeof *tangents->pushed);
    tangents->by_quotient = calloc(sim->sys->n + 1, sizeof *tangents->by_quotient);
    tangents->block = dls_arrays((const dls_slot[]){
        {sim->sys->n, {&tangents->q, &tangents->v, &tangents->scale, &tangents->node.q, &tangents->node.v}},
        {2 * sim->sys->n * (tangents->count + 1), {&tangents->states}},
        {2 * sim->sys->n * sim->sensitivity->count, {&tangents->kept}},
        {0}});
  }
  if (tangents == NULL || tangents->near == NULL || tangents->block == NULL || tangents->pushed == NULL ||
      tangents->by_quotient == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the derivatives of %zu parameters",
                    sim->sensitivity->count);
  }
  dls_coordinate_scales(sim->sys, tangents->scale);
  dls_system_massless(sim->sys, tangents->by_quotient);
  for (size_t i = 0; i < sim->sys->n; i++) {
    tangents->by_quotient[i] = tangents->by_quotient[i] || sim->scheme->v_is_quotient;
  }
  size_t places = 0;
  dls_status status = DLS_OK;
  for (size_t k = 0; k < sim->sensitivity->count && status == DLS_OK; k++) {
    const dls_direction *direction = &sim->sensitivity->direction[k];
    for (size_t i = 0; i < direction->count && status == DLS_OK; i++) {
      neighbour *near = &tangents->near[DLS_DIRECTION_SYSTEMS * k + i];
      near->place = ++places;
      status = dls_sim_create_like(sim, direction->system[i], &near->sim, err);
    }
  }
  const bool switches = sim->sys->m > 0 || dls_system_next_break(sim->sys, 0) < INFINITY;
  return status != DLS_OK || method->kind != DLS_TANGENT_SALTATION || !switches
             ? status
             : create_events(sim, tangents, places + 1, err);
}
