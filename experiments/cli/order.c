/* experiments/cli/order.c -- `delassus order`: the convergence study.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/errors.h"
#include "experiments/cli/order_summary.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/request_words.h"
#include "experiments/show/report_study.h"

#include <delassus/plot.h>

static dls_status write_file(const dls_study_results *results, size_t file, FILE *out)
{
  static dls_status (*const writers[])(const dls_order_study *study, FILE *out) = {
      dls_order_write_errors, dls_order_write_orders, dls_order_write_quality, dls_order_write_report};
  return writers[file](results->errors, out);
}

static dls_status draw(const dls_study_results *results, size_t norm, size_t of, const char *path,
                       dls_error *err)
{
  return dls_plot_order(results->errors, norm, of, path, err);
}

static dls_status print(const dls_study_results *results, FILE *out, dls_error *err)
{
  const dls_status status = dls_order_write_table(results->errors, out);
  return status != DLS_OK ? status : dls_cli_order_summary(results->errors, out, err);
}

static dls_status page(dls_report *report, const void *data, dls_error *err)
{
  const dls_study_results *results = data;
  return dls_report_order(report, results->errors, err);
}

static const char *const files[] = {"errors.csv", "orders.csv", "quality.csv", "study.txt", NULL};
static const dls_cli_results results = {.prefix = "order",
                                        .files = files,
                                        .write = write_file,
                                        .draw = draw,
                                        .print = print,
                                        .kind = "Convergence study",
                                        .question =
                                            "How does the error of each scheme shrink with its time step?",
                                        .page = page};

static int perform(const dls_cli_args *args, const dls_request *request, dls_study_results *made)
{
  return dls_cli_measure_errors(args, request, &results, made);
}

static const dls_cli_option options[] = {
    DLS_CLI_SCHEMES_OPTION,
    {"steps", "H0:H1:N", DLS_CLI_STEPS_HELP, false},
    DLS_CLI_MEASURE_OPTIONS,
    {"repeats", "R",
     "runs at each mean step, with steps drawn around it so that impacts do not fall on the grid "
     "(default 8); 1 takes the mean steps as they are",
     false},
    DLS_CLI_SEED_OPTION,
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
    .synopsis = "MODEL --scheme S... --steps H0:H1:N [--norm L,...] [--of X,...] [--reference KIND] [--end T] "
                "[--set P=V]... [--law NAME[:PAR=VAL,...]] [--repeats R] [--seed S] [--jobs N] [--out DIR "
                "[--resume|--overwrite]] "
                "[--plot-format png|svg|pdf|none] [--report FILE.html]",
    .summary = "convergence study: errors against the true solution, orders with confidence interval",
    .text = "Run every scheme with smaller and smaller steps, measure its error against the exact solution\n"
            "(or against the event-driven integrator at a tight tolerance where there is none), and fit the\n"
            "order q of error = C step^q with its 95 % confidence interval. Schemes that choose their own\n"
            "steps give one error, the line that the others would have to reach. Prints a table.\n",
    .examples = "  delassus order bouncing-ball --scheme moreau-jean --scheme schatzman-paoli \\\n"
                "      --scheme event-driven --steps 0.1:0.001:10 --end 4 --out ball\n"
                "  delassus order impacting-oscillator --scheme moreau-jean:theta=1 --steps 0.1:1e-3:8 \\\n"
                "      --norm hausdorff,l1 --of v\n",
    .options = options,
    .least = 1,
    .most = 1,
    .kind = DLS_STUDY_ORDER,
    .perform = perform,
};
