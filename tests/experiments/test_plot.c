/* tests/experiments/test_plot.c -- scripts that stand alone, pictures that are whole or not there.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/base/text.h"
#include "experiments/show/figure.h"
#include "scratch.h"
#include "toy_study.h"
#include <delassus/plot.h>
#include <delassus/work.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder of its own for every test. */
typedef struct fixture {
  const char *folder;
  char *path_variable;
  dls_order_study *study;
  dls_trajectory *traj;
} fixture;

static void make_study(fixture *f)
{
  dls_error err = {0};
  const dls_scheme_choice schemes[] = {{&toy, ""}, {&toy, "order=2"}, {&toy_event, ""}};
  const dls_order_spec spec = toy_spec(3, schemes);
  assert_ok(dls_order_run(&spec, &f->study, &err), err);
}

/* A ball that bounces once, with the impact as a pair of nodes. */
static void make_trajectory(fixture *f)
{
  dls_error err = {0};
  const double rows[][8] = {{0, 1, -2, 1, -2, 0, 0, 0},
                            {0.5, 0, -2, 0, -2, 0, 0, 0},
                            {0.5, 0, 1, 0, 1, 3, 0, 1},
                            {1, 0.5, 1, 0.5, 1, 0, 0, 0}};
  f->traj = dls_trajectory_create(1, 1, false);
  assert_non_null(f->traj);
  assert_int_equal(f->traj->columns, 8);
  for (size_t i = 0; i < 4; i++) {
    memcpy(dls_trajectory_append(f->traj), rows[i], sizeof rows[i]);
  }
  assert_ok(dls_trajectory_note(f->traj, &err, "model", "bouncing-ball"), err);
  assert_ok(dls_trajectory_note(f->traj, &err, "scheme", "toy"), err);
  assert_ok(dls_trajectory_note(f->traj, &err, "step", "0.5"), err);
}

static int setup(void **state)
{
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  f->folder = dls_test_folder(NULL);
  f->path_variable = strdup(getenv("PATH"));
  make_study(f);
  make_trajectory(f);
  *state = f;
  return 0;
}

static size_t entries(const char *folder)
{
  size_t count = 0;
  DIR *dir = opendir(folder);
  assert_non_null(dir);
  for (const struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
    count += entry->d_name[0] != '.';
  }
  closedir(dir);
  return count;
}

static int teardown(void **state)
{
  fixture *f = *state;
  setenv("PATH", f->path_variable, 1);
  dls_order_destroy(f->study);
  dls_trajectory_destroy(f->traj);
  free(f->path_variable);
  free(f);
  return 0;
}

static const char *in_folder(const fixture *f, const char *name)
{
  static char path[2][DLS_TEST_PATH];
  static int turn;
  turn = 1 - turn;
  return dls_test_file(f->folder, name, path[turn]);
}

static char *contents(const char *path, size_t *size)
{
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  char *text = calloc(1, 4000000);
  assert_non_null(text);
  *size = fread(text, 1, 3999999, file);
  fclose(file);
  return text;
}

static void assert_begins(const char *path, const char *magic)
{
  size_t size = 0;
  char *text = contents(path, &size);
  assert_between((double)size, 1000, 3999998);
  assert_memory_equal(text, magic, strlen(magic));
  free(text);
}

static void assert_has(const char *path, const char *const *texts, size_t count)
{
  size_t size = 0;
  char *text = contents(path, &size);
  for (size_t i = 0; i < count; i++) {
    if (strstr(text, texts[i]) == NULL) {
      fail_msg("%s lacks \"%s\"", path, texts[i]);
    }
  }
  free(text);
}

static void each_ending_gives_its_format_and_a_script(void **state)
{
  const fixture *f = *state;
  dls_error err = {0};
  assert_ok(dls_plot_order(f->study, 0, 0, in_folder(f, "a.png"), &err), err);
  assert_ok(dls_plot_order(f->study, 0, 0, in_folder(f, "b.svg"), &err), err);
  assert_ok(dls_plot_order(f->study, 0, 0, in_folder(f, "c.pdf"), &err), err);
  assert_begins(in_folder(f, "a.png"), "\x89PNG\r\n");
  assert_begins(in_folder(f, "b.svg"), "<?xml");
  assert_begins(in_folder(f, "c.pdf"), "%PDF");
  assert_int_equal(entries(f->folder), 6); /* three pictures, three scripts, nothing else */
}

static void the_order_script_says_what_is_drawn(void **state)
{
  const fixture *f = *state;
  dls_error err = {0};
  const char *const texts[] = {"set xlabel 'step h [s]'",
                               "set ylabel 'error of v in the maximum norm [m/s]'",
                               "toy: 1.00 [1.00, 1.00]",
                               "toy:order=2: 2.00 [2.00, 2.00]",
                               "toy-event: error 3e-06",
                               "set label '1' at",
                               "set label '2' at",
                               "$medians_0 << EOD",
                               "$runs_1 << EOD",
                               "font 'DejaVu Sans",
                               "set encoding utf8",
                               "set logscale x\nset xtics ('",
                               "set logscale y\nset ytics ('10^{-"};
  assert_ok(dls_plot_order(f->study, 0, 0, in_folder(f, "a.png"), &err), err);
  assert_has(in_folder(f, "a.gp"), texts, sizeof texts / sizeof texts[0]);
}

/* "LABEL AT, ..."; small ticks have no label. */
static void assert_ticks(const dls_axis *axis, double most, bool text, const char *expected)
{
  static dls_tick ticks[DLS_MOST_TICKS];
  char written[1000] = "";
  const size_t count = dls_axis_ticks(axis, most, text, ticks);
  for (size_t i = 0; i < count; i++) {
    dls_text_append(written, sizeof written, "%s'%s' %s", i > 0 ? ", " : "", ticks[i].label, ticks[i].at_text);
  }
  assert_string_equal(written, expected);
}

static void assert_log_ticks(double low, double high, bool text, const char *expected)
{
  assert_ticks(&(dls_axis){.log = true, .low = low, .high = high}, 5, text, expected);
}

/* gnuplot 6 labels an axis of its own shorter than three decades otherwise than 5 does, and wrongly. */
DLS_TEST(every_tick_of_a_logarithmic_axis_is_written_out)
{
  assert_log_ticks(2e-3, 3e-2, false,
                   "'0.002' 2e-3, '' 3e-3, '' 4e-3, '0.005' 5e-3, '' 6e-3, '' 7e-3, '' 8e-3, '' 9e-3, "
                   "'0.01' 1e-2, '0.02' 2e-2, '' 3e-2");
  assert_log_ticks(6e-9, 8.5e-9, false, "'6·10^{-9}' 6e-9, '7·10^{-9}' 7e-9, '8·10^{-9}' 8e-9");
  /* so short that a multiple of a power of ten is not inside, or only one */
  assert_log_ticks(1.1e-3, 1.9e-3, false, "'0.0012' 0.0012, '0.0014' 0.0014, '0.0016' 0.0016, '0.0018' 0.0018");
  assert_log_ticks(0.1, 0.13, false, "'0.10' 0.1, '0.11' 0.11, '0.12' 0.12, '0.13' 0.13");
  assert_log_ticks(0.9, 12, false,
                   "'10^{0}' 1e0, '10^{1}' 1e1, '' 9e-1, '' 2e0, '' 3e0, '' 4e0, '' 5e0, '' 6e0, '' 7e0, "
                   "'' 8e0, '' 9e0");
  assert_log_ticks(1e-15, 1, true,
                   "'' 1e-15, '1e-14' 1e-14, '' 1e-13, '1e-12' 1e-12, '' 1e-11, '1e-10' 1e-10, '' 1e-9, "
                   "'1e-8' 1e-8, '' 1e-7, '1e-6' 1e-6, '' 1e-5, '1e-4' 1e-4, '' 1e-3, '1e-2' 1e-2, '' 1e-1, "
                   "'1e0' 1e0");
}

DLS_TEST(ticks_of_a_linear_axis_are_round)
{
  assert_ticks(&(dls_axis){.low = -0.7, .high = 1.3}, 5, false, "'-0.5' -0.5, '0.0' 0, '0.5' 0.5, '1.0' 1");
  assert_ticks(&(dls_axis){.low = 0, .high = 40000}, 4, false,
               "'0' 0, '10000' 10000, '20000' 20000, '30000' 30000, '40000' 40000");
  assert_ticks(&(dls_axis){.low = 0, .high = 3e-7}, 3, false,
               "'0' 0, '10^{-7}' 1e-07, '2·10^{-7}' 2e-07, '3·10^{-7}' 3e-07");
}

static void the_work_script_draws_slopes_and_says_on_what_machine(void **state)
{
  const fixture *f = *state;
  dls_error err = {0};
  dls_work_study *work = NULL;
  const char *const texts[] = {"set xlabel 'force evaluations + LCP solves + factorizations'",
                               "set ylabel 'error of v in the maximum norm [m/s]'",
                               "slope of the error over the work",
                               "toy: -0.98 [",
                               "toy:order=2: -1.97 [",
                               "toy-event: no slope, fewer than 3 errors above the floor",
                               "set label '-0.98' at ",
                               "set label '-1.97' at ",
                               "set label 'delassus ",
                               "seed 42, one run at a time",
                               "set key at screen",
                               "with linespoints"};
  assert_ok(dls_work_fit(f->study, DLS_AGAINST_EVALS, &work, &err), err);
  assert_ok(dls_plot_work(work, 0, 0, in_folder(f, "a.png"), &err), err);
  assert_has(in_folder(f, "a.gp"), texts, sizeof texts / sizeof texts[0]);
  dls_work_destroy(work);
}

/* A person edits the script and calls gnuplot from anywhere: the picture goes beside the script. */
static void a_script_runs_again_by_hand_and_repeats_the_picture(void **state)
{
  const fixture *f = *state;
  dls_error err = {0};
  size_t size[2];
  char command[300];
  assert_ok(dls_plot_order(f->study, 0, 0, in_folder(f, "a.png"), &err), err);
  char *first = contents(in_folder(f, "a.png"), &size[0]);
  assert_int_equal(remove(in_folder(f, "a.png")), 0);
  snprintf(command, sizeof command, "cd / && gnuplot %s", in_folder(f, "a.gp"));
  assert_int_equal(system(command), 0);
  char *second = contents(in_folder(f, "a.png"), &size[1]);
  assert_int_equal(size[0], size[1]);
  assert_memory_equal(first, second, size[0]);
  free(first);
  free(second);
}

/* Many schemes with long names: gnuplot would leave out the entries for which the frame is too low, and cut long lines at the edge. */
static void a_key_higher_than_its_frame_is_complete(void **state)
{
  enum { SCHEMES = 36, LETTERS_MOST = 88 };
  const fixture *f = *state;
  dls_error err = {0};
  size_t size, titles = 0;
  dls_scheme_choice schemes[SCHEMES];
  for (size_t i = 0; i < SCHEMES; i++) {
    schemes[i] = (dls_scheme_choice){&toy, ""};
    snprintf(schemes[i].options, sizeof schemes[i].options,
             "constant=%zu.000000000000000000000000000001,order=1.000000000000000000000000000000000", i + 1);
  }
  const dls_order_spec spec = toy_spec(SCHEMES, schemes);
  dls_order_study *study = NULL;
  const char *const texts[] = {"unset key\n", "set tmargin at screen 1\n",
                               "plot NaN notitle, \\\n  keyentry with points"};
  assert_ok(dls_order_run(&spec, &study, &err), err);
  assert_ok(dls_plot_order(study, 0, 0, in_folder(f, "a.png"), &err), err);
  assert_has(in_folder(f, "a.gp"), texts, sizeof texts / sizeof texts[0]);
  char *script = contents(in_folder(f, "a.gp"), &size);
  for (const char *at = strstr(script, "plot NaN notitle");
       at != NULL && (at = strstr(at, " title '")) != NULL;) {
    at += strlen(" title '");
    assert_true(strcspn(at, "'") <= LETTERS_MOST && at[0] != ' ');
    titles++;
  }
  assert_int_equal(titles, 3 * SCHEMES);
  free(script);
  dls_order_destroy(study);
}

static void errors_that_are_zero_or_failed_are_marked(void **state)
{
  const fixture *f = *state;
  dls_error err = {0};
  const dls_scheme_choice schemes[] = {{&toy, "constant=0"}, {&toy, "fail-below=0.01"}, {&toy, "fail-below=1"}};
  const dls_order_spec spec = toy_spec(3, schemes);
  dls_order_study *study = NULL;
  assert_ok(dls_order_run(&spec, &study, &err), err);
  for (size_t i = 0; i < 24; i++) {
    study->points[i].error.value = 0; /* as good as an error can be */
  }
  const char *const texts[] = {"toy:constant=0: no order, ", "toy:constant=0: error 0, drawn at", "(24 runs)",
                               "toy:fail-below=0.01: failed (8 runs)", "toy:fail-below=1: failed (24 runs)"};
  assert_ok(dls_plot_order(study, 0, 0, in_folder(f, "a.png"), &err), err);
  assert_has(in_folder(f, "a.gp"), texts, sizeof texts / sizeof texts[0]);
  for (size_t i = 0; i < study->point_count; i++) {
    study->points[i].error.value = 0; /* nothing left for a logarithmic axis */
  }
  for (size_t i = 0; i < study->line_count; i++) {
    study->lines[i].fitted = false;
  }
  assert_ok(dls_plot_order(study, 0, 0, in_folder(f, "b.png"), &err), err);
  assert_begins(in_folder(f, "b.png"), "\x89PNG\r\n");
  dls_order_destroy(study);
}

static void the_trajectory_script_has_panels_and_the_jump(void **state)
{
  const fixture *f = *state;
  dls_error err = {0};
  const char *const texts[] = {
      "gap g [m]",     "velocity v [m/s]",  "impulse p [N s]",           "'bouncing-ball, toy, h = 0.5 s'",
      "$reference_v0", "\n0.5 -2\n0.5 1\n", "$run_p0 << EOD\n0.5 3\nEOD"};
  assert_ok(dls_plot_trajectory(f->traj, f->traj, in_folder(f, "a.svg"), &err), err);
  assert_has(in_folder(f, "a.gp"), texts, sizeof texts / sizeof texts[0]);
  assert_begins(in_folder(f, "a.svg"), "<?xml");
}

/* Three nodes at t = 0, 1, 2 s at which every column is t. */
static dls_trajectory *rising(size_t n, size_t m)
{
  dls_trajectory *traj = dls_trajectory_create(n, m, false);
  assert_non_null(traj);
  for (size_t i = 0; i < 3; i++) {
    double *row = dls_trajectory_append(traj);
    assert_non_null(row);
    for (size_t j = 0; j < traj->columns; j++) {
      row[j] = (double)i;
    }
  }
  return traj;
}

static void a_large_system_is_drawn_in_part_and_says_so(void **state)
{
  const fixture *f = *state;
  dls_error err = {0};
  dls_trajectory *traj = rising(6, 5);
  const char *const texts[] = {"drawn: 3 of 5 g, 4 of 6 v", "contact force λ [N]"};
  assert_ok(dls_plot_trajectory(traj, NULL, in_folder(f, "a.png"), &err), err);
  assert_has(in_folder(f, "a.gp"), texts, sizeof texts / sizeof texts[0]);
  dls_trajectory_destroy(traj);
}

/* Velocities in a panel of m/s and in one of rad/s are all drawn: the title does not say that some are left out. */
static void columns_in_panels_of_two_units_are_counted_together(void **state)
{
  const fixture *f = *state;
  dls_error err = {0};
  const char *const all[] = {"velocity of angle v [rad/s]", "'test-model'"}, *const part[] = {
                                                                                 "(drawn: 5 of 6 v)"};
  for (size_t n = 4; n <= 6; n += 2) { /* one of m/s, others of rad/s */
    dls_trajectory *traj = rising(n, 1);
    assert_ok(dls_trajectory_note(traj, &err, "model", "test-model"), err);
    assert_ok(dls_trajectory_note(traj, &err, "coordinates", "q0: position [m]"), err);
    assert_ok(dls_trajectory_note(traj, &err, "coordinates", "q1..q%zu: angle [rad]", n - 1), err);
    assert_ok(dls_plot_trajectory(traj, NULL, in_folder(f, "a.png"), &err), err);
    assert_has(in_folder(f, "a.gp"), n == 4 ? all : part, n == 4 ? 2 : 1);
    dls_trajectory_destroy(traj);
  }
}

static void a_long_run_gives_a_short_script(void **state)
{
  const fixture *f = *state;
  dls_error err = {0};
  struct stat info;
  dls_trajectory *traj = dls_trajectory_create(1, 0, false);
  assert_non_null(traj);
  for (size_t i = 0; i < 300000; i++) {
    double *row = dls_trajectory_append(traj);
    row[0] = (double)i;
    row[1] = sin((double)i);
    row[2] = i == 123456 ? 5 : cos((double)i);
  }
  const char *const texts[] = {"\n123456 5\n"}; /* thinning keeps the largest value */
  assert_ok(dls_plot_trajectory(traj, NULL, in_folder(f, "a.png"), &err), err);
  assert_int_equal(stat(in_folder(f, "a.gp"), &info), 0);
  assert_between((double)info.st_size, 1e4, 1e6);
  assert_has(in_folder(f, "a.gp"), texts, 1);
  dls_trajectory_destroy(traj);
}

static void without_gnuplot_there_is_a_message_and_no_file(void **state)
{
  const fixture *f = *state;
  dls_error err = {0};
  setenv("PATH", f->folder, 1);
  assert_int_equal(dls_plot_check("a.png", &err), DLS_ERR_IO);
  assert_non_null(strstr(err.text, "gnuplot not found: install the package gnuplot-nox"));
  assert_int_equal(dls_plot_order(f->study, 0, 0, in_folder(f, "a.png"), &err), DLS_ERR_IO);
  assert_int_equal(dls_plot_trajectory(f->traj, NULL, "-", &err), DLS_OK); /* the terminal needs none */
  assert_int_equal(entries(f->folder), 0);
}

/* A gnuplot that fails: its complaint is in the message, what stood there before stays, nothing new appears. */
static void what_gnuplot_says_is_told_and_nothing_is_left(void **state)
{
  const fixture *f = *state;
  dls_error err = {0};
  size_t size = 0;
  FILE *file = fopen(in_folder(f, "a.png"), "w");
  assert_non_null(file);
  fputs("before", file);
  fclose(file);
  file = fopen(in_folder(f, "gnuplot"), "w");
  assert_non_null(file);
  fputs("#!/bin/sh\necho 'line 7: no such terminal' >&2\nexit 1\n", file);
  fclose(file);
  assert_int_equal(chmod(in_folder(f, "gnuplot"), 0755), 0);
  setenv("PATH", f->folder, 1);
  assert_int_equal(dls_plot_order(f->study, 0, 0, in_folder(f, "a.png"), &err), DLS_ERR_IO);
  assert_non_null(strstr(err.text, "line 7: no such terminal"));
  assert_int_equal(entries(f->folder), 2);
  char *text = contents(in_folder(f, "a.png"), &size);
  assert_string_equal(text, "before");
  free(text);
}

static void a_bad_ending_is_refused(void **state)
{
  const fixture *f = *state;
  const char *const names[] = {"a.jpg", "a", "png", ".png", "a.PNG", "a.png.gz", ""};
  dls_error err = {0};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    assert_int_equal(dls_plot_check(names[i], &err), DLS_ERR_ARG);
    assert_non_null(strstr(err.text, ".png, .svg, .pdf or .tex"));
  }
  assert_int_equal(dls_plot_trajectory(f->traj, NULL, in_folder(f, "a.jpg"), &err), DLS_ERR_ARG);
  assert_int_equal(entries(f->folder), 0);
  assert_ok(dls_plot_check("a.png", &err), err);
  assert_ok(dls_plot_check("-", &err), err);
}

static void a_folder_that_is_not_there_or_a_file_is_an_error(void **state)
{
  const fixture *f = *state;
  dls_error err = {0};
  FILE *file = fopen(in_folder(f, "plain"), "w");
  assert_non_null(file);
  fclose(file);
  assert_int_equal(dls_plot_order(f->study, 0, 0, in_folder(f, "none/a.png"), &err), DLS_ERR_IO);
  assert_non_null(strstr(err.text, "none/a.png"));
  assert_int_equal(dls_plot_order(f->study, 0, 0, in_folder(f, "plain/a.png"), &err), DLS_ERR_IO);
  assert_int_equal(dls_plot_order(f->study, 0, 0, "/proc/a.png", &err),
                   DLS_ERR_IO); /* root may write all but this */
  assert_int_equal(entries(f->folder), 1);
}

static void what_is_not_in_the_study_is_refused(void **state)
{
  const fixture *f = *state;
  dls_error err = {0};
  assert_int_equal(dls_plot_order(f->study, 1, 0, in_folder(f, "a.png"), &err), DLS_ERR_ARG);
  assert_int_equal(dls_plot_order(f->study, 0, 1, in_folder(f, "a.png"), &err), DLS_ERR_ARG);
  assert_int_equal(entries(f->folder), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_tick_of_a_logarithmic_axis_is_written_out),
      cmocka_unit_test(ticks_of_a_linear_axis_are_round),
      cmocka_unit_test_setup_teardown(each_ending_gives_its_format_and_a_script, setup, teardown),
      cmocka_unit_test_setup_teardown(the_order_script_says_what_is_drawn, setup, teardown),
      cmocka_unit_test_setup_teardown(the_work_script_draws_slopes_and_says_on_what_machine, setup, teardown),
      cmocka_unit_test_setup_teardown(a_script_runs_again_by_hand_and_repeats_the_picture, setup, teardown),
      cmocka_unit_test_setup_teardown(a_key_higher_than_its_frame_is_complete, setup, teardown),
      cmocka_unit_test_setup_teardown(errors_that_are_zero_or_failed_are_marked, setup, teardown),
      cmocka_unit_test_setup_teardown(the_trajectory_script_has_panels_and_the_jump, setup, teardown),
      cmocka_unit_test_setup_teardown(a_large_system_is_drawn_in_part_and_says_so, setup, teardown),
      cmocka_unit_test_setup_teardown(columns_in_panels_of_two_units_are_counted_together, setup, teardown),
      cmocka_unit_test_setup_teardown(a_long_run_gives_a_short_script, setup, teardown),
      cmocka_unit_test_setup_teardown(without_gnuplot_there_is_a_message_and_no_file, setup, teardown),
      cmocka_unit_test_setup_teardown(what_gnuplot_says_is_told_and_nothing_is_left, setup, teardown),
      cmocka_unit_test_setup_teardown(a_bad_ending_is_refused, setup, teardown),
      cmocka_unit_test_setup_teardown(a_folder_that_is_not_there_or_a_file_is_an_error, setup, teardown),
      cmocka_unit_test_setup_teardown(what_is_not_in_the_study_is_refused, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
