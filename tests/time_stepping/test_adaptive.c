/* test_adaptive.c -- step doubling: accuracy for its price, tolerance, step lengths, what ends a run.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "exact_error.h"
#include "models.h"
#include "time_stepping/step/control.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t trials(const test_run *run)
{
  return run->sim->work.steps + run->sim->work.rejected;
}

/* Position after `steps` steps 0.01 from a state set from outside. */
static double position_after(test_run *run, double t, double q, double v, int steps)
{
  dls_error err = {0};
  assert_ok(dls_sim_move(run->sim, t, &q, &v, &err), err);
  assert_close(run->sim->t, t, 0);
  for (int i = 0; i < steps; i++) {
    assert_ok(dls_sim_advance(run->sim, 0.01, &err), err);
  }
  assert_close(run->sim->t, t + steps * 0.01, 1e-15);
  return run->sim->q[0];
}

/* The state is set from outside and back: the steps repeat bit for bit, also where the load depends on time. */
DLS_TEST(a_moved_run_repeats_itself)
{
  static const char *const schemes[] = {"moreau-jean:theta=0.7", "moreau-jean-variant", "nonsmooth-newmark"};
  static const char *const models[] = {"impacting-oscillator:amplitude=2,omega=3,c=0.1", "bouncing-pendulum"};
  for (size_t i = 0; i < 6; i++) {
    test_run run = dls_test_run(models[i % 2], schemes[i / 2], 0.01, 0.5);
    const double t = run.sim->t;
    const double q = run.sim->q[0];
    const double v = run.sim->v[0];
    run.sim->record = NULL;
    const double one = position_after(&run, t, q, v, 1);
    assert_close(position_after(&run, t, q, v, 1), one, 0);
    const double twenty = position_after(&run, t, q, v, 20);
    assert_close(position_after(&run, t, q, v, 1), one, 0);
    assert_close(position_after(&run, t, q, v, 20), twenty, 0);
    assert_true(one != q && twenty != one);
    dls_test_free(&run);
  }
}

DLS_TEST(a_scheme_with_a_memory_cannot_be_moved)
{
  dls_error err = {0};
  test_run run = dls_test_run("bouncing-ball", "schatzman-paoli", 0.01, 0.1);
  assert_int_equal(dls_sim_move(run.sim, 0, run.sim->q, run.sim->v, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "schatzman-paoli cannot be set to another state"));
  dls_test_free(&run);
  run = dls_test_prepare("bouncing-ball", "moreau-jean");
  assert_int_equal(dls_sim_move(run.sim, 0, run.sim->q, run.sim->v, &err), DLS_ERR_NOT_APPLICABLE);
  dls_test_free(&run);
}

/* With any error allowed and one length the nodes are those of the base scheme with half that length. */
DLS_TEST(without_control_it_is_the_base_scheme)
{
  static const char *const models[] = {"impacting-oscillator:amplitude=2,omega=3,f=-1", "bouncing-pendulum"};
  static const char *const bases[] = {"moreau-jean", "variant", "newmark"};
  static const char *const schemes[] = {"moreau-jean:gamma=0.5", "moreau-jean-variant:gamma=0.5",
                                        "nonsmooth-newmark:forecast=0.5"};
  for (size_t i = 0; i < 6; i++) {
    char scheme[200];
    test_run probe = dls_test_prepare(models[i % 2], "moreau-jean");
    const double h = 0.02 / probe.sys->time;
    dls_test_free(&probe);
    snprintf(scheme, sizeof scheme,
             "moreau-jean-adaptive:base=%s,tol=1000,violation=off,h_first=%.17g,h_max=%.17g,h_min=%.17g",
             bases[i / 2], h, h, h);
    test_run run = dls_test_run(models[i % 2], scheme, 1, 2);
    snprintf(scheme, sizeof scheme, "%s,velocity_test=off", schemes[i / 2]);
    test_run plain = dls_test_run(models[i % 2], scheme, 0.01, 2);
    assert_int_equal(run.sim->work.steps, 100);
    assert_int_equal(run.sim->step, 200);
    assert_int_equal(run.sim->work.rejected, 0);
    assert_close(run.sim->t, 2, 0);
    assert_close(run.sim->q[0], plain.sim->q[0], 1e-11);
    assert_close(run.sim->v[0], plain.sim->v[0], 1e-10);
    assert_int_equal(run.sim->work.impacts, plain.sim->work.impacts);
    assert_true(plain.sim->work.impacts > 0);
    dls_test_free(&plain);
    dls_test_free(&run);
  }
}

/* Ball, [0, 4], through the accumulation; three one-step problems a trial. */
DLS_TEST(position_control_is_accurate_for_its_price)
{
  test_run run = dls_test_run("bouncing-ball", "moreau-jean-adaptive:tol=1e-5", 1, 4);
  assert_between((double)(3 * trials(&run)), 300, 2000);
  assert_between(exact_error(&run, "bouncing-ball", "grid-max", "q0"), 1e-7, 1e-4);
  assert_between(exact_error(&run, "bouncing-ball", "l1", "q0"), 1e-7, 1e-4);
  assert_int_equal(run.sim->work.forced, 0);
  assert_between((double)run.sim->work.force_evals, 3 * (double)trials(&run), 5 * (double)trials(&run));
  assert_between((double)run.sim->work.impacts, 7, 10);
  assert_close(run.sim->v[0], 0, 1e-6);
  test_run relative = dls_test_run("bouncing-ball", "moreau-jean-adaptive:tol=1e-5,rtol=1e-1", 1, 4);
  assert_between((double)trials(&relative) / (double)trials(&run), 0.3, 0.95);
  dls_test_free(&relative);
  dls_test_free(&run);
}

/* The error against tol: on the ball the flights are exact, and the impacts' share is tol; on the oscillator the
 * steps of order 2 make tol^(2/3), those of order 1 tol^(1/2). */
DLS_TEST(error_falls_with_the_tolerance)
{
  static const struct {
    const char *model, *options;
    double end, tol, low, high;
  } cases[] = {
      {"bouncing-ball", "", 4, 1e-3, 0.75, 1.25},
      {"bouncing-ball", ",order=1", 4, 1e-3, 0.75, 1.25},
      {"impacting-oscillator", "", 10, 1e-5, 0.55, 0.75},
      {"impacting-oscillator", ",order=1", 10, 1e-5, 0.55, 0.75},
      {"bouncing-ball", ",theta=1", 4, 1e-3, 0.4, 0.65},
  };
  enum { LEVELS = 4 };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double tol[LEVELS];
    double error[LEVELS];
    for (size_t k = 0; k < LEVELS; k++) {
      char scheme[100];
      tol[k] = cases[i].tol * pow(10, -(double)k);
      snprintf(scheme, sizeof scheme, "moreau-jean-adaptive:tol=%g%s", tol[k], cases[i].options);
      test_run run = dls_test_run(cases[i].model, scheme, 1, cases[i].end);
      error[k] = exact_error(&run, cases[i].model, "grid-l1", "q0");
      assert_true(k == 0 || error[k] < 0.8 * error[k - 1]);
      dls_test_free(&run);
    }
    dls_fit fit;
    dls_error err = {0};
    assert_ok(dls_fit_order(LEVELS, tol, error, 1e-14, &fit, &err), err);
    assert_between(fit.order, cases[i].low, cases[i].high);
  }
}

/* Ball, theta = 1/2, the same tol: order 2 everywhere takes impacts for smooth. */
DLS_TEST(variable_order_sees_impacts)
{
  test_run variable = dls_test_run("bouncing-ball", "moreau-jean-adaptive:tol=1e-5", 1, 4);
  test_run two = dls_test_run("bouncing-ball", "moreau-jean-adaptive:tol=1e-5,order=2", 1, 4);
  assert_between((double)trials(&variable) / (double)trials(&two), 1.1, 1.6);
  assert_between(exact_error(&variable, "bouncing-ball", "l1", "q0") /
                     exact_error(&two, "bouncing-ball", "l1", "q0"),
                 0.1, 0.7);
  assert_between(exact_error(&variable, "bouncing-ball", "l1", "v0") /
                     exact_error(&two, "bouncing-ball", "l1", "v0"),
                 0.02, 0.4);
  dls_test_free(&variable);
  dls_test_free(&two);
  test_run zero = dls_test_run("impacting-oscillator", "moreau-jean-adaptive:order=0", 1, 10);
  test_run smooth = dls_test_run("impacting-oscillator", "moreau-jean-adaptive", 1, 10);
  assert_between((double)trials(&zero) / (double)trials(&smooth), 1.5, 20); /* of order 2 in flight */
  dls_test_free(&zero);
  dls_test_free(&smooth);
}

/* gamma = 1/2 finds some impacts late: what a step may add to the penetration is tol. */
DLS_TEST(violation_is_controlled_by_its_increment)
{
  test_run on = dls_test_run("bouncing-ball", "moreau-jean-adaptive:tol=1e-5", 1, 4);
  test_run off = dls_test_run("bouncing-ball", "moreau-jean-adaptive:tol=1e-5,violation=off", 1, 4);
  assert_between(on.sim->worst_gap, -1.5e-5, -1e-7);
  assert_between(off.sim->worst_gap, -1, -1e-4);
  assert_close(on.sim->t, 4, 0);
  dls_test_free(&on);
  dls_test_free(&off);
}

/* A ball that stays where it lands, up to 2 h_min = 2e-3 m deep. As a total that forces every step behind the impact at t = 0.98;
 * a penetration that is less than tol, but not much, keeps steps from growing. */
DLS_TEST(violation_as_a_total_does_not_let_go)
{
  static const char *const violations[] = {"increment", "total"};
  for (int i = 0; i < 2; i++) {
    char scheme[100];
    snprintf(scheme, sizeof scheme, "moreau-jean-adaptive:violation=%s,h_min=1e-3", violations[i]);
    test_run run = dls_test_run("bouncing-ball:e=0,q0=0.97", scheme, 1, 4);
    assert_between(run.sim->worst_gap, -2e-3, -1e-4);
    assert_between((double)run.sim->work.forced, i == 0 ? 1 : 2500, i == 0 ? 3 : 3100);
    dls_test_free(&run);
    snprintf(scheme, sizeof scheme, "moreau-jean-adaptive:violation=%s,h_min=1e-5", violations[i]);
    run = dls_test_run("bouncing-ball:e=0,q0=0.97", scheme, 1, 1.02);
    assert_between(run.sim->worst_gap, -1e-5, -1e-6);
    assert_between((double)run.sim->work.forced, 0, 2);
    assert_between((double)run.sim->work.steps, i == 0 ? 20 : 1000, i == 0 ? 100 : 10000);
    dls_test_free(&run);
  }
  dls_error err = {0};
  test_run none = dls_test_prepare("bouncing-ball", "moreau-jean-adaptive");
  assert_int_equal(dls_sim_set(none.sim, "violation=sum", &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "off|increment|total"));
  dls_test_free(&none);
}

/* The micro-bounces of a resting ball, h a / (1 + e) fast, exceed a velocity tolerance of 1e-5 for every h >= 1e-4. */
DLS_TEST(full_control_ends_at_the_shortest_step)
{
  const double h_min = 1e-4;
  test_run run = dls_test_run(
      "bouncing-ball", "moreau-jean-adaptive:tol=1e-5,control=full,gamma=1,velocity_test=on,h_min=1e-4", 1, 4);
  assert_close(run.sim->t, 4, 0);
  assert_between((double)run.sim->work.forced, 0.8 / (h_min * sqrt(2)),
                 1.1 / h_min); /* most of the last second */
  assert_true(run.sim->work.forced < run.sim->work.steps);
  test_run q =
      dls_test_run("bouncing-ball", "moreau-jean-adaptive:tol=1e-5,gamma=1,velocity_test=on,h_min=1e-4", 1, 4);
  assert_between((double)run.sim->work.steps / (double)q.sim->work.steps, 5, 100);
  dls_test_free(&q);
  dls_test_free(&run);
}

/* Lengths h_max 2^(-k/2), so as many factorizations as lengths; the last two steps share what is left. */
DLS_TEST(step_lengths_are_on_a_grid)
{
  test_run run = dls_test_run("impacting-oscillator", "moreau-jean-adaptive:tol=1e-6", 1, 10.0123);
  const double h_max = 0.1 * run.sys->time;
  assert_between((double)run.sim->work.factorizations, 5, 64);
  assert_true(trials(&run) > 200);
  size_t off_grid = 0;
  for (size_t i = 1; i < run.traj->rows; i++) {
    const double h = 2 * (dls_test_value(&run, i, "t") - dls_test_value(&run, i - 1, "t"));
    if (h > 0) { /* no jump */
      const double level = 2 * log2(h_max / h);
      off_grid += fabs(level - round(level)) > 1e-3;
      assert_between(level, -1e-9, 2 * log2(0.1 / 1e-7));
    }
  }
  assert_between((double)off_grid, 1, 4);
  assert_close(run.sim->t, 10.0123, 0);
  dls_test_free(&run);
}

DLS_TEST(the_last_two_steps_share_what_is_left)
{
  test_run run = dls_test_run("bouncing-ball", "moreau-jean-adaptive:h_first=0.1,h_max=0.1", 1, 0.500001);
  assert_int_equal(run.sim->work.steps, 6);
  assert_close(dls_test_value(&run, 8, "t"), 0.4, 1e-15);
  assert_close(dls_test_value(&run, 10, "t"), 0.4500005, 1e-15);
  assert_close(run.sim->t, 0.500001, 0);
  dls_test_free(&run);
}

DLS_TEST(rejections_of_a_step_are_limited)
{
  test_run run = dls_test_run("impacting-oscillator",
                              "moreau-jean-adaptive:tol=1e-9,max_rejections=1,h_min=1e-3,h_first=0.1", 1, 2);
  assert_true(run.sim->work.rejected > 0);
  assert_true(run.sim->work.forced > 0);
  test_run twenty =
      dls_test_run("impacting-oscillator", "moreau-jean-adaptive:tol=1e-9,h_min=1e-3,h_first=0.1", 1, 2);
  assert_true(run.sim->work.rejected < twenty.sim->work.rejected);
  dls_test_free(&twenty);
  dls_test_free(&run);
}

/* Every choice of what there is to choose, on every model: it ends, at the end. */
DLS_TEST(every_setting_ends)
{
  static const char *const orders[] = {"0", "1", "2", "variable"};
  static const char *const controls[] = {"q", "scaled", "full"};
  static const char *const bases[] = {"moreau-jean", "variant", "newmark"};
  const double h_min = 2e-3;
  for (const dls_model *const *m = dls_models(); *m != NULL; m++) {
    for (unsigned i = 0; i < 4 * 3 * 2; i++) {
      char scheme[300];
      snprintf(scheme, sizeof scheme,
               "moreau-jean-adaptive:tol=%s,order=%s,control=%s,violation=%s,base=%s,theta=%s,gamma=%s,"
               "velocity_test=%s,h_min=%g",
               i % 5 == 0 ? "1e-12" : "1e-4", orders[i % 4], controls[i / 4 % 3],
               i / 12 == 0  ? "off"
               : i % 4 == 1 ? "total"
                            : "increment",
               bases[i % 3], i % 2 == 0 ? "0.5" : "1", i % 7 < 4 ? "1" : "0.5", i % 5 < 3 ? "on" : "off",
               h_min);
      dls_error err = {0};
      test_run run = dls_test_prepare(dls_test_small_model((*m)->name), scheme);
      const double end = dls_test_span((*m)->name, 2 * run.sys->time);
      if (!dls_test_applies(run.sys, run.sim->scheme)) {
        dls_test_free(&run);
        break;
      }
      assert_ok(dls_run(run.sim, &(dls_run_spec){.end = end}, &err), err);
      assert_close(run.sim->t, end, 0);
      const double most = 2 * sqrt(2) / h_min + 4; /* steps of the shortest length on the grid */
      assert_between((double)run.sim->work.steps, 2, most);
      assert_true(run.sim->work.rejected <= 20 * run.sim->work.steps);
      dls_test_free(&run);
    }
  }
}

DLS_TEST(the_number_of_trials_is_limited)
{
  dls_error err = {0};
  test_run run = dls_test_prepare("bouncing-ball", "moreau-jean-adaptive:max_trials=30");
  assert_int_equal(dls_run(run.sim, &(dls_run_spec){.end = 4, .record = run.traj}, &err), DLS_ERR_NOCONV);
  assert_non_null(strstr(err.text, "moreau-jean-adaptive at t = "));
  assert_non_null(strstr(err.text, "max_trials = 30 steps were tried"));
  assert_int_equal(trials(&run), 30);
  const size_t last = run.traj->rows - 1;
  assert_close(dls_test_value(&run, last, "t"), run.sim->t, 0);
  assert_close(dls_test_value(&run, last, "q0"), run.sim->q[0], 0);
  assert_false(run.traj->complete);
  dls_test_free(&run);
}

/* A step that cannot be computed is tried shorter, down to the shortest; then the run fails and says when. */
DLS_TEST(a_step_that_fails_is_tried_shorter)
{
  test_run run = dls_test_run("bouncing-pendulum",
                              "moreau-jean-adaptive:newton_max=2,newton_tol=1e-9,tol=1e-2,h_first=0.1", 1, 0.3);
  assert_between((double)run.sim->work.rejected, 1, 1000);
  assert_int_equal(run.sim->work.forced, 0);
  dls_test_free(&run);
  dls_error err = {0};
  run = dls_test_prepare("bouncing-pendulum", "moreau-jean-adaptive:newton_max=1");
  assert_int_equal(dls_run(run.sim, &(dls_run_spec){.end = 1, .record = run.traj}, &err), DLS_ERR_NOCONV);
  assert_non_null(
      strstr(err.text, "moreau-jean-adaptive at t = 0: moreau-jean at t = 0: Newton's method left"));
  assert_close(run.sim->q[0], 0, 0);
  assert_close(run.sim->t, 0, 0);
  assert_int_equal(run.traj->rows, 1);
  assert_between((double)run.sim->work.rejected, 1, 20);
  dls_test_free(&run);
}

/* Fails where it is longer than a hundredth; keeps the lengths it was given. */
typedef struct fragile {
  double lengths[8];
  size_t count;
} fragile;

static dls_status try_fragile(dls_sim *sim, void *step, double h, double *error, int *order, dls_error *err)
{
  fragile *f = step;
  assert_true(f->count < 8);
  f->lengths[f->count++] = h;
  *error = 0.5;
  *order = 1;
  return h > 0.01 ? dls_sim_fail(sim, err, DLS_ERR_NOCONV, "too long") : DLS_OK;
}

/* 1/10, 1/40 and 1/160: the one that failed says only that it was too long. */
DLS_TEST(after_a_step_that_fails_comes_a_quarter_of_it)
{
  dls_error err = {0};
  double h = 0;
  fragile f = {0};
  dls_step_control control;
  test_run run = dls_test_prepare("bouncing-ball", "moreau-jean-adaptive");
  run.sim->work.steps = run.sim->work.rejected = 0;
  const dls_step_control_options options = {.h_first = 0.1 / run.sim->sys->time,
                                            .h_min = 1e-7,
                                            .h_max = 0.1 / run.sim->sys->time,
                                            .safety = 0.9,
                                            .shrink = 0.2,
                                            .grow = 2,
                                            .max_rejections = 20,
                                            .max_trials = 100};
  dls_step_control_start(run.sim, &options, &control);
  assert_ok(dls_step_control_step(run.sim, &control, 1, try_fragile, &f, &h, &err), err);
  assert_int_equal(f.count, 3);
  for (size_t i = 0; i < 3; i++) {
    assert_close(f.lengths[i], 0.1 * pow(0.25, (double)i), 1e-15);
  }
  assert_close(h, 0.00625, 1e-15);
  assert_int_equal(run.sim->work.steps, 1);
  assert_int_equal(run.sim->work.rejected, 2);
  dls_test_free(&run);
}

DLS_TEST(lengths_that_do_not_go_together_are_refused)
{
  dls_error err = {0};
  test_run run = dls_test_prepare("bouncing-ball", "moreau-jean-adaptive");
  assert_ok(dls_sim_set(run.sim, "h_min=1", &err), err);
  assert_ok(dls_sim_set(run.sim, "h_max=0.5", &err), err);
  assert_int_equal(dls_run(run.sim, &(dls_run_spec){.end = 1}, &err), DLS_ERR_OPTION);
  assert_string_equal(err.text, "scheme moreau-jean-adaptive: h_min = 1 exceeds h_max = 0.5");
  dls_test_free(&run);
}

/* The belt stops at t1, in no step: what the error of a step does not see. */
DLS_TEST(steps_end_at_jumps_of_surfaces)
{
  static const char *const schemes[] = {"moreau-jean-adaptive:tol=1e-8",
                                        "moreau-jean-extrapolated-adaptive:tol=1e-8"};
  static const double most[] = {3e-6, 1e-8};
  test_run exact = dls_test_run("belt:t1=1", "event-driven:tol=1e-11", 0, 3);
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    test_run run = dls_test_run("belt:t1=1", schemes[i], 0, 3);
    assert_between(fabs(run.sim->q[0] - exact.sim->q[0]), 1e-12, most[i]);
    dls_test_free(&run);
  }
  dls_test_free(&exact);
}

/* The belt holds the mass from pi/6 on, in a step: what is removed of its slip is an error of the flow, which the pair does not see. */
DLS_TEST(steps_end_where_slip_ends)
{
  static const double tol[] = {1e-6, 1e-8, 1e-10};
  for (size_t i = 0; i < 3; i++) {
    char scheme[60];
    snprintf(scheme, sizeof scheme, "splitting-rkf45-adaptive:tol=%g", tol[i]);
    test_run run = dls_test_run("belt", scheme, 0, 0.9);
    const double stuck = acos(-1) / 6, exact = 1 - cos(stuck) + 0.5 * (0.9 - stuck);
    assert_between(fabs(run.sim->q[0] - exact), 1e-14, 2 * tol[i]);
    assert_close(run.sim->v[0], 0.5, 1e-14);
    assert_between((double)run.sim->work.rejected, 1, 40);
    dls_test_free(&run);
  }
}

/* Slips that reverse at once: the pair has the friction of before on both sides. */
DLS_TEST(steps_end_where_slip_reverses)
{
  static const double tol[] = {1e-6, 1e-8, 1e-10};
  test_run exact = dls_test_run("den-hartog:v0=-0.1", "event-driven:tol=1e-12", 0, 7.5);
  for (size_t i = 0; i < 3; i++) {
    char scheme[60];
    snprintf(scheme, sizeof scheme, "splitting-rkf45-adaptive:tol=%g,h_min=1e-12", tol[i]);
    test_run run = dls_test_run("den-hartog:v0=-0.1", scheme, 0, 7.5);
    assert_between(fabs(run.sim->q[0] - exact.sim->q[0]), 1e-14, 20 * tol[i]);
    dls_test_free(&run);
  }
  dls_test_free(&exact);
}

static void (*load_of_belt)(const dls_system *sys, double t, double *F);
static void pushed_from_1_on(const dls_system *sys, double t, double *F)
{
  load_of_belt(sys, t, F);
  F[0] += t >= 1 ? 0.3 : 0;
}

/* Where the belt stops, a load begins: the last stage of the step before sees it, and the pair this stage. Up to rest x'' = -x - 1 + 0.3. */
DLS_TEST(loads_that_jump_with_a_surface_are_seen)
{
  static const double tol[] = {1e-6, 1e-8, 1e-10};
  const double stuck = acos(-1) / 6, x = 1 - cos(stuck) + 0.5 * (1 - stuck), amplitude = hypot(x + 0.7, 0.5);
  for (size_t i = 0; i < 3; i++) {
    char scheme[60];
    snprintf(scheme, sizeof scheme, "splitting-rkf45-adaptive:tol=%g", tol[i]);
    dls_system *sys = dls_test_system("belt:t1=1");
    load_of_belt = sys->load;
    sys->load = pushed_from_1_on;
    sys->steady_load = false;
    test_run run = dls_test_run_of(sys, scheme, 0, 3);
    assert_between(fabs(run.sim->q[0] - (amplitude - 0.7)), 1e-14, 5 * tol[i]);
    assert_close(run.sim->v[0], 0, 1e-13);
    assert_between((double)run.sim->work.rejected, 1, 60);
    dls_test_free(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_moved_run_repeats_itself),
      cmocka_unit_test(a_scheme_with_a_memory_cannot_be_moved),
      cmocka_unit_test(without_control_it_is_the_base_scheme),
      cmocka_unit_test(position_control_is_accurate_for_its_price),
      cmocka_unit_test(error_falls_with_the_tolerance),
      cmocka_unit_test(variable_order_sees_impacts),
      cmocka_unit_test(violation_is_controlled_by_its_increment),
      cmocka_unit_test(violation_as_a_total_does_not_let_go),
      cmocka_unit_test(full_control_ends_at_the_shortest_step),
      cmocka_unit_test(step_lengths_are_on_a_grid),
      cmocka_unit_test(the_last_two_steps_share_what_is_left),
      cmocka_unit_test(rejections_of_a_step_are_limited),
      cmocka_unit_test(every_setting_ends),
      cmocka_unit_test(the_number_of_trials_is_limited),
      cmocka_unit_test(a_step_that_fails_is_tried_shorter),
      cmocka_unit_test(after_a_step_that_fails_comes_a_quarter_of_it),
      cmocka_unit_test(lengths_that_do_not_go_together_are_refused),
      cmocka_unit_test(steps_end_at_jumps_of_surfaces),
      cmocka_unit_test(steps_end_where_slip_ends),
      cmocka_unit_test(steps_end_where_slip_reverses),
      cmocka_unit_test(loads_that_jump_with_a_surface_are_seen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
