/* static_friction.c -- the coefficient of friction of each contact from its status.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/static_friction.h"
#include <math.h>
#include <string.h>

static const double coupled = 1e-12; /* of W's diagonal: entries below it are rounding */
/* By status; with contacts released or caught; with those caught in vain released. */
enum { MOST_PROBLEMS = 3 };

static double static_mu(const dls_sim *sim, size_t j)
{
  return fmax(sim->sys->mu_s[j], sim->sys->mu[j]);
}

/* Do rows i and k of contacts a and b touch each other? */
static bool rows_coupled(dls_delassus *W, size_t d, size_t a, size_t b)
{
  for (size_t i = d * a; i < d * (a + 1); i++) {
    for (size_t k = d * b; k < d * (b + 1); k++) {
      const double scale = sqrt(dls_delassus_entry(W, i, i) * dls_delassus_entry(W, k, k));
      if (fabs(dls_delassus_entry(W, i, k)) > coupled * scale) {
        return true;
      }
    }
  }
  return false;
}

static dls_status check_uncoupled(dls_sim *sim, const dls_velocity_contact *c, dls_error *err)
{
  const size_t *active = c->active.index;
  for (size_t a = 0; a < c->active.count; a++) {
    for (size_t b = 0; static_mu(sim, active[a]) > sim->sys->mu[active[a]] && b < c->active.count; b++) {
      if (a != b && rows_coupled(c->contacts.W, c->contacts.config->d, active[a], active[b])) {
        return dls_sim_fail(sim, err, DLS_ERR_NOT_APPLICABLE,
                            "contact %zu has mu_s = %g > mu = %g and is coupled with contact %zu: mu_s > mu is "
                            "treated only at contacts that are not coupled",
                            active[a], sim->sys->mu_s[active[a]], sim->sys->mu[active[a]], active[b]);
      }
    }
  }
  return DLS_OK;
}

/* The coefficients with which the step begins. */
static void begin(const dls_sim *sim, dls_velocity_contact *c)
{
  for (size_t k = 0; k < c->active.count; k++) {
    const size_t j = c->active.index[k];
    const bool rests =
        sim->status[j] == 1 || (sim->status[j] == 0 && dls_velocity_contact_slip(c, k) <= c->eps_u);
    c->contacts.mu[j] = rests && !dls_velocity_contact_impacts(c, k) ? static_mu(sim, j) : sim->sys->mu[j];
  }
}

/* u_T' . u_T < 0: the slip of contact k reverses. */
static bool turns_round(const dls_velocity_contact *c, size_t k)
{
  const size_t d = c->contacts.config->d;
  double product = 0;
  for (size_t i = 1; i < d; i++) {
    product += c->contacts.mixed[d * k + i] * c->velocity[d * c->active.index[k] + i];
  }
  return product < 0;
}

/* Release contacts beyond mu_s, catch contacts whose slip reverses. @return whether another problem must be solved */
static bool reconsider(const dls_sim *sim, dls_velocity_contact *c)
{
  bool again = false;
  for (size_t k = 0; k < c->active.count; k++) {
    const size_t j = c->active.index[k];
    const double mu = sim->sys->mu[j], held = c->contacts.mu[j], most = static_mu(sim, j);
    const bool slips = dls_contact_system_slips(&c->contacts, &c->active, k, c->impulse, c->eps_u);
    if (most > mu && slips && held == most) {
      c->contacts.mu[j] = mu; /* it does not hold: mu */
    } else if (most > mu && slips && !dls_velocity_contact_impacts(c, k) && turns_round(c, k)) {
      c->contacts.mu[j] = most; /* its slip reversed: mu_s */
    }
    again = again || c->contacts.mu[j] != held;
  }
  return again;
}

dls_status dls_static_friction_solve(dls_sim *sim, dls_velocity_contact *c, dls_error *err)
{
  if (!sim->sys->linear) {
    return dls_sim_fail(sim, err, DLS_ERR_NOT_APPLICABLE,
                        "static friction above that of sliding (mu_s > mu) is not treated in nonlinear "
                        "systems, where Newton's method needs a unique solution");
  }
  dls_status status = check_uncoupled(sim, c, err);
  begin(sim, c);
  for (int problem = 1; status == DLS_OK && problem <= MOST_PROBLEMS; problem++) {
    status = dls_contact_system_impulse(&c->contacts, &c->active, c->u_free, c->u_minus, c->impulse, err);
    if (problem == MOST_PROBLEMS || status != DLS_OK || !reconsider(sim, c)) {
      break;
    }
  }
  return status;
}
