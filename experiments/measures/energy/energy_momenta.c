/* experiments/measures/energy/energy_momenta.c -- see energy_momenta.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/energy/energy_momenta.h"
#include "common/base/larger.h"
#include <delassus/scheme.h>
#include <math.h>
#include <stdio.h>

/* The velocity that belongs to the momenta of the scheme, where it reports another; else NULL. */
static const double *own_velocity(const dls_scheme *scheme, const dls_sim *sim)
{
  return scheme->balance != NULL && scheme->balance->velocity != NULL ? scheme->balance->velocity(sim) : NULL;
}

size_t dls_energy_momentum_columns(const dls_energy_ledger *ledger)
{
  return (ledger->reports ? 2 : 1) * ledger->momenta;
}

void dls_energy_momentum_name(const dls_energy_ledger *ledger, size_t i, char *name, size_t size,
                              const char **unit)
{
  const char *what = dls_momentum_name(ledger->momenta, i % ledger->momenta);
  *unit = what[0] == 'L' ? "N m s" : "N s";
  snprintf(name, size, "%s%s", i < ledger->momenta ? "" : "scheme_", what);
}

void dls_energy_momenta_plan(const dls_system *sys, const dls_scheme *scheme, const dls_sim *sim,
                             dls_energy_ledger *ledger)
{
  ledger->momenta = sys->momenta;
  ledger->reports = sys->momenta > 0 && own_velocity(scheme, sim) != NULL;
}

void dls_energy_momenta_note(dls_measures *measures, const dls_scheme *scheme, const dls_sim *sim,
                             const double *v, bool first, dls_energy_ledger *ledger)
{
  const size_t count = dls_energy_momentum_columns(ledger);
  double *p = ledger->momentum_last;
  dls_measures_momenta(measures, sim->t, sim->q, v, p);
  if (ledger->reports) {
    dls_measures_momenta(measures, sim->t, sim->q, own_velocity(scheme, sim), p + ledger->momenta);
  }
  for (size_t i = 0; i < count; i++) {
    ledger->momentum_start[i] = first ? p[i] : ledger->momentum_start[i];
    ledger->momentum_change[i] = dls_larger(ledger->momentum_change[i], fabs(p[i] - ledger->momentum_start[i]));
  }
}

enum { STATE_ENERGIES = 5 }; /* t, three energies, work */

dls_status dls_energy_states_create(dls_energy_ledger *ledger, dls_error *err)
{
  const char *names[STATE_ENERGIES + DLS_MOMENTA_MOST] = {"t", "kinetic", "potential", "mechanical",
                                                          "supplied"};
  for (size_t i = 0; i < ledger->momenta; i++) {
    names[STATE_ENERGIES + i] = dls_momentum_name(ledger->momenta, i);
  }
  ledger->states = dls_trajectory_create_table(STATE_ENERGIES + ledger->momenta, names);
  return ledger->states != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for the energy ledger");
}

dls_status dls_energy_states_append(dls_measures *measures, const dls_energy_state *state,
                                    dls_energy_ledger *ledger, dls_error *err)
{
  const dls_sim *sim = state->sim;
  double *row = dls_trajectory_append(ledger->states);
  if (row == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for row %zu of the ledger", ledger->states->rows);
  }
  row[0] = sim->t;
  row[1] = state->kinetic;
  row[2] = state->potential;
  row[3] = row[1] + row[2];
  row[4] = state->supplied;
  dls_measures_momenta(measures, sim->t, sim->q, state->v, row + STATE_ENERGIES);
  return DLS_OK;
}
