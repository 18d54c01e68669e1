/* test_grip_many.c -- sparse equations of closed contacts: the factors solve what they were made of, redundant rows are counted, a
 * matrix without any entry is singular, and whoever is asked may interrupt.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/contact/friction/proximal_factor.h"
#include "common/linear/storage.h"
#include "contact_jobs.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { N = 6 };

/* Rows 2 i and 2 i + 1 together; the last pair twice the same if `redundant`. */
static void fill(double *A, bool redundant)
{
  memset(A, 0, N * N * sizeof *A);
  for (size_t k = 0; k < N; k += 2) {
    A[k + N * k] = 2;
    A[k + 1 + N * (k + 1)] = redundant && k + 2 == N ? 0.5 : 3;
    A[k + N * (k + 1)] = A[k + 1 + N * k] = 1;
  }
}

/* The factors of A as a sparse matrix. */
static dls_status compute(dls_proximal_factor *f, const double *A, size_t *rank)
{
  dls_matrix *sparse = dls_matrix_sparse(N, N, N * N);
  for (size_t k = 0; k < N * N; k++) {
    if (A[k] != 0 || k % (N + 1) == 0) {
      *dls_matrix_append(sparse, k % N, k / N) = A[k];
    }
  }
  const dls_status status = dls_proximal_factor_compute(f, sparse, rank);
  dls_matrix_destroy(sparse);
  return status;
}

DLS_TEST(factors_solve_what_they_were_made_of)
{
  double A[N * N], x[N], b[N];
  size_t rank = 0;
  dls_proximal_factor *f = dls_proximal_factor_create();
  fill(A, false);
  assert_int_equal(compute(f, A, &rank), DLS_OK);
  assert_int_equal(rank, N);
  for (size_t i = 0; i < N; i++) {
    x[i] = b[i] = sin((double)i) + 0.3;
  }
  dls_proximal_factor_solve(f, x);
  for (size_t k = 0; k < N; k += 2) { /* [2 1; 1 3]^-1, but for the shift of 1e-6 or so */
    assert_close(x[k], (3 * b[k] - b[k + 1]) / 5, 1e-4);
    assert_close(x[k + 1], (2 * b[k + 1] - b[k]) / 5, 1e-4);
  }
  dls_proximal_factor_destroy(f);
}

DLS_TEST(redundant_rows_are_counted_and_can_be_solved)
{
  double A[N * N], x[N] = {0, 0, 0, 0, 2, 1};
  size_t rank = 0;
  dls_proximal_factor *f = dls_proximal_factor_create();
  fill(A, true); /* [2 1; 1 0.5] of rank 1: it has solutions for (2, 1) */
  assert_int_equal(compute(f, A, &rank), DLS_OK);
  assert_int_equal(rank, N - 1);
  dls_proximal_factor_solve(f, x);
  assert_close(2 * x[4] + x[5], 2, 1e-4);
  assert_close(x[4] + 0.5 * x[5], 1, 1e-4);
  fill(A, false); /* the same workspace again */
  assert_int_equal(compute(f, A, &rank), DLS_OK);
  assert_int_equal(rank, N);
  dls_proximal_factor_destroy(f);
  dls_proximal_factor_destroy(NULL);
}

DLS_TEST(nothing_at_all_is_singular)
{
  const double A[N * N] = {0};
  size_t rank = 0;
  dls_proximal_factor *f = dls_proximal_factor_create();
  assert_int_equal(compute(f, A, &rank), DLS_ERR_SINGULAR);
  dls_proximal_factor_destroy(f);
}

/* data: how often yet. */
static bool so_often(void *data)
{
  size_t *left = data;
  return *left > 0 && (*left)-- > 0;
}

DLS_TEST(every_question_may_be_the_last)
{
  dls_system *blocks = contact_job_blocks();
  size_t often = 0;
  for (bool interrupted = true; interrupted; often++) {
    size_t left = often;
    dls_error err = {0};
    const dls_status status = mode_job(&(contact_job){blocks, {so_often, &left}}, &err);
    interrupted = status == DLS_ERR_INTERRUPTED;
    assert_true(interrupted || status == DLS_OK);
    assert_true(!interrupted || strstr(err.text, "interrupted in the friction of ") != NULL);
    assert_true(interrupted || left == 0);
  }
  assert_between((double)often, 20, 200);
  dls_system_destroy(blocks);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(factors_solve_what_they_were_made_of),
      cmocka_unit_test(redundant_rows_are_counted_and_can_be_solved),
      cmocka_unit_test(nothing_at_all_is_singular),
      cmocka_unit_test(every_question_may_be_the_last),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
