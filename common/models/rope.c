/* rope.c -- a mass on a rope that carries no thrust: it flies freely within a circle, which is a curved unilateral contact.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/model.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MASS, LENGTH, GRAVITY, RESTITUTION, X0, Y0, VX0, VY0, COUNT };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 1, 0, INFINITY, OPEN),
    [LENGTH] = DLS_NUMBER("l", "m", "length of the rope", 2, 0, INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "gravity, along -y", 9.81, 0, INFINITY, OPEN),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient of the taut rope", 1, 0, 1, 0),
    [X0] = DLS_NUMBER("x0", "m", "initial x", 1, -INFINITY, INFINITY, OPEN),
    [Y0] = DLS_NUMBER("y0", "m", "initial y; the rope is slack", 1, -INFINITY, INFINITY, OPEN),
    [VX0] = DLS_NUMBER("vx0", "m/s", "initial velocity along x", 0, -INFINITY, INFINITY, OPEN),
    [VY0] = DLS_NUMBER("vy0", "m/s", "initial velocity along y", 0, -INFINITY, INFINITY, OPEN),
    {0},
};

static void force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  const double *p = sys->data;
  (void)t, (void)q, (void)v;
  F[0] = 0;
  F[1] = -p[MASS] * p[GRAVITY];
}

static double potential(const dls_system *sys, const double *q)
{
  const double *p = sys->data;
  return p[MASS] * p[GRAVITY] * q[1];
}

static void gap(const dls_system *sys, double t, const double *q, double *g)
{
  const double *p = sys->data;
  (void)t;
  g[0] = p[LENGTH] - hypot(q[0], q[1]);
}

/* -x/|x| */
static void gradient(const dls_system *sys, const double *q, dls_matrix *H)
{
  const double r = fmax(hypot(q[0], q[1]), DBL_MIN);
  (void)sys;
  dls_matrix_set(H, 0, 0, -q[0] / r);
  dls_matrix_set(H, 1, 0, -q[1] / r);
}

/* -v_t^2/|x|, v_t across the rope */
static void curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  const double r = fmax(hypot(q[0], q[1]), DBL_MIN), across = (q[0] * v[1] - q[1] * v[0]) / r;
  (void)sys, (void)t;
  c[0] = -across * across / r;
}

static void contact_name(const dls_system *sys, size_t alpha, char *text, size_t size)
{
  (void)sys;
  snprintf(text, size, "contact %zu (taut rope)", alpha);
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  (void)sys;
  *out = (dls_coordinate){.unit = "m"};
  snprintf(out->name, sizeof out->name, "%c", i == 0 ? 'x' : 'y');
}

static void release(dls_system *sys)
{
  free(sys->data);
}

static void fill(dls_system *sys, const double *p)
{
  memcpy(sys->data, p, COUNT * sizeof *p);
  for (size_t i = 0; i < 2; i++) {
    dls_matrix_set(sys->M, i, i, p[MASS]);
    sys->q0[i] = p[X0 + i];
    sys->v0[i] = p[VX0 + i];
  }
  sys->e[0] = p[RESTITUTION];
  sys->length = p[LENGTH];
  sys->time = sqrt(p[LENGTH] / p[GRAVITY]);
  sys->force = force;
  sys->potential = potential;
  sys->gap = gap;
  sys->gradient = gradient;
  sys->curvature = curvature;
  sys->contact_name = contact_name;
  sys->coordinate = coordinate;
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  *out = NULL;
  if (!(hypot(p[X0], p[Y0]) < p[LENGTH])) {
    return dls_fail(err, DLS_ERR_ARG, "model %s: the start is %g m from the origin, not less than l = %g m",
                    self->name, hypot(p[X0], p[Y0]), p[LENGTH]);
  }
  dls_system *sys = *out = dls_system_create(2, 1);
  if (sys != NULL) {
    sys->release = release;
    sys->data = malloc(COUNT * sizeof *p);
    sys->M = dls_matrix_diagonal(2);
    sys->H = dls_matrix_dense(2, 1);
  }
  if (sys == NULL || sys->data == NULL || sys->M == NULL || sys->H == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory", self->name);
  }
  fill(sys, p);
  return DLS_OK;
}

/* The circle by chords, and the mass as a ball inside of it. */
static void sketch(const double *p, const double *q, dls_sketch *out)
{
  enum { CHORDS = 36 };
  const double l = p[LENGTH], radius = 0.04 * l, r = fmax(hypot(q[0], q[1]), DBL_MIN);
  const double turn = 2 * acos(-1) / CHORDS;
  for (int k = 0; k < CHORDS; k++) {
    dls_sketch_between(out, DLS_SHAPE_LINE, (l + radius) * cos(turn * k), (l + radius) * sin(turn * k),
                       (l + radius) * cos(turn * (k + 1)), (l + radius) * sin(turn * (k + 1)));
  }
  dls_sketch_ball(out, 0, 0, radius / 3);
  dls_sketch_ball(out, q[0], q[1], radius);
  dls_sketch_touch(out, q[0] * (1 + radius / r), q[1] * (1 + radius / r), -q[0] / r, -q[1] / r);
}

const dls_model dls_model_rope = {
    .name = "rope",
    .summary = "mass on a rope: free flight within a circle, a curved unilateral contact",
    .source = "limit of E. Lens & A. Cardona 2007, system (d), for m1 to 0",
    .equations = "m x'' = H p_x,   m y'' = -m g + H p_y,   g_0 = l - |(x, y)| >= 0,   H = -(x, y)/|(x, y)|\n"
                 "parabolas between impacts; default data: t = 0.74632, 1.17130, 2.25511, 2.65383\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
