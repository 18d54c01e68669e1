/* test_library.c -- the library as README.md uses it: one header, a run, and the error of it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/delassus.h>
#include <math.h>

DLS_TEST(readme_example_runs)
{
  dls_error err = {0};
  dls_system *system = NULL;
  dls_sim *sim = NULL;
  assert_ok(dls_model_create(dls_model_find("bouncing-ball", &err), NULL, &system, &err), err);
  assert_ok(dls_sim_create(system, dls_scheme_find("moreau-jean", &err), &sim, &err), err);
  assert_ok(dls_sim_set(sim, "theta=1", &err), err);
  assert_ok(dls_run(sim, &(dls_run_spec){.step = 1e-3, .end = 4}, &err), err);
  assert_close(sim->q[0], 0, 5e-3); /* at rest since t = 3, up to O(h) */
  assert_close(sim->v[0], 0, 5e-3);
  assert_close(sim->t, 4, 1e-12);
  dls_sim_destroy(sim);
  dls_system_destroy(system);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(readme_example_runs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
