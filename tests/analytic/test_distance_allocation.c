/* test_distance_allocation.c -- distances, by coarse versions too, fits and graphs of impulses: allocation number k fails, for k = 1, 2, ...
 * until all goes well; each time there is an error, nothing crashes and nothing is left behind.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "distance_jobs.h"
#include "failing_malloc.h"

DLS_TEST(every_failed_allocation_is_an_error)
{
  size_t count = 0;
  two_graphs two = two_graphs_of(90), many = two_graphs_of(900);
  for (const dls_norm *const *norm = dls_norms(); *norm != NULL; norm++) {
    two.norm = many.norm = *norm;
    count += fail_each_in_turn(distance, &two) + fail_each_in_turn(paired_distance, &many);
  }
  assert_between((double)fail_each_in_turn(distance_in_parts, &many), 10, 1000);
  two_graphs_free(&two);
  two_graphs_free(&many);
  assert_between((double)count, 100, 10000);
  assert_between((double)fail_each_in_turn(fit_of_levels, NULL), 1, 100);
}

DLS_TEST(impulses_without_memory_are_an_error)
{
  dls_error err = {0};
  dls_trajectory *ball = NULL;
  assert_ok(dls_exact_trajectory(&dls_exact_bouncing_ball, NULL, 2.5, 1e-2, &ball, &err), err);
  assert_between((double)fail_each_in_turn(impulses, ball), 2, 100);
  dls_trajectory_destroy(ball);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_failed_allocation_is_an_error),
      cmocka_unit_test(impulses_without_memory_are_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
