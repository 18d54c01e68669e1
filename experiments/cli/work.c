/* experiments/cli/work.c -- `delassus work`: the work-precision diagram.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/errors.h"
#include "experiments/cli/external.h"
#include "experiments/cli/grid.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/request_words.h"

static const dls_cli_file files[] = {{.name = "work.csv", .write_work = dls_work_write_errors},
                                     {.name = "slopes.csv", .write_work = dls_work_write_slopes},
                                     {.name = "study.txt", .write_work = dls_work_write_report},
                                     {0}};

static int perform(const dls_cli_args *args, const dls_request *request, dls_study_results *results)
{
  dls_error err = {0};
  if (request->against == DLS_AGAINST_SECONDS && request->spec.timings == 0 && request->spec.jobs > 1) {
    dls_fail(&err, DLS_ERR_ARG,
             "--timings = 0 with --jobs = %zu leaves no seconds for --against: runs that go beside others are "
             "not timed",
             request->spec.jobs);
    return dls_cli_fail(args, &err);
  }
  return request->axis_count > 0 ? dls_cli_grid(args, request, results)
                                 : dls_cli_measure_errors(args, request, files, results);
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
    DLS_CLI_GRID_OPTION,
    DLS_CLI_EXTERNAL_OPTIONS,
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
    .synopsis =
        "MODEL --scheme S... (--steps H0:H1:N | --tols T0:T1:N | both) [--against WORK] "
        "[--norm L,...] [--of X,...] [--reference KIND] [--check-reference] [--end T] [--set P=V]... [--law "
        "NAME[:PAR=VAL,...]] [--start-tolerance TOL] [--project-start] [--repeats R] [--seed "
        "S] [--sweep P=A:B:N]... [--timings N] [--external NAME=COMMAND]... [--external-limit "
        "SECONDS] [--map OURS=THEIRS,...] [--between linear|constant] [--jobs N] [--out DIR "
        "[--resume|--overwrite]] [--shard K/N|auto] [--time-limit SECONDS] [--plot-format "
        "png|svg|pdf|tex|none] [--style screen|journal|slides] [--report FILE.html]",
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
