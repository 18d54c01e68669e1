/* delassus.c -- W = H^T A^{-1} H on the active contacts: which operator holds it, and what all of them
 * do alike.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include "common/contact/joints/joint_solver.h"
#include "common/contact/operator/column.h"
#include "common/contact/operator/operator.h"
#include "common/linear/boundary.h"
#include "common/solve/friction/friction_methods.h"
#include "common/solve/lcp/lcp_methods.h"
#include <float.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void destroy_operator(dls_operator *O)
{
  if (O != NULL) {
    O->kind->destroy(O);
  }
}

void dls_delassus_destroy(dls_delassus *D)
{
  if (D == NULL) {
    return;
  }
  free(D->W);
  dls_delassus_free_sets(D);
  destroy_operator(D->first);
  destroy_operator(D->many);
  dls_orthogonal_free(&D->orthogonal);
  dls_blocks_destroy(D->blocks);
  dls_few_contacts_destroy(D->few);
  free(D);
}

void dls_delassus_reset(dls_delassus *D)
{
  D->first->kind->reset(D->first);
  if (D->many != NULL) {
    D->many->kind->reset(D->many);
  }
  D->valid = false;
}

double dls_delassus_entry(dls_delassus *D, size_t i, size_t j)
{
  return D->first->kind->entry(D->first, i, j);
}

void dls_delassus_make_columns(dls_delassus *D, size_t count, const size_t *active)
{
  if (D->first->kind->make_columns != NULL) {
    D->first->kind->make_columns(D->first, count, active);
  }
}

const double *dls_delassus_column(dls_delassus *D, size_t j)
{
  return D->first->kind->column != NULL ? D->first->kind->column(D->first, j) : NULL;
}

bool dls_delassus_is_chain(const dls_delassus *D)
{
  return D->chain;
}

/* vectors: of scratch */
static dls_delassus *create(const dls_matrix *H, size_t vectors)
{
  const size_t n = dls_matrix_rows(H);
  dls_delassus *D =
      calloc(1, dls_size_sum(sizeof *D, dls_size_product(dls_size_product(vectors, n), sizeof *D->x)));
  if (D != NULL) {
    D->H = H;
    D->n = n;
    D->m = dls_matrix_columns(H);
    D->most_array = SIZE_MAX;
    D->x = (double *)(D + 1);
    D->y = D->x + n;
  }
  return D;
}

static size_t smaller(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* The operator, and room for what most problems need, so that their steps allocate nothing: an array of DLS_DELASSUS_RESERVED
 * contacts, unless fewer need one, and sets of all contacts if A is diagonal. @return D, or NULL if there is no room */
static dls_delassus *finish(dls_delassus *D)
{
  if (D == NULL) {
    return NULL;
  }
  const bool sparse = dls_sparse_applies(D);
  D->now = D->first = sparse                     ? dls_sparse_create(D)
                      : dls_condensed_applies(D) ? dls_condensed_create(D)
                                                 : dls_dense_create(D);
  const size_t first = smaller(D->m, DLS_DELASSUS_RESERVED);
  const bool by_solves = !sparse && !D->chain;
  D->few = by_solves ? dls_few_contacts_create(D->m) : NULL;
  if (D->first == NULL || (by_solves && D->few == NULL) || !dls_delassus_reserve(D, sparse ? D->m : first) ||
      !dls_delassus_reserve_array(D, smaller(first, D->most_array))) {
    dls_delassus_destroy(D);
    return NULL;
  }
  return D;
}

static void solve_factored(void *data, double *x)
{
  dls_factor_solve(data, x);
}

static void solve_columns(void *data, size_t count, double *const *x)
{
  dls_factor_solve_columns(data, count, x);
}

dls_delassus *dls_delassus_create(dls_factor *A, const dls_matrix *H)
{
  dls_delassus *D = create(H, 2);
  if (D != NULL) {
    D->apply = solve_factored;
    D->apply_columns = solve_columns;
    D->data = D->factor = D->whole = A;
  }
  return finish(D);
}

/* x := A^{-1} N M^{-1} x; the part of N that is M needs no product */
static void multiply_columns(void *data, size_t count, double *const *x)
{
  const dls_delassus *D = data;
  double others[sizeof D->product / sizeof *D->product], *y[DLS_COLUMNS_TOGETHER];
  memcpy(others, D->product, sizeof others);
  const double of_M = dls_factor_part(D->factor, others, D->mass);
  for (size_t k = 0; k < count; k++) {
    y[k] = D->y + k * D->n;
    for (size_t i = 0; i < D->n; i++) {
      y[k][i] = of_M * x[k][i];
    }
  }
  dls_factor_solve_columns(D->mass, count, x);
  for (size_t k = 0; k < count; k++) {
    dls_factor_multiply(D->factor, others, x[k], y[k]);
  }
  dls_factor_solve_columns(D->factor, count, y);
  for (size_t k = 0; k < count; k++) {
    memcpy(x[k], y[k], D->n * sizeof *x[k]);
  }
}

static void apply_product(void *data, double *x)
{
  multiply_columns(data, 1, &x);
}

dls_delassus *dls_delassus_create_product(dls_factor *A, dls_factor *M, const dls_matrix *H)
{
  dls_delassus *D = create(H, 1 + DLS_COLUMNS_TOGETHER);
  if (D != NULL) {
    D->apply = apply_product;
    D->apply_columns = multiply_columns;
    D->data = D;
    D->factor = D->whole = A;
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
  dls_delassus *D = create(H, 2);
  if (D != NULL) {
    D->apply = apply;
    D->data = data;
  }
  return finish(D);
}

dls_delassus *dls_delassus_create_joints(dls_joints *J, const dls_matrix *H)
{
  dls_delassus *D = create(H, 2);
  if (D != NULL) {
    D->apply = dls_joints_project;
    D->estimate = dls_joints_whole(J) != NULL ? dls_joints_estimate : NULL;
    D->data = J;
    D->whole = dls_joints_whole(J);
    D->fill = dls_joints_fill_whole;
  }
  return finish(D);
}

dls_status dls_delassus_create_lcp(const dls_delassus *D, size_t contacts, double tolerance,
                                   dls_lcp_solver **out, dls_error *err)
{
  const size_t arrays = D != NULL ? smaller(contacts, D->most_array) : 0;
  const dls_status status = dls_lcp_create(arrays, NULL, tolerance, out, err);
  if (status != DLS_OK || dls_lcp_reserve_operator(*out, contacts) == DLS_OK) {
    return status;
  }
  dls_lcp_destroy(*out);
  *out = NULL;
  return dls_fail(err, DLS_ERR_MEMORY, "no memory for problems of %zu contacts", contacts);
}

/* 0 <= b: p = 0 whatever W is. */
static bool nothing_closes(size_t count, const double *b)
{
  size_t k = 0;
  while (k < count && b[k] >= 0 && b[k] <= DBL_MAX) {
    k++;
  }
  return k == count;
}

typedef struct lcp_run {
  dls_delassus *D;
  dls_lcp_solver *solver;
  size_t pivots; /* of all problems solved */
} lcp_run;

static dls_status solve_lcp(void *data, const dls_few_problem *part, dls_error *err)
{
  lcp_run *run = data;
  dls_delassus *D = run->D;
  dls_lcp_report report = {0};
  dls_status status = dls_delassus_gather(D, part->count, part->active, err);
  if (status == DLS_OK) {
    status = D->now->lcp != NULL
                 ? dls_lcp_solve_operator(run->solver, D->now->lcp, part->q, part->r, NULL, &report, err)
                 : dls_lcp_solve(run->solver, part->count, D->W, part->q, part->r, NULL, &report, err);
  }
  run->pivots += report.pivots;
  return status;
}

dls_status dls_delassus_solve(dls_delassus *D, dls_lcp_solver *lcp, size_t count, const size_t *active,
                              const double *b, double *p, size_t *work_solves, size_t *work_pivots,
                              dls_error *err)
{
  if (count == 0) {
    return DLS_OK;
  }
  if (nothing_closes(count, b)) { /* W is not needed */
    memset(p, 0, count * sizeof *p);
    if (work_solves != NULL) {
      (*work_solves)++;
    }
    return DLS_OK;
  }
  lcp_run run = {D, lcp, 0};
  const dls_few_problem problem = {
      .count = count, .active = active, .q = b, .r = p, .solve = solve_lcp, .data = &run};
  const dls_status status = dls_few_contacts_solve(D, &problem, err);
  if (work_solves != NULL) {
    *work_solves += 1;
  }
  if (work_pivots != NULL) {
    *work_pivots += run.pivots;
  }
  return status;
}

/* problem with the W of its rows, as the operator holds it. */
static dls_status with_W(dls_delassus *D, const size_t *active, const dls_problem *problem,
                         dls_problem_bodies *bodies, dls_problem *with, dls_error *err)
{
  size_t count = 0;
  for (size_t k = 0; k < problem->count; k++) {
    count += problem->blocks[k].rows;
  }
  const dls_status status = count == 0 ? DLS_OK : dls_delassus_gather(D, count, active, err);
  *with = (dls_problem){.count = problem->count, .blocks = problem->blocks, .q = problem->q};
  if (status != DLS_OK || count == 0) {
    return status;
  }
  with->matrix = D->now->matrix;
  with->by_operator = with->matrix == NULL ? D->now->problem : NULL;
  if (with->matrix !=
      NULL) { /* more rows than W: not used, and no ranks for the one or two factorizations of a step */
    const bool made_of_H = D->now->inverse != NULL && D->mass == NULL; /* W = H^T M^{-1} H */
    *bodies = (dls_problem_bodies){made_of_H ? D->n : SIZE_MAX, D->now->inverse, D->H, D->active};
    with->bodies = bodies;
  }
  if (with->matrix == NULL && with->by_operator == NULL) {
    with->dense = dls_delassus_make_array(D) ? D->W : NULL;
    return with->dense != NULL
               ? DLS_OK
               : dls_fail(err, DLS_ERR_MEMORY, "no memory for the Delassus matrix of %zu rows", count);
  }
  return DLS_OK;
}

typedef struct problem_run {
  dls_delassus *D;
  dls_problem_solver *solver;
  dls_problem_report *report; /* of the last problem, with the iterations of all */
} problem_run;

static dls_status solve_laws(void *data, const dls_few_problem *part, dls_error *err)
{
  const problem_run *run = data;
  const size_t iterations = run->report->iterations;
  dls_problem with;
  dls_problem_bodies bodies;
  const dls_problem problem = {.count = part->count, .blocks = part->blocks, .q = part->q};
  dls_status status = with_W(run->D, part->active, &problem, &bodies, &with, err);
  if (status == DLS_OK) {
    status = dls_problem_solve(run->solver, &with, part->r, part->u, run->report, err);
    run->report->iterations += iterations;
  }
  return status;
}

dls_status dls_delassus_solve_problem(dls_delassus *D, dls_problem_solver *solver, const size_t *active,
                                      const dls_problem *problem, double *r, double *u,
                                      dls_problem_report *report, dls_error *err)
{
  dls_problem_report own = {.method = "", .structure = ""};
  problem_run run = {D, solver, &own};
  const dls_few_problem whole = {.count = problem->count,
                                 .blocks = problem->blocks,
                                 .active = active,
                                 .q = problem->q,
                                 .r = r,
                                 .u = u,
                                 .solve = solve_laws,
                                 .data = &run};
  const dls_status status = solver->method == &dls_problem_apgd /* its iterations are those of one problem */
                                ? solve_laws(&run, &whole, err)
                                : dls_few_contacts_solve(D, &whole, err);
  if (report != NULL) {
    *report = own;
  }
  return status;
}

dls_status dls_delassus_count(dls_delassus *D, dls_problem_solver *solver, const size_t *active,
                              const dls_problem *problem, size_t *solutions, dls_error *err)
{
  dls_problem with;
  dls_problem_bodies bodies;
  const dls_status status = with_W(D, active, problem, &bodies, &with, err);
  return status != DLS_OK ? status : dls_problem_count(solver, &with, solutions, err);
}

bool dls_delassus_reserve_compliant(dls_delassus *D)
{
  return D->first->kind->reserve_compliant == NULL || D->first->kind->reserve_compliant(D->first);
}

dls_status dls_delassus_solve_compliant(dls_delassus *D, double s, size_t count, const size_t *active,
                                        const double *E, double *b, dls_error *err)
{
  if (D->first->kind->compliant == NULL && !dls_saddle_applies(D, count)) {
    return DLS_ERR_NOT_APPLICABLE;
  }
  dls_status status = dls_delassus_gather_W(D, count, active, err);
  if (status != DLS_OK) {
    return status;
  }
  status = D->now->kind->compliant != NULL ? D->now->kind->compliant(D->now, s, E, b) : DLS_ERR_NOT_APPLICABLE;
  return status == DLS_ERR_MEMORY ? dls_fail(err, status, "no memory for the forces of %zu contacts", count)
                                  : status;
}

dls_status dls_delassus_solve_bilateral(dls_delassus *D, size_t count, const size_t *active, const double *b,
                                        double *p, dls_error *err)
{
  dls_status status = count == 0 ? DLS_OK : dls_delassus_gather(D, count, active, err);
  if (count == 0 || status != DLS_OK) {
    return status;
  }
  status = dls_bilateral_solve(D, b, p);
  return status == DLS_OK
             ? DLS_OK
             : dls_fail(err, status, "no memory to factor the Delassus matrix of %zu contacts", count);
}

size_t dls_delassus_redundant(const dls_delassus *D)
{
  return D->valid && D->orthogonal.valid ? D->count - D->orthogonal.rank : 0;
}

bool dls_delassus_may_be_redundant(const dls_delassus *D)
{
  return D->valid && (D->shifted || dls_delassus_redundant(D) > 0);
}

void dls_delassus_apply(dls_delassus *D, size_t count, const size_t *active, double alpha, const double *p,
                        double *v)
{
  if (count > 0) { /* else D may be NULL */
    D->first->kind->apply(D->first, count, active, alpha, p, v);
  }
}

const double *dls_delassus_diagonal(dls_delassus *D)
{
  return D->first->kind->diagonal != NULL ? D->first->kind->diagonal(D->first) : NULL;
}

bool dls_delassus_only(const dls_delassus *D, size_t count, const size_t *active, const double *p, size_t *only,
                       const double **column)
{
  size_t found = 0;
  *only = count;
  *column = NULL;
  for (size_t k = 0; k < count; k++) {
    *only = p[k] != 0 ? k : *only;
    found += p[k] != 0;
  }
  if (found == 1 && D->first->kind->kept != NULL) {
    *column = D->first->kind->kept(D->first, active[*only]);
  }
  return found == 0 || *column != NULL;
}

bool dls_delassus_contact(dls_delassus *D, size_t d, size_t j, double *W, dls_response *response)
{
  const size_t rows[] = {d * j, d * j + 1, d * j + 2};
  if (dls_delassus_gather(D, d, rows, NULL) != DLS_OK || !dls_delassus_make_array(D)) {
    return false;
  }
  memcpy(W, D->W, d * d * sizeof *W);
  bool responds = true;
  for (size_t i = 0; i < d && response != NULL && responds; i++) {
    responds = D->first->kind->response(D->first, rows[i], &response[i]);
  }
  return responds;
}
