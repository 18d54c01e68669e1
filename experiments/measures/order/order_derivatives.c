/* experiments/measures/order/order_derivatives.c -- see order_derivatives.h
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/order_derivatives.h"
#include "experiments/catalogue/law_parameters.h"
#include "experiments/measures/order/study_tables.h"
#include "experiments/measures/order/thresholds.h"
#include <delassus/fit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- names --- */

/* The parameters of a study, each once. @param[out] names  of_count @return their number */
static size_t parameters_of(const dls_order_spec *spec, const char **names)
{
  size_t count = 0;
  for (size_t i = 0; i < spec->of_count; i++) {
    const char *name = dls_derivative_parameter(spec->of[i]);
    bool known = name == NULL;
    for (size_t k = 0; k < count && !known; k++) {
      known = strcmp(names[k], name) == 0;
    }
    if (!known) {
      names[count++] = name;
    }
  }
  return count;
}

void dls_order_unit(const dls_order_spec *spec, const dls_system *sys, size_t of, char unit[DLS_UNIT_ROOM])
{
  const char *name = dls_derivative_parameter(spec->of[of]);
  if (name == NULL) {
    dls_quantity_unit(sys, spec->of[of], unit);
    return;
  }
  const int which = dls_option_find(spec->model->parameters, name);
  const char *below = which >= 0 ? spec->model->parameters[which].unit : "1";
  const char *form = strcmp(below, "1") == 0 ? "%s" : strchr(below, '/') != NULL ? "%s/(%s)" : "%s/%s";
  char state[16], above[DLS_UNIT_ROOM], text[4 * DLS_UNIT_ROOM];
  snprintf(state, sizeof state, "%.*s", (int)(name - 2 - (spec->of[of] + 1)), spec->of[of] + 1);
  dls_quantity_unit(sys, state, above);
  snprintf(text, sizeof text, form, above, below);
  snprintf(unit, DLS_UNIT_ROOM, "%.*s", DLS_UNIT_ROOM - 1, text);
}

void dls_order_error_unit(const dls_norm *norm, const char *of_quantity, char unit[60])
{
  const char *slot = norm->unit != NULL ? strstr(norm->unit, "%s") : NULL;
  const int before =
      slot == NULL ? (int)strlen(norm->unit != NULL ? norm->unit : "") : (int)(slot - norm->unit);
  unit[0] = '\0';
  if (norm->unit != NULL) {
    snprintf(unit, 60, " [%.*s%s%s]", before, norm->unit, slot == NULL ? "" : of_quantity,
             slot == NULL ? "" : slot + 2);
  }
}

/* --- runs --- */

dls_status dls_order_tangents_attach(const dls_order_spec *spec, dls_sim *sim, dls_run_spec *run,
                                     dls_order_tangents *out, dls_error *err)
{
  /* Schemes that locate events have the derivatives of the motion. */
  const dls_tangent_method saltation = {.kind = DLS_TANGENT_SALTATION};
  const dls_tangent_method *method =
      (sim->scheme->handles & DLS_HANDLES_DERIVATIVES) != 0 ? &saltation : &spec->tangent;
  *out = (dls_order_tangents){.count = 0};
  if (!dls_order_differentiates(spec)) {
    return DLS_OK;
  }
  const char **names = calloc(spec->of_count, sizeof *names);
  out->directions = calloc(spec->of_count, sizeof *out->directions);
  dls_status status = names != NULL && out->directions != NULL
                          ? DLS_OK
                          : dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu derivatives", spec->of_count);
  const size_t count = status == DLS_OK ? parameters_of(spec, names) : 0;
  dls_model_choice with_law = {0};
  status = status != DLS_OK ? status
                            : dls_named_parameters(spec->model, spec->parameters, count, names, &with_law, err);
  for (; out->count < count && status == DLS_OK; out->count++) {
    status = dls_tangent_direction(sim->scheme, method, with_law.model, with_law.parameters, names[out->count],
                                   &out->directions[out->count], err);
  }
  dls_model_choice_release(&with_law);
  free(names);
  run->watch = dls_derivative_columns_watch;
  run->watch_data = &out->columns;
  return status != DLS_OK ? status : dls_sim_differentiate_as(sim, method, out->count, out->directions, err);
}

dls_status dls_order_tangents_join(dls_order_tangents *tangents, const dls_sim *sim, dls_trajectory *record,
                                   dls_error *err)
{
  return tangents->directions == NULL ? DLS_OK
                                      : dls_derivative_columns_join(&tangents->columns, sim, record, err);
}

void dls_order_tangents_release(dls_order_tangents *tangents)
{
  for (size_t k = 0; k < tangents->count; k++) {
    dls_direction_release(&tangents->directions[k]);
  }
  free(tangents->directions);
  dls_derivative_columns_release(&tangents->columns);
  *tangents = (dls_order_tangents){.count = 0};
}

dls_status dls_derivative_graph(const dls_trajectory *traj, const char *of, dls_graph **out, dls_error *err)
{
  const int column = dls_trajectory_column(traj, of);
  size_t count = 0;
  if (column < 0 || traj->rows == 0) {
    return dls_fail(err, DLS_ERR_ARG, "the run has no column %.60s", of);
  }
  for (size_t i = 0; i < traj->rows; i++) {
    count += isfinite(dls_trajectory_at(traj, i, (size_t)column));
  }
  if (!isfinite(dls_trajectory_at(traj, traj->rows - 1, (size_t)column)) || count < 2) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "the run has no derivative %.60s at its end, t = %.6g", of,
                    dls_trajectory_at(traj, traj->rows - 1, 0));
  }
  dls_graph *graph = dls_graph_create(count, 1, false);
  if (graph == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the graph of %.60s", of);
  }
  for (size_t i = 0, k = 0; i < traj->rows; i++) {
    const double x = dls_trajectory_at(traj, i, (size_t)column);
    if (isfinite(x)) {
      graph->t[k] = dls_trajectory_at(traj, i, 0);
      graph->x[k++] = x;
    }
  }
  *out = graph;
  return DLS_OK;
}

/* --- the reference --- */

static dls_status differentiate_exact(const dls_order_spec *spec, const dls_exact *exact, dls_trajectory *table,
                                      dls_error *err)
{
  const char **names = calloc(spec->of_count, sizeof *names);
  dls_exact_derivative *derivatives = calloc(spec->of_count, sizeof *derivatives);
  dls_status status = names != NULL && derivatives != NULL
                          ? DLS_OK
                          : dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu derivatives", spec->of_count);
  const size_t count = status == DLS_OK ? parameters_of(spec, names) : 0;
  if (status == DLS_OK) {
    status = dls_exact_differentiate(exact, spec->parameters, count, names, table, derivatives, err);
  }
  for (size_t k = 0; k < count && status == DLS_OK; k++) {
    if (derivatives[k].status == DLS_DERIVATIVE_DEGENERATE) {
      status =
          dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                   "the exact solution has no derivative with respect to %s from t = %.10g on, because "
                   "neighbouring values have other events; try an earlier end, or --reference event-driven",
                   names[k], derivatives[k].missing_from);
    }
  }
  free(names);
  free(derivatives);
  return status;
}

dls_status dls_order_differentiate_reference(const dls_order_spec *spec, const dls_exact *exact,
                                             dls_trajectory *table, dls_error *err)
{
  if (!dls_order_differentiates(spec)) {
    return DLS_OK;
  }
  const dls_status status = exact != NULL ? differentiate_exact(spec, exact, table, err) : DLS_OK;
  for (size_t j = 0; j < table->columns; j++) {
    if (dls_derivative_parameter(table->names[j]) != NULL) {
      table->meaning[j] = DLS_CUBIC; /* rows are dense enough for q and v, whose derivatives are as smooth */
    }
  }
  return status;
}

/* --- over the phase of the grid --- */

static bool has_sign(double value, double exact)
{
  return value * exact > 0 || value == exact;
}

dls_order_phases dls_order_phases_of(const dls_order_study *study, const dls_order_line *line, size_t level)
{
  dls_order_phases out = {.step = 0};
  double square = 0, right = 0;
  for (size_t i = 0; i < study->point_count; i++) {
    const dls_order_point *point = &study->points[i];
    if (!dls_order_on_line(point, line) || point->level != level || !isfinite(point->value)) {
      continue;
    }
    const double part = 1 / (double)++out.runs, error = point->value - point->exact, before = error - out.error;
    out.error += before * part; /* Welford's sums */
    square += before * (error - out.error);
    out.value += (point->value - out.value) * part;
    out.step += (point->step - out.step) * part;
    right += has_sign(point->value, point->exact);
  }
  if (out.runs == 0) {
    return (dls_order_phases){0, NAN, NAN, NAN, NAN, NAN};
  }
  out.spread = sqrt(square / (double)out.runs);
  out.sign_share = right / (double)out.runs;
  return out;
}

dls_order_phases dls_order_phases_finest(const dls_order_study *study, const dls_order_line *line)
{
  dls_order_phases finest = {.runs = 0};
  for (size_t level = dls_order_level_count(study, line); level > 0 && finest.runs == 0; level--) {
    finest = dls_order_phases_of(study, line, level - 1);
  }
  return finest;
}

/* What phases of a level have as error. NaN if there are none. */
typedef struct level_errors {
  double half, most; /* half of the runs, and 80 % of them, have less */
  double low, high;  /* interval of `most` for all phases, between two of the runs in order */
} level_errors;

/* @param[in] exact  smaller errors are as large as that */
static level_errors errors_of(const dls_order_study *study, const dls_order_line *line, size_t level,
                              double exact)
{
  double *errors = malloc((study->spec.repeats + 1) * sizeof *errors);
  level_errors out = {NAN, NAN, NAN, NAN};
  size_t count = 0;
  for (size_t i = 0; i < study->point_count && errors != NULL; i++) {
    const dls_order_point *point = &study->points[i];
    if (dls_order_on_line(point, line) && point->level == level && isfinite(point->error.value)) {
      errors[count++] = fmax(point->error.value, exact);
    }
  }
  if (count > 0) {
    const double below = threshold_part_of_phases * (double)count,
                 deviation = threshold_deviations *
                             sqrt(below * (1 - threshold_part_of_phases)); /* of a binomial distribution */
    gsl_sort(errors, 1, count);
    out.half = gsl_stats_median_from_sorted_data(errors, 1, count);
    out.most = gsl_stats_quantile_from_sorted_data(errors, 1, count, threshold_part_of_phases);
    out.low = errors[(size_t)fmax(floor(below - deviation) - 1, 0)];
    out.high = errors[(size_t)fmin(ceil(below + deviation), (double)count - 1)];
  }
  free(errors);
  return out;
}

/* Orders that fit the errors of two levels. */
typedef struct orders {
  double low, high; /* of most phases */
  double half;      /* of half of them; NaN where these are exact */
} orders;

static orders orders_between(const dls_order_study *study, const dls_order_line *line, size_t coarse,
                             size_t fine, double exact)
{
  const level_errors first = errors_of(study, line, coarse, exact), last = errors_of(study, line, fine, exact);
  const double ratio =
      log(dls_order_phases_of(study, line, coarse).step / dls_order_phases_of(study, line, fine).step);
  return (orders){log(first.low / last.high) / ratio, log(first.high / last.low) / ratio,
                  last.half > exact ? log(first.half / last.half) / ratio : NAN};
}

static bool no_order(double order)
{
  return fabs(order) < DLS_LEAST_ORDER;
}

static void judge(const dls_order_study *study, const dls_order_line *line, const dls_order_phases *finest,
                  char *verdict, size_t room)
{
  const size_t levels = dls_order_level_count(study, line), middle = (levels - 1) / 2,
               before = levels < 3            ? middle
                        : middle < levels - 3 ? middle
                                              : levels - 3;
  const double exact = threshold_exact * study->sizes[line->norm * study->spec.of_count + line->of];
  const double error = fabs(finest->error), most = errors_of(study, line, levels - 1, exact).most;
  if (finest->runs == 0 || dls_order_by_event(study, line) || isnan(most)) {
    return;
  }
  if (most <= exact) {
    snprintf(verdict, room, "exact");
    return;
  }
  /* Of the fine half of the levels: derivatives that converge to something else converge at first. */
  const orders fine = orders_between(study, line, middle, levels - 1, exact);
  const bool one = finest->spread <= threshold_one_limit * error && no_order(fine.half);
  double low = one ? fine.half : fmin(fine.low, fine.half), high = one ? fine.half : fmax(fine.high, fine.half);
  if (levels < 2 || isnan(low)) {
    return;
  }
  if (before < middle && (low >= DLS_LEAST_ORDER || high <= -DLS_LEAST_ORDER)) {
    /* A trend of two levels is none if the level before shows the opposite. */
    const orders coarse = orders_between(study, line, before, middle, exact);
    low = coarse.high <= -DLS_LEAST_ORDER ? fmin(low, coarse.low) : low;
    high = coarse.low >= DLS_LEAST_ORDER ? fmax(high, coarse.high) : high;
  }
  const bool falls = low >= DLS_LEAST_ORDER, rises = high <= -DLS_LEAST_ORDER,
             stays = no_order(low) && no_order(high);
  if (!falls && !rises && !stays) {
    snprintf(verdict, room, "not decided: orders %.1f to %.1f fit most phases, take more repeats or steps", low,
             high);
    return;
  }
  snprintf(verdict, room, "%s",
           falls   ? "converges"
           : rises ? "diverges"
           : one   ? "converges to the derivative of another map"
           : error <= threshold_mean_is_right * finest->spread / sqrt((double)finest->runs)
               ? "no limit: it depends on the phase of the grid, its mean is right"
               : "no limit: it depends on the phase of the grid");
}

void dls_order_judge_derivative(const dls_order_study *study, dls_order_line *line)
{
  line->sign_share = NAN;
  line->verdict[0] = '\0';
  if (dls_derivative_parameter(study->spec.of[line->of]) == NULL || study->sizes == NULL) {
    return; /* interrupted before any run */
  }
  const dls_order_phases finest = dls_order_phases_finest(study, line);
  line->sign_share = finest.sign_share;
  judge(study, line, &finest, line->verdict, sizeof line->verdict);
  const bool says_why = line->verdict[0] != '\0' && strcmp(line->verdict, "converges") != 0;
  if (!line->fitted && says_why) {
    snprintf(line->reason, sizeof line->reason, "%s, mean error %.2g", line->verdict, finest.error);
  }
}

dls_status dls_order_write_derivatives(const dls_order_study *study, FILE *out)
{
  fputs("model,scheme,norm,of,tangent,step,runs,value,error,spread,sign_share\n", out);
  for (size_t i = 0; i < study->line_count; i++) {
    const dls_order_line *line = &study->lines[i];
    char label[DLS_LABEL_ROOM];
    dls_order_scheme_label(study, line->scheme, label, sizeof label);
    for (size_t level = 0; level < dls_order_level_count(study, line); level++) {
      const dls_order_phases phases = dls_order_phases_of(study, line, level);
      if (phases.runs == 0) {
        continue;
      }
      dls_table_field(out, study->spec.model->name);
      fputc(',', out);
      dls_table_field(out, label);
      fprintf(out, ",%s,%s,%s", study->spec.norms[line->norm]->name, study->spec.of[line->of],
              dls_order_by_event(study, line) ? "saltation" : dls_tangent_kind_name(study->spec.tangent.kind));
      dls_table_number(out, phases.step);
      fprintf(out, ",%zu", phases.runs);
      const double numbers[] = {phases.value, phases.error, phases.spread, phases.sign_share};
      for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        dls_table_number(out, numbers[k]);
      }
      fputc('\n', out);
    }
  }
  return dls_table_end(study, out);
}
