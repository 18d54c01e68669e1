/* experiments/cli/step_words.h -- the words of a command line that say which steps a request is made with.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_STEP_WORDS_H
#define DELASSUS_EXPERIMENTS_CLI_STEP_WORDS_H

#include "experiments/cli/cli.h"
#include "experiments/request/request.h"

/* run, compare, energy: --step, and the end that --at leads to. */
dls_status dls_cli_read_step(const dls_cli_args *args, dls_request *r, dls_error *err);
/* order: --steps. @param[in] why  it is needed, for the message if it is not there; may be "" */
dls_status dls_cli_read_steps(const dls_cli_args *args, dls_request *r, const char *why, dls_error *err);
/* spectrum: --steps, values of h/T; as they are if it is not given. */
dls_status dls_cli_read_ratios(const dls_cli_args *args, dls_request *r, dls_error *err);
/* work: --steps for the schemes that need a step, --tols for the others, which without it run once as they are. */
dls_status dls_cli_read_sequences(const dls_cli_args *args, dls_request *r, dls_error *err);

#endif
