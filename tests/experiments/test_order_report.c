/* tests/experiments/test_order_report.c -- what is said of a study beside its numbers: steps, how seconds were taken,
 * the columns of its table; how the fraction that is done grows; and values that are refused.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "toy_study.h"
#include <stdlib.h>
#include <string.h>

static char *report_of(const dls_order_study *study)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_int_equal(dls_order_write_report(study, out), DLS_OK);
  assert_int_equal(dls_order_write_table(study, out), DLS_OK);
  fclose(out);
  return text;
}

static void assert_says(const dls_order_spec *spec, const char *const *there, const char *const *absent)
{
  dls_order_study *study = toy_run(spec);
  char *text = report_of(study);
  for (size_t i = 0; there[i] != NULL; i++) {
    if (strstr(text, there[i]) == NULL) {
      print_error("%s\n'%s' is not there\n", text, there[i]);
      fail();
    }
  }
  for (size_t i = 0; absent[i] != NULL; i++) {
    assert_null(strstr(text, absent[i]));
  }
  free(text);
  dls_order_destroy(study);
}

DLS_TEST(steps_and_seconds_are_told)
{
  const dls_scheme_choice scheme = {&toy, ""};
  dls_order_spec spec = toy_spec(1, &scheme);
  const char *const plain[] = {
      "steps: 0.10000000000000001 to 0.0031250000000000002 s, 6 levels, 4 runs each with randomised steps\n",
      "wall_seconds: of one run with its record\n", "concurrent runs: 1\n",
      "   median step  median error   worst error   order\n", NULL};
  const char *const untimed[] = {"tolerances:", "when timed", "median of", NULL};
  assert_says(&spec, plain, untimed);
  spec.timings = 1;
  spec.jobs = 2;
  spec.repeats = 1;
  const char *const timed[] = {"wall_seconds: median of 1 runs without record, after one that warms up\n",
                               "concurrent runs: 2, when timed 1\n",
                               "6 levels, 1 runs each with the steps as they are\n", NULL};
  const char *const one_run[] = {"of one run", "randomised", NULL};
  assert_says(&spec, timed, one_run);
}

typedef struct progress {
  double last;
  size_t asked;
} progress;

/* Never back, never beyond 1. */
static bool ask(void *data, double done)
{
  progress *p = data;
  assert_between(done, p->last - 1e-12, 1 + 1e-12);
  p->last = done;
  p->asked++;
  return true;
}

DLS_TEST(the_fraction_that_is_done_only_grows)
{
  const dls_scheme_choice schemes[] = {{&toy, ""}, {&toy_event, ""}};
  dls_order_spec spec = toy_spec(2, schemes);
  progress p = {0};
  spec.poll = ask;
  spec.poll_data = &p;
  dls_order_study *study = toy_run(&spec);
  assert_true(p.asked > 25);
  assert_between(p.last, 0.9, 1);
  dls_order_destroy(study);
}

DLS_TEST(scales_of_the_metric_are_positive)
{
  const dls_scheme_choice scheme = {&toy, ""};
  const char *const names[] = {"time scale", "value scale", "accuracy of distances"};
  for (size_t k = 0; k < 3; k++) {
    dls_error err = {0};
    dls_order_study *study = NULL;
    dls_order_spec spec = toy_spec(1, &scheme);
    *(k == 0 ? &spec.metric.time_scale : k == 1 ? &spec.metric.value_scale : &spec.metric.accuracy) = 0;
    assert_int_equal(dls_order_run(&spec, &study, &err), DLS_ERR_ARG);
    assert_non_null(strstr(err.text, names[k]));
    assert_null(study);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_and_seconds_are_told),
      cmocka_unit_test(the_fraction_that_is_done_only_grows),
      cmocka_unit_test(scales_of_the_metric_are_positive),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
