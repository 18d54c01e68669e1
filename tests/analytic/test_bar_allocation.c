/* tests/analytic/test_bar_allocation.c -- allocation number k of an exact table of the bar fails, for k = 1, 2, ... until
 * all goes well: each time there is an error, nothing crashes and nothing is left behind.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include <delassus/exact.h>
#include <string.h>

extern const dls_exact dls_exact_elastic_bar;

static dls_status job(dls_error *err)
{
  const double p[] = {3, 0, 900, 1, 1, 10, 0, -10, 9.81, 0, 0, 0};
  dls_trajectory *traj = NULL;
  const dls_status status = dls_exact_trajectory(&dls_exact_elastic_bar, p, 9, 1e-9, &traj, err);
  dls_trajectory_destroy(traj);
  return status;
}

DLS_TEST(every_failed_allocation_is_an_error)
{
  for (size_t k = 1;; k++) {
    dls_error err = {0};
    live = 0;
    failed = false;
    until_failure = k;
    const dls_status status = job(&err);
    until_failure = 0;
    assert_int_equal(live, 0);
    if (!failed) {
      assert_ok(status, err);
      assert_true(k > 30);
      return;
    }
    assert_int_equal(status, DLS_ERR_MEMORY);
    assert_true(strlen(err.text) > 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_failed_allocation_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
