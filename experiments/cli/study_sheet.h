/* experiments/cli/study_sheet.h -- exercises: a study file without its answers, and another one graded by it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_STUDY_SHEET_H
#define DELASSUS_EXPERIMENTS_STUDY_SHEET_H

#include "experiments/cli/study_run.h"

/** Print the questions of a file in Markdown: models, parameters and quantities, without schemes, steps and intervals. */
void dls_cli_study_print_sheet(const dls_study_file *file, FILE *out);
/**
 * Replace what the studies of job->file expect by what those of the sheet with the same names expect.
 * @param[in] path  of the sheet, for messages
 * @return DLS_OK; DLS_ERR_ARG if a study that the sheet grades is missing, is of another kind, or does not have a scheme that the sheet
 *         names; DLS_ERR_MEMORY
 */
dls_status dls_cli_study_grade_by(dls_cli_study_job *job, const dls_study_file *sheet, const char *path,
                                  dls_error *err);

#endif
