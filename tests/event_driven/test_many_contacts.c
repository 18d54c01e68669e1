/* test_many_contacts.c -- random linear systems whose contacts throw each other off while they come to rest: nested
 * accumulations are passed, and no contact is violated.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "fallbacks.h"
#include "runs.h"
#include <math.h>

static size_t count_kind(const dls_trajectory *traj, dls_event_kind kind)
{
  size_t count = 0;
  for (size_t i = 0; i < traj->event_count; i++) {
    count += traj->events[i].kind == kind;
  }
  return count;
}

DLS_TEST(nested_accumulations_are_passed)
{
  static const int seeds[] = {1, 3, 5}; /* 1 and 3: a resting contact is thrown off with its gap at -1e-11 */
  for (size_t i = 0; i < 3; i++) {
    char model[80];
    snprintf(model, sizeof model, "random-linear:n=20,m=8,seed=%d", seeds[i]);
    test_run run = dls_test_run(model, "event-driven", 0, 2.5);
    assert_close(run.sim->t, 2.5, 0);
    assert_between(run.sim->worst_gap, -1e-10, 0);
    assert_between((double)count_kind(run.traj, DLS_ACCUMULATION), 1, 2000);
    assert_between((double)count_kind(run.traj, DLS_IMPACT), 50, 20000);
    dls_test_free(&run);
  }
}

DLS_TEST(inelastic_contacts_that_throw_each_other_off_come_to_rest)
{
  /* the reference: moreau-jean, steps of 1e-4 and 2e-5, extrapolated */
  test_run run = dls_test_run("random-linear:m=3,seed=4,e=0", "event-driven", 0, 10);
  assert_close(run.sim->q[0], 0.165118, 2e-6);
  assert_close(run.sim->q[1], -0.324994, 6e-6);
  assert_between(run.sim->worst_gap, -1e-10, 0);
  assert_between((double)count_kind(run.traj, DLS_IMPACT), 50, 400);
  dls_test_free(&run);
}

/* The uppermost row slides over the next and stops after v0 / (mu g), v0^2 / (2 mu g) further; its rotations, and what is below, stay
 * at rest. Where it stops all slip is rounding, and directions of that must not count. */
DLS_TEST(a_row_of_a_wall_slides_and_stops)
{
  enum { LOWER = 7, BOXES = 10 };
  test_run run = dls_test_run("block-wall:rows=3,columns=3,v0=1", "event-driven", 0, 0.4);
  assert_close(run.sim->t, 0.4, 0);
  assert_int_equal(run.sim->sys->n, 3 * BOXES);
  for (size_t b = 0; b < BOXES; b++) {
    assert_close(run.sim->q[3 * b], b < LOWER ? 0 : 1 / (2 * 0.5 * 9.81), b < LOWER ? 1e-20 : 1e-9);
    for (size_t i = 0; i < 3; i++) {
      assert_close(run.sim->v[3 * b + i], 0, 1e-15);
      assert_close(i == 0 ? 0 : run.sim->q[3 * b + i], 0, 1e-20);
    }
  }
  assert_int_equal(count_kind(run.traj, DLS_IMPACT), 0);
  assert_int_equal(count_kind(run.traj, DLS_ACCUMULATION), 0);
  assert_between((double)count_kind(run.traj, DLS_STICK), 1, 40);
  dls_test_free(&run);
}

/* One column of boxes is solved as an array, 41 of them side by side as a sparse matrix of 410 contacts with two rows: every column has the
 * motion and the forces of the single one, where the uppermost row slides, or all on a slope. How redundant rows split forces of 50 N is known
 * to the end of the proximal point iteration. */
DLS_TEST(a_sparse_matrix_of_many_columns_gives_the_forces_of_one)
{
  static const char *const motions[] = {"", ",mu=0.2,v0=1", ",alpha=0.3,mu=0.1"};
  enum { ROWS = 5, COLUMNS = 41, BOX = 3, FORCES = 2 * ROWS };
  for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
    char model[80];
    snprintf(model, sizeof model, "block-column:rows=%d,columns=1%s", ROWS, motions[i]);
    test_run one = dls_test_run(model, "event-driven", 0, 0.2);
    snprintf(model, sizeof model, "block-column:rows=%d,columns=%d%s", ROWS, COLUMNS, motions[i]);
    test_run many = dls_test_run(model, "event-driven", 0, 0.2);
    assert_int_equal(many.sim->sys->m, COLUMNS * FORCES);
    assert_int_equal(many.sim->work.redundant, COLUMNS * one.sim->work.redundant);
    for (size_t k = 0; k < ROWS * COLUMNS; k++) { /* box k is in row k / COLUMNS */
      for (size_t x = 0; x < BOX; x++) {
        assert_close(many.sim->q[BOX * k + x], one.sim->q[BOX * (k / COLUMNS) + x], 1e-10);
        assert_close(many.sim->v[BOX * k + x], one.sim->v[BOX * (k / COLUMNS) + x], 1e-10);
      }
    }
    for (size_t j = 0; j < COLUMNS * FORCES; j++) { /* two contacts of box j / 2 */
      const size_t same = 2 * (j / 2 / COLUMNS) + j % 2;
      assert_close(many.sim->lambda[j], one.sim->lambda[same], 1e-7);
      assert_close(many.sim->lambda_t[j], one.sim->lambda_t[same], 1e-7);
    }
    dls_test_free(&one);
    dls_test_free(&many);
  }
}

/* A box that rests on the corners of its face: d rows a contact that sticks, one without friction, and 3 or 6 coordinates. */
DLS_TEST(redundant_rows_are_counted)
{
  static const struct {
    const char *model;
    size_t redundant;
  } known[] = {{"block-column:rows=1,columns=1", 4 - 3},
               {"block-column:rows=1,columns=1,dim=3", 12 - 6},
               {"block-column:rows=2,columns=1", 8 - 6},
               {"block-column:rows=1,columns=1,mu=0", 0},
               {"block-column:rows=1,columns=1,dim=3,mu=0", 4 - 3},
               {"bouncing-ball:e=0", 0}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    test_run run = dls_test_run(known[k].model, "event-driven", 0, 2);
    assert_int_equal(run.sim->work.redundant, known[k].redundant);
    dls_test_free(&run);
  }
}

/* A wall at rest, whose rows are redundant, holds its contacts by the bodies. It has no factors of W, which fill in. */
DLS_TEST(a_wall_holds_its_contacts_by_the_bodies)
{
  test_run run = dls_test_run("block-wall:rows=8,columns=8,v0=0", "event-driven", 0, 0.1);
  assert_int_equal(run.sim->sys->d * run.sim->sys->m > run.sim->sys->n, 1);
  assert_int_equal(fallbacks_to(&run.sim->work.fallbacks, "proximal-point"), 0);
  for (size_t i = 0; i < run.sim->sys->n; i++) {
    assert_close(run.sim->v[i], 0, 1e-15);
  }
  dls_test_free(&run);
}

/* The uppermost row of a wall of more than 100 contacts slides and stops after v0 / (mu g), whatever the masses are; what is held converges. */
DLS_TEST(a_large_wall_slides_and_stops_with_any_mass)
{
  static const char *const masses[] = {"1e-6", "1", "1e6"};
  for (size_t k = 0; k < sizeof masses / sizeof *masses; k++) {
    char model[80];
    snprintf(model, sizeof model, "block-wall:rows=6,columns=6,v0=0.5,m=%s", masses[k]);
    test_run run = dls_test_run(model, "event-driven", 0, 0.2);
    const size_t boxes = run.sim->sys->n / 3, top = boxes - 7;
    double time = 0;
    assert_between((double)(run.sim->sys->d * run.sim->sys->m), 201, 300);
    for (size_t b = 0; b < boxes; b++) {
      const double slid = run.sim->q[3 * b];
      if (!(fabs(slid - (b < top ? 0 : 0.25 / (2 * 0.5 * 9.81))) <= 1e-9)) {
        fail_msg("m = %s kg, box %zu of %zu: %.17g m", masses[k], b, boxes, slid);
      }
      assert_close(run.sim->v[3 * b], 0, 1e-14);
    }
    for (size_t i = 0; i < run.traj->event_count; i++) {
      time = run.traj->events[i].kind == DLS_STICK ? run.traj->events[i].t : time;
    }
    assert_close(time, 0.5 / (0.5 * 9.81), 1e-9);
    assert_int_equal(fallbacks_to(&run.sim->work.fallbacks, "mode-residual"), 0);
    dls_test_free(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nested_accumulations_are_passed),
      cmocka_unit_test(inelastic_contacts_that_throw_each_other_off_come_to_rest),
      cmocka_unit_test(a_row_of_a_wall_slides_and_stops),
      cmocka_unit_test(a_sparse_matrix_of_many_columns_gives_the_forces_of_one),
      cmocka_unit_test(redundant_rows_are_counted),
      cmocka_unit_test(a_wall_holds_its_contacts_by_the_bodies),
      cmocka_unit_test(a_large_wall_slides_and_stops_with_any_mass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
