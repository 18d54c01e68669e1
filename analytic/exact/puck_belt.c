/* analytic/exact/puck_belt.c -- a puck on a belt: the slip keeps its direction until it sticks.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/motion.h"
#include <math.h>

enum { MASS, FRICTION, SPEED, BELT, GRAVITY }; /* parameters of the model */

extern const dls_model dls_model_puck_belt;

static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  dls_exact_solution *sol = *out = dls_motion_create(3, 1);
  if (sol == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an exact solution");
  }
  const long double v0 = p[SPEED], vb = p[BELT], speed = hypotl(v0, vb),
                    drag = p[FRICTION] * (long double)p[GRAVITY];
  const long double stop = drag > 0 ? speed / drag : HUGE_VALL;
  const double force = p[MASS] * p[GRAVITY];
  dls_motion_piece piece = {.lambda = {force}, .status = {speed > 0 ? 2 : 1}};
  sol->gap[0].plus = 2;
  sol->v0[1] = p[SPEED];
  if (speed > 0) {
    piece.of[0].own.p = drag * vb / speed;
    piece.of[1].own = (dls_wave){0, v0, -drag * v0 / speed, 0, 0, 0};
  }
  dls_status status = dls_motion_push(sol, &piece, err);
  if (status == DLS_OK && speed > 0 && stop < end) {
    const dls_motion_piece stick = {.start = stop,
                                    .of = {{.own = {vb * stop / 2, vb}}, {.own = {v0 * stop / 2}}},
                                    .lambda = {force},
                                    .status = {1},
                                    .event = {.t = (double)stop, .kind = DLS_STICK},
                                    .has_event = true};
    status = dls_motion_push(sol, &stick, err);
  }
  return status;
}

const dls_exact dls_exact_puck_belt = {
    .model = &dls_model_puck_belt,
    .summary = "closed form, piece by piece",
    .source = "elementary",
    .n = 3,
    .m = 1,
    .create = create,
    DLS_MOTION_CALLS,
};
