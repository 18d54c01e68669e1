/* event_driven/progress.c -- steps that lead nowhere end the run, with the reason.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/event_integrator.h"
#include <math.h>
#include <stdio.h>

enum { MOST_SLOW_STEPS = 20000 };
static const double least_progress =
    1e-4; /* of t_s, or of what is left to go: of so many steps, between two events */

/* What makes steps small: the contact whose slip in space turns fastest, with its rate, if all of them together turn it by a radian; or
 * what else may. */
static void find_reason(const dls_event_integrator *tr, char *text, size_t size)
{
  double most = 0, speed = 0;
  size_t which = 0;
  for (size_t k = 0; tr->d == 3 && k < tr->active.count; k++) {
    const size_t j = tr->active.index[k];
    double u[2];
    const double slip = dls_slip_of(tr, j, tr->right.y + tr->n, u);
    const double rate = tr->contact[j].weight * dls_slip_force(tr, j, tr->lambda) / slip;
    if (tr->contact[j].grip.kind == DLS_GRIP_SLIPS && rate > most) {
      most = rate;
      speed = slip;
      which = j;
    }
  }
  char name[80];
  snprintf(text, size, "the system is stiff there (method=bdf), or its forces are singular");
  if (most * (tr->right.t - tr->slow_since) > 1) {
    dls_contact_name(tr->sys, which, name, sizeof name);
    snprintf(text, size, "the slip of %s, %.3g m/s, turns at %.3g /s", name, speed, most);
  }
}

dls_status dls_progress_check(dls_event_integrator *tr, dls_error *err)
{
  const double t = tr->right.t;
  if (t - tr->slow_since > least_progress * fmin(tr->sys->time, tr->end - tr->slow_since)) {
    tr->slow_since = t;
    tr->slow_steps = 0;
  }
  if (++tr->slow_steps <= MOST_SLOW_STEPS) {
    return DLS_OK;
  }
  if (dls_smooth_drop_impulse_control(tr)) {
    tr->slow_steps = 0;
    return DLS_OK;
  }
  char why[160];
  find_reason(tr, why, sizeof why);
  return dls_sim_fail(
      tr->sim, err, DLS_ERR_INTEGRATOR,
      "the steps have become too small: %d of them lead from t = %.17g to %.17g without an event, "
      "of the time scale %.6g s; %s",
      (int)MOST_SLOW_STEPS, tr->slow_since, t, tr->sys->time, why);
}
