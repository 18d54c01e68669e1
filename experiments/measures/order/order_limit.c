/* experiments/measures/order/order_limit.c -- limit models: rigid ones by the reference with another e, compliant ones by their own
 * motion, at two accuracies where it is integrated.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/order_limit.h"
#include "analytic/limit/limit_rows.h"
#include "common/base/memory.h"
#include "experiments/extra/foreign/external.h"
#include "experiments/measures/order/order_lines.h"
#include <delassus/law.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sampling error of a limit motion relative to the scales of the system. For stiff springs the number of rows is proportional to its
 * power -1/4. */
static const double limit_accuracy = 1e-10;
static const double finer = 1 / 64.;    /* accuracy of the second motion, whose distance is the error */
static const double floor_factor = 100; /* as for the reference: smaller errors are not those of a scheme */

static const double uncoupled = 1e-12; /* of W_jj: a smaller W_ij is rounding */

/* A median error this near to the plateau, relative to it, has reached it. */
static const double same_plateau = 0.2;

static bool differ(const dls_limit_model *a, const dls_limit_model *b)
{
  return a->kind != b->kind || (a->kind == DLS_LIMIT_OWN && a->e != b->e);
}

/* Is contact i closed, or does it have an impact, at the time t of the reference? */
static bool acts_at(const dls_trajectory *reference, size_t i, double t)
{
  const int status = dls_trajectory_column(reference, "status0");
  for (size_t k = 0; k < reference->event_count; k++) {
    const dls_event *event = &reference->events[k];
    if (event->t == t && event->contact == i && event->kind == DLS_IMPACT) {
      return true;
    }
  }
  size_t low = 0, high = reference->rows; /* the first row at t or later */
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const bool before = dls_trajectory_at(reference, middle, 0) < t;
    low = before ? middle + 1 : low;
    high = before ? high : middle;
  }
  return status > 0 && low > 0 && dls_trajectory_at(reference, low - 1, (size_t)status + i) != 0;
}

/* Do joints or contacts that are coupled with contact j act with it at t? @param[in] x  M^-1 H_j */
static bool is_coupled(const dls_configuration *config, const dls_trajectory *reference, size_t j, double t,
                       const double *x)
{
  const dls_system *sys = config->sys;
  const double own = dls_matrix_column_dot(config->H, j * sys->d, x);
  bool coupled = sys->r > 0;
  for (size_t i = 0; i < sys->m && !coupled; i++) {
    coupled = i != j && fabs(dls_matrix_column_dot(config->H, i * sys->d, x)) > uncoupled * own &&
              acts_at(reference, i, t);
  }
  return coupled;
}

/* The limit model of contact j for the impacts that the reference has there, an accumulation of which ends at speed 0; without any, for
 * the scale of velocities. @param[in] x  M^-1 H_j */
static dls_status ask(const dls_scheme *scheme, const void *options, const dls_configuration *config,
                      const dls_trajectory *reference, size_t j, const double *x, dls_limit_contact contact,
                      dls_limit_model *out, dls_error *err)
{
  dls_status status = dls_scheme_limit(scheme, options, &contact, out, err);
  bool first = true;
  for (size_t i = 0; i < reference->event_count && status == DLS_OK; i++) {
    const dls_event *event = &reference->events[i];
    const bool ends = event->kind == DLS_ACCUMULATION;
    if (event->contact != j || !(ends || (event->kind == DLS_IMPACT && event->u_minus != 0))) {
      continue;
    }
    const dls_limit_model before = *out;
    contact.speed = ends ? 0 : fabs(event->u_minus);
    contact.coupled = is_coupled(config, reference, j, event->t, x);
    status = dls_scheme_limit(scheme, options, &contact, out, err);
    if (status == DLS_OK && !first && before.kind == DLS_LIMIT_NONE) {
      *out = before; /* an impact without a limit leaves the motion none */
    } else if (status == DLS_OK && !first && out->kind != DLS_LIMIT_NONE && differ(&before, out)) {
      status = dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                        "its restitution changes with the speed of impacts, at %g m/s", contact.speed);
    }
    first = false;
  }
  return status;
}

/* The limit model at every contact, which must be of one kind with one e. */
static dls_status find_model(const dls_scheme *scheme, const void *options, const dls_system *sys,
                             const dls_trajectory *reference, dls_limit_model *out, dls_error *err)
{
  dls_configuration config;
  dls_factor *M = NULL;
  double *x = calloc(sys->n, sizeof *x);
  const bool configured = dls_configuration_create(sys, &config);
  const dls_matrix *terms[] = {config.M};
  M = configured ? dls_factor_create(terms, 1) : NULL;
  dls_status status = x != NULL && M != NULL ? dls_factor_sum(M, (const double[]){1}, err)
                                             : dls_fail(err, DLS_ERR_MEMORY, "no memory for a limit model");
  *out = (dls_limit_model){.kind = scheme->limit.kind, .e = scheme->limit.e};
  for (size_t j = 0; j < sys->m && status == DLS_OK; j++) {
    const dls_limit_model first = *out;
    const size_t row = j * sys->d;
    const double velocity = sys->length / sys->time;
    const dls_limit_contact contact = {.inverse_mass = dls_limit_inverse_mass(&config, M, row, row, x),
                                       .e = dls_law_restitution(sys, j, -velocity),
                                       .speed = velocity,
                                       .mu = sys->mu[j],
                                       .velocity = velocity};
    status = ask(scheme, options, &config, reference, j, x, contact, out, err);
    if (status == DLS_OK && j > 0 && differ(&first, out)) {
      status = dls_fail(err, DLS_ERR_NOT_APPLICABLE, "its contacts have different limits");
    }
  }
  free(x);
  dls_factor_destroy(M);
  dls_configuration_destroy(&config);
  return status;
}

/* Rigid contact with another e: the exact solution where e is a parameter of the model, else the event-driven integrator. */
static dls_status make_rigid(const dls_order_job *job, double e, dls_reference *out, dls_error *err)
{
  const dls_order_spec *spec = &job->study->spec;
  const dls_option *parameters = spec->model->parameters;
  const size_t count = dls_option_count(parameters);
  const int place = dls_option_find(parameters, "e");
  double *values = malloc((count + 1) * sizeof *values);
  dls_order_spec own = *spec;
  dls_system *sys = NULL;
  if (values == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu parameters", count);
  }
  memcpy(values, spec->parameters, count * sizeof *values);
  if (place >= 0) {
    values[place] = e;
  } else {
    own.reference = DLS_REFERENCE_EVENT_DRIVEN;
  }
  own.parameters = values;
  own.check_reference = false;
  dls_status status = dls_model_create(spec->model, values, &sys, err);
  for (size_t j = 0; status == DLS_OK && j < sys->m; j++) {
    sys->e[j] = e;
  }
  status = status == DLS_OK ? dls_reference_make(&own, sys, dls_order_poll, &own, out, err) : status;
  dls_system_destroy(sys);
  free(values);
  return status;
}

/* The largest distance of two motions over the quantities. */
static dls_status distance_of(const dls_order_spec *spec, const dls_trajectory *a, const dls_trajectory *b,
                              double *distance, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t of = 0; of < spec->of_count && status == DLS_OK; of++) {
    dls_graph *first = NULL, *second = NULL;
    dls_measure measure = {0};
    status = dls_quantity_graph(a, spec->of[of], &first, err);
    status = status == DLS_OK ? dls_quantity_graph(b, spec->of[of], &second, err) : status;
    status = status == DLS_OK ? dls_hausdorff(first, second, &spec->metric, &measure, err) : status;
    *distance = fmax(*distance, measure.value);
    dls_graph_destroy(first);
    dls_graph_destroy(second);
  }
  return status;
}

static dls_status make_compliant(const dls_order_job *job, const dls_sim *sim, dls_reference *out,
                                 dls_error *err)
{
  const dls_order_spec *spec = &job->study->spec;
  const double accuracy = limit_accuracy * fmin(job->sys->length, job->sys->length / job->sys->time);
  dls_limit_method method = DLS_LIMIT_CLOSED_FORM;
  dls_status status =
      dls_limit_motion(job->sys, sim->scheme, sim->options, spec->end, accuracy, &out->traj, &method, err);
  out->error = accuracy / spec->metric.value_scale;
  if (status == DLS_OK && method == DLS_LIMIT_INTEGRATION) {
    dls_trajectory *second = NULL;
    status = dls_limit_motion(job->sys, sim->scheme, sim->options, spec->end, finer * accuracy, &second,
                              &method, err);
    status = status == DLS_OK ? distance_of(spec, out->traj, second, &out->error, err) : status;
    dls_trajectory_destroy(second);
  }
  snprintf(out->text, sizeof out->text, "%s, error %.1g",
           method == DLS_LIMIT_CLOSED_FORM ? "in closed form" : "integrated with order 8", out->error);
  return status;
}

/* Graphs of a motion, and its distance from the reference. */
static dls_status compare(const dls_order_job *job, const dls_trajectory *traj, dls_order_limit *limit,
                          dls_error *err)
{
  const dls_order_spec *spec = &job->study->spec;
  dls_status status = DLS_OK;
  for (size_t of = 0; of < spec->of_count && status == DLS_OK; of++) {
    status = dls_quantity_graph(traj, spec->of[of], &limit->graphs[of], err);
    status = status == DLS_OK ? dls_prepared_reference_create(limit->graphs[of], &limit->own[of], err) : status;
    if (status != DLS_OK) {
      return status;
    }
    dls_comparison pair = dls_comparison_of(limit->graphs[of], &job->prepared[of], &spec->metric);
    for (size_t norm = 0; norm < spec->norm_count; norm++) {
      dls_measure measure = {NAN, NAN};
      dls_error why = {0};
      const dls_status measured = dls_comparison_measure(&pair, spec->norms[norm], &measure, &why);
      limit->plateau[norm * spec->of_count + of] = measured == DLS_OK ? measure.value : NAN;
      status = measured == DLS_ERR_MEMORY || measured == DLS_ERR_INTERRUPTED
                   ? dls_fail(err, measured, "%s", why.text)
                   : status;
    }
    dls_comparison_clear(&pair);
  }
  limit->at = limit->own;
  return status;
}

static bool has_restitution(const dls_system *sys, double e)
{
  bool equal = true;
  for (size_t j = 0; j < sys->m; j++) {
    equal = equal && sys->e[j] == e;
  }
  return equal;
}

/* The motion of the limit model, if it is not the reference. @return DLS_ERR_NOT_APPLICABLE: there is none */
static dls_status make_motion(const dls_order_job *job, const dls_sim *sim, dls_order_limit *limit,
                              dls_error *err)
{
  dls_limit_model model;
  dls_reference motion = {0};
  dls_status status = find_model(sim->scheme, sim->options, job->sys, job->reference.traj, &model, err);
  limit->kind = status == DLS_OK ? model.kind : limit->kind;
  const bool own = limit->kind == DLS_LIMIT_OWN && !has_restitution(job->sys, model.e);
  if (status != DLS_OK || limit->kind == DLS_LIMIT_NONE || (own && isnan(model.e))) {
    return status == DLS_OK ? DLS_ERR_NOT_APPLICABLE : status;
  }
  if (!own && limit->kind != DLS_LIMIT_COMPLIANT) {
    limit->at = job->prepared;
    limit->error = job->reference.error;
    snprintf(limit->text, sizeof limit->text, "%s", dls_limit_text(limit->kind));
    return DLS_OK;
  }
  status = own ? make_rigid(job, model.e, &motion, err) : make_compliant(job, sim, &motion, err);
  status = status == DLS_OK ? compare(job, motion.traj, limit, err) : status;
  if (status == DLS_OK) {
    const char *text = dls_limit_text(limit->kind);
    limit->error = motion.error;
    if (own) {
      snprintf(limit->text, sizeof limit->text, "%s, e = %.4g (%.120s)", text, model.e, motion.text);
    } else {
      snprintf(limit->text, sizeof limit->text, "%s (%.120s)", text, motion.text);
    }
  }
  dls_reference_clear(&motion);
  return status;
}

static dls_status make_limit(const dls_order_job *job, const dls_scheme_choice *choice, dls_order_limit *limit,
                             dls_error *err)
{
  const dls_order_spec *spec = &job->study->spec;
  dls_sim *sim = NULL;
  dls_error why = {0};
  *limit = (dls_order_limit){.kind = choice->scheme->limit.kind, .error = NAN};
  limit->plateau = calloc(dls_size_product(spec->norm_count, spec->of_count), sizeof *limit->plateau);
  limit->graphs = calloc(spec->of_count, sizeof *limit->graphs);
  limit->own = calloc(spec->of_count, sizeof *limit->own);
  if (limit->plateau == NULL || limit->graphs == NULL || limit->own == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the limit of scheme %s", choice->scheme->name);
  }
  snprintf(limit->text, sizeof limit->text, "%s", dls_limit_text(limit->kind));
  dls_status status = dls_scheme_choice_sim(choice, job->sys, &sim, &why);
  if (status == DLS_OK && dls_external_of(choice->scheme) == NULL) { /* other programs are not started here */
    status = dls_sim_start(sim, &why); /* a scheme that refuses the system has no limit there */
  }
  status = status == DLS_OK ? make_motion(job, sim, limit, &why) : status;
  dls_sim_destroy(sim);
  if (status == DLS_ERR_MEMORY || status == DLS_ERR_INTERRUPTED) {
    return dls_fail(err, status, "%s", why.text);
  }
  if (status != DLS_OK) {
    limit->at = NULL;
    snprintf(limit->text, sizeof limit->text, "%s%.200s", why.text[0] != '\0' ? "not computed: " : "",
             why.text[0] != '\0' ? why.text : dls_limit_text(limit->kind));
  }
  limit->known = status == DLS_OK;
  return DLS_OK;
}

dls_status dls_order_limits_create(const dls_order_job *job, dls_order_limit **out, dls_error *err)
{
  const dls_order_spec *spec = &job->study->spec;
  dls_status status = DLS_OK;
  *out = calloc(spec->scheme_count, sizeof **out);
  if (*out == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu limits", spec->scheme_count);
  }
  const dls_interrupt before = dls_order_interrupts(spec);
  for (size_t i = 0; i < spec->scheme_count && status == DLS_OK; i++) {
    status = make_limit(job, &spec->schemes[i], &(*out)[i], err);
  }
  dls_interrupt_set(before);
  if (status != DLS_OK) {
    dls_order_limits_destroy(spec, *out);
    *out = NULL;
  }
  return status;
}

void dls_order_limits_destroy(const dls_order_spec *spec, dls_order_limit *limits)
{
  for (size_t i = 0; limits != NULL && i < spec->scheme_count; i++) {
    for (size_t of = 0; of < spec->of_count; of++) {
      if (limits[i].own != NULL && limits[i].graphs != NULL && limits[i].graphs[of] != NULL) {
        dls_prepared_reference_free(&limits[i].own[of]);
        dls_graph_destroy(limits[i].graphs[of]);
      }
    }
    free(limits[i].graphs);
    free(limits[i].own);
    free(limits[i].plateau);
  }
  free(limits);
}

/* --- lines --- */

static void describe(const dls_order_limit *limit, dls_order_line *line, const dls_order_spec *spec)
{
  snprintf(line->limit, sizeof line->limit, "%s", limit->text);
  line->plateau = limit->known ? limit->plateau[line->norm * spec->of_count + line->of] : NAN;
  if (!limit->known) {
    snprintf(line->reason, sizeof line->reason, "%s",
             limit->kind == DLS_LIMIT_NONE ? "there is no limit model" : "its limit model was not computed");
  }
}

/* An error against rigid contact that stops where the limit model lies is not at a floor. */
static dls_status say_plateau(const dls_order_study *study, const dls_order_line *limit, dls_order_line *line,
                              dls_error *err)
{
  dls_order_level finest = {.median = NAN};
  dls_status status = DLS_OK;
  for (size_t i = dls_order_level_count(study, line); i > 0 && isnan(finest.median) && status == DLS_OK; i--) {
    status = dls_order_level_of(study, line, i - 1, DLS_AGAINST_STEP, &finest, err);
  }
  if (!line->fitted && fabs(finest.median - limit->plateau) <= same_plateau * limit->plateau) {
    snprintf(line->reason, sizeof line->reason, "plateau: the distance of its limit model, %.2g",
             limit->plateau);
  }
  return status;
}

/* Fit the lines of a scheme with the floors of its own limit motion, so that they do not depend on what else is in the study. */
static dls_status fit_scheme(const dls_order_study *study, const dls_order_limit *limit, size_t scheme,
                             dls_order_study *of_limit, dls_error *err)
{
  for (size_t of = 0; of < study->spec.of_count; of++) {
    const bool is_reference = limit->known && limit->graphs[of] == NULL;
    of_limit->floors[of] = is_reference ? study->floors[of] : !limit->known ? 0 : floor_factor * limit->error;
  }
  return dls_order_fit_scheme(of_limit, scheme, err);
}

dls_status dls_order_limits_fit(dls_order_study *study, const dls_order_limit *limits, dls_error *err)
{
  const dls_order_spec *spec = &study->spec;
  dls_order_study *of_limit = NULL;
  dls_status status = dls_order_create(spec, &of_limit, err);
  if (status != DLS_OK) {
    return status;
  }
  study->limit = of_limit;
  double error = 0;
  for (size_t i = 0; i < spec->scheme_count; i++) {
    error = limits[i].known ? fmax(error, limits[i].error) : error;
  }
  snprintf(of_limit->reference, sizeof of_limit->reference, "the limit model of each scheme");
  of_limit->reference_error = error;
  memcpy(of_limit->units, study->units, spec->of_count * sizeof *study->units);
  status = dls_order_set_floors(of_limit, study, floor_factor * error, err);
  of_limit->point_count = study->point_count;
  of_limit->complete = study->complete;
  for (size_t i = 0; i < study->point_count; i++) {
    of_limit->points[i] = study->points[i];
    of_limit->points[i].error = study->points[i].limit_error;
  }
  of_limit->line_count = study->line_count;
  for (size_t i = 0; i < spec->scheme_count && status == DLS_OK; i++) {
    status = fit_scheme(study, &limits[i], i, of_limit, err);
  }
  for (size_t of = 0; of < spec->of_count && status == DLS_OK; of++) {
    of_limit->floors[of] = floor_factor * error; /* of the tables */
  }
  for (size_t i = 0; i < of_limit->line_count && status == DLS_OK; i++) {
    describe(&limits[of_limit->lines[i].scheme], &of_limit->lines[i], spec);
    status = say_plateau(study, &of_limit->lines[i], &study->lines[i], err);
  }
  return status;
}
