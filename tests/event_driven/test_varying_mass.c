/* test_varying_mass.c -- masses that depend on the place, with gaps and tangents that turn and move: three integrators agree through
 * impacts, and what holds at every node holds.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"
#include "moving.h"
#include <string.h>

static const double span = 4, mu = 0.3;

static ed_run run_with(size_t d, const char *method)
{
  dls_system *sys = dls_test_moving(d);
  if (d > 1) {
    sys->mu[0] = sys->mu[1] = mu;
  }
  return ed_system(sys, span, (const char *const[]){method, "tol=1e-10", NULL});
}

/* No gap below zero, no contact pulls, |lambda_t| <= mu lambda. */
static void check_nodes(const ed_run *run, size_t d)
{
  for (size_t row = 0; row < run->traj->rows; row++) {
    for (size_t j = 0; j < 2; j++) {
      char names[4][16];
      snprintf(names[0], sizeof names[0], "g%zu", j);
      snprintf(names[1], sizeof names[1], "lambda%zu", j);
      snprintf(names[2], sizeof names[2], "lambda%zut", j);
      snprintf(names[3], sizeof names[3], "p%zu", j);
      assert_between(ed_at(run, row, names[0]), -1e-8, 100);
      assert_between(ed_at(run, row, names[1]), -1e-8, 1e3);
      assert_between(ed_at(run, row, names[3]), -1e-12, 1e3);
      if (d > 1) {
        assert_between(fabs(ed_at(run, row, names[2])), 0, mu * ed_at(run, row, names[1]) + 1e-8);
      }
    }
  }
}

static void agree(size_t d)
{
  static const char *const methods[] = {"method=adams", "method=erk", "method=bdf"};
  ed_run first = run_with(d, methods[0]);
  assert_true(ed_count(&first, DLS_IMPACT) + ed_count(&first, DLS_ACCUMULATION) > 0);
  check_nodes(&first, d);
  for (size_t k = 1; k < 3; k++) {
    ed_run other = run_with(d, methods[k]);
    assert_int_equal(other.traj->event_count, first.traj->event_count);
    for (size_t i = 0; i < 2; i++) {
      assert_close(other.sim->q[i], first.sim->q[i], 1e-6);
      assert_close(other.sim->v[i], first.sim->v[i], 1e-6);
    }
    check_nodes(&other, d);
    ed_end(&other);
  }
  ed_end(&first);
}

DLS_TEST(three_integrators_agree_without_friction)
{
  agree(1);
}

DLS_TEST(three_integrators_agree_with_friction)
{
  agree(2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_integrators_agree_without_friction),
      cmocka_unit_test(three_integrators_agree_with_friction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
