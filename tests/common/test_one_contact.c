/* test_one_contact.c -- one contact with Coulomb's law: random problems by the hundred thousand, judged by the law itself, and
 * the borders of open, stick and slip.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "contact_law.h"
#include <math.h>
#include <string.h>

enum { MANY = 100000 };

static dls_problem_solver *create(const char *method)
{
  dls_problem_solver *solver = NULL;
  dls_error err = {0};
  assert_ok(dls_problem_create(method, 1e-12, &solver, &err), err);
  return solver;
}

/* Residual and law to 1e-13 on all of them; how many had more than one solution. */
static size_t solve_many(const char *method, size_t d)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *solver = create(method);
  size_t several = 0;
  gsl_rng_set(rng, 10 + d);
  for (int k = 0; k < MANY; k++) {
    const one_contact c = one_contact_random(rng, d);
    dls_block block;
    const dls_problem problem = one_contact_problem(&c, &block);
    double r[3] = {0}, u[3];
    dls_problem_report report;
    dls_error err = {0};
    assert_ok(dls_problem_solve(solver, &problem, r, u, &report, &err), err);
    assert_between(report.residual, 0, 1e-13);
    assert_between(one_contact_violation(&c, r, u), -1, 1e-13);
    several += report.solutions > 1;
  }
  dls_problem_destroy(solver);
  gsl_rng_free(rng);
  return several;
}

DLS_TEST(every_random_contact_has_a_solution_that_obeys_the_law)
{
  for (size_t d = 2; d <= 3; d++) {
    solve_many("auto", d);
  }
}

/* In the plane a definite W has one solution; in space some problems have three. */
DLS_TEST(solutions_are_counted)
{
  assert_int_equal(solve_many("one-contact", 2), 0);
  assert_between((double)solve_many("one-contact", 3), 100, 1000);
}

/* All solutions that are named solve the problem, and are told apart. */
DLS_TEST(each_of_several_solutions_obeys_the_law)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  size_t seen = 0;
  for (int k = 0; k < MANY; k++) {
    const one_contact c = one_contact_random(rng, 3);
    double r[3 * DLS_ONE_CONTACT_MOST];
    const size_t count = dls_one_contact(3, c.W, c.q, c.mu, r);
    assert_true(count >= 1);
    for (size_t s = 0; count > 1 && s < count; s++) {
      double u[3];
      for (size_t i = 0; i < 3; i++) {
        u[i] = c.q[i] + c.W[i] * r[3 * s] + c.W[i + 3] * r[3 * s + 1] + c.W[i + 6] * r[3 * s + 2];
      }
      assert_between(one_contact_violation(&c, r + 3 * s, u), -1, 1e-12);
      assert_true(s == 0 || memcmp(r + 3 * s, r + 3 * s - 3, 3 * sizeof *r) != 0);
    }
    seen += count > 1;
  }
  gsl_rng_free(rng);
  assert_true(seen > 50);
}

DLS_TEST(planar_answers_equal_those_of_enumeration)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *exact = create("auto"), *modes = create("modes"), *lemke = create("planar-lemke");
  dls_problem_solver *const others[] = {modes, lemke};
  for (int k = 0; k < MANY / 10; k++) {
    one_contact c = one_contact_random(rng, 2);
    c.W[0] += 0.1;
    c.W[3] += 0.1;
    dls_block block;
    const dls_problem problem = one_contact_problem(&c, &block);
    double r[2] = {0}, other[2];
    dls_error err = {0};
    assert_ok(dls_problem_solve(exact, &problem, r, NULL, NULL, &err), err);
    for (int m = 0; m < 2; m++) {
      other[0] = other[1] = 0;
      assert_ok(dls_problem_solve(others[m], &problem, other, NULL, NULL, &err), err);
      assert_close(other[0], r[0], 1e-10 * (fabs(r[0]) + fabs(r[1])));
      assert_close(other[1], r[1], 1e-10 * (fabs(r[0]) + fabs(r[1])));
    }
  }
  dls_problem_destroy(exact);
  dls_problem_destroy(modes);
  dls_problem_destroy(lemke);
  gsl_rng_free(rng);
}

/* A contact that would stick with |r_T| = (1 + beyond) mu r_N; W of condition 10 or so. */
static one_contact at_the_border_of_stick(gsl_rng *rng, size_t d, double beyond, double *r)
{
  one_contact c = one_contact_random(rng, d);
  const double angle = 6.28 * gsl_rng_uniform(rng), tangential = c.mu * (1 + beyond);
  r[0] = 1;
  r[1] = d == 2 ? (angle < 3.14 ? tangential : -tangential) : tangential * cos(angle);
  r[2] = tangential * sin(angle);
  for (size_t i = 0; i < d; i++) {
    c.W[i * (d + 1)] += 2 * (1 + c.mu) * (double)d; /* so that the solution is unique */
    c.q[i] = 0;
  }
  for (size_t k = 0; k < d * d; k++) {
    c.q[k % d] -= c.W[k] * r[k / d];
  }
  return c;
}

/* 1e-12 before the border it sticks, 1e-12 behind it slips, and r is the same but for that. */
DLS_TEST(stick_gives_way_to_slip_within_1e_12)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *solver = create("auto");
  for (int k = 0; k < 4000; k++) {
    const size_t d = k % 2 == 0 ? 2 : 3;
    const double beyond = k % 4 < 2 ? -1e-12 : 1e-12;
    double expected[3], r[3] = {0}, u[3];
    const one_contact c = at_the_border_of_stick(rng, d, beyond, expected);
    dls_block block;
    const dls_problem problem = one_contact_problem(&c, &block);
    dls_problem_report report;
    dls_error err = {0};
    assert_ok(dls_problem_solve(solver, &problem, r, u, &report, &err), err);
    assert_between(report.residual, 0, 1e-13);
    for (size_t i = 0; i < d; i++) {
      assert_close(r[i], expected[i], 1e-11 * (1 + c.mu));
    }
    const double rT = d == 2 ? fabs(r[1]) : hypot(r[1], r[2]);
    const double excess = rT / (c.mu * r[0]) - 1;
    assert_between(excess, beyond < 0 ? -1.5e-12 : -1e-14, beyond < 0 ? -0.5e-12 : 1e-14);
  }
  dls_problem_destroy(solver);
  gsl_rng_free(rng);
}

DLS_TEST(contact_opens_within_1e_12)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *solver = create("auto");
  for (int k = 0; k < 4000; k++) {
    one_contact c = one_contact_random(rng, k % 2 == 0 ? 2 : 3);
    dls_block block;
    const dls_problem problem = one_contact_problem(&c, &block);
    double r[3] = {0}, u[3];
    dls_problem_report report;
    dls_error err = {0};
    c.q[0] = k % 4 < 2 ? 1e-12 : -1e-12;
    assert_ok(dls_problem_solve(solver, &problem, r, u, &report, &err), err);
    assert_between(report.residual, 0, 1e-13);
    if (c.q[0] > 0) {
      assert_true(r[0] == 0 && r[1] == 0 && (c.d == 2 || r[2] == 0));
    } else {
      assert_true(r[0] > 0);
    }
  }
  dls_problem_destroy(solver);
  gsl_rng_free(rng);
}

/* A ball pressed on the ground with n . W t = 0: the closed forms, mu = 0 and a guess that does not matter. */
DLS_TEST(simple_contact_has_the_closed_form)
{
  dls_problem_solver *solver = create("auto");
  const double W[9] = {2, 0, 0, 0, 4, 0, 0, 0, 4};
  const struct {
    double q[3], mu, r[3];
  } cases[] = {
      {{1, 5, 5}, 0.5, {0, 0, 0}},              /* opens */
      {{-2, 0.3, -0.4}, 0.5, {1, -0.075, 0.1}}, /* sticks: |r_T| = 0.125 < 0.5 */
      {{-2, 3, -4}, 0.5, {1, -0.3, 0.4}},       /* slips: r_T = -mu r_N (3, -4) / 5 */
      {{-2, 3, -4}, 0, {1, 0, 0}},              /* no friction */
      {{-2, 0, 0}, 0.5, {1, 0, 0}},             /* nothing tangential */
      {{0, 3, -4}, 0.5, {0, 0, 0}},             /* touches without pressing */
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const dls_block block = {DLS_COULOMB, 3, cases[k].mu};
    const dls_problem problem = {.count = 1, .blocks = &block, .q = cases[k].q, .dense = W};
    double r[3] = {7, -7, 7};
    dls_error err = {0};
    assert_ok(dls_problem_solve(solver, &problem, r, NULL, NULL, &err), err);
    for (size_t i = 0; i < 3; i++) {
      assert_close(r[i], cases[k].r[i], 1e-15);
    }
  }
  dls_problem_destroy(solver);
}

/* Of three solutions the slip nearest to the guess is taken. */
DLS_TEST(guess_selects_among_several_slips)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *solver = create("auto");
  size_t tried = 0;
  for (int k = 0; k < MANY; k++) {
    const one_contact c = one_contact_random(rng, 3);
    double all[3 * DLS_ONE_CONTACT_MOST];
    const size_t count = dls_one_contact(3, c.W, c.q, c.mu, all);
    const double *last = all + 3 * (count - 1);
    double stick = 0;
    for (size_t s = 0; s < count; s++) { /* all of them slip? */
      const double *r = all + 3 * s;
      stick = fmax(stick, fabs(hypot(r[1], r[2]) - c.mu * r[0]) - 1e-9 * c.mu * r[0]);
    }
    if (count < 2 || stick > 0 || c.q[0] >= 0) {
      continue;
    }
    dls_block block;
    const dls_problem problem = one_contact_problem(&c, &block);
    double cold[3] = {0}, warm[3] = {last[0], last[1], last[2]};
    dls_error err = {0};
    assert_ok(dls_problem_solve(solver, &problem, cold, NULL, NULL, &err), err);
    assert_ok(dls_problem_solve(solver, &problem, warm, NULL, NULL, &err), err);
    assert_close(cold[0], all[0], 1e-12 * all[0]); /* the smallest */
    assert_close(warm[0], last[0], 1e-12 * last[0]);
    tried++;
  }
  assert_true(tried > 0);
  dls_problem_destroy(solver);
  gsl_rng_free(rng);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_random_contact_has_a_solution_that_obeys_the_law),
      cmocka_unit_test(solutions_are_counted),
      cmocka_unit_test(each_of_several_solutions_obeys_the_law),
      cmocka_unit_test(planar_answers_equal_those_of_enumeration),
      cmocka_unit_test(stick_gives_way_to_slip_within_1e_12),
      cmocka_unit_test(contact_opens_within_1e_12),
      cmocka_unit_test(simple_contact_has_the_closed_form),
      cmocka_unit_test(guess_selects_among_several_slips),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
