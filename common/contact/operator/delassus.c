/* delassus.c -- W = H^T A^{-1} H on the active contacts: which way to hold it, and the dense way.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/operator/operator.h"
#include <stdlib.h>
#include <string.h>

enum {
  SMALL = 32,         /* up to so many contacts W is made dense, for the methods that need it so */
  FEW_COLUMNS = 4,    /* more columns cost more to add up than one solve */
  MOST_RESERVED = 64, /* contacts that room is made for at first */
  LITTLE = 1 << 16    /* doubles that all columns may take from the start */
};

static void free_sets(dls_delassus *D)
{
  free(D->active);
  free(D->all);
  free(D->r);
  D->active = NULL;
  D->all = NULL;
  D->r = NULL;
  D->capacity = 0;
  D->valid = false;
}

void dls_delassus_destroy(dls_delassus *D)
{
  if (D == NULL) {
    return;
  }
  for (size_t j = 0; D->columns != NULL && j < D->m; j++) {
    free(D->columns[j]);
  }
  free(D->columns);
  free(D->known);
  free(D->x);
  free(D->W);
  free_sets(D);
  dls_local_free(&D->local);
  dls_saddle_free(D->saddle);
  dls_compliance_free(D->compliance);
  dls_orthogonal_free(&D->orthogonal);
  free(D);
}

void dls_delassus_reset(dls_delassus *D)
{
  memset(D->known, 0, D->m * sizeof *D->known);
  D->local.known = false;
  D->valid = false;
}

/* y := column j of A^{-1} H */
static void make_column(dls_delassus *D, size_t j, double *y)
{
  memset(y, 0, D->n * sizeof *y);
  dls_matrix_column_add(D->H, j, 1, y);
  D->apply(D->data, y);
}

/* Column j of A^{-1} H, kept from now on. NULL if out of memory */
static const double *column(dls_delassus *D, size_t j)
{
  D->columns[j] = D->columns[j] != NULL ? D->columns[j] : malloc(D->n * sizeof *D->columns[j]);
  if (D->columns[j] != NULL && !D->known[j]) {
    make_column(D, j, D->columns[j]);
    D->known[j] = 1;
  }
  return D->columns[j];
}

double dls_delassus_entry(dls_delassus *D, size_t i, size_t j)
{
  if (dls_local_applies(D)) {
    return dls_local_entry(D, i, j);
  }
  const double *y = column(D, j);
  if (y == NULL) { /* no memory to keep it */
    make_column(D, j, D->x);
    y = D->x;
  }
  return dls_matrix_column_dot(D->H, i, y);
}

/* Room for so many active contacts. @return false if out of memory */
static bool reserve(dls_delassus *D, size_t count)
{
  if (count <= D->capacity) {
    return true;
  }
  size_t capacity = 2 * D->capacity > count ? 2 * D->capacity : count;
  capacity = capacity < D->m ? capacity : D->m;
  free_sets(D);
  D->active = malloc(capacity * sizeof *D->active);
  D->all = malloc(capacity * sizeof *D->all);
  D->r = malloc(3 * capacity * sizeof *D->r);
  if (D->active == NULL || D->all == NULL || D->r == NULL) {
    free_sets(D);
    return false;
  }
  for (size_t k = 0; k < capacity; k++) {
    D->all[k] = (int)k;
  }
  D->capacity = capacity;
  return true;
}

static bool reserve_dense(dls_delassus *D, size_t count)
{
  if (D->W_capacity < count) {
    const size_t doubled = 2 * D->W_capacity < D->m ? 2 * D->W_capacity : D->m;
    free(D->W);
    D->W_capacity = doubled > count ? doubled : count;
    D->W = malloc(D->W_capacity * D->W_capacity * sizeof *D->W);
    D->W_capacity = D->W == NULL ? 0 : D->W_capacity;
  }
  return D->W != NULL;
}

/* Room for what most problems need, so that their steps allocate nothing: W of MOST_RESERVED contacts as an array, all
 * contacts if A is diagonal, all columns where they are little. @return false if out of memory */
static bool reserve_first(dls_delassus *D)
{
  const bool local = dls_local_applies(D);
  const size_t first = D->m < MOST_RESERVED ? D->m : MOST_RESERVED;
  bool done = reserve(D, local ? D->m : first) && reserve_dense(D, first);
  if (local) {
    return done && dls_local_reserve(D);
  }
  for (size_t j = 0; done && D->n * D->m <= LITTLE && j < D->m; j++) {
    D->columns[j] = malloc(D->n * sizeof *D->columns[j]);
    done = D->columns[j] != NULL;
  }
  return done;
}

static dls_delassus *create(const dls_matrix *H)
{
  dls_delassus *D = calloc(1, sizeof *D);
  if (D == NULL) {
    return NULL;
  }
  D->H = H;
  D->n = dls_matrix_rows(H);
  D->m = dls_matrix_columns(H);
  D->x = malloc(2 * D->n * sizeof *D->x);
  D->y = D->x == NULL ? NULL : D->x + D->n;
  D->columns = calloc(D->m, sizeof *D->columns);
  D->known = calloc(D->m, sizeof *D->known);
  if (D->x == NULL || D->columns == NULL || D->known == NULL) {
    dls_delassus_destroy(D);
    return NULL;
  }
  return D;
}

/* @return D, or NULL if there is no room */
static dls_delassus *finish(dls_delassus *D)
{
  if (D != NULL && !reserve_first(D)) {
    dls_delassus_destroy(D);
    return NULL;
  }
  return D;
}

static void solve_factored(void *data, double *x)
{
  dls_factor_solve(data, x);
}

dls_delassus *dls_delassus_create(dls_factor *A, const dls_matrix *H)
{
  dls_delassus *D = create(H);
  if (D != NULL) {
    D->apply = solve_factored;
    D->data = D->factor = A;
  }
  return finish(D);
}

/* x := A^{-1} N M^{-1} x */
static void apply_product(void *data, double *x)
{
  const dls_delassus *D = data;
  dls_factor_solve(D->mass, x);
  memset(D->y, 0, D->n * sizeof *D->y);
  dls_factor_multiply(D->factor, D->product, x, D->y);
  dls_factor_solve(D->factor, D->y);
  memcpy(x, D->y, D->n * sizeof *x);
}

dls_delassus *dls_delassus_create_product(dls_factor *A, dls_factor *M, const dls_matrix *H)
{
  dls_delassus *D = create(H);
  if (D != NULL) {
    D->apply = apply_product;
    D->data = D;
    D->factor = A;
    D->mass = M;
  }
  return finish(D);
}

void dls_delassus_product(dls_delassus *D, size_t count, const double *coefficients)
{
  memset(D->product, 0, sizeof D->product);
  memcpy(D->product, coefficients, count * sizeof *coefficients);
  dls_delassus_reset(D);
}

dls_delassus *dls_delassus_create_with(void (*apply)(void *data, double *x), void *data, const dls_matrix *H)
{
  dls_delassus *D = create(H);
  if (D != NULL) {
    D->apply = apply;
    D->data = data;
  }
  return finish(D);
}

/* From the operator, column by column. */
static void copy_operator(dls_delassus *D)
{
  const size_t count = D->count;
  double *unit = D->r, *size = D->r + count;
  memset(D->W, 0, count * count * sizeof *D->W);
  memset(unit, 0, count * sizeof *unit);
  for (size_t j = 0; j < count; j++) {
    unit[j] = 1;
    D->as_operator->multiply(D->as_operator->data, unit, D->W + j * count, size);
    unit[j] = 0;
  }
}

static void copy_sparse(dls_delassus *D)
{
  memset(D->W, 0, D->count * D->count * sizeof *D->W);
  for (size_t j = 0; j < D->count; j++) {
    const dls_column c = dls_matrix_column(D->local.W, j);
    for (size_t e = 0; e < c.count; e++) {
      D->W[j * D->count + dls_column_row(&c, e)] = c.values[e];
    }
  }
}

static bool copy_columns(dls_delassus *D)
{
  for (size_t j = 0; j < D->count; j++) {
    const double *y = column(D, D->active[j]);
    for (size_t i = 0; y != NULL && i < D->count; i++) {
      D->W[j * D->count + i] = dls_matrix_column_dot(D->H, D->active[i], y);
    }
    if (y == NULL) {
      return false;
    }
  }
  return true;
}

bool dls_delassus_make_dense(dls_delassus *D)
{
  if (!D->dense && !reserve_dense(D, D->count)) {
    return false;
  }
  if (!D->dense && D->as_operator != NULL) {
    copy_operator(D);
  } else if (!D->dense && dls_local_applies(D)) {
    copy_sparse(D);
  } else if (!D->dense && !copy_columns(D)) {
    return false;
  }
  D->dense = true;
  return true;
}

/* Sparse W that is small or full is worth no more than an array. */
static dls_status gather_local(dls_delassus *D)
{
  dls_local *L = &D->local;
  if (dls_local_gather(D) != DLS_OK) {
    return DLS_ERR_MEMORY;
  }
  if (D->count <= SMALL || L->W->used > D->count * D->count / 4) {
    return dls_delassus_make_dense(D) ? DLS_OK : DLS_ERR_MEMORY;
  }
  D->as_operator = &L->matrix->as_operator;
  return dls_lcp_matrix_take(L->matrix, L->W);
}

static dls_status gather_any(dls_delassus *D)
{
  D->as_operator = NULL;
  D->dense = false;
  D->orthogonal.valid = false;
  if (dls_local_applies(D)) {
    return gather_local(D);
  }
  if (dls_saddle_applies(D, D->count)) {
    const dls_status status = dls_saddle_gather(D);
    D->as_operator = D->saddle == NULL ? NULL : dls_saddle_operator(D->saddle);
    return status;
  }
  return dls_delassus_make_dense(D) ? DLS_OK : DLS_ERR_MEMORY;
}

/* W on the active contacts, unless it is there already. */
static dls_status gather(dls_delassus *D, size_t count, const size_t *active, dls_error *err)
{
  if (D->valid && count == D->count && memcmp(active, D->active, count * sizeof *active) == 0) {
    return DLS_OK;
  }
  dls_status status = DLS_ERR_MEMORY;
  if (reserve(D, count)) {
    memcpy(D->active, active, count * sizeof *active);
    D->count = count;
    status = gather_any(D);
  }
  D->valid = status == DLS_OK;
  return D->valid ? DLS_OK : dls_fail(err, status, "no memory for the Delassus matrix of %zu contacts", count);
}

dls_status dls_delassus_solve(dls_delassus *D, dls_lcp_solver *lcp, size_t count, const size_t *active,
                              const double *b, double *p, size_t *work_solves, size_t *work_pivots,
                              dls_error *err)
{
  dls_status status = count == 0 ? DLS_OK : gather(D, count, active, err);
  if (count == 0 || status != DLS_OK) {
    return status;
  }
  dls_lcp_report report = {0};
  status = D->as_operator != NULL ? dls_lcp_solve_operator(lcp, D->as_operator, b, p, NULL, &report, err)
                                  : dls_lcp_solve(lcp, count, D->W, b, p, NULL, &report, err);
  if (work_solves != NULL) {
    *work_solves += 1;
  }
  if (work_pivots != NULL) {
    *work_pivots += report.pivots;
  }
  return status;
}

dls_status dls_delassus_solve_problem(dls_delassus *D, dls_problem_solver *solver, const size_t *active,
                                      const dls_problem *problem, double *r, double *u,
                                      dls_problem_report *report, dls_error *err)
{
  dls_problem with_W = *problem;
  size_t count = 0;
  for (size_t k = 0; k < problem->count; k++) {
    count += problem->blocks[k].rows;
  }
  const dls_status status = count == 0 ? DLS_OK : gather(D, count, active, err);
  if (status != DLS_OK) {
    return status;
  }
  with_W.dense = NULL;
  with_W.matrix = NULL;
  with_W.by_operator = NULL;
  if (count > 0 && D->as_operator != NULL && dls_local_applies(D)) {
    with_W.matrix = D->local.W;
  } else if (count > 0 && !dls_delassus_make_dense(D)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the Delassus matrix of %zu rows", count);
  } else {
    with_W.dense = D->W;
  }
  return dls_problem_solve(solver, &with_W, r, u, report, err);
}

dls_status dls_delassus_solve_compliant(dls_delassus *D, double s, size_t count, const size_t *active,
                                        const double *E, double *b, dls_error *err)
{
  if (!dls_local_applies(D)) {
    return DLS_ERR_NOT_APPLICABLE;
  }
  dls_status status = gather(D, count, active, err);
  if (status != DLS_OK) {
    return status;
  }
  status = D->as_operator != NULL ? dls_compliance_solve(D, s, E, b) : DLS_ERR_NOT_APPLICABLE;
  return status == DLS_ERR_MEMORY ? dls_fail(err, status, "no memory for the forces of %zu contacts", count)
                                  : status;
}

dls_status dls_delassus_solve_bilateral(dls_delassus *D, size_t count, const size_t *active, const double *b,
                                        double *p, dls_error *err)
{
  dls_status status = count == 0 ? DLS_OK : gather(D, count, active, err);
  if (count == 0 || status != DLS_OK) {
    return status;
  }
  status = dls_bilateral_solve(D, b, p);
  return status == DLS_OK
             ? DLS_OK
             : dls_fail(err, status, "no memory to factor the Delassus matrix of %zu contacts", count);
}

/* Are the columns that are needed there, and few? */
static bool by_columns(const dls_delassus *D, size_t count, const size_t *active, const double *p)
{
  size_t needed = 0;
  bool known = true;
  for (size_t k = 0; k < count; k++) {
    needed += p[k] != 0;
    known = known && (p[k] == 0 || D->known[active[k]]);
  }
  return known && needed <= FEW_COLUMNS;
}

void dls_delassus_apply(dls_delassus *D, size_t count, const size_t *active, double alpha, const double *p,
                        double *v)
{
  if (count == 0) { /* D may be NULL */
    return;
  }
  if (dls_local_applies(D)) {
    dls_local_apply(D, count, active, alpha, p, v);
    return;
  }
  const bool few = by_columns(D, count, active, p);
  if (!few) {
    memset(D->x, 0, D->n * sizeof *D->x);
  }
  for (size_t k = 0; k < count; k++) {
    if (!few) {
      dls_matrix_column_add(D->H, active[k], p[k], D->x);
    }
    for (size_t i = 0; few && p[k] != 0 && i < D->n; i++) {
      v[i] += alpha * p[k] * D->columns[active[k]][i];
    }
  }
  if (!few) {
    D->apply(D->data, D->x);
    for (size_t i = 0; i < D->n; i++) {
      v[i] += alpha * D->x[i];
    }
  }
}
