/* experiments/cli/playground.c -- `delassus playground`: the library itself in one page.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/playground/playground.h"
#include "experiments/cli/cli.h"

#include <delassus/choice.h>
#include <delassus/graph.h>
#include <delassus/sim.h>
#include <stdlib.h>
#include <string.h>

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

/* The page shows quantities of every row; a model with contacts has impulses. */
static dls_status check_of(const char *of, const dls_system *sys, dls_error *err)
{
  char name[24];
  bool known = of == NULL || strcmp(of, "q") == 0 || strcmp(of, "v") == 0 || strcmp(of, "impulse") == 0;
  for (size_t i = 0; i < sys->n && !known; i++) {
    snprintf(name, sizeof name, "%c%zu", of[0] == 'q' ? 'q' : 'v', i);
    known = strcmp(of, name) == 0;
  }
  return known ? DLS_OK
               : dls_fail(err, DLS_ERR_ARG,
                          "--of = '%.60s': it must be q, v, impulse, q0, ..., q%zu, v0, ..., v%zu", of,
                          sys->n - 1, sys->n - 1);
}

static dls_status check_scheme(const dls_cli_args *args, const char *text, const dls_system *sys,
                               dls_error *err)
{
  dls_scheme_choice choice;
  dls_sim *sim = NULL;
  dls_status status = dls_catalogue_choose(args->catalogue, text, &choice, err);
  status = status != DLS_OK ? status : dls_scheme_choice_sim(&choice, sys, &sim, err);
  status = status != DLS_OK ? status : dls_sim_start(sim, err);
  dls_sim_destroy(sim);
  return status;
}

static dls_status check_schemes(const dls_cli_args *args, const dls_system *sys, dls_error *err)
{
  const size_t count = dls_cli_count(args, "scheme");
  if (count > DLS_PLAYGROUND_SCHEMES) {
    return dls_fail(err, DLS_ERR_ARG, "the page shows at most %d schemes, not %zu", DLS_PLAYGROUND_SCHEMES,
                    count);
  }
  dls_status status = DLS_OK;
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    status = check_scheme(args, dls_cli_value_at(args, "scheme", i), sys, err);
  }
  return status;
}

/* The model with its settings, and that it has the quantity and suits the schemes. */
static dls_status check_model(const dls_cli_args *args, dls_error *err)
{
  const bool given = args->positional_count > 0;
  dls_model_choice choice = {0};
  dls_system *sys = NULL;
  if (!given && dls_cli_count(args, "set") > 0) {
    return dls_fail(err, DLS_ERR_ARG, "--set needs a MODEL before it");
  }
  const dls_model *model =
      dls_catalogue_model(args->catalogue, given ? args->positional[0] : DLS_PLAYGROUND_MODEL, err);
  if (model == NULL) {
    return err->status;
  }
  if (model->files != NULL) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "model %s is made from files, which a page cannot read; the text of a mechanism can be pasted "
        "into the page",
        model->name);
  }
  dls_status status = dls_cli_model(args, model, &choice, err);
  status = status != DLS_OK ? status : dls_model_create(choice.model, choice.parameters, &sys, err);
  status = status != DLS_OK ? status : check_of(dls_cli_value(args, "of"), sys, err);
  status = status != DLS_OK ? status : check_schemes(args, sys, err);
  dls_system_destroy(sys);
  dls_model_choice_release(&choice);
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
  if (check_model(args, err) != DLS_OK || check_numbers(args, err) != DLS_OK) {
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
