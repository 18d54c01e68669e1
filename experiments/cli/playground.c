/* experiments/cli/playground.c -- `delassus playground`: the library itself in one page.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/playground/playground.h"
#include "experiments/cli/cli.h"

#include <delassus/choice.h>
#include <delassus/graph.h>
#include <stdlib.h>

/* Values of options that may be repeated, in one array to be freed. */
static dls_status values_of(const dls_cli_args *args, const char *name, const char ***out, size_t *count,
                            dls_error *err)
{
  *count = dls_cli_count(args, name);
  *out = malloc((*count + 1) * sizeof **out);
  if (*out == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "out of memory");
  }
  for (size_t i = 0; i < *count; i++) {
    (*out)[i] = dls_cli_value_at(args, name, i);
  }
  return DLS_OK;
}

static dls_status check_model(const dls_cli_args *args, dls_error *err)
{
  dls_model_choice choice = {0};
  if (args->positional_count == 0) {
    return dls_cli_count(args, "set") == 0 ? DLS_OK
                                           : dls_fail(err, DLS_ERR_ARG, "--set needs a MODEL before it");
  }
  const dls_model *model = dls_catalogue_model(args->catalogue, args->positional[0], err);
  const dls_status status = model != NULL ? dls_cli_model(args, model, &choice, err) : err->status;
  dls_model_choice_release(&choice);
  return status;
}

static dls_status check_schemes(const dls_cli_args *args, dls_error *err)
{
  const size_t count = dls_cli_count(args, "scheme");
  dls_scheme_choice choice;
  if (count > DLS_PLAYGROUND_SCHEMES) {
    return dls_fail(err, DLS_ERR_ARG, "the page shows at most %d schemes, not %zu", DLS_PLAYGROUND_SCHEMES,
                    count);
  }
  dls_status status = DLS_OK;
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    status = dls_catalogue_choose(args->catalogue, dls_cli_value_at(args, "scheme", i), &choice, err);
  }
  return status;
}

static dls_status check_numbers(const dls_cli_args *args, dls_error *err)
{
  static const char *const numbers[] = {"step", "tol", "end"};
  dls_status status = DLS_OK;
  double value = 1;
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && status == DLS_OK; i++) {
    status = dls_cli_value(args, numbers[i]) != NULL ? dls_cli_positive(args, numbers[i], &value, err) : DLS_OK;
  }
  return status;
}

static dls_status check(const dls_cli_args *args, dls_error *err)
{
  const char *path = dls_cli_value(args, "out"), *norm = dls_cli_value(args, "norm");
  if (path == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "--out is missing: -o playground.html");
  }
  if (check_model(args, err) != DLS_OK || check_schemes(args, err) != DLS_OK ||
      check_numbers(args, err) != DLS_OK) {
    return err->status;
  }
  dls_norm_choice choice;
  return norm == NULL || dls_norm_read(norm, &choice, err) == DLS_OK ? dls_cli_check_output(path, err)
                                                                     : err->status;
}

static int run(const dls_cli_args *args)
{
  dls_error err = {0};
  dls_playground_start start = {
      .model = args->positional_count > 0 ? args->positional[0] : NULL,
      .step = dls_cli_value(args, "step"),
      .tol = dls_cli_value(args, "tol"),
      .end = dls_cli_value(args, "end"),
      .norm = dls_cli_value(args, "norm"),
      .of = dls_cli_value(args, "of"),
  };
  const char **settings = NULL, **schemes = NULL;
  dls_status status = check(args, &err);
  if (status == DLS_OK) {
    status = values_of(args, "set", &settings, &start.setting_count, &err);
  }
  if (status == DLS_OK) {
    status = values_of(args, "scheme", &schemes, &start.scheme_count, &err);
  }
  if (status == DLS_OK) {
    start.settings = settings;
    start.schemes = schemes;
    status = dls_playground_write(&start, dls_cli_value(args, "out"), &err);
  }
  free(settings);
  free(schemes);
  return status == DLS_OK ? DLS_EXIT_DONE : dls_cli_fail(args->command->name, &err);
}

static const dls_cli_option options[] = {
    {.name = "out", .argument = "FILE.html", .help = "the page, also as -o FILE.html", .needed = true},
    {.name = "scheme",
     .argument = "S[:OPT=VAL,...]",
     .help = "a scheme that the page shows first; may be repeated, up to four times",
     .repeat = true},
    {.name = "step", .argument = "H", .help = "the time step that the page shows first, in s"},
    {.name = "tol",
     .argument = "TOL",
     .help = "the tolerance that the page shows first, of schemes that choose their own steps"},
    {.name = "end", .argument = "T", .help = "the page simulates from t = 0 to this time in s"},
    {.name = "norm", .argument = "L", .help = "the measure of the error (`delassus list norms`)"},
    {.name = "of", .argument = "X", .help = "what is compared: q0, q1, ..., v0, v1, ..., q or v"},
    {0},
};

const dls_cli_command dls_cli_playground = {
    .name = "playground",
    .group = DLS_CLI_LEARN,
    .synopsis = "[MODEL]",
    .summary = "the library itself in one page, without network",
    .text =
        "Write a page that contains this library: every model, scheme and norm, computed in the browser.\n"
        "Sliders set parameters, step and tolerance. Each move computes trajectories, errors against the\n"
        "exact solution, fitted orders, energy and events again. The options say what the page shows first.\n",
    .page = "reference/playground",
    .examples =
        "  delassus playground -o playground.html\n"
        "  delassus playground impacting-oscillator --scheme moreau-jean --step 0.02 -o oscillator.html\n",
    .options = options,
    .keys = DLS_COMMAND_PLAYGROUND,
    .least = 0,
    .most = 1,
    .run = run,
};
