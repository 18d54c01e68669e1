/* test_multigrid.c -- conjugate gradients with multigrid: solutions known beforehand, iterations that hardly grow with the number of
 * unknowns, cycles that are symmetric, positive and those of a fresh start whatever was given before; and sets of unknowns at
 * their bounds against those of complementarity problems.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/linear/monotone.h"
#include "common/linear/multigrid_levels.h"
#include <delassus/lcp.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40000 };
static double x[MOST], exact[MOST], r[MOST], s[MOST], z[MOST], z_fresh[MOST], f[MOST], work[3 * MOST];
static unsigned char held[MOST];

/* excess I + the Laplacian of a square grid, whose springs are weaker by `thin` in one direction, or of random strength. */
static dls_matrix *grid(size_t side, double excess, double thin, gsl_rng *rng)
{
  const size_t n = side * side;
  dls_matrix *A = dls_matrix_sparse(n, n, 5 * n);
  double *right = calloc(2 * n, sizeof *right), *down = right + n;
  for (size_t j = 0; j < n; j++) {
    right[j] = rng != NULL ? pow(10, gsl_ran_flat(rng, -1, 1)) : 1;
    down[j] = rng != NULL ? pow(10, gsl_ran_flat(rng, -1, 1)) : thin;
  }
  for (size_t j = 0; j < n; j++) {
    const double up = j >= side ? down[j - side] : 0, left = j % side > 0 ? right[j - 1] : 0;
    if (up > 0) {
      dls_matrix_set(A, j - side, j, -up);
    }
    if (left > 0) {
      dls_matrix_set(A, j - 1, j, -left);
    }
    dls_matrix_set(A, j, j, excess + up + left + right[j] + down[j]);
    if (j % side + 1 < side) {
      dls_matrix_set(A, j + 1, j, -right[j]);
    }
    if (j + side < n) {
      dls_matrix_set(A, j + side, j, -down[j]);
    }
  }
  free(right);
  return A;
}

static dls_rows rows_of(const dls_matrix *A)
{
  dls_rows rows = {0};
  assert_int_equal(dls_rows_take(&rows, A), DLS_OK);
  return rows;
}

/* Patches and single unknowns are given. */
static void give_some(size_t n, size_t side, double phase)
{
  for (size_t i = 0; i < n; i++) {
    const double a = (double)(i % side) / (double)side, b = (double)(i / side) / (double)side;
    held[i] = sin(9 * a + phase) * cos(7 * b) > 0.6 || i % 97 == 5;
  }
}

/* r := f - A x */
static void residual(const dls_matrix *A, const double *force, const double *at)
{
  memcpy(r, force, dls_matrix_rows(A) * sizeof *r);
  dls_matrix_multiply(A, -1, at, r);
}

/* @return iterations to an error of 1e-11 */
static size_t solve_known(const dls_matrix *A, const unsigned char *given)
{
  const size_t n = dls_matrix_rows(A);
  dls_rows rows = rows_of(A);
  dls_multigrid *G = dls_multigrid_create(&rows);
  size_t iterations = 0;
  double square = 0;
  assert_non_null(G);
  memset(f, 0, sizeof f);
  for (size_t i = 0; i < n; i++) {
    exact[i] = sin((double)i) + (double)i / (double)n;
    x[i] = given[i] ? exact[i] : 0;
    square += given[i] ? 0 : rows.d[i];
  }
  dls_matrix_multiply(A, 1, exact, f);
  residual(A, f, x);
  dls_multigrid_hold(G, given);
  assert_int_equal(dls_multigrid_solve(G, 1e-28 * square, 200, work, x, r, &iterations), DLS_OK);
  for (size_t i = 0; i < n; i++) {
    assert_close(x[i], exact[i], given[i] ? 0 : 1e-10);
  }
  dls_multigrid_destroy(G);
  dls_rows_free(&rows);
  return iterations;
}

/* Where conjugate gradients with the diagonal take some 3 sides: 90 to 600. */
DLS_TEST(iterations_hardly_grow_with_the_number_of_unknowns)
{
  static const size_t sides[] = {30, 80, 200};
  static const unsigned char none[MOST];
  for (size_t k = 0; k < 3; k++) {
    const size_t n = sides[k] * sides[k];
    dls_matrix *A = grid(sides[k], 0, 1, NULL);
    assert_between((double)solve_known(A, none), 10, 24);
    give_some(n, sides[k], 0);
    assert_between((double)solve_known(A, held), 8, 24);
    dls_matrix_destroy(A);
  }
}

DLS_TEST(what_is_uneven_is_solved_too)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_matrix *thin = grid(100, 1e-3, 0.01, NULL), *uneven = grid(100, 1e-6, 1, rng),
             *apart = dls_matrix_sparse(500, 500, 500);
  give_some(10000, 100, 1);
  assert_between((double)solve_known(thin, held), 5, 40);
  assert_between((double)solve_known(uneven, held), 5, 60);
  for (size_t i = 0; i < 500; i++) {
    dls_matrix_set(apart, i, i, pow(10, gsl_ran_flat(rng, -9, 9)));
  }
  assert_int_equal(solve_known(apart, held), 1);
  memset(held, 1, sizeof held);
  assert_int_equal(solve_known(thin, held), 0);
  dls_matrix_destroy(thin);
  dls_matrix_destroy(uneven);
  dls_matrix_destroy(apart);
  gsl_rng_free(rng);
}

static double dot(size_t n, const double *a, const double *b)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

/* Whatever was given before; and symmetric, positive. */
DLS_TEST(a_cycle_is_that_of_a_fresh_start)
{
  enum { SIDE = 60, N = SIDE * SIDE };
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_matrix *A = grid(SIDE, 0.01, 1, rng);
  dls_rows rows = rows_of(A);
  dls_multigrid *G = dls_multigrid_create(&rows);
  for (int k = 0; k < 12; k++) {
    give_some(N, SIDE, k < 8 ? 0.05 * k : 0);
    if (k % 4 == 3) {
      memset(held, k == 7, sizeof held);
    }
    dls_multigrid *fresh = dls_multigrid_create(&rows);
    dls_multigrid_hold(G, held);
    dls_multigrid_hold(fresh, held);
    for (size_t i = 0; i < N; i++) {
      r[i] = gsl_ran_gaussian(rng, 1);
      s[i] = gsl_ran_gaussian(rng, 1);
    }
    dls_multigrid_apply(G, 0, r, z);
    dls_multigrid_apply(fresh, 0, r, z_fresh);
    assert_memory_equal(z, z_fresh, N * sizeof *z);
    dls_multigrid_apply(fresh, 0, s, z_fresh);
    const double rBs = dot(N, r, z_fresh), sBr = dot(N, s, z), rBr = dot(N, r, z);
    assert_close(rBs, sBr, 1e-12 * rBr);
    assert_true(k == 7 ? rBr == 0 : rBr > 0);
    dls_multigrid_destroy(fresh);
  }
  dls_multigrid_destroy(G);
  dls_rows_free(&rows);
  dls_matrix_destroy(A);
  gsl_rng_free(rng);
}

/* Not definite: [1 -2; -2 1] in two rows; not a number; not enough iterations. */
DLS_TEST(what_cannot_be_solved_gets_a_status)
{
  dls_matrix *A = grid(20, 1, 1, NULL);
  size_t iterations;
  memset(held, 0, sizeof held);
  for (int k = 0; k < 3; k++) {
    dls_matrix_set(A, 1, 0, k == 0 ? -20 : -1);
    dls_matrix_set(A, 0, 1, k == 0 ? -20 : -1);
    dls_rows rows = rows_of(A);
    dls_multigrid *G = dls_multigrid_create(&rows);
    dls_multigrid_hold(G, held);
    memset(x, 0, sizeof x);
    for (size_t i = 0; i < 400; i++) {
      r[i] = i == 7 && k == 1 ? NAN : 1;
    }
    assert_int_equal(dls_multigrid_solve(G, 1e-24, k == 2 ? 3 : 200, work, x, r, &iterations), DLS_ERR_NOCONV);
    assert_true(k != 2 || iterations == 3);
    dls_multigrid_destroy(G);
    dls_rows_free(&rows);
  }
  dls_matrix_destroy(A);
}

/* The exact set of x >= lower: z = x - lower solves LCP(A, A lower - f). With upper bounds that of -x. @return unknowns that are
 * in one of both sets only, a part of all */
static double wrong_part(const dls_matrix *A, const double *bound, int side)
{
  const size_t n = dls_matrix_rows(A);
  dls_lcp_solver *solver = NULL;
  dls_error err = {0};
  size_t wrong = 0;
  assert_ok(dls_lcp_create(1, NULL, 1e-12, &solver, &err), err);
  memset(s, 0, sizeof s);
  memset(z, 0, sizeof z);
  dls_matrix_multiply(A, side, bound, s);
  for (size_t i = 0; i < n; i++) {
    s[i] -= side * f[i];
  }
  assert_ok(dls_lcp_solve_matrix(solver, A, s, z, NULL, NULL, &err), err);
  for (size_t i = 0; i < n; i++) {
    wrong += held[i] != (z[i] == 0);
    assert_close(x[i], bound[i] + side * z[i], 0.05 * (1 + fabs(z[i])));
  }
  dls_lcp_destroy(solver);
  return (double)wrong / (double)n;
}

DLS_TEST(unknowns_at_their_bounds_are_found_but_for_a_few)
{
  enum { SIDE = 44, N = SIDE * SIDE }; /* below where complementarity problems are solved by the same means */
  static double bound[N], none[N];
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  for (int k = 0; k < 8; k++) {
    const int side = k % 2 == 0 ? 1 : -1;
    dls_matrix *A = grid(SIDE, k < 4 ? 0 : 0.3, 1, k % 4 < 2 ? NULL : rng);
    dls_rows rows = rows_of(A);
    dls_multigrid *G = dls_multigrid_create(&rows);
    dls_monotone *M = dls_monotone_create(G);
    size_t count = 0;
    for (size_t i = 0; i < N; i++) {
      const double a = (double)(i % SIDE) / SIDE, b = (double)(i / SIDE) / SIDE;
      f[i] = -side * (k < 4 ? 0.02 : 0.2) * (k < 6 ? 1 + sin(9 * a) : gsl_ran_gaussian(rng, 3));
      bound[i] = side * (0.3 * sin(9 * a + k) * cos(7 * b) - 0.5);
      none[i] = side * HUGE_VAL;
      x[i] = NAN; /* is not read */
    }
    dls_monotone_descend(M, (dls_bounds){side > 0 ? bound : none, side > 0 ? none : bound}, f, work, x, held);
    for (size_t i = 0; i < N; i++) {
      assert_true(side * (x[i] - bound[i]) >= 0);
      count += held[i];
    }
    assert_between((double)count / N, 0.02, 0.98);
    assert_between(wrong_part(A, bound, side), 0, 0.01);
    dls_monotone_destroy(M);
    dls_multigrid_destroy(G);
    dls_rows_free(&rows);
    dls_matrix_destroy(A);
  }
  gsl_rng_free(rng);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(iterations_hardly_grow_with_the_number_of_unknowns),
      cmocka_unit_test(what_is_uneven_is_solved_too),
      cmocka_unit_test(a_cycle_is_that_of_a_fresh_start),
      cmocka_unit_test(what_cannot_be_solved_gets_a_status),
      cmocka_unit_test(unknowns_at_their_bounds_are_found_but_for_a_few),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
