/* cycles.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/large/cycles.h"
#include "common/linear/monotone.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  SMALLEST = 2000,     /* contacts below which factors are cheaper */
  MOST_ITERATIONS = 40 /* cycles that cost as much as the factors of 2000 contacts; about twenty are needed */
};
/* relative residual of a solve; the next correction removes the remainder */
static const double reduction = 1e-9;
/* relative excess of a row's diagonal that rounding may hide */
static const double rounding = 16 * DBL_EPSILON;

struct dls_lcp_cycles {
  dls_rows rows;
  dls_multigrid *multigrid;
  dls_monotone *monotone;       /* allocated at first use */
  double *x, *r, *work, *block; /* n, n, 3 n; owns them and the bounds */
  dls_bounds bounds;            /* n */
  unsigned char *held;          /* n: not in the set */
  size_t count;
  int *set; /* n, count of them */
};

/* Is no off-diagonal entry larger than the diagonal? */
static bool dominant(const dls_rows *rows)
{
  for (size_t i = 0; i < rows->n; i++) {
    double sum = 0;
    for (uint32_t e = rows->starts[i]; e < rows->starts[i + 1]; e++) {
      sum += fabs(rows->value[e]);
    }
    if (!(sum <= rows->d[i] * (1 + rounding))) {
      return false;
    }
  }
  return true;
}

static bool allocate(dls_lcp_cycles *C)
{
  const size_t n = C->rows.n;
  C->multigrid = dls_multigrid_create(&C->rows);
  C->block = malloc(7 * n * sizeof *C->block);
  C->held = malloc(n);
  C->set = malloc(n * sizeof *C->set);
  if (C->multigrid == NULL || C->block == NULL || C->held == NULL || C->set == NULL) {
    return false;
  }
  C->x = C->block;
  C->r = C->x + n;
  C->work = C->r + n;
  C->bounds = (dls_bounds){C->work + 3 * n, C->work + 4 * n};
  return true;
}

bool dls_lcp_cycles_create(const dls_matrix *W, dls_lcp_cycles **out)
{
  *out = NULL;
  if (dls_matrix_rows(W) < SMALLEST) {
    return true;
  }
  dls_lcp_cycles *C = calloc(1, sizeof *C);
  const dls_status status = C != NULL ? dls_rows_take(&C->rows, W) : DLS_ERR_MEMORY;
  const bool applies = status == DLS_OK && dominant(&C->rows), done = applies && allocate(C);
  if (!done) {
    dls_lcp_cycles_destroy(C);
    return status == DLS_ERR_NOT_APPLICABLE || (status == DLS_OK && !applies);
  }
  *out = C;
  return true;
}

void dls_lcp_cycles_destroy(dls_lcp_cycles *C)
{
  if (C != NULL) {
    dls_monotone_destroy(C->monotone);
    dls_multigrid_destroy(C->multigrid);
    dls_rows_free(&C->rows);
    free(C->block);
    free(C->held);
    free(C->set);
    free(C);
  }
}

void dls_lcp_cycles_take(dls_lcp_cycles *C, size_t count, const int *set)
{
  memset(C->held, 1, C->rows.n);
  for (size_t k = 0; k < count; k++) {
    C->held[set[k]] = 0;
    C->set[k] = set[k];
  }
  C->count = count;
  dls_multigrid_hold(C->multigrid, C->held);
}

const int *dls_lcp_cycles_set(const dls_lcp_cycles *C, size_t *count)
{
  *count = C->count;
  return C->set;
}

bool dls_lcp_cycles_solve(dls_lcp_cycles *C, double *x)
{
  const size_t n = C->rows.n;
  size_t iterations;
  double square = 0;
  memset(C->x, 0, n * sizeof *C->x);
  memset(C->r, 0, n * sizeof *C->r);
  for (size_t k = 0; k < C->count; k++) {
    C->r[C->set[k]] = x[k];
    square += x[k] * x[k] / C->rows.d[C->set[k]];
  }
  if (dls_multigrid_solve(C->multigrid, reduction * reduction * square, MOST_ITERATIONS, C->work, C->x, C->r,
                          &iterations) != DLS_OK) {
    return false;
  }
  for (size_t k = 0; k < C->count; k++) {
    x[k] = C->x[C->set[k]];
  }
  return true;
}

bool dls_lcp_cycles_first_set(dls_lcp_cycles *C, const double *b, unsigned char *active, double *z)
{
  const size_t n = C->rows.n;
  C->monotone = C->monotone != NULL ? C->monotone : dls_monotone_create(C->multigrid);
  if (C->monotone == NULL) {
    return false;
  }
  for (size_t i = 0; i < n; i++) {
    C->bounds.lower[i] = 0;
    C->bounds.upper[i] = HUGE_VAL;
    C->r[i] = -b[i];
  }
  dls_monotone_descend(C->monotone, C->bounds, C->r, C->work, z, active);
  for (size_t i = 0; i < n; i++) {
    active[i] = !active[i];
  }
  return true;
}
