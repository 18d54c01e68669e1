/* multigrid.c -- see multigrid.h. A cycle is a forward Gauss-Seidel sweep, the coarser level and a backward sweep, so it
 * is symmetric and positive. Levels coarser than the second are visited twice, which costs little and makes the number of
 * iterations nearly independent of n.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/multigrid.h"
#include "common/linear/multigrid_levels.h"
#include <stdlib.h>
#include <string.h>

enum { COARSEST_SWEEPS = 4 };

dls_multigrid *dls_multigrid_create(const dls_rows *A)
{
  dls_multigrid *G = calloc(1, sizeof *G);
  if (G == NULL) {
    return NULL;
  }
  G->A = A;
  G->levels = dls_levels_create(A, &G->count);
  G->z = malloc(A->n * sizeof *G->z);
  G->held = calloc(A->n, 1);
  if (G->levels == NULL || G->z == NULL || G->held == NULL) {
    dls_multigrid_destroy(G);
    return NULL;
  }
  return G;
}

void dls_multigrid_destroy(dls_multigrid *G)
{
  if (G != NULL) {
    dls_levels_destroy(G->levels, G->count);
    free(G->z);
    free(G->held);
    free(G);
  }
}

/* The coarse matrices for the inverse of the first level. */
static void renew(dls_multigrid *G, const unsigned char *held)
{
  dls_level *first = &G->levels[0];
  size_t count = 0, changes = 0;
  for (size_t i = 0; i < G->A->n; i++) {
    count += held[i] != 0;
  }
  dls_levels_use(G->levels, G->count, count == 0);
  for (size_t i = 0; count > 0 && i < G->A->n; i++) {
    first->changed[i] = G->stale || (held[i] != 0) != G->held[i];
    G->held[i] = held[i] != 0;
    changes += first->changed[i];
  }
  for (size_t k = 0; changes > 0 && k + 1 < G->count; k++) {
    dls_level_product(&G->levels[k], &G->levels[k + 1]);
  }
  G->stale = G->stale && count == 0;
}

void dls_multigrid_hold(dls_multigrid *G, const unsigned char *held)
{
  for (size_t i = 0; i < G->A->n; i++) {
    G->levels[0].inverse[i] = held[i] ? 0 : 1 / G->A->d[i];
  }
  renew(G, held);
}

void dls_multigrid_stiffen(dls_multigrid *G, const unsigned char *held)
{
  for (size_t i = 0; i < G->A->n; i++) {
    G->levels[0].inverse[i] = 1 / G->A->d[i];
  }
  renew(G, held);
}

void dls_multigrid_hold_coarse(dls_multigrid *G, size_t k, const unsigned char *held)
{
  dls_level *l = &G->levels[k];
  dls_levels_use(G->levels, k + 1, true);
  dls_levels_use(l, G->count - k, false);
  l->inverse = l->held.inverse;
  for (size_t i = 0; i < l->A->n; i++) {
    l->inverse[i] = held[i] ? 0 : 1 / l->A->d[i];
  }
  memset(l->changed, 1, l->A->n);
  for (; k + 1 < G->count; k++) {
    dls_level_product(&G->levels[k], &G->levels[k + 1]);
  }
  G->stale = true;
}

/* Forward Gauss-Seidel sweep from x = 0: (D + L) x = b, 0 where x is prescribed. */
static void forwards(const dls_level *l, const double *restrict b, double *restrict x)
{
  const dls_rows *A = l->A;
  for (size_t i = 0; i < A->n; i++) {
    double sum = b[i];
    for (uint32_t e = A->starts[i]; e < A->middle[i]; e++) {
      sum -= A->value[e] * x[A->other[e]];
    }
    x[i] = l->inverse[i] * sum;
  }
}

/* One sweep from x forwards, one backwards. */
static void sweep(const dls_level *l, const double *restrict b, double *restrict x, size_t i)
{
  const dls_rows *A = l->A;
  double sum = b[i];
  for (uint32_t e = A->starts[i]; e < A->starts[i + 1]; e++) {
    sum -= A->value[e] * x[A->other[e]];
  }
  x[i] = l->inverse[i] * sum;
}

static void backwards(const dls_level *l, const double *restrict b, double *restrict x)
{
  for (size_t i = l->A->n; i-- > 0;) {
    sweep(l, b, x, i);
  }
}

/* coarse := P^T (b - A x) after the forward sweep, where b - A x = -U x. */
static void restrict_residual(const dls_level *l, const double *restrict x, double *restrict coarse)
{
  const dls_rows *A = l->A;
  for (size_t i = 0; i < A->n; i++) {
    double sum = 0;
    for (uint32_t e = A->middle[i]; e < A->starts[i + 1]; e++) {
      sum -= A->value[e] * x[A->other[e]];
    }
    if (l->inverse[i] != 0) {
      for (uint32_t e = l->P.starts[i]; e < l->P.starts[i + 1]; e++) {
        coarse[l->P.to[e]] += l->P.value[e] * sum;
      }
    }
  }
}

/* x += P coarse where x is not prescribed. */
static void prolong(const dls_level *l, const double *restrict coarse, double *restrict x)
{
  for (size_t i = 0; i < l->A->n; i++) {
    double sum = 0;
    for (uint32_t e = l->P.starts[i]; e < l->P.starts[i + 1]; e++) {
      sum += l->P.value[e] * coarse[l->P.to[e]];
    }
    x[i] += l->inverse[i] != 0 ? sum : 0;
  }
}

static void cycle(const dls_multigrid *G, size_t k, const double *b, double *x);

/* x := B b of level k, then x += B (b - A x). */
static void cycle_twice(const dls_multigrid *G, size_t k, const double *b, double *x)
{
  const dls_level *l = &G->levels[k];
  double *r = l->b + l->A->n, *e = l->x + l->A->n;
  cycle(G, k, b, x);
  dls_rows_multiply(l->A, x, r);
  for (size_t i = 0; i < l->A->n; i++) {
    r[i] = b[i] - r[i];
  }
  cycle(G, k, r, e);
  for (size_t i = 0; i < l->A->n; i++) {
    x[i] += e[i];
  }
}

/* x := B b of level k. */
static void cycle(const dls_multigrid *G, size_t k, const double *b, double *x)
{
  const dls_level *l = &G->levels[k];
  forwards(l, b, x);
  if (k + 1 < G->count) {
    const dls_level *next = &G->levels[k + 1];
    memset(next->b, 0, next->A->n * sizeof *next->b);
    restrict_residual(l, x, next->b);
    if (k > 0) {
      cycle_twice(G, k + 1, next->b, next->x);
    } else {
      cycle(G, k + 1, next->b, next->x);
    }
    prolong(l, next->x, x);
  }
  for (int s = 1; k + 1 == G->count && s < COARSEST_SWEEPS; s++) {
    backwards(l, b, x);
    for (size_t i = 0; i < l->A->n; i++) {
      sweep(l, b, x, i);
    }
  }
  backwards(l, b, x);
}

/* p := z + beta p */
static void next_direction(const dls_multigrid *G, double beta, double *restrict p)
{
  const double *restrict z = G->z;
  for (size_t i = 0; i < G->A->n; i++) {
    p[i] = beta != 0 ? z[i] + beta * p[i] : z[i];
  }
}

/* x += alpha p, r -= alpha q. @return r^T D^-1 r */
static double go(const dls_multigrid *G, double alpha, const double *restrict p, const double *restrict q,
                 double *restrict x, double *restrict r)
{
  const double *restrict inverse = G->levels[0].inverse;
  double sum = 0;
  for (size_t i = 0; i < G->A->n; i++) {
    x[i] += alpha * p[i];
    r[i] -= alpha * q[i];
    sum += inverse[i] * r[i] * r[i];
  }
  return sum;
}

void dls_multigrid_apply(const dls_multigrid *G, size_t k, const double *r, double *z)
{
  cycle(G, k, r, z);
}

/* z := B r. @return r^T z */
static double precondition(dls_multigrid *G, const double *restrict r)
{
  double sum = 0;
  dls_multigrid_apply(G, 0, r, G->z);
  for (size_t i = 0; i < G->A->n; i++) {
    sum += G->z[i] * r[i];
  }
  return sum;
}

dls_status dls_multigrid_solve(dls_multigrid *G, double least, size_t most, double *work, double *x, double *r,
                               size_t *iterations)
{
  double *p = work, *q = work + G->A->n, left = 0, last = 0;
  for (size_t i = 0; i < G->A->n; i++) {
    left += G->levels[0].inverse[i] * r[i] * r[i];
  }
  for (*iterations = 0; left > least; ++*iterations) {
    const double now = *iterations < most ? precondition(G, r) : 0;
    next_direction(G, last > 0 ? now / last : 0, p);
    const double energy = dls_rows_multiply(G->A, p, q);
    if (!(now > 0 && energy > 0)) {
      return DLS_ERR_NOCONV;
    }
    left = go(G, now / energy, p, q, x, r);
    last = now;
  }
  return left <= least ? DLS_OK : DLS_ERR_NOCONV; /* NaN fails */
}
