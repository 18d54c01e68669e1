/* test_unread_failures.c -- a file for which a stream finds no memory is no file that is missing: the status says so.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include "common/models/matrix_market/load_table.h"
#include <delassus/contact_file.h>
#include <delassus/matrix_market.h>
#include <delassus/trajectory.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool no_memory;

#define FAILING_OPEN(name, parameters, arguments)                                                              \
  FILE *__real_##name parameters;                                                                              \
  FILE *__wrap_##name parameters;                                                                              \
  FILE *__wrap_##name parameters                                                                               \
  {                                                                                                            \
    errno = no_memory ? ENOMEM : 0;                                                                            \
    return no_memory ? NULL : __real_##name arguments;                                                         \
  }
FAILING_OPEN(fopen, (const char *path, const char *mode), (path, mode))

static void expect(dls_status wanted)
{
  static const char path[] = "a file that is not there";
  dls_trajectory *traj = NULL;
  dls_market *market = NULL;
  dls_load_table *table = NULL;
  dls_contact_file *problem = NULL;
  dls_error err = {0};
  assert_int_equal(dls_trajectory_read(path, &traj, &err), wanted);
  assert_non_null(strstr(err.text, path));
  assert_int_equal(dls_market_read(path, &market, &err), wanted);
  assert_int_equal(dls_load_table_read(path, 1, &table, &err), wanted);
  assert_int_equal(dls_contact_file_read(path, &problem, &err), wanted);
}

DLS_TEST(a_stream_without_memory_is_an_error_of_memory)
{
  expect(DLS_ERR_IO);
  no_memory = true;
  expect(DLS_ERR_MEMORY);
  no_memory = false;
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_stream_without_memory_is_an_error_of_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
