/* experiments/request/study_judge.c -- expected quantities, looked up in what a command has made of a study.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/judge/judge.h"
#include "experiments/request/reader.h"

#include "common/base/text.h"
#include "experiments/measures/cycle/cycle.h"
#include "experiments/measures/order/local.h"
#include "experiments/measures/order/order_contacts.h"
#include "experiments/measures/order/order_derivatives.h"
#include "experiments/measures/order/order_lines.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_SIZE = 300 };
static const char interrupted[] = "interrupted";

/* The values of a quantity, one after the other. */
typedef struct search {
  const dls_study *study;
  const dls_study_expectation *e;
  const dls_study_rule *rule;
  const dls_study_results *results;
  size_t seen;     /* values, or impacts */
  const char *why; /* the last value is missing, or empty */
  bool no_column;  /* the run has none of that name */
  bool cut;        /* part of it has not been run, why says how */
  double value;
  double mean, square; /* of the values so far, and the sum of the squared distances from it */
  bool positive;       /* the value before */
} search;

dls_status dls_study_results_room(dls_study_results *results, size_t count, dls_error *err)
{
  results->runs = calloc(count, sizeof *results->runs);
  results->ledgers = calloc(count, sizeof *results->ledgers);
  const bool made = results->runs != NULL && results->ledgers != NULL;
  results->run_count = made ? count : 0;
  return made ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu runs", count);
}

void dls_study_results_release(dls_study_results *results)
{
  dls_work_destroy(results->work);
  if (results->judgement != NULL) {
    dls_judgement_destroy(results->judgement);
  } else {
    dls_order_destroy(results->errors);
  }
  dls_sweep_destroy(results->sweep);
  dls_grid_destroy(results->grid);
  dls_cycle_destroy(results->cycle);
  dls_spectrum_destroy(results->spectrum);
  dls_local_destroy(results->local);
  dls_parameter_fit_destroy(results->fit);
  for (size_t i = 0; i < results->run_count && results->runs != NULL && results->ledgers != NULL; i++) {
    dls_trajectory_destroy(results->runs[i]);
    dls_energy_destroy(results->ledgers[i]);
  }
  free(results->runs);
  free(results->ledgers);
  *results = (dls_study_results){0};
}

void dls_study_scheme_file(const char *prefix, const char *const *schemes, size_t i, char *text, size_t size)
{
  const size_t length = strcspn(schemes[i], ":");
  size_t number = 1;
  for (size_t j = 0; j < i; j++) {
    number += strcspn(schemes[j], ":") == length && strncmp(schemes[j], schemes[i], length) == 0;
  }
  text[0] = '\0';
  dls_text_append(text, size, "%s_%.*s", prefix, (int)length, schemes[i]);
  if (number > 1) {
    dls_text_append(text, size, "_%zu", number);
  }
  dls_text_append(text, size, ".csv");
}

/* The file that has the table of a rule. */
static void name_file(const search *s, char *text, size_t size)
{
  static const char *const tables[] = {[DLS_TABLE_RUN] = "trajectory.csv",
                                       [DLS_TABLE_ORDERS] = "orders.csv",
                                       [DLS_TABLE_SLOPES] = "slopes.csv",
                                       [DLS_TABLE_ERRORS] = "errors.csv",
                                       [DLS_TABLE_LIMITS] = "orders.csv",
                                       [DLS_TABLE_PLATEAUS] = "orders.csv",
                                       [DLS_TABLE_CONTACTS] = "quality.csv",
                                       [DLS_TABLE_QUALITY] = "quality.csv",
                                       [DLS_TABLE_SWEEP] = "sweep.csv",
                                       [DLS_TABLE_CYCLE] = "trajectory.csv",
                                       [DLS_TABLE_LOCAL] = "local_orders.csv",
                                       [DLS_TABLE_SIGNS] = "derivatives.csv",
                                       [DLS_TABLE_DERIVATIVE_ERRORS] = "derivatives.csv",
                                       [DLS_TABLE_DERIVATIVE_SPREADS] = "derivatives.csv",
                                       [DLS_TABLE_ESTIMATES] = "estimates.csv"};
  const dls_study_kind kind = s->study->kind;
  if (kind == DLS_STUDY_SPECTRUM) {
    snprintf(text, size, "spectrum.csv");
  } else if (s->rule->table == DLS_TABLE_RUN && s->study->request != NULL &&
             s->study->request->sweep.axis.count > 0) {
    snprintf(text, size, "sweep.csv");
  } else if (s->rule->table == DLS_TABLE_RUN && kind != DLS_STUDY_RUN) {
    dls_study_scheme_file(kind == DLS_STUDY_ENERGY ? "energy" : "run", s->study->schemes, s->e->scheme, text,
                          size);
  } else {
    const bool work = s->rule->table == DLS_TABLE_ERRORS && kind == DLS_STUDY_WORK;
    snprintf(text, size, "%s", work ? "work.csv" : tables[s->rule->table]);
  }
}

/* Welford's way, with x the value number s->seen. */
static void take_moments(search *s, double x)
{
  const double before = x - s->mean;
  s->mean += before / (double)s->seen;
  s->square += before * (x - s->mean);
  s->value = s->rule->reduce == DLS_REDUCE_MEAN ? s->mean : sqrt(s->square / (double)s->seen);
}

/* @param[in] work  of the run that has the value x */
static void take(search *s, double x, double work)
{
  const bool first = s->seen++ == 0;
  x = isfinite(x) ? x : NAN;
  switch (s->rule->reduce) {
  case DLS_REDUCE_MISSING:
    s->value = (first ? 0 : s->value) + isnan(x);
    break;
  case DLS_REDUCE_WORK:
    s->value = x <= s->e->error ? fmin(s->value, work) : s->value;
    break;
  case DLS_REDUCE_FIRST:
    s->value = first ? x : s->value;
    break;
  case DLS_REDUCE_LARGEST: /* fmax and fmin leave out what is not a number */
    s->value = fmax(s->value, x);
    break;
  case DLS_REDUCE_LEAST:
    s->value = fmin(s->value, x);
    break;
  case DLS_REDUCE_MEAN:
  case DLS_REDUCE_SCATTER:
    take_moments(s, x);
    break;
  case DLS_REDUCE_CHANGES:
    s->value = first ? 0 : s->value + ((x > 0) != s->positive);
    s->positive = x > 0;
    break;
  default:
    s->value = x;
  }
}

/* Are scheme, norm and quantity those that are asked for? */
static bool is_meant(const search *s, size_t scheme, size_t norm, size_t of)
{
  const dls_order_spec *spec = &s->results->errors->spec;
  return scheme == s->e->scheme &&
         ((s->rule->uses & DLS_USES_NORM) == 0 ||
          (strcmp(spec->norms[norm]->name, s->e->norm) == 0 && strcmp(spec->of[of], s->e->of) == 0));
}

/* Orders, or slopes. */
static bool search_lines(search *s, size_t count, const dls_order_line *lines)
{
  for (size_t i = 0; i < count; i++) {
    if (is_meant(s, lines[i].scheme, lines[i].norm, lines[i].of)) {
      take(s, lines[i].fit.order, NAN);
      s->why = lines[i].reason;
    }
  }
  return true;
}

/* Orders against limit models, or the distance of these from the reference. @return false: the study has none */
static bool search_limits(search *s, const dls_order_study *limit)
{
  if (limit == NULL || s->rule->table == DLS_TABLE_LIMITS) {
    return limit != NULL && search_lines(s, limit->line_count, limit->lines);
  }
  for (size_t i = 0; i < limit->line_count; i++) {
    if (is_meant(s, limit->lines[i].scheme, limit->lines[i].norm, limit->lines[i].of)) {
      take(s, limit->lines[i].plateau, NAN);
      s->why = limit->lines[i].limit;
    }
  }
  return true;
}

/* Derivatives over the runs of the smallest steps. */
static bool search_derivatives(search *s)
{
  const dls_order_study *errors = s->results->errors;
  for (size_t i = 0; i < errors->line_count; i++) {
    const dls_order_line *line = &errors->lines[i];
    if (is_meant(s, line->scheme, line->norm, line->of)) {
      const dls_order_phases finest = dls_order_phases_finest(errors, line);
      take(s,
           s->rule->table == DLS_TABLE_SIGNS               ? finest.sign_share
           : s->rule->table == DLS_TABLE_DERIVATIVE_ERRORS ? finest.error
                                                           : finest.spread,
           NAN);
      s->why = finest.runs == 0 ? "no run has a derivative at its end" : "";
    }
  }
  return true;
}

/* Of runs that have the figure. */
static bool search_contacts(search *s)
{
  const dls_order_study *errors = s->results->errors;
  const dls_contact_figure *figure = dls_contact_figure_find(
      s->e->of != NULL ? s->e->of : "first_restitution"); /* the reader knows the name */
  for (size_t i = 0; i < errors->point_count; i++) {
    const dls_order_point *point = &errors->points[i];
    const double value = dls_contact_figure_of(figure, point);
    if (is_meant(s, point->scheme, point->norm, point->of) && isfinite(value)) {
      take(s, value, NAN);
    }
  }
  s->why = errors->limit == NULL ? "it is measured with reference: limit" : "no run has such a contact";
  return true;
}

/* Errors, or what the quality of the runs says. */
static bool search_points(search *s)
{
  const dls_order_study *errors = s->results->errors;
  const dls_work_study *work = s->results->work;
  for (size_t i = 0; i < errors->point_count; i++) {
    const dls_order_point *point = &errors->points[i];
    if (is_meant(s, point->scheme, point->norm, point->of)) {
      const bool quality = s->rule->table == DLS_TABLE_QUALITY;
      take(s, quality ? point->quality.worst_penetration : point->error.value,
           work != NULL ? dls_order_abscissa(point, work->against) : NAN);
    }
  }
  return true;
}

static void search_impacts(search *s, const dls_trajectory *run)
{
  for (size_t i = 0; i < run->event_count; i++) {
    const dls_event *event = &run->events[i];
    if (event->kind != DLS_IMPACT) {
      continue;
    }
    s->seen++;
    if (s->rule->reduce == DLS_REDUCE_IMPACTS) {
      s->value = (double)s->seen;
    } else if (s->seen == s->e->number) {
      s->value = s->rule->reduce == DLS_REDUCE_IMPACT_TIME ? event->t : event->u_minus;
    }
  }
}

static void search_run(search *s, const dls_trajectory *run)
{
  if (s->rule->reduce >= DLS_REDUCE_IMPACTS) {
    search_impacts(s, run);
    return;
  }
  const int column = dls_trajectory_column(run, s->e->of);
  for (size_t i = 0; i < run->rows && column >= 0; i++) {
    const double t = dls_trajectory_at(run, i, 0);
    if (t >= s->e->begin && t <= s->e->end) {
      take(s, dls_trajectory_at(run, i, (size_t)column), NAN);
    }
  }
  s->no_column = column < 0;
}

/* Part of what is asked for has not been run: there is no value. */
static void cut(search *s, const char *why)
{
  s->why = s->cut ? s->why : why;
  s->cut = true;
}

/* Has a run stopped before what is asked of it was over? What it had passed by then is known all the same. */
static bool is_cut_off(const search *s, const dls_trajectory *run)
{
  const double last = run->rows > 0 ? dls_trajectory_at(run, run->rows - 1, 0) : -INFINITY;
  switch (s->rule->reduce) {
  case DLS_REDUCE_FIRST:
    return !run->complete && s->seen == 0;
  case DLS_REDUCE_IMPACT_TIME:
  case DLS_REDUCE_IMPACT_SPEED:
    return !run->complete && s->seen < s->e->number;
  default:
    return !run->complete && s->e->end > last;
  }
}

/* @return whether there is a run */
static bool judge_run(search *s, const dls_trajectory *run)
{
  if (run == NULL) {
    return false;
  }
  search_run(s, run);
  if (is_cut_off(s, run)) {
    cut(s, run->failure);
  }
  return true;
}

static void say_why(const search *s, const char *path, dls_study_verdict *out)
{
  if (s->no_column) {
    snprintf(out->why, sizeof out->why, "there is no %s %.60s",
             s->rule->table == DLS_TABLE_ESTIMATES ? "parameter or column" : "column", s->e->of);
  } else if (s->cut) {
    snprintf(out->why, sizeof out->why, "not run to the end: %.175s", s->why);
  } else if (s->rule->table != DLS_TABLE_CYCLE && (s->rule->uses & DLS_USES_NUMBER) != 0 &&
             s->seen < s->e->number) {
    snprintf(out->why, sizeof out->why, "there are only %zu impacts", s->seen);
  } else if (s->rule->reduce == DLS_REDUCE_WORK && s->seen > 0) {
    snprintf(out->why, sizeof out->why, "no run has an error of at most %g", s->e->error);
  } else if (s->why[0] != '\0') {
    snprintf(out->why, sizeof out->why, "%s", s->why);
  } else {
    snprintf(out->why, sizeof out->why, s->seen == 0 ? "%.150s has no such row" : "not a number in %.150s",
             path);
  }
}

static bool is_at(double asked, double value, const dls_sweep_range *range)
{
  return isnan(asked) || fabs(asked - value) <= 1e-9 * fabs(range->axis.last - range->axis.first);
}

/* Extremes at the values that are asked for, whether a contact sticks there, or the difference from the exact solution. */
static bool search_sweep(search *s)
{
  const dls_sweep *sweep = s->results->sweep;
  const dls_sweep_range *range = &sweep->spec.range;
  size_t of = 0;
  while (s->e->of != NULL && of < sweep->spec.of_count && strcmp(sweep->spec.of[of], s->e->of) != 0) {
    of++;
  }
  s->no_column = of == sweep->spec.of_count;
  if (s->rule->reduce == DLS_REDUCE_DIFFERENCE) {
    take(s, dls_sweep_difference(sweep, s->e->scheme, of), NAN);
    return true;
  }
  for (size_t i = 0; i < sweep->point_count; i++) {
    const dls_sweep_point *point = &sweep->points[i];
    const double curve = range->curve != NULL ? range->curves[point->curve] : NAN;
    if (point->scheme == s->e->scheme && point->of == of && is_at(s->e->at, point->value, range) &&
        is_at(s->e->curve, curve, range)) {
      const double x = s->rule->reduce == DLS_REDUCE_STICKS    ? fmax(point->sticks, s->seen > 0 ? s->value : 0)
                       : s->rule->reduce == DLS_REDUCE_LARGEST ? point->extrema.largest
                                                               : point->extrema.least;
      take(s, x, NAN);
      if (point->failure[0] != '\0') {
        cut(s, point->failure);
      }
    }
  }
  if (!sweep->complete && isnan(s->e->at)) {
    cut(s, interrupted);
  }
  return true;
}

/* A quantity of a scheme over the steps, or at one of them, or the limit of its stability. */
static bool search_spectrum(search *s)
{
  const dls_spectrum *spectrum = s->results->spectrum;
  if (s->rule->reduce == DLS_REDUCE_LIMIT) {
    take(s, spectrum->limits[s->e->scheme], NAN);
    s->why = isinf(spectrum->limits[s->e->scheme]) ? "it is stable at all steps" : "";
    return true;
  }
  size_t of = 0;
  while (strcmp(dls_spectrum_names[of], s->e->of) != 0) {
    of++;
  }
  for (size_t i = 0; i < spectrum->point_count; i++) {
    const dls_spectrum_point *point = &spectrum->points[i];
    if (point->scheme == s->e->scheme &&
        (isnan(s->e->at) || point == dls_spectrum_find(spectrum, s->e->scheme, s->e->at))) {
      take(s, point->values[of], NAN);
      if (point->failure[0] != '\0') {
        cut(s, point->failure);
      }
    }
  }
  if (!spectrum->complete && isnan(s->e->at)) {
    cut(s, interrupted);
  }
  return true;
}

/* The order of the errors of one step, or the largest at the last length. */
static bool search_local(search *s)
{
  const dls_local *local = s->results->local;
  if (local == NULL) {
    return false;
  }
  const dls_local_line *line = dls_local_find(local, s->e->scheme, (dls_local_place)s->e->place, s->e->impulse,
                                              strcmp(s->e->of, "v") == 0);
  if (line != NULL && s->rule->reduce == DLS_REDUCE_LAST) {
    take(s, line->fitted ? line->fit.order : NAN, NAN);
    s->why = line->fitted ? "" : "nothing to fit: rounding, or fewer than three lengths";
  } else if (line != NULL) {
    take(s, line->largest[1], NAN);
  }
  if (!local->complete) {
    cut(s, interrupted);
  }
  return true;
}

/* Position of a name; count if it is none of them. */
static size_t position_of(const char *name, const char *const *names, size_t count)
{
  size_t i = 0;
  while (i < count && strcmp(names[i], name) != 0) {
    i++;
  }
  return i;
}

/* A number of an estimate, or the noise of a column. A sheet may ask for a name that the study does not have. */
static bool search_fit(search *s)
{
  const dls_parameter_fit *fit = s->results->fit;
  if (fit == NULL) {
    return false;
  }
  const dls_request *r = s->study->request;
  const bool noise = s->rule->reduce == DLS_REDUCE_SCATTER;
  const size_t at = noise ? position_of(s->e->of, r->spec.of, fit->of_count)
                          : position_of(s->e->of, r->fit.spec.by, fit->by_count);
  s->no_column = at == (noise ? fit->of_count : fit->by_count);
  if (s->no_column || noise) {
    s->value = s->no_column ? NAN : fit->sigma[at];
    return true;
  }
  const dls_estimate *e = &fit->estimates[at];
  s->value = s->rule->reduce == DLS_REDUCE_LEAST          ? e->low
             : s->rule->reduce == DLS_REDUCE_LARGEST      ? e->high
             : s->rule->reduce == DLS_REDUCE_IDENTIFIABLE ? e->identifiable
                                                          : e->value;
  s->why = e->identifiable ? "" : "it is not identifiable";
  return true;
}

/* Events of a kind, or all of them. */
static double count_events(const dls_cycle *cycle, const char *kind)
{
  for (size_t i = 0; i < DLS_EVENT_KINDS; i++) {
    if (strcmp(dls_event_kind_name((dls_event_kind)i), kind) == 0) {
      return (double)cycle->events[i];
    }
  }
  return (double)cycle->event_count;
}

static bool search_cycle(search *s)
{
  const dls_cycle *cycle = s->results->cycle;
  if (cycle == NULL) {
    return false;
  }
  const size_t number = s->e->number - 1, q = s->e->of != NULL ? strtoul(s->e->of + 1, NULL, 10) : 0;
  const bool there = number < cycle->count;
  switch (s->rule->reduce) {
  case DLS_REDUCE_PERIOD:
    take(s, cycle->period, NAN);
    break;
  case DLS_REDUCE_ADVANCE:
    take(s, cycle->advance[q], NAN);
    break;
  case DLS_REDUCE_EVENTS:
    take(s, count_events(cycle, s->e->of), NAN);
    break;
  case DLS_REDUCE_MULTIPLIER:
    take(s, there ? cycle->multipliers[number].real : NAN, NAN);
    break;
  default:
    take(s, there ? cycle->multipliers[number].error : NAN, NAN);
  }
  s->why = there || s->rule->uses != DLS_USES_NUMBER ? "" : "the cycle has fewer multipliers";
  return true;
}

/* The trajectory of the scheme, or the rows of its ledger; NULL if there are none. */
static const dls_trajectory *run_of(const search *s)
{
  const dls_study_results *results = s->results;
  const size_t i = s->e->scheme;
  if (i >= results->run_count) {
    return NULL;
  }
  return results->ledgers[i] != NULL ? results->ledgers[i]->rows : results->runs[i];
}

/* @return whether there is something to search in */
static bool look_up(search *s)
{
  const dls_order_study *errors = s->results->errors;
  const dls_work_study *work = s->results->work;
  if (s->results->sweep != NULL || s->results->spectrum != NULL) {
    return s->results->sweep != NULL ? search_sweep(s) : search_spectrum(s);
  }
  switch (s->rule->table) {
  case DLS_TABLE_SWEEP:
  case DLS_TABLE_SPECTRUM:
    return false;
  case DLS_TABLE_CYCLE:
    return search_cycle(s);
  case DLS_TABLE_LOCAL:
    return search_local(s);
  case DLS_TABLE_ESTIMATES:
    return search_fit(s);
  case DLS_TABLE_RUN:
    return judge_run(s, run_of(s));
  case DLS_TABLE_ORDERS:
    return errors != NULL && search_lines(s, errors->line_count, errors->lines);
  case DLS_TABLE_LIMITS:
  case DLS_TABLE_PLATEAUS:
    return errors != NULL && search_limits(s, errors->limit);
  case DLS_TABLE_SIGNS:
  case DLS_TABLE_DERIVATIVE_ERRORS:
  case DLS_TABLE_DERIVATIVE_SPREADS:
    return errors != NULL && search_derivatives(s);
  case DLS_TABLE_CONTACTS:
    return errors != NULL && search_contacts(s);
  case DLS_TABLE_SLOPES:
    return work != NULL && search_lines(s, work->line_count, work->lines);
  default:
    return errors != NULL && search_points(s);
  }
}

dls_study_verdict dls_study_judge(const dls_study *study, const dls_study_expectation *e,
                                  const dls_study_results *results, const char *folder)
{
  char file[FILE_SIZE], path[2 * FILE_SIZE] = "";
  const dls_study_rule *rule = dls_study_rule_at(dls_study_quantity_find(e->quantity));
  search s = {.study = study,
              .e = e,
              .rule = rule,
              .results = results,
              .why = "",
              .value = rule->reduce == DLS_REDUCE_IMPACTS ? 0 : NAN};
  dls_study_verdict out = {.value = NAN};
  if (results->grid != NULL) {
    return dls_study_judge_grid(study, e, results->grid);
  }
  name_file(&s, file, sizeof file);
  dls_text_append(path, sizeof path, "%.200s/%s", folder, file);
  if (!look_up(&s)) {
    snprintf(out.why, sizeof out.why, "there is no %.150s", path);
    return out;
  }
  s.value = s.cut ? NAN : s.value;
  if (isnan(s.value)) {
    say_why(&s, path, &out);
  }
  out.value = s.value;
  out.agrees = e->low <= s.value && s.value <= e->high;
  return out;
}

void dls_study_describe(const dls_study *study, const dls_study_expectation *e, char *text, size_t size)
{
  text[0] = '\0';
  dls_text_append(text, size, "%s", e->quantity);
  if (e->number > 0) {
    dls_text_append(text, size, " %zu", e->number);
  }
  if (e->norm != NULL) {
    dls_text_append(text, size, ", %s", e->norm);
  }
  if (e->of != NULL) {
    dls_text_append(text, size, " of %s", e->of);
  }
  if (study->kind == DLS_STUDY_LOCAL) {
    dls_text_append(text, size, ", %s, %s", dls_local_place_names[e->place],
                    e->impulse ? "with an impulse" : "without");
  }
  if (e->error > 0) {
    dls_text_append(text, size, " for an error of %g", e->error);
  }
  if (study->kind == DLS_STUDY_SPECTRUM && !isnan(e->at)) {
    dls_text_append(text, size, " at h/T = %g", e->at);
  }
  dls_study_describe_place(study, e, text, size);
  if (study->scheme_count > 1) {
    dls_text_append(text, size, ", %s", study->schemes[e->scheme]);
  }
}
