/* test_lecture_misprints.c -- formulas of the lecture and of Lens & Cardona as they are printed, put in place of those that are
 * right: what each gets wrong, and by how much. Those of (126) are in tests/experiments/test_local.c, those of energies in
 * test_balance.c and test_alpha_kappa.c. SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include <math.h>

/* --- lecture, (42b): (q_k+1 - q_k-1)/(2h) is called v_k+1; it is v_k --- */

/* q = cos t before the wall: the difference is v of its node to second order, and one step late for the next. */
static void difference(double h, double *right, double *printed)
{
  test_run run = dls_test_run("impacting-oscillator", "schatzman-paoli", h, 1.2);
  *right = *printed = 0;
  for (size_t row = 0; row < run.traj->rows; row++) {
    const double t = dls_test_value(&run, row, "t"), v = dls_test_value(&run, row, "v0");
    *right = fmax(*right, fabs(v + sin(t)));
    *printed = fmax(*printed, fabs(v + sin(t + h)));
  }
  dls_test_free(&run);
}

DLS_TEST(the_central_difference_belongs_to_the_node_in_its_middle)
{
  for (double h = 0.04; h > 2e-3; h /= 2) {
    double right, printed;
    difference(h, &right, &printed);
    assert_between(right, 0.05 * h * h, 0.5 * h * h);
    assert_between(printed, 0.9 * h, 1.1 * h);
  }
}

/* --- lecture, (43): complementarity of the gap and of grad g P; it is P --- */

/* The gap from the upper of two walls falls with q: grad g = -1, and grad g P >= 0 forbids every impulse of that wall. */
DLS_TEST(the_upper_wall_could_not_push)
{
  test_run run = dls_test_run("ball-between-walls", "schatzman-paoli", 0.01, 3);
  double most = 0;
  for (size_t row = 0; row < run.traj->rows; row++) {
    const double P = dls_test_value(&run, row, "p1"), gradient = -1;
    assert_true(P >= 0);
    assert_true(gradient * P <= 0);
    most = fmax(most, P);
  }
  assert_between(most, 0.5, 2); /* it did: 1.8 kg m/s in two steps or three */
  dls_test_free(&run);
}

/* --- lecture, (131) to (133): gamma = G v'; it is G^T v' + (dG^T/dt) v --- */

/* A mass point inside a circle of radius 1 m, g = 1 - |q|, pressed on it: a with gamma = 0. curvature: with the term
 * (dG^T/dt) v = -(|v|^2 - (n . v)^2)/|q|, or without, as printed. */
static void slide(const double *x, bool curvature, double *rate)
{
  const double r = hypot(x[0], x[1]), nx = x[0] / r, ny = x[1] / r;
  const double along = nx * x[2] + ny * x[3], bend = (x[2] * x[2] + x[3] * x[3] - along * along) / r;
  const double force = -9.81 * ny + (curvature ? bend : 0); /* lambda/m = n . g + |v|^2/r, inward */
  rate[0] = x[2];
  rate[1] = x[3];
  rate[2] = -force * nx;
  rate[3] = -9.81 - force * ny;
}

/* Classical Runge-Kutta method from rest at 60 degrees to the lowest point, 0.54 s: |q| - 1. */
static double leaves_the_circle_by(bool curvature)
{
  enum { STEPS = 400 };
  const double h = 0.54 / STEPS, at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  double x[4] = {-sqrt(0.75), -0.5, 0, 0};
  for (int step = 0; step < STEPS; step++) {
    double rate[4] = {0}, sum[4] = {0};
    for (int stage = 0; stage < 4; stage++) {
      double y[4];
      for (int i = 0; i < 4; i++) {
        y[i] = x[i] + h * at[stage] * rate[i];
      }
      slide(y, curvature, rate);
      for (int i = 0; i < 4; i++) {
        sum[i] += h / 6 * weight[stage] * rate[i];
      }
    }
    for (int i = 0; i < 4; i++) {
      x[i] += sum[i];
    }
  }
  return hypot(x[0], x[1]) - 1;
}

DLS_TEST(without_the_curvature_term_the_mass_leaves_the_circle)
{
  assert_close(leaves_the_circle_by(true), 0, 1e-9);
  assert_between(leaves_the_circle_by(false), 0.34, 0.342);
  /* rk-moreau has the term: twice the weight at the lowest point, m g + m v^2/R with v^2 = g R; printed: the weight */
  test_run run = dls_test_run("rough-bowl:mu=0", "rk-moreau", 5e-3, 0.54);
  const size_t last = run.traj->rows - 1;
  const double x = dls_test_value(&run, last, "q0"), lambda = dls_test_value(&run, last, "lambda0");
  assert_close(lambda / 9.81, 3 * sqrt(1 - x * x) - 1, 1e-6);
  assert_between(lambda / (9.81 * sqrt(1 - x * x)), 1.9, 2.1);
  dls_test_free(&run);
}

/* --- Lens & Cardona, (56): (55) put into (54) leaves -eta^T B q', not -eta^T B L^-1 v --- */

static double uniform(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return *seed / 2147483648.0 - 1;
}

/* One coordinate, V = Phi = 0: what stands under the integral. */
DLS_TEST(the_multiplier_of_velocities_works_on_the_rate)
{
  unsigned seed = 7;
  for (int trial = 0; trial < 1000; trial++) {
    const double M = 2 + uniform(&seed), L = 2 + uniform(&seed), B = 2 + uniform(&seed);
    const double v = uniform(&seed), rate = uniform(&seed), eta = 1.5 + 0.5 * uniform(&seed);
    const double mu = M * v - B * eta / L;                                       /* (55) */
    const double at54 = 0.5 * M * v * v - mu * (v - L * rate) - eta * B * v / L; /* (54) */
    const double common = -0.5 * M * v * v + v * M * L * rate;
    assert_close(common - eta * B * rate, at54, 1e-13);
    assert_close(common - eta * B * v / L - at54, eta * B * (rate - v / L), 1e-13); /* (56) is off by this */
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_central_difference_belongs_to_the_node_in_its_middle),
      cmocka_unit_test(the_upper_wall_could_not_push),
      cmocka_unit_test(without_the_curvature_term_the_mass_leaves_the_circle),
      cmocka_unit_test(the_multiplier_of_velocities_works_on_the_rate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
