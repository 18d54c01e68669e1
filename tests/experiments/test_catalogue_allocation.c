/* test_catalogue_allocation.c -- a catalogue, its plugins and the flat interface when memory runs out: a message, no
 * leak, and the catalogue as it was.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include <delassus/catalogue.h>
#include <delassus/flat.h>
#include <string.h>

DLS_TEST(a_catalogue_is_made_or_not)
{
  dls_status status = DLS_ERR_MEMORY;
  for (size_t k = 1; status != DLS_OK; k++) {
    dls_catalogue *catalogue = NULL;
    dls_error err = {0};
    live = 0;
    until_failure = k;
    status = dls_catalogue_create(&catalogue, &err);
    until_failure = 0;
    if (status != DLS_OK) {
      assert_int_equal(status, DLS_ERR_MEMORY);
      assert_null(catalogue);
      assert_true(err.text[0] != '\0');
      assert_int_equal(live, 0);
    }
    dls_catalogue_destroy(catalogue);
    assert_int_equal(live, 0);
  }
}

DLS_TEST(a_plugin_is_loaded_whole_or_not_at_all)
{
  dls_catalogue *catalogue = NULL;
  dls_error err = {0};
  assert_ok(dls_catalogue_create(&catalogue, &err), err);
  dls_status status = DLS_ERR_MEMORY;
  size_t failures = 0;
  for (size_t k = 1; status != DLS_OK; k++) {
    const long before = live;
    until_failure = k;
    status = dls_catalogue_load(catalogue, TOY_PLUGIN, &err);
    until_failure = 0;
    if (status != DLS_OK) {
      assert_int_equal(status, DLS_ERR_MEMORY);
      assert_int_equal(live, before);
      assert_null(dls_catalogue_model(catalogue, "toy", NULL));
      assert_non_null(dls_catalogue_model(catalogue, "bouncing-ball", NULL));
      failures++;
    }
  }
  assert_between((double)failures, 3, 20);
  assert_string_equal(dls_catalogue_model(catalogue, "toy", NULL)->summary, "no system at all");
  assert_null(dls_model_find("toy", NULL)); /* the built-in entries are as they were */
  assert_int_equal(dls_catalogue_load(catalogue, TOY_PLUGIN, &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "'toy' is taken"));
  dls_catalogue_destroy(catalogue);
}

DLS_TEST(an_unknown_name_is_refused_without_memory_for_the_list)
{
  dls_error err = {0};
  until_failure = 1;
  assert_null(dls_model_find("nothing", &err));
  assert_int_equal(err.status, DLS_ERR_MEMORY);
  assert_non_null(strstr(err.text, "'nothing'"));
  until_failure = 1;
  assert_null(dls_scheme_find("nothing", &err));
  assert_int_equal(err.status, DLS_ERR_MEMORY);
  until_failure = 0;
}

DLS_TEST(a_flat_run_leaves_nothing_behind)
{
  int status = -1;
  for (size_t k = 1; status != 0; k++) {
    dls_trajectory *traj = NULL;
    char error[400];
    live = 0;
    failed = false;
    until_failure = k;
    status = dls_flat_run(NULL, "bouncing-ball", 1, &(const char *const){"e=0.8"}, "moreau-jean", 0.1, 1, NULL,
                          NULL, &traj, error, sizeof error);
    until_failure = 0;
    assert_true(status == 0 || failed);
    assert_true(status == 0 || error[0] != '\0');
    dls_flat_free(traj);
    assert_int_equal(live, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_catalogue_is_made_or_not),
      cmocka_unit_test(a_plugin_is_loaded_whole_or_not_at_all),
      cmocka_unit_test(an_unknown_name_is_refused_without_memory_for_the_list),
      cmocka_unit_test(a_flat_run_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
