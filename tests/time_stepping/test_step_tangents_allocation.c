/* test_step_tangents_allocation.c -- derivatives of runs by step: allocation number k fails, for k = 1, 2, ... until all goes well; each
 * time there is an error, nothing crashes and nothing is left behind. The linker sends malloc and its kin here.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include <delassus/catalogue.h>
#include <delassus/sensitivity.h>

/* data: names of a model, a scheme, a parameter, and a tangent */
static dls_status job(const void *data, dls_error *err)
{
  const char *const *text = data;
  double p[16];
  const dls_model *entry = dls_model_find(text[0], err);
  const dls_scheme *scheme = dls_scheme_find(text[1], err);
  dls_option_defaults(entry->parameters, p);
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_direction direction = {.count = 0};
  dls_tangent_method method;
  dls_status status = dls_tangent_method_parse(text[3], &method, err);
  status = status != DLS_OK ? status : dls_model_create(entry, p, &sys, err);
  status = status != DLS_OK ? status : dls_sim_create(sys, scheme, &sim, err);
  status =
      status != DLS_OK ? status : dls_tangent_direction(scheme, &method, entry, p, text[2], &direction, err);
  status = status != DLS_OK ? status : dls_sim_differentiate_as(sim, &method, 1, &direction, err);
  status = status != DLS_OK ? status : dls_sim_start(sim, err);
  for (size_t k = 0; status == DLS_OK && k < 60; k++) {
    status = dls_sim_advance(sim, 0.02, err);
  }
  dls_sim_destroy(sim);
  dls_direction_release(&direction);
  dls_system_destroy(sys);
  return status;
}

DLS_TEST(every_failed_allocation_is_an_error)
{
  static const char *const jobs[][4] = {
      {"bouncing-ball", "moreau-jean", "e", "saltation"},
      {"bouncing-ball", "schatzman-paoli", "q0",
       "saltation"}, /* starts its neighbours again after the impact */
      {"bouncing-ball", "schatzman-paoli", "q0", "plain"},
      {"belt", "moreau-jean", "vb", "saltation"},
      {"bouncing-ball", "moreau-jean", "q0", "difference:delta=0.1"},
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
