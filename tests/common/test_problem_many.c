/* test_problem_many.c -- piles of blocks with redundant contacts: solved with a certificate that does not depend on units.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "block_piles.h"
#include "check.h"
#include "fallbacks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct result {
  double *r, *u;
  dls_problem_report report;
  dls_status status;
} result;

static dls_problem_solver *create(const char *method)
{
  dls_problem_solver *solver = NULL;
  dls_error err = {0};
  assert_ok(dls_problem_create(method, 1e-12, &solver, &err), err);
  return solver;
}

static result solve(dls_problem_solver *solver, const pile *p)
{
  const dls_problem problem = pile_problem(p);
  result s = {.r = calloc(p->d * p->contacts, sizeof(double)), .u = calloc(p->d * p->contacts, sizeof(double))};
  s.status = dls_problem_solve(solver, &problem, s.r, s.u, &s.report, NULL);
  return s;
}

static void release(result *s)
{
  free(s->r);
  free(s->u);
}

/* Rows and columns of a pile of at most about 100 contacts. */
static pile random_pile(gsl_rng *rng, pile_kind kind, size_t d)
{
  static const double kicks[3] = {0, 0.01, 1};
  const size_t rows = kind == PILE_COLUMN ? 2 + gsl_rng_uniform_int(rng, 20) : 2 + gsl_rng_uniform_int(rng, 4);
  const size_t columns = kind == PILE_COLUMN ? 1 : 2 + gsl_rng_uniform_int(rng, d == 2 ? 4 : 2);
  return pile_create(kind, d, rows, columns, kicks[gsl_rng_uniform_int(rng, 3)], rng);
}

/* 99 of 100 are solved: residual <= 1e-12 recomputed; the others say so. */
DLS_TEST(piles_up_to_100_contacts_are_solved)
{
  enum { TRIALS = 20 };
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *solver = create(NULL);
  size_t solved = 0, total = 0, largest = 0;
  for (pile_kind kind = 0; kind < PILE_KINDS; kind++) {
    for (size_t k = 0; k < 2 * TRIALS; k++, total++) {
      pile p = random_pile(rng, kind, 2 + k % 2);
      const dls_problem problem = pile_problem(&p);
      result s = solve(solver, &p);
      dls_problem_report again;
      dls_error err = {0};
      assert_ok(dls_problem_judge(solver, &problem, s.r, s.u, &again, &err), err);
      assert_true(again.residual == s.report.residual);
      assert_true((s.status == DLS_OK) == (again.residual <= 1e-12));
      solved += s.status == DLS_OK;
      largest = p.contacts > largest ? p.contacts : largest;
      release(&s);
      pile_destroy(&p);
    }
  }
  assert_between((double)solved, ceil(0.99 * (double)total), (double)total);
  assert_between((double)largest, 60, 120);
  dls_problem_destroy(solver);
  gsl_rng_free(rng);
}

/* Mass, length and time 1e6 and 1e-6 times as large. */
DLS_TEST(residuals_do_not_depend_on_units)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *solver = create(NULL);
  for (pile_kind kind = 0; kind < PILE_KINDS; kind++) {
    for (int unit = 0; unit < 6; unit++) {
      pile p = random_pile(rng, kind, 2 + (size_t)unit % 2);
      result s = solve(solver, &p);
      const double factor = unit < 3 ? 1e6 : 1e-6;
      pile_rescale(&p, unit % 3 == 0 ? factor : 1, unit % 3 == 1 ? factor : 1, unit % 3 == 2 ? factor : 1);
      result t = solve(solver, &p);
      const double a = s.report.residual, b = t.report.residual;
      assert_true((a < 1e-14 && b < 1e-14) || (a < 10 * b && b < 10 * a));
      assert_int_equal(s.status, t.status);
      release(&s);
      release(&t);
      pile_destroy(&p);
    }
  }
  dls_problem_destroy(solver);
  gsl_rng_free(rng);
}

/* The answer as guess costs one look at it. */
DLS_TEST(warm_start_is_taken)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *solver = create(NULL);
  pile p = pile_create(PILE_WALL, 3, 3, 3, 0.01, rng);
  const dls_problem problem = pile_problem(&p);
  result s = solve(solver, &p);
  assert_int_equal(s.status, DLS_OK);
  dls_error err = {0};
  const size_t cold = s.report.iterations;
  assert_ok(dls_problem_solve(solver, &problem, s.r, s.u, &s.report, &err), err);
  assert_true(cold > 5 && s.report.iterations <= 2 && s.report.stages == 1);
  release(&s);
  pile_destroy(&p);
  dls_problem_destroy(solver);
  gsl_rng_free(rng);
}

/* Sweeps alone either get there or say how far they got; nothing in between. */
DLS_TEST(sweeps_alone_tell_when_they_stall)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *solver = create("nsgs");
  size_t failed = 0;
  for (int k = 0; k < 6; k++) {
    pile p = pile_create(PILE_COLUMN, 2, 30, 1, 0.01, rng);
    result s = solve(solver, &p);
    assert_true(s.status == DLS_OK ? s.report.residual <= 1e-12 : s.status == DLS_ERR_NOCONV);
    assert_true(s.report.residual < 1e-2);
    failed += s.status != DLS_OK;
    release(&s);
    pile_destroy(&p);
  }
  assert_true(failed > 0); /* a column of 30 is more than sweeps can do */
  dls_problem_destroy(solver);
  gsl_rng_free(rng);
}

/* An array or a sparse matrix: the same problem. */
DLS_TEST(storage_does_not_matter)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *solver = create(NULL);
  pile p = pile_create(PILE_PYRAMID, 2, 4, 4, 0.01, rng);
  const size_t n = 2 * p.contacts;
  double *W = malloc(n * n * sizeof *W), *r = calloc(n, sizeof *r), *u = malloc(n * sizeof *u);
  for (size_t k = 0; k < n * n; k++) {
    W[k] = dls_matrix_get(p.W, k % n, k / n);
  }
  result s = solve(solver, &p);
  assert_string_equal(s.report.structure, "sparse");
  dls_problem problem = pile_problem(&p);
  dls_problem_report report;
  dls_error err = {0};
  problem.matrix = NULL;
  problem.dense = W;
  assert_ok(dls_problem_solve(solver, &problem, r, u, &report, &err), err);
  assert_string_equal(report.structure, "dense");
  /* forces and velocities of redundant contacts may differ: each answer solves the other's problem */
  assert_ok(dls_problem_judge(solver, &problem, s.r, u, &report, &err), err);
  assert_between(report.residual, 0, 2e-14);
  const dls_problem sparse = pile_problem(&p);
  assert_ok(dls_problem_judge(solver, &sparse, r, u, &report, &err), err);
  assert_between(report.residual, 0, 2e-14);
  release(&s);
  pile_destroy(&p);
  free(W);
  free(r);
  free(u);
  dls_problem_destroy(solver);
  gsl_rng_free(rng);
}

/* Newton's steps by the bodies solve the same problems; each answer is judged with W. */
DLS_TEST(bodies_make_the_same_steps)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *solver = create(NULL);
  for (size_t k = 0; k < 12; k++) {
    pile p = pile_create((pile_kind)(k % PILE_KINDS), 2 + k / 3 % 2, 4, 3, k < 6 ? 0.01 : 1, rng);
    const size_t n = p.d * p.contacts;
    double *r = calloc(n, sizeof *r), *u = calloc(n, sizeof *u);
    const dls_problem problem = pile_problem(&p), of_bodies = pile_problem_of_bodies(&p);
    dls_problem_report report;
    dls_error err = {0};
    assert_ok(dls_problem_solve(solver, &of_bodies, r, u, &report, &err), err);
    assert_string_equal(report.structure, "bodies");
    assert_ok(dls_problem_judge(solver, &problem, r, u, &report, &err), err);
    assert_string_equal(report.structure, "sparse");
    assert_between(report.residual, 0, 1e-12);
    free(r);
    free(u);
    pile_destroy(&p);
  }
  dls_problem_destroy(solver);
  gsl_rng_free(rng);
}

/* So do those by the ranks of W, where W is all that is known: as few steps as by the bodies, up to what rounding changes. */
DLS_TEST(ranks_solve_what_bodies_solve)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *solver = create(NULL);
  for (size_t k = 0; k < 12; k++) {
    pile p = pile_create((pile_kind)(k % PILE_KINDS), 2 + k / 3 % 2, 10, 6, k < 6 ? 0 : 0.01, rng);
    const size_t n = p.d * p.contacts;
    double *r = calloc(n, sizeof *r);
    const dls_problem of_bodies = pile_problem_of_bodies(&p);
    dls_problem_report report;
    dls_error err = {0};
    assert_ok(dls_problem_solve(solver, &of_bodies, r, NULL, &report, &err), err);
    result s = solve(solver, &p);
    assert_int_equal(s.status, DLS_OK);
    assert_between(s.report.residual, 0, 1e-12);
    assert_between((double)s.report.iterations, 0.3 * (double)report.iterations,
                   3 * (double)report.iterations + 20);
    release(&s);
    free(r);
    pile_destroy(&p);
  }
  dls_problem_destroy(solver);
  gsl_rng_free(rng);
}

/* About 2000 contacts in the plane: walls and pyramids, at rest, disturbed and thrown about. What each part of the method
 * came to adds up to the answer. */
DLS_TEST(large_piles_are_solved)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *solver = create(NULL);
  static const double kicks[] = {0, 0.01, 1};
  for (size_t k = 0; k < 5; k++) {
    const pile_kind kind = k % 2 == 0 ? PILE_WALL : PILE_PYRAMID;
    const size_t d = 2, side = (d == 2 ? 22 : 16) + (kind == PILE_PYRAMID ? 8 : 0);
    pile p = pile_create(kind, d, side, side, kicks[k / 2], rng);
    double *r = calloc(d * p.contacts, sizeof *r), *u = calloc(d * p.contacts, sizeof *u);
    const dls_problem problem = pile_problem_of_bodies(&p);
    dls_problem_report report;
    dls_error err = {0};
    assert_between((double)p.contacts, 1700, 2400);
    assert_ok(dls_problem_solve(solver, &problem, r, NULL, &report, &err), err);
    size_t iterations = 0;
    double least = HUGE_VAL;
    for (size_t s = 0; s < report.stages; s++) {
      iterations += report.stage[s].iterations;
      least = fmin(least, report.stage[s].residual);
    }
    assert_string_equal(report.stage[0].method, "interior-point");
    assert_true(iterations > 0 && iterations == report.iterations);
    assert_true(least == report.residual);
    assert_ok(dls_problem_judge(solver, &problem, r, u, &report, &err), err);
    assert_between(report.residual, 0, 1e-12);
    free(r);
    free(u);
    pile_destroy(&p);
  }
  dls_problem_destroy(solver);
  gsl_rng_free(rng);
}

/* Thrown about in space, where most contacts slide: proximal points alone, from nothing, find what Newton from nothing does
 * not. */
DLS_TEST(proximal_points_solve_thrown_piles)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *solver = create("proximal-point"), *newton = create("alart-curnier");
  size_t failed = 0;
  for (size_t k = 0; k < 4; k++) {
    pile p = pile_create(k % 2 == 0 ? PILE_WALL : PILE_PYRAMID, 3, 7, 8, k < 2 ? 1 : 0.01, rng);
    const size_t n = p.d * p.contacts;
    double *r = calloc(n, sizeof *r), *u = calloc(n, sizeof *u);
    const dls_problem problem = pile_problem_of_bodies(&p);
    dls_problem_report report;
    dls_error err = {0};
    assert_ok(dls_problem_solve(solver, &problem, r, NULL, &report, &err), err);
    assert_string_equal(report.method, "proximal-point");
    assert_ok(dls_problem_judge(solver, &problem, r, u, &report, &err), err);
    assert_between(report.residual, 0, 1e-14);
    memset(r, 0, n * sizeof *r);
    failed += dls_problem_solve(newton, &problem, r, NULL, &report, NULL) != DLS_OK;
    free(r);
    free(u);
    pile_destroy(&p);
  }
  assert_true(failed > 0);
  dls_problem_destroy(solver);
  dls_problem_destroy(newton);
  gsl_rng_free(rng);
}

static dls_fallbacks taken_over; /* of the last report_of */

/* The pile of that kind and size by auto, drawn from the seed. */
static dls_problem_report report_of(pile_kind kind, size_t d, double contacts, double kick, unsigned long seed)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *solver = create(NULL);
  dls_problem_report report;
  dls_error err = {0};
  taken_over = (dls_fallbacks){0};
  dls_problem_count_fallbacks(solver, &taken_over);
  gsl_rng_set(rng, seed);
  pile p = pile_of_size(kind, d, contacts, kick, rng);
  const dls_problem problem = pile_problem_of_bodies(&p);
  double *r = calloc(d * p.contacts, sizeof *r);
  assert_ok(dls_problem_solve(solver, &problem, r, NULL, &report, &err), err);
  free(r);
  dls_problem_destroy(solver);
  pile_destroy(&p);
  gsl_rng_free(rng);
  return report;
}

/* Where rounding makes their steps short they leave the rest to Newton: 10 of them instead of 24 or 26. */
DLS_TEST(interior_points_end_where_rounding_holds_them_up)
{
  static const double contacts[] = {100, 562};
  static const unsigned long seeds[] = {78, 132};
  for (size_t k = 0; k < 2; k++) {
    const dls_problem_report report = report_of(PILE_PYRAMID, 3, contacts[k], 0, seeds[k]);
    assert_string_equal(report.stage[0].method, "interior-point");
    assert_between((double)report.stage[0].iterations, 5, 16);
    assert_between(report.stage[0].residual, 0, 1e-10);
  }
}

/* What interior points and Newton leave, proximal points solve before sweeps begin. */
static bool never(void *data)
{
  ++*(size_t *)data;
  return false;
}

DLS_TEST(every_method_ends_when_it_is_not_to_go_on)
{
  static const char *const methods[] = {"auto",           "nsgs",           "alart-curnier",
                                        "interior-point", "proximal-point", "modes"};
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    dls_problem_solver *solver = create(methods[k]);
    pile p = pile_create(PILE_COLUMN, 2, strcmp(methods[k], "modes") == 0 ? 3 : 8, 1, 1, rng);
    size_t asked = 0;
    dls_problem_set_interrupt(solver, &(dls_interrupt_poll){never, &asked});
    result s = solve(solver, &p);
    assert_int_equal(s.status, DLS_ERR_INTERRUPTED);
    assert_int_equal(asked, 1);
    release(&s);
    dls_problem_set_interrupt(solver, NULL);
    s = solve(solver, &p);
    assert_int_equal(s.status, DLS_OK);
    release(&s);
    pile_destroy(&p);
    dls_problem_destroy(solver);
  }
  gsl_rng_free(rng);
}

DLS_TEST(auto_has_proximal_points_behind_newton)
{
  static const unsigned long seeds[] = {159, 394};
  for (size_t k = 0; k < 2; k++) {
    const dls_problem_report report = report_of(PILE_WALL, 2 + k, 1000, 1, seeds[k]);
    assert_int_equal(report.stages, 3);
    assert_string_equal(report.stage[2].method, "proximal-point");
    assert_string_equal(report.method, "proximal-point");
    assert_int_equal(fallbacks_to(&taken_over, "alart-curnier"),
                     0); /* it finishes what interior points begin */
    assert_int_equal(fallbacks_to(&taken_over, "proximal-point"), 1);
    assert_int_equal(fallbacks_to(&taken_over, "interior-point"), 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(piles_up_to_100_contacts_are_solved),
      cmocka_unit_test(residuals_do_not_depend_on_units),
      cmocka_unit_test(warm_start_is_taken),
      cmocka_unit_test(sweeps_alone_tell_when_they_stall),
      cmocka_unit_test(storage_does_not_matter),
      cmocka_unit_test(bodies_make_the_same_steps),
      cmocka_unit_test(ranks_solve_what_bodies_solve),
      cmocka_unit_test(large_piles_are_solved),
      cmocka_unit_test(proximal_points_solve_thrown_piles),
      cmocka_unit_test(interior_points_end_where_rounding_holds_them_up),
      cmocka_unit_test(every_method_ends_when_it_is_not_to_go_on),
      cmocka_unit_test(auto_has_proximal_points_behind_newton),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
