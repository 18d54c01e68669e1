/* test_impact_energy.c -- who makes energy in impacts of several contacts at once, with random mass, velocities and coefficients:
 *   u^ = u+ + c u-,  u+ = u- + W p,  dE = 1/2 (u+ + u-)^T p
 * One e for all components and contacts, and Fremond's e_T = 1 with any e: never. Newton-Coulomb: sometimes.
 * Source: Acary, Collins-Craft 2023, section 2.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/problem.h>
#include <gsl/gsl_rng.h>
#include <math.h>

enum { IMPACTS = 10000, MOST_CONTACTS = 4, MOST = 3 * MOST_CONTACTS };

typedef enum law { COMMON, FREMOND, NEWTON_COULOMB } law;

static double between(gsl_rng *rng, double low, double high)
{
  return low + (high - low) * gsl_rng_uniform(rng);
}

/* W = X^T X of n rows and more degrees of freedom. */
static void random_operator(gsl_rng *rng, size_t n, double *W)
{
  double X[(MOST + 3) * MOST];
  const size_t freedom = n + 3;
  for (size_t i = 0; i < freedom * n; i++) {
    X[i] = between(rng, -1, 1);
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      W[i + n * j] = 0;
      for (size_t k = 0; k < freedom; k++) {
        W[i + n * j] += X[k + freedom * i] * X[k + freedom * j];
      }
    }
  }
}

/* The energy that one random impact makes, in units of what its velocities could hold: 1/2 |u-| |p|. */
static double gain_of(dls_problem_solver *solver, gsl_rng *rng, law which)
{
  const size_t d = 2 + gsl_rng_uniform_int(rng, 2), count = 2 + gsl_rng_uniform_int(rng, MOST_CONTACTS - 1);
  const size_t n = d * count;
  double W[MOST * MOST], minus[MOST], q[MOST], p[MOST] = {0}, hat[MOST];
  dls_block blocks[MOST_CONTACTS];
  dls_error err = {0};
  const double common = between(rng, 0, 1);
  random_operator(rng, n, W);
  double c[MOST];
  for (size_t k = 0; k < count; k++) {
    const double e = which == COMMON ? common : between(rng, 0, 1);
    blocks[k] = (dls_block){DLS_COULOMB, d, between(rng, 0.05, 2)};
    for (size_t i = 0; i < d; i++) {
      minus[d * k + i] = i == 0 ? -between(rng, 0, 1) : between(rng, -2, 2);
      c[d * k + i] = i == 0 || which == COMMON ? e : which == FREMOND ? 1 : 0;
    }
  }
  for (size_t i = 0; i < n; i++) {
    q[i] = (1 + c[i]) * minus[i];
  }
  const dls_problem problem = {.count = count, .blocks = blocks, .q = q, .dense = W};
  assert_ok(dls_problem_solve(solver, &problem, p, hat, NULL, &err), err);
  double work = 0, size = 0, speed = 0;
  for (size_t i = 0; i < n; i++) {
    work += 0.5 * (hat[i] - c[i] * minus[i] + minus[i]) * p[i]; /* u+ = u^ - c u- */
    size += p[i] * p[i];
    speed += minus[i] * minus[i];
  }
  return work / (0.5 * sqrt(size * speed) + 1e-300);
}

static size_t gains(law which, double *largest)
{
  dls_error err = {0};
  dls_problem_solver *solver = NULL;
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  assert_ok(dls_problem_create(NULL, 1e-12, &solver, &err), err);
  size_t count = 0;
  *largest = -HUGE_VAL;
  for (int k = 0; k < IMPACTS; k++) {
    const double gain = gain_of(solver, rng, which);
    *largest = gain > *largest ? gain : *largest;
    count += gain > 1e-11;
  }
  dls_problem_destroy(solver);
  gsl_rng_free(rng);
  return count;
}

DLS_TEST(one_coefficient_for_all_makes_none)
{
  double largest = 0;
  assert_int_equal(gains(COMMON, &largest), 0);
  assert_between(largest, -1, 1e-11);
}

DLS_TEST(fremond_makes_none)
{
  double largest = 0;
  assert_int_equal(gains(FREMOND, &largest), 0);
  assert_between(largest, -1, 1e-11);
}

DLS_TEST(newton_coulomb_makes_some)
{
  double largest = 0;
  assert_between((double)gains(NEWTON_COULOMB, &largest), 10, IMPACTS / 2);
  assert_between(largest, 1e-3, 10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_coefficient_for_all_makes_none),
      cmocka_unit_test(fremond_makes_none),
      cmocka_unit_test(newton_coulomb_makes_some),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
