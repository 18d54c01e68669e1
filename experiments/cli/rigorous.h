/* experiments/cli/rigorous.h -- `delassus exact --rigorous`.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_RIGOROUS_H
#define DELASSUS_EXPERIMENTS_CLI_RIGOROUS_H

#include "experiments/cli/cli.h"
#include "experiments/request/request.h"

/** The solution of the model as enclosures, by the module that has them. @return exit code */
int dls_cli_exact_rigorous(const dls_cli_args *args, const dls_request *asked);

#endif
