/* test_sweep.c -- turns of a quantity, runs over a parameter and their picture.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/request/request.h"
#include "experiments/show/pictures.h"
#include "scratch.h"
#include <delassus/catalogue.h>
#include <delassus/study_file.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- turns --- */

/* cos t on [0, end] from nodes one radian apart, cubic between them. */
static dls_graph *cosine(size_t nodes, bool cubic)
{
  dls_graph *graph = dls_graph_create(nodes, 1, cubic);
  assert_non_null(graph);
  for (size_t i = 0; i < nodes; i++) {
    graph->t[i] = (double)i;
    graph->x[i] = cos((double)i);
    if (cubic) {
      graph->slope[i] = -sin((double)i);
    }
  }
  return graph;
}

DLS_TEST(cubic_pieces_turn_between_their_nodes)
{
  dls_error err = {0};
  dls_extrema extrema;
  dls_graph *graph = cosine(11, true);
  assert_ok(dls_extrema_find(graph, 1e-6, &extrema, &err), err);
  assert_int_equal(extrema.count, 3); /* pi, 2 pi, 3 pi */
  for (size_t i = 0; i < 3; i++) {
    assert_close(extrema.x[i], i == 1 ? 1 : -1, 2.7e-3); /* h^4/384; nodes alone miss by up to 0.1 */
  }
  assert_close(extrema.largest, 1, 2e-3);
  assert_close(extrema.least, -1, 2e-3);
  dls_extrema_clear(&extrema);
  dls_graph_destroy(graph);
  graph = cosine(11, false);
  assert_ok(dls_extrema_find(graph, 1e-6, &extrema, &err), err);
  assert_int_equal(extrema.count, 3);
  assert_close(extrema.x[0], cos(3), 1e-15);
  assert_close(extrema.x[1], cos(6), 1e-15);
  dls_extrema_clear(&extrema);
  dls_graph_destroy(graph);
}

DLS_TEST(rounding_makes_no_turns_and_a_rest_is_one_value)
{
  dls_error err = {0};
  dls_extrema extrema;
  const double x[] = {0, 1, 1 + 1e-9, 1 - 1e-9, 1, 1, 0.5, 0.5, 0.7};
  dls_graph *graph = dls_graph_create(9, 1, false);
  assert_non_null(graph);
  for (size_t i = 0; i < 9; i++) {
    graph->t[i] = (double)i;
    graph->x[i] = x[i];
  }
  assert_ok(dls_extrema_find(graph, 1e-6, &extrema, &err), err);
  assert_int_equal(extrema.count, 2);
  assert_close(extrema.x[0], 1 + 1e-9, 1e-15);
  assert_close(extrema.x[1], 0.5, 0);
  dls_extrema_clear(&extrema);
  for (size_t i = 0; i < 9; i++) {
    graph->x[i] = 3;
  }
  assert_ok(dls_extrema_find(graph, 1e-6, &extrema, &err), err);
  assert_int_equal(extrema.count, 0);
  assert_close(extrema.least, 3, 0);
  assert_close(extrema.largest, 3, 0);
  dls_extrema_clear(&extrema);
  dls_graph_destroy(graph);
}

/* --- sweeps --- */

static dls_study_file *read_file(const char *text)
{
  dls_error err = {0};
  dls_study_file *file = NULL;
  assert_ok(dls_study_read(text, strlen(text), &file, &err), err);
  return file;
}

static const char belt[] =
    "kind: compare\ntitle: T\nmodel: belt\nschemes: event-driven\n"
    "parameters: {Fs: 1.5}\nend: 30\nof: [q0]\nsweep: vb=0.25:1.5:3\ncurves: v0=0,4\nfrom: 20\n"
    "expect:\n  - {quantity: difference, of: q0, below: 1e-9}\n"
    "  - {quantity: largest, of: q0, at: 1.5, curve: 4, above: 0}\n"
    "  - {quantity: largest, of: q0, at: 1.5, curve: 0, above: 0}\n"
    "  - {quantity: sticks, at: 1.5, curve: 0, below: 0}\n"
    "  - {quantity: sticks, at: 1.5, curve: 4, below: 1}\n"
    "  - {quantity: sticks, at: 1.5, below: 1}\n"
    "  - {quantity: least, of: q0, below: 1}\n";

/* F/k +- sqrt(D^2 + vb^2) on the cycle, D = (Fs - F)/k = 1/2; from rest 0 and 2 F/k where the belt is faster than F/k omega = 1. (At
 * vb = 1 the block reaches the speed of the belt for an instant: errors decide whether it sticks.) */
DLS_TEST(the_belt_has_a_cycle_and_beyond_its_limit_no_stick)
{
  dls_error err = {0};
  dls_study_file *file = read_file(belt);
  const dls_study *study = &file->studies[0];
  const dls_sweep_spec spec = dls_request_sweep_spec(study->request);
  dls_study_results results = {0};
  assert_ok(dls_sweep_run(&spec, NULL, NULL, &results.sweep, &err), err);
  const dls_sweep *sweep = results.sweep;
  assert_int_equal(sweep->point_count, 12);
  for (size_t k = 0; k < 3; k++) {
    for (size_t curve = 0; curve < 2; curve++) {
      const double vb = 0.25 + 0.625 * (double)k;
      const dls_sweep_point *point = dls_sweep_find(sweep, 0, curve, 0, vb);
      const bool caught = curve == 1 || vb < 1;
      const double amplitude = caught ? sqrt(0.25 + vb * vb) : 1;
      assert_non_null(point);
      assert_string_equal(point->failure, "");
      assert_close(point->extrema.largest, 1 + amplitude, 1e-9);
      assert_close(point->extrema.least, 1 - amplitude, 1e-9);
      assert_int_equal(point->sticks, caught);
    }
  }
  const double expected[] = {dls_sweep_difference(sweep, 0, 0), 1 + sqrt(2.5), 2, 0, 1, 1, 1 - sqrt(2.5)};
  assert_between(expected[0], 1e-15, 1e-9);
  for (size_t i = 0; i < 7; i++) {
    const dls_study_verdict verdict = dls_study_judge(study, &study->expectations[i], &results, "folder");
    assert_string_equal(verdict.why, "");
    assert_close(verdict.value, expected[i], 1e-9);
  }
  char text[200];
  dls_study_describe(study, &study->expectations[1], text, sizeof text);
  assert_string_equal(text, "largest of q0 at vb = 1.5, v0 = 4");
  dls_study_results_release(&results);
  dls_study_destroy(file);
}

/* Columns that a run does not have: the energy that is left behind an impact, e^2/2, and the force of the scheme's steps. */
DLS_TEST(energies_and_forces_over_a_parameter)
{
  dls_error err = {0};
  dls_study_file *file = read_file("kind: compare\ntitle: T\nmodel: bouncing-ball\nschemes: moreau-jean\n"
                                   "parameters: {f: 0, v0: -1}\nstep: 0.125\nend: 2\nof: [energy, force0]\n"
                                   "sweep: e=0.5:1:3\nfrom: 1.5\n"
                                   "expect:\n  - {quantity: largest, of: energy, at: 0.75, below: 1}\n");
  const dls_study *study = &file->studies[0];
  const dls_sweep_spec spec = dls_request_sweep_spec(study->request);
  dls_study_results results = {0};
  assert_ok(dls_sweep_run(&spec, NULL, NULL, &results.sweep, &err), err);
  for (size_t scheme = 0; scheme < 2; scheme++) {
    for (double e = 0.5; e <= 1; e += 0.25) {
      const dls_sweep_point *energy = dls_sweep_find(results.sweep, scheme, 0, 0, e);
      const dls_sweep_point *force = dls_sweep_find(results.sweep, scheme, 0, 1, e);
      assert_string_equal(energy->failure, "");
      assert_close(energy->extrema.largest, 0.5 * e * e, 1e-14);
      assert_close(energy->extrema.least, 0.5 * e * e, 1e-14);
      assert_close(force->extrema.largest, 0, 0);
    }
  }
  assert_close(dls_study_judge(study, &study->expectations[0], &results, "folder").value, 0.5 * 0.5625, 1e-14);
  dls_study_results_release(&results);
  dls_study_destroy(file);
}

DLS_TEST(a_table_has_a_row_for_each_run_and_the_picture_draws_them)
{
  dls_error err = {0};
  char path[DLS_TEST_PATH], script[DLS_TEST_PATH];
  dls_study_file *file = read_file(belt);
  const dls_sweep_spec spec = dls_request_sweep_spec(file->studies[0].request);
  dls_sweep *sweep = NULL;
  char *text = NULL;
  size_t size = 0, lines = 0;
  assert_ok(dls_sweep_run(&spec, NULL, NULL, &sweep, &err), err);
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  assert_int_equal(dls_sweep_table(sweep, NULL, out), DLS_OK);
  fclose(out);
  assert_non_null(strstr(text, "\n# complete: yes\n"));
  assert_non_null(
      strstr(text, "scheme,curve,value,of,least,largest,turns,sticks,failure\nevent-driven,0,0.25,q0,"));
  assert_non_null(strstr(text, "\nexact,4,1.5,q0,"));
  for (const char *at = text; (at = strstr(at, ",q0,")) != NULL; at++) {
    lines++;
  }
  assert_int_equal(lines, 12);
  free(text);
  const char *const folder = dls_test_folder(NULL);
  const dls_canvas canvas = {.path = dls_test_file(folder, "a.svg", path)};
  assert_ok(dls_draw_sweep(sweep, &canvas, &err), err);
  text = calloc(1, 100000);
  out = fopen(dls_test_file(folder, "a.gp", script), "rb");
  assert_true(text != NULL && out != NULL && fread(text, 1, 99999, out) > 0);
  fclose(out);
  const char *const parts[] = {
      "'velocity of the belt vb [m/s]'", "'position q_{0} [m]'",     "title 'exact'",
      "'event-driven, v0 = 0 m/s'",      "hollow: a contact sticks", "$slips_0_0_0 << EOD\n1.5 ",
      "$sticks_0_1_0 << EOD\n0.25 "};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    if (strstr(text, parts[i]) == NULL) {
      fail_msg("the script lacks \"%s\"", parts[i]);
    }
  }
  free(text);
  dls_sweep_destroy(sweep);
  dls_study_destroy(file);
}

/* The axis of a sweep of the ball over e. */
static dls_sweep_axis read_axis(const char *text)
{
  char file[300];
  snprintf(file, sizeof file,
           "kind: compare\ntitle: T\nmodel: bouncing-ball\nschemes: event-driven\nsweep: '%s'\n", text);
  dls_study_file *study = read_file(file);
  dls_sweep_axis axis = study->studies[0].request->sweep.axis;
  static double values[3];
  if (axis.values != NULL) {
    assert_true(axis.count <= 3);
    memcpy(values, axis.values, axis.count * sizeof *values);
    axis.values = values;
  }
  dls_study_destroy(study);
  return axis;
}

DLS_TEST(an_axis_is_equally_spaced_or_geometric_or_a_list)
{
  dls_sweep_axis axis = read_axis("e=0.1:0.9:5");
  assert_int_equal(axis.count, 5);
  assert_close(dls_sweep_axis_value(&axis, 1), 0.3, 1e-15);
  assert_true(dls_sweep_axis_value(&axis, 4) == 0.9);
  axis = read_axis("e=1e-3:1:4:log");
  assert_close(dls_sweep_axis_value(&axis, 1), 1e-2, 1e-16);
  assert_close(dls_sweep_axis_value(&axis, 2), 1e-1, 1e-15);
  assert_true(dls_sweep_axis_value(&axis, 0) == 1e-3 && dls_sweep_axis_value(&axis, 3) == 1);
  axis = read_axis("e=0.7,0.5,0.1");
  assert_int_equal(axis.count, 3);
  assert_true(dls_sweep_axis_value(&axis, 0) == 0.7 && dls_sweep_axis_value(&axis, 2) == 0.1);
  assert_true(axis.first == 0.7 && axis.last == 0.1);
}

/* They are -2 e^k m/s of the ball that falls from 1 m at 2 m/s^2, those behind `from` only. */
DLS_TEST(impact_velocities_of_the_ball_are_a_geometric_sequence)
{
  dls_error err = {0};
  dls_study_file *file =
      read_file("kind: compare\ntitle: T\nmodel: bouncing-ball\nend: 2.4\nschemes: event-driven\n"
                "sweep: e=0.3,0.6\nof: q0\n");
  static const char *const of[] = {"impact0"};
  dls_sweep_spec spec = dls_request_sweep_spec(file->studies[0].request);
  spec.of = of;
  for (int late = 0; late < 2; late++) {
    dls_sweep *sweep = NULL;
    spec.range.from = late ? 1.5 : 0;
    assert_ok(dls_sweep_run(&spec, NULL, NULL, &sweep, &err), err);
    assert_int_equal(sweep->point_count, 4); /* those of the exact solution, too */
    for (size_t i = 0; i < 4; i++) {
      const dls_extrema *extrema = &sweep->points[i].extrema;
      const double e = sweep->points[i].value;
      assert_true(extrema->count >= 1);
      for (size_t k = 0; k < extrema->count && k < 2; k++) {
        assert_close(extrema->x[k], -2 * pow(e, (double)(k + (late ? 1 : 0))), 1e-9);
      }
      assert_close(extrema->least, late ? -2 * e : -2, 1e-9);
      assert_between(extrema->largest, -2 * e - 1e-9, 0);
    }
    dls_sweep_destroy(sweep);
  }
  dls_study_destroy(file);
}

/* Beyond the tolerance of the friction solver, or interrupted: a reason in the place of a value. */
DLS_TEST(runs_that_fail_say_why)
{
  dls_error err = {0};
  dls_study_file *file = read_file("kind: compare\ntitle: T\nmodel: bouncing-ball\nend: 8\nof: q0\n"
                                   "schemes: \"event-driven:max_events=2\"\nsweep: e=0.2:0.8:2\n");
  dls_sweep_spec spec = dls_request_sweep_spec(file->studies[0].request);
  spec.exact = NULL;
  dls_sweep *sweep = NULL;
  assert_ok(dls_sweep_run(&spec, NULL, NULL, &sweep, &err), err);
  assert_int_equal(sweep->point_count, 2);
  assert_non_null(strstr(sweep->points[1].failure, "max_events"));
  assert_true(isnan(dls_sweep_difference(sweep, 0, 0)));
  dls_sweep_destroy(sweep);
  dls_study_destroy(file);
}

static bool refuse(void *data, double part)
{
  (void)data;
  return part < 0.5;
}

DLS_TEST(a_sweep_can_be_ended)
{
  dls_error err = {0};
  dls_study_file *file = read_file(belt);
  const dls_sweep_spec spec = dls_request_sweep_spec(file->studies[0].request);
  dls_sweep *sweep = NULL;
  assert_int_equal(dls_sweep_run(&spec, refuse, NULL, &sweep, &err), DLS_ERR_INTERRUPTED);
  assert_between((double)sweep->point_count, 5, 7); /* what was made is kept */
  assert_false(sweep->complete);
  assert_non_null(strstr(err.text, "sweep, run 7 of 12: "));
  dls_sweep_destroy(sweep);
  dls_study_destroy(file);
}

static void assert_problem(const char *more, const char *expected)
{
  char text[600];
  dls_error err = {0};
  dls_study_file *file = NULL;
  snprintf(text, sizeof text, "kind: compare\ntitle: T\nmodel: belt\nschemes: event-driven\nof: [q0]\n%s",
           more);
  assert_int_equal(dls_study_read(text, strlen(text), &file, &err), DLS_ERR_PARSE);
  if (strstr(err.text, expected) == NULL) {
    fail_msg("expected '%s'\n     found '%s'", expected, err.text);
  }
  dls_study_destroy(file);
}

DLS_TEST(sweeps_that_make_no_sense_are_refused)
{
  assert_problem("sweep: vb\n", "line 6, column 8: sweep = 'vb': it begins with P=, a parameter of model belt");
  assert_problem("sweep: vbelt=1:2:3\n", "model belt has no real parameter 'vbelt'");
  assert_problem("sweep: vb=1:2\n", "P=A:B:N has two different values A and B");
  assert_problem("sweep: vb=1:1:3\n", "P=A:B:N has two different values A and B");
  assert_problem("sweep: vb=1:2:1\n", "a number N of them from 2 to 1000");
  assert_problem("sweep: vb=1:2:2.5\n", "a number N of them from 2 to 1000");
  assert_problem("sweep: vb=1:two:3\n", "two");
  assert_problem("sweep: vb=0:2:3:log\n", "P=A:B:N:log has A and B > 0");
  assert_problem("sweep: vb=1,2,1.5\n", "P=X,Y,... lists different values in order");
  assert_problem("sweep: vb=1,2,2\n", "P=X,Y,... lists different values in order");
  assert_problem("sweep: F=1,-2\n", "F = -2");
  assert_problem("sweep: F=-1:2:3\n", "F = -1");
  assert_problem("sweep: vb=1:2:3\ncurves: vb=1,2\n", "vb is the parameter of the sweep");
  assert_problem("sweep: vb=1:2:3\ncurves: F=1,-2\n", "F = -2");
  assert_problem("curves: F=1,2\n", "curves goes with sweep");
  assert_problem("from: 2\n", "from goes with sweep");
  assert_problem("sweep: vb=1:2:3\nfrom: 10\n", "from = 10 s is outside [0, end = 10 s)");
  assert_problem("sweep: vb=1:2:3\nover: q0\n", "over = q0 does not go with sweep");
  assert_problem("sweep: vb=1:2:3\nexpect: [{quantity: least, of: q0, at: 1.2, below: 1}]\n",
                 "at = 1.2: it is no value of the sweep");
  assert_problem("sweep: vb=1:2:3\nexpect: [{quantity: least, of: q0, curve: 1, below: 1}]\n",
                 "curve = 1: the study has no curves");
  assert_problem("expect: [{quantity: least, of: q0, at: 1, below: 1}]\n", "at = 1: the study has no sweep");
  /* what is looked up in a sweep or curves that are wrong is not wrong too */
  assert_problem("sweep: vb=1:2:3\ncurves: vb=1,2\nexpect: [{quantity: sticks, curve: 2, below: 1}]\n",
                 "line 7, column 9: curves: vb is the parameter of the sweep");
  assert_problem("expect: [{quantity: sticks, at: 1, below: 1}]\nsweep: vb=2:2:3\nfrom: 1\n",
                 "line 7, column 8: sweep = 'vb=2:2:3'");
  assert_problem("expect: [{quantity: difference, of: q0, below: 1}]\n", "this quantity is one of a sweep");
  assert_problem("sweep: vb=1:2:3\nexpect: [{quantity: last, of: q0, below: 1}]\n",
                 "a sweep has no 'last': of its runs there are largest and least");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cubic_pieces_turn_between_their_nodes),
      cmocka_unit_test(rounding_makes_no_turns_and_a_rest_is_one_value),
      cmocka_unit_test(the_belt_has_a_cycle_and_beyond_its_limit_no_stick),
      cmocka_unit_test(energies_and_forces_over_a_parameter),
      cmocka_unit_test(a_table_has_a_row_for_each_run_and_the_picture_draws_them),
      cmocka_unit_test(an_axis_is_equally_spaced_or_geometric_or_a_list),
      cmocka_unit_test(impact_velocities_of_the_ball_are_a_geometric_sequence),
      cmocka_unit_test(runs_that_fail_say_why),
      cmocka_unit_test(a_sweep_can_be_ended),
      cmocka_unit_test(sweeps_that_make_no_sense_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
