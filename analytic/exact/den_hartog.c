/* analytic/exact/den_hartog.c -- stick and slip of the model den-hartog in closed form.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/dry_oscillator.h"

enum {
  MASS,
  STIFFNESS,
  AMPLITUDE,
  OMEGA,
  PHASE,
  LIMIT,
  STATIC,
  POSITION,
  SPEED,
  GRAVITY
}; /* parameters of the model */

extern const dls_model dls_model_den_hartog;

static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  const dls_dry_oscillator block = {.m = p[MASS],
                                    .k = p[STIFFNESS],
                                    .P = p[AMPLITUDE],
                                    .omega = p[OMEGA],
                                    .phase = p[PHASE],
                                    .F = p[LIMIT],
                                    .Fs = p[STATIC] > 0 ? p[STATIC] : p[LIMIT],
                                    .q0 = p[POSITION],
                                    .v0 = p[SPEED],
                                    .g = p[GRAVITY]};
  return dls_dry_oscillator_create(&block, end, out, err);
}

const dls_exact dls_exact_den_hartog = {
    .model = &dls_model_den_hartog,
    .summary = "stick and slip one after the other, times by safeguarded root finding",
    .source = "elementary",
    .n = 2,
    .m = 1,
    .create = create,
    DLS_MOTION_CALLS,
};
