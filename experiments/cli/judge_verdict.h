/* experiments/cli/judge_verdict.h -- what came out of judged files, in words.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_JUDGE_VERDICT_H
#define DELASSUS_EXPERIMENTS_CLI_JUDGE_VERDICT_H

#include "experiments/measures/judge/judge.h"
#include "experiments/show/report.h"

/* A row for each program and measure: its value at the smallest step, and a sentence. @return DLS_ERR_MEMORY */
dls_status dls_cli_verdict(const dls_judgement *judgement, FILE *out, dls_error *err);
/* The same in a page. */
dls_status dls_cli_report_verdict(dls_report *report, const dls_judgement *judgement, dls_error *err);
/* Does every error of every program converge to zero: an order with a positive interval and without runs that explode, or an
 * error near rounding at the smallest step? */
bool dls_cli_all_converge(const dls_judgement *judgement);

#endif
