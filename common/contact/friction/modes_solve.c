/* modes_solve.c -- the equations of closed contacts at acceleration level, solved: few by LU, or by a decomposition that tells the
 * rank where rows depend on each other; many as sparse.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/friction/modes_parts.h"
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>
#include <sundials/sundials_dense.h>

static const double dependent = 1e-12; /* pivots below this part of the largest: redundant rows */
enum { FEW = 400 };                    /* unknowns */

/* factors := LU of A. @return false if rows depend on each other */
static bool factor(dls_mode_solver *g)
{
  const size_t n = g->count;
  double least = HUGE_VAL, most = 0;
  memcpy(g->factors, g->A, n * n * sizeof *g->A);
  for (size_t k = 0; k < n; k++) {
    g->columns[k] = g->factors + n * k;
  }
  if (SUNDlsMat_denseGETRF(g->columns, (sunindextype)n, (sunindextype)n, g->swap) != 0) {
    return false;
  }
  for (size_t k = 0; k < n; k++) {
    least = fmin(least, fabs(g->columns[k][k]));
    most = fmax(most, fabs(g->columns[k][k]));
  }
  return n == 1 || least > dependent * most;
}

/* factors := complete orthogonal decomposition of A. @return its rank */
static size_t decompose(dls_mode_solver *g)
{
  const size_t n = g->count;
  size_t rank = 0;
  for (size_t i = 0; i < n; i++) { /* GSL is row-major */
    for (size_t k = 0; k < n; k++) {
      g->factors[k + n * i] = g->A[i + n * k];
    }
  }
  gsl_matrix_view A = gsl_matrix_view_array(g->factors, n, n);
  gsl_vector_view tau_q = gsl_vector_view_array(g->work, n), tau_z = gsl_vector_view_array(g->work + n, n),
                  work = gsl_vector_view_array(g->work + 2 * n, n);
  gsl_permutation order = {n, g->order};
  gsl_linalg_COD_decomp(&A.matrix, &tau_q.vector, &tau_z.vector, &order, &rank, &work.vector);
  return rank;
}

/* Of many unknowns. @return false if out of memory; is_many: it is done */
static bool factor_many(dls_mode_solver *g)
{
  g->many = g->many != NULL ? g->many : dls_proximal_factor_create();
  const dls_status status =
      g->many == NULL ? DLS_ERR_MEMORY : dls_proximal_factor_compute(g->many, g->count, g->A, &g->rank);
  g->is_many = g->is_factored = status == DLS_OK;
  return status != DLS_ERR_MEMORY;
}

/* A in factors, by LU or, where rows depend on each other, by the decomposition of the rank; many unknowns by KLU with a shift.
 * @return false if out of memory */
bool dls_mode_solver_prepare(dls_mode_solver *g)
{
  if (!g->is_factored && g->count > FEW && !factor_many(g)) {
    return false;
  }
  if (!g->is_factored) {
    g->is_many = false;
    g->is_regular = factor(g);
    g->rank = g->is_regular ? g->count : decompose(g);
    g->is_factored = true;
  }
  return true;
}

/* x := -A^{-1} b. */
void dls_mode_solver_solve(dls_mode_solver *g)
{
  const size_t n = g->count;
  if (g->is_many) {
    memcpy(g->x, g->b, n * sizeof *g->x);
    dls_proximal_factor_solve(g->many, g->x);
  } else if (g->is_regular) {
    memcpy(g->x, g->b, n * sizeof *g->x);
    SUNDlsMat_denseGETRS(g->columns, (sunindextype)n, g->swap, g->x);
  } else {
    gsl_matrix_const_view A = gsl_matrix_const_view_array(g->factors, n, n);
    gsl_vector_const_view b = gsl_vector_const_view_array(g->b, n);
    gsl_vector_view tau_q = gsl_vector_view_array(g->work, n), tau_z = gsl_vector_view_array(g->work + n, n),
                    x = gsl_vector_view_array(g->x, n), rest = gsl_vector_view_array(g->work + 2 * n, n);
    const gsl_permutation order = {n, g->order};
    gsl_linalg_COD_lssolve(&A.matrix, &tau_q.vector, &tau_z.vector, &order, g->rank, &b.vector, &x.vector,
                           &rest.vector);
  }
  for (size_t k = 0; k < n; k++) {
    g->x[k] = -g->x[k];
  }
}
