/* test_report_allocation.c -- a page or an animation is made, or there is no memory: nothing between, nothing left
 * behind.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include "runs.h"
#include "scratch.h"

#include "experiments/show/animation.h"
#include "experiments/show/report.h"
#include <delassus/catalogue.h>
#include <stdio.h>
#include <unistd.h>

static char path[DLS_TEST_PATH];

static dls_status make_page(dls_error *err)
{
  dls_report *report = NULL;
  const dls_status status = dls_report_begin("title", &report, err);
  if (status != DLS_OK) {
    assert_null(report);
    return status;
  }
  dls_report_section(report, "section");
  dls_report_paragraph(report, "%s", "text");
  dls_report_entry(report, "name", "%d", 1);
  assert_int_equal(dls_report_figure(report, "<svg></svg>", NULL, "t", "c", NULL), DLS_OK);
  return dls_report_finish(report, path, err);
}

/* The streams in memory are the C library's own: only a sanitizer sees whether they are left. */
DLS_TEST(a_page_is_whole_or_there_is_no_memory)
{
  dls_status status = DLS_ERR_MEMORY;
  dls_test_file(dls_test_folder(NULL), "report.html", path);
  size_t k = 1;
  for (; status != DLS_OK; k++) {
    dls_error err = {0};
    failed = false;
    until_failure = k;
    status = make_page(&err);
    until_failure = 0;
    assert_int_equal(status == DLS_OK, !failed);
    assert_int_equal(access(path, F_OK) == 0, status == DLS_OK);
    assert_true(status == DLS_OK || err.text[0] != '\0');
  }
  assert_between((double)k, 5, 100);
}

DLS_TEST(an_animation_is_whole_or_there_is_no_memory)
{
  test_run run = dls_test_run("two-ball-oscillator", "event-driven", 0, 1);
  const dls_model *model = dls_model_find("two-ball-oscillator", NULL);
  double p[20];
  dls_option_defaults(model->parameters, p);
  size_t k = 1;
  for (dls_status status = DLS_ERR_MEMORY; status != DLS_OK; k++) {
    dls_error err = {0};
    dls_animation *animation = NULL;
    live = 0;
    failed = false;
    until_failure = k;
    status = dls_animation_make(model, p, run.traj, 21, &animation, &err);
    until_failure = 0;
    assert_int_equal(status == DLS_OK, !failed);
    assert_int_equal(animation != NULL, status == DLS_OK);
    dls_animation_destroy(animation);
    assert_int_equal(live, 0);
  }
  assert_between((double)k, 10, 200);
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_page_is_whole_or_there_is_no_memory),
      cmocka_unit_test(an_animation_is_whole_or_there_is_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
