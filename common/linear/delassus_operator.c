/* delassus_operator.c -- W = H^T A^{-1} H on the active contacts; columns of A^{-1} H are made once and kept.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/delassus_operator.h>
#include <gsl/gsl_linalg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct dls_delassus {
  void (*apply)(void *data, double *x); /* x := A^{-1} x */
  void *data;                           /* of apply; borrowed */
  const dls_matrix *H;                  /* borrowed */
  size_t n, m;
  double *columns;      /* n x m, column j valid where known[j] */
  unsigned char *known; /* m */
  size_t capacity;      /* of what follows, in contacts */
  size_t count;         /* contacts that W was gathered for; W_valid */
  bool W_valid, orthogonal_valid;
  size_t *active;         /* capacity */
  double *W;              /* count x count, column-major */
  gsl_matrix *orthogonal; /* complete orthogonal decomposition of W, for bilateral solves */
  gsl_vector *tau_q, *tau_z, *work, *solution;
  gsl_permutation *order;
  size_t rank;
};

static void free_orthogonal(dls_delassus *D)
{
  gsl_matrix_free(D->orthogonal);
  gsl_vector_free(D->tau_q);
  gsl_vector_free(D->tau_z);
  gsl_vector_free(D->work);
  gsl_vector_free(D->solution);
  gsl_permutation_free(D->order);
  D->orthogonal = NULL;
  D->tau_q = D->tau_z = D->work = D->solution = NULL;
  D->order = NULL;
}

static void free_gathered(dls_delassus *D)
{
  free_orthogonal(D);
  free(D->active);
  free(D->W);
  D->active = NULL;
  D->W = NULL;
  D->capacity = 0;
  D->W_valid = false;
}

static void solve_factored(void *data, double *x)
{
  dls_factor_solve(data, x);
}

dls_delassus *dls_delassus_create(dls_factor *A, const dls_matrix *H)
{
  return dls_delassus_create_with(solve_factored, A, H);
}

dls_delassus *dls_delassus_create_with(void (*apply)(void *data, double *x), void *data, const dls_matrix *H)
{
  dls_delassus *D = calloc(1, sizeof *D);
  if (D == NULL) {
    return NULL;
  }
  D->apply = apply;
  D->data = data;
  D->H = H;
  D->n = dls_matrix_rows(H);
  D->m = dls_matrix_columns(H);
  D->columns = calloc(D->n * D->m, sizeof *D->columns);
  D->known = calloc(D->m, sizeof *D->known);
  if (D->columns == NULL || D->known == NULL) {
    dls_delassus_destroy(D);
    return NULL;
  }
  return D;
}

void dls_delassus_destroy(dls_delassus *D)
{
  if (D == NULL) {
    return;
  }
  free_gathered(D);
  free(D->columns);
  free(D->known);
  free(D);
}

void dls_delassus_reset(dls_delassus *D)
{
  memset(D->known, 0, D->m * sizeof *D->known);
  D->W_valid = false;
}

/* Column j of A^{-1} H. */
static const double *column(dls_delassus *D, size_t j)
{
  double *y = D->columns + j * D->n;
  if (!D->known[j]) {
    memset(y, 0, D->n * sizeof *y);
    dls_matrix_column_add(D->H, j, 1, y);
    D->apply(D->data, y);
    D->known[j] = 1;
  }
  return y;
}

double dls_delassus_entry(dls_delassus *D, size_t i, size_t j)
{
  return dls_matrix_column_dot(D->H, i, column(D, j));
}

static bool reserve(dls_delassus *D, size_t count)
{
  if (count <= D->capacity) {
    return true;
  }
  size_t capacity = 2 * D->capacity > count ? 2 * D->capacity : count;
  capacity = capacity < D->m ? capacity : D->m;
  free_gathered(D);
  D->active = malloc(capacity * sizeof *D->active);
  D->W = malloc(capacity * capacity * sizeof *D->W);
  if (D->active == NULL || D->W == NULL) {
    free_gathered(D);
    return false;
  }
  D->capacity = capacity;
  return true;
}

/* W on the active contacts, unless it is there already. @return false if out of memory */
static bool gather(dls_delassus *D, size_t count, const size_t *active)
{
  if (D->W_valid && count == D->count && memcmp(active, D->active, count * sizeof *active) == 0) {
    return true;
  }
  if (!reserve(D, count)) {
    return false;
  }
  memcpy(D->active, active, count * sizeof *active);
  D->count = count;
  for (size_t j = 0; j < count; j++) {
    const double *y = column(D, active[j]);
    for (size_t i = 0; i < count; i++) {
      D->W[j * count + i] = dls_matrix_column_dot(D->H, active[i], y);
    }
  }
  D->W_valid = true;
  D->orthogonal_valid = false;
  return true;
}

dls_status dls_delassus_solve(dls_delassus *D, dls_lcp_solver *lcp, size_t count, const size_t *active,
                              const double *b, double *p, size_t *work_solves, size_t *work_pivots,
                              dls_error *err)
{
  if (count == 0) {
    return DLS_OK;
  }
  if (!gather(D, count, active)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the Delassus matrix of %zu contacts", count);
  }
  dls_lcp_report report = {0};
  const dls_status status = dls_lcp_solve(lcp, count, D->W, b, p, NULL, &report, err);
  if (work_solves != NULL) {
    *work_solves += 1;
  }
  if (work_pivots != NULL) {
    *work_pivots += report.pivots;
  }
  return status;
}

/* Room for a decomposition of the present size. @return false if out of memory */
static bool reserve_orthogonal(dls_delassus *D)
{
  if (D->orthogonal != NULL && D->orthogonal->size1 == D->count) {
    return true;
  }
  free_orthogonal(D);
  D->orthogonal = gsl_matrix_alloc(D->count, D->count);
  D->tau_q = gsl_vector_alloc(D->count);
  D->tau_z = gsl_vector_alloc(D->count);
  D->work = gsl_vector_alloc(D->count);
  D->solution = gsl_vector_alloc(D->count);
  D->order = gsl_permutation_alloc(D->count);
  const bool done = D->orthogonal != NULL && D->tau_q != NULL && D->tau_z != NULL && D->work != NULL &&
                    D->solution != NULL && D->order != NULL;
  if (!done) {
    free_orthogonal(D); /* so that the size of `orthogonal` says whether all is there */
  }
  return done;
}

static bool decompose(dls_delassus *D)
{
  if (D->orthogonal_valid) {
    return true;
  }
  if (!reserve_orthogonal(D)) {
    return false;
  }
  const gsl_matrix_const_view W = gsl_matrix_const_view_array(D->W, D->count, D->count);
  gsl_matrix_transpose_memcpy(D->orthogonal, &W.matrix); /* GSL is row-major */
  gsl_linalg_COD_decomp(D->orthogonal, D->tau_q, D->tau_z, D->order, &D->rank, D->work);
  D->orthogonal_valid = true;
  return true;
}

dls_status dls_delassus_solve_bilateral(dls_delassus *D, size_t count, const size_t *active, const double *b,
                                        double *p, dls_error *err)
{
  if (count == 0) {
    return DLS_OK;
  }
  if (!gather(D, count, active)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the Delassus matrix of %zu contacts", count);
  }
  if (count == 1) {
    p[0] = D->W[0] != 0 ? -b[0] / D->W[0] : 0.0;
    return DLS_OK;
  }
  if (!decompose(D)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory to factor the Delassus matrix of %zu contacts", count);
  }
  const gsl_vector_const_view rhs = gsl_vector_const_view_array(b, count);
  gsl_linalg_COD_lssolve(D->orthogonal, D->tau_q, D->tau_z, D->order, D->rank, &rhs.vector, D->solution,
                         D->work);
  for (size_t i = 0; i < count; i++) {
    p[i] = -gsl_vector_get(D->solution, i);
  }
  return DLS_OK;
}

void dls_delassus_apply(dls_delassus *D, size_t count, const size_t *active, double alpha, const double *p,
                        double *v)
{
  for (size_t j = 0; j < count; j++) {
    if (p[j] != 0) {
      const double *y = column(D, active[j]);
      for (size_t i = 0; i < D->n; i++) {
        v[i] += alpha * p[j] * y[i];
      }
    }
  }
}
