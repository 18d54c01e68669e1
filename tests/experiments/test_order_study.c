/* tests/experiments/test_order_study.c -- convergence studies of schemes whose error is known by construction.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/measures/order/order_lines.h"
#include "experiments/measures/order/order_steps.h"
#include "toy_study.h"
#include <delassus/work.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef dls_status (*writer)(const dls_order_study *, FILE *);

/* What a writer writes; freed by the caller. */
static char *written(writer write, const dls_order_study *study)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  assert_int_equal(write(study, out), DLS_OK);
  fclose(out);
  return text;
}

enum { STAMP = 4 }; /* lines of provenance at the end of a table: version, commit, compiler, libraries */

static size_t count_lines(const char *text)
{
  size_t lines = 0;
  for (; *text != '\0'; text++) {
    lines += *text == '\n';
  }
  return lines;
}

DLS_TEST(error_c_h_to_the_q_is_fitted_with_order_q)
{
  const dls_scheme_choice schemes[] = {{&toy, ""}, {&toy, "order=2,constant=5"}, {&toy, "order=0.5"}};
  const double orders[] = {1, 2, 0.5};
  const double constants[] = {3, 5, 3};
  const dls_order_spec spec = toy_spec(3, schemes);
  dls_order_study *study = toy_run(&spec);
  assert_true(study->complete);
  assert_int_equal(study->point_count, 3 * 6 * 4);
  assert_int_equal(study->line_count, 3);
  for (size_t i = 0; i < 3; i++) {
    assert_true(study->lines[i].fitted);
    assert_close(study->lines[i].fit.order, orders[i], 1e-6);
    assert_close(study->lines[i].fit.constant, constants[i], 1e-5);
    assert_between(study->lines[i].fit.ci_high - study->lines[i].fit.ci_low, 0, 1e-6);
    assert_int_equal(study->lines[i].fit.points, 24);
    assert_false(study->lines[i].fit.warn_floor);
    assert_false(study->lines[i].fit.warn_preasymptotic);
  }
  dls_order_destroy(study);
}

DLS_TEST(every_point_carries_its_own_error_and_work)
{
  const dls_scheme_choice scheme = {&toy, ""};
  const dls_order_spec spec = toy_spec(1, &scheme);
  dls_order_study *study = toy_run(&spec);
  for (size_t i = 0; i < study->point_count; i++) {
    const dls_order_point *point = &study->points[i];
    const double steps = floor(0.9 / point->step);
    assert_close(point->error.value, 3 * point->step, 1e-9);
    assert_close((double)point->work.steps, steps, 0);
    assert_close((double)point->work.force_evals, steps, 0);
    assert_int_equal(point->level, i / 4);
    assert_int_equal(point->repeat, i % 4);
  }
  dls_order_destroy(study);
}

DLS_TEST(medians_come_level_by_level)
{
  const dls_scheme_choice scheme = {&toy, ""};
  dls_order_spec spec = toy_spec(1, &scheme);
  spec.repeats = 3;
  dls_order_study *study = toy_run(&spec);
  dls_order_level level;
  assert_int_equal(dls_order_level_of(study, &study->lines[0], 1, DLS_AGAINST_STEP, &level, NULL), DLS_OK);
  const double h[] = {study->points[3].step, study->points[4].step, study->points[5].step};
  const double middle = fmax(fmin(h[0], h[1]), fmin(fmax(h[0], h[1]), h[2]));
  assert_close(level.x, middle, 0);
  assert_close(level.median, 3 * middle, 1e-9);
  assert_close(level.max, 3 * fmax(fmax(h[0], h[1]), h[2]), 1e-9);
  assert_int_equal(level.runs, 3);
  assert_int_equal(level.failures, 0);
  dls_order_destroy(study);
}

DLS_TEST(one_repeat_takes_the_steps_as_they_are)
{
  const dls_scheme_choice scheme = {&toy, ""};
  dls_order_spec spec = toy_spec(1, &scheme);
  spec.repeats = 1;
  dls_order_study *study = toy_run(&spec);
  for (size_t i = 0; i < 6; i++) {
    assert_close(study->points[i].step, 0.1 / pow(2, (double)i), 1e-16);
  }
  assert_close(study->points[5].step, 0.1 / 32, 0);
  dls_order_destroy(study);
}

/* The ball's impacts 1, 2, 2.5, ... are on every dyadic grid. */
DLS_TEST(randomised_steps_do_not_hit_events)
{
  const dls_scheme_choice scheme = {&toy, ""};
  dls_order_spec spec = toy_spec(1, &scheme);
  double events[20], steps[60];
  for (int i = 0; i < 20; i++) {
    events[i] = 3 - 2 * pow(0.5, i);
  }
  spec.end = 4;
  spec.repeats = 10;
  assert_int_equal(dls_order_steps(&spec, 20, events, steps, NULL), DLS_OK);
  for (size_t i = 0; i < 60; i++) {
    const double mean = dls_order_mean_step(&spec, i / 10);
    assert_between(dls_order_clearance(steps[i], 20, events), 0.02, 0.5);
    assert_between(steps[i] / mean, 0.8, 1.25);
  }
  assert_close(dls_order_clearance(0.25, 20, events), 0, 0); /* what is avoided */
}

/* An event nearer to 0 than any grid line can be: no step is clear of it, and the study must still run. */
DLS_TEST(an_unavoidable_event_does_not_hang_the_draw)
{
  const dls_scheme_choice scheme = {&toy, ""};
  const dls_order_spec spec = toy_spec(1, &scheme);
  const double event = 1e-6;
  double steps[24];
  assert_int_equal(dls_order_steps(&spec, 1, &event, steps, NULL), DLS_OK);
  assert_between(steps[0], 0.08, 0.125);
}

DLS_TEST(equal_seeds_repeat_bit_for_bit_and_others_do_not)
{
  const dls_scheme_choice scheme = {&toy, ""};
  dls_order_spec spec = toy_spec(1, &scheme);
  dls_order_study *first = toy_run(&spec);
  dls_order_study *again = toy_run(&spec);
  spec.seed = 43;
  dls_order_study *other = toy_run(&spec);
  for (size_t i = 0; i < first->point_count; i++) {
    assert_memory_equal(&first->points[i].step, &again->points[i].step, sizeof(double));
    assert_memory_equal(&first->points[i].error, &again->points[i].error, sizeof(dls_measure));
    assert_true(first->points[i].step != other->points[i].step);
  }
  assert_memory_equal(&first->lines[0].fit.order, &again->lines[0].fit.order, sizeof(double));
  dls_order_destroy(first);
  dls_order_destroy(again);
  dls_order_destroy(other);
}

DLS_TEST(all_schemes_run_at_the_same_steps)
{
  const dls_scheme_choice schemes[] = {{&toy, ""}, {&toy, "order=2"}};
  const dls_order_spec spec = toy_spec(2, schemes);
  dls_order_study *study = toy_run(&spec);
  for (size_t i = 0; i < 24; i++) {
    assert_close(study->points[i].step, study->points[24 + i].step, 0);
  }
  dls_order_destroy(study);
}

DLS_TEST(failed_runs_stay_with_their_reason)
{
  const dls_scheme_choice scheme = {&toy,
                                    "fail-below=0.01"}; /* the steps of two levels, 0.00625 and 0.003125 */
  const dls_order_spec spec = toy_spec(1, &scheme);
  dls_order_study *study = toy_run(&spec);
  assert_true(study->complete);
  assert_int_equal(study->point_count, 24);
  for (size_t i = 16; i < 24; i++) {
    assert_true(isnan(study->points[i].error.value));
    assert_string_equal(study->points[i].reason, "toy at t = 0: the toy dislikes steps below 0.01");
  }
  assert_close(study->lines[0].fit.order, 1, 1e-6);
  assert_int_equal(study->lines[0].fit.points, 16);
  char *table = written(dls_order_write_table, study);
  char *report = written(dls_order_write_report, study);
  assert_non_null(strstr(table, "4 of 4 runs failed"));
  assert_non_null(strstr(table, "the toy dislikes steps below 0.01"));
  assert_non_null(strstr(report, "the toy dislikes steps below 0.01"));
  assert_non_null(strstr(report, "\nfailures: 8\n"));
  free(table);
  free(report);
  dls_order_destroy(study);
}

DLS_TEST(a_scheme_by_event_runs_once_and_has_no_order)
{
  const dls_scheme_choice schemes[] = {{&toy_event, ""}, {&toy, ""}};
  const dls_order_spec spec = toy_spec(2, schemes);
  dls_order_study *study = toy_run(&spec);
  assert_int_equal(study->point_count, 1 + 24);
  assert_true(isnan(study->points[0].step));
  assert_close(study->points[0].error.value, 3e-6, 1e-12);
  assert_false(study->lines[0].fitted);
  assert_true(isnan(study->lines[0].fit.order));
  assert_true(study->lines[1].fitted);
  char *table = written(dls_order_write_table, study);
  assert_non_null(strstr(table, "toy-event, max of v\n  error 3.0000e-06"));
  free(table);
  dls_order_destroy(study);
}

DLS_TEST(errors_at_the_floor_are_left_out_with_a_warning)
{
  const dls_scheme_choice scheme = {&toy,
                                    "order=8,constant=1e-2"}; /* 1e-10 down to 1e-22: the floor is 1e-11 */
  const dls_order_spec spec = toy_spec(1, &scheme);
  dls_order_study *study = toy_run(&spec);
  assert_between((double)study->lines[0].fit.dropped_floor + (study->lines[0].fitted ? 0 : 24), 16, 24);
  dls_order_destroy(study);
}

/* If only single runs are above the floor and their median is not, no order is reported. */
DLS_TEST(levels_below_the_floor_are_at_the_floor_though_single_runs_are_above)
{
  size_t found = 0;
  for (double constant = 1e-4; constant < 1e-2; constant *= 1.05) {
    dls_scheme_choice scheme = {&toy, ""};
    snprintf(scheme.options, sizeof scheme.options, "order=8,constant=%.6g", constant);
    dls_order_spec spec = toy_spec(1, &scheme);
    spec.repeats = 9;
    dls_order_study *study = toy_run(&spec);
    const dls_order_line *line = &study->lines[0];
    dls_order_level coarsest;
    assert_int_equal(dls_order_level_of(study, line, 0, DLS_AGAINST_STEP, &coarsest, NULL), DLS_OK);
    assert_null(strstr(line->reason, "nan"));
    if (coarsest.median <= study->floors[0]) {
      assert_false(line->fitted);
      assert_non_null(strstr(line->reason, "floor"));
      found += strstr(line->reason, "no median error above") != NULL;
    }
    dls_order_destroy(study);
  }
  assert_true(found > 0);
}

/* Rounding explains flat errors of 2.2e-6 of the motion, here 3. The floor of a reference with an error of 6e-7 is 6e-5, and a larger error is
 * that of the scheme. */
DLS_TEST(errors_as_large_as_the_motion_are_at_no_floor)
{
  double floor = 6e-5, size = 3;
  const dls_order_study study = {.spec = {.of_count = 1}, .floors = &floor, .sizes = &size};
  const dls_order_line line = {.norm = 0, .of = 0};
  assert_false(dls_order_at_floor(&study, &line, 2));
  assert_false(dls_order_at_floor(&study, &line, 4e-3));
  assert_false(dls_order_at_floor(&study, &line, 2e-3));
  assert_false(dls_order_at_floor(&study, &line, 7e-5));
  assert_true(dls_order_at_floor(&study, &line, 5e-5));
  floor = 3e-14;
  assert_true(dls_order_at_floor(&study, &line, 6e-6));
  assert_false(dls_order_at_floor(&study, &line, 7e-6));
  size = 1e-9;
  floor = 1e-8;
  assert_true(dls_order_at_floor(&study, &line, 1e-8)); /* nothing can be said of errors below the floor */
}

/* One run of each level is a hundred times better: the mean of logarithms would lie a third below the medians. */
DLS_TEST(a_line_goes_through_the_middle_of_its_medians)
{
  const dls_scheme_choice scheme = {&toy, ""};
  const dls_order_spec spec = toy_spec(1, &scheme);
  dls_order_study *study = toy_run(&spec);
  for (size_t i = 0; i < study->point_count; i++) {
    study->points[i].error.value *= study->points[i].repeat == 0 ? 0.01 : 1;
  }
  dls_work_study *work = NULL;
  dls_error err = {0};
  assert_ok(dls_work_fit(study, DLS_AGAINST_STEPS, &work, &err), err);
  assert_true(work->lines[0].fitted);
  for (size_t i = 0; i < study->point_count; i++) {
    const dls_order_point *point = &study->points[i];
    const double line = work->lines[0].fit.constant * pow((double)point->work.steps, work->lines[0].fit.order);
    if (point->repeat != 0) {
      assert_between(point->error.value / line, 0.7, 1.4);
    }
  }
  dls_work_destroy(work);
  dls_order_destroy(study);
}

static bool stop_in_the_middle(void *data, double done)
{
  double *last = data;
  assert_between(done, *last - 1e-12, 1);
  *last = done;
  return done < 0.3;
}

DLS_TEST(an_interrupted_study_keeps_what_was_finished)
{
  double last = 0;
  const dls_scheme_choice scheme = {&toy, ""};
  dls_order_spec spec = toy_spec(1, &scheme);
  spec.poll = stop_in_the_middle;
  spec.poll_data = &last;
  dls_order_study *study = toy_run(&spec);
  assert_false(study->complete);
  assert_between((double)study->point_count, 12, 22);
  for (size_t i = 0; i < study->point_count; i++) {
    assert_close(study->points[i].error.value, 3 * study->points[i].step, 1e-9);
  }
  char *errors = written(dls_order_write_errors, study);
  char *report = written(dls_order_write_report, study);
  assert_int_equal(count_lines(errors), 1 + study->point_count + STAMP);
  assert_non_null(strstr(report, "complete: no, interrupted\n"));
  free(errors);
  free(report);
  dls_order_destroy(study);
}

DLS_TEST(a_study_interrupted_at_once_is_empty_but_whole)
{
  const dls_scheme_choice scheme = {&toy, ""};
  dls_order_spec spec = toy_spec(1, &scheme);
  spec.poll = toy_stop_at_once;
  dls_order_study *study = toy_run(&spec);
  assert_false(study->complete);
  assert_int_equal(study->point_count, 0);
  assert_false(study->lines[0].fitted);
  char *table = written(dls_order_write_table, study);
  assert_non_null(strstr(table, "interrupted"));
  free(table);
  dls_order_destroy(study);
}

DLS_TEST(errors_csv_has_the_columns_of_the_contract)
{
  const char *header =
      "model,scheme,options,step,norm,of,error,bound,steps,force_evals,lcp_solves,wall_seconds,limit_error\n";
  const dls_scheme_choice schemes[] = {{&toy, "order=2,fail-below=1"}, {&toy, ""}};
  dls_order_spec spec = toy_spec(2, schemes);
  spec.repeats = 1;
  dls_order_study *study = toy_run(&spec);
  char *text = written(dls_order_write_errors, study);
  assert_memory_equal(text, header, strlen(header));
  assert_int_equal(count_lines(text), 1 + 12 + STAMP);
  const char *failed = "\nbouncing-ball,toy,\"order=2,fail-below=1\",0.10000000000000001,max,v,nan,nan,0,0,0,";
  assert_non_null(strstr(text, failed));
  assert_non_null(strstr(text, "\nbouncing-ball,toy,,0.10000000000000001,max,v,0.3"));
  free(text);
  dls_order_destroy(study);
}

DLS_TEST(orders_csv_tells_equal_schemes_apart)
{
  const char *header =
      "model,scheme,norm,of,order,ci_low,ci_high,h_max,h_min,points,reason,median_order,"
      "median_ci_low,median_ci_high,published,agreement,limit_order,limit_ci_low,limit_ci_high,"
      "limit_reason,plateau,limit\n";
  const dls_scheme_choice schemes[] = {
      {&toy, ""}, {&toy, "order=2"}, {&toy, "order=2,constant=1"}, {&toy_event, ""}};
  const dls_order_spec spec = toy_spec(4, schemes);
  dls_order_study *study = toy_run(&spec);
  char *text = written(dls_order_write_orders, study);
  assert_memory_equal(text, header, strlen(header));
  assert_int_equal(count_lines(text), 1 + 4 + STAMP);
  assert_non_null(strstr(text, "\nbouncing-ball,toy,max,v,"));
  assert_non_null(strstr(text, "\nbouncing-ball,toy:order=2,max,v,"));
  assert_non_null(strstr(text, "\nbouncing-ball,\"toy:order=2,constant=1\",max,v,"));
  assert_non_null(strstr(text, "\nbouncing-ball,toy-event,max,v,nan,nan,nan,nan,nan,0,it chooses its own "
                               "steps,nan,nan,nan,nan,,nan,nan,nan,,nan,\n"));
  free(text);
  dls_order_destroy(study);
}

DLS_TEST(a_scheme_that_occurs_once_tells_its_options_too)
{
  const dls_scheme_choice scheme = {&toy, "order=2"};
  const dls_order_spec spec = toy_spec(1, &scheme);
  dls_order_study *study = toy_run(&spec);
  char *text = written(dls_order_write_orders, study);
  assert_non_null(strstr(text, "\nbouncing-ball,toy:order=2,max,v,"));
  free(text);
  dls_order_destroy(study);
}

DLS_TEST(the_report_says_how_the_numbers_were_made)
{
  const dls_scheme_choice scheme = {&toy, "order=2"};
  const dls_order_spec spec = toy_spec(1, &scheme);
  dls_order_study *study = toy_run(&spec);
  char *text = written(dls_order_write_report, study);
  const char *const lines[] = {"version: delassus ",
                               "\ncompiler: ",
                               "\ncpu: ",
                               "\ndate: 2",
                               "\nmodel: bouncing-ball\n",
                               "\nseed: 42\n",
                               "\nend: 0.9",
                               "\nparameter: e=0.5 [1]\n",
                               "\nscheme: toy:order=2\n",
                               "\nsteps: 0.1",
                               "\nreference: exact",
                               "\nreference error: ",
                               "\nmetric: time scale 1,",
                               "\ncomplete: yes\n",
                               "\nfailures: 0\n"};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    if (strstr(text, lines[i]) == NULL) {
      fail_msg("the report lacks \"%s\":\n%s", lines[i], text);
    }
  }
  free(text);
  dls_order_destroy(study);
}

static void assert_refused(const dls_order_spec *spec, const char *text)
{
  dls_error err = {0};
  dls_order_study *study = NULL;
  assert_int_equal(dls_order_run(spec, &study, &err), DLS_ERR_ARG);
  assert_null(study);
  if (strstr(err.text, text) == NULL) {
    fail_msg("\"%s\" lacks \"%s\"", err.text, text);
  }
}

DLS_TEST(what_makes_no_study_is_refused)
{
  const dls_scheme_choice scheme = {&toy, ""};
  const dls_order_spec good = toy_spec(1, &scheme);
  const char *const unknown[] = {"x7"};
  dls_order_spec bad = good;
  bad.h_first = 1;
  assert_refused(&bad, "first step = 1 s is outside (0, end = 0.9]");
  bad = good;
  bad.h_last = NAN;
  assert_refused(&bad, "last step = nan s is outside");
  bad = good;
  bad.h_last = bad.h_first;
  assert_refused(&bad, "it must differ from the first");
  bad = good;
  bad.levels = 1;
  assert_refused(&bad, "number of levels = 1 is not allowed: at least 2");
  bad = good;
  bad.repeats = 0;
  assert_refused(&bad, "number of repeats = 0");
  bad = good;
  bad.end = INFINITY;
  assert_refused(&bad, "end = inf");
  bad = good;
  bad.metric.value_scale = 0;
  assert_refused(&bad, "value scale = 0");
  bad = good;
  bad.of = unknown;
  assert_refused(&bad, "no quantity \"x7\"");
}

DLS_TEST(a_choice_is_read_and_checked)
{
  dls_error err = {0};
  dls_scheme_choice choice;
  assert_ok(dls_scheme_choose("moreau-jean", &choice, &err), err);
  assert_string_equal(choice.options, "");
  assert_ok(dls_scheme_choose("moreau-jean:theta=0.75", &choice, &err), err);
  assert_string_equal(choice.scheme->name, "moreau-jean");
  assert_string_equal(choice.options, "theta=0.75");
  assert_int_equal(dls_scheme_choose("moreau-jaen", &choice, &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "moreau-jean"));
  assert_int_equal(dls_scheme_choose("moreau-jean:theta=7", &choice, &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "theta"));
  assert_int_equal(dls_scheme_choose("moreau-jean:theta=1,theta=1", &choice, &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "given twice"));
  assert_int_equal(dls_scheme_choose("moreau-jean:", &choice, &err), DLS_ERR_PARSE);
  assert_true(dls_scheme_choose("moreau-jean:theta=1,", &choice, &err) < 0);
}

DLS_TEST(a_choice_sets_the_options_of_its_sim)
{
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  const dls_scheme_choice choice = {&toy, "order=2,constant=7"};
  assert_ok(dls_model_create(dls_model_find("bouncing-ball", NULL), NULL, &sys, &err), err);
  assert_ok(dls_scheme_choice_sim(&choice, sys, &sim, &err), err);
  assert_close(sim->opt[TOY_ORDER], 2, 0);
  assert_close(sim->opt[TOY_CONSTANT], 7, 0);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

/* Two methods that must agree: without an exact solution, steps are measured against event-driven. */
DLS_TEST(a_model_without_exact_solution_is_measured_against_events)
{
  dls_error err = {0};
  dls_scheme_choice scheme;
  assert_ok(dls_scheme_choose("moreau-jean", &scheme, &err), err);
  const dls_norm *const norms[] = {dls_norm_find("l1")};
  dls_order_spec spec = toy_spec(1, &scheme);
  spec.model = dls_model_find("ball-between-walls", &err);
  spec.norms = norms;
  spec.end = 4;
  dls_order_study *study = toy_run(&spec);
  assert_non_null(strstr(study->reference, "event-driven:tol=1e-11"));
  assert_between(study->reference_error, 0, 1e-7);
  assert_between(study->lines[0].fit.order, 0.7, 1.3);
  dls_order_destroy(study);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_as_large_as_the_motion_are_at_no_floor),
      cmocka_unit_test(a_line_goes_through_the_middle_of_its_medians),
      cmocka_unit_test(error_c_h_to_the_q_is_fitted_with_order_q),
      cmocka_unit_test(every_point_carries_its_own_error_and_work),
      cmocka_unit_test(medians_come_level_by_level),
      cmocka_unit_test(one_repeat_takes_the_steps_as_they_are),
      cmocka_unit_test(randomised_steps_do_not_hit_events),
      cmocka_unit_test(an_unavoidable_event_does_not_hang_the_draw),
      cmocka_unit_test(equal_seeds_repeat_bit_for_bit_and_others_do_not),
      cmocka_unit_test(all_schemes_run_at_the_same_steps),
      cmocka_unit_test(failed_runs_stay_with_their_reason),
      cmocka_unit_test(a_scheme_by_event_runs_once_and_has_no_order),
      cmocka_unit_test(errors_at_the_floor_are_left_out_with_a_warning),
      cmocka_unit_test(levels_below_the_floor_are_at_the_floor_though_single_runs_are_above),
      cmocka_unit_test(an_interrupted_study_keeps_what_was_finished),
      cmocka_unit_test(a_study_interrupted_at_once_is_empty_but_whole),
      cmocka_unit_test(errors_csv_has_the_columns_of_the_contract),
      cmocka_unit_test(orders_csv_tells_equal_schemes_apart),
      cmocka_unit_test(a_scheme_that_occurs_once_tells_its_options_too),
      cmocka_unit_test(the_report_says_how_the_numbers_were_made),
      cmocka_unit_test(what_makes_no_study_is_refused),
      cmocka_unit_test(a_choice_is_read_and_checked),
      cmocka_unit_test(a_choice_sets_the_options_of_its_sim),
      cmocka_unit_test(a_model_without_exact_solution_is_measured_against_events),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
