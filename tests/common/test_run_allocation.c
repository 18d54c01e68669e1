/* test_run_allocation.c -- runs in which every kind of contact problem is laid out and solved: allocation number k fails, for
 * k = 1, 2, ... until all goes well; each time there is an error, nothing crashes and nothing is left behind.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include "run_cases.h"

DLS_TEST(every_failed_allocation_is_an_error)
{
  static const run_case cases[] = {
      {"bead-column:N=5", "moreau-jean", 1e-2, 0.3},
      {"bead-column:N=150,gap=0", "moreau-jean", 1e-3, 0.002},
      {"lattice-pile:rows=3,columns=3,mu=0.3", "moreau-jean", 1e-3, 0.002},
      {"lattice-pile:rows=27,columns=27", "moreau-jean", 1e-3, 0.002},
      {"block-wall:rows=2,columns=2", "moreau-jean", 1e-3, 0.002},
      {"block-wall:rows=2,columns=1,dim=3", "moreau-jean", 1e-3, 0.002},
      {"block-wall:rows=2,columns=1,dim=3", "event-driven", 0, 0.01},
      {"block-pyramid:rows=7,columns=7", "moreau-jean", 1e-3, 0.002},
      {"block-pyramid:rows=7,columns=7", "event-driven", 0, 1e-4},
      {"block-column:rows=2,columns=1,e=0.5 poisson", "moreau-jean", 1e-2, 0.1},
      {"elastic-block", "moreau-jean", 1e-3, 0.002},
      {"bead-column:N=3,gap=0,e=0.5", "spring-damper", 1e-3, 0.01},
      {"bead-column:N=150,gap=0", "conserving-penalty", 1e-3, 0.002},
      {"block-wall:rows=2,columns=2", "conserving-penalty", 1e-3, 0.002},
      {"block-wall:rows=2,columns=1,dim=3", "conserving-penalty", 1e-3, 0.002},
      {"pendulum-chain:N=3", "moreau-jean", 1e-2, 0.3},
      {"pendulum-chain:N=60", "moreau-jean", 1e-2, 0.02},
      {"slider-crank-clearance", "moreau-jean", 1e-5, 0.001},
      {"slider-crank-clearance", "event-driven", 0, 0.03},
      {"bouncing-pendulum-natural", "event-driven:method=bdf", 0, 0.5},
  };
  const size_t failures = sum_over_cases(sizeof cases / sizeof *cases, cases, fail_each_in_turn);
  assert_between((double)failures, 1000, 20000);
}

/* A sweep creates as many systems and sims as it has runs: blocks that a run takes, with its system. */
DLS_TEST(small_runs_take_few_blocks)
{
  static const run_case cases[] = {{"bouncing-ball", "moreau-jean", 1e-2, 0.3},
                                   {"rocking-block", "moreau-jean", 1e-2, 0.03},
                                   {"ball-chain", "moreau-jean", 1e-2, 0.03}};
  static const double most[] = {40, 60, 40};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_between((double)sum_over_cases(1, &cases[i], fail_each_in_turn), 20, most[i]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_failed_allocation_is_an_error),
                                     cmocka_unit_test(small_runs_take_few_blocks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
