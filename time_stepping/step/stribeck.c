/* stribeck.c -- the coefficient of friction of each contact from its slip speed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/stribeck.h"
#include "common/base/larger.h"
#include "time_stepping/step/average.h"
#include <math.h>

enum { MOST_ROUNDS = 200 };
static const double settled = 1e-14; /* of mu_s: change of a coefficient */

/* |u_T,k+theta| of contact k of the active ones after its impulse. */
static double speed_between(const dls_velocity_contact *c, size_t k)
{
  const size_t d = c->contacts.config->d;
  double speed = 0;
  for (size_t i = 1; i < d; i++) {
    const size_t row = d * c->active.index[k] + i;
    const double next =
        c->contacts.mixed[d * k + i] - c->contacts.mixture[row] * c->u_minus[d * k + i]; /* u^ - c u- */
    speed = hypot(speed, DLS_AVERAGE(c->theta, c->velocity[row], next));
  }
  return speed;
}

/* The coefficients of the slip speeds. @return their largest change, in units of mu_s */
static double choose(const dls_sim *sim, dls_velocity_contact *c,
                     double (*speed)(const dls_velocity_contact *c, size_t k))
{
  const dls_system *sys = sim->sys;
  double change = 0;
  for (size_t k = 0; k < c->active.count; k++) {
    const size_t j = c->active.index[k];
    const double last = c->contacts.mu[j];
    c->contacts.mu[j] =
        dls_velocity_contact_impacts(c, k) ? sys->mu[j] : dls_system_friction(sys, j, speed(c, k));
    change = last != c->contacts.mu[j]
                 ? dls_larger(change, fabs(c->contacts.mu[j] - last) / fmax(sys->mu_s[j], last))
                 : change;
  }
  return change;
}

dls_status dls_stribeck_solve(dls_sim *sim, dls_velocity_contact *c, dls_error *err)
{
  choose(sim, c, dls_velocity_contact_slip); /* mu(|u_T,k|) */
  double change = HUGE_VAL;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    dls_status status =
        dls_contact_system_impulse(&c->contacts, &c->active, c->u_free, c->u_minus, c->impulse, err);
    if (status != DLS_OK) {
      return status;
    }
    change = choose(sim, c, speed_between); /* the fixed point: mu of u_T,k+theta */
    if (change <= settled) {
      return DLS_OK;
    }
  }
  return dls_fail(err, DLS_ERR_NOCONV,
                  "coefficients of friction that depend on the slip speed still change by %.3g of mu_s after "
                  "%d iterations: a shorter step may help",
                  change, MOST_ROUNDS);
}
