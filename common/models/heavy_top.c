/* heavy_top.c -- a symmetric top on a fixed point, in its directors: q = (d1, d2, d3), d2 the axis, z upward. The joints make them
 * orthonormal. Without angles there is no singularity where the axis points down.
 *   T = 1/2 sum a_i |d_i'|^2,   a_1 = a_3 = J2/2,   a_2 = J1 - J2/2 + m l^2,   V = m g l d2_z
 * with the moments of inertia about the centre of mass J1 (across) and J2 (along the axis).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/system/momentum.h"
#include <delassus/model.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MASS, LENGTH, ACROSS, ALONG, GRAVITY, ANGLE, SPIN, PRECESSION, COUNT };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 15, 0, INFINITY, OPEN),
    [LENGTH] =
        DLS_NUMBER("l", "m", "distance of the centre of mass from the fixed point", 1, 0, INFINITY, OPEN),
    [ACROSS] = DLS_NUMBER("J1", "kg m^2", "moment of inertia about the centre of mass, across the axis",
                          0.234375, 0, INFINITY, OPEN),
    [ALONG] = DLS_NUMBER("J2", "kg m^2", "moment of inertia along the axis, below 2 (J1 + m l^2)", 0.46875, 0,
                         INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "gravity, along -z", 9.81, 0, INFINITY, OPEN),
    [ANGLE] = DLS_NUMBER("theta0", "rad", "initial angle of the axis from the vertical", 1.5707963267948966, 0,
                         3.1415926535897932, 0),
    [SPIN] =
        DLS_NUMBER("spin", "rad/s", "initial angular velocity along the axis", 150, -INFINITY, INFINITY, OPEN),
    [PRECESSION] =
        DLS_NUMBER("precession", "rad/s",
                   "initial angular velocity across the axis, in the vertical plane that contains it", -4.61538,
                   -INFINITY, INFINITY, OPEN),
    {0},
};

enum { JOINTS = 6 };
static const size_t pair[JOINTS][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

static double dot(const double *x, const double *y)
{
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static void force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  const double *p = sys->data;
  (void)t, (void)q, (void)v;
  memset(F, 0, sys->n * sizeof *F);
  F[5] = -p[MASS] * p[GRAVITY] * p[LENGTH];
}

static double potential(const dls_system *sys, const double *q)
{
  const double *p = sys->data;
  return p[MASS] * p[GRAVITY] * p[LENGTH] * q[5];
}

/* (d_i . d_i - 1)/2, d_i . d_j */
static void joint(const dls_system *sys, double t, const double *q, double *phi)
{
  (void)sys, (void)t;
  for (size_t k = 0; k < JOINTS; k++) {
    const double *a = q + 3 * pair[k][0], *b = q + 3 * pair[k][1];
    phi[k] = a == b ? (dot(a, a) - 1) / 2 : dot(a, b);
  }
}

static void joint_gradient(const dls_system *sys, double t, const double *q, dls_matrix *G)
{
  (void)sys, (void)t;
  for (size_t k = 0; k < JOINTS; k++) {
    const size_t a = 3 * pair[k][0], b = 3 * pair[k][1];
    for (size_t i = 0; i < 3; i++) {
      dls_matrix_set(G, a + i, k, q[b + i]);
      dls_matrix_set(G, b + i, k, q[a + i]);
    }
  }
}

static void joint_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  (void)sys, (void)t, (void)q;
  for (size_t k = 0; k < JOINTS; k++) {
    const double *a = v + 3 * pair[k][0], *b = v + 3 * pair[k][1];
    c[k] = a == b ? dot(a, a) : 2 * dot(a, b);
  }
}

static void joint_stiffness(const dls_system *sys, double t, const double *q, const double *mu, dls_matrix *K)
{
  (void)sys, (void)t, (void)q;
  for (size_t k = 0; k < JOINTS; k++) {
    for (size_t i = 0; i < 3; i++) {
      dls_matrix_set(K, 3 * pair[k][0] + i, 3 * pair[k][1] + i, mu[k]);
      dls_matrix_set(K, 3 * pair[k][1] + i, 3 * pair[k][0] + i, mu[k]);
    }
  }
}

static void joint_name(const dls_system *sys, size_t i, char *text, size_t size)
{
  (void)sys;
  snprintf(text, size, "d%zu . d%zu", pair[i][0] + 1, pair[i][1] + 1);
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  (void)sys;
  *out = (dls_coordinate){.unit = "1"};
  snprintf(out->name, sizeof out->name, "d%zu%c", i / 3 + 1, "xyz"[i % 3]);
}

/* m l d2', and sum a_i d_i x d_i' about the fixed point. */
static void momentum(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                     double *momenta)
{
  const double *p = sys->data;
  (void)t;
  for (size_t i = 0; i < 3; i++) {
    momenta[i] = p[MASS] * p[LENGTH] * v[3 + i];
    momenta[3 + i] = 0;
  }
  for (size_t k = 0; k < 3; k++) {
    dls_momentum_turn(3, q + 3 * k, Mv + 3 * k, momenta + 3);
  }
}

static void release(dls_system *sys)
{
  free(sys->data);
}

/* d1 along x, d2 in the plane of y and z; d_i' = w x d_i with w = spin d2 + precession d3. */
static void start(dls_system *sys, const double *p)
{
  const double c = cos(p[ANGLE]), s = sin(p[ANGLE]);
  const double d[9] = {1, 0, 0, 0, s, c, 0, -c, s};
  double w[3];
  for (size_t i = 0; i < 3; i++) {
    w[i] = p[SPIN] * d[3 + i] + p[PRECESSION] * d[6 + i];
  }
  memcpy(sys->q0, d, sizeof d);
  for (size_t k = 0; k < 9; k++) {
    const size_t a = (k % 3 + 1) % 3, b = (k % 3 + 2) % 3, first = k - k % 3;
    sys->v0[k] = w[a] * d[first + b] - w[b] * d[first + a];
  }
}

static void fill(dls_system *sys, const double *p)
{
  const double a2 = p[ACROSS] - p[ALONG] / 2 + p[MASS] * p[LENGTH] * p[LENGTH];
  memcpy(sys->data, p, COUNT * sizeof *p);
  for (size_t i = 0; i < 9; i++) {
    dls_matrix_set(sys->M, i, i, i / 3 == 1 ? a2 : p[ALONG] / 2);
  }
  start(sys, p);
  sys->r = JOINTS;
  sys->time = sqrt(p[LENGTH] / p[GRAVITY]);
  sys->force = force;
  sys->explicit_time = DLS_TIME_NONE;
  sys->potential = potential;
  sys->momenta = 6;
  sys->momentum = momentum;
  sys->joint = joint;
  sys->joint_gradient = joint_gradient;
  sys->joint_curvature = joint_curvature;
  sys->joint_stiffness = joint_stiffness;
  sys->joints_quadratic = true;
  sys->joint_name = joint_name;
  sys->coordinate = coordinate;
  joint_gradient(sys, 0, sys->q0, sys->G);
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  *out = NULL;
  if (!(p[ALONG] < 2 * (p[ACROSS] + p[MASS] * p[LENGTH] * p[LENGTH]))) {
    return dls_fail(err, DLS_ERR_ARG, "model %s: J2 = %g kg m^2 is not below 2 (J1 + m l^2) = %g", self->name,
                    p[ALONG], 2 * (p[ACROSS] + p[MASS] * p[LENGTH] * p[LENGTH]));
  }
  dls_system *sys = *out = dls_system_create(9, 0);
  if (sys != NULL) {
    sys->release = release;
    sys->data = malloc(COUNT * sizeof *p);
    sys->M = dls_matrix_diagonal(9);
    sys->G = dls_matrix_dense(9, JOINTS);
    sys->geometric = dls_matrix_dense(9, 9);
  }
  if (sys == NULL || sys->data == NULL || sys->M == NULL || sys->G == NULL || sys->geometric == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory", self->name);
  }
  fill(sys, p);
  return DLS_OK;
}

/* View along x. */
static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const double l = p[LENGTH], rim = 0.3 * l, y = l * q[4], z = l * q[5];
  dls_sketch_ball(out, 0, 0, 0.02 * l);
  dls_sketch_between(out, DLS_SHAPE_LINE, 0, 0, y, z);
  dls_sketch_between(out, DLS_SHAPE_LINE, y - rim * q[1], z - rim * q[2], y + rim * q[1], z + rim * q[2]);
  dls_sketch_between(out, DLS_SHAPE_LINE, y - rim * q[7], z - rim * q[8], y + rim * q[7], z + rim * q[8]);
  dls_sketch_ball(out, y, z, 0.05 * l);
}

const dls_model dls_model_heavy_top = {
    .name = "heavy-top",
    .summary = "symmetric top on a fixed point, in nine coordinates with six joints",
    .source = "data of M. Geradin & A. Cardona 2001, as in M. Arnold & O. Bruls 2007; directors as P. Betsch & "
              "P. Steinmann 2001",
    .equations = "M q'' = F + G mu,   q = (d1, d2, d3), d2 the axis, z upward;   V = m g l d2z\n"
                 "M = diag(J2/2, J1 - J2/2 + m l^2, J2/2) (x) I,   phi = (d_i . d_i - 1)/2, d_i . d_j = 0\n"
                 "u = d2z: u'^2 = (1 - u^2) (2 E' - 2 m g l u)/A - (H_z - H_3 u)^2/A^2,   A = J1 + m l^2,\n"
                 "E' = E - H_3^2/(2 J2): an elliptic function of period 0.745206947617 s (default data)\n"
                 "u(0.1) = -0.1491647005619, default data\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
