/* test_rough_models.c -- models of bodies with friction: their rows are derivatives of their gaps and of each other, their
 * matrices those of the sources.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "models.h"
#include <delassus/configuration.h>
#include <math.h>
#include <stdlib.h>

static double uniform(unsigned *seed, double low, double high)
{
  *seed = *seed * 1664525u + 1013904223u;
  return low + (high - low) * (*seed / 4294967296.0);
}

/* By central differences of step 1e-6: H = dg/dq, c = (dH/dt) v along q' = v, with tangents too. */
static void check_rows(const dls_system *sys, const double *q, const double *v)
{
  const double d = 1e-6;
  double ahead[3], behind[3], g[2][3], u[2][6], c[6];
  dls_configuration config;
  assert_true(dls_configuration_create(sys, &config));
  for (size_t i = 0; i < sys->n; i++) {
    ahead[i] = q[i] + d * v[i];
    behind[i] = q[i] - d * v[i];
  }
  dls_configuration_at(&config, 0, ahead);
  dls_configuration_gap(&config, g[1]);
  dls_configuration_velocity(&config, v, u[1]);
  dls_configuration_at(&config, 0, behind);
  dls_configuration_gap(&config, g[0]);
  dls_configuration_velocity(&config, v, u[0]);
  dls_configuration_at(&config, 0, q);
  dls_configuration_curvature(&config, v, c);
  for (size_t row = 0; row < config.rows; row++) {
    assert_close(c[row], (u[1][row] - u[0][row]) / (2 * d), 1e-8);
    if (row % 2 == 0) {
      assert_close(dls_configuration_row(&config, row, v), (g[1][row / 2] - g[0][row / 2]) / (2 * d), 1e-8);
    }
  }
  dls_configuration_destroy(&config);
}

/* W of contact 0 at q, rows N, T. */
static void delassus(const dls_system *sys, const double *q, double W[2][2])
{
  dls_configuration config;
  assert_true(dls_configuration_create(sys, &config));
  dls_configuration_at(&config, 0, q);
  for (size_t a = 0; a < 2; a++) {
    for (size_t b = 0; b < 2; b++) {
      W[a][b] = 0;
      for (size_t i = 0; i < sys->n; i++) {
        W[a][b] +=
            dls_matrix_get(config.H, i, a) * dls_matrix_get(config.H, i, b) / dls_matrix_get(sys->M, i, i);
      }
    }
  }
  dls_configuration_destroy(&config);
}

DLS_TEST(rows_are_derivatives)
{
  const char *const models[] = {"rough-bowl", "rocking-block", "painleve-rod", "woodpecker"};
  unsigned seed = 3;
  for (size_t k = 0; k < 4; k++) {
    dls_system *sys = dls_test_system(models[k]);
    for (int trial = 0; trial < 20; trial++) {
      double q[3], v[3];
      for (size_t i = 0; i < sys->n; i++) {
        q[i] = uniform(&seed, 0.3, 1);
        v[i] = uniform(&seed, -1, 1);
      }
      check_rows(sys, q, v);
    }
    dls_system_destroy(sys);
  }
}

/* Contact is closed at the start in all of them: rounding must not open it. */
DLS_TEST(they_start_on_their_supports)
{
  unsigned seed = 5;
  for (int trial = 0; trial < 100; trial++) {
    char text[3][80];
    snprintf(text[0], sizeof text[0], "rough-bowl:theta0=%.17g,R=%.17g", uniform(&seed, -1.5, 1.5),
             uniform(&seed, 0.1, 3));
    snprintf(text[1], sizeof text[1], "rocking-block:phi0=%.17g", uniform(&seed, -1.5, 1.5));
    snprintf(text[2], sizeof text[2], "painleve-rod:theta0=%.17g", uniform(&seed, 0, 3.1));
    for (int k = 0; k < 3; k++) {
      dls_system *sys = dls_test_system(text[k]);
      double g[2];
      dls_system_gap(sys, 0, sys->q0, g);
      assert_between(sys->m == 1 ? g[0] : fmin(g[0], g[1]), -1e-14, 0);
      assert_between(sys->m == 1 ? 0 : fmax(g[0], g[1]), 0, 1);
      dls_system_destroy(sys);
    }
  }
  dls_system *bird = dls_test_system("woodpecker");
  double g[3];
  dls_system_gap(bird, 0, bird->q0, g);
  assert_close(g[1], 0, 1e-18);
  assert_true(g[0] > 0 && g[1] <= 0 && g[2] > 0);
  dls_system_destroy(bird);
}

/* m W = (1 + a c^2, -a s c; -a s c, 1 + a s^2), a = m l^2/J. */
DLS_TEST(the_rod_has_the_delassus_matrix_of_the_literature)
{
  dls_system *sys = dls_test_system("painleve-rod:m=2,l=0.7,J=0.4,ut0=-3,omega0=2");
  const double a = 2 * 0.49 / 0.4;
  double W[2][2], u[2];
  for (double angle = 0.1; angle < 3; angle += 0.3) {
    const double q[] = {1, 0.5, angle}, c = cos(angle), s = sin(angle);
    delassus(sys, q, W);
    assert_close(2 * W[0][0], 1 + a * c * c, 1e-14);
    assert_close(2 * W[0][1], -a * s * c, 1e-14);
    assert_close(2 * W[1][1], 1 + a * s * s, 1e-14);
  }
  dls_configuration config;
  assert_true(dls_configuration_create(sys, &config));
  dls_configuration_velocity(&config, sys->v0, u);
  assert_close(u[0], 0, 1e-15);
  assert_close(u[1], -3, 1e-15);
  dls_configuration_destroy(&config);
  dls_system_destroy(sys);
}

DLS_TEST(the_slender_rod_is_critical_where_the_literature_says)
{
  dls_system *sys = dls_test_system("painleve-rod:mu=2");
  const double critical[] = {37.3773681406, 79.1876830364}, degree = acos(-1) / 180;
  for (int k = 0; k < 2; k++) {
    double W[2][2];
    const double q[] = {0, 0, critical[k] * degree};
    delassus(sys, q, W);
    assert_close(W[0][0] + 2 * W[0][1], 0, 1e-11); /* A = W_NN - s mu W_NT, s = -1 */
  }
  dls_system_destroy(sys);
}

/* A quarter of the block's height turns as much as J says: J about a corner is 4/3 m (b^2 + h^2). */
DLS_TEST(the_block_has_corners_and_inertia)
{
  dls_system *sys = dls_test_system("rocking-block:m=3,b=0.2,h=0.6,phi0=0.1");
  double g[2];
  dls_system_gap(sys, 0, sys->q0, g);
  assert_close(g[0], 0, 1e-16);
  assert_close(g[1], 0.4 * sin(0.1), 1e-15);
  assert_close(dls_matrix_get(sys->M, 2, 2) + 3 * (0.04 + 0.36), 4 * (0.04 + 0.36), 1e-15);
  dls_system_destroy(sys);
}

DLS_TEST(the_woodpecker_is_that_of_the_literature)
{
  dls_system *sys = dls_test_system("woodpecker");
  const double M[3][3] = {{0.0048, 4.5e-5, 6.75e-5}, {4.5e-5, 4.55e-7, 6.75e-7}, {6.75e-5, 6.75e-7, 1.7125e-6}};
  const double w[] = {0.0024, 0.0006, 0.0006}, e[] = {0.5, 0, 0};
  for (size_t i = 0; i < 3; i++) {
    for (size_t j = 0; j < 3; j++) {
      assert_close(dls_matrix_get(sys->M, i, j), M[i][j], 1e-16);
    }
    assert_close(sys->w[i], w[i], 1e-16);
    assert_close(sys->e[i], e[i], 0);
    assert_close(sys->mu[i], 0.3, 0);
  }
  assert_close(dls_matrix_get(sys->T, 2, 0), -0.0051, 1e-17);
  assert_close(dls_matrix_get(sys->K, 1, 2), -0.0056, 0);
  dls_system_destroy(sys);
}

DLS_TEST(what_does_not_go_together_is_refused)
{
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_model_choice bird = dls_test_model("woodpecker:rM=0.002");
  assert_int_equal(dls_model_create(bird.model, bird.parameters, &sys, &err), DLS_ERR_OPTION);
  assert_string_equal(err.text, "model woodpecker: rM = 0.002 m is not above r0 = 0.0025 m");
  dls_model_choice_release(&bird);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_derivatives),
      cmocka_unit_test(they_start_on_their_supports),
      cmocka_unit_test(the_rod_has_the_delassus_matrix_of_the_literature),
      cmocka_unit_test(the_slender_rod_is_critical_where_the_literature_says),
      cmocka_unit_test(the_block_has_corners_and_inertia),
      cmocka_unit_test(the_woodpecker_is_that_of_the_literature),
      cmocka_unit_test(what_does_not_go_together_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
