/* plugin_by_hand.c -- two models as a person writes them, to be compared with those that SymPy derives from formulas:
 *   dimer-by-hand  two balls on a massless rod above a plate that vibrates, y_p = A sin(w t), with friction; q = (x, y, angle)
 *   cart-by-hand   a cart with a pendulum, which hits a wall at x = 1; q = (x, angle from below)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/plugin.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ANY(name, unit, value) DLS_NUMBER(name, unit, "as its name says", value, -DBL_MAX, DBL_MAX, 0)

static void release(dls_system *sys)
{
  free(sys->data);
}

static bool keep(dls_system *sys, const double *p, size_t count)
{
  sys->release = release;
  sys->data = malloc(count * sizeof *p);
  if (sys->data != NULL) {
    memcpy(sys->data, p, count * sizeof *p);
  }
  return sys->data != NULL;
}

/* --- the dimer --- */

enum { D_M, D_R, D_L, D_G, D_A, D_W, D_E, D_MU, D_X0, D_U0 = D_X0 + 3, D_COUNT = D_U0 + 3 };
static const dls_option dimer_parameters[] = {
    ANY("m", "kg", 1),       ANY("r", "m", 0.1),    ANY("l", "m", 1),
    ANY("g", "m/s^2", 9.81), ANY("A", "m", 0.02),   ANY("w", "rad/s", 60),
    ANY("e", "1", 0.8),      ANY("mu", "1", 0.2),   ANY("x0", "m", 0),
    ANY("y0", "m", 0.8),     ANY("a0", "rad", 0.3), ANY("u0", "m/s", 0),
    ANY("v0", "m/s", 0),     ANY("o0", "rad/s", 0), {0},
};
static const double side[] = {-1, 1};

static void dimer_force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  const double *p = sys->data;
  (void)t, (void)q, (void)v;
  F[0] = 0;
  F[1] = -2 * p[D_M] * p[D_G];
  F[2] = 0;
}

static void dimer_gap(const dls_system *sys, double t, const double *q, double *g)
{
  const double *p = sys->data;
  const double plate = p[D_A] * sin(p[D_W] * t);
  const double rise = p[D_L] / 2 * sin(q[2]);
  for (int j = 0; j < 2; j++) {
    g[j] = q[1] + side[j] * rise - p[D_R] - plate;
  }
}

static void dimer_gap_rate(const dls_system *sys, double t, const double *q, double *b)
{
  const double *p = sys->data;
  (void)q;
  b[0] = b[1] = -p[D_A] * p[D_W] * cos(p[D_W] * t);
}

static void dimer_gradient(const dls_system *sys, const double *q, dls_matrix *H)
{
  const double *p = sys->data;
  const double run = p[D_L] / 2 * cos(q[2]);
  for (size_t j = 0; j < 2; j++) {
    dls_matrix_set(H, 1, j, 1);
    dls_matrix_set(H, 2, j, side[j] * run);
  }
}

static void dimer_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  const double *p = sys->data;
  const double plate = p[D_A] * p[D_W] * p[D_W] * sin(p[D_W] * t);
  const double bend = p[D_L] / 2 * sin(q[2]) * v[2] * v[2];
  for (int j = 0; j < 2; j++) {
    c[j] = plate - side[j] * bend;
  }
}

static void dimer_tangents(const dls_system *sys, double t, const double *q, dls_matrix *T)
{
  const double *p = sys->data;
  const double rise = p[D_L] / 2 * sin(q[2]);
  (void)t;
  for (size_t j = 0; j < 2; j++) {
    dls_matrix_set(T, 0, j, 1);
    dls_matrix_set(T, 2, j, p[D_R] - side[j] * rise);
  }
}

static void dimer_slip_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  const double *p = sys->data;
  const double bend = p[D_L] / 2 * cos(q[2]) * v[2] * v[2];
  (void)t;
  for (int j = 0; j < 2; j++) {
    c[j] = -side[j] * bend;
  }
}

static void dimer_turn(const dls_system *sys, double t, const double *q, const double *x, dls_matrix *R)
{
  const double *p = sys->data;
  (void)t;
  for (size_t j = 0; j < 2; j++) {
    dls_matrix_set(R, 0, j, 0);
    dls_matrix_set(R, 1, j, 0);
    dls_matrix_set(R, 2, j, -side[j] * p[D_L] / 2 * sin(q[2]) * x[2]);
  }
}

static void dimer_bend(const dls_system *sys, double t, const double *q, const double *lambda, dls_matrix *K)
{
  const double *p = sys->data;
  (void)t;
  for (size_t i = 0; i < 9; i++) {
    dls_matrix_set(K, i / 3, i % 3, 0);
  }
  dls_matrix_set(K, 2, 2, (lambda[0] - lambda[1]) * p[D_L] / 2 * sin(q[2]));
}

static double dimer_potential(const dls_system *sys, const double *q)
{
  const double *p = sys->data;
  return 2 * p[D_M] * p[D_G] * q[1];
}

static void dimer_fill(dls_system *sys, const double *p)
{
  const double turning = 2 * p[D_M] * (p[D_L] * p[D_L] / 4 + 2 * p[D_R] * p[D_R] / 5);
  const double masses[] = {2 * p[D_M], 2 * p[D_M], turning};
  for (size_t i = 0; i < 3; i++) {
    dls_matrix_set(sys->M, i, i, masses[i]);
  }
  for (size_t j = 0; j < 2; j++) {
    sys->e[j] = p[D_E];
    sys->mu[j] = p[D_MU];
  }
  memcpy(sys->q0, p + D_X0, 3 * sizeof *p);
  memcpy(sys->v0, p + D_U0, 3 * sizeof *p);
  sys->force = dimer_force;
  sys->gap = dimer_gap;
  sys->gap_rate = dimer_gap_rate;
  sys->gradient = dimer_gradient;
  sys->curvature = dimer_curvature;
  sys->tangents = dimer_tangents;
  sys->slip_curvature = dimer_slip_curvature;
  sys->gap_turn = dimer_turn;
  sys->gap_stiffness = dimer_bend;
  sys->potential = dimer_potential;
}

static dls_status dimer_create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  dls_system *sys = *out = dls_system_create(3, 2);
  if (sys != NULL) {
    sys->d = 2;
    sys->M = dls_matrix_diagonal(3);
    sys->H = dls_matrix_dense(3, 2);
    sys->T = dls_matrix_dense(3, 2);
    sys->gap_geometric = dls_matrix_dense(3, 3);
  }
  if (sys == NULL || sys->M == NULL || sys->H == NULL || sys->T == NULL || sys->gap_geometric == NULL ||
      !keep(sys, p, D_COUNT)) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory", self->name);
  }
  dimer_fill(sys, p);
  return DLS_OK;
}

static const dls_model dimer = {
    .name = "dimer-by-hand",
    .summary = "two balls on a rod that bounce on a vibrating plate, with friction",
    .source = "for a test",
    .equations = "2 m x'' = 0,   2 m y'' = -2 m g,   J angle'' = 0\n",
    .parameters = dimer_parameters,
    .create = dimer_create,
};

/* --- the cart: (M + m) x'' + m l cos(a) a'' = m l sin(a) a'^2,  m l cos(a) x'' + m l^2 a'' = -m g l sin(a) --- */

enum { C_CART, C_M, C_L, C_G, C_E, C_X0, C_U0 = C_X0 + 2, C_COUNT = C_U0 + 2 };
static const dls_option cart_parameters[] = {
    ANY("M", "kg", 2), ANY("m", "kg", 1),     ANY("l", "m", 0.5),  ANY("g", "m/s^2", 9.81), ANY("e", "1", 0.8),
    ANY("x0", "m", 0), ANY("a0", "rad", 1.2), ANY("u0", "m/s", 3), ANY("o0", "rad/s", 0),   {0},
};

static void cart_mass(const dls_system *sys, const double *q, dls_matrix *M)
{
  const double *p = sys->data;
  const double coupling = p[C_M] * p[C_L] * cos(q[1]);
  dls_matrix_set(M, 0, 0, p[C_CART] + p[C_M]);
  dls_matrix_set(M, 0, 1, coupling);
  dls_matrix_set(M, 1, 0, coupling);
  dls_matrix_set(M, 1, 1, p[C_M] * p[C_L] * p[C_L]);
}

static void cart_force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  const double *p = sys->data;
  (void)t;
  F[0] = p[C_M] * p[C_L] * sin(q[1]) * v[1] * v[1];
  F[1] = -p[C_M] * p[C_G] * p[C_L] * sin(q[1]);
}

static void cart_stiffness(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *K)
{
  const double *p = sys->data;
  (void)t;
  dls_matrix_set(K, 0, 0, 0);
  dls_matrix_set(K, 1, 0, 0);
  dls_matrix_set(K, 0, 1, -p[C_M] * p[C_L] * cos(q[1]) * v[1] * v[1]);
  dls_matrix_set(K, 1, 1, p[C_M] * p[C_G] * p[C_L] * cos(q[1]));
}

static void cart_damping(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *C)
{
  const double *p = sys->data;
  (void)t;
  dls_matrix_set(C, 0, 0, 0);
  dls_matrix_set(C, 1, 0, 0);
  dls_matrix_set(C, 0, 1, -2 * p[C_M] * p[C_L] * sin(q[1]) * v[1]);
  dls_matrix_set(C, 1, 1, 0);
}

static void cart_gap(const dls_system *sys, double t, const double *q, double *g)
{
  (void)sys, (void)t;
  g[0] = 1 - q[0];
}

static double cart_potential(const dls_system *sys, const double *q)
{
  const double *p = sys->data;
  return -p[C_M] * p[C_G] * p[C_L] * cos(q[1]);
}

static void cart_fill(dls_system *sys, const double *p)
{
  memcpy(sys->q0, p + C_X0, 2 * sizeof *p);
  memcpy(sys->v0, p + C_U0, 2 * sizeof *p);
  cart_mass(sys, sys->q0, sys->M);
  dls_matrix_set(sys->H, 0, 0, -1);
  sys->e[0] = p[C_E];
  sys->mass = cart_mass;
  sys->force = cart_force;
  sys->stiffness = cart_stiffness;
  sys->damping = cart_damping;
  sys->gap = cart_gap;
  sys->potential = cart_potential;
}

static dls_status cart_create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  dls_system *sys = *out = dls_system_create(2, 1);
  if (sys != NULL) {
    sys->M = dls_matrix_dense(2, 2);
    sys->K = dls_matrix_dense(2, 2);
    sys->C = dls_matrix_dense(2, 2);
    sys->H = dls_matrix_dense(2, 1);
  }
  if (sys == NULL || sys->M == NULL || sys->K == NULL || sys->C == NULL || sys->H == NULL ||
      !keep(sys, p, C_COUNT)) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory", self->name);
  }
  cart_fill(sys, p);
  return DLS_OK;
}

static const dls_model cart = {
    .name = "cart-by-hand",
    .summary = "cart with a pendulum that hits a wall",
    .source = "for a test",
    .equations =
        "(M + m) x'' + m l cos(a) a'' = m l sin(a) a'^2,   m l cos(a) x'' + m l^2 a'' = -m g l sin(a)\n",
    .parameters = cart_parameters,
    .create = cart_create,
};

static const dls_model *const models[] = {&dimer, &cart, NULL};

const dls_plugin dls_plugin_entry = {
    DLS_PLUGIN_HEAD,
    .name = "by hand",
    .version = "1",
    .models = models,
};
