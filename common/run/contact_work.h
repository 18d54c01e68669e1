/* contact_work.h -- the work of contact impulses and forces from the start of a run to its nodes,
 *   normal   sum of 1/2 (u_N- + u_N+) p_N + integral of u_N lambda_N dt,     friction   the same along the tangents,
 * with u the velocity of the gap, including supports and surfaces. If p is the impulse of a step, u- is that at its start,
 * without an extra lambda; for schemes whose impulses work on the velocity of the node (`at_node`) it is u+. Otherwise p is
 * the jump at the node, and u lambda is integrated with both linear between nodes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_CONTACT_WORK_H
#define DELASSUS_COMMON_RUN_CONTACT_WORK_H

#include <delassus/scheme.h>
#include <delassus/trajectory.h>

enum { DLS_CONTACT_WORKS = 2 }; /* normal, friction */

typedef struct dls_contact_work dls_contact_work;

/** @param[in] traj  whose nodes the rows are @param[in] scheme  the scheme that made them; NULL: impulses are jumps
 * @return NULL if out of memory */
dls_contact_work *dls_contact_work_create(const dls_trajectory *traj, const dls_scheme *scheme);
void dls_contact_work_destroy(dls_contact_work *work); /* NULL is fine */
/**
 * Add the next row of the run; the first does no work. @param[in] row   a whole node, whether all of it is recorded or not
 */
void dls_contact_work_row(dls_contact_work *work, const double *row);
/** works := normal, friction [J] since the first row; with `left`, before the work of the last row itself. */
void dls_contact_work_sums(const dls_contact_work *work, bool left, double works[DLS_CONTACT_WORKS]);

#endif
