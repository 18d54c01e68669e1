/* test_thresholds.c -- the table of thresholds says everything about each row, and no row twice.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "event_driven/thresholds.h"
#include <math.h>
#include <string.h>

extern const dls_scheme dls_scheme_event_driven;

DLS_TEST(rows_are_complete_and_unique)
{
  size_t count = 0;
  for (const dls_threshold *row = dls_event_driven_thresholds; row->name != NULL; row++, count++) {
    assert_true(row->value > 0 && isfinite(row->value));
    assert_true(row->unit[0] != '\0' && row->reason[0] != '\0' && row->effect[0] != '\0');
    for (const dls_threshold *other = dls_event_driven_thresholds; other < row; other++) {
      assert_true(strcmp(row->name, other->name) != 0);
    }
  }
  assert_between((double)count, 100, 200);
}

DLS_TEST(the_scheme_names_its_table)
{
  assert_ptr_equal(dls_scheme_event_driven.thresholds, dls_event_driven_thresholds);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_complete_and_unique),
                                     cmocka_unit_test(the_scheme_names_its_table)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
