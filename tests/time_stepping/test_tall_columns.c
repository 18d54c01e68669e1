/* test_tall_columns.c -- iterations of contact problems do not grow with the number of bodies that lie on each other.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "runs.h"
#include <delassus/sim.h>

enum { STEPS = 100 };

typedef struct run_counts {
  double newton, pivots; /* a step */
} run_counts;

static run_counts run(const char *model, const char *scheme)
{
  test_run r = dls_test_run(model, scheme, 1e-3, 1e-3 * STEPS);
  const dls_work *work = &r.sim->work;
  const run_counts counts = {(double)work->newton_iterations / STEPS, (double)work->lcp_pivots / STEPS};
  dls_test_free(&r);
  return counts;
}

/* A column bends like a clamped beam: the proximal term of Newton's method must be small beside the least eigenvalue of W,
 * 1.8751^4 a^2 / (2 m b^2 n^4) for n boxes of width a and height b, which is 4e-8 of its diagonal for n = 96. */
DLS_TEST(impulses_of_a_tall_column_take_few_iterations_a_step)
{
  static const char *const schemes[] = {"schatzman-paoli", "stewart-trinkle", "nonsmooth-hht"};
  for (size_t k = 0; k < 3; k++) {
    const run_counts tall = run("block-column:rows=96,columns=1,v0=0.5", schemes[k]);
    assert_between(tall.pivots, 0.5, 1.6);
  }
}

/* The contacts of the last step are a guess; the boundary of the closed ones does not advance by one face each time. */
DLS_TEST(penalty_forces_of_a_tall_column_start_from_the_last_contacts)
{
  static const char *const schemes[] = {"standard-penalty", "conserving-penalty"};
  for (size_t k = 0; k < 2; k++) {
    const run_counts low = run("block-column:rows=24,columns=1,v0=0.5", schemes[k]),
                     tall = run("block-column:rows=96,columns=1,v0=0.5", schemes[k]);
    assert_between(low.newton, 1, 12);
    assert_between(tall.newton, 1, 12);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impulses_of_a_tall_column_take_few_iterations_a_step),
      cmocka_unit_test(penalty_forces_of_a_tall_column_start_from_the_last_contacts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
