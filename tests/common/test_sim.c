/* test_sim.c -- the driver with toy schemes: times, numbers of steps, failures, interruption.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "toy_run.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

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

DLS_TEST(a_sim_starts_with_the_initial_data_and_the_defaults)
{
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
  assert_string_equal(err.text, "a sim needs a system and a scheme; system is NULL");
  dls_sim_destroy(NULL);
}

DLS_TEST(the_last_step_ends_at_the_last_multiple_up_to_the_end)
{
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

DLS_TEST(time_is_a_multiple_of_the_step_and_not_a_sum)
{
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

DLS_TEST(bad_steps_and_ends_are_refused)
{
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

DLS_TEST(schemes_with_steps_of_their_own_need_no_step)
{
  run r = run_toy(&leaper, NAN, 2, NULL);
  assert_ok(r.status, r.err);
  assert_close(r.sim->t, 2, 0);
  assert_close(r.sim->q[0], -1, 1e-14);
  assert_int_equal(r.sim->work.steps, r.traj->rows - 1);
  finish(&r);
}

/* Three advances a step: nodes at k h + 0, 0.4 h, 0.8 h, where k h is not a sum. */
DLS_TEST(a_step_may_be_made_in_several_advances)
{
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

/* Two good steps, trouble in the third: rows at t = 0, 0.1, 0.2 stay. */
DLS_TEST(a_failing_run_keeps_what_it_had_and_says_when_it_stopped)
{
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

DLS_TEST(a_failing_start_names_the_scheme_and_the_time)
{
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

DLS_TEST(a_gap_that_is_no_number_stops_the_run)
{
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

DLS_TEST(a_run_can_be_interrupted)
{
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
DLS_TEST(slow_steps_are_polled_every_time)
{
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

DLS_TEST(a_step_can_be_interrupted)
{
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

/* A contact problem that never ends by itself. */
static dls_status endless_solve(dls_sim *sim, double h, dls_error *err)
{
  (void)h;
  while (!dls_interrupt_requested(&sim->work.interrupt)) {
  }
  return dls_fail(err, DLS_ERR_INTERRUPTED, "interrupted in a contact problem");
}

DLS_TEST(a_solve_inside_of_a_step_can_be_interrupted)
{
  double calls[2] = {0};
  dls_scheme endless = toy;
  endless.advance = endless_solve;
  run r = begin(&endless, NULL);
  assert_false(dls_interrupt_requested(&r.sim->work.interrupt)); /* without a run nobody is asked */
  const dls_run_spec spec = {.step = 0.1, .end = 2, .record = r.traj, .poll = stop_after, .poll_data = calls};
  assert_int_equal(dls_run(r.sim, &spec, &r.err), DLS_ERR_INTERRUPTED);
  assert_string_equal(r.err.text, "toy at t = 0: interrupted in a contact problem");
  assert_close(calls[0], 3, 0); /* 20 ms between two questions */
  assert_null(r.traj->work.interrupt.go_on);
  finish(&r);
}

DLS_TEST(the_worst_gap_is_remembered_with_time_and_contact)
{
  run r = run_toy(&toy, 0.3, 3, NULL); /* q = 1, 0.7, 0.4, 0.1, -0.2, then upward */
  assert_close(r.sim->worst_gap, -0.2, 1e-15);
  assert_close(r.sim->worst_time, 1.2, 1e-15);
  assert_int_equal(r.sim->worst_contact, 0);
  finish(&r);
}

DLS_TEST(a_sim_runs_once_only)
{
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
  assert_string_equal(r.err.text, "scheme toy: fail_at=1 cannot be set after the run has started");
  finish(&r);
}

DLS_TEST(options_are_checked_by_the_table_of_the_scheme)
{
  run r = begin(&toy, NULL);
  assert_int_equal(dls_sim_set(r.sim, "fail_at=-1", &r.err), DLS_ERR_OPTION);
  assert_string_equal(r.err.text, "scheme toy: fail_at = -1 is not an integer in [0, 1e+09]");
  finish(&r);
}

DLS_TEST(stepping_by_hand_is_the_same_as_running)
{
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

/* At times before 0, too. */
DLS_TEST(a_sim_starts_from_any_state)
{
  const double q = 0.5, v = -0.25;
  run r = begin(&toy, NULL);
  assert_ok(dls_sim_start_from(r.sim, -1, &q, &v, &r.err), r.err);
  for (int k = 1; k <= 3; k++) {
    assert_ok(dls_sim_advance(r.sim, 0.125, &r.err), r.err);
    assert_close(r.sim->t, -1 + 0.125 * k, 0);
    assert_close(r.sim->q[0], 0.5 - 0.25 * 0.125 * k, 1e-15);
  }
  finish(&r);
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
      cmocka_unit_test(a_failing_run_keeps_what_it_had_and_says_when_it_stopped),
      cmocka_unit_test(a_failing_start_names_the_scheme_and_the_time),
      cmocka_unit_test(a_gap_that_is_no_number_stops_the_run),
      cmocka_unit_test(a_run_can_be_interrupted),
      cmocka_unit_test(slow_steps_are_polled_every_time),
      cmocka_unit_test(a_step_can_be_interrupted),
      cmocka_unit_test(a_solve_inside_of_a_step_can_be_interrupted),
      cmocka_unit_test(the_worst_gap_is_remembered_with_time_and_contact),
      cmocka_unit_test(a_sim_runs_once_only),
      cmocka_unit_test(options_are_checked_by_the_table_of_the_scheme),
      cmocka_unit_test(a_sim_starts_from_any_state),
      cmocka_unit_test(stepping_by_hand_is_the_same_as_running),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
