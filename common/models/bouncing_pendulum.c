/* bouncing_pendulum.c -- a rigid pendulum whose tip hits a vertical hurdle; q = angle below the horizontal.
 *   m l^2 q'' = m g l cos q + H p,   gap = l cos q - hurdle,   H = -l sin q
 * Nonlinear in force and gap.
 * Source: after Chen, Acary, Virlez, Bruls 2013, section 5.5, in the angle instead of (x, y) with a constraint.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/model.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MASS, LENGTH, GRAVITY, HURDLE, RESTITUTION, ANGLE, RATE, COUNT };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass of the tip", 1, 0, DBL_MAX, DLS_OPEN_MIN),
    [LENGTH] = DLS_NUMBER("l", "m", "length of the massless rod", 1, 0, DBL_MAX, DLS_OPEN_MIN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "gravity, downward", 9.81, 0, DBL_MAX, DLS_OPEN_MIN),
    [HURDLE] = DLS_NUMBER("hurdle", "m", "horizontal distance of the hurdle from the pivot, less than l",
                          0.70710678118654752, 0, DBL_MAX, DLS_OPEN_MIN),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient", 0.8, 0, 1, 0),
    [ANGLE] = DLS_NUMBER("q0", "rad", "initial angle below the horizontal", 0, -1.5, 1.5, 0),
    [RATE] = DLS_NUMBER("v0", "rad/s", "initial angular velocity", 0, -DBL_MAX, DBL_MAX, 0),
    {0},
};

static void force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  const double *p = sys->data;
  (void)t;
  (void)v;
  F[0] = p[MASS] * p[GRAVITY] * p[LENGTH] * cos(q[0]);
}

static void stiffness(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *K)
{
  const double *p = sys->data;
  (void)t;
  (void)v;
  dls_matrix_set(K, 0, 0, p[MASS] * p[GRAVITY] * p[LENGTH] * sin(q[0]));
}

static void gap(const dls_system *sys, double t, const double *q, double *g)
{
  (void)t;
  const double *p = sys->data;
  g[0] = p[LENGTH] * cos(q[0]) - p[HURDLE];
}

static void gradient(const dls_system *sys, const double *q, dls_matrix *H)
{
  const double *p = sys->data;
  dls_matrix_set(H, 0, 0, -p[LENGTH] * sin(q[0]));
}

static void curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  (void)t;
  const double *p = sys->data;
  c[0] = -p[LENGTH] * cos(q[0]) * v[0] * v[0];
}

static void contact_name(const dls_system *sys, size_t alpha, char *text, size_t size)
{
  (void)sys;
  snprintf(text, size, "contact %zu (hurdle)", alpha);
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  (void)sys;
  (void)i;
  *out = (dls_coordinate){.name = "angle", .unit = "rad"};
}

/* V = -m g l sin q: the tip is l sin q below the pivot. */
static double potential(const dls_system *sys, const double *q)
{
  const double *p = sys->data;
  return -p[MASS] * p[GRAVITY] * p[LENGTH] * sin(q[0]);
}

static void release(dls_system *sys)
{
  free(sys->data);
}

static void fill(dls_system *sys, const double *p)
{
  memcpy(sys->data, p, COUNT * sizeof *p);
  dls_matrix_set(sys->M, 0, 0, p[MASS] * p[LENGTH] * p[LENGTH]);
  sys->e[0] = p[RESTITUTION];
  sys->q0[0] = p[ANGLE];
  sys->v0[0] = p[RATE];
  sys->length = p[LENGTH];
  sys->time = sqrt(p[LENGTH] / p[GRAVITY]);
  sys->force = force;
  sys->stiffness = stiffness;
  sys->gap = gap;
  sys->gradient = gradient;
  sys->curvature = curvature;
  sys->contact_name = contact_name;
  sys->coordinate = coordinate;
  sys->potential = potential;
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  (void)self;
  *out = NULL;
  if (p[HURDLE] >= p[LENGTH] * cos(p[ANGLE])) {
    return dls_fail(err, DLS_ERR_ARG,
                    "model bouncing-pendulum: hurdle = %g is not less than l cos(q0) = %g: no gap at the start",
                    p[HURDLE], p[LENGTH] * cos(p[ANGLE]));
  }
  dls_system *sys = *out = dls_system_create(1, 1);
  if (sys != NULL) {
    sys->release = release;
    sys->data = malloc(COUNT * sizeof(double));
    sys->M = dls_matrix_diagonal(1);
    sys->K = dls_matrix_diagonal(1);
    sys->H = dls_matrix_dense(1, 1);
  }
  if (sys == NULL || sys->data == NULL || sys->M == NULL || sys->K == NULL || sys->H == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "bouncing-pendulum: no memory");
  }
  fill(sys, p);
  return DLS_OK;
}

/* The tip is drawn as a ball, the hurdle as much farther left; it begins where the tip meets it. */
static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const double l = p[LENGTH], radius = 0.05 * l, left = p[HURDLE] - radius;
  const double x = l * cos(q[0]), y = -l * sin(q[0]);
  const double meeting = -sqrt((l - p[HURDLE]) * (l + p[HURDLE]));
  dls_sketch_between(out, DLS_SHAPE_WALL, left, meeting + 0.05 * l, left, -1.1 * l);
  dls_sketch_between(out, DLS_SHAPE_LINE, 0, 0, x, y);
  dls_sketch_ball(out, 0, 0, 0.015 * l);
  dls_sketch_ball(out, x, y, radius);
  dls_sketch_touch(out, x - radius, y, 1, 0);
}

const dls_model dls_model_bouncing_pendulum = {
    .name = "bouncing-pendulum",
    .summary = "rigid pendulum that hits a hurdle: nonlinear force and gap",
    .source = "after Q. Chen, V. Acary, G. Virlez, O. Bruls 2013, section 5.5",
    .equations = "m l^2 q'' = m g l cos(q) - l sin(q) p,   q: angle below the horizontal\n"
                 "g_0 = l cos(q) - hurdle >= 0\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
