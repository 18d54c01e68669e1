/* tests/experiments/test_figure_styles.c -- the twelve styles of curves: apart in colour, in dashes and in marks, each by itself.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/show/figure.h"
#include <stdlib.h>
#include <string.h>

enum { STYLES = 12 };

/* Lightness of a colour, 0 to 1. */
static double grey_of(const char *colour)
{
  const unsigned long value = strtoul(colour + 1, NULL, 16);
  return (0.299 * (double)(value >> 16 & 255) + 0.587 * (double)(value >> 8 & 255) +
          0.114 * (double)(value & 255)) /
         255;
}

static bool same_dash(dls_dash a, dls_dash b)
{
  const double *p = dls_dash_pattern(a), *q = dls_dash_pattern(b);
  return a == b || (p != NULL && q != NULL && memcmp(p, q, 8 * sizeof *p) == 0);
}

static void no_style_repeats_a_colour_a_dash_or_a_mark(void **state)
{
  (void)state;
  for (size_t i = 0; i < STYLES; i++) {
    const dls_style a = dls_style_of(i);
    assert_between(grey_of(a.colour), 0, 0.75); /* legible on white */
    for (size_t j = i + 1; j < STYLES; j++) {
      const dls_style b = dls_style_of(j);
      assert_string_not_equal(a.colour, b.colour);
      assert_false(same_dash(a.dash, b.dash));
      assert_int_not_equal(a.point, b.point);
    }
  }
  assert_string_equal(dls_style_of(STYLES).colour, dls_style_of(0).colour);
}

/* Dashes and gaps in turn, an even number of them, so that one period is as drawn by both writers. */
static void patterns_have_dashes_and_gaps(void **state)
{
  (void)state;
  for (int dash = DLS_SOLID; dash < DLS_DASHES_END; dash++) {
    const double *pattern = dls_dash_pattern((dls_dash)dash);
    size_t count = 0;
    while (pattern != NULL && pattern[count] > 0) {
      count++;
    }
    assert_int_equal(count % 2, 0);
    assert_true((count > 0) == (dash != DLS_SOLID));
  }
}

static void filled_marks_have_hollow_ones(void **state)
{
  (void)state;
  assert_int_equal(dls_point_hollow(DLS_DISC), DLS_CIRCLE);
  assert_int_equal(dls_point_hollow(DLS_SQUARE), DLS_HOLLOW_SQUARE);
  assert_int_equal(dls_point_hollow(DLS_DIAMOND), DLS_HOLLOW_DIAMOND);
  assert_int_equal(dls_point_hollow(DLS_PLUS), DLS_PLUS);
  assert_int_equal(dls_point_hollow(DLS_STAR), DLS_STAR);
  assert_int_equal(dls_point_hollow(DLS_CIRCLE), DLS_CIRCLE);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_style_repeats_a_colour_a_dash_or_a_mark),
                                     cmocka_unit_test(patterns_have_dashes_and_gaps),
                                     cmocka_unit_test(filled_marks_have_hollow_ones)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
