/* test_laursen.c -- contacts that keep the energy: laursen-chawla by persistency, laursen-love by a jump of velocity.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "newmark_systems.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdio.h>

static const char *const schemes[] = {"laursen-chawla", "laursen-love"};

/* Every impact is elastic, whatever the model says and wherever it lies in the step. */
DLS_TEST(a_free_ball_rebounds_with_its_speed)
{
  for (int i = 0; i < 2; i++) {
    for (double sigma = 0.05; sigma < 1; sigma += 0.1) {
      char model[120];
      const double h = 1e-2;
      snprintf(model, sizeof model, "bouncing-ball:f=0,e=0.3,v0=-1,q0=%.17g", (3 + sigma) * h);
      test_run run = dls_test_run(model, schemes[i], h, 10 * h);
      assert_close(run.sim->v[0], 1, 1e-12);
      double impulse = 0;
      for (size_t row = 0; row < run.traj->rows; row++) {
        impulse += dls_test_value(&run, row, "p0");
      }
      assert_close(impulse, 2, 1e-12);
      assert_between(run.sim->worst_gap, i == 0 ? -h : -1e-15, 1e-15);
      dls_test_free(&run);
    }
  }
}

typedef struct ledger {
  double first, misfit, worst_gap;
  size_t pushes;
} ledger;

static dls_status watch(void *data, const dls_sim *sim, dls_error *err)
{
  ledger *l = data;
  double x[8] = {0}, y[8] = {0}, F[8];
  (void)err;
  assert_in_range(sim->sys->n, 1, 8);
  dls_matrix_multiply(sim->sys->M, 0.5, sim->v, x);
  dls_matrix_multiply(sim->sys->K, 0.5, sim->q, y);
  dls_system_load(sim->sys, sim->t, F); /* constant */
  double energy = 0;
  for (size_t i = 0; i < sim->sys->n; i++) {
    energy += sim->v[i] * x[i] + sim->q[i] * (y[i] - F[i]);
  }
  l->first = sim->step == 0 ? energy : l->first;
  l->misfit = fmax(l->misfit, fabs(energy - l->first));
  for (size_t j = 0; j < sim->sys->m; j++) {
    l->pushes += sim->p[j] > 0;
    l->worst_gap = fmin(l->worst_gap, sim->g[j]);
  }
  return DLS_OK;
}

static ledger keep(const char *model, const char *scheme, double h)
{
  dls_error err = {0};
  ledger l = {0};
  test_run run = dls_test_prepare(model, scheme);
  assert_ok(dls_run(run.sim, &(dls_run_spec){.step = h, .end = 4, .watch = watch, .watch_data = &l}, &err),
            err);
  dls_test_free(&run);
  return l;
}

/* Random systems with several contacts, without damping and load: E is the same at all nodes, impacts or not. */
DLS_TEST(energy_is_kept_to_rounding)
{
  for (int i = 0; i < 2; i++) {
    for (int seed = 1; seed <= 5; seed++) {
      char model[120];
      snprintf(model, sizeof model, "random-linear:n=6,m=3,damping=0,amplitude=0,seed=%d", seed);
      const ledger l = keep(model, schemes[i], 4e-3);
      assert_between((double)l.pushes, 3, 1e5);
      assert_between(fabs(l.first), 1e-3, 1e4);
      assert_between(l.misfit, 0, 1e-11 * (1 + fabs(l.first)));
      assert_between(l.worst_gap, i == 0 ? -0.1 : -1e-11, 0);
    }
  }
}

/* With theta > 1/2 it decays. */
DLS_TEST(theta_above_one_half_decays)
{
  const ledger l = keep("random-linear:n=6,m=3,damping=0,amplitude=0", "laursen-chawla:theta=0.7", 4e-3);
  assert_between(l.misfit / fabs(l.first), 1e-4, 10);
}

/* Against the exact motion with e = 1; without impacts two. */
DLS_TEST(orders)
{
  for (int i = 0; i < 2; i++) {
    test_study study = {.model = "bouncing-ball:e=1",
                        .scheme = schemes[i],
                        .norm = "l1",
                        .of = "q",
                        .end = 4.5,
                        .h_first = 2e-2,
                        .h_last = 1e-3,
                        .levels = 6,
                        .repeats = 6};
    const dls_fit impacts = dls_test_order(study);
    assert_between(impacts.order, 0.85, 1.15);
    study.model = "impacting-oscillator:c=0.2,f=-0.2";
    study.end = 1;
    study.repeats = 2;
    const dls_fit smooth = dls_test_order(study);
    assert_between(smooth.order, 1.95, 2.05);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_free_ball_rebounds_with_its_speed),
      cmocka_unit_test(energy_is_kept_to_rounding),
      cmocka_unit_test(theta_above_one_half_decays),
      cmocka_unit_test(orders),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
