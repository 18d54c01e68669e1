/* analytic/exact/incline.c -- a block on an incline: slides uphill or downhill, stops, rests or slides back.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/motion.h"
#include <math.h>

enum { MASS, ALPHA, FRICTION, SPEED, GRAVITY }; /* parameters of the model */

extern const dls_model dls_model_incline;

/* Acceleration of slip with sign s; s = 0: at rest. */
static long double slip_acceleration(const double *p, int s)
{
  const long double g = p[GRAVITY], alpha = p[ALPHA];
  return s == 0 ? 0 : -g * sinl(alpha) - s * (p[FRICTION] * g * cosl(alpha));
}

/* The way it goes from rest: downhill, or not at all. */
static int from_rest(const double *p)
{
  return tanl(p[ALPHA]) <= p[FRICTION] ? 0 : -1;
}

static dls_status push(dls_exact_solution *sol, const double *p, long double t, long double x, long double v,
                       int sign, dls_event_kind kind, dls_error *err)
{
  const double force = p[MASS] * p[GRAVITY] * cos(p[ALPHA]);
  const dls_motion_piece piece = {.start = t,
                                  .of = {{.own = {x, v, slip_acceleration(p, sign), 0, 0, 0}}},
                                  .lambda = {force},
                                  .status = {sign == 0 ? 1 : 2},
                                  .event = {.t = (double)t, .kind = kind},
                                  .has_event = t > 0};
  return dls_motion_push(sol, &piece, err);
}

static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  dls_exact_solution *sol = *out = dls_motion_create(2, 1);
  if (sol == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an exact solution");
  }
  sol->gap[0].plus = 1;
  const long double v = sol->v0[0] = p[SPEED];
  const int sign = v > 0 ? 1 : v < 0 ? -1 : from_rest(p);
  const long double a = slip_acceleration(p, sign), stop = v * a < 0 ? -v / a : HUGE_VALL;
  dls_status status = push(sol, p, 0, 0, v, sign, DLS_STICK, err);
  if (status == DLS_OK && stop < end) {
    const int next = from_rest(p);
    status = push(sol, p, stop, v * stop / 2, 0, next, next == 0 ? DLS_STICK : DLS_REVERSAL, err);
  }
  return status;
}

const dls_exact dls_exact_incline = {
    .model = &dls_model_incline,
    .summary = "closed form, piece by piece",
    .source = "elementary",
    .n = 2,
    .m = 1,
    .create = create,
    DLS_MOTION_CALLS,
};
