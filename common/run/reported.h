/* reported.h -- completes p, p_t and status of contacts that a time-stepping scheme reports only in part.
 *
 * A scheme that sets only sim->p would record status 0 and no friction while a body slides. If a contact system solved for the impulses
 * that the scheme reports, the driver takes p_t and status from it. A contact at rest with an impulse is closed. If a contact
 * slides with an impulse but without friction, and no contact system solved for this impulse, the run fails.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_REPORTED_H
#define DELASSUS_COMMON_RUN_REPORTED_H

#include <delassus/sim.h>

/** sim->reported, for time-stepping schemes and systems with contacts. @return false if out of memory */
bool dls_reported_create(dls_sim *sim);
void dls_reported_destroy(dls_sim *sim);
/** Before an advance: discard the completions of the last node. */
void dls_reported_begin(dls_sim *sim);
/** At a node with known u and u_t. @return DLS_OK; DLS_ERR_NOT_APPLICABLE: friction is not reported */
dls_status dls_reported_complete(dls_sim *sim, dls_error *err);

#endif
