/* test_tridiagonal_sweep.c -- solves in sweeps, of few entries and after a change, leave what dls_tridiagonal_solve leaves, to the last bit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/linear/tridiagonal_fused.h"
#include <math.h>
#include <string.h>

enum { LARGEST = 3001, SIZES = 6 };
static const size_t sizes[SIZES] = {8, 9, 40, 41, 3000, 3001};

typedef struct bench {
  size_t n;
  double d[LARGEST], e[LARGEST], band[3 * LARGEST + 3], x[LARGEST], load[LARGEST];
} bench;
static bench one;

/* Factors of a matrix whose multipliers are about `ratio`, of both signs where it is negative. */
static dls_tridiagonal factors(size_t n, double ratio)
{
  bench *b = &one;
  b->n = n;
  for (size_t i = 0; i < n; i++) {
    const double vary = 1 + 0.1 * sin((double)(7 * i + n));
    b->d[i] = vary;
    b->e[i] = fabs(ratio) * vary * (ratio < 0 && i % 3 == 0 ? -1 : 1);
    b->x[i] = cos((double)(i * i + 1));
    b->load[i] = sin((double)(3 * i));
    for (size_t k = 0; k < 3; k++) {
      b->band[3 * i + k] = sin((double)(5 * i + k + n));
    }
  }
  assert_int_equal(dls_tridiagonal_factor(n, b->d, b->e, 0), n);
  return (dls_tridiagonal){n, b->d, b->e};
}

static void assert_same(size_t count, const double *x, const double *y)
{
  for (size_t i = 0; i < count; i++) {
    if (memcmp(&x[i], &y[i], sizeof *x) != 0) {
      fail_msg("row %zu of %zu: %a is not %a", i, one.n, x[i], y[i]);
    }
  }
}

static inline dls_pair load_at(const void *data, size_t i, size_t j)
{
  return dls_pair_of(((const bench *)data)->load, i, j);
}

static inline dls_pair strain_at(const void *data, size_t i, size_t j)
{
  return dls_pair_of(((const bench *)data)->x, i, j);
}

/* f + alpha times row i of the product of the band and x */
static double plus_row(const dls_fused_rhs *rhs, size_t n, size_t i, double f, const double *x)
{
  const double *a = rhs->band;
  const double before = i > 0 ? a[3 * i - 1] * x[i - 1] : 0, own = a[3 * i + 1] * x[i];
  const double front = i > 0 ? before + own : own;
  return f + rhs->alpha * (i + 1 < n ? front + a[3 * i + 3] * x[i + 1] : front);
}

DLS_TEST(a_right_hand_side_made_on_the_way_is_solved_as_one_that_is_there)
{
  static double rhs[LARGEST], y[LARGEST], expected[LARGEST], solved[LARGEST];
  for (size_t n = 8; n <= 41; n++) {
    const dls_tridiagonal A = factors(n, 0.3);
    const dls_fused_rhs K = {one.band, -0.7}, L = {one.band + 3, 0.3};
    for (size_t i = 0; i < n; i++) {
      expected[i] = plus_row(&L, n, i, plus_row(&K, n, i, one.load[i], one.x), one.load);
    }
    memcpy(solved, expected, sizeof solved);
    dls_fused_inwards(&A, load_at, (dls_fused_term){.of = &K, .at = strain_at},
                      (dls_fused_term){.of = &L, .at = load_at}, &one, rhs, y);
    assert_same(n, rhs, expected);
    dls_tridiagonal_outwards(&A, y, y);
    dls_tridiagonal_solve(n, A.d, A.e, solved);
    assert_same(n, y, solved);
  }
}

static void check_few(const dls_tridiagonal *A, dls_rows rows)
{
  static double few[LARGEST], near[LARGEST], all[LARGEST];
  const size_t n = A->n;
  memset(few, 0, sizeof few);
  for (size_t i = rows.first; i < rows.past; i++) {
    few[i] = one.x[i];
  }
  memcpy(near, few, sizeof near);
  memcpy(all, few, sizeof all);
  dls_tridiagonal_solve(n, A->d, A->e, all);
  const dls_rows reached = dls_tridiagonal_solve_few(A, rows, few);
  assert_same(n, few, all);
  for (size_t i = 0; i < n; i++) {
    assert_true(few[i] == 0 || (i >= reached.first && i < reached.past));
  }
  dls_rows known;
  double rest = 0;
  const double largest = dls_tridiagonal_steepness(A);
  if (!(largest > 0) || !dls_tridiagonal_solve_near(A, largest, rows, near, &known, &rest)) {
    const bool far = n > 1000 && (rows.past < n / 4 || rows.first > 3 * n / 4);
    assert_true(largest == 0 || rows.first == rows.past || !far);
    return;
  }
  assert_same(known.past - known.first, near + known.first, all + known.first);
  assert_true(rows.first > 0 || known.past < 260);
  for (size_t i = 0; i < n; i++) {
    const bool inside = i >= known.first && i < known.past;
    const bool inner = rows.first > n / 2 ? i >= known.first + 2 : i + 2 < known.past;
    assert_true((inside && inner) || fabs(all[i]) <= rest);
    assert_true(inside || near[i] == 0);
  }
}

/* An entry at either end, in the middle, beside it, and several; multipliers that fall off fast, slowly, and with both signs. */
DLS_TEST(few_entries_are_solved_as_all_are)
{
  static const double ratios[] = {0.27, -0.27, 0.1, 0.45, -0.49};
  for (size_t k = 0; k < SIZES; k++) {
    const size_t n = sizes[k], middle = n / 2;
    for (size_t r = 0; r < sizeof ratios / sizeof ratios[0]; r++) {
      const dls_tridiagonal A = factors(n, ratios[r]);
      const dls_rows places[] = {{0, 1},
                                 {n - 1, n},
                                 {middle, middle + 1},
                                 {middle - 1, middle},
                                 {0, 3},
                                 {n - 3, n},
                                 {0, n},
                                 {middle + 1, middle + 2},
                                 {middle / 2, middle / 2 + 2},
                                 {n - 3, n - 2},
                                 {2, 2},
                                 {middle - 1, middle + 2}};
      for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        check_few(&A, places[i]);
      }
    }
  }
}

static void check_mend(const dls_tridiagonal *A, dls_rows rows, double by)
{
  static double rhs[LARGEST], y[LARGEST], x[LARGEST], new_y[LARGEST], all[LARGEST];
  const dls_fused_term none = {.at = NULL};
  dls_fused_inwards(A, load_at, none, none, &one, rhs, y);
  dls_tridiagonal_outwards(A, y, x);
  for (size_t i = rows.first; i < rows.past; i++) {
    one.load[i] += by * one.x[i];
  }
  dls_fused_inwards(A, load_at, none, none, &one, rhs, new_y);
  memcpy(all, rhs, sizeof all);
  dls_tridiagonal_mend(A, rhs, rows, y, x);
  dls_tridiagonal_solve(A->n, A->d, A->e, all);
  assert_same(A->n, y, new_y);
  assert_same(A->n, x, all);
}

DLS_TEST(a_solution_is_mended_where_the_right_hand_side_has_changed)
{
  for (size_t k = 0; k < SIZES; k++) {
    const size_t n = sizes[k], middle = n / 2;
    const dls_rows places[] = {{0, 1}, {n - 1, n}, {middle, middle + 1}, {middle - 1, middle + 2},
                               {0, n}, {3, 5},     {n - 4, n},           {0, 0}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
      for (size_t r = 0; r < 3; r++) {
        const dls_tridiagonal A = factors(n, (const double[]){0.1, -0.4, 0.49}[r]);
        check_mend(&A, places[i], 1);
        check_mend(&A, places[i], 1e-15);
      }
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_right_hand_side_made_on_the_way_is_solved_as_one_that_is_there),
      cmocka_unit_test(few_entries_are_solved_as_all_are),
      cmocka_unit_test(a_solution_is_mended_where_the_right_hand_side_has_changed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
