/* experiments/cli/check_model.c -- `delassus check-model`: the callbacks of a model, or of all models of a
 * plugin, against differences.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/cli.h"
#include "experiments/measures/model/model_check.h"
#include "experiments/measures/model/parameter_check.h"

#include <math.h>
#include <string.h>

static const char *verdict(const dls_model_check_row *row)
{
  return row->agrees ? (row->absent ? "yes: not given, 0" : "yes") : row->absent ? "NO: it is missing" : "NO";
}

static dls_status print_table(const dls_model *model, const dls_model_check *check, dls_error *err)
{
  static const char *const headers[] = {"callback", "is", "largest difference", "of size", "agrees"};
  dls_cli_rows rows = {.columns = 5, .headers = headers};
  for (size_t i = 0; i < check->count; i++) {
    const dls_model_check_row *row = &check->rows[i];
    dls_cli_cell(&rows, "%s", row->callback);
    dls_cli_cell(&rows, "%s", row->meaning);
    dls_cli_cell(&rows, "%.2g", row->difference);
    dls_cli_cell(&rows, "%.3g", row->size);
    dls_cli_cell(&rows, "%s", verdict(row));
  }
  char heading[200];
  snprintf(heading, sizeof heading, "%.100s: callbacks against difference quotients\n", model->name);
  return check->count > 0 ? dls_cli_rows_print(&rows, heading, stdout, err) : DLS_OK;
}

/* What does not agree, in one line each; the first entry where most is wrong. */
static void report_wrong(const dls_cli_args *args, const dls_model *model, const dls_model_check *check)
{
  for (size_t i = 0; i < check->count; i++) {
    const dls_model_check_row *row = &check->rows[i];
    if (row->agrees) {
      continue;
    }
    if (isnan(row->difference) && isnan(row->value) == 0) {
      dls_cli_message(args->command->name,
                      "%s: %s: nothing could be compared: no value is finite, or it changes within 1e-4 of its "
                      "scale of length or time",
                      model->name, row->callback);
    } else if (strcmp(row->callback, "mass") == 0) {
      dls_cli_message(args->command->name,
                      "%s: mass: entry (%zu, %zu) = %.10g, (%zu, %zu) = %.10g: M must be symmetric %s",
                      model->name, row->row, row->column, row->value, row->column, row->row,
                      isnan(row->quotient) ? row->value : row->quotient, "and positive definite");
    } else {
      dls_cli_message(
          args->command->name,
          "%s: %s (%s): row %zu, column %zu is %.10g, the difference quotient is %.10g, at t = %.6g s",
          model->name, row->callback, row->meaning, row->row, row->column, row->value, row->quotient, row->t);
    }
  }
}

static dls_status print_parameters(const dls_model *model, const dls_parameter_check *check, dls_error *err)
{
  static const char *const headers[] = {"parameter p", "is", "largest difference", "of size", "agrees"};
  dls_cli_rows rows = {.columns = 5, .headers = headers};
  for (size_t i = 0; i < check->count; i++) {
    const dls_parameter_row *row = &check->rows[i];
    dls_cli_cell(&rows, "%s", row->parameter);
    dls_cli_cell(&rows, "%s", row->term);
    dls_cli_cell(&rows, "%.2g", row->difference);
    dls_cli_cell(&rows, "%.3g", row->size);
    dls_cli_cell(&rows, "%s", row->agrees ? "yes" : "NO");
  }
  char heading[200];
  snprintf(heading, sizeof heading, "%.100s: by_parameter against differences of systems\n", model->name);
  return check->count > 0 ? dls_cli_rows_print(&rows, heading, stdout, err) : DLS_OK;
}

static void report_wrong_parameters(const dls_cli_args *args, const dls_model *model,
                                    const dls_parameter_check *check)
{
  for (size_t i = 0; i < check->count; i++) {
    const dls_parameter_row *row = &check->rows[i];
    if (!row->agrees) {
      dls_cli_message(args->command->name,
                      "%s: by_parameter (%s, p = %s): row %zu, column %zu is %.10g, the difference quotient is "
                      "%.10g, at t = %.6g s",
                      model->name, row->term, row->parameter, row->row, row->column, row->value, row->quotient,
                      row->t);
    }
  }
}

/* @return exit code */
static int check_one(const dls_cli_args *args, const dls_model *entry)
{
  double states = 8, seed = 1;
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_model_choice choice = {0};
  dls_model_check check;
  dls_parameter_check by = {0};
  int code = DLS_EXIT_DONE;
  if (dls_cli_integer(args, "states", 1, 1e6, &states, &err) != DLS_OK ||
      dls_cli_integer(args, "seed", 0, 4294967295.0, &seed, &err) != DLS_OK ||
      dls_cli_model(args, entry, &choice, &err) != DLS_OK ||
      dls_model_create(choice.model, choice.parameters, &sys, &err) != DLS_OK ||
      dls_model_check_run(sys, (size_t)states, (unsigned long)seed, &check, &err) != DLS_OK ||
      dls_parameter_check_run(choice.model, choice.parameters, (size_t)states, (unsigned long)seed, &by,
                              &err) != DLS_OK ||
      print_table(entry, &check, &err) != DLS_OK || print_parameters(entry, &by, &err) != DLS_OK) {
    code = dls_cli_fail(args->command->name, &err);
  } else if (check.count + by.count == 0) {
    printf("%s: linear, with constant matrices and no load or gap over time: nothing to differentiate\n",
           entry->name);
  } else {
    report_wrong(args, entry, &check);
    report_wrong_parameters(args, entry, &by);
    code = check.wrong + by.wrong > 0 ? dls_cli_unmet(args, DLS_EXIT_FAILED) : DLS_EXIT_DONE;
  }
  dls_parameter_check_release(&by);
  dls_system_destroy(sys);
  dls_model_choice_release(&choice);
  return code;
}

/* Every model of a plugin, one after the other. */
static int check_plugin(const dls_cli_args *args, const char *path)
{
  dls_error err = {0};
  dls_catalogue *catalogue = NULL;
  if (dls_catalogue_create(&catalogue, &err) != DLS_OK || dls_catalogue_load(catalogue, path, &err) != DLS_OK) {
    dls_catalogue_destroy(catalogue);
    return dls_cli_fail(args->command->name, &err);
  }
  int code = DLS_EXIT_DONE;
  size_t count = 0;
  for (const dls_model *const *model = dls_catalogue_models(catalogue); *model != NULL; model++) {
    if (dls_catalogue_model(NULL, (*model)->name, NULL) == NULL) {
      const int one = check_one(args, *model);
      code = one > code ? one : code;
      count++;
    }
  }
  if (count == 0) {
    printf("%s: no models\n", path);
  }
  dls_catalogue_destroy(catalogue);
  return code;
}

static int run(const dls_cli_args *args)
{
  const char *what = args->positional[0];
  const size_t length = strlen(what);
  if (length > 3 && strcmp(what + length - 3, ".so") == 0) {
    return check_plugin(args, what);
  }
  dls_error err = {0};
  const dls_model *model = dls_catalogue_model(args->catalogue, what, &err);
  return model == NULL ? dls_cli_fail(args->command->name, &err) : check_one(args, model);
}

static const dls_cli_option options[] = {
    {.name = "states", .argument = "N", .help = "random states at which is compared (default 8)"},
    {.name = "seed", .argument = "S", .help = "start of the random numbers (default 1)"},
    {0},
};

const dls_cli_command dls_cli_check_model = {
    .name = "check-model",
    .group = DLS_CLI_KEEP,
    .synopsis = "MODEL|PLUGIN.so",
    .summary = "compare the callbacks of a model with difference quotients",
    .text =
        "Is what a model calls the derivative of its forces, gaps and joints their derivative? Compared with\n"
        "difference quotients of order 4 at random states around the initial one; a callback that the model\n"
        "does not have counts as zero. A mass matrix that varies must be symmetric and positive definite.\n"
        "PLUGIN.so: all models of a plugin. Exit status 1, with --strict 3, if something does not agree.\n",
    .page = "guide/model",
    .examples = "  delassus check-model bouncing-pendulum\n"
                "  delassus check-model ./falling.so\n"
                "  delassus check-model heavy-top --states 100\n",
    .options = options,
    .keys = DLS_COMMAND_CHECK_MODEL,
    .least = 1,
    .most = 1,
    .run = run,
};
