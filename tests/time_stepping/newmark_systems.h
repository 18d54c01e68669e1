/* newmark_systems.h -- linear systems of the tests' own: a forced scalar oscillator over a stop, a loaded chain.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_NEWMARK_SYSTEMS_H
#define DELASSUS_TESTS_NEWMARK_SYSTEMS_H

#include "runs.h"
#include <math.h>

/* The nonsmooth Newmark family. */
static const char *const family[] = {"nonsmooth-newmark", "nonsmooth-hht", "nonsmooth-generalized-alpha",
                                     "nonsmooth-kh-generalized-alpha"};
enum { FAMILY = sizeof family / sizeof family[0] };

/* m q'' + c q' + k q = f cos(omega t), gap q - stop (no contact if e < 0). */
typedef struct scalar_data {
  double m, c, k, f, omega, stop, e, q0, v0;
} scalar_data;

static inline void scalar_load(const dls_system *sys, double t, double *F)
{
  const scalar_data *d = sys->data;
  F[0] = d->f * cos(d->omega * t);
}

static inline dls_matrix *one_by_one(double x)
{
  dls_matrix *A = dls_matrix_diagonal(1);
  assert_non_null(A);
  dls_matrix_set(A, 0, 0, x);
  return A;
}

static inline dls_system *scalar_system(scalar_data *d)
{
  const size_t m = d->e >= 0;
  dls_error err = {0};
  dls_system *sys = dls_system_create(1, m);
  assert_non_null(sys);
  sys->linear = true;
  sys->M = one_by_one(d->m);
  sys->C = one_by_one(d->c);
  sys->K = one_by_one(d->k);
  sys->load = scalar_load;
  sys->data = d;
  sys->q0[0] = d->q0;
  sys->v0[0] = d->v0;
  if (m > 0) {
    sys->H = one_by_one(1);
    sys->w[0] = -d->stop;
    sys->e[0] = d->e;
  }
  assert_ok(dls_system_check(sys, &err), err);
  return sys;
}

/* The same with a force that is nonlinear in q and v and a gap that is nonlinear in q:
 *   m q'' = f cos(omega t) - k sin(q) - c |v| v,   gap (q - stop) (1 + (q - stop)/4) */
static inline void bent_force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  const scalar_data *d = sys->data;
  F[0] = d->f * cos(d->omega * t) - d->k * sin(q[0]) - d->c * fabs(v[0]) * v[0];
}

static inline void bent_stiffness(const dls_system *sys, double t, const double *q, const double *v,
                                  dls_matrix *K)
{
  const scalar_data *d = sys->data;
  (void)t, (void)v;
  dls_matrix_set(K, 0, 0, d->k * cos(q[0]));
}

static inline void bent_damping(const dls_system *sys, double t, const double *q, const double *v,
                                dls_matrix *C)
{
  const scalar_data *d = sys->data;
  (void)t, (void)q;
  dls_matrix_set(C, 0, 0, 2 * d->c * fabs(v[0]));
}

static inline void bent_gap(const dls_system *sys, double t, const double *q, double *g)
{
  (void)t;
  const double x = q[0] - ((const scalar_data *)sys->data)->stop;
  g[0] = x * (1 + x / 4);
}

static inline void bent_gradient(const dls_system *sys, const double *q, dls_matrix *H)
{
  dls_matrix_set(H, 0, 0, 1 + (q[0] - ((const scalar_data *)sys->data)->stop) / 2);
}

static inline dls_system *bent_system(scalar_data *d)
{
  dls_error err = {0};
  dls_system *sys = scalar_system(d);
  sys->linear = false;
  sys->load = NULL;
  sys->force = bent_force;
  sys->stiffness = bent_stiffness;
  sys->damping = bent_damping;
  sys->gap = bent_gap;
  sys->gradient = bent_gradient;
  assert_ok(dls_system_check(sys, &err), err);
  return sys;
}

/* Masses 1, 2, .. in a chain of springs and dampers, the first hangs on a spring and every second is over a stop;
 * load - 3 + cos(t + i) on mass i. Matrices in one storage. */
enum { CHAIN = 5, CHAIN_CONTACTS = 3 };

static inline void chain_load(const dls_system *sys, double t, double *F)
{
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = -3 + cos(t + (double)i);
  }
}

static inline dls_matrix *chain_matrix(dls_storage storage, double diagonal, double slope, double beside)
{
  dls_matrix *A = storage == DLS_DIAGONAL ? dls_matrix_diagonal(CHAIN)
                  : storage == DLS_BAND   ? dls_matrix_band(CHAIN, 1, 1)
                  : storage == DLS_SPARSE ? dls_matrix_sparse(CHAIN, CHAIN, 3 * CHAIN)
                                          : dls_matrix_dense(CHAIN, CHAIN);
  assert_non_null(A);
  for (size_t j = 0; j < CHAIN; j++) {
    for (size_t i = j > 0 ? j - 1 : 0; i < CHAIN && i <= j + 1; i++) {
      const double x = i == j ? diagonal + slope * (double)i : beside;
      if (x != 0) {
        assert_int_equal(dls_matrix_set(A, i, j, x), DLS_OK);
      }
    }
  }
  return A;
}

static inline dls_system *chain_system(dls_storage mass, dls_storage other)
{
  dls_error err = {0};
  dls_system *sys = dls_system_create(CHAIN, CHAIN_CONTACTS);
  assert_non_null(sys);
  sys->linear = true;
  sys->M = chain_matrix(mass, 1, 1, 0);
  sys->C = chain_matrix(other, 0.2, 0, -0.1);
  sys->K = chain_matrix(other, 40, 0, -20);
  sys->H = dls_matrix_dense(CHAIN, CHAIN_CONTACTS);
  sys->load = chain_load;
  for (size_t j = 0; j < CHAIN_CONTACTS; j++) {
    dls_matrix_set(sys->H, 2 * j, j, 1);
    dls_matrix_set(sys->H, (2 * j + 1) % CHAIN, j, 0.25);
    sys->e[j] = 0.3 + 0.2 * (double)j;
    sys->w[j] = 0.05;
  }
  for (size_t i = 0; i < CHAIN; i++) {
    sys->q0[i] = 0.5 + 0.1 * (double)i;
  }
  assert_ok(dls_system_check(sys, &err), err);
  return sys;
}

/* A sim of a system of the tests' own; options "a=1,b=2". */
static inline dls_sim *sim_of(const dls_system *sys, const char *scheme)
{
  dls_error err = {0};
  dls_scheme_choice choice;
  dls_sim *sim = NULL;
  assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
  assert_ok(dls_scheme_choice_sim(&choice, sys, &sim, &err), err);
  return sim;
}

#endif
