/* tests/common/test_line.c -- lines of text files.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/base/line.h"
#include <stdlib.h>
#include <string.h>

static FILE *file_of(const char *text)
{
  FILE *file = tmpfile();
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
  rewind(file);
  return file;
}

DLS_TEST(lines_end_with_lf_or_cr_lf_or_the_file)
{
  static const char *const expected[] = {"a", "", "b\rc", "d", "last"};
  FILE *file = file_of("a\n\nb\rc\r\nd\r\nlast");
  dls_line line = {0};
  bool there = false;
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    assert_int_equal(dls_line_read(&line, file, "file", &there, NULL), DLS_OK);
    assert_true(there);
    assert_string_equal(line.text, expected[i]);
    assert_int_equal(line.number, i + 1);
  }
  assert_int_equal(dls_line_read(&line, file, "file", &there, NULL), DLS_OK);
  assert_false(there);
  assert_string_equal(line.text, "");
  free(line.text);
  fclose(file);
}

DLS_TEST(a_line_has_a_limit)
{
  FILE *zeros = fopen("/dev/zero", "rb");
  if (zeros == NULL) {
    skip();
  }
  dls_line line = {0};
  bool there = false;
  dls_error err = {0};
  assert_int_equal(dls_line_read(&line, zeros, "/dev/zero", &there, &err), DLS_ERR_PARSE);
  assert_string_equal(err.text, "/dev/zero:1: the line has more than 67108864 characters");
  assert_true(line.room <= 4 * DLS_LINE_LONGEST);
  free(line.text);
  fclose(zeros);
}

DLS_TEST(what_cannot_be_read_is_an_error)
{
  FILE *folder = fopen("/", "r");
  if (folder == NULL) {
    skip();
  }
  dls_line line = {0};
  bool there = false;
  dls_error err = {0};
  assert_int_equal(dls_line_read(&line, folder, "/", &there, &err), DLS_ERR_IO);
  assert_string_equal(err.text, "cannot read '/': Is a directory");
  free(line.text);
  fclose(folder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_end_with_lf_or_cr_lf_or_the_file),
      cmocka_unit_test(a_line_has_a_limit),
      cmocka_unit_test(what_cannot_be_read_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
