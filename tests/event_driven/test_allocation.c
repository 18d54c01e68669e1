/* test_allocation.c -- allocation number k of a whole run fails, for k = 1, 2, ... until all goes well: each time
 * there is an error, nothing crashes and nothing is left behind. The linker sends malloc and its kin here.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"
#include "failing_malloc.h"
#include <string.h>

extern const dls_model dls_model_bounce_slip;

/* Three beads fall, bounce and come to rest; a sphere slips through its bounces and rolls. */
static dls_status job(const dls_model *model, const char *setting, dls_error *err)
{
  const double beads[] = {3, 1, 0.1, 9.81, 0.5, 0.1};
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_status status = dls_model_create(model, model == &dls_model_bead_column ? beads : NULL, &sys, err);
  status = status != DLS_OK ? status : dls_sim_create(sys, &dls_scheme_event_driven, &sim, err);
  status = status != DLS_OK ? status : dls_sim_set(sim, setting, err);
  status = status != DLS_OK ? status : dls_run(sim, &(dls_run_spec){.end = 5}, err);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return status;
}

DLS_TEST(every_failed_allocation_is_an_error)
{
  const struct {
    const dls_model *model;
    const char *setting;
  } jobs[] = {{&dls_model_bead_column, "method=adams"},
              {&dls_model_bead_column, "method=bdf"},
              {&dls_model_bounce_slip, "method=adams"}};
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
    for (size_t k = 1;; k++) {
      dls_error err = {0};
      live = 0;
      failed = false;
      until_failure = k;
      const dls_status status = job(jobs[i].model, jobs[i].setting, &err);
      until_failure = 0;
      assert_int_equal(live, 0);
      if (!failed) {
        assert_ok(status, err);
        assert_true(k > 30);
        break;
      }
      assert_int_equal(status, DLS_ERR_MEMORY);
      assert_true(strlen(err.text) > 0);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_failed_allocation_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
