/* reported.h -- what a scheme by step reports of its contacts: p, p_t, status. What it leaves out is completed or refused.
 *
 * A scheme that sets sim->p only would record status 0 and no friction while a body slides. Where a stage solved for the impulses
 * that the scheme reports, the driver takes p_t and status from it. A contact that rests under an impulse is closed. A contact
 * that slides under an impulse without friction, which no stage explains, ends the run.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_REPORTED_H
#define DELASSUS_COMMON_RUN_REPORTED_H

#include <delassus/sim.h>

/** sim->reported, for schemes by step and systems with contacts. @return false if out of memory */
bool dls_reported_create(dls_sim *sim);
void dls_reported_destroy(dls_sim *sim);
/** Before an advance: forget what was completed for the last node. */
void dls_reported_begin(dls_sim *sim);
/** At a node, u and u_t of which are known. @return DLS_OK; DLS_ERR_NOT_APPLICABLE: friction is not reported */
dls_status dls_reported_complete(dls_sim *sim, dls_error *err);

#endif
