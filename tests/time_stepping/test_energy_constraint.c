/* test_energy_constraint.c -- the trapezoidal rule with its energy as a constraint: kept to rounding where the rule alone makes or loses
 * it, nothing changed where the rule keeps it, second order, and the price, momenta.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "ledgers.h"
#include "models.h"
#include "runs.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The largest |gain| of a step by impacts and numerical terms, of the energy scale; the books are right in every step. */
static double largest_gain(const char *model, const char *energy, double step, double end)
{
  char scheme[100];
  snprintf(scheme, sizeof scheme, "standard-penalty:continuum=trapezoidal,kappa=1e4,energy=%s", energy);
  dls_energy_ledger *l = dls_test_ledger(model, scheme, step, end);
  double most = 0;
  for (size_t row = 1; row < l->rows->rows; row++) {
    const double gain = dls_test_entry(l, row, "num_quadrature") + dls_test_entry(l, row, "num_contact") +
                        dls_test_entry(l, row, "num_multiplier");
    most = fmax(most, fabs(gain));
    assert_close(dls_test_entry(l, row, "residual"), 0, 5e-12 * l->scale);
  }
  const double scale = l->scale;
  dls_energy_destroy(l);
  return most / scale;
}

/* Closing and opening inside steps, curved gaps, large rotations; also steps that do not resolve the spring. */
DLS_TEST(every_step_keeps_the_energy)
{
  static const struct {
    const char *model;
    double step, end;
  } runs[] = {
      {"bouncing-ball", 0.003, 10},       {"bouncing-ball", 0.05, 30}, {"impacting-oscillator", 0.013, 30},
      {"two-ball-oscillator", 0.007, 10}, {"rod-impact", 0.02, 10},    {"rope", 0.01, 1.5},
      {"bouncing-pendulum", 0.01, 10},    {"flying-beam", 0.01, 2}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    const double free_gain = largest_gain(runs[i].model, "free", runs[i].step, runs[i].end),
                 kept_gain = largest_gain(runs[i].model, "constraint", runs[i].step, runs[i].end);
    print_message("%-22s h = %g: %.1e, constrained %.1e\n", runs[i].model, runs[i].step, free_gain, kept_gain);
    assert_between(free_gain, 5e-4, 10);
    /* a nonlinear system's energy follows from forces along the way, by a formula of degree 7 */
    assert_between(kept_gain, 0, 4e-13);
  }
}

/* A beam that turns freely with long steps: the rule alone finds no step after 20 s. */
DLS_TEST(large_rotations_do_not_blow_up)
{
  static const char model[] = "flying-beam:wall=off,EA=1e6,GA=1e6,omega=2";
  dls_energy_ledger *l =
      dls_test_ledger(model, "standard-penalty:continuum=trapezoidal,energy=constraint", 0.1, 22);
  const size_t last = l->rows->rows - 1;
  assert_close(dls_test_entry(l, last, "mechanical"), 537.9952386, 1e-5);
  /* and the price: no force acts, yet momentum changes, which the rule alone keeps */
  assert_between(fabs(dls_test_entry(l, last, "px") + 50), 1e-2, 10);
  dls_energy_destroy(l);
  l = dls_test_ledger(model, "standard-penalty:continuum=trapezoidal", 0.1, 10);
  assert_close(dls_test_entry(l, l->rows->rows - 1, "px"), -50, 1e-9);
  assert_between(fabs(dls_test_entry(l, l->rows->rows - 1, "mechanical") - 537.9952386), 1, 1e4);
  dls_energy_destroy(l);
}

/* The rule keeps the energy of linear systems between contacts: the multiplier does nothing. */
DLS_TEST(it_is_the_rule_where_that_keeps_the_energy)
{
  test_run kept = dls_test_run("two-ball-oscillator",
                               "standard-penalty:continuum=trapezoidal,kappa=1e4,energy=constraint", 0.01, 0.3),
           rule = dls_test_run("two-ball-oscillator", "standard-penalty:continuum=trapezoidal,kappa=1e4", 0.01,
                               0.3);
  assert_int_equal(kept.traj->event_count, 0);
  for (size_t i = 0; i < kept.sim->sys->n; i++) {
    assert_close(kept.sim->q[i], rule.sim->q[i], 1e-11 * rule.sim->sys->length);
    assert_close(kept.sim->v[i], rule.sim->v[i], 1e-11 * rule.sim->sys->length / rule.sim->sys->time);
  }
  dls_test_free(&kept);
  dls_test_free(&rule);
}

/* Before the hurdle, against events located with tol 1e-12: errors of many steps, whose logarithms are fitted. */
DLS_TEST(it_is_of_second_order)
{
  enum { STEPS = 24 };
  const double end = 0.3;
  test_run exact = dls_test_run("bouncing-pendulum", "event-driven:tol=1e-12", 1, end);
  double sum[4] = {0};
  for (size_t k = 0; k < STEPS; k++) {
    const double step = end / floor(10 * pow(1.21, (double)k)), x = log(step);
    test_run run = dls_test_run("bouncing-pendulum", "standard-penalty:continuum=trapezoidal,energy=constraint",
                                step, end);
    const double y = log(fabs(run.sim->q[0] - exact.sim->q[0]));
    sum[0] += x, sum[1] += y, sum[2] += x * x, sum[3] += x * y;
    dls_test_free(&run);
  }
  const double slope = (STEPS * sum[3] - sum[0] * sum[1]) / (STEPS * sum[2] - sum[0] * sum[0]);
  print_message("order %.3f\n", slope);
  assert_between(slope, 1.95, 2.05);
  dls_test_free(&exact);
}

/* --- refusals --- */

static void refused(const char *model, const char *options, const char *why)
{
  dls_error err = {0};
  char scheme[120];
  snprintf(scheme, sizeof scheme, "standard-penalty:energy=constraint%s", options);
  dls_system *sys = dls_test_system(model);
  dls_scheme_choice choice = {0};
  dls_sim *sim = NULL;
  dls_status status = dls_scheme_choose(scheme, &choice, &err);
  status = status != DLS_OK ? status : dls_scheme_choice_sim(&choice, sys, &sim, &err);
  status = status != DLS_OK ? status : dls_run(sim, &(dls_run_spec){.step = 0.01, .end = 0.1}, &err);
  assert_int_not_equal(status, DLS_OK);
  print_message("%s\n", err.text);
  assert_non_null(strstr(err.text, why));
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

DLS_TEST(what_has_no_energy_to_keep_is_refused)
{
  refused("bouncing-ball", "", "needs continuum = trapezoidal; it is midpoint");
  refused("bouncing-ball", ",continuum=trapezoidal,augmentations=2", "it is 2");
  refused("incline", ",continuum=trapezoidal", "does not work with friction");
  refused("vibrating-table", ",continuum=trapezoidal", "does not work with gaps that move");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_step_keeps_the_energy),
      cmocka_unit_test(large_rotations_do_not_blow_up),
      cmocka_unit_test(it_is_the_rule_where_that_keeps_the_energy),
      cmocka_unit_test(it_is_of_second_order),
      cmocka_unit_test(what_has_no_energy_to_keep_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
