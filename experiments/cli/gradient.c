/* experiments/cli/gradient.c -- `delassus gradient`: derivatives of a state with respect to parameters, along one run or by differences.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/cli.h"
#include "experiments/cli/progress.h"

#include "common/base/decimal.h"
#include "common/run/csv.h"
#include "experiments/measures/gradient/gradient.h"
#include <delassus/catalogue.h>
#include <delassus/choice.h>
#include <math.h>
#include <stdlib.h>

/* What is asked for, checked. */
typedef struct job {
  const dls_cli_args *args;
  dls_model_choice model;
  dls_scheme_choice scheme;
  dls_gradient_spec spec;
  const char *of; /* or what is integrated */
  char **by;      /* parameters; one block */
} job;

static dls_status need(const dls_cli_args *args, const char *name, const char **value, dls_error *err)
{
  *value = dls_cli_value(args, name);
  return *value != NULL ? DLS_OK : dls_fail(err, DLS_ERR_OPTION, "--%s must be given", name);
}

static dls_status read_quantity(job *j, dls_error *err)
{
  const char *of = dls_cli_value(j->args, "of"), *integral = dls_cli_value(j->args, "integral");
  j->spec.integral = integral != NULL;
  j->of = integral != NULL ? integral : of;
  if ((of != NULL) == (integral != NULL)) {
    return dls_fail(err, DLS_ERR_OPTION, "one of --of X and --integral X must be given");
  }
  return j->of[0] != '\0' ? DLS_OK
                          : dls_fail(err, DLS_ERR_OPTION, "--%s: field 1 of '' is empty",
                                     integral != NULL ? "integral" : "of");
}

static dls_status read_words(job *j, dls_error *err)
{
  const dls_cli_args *args = j->args;
  const char *scheme = NULL, *at = NULL, *by = NULL;
  const dls_model *model = dls_catalogue_model(args->catalogue, args->positional[0], err);
  if (model == NULL || need(args, "scheme", &scheme, err) != DLS_OK || read_quantity(j, err) != DLS_OK ||
      need(args, "at", &at, err) != DLS_OK || need(args, "by", &by, err) != DLS_OK ||
      dls_cli_model(args, model, &j->model, err) != DLS_OK ||
      dls_catalogue_choose(args->catalogue, scheme, &j->scheme, err) != DLS_OK ||
      dls_cli_positive(args, "at", &j->spec.at, err) != DLS_OK ||
      (dls_cli_value(args, "step") != NULL && dls_cli_positive(args, "step", &j->spec.step, err) != DLS_OK) ||
      dls_cli_split("--by", by, ',', &j->by, &j->spec.by_count, err) != DLS_OK ||
      dls_gradient_read_method(dls_cli_value(args, "method"), dls_cli_value(args, "tangent"), &j->spec, err) !=
          DLS_OK) {
    return err->status;
  }
  if (dls_scheme_needs_step(j->scheme.scheme) && !(j->spec.step > 0)) {
    return dls_fail(err, DLS_ERR_OPTION, "scheme %s needs --step H", j->scheme.scheme->name);
  }
  return DLS_OK;
}

static void report(void *data, const char *text)
{
  const job *j = data;
  dls_cli_message(j->args->command->name, "%s", text);
}

static dls_status compute(job *j, double *gradient, dls_error *err)
{
  double value = 0;
  dls_cli_progress progress = dls_cli_progress_start(DLS_PROGRESS_AUTO, j->scheme.scheme->name, 1);
  dls_gradient_spec spec = j->spec;
  spec.model = j->model.model;
  spec.parameters = j->model.parameters;
  spec.scheme = &j->scheme;
  spec.of_count = 1;
  spec.of = &j->of;
  spec.by = (const char *const *)j->by;
  spec.poll = dls_cli_progress_poll;
  spec.poll_data = &progress;
  spec.report = report;
  spec.report_data = j;
  const dls_status status = dls_gradient_compute(&spec, &value, gradient, err);
  dls_cli_progress_end(&progress, status == DLS_OK);
  return status;
}

/* @return the exit code: failed if a derivative does not exist */
static int print(const job *j, const double *values)
{
  int code = DLS_EXIT_DONE;
  puts("parameter,value");
  for (size_t k = 0; k < j->spec.by_count; k++) {
    char number[DLS_DECIMAL_SIZE];
    dls_decimal_write(values[k], number);
    dls_csv_write_name(j->by[k], stdout);
    printf(",%s\n", isnan(values[k]) ? "nan" : number);
    code = isnan(values[k]) ? DLS_EXIT_FAILED : code;
  }
  return code;
}

static int run(const dls_cli_args *args)
{
  dls_error err = {0};
  job j = {.args = args};
  double *gradient = NULL;
  dls_status status = read_words(&j, &err);
  if (status == DLS_OK) {
    gradient = calloc(j.spec.by_count, sizeof *gradient);
    status = gradient != NULL ? compute(&j, gradient, &err) : dls_fail(&err, DLS_ERR_MEMORY, "out of memory");
  }
  const int code = status == DLS_OK ? print(&j, gradient) : dls_cli_fail(args->command->name, &err);
  free(gradient);
  free(j.by);
  dls_model_choice_release(&j.model);
  return code;
}

static const dls_cli_option options[] = {
    {.name = "scheme",
     .argument = "S[:OPT=VAL,...]",
     .help = "the time integrator: event-driven, or one that makes steps of length H; others by --method "
             "difference",
     .needed = true},
    {.name = "of",
     .argument = "X",
     .help = "what is differentiated: q0, q1, ..., v0, v1, ... or energy; t:K is the time of the K-th event up "
             "to --at"},
    {.name = "integral",
     .argument = "X",
     .help = "in place of --of: the integral of q0, q1, ..., v0, v1, ... or energy from 0 to --at"},
    {.name = "at", .argument = "T", .help = "at this time in s", .needed = true},
    {.name = "by", .argument = "P[,P...]", .help = "by these parameters of the model", .needed = true},
    {.name = "step", .argument = "H", .help = "time step in s, for schemes that do not choose their own"},
    {.name = "tangent",
     .argument = "K",
     .help = "of schemes by step: saltation (default), plain or difference:delta=D; see `delassus run --help`"},
    {.name = "method",
     .argument = "M",
     .help = "forward (default): along one run, through all events; adjoint: backward along one run, for many "
             "parameters; difference:delta=D: central difference of two runs, at P - D and P + D"},
    {0},
};

const dls_cli_command dls_cli_gradient = {
    .name = "gradient",
    .group = DLS_CLI_SIMULATE,
    .synopsis = "MODEL",
    .summary = "derivatives of a state, of the energy or of the time of an event with respect to parameters",
    .text =
        "How does the state at a time change with parameters of the model, through impacts, stick and slip?\n"
        "Prints CSV: parameter,value. Messages report where a derivative is one-sided or grazing. If it does\n"
        "not exist, its value is nan and the exit status 1.\n",
    .page = "reference/derivatives",
    .examples =
        "  delassus gradient bouncing-ball --scheme event-driven --of q0 --at 2.25 --by q0,v0,e\n"
        "  delassus gradient belt --scheme event-driven --of energy --at 3 --by vb,k\n"
        "  delassus gradient two-ball-oscillator --scheme event-driven --of t:3 --at 2 --by k,m,e \\\n"
        "    --method adjoint\n"
        "  delassus gradient bouncing-ball --scheme moreau-jean --step 1e-3 --of q0 --at 2.25 --by q0,e \\\n"
        "    --tangent plain\n"
        "  delassus gradient bouncing-ball --scheme moreau-jean --step 1e-3 --of q0 --at 2.25 --by e \\\n"
        "    --method difference:delta=0.1\n",
    .options = options,
    .keys = DLS_COMMAND_GRADIENT,
    .least = 1,
    .most = 1,
    .run = run,
};
