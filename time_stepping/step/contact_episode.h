/* contact_episode.h -- contacts that yield last several steps: an impact is reported when the contact has opened again, one that
 * began at rest at t = 0 as a lift-off.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_CONTACT_EPISODE_H
#define DELASSUS_TIME_STEPPING_CONTACT_EPISODE_H

#include <delassus/sim.h>

typedef struct dls_contact_episode {
  bool open; /* an episode is */
  double t, u_minus, impulse;
} dls_contact_episode;

/**
 * The step that ends at t has been made. An event is reported if it ends the episode of contact j.
 * @param[in] begins   the contact had a force in the step: an episode begins, if none is open, with u_minus
 * @param[in] touches  it goes on after the step
 * @param[in] impulse  of the step
 * @param[in] config   where u+ of v is taken
 */
void dls_contact_episode_follow(dls_sim *sim, dls_contact_episode *x, size_t j, double t, bool begins,
                                bool touches, double u_minus, double impulse, const dls_configuration *config,
                                const double *v);

#endif
