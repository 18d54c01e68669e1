/* flight.h -- what batches of single runs share: steps without contact, and steps at rest, of which the nodes are not recorded.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_FLIGHT_H
#define DELASSUS_TIME_STEPPING_FLIGHT_H

#include <delassus/scheme.h>

/** Are the nodes of the run not recorded, and does no load depend on t? */
bool dls_batch_unseen(const dls_sim *sim);
/** The driver's arrays for a node that ends a flight: t, q and v of the sim are set; no contact acts. */
void dls_batch_at_flight(dls_sim *sim);
/** Are v and a exactly 0? Of small systems. */
bool dls_batch_rests(const dls_sim *sim);
/**
 * A step of a run that rests, by advance. Where it repeats the state to the last bit, so do all further ones, of any length, since
 * no stage of a step leaves q: these are only counted.
 * @return steps made; 0 where the step failed, or has ended at an event
 */
size_t dls_batch_rest(dls_batch_member *member);

#endif
