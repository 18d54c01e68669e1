/* test_parameter_fit_allocation.c -- fits when memory runs out: a message, and no leak.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/measures/fit/made_data.h"
#include "failing_malloc.h"
#include <delassus/catalogue.h>
#include <gsl/gsl_errno.h>
#include <stdlib.h>

/* Every allocation fails once, until the fit succeeds. */
DLS_TEST(every_allocation_fails_once)
{
  static const double t[] = {0.3, 0.6, 0.9, 1.2, 1.5, 1.8}, q[] = {0.91, 0.64, 0.19, 0.11, 0.26, 0.15};
  static const char *const of[] = {"q0"}, *const by[] = {"e", "q0"};
  dls_error err = {0};
  dls_model_choice model;
  dls_scheme_choice scheme;
  assert_ok(dls_model_choose("test", dls_catalogue_model(NULL, "bouncing-ball", &err), 0, NULL, &model, &err),
            err);
  assert_ok(dls_catalogue_choose(NULL, "event-driven", &scheme, &err), err);
  const dls_parameter_fit_spec spec = {.model = model.model,
                                       .parameters = model.parameters,
                                       .scheme = &scheme,
                                       .data = {6, 1, t, q, of},
                                       .by_count = 2,
                                       .by = by,
                                       .level = 0.95,
                                       .tol = 1e-4,
                                       .iterations = 10,
                                       .starts = 1};
  dls_status status = DLS_ERR_MEMORY;
  size_t failures = 0;
  gsl_set_error_handler_off();
  for (size_t k = 1; status != DLS_OK; k += k < 300 ? 1 : 37) {
    dls_parameter_fit *fit = NULL;
    live = 0;
    until_failure = k;
    status = dls_parameter_fit_run(&spec, &fit, &err);
    until_failure = 0;
    assert_true(status == DLS_OK || status == DLS_ERR_MEMORY);
    assert_true(status == DLS_OK || (err.text[0] != '\0' && fit == NULL));
    dls_parameter_fit_destroy(fit);
    assert_int_equal(live, 0);
    failures += status != DLS_OK;
  }
  assert_between((double)failures, 200, 5000); /* 296 */
  dls_model_choice_release(&model);
}

/* The same of data that are made. */
DLS_TEST(every_allocation_of_made_data_fails_once)
{
  static const char *const of[] = {"q0", "v0"};
  dls_error err = {0};
  dls_status status = DLS_ERR_MEMORY;
  size_t failures = 0;
  dls_fit_made made = {.end = 1, .rows = 5, .noise = 0.1};
  assert_ok(
      dls_model_choose("test", dls_catalogue_model(NULL, "bouncing-ball", &err), 0, NULL, &made.model, &err),
      err);
  assert_ok(dls_catalogue_choose(NULL, "event-driven", &made.scheme, &err), err);
  gsl_set_error_handler_off();
  for (size_t k = 1; status != DLS_OK; k++) {
    dls_fit_table table;
    live = 0;
    until_failure = k;
    status = dls_fit_table_make(&made, 2, of, &table, &err);
    until_failure = 0;
    assert_true(status == DLS_OK || (status == DLS_ERR_MEMORY && err.text[0] != '\0'));
    free(table.block);
    assert_int_equal(live, 0);
    failures += status != DLS_OK;
  }
  assert_between((double)failures, 5, 1000);
  dls_model_choice_release(&made.model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_fails_once),
                                     cmocka_unit_test(every_allocation_of_made_data_fails_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
