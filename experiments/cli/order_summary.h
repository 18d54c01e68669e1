/* experiments/cli/order_summary.h -- a convergence study in one table, a line for each scheme, norm and
 * quantity.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_ORDER_SUMMARY_H
#define DELASSUS_EXPERIMENTS_CLI_ORDER_SUMMARY_H

#include <delassus/study.h>
#include <stdio.h>

/* @return DLS_ERR_MEMORY */
dls_status dls_cli_order_summary(const dls_order_study *study, FILE *out, dls_error *err);

#endif
