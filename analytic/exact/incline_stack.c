/* analytic/exact/incline_stack.c -- two blocks on an incline, released at rest: at rest, together, or one on the other.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/motion.h"
#include <math.h>

enum { MASS_1, MASS_2, FRICTION_1, FRICTION_2, ALPHA, GRAVITY }; /* parameters of the model */

extern const dls_model dls_model_incline_stack;

/* Accelerations downhill. The upper block slides ahead if it would outrun the pair: tan(alpha) > mu2 and mu2 < mu1. */
static void accelerations(const double *p, long double *a1, long double *a2)
{
  const long double g = p[GRAVITY], s = sinl(p[ALPHA]), c = cosl(p[ALPHA]), m1 = p[MASS_1], m2 = p[MASS_2];
  const long double mu1 = p[FRICTION_1], mu2 = p[FRICTION_2];
  const bool ahead = s > mu2 * c && mu2 < mu1;
  const long double together = fmaxl(0, g * (s - mu1 * c));
  *a1 = ahead ? fmaxl(0, g * (m1 * s + mu2 * m2 * c - mu1 * (m1 + m2) * c) / m1) : together;
  *a2 = ahead ? g * (s - mu2 * c) : together;
}

static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  dls_exact_solution *sol = *out = dls_motion_create(4, 2);
  (void)end;
  if (sol == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an exact solution");
  }
  long double a1 = 0, a2 = 0;
  accelerations(p, &a1, &a2);
  const double press = p[GRAVITY] * cos(p[ALPHA]);
  const dls_motion_piece piece = {.of = {[0].own.p = -a1, [2].own.p = -a2},
                                  .lambda = {(p[MASS_1] + p[MASS_2]) * press, p[MASS_2] * press},
                                  .status = {a1 > 0 ? 2 : 1, a2 > a1 ? 2 : 1}};
  sol->gap[0].plus = 1;
  sol->gap[1] = (dls_motion_gap){3, 1, 0};
  return dls_motion_push(sol, &piece, err);
}

const dls_exact dls_exact_incline_stack = {
    .model = &dls_model_incline_stack,
    .summary = "closed form, piece by piece",
    .source = "elementary",
    .n = 4,
    .m = 2,
    .create = create,
    DLS_MOTION_CALLS,
};
