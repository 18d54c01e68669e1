/* experiments/measures/gradient/gradient.c -- see gradient.h
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/gradient/gradient.h"
#include "common/base/memory.h"
#include "experiments/catalogue/law_parameters.h"
#include "experiments/measures/gradient/report.h"

#include <delassus/measures.h>
#include <delassus/sensitivity.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double same_time = 1e-9; /* relative: steps that divide the time are rounded */

typedef struct job {
  const dls_gradient_spec *spec;
  size_t n;
  dls_functional *J; /* of_count */
  double done, part; /* fraction of the runs that is finished, and that of the present one */
} job;

static void report(const dls_gradient_spec *spec, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void report(const dls_gradient_spec *spec, const char *format, ...)
{
  char text[400];
  va_list arguments;
  if (spec->report == NULL) {
    return;
  }
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  spec->report(spec->report_data, text);
}

/* --- quantities --- */

dls_status dls_quantity_find(const dls_system *sys, const char *name, size_t *place, dls_error *err)
{
  char *end = NULL;
  *place = 2 * sys->n;
  if (strcmp(name, "energy") == 0) {
    return dls_system_has_energy(sys) ? DLS_OK
                                      : dls_fail(err, DLS_ERR_OPTION, "--of energy: the system has no energy");
  }
  const bool digits = name[0] != '\0' && name[1] != '\0' && (name[1] != '0' || name[2] == '\0') &&
                      strspn(name + 1, "0123456789") == strlen(name + 1);
  const size_t i = digits ? strtoul(name + 1, &end, 10) : sys->n;
  if ((name[0] == 'q' || name[0] == 'v') && i < sys->n) {
    *place = name[0] == 'q' ? i : sys->n + i;
    return DLS_OK;
  }
  return dls_fail(err, DLS_ERR_OPTION, "--of = %.60s: allowed are q0 to q%zu, v0 to v%zu and energy", name,
                  sys->n - 1, sys->n - 1);
}

/* "t:3", or a quantity */
static dls_status find_functional(const dls_gradient_spec *spec, const dls_system *sys, const char *name,
                                  dls_functional *J, dls_error *err)
{
  size_t place = 0;
  const size_t digits = strlen(name) > 2 ? strspn(name + 2, "0123456789") : 0;
  *J = (dls_functional){.integral = spec->integral};
  if (strncmp(name, "t:", 2) == 0) {
    J->of = DLS_OF_EVENT_TIME;
    J->index = digits > 0 ? strtoul(name + 2, NULL, 10) : 0;
    if (digits == 0 || name[2 + digits] != '\0' || J->index == 0) {
      return dls_fail(err, DLS_ERR_OPTION, "--of = %.60s: allowed is t:K with a number K > 0 of an event",
                      name);
    }
    if (spec->integral || spec->delta > 0) {
      return dls_fail(err, DLS_ERR_OPTION, "--of = %.60s does not go with %s", name,
                      spec->integral ? "an integral" : "--method difference");
    }
    J->index--;
    return DLS_OK;
  }
  const dls_status status = dls_quantity_find(sys, name, &place, err);
  J->of = place == 2 * sys->n ? DLS_OF_ENERGY : place < sys->n ? DLS_OF_POSITION : DLS_OF_VELOCITY;
  J->index = place % sys->n;
  return status;
}

static dls_status energy_of(const dls_sim *sim, double *value, dls_error *err)
{
  dls_measures *measures = NULL;
  double values[DLS_MEASURES_MOST];
  const dls_status status = dls_measures_create(sim->sys, &measures, err);
  if (status == DLS_OK) {
    dls_measures_at(measures, sim->t, sim->q, sim->v, values);
    *value = values[0];
  }
  dls_measures_destroy(measures);
  return status;
}

static dls_status values_of(const job *j, const dls_sim *sim, double *values, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < j->spec->of_count && status == DLS_OK; i++) {
    const dls_functional *J = &j->J[i];
    if (J->integral) {
      values[i] = NAN;
    } else if (J->of == DLS_OF_ENERGY) {
      status = energy_of(sim, &values[i], err);
    } else if (J->of == DLS_OF_EVENT_TIME) {
      const dls_sensitivity *s = sim->sensitivity;
      values[i] = J->index < s->event_count ? s->event[J->index].t : NAN;
    } else {
      values[i] = J->of == DLS_OF_POSITION ? sim->q[J->index] : sim->v[J->index];
    }
  }
  return status;
}

/* --- runs --- */

static bool poll(void *data, double t)
{
  const job *j = data;
  return j->spec->poll == NULL || j->spec->poll(j->spec->poll_data, j->done + j->part * t / j->spec->at);
}

/* Run to the time. Steps must end there: a value at another time has another derivative. */
static dls_status run_to(job *j, dls_sim *sim, dls_trajectory *record, dls_error *err)
{
  const double at = j->spec->at;
  const dls_run_spec spec = {.end = at, .step = j->spec->step, .record = record, .poll = poll, .poll_data = j};
  const dls_status status = dls_run(sim, &spec, err);
  j->done += j->part;
  if (status == DLS_OK && fabs(sim->t - at) > same_time * at) {
    return dls_fail(err, DLS_ERR_OPTION, "--at = %.15g s is not a multiple of the step %.15g s", at,
                    j->spec->step);
  }
  return status;
}

static dls_status create_sim(const job *j, const double *parameters, dls_system **sys, dls_sim **sim,
                             dls_error *err)
{
  const dls_status status = dls_model_create(j->spec->model, parameters, sys, err);
  return status != DLS_OK ? status : dls_scheme_choice_sim(j->spec->scheme, *sys, sim, err);
}

/* --- along one run --- */

/* Are states differentiated? They jump at events, which times of events and integrals do not. */
static bool has_states(const job *j)
{
  bool any = false;
  for (size_t i = 0; i < j->spec->of_count; i++) {
    any = any || !(j->J[i].integral || j->J[i].of == DLS_OF_EVENT_TIME);
  }
  return any;
}

/* out := how the time of an event changes with the parameters. */
static dls_status event_changes(dls_sim *sim, size_t event, double *out, dls_error *err)
{
  const dls_functional time = {.of = DLS_OF_EVENT_TIME, .index = event};
  return dls_sim_gradient(sim, &time, out, err);
}

/* Report events at the time: states on their other side are different. dt: by_count */
static dls_status report_events_at_end(const job *j, dls_sim *sim, double *dt, dls_error *err)
{
  const dls_gradient_spec *spec = j->spec;
  const dls_sensitivity *s = sim->sensitivity;
  dls_status status = DLS_OK;
  for (size_t i = 0; i < s->event_count && status == DLS_OK && has_states(j); i++) {
    const dls_event_shift *event = &s->event[i];
    if (fabs(event->t - spec->at) > same_time * spec->at || event->kind == DLS_LIFT_OFF) {
      continue; /* at lift-off tangents do not jump */
    }
    status = event_changes(sim, i, dt, err);
    for (size_t k = 0; k < s->count && status == DLS_OK; k++) {
      if (dt[k] != 0 && !isnan(dt[k])) {
        report(spec,
               "%s: one-sided, --at = %.10g s is the time of an event (%s of contact %zu), which moves "
               "by dt/d%s = %.6g; choose another time",
               s->direction[k].name, spec->at, dls_event_kind_name(event->kind), event->contact,
               s->direction[k].name, dt[k]);
      }
    }
  }
  return status;
}

/* Continues the run by a rounding of the time: by rounding, an event at that time may come just after it. */
static dls_status look_for_events(const job *j, dls_sim *sim, dls_error *err)
{
  const double end = j->spec->at * (1 + same_time);
  dls_status status = DLS_OK;
  while (status == DLS_OK && sim->t < end) {
    status = dls_sim_advance(sim, end - sim->t, err);
  }
  double *dt = calloc(j->spec->by_count + 1, sizeof *dt);
  if (status == DLS_OK) {
    status =
        dt != NULL ? report_events_at_end(j, sim, dt, err) : dls_fail(err, DLS_ERR_MEMORY, "out of memory");
  }
  free(dt);
  return status;
}

static dls_status derivatives_of(const job *j, dls_sim *sim, double *gradient, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < j->spec->of_count && status == DLS_OK; i++) {
    status = dls_sim_gradient(sim, &j->J[i], gradient + i * j->spec->by_count, err);
  }
  return status;
}

/* directions[k].falling := the derivative by the k-th parameter differs for falling p, and both sides are known. @return does any? */
static bool choose_falling(const dls_sensitivity *s, dls_direction *directions)
{
  bool any = false;
  for (size_t k = 0; k < s->count; k++) {
    const dls_tangent *tangent = &s->tangent[k];
    directions[k].falling = dls_sensitivity_status(s, k) == DLS_DERIVATIVE_ONE_SIDED && tangent->side[0].known;
    any = any || directions[k].falling;
  }
  return any;
}

/* The derivatives for falling p where they differ from those for rising p, by a second run. */
static dls_status report_falling(job *j, dls_direction *directions, const double *rising, dls_error *err)
{
  const dls_gradient_spec *spec = j->spec;
  const size_t by_count = spec->by_count;
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  double *falling = calloc(dls_size_sum(dls_size_product(spec->of_count, by_count), 1), sizeof *falling);
  dls_status status = falling != NULL ? create_sim(j, spec->parameters, &sys, &sim, err)
                                      : dls_fail(err, DLS_ERR_MEMORY, "out of memory");
  j->part = 0; /* the fraction that is finished stays 1 */
  if (status == DLS_OK && (status = dls_sim_differentiate(sim, by_count, directions, err)) == DLS_OK &&
      (status = run_to(j, sim, NULL, err)) == DLS_OK) {
    status = derivatives_of(j, sim, falling, err);
  }
  for (size_t i = 0; i < spec->of_count * by_count && status == DLS_OK; i++) {
    const char *by = spec->by[i % by_count];
    if (directions[i % by_count].falling) {
      report(spec, "%s: d%s/d%s = %.15g for rising %s, %.15g for falling %s", by, spec->of[i / by_count], by,
             rising[i], by, falling[i], by);
    }
  }
  free(falling);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return status;
}

static dls_status along_run_with(job *j, dls_sim *sim, dls_direction *directions, double *values,
                                 double *gradient, dls_error *err)
{
  const dls_gradient_spec *spec = j->spec;
  dls_status status = DLS_OK;
  for (size_t k = 0; k < spec->by_count && status == DLS_OK; k++) {
    status = dls_tangent_direction(sim->scheme, &spec->tangent, spec->model, spec->parameters, spec->by[k],
                                   &directions[k], err);
  }
  if (status == DLS_OK) {
    status = spec->backward ? dls_sim_differentiate_backward(sim, spec->by_count, directions, err)
                            : dls_sim_differentiate_as(sim, &spec->tangent, spec->by_count, directions, err);
  }
  if (status == DLS_OK && spec->integral && !spec->backward) {
    status = dls_sim_differentiate_integrals(sim, err);
  }
  if (status != DLS_OK || (status = run_to(j, sim, NULL, err)) != DLS_OK ||
      (status = values_of(j, sim, values, err)) != DLS_OK ||
      (status = derivatives_of(j, sim, gradient, err)) != DLS_OK) {
    return status;
  }
  if (spec->report != NULL) {
    dls_derivatives_report(sim, spec->report, spec->report_data);
  }
  if (spec->finished != NULL) {
    spec->finished(spec->finished_data, sim);
  }
  if (sim->sensitivity->along != NULL) {
    return DLS_OK;
  }
  if ((status = look_for_events(j, sim, err)) != DLS_OK || spec->report == NULL || spec->backward ||
      !choose_falling(sim->sensitivity, directions)) {
    return status;
  }
  return report_falling(j, directions, gradient, err);
}

static dls_status along_run(job *j, dls_sim *sim, double *values, double *gradient, dls_error *err)
{
  const size_t count = j->spec->by_count;
  dls_direction *directions = calloc(count + 1, sizeof *directions);
  j->part = 1;
  const dls_status status = directions != NULL ? along_run_with(j, sim, directions, values, gradient, err)
                                               : dls_fail(err, DLS_ERR_MEMORY, "out of memory");
  dls_sim_destroy(sim); /* before its directions */
  for (size_t k = 0; directions != NULL && k < count; k++) {
    dls_direction_release(&directions[k]);
  }
  free(directions);
  return status;
}

/* --- differences --- */

/* The quantities of a run with these parameters, and its events. */
static dls_status values_at(job *j, const double *parameters, double *values, dls_trajectory **events,
                            dls_error *err)
{
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_status status = create_sim(j, parameters, &sys, &sim, err);
  if (status == DLS_OK && (*events = dls_sim_trajectory(sim, err)) == NULL) {
    status = DLS_ERR_MEMORY;
  }
  if (status == DLS_OK) {
    (*events)->skip_nodes = true;
    status = run_to(j, sim, *events, err);
  }
  if (status == DLS_OK) {
    status = values_of(j, sim, values, err);
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return status;
}

/* Are the events of two runs of the same kinds at the same contacts? */
static bool same_events(const dls_trajectory *a, const dls_trajectory *b)
{
  bool same = a->event_count == b->event_count;
  for (size_t i = 0; same && i < a->event_count; i++) {
    same = a->events[i].kind == b->events[i].kind && a->events[i].contact == b->events[i].contact;
  }
  return same;
}

/* Column k := (X(p + delta) - X(p - delta)) / (2 delta). scratch: all parameters, then 2 of_count */
static dls_status difference(job *j, size_t k, double *scratch, double *values, double *gradient,
                             dls_error *err)
{
  const dls_gradient_spec *spec = j->spec;
  const dls_option *table = spec->model->parameters;
  const char *name = spec->by[k];
  dls_direction direction;
  dls_status status = dls_direction_create(spec->model, spec->parameters, name, &direction, err);
  dls_direction_release(&direction);
  if (status != DLS_OK) {
    return status; /* the name is wrong, or its values are separate */
  }
  double *p = scratch, *x = scratch + dls_option_count(table);
  dls_trajectory *events[2] = {NULL, NULL};
  const int which = dls_option_find(table, name);
  memcpy(p, spec->parameters, dls_option_count(table) * sizeof *p);
  for (size_t side = 0; side < 2 && status == DLS_OK; side++) {
    p[which] = spec->parameters[which] + (side == 0 ? -spec->delta : spec->delta);
    status = values_at(j, p, x + side * spec->of_count, &events[side], err);
  }
  for (size_t i = 0; i < spec->of_count && status == DLS_OK; i++) {
    values[i] = 0.5 * (x[i] + x[spec->of_count + i]);
    gradient[i * spec->by_count + k] = (x[spec->of_count + i] - x[i]) / (2 * spec->delta);
  }
  if (status == DLS_OK && !same_events(events[0], events[1])) {
    report(spec,
           "%s: the runs at %.15g -+ %g have different events (%zu and %zu): their difference is not a "
           "derivative",
           name, spec->parameters[which], spec->delta, events[0]->event_count, events[1]->event_count);
  }
  dls_trajectory_destroy(events[0]);
  dls_trajectory_destroy(events[1]);
  return status;
}

static dls_status differences(job *j, double *values, double *gradient, dls_error *err)
{
  const size_t parameters = dls_option_count(j->spec->model->parameters);
  double *scratch = calloc(parameters + 2 * j->spec->of_count + 1, sizeof *scratch);
  dls_status status = scratch != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "out of memory");
  j->part = 0.5 / (double)j->spec->by_count;
  for (size_t k = 0; k < j->spec->by_count && status == DLS_OK; k++) {
    status = difference(j, k, scratch, values, gradient, err);
  }
  free(scratch);
  return status;
}

/* --- what is offered --- */

static dls_status read_method(const char *text, double *delta, bool *backward, dls_error *err)
{
  const char *prefix = "difference:delta=";
  *delta = 0;
  *backward = text != NULL && strcmp(text, "adjoint") == 0;
  if (text == NULL || strcmp(text, "forward") == 0 || *backward) {
    return DLS_OK;
  }
  if (strncmp(text, prefix, strlen(prefix)) != 0) {
    return dls_fail(err, DLS_ERR_OPTION,
                    "--method = %.60s: allowed are forward, adjoint and difference:delta=D", text);
  }
  const dls_status status = dls_parse_number("--method difference:delta", text + strlen(prefix), delta, err);
  return status != DLS_OK || *delta > 0
             ? status
             : dls_fail(err, DLS_ERR_OPTION, "--method difference:delta = %g must be > 0", *delta);
}

dls_status dls_gradient_read_method(const char *method, const char *tangent, dls_gradient_spec *spec,
                                    dls_error *err)
{
  const dls_status status = read_method(method, &spec->delta, &spec->backward, err);
  if (status != DLS_OK || tangent == NULL) {
    return status;
  }
  if (spec->delta > 0 || spec->backward) {
    return dls_fail(err, DLS_ERR_OPTION, "--tangent = %.60s does not go with --method %s", tangent,
                    spec->backward ? "adjoint" : "difference");
  }
  return dls_tangent_method_parse(tangent, &spec->tangent, err);
}

static dls_status compute(const dls_gradient_spec *spec, double *values, double *gradient, dls_error *err)
{
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  job j = {.spec = spec, .J = calloc(spec->of_count + 1, sizeof *j.J)};
  dls_status status = j.J != NULL ? create_sim(&j, spec->parameters, &sys, &sim, err)
                                  : dls_fail(err, DLS_ERR_MEMORY, "out of memory");
  for (size_t i = 0; i < spec->of_count && status == DLS_OK; i++) {
    j.n = sys->n;
    status = find_functional(spec, sys, spec->of[i], &j.J[i], err);
  }
  if (status == DLS_OK && spec->integral && spec->delta > 0) {
    status = dls_fail(err, DLS_ERR_OPTION, "--integral goes with --method forward or adjoint");
  }
  if (status == DLS_OK && spec->delta == 0) {
    status = along_run(&j, sim, values, gradient, err);
    sim = NULL;
  } else if (status == DLS_OK) {
    status = differences(&j, values, gradient, err);
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  free(j.J);
  return status;
}

dls_status dls_gradient_compute(const dls_gradient_spec *spec, double *values, double *gradient, dls_error *err)
{
  dls_gradient_spec with_law = *spec;
  dls_model_choice choice = {0};
  dls_status status =
      dls_named_parameters(spec->model, spec->parameters, spec->by_count, spec->by, &choice, err);
  if (status == DLS_OK) {
    with_law.model = choice.model;
    with_law.parameters = choice.parameters;
    status = compute(&with_law, values, gradient, err);
  }
  dls_model_choice_release(&choice);
  return status;
}
