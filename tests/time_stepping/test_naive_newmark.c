/* test_naive_newmark.c -- the schemes that fail do so as their closed forms say: a free ball of speed V meets the
 * floor at sigma h V of the gap of the step that reacts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "newmark_systems.h"
#include <delassus/quality.h>
#include <stdio.h>
#include <string.h>

/* Speed after the first impact over the speed before, V = 1; some steps later nothing changes any more. */
static double restitution(const char *scheme, double e, double h, double sigma)
{
  char model[120];
  snprintf(model, sizeof model, "bouncing-ball:f=0,e=%.17g,v0=-1,q0=%.17g", e, (3 + sigma) * h);
  test_run run = dls_test_run(model, scheme, h, 12 * h);
  dls_error err = {0};
  dls_quality quality;
  const double speed = run.sim->v[0];
  double impulse = 0;
  for (size_t i = 0; i < run.traj->rows; i++) {
    impulse += dls_test_value(&run, i, "p0");
  }
  assert_close(impulse, 1 + speed, 1e-12); /* p is the momentum that the steps transmit */
  assert_ok(dls_quality_measure(run.sim, run.traj, &quality, &err), err);
  assert_int_equal(quality.impacts, 1);
  assert_close(quality.restitution_mean, speed, 1e-12); /* the event tells the same */
  assert_close(run.sim->lambda[0], 0, 0);
  dls_test_free(&run);
  return speed;
}

/* e + ((1 - gamma)/gamma) (1 + e), for every step and place of the impact in it. */
DLS_TEST(newmark_at_velocity_level_returns_too_much)
{
  static const double gammas[] = {0.5, 0.6, 0.75, 1};
  static const double es[] = {0, 0.5, 0.9};
  for (size_t i = 0; i < 4; i++) {
    for (size_t j = 0; j < 3; j++) {
      char scheme[100];
      const double e = es[j];
      const double expected = e + (1 - gammas[i]) / gammas[i] * (1 + e);
      snprintf(scheme, sizeof scheme, "newmark-velocity-contact:gamma=%g,beta=0.5", gammas[i]);
      assert_close(restitution(scheme, e, 1e-2, 0.3), expected, 1e-11);
      assert_close(restitution(scheme, e, 1e-4, 0.8), expected, 1e-11);
    }
  }
  assert_close(restitution("newmark-velocity-contact", 0.9, 1e-3, 0.5), 2.8, 1e-11);
}

/* (1 + e)/(gamma (1 - alpha)) - 1 */
DLS_TEST(hht_at_velocity_level_returns_too_much)
{
  static const double alphas[] = {0, 0.1, 0.25, 0.33};
  for (size_t i = 0; i < 4; i++) {
    char scheme[100];
    const double alpha = alphas[i];
    snprintf(scheme, sizeof scheme, "hht-velocity-contact:alpha=%g", alpha);
    assert_close(restitution(scheme, 0.9, 1e-3, 0.4), 1.9 / ((0.5 + alpha) * (1 - alpha)) - 1, 1e-11);
    assert_close(restitution(scheme, 0.2, 1e-2, 0.7), 1.2 / ((0.5 + alpha) * (1 - alpha)) - 1, 1e-11);
  }
}

/* gamma = 1/2, beta = 1/4: 3 - 4 sigma while one step reacts, 8 sigma - 5 when two do, whatever e. */
DLS_TEST(newmark_at_position_level_depends_on_the_grid)
{
  for (double sigma = 0.05; sigma < 1; sigma += 0.1) {
    const double expected = sigma < 2. / 3 ? 3 - 4 * sigma : 8 * sigma - 5;
    assert_close(restitution("newmark-position-contact", 0.9, 1e-2, sigma), expected, 1e-9);
    assert_close(restitution("newmark-position-contact", 0, 1e-4, sigma), expected, 1e-9);
    assert_close(restitution("newmark-position-contact:gamma=1,beta=0.5", 0.9, 1e-2, sigma),
                 fabs(1 - 2 * sigma), 1e-9);
  }
}

/* (1 - sigma)/(beta (1 - alpha)) - 1 while one step reacts. */
DLS_TEST(hht_at_position_level_depends_on_the_grid)
{
  for (double sigma = 0.05; sigma < 0.6; sigma += 0.1) {
    const double beta = 1.1 * 1.1 / 4;
    assert_close(restitution("hht-position-contact", 0.9, 1e-2, sigma), (1 - sigma) / (beta * 0.9) - 1, 1e-9);
  }
  assert_close(restitution("hht-position-contact:alpha=0", 0.9, 1e-2, 0.3), 3 - 4 * 0.3, 1e-9);
}

/* The slides' ball: g = 9.81, e = 0.9, h = 1e-3, from 1 m: 4.424 m/s in, 12.39 m/s out. */
DLS_TEST(falling_ball_jumps_higher)
{
  dls_error err = {0};
  dls_quality quality;
  test_run run = dls_test_run("bouncing-ball:f=-9.81,e=0.9", "newmark-velocity-contact", 1e-3, 0.5);
  const dls_event *impact = &run.traj->events[0];
  assert_int_equal(run.traj->event_count, 1);
  assert_close(impact->u_minus, -4.424, 5e-4);
  assert_close(impact->u_plus, 12.39, 0.01);
  assert_ok(dls_quality_measure(run.sim, run.traj, &quality, &err), err);
  assert_between(quality.restitution_mean, 2.8 * 0.99, 2.8 * 1.01);
  dls_test_free(&run);
  /* at position level its restitution depends on the height it falls from: 1 mm apart */
  double least = HUGE_VAL, largest = 0;
  for (double q0 = 1; q0 < 1.01; q0 += 1e-3) {
    char model[80];
    snprintf(model, sizeof model, "bouncing-ball:f=-9.81,e=0.9,q0=%.17g", q0);
    run = dls_test_run(model, "newmark-position-contact", 1e-3, 0.5);
    const double e = -run.traj->events[0].u_plus / run.traj->events[0].u_minus;
    least = fmin(least, e);
    largest = fmax(largest, e);
    dls_test_free(&run);
  }
  assert_between(least, 0.33, 1);
  assert_between(largest, 2, 3);
}

/* gamma = 1 is consistent: order 1 through the accumulation. */
DLS_TEST(fully_implicit_newmark_converges)
{
  assert_close(restitution("fully-implicit-newmark", 0.9, 1e-3, 0.4), 0.9, 1e-11);
  const test_orders got =
      dls_test_orders((test_study){"bouncing-ball", "fully-implicit-newmark", "l1", NULL, 4, 2e-2, 2e-4, 7, 8});
  assert_between(got.q.order, 0.85, 1.15);
  assert_between(got.v.order, 0.85, 1.15);
  assert_between(got.q.constant, 0.1, 100);
}

/* The others do not: the error of the coarsest step stays. */
DLS_TEST(the_others_do_not_converge)
{
  static const char *const schemes[] = {"newmark-velocity-contact", "newmark-position-contact",
                                        "hht-velocity-contact", "hht-position-contact"};
  for (size_t i = 0; i < 4; i++) {
    const dls_fit fit =
        dls_test_order((test_study){"impacting-oscillator", schemes[i], "l1", "q", 4, 2e-2, 2e-4, 6, 8});
    assert_between(fit.order, -0.4, 0.4);
  }
}

/* Without contact they are Newmark and HHT. */
DLS_TEST(free_motion_is_that_of_the_method)
{
  static const char *const pairs[][2] = {
      {"newmark-position-contact:gamma=0.7,beta=0.4", "nonsmooth-newmark:gamma=0.7,beta=0.4"},
      {"newmark-velocity-contact", "nonsmooth-newmark"},
      {"hht-position-contact:alpha=0.2", "nonsmooth-hht:alpha=0.2"},
      {"hht-velocity-contact:alpha=0.2", "nonsmooth-hht:alpha=0.2"},
      {"fully-implicit-newmark", "nonsmooth-newmark:gamma=1,beta=0.5625"}};
  scalar_data d = {.m = 2, .c = 0.3, .k = 9, .f = 4, .omega = 3, .stop = -10, .e = 0.6, .q0 = 1, .v0 = -0.5};
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    dls_error err = {0};
    dls_system *sys = scalar_system(&d);
    dls_sim *naive = sim_of(sys, pairs[i][0]);
    dls_sim *method = sim_of(sys, pairs[i][1]);
    assert_ok(dls_run(naive, &(dls_run_spec){.step = 0.02, .end = 20}, &err), err);
    assert_ok(dls_run(method, &(dls_run_spec){.step = 0.02, .end = 20}, &err), err);
    assert_close(naive->q[0], method->q[0], 1e-12);
    assert_close(naive->v[0], method->v[0], 1e-12);
    dls_sim_destroy(naive);
    dls_sim_destroy(method);
    dls_system_destroy(sys);
    assert_close(
        dls_test_order((test_study){"bouncing-pendulum", pairs[i][0], "grid-max", "q", 0.4, 2e-2, 1e-3, 5, 2})
            .order,
        dls_test_order((test_study){"bouncing-pendulum", pairs[i][1], "grid-max", "q", 0.4, 2e-2, 1e-3, 5, 2})
            .order,
        1e-6);
  }
}

/* Nonlinear gap: what the scheme asks for at the end of the step holds there. */
DLS_TEST(nonlinear_constraint_holds_where_it_is_asked_for)
{
  test_run run = dls_test_run("bouncing-pendulum", "newmark-position-contact", 1e-3, 2);
  assert_true(run.sim->work.impacts > 0);
  assert_close(fmin(run.sim->worst_gap, 0), 0, 1e-12);
  assert_between((double)run.sim->work.newton_iterations / (double)run.sim->work.steps, 2, 3);
  dls_test_free(&run);
}

/* A column that starts at rest: the contact forces are the static loads from t = 0 on. */
DLS_TEST(rest_at_the_start_stays)
{
  static const char *const schemes[] = {"newmark-position-contact", "newmark-velocity-contact",
                                        "hht-position-contact", "hht-velocity-contact",
                                        "fully-implicit-newmark"};
  for (size_t s = 0; s < 5; s++) {
    test_run run = dls_test_run("bead-column:N=4,gap=0,m=0.5", schemes[s], 1e-3, 5e-3);
    for (size_t i = 0; i < 4; i++) {
      assert_close(run.sim->lambda[i], (double)(4 - i) * 0.5 * 9.81, 1e-7);
      assert_close(dls_test_value(&run, 0, i == 0 ? "lambda0" : "lambda3"), (i == 0 ? 4 : 1) * 0.5 * 9.81,
                   1e-12);
      assert_close(run.sim->p[i], 1e-3 * run.sim->lambda[i], 1e-9);
    }
    dls_test_free(&run);
  }
}

DLS_TEST(coefficients_out_of_range_are_refused)
{
  static const struct {
    const char *scheme, *message;
  } cases[] = {
      {"newmark-position-contact:gamma=0.9,beta=0.1",
       "scheme newmark-position-contact: gamma = 0.9, beta = 0.1 is"},
      {"newmark-velocity-contact:gamma=0.4",
       "scheme newmark-velocity-contact: gamma = 0.4, beta = 0.25 is not"},
      {"newmark-position-contact:beta=0", "beta = 0 is outside (0, 1]"},
      {"newmark-velocity-contact:gamma=0", "gamma = 0 is outside (0, 1]"},
      {"hht-velocity-contact:alpha=0.4", "alpha = 0.4 is outside [0, 0.333"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    dls_error err = {0};
    dls_scheme_choice choice;
    assert_int_equal(dls_scheme_choose(cases[i].scheme, &choice, &err), DLS_ERR_OPTION);
    if (strstr(err.text, cases[i].message) == NULL) {
      fail_msg("%s: %s", cases[i].scheme, err.text);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(newmark_at_velocity_level_returns_too_much),
      cmocka_unit_test(hht_at_velocity_level_returns_too_much),
      cmocka_unit_test(newmark_at_position_level_depends_on_the_grid),
      cmocka_unit_test(hht_at_position_level_depends_on_the_grid),
      cmocka_unit_test(falling_ball_jumps_higher),
      cmocka_unit_test(fully_implicit_newmark_converges),
      cmocka_unit_test(the_others_do_not_converge),
      cmocka_unit_test(free_motion_is_that_of_the_method),
      cmocka_unit_test(nonlinear_constraint_holds_where_it_is_asked_for),
      cmocka_unit_test(rest_at_the_start_stays),
      cmocka_unit_test(coefficients_out_of_range_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
