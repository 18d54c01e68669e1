/* test_schur.c -- rows that are eliminated last: A^{-1} on them by the Schur complement alone, against solves with all of A; other rows,
 * other values, other pivots; sums split into s A + r M; several columns in one solve.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/linear/boundary.h"
#include "fallbacks.h"
#include <delassus/delassus_operator.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 30, SMALL = 20 };

/* Two unknowns a node, coupled with all of the eight nodes around; not symmetric, rows of several sizes. */
static dls_matrix *mesh(size_t side, double diagonal)
{
  dls_matrix *A = dls_matrix_sparse(2 * side * side, 2 * side * side, 36 * side * side);
  for (size_t j = 0; j < 2 * side * side; j++) {
    const size_t x = j / 2 % side, y = j / 2 / side;
    for (size_t b = y > 0 ? y - 1 : 0; b <= y + 1 && b < side; b++) {
      for (size_t a = x > 0 ? x - 1 : 0; a <= x + 1 && a < side; a++) {
        for (size_t k = 0; k < 2; k++) {
          const size_t i = 2 * (b * side + a) + k;
          const double entry = i == j ? diagonal : sin((double)(i + 3 * j));
          assert_int_equal(dls_matrix_set(A, i, j, entry * (double)(1 + i % 5)), DLS_OK);
        }
      }
    }
  }
  return A;
}

/* Two contacts at each node of the left side, one across both unknowns. */
static dls_matrix *left_side(size_t side)
{
  dls_matrix *H = dls_matrix_sparse(2 * side * side, 2 * side, 3 * side + 1);
  for (size_t k = 0; k < side; k++) {
    dls_matrix_set(H, 2 * k * side, 2 * k, 1);
    dls_matrix_set(H, 2 * k * side, 2 * k + 1, 0.25);
    dls_matrix_set(H, 2 * k * side + 1, 2 * k + 1, -2);
  }
  return H;
}

/* A^{-1} h on the rows of H, for the columns h of H, and on all rows, where that is to the last bit as any other solve. @return was it by
 * these rows alone, and for all from these on? */
static bool check_columns(dls_factor *F, const dls_matrix *H, double tol)
{
  const size_t n = dls_matrix_rows(H), m = dls_matrix_columns(H);
  double *x = calloc(3 * n, sizeof *x), *y = x + n, *z = x + 2 * n;
  bool alone = true;
  assert_non_null(x);
  for (size_t j = 0; j < m && alone; j++) {
    for (size_t i = 0; i < n; i++) {
      x[i] = y[i] = z[i] = 0;
    }
    dls_matrix_column_add(H, j, 1, x);
    dls_matrix_column_add(H, j, 1, y);
    dls_matrix_column_add(H, j, 1, z);
    alone = dls_factor_solve_last(F, x);
    assert_true(dls_factor_solve_from_last(F, z) == alone);
    dls_factor_solve(F, y);
    for (size_t i = 0; i < n && alone; i++) {
      assert_true(z[i] == y[i]);
    }
    for (size_t k = 0; k < m && alone; k++) {
      const double expected = dls_matrix_column_dot(H, k, y);
      assert_close(dls_matrix_column_dot(H, k, x), expected, tol);
    }
  }
  free(x);
  return alone;
}

/* Large sums are ordered at their first factorization, small ones when the factor is made. */
DLS_TEST(the_rows_of_contacts_need_no_others)
{
  for (size_t side = SMALL; side <= SIDE; side += SIDE - SMALL) {
    dls_matrix *A = mesh(side, 40), *B = mesh(side, 1), *H = left_side(side);
    dls_factor *F = dls_factor_create((const dls_matrix *const[]){A, B}, 2);
    dls_error err = {0};
    assert_true(dls_factor_order_last(F, H));
    assert_ok(dls_factor_sum(F, (const double[]){1, 0}, &err), err);
    assert_true(check_columns(F, H, 1e-15));
    assert_ok(dls_factor_sum(F, (const double[]){2, -0.5}, &err), err);
    assert_true(check_columns(F, H, 1e-15));
    dls_factor_destroy(F);
    dls_matrix_destroy(A);
    dls_matrix_destroy(B);
    dls_matrix_destroy(H);
  }
}

DLS_TEST(an_order_counts_from_the_next_factorization_on)
{
  dls_matrix *A = mesh(SIDE, 40), *H = left_side(SIDE);
  dls_factor *F = dls_factor_create((const dls_matrix *const[]){A}, 1);
  dls_error err = {0};
  assert_ok(dls_factor_sum(F, (const double[]){1}, &err), err);
  assert_true(dls_factor_order_last(F, H));
  assert_false(check_columns(F, H, 0));
  assert_ok(dls_factor_sum(F, (const double[]){1}, &err), err);
  assert_true(check_columns(F, H, 1e-15));
  assert_true(dls_factor_order_last(F, H)); /* which it is already */
  assert_true(check_columns(F, H, 1e-15));
  assert_int_equal(dls_factor_made(F), 2);
  assert_int_equal(dls_matrix_set(H, 2 * (SIDE - 1) * SIDE + 2, 2 * SIDE - 1, 1),
                   DLS_OK); /* of a node inside */
  assert_false(dls_factor_order_last(F, H));
  dls_factor_destroy(F);
  dls_matrix_destroy(A);
  dls_matrix_destroy(H);
}

/* Unknowns of the left side are coupled in pairs by what is beside the diagonal, which is 0. */
DLS_TEST(pivots_off_the_diagonal_are_noticed)
{
  dls_matrix *A = mesh(SIDE, 40), *H = left_side(SIDE);
  for (size_t k = 0; k < SIDE; k++) {
    const size_t i = 2 * k * SIDE;
    dls_matrix_set(A, i, i, 0);
    dls_matrix_set(A, i + 1, i + 1, 0);
    dls_matrix_set(A, i, i + 1, 40);
    dls_matrix_set(A, i + 1, i, 40);
  }
  dls_factor *F = dls_factor_create((const dls_matrix *const[]){A}, 1);
  dls_error err = {0};
  assert_true(dls_factor_order_last(F, H));
  assert_ok(dls_factor_sum(F, (const double[]){1}, &err), err);
  assert_false(check_columns(F, H, 0));
  dls_factor_destroy(F);
  dls_matrix_destroy(A);
  dls_matrix_destroy(H);
}

/* The diagonal of coupled pairs at the left side is `diagonal`, beside it is 40. */
static void set_pairs(dls_matrix *A, double diagonal)
{
  for (size_t i = 0; i < 2 * SIDE * SIDE; i += 2 * SIDE) {
    dls_matrix_set(A, i, i, diagonal);
    dls_matrix_set(A, i + 1, i + 1, diagonal);
    dls_matrix_set(A, i, i + 1, 40);
    dls_matrix_set(A, i + 1, i, 40);
  }
}

/* Pivots that did not last ask for larger ones, an order for those on the diagonal. */
DLS_TEST(an_order_takes_small_pivots_after_some_did_not_last)
{
  dls_matrix *A = mesh(SIDE, 400), *H = left_side(SIDE);
  dls_factor *F = dls_factor_create((const dls_matrix *const[]){A}, 1);
  dls_error err = {0};
  assert_ok(dls_factor_sum(F, (const double[]){1}, &err), err);
  set_pairs(A, 1e-9);
  dls_factor_touch(F);
  assert_ok(dls_factor_sum(F, (const double[]){1}, &err), err);
  set_pairs(A, 1);
  assert_true(dls_factor_order_last(F, H));
  dls_factor_touch(F);
  assert_ok(dls_factor_sum(F, (const double[]){1}, &err), err);
  assert_true(check_columns(F, H, 1e-12));
  dls_factor_destroy(F);
  dls_matrix_destroy(A);
  dls_matrix_destroy(H);
}

/* Columns of W that take solves with all of A are counted: after pivots off the diagonal, and where H gets another row. */
DLS_TEST(full_solves_are_counted)
{
  for (int k = 0; k < 3; k++) {
    dls_matrix *A = mesh(SIDE, 40), *H = left_side(SIDE);
    for (size_t i = 0; k == 1 && i < 2 * SIDE * SIDE; i += 2 * SIDE) {
      dls_matrix_set(A, i, i, 0);
      dls_matrix_set(A, i + 1, i + 1, 0);
      dls_matrix_set(A, i, i + 1, 40);
      dls_matrix_set(A, i + 1, i, 40);
    }
    dls_factor *F = dls_factor_create((const dls_matrix *const[]){A}, 1);
    dls_delassus *D = dls_delassus_create(F, H);
    dls_fallbacks fallbacks = {0};
    dls_error err = {0};
    dls_delassus_count_fallbacks(D, &fallbacks);
    assert_ok(dls_factor_sum(F, (const double[]){1}, &err), err);
    if (k == 2) {
      dls_matrix_set(H, 2 * (SIDE - 1) * SIDE + 2, 2 * SIDE - 1, 1); /* of a node inside */
      dls_delassus_reset(D);
    }
    for (size_t j = 0; j < 5; j++) {
      dls_delassus_entry(D, 0, j);
      dls_delassus_entry(D, 1, j);
    }
    assert_int_equal(fallbacks_to(&fallbacks, "full-solve"), k == 0 ? 0 : 5); /* a column each */
    dls_delassus_destroy(D);
    dls_factor_destroy(F);
    dls_matrix_destroy(A);
    dls_matrix_destroy(H);
  }
}

/* A dense boundary would fill A, and matrices that are not sparse have no order. */
DLS_TEST(many_rows_and_other_storages_have_no_order)
{
  dls_matrix *A = mesh(SMALL, 40), *all = dls_matrix_sparse(2 * SMALL * SMALL, SMALL * SMALL, SMALL * SMALL);
  dls_matrix *none = dls_matrix_sparse(2 * SMALL * SMALL, 3, 3), *H = left_side(SMALL);
  dls_matrix *D = dls_matrix_diagonal(2 * SMALL * SMALL);
  for (size_t j = 0; j < SMALL * SMALL; j++) {
    dls_matrix_set(all, 2 * j, j, 1);
  }
  dls_factor *F = dls_factor_create((const dls_matrix *const[]){A}, 1);
  dls_factor *G = dls_factor_create((const dls_matrix *const[]){D}, 1);
  assert_false(dls_factor_order_last(F, all));
  assert_false(dls_factor_order_last(F, none));
  assert_false(dls_factor_order_last(G, H));
  assert_true(dls_factor_order_last(F, H));
  dls_factor_destroy(F);
  dls_factor_destroy(G);
  dls_matrix_destroy(A);
  dls_matrix_destroy(D);
  dls_matrix_destroy(all);
  dls_matrix_destroy(none);
  dls_matrix_destroy(H);
}

/* A = 2 M + 3 C + 4 K; N of the coefficients below. */
DLS_TEST(sums_are_split_where_they_can_be)
{
  static const struct {
    double of_N[3], s, r;
    bool splits;
  } cases[] = {{{5, 0, 0}, 0, 5, true},
               {{5, 1.5, 2}, 0.5, 4, true},
               {{5, 0, 2}, 0, 0, false},
               {{5, 1.5, 0}, 0, 0, false}};
  dls_matrix *M_matrix = mesh(SMALL, 40), *C = mesh(SMALL, 1), *K = mesh(SMALL, 2);
  dls_factor *A = dls_factor_create((const dls_matrix *const[]){M_matrix, C, K}, 3);
  dls_factor *undamped = dls_factor_create((const dls_matrix *const[]){M_matrix, NULL, K}, 3);
  dls_factor *mass = dls_factor_create((const dls_matrix *const[]){M_matrix}, 1);
  dls_error err = {0};
  double s, r;
  assert_ok(dls_factor_sum(A, (const double[]){2, 3, 4}, &err), err);
  assert_ok(dls_factor_sum(undamped, (const double[]){2, 3, 4}, &err), err);
  assert_ok(dls_factor_sum(mass, (const double[]){1}, &err), err);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    assert_int_equal(dls_factor_split(A, cases[k].of_N, mass, &s, &r), cases[k].splits);
    if (cases[k].splits) {
      assert_close(s, cases[k].s, 0);
      assert_close(r, cases[k].r, 0);
    }
  }
  assert_true(dls_factor_split(undamped, (const double[]){5, 7, 2}, mass, &s, &r)); /* there is no C */
  assert_close(s, 0.5, 0);
  assert_close(r, 4, 0);
  assert_ok(dls_factor_sum(undamped, (const double[]){2, 3, 0}, &err), err);
  assert_false(dls_factor_split(undamped, (const double[]){5, 0, 2}, mass, &s, &r));
  assert_false(dls_factor_split(A, (const double[]){5, 0, 0}, undamped, &s, &r));
  dls_factor_destroy(A);
  dls_factor_destroy(undamped);
  dls_factor_destroy(mass);
  dls_matrix_destroy(M_matrix);
  dls_matrix_destroy(C);
  dls_matrix_destroy(K);
}

/* Columns that are solved together, seven of H, against single solves: of one block, of two, and of a dense matrix. */
static void check_together(const dls_matrix *A, const dls_matrix *H)
{
  enum { TOGETHER = 7 };
  const size_t n = dls_matrix_rows(H);
  dls_error err = {0};
  dls_factor *F = dls_factor_create((const dls_matrix *const[]){A}, 1);
  double *x = calloc((TOGETHER + 1) * n, sizeof *x), *single = x + TOGETHER * n, *columns[TOGETHER];
  assert_non_null(x);
  assert_ok(dls_factor_sum(F, (const double[]){1}, &err), err);
  for (size_t k = 0; k < TOGETHER; k++) {
    columns[k] = x + k * n;
    dls_matrix_column_add(H, k, 1, columns[k]);
  }
  dls_factor_solve_columns(F, TOGETHER, columns);
  for (size_t k = 0; k < TOGETHER; k++) {
    memset(single, 0, n * sizeof *single);
    dls_matrix_column_add(H, k, 1, single);
    dls_factor_solve(F, single);
    for (size_t i = 0; i < n; i++) {
      assert_true(columns[k][i] == single[i]);
    }
  }
  free(x);
  dls_factor_destroy(F);
}

static void columns_together_have_the_bits_of_single_solves(void **state)
{
  (void)state;
  dls_matrix *A = mesh(SMALL, 40), *H = left_side(SMALL);
  const size_t n = dls_matrix_rows(A);
  dls_matrix *blocks = dls_matrix_sparse(n, n, 3 * n), *full = dls_matrix_dense(n, n);
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < n; i++) {
      const size_t apart = i > j ? i - j : j - i;
      dls_matrix_set(full, i, j, i == j ? 2 + (double)n : sin((double)(i + 3 * j)));
      if (apart == 0 || (apart == 2 && (i < n / 2) == (j < n / 2))) {
        dls_matrix_set(blocks, i, j, apart == 0 ? 3 : cos((double)(i + 2 * j)));
      }
    }
  }
  check_together(A, H);
  check_together(blocks, H);
  check_together(full, H);
  dls_matrix_destroy(A);
  dls_matrix_destroy(H);
  dls_matrix_destroy(blocks);
  dls_matrix_destroy(full);
}

/* KLU makes no columns of L and U for a block of one row. */
DLS_TEST(one_row_has_no_columns_of_factors)
{
  dls_matrix *A = dls_matrix_sparse(1, 1, 1);
  dls_error err = {0};
  double x[] = {1, 3, 5, 7, 9};
  assert_int_equal(dls_matrix_set(A, 0, 0, -4), DLS_OK); /* not definite: KLU factors it */
  dls_factor *F = dls_factor_create((const dls_matrix *const[]){A}, 1);
  assert_ok(dls_factor_sum(F, (const double[]){1}, &err), err);
  dls_factor_solve_columns(F, 5, (double *const[]){x, x + 1, x + 2, x + 3, x + 4});
  for (size_t k = 0; k < 5; k++) {
    assert_true(x[k] == -(1 + 2 * (double)k) / 4);
  }
  dls_factor_destroy(F);
  dls_matrix_destroy(A);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rows_of_contacts_need_no_others),
      cmocka_unit_test(an_order_counts_from_the_next_factorization_on),
      cmocka_unit_test(pivots_off_the_diagonal_are_noticed),
      cmocka_unit_test(an_order_takes_small_pivots_after_some_did_not_last),
      cmocka_unit_test(full_solves_are_counted),
      cmocka_unit_test(many_rows_and_other_storages_have_no_order),
      cmocka_unit_test(sums_are_split_where_they_can_be),
      cmocka_unit_test(columns_together_have_the_bits_of_single_solves),
      cmocka_unit_test(one_row_has_no_columns_of_factors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
