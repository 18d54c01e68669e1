/* test_roots.c -- the integrators' own root finders, with and without the guard: the same events at the same times as by
 * the search on the dense output, and what a finder of sign changes misses.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"
#include "event_driven/integrator/engine.h"
#include "runs.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static test_run run_with(const char *model, const char *options, double end)
{
  char scheme[120];
  snprintf(scheme, sizeof scheme, "event-driven:%s", options);
  return dls_test_run(model, scheme, 0, end);
}

/* One motion by both finders: kinds, contacts and order agree, and so do the times; but for the first they start from states
 * that differ by rounding, which the motion may let grow. */
static void compare_finders(const char *model, const char *method, double end, double sensitivity)
{
  char own[80], hull[80];
  const double event_tol = 1e-13;
  snprintf(own, sizeof own, "roots=cvode,%s", method);
  snprintf(hull, sizeof hull, "roots=hull,%s", method);
  test_run a = run_with(model, own, end);
  test_run b = run_with(model, hull, end);
  assert_between((double)b.traj->event_count, 1, 1000);
  assert_int_equal(a.traj->event_count, b.traj->event_count);
  assert_int_equal(a.sim->work.roots_missed, 0);
  for (size_t i = 0; i < a.traj->event_count; i++) {
    const dls_event *x = &a.traj->events[i];
    const dls_event *y = &b.traj->events[i];
    assert_int_equal(x->kind, y->kind);
    assert_int_equal(x->contact, y->contact);
    assert_close(x->t, y->t, 10 * event_tol * (i == 0 ? 1 : sensitivity));
  }
  dls_test_free(&a);
  dls_test_free(&b);
}

DLS_TEST(both_finders_see_the_same_events)
{
  static const struct {
    const char *model;
    double end, sensitivity;
  } cases[] = {
      {"bouncing-ball:e=0.8", 8, 5},
      {"bouncing-ball", 5, 5}, /* through the accumulation */
      {"impacting-oscillator:e=1", 50, 20},
      {"impacting-oscillator:q0=0,f=-1,amplitude=1.5,phase=1.5707963267948966", 10,
       20}, /* releases and landings */
      {"two-ball-oscillator", 1.2, 10},
      {"ball-between-walls", 5, 5},
      {"wedge", 3, 5},
      {"vibrating-table", 1, 5},
      {"bouncing-pendulum", 2.5, 1000},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    compare_finders(cases[i].model, "method=adams", cases[i].end, cases[i].sensitivity);
    compare_finders(cases[i].model, "method=erk", cases[i].end, cases[i].sensitivity);
  }
}

/* q = 1 + (1 + depth) cos t over a stop at 0: below it for 2 sqrt(2 depth) about pi. */
static test_run dip(double depth, const char *options)
{
  char model[80];
  snprintf(model, sizeof model, "impacting-oscillator:f=1,q0=%.17g", 2 + depth);
  return run_with(model, options, 8);
}

DLS_TEST(a_dip_between_two_nodes_is_missed_without_guard)
{
  static const char *const methods[] = {"adams", "erk"};
  for (size_t i = 0; i < 2; i++) {
    char options[60];
    snprintf(options, sizeof options, "guard=off,method=%s", methods[i]);
    test_run off = dip(1e-8, options);
    assert_int_equal(off.traj->event_count, 0);
    assert_close(off.sim->q[0], 1 + (1 + 1e-8) * cos(8), 1e-8); /* as if there were no stop */
    snprintf(options, sizeof options, "method=%s", methods[i]);
    test_run on = dip(1e-8, options);
    assert_int_equal(on.sim->work.impacts, 1);
    assert_int_equal(on.sim->work.roots_missed, 1);
    assert_true(on.traj->events[0].root_missed);
    assert_close(on.traj->events[0].t, acos(-1 / (1 + 1e-8)), 5e-7); /* g errs by 1e-10, u = -1.4e-4 */
    dls_test_free(&off);
    dls_test_free(&on);
  }
}

DLS_TEST(a_deep_dip_is_seen)
{
  test_run off = dip(1e-2, "guard=off");
  test_run on = dip(1e-2, "guard=on");
  assert_int_equal(off.sim->work.impacts, 1);
  assert_int_equal(on.sim->work.roots_missed, 0);
  assert_false(on.traj->events[0].root_missed);
  assert_close(off.traj->events[0].t, on.traj->events[0].t, 1e-13);
  dls_test_free(&off);
  dls_test_free(&on);
}

DLS_TEST(grazing_is_seen_by_the_guard_alone)
{
  test_run on = dip(0, "guard=on");
  assert_int_equal(on.traj->event_count, 1);
  assert_int_equal(on.traj->events[0].kind, DLS_GRAZING);
  assert_int_equal(on.sim->work.roots_missed, 1);
  test_run off = dip(0, "guard=off");
  assert_int_equal(off.traj->event_count, 0);
  dls_test_free(&on);
  dls_test_free(&off);
}

static double middle_of_dip(const dls_system *sys, double t)
{
  (void)sys;
  return t < acos(-1) ? acos(-1) : HUGE_VAL;
}

static void one_newton(const dls_system *sys, double t, double *F)
{
  (void)sys, (void)t;
  F[0] = 1;
}

/* A step ends in the middle of the dip, so that its first zero is found, not its minimum. What is left of the fall decides: less than
 * 0.4 eps_g is a graze, and eps_g is 1e-10. */
DLS_TEST(a_crossing_by_less_than_the_tolerance_of_gaps_grazes)
{
  const double depths[] = {1.5e-11, 3e-10};
  for (size_t k = 0; k < 2; k++) {
    dls_system *sys = ed_masses(1, 1);
    sys->K = dls_matrix_diagonal(1);
    dls_matrix_set(sys->K, 0, 0, 1);
    dls_matrix_set(sys->H, 0, 0, 1);
    sys->load = one_newton;
    sys->next_break = middle_of_dip;
    sys->q0[0] = 2 + depths[k];
    ed_run run = ed_system(sys, 4, (const char *const[]){"tol=1e-10", "roots=hull", NULL});
    assert_int_equal(run.traj->event_count, 1);
    assert_int_equal(run.traj->events[0].kind, k == 0 ? DLS_GRAZING : DLS_IMPACT);
    ed_end(&run);
  }
}

/* A dip is a graze only if it is slower than a thousandth of the flight, whose speed is 1: u = -sqrt(2 depth). */
DLS_TEST(a_fast_dip_is_an_impact)
{
  const double depths[] = {4e-8, 5e-6};
  for (size_t k = 0; k < 2; k++) {
    test_run run = dip(depths[k], k == 0 ? "roots=hull,tol=1e-10,eps_g=1e4" : "roots=hull,tol=1e-8,eps_g=1e4");
    assert_int_equal(run.traj->events[0].kind, k == 0 ? DLS_GRAZING : DLS_IMPACT);
    dls_test_free(&run);
  }
}

/* In free fall steps are long, and the table turns often inside one: pairs of roots, and more of them. */
DLS_TEST(a_table_that_turns_often_in_one_step)
{
  static const char *const methods[] = {"method=adams,tol=1e-6", "method=erk,tol=1e-6"};
  for (size_t i = 0; i < 2; i++) {
    char options[60];
    snprintf(options, sizeof options, "guard=off,%s", methods[i]);
    test_run off = run_with("vibrating-table:A=0.1", options, 2);
    assert_between(off.sim->worst_gap, -0.2, i == 0 ? -1e-3 : 0); /* the table goes through the ball */
    assert_true(off.traj->events[0].t > 0.1);
    test_run on = run_with("vibrating-table:A=0.1", methods[i], 2);
    assert_between(on.sim->worst_gap, -1e-6, 0);
    assert_close(on.traj->events[0].t, 0.0224639875, 1e-6);
    snprintf(options, sizeof options, "roots=hull,%s", methods[i]);
    test_run hull = run_with("vibrating-table:A=0.1", options, 2);
    assert_between((double)on.sim->work.roots_missed, 1, 10);
    assert_int_equal(on.traj->event_count, hull.traj->event_count);
    for (size_t k = 0; k < on.traj->event_count; k++) {
      assert_close(on.traj->events[k].t, hull.traj->events[k].t, 1e-9);
    }
    dls_test_free(&off);
    dls_test_free(&on);
    dls_test_free(&hull);
  }
}

/* By itself: f falls through zero once in every turn of (sin t, cos t); +1 and exact zeros are no roots. */

static int turn(void *data, double t, const double *y, double *dy)
{
  (void)data, (void)t;
  dy[0] = y[1];
  dy[1] = -y[0];
  return 0;
}

static void weights(void *data, const double *y, double *w)
{
  (void)data, (void)y;
  w[0] = w[1] = 1e10;
}

static void heights(void *data, double t, const double *y, double *f)
{
  (void)data, (void)t;
  f[0] = y[0]; /* zero at the start, rises */
  f[1] = 0;    /* for ever */
  f[2] = 1;
}

DLS_TEST(engines_stop_where_a_function_falls)
{
  for (int method = DLS_ENGINE_ADAMS; method <= DLS_ENGINE_ERK; method++) {
    const dls_engine_spec spec = {.size = 2,
                                  .method = (dls_engine_method)method,
                                  .order = 6,
                                  .time_scale = 1,
                                  .rhs = turn,
                                  .weights = weights,
                                  .roots = 3,
                                  .root = heights};
    dls_engine *engine = NULL;
    dls_error err = {0};
    double t = 0, y[2] = {0, 1}, before = 0;
    int falls = 0;
    assert_ok(dls_engine_create(&spec, &engine, &err), err);
    assert_ok(dls_engine_restart(engine, 0, y, 0, &err), err);
    while (t < 15) { /* y[0] = sin t falls at pi, 3 pi */
      double bracket = 0;
      before = t;
      assert_ok(dls_engine_step(engine, &t, y, &bracket, &err), err);
      const double zero = (2 * falls + 1) * acos(-1);
      if (bracket > 0) {
        assert_between(zero, fmax(before, t - bracket - 1e-9), t + 1e-9);
        assert_true(method == DLS_ENGINE_ERK || fabs(t - zero) < 1e-8); /* CVODE returns there */
        falls++;
      }
    }
    assert_int_equal(falls, 2);
    dls_engine_destroy(engine);
  }
}

static void push_both(const dls_system *sys, double t, double *F)
{
  (void)sys, (void)t;
  F[0] = -2;
  F[1] = 40;
}

/* g0 = 1 - t^2 falls at 1 s, which the integrator sees. In the same step g1 = 20 ((t - 0.95)^2 - 0.01^2) is below zero from 0.94 s to 0.96 s,
 * which it does not see. The times differ by 60 event_tol, and are two events. */
DLS_TEST(an_impact_missed_just_before_one_that_is_seen_is_another_event)
{
  dls_system *sys = ed_masses(2, 2);
  sys->load = push_both;
  sys->length = sys->time = 1;
  for (size_t i = 0; i < 2; i++) {
    dls_matrix_set(sys->H, i, i, 1);
  }
  sys->q0[0] = 1;
  sys->q0[1] = 20 * (0.95 * 0.95 - 0.01 * 0.01);
  sys->v0[1] = -40 * 0.95;
  ed_run run =
      ed_system(sys, 1.2, (const char *const[]){"tol=1e-3", "event_tol=1", "method=erk", "roots=cvode", NULL});
  assert_int_equal(run.traj->event_count, 2);
  for (size_t i = 0; i < 2; i++) {
    const dls_event *event = &run.traj->events[i];
    assert_int_equal(event->contact, 1 - i);
    assert_close(event->t, i == 0 ? 0.94 : 1, 1e-3);
    assert_int_equal(event->root_missed, i == 0);
  }
  ed_end(&run);
}

static const double crest = 1e-3, wave_number = 1000; /* m, 1/m */

static void wave_gap(const dls_system *sys, double t, const double *q, double *g)
{
  (void)sys, (void)t;
  g[0] = q[1] - crest * cos(wave_number * q[0]);
}

static void wave_gradient(const dls_system *sys, const double *q, dls_matrix *H)
{
  (void)sys;
  dls_matrix_set(H, 0, 0, crest * wave_number * sin(wave_number * q[0]));
  dls_matrix_set(H, 1, 0, 1);
}

static void wave_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  (void)sys, (void)t;
  c[0] = crest * wave_number * wave_number * cos(wave_number * q[0]) * v[0] * v[0];
}

static void no_force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)sys, (void)t, (void)q, (void)v;
  F[0] = F[1] = 0;
}

/* A mass flies in ten steps over 160 waves of a floor. One step has most of them, and the gap turns in each: its search takes 650 samples,
 * and no wave is as high as the mass. */
DLS_TEST(a_flight_over_many_waves_has_no_event)
{
  dls_system *sys = ed_masses(2, 1);
  dls_error err = {0};
  sys->linear = false;
  sys->force = no_force;
  sys->gap = wave_gap;
  sys->gradient = wave_gradient;
  sys->curvature = wave_curvature;
  sys->length = sys->time = 1;
  sys->q0[1] = 2.1 * crest;
  sys->v0[0] = 1;
  ed_run run = ed_start(sys, (const char *const[]){"tol=1e-8", "roots=hull", "method=adams", NULL});
  assert_ok(dls_run(run.sim, &(dls_run_spec){.end = 1}, &err), err);
  assert_int_equal(run.sim->work.impacts, 0);
  assert_in_range(run.sim->work.steps, 3, 20);
  assert_close(run.sim->q[0], 1, 1e-12);
  ed_end(&run);
}

DLS_TEST(no_guard_without_root_finder)
{
  dls_error err = {0};
  test_run run = dls_test_prepare("bouncing-ball", "event-driven");
  assert_ok(dls_sim_set(run.sim, "roots=hull", &err), err);
  assert_ok(dls_sim_set(run.sim, "guard=off", &err), err);
  assert_int_equal(dls_run(run.sim, &(dls_run_spec){.end = 1}, &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "guard = off"));
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_finders_see_the_same_events),
      cmocka_unit_test(a_dip_between_two_nodes_is_missed_without_guard),
      cmocka_unit_test(a_deep_dip_is_seen),
      cmocka_unit_test(grazing_is_seen_by_the_guard_alone),
      cmocka_unit_test(a_crossing_by_less_than_the_tolerance_of_gaps_grazes),
      cmocka_unit_test(a_fast_dip_is_an_impact),
      cmocka_unit_test(a_table_that_turns_often_in_one_step),
      cmocka_unit_test(engines_stop_where_a_function_falls),
      cmocka_unit_test(an_impact_missed_just_before_one_that_is_seen_is_another_event),
      cmocka_unit_test(a_flight_over_many_waves_has_no_event),
      cmocka_unit_test(no_guard_without_root_finder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
