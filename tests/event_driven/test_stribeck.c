/* test_stribeck.c -- friction whose coefficient falls with the slip speed: by events against quadratures, in steps by their
 * order against events, energy, refusals. Source: the law's entry.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include "runs.h"
#include <delassus/catalogue.h>
#include <delassus/energy.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double curve(double mu, double mu_s, double v_s, double u)
{
  return mu + (mu_s - mu) * exp(-(u / v_s) * (u / v_s));
}

/* Time in which a slip of u0 comes to rest, with u' = -g (sine + mu(u) cosine): Simpson's rule. */
static double time_to_rest(double u0, double sine, double cosine, double mu, double mu_s, double v_s)
{
  enum { PANELS = 20000 };
  double sum = 0;
  for (int i = 0; i <= PANELS; i++) {
    const double weight = i == 0 || i == PANELS ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight / (9.81 * (sine + cosine * curve(mu, mu_s, v_s, u0 * i / PANELS)));
  }
  return sum * u0 / PANELS / 3;
}

/* When the slip of contact 0 ended. */
static double rest_of(const test_run *run)
{
  for (size_t i = 0; i < run->traj->event_count; i++) {
    if (run->traj->events[i].kind == DLS_STICK) {
      return run->traj->events[i].t;
    }
  }
  return NAN;
}

DLS_TEST(slip_ends_when_the_curve_says)
{
  test_run run =
      dls_test_run("incline:alpha=0.3,mu=0.4,v0=2 stribeck:mu_s=0.7,v_s=0.5", "event-driven:tol=1e-10", 1, 1);
  assert_close(rest_of(&run), time_to_rest(2, sin(0.3), cos(0.3), 0.4, 0.7, 0.5), 1e-9);
  dls_test_free(&run);
  /* in space the slip keeps its direction */
  run = dls_test_run("puck-belt:mu=0.2,v0=1.5,vb=2 stribeck:mu_s=0.5,v_s=0.8", "event-driven:tol=1e-10", 1, 3);
  assert_close(rest_of(&run), time_to_rest(2.5, 0, 1, 0.2, 0.5, 0.8), 1e-9);
  dls_test_free(&run);
}

#define BELT "belt stribeck:mu_s=0.152905,v_s=0.3" /* 1.5 times the mu of the model */

/* From rest it slips, sticks, lets go at k x = mu_s m g, slips, sticks. */
DLS_TEST(the_belt_lets_go_at_the_upper_end)
{
  test_run run = dls_test_run(BELT, "event-driven:tol=1e-10", 1, 12);
  double last = NAN;
  size_t slips = 0;
  for (size_t i = 0; i < run.traj->event_count; i++) {
    const dls_event *event = &run.traj->events[i];
    last = event->kind == DLS_SLIP && event->t > 0 ? event->t : last;
    slips += event->kind == DLS_SLIP && event->t > 0;
  }
  assert_between((double)slips, 2, 2);
  for (size_t i = 1; i < run.traj->rows; i++) {
    if (dls_test_value(&run, i, "t") == last) {
      assert_close(dls_test_value(&run, i, "q0"), 0.152905 * 9.81, 1e-8);
    }
  }
  dls_test_free(&run);
}

static dls_fit order(const char *scheme, const char *of)
{
  return dls_test_order((test_study){.model = BELT,
                                     .scheme = scheme,
                                     .norm = "l1",
                                     .of = of,
                                     .end = 12,
                                     .h_first = 2e-2,
                                     .h_last = 2e-3,
                                     .levels = 5,
                                     .repeats = 3});
}

/* The force is continuous where slip begins: no order is lost, as it is by status. */
DLS_TEST(steps_have_their_orders_against_events)
{
  for (size_t k = 0; k < 2; k++) {
    assert_between(order("moreau-jean", k == 0 ? "q" : "v").order, 1.8, 2.2);
    assert_between(order("moreau-jean:theta=1", k == 0 ? "q" : "v").order, 0.95, 1.05);
    assert_between(order("moreau-jean-variant", k == 0 ? "q" : "v").order, 1.8, 2.2);
  }
}

DLS_TEST(a_flat_curve_is_coulombs)
{
  static const char *const schemes[] = {"moreau-jean", "event-driven"};
  for (size_t k = 0; k < 2; k++) {
    test_run flat = dls_test_run("sphere stribeck:mu=0.2,mu_s=0.2,v_s=0.1", schemes[k], 1e-2, 1);
    test_run coulomb = dls_test_run("sphere newton-coulomb:mu=0.2", schemes[k], 1e-2, 1);
    for (size_t i = 0; i < flat.sys->n; i++) {
      assert_true(flat.sim->q[i] == coulomb.sim->q[i] && flat.sim->v[i] == coulomb.sim->v[i]);
    }
    dls_test_free(&flat);
    dls_test_free(&coulomb);
  }
}

DLS_TEST(energy_balances)
{
  static const char *const schemes[] = {"moreau-jean", "moreau-jean-variant:theta=0.7"};
  for (size_t k = 0; k < 2; k++) {
    dls_error err = {0};
    dls_system *sys = dls_test_system(BELT);
    dls_scheme_choice choice;
    dls_energy_ledger *ledger = NULL;
    assert_ok(dls_scheme_choose(schemes[k], &choice, &err), err);
    const dls_energy_spec spec = {.sys = sys, .choice = &choice, .step = 1e-2, .end = 12};
    assert_ok(dls_energy_run(&spec, &ledger, &err), err);
    assert_true(fabs(ledger->residual) <= 1e-13 * ledger->scale);
    assert_true(fabs(ledger->friction) > 1e-2 * ledger->scale);
    dls_energy_destroy(ledger);
    dls_system_destroy(sys);
  }
}

DLS_TEST(others_refuse_it)
{
  for (size_t k = 0; dls_schemes()[k] != NULL; k++) {
    const dls_scheme *scheme = dls_schemes()[k];
    dls_error err = {0};
    dls_sim *sim = NULL;
    dls_system *sys = dls_test_system(BELT);
    dls_status status = dls_sim_create(sys, scheme, &sim, &err);
    status = status != DLS_OK ? status : dls_sim_start(sim, &err);
    if (!(scheme->handles & DLS_HANDLES_STRIBECK)) {
      assert_int_equal(status, DLS_ERR_NOT_APPLICABLE);
      assert_non_null(strstr(err.text, (scheme->handles & DLS_HANDLES_FRICTION) ? "depends on the slip speed"
                                                                                : "friction"));
    }
    dls_sim_destroy(sim);
    dls_system_destroy(sys);
  }
}

/* However steep the curve and long the step: a coefficient that grows as the slip falls settles, at rest in the end. */
DLS_TEST(steep_curves_settle)
{
  test_run run = dls_test_run("puck-belt:vb=0,v0=3 stribeck:mu=0.1,mu_s=3,v_s=0.05", "moreau-jean", 0.1, 4);
  assert_close(run.sim->v[1], 0, 1e-12);
  assert_close(dls_test_value(&run, run.traj->rows - 1, "status0"), 1, 0);
  dls_test_free(&run);
}

DLS_TEST(values_that_make_no_curve_are_refused)
{
  dls_error err = {0};
  test_run run = dls_test_prepare("belt", "moreau-jean");
  run.sys->v_s[0] = 0.1;
  run.sys->mu_s[0] = 0.5 * run.sys->mu[0];
  assert_int_equal(dls_system_check(run.sys, &err), DLS_ERR_ARG);
  run.sys->mu_s[0] = 0;
  assert_int_equal(dls_system_check(run.sys, &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "Stribeck's curve needs v_s > 0 and mu_s >= mu"));
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slip_ends_when_the_curve_says),
      cmocka_unit_test(the_belt_lets_go_at_the_upper_end),
      cmocka_unit_test(steps_have_their_orders_against_events),
      cmocka_unit_test(a_flat_curve_is_coulombs),
      cmocka_unit_test(energy_balances),
      cmocka_unit_test(others_refuse_it),
      cmocka_unit_test(steep_curves_settle),
      cmocka_unit_test(values_that_make_no_curve_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
