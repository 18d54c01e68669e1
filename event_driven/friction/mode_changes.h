/* event_driven/friction/mode_changes.h -- contact modes at events: which contacts stick, which slip, and in which direction.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_MODE_CHANGES_H
#define DELASSUS_EVENT_DRIVEN_MODE_CHANGES_H

#include "event_driven/friction/slip.h"

typedef struct dls_participant dls_participant;

/** Store the mode of the last forces for contact j: whether the end of its slip counts yet, and whether its slip is slow. */
void dls_modes_start(dls_event_integrator *run, size_t j);
/** a, lambda := those of Is at q, v from which the motion continues. Slip that would be slow and is far from its direction is not slow. */
dls_status dls_modes_forces(dls_event_integrator *run, double t, dls_error *err);
/** At the right end of a step without event, with the geometry of the contacts there: the end of slip of contact j may count from now
 * on, and its slip may become slow. A sticking contact that drifts is marked for projection. */
dls_status dls_modes_update(dls_event_integrator *run, size_t j, dls_error *err);
/** Is the slip of each participant 0 now? @param[in] impact  there were impulses */
void dls_modes_classify_slip(dls_event_integrator *run, size_t count, bool impact);
/** The modes with which the participants start into the acceleration level. */
void dls_modes_initial(dls_event_integrator *run, size_t count, bool impact);
/** The acceleration level of the set at (t, q, v), with the geometry there: a, force, and the modes that follow.
 * @return DLS_ERR_PAINLEVE: there are no forces; the Painleve paradox is described in `painleve` */
dls_status dls_modes_acceleration_level(dls_event_integrator *run, double t, const double *q, const double *v,
                                        const dls_contacts *set, dls_error *err);
/** Does one of the first `rest` contacts of the subset not stick with the forces in lambda? If the forces of the acceleration level keep
 * all contacts clear of their limits, redundant rows split the force like those from now on; otherwise that contact begins to slip. */
bool dls_modes_release_overloaded(dls_event_integrator *run, size_t rest);
/** Impact without collision of the contact in `painleve`: impulses stop its slip; others that are closed stay closed. */
dls_status dls_modes_stop_slip(dls_event_integrator *run, size_t count, dls_error *err);
/** The mode of a participant after impulses that were passed: it is stationary, or slips according to v. */
void dls_modes_apply(dls_event_integrator *run, dls_participant *participant, bool stationary);
/** Fail with the Painleve paradox that was found. */
dls_status dls_modes_fail_painleve(const dls_event_integrator *run, dls_error *err);

#endif
