/* experiments/measures/energy/energy_momenta.h -- kinetic energy and momenta of the states that a ledger sees.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ENERGY_MOMENTA_H
#define DELASSUS_EXPERIMENTS_ENERGY_MOMENTA_H

#include <delassus/energy.h>
#include <delassus/measures.h>

/** Columns of momenta in the rows: of the velocity that is reported, then of the scheme's own, where that is another. */
size_t dls_energy_momentum_columns(const dls_energy_ledger *ledger);
/** Which momenta there are, with the unit "N s" or "N m s". @param[in] i  below dls_energy_momentum_columns */
void dls_energy_momentum_name(const dls_energy_ledger *ledger, size_t i, char *name, size_t size,
                              const char **unit);
/** The ledger's fields on momenta, before its rows are made. */
void dls_energy_momenta_plan(const dls_system *sys, const dls_scheme *scheme, const dls_sim *sim,
                             dls_energy_ledger *ledger);
/** Evaluate them at the sim's state. @param[in] first  the ledger begins */
void dls_energy_momenta_note(dls_measures *measures, const dls_scheme *scheme, const dls_sim *sim,
                             const double *v, bool first, dls_energy_ledger *ledger);

/** ledger->states, without rows. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_energy_states_create(dls_energy_ledger *ledger, dls_error *err);
/** The sim's position with a velocity; energies, and the work of loads and moving surfaces so far [J]. */
typedef struct dls_energy_state {
  const dls_sim *sim;
  const double *v;
  double kinetic, potential, supplied;
} dls_energy_state;

/** Add it to them. */
dls_status dls_energy_states_append(dls_measures *measures, const dls_energy_state *state,
                                    dls_energy_ledger *ledger, dls_error *err);

#endif
