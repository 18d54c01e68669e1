/* test_curved.c -- contacts whose direction changes: a circle from both sides, the pendulum and its hurdle.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"

/* A mass at a unit circle, outside (side 1) or inside (side -1): g = side (|q| - 1); gravity 1 downward. */
static void circle_force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)sys;
  (void)t;
  (void)q;
  (void)v;
  F[0] = 0;
  F[1] = -1;
}

static double side(const dls_system *sys)
{
  return *(const double *)sys->data;
}

static void circle_gap(const dls_system *sys, double t, const double *q, double *g)
{
  (void)t;
  g[0] = side(sys) * (hypot(q[0], q[1]) - 1);
}

static void circle_gradient(const dls_system *sys, const double *q, dls_matrix *H)
{
  const double r = hypot(q[0], q[1]);
  dls_matrix_set(H, 0, 0, side(sys) * q[0] / r);
  dls_matrix_set(H, 1, 0, side(sys) * q[1] / r);
}

static void circle_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  (void)t;
  const double r = hypot(q[0], q[1]);
  const double radial = (q[0] * v[0] + q[1] * v[1]) / r;
  c[0] = side(sys) * (v[0] * v[0] + v[1] * v[1] - radial * radial) / r;
}

/* At rest at angle phi from the top. */
static dls_system *circle(const double *which, double phi)
{
  dls_system *sys = ed_masses(2, 1);
  sys->data = (void *)which;
  sys->linear = false;
  sys->force = circle_force;
  sys->gap = circle_gap;
  sys->gradient = circle_gradient;
  sys->curvature = circle_curvature;
  sys->q0[0] = sin(phi);
  sys->q0[1] = cos(phi);
  return sys;
}

/* Sliding down from angle 0.1 at rest it lifts off where the height is 2/3 of the start's. */
DLS_TEST(a_mass_leaves_the_circle_at_two_thirds_of_its_height)
{
  const double outside = 1;
  ed_run run = ed_system(circle(&outside, 0.1), 5, NULL);
  const dls_event *off = ed_event(&run, DLS_LIFT_OFF, 0);
  assert_int_equal(ed_count(&run, DLS_IMPACT), 0);
  for (size_t i = 0; i < run.traj->rows && ed_at(&run, i, "t") <= off->t; i++) {
    assert_close(ed_at(&run, i, "g0"), 0, 1e-10);
    if (ed_at(&run, i, "t") == off->t) {
      assert_close(ed_at(&run, i, "q1"), 2. / 3 * cos(0.1), 1e-8);
    }
  }
  ed_end(&run);
}

/* In the bowl it slides to and fro for thirty periods: a pendulum, without drift from the circle. */
DLS_TEST(sliding_in_a_bowl_does_not_drift)
{
  const double inside = -1;
  const double phi = 2; /* amplitude pi - 2 */
  for (int method = 0; method < 2; method++) {
    ed_run run =
        ed_system(circle(&inside, phi), 200, method == 0 ? NULL : (const char *const[]){"method=bdf", NULL});
    assert_int_equal(run.traj->event_count, 1);
    assert_int_equal(run.sim->status[0], 1);
    double worst = 0;
    for (size_t i = 0; i < run.traj->rows; i++) {
      const double vx = ed_at(&run, i, "v0");
      const double vy = ed_at(&run, i, "v1");
      worst = fmax(worst, fabs(ed_at(&run, i, "g0")));
      assert_close(0.5 * (vx * vx + vy * vy) + ed_at(&run, i, "q1"), cos(phi), 1e-8);
    }
    assert_between(worst, 0, 1e-10);
    ed_end(&run);
  }
}

DLS_TEST(pendulum_hits_its_hurdle_on_time)
{
  const double times[] = {0.40437584, 1.0829356, 1.65638498, 2.13825791, 2.53924665, 2.86962006};
  for (int method = 0; method < 2; method++) {
    ed_run run = ed_system(ed_model(&dls_model_bouncing_pendulum, NULL), 6,
                           method == 0 ? NULL : (const char *const[]){"method=bdf", NULL});
    for (size_t k = 0; k < sizeof times / sizeof times[0]; k++) {
      assert_close(ed_event(&run, DLS_IMPACT, k)->t, times[k], 1e-8);
    }
    assert_close(ed_event(&run, DLS_IMPACT, 0)->u_minus, -3.724706 * sqrt(0.5), 1e-6);
    assert_close(ed_event(&run, DLS_ACCUMULATION, 0)->time_end, 4.2527, 1e-4);
    assert_int_equal(run.sim->status[0], 1);
    ed_end(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mass_leaves_the_circle_at_two_thirds_of_its_height),
      cmocka_unit_test(sliding_in_a_bowl_does_not_drift),
      cmocka_unit_test(pendulum_hits_its_hurdle_on_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
