/* test_recorder.c -- which nodes become rows: every Nth, given times, no more than a limit, none that is not finite.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/run/event_totals.h"
#include "toy_scheme.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

static const dls_scheme linear = TOY_SCHEME(DLS_BY_STEP, DLS_LINEAR);
static const dls_scheme constant = TOY_SCHEME(DLS_BY_STEP, DLS_CONSTANT);

/* A fall on a parabola whose contact carries an impulse h in every step, and which jumps at t = 0.5: q, v, a are exact. */
static dls_status fall(dls_sim *sim, double h, dls_error *err)
{
  (void)err;
  const double t = dls_sim_next_time(sim, h);
  sim->jump = fabs(t - 0.5) < 1e-9;
  sim->v_left[0] = -1 - 2 * t;
  sim->a_left[0] = sim->a[0] = -2;
  sim->v[0] = (t > 0.5 - 1e-9 ? 9 : -1) - 2 * t;
  sim->q[0] = 1 + (t > 0.5 ? 10 * (t - 0.5) : 0) - t - t * t;
  sim->p[0] = h;
  sim->lambda[0] = sim->lambda_left[0] = t;
  sim->status[0] = sim->jump;
  return DLS_OK;
}
static dls_status rest(dls_sim *sim, dls_error *err)
{
  (void)err;
  sim->a[0] = -2;
  return DLS_OK;
}
static const dls_scheme parabola = {.name = "parabola",
                                    .options = (const dls_option[]){{0}},
                                    .q_between = DLS_HERMITE,
                                    .v_between = DLS_HERMITE,
                                    .start = rest,
                                    .advance = fall};

/* Fails in the way of `poison` at its third step. */
static double *poisoned(dls_sim *sim, int place)
{
  double *places[] = {&sim->u[0],      &sim->p[0],           &sim->lambda[0], &sim->a[0],
                      &sim->v_left[0], &sim->lambda_left[0], &sim->a_left[0]};
  return places[place];
}
static int place; /* the test's own; u follows from v, so it starts at 1 */
static dls_status poison(dls_sim *sim, double h, dls_error *err)
{
  const dls_status status = fall(sim, h, err);
  if (sim->step == 2) {
    sim->jump = place > 3;
    *poisoned(sim, place) = place % 2 == 0 ? HUGE_VAL : NAN;
  }
  return status;
}
static const dls_scheme poisonous = {.name = "poisonous",
                                     .options = (const dls_option[]){{0}},
                                     .q_between = DLS_HERMITE,
                                     .v_between = DLS_HERMITE,
                                     .start = rest,
                                     .advance = poison};

typedef struct result {
  dls_trajectory *traj;
  dls_status status;
  dls_error err;
} result;

static result make(const dls_scheme *scheme, double step, double end, const dls_recording *recording,
                   const char *columns)
{
  result r = {0};
  dls_sim *sim = NULL;
  dls_system *sys = toy_system();
  assert_ok(dls_sim_create(sys, scheme, &sim, &r.err), r.err);
  r.traj = dls_sim_trajectory(sim, &r.err);
  assert_non_null(r.traj);
  if (columns != NULL) {
    bool keep[32] = {false};
    for (size_t j = 0; j < r.traj->columns; j++) {
      keep[j] = strcmp(r.traj->names[j], columns) == 0;
    }
    assert_ok(dls_trajectory_select(r.traj, keep, &r.err), r.err);
  }
  r.status = dls_run(sim, &(dls_run_spec){.step = step, .end = end, .record = r.traj, .recording = *recording},
                     &r.err);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return r;
}

static double at(const dls_trajectory *traj, size_t row, const char *name)
{
  return dls_trajectory_at(traj, row, (size_t)dls_trajectory_column(traj, name));
}

static double sum(const dls_trajectory *traj, const char *name)
{
  double total = 0;
  for (size_t i = 0; i < traj->rows; i++) {
    total += at(traj, i, name);
  }
  return total;
}

static const dls_recording whole = {0};

/* 17 nodes 0, h, ..., 16 h with h = 1/16, a jump at node 8: of every fifth node 0, 5, 10, 15; the jump, and the end. */
DLS_TEST(every_nth_node_is_kept_and_the_jump_between_and_both_ends)
{
  result all = make(&parabola, 0.0625, 1, &whole, NULL);
  result few = make(&parabola, 0.0625, 1, &(dls_recording){.every = 5}, NULL);
  const size_t rows[] = {0, 5, 8, 9, 11, 16, 17}; /* of the whole record, which has node 8 twice */
  assert_int_equal(all.traj->rows, 18);
  assert_int_equal(few.traj->rows, sizeof rows / sizeof rows[0]);
  for (size_t i = 0; i < few.traj->rows; i++) {
    for (size_t j = 0; j < all.traj->columns; j++) {
      if (strcmp(all.traj->names[j], "p0") != 0) { /* to the last bit */
        assert_true(dls_trajectory_at(few.traj, i, j) == dls_trajectory_at(all.traj, rows[i], j));
      }
    }
  }
  assert_true(few.traj->complete);
  dls_trajectory_destroy(all.traj);
  dls_trajectory_destroy(few.traj);
}

/* Impulses of nodes that are left out are in the next row: the total is kept, whatever is left out. */
DLS_TEST(impulses_are_summed)
{
  const double times[] = {0.11, 0.3, 0.5, 1};
  const dls_recording ways[] = {{.every = 3}, {.every = 1000}, {.at_count = 4, .at = times}};
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    result few = make(&parabola, 0.0625, 1, &ways[i], NULL);
    assert_close(sum(few.traj, "p0"), 1, 1e-14);
    dls_trajectory_destroy(few.traj);
  }
}

/* A cubic through exact values and slopes is exact on a parabola; the jump has both its rows, also where k h is rounded. */
DLS_TEST(rows_at_times_follow_the_declared_meaning)
{
  const double times[] = {0, 0.03, 0.3, 0.5, 0.7001, 1};
  result r = make(&parabola, 0.1, 1, &(dls_recording){.at_count = 6, .at = times}, NULL);
  assert_ok(r.status, r.err);
  assert_int_equal(r.traj->rows, 7);
  for (size_t i = 0; i < r.traj->rows; i++) {
    const double t = at(r.traj, i, "t");
    const bool late = i > 3;
    assert_close(t, times[late ? i - 1 : i], 1e-15);
    assert_close(at(r.traj, i, "q0"), 1 + (late ? 10 * (t - 0.5) : 0) - t - t * t, 1e-14);
    assert_close(at(r.traj, i, "v0"), (late ? 9 : -1) - 2 * t, 1e-14);
    assert_close(at(r.traj, i, "g0"), at(r.traj, i, "q0"), 1e-14);
    assert_close(at(r.traj, i, "lambda0"), t, 1e-14);
    assert_close(at(r.traj, i, "a0"), -2, 0);
  }
  assert_true(at(r.traj, 3, "p0") == 0); /* left limit: no impulse yet */
  dls_trajectory_destroy(r.traj);
}

DLS_TEST(linear_and_constant_meanings)
{
  const double time = 0.35;
  const dls_recording keep = {.at_count = 1, .at = &time};
  result straight = make(&linear, 0.1, 0.4, &keep, NULL);
  result steps = make(&constant, 0.1, 0.4, &keep, NULL);
  assert_close(at(straight.traj, 0, "q0"), 0.65, 1e-15);
  assert_close(at(steps.traj, 0, "q0"), 0.7, 1e-15);
  dls_trajectory_destroy(straight.traj);
  dls_trajectory_destroy(steps.traj);
}

DLS_TEST(selected_columns_go_together_with_times)
{
  const double time = 0.03;
  result r = make(&parabola, 0.1, 1, &(dls_recording){.at_count = 1, .at = &time}, "q0");
  assert_int_equal(r.traj->rows, 1);
  assert_int_equal(r.traj->columns, 4); /* t, q0, and v0, a0 that its meaning needs */
  assert_close(at(r.traj, 0, "q0"), 1 - 0.03 - 0.0009, 1e-15);
  dls_trajectory_destroy(r.traj);
}

/* Every node jumps, a little; nodes 7, 27, 47, ... much. The impulse of a step is 1. */
static dls_status rattle(dls_sim *sim, double h, dls_error *err)
{
  (void)err;
  (void)h;
  sim->jump = true;
  sim->v_left[0] = -1;
  sim->v[0] = (sim->step + 1) % 20 == 7 ? 1 : -1 + 1e-3;
  sim->p[0] = 1;
  return DLS_OK;
}
static const dls_scheme rattler = {.name = "rattler", .options = (const dls_option[]){{0}}, .advance = rattle};

DLS_TEST(of_many_jumps_the_largest_is_kept)
{
  result r = make(&rattler, 0.125, 9, &(dls_recording){.every = 20}, NULL); /* nodes 0 to 72 */
  const double nodes[] = {0, 7, 7, 20, 20, 27, 27, 40, 40, 47, 47, 60, 60, 67, 67, 72};
  const double impulses[] = {0, 0, 7, 0, 13, 0, 7, 0, 13, 0, 7, 0, 13, 0, 7, 5};
  assert_ok(r.status, r.err);
  assert_int_equal(r.traj->rows, 16);
  for (size_t i = 0; i < r.traj->rows; i++) {
    assert_close(at(r.traj, i, "t"), nodes[i] / 8, 0);
    assert_close(at(r.traj, i, "p0"), impulses[i], 0);
  }
  dls_trajectory_destroy(r.traj);
}

/* A jump is not parted: with room for one row more the run ends before it. */
DLS_TEST(the_limit_keeps_whole_nodes)
{
  for (size_t limit = 8; limit <= 10; limit++) {
    result r = make(&parabola, 0.0625, 1, &(dls_recording){.max_rows = limit}, NULL);
    assert_int_equal(r.status, DLS_ERR_LIMIT);
    assert_int_equal(r.traj->rows, limit == 9 ? 8 : limit);
    assert_false(r.traj->complete);
    char expected[80];
    snprintf(expected, sizeof expected, "the record has %zu rows, at most max_rows = %zu are allowed",
             r.traj->rows, limit);
    assert_non_null(strstr(r.traj->failure, expected));
    dls_trajectory_destroy(r.traj);
  }
  result r = make(&parabola, 0.0625, 1, &(dls_recording){.max_rows = 18}, NULL);
  assert_ok(r.status, r.err);
  assert_int_equal(r.traj->rows, 18);
  dls_trajectory_destroy(r.traj);
}

/* Reports an event every step. */
static dls_status chatter(dls_sim *sim, double h, dls_error *err)
{
  dls_sim_event(sim, &(dls_event){.t = sim->t, .kind = DLS_GRAZING});
  return fall(sim, h, err);
}
static const dls_scheme chatterer = {.name = "chatterer",
                                     .options = (const dls_option[]){{0}},
                                     .q_between = DLS_HERMITE,
                                     .v_between = DLS_HERMITE,
                                     .start = rest,
                                     .advance = chatter};

DLS_TEST(events_are_limited_too)
{
  const double times[] = {0.05, 0.25};
  result r = make(&chatterer, 0.1, 1, &(dls_recording){.at_count = 2, .at = times, .max_rows = 2}, NULL);
  assert_int_equal(r.status, DLS_ERR_LIMIT);
  assert_non_null(strstr(r.err.text, "the record has 3 events, at most max_rows = 2 are allowed"));
  assert_int_equal(r.traj->rows, 2);
  dls_trajectory_destroy(r.traj);
}

/* Impulses 0 1 2 3 4 0 1 ... at the beginning of each step. */
static dls_status strike(dls_sim *sim, double h, dls_error *err)
{
  dls_sim_event(
      sim, &(dls_event){.t = sim->t, .kind = DLS_IMPACT, .u_minus = -1, .impulse = (double)(sim->step % 5)});
  return fall(sim, h, err);
}
static const dls_scheme striker = {.name = "striker",
                                   .options = (const dls_option[]){{0}},
                                   .q_between = DLS_HERMITE,
                                   .v_between = DLS_HERMITE,
                                   .start = rest,
                                   .advance = strike};

/* By nodes and by times; groups of eight, two, one, and none. */
DLS_TEST(of_many_events_the_first_the_last_and_the_largest_are_kept)
{
  const double times[] = {0.5, 0.625, 0.6875, 0.69};
  const struct {
    dls_recording recording;
    size_t kept, steps[12];
  } cases[] = {{{.every = 8}, 6, {0, 4, 7, 8, 9, 15}},
               {{.every = 20}, 3, {0, 4, 15}},
               {{.every = 2}, 16, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
               {{.at_count = 4, .at = times}, 9, {0, 4, 8, 9, 10, 11, 12, 14, 15}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    result r = make(&striker, 0.0625, 1, &cases[i].recording, NULL);
    assert_ok(r.status, r.err);
    assert_int_equal(r.traj->event_count, cases[i].kept);
    for (size_t k = 0; k < cases[i].kept && k < 12; k++) {
      assert_close(r.traj->events[k].t, 0.0625 * (double)cases[i].steps[k], 0);
    }
    assert_int_equal(r.traj->totals->count, 16);
    assert_int_equal(r.traj->totals->left_out, 16 - cases[i].kept);
    dls_trajectory_destroy(r.traj);
  }
}

DLS_TEST(what_is_not_finite_is_named_and_not_recorded)
{
  static const char *const names[] = {"u0",
                                      "p0 = nan",
                                      "lambda0 = inf",
                                      "a0 = nan",
                                      "left limit of v0 = inf",
                                      "left limit of lambda0 = nan",
                                      "left limit of a0 = inf"};
  for (place = 1; place < 7; place++) {
    for (size_t every = 1; every < 8; every += 6) {
      result r = make(&poisonous, 0.1, 1, &(dls_recording){.every = every}, NULL);
      assert_int_equal(r.status, DLS_ERR_NONFINITE);
      assert_non_null(strstr(r.err.text, names[place]));
      assert_int_equal(r.traj->rows, every == 1 ? 3 : 2); /* the last finite node is there */
      assert_close(at(r.traj, r.traj->rows - 1, "t"), 0.2, 1e-15);
      for (size_t i = 0; i < r.traj->rows * r.traj->columns; i++) {
        assert_true(isfinite(r.traj->data[i]));
      }
      dls_trajectory_destroy(r.traj);
    }
  }
}

DLS_TEST(times_and_ways_are_checked)
{
  const double back[] = {0.5, 0.5}, late[] = {1.5}, early[] = {-1}, none[] = {NAN};
  const struct {
    dls_recording recording;
    const char *text;
  } bad[] = {{{.at_count = 2, .at = back}, "time 2 of the record is 0.5 s after 0.5 s, times must increase"},
             {{.at_count = 1, .at = late}, "time 1 of the record is 1.5 s, outside [0, end = 1]"},
             {{.at_count = 1, .at = early}, "time 1 of the record is -1 s"},
             {{.at_count = 1, .at = none}, "time 1 of the record is nan s"},
             {{.every = 2, .at_count = 1, .at = late},
              "a record has one of every 2 nodes or rows at 1 times, not both"}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    result r = make(&linear, 0.1, 1, &bad[i].recording, NULL);
    assert_int_equal(r.status, DLS_ERR_ARG);
    assert_non_null(strstr(r.err.text, bad[i].text));
    assert_int_equal(r.traj->rows, 0);
    dls_trajectory_destroy(r.traj);
  }
}

/* Rows that are taken away in portions; fails when it is to take more than `most` of them. */
typedef struct taken {
  double values[40];
  size_t columns, rows, calls, most;
} taken;

static dls_status take(void *data, dls_trajectory *record, dls_error *err)
{
  taken *to = data;
  assert_true(to->rows + record->rows <= sizeof to->values / sizeof to->values[0]);
  if (to->rows + record->rows > to->most) {
    return dls_fail(err, DLS_ERR_IO, "no room for %zu rows", to->rows + record->rows);
  }
  for (size_t i = 0; i < record->rows; i++) {
    to->values[to->rows++] = dls_trajectory_at(record, i, 0);
  }
  to->calls++;
  record->rows = 0;
  return DLS_OK;
}

/* 18 rows, of which 3 fit: the jump at node 8 has two of them. The rest stays in the record. */
DLS_TEST(rows_are_handed_over_in_portions)
{
  taken to = {.most = 40};
  const dls_recording keep = {.take = take, .take_data = &to, .portion = 3};
  result all = make(&parabola, 0.0625, 1, &whole, NULL), some = make(&parabola, 0.0625, 1, &keep, NULL);
  assert_ok(some.status, some.err);
  assert_between(some.traj->rows, 1, 3);
  assert_int_equal(to.rows + some.traj->rows, all.traj->rows);
  assert_between(to.calls, 5, 6);
  for (size_t i = 0; i < all.traj->rows; i++) {
    const double t = i < to.rows ? to.values[i] : dls_trajectory_at(some.traj, i - to.rows, 0);
    assert_true(t == dls_trajectory_at(all.traj, i, 0));
  }
  dls_trajectory_destroy(all.traj);
  dls_trajectory_destroy(some.traj);
}

DLS_TEST(rows_that_were_taken_count_for_the_limit_and_a_failure_ends_the_run)
{
  taken to = {.most = 40};
  const dls_recording limited = {.take = take, .take_data = &to, .portion = 3, .max_rows = 7};
  result r = make(&parabola, 0.0625, 1, &limited, NULL);
  assert_int_equal(r.status, DLS_ERR_LIMIT);
  assert_non_null(strstr(r.err.text, "the record has 7 rows, at most max_rows = 7"));
  assert_int_equal(to.rows + r.traj->rows, 7);
  dls_trajectory_destroy(r.traj);
  to = (taken){.most = 5};
  const dls_recording full = {.take = take, .take_data = &to, .portion = 3};
  r = make(&parabola, 0.0625, 1, &full, NULL);
  assert_int_equal(r.status, DLS_ERR_IO);
  assert_non_null(strstr(r.err.text, "no room for 6 rows"));
  assert_false(r.traj->complete);
  assert_int_equal(to.rows + r.traj->rows, 6);
  dls_trajectory_destroy(r.traj);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_nth_node_is_kept_and_the_jump_between_and_both_ends),
      cmocka_unit_test(impulses_are_summed),
      cmocka_unit_test(rows_at_times_follow_the_declared_meaning),
      cmocka_unit_test(linear_and_constant_meanings),
      cmocka_unit_test(selected_columns_go_together_with_times),
      cmocka_unit_test(of_many_jumps_the_largest_is_kept),
      cmocka_unit_test(the_limit_keeps_whole_nodes),
      cmocka_unit_test(events_are_limited_too),
      cmocka_unit_test(of_many_events_the_first_the_last_and_the_largest_are_kept),
      cmocka_unit_test(what_is_not_finite_is_named_and_not_recorded),
      cmocka_unit_test(times_and_ways_are_checked),
      cmocka_unit_test(rows_are_handed_over_in_portions),
      cmocka_unit_test(rows_that_were_taken_count_for_the_limit_and_a_failure_ends_the_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
