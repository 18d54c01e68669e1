/* experiments/study/derived.h -- quantities over time that a trajectory does not have as columns.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_DERIVED_H
#define DELASSUS_EXPERIMENTS_DERIVED_H

#include <delassus/model.h>
#include <delassus/trajectory.h>

/**
 * A copy of the trajectory with more columns:
 *   force0, ...  contact force: where impulses are those of steps, p of the step divided by its length, constant on the
 *                step; else the column lambda (impulses have no duration there)
 *   slip0, ...   in the plane: mean of the slips before and after the impulse of the row; 0 where there is none
 *   drag0, ...   p_T/(mu p_N) of that impulse, in [-1, 1]
 *   energy, ...  energies and momenta: what measures.h has of the system
 * @param[in] traj   of a run of sys; may be empty
 * @param[in] steps  p is the impulse of the step that ends at the node
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_derive(const dls_trajectory *traj, const dls_system *sys, bool steps, dls_trajectory **out,
                      dls_error *err);

#endif
