/* experiments/cli/work_summary.h -- a work-precision study in a table for each norm and quantity: slopes, and the
 * work that each scheme needs for round errors.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_WORK_SUMMARY_H
#define DELASSUS_EXPERIMENTS_CLI_WORK_SUMMARY_H

#include <delassus/work.h>
#include <stdio.h>

/* @return DLS_ERR_MEMORY */
dls_status dls_cli_work_summary(const dls_work_study *study, FILE *out, dls_error *err);

#endif
