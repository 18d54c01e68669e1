/* test_kronecker.c -- interleaved Kronecker products against their definition, in every storage.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/matrix.h>

enum { S = 2 };
static const double full[S * S] = {2, -3, 5, 7};
static const double triangle[S * S] = {1, 0, 4, 6};
static const double one[S * S] = {1, 0, 0, 1};

/* Entries 1, 2, .. wherever the storage has a place. */
static dls_matrix *filled(dls_storage storage)
{
  dls_matrix *A = storage == DLS_DIAGONAL ? dls_matrix_diagonal(4)
                  : storage == DLS_BAND   ? dls_matrix_band(4, 1, 2)
                  : storage == DLS_SPARSE ? dls_matrix_sparse(4, 3, 7)
                                          : dls_matrix_dense(4, 3);
  double x = 0;
  for (size_t j = 0; j < dls_matrix_columns(A); j++) {
    for (size_t i = 0; i < dls_matrix_rows(A); i++) {
      if (storage != DLS_SPARSE || (i + 2 * j) % 2 == 1) {
        x += dls_matrix_set(A, i, j, x + 1) == DLS_OK;
      }
    }
  }
  return A;
}

static void assert_product(const dls_matrix *P, const dls_matrix *A, const double *B)
{
  assert_int_equal(dls_matrix_rows(P), S * dls_matrix_rows(A));
  assert_int_equal(dls_matrix_columns(P), S * dls_matrix_columns(A));
  for (size_t i = 0; i < dls_matrix_rows(P); i++) {
    for (size_t j = 0; j < dls_matrix_columns(P); j++) {
      const double expected = dls_matrix_get(A, i / S, j / S) * B[i % S * S + j % S];
      assert_close(dls_matrix_get(P, i, j), expected, 0);
    }
  }
}

DLS_TEST(products_have_the_entries_of_the_definition)
{
  const double *const factors[] = {full, triangle, one};
  for (int storage = DLS_DIAGONAL; storage <= DLS_DENSE; storage++) {
    dls_matrix *A = filled((dls_storage)storage);
    for (size_t k = 0; k < 3; k++) {
      dls_matrix *P = dls_matrix_kronecker(A, S, factors[k]);
      assert_product(P, A, factors[k]);
      dls_matrix_destroy(P);
    }
    dls_matrix_destroy(A);
  }
}

DLS_TEST(storage_stays_as_narrow_as_it_can)
{
  dls_matrix *A = filled(DLS_DIAGONAL);
  dls_matrix *diagonal = dls_matrix_kronecker(A, S, one);
  dls_matrix *band = dls_matrix_kronecker(A, S, full);
  assert_int_equal(dls_matrix_storage(diagonal), DLS_DIAGONAL);
  assert_int_equal(dls_matrix_storage(band), DLS_BAND);
  assert_null(dls_matrix_kronecker(A, 0, one));
  dls_matrix_destroy(A);
  dls_matrix_destroy(diagonal);
  dls_matrix_destroy(band);
}

/* Blocks (k,l) with B_kl = 0 keep what they have. */
DLS_TEST(single_blocks_can_be_set)
{
  static const double second[S * S] = {0, 0, 0, 1};
  dls_matrix *A = filled(DLS_SPARSE);
  dls_matrix *P = dls_matrix_kronecker(A, S, one);
  dls_matrix_set(A, 1, 0, 100);
  dls_matrix_kronecker_set(P, A, S, second);
  assert_close(dls_matrix_get(P, 1 * S, 0), 1, 0);
  assert_close(dls_matrix_get(P, 1 * S + 1, 1), 100, 0);
  dls_matrix_destroy(A);
  dls_matrix_destroy(P);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_have_the_entries_of_the_definition),
      cmocka_unit_test(storage_stays_as_narrow_as_it_can),
      cmocka_unit_test(single_blocks_can_be_set),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
