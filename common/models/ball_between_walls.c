/* ball_between_walls.c -- a mass point between two walls, g_0 = q, g_1 = width - q.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/system/momentum.h"
#include <delassus/model.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MASS, FORCE, RESTITUTION, WIDTH, POSITION, VELOCITY };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 1, 0, DBL_MAX, DLS_OPEN_MIN),
    [FORCE] =
        DLS_NUMBER("f", "N", "constant force; negative presses on the wall at 0", 0, -DBL_MAX, DBL_MAX, 0),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient of both walls", 0.8, 0, 1, 0),
    [WIDTH] = DLS_NUMBER("width", "m", "distance of the walls", 1, 0, DBL_MAX, DLS_OPEN_MIN),
    [POSITION] = DLS_NUMBER("q0", "m", "initial position, between 0 and width", 0.4, 0, DBL_MAX, 0),
    [VELOCITY] = DLS_NUMBER("v0", "m/s", "initial velocity", 1, -DBL_MAX, DBL_MAX, 0),
    {0},
};

static void load(const dls_system *sys, double t, double *F)
{
  (void)t;
  F[0] = *(const double *)sys->data;
}

static void contact_name(const dls_system *sys, size_t alpha, char *text, size_t size)
{
  (void)sys;
  snprintf(text, size, "contact %zu (%s wall)", alpha, alpha == 0 ? "left" : "right");
}

static void release(dls_system *sys)
{
  free(sys->data);
}

static void fill(dls_system *sys, const double *p)
{
  dls_matrix_set(sys->M, 0, 0, p[MASS]);
  dls_matrix_set(sys->H, 0, 0, 1);
  dls_matrix_set(sys->H, 0, 1, -1);
  sys->w[1] = p[WIDTH];
  sys->e[0] = sys->e[1] = p[RESTITUTION];
  sys->q0[0] = p[POSITION];
  sys->v0[0] = p[VELOCITY];
  *(double *)sys->data = p[FORCE];
  const double speed = fmax(fabs(p[VELOCITY]), sqrt(2 * fabs(p[FORCE]) / p[MASS] * p[WIDTH]));
  sys->length = p[WIDTH];
  sys->time = speed > 0 ? p[WIDTH] / speed : 1;
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  (void)self;
  *out = NULL;
  if (p[POSITION] > p[WIDTH]) {
    return dls_fail(err, DLS_ERR_ARG, "model ball-between-walls: q0 = %g is outside [0, width = %g]",
                    p[POSITION], p[WIDTH]);
  }
  dls_system *sys = *out = dls_system_create(1, 2);
  if (sys != NULL) {
    sys->linear = true;
    sys->load = load;
    sys->steady_load = true;
    sys->contact_name = contact_name;
    sys->release = release;
    sys->momenta = 1;
    sys->momentum = dls_momentum_line;
    sys->data = malloc(sizeof(double));
    sys->M = dls_matrix_diagonal(1);
    sys->H = dls_matrix_dense(1, 2);
  }
  if (sys == NULL || sys->data == NULL || sys->M == NULL || sys->H == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "ball-between-walls: no memory");
  }
  fill(sys, p);
  return DLS_OK;
}

/* The point mass is drawn as a ball, with the walls moved apart by its diameter. */
static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const double radius = 0.06 * p[WIDTH], height = 0.25 * p[WIDTH], right = p[WIDTH] + radius;
  dls_sketch_between(out, DLS_SHAPE_WALL, -radius, height, -radius, -height);
  dls_sketch_between(out, DLS_SHAPE_WALL, right, -height, right, height);
  dls_sketch_ball(out, q[0], 0, radius);
  dls_sketch_touch(out, q[0] - radius, 0, 1, 0);
  dls_sketch_touch(out, q[0] + radius, 0, -1, 0);
}

const dls_model dls_model_ball_between_walls = {
    .name = "ball-between-walls",
    .summary = "mass point between two walls",
    .source = "standard example with two opposite contacts",
    .equations = "m q'' = f + p_0 - p_1\n"
                 "g_0 = q >= 0,   g_1 = width - q >= 0\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
