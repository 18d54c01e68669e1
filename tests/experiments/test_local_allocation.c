/* test_local_allocation.c -- local errors when memory runs out: a message, and no leak.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/measures/order/local.h"
#include "failing_malloc.h"
#include <delassus/catalogue.h>
#include <delassus/option.h>

DLS_TEST(steps_are_measured_or_memory_is_missing)
{
  static const char *const label = "moreau-jean";
  double parameters[8];
  dls_scheme_choice choice;
  dls_error err = {0};
  const dls_model *model = dls_model_find("bouncing-ball", &err);
  dls_option_defaults(model->parameters, parameters);
  assert_ok(dls_scheme_choose(label, &choice, &err), err);
  const dls_local_spec spec = {.model = model,
                               .parameters = parameters,
                               .exact = dls_exact_find("bouncing-ball"),
                               .schemes = &choice,
                               .labels = &label,
                               .scheme_count = 1,
                               .end = 4,
                               .h_first = 0.1,
                               .h_last = 0.01,
                               .levels = 2,
                               .places = 1,
                               .impact = 1};
  dls_status status = DLS_ERR_MEMORY;
  size_t failures = 0;
  for (size_t k = 1; status != DLS_OK; k++) {
    dls_local *local = NULL;
    live = 0;
    until_failure = k;
    status = dls_local_run(&spec, NULL, NULL, &local, &err);
    until_failure = 0;
    assert_true(status == DLS_OK || status == DLS_ERR_MEMORY);
    assert_true(status == DLS_OK || (err.text[0] != '\0' && local == NULL));
    dls_local_destroy(local);
    assert_int_equal(live, 0);
    failures += status != DLS_OK;
  }
  assert_between((double)failures, 50, 2000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(steps_are_measured_or_memory_is_missing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
