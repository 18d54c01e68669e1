/* delassus/many.h -- many runs of one model, side by side where their steps allow it. Results are those of dls_run to the last bit.
 *
 *   for (size_t i = 0; i < count; i++) { // systems with parameters of their own, and sims with options of their own
 *     specs[i] = (dls_run_spec){.step = h[i], .end = 4, .record = records[i]};
 *   }
 *   dls_run_many(count, sims, specs, statuses, &err);
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MANY_H
#define DELASSUS_MANY_H

#include <delassus/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Run each sim with its spec, in any order. Nodes, events, counters and final states are those of dls_run, whatever the other members
 * are. Only wall_seconds differs: it is the time of the whole call divided by count. A member is a sim with its own system (parameters,
 * initial data), options, step, end and record. Model and scheme are common to all. Up to eight members make their steps side by side in
 * vector registers, where the scheme has advance_batch (small linear systems). A member makes a step alone where
 * advance_batch cannot make it, and all its steps if it is watched. No member ends another: failed runs are kept up to their failure.
 * Uses one thread. Allocates only at the start of each run and for its record.
 * @param[in]  count     > 0
 * @param[in]  sims      count, not run yet, all different
 * @param[in]  specs     count; records must be different. A member whose poll says stop ends alone
 * @param[out] statuses  count, as dls_run returns them; may be NULL
 * @param[out] err       "member 3: " and the message of the first member (by number) that failed; may be NULL
 * @return DLS_OK if all members are done, else the status of the first that failed. Before any member is started: DLS_ERR_ARG if count is
 *         0, an array or a sim is NULL, a member has another scheme than member 0, a system of another model (by n, m, rows of a contact,
 *         joints, linear or not, and the functions for loads, forces and gaps), or a step, end or record that dls_run refuses
 */
dls_status dls_run_many(size_t count, dls_sim *const *sims, const dls_run_spec *specs, dls_status *statuses,
                        dls_error *err);

#ifdef __cplusplus
}
#endif

#endif
