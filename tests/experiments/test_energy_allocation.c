/* test_energy_allocation.c -- a ledger when memory runs out: a message, no leak, and rows that are marked incomplete, also where
 * only a warning is lost.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include "models.h"
#include <delassus/catalogue.h>
#include <delassus/energy.h>

DLS_TEST(a_ledger_without_memory_is_not_complete)
{
  dls_scheme_choice choice;
  dls_error err = {0};
  dls_system *sys = dls_test_system("bouncing-ball");
  assert_ok(dls_scheme_choose("moreau-jean", &choice, &err), err);
  const dls_energy_spec spec = {.sys = sys, .choice = &choice, .step = 0.05, .end = 2};
  size_t incomplete = 0, failures = 0;
  for (dls_status status = DLS_ERR_MEMORY; status != DLS_OK; failures++) {
    dls_energy_ledger *ledger = NULL;
    live = 0;
    until_failure = failures + 1;
    status = dls_energy_run(&spec, &ledger, &err);
    until_failure = 0;
    assert_true(status == DLS_OK || status == DLS_ERR_MEMORY);
    if (ledger != NULL) {
      assert_int_equal(ledger->rows->complete, status == DLS_OK);
      assert_int_equal(ledger->rows->failure[0] == '\0', status == DLS_OK);
      incomplete += status != DLS_OK;
    }
    if (status == DLS_OK) {
      assert_non_null(dls_trajectory_warning(ledger->rows, 0)); /* of a penetration */
    }
    dls_energy_destroy(ledger);
    assert_int_equal(live, 0);
  }
  assert_between((double)incomplete, 2, 20);
  assert_between((double)failures, 50, 1000);
  dls_system_destroy(sys);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_ledger_without_memory_is_not_complete)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
