/* test_impact_chain.c -- impacts on chains of touching contacts: the linear systems of the chain have the velocities and impulses of the
 * complementarity problems, which the same chain takes where H is dense.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "time_stepping/step/impact_sequence.h"
#include <delassus/catalogue.h>
#include <delassus/sim.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

enum { CHAINS = DLS_TEST_CASES(400, 100), MOST = 24, MOST_OF_TWO = 2 * MOST };

/* Masses in a row, some of which touch a floor below the first, or are in two chains, or touch two walls; the same for the same seed. */
static dls_system *draw(unsigned long seed, bool dense, double e, bool walls)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, seed);
  const size_t n = 3 + gsl_rng_uniform_int(rng, MOST - 3), drawn = gsl_rng_uniform_int(rng, 2 * n),
               apart = walls ? 2 * n : drawn;
  const bool floor = gsl_rng_uniform(rng) < 0.5 || walls;
  const size_t m = n - 1 + floor + walls;
  dls_system *sys = dls_system_create(n, m);
  sys->linear = true;
  sys->M = dls_matrix_diagonal(n);
  sys->H = dense ? dls_matrix_dense(n, m) : dls_matrix_sparse(n, m, 2 * m);
  for (size_t i = 0; i < n; i++) {
    dls_matrix_set(sys->M, i, i, 0.5 + gsl_rng_uniform(rng));
  }
  for (size_t j = 0; j < m; j++) {
    const size_t above = floor ? j : j + 1;
    if (above > 0 && above != apart) {
      dls_matrix_set(sys->H, above - 1, j, -1);
    }
    if (above < n) {
      dls_matrix_set(sys->H, above, j, 1);
    }
    sys->e[j] = e * gsl_rng_uniform(rng);
  }
  /* Runs at rest, and others that move. */
  double v = 0;
  for (size_t i = 0; i < n; i++) {
    v = gsl_rng_uniform(rng) < 0.6 ? v : gsl_rng_uniform(rng) - 0.7;
    sys->v0[i] = v;
  }
  gsl_rng_free(rng);
  return sys;
}

/* Two chains, each between two walls, the second with velocities `slower` than the first, so that it comes to rest sooner. */
static dls_system *draw_two(unsigned long seed, bool dense, double e, double slower)
{
  dls_system *part[] = {draw(2 * seed, dense, e, true), draw(2 * seed + 1, dense, e, true)};
  const size_t n = part[0]->n, m = part[0]->m, all = n + part[1]->n, contacts = m + part[1]->m;
  dls_system *sys = dls_system_create(all, contacts);
  sys->linear = true;
  sys->M = dls_matrix_diagonal(all);
  sys->H = dense ? dls_matrix_dense(all, contacts) : dls_matrix_sparse(all, contacts, 2 * contacts);
  for (size_t j = 0; j < contacts; j++) {
    const dls_system *of = part[j >= m];
    for (size_t i = 0; i < of->n; i++) {
      const double x = dls_matrix_get(of->H, i, j < m ? j : j - m);
      if (x != 0) {
        dls_matrix_set(sys->H, (j < m ? 0 : n) + i, j, x);
      }
    }
    sys->e[j] = of->e[j < m ? j : j - m];
  }
  for (size_t i = 0; i < all; i++) {
    const dls_system *of = part[i >= n];
    const size_t k = i < n ? i : i - n;
    dls_matrix_set(sys->M, i, i, dls_matrix_get(of->M, k, k));
    sys->v0[i] = (i < n ? 1 : slower) * of->v0[k];
  }
  dls_system_destroy(part[0]);
  dls_system_destroy(part[1]);
  return sys;
}

typedef struct result {
  double v[MOST_OF_TWO], P[MOST_OF_TWO], fastest;
  bool struck[MOST_OF_TWO];
  size_t n, m, problems;
} result;

/* Of a system, which is destroyed. */
static result impact_of(dls_system *sys, bool dense, bool walls)
{
  dls_error err = {0};
  dls_sim *sim = NULL;
  dls_contact_system contacts;
  dls_impact_sequence s = {0};
  result out = {.n = sys->n, .m = sys->m};
  assert_ok(dls_system_check(sys, &err), err);
  assert_ok(dls_sim_create(sys, dls_scheme_find("moreau-jean", &err), &sim, &err), err);
  assert_ok(dls_contact_system_create_mass(sys, &sim->work, &contacts, &err), err);
  assert_ok(dls_contact_system_at(&contacts, 0, sys->q0, &err), err);
  assert_int_equal(dls_delassus_is_chain(contacts.W), !dense);
  assert_true(dls_impact_sequence_create(sys, &s));
  for (size_t j = 0; j < sys->m; j++) {
    const double u = dls_matrix_column_dot(sys->H, j, sys->v0);
    out.fastest = fmax(out.fastest, fabs(u));
    dls_impact_sequence_add(&s, j, u, true, u > 0);
  }
  memcpy(out.v, sys->v0, sys->n * sizeof *out.v);
  assert_ok(dls_impact_sequence_solve(sim, &contacts, &s, out.v, &err), err);
  memcpy(out.P, s.P, sys->m * sizeof *out.P);
  memcpy(out.struck, s.struck, sys->m * sizeof *out.struck);
  for (size_t j = 0; j < sys->m && !walls; j++) {
    assert_true(dls_matrix_column_dot(sys->H, j, out.v) >= -1e-11 * out.fastest);
  }
  out.problems = sim->work.lcp_solves;
  dls_impact_sequence_destroy(&s);
  dls_contact_system_destroy(&contacts);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return out;
}

static result impact(unsigned long seed, bool dense, double e, bool walls)
{
  return impact_of(draw(seed, dense, e, walls), dense, walls);
}

DLS_TEST(test_chain_as_problems)
{
  size_t many = 0;
  for (unsigned long seed = 1; seed <= CHAINS; seed++) {
    const double e = seed % 3 == 0 ? 0.9 : 0.6;
    const result chain = impact(seed, false, e, false), problems = impact(seed, true, e, false);
    many += problems.problems > 20;
    assert_true(chain.problems <= problems.problems);
    for (size_t j = 0; j < chain.m; j++) {
      assert_close(chain.P[j], problems.P[j], 1e-10 * chain.fastest);
      assert_close(chain.v[j], problems.v[j], 1e-10 * chain.fastest);
    }
  }
  assert_true(many > CHAINS / 20);
}

/* The longest sequence takes two complementarity problems at most: one before the chain, and one where it stops early. */
DLS_TEST(test_few_problems)
{
  size_t most = 0, of_chain = 0;
  for (unsigned long seed = 1; seed <= CHAINS; seed++) {
    const size_t problems = impact(seed, true, 0.6, false).problems;
    if (problems > most) {
      most = problems;
      of_chain = impact(seed, false, 0.6, false).problems;
    }
  }
  assert_true(most > 60);
  assert_true(of_chain <= 2);
}

/* Between two walls W of the whole chain is singular, and impulses are not unique. Some of these chains end with a problem of all contacts. What
 * rounding leaves of approaches may have no impulses. */
DLS_TEST(test_between_walls)
{
  for (unsigned long seed = 1101; seed <= 1100 + 2 * CHAINS; seed++) {
    const result chain = impact(seed, false, 0.9, true), problems = impact(seed, true, 0.9, true);
    for (size_t i = 0; i < chain.n; i++) {
      assert_close(chain.v[i], problems.v[i], 1e-8 * chain.fastest);
    }
    for (size_t j = 0; j < chain.m; j++) {
      assert_between(chain.P[j], 0, 100 * chain.fastest);
    }
  }
}

/* The rule holds for each of two chains: one at rest does not end the impacts of the other. After a thousand problems contacts are stopped. */
DLS_TEST(test_two_chains_between_walls)
{
  for (unsigned long seed = 1; seed <= CHAINS / 5; seed++) {
    const bool dense = seed % 2 == 0;
    const result two = impact_of(draw_two(seed, dense, 0.9, seed % 4 < 2 ? 1e-3 : 1), dense, true),
                 one = impact(2 * seed, dense, 0.9, true);
    for (size_t k = 0; k < one.n; k++) {
      assert_close(two.v[k], one.v[k], 1e-7 * one.fastest);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_chain_as_problems), cmocka_unit_test(test_between_walls),
      cmocka_unit_test(test_two_chains_between_walls), cmocka_unit_test(test_few_problems)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
