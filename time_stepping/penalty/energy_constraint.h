/* energy_constraint.h -- the energy of a penalty step enforced by a multiplier.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_ENERGY_CONSTRAINT_H
#define DELASSUS_TIME_STEPPING_ENERGY_CONSTRAINT_H

#include "time_stepping/penalty/penalty_step.h"

/** Name of what excludes the constraint: friction, varying gaps, varying masses; NULL: nothing. */
const char *dls_energy_constraint_obstacle(const dls_penalty *s, const dls_system *sys);
/**
 * The step of the continuum `trapezoidal` from sim->q, s->v with the multiplier that keeps the energy; s->extra is its force [N].
 * @return DLS_ERR_NOCONV where there is none
 */
dls_status dls_energy_constraint_solve(dls_sim *sim, dls_penalty *s, double h, dls_error *err);

#endif
