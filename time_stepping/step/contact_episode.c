/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/contact_episode.h"

void dls_contact_episode_follow(dls_sim *sim, dls_contact_episode *x, size_t j, double t, bool begins,
                                bool touches, double u_minus, double impulse, const dls_configuration *config,
                                const double *v)
{
  if (!x->open && begins) {
    *x = (dls_contact_episode){.open = true, .t = t, .u_minus = u_minus};
  }
  if (!x->open) {
    return;
  }
  x->impulse += impulse;
  if (!touches) {
    const bool impact = x->u_minus < 0;
    const dls_event event = {.t = impact ? x->t : t,
                             .kind = impact ? DLS_IMPACT : DLS_LIFT_OFF,
                             .contact = j,
                             .u_minus = impact ? x->u_minus : 0,
                             .u_plus = dls_configuration_row(config, config->d * j, v),
                             .impulse = impact ? x->impulse : 0};
    dls_sim_event(sim, &event);
    x->open = false;
  }
}
