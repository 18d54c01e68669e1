/* held_twice.h -- one body held in two ways, for tests of W = H^T A^-1 H: sparse, and as dense arrays.
 * The program states the number N of coordinates first.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_HELD_TWICE_H
#define DELASSUS_TESTS_HELD_TWICE_H

#include "check.h"
#include <delassus/delassus_operator.h>
#include <math.h>

/* One body, held in two ways: A and H in the storages given and as dense arrays. */
typedef struct fixture {
  dls_matrix *A, *H, *dense_A, *dense_H;
  dls_factor *factor, *dense_factor;
  dls_delassus *D, *dense;
  dls_lcp_solver *lcp, *dense_lcp;
} fixture;

static inline double random_number(void)
{
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return 2 * ((double)(state >> 11) * 0x1p-53) - 1;
}

static inline void copy(const dls_matrix *from, dls_matrix *to)
{
  for (size_t j = 0; j < dls_matrix_columns(from); j++) {
    for (size_t i = 0; i < dls_matrix_rows(from); i++) {
      dls_matrix_set(to, i, j, dls_matrix_get(from, i, j));
    }
  }
}

static inline void factor(fixture *f)
{
  dls_error err = {0};
  dls_factor_touch(f->factor);
  dls_factor_touch(f->dense_factor);
  assert_ok(dls_factor_sum(f->factor, (const double[]){1}, &err), err);
  assert_ok(dls_factor_sum(f->dense_factor, (const double[]){1}, &err), err);
}

/* A or H changed. */
static inline void take_anew(fixture *f)
{
  copy(f->A, f->dense_A);
  copy(f->H, f->dense_H);
  factor(f);
  dls_delassus_reset(f->D);
  dls_delassus_reset(f->dense);
}

static inline fixture create(dls_matrix *A, dls_matrix *H)
{
  fixture f = {.A = A, .H = H};
  dls_error err = {0};
  f.dense_A = dls_matrix_dense(N, N);
  f.dense_H = dls_matrix_dense(N, dls_matrix_columns(H));
  copy(A, f.dense_A);
  copy(H, f.dense_H);
  f.factor = dls_factor_create((const dls_matrix *const[]){A}, 1);
  f.dense_factor = dls_factor_create((const dls_matrix *const[]){f.dense_A}, 1);
  factor(&f);
  f.D = dls_delassus_create(f.factor, H);
  f.dense = dls_delassus_create(f.dense_factor, f.dense_H);
  assert_ok(dls_lcp_create(1, NULL, 1e-12, &f.lcp, &err), err);
  assert_ok(dls_lcp_create(1, "lemke", 1e-12, &f.dense_lcp, &err), err);
  return f;
}

static inline void destroy(fixture *f)
{
  dls_delassus_destroy(f->D);
  dls_delassus_destroy(f->dense);
  dls_factor_destroy(f->factor);
  dls_factor_destroy(f->dense_factor);
  dls_matrix_destroy(f->A);
  dls_matrix_destroy(f->H);
  dls_matrix_destroy(f->dense_A);
  dls_matrix_destroy(f->dense_H);
  dls_lcp_destroy(f->lcp);
  dls_lcp_destroy(f->dense_lcp);
}

static inline dls_matrix *masses(void)
{
  dls_matrix *A = dls_matrix_diagonal(N);
  for (size_t i = 0; i < N; i++) {
    dls_matrix_set(A, i, i, 1.5 + sin((double)i));
  }
  return A;
}

/* The iteration matrix of an elastic chain. */
static inline dls_matrix *chain(dls_storage storage)
{
  dls_matrix *A = storage == DLS_BAND ? dls_matrix_band(N, 1, 1) : dls_matrix_sparse(N, N, 3 * N);
  for (size_t j = 0; j < N; j++) {
    for (size_t i = j > 0 ? j - 1 : 0; i < N && i <= j + 1; i++) {
      dls_matrix_set(A, i, j, i == j ? 3 + 0.1 * cos((double)i) : -1);
    }
  }
  return A;
}

#endif
