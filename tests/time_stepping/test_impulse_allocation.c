/* test_impulse_allocation.c -- schemes of impulses, with friction, joints and many contacts: allocation number k fails, for k = 1, 2,
 * ... until all goes well; each time there is an error, nothing crashes and nothing is left behind; and a step allocates nothing.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include <delassus/catalogue.h>

static const char *const schemes[] = {"sequential-impulse", "xpbd", "soft-step"};
static const char *const models[] = {"bounce-slip", "bouncing-pendulum-cartesian", "bead-column", "four-bar"};
enum { MODELS = sizeof models / sizeof *models, PAIRS = 3 * MODELS };

/* Until after the first impact. @param[in] still  from the start on no allocation is allowed */
static dls_status run(size_t pair, bool still, dls_error *err)
{
  double p[16];
  const dls_model *entry = dls_model_find(models[pair % MODELS], err);
  dls_option_defaults(entry->parameters, p);
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_status status = dls_model_create(entry, p, &sys, err);
  status =
      status != DLS_OK ? status : dls_sim_create(sys, dls_scheme_find(schemes[pair / MODELS], err), &sim, err);
  status = status != DLS_OK ? status : dls_sim_start(sim, err);
  for (size_t k = 0; status == DLS_OK && k < 60; k++) {
    until_failure = still ? 1 : until_failure;
    status = dls_sim_advance(sim, 0.01, err);
  }
  assert_true(status != DLS_OK || sys->m == 0 || sim->work.impacts > 0);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return status;
}

static dls_status failing_job(const void *pair, dls_error *err)
{
  return run(*(const size_t *)pair, false, err);
}

DLS_TEST(every_failed_allocation_is_an_error)
{
  for (size_t pair = 0; pair < PAIRS; pair++) {
    assert_between((double)fail_each_in_turn(failing_job, &pair), 20, 2000);
  }
}

DLS_TEST(a_step_allocates_nothing)
{
  for (size_t pair = 0; pair < PAIRS; pair++) {
    dls_error err = {0};
    failed = false;
    assert_ok(run(pair, true, &err), err);
    assert_false(failed);
    until_failure = 0;
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_failed_allocation_is_an_error),
      cmocka_unit_test(a_step_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
