/* experiments/cli/work.c -- `delassus work`: the work-precision diagram.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/errors.h"
#include "experiments/cli/grid.h"
#include "experiments/cli/report_page.h"

static const dls_cli_file files[] = {{.name = "work.csv", .write_work = dls_work_write_errors},
                                     {.name = "slopes.csv", .write_work = dls_work_write_slopes},
                                     {.name = "study.txt", .write_work = dls_work_write_report},
                                     {0}};

static int perform(const dls_request *request, dls_study_results *results)
{
  dls_error err = {0};
  if (request->against == DLS_AGAINST_SECONDS && request->spec.timings == 0 && request->spec.jobs > 1) {
    dls_fail(&err, DLS_ERR_ARG,
             "--timings = 0 with --jobs = %zu leaves no seconds for --against: runs that go beside others are "
             "not timed",
             request->spec.jobs);
    return dls_cli_fail(request->command, &err);
  }
  return request->axis_count > 0 ? dls_cli_grid(request, results)
                                 : dls_cli_measure_errors(request, files, results);
}

const dls_cli_command dls_cli_work = {
    .name = "work",
    .group = DLS_CLI_MEASURE,
    .synopsis = "MODEL",
    .summary = "work-precision diagram: error against steps, problems, evaluations or seconds",
    .text =
        "Run every scheme with smaller and smaller steps, or at smaller and smaller tolerances, measure its\n"
        "error as `order` does, and set it against what the run cost. Prints a table of levels with\n"
        "fitted slopes, and what each scheme needs for round errors.\n",
    .page = "guide/precision-work",
    .examples =
        "  delassus work impacting-oscillator --scheme moreau-jean --scheme rk-moreau:method=dopri5 \\\n"
        "      --scheme event-driven --steps 0.1:1e-3:7 --tols 1e-3:1e-10:8 --norm l1 --of q --out oscillator\n"
        "  delassus work bouncing-ball --scheme moreau-jean-adaptive:order=0 \\\n"
        "      --scheme moreau-jean-adaptive:order=2 --tols 1e-2:1e-6:9 --end 4 --against problems\n",
    .keys = DLS_STUDY_WORK,
    .least = 1,
    .most = 1,
    .kind = DLS_STUDY_WORK,
    .perform = perform,
};
