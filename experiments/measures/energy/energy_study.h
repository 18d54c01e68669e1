/* experiments/measures/energy/energy_study.h -- the ledgers of several schemes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ENERGY_STUDY_H
#define DELASSUS_EXPERIMENTS_ENERGY_STUDY_H

#include <delassus/energy.h>

typedef struct dls_energy_study_spec {
  dls_energy_spec run; /* all but its choice; poll is given the fraction of all runs that is done, in [0, 1] */
  size_t scheme_count;
  const dls_scheme_choice *schemes;
  /** After each run: its ledger is there, unless the run did not start. @param[in] why  it failed */
  void (*keep)(void *data, size_t scheme, dls_status status, const dls_error *why);
  void *keep_data;
} dls_energy_study_spec;

/**
 * Run the schemes, one after the other. A run that fails does not stop the others.
 * @param[out] ledgers  scheme_count, NULL before; as of dls_energy_run
 * @return DLS_OK; DLS_ERR_INTERRUPTED; DLS_ERR_MEMORY
 */
dls_status dls_energy_study_run(const dls_energy_study_spec *spec, dls_energy_ledger **ledgers, dls_error *err);

#endif
