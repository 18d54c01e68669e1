/* test_study_allocation.c -- a study file is read, or there is no memory: nothing between, nothing left behind.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include <delassus/study_file.h>
#include <string.h>

static const char good[] = "title: T\nmodel: bouncing-ball\nparameters: {e: 0.5}\nend: 2\n"
                           "schemes: [moreau-jean, {scheme: schatzman-paoli, options: {theta: 1}}]\n"
                           "studies:\n"
                           "  - name: a\n    kind: order\n    steps: {first: 1, last: 0.1, levels: 2}\n"
                           "    expect: [{quantity: order, scheme: moreau-jean, norm: l1, of: q, above: 1}]\n"
                           "  - {name: b, kind: compare, step: 0.1, of: [q0, v0]}\n";
static const char fit[] =
    "title: T\nmodel: bouncing-ball\nkind: fit\nby: [e, q0]\nof: [q0, v0]\n"
    "studies:\n"
    "  - {name: a, parameters: {e: 0.7}, data: {parameters: {e: 0.8}, end: 1, rows: 5}, range: {e: \"0.1:\"},\n"
    "     expect: [{quantity: interval-low, of: e, above: 1}]}\n"
    "  - {name: b, data: {end: 1, rows: 5}, sigma: {q0: 0.1, v0: 0.2}, schemes: moreau-jean, step: 0.1}\n"
    "  - {name: c, data: " DLS_TEST_DATA "/measured_ball.csv, map: {q0: height, v0: speed}}\n"
    "  - {name: d, kind: order, of: dq0/dq0, schemes: spring-damper,\n"
    "     sweep: [\"k=10,100\", \"step=0.1,0.01\"]}\n";
static const char wrong[] = "title: T\nmodel: bouncing-bal\nkind: run\nschemes: moreau\nfoo: 3\nend: x\n";

/* @return number of allocations that the reading needs */
static size_t sweep(const char *text, dls_status expected)
{
  for (size_t k = 1;; k++) {
    dls_error err = {0};
    dls_study_file *file = NULL;
    live = 0;
    failed = false;
    until_failure = k;
    const dls_status status = dls_study_read(text, strlen(text), &file, &err);
    until_failure = 0;
    if (!failed) {
      assert_int_equal(status, expected);
      dls_study_destroy(file);
      assert_int_equal(live, 0);
      return k - 1;
    }
    assert_int_equal(status, DLS_ERR_MEMORY);
    assert_null(file);
    assert_true(err.text[0] != '\0');
    assert_int_equal(live, 0);
  }
}

DLS_TEST(every_failure_is_told_and_leaves_nothing)
{
  assert_between((double)sweep(good, DLS_OK), 50, 2000);
  assert_between((double)sweep(wrong, DLS_ERR_PARSE), 20, 2000);
  assert_between((double)sweep(fit, DLS_OK), 100, 5000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_failure_is_told_and_leaves_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
