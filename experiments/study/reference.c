/* experiments/study/reference.c -- exact solutions and event-driven references.
 *
 * Without a closed form, or where the spec asks for it, the reference is a run of the event-driven integrator at tol 1e-11; its distance to
 * a second run at 1e-12 is taken for its error. A scheme must be compared with the true solution, not with
 * its own finest run: a wrong limit would pass unnoticed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/study/reference.h"
#include "common/base/larger.h"
#include "common/base/text.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sampling error of the exact solution, relative to the system's scales: 100 times this is still far below the
 * error of any run by steps, and the nodes stay a few thousand (the spacing goes with its fourth root). */
static const double exact_accuracy = 1e-13;
static const char *const reference_run = "event-driven:tol=1e-11";
static const char *const second_run = "event-driven:tol=1e-12";

static bool is_numbered(const char *name, const char *prefix)
{
  const size_t length = strlen(prefix);
  return strncmp(name, prefix, length) == 0 && name[length] != '\0' &&
         strspn(name + length, "0123456789") == strlen(name + length);
}

static dls_status unknown_quantity(const dls_trajectory *traj, const char *of, dls_error *err)
{
  char names[250] = "";
  for (size_t j = 1; j < traj->columns; j++) {
    dls_text_append(names, sizeof names, "%s%s", j > 1 ? ", " : "", traj->names[j]);
  }
  return dls_fail(
      err, DLS_ERR_ARG,
      "no quantity \"%s\"; there are q, v (all components), impulse (of all contacts, so far) and the "
      "columns %s",
      of, names);
}

/* "impulse" or "impulse0", where p0 is there. */
static bool is_impulse(const dls_trajectory *traj, const char *of)
{
  const size_t length = strlen("impulse");
  return strncmp(of, "impulse", length) == 0 && strspn(of + length, "0123456789") == strlen(of + length) &&
         dls_trajectory_column(traj, "p0") >= 0;
}

static dls_status impulse_graph(const dls_trajectory *traj, const char *of, dls_graph **out, dls_error *err)
{
  const char *digits = of + strlen("impulse");
  size_t count = 0;
  for (size_t j = 1; j < traj->columns; j++) {
    count += is_numbered(traj->names[j], "p");
  }
  return *digits == '\0' ? dls_graph_of_impulses(traj, 0, count, out, err)
                         : dls_graph_of_impulses(traj, strtoul(digits, NULL, 10), 1, out, err);
}

/* @param[out] columns  room for all. @return the number of those that it is made of */
static size_t columns_of(const dls_trajectory *traj, const char *of, size_t *columns)
{
  size_t dim = 0;
  const int single = dls_trajectory_column(traj, of);
  for (size_t j = 1; j < traj->columns; j++) {
    if (single >= 0 ? j == (size_t)single : is_numbered(traj->names[j], of)) {
      columns[dim++] = j;
    }
  }
  return dim;
}

bool dls_quantity_is_of_rows(const dls_trajectory *traj, const char *of)
{
  char first[64];
  snprintf(first, sizeof first, "%.60s0", of);
  return dls_trajectory_column(traj, of) > 0 || dls_trajectory_column(traj, first) > 0;
}

dls_status dls_quantity_graph(const dls_trajectory *traj, const char *of, dls_graph **out, dls_error *err)
{
  size_t *columns = malloc(traj->columns * sizeof *columns);
  if (columns == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the graph of %s", of);
  }
  const size_t dim = columns_of(traj, of, columns);
  const dls_status status = dim > 0                ? dls_graph_of(traj, dim, columns, out, err)
                            : is_impulse(traj, of) ? impulse_graph(traj, of, out, err)
                                                   : unknown_quantity(traj, of, err);
  free(columns);
  return status;
}

dls_status dls_cut_to_common(dls_graph **a, const dls_graph *b, dls_error *err)
{
  const dls_graph *whole = *a;
  const double last = whole->t[whole->count - 1], end = fmin(last, b->t[b->count - 1]);
  dls_graph *part = NULL;
  if (whole->t[0] >= 0 && last <= end) { /* a run by steps: its nodes need no copy */
    return DLS_OK;
  }
  const dls_status status = dls_graph_clip(whole, 0, end, &part, err);
  if (status == DLS_OK) {
    dls_graph_destroy(*a);
    *a = part;
  }
  return status;
}

dls_status dls_clip_to_common(dls_graph **a, const dls_graph *b, dls_graph **b_out, dls_error *err)
{
  *b_out = NULL;
  const dls_status status = dls_cut_to_common(a, b, err);
  return status != DLS_OK ? status : dls_graph_clip(b, 0, (*a)->t[(*a)->count - 1], b_out, err);
}

static dls_status make_exact(const dls_order_spec *spec, const dls_system *sys, const dls_exact *exact,
                             dls_reference *out, dls_error *err)
{
  const double accuracy = exact_accuracy * fmin(sys->length, sys->length / sys->time); /* in q and in v */
  out->error = accuracy / spec->metric.value_scale;
  snprintf(out->text, sizeof out->text, "exact (%.120s), sampled to %.1g", exact->summary, accuracy);
  return dls_exact_trajectory(exact, spec->parameters, spec->end, accuracy, &out->traj, err);
}

static dls_status run_event_driven(const dls_order_spec *spec, const dls_system *sys, const char *choice_text,
                                   const dls_run_spec *run, dls_trajectory **out, dls_error *err)
{
  dls_scheme_choice choice;
  dls_sim *sim = NULL;
  dls_trajectory *traj = NULL;
  dls_status status = dls_scheme_choose(choice_text, &choice, err);
  if (status == DLS_OK) {
    status = dls_scheme_choice_sim(&choice, sys, &sim, err);
  }
  if (status == DLS_OK) {
    traj = dls_sim_trajectory(sim, err);
    status = traj == NULL ? DLS_ERR_MEMORY : DLS_OK;
  }
  if (status == DLS_OK) {
    dls_run_spec own = *run;
    own.end = spec->end;
    own.record = traj;
    status = dls_run(sim, &own, err);
  }
  dls_sim_destroy(sim);
  if (status != DLS_OK) {
    dls_trajectory_destroy(traj);
    return status;
  }
  *out = traj;
  return DLS_OK;
}

static dls_status distance_of(const dls_trajectory *a, const dls_trajectory *b, const char *of,
                              const dls_metric *metric, double *distance, dls_error *err)
{
  dls_graph *first = NULL, *second = NULL, *part = NULL;
  dls_measure measure = {0};
  dls_status status = dls_quantity_graph(a, of, &first, err);
  if (status == DLS_OK) {
    status = dls_quantity_graph(b, of, &second, err);
  }
  if (status == DLS_OK) {
    status = dls_clip_to_common(&first, second, &part, err);
  }
  if (status == DLS_OK) {
    status = dls_hausdorff(first, part, metric, &measure, err);
  }
  *distance = measure.value + measure.bound;
  dls_graph_destroy(first);
  dls_graph_destroy(second);
  dls_graph_destroy(part);
  return status;
}

/* The largest distance of the two runs over the quantities of the study. Errors of 1e-9 to three digits would
 * cut each step into hundreds of chords; one digit is all that an estimate has. */
static dls_status estimate_error(const dls_order_spec *spec, const dls_trajectory *second, dls_reference *out,
                                 dls_error *err)
{
  dls_metric metric = spec->metric;
  metric.accuracy = fmax(metric.accuracy, 0.1);
  for (size_t i = 0; i < spec->of_count; i++) {
    double distance = 0;
    const dls_status status = distance_of(out->traj, second, spec->of[i], &metric, &distance, err);
    if (status != DLS_OK) {
      return status;
    }
    out->error = dls_larger(out->error, distance);
  }
  if (!(out->error < INFINITY)) {
    return dls_fail(err, DLS_ERR_NONFINITE, "the distance of its runs at two tolerances is %g", out->error);
  }
  snprintf(out->text, sizeof out->text, "%s, Hausdorff distance %.2g to %s", reference_run, out->error,
           second_run);
  return DLS_OK;
}

static dls_status make_event_driven(const dls_order_spec *spec, const dls_system *sys, const dls_run_spec *run,
                                    dls_reference *out, dls_error *err)
{
  dls_trajectory *second = NULL;
  dls_status status = run_event_driven(spec, sys, reference_run, run, &out->traj, err);
  if (status == DLS_OK) {
    status = run_event_driven(spec, sys, second_run, run, &second, err);
  }
  if (status == DLS_OK) {
    status = estimate_error(spec, second, out, err);
  }
  dls_trajectory_destroy(second);
  return status;
}

dls_status dls_reference_make(const dls_order_spec *spec, const dls_system *sys, bool (*poll)(void *, double),
                              void *poll_data, dls_reference *out, dls_error *err)
{
  *out = (dls_reference){0};
  dls_error own = {0};
  const dls_exact *exact =
      spec->reference == DLS_REFERENCE_EXACT ? dls_catalogue_exact(spec->catalogue, spec->model->name) : NULL;
  const dls_run_spec run = {.start = spec->start, .poll = poll, .poll_data = poll_data};
  const dls_status status =
      exact != NULL ? make_exact(spec, sys, exact, out, &own) : make_event_driven(spec, sys, &run, out, &own);
  if (status == DLS_OK || status == DLS_ERR_INTERRUPTED) {
    return status;
  }
  return dls_fail(err, status, "the reference solution of %s on [0, %g] failed: %.300s", spec->model->name,
                  spec->end, own.text);
}

void dls_reference_clear(dls_reference *reference)
{
  dls_trajectory_destroy(reference->traj);
  *reference = (dls_reference){0};
}
