/* tests/experiments/test_order_plan.c -- what a plan says of runs, steps, bytes and memory, against the study that is then made.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/measures/order/order_journal.h"
#include "experiments/measures/sweep/plan.h"
#include "toy_study.h"
#include <stdlib.h>
#include <string.h>

/* What the study writes: a line of the journal for each run, and errors.csv. */
static double bytes_of(const dls_order_study *study, size_t a_run)
{
  char *text = NULL;
  size_t table = 0;
  double sum = 0;
  const dls_journal_form form = dls_order_journal_form(&study->spec);
  for (size_t i = 0; i < study->point_count; i += a_run) {
    const size_t cell = i / a_run;
    size_t size = 0;
    free(dls_journal_lines(&form, &study->spec, study->points + i, &cell, 1, 1234567, &size));
    sum += (double)size;
  }
  FILE *out = open_memstream(&text, &table);
  assert_int_equal(dls_order_write_errors(study, out), DLS_OK);
  fclose(out);
  free(text);
  return sum + (double)table;
}

DLS_TEST(a_plan_is_that_of_the_study)
{
  static const char *const of[] = {"q", "v", "q0"};
  const dls_norm *norms[] = {dls_norm_find("max"), dls_norm_find("l1")};
  const dls_scheme_choice schemes[] = {{&toy, ""}, {&toy_event, ""}, {&toy, "order=2"}};
  dls_order_spec spec = toy_spec(3, schemes);
  spec.norm_count = 2;
  spec.norms = norms;
  spec.of_count = 3;
  spec.of = of;
  dls_plan plan;
  dls_error err = {0};
  assert_ok(dls_plan_make(&(dls_grid_spec){.errors = spec}, &plan, &err), err);
  dls_order_study *study = toy_run(&spec);
  double steps = 0;
  for (size_t i = 0; i < study->point_count; i += 6) {
    steps += study->points[i].scheme != 1 ? (double)study->points[i].work.steps : 0;
  }
  assert_int_equal(plan.runs, study->point_count / 6);
  assert_int_equal(plan.units, plan.runs);
  assert_close(plan.steps / steps, 1, 0.1); /* steps of a repeat are drawn around those of the level */
  assert_close(plan.bytes / bytes_of(study, 6), 1, 0.1);
  assert_close(plan.memory - plan.bytes, (double)(study->point_count * sizeof *study->points), 0);
  assert_between(plan.longest, 0, plan.seconds);
  dls_order_destroy(study);
}

/* Each tolerance has its own runs; without tolerances there is one run. */
DLS_TEST(a_plan_counts_tolerances)
{
  dls_scheme_choice scheme;
  dls_plan plan;
  dls_error err = {0};
  assert_ok(dls_scheme_choose("event-driven", &scheme, &err), err);
  dls_order_spec spec = toy_spec(1, &scheme);
  assert_ok(dls_plan_make(&(dls_grid_spec){.errors = spec}, &plan, &err), err);
  assert_int_equal(plan.runs, 1);
  spec.tol_first = 1e-4;
  spec.tol_last = 1e-8;
  spec.tol_levels = 5;
  spec.repeats = 2;
  assert_ok(dls_plan_make(&(dls_grid_spec){.errors = spec}, &plan, &err), err);
  dls_order_study *study = toy_run(&spec);
  assert_int_equal(plan.runs, study->point_count);
  assert_true(plan.longest > 0);
  assert_close(plan.seconds / plan.longest, (double)plan.runs, 1e-9);
  assert_close(plan.bytes / bytes_of(study, 1), 1, 0.1);
  dls_order_destroy(study);
}

DLS_TEST(a_plan_that_is_stopped_says_so)
{
  const dls_scheme_choice scheme = {&toy, ""};
  dls_order_spec spec = toy_spec(1, &scheme);
  dls_plan plan;
  dls_error err = {0};
  spec.poll = toy_stop_at_once;
  assert_int_equal(dls_plan_make(&(dls_grid_spec){.errors = spec}, &plan, &err), DLS_ERR_INTERRUPTED);
  assert_non_null(strstr(err.text, "the trial of toy did not end"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_plan_is_that_of_the_study),
      cmocka_unit_test(a_plan_counts_tolerances),
      cmocka_unit_test(a_plan_that_is_stopped_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
