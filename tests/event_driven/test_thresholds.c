/* test_thresholds.c -- the tables of thresholds say everything about each row, and no row twice.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "event_driven/thresholds.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <string.h>

extern const dls_scheme dls_scheme_event_driven;

static size_t check_table(const dls_threshold *table)
{
  size_t count = 0;
  for (const dls_threshold *row = table; row->name != NULL; row++, count++) {
    assert_true(row->value > 0 && isfinite(row->value));
    assert_true(row->unit[0] != '\0' && row->reason[0] != '\0' && row->effect[0] != '\0');
    for (const dls_threshold *other = table; other < row; other++) {
      assert_true(strcmp(row->name, other->name) != 0);
    }
  }
  return count;
}

DLS_TEST(rows_are_complete_and_unique)
{
  size_t tables = 0;
  assert_between((double)check_table(dls_event_driven_thresholds), 100, 200);
  for (const dls_scheme *const *s = dls_schemes(); *s != NULL; s++) {
    if ((*s)->thresholds != NULL) {
      assert_true(check_table((*s)->thresholds) > 0);
      tables++;
    }
  }
  assert_between((double)tables, 11, 100); /* event-driven, and the families convex, impulse and soft */
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
