/* test_cascade.c -- the first active set from lumped contacts: near the one of the solution, whatever the unit of b.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/solve/large/cascade.h"
#include <delassus/lcp.h>
#include <math.h>
#include <string.h>

enum { SIDE = 48, N = SIDE * SIDE };
static double b[N], z[N], first[N], scaled[N];
static unsigned char active[N], active_scaled[N];

/* The Laplacian of a square grid, and a little of I. */
static dls_matrix *grid(void)
{
  dls_matrix *W = dls_matrix_sparse(N, N, 5 * N);
  for (size_t j = 0; j < N; j++) {
    const size_t rows[] = {j - SIDE, j - 1, j, j + 1, j + SIDE};
    const bool there[] = {j >= SIDE, j % SIDE > 0, true, j % SIDE < SIDE - 1, j + SIDE < N};
    for (size_t k = 0; k < 5; k++) {
      if (there[k]) {
        dls_matrix_set(W, rows[k], j, k == 2 ? 4.001 : -1);
      }
    }
  }
  return W;
}

/* A wave over the grid presses here and lifts there; z up to 10 or so. */
static void load(double unit)
{
  for (size_t i = 0; i < N; i++) {
    b[i] = unit * (0.02 - 0.1 * sin(0.31 * (double)(i % SIDE)) * sin(0.23 * (double)(i / SIDE) + 0.4));
  }
}

static void cascade(const dls_matrix *W, double unit, unsigned char *set, double *guess)
{
  dls_lcp_matrix *matrix = dls_lcp_matrix_create(dls_lcp_cascade);
  assert_int_equal(dls_lcp_matrix_take(matrix, W), DLS_OK);
  load(unit);
  assert_int_equal(dls_lcp_cascade(matrix, b, set, guess), DLS_OK);
  dls_lcp_matrix_destroy(matrix);
}

DLS_TEST(the_first_set_is_nearly_the_last)
{
  dls_error err = {0};
  dls_lcp_solver *lcp = NULL;
  dls_matrix *W = grid();
  size_t wrong = 0, loaded = 0;
  double off = 0, most = 0;
  cascade(W, 1, active, first);
  assert_ok(dls_lcp_create(N, NULL, 1e-12, &lcp, &err), err);
  assert_ok(dls_lcp_solve_matrix(lcp, W, b, z, NULL, NULL, &err), err);
  for (size_t i = 0; i < N; i++) {
    wrong += (z[i] > 0) != active[i];
    loaded += z[i] > 0;
    off = fmax(off, fabs(first[i] - z[i]));
    most = fmax(most, z[i]);
  }
  assert_between((double)loaded, 0.2 * N, 0.8 * N);
  assert_int_equal(wrong, 0);
  assert_between(off, 0, 5e-4 * most); /* six corrections with three sweeps each */
  dls_lcp_destroy(lcp);
  dls_matrix_destroy(W);
}

DLS_TEST(the_unit_of_the_load_does_not_matter)
{
  dls_matrix *W = grid();
  cascade(W, 1, active, first);
  const double units[] = {0x1p-30, 0x1p20};
  for (int k = 0; k < 2; k++) {
    cascade(W, units[k], active_scaled, scaled);
    assert_memory_equal(active, active_scaled, N);
    for (size_t i = 0; i < N; i++) {
      assert_close(scaled[i] / units[k], first[i], 0);
    }
  }
  dls_matrix_destroy(W);
}

/* z of the cascade against the z that W and b = -W z were made for; all of it is positive. */
static double off_by(const dls_matrix *W, size_t n)
{
  double most = 0, off = 0;
  dls_lcp_matrix *matrix = dls_lcp_matrix_create(dls_lcp_cascade);
  assert_int_equal(dls_lcp_matrix_take(matrix, W), DLS_OK);
  for (size_t j = 0; j < n; j++) {
    b[j] = -dls_matrix_column_dot(W, j, z);
  }
  assert_int_equal(dls_lcp_cascade(matrix, b, active, first), DLS_OK);
  dls_lcp_matrix_destroy(matrix);
  for (size_t i = 0; i < n; i++) {
    assert_true(active[i] == 1);
    off = fmax(off, fabs(first[i] - z[i]));
    most = fmax(most, z[i]);
  }
  return off / most;
}

/* Smooth impulses come from the coarse problems: sweeps alone hardly move them. */
DLS_TEST(smooth_impulses_are_found)
{
  dls_matrix *W = grid();
  for (size_t i = 0; i < N; i++) {
    z[i] = (double)((1 + i % SIDE) * (SIDE - i % SIDE) * (1 + i / SIDE) * (SIDE - i / SIDE));
  }
  assert_between(off_by(W, N), 0, 1e-3);
  dls_matrix_destroy(W);
}

enum { LONG = 301 };

/* Of springs: between neighbours in a chain, from the hub to all, and from the hub to the ground. */
static dls_matrix *wheel(size_t hub)
{
  static const double chain = 1, lean = 0.01, ground = 0.1;
  static double W[LONG][LONG];
  memset(W, 0, sizeof W);
  W[hub][hub] = ground;
  for (size_t j = 0; j < LONG; j++) {
    for (size_t i = 0; i < j; i++) {
      const double x = (i + 1 == j ? chain : 0) + (i == hub || j == hub ? lean : 0);
      W[i][i] += x;
      W[j][j] += x;
      W[i][j] = W[j][i] = -x;
    }
  }
  dls_matrix *sparse = dls_matrix_sparse(LONG, LONG, 5 * LONG);
  for (size_t j = 0; j < LONG; j++) {
    for (size_t i = 0; i < LONG; i++) {
      if (W[i][j] != 0) {
        assert_int_equal(dls_matrix_set(sparse, i, j, W[i][j]), DLS_OK);
      }
    }
  }
  return sparse;
}

/* What the hub carries comes from the coarse problem: sweeps hardly move all of the others together. */
DLS_TEST(every_contact_is_lumped)
{
  for (size_t hub = 0; hub < LONG; hub += 100) {
    dls_matrix *W = wheel(hub);
    for (size_t i = 0; i < LONG; i++) {
      z[i] = 1;
    }
    assert_between(off_by(W, LONG), 0, 1e-10);
    dls_matrix_destroy(W);
  }
}

/* z is scratch: what it had does not matter. */
DLS_TEST(nothing_remains_of_what_was_there)
{
  dls_matrix *W = grid();
  memset(first, 0, sizeof first);
  cascade(W, 1, active, first);
  for (size_t i = 0; i < N; i++) {
    scaled[i] = 1e3 + (double)i;
  }
  cascade(W, 1, active_scaled, scaled);
  assert_memory_equal(active, active_scaled, N);
  assert_memory_equal(first, scaled, sizeof first);
  dls_matrix_destroy(W);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_first_set_is_nearly_the_last),
      cmocka_unit_test(the_unit_of_the_load_does_not_matter),
      cmocka_unit_test(smooth_impulses_are_found),
      cmocka_unit_test(every_contact_is_lumped),
      cmocka_unit_test(nothing_remains_of_what_was_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
