/* test_impulse_small.c -- small systems with constant dense H take products with copies of H and M^-1 H. They have the bits of the general
 * path, which the same systems take where their gaps are declared to move, by 0, and their loads to vary.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "time_stepping/impulse/impulse_step.h"
#include <delassus/catalogue.h>
#include <delassus/sim.h>
#include <gsl/gsl_randist.h>
#include <string.h>

enum { SYSTEMS = 60, STEPS = 40, MOST = 6 };

typedef struct shape {
  size_t n, m, d;
  bool dense, stiff, steady; /* M; with K and C; the load */
} shape;

static void steady(const dls_system *sys, double t, double *F)
{
  (void)t;
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = -12 - (double)i;
  }
}

static void varying(const dls_system *sys, double t, double *F)
{
  steady(sys, t, F);
  F[0] += sin(7 * t);
}

static void no_motion(const dls_system *sys, double t, int order, double *s)
{
  (void)t;
  (void)order;
  memset(s, 0, sys->m * sizeof *s);
}

/* The same system for the same state of the generator. */
static dls_system *draw(gsl_rng *rng, const shape *p, bool moves)
{
  dls_system *sys = dls_system_create(p->n, p->m);
  sys->linear = true;
  sys->d = p->d;
  sys->load = p->steady ? steady : varying;
  sys->steady_load = p->steady && !moves;
  sys->gap_motion = moves ? no_motion : NULL;
  sys->M = p->dense ? dls_matrix_dense(p->n, p->n) : dls_matrix_diagonal(p->n);
  sys->K = p->stiff ? dls_matrix_diagonal(p->n) : NULL;
  sys->C = p->stiff ? dls_matrix_diagonal(p->n) : NULL;
  sys->H = dls_matrix_dense(p->n, p->m);
  sys->T = p->d > 1 ? dls_matrix_dense(p->n, (p->d - 1) * p->m) : NULL;
  for (size_t i = 0; i < p->n; i++) {
    dls_matrix_set(sys->M, i, i, 1 + gsl_rng_uniform(rng));
    for (size_t k = 0; p->dense && k < i; k++) {
      const double coupling = 0.1 * gsl_rng_uniform(rng);
      dls_matrix_set(sys->M, i, k, coupling);
      dls_matrix_set(sys->M, k, i, coupling);
    }
    if (p->stiff) {
      dls_matrix_set(sys->K, i, i, 20 * gsl_rng_uniform(rng));
      dls_matrix_set(sys->C, i, i, gsl_rng_uniform(rng));
    }
    sys->q0[i] = 0.02 * gsl_rng_uniform(rng);
    sys->v0[i] = -gsl_rng_uniform(rng);
  }
  for (size_t j = 0; j < p->m; j++) {
    for (size_t i = 0; i < p->n; i++) {
      dls_matrix_set(sys->H, i, j, i % p->m == j ? 1 : 0.3 * gsl_rng_uniform(rng));
      for (size_t k = 0; k + 1 < p->d; k++) {
        dls_matrix_set(sys->T, i, (p->d - 1) * j + k, gsl_ran_gaussian(rng, 1));
      }
    }
    sys->e[j] = j % 2 == 0 ? gsl_rng_uniform(rng) : 0;
    sys->mu[j] = p->d > 1 && j != 1 ? gsl_rng_uniform(rng) : 0;
  }
  return sys;
}

static dls_sim *start(const dls_system *sys, const char *scheme)
{
  dls_sim *sim = NULL;
  dls_error err = {0};
  assert_ok(dls_sim_create(sys, dls_scheme_find(scheme, &err), &sim, &err), err);
  assert_ok(dls_sim_start(sim, &err), err);
  return sim;
}

static bool is_small(const dls_sim *sim)
{
  return ((const dls_impulse_memory *)sim->memory)->contacts.small.n > 0;
}

static void assert_same_state(const dls_sim *a, const dls_sim *b)
{
  const size_t n = a->sys->n, m = a->sys->m, slips = (a->sys->d - 1) * m;
  assert_memory_equal(a->q, b->q, n * sizeof *a->q);
  assert_memory_equal(a->v, b->v, n * sizeof *a->v);
  assert_memory_equal(a->p, b->p, m * sizeof *a->p);
  if (slips > 0) {
    assert_memory_equal(a->p_t, b->p_t, slips * sizeof *a->p_t);
  }
  assert_memory_equal(a->status, b->status, m * sizeof *a->status);
  assert_int_equal(a->jump, b->jump);
  if (a->jump) {
    assert_memory_equal(a->v_left, b->v_left, n * sizeof *a->v);
  }
}

/* @return steps in which a contact has an impulse */
static size_t compare(unsigned long seed, const shape *p, const char *scheme)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, seed);
  dls_system *still = draw(rng, p, false);
  gsl_rng_set(rng, seed);
  dls_system *moving = draw(rng, p, true);
  dls_sim *small = start(still, scheme), *general = start(moving, scheme);
  size_t pressed = 0;
  assert_true(is_small(small));
  assert_false(is_small(general));
  for (size_t k = 0; k < STEPS; k++) {
    const double h = 0.01 * (0.5 + gsl_rng_uniform(rng));
    dls_error err = {0};
    assert_ok(dls_sim_advance(small, h, &err), err);
    assert_ok(dls_sim_advance(general, h, &err), err);
    assert_same_state(small, general);
    for (size_t j = 0; j < p->m; j++) {
      pressed += small->p[j] > 0;
    }
  }
  /* A steady acceleration is evaluated once in a step. */
  const bool once = p->steady && !p->stiff;
  assert_true(!once || small->work.force_evals <= STEPS + 1);
  dls_sim_destroy(small);
  dls_sim_destroy(general);
  dls_system_destroy(still);
  dls_system_destroy(moving);
  gsl_rng_free(rng);
  return pressed;
}

static void compare_all(const char *scheme)
{
  size_t pressed = 0;
  for (unsigned long seed = 1; seed <= SYSTEMS; seed++) {
    const size_t m = 1 + seed % 3, n = m + seed / 3 % (MOST - m + 1);
    const shape p = {n, m, 1 + seed / 2 % 3, seed % 4 == 0, seed % 5 == 0, seed % 7 != 0};
    pressed += compare(seed, &p, scheme);
  }
  assert_true(pressed > SYSTEMS * STEPS / 4);
}

DLS_TEST(xpbd_has_the_bits_of_the_general_path)
{
  compare_all("xpbd");
}

DLS_TEST(sequential_impulse_has_the_bits_of_the_general_path)
{
  compare_all("sequential-impulse");
}

DLS_TEST(soft_step_has_the_bits_of_the_general_path)
{
  compare_all("soft-step");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(xpbd_has_the_bits_of_the_general_path),
      cmocka_unit_test(sequential_impulse_has_the_bits_of_the_general_path),
      cmocka_unit_test(soft_step_has_the_bits_of_the_general_path),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
