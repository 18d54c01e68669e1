/* test_penalty_friction.c -- friction of contacts that yield: regularised laws against the exact motion of a mass on a belt,
 * creep, limits, the energy identity. Sources: errors of tanh from the theory of this project; exact solutions.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include "runs.h"
#include <delassus/energy.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define STEADY "spring-damper:damping=given,c=2000" /* the normal force settles within 0.01 s */

/* Integral over [0, 5] s of the error of q0 on the belt, at nodes of 1e-3 s. */
static double belt_error(const char *scheme)
{
  test_run run = dls_test_run("belt", scheme, 1e-3, 5);
  test_run reference = dls_test_run("belt", "moreau-jean", 1e-4, 5); /* error 4e-8 */
  double sum = 0;
  for (size_t i = 1; i < run.traj->rows; i++) {
    sum += 1e-3 * fabs(dls_test_value(&run, i, "q0") - dls_test_value(&reference, 10 * i, "q0"));
  }
  dls_test_free(&run);
  dls_test_free(&reference);
  return sum;
}

DLS_TEST(tanh_errs_in_proportion_to_its_width)
{
  assert_between(belt_error(STEADY ",friction=tanh,eps=1e-1"), 0.4635, 0.4645);
  assert_between(belt_error(STEADY ",friction=tanh,eps=1e-2"), 0.05675, 0.05685);
  assert_between(belt_error(STEADY ",friction=tanh,eps=1e-3"), 0.006785, 0.006795);
}

DLS_TEST(stiffer_models_err_less)
{
  assert_between(belt_error(STEADY), 0, 2e-5); /* Coulomb: 3.7e-6 */
  const double slider = belt_error(STEADY ",friction=spring-slider,k_t=1e3");
  assert_between(belt_error(STEADY ",friction=spring-slider,k_t=1e4") / slider, 0.05, 0.2);
  const double dahl = belt_error(STEADY ",friction=dahl,sigma=1e3");
  assert_between(belt_error(STEADY ",friction=dahl,sigma=1e4") / dahl, 0.05, 0.3);
  assert_between(belt_error(STEADY ",friction=lugre,sigma0=1e5,sigma1=300"), 1e-4, 0.02);
}

/* Place at t = 3 of the mass on the belt that stops at t1 = 1, on a spring without damping, by 3e6 steps of another kind: N = m g (1 - cos omega t) is
 * exact, and friction is the impulse within mu N dt that stops the slip if it can. */
static double place_on_spring(double omega)
{
  const double dt = 1e-6;
  double x = 0, v = 0;
  for (size_t i = 0; i < 3000000; i++) {
    const double t = ((double)i + 0.5) * dt, belt = t < 1 ? 0.5 : 0, most = (1 - cos(omega * t)) * dt;
    const double middle = x + 0.5 * dt * v, slip = v - dt * middle - belt;
    v = belt + slip - fmax(-most, fmin(slip, most));
    x = middle + 0.5 * dt * v;
  }
  return x;
}

static double place_by(const char *scheme, double h)
{
  test_run run = dls_test_run("belt:t1=1", scheme, h, 3);
  const double x = run.sim->q[0];
  dls_test_free(&run);
  return x;
}

/* The mass is not put down gently: N oscillates with omega = sqrt(kappa/m), and so do friction and the loss of energy. The place of rest is off by up to
 * 1/omega for every step, and by more as long as omega (h omega)^2 t/12, the error of the phase, is not small. */
DLS_TEST(support_that_oscillates_moves_the_place_of_rest)
{
  const double rigid = place_by("event-driven:tol=1e-11", 0), soft = place_on_spring(1e2),
               stiff = place_on_spring(1e3);
  assert_between(1e2 * (rigid - soft), 0.13, 0.14);
  assert_between(1e3 * (rigid - stiff), 0.72, 0.74);
  static const char *const schemes[] = {"standard-penalty", "conserving-penalty"};
  for (size_t k = 0; k < 2; k++) {
    const double coarse = place_by(schemes[k], 2e-5) - stiff, fine = place_by(schemes[k], 1e-5) - stiff;
    assert_between(fine, 1.2e-6, 1.6e-6);
    assert_between(coarse / fine, 3.8, 4.4); /* order two */
    assert_between(fabs(place_by(schemes[k], 1e-3) - stiff), 1e-4, 3e-3);
  }
}

/* A block that friction holds on an incline: tanh creeps with eps artanh(tan alpha/mu), the others stay. */
DLS_TEST(only_tanh_creeps)
{
  const double down = 9.81 * sin(0.3), creep = 1e-3 * atanh(tan(0.3) / 0.7);
  test_run run = dls_test_run("incline:alpha=0.3,mu=0.7,v0=0", STEADY ",friction=tanh", 1e-3, 1);
  assert_close(run.sim->v[0], -creep, 1e-8);
  dls_test_free(&run);
  run = dls_test_run("incline:alpha=0.3,mu=0.7,v0=0", STEADY ",friction=spring-slider", 1e-3, 1);
  assert_between(-run.sim->q[0], 0.9 * down / 1e4, 3 * down / 1e4);
  assert_between(fabs(run.sim->v[0]), 0, 0.05); /* it rings, with sqrt(k_t/m) */
  dls_test_free(&run);
  run = dls_test_run("incline:alpha=0.3,mu=0.7,v0=0", STEADY, 1e-3, 1);
  assert_close(run.sim->v[0], 0, 1e-10);
  assert_close(dls_test_value(&run, 900, "status0"), 1, 0);
  dls_test_free(&run);
}

/* In space: a sphere comes to roll with 5/7 of what its slip allows, whatever the law. */
DLS_TEST(a_sphere_rolls)
{
  static const char *const laws[] = {STEADY, STEADY ",friction=tanh,eps=1e-5", "standard-penalty",
                                     "conserving-penalty"};
  for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++) {
    test_run run = dls_test_run("sphere", laws[k], 1e-3, 1.5);
    const double u[] = {1 - 0.1 * 20, 0.5 + 0.1 * 30}; /* slip at the start */
    assert_close(run.sim->v[0], 1 - 2 * u[0] / 7, 1e-3);
    assert_close(run.sim->v[1], 0.5 - 2 * u[1] / 7, 1e-3);
    dls_test_free(&run);
  }
}

/* r never exceeds mu f, and is mu f where it slips; dahl, which remembers r, may where f falls. */
DLS_TEST(friction_is_limited)
{
  static const char *const laws[] = {STEADY, STEADY ",friction=tanh", STEADY ",friction=spring-slider",
                                     "conserving-penalty:continuum=hht"};
  for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++) {
    test_run run = dls_test_run("belt", laws[k], 1e-3, 3);
    size_t slips = 0;
    for (size_t i = 1; i < run.traj->rows; i++) {
      const double most = dls_test_value(&run, i, "lambda0") / 9.81; /* F = m g mu */
      const double r = fabs(dls_test_value(&run, i, "lambda0t"));
      assert_true(r <= most * (1 + 1e-6) + 1e-7);
      slips += dls_test_value(&run, i, "status0") == 2;
    }
    assert_between((double)slips, 300, 2500);
    dls_test_free(&run);
  }
}

DLS_TEST(without_friction_nothing_changes)
{
  static const char *const schemes[] = {STEADY, "standard-penalty", "conserving-penalty"};
  for (size_t k = 0; k < 3; k++) {
    test_run newton = dls_test_run("bounce-slip newton", schemes[k], 1e-3, 1);
    test_run zero = dls_test_run("bounce-slip:mu=0", schemes[k], 1e-3, 1);
    for (size_t i = 0; i < newton.sys->n; i++) {
      assert_true(newton.sim->q[i] == zero.sim->q[i] && newton.sim->v[i] == zero.sim->v[i]);
    }
    dls_test_free(&newton);
    dls_test_free(&zero);
  }
}

DLS_TEST(the_identity_of_energy_holds)
{
  static const char *const schemes[] = {"standard-penalty", "standard-penalty:continuum=trapezoidal",
                                        "conserving-penalty", "conserving-penalty:theta=0.8"};
  static const char *const models[] = {"belt", "bounce-slip", "sphere"};
  for (size_t k = 0; k < 12; k++) {
    dls_error err = {0};
    dls_system *sys = dls_test_system(models[k % 3]);
    dls_scheme_choice choice;
    dls_energy_ledger *ledger = NULL;
    assert_ok(dls_scheme_choose(schemes[k / 3], &choice, &err), err);
    const dls_energy_spec spec = {.sys = sys, .choice = &choice, .step = 1e-3, .end = 2};
    assert_ok(dls_energy_run(&spec, &ledger, &err), err);
    assert_true(fabs(ledger->residual) <= 1e-13 * ledger->scale);
    assert_close(ledger->impact, 0, 0);
    assert_true(ledger->sliding < -1e-3 * ledger->scale);
    assert_true(k % 3 > 0 || ledger->drive > 1e-3 * ledger->scale); /* the belt's */
    dls_energy_destroy(ledger);
    dls_system_destroy(sys);
  }
}

/* Normal forces and friction of all contacts in one Newton's method, redundant contacts and slip that sets in included. */
DLS_TEST(a_step_of_a_pile_takes_a_handful_of_iterations)
{
  static const char *const models[] = {"block-pyramid", "block-wall", "block-column", "lattice-pile",
                                       "woodpecker"};
  static const char *const schemes[] = {"standard-penalty", "conserving-penalty"};
  for (size_t k = 0; k < 10; k++) {
    test_run run = dls_test_run(models[k / 2], schemes[k % 2], 1e-3, 0.15);
    assert_between((double)run.sim->work.newton_iterations / 150, 1, 8);
    dls_test_free(&run);
  }
}

/* In every step of a pile of blocks that is let go the forces of all contacts obey the law: |r| <= mu f, and where the slip at
 * the middle of the step is not 0 friction is mu f against it. */
DLS_TEST(the_law_holds_at_every_contact_of_a_pile)
{
  /* The default 1e-11 of the velocity of a slip moves a force by up to 1e-8 of it. */
  test_run run =
      dls_test_run("block-wall:mu=0.2,alpha=0.3,v0=0.5", "conserving-penalty:newton_tol=1e-13", 1e-3, 0.1);
  size_t slips = 0, sticks = 0;
  for (size_t i = 1; i < run.traj->rows; i++) {
    for (size_t j = 0; j < run.sys->m; j++) {
      char f[40], r[40], u[40];
      snprintf(f, sizeof f, "lambda%zu", j);
      snprintf(r, sizeof r, "lambda%zut", j);
      snprintf(u, sizeof u, "u%zut", j);
      const double most = run.sys->mu[j] * dls_test_value(&run, i, f), force = dls_test_value(&run, i, r);
      const double slip = 0.5 * (dls_test_value(&run, i - 1, u) + dls_test_value(&run, i, u)); /* midpoint */
      assert_true(fabs(force) <= most * (1 + 1e-9) + 1e-12);
      assert_true(fabs(slip) <= 1e-9 || fabs(force * fabs(slip) + most * slip) <= 1e-6 * most * fabs(slip));
      slips += fabs(slip) > 1e-9 && most > 0;
      sticks += fabs(slip) <= 1e-9 && most > 0;
    }
  }
  assert_between((double)slips, 10, 1e6);
  assert_between((double)sticks, 10, 1e6);
  dls_test_free(&run);
}

DLS_TEST(iterations_that_do_not_converge_are_a_failure)
{
  dls_error err = {0};
  test_run run = dls_test_prepare("block-pyramid", "conserving-penalty:newton_max=1");
  dls_status status = dls_sim_start(run.sim, &err);
  for (size_t i = 0; i < 300 && status == DLS_OK; i++) {
    status = dls_sim_advance(run.sim, 1e-3, &err);
  }
  assert_int_equal(status, DLS_ERR_NOCONV);
  assert_non_null(strstr(err.text, "conserving-penalty at t = "));
  assert_non_null(strstr(err.text, "newton_max = 1 iterations"));
  dls_test_free(&run);
}

DLS_TEST(values_without_effect_are_refused)
{
  dls_error err = {0};
  dls_scheme_choice choice;
  assert_int_equal(dls_scheme_choose("spring-damper:eps=1e-4", &choice, &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "friction=coulomb"));
  assert_int_equal(dls_scheme_choose("spring-damper:friction=tanh,k_t=3", &choice, &err), DLS_ERR_OPTION);
  assert_int_equal(dls_scheme_choose("spring-damper:friction=tanh,eps=0", &choice, &err), DLS_ERR_OPTION);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tanh_errs_in_proportion_to_its_width),
      cmocka_unit_test(stiffer_models_err_less),
      cmocka_unit_test(support_that_oscillates_moves_the_place_of_rest),
      cmocka_unit_test(only_tanh_creeps),
      cmocka_unit_test(a_sphere_rolls),
      cmocka_unit_test(friction_is_limited),
      cmocka_unit_test(without_friction_nothing_changes),
      cmocka_unit_test(the_identity_of_energy_holds),
      cmocka_unit_test(a_step_of_a_pile_takes_a_handful_of_iterations),
      cmocka_unit_test(the_law_holds_at_every_contact_of_a_pile),
      cmocka_unit_test(iterations_that_do_not_converge_are_a_failure),
      cmocka_unit_test(values_without_effect_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
