/* test_warnings.c -- what physics forbids is reported, each kind, and nothing else.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/models/multibody/mechanism.h"
#include "models.h"
#include "runs.h"
#include <delassus/flat.h>
#include <delassus/scheme.h>
#include <math.h>
#include <string.h>

/* Two spheres on mass points that fly towards each other. */
static dls_system *two_spheres(void)
{
  static const dls_body bodies[] = {
      {.name = "a", .kind = DLS_BODY_POINT, .mass = 1, .at = {-5}, .velocity = {1}},
      {.name = "b", .kind = DLS_BODY_POINT, .mass = 1, .at = {5}, .velocity = {-1}}};
  static const dls_touch touch = {.name = "c",
                                  .kind = DLS_TOUCH_PAIR,
                                  .a = {0},
                                  .b = {1},
                                  .radius = 0.1,
                                  .radius_b = 0.1,
                                  .restitution = 1};
  dls_system *sys = NULL;
  dls_error err = {0};
  const dls_mechanism m = {.dim = 2, .body_count = 2, .bodies = bodies, .touch_count = 1, .touches = &touch};
  assert_ok(dls_mechanism_system(&m, &sys, &err), err);
  return sys;
}

/* A ball of radius 0.1 at x = 0 on a table from x = -0.5 to 0.5, at 1 m/s. */
static dls_system *ledge(void)
{
  static const dls_body bodies[] = {
      {.name = "table", .mass = 1e6, .inertia = {1e6}, .at = {0, 0.5}},
      {.name = "ball", .mass = 1, .inertia = {0.004}, .at = {0, 1.1}, .velocity = {1}}};
  static const dls_end marks[] = {{0, {0, 0.5}}, {0, {-0.5, -0.5}}, {0, {0.5, -0.5}}};
  static const dls_touch touches[] = {
      {.name = "l", .kind = DLS_TOUCH_PLANE, .a = {0, {-0.5, -0.5}}, .normal = {0, 1}},
      {.name = "r", .kind = DLS_TOUCH_PLANE, .a = {0, {0.5, -0.5}}, .normal = {0, 1}},
      {.name = "c", .kind = DLS_TOUCH_FACE, .a = {1}, .b = {0, {0, 0.5}}, .radius = 0.1, .normal = {0, 1}}};
  dls_system *sys = NULL;
  dls_error err = {0};
  const dls_mechanism m = {.dim = 2,
                           .body_count = 2,
                           .bodies = bodies,
                           .mark_count = 3,
                           .marks = marks,
                           .touch_count = 3,
                           .touches = touches,
                           .gravity = {0, -9.81}};
  assert_ok(dls_mechanism_system(&m, &sys, &err), err);
  return sys;
}

DLS_TEST(fixed_steps_report_spheres_that_pass_through_each_other)
{
  char text[200];
  test_run run =
      dls_test_run_of(two_spheres(), "moreau-jean", 0.4, 10); /* nodes at 4.8 and 5.2: gap 0.2 at both */
  const dls_warning *w = &run.sim->warnings[DLS_WARN_PASSED];
  assert_int_equal(w->count, 1);
  assert_close(w->from, 4.8, 1e-12);
  assert_close(w->t, 5.2, 1e-12);
  assert_close(w->value, -0.2, 1e-6); /* the centres meet */
  dls_sim_warning_text(run.sim, DLS_WARN_PASSED, text, sizeof text);
  assert_string_equal(text, "contact c: a and b passed through each other between t = 4.8 and t = 5.2");
  assert_string_equal(dls_trajectory_warning(run.traj, 0), "passed-through, t=5.2, contact=0, value=-0.2");
  assert_string_equal(dls_flat_warning(run.traj, 0), dls_trajectory_warning(run.traj, 0));
  assert_int_equal(dls_trajectory_warning_count(run.traj), 1);
  assert_int_equal(dls_sim_warning_count(run.sim), 1);
  dls_test_free(&run);
}

DLS_TEST(adaptive_steps_do_not_pass)
{
  static const char *const schemes[] = {"moreau-jean-adaptive", "moreau-jean-extrapolated-adaptive",
                                        "splitting-rkf45-adaptive"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    test_run run = dls_test_run_of(two_spheres(), schemes[i], 0, 10);
    assert_int_equal(run.sim->work.impacts, 1);
    assert_int_equal(dls_sim_warning_count(run.sim), 0);
    assert_between(run.sim->worst_gap, -1e-4, 0.01);
    assert_close(run.sim->v[0], -1, 1e-9);
    dls_test_free(&run);
  }
}

DLS_TEST(a_contact_outside_of_its_face_is_reported)
{
  test_run run = dls_test_run_of(ledge(), "moreau-jean", 0.01, 1);
  const dls_warning *w = &run.sim->warnings[DLS_WARN_FACE];
  assert_between((double)w->count, 45, 51); /* from 0.5 s on */
  assert_between(w->t, 0.5, 0.53);
  assert_int_equal(w->contact, 2);
  assert_between(w->value, 1e-5, 0.03);
  dls_test_free(&run);
  run = dls_test_run_of(ledge(), "moreau-jean", 0.01, 0.48);
  assert_int_equal(dls_sim_warning_count(run.sim), 0);
  dls_test_free(&run);
}

/* A ball of scheme, step and end: the depth of the warning `penetration`, and what explains it. */
static void check_depth(const char *scheme, double step, double end, double low, double high,
                        dls_warning_cause cause, const char *reason)
{
  char text[320];
  test_run run = dls_test_run("bouncing-ball", scheme, step, end);
  const dls_warning *w = &run.sim->warnings[DLS_WARN_PENETRATION];
  assert_int_equal(w->count, 1);
  assert_close(w->value, run.sim->worst_gap, 0);
  assert_between(w->value, low, high);
  assert_int_equal(w->cause, cause);
  assert_int_equal(dls_sim_warning_explained(run.sim), cause == DLS_CAUSE_STEP || cause == DLS_CAUSE_SPRING);
  dls_sim_warning_text(run.sim, DLS_WARN_PENETRATION, text, sizeof text);
  assert_non_null(strstr(text, reason));
  assert_true(run.traj->complete);
  dls_test_free(&run);
}

/* The length scale is 1 m. The ball is stopped up to a step late; at rest it sinks. */
DLS_TEST(a_penetration_of_one_percent_is_reported_with_what_explains_it)
{
  check_depth("moreau-jean", 0.05, 2, -0.1, -0.01, DLS_CAUSE_STEP,
              "the distance that the fastest impact covers in one step");
  check_depth("moreau-jean", 0.01, 20, -0.1, -0.022, DLS_CAUSE_DRIFT, "does not correct gaps");
  check_depth("central-difference-penalty", 0.05, 2, -0.2, -0.1, DLS_CAUSE_SPRING, "springs, which yield");
  check_depth("naive-rk4", 0.01, 40, -0.2, -0.1, DLS_CAUSE_UNKNOWN, "the gap was -0.124 m at t = 40 s");
  test_run run = dls_test_run("bouncing-ball", "moreau-jean", 0.0097, 5);
  assert_between(run.sim->worst_gap, -0.01, -0.005);
  assert_int_equal(dls_sim_warning_count(run.sim), 0);
  dls_test_free(&run);
}

DLS_TEST(energy_without_a_source_is_reported)
{
  test_run run = dls_test_run("bouncing-ball", "central-difference-penalty", 0.05, 10);
  assert_true(run.sim->warnings[DLS_WARN_ENERGY].count == 1);
  assert_between(run.sim->warnings[DLS_WARN_ENERGY].value, 1e6, 1e10);
  dls_test_free(&run);
  run = dls_test_run("bouncing-ball", "central-difference-penalty", 0.001, 10);
  assert_int_equal(run.sim->warnings[DLS_WARN_ENERGY].count, 0);
  dls_test_free(&run);
}

/* Newton's law with friction creates energy in Kane's double pendulum, also where the impact is at t = 0. */
DLS_TEST(energy_of_an_impact_law_is_reported)
{
  static const char *const schemes[] = {"event-driven", "moreau-jean"};
  for (size_t i = 0; i < 2; i++) {
    test_run run = dls_test_run("kane", schemes[i], 1e-4, 0.01);
    assert_int_equal(run.sim->warnings[DLS_WARN_ENERGY].count, 1);
    assert_between(run.sim->warnings[DLS_WARN_ENERGY].value, 0.01, 0.02);
    dls_test_free(&run);
  }
}

/* These schemes create energy at impacts, where a load is a source; impacts are rare among the nodes. */
DLS_TEST(energy_of_impacts_beside_a_load_is_reported)
{
  static const char *const bad[] = {"newmark-velocity-contact", "hht-velocity-contact"},
                           *const good[] = {"moreau-jean",
                                            "nonsmooth-newmark",
                                            "nonsmooth-hht",
                                            "nonsmooth-generalized-alpha",
                                            "fully-implicit-newmark",
                                            "schatzman-paoli",
                                            "rk-moreau",
                                            "tdg-d1-minus"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    test_run run = dls_test_run("impacting-oscillator:amplitude=2,omega=3", bad[i], 0.01, 10);
    assert_int_equal(run.sim->warnings[DLS_WARN_ENERGY].count, 1);
    assert_between(run.sim->warnings[DLS_WARN_ENERGY].value, 1, 1e3);
    dls_test_free(&run);
  }
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    test_run run = dls_test_run("impacting-oscillator:amplitude=2,omega=3", good[i], 0.01, 10);
    assert_int_equal(dls_sim_warning_count(run.sim), dls_sim_warning_explained(run.sim));
    assert_int_equal(run.sim->warnings[DLS_WARN_ENERGY].count, 0);
    dls_test_free(&run);
  }
}

/* Feeds 1 % of the velocity to every step of a body on a moving support, whose work does not explain it. */
static dls_status feed(dls_sim *sim, double h, dls_error *err)
{
  (void)err;
  sim->q[0] += h * sim->v[0];
  sim->v[0] *= 1.01;
  return DLS_OK;
}

static double nothing_stored(const dls_sim *sim)
{
  return 0 * sim->t;
}

/* Energy under `feed`. */
static void check_feeder(const char *model, const dls_balance *balance, size_t warnings)
{
  const dls_scheme feeder = {.name = "feeder",
                             .stepping = DLS_BY_STEP,
                             .advance = feed,
                             .handles = DLS_HANDLES_FRICTION | DLS_HANDLES_MOVING_GAPS,
                             .balance = balance};
  dls_system *sys = dls_test_system(model);
  dls_sim *sim = NULL;
  dls_error err = {0};
  assert_ok(dls_sim_create(sys, &feeder, &sim, &err), err);
  assert_ok(dls_run(sim, &(dls_run_spec){.step = 1e-4, .end = 0.1}, &err), err);
  assert_int_equal(sim->warnings[DLS_WARN_ENERGY].count, warnings);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

/* Contacts that yield: with the energy that they store, and not where that is unknown, or where a support moves them. */
DLS_TEST(energy_beyond_the_work_of_sources_is_reported)
{
  static const dls_balance yields = {.yields = true, .stored = nothing_stored}, unknown = {.yields = true};
  static const char table[] = "vibrating-table:v0=5", load[] = "impacting-oscillator:amplitude=2,omega=3,v0=5";
  check_feeder(table, NULL, 1);
  check_feeder(load, NULL, 1);
  check_feeder(load, &yields, 1);
  check_feeder(load, &unknown, 0);
  check_feeder(table, &yields, 0);
}

/* Kane's pendulum, whose forces are said to depend on t, so that its energy is not that of a closed system. */
static test_run kane_with_source(const char *law, const char *scheme, double step)
{
  dls_system *sys = dls_test_system(law);
  sys->explicit_time = DLS_TIME_UNKNOWN;
  return dls_test_run_of(sys, scheme, step, 0.01);
}

/* Newton's law with friction and a source: the works of normal and tangential impulses count, whichever sign each has. */
DLS_TEST(energy_of_frictional_impacts_beside_a_source_is_reported)
{
  static const struct {
    const char *law, *scheme;
    size_t warnings;
  } cases[] = {{"kane", "event-driven", 1},
               {"kane", "moreau-jean", 1},
               {"kane", "nonsmooth-newmark", 1},
               {"kane:e=0", "event-driven", 0},
               {"kane:e=0", "moreau-jean", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    test_run run = kane_with_source(cases[i].law, cases[i].scheme, 1e-4);
    assert_int_equal(run.sim->warnings[DLS_WARN_ENERGY].count, cases[i].warnings);
    if (cases[i].warnings > 0) {
      assert_between(run.sim->warnings[DLS_WARN_ENERGY].value, 0.01, 0.02);
    }
    dls_test_free(&run);
  }
}

/* Springs as contacts beside a load: steps that do not resolve the spring create energy, others do not. */
DLS_TEST(energy_of_springs_as_contacts_beside_a_load_is_reported)
{
  static const char model[] = "impacting-oscillator:amplitude=2,omega=3";
  test_run run = dls_test_run(model, "standard-penalty", 0.02, 20);
  assert_int_equal(run.sim->warnings[DLS_WARN_ENERGY].count, 1);
  dls_test_free(&run);
  static const char *const good[] = {"standard-penalty", "conserving-penalty", "spring-damper"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    run = dls_test_run(model, good[i], 1e-4, 10);
    assert_int_equal(run.sim->warnings[DLS_WARN_ENERGY].count, 0);
    dls_test_free(&run);
    run = dls_test_run("vibrating-table", good[i], 1e-4, 5);
    assert_int_equal(run.sim->warnings[DLS_WARN_ENERGY].count, 0);
    dls_test_free(&run);
  }
}

/* Pushes the first body at t = 0.5 without an impulse. */
static dls_status push(dls_sim *sim, double h, dls_error *err)
{
  (void)err;
  for (size_t i = 0; i < sim->sys->n; i++) {
    sim->q[i] += h * sim->v[i];
  }
  sim->v[1] += sim->step == 5 ? 0.01 : 0;
  return DLS_OK;
}

static dls_status overflow(dls_sim *sim, double h, dls_error *err)
{
  (void)err;
  sim->q[0] += sim->step == 5 ? INFINITY : h;
  return DLS_OK;
}

DLS_TEST(momentum_without_an_impulse_is_reported)
{
  static const dls_scheme pusher = {.name = "pusher", .stepping = DLS_BY_STEP, .advance = push};
  dls_system *sys = two_spheres();
  dls_sim *sim = NULL;
  dls_error err = {0};
  assert_ok(dls_sim_create(sys, &pusher, &sim, &err), err);
  assert_ok(dls_run(sim, &(dls_run_spec){.step = 0.1, .end = 1}, &err), err);
  assert_int_equal(sim->warnings[DLS_WARN_MOMENTUM].count, 1);
  assert_close(sim->warnings[DLS_WARN_MOMENTUM].value, 0.01, 1e-12);
  assert_int_equal(dls_sim_warning_count(sim), 1);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

/* Pressed for some time, then pulled: 1e-12 N on 1 kg for 480 s, far below the scales 1 m and 1 s. */
static double strength;

static void slow_load(const dls_system *sys, double t, double *F)
{
  (void)sys;
  F[0] = -strength * (0.12 + sin(2 * acos(-1) * 0.01 * t));
}

static dls_system *slowly_pulled(double force, double length, double time)
{
  dls_system *sys = dls_system_create(1, 1);
  assert_non_null(sys);
  strength = force;
  sys->linear = true;
  sys->M = dls_matrix_dense(1, 1);
  sys->H = dls_matrix_dense(1, 1);
  dls_matrix_set(sys->M, 0, 0, 1);
  dls_matrix_set(sys->H, 0, 0, 1);
  sys->load = slow_load;
  sys->length = length;
  sys->time = time;
  return sys;
}

DLS_TEST(scales_far_from_the_motion_are_reported)
{
  static const char *const schemes[] = {"moreau-jean",     "rk-moreau",    "nonsmooth-generalized-alpha",
                                        "schatzman-paoli", "tdg-d1-minus", "event-driven"};
  for (size_t k = 0; k < 6; k++) {
    test_run run = dls_test_run_of(slowly_pulled(1e-12, 1, 1), schemes[k], 0.5, 480);
    assert_int_equal(run.sim->warnings[DLS_WARN_SCALES].count, 1);
    assert_between(run.sim->warnings[DLS_WARN_SCALES].value, 1e-13, 1e-7);
    dls_test_free(&run);
    run = dls_test_run_of(slowly_pulled(1e-12, 2e-9, 60), schemes[k], 0.5, 480);
    assert_int_equal(dls_sim_warning_count(run.sim), 0);
    dls_test_free(&run);
  }
  test_run run =
      dls_test_run_of(slowly_pulled(1e-12, 1, 1), "event-driven", 1, 75); /* it pulls from 53.8 s on */
  char text[300];
  assert_int_equal(run.sim->warnings[DLS_WARN_PULL].count, 1);
  dls_sim_warning_text(run.sim, DLS_WARN_PULL, text, sizeof text);
  assert_string_equal(text, "contact 0 pulls at the end, t = 75 s, with 8.8e-13 N");
  dls_test_free(&run);
}

static void load_until_one_half(const dls_system *sys, double t, double *F)
{
  (void)sys;
  F[0] = t > 0.5 ? NAN : -1;
}

static void force_until_one_half(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)sys;
  (void)v;
  F[0] = t > 0.5 ? INFINITY : -q[0];
}

/* A run whose load or force has no value from t = 0.5 on: the message has the coordinate and the time, whatever the value has broken. */
static void check_load(const char *model, const char *scheme, const char *what)
{
  char reason[120];
  dls_error err = {0};
  dls_system *sys = dls_test_system(model);
  sys->explicit_time = DLS_TIME_UNKNOWN;
  if (sys->linear) {
    sys->load = load_until_one_half;
    sys->steady_load = false;
  } else {
    sys->force = force_until_one_half;
  }
  test_run run = dls_test_prepare_of(sys, scheme);
  const double step = dls_scheme_needs_step(run.sim->scheme) ? 0.01 : 0;
  const dls_status status = dls_run(run.sim, &(dls_run_spec){.step = step, .end = 1, .record = run.traj}, &err);
  snprintf(reason, sizeof reason, "%s from t = 0.5000000000000001", what);
  if (status != DLS_ERR_NONFINITE || strstr(err.text, reason) == NULL) {
    fail_msg("%s on %s: status %d, \"%s\" lacks \"%s\"", scheme, model, status, err.text, reason);
  }
  assert_non_null(strstr(run.traj->failure, reason));
  assert_int_equal(run.sim->warnings[DLS_WARN_NOT_FINITE].count, 1);
  dls_test_free(&run);
}

DLS_TEST(a_load_without_value_is_named)
{
  static const char *const schemes[] = {
      "event-driven:method=adams", "event-driven:method=bdf", "event-driven:method=erk", "moreau-jean",
      "moreau-jean-adaptive",      "nonsmooth-newmark",       "schatzman-paoli",         "rk-moreau",
      "standard-penalty"};
  static const char pendulum[] = "bouncing-pendulum", oscillator[] = "impacting-oscillator:q0=5";
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    check_load(oscillator, schemes[i], "the load on coordinate 0 (position) is not finite");
    check_load(pendulum, schemes[i], "the force on coordinate 0 (angle) is not finite");
  }
  check_load(oscillator, "event-driven:method=flow", "the load on coordinate 0 (position) is not finite");
}

DLS_TEST(numbers_that_are_not_finite_are_a_warning_too)
{
  static const dls_scheme breaks = {.name = "breaks", .stepping = DLS_BY_STEP, .advance = overflow};
  dls_system *sys = two_spheres();
  dls_sim *sim = NULL;
  dls_error err = {0};
  assert_ok(dls_sim_create(sys, &breaks, &sim, &err), err);
  dls_trajectory *traj = dls_sim_trajectory(sim, &err);
  assert_int_equal(dls_run(sim, &(dls_run_spec){.step = 0.1, .end = 1, .record = traj}, &err),
                   DLS_ERR_NONFINITE);
  assert_false(traj->complete);
  assert_string_equal(dls_trajectory_warning(traj, 0), "not-finite, t=0.6, contact=none, value=nan");
  dls_trajectory_destroy(traj);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

/* Models of every kind: linear and not, with friction, joints, moving supports and springs, none of which does what physics forbids. */
DLS_TEST(no_warning_without_a_reason)
{
  static const char *const models[] = {"bouncing-ball",
                                       "impacting-oscillator:amplitude=2,omega=3",
                                       "bead-column",
                                       "wedge",
                                       "bouncing-pendulum",
                                       "bouncing-pendulum-natural",
                                       "two-ball-oscillator",
                                       "random-linear",
                                       "incline",
                                       "incline-stack",
                                       "forced-block",
                                       "belt",
                                       "spring-block",
                                       "puck-belt",
                                       "superball",
                                       "bounce-slip",
                                       "rough-bowl",
                                       "rocking-block",
                                       "woodpecker",
                                       "vibrating-table",
                                       "cam-follower",
                                       "double-pendulum",
                                       "four-bar",
                                       "heavy-top",
                                       "lens-cardona-b",
                                       "rigid-discs",
                                       "pendulum-chain",
                                       "rope-limit",

                                       "block-column:columns=2,rows=2"};
  static const char *const schemes[] = {"event-driven", "moreau-jean", "moreau-jean-adaptive"};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
      dls_error err = {0};
      test_run run = dls_test_prepare(models[i], schemes[k]);
      const double span = 0.5 * run.sys->time;
      const dls_status status =
          dls_run(run.sim, &(dls_run_spec){.step = span / 2000, .end = span, .record = run.traj}, &err);
      if (status == DLS_OK && dls_trajectory_warning_count(run.traj) > 0) {
        fail_msg("%s, %s: %s", models[i], schemes[k], dls_trajectory_warning(run.traj, 0));
      }
      dls_test_free(&run);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fixed_steps_report_spheres_that_pass_through_each_other),
      cmocka_unit_test(adaptive_steps_do_not_pass),
      cmocka_unit_test(a_contact_outside_of_its_face_is_reported),
      cmocka_unit_test(a_penetration_of_one_percent_is_reported_with_what_explains_it),
      cmocka_unit_test(energy_without_a_source_is_reported),
      cmocka_unit_test(energy_of_an_impact_law_is_reported),
      cmocka_unit_test(energy_of_impacts_beside_a_load_is_reported),
      cmocka_unit_test(energy_beyond_the_work_of_sources_is_reported),
      cmocka_unit_test(energy_of_frictional_impacts_beside_a_source_is_reported),
      cmocka_unit_test(energy_of_springs_as_contacts_beside_a_load_is_reported),
      cmocka_unit_test(momentum_without_an_impulse_is_reported),
      cmocka_unit_test(no_warning_without_a_reason),
      cmocka_unit_test(scales_far_from_the_motion_are_reported),
      cmocka_unit_test(a_load_without_value_is_named),
      cmocka_unit_test(numbers_that_are_not_finite_are_a_warning_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
