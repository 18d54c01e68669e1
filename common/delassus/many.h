/* delassus/many.h -- many runs of one model: side by side where their steps allow it, and to the last bit those of dls_run.
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
 * As dls_run of each sim with its spec, in any order: the same nodes, events, counters and final states, whatever the other lanes are,
 * but for wall_seconds, which is the time of the whole call divided by count. A lane is a sim of its own: its own system (parameters,
 * initial data), options, step, end and record; what they have in common is the model and the scheme. Up to eight lanes make their steps side by
 * side, as vectors of the machine, where the scheme makes many steps at once (its glide: small linear systems without friction); a lane that comes
 * to a step that it cannot make so makes it alone, and so does one that is watched. No lane ends another: all are run, failed ones as far
 * as they go. In one thread, without allocating but for the start of each run and its record.
 * @param[in]  count     > 0
 * @param[in]  sims      count, not run yet, all different
 * @param[in]  specs     count; records must be different. A lane whose poll says stop ends alone
 * @param[out] statuses  count, as dls_run returns them; NULL: not asked for
 * @param[out] err       "lane 3: " and the message of the first lane (by number) that failed; may be NULL
 * @return DLS_OK if all lanes are done, else the status of the first that failed. Before any lane is started: DLS_ERR_ARG if count is 0, an
 *         array or a sim is NULL, a lane has another scheme than lane 0, or a system of another model (n, m, rows of a contact, joints,
 *         linear or not, and the functions for loads, forces and gaps tell), or a step, end or record that dls_run refuses
 */
dls_status dls_run_many(size_t count, dls_sim *const *sims, const dls_run_spec *specs, dls_status *statuses,
                        dls_error *err);

#ifdef __cplusplus
}
#endif

#endif
