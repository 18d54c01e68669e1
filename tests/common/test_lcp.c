/* test_lcp.c -- the complementarity solvers on examples with known answers, and what they refuse.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "lcp_problems.h"
#include <math.h>
#include <string.h>

static const char *const all_methods[] = {"auto",           "closed-form", "enumeration",
                                          "block-pivoting", "lemke",       "pgs"};
enum { METHODS = sizeof all_methods / sizeof *all_methods };

static void assert_solution(const char *method, lcp_problem p, const double *z, double tolerance)
{
  double found[LCP_MAX], w[LCP_MAX];
  dls_lcp_report report;
  dls_lcp_solver *solver = lcp_create(method);
  assert_int_equal(lcp_solve(solver, &p, found, w, &report), DLS_OK);
  for (size_t i = 0; i < p.n; i++) {
    assert_close(found[i], z[i], tolerance);
  }
  dls_lcp_destroy(solver);
}

static void assert_no_solution(const char *method, lcp_problem p)
{
  double z[LCP_MAX], w[LCP_MAX];
  dls_lcp_report report;
  dls_lcp_solver *solver = lcp_create(method);
  const dls_status status = lcp_solve(solver, &p, z, w, &report);
  assert_int_equal(status, strcmp(method, "pgs") == 0 ? DLS_ERR_NOCONV : DLS_ERR_LCP);
  assert_true(report.residual > 0.1 || report.scale > 1e6); /* of b of about 1 */
  dls_lcp_destroy(solver);
}

/* Two unit normals in a wedge with n1 . n2 = -0.9: both bilateral multipliers are negative, yet contact 1
 * stays. */
DLS_TEST(wedge_keeps_the_contact_that_dropping_would_open)
{
  const lcp_problem stays = {2, {1, -0.9, -0.9, 1}, {-1, 1.5}}, opens = {2, {1, 0.9, 0.9, 1}, {0.1, 1}};
  dls_lcp_solver *solver = lcp_create("auto");
  dls_lcp_report report;
  double z[2], w[2];
  assert_int_equal(lcp_solve(solver, &stays, z, w, &report), DLS_OK);
  assert_close(z[0], 1, 1e-15);
  assert_close(z[1], 0, 0);
  assert_close(w[0], 0, 1e-15);
  assert_close(w[1], 0.6, 1e-15);
  assert_string_equal(report.method, "enumeration");
  dls_lcp_destroy(solver);
  for (int m = 2; m < METHODS; m++) {
    assert_solution(all_methods[m], stays, (double[]){1, 0}, 1e-9);
    assert_solution(all_methods[m], opens, (double[]){0, 0}, 0);
  }
}

DLS_TEST(one_contact_has_the_closed_form)
{
  for (int m = 0; m < METHODS; m++) {
    assert_solution(all_methods[m], (lcp_problem){1, {4}, {-2}}, (double[]){0.5}, 1e-9);
    assert_solution(all_methods[m], (lcp_problem){1, {4}, {2}}, (double[]){0}, 0);
    assert_solution(all_methods[m], (lcp_problem){1, {0}, {2}}, (double[]){0}, 0);
    assert_solution(all_methods[m], (lcp_problem){1, {0}, {0}}, (double[]){0}, 0);
    assert_solution(all_methods[m], (lcp_problem){1, {-1}, {2}}, (double[]){0}, 0);
    assert_solution(all_methods[m], (lcp_problem){1, {1e-300}, {-1e-300}}, (double[]){1}, 1e-9);
  }
}

DLS_TEST(problems_without_a_solution_give_a_status)
{
  for (int m = 0; m < METHODS; m++) {
    assert_no_solution(all_methods[m], (lcp_problem){1, {0}, {-1}});
    assert_no_solution(all_methods[m], (lcp_problem){1, {-1}, {-1}});
    if (strcmp(all_methods[m], "closed-form") != 0) {
      assert_no_solution(all_methods[m], (lcp_problem){2, {1, -1, -1, 1}, {-1, -1}});
      assert_no_solution(all_methods[m], (lcp_problem){2, {0, 1, -1, 0}, {-1, 1}});  /* w1 = -z2 - 1 */
      assert_no_solution(all_methods[m], (lcp_problem){2, {0, -1, 1, 0}, {-1, -1}}); /* w2 = -z1 - 1 */
      assert_no_solution(all_methods[m],
                         (lcp_problem){2, {1, -1, -1, 1 + 3e-16}, {-1, -1}}); /* but for rounding */
      /* z of 1e14 solves this, but W z + b is then rounded to 1e-2 */
      assert_no_solution(all_methods[m], (lcp_problem){2, {1, -1, -1, 1 + 1e-14}, {-1.01, -1.11}});
    }
  }
  /* w1 = z2 - 1, w2 = 1 - z1 has one, which projected Gauss-Seidel cannot find */
  assert_solution("auto", (lcp_problem){2, {0, -1, 1, 0}, {-1, 1}}, (double[]){1, 1}, 1e-14);
  assert_solution("lemke", (lcp_problem){2, {0, -1, 1, 0}, {-1, 1}}, (double[]){1, 1}, 1e-14);
}

/* Every ratio is tied; rules that flip one index at a time cycle. Source: Murty 1988 (n = 3). */
DLS_TEST(murtys_circulant_does_not_cycle)
{
  for (size_t n = 3; n <= 29; n += 2) {
    lcp_problem p = {.n = n};
    double z[LCP_MAX];
    for (size_t i = 0; i < n; i++) {
      p.W[i + i * n] = 1;
      p.W[i + (i + 1) % n * n] = 2;
      p.b[i] = -1;
      z[i] = 1.0 / 3;
    }
    assert_solution("lemke", p, z, 1e-13);
    assert_solution("auto", p, z, 1e-13);
  }
}

/* A linear program on which the simplex method cycles with the usual rules: min c^T x, A x >= a, x >= 0, whose
 * conditions are the LCP with W = [0, -A^T; A, 0], b = (c, -a). Minimum -1/20 at x = (1/25, 0, 1, 0).
 * Source: Beale 1955, Naval Research Logistics Quarterly 2. */
DLS_TEST(beales_program_does_not_cycle)
{
  static const double c[4] = {-0.75, 150, -0.02, 6}, a[3] = {0, 0, -1};
  static const double A[3][4] = {{-0.25, 60, 0.04, -9}, {-0.5, 90, 0.02, -3}, {0, 0, -1, 0}};
  const char *const methods[] = {"lemke", "enumeration", "auto"};
  lcp_problem p = {.n = 7};
  for (size_t i = 0; i < 3; i++) {
    p.b[4 + i] = -a[i];
    for (size_t j = 0; j < 4; j++) {
      p.W[4 + i + j * 7] = A[i][j];
      p.W[j + (4 + i) * 7] = -A[i][j];
      p.b[j] = c[j];
    }
  }
  for (int m = 0; m < 3; m++) {
    double z[LCP_MAX], w[LCP_MAX];
    dls_lcp_report report;
    dls_lcp_solver *solver = lcp_create(methods[m]);
    assert_int_equal(lcp_solve(solver, &p, z, w, &report), DLS_OK);
    assert_close(c[0] * z[0] + c[1] * z[1] + c[2] * z[2] + c[3] * z[3], -0.05, 1e-13);
    dls_lcp_destroy(solver);
  }
}

DLS_TEST(a_guess_with_the_right_set_saves_the_pivots)
{
  lcp_problem p;
  double z[LCP_MAX], w[LCP_MAX];
  dls_lcp_report cold, warm;
  dls_error err = {0};
  dls_lcp_solver *solver = lcp_create("lemke");
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, 40);
  lcp_definite(rng, 20, &p);
  assert_int_equal(lcp_solve(solver, &p, z, w, &cold), DLS_OK);
  assert_true(cold.pivots > 1);
  assert_ok(dls_lcp_solve(solver, p.n, p.W, p.b, z, w, &warm, &err), err);
  assert_int_equal(warm.pivots, 0);
  z[0] = NAN; /* a guess that is not a number counts as 0 */
  assert_ok(dls_lcp_solve(solver, p.n, p.W, p.b, z, NULL, NULL, &err), err);
  assert_false(isnan(z[0]));
  gsl_rng_free(rng);
  dls_lcp_destroy(solver);
}

/* The scaling of a W is kept for the next problem: chains whose rows differ by 10^12, in turn with others and in two sizes. */
DLS_TEST(what_was_solved_before_leaves_no_trace)
{
  dls_lcp_solver *kept = lcp_create("auto");
  for (int k = 0; k < 24; k++) {
    lcp_problem p = {.n = k % 8 < 6 ? 7 : 5};
    for (size_t i = 0; i < p.n; i++) {
      const double weight = k % 4 < 2 ? 1 : pow(10, (double)i);
      p.W[i + i * p.n] = 2.1 * weight * weight;
      if (i > 0) {
        p.W[i + (i - 1) * p.n] = p.W[i - 1 + i * p.n] = -weight * (k % 4 < 2 ? 1 : pow(10, (double)i - 1));
      }
      p.b[i] = sin((double)(k + 3) * (double)(i + 1));
    }
    double z[LCP_MAX] = {0}, w[LCP_MAX], fresh_z[LCP_MAX] = {0}, fresh_w[LCP_MAX];
    dls_lcp_report report, fresh_report;
    dls_lcp_solver *fresh = lcp_create("auto");
    assert_int_equal(lcp_solve(kept, &p, z, w, &report), DLS_OK);
    assert_int_equal(lcp_solve(fresh, &p, fresh_z, fresh_w, &fresh_report), DLS_OK);
    assert_memory_equal(z, fresh_z, p.n * sizeof *z);
    assert_memory_equal(w, fresh_w, p.n * sizeof *w);
    assert_true(report.residual == fresh_report.residual && report.pivots == fresh_report.pivots);
    dls_lcp_destroy(fresh);
  }
  dls_lcp_destroy(kept);
}

DLS_TEST(capacity_grows_and_nothing_is_a_problem_too)
{
  lcp_problem p;
  double z[LCP_MAX], w[LCP_MAX];
  dls_lcp_report report;
  dls_error err = {0};
  dls_lcp_solver *solver;
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, 41);
  assert_ok(dls_lcp_create(0, NULL, LCP_TOLERANCE, &solver, &err), err);
  assert_ok(dls_lcp_solve(solver, 0, NULL, NULL, NULL, NULL, &report, &err), err);
  assert_close(report.residual, 0, 0);
  for (size_t n = 1; n <= LCP_MAX; n++) {
    lcp_definite(rng, n, &p);
    assert_int_equal(lcp_solve(solver, &p, z, w, &report), DLS_OK);
  }
  gsl_rng_free(rng);
  dls_lcp_destroy(solver);
  dls_lcp_destroy(NULL);
}

DLS_TEST(what_is_not_finite_is_refused)
{
  for (int m = 0; m < METHODS; m++) {
    dls_lcp_solver *solver = lcp_create(all_methods[m]);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
      dls_error err = {0};
      dls_lcp_report report;
      double z = 0, one = 1, minus = -1;
      assert_int_equal(dls_lcp_solve(solver, 1, &bad[k], &one, &z, NULL, &report, &err), DLS_ERR_NONFINITE);
      assert_int_equal(dls_lcp_solve(solver, 1, &bad[k], &minus, &z, NULL, &report, &err), DLS_ERR_NONFINITE);
      assert_non_null(strstr(err.text, "W[0,0]"));
      assert_int_equal(dls_lcp_solve(solver, 1, &one, &bad[k], &z, NULL, &report, &err), DLS_ERR_NONFINITE);
      assert_non_null(strstr(err.text, "b[0]"));
      assert_true(report.residual > 1e300);
    }
    dls_lcp_destroy(solver);
  }
}

DLS_TEST(requests_that_make_no_sense_are_refused)
{
  dls_error err = {0};
  dls_lcp_solver *solver;
  assert_int_equal(dls_lcp_create(1, "lemkke", 1e-12, &solver, &err), DLS_ERR_OPTION);
  assert_string_equal(
      err.text,
      "lcp method 'lemkke' is unknown; allowed: auto, closed-form, enumeration, block-pivoting, lemke, pgs");
  assert_null(solver);
  assert_int_equal(dls_lcp_create(1, NULL, 0, &solver, &err), DLS_ERR_OPTION);
  assert_int_equal(dls_lcp_create(1, NULL, NAN, &solver, &err), DLS_ERR_OPTION);
  assert_int_equal(dls_lcp_create(1, NULL, 1e-12, NULL, &err), DLS_ERR_ARG);
  double W[25 * 25] = {0}, b[25], z[25] = {0};
  for (size_t i = 0; i < 25; i++) {
    W[26 * i] = 1;
    b[i] = -1;
  }
  assert_int_equal(dls_lcp_solve(NULL, 1, W, b, z, NULL, NULL, &err), DLS_ERR_ARG);
  solver = lcp_create("closed-form");
  assert_int_equal(dls_lcp_solve(solver, 2, W, b, z, NULL, NULL, &err), DLS_ERR_NOT_APPLICABLE);
  assert_int_equal(dls_lcp_solve(solver, 1, NULL, b, z, NULL, NULL, &err), DLS_ERR_ARG);
  dls_lcp_destroy(solver);
  solver = lcp_create("enumeration");
  assert_int_equal(dls_lcp_solve(solver, 25, W, b, z, NULL, NULL, &err), DLS_ERR_NOT_APPLICABLE);
  dls_lcp_destroy(solver);
}

DLS_TEST(every_method_is_listed_once_with_a_source)
{
  size_t count = 0;
  for (const dls_lcp_method *const *m = dls_lcp_methods(); *m; m++, count++) {
    assert_string_equal((*m)->name, all_methods[count + 1]);
    assert_true(strlen((*m)->summary) > 0 && strlen((*m)->source) > 0);
  }
  assert_int_equal(count, METHODS - 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wedge_keeps_the_contact_that_dropping_would_open),
      cmocka_unit_test(one_contact_has_the_closed_form),
      cmocka_unit_test(problems_without_a_solution_give_a_status),
      cmocka_unit_test(murtys_circulant_does_not_cycle),
      cmocka_unit_test(beales_program_does_not_cycle),
      cmocka_unit_test(a_guess_with_the_right_set_saves_the_pivots),
      cmocka_unit_test(what_was_solved_before_leaves_no_trace),
      cmocka_unit_test(capacity_grows_and_nothing_is_a_problem_too),
      cmocka_unit_test(what_is_not_finite_is_refused),
      cmocka_unit_test(requests_that_make_no_sense_are_refused),
      cmocka_unit_test(every_method_is_listed_once_with_a_source),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
