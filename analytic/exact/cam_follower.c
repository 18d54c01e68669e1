/* analytic/exact/cam_follower.c -- the follower relative to the cam.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/moving_support.h"
#include <math.h>

enum { MASS, STIFFNESS, PRELOAD, RESTITUTION, LIFT, OMEGA }; /* parameters of the model */

extern const dls_model dls_model_cam_follower;

static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  const dls_support_motion motion = {.m = p[MASS],
                                     .k = p[STIFFNESS],
                                     .F = p[PRELOAD],
                                     .mean = p[LIFT],
                                     .A = -p[LIFT],
                                     .omega = p[OMEGA],
                                     .e = p[RESTITUTION]};
  return dls_support_create(&motion, end, out, err);
}

const dls_exact dls_exact_cam_follower = {
    .model = &dls_model_cam_follower,
    .summary = "relative to the support an impacting oscillator; all events by safeguarded root finding",
    .source = "elementary",
    .n = 1,
    .m = 1,
    .create = create,
    DLS_SUPPORT_CALLS,
};
