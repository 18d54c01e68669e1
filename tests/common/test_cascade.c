/* test_cascade.c -- the first active set from lumped contacts: near the one of the solution, whatever the unit of b.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/solve/cascade.h"
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
  dls_lcp_matrix *matrix = dls_lcp_matrix_create();
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_first_set_is_nearly_the_last),
      cmocka_unit_test(the_unit_of_the_load_does_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
