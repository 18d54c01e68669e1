/* analytic/exact/vibrating_table.c -- the ball relative to the table.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/moving_support.h"
#include <math.h>

enum { MASS, GRAVITY, RESTITUTION, AMPLITUDE, OMEGA, PHASE, POSITION, SPEED }; /* parameters of the model */

extern const dls_model dls_model_vibrating_table;

static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  const dls_support_motion motion = {.m = p[MASS],
                                     .F = p[MASS] * p[GRAVITY],
                                     .A = p[AMPLITUDE],
                                     .omega = p[OMEGA],
                                     .phase = p[PHASE] - acos(0),
                                     .e = p[RESTITUTION],
                                     .q0 = p[POSITION],
                                     .v0 = p[SPEED]};
  return dls_support_create(&motion, end, out, err);
}

const dls_exact dls_exact_vibrating_table = {
    .model = &dls_model_vibrating_table,
    .summary = "relative to the support an impacting oscillator; all events by safeguarded root finding",
    .source = "elementary",
    .n = 1,
    .m = 1,
    .create = create,
    DLS_SUPPORT_CALLS,
};
