/* tests/common/test_bar_elements.c -- the bar's matrices against the closed forms of a chain of equal elements.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/model.h>
#include <math.h>
#include <string.h>

extern const dls_model dls_model_elastic_bar, dls_model_rod_impact;

enum { N, MASS, MODULUS, RHO, AREA, LENGTH, GAP, V0, G, E, ALPHA, BETA, COUNT };
enum { NODES = 13 };
static const double bar[COUNT] = {NODES - 1, 0, 700, 1.3, 0.7, 3, 0.2, -4, 9.81, 0.1, 0.3, 0.002};
static const double pi = 3.14159265358979323846;

static dls_system *make(int lumped, const double *p)
{
  dls_error err = {0};
  dls_system *sys = NULL;
  double values[COUNT];
  memcpy(values, p, sizeof values);
  values[MASS] = lumped;
  assert_ok(dls_model_create(&dls_model_elastic_bar, values, &sys, &err), err);
  return sys;
}

/* cos(k pi i/n) is the k-th mode of the free bar, with omega^2 = (c/l)^2 2 (1 - cos t) (lumped) or
 * (c/l)^2 6 (1 - cos t)/(2 + cos t) (consistent), t = k pi/n. */
DLS_TEST(the_modes_of_the_free_bar_have_their_closed_frequencies)
{
  for (int lumped = 0; lumped <= 1; lumped++) {
    dls_system *sys = make(lumped, bar);
    for (int k = 0; k < NODES; k++) {
      const double l = 3.0 / (NODES - 1), c2 = 700 / 1.3, t = k * pi / (NODES - 1);
      const double square = c2 / (l * l) * (lumped ? 2 * (1 - cos(t)) : 6 * (1 - cos(t)) / (2 + cos(t)));
      double mode[NODES], left[NODES] = {0}, right[NODES] = {0};
      for (int i = 0; i < NODES; i++) {
        mode[i] = cos(k * pi * i / (NODES - 1));
      }
      dls_matrix_multiply(sys->K, 1, mode, left);
      dls_matrix_multiply(sys->M, square, mode, right);
      for (int i = 0; i < NODES; i++) {
        assert_close(left[i], right[i], 1e-9);
      }
    }
    dls_system_destroy(sys);
  }
}

DLS_TEST(mass_weight_and_stretching_force_are_those_of_the_bar)
{
  for (int lumped = 0; lumped <= 1; lumped++) {
    dls_system *sys = make(lumped, bar);
    double one[NODES], place[NODES], F[NODES], Mone[NODES] = {0}, force[NODES] = {0}, mass = 0, weight = 0;
    dls_system_load(sys, 0, F);
    for (int i = 0; i < NODES; i++) {
      one[i] = 1;
      place[i] = i * 3.0 / (NODES - 1);
    }
    dls_matrix_multiply(sys->M, 1, one, Mone);
    dls_matrix_multiply(sys->K, 0.01, place, force); /* stretched by 1 % */
    for (int i = 0; i < NODES; i++) {
      mass += Mone[i];
      weight += F[i];
      assert_close(F[i], -9.81 * Mone[i], 1e-14);
      assert_close(force[i], i == 0 ? -4.9 : i == NODES - 1 ? 4.9 : 0, 1e-11);
    }
    assert_close(mass, 1.3 * 0.7 * 3, 1e-14);
    assert_close(weight, -9.81 * mass, 1e-13);
    dls_system_destroy(sys);
  }
}

DLS_TEST(damping_is_that_of_rayleigh)
{
  for (int lumped = 0; lumped <= 1; lumped++) {
    dls_system *sys = make(lumped, bar);
    for (size_t i = 0; i < NODES; i++) {
      for (size_t j = 0; j < NODES; j++) {
        const double expected = 0.3 * dls_matrix_get(sys->M, i, j) + 0.002 * dls_matrix_get(sys->K, i, j);
        assert_close(dls_matrix_get(sys->C, i, j), expected, 1e-13);
      }
    }
    dls_system_destroy(sys);
  }
}

DLS_TEST(the_bar_starts_undeformed_above_the_floor)
{
  dls_system *sys = make(0, bar);
  double gap, force[NODES] = {0};
  dls_system_gap(sys, 0, sys->q0, &gap);
  assert_close(gap, 0.2, 0);
  dls_matrix_multiply(sys->K, 1, sys->q0, force);
  for (size_t i = 0; i < NODES; i++) {
    assert_close(force[i], 0, 0);
    assert_close(sys->v0[i], -4, 0);
  }
  assert_close(sys->e[0], 0.1, 0);
  dls_system_destroy(sys);
}

/* Ten million nodes would not fit otherwise. */
DLS_TEST(storage_is_narrow)
{
  double p[COUNT];
  memcpy(p, bar, sizeof p);
  p[ALPHA] = p[BETA] = 0;
  p[N] = 1e5;
  dls_system *sys = make(0, p);
  assert_int_equal(dls_matrix_storage(sys->M), DLS_BAND);
  assert_int_equal(dls_matrix_storage(sys->K), DLS_BAND);
  assert_int_equal(dls_matrix_storage(sys->H), DLS_SPARSE);
  assert_null(sys->C);
  dls_system_destroy(sys);
  sys = make(1, p);
  assert_int_equal(dls_matrix_storage(sys->M), DLS_DIAGONAL);
  dls_system_destroy(sys);
}

/* The rod is the lumped bar of unit data. */
DLS_TEST(the_rod_is_a_bar)
{
  static const double unit[COUNT] = {100, 1, 1, 1, 1, 1, 7.5e-3, -0.5, 0, 0, 0, 0};
  dls_error err = {0};
  dls_system *rod = NULL, *same = make(1, unit);
  assert_ok(dls_model_create(&dls_model_rod_impact, NULL, &rod, &err), err);
  assert_int_equal(rod->n, 101);
  for (size_t i = 0; i < 101; i++) {
    assert_close(rod->q0[i], same->q0[i], 0);
    assert_close(rod->v0[i], same->v0[i], 0);
    for (size_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < 101; j++) {
      assert_close(dls_matrix_get(rod->M, i, j), dls_matrix_get(same->M, i, j), 0);
      assert_close(dls_matrix_get(rod->K, i, j), dls_matrix_get(same->K, i, j), 0);
    }
  }
  dls_system_destroy(rod);
  dls_system_destroy(same);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_modes_of_the_free_bar_have_their_closed_frequencies),
      cmocka_unit_test(mass_weight_and_stretching_force_are_those_of_the_bar),
      cmocka_unit_test(damping_is_that_of_rayleigh),
      cmocka_unit_test(the_bar_starts_undeformed_above_the_floor),
      cmocka_unit_test(storage_is_narrow),
      cmocka_unit_test(the_rod_is_a_bar),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
