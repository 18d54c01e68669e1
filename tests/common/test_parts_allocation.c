/* test_parts_allocation.c -- parts of contact by themselves, which only large systems need: allocation number k fails, for k = 1, 2, ...
 * until all goes well; each time there is an error, nothing crashes and nothing is left behind.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/contact/grip_many.h"
#include "failing_malloc.h"

static dls_status factor(const void *data, dls_error *err)
{
  static const double A[9] = {2, 1, 0, 1, 2, 0, 0, 0, 1};
  double x[3] = {3, 3, 1};
  size_t rank = 0;
  (void)data;
  dls_grip_many *f = dls_grip_many_create();
  const dls_status status = f != NULL ? dls_grip_many_factor(f, 3, A, &rank) : DLS_ERR_MEMORY;
  if (status == DLS_OK) {
    dls_grip_many_solve(f, x);
    assert_close(x[0] + x[1] + x[2], 3, 1e-3);
  }
  dls_grip_many_destroy(f);
  return status == DLS_OK ? status : dls_fail(err, status, "factors");
}

DLS_TEST(every_failed_allocation_is_an_error)
{
  assert_between((double)fail_each_in_turn(factor, NULL), 4, 20);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_failed_allocation_is_an_error)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
