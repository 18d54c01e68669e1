/* experiments/measures/energy/derived.h -- columns that are computed from a trajectory.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_DERIVED_H
#define DELASSUS_EXPERIMENTS_DERIVED_H

#include <delassus/model.h>
#include <delassus/scheme.h>
#include <delassus/trajectory.h>

/**
 * A copy of the trajectory with more columns:
 *   force0, ...  contact force: where impulses are those of steps, p of the step divided by its length, constant on the
 *                step; else the column lambda (impulses have no duration there)
 *   slip0, ...   in the plane: mean of the slips before and after the impulse of the row; 0 where there is none
 *   drag0, ...   p_T/(mu p_N) of that impulse, in [-1, 1]
 *   energy, ...  energies, momenta and works of contact: those of the system in measures.h
 * @param[in] traj   of a run of sys; may be empty
 * @param[in] scheme  of the run; NULL: impulses are those of jumps, as of an exact solution
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_derive(const dls_trajectory *traj, const dls_system *sys, const dls_scheme *scheme,
                      dls_trajectory **out, dls_error *err);
/**
 * Before a run that leaves nodes out: have it record the works of contact, which dls_derive cannot compute from the remaining rows.
 * @param[in,out] traj  empty, of a sim of sys by the scheme
 * @return as dls_trajectory_measure
 */
dls_status dls_derive_record(dls_trajectory *traj, const dls_system *sys, const dls_scheme *scheme,
                             dls_error *err);

#endif
