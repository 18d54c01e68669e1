/* experiments/cli/order.c -- `delassus order`: the convergence study.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/errors.h"
#include "experiments/cli/grid.h"
#include "experiments/cli/local.h"
#include "experiments/cli/report_page.h"

static const dls_cli_file files[] = {
    {.name = "errors.csv", .write_order = dls_order_write_errors},
    {.name = "orders.csv", .write_order = dls_order_write_orders},
    {.name = "quality.csv", .write_order = dls_order_write_quality},
    {.name = "derivatives.csv", .write_order = dls_order_write_derivatives, .of_derivatives = true},
    {.name = "study.txt", .write_order = dls_order_write_report},
    {0}};

static int perform(const dls_request *request, dls_study_results *results)
{
  return request->axis_count > 0 ? dls_cli_grid(request, results)
         : request->local        ? dls_cli_local(request, results)
                                 : dls_cli_measure_errors(request, files, results);
}

const dls_cli_command dls_cli_order = {
    .name = "order",
    .group = DLS_CLI_MEASURE,
    .synopsis = "MODEL",
    .summary = "convergence study: errors against the true solution, orders with confidence interval",
    .text = "Run every scheme with smaller and smaller steps, measure its error against the exact solution\n"
            "(or against the event-driven integrator at a tight tolerance where there is none), and fit the\n"
            "order q of error = C step^q with its 95 % confidence interval. Schemes that choose their own\n"
            "steps give one error, the line that the others would have to reach. Prints the orders; --levels\n"
            "prints the errors of every step size behind them.\n"
            "With --local: the error of one step from the exact state, over the step.\n",
    .page = "guide/first-order-study",
    .examples = "  delassus order bouncing-ball --scheme moreau-jean --scheme schatzman-paoli \\\n"
                "      --scheme event-driven --steps 0.1:0.001:10 --end 4 --out ball\n"
                "  delassus order impacting-oscillator --scheme moreau-jean:theta=1 --steps 0.1:1e-3:8 \\\n"
                "      --norm hausdorff,l1 --of v\n"
                "  delassus order bouncing-ball --scheme moreau-jean --local --steps 0.02:1e-4:8 --end 4\n",
    .keys = DLS_STUDY_ORDER | DLS_STUDY_LOCAL,
    .least = 1,
    .most = 1,
    .kind = DLS_STUDY_ORDER,
    .perform = perform,
};
