/* tests/experiments/test_pgfplots_allocation.c -- pictures for TeX where each allocation fails in turn.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/show/pgfplots.h"
#include "failing_malloc.h"

static dls_status write_picture(const void *data, dls_error *err)
{
  const dls_canvas canvas = dls_canvas_file("a.tex", DLS_PLOT_JOURNAL);
  return dls_pgfplots_write((FILE *)data,
                            "$a << EOD\n1 2\nEOD\nset label 'x' at 1,2 left\nplot $a using 1:2 with lines\n",
                            &canvas, 300, err);
}

static void nothing_is_left_and_the_error_is_told(void **state)
{
  (void)state;
  FILE *out = fopen("/dev/null", "w");
  assert_non_null(out);
  assert_between((double)fail_each_in_turn(write_picture, out), 2, 20);
  fclose(out);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_left_and_the_error_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
