/* hurdle_pendulum.c -- shared by the models of the pendulum with a hurdle, in all coordinates.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/hurdle_pendulum.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const dls_option dls_hurdle_pendulum_parameters[] = {
    [DLS_PENDULUM_MASS] = DLS_NUMBER("m", "kg", "mass of the tip", 1, 0, DBL_MAX, DLS_OPEN_MIN),
    [DLS_PENDULUM_LENGTH] = DLS_NUMBER("l", "m", "length of the massless rod", 1, 0, DBL_MAX, DLS_OPEN_MIN),
    [DLS_PENDULUM_GRAVITY] = DLS_NUMBER("g", "m/s^2", "gravity, downward", 9.81, 0, DBL_MAX, DLS_OPEN_MIN),
    [DLS_PENDULUM_HURDLE] =
        DLS_NUMBER("hurdle", "m", "horizontal distance of the hurdle from the pivot, less than l",
                   0.70710678118654752, 0, DBL_MAX, DLS_OPEN_MIN),
    [DLS_PENDULUM_RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient", 0.8, 0, 1, 0),
    [DLS_PENDULUM_ANGLE] = DLS_NUMBER("q0", "rad", "initial angle below the horizontal", 0, -1.5, 1.5, 0),
    [DLS_PENDULUM_RATE] = DLS_NUMBER("v0", "rad/s", "initial angular velocity", 0, -DBL_MAX, DBL_MAX, 0),
    {0},
};

static dls_status check(const dls_model *self, const double *p, dls_error *err)
{
  const double start = p[DLS_PENDULUM_LENGTH] * cos(p[DLS_PENDULUM_ANGLE]);
  if (p[DLS_PENDULUM_HURDLE] >= start) {
    return dls_fail(err, DLS_ERR_ARG,
                    "model %s: hurdle = %g is not less than l cos(q0) = %g: no gap at the start", self->name,
                    p[DLS_PENDULUM_HURDLE], start);
  }
  return DLS_OK;
}

static void contact_name(const dls_system *sys, size_t alpha, char *text, size_t size)
{
  (void)sys;
  snprintf(text, size, "contact %zu (hurdle)", alpha);
}

static void release(dls_system *sys)
{
  free(sys->data);
}

static void fill(dls_system *sys, const double *p)
{
  memcpy(sys->data, p, DLS_PENDULUM_COUNT * sizeof *p);
  sys->e[0] = p[DLS_PENDULUM_RESTITUTION];
  sys->length = p[DLS_PENDULUM_LENGTH];
  sys->explicit_time = DLS_TIME_NONE;
  sys->time = sqrt(p[DLS_PENDULUM_LENGTH] / p[DLS_PENDULUM_GRAVITY]);
  sys->contact_name = contact_name;
}

/* Allocate the matrices. @return false if out of memory */
static bool make_room(dls_system *sys, size_t n, size_t r)
{
  sys->r = r;
  sys->release = release;
  sys->data = malloc(DLS_PENDULUM_COUNT * sizeof(double));
  sys->M = dls_matrix_diagonal(n);
  sys->H = dls_matrix_dense(n, 1);
  sys->K = r == 0 ? dls_matrix_diagonal(n) : NULL;
  sys->G = r > 0 ? dls_matrix_dense(n, r) : NULL;
  sys->geometric = r > 0 ? dls_matrix_diagonal(n) : NULL;
  const bool joints = sys->G != NULL && sys->geometric != NULL;
  return sys->data != NULL && sys->M != NULL && sys->H != NULL && (r > 0 ? joints : sys->K != NULL);
}

dls_status dls_hurdle_pendulum_create(const dls_model *self, const double *p, size_t n, size_t r,
                                      dls_system **out, dls_error *err)
{
  *out = NULL;
  const dls_status status = check(self, p, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_system *sys = *out = dls_system_create(n, 1);
  if (sys == NULL || !make_room(sys, n, r)) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory", self->name);
  }
  fill(sys, p);
  return DLS_OK;
}

/* The tip is drawn as a ball, with the hurdle moved left by its radius; the hurdle begins where the tip hits it. */
void dls_hurdle_pendulum_sketch(const double *p, double x, double y, dls_sketch *out)
{
  const double l = p[DLS_PENDULUM_LENGTH], hurdle = p[DLS_PENDULUM_HURDLE];
  const double radius = 0.05 * l, left = hurdle - radius, meeting = -sqrt((l - hurdle) * (l + hurdle));
  dls_sketch_between(out, DLS_SHAPE_WALL, left, meeting + 0.05 * l, left, -1.1 * l);
  dls_sketch_between(out, DLS_SHAPE_LINE, 0, 0, x, y);
  dls_sketch_ball(out, 0, 0, 0.015 * l);
  dls_sketch_ball(out, x, y, radius);
  dls_sketch_touch(out, x - radius, y, 1, 0);
}
