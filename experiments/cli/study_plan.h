/* experiments/cli/study_plan.h -- `study --plan`.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_STUDY_PLAN_H
#define DELASSUS_EXPERIMENTS_CLI_STUDY_PLAN_H

#include "experiments/cli/study_run.h"

/* Predict the studies of a file, print the table, and write the script for sbatch. @param[in] script  "-": none
 * @return the exit code */
int dls_cli_study_plan(const dls_cli_args *args, const dls_cli_study_job *job, const char *script);

#endif
