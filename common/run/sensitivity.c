/* sensitivity.c -- the derivatives that a run computes along with its motion: their arrays, status, and those of the energy.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/sensitivity.h"
#include "common/base/arrays.h"
#include "common/base/memory.h"
#include "common/run/energy_slopes.h"
#include <delassus/law.h>
#include <delassus/measures.h>
#include <delassus/scheme.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *dls_derivative_status_name(dls_derivative_status status)
{
#define NAME(name, text) text,
  static const char *const names[] = {DLS_DERIVATIVE_LIST(NAME)};
#undef NAME
  return names[status];
}

void dls_tangent_note(dls_tangent *tangent, dls_derivative_status status, double t, size_t contact)
{
  if (status > tangent->status) {
    tangent->status = status;
    tangent->status_time = t;
    tangent->status_contact = contact;
    tangent->side[0].known = tangent->side[1].known = false;
  }
}

void dls_tangent_note_direction(dls_sensitivity *sensitivity, size_t k, double t)
{
  const dls_direction *d = &sensitivity->direction[k];
  if (d->one_sided) {
    dls_tangent_note(&sensitivity->tangent[k], DLS_DERIVATIVE_ONE_SIDED, t, SIZE_MAX);
  }
  if (d->below_rounding) {
    dls_tangent_note(&sensitivity->tangent[k], DLS_DERIVATIVE_DEGENERATE, t, SIZE_MAX);
  }
}

dls_derivative_status dls_sensitivity_status(const dls_sensitivity *sensitivity, size_t direction)
{
  const double least = 1e-6; /* of the parameter: a smaller change is not resolved by measurements */
  const dls_tangent *tangent = &sensitivity->tangent[direction];
  const dls_direction *d = &sensitivity->direction[direction];
  const bool grazing = tangent->valid_within < least * (d->value != 0 ? fabs(d->value) : dls_direction_unit(d));
  return grazing && tangent->status < DLS_DERIVATIVE_GRAZING ? DLS_DERIVATIVE_GRAZING : tangent->status;
}

void dls_sensitivity_destroy(dls_sensitivity *sensitivity)
{
  if (sensitivity != NULL) {
    if (sensitivity->along != NULL) {
      sensitivity->along->destroy(sensitivity->along);
    }
    free(sensitivity->block);
    free(sensitivity->event);
    free(sensitivity->event_dt);
    free(sensitivity->tangent);
    free(sensitivity->own_direction);
    free(sensitivity->integral);
    free(sensitivity->force_block);
    free(sensitivity);
  }
}

bool dls_sensitivity_event(dls_sensitivity *s, const dls_event *event)
{
  if (s->event_count == s->event_room) {
    const size_t room = 2 * s->event_room + 16;
    dls_event_shift *events = realloc(s->event, dls_size_product(room, sizeof *events));
    s->event = events != NULL ? events : s->event;
    double *dt = realloc(s->event_dt, dls_size_product(dls_size_product(room, s->columns + 1), sizeof *dt));
    s->event_dt = dt != NULL ? dt : s->event_dt;
    if (events == NULL || dt == NULL) {
      return false;
    }
    s->event_room = room;
  }
  for (size_t k = 0; k < s->columns; k++) {
    const dls_tangent *tangent = &s->tangent[k];
    s->event_dt[s->event_count * s->columns + k] =
        event->contact < s->m ? tangent->contact_dt[event->contact] : tangent->dt;
  }
  s->event[s->event_count++] = (dls_event_shift){event->t, event->kind, event->contact};
  return true;
}

static dls_status check_direction(const dls_system *sys, const dls_direction *direction, dls_error *err)
{
  for (size_t i = 0; i < direction->count; i++) {
    const dls_system *near = direction->system[i];
    if (near->n != sys->n || near->m != sys->m || near->d != sys->d || near->r != sys->r) {
      return dls_fail(err, DLS_ERR_ARG,
                      "%s changes the numbers of coordinates, contacts or joints: there is no derivative with "
                      "respect to it",
                      direction->name);
    }
    if (isinf(dls_system_next_break(sys, 0)) != isinf(dls_system_next_break(near, 0))) {
      return dls_fail(
          err, DLS_ERR_ARG,
          "%s = %g: loads and surfaces do not jump there, and jump beside it, or the other way round: "
          "there is no derivative with respect to %s; choose another value",
          direction->name, direction->value, direction->name);
    }
    for (size_t j = 0; j < sys->m;
         j++) { /* modes of contacts are those of the run, and would have no friction */
      if (dls_law_has_friction(near, j) != dls_law_has_friction(sys, j)) {
        return dls_fail(err, DLS_ERR_ARG,
                        "%s = %g: contact %zu has no friction there, and has friction beside it: there is no "
                        "derivative with respect to %s; choose a value with friction, e.g. a small one",
                        direction->name, direction->value, j, direction->name);
      }
    }
  }
  return DLS_OK;
}

/* The directions, and behind them `state` without systems. @return false if out of memory */
static bool copy_directions(dls_sensitivity *s, size_t state, const dls_direction *directions)
{
  s->direction = directions;
  if (state > 0) {
    s->own_direction = calloc(s->columns, sizeof *s->own_direction);
    if (s->own_direction != NULL && s->count > 0) {
      memcpy(s->own_direction, directions, s->count * sizeof *directions);
    }
    s->direction = s->own_direction;
  }
  return state == 0 || s->own_direction != NULL;
}

/* @param[in] state  directions of the state beside those of parameters @return NULL if out of memory */
static dls_sensitivity *create(size_t n, size_t m, size_t count, size_t state, const dls_direction *directions)
{
  dls_sensitivity *s = calloc(1, sizeof *s);
  double *x = NULL, *right = NULL, *left = NULL;
  if (s == NULL) {
    return NULL;
  }
  s->count = count;
  s->columns = count + state;
  s->n = n;
  s->m = m;
  s->tangent = calloc(s->columns + 1, sizeof *s->tangent);
  s->block = dls_arrays(
      (const dls_slot[]){{2 * n * s->columns, {&right, &left}}, {(6 * n + m) * s->columns, {&x}}, {0}});
  if (s->tangent == NULL || s->block == NULL || !copy_directions(s, state, directions)) {
    dls_sensitivity_destroy(s);
    return NULL;
  }
  s->row = right;
  s->row_left = left;
  s->row_width = 2 * n * count;
  for (size_t k = 0; k < s->columns; k++, right += 2 * n, left += 2 * n, x += 6 * n + m) {
    s->tangent[k] = (dls_tangent){
        .dq = right,
        .dv = right + n,
        .dq_left = left,
        .dv_left = left + n,
        .side = {{.v = x, .dq = x + n, .dv = x + 2 * n}, {.v = x + 3 * n, .dq = x + 4 * n, .dv = x + 5 * n}},
        .contact_dt = x + 6 * n,
        .status_contact = SIZE_MAX,
        .valid_within = HUGE_VAL};
  }
  return s;
}

dls_status dls_sensitivity_create(dls_sim *sim, size_t count, size_t state, const dls_direction *directions,
                                  dls_error *err)
{
  if (sim->started || sim->sensitivity != NULL) {
    return dls_fail(err, DLS_ERR_ARG, "derivatives are asked for once, before the start of a run");
  }
  for (size_t k = 0; k < count; k++) {
    for (size_t i = 0; i < k; i++) {
      if (strcmp(directions[i].name, directions[k].name) == 0) {
        return dls_fail(err, DLS_ERR_ARG, "the derivative with respect to %s is asked for twice",
                        directions[k].name);
      }
    }
    const dls_status status = check_direction(sim->sys, &directions[k], err);
    if (status != DLS_OK) {
      return status;
    }
  }
  sim->sensitivity = create(sim->sys->n, sim->sys->m, count, state, directions);
  return sim->sensitivity != NULL
             ? DLS_OK
             : dls_fail(err, DLS_ERR_MEMORY, "no memory for the derivatives of %zu parameters", count);
}

/* All 2 n directions of the state at events; in larger systems those that the map of an event changes if the system is linear: gaps and
 * velocities of the contacts, and the forces of one, or all accelerations. */
static size_t state_directions(const dls_system *sys)
{
  const size_t all = 2 * sys->n, rows = dls_size_product(3 * sys->d, sys->m);
  return dls_size_product(all, all) <= DLS_ADJOINT_MAP || rows > all ? all : rows;
}

dls_status dls_sim_differentiate_backward(dls_sim *sim, size_t count, const dls_direction *directions,
                                          dls_error *err)
{
  if ((sim->scheme->handles & DLS_HANDLES_DERIVATIVES) == 0) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "scheme %s has no adjoint equation; allowed is event-driven",
                    sim->scheme->name);
  }
  return dls_sensitivity_create(sim, count, state_directions(sim->sys), directions, err);
}

/* Can more be carried along with the tangents? */
static dls_status check_more(const dls_sim *sim, const char *of, dls_error *err)
{
  const dls_sensitivity *s = sim->sensitivity;
  return s != NULL && !sim->started && s->columns == s->count &&
                 (sim->scheme->handles & DLS_HANDLES_DERIVATIVES) != 0
             ? DLS_OK
             : dls_fail(err, DLS_ERR_ARG,
                        "derivatives of %s go with tangents of scheme event-driven, before its start", of);
}

/* By step: are the impulses of steps with events known? Schemes that keep more than a state spread them over several steps. */
static dls_status check_impulses(const dls_sim *sim, dls_error *err)
{
  const dls_sensitivity *s = sim->sensitivity;
  if (s == NULL || s->along == NULL || sim->started) {
    return check_more(sim, "forces", err);
  }
  return s->method.kind != DLS_TANGENT_SALTATION || sim->scheme->moved != NULL
             ? DLS_OK
             : dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                        "scheme %s keeps more than a state from step to step, so that the impulse of an impact "
                        "may be that of several steps: saltation has no derivatives of impulses; allowed are "
                        "the tangents plain and difference:delta=D",
                        sim->scheme->name);
}

dls_status dls_sim_differentiate_forces(dls_sim *sim, dls_error *err)
{
  dls_sensitivity *s = sim->sensitivity;
  const dls_status status = check_impulses(sim, err);
  if (status != DLS_OK) {
    return status;
  }
  const size_t rows = sim->sys->d * sim->sys->m, forces = s->along == NULL ? rows + sim->sys->r : 0;
  double *x = s->force_block =
      calloc(dls_size_sum(dls_size_product(s->count, 2 * (forces + rows)), 1), sizeof *s->force_block);
  for (size_t k = 0; k < s->count && x != NULL; k++, x += forces + rows) {
    s->tangent[k].forces = forces > 0 ? x : NULL;
    s->tangent[k].forces_left = forces > 0 ? x + s->count * (forces + rows) : NULL;
    s->tangent[k].impulse = x + forces;
  }
  s->has_impulses = s->along != NULL;
  return s->force_block != NULL
             ? DLS_OK
             : dls_fail(err, DLS_ERR_MEMORY, "no memory for the derivatives of %zu forces", forces);
}

dls_status dls_sim_differentiate_integrals(dls_sim *sim, dls_error *err)
{
  dls_sensitivity *s = sim->sensitivity;
  const dls_status status = check_more(sim, "integrals", err);
  if (status != DLS_OK) {
    return status;
  }
  s->integral = calloc(dls_size_sum(dls_size_product(2 * s->count, s->n), s->count + 1), sizeof *s->integral);
  s->start = s->integral != NULL ? s->integral + s->count * s->n : NULL;
  s->energy_integral = s->integral != NULL ? s->start + s->count * s->n : NULL;
  return s->integral != NULL
             ? DLS_OK
             : dls_fail(err, DLS_ERR_MEMORY, "no memory for the derivatives of %zu parameters", s->count);
}

/* Does the derivative exist no longer? */
static bool has_ended(const dls_tangent *tangent, size_t n)
{
  bool ended = false;
  for (size_t i = 0; i < n; i++) {
    ended = ended || isnan(tangent->dq[i]) || isnan(tangent->dv[i]);
  }
  return ended;
}

double dls_sensitivity_expected_error(const dls_sim *sim, size_t direction)
{
  const dls_sensitivity *s = sim->sensitivity;
  const dls_tangent *tangent = &s->tangent[direction];
  double most = 0;
  if (s->along != NULL) {
    return tangent->rounding;
  }
  for (size_t i = 0; i < s->n && s->scale != NULL; i++) {
    most = fmax(most, fmax(fabs(tangent->dq[i]), sim->sys->time * fabs(tangent->dv[i])) / s->scale[i]);
  }
  return has_ended(tangent, s->n) ? NAN : s->tol * most;
}

static dls_status check_energy(const dls_system *sys, dls_error *err)
{
  return dls_system_has_energy(sys) ? DLS_OK
                                    : dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                                               "the system has no energy that is a function of its state");
}

dls_status dls_sensitivity_energy(const dls_sim *sim, size_t direction, double *out, dls_error *err)
{
  const dls_tangent *tangent = &sim->sensitivity->tangent[direction];
  dls_energy_slopes slopes;
  dls_status status = check_energy(sim->sys, err);
  *out = NAN;
  if (status != DLS_OK || has_ended(tangent, sim->sys->n)) {
    return status;
  }
  status = dls_energy_slopes_create(sim->sys, 1, &sim->sensitivity->direction[direction], &slopes, err);
  if (status == DLS_OK) {
    *out = dls_energy_along(&slopes, sim->t, sim->q, sim->v, tangent->dq, tangent->dv) +
           dls_energy_by_parameter(&slopes, 0, sim->t, sim->q, sim->v);
  }
  dls_energy_slopes_release(&slopes);
  return status;
}

/* --- functionals --- */

static dls_status check_functional(const dls_sim *sim, const dls_functional *J, dls_error *err)
{
  if ((J->of == DLS_OF_POSITION || J->of == DLS_OF_VELOCITY) && J->index >= sim->sys->n) {
    return dls_fail(err, DLS_ERR_ARG, "there is no coordinate %zu: the system has %zu", J->index, sim->sys->n);
  }
  if (J->of == DLS_OF_EVENT_TIME && (J->integral || J->index >= sim->sensitivity->event_count)) {
    return dls_fail(err, DLS_ERR_ARG, "there is no event %zu: the run has %zu up to t = %.10g s", J->index + 1,
                    sim->sensitivity->event_count, sim->t);
  }
  return J->of == DLS_OF_ENERGY ? check_energy(sim->sys, err) : DLS_OK;
}

dls_status dls_functional_slope(const dls_sim *sim, const dls_functional *J, double *by_state,
                                double *by_parameter, dls_error *err)
{
  const size_t n = sim->sys->n;
  const dls_sensitivity *s = sim->sensitivity;
  memset(by_state, 0, 2 * n * sizeof *by_state);
  memset(by_parameter, 0, s->count * sizeof *by_parameter);
  if (J->of != DLS_OF_ENERGY) {
    by_state[J->of == DLS_OF_POSITION ? J->index : n + J->index] = 1;
    return DLS_OK;
  }
  dls_energy_slopes slopes;
  const dls_status status = dls_energy_slopes_create(sim->sys, s->count, s->direction, &slopes, err);
  if (status == DLS_OK) {
    dls_energy_by_state(&slopes, sim->t, sim->q, sim->v, by_state);
  }
  for (size_t k = 0; k < s->count && status == DLS_OK; k++) {
    by_parameter[k] = dls_energy_by_parameter(&slopes, k, sim->t, sim->q, sim->v);
  }
  dls_energy_slopes_release(&slopes);
  return status;
}

/* From the tangents of direction k. */
static dls_status tangent_of(const dls_sim *sim, const dls_functional *J, size_t k, double *out, dls_error *err)
{
  const dls_sensitivity *s = sim->sensitivity;
  if (J->integral && s->integral == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "the run has no derivatives of integrals");
  }
  if (J->of == DLS_OF_ENERGY) {
    *out = J->integral ? s->energy_integral[k] : *out;
    return J->integral ? DLS_OK : dls_sensitivity_energy(sim, k, out, err);
  }
  if (J->integral) { /* that of v is q at the end less q at the start */
    const size_t at = s->n * k + J->index;
    *out = J->of == DLS_OF_POSITION ? s->integral[at] : s->tangent[k].dq[J->index] - s->start[at];
    return DLS_OK;
  }
  *out = J->of == DLS_OF_EVENT_TIME ? s->event_dt[J->index * s->columns + k]
         : J->of == DLS_OF_POSITION ? s->tangent[k].dq[J->index]
                                    : s->tangent[k].dv[J->index];
  return DLS_OK;
}

dls_status dls_sim_gradient(dls_sim *sim, const dls_functional *J, double *gradient, dls_error *err)
{
  const dls_sensitivity *s = sim->sensitivity;
  if (s == NULL || !sim->started) {
    return dls_fail(err, DLS_ERR_ARG, "the run has no derivatives");
  }
  dls_status status = check_functional(sim, J, err);
  if (status == DLS_OK && s->adjoint != NULL) {
    return s->adjoint(sim, J, gradient, err);
  }
  for (size_t k = 0; k < s->count && status == DLS_OK; k++) {
    status = tangent_of(sim, J, k, &gradient[k], err);
  }
  return status;
}
