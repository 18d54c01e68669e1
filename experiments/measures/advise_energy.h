/* experiments/measures/advise_energy.h -- does a scheme create energy at the value that it is recommended with?
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ADVISE_ENERGY_H
#define DELASSUS_EXPERIMENTS_ADVISE_ENERGY_H

#include "experiments/measures/advise.h"

/**
 * Run a scheme once more at the value of its advice, and keep the ledger of its energy.
 * @param[in,out] advice  its energy is filled in; NaN where there is no ledger (mass that varies, a run that fails)
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_advise_energy(const dls_order_spec *spec, const dls_system *sys, dls_advice *advice,
                             dls_error *err);

#endif
