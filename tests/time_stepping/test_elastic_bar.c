/* tests/time_stepping/test_elastic_bar.c -- the bouncing bar: energies and pressure of the literature, convergence to
 * the exact contact time and rebound, and errors in time apart from those in space.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include <delassus/balance.h>
#include <delassus/catalogue.h>
#include <math.h>
#include <stdio.h>

static const char *const gen_alpha = "nonsmooth-generalized-alpha:rho_inf=0.6";

typedef struct outcome {
  double energy;   /* at the end, over that of the start */
  double rebound;  /* mean velocity at the end over the initial speed; exact: 1 */
  double duration; /* length of a constant force with the variance in time of this one; exact: 2 L/c */
  double pressure; /* mean over [0.55, 1] */
} outcome;

static outcome measure(const test_run *run)
{
  enum { MOST = 1000 };
  const size_t n = run->sys->n;
  double work[MOST], one[MOST], p0 = 0, p1 = 0, p2 = 0, middle = 0;
  assert_true(n <= MOST);
  const size_t column = (size_t)dls_trajectory_column(run->traj, "p0");
  for (size_t i = 0; i < n; i++) {
    one[i] = 1;
  }
  for (size_t i = 0; i < run->traj->rows; i++) {
    const double t = dls_trajectory_at(run->traj, i, 0) - 0.8, p = dls_trajectory_at(run->traj, i, column);
    p0 += p;
    p1 += p * t;
    p2 += p * t * t;
    middle += t > -0.25 && t <= 0.2 + 1e-9 ? p : 0;
  }
  return (outcome){dls_balance_mechanical(run->sim, work) / 500,
                   dls_balance_product(run->sys->M, n, one, run->sim->v, work) / 100,
                   sqrt(12 * (p2 / p0 - p1 * p1 / (p0 * p0))), middle / 0.45};
}

static outcome bounce(const char *model, const char *scheme, double step)
{
  test_run run = dls_test_run(model, scheme, step, 1.5);
  const outcome result = measure(&run);
  dls_test_free(&run);
  return result;
}

/* The bar reaches the floor at t = 0.5, which is a node: whether the contact is forecast in the step that ends there is
 * decided by rounding, and costs the impact of one more node's mass. Just below 5 m it is, at 5 m it is not. */
DLS_TEST(the_energies_are_those_of_the_literature)
{
  static const struct {
    const char *model, *scheme;
    double step, energy;
  } cases[] = {
      {"elastic-bar:h0=4.9999999", "moreau-jean:theta=1", 2e-3, 0.861},
      {"elastic-bar:h0=4.9999999", "moreau-jean:theta=0.5", 2e-3, 0.992},
      {"elastic-bar:h0=4.9999999", "nonsmooth-generalized-alpha:rho_inf=0.6", 2e-3, 0.988},
      {"elastic-bar:h0=5", "moreau-jean-variant:theta=1", 2e-3, 0.903},
      {"elastic-bar:h0=5,mass=lumped", "nonsmooth-generalized-alpha:rho_inf=0.6", 2e-3, 0.991},
      {"elastic-bar:h0=5", "moreau-jean:theta=1", 2e-4, 0.956},
      {"elastic-bar:h0=4.9999999", "moreau-jean:theta=1", 2e-4, 0.956},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const outcome bar = bounce(cases[i].model, cases[i].scheme, cases[i].step);
    assert_close(bar.energy, cases[i].energy, 5e-4);
    assert_close(bar.pressure, 300, 0.05);
  }
}

/* What the rounding decides: up to half a percent of the energy, and nothing of the pressure. */
DLS_TEST(the_other_rounding_changes_little)
{
  static const char *const schemes[] = {"moreau-jean:theta=1", "moreau-jean:theta=0.5",
                                        "fully-implicit-newmark", "nonsmooth-generalized-alpha:rho_inf=0.6"};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    const outcome below = bounce("elastic-bar:h0=4.9999999", schemes[i], 2e-3);
    const outcome at = bounce("elastic-bar:h0=5", schemes[i], 2e-3);
    assert_between(at.energy - below.energy, 2e-4, 5.5e-3);
    assert_close(below.pressure, 300, 0.05);
    assert_close(at.pressure, 300, 0.05);
  }
}

/* Orders of 1 - rebound and 2 L/c - duration as the mesh is refined with a quarter of the time that a wave needs for an
 * element as step. Waves of the discrete bar disperse: a front is as wide as (element)^(2/3) after a given way. Dissipation
 * of order h spreads it as heat does, with h^(1/2). */
static void assert_converges(const char *scheme, double low, double high, double finest)
{
  enum { LEVELS = 5 };
  double h[LEVELS], rebound[LEVELS], duration[LEVELS];
  for (int i = 0; i < LEVELS; i++) {
    char model[60];
    const int n = 25 << i;
    snprintf(model, sizeof model, "elastic-bar:n=%d,h0=5.003", n);
    h[i] = 10.0 / n / 30 / 4;
    const outcome bar = bounce(model, scheme, h[i]);
    rebound[i] = 1 - bar.rebound;
    duration[i] = 2.0 / 3 - bar.duration;
  }
  dls_fit fit;
  dls_error err = {0};
  assert_ok(dls_fit_order(LEVELS, h, rebound, 0, &fit, &err), err);
  assert_between(fit.order, low, high);
  assert_ok(dls_fit_order(LEVELS, h, duration, 0, &fit, &err), err);
  assert_between(fit.order, low, high + 0.07);
  assert_between(rebound[LEVELS - 1], 0, finest);
  assert_between(duration[LEVELS - 1], 0, finest);
}

DLS_TEST(rebound_and_contact_time_converge_to_the_exact_ones)
{
  assert_converges("moreau-jean:theta=0.5", 0.62, 0.70, 6e-3);
  assert_converges(gen_alpha, 0.62, 0.70, 6e-3);
  assert_converges("moreau-jean:theta=1", 0.47, 0.53, 0.03);
}

static double error_at(const char *model_name, dls_reference_kind kind, double step)
{
  dls_error err = {0};
  double p[32];
  dls_scheme_choice choice;
  static const char *const of = "q";
  const dls_norm *norm = dls_norm_find("l1");
  const dls_model *model = dls_model_find(model_name, &err);
  dls_option_defaults(model->parameters, p);
  p[0] = 20;
  assert_ok(dls_scheme_choose(gen_alpha, &choice, &err), err);
  const dls_order_spec spec = {.model = model,
                               .parameters = p,
                               .reference = kind,
                               .end = 1,
                               .scheme_count = 1,
                               .schemes = &choice,
                               .h_first = step,
                               .h_last = step / 2,
                               .levels = 2,
                               .repeats = 1,
                               .seed = 1,
                               .norm_count = 1,
                               .norms = &norm,
                               .of_count = 1,
                               .of = &of,
                               .metric = dls_metric_default};
  dls_order_study *study = NULL;
  assert_ok(dls_order_run(&spec, &study, &err), err);
  const double error = study->points[0].error.value;
  dls_order_destroy(study);
  return error;
}

/* Against the continuous bar the error stops falling where that of the mesh begins; against the discrete one it goes on. */
DLS_TEST(errors_in_space_and_time_can_be_told_apart)
{
  const double coarse = 2e-3, fine = 1e-4;
  assert_between(error_at("elastic-bar", DLS_REFERENCE_EXACT, coarse) /
                     error_at("elastic-bar", DLS_REFERENCE_EXACT, fine),
                 0.7, 1.5);
  assert_between(error_at("elastic-bar", DLS_REFERENCE_EVENT_DRIVEN, coarse) /
                     error_at("elastic-bar", DLS_REFERENCE_EVENT_DRIVEN, fine),
                 15, 1000);
}

/* The node that hits the floor carries ever less mass: with events located the limit is the same for every e. */
DLS_TEST(restitution_does_not_matter_for_the_continuum)
{
  double work[101], one[101];
  for (int i = 0; i < 2; i++) {
    double rebound[2];
    for (int k = 0; k < 2; k++) {
      char model[60];
      snprintf(model, sizeof model, "elastic-bar:n=%d,e=%g", 25 << (2 * i), 0.9 * k);
      test_run run = dls_test_run(model, "event-driven:tol=1e-8", 1, 1.5);
      for (size_t j = 0; j < run.sys->n; j++) {
        one[j] = 1;
      }
      rebound[k] = dls_balance_product(run.sys->M, run.sys->n, one, run.sim->v, work) / 100;
      dls_test_free(&run);
    }
    assert_close(rebound[1], rebound[0], i == 0 ? 0.02 : 0.005);
    assert_between(rebound[0], i == 0 ? 0.96 : 0.985, 1);
  }
}

/* With damping the rebound is slower, and the vibration that is left dies. */
DLS_TEST(rayleigh_damping_takes_energy)
{
  const outcome free = bounce("elastic-bar:n=50,h0=5.003", gen_alpha, 1e-3);
  const outcome damped = bounce("elastic-bar:n=50,h0=5.003,beta=0.02", gen_alpha, 1e-3);
  assert_between(damped.energy, 0.3, free.energy - 0.1);
  assert_between(damped.rebound, 0.5, free.rebound - 0.05);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_energies_are_those_of_the_literature),
      cmocka_unit_test(the_other_rounding_changes_little),
      cmocka_unit_test(rebound_and_contact_time_converge_to_the_exact_ones),
      cmocka_unit_test(errors_in_space_and_time_can_be_told_apart),
      cmocka_unit_test(restitution_does_not_matter_for_the_continuum),
      cmocka_unit_test(rayleigh_damping_takes_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
