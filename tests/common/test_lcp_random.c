/* test_lcp_random.c -- the complementarity solvers on random problems: definite, degenerate, redundant, badly
 * scaled and unsolvable ones. Every answer is judged by a residual of the tests' own.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "lcp_problems.h"
#include <math.h>

enum { MANY = 10000 };

static double uniform(gsl_rng *rng, double low, double high)
{
  return low + (high - low) * gsl_rng_uniform(rng);
}

typedef struct tally {
  size_t failed;
  double worst; /* residual / scale of those solved */
} tally;

static tally solve_many(const char *method, lcp_generator make, size_t smallest, size_t largest, size_t count,
                        unsigned long seed)
{
  lcp_problem p;
  double z[LCP_MAX], w[LCP_MAX];
  tally t = {0, 0};
  dls_lcp_solver *solver = lcp_create(method);
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, seed);
  for (size_t k = 0; k < count; k++) {
    dls_lcp_report report;
    make(rng, smallest + gsl_rng_uniform_int(rng, largest - smallest + 1), &p);
    if (lcp_solve(solver, &p, z, w, &report) != DLS_OK) {
      t.failed++;
    } else if (report.scale > 0) {
      t.worst = fmax(t.worst, report.residual / report.scale);
    }
  }
  gsl_rng_free(rng);
  dls_lcp_destroy(solver);
  print_message("%s: %zu problems, %zu failed, worst residual %.1e\n", method, count, t.failed, t.worst);
  return t;
}

static void assert_all_solved(const char *method, lcp_generator make, size_t largest, size_t count,
                              unsigned long seed)
{
  const tally t = solve_many(method, make, 1, largest, count, seed);
  assert_int_equal(t.failed, 0);
  assert_between(t.worst, 0, 1e-12); /* far below the tolerance: the final set is solved afresh */
}

DLS_TEST(every_p_matrix_is_solved)
{
  assert_all_solved("auto", lcp_any_p, LCP_MAX, MANY, 1);
  assert_all_solved("lemke", lcp_any_p, LCP_MAX, MANY, 2);
}

DLS_TEST(every_m_matrix_is_solved)
{
  assert_all_solved("auto", lcp_m_matrix, LCP_MAX, MANY, 3);
  assert_all_solved("lemke", lcp_m_matrix, LCP_MAX, MANY, 4);
}

DLS_TEST(every_degenerate_problem_is_solved)
{
  assert_all_solved("auto", lcp_degenerate, LCP_MAX, MANY, 5);
  assert_all_solved("lemke", lcp_degenerate, LCP_MAX, MANY, 6);
  assert_all_solved("lemke", lcp_degenerate_program, 20, MANY, 15);
  assert_all_solved("auto", lcp_degenerate_program, 20, MANY, 16);
}

DLS_TEST(every_solvable_redundant_problem_is_solved)
{
  assert_all_solved("auto", lcp_redundant, LCP_MAX, MANY, 7);
  assert_all_solved("lemke", lcp_redundant, LCP_MAX, MANY, 8);
  assert_all_solved("enumeration", lcp_redundant, 6, MANY, 9);
  assert_all_solved("lemke", lcp_redundant_integers, LCP_MAX, MANY, 17);
}

DLS_TEST(growth_of_pivots_is_refined_away)
{
  lcp_problem p;
  double z[LCP_MAX], w[LCP_MAX];
  dls_lcp_report report;
  dls_error err = {0};
  dls_lcp_solver *solver = lcp_create("lemke");
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  for (int k = 0; k < 100; k++) {
    lcp_growing(rng, LCP_MAX, &p);
    for (size_t i = 0; i < LCP_MAX; i++) {
      z[i] = 1; /* names the right set: every contact */
    }
    assert_ok(dls_lcp_solve(solver, LCP_MAX, p.W, p.b, z, w, &report, &err), err);
    assert_int_equal(report.pivots, 0);
    assert_between(report.residual, 0, 1e-14 * report.scale);
  }
  gsl_rng_free(rng);
  dls_lcp_destroy(solver);
  assert_all_solved("lemke", lcp_growing, LCP_MAX, 1000, 18);
  assert_all_solved("auto", lcp_growing, LCP_MAX, 1000, 19);
}

DLS_TEST(projected_gauss_seidel_solves_dominant_problems)
{
  const tally t = solve_many("pgs", lcp_dominant, 1, LCP_MAX, 1000, 10);
  assert_int_equal(t.failed, 0);
  assert_between(t.worst, 0, LCP_TOLERANCE);
}

DLS_TEST(no_unsolvable_problem_is_accepted)
{
  assert_int_equal(solve_many("enumeration", lcp_unsolvable, 2, 6, 1000, 11).failed, 1000);
  assert_int_equal(solve_many("lemke", lcp_unsolvable, 2, LCP_MAX, 1000, 12).failed, 1000);
  assert_int_equal(solve_many("pgs", lcp_unsolvable, 2, 10, 20, 13).failed, 20);
  assert_int_equal(solve_many("auto", lcp_unsolvable, 2, 10, 20, 14).failed, 20);
}

/* Both methods on count problems; z must agree where it is unique, w always. */
static void assert_methods_agree(lcp_generator make, int unique, unsigned long seed)
{
  lcp_problem p;
  double z[2][LCP_MAX], w[2][LCP_MAX];
  dls_lcp_report report;
  dls_lcp_solver *lemke = lcp_create("lemke"), *enumeration = lcp_create("enumeration");
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, seed);
  for (int k = 0; k < 2000; k++) {
    make(rng, 1 + gsl_rng_uniform_int(rng, 6), &p);
    assert_int_equal(lcp_solve(lemke, &p, z[0], w[0], &report), DLS_OK);
    assert_int_equal(lcp_solve(enumeration, &p, z[1], w[1], &report), DLS_OK);
    for (size_t i = 0; i < p.n; i++) {
      assert_close(w[0][i], w[1][i], 1e-11 * report.scale);
      if (unique) {
        assert_close(z[0][i], z[1][i], 1e-9 * (1 + z[1][i]));
      }
    }
  }
  gsl_rng_free(rng);
  dls_lcp_destroy(lemke);
  dls_lcp_destroy(enumeration);
}

DLS_TEST(lemke_agrees_with_enumeration)
{
  assert_methods_agree(lcp_any_p, 1, 20);
  assert_methods_agree(lcp_m_matrix, 1, 21);
  assert_methods_agree(lcp_degenerate, 1, 22);
  assert_methods_agree(lcp_redundant, 0, 23);
}

/* z of (D W E, D b) is E^{-1} z of (W, b). */
static void assert_units_do_not_matter(lcp_generator make, const char *method, int alike, unsigned long seed)
{
  lcp_problem p, scaled;
  double z[LCP_MAX], w[LCP_MAX], zs[LCP_MAX], ws[LCP_MAX], D[LCP_MAX], E[LCP_MAX];
  dls_lcp_report report;
  dls_lcp_solver *solver = lcp_create(method);
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, seed);
  for (int k = 0; k < 1000; k++) {
    make(rng, 2 + gsl_rng_uniform_int(rng, 19), &p);
    scaled.n = p.n;
    for (size_t i = 0; i < p.n; i++) {
      D[i] = pow(10, uniform(rng, -6, 6));
      E[i] = alike ? D[i] : pow(10, uniform(rng, -6, 6));
      scaled.b[i] = D[i] * p.b[i];
    }
    for (size_t i = 0; i < p.n * p.n; i++) {
      scaled.W[i] = D[i % p.n] * p.W[i] * E[i / p.n];
    }
    assert_int_equal(lcp_solve(solver, &p, z, w, &report), DLS_OK);
    const double scale = report.scale;
    assert_int_equal(lcp_solve(solver, &scaled, zs, ws, &report), DLS_OK);
    for (size_t i = 0; i < p.n; i++) {
      assert_close(ws[i] / D[i], w[i], 1e-9 * scale);
      assert_close(zs[i] * E[i], z[i], 1e-8 * (1 + z[i]));
    }
  }
  gsl_rng_free(rng);
  dls_lcp_destroy(solver);
}

DLS_TEST(units_of_rows_and_columns_do_not_matter)
{
  assert_units_do_not_matter(lcp_definite, "auto", 1, 30);
  assert_units_do_not_matter(lcp_definite, "lemke", 1, 31);
  assert_units_do_not_matter(lcp_dominant, "lemke", 0, 32);
  assert_units_do_not_matter(lcp_m_matrix, "auto", 0, 33);
  assert_units_do_not_matter(lcp_definite, "enumeration", 1, 34);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_p_matrix_is_solved),
      cmocka_unit_test(every_m_matrix_is_solved),
      cmocka_unit_test(every_degenerate_problem_is_solved),
      cmocka_unit_test(every_solvable_redundant_problem_is_solved),
      cmocka_unit_test(growth_of_pivots_is_refined_away),
      cmocka_unit_test(projected_gauss_seidel_solves_dominant_problems),
      cmocka_unit_test(no_unsolvable_problem_is_accepted),
      cmocka_unit_test(lemke_agrees_with_enumeration),
      cmocka_unit_test(units_of_rows_and_columns_do_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
