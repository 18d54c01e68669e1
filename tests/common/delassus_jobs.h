/* delassus_jobs.h -- all that can be asked of W = H^T M^-1 H, for tests in which what it calls fails.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_DELASSUS_JOBS_H
#define DELASSUS_TESTS_DELASSUS_JOBS_H

#include "check.h"
#include <delassus/delassus_operator.h>
#include <string.h>

/* LITTLE: M = [2 1; 1 2] in the first two unknowns, H its two columns: W = [2 -1; -1 2] / 3. WIDE: the same with so many contacts that
 * no column of M^-1 H is reserved. SPARSE: 150 unknowns with a contact each. Two contacts are active in these, in the next all of them:
 * NET: 1000 contacts of two unknowns each and M = 1 / 2, BODY: 150 contacts of one each on an elastic chain. */
typedef enum delassus_kind { LITTLE, WIDE, SPARSE, NET, BODY, DELASSUS_KINDS } delassus_kind;

typedef struct delassus_parts {
  dls_matrix *M, *H;
  dls_factor *F;
  dls_delassus *D;
  dls_problem_solver *solver;
  dls_lcp_solver *lcp;
} delassus_parts;

static inline dls_matrix *delassus_mass(delassus_kind kind, size_t n)
{
  dls_matrix *M = kind == BODY                     ? dls_matrix_band(n, 1, 1)
                  : kind == LITTLE || kind == WIDE ? dls_matrix_dense(n, n)
                                                   : dls_matrix_diagonal(n);
  for (size_t i = 0; M != NULL && i < n; i++) {
    dls_matrix_set(M, i, i, kind == SPARSE || kind == NET ? 0.5 : 2);
    for (size_t j = i > 0 ? i - 1 : 1; kind == BODY && j < n && j <= i + 1; j += 2) {
      dls_matrix_set(M, i, j, -0.5);
    }
  }
  if (M != NULL && (kind == LITTLE || kind == WIDE)) {
    dls_matrix_set(M, 0, 1, 1);
    dls_matrix_set(M, 1, 0, 1);
  }
  return M;
}

static inline dls_matrix *delassus_gradients(delassus_kind kind, size_t n)
{
  const size_t m = kind == WIDE ? 2000 : n;
  dls_matrix *H = kind == LITTLE || kind == WIDE ? dls_matrix_dense(n, m) : dls_matrix_sparse(n, m, 2 * m);
  for (size_t i = 0; H != NULL && i < n; i++) {
    if (kind == NET && i > 1) {
      dls_matrix_set(H, i - 2, i, -0.25);
    }
    dls_matrix_set(H, i, i, 1);
  }
  return H;
}

static inline dls_status delassus_parts_create(delassus_kind kind, delassus_parts *p, dls_error *err)
{
  const size_t n = kind == LITTLE ? 3 : kind == WIDE ? 33 : kind == NET ? 1000 : 150;
  *p = (delassus_parts){.M = delassus_mass(kind, n), .H = delassus_gradients(kind, n)};
  if (p->M == NULL || p->H == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "M, H");
  }
  p->F = dls_factor_create((const dls_matrix *const[]){p->M}, 1);
  if (p->F == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "factor of M");
  }
  dls_status status = dls_factor_sum(p->F, (const double[]){1}, err);
  if (status != DLS_OK) {
    return status;
  }
  p->D = dls_delassus_create(p->F, p->H);
  status = p->D == NULL ? dls_fail(err, DLS_ERR_MEMORY, "W") : dls_problem_create(NULL, 1e-12, &p->solver, err);
  return status != DLS_OK ? status : dls_lcp_create(1, NULL, 1e-12, &p->lcp, err);
}

static inline void delassus_parts_free(delassus_parts *p)
{
  dls_problem_destroy(p->solver);
  dls_lcp_destroy(p->lcp);
  dls_delassus_destroy(p->D);
  dls_factor_destroy(p->F);
  dls_matrix_destroy(p->M);
  dls_matrix_destroy(p->H);
}

/* W p = -(1, 1) held, u >= 0 by complementarity, and beside unit compliances and springs; W is I / 0.5 where it is sparse. */
static inline dls_status delassus_ask_two(delassus_parts *p, bool sparse, dls_error *err)
{
  static const size_t active[2] = {0, 1};
  static const double b[2] = {-1, -1}, ones[18] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  static const dls_block blocks[2] = {{DLS_HALF, 1, 0}, {DLS_HALF, 1, 0}};
  const dls_problem problem = {.count = 2, .blocks = blocks, .q = b};
  const double W = sparse ? 2 : 1.0 / 3;
  double x[2] = {0}, u[2];
  size_t solutions = 0;
  dls_status status = dls_delassus_count(p->D, p->solver, active, &problem, &solutions, err);
  status = status != DLS_OK ? status : dls_delassus_rank(p->D, 2, active, err);
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

/* Is -1 + W r = 0 on all? */
static inline void delassus_check(const delassus_parts *p, size_t count, const size_t *active, const double *r)
{
  double v[1000] = {0};
  dls_delassus_apply(p->D, count, active, 1, r, v);
  for (size_t k = 0; k < count; k++) {
    assert_close(dls_matrix_column_dot(p->H, k, v), 1, 1e-10);
  }
}

/* The same of all contacts, which all are pressed, and in pairs with friction that holds them. */
static inline dls_status delassus_ask_all(delassus_parts *p, dls_error *err)
{
  const size_t count = dls_matrix_columns(p->H);
  size_t active[1000];
  double b[1000], r[1000] = {0}, u[1000], x[1000], E[1000];
  dls_block blocks[500];
  for (size_t k = 0; k < count; k++) {
    active[k] = k;
    b[k] = -1;
    x[k] = E[k] = 1;
    blocks[k / 2] = (dls_block){DLS_COULOMB, 2, 10};
  }
  dls_status status = dls_delassus_solve_compliant(p->D, 1, count, active, E, x, err);
  status = status != DLS_ERR_NOT_APPLICABLE ? status : DLS_OK;
  status = status != DLS_OK ? status : dls_delassus_solve(p->D, p->lcp, count, active, b, r, NULL, NULL, err);
  if (status == DLS_OK) {
    delassus_check(p, count, active, r);
    status = dls_delassus_solve_bilateral(p->D, count, active, b, x, err);
  }
  if (status == DLS_OK) {
    delassus_check(p, count, active, x);
    memset(r, 0, sizeof r);
    const dls_problem problem = {.count = count / 2, .blocks = blocks, .q = b};
    status = dls_delassus_solve_problem(p->D, p->solver, active, &problem, r, u, NULL, err);
  }
  if (status == DLS_OK) {
    delassus_check(p, count, active, r);
  }
  return status;
}

/* data: a delassus_kind */
static inline dls_status delassus_job(const void *data, dls_error *err)
{
  const delassus_kind kind = *(const delassus_kind *)data;
  delassus_parts p;
  dls_status status = delassus_parts_create(kind, &p, err);
  status = status != DLS_OK ? status
           : kind < NET     ? delassus_ask_two(&p, kind == SPARSE, err)
                            : delassus_ask_all(&p, err);
  delassus_parts_free(&p);
  return status;
}

#endif
