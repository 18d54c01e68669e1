/* experiments/cli/work.c -- `delassus work`: the work-precision diagram.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/errors.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/request_words.h"
#include "experiments/cli/work_summary.h"
#include "experiments/show/report_study.h"

static dls_status write_file(const dls_study_results *results, size_t file, FILE *out)
{
  static dls_status (*const writers[])(const dls_work_study *study, FILE *out) = {
      dls_work_write_errors, dls_work_write_slopes, dls_work_write_report};
  return writers[file](results->work, out);
}

static dls_status draw(const dls_study_results *results, size_t norm, size_t of, const char *path,
                       dls_error *err)
{
  return dls_plot_work(results->work, norm, of, path, err);
}

static dls_status print(const dls_study_results *results, FILE *out, dls_error *err)
{
  const dls_status status = dls_work_write_table(results->work, out);
  return status != DLS_OK ? status : dls_cli_work_summary(results->work, out, err);
}

static dls_status page(dls_report *report, const void *data, dls_error *err)
{
  const dls_study_results *results = data;
  return dls_report_work(report, results->work, err);
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

static int perform(const dls_cli_args *args, const dls_request *request, dls_study_results *made)
{
  dls_error err = {0};
  if (request->against == DLS_AGAINST_SECONDS && request->spec.timings == 0 && request->spec.jobs > 1) {
    dls_fail(&err, DLS_ERR_ARG,
             "--timings = 0 with --jobs = %zu leaves no seconds for --against: runs that go beside others are "
             "not timed",
             request->spec.jobs);
    return dls_cli_fail(args, &err);
  }
  return dls_cli_measure_errors(args, request, &results, made);
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
    .kind = DLS_STUDY_WORK,
    .perform = perform,
};
