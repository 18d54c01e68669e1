/* test_fused_solve.c -- fused steps over tridiagonal factors are those of the general path to the last bit: the same bar with H in sparse and
 * in dense storage. Steps with dense storage are never fused.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "time_stepping/moreau/theta_step.h"
#include "time_stepping/newmark/newmark_step.h"
#include "time_stepping/position/schatzman_paoli.h"
#include <delassus/catalogue.h>
#include <delassus/sim.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct bar_plan {
  size_t n;         /* nodes */
  double speed;     /* at which all of it comes */
  double strain;    /* at the start, uneven */
  double e, height; /* of the contacts; over the wall */
  size_t contacts, node[3];
  int load; /* 0: none; 1: steady; 2: not */
} bar_plan;

static void press(const dls_system *sys, double t, double *F)
{
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = -1e-2 / (double)sys->n * (sys->steady_load ? 1 : 1 + sin(9 * t + (double)i));
  }
}

/* Linear elements with E = rho = 1, length 1 in all; h is half of what a wave takes to pass an element. */
static dls_system *bar_of(const bar_plan *p, bool dense)
{
  const double length = 1 / (double)(p->n - 1);
  dls_system *sys = dls_system_create(p->n, p->contacts);
  sys->linear = true;
  sys->load = p->load == 0 ? NULL : press;
  sys->steady_load = p->load == 1;
  sys->M = dls_matrix_band(p->n, 1, 1);
  sys->K = dls_matrix_band(p->n, 1, 1);
  sys->H = dense ? dls_matrix_dense(p->n, p->contacts) : dls_matrix_sparse(p->n, p->contacts, p->contacts);
  for (size_t j = 0; j < p->n; j++) {
    const double share = j == 0 || j + 1 == p->n ? 1 : 2; /* elements at the node */
    dls_matrix_set(sys->M, j, j, share * length / 3);
    dls_matrix_set(sys->K, j, j, share / length);
    if (j > 0) {
      dls_matrix_set(sys->M, j - 1, j, length / 6);
      dls_matrix_set(sys->M, j, j - 1, length / 6);
      dls_matrix_set(sys->K, j - 1, j, -1 / length);
      dls_matrix_set(sys->K, j, j - 1, -1 / length);
    }
    sys->q0[j] = p->height + p->strain * sin((double)(j * j));
    sys->v0[j] = -p->speed;
  }
  for (size_t k = 0; k < p->contacts; k++) {
    dls_matrix_set(sys->H, p->node[k], k, 1);
    sys->e[k] = p->e;
  }
  return sys;
}

static dls_sim *start(const dls_system *sys, const char *scheme, const char *option)
{
  dls_sim *sim = NULL;
  dls_error err = {0};
  assert_ok(dls_sim_create(sys, dls_scheme_find(scheme, &err), &sim, &err), err);
  if (option[0] != '\0') {
    assert_ok(dls_sim_set(sim, option, &err), err);
  }
  assert_ok(dls_sim_start(sim, &err), err);
  return sim;
}

static bool was_fused(const dls_sim *sim)
{
  switch (sim->scheme->family) {
  case DLS_FAMILY_NEWMARK:
    return ((const dls_newmark_memory *)sim->memory)->in_place;
  case DLS_FAMILY_POSITION:
    return ((const dls_paoli_memory *)sim->memory)->fused;
  default:
    return ((const dls_theta_memory *)sim->memory)->in_place;
  }
}

static void assert_same_state(const dls_sim *a, const dls_sim *b)
{
  const size_t n = a->sys->n, m = a->sys->m;
  assert_memory_equal(a->q, b->q, n * sizeof *a->q);
  assert_memory_equal(a->v, b->v, n * sizeof *a->v);
  assert_memory_equal(a->p, b->p, m * sizeof *a->p);
  assert_memory_equal(a->u, b->u, m * sizeof *a->u);
  assert_int_equal(a->jump, b->jump);
  if (a->jump) {
    assert_memory_equal(a->v_left, b->v_left, n * sizeof *a->v);
  }
  if (a->scheme->family == DLS_FAMILY_NEWMARK) {
    const dls_newmark_memory *of_a = a->memory, *of_b = b->memory;
    assert_memory_equal(of_a->a, of_b->a, n * sizeof *of_a->a);
  }
  if (a->scheme->family == DLS_FAMILY_POSITION) {
    const dls_paoli_memory *of_a = a->memory, *of_b = b->memory;
    assert_memory_equal(of_a->d, of_b->d, n * sizeof *of_a->d);
    assert_memory_equal(of_a->q, of_b->q, n * sizeof *of_a->q);
  }
  assert_memory_equal(&a->work, &b->work, offsetof(dls_work, interrupt));
}

/* A node with another velocity than the others. */
typedef struct apart {
  size_t node;
  double v; /* NAN: none */
} apart;

static dls_system *bar_with(const bar_plan *p, bool dense, apart other)
{
  dls_system *sys = bar_of(p, dense);
  if (!isnan(other.v)) {
    sys->v0[other.node] = other.v;
  }
  return sys;
}

/* @return steps with an impulse that were fused */
static size_t compare_with(const bar_plan *p, apart other, const char *scheme, const char *option, size_t steps)
{
  dls_error err = {0};
  dls_system *sparse = bar_with(p, false, other), *dense = bar_with(p, true, other);
  dls_sim *fused = start(sparse, scheme, option), *general = start(dense, scheme, option);
  const double h = 0.5 / (double)p->n;
  size_t struck = 0;
  for (size_t k = 0; k < steps; k++) {
    const bool equal = fused->scheme->family == DLS_FAMILY_POSITION; /* a two-step scheme */
    const double step = equal || k < steps - steps / 2 ? h : 1.5 * h;
    assert_ok(dls_sim_advance(fused, step, &err), err);
    assert_ok(dls_sim_advance(general, step, &err), err);
    assert_same_state(fused, general);
    assert_true(was_fused(fused) || fused->jump || p->contacts > 1);
    assert_false(was_fused(general));
    struck += was_fused(fused) && fused->p[0] > 0;
  }
  dls_sim_destroy(fused);
  dls_sim_destroy(general);
  dls_system_destroy(sparse);
  dls_system_destroy(dense);
  return struck;
}

static size_t compare(const bar_plan *p, const char *scheme, const char *option, size_t steps)
{
  return compare_with(p, (apart){0, NAN}, scheme, option, steps);
}

static const struct {
  const char *scheme, *option;
} members[] = {{"moreau-jean", ""},
               {"moreau-jean", "theta=1"},
               {"moreau-jean-variant", "theta=0.7"},
               {"laursen-chawla", ""},
               {"nonsmooth-newmark", ""},
               {"nonsmooth-hht", "alpha=0.2"},
               {"nonsmooth-generalized-alpha", ""},
               {"nonsmooth-kh-generalized-alpha", ""},
               {"schatzman-paoli", ""},
               {"schatzman-paoli", "theta=0.3"}};
enum { MEMBERS = sizeof members / sizeof members[0] };

/* Ends, the middle and both ends; loads; from rest and from a flight; bars so short that everything reaches everything. */
DLS_TEST(short_bars_go_the_same_way)
{
  for (size_t n = 8; n <= 60; n += n < 12 ? 1 : 23) {
    const bar_plan plans[] = {{n, 1, 0, 0, 0, 1, {0}, 0},
                              {n, 1, 1e-3, 0.5, 0.05, 1, {0}, 1},
                              {n, 0, 0, 0, 0, 1, {0}, 1},
                              {n, 1, 1e-3, 0, 0.02, 1, {n - 1}, 2},
                              {n, 1, 0, 0, 0, 1, {n / 2}, 0},
                              {n, 1, 1e-3, 0, 0, 2, {0, n - 1}, 1},
                              {n, 1, 0, 1, 0.01, 3, {0, n / 2, n - 1}, 2},
                              {n, 0.5, 1e-3, 0, 10, 1, {0}, 0}};
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
      for (size_t k = 0; k < MEMBERS; k++) {
        compare(&plans[i], members[k].scheme, members[k].option, 5 * n);
      }
    }
  }
}

/* Bars on which an impulse is felt near its contact only: in a state without zeros, from an even one, which has nothing but zeros in
 * its forces, and from rest, where all the velocities are no more than the impulse makes of them. */
DLS_TEST(long_bars_go_the_same_way)
{
  const size_t n = 1500;
  const bar_plan plans[] = {{n, 1, 1e-4, 0, -1e-3, 1, {0}, 0},
                            {n, 1, 1e-4, 0, -1e-3, 1, {n - 1}, 2},
                            {n, 1, 0, 0, 0, 1, {0}, 0},
                            {n, 0, 0, 0, 0, 1, {0}, 1},
                            {n, 1, 1e-4, 0, -1e-3, 1, {n / 2}, 1}};
  for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
    for (size_t k = 0; k < MEMBERS; k++) {
      assert_true(compare(&plans[i], members[k].scheme, members[k].option, 60) > 20);
    }
  }
}

/* Its velocity after a step of the general path. */
static double velocity_after(const bar_plan *p, apart other)
{
  dls_error err = {0};
  dls_system *sys = bar_with(p, true, other);
  dls_sim *sim = start(sys, "nonsmooth-newmark", "");
  assert_ok(dls_sim_advance(sim, 0.5 / (double)p->n, &err), err);
  const double v = sim->v[other.node];
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return v;
}

/* Far from the contact a velocity comes out as 0, but for what the impulse is felt there: less than 1e-80 of it. */
DLS_TEST(what_an_impulse_is_far_away_is_not_lost)
{
  const bar_plan p = {1500, 0, -1e-4, 0, -1e-3, 1, {0}, 1};
  apart other = {300, 0};
  double v = velocity_after(&p, other);
  for (int k = 0; k < 100 && fabs(v) > 1e-80; k++) { /* as near as it comes, then number by number */
    other.v = k < 60 ? other.v - v : nextafter(other.v, 1);
    v = velocity_after(&p, other);
  }
  assert_true(v != 0 && fabs(v) < 1e-80);
  assert_int_equal(compare_with(&p, other, "nonsmooth-newmark", "", 1), 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(short_bars_go_the_same_way),
      cmocka_unit_test(long_bars_go_the_same_way),
      cmocka_unit_test(what_an_impulse_is_far_away_is_not_lost),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
