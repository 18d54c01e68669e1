/* experiments/cli/distance_exact.c -- see distance_exact.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/distance_exact.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/rigorous_module.h"
#include "experiments/cli/run.h"
#include "experiments/extra/foreign/file_metadata.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_DIGITS = 6, LINE_SIZE = 2000 };
static const double sampling_accuracy = 1e-12; /* of the exact solution in doubles [m], [m/s] */

dls_status dls_cli_distance_check(const dls_cli_args *args, const dls_norm *norm, dls_error *err)
{
  const bool exact = dls_cli_value(args, "exact") != NULL, rigorous = dls_cli_value(args, "rigorous") != NULL;
  const char *digits = dls_cli_value(args, "digits");
  if (exact != (args->positional_count == 1)) {
    return exact
               ? dls_fail(err, DLS_ERR_ARG, "--exact %.60s stands for the second file: %.100s is one too many",
                          dls_cli_value(args, "exact"), args->positional[1])
               : dls_fail(err, DLS_ERR_ARG,
                          "B.csv is missing, e.g. exact.csv: two files are needed, or one and --exact MODEL");
  }
  if (!exact && (rigorous || dls_cli_count(args, "set") > 0)) {
    return dls_fail(err, DLS_ERR_OPTION, "--%s goes with --exact MODEL", rigorous ? "rigorous" : "set");
  }
  if (digits != NULL && !rigorous) {
    return dls_fail(err, DLS_ERR_OPTION, "--digits = %.20s goes with --rigorous; --accuracy is for doubles",
                    digits);
  }
  if (rigorous && dls_cli_value(args, "accuracy") != NULL) {
    return dls_fail(err, DLS_ERR_OPTION, "--accuracy is for doubles: with --rigorous it is --digits");
  }
  if (rigorous && strcmp(norm->name, "hausdorff") != 0 && strcmp(norm->name, "l1") != 0) {
    return dls_fail(err, DLS_ERR_OPTION, "--norm %.40s has no rigorous bounds: hausdorff and l1 have",
                    norm->name);
  }
  return dls_cli_proof_check(args, err);
}

/* --- what the file says of itself --- */

typedef struct told {
  const dls_cli_args *args;
  const char *file;
  const dls_model_choice *choice;
} told;

/* "m=1,f=-9.81": a value that is another one than the exact solution's */
static void compare_parameters(const told *t, const char *text)
{
  const dls_option *table = t->choice->model->parameters;
  char line[LINE_SIZE];
  snprintf(line, sizeof line, "%s", text);
  for (char *rest = line, *pair = strtok_r(rest, ",", &rest); pair != NULL; pair = strtok_r(NULL, ",", &rest)) {
    char *value = strchr(pair, '=');
    for (size_t i = 0; value != NULL && i < dls_option_count(table); i++) {
      const size_t length = (size_t)(value - pair);
      if (strlen(table[i].name) == length && strncmp(table[i].name, pair, length) == 0 &&
          strtod(value + 1, NULL) != t->choice->parameters[i]) {
        dls_cli_message(t->args->command->name, "%s says %s, and is compared with %s=%.17g", t->file, pair,
                        table[i].name, t->choice->parameters[i]);
      }
    }
  }
}

static bool compare(void *data, const char *key, const char *value)
{
  const told *t = data;
  if (strcmp(key, "model") == 0 && strcmp(value, t->choice->model->name) != 0) {
    dls_cli_message(t->args->command->name, "%s says that it is of %s, and is compared with %s", t->file, value,
                    t->choice->model->name);
    return false;
  }
  if (strcmp(key, "parameters") == 0) {
    compare_parameters(t, value);
  }
  return true;
}

static dls_status choose(const dls_cli_args *args, const char *file, dls_model_choice *choice, dls_error *err)
{
  const dls_model *model = dls_catalogue_model(args->catalogue, dls_cli_value(args, "exact"), err);
  const dls_status status = model == NULL ? DLS_ERR_OPTION : dls_cli_model(args, model, choice, err);
  told t = {args, file, choice};
  return status != DLS_OK ? status : dls_file_metadata_each(file, compare, &t, err);
}

/* --- the distance --- */

dls_status dls_cli_distance_exact(const dls_cli_args *args, const char *file, double end, dls_trajectory **out,
                                  double *sampled, dls_error *err)
{
  dls_model_choice choice = {0};
  dls_status status = choose(args, file, &choice, err);
  const dls_exact *exact = status == DLS_OK ? dls_catalogue_exact(args->catalogue, choice.model->name) : NULL;
  if (status == DLS_OK && exact == NULL) {
    status = dls_fail(err, DLS_ERR_OPTION, "--exact: model %s has no exact solution", choice.model->name);
  }
  if (status == DLS_OK && !(end > 0)) {
    status =
        dls_fail(err, DLS_ERR_ARG, "%.100s ends at t = %g s, and the exact solution begins at 0", file, end);
  }
  if (status == DLS_OK) {
    status = dls_exact_trajectory(exact, choice.parameters, end, sampling_accuracy, out, err);
  }
  *sampled = sampling_accuracy;
  dls_model_choice_release(&choice);
  return status;
}

/* The problem of the graph; its end is behind the last node, whatever rounding does. */
static dls_status measure(const dls_cli_args *args, const dls_cli_rigorous_module *balls,
                          dls_rigorous_distance_problem *problem, const char *file, dls_rigorous_cell *out,
                          bool *wide, dls_error *err)
{
  dls_cli_rigorous_request r = {0};
  const double last = problem->t[problem->count - 1], end = nextafter(nextafter(last, HUGE_VAL), HUGE_VAL);
  double digits = USUAL_DIGITS;
  dls_cli_progress progress;
  const bool good = dls_cli_integer(args, "digits", 1, DLS_RIGOROUS_DISTANCE_DIGITS, &digits, err) == DLS_OK &&
                    choose(args, file, &r.choice, err) == DLS_OK &&
                    dls_cli_rigorous_numbers(args, end, 0, NULL, &r, err) == DLS_OK;
  dls_status status = good ? DLS_OK : err->status;
  if (status == DLS_OK && (problem->t[0] < 0 || !(last > problem->t[0]))) {
    status = dls_fail(err, DLS_ERR_ARG, "%.100s covers [%g, %g] s, and the exact solution begins at 0", file,
                      problem->t[0], last);
  }
  if (status == DLS_OK) {
    problem->exact = r.problem;
    problem->exact.digits = (unsigned)digits;
    status = dls_cli_proof_begin(args, &problem->exact, &progress, err);
  }
  if (status == DLS_OK) {
    status = balls->distance(problem, out, wide, err);
    dls_cli_proof_end(&progress, status == DLS_OK);
  }
  dls_cli_rigorous_release(&r);
  return status;
}

static void print(const dls_rigorous_distance_problem *problem, const dls_norm *norm,
                  const dls_rigorous_cell *cell)
{
  printf("distance_lo=%s\ndistance_hi=%s\nnorm=%s\ncolumn=", cell->low, cell->high, norm->name);
  for (size_t i = 0; i < problem->dim; i++) {
    printf("%s%s", i == 0 ? "" : ",", problem->columns[i]);
  }
  printf("\nfrom=%.17g\nto=%.17g\n", problem->t[0], problem->t[problem->count - 1]);
}

dls_status dls_cli_distance_rigorous(const dls_cli_args *args, const char *file, const dls_graph *graph,
                                     const dls_norm *norm, const char *const *columns, const dls_metric *metric,
                                     dls_error *err)
{
  char tau[DLS_DECIMAL_SIZE], xi[DLS_DECIMAL_SIZE];
  dls_cli_rigorous_module balls = {0};
  dls_rigorous_cell cell = {0};
  bool wide = false;
  dls_decimal_write(metric->time_scale, tau);
  dls_decimal_write(metric->value_scale, xi);
  dls_rigorous_distance_problem problem = {.count = graph->count,
                                           .dim = graph->dim,
                                           .t = graph->t,
                                           .x = graph->x,
                                           .slope = graph->slope,
                                           .columns = columns,
                                           .tau = tau,
                                           .xi = xi,
                                           .norm = strcmp(norm->name, "l1") == 0 ? DLS_RIGOROUS_L1
                                                                                 : DLS_RIGOROUS_HAUSDORFF};
  const bool good = dls_cli_rigorous_load(&balls, err) == DLS_OK &&
                    measure(args, &balls, &problem, file, &cell, &wide, err) == DLS_OK;
  if (good) {
    print(&problem, norm, &cell);
    if (wide) {
      dls_cli_message(args->command->name, "the bounds are proven, but farther apart than was asked");
    }
  }
  free(cell.low);
  free(cell.high);
  return good ? DLS_OK : err->status;
}
