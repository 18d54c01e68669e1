/* common/solve/large/cascade.c -- a first active set for many contacts, from the same problem with neighbours lumped together.
 * Where W is like a Laplacian, block pivoting advances the contact boundary by one node per iteration. Lumping
 * contacts in pairs, W' = P^T W P and b' = P^T b with P the 0-1 matrix of the pairs, halves the problem and preserves its
 * structure. Its solution shows which pairs carry load, up to a neighbour or two.
 * Source: Hoppe, Kornhuber 1994, SIAM J. Numerical Analysis 31 (active sets from coarser to finer obstacle problems);
 * Notay 2010, Electronic Transactions on Numerical Analysis 37 (pairwise aggregation).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/large/cascade.h"
#include "common/linear/accumulator.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Iterations for a coarse problem, whose set need not be exact: more where they are cheap. */
enum { FEW_ROUNDS = 1, MANY_ROUNDS = 20 };
enum { CYCLES = 6, SWEEPS = 3 }; /* sweeps between a coarse problem and the next finer one */

typedef struct level {
  size_t n;
  const double *b;
  unsigned char *active; /* n: the answer */
  double *z;             /* n: impulses of that set */
  int *set;              /* n, count: the set whose matrix is factored; none if count = 0 */
  size_t count;
  dls_lcp_matrix *matrix;
} level;

/* Contact j is paired with the most strongly coupled neighbour that has no pair yet. pair[i]: number of the pair. */
static size_t match(const dls_matrix *W, int *pair)
{
  size_t count = 0;
  memset(pair, -1, W->columns * sizeof *pair);
  for (size_t j = 0; j < W->columns; j++) {
    size_t partner = j;
    double strongest = 0;
    for (size_t entry = dls_matrix_begin(W, j); pair[j] < 0 && entry < dls_matrix_end(W, j); entry++) {
      const size_t i = (size_t)W->row_of[entry];
      if (i != j && pair[i] < 0 && fabs(W->values[entry]) > strongest) {
        strongest = fabs(W->values[entry]);
        partner = i;
      }
    }
    if (pair[j] < 0) {
      pair[j] = pair[partner] = (int)count++;
    }
  }
  return count;
}

/* Coarse := P^T W P; member[k], next[j]: the contacts of pair k in a list that ends with -1. */
static void lump(const dls_matrix *W, const int *pair, const int *member, const int *next, dls_accumulator *a,
                 dls_matrix *coarse)
{
  for (size_t k = 0; k < coarse->columns; k++) {
    for (int j = member[k]; j >= 0; j = next[j]) {
      for (size_t entry = dls_matrix_begin(W, (size_t)j); entry < dls_matrix_end(W, (size_t)j); entry++) {
        dls_accumulator_add(a, (size_t)pair[W->row_of[entry]], W->values[entry]);
      }
    }
    dls_accumulator_flush(a, coarse, k);
  }
}

/* @return NULL if out of memory */
static dls_matrix *coarsen(const dls_matrix *W, const int *pair, size_t count)
{
  dls_matrix *coarse = dls_matrix_sparse(count, count, W->used);
  int *member = malloc((count + W->columns) * sizeof *member);
  dls_accumulator a;
  const bool room = dls_accumulator_create(&a, count);
  if (coarse == NULL || member == NULL || !room) {
    dls_matrix_destroy(coarse);
    coarse = NULL;
  } else {
    int *next = member + count;
    memset(member, -1, count * sizeof *member);
    for (size_t j = W->columns; j-- > 0;) {
      next[j] = member[pair[j]];
      member[pair[j]] = (int)j;
    }
    lump(W, pair, member, next, &a, coarse);
  }
  dls_accumulator_destroy(&a);
  free(member);
  return coarse;
}

static dls_status cascade(level *l);

/* Pivot from the set of the next coarser level. If the matrix is singular, or after too many iterations, keep the
 * current set. */
static dls_status solve_level(level *l)
{
  const size_t n = l->n;
  double *reals = malloc(3 * n * sizeof *reals);
  dls_status status = reals == NULL ? DLS_ERR_MEMORY : cascade(l);
  if (status == DLS_OK) {
    dls_lcp_pivoting p = {.W = &l->matrix->as_operator,
                          .b = l->b,
                          .z = l->z,
                          .w = reals,
                          .size = reals + n,
                          .x = reals + 2 * n,
                          .active = l->active,
                          .set = l->set,
                          .most = dls_principal_tridiagonal(l->matrix->principal) ? MANY_ROUNDS : FEW_ROUNDS};
    status = dls_lcp_pivot(&p);
    l->count = status == DLS_ERR_SINGULAR ? 0 : p.count;
    status = status == DLS_ERR_MEMORY ? status : DLS_OK;
  }
  free(reals);
  return status;
}

static void sweep(const level *l, size_t count)
{
  const dls_lcp_operator *W = &l->matrix->as_operator;
  for (size_t k = 0; k < count; k++) {
    W->sweep(W->data, l->b, l->z);
  }
}

/* r := -(W z + b) where z > 0, else 0. */
static void residual(const level *l, double *r)
{
  for (size_t i = 0; i < l->n; i++) {
    r[i] = l->z[i] > 0 ? -l->b[i] - dls_matrix_column_dot(l->matrix->W, i, l->z) : 0;
  }
}

/* e := P W'^{-1} P^T r where z > 0, with W' of the set whose coarse matrix is factored; x[coarse->n] is scratch.
 * @return false if out of memory */
static bool correction(const level *fine, const level *coarse, const int *pair, const double *r, double *e,
                       double *x)
{
  double *sum = coarse->z;
  memset(sum, 0, coarse->n * sizeof *sum);
  for (size_t i = 0; i < fine->n; i++) {
    sum[pair[i]] += r[i];
  }
  for (size_t k = 0; k < coarse->count; k++) {
    x[k] = sum[coarse->set[k]];
  }
  if (dls_principal_solve(coarse->matrix->principal, x) != DLS_OK) {
    return false;
  }
  memset(sum, 0, coarse->n * sizeof *sum);
  for (size_t k = 0; k < coarse->count; k++) {
    sum[coarse->set[k]] = x[k];
  }
  for (size_t i = 0; i < fine->n; i++) {
    e[i] = fine->z[i] > 0 ? sum[pair[i]] : 0;
  }
  return true;
}

/* z := max(0, z + alpha e), alpha = r^T e / e^T W e: lumped problems are too stiff, alpha is near 2. */
static void step(const level *l, const double *r, const double *e)
{
  double work = 0, energy = 0;
  for (size_t i = 0; i < l->n; i++) {
    work += r[i] * e[i];
    energy += e[i] * dls_matrix_column_dot(l->matrix->W, i, e);
  }
  for (size_t i = 0; energy > 0 && i < l->n; i++) {
    const double z = l->z[i] + work / energy * e[i];
    l->z[i] = z > 0 ? z : 0;
  }
}

/* Impulses of the contacts, and their set, from those of the pairs: sweeps remove local errors, corrections by the
 * coarse problem remove the others. */
static dls_status refine(level *fine, const level *coarse, const int *pair, double *work)
{
  double *r = work, *e = work + fine->n, *x = work + 2 * fine->n;
  for (size_t i = 0; i < fine->n; i++) {
    fine->z[i] = coarse->active[pair[i]] && coarse->z[pair[i]] > 0 ? coarse->z[pair[i]] : 0;
  }
  sweep(fine, SWEEPS);
  for (int k = 0; coarse->count > 0 && k < CYCLES; k++) {
    residual(fine, r);
    if (!correction(fine, coarse, pair, r, e, x)) {
      return DLS_ERR_MEMORY;
    }
    step(fine, r, e);
    sweep(fine, SWEEPS);
  }
  for (size_t i = 0; i < fine->n; i++) {
    fine->active[i] = fine->z[i] > 0 && fine->matrix->diagonal[i] > 0;
  }
  return DLS_OK;
}

static dls_status solve_coarse(level *fine, const int *pair, level *l)
{
  dls_matrix *W = coarsen(fine->matrix->W, pair, l->n);
  double *b = calloc(l->n, sizeof *b), *work = malloc(3 * fine->n * sizeof *work);
  l->matrix = dls_lcp_matrix_create(NULL);
  l->active = malloc(l->n);
  l->z = calloc(l->n, sizeof *l->z);
  l->set = malloc(l->n * sizeof *l->set);
  l->b = b;
  dls_status status = DLS_ERR_MEMORY;
  if (W != NULL && b != NULL && work != NULL && l->matrix != NULL && l->active != NULL && l->z != NULL &&
      l->set != NULL) {
    for (size_t i = 0; i < fine->n; i++) {
      b[pair[i]] += fine->b[i];
    }
    status = dls_lcp_matrix_take(l->matrix, W);
    status = status != DLS_OK ? status : solve_level(l);
  }
  status = status != DLS_OK ? status : refine(fine, l, pair, work);
  free(l->active);
  free(l->z);
  free(l->set);
  dls_lcp_matrix_destroy(l->matrix);
  free(b);
  free(work);
  dls_matrix_destroy(W);
  return status;
}

static dls_status cascade(level *l)
{
  const size_t n = l->n;
  for (size_t i = 0; i < n; i++) {
    l->active[i] = l->matrix->diagonal[i] > 0;
  }
  int *pair = n > DLS_CASCADE_SMALLEST ? malloc(n * sizeof *pair) : NULL;
  if (pair == NULL) {
    return n > DLS_CASCADE_SMALLEST ? DLS_ERR_MEMORY : DLS_OK;
  }
  level coarse = {.n = match(l->matrix->W, pair)};
  const dls_status status =
      4 * coarse.n > 3 * n ? DLS_OK /* coupling too weak to pair */ : solve_coarse(l, pair, &coarse);
  free(pair);
  return status;
}

dls_status dls_lcp_cascade(dls_lcp_matrix *matrix, const double *b, unsigned char *active, double *z)
{
  level l = {.n = matrix->as_operator.n, .b = b, .active = active, .z = z, .matrix = matrix};
  return cascade(&l);
}
