/* test_problem.c -- contact problems with laws: known answers by every method, the certificate, what is refused.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "contact_law.h"
#include "lcp_problems.h"
#include <delassus/delassus_operator.h>
#include <float.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

enum { MOST = 24 };

typedef struct known {
  size_t count, n;
  dls_block blocks[8];
  double W[MOST * MOST], q[MOST], r[MOST];
} known;

static dls_problem_solver *create(const char *method)
{
  dls_problem_solver *solver = NULL;
  dls_error err = {0};
  assert_ok(dls_problem_create(method, 1e-12, &solver, &err), err);
  return solver;
}

static dls_problem problem_of(const known *k)
{
  return (dls_problem){.count = k->count, .blocks = k->blocks, .q = k->q, .dense = k->W};
}

/* W of condition 10 or so, well above what friction could turn round: the solution is unique. */
static void fill(known *k, gsl_rng *rng)
{
  for (size_t b = k->n = 0; b < k->count; b++) {
    k->n += k->blocks[b].rows;
  }
  for (size_t i = 0; i < k->n; i++) {
    for (size_t j = 0; j <= i; j++) {
      const double x = 0.1 * gsl_ran_gaussian(rng, 1);
      k->W[i + j * k->n] = k->W[j + i * k->n] = i == j ? 2 + x : x;
    }
  }
}

/* Open, stick and slip one after the other, with forces and velocities of about 1: q = u - W r. */
static void load(known *k, gsl_rng *rng)
{
  double u[MOST] = {0};
  memset(k->r, 0, sizeof k->r);
  for (size_t b = 0, a = 0; b < k->count; a += k->blocks[b++].rows) {
    const dls_block *block = &k->blocks[b];
    const size_t mode = gsl_rng_uniform_int(rng, 3);
    const double angle = 6.28 * gsl_rng_uniform(rng), size = 0.5 + gsl_rng_uniform(rng);
    for (size_t i = 0; block->law == DLS_FREE && i < block->rows; i++) {
      k->r[a + i] = gsl_ran_gaussian(rng, 1);
    }
    if (block->law != DLS_FREE) {
      k->r[a] = mode == 0 ? 0 : size;
      u[a] = mode == 0 ? size : 0;
    }
    for (size_t i = 1; block->law == DLS_COULOMB && i < block->rows; i++) {
      const double e = block->rows == 2 ? (angle < 3.14 ? 1 : -1) : i == 1 ? cos(angle) : sin(angle);
      k->r[a + i] = mode == 0 ? 0 : (mode == 1 ? 0.5 : 1) * block->mu * size * e;
      u[a + i] = mode == 1 ? 0 : -0.7 * e;
    }
  }
  for (size_t i = 0; i < k->n; i++) {
    k->q[i] = u[i];
    for (size_t j = 0; j < k->n; j++) {
      k->q[i] -= k->W[i + j * k->n] * k->r[j];
    }
  }
}

static void assert_solved(const char *method, const known *k, double tolerance)
{
  double r[MOST] = {0}, u[MOST];
  dls_problem_report report;
  dls_error err = {0};
  dls_problem_solver *solver = create(method);
  const dls_problem problem = problem_of(k);
  assert_ok(dls_problem_solve(solver, &problem, r, u, &report, &err), err);
  assert_between(report.residual, 0, 1e-12);
  for (size_t i = 0; i < k->n; i++) {
    assert_close(r[i], k->r[i], tolerance);
  }
  dls_problem_destroy(solver);
}

static void every_method_finds_the_answer(const dls_block *blocks, size_t count, const char *const *methods,
                                          unsigned long seed)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, seed);
  for (int trial = 0; trial < 50; trial++) {
    known k = {.count = count};
    memcpy(k.blocks, blocks, count * sizeof *blocks);
    fill(&k, rng);
    load(&k, rng);
    for (const char *const *m = methods; *m != NULL; m++) {
      assert_solved(*m, &k, 1e-10);
    }
  }
  gsl_rng_free(rng);
}

DLS_TEST(planar_contacts_have_the_known_answer)
{
  const dls_block blocks[] = {
      {DLS_COULOMB, 2, 0.3}, {DLS_COULOMB, 2, 0.8}, {DLS_COULOMB, 2, 0}, {DLS_COULOMB, 2, 0.5}};
  const char *const methods[] = {"auto",          "modes",          "planar-lemke", "nsgs",
                                 "alart-curnier", "proximal-point", "faceted",      NULL};
  every_method_finds_the_answer(blocks, 4, methods, 1);
}

DLS_TEST(contacts_in_space_have_the_known_answer)
{
  const dls_block blocks[] = {
      {DLS_COULOMB, 3, 0.3}, {DLS_COULOMB, 3, 0.8}, {DLS_COULOMB, 3, 0}, {DLS_COULOMB, 3, 0.5}};
  const char *const methods[] = {"auto", "nsgs", "alart-curnier", "interior-point", "proximal-point", NULL};
  every_method_finds_the_answer(blocks, 4, methods, 2);
}

/* Joints, contacts without friction and both kinds with it in one problem. */
DLS_TEST(laws_mix)
{
  const dls_block blocks[] = {{DLS_FREE, 3, 0},      {DLS_HALF, 1, 0}, {DLS_COULOMB, 3, 0.4},
                              {DLS_COULOMB, 2, 0.6}, {DLS_FREE, 1, 0}, {DLS_HALF, 1, 0}};
  const char *const any[] = {"auto", "nsgs", "alart-curnier", "interior-point", "proximal-point", NULL};
  const char *const planar[] = {"auto", "modes",         "planar-lemke",   "faceted",
                                "nsgs", "alart-curnier", "proximal-point", NULL};
  every_method_finds_the_answer(blocks, 6, any, 3);
  every_method_finds_the_answer(blocks + 3, 3, planar, 4);
}

DLS_TEST(contacts_without_friction_are_those_of_the_lcp)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *solver = create(NULL);
  dls_lcp_solver *lcp = lcp_create("auto");
  dls_block blocks[LCP_MAX];
  for (size_t n = 1; n <= 20; n++) {
    lcp_problem p;
    double r[LCP_MAX] = {0}, z[LCP_MAX], w[LCP_MAX];
    dls_problem_report report;
    dls_lcp_report expected;
    dls_error err = {0};
    lcp_definite(rng, n, &p);
    for (size_t k = 0; k < n; k++) {
      blocks[k] = (dls_block){DLS_HALF, 1, 0};
    }
    const dls_problem problem = {.count = n, .blocks = blocks, .q = p.b, .dense = p.W};
    assert_ok(dls_problem_solve(solver, &problem, r, NULL, &report, &err), err);
    assert_int_equal(lcp_solve(lcp, &p, z, w, &expected), DLS_OK);
    for (size_t k = 0; k < n; k++) {
      assert_close(r[k], z[k], 1e-12 * (1 + z[k]));
    }
  }
  dls_problem_destroy(solver);
  dls_lcp_destroy(lcp);
  gsl_rng_free(rng);
}

/* Eight facets are not a cone: friction between mu cos(pi/k) and mu, direction off by pi/k at most. */
DLS_TEST(facets_miss_by_their_angle)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, mu = 0.5;
  dls_error err = {0};
  dls_problem_solver *solver = create("faceted");
  for (size_t facets = 4; facets <= 32; facets *= 2) {
    double worst = 0, least = 1;
    const double step = 3.141592653589793 / (double)facets;
    assert_ok(dls_problem_facets(solver, facets, &err), err);
    for (int k = 0; k < 500; k++) {
      const double angle = 6.283185307179586 * gsl_rng_uniform(rng);
      const double q[3] = {-1, 5 * cos(angle), 5 * sin(angle)}; /* slips; r_N = 1 */
      const dls_block block = {DLS_COULOMB, 3, mu};
      const dls_problem problem = {.count = 1, .blocks = &block, .q = q, .dense = W};
      double r[3] = {0};
      dls_problem_report report;
      assert_int_equal(dls_problem_solve(solver, &problem, r, NULL, &report, &err), DLS_ERR_NOCONV);
      const double size = hypot(r[1], r[2]);
      const double off = acos(fmin(1, -(r[1] * q[1] + r[2] * q[2]) / (5 * size)));
      assert_between(size, mu * cos(step) - 1e-12, mu + 1e-12);
      assert_between(report.residual_abs, 1e-9, mu * step);
      worst = fmax(worst, off);
      least = fmin(least, off);
    }
    assert_between(worst, 0.8 * step, step + 1e-7);
  }
  assert_int_equal(dls_problem_facets(solver, 2, &err), DLS_ERR_OPTION);
  assert_string_equal(err.text, "facets = 2 is outside [3, 64]");
  dls_problem_destroy(solver);
  gsl_rng_free(rng);
}

/* The certificate of anything that is not the answer is as large as what is wrong, in m/s. */
DLS_TEST(certificate_sees_every_change_of_the_answer)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  known k = {.count = 4,
             .blocks = {{DLS_FREE, 2, 0}, {DLS_HALF, 1, 0}, {DLS_COULOMB, 3, 0.4}, {DLS_COULOMB, 2, 0.6}}};
  dls_problem_solver *solver = create(NULL);
  double u[MOST];
  dls_problem_report report;
  dls_error err = {0};
  for (int trial = 0; trial < 200; trial++) {
    fill(&k, rng);
    load(&k, rng);
    const dls_problem problem = problem_of(&k);
    assert_ok(dls_problem_judge(solver, &problem, k.r, u, &report, &err), err);
    assert_between(report.residual, 0, 1e-15);
    for (size_t i = 0; i < k.n; i++) {
      const double r = k.r[i];
      k.r[i] += trial % 2 == 0 ? 1e-6 : -1e-6;
      assert_ok(dls_problem_judge(solver, &problem, k.r, u, &report, &err), err);
      assert_between(report.residual_abs, 1e-7, 1e-5); /* W_ii is about 2 */
      k.r[i] = r;
    }
  }
  dls_problem_destroy(solver);
  gsl_rng_free(rng);
}

/* u_N + mu |u_T|, not u_N: a contact that slips at 3 m/s with u_N = 0, r against it, satisfies the law; the same with r along
 * the slip, off the cone, lifted, or pulled does not, by amounts that are written down. */
DLS_TEST(certificate_is_that_of_the_law)
{
  const double W[4] = {1, 0, 0, 1};
  const dls_block block = {DLS_COULOMB, 2, 0.5};
  const struct {
    double r[2], u[2], wrong; /* |f|, rho = 1 */
  } cases[] = {
      {{2, -1}, {0, 3}, 0},
      {{2, 1}, {0, 3}, 1.7888543819998317}, /* r - rho u~ = (0.5, -2): projected to (1.2, -0.6) */
      {{2, 0}, {0, 0}, 0},
      {{2, 0}, {0.5, 0}, 0.5},
      {{0, 0}, {-0.5, 0}, 0.5},
      {{-0.25, 0}, {1, 0}, 0.25},
      {{0, 0}, {1, 5}, 0},
  };
  dls_problem_solver *solver = create(NULL);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const double *r = cases[k].r, q[2] = {cases[k].u[0] - r[0], cases[k].u[1] - r[1]};
    const dls_problem problem = {.count = 1, .blocks = &block, .q = q, .dense = W};
    double u[2];
    dls_problem_report report;
    dls_error err = {0};
    assert_ok(dls_problem_judge(solver, &problem, r, u, &report, &err), err);
    assert_close(report.residual_abs, cases[k].wrong, 1e-15);
  }
  dls_problem_destroy(solver);
}

/* The rounding of mu |u_T| where mu is huge excuses this product of this contact: not another contact that is 1e-3 off, nor a
 * contact that is itself pressed in at 1e-3 m/s. Guesses that are, are not taken; a first look would otherwise end the sweeps. */
DLS_TEST(huge_friction_excuses_nothing_else)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *solver = create("nsgs");
  for (int trial = 0; trial < 200; trial++) {
    known k = {.count = 2, .blocks = {{DLS_COULOMB, 3, trial % 2 == 0 ? 1e14 : 1e6}, {DLS_COULOMB, 3, 0.5}}};
    const size_t wrong = trial < 100 ? 3 : 0; /* normal row of the other contact, of its own */
    fill(&k, rng);
    double r[6] = {1, 0.3, -0.2, 1, 0.2, 0.1}, u[6];
    for (size_t i = 0; i < k.n; i++) { /* both stick */
      for (size_t j = 0; j < k.n; j++) {
        k.q[i] -= k.W[i + j * k.n] * r[j];
      }
    }
    const dls_problem problem = problem_of(&k);
    dls_problem_report report;
    dls_error err = {0};
    r[wrong] -= 1e-3;
    assert_ok(dls_problem_solve(solver, &problem, r, u, &report, &err), err);
    assert_true(report.iterations > 0);
    assert_between(report.residual, 0, 1e-12);
    for (size_t i = 0; i < k.n; i++) {
      assert_between(fabs(u[i]), 0, 1e-11);
    }
  }
  dls_problem_destroy(solver);
  gsl_rng_free(rng);
}

/* What mu |u_T| says beyond the rounding of u_T counts: a slip of 1e-9 m/s where mu = 1e6 is an error of 1e-3 m/s. */
DLS_TEST(huge_friction_is_judged_beyond_rounding)
{
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, r[3] = {1, 0.25, 0};
  const struct {
    double mu, slip, wrong;
  } cases[] = {{1e6, 1e-9, 1e-3}, {1e6, 1e-15, 0}, {1e14, 1e-15, 0}, {1e14, 4e-15, 0.2}, {0.5, 1e-15, 0}};
  dls_problem_solver *solver = create(NULL);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const dls_block block = {DLS_COULOMB, 3, cases[k].mu};
    const double q[3] = {-1, -0.25, cases[k].slip};
    const dls_problem problem = {.count = 1, .blocks = &block, .q = q, .dense = W};
    double u[3];
    dls_problem_report report;
    dls_error err = {0};
    assert_ok(dls_problem_judge(solver, &problem, r, u, &report, &err), err);
    assert_close(report.residual_abs, cases[k].wrong, 1e-14 + 0.1 * cases[k].wrong);
  }
  dls_problem_destroy(solver);
}

/* Whatever mu is, a contact closes no further and one that opens has no force: the projection on a cone that is nearly a
 * half-space sees neither. And no method takes such a guess. */
DLS_TEST(huge_friction_hides_no_closing_contact)
{
  static const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, mus[] = {0.5, 1e3, 1e6, 1e12};
  static const char *const methods[] = {"auto",          "one-contact",    "nsgs",
                                        "alart-curnier", "interior-point", "proximal-point"};
  dls_error err = {0};
  double u[3];
  dls_problem_report report;
  for (size_t k = 0; k < sizeof mus / sizeof *mus; k++) {
    const dls_block block = {DLS_COULOMB, 3, mus[k]};
    const double closing[3] = {-0.25, 0.1, 0}, open[3] = {0.25, 1, 0}, force[3] = {1 / mus[k], -1, 0};
    const dls_problem problem = {.count = 1, .blocks = &block, .q = closing, .dense = W},
                      opens = {.count = 1, .blocks = &block, .q = open, .dense = W};
    dls_problem_solver *solver = create(NULL);
    assert_ok(dls_problem_judge(solver, &problem, (const double[3]){0}, u, &report, &err), err);
    assert_between(report.residual_abs, 0.25, 0.26);
    assert_ok(dls_problem_judge(solver, &opens, force, u, &report, &err), err);
    assert_between(report.residual_abs, 0.25, 2.5);
    dls_problem_destroy(solver);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
      double r[3] = {0};
      solver = create(methods[m]);
      assert_ok(dls_problem_solve(solver, &problem, r, u, &report, &err), err);
      assert_close(r[0], 0.25, 1e-12);
      assert_close(r[1], -0.1, 1e-12);
      dls_problem_destroy(solver);
    }
  }
}

/* Two walls that close in on a block from both sides: no velocity does, and no method says that one was found. */
DLS_TEST(problem_without_solution_is_not_solved)
{
  const double W[16] = {1, 0, -1, 0, 0, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, 1}, q[4] = {-1, 0.1, -1, 0.1};
  const dls_block blocks[2] = {{DLS_COULOMB, 2, 0.3}, {DLS_COULOMB, 2, 0.3}};
  const dls_problem problem = {.count = 2, .blocks = blocks, .q = q, .dense = W};
  const char *const methods[] = {"auto",          "modes",          "planar-lemke", "nsgs",
                                 "alart-curnier", "proximal-point", "faceted"};
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    dls_problem_solver *solver = create(methods[m]);
    double r[4] = {0}, u[4];
    dls_problem_report report;
    dls_error err = {0};
    const dls_status status = dls_problem_solve(solver, &problem, r, u, &report, &err);
    assert_true(status == DLS_ERR_LCP || status == DLS_ERR_NOCONV);
    assert_true(report.residual > 1e-12 || report.residual_abs > 0.5);
    assert_non_null(strstr(err.text, "best residual"));
    dls_problem_destroy(solver);
  }
}

static void assert_refused(const dls_problem *problem, const char *method, dls_status expected,
                           const char *text)
{
  double r[MOST] = {0};
  dls_error err = {0};
  dls_problem_solver *solver = create(method);
  assert_int_equal(dls_problem_solve(solver, problem, r, NULL, NULL, &err), expected);
  assert_string_equal(err.text, text);
  dls_problem_destroy(solver);
}

DLS_TEST(bad_problems_are_refused)
{
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0, 0}, nan_q[3] = {-1, NAN, 0};
  const double bad[9] = {1, 0, 0, 0, INFINITY, 0, 0, 0, 1};
  const dls_block good = {DLS_COULOMB, 3, 0.5}, negative = {DLS_COULOMB, 3, -0.5}, one = {DLS_COULOMB, 1, 0.5};
  const dls_block wide = {DLS_HALF, 2, 0}, unknown = {(dls_block_law)7, 1, 0};
  const dls_problem problem = {.count = 1, .blocks = &good, .q = q, .dense = W};
  dls_problem p = problem;
  p.blocks = &negative;
  assert_refused(&p, NULL, DLS_ERR_ARG, "contact problem: block 0 has mu = -0.5; allowed: finite, >= 0");
  p.blocks = &one;
  assert_refused(&p, NULL, DLS_ERR_ARG, "contact problem: block 0 (coulomb) has 1 rows; allowed: 2 to 3");
  p.blocks = &wide;
  assert_refused(&p, NULL, DLS_ERR_ARG, "contact problem: block 0 (half) has 2 rows; allowed: 1 to 1");
  p.blocks = &unknown;
  assert_refused(&p, NULL, DLS_ERR_ARG, "contact problem: block 0 has an unknown law 7");
  p = problem;
  p.q = nan_q;
  assert_refused(&p, NULL, DLS_ERR_NONFINITE, "contact problem: q[1] = nan is not finite");
  p = problem;
  p.dense = bad;
  assert_refused(&p, NULL, DLS_ERR_NONFINITE, "contact problem: W[1,1] = inf is not finite");
  p.dense = NULL;
  assert_refused(&p, NULL, DLS_ERR_ARG, "contact problem: W is given 0 times; it must be given once");
  assert_refused(&problem, "modes", DLS_ERR_NOT_APPLICABLE,
                 "method 'modes' does not apply to this contact problem: some contacts are in space");
  assert_refused(
      &problem, "lcp", DLS_ERR_NOT_APPLICABLE,
      "method 'lcp' does not apply to this contact problem: some blocks are not frictionless contacts");
}

/* A contact in the plane that may open, stick or slip, mu > W_NN / |W_NT|; copies that know nothing of each other multiply that,
 * and a copy at the same place, redundant, changes nothing: u is one of the same three. */
DLS_TEST(solutions_are_counted_where_that_can_be_told)
{
  const double own[4] = {1, -0.9, -0.9, 1}, load[2] = {0.3420201433256688, -0.9396926207859084};
  const double sizes[] = {1, 0.7, 1.3}; /* of the rows: what copies say differs by rounding */
  const size_t expected[] = {1, 3, 9, 27};
  dls_problem_solver *solver = create(NULL);
  dls_error err = {0};
  size_t solutions = 99;
  for (size_t coupled = 0; coupled < 2; coupled++) {
    for (size_t count = 0; count <= 3; count++) {
      known k = {.count = count, .n = 2 * count};
      for (size_t b = 0; b < count; b++) {
        k.blocks[b] = (dls_block){DLS_COULOMB, 2, 1.5};
        for (size_t e = 0; e < 4 * count; e++) {
          const size_t c = e / 4;
          k.W[2 * b + e % 2 + k.n * (2 * c + e % 4 / 2)] =
              coupled || b == c ? sizes[b] * sizes[c] * own[e % 4] : 0;
        }
        k.q[2 * b] = sizes[b] * load[0];
        k.q[2 * b + 1] = sizes[b] * load[1];
      }
      const dls_problem problem = problem_of(&k);
      assert_ok(dls_problem_count(solver, &problem, &solutions, &err), err);
      assert_int_equal(solutions, expected[coupled && count > 1 ? 1 : count]);
    }
  }
  const double identity[36] = {[0] = 1, [7] = 1, [14] = 1, [21] = 1, [28] = 1, [35] = 1},
               q[6] = {-1, 3, -4, -1};
  const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const dls_block space[2] = {{DLS_COULOMB, 3, 0.5}, {DLS_COULOMB, 3, 0.5}};
  const dls_problem single = {.count = 1, .blocks = space, .q = q, .dense = one};
  assert_ok(dls_problem_count(solver, &single, &solutions, &err), err);
  assert_int_equal(solutions, 1);
  const dls_problem two = {.count = 2, .blocks = space, .q = q, .dense = identity};
  assert_ok(dls_problem_count(solver, &two, &solutions, &err), err);
  assert_int_equal(solutions, 0); /* not told */
  dls_problem_destroy(solver);
}

/* Of three solutions the one that the guess is near, without a guess the smallest. The other contact sticks: r = 0 is none. */
DLS_TEST(the_solution_nearest_to_the_guess_is_taken)
{
  static const double own[4] = {1, -0.9, -0.9, 1}, q[4] = {0.3420201433256688, -0.9396926207859084, -1, 0.1};
  static const double W[16] = {1, -0.9, 0, 0, -0.9, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  const dls_block blocks[2] = {{DLS_COULOMB, 2, 1.5}, {DLS_COULOMB, 2, 1.5}};
  const dls_problem problem = {.count = 2, .blocks = blocks, .q = q, .dense = W};
  double all[2 * DLS_ONE_CONTACT_MOST];
  dls_problem_solver *solver = create("modes");
  dls_problem_report report;
  dls_error err = {0};
  const size_t count = dls_one_contact(2, own, q, 1.5, all);
  assert_int_equal(count, 3);
  for (size_t k = 0; k <= count; k++) {
    const double *found = all + 2 * (k < count ? k : 0), near = k < count ? 1.05 : 0; /* smallest first */
    double r[4] = {near * found[0], near * found[1], near, -0.1 * near};
    const double expected[4] = {found[0], found[1], 1, -0.1};
    assert_ok(dls_problem_solve(solver, &problem, r, NULL, &report, &err), err);
    assert_int_equal(report.solutions, 3);
    for (size_t i = 0; i < 4; i++) {
      assert_close(r[i], expected[i], 1e-13);
    }
  }
  dls_problem_destroy(solver);
}

DLS_TEST(unknown_methods_and_tolerances_are_refused)
{
  dls_problem_solver *solver = NULL;
  dls_error err = {0};
  assert_int_equal(dls_problem_create("newton", 1e-12, &solver, &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "unknown method 'newton'"));
  assert_non_null(strstr(err.text, "alart-curnier"));
  assert_int_equal(dls_problem_create("auto", 0, &solver, &err), DLS_ERR_OPTION);
  assert_string_equal(err.text, "contact problems: tolerance = 0 is outside (0, 1)");
  assert_null(solver);
}

/* The same problem through H and A: a particle in a corner of the plane, floor and wall rough. */
DLS_TEST(delassus_operator_hands_over_its_matrix)
{
  const double mass[2] = {2, 2};
  dls_matrix *M = dls_matrix_diagonal(2), *H = dls_matrix_dense(2, 4);
  for (size_t i = 0; i < 2; i++) {
    dls_matrix_set(M, i, i, mass[i]);
  }
  dls_matrix_set(H, 1, 0, 1); /* floor: normal y, tangent x */
  dls_matrix_set(H, 0, 1, 1);
  dls_matrix_set(H, 0, 2, 1); /* wall: normal x, tangent y */
  dls_matrix_set(H, 1, 3, 1);
  dls_factor *A = dls_factor_create((const dls_matrix *const[]){M}, 1);
  dls_error err = {0};
  assert_ok(dls_factor_sum(A, (const double[]){1}, &err), err);
  dls_delassus *D = dls_delassus_create(A, H);
  dls_problem_solver *solver = create(NULL);
  const dls_block blocks[2] = {{DLS_COULOMB, 2, 0.5}, {DLS_COULOMB, 2, 0.5}};
  const double q[4] = {-1, 3, 3, -1}; /* v = (3, -1): away from the wall, onto the floor */
  const size_t all[4] = {0, 1, 2, 3}, floor_rows[2] = {0, 1};
  double r[4] = {0}, u[4];
  dls_problem_report report;
  dls_problem problem = {.count = 2, .blocks = blocks, .q = q};
  assert_ok(dls_delassus_solve_problem(D, solver, all, &problem, r, u, &report, &err), err);
  const double expected[4] = {2, -1, 0, 0};
  for (size_t i = 0; i < 4; i++) {
    assert_close(r[i], expected[i], 1e-14);
  }
  problem.count = 1;
  r[0] = r[1] = 0;
  assert_ok(dls_delassus_solve_problem(D, solver, floor_rows, &problem, r, u, &report, &err), err);
  assert_close(r[0], 2, 1e-15);
  assert_close(r[1], -1, 1e-15);
  assert_close(u[1], 2.5, 1e-15);
  size_t solutions = 0;
  assert_ok(dls_delassus_count(D, solver, floor_rows, &problem, &solutions, &err), err);
  assert_int_equal(solutions, 1);
  dls_problem_destroy(solver);
  dls_delassus_destroy(D);
  dls_factor_destroy(A);
  dls_matrix_destroy(M);
  dls_matrix_destroy(H);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planar_contacts_have_the_known_answer),
      cmocka_unit_test(contacts_in_space_have_the_known_answer),
      cmocka_unit_test(laws_mix),
      cmocka_unit_test(contacts_without_friction_are_those_of_the_lcp),
      cmocka_unit_test(facets_miss_by_their_angle),
      cmocka_unit_test(certificate_sees_every_change_of_the_answer),
      cmocka_unit_test(certificate_is_that_of_the_law),
      cmocka_unit_test(huge_friction_excuses_nothing_else),
      cmocka_unit_test(huge_friction_is_judged_beyond_rounding),
      cmocka_unit_test(huge_friction_hides_no_closing_contact),
      cmocka_unit_test(problem_without_solution_is_not_solved),
      cmocka_unit_test(bad_problems_are_refused),
      cmocka_unit_test(solutions_are_counted_where_that_can_be_told),
      cmocka_unit_test(the_solution_nearest_to_the_guess_is_taken),
      cmocka_unit_test(unknown_methods_and_tolerances_are_refused),
      cmocka_unit_test(delassus_operator_hands_over_its_matrix),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
