/* experiments/measures/sweep/sweep.c -- runs over a parameter: the extrema of their last part, compared with the exact solution.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/sweep/sweep.h"
#include "common/base/larger.h"
#include "common/base/memory.h"
#include "experiments/campaign/campaign.h"
#include "experiments/campaign/provenance.h"
#include "experiments/measures/energy/derived.h"
#include "experiments/measures/order/reference.h"
#include "experiments/measures/order/study_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double exact_accuracy = 1e-10; /* [length, length/time] of the interpolated exact solution */
static const double noise = 1e-6;           /* extrema smaller than this fraction of the motion are rounding */
enum { STICKS = 1 };

/* One run of the sweep. */
typedef struct sweep_run {
  dls_sweep *sweep;
  size_t scheme, curve, k;
  double *parameters;
  dls_progress progress;
} sweep_run;

static size_t curve_count(const dls_sweep_range *range)
{
  return range->curve != NULL ? range->curve_count : 1;
}

static bool poll_run(void *data, double t)
{
  sweep_run *r = data;
  return dls_progress_report(&r->progress, t / r->sweep->spec.end);
}

static dls_status simulate(sweep_run *r, const dls_system *sys, dls_trajectory **out, dls_error *err)
{
  const dls_sweep_spec *spec = &r->sweep->spec;
  dls_sim *sim = NULL;
  dls_status status = dls_scheme_choice_sim(&spec->schemes[r->scheme], sys, &sim, err);
  *out = status == DLS_OK ? dls_sim_trajectory(sim, err) : NULL;
  status = status == DLS_OK && *out == NULL ? DLS_ERR_MEMORY : status;
  if (status == DLS_OK) {
    const dls_run_spec run = {.step = spec->step,
                              .end = spec->end,
                              .record = *out,
                              .recording = {.max_rows = spec->max_rows},
                              .start = spec->start,
                              .halvings = dls_scheme_needs_step(sim->scheme) ? spec->halvings : 0,
                              .poll = poll_run,
                              .poll_data = r};
    status = dls_run(sim, &run, err);
    dls_warning_tally_add(&r->sweep->warnings, dls_sim_warning_count(sim), dls_sim_warning_explained(sim));
  }
  dls_sim_destroy(sim);
  return status;
}

/* *wide := traj with force0.., energies and momenta, if one of the quantities is among them, else NULL. */
static dls_status widen(const sweep_run *r, const dls_system *sys, const dls_trajectory *traj,
                        dls_trajectory **wide, dls_error *err)
{
  const dls_sweep_spec *spec = &r->sweep->spec;
  bool has_all = true;
  size_t contact = 0;
  for (size_t i = 0; i < spec->of_count; i++) {
    has_all =
        has_all && (dls_sweep_impact(spec->of[i], &contact) || dls_trajectory_column(traj, spec->of[i]) >= 0);
  }
  *wide = NULL;
  const dls_scheme *scheme = r->scheme < spec->scheme_count ? spec->schemes[r->scheme].scheme : NULL;
  return has_all ? DLS_OK : dls_derive(traj, sys, scheme, wide, err);
}

/* Are all quantities columns of a trajectory? @param[out] some  one of them is */
static bool are_columns(const dls_sweep_spec *spec, bool *some)
{
  bool plain = true;
  size_t contact = 0;
  *some = false;
  for (size_t i = 0; i < spec->of_count; i++) {
    const bool impact = dls_sweep_impact(spec->of[i], &contact);
    plain = plain && (impact || strchr("qvgu", spec->of[i][0]) != NULL);
    *some = *some || !impact;
  }
  return plain;
}

/* The exact solution as far as it is needed: the last row alone for impacts, no early rows where nothing is summed from the
 * start. A chattering motion has a hundred times more rows than a run by events. */
static dls_status solve(const sweep_run *r, double accuracy, dls_trajectory **out, dls_error *err)
{
  const dls_sweep_spec *spec = &r->sweep->spec;
  bool some = false;
  const bool columns = are_columns(spec, &some);
  return columns && !some
             ? dls_exact_at(spec->exact, r->parameters, 1, &spec->end, out, err)
             : dls_exact_trajectory_from(spec->exact, r->parameters, columns ? spec->range.from : 0, spec->end,
                                         accuracy, out, err);
}

/* By the scheme, or exactly. */
static dls_status make(sweep_run *r, dls_trajectory **out, dls_trajectory **wide, dls_error *err)
{
  const dls_sweep_spec *spec = &r->sweep->spec;
  dls_system *sys = NULL;
  dls_status status = dls_model_create(spec->model, r->parameters, &sys, err);
  if (status == DLS_OK && r->scheme < spec->scheme_count) {
    status = simulate(r, sys, out, err);
  } else if (status == DLS_OK) {
    const double accuracy = exact_accuracy * fmin(sys->length, sys->length / sys->time);
    status = poll_run(r, 0) ? solve(r, accuracy, out, err) : dls_fail(err, DLS_ERR_INTERRUPTED, "interrupted");
  }
  status = status != DLS_OK ? status : widen(r, sys, *out, wide, err);
  dls_system_destroy(sys);
  return status;
}

/* Does a contact stick from a node to the next? Time stepping may reverse within one step of u_T = 0, which is not a rest. */
static bool has_stick(const dls_trajectory *traj, double from)
{
  for (size_t j = 0; j < traj->m && traj->d > 1; j++) {
    char name[32];
    snprintf(name, sizeof name, "status%zu", j);
    const int column = dls_trajectory_column(traj, name);
    for (size_t row = 1; column > 0 && row < traj->rows; row++) {
      const double t = dls_trajectory_at(traj, row - 1, 0);
      if (t >= from && dls_trajectory_at(traj, row, 0) > t &&
          (int)dls_trajectory_at(traj, row - 1, (size_t)column) == STICKS &&
          (int)dls_trajectory_at(traj, row, (size_t)column) == STICKS) {
        return true;
      }
    }
  }
  return false;
}

bool dls_sweep_impact(const char *of, size_t *contact)
{
  static const char word[] = "impact";
  const size_t length = strlen(word),
               digits = strspn(of + (strncmp(of, word, length) == 0 ? length : 0), "0123456789");
  const bool found = strncmp(of, word, length) == 0 && digits > 0 && digits < 10 && of[length + digits] == '\0';
  *contact = found ? (size_t)strtoul(of + length, NULL, 10) : 0;
  return found;
}

/* Velocities of the gap before the impacts of a contact, in their order; without impacts extremes are NaN. */
static dls_status find_impacts(const dls_trajectory *traj, size_t contact, double from, dls_extrema *out,
                               dls_error *err)
{
  *out = (dls_extrema){.least = NAN, .largest = NAN, .x = malloc((traj->event_count + 1) * sizeof *out->x)};
  if (out->x == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu impacts", traj->event_count);
  }
  for (size_t i = 0; i < traj->event_count; i++) {
    const dls_event *event = &traj->events[i];
    if (event->kind == DLS_IMPACT && event->contact == contact && event->t >= from) {
      out->x[out->count++] = event->u_minus;
      out->least = fmin(out->least, event->u_minus); /* which pass over NaN */
      out->largest = fmax(out->largest, event->u_minus);
    }
  }
  return DLS_OK;
}

static dls_status measure(const dls_trajectory *traj, const char *of, double from, dls_extrema *out,
                          dls_error *err)
{
  size_t contact = 0;
  if (dls_sweep_impact(of, &contact)) {
    return find_impacts(traj, contact, from, out, err);
  }
  dls_graph *whole = NULL, *part = NULL;
  dls_status status = dls_quantity_graph(traj, of, &whole, err);
  if (status == DLS_OK) {
    status = dls_graph_clip(whole, from, INFINITY, &part, err);
  }
  if (status == DLS_OK) {
    status = dls_extrema_find(part, noise, out, err);
  }
  dls_graph_destroy(whole);
  dls_graph_destroy(part);
  return status;
}

/* Add a point for each quantity. @return DLS_ERR_INTERRUPTED, DLS_ERR_MEMORY: they end the sweep */
static dls_status add_points(sweep_run *r, dls_error *err)
{
  dls_sweep *sweep = r->sweep;
  const dls_sweep_spec *spec = &sweep->spec;
  dls_trajectory *traj = NULL, *wide = NULL;
  dls_error why = {0};
  dls_status status = make(r, &traj, &wide, &why);
  const dls_trajectory *drawn = wide != NULL ? wide : traj;
  for (size_t i = 0; i < spec->of_count && status != DLS_ERR_INTERRUPTED && status != DLS_ERR_MEMORY; i++) {
    dls_sweep_point *point = &sweep->points[sweep->point_count++];
    *point = (dls_sweep_point){.scheme = r->scheme,
                               .curve = r->curve,
                               .of = i,
                               .value = dls_sweep_axis_value(&spec->range.axis, r->k)};
    status = status != DLS_OK ? status : measure(drawn, spec->of[i], spec->range.from, &point->extrema, &why);
    if (status != DLS_OK) {
      snprintf(point->failure, sizeof point->failure, "%.199s", why.text);
    } else {
      point->sticks = has_stick(traj, spec->range.from);
    }
  }
  dls_trajectory_destroy(wide);
  dls_trajectory_destroy(traj);
  return status != DLS_ERR_INTERRUPTED && status != DLS_ERR_MEMORY ? DLS_OK
                                                                   : dls_fail(err, status, "%s", why.text);
}

static dls_status make_run(dls_progress *p, const size_t *cells, size_t count, void *scratch, dls_error *err)
{
  dls_sweep *sweep = p->campaign->data;
  const dls_sweep_spec *spec = &sweep->spec;
  const dls_sweep_range *range = &spec->range;
  const size_t run = cells[0], values = range->axis.count;
  sweep_run r = {.sweep = sweep,
                 .scheme = run / values / curve_count(range),
                 .curve = run / values % curve_count(range),
                 .k = run % values,
                 .parameters = scratch,
                 .progress = *p};
  memcpy(r.parameters, spec->parameters, dls_option_count(spec->model->parameters) * sizeof *r.parameters);
  r.parameters[range->axis.parameter - spec->model->parameters] = dls_sweep_axis_value(&range->axis, r.k);
  if (range->curve != NULL) {
    r.parameters[range->curve - spec->model->parameters] = range->curves[r.curve];
  }
  const dls_status status = add_points(&r, err);
  return dls_campaign_end(&r.progress, cells, count, status);
}

static dls_status keep(dls_progress *p, const size_t *cells, size_t count, dls_error *err)
{
  (void)cells;
  (void)count;
  (void)err;
  const dls_sweep *sweep = p->campaign->data;
  if (sweep->spec.keep != NULL) {
    sweep->spec.keep(sweep->spec.keep_data, sweep);
  }
  return DLS_OK;
}

dls_status dls_sweep_run(const dls_sweep_spec *spec, bool (*poll)(void *, double), void *poll_data,
                         dls_sweep **out, dls_error *err)
{
  static const dls_campaign_measure measure = {.run = make_run, .keep = keep};
  const size_t makers = spec->scheme_count + (spec->exact != NULL);
  const size_t runs = makers * curve_count(&spec->range) * spec->range.axis.count;
  dls_sweep *sweep = *out = calloc(1, sizeof *sweep);
  if (sweep != NULL) {
    sweep->spec = *spec;
    sweep->points = calloc(dls_size_product(runs + 1, spec->of_count), sizeof *sweep->points);
  }
  if (sweep == NULL || sweep->points == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a sweep of %zu runs", runs);
  }
  dls_campaign c = {.count = runs,
                    .measure = &measure,
                    .data = sweep,
                    .scratch = dls_option_count(spec->model->parameters) * sizeof(double),
                    .poll = poll,
                    .poll_data = poll_data};
  dls_error why = {0};
  const dls_status status = dls_campaign_run(&c, &why);
  sweep->complete = status == DLS_OK;
  return sweep->complete ? DLS_OK
                         : dls_fail(err, status, "sweep, run %zu of %zu: %.250s", c.next, runs, why.text);
}

void dls_sweep_destroy(dls_sweep *sweep)
{
  if (sweep != NULL) {
    for (size_t i = 0; i < sweep->point_count; i++) {
      dls_extrema_clear(&sweep->points[i].extrema);
    }
    free(sweep->points);
    free(sweep);
  }
}

const dls_sweep_point *dls_sweep_find(const dls_sweep *sweep, size_t scheme, size_t curve, size_t of,
                                      double value)
{
  const dls_sweep_range *range = &sweep->spec.range;
  const double near = 1e-9 * fabs(range->axis.last - range->axis.first);
  for (size_t i = 0; i < sweep->point_count; i++) {
    const dls_sweep_point *point = &sweep->points[i];
    if (point->scheme == scheme && point->curve == curve && point->of == of &&
        fabs(point->value - value) <= near) {
      return point;
    }
  }
  return NULL;
}

double dls_sweep_difference(const dls_sweep *sweep, size_t scheme, size_t of)
{
  double most = -1; /* none */
  for (size_t i = 0; i < sweep->point_count; i++) {
    const dls_sweep_point *point = &sweep->points[i];
    if (point->scheme != scheme || point->of != of) {
      continue;
    }
    const dls_sweep_point *exact =
        dls_sweep_find(sweep, sweep->spec.scheme_count, point->curve, of, point->value);
    if (exact == NULL || exact->failure[0] != '\0' || point->failure[0] != '\0') {
      return NAN;
    }
    most = dls_larger(most, dls_larger(fabs(point->extrema.least - exact->extrema.least),
                                       fabs(point->extrema.largest - exact->extrema.largest)));
  }
  return most < 0 ? NAN : most;
}

/* What all rows have in common. */
static void put_setting(const dls_sweep *sweep, FILE *out)
{
  const dls_sweep_spec *spec = &sweep->spec;
  const dls_sweep_range *range = &spec->range;
  fprintf(out, "# model: %s\n# value: %s\n# curve: %s\n# from: %.17g\n# end: %.17g\n", spec->model->name,
          range->axis.parameter->name, range->curve != NULL ? range->curve->name : "", range->from, spec->end);
  if (spec->step > 0) {
    fprintf(out, "# step: %.17g\n", spec->step);
  }
  fprintf(out, "# complete: %s\n", sweep->complete ? "yes" : "no");
}

dls_status dls_sweep_table(const dls_sweep *sweep, const dls_catalogue *catalogue, FILE *out)
{
  const dls_sweep_spec *spec = &sweep->spec;
  const dls_sweep_range *range = &spec->range;
  fputs("scheme,curve,value,of,least,largest,turns,sticks,failure\n", out);
  for (size_t i = 0; i < sweep->point_count; i++) {
    const dls_sweep_point *point = &sweep->points[i];
    const bool failed = point->failure[0] != '\0';
    dls_table_field(out, point->scheme < spec->scheme_count ? spec->labels[point->scheme] : "exact");
    dls_table_number(out, range->curve != NULL ? range->curves[point->curve] : NAN);
    dls_table_number(out, point->value);
    fprintf(out, ",%s", spec->of[point->of]);
    dls_table_number(out, failed ? NAN : point->extrema.least);
    dls_table_number(out, failed ? NAN : point->extrema.largest);
    fprintf(out, ",%zu,%d,", point->extrema.count, point->sticks);
    dls_table_field(out, point->failure);
    fputc('\n', out);
  }
  put_setting(sweep, out);
  dls_provenance_stamp(catalogue, out);
  return dls_table_status(out);
}
