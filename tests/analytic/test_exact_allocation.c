/* tests/analytic/test_exact_allocation.c -- allocation number k of an exact table of each model fails, for k = 1, 2, ...
 * until all goes well: each time there is an error, nothing crashes and nothing is left behind.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include <delassus/catalogue.h>
#include <stdbool.h>
#include <string.h>

static dls_status job(const dls_exact *exact, dls_error *err)
{
  dls_trajectory *traj = NULL;
  const dls_status status = dls_exact_trajectory(exact, NULL, 2.5, 1e-2, &traj, err);
  dls_trajectory_destroy(traj);
  return status;
}

/* Those that hold for other parameters than the defaults. */
static bool applies(const dls_exact *exact)
{
  return strcmp(exact->model->name, "spin-up-beam") != 0; /* steady rotation only */
}

/* @return how many allocations there are */
static size_t sweep(const dls_exact *exact)
{
  for (size_t k = 1;; k++) {
    dls_error err = {0};
    live = 0;
    failed = false;
    until_failure = k;
    const dls_status status = job(exact, &err);
    until_failure = 0;
    assert_int_equal(live, 0);
    if (!failed) {
      assert_ok(status, err);
      return k - 1;
    }
    assert_int_equal(status, DLS_ERR_MEMORY);
    assert_true(strlen(err.text) > 0);
  }
}

DLS_TEST(every_failed_allocation_is_an_error)
{
  size_t swept = 0;
  for (const dls_exact *const *exact = dls_exacts(); *exact != NULL; exact++) {
    swept += applies(*exact) && sweep(*exact) > 10;
  }
  assert_between((double)swept, 20, 200);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_failed_allocation_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
