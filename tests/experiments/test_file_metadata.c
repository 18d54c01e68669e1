/* test_file_metadata.c -- only lines "# key: value" at the head of a file are metadata.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/extra/foreign/file_metadata.h"
#include "scratch.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void assert_value(const char *text, bool expected, const char *value)
{
  char path[DLS_TEST_PATH], read[40] = "";
  bool found = false;
  dls_error err = {0};
  dls_test_file(dls_test_folder(NULL), "file.csv", path);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  assert_ok(dls_file_metadata(path, "key", read, sizeof read, &found, &err), err);
  assert_true(found == expected);
  assert_string_equal(read, value);
  unlink(path);
}

DLS_TEST(the_first_line_with_the_key_has_the_value)
{
  assert_value("# other: 1\n# key:  a value: with a colon\n# key: second\nt,q0\n", true,
               "a value: with a colon");
  assert_value("# key:\n", true, "");
}

DLS_TEST(other_lines_have_none)
{
  assert_value("#xkey: no blank behind the mark\n# key: right\n", true, "right");
  assert_value("# key without a colon\n# key: right\n", true, "right");
  assert_value("t,q0\n# key: behind the head\n", false, "");
  assert_value("# key : another key\n", false, "");
  assert_value("", false, "");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_first_line_with_the_key_has_the_value),
      cmocka_unit_test(other_lines_have_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
