/* test_newmark_implicit_contact.c -- contact fully implicit at position level in Newmark's method: the rebound of a free ball, no
 * penetration, energy over gamma and beta, orders without impacts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "newmark_systems.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pairs[][2] = {{0.5, 0.25}, {0.5, 0.5}, {0.75, 0.375}, {0.9, 0.49}, {1, 0.5}, {1, 0.5625}};
enum { PAIRS = sizeof pairs / sizeof pairs[0] };

static const char *scheme_of(size_t i, char *text, size_t size)
{
  snprintf(text, size, "newmark-implicit-contact:gamma=%.17g,beta=%.17g", pairs[i][0], pairs[i][1]);
  return text;
}

/* Speed 1, contact at sigma h in a step: one push or two, |1 - 2 sigma| behind them, whatever e, h, gamma and beta. */
DLS_TEST(a_ball_rebounds_as_the_grid_lies)
{
  for (size_t i = 0; i < PAIRS; i++) {
    for (double sigma = 0.05; sigma < 1; sigma += 0.1) {
      char model[120], scheme[100];
      const double h = i % 2 == 0 ? 1e-2 : 1e-4;
      snprintf(model, sizeof model, "bouncing-ball:f=0,e=0.9,v0=-1,q0=%.17g", (3 + sigma) * h);
      test_run run = dls_test_run(model, scheme_of(i, scheme, sizeof scheme), h, 8 * h);
      assert_close(run.sim->v[0], fabs(1 - 2 * sigma), 1e-10);
      double impulse = 0;
      for (size_t row = 0; row < run.traj->rows; row++) {
        impulse += dls_test_value(&run, row, "p0");
        assert_between(dls_test_value(&run, row, "g0"), -1e-15, 1);
      }
      assert_close(impulse, 1 + run.sim->v[0], 1e-10);
      dls_test_free(&run);
    }
  }
}

/* Speed of a ball behind the wall that is (k + sigma) h away at a speed of 1. */
static double rebound(size_t k, double sigma, double speed)
{
  char model[120];
  const double h = 1e-2;
  snprintf(model, sizeof model, "bouncing-ball:f=0,v0=%.17g,q0=%.17g", -speed, ((double)k + sigma) * h);
  test_run run = dls_test_run(model, "newmark-implicit-contact", h, (double)(k + 4) * h);
  const double v = run.sim->v[0];
  dls_test_free(&run);
  return v;
}

/* v' = v - 2 (q + h v)/h: an error of the speed is k h times as large in q behind a flight of k steps, and 1 + 2 k times in v'. */
DLS_TEST(errors_grow_with_the_flight)
{
  static const size_t steps[] = {1, 10, 200};
  for (size_t i = 0; i < 3; i++) {
    const double off = 1e-6, growth = 1 + 2 * (double)steps[i];
    for (int pushes = 1; pushes <= 2; pushes++) {
      const double sigma = pushes == 1 ? 0.25 : 0.75;
      const double change = rebound(steps[i], sigma, 1 + off) - rebound(steps[i], sigma, 1);
      assert_close(change / off, pushes == 1 ? growth : -growth, 1e-6 * growth);
    }
  }
}

/* What the watch keeps of the node before, and finds over all steps. */
typedef struct ledger {
  double g[8], u[8], h;
  double worst_gap, largest, least,
      misfit; /* of the work of contacts in a step; of its formula for 2 beta = gamma */
  size_t pushes;
} ledger;

static dls_status watch(void *data, const dls_sim *sim, dls_error *err)
{
  ledger *l = data;
  (void)err;
  double work = 0, formula = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    work += 0.5 * (l->u[j] + sim->u[j]) * sim->p[j];
    formula -= l->g[j] / l->h * sim->p[j];
    l->pushes += sim->p[j] > 0;
    l->worst_gap = fmin(l->worst_gap, sim->g[j]);
    l->g[j] = sim->g[j];
    l->u[j] = sim->u[j];
    assert_true(sim->p[j] >= 0);
    assert_close(sim->g[j] * sim->p[j], 0, 1e-11); /* complementarity */
  }
  if (sim->step > 0) {
    l->largest = fmax(l->largest, work);
    l->least = fmin(l->least, work);
    l->misfit = fmax(l->misfit, fabs(work - formula));
  }
  return DLS_OK;
}

static ledger keep(const char *model, const char *scheme, double h, double end)
{
  dls_error err = {0};
  ledger l = {.h = h};
  test_run run = dls_test_prepare(model, scheme);
  assert_in_range(run.sys->m, 1, 8);
  assert_ok(dls_run(run.sim, &(dls_run_spec){.step = h, .end = end, .watch = watch, .watch_data = &l}, &err),
            err);
  dls_test_free(&run);
  return l;
}

/* 1/2 (U + U') P = -(g/h) P where 2 beta = gamma, so no step gains energy; elsewhere some do. */
DLS_TEST(contacts_take_energy_where_2_beta_is_gamma)
{
  for (size_t i = 0; i < PAIRS; i++) {
    char scheme[100];
    const ledger l = keep("two-ball-oscillator", scheme_of(i, scheme, sizeof scheme), 2e-3, 3);
    assert_between((double)l.pushes, 10, 1e5);
    assert_between(l.worst_gap, -1e-12, 0);
    assert_between(l.least, -100, -1);
    if (2 * pairs[i][1] == pairs[i][0]) {
      assert_between(l.misfit, 0, 1e-10);
      assert_between(l.largest, 0, 1e-12);
    } else {
      assert_between(l.misfit, 1e-9, 10);
      assert_between(l.largest, 1e-9, 1);
    }
  }
}

/* Damping is part of the contact problem: random systems with full matrices, all coefficients. */
DLS_TEST(gaps_close_in_damped_systems)
{
  for (size_t i = 0; i < PAIRS; i++) {
    char scheme[100];
    const ledger l =
        keep("random-linear:n=6,m=3,seed=4,damping=5", scheme_of(i, scheme, sizeof scheme), 5e-3, 2);
    assert_between((double)l.pushes, 3, 1e5);
    assert_between(l.worst_gap, -1e-11, 0);
  }
}

/* Nonlinear gaps: no penetration at nodes to the tolerance of Newton's method. */
DLS_TEST(curved_gaps_are_closed_too)
{
  const ledger l = keep("bouncing-pendulum", "newmark-implicit-contact", 1e-3, 2);
  assert_between((double)l.pushes, 2, 2000);
  assert_between(l.worst_gap, -1e-9, 0);
}

/* A column at rest: the floor carries the weight from the first step on, P/h = sum of m g. */
DLS_TEST(a_column_at_rest_weighs_what_it_weighs)
{
  test_run run = dls_test_run("bead-column:gap=0", "newmark-implicit-contact", 1e-2, 0.5);
  const size_t last = run.traj->rows - 1, n = run.sys->n;
  double F[64], zero[64] = {0}, weight = 0;
  assert_in_range(n, 2, 64);
  dls_system_force(run.sys, 0, run.sys->q0, zero, F);
  for (size_t i = 0; i < n; i++) {
    weight -= F[i];
  }
  assert_close(dls_test_value(&run, last, "p0") / 1e-2, weight, 1e-9 * weight);
  assert_close(run.sim->g[0], 0, 1e-12);
  dls_test_free(&run);
}

static void assert_free_order(const char *scheme, double low, double high)
{
  const test_study study = {.model = "impacting-oscillator:f=-0.2",
                            .scheme = scheme,
                            .norm = "l1",
                            .of = "q",
                            .end = 1,
                            .h_first = 0.05,
                            .h_last = 2e-3,
                            .levels = 5,
                            .repeats = 2};
  const dls_fit fit = dls_test_order(study);
  assert_between(fit.order, low, high);
}

DLS_TEST(orders_without_impacts)
{
  assert_free_order("newmark-implicit-contact", 1.95, 2.05);
  assert_free_order("newmark-implicit-contact:gamma=0.9,beta=0.49", 0.95, 1.05);
}

static void weight(const dls_system *sys, double t, double *F)
{
  (void)t;
  for (size_t i = 0; i < sys->n; i += 2) {
    F[i] = -9.81;
  }
}

/* Bars of mass 1 and inertia 1/3 with a contact at either end, W = [4 -2; -2 4]: who lands on one end is thrown on the other. */
static dls_system *bars(size_t count)
{
  dls_system *sys = dls_system_create(2 * count, 2 * count);
  unsigned long seed = 1;
  sys->linear = true;
  sys->load = weight;
  sys->M = dls_matrix_diagonal(2 * count);
  sys->H = dls_matrix_sparse(2 * count, 2 * count, 4 * count);
  for (size_t i = 0; i < count; i++) {
    dls_matrix_set(sys->M, 2 * i, 2 * i, 1);
    dls_matrix_set(sys->M, 2 * i + 1, 2 * i + 1, 1.0 / 3);
    for (size_t end = 0; end < 2; end++) {
      dls_matrix_set(sys->H, 2 * i, 2 * i + end, 1);
      dls_matrix_set(sys->H, 2 * i + 1, 2 * i + end, end == 0 ? 1 : -1);
    }
    seed = seed * 1103515245 % 2147483648; /* the same for every count */
    sys->q0[2 * i] = 0.01 + 0.02 * (double)seed / 2147483648;
    seed = seed * 1103515245 % 2147483648;
    sys->q0[2 * i + 1] = 0.005 * ((double)seed / 1073741824 - 1);
  }
  return sys;
}

/* Up to 100 contacts are one problem, of more only those that close: 45 bars move alike alone and among 80. */
DLS_TEST(many_contacts_close_as_few_do)
{
  static const char *const schemes[] = {"newmark-implicit-contact", "newmark-position-contact",
                                        "hht-position-contact"};
  enum { FEW = 45, MANY = 80 };
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    dls_system *sys[2] = {bars(FEW), bars(MANY)};
    dls_sim *sim[2];
    dls_error err = {0};
    size_t pressed = 0, both = 0;
    for (size_t k = 0; k < 2; k++) {
      assert_ok(dls_sim_create(sys[k], dls_scheme_find(schemes[i], &err), &sim[k], &err), err);
      assert_ok(dls_sim_start(sim[k], &err), err);
    }
    for (size_t step = 0; step < 60; step++) {
      assert_ok(dls_sim_advance(sim[0], 2e-3, &err), err);
      assert_ok(dls_sim_advance(sim[1], 2e-3, &err), err);
      for (size_t j = 0; j < 2 * FEW; j++) {
        assert_close(sim[1]->q[j], sim[0]->q[j], 1e-12);
        assert_close(sim[1]->v[j], sim[0]->v[j], 1e-9);
        assert_close(sim[1]->p[j], sim[0]->p[j], 1e-9);
      }
      for (size_t j = 0; j < 2 * MANY; j++) {
        const size_t y = j - j % 2;
        pressed += sim[1]->p[j] > 0;
        both += j % 2 == 0 && sim[1]->p[j] > 0 && sim[1]->p[j + 1] > 0;
        assert_true(sim[1]->p[j] >= 0);
        assert_true(i > 0 || sim[1]->q[y] + (j % 2 == 0 ? 1 : -1) * sim[1]->q[y + 1] >= -1e-12);
      }
    }
    assert_true(both > 20);
    assert_between((double)pressed / (60 * 2 * MANY), 0.02, 0.9);
    for (size_t k = 0; k < 2; k++) {
      dls_sim_destroy(sim[k]);
      dls_system_destroy(sys[k]);
    }
  }
}

/* 256 beads that touch: a problem of those that close would be followed by one for each bead that the impulses reach. */
DLS_TEST(a_step_of_a_chain_is_one_problem)
{
  static const char *const schemes[] = {"newmark-position-contact", "hht-position-contact",
                                        "newmark-implicit-contact"};
  for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
    test_run run = dls_test_run("bead-column:N=256,gap=0.00027,e=0.5", schemes[k], 1e-3, 0.1);
    assert_between((double)run.sim->work.lcp_solves, 0.8 * 100, 100);
    dls_test_free(&run);
  }
}

DLS_TEST(unstable_coefficients_are_refused)
{
  dls_scheme_choice choice;
  dls_error err = {0};
  assert_int_equal(dls_scheme_choose("newmark-implicit-contact:gamma=0.5,beta=0.2", &choice, &err),
                   DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "gamma = 0.5, beta = 0.2 is not unconditionally stable"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_rebounds_as_the_grid_lies),
      cmocka_unit_test(errors_grow_with_the_flight),
      cmocka_unit_test(contacts_take_energy_where_2_beta_is_gamma),
      cmocka_unit_test(gaps_close_in_damped_systems),
      cmocka_unit_test(curved_gaps_are_closed_too),
      cmocka_unit_test(a_column_at_rest_weighs_what_it_weighs),
      cmocka_unit_test(orders_without_impacts),
      cmocka_unit_test(many_contacts_close_as_few_do),
      cmocka_unit_test(a_step_of_a_chain_is_one_problem),
      cmocka_unit_test(unstable_coefficients_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
