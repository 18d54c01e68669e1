/* test_matrix.c -- every storage against a dense reference; what is refused; and that sparse building costs
 * O(nnz).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "random_matrix.h"

#include "common/linear/pattern.h"
#include "common/linear/storage.h"
#include <stdint.h>
#include <string.h>
#include <time.h>

static void assert_same(const dls_matrix *A, const double *reference)
{
  const size_t columns = dls_matrix_columns(A);
  for (size_t i = 0; i < dls_matrix_rows(A); i++) {
    for (size_t j = 0; j < columns; j++) {
      assert_close(dls_matrix_get(A, i, j), reference[i * columns + j], 0);
    }
  }
}

DLS_TEST(entries_are_where_they_were_set)
{
  for (int s = 0; s < STORAGES; s++) {
    double reference[N * N];
    dls_matrix *A = random_matrix((dls_storage)s, N, N, 0, reference);
    assert_int_equal(dls_matrix_storage(A), s);
    assert_int_equal(dls_matrix_rows(A), N);
    assert_int_equal(dls_matrix_columns(A), N);
    assert_same(A, reference);
    assert_close(dls_matrix_get(A, N, 0), 0, 0);
    assert_close(dls_matrix_get(A, 0, N), 0, 0);
    dls_matrix_destroy(A);
  }
}

DLS_TEST(entries_can_be_changed_in_any_order)
{
  for (int s = 0; s < STORAGES; s++) {
    double reference[N * N];
    dls_matrix *A = random_matrix((dls_storage)s, N, N, 0, reference);
    for (size_t k = N * N; k-- > 0;) {
      if (in_pattern((dls_storage)s, k / N, k % N)) {
        reference[k] = random_number();
        assert_int_equal(dls_matrix_set(A, k / N, k % N, reference[k]), DLS_OK);
      }
    }
    assert_same(A, reference);
    dls_matrix_destroy(A);
  }
}

/* y += alpha A x and its kin, for rows x columns, against the reference. */
static void check_products(const dls_matrix *A, size_t rows, size_t columns, const double *reference)
{
  double x[N];
  double y[N];
  double expected[N];
  for (size_t i = 0; i < N; i++) {
    x[i] = random_number();
    y[i] = expected[i] = random_number();
  }
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < columns; j++) {
      expected[i] += -1.5 * reference[i * columns + j] * x[j];
    }
  }
  dls_matrix_multiply(A, -1.5, x, y);
  for (size_t i = 0; i < rows; i++) {
    assert_close(y[i], expected[i], 1e-14);
  }
  memcpy(expected, y, sizeof y);
  for (size_t j = 0; j < columns; j++) {
    double dot = 0;
    for (size_t i = 0; i < rows; i++) {
      dot += reference[i * columns + j] * x[i];
    }
    expected[j] += 0.5 * dot;
    assert_close(dls_matrix_column_dot(A, j, x), dot, 1e-14);
  }
  dls_matrix_multiply_transposed(A, 0.5, x, y);
  for (size_t j = 0; j < columns; j++) {
    assert_close(y[j], expected[j], 1e-14);
  }
  memcpy(expected, y, sizeof y);
  for (size_t j = 0; j < columns; j++) {
    dls_matrix_column_add(A, j, x[j], y);
    for (size_t i = 0; i < rows; i++) {
      expected[i] += x[j] * reference[i * columns + j];
    }
  }
  for (size_t i = 0; i < N; i++) { /* rows that A has not stay as they were */
    assert_close(y[i], expected[i], 1e-14);
  }
}

/* Several columns, or two vectors, at once are what one after the other is, to the last bit. */
static void check_passes(const dls_matrix *A, size_t columns)
{
  double x[N], z[N], b[N], y[4][N];
  size_t some[N], count = 0;
  for (size_t i = 0; i < N; i++) {
    x[i] = random_number();
    z[i] = random_number();
    b[i] = random_number();
  }
  for (size_t j = 0; j < columns; j += 1 + j % 2) {
    some[count++] = j;
  }
  dls_matrix_columns_dot(A, count, some, x, y[0]);
  for (size_t k = 0; k < count; k++) {
    y[1][k] = dls_matrix_column_dot(A, some[k], x);
  }
  assert_memory_equal(y[0], y[1], count * sizeof(double));
  const dls_matrix_image first = {x, b, y[0]}, second = {z, x, y[1]};
  dls_matrix_transposed_two(A, &first, &second);
  dls_matrix_transposed_plus(A, x, b, y[2]);
  dls_matrix_transposed_plus(A, z, x, y[3]);
  assert_memory_equal(y[0], y[2], columns * sizeof(double));
  assert_memory_equal(y[1], y[3], columns * sizeof(double));
}

DLS_TEST(products_in_one_pass_are_those_in_two)
{
  for (int s = 0; s < STORAGES; s++) {
    double reference[N * N];
    dls_matrix *A = random_matrix((dls_storage)s, N, N, 0, reference);
    check_passes(A, N);
    dls_matrix_destroy(A);
  }
  dls_matrix *A = dls_matrix_sparse(N, N, 2 * N); /* two entries, one, and none */
  for (size_t j = 0; j + 1 < N; j++) {
    dls_matrix_set(A, j, j, random_number());
    if (j % 3 != 0) {
      dls_matrix_set(A, j + 1, j, random_number());
    }
  }
  check_passes(A, N);
  dls_matrix_destroy(A);
}

DLS_TEST(products_agree_with_the_dense_reference)
{
  for (int s = 0; s < STORAGES; s++) {
    double reference[N * N];
    dls_matrix *A = random_matrix((dls_storage)s, N, N, 0, reference);
    check_products(A, N, N, reference);
    dls_matrix_destroy(A);
  }
}

DLS_TEST(rectangular_products_agree_with_the_dense_reference)
{
  const size_t shapes[][2] = {{N, 4}, {4, N}, {1, 1}, {1, N}, {N, 1}};
  for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
    for (int s = DLS_SPARSE; s <= DLS_DENSE; s++) {
      double reference[N * N];
      dls_matrix *A = random_matrix((dls_storage)s, shapes[k][0], shapes[k][1], 0, reference);
      check_products(A, shapes[k][0], shapes[k][1], reference);
      dls_matrix_destroy(A);
    }
  }
}

/* Dense matrices are passed over in groups of columns: to the last bit what their columns give one by one. */
DLS_TEST(products_by_groups_are_those_by_columns)
{
  enum { MOST = 13 };
  double reference[MOST * MOST], x[MOST], y[MOST], one_by_one[MOST];
  size_t chosen[MOST];
  for (size_t columns = 1; columns <= MOST; columns++) {
    dls_matrix *A = random_matrix(DLS_DENSE, MOST, columns, 0, reference);
    for (size_t i = 0; i < MOST; i++) {
      x[i] = random_number();
      y[i] = one_by_one[i] = random_number();
    }
    dls_matrix_multiply(A, 0.7, x, y);
    for (size_t j = 0; j < columns; j++) {
      dls_matrix_column_add(A, j, 0.7 * x[j], one_by_one);
    }
    assert_memory_equal(y, one_by_one, sizeof y);
    for (size_t j = 0; j < columns; j++) {
      chosen[j] = (5 * j + 2) % columns;
      y[j] = random_number();
      one_by_one[j] = y[j] + 0.7 * dls_matrix_column_dot(A, j, x);
    }
    dls_matrix_multiply_transposed(A, 0.7, x, y);
    assert_memory_equal(y, one_by_one, columns * sizeof *y);
    dls_matrix_columns_dot(A, columns, chosen, x, y);
    for (size_t j = 0; j < columns; j++) {
      one_by_one[j] = dls_matrix_column_dot(A, chosen[j], x);
    }
    assert_memory_equal(y, one_by_one, columns * sizeof *y);
    dls_matrix_destroy(A);
  }
}

DLS_TEST(a_clone_is_equal_and_independent)
{
  assert_null(dls_matrix_clone(NULL));
  for (int s = 0; s < STORAGES; s++) {
    double reference[N * N];
    dls_matrix *A = random_matrix((dls_storage)s, N, N, 0, reference);
    dls_matrix *B = dls_matrix_clone(A);
    assert_non_null(B);
    assert_int_equal(dls_matrix_storage(B), s);
    assert_same(B, reference);
    assert_int_equal(dls_matrix_set(B, 0, 0, 77), DLS_OK);
    assert_same(A, reference);
    dls_matrix_destroy(A);
    reference[0] = 77;
    assert_same(B, reference);
    check_products(B, N, N, reference);
    dls_matrix_destroy(B);
  }
}

DLS_TEST(an_unfinished_sparse_matrix_can_be_cloned_and_finished)
{
  dls_matrix *A = dls_matrix_sparse(5, 5, 4);
  assert_int_equal(dls_matrix_set(A, 1, 1, 2), DLS_OK);
  dls_matrix *B = dls_matrix_clone(A);
  assert_int_equal(dls_matrix_set(B, 3, 1, 4), DLS_OK);
  assert_int_equal(dls_matrix_set(B, 0, 4, 8), DLS_OK);
  const double x[] = {1, 1, 1, 1, 1};
  double y[5] = {0};
  dls_matrix_multiply(B, 1, x, y);
  assert_close(y[0], 8, 0);
  assert_close(y[1], 2, 0);
  assert_close(y[3], 4, 0);
  assert_close(dls_matrix_get(A, 3, 1), 0, 0);
  dls_matrix_destroy(A);
  dls_matrix_destroy(B);
}

DLS_TEST(impossible_sizes_give_no_matrix)
{
  assert_null(dls_matrix_diagonal(0));
  assert_null(dls_matrix_band(0, 0, 0));
  assert_null(dls_matrix_band(3, 3, 0));
  assert_null(dls_matrix_band(3, 0, 3));
  assert_null(dls_matrix_dense(0, 2));
  assert_null(dls_matrix_dense(2, 0));
  assert_null(dls_matrix_sparse(0, 2, 1));
  assert_null(dls_matrix_sparse(2, 0, 1));
  dls_matrix_destroy(NULL);
}

DLS_TEST(places_outside_the_storage_are_refused)
{
  for (int s = 0; s < STORAGES; s++) {
    double reference[N * N];
    dls_matrix *A = random_matrix((dls_storage)s, N, N, 0, reference);
    assert_int_equal(dls_matrix_set(A, N, 0, 1), DLS_ERR_ARG);
    assert_int_equal(dls_matrix_set(A, 0, N, 1), DLS_ERR_ARG);
    assert_int_equal(dls_matrix_set(A, (size_t)-1, 0, 1), DLS_ERR_ARG);
    for (size_t k = 0; k < N * N; k++) {
      if (!in_pattern((dls_storage)s, k / N, k % N)) {
        assert_int_equal(dls_matrix_set(A, k / N, k % N, 1), DLS_ERR_ARG);
      }
    }
    assert_same(A, reference);
    dls_matrix_destroy(A);
  }
}

DLS_TEST(sparse_entries_out_of_order_or_beyond_the_capacity_are_refused)
{
  dls_matrix *A = dls_matrix_sparse(4, 4, 3);
  assert_int_equal(dls_matrix_set(A, 2, 1, 21), DLS_OK);
  assert_int_equal(dls_matrix_set(A, 1, 1, 1), DLS_ERR_ARG); /* row before the last */
  assert_int_equal(dls_matrix_set(A, 3, 0, 1), DLS_ERR_ARG); /* column before the last */
  assert_int_equal(dls_matrix_set(A, 0, 3, 3), DLS_OK);
  assert_int_equal(dls_matrix_set(A, 3, 2, 1), DLS_ERR_ARG); /* column passed without entries */
  assert_int_equal(dls_matrix_set(A, 3, 3, 33), DLS_OK);
  assert_int_equal(dls_matrix_set(A, 2, 1, 12), DLS_OK); /* there is room for a change, but for nothing new */
  dls_matrix *full = dls_matrix_sparse(2, 2, 1);
  assert_int_equal(dls_matrix_set(full, 0, 0, 5), DLS_OK);
  assert_int_equal(dls_matrix_set(full, 1, 1, 6), DLS_ERR_ARG);
  const double expected[] = {0, 0, 0, 3, 0, 0, 0, 0, 0, 12, 0, 0, 0, 0, 0, 33};
  assert_same(A, expected);
  dls_matrix_destroy(A);
  dls_matrix_destroy(full);
}

/* Entries in any order and several times; symmetric are those with their diagonal and what lies across, whatever the numbers. */
DLS_TEST(a_pattern_is_symmetric_or_not)
{
  static const dls_entry entries[] = {{2, 1}, {0, 0}, {1, 2}, {1, 1}, {2, 1}, {2, 2}, {2, 0}};
  const struct {
    size_t count;
    bool symmetric;
  } cases[] = {{6, true}, {5, false}, {7, false}}; /* all; no diagonal in row 2; nothing across (2, 0) */
  for (size_t k = 0; k < 3; k++) {
    dls_matrix *A = dls_matrix_of_entries(3, 3, cases[k].count, entries);
    assert_non_null(A);
    for (size_t e = 0; e < cases[k].count; e++) {
      assert_int_equal(dls_matrix_set(A, entries[e].row, entries[e].column, 1 + (double)e), DLS_OK);
    }
    assert_int_equal(dls_matrix_symmetric_pattern(A), cases[k].symmetric);
    dls_matrix_destroy(A);
  }
}

static double cpu_seconds(void)
{
  return (double)clock() / CLOCKS_PER_SEC;
}

static double build_tridiagonal(size_t n)
{
  const double begin = cpu_seconds();
  dls_matrix *A = dls_matrix_sparse(n, n, 3 * n);
  size_t refused = 0;
  for (size_t j = 0; j < n; j++) {
    for (size_t i = j > 0 ? j - 1 : 0; i < n && i <= j + 1; i++) {
      refused += dls_matrix_set(A, i, j, 1) != DLS_OK;
    }
  }
  assert_int_equal(refused, 0);
  assert_close(dls_matrix_get(A, n - 1, n - 2), 1, 0);
  dls_matrix_destroy(A);
  return cpu_seconds() - begin;
}

/* Not a benchmark: with a cost of O(n) an entry this takes minutes, with O(1) a fraction of a second. */
DLS_TEST(a_million_columns_are_built_in_linear_time)
{
  assert_between(build_tridiagonal(1000000), 0, 20);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(entries_are_where_they_were_set),
      cmocka_unit_test(entries_can_be_changed_in_any_order),
      cmocka_unit_test(products_in_one_pass_are_those_in_two),
      cmocka_unit_test(products_agree_with_the_dense_reference),
      cmocka_unit_test(rectangular_products_agree_with_the_dense_reference),
      cmocka_unit_test(products_by_groups_are_those_by_columns),
      cmocka_unit_test(a_clone_is_equal_and_independent),
      cmocka_unit_test(an_unfinished_sparse_matrix_can_be_cloned_and_finished),
      cmocka_unit_test(impossible_sizes_give_no_matrix),
      cmocka_unit_test(places_outside_the_storage_are_refused),
      cmocka_unit_test(sparse_entries_out_of_order_or_beyond_the_capacity_are_refused),
      cmocka_unit_test(a_pattern_is_symmetric_or_not),
      cmocka_unit_test(a_million_columns_are_built_in_linear_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
