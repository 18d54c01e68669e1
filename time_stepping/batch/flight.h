/* flight.h -- what batches of single runs share. They make steps without contact and steps at rest, and record no nodes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_FLIGHT_H
#define DELASSUS_TIME_STEPPING_FLIGHT_H

#include <delassus/scheme.h>

/** Are the nodes of the run not recorded, and does no load depend on t? */
bool dls_batch_unseen(const dls_sim *sim);
/** The driver's arrays for a node that ends a flight: t, q and v of the sim are set; no contact acts. */
void dls_batch_at_flight(dls_sim *sim);
/**
 * Make at most `period` steps by advance, until one ends with the state before them to the last bit, as at rest. They end early where
 * a step fails or ends at an event.
 * @param[in,out] member  made: number of steps
 * @param[out] before  counters before the steps
 * @return was the state met again?
 */
bool dls_batch_find_period(dls_batch_member *member, size_t period, dls_work *before);
/** Count the steps that repeat these steps, up to member->most in all. */
void dls_batch_repeat(dls_batch_member *member, const dls_work *before);

#endif
