/* tests/analytic/test_exact_allocation.c -- allocation number k of an exact table of each model fails, for k = 1, 2, ...
 * until all goes well: each time there is an error, nothing crashes and nothing is left behind.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "exact_jobs.h"
#include "failing_malloc.h"

DLS_TEST(every_failed_allocation_is_an_error)
{
  size_t swept = 0;
  for (const dls_exact *const *exact = dls_exacts(); *exact != NULL; exact++) {
    swept += has_exact_table(*exact) && fail_each_in_turn(exact_table, *exact) > 10 &&
             fail_each_in_turn(exact_rows, *exact) > 10;
  }
  assert_between((double)swept, 20, 200);
}

/* Two solutions for each distance: of few models, whose solutions are of different kinds. */
DLS_TEST(every_failed_allocation_of_derivatives_is_an_error)
{
  static const char *const models[] = {"bouncing-ball", "impacting-oscillator", "two-ball-oscillator", "belt",
                                       "rope"};
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    assert_between((double)fail_each_in_turn(exact_derivatives, dls_exact_find(models[i])), 100, 2000);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_failed_allocation_is_an_error),
      cmocka_unit_test(every_failed_allocation_of_derivatives_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
