/* sensitivity.c -- the derivatives that a run computes along with its motion: their arrays, status, and those of the energy.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/sensitivity.h"
#include "common/base/arrays.h"
#include "common/base/memory.h"
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

dls_derivative_status dls_sensitivity_status(const dls_sensitivity *sensitivity, size_t direction)
{
  const double least = 1e-6; /* of the parameter: a smaller change is not resolved by measurements */
  const dls_tangent *tangent = &sensitivity->tangent[direction];
  const double value = fabs(sensitivity->direction[direction].value);
  const bool grazing = tangent->valid_within < least * (value > 0 ? value : 1);
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
    free(sensitivity);
  }
}

bool dls_sensitivity_event(dls_sensitivity *s, const dls_event *event)
{
  if (s->event_count == s->event_room) {
    const size_t room = 2 * s->event_room + 16;
    dls_event_shift *events = realloc(s->event, dls_size_product(room, sizeof *events));
    s->event = events != NULL ? events : s->event;
    double *dt = realloc(s->event_dt, dls_size_product(dls_size_product(room, s->count + 1), sizeof *dt));
    s->event_dt = dt != NULL ? dt : s->event_dt;
    if (events == NULL || dt == NULL) {
      return false;
    }
    s->event_room = room;
  }
  for (size_t k = 0; k < s->count; k++) {
    const dls_tangent *tangent = &s->tangent[k];
    s->event_dt[s->event_count * s->count + k] =
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
  }
  return DLS_OK;
}

/* @return NULL if out of memory */
static dls_sensitivity *create(size_t n, size_t m, size_t count, const dls_direction *directions)
{
  dls_sensitivity *s = calloc(1, sizeof *s);
  double *x = NULL;
  if (s == NULL) {
    return NULL;
  }
  s->count = count;
  s->n = n;
  s->m = m;
  s->direction = directions;
  s->tangent = calloc(count + 1, sizeof *s->tangent);
  s->block = dls_arrays((const dls_slot[]){{(10 * n + m) * count, {&x}}, {0}});
  if (s->tangent == NULL || s->block == NULL) {
    dls_sensitivity_destroy(s);
    return NULL;
  }
  for (size_t k = 0; k < count; k++, x += 10 * n + m) {
    s->tangent[k] = (dls_tangent){.dq = x,
                                  .dv = x + n,
                                  .dq_left = x + 2 * n,
                                  .dv_left = x + 3 * n,
                                  .side = {{.v = x + 4 * n, .dq = x + 5 * n, .dv = x + 6 * n},
                                           {.v = x + 7 * n, .dq = x + 8 * n, .dv = x + 9 * n}},
                                  .contact_dt = x + 10 * n,
                                  .status_contact = SIZE_MAX,
                                  .valid_within = HUGE_VAL};
  }
  return s;
}

dls_status dls_sensitivity_create(dls_sim *sim, size_t count, const dls_direction *directions, dls_error *err)
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
  sim->sensitivity = create(sim->sys->n, sim->sys->m, count, directions);
  return sim->sensitivity != NULL
             ? DLS_OK
             : dls_fail(err, DLS_ERR_MEMORY, "no memory for the derivatives of %zu parameters", count);
}

/* The energy of a system at a state. */
static dls_status energy_of(const dls_system *sys, double t, const double *q, const double *v, double *energy,
                            dls_error *err)
{
  dls_measures *measures = NULL;
  double values[DLS_MEASURES_MOST];
  const dls_status status = dls_measures_create(sys, &measures, err);
  if (status == DLS_OK) {
    dls_measures_at(measures, t, q, v, values);
    *energy = values[0];
  }
  dls_measures_destroy(measures);
  return status;
}

/* Four values of E along a line, at -2, -1, 1, 2 of their distance: the derivative of fourth order. */
static dls_status energy_along(const dls_sim *sim, const dls_tangent *tangent, double step, double *state,
                               double *out, dls_error *err)
{
  static const double at[] = {-2, -1, 1, 2}, weight[] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  const size_t n = sim->sys->n;
  double sum = 0;
  for (size_t i = 0; i < 4; i++) {
    double energy = 0;
    for (size_t j = 0; j < n; j++) {
      state[j] = sim->q[j] + at[i] * step * tangent->dq[j];
      state[n + j] = sim->v[j] + at[i] * step * tangent->dv[j];
    }
    const dls_status status = energy_of(sim->sys, sim->t, state, state + n, &energy, err);
    if (status != DLS_OK) {
      return status;
    }
    sum += weight[i] * energy / step;
  }
  *out = sum;
  return DLS_OK;
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

dls_status dls_sensitivity_energy(const dls_sim *sim, size_t direction, double *out, dls_error *err)
{
  const double difference = 1.0 / 2048; /* of the scales: truncation 1e-13, round-off 1e-13 */
  const dls_direction *d = &sim->sensitivity->direction[direction];
  const dls_tangent *tangent = &sim->sensitivity->tangent[direction];
  const dls_system *sys = sim->sys;
  if (!dls_system_has_energy(sys)) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "the system has no energy that is a function of its state");
  }
  double size = 0;
  *out = NAN;
  if (has_ended(tangent, sys->n)) {
    return DLS_OK;
  }
  for (size_t i = 0; i < sys->n; i++) {
    size = fmax(size, fmax(fabs(tangent->dq[i]) / sys->length, fabs(tangent->dv[i]) * sys->time / sys->length));
  }
  *out = 0;
  double *state = calloc(2 * sys->n, sizeof *state);
  if (state == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the energy of %zu degrees of freedom", sys->n);
  }
  dls_status status = size > 0 ? energy_along(sim, tangent, difference / size, state, out, err) : DLS_OK;
  for (size_t i = 0; i < d->count && status == DLS_OK; i++) {
    double energy = 0;
    status = energy_of(d->system[i], sim->t, sim->q, sim->v, &energy, err);
    *out += d->weight[i] * energy;
  }
  free(state);
  return status;
}
