/* experiments/measures/order/reference.c -- exact solutions and event-driven references.
 *
 * Without a closed form, or where the spec asks for it, the reference is a run of the event-driven integrator at tol 1e-11; its error is
 * estimated by the distance to a second run at 1e-12. A scheme must be compared with the true solution, not with
 * its own finest run: a wrong limit would pass unnoticed.
 *
 * Both runs evaluate a load that depends on t explicitly only at the steps of one integrator, and both may miss it. If such loads are
 * possible, a run of another engine must agree with the reference:
 *   d(reference, check) <= S (bound(reference) + bound(check)),  S = max(1, d(reference, second) / bound(second))     (1)
 * The error bound of a run is bound(tol) = tol max(|x| / xi, t_s / tau), |x| the largest value; S is the growth of errors along the motion.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/reference.h"
#include "analytic/distance/interrupt.h"
#include "common/base/larger.h"
#include "common/base/text.h"
#include "experiments/measures/order/order_derivatives.h"
#include <delassus/catalogue.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sampling error of the exact solution, relative to the system's scales: 100 times this is still far below the
 * error of any run by steps, and the nodes stay a few thousand (the spacing goes with its fourth root). */
static const double exact_accuracy = 1e-13;

/* An event-driven run that is the reference, or is compared with it. */
typedef struct event_driven_run {
  const char *choice, *engine;
  double tol;
} event_driven_run;
static const event_driven_run reference_run = {"event-driven:tol=1e-11", "adams", 1e-11};
static const event_driven_run second_run = {"event-driven:tol=1e-12", "adams", 1e-12};
static const event_driven_run check_run = {"event-driven:tol=1e-12,method=erk", "erk", 1e-12};
static const event_driven_run coarse_run = {"event-driven:tol=1e-10", "adams", 1e-10}; /* where erk fails */
/* S [1]: if errors grow more, a reference at tol 1e-11 has fewer than three digits and is useless. */
static const double largest_growth = 1e8;
/* Relative accuracy of an estimated distance; three digits of an error of 1e-9 would need hundreds of chords in each step. */
static const double coarse_accuracy = 0.1;

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
  if (!(accuracy >= DBL_EPSILON * sys->length)) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "the parameters of %s make scales of %g m and %g s: the accuracy of the reference, %g of the "
        "velocity %g m/s, is below the rounding of positions, %.2g m; choose a load that moves the "
        "mass in a shorter time, or longer units of time",
        spec->model->name, sys->length, sys->time, exact_accuracy, sys->length / sys->time,
        DBL_EPSILON * sys->length);
  }
  out->error = accuracy / spec->metric.value_scale;
  snprintf(out->text, sizeof out->text, "exact (%.120s), sampled to %.1g", exact->summary, accuracy);
  const dls_status status = dls_exact_trajectory(exact, spec->parameters, spec->end, accuracy, &out->traj, err);
  return status != DLS_OK ? status : dls_order_differentiate_reference(spec, exact, out->traj, err);
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
  dls_run_spec own = *run;
  dls_order_tangents tangents = {.count = 0};
  own.end = spec->end;
  own.record = traj;
  if (status == DLS_OK) {
    status = dls_order_tangents_attach(spec, sim, &own, &tangents, err);
  }
  if (status == DLS_OK) {
    status = dls_run(sim, &own, err);
  }
  if (status == DLS_OK) {
    status = dls_order_tangents_join(&tangents, sim, traj, err);
  }
  if (status == DLS_OK) {
    status = dls_order_differentiate_reference(spec, NULL, traj, err);
  }
  dls_sim_destroy(sim);
  dls_order_tangents_release(&tangents);
  if (status != DLS_OK) {
    dls_trajectory_destroy(traj);
    return status;
  }
  *out = traj;
  return DLS_OK;
}

/* Comparison of two event-driven runs in one quantity. */
typedef struct pair {
  double distance; /* with its bound */
  double size;     /* largest value of both */
} pair;

static double largest_of(const dls_graph *graph, double size)
{
  for (size_t i = 0; i < graph->count * graph->dim; i++) {
    size = dls_larger(size, fabs(graph->x[i]));
  }
  return size;
}

/* Distance of both graphs on [0, end], or up to the earlier end of the two. */
static dls_status compare_graphs(const dls_order_spec *spec, const dls_graph *a, const dls_graph *b, double end,
                                 double accuracy, pair *out, dls_error *err)
{
  dls_metric metric = spec->metric;
  metric.accuracy = fmax(metric.accuracy, accuracy);
  dls_graph *first = NULL, *second = NULL;
  dls_measure measure = {0};
  const double last = fmin(a->t[a->count - 1], b->t[b->count - 1]);
  dls_status status = dls_graph_clip(a, 0, fmin(end, last), &first, err);
  if (status == DLS_OK) {
    status = dls_graph_clip(b, 0, fmin(end, last), &second, err);
  }
  if (status == DLS_OK) {
    status = dls_hausdorff(first, second, &metric, &measure, err);
  }
  if (status == DLS_OK) {
    *out = (pair){measure.value + measure.bound, largest_of(second, largest_of(first, 0))};
  }
  dls_graph_destroy(first);
  dls_graph_destroy(second);
  return status;
}

static dls_status graphs_of(const dls_trajectory *a, const dls_trajectory *b, const char *of,
                            dls_graph *graphs[2], dls_error *err)
{
  const dls_status status = dls_quantity_graph(a, of, &graphs[0], err);
  return status != DLS_OK ? status : dls_quantity_graph(b, of, &graphs[1], err);
}

static void free_graphs(dls_graph *graphs[2])
{
  dls_graph_destroy(graphs[0]);
  dls_graph_destroy(graphs[1]);
}

/* The error bound of a run at tol for a quantity, in the metric of the study. */
static double bound_of(const dls_order_spec *spec, const dls_system *sys, double tol, double size)
{
  const double least = fmin(sys->length, sys->length / sys->time);
  return tol * fmax(fmax(size, least) / spec->metric.value_scale, sys->time / spec->metric.time_scale);
}

/* An event at the end may be in one graph only: if the distance exceeds what is allowed, the comparison ends before it, by twice the delay of events
 * that this allows. */
static dls_status compare_before_end(const dls_order_spec *spec, dls_graph *const graphs[2], double allowed,
                                     pair *both, dls_error *err)
{
  const double before = spec->end - 2 * allowed * spec->metric.time_scale;
  return both->distance <= allowed || before <= 0
             ? DLS_OK
             : compare_graphs(spec, graphs[0], graphs[1], before, coarse_accuracy, both, err);
}

/* Nothing is known about the growth of errors yet: the largest is allowed. */
static dls_status compare_runs(const dls_order_spec *spec, const dls_system *sys, const dls_trajectory *a,
                               const dls_trajectory *b, const char *of, pair *out, dls_error *err)
{
  dls_graph *graphs[2] = {NULL, NULL};
  dls_status status = graphs_of(a, b, of, graphs, err);
  if (status == DLS_OK) {
    status = compare_graphs(spec, graphs[0], graphs[1], INFINITY, coarse_accuracy, out, err);
  }
  if (status == DLS_OK) {
    const double allowed = largest_growth * (bound_of(spec, sys, reference_run.tol, out->size) +
                                             bound_of(spec, sys, second_run.tol, out->size));
    status = compare_before_end(spec, graphs, allowed, out, err);
  }
  free_graphs(graphs);
  return status;
}

/* The largest distance of the two runs over the quantities of the study. @param[out] pairs  of_count */
static dls_status estimate_error(const dls_order_spec *spec, const dls_system *sys,
                                 const dls_trajectory *second, dls_reference *out, pair *pairs, dls_error *err)
{
  for (size_t i = 0; i < spec->of_count; i++) {
    const dls_status status = compare_runs(spec, sys, out->traj, second, spec->of[i], &pairs[i], err);
    if (status != DLS_OK) {
      return status;
    }
    out->error = dls_larger(out->error, pairs[i].distance);
  }
  if (!(out->error < INFINITY)) {
    return dls_fail(err, DLS_ERR_NONFINITE, "the distance of its runs at two tolerances is %g", out->error);
  }
  snprintf(out->text, sizeof out->text, "%s, Hausdorff distance %.2g to %s", reference_run.choice, out->error,
           second_run.choice);
  return DLS_OK;
}

/* --- the check of a reference --- */

/* The right-hand side of (1). @param[in] apart  reference and second run @param[in] check  reference and the run that checks it */
static double allowed_of(const dls_order_spec *spec, const dls_system *sys, const pair *apart,
                         const event_driven_run *run, const pair *check)
{
  const double growth = apart->distance / bound_of(spec, sys, second_run.tol, apart->size);
  return fmin(fmax(growth, 1), largest_growth) *
         (bound_of(spec, sys, reference_run.tol, check->size) + bound_of(spec, sys, run->tol, check->size));
}

/* The time up to which the runs satisfy (1), to a thousandth of the end. @return DLS_OK; DLS_ERR_INTERRUPTED */
static dls_status agreed_until(const dls_order_spec *spec, dls_graph *const graphs[2], double allowed,
                               double *until, dls_error *err)
{
  double low = 0, high = spec->end;
  for (int i = 0; i < 10; i++) {
    const double middle = (low + high) / 2;
    pair here = {INFINITY, 0};
    const bool near =
        compare_graphs(spec, graphs[0], graphs[1], middle, coarse_accuracy, &here, NULL) == DLS_OK &&
        here.distance <= allowed;
    low = near ? middle : low;
    high = near ? high : middle;
  }
  *until = low;
  return dls_interrupt_status(err);
}

/* "adams and erk"; of one engine with the tolerances, and why no other was compared. */
static void name_pair(const event_driven_run *run, const char *why, char *text, size_t size)
{
  if (strcmp(run->engine, reference_run.engine) != 0) {
    snprintf(text, size, "%s and %s", reference_run.engine, run->engine);
  } else {
    snprintf(text, size, "%s at tol = %g and %s at tol = %g (%s failed: %.150s)", reference_run.engine,
             reference_run.tol, run->engine, run->tol, check_run.engine, why);
  }
}

/* @param[in] compared  the names of both runs */
static dls_status refuse_reference(const dls_order_spec *spec, const dls_trajectory *reference,
                                   const dls_trajectory *check, const char *compared, size_t of, double allowed,
                                   dls_error *err)
{
  dls_graph *graphs[2] = {NULL, NULL};
  pair both = {0};
  double until = 0;
  dls_status status = graphs_of(reference, check, spec->of[of], graphs, err);
  if (status == DLS_OK) {
    status = compare_graphs(spec, graphs[0], graphs[1], INFINITY, 0, &both, err);
  }
  if (status == DLS_OK) {
    status = agreed_until(spec, graphs, allowed, &until, err);
  }
  if (status == DLS_OK) {
    status = dls_fail(err, DLS_ERR_NOCONV,
                      "the reference is not certain: %.1e between %s at t = %.10g (%s, within %.1e up "
                      "to t = %.3g)",
                      both.distance, compared, spec->end, spec->of[of], allowed, until);
  }
  free_graphs(graphs);
  return status;
}

/* Distance of the reference and the run that checks it, and what (1) allows. */
static dls_status compare_with_check(const dls_order_spec *spec, const dls_system *sys,
                                     const dls_reference *reference, const dls_trajectory *check,
                                     const event_driven_run *run, size_t of, const pair *apart,
                                     double *distance, double *allowed, dls_error *err)
{
  dls_graph *graphs[2] = {NULL, NULL};
  pair both = {0};
  dls_status status = graphs_of(reference->traj, check, spec->of[of], graphs, err);
  if (status == DLS_OK) {
    status = compare_graphs(spec, graphs[0], graphs[1], INFINITY, coarse_accuracy, &both, err);
  }
  *allowed = allowed_of(spec, sys, apart, run, &both);
  if (status == DLS_OK) {
    status = compare_before_end(spec, graphs, *allowed, &both, err);
  }
  *distance = both.distance;
  free_graphs(graphs);
  return status;
}

/* (1) for every quantity; the error of the reference is at least its distance to the check.
 * @param[in] why  the failure of check_run, where it is not the run that checks */
static dls_status check_quantities(const dls_order_spec *spec, const dls_system *sys,
                                   const dls_trajectory *check, const event_driven_run *run, const char *why,
                                   const pair *pairs, dls_reference *out, dls_error *err)
{
  char compared[300];
  name_pair(run, why, compared, sizeof compared);
  double largest = 0;
  for (size_t i = 0; i < spec->of_count; i++) {
    double distance = 0, allowed = 0;
    const dls_status status =
        compare_with_check(spec, sys, out, check, run, i, &pairs[i], &distance, &allowed, err);
    if (status != DLS_OK) {
      return status;
    }
    if (!(distance <= allowed)) {
      return refuse_reference(spec, out->traj, check, compared, i, allowed, err);
    }
    largest = fmax(largest, distance);
  }
  out->error = fmax(out->error, largest);
  dls_text_append(out->text, sizeof out->text, ", %.2g to %s%s", largest, run->choice,
                  run == &check_run ? "" : " (erk failed)");
  return DLS_OK;
}

/* @param[in] pairs  of the reference and its second run, of_count */
static dls_status check_reference(const dls_order_spec *spec, const dls_system *sys, const dls_run_spec *run,
                                  const pair *pairs, dls_reference *out, dls_error *err)
{
  const event_driven_run *used = &check_run;
  dls_trajectory *check = NULL;
  dls_error why = {0}, last = {0};
  dls_status status = run_event_driven(spec, sys, used->choice, run, &check, &why);
  last = why;
  if (status != DLS_OK && status != DLS_ERR_INTERRUPTED && status != DLS_ERR_MEMORY) {
    used = &coarse_run;
    status = run_event_driven(spec, sys, used->choice, run, &check, &last);
  }
  if (status != DLS_OK) {
    return dls_fail(err, status, "the run that checks the reference failed: %.300s", last.text);
  }
  status = check_quantities(spec, sys, check, used, why.text, pairs, out, err);
  dls_trajectory_destroy(check);
  return status;
}

/* @param[out] pairs  the runs at both tolerances, of_count */
static dls_status make_event_driven(const dls_order_spec *spec, const dls_system *sys, const dls_run_spec *run,
                                    pair *pairs, dls_reference *out, dls_error *err)
{
  dls_trajectory *second = NULL;
  dls_status status = run_event_driven(spec, sys, reference_run.choice, run, &out->traj, err);
  if (status == DLS_OK) {
    status = run_event_driven(spec, sys, second_run.choice, run, &second, err);
  }
  if (status == DLS_OK) {
    status = estimate_error(spec, sys, second, out, pairs, err);
  }
  dls_trajectory_destroy(second);
  return status;
}

dls_status dls_reference_make(const dls_order_spec *spec, const dls_system *sys, bool (*poll)(void *, double),
                              void *poll_data, dls_reference *out, dls_error *err)
{
  *out = (dls_reference){0};
  dls_error own = {0};
  const dls_exact *exact = spec->reference != DLS_REFERENCE_EVENT_DRIVEN
                               ? dls_catalogue_exact(spec->catalogue, spec->model->name)
                               : NULL;
  const dls_run_spec run = {.start = spec->start, .poll = poll, .poll_data = poll_data};
  if (exact != NULL && spec->check_reference) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "check-reference: the reference of %s is its exact solution, which needs no check; only a computed "
        "reference can be checked (--reference event-driven)",
        spec->model->name);
  }
  pair *pairs = calloc(spec->of_count + 1, sizeof *pairs);
  if (pairs == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu distances", spec->of_count);
  }
  dls_status status = exact != NULL ? make_exact(spec, sys, exact, out, &own)
                                    : make_event_driven(spec, sys, &run, pairs, out, &own);
  const bool sampled = exact == NULL && dls_system_explicit_time(sys) != DLS_TIME_NONE;
  if (status != DLS_OK && status != DLS_ERR_INTERRUPTED) {
    dls_fail(err, status, "the reference solution of %s on [0, %g] failed: %.300s", spec->model->name,
             spec->end, own.text);
  } else if (status == DLS_OK && (sampled || spec->check_reference)) {
    status = check_reference(spec, sys, &run, pairs, out, err);
  }
  free(pairs);
  return status;
}

void dls_reference_clear(dls_reference *reference)
{
  dls_trajectory_destroy(reference->traj);
  *reference = (dls_reference){0};
}
