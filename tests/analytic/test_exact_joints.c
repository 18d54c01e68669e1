/* test_exact_joints.c -- exact solutions of systems with joints: equations of motion, joints, energy, published digits.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include <delassus/catalogue.h>
#include <delassus/exact.h>
#include <math.h>
#include <stdlib.h>

enum { TIMES = 50 };

/* M a = F + G mu,  Phi = 0,  G^T v = 0,  T + V = const; sizes are some ten. */
static void check_row(const dls_system *sys, const dls_trajectory *traj, size_t row, double *energy)
{
  const size_t n = sys->n, r = sys->r;
  const double t = dls_trajectory_at(traj, row, 0);
  double *x = calloc(4 * n + 2 * r, sizeof *x);
  double *q = x, *v = q + n, *a = v + n, *left = a + n, *mu = left + n, *phi = mu + r, T = 0;
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
    assert_close(left[i], 0, 1e-11);
    for (size_t j = 0; j < n; j++) {
      T += 0.5 * v[i] * dls_matrix_get(sys->M, i, j) * v[j];
    }
  }
  for (size_t k = 0; k < r; k++) {
    assert_close(phi[k], 0, 1e-14);
    assert_close(dls_matrix_column_dot(sys->G, k, v), 0, 1e-13);
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
                                       "lens-cardona-b:l=1.3,m=2"};
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(they_solve_the_equations),
      cmocka_unit_test(the_four_bar_is_where_it_is_known_to_be),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
