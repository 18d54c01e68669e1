/* analytic/exact/superball.c -- impacts, slip and rolling of the model superball in closed form.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/bounces.h"

enum {
  MASS,
  RADIUS,
  RESTITUTION,
  TANGENTIAL,
  FRICTION,
  HEIGHT,
  SPEED,
  SPIN,
  GRAVITY
}; /* parameters of the model */

extern const dls_model dls_model_superball;

static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  const dls_bounces sphere = {.m = p[MASS],
                              .R = p[RADIUS],
                              .e = p[RESTITUTION],
                              .e_t = p[TANGENTIAL],
                              .mu = p[FRICTION],
                              .h = p[HEIGHT],
                              .vx = p[SPEED],
                              .w = p[SPIN],
                              .g = p[GRAVITY]};
  return dls_bounces_create(&sphere, end, out, err);
}

const dls_exact dls_exact_superball = {
    .model = &dls_model_superball,
    .summary = "impact by impact, then sliding and rolling, in closed form",
    .source = "elementary",
    .n = 3,
    .m = 1,
    .create = create,
    DLS_MOTION_CALLS,
};
