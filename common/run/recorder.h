/* recorder.h -- writes nodes of a run as rows of its record: all of them, or a selection.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_RECORDER_H
#define DELASSUS_COMMON_RUN_RECORDER_H

#include <delassus/sim.h>

/**
 * The recorder of a sim with a record. None is created if every node is recorded without a limit.
 * @return DLS_OK; DLS_ERR_ARG if a time is outside [0, end] or not after the one before it, or both ways of selecting nodes
 * are requested; DLS_ERR_MEMORY
 */
dls_status dls_recorder_create(dls_sim *sim, const dls_recording *recording, double end, dls_error *err);
void dls_recorder_destroy(dls_recorder *recorder); /* NULL is fine */

/** Expected rows of a run of this many steps. */
size_t dls_recording_rows(const dls_recording *recording, size_t steps);

/** Does the record have rows at given times that may become nodes? Not with works of contact, which are sums over nodes. */
bool dls_record_is_at_times(const dls_sim *sim);
/** The next of them; HUGE_VAL: none. */
double dls_record_next_time(const dls_sim *sim);

/** Record an event, or only count it where the record leaves some out; sim->out_of_memory if that fails. */
void dls_record_event(dls_sim *sim, const dls_event *event);
/** Record the node that a sim with a record has reached. @return DLS_OK; DLS_ERR_MEMORY; DLS_ERR_LIMIT */
dls_status dls_record_node(dls_sim *sim, dls_error *err);
/** The same if only events are recorded: checks their limit. @return as dls_record_node */
dls_status dls_record_skipped(dls_sim *sim, dls_error *err);
/** After the last node: record it if it was skipped. @return as dls_record_node */
dls_status dls_record_end(dls_sim *sim, dls_error *err);

#endif
