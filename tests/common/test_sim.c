/* test_sim.c -- the driver with toy schemes: times, numbers of steps, records of jumps, failures, interruption.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "toy_scheme.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

static const dls_scheme toy = TOY_SCHEME(DLS_BY_STEP, DLS_LINEAR);
static const dls_scheme toy_constant = TOY_SCHEME(DLS_BY_STEP, DLS_CONSTANT);
static const dls_scheme toy_hermite = TOY_SCHEME(DLS_BY_STEP, DLS_HERMITE);

/* A scheme that chooses its own steps: thirds of what is left, and then the rest. */
static dls_status leap(dls_sim *sim, double h, dls_error *err)
{
  (void)err;
  const double step = h > 0.1 ? h / 3 : h;
  sim->q[0] += step * sim->v[0];
  sim->t = step < h ? sim->t + step : sim->t + h;
  sim->work.steps++;
  return DLS_OK;
}
static const dls_scheme leaper = {
    .name = "leaper", .options = (const dls_option[]){{0}}, .stepping = DLS_BY_EVENT, .advance = leap};

/* A scheme that needs a step, and makes it in parts of 0.4 h. */
static dls_status saunter(dls_sim *sim, double h, dls_error *err)
{
  (void)err;
  const double end = dls_sim_next_time(sim, h);
  const double t = fmin(sim->t + 0.4 * h, end);
  sim->q[0] += (t - sim->t) * sim->v[0];
  sim->t = t;
  return DLS_OK;
}
static const dls_scheme saunterer = {
    .name = "saunterer", .options = (const dls_option[]){{0}}, .stepping = DLS_BY_SUBSTEP, .advance = saunter};

/* A scheme that bounces at t = 0. */
static dls_status bounce_at_start(dls_sim *sim, dls_error *err)
{
  (void)err;
  sim->v[0] = 1;
  sim->p[0] = 2;
  sim->jump = true;
  return DLS_OK;
}
static dls_status stay(dls_sim *sim, double h, dls_error *err)
{
  (void)h;
  (void)err;
  sim->p[0] = 0;
  return DLS_OK;
}
static const dls_scheme starter = {
    .name = "starter", .options = (const dls_option[]){{0}}, .start = bounce_at_start, .advance = stay};

typedef struct run {
  dls_system *sys;
  dls_sim *sim;
  dls_trajectory *traj;
  dls_error err;
  dls_status status;
} run;

static run begin(const dls_scheme *scheme, const char *const *options)
{
  run r = {.sys = toy_system()};
  assert_ok(dls_sim_create(r.sys, scheme, &r.sim, &r.err), r.err);
  for (; options != NULL && *options != NULL; options++) {
    assert_ok(dls_sim_set(r.sim, *options, &r.err), r.err);
  }
  r.traj = dls_sim_trajectory(r.sim, &r.err);
  assert_non_null(r.traj);
  return r;
}

static run run_toy(const dls_scheme *scheme, double step, double end, const char *const *options)
{
  run r = begin(scheme, options);
  r.status = dls_run(r.sim, &(dls_run_spec){.step = step, .end = end, .record = r.traj}, &r.err);
  return r;
}

static void finish(run *r)
{
  dls_trajectory_destroy(r->traj);
  dls_sim_destroy(r->sim);
  dls_system_destroy(r->sys);
}

static double cell(const run *r, size_t row, const char *column)
{
  const int j = dls_trajectory_column(r->traj, column);
  assert_true(j >= 0 && row < r->traj->rows);
  return dls_trajectory_at(r->traj, row, (size_t)j);
}

static void a_sim_starts_with_the_initial_data_and_the_defaults(void **state)
{
  (void)state;
  run r = begin(&toy, NULL);
  assert_close(r.sim->q[0], 1, 0);
  assert_close(r.sim->v[0], -1, 0);
  assert_close(r.sim->opt[TOY_FAIL_AT], 3, 0);
  assert_close(r.sim->t, 0, 0);
  assert_true(isinf(r.sim->worst_gap));
  finish(&r);
  dls_sim *sim = NULL;
  dls_error err = {0};
  assert_int_equal(dls_sim_create(NULL, &toy, &sim, &err), DLS_ERR_ARG);
  assert_string_equal(err.text, "a sim needs a system and a scheme, there is no system");
  dls_sim_destroy(NULL);
}

static void the_last_step_ends_at_the_last_multiple_up_to_the_end(void **state)
{
  (void)state;
  const struct {
    double step, end;
    size_t steps;
  } cases[] = {
      {0.25, 1, 4}, {0.1, 0.3, 3},     {0.1, 0.7, 7},       {0.1, 1, 10},         {0.3, 1, 3},
      {1, 1, 1},    {0.6, 1, 1},       {1.0 / 3, 1, 3},     {1e-3, 4, 4000},      {0.25, 0.9999, 3},
      {0.7, 2, 2},  {1.0 / 49, 1, 49}, {3e-5 / 7, 3e-5, 7}, {1e-300, 1e-299, 10},
  };
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    run r = run_toy(&toy, cases[k].step, cases[k].end, NULL);
    assert_ok(r.status, r.err);
    assert_int_equal(r.sim->step, cases[k].steps);
    assert_int_equal(r.sim->work.steps, cases[k].steps);
    assert_between(r.sim->t, cases[k].end - cases[k].step, cases[k].end * (1 + 1e-12));
    finish(&r);
  }
}

static void time_is_a_multiple_of_the_step_and_not_a_sum(void **state)
{
  (void)state;
  run r = run_toy(&toy, 0.1, 1000, NULL);
  size_t k = 0;
  for (size_t i = 0; i < r.traj->rows; i++) {
    if (i > 0 && cell(&r, i, "t") != cell(&r, i - 1, "t")) {
      k++;
    }
    assert_close(cell(&r, i, "t"), (double)k * 0.1, 0);
  }
  assert_int_equal(k, 10000);
  finish(&r);
}

static void bad_steps_and_ends_are_refused(void **state)
{
  (void)state;
  const struct {
    double step, end;
    const char *text;
  } cases[] = {
      {0, 1, "step = 0 s is outside (0, end = 1]"},
      {-0.1, 1, "step = -0.1 s is outside (0, end = 1]"},
      {NAN, 1, "step = nan s is outside (0, end = 1]"},
      {HUGE_VAL, 1, "step = inf s is outside (0, end = 1]"},
      {2, 1, "step = 2 s is outside (0, end = 1]"},
      {0.1, 0, "end = 0 s must be finite and > 0"},
      {0.1, -1, "end = -1 s must be finite and > 0"},
      {0.1, NAN, "end = nan s must be finite and > 0"},
      {0.1, HUGE_VAL, "end = inf s must be finite and > 0"},
      {1e-300, 1, "step = 1e-300 s makes 1e+300 steps up to end = 1, at most 1e+12 are possible"},
      {5e-324, 1, "step = 4.94066e-324 s makes inf steps up to end = 1, at most 1e+12 are possible"},
  };
  run r = begin(&toy, NULL);
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const dls_run_spec spec = {.step = cases[k].step, .end = cases[k].end, .record = r.traj};
    assert_int_equal(dls_run(r.sim, &spec, &r.err), DLS_ERR_ARG);
    assert_string_equal(r.err.text, cases[k].text);
    assert_true(r.traj->complete);
  }
  assert_ok(dls_run(r.sim, &(dls_run_spec){.step = 1, .end = 1}, &r.err), r.err); /* it can still be run */
  finish(&r);
}

static void schemes_with_steps_of_their_own_need_no_step(void **state)
{
  (void)state;
  run r = run_toy(&leaper, NAN, 2, NULL);
  assert_ok(r.status, r.err);
  assert_close(r.sim->t, 2, 0);
  assert_close(r.sim->q[0], -1, 1e-14);
  assert_int_equal(r.sim->work.steps, r.traj->rows - 1);
  finish(&r);
}

/* Three advances a step: nodes at k h + 0, 0.4 h, 0.8 h, where k h is not a sum. */
static void a_step_may_be_made_in_several_advances(void **state)
{
  (void)state;
  run r = run_toy(&saunterer, 0.1, 1.05, NULL);
  assert_ok(r.status, r.err);
  assert_int_equal(r.sim->step, 10);
  assert_int_equal(r.sim->work.steps, 10);
  assert_int_equal(r.traj->rows, 31);
  for (size_t k = 0; k <= 10; k++) {
    assert_close(cell(&r, 3 * k, "t"), (double)k * 0.1, 0);
  }
  assert_close(cell(&r, 4, "t"), 0.14, 1e-15);
  assert_close(r.sim->q[0], 0, 1e-14);
  finish(&r);
  r = run_toy(&saunterer, 0, 1, NULL); /* it needs a step from outside */
  assert_int_equal(r.status, DLS_ERR_ARG);
  finish(&r);
}

/* Rows at t = 0, 0.5, 1, 1.5-, 1.5+, 2: the impact is found at q = -0.5. */
static void a_jump_is_recorded_as_two_rows(void **state)
{
  (void)state;
  run r = run_toy(&toy, 0.5, 2, NULL);
  const double expected[6][13] = {
      /* t, q0, v0, g0, g1, u0, u1, p0, p1, lambda0, lambda1, status0, status1 */
      {0, 1, -1, 1, 9, -1, 1},
      {0.5, 0.5, -1, 0.5, 9.5, -1, 1},
      {1, 0, -1, 0, 10, -1, 1},
      {1.5, -0.5, -1, -0.5, 10.5, -1, 1, 0, 0, 5, 0, 1, 0},
      {1.5, -0.5, 1, -0.5, 10.5, 1, -1, 2, 0, 0, 0, 1, 0},
      {2, 0, 1, 0, 10, 1, -1},
  };
  assert_ok(r.status, r.err);
  assert_int_equal(r.traj->rows, 6);
  assert_int_equal(r.traj->columns, 13);
  for (size_t i = 0; i < 6; i++) {
    for (size_t j = 0; j < 13; j++) {
      assert_close(dls_trajectory_at(r.traj, i, j), expected[i][j], 0);
    }
  }
  assert_int_equal(r.traj->event_count, 1);
  assert_close(r.traj->events[0].t, 1.5, 0);
  assert_int_equal(r.traj->work.events, 1);
  assert_int_equal(r.traj->work.impacts, 1);
  assert_int_equal(r.traj->work.steps, 4);
  assert_between(r.traj->work.wall_seconds, 0, 10);
  assert_true(r.traj->complete);
  finish(&r);
}

static void a_jump_at_the_start_has_the_initial_data_as_left_limit(void **state)
{
  (void)state;
  run r = run_toy(&starter, 1, 1, NULL);
  assert_int_equal(r.traj->rows, 3);
  assert_close(cell(&r, 0, "t"), 0, 0);
  assert_close(cell(&r, 0, "v0"), -1, 0);
  assert_close(cell(&r, 0, "u1"), 1, 0);
  assert_close(cell(&r, 0, "p0"), 0, 0);
  assert_close(cell(&r, 1, "t"), 0, 0);
  assert_close(cell(&r, 1, "v0"), 1, 0);
  assert_close(cell(&r, 1, "p0"), 2, 0);
  assert_close(cell(&r, 2, "t"), 1, 0);
  finish(&r);
}

static void accelerations_are_recorded_only_for_cubic_velocities(void **state)
{
  (void)state;
  run r = run_toy(&toy_hermite, 0.5, 2, NULL);
  assert_int_equal(r.traj->columns, 14);
  assert_close(cell(&r, 2, "a0"), 9, 0);
  assert_close(cell(&r, 3, "a0"), 7, 0); /* left limit of the jump */
  assert_close(cell(&r, 4, "a0"), 9, 0);
  finish(&r);
  r = run_toy(&toy, 0.5, 2, NULL);
  assert_int_equal(dls_trajectory_column(r.traj, "a0"), -1);
  finish(&r);
}

/* toy_hermite has n = 1 and two contacts; a cubic q needs v, a cubic v needs a. */
static void selected_columns_hold_the_same_numbers(void **state)
{
  (void)state;
  run whole = run_toy(&toy_hermite, 0.5, 2, NULL);
  run part = begin(&toy_hermite, NULL);
  bool *keep = calloc(part.traj->columns, sizeof *keep);
  keep[dls_trajectory_column(part.traj, "q0")] = keep[dls_trajectory_column(part.traj, "p1")] = true;
  assert_ok(dls_trajectory_select(part.traj, keep, &part.err), part.err);
  assert_int_equal(dls_trajectory_select(part.traj, keep, &part.err), DLS_ERR_ARG);
  free(keep);
  part.status = dls_run(part.sim, &(dls_run_spec){.step = 0.5, .end = 2, .record = part.traj}, &part.err);
  assert_ok(part.status, part.err);
  static const char *const names[] = {"t", "q0", "v0", "p1", "a0"};
  assert_int_equal(part.traj->columns, 5);
  assert_int_equal(part.traj->rows, whole.traj->rows);
  for (size_t row = 0; row < part.traj->rows; row++) {
    for (size_t j = 0; j < 5; j++) {
      assert_string_equal(part.traj->names[j], names[j]);
      assert_close(cell(&part, row, names[j]), cell(&whole, row, names[j]), 0);
    }
  }
  finish(&whole);
  finish(&part);
}

static void columns_cannot_be_selected_of_a_full_record(void **state)
{
  (void)state;
  run r = run_toy(&toy, 0.5, 2, NULL);
  const bool keep[20] = {true};
  assert_int_equal(dls_trajectory_select(r.traj, keep, &r.err), DLS_ERR_ARG);
  assert_non_null(strstr(r.err.text, "this has 6 rows"));
  finish(&r);
}

static dls_meaning meaning_of(const run *r, const char *column)
{
  return r->traj->meaning[dls_trajectory_column(r->traj, column)];
}

static void the_record_carries_the_meanings_and_options_of_the_scheme(void **state)
{
  (void)state;
  const dls_scheme *const schemes[] = {&toy, &toy_constant, &toy_hermite};
  for (int k = 0; k < 3; k++) {
    run r = begin(schemes[k], (const char *const[]){"how=nan", NULL});
    assert_int_equal(meaning_of(&r, "q0"), k);
    assert_int_equal(meaning_of(&r, "v0"), k);
    assert_int_equal(meaning_of(&r, "g1"), k);
    assert_int_equal(meaning_of(&r, "u1"), k == DLS_HERMITE ? DLS_LINEAR : k); /* no column has its slope */
    assert_int_equal(meaning_of(&r, "status0"), DLS_CONSTANT);
    assert_string_equal(r.traj->meta[0], "scheme: toy");
    assert_string_equal(r.traj->meta[1], "options: fail_at=3,how=nan");
    finish(&r);
  }
}

/* Two good steps, trouble in the third: rows at t = 0, 0.1, 0.2 stay. */
static void a_failing_run_keeps_what_it_had_and_says_when_it_stopped(void **state)
{
  (void)state;
  const struct {
    const char *how, *text;
    dls_status status;
  } cases[] = {
      {"how=fail", "toy at t = 0.2: the toy broke", DLS_ERR_NOCONV},
      {"how=mute", "toy at t = 0.2: the complementarity problem was not solved", DLS_ERR_LCP},
      {"how=nan", "toy at t = 0.3: v0 = nan is not finite after step 3", DLS_ERR_NONFINITE},
      {"how=inf", "toy at t = 0.3: q0 = inf is not finite after step 3", DLS_ERR_NONFINITE},
  };
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    run r = run_toy(&toy, 0.1, 1, (const char *const[]){cases[k].how, NULL});
    assert_int_equal(r.status, cases[k].status);
    if (strcmp(cases[k].how, "how=nan") == 0) { /* printf may show the sign of a NaN */
      char *sign = strstr(r.err.text, "-nan");
      if (sign != NULL) {
        memmove(sign, sign + 1, strlen(sign));
      }
    } else {
      assert_string_equal(r.traj->failure, r.err.text);
    }
    assert_string_equal(r.err.text, cases[k].text);
    assert_false(r.traj->complete);
    assert_int_equal(r.traj->rows, 3);
    assert_close(cell(&r, 2, "t"), 0.2, 0);
    assert_int_equal(r.traj->work.steps, r.status == DLS_ERR_NONFINITE ? 3 : 2);
    finish(&r);
  }
}

static void a_failing_start_names_the_scheme_and_the_time(void **state)
{
  (void)state;
  run r = run_toy(&toy, 0.1, 1, (const char *const[]){"how=fail", "fail_at=0", NULL});
  assert_int_equal(r.status, DLS_ERR_NOT_APPLICABLE);
  assert_string_equal(r.err.text, "toy at t = 0: the toy does not apply");
  assert_string_equal(r.traj->failure, r.err.text);
  assert_false(r.traj->complete);
  assert_int_equal(r.traj->rows, 0);
  finish(&r);
}

static void nan_gap(const dls_system *sys, double t, const double *q, double *g)
{
  (void)t;
  (void)sys;
  g[0] = q[0];
  g[1] = q[0] > 0.75 ? 1 : NAN;
}

static void no_force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)sys;
  (void)t;
  (void)q;
  (void)v;
  F[0] = 0;
}

static void a_gap_that_is_no_number_stops_the_run(void **state)
{
  (void)state;
  run r = begin(&toy, NULL);
  r.sys->linear = false;
  r.sys->force = no_force;
  r.sys->gap = nan_gap;
  assert_int_equal(dls_run(r.sim, &(dls_run_spec){.step = 0.1, .end = 1}, &r.err), DLS_ERR_NONFINITE);
  assert_non_null(strstr(r.err.text, "toy at t = 0.3: g1 = "));
  finish(&r);
}

static bool stop_after(void *data, double t)
{
  double *calls = data;
  calls[0]++;
  calls[1] = t;
  return calls[0] < 3;
}

static void a_run_can_be_interrupted(void **state)
{
  (void)state;
  double calls[2] = {0};
  run r = begin(&toy, NULL);
  const dls_run_spec spec = {.step = 1e-4, .end = 2, .record = r.traj, .poll = stop_after, .poll_data = calls};
  assert_int_equal(dls_run(r.sim, &spec, &r.err), DLS_ERR_INTERRUPTED);
  assert_close(calls[0], 3, 0);
  assert_close(calls[1], r.sim->t, 0);
  assert_between((double)r.sim->step, 3, 3 * 256); /* at least every 256 advances */
  assert_false(r.traj->complete);
  assert_non_null(strstr(r.traj->failure, "interrupted after"));
  assert_int_equal(r.traj->rows, r.sim->step + 1);
  finish(&r);
}

static dls_status take_time(void *data, const dls_sim *sim, dls_error *err)
{
  (void)data, (void)sim, (void)err;
  nanosleep(&(struct timespec){.tv_nsec = 30 * 1000 * 1000}, NULL);
  return DLS_OK;
}

static bool always(void *data, double t)
{
  (void)t;
  ++*(size_t *)data;
  return true;
}

/* 30 ms each: none goes by without a question. */
static void slow_steps_are_polled_every_time(void **state)
{
  (void)state;
  size_t calls = 0;
  run r = begin(&toy, NULL);
  const dls_run_spec spec = {.step = 0.1, .end = 2, .poll = always, .poll_data = &calls, .watch = take_time};
  assert_ok(dls_run(r.sim, &spec, &r.err), r.err);
  assert_int_equal(calls, 20);
  finish(&r);
}

/* A step that never ends by itself. */
static dls_status endless_advance(dls_sim *sim, double h, dls_error *err)
{
  (void)h;
  dls_status status = DLS_OK;
  while (status == DLS_OK) {
    status = dls_sim_poll(sim, err);
  }
  return status;
}

static void a_step_can_be_interrupted(void **state)
{
  (void)state;
  double calls[2] = {0};
  dls_scheme endless = toy;
  endless.advance = endless_advance;
  run r = begin(&endless, NULL);
  const dls_run_spec spec = {.step = 0.1, .end = 2, .record = r.traj, .poll = stop_after, .poll_data = calls};
  assert_int_equal(dls_run(r.sim, &spec, &r.err), DLS_ERR_INTERRUPTED);
  assert_string_equal(r.err.text, "toy at t = 0: interrupted after 0 steps");
  assert_int_equal(r.traj->rows, 1);
  finish(&r);
}

static void the_worst_gap_is_remembered_with_time_and_contact(void **state)
{
  (void)state;
  run r = run_toy(&toy, 0.3, 3, NULL); /* q = 1, 0.7, 0.4, 0.1, -0.2, then upward */
  assert_close(r.sim->worst_gap, -0.2, 1e-15);
  assert_close(r.sim->worst_time, 1.2, 1e-15);
  assert_int_equal(r.sim->worst_contact, 0);
  finish(&r);
}

static void a_sim_runs_once_only(void **state)
{
  (void)state;
  run r = run_toy(&toy, 0.5, 1, NULL);
  assert_ok(r.status, r.err);
  const size_t rows = r.traj->rows;
  assert_int_equal(dls_run(r.sim, &(dls_run_spec){.step = 0.5, .end = 1, .record = r.traj}, &r.err),
                   DLS_ERR_ARG);
  assert_string_equal(r.err.text, "a sim of toy can be run once only");
  assert_int_equal(dls_sim_start(r.sim, &r.err), DLS_ERR_ARG);
  assert_true(r.traj->complete);
  assert_int_equal(r.traj->rows, rows);
  assert_int_equal(dls_sim_set(r.sim, "fail_at=1", &r.err), DLS_ERR_ARG);
  assert_string_equal(r.err.text, "scheme toy: fail_at=1 comes too late, the run has started");
  finish(&r);
}

static void options_are_checked_by_the_table_of_the_scheme(void **state)
{
  (void)state;
  run r = begin(&toy, NULL);
  assert_int_equal(dls_sim_set(r.sim, "fail_at=-1", &r.err), DLS_ERR_OPTION);
  assert_string_equal(r.err.text, "scheme toy: fail_at = -1 is not an integer in [0, 1e+09]");
  finish(&r);
}

static void a_record_that_does_not_fit_is_refused(void **state)
{
  (void)state;
  run r = begin(&toy, NULL);
  dls_trajectory *records[] = {dls_trajectory_create(1, 1, false), dls_trajectory_create(2, 2, false),
                               dls_trajectory_create(1, 2, true), dls_trajectory_create(1, 2, false)};
  dls_trajectory_append(records[3]); /* not empty */
  for (size_t k = 0; k < 4; k++) {
    const dls_run_spec spec = {.step = 0.5, .end = 1, .record = records[k]};
    assert_int_equal(dls_run(r.sim, &spec, &r.err), DLS_ERR_ARG);
    assert_non_null(strstr(r.err.text, "it must be empty and have 13"));
    dls_trajectory_destroy(records[k]);
  }
  finish(&r);
}

static void nodes_can_be_left_out(void **state)
{
  (void)state;
  run r = begin(&toy, NULL);
  r.traj->skip_nodes = true;
  assert_ok(dls_run(r.sim, &(dls_run_spec){.step = 0.5, .end = 2, .record = r.traj}, &r.err), r.err);
  assert_int_equal(r.traj->rows, 0);
  assert_int_equal(r.traj->event_count, 1);
  assert_int_equal(r.traj->work.steps, 4);
  assert_true(r.traj->complete);
  finish(&r);
}

static void stepping_by_hand_is_the_same_as_running(void **state)
{
  (void)state;
  run a = run_toy(&toy, 0.3, 3, NULL);
  run b = begin(&toy, NULL);
  assert_ok(dls_sim_start(b.sim, NULL), b.err);
  for (int k = 0; k < 10; k++) {
    assert_ok(dls_sim_advance(b.sim, 0.3, NULL), b.err);
  }
  assert_memory_equal(a.sim->q, b.sim->q, sizeof(double));
  assert_memory_equal(a.sim->v, b.sim->v, sizeof(double));
  assert_close(a.sim->t, b.sim->t, 0);
  finish(&a);
  finish(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sim_starts_with_the_initial_data_and_the_defaults),
      cmocka_unit_test(the_last_step_ends_at_the_last_multiple_up_to_the_end),
      cmocka_unit_test(time_is_a_multiple_of_the_step_and_not_a_sum),
      cmocka_unit_test(bad_steps_and_ends_are_refused),
      cmocka_unit_test(schemes_with_steps_of_their_own_need_no_step),
      cmocka_unit_test(a_step_may_be_made_in_several_advances),
      cmocka_unit_test(a_jump_is_recorded_as_two_rows),
      cmocka_unit_test(a_jump_at_the_start_has_the_initial_data_as_left_limit),
      cmocka_unit_test(accelerations_are_recorded_only_for_cubic_velocities),
      cmocka_unit_test(selected_columns_hold_the_same_numbers),
      cmocka_unit_test(columns_cannot_be_selected_of_a_full_record),
      cmocka_unit_test(the_record_carries_the_meanings_and_options_of_the_scheme),
      cmocka_unit_test(a_failing_run_keeps_what_it_had_and_says_when_it_stopped),
      cmocka_unit_test(a_failing_start_names_the_scheme_and_the_time),
      cmocka_unit_test(a_gap_that_is_no_number_stops_the_run),
      cmocka_unit_test(a_run_can_be_interrupted),
      cmocka_unit_test(slow_steps_are_polled_every_time),
      cmocka_unit_test(a_step_can_be_interrupted),
      cmocka_unit_test(the_worst_gap_is_remembered_with_time_and_contact),
      cmocka_unit_test(a_sim_runs_once_only),
      cmocka_unit_test(options_are_checked_by_the_table_of_the_scheme),
      cmocka_unit_test(a_record_that_does_not_fit_is_refused),
      cmocka_unit_test(nodes_can_be_left_out),
      cmocka_unit_test(stepping_by_hand_is_the_same_as_running),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
