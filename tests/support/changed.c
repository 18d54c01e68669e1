/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "changed.h"
#include <math.h>

test_run dls_test_run_changed(const char *model, const char *scheme, double step, double end,
                              void (*change)(dls_system *sys))
{
  dls_error err = {0};
  test_run run = dls_test_prepare(model, scheme);
  dls_sim_destroy(run.sim);
  if (change != NULL) {
    change(run.sys);
  }
  dls_scheme_choice choice;
  assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
  assert_ok(dls_scheme_choice_sim(&choice, run.sys, &run.sim, &err), err);
  dls_test_own_restitution(run.sim);
  const dls_run_spec spec = {.step = step, .end = end, .record = run.traj};
  assert_ok(dls_run(run.sim, &spec, &err), err);
  return run;
}

void dls_test_turn_tangents(dls_system *sys)
{
  for (size_t i = 0; i < sys->n; i++) {
    const double t1 = dls_matrix_get(sys->T, i, 0), t2 = dls_matrix_get(sys->T, i, 1);
    dls_matrix_set(sys->T, i, 0, cos(DLS_TEST_TURN) * t1 + sin(DLS_TEST_TURN) * t2);
    dls_matrix_set(sys->T, i, 1, cos(DLS_TEST_TURN) * t2 - sin(DLS_TEST_TURN) * t1);
  }
}

void dls_test_stand_on_belt(dls_system *sys)
{
  sys->surface = NULL;
  sys->v0[0] -= DLS_TEST_BELT;
}
