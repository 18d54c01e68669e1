/* tests/experiments/test_journal_allocation.c -- allocation number k of a study with a journal fails, for k = 1, 2, ...
 * until all goes well: each time there is an error or a failed run, nothing crashes, and what was kept goes on.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include "journal_run.h"

/* What there was no memory for is not among the results. */
static void assert_no_point_out_of_memory(const dls_order_study *study)
{
  for (size_t i = 0; i < study->point_count; i++) {
    if (study->points[i].reason[0] != '\0') {
      fail_msg("a run is kept with the reason \"%s\"", study->points[i].reason);
    }
  }
}

/* @param[out] kept  finished runs that were there */
static dls_status job(size_t *kept, bool *complete, dls_error *err)
{
  dls_order_spec spec = journal_spec();
  dls_journal *journal = NULL;
  dls_order_study *study = NULL;
  dls_status status = open_runs(journal_path, &spec, DLS_JOURNAL_RESUME, kept, &journal, err);
  if (status == DLS_OK) {
    dls_order_journal_attach(journal, &spec);
    status = dls_order_run(&spec, &study, err);
  }
  if (status == DLS_OK) {
    assert_no_point_out_of_memory(study);
    assert_true(study->complete == (study->out_of_memory == 0));
    *complete = study->complete;
    status = *complete ? dls_journal_complete(journal, err) : DLS_ERR_MEMORY;
    dls_fail(err, status, "%zu runs", study->out_of_memory);
  }
  dls_order_destroy(study);
  dls_journal_close(journal);
  return status;
}

DLS_TEST(every_failed_allocation_is_an_error)
{
  size_t most = 0;
  for (size_t k = 1;; k++) {
    dls_error err = {0};
    size_t kept = 0;
    bool complete = false;
    if (k % 7 == 0) {
      unlink(journal_path); /* from the beginning, too */
    }
    failed = false;
    until_failure = k;
    const dls_status status = job(&kept, &complete, &err);
    until_failure = 0;
    most = kept > most ? kept : most;
    assert_true(status == DLS_OK || status == DLS_ERR_MEMORY);
    assert_true(status == DLS_OK || strlen(err.text) > 0);
    if (!failed) {
      assert_ok(status, err);
      assert_true(complete);
      assert_true(k > 50);
      break;
    }
  }
  assert_int_equal(most, 7);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(every_failed_allocation_is_an_error, remove_journal),
  };
  return cmocka_run_group_tests(tests, make_journal_folder, NULL);
}
