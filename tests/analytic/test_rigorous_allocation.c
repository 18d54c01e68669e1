/* test_rigorous_allocation.c -- enclosures of solutions and of distances: allocation number k fails, for k = 1, 2, ... until all goes
 * well; each time there is an error, nothing crashes and nothing is left behind. What the library of balls allocates is not reached.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include "rigorous_problem.h"

DLS_TEST(a_table_without_memory_is_an_error)
{
  static const char *const models[] = {"rope", "puck"};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    model_text text;
    dls_rigorous_problem problem = problem_of(models[i], "0.8", &text);
    assert_between((double)fail_each_in_turn(rigorous_solve, &problem), 10, 5000);
    problem.time_count = 2;
    problem.times = (const char *const[]){"0", "0.25"};
    assert_between((double)fail_each_in_turn(rigorous_solve, &problem), 10, 5000);
  }
}

DLS_TEST(a_distance_without_memory_is_an_error)
{
  double t[NODES], x[NODES];
  model_text text;
  dls_rigorous_distance_problem problem = chords(&text, t, x);
  problem.norm = DLS_RIGOROUS_HAUSDORFF;
  assert_between((double)fail_each_in_turn(rigorous_measure, &problem), 2, 1000);
  problem.norm = DLS_RIGOROUS_L1;
  assert_between((double)fail_each_in_turn(rigorous_measure, &problem), 2, 1000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_table_without_memory_is_an_error),
      cmocka_unit_test(a_distance_without_memory_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
