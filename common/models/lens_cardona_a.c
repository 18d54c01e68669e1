/* lens_cardona_a.c -- a pendulum in its angle from the lowest point.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/model.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MASS, LENGTH, GRAVITY, ANGLE, COUNT };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass of the tip", 1, 0, INFINITY, OPEN),
    [LENGTH] = DLS_NUMBER("l", "m", "length of the massless rod", 1, 0, INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "gravity, downward", 9.81, 0, INFINITY, OPEN),
    [ANGLE] = DLS_NUMBER("theta0", "rad", "initial angle from the lowest point, at rest", 1.5707963267948966,
                         -3.14, 3.14, 0),
    {0},
};

static void force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  const double *p = sys->data;
  (void)t, (void)v;
  F[0] = -p[MASS] * p[GRAVITY] * p[LENGTH] * sin(q[0]);
}

static void stiffness(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *K)
{
  const double *p = sys->data;
  (void)t, (void)v;
  dls_matrix_set(K, 0, 0, p[MASS] * p[GRAVITY] * p[LENGTH] * cos(q[0]));
}

/* m g l (1 - cos q) */
static double potential(const dls_system *sys, const double *q)
{
  const double *p = sys->data, s = sin(q[0] / 2);
  return 2 * p[MASS] * p[GRAVITY] * p[LENGTH] * s * s;
}

/* Of the tip, at (l sin q, -l cos q). */
static void momentum(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                     double *momenta)
{
  const double *p = sys->data;
  (void)t;
  momenta[0] = p[MASS] * p[LENGTH] * cos(q[0]) * v[0];
  momenta[1] = p[MASS] * p[LENGTH] * sin(q[0]) * v[0];
  momenta[2] = Mv[0];
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  (void)sys, (void)i;
  *out = (dls_coordinate){.name = "angle", .unit = "rad"};
}

static void release(dls_system *sys)
{
  free(sys->data);
}

static void fill(dls_system *sys, const double *p)
{
  memcpy(sys->data, p, COUNT * sizeof *p);
  dls_matrix_set(sys->M, 0, 0, p[MASS] * p[LENGTH] * p[LENGTH]);
  sys->q0[0] = p[ANGLE];
  sys->time = sqrt(p[LENGTH] / p[GRAVITY]);
  sys->force = force;
  sys->explicit_time = DLS_TIME_NONE;
  sys->stiffness = stiffness;
  sys->potential = potential;
  sys->momenta = 3;
  sys->momentum = momentum;
  sys->coordinate = coordinate;
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  dls_system *sys = *out = dls_system_create(1, 0);
  if (sys != NULL) {
    sys->release = release;
    sys->data = malloc(COUNT * sizeof *p);
    sys->M = dls_matrix_diagonal(1);
    sys->K = dls_matrix_diagonal(1);
  }
  if (sys == NULL || sys->data == NULL || sys->M == NULL || sys->K == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory", self->name);
  }
  fill(sys, p);
  return DLS_OK;
}

static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const double l = p[LENGTH], x = l * sin(q[0]), y = -l * cos(q[0]);
  dls_sketch_ball(out, 0, 0, 0.02 * l);
  dls_sketch_between(out, DLS_SHAPE_LINE, 0, 0, x, y);
  dls_sketch_ball(out, x, y, 0.06 * l);
}

const dls_model dls_model_lens_cardona_a = {
    .name = "lens-cardona-a",
    .summary = "pendulum in its angle: smooth, without joints",
    .source = "E. Lens & A. Cardona 2007, section 3, system (a); g is not given there",
    .equations = "m l^2 q'' = -m g l sin(q),   q: angle from the lowest point;   V = m g l (1 - cos q)\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
