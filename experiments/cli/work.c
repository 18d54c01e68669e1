/* experiments/cli/work.c -- `delassus work`: the work-precision diagram.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/study_request.h"
#include "experiments/cli/work_summary.h"
#include "experiments/show/report_study.h"

#include "common/base/text.h"
#include <delassus/catalogue.h>

enum { MEASURES = 4, EVALS = 2, DEFAULT_TIMINGS = 5, MOST_TIMINGS = 1000 };

static dls_status write_file(const void *data, size_t file, FILE *out)
{
  static dls_status (*const writers[])(const dls_work_study *study, FILE *out) = {
      dls_work_write_errors, dls_work_write_slopes, dls_work_write_report};
  return writers[file](data, out);
}

static dls_status draw(const void *data, size_t norm, size_t of, const char *path, dls_error *err)
{
  return dls_plot_work(data, norm, of, path, err);
}

static dls_status print(const void *data, FILE *out, dls_error *err)
{
  const dls_status status = dls_work_write_table(data, out);
  return status != DLS_OK ? status : dls_cli_work_summary(data, out, err);
}

static dls_status page(dls_report *report, const void *data, dls_error *err)
{
  return dls_report_work(report, data, err);
}

static const char *const files[] = {"work.csv", "slopes.csv", "study.txt", NULL};
static const dls_cli_results results = {.prefix = "work",
                                        .files = files,
                                        .write = write_file,
                                        .draw = draw,
                                        .print = print,
                                        .kind = "Work and precision",
                                        .question = "What does each scheme have to work for an error?",
                                        .page = page};

/* The first scheme that needs a step from outside, or does not; NULL if there is none. */
static const dls_scheme *first_scheme(const dls_order_spec *spec, bool needs_step)
{
  for (size_t i = 0; i < spec->scheme_count; i++) {
    if (dls_scheme_needs_step(spec->schemes[i].scheme) == needs_step) {
      return spec->schemes[i].scheme;
    }
  }
  return NULL;
}

static dls_status refuse_tolerances(const dls_catalogue *catalogue, dls_error *err)
{
  char list[200] = "";
  for (const dls_scheme *const *scheme = dls_catalogue_schemes(catalogue); *scheme != NULL; scheme++) {
    if (!dls_scheme_needs_step(*scheme)) {
      dls_text_append(list, sizeof list, "%s%s", list[0] == '\0' ? "" : ", ", (*scheme)->name);
    }
  }
  return dls_fail(
      err, DLS_ERR_ARG,
      "--tols: no scheme of the request takes a tolerance; those that choose their own steps do: %s", list);
}

/* --steps for the schemes that need a step, --tols for the others, which without it run once as they are. */
static dls_status read_sequences(dls_cli_study *study, dls_error *err)
{
  const dls_scheme *by_step = first_scheme(&study->spec, true);
  const dls_scheme *by_tolerance = first_scheme(&study->spec, false);
  const char *steps = dls_cli_value(study->args, "steps");
  const char *tolerances = dls_cli_value(study->args, "tols");
  dls_status status = DLS_OK;
  char why[160] = "";
  if (by_step != NULL) {
    snprintf(why, sizeof why, "scheme %s needs a time step: ", by_step->name);
    status = dls_cli_study_steps(study, why, err);
  } else if (steps != NULL) {
    status = dls_fail(
        err, DLS_ERR_ARG,
        "--steps = '%.100s' goes with no scheme of the request: all choose their own steps, by --tols", steps);
  }
  if (status != DLS_OK || (by_step != NULL && tolerances == NULL)) {
    return status;
  }
  if (by_tolerance == NULL) {
    return refuse_tolerances(study->args->catalogue, err);
  }
  snprintf(why, sizeof why, "scheme %s chooses its own steps: ", by_tolerance->name);
  return dls_cli_study_tolerances(study, why, err);
}

static dls_status read_against(dls_cli_study *study, dls_against *against, dls_error *err)
{
  size_t choice = EVALS;
  double timings = 0;
  dls_status status = DLS_OK;
  if (dls_cli_value(study->args, "against") != NULL) {
    status = dls_cli_choice(study->args, "against", dls_work_names, MEASURES, &choice, err);
  }
  *against = DLS_AGAINST_STEPS + choice;
  timings = *against == DLS_AGAINST_SECONDS ? DEFAULT_TIMINGS : 0;
  status = status != DLS_OK ? status : dls_cli_integer(study->args, "timings", 0, MOST_TIMINGS, &timings, err);
  study->spec.timings = (size_t)timings;
  if (status == DLS_OK && *against == DLS_AGAINST_SECONDS && timings == 0 && study->spec.jobs > 1) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "--timings = 0 with --jobs = %zu leaves no seconds for --against: runs that go beside others are "
        "not timed",
        study->spec.jobs);
  }
  return status;
}

static int run(const dls_cli_args *args)
{
  dls_error err = {0};
  dls_against against = DLS_AGAINST_EVALS;
  dls_order_study *runs = NULL;
  dls_work_study *work = NULL;
  dls_cli_study study = {.args = args};
  dls_status status = dls_cli_study_read(&study, &err);
  status = status != DLS_OK ? status : read_sequences(&study, &err);
  status = status != DLS_OK ? status : read_against(&study, &against, &err);
  status = status != DLS_OK ? status : dls_cli_study_folder(&study, &results, &err);
  status = status != DLS_OK ? status : dls_cli_study_run(&study, &runs, &err);
  status = status != DLS_OK ? status : dls_work_fit(runs, against, &work, &err);
  const int code =
      status != DLS_OK ? dls_cli_fail(args, &err) : dls_cli_study_finish(&study, runs, &results, work);
  dls_work_destroy(work);
  dls_order_destroy(runs);
  dls_cli_study_release(&study);
  return code;
}

static const dls_cli_option options[] = {
    DLS_CLI_SCHEMES_OPTION,
    {"steps", "H0:H1:N", DLS_CLI_STEPS_HELP "; for schemes that need a step", false},
    {"tols", "T0:T1:N",
     "N mean tolerances from T0 to T1, in geometric sequence, e.g. 1e-3:1e-8:6; for schemes that choose their "
     "own steps (their option tol)",
     false},
    {"against", "WORK",
     "what the error is drawn and fitted against: steps, problems (one-step problems), evals (default: force "
     "evaluations + LCP solves + factorizations) or seconds; rejected work counts",
     false},
    DLS_CLI_MEASURE_OPTIONS,
    {"repeats", "R",
     "runs at each mean step or tolerance, drawn around it so that impacts do not fall on the grid "
     "(default 8); 1 takes the means as they are",
     false},
    DLS_CLI_SEED_OPTION,
    {"timings", "N",
     "time every run N times without its record and take the median (default 5 with --against seconds; "
     "else the one run is timed with its record); let nothing else run meanwhile",
     false},
    {"out", "DIR",
     "write work.csv, slopes.csv, study.txt, runs.csv (every run as soon as it is finished) and the pictures "
     "with their gnuplot scripts",
     false},
    DLS_CLI_RESUME_OPTIONS,
    DLS_CLI_JOBS_OPTION,
    DLS_CLI_REPORT_OPTION,
    DLS_CLI_PICTURE_OPTIONS,
    {0},
};

const dls_cli_command dls_cli_work = {
    .name = "work",
    .synopsis = "MODEL --scheme S... (--steps H0:H1:N | --tols T0:T1:N | both) [--against WORK] [--norm L,...] "
                "[--of X,...] [--reference KIND] [--end T] [--set P=V]... [--law NAME[:PAR=VAL,...]] "
                "[--repeats R] [--seed S] "
                "[--timings N] [--jobs N] [--out DIR [--resume|--overwrite]] [--plot-format png|svg|pdf|none] "
                "[--report FILE.html]",
    .summary = "work-precision diagram: error against steps, problems, evaluations or seconds",
    .text =
        "Run every scheme with smaller and smaller steps, or at smaller and smaller tolerances, measure its\n"
        "error as `order` does, and set it against what the run cost. Prints a table of levels with\n"
        "fitted slopes, and what each scheme needs for round errors.\n",
    .examples =
        "  delassus work impacting-oscillator --scheme moreau-jean --scheme rk-moreau:method=dopri5 \\\n"
        "      --scheme event-driven --steps 0.1:1e-3:7 --tols 1e-3:1e-10:8 --norm l1 --of q --out oscillator\n"
        "  delassus work bouncing-ball --scheme moreau-jean-adaptive:order=0 \\\n"
        "      --scheme moreau-jean-adaptive:order=2 --tols 1e-2:1e-6:9 --end 4 --against problems\n",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
