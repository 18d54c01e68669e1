/* test_parts_allocation.c -- parts of contact by themselves, which only large systems need: allocation number k fails, for k = 1, 2, ...
 * until all goes well; each time there is an error, nothing crashes and nothing is left behind.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "delassus_jobs.h"
#include "failing_malloc.h"

DLS_TEST(every_failed_allocation_is_an_error)
{
  static const delassus_kind kinds[] = {LITTLE, WIDE, SPARSE, BODY};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    assert_between((double)fail_each_in_turn(delassus_job, &kinds[k]), 20, 400);
  }
}

/* Of a thousand contacts W is used without memory for H alone, too. */
DLS_TEST(a_short_way_without_memory_leaves_the_long_one)
{
  size_t missed = 0;
  for (size_t k = 1; k == 1 || failed; k++) {
    dls_error err = {0};
    failed = false;
    until_failure = k;
    live = 0;
    const dls_status status = delassus_job(&(const delassus_kind){NET}, &err); /* which looks at the result */
    until_failure = 0;
    assert_true(status == DLS_OK || (failed && status == DLS_ERR_MEMORY && strlen(err.text) > 0));
    assert_true(live == 0);
    missed += failed && status == DLS_OK;
  }
  assert_between((double)missed, 5, 10);
}

/* A column that there is no memory to keep is made each time. */
DLS_TEST(an_entry_is_right_without_memory)
{
  for (size_t k = 1; k < 20; k++) {
    delassus_parts p;
    dls_error err = {0};
    assert_ok(delassus_parts_create(k < 10 ? LITTLE : WIDE, &p, &err), err);
    until_failure = k < 10 ? k : k - 9;
    assert_close(dls_delassus_entry(p.D, 0, 1), -1.0 / 3, 1e-15);
    assert_close(dls_delassus_entry(p.D, 1, 1), 2.0 / 3, 1e-15);
    assert_close(dls_delassus_entry(p.D, 0, 0), 2.0 / 3, 1e-15);
    until_failure = 0;
    delassus_parts_free(&p);
  }
}

/* Also where there is no W at all. */
DLS_TEST(nothing_is_asked_of_no_contact)
{
  dls_error err = {0};
  size_t work = 0, only = 7, solutions = 0;
  const double *column = NULL;
  dls_problem_solver *solver = NULL;
  assert_ok(dls_problem_create(NULL, 1e-12, &solver, &err), err);
  const dls_problem nothing = {.count = 0};
  assert_ok(dls_delassus_solve(NULL, NULL, 0, NULL, NULL, NULL, &work, &work, &err), err);
  assert_ok(dls_delassus_solve_bilateral(NULL, 0, NULL, NULL, NULL, &err), err);
  assert_ok(dls_delassus_solve_blocks(NULL, 1, 0, NULL, NULL, NULL, NULL, &err), err);
  assert_ok(dls_delassus_rank(NULL, 0, NULL, &err), err);
  assert_ok(dls_delassus_count(NULL, solver, NULL, &nothing, &solutions, &err), err);
  assert_true(dls_delassus_only(NULL, 0, NULL, NULL, &only, &column));
  assert_int_equal(only, 0);
  assert_null(column);
  dls_problem_destroy(solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_failed_allocation_is_an_error),
                                     cmocka_unit_test(a_short_way_without_memory_leaves_the_long_one),
                                     cmocka_unit_test(an_entry_is_right_without_memory),
                                     cmocka_unit_test(nothing_is_asked_of_no_contact)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
