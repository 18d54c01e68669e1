/* test_mechanisms.c -- Andrews' squeezing mechanism against its published reference, the heavy top against its first integrals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>

enum { N = 7, R = 6 };

/* a, mu of M a = F + G mu, G^T a = -c */
static void accelerations(const dls_system *sys, const double *q, const double *v, double *a, double *mu)
{
  double J[(N + R) * (N + R)] = {0}, rhs[N + R], x[N + R];
  int sign = 0;
  dls_system_mass(sys, q, sys->M);
  dls_system_joint_gradient(sys, 0, q, sys->G);
  dls_system_force(sys, 0, q, v, rhs);
  dls_system_joint_curvature(sys, 0, q, v, rhs + N);
  for (size_t i = 0; i < N; i++) {
    for (size_t j = 0; j < N; j++) {
      J[i * (N + R) + j] = dls_matrix_get(sys->M, i, j);
    }
    for (size_t k = 0; k < R; k++) {
      J[i * (N + R) + N + k] = -dls_matrix_get(sys->G, i, k);
      J[(N + k) * (N + R) + i] = dls_matrix_get(sys->G, i, k);
    }
  }
  for (size_t k = 0; k < R; k++) {
    rhs[N + k] = -rhs[N + k];
  }
  gsl_matrix_view A = gsl_matrix_view_array(J, N + R, N + R);
  gsl_vector_view b = gsl_vector_view_array(rhs, N + R), y = gsl_vector_view_array(x, N + R);
  gsl_permutation *p = gsl_permutation_alloc(N + R);
  gsl_linalg_LU_decomp(&A.matrix, p, &sign);
  gsl_linalg_LU_solve(&A.matrix, p, &b.vector, &y.vector);
  gsl_permutation_free(p);
  for (size_t i = 0; i < N; i++) {
    a[i] = x[i];
  }
  for (size_t k = 0; mu != NULL && k < R; k++) {
    mu[k] = x[N + k];
  }
}

/* Values of the Test Set for IVP Solvers; its multipliers have the other sign. */
DLS_TEST(andrews_starts_as_published)
{
  dls_system *sys = dls_test_system("andrews");
  double a[N], mu[R];
  accelerations(sys, sys->q0, sys->v0, a, mu);
  assert_close(a[0], 14222.4439199541138705911625887, 1e-7);
  assert_close(a[1], -10666.8329399655854029433719415, 1e-7);
  for (size_t i = 2; i < N; i++) {
    assert_close(a[i], 0, 1e-7);
  }
  assert_close(-mu[0], 98.5668703962410896057654982170, 1e-9);
  assert_close(-mu[1], -6.12268834425566265503114393122, 1e-9);
  for (size_t k = 2; k < R; k++) {
    assert_close(mu[k], 0, 1e-9);
  }
  dls_system_destroy(sys);
}

static int flow(double t, const double y[], double dy[], void *data)
{
  (void)t;
  for (size_t i = 0; i < N; i++) {
    dy[i] = y[N + i];
  }
  accelerations(data, y, y + N, dy + N, NULL);
  return GSL_SUCCESS;
}

/* The published reference has about ten digits: 9.8 to 10.2 mixed ones are all that there is. */
DLS_TEST(andrews_arrives_as_published)
{
  static const double reference[2 * N] = {0.1581077119629904e2,  -0.1575637105984298e2, 0.4082224013073101e-1,
                                          -0.5347301163226948,   0.5244099658805304,    0.5347301163226948,
                                          0.1048080741042263e1,  0.1139920302151208e4,  -0.1424379294994111e4,
                                          0.1103291221937134e2,  0.1929337464421385e2,  0.5735699284790808,
                                          -0.1929337464421385e2, 0.3231791658026955};
  dls_system *sys = dls_test_system("andrews");
  double y[2 * N] = {0}, t = 0, phi[R], worst = 0;
  for (size_t i = 0; i < N; i++) {
    y[i] = sys->q0[i];
  }
  gsl_odeiv2_system ode = {flow, NULL, 2 * N, sys};
  gsl_odeiv2_driver *driver = gsl_odeiv2_driver_alloc_y_new(&ode, gsl_odeiv2_step_rk8pd, 1e-6, 1e-13, 1e-13);
  assert_int_equal(gsl_odeiv2_driver_apply(driver, &t, 0.03, y), GSL_SUCCESS);
  for (size_t i = 0; i < N; i++) { /* mixed error of the angles */
    worst = fmax(worst, fabs(y[i] - reference[i]) / (1 + fabs(reference[i])));
  }
  print_message("  %.2f mixed digits\n", -log10(worst));
  assert_between(-log10(worst), 9.8, 10.2);
  for (size_t i = N; i < 2 * N; i++) {
    assert_close(y[i] / reference[i], 1, 1e-7);
  }
  dls_system_joint(sys, 0, y, phi);
  for (size_t k = 0; k < R; k++) {
    assert_close(phi[k], 0, 1e-10);
  }
  gsl_odeiv2_driver_free(driver);
  dls_system_destroy(sys);
}

/* K = -dF/dq and C = -dF/dv against central differences. */
DLS_TEST(forces_of_andrews_have_their_derivatives)
{
  dls_system *sys = dls_test_system("andrews");
  double q[N], v[N], below[N], above[N];
  for (size_t i = 0; i < N; i++) {
    q[i] = sys->q0[i] + 0.1 * (double)i - 0.2;
    v[i] = 30 - 11 * (double)i;
  }
  sys->stiffness(sys, 0, q, v, sys->K);
  sys->damping(sys, 0, q, v, sys->C);
  for (size_t j = 0; j < 2 * N; j++) {
    double *x = j < N ? &q[j] : &v[j - N];
    const double at = *x, h = j < N ? 1e-6 : 1e-3;
    *x = at - h;
    dls_system_force(sys, 0, q, v, below);
    *x = at + h;
    dls_system_force(sys, 0, q, v, above);
    *x = at;
    for (size_t i = 0; i < N; i++) {
      const double slope = -(above[i] - below[i]) / (2 * h);
      assert_close(dls_matrix_get(j < N ? sys->K : sys->C, i, j % N), slope, 1e-8 * (1 + fabs(slope)));
    }
  }
  dls_system_destroy(sys);
}

/* u'^2 = f(u), so u'' = f'(u)/2: by the classical Runge-Kutta method. */
typedef struct top {
  double slope[4]; /* u'' = sum slope_k u^k */
} top;

static double rise(const top *s, double u)
{
  return s->slope[0] + u * (s->slope[1] + u * s->slope[2]);
}

static double follow(const top *s, double u, double w, double end, int steps)
{
  const double h = end / steps;
  for (int i = 0; i < steps; i++) {
    const double a1 = rise(s, u), a2 = rise(s, u + h / 2 * w), a3 = rise(s, u + h / 2 * (w + h / 2 * a1));
    const double a4 = rise(s, u + h * (w + h / 2 * a2));
    u += h * w + h * h / 6 * (a1 + a2 + a3);
    w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return u;
}

/* f = (1 - u^2)(a - b u) - (c - d u)^2 with the data of the model at its start, u = 0, u' = 0. */
DLS_TEST(the_height_of_the_top_is_an_elliptic_function)
{
  const double m = 15, l = 1, g = 9.81, J1 = 0.234375, J2 = 0.46875, A = J1 + m * l * l;
  const double Hz = A * -4.61538, H3 = J2 * 150, E = 0.5 * A * 4.61538 * 4.61538;
  const double a = 2 * E / A, b = 2 * m * g * l / A, c = Hz / A, d = H3 / A;
  const top s = {{(-b + 2 * c * d) / 2, -a - d * d, 1.5 * b, 0}};
  const double u = follow(&s, 0, 0, 0.1, 200000);
  assert_close(a - c * c, 0, 1e-12);
  assert_close(u, -0.1491647005619, 1e-12);
  assert_close(follow(&s, 0, 0, 0.7452069476167690, 200000), 0, 1e-9);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(andrews_starts_as_published),
      cmocka_unit_test(andrews_arrives_as_published),
      cmocka_unit_test(forces_of_andrews_have_their_derivatives),
      cmocka_unit_test(the_height_of_the_top_is_an_elliptic_function),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
