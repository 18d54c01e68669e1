/* experiments/cli/errors_summary.h -- a convergence study in one table, a line for each scheme, norm and quantity; a
 * work-precision study in a table for each norm and quantity: slopes, and the work that each scheme needs for round errors.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_ERRORS_SUMMARY_H
#define DELASSUS_EXPERIMENTS_CLI_ERRORS_SUMMARY_H

#include <delassus/work.h>
#include <stdio.h>

/* @return DLS_ERR_MEMORY */
dls_status dls_cli_order_summary(const dls_order_study *study, FILE *out, dls_error *err);
dls_status dls_cli_work_summary(const dls_work_study *study, FILE *out, dls_error *err);

#endif
