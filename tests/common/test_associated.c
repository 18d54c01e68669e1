/* test_associated.c -- contact problems with the associated friction law: every method that handles them finds the one solution, checked against
 * the cones themselves and a closed form; methods of Coulomb's law alone refuse.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/problem.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

enum { MOST = 24, PROBLEMS = 40 };

/* W = B B^T with B of n rows and `rank` columns; q in the range of W plus a normal push, so that a solution exists. */
typedef struct sample {
  size_t d, contacts, n;
  dls_block blocks[MOST];
  double W[MOST * MOST], q[MOST], r[MOST], u[MOST];
} sample;

static sample draw(gsl_rng *rng, size_t d, size_t contacts, size_t rank)
{
  sample s = {.d = d, .contacts = contacts, .n = d * contacts};
  double B[MOST][MOST], v[MOST];
  for (size_t k = 0; k < rank; k++) {
    v[k] = gsl_ran_gaussian(rng, 1);
  }
  for (size_t i = 0; i < s.n; i++) {
    s.q[i] = i % d == 0 ? 0.3 * gsl_rng_uniform(rng) : 0;
    for (size_t k = 0; k < rank; k++) {
      B[i][k] = gsl_ran_gaussian(rng, 1);
      s.q[i] += B[i][k] * v[k];
    }
  }
  for (size_t i = 0; i < s.n; i++) {
    for (size_t j = 0; j < s.n; j++) {
      for (size_t k = 0; k < rank; k++) {
        s.W[i + s.n * j] += B[i][k] * B[j][k];
      }
    }
  }
  for (size_t a = 0; a < contacts; a++) {
    s.blocks[a] = (dls_block){DLS_ASSOCIATED, d, gsl_rng_uniform(rng)};
  }
  return s;
}

static dls_status solve(sample *s, const char *method, dls_error *err)
{
  dls_problem_solver *solver = NULL;
  const dls_problem problem = {.count = s->contacts, .blocks = s->blocks, .q = s->q, .dense = s->W};
  memset(s->r, 0, sizeof s->r);
  assert_ok(dls_problem_create(method, 1e-12, &solver, err), *err);
  const dls_status status = dls_problem_solve(solver, &problem, s->r, s->u, NULL, err);
  dls_problem_destroy(solver);
  return status;
}

/* u in K*, r in K, r . u = 0, by their definitions. */
static void assert_law(const sample *s, const char *method, double tolerance)
{
  double size = 0;
  for (size_t i = 0; i < s->n; i++) {
    size = fmax(size, fmax(fabs(s->q[i]), fabs(s->u[i])));
  }
  for (size_t a = 0; a < s->contacts; a++) {
    const double *r = s->r + s->d * a, *u = s->u + s->d * a, mu = s->blocks[a].mu;
    const double slip = s->d == 2 ? fabs(u[1]) : hypot(u[1], u[2]);
    const double force = s->d == 2 ? fabs(r[1]) : hypot(r[1], r[2]);
    double work = 0, most = 0;
    for (size_t i = 0; i < s->d; i++) {
      work += r[i] * u[i];
      most = fmax(most, fabs(r[i]));
    }
    const bool good = u[0] - mu * slip >= -tolerance * size && force <= mu * r[0] + tolerance * (1 + most) &&
                      fabs(work) <= tolerance * size * (1 + most);
    if (!good) {
      fail_msg("%s: contact %zu of %zu: u_N - mu |u_T| = %g, |r_T| - mu r_N = %g, r u = %g", method, a,
               s->contacts, u[0] - mu * slip, force - mu * r[0], work);
    }
  }
}

DLS_TEST(every_convex_method_finds_the_same_velocities)
{
  static const char *const methods[] = {"auto",           "alart-curnier", "interior-point",
                                        "proximal-point", "apgd",          "nsgs"};
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  size_t solved[6] = {0}, asked[6] = {0};
  for (size_t k = 0; k < PROBLEMS; k++) {
    const size_t d = 2 + k % 2, contacts = 1 + k % 8, n = d * contacts;
    const size_t rank = k % 4 == 3 && n > 6 ? 6 : n; /* redundant contacts, of two bodies in space */
    const sample given = draw(rng, d, contacts, rank);
    sample best = given;
    dls_error err = {0};
    assert_ok(solve(&best, "auto", &err), err);
    assert_law(&best, "auto", 1e-10);
    for (size_t m = 1; m < 6; m++) {
      sample s = given;
      const dls_status status = solve(&s, methods[m], &err);
      if (m == 5 && d == 3) {
        assert_int_equal(status, DLS_ERR_NOT_APPLICABLE);
        continue;
      }
      asked[m]++;
      solved[m] += status == DLS_OK;
      for (size_t i = 0; i < n && status == DLS_OK; i++) {
        assert_close(s.u[i], best.u[i], 1e-8);
      }
    }
  }
  for (size_t m = 1; m < 6; m++) {
    print_message("  %s: %zu of %zu\n", methods[m], solved[m], asked[m]);
    assert_true(m == 1 || 10 * solved[m] >= 9 * asked[m]); /* Newton's method alone needs a start */
  }
  gsl_rng_free(rng);
}

/* One contact in space with W = w 1: the projection of q onto K* in the metric of W. */
DLS_TEST(one_contact_is_a_projection)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  for (size_t k = 0; k < 200; k++) {
    const size_t d = 2 + k % 2;
    sample s = {.d = d, .contacts = 1, .n = d};
    dls_error err = {0};
    const double mu = 2 * gsl_rng_uniform(rng), w = 0.1 + gsl_rng_uniform(rng);
    s.blocks[0] = (dls_block){DLS_ASSOCIATED, d, mu};
    for (size_t i = 0; i < d; i++) {
      s.q[i] = gsl_ran_gaussian(rng, 1);
      s.W[i * (d + 1)] = w;
    }
    assert_ok(solve(&s, NULL, &err), err);
    const double slip = d == 2 ? fabs(s.q[1]) : hypot(s.q[1], s.q[2]), n = s.q[0];
    const double t = (slip + mu * n) / (1 + mu * mu);
    const double u_n = n >= mu * slip ? n : slip <= -mu * n ? 0 : mu * t;
    const double u_t = n >= mu * slip ? slip : slip <= -mu * n ? 0 : t;
    assert_close(s.u[0], u_n, 1e-13);
    assert_close(d == 2 ? fabs(s.u[1]) : hypot(s.u[1], s.u[2]), u_t, 1e-13);
  }
  gsl_rng_free(rng);
}

/* Fewer iterations of apgd leave the best impulses and their residual. */
DLS_TEST(truncated_gradients_return_the_best)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  sample s = draw(rng, 3, 8, 6);
  const dls_problem problem = {.count = s.contacts, .blocks = s.blocks, .q = s.q, .dense = s.W};
  double last = HUGE_VAL;
  for (size_t most = 10; most <= 1000; most *= 10) {
    dls_error err = {0};
    dls_problem_solver *solver = NULL;
    dls_problem_report report;
    assert_ok(dls_problem_create("apgd", 1e-12, &solver, &err), err);
    dls_problem_iterations(solver, most);
    memset(s.r, 0, sizeof s.r);
    const dls_status status = dls_problem_solve(solver, &problem, s.r, s.u, &report, &err);
    assert_true(status == DLS_OK || status == DLS_ERR_NOCONV);
    assert_true(report.residual < last && report.iterations <= most);
    last = report.residual;
    dls_problem_destroy(solver);
  }
  assert_between(last, 0, 1e-6);
  gsl_rng_free(rng);
}

/* Contacts in the plane, every third without friction, with redundant ones: without a guess the interior points of polyhedral cones find them. */
DLS_TEST(polyhedral_cones_have_their_own_interior_points)
{
  enum { CONTACTS = 45, RANK = 30 };
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  size_t most = 0;
  for (size_t trial = 0; trial < 30; trial++) {
    static double B[2 * CONTACTS][RANK], W[4 * CONTACTS * CONTACTS];
    double q[2 * CONTACTS], r[2 * CONTACTS] = {0}, u[2 * CONTACTS], v[RANK], work = 0, size = 0;
    dls_block blocks[CONTACTS];
    size_t n = 0;
    for (size_t k = 0; k < RANK; k++) {
      v[k] = gsl_ran_gaussian(rng, 1);
    }
    for (size_t k = 0; k < CONTACTS; k++) {
      blocks[k] = k % 3 == 0 ? (dls_block){DLS_HALF, 1, 0}
                             : (dls_block){DLS_ASSOCIATED, 2, 0.05 + gsl_rng_uniform(rng)};
      for (size_t i = 0; i < blocks[k].rows; i++, n++) {
        q[n] = i == 0 ? 0.3 * gsl_rng_uniform(rng) : 0;
        for (size_t j = 0; j < RANK; j++) {
          B[n][j] = gsl_ran_gaussian(rng, 1);
          q[n] += B[n][j] * v[j];
        }
      }
    }
    for (size_t i = 0; i < n * n; i++) {
      W[i] = 0;
      for (size_t j = 0; j < RANK; j++) {
        W[i] += B[i % n][j] * B[i / n][j];
      }
    }
    dls_error err = {0};
    dls_problem_solver *solver = NULL;
    dls_problem_report report;
    const dls_problem problem = {.count = CONTACTS, .blocks = blocks, .q = q, .dense = W};
    assert_ok(dls_problem_create("auto", 1e-12, &solver, &err), err);
    assert_ok(dls_problem_solve(solver, &problem, r, u, &report, &err), err);
    dls_problem_destroy(solver);
    assert_string_equal(report.stage[0].method, "interior-point");
    most = report.iterations > most ? report.iterations : most;
    for (size_t i = 0; i < n; i++) {
      work += r[i] * u[i];
      size = fmax(size, fabs(q[i]));
    }
    assert_close(work, 0, 1e-12 * size);
    for (size_t k = 0, a = 0; k < CONTACTS; a += blocks[k++].rows) {
      const bool rough = blocks[k].rows == 2;
      assert_true(u[a] - (rough ? blocks[k].mu * fabs(u[a + 1]) : 0) >= -1e-12 * size);
      assert_true((rough ? fabs(r[a + 1]) : 0) <= blocks[k].mu * r[a] + 1e-14 && r[a] >= 0);
    }
  }
  assert_between((double)most, 5, 22);
  gsl_rng_free(rng);
}

DLS_TEST(methods_of_coulombs_law_refuse)
{
  static const char *const others[] = {"one-contact", "lcp", "modes", "planar-lemke", "faceted"};
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  sample s = draw(rng, 2, 2, 4);
  for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
    dls_error err = {0};
    assert_int_equal(solve(&s, others[k], &err), DLS_ERR_NOT_APPLICABLE);
  }
  s.blocks[0].law = s.blocks[1].law = DLS_COULOMB;
  dls_error err = {0};
  assert_int_equal(solve(&s, "apgd", &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "not convex"));
  gsl_rng_free(rng);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_convex_method_finds_the_same_velocities),
      cmocka_unit_test(one_contact_is_a_projection),
      cmocka_unit_test(truncated_gradients_return_the_best),
      cmocka_unit_test(polyhedral_cones_have_their_own_interior_points),
      cmocka_unit_test(methods_of_coulombs_law_refuse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
