/* test_frechet.c -- may two polylines be walked along within a reach? Pairs whose distance is known to the last bit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/frechet.h"
#include "check.h"
#include <math.h>

enum { MOST = 8 };

static bool within(size_t count_a, double *a, size_t count_b, double *b, double reach)
{
  double row[MOST];
  const dls_chain one = {count_a, 2, a}, other = {count_b, 2, b};
  return dls_frechet_within(&one, &other, reach, row) && dls_frechet_within(&other, &one, reach, row);
}

static void assert_apart(size_t count_a, double *a, size_t count_b, double *b, double distance)
{
  assert_true(within(count_a, a, count_b, b, distance));
  assert_true(within(count_a, a, count_b, b, 2 * distance));
  assert_false(within(count_a, a, count_b, b, nextafter(distance, 0)));
}

/* The reach itself is enough, a bit less is not: beside each other, where they begin, and where they end. The norm is the largest of both
 * coordinates, or Euclid's: they agree here. */
DLS_TEST(the_reach_is_the_distance)
{
  double line[] = {0, 0, 1, 0, 2, 0}, beside[] = {0, 1, 2, 1}, from[] = {0, -0.5, 2, 0}, to[] = {0, 0, 2, 0.75};
  assert_apart(3, line, 2, beside, 1);
  assert_apart(3, line, 2, from, 0.5);
  assert_apart(3, line, 2, to, 0.75);
}

/* A peak of height 1 is not walked past. */
DLS_TEST(a_peak_counts)
{
  double flat[] = {0, 0, 4, 0}, peak[] = {0, 0, 2, 0, 2, 1, 2, 0, 4, 0};
  assert_true(within(2, flat, 5, peak, 1));
  assert_false(within(2, flat, 5, peak, 1 - 1e-12));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_reach_is_the_distance),
      cmocka_unit_test(a_peak_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
