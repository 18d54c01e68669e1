/* test_lcp_many.c -- complementarity problems of many contacts: sparse, tridiagonal, grid; regular and redundant W;
 * against residuals recomputed here, against dense methods, and against closed forms.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/lcp.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1000000 };
static double b[MOST], z[MOST], w[MOST], exact[MOST];

static dls_lcp_solver *create(const char *method)
{
  dls_lcp_solver *solver = NULL;
  dls_error err = {0};
  assert_ok(dls_lcp_create(1, method, 1e-12, &solver, &err), err);
  return solver;
}

/* max_i |min(z_i, w_i)| over max |b_i|, from W alone. */
static double residual(const dls_matrix *W)
{
  const size_t n = dls_matrix_rows(W);
  double worst = 0, largest = 0;
  for (size_t i = 0; i < n; i++) {
    w[i] = b[i];
    largest = fmax(largest, fabs(b[i]));
  }
  dls_matrix_multiply(W, 1, z, w);
  for (size_t i = 0; i < n; i++) {
    assert_true(z[i] >= 0);
    worst = fmax(worst, z[i] > 0 ? fabs(fmin(z[i] * dls_matrix_get(W, i, i), w[i])) : -fmin(w[i], 0));
  }
  return worst / largest;
}

static dls_lcp_report solve(const char *method, const dls_matrix *W)
{
  dls_lcp_solver *solver = create(method);
  dls_lcp_report report = {0};
  dls_error err = {0};
  assert_ok(dls_lcp_solve_matrix(solver, W, b, z, NULL, &report, &err), err);
  dls_lcp_destroy(solver);
  return report;
}

static void zero_start(size_t n)
{
  memset(z, 0, n * sizeof *z);
}

/* H^T H + excess I for a sparse H of rows x n entries in {-1, 0, 1} at random places: contacts on free bodies.
 * Fewer rows than columns: redundant. */
static dls_matrix *gram(gsl_rng *rng, size_t rows, size_t n, double excess)
{
  double *H = calloc(rows * n, sizeof *H);
  for (size_t j = 0; j < n; j++) {
    for (int k = 0; k < 3; k++) {
      H[gsl_rng_uniform_int(rng, rows) + j * rows] = gsl_rng_uniform_int(rng, 2) ? 1 : -1;
    }
  }
  dls_matrix *W = dls_matrix_sparse(n, n, n * n);
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < n; i++) {
      double sum = i == j ? excess : 0;
      for (size_t k = 0; k < rows; k++) {
        sum += H[k + i * rows] * H[k + j * rows];
      }
      if (sum != 0 || i == j) {
        dls_matrix_set(W, i, j, sum);
      }
    }
  }
  free(H);
  return W;
}

/* A five-point pattern; diagonal 2 or 4 + excess. Height 1: a chain. */
static dls_matrix *grid(size_t width, size_t height, double excess)
{
  const size_t n = width * height;
  dls_matrix *W = dls_matrix_sparse(n, n, 5 * n);
  for (size_t j = 0; j < n; j++) {
    const size_t x = j % width;
    if (j >= width) {
      dls_matrix_set(W, j - width, j, -1);
    }
    if (x > 0) {
      dls_matrix_set(W, j - 1, j, -1);
    }
    dls_matrix_set(W, j, j, (height > 1 ? 4 : 2) + excess);
    if (x + 1 < width) {
      dls_matrix_set(W, j + 1, j, -1);
    }
    if (j + width < n) {
      dls_matrix_set(W, j + width, j, -1);
    }
  }
  return W;
}

static void random_load(gsl_rng *rng, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    b[i] = gsl_ran_gaussian(rng, 1);
  }
}

static dls_matrix *dense_copy(const dls_matrix *W)
{
  const size_t n = dls_matrix_rows(W);
  dls_matrix *copy = dls_matrix_dense(n, n);
  for (size_t k = 0; k < n * n; k++) {
    dls_matrix_set(copy, k % n, k / n, dls_matrix_get(W, k % n, k / n));
  }
  return copy;
}

DLS_TEST(sparse_definite_problems_agree_with_lemke)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  double lemke[60];
  for (int k = 0; k < 300; k++) {
    const size_t n = 7 + gsl_rng_uniform_int(rng, 54);
    dls_matrix *W = gram(rng, 2 * n, n, 0.1), *dense = dense_copy(W);
    random_load(rng, n);
    zero_start(n);
    const dls_lcp_report report = solve("block-pivoting", W);
    assert_string_equal(report.method, "block-pivoting");
    assert_true(report.shift == 0);
    assert_between(residual(W), 0, 1e-12);
    memcpy(lemke, z, n * sizeof *z);
    zero_start(n);
    solve("lemke", dense);
    for (size_t i = 0; i < n; i++) {
      assert_close(lemke[i], z[i], 1e-10);
    }
    dls_matrix_destroy(W);
    dls_matrix_destroy(dense);
  }
  gsl_rng_free(rng);
}

/* b = H^T v is in the range of W = H^T H, so that there is a solution; w is unique, z is not. */
DLS_TEST(redundant_problems_are_solved)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  int shifted = 0;
  for (int k = 0; k < 200; k++) {
    const size_t n = 10 + gsl_rng_uniform_int(rng, 100);
    dls_matrix *W = gram(rng, n / 2, n, 0);
    double x[200];
    for (size_t i = 0; i < n; i++) {
      x[i] = gsl_ran_gaussian(rng, 1);
      b[i] = 0;
    }
    dls_matrix_multiply(W, 1, x, b); /* W x = H^T (H x) */
    zero_start(n);
    shifted += solve(NULL, W).shift > 0;
    assert_between(residual(W), 0, 1e-10);
    dls_matrix_destroy(W);
  }
  assert_true(shifted > 100);
  gsl_rng_free(rng);
}

/* The same contact twice, 3000 times over: too many for a dense method to help out. */
DLS_TEST(many_redundant_contacts_are_solved)
{
  enum { PAIRS = 3000 };
  dls_matrix *W = dls_matrix_sparse(2 * PAIRS, 2 * PAIRS, 12 * PAIRS);
  for (size_t j = 0; j < 2 * PAIRS; j++) { /* tridiag(-1, 2, -1) with every contact doubled */
    const size_t pair = j / 2;
    for (size_t other = pair > 0 ? pair - 1 : 0; other <= pair + 1 && other < PAIRS; other++) {
      dls_matrix_set(W, 2 * other, j, other == pair ? 2 : -1);
      dls_matrix_set(W, 2 * other + 1, j, other == pair ? 2 : -1);
    }
  }
  for (size_t i = 0; i < 2 * PAIRS; i++) {
    b[i] = i < PAIRS ? -1 : 1;
  }
  zero_start(2 * PAIRS);
  const dls_lcp_report report = solve(NULL, W);
  assert_string_equal(report.method, "block-pivoting");
  assert_true(report.shift > 0);
  assert_between(residual(W), 0, 1e-8); /* of loads of 1, where |W| |z| is some 1e6 */
  dls_matrix_destroy(W);
}

DLS_TEST(a_problem_without_solution_gets_a_status)
{
  const size_t sizes[] = {10, 1200};
  for (int k = 0; k < 2; k++) { /* [1 -1; -1 1] z + (-1, -1) in every block */
    const size_t n = sizes[k];
    dls_matrix *W = dls_matrix_sparse(n, n, 2 * n);
    for (size_t j = 0; j < n; j++) {
      dls_matrix_set(W, j & ~(size_t)1, j, j & 1 ? -1 : 1);
      dls_matrix_set(W, j | 1, j, j & 1 ? 1 : -1);
      b[j] = -1;
    }
    zero_start(n);
    dls_lcp_solver *solver = create(NULL);
    dls_error err = {0};
    const dls_status status = dls_lcp_solve_matrix(solver, W, b, z, NULL, NULL, &err);
    assert_true(status == DLS_ERR_LCP || status == DLS_ERR_NOCONV);
    assert_true(strlen(err.text) > 0);
    dls_lcp_destroy(solver);
    dls_matrix_destroy(W);
  }
}

DLS_TEST(large_chains_and_grids_are_solved)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  const struct {
    size_t width, height;
    double excess;
    const char *structure;
  } cases[] = {{40000, 1, 0.5, "tridiagonal"},
               {40000, 1, 0, "tridiagonal"},
               {100, 100, 0.5, "sparse"},
               {100, 100, 0, "sparse"}};
  for (size_t k = 0; k < 4; k++) {
    const size_t n = cases[k].width * cases[k].height;
    dls_matrix *W = grid(cases[k].width, cases[k].height, cases[k].excess);
    random_load(rng, n);
    zero_start(n);
    const dls_lcp_report cold = solve(NULL, W);
    assert_string_equal(cold.structure, cases[k].structure);
    assert_string_equal(cold.method, "block-pivoting");
    assert_between((double)cold.pivots, 1, 12);
    assert_between(residual(W), 0, 1e-10);
    const dls_lcp_report warm = solve(NULL, W); /* z is the solution */
    assert_int_equal(warm.pivots, 1);
    assert_between(residual(W), 0, 1e-10);
    dls_matrix_destroy(W);
  }
  gsl_rng_free(rng);
}

/* b = w - W z for impulses z > 0 on patches and w > 0 beside them, all integers, so that z is known: grids of up to 22500 contacts, with
 * and without excess; and, without anything that holds the grid (the rows of W add up to 0), loads that push it down on the whole. */
DLS_TEST(grids_have_the_impulses_they_were_made_of)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  for (int k = 0; k < 6; k++) {
    const size_t side = k < 3 ? 60 : 150, n = side * side;
    dls_matrix *W = grid(side, side, k % 3 == 0 ? 1 : 0);
    for (size_t i = 0; k % 3 == 2 && i < n; i++) { /* free at the rim */
      const size_t x = i % side, y = i / side;
      dls_matrix_set(W, i, i, 4 - (x == 0) - (x + 1 == side) - (y == 0) - (y + 1 == side));
    }
    for (size_t i = 0; i < n; i++) {
      const double u = (double)(i % side) / 10, v = (double)(i / side) / 10;
      exact[i] = fmax(0, floor(100 * sin(u) * cos(v) + 40));
      b[i] = exact[i] > 0 ? 0 : 1 + (double)gsl_rng_uniform_int(rng, 3);
      w[i] = 0;
    }
    dls_matrix_multiply(W, -1, exact, w);
    for (size_t i = 0; i < n; i++) {
      b[i] += w[i];
    }
    zero_start(n);
    const dls_lcp_report report = solve(NULL, W);
    assert_string_equal(report.method, "block-pivoting");
    assert_string_equal(report.structure, "sparse");
    assert_between((double)report.pivots, 1, 5);
    assert_between(report.shift, 0, 0);
    for (size_t i = 0; i < n; i++) {
      assert_close(z[i], exact[i], 1e-10);
    }
    dls_matrix_destroy(W);
  }
  gsl_rng_free(rng);
}

/* Nothing holds the grid, and all push it the same way: no impulses do. */
DLS_TEST(a_grid_that_nothing_holds_gets_a_status)
{
  enum { GRID = 50 };
  dls_matrix *W = grid(GRID, GRID, 0);
  for (size_t i = 0; i < GRID * GRID; i++) {
    const size_t x = i % GRID, y = i / GRID;
    dls_matrix_set(W, i, i, 4 - (x == 0) - (x + 1 == GRID) - (y == 0) - (y + 1 == GRID));
    b[i] = -1 - sin((double)i);
  }
  zero_start(GRID * GRID);
  dls_lcp_solver *solver = create(NULL);
  dls_error err = {0};
  const dls_status status = dls_lcp_solve_matrix(solver, W, b, z, NULL, NULL, &err);
  assert_true(status == DLS_ERR_LCP || status == DLS_ERR_NOCONV);
  assert_true(strlen(err.text) > 0);
  dls_lcp_destroy(solver);
  dls_matrix_destroy(W);
}

/* A chain pressed up by 1 everywhere but on its middle half, where it is pressed down: patches of thousands of
 * contacts whose rims a method that goes contact by contact would take thousands of rounds to find. */
DLS_TEST(wide_patches_are_found_in_few_rounds)
{
  enum { N = 20000 };
  dls_matrix *W = grid(N, 1, 0);
  for (size_t i = 0; i < N; i++) {
    b[i] = i > N / 4 && i < 3 * N / 4 ? 1 : -1;
  }
  zero_start(N);
  assert_between((double)solve(NULL, W).pivots, 1, 20);
  assert_between(residual(W), 0, 1e-5); /* z reaches 1e7: rounding of W z */
  dls_matrix_destroy(W);
}

/* b = w - W z for impulses z = k (L - k) on runs of L - 1 neighbours and w > 0 in the gaps between, all integers, so that z is
 * known to the last bit: 10^6 contacts with runs of up to 4 10^5, z up to 4 10^10. Cold; and for another load, which starts from
 * the impulses of the first. */
DLS_TEST(chains_of_a_million_contacts_have_the_impulses_they_were_made_of)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_matrix *W = grid(MOST, 1, 0);
  dls_lcp_solver *solver = create(NULL);
  zero_start(MOST);
  for (int load = 0; load < 3; load++) {
    memset(exact, 0, sizeof exact);
    for (size_t i = 1 + gsl_rng_uniform_int(rng, 9); i < MOST;) {
      const size_t most = (size_t)pow(10, gsl_ran_flat(rng, 0.31, 5.6)),
                   length = i + most < MOST ? most : MOST - i;
      for (size_t k = 1; k < length; k++) {
        exact[i + k - 1] = (double)k * (double)(length - k);
      }
      i += length + gsl_rng_uniform_int(rng, 5);
    }
    for (size_t i = 0; i < MOST; i++) {
      b[i] = exact[i] > 0 ? 0 : 1 + (double)gsl_rng_uniform_int(rng, 3);
      b[i] -= 2 * exact[i] - (i > 0 ? exact[i - 1] : 0) - (i + 1 < MOST ? exact[i + 1] : 0);
    }
    dls_lcp_report report;
    dls_error err = {0};
    assert_ok(dls_lcp_solve_matrix(solver, W, b, z, NULL, &report, &err), err);
    assert_string_equal(report.method, "block-pivoting");
    assert_between((double)report.pivots, 1, load == 0 ? 1 : 3);
    for (size_t i = 0; i < MOST; i++) {
      assert_close(z[i], exact[i], 1e-10 * exact[i]);
    }
  }
  dls_lcp_destroy(solver);
  dls_matrix_destroy(W);
  gsl_rng_free(rng);
}

/* Chains of all kinds, some of whose contacts are not coupled, some without excess: as Lemke's method has them, cold and from
 * any guess. */
DLS_TEST(short_chains_agree_with_lemke)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  for (int k = 0; k < 500; k++) {
    const size_t n = 7 + gsl_rng_uniform_int(rng, 60);
    double coupling[70] = {0};
    for (size_t i = 1; i < n; i++) {
      coupling[i] = gsl_rng_uniform_int(rng, 8) == 0 ? 0 : gsl_ran_exponential(rng, 1);
    }
    dls_matrix *W = dls_matrix_sparse(n, n, 3 * n);
    for (size_t i = 0; i < n; i++) {
      const double excess =
          i == 0 || gsl_rng_uniform_int(rng, 3) == 0 || coupling[i] + coupling[i + 1] == 0 ? 0.3 : 0.01;
      if (i > 0) {
        dls_matrix_set(W, i - 1, i, -coupling[i]);
      }
      dls_matrix_set(W, i, i, coupling[i] + coupling[i + 1] + excess);
      if (i + 1 < n) {
        dls_matrix_set(W, i + 1, i, -coupling[i + 1]);
      }
    }
    dls_matrix *dense = dense_copy(W);
    random_load(rng, n);
    zero_start(n);
    solve("lemke", dense);
    memcpy(exact, z, n * sizeof *z);
    for (int guess = 0; guess < 2; guess++) {
      for (size_t i = 0; i < n; i++) {
        z[i] = guess && gsl_rng_uniform_int(rng, 2);
      }
      const dls_lcp_report report = solve("block-pivoting", W);
      assert_between((double)report.pivots, 0, 3);
      for (size_t i = 0; i < n; i++) {
        assert_close(z[i], exact[i], 1e-9 * (1 + exact[i]));
      }
    }
    dls_matrix_destroy(W);
    dls_matrix_destroy(dense);
  }
  gsl_rng_free(rng);
}

/* A membrane over a wavy obstacle: z reaches 1e10 times b, so that rounding leaves six digits of b in W z + b, whatever
 * the method. What is small is the residual beside |b| + |W| |z|, row by row. */
DLS_TEST(long_chains_with_a_smooth_load_are_accepted)
{
  dls_matrix *W = grid(MOST, 1, 0);
  for (size_t i = 0; i < MOST; i++) {
    b[i] = sin(9 * (double)i / MOST) - 0.2;
  }
  zero_start(MOST);
  const dls_lcp_report report = solve(NULL, W);
  assert_string_equal(report.method, "block-pivoting");
  assert_true(report.shift == 0);
  assert_between((double)report.pivots, 1, 20);
  double most = 0;
  for (size_t i = 0; i < MOST; i++) { /* s = 2: exact products and sums of three terms */
    const double before = i > 0 ? z[i - 1] : 0, after = i + 1 < MOST ? z[i + 1] : 0;
    const double wi = b[i] + (2 * z[i] - before - after), size = fabs(b[i]) + 2 * z[i] + before + after;
    most = fmax(most, z[i]);
    assert_true(z[i] >= 0 && fabs(fmin(2 * z[i], wi)) <= 1e-12 * fmax(size, 0.01 * report.scale));
  }
  assert_between(most, 1e9, 1e11);
  dls_matrix_destroy(W);
}

/* A symmetric positive definite W for which exchanging all wrong signs at once repeats for ever from the set of all
 * contacts, as the first lines show. */
DLS_TEST(what_cycles_in_blocks_is_solved_by_the_safeguard)
{
  const double W[] = {42, 37, -42, 37, 38, -33, -42, -33, 45}, load[] = {5, 3, -6};
  bool active[] = {true, true, true};
  for (int round = 0; round < 200; round++) {
    double A[3][4] = {{0}}, x[3];
    for (int i = 0; i < 3; i++) { /* W_aa x = -b_a, identity elsewhere */
      for (int j = 0; j < 3; j++) {
        A[i][j] = active[i] && active[j] ? W[i + 3 * j] : i == j;
      }
      A[i][3] = active[i] ? -load[i] : 0;
    }
    for (int c = 0; c < 3; c++) { /* Gauss and Jordan: principal minors are positive */
      for (int i = 0; i < 3; i++) {
        const double f = i == c ? 0 : A[i][c] / A[c][c];
        for (int j = 0; j < 4; j++) {
          A[i][j] -= f * A[c][j];
        }
      }
    }
    int wrong = 0;
    for (int i = 0; i < 3; i++) {
      x[i] = A[i][3] / A[i][i];
    }
    for (int i = 0; i < 3; i++) {
      const double y = load[i] + W[i] * x[0] + W[i + 3] * x[1] + W[i + 6] * x[2];
      const bool change = active[i] ? x[i] < 0 : y < -1e-12;
      active[i] ^= change;
      wrong += change;
    }
    assert_true(wrong > 0);
  }
  dls_matrix *dense = dls_matrix_dense(3, 3);
  for (size_t k = 0; k < 9; k++) {
    dls_matrix_set(dense, k % 3, k / 3, W[k]);
  }
  memcpy(b, load, sizeof load);
  zero_start(3);
  assert_between((double)solve("block-pivoting", dense).pivots, 10, 100);
  assert_between(residual(dense), 0, 1e-12);
  dls_matrix_destroy(dense);
}

/* Fathi's matrices, L L^T with L lower triangular, 1 on and 2 below the diagonal, on which Murty's rule alone takes
 * 2^n steps, b = -1. */
DLS_TEST(problems_that_are_hard_for_single_pivots_are_solved)
{
  for (size_t n = 7; n <= 24; n++) {
    dls_matrix *W = dls_matrix_sparse(n, n, n * n);
    for (size_t k = 0; k < n * n; k++) {
      const size_t i = k % n, j = k / n, least = i < j ? i : j;
      dls_matrix_set(W, i, j, i == j ? 4 * (double)i + 1 : 4 * (double)least + 2);
      b[j] = -1;
    }
    zero_start(n);
    assert_between((double)solve("block-pivoting", W).pivots, 1, 300);
    assert_between(residual(W), 0, 1e-12);
    dls_matrix_destroy(W);
  }
}

DLS_TEST(every_storage_gives_the_same)
{
  enum { N = 50 };
  double first[N];
  dls_matrix *all[] = {grid(N, 1, 0.1), dls_matrix_band(N, 1, 1), dls_matrix_dense(N, N)};
  for (size_t j = 0; j < N; j++) {
    b[j] = sin((double)(j * j));
    for (size_t i = j > 0 ? j - 1 : 0; i < N && i <= j + 1; i++) {
      dls_matrix_set(all[1], i, j, dls_matrix_get(all[0], i, j));
      dls_matrix_set(all[2], i, j, dls_matrix_get(all[0], i, j));
    }
  }
  for (int k = 0; k < 3; k++) {
    zero_start(N);
    assert_string_equal(solve(NULL, all[k]).structure, k < 2 ? "tridiagonal" : "dense");
    for (size_t i = 0; i < N; i++) {
      if (k > 0) {
        assert_close(z[i], first[i], 1e-12);
      }
      first[i] = z[i];
    }
    dls_matrix_destroy(all[k]);
  }
  dls_matrix *diagonal = dls_matrix_diagonal(N);
  for (size_t i = 0; i < N; i++) {
    dls_matrix_set(diagonal, i, i, 2);
  }
  zero_start(N);
  solve(NULL, diagonal);
  for (size_t i = 0; i < N; i++) {
    assert_close(z[i], fmax(0, -b[i] / 2), 1e-15);
  }
  dls_matrix_destroy(diagonal);
}

DLS_TEST(gauss_seidel_works_on_sparse_matrices)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_matrix *W = grid(40, 40, 1);
  random_load(rng, 1600);
  zero_start(1600);
  assert_string_equal(solve("pgs", W).method, "pgs");
  assert_between(residual(W), 0, 1e-10);
  dls_matrix_destroy(W);
  gsl_rng_free(rng);
}

/* data: how many questions are answered with yes. */
static bool patient(void *data)
{
  size_t *left = data;
  return (*left)-- > 0;
}

DLS_TEST(solves_end_when_they_are_not_to_go_on)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_matrix *W = grid(10, 10, 1e-6);
  for (int sweeps = 0; sweeps < 2; sweeps++) {
    dls_lcp_solver *solver = create(sweeps ? "pgs" : NULL);
    dls_error err = {0};
    random_load(rng, 100);
    for (size_t yes = 0; yes <= (size_t)sweeps; yes++) { /* two sets are enough, two sweeps are not */
      size_t left = yes;
      zero_start(100);
      dls_lcp_set_interrupt(solver, &(dls_interrupt_poll){patient, &left});
      assert_int_equal(dls_lcp_solve_matrix(solver, W, b, z, NULL, NULL, &err), DLS_ERR_INTERRUPTED);
      assert_string_equal(err.text, "interrupted in a complementarity problem of 100 contacts");
      assert_int_equal(left, (size_t)-1); /* nobody is asked again */
    }
    zero_start(100);
    dls_lcp_set_interrupt(solver, NULL);
    assert_ok(dls_lcp_solve_matrix(solver, W, b, z, NULL, NULL, &err), err);
    assert_between(residual(W), 0, 1e-10);
    dls_lcp_destroy(solver);
  }
  dls_matrix_destroy(W);
  gsl_rng_free(rng);
}

DLS_TEST(what_makes_no_sense_is_refused)
{
  dls_lcp_solver *solver = create(NULL);
  dls_error err = {0};
  dls_matrix *W = grid(20, 1, 0), *flat = dls_matrix_sparse(3, 4, 1);
  zero_start(20);
  for (size_t i = 0; i < 20; i++) {
    b[i] = -1;
  }
  assert_int_equal(dls_lcp_solve_matrix(solver, flat, b, z, NULL, NULL, &err), DLS_ERR_ARG);
  assert_int_equal(dls_lcp_solve_matrix(solver, W, NULL, z, NULL, NULL, &err), DLS_ERR_ARG);
  dls_matrix_set(W, 3, 4, -0.5);
  assert_int_equal(dls_lcp_solve_matrix(solver, W, b, z, NULL, NULL, &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "mirror image"));
  dls_matrix_set(W, 3, 4, NAN);
  assert_int_equal(dls_lcp_solve_matrix(solver, W, b, z, NULL, NULL, &err), DLS_ERR_NONFINITE);
  dls_matrix_set(W, 3, 4, -1);
  b[7] = INFINITY;
  assert_int_equal(dls_lcp_solve_matrix(solver, W, b, z, NULL, NULL, &err), DLS_ERR_NONFINITE);
  assert_non_null(strstr(err.text, "b[7]"));
  dls_matrix_destroy(W);
  dls_matrix_destroy(flat);
  dls_lcp_destroy(solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sparse_definite_problems_agree_with_lemke),
      cmocka_unit_test(redundant_problems_are_solved),
      cmocka_unit_test(many_redundant_contacts_are_solved),
      cmocka_unit_test(a_problem_without_solution_gets_a_status),
      cmocka_unit_test(large_chains_and_grids_are_solved),
      cmocka_unit_test(grids_have_the_impulses_they_were_made_of),
      cmocka_unit_test(a_grid_that_nothing_holds_gets_a_status),
      cmocka_unit_test(wide_patches_are_found_in_few_rounds),
      cmocka_unit_test(chains_of_a_million_contacts_have_the_impulses_they_were_made_of),
      cmocka_unit_test(short_chains_agree_with_lemke),
      cmocka_unit_test(long_chains_with_a_smooth_load_are_accepted),
      cmocka_unit_test(what_cycles_in_blocks_is_solved_by_the_safeguard),
      cmocka_unit_test(problems_that_are_hard_for_single_pivots_are_solved),
      cmocka_unit_test(every_storage_gives_the_same),
      cmocka_unit_test(gauss_seidel_works_on_sparse_matrices),
      cmocka_unit_test(solves_end_when_they_are_not_to_go_on),
      cmocka_unit_test(what_makes_no_sense_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
