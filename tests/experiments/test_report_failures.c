/* test_report_failures.c -- the streams in memory of a page are closed: when it is finished, when it is abandoned, and when one of
 * them cannot be opened.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "scratch.h"

#include "common/base/text.h"
#include "experiments/show/report.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_OPEN = 8 };
static FILE *streams[MOST_OPEN]; /* open ones in memory */
static size_t until_failure;     /* 0: every stream can be opened */

static size_t open_count(void)
{
  size_t count = 0;
  for (size_t i = 0; i < MOST_OPEN; i++) {
    count += streams[i] != NULL;
  }
  return count;
}

/* The first place that holds `old` takes `new`. @return whether there is one */
static bool replace(FILE *old, FILE *new)
{
  for (size_t i = 0; i < MOST_OPEN; i++) {
    if (streams[i] == old) {
      streams[i] = new;
      return true;
    }
  }
  return false;
}

#define FAILING_STREAM(name, type, parameters)                                                                 \
  type __real_##name parameters;                                                                               \
  type __wrap_##name parameters;                                                                               \
  type __wrap_##name parameters
FAILING_STREAM(dls_text_stream, FILE *, (char **text, size_t *size))
{
  FILE *stream = until_failure > 0 && --until_failure == 0 ? NULL : __real_dls_text_stream(text, size);
  assert_true(stream == NULL || replace(NULL, stream));
  return stream;
}
FAILING_STREAM(fclose, int, (FILE * stream))
{
  replace(stream, NULL);
  return __real_fclose(stream);
}

static dls_report *begun(void)
{
  dls_error err = {0};
  dls_report *report = NULL;
  assert_ok(dls_report_begin("title", &report, &err), err);
  assert_int_equal(open_count(), 1); /* Markdown */
  dls_report_section(report, "section");
  dls_report_paragraph(report, "%s", "text");
  return report;
}

DLS_TEST(an_abandoned_page_closes_its_streams)
{
  dls_report_abandon(begun());
  assert_int_equal(open_count(), 0);
  dls_report_abandon(NULL);
}

DLS_TEST(a_finished_page_closes_its_streams)
{
  char path[DLS_TEST_PATH];
  dls_error err = {0};
  dls_test_file(dls_test_folder(NULL), "report.html", path);
  assert_ok(dls_report_finish(begun(), path, &err), err);
  assert_int_equal(access(path, F_OK), 0);
  assert_int_equal(open_count(), 0);
}

DLS_TEST(a_page_that_lacks_something_is_not_written)
{
  char path[DLS_TEST_PATH];
  dls_error err = {0};
  dls_report *report = begun();
  dls_test_file(dls_test_folder(NULL), "report.html", path);
  dls_report_out_of_memory(report);
  assert_int_equal(dls_report_finish(report, path, &err), DLS_ERR_MEMORY);
  assert_int_not_equal(access(path, F_OK), 0);
  assert_int_equal(open_count(), 0);
}

DLS_TEST(a_page_that_cannot_begin_closes_its_streams)
{
  dls_error err = {0};
  dls_report *report = NULL;
  until_failure = 1;
  assert_int_equal(dls_report_begin("title", &report, &err), DLS_ERR_MEMORY);
  assert_null(report);
  assert_non_null(strstr(err.text, "no memory for the report 'title'"));
  assert_int_equal(open_count(), 0);
}

/* Streams of the table of contents and of the body. */
DLS_TEST(a_page_that_cannot_end_closes_its_streams)
{
  char path[DLS_TEST_PATH];
  dls_test_file(dls_test_folder(NULL), "unfinished.html", path);
  for (size_t k = 1; k <= 2; k++) {
    dls_error err = {0};
    dls_report *report = begun();
    until_failure = k;
    assert_int_equal(dls_report_finish(report, path, &err), DLS_ERR_MEMORY);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(open_count(), 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_abandoned_page_closes_its_streams),
      cmocka_unit_test(a_finished_page_closes_its_streams),
      cmocka_unit_test(a_page_that_lacks_something_is_not_written),
      cmocka_unit_test(a_page_that_cannot_begin_closes_its_streams),
      cmocka_unit_test(a_page_that_cannot_end_closes_its_streams),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
