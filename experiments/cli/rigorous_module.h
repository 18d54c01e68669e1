/* experiments/cli/rigorous_module.h -- the module with ball arithmetic, and what it is asked.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_RIGOROUS_MODULE_H
#define DELASSUS_EXPERIMENTS_CLI_RIGOROUS_MODULE_H

#include "analytic/rigorous/rigorous.h"
#include "common/base/decimal.h"
#include "experiments/cli/cli.h"
#include "experiments/cli/progress.h"

typedef struct dls_cli_rigorous_module {
  dls_status (*solve)(const dls_rigorous_problem *problem, dls_rigorous_table *out, dls_error *err);
  void (*free)(dls_rigorous_table *table);
  dls_status (*distance)(const dls_rigorous_distance_problem *problem, dls_rigorous_cell *out, bool *wide,
                         dls_error *err);
} dls_cli_rigorous_module;

/** It stays loaded: its libraries keep memory of their own. @return DLS_ERR_OPTION, naming the package, if it is not there */
dls_status dls_cli_rigorous_load(dls_cli_rigorous_module *out, dls_error *err);

/* Decimals of a problem, and the problem that they make. */
typedef struct dls_cli_rigorous_request {
  dls_model_choice choice;
  const char **names, **values, **times;
  char **by; /* parameters of derivatives; NULL: none */
  char (*text)[DLS_DECIMAL_SIZE];
  dls_rigorous_problem problem;
} dls_cli_rigorous_request;

/**
 * The problem of r->choice: parameters as --set writes them, with all their digits; any other number as the shortest decimal that reads
 * back as its double: what was written, if it has no more than 15 digits.
 */
dls_status dls_cli_rigorous_numbers(const dls_cli_args *args, double end, size_t count, const double *times,
                                    dls_cli_rigorous_request *r, dls_error *err);
void dls_cli_rigorous_release(dls_cli_rigorous_request *r);

/* --time-limit and --progress without --rigorous. @return DLS_ERR_OPTION */
dls_status dls_cli_proof_check(const dls_cli_args *args, dls_error *err);
/* Around a proof: progress of the problem, --time-limit, and signals that end the process. @return DLS_ERR_OPTION */
dls_status dls_cli_proof_begin(const dls_cli_args *args, dls_rigorous_problem *problem,
                               dls_cli_progress *progress, dls_error *err);
void dls_cli_proof_end(dls_cli_progress *progress, bool complete);

#endif
