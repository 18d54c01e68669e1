/* test_slip_orders.c -- friction in schemes other than Moreau-Jean and its kin: orders against exact solutions, what
 * they do at switching points, what they refuse. Source: orders measured by this project.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider.h"
#include "models.h"
#include "runs.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Position level: friction on the central velocity. */
DLS_TEST(schatzman_paoli_has_its_orders)
{
  static const test_claim claims[] = {
      {"belt", "schatzman-paoli", "l1", 5, 1.8, 2.25, 1.8, 2.25},
      {"forced-block", "schatzman-paoli", "l1", 8, 1.75, 2.25, 1.8, 2.2},
      {"den-hartog", "schatzman-paoli", "l1", 8, 0.7, 1.6, 0.7, 1.6},
      {"puck", "schatzman-paoli", "l1", 0.4, 1.9, 2.1, 1.9, 2.1},
      {"bounce-slip", "schatzman-paoli", "l1", 2.2, 0.8, 1.15, 0.65, 1.1},
      {"belt", "schatzman-paoli:theta=0.5", "l1", 5, 0.95, 1.05, 0.95, 1.05},
  };
  dls_test_claims(claims, sizeof claims / sizeof claims[0]);
}

/* Contact at three levels. */
DLS_TEST(three_levels_have_their_orders)
{
  static const test_claim claims[] = {
      {"belt", "three-level-alpha", "l1", 5, 1.8, 2.2, 1.8, 2.2},
      {"belt", "three-level-alpha:rho_inf=0.5", "l1", 5, 1.8, 2.2, 1.8, 2.2},
      {"forced-block", "three-level-alpha", "l1", 8, 1.8, 2.2, 1.8, 2.2},
      {"den-hartog", "three-level-alpha", "l1", 8, 0.7, 1.6, 0.7, 1.6},
      {"puck", "three-level-alpha", "l1", 0.4, 0.95, 1.05, 0.95, 1.05},
      {"bounce-slip", "three-level-alpha", "l1", 2.2, 0.7, 1.15, 0.7, 1.1},
      {"bouncing-ball", "three-level-alpha", "l1", 2.5, 0.85, 1.15, 0.85, 1.15},
  };
  dls_test_claims(claims, sizeof claims / sizeof claims[0]);
}

/* No gap below zero, none that drifts, and lambda is the force: m g, and what the spring takes, up to F, while the mass
 * sticks. */
DLS_TEST(three_levels_hold_gaps_and_tell_forces)
{
  test_run run = dls_test_run("belt", "three-level-alpha", 1e-2, 5);
  for (size_t i = 0; i < run.traj->rows; i++) {
    assert_close(dls_test_value(&run, i, "g0"), 0, 1e-14);
    assert_close(dls_test_value(&run, i, "lambda0"), 9.81, 1e-11);
    const double status = dls_test_value(&run, i, "status0"), friction = dls_test_value(&run, i, "lambda0t");
    assert_close(status == 1 ? friction - fmin(dls_test_value(&run, i, "q0"), 1) : fabs(friction) - 1, 0,
                 1e-11);
  }
  dls_test_free(&run);
  static const char *const models[] = {"bouncing-pendulum", "bead-column", "elastic-bar", "woodpecker",
                                       "sphere"};
  for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
    run = dls_test_run(models[k], "three-level-alpha", 1e-3, 1);
    assert_true(run.sim->worst_gap > -1e-10 * run.sys->length);
    dls_test_free(&run);
  }
}

/* Beginnings and ends of slip are bracketed; between nodes q and v are cubic. */
DLS_TEST(rk_moreau_has_the_order_of_its_method)
{
  static const test_claim claims[] = {
      {"belt", "rk-moreau", "l1", 5, 3.8, 4.2, 3.8, 4.2},
      {"forced-block", "rk-moreau", "l1", 8, 3.8, 4.2, 3.8, 4.2},
      {"puck", "rk-moreau", "l1", 0.4, 3.8, 5.2, 4.4, 5.4},
      {"belt", "rk-moreau:method=heun", "l1", 5, 1.8, 2.2, 1.8, 2.2},
  };
  dls_test_claims(claims, sizeof claims / sizeof claims[0]);
}

/* A reversal without stick is an event like others. */
DLS_TEST(rk_moreau_reverses_slip)
{
  test_run coarse = dls_test_run("den-hartog", "rk-moreau", 0.02, 8);
  test_run fine = dls_test_run("den-hartog", "rk-moreau:method=rkf78", 0.005, 8);
  assert_close(coarse.sim->q[0], fine.sim->q[0], 1e-7);
  assert_close(coarse.sim->v[0], fine.sim->v[0], 1e-7);
  dls_test_free(&coarse);
  dls_test_free(&fine);
  dls_error err = {0};
  test_run implicit = dls_test_prepare("den-hartog", "rk-moreau:method=radau5");
  assert_int_equal(dls_sim_start(implicit.sim, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "method=radau5 does not treat friction"));
  dls_test_free(&implicit);
}

/* Forces of slips that are given, and slips caught at the end of a step. */
DLS_TEST(acceleration_level_has_its_orders)
{
  static const test_claim claims[] = {
      {"belt", "splitting-rkf45", "l1", 5, 1.5, 2.3, 1.6, 2.2},
      {"forced-block", "splitting-rkf45", "l1", 8, 1.7, 2.4, 1.8, 2.2},
      {"den-hartog", "splitting-rkf45", "l1", 8, 0.6, 1.3, 0.6, 1.3},
      {"puck", "splitting-rkf45", "l1", 0.4, 4, 5.2, 4.4, 5.4},
      {"bounce-slip", "splitting-rkf45", "l1", 2.2, 0.8, 1.4, 0.8, 1.3},
      {"belt", "tdg-d1-minus", "l1", 5, 1.8, 2.25, 1.8, 2.2},
      {"forced-block", "tdg-d1-minus", "l1", 8, 1.8, 2.2, 1.9, 2.1},
      {"den-hartog", "tdg-d1-minus", "l1", 8, 0.6, 1.3, 0.6, 1.3},
      {"puck", "tdg-d1-minus", "l1", 0.4, 1.95, 2.05, 1.95, 2.1},
      {"bounce-slip", "tdg-d1-minus", "l1", 2.2, 0.8, 1.4, 0.8, 1.3},
      {"belt", "tdg-d1-minus:level=velocity", "l1", 5, 1.8, 2.2, 1.8, 2.2},
      {"forced-block", "tdg-d1-minus:level=velocity", "l1", 8, 1.9, 2.2, 1.9, 2.1},
      {"den-hartog", "tdg-d1-minus:level=velocity", "l1", 8, 0.7, 1.6, 0.7, 1.6},
      {"puck", "tdg-d1-minus:level=velocity", "l1", 0.4, 0.95, 1.05, 0.95, 1.05},
  };
  dls_test_claims(claims, sizeof claims / sizeof claims[0]);
}

/* Largest difference of q0 at the nodes to an event-free reference of much smaller steps. */
static double error_at_end(const char *model, const char *scheme, double step, double end,
                           const test_run *reference)
{
  test_run run = dls_test_run(model, scheme, step, end);
  const double error = fabs(run.sim->q[0] - reference->sim->q[0]);
  dls_test_free(&run);
  return error;
}

/* Changes of status are switching points: halved, and not extrapolated across; errors far below those of order two. */
DLS_TEST(extrapolation_stops_at_changes_of_status)
{
  static const char *const models[] = {"belt", "forced-block"};
  for (size_t i = 0; i < 2; i++) {
    test_run reference = dls_test_run(models[i], "moreau-jean", 1e-5, 5);
    const double plain = error_at_end(models[i], "moreau-jean", 1e-2, 5, &reference);
    const double extrapolated = error_at_end(models[i], "moreau-jean-extrapolated", 1e-2, 5, &reference);
    assert_between(extrapolated, 0, 1e-6);
    assert_true(plain > 3 * extrapolated);
    dls_test_free(&reference);
  }
}

/* In space the direction of slip makes the base scheme first order; Fremond's law does not. */
DLS_TEST(extrapolation_knows_the_order_of_a_slip_that_turns)
{
  static const char *const laws[] = {"puck", "puck fremond"};
  for (size_t i = 0; i < 2; i++) {
    test_run reference = dls_test_run(laws[i], "moreau-jean-extrapolated:sequence=1-2-4-6", 1e-3, 0.2);
    const double coarse = error_at_end(laws[i], "moreau-jean-extrapolated:sequence=1-2", 2e-2, 0.2, &reference);
    const double fine = error_at_end(laws[i], "moreau-jean-extrapolated:sequence=1-2", 1e-2, 0.2, &reference);
    assert_between(log2(coarse / fine), i == 0 ? 1.7 : 3.4,
                   i == 0 ? 2.4 : 4.6); /* 2 of order 1, 4 of order 2 */
    dls_test_free(&reference);
  }
}

/* Errors fall with the tolerance, through every change of status; those of single runs scatter by the place of the nodes. */
DLS_TEST(adaptive_steps_follow_the_tolerance)
{
  static const char *const schemes[] = {"moreau-jean-adaptive", "moreau-jean-extrapolated-adaptive"};
  static const struct {
    const char *tol;
    double most;
  } cases[] = {{"1e-4", 1e-3}, {"1e-6", 2e-4}, {"1e-8", 2e-5}, {"1e-10", 2e-6}};
  test_run reference = dls_test_run("belt", "moreau-jean", 1e-5, 5);
  for (size_t i = 0; i < 2; i++) {
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
      char scheme[80];
      snprintf(scheme, sizeof scheme, "%s:tol=%s", schemes[i], cases[k].tol);
      assert_between(error_at_end("belt", scheme, 0.1, 5, &reference), 1e-10, cases[k].most);
    }
  }
  dls_test_free(&reference);
}

/* The impulse of a step is what friction did, also where the steps are those of inner runs. */
DLS_TEST(tangential_impulses_are_recorded)
{
  static const char *const schemes[] = {"moreau-jean-adaptive", "moreau-jean-extrapolated", "schatzman-paoli"};
  for (size_t k = 0; k < 3; k++) {
    test_run run = dls_test_run("incline:alpha=0,v0=1,mu=0.3", schemes[k], 1e-2, 0.2);
    double sum = 0;
    for (size_t i = 1; i < run.traj->rows; i++) {
      sum += dls_test_value(&run, i, "p0t");
    }
    assert_close(sum, run.sim->v[0] - 1, 1e-9);
    assert_between(sum, -0.6, -0.58);
    assert_close(dls_test_value(&run, 5, "status0"), 2, 0);
    dls_test_free(&run);
  }
}

DLS_TEST(laws_that_a_scheme_has_no_place_for_are_refused)
{
  static const char *const models[] = {"bounce-slip moreau", "superball"};
  for (size_t i = 0; i < 2; i++) {
    dls_error err = {0};
    test_run run = dls_test_prepare(models[i], "schatzman-paoli");
    assert_int_equal(dls_sim_start(run.sim, &err), DLS_ERR_NOT_APPLICABLE);
    assert_non_null(strstr(err.text, "opposes the central velocity"));
    dls_test_free(&run);
  }
}

/* A body sticks to surfaces, which jump at 0.7 s. Contact forces are bounded, so v stays, and slip begins. */
typedef struct jump_case {
  size_t n, m, d;
  dls_slider what;
  dls_slider_row rows[4];
  double mu[2];
  double end[4]; /* q0, q1, v0, v1 at 1.3 s */
} jump_case;
enum { NODES = 1300, JUMPS_AT = 700 }; /* 1.3 s, 0.7 s in milliseconds */
static jump_case jump_cases[] = {
    /* x'' = -x - 1 until x' = 0: X = x + 1 is then at its amplitude */
    {.n = 2,
     .m = 1,
     .d = 2,
     .what = {.mass = {1, 1}, .load = {0, -10}, .stiffness = 1, .surface = {0.5}},
     .rows = {{{0, 1}}, {{1, 0}}},
     .mu = {0.1},
     .end = {0.43961800489787, 0, 0, 0}},
    /* v - w = (0.3, -0.4) ends after 0.5 s */
    {.n = 3,
     .m = 1,
     .d = 3,
     .what = {.mass = {1, 1, 1}, .load = {0, 0, -10}, .surface = {0.5, 0}, .jumped = {0.2, 0.4}},
     .rows = {{{0, 0, 1}}, {{1, 0, 0}}, {{0, 1, 0}}},
     .mu = {0.1},
     .end = {0.545, 0.14, 0.2, 0.4}},
    /* two contacts hold one body along x; the stronger one jumps, and brakes it with 1.5 - 0.5 N against the other */
    {.n = 3,
     .m = 2,
     .d = 2,
     .what = {.mass = {1, 1, 1}, .load = {0, -10, -10}, .surface = {0.5, 0.5}, .jumped = {0.5, 0}},
     .rows = {{{0, 1, 0}}, {{1, 0, 0}}, {{0, 0, 1}}, {{1, 0, 0}}},
     .mu = {0.05, 0.15},
     .end = {0.475, 0, 0, 0}},
};

static double error_behind_jump(const jump_case *c, const char *scheme, size_t steps)
{
  dls_system *sys = NULL;
  dls_error err = {0};
  dls_slider what = c->what;
  what.jump = 1e-3 * JUMPS_AT;
  assert_ok(dls_slider_create("jump", c->n, c->m, c->d, &what, c->rows, &sys, &err), err);
  memcpy(sys->mu, c->mu, c->m * sizeof *sys->mu);
  sys->v0[0] = what.surface[0];
  const double end = 1e-3 * NODES, h = end / (double)steps;
  test_run run = dls_test_run_of(sys, scheme, h, end);
  assert_close(run.sim->t, end, 1e-12);
  double error = 0;
  for (size_t i = 0; i < 2; i++) {
    const bool plane = i == 1 && c->d == 2; /* q1 is a gap */
    error += plane ? 0 : fabs(run.sim->q[i] - c->end[i]) + fabs(run.sim->v[i] - c->end[2 + i]);
  }
  dls_test_free(&run);
  return error;
}

/* Mean error over random steps that do not meet the jump. */
static double mean_behind_jump(const jump_case *c, const char *scheme, double coarsest)
{
  enum { PHASES = 16 };
  double mean = 0;
  for (unsigned k = 0; k < PHASES; k++) {
    size_t steps = (size_t)(coarsest * (1 + 0.5 * fmod(0.6180339887498949 * (k + 1), 1)));
    steps += steps * JUMPS_AT % NODES == 0;
    mean += error_behind_jump(c, scheme, steps) / PHASES;
  }
  return mean;
}

/* Behind a jump inside of a step the order is 1. With the jump on a node, at most that of the method, errors are as given. */
DLS_TEST(jumps_of_surfaces_give_no_impulse)
{
  static const struct {
    const char *scheme;
    double node;
  } schemes[] = {{"moreau-jean", 1e-2},
                 {"tdg-d1-minus", 2e-5},
                 {"tdg-d1-minus:level=velocity", 1e-2},
                 {"splitting-rkf45", 1e-10}};
  for (size_t i = 0; i < sizeof jump_cases / sizeof *jump_cases; i++) {
    const jump_case *c = &jump_cases[i];
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
      const double coarse = mean_behind_jump(c, schemes[k].scheme, 50);
      const double fine = mean_behind_jump(c, schemes[k].scheme, 800);
      assert_between(coarse, 1e-3, 2e-2);
      assert_between(log(coarse / fine) / log(16), 0.8, 1.2);
      assert_between(error_behind_jump(c, schemes[k].scheme, 208), 0, schemes[k].node);
    }
    assert_between(mean_behind_jump(c, "rk-moreau", 50), 0, 1e-10); /* its steps are divided at the jump */
    assert_between(error_behind_jump(c, "rk-moreau", 208), 0, 1e-6);
    assert_between(mean_behind_jump(c, "rk-moreau:method=heun", 50), 0, 2e-6);
    assert_between(error_behind_jump(c, "splitting-rkf45-adaptive", 1), 0, 1e-6);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(schatzman_paoli_has_its_orders),
      cmocka_unit_test(three_levels_have_their_orders),
      cmocka_unit_test(three_levels_hold_gaps_and_tell_forces),
      cmocka_unit_test(rk_moreau_has_the_order_of_its_method),
      cmocka_unit_test(rk_moreau_reverses_slip),
      cmocka_unit_test(acceleration_level_has_its_orders),
      cmocka_unit_test(extrapolation_stops_at_changes_of_status),
      cmocka_unit_test(extrapolation_knows_the_order_of_a_slip_that_turns),
      cmocka_unit_test(adaptive_steps_follow_the_tolerance),
      cmocka_unit_test(tangential_impulses_are_recorded),
      cmocka_unit_test(jumps_of_surfaces_give_no_impulse),
      cmocka_unit_test(laws_that_a_scheme_has_no_place_for_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
