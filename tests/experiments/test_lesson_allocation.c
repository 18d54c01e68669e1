/* test_lesson_allocation.c -- the page of a lesson is whole, or there is no memory: nothing between, nothing left behind.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include "scratch.h"

#include "experiments/extra/lesson/lesson.h"
#include <unistd.h>

/* Two runs of a few steps; the page's text is that of the lesson that has the name. */
static const dls_lesson small = {
    .name = "moreau-jean",
    .title = "small",
    .summary = "two runs",
    .model = "bouncing-ball",
    .settings = "q0=0.5",
    .scheme = "moreau-jean",
    .end = 1,
    .h_first = 0.1,
    .h_last = 0.2,
    .levels = 2,
    .sliders = {{DLS_LESSON_PARAMETER, "e", "e", "", "0.5", 0}},
    .panels = {{"q0", "q", "m", 0, 1, false}},
    .measures = {{"hausdorff", "v", "v", ""}, {"contact", "first_restitution", "bounce", ""}}};

DLS_TEST(a_lesson_is_whole_or_there_is_no_memory)
{
  char path[DLS_TEST_PATH];
  dls_status status = DLS_ERR_MEMORY;
  dls_test_file(dls_test_folder(NULL), "lesson.html", path);
  size_t k = 1;
  for (; status != DLS_OK; k++) {
    dls_error err = {0};
    live = 0;
    failed = false;
    until_failure = k;
    status = dls_lesson_write(&small, false, path, NULL, NULL, &err);
    until_failure = 0;
    assert_int_equal(status == DLS_OK, !failed);
    assert_int_equal(access(path, F_OK) == 0, status == DLS_OK);
    assert_true(status == DLS_OK || err.text[0] != '\0');
    assert_int_equal(live, 0);
  }
  assert_between((double)k, 50, 2000);
}

static bool stop(void *data, double done)
{
  (void)data;
  return done < 0.5;
}

DLS_TEST(an_interrupted_lesson_leaves_no_page)
{
  char path[DLS_TEST_PATH];
  dls_error err = {0};
  dls_test_file(dls_test_folder(NULL), "stopped.html", path);
  assert_int_equal(dls_lesson_write(&small, false, path, stop, NULL, &err), DLS_ERR_INTERRUPTED);
  assert_string_equal(err.text, "interrupted after 2 of 2 runs");
  assert_int_not_equal(access(path, F_OK), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_lesson_is_whole_or_there_is_no_memory),
      cmocka_unit_test(an_interrupted_lesson_leaves_no_page),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
