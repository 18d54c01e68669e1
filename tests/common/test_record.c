/* test_record.c -- what the driver records of toy schemes: jumps, meanings, columns, nodes that are left out.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "toy_run.h"
#include <stdbool.h>
#include <string.h>

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

/* Rows at t = 0, 0.5, 1, 1.5-, 1.5+, 2: the impact is found at q = -0.5. */
DLS_TEST(a_jump_is_recorded_as_two_rows)
{
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

DLS_TEST(a_jump_at_the_start_has_the_initial_data_as_left_limit)
{
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

DLS_TEST(accelerations_are_recorded_only_for_cubic_velocities)
{
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
DLS_TEST(selected_columns_hold_the_same_numbers)
{
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

DLS_TEST(columns_cannot_be_selected_of_a_full_record)
{
  run r = run_toy(&toy, 0.5, 2, NULL);
  const bool keep[20] = {true};
  assert_int_equal(dls_trajectory_select(r.traj, keep, &r.err), DLS_ERR_ARG);
  assert_non_null(strstr(r.err.text, "the record has 6 rows"));
  finish(&r);
}

static dls_meaning meaning_of(const run *r, const char *column)
{
  return r->traj->meaning[dls_trajectory_column(r->traj, column)];
}

DLS_TEST(the_record_carries_the_meanings_and_options_of_the_scheme)
{
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

DLS_TEST(a_record_that_does_not_fit_is_refused)
{
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

DLS_TEST(nodes_can_be_left_out)
{
  run r = begin(&toy, NULL);
  r.traj->skip_nodes = true;
  assert_ok(dls_run(r.sim, &(dls_run_spec){.step = 0.5, .end = 2, .record = r.traj}, &r.err), r.err);
  assert_int_equal(r.traj->rows, 0);
  assert_int_equal(r.traj->event_count, 1);
  assert_int_equal(r.traj->work.steps, 4);
  assert_true(r.traj->complete);
  finish(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_jump_is_recorded_as_two_rows),
      cmocka_unit_test(a_jump_at_the_start_has_the_initial_data_as_left_limit),
      cmocka_unit_test(accelerations_are_recorded_only_for_cubic_velocities),
      cmocka_unit_test(selected_columns_hold_the_same_numbers),
      cmocka_unit_test(columns_cannot_be_selected_of_a_full_record),
      cmocka_unit_test(the_record_carries_the_meanings_and_options_of_the_scheme),
      cmocka_unit_test(a_record_that_does_not_fit_is_refused),
      cmocka_unit_test(nodes_can_be_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
