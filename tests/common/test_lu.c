/* test_lu.c -- P A = L U: the product, solutions by GSL, the factors of GSL's and SUNDIALS' own functions, and singular matrices.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/lu.h"
#include "random_matrix.h"
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>
#include <sundials/sundials_dense.h>

enum { MOST = 40 };

static double value[MOST * MOST], copied[MOST * MOST], place[MOST];

/* A with zeros, so that rows change places in many ways. */
static gsl_matrix_view random_rows(size_t n, double *values)
{
  for (size_t e = 0; e < n * n; e++) {
    values[e] = random_number() < -0.4 ? 0 : random_number();
  }
  for (size_t i = 0; i < n; i++) {
    values[i * n + (i + 1) % n] += 2; /* regular, with its largest entries off the diagonal */
  }
  return gsl_matrix_view_array(values, n, n);
}

static void product_is_the_matrix(void **state)
{
  (void)state;
  size_t rows[MOST];
  for (size_t n = 1; n <= MOST; n++) {
    gsl_matrix_view A = random_rows(n, value);
    memcpy(copied, value, n * n * sizeof *value);
    gsl_permutation order = {n, rows};
    dls_lu(&A.matrix, &order);
    for (size_t i = 0; i < n; i++) {
      for (size_t j = 0; j < n; j++) {
        double sum = i <= j ? value[i * n + j] : 0;
        for (size_t k = 0; k < i && k <= j; k++) {
          sum += value[i * n + k] * value[k * n + j]; /* L U */
          assert_true(fabs(value[i * n + k]) <= 1);
        }
        assert_close(sum, copied[rows[i] * n + j], 1e-13);
      }
    }
  }
}

static void factors_are_those_of_gsl(void **state)
{
  (void)state;
  size_t rows[MOST], rows_of_gsl[MOST];
  for (size_t n = 1; n <= MOST; n++) {
    gsl_matrix_view A = random_rows(n, value);
    memcpy(copied, value, n * n * sizeof *value);
    gsl_matrix_view B = gsl_matrix_view_array(copied, n, n);
    gsl_permutation order = {n, rows}, order_of_gsl = {n, rows_of_gsl};
    int sign = 0;
    dls_lu(&A.matrix, &order);
    gsl_linalg_LU_decomp(&B.matrix, &order_of_gsl, &sign);
    assert_memory_equal(rows, rows_of_gsl, n * sizeof *rows);
    for (size_t e = 0; e < n * n; e++) {
      assert_close(value[e], copied[e], 1e-13);
    }
  }
}

static void gsl_solves_with_the_factors(void **state)
{
  (void)state;
  size_t rows[MOST];
  for (size_t n = 1; n <= MOST; n++) {
    double x[MOST];
    gsl_matrix_view A = random_rows(n, value);
    gsl_permutation order = {n, rows};
    for (size_t i = 0; i < n; i++) {
      x[i] = random_number();
    }
    for (size_t i = 0; i < n; i++) {
      place[i] = 0;
      for (size_t j = 0; j < n; j++) {
        place[i] += value[i * n + j] * x[j]; /* b = A x */
      }
    }
    gsl_vector_view b = gsl_vector_view_array(place, n);
    dls_lu(&A.matrix, &order);
    assert_int_equal(gsl_linalg_LU_svx(&A.matrix, &order, &b.vector), 0);
    for (size_t i = 0; i < n; i++) {
      assert_close(place[i], x[i], 1e-11);
    }
  }
}

static void singular_matrices_have_a_zero_in_U(void **state)
{
  (void)state;
  double A[9] = {1, 2, 3, 2, 4, 6, 1, 0, 1}; /* row 1 is twice row 0 */
  size_t rows[3];
  gsl_matrix_view view = gsl_matrix_view_array(A, 3, 3);
  gsl_permutation order = {3, rows};
  dls_lu(&view.matrix, &order);
  assert_true(A[0] == 2 && A[4] == -2 && A[8] == 0);
}

/* To the last bit, in matrices with many zeros; where a column is 0, both have no factors. */
static void factors_by_columns_are_those_of_sundials(void **state)
{
  (void)state;
  double *columns[MOST], *others[MOST];
  sunindextype swap[MOST], expected[MOST];
  for (int round = 0; round < 20; round++) {
    for (size_t n = 1; n <= MOST; n++) {
      random_rows(n, value);
      for (size_t i = 0; round == 0 && i < n; i++) {
        value[(n - 1) / 2 * n + i] = 0;
      }
      memcpy(copied, value, n * n * sizeof *value);
      for (size_t j = 0; j < n; j++) {
        columns[j] = value + n * j;
        others[j] = copied + n * j;
      }
      const sunindextype order = (sunindextype)n, failed = SUNDlsMat_denseGETRF(others, order, order, expected);
      assert_int_equal(dls_lu_columns(n, columns, swap), failed == 0 ? n : (size_t)failed - 1);
      assert_int_equal(round == 0, failed != 0);
      if (failed == 0) {
        assert_memory_equal(value, copied, n * n * sizeof *value);
        assert_memory_equal(swap, expected, n * sizeof *swap);
      }
    }
  }
}

/* To the last bit, with and without exchanges of rows. */
static void solutions_are_those_of_sundials(void **state)
{
  (void)state;
  double *columns[MOST], x[MOST], expected[MOST];
  sunindextype swap[MOST], none[MOST];
  for (size_t n = 1; n <= MOST; n++) {
    random_rows(n, value);
    for (size_t j = 0; j < n; j++) {
      columns[j] = value + n * j;
      none[j] = (sunindextype)j;
    }
    assert_int_equal(dls_lu_columns(n, columns, swap), n);
    for (int exchanged = 0; exchanged < 2; exchanged++) {
      for (size_t i = 0; i < n; i++) {
        x[i] = expected[i] = random_number();
      }
      SUNDlsMat_denseGETRS(columns, (sunindextype)n, exchanged ? swap : none, expected);
      dls_lu_solve(n, value, n, exchanged ? swap : NULL, x);
      assert_memory_equal(x, expected, n * sizeof *x);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(product_is_the_matrix),
      cmocka_unit_test(factors_are_those_of_gsl),
      cmocka_unit_test(gsl_solves_with_the_factors),
      cmocka_unit_test(singular_matrices_have_a_zero_in_U),
      cmocka_unit_test(factors_by_columns_are_those_of_sundials),
      cmocka_unit_test(solutions_are_those_of_sundials),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
