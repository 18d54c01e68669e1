/* test_rk_allocation.c -- the Runge-Kutta schemes: allocation number k fails, for k = 1, 2, ... until all goes well;
 * each time there is an error, nothing crashes and nothing is left behind. The linker sends malloc and its kin here.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include <delassus/catalogue.h>

/* data: names of a model and a scheme, an option */
static dls_status job(const void *data, dls_error *err)
{
  const char *const *text = data;
  double p[16];
  const dls_model *entry = dls_model_find(text[0], err);
  dls_option_defaults(entry->parameters, p);
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_status status = dls_model_create(entry, p, &sys, err);
  status = status != DLS_OK ? status : dls_sim_create(sys, dls_scheme_find(text[1], err), &sim, err);
  status = status != DLS_OK ? status : dls_sim_set(sim, text[2], err);
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

DLS_TEST(every_failed_allocation_is_an_error)
{
  static const char *const jobs[][3] = {
      {"bouncing-ball", "rk-moreau", "method=rk4"},
      {"bouncing-ball", "rk-moreau", "method=radau3"},
      {"bouncing-pendulum", "rk-moreau", "method=gauss4"},
      {"bouncing-ball", "splitting-rkf45", "contact_forces=on"},
      {"bouncing-ball", "splitting-rkf45", "method=gauss4"},
      {"bead-column", "rk-moreau", "method=gauss4"},
      {"bouncing-ball", "naive-rk4", "project=on"},
  };
  for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
    fail_each_in_turn(job, jobs[i]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_failed_allocation_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
