/* tests/experiments/test_order_runs.c -- runs in threads are the runs one after the other, to the last bit; what is
 * interrupted keeps every finished run and goes on as if nothing had been.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/interrupt.h"
#include "check.h"
#include "experiments/campaign/parallel.h"
#include "toy_study.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_SCHEMES = 8, MOST_POINTS = 4096 };

/* A study of catalogue schemes; choices[count] are filled in. */
static dls_order_spec spec_of(const char *model, size_t count, const char *const *texts,
                              dls_scheme_choice *choices)
{
  static const dls_norm *norms[2];
  static const char *const of[] = {"q", "v"};
  dls_error err = {0};
  for (size_t i = 0; i < count; i++) {
    assert_ok(dls_scheme_choose(texts[i], &choices[i], &err), err);
  }
  dls_order_spec spec = toy_spec(count, choices);
  norms[0] = dls_norm_find("hausdorff");
  norms[1] = dls_norm_find("l1");
  spec.model = dls_model_find(model, NULL);
  assert_non_null(spec.model);
  spec.h_first = 0.05;
  spec.h_last = 0.005;
  spec.levels = 3;
  spec.repeats = 3;
  spec.norm_count = 2;
  spec.norms = norms;
  spec.of_count = 2;
  spec.of = of;
  return spec;
}

/* Everything is equal in every bit but wall_seconds; those of `b` are NaN if its runs went beside others. */
static void assert_same_runs(const dls_order_study *a, const dls_order_study *b)
{
  assert_int_equal(a->point_count, b->point_count);
  for (size_t i = 0; i < a->point_count; i++) {
    dls_order_point x = a->points[i], y = b->points[i];
    if (b->spec.jobs > 1 && b->spec.timings == 0) {
      assert_true(isnan(y.work.wall_seconds));
    }
    x.work.wall_seconds = 0;
    y.work.wall_seconds = 0;
    assert_memory_equal(&x, &y, offsetof(dls_order_point, reason));
    assert_string_equal(x.reason, y.reason);
  }
  for (size_t i = 0; i < a->line_count; i++) {
    assert_memory_equal(&a->lines[i].fit.order, &b->lines[i].fit.order, sizeof(double));
    assert_memory_equal(&a->lines[i].fit.ci_low, &b->lines[i].fit.ci_low, sizeof(double));
  }
}

static size_t failures_of(const dls_order_study *study)
{
  size_t failures = 0;
  for (size_t i = 0; i < study->point_count; i++) {
    failures += study->points[i].reason[0] != '\0';
  }
  return failures;
}

/* One job, two, four, and more than there are runs at the end of the loop. */
static void assert_jobs_do_not_matter(dls_order_spec *spec)
{
  const size_t jobs[] = {2, 4, 13};
  dls_order_study *serial = toy_run(spec);
  assert_true(serial->complete);
  for (size_t i = 0; i < 3 && dls_parallel_most() > 1; i++) {
    spec->jobs = jobs[i];
    dls_order_study *parallel = toy_run(spec);
    assert_true(parallel->complete);
    assert_same_runs(serial, parallel);
    dls_order_destroy(parallel);
  }
  dls_order_destroy(serial);
}

DLS_TEST(many_schemes_by_step_event_and_tolerance)
{
  const char *const texts[] = {
      "moreau-jean",  "schatzman-paoli",         "rk-moreau",       "moreau-jean-adaptive",
      "event-driven", "event-driven:method=erk", "splitting-rkf45", "moreau-jean-extrapolated"};
  dls_scheme_choice choices[MOST_SCHEMES];
  dls_order_spec spec = spec_of("impacting-oscillator", 8, texts, choices);
  spec.end = 3;
  spec.tol_levels = 3;
  spec.tol_first = 1e-3;
  spec.tol_last = 1e-6;
  assert_jobs_do_not_matter(&spec);
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* With more jobs than runs each run goes alone; with one job eight go side by side where the scheme and the model allow it. */
DLS_TEST(runs_side_by_side_are_those_one_by_one)
{
  static const char *const models[] = {"bouncing-ball", "impacting-oscillator", "two-ball-oscillator"};
  const char *const texts[] = {"moreau-jean", "schatzman-paoli", "nonsmooth-newmark", "moreau-jean:theta=1",
                               "rk-moreau"};
  dls_scheme_choice choices[MOST_SCHEMES];
  for (size_t i = 0; i < 3; i++) {
    dls_order_spec spec = spec_of(models[i], 5, texts, choices);
    spec.end = 2;
    const double begin = now();
    dls_order_study *together = toy_run(&spec);
    const double elapsed = now() - begin;
    double seconds = 0;
    spec.jobs = 64;
    dls_order_study *alone = toy_run(&spec);
    assert_int_equal(together->point_count, 5 * 9 * 4);
    assert_int_equal(failures_of(together), 0);
    assert_same_runs(together, alone);
    for (size_t p = 0; p < together->point_count; p++) { /* a share of what all took */
      assert_between(together->points[p].work.wall_seconds, 1e-9, 1.0);
      seconds += together->points[p].work.wall_seconds / 4; /* each run has four points */
    }
    assert_true(seconds <= elapsed);
    dls_order_destroy(together);
    dls_order_destroy(alone);
  }
}

/* grid-max needs all nodes, so that it keeps the record. */
static void assert_long_runs_are_measured_as_others(dls_order_spec *spec)
{
  const dls_norm *norms[] = {dls_norm_find("hausdorff"), dls_norm_find("l1"), dls_norm_find("grid-max")};
  spec->levels = 2;
  spec->repeats = 1;
  spec->norms = norms;
  spec->norm_count = 2;
  dls_order_study *portions = toy_run(spec);
  spec->norm_count = 3;
  dls_order_study *whole = toy_run(spec);
  const size_t each = 2 * spec->of_count; /* points of a run, whose whole record has half as many more */
  assert_int_equal(portions->point_count, 2 * each);
  assert_int_equal(failures_of(portions), 0);
  for (size_t i = 0; i < portions->point_count; i++) {
    const dls_order_point *a = &portions->points[i], *b = &whole->points[i + i / each * spec->of_count];
    assert_true(a->level == b->level && a->norm == b->norm && a->of == b->of);
    assert_close(a->error.value, b->error.value, a->error.bound + b->error.bound);
    assert_between(a->error.bound, 0, 2 * b->error.bound);
    assert_int_equal(a->work.steps, b->work.steps);
    assert_int_equal(a->quality.impacts, b->quality.impacts);
    assert_between(a->work.wall_seconds, 1e-9, 100);
  }
  dls_order_destroy(portions);
  dls_order_destroy(whole);
}

/* Two million steps of eight columns; an error of 2 m/s needs more neighbours than it is given first. */
DLS_TEST(a_long_run_is_measured_without_its_record)
{
  const char *const text[] = {"moreau-jean"};
  const char *const of = "v"; /* q has no error to be found */
  const dls_scheme_choice far = {&toy, "order=0.5,constant=3000"};
  dls_scheme_choice choice;
  dls_order_spec spec = spec_of("bouncing-ball", 1, text, &choice);
  spec.end = 2.1;
  spec.h_first = 1e-4;
  spec.h_last = 1e-6;
  assert_long_runs_are_measured_as_others(&spec);
  spec = toy_spec(1, &far);
  spec.of_count = 1;
  spec.of = &of;
  spec.end = 0.98;
  spec.h_first = 1e-4;
  spec.h_last = 4.6e-7;
  assert_long_runs_are_measured_as_others(&spec);
}

/* A nonlinear model without exact solution; BDF factors matrices of its own. */
DLS_TEST(a_nonlinear_model_against_an_event_driven_reference)
{
  const char *const texts[] = {"moreau-jean", "event-driven:method=bdf", "rk-moreau:method=gauss2"};
  dls_scheme_choice choices[MOST_SCHEMES];
  dls_order_spec spec = spec_of("bouncing-pendulum", 3, texts, choices);
  assert_jobs_do_not_matter(&spec);
}

/* Many contacts and band matrices: every run has operators and factors of its own. */
DLS_TEST(structures_with_many_contacts)
{
  const char *const texts[] = {"moreau-jean", "nonsmooth-newmark", "event-driven"};
  dls_scheme_choice choices[MOST_SCHEMES];
  dls_order_spec spec = spec_of("bead-column", 3, texts, choices);
  spec.end = 0.5;
  assert_jobs_do_not_matter(&spec);
  /* 20 elements; the bar meets the floor at t = 0.002 */
  const double bar[] = {20, 0, 900, 1, 1, 10, 0.02, -10, 0, 0, 0, 0};
  spec = spec_of("elastic-bar", 2, texts, choices);
  spec.parameters = bar;
  spec.end = 0.1;
  spec.h_first = 1e-2;
  spec.h_last = 1e-3;
  assert_jobs_do_not_matter(&spec);
}

DLS_TEST(failures_have_the_same_reasons)
{
  const dls_scheme_choice schemes[] = {{&toy, "fail-below=0.02"}, {&toy, ""}, {&toy_event, ""}};
  dls_order_spec spec = toy_spec(3, schemes);
  dls_order_study *serial = toy_run(&spec);
  assert_between((double)failures_of(serial), 4, 20);
  dls_order_destroy(serial);
  assert_jobs_do_not_matter(&spec);
}

/* --- interruption and going on --- */

/* What was kept, and when to stop. */
typedef struct shelf {
  dls_order_point points[MOST_POINTS];
  size_t count, recalled, stop_at;
  double told; /* the last fraction */
} shelf;

static bool stop_after_some(void *data, double done)
{
  shelf *s = data;
  assert_between(done, s->told - 1e-12, 1);
  s->told = done;
  return s->count < s->stop_at;
}

static dls_status keep(void *data, const dls_order_point *points, dls_error *err)
{
  shelf *s = data;
  (void)err;
  for (size_t i = 0; i < s->count; i++) { /* a run that comes again has been timed */
    if (s->points[i].scheme == points->scheme && s->points[i].level == points->level &&
        s->points[i].repeat == points->repeat) {
      s->points[i] = *points;
      return DLS_OK;
    }
  }
  s->points[s->count++] = *points;
  return DLS_OK;
}

static bool recall(void *data, dls_order_point *points)
{
  shelf *s = data;
  for (size_t i = 0; i < s->count; i++) {
    const dls_order_point *kept = &s->points[i];
    if (kept->scheme == points->scheme && kept->level == points->level && kept->repeat == points->repeat) {
      *points = *kept;
      s->recalled++;
      return true;
    }
  }
  return false;
}

static dls_order_spec on_shelf(dls_order_spec spec, shelf *s, size_t jobs)
{
  spec.jobs = jobs;
  spec.poll = stop_after_some;
  spec.poll_data = s;
  spec.keep = keep;
  spec.recall = recall;
  spec.keep_data = s;
  return spec;
}

/* One norm of one quantity, so that a run is a point. */
static void goes_on_after_every_stop(const dls_order_spec *plain, size_t jobs)
{
  dls_order_study *undisturbed = toy_run(plain);
  const size_t all = undisturbed->point_count;
  static shelf s;
  s = (shelf){0};
  for (size_t stop = all / 4; stop < all; stop += all / 4) {
    s.stop_at = stop;
    s.told = 0;
    s.recalled = 0;
    const size_t before = s.count;
    const dls_order_spec spec = on_shelf(*plain, &s, jobs);
    dls_order_study *part = toy_run(&spec);
    assert_false(part->complete);
    assert_int_equal(s.recalled, before);
    assert_int_equal(part->point_count, s.count); /* every finished run, and no other */
    assert_between((double)s.count, (double)stop, (double)(stop + jobs));
    for (size_t i = 0; i < part->point_count; i++) {
      const dls_order_point *point = &part->points[i];
      const size_t run = point->scheme * 24 + point->level * 4 + point->repeat;
      assert_memory_equal(&point->error, &undisturbed->points[run].error, sizeof point->error);
      assert_true(i == 0 || run > part->points[i - 1].scheme * 24 + part->points[i - 1].level * 4 +
                                      part->points[i - 1].repeat);
    }
    dls_order_destroy(part);
  }
  s.stop_at = MOST_POINTS;
  s.told = 0;
  const dls_order_spec spec = on_shelf(*plain, &s, jobs);
  dls_order_study *whole = toy_run(&spec);
  assert_true(whole->complete);
  assert_int_equal(s.count, all);
  assert_same_runs(undisturbed, whole);
  dls_order_destroy(whole);
  dls_order_destroy(undisturbed);
}

DLS_TEST(an_interrupted_study_goes_on_as_if_nothing_had_been)
{
  const dls_scheme_choice schemes[] = {{&toy, "fail-below=0.005"}, {&toy, "order=2"}};
  const dls_order_spec spec = toy_spec(2, schemes);
  goes_on_after_every_stop(&spec, 1);
  if (dls_parallel_most() > 1) {
    goes_on_after_every_stop(&spec, 3);
  }
}

/* A norm that passes over many pieces of graphs, and a poll that interrupts inside its call number `last`. */
enum { PIECES = 10000 };
static size_t calls, last_call;
static bool inside;

static dls_status measure_slowly(const dls_norm *self, const dls_graph *numeric, const dls_graph *reference,
                                 const dls_metric *metric, dls_measure *out, dls_error *err)
{
  (void)self, (void)numeric, (void)reference, (void)metric;
  inside = ++calls == last_call;
  dls_interrupt_after(PIECES);
  inside = false;
  *out = (dls_measure){1, 0};
  return dls_interrupt_status(err);
}

static bool stop_inside(void *data, double done)
{
  (void)data, (void)done;
  return !inside;
}

DLS_TEST(an_interrupt_in_a_distance_leaves_out_its_run)
{
  static const dls_norm slow = {.name = "slow", .measure = measure_slowly};
  const dls_norm *norms[] = {&slow};
  const dls_scheme_choice scheme = {&toy, ""};
  for (last_call = 1; last_call <= 4; last_call++) { /* the size of the reference, and runs */
    dls_order_spec spec = toy_spec(1, &scheme);
    spec.norms = norms;
    spec.poll = stop_inside;
    calls = 0;
    dls_order_study *study = toy_run(&spec);
    assert_false(study->complete);
    assert_int_equal(calls, last_call);
    assert_int_equal(study->point_count, last_call > 1 ? last_call - 2 : 0);
    assert_false(dls_interrupt_after(PIECES)); /* the study's poll is not left behind */
    dls_order_destroy(study);
  }
}

/* A run that was measured before the interruption is timed after it, and not made again. */
DLS_TEST(timings_that_are_missing_are_taken_later)
{
  static shelf s;
  s = (shelf){.stop_at = 24};
  const dls_scheme_choice scheme = {&toy, ""};
  dls_order_spec plain = toy_spec(1, &scheme);
  plain.timings = 2;
  dls_order_spec spec = on_shelf(plain, &s, dls_parallel_most() > 1 ? 2 : 1);
  dls_order_study *part = toy_run(&spec); /* stops when the first run is to be timed */
  assert_false(part->complete);
  assert_int_equal(part->point_count, 24);
  for (size_t i = 0; i < 24; i++) {
    assert_true(isnan(part->points[i].work.wall_seconds));
  }
  dls_order_destroy(part);
  s.stop_at = MOST_POINTS;
  s.told = 0;
  dls_order_study *whole = toy_run(&spec);
  assert_true(whole->complete);
  assert_int_equal(s.recalled, 24);
  assert_int_equal(s.count, 24);
  assert_close(s.told, 1, 0.3); /* nothing but timings was to be done, and it was told */
  for (size_t i = 0; i < 24; i++) {
    assert_between(whole->points[i].work.wall_seconds, 0, 1);
    assert_between(s.points[i].work.wall_seconds, 0, 1);
  }
  dls_order_destroy(whole);
}

/* The last digit of a step is that of the machine which made the run. */
DLS_TEST(a_run_of_another_step_is_refused)
{
  static shelf s;
  s = (shelf){.stop_at = MOST_POINTS};
  const dls_scheme_choice scheme = {&toy, ""};
  dls_error err = {0};
  dls_order_study *study = NULL;
  const dls_order_spec plain = toy_spec(1, &scheme);
  dls_order_spec spec = on_shelf(plain, &s, 1);
  dls_order_destroy(toy_run(&spec));
  s.points[7].step = nextafter(s.points[7].step, 1);
  dls_order_destroy(toy_run(&spec));
  s.points[7].step *= 1 + 1e-14;
  assert_int_equal(dls_order_run(&spec, &study, &err), DLS_ERR_ARG);
  assert_null(study);
  assert_non_null(strstr(err.text, "scheme toy, level 2, repeat 4: what was kept is a run with step "));
}

static dls_status cannot_keep(void *data, const dls_order_point *points, dls_error *err)
{
  shelf *s = data;
  (void)points;
  s->count++;
  return dls_fail(err, DLS_ERR_IO, "the shelf is full");
}

DLS_TEST(a_failure_to_keep_ends_the_study)
{
  static shelf s;
  const dls_scheme_choice scheme = {&toy, ""};
  const dls_order_spec plain = toy_spec(1, &scheme);
  for (size_t jobs = 1; jobs <= 2 && jobs <= dls_parallel_most(); jobs++) {
    dls_error err = {0};
    dls_order_study *study = NULL;
    s = (shelf){.stop_at = MOST_POINTS};
    dls_order_spec spec = on_shelf(plain, &s, jobs);
    spec.keep = cannot_keep;
    assert_int_equal(dls_order_run(&spec, &study, &err), DLS_ERR_IO);
    assert_string_equal(err.text, "the shelf is full");
    assert_null(study);
    assert_between((double)s.count, 1, (double)jobs);
  }
}

DLS_TEST(more_jobs_than_allowed_are_refused)
{
  const dls_scheme_choice scheme = {&toy, ""};
  dls_error err = {0};
  dls_order_study *study = NULL;
  dls_order_spec spec = toy_spec(1, &scheme);
  spec.jobs = dls_parallel_most() + 1;
  assert_int_equal(dls_order_run(&spec, &study, &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "number of jobs = "));
  assert_between((double)dls_parallel_processors(), 1, (double)dls_parallel_most());
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_schemes_by_step_event_and_tolerance),
      cmocka_unit_test(runs_side_by_side_are_those_one_by_one),
      cmocka_unit_test(a_long_run_is_measured_without_its_record),
      cmocka_unit_test(a_nonlinear_model_against_an_event_driven_reference),
      cmocka_unit_test(structures_with_many_contacts),
      cmocka_unit_test(failures_have_the_same_reasons),
      cmocka_unit_test(an_interrupted_study_goes_on_as_if_nothing_had_been),
      cmocka_unit_test(an_interrupt_in_a_distance_leaves_out_its_run),
      cmocka_unit_test(timings_that_are_missing_are_taken_later),
      cmocka_unit_test(a_run_of_another_step_is_refused),
      cmocka_unit_test(a_failure_to_keep_ends_the_study),
      cmocka_unit_test(more_jobs_than_allowed_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
