/* tests/analytic/test_exact_allocation.c -- allocation number k of an exact table of each model fails, for k = 1, 2, ...
 * until all goes well: each time there is an error, nothing crashes and nothing is left behind.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include <delassus/catalogue.h>
#include <stdbool.h>
#include <string.h>

static dls_status job(const void *exact, dls_error *err)
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

DLS_TEST(every_failed_allocation_is_an_error)
{
  size_t swept = 0;
  for (const dls_exact *const *exact = dls_exacts(); *exact != NULL; exact++) {
    swept += applies(*exact) && fail_each_in_turn(job, *exact) > 10;
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
