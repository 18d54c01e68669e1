/* bilateral.c -- W p = -b over the active contacts. A sparse or saddle-point W is factored, and p is refined until the
 * residual is rounding. That fails if contacts are redundant, as they are where they outnumber the coordinates. Then few contacts are
 * solved by a complete orthogonal decomposition of the array. Many are solved by the proximal point iteration
 *   p += (W + s D)^{-1} (-b - W p),   D = diag(W),                                                    (1)
 * which converges to a solution if there is one. A pass reduces the part of the residual in the range of W, and leaves the
 * rest, which inconsistent rows have: a residual that still falls after the last pass should have vanished, and is counted.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "common/base/memory.h"
#include "common/contact/operator/operator.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DENSE = 100, MOST_CORRECTIONS = 3, MOST_SHIFTED = 40, MOST_RANKED = 64 };
static const double accepted = 1e-13; /* residual in units of |b_i| + sum_j |W_ij p_j| */
static const double shift = 1e-10;    /* leaves pivots of 1e-10 of the diagonal, and six digits */
static const double falling =
    3e-15; /* change of that residual by a pass: above rounding; eigenvalues of D^-1 W from about 1e-13 on */
static const char *const unfinished = "bilateral-residual";

void dls_orthogonal_free(dls_orthogonal *o)
{
  free(o->block);
  free(o->order.data);
  *o = (dls_orthogonal){0};
}

/* Memory for `most` contacts, which smaller sets use too. @return false if out of memory */
static bool reserve(dls_orthogonal *o, size_t most)
{
  if (most <= o->capacity) {
    return true;
  }
  dls_orthogonal_free(o);
  o->block = dls_arrays((const dls_slot[]){
      {dls_size_product(most, most), {&o->A}}, {most, {&o->tau[0], &o->tau[1], &o->scratch, &o->x}}, {0}});
  o->order.data = calloc(most, sizeof *o->order.data);
  if (o->block == NULL || o->order.data == NULL) {
    dls_orthogonal_free(o);
    return false;
  }
  o->capacity = most;
  return true;
}

/* Views of the memory for `count` contacts. */
static void resize(dls_orthogonal *o, size_t count)
{
  o->factors = gsl_matrix_view_array(o->A, count, count).matrix;
  o->tau_q = gsl_vector_view_array(o->tau[0], count).vector;
  o->tau_z = gsl_vector_view_array(o->tau[1], count).vector;
  o->work = gsl_vector_view_array(o->scratch, count).vector;
  o->solution = gsl_vector_view_array(o->x, count).vector;
  o->order.size = count;
}

static bool decompose(dls_delassus *D)
{
  dls_orthogonal *o = &D->orthogonal;
  if (o->valid) {
    return true;
  }
  if (!dls_delassus_make_array(D) || !reserve(o, D->W_capacity)) {
    return false;
  }
  resize(o, D->count);
  const gsl_matrix_const_view W = gsl_matrix_const_view_array(D->W, D->count, D->count);
  gsl_matrix_transpose_memcpy(&o->factors, &W.matrix); /* GSL is row-major */
  gsl_linalg_COD_decomp(&o->factors, &o->tau_q, &o->tau_z, &o->order, &o->rank, &o->work);
  o->valid = true;
  return true;
}

dls_status dls_delassus_rank(dls_delassus *D, size_t count, const size_t *active, dls_error *err)
{
  const dls_status status = count == 0 ? DLS_OK : dls_delassus_gather(D, count, active, err);
  if (status != DLS_OK || count == 0 || count > MOST_RANKED) {
    return status;
  }
  return decompose(D) ? DLS_OK
                      : dls_fail(err, DLS_ERR_MEMORY, "no memory for the rank of %zu contact rows", count);
}

static dls_status solve_dense(dls_delassus *D, const double *b, double *p)
{
  if (!decompose(D)) {
    return DLS_ERR_MEMORY;
  }
  dls_orthogonal *o = &D->orthogonal;
  const gsl_vector_const_view rhs = gsl_vector_const_view_array(b, D->count);
  gsl_linalg_COD_lssolve(&o->factors, &o->tau_q, &o->tau_z, &o->order, o->rank, &rhs.vector, &o->solution,
                         &o->work);
  for (size_t i = 0; i < D->count; i++) {
    p[i] = -o->x[i];
  }
  return DLS_OK;
}

/* D->r := W p + b. @return max_i |r_i| / (|b_i| + sum_j |W_ij p_j|) */
static double residual(dls_delassus *D, const double *b, const double *p)
{
  const dls_lcp_operator *W = D->now->lcp;
  const size_t count = D->count;
  double *r = D->r, *size = D->r + count, worst = 0;
  for (size_t i = 0; i < count; i++) {
    r[i] = b[i];
    size[i] = fabs(b[i]);
  }
  W->multiply(W->data, p, r, size);
  for (size_t i = 0; i < count; i++) {
    if (!(fabs(r[i]) <= worst * size[i])) { /* so that NaN is seen */
      worst = fabs(r[i]) / size[i];
    }
  }
  return worst;
}

/* Up to `most` corrections by the factors of W + s D. *left: the residual of the p that is there in the end. */
static dls_status correct(dls_delassus *D, double s, int most, const double *b, double *p, double *left)
{
  const dls_lcp_operator *W = D->now->lcp;
  double *x = D->r + 2 * D->count;
  dls_status status = W->factor(W->data, D->count, D->all, s);
  *left = residual(D, b, p);
  for (int k = 0; status == DLS_OK && k < most && !(*left <= accepted); k++) {
    for (size_t i = 0; i < D->count; i++) {
      x[i] = D->r[i]; /* W p + b */
    }
    status = W->solve(W->data, x);
    for (size_t i = 0; status == DLS_OK && i < D->count; i++) {
      p[i] -= x[i]; /* p -= (W + s D)^-1 (W p + b) */
    }
    *left = residual(D, b, p);
  }
  return status;
}

/* Would another pass of (1) change the residual of the last by more than rounding? */
static bool still_falls(dls_delassus *D)
{
  const dls_lcp_operator *W = D->now->lcp;
  const size_t count = D->count;
  double *change = D->r, *size = D->r + count, *x = D->r + 2 * count, *unused = D->r + 3 * count;
  memcpy(x, D->r, count * sizeof *x);
  if (W->solve(W->data, x) != DLS_OK) {
    return true;
  }
  memset(change, 0, count * sizeof *change);
  memset(unused, 0, count * sizeof *unused);
  W->multiply(W->data, x, change, unused); /* W (W + s D)^-1 r */
  for (size_t i = 0; i < count; i++) {
    if (!(fabs(change[i]) <= falling * size[i])) {
      return true;
    }
  }
  return false;
}

void dls_delassus_count_fallbacks(dls_delassus *D, dls_fallbacks *fallbacks)
{
  D->fallbacks = fallbacks;
}

dls_status dls_bilateral_solve(dls_delassus *D, const double *b, double *p)
{
  D->shifted = false;
  if (D->count == 1) { /* then W is an array */
    p[0] = D->W[0] != 0 ? -b[0] / D->W[0] : 0.0;
    return DLS_OK;
  }
  if (D->now->lcp == NULL || D->orthogonal.valid) {
    return solve_dense(D, b, p);
  }
  for (size_t i = 0; i < D->count; i++) {
    p[i] = 0;
  }
  double left = HUGE_VAL;
  dls_status status =
      D->count <= D->n ? correct(D, 0, MOST_CORRECTIONS, b, p, &left) : DLS_ERR_SINGULAR; /* rank W <= n */
  if (status == DLS_ERR_MEMORY || (status == DLS_OK && left <= accepted)) {
    return status;
  }
  if (D->count <= MOST_DENSE) {
    dls_count_fallback(D->fallbacks, "orthogonal-decomposition");
    return solve_dense(D, b, p);
  }
  for (size_t i = 0; i < D->count; i++) {
    p[i] = 0;
  }
  D->shifted = true;
  dls_count_fallback(D->fallbacks, "proximal-point");
  status = correct(D, shift, MOST_SHIFTED, b, p, &left);
  if (status != DLS_ERR_MEMORY && !(left <= accepted) && (status != DLS_OK || still_falls(D))) {
    dls_count_fallback(D->fallbacks, unfinished);
  }
  return status == DLS_ERR_MEMORY ? status : DLS_OK;
}
