/* test_central_difference.c -- explicit central differences with contacts that are springs: the discrete oscillation in contact, its
 * limit of stability, orders, what an impact costs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "newmark_systems.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double kappa = 1e4, force = -10; /* on a mass of 1: rest at -1e-3, omega = 100 */

static dls_sim *begin(dls_system *sys, const char *scheme)
{
  dls_scheme_choice choice;
  dls_error err = {0};
  dls_sim *sim = NULL;
  assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
  assert_ok(dls_scheme_choice_sim(&choice, sys, &sim, &err), err);
  assert_ok(dls_sim_start(sim, &err), err);
  return sim;
}

/* Largest distance from rest in 400 steps, from rest + offset; *misfit: from offset cos(k phi), sin(phi/2) = omega h/2. */
static double swing(double offset, double h, double *misfit)
{
  scalar_data d = {.m = 1, .f = force, .e = 0.5, .q0 = force / kappa + offset};
  dls_system *sys = scalar_system(&d);
  dls_sim *sim = begin(sys, "central-difference-penalty:kappa=1e4");
  const double phi = 2 * asin(fmin(1, sqrt(kappa) * h / 2));
  double largest = 0;
  *misfit = 0;
  for (int k = 1; k <= 400; k++) {
    assert_int_equal(dls_sim_advance(sim, h, NULL), DLS_OK);
    const double x = sim->q[0] - force / kappa;
    largest = fmax(largest, fabs(x));
    *misfit = fmax(*misfit, fabs(x - offset * cos(k * phi)));
  }
  assert_int_equal(sim->work.lcp_solves, 0);
  assert_int_equal(sim->work.force_evals, 401);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return largest;
}

DLS_TEST(rest_is_kept)
{
  double misfit = 0;
  assert_between(swing(0, 5e-3, &misfit), 0, 1e-17);
}

DLS_TEST(oscillation_in_contact_has_the_closed_form)
{
  static const double steps[] = {1e-4, 1e-3, 5e-3, 1.5e-2};
  for (int i = 0; i < 4; i++) {
    double misfit = 0;
    assert_between(swing(1e-4, steps[i], &misfit), 0.9e-4, 1.0000001e-4);
    assert_between(misfit, 0, 1e-14);
  }
}

/* p is what a step transmits, m (v' - v) without other forces; a contact that is let go from inside lifts off, without an impact. */
DLS_TEST(steps_transmit_what_they_say)
{
  const double h = 1e-3;
  scalar_data d = {.m = 2, .e = 0.5, .q0 = -1e-2};
  dls_system *sys = scalar_system(&d);
  dls_sim *sim = begin(sys, "central-difference-penalty:kappa=1e4");
  dls_trajectory *traj = dls_sim_trajectory(sim, NULL);
  assert_non_null(traj);
  sim->record = traj;
  double pushed = 0;
  for (int k = 1; k <= 60; k++) {
    const double v = sim->v[0];
    assert_int_equal(dls_sim_advance(sim, h, NULL), DLS_OK);
    assert_close(sim->p[0], d.m * (sim->v[0] - v), 1e-13);
    pushed = fmax(pushed, sim->p[0]);
  }
  assert_close(pushed, h * kappa * 1e-2, 0.02 * h * kappa * 1e-2);
  assert_close(sim->v[0], 1e-2 * sqrt(kappa / d.m),
               1e-2 * h * kappa / d.m); /* omega x the way; a step has h F/m */
  assert_int_equal(traj->event_count, 1);
  assert_int_equal(traj->events[0].kind, DLS_LIFT_OFF);
  assert_close(traj->events[0].t, acos(-1) / 2 / sqrt(kappa / d.m), 2 * h);
  dls_sim_destroy(sim);
  dls_trajectory_destroy(traj);
  dls_system_destroy(sys);
}

/* h < 2 sqrt(m/kappa) = 0.02 s */
DLS_TEST(the_limit_of_stability_is_that_of_the_spring)
{
  double misfit = 0;
  assert_between(swing(1e-6, 0.01999, &misfit), 0.9e-6, 1.1e-6);
  assert_between(swing(1e-6, 0.0201, &misfit), 1e-4, 1e6);
}

static void assert_order(const char *model, double low, double high)
{
  const test_study study = {.model = model,
                            .scheme = "central-difference-penalty",
                            .norm = "l1",
                            .of = "v",
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
  assert_order("impacting-oscillator", 1.95, 2.05);
  assert_order("impacting-oscillator:c=0.3,amplitude=0.5,omega=2", 1.95, 2.05);
}

/* Energy behind one impact less that before, over kappa (h U)^2; U = m = 1. Closing inside a step costs, or creates, at most the
 * energy of the spring over the way of half a step, and so does opening. */
static double cost(double h, double phase)
{
  char model[120];
  snprintf(model, sizeof model, "bouncing-ball:f=0,v0=-1,q0=%.17g", (2 + phase) * h);
  test_run run = dls_test_run(model, "central-difference-penalty:kappa=1e4", h, 0.05 + 4 * h);
  const double v = run.sim->v[0];
  assert_between(run.sim->q[0], 1e-9, 1); /* it has left */
  assert_int_equal(run.traj->event_count, 1);
  assert_close(run.traj->events[0].impulse, 1 + v, 1e-12);
  dls_test_free(&run);
  return (v * v - 1) / 2 / (kappa * h * h);
}

DLS_TEST(an_impact_costs_or_creates_energy_of_order_h_squared)
{
  double most = 0, least = 0;
  for (int i = 0; i < 40; i++) {
    const double x = cost(i % 2 == 0 ? 1e-3 : 2e-4, (i + 0.5) / 40);
    most = fmax(most, x);
    least = fmin(least, x);
  }
  assert_between(most, 0.01, 0.26);
  assert_between(least, -0.26, -0.01);
}

/* Restitution is 1 in the limit, whatever the model says, and the penetration U sqrt(m/kappa). */
DLS_TEST(short_steps_give_an_elastic_impact)
{
  test_run run =
      dls_test_run("bouncing-ball:f=0,v0=-1,q0=0.01,e=0.2", "central-difference-penalty:kappa=1e4", 1e-5, 0.06);
  assert_close(run.sim->v[0], 1, 1e-6);
  assert_close(run.sim->worst_gap, -0.01, 1e-5);
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rest_is_kept),
      cmocka_unit_test(oscillation_in_contact_has_the_closed_form),
      cmocka_unit_test(steps_transmit_what_they_say),
      cmocka_unit_test(the_limit_of_stability_is_that_of_the_spring),
      cmocka_unit_test(orders_without_impacts),
      cmocka_unit_test(an_impact_costs_or_creates_energy_of_order_h_squared),
      cmocka_unit_test(short_steps_give_an_elastic_impact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
