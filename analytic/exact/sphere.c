/* analytic/exact/sphere.c -- a sphere on a plane: the slip keeps its direction e, u' = -7/2 mu g e, until it rolls.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/motion.h"
#include <math.h>

enum { MASS, RADIUS, FRICTION, VX, VY, WX, WY, WZ, GRAVITY }; /* parameters of the model */

extern const dls_model dls_model_sphere;

/* v' = -mu g e, w' = 5 mu g/(2 R) (-e_y, e_x, 0) while it slips with the direction e. */
static void slip(const double *p, const long double e[2], long double *a)
{
  const long double drag = p[FRICTION] * (long double)p[GRAVITY], turn = 2.5L * drag / p[RADIUS];
  const long double all[] = {-drag * e[0], -drag * e[1], 0, -turn * e[1], turn * e[0], 0};
  for (int i = 0; i < 6; i++) {
    a[i] = all[i];
  }
}

static dls_status roll(dls_exact_solution *sol, const dls_motion_piece *before, long double stop,
                       dls_error *err)
{
  dls_motion_piece piece = *before;
  piece.start = stop;
  for (size_t i = 0; i < 6; i++) {
    const dls_wave_state at = dls_motion_at(&before->of[i], stop);
    piece.of[i].own = (dls_wave){.x0 = at.x, .x1 = at.d};
  }
  piece.status[0] = 1;
  piece.event = (dls_event){.t = (double)stop, .kind = DLS_STICK};
  piece.has_event = true;
  return dls_motion_push(sol, &piece, err);
}

static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  dls_exact_solution *sol = *out = dls_motion_create(6, 1);
  if (sol == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an exact solution");
  }
  const double v0[] = {p[VX], p[VY], 0, p[WX], p[WY], p[WZ]};
  const long double u[] = {p[VX] - (long double)p[RADIUS] * p[WY], p[VY] + (long double)p[RADIUS] * p[WX]};
  const long double speed = hypotl(u[0], u[1]), drag = p[FRICTION] * (long double)p[GRAVITY];
  const long double e[] = {speed > 0 ? u[0] / speed : 0, speed > 0 ? u[1] / speed : 0};
  const long double stop = drag > 0 ? 2 * speed / (7 * drag) : HUGE_VALL;
  long double a[6];
  slip(p, e, a);
  dls_motion_piece piece = {.lambda = {p[MASS] * p[GRAVITY]}, .status = {speed > 0 ? 2 : 1}};
  for (size_t i = 0; i < 6; i++) {
    sol->v0[i] = v0[i];
    piece.of[i].own = (dls_wave){.x1 = v0[i], .p = speed > 0 ? a[i] : 0};
  }
  sol->q0[2] = p[RADIUS];
  piece.of[2].own.x0 = p[RADIUS];
  sol->gap[0] = (dls_motion_gap){2, (size_t)-1, p[RADIUS]};
  const dls_status status = dls_motion_push(sol, &piece, err);
  return status == DLS_OK && speed > 0 && stop < end ? roll(sol, &piece, stop, err) : status;
}

const dls_exact dls_exact_sphere = {
    .model = &dls_model_sphere,
    .summary = "closed form, piece by piece",
    .source = "elementary",
    .n = 6,
    .m = 1,
    .create = create,
    DLS_MOTION_CALLS,
};
