/* test_tridiagonal.c -- L D L^T from both ends: A x comes back, closed forms, and matrices that it must refuse.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/linear/tridiagonal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1001 };

/* Every order up to 40: the two halves meet in each way. Entries vary, with a dominant diagonal. */
DLS_TEST(what_was_multiplied_is_solved)
{
  for (size_t n = 1; n <= 40; n++) {
    double d[40], e[40], b[40], x[40];
    for (size_t i = 0; i < n; i++) {
      d[i] = 2.5 + sin((double)(3 * i + n));
      e[i] = 0.7 * cos((double)(5 * i + n));
      x[i] = 1 + (double)(i * i % 7);
    }
    for (size_t i = 0; i < n; i++) {
      b[i] = d[i] * x[i] + (i > 0 ? e[i - 1] * x[i - 1] : 0) + (i + 1 < n ? e[i] * x[i + 1] : 0);
    }
    assert_int_equal(dls_tridiagonal_factor(n, d, e, 0), n);
    dls_tridiagonal_solve(n, d, e, b);
    for (size_t i = 0; i < n; i++) {
      assert_close(b[i], x[i], 1e-13);
    }
  }
}

/* W of a column of n beads, floor at row 0: W p = (1, 0, ...) has p = n, n-1, ..., 1 with d_0 = 1, d_i = 2, e = -1,
 * free at the far end. Its condition is about n^2, yet every p_i comes out to rounding. */
DLS_TEST(a_column_of_beads_carries_its_weight_exactly)
{
  for (size_t n = 2; n <= LARGEST; n += 333) {
    double d[LARGEST], e[LARGEST], p[LARGEST] = {1};
    for (size_t i = 0; i < n; i++) {
      d[i] = i == 0 ? 1 : 2;
      e[i] = -1;
    }
    assert_int_equal(dls_tridiagonal_factor(n, d, e, 0), n);
    dls_tridiagonal_solve(n, d, e, p);
    for (size_t i = 0; i < n; i++) {
      assert_close(p[i], (double)(n - i), 1e-12 * (double)(n - i));
    }
  }
}

/* Without subtractions the same comes out, for dominant matrices with couplings of both signs, some without any excess. */
DLS_TEST(elimination_without_subtraction_agrees)
{
  for (size_t n = 1; n <= 40; n++) {
    double d[40], e[41], x[40], other_d[40], other_e[40], other_x[40];
    for (size_t i = 0; i < n; i++) {
      e[i] = cos((double)(5 * i + n));
      x[i] = other_x[i] = 1 + (double)(i * i % 7);
    }
    for (size_t i = 0; i < n; i++) {
      d[i] = (i > 0 ? fabs(e[i - 1]) : 0) + (i + 1 < n ? fabs(e[i]) : 0) + (i % 5 == 0 ? 1 : 0);
      other_d[i] = d[i];
      other_e[i] = e[i];
    }
    assert_true(dls_tridiagonal_dominant(n, d, e));
    assert_int_equal(dls_tridiagonal_factor_dominant(n, d, e, 0), n);
    dls_tridiagonal_solve(n, d, e, x);
    assert_int_equal(dls_tridiagonal_factor(n, other_d, other_e, 0), n);
    dls_tridiagonal_solve(n, other_d, other_e, other_x);
    for (size_t i = 0; i < n; i++) {
      assert_close(x[i], other_x[i], 1e-12 * (1 + fabs(other_x[i])));
    }
  }
}

/* tridiag(-1, 2, -1) x = 1 has x_i = i (n + 1 - i) / 2, counted from 1; its condition is 4e11 for n = 10^6. With
 * subtractions five digits are left. */
DLS_TEST(a_million_rows_come_out_to_rounding)
{
  enum { MANY = 1000000 };
  double *d = malloc(3 * MANY * sizeof *d), *e = d + MANY, *x = d + 2 * MANY;
  assert_non_null(d);
  for (size_t i = 0; i < MANY; i++) {
    d[i] = 2;
    e[i] = -1;
    x[i] = 1;
  }
  assert_int_equal(dls_tridiagonal_factor_dominant(MANY, d, e, 1e-12), MANY);
  dls_tridiagonal_solve(MANY, d, e, x);
  for (size_t i = 0; i < MANY; i++) {
    const double exact = (double)(i + 1) * (double)(MANY - i) / 2;
    assert_close(x[i], exact, 1e-11 * exact);
  }
  free(d);
}

/* A free chain has no excess at all and is singular; a row that is not dominant is told. */
DLS_TEST(what_is_singular_or_not_dominant_is_told)
{
  for (size_t n = 2; n <= 9; n++) {
    double d[9], e[9];
    for (size_t i = 0; i < n; i++) {
      d[i] = i == 0 || i + 1 == n ? 1 : 2;
      e[i] = -1;
    }
    assert_true(dls_tridiagonal_dominant(n, d, e));
    assert_int_equal(dls_tridiagonal_factor_dominant(n, d, e, 1e-12), n / 2);
    for (size_t i = 0; i < n; i++) {
      d[i] = i == 0 || i + 1 == n ? 1 : 2;
      e[i] = -1;
    }
    d[n - 1] *= 0.999;
    assert_false(dls_tridiagonal_dominant(n, d, e));
  }
}

/* diag(1, .., 1) with one entry replaced, at every row. */
DLS_TEST(a_pivot_that_is_not_positive_is_named)
{
  const double bad[] = {0, -1, NAN};
  for (size_t n = 1; n <= 7; n++) {
    for (size_t row = 0; row < n; row++) {
      for (size_t k = 0; k < 3; k++) {
        double d[7] = {1, 1, 1, 1, 1, 1, 1}, e[7] = {0};
        d[row] = bad[k];
        assert_int_equal(dls_tridiagonal_factor(n, d, e, 0), row);
      }
    }
  }
}

/* [1 1; 1 1 + 1e-14]: definite, but not for one who asks for pivots above 1e-12 of the diagonal. */
DLS_TEST(a_pivot_below_what_is_asked_for_is_refused)
{
  double d[] = {1 + 1e-14, 1}, e[] = {1};
  assert_int_equal(dls_tridiagonal_factor(2, d, e, 0), 2);
  double again[] = {1 + 1e-14, 1};
  e[0] = 1;
  assert_true(dls_tridiagonal_factor(2, again, e, 1e-12) < 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_multiplied_is_solved),
      cmocka_unit_test(a_column_of_beads_carries_its_weight_exactly),
      cmocka_unit_test(elimination_without_subtraction_agrees),
      cmocka_unit_test(a_million_rows_come_out_to_rounding),
      cmocka_unit_test(what_is_singular_or_not_dominant_is_told),
      cmocka_unit_test(a_pivot_that_is_not_positive_is_named),
      cmocka_unit_test(a_pivot_below_what_is_asked_for_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
