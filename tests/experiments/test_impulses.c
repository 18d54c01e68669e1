/* tests/experiments/test_impulses.c -- blows and lasting contact told apart; names and units of columns.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/run/coordinates.h"
#include "experiments/show/figure.h"
#include "experiments/show/impulses.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* t = 0, 0.1, ..., 9.9 with the impulses of a function. */
static dls_trajectory *recorded(double (*impulse)(size_t step))
{
  const char *const names[] = {"t", "p0"};
  dls_trajectory *traj = dls_trajectory_create_table(2, names);
  assert_non_null(traj);
  for (size_t i = 0; i < 100; i++) {
    double *row = dls_trajectory_append(traj);
    assert_non_null(row);
    row[0] = 0.1 * (double)i;
    row[1] = impulse(i);
  }
  return traj;
}

static double
rest(size_t step) /* blows of 3 and 2, then a weight of 2 N from 5 s on, with a blow of 4 at 7 s */
{
  return step == 10 ? 3 : step == 30 ? 2 : step == 70 ? 4 : step > 50 ? 0.2 : 0;
}

static double every_second_step(size_t step)
{
  return step == 10 ? 3 : step > 50 && step % 2 == 0 ? 0.4 : 0;
}

static double blows_only(size_t step)
{
  return step % 10 == 9 ? pow(0.5, (double)step / 10) : 0;
}

/* The rows of a table as text. */
static char *written(void (*put)(dls_plot_table *, const dls_trajectory *, size_t, const dls_impulses *),
                     const dls_trajectory *traj, const dls_impulses *impulses)
{
  bool failed = false;
  dls_plot_table table = {.columns = 2, .failed = &failed};
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  put(&table, traj, 1, impulses);
  assert_false(failed);
  for (size_t row = 0; row < table.rows; row++) {
    fprintf(out, "%.10g %.10g\n", table.values[2 * row], table.values[2 * row + 1]);
  }
  fclose(out);
  free(table.values);
  return text;
}

static void check(double (*impulse)(size_t step), const char *stems, const char *force)
{
  dls_impulses impulses;
  dls_error err = {0};
  dls_trajectory *traj = recorded(impulse);
  assert_ok(dls_impulses_sort(traj, 1, &impulses, &err), err);
  char *text = written(dls_impulses_put_stems, traj, &impulses);
  assert_string_equal(text, stems);
  free(text);
  text = written(dls_impulses_put_force, traj, &impulses);
  assert_string_equal(text, force);
  free(text);
  dls_impulses_clear(&impulses);
  dls_trajectory_destroy(traj);
}

DLS_TEST(lasting_contact_is_a_force_and_blows_are_stems)
{
  check(rest, "1 3\n3 2\n7 4\n", "0 0\n5 0\n5 2\n9.9 2\n");
  check(every_second_step, "1 3\n",
        "0 0\n5.1 0\n5.1 4\n5.2 4\n5.2 2\n9.9 2\n"); /* the first has its own step only */
  check(
      blows_only, "0.9 0.5358867313\n1.9 0.2679433656\n2.9 0.1339716828\n3.9 0.06698584141\n4.9 0.0334929207\n",
      "0 0\n5.8 0\n5.8 0.1674646035\n5.9 0.1674646035\n5.9 0\n6.8 0\n6.8 0.08373230176\n6.9 0.08373230176\n6.9 "
      "0\n"
      "7.8 0\n7.8 0.04186615088\n7.9 0.04186615088\n7.9 0\n8.8 0\n8.8 0.02093307544\n8.9 0.02093307544\n8.9 0\n"
      "9.8 0\n9.8 0.01046653772\n9.9 0.01046653772\n");
}

DLS_TEST(impulses_of_events_are_all_blows)
{
  dls_impulses impulses;
  dls_error err = {0};
  dls_trajectory *traj = recorded(rest);
  assert_ok(dls_impulses_all(traj, 1, &impulses, &err), err);
  assert_int_equal(impulses.stems, 51);
  assert_int_equal(impulses.pushes, 0);
  dls_impulses_clear(&impulses);
  dls_trajectory_destroy(traj);
}

static void planar(const dls_system *sys, size_t i, dls_coordinate *out)
{
  (void)sys;
  *out = i % 3 == 2 ? (dls_coordinate){.name = "angle", .unit = "rad"}
                    : (dls_coordinate){.name = "position", .unit = "m"};
}

static void assert_column(const dls_trajectory *traj, const char *name, const char *words, const char *unit)
{
  dls_column_kind kind;
  dls_column_find(traj, name, &kind);
  assert_string_equal(kind.words, words);
  assert_string_equal(kind.unit, unit);
}

static void named(const dls_system *sys, size_t i, dls_coordinate *out)
{
  (void)sys;
  snprintf(out->name, sizeof out->name, "position of ball %zu", i);
}

DLS_TEST(a_position_names_its_body_and_its_velocity_too)
{
  dls_error err = {0};
  dls_system *sys = dls_system_create(2, 0);
  dls_trajectory *traj = dls_trajectory_create(2, 0, false);
  assert_non_null(sys);
  assert_non_null(traj);
  sys->coordinate = named;
  assert_ok(dls_note_coordinates(traj, sys, &err), err);
  assert_string_equal(traj->meta[0], "coordinates: q0..q1: position of ball # [m]");
  assert_column(traj, "q1", "position of ball 1", "m");
  assert_column(traj, "v1", "velocity of ball 1", "m/s");
  dls_trajectory_destroy(traj);
  dls_system_destroy(sys);
}

static void numbered(const dls_system *sys, size_t i, dls_coordinate *out)
{
  (void)sys;
  snprintf(out->name, sizeof out->name, i < 11 ? "height of bead %zu" : "lid #%zu", i);
}

DLS_TEST(many_coordinates_of_one_kind_have_one_line_with_their_number)
{
  dls_error err = {0};
  dls_system *sys = dls_system_create(12, 0);
  dls_trajectory *traj = dls_trajectory_create(12, 0, false);
  assert_non_null(sys);
  assert_non_null(traj);
  sys->coordinate = numbered;
  assert_ok(dls_note_coordinates(traj, sys, &err), err);
  assert_int_equal(traj->meta_count, 2);
  assert_string_equal(traj->meta[0], "coordinates: q0..q10: height of bead # [m]");
  assert_string_equal(traj->meta[1], "coordinates: q11: lid #11 [m]");
  assert_column(traj, "q11", "lid #11", "m");
  assert_column(traj, "q10", "height of bead 10", "m");
  assert_column(traj, "v10", "velocity of bead 10", "m/s");
  dls_trajectory_destroy(traj);
  dls_system_destroy(sys);
}

DLS_TEST(an_angle_is_in_rad_and_its_velocity_in_rad_per_second)
{
  dls_error err = {0};
  char unit[DLS_UNIT_ROOM];
  dls_system *sys = dls_system_create(6, 0);
  dls_trajectory *traj = dls_trajectory_create(6, 0, false);
  assert_non_null(sys);
  assert_non_null(traj);
  sys->coordinate = planar;
  assert_ok(dls_note_coordinates(traj, sys, &err), err);
  assert_int_equal(traj->meta_count, 4);
  assert_string_equal(traj->meta[0], "coordinates: q0..q1: position [m]");
  assert_string_equal(traj->meta[1], "coordinates: q2: angle [rad]");
  assert_column(traj, "q1", "position", "m");
  assert_column(traj, "q2", "angle", "rad");
  assert_column(traj, "v2", "velocity of angle", "rad/s");
  assert_column(traj, "v3", "velocity", "m/s");
  assert_column(traj, "q5", "angle", "rad");
  assert_column(traj, "lambda0", "contact force", "N");
  assert_column(traj, "what", "", "1");
  dls_quantity_unit(sys, "q", unit);
  assert_string_equal(unit, "mixed");
  dls_quantity_unit(sys, "v5", unit);
  assert_string_equal(unit, "rad/s");
  sys->coordinate = NULL;
  dls_quantity_unit(sys, "v", unit);
  assert_string_equal(unit, "m/s");
  dls_trajectory_destroy(traj);
  dls_system_destroy(sys);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lasting_contact_is_a_force_and_blows_are_stems),
      cmocka_unit_test(impulses_of_events_are_all_blows),
      cmocka_unit_test(a_position_names_its_body_and_its_velocity_too),
      cmocka_unit_test(many_coordinates_of_one_kind_have_one_line_with_their_number),
      cmocka_unit_test(an_angle_is_in_rad_and_its_velocity_in_rad_per_second),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
