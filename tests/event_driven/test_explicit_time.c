/* test_explicit_time.c -- loads, supports and surfaces that change inside a step as long as the run: nothing is missed where the
 * system bounds its terms; where it states nothing, what is missed is shorter than the resolution that the run reports.
 * References: closed forms.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "driven.h"
#include "ed_run.h"
#include <float.h>
#include <math.h>
#include <string.h>

extern const dls_model dls_model_vibrating_table;

static const double widths[] = {1e-6, 1e-3, 0.02, 0.5, 2};
enum { WIDTHS = sizeof widths / sizeof widths[0] };
static const double root_pi = 1.7724538509055160273;
static const double top = 20; /* time of the pulse [s] */

/* Engines with a tolerance that each can reach. */
static const struct {
  const char *method, *tol;
  double value;
  bool friction;
} engines[] = {
    {"method=adams", "tol=1e-10", 1e-10, true}, {"method=adams", "tol=1e-12", 1e-12, true},
    {"method=bdf", "tol=1e-10", 1e-10, true},   {"method=erk", "tol=1e-10", 1e-10, true},
    {"method=erk", "tol=1e-12", 1e-12, true},   {"method=flow", "tol=1e-10", 1e-10, false},
    {"method=flow", "tol=1e-12", 1e-12, false}, {"method=auto", "tol=1e-10", 1e-10, true},
    {"method=auto", "tol=1e-12", 1e-12, true},
};
enum { ENGINES = sizeof engines / sizeof engines[0] };

/* That the run reports; 0: none. */
static double resolution_of(const ed_run *run)
{
  const char key[] = "explicit_time_resolution: ";
  for (size_t i = 0; i < run->traj->meta_count; i++) {
    if (strncmp(run->traj->meta[i], key, sizeof key - 1) == 0) {
      return strtod(run->traj->meta[i] + sizeof key - 1, NULL);
    }
  }
  return 0;
}

static ed_run run_with(const dls_driven *what, size_t engine, double end)
{
  const char *const settings[] = {engines[engine].method, engines[engine].tol, NULL};
  return ed_system(dls_test_driven(what), end, settings);
}

static void assert_velocity(const char *what, size_t engine, double width, double v, double exact, double size)
{
  const double allowed = 10 * engines[engine].value * fmax(1, size);
  if (!(fabs(v - exact) <= allowed)) {
    fail_msg("%s, %s %s, width %g: v = %.15g, exact %.15g, off by %.3g, allowed %.3g", what,
             engines[engine].method, engines[engine].tol, width, v, exact, v - exact, allowed);
  }
}

/* Calls check for each engine that treats the system and each width. */
static void for_all(bool friction, void (*check)(size_t engine, double width))
{
  for (size_t k = 0; k < ENGINES; k++) {
    for (size_t i = 0; i < WIDTHS && (engines[k].friction || !friction); i++) {
      check(k, widths[i]);
    }
  }
}

static void push_at_rest(size_t engine, double w)
{
  const dls_driven mass = {.load = {{100, top, w}}, .height = 1};
  ed_run run = run_with(&mass, engine, 30);
  assert_velocity("at rest", engine, w, run.sim->v[0], 50 * w * root_pi * (1 + erf(10 / w)), 100 * w * root_pi);
  assert_true(resolution_of(&run) == 0);
  ed_end(&run);
}

static void push_in_flight(size_t engine, double w)
{
  const dls_driven mass = {.load = {{100, top, w}}, .weight = 9.81, .height = 1e5, .v = 3};
  ed_run run = run_with(&mass, engine, 30);
  assert_velocity("in flight", engine, w, run.sim->v[0], 3 - 9.81 * 30 + 50 * w * root_pi * (1 + erf(10 / w)),
                  300 + 100 * w * root_pi);
  ed_end(&run);
}

static void push_on_a_spring(size_t engine, double w)
{
  const dls_driven masses = {.kind = DLS_DRIVEN_SPRINGS, .load = {{100, top, w}}, .height = 1e5};
  ed_run run = run_with(&masses, engine, 30);
  assert_velocity("on a spring", engine, w, run.sim->v[0] + run.sim->v[1], 50 * w * root_pi * (1 + erf(10 / w)),
                  300 * w * root_pi);
  ed_end(&run);
}

static void push_in_contact(size_t engine, double w) /* lifts off at 100 exp(-x^2) = 10 */
{
  const dls_driven mass = {.load = {{100, top, w}}, .weight = 10};
  const double x = sqrt(log(10)), end = top + 10 * w;
  ed_run run = run_with(&mass, engine, end);
  assert_int_equal(ed_count(&run, DLS_LIFT_OFF), 1);
  assert_velocity("in contact", engine, w, run.sim->v[0],
                  50 * w * root_pi * (erf(10) + erf(x)) - 10 * (end - (top - x * w)), 300 * w);
  ed_end(&run);
}

static void push_while_stuck(size_t engine, double w) /* released at 100 exp(-x^2) = 1 */
{
  const dls_driven block = {.kind = DLS_DRIVEN_BLOCK, .load = {{100, top, w}}, .weight = 10, .mu = 0.1};
  const double x = sqrt(log(100)), end = top + 10 * w;
  ed_run run = run_with(&block, engine, end);
  assert_int_equal(ed_count(&run, DLS_SLIP), 1);
  assert_velocity("stuck", engine, w, run.sim->v[0],
                  50 * w * root_pi * (erf(10) + erf(x)) - (end - (top - x * w)), 300 * w);
  ed_end(&run);
}

static void push_while_sliding(size_t engine, double w)
{
  const dls_driven block = {
      .kind = DLS_DRIVEN_BLOCK, .load = {{100, top, w}}, .weight = 10, .mu = 0.1, .v = 200};
  ed_run run = run_with(&block, engine, 30);
  assert_velocity("sliding", engine, w, run.sim->v[0], 170 + 50 * w * root_pi * (1 + erf(10 / w)),
                  200 + 100 * w * root_pi);
  ed_end(&run);
}

DLS_TEST(a_push_on_a_mass_at_rest_is_seen)
{
  for_all(false, push_at_rest);
}

DLS_TEST(a_push_in_free_flight_is_seen)
{
  for_all(false, push_in_flight);
}

DLS_TEST(a_push_on_masses_with_a_spring_is_seen)
{
  for_all(false, push_on_a_spring);
}

DLS_TEST(a_push_lifts_a_mass_off_its_support)
{
  for_all(false, push_in_contact);
}

DLS_TEST(a_push_releases_a_block_that_sticks)
{
  for_all(true, push_while_stuck);
}

DLS_TEST(a_push_on_a_sliding_block_is_seen)
{
  for_all(true, push_while_sliding);
}

/* A bump of 1.001 m passes under a mass at 1 m, which it hits near its top. */
static void bump(size_t engine, double w)
{
  const dls_driven mass = {.support = {{1.001, top, w}}, .height = 1, .q = 1};
  const double x = sqrt(log(1.001));
  const char *const settings[] = {engines[engine].method, engines[engine].tol, NULL};
  ed_run run = ed_start(dls_test_driven(&mass), settings);
  run.traj->skip_nodes = true;
  assert_ok(dls_run(run.sim, &(dls_run_spec){.end = 30, .record = run.traj}, &run.err), run.err);
  assert_int_equal(ed_count(&run, DLS_IMPACT), 1);
  assert_close(ed_event(&run, DLS_IMPACT, 0)->t, top - x * w, 1e-9 * w + 1e-14 * top);
  assert_close(run.sim->v[0], 2 * x / w, 1e-8 / w);
  ed_end(&run);
}

DLS_TEST(a_bump_that_passes_under_a_mass_hits_it)
{
  for (size_t k = 0; k < ENGINES; k++) {
    bump(k, 0.5);
    bump(k, 0.1);
    bump(k, 0.02);
    bump(k, 1e-4);
  }
}

/* A mass rests on a cam that rises once by 0.1 m between two dwells, within 1 or 2 s of 40 s: it stays on the cam, at 0.6 m/s^2 at most. */
DLS_TEST(a_cam_between_two_dwells_lifts_a_mass)
{
  static const dls_driven_knowledge known[] = {DLS_DRIVEN_BOUNDS, DLS_DRIVEN_FEATURE, DLS_DRIVEN_CALLBACK};
  for (size_t k = 0; k < 3 * ENGINES; k++) {
    for (double w = 1; w <= 2; w++) {
      const dls_driven mass = {.rise = {0.1, top, w}, .weight = 1, .knowledge = known[k % 3], .feature = w};
      ed_run run = run_with(&mass, k / 3, 40);
      assert_int_equal(run.traj->event_count, 1); /* the start in contact */
      assert_close(run.sim->q[0], 0.1, 1e-9);
      assert_close(run.sim->v[0], 0, 1e-9);
      assert_close(run.sim->lambda[0], 1, 1e-9);
      ed_end(&run);
    }
  }
}

/* A surface that starts and stops takes a block at rest along: it sticks while |b'| < mu g. */
DLS_TEST(a_belt_that_moves_once_takes_a_block_along)
{
  for (size_t k = 0; k < ENGINES; k++) {
    const dls_driven block = {.kind = DLS_DRIVEN_BLOCK, .surface = {{0.3, top, 1}}, .weight = 10, .mu = 0.1};
    if (engines[k].friction) {
      ed_run run = run_with(&block, k, 30);
      assert_close(run.sim->q[0], 0.3 * root_pi, 1e-8);
      assert_int_equal(ed_count(&run, DLS_SLIP), 0);
      ed_end(&run);
    }
  }
}

/* With its time declared, and without. */
static const dls_driven_knowledge of_jumps[] = {DLS_DRIVEN_BOUNDS, DLS_DRIVEN_CALLBACK};

/* The support drops by 1/2 m at t = 1. */
DLS_TEST(a_floor_that_drops_is_lost_and_hit_later)
{
  for (size_t k = 0; k < 2 * ENGINES; k++) {
    const dls_driven mass = {.weight = 9.81, .jump_at = 1, .jump = -0.5, .knowledge = of_jumps[k % 2]};
    ed_run run = run_with(&mass, k / 2, 2);
    assert_close(ed_event(&run, DLS_LIFT_OFF, 0)->t, 1, 0);
    assert_close(ed_event(&run, DLS_IMPACT, 0)->t, 1 + sqrt(1 / 9.81), 1e-11);
    assert_close(run.sim->q[0], -0.5, 1e-10);
    size_t row = 0;
    while (!(ed_at(&run, row, "t") == 1)) {
      row++;
    }
    assert_close(ed_at(&run, row, "g0"), 0, 1e-12); /* left and right limit */
    assert_true(ed_at(&run, row + 1, "t") == 1);
    assert_close(ed_at(&run, row + 1, "g0"), 0.5, 1e-12);
    ed_end(&run);
  }
}

/* Under a mass that rests on it, and under one that falls from 5.05 m: 0.05 m above the floor at t = 1. */
DLS_TEST(a_floor_that_jumps_into_the_body_is_an_error)
{
  for (size_t k = 0; k < 4 * ENGINES; k++) {
    const bool falls = k % 2 == 1;
    const dls_driven mass = {.weight = 10,
                             .q = falls ? 5.05 : 0,
                             .height = falls ? 5.05 : 0,
                             .jump_at = 1,
                             .jump = 0.25,
                             .knowledge = of_jumps[k / 2 % 2]};
    const char *const settings[] = {engines[k / 4].method, engines[k / 4].tol, NULL};
    ed_run run = ed_try(dls_test_driven(&mass), 2, settings);
    assert_int_equal(run.status, DLS_ERR_PENETRATION);
    assert_non_null(strstr(run.err.text, falls ? "jumps into the body at t = 1: the gap becomes -0.2 m"
                                               : "jumps into the body at t = 1: the gap becomes -0.25 m"));
    ed_end(&run);
  }
}

/* It starts with 2 m/s under a mass that rests on it: u- = -2, u+ = e 2. */
DLS_TEST(a_floor_that_starts_with_a_velocity_hits_what_rests_on_it)
{
  for (size_t k = 0; k < 2 * ENGINES; k++) {
    const dls_driven mass = {.weight = 10, .jump_at = 1, .ramp = 2, .e = 0.5, .knowledge = of_jumps[k % 2]};
    ed_run run = run_with(&mass, k / 2, 1.1);
    const dls_event *impact = ed_event(&run, DLS_IMPACT, 0);
    assert_close(impact->t, 1, 0);
    assert_close(impact->u_minus, -2, 1e-12);
    assert_close(impact->u_plus, 1, 1e-12);
    assert_close(run.sim->v[0], 3 - 1, 1e-9);
    ed_end(&run);
  }
}

/* The belt has 0.5 m/s from t = 1 on, the block mu g = 1 m/s^2 until it sticks again at 1.5 s. */
DLS_TEST(a_belt_that_starts_at_once_drags_a_block_along)
{
  for (size_t k = 0; k < 2 * ENGINES; k++) {
    const dls_driven block = {.kind = DLS_DRIVEN_BLOCK,
                              .weight = 10,
                              .mu = 0.1,
                              .jump_at = 1,
                              .belt = 0.5,
                              .knowledge = of_jumps[k % 2]};
    if (engines[k / 2].friction) {
      ed_run run = run_with(&block, k / 2, 2);
      assert_close(ed_event(&run, DLS_SLIP, 0)->t, 1, 0);
      assert_close(ed_event(&run, DLS_STICK, 0)->t, 1.5, 1e-9);
      assert_close(run.sim->q[0], 0.125 + 0.25, 1e-9);
      assert_close(run.sim->v[0], 0.5, 1e-9);
      ed_end(&run);
    }
  }
}

/* A block that slides with 1.75 m/s at t = 0.25, where the belt below gets 3 m/s: friction turns, and it sticks at 1.5 s. */
DLS_TEST(a_belt_that_overtakes_a_sliding_block_turns_its_friction)
{
  for (size_t k = 0; k < 2 * ENGINES; k++) {
    const dls_driven block = {.kind = DLS_DRIVEN_BLOCK,
                              .weight = 10,
                              .mu = 0.1,
                              .v = 2,
                              .jump_at = 0.25,
                              .belt = 3,
                              .knowledge = of_jumps[k % 2]};
    if (engines[k / 2].friction) {
      ed_run run = run_with(&block, k / 2, 2);
      assert_close(ed_event(&run, DLS_REVERSAL, 0)->t, 0.25, 0);
      assert_close(ed_event(&run, DLS_STICK, 0)->t, 1.5, 1e-9);
      assert_close(run.sim->v[0], 3, 1e-9);
      assert_close(run.sim->q[0], 0.46875 + (9 - 1.75 * 1.75) / 2 + 1.5, 1e-8);
      ed_end(&run);
    }
  }
}

/* What nothing is known of: found where the pulse is longer than the resolution, which the run reports. */
DLS_TEST(callbacks_are_sampled_at_a_resolution_that_is_reported)
{
  for (size_t k = 0; k < ENGINES; k++) {
    for (size_t i = 0; i < WIDTHS; i++) {
      const dls_driven mass = {.knowledge = DLS_DRIVEN_CALLBACK, .load = {{100, top, widths[i]}}, .height = 1};
      ed_run run = run_with(&mass, k, 30);
      const double exact = 50 * widths[i] * root_pi * (1 + erf(10 / widths[i]));
      assert_close(resolution_of(&run), 0.03, 1e-15);
      if (widths[i] >= 0.02) { /* 0.1 s wide where it matters */
        assert_velocity("callback", k, widths[i], run.sim->v[0], exact, exact);
      }
      ed_end(&run);
    }
  }
}

DLS_TEST(the_resolution_of_samples_is_an_option)
{
  const dls_driven mass = {.knowledge = DLS_DRIVEN_CALLBACK, .load = {{100, top, 1e-3}}, .height = 1};
  const char *const settings[] = {"time_resolution=1e-3", NULL};
  ed_run run = ed_system(dls_test_driven(&mass), 30, settings);
  assert_close(run.sim->v[0], 0.1 * root_pi, 1e-9);
  assert_true(resolution_of(&run) == 1e-3);
  ed_end(&run);
}

DLS_TEST(a_stated_shortest_feature_is_enough)
{
  for (size_t k = 0; k < ENGINES; k++) {
    const dls_driven mass = {
        .knowledge = DLS_DRIVEN_FEATURE, .feature = 1e-2, .load = {{100, top, 1e-2}}, .height = 1};
    ed_run run = run_with(&mass, k, 30);
    assert_velocity("stated feature", k, 1e-2, run.sim->v[0], root_pi, root_pi);
    assert_true(resolution_of(&run) == 0);
    ed_end(&run);
  }
}

/* A small pulse beside large ones: it is not hidden by them. */
DLS_TEST(a_small_pulse_beside_large_ones_is_seen)
{
  for (size_t k = 0; k < ENGINES; k++) {
    const dls_driven mass = {.load = {{1000, 8, 3}, {5, 7, 1e-3}, {-3, 8, 1e-4}}, .height = 1e6};
    ed_run run = run_with(&mass, k, 30);
    const double wide = 500 * 3 * root_pi * (erf(22 / 3.) + erf(8 / 3.));
    assert_velocity("small pulses", k, 1e-3, run.sim->v[0], wide + (5e-3 - 3e-4) * root_pi, wide);
    ed_end(&run);
  }
}

/* Nor by one far away that is 250 times as large. */
DLS_TEST(a_pulse_far_from_a_larger_one_is_seen)
{
  for (size_t k = 0; k < ENGINES; k++) {
    const dls_driven mass = {.load = {{56, 4.124, 0.026}, {0.223, 20.478, 0.353}, {0.01, 2.5, 1e-3}},
                             .height = 1e6};
    ed_run run = run_with(&mass, k, 30);
    assert_velocity("far pulse", k, 0.353, run.sim->v[0], (56 * 0.026 + 0.223 * 0.353 + 1e-5) * root_pi,
                    56 * 0.026);
    ed_end(&run);
  }
}

/* Two equal pulses, of which each half of a step has one. */
DLS_TEST(two_equal_pulses_are_seen)
{
  static const double apart[] = {10, 100, 1e4};
  for (size_t k = 0; k < 3 * ENGINES; k++) {
    const double w = 1e-3, second = 5 + apart[k / ENGINES] * w;
    const dls_driven mass = {.load = {{100, 5, w}, {100, second, w}}, .height = 1};
    ed_run run = run_with(&mass, k % ENGINES, 30);
    assert_velocity("two pulses", k % ENGINES, w, run.sim->v[0], 200 * w * root_pi, 200 * w * root_pi);
    ed_end(&run);
  }
}

/* Pulses of 0.1 N s each near the round-off of t, which changes v by |a| ulp(t): within tolerance, or an error that names it. */
DLS_TEST(pulses_near_the_round_off_of_time_are_right_or_refused)
{
  static const char *const methods[] = {"method=adams", "method=bdf", "method=erk", "method=flow"};
  static const double tolerances[] = {1e-6, 1e-8, 1e-10, 1e-12}, starts[] = {5, 310};
  size_t right = 0, refused = 0;
  for (size_t k = 0; k < 2 * 4 * 4 * 5 * 2; k++) {
    const double w = pow(10, -10 + (double)(k / 2 % 5)), at = starts[k / 160], tol = tolerances[k / 40 % 4];
    const bool table = k % 2 == 1;
    const dls_driven mass = {.knowledge = table ? DLS_DRIVEN_TABLE : DLS_DRIVEN_BOUNDS,
                             .load = {{0.1 / w, at, w}, {0.1 / w, at + 10 * w, w}},
                             .height = 1};
    char word[20];
    snprintf(word, sizeof word, "tol=%g", tol);
    const char *const settings[] = {methods[k / 10 % 4], word, NULL};
    if (tol < 1e-10 && k / 10 % 4 == 1) {
      continue; /* bdf refuses it */
    }
    ed_run run = ed_try(dls_test_driven(&mass), at + 1, settings);
    const double exact = 0.2 * (table ? 1 : root_pi), off = run.sim->v[0] - exact;
    const bool named = strstr(run.err.text, "the round-off of t = ") != NULL;
    if (run.status == DLS_OK ? !(fabs(off) <= 20 * tol) : !named) {
      fail_msg("%s, %s, %s of %g s at %g s: v is off by %.3g; %s", settings[0], word, table ? "table" : "pulse",
               w, at, off, run.status == DLS_OK ? "" : run.err.text);
    }
    right += run.status == DLS_OK;
    refused += named;
    ed_end(&run);
  }
  assert_true(right >= 100 && refused >= 100);
}

/* v' = 1 + sin(t/1000)^300 */
static void slow_load(const dls_system *sys, double t, double *F)
{
  (void)sys;
  F[0] = 1 + pow(sin(t / 1000), 300);
}

static void slow_bounds(const dls_system *sys, double a, double b, double *low, double *high)
{
  double ends[2] = {0};
  slow_load(sys, a, &ends[0]);
  slow_load(sys, b, &ends[1]);
  const double quarter = 500 * acos(-1), first = ceil(a / quarter), last = floor(b / quarter);
  *low = fmin(ends[0], ends[1]) - 1e-14;
  *high = fmax(ends[0], ends[1]) + 1e-14;
  for (double k = first; k <= last && k < first + 2; k++) {
    *(fmod(k, 2) == 0 ? low : high) = fmod(k, 2) == 0 ? 1 - 1e-14 : 2 + 1e-14;
  }
}

DLS_TEST(a_load_that_is_constant_but_for_one_swell_is_integrated)
{
  const double exact = 3000 + 1000 * root_pi * exp(lgamma(150.5) - lgamma(151));
  for (size_t k = 0; k < ENGINES; k++) {
    dls_system *sys = ed_masses(1, 0);
    const char *const settings[] = {engines[k].method, engines[k].tol, NULL};
    sys->load = slow_load;
    sys->explicit_time = DLS_TIME_EXPLICIT;
    sys->time_terms = 1;
    sys->time_enclosure = slow_bounds;
    ed_run run = ed_system(sys, 3000, settings);
    assert_velocity("swell", k, 50, run.sim->v[0], exact, exact);
    ed_end(&run);
  }
}

/* A system without explicit time, and the same that does not say so: the same path; samples cost evaluations of forces. */
DLS_TEST(samples_do_not_change_a_path)
{
  for (size_t k = 0; k < ENGINES; k++) {
    const dls_driven ball = {.weight = 9.81, .height = 1, .q = 1, .e = 0.5};
    const char *const settings[] = {engines[k].method, engines[k].tol, NULL};
    dls_system *plain = dls_test_driven(&ball), *sampled = dls_test_driven(&ball);
    plain->explicit_time = DLS_TIME_NONE;
    plain->time_terms = 0;
    plain->time_enclosure = NULL;
    sampled->explicit_time = DLS_TIME_EXPLICIT;
    ed_run a = ed_system(plain, 0.9, settings), b = ed_system(sampled, 0.9, settings);
    assert_int_equal(a.sim->work.rejected, b.sim->work.rejected);
    assert_true(a.sim->q[0] == b.sim->q[0] && a.sim->v[0] == b.sim->v[0]);
    ed_end(&a);
    ed_end(&b);
  }
}

/* --- limits of what counts as a jump, each approached to a factor of five --- */

/* The end of the run is not known: samples are a thousandth of a hundred time scales apart. */
DLS_TEST(the_resolution_of_a_run_without_end_is_a_tenth_of_the_time_scale)
{
  const dls_driven mass = {.knowledge = DLS_DRIVEN_CALLBACK, .load = {{100, top, 1}}, .height = 1};
  ed_run run = ed_start(dls_test_driven(&mass), NULL);
  run.sim->record = run.traj;
  assert_ok(dls_sim_start(run.sim, &run.err), run.err);
  assert_close(resolution_of(&run), 0.1, 1e-15);
  ed_end(&run);
}

static double break_at[2], size_of_jump; /* the load is 1 before the first break and grows by this at both */

static double next_of_breaks(const dls_system *sys, double t)
{
  (void)sys;
  return t < break_at[0] ? break_at[0] : t < break_at[1] ? break_at[1] : HUGE_VAL;
}

static void load_with_breaks(const dls_system *sys, double t, double *F)
{
  (void)sys;
  F[0] = 1 + size_of_jump * (double)((t >= break_at[0]) + (t >= break_at[1]));
}

static ed_run run_with_breaks(double first, double second, double size)
{
  break_at[0] = first;
  break_at[1] = second;
  size_of_jump = size;
  dls_system *sys = ed_masses(1, 0);
  sys->load = load_with_breaks;
  sys->next_break = next_of_breaks;
  return ed_system(sys, 2, NULL);
}

static size_t rows_at(const ed_run *run, double t)
{
  size_t count = 0;
  for (size_t row = 0; row < run->traj->rows; row++) {
    count += ed_at(run, row, "t") == t;
  }
  return count;
}

/* A jump has two rows, its left and its right limit. */
DLS_TEST(a_relative_change_of_a_load_by_more_than_round_off_is_a_jump)
{
  ed_run jump = run_with_breaks(1, HUGE_VAL, 1e-8), none = run_with_breaks(1, HUGE_VAL, 5e-10);
  assert_int_equal(rows_at(&jump, 1), 2);
  assert_int_equal(rows_at(&none, 1), 1);
  ed_end(&jump);
  ed_end(&none);
}

/* No step fits between breaks two units of round-off apart: they are one, at the later. Twenty units apart they are two. */
DLS_TEST(breaks_at_nearly_the_same_time_are_one)
{
  const double near = 1 + 2 * DBL_EPSILON, far = 1 + 20 * DBL_EPSILON;
  ed_run one = run_with_breaks(1, near, 1), two = run_with_breaks(1, far, 1);
  assert_int_equal(rows_at(&one, 1), 0);
  assert_int_equal(rows_at(&one, near), 2);
  assert_int_equal(rows_at(&two, 1), 2);
  assert_close(one.sim->v[0], 4, 1e-9);
  assert_close(two.sim->v[0], 4, 1e-9);
  ed_end(&one);
  ed_end(&two);
}

/* A drop of the floor by less than ten times eps_g = 1e-10 m is drift: the contact stays closed. */
DLS_TEST(a_floor_that_drops_by_more_than_drift_is_lost)
{
  const double drops[] = {5e-9, 3e-10};
  for (size_t k = 0; k < 2; k++) {
    const dls_driven mass = {.weight = 9.81, .jump_at = 1, .jump = -drops[k], .knowledge = DLS_DRIVEN_CALLBACK};
    ed_run run = ed_system(dls_test_driven(&mass), 2, NULL);
    assert_int_equal(ed_count(&run, DLS_LIFT_OFF), k == 0 ? 1 : 0);
    assert_close(run.sim->q[0], k == 0 ? -drops[k] : 0, 1e-10);
    ed_end(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_push_on_a_mass_at_rest_is_seen),
      cmocka_unit_test(a_push_in_free_flight_is_seen),
      cmocka_unit_test(a_push_on_masses_with_a_spring_is_seen),
      cmocka_unit_test(a_push_lifts_a_mass_off_its_support),
      cmocka_unit_test(a_push_releases_a_block_that_sticks),
      cmocka_unit_test(a_push_on_a_sliding_block_is_seen),
      cmocka_unit_test(a_bump_that_passes_under_a_mass_hits_it),
      cmocka_unit_test(a_cam_between_two_dwells_lifts_a_mass),
      cmocka_unit_test(a_belt_that_moves_once_takes_a_block_along),
      cmocka_unit_test(a_floor_that_drops_is_lost_and_hit_later),
      cmocka_unit_test(a_floor_that_jumps_into_the_body_is_an_error),
      cmocka_unit_test(a_floor_that_starts_with_a_velocity_hits_what_rests_on_it),
      cmocka_unit_test(a_belt_that_starts_at_once_drags_a_block_along),
      cmocka_unit_test(a_belt_that_overtakes_a_sliding_block_turns_its_friction),
      cmocka_unit_test(callbacks_are_sampled_at_a_resolution_that_is_reported),
      cmocka_unit_test(the_resolution_of_samples_is_an_option),
      cmocka_unit_test(a_stated_shortest_feature_is_enough),
      cmocka_unit_test(a_small_pulse_beside_large_ones_is_seen),
      cmocka_unit_test(a_pulse_far_from_a_larger_one_is_seen),
      cmocka_unit_test(two_equal_pulses_are_seen),
      cmocka_unit_test(pulses_near_the_round_off_of_time_are_right_or_refused),
      cmocka_unit_test(a_load_that_is_constant_but_for_one_swell_is_integrated),
      cmocka_unit_test(samples_do_not_change_a_path),
      cmocka_unit_test(the_resolution_of_a_run_without_end_is_a_tenth_of_the_time_scale),
      cmocka_unit_test(a_relative_change_of_a_load_by_more_than_round_off_is_a_jump),
      cmocka_unit_test(breaks_at_nearly_the_same_time_are_one),
      cmocka_unit_test(a_floor_that_drops_by_more_than_drift_is_lost),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
