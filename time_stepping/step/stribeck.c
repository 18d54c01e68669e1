/* stribeck.c -- the coefficient of friction of each contact from its slip speed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/stribeck.h"
#include "common/base/larger.h"
#include <math.h>

enum { MOST_ROUNDS = 200 };
static const double settled = 1e-14; /* of mu_s: change of a coefficient */

/* |u_T,k+x| of contact k of the active ones: x = 0 at the beginning of the step, x = theta after its impulse. */
static double speed_at(const dls_velocity_contact *c, size_t k, double x)
{
  const size_t d = c->stage.place->d;
  double speed = 0;
  for (size_t i = 1; i < d; i++) {
    const size_t row = d * c->active.index[k] + i;
    const double last = c->velocity[row];
    const double next = x == 0 ? 0 : c->stage.mixed[d * k + i] - c->stage.mixture[row] * c->u_minus[d * k + i];
    speed = hypot(speed, (1 - x) * last + x * next);
  }
  return speed;
}

/* The coefficients of these speeds. @return their largest change, in units of mu_s */
static double choose(const dls_sim *sim, dls_velocity_contact *c, double x)
{
  const dls_system *sys = sim->sys;
  double change = 0;
  for (size_t k = 0; k < c->active.count; k++) {
    const size_t j = c->active.index[k];
    const bool impacts = c->velocity[c->stage.place->d * j] < -c->eps_u;
    const double last = c->stage.mu[j];
    c->stage.mu[j] = impacts ? sys->mu[j] : dls_system_friction(sys, j, speed_at(c, k, x));
    change = last != c->stage.mu[j] ? dls_larger(change, fabs(c->stage.mu[j] - last) / fmax(sys->mu_s[j], last))
                                    : change;
  }
  return change;
}

dls_status dls_stribeck_solve(dls_sim *sim, dls_velocity_contact *c, dls_error *err)
{
  choose(sim, c, 0);
  double change = HUGE_VAL;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    dls_status status = dls_stage_impulse(&c->stage, &c->active, c->u_free, c->u_minus, c->impulse, err);
    if (status != DLS_OK) {
      return status;
    }
    change = choose(sim, c, c->theta);
    if (change <= settled) {
      return DLS_OK;
    }
  }
  return dls_fail(
      err, DLS_ERR_NOCONV,
      "coefficients of friction that depend on the slip speed still change by %.3g of mu_s after %d rounds: "
      "a shorter step may help",
      change, MOST_ROUNDS);
}
