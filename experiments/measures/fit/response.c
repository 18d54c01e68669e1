/* experiments/measures/fit/response.c -- see response.h
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/fit/response.h"

#include "common/base/memory.h"
#include "common/run/derivative_columns.h"
#include <delassus/sim.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static dls_status no_memory(dls_error *err)
{
  return dls_fail(err, DLS_ERR_MEMORY, "no memory for the derivatives of a run");
}

dls_status dls_response_create(const dls_response_spec *spec, dls_response *out, dls_error *err)
{
  const size_t values = spec->rows * spec->of_count;
  *out = (dls_response){0};
  out->block = calloc(dls_size_sum(dls_size_product(values, 1 + spec->by_count), 1), sizeof *out->block);
  out->status = calloc(spec->by_count + 1, sizeof *out->status);
  out->values = out->block;
  out->jacobian = out->block != NULL ? out->block + values : NULL;
  return out->block != NULL && out->status != NULL ? DLS_OK : no_memory(err);
}

void dls_response_release(dls_response *response)
{
  free(response->block);
  free(response->status);
  free(response->events);
  free(response->event_dt);
  *response = (dls_response){0};
}

bool dls_response_same_events(const dls_event_shift *a, size_t a_count, const dls_event_shift *b,
                              size_t b_count)
{
  bool same = a_count == b_count;
  for (size_t i = 0; same && i < a_count; i++) {
    same = a[i].kind == b[i].kind && a[i].contact == b[i].contact;
  }
  return same;
}

/* --- one run --- */

/* What one run makes and uses; released together, the sim before its directions. */
typedef struct run {
  dls_system *sys;
  dls_sim *sim;
  dls_trajectory *record;
  dls_direction *directions;
  size_t direction_count;
  dls_derivative_columns columns;
} run;

static void release(run *r)
{
  dls_sim_destroy(r->sim);
  for (size_t k = 0; k < r->direction_count; k++) {
    dls_direction_release(&r->directions[k]);
  }
  free(r->directions);
  dls_derivative_columns_release(&r->columns);
  dls_trajectory_destroy(r->record);
  dls_system_destroy(r->sys);
}

static dls_status differentiate(const dls_response_spec *spec, const double *parameters, run *r, dls_error *err)
{
  dls_status status = DLS_OK;
  if ((r->directions = calloc(spec->by_count, sizeof *r->directions)) == NULL) {
    return no_memory(err);
  }
  for (; r->direction_count < spec->by_count && status == DLS_OK; r->direction_count++) {
    status = dls_direction_create(spec->model, parameters, spec->by[r->direction_count],
                                  &r->directions[r->direction_count], err);
  }
  return status != DLS_OK ? status : dls_sim_differentiate(r->sim, spec->by_count, r->directions, err);
}

/* The record has the columns t, q and v. */
static dls_status prepare(const dls_response_spec *spec, const double *parameters, bool tangents, run *r,
                          dls_error *err)
{
  dls_status status = dls_model_create(spec->model, parameters, &r->sys, err);
  if (status != DLS_OK || (status = dls_scheme_choice_sim(spec->scheme, r->sys, &r->sim, err)) != DLS_OK ||
      (tangents && (status = differentiate(spec, parameters, r, err)) != DLS_OK)) {
    return status;
  }
  if ((r->record = dls_sim_trajectory(r->sim, err)) == NULL) {
    return DLS_ERR_MEMORY;
  }
  bool *keep = calloc(r->record->columns, sizeof *keep);
  if (keep == NULL) {
    return no_memory(err);
  }
  memset(keep, true, (1 + 2 * r->sys->n) * sizeof *keep);
  status = dls_trajectory_select(r->record, keep, err);
  free(keep);
  return status;
}

/* Schemes by step end at a multiple of the step: the first one that is not before the times. */
static double end_of(const dls_response_spec *spec, size_t rows)
{
  const double last = spec->t[rows - 1], rounding = 1e-9; /* of a step */
  return dls_scheme_needs_step(spec->scheme->scheme) ? (ceil(last / spec->step - rounding) + 0.5) * spec->step
                                                     : last;
}

/* Value or derivative at time i: the quantity at `place`, or its derivative by parameter k. Row `row` of the record is the last one that is
 * not after it; a part of the way to the next row remains. */
static double between(const dls_response_spec *spec, const run *r, size_t row, double part, size_t place,
                      size_t k)
{
  const size_t n = r->sys->n, width = 2 * n * spec->by_count;
  double ends[2] = {0};
  for (size_t e = 0; e < (part > 0 ? 2 : 1); e++) {
    ends[e] = k == SIZE_MAX ? dls_trajectory_at(r->record, row + e, 1 + place)
                            : r->columns.data[(row + e) * width + 2 * n * k + place];
  }
  return part > 0 ? (1 - part) * ends[0] + part * ends[1] : ends[0];
}

/* Of two rows at the same time, the limits of a jump, the second counts. @param[in] rows  times asked for */
static dls_status take_rows(const dls_response_spec *spec, const run *r, size_t rows, bool tangents,
                            dls_response *out, dls_error *err)
{
  const size_t n = r->sys->n, by_count = spec->by_count;
  size_t row = 0;
  for (size_t i = 0; i < rows; i++) {
    const double t = spec->t[i], rounding = 1e-12 * t;
    while (row + 1 < r->record->rows && dls_trajectory_at(r->record, row + 1, 0) <= t + rounding) {
      row++;
    }
    if (row >= r->record->rows) {
      return dls_fail(err, DLS_ERR_INTEGRATOR, "the run has no row at t = %.10g s", t);
    }
    const double since = t - dls_trajectory_at(r->record, row, 0);
    const bool inside = since > rounding && row + 1 < r->record->rows;
    const double part = inside ? since / (dls_trajectory_at(r->record, row + 1, 0) - (t - since)) : 0;
    for (size_t j = 0; j < spec->of_count; j++) {
      const size_t place = spec->of[j];
      const double value = between(spec, r, row, part, place, SIZE_MAX);
      if (!isfinite(value)) {
        return dls_fail(err, DLS_ERR_NONFINITE, "%c%zu is not finite at t = %.10g s", place < n ? 'q' : 'v',
                        place % n, t);
      }
      out->values[i * spec->of_count + j] = value;
      for (size_t k = 0; k < by_count && tangents; k++) {
        out->jacobian[(i * spec->of_count + j) * by_count + k] = between(spec, r, row, part, place, k);
      }
    }
  }
  return DLS_OK;
}

static dls_status make_room(dls_response *out, size_t events, size_t by_count, dls_error *err)
{
  if (events <= out->event_room) {
    return DLS_OK;
  }
  dls_event_shift *more = realloc(out->events, events * sizeof *more);
  out->events = more != NULL ? more : out->events;
  double *dt =
      realloc(out->event_dt, dls_size_product(dls_size_sum(dls_size_product(events, by_count), 1), sizeof *dt));
  out->event_dt = dt != NULL ? dt : out->event_dt;
  if (more == NULL || dt == NULL) {
    return no_memory(err);
  }
  out->event_room = events;
  return DLS_OK;
}

static dls_status take_events(const dls_response_spec *spec, const run *r, dls_response *out, dls_error *err)
{
  const dls_sensitivity *s = r->sim->sensitivity;
  const size_t count = s != NULL ? s->event_count : r->record->event_count;
  const dls_status status = make_room(out, count, spec->by_count, err);
  out->event_count = status == DLS_OK ? count : 0;
  for (size_t i = 0; i < out->event_count; i++) {
    const dls_event *event = s == NULL ? &r->record->events[i] : NULL;
    out->events[i] = s != NULL ? s->event[i] : (dls_event_shift){event->t, event->kind, event->contact};
    for (size_t k = 0; k < spec->by_count; k++) {
      out->event_dt[i * spec->by_count + k] = s != NULL ? s->event_dt[i * spec->by_count + k] : NAN;
    }
  }
  for (size_t k = 0; k < spec->by_count && s != NULL; k++) {
    const dls_tangent *tangent = &s->tangent[k];
    out->status[k] = (dls_response_status){dls_sensitivity_status(s, k), tangent->status_time,
                                           tangent->status_contact, tangent->valid_within};
  }
  return status;
}

static dls_status one_run(const dls_response_spec *spec, const double *parameters, size_t rows, bool tangents,
                          dls_response *out, dls_error *err)
{
  run r = {0};
  dls_status status = prepare(spec, parameters, tangents, &r, err);
  if (status == DLS_OK) {
    const bool nodes = tangents && dls_scheme_needs_step(spec->scheme->scheme); /* which have the derivatives */
    const dls_run_spec run_spec = {.step = spec->step,
                                   .end = end_of(spec, rows),
                                   .record = r.record,
                                   .recording = {.at_count = nodes ? 0 : rows, .at = nodes ? NULL : spec->t},
                                   .poll = spec->poll,
                                   .poll_data = spec->poll_data,
                                   .watch = tangents ? dls_derivative_columns_watch : NULL,
                                   .watch_data = &r.columns};
    status = dls_run(r.sim, &run_spec, err);
    out->runs++;
  }
  if (status == DLS_OK && (status = take_rows(spec, &r, rows, tangents, out, err)) == DLS_OK) {
    status = take_events(spec, &r, out, err);
  }
  release(&r);
  return status;
}

/* --- differences --- */

/* Column k := (x(p + delta) - x(p - delta)) / (2 delta). At a bound of the range of p, one of the two is p itself. */
static dls_status difference(const dls_response_spec *spec, double *parameters, size_t k, size_t rows,
                             dls_response *side, dls_response *out, dls_error *err)
{
  const dls_option *option = &spec->model->parameters[dls_option_find(spec->model->parameters, spec->by[k])];
  double *p = &parameters[option - spec->model->parameters];
  const double value = *p, delta = spec->relative * (value != 0 ? fabs(value) : 1);
  const double ends[2] = {fmax(value - delta, option->min), fmin(value + delta, option->max)};
  dls_status status = DLS_OK;
  for (size_t e = 0; e < 2 && status == DLS_OK; e++) {
    *p = ends[e];
    status = one_run(spec, parameters, rows, false, side, err);
    out->runs++;
    for (size_t i = 0; i < rows * spec->of_count && status == DLS_OK; i++) {
      double *slope = &out->jacobian[i * spec->by_count + k];
      *slope = e == 0 ? -side->values[i] : (*slope + side->values[i]) / (ends[1] - ends[0]);
    }
  }
  *p = value;
  return status;
}

static dls_status differences(const dls_response_spec *spec, const double *parameters, size_t rows,
                              dls_response *out, dls_error *err)
{
  const size_t count = dls_option_count(spec->model->parameters);
  dls_response side = {0};
  double *p = malloc((count + 1) * sizeof *p);
  dls_status status = p != NULL ? dls_response_create(spec, &side, err) : no_memory(err);
  if (status == DLS_OK) {
    memcpy(p, parameters, count * sizeof *p);
  }
  for (size_t k = 0; k < spec->by_count && status == DLS_OK; k++) {
    status = difference(spec, p, k, rows, &side, out, err);
    out->status[k] = (dls_response_status){.contact = SIZE_MAX, .valid_within = INFINITY};
  }
  dls_response_release(&side);
  free(p);
  return status;
}

/* --- what is offered --- */

dls_status dls_response_values(const dls_response_spec *spec, const double *parameters, size_t rows,
                               dls_response *out, dls_error *err)
{
  return one_run(spec, parameters, rows, false, out, err);
}

dls_status dls_response_at(const dls_response_spec *spec, const double *parameters, size_t rows,
                           dls_response *out, dls_error *err)
{
  const bool tangents = spec->relative == 0;
  const dls_status status = one_run(spec, parameters, rows, tangents, out, err);
  return status != DLS_OK || tangents ? status : differences(spec, parameters, rows, out, err);
}
