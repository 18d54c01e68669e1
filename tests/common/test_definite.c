/* test_definite.c -- a matrix is positive definite or the factorization says in which row it is not, whatever the
 * storage.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/matrix.h>

enum { N = 60 };

/* The same tridiagonal matrix in every storage that holds it. */
static dls_matrix *create(dls_storage storage, size_t n)
{
  switch (storage) {
  case DLS_BAND:
    return dls_matrix_band(n, 1, 1);
  case DLS_SPARSE:
    return dls_matrix_sparse(n, n, 3 * n);
  case DLS_DENSE:
    return dls_matrix_dense(n, n);
  default:
    return dls_matrix_diagonal(n);
  }
}

/* Row of the bad pivot of tridiag(-1, d, -1), d_k = bad in row k. */
static size_t answer(dls_storage storage, size_t n, double d, size_t k, double bad)
{
  size_t row = 0;
  dls_error err = {0};
  dls_matrix *A = create(storage, n);
  assert_non_null(A);
  for (size_t j = 0; j < n; j++) {
    for (size_t i = j > 0 ? j - 1 : 0; i < n && i <= j + 1; i++) {
      dls_matrix_set(A, i, j, i != j ? -1 : i == k ? bad : d);
    }
  }
  assert_ok(dls_matrix_positive_definite(A, &row, &err), err);
  dls_matrix_destroy(A);
  return row;
}

static const dls_storage storages[] = {DLS_BAND, DLS_SPARSE, DLS_DENSE};

/* Eigenvalues are d - 2 cos(k pi/(N + 1)), the least one d - 2 + 0.0026518 for N = 60. */
DLS_TEST(the_second_difference_is_definite_down_to_its_least_eigenvalue)
{
  for (int s = 0; s < 3; s++) {
    assert_int_equal(answer(storages[s], N, 2 - 0.00265, N, 0), N);
    assert_true(answer(storages[s], N, 2 - 0.00266, N, 0) < N);
  }
}

/* Decoupled but for the diagonal: the pivot is the entry. */
DLS_TEST(the_row_of_a_negative_entry_is_found)
{
  for (size_t k = 0; k < N; k += 7) {
    assert_int_equal(answer(DLS_DIAGONAL, N, 2, k, -1), k);
    assert_int_equal(answer(DLS_DIAGONAL, N, 2, k, 0), k);
  }
  assert_int_equal(answer(DLS_DIAGONAL, N, 1e-300, N, 0), N);
}

/* 2 x 2 minors: 1 * 0.5 < (-1)^2, so the factorization must stop in one of the two rows. */
DLS_TEST(one_bad_minor_is_found)
{
  for (int s = 0; s < 3; s++) {
    const size_t row = answer(storages[s], 2, 1, 1, 0.5);
    assert_between((double)row, 0, 1);
    assert_int_equal(answer(storages[s], 2, 1, 1, 1.001), 2);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_second_difference_is_definite_down_to_its_least_eigenvalue),
      cmocka_unit_test(the_row_of_a_negative_entry_is_found),
      cmocka_unit_test(one_bad_minor_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
