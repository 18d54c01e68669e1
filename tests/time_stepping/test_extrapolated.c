/* test_extrapolated.c -- extrapolated Moreau-Jean: weights, orders, switching points, tolerance.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "exact_error.h"
#include "models.h"
#include "time_stepping/adaptive/extrapolation.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char smooth_model[] = "impacting-oscillator:k=9,c=0.4,amplitude=2,omega=3,phase=0.5,q0=2";

/* (q, v)[0] after one interval h = 0.1 made of `count` Moreau-Jean steps. */
static void moreau_jean(double theta, int count, double *x)
{
  char scheme[60];
  snprintf(scheme, sizeof scheme, "moreau-jean:theta=%g", theta);
  test_run run = dls_test_run(smooth_model, scheme, 0.1 / count, 0.1);
  assert_int_equal(run.sim->step, count);
  x[0] = run.sim->q[0];
  x[1] = run.sim->v[0];
  dls_test_free(&run);
}

/* One step is the weighted sum of z_1, z_2, ... with the weights in closed form. */
DLS_TEST(one_step_is_a_weighted_sum)
{
  static const struct {
    const char *sequence;
    double theta;
    int n[4];
    double weight[4];
  } cases[] = {
      {"1-2", 0.7, {1, 2}, {-1, 2}},
      {"1-2-3", 0.7, {1, 2, 3}, {1.0 / 2, -4, 9.0 / 2}},
      {"1-2-4-6", 0.7, {1, 2, 4, 6}, {-1.0 / 15, 1, -16.0 / 3, 27.0 / 5}},
      {"1-2", 0.5, {1, 2}, {-1.0 / 3, 4.0 / 3}},
      {"1-2-3", 0.5, {1, 2, 3}, {1.0 / 24, -16.0 / 15, 81.0 / 40}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char scheme[80];
    double sum[2] = {0};
    for (size_t k = 0; k < 4 && cases[i].n[k] > 0; k++) {
      double z[2];
      moreau_jean(cases[i].theta, cases[i].n[k], z);
      sum[0] += cases[i].weight[k] * z[0];
      sum[1] += cases[i].weight[k] * z[1];
    }
    snprintf(scheme, sizeof scheme, "moreau-jean-extrapolated:sequence=%s,theta=%g", cases[i].sequence,
             cases[i].theta);
    test_run run = dls_test_run(smooth_model, scheme, 0.1, 0.1);
    assert_close(run.sim->q[0], sum[0], 2e-14);
    assert_close(run.sim->v[0], sum[1], 2e-14);
    dls_test_free(&run);
  }
}

/* omega h = 1e6 about the equilibrium q = 1: z_j is (-1)^n_j times where it was, and the weights make more of it. */
DLS_TEST(vibrations_that_a_step_does_not_resolve_are_amplified)
{
  static const struct {
    const char *sequence;
    double factor;
  } cases[] = {{"1-2", 5.0 / 3}, {"1-2-3", -47.0 / 15}, {"1-2-4-6", 1577.0 / 1575}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char scheme[100];
    snprintf(scheme, sizeof scheme, "moreau-jean-extrapolated:theta=0.5,halvings=0,sequence=%s",
             cases[i].sequence);
    test_run run = dls_test_run("impacting-oscillator:k=1e14,f=1e14,q0=1.001", scheme, 0.1, 0.3);
    assert_close(run.sim->q[0] - 1, 1e-3 * pow(cases[i].factor, 3), 1e-9);
    dls_test_free(&run);
  }
}

/* Before the first impact: order J for theta != 1/2, 2 J for theta = 1/2; also with a nonlinear force. */
DLS_TEST(smooth_order_is_that_of_the_sequence)
{
  static const struct {
    const char *scheme;
    double h_first, h_last, order;
  } cases[] = {
      {"moreau-jean-extrapolated:sequence=1-2,theta=0.7", 3e-2, 3e-4, 2},
      {"moreau-jean-extrapolated:sequence=1-2-3,theta=1", 3e-2, 1e-3, 3},
      {"moreau-jean-extrapolated:sequence=1-2-4-6,theta=0.7", 5e-2, 5e-3, 4},
      {"moreau-jean-extrapolated:sequence=1-2,base=variant,theta=0.7", 3e-2, 3e-4, 2},
      {"moreau-jean-extrapolated:sequence=1-2", 1e-1, 3e-3, 4},
      {"moreau-jean-extrapolated:sequence=1-2,base=newmark", 1e-1, 3e-3, 4},
      {"moreau-jean-extrapolated:sequence=1-2-3", 1.2e-1, 2e-2, 6},
      {"moreau-jean-extrapolated:sequence=1-2-4-6", 2.5e-1, 9e-2, 8},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const dls_fit fit = dls_test_order((test_study){smooth_model, cases[i].scheme, "grid-max", "q", 0.5,
                                                    cases[i].h_first, cases[i].h_last, 6, 1});
    assert_between(fit.order, 0.95 * cases[i].order, 1.05 * cases[i].order);
  }
  const dls_fit pendulum = dls_test_order((test_study){
      "bouncing-pendulum", "moreau-jean-extrapolated:sequence=1-2", "grid-max", "q", 0.4, 1e-1, 1e-2, 6, 1});
  assert_between(pendulum.order, 3.8, 4.2);
}

/* Order 1 over impacts; every halving of the interval around them halves the error. */
DLS_TEST(order_with_impacts_is_one)
{
  const dls_fit none = dls_test_order((test_study){
      "impacting-oscillator", "moreau-jean-extrapolated:halvings=0", "grid-l1", "q", 10, 3e-2, 1e-3, 8, 8});
  assert_between(none.order, 0.88, 1.12);
  const dls_fit four = dls_test_order((test_study){
      "impacting-oscillator", "moreau-jean-extrapolated:halvings=4", "grid-l1", "q", 10, 3e-2, 1e-3, 8, 8});
  assert_between(four.order, 0.88, 1.12);
  const double at = 5e-3;
  const double gain = none.constant * pow(at, none.order) / (four.constant * pow(at, four.order));
  assert_between(gain, 16 * 0.6, 16 * 1.7);
  const dls_fit ball = dls_test_order((test_study){"bouncing-ball", "moreau-jean-extrapolated:halvings=0",
                                                   "grid-l1", "q", 4, 3e-2, 1e-3, 8, 8});
  assert_between(ball.order, 0.88, 1.12);
}

/* An interval with an impact is what the finest sequence makes of it; halved, its parts add up. */
DLS_TEST(an_impact_is_not_extrapolated)
{
  static const char model[] = "bouncing-ball:q0=0.048,v0=-1";
  test_run whole = dls_test_run(model, "moreau-jean-extrapolated:sequence=1-2-3,halvings=0,gamma=1", 0.1, 0.1);
  test_run plain = dls_test_run(model, "moreau-jean:velocity_test=off", 0.1 / 3, 0.1);
  assert_close(whole.sim->q[0], plain.sim->q[0], 1e-15);
  assert_close(whole.sim->v[0], plain.sim->v[0], 1e-15);
  assert_int_equal(plain.sim->work.impacts, 1);
  dls_test_free(&plain);
  test_run halved = dls_test_run(model, "moreau-jean-extrapolated:sequence=1-2,halvings=8,tol=0", 0.1, 0.1);
  assert_int_equal(halved.sim->work.impacts, 1);
  assert_between((double)halved.sim->work.rejected, 8, 16);
  assert_between((double)halved.sim->work.forced, 1, 2); /* the closing may fall on the end of one */
  assert_between((double)halved.sim->work.force_evals, 50, 150);
  double impulse = 0;
  for (size_t i = 0; i < halved.traj->rows; i++) {
    impulse += dls_test_value(&halved, i, "p0");
  }
  assert_close(impulse, halved.sim->v[0] + 1 + 2 * 0.1, 1e-13); /* m dv = p + f h */
  assert_int_equal(whole.traj->rows, 3);
  assert_close(dls_test_value(&whole, 1, "v0"), -1 - 2 * 0.1, 1e-13); /* left limit */
  assert_close(whole.sim->p[0], whole.sim->v[0] + 1 + 2 * 0.1, 1e-13);
  assert_int_equal(halved.sim->step, 1);
  assert_between((double)halved.traj->rows, 11, 20);
  const double fall = (-1 + sqrt(1 + 4 * 0.048)) / 2; /* q0 + v0 t - t^2 = 0 */
  const double rebound = 0.5 * (1 + 2 * fall);
  assert_close(halved.sim->v[0], rebound - 2 * (0.1 - fall), 3 * 0.1 / 256);
  dls_test_free(&whole);
  dls_test_free(&halved);
}

/* A load that depends on time, through impacts: both ways to choose intervals come to the same. */
DLS_TEST(fixed_and_chosen_steps_agree)
{
  test_run fixed = dls_test_run(smooth_model, "moreau-jean-extrapolated:halvings=14,tol=0", 0.05, 5);
  test_run chosen = dls_test_run(smooth_model, "moreau-jean-extrapolated-adaptive:tol=1e-9", 1, 5);
  assert_close(fixed.sim->q[0], chosen.sim->q[0], 3e-5);
  assert_close(fixed.sim->v[0], chosen.sim->v[0], 3e-4);
  assert_int_equal(fixed.sim->work.impacts, chosen.sim->work.impacts);
  assert_between((double)fixed.sim->work.impacts, 2, 100);
  dls_test_free(&fixed);
  dls_test_free(&chosen);
}

/* A ball that lands with e = 0 lies still, and the impulse of a step is its weight's. */
DLS_TEST(lasting_contact_at_rest_is_smooth)
{
  const double h = 0.01;
  test_run run = dls_test_run("bouncing-ball:e=0", "moreau-jean-extrapolated:sequence=1-2-4-6", h, 2);
  assert_close(run.sim->v[0], 0, 1e-12);
  assert_close(run.sim->p[0], 2 * h, 1e-13);
  assert_int_equal(run.sim->status[0], 1);
  assert_int_equal(run.sim->work.impacts, 1);
  assert_between((double)run.sim->work.rejected, 1, 16); /* around the landing only */
  assert_between(run.sim->worst_gap, -1e-4, 0);
  dls_test_free(&run);
}

/* Micro-bounces -e U are multiplied by sums of |weight| e^n > 1 if they are extrapolated: they are not. */
DLS_TEST(micro_bounces_are_not_amplified)
{
  test_run run = dls_test_run("bouncing-ball:e=0.9,q0=0.001", "moreau-jean-extrapolated:theta=0.6", 0.01, 20);
  assert_close(run.sim->v[0], 0, 1e-8);
  assert_close(run.sim->q[0], 0, 1e-2);
  dls_test_free(&run);
}

/* The forecast of the base scheme overlooks that a gap closes at the end of an interval: then too it is halved. */
DLS_TEST(closings_are_not_overlooked)
{
  static const char *const sequences[] = {"1-2", "1-2-3", "1-2-4-6"};
  for (size_t i = 0; i < 3; i++) {
    char scheme[100];
    snprintf(scheme, sizeof scheme, "moreau-jean-extrapolated-adaptive:tol=1e-8,sequence=%s", sequences[i]);
    test_run run = dls_test_run("impacting-oscillator", scheme, 1, 10);
    assert_between(run.sim->worst_gap, -1e-7, 0);
    assert_between(exact_error(&run, "impacting-oscillator", "grid-max", "q0"), 1e-10, 1e-6);
    dls_test_free(&run);
  }
}

DLS_TEST(error_falls_with_the_tolerance)
{
  static const struct {
    const char *model, *sequence;
    double end, low, high;
  } cases[] = {
      {"bouncing-ball", "1-2", 4, 0.8, 1.2},
      {"bouncing-ball", "1-2-4-6", 4, 0.7, 1.2},
      {"impacting-oscillator", "1-2", 10, 0.75, 1.1},
      {"impacting-oscillator", "1-2-3", 10, 0.75, 1.1},
  };
  enum { LEVELS = 4 };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double tol[LEVELS];
    double error[LEVELS];
    for (size_t k = 0; k < LEVELS; k++) {
      char scheme[120];
      tol[k] = 1e-4 * pow(10, -(double)k);
      snprintf(scheme, sizeof scheme, "moreau-jean-extrapolated-adaptive:tol=%g,sequence=%s", tol[k],
               cases[i].sequence);
      test_run run = dls_test_run(cases[i].model, scheme, 1, cases[i].end);
      error[k] = exact_error(&run, cases[i].model, "grid-l1", "q0");
      assert_true(k == 0 || error[k] < 0.8 * error[k - 1]);
      assert_close(run.sim->t, cases[i].end, 0);
      dls_test_free(&run);
    }
    dls_fit fit;
    dls_error err = {0};
    assert_ok(dls_fit_order(LEVELS, tol, error, 1e-14, &fit, &err), err);
    assert_between(fit.order, cases[i].low, cases[i].high);
  }
}

/* Extrapolation is not stable on stiff systems; nonlinear ones end in a step that is not solved, and is named. */
static bool is_stiff(const char *model)
{
  return strcmp(model, "cantilever") == 0 || strstr(model, "-beam") != NULL;
}

DLS_TEST(every_setting_ends)
{
  static const char *const sequences[] = {"1-2", "1-2-3", "1-2-4-6"};
  static const char *const bases[] = {"moreau-jean", "variant", "newmark"};
  const double h_min = 5e-3;
  for (const dls_model *const *m = dls_models(); *m != NULL; m++) {
    for (unsigned i = 0; i < 18; i++) {
      char options[200];
      snprintf(options, sizeof options, "sequence=%s,base=%s,tol=%s,theta=%s,velocity_test=%s,gamma=%s",
               sequences[i % 3], bases[i / 3 % 3], i % 4 == 0 ? "1e-15" : "1e-5", i % 2 == 0 ? "0.5" : "1",
               i % 5 < 2 ? "off" : "on", i % 7 < 4 ? "1" : "0.5");
      for (int fixed = 0; fixed < 2; fixed++) {
        char scheme[300];
        snprintf(scheme, sizeof scheme, "moreau-jean-extrapolated%s:%s,%s=%g", fixed ? "" : "-adaptive",
                 options, fixed ? "halvings" : "h_min", fixed ? 4 : h_min);
        dls_error err = {0};
        test_run run = dls_test_prepare(dls_test_small_model((*m)->name), scheme);
        const double end = run.sys->time;
        if (!dls_test_applies(run.sys, run.sim->scheme)) {
          dls_test_free(&run);
          continue;
        }
        const dls_status status = dls_run(run.sim, &(dls_run_spec){.step = end / 20, .end = end}, &err);
        if (status != DLS_OK && is_stiff((*m)->name)) {
          assert_true((status == DLS_ERR_NOCONV || status == DLS_ERR_LCP) &&
                      strstr(err.text, " at t = ") != NULL);
          dls_test_free(&run);
          continue;
        }
        assert_ok(status, err);
        assert_close(run.sim->t, end, 1e-12 * end);
        assert_between((double)run.sim->work.steps, 2, fixed ? 20 : sqrt(2) / h_min + 4);
        assert_true(run.sim->work.rejected <= 20 * run.sim->work.steps);
        dls_test_free(&run);
      }
    }
  }
}

DLS_TEST(a_failure_names_time_and_keeps_the_state)
{
  static const char *const schemes[] = {"moreau-jean-extrapolated", "moreau-jean-extrapolated-adaptive"};
  for (size_t i = 0; i < 2; i++) {
    char text[100];
    dls_error err = {0};
    snprintf(text, sizeof text, "%s:newton_max=1", schemes[i]);
    test_run run = dls_test_prepare("bouncing-pendulum", text);
    assert_int_equal(dls_run(run.sim, &(dls_run_spec){.step = 0.1, .end = 1, .record = run.traj}, &err),
                     DLS_ERR_NOCONV);
    snprintf(text, sizeof text, "%s at t = 0: moreau-jean at t = 0: Newton's method left", schemes[i]);
    assert_non_null(strstr(err.text, text));
    assert_close(run.sim->q[0], 0, 0);
    assert_close(run.sim->t, 0, 0);
    assert_int_equal(run.traj->rows, 1);
    assert_int_equal(run.traj->event_count, 0);
    dls_test_free(&run);
  }
}

/* A block that slides down a plane: the step carries the impulse of friction, mu p against the slip, in space too. */
DLS_TEST(impulses_of_friction_are_those_of_the_step)
{
  static const char *const schemes[] = {"moreau-jean-extrapolated", "moreau-jean-extrapolated-adaptive",
                                        "moreau-jean-adaptive"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    test_run run = dls_test_run("incline:v0=1,mu=0.3", schemes[i], 0.1, 0.1);
    assert_int_equal(run.sim->status[0], 2);
    assert_between(run.sim->p[0], 1e-3, 10);
    assert_close(run.sim->p_t[0], -0.3 * run.sim->p[0], 1e-13);
    dls_test_free(&run);
  }
}

/* 2 with theta = 1/2, but for the slip of Newton's law in space, which is against u_T'; Fremond's is against (u_T + u_T')/2. */
DLS_TEST(slip_in_space_lowers_the_order_of_a_step)
{
  static const struct {
    const char *model;
    double theta;
    int status, order;
  } cases[] = {{"puck", 0.5, 2, 1},    {"puck", 0.5, 1, 2}, {"puck", 0.5, 0, 2},
               {"incline", 0.5, 2, 2}, {"puck", 1, 1, 1},   {"puck fremond:mu=0.3", 0.5, 2, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    dls_system *sys = dls_test_system(cases[i].model);
    assert_int_equal(sys->m, 1);
    assert_int_equal(dls_one_step_order(sys, cases[i].theta, &cases[i].status), cases[i].order);
    dls_system_destroy(sys);
  }
}

/* One interval of the ball from (q, v), 0.048 m above the floor or 10. */
static void try_interval(double q, int order, bool smooth)
{
  test_run run = dls_test_prepare("bouncing-ball", "moreau-jean-extrapolated");
  dls_error err = {0};
  dls_extrapolation e = {0};
  dls_one_step_state from = {0};
  const dls_extrapolation_options opt = {
      .base.theta = {.theta = 0.5, .gamma = 0.5, .velocity_test = 1, .velocity_tol = 1e-9}};
  assert_ok(dls_sim_start(run.sim, &err), err);
  assert_true(dls_one_step_state_create(run.sys, &from));
  assert_ok(dls_extrapolation_create(run.sim, &opt, &e, &err), err);
  from.q[0] = q;
  from.v[0] = -1;
  assert_ok(dls_extrapolation_try(run.sim, &e, &from, 0.1, HUGE_VAL, &err), err);
  assert_true(e.smooth == smooth);
  assert_int_equal(e.order, order);
  dls_extrapolation_destroy(&e);
  dls_one_step_state_destroy(&from);
  dls_test_free(&run);
}

/* The estimate of an interval: of order rho (J - 1); across a switching point it falls no faster than it is long. */
DLS_TEST(estimates_have_their_order)
{
  try_interval(10, 2, true);
  try_interval(0.048, 0, false);
}

static bool never(void *data)
{
  (void)data;
  return false;
}

/* Whoever may stop the run is asked inside the contact problems of all inner steps, not of their first ones alone. */
DLS_TEST(inner_runs_know_who_may_stop_them)
{
  dls_error err = {0};
  dls_system *sys = dls_test_system("bouncing-ball");
  dls_sim *sim = NULL, *run = NULL;
  dls_one_step base = {0};
  const dls_base_options options = {.theta = {.theta = 0.5}};
  assert_ok(dls_sim_create(sys, dls_scheme_find("moreau-jean-extrapolated", &err), &sim, &err), err);
  assert_ok(dls_sim_start(sim, &err), err);
  sim->work.interrupt = (dls_interrupt_poll){never, sim};
  assert_ok(dls_one_step_create(sim, &options, &base, &err), err);
  for (int k = 0; k < 3; k++) {
    assert_ok(dls_one_step_begin(&base, 0, sim->q, sim->v, 0.1, &run, &err), err);
    assert_ok(dls_one_step_advance(sim, run, 0.1, &err), err);
    assert_int_equal(run->work.steps, 0); /* given to the outer one */
    assert_true(dls_interrupt_requested(&run->work.interrupt) && run->work.interrupt.data == sim);
  }
  assert_int_equal(sim->work.problems, 3);
  dls_one_step_destroy(&base);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inner_runs_know_who_may_stop_them),
      cmocka_unit_test(one_step_is_a_weighted_sum),
      cmocka_unit_test(vibrations_that_a_step_does_not_resolve_are_amplified),
      cmocka_unit_test(smooth_order_is_that_of_the_sequence),
      cmocka_unit_test(order_with_impacts_is_one),
      cmocka_unit_test(an_impact_is_not_extrapolated),
      cmocka_unit_test(fixed_and_chosen_steps_agree),
      cmocka_unit_test(lasting_contact_at_rest_is_smooth),
      cmocka_unit_test(micro_bounces_are_not_amplified),
      cmocka_unit_test(closings_are_not_overlooked),
      cmocka_unit_test(error_falls_with_the_tolerance),
      cmocka_unit_test(every_setting_ends),
      cmocka_unit_test(a_failure_names_time_and_keeps_the_state),
      cmocka_unit_test(impulses_of_friction_are_those_of_the_step),
      cmocka_unit_test(slip_in_space_lowers_the_order_of_a_step),
      cmocka_unit_test(estimates_have_their_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
