/* test_place.c -- u and u' of a place against differences of the gaps along a motion; what is shared and what is own.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "models.h"
#include "moving.h"
#include <delassus/configuration.h>
#include <math.h>

static const double v[2] = {0.7, -0.4}, a[2] = {-0.6, 0.9};
static const double t0 = 0.4, delta = 1e-4; /* differences: errors of delta^2 = 1e-8 */

/* q + s v + s^2/2 a and v + s a: a motion through (q, v, a). */
static void move(const dls_system *sys, double s, double *q, double *speed)
{
  for (size_t i = 0; i < 2; i++) {
    q[i] = sys->q0[i] + s * v[i] + s * s / 2 * a[i];
    speed[i] = v[i] + s * a[i];
  }
}

DLS_TEST(gap_velocities_are_rates_of_gaps)
{
  dls_system *sys = dls_test_moving(1);
  dls_configuration config;
  assert_true(dls_configuration_create(sys, &config));
  double q[2], speed[2], before[2], behind[2], u[2], c[2];
  move(sys, -delta, q, speed);
  dls_configuration_at(&config, t0 - delta, q);
  dls_configuration_gap(&config, before);
  move(sys, delta, q, speed);
  dls_configuration_at(&config, t0 + delta, q);
  dls_configuration_gap(&config, behind);
  move(sys, 0, q, speed);
  dls_configuration_at(&config, t0, q);
  dls_configuration_gap(&config, c);
  dls_configuration_velocity(&config, v, u);
  for (size_t j = 0; j < 2; j++) {
    assert_close(u[j], (behind[j] - before[j]) / (2 * delta), 1e-7);
    assert_true(dls_configuration_row(&config, j, v) == u[j]);
    before[j] = (behind[j] - 2 * c[j] + before[j]) / (delta * delta);
  }
  dls_configuration_curvature(&config, v, c);
  for (size_t j = 0; j < 2; j++) { /* u' = H^T a + c */
    assert_close(dls_matrix_column_dot(config.H, j, a) + c[j], before[j], 1e-6);
  }
  assert_close(dls_matrix_get(config.M, 0, 0), 1 + q[0] * q[0], 0);
  dls_configuration_destroy(&config);
  dls_system_destroy(sys);
}

DLS_TEST(rows_of_a_contact_stand_together)
{
  dls_system *sys = dls_test_moving(2);
  dls_configuration config;
  assert_true(dls_configuration_create(sys, &config));
  double q[2], speed[2], u[3][4], c[4];
  assert_int_equal(config.rows, 4);
  for (int k = 0; k < 3; k++) {
    move(sys, (k - 1) * delta, q, speed);
    dls_configuration_at(&config, t0 + (k - 1) * delta, q);
    dls_configuration_velocity(&config, speed, u[k]);
  }
  move(sys, 0, q, speed);
  dls_configuration_at(&config, t0, q);
  const double r = hypot(q[0], q[1]);
  assert_close(u[1][0], (q[0] * v[0] + q[1] * v[1]) / r - 0.3 * cos(3 * t0), 1e-15);
  assert_close(u[1][1], (q[0] * v[1] - q[1] * v[0]) / r - 0.3, 1e-15);
  assert_close(u[1][2], v[1] + 0.4 * sin(2 * t0), 1e-15);
  assert_close(u[1][3], -v[0] - 0.3, 1e-15);
  dls_configuration_curvature(&config, v, c);
  for (size_t row = 0; row < 4; row++) {
    const double rate = (u[2][row] - u[0][row]) / (2 * delta);
    assert_close(dls_matrix_column_dot(config.H, row, a) + c[row], rate, 1e-7);
  }
  dls_configuration_destroy(&config);
  dls_system_destroy(sys);
}

DLS_TEST(time_alone_moves_the_rates_alone)
{
  dls_system *sys = dls_test_moving(1);
  dls_configuration config;
  assert_true(dls_configuration_create(sys, &config));
  dls_configuration_at(&config, 0, sys->q0);
  const double h = dls_matrix_get(config.H, 0, 0);
  dls_configuration_time(&config, 1);
  assert_close(config.b[0], -0.3 * cos(3), 0);
  assert_close(dls_matrix_get(config.H, 0, 0), h, 0);
  dls_configuration_destroy(&config);
  dls_system_destroy(sys);
}

DLS_TEST(constant_matrices_are_the_systems)
{
  dls_system *sys = dls_test_system("bead-column");
  dls_configuration config;
  assert_true(dls_configuration_create(sys, &config));
  assert_true(dls_configuration_constant(&config) && config.M == sys->M && config.H == sys->H);
  dls_configuration_destroy(&config);
  dls_system_destroy(sys);
  sys = dls_test_moving(1);
  assert_true(dls_configuration_create(sys, &config));
  assert_true(!dls_configuration_constant(&config) && config.M != sys->M && config.H != sys->H);
  dls_configuration_destroy(&config);
  dls_system_destroy(sys);
}

/* Gaps and velocities of a node are those that are asked for one by one, also where gaps move or H varies. */
DLS_TEST(a_node_is_its_gaps_and_velocities)
{
  dls_system *const systems[] = {dls_test_system("bead-column:N=5"), dls_test_system("two-ball-oscillator"),
                                 dls_test_moving(1), dls_test_moving(2)};
  for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
    dls_system *sys = systems[i];
    dls_configuration config;
    double speed[8], g[8], u[8], other_g[8], other_u[8];
    assert_true(dls_configuration_create(sys, &config) && sys->n <= 8);
    for (size_t k = 0; k < sys->n; k++) {
      speed[k] = 0.3 - 0.7 * (double)(k % 3);
    }
    dls_configuration_at(&config, t0, sys->q0);
    dls_configuration_node(&config, speed, g, u);
    dls_configuration_gap(&config, other_g);
    dls_configuration_normals(&config, speed, other_u);
    assert_memory_equal(g, other_g, sys->m * sizeof *g);
    assert_memory_equal(u, other_u, sys->m * sizeof *u);
    dls_configuration_destroy(&config);
    dls_system_destroy(sys);
  }
}

/* Without contacts there is nothing to ask. */
DLS_TEST(a_node_of_nothing_is_nothing)
{
  const double speed[2] = {1, 2};
  dls_configuration config;
  dls_system *sys = dls_system_create(2, 0);
  sys->linear = true;
  sys->M = dls_matrix_diagonal(2);
  assert_true(dls_configuration_create(sys, &config));
  dls_configuration_node(&config, speed, NULL, NULL);
  assert_true(config.rows == 0 && config.H == NULL);
  dls_configuration_destroy(&config);
  dls_system_destroy(sys);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gap_velocities_are_rates_of_gaps),  cmocka_unit_test(rows_of_a_contact_stand_together),
      cmocka_unit_test(time_alone_moves_the_rates_alone),  cmocka_unit_test(constant_matrices_are_the_systems),
      cmocka_unit_test(a_node_is_its_gaps_and_velocities), cmocka_unit_test(a_node_of_nothing_is_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
