/* experiments/cli/order.c -- `delassus order`: the convergence study.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/errors.h"
#include "experiments/cli/external.h"
#include "experiments/cli/grid.h"
#include "experiments/cli/local.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/request_words.h"

static const dls_cli_file files[] = {{.name = "errors.csv", .write_order = dls_order_write_errors},
                                     {.name = "orders.csv", .write_order = dls_order_write_orders},
                                     {.name = "quality.csv", .write_order = dls_order_write_quality},
                                     {.name = "study.txt", .write_order = dls_order_write_report},
                                     {0}};

static int perform(const dls_cli_args *args, const dls_request *request, dls_study_results *results)
{
  return request->axis_count > 0 ? dls_cli_grid(args, request, results)
         : request->local        ? dls_cli_local(args, request, results)
                                 : dls_cli_measure_errors(args, request, files, results);
}

static const dls_cli_option options[] = {
    DLS_CLI_SCHEMES_OPTION,
    {"steps", "H0:H1:N", DLS_CLI_STEPS_HELP, false},
    DLS_CLI_MEASURE_OPTIONS,
    {"repeats", "R",
     "runs at each mean step, with steps drawn around it so that impacts do not fall on the grid "
     "(default 8); 1 takes the mean steps as they are; with --local the places of the impact in the step",
     false},
    DLS_CLI_SEED_OPTION,
    DLS_CLI_GRID_OPTION,
    DLS_CLI_LOCAL_OPTIONS,
    DLS_CLI_EXTERNAL_OPTIONS,
    {"out", "DIR",
     "write errors.csv, orders.csv, quality.csv, study.txt, runs.csv (every run as soon as it is finished) and "
     "the pictures with their gnuplot scripts",
     false},
    DLS_CLI_RESUME_OPTIONS,
    DLS_CLI_JOBS_OPTION,
    DLS_CLI_REPORT_OPTION,
    DLS_CLI_PICTURE_OPTIONS,
    {0},
};

const dls_cli_command dls_cli_order = {
    .name = "order",
    .synopsis = "MODEL --scheme S... --steps H0:H1:N [--norm L,...] [--of X,...] [--reference KIND] "
                "[--check-reference] "
                "[--end T] [--set P=V]... [--law NAME[:PAR=VAL,...]] [--start-tolerance TOL] "
                "[--project-start] [--repeats R] [--seed S] [--sweep P=A:B:N]... [--local [--impact "
                "K]] [--external NAME=COMMAND]... [--external-limit SECONDS] [--map OURS=THEIRS,...] "
                "[--between linear|constant] [--jobs N] [--out DIR [--resume|--overwrite]] [--shard "
                "K/N|auto] [--time-limit SECONDS] [--plot-format png|svg|pdf|tex|none] [--style "
                "screen|journal|slides] [--report "
                "FILE.html]",
    .summary = "convergence study: errors against the true solution, orders with confidence interval",
    .text = "Run every scheme with smaller and smaller steps, measure its error against the exact solution\n"
            "(or against the event-driven integrator at a tight tolerance where there is none), and fit the\n"
            "order q of error = C step^q with its 95 % confidence interval. Schemes that choose their own\n"
            "steps give one error, the line that the others would have to reach. Prints a table.\n"
            "With --local: the error of one step from the exact state, over the step.\n",
    .examples = "  delassus order bouncing-ball --scheme moreau-jean --scheme schatzman-paoli \\\n"
                "      --scheme event-driven --steps 0.1:0.001:10 --end 4 --out ball\n"
                "  delassus order impacting-oscillator --scheme moreau-jean:theta=1 --steps 0.1:1e-3:8 \\\n"
                "      --norm hausdorff,l1 --of v\n"
                "  delassus order bouncing-ball --scheme moreau-jean --local --steps 0.02:1e-4:8 --end 4\n",
    .options = options,
    .least = 1,
    .most = 1,
    .kind = DLS_STUDY_ORDER,
    .perform = perform,
};
