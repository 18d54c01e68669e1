/* test_rank_schur.c -- Newton's matrix by the ranks of W: its solves against the matrix itself, its size against that of rigid bodies.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "block_piles.h"
#include "check.h"
#include "common/linear/block_lu.h"
#include "common/solve/large/rank_schur.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct terms {
  double delta; /* D is near it; eliminations lose its digits */
  double *A, *D, *B;
} terms;

static size_t *first_rows(size_t blocks, size_t d)
{
  size_t *first = malloc((blocks + 1) * sizeof *first);
  for (size_t k = 0; k <= blocks; k++) {
    first[k] = d * k;
  }
  return first;
}

/* A near rho, B 0 or 1, as where contacts stick and open; D from 1e-9 to 1. */
static terms random_terms(gsl_rng *rng, size_t blocks)
{
  terms t = {pow(10, -9 * gsl_rng_uniform(rng)), malloc(9 * blocks * sizeof(double)),
             malloc(blocks * sizeof(double)), malloc(9 * blocks * sizeof(double))};
  for (size_t k = 0; k < blocks; k++) {
    const double opens = gsl_rng_uniform(rng) < 0.3;
    t.D[k] = t.delta * (0.5 + gsl_rng_uniform(rng));
    for (size_t e = 0; e < 9; e++) {
      const double identity = e % 4 == 0;
      t.A[9 * k + e] = (1 - 0.9 * opens) * identity + 0.1 * (gsl_rng_uniform(rng) - 0.5);
      t.B[9 * k + e] = opens * identity;
    }
  }
  return t;
}

static void release(terms *t)
{
  free(t->A);
  free(t->D);
  free(t->B);
}

/* |A (W + D) x + B x - f| and the sum of the sizes of its terms, the largest rows. */
static double defect(const dls_matrix *W, const terms *t, size_t d, const double *x, const double *f)
{
  const size_t n = dls_matrix_rows(W);
  double *u = calloc(n, sizeof *u), worst = 0, scale = 0;
  dls_matrix_multiply(W, 1, x, u);
  for (size_t i = 0; i < n; i++) {
    const size_t k = i / d;
    double sum = -f[i], sizes = fabs(f[i]);
    for (size_t j = 0; j < d; j++) {
      const double a = t->A[9 * k + i % d + 3 * j], b = t->B[9 * k + i % d + 3 * j], x_j = x[d * k + j];
      sum += a * (u[d * k + j] + t->D[k] * x_j) + b * x_j;
      sizes += fabs(a * u[d * k + j]) + fabs(a * t->D[k] * x_j) + fabs(b * x_j);
    }
    worst = fmax(worst, fabs(sum));
    scale = fmax(scale, sizes);
  }
  free(u);
  return worst / scale;
}

static dls_rank_schur *create(const dls_matrix *W, size_t blocks, const size_t *first)
{
  dls_rank_schur *schur = NULL;
  assert_int_equal(dls_rank_schur_create(W, blocks, first, &schur), DLS_OK);
  return schur;
}

/* Four corners of a face in space, two in the plane: 6 and 3 dimensions for each pair of blocks that touch. */
DLS_TEST(ranks_are_those_of_rigid_bodies)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  for (size_t k = 0; k < 4 * PILE_KINDS; k++) {
    const size_t d = 2 + k % 2, rows = 2 + gsl_rng_uniform_int(rng, 5);
    pile p = pile_create((pile_kind)(k / 4), d, rows, 3, 0.01, rng);
    size_t *first = first_rows(p.contacts, d);
    dls_rank_schur *schur = create(p.W, p.contacts, first);
    assert_non_null(schur);
    assert_int_equal(dls_rank_schur_rows(schur), d == 3 ? 6 * p.contacts / 4 : 3 * p.contacts / 2);
    dls_rank_schur_destroy(schur);
    free(first);
    pile_destroy(&p);
  }
  gsl_rng_free(rng);
}

DLS_TEST(solves_satisfy_the_equations)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  for (size_t k = 0; k < 6 * PILE_KINDS; k++) {
    const size_t d = 2 + k % 2;
    pile p = pile_create((pile_kind)(k / 6), d, 2 + gsl_rng_uniform_int(rng, 6), 4, 0.01, rng);
    const size_t n = d * p.contacts;
    double *f = malloc(n * sizeof *f), *x = malloc(n * sizeof *x);
    size_t *first = first_rows(p.contacts, d);
    dls_rank_schur *schur = create(p.W, p.contacts, first);
    for (int again = 0; again < 3; again++) { /* other numbers, the same pattern */
      terms t = random_terms(rng, p.contacts);
      for (size_t i = 0; i < n; i++) {
        x[i] = f[i] = gsl_rng_uniform(rng) - 0.5;
      }
      assert_int_equal(dls_rank_schur_factor(schur, t.A, t.D, t.B), DLS_OK);
      assert_true(dls_rank_schur_work(schur) > 0);
      dls_rank_schur_solve(schur, x);
      assert_between(defect(p.W, &t, d, x, f), 1e-18, 5e-13 / t.delta);
      release(&t);
    }
    dls_rank_schur_destroy(schur);
    free(first);
    free(f);
    free(x);
    pile_destroy(&p);
  }
  gsl_rng_free(rng);
}

/* Random graphs of groups of 0 to 6 rows, with fill; D_k without diagonal entries, so that pivots are exchanged. */
DLS_TEST(blocks_are_solved_with_pivots_within_them)
{
  enum { GROUPS = 12, LARGEST = 6, N = GROUPS * LARGEST };
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  for (int repeat = 0; repeat < 40; repeat++) {
    static double J[N * N]; /* column-major */
    size_t base[GROUPS + 1] = {0}, pair_at[GROUPS + 1] = {0}, pair[GROUPS * GROUPS];
    double f[N], x[N], block[LARGEST * LARGEST];
    bool coupled[GROUPS][GROUPS];
    dls_block_lu *lu = NULL;
    for (size_t g = 0; g < GROUPS; g++) {
      base[g + 1] = base[g] + gsl_rng_uniform_int(rng, LARGEST + 1);
      for (size_t h = 0; h <= g; h++) {
        coupled[g][h] = coupled[h][g] = h == g || gsl_rng_uniform(rng) < 0.2;
      }
    }
    for (size_t g = 0; g < GROUPS; g++) {
      pair_at[g + 1] = pair_at[g];
      for (size_t h = 0; h < GROUPS; h++) {
        pair[pair_at[g + 1]] = h;
        pair_at[g + 1] += coupled[g][h];
      }
    }
    assert_int_equal(dls_block_lu_create(GROUPS, base, pair_at, pair, &lu), DLS_OK);
    dls_block_lu_clear(lu);
    memset(J, 0, sizeof J);
    for (size_t g = 0; g < GROUPS; g++) {
      for (size_t e = pair_at[g]; e < pair_at[g + 1]; e++) {
        const size_t h = pair[e], rows = base[h + 1] - base[h], columns = base[g + 1] - base[g];
        for (size_t c = 0; c < columns; c++) {
          for (size_t i = 0; i < rows; i++) {
            const bool turned = h == g && i == (c + 1) % columns; /* the large entry of a column of D_k */
            block[i + rows * c] = turned ? 5 : h == g && i == c ? 0 : 0.2 * (gsl_rng_uniform(rng) - 0.5);
            J[(base[g] + c) * N + base[h] + i] = block[i + rows * c];
          }
        }
        dls_block_lu_set(lu, h, g, block);
      }
    }
    for (size_t i = 0; i < base[GROUPS]; i++) {
      x[i] = f[i] = gsl_rng_uniform(rng) - 0.5;
    }
    assert_int_equal(dls_block_lu_factor(lu), DLS_OK);
    dls_block_lu_solve(lu, x);
    double worst = 0;
    for (size_t i = 0; i < base[GROUPS]; i++) {
      double left = -f[i];
      for (size_t j = 0; j < base[GROUPS]; j++) {
        left += J[j * N + i] * x[j];
      }
      worst = fmax(worst, fabs(left));
    }
    assert_between(worst, 1e-18, 1e-14);
    dls_block_lu_clear(lu);
    assert_int_equal(dls_block_lu_factor(lu), base[GROUPS] > 0 ? DLS_ERR_SINGULAR : DLS_OK);
    dls_block_lu_destroy(lu);
  }
  gsl_rng_free(rng);
}

/* Where nothing is gained, or W is not symmetric, there are no ranks; a singular block is reported. */
DLS_TEST(matrices_without_ranks_are_left_alone)
{
  enum { BLOCKS = 10, N = 3 * BLOCKS };
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  size_t *first = first_rows(BLOCKS, 3);
  dls_matrix *W = dls_matrix_sparse(N, N, 3 * N);
  for (size_t j = 0; j < N; j++) { /* each contact by itself, of full rank */
    for (size_t i = 3 * (j / 3); i < 3 * (j / 3) + 3; i++) {
      dls_matrix_set(W, i, j, i == j ? 2 : 0.5);
    }
  }
  assert_null(create(W, BLOCKS, first));
  dls_matrix_destroy(W);
  pile p = pile_create(PILE_WALL, 3, 3, 3, 0.01, rng);
  free(first);
  first = first_rows(p.contacts, 3);
  dls_rank_schur *schur = create(p.W, p.contacts, first);
  double *zeros = calloc(9 * p.contacts, sizeof *zeros);
  assert_int_equal(dls_rank_schur_factor(schur, zeros, zeros, zeros), DLS_ERR_SINGULAR);
  free(zeros);
  dls_matrix_set(p.W, 1, 0, 1e-3 + dls_matrix_get(p.W, 1, 0));
  assert_null(create(p.W, p.contacts, first));
  dls_rank_schur_destroy(schur);
  free(first);
  pile_destroy(&p);
  gsl_rng_free(rng);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranks_are_those_of_rigid_bodies),
      cmocka_unit_test(solves_satisfy_the_equations),
      cmocka_unit_test(blocks_are_solved_with_pivots_within_them),
      cmocka_unit_test(matrices_without_ranks_are_left_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
