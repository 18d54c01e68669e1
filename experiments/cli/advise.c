/* experiments/cli/advise.c -- `delassus advise`: the cheapest scheme and step that reach an error, and the command to use.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/advise/advise.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/progress.h"

#include "common/base/text.h"
#include <delassus/output.h>
#include <delassus/work.h>
#include <math.h>
#include <string.h>

enum { MOST_SCHEMES = 256, MOST_ARGUMENTS = 200, DEFAULT_TIMINGS = 3 };
static const double default_steps = 1e5;

typedef struct job {
  const dls_cli_args *args;
  dls_request *request;
  dls_advise_spec spec;
  dls_advised *advised;
} job;

/* --- what is asked --- */

/* Those of --scheme, or all of the catalogue but those for teaching. */
static dls_status choose_schemes(job *j, dls_error *err)
{
  const dls_scheme *const *all = dls_catalogue_schemes(j->args->catalogue);
  size_t count = 0;
  if (j->request->spec.scheme_count > 0) {
    return DLS_OK;
  }
  dls_scheme_choice *schemes = dls_pool_take(j->request->pool, MOST_SCHEMES * sizeof *schemes);
  if (schemes == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the schemes");
  }
  for (size_t i = 0; all[i] != NULL && count < MOST_SCHEMES; i++) {
    if (all[i]->family != DLS_FAMILY_TEACHING) {
      schemes[count++] = (dls_scheme_choice){.scheme = all[i]};
    }
  }
  j->spec.order.schemes = schemes;
  j->spec.order.scheme_count = count;
  return DLS_OK;
}

/* --error, --most-steps; one norm and one quantity. */
static dls_status read_goal(job *j, dls_error *err)
{
  dls_order_spec *order = &j->spec.order;
  if (dls_cli_value(j->args, "error") == NULL || dls_cli_value(j->args, "of") == NULL) {
    return dls_fail(err, DLS_ERR_ARG,
                    "--%s is missing: say which error is wanted of what, such as --error 1e-3 --of q0",
                    dls_cli_value(j->args, "error") == NULL ? "error" : "of");
  }
  const dls_status status = dls_cli_positive(j->args, "error", &j->spec.error, err);
  if (status != DLS_OK) {
    return status;
  }
  if (dls_cli_value(j->args, "norm") == NULL) {
    order->norm_count = 1; /* the first of the defaults, hausdorff */
  }
  if (order->norm_count != 1 || order->of_count != 1) {
    return dls_fail(err, DLS_ERR_ARG, "--%s: one is needed, %zu are given",
                    order->of_count != 1 ? "of" : "norm",
                    order->of_count != 1 ? order->of_count : order->norm_count);
  }
  j->spec.against = j->request->against;
  order->timings = j->spec.against == DLS_AGAINST_SECONDS ? DEFAULT_TIMINGS : 0;
  return dls_cli_positive(j->args, "most-steps", &j->spec.most_steps, err);
}

static dls_status read_words(job *j, dls_error *err)
{
  j->spec.most_steps = default_steps;
  j->spec.order = j->request->spec;
  if (read_goal(j, err) != DLS_OK || choose_schemes(j, err) != DLS_OK) {
    return err->status;
  }
  return dls_cli_check_output(j->request->out, err);
}

/* --- what is answered --- */

static const dls_scheme_choice *choice_of(const job *j, const dls_advice *a)
{
  return &j->spec.order.schemes[a->scheme];
}

/* "moreau-jean:theta=1" */
static void name_scheme(const job *j, const dls_advice *a, char *text, size_t size)
{
  const dls_scheme_choice *choice = choice_of(j, a);
  snprintf(text, size, "%s%s%s", choice->scheme->name, choice->options[0] != '\0' ? ":" : "", choice->options);
}

static const char *const outcomes[] = {[DLS_ADVICE_REACHED] = "reached",
                                       [DLS_ADVICE_DEAR] = "dear",
                                       [DLS_ADVICE_SHORT] = "short",
                                       [DLS_ADVICE_FAILED] = "failed",
                                       [DLS_ADVICE_REFUSED] = "refused"};

/* What should be known of runs at this value. */
static void report_traps(const job *j, const dls_advice *a, char *text, size_t size)
{
  const double seen = 1e-9 * j->advised->length, rise = 1e-6;
  text[0] = '\0';
  if (a->kind == DLS_ADVICE_DEAR) {
    dls_text_append(text, size, "too expensive; ");
  }
  if (a->kind == DLS_ADVICE_SHORT) {
    dls_text_append(text, size, "error not reached: smaller steps no longer reduce it; ");
  }
  if (a->error <= j->advised->study->floors[0]) {
    dls_text_append(text, size, "at the floor; ");
  }
  if (a->penetration > seen) {
    dls_text_append(text, size, "penetrates %.1g m; ", a->penetration);
  }
  if (a->drift > seen && a->drift > 0.5 * a->penetration) {
    dls_text_append(text, size, "ends %.1g m deep; ", a->drift);
  }
  if (a->creep > seen) {
    dls_text_append(text, size, "creeps with %.1g m/s; ", a->creep);
  }
  if (a->hop > seen) {
    dls_text_append(text, size, "hops by %.1g m; ", a->hop);
  }
  if (a->energy > rise) {
    dls_text_append(text, size, "creates %.2g %% of the energy in a step; ", 100 * a->energy);
  }
  dls_text_append(text, size, "%s", a->reason);
  const size_t length = strlen(text);
  if (length >= 2 && strcmp(text + length - 2, "; ") == 0) {
    text[length - 2] = '\0';
  }
}

static void put_number(dls_cli_rows *rows, double x)
{
  dls_cli_cell(rows, isnan(x) ? "-" : "%.4g", x);
}

static void put_advice(const job *j, dls_cli_rows *rows, const dls_advice *a, double least)
{
  char name[300], traps[400];
  name_scheme(j, a, name, sizeof name);
  report_traps(j, a, traps, sizeof traps);
  dls_cli_cell(rows, "%s", name);
  dls_cli_cell(rows, isnan(a->value) ? "-" : a->by_tolerance ? "tol %.6g" : "h %.6g", a->value);
  put_number(rows, a->error);
  put_number(rows, a->work);
  put_number(rows, a->kind == DLS_ADVICE_REACHED ? a->work / least : NAN);
  dls_cli_cell(rows, "%s", traps);
}

/* The schemes that do not treat the model, each with its reason. */
static dls_status print_refused(const job *j, dls_error *err)
{
  dls_cli_rows rows = {.columns = 2};
  size_t count = 0;
  for (size_t i = 0; i < j->advised->count; i++) {
    const dls_advice *a = &j->advised->advice[i];
    if (a->kind == DLS_ADVICE_REFUSED) {
      dls_cli_cell(&rows, "%s", choice_of(j, a)->scheme->name);
      dls_cli_cell(&rows, "%s", a->reason);
      count++;
    }
  }
  return count == 0 ? DLS_OK : dls_cli_rows_print(&rows, "\nnot for this model:\n", stdout, err);
}

static dls_status print_table(const job *j, dls_error *err)
{
  const dls_advised *d = j->advised;
  const char *const headers[] = {"scheme", "value", "error", dls_work_name(j->spec.against), "cost", "remark"};
  dls_cli_rows rows = {.columns = sizeof headers / sizeof headers[0], .headers = headers};
  for (size_t i = 0; i < d->count; i++) {
    if (d->advice[i].kind != DLS_ADVICE_REFUSED) {
      put_advice(j, &rows, &d->advice[i], d->advice[0].work);
    }
  }
  const dls_status status = dls_cli_rows_print(&rows, "", stdout, err);
  return status == DLS_OK ? print_refused(j, err) : status;
}

/* The command with the options that were given for the model. */
static void print_command(const job *j, const dls_advice *a)
{
  static const char *const passed[] = {"plugin", "set", "law", "start-tolerance", "project-start"};
  dls_study_argument arguments[MOST_ARGUMENTS + 3]; /* the scheme, its step, the end */
  char name[300], step[40], end[40];
  dls_study study = {.model = j->request->study->model, .arguments = arguments};
  for (size_t i = 0; i < j->request->study->argument_count && study.argument_count < MOST_ARGUMENTS; i++) {
    const dls_study_argument *given = &j->request->study->arguments[i];
    for (size_t k = 0; k < sizeof passed / sizeof passed[0]; k++) {
      if (strcmp(given->option, passed[k]) == 0) {
        arguments[study.argument_count++] = *given;
      }
    }
  }
  name_scheme(j, a, name, sizeof name);
  if (a->by_tolerance) {
    dls_text_append(name, sizeof name, "%stol=%.10g", strchr(name, ':') != NULL ? "," : ":", a->value);
  }
  arguments[study.argument_count++] = (dls_study_argument){"scheme", name};
  if (!a->by_tolerance && !isnan(a->value)) {
    snprintf(step, sizeof step, "%.10g", a->value);
    arguments[study.argument_count++] = (dls_study_argument){"step", step};
  }
  snprintf(end, sizeof end, "%.10g", j->spec.order.end);
  arguments[study.argument_count++] = (dls_study_argument){"end", end};
  fputs("  ", stdout);
  dls_command_print("run", &study, ' ', stdout);
  putchar('\n');
}

static size_t count_reached(const dls_advised *d)
{
  size_t count = 0;
  while (count < d->count && d->advice[count].kind == DLS_ADVICE_REACHED) {
    count++;
  }
  return count;
}

static void print_question(const job *j)
{
  const dls_order_spec *order = &j->spec.order;
  printf("%s on [0, %.6g] s: %s of %s up to %.6g in %d runs, at the value given and down to %g of it\n",
         j->args->positional[0], order->end, order->norms[0]->name, order->of[0], j->spec.error,
         (int)DLS_ADVISE_PHASES, 1 - DLS_ADVISE_SPREAD);
  printf("reference: %s\n", j->advised->study->reference);
  if (isfinite(j->advised->accumulation)) {
    printf("the motion has an accumulation of impacts at t = %.10g s\n", j->advised->accumulation);
  }
  putchar('\n');
}

static void print_advice(const job *j)
{
  const dls_advised *d = j->advised;
  const size_t reached = count_reached(d);
  const dls_advice *best = &d->advice[0];
  char name[300], next[300];
  if (d->count == 0 || isnan(best->error)) {
    printf("\nno scheme has a run with an error\n");
    return;
  }
  name_scheme(j, best, name, sizeof name);
  if (reached == 0) {
    printf("\nnot reached: %.4g was the least error, by %s:\n", best->error, name);
  } else if (reached == 1) {
    printf("\nadvice: %s; no other reaches the error within %g times its work\n", name, DLS_ADVISE_DEAREST);
  } else {
    name_scheme(j, &d->advice[1], next, sizeof next);
    printf("\nadvice: %s; the next, %s, costs %.3g times as much\n", name, next,
           d->advice[1].work / best->work);
  }
  print_command(j, best);
}

static dls_status write_table(const job *j, dls_error *err)
{
  dls_output *output = NULL;
  const dls_status status = dls_output_open(j->request->out, &output, err);
  if (status != DLS_OK) {
    return status;
  }
  FILE *out = dls_output_stream(output);
  fprintf(out, "scheme,outcome,step,tol,error,%s,penetration,drift,energy,depth,creep,hop\n",
          dls_work_name(j->spec.against));
  for (size_t i = 0; i < j->advised->count; i++) {
    const dls_advice *a = &j->advised->advice[i];
    char name[300];
    name_scheme(j, a, name, sizeof name);
    fprintf(out, "\"%s\",%s,%.10g,%.10g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", name,
            outcomes[a->kind], a->by_tolerance ? NAN : a->value, a->by_tolerance ? a->value : NAN, a->error,
            a->work, a->penetration, a->drift, a->energy, a->depth, a->creep, a->hop);
  }
  return dls_output_commit(output, err);
}

static int answer(job *j)
{
  dls_error err = {0};
  const bool reached = j->advised->count > 0 && j->advised->advice[0].kind == DLS_ADVICE_REACHED;
  int code = j->advised->complete && reached ? DLS_EXIT_DONE : DLS_EXIT_FAILED;
  if (j->advised->study != NULL && j->advised->study->floors != NULL) {
    print_question(j);
    if (print_table(j, &err) != DLS_OK) {
      return dls_cli_fail(j->args->command->name, &err);
    }
    print_advice(j);
  }
  if (!j->advised->complete) {
    dls_cli_message(j->args->command->name, "interrupted: %zu of %zu schemes were tried", j->advised->count,
                    j->spec.order.scheme_count);
  } else if (!reached) {
    dls_cli_message(j->args->command->name, "no scheme reaches the error %g", j->spec.error);
  }
  return j->request->out == NULL ? code
                                 : dls_cli_written(j->args->command->name, write_table(j, &err), &err, code);
}

static int advise(job *j)
{
  dls_error err = {0};
  dls_status status = read_words(j, &err);
  if (status == DLS_OK) {
    dls_cli_progress progress = dls_cli_progress_start(j->request->progress, j->args->positional[0], 1);
    j->spec.order.poll = dls_cli_progress_poll;
    j->spec.order.poll_data = &progress;
    status = dls_advise(&j->spec, &j->advised, &err);
    dls_cli_progress_end(&progress, status == DLS_OK && j->advised->complete);
  }
  return status == DLS_OK ? answer(j) : dls_cli_fail(j->args->command->name, &err);
}

static int run(const dls_cli_args *args)
{
  dls_error err = {0};
  dls_cli_request all;
  job j = {.args = args, .request = &all.request};
  const int code = dls_cli_read_request(args, DLS_STUDY_WORK, &all, &err) == DLS_OK
                       ? advise(&j)
                       : dls_cli_fail(args->command->name, &err);
  dls_advised_destroy(j.advised);
  dls_cli_request_release(&all);
  return code;
}

static const dls_cli_option options[] = {
    {.name = "error", .argument = "E", .help = "the error to reach, in the norm"},
    {.name = "most-steps", .argument = "N", .help = "the largest number of steps of a run (default 1e5)"},
    {0},
};

const dls_cli_command dls_cli_advise = {
    .name = "advise",
    .group = DLS_CLI_MEASURE,
    .synopsis = "MODEL",
    .summary = "the cheapest scheme and step that reach an error, and the command to use",
    .text =
        "Find for each scheme, by bisection, the largest step or the cheapest tolerance with which 24 runs\n"
        "reach the error. Print the cheapest scheme, its relative cost, its caveats and the command. If no\n"
        "scheme reaches the error, print the smallest error found; the exit status is 1.\n",
    .page = "guide/which-integrator",
    .examples = "  delassus advise bouncing-ball --end 4 --error 1e-3 --of q0\n"
                "  delassus advise belt --set Fs=1.5 --error 1e-4 --of v0 --norm l1\n"
                "  delassus advise impacting-oscillator --error 1e-5 --of q0 --against seconds\n",
    .options = options,
    .keys = DLS_COMMAND_ADVISE,
    .least = 1,
    .most = 1,
    .run = run,
};
