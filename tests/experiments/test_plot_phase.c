/* test_plot_phase.c -- columns over a column: vertices, jumps, phases of stick, equal scales.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "scratch.h"
#include <delassus/catalogue.h>
#include <delassus/model.h>
#include <delassus/plot.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const label[] = {"toy"};

/* The script of the picture of one run; the caller frees it. */
static char *script_of(const dls_trajectory *traj, const char *over, const char *of)
{
  dls_error err = {0};
  char path[DLS_TEST_PATH], script[DLS_TEST_PATH];
  const char *const folder = dls_test_folder(NULL);
  const dls_comparison plot = {.title = "toy",
                               .count = 1,
                               .runs = &traj,
                               .labels = label,
                               .column_count = 1,
                               .columns = &of,
                               .over = over};
  assert_ok(dls_plot_comparison(&plot, dls_test_file(folder, "a.svg", path), &err), err);
  FILE *file = fopen(dls_test_file(folder, "a.gp", script), "rb");
  assert_non_null(file);
  char *text = calloc(1, 1000000);
  assert_non_null(text);
  assert_true(fread(text, 1, 999999, file) > 0);
  fclose(file);
  return text;
}

static void assert_in(const char *text, const char *part)
{
  if (strstr(text, part) == NULL) {
    fail_msg("the script lacks \"%s\"", part);
  }
}

static dls_trajectory *fill(dls_trajectory *traj, size_t rows, const double *data)
{
  assert_non_null(traj);
  for (size_t i = 0; i < rows; i++) {
    memcpy(dls_trajectory_append(traj), data + i * traj->columns, traj->columns * sizeof *data);
  }
  return traj;
}

DLS_TEST(jumps_stand_apart_and_axes_have_units)
{
  const double rows[] = {0,   1, -2, 1, -2, 0, 0, 0, /* a ball that bounces once */
                         0.5, 0, -2, 0, -2, 0, 0, 0, 0.5, 0, 1, 0, 1, 3, 0, 1, 1, 0.5, 1, 0.5, 1, 0, 0, 0};
  dls_trajectory *traj = fill(dls_trajectory_create(1, 1, false), 4, rows);
  char *text = script_of(traj, "q0", "v0");
  assert_in(text, "$run0_v0 << EOD\n1 -2\n0 -2\n\n0 1\n0.5 1\n\nEOD\n");
  assert_in(text, "$jump0_v0 << EOD\n0 -2\n0 1\n\nEOD\n");
  assert_in(text, "set xlabel 'position q_{0} [m]'");
  assert_in(text, "set ylabel 'velocity v_{0} [m/s]'");
  assert_null(strstr(text, "sticks"));
  free(text);
  dls_trajectory_destroy(traj);
}

/* Nodes half a radian apart: chords would be 0.03 off the circle. */
DLS_TEST(cubic_pieces_are_curves)
{
  dls_trajectory *traj = dls_trajectory_create(1, 0, true);
  assert_non_null(traj);
  dls_trajectory_set_meaning(traj, "q", DLS_HERMITE);
  dls_trajectory_set_meaning(traj, "v", DLS_HERMITE);
  for (size_t i = 0; i <= 6; i++) {
    const double t = 0.5 * (double)i, row[] = {t, cos(t), -sin(t), -cos(t)};
    memcpy(dls_trajectory_append(traj), row, sizeof row);
  }
  char *text = script_of(traj, "q0", "v0");
  const char *at = strstr(text, "$run0_v0 << EOD\n");
  assert_non_null(at);
  at += strlen("$run0_v0 << EOD\n");
  size_t count = 0;
  double q = 0, v = 0;
  for (; *at != '\n'; at = strchr(at, '\n') + 1, count++) {
    assert_int_equal(sscanf(at, "%lf %lf", &q, &v), 2);
    assert_close(hypot(q, v), 1, 2e-4);
  }
  assert_between((double)count, 90, 97); /* 16 to a piece */
  assert_close(q, cos(3), 1e-9);
  assert_close(v, -sin(3), 1e-9);
  free(text);
  dls_trajectory_destroy(traj);
}

/* t, q0, q1, v0, v1, g, u, p, lambda, status, u0t, p0t, lambda0t of a belt: sticks from 1 to 3, then slips. */
static dls_trajectory *stick_and_slip(void)
{
  dls_error err = {0};
  dls_system *sys = NULL;
  const double rows[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, /* */
                         1, 1, 0, 5, 0, 0, 0, 0, 1, 1, 0, 0, 0, /* */
                         2, 2, 0, 5, 0, 0, 0, 0, 1, 1, 0, 0, 0, /* */
                         3, 3, 0, 5, 0, 0, 0, 0, 1, 2, 0, 0, 0, /* */
                         4, 4, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0};
  const dls_model *model = dls_model_find("belt", &err);
  double p[16];
  assert_non_null(model);
  dls_option_defaults(model->parameters, p);
  assert_ok(dls_model_create(model, p, &sys, &err), err);
  dls_trajectory *traj = fill(dls_trajectory_create_system(sys, false), 5, rows);
  assert_int_equal(traj->columns, 13);
  dls_system_destroy(sys);
  return traj;
}

DLS_TEST(phases_of_stick_are_underlaid_but_not_of_runs_by_steps)
{
  dls_error err = {0};
  dls_trajectory *traj = stick_and_slip();
  char *text = script_of(traj, "q0", "v0");
  assert_in(text, "$stick0_v0 << EOD\n1 5\n2 5\n3 5\n\nEOD\n");
  assert_in(text, "title 'contact 0 sticks'");
  free(text);
  assert_ok(dls_trajectory_note(traj, &err, "step", "1"), err);
  text = script_of(traj, "q0", "v0");
  assert_null(strstr(text, "stick"));
  free(text);
  dls_trajectory_destroy(traj);
}

/* Length of a range over that of the frame in the other direction. */
static double range(const char *text, const char *axis)
{
  double low = 0, high = 0;
  char start[32];
  snprintf(start, sizeof start, "set %srange [", axis);
  const char *at = strstr(text, start);
  assert_non_null(at);
  assert_int_equal(sscanf(at + strlen(start), "%lf:%lf", &low, &high), 2);
  return high - low;
}

DLS_TEST(a_path_has_equal_scales_unless_its_units_differ)
{
  dls_error err = {0};
  const double rows[] = {0, 0, 0, 0, 0, 1, 1, 3, 0, 0}; /* from (0, 0) to (1, 3) */
  for (int rad = 0; rad < 2; rad++) {
    dls_trajectory *traj = fill(dls_trajectory_create(2, 0, false), 2, rows);
    if (rad) {
      assert_ok(dls_trajectory_note(traj, &err, "coordinates", "q1: angle [rad]"), err);
    }
    char *text = script_of(traj, "q0", "q1");
    assert_close(range(text, "y"), 1.1 * 3, 1e-9);
    assert_close(range(text, "x"), rad ? 1.1 * 1 : 1.1 * 3 * 660 / 510, 1e-6);
    free(text);
    dls_trajectory_destroy(traj);
  }
}

DLS_TEST(impulses_are_dots)
{
  const double rows[] = {0, 1, -2, 1, -2, 0, 0, 0, 1, 0, 1, 0, 1, 3, 0, 1};
  dls_trajectory *traj = fill(dls_trajectory_create(1, 1, false), 2, rows);
  char *text = script_of(traj, "q0", "p0");
  assert_in(text, "$run0_p0 using 1:2 with points pointtype 7 ");
  assert_null(strstr(text, "title 'start'"));
  assert_null(strstr(text, "plot $jump0_p0"));
  free(text);
  text = script_of(traj, "p0", "q0");
  assert_null(strstr(text, "with points pointtype 7 "));
  assert_in(text, "title 'start'");
  free(text);
  dls_trajectory_destroy(traj);
}

DLS_TEST(a_column_that_is_not_there_is_named)
{
  dls_error err = {0};
  const char *const of[] = {"v0"};
  dls_trajectory *traj = stick_and_slip();
  const dls_trajectory *run = traj;
  const dls_comparison plot = {.title = "toy",
                               .count = 1,
                               .runs = &run,
                               .labels = label,
                               .column_count = 1,
                               .columns = of,
                               .over = "q3"};
  char path[DLS_TEST_PATH];
  dls_test_file(dls_test_folder(NULL), "none.svg", path);
  assert_int_equal(dls_plot_comparison(&plot, path, &err), DLS_ERR_ARG);
  assert_string_equal(err.text, "plot: the runs have no column 'q3'");
  assert_int_not_equal(access(path, F_OK), 0);
  dls_trajectory_destroy(traj);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jumps_stand_apart_and_axes_have_units),
      cmocka_unit_test(cubic_pieces_are_curves),
      cmocka_unit_test(phases_of_stick_are_underlaid_but_not_of_runs_by_steps),
      cmocka_unit_test(a_path_has_equal_scales_unless_its_units_differ),
      cmocka_unit_test(impulses_are_dots),
      cmocka_unit_test(a_column_that_is_not_there_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
