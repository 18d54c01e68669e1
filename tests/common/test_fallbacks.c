/* test_fallbacks.c -- methods that take over from others are counted by name: complementarity problems as arrays and as
 * operators, bilateral solves. Those of friction: test_problem_many.c, of contacts with unknowns of their own:
 * test_dirichlet_system.c, test_primal_dual_failures.c.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "fallbacks.h"
#include <delassus/delassus_operator.h>
#include <math.h>
#include <stdlib.h>

/* W = 0, b < 0 has no solution, as each method finds out. */
DLS_TEST(every_method_for_arrays)
{
  const double W[4] = {0}, b[2] = {-1, -1};
  double z[2] = {0};
  dls_fallbacks counts = {0};
  dls_error err = {0};
  dls_lcp_solver *lcp = NULL;
  assert_ok(dls_lcp_create(2, NULL, 1e-12, &lcp, &err), err);
  dls_lcp_count_fallbacks(lcp, &counts);
  assert_int_not_equal(dls_lcp_solve(lcp, 2, W, b, z, NULL, NULL, &err), DLS_OK);
  assert_string_equal(counts.by[0].method, "block-pivoting"); /* enumeration is the first */
  assert_int_equal(fallbacks_to(&counts, "enumeration"), 0);
  assert_int_equal(fallbacks_to(&counts, "block-pivoting"), 1);
  assert_int_equal(fallbacks_to(&counts, "lemke"), 1);
  assert_int_equal(fallbacks_to(&counts, "pgs"), 1);
  const double I[4] = {1, 0, 0, 1};
  assert_ok(dls_lcp_solve(lcp, 2, I, b, z, NULL, NULL, &err), err);
  assert_int_equal(fallbacks_to(&counts, "block-pivoting"),
                   1); /* not again: the first method solves this one */
  dls_lcp_destroy(lcp);
}

/* A string of n springs with free ends, W, which is singular along (1, ..., 1). */
static dls_matrix *free_string(size_t n)
{
  dls_matrix *W = dls_matrix_sparse(n, n, 3 * n);
  for (size_t j = 0; j < n; j++) {
    if (j > 0) {
      dls_matrix_set(W, j - 1, j, -1);
    }
    dls_matrix_set(W, j, j, j == 0 || j + 1 == n ? 1 : 2);
    if (j + 1 < n) {
      dls_matrix_set(W, j + 1, j, -1);
    }
  }
  return W;
}

/* w = W z + b, w >= 0 is impossible for b = (-1, ..., -1). */
DLS_TEST(every_method_for_operators)
{
  static const size_t sizes[] = {50, 1100};
  for (int k = 0; k < 2; k++) {
    const size_t n = sizes[k];
    dls_matrix *W = free_string(n);
    double *b = malloc(n * sizeof *b), *z = calloc(n, sizeof *z);
    dls_fallbacks counts = {0};
    dls_error err = {0};
    dls_lcp_solver *lcp = NULL;
    assert_ok(dls_lcp_create(0, NULL, 1e-12, &lcp, &err), err);
    dls_lcp_count_fallbacks(lcp, &counts);
    for (size_t i = 0; i < n; i++) {
      b[i] = -1;
    }
    assert_int_not_equal(dls_lcp_solve_matrix(lcp, W, b, z, NULL, NULL, &err), DLS_OK);
    assert_int_equal(fallbacks_to(&counts, "shifted-pivoting"), 1);
    assert_int_equal(fallbacks_to(&counts, "dense-lcp"), k == 0);
    assert_int_equal(fallbacks_to(&counts, "pgs"), 1); /* the last of the dense methods, or alone */
    dls_lcp_destroy(lcp);
    dls_matrix_destroy(W);
    free(b);
    free(z);
  }
}

/* Unit masses in a row, n contacts between neighbours, each of them twice: the two of a pair share its force, in either way. */
DLS_TEST(bilateral_solves_with_redundant_contacts)
{
  static const size_t sizes[] = {50, 51};
  for (int k = 0; k < 2; k++) {
    const size_t n = sizes[k];
    dls_matrix *M = dls_matrix_diagonal(n), *H = dls_matrix_sparse(n, 2 * n, 4 * n);
    dls_fallbacks counts = {0};
    dls_error err = {0};
    double *b = calloc(2 * n, sizeof *b), *p = calloc(2 * n, sizeof *p);
    size_t *active = calloc(2 * n, sizeof *active);
    for (size_t j = 0; j < 2 * n; j++) {
      const size_t i = j / 2;
      if (i > 0) {
        dls_matrix_set(H, i - 1, j, -1);
      }
      dls_matrix_set(H, i, j, 1);
      active[j] = j;
      b[j] = i == n / 2;
    }
    for (size_t i = 0; i < n; i++) {
      dls_matrix_set(M, i, i, 1);
    }
    const double one = 1;
    dls_factor *A = dls_factor_create((const dls_matrix *const[]){M}, 1);
    assert_ok(dls_factor_sum(A, &one, &err), err);
    dls_delassus *D = dls_delassus_create(A, H);
    dls_delassus_count_fallbacks(D, &counts);
    assert_ok(dls_delassus_solve_bilateral(D, 2 * n, active, b, p, &err), err);
    assert_int_equal(fallbacks_to(&counts, "orthogonal-decomposition"), k == 0);
    assert_int_equal(fallbacks_to(&counts, "proximal-point"), k == 1);
    for (size_t i = 0; i < n; i++) {
      const double own = p[2 * i] + p[2 * i + 1], before = i > 0 ? p[2 * i - 2] + p[2 * i - 1] : 0,
                   after = i + 1 < n ? p[2 * i + 2] + p[2 * i + 3] : 0;
      assert_close(p[2 * i + 1], p[2 * i], 1e-6 * fabs(own)); /* rounding over the shift 1e-10 */
      assert_close((i > 0 ? 2 : 1) * own - before - after, -b[2 * i], 1e-11 * (1 + fabs(own))); /* W p = -b */
    }
    dls_delassus_destroy(D);
    dls_factor_destroy(A);
    dls_matrix_destroy(M);
    dls_matrix_destroy(H);
    free(b);
    free(p);
    free(active);
  }
}

/* N unit masses, and contacts in pairs: u_i = v_i and, with a mass of its own in place of the last, u_i = v_i + epsilon v_(i+1). W of a
 * pair has the eigenvalues 2 and about epsilon^2 / 2. Where that is below the shift 1e-10 the iteration is slow in its direction.
 * epsilon = 0: the two are the same, and b is consistent if its two entries are. */
static size_t unfinished_of(double epsilon, bool consistent)
{
  enum { PAIRS = 60 };
  dls_matrix *M = dls_matrix_diagonal(2 * PAIRS), *H = dls_matrix_sparse(2 * PAIRS, 2 * PAIRS, 3 * PAIRS);
  dls_fallbacks counts = {0};
  dls_error err = {0};
  double b[2 * PAIRS], p[2 * PAIRS];
  size_t active[2 * PAIRS];
  for (size_t j = 0; j < 2 * PAIRS; j++) {
    dls_matrix_set(M, j, j, 1);
    dls_matrix_set(H, j - j % 2, j, 1);
    if (j % 2 == 1 && epsilon > 0) {
      dls_matrix_set(H, j, j, epsilon);
    }
    active[j] = j;
  }
  for (size_t j = 0; j < 2 * PAIRS; j += 2) {
    const double v = 1 + sin((double)j), w = 2 + cos((double)j);
    b[j] = v;
    b[j + 1] = v + (consistent ? epsilon * w : 1e-3 * w);
  }
  const double one = 1;
  dls_factor *A = dls_factor_create((const dls_matrix *const[]){M}, 1);
  assert_ok(dls_factor_sum(A, &one, &err), err);
  dls_delassus *D = dls_delassus_create(A, H);
  dls_delassus_count_fallbacks(D, &counts);
  assert_ok(dls_delassus_solve_bilateral(D, 2 * PAIRS, active, b, p, &err), err);
  assert_int_equal(fallbacks_to(&counts, "proximal-point"), epsilon < 1e-5);
  dls_delassus_destroy(D);
  dls_factor_destroy(A);
  dls_matrix_destroy(M);
  dls_matrix_destroy(H);
  return fallbacks_to(&counts, "bilateral-residual");
}

/* Inconsistent rows leave a residual by right, rows that are nearly redundant do not. */
DLS_TEST(residuals_of_bilateral_solves_that_did_not_converge)
{
  assert_int_equal(unfinished_of(0, true), 0);
  assert_int_equal(unfinished_of(0, false), 0);
  assert_int_equal(unfinished_of(1e-3, true), 0); /* by the factors of W */
  assert_int_equal(unfinished_of(7e-7, true), 1);
  assert_int_equal(unfinished_of(8e-7, true), 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_method_for_arrays),
      cmocka_unit_test(every_method_for_operators),
      cmocka_unit_test(bilateral_solves_with_redundant_contacts),
      cmocka_unit_test(residuals_of_bilateral_solves_that_did_not_converge),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
