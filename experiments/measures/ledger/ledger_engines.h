/* experiments/measures/ledger/ledger_engines.h -- rows of physics engines, from the folder that ./engines writes, beside the schemes that
 * have the same step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_LEDGER_ENGINES_H
#define DELASSUS_EXPERIMENTS_LEDGER_ENGINES_H

#include "experiments/measures/ledger/ledger.h"

/**
 * Add a row for each engine in FOLDER/results/PROBLEM/verdict, which `delassus judge` has written; a problem without such results gets none. Each
 * row is compared with that of the scheme of its step, if the ledger has it.
 * @param[out] added  rows
 * @return DLS_ERR_PARSE if a table is not one of judge's; DLS_ERR_MEMORY
 */
dls_status dls_ledger_add_engines(dls_ledger *ledger, const dls_ledger_problem *problem, const char *folder,
                                  size_t *added, dls_error *err);

#endif
