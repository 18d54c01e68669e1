/* test_stiffness.c -- method=auto takes bdf where damping is stiff, by the eigenvalues of a bar: lumped, w = 2 (c/h) cos(pi/(4 n)) free at both
 * ends up to 1/n^2, and C = beta K, so that r = beta w^2.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "ed_run.h"
#include "event_driven/integrator/stiffness.h"
#include <string.h>

extern const dls_model dls_model_elastic_bar;

static dls_system *bar(int n, double beta)
{
  char size[20], damping[40];
  snprintf(size, sizeof size, "n=%d", n);
  snprintf(damping, sizeof damping, "beta=%.17g", beta);
  return ed_model(&dls_model_elastic_bar, (const char *const[]){size, damping, "mass=lumped", NULL});
}

static bool is_stiff(int n, double beta)
{
  dls_error err = {0};
  bool stiff = false;
  dls_system *sys = bar(n, beta);
  assert_ok(dls_system_stiff(sys, &stiff, &err), err);
  dls_system_destroy(sys);
  return stiff;
}

/* beta w > 2 and beta w^2 t_s > 2000; w = 2 c n/L = 6 n /s, c = 30 m/s, L = 10 m. */
DLS_TEST(stiff_are_bars_whose_fastest_mode_decays_without_oscillation)
{
  for (int n = 40; n <= 1000; n *= 5) {
    dls_system *sys = bar(n, 0);
    const double w = 6.0 * n, time = sys->time, beta = fmax(2 / w, 2000 / (w * w * time));
    dls_system_destroy(sys);
    assert_false(is_stiff(n, 0));
    assert_false(is_stiff(n, 0.95 * beta));
    assert_true(is_stiff(n, 1.2 * beta));
  }
}

/* The method is noted, takes fewer steps, and ends where adams does, whose steps are as short as beta demands: 3000 here, half as many with half
 * of beta. */
DLS_TEST(auto_takes_bdf_where_damping_is_stiff)
{
  double end[3][2];
  size_t steps[3], noted[3] = {0};
  static const char *const methods[] = {"method=auto", "method=bdf", "method=adams"};
  for (int k = 0; k < 3; k++) {
    ed_run run = ed_system(bar(60, 0.2), 0.6, (const char *const[]){methods[k], "roots=hull", NULL});
    end[k][0] = run.sim->q[0];
    end[k][1] = run.sim->q[60];
    steps[k] = run.sim->work.steps;
    for (size_t i = 0; i < run.traj->meta_count; i++) {
      noted[k] += strcmp(run.traj->meta[i], "integrator: bdf") == 0;
    }
    ed_end(&run);
  }
  assert_int_equal(steps[0], steps[1]);
  assert_between((double)steps[0], 500, 0.5 * (double)steps[2]);
  for (int i = 0; i < 2; i++) {
    assert_close(end[0][i], end[1][i], 0);
    assert_close(end[0][i], end[2][i], 1e-7);
  }
  assert_int_equal(noted[0], 1);
  assert_int_equal(noted[1] + noted[2], 0);
}

/* Errors below 1e-10 are not what bdf reaches. */
DLS_TEST(auto_takes_adams_for_a_smaller_tol)
{
  size_t steps[2];
  for (int k = 0; k < 2; k++) {
    ed_run run = ed_system(
        bar(60, 0.1), 0.1,
        (const char *const[]){k == 0 ? "method=auto" : "method=adams", "roots=hull", "tol=5e-11", NULL});
    steps[k] = run.sim->work.steps;
    ed_end(&run);
  }
  assert_int_equal(steps[0], steps[1]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stiff_are_bars_whose_fastest_mode_decays_without_oscillation),
      cmocka_unit_test(auto_takes_bdf_where_damping_is_stiff),
      cmocka_unit_test(auto_takes_adams_for_a_smaller_tol),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
