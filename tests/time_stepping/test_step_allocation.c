/* test_step_allocation.c -- schemes over inner runs: allocation number k fails, for k = 1, 2, ... until all goes well;
 * each time there is an error, nothing crashes and nothing is left behind. The linker sends malloc and its kin here.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include <delassus/catalogue.h>
#include <string.h>

/* A ball falls and bounces, or a pendulum. */
static dls_status job(const char *model, const char *scheme, dls_error *err)
{
  double p[16];
  const dls_model *entry = dls_model_find(model, err);
  dls_option_defaults(entry->parameters, p);
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_status status = dls_model_create(entry, p, &sys, err);
  status = status != DLS_OK ? status : dls_sim_create(sys, dls_scheme_find(scheme, err), &sim, err);
  status = status != DLS_OK ? status : dls_sim_start(sim, err);
  const double end = 2 * (sys != NULL ? sys->time : 1);
  while (status == DLS_OK && sim->t < end) {
    status = dls_sim_advance(sim, sim->scheme->stepping == DLS_BY_SUBSTEP ? end / 30 : end - sim->t, err);
  }
  if (status == DLS_OK) {
    assert_true(sim->work.impacts > 0);
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return status;
}

static void every_failed_allocation_is_an_error(void **state)
{
  (void)state;
  static const char *const schemes[] = {"moreau-jean-adaptive", "moreau-jean-extrapolated",
                                        "moreau-jean-extrapolated-adaptive"};
  static const char *const models[] = {"bouncing-ball", "bouncing-pendulum"};
  for (size_t i = 0; i < 6; i++) {
    for (size_t k = 1;; k++) {
      dls_error err = {0};
      live = 0;
      failed = false;
      until_failure = k;
      const dls_status status = job(models[i % 2], schemes[i / 2], &err);
      until_failure = 0;
      assert_int_equal(live, 0);
      if (!failed) {
        assert_ok(status, err);
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
