/* tests/experiments/test_work.c -- work-precision studies: of schemes whose error and work are known by
 * construction, and of those that ship.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/measures/order/order_lines.h"
#include "toy_study.h"
#include <delassus/work.h>
#include <stdlib.h>
#include <string.h>

/* A scheme that chooses its own steps: eight of them, an error of tol in v, 1/sqrt(tol) evaluations in all
 * (of tolerances 1e-2, 1e-4, ... an integer), and for each step a rejected one and five one-step problems. */
enum { TOL, DISLIKED };

static const dls_option tol_options[] = {
    [TOL] = {.name = "tol", .unit = "1", .help = "error", .initial = 1e-3, .min = 1e-6, .max = 0.5},
    [DISLIKED] = {.name = "disliked", .unit = "1", .help = "fails below", .initial = 0, .min = 0, .max = 1},
    {0},
};

static int starts; /* runs of the toy so far */

static dls_status tol_start(dls_sim *sim, dls_error *err)
{
  (void)err;
  sim->work.force_evals += (size_t)round(1 / sqrt(sim->opt[TOL])) - 3;
  sim->work.lcp_solves += 2;
  sim->work.factorizations++;
  starts++;
  return DLS_OK;
}

static dls_status tol_advance(dls_sim *sim, double h, dls_error *err)
{
  if (sim->opt[TOL] < sim->opt[DISLIKED]) {
    return dls_sim_fail(sim, err, DLS_ERR_NOCONV, "the toy dislikes tolerances below %g", sim->opt[DISLIKED]);
  }
  sim->t += fmin(h, 0.9 / 8);
  toy_state(sim, sim->t, sim->opt[TOL]);
  sim->work.steps++;
  sim->work.rejected++;
  sim->work.problems += 5;
  return DLS_OK;
}

static const dls_scheme toy_tol = {.name = "toy-tol",
                                   .summary = "exact solution plus the tolerance",
                                   .source = "-",
                                   .equations = "",
                                   .remarks = "",
                                   .options = tol_options,
                                   .stepping = DLS_BY_EVENT,
                                   .start = tol_start,
                                   .advance = tol_advance};

static dls_status exponential_start(dls_sim *sim, dls_error *err)
{
  (void)err;
  sim->work.force_evals += (size_t)round(-1e4 * log10(sim->opt[TOL]));
  return DLS_OK;
}

/* error = 10^(-evals / 10^4), as the errors of methods of variable order fall */
static const dls_scheme toy_exponential = {.name = "toy-exponential",
                                           .summary = "exact solution plus the tolerance",
                                           .source = "-",
                                           .equations = "",
                                           .remarks = "",
                                           .options = tol_options,
                                           .stepping = DLS_BY_EVENT,
                                           .start = exponential_start,
                                           .advance = tol_advance};

static dls_work_study *fitted(const dls_order_study *runs, dls_against against)
{
  dls_error err = {0};
  dls_work_study *work = NULL;
  assert_ok(dls_work_fit(runs, against, &work, &err), err);
  return work;
}

/* Tolerances 1e-2, 1e-4, 1e-6 as they are. */
static dls_order_spec tol_spec(size_t count, const dls_scheme_choice *schemes)
{
  dls_order_spec spec = toy_spec(count, schemes);
  spec.tol_levels = 3;
  spec.tol_first = 1e-2;
  spec.tol_last = 1e-6;
  spec.repeats = 1;
  return spec;
}

/* A study of catalogue schemes on the oscillator; choices[count]. */
static dls_order_spec oscillator_spec(size_t count, const char *const *texts, dls_scheme_choice *choices)
{
  static const dls_norm *norms[1];
  static const char *const of[] = {"q"};
  dls_error err = {0};
  for (size_t i = 0; i < count; i++) {
    assert_ok(dls_scheme_choose(texts[i], &choices[i], &err), err);
  }
  dls_order_spec spec = toy_spec(count, choices);
  norms[0] = dls_norm_find("l1");
  spec.model = dls_model_find("impacting-oscillator", NULL);
  spec.end = 10;
  spec.norms = norms;
  spec.of = of;
  return spec;
}

typedef dls_status (*writer)(const dls_work_study *, FILE *);

/* What a writer writes; freed by the caller. */
static char *written(writer write, const dls_work_study *study)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  assert_int_equal(write(study, out), DLS_OK);
  fclose(out);
  return text;
}

static void assert_in(const char *text, const char *part)
{
  if (strstr(text, part) == NULL) {
    fail_msg("\"%s\" lacks \"%s\"", text, part);
  }
}

/* error = tol, evals = tol^(-1/2): error = evals^(-2). A step scheme of order q with one evaluation a step: -q. */
DLS_TEST(slopes_of_closed_forms_come_out)
{
  const dls_scheme_choice schemes[] = {{&toy_tol, ""}, {&toy, "order=2"}, {&toy, ""}};
  dls_order_spec spec = tol_spec(3, schemes);
  spec.h_first = 0.1 / 8;
  spec.h_last = 0.1 / 512;
  dls_order_study *runs = toy_run(&spec);
  dls_work_study *work = fitted(runs, DLS_AGAINST_EVALS);
  assert_int_equal(work->line_count, 3);
  assert_close(work->lines[0].fit.order, -2, 1e-6);
  assert_close(work->lines[0].fit.constant, 1, 1e-5);
  assert_close(work->lines[0].fit.h_min, 10, 0);
  assert_close(work->lines[0].fit.h_max, 1000, 0);
  assert_close(work->lines[1].fit.order, -2, 1e-3); /* steps are integers */
  assert_close(work->lines[2].fit.order, -1, 1e-3);
  assert_int_equal(work->lines[1].fit.points, 6);
  dls_work_destroy(work);
  dls_order_destroy(runs);
}

/* From 1e-3 to 1e-6 the work grows by a factor of 2, over which the medians look straight. */
DLS_TEST(errors_that_fall_exponentially_have_no_slope)
{
  const dls_scheme_choice scheme = {&toy_exponential, ""};
  dls_order_spec spec = tol_spec(1, &scheme);
  spec.levels = 0;
  spec.tol_first = 1e-3;
  spec.tol_last = 1e-6;
  spec.tol_levels = 7;
  spec.repeats = 4;
  dls_order_study *runs = toy_run(&spec);
  dls_work_study *work = fitted(runs, DLS_AGAINST_EVALS);
  assert_false(work->lines[0].fitted);
  assert_true(isnan(work->lines[0].fit.order));
  assert_in(work->lines[0].reason, "the work grows only by a factor of 2");
  dls_work_destroy(work);
  dls_order_destroy(runs);
}

DLS_TEST(every_measure_of_work_counts_what_was_rejected)
{
  const dls_scheme_choice scheme = {&toy_tol, ""};
  dls_order_spec spec = tol_spec(1, &scheme);
  spec.levels = 0; /* no scheme needs a step */
  dls_order_study *runs = toy_run(&spec);
  const dls_order_point *point = &runs->points[0];
  assert_close(point->tol, 1e-2, 1e-16);
  assert_true(isnan(point->step));
  assert_close((double)point->work.steps, 8, 0);
  assert_close(dls_order_abscissa(point, DLS_AGAINST_STEPS), 16, 0);
  assert_close(dls_order_abscissa(point, DLS_AGAINST_PROBLEMS), 40, 0);
  assert_close(dls_order_abscissa(point, DLS_AGAINST_EVALS), 10, 0);
  assert_true(dls_order_abscissa(point, DLS_AGAINST_SECONDS) > 0);
  dls_order_destroy(runs);
}

/* The study adds nothing to the work of a run and hides nothing of it. */
DLS_TEST(counters_are_those_of_single_runs)
{
  const char *const texts[] = {"moreau-jean-adaptive", "event-driven", "rk-moreau"};
  const char *const tolerances[] = {"tol=0.0001", "tol=0.0001", NULL};
  dls_scheme_choice choices[3];
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_order_spec spec = oscillator_spec(3, texts, choices);
  spec.levels = spec.tol_levels = 2;
  spec.tol_first = 1e-4;
  spec.tol_last = 1e-5;
  spec.repeats = 1;
  dls_order_study *runs = toy_run(&spec);
  assert_int_equal(runs->point_count, 6);
  assert_ok(dls_model_create(spec.model, NULL, &sys, &err), err);
  for (size_t i = 0; i < 3; i++) {
    const dls_work *work = &runs->points[2 * i].work;
    dls_sim *sim = NULL;
    assert_ok(dls_scheme_choice_sim(&choices[i], sys, &sim, &err), err);
    if (tolerances[i] != NULL) {
      assert_ok(dls_sim_set(sim, tolerances[i], &err), err);
    }
    assert_ok(dls_run(sim, &(dls_run_spec){.step = 0.1, .end = 10}, &err), err);
    assert_int_equal(work->steps, sim->work.steps);
    assert_int_equal(work->rejected, sim->work.rejected);
    assert_int_equal(work->problems, sim->work.problems);
    assert_int_equal(work->force_evals, sim->work.force_evals);
    assert_int_equal(work->lcp_solves, sim->work.lcp_solves);
    assert_int_equal(work->factorizations, sim->work.factorizations);
    dls_sim_destroy(sim);
  }
  const dls_work *adaptive = &runs->points[0].work;
  assert_true(adaptive->rejected > 0);
  /* whole step and two halves of every trial: what is accepted counts two steps or one */
  assert_true(adaptive->problems >= 3 * adaptive->rejected + adaptive->steps);
  dls_system_destroy(sys);
  dls_order_destroy(runs);
}

DLS_TEST(smaller_tolerances_have_smaller_errors_and_more_work)
{
  const char *const texts[] = {"event-driven:method=erk", "moreau-jean-adaptive", "splitting-rkf45-adaptive",
                               "moreau-jean-extrapolated-adaptive"};
  dls_scheme_choice choices[4];
  dls_order_spec spec = oscillator_spec(4, texts, choices);
  spec.levels = 0;
  spec.tol_levels = 4;
  spec.tol_first = 1e-3;
  spec.tol_last = 1e-9;
  spec.repeats = 3;
  dls_order_study *runs = toy_run(&spec);
  for (size_t i = 0; i < 4; i++) {
    dls_order_level last = {.median = HUGE_VAL};
    for (size_t j = 0; j < 4; j++) {
      dls_order_level level;
      assert_int_equal(dls_order_level_of(runs, &runs->lines[i], j, DLS_AGAINST_EVALS, &level, NULL), DLS_OK);
      assert_int_equal(level.runs, 3);
      assert_true(level.median < last.median);
      assert_true(level.x > last.x);
      last = level;
    }
    assert_between(last.median, 0, 1e-4);
  }
  dls_order_destroy(runs);
}

/* Levels (work, error): (10, 1e-2), (100, 1e-4), (1000, 1e-6). */
DLS_TEST(the_work_for_an_error_is_read_off)
{
  const dls_scheme_choice scheme = {&toy_tol, ""};
  dls_order_spec spec = tol_spec(1, &scheme);
  spec.levels = 0;
  dls_order_study *runs = toy_run(&spec);
  dls_work_study *work = fitted(runs, DLS_AGAINST_EVALS);
  const struct {
    double error, work;
    int kind;
  } cases[] = {{1e-3, 31.6227766, DLS_NEED_MEASURED},
               {1e-5, 316.227766, DLS_NEED_MEASURED},
               {0.1, 10, DLS_NEED_AT_MOST},
               {1.1e-8, 9534.62589, DLS_NEED_EXTRAPOLATED}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const dls_work_need need = dls_work_needed(work, &work->lines[0], cases[i].error);
    assert_close(need.work / cases[i].work, 1, 1e-5);
    assert_int_equal((int)need.kind, cases[i].kind);
  }
  assert_true(
      isnan(dls_work_needed(work, &work->lines[0], 0.9e-8).work)); /* 1.05e4: more than ten times 1000 */
  dls_work_destroy(work);
  dls_order_destroy(runs);
}

/* A scheme that runs once, with its own tolerance of 1e-3, has no slope: nothing is extrapolated. */
DLS_TEST(without_a_slope_nothing_is_extrapolated)
{
  const dls_scheme_choice scheme = {&toy_tol, ""};
  const dls_order_spec spec = toy_spec(1, &scheme);
  dls_order_study *runs = toy_run(&spec);
  dls_work_study *work = fitted(runs, DLS_AGAINST_STEPS);
  assert_false(work->lines[0].fitted);
  assert_true(isnan(dls_work_needed(work, &work->lines[0], 1e-4).work));
  const dls_work_need need = dls_work_needed(work, &work->lines[0], 1e-2);
  assert_close(need.work, 16, 0);
  assert_int_equal((int)need.kind, DLS_NEED_AT_MOST);
  dls_work_destroy(work);
  dls_order_destroy(runs);
}

DLS_TEST(failed_runs_stay_with_their_reason)
{
  const dls_scheme_choice schemes[] = {{&toy_tol, "disliked=1e-5"}, {&toy, "fail-below=0.05"}};
  dls_order_spec spec = tol_spec(2, schemes);
  dls_order_study *runs = toy_run(&spec);
  assert_int_equal(runs->point_count, 3 + 6);
  assert_true(isnan(runs->points[2].error.value));
  dls_work_study *work = fitted(runs, DLS_AGAINST_EVALS);
  char *table = written(dls_work_write_table, work);
  char *report = written(dls_work_write_report, work);
  char *errors = written(dls_work_write_errors, work);
  assert_in(table, "1 of 1 runs failed");
  assert_in(table, "failed: toy-tol:disliked=1e-5, tolerance 1e-06, max of v: toy-tol at t = 0: the toy "
                   "dislikes tolerances");
  assert_in(
      report,
      "failed: toy:fail-below=0.05, step 0.025 s, max of v: toy at t = 0: the toy dislikes steps below 0.05");
  assert_in(table, "toy dislikes steps below 0.05\n  failed: 3 more runs for the same reason\n");
  assert_in(report, "\nfailures: 5\n");
  assert_in(errors,
            "bouncing-ball,toy-tol,disliked=1e-5,nan,9.9999999999999995e-07,max,v,nan,nan,0,0,0,997,2,1,");
  assert_false(work->lines[0].fitted); /* two levels are left */
  free(table);
  free(report);
  free(errors);
  dls_work_destroy(work);
  dls_order_destroy(runs);
}

DLS_TEST(the_files_have_the_columns_of_the_contract)
{
  const dls_scheme_choice schemes[] = {{&toy_tol, ""}, {&toy, "order=2,constant=5"}};
  const dls_order_spec spec = tol_spec(2, schemes);
  dls_order_study *runs = toy_run(&spec);
  dls_work_study *work = fitted(runs, DLS_AGAINST_PROBLEMS);
  char *errors = written(dls_work_write_errors, work);
  char *slopes = written(dls_work_write_slopes, work);
  char *report = written(dls_work_write_report, work);
  const char *header = "model,scheme,options,step,tol,norm,of,error,bound,steps,rejected,problems,force_evals,"
                       "lcp_solves,factorizations,wall_seconds\n";
  assert_memory_equal(errors, header, strlen(header));
  assert_in(errors, "\nbouncing-ball,toy-tol,,nan,0.01,max,v,0.0");
  assert_in(errors, ",8,8,40,7,2,1,"); /* steps to factorizations */
  assert_in(errors, "\nbouncing-ball,toy,\"order=2,constant=5\",0.10000000000000001,nan,max,v,0.05");
  assert_in(errors, ",9,0,9,9,0,0,"); /* a scheme that tells no problems has one for each step */
  header = "model,scheme,options,norm,of,work,slope,ci_low,ci_high,work_min,work_max,points,reason\n";
  assert_memory_equal(slopes, header, strlen(header));
  assert_in(slopes,
            "\nbouncing-ball,toy-tol,,max,v,problems,nan,nan,nan,nan,nan,0,fewer than 3 "); /* always 40 */
  assert_in(slopes, "\nbouncing-ball,toy,\"order=2,constant=5\",max,v,problems,-1.999999999");
  const char *const lines[] = {"version: delassus ", "\ncompiler: ",           "\ncpu: ",
                               "\ndate: 2",          "\nseed: 42\n",           "\nwork: one-step problems",
                               "\nwall_seconds: of", "\nconcurrent runs: 1\n", "\ntolerances: 0.01 to ",
                               "\ncomplete: yes\n",  "\nfailures: 0\n"};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    assert_in(report, lines[i]);
  }
  free(errors);
  free(slopes);
  free(report);
  dls_work_destroy(work);
  dls_order_destroy(runs);
}

DLS_TEST(timings_are_runs_of_their_own)
{
  const dls_scheme_choice scheme = {&toy_tol, ""};
  dls_order_spec spec = tol_spec(1, &scheme);
  spec.levels = 0;
  spec.timings = 3;
  starts = 0;
  dls_order_study *runs = toy_run(&spec);
  assert_int_equal(starts, 3 * (1 + 1 + 3));
  assert_close((double)runs->points[0].work.force_evals, 7, 0); /* of one run, not of four */
  dls_order_destroy(runs);
}

DLS_TEST(an_interrupted_study_is_whole)
{
  const dls_scheme_choice scheme = {&toy_tol, ""};
  dls_order_spec spec = tol_spec(1, &scheme);
  spec.poll = toy_stop_at_once;
  dls_order_study *runs = toy_run(&spec);
  dls_work_study *work = fitted(runs, DLS_AGAINST_STEPS);
  char *table = written(dls_work_write_table, work);
  char *slopes = written(dls_work_write_slopes, work);
  assert_in(table, "interrupted");
  assert_in(slopes, "bouncing-ball,toy-tol,,max,v,steps,nan,");
  free(table);
  free(slopes);
  dls_work_destroy(work);
  dls_order_destroy(runs);
}

static void assert_refused(const dls_order_spec *spec, const char *text)
{
  dls_error err = {0};
  dls_order_study *study = NULL;
  assert_true(dls_order_run(spec, &study, &err) < 0);
  assert_null(study);
  assert_in(err.text, text);
}

DLS_TEST(what_makes_no_study_is_refused)
{
  const dls_scheme_choice schemes[] = {{&toy_tol, ""}, {&toy_tol, "disliked=0.1,tol=1e-3"}, {&toy_event, ""}};
  dls_error err = {0};
  dls_work_study *work = NULL;
  dls_order_study *runs = NULL;
  dls_order_spec bad = tol_spec(1, schemes);
  bad.tol_last = 1e-7;
  assert_refused(&bad, "scheme toy-tol: tol = 1e-07 is outside [1e-06, 0.5]");
  bad.tol_last = bad.tol_first;
  assert_refused(&bad, "last tolerance = 0.01 is not allowed: it must differ from the first");
  bad.tol_last = NAN;
  assert_refused(&bad, "last tolerance = nan");
  bad = tol_spec(1, schemes);
  bad.tol_levels = 1;
  assert_refused(&bad, "number of tolerances = 1");
  bad = tol_spec(2, schemes);
  assert_refused(&bad, "scheme toy-tol:disliked=0.1,tol=1e-3 sets the option tol");
  bad = tol_spec(3, schemes);
  bad.schemes = &schemes[2];
  bad.scheme_count = 1;
  assert_refused(&bad, "scheme toy-event has no option tol");
  bad = tol_spec(1, schemes);
  runs = toy_run(&bad);
  assert_int_equal(dls_work_fit(runs, DLS_AGAINST_STEP, &work, &err), DLS_ERR_ARG);
  assert_null(work);
  dls_order_destroy(runs);
}

/* Work in force evaluations for an error of 1e-6, from the runs alone: the cheapest that reaches it. */
static double force_evals_reaching(const dls_order_study *runs, size_t scheme, double error)
{
  double least = NAN;
  for (size_t i = 0; i < runs->point_count; i++) {
    const dls_order_point *point = &runs->points[i];
    if (point->scheme == scheme && point->error.value <= error) {
      least = fmin(least, (double)point->work.force_evals);
    }
  }
  return least;
}

/* Force evaluations of a scheme for an error it does not reach, by its fitted slope. */
static double force_evals_extrapolated(const dls_order_study *runs, size_t scheme, double error)
{
  double work[200], errors[200];
  size_t count = 0;
  dls_fit fit;
  for (size_t i = 0; i < runs->point_count && count < 200; i++) {
    if (runs->points[i].scheme == scheme) {
      work[count] = (double)runs->points[i].work.force_evals;
      errors[count++] = runs->points[i].error.value;
    }
  }
  assert_int_equal(dls_fit_order(count, work, errors, 0, &fit, NULL), DLS_OK);
  assert_between(fit.order, -1.2, -0.7); /* order one */
  return pow(error / fit.constant, 1 / fit.order);
}

/* Moreau-Jean's 1e-6 would take some 1e7 steps: more than ten times those at 1e-3 s. */
DLS_TEST(higher_order_is_a_hundred_times_cheaper_at_1e_6)
{
  const char *const texts[] = {"moreau-jean", "rk-moreau:method=rk4", "rk-moreau", "event-driven",
                               "event-driven:method=erk"};
  dls_scheme_choice choices[5];
  dls_order_spec spec = oscillator_spec(5, texts, choices);
  spec.h_first = 0.1;
  spec.h_last = 1e-3;
  spec.levels = 8;
  spec.repeats = 8;
  spec.tol_levels = 7;
  spec.tol_first = 1e-4;
  spec.tol_last = 1e-10;
  dls_order_study *runs = toy_run(&spec);
  dls_work_study *work = fitted(runs, DLS_AGAINST_EVALS);
  const dls_work_need order_one = dls_work_needed(work, &work->lines[0], 1e-6);
  const double most =
      10 * work->lines[0].fit.h_max; /* no extrapolation beyond: it is less than what is needed */
  assert_true(isnan(order_one.work));
  const double force_evals = force_evals_extrapolated(runs, 0, 1e-6);
  for (size_t i = 1; i < 5; i++) {
    const dls_work_need need = dls_work_needed(work, &work->lines[i], 1e-6);
    assert_true(need.kind != DLS_NEED_EXTRAPOLATED);
    assert_between(need.work, 50, 2000);
    assert_between(most / need.work, 100, 1e6);
    assert_between(force_evals / force_evals_reaching(runs, i, 1e-6), 100, 1e6);
  }
  dls_work_destroy(work);
  dls_order_destroy(runs);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slopes_of_closed_forms_come_out),
      cmocka_unit_test(errors_that_fall_exponentially_have_no_slope),
      cmocka_unit_test(every_measure_of_work_counts_what_was_rejected),
      cmocka_unit_test(counters_are_those_of_single_runs),
      cmocka_unit_test(smaller_tolerances_have_smaller_errors_and_more_work),
      cmocka_unit_test(the_work_for_an_error_is_read_off),
      cmocka_unit_test(without_a_slope_nothing_is_extrapolated),
      cmocka_unit_test(failed_runs_stay_with_their_reason),
      cmocka_unit_test(the_files_have_the_columns_of_the_contract),
      cmocka_unit_test(timings_are_runs_of_their_own),
      cmocka_unit_test(an_interrupted_study_is_whole),
      cmocka_unit_test(what_makes_no_study_is_refused),
      cmocka_unit_test(higher_order_is_a_hundred_times_cheaper_at_1e_6),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
