/* random_system.h -- a linear system of random matrices with damping, a load that varies in time, and contacts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_RANDOM_SYSTEM_H
#define DELASSUS_TESTS_RANDOM_SYSTEM_H

#include "check.h"
#include <delassus/model.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

enum { RANDOM_N = 20, RANDOM_M = 6 }; /* most degrees of freedom and contacts */

typedef struct random_load {
  double amplitude[RANDOM_N], omega[RANDOM_N], phase[RANDOM_N];
} random_load;

static void random_force(const dls_system *sys, double t, double *F)
{
  const random_load *load = sys->data;
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = load->amplitude[i] * cos(load->omega[i] * t + load->phase[i]);
  }
}

static void random_release(dls_system *sys)
{
  free(sys->data);
}

/* shift I + scale B B^T / n with normal B: eigenvalues in about [shift, shift + 4 scale]. */
static dls_matrix *random_definite(gsl_rng *rng, size_t n, double shift, double scale)
{
  double B[RANDOM_N][RANDOM_N];
  dls_matrix *A = dls_matrix_dense(n, n);
  assert_non_null(A);
  for (size_t i = 0; i < n * n; i++) {
    B[i / n][i % n] = gsl_ran_gaussian(rng, 1);
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      double sum = 0;
      for (size_t k = 0; k < n; k++) {
        sum += B[i][k] * B[j][k];
      }
      dls_matrix_set(A, i, j, scale * sum / (double)n + (i == j ? shift : 0));
    }
  }
  return A;
}

/* n in [1, 20], m in [1, 6]; damping and load are factors, 0 leaves them out. */
static dls_system *random_system(unsigned long seed, double damping, double load)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, seed + 1);
  const size_t n = 1 + gsl_rng_uniform_int(rng, RANDOM_N);
  const size_t m = 1 + gsl_rng_uniform_int(rng, n < RANDOM_M ? n : RANDOM_M);
  dls_system *sys = dls_system_create(n, m);
  random_load *data = calloc(1, sizeof *data);
  assert_true(sys != NULL && data != NULL);
  sys->linear = true;
  sys->data = data;
  sys->release = random_release;
  sys->load = load != 0 ? random_force : NULL;
  sys->M = random_definite(rng, n, 0.5, 1);
  sys->K = random_definite(rng, n, 0.1, 20);
  sys->C = damping != 0 ? random_definite(rng, n, 0, damping) : NULL;
  sys->H = dls_matrix_dense(n, m);
  for (size_t i = 0; i < n; i++) {
    data->amplitude[i] = gsl_ran_gaussian(rng, 5 * load);
    data->omega[i] = 10 * gsl_rng_uniform(rng);
    data->phase[i] = 6 * gsl_rng_uniform(rng);
    sys->q0[i] = gsl_ran_gaussian(rng, 0.3);
    sys->v0[i] = gsl_ran_gaussian(rng, 1);
  }
  for (size_t j = 0; j < m; j++) {
    for (size_t i = 0; i < n; i++) {
      dls_matrix_set(sys->H, i, j, gsl_ran_gaussian(rng, 1));
    }
    sys->e[j] = gsl_rng_uniform(rng);
    sys->w[j] = 0.1 * gsl_rng_uniform(rng) - dls_matrix_column_dot(sys->H, j, sys->q0);
  }
  gsl_rng_free(rng);
  dls_error err = {0};
  assert_ok(dls_system_check(sys, &err), err);
  return sys;
}

#endif
