/* test_study_judge.c -- what came out of a study, against what was expected.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/request/request.h"
#include "study_text.h"
#include <delassus/study_file.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dls_study_verdict judge(const dls_study_file *file, size_t i, const dls_study_results *results)
{
  return dls_study_judge(&file->studies[0], &file->studies[0].expectations[i], results, "results");
}

/* An error of a scheme, measured in a norm of the study. */
static dls_order_point point(size_t scheme, size_t norm, double error)
{
  return (dls_order_point){.scheme = scheme, .norm = norm, .error = {.value = error}};
}

DLS_TEST(orders_and_errors_are_looked_up)
{
  dls_study_file *file = read_good(
      "kind: order\ntitle: T\nmodel: bouncing-ball\nnorms: [l1, max]\nof: q\n"
      "schemes: [moreau-jean, \"moreau-jean:theta=1,gamma=0.5\", schatzman-paoli:theta=1]\n"
      "steps: {first: 0.1, last: 0.01, levels: 3}\n"
      "expect:\n"
      "  - {quantity: order, norm: l1, scheme: \"moreau-jean:theta=1,gamma=0.5\", between: [1.25, 1.25]}\n"
      "  - {quantity: order, norm: l1, scheme: moreau-jean, above: 1}\n"
      "  - {quantity: order, norm: l1, scheme: schatzman-paoli, below: 1}\n"
      "  - {quantity: largest-error, norm: l1, scheme: \"moreau-jean:theta=1,gamma=0.5\", below: 1}\n"
      "  - {quantity: least-error, norm: l1, scheme: moreau-jean, below: 1}\n"
      "  - {quantity: failed-runs, norm: l1, scheme: moreau-jean, below: 0}\n"
      "  - {quantity: penetration, scheme: moreau-jean, below: 1}\n"
      "  - {quantity: order, norm: max, scheme: schatzman-paoli, below: 1}\n");
  dls_order_point points[] = {point(0, 0, 0.25), point(0, 0, NAN),  point(0, 0, 0.5),
                              point(1, 0, 2),    point(0, 1, 0.01), point(0, 0, INFINITY)};
  points[2].quality.worst_penetration = 0.125;
  points[3].quality.worst_penetration = 7;
  dls_order_line lines[] = {{.scheme = 1, .fit = {.order = 1.25}},
                            {.scheme = 0, .fit = {.order = 0.75}},
                            {.scheme = 0, .norm = 1, .fit = {.order = 9}},
                            {.scheme = 2, .fit = {.order = NAN}, .reason = "it is at its floor"}};
  dls_order_study errors = {.spec = file->studies[0].request->spec,
                            .points = points,
                            .point_count = sizeof points / sizeof points[0],
                            .lines = lines,
                            .line_count = sizeof lines / sizeof lines[0]};
  const dls_study_results results = {.errors = &errors}, none = {0};
  assert_true(judge(file, 0, &results).agrees);
  assert_close(judge(file, 1, &results).value, 0.75, 0);
  assert_false(judge(file, 1, &results).agrees);
  assert_true(isnan(judge(file, 2, &results).value));
  assert_false(judge(file, 2, &results).agrees);
  assert_string_equal(judge(file, 2, &results).why, "it is at its floor");
  assert_close(judge(file, 3, &results).value, 2, 0);
  assert_false(judge(file, 3, &results).agrees);
  assert_close(judge(file, 4, &results).value, 0.25, 0);
  assert_close(judge(file, 5, &results).value, 2, 0); /* what is not finite is no error */
  assert_false(judge(file, 5, &results).agrees);
  assert_close(judge(file, 6, &results).value, 0.125, 0);
  assert_string_equal(judge(file, 7, &results).why, "results/orders.csv has no such row");
  lines[3].reason[0] = '\0';
  assert_string_equal(judge(file, 2, &results).why, "not a number in results/orders.csv");
  assert_string_equal(judge(file, 6, &none).why, "there is no results/quality.csv");
  dls_study_destroy(file);
}

DLS_TEST(limits_and_restitutions_are_looked_up)
{
  dls_study_file *file =
      read_good("kind: order\ntitle: T\nmodel: bouncing-ball\nnorms: l1\nof: q\nreference: limit\n"
                "schemes: [moreau-jean, spring-damper]\nsteps: {first: 0.1, last: 0.01, levels: 3}\n"
                "expect:\n"
                "  - {quantity: limit-order, scheme: spring-damper, between: [1.5, 2.5]}\n"
                "  - {quantity: plateau, scheme: spring-damper, below: 0.1}\n"
                "  - {quantity: plateau, scheme: moreau-jean, below: 0.1}\n"
                "  - {quantity: restitution-mean, scheme: moreau-jean, above: 0}\n"
                "  - {quantity: restitution-least, scheme: moreau-jean, above: 0}\n"
                "  - {quantity: restitution-largest, scheme: moreau-jean, above: 0}\n"
                "  - {quantity: contact-mean, of: hop, scheme: moreau-jean, above: 0}\n"
                "  - {quantity: contact-least, of: first_slip_ratio, scheme: moreau-jean, above: 0}\n"
                "  - {quantity: contact-largest, of: first_slip_ratio, scheme: moreau-jean, above: 0}\n"
                "  - {quantity: contact-mean, of: creep, scheme: moreau-jean, above: 0}\n");
  dls_order_point points[] = {point(0, 0, 1), point(0, 0, 2), point(0, 0, 3), point(1, 0, 4)};
  const double e[] = {0.25, NAN, 0.75, 7};
  for (size_t i = 0; i < 4; i++) {
    points[i].quality.contact = dls_contact_quality_none();
    points[i].quality.contact.first_restitution = e[i];
    points[i].quality.contact.hop = 2 * e[i];
    points[i].quality.contact.first_slip_ratio = 1 - e[i];
  }
  dls_order_line lines[] = {{.scheme = 0, .plateau = NAN, .limit = "none"},
                            {.scheme = 1, .plateau = 0.0625, .fit = {.order = 2}}};
  dls_order_study limit = {.spec = file->studies[0].request->spec, .lines = lines, .line_count = 2};
  dls_order_study errors = {.spec = limit.spec, .points = points, .point_count = 4, .limit = &limit};
  const dls_study_results results = {.errors = &errors};
  assert_int_equal(limit.spec.reference, DLS_REFERENCE_LIMIT);
  assert_close(judge(file, 0, &results).value, 2, 0);
  assert_true(judge(file, 0, &results).agrees);
  assert_close(judge(file, 1, &results).value, 0.0625, 0);
  assert_true(isnan(judge(file, 2, &results).value));
  assert_string_equal(judge(file, 2, &results).why, "none");
  assert_close(judge(file, 3, &results).value, 0.5, 0);
  assert_close(judge(file, 4, &results).value, 0.25, 0);
  assert_close(judge(file, 5, &results).value, 0.75, 0);
  assert_close(judge(file, 6, &results).value, 1, 0);
  assert_close(judge(file, 7, &results).value, 0.25, 0);
  assert_close(judge(file, 8, &results).value, 0.75, 0);
  assert_string_equal(judge(file, 9, &results).why, "no run has such a contact");
  errors.limit = NULL;
  assert_string_equal(judge(file, 9, &results).why, "it is measured with reference: limit");
  assert_string_equal(judge(file, 0, &results).why, "there is no results/orders.csv");
  dls_study_destroy(file);
}

/* A trajectory with the columns t, q0, v0. */
static dls_trajectory *trajectory(size_t rows, const double (*values)[3])
{
  static const char *const names[] = {"t", "q0", "v0"};
  dls_trajectory *traj = dls_trajectory_create_table(3, names);
  assert_non_null(traj);
  for (size_t i = 0; i < rows; i++) {
    double *row = dls_trajectory_append(traj);
    assert_non_null(row);
    memcpy(row, values[i], sizeof values[i]);
  }
  traj->complete = true;
  return traj;
}

DLS_TEST(values_and_impacts_of_a_trajectory_are_looked_up)
{
  static const double first[][3] = {{0, 1, -3}, {1, 2, 4}, {2, 3, NAN}}, second[][3] = {{0, 1, -3}, {1, 7, 4}};
  static const dls_event events[] = {
      {.t = 0.5, .kind = DLS_IMPACT, .u_minus = -2, .u_plus = 1, .impulse = 3},
      {.t = 0.7, .kind = DLS_LANDING, .u_minus = -2},
      {.t = 1.5, .kind = DLS_IMPACT, .u_minus = -1, .u_plus = 0.5, .impulse = 3}};
  dls_study_file *file =
      read_good("kind: compare\ntitle: T\nmodel: bouncing-ball\nstep: 0.1\n"
                "schemes: [moreau-jean, \"moreau-jean:theta=1\", event-driven]\n"
                "expect:\n"
                "  - {quantity: first, scheme: moreau-jean, of: q0, above: 3}\n"
                "  - {quantity: last, scheme: \"moreau-jean:theta=1\", of: q0, above: 3}\n"
                "  - {quantity: largest, scheme: moreau-jean, of: v0, above: 3}\n"
                "  - {quantity: least, scheme: moreau-jean, of: v0, above: 3}\n"
                "  - {quantity: impacts, scheme: moreau-jean, between: [2, 2]}\n"
                "  - {quantity: impact-time, number: 2, scheme: moreau-jean, above: 1}\n"
                "  - {quantity: impact-velocity, number: 1, scheme: moreau-jean, above: 1}\n"
                "  - {quantity: impact-time, number: 3, scheme: moreau-jean, above: 1}\n"
                "  - {quantity: impacts, scheme: \"moreau-jean:theta=1\", below: 0}\n"
                "  - {quantity: last, scheme: moreau-jean, of: v0, above: 3}\n"
                "  - {quantity: last, scheme: moreau-jean, of: g0, above: 3}\n"
                "  - {quantity: impacts, scheme: event-driven, below: 1}\n"
                "  - {quantity: mean, scheme: moreau-jean, of: q0, above: 1}\n"
                "  - {quantity: scatter, scheme: moreau-jean, of: q0, within: [0.5, 2], above: 0}\n"
                "  - {quantity: first, scheme: moreau-jean, of: q0, within: [1, 2], above: 3}\n"
                "  - {quantity: mean, scheme: moreau-jean, of: v0, within: [0, 1], above: 0}\n"
                "  - {quantity: mean, scheme: moreau-jean, of: q0, within: [3, 4], above: 0}\n"
                "  - {quantity: changes, scheme: moreau-jean, of: v0, below: 1}\n"
                "  - {quantity: changes, scheme: moreau-jean, of: q0, below: 1}\n");
  static const double expected[] = {1, 7, 4, -3, 2, 1.5, -2, NAN, 0, NAN, NAN, NAN, 2, 0.5, 2, 0.5, NAN, 2, 0};
  static const char *const why[] = {"",
                                    "",
                                    "",
                                    "",
                                    "",
                                    "",
                                    "",
                                    "there are only 2 impacts",
                                    "",
                                    "not a number in results/run_moreau-jean.csv",
                                    "there is no column g0",
                                    "there is no results/run_event-driven.csv",
                                    "",
                                    "",
                                    "",
                                    "",
                                    "results/run_moreau-jean.csv has no such row",
                                    "", /* -3, 4, and no number, which is not positive */
                                    ""};
  dls_error err = {0};
  dls_study_results results = {0};
  assert_ok(dls_study_results_room(&results, 3, &err), err);
  results.runs[0] = trajectory(3, first);
  results.runs[1] = trajectory(2, second);
  for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
    assert_ok(dls_trajectory_add_event(results.runs[0], &events[i], &err), err);
  }
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
    const dls_study_verdict verdict = judge(file, i, &results);
    assert_string_equal(verdict.why, why[i]);
    assert_true(isnan(expected[i]) ? isnan(verdict.value) : verdict.value == expected[i]);
  }
  assert_true(judge(file, 4, &results).agrees);
  assert_true(judge(file, 8, &results).agrees);
  dls_study_results_release(&results);
  dls_study_destroy(file);
}

/* Of what a run has not reached it says nothing. */
DLS_TEST(a_run_that_stopped_early_is_judged_by_what_it_had_passed)
{
  static const double values[][3] = {{0, 1, -3}, {1, 2, 4}, {2, 3, 5}};
  static const dls_event impact = {.t = 0.5, .kind = DLS_IMPACT, .u_minus = -2, .u_plus = 1, .impulse = 3};
  dls_study_file *file = read_good("kind: run\ntitle: T\nmodel: bouncing-ball\nstep: 0.1\n"
                                   "schemes: moreau-jean\n"
                                   "expect:\n"
                                   "  - {quantity: last, of: q0, above: 0}\n"
                                   "  - {quantity: largest, of: q0, within: [0, 2.5], above: 0}\n"
                                   "  - {quantity: impacts, above: 0}\n"
                                   "  - {quantity: impact-time, number: 2, above: 0}\n"
                                   "  - {quantity: first, of: q0, above: 0}\n"
                                   "  - {quantity: largest, of: q0, within: [0, 2], above: 0}\n"
                                   "  - {quantity: impact-time, number: 1, above: 0}\n");
  static const double expected[] = {NAN, NAN, NAN, NAN, 1, 3, 0.5};
  dls_error err = {0};
  dls_study_results results = {0};
  assert_ok(dls_study_results_room(&results, 1, &err), err);
  dls_trajectory *run = results.runs[0] = trajectory(3, values);
  assert_ok(dls_trajectory_add_event(run, &impact, &err), err);
  run->complete = false;
  snprintf(run->failure, sizeof run->failure, "moreau-jean, t = 2 s: no");
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
    const dls_study_verdict verdict = judge(file, i, &results);
    assert_true(isnan(expected[i]) ? isnan(verdict.value) : verdict.value == expected[i]);
    assert_true(verdict.agrees == !isnan(expected[i]));
    assert_string_equal(verdict.why, isnan(expected[i]) ? "not run to the end: moreau-jean, t = 2 s: no" : "");
  }
  dls_study_results_release(&results);
  dls_study_destroy(file);
}

/* "" or why there is no value */
static void assert_no_value(dls_study_verdict verdict, const char *why)
{
  assert_string_equal(verdict.why, why);
  assert_true(verdict.agrees == (why[0] == '\0'));
}

DLS_TEST(a_sweep_and_a_spectrum_with_runs_that_failed_have_values_where_none_did)
{
  dls_study_file *file = read_good("kind: compare\ntitle: T\nmodel: bouncing-ball\nstep: 0.1\n"
                                   "schemes: moreau-jean\nof: q0\nsweep: e=0:0.5:2\nexpect:\n"
                                   "  - {quantity: largest, of: q0, at: 0, above: 0}\n"
                                   "  - {quantity: largest, of: q0, at: 0.5, above: 0}\n"
                                   "  - {quantity: largest, of: q0, above: 0}\n");
  dls_sweep_point runs[] = {{.value = 0, .extrema = {.largest = 1}}, {.value = 0.5, .failure = "no"}};
  dls_sweep sweep = {.spec = dls_request_sweep_spec(file->studies[0].request),
                     .point_count = 2,
                     .points = runs,
                     .complete = true};
  dls_study_results results = {.sweep = &sweep};
  static const char *const why[] = {"", "not run to the end: no", "not run to the end: no"};
  for (size_t i = 0; i < 3; i++) {
    assert_no_value(judge(file, i, &results), why[i]);
  }
  sweep.point_count = 1;
  sweep.complete = false;
  assert_no_value(judge(file, 0, &results), "");
  assert_no_value(judge(file, 2, &results), "not run to the end: interrupted");
  dls_study_destroy(file);
  file = read_good("kind: spectrum\ntitle: T\nschemes: moreau-jean\nat: [0.1, 0.2]\nexpect:\n"
                   "  - {quantity: value, of: radius, at: 0.1, above: 0}\n"
                   "  - {quantity: value, of: radius, at: 0.2, above: 0}\n"
                   "  - {quantity: largest, of: radius, above: 0}\n");
  dls_spectrum_point points[] = {{.ratio = 0.1, .values = {1}},
                                 {.ratio = 0.2, .values = {NAN}, .failure = "no"}};
  dls_spectrum spectrum = {.point_count = 2, .points = points, .complete = true};
  results = (dls_study_results){.spectrum = &spectrum};
  for (size_t i = 0; i < 3; i++) {
    assert_no_value(judge(file, i, &results), why[i]);
  }
  spectrum.point_count = 1;
  spectrum.complete = false;
  assert_no_value(judge(file, 0, &results), "");
  assert_no_value(judge(file, 2, &results), "not run to the end: interrupted");
  dls_study_destroy(file);
}

static dls_order_point costly(size_t norm, double error, size_t steps, size_t rejected, size_t problems,
                              size_t force_evals, double seconds)
{
  dls_order_point p = point(0, norm, error);
  p.work = (dls_work){.steps = steps,
                      .rejected = rejected,
                      .problems = problems,
                      .force_evals = force_evals,
                      .lcp_solves = 20,
                      .factorizations = 30,
                      .wall_seconds = seconds};
  return p;
}

DLS_TEST(work_for_an_error_is_that_of_the_cheapest_run)
{
  static const char *const measures[] = {"steps", "problems", "evals", "seconds"};
  static const double expected[] = {14, 5, 60, 0.25};
  dls_order_point points[] = {costly(0, 0.5, 1, 1, 1, 1, 0.01),   /* not good enough */
                              costly(0, 1e-3, 10, 4, 9, 10, 0.5), /* as good as asked for */
                              costly(0, 1e-4, 11, 4, 5, 50, 0.25), costly(0, NAN, 1, 1, 1, 1, 0.01),
                              costly(1, 1e-9, 1, 1, 1, 1, 0.01)};
  for (size_t i = 0; i < 4; i++) {
    char text[500];
    snprintf(text, sizeof text,
             WORK
             "schemes: event-driven\nnorms: [l1, max]\nof: q\nagainst: %s\n"
             "expect: [{quantity: work, norm: l1, error: 1e-3, above: 0}, {quantity: work, norm: l1, error: "
             "1e-6, above: 0}]\n",
             measures[i]);
    dls_study_file *file = read_good(text);
    const dls_request *request = file->studies[0].request;
    dls_order_study errors = {
        .spec = request->spec, .points = points, .point_count = sizeof points / sizeof points[0]};
    dls_work_study work = {.runs = &errors, .against = request->against};
    const dls_study_results results = {.errors = &errors, .work = &work};
    assert_close(judge(file, 0, &results).value, expected[i], 1e-12);
    assert_string_equal(judge(file, 1, &results).why, "no run has an error of at most 1e-06");
    dls_study_destroy(file);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders_and_errors_are_looked_up),
      cmocka_unit_test(limits_and_restitutions_are_looked_up),
      cmocka_unit_test(values_and_impacts_of_a_trajectory_are_looked_up),
      cmocka_unit_test(a_run_that_stopped_early_is_judged_by_what_it_had_passed),
      cmocka_unit_test(a_sweep_and_a_spectrum_with_runs_that_failed_have_values_where_none_did),
      cmocka_unit_test(work_for_an_error_is_that_of_the_cheapest_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
