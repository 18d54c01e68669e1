/* test_trajectory.c -- tables of nodes and events grow, keep what they got, and know their columns.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/trajectory.h>
#include <string.h>

DLS_TEST(columns_are_named_in_the_order_of_the_file_format)
{
  const char *const names[] = {"t",  "q0", "q1",      "v0",      "v1",      "g0",      "g1", "u0", "u1",
                               "p0", "p1", "lambda0", "lambda1", "status0", "status1", "a0", "a1"};
  dls_trajectory *traj = dls_trajectory_create(2, 2, true);
  assert_int_equal(traj->n, 2);
  assert_int_equal(traj->m, 2);
  assert_int_equal(traj->columns, 17);
  assert_true(traj->complete);
  for (int i = 0; i < 17; i++) {
    assert_string_equal(traj->names[i], names[i]);
    assert_int_equal(dls_trajectory_column(traj, names[i]), i);
  }
  assert_int_equal(dls_trajectory_column(traj, "q2"), -1);
  assert_int_equal(dls_trajectory_column(traj, "q"), -1);
  dls_trajectory_destroy(traj);
}

DLS_TEST(systems_without_contacts_have_no_contact_columns)
{
  dls_trajectory *traj = dls_trajectory_create(1, 0, false);
  assert_int_equal(traj->columns, 3);
  assert_string_equal(traj->names[2], "v0");
  dls_trajectory_destroy(traj);
}

DLS_TEST(a_table_has_the_columns_that_it_was_given)
{
  char name[] = "x";
  const char *names[] = {"t", name};
  assert_null(dls_trajectory_create_table(0, names));
  dls_trajectory *table = dls_trajectory_create_table(2, names);
  name[0] = 'y'; /* the table has a copy */
  assert_int_equal(dls_trajectory_column(table, "x"), 1);
  assert_int_equal(table->meaning[1], DLS_LINEAR);
  assert_int_equal(table->n, 0);
  dls_trajectory_destroy(table);
  dls_trajectory_destroy(NULL);
}

DLS_TEST(meanings_are_set_by_prefix_and_digits)
{
  dls_trajectory *traj = dls_trajectory_create(12, 1, true);
  assert_int_equal(traj->meaning[dls_trajectory_column(traj, "status0")], DLS_CONSTANT);
  dls_trajectory_set_meaning(traj, "q", DLS_HERMITE);
  dls_trajectory_set_meaning(traj, "lambda", DLS_CONSTANT);
  dls_trajectory_set_meaning(traj, "", DLS_HERMITE); /* no name is digits only */
  assert_int_equal(traj->meaning[0], DLS_LINEAR);
  assert_int_equal(traj->meaning[dls_trajectory_column(traj, "q0")], DLS_HERMITE);
  assert_int_equal(traj->meaning[dls_trajectory_column(traj, "q11")], DLS_HERMITE);
  assert_int_equal(traj->meaning[dls_trajectory_column(traj, "v0")], DLS_LINEAR);
  assert_int_equal(traj->meaning[dls_trajectory_column(traj, "lambda0")], DLS_CONSTANT);
  assert_int_equal(traj->meaning[dls_trajectory_column(traj, "a0")], DLS_LINEAR);
  dls_trajectory_destroy(traj);
  const char *const names[] = {"t", "v0", "vx", "v", "v1b", "av0"};
  dls_trajectory *table = dls_trajectory_create_table(6, names);
  dls_trajectory_set_meaning(table, "v", DLS_CONSTANT);
  for (int i = 0; i < 6; i++) {
    assert_int_equal(table->meaning[i], i == 1 ? DLS_CONSTANT : DLS_LINEAR);
  }
  dls_trajectory_destroy(table);
}

DLS_TEST(ten_thousand_rows_keep_what_was_written)
{
  const char *const names[] = {"t", "x", "y"};
  dls_trajectory *traj = dls_trajectory_create_table(3, names);
  size_t capacity = 0;
  size_t growths = 0;
  for (size_t i = 0; i < 10000; i++) {
    double *row = dls_trajectory_append(traj);
    growths += traj->row_capacity != capacity;
    capacity = traj->row_capacity;
    row[0] = (double)i;
    row[1] = 0.5 * (double)i;
    row[2] = -(double)i;
  }
  assert_int_equal(traj->rows, 10000);
  assert_between((double)growths, 5, 12); /* log2(10000 / 64) = 7.3 doublings */
  assert_between((double)traj->row_capacity, 10000, 25000);
  for (size_t i = 0; i < 10000; i++) {
    assert_close(dls_trajectory_at(traj, i, 0), (double)i, 0);
    assert_close(dls_trajectory_at(traj, i, 1), 0.5 * (double)i, 0);
    assert_close(dls_trajectory_at(traj, i, 2), -(double)i, 0);
  }
  dls_trajectory_destroy(traj);
}

DLS_TEST(reserved_rows_are_appended_without_moving)
{
  dls_error err = {0};
  dls_trajectory *traj = dls_trajectory_create(1, 1, false);
  *dls_trajectory_append(traj) = 1;
  assert_ok(dls_trajectory_reserve(traj, 1000, &err), err);
  const double *before = traj->data;
  for (int i = 0; i < 1000; i++) {
    assert_non_null(dls_trajectory_append(traj));
  }
  assert_ptr_equal(traj->data, before);
  assert_close(traj->data[0], 1, 0);
  assert_ok(dls_trajectory_reserve(traj, 0, &err), err);
  dls_trajectory_destroy(traj);
}

DLS_TEST(impossible_reservations_are_refused_and_harm_nothing)
{
  dls_trajectory *traj = dls_trajectory_create(1, 1, false);
  *dls_trajectory_append(traj) = 3;
  const size_t too_many[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 8, SIZE_MAX / 64 + 1};
  for (size_t k = 0; k < 4; k++) {
    dls_error err = {0};
    assert_int_equal(dls_trajectory_reserve(traj, too_many[k], &err), DLS_ERR_MEMORY);
    assert_non_null(strstr(err.text, "trajectory nodes of 8 columns"));
  }
  assert_close(traj->data[0], 3, 0);
  assert_non_null(dls_trajectory_append(traj));
  dls_trajectory_destroy(traj);
}

DLS_TEST(events_are_kept_in_their_order)
{
  dls_error err = {0};
  dls_trajectory *traj = dls_trajectory_create(1, 1, false);
  for (size_t i = 0; i < 1000; i++) {
    const dls_event event = {.t = (double)i, .kind = (dls_event_kind)(i % 5), .contact = i, .bound = 1e-9};
    assert_ok(dls_trajectory_add_event(traj, &event, &err), err);
  }
  assert_int_equal(traj->event_count, 1000);
  for (size_t i = 0; i < 1000; i++) {
    assert_close(traj->events[i].t, (double)i, 0);
    assert_int_equal(traj->events[i].kind, i % 5);
    assert_int_equal(traj->events[i].contact, i);
  }
  dls_trajectory_destroy(traj);
}

DLS_TEST(every_kind_of_event_has_a_name)
{
  assert_string_equal(dls_event_kind_name(DLS_IMPACT), "impact");
  assert_string_equal(dls_event_kind_name(DLS_LANDING), "landing");
  assert_string_equal(dls_event_kind_name(DLS_GRAZING), "grazing");
  assert_string_equal(dls_event_kind_name(DLS_LIFT_OFF), "lift-off");
  assert_string_equal(dls_event_kind_name(DLS_ACCUMULATION), "accumulation");
}

DLS_TEST(notes_are_lines_of_key_and_value)
{
  dls_error err = {0};
  dls_trajectory *traj = dls_trajectory_create(1, 0, false);
  char endless[3000];
  memset(endless, 'x', sizeof endless - 1);
  endless[sizeof endless - 1] = '\0';
  assert_ok(dls_trajectory_note(traj, &err, "model", "%s", "bouncing-ball"), err);
  assert_ok(dls_trajectory_note(traj, &err, "e", "%g", 0.5), err);
  assert_ok(dls_trajectory_note(traj, &err, "long", "%s", endless), err);
  assert_ok(dls_trajectory_note(traj, &err, endless, "%s", "value"), err);
  assert_int_equal(traj->meta_count, 4);
  assert_string_equal(traj->meta[0], "model: bouncing-ball");
  assert_string_equal(traj->meta[1], "e: 0.5");
  assert_int_equal(strlen(traj->meta[2]),
                   strlen("long: ") + 2999); /* a command may be long: nothing is cut off */
  assert_int_equal(strlen(traj->meta[3]), 2999 + strlen(": value"));
  dls_trajectory_destroy(traj);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_are_named_in_the_order_of_the_file_format),
      cmocka_unit_test(systems_without_contacts_have_no_contact_columns),
      cmocka_unit_test(a_table_has_the_columns_that_it_was_given),
      cmocka_unit_test(meanings_are_set_by_prefix_and_digits),
      cmocka_unit_test(ten_thousand_rows_keep_what_was_written),
      cmocka_unit_test(reserved_rows_are_appended_without_moving),
      cmocka_unit_test(impossible_reservations_are_refused_and_harm_nothing),
      cmocka_unit_test(events_are_kept_in_their_order),
      cmocka_unit_test(every_kind_of_event_has_a_name),
      cmocka_unit_test(notes_are_lines_of_key_and_value),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
