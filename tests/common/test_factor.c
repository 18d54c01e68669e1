/* test_factor.c -- factors of every mix of storages against a naive dense solve; nothing is factored twice;
 * singular sums are named.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "random_matrix.h"
#include <float.h>
#include <math.h>

/* Gauss elimination with partial pivoting; A is overwritten, x becomes A^-1 x. */
static void naive_solve(size_t n, double *A, double *x)
{
  for (size_t k = 0; k < n; k++) {
    size_t p = k;
    for (size_t i = k; i < n; i++) {
      p = fabs(A[i * n + k]) > fabs(A[p * n + k]) ? i : p;
    }
    for (size_t j = 0; j < n; j++) {
      const double swap = A[k * n + j];
      A[k * n + j] = A[p * n + j];
      A[p * n + j] = swap;
    }
    const double swap = x[k];
    x[k] = x[p];
    x[p] = swap;
    for (size_t i = k + 1; i < n; i++) {
      const double f = A[i * n + k] / A[k * n + k];
      for (size_t j = k; j < n; j++) {
        A[i * n + j] -= f * A[k * n + j];
      }
      x[i] -= f * x[k];
    }
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t j = k + 1; j < n; j++) {
      x[k] -= A[k * n + j] * x[j];
    }
    x[k] /= A[k * n + k];
  }
}

static void check_solve(dls_factor *F, size_t count, double (*const references)[N * N], const double *c)
{
  double sum[N * N] = {0};
  double x[N];
  double expected[N];
  dls_error err = {0};
  for (size_t k = 0; k < count; k++) {
    for (size_t e = 0; e < N * N; e++) {
      sum[e] += c[k] * references[k][e];
    }
  }
  for (size_t i = 0; i < N; i++) {
    x[i] = expected[i] = random_number();
  }
  assert_ok(dls_factor_sum(F, c, &err), err);
  dls_factor_solve(F, x);
  naive_solve(N, sum, expected);
  for (size_t i = 0; i < N; i++) {
    assert_close(x[i], expected[i], 1e-13);
  }
}

/* One, two and three terms, in all 4 + 16 + 64 mixes of storages, each with two lists of coefficients. */
DLS_TEST(sums_in_every_mix_of_storages_are_solved)
{
  for (size_t count = 1, mixes = STORAGES; count <= 3; count++, mixes *= STORAGES) {
    for (size_t mix = 0; mix < mixes; mix++) {
      double references[3][N * N];
      dls_matrix *terms[3] = {NULL};
      for (size_t k = 0, code = mix; k < count; k++, code /= STORAGES) {
        terms[k] = random_matrix((dls_storage)(code % STORAGES), N, N, 6, references[k]);
        if (code % STORAGES == DLS_SPARSE) { /* column 7 has no diagonal of its own: swap the roles of 7, 8 */
          references[k][8 * N + 7] += 6;
          dls_matrix_set(terms[k], 8, 7, references[k][8 * N + 7]);
        }
      }
      dls_factor *F = dls_factor_create((const dls_matrix *const *)terms, count);
      assert_non_null(F);
      check_solve(F, count, references, (const double[]){1, 0.5, 0.25});
      check_solve(F, count, references, (const double[]){1, 1e-3, 1e-6});
      assert_int_equal(dls_factor_made(F), count == 1 ? 1 : 2);
      dls_factor_destroy(F);
      for (size_t k = 0; k < count; k++) {
        dls_matrix_destroy(terms[k]);
      }
    }
  }
}

/* The second difference matrix, order n, in any storage but diagonal. */
static dls_matrix *second_difference(dls_storage storage, size_t n)
{
  dls_matrix *A = storage == DLS_BAND     ? dls_matrix_band(n, 1, 1)
                  : storage == DLS_SPARSE ? dls_matrix_sparse(n, n, 3 * n)
                                          : dls_matrix_dense(n, n);
  for (size_t j = 0; j < n; j++) {
    for (size_t i = j > 0 ? j - 1 : 0; i < n && i <= j + 1; i++) {
      assert_int_equal(dls_matrix_set(A, i, j, i == j ? 2 : -1), DLS_OK);
    }
  }
  return A;
}

/* K x = (1, 0, ..., 0) has x_i = (n - i) / (n + 1). */
DLS_TEST(the_result_does_not_depend_on_the_storage)
{
  enum { ORDER = 200 };
  for (int s = DLS_BAND; s <= DLS_DENSE; s++) {
    dls_matrix *K = second_difference((dls_storage)s, ORDER);
    dls_matrix *zero = dls_matrix_diagonal(ORDER);
    const dls_matrix *const terms[] = {NULL, zero, K};
    dls_factor *F = dls_factor_create(terms, 3);
    double x[ORDER] = {1};
    dls_error err = {0};
    assert_ok(dls_factor_sum(F, (const double[]){NAN, 3, 1}, &err), err); /* the first term is left out */
    dls_factor_solve(F, x);
    for (size_t i = 0; i < ORDER; i++) {
      assert_close(x[i], (double)(ORDER - i) / (ORDER + 1), 1e-12);
    }
    dls_factor_destroy(F);
    dls_matrix_destroy(zero);
    dls_matrix_destroy(K);
  }
}

DLS_TEST(nothing_is_factored_twice_without_need)
{
  for (int s = 0; s < STORAGES; s++) {
    double references[1][N * N];
    dls_matrix *A = random_matrix((dls_storage)s, N, N, 6, references[0]);
    if (s == DLS_SPARSE) {
      references[0][8 * N + 7] += 6;
      dls_matrix_set(A, 8, 7, references[0][8 * N + 7]);
    }
    const dls_matrix *const terms[] = {A};
    dls_factor *F = dls_factor_create(terms, 1);
    assert_int_equal(dls_factor_made(F), 0);
    check_solve(F, 1, references, (const double[]){2});
    check_solve(F, 1, references, (const double[]){2});
    assert_int_equal(dls_factor_made(F), 1);
    check_solve(F, 1, references, (const double[]){3});
    assert_int_equal(dls_factor_made(F), 2);
    references[0][0] = 9;
    dls_matrix_set(A, 0, 0, 9);
    dls_factor_touch(F);
    assert_int_equal(dls_factor_made(F), 2);
    check_solve(F, 1, references, (const double[]){3});
    assert_int_equal(dls_factor_made(F), 3);
    dls_factor_destroy(F);
    dls_matrix_destroy(A);
  }
}

DLS_TEST(terms_that_do_not_fit_give_no_factor)
{
  dls_matrix *A = dls_matrix_diagonal(3);
  dls_matrix *smaller = dls_matrix_diagonal(2);
  dls_matrix *wide = dls_matrix_dense(3, 4);
  assert_null(dls_factor_create((const dls_matrix *const[]){NULL, NULL}, 2));
  assert_null(dls_factor_create(NULL, 0));
  assert_null(dls_factor_create((const dls_matrix *const[]){A, smaller}, 2));
  assert_null(dls_factor_create((const dls_matrix *const[]){wide}, 1));
  assert_null(dls_factor_create((const dls_matrix *const[]){A, A, A, A, A}, 5));
  dls_factor *F = dls_factor_create((const dls_matrix *const[]){A, NULL, A, A, A}, 5);
  assert_non_null(F);
  dls_factor_destroy(F);
  dls_factor_destroy(NULL);
  dls_matrix_destroy(A);
  dls_matrix_destroy(smaller);
  dls_matrix_destroy(wide);
}

/* The identity but for a zero at (2,2), and, in sparse storage, for the whole of row and column 2 if `hollow`.
 */
static dls_matrix *singular_matrix(dls_storage storage, bool hollow)
{
  dls_matrix *A = storage == DLS_BAND     ? dls_matrix_band(4, 1, 1)
                  : storage == DLS_SPARSE ? dls_matrix_sparse(4, 4, 8)
                  : storage == DLS_DENSE  ? dls_matrix_dense(4, 4)
                                          : dls_matrix_diagonal(4);
  for (size_t i = 0; i < 4; i++) {
    if (i != 2 || !hollow) {
      assert_int_equal(dls_matrix_set(A, i, i, i == 2 ? 0 : 1), DLS_OK);
    }
  }
  return A;
}

static void check_singular(dls_matrix *A, const char *message)
{
  const dls_matrix *const terms[] = {A};
  dls_factor *F = dls_factor_create(terms, 1);
  dls_error err = {0};
  assert_non_null(F);
  assert_int_equal(dls_factor_sum(F, (const double[]){1}, &err), DLS_ERR_SINGULAR);
  assert_string_equal(err.text, message);
  assert_int_equal(dls_factor_sum(F, (const double[]){1}, &err), DLS_ERR_SINGULAR); /* it does not go away */
  assert_int_equal(dls_factor_made(F), 0);
  dls_factor_destroy(F);
  dls_matrix_destroy(A);
}

DLS_TEST(singular_matrices_are_named_by_row)
{
  for (int s = 0; s < STORAGES; s++) {
    check_singular(singular_matrix((dls_storage)s, false), "the 4 x 4 matrix is singular, zero pivot in row 2");
  }
  check_singular(singular_matrix(DLS_SPARSE, true), "the 4 x 4 matrix is singular, zero pivot in row 2");
}

DLS_TEST(infinite_diagonals_are_named_by_row)
{
  const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL};
  for (size_t k = 0; k < 3; k++) {
    dls_matrix *A = singular_matrix(DLS_DIAGONAL, false);
    dls_matrix_set(A, 2, 2, bad[k]);
    check_singular(A, "the 4 x 4 matrix is singular, zero pivot in row 2");
  }
}

DLS_TEST(a_factor_recovers_from_a_singular_sum)
{
  for (int s = 0; s < STORAGES; s++) {
    dls_matrix *A = singular_matrix((dls_storage)s, false);
    const dls_matrix *const terms[] = {A};
    const double one = 1;
    dls_factor *F = dls_factor_create(terms, 1);
    dls_error err = {0};
    for (int round = 0; round < 3; round++) {
      dls_matrix_set(A, 2, 2, 0);
      dls_factor_touch(F);
      assert_int_equal(dls_factor_sum(F, &one, &err), DLS_ERR_SINGULAR);
      dls_matrix_set(A, 2, 2, 4);
      dls_factor_touch(F);
      assert_ok(dls_factor_sum(F, &one, &err), err);
      double x[] = {1, 2, 3, 4};
      dls_factor_solve(F, x);
      assert_close(x[2], 0.75, 1e-15);
      assert_close(x[3], 4, 1e-15);
    }
    assert_int_equal(dls_factor_made(F), 3);
    dls_factor_destroy(F);
    dls_matrix_destroy(A);
  }
}

/* The pivot order of the first sum would divide by 1e-13 in the second. */
DLS_TEST(a_sum_that_needs_other_pivots_is_solved_as_well)
{
  for (int s = DLS_BAND; s <= DLS_DENSE; s++) {
    dls_matrix *A = second_difference((dls_storage)s, 2);
    const dls_matrix *const terms[] = {A};
    const double one = 1;
    dls_factor *F = dls_factor_create(terms, 1);
    dls_error err = {0};
    assert_ok(dls_factor_sum(F, &one, &err), err);
    dls_matrix_set(A, 0, 0, 1e-13);
    dls_matrix_set(A, 1, 1, 1e-13);
    dls_factor_touch(F);
    assert_ok(dls_factor_sum(F, &one, &err), err);
    double x[] = {-1, -2};
    dls_factor_solve(F, x);
    assert_close(x[0], 2, 1e-12);
    assert_close(x[1], 1, 1e-12);
    dls_factor_destroy(F);
    dls_matrix_destroy(A);
  }
}

/* The same where KLU keeps its pivots: a sparse matrix that is not tridiagonal. */
DLS_TEST(a_sparse_sum_that_lets_entries_grow_gets_other_pivots)
{
  dls_matrix *A = dls_matrix_sparse(3, 3, 9);
  for (size_t k = 0; k < 9; k++) {
    dls_matrix_set(A, k % 3, k / 3, k % 4 == 0 ? 4 : 1);
  }
  const dls_matrix *const terms[] = {A};
  const double one = 1;
  dls_factor *F = dls_factor_create(terms, 1);
  dls_error err = {0};
  assert_ok(dls_factor_sum(F, &one, &err), err);
  for (size_t i = 0; i < 3; i++) {
    dls_matrix_set(A, i, i, 1e-13);
  }
  dls_factor_touch(F);
  assert_ok(dls_factor_sum(F, &one, &err), err);
  double x[] = {5, 4, 3};
  dls_factor_solve(F, x);
  for (size_t i = 0; i < 3; i++) {
    assert_close(x[i], 1 + (double)i, 1e-12);
  }
  dls_factor_destroy(F);
  dls_matrix_destroy(A);
}

DLS_TEST(a_sparse_term_that_grows_after_creation_is_refused)
{
  dls_matrix *A = dls_matrix_sparse(3, 3, 9);
  dls_matrix *I = dls_matrix_diagonal(3);
  for (size_t i = 0; i < 3; i++) {
    dls_matrix_set(I, i, i, 1);
  }
  const dls_matrix *const terms[] = {I, A};
  dls_factor *F = dls_factor_create(terms, 2);
  dls_error err = {0};
  assert_ok(dls_factor_sum(F, (const double[]){1, 1}, &err), err);
  assert_int_equal(dls_matrix_set(A, 1, 0, 5), DLS_OK);
  dls_factor_touch(F);
  assert_int_equal(dls_factor_sum(F, (const double[]){1, 1}, &err), DLS_ERR_ARG);
  assert_string_equal(err.text,
                      "matrix 1 of the sum has an entry (1,0) that was absent when the factor was created");
  dls_factor_destroy(F);
  dls_matrix_destroy(A);
  dls_matrix_destroy(I);
}

/* d on the diagonal, up to 1 elsewhere. */
static void set_entries(dls_matrix *A, double d)
{
  const size_t n = dls_matrix_rows(A);
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < n; i++) {
      dls_matrix_set(A, i, j, i == j ? d : sin((double)(i * i + 3 * j)));
    }
  }
}

/* With 0.005 on the diagonal the old pivots lose digits, and KLU with its own tolerance would choose the same. */
static void pivots_that_did_not_last_become_larger(void **state)
{
  (void)state;
  enum { ROWS = 20 };
  dls_error err = {0};
  dls_matrix *A = dls_matrix_sparse(ROWS, ROWS, ROWS * ROWS);
  set_entries(A, 30);
  dls_factor *F = dls_factor_create((const dls_matrix *const[]){A}, 1);
  assert_ok(dls_factor_sum(F, (const double[]){1}, &err), err);
  set_entries(A, 0.005);
  dls_factor_touch(F);
  assert_ok(dls_factor_sum(F, (const double[]){1}, &err), err);
  double x[ROWS], r[ROWS], most = 0, worst = 0;
  for (size_t i = 0; i < ROWS; i++) {
    x[i] = r[i] = sin((double)i);
  }
  dls_factor_solve(F, x);
  dls_matrix_multiply(A, -1, x, r);
  for (size_t i = 0; i < ROWS; i++) {
    most = fmax(most, fabs(x[i]));
    worst = fmax(worst, fabs(r[i]));
  }
  assert_true(worst <= 8 * DBL_EPSILON * most);
  dls_factor_destroy(F);
  dls_matrix_destroy(A);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_in_every_mix_of_storages_are_solved),
      cmocka_unit_test(the_result_does_not_depend_on_the_storage),
      cmocka_unit_test(nothing_is_factored_twice_without_need),
      cmocka_unit_test(terms_that_do_not_fit_give_no_factor),
      cmocka_unit_test(singular_matrices_are_named_by_row),
      cmocka_unit_test(infinite_diagonals_are_named_by_row),
      cmocka_unit_test(a_factor_recovers_from_a_singular_sum),
      cmocka_unit_test(a_sum_that_needs_other_pivots_is_solved_as_well),
      cmocka_unit_test(a_sparse_sum_that_lets_entries_grow_gets_other_pivots),
      cmocka_unit_test(a_sparse_term_that_grows_after_creation_is_refused),
      cmocka_unit_test(pivots_that_did_not_last_become_larger),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
