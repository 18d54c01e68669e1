/* multifrontal.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/multifrontal.h"
#include "common/linear/pattern.h"
#include "common/linear/suitesparse.h"
#include <klu.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 4000, ORDER_AMD = 0 };  /* rows below which KLU is used without a test; KLU's code for AMD */
static const double least_work = 100; /* operations per entry of the factors above which blocks are faster */
static pthread_mutex_t ordering = PTHREAD_MUTEX_INITIALIZER; /* METIS calls rand(), which threads share */

struct dls_multifrontal {
  const dls_matrix *S;
  double control[UMFPACK_CONTROL];
  void *symbolic, *numeric;
  sunindextype *integers; /* n */
  double *work;           /* 2 n */
};

/* Operations per entry of the factors in KLU's order. @return false if out of memory */
static bool fills_in(const dls_matrix *S, bool *much)
{
  klu_l_common common;
  *much = false;
  if (S->rows < MANY || !dls_matrix_symmetric_pattern(S)) {
    return true;
  }
  klu_l_defaults(&common);
  common.ordering = ORDER_AMD;
  klu_l_symbolic *symbolic = klu_l_analyze((sunindextype)S->rows, S->starts, S->row_of, &common);
  if (symbolic != NULL) {
    *much = symbolic->est_flops >= least_work * (symbolic->lnz + symbolic->unz);
    klu_l_free_symbolic(&symbolic, &common);
    return true;
  }
  return common.status != KLU_OUT_OF_MEMORY;
}

static int order(dls_multifrontal *f, int method)
{
  const sunindextype n = (sunindextype)f->S->rows;
  f->control[UMFPACK_ORDERING] = method;
  return dls_umfpack_symbolic(n, f->S->starts, f->S->row_of, &f->symbolic, f->control);
}

/* The order, from the pattern only; by minimum degree where UMFPACK was built without METIS. @return false if out of memory */
static bool analyze(dls_multifrontal *f)
{
  dls_umfpack_defaults(f->control);
  f->control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
  /* without refinement residuals are at rounding, and solves take a third of the time */
  f->control[UMFPACK_IRSTEP] = 0;
  pthread_mutex_lock(&ordering);
  int status = order(f, UMFPACK_ORDERING_METIS);
  pthread_mutex_unlock(&ordering);
  if (status == UMFPACK_ERROR_ordering_failed) {
    status = order(f, UMFPACK_ORDERING_AMD);
  }
  return status == UMFPACK_OK;
}

bool dls_multifrontal_create(const dls_matrix *S, dls_multifrontal **multifrontal)
{
  bool much = false;
  *multifrontal = NULL;
  if (!fills_in(S, &much)) {
    return false;
  }
  if (!much) {
    return true;
  }
  dls_multifrontal *f = calloc(1, sizeof *f);
  if (f == NULL) {
    return false;
  }
  f->S = S;
  f->integers = malloc(S->rows * sizeof *f->integers);
  f->work = malloc(2 * S->rows * sizeof *f->work);
  if (f->integers == NULL || f->work == NULL || !analyze(f)) {
    dls_multifrontal_destroy(f);
    return false;
  }
  *multifrontal = f;
  return true;
}

void dls_multifrontal_destroy(dls_multifrontal *f)
{
  if (f == NULL) {
    return;
  }
  dls_umfpack_free_numeric(&f->numeric);
  dls_umfpack_free_symbolic(&f->symbolic);
  free(f->integers);
  free(f->work);
  free(f);
}

/* First column whose pivot is zero or NaN, or n. */
static size_t bad_column(dls_multifrontal *f)
{
  const size_t n = f->S->rows;
  size_t k = 0;
  if (dls_umfpack_get_order_and_diagonal(f->integers, f->work, f->numeric) != UMFPACK_OK) {
    return n;
  }
  while (k < n && fabs(f->work[k]) > 0) {
    k++;
  }
  return k < n ? (size_t)f->integers[k] : n;
}

dls_status dls_multifrontal_factor(dls_multifrontal *f, size_t *row)
{
  const dls_matrix *S = f->S;
  *row = S->rows;
  dls_umfpack_free_numeric(&f->numeric);
  switch (dls_umfpack_numeric(S->starts, S->row_of, S->values, f->symbolic, &f->numeric, f->control)) {
  case UMFPACK_OK:
    return DLS_OK;
  case UMFPACK_WARNING_singular_matrix:
    *row = bad_column(f);
    return DLS_ERR_SINGULAR;
  default:
    return DLS_ERR_MEMORY;
  }
}

void dls_multifrontal_solve(dls_multifrontal *f, double *x)
{
  const dls_matrix *S = f->S;
  double *b = f->work + S->rows;
  memcpy(b, x, S->rows * sizeof *b);
  dls_umfpack_wsolve(UMFPACK_A, S->starts, S->row_of, S->values, x, b, f->numeric, f->control, f->integers,
                     f->work);
}
