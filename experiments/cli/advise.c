/* experiments/cli/advise.c -- `delassus advise`: the cheapest scheme and step that reach an error, and the command to use.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/advise.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/repeat.h"
#include "experiments/cli/request_words.h"

#include "common/base/text.h"
#include <delassus/output.h>
#include <delassus/work.h>
#include <math.h>
#include <string.h>

enum { MOST_SCHEMES = 256, DEFAULT_TIMINGS = 3 };
static const double default_steps = 1e5;

typedef struct job {
  const dls_cli_args *args;
  dls_request *request;
  dls_advise_spec spec;
  dls_advised *advised;
} job;

/* --- what is asked --- */

/* Those of --scheme, or all of the catalogue but those that are there to fail. */
static dls_status choose_schemes(job *j, dls_error *err)
{
  const dls_cli_args *args = j->args;
  const dls_scheme *const *all = dls_catalogue_schemes(args->catalogue);
  const size_t given = dls_cli_count(args, "scheme");
  dls_scheme_choice *schemes = dls_pool_take(j->request->pool, MOST_SCHEMES * sizeof *schemes);
  size_t count = 0;
  dls_status status = schemes != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for the schemes");
  for (size_t i = 0; i < given && count < MOST_SCHEMES && status == DLS_OK; i++) {
    status = dls_catalogue_choose(args->catalogue, dls_cli_value_at(args, "scheme", i), &schemes[count++], err);
  }
  for (size_t i = 0; given == 0 && all[i] != NULL && count < MOST_SCHEMES && status == DLS_OK; i++) {
    if (all[i]->family != DLS_FAMILY_TEACHING) {
      schemes[count++] = (dls_scheme_choice){.scheme = all[i]};
    }
  }
  j->spec.order.schemes = schemes;
  j->spec.order.scheme_count = count;
  return status;
}

/* --error, --of, --norm, --against, --most-steps */
static dls_status read_goal(job *j, dls_error *err)
{
  dls_order_spec *order = &j->request->spec;
  size_t against = DLS_AGAINST_EVALS - DLS_AGAINST_STEPS;
  if (dls_cli_value(j->args, "error") == NULL || dls_cli_value(j->args, "of") == NULL) {
    return dls_fail(err, DLS_ERR_ARG,
                    "--%s is missing: say which error is wanted of what, such as --error 1e-3 --of q0",
                    dls_cli_value(j->args, "error") == NULL ? "error" : "of");
  }
  dls_status status = dls_cli_positive(j->args, "error", &j->spec.error, err);
  status = status != DLS_OK ? status : dls_cli_read_measures(j->args, j->request, err);
  if (status == DLS_OK && dls_cli_value(j->args, "norm") == NULL) {
    order->norm_count = 1; /* the first of the defaults, hausdorff */
  }
  if (status == DLS_OK && (order->norm_count != 1 || order->of_count != 1)) {
    return dls_fail(err, DLS_ERR_ARG, "--%s: one is needed, %zu are given",
                    order->of_count != 1 ? "of" : "norm",
                    order->of_count != 1 ? order->of_count : order->norm_count);
  }
  if (status == DLS_OK && dls_cli_value(j->args, "against") != NULL) {
    status = dls_cli_choice(j->args, "against", dls_work_names, 4, &against, err);
  }
  j->spec.against = DLS_AGAINST_STEPS + (dls_against)against;
  order->timings = j->spec.against == DLS_AGAINST_SECONDS ? DEFAULT_TIMINGS : 0;
  return status != DLS_OK ? status : dls_cli_positive(j->args, "most-steps", &j->spec.most_steps, err);
}

static dls_status read_words(job *j, dls_error *err)
{
  const dls_cli_args *args = j->args;
  const dls_model *model = dls_catalogue_model(args->catalogue, args->positional[0], err);
  if (model == NULL) {
    return DLS_ERR_OPTION;
  }
  j->spec.most_steps = default_steps;
  dls_status status = read_goal(j, err);
  status = status != DLS_OK ? status : dls_cli_read_start(args, j->request, err);
  status = status != DLS_OK ? status : dls_cli_positive(args, "end", &j->request->spec.end, err);
  status = status != DLS_OK ? status : dls_cli_progress_mode(args, &j->request->progress, err);
  status = status != DLS_OK ? status : dls_cli_model(args, model, &j->request->model, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_request_set_model(j->request);
  j->spec.order = j->request->spec;
  status = choose_schemes(j, err);
  return status != DLS_OK ? status : dls_cli_check_output(dls_cli_value(args, "out"), err);
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
    dls_text_append(text, size, "dear; ");
  }
  if (a->kind == DLS_ADVICE_SHORT) {
    dls_text_append(text, size, "stands still; ");
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

/* Those that do not treat the model are named in a line. */
static dls_status print_table(const job *j, dls_error *err)
{
  const dls_advised *d = j->advised;
  const char *const headers[] = {"scheme", "value", "error", dls_work_name(j->spec.against), "times", "met"};
  dls_cli_rows rows = {.columns = sizeof headers / sizeof headers[0], .headers = headers};
  char refused[1000] = "";
  for (size_t i = 0; i < d->count; i++) {
    if (d->advice[i].kind == DLS_ADVICE_REFUSED) {
      dls_text_append(refused, sizeof refused, "%s%s", refused[0] == '\0' ? "not for this model: " : ", ",
                      choice_of(j, &d->advice[i])->scheme->name);
    } else {
      put_advice(j, &rows, &d->advice[i], d->advice[0].work);
    }
  }
  const dls_status status = dls_cli_rows_print(&rows, "", stdout, err);
  if (refused[0] != '\0') {
    dls_cli_wrap(stdout, refused, 0, 2);
  }
  return status;
}

/* The command with the words that were given for the model. */
static dls_status print_command(const job *j, const dls_advice *a, dls_error *err)
{
  static const char *const passed[] = {"plugin", "set", "law", "start-tolerance"};
  dls_repeat r = {.pool = j->request->pool, .all_fit = true};
  char name[300];
  dls_repeat_add(&r, "run");
  dls_repeat_add(&r, "%s", j->args->positional[0]);
  for (size_t i = 0; i < sizeof passed / sizeof passed[0]; i++) {
    for (size_t k = 0; k < dls_cli_count(j->args, passed[i]); k++) {
      dls_repeat_add(&r, "--%s", passed[i]);
      dls_repeat_add(&r, "%s", dls_cli_value_at(j->args, passed[i], k));
    }
  }
  if (j->request->spec.start.project) {
    dls_repeat_add(&r, "--project-start");
  }
  name_scheme(j, a, name, sizeof name);
  if (a->by_tolerance) {
    dls_text_append(name, sizeof name, "%stol=%.10g", strchr(name, ':') != NULL ? "," : ":", a->value);
  }
  dls_repeat_add(&r, "--scheme");
  dls_repeat_add(&r, "%s", name);
  if (!a->by_tolerance && !isnan(a->value)) {
    dls_repeat_add(&r, "--step");
    dls_repeat_add(&r, "%.10g", a->value);
  }
  dls_repeat_add(&r, "--end");
  dls_repeat_add(&r, "%.10g", j->spec.order.end);
  if (r.pool->failed || !r.all_fit) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the command that is recommended");
  }
  fputs("  ", stdout);
  dls_repeat_print(&r, stdout);
  putchar('\n');
  return DLS_OK;
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

static dls_status print_advice(const job *j, dls_error *err)
{
  const dls_advised *d = j->advised;
  const size_t reached = count_reached(d);
  const dls_advice *best = &d->advice[0];
  char name[300], next[300];
  if (d->count == 0 || isnan(best->error)) {
    printf("\nno scheme has a run with an error\n");
    return DLS_OK;
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
  return print_command(j, best, err);
}

static dls_status write_table(const job *j, dls_error *err)
{
  dls_output *output = NULL;
  const dls_status status = dls_output_open(dls_cli_value(j->args, "out"), &output, err);
  if (status != DLS_OK) {
    return status;
  }
  FILE *out = dls_output_stream(output);
  fprintf(out, "scheme,outcome,step,tol,error,%s,penetration,drift,energy\n", dls_work_name(j->spec.against));
  for (size_t i = 0; i < j->advised->count; i++) {
    const dls_advice *a = &j->advised->advice[i];
    char name[300];
    name_scheme(j, a, name, sizeof name);
    fprintf(out, "\"%s\",%s,%.10g,%.10g,%.17g,%.17g,%.17g,%.17g,%.17g\n", name, outcomes[a->kind],
            a->by_tolerance ? NAN : a->value, a->by_tolerance ? a->value : NAN, a->error, a->work,
            a->penetration, a->drift, a->energy);
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
    if (print_table(j, &err) != DLS_OK || print_advice(j, &err) != DLS_OK) {
      return dls_cli_fail(j->args, &err);
    }
  }
  if (!j->advised->complete) {
    dls_cli_message(j->args->command, "interrupted: %zu of %zu schemes were tried", j->advised->count,
                    j->spec.order.scheme_count);
  } else if (!reached) {
    dls_cli_message(j->args->command, "no scheme reaches the error %g", j->spec.error);
  }
  return dls_cli_value(j->args, "out") == NULL ? code
                                               : dls_cli_written(j->args, write_table(j, &err), &err, code);
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
  return status == DLS_OK ? answer(j) : dls_cli_fail(j->args, &err);
}

static int run(const dls_cli_args *args)
{
  dls_pool pool = {0};
  dls_request request = dls_request_default(DLS_STUDY_WORK, args->catalogue, &pool);
  job j = {.args = args, .request = &request};
  const int code = advise(&j);
  dls_advised_destroy(j.advised);
  dls_request_release(&request);
  dls_pool_release(&pool);
  return code;
}

static const dls_cli_option options[] = {
    {"error", "E", "the error that is wanted, in the norm", false},
    DLS_CLI_MEASURE_OPTIONS,
    {"against", "WORK",
     "what is to be least: evals (default: force evaluations + LCP solves + factorizations), steps, problems "
     "(one-step problems) or seconds",
     false},
    {"scheme", "S[:OPT=VAL,...]",
     "a scheme to try; repeat it for several (default: all, with their default options, but those for "
     "teaching)",
     true},
    {"most-steps", "N", "no run is longer than this (default 1e5)", false},
    DLS_CLI_SEED_OPTION,
    {"out", "FILE.csv", "write the table", false},
    DLS_CLI_PROGRESS_OPTION,
    {0},
};

const dls_cli_command dls_cli_advise = {
    .name = "advise",
    .synopsis = "MODEL --error E --of X [--norm L] [--against WORK] [--end T] [--set P=V]... "
                "[--law NAME[:PAR=VAL,...]] [--reference KIND] [--check-reference] [--scheme S...] "
                "[--most-steps N] [--seed S] "
                "[--start-tolerance TOL] [--project-start] [--out FILE.csv] [--progress WHEN]",
    .summary = "the cheapest scheme and step that reach an error, and the command to use",
    .text = "Find of every scheme the largest step, or the cheapest tolerance, with which 24 runs reach the\n"
            "error, by runs and bisection alone; say which scheme is the cheapest, by how much, what should\n"
            "be known of it, and the command. If no scheme reaches the error the least one that was met is\n"
            "said, and the exit status is 1.\n",
    .examples = "  delassus advise bouncing-ball --end 4 --error 1e-3 --of q0\n"
                "  delassus advise belt --set Fs=1.5 --error 1e-4 --of v0 --norm l1\n"
                "  delassus advise impacting-oscillator --error 1e-5 --of q0 --against seconds\n",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
