/* test_exact_joints.c -- exact solutions of systems with joints: equations of motion, joints, energy, published digits.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include "runs.h"
#include <delassus/catalogue.h>
#include <delassus/exact.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { TIMES = 50 };

/* M a = F + G mu,  Phi = 0,  G^T v = 0,  T + V = const, to rounding of the largest term, at least of some ten. */
static void check_row(const dls_system *sys, const dls_trajectory *traj, size_t row, double *energy)
{
  const size_t n = sys->n, r = sys->r;
  const double t = dls_trajectory_at(traj, row, 0);
  double *x = calloc(4 * n + 2 * r, sizeof *x);
  double *q = x, *v = q + n, *a = v + n, *left = a + n, *mu = left + n, *phi = mu + r, T = 0, forces = 10,
         fast = 1;
  assert_non_null(x);
  for (size_t i = 0; i < 3 * n; i++) { /* q, v, a: there are no contacts */
    x[i] = dls_trajectory_at(traj, row, 1 + i);
  }
  for (size_t k = 0; k < r; k++) {
    mu[k] = dls_trajectory_at(traj, row, traj->columns - 2 * r + k);
  }
  dls_system_force(sys, t, q, v, left);
  dls_system_joint_gradient(sys, t, q, sys->G);
  dls_matrix_multiply(sys->G, 1, mu, left);
  dls_matrix_multiply(sys->M, -1, a, left);
  dls_system_joint(sys, t, q, phi);
  for (size_t i = 0; i < n; i++) {
    forces = fmax(forces, dls_matrix_get(sys->M, i, i) * fabs(a[i]));
    fast = fmax(fast, fabs(v[i]));
  }
  for (size_t i = 0; i < n; i++) {
    assert_close(left[i], 0, 1e-12 * forces);
    for (size_t j = 0; j < n; j++) {
      T += 0.5 * v[i] * dls_matrix_get(sys->M, i, j) * v[j];
    }
  }
  for (size_t k = 0; k < r; k++) {
    assert_close(phi[k], 0, 1e-14);
    assert_close(dls_matrix_column_dot(sys->G, k, v), 0, 1e-13 * fast);
  }
  *energy = T + sys->potential(sys, q);
  free(x);
}

static void they_solve_the_equations(void **state)
{
  (void)state;
  static const char *const models[] = {"four-bar",
                                       "four-bar:v0=-4",
                                       "four-bar:v0=0",
                                       "four-bar:N=2,l=0.7,m=2,v0=0.3",
                                       "four-bar:N=5,g=3,v0=6",
                                       "lens-cardona-b:l=1.3,m=2",
                                       "heavy-top",
                                       "heavy-top:spin=20,precession=-2,theta0=0.3"};
  for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
    dls_model_choice choice = dls_test_model(models[k]);
    dls_system *sys = dls_test_system(models[k]);
    const dls_exact *exact = dls_exact_find(choice.model->name);
    double times[TIMES], first = 0;
    dls_trajectory *traj = NULL;
    dls_error err = {0};
    for (size_t i = 0; i < TIMES; i++) {
      times[i] = 0.0937 * (double)i;
    }
    assert_ok(dls_exact_at(exact, choice.parameters, TIMES, times, &traj, &err), err);
    for (size_t row = 0; row < traj->rows; row++) {
      double energy = 0;
      check_row(sys, traj, row, &energy);
      first = row == 0 ? energy : first;
      assert_close(energy, first, 1e-12 * (1 + fabs(first)));
    }
    dls_trajectory_destroy(traj);
    dls_system_destroy(sys);
    dls_model_choice_release(&choice);
  }
}

/* The reference of the benchmark; a turn of the parallelogram takes 1.923711817338965 s. */
static void the_four_bar_is_where_it_is_known_to_be(void **state)
{
  (void)state;
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  assert_ok(
      dls_exact_at(dls_exact_find("four-bar"), NULL, 2, (const double[]){1.923711817338965, 10}, &traj, &err),
      err);
  assert_close(dls_trajectory_at(traj, 0, 1), 0, 1e-14);
  assert_close(dls_trajectory_at(traj, 0, 2), 1, 1e-15);
  assert_close(dls_trajectory_at(traj, 1, 1), 0.4783850578, 5e-11);
  assert_close(dls_trajectory_at(traj, 1, 2), 0.8781501788, 5e-11);
  dls_trajectory_destroy(traj);
}

/* u(0.1) of the literature's data, and u of the start again after a nutation: it passes within 1e-6 rad of hanging. */
static void the_heavy_top_is_where_it_is_known_to_be(void **state)
{
  (void)state;
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  assert_ok(dls_exact_at(dls_exact_find("heavy-top"), NULL, 2, (const double[]){0.1, 0.7452069476167690}, &traj,
                         &err),
            err);
  assert_close(dls_trajectory_at(traj, 0, 6), -0.1491647005619, 5e-14);
  assert_close(dls_trajectory_at(traj, 1, 6), 0, 2e-15);
  dls_trajectory_destroy(traj);
}

/* By Taylor's series with 40 digits, in the directors. Forces of 1 N are the sum of terms of 5000 N. */
static void forces_of_the_heavy_top_have_all_digits(void **state)
{
  (void)state;
  static const struct {
    const char *of;
    double value;
  } cases[] = {
      {"a0", 16729.284673173891717},   {"a7", 8927.6102636828625576},   {"a5", -23.96114479034128731},
      {"mu0", -5273.6853286983439448}, {"mu1", -384.69937336173725397}, {"mu2", -5278.8576367340631448},
      {"mu3", 331.43496778108793249},  {"mu4", 1.1589932836945471605},  {"mu5", 69.521016742279118054}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const double size = fabs(cases[k].value);
    assert_close(dls_test_exact_value("heavy-top", 0.1, cases[k].of), cases[k].value, 2 * DBL_EPSILON * size);
  }
}

/* Falling and rising, through both poles and from them, plane pendulum, spherical pendulum, fast top, steady precession. */
static void heavy_tops_go_where_they_are_integrated_to(void **state)
{
  (void)state;
  static const char *const models[] = {
      "heavy-top",
      "heavy-top:spin=0,precession=0",
      "heavy-top:spin=0,precession=3",
      "heavy-top:spin=0,precession=7,theta0=3.141592653589793",
      "heavy-top:theta0=0,precession=1",
      "heavy-top:theta0=0,precession=-1,spin=20",
      "heavy-top:theta0=1e-9,spin=10,precession=1e-8",
      "heavy-top:theta0=0.3,spin=20,precession=-2",
      "heavy-top:theta0=1,spin=100,precession=100",
      "heavy-top:theta0=3.141592653589793,precession=1e-9,spin=-40",
      "heavy-top:theta0=1.5707963267948966,spin=14,precession=22.421052631578945,J2=0.4,J1=0.25,g=20",
  };
  for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
    const double end = 0.7;
    dls_model_choice choice = dls_test_model(models[k]);
    test_run run = dls_test_run(models[k], "event-driven:tol=1e-12", 0, end);
    dls_trajectory *exact = NULL;
    dls_error err = {0};
    assert_ok(dls_exact_at(dls_exact_find("heavy-top"), choice.parameters, 1, &end, &exact, &err), err);
    for (size_t i = 0; i < 18; i++) {
      const double arrived = dls_trajectory_at(run.traj, run.traj->rows - 1, 1 + i);
      assert_close(arrived, dls_trajectory_at(exact, 0, 1 + i), i < 9 ? 1e-10 : 2e-8);
    }
    dls_test_free(&run);
    dls_trajectory_destroy(exact);
    dls_model_choice_release(&choice);
  }
}

/* Upright without precession, too slow to be stable: it stays. */
static void a_sleeping_top_stays(void **state)
{
  (void)state;
  dls_model_choice choice = dls_test_model("heavy-top:theta0=0,precession=0,spin=3");
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  const double t = 1.3;
  assert_ok(dls_exact_at(dls_exact_find("heavy-top"), choice.parameters, 1, &t, &traj, &err), err);
  assert_close(dls_trajectory_at(traj, 0, 1), cos(3 * t), 1e-15);
  assert_close(dls_trajectory_at(traj, 0, 2), sin(3 * t), 1e-15);
  assert_close(dls_trajectory_at(traj, 0, 6), 1, 1e-15);
  dls_trajectory_destroy(traj);
  dls_model_choice_release(&choice);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(they_solve_the_equations),
      cmocka_unit_test(the_four_bar_is_where_it_is_known_to_be),
      cmocka_unit_test(the_heavy_top_is_where_it_is_known_to_be),
      cmocka_unit_test(forces_of_the_heavy_top_have_all_digits),
      cmocka_unit_test(heavy_tops_go_where_they_are_integrated_to),
      cmocka_unit_test(a_sleeping_top_stays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
