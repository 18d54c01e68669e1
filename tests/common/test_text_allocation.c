/* tests/common/test_text_allocation.c -- a stream into memory: what it has is whole, or closing it fails.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/base/text.h"
#include "failing_malloc.h"
#include <stdlib.h>
#include <string.h>

enum { LINES = 3000 };

/* The longest that can be: many times what a stream holds back. @return 0 if all went well */
static int write_lines(char **text, size_t *size)
{
  FILE *out = dls_text_stream(text, size);
  if (out == NULL) {
    assert_null(*text);
    return -1;
  }
  for (int i = 0; i < LINES; i++) {
    fprintf(out, "line %04d\n", i);
  }
  return fclose(out);
}

static void assert_whole(const char *text, size_t size)
{
  assert_int_equal(size, 10 * LINES);
  assert_int_equal(strlen(text), size);
  for (int i = 0; i < LINES; i++) {
    char line[20];
    snprintf(line, sizeof line, "line %04d\n", i);
    assert_memory_equal(text + 10 * i, line, 10);
  }
}

DLS_TEST(a_stream_without_memory_says_so)
{
  for (size_t k = 1;; k++) {
    char *text = NULL;
    size_t size = 0;
    failed = false;
    live = 0;
    until_failure = k;
    const int closed = write_lines(&text, &size);
    until_failure = 0;
    assert_true(failed == (closed != 0)); /* a hole is never silent */
    if (closed == 0) {
      assert_whole(text, size);
    }
    free(text);
    assert_int_equal(live, 0);
    if (!failed) {
      assert_true(k > 5); /* it grew several times */
      break;
    }
  }
}

DLS_TEST(an_empty_stream_is_an_empty_text)
{
  char *text = NULL;
  size_t size = 7;
  FILE *out = dls_text_stream(&text, &size);
  assert_non_null(out);
  assert_int_equal(fflush(out), 0);
  assert_string_equal(text, "");
  fputs("x", out);
  assert_int_equal(fflush(out), 0);
  assert_string_equal(text, "x");
  assert_int_equal(fclose(out), 0);
  assert_int_equal(size, 1);
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stream_without_memory_says_so),
      cmocka_unit_test(an_empty_stream_is_an_empty_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
