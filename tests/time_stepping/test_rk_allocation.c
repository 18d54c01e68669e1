/* test_rk_allocation.c -- the Runge-Kutta schemes: allocation number k fails, for k = 1, 2, ... until all goes well;
 * each time there is an error, nothing crashes and nothing is left behind. The linker sends malloc and its kin here.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include <delassus/catalogue.h>
#include <string.h>

static dls_status job(const char *model, const char *scheme, const char *option, dls_error *err)
{
  double p[16];
  const dls_model *entry = dls_model_find(model, err);
  dls_option_defaults(entry->parameters, p);
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_status status = dls_model_create(entry, p, &sys, err);
  status = status != DLS_OK ? status : dls_sim_create(sys, dls_scheme_find(scheme, err), &sim, err);
  status = status != DLS_OK ? status : dls_sim_set(sim, option, err);
  status = status != DLS_OK ? status : dls_sim_start(sim, err);
  for (size_t k = 0; status == DLS_OK && k < 60; k++) {
    status = dls_sim_advance(sim, 0.02, err);
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
  static const char *const jobs[][3] = {
      {"bouncing-ball", "rk-moreau", "method=rk4"},
      {"bouncing-ball", "rk-moreau", "method=radau3"},
      {"bouncing-pendulum", "rk-moreau", "method=gauss4"},
      {"bouncing-ball", "splitting-rkf45", "contact_forces=on"},
      {"bead-column", "rk-moreau", "method=gauss4"},
      {"bouncing-ball", "naive-rk4", "project=on"},
  };
  for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
    for (size_t k = 1;; k++) {
      dls_error err = {0};
      live = 0;
      failed = false;
      until_failure = k;
      const dls_status status = job(jobs[i][0], jobs[i][1], jobs[i][2], &err);
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
