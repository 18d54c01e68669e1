/* delassus_jobs.h -- all that can be asked of W = H^T M^-1 H, for tests in which what it calls fails.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_DELASSUS_JOBS_H
#define DELASSUS_TESTS_DELASSUS_JOBS_H

#include "check.h"
#include <delassus/delassus_operator.h>
#include <string.h>

typedef struct delassus_parts {
  dls_matrix *M, *H;
  dls_factor *F;
  dls_delassus *D;
  dls_problem_solver *solver;
} delassus_parts;

/* M = [2 1; 1 2] in the first two unknowns, H its two columns: W = [2 -1; -1 2] / 3. Sparse: 150 unknowns with a contact each. */
static inline dls_status delassus_parts_create(bool sparse, delassus_parts *p, dls_error *err)
{
  const size_t n = sparse ? 150 : 3;
  *p = (delassus_parts){.M = sparse ? dls_matrix_diagonal(n) : dls_matrix_dense(n, n),
                        .H = sparse ? dls_matrix_sparse(n, n, 2 * n) : dls_matrix_dense(n, n)};
  if (p->M == NULL || p->H == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "M, H");
  }
  for (size_t i = 0; i < n; i++) {
    dls_matrix_set(p->M, i, i, sparse ? 0.5 : 2);
    dls_matrix_set(p->H, i, i, 1);
  }
  if (!sparse) {
    dls_matrix_set(p->M, 0, 1, 1);
    dls_matrix_set(p->M, 1, 0, 1);
  }
  p->F = dls_factor_create((const dls_matrix *const[]){p->M}, 1);
  if (p->F == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "factor of M");
  }
  const dls_status status = dls_factor_sum(p->F, (const double[]){1}, err);
  if (status != DLS_OK) {
    return status;
  }
  p->D = dls_delassus_create(p->F, p->H);
  return p->D == NULL ? dls_fail(err, DLS_ERR_MEMORY, "W") : dls_problem_create(NULL, 1e-12, &p->solver, err);
}

static inline void delassus_parts_free(delassus_parts *p)
{
  dls_problem_destroy(p->solver);
  dls_delassus_destroy(p->D);
  dls_factor_destroy(p->F);
  dls_matrix_destroy(p->M);
  dls_matrix_destroy(p->H);
}

/* W p = -(1, 1) held, u >= 0 by complementarity, and beside unit compliances and springs; W is I / 0.5 where it is sparse. */
static inline dls_status delassus_ask_all(delassus_parts *p, bool sparse, dls_error *err)
{
  static const size_t active[2] = {0, 1};
  static const double b[2] = {-1, -1}, ones[18] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  static const dls_block blocks[2] = {{DLS_HALF, 1, 0}, {DLS_HALF, 1, 0}};
  const dls_problem problem = {.count = 2, .blocks = blocks, .q = b};
  const double W = sparse ? 2 : 1.0 / 3;
  double x[2] = {0}, u[2];
  size_t solutions = 0;
  dls_status status = dls_delassus_rank(p->D, 2, active, err);
  status = status != DLS_OK ? status : dls_delassus_count(p->D, p->solver, active, &problem, &solutions, err);
  if (status == DLS_OK) {
    assert_int_equal(solutions, 1);
    status = dls_delassus_solve_problem(p->D, p->solver, active, &problem, x, u, NULL, err);
  }
  if (status == DLS_OK) {
    assert_close(x[0], 1 / W, 1e-12);
    assert_close(x[1], 1 / W, 1e-12);
    status = dls_delassus_solve_bilateral(p->D, 2, active, b, x, err);
  }
  if (status == DLS_OK) {
    assert_close(x[0], 1 / W, 1e-12);
    x[0] = x[1] = 1;
    status = dls_delassus_solve_blocks(p->D, 1, 2, active, ones, ones, x, err); /* (W + I) x = (1, 1) */
  }
  if (status == DLS_OK) {
    assert_close(x[1], 1 / (1 + W), 1e-12);
    x[0] = x[1] = 1;
    status = dls_delassus_solve_compliant(p->D, 1, 2, active, (const double[]){1, 1}, x, err);
    status = status == DLS_ERR_NOT_APPLICABLE ? DLS_OK : status;
  }
  return status;
}

/* data: a bool, is it sparse? */
static inline dls_status delassus_job(const void *data, dls_error *err)
{
  const bool sparse = *(const bool *)data;
  delassus_parts p;
  dls_status status = delassus_parts_create(sparse, &p, err);
  status = status != DLS_OK ? status : delassus_ask_all(&p, sparse, err);
  delassus_parts_free(&p);
  return status;
}

#endif
