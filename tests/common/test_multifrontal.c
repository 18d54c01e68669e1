/* test_fronts.c -- sparse matrices with much fill: solutions known beforehand, pivots, singular matrices, and where KLU stays.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/linear/multifrontal.h"
#include "common/linear/pattern.h"
#include <math.h>
#include <stdlib.h>

enum { SIDE = 90, N = 2 * SIDE * SIDE };

/* Two unknowns a node that are coupled with all of the eight nodes around, `across` of them in a row of nodes: diagonal 40, others
 * between -1 and 1, not symmetric. */
static dls_matrix *mesh(size_t across, size_t nodes)
{
  dls_matrix *A = dls_matrix_sparse(2 * nodes, 2 * nodes, 36 * nodes);
  for (size_t j = 0; j < 2 * nodes; j++) {
    const size_t column = j / 2, x = column % across, y = column / across;
    for (size_t b = y > 0 ? y - 1 : 0; b <= y + 1 && b < nodes / across; b++) {
      for (size_t a = x > 0 ? x - 1 : 0; a <= x + 1 && a < across; a++) {
        for (size_t k = 0; k < 2; k++) {
          const size_t i = 2 * (b * across + a) + k;
          assert_int_equal(dls_matrix_set(A, i, j, i == j ? 40 : sin((double)(i + 3 * j))), DLS_OK);
        }
      }
    }
  }
  return A;
}

/* The factorization of A solves A x = b with x_i = cos i. */
static void check_solution(dls_factor *F, const dls_matrix *A, double tol)
{
  double *x = calloc(N, sizeof *x), *b = calloc(N, sizeof *b);
  dls_error err = {0};
  assert_true(x != NULL && b != NULL);
  for (size_t i = 0; i < N; i++) {
    x[i] = cos((double)i);
  }
  dls_matrix_multiply(A, 1, x, b);
  assert_ok(dls_factor_sum(F, (const double[]){1}, &err), err);
  dls_factor_solve(F, b);
  for (size_t i = 0; i < N; i++) {
    assert_close(b[i], x[i], tol);
  }
  free(x);
  free(b);
}

static bool by_blocks(const dls_matrix *A)
{
  dls_matrix *S = dls_matrix_union((const dls_matrix *const[]){A}, 1);
  dls_multifrontal *multifrontal = NULL;
  assert_true(dls_multifrontal_create(S, &multifrontal));
  const bool made = multifrontal != NULL;
  dls_multifrontal_destroy(multifrontal);
  dls_matrix_destroy(S);
  return made;
}

DLS_TEST(meshes_are_factored_by_blocks_where_it_pays)
{
  dls_matrix *wide = mesh(SIDE, SIDE * SIDE), *narrow = mesh(3, SIDE * SIDE), *small = mesh(30, 900);
  assert_true(by_blocks(wide));
  assert_false(by_blocks(narrow));
  assert_false(by_blocks(small));
  dls_matrix_destroy(wide);
  dls_matrix_destroy(narrow);
  dls_matrix_destroy(small);
}

DLS_TEST(solutions_are_exact_also_with_other_values_and_other_pivots)
{
  dls_matrix *A = mesh(SIDE, SIDE * SIDE);
  dls_factor *F = dls_factor_create((const dls_matrix *const[]){A}, 1);
  check_solution(F, A, 1e-13);
  for (size_t i = 0; i < N; i += 2) { /* pairs that are coupled by what is beside the diagonal */
    dls_matrix_set(A, i, i, 1e-13);
    dls_matrix_set(A, i + 1, i + 1, 1e-13);
    dls_matrix_set(A, i, i + 1, 40);
    dls_matrix_set(A, i + 1, i, 40);
  }
  dls_factor_touch(F);
  check_solution(F, A, 1e-12);
  assert_int_equal(dls_factor_made(F), 2);
  dls_factor_destroy(F);
  dls_matrix_destroy(A);
}

static void set_row_and_column(dls_matrix *A, size_t k, double diagonal)
{
  for (size_t i = 0; i < N; i++) {
    dls_matrix_set(A, i, k, i == k ? diagonal : 0); /* no place: refused, and zero as it is */
    dls_matrix_set(A, k, i, i == k ? diagonal : 0);
  }
}

DLS_TEST(singular_meshes_are_named_by_column_and_do_not_stay)
{
  dls_matrix *A = mesh(SIDE, SIDE * SIDE);
  dls_factor *F = dls_factor_create((const dls_matrix *const[]){A}, 1);
  const double bad[] = {0, NAN};
  for (size_t k = 0; k < 2; k++) {
    dls_error err = {0};
    set_row_and_column(A, 4321, bad[k]);
    dls_factor_touch(F);
    assert_int_equal(dls_factor_sum(F, (const double[]){1}, &err), DLS_ERR_SINGULAR);
    assert_string_equal(err.text, "the 16200 x 16200 matrix is singular, zero pivot in row 4321");
    set_row_and_column(A, 4321, 7);
    dls_factor_touch(F);
    check_solution(F, A, 1e-13);
  }
  assert_int_equal(dls_factor_made(F), 2);
  dls_factor_destroy(F);
  dls_matrix_destroy(A);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(meshes_are_factored_by_blocks_where_it_pays),
      cmocka_unit_test(solutions_are_exact_also_with_other_values_and_other_pivots),
      cmocka_unit_test(singular_meshes_are_named_by_column_and_do_not_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
