/* random_system.c -- random linear systems. They are generic: M, C, K share no eigenvectors, the contacts are coupled by
 * M and K, and each has its own restitution coefficient. M, K, C are diagonal matrices of random eigenvalues, turned by
 * random Householder reflections I - 2 u u^T; so is H, with its tangents, from a unit upper triangular matrix. That bounds
 * the condition numbers: M 10, K 25, H^T H 35. Only + - * / and sqrt are used: the same seed gives the same system, bit for
 * bit, on every machine. Generator: SplitMix64 (Steele, Lea, Flood 2014), one stream per quantity.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/random_system.h"
#include <math.h>
#include <stdlib.h>

enum { REFLECTIONS = 4 };

/* One stream per quantity, so that changing e.g. damping or amplitude leaves the rest of the system unchanged. */
enum {
  MASS_STREAM = 1,
  STIFFNESS_STREAM,
  DAMPING_STREAM,
  CONTACT_STREAM,
  STATE_STREAM,
  LOAD_STREAM,
  FRICTION_STREAM
};

static uint64_t splitmix(uint64_t *state)
{
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static uint64_t stream(double seed, uint64_t number)
{
  uint64_t state = (uint64_t)seed;
  const uint64_t start = splitmix(&state);
  return start ^ (number << 56);
}

/* Uniform in [low, high): 53 random bits. */
static double uniform(uint64_t *state, double low, double high)
{
  return low + (high - low) * ((double)(splitmix(state) >> 11) * 0x1p-53);
}

static void unit_vector(uint64_t *state, size_t n, double *u)
{
  double sum = 0;
  while (!(sum > 1e-3)) { /* n = 1: u may be near 0; if so, draw again */
    sum = 0;
    for (size_t i = 0; i < n; i++) {
      u[i] = uniform(state, -1, 1);
      sum += u[i] * u[i];
    }
  }
  for (size_t i = 0; i < n; i++) {
    u[i] /= sqrt(sum);
  }
}

/* A := P A P with P = I - 2 u u^T, that is A - u w^T - w u^T with w = 2 (A u - (u^T A u) u); A stays exactly symmetric. */
static void reflect_both_sides(size_t n, const double *u, double *w, dls_matrix *A)
{
  double uAu = 0;
  for (size_t i = 0; i < n; i++) {
    w[i] = 0;
    for (size_t j = 0; j < n; j++) {
      w[i] += dls_matrix_get(A, i, j) * u[j];
    }
    uAu += u[i] * w[i];
  }
  for (size_t i = 0; i < n; i++) {
    w[i] = 2 * (w[i] - uAu * u[i]);
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      dls_matrix_set(A, i, j, dls_matrix_get(A, i, j) - (u[i] * w[j] + w[i] * u[j]));
    }
  }
}

/* Random symmetric matrix with eigenvalues in [low, high], the first of them low. work[2 n] */
static void random_symmetric(uint64_t state, double low, double high, double *work, dls_matrix *A)
{
  const size_t n = dls_matrix_rows(A);
  for (size_t i = 0; i < n; i++) {
    dls_matrix_set(A, i, i, i == 0 ? low : uniform(&state, low, high));
  }
  for (int k = 0; k < REFLECTIONS; k++) {
    unit_vector(&state, n, work);
    reflect_both_sides(n, work, work + n, A);
  }
}

/* H := Q (I + S), S strictly upper triangular with entries in [-1/m, 1/m]: its norm is below 1/sqrt(2), so the
 * singular values of H lie in (0.29, 1.71). work[n] */
static void random_gradients(uint64_t *state, double *work, dls_matrix *H)
{
  const size_t n = dls_matrix_rows(H), m = dls_matrix_columns(H);
  for (size_t j = 0; j < m; j++) {
    for (size_t i = 0; i <= j; i++) {
      dls_matrix_set(H, i, j, i == j ? 1 : uniform(state, -1, 1) / (double)m);
    }
  }
  for (int k = 0; k < REFLECTIONS; k++) {
    unit_vector(state, n, work);
    for (size_t j = 0; j < m; j++) {
      const double twice = -2 * dls_matrix_column_dot(H, j, work);
      for (size_t i = 0; i < n; i++) {
        dls_matrix_set(H, i, j, dls_matrix_get(H, i, j) + twice * work[i]);
      }
    }
  }
}

typedef struct forcing {
  double omega;
  double F[]; /* F0[n], F1[n], velocities of surfaces[(d - 1) m] */
} forcing;

static void load(const dls_system *sys, double t, double *F)
{
  const forcing *f = sys->data;
  const double wave = cos(f->omega * t);
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = f->F[i] + f->F[sys->n + i] * wave;
  }
}

static void load_rate(const dls_system *sys, double t, double *dF)
{
  const forcing *f = sys->data;
  const double wave = -f->omega * sin(f->omega * t);
  for (size_t i = 0; i < sys->n; i++) {
    dF[i] = f->F[sys->n + i] * wave;
  }
}

static void surface(const dls_system *sys, double t, const double *q, double *b_t)
{
  const forcing *f = sys->data;
  (void)t, (void)q;
  for (size_t row = 0; row < (sys->d - 1) * sys->m; row++) {
    b_t[row] = -f->F[2 * sys->n + row];
  }
}

static void release(dls_system *sys)
{
  free(sys->data);
}

/* Small open gaps, closing velocities of 0.5 to 1 m/s and a constant load of 1 to 3 N on each contact: impacts from the
 * first 0.1 s on, lasting contacts later. Each contact has its own m-th of [0, e]. */
static void fill_vectors(dls_system *sys, const dls_random_system *what, uint64_t *contacts)
{
  uint64_t state = stream(what->seed, STATE_STREAM), loads = stream(what->seed, LOAD_STREAM);
  forcing *f = sys->data;
  f->omega = what->omega;
  dls_system_declare_harmonic(sys, what->amplitude, what->omega);
  sys->steady_load = what->omega == 0 || what->amplitude == 0;
  for (size_t i = 0; i < sys->n; i++) {
    sys->q0[i] = uniform(&state, -0.5, 0.5);
    sys->v0[i] = uniform(&state, -0.5, 0.5);
    f->F[i] = uniform(&loads, -0.5, 0.5);
    f->F[sys->n + i] = what->amplitude * uniform(&loads, -1, 1);
  }
  for (size_t j = 0; j < sys->m; j++) {
    sys->e[j] = what->e * ((double)j + uniform(contacts, 0, 1)) / (double)sys->m;
    sys->w[j] = uniform(contacts, 0.01, 0.1) - dls_matrix_column_dot(sys->H, j, sys->q0);
    dls_matrix_column_add(sys->H, j, -uniform(contacts, 0.5, 1), sys->v0);
    dls_matrix_column_add(sys->H, j, -uniform(contacts, 1, 3), f->F);
  }
}

/* Rows N, T1, T2 of the contacts as columns of one matrix with bounded condition number; friction from its own stream. */
static dls_status fill_tangents(dls_system *sys, const dls_random_system *what, uint64_t *contacts,
                                double *work)
{
  const size_t d = sys->d, rows = d * sys->m;
  dls_matrix *all = dls_matrix_dense(sys->n, rows);
  if (all == NULL) {
    return DLS_ERR_MEMORY;
  }
  random_gradients(contacts, work, all);
  for (size_t row = 0; row < rows; row++) {
    const size_t j = row / d, tangent = row % d;
    for (size_t i = 0; i < sys->n; i++) {
      const double x = dls_matrix_get(all, i, row);
      dls_matrix_set(tangent == 0 ? sys->H : sys->T, i, tangent == 0 ? j : j * (d - 1) + tangent - 1, x);
    }
  }
  dls_matrix_destroy(all);
  uint64_t friction = stream(what->seed, FRICTION_STREAM);
  for (size_t j = 0; j < sys->m; j++) {
    sys->mu[j] = what->mu * uniform(&friction, 0, 1);
  }
  for (size_t row = 0; row < rows - sys->m; row++) {
    ((forcing *)sys->data)->F[2 * sys->n + row] = what->surface * uniform(&friction, -1, 1);
  }
  return DLS_OK;
}

static dls_status fill(const char *name, dls_system *sys, const dls_random_system *what, dls_error *err)
{
  double *work = calloc(2 * sys->n, sizeof *work);
  if (work == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for n = %zu", name, sys->n);
  }
  uint64_t contacts = stream(what->seed, CONTACT_STREAM);
  random_symmetric(stream(what->seed, MASS_STREAM), 1, 10, work, sys->M);
  random_symmetric(stream(what->seed, STIFFNESS_STREAM), 4, 100, work, sys->K);
  random_symmetric(stream(what->seed, DAMPING_STREAM), 0, what->damping, work, sys->C);
  dls_status status = DLS_OK;
  if (sys->T != NULL) {
    status = fill_tangents(sys, what, &contacts, work);
  } else if (sys->m > 0) {
    random_gradients(&contacts, work, sys->H);
  }
  fill_vectors(sys, what, &contacts);
  free(work);
  return status == DLS_OK ? DLS_OK : dls_fail(err, status, "model %s: no memory for n = %zu", name, sys->n);
}

dls_status dls_random_system_create(const char *name, const dls_random_system *what, dls_system **out,
                                    dls_error *err)
{
  const size_t n = what->n, m = what->m, tangents = (what->d - 1) * m;
  dls_system *sys = *out = dls_system_create(n, m);
  if (sys != NULL) {
    sys->linear = true;
    sys->load = load;
    sys->load_rate = load_rate;
    sys->d = what->d;
    sys->surface = what->surface > 0 ? surface : NULL;
    sys->release = release;
    sys->data = malloc(sizeof(forcing) + (2 * n + tangents) * sizeof(double));
    sys->M = dls_matrix_dense(n, n);
    sys->K = dls_matrix_dense(n, n);
    sys->C = dls_matrix_dense(n, n);
    sys->H = m > 0 ? dls_matrix_dense(n, m) : NULL;
    sys->T = tangents > 0 ? dls_matrix_dense(n, tangents) : NULL;
  }
  if (sys == NULL || sys->data == NULL || sys->M == NULL || sys->K == NULL || sys->C == NULL ||
      (m > 0 && sys->H == NULL) || (tangents > 0 && sys->T == NULL)) {
    return dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for n = %zu, m = %zu", name, n, m);
  }
  return fill(name, sys, what, err);
}
