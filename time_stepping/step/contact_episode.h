/* contact_episode.h -- events of compliant contacts, which last several steps. An episode is reported when the contact has opened:
 * as an impact, or, if the contact began without approach, as a lift-off.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_CONTACT_EPISODE_H
#define DELASSUS_TIME_STEPPING_CONTACT_EPISODE_H

#include <delassus/sim.h>

typedef struct dls_contact_episode {
  bool open; /* an episode has begun and not ended */
  double t, u_minus, impulse;
} dls_contact_episode;

/**
 * Follow contact j through the step that ends at t, and report the event if its episode ends.
 * @param[in] begins   the contact had a force in the step: an episode begins, if none is open, with u_minus
 * @param[in] touches  the contact lasts after the step
 * @param[in] impulse  of the step
 * @param[in] config   at which v gives u+
 */
void dls_contact_episode_follow(dls_sim *sim, dls_contact_episode *x, size_t j, double t, bool begins,
                                bool touches, double u_minus, double impulse, const dls_configuration *config,
                                const double *v);

#endif
