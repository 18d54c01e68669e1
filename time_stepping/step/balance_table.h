/* balance_table.h -- the work of load tables in energy identities.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BALANCE_TABLE_H
#define DELASSUS_TIME_STEPPING_BALANCE_TABLE_H

#include <delassus/sim.h>

/** F += the mean load of the rows of a load table in the last step, of length h, for a scheme that evaluates forces at
 * theta of it; nothing if there are none. F, work: n; work is scratch */
static inline void dls_balance_add_table(const dls_sim *sim, double h, double theta, double *F, double *work)
{
  if (dls_sim_load_impulse(sim, dls_sim_last_time(sim, h), sim->t, theta, work)) {
    for (size_t i = 0; i < sim->sys->n; i++) {
      F[i] += work[i] / h;
    }
  }
}

#endif
