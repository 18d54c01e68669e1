/* test_spectrum_allocation.c -- spectra when memory runs out: a message, and no leak.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/measures/spectrum/spectrum.h"
#include "failing_malloc.h"
#include <math.h>
#include <stdlib.h>

static void sweep(const char *scheme)
{
  static const double at = 0.2;
  dls_scheme_choice choice;
  dls_error err = {0};
  assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
  const dls_spectrum_spec spec = {.schemes = &choice,
                                  .labels = &scheme,
                                  .scheme_count = 1,
                                  .first = 0.1,
                                  .last = 0.3,
                                  .levels = 2,
                                  .at = &at,
                                  .at_count = 1,
                                  .oscillator = {0.1, 0.5}};
  dls_status status = DLS_ERR_MEMORY;
  size_t failures = 0;
  for (size_t k = 1; status != DLS_OK; k++) {
    dls_spectrum *spectrum = NULL;
    live = 0;
    until_failure = k;
    status = dls_spectrum_run(&spec, NULL, NULL, &spectrum, &err);
    until_failure = 0;
    assert_true(status == DLS_OK || status == DLS_ERR_MEMORY);
    assert_true(status == DLS_OK || err.text[0] != '\0');
    assert_true(status != DLS_OK || spectrum->complete);
    for (size_t i = 0; spectrum != NULL && i < spectrum->point_count; i++) { /* whole ones only */
      assert_true(isfinite(spectrum->points[i].values[DLS_SPECTRUM_RADIUS]));
      assert_true(isfinite(spectrum->points[i].values[DLS_SPECTRUM_RESPONSE]));
    }
    dls_spectrum_destroy(spectrum);
    assert_int_equal(live, 0);
    failures += status != DLS_OK;
  }
  assert_between((double)failures, 100, 5000);
}

DLS_TEST(two_states)
{
  sweep("moreau-jean");
}

DLS_TEST(three_states)
{
  sweep("nonsmooth-generalized-alpha");
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_states), cmocka_unit_test(three_states)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
