/* layout.c -- checks a contact problem and lays it out as the task of a method.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"
#include "common/solve/friction/friction_methods.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Allocate for n rows in `count` blocks. */
static dls_status reserve(dls_problem_solver *solver, size_t n, size_t blocks)
{
  if (n <= solver->rows && blocks <= solver->blocks) {
    return DLS_OK;
  }
  n = n > solver->rows ? n : solver->rows;
  blocks = blocks > solver->blocks ? blocks : solver->blocks;
  free(solver->reals);
  free(solver->first);
  solver->reals = malloc((8 * n + (2 + 3 * DLS_BLOCK) * blocks) * sizeof *solver->reals);
  solver->first = malloc((blocks + 1) * sizeof *solver->first);
  const bool done = solver->reals != NULL && solver->first != NULL;
  solver->rows = done ? n : 0;
  solver->blocks = done ? blocks : 0;
  return done ? DLS_OK : DLS_ERR_MEMORY;
}

static dls_status check_block(const dls_block *block, size_t k, dls_error *err)
{
  static const char *const names[] = {"free", "half", "coulomb", "associated"};
  static const size_t least[] = {1, 1, 2, 2}, most[] = {3, 1, 3, 3};
  if ((unsigned)block->law > DLS_ASSOCIATED) {
    return dls_fail(err, DLS_ERR_ARG, "contact problem: block %zu has an unknown law %d", k, (int)block->law);
  }
  if (block->rows < least[block->law] || block->rows > most[block->law]) {
    return dls_fail(err, DLS_ERR_ARG, "contact problem: block %zu (%s) has %zu rows; allowed: %zu to %zu", k,
                    names[block->law], block->rows, least[block->law], most[block->law]);
  }
  if (block->law >= DLS_COULOMB && !(block->mu >= 0 && block->mu <= DBL_MAX)) {
    return dls_fail(err, DLS_ERR_ARG, "contact problem: block %zu has mu = %g; allowed: finite, >= 0", k,
                    block->mu);
  }
  return DLS_OK;
}

/* Count blocks and rows. @param[out] n  rows of all blocks */
static dls_status check(const dls_problem *problem, size_t *n, dls_error *err)
{
  *n = 0;
  if (problem->count > 0 && (problem->blocks == NULL || problem->q == NULL)) {
    return dls_fail(err, DLS_ERR_ARG, "contact problem of %zu blocks: blocks or q is NULL", problem->count);
  }
  for (size_t k = 0; k < problem->count; k++) {
    const dls_status status = check_block(&problem->blocks[k], k, err);
    if (status != DLS_OK) {
      return status;
    }
    *n += problem->blocks[k].rows;
  }
  for (size_t i = 0; i < *n; i++) {
    if (!(fabs(problem->q[i]) <= DBL_MAX)) {
      return dls_fail(err, DLS_ERR_NONFINITE, "contact problem: q[%zu] = %g is not finite", i, problem->q[i]);
    }
  }
  return DLS_OK;
}

static void copy_entry(void *data, size_t i, size_t j, double x)
{
  dls_matrix_set(data, i, j, x);
}

/* Any storage as compressed columns; sparse storage is used as it is. */
static const dls_matrix *as_sparse(dls_problem_solver *solver, const dls_matrix *W)
{
  if (W->storage == DLS_SPARSE) {
    return W;
  }
  const size_t width = W->storage == DLS_BAND ? W->lower + W->upper + 1 : 1;
  dls_matrix_destroy(solver->copy);
  solver->copy = dls_matrix_sparse(W->rows, W->columns, W->rows * width);
  if (solver->copy != NULL) {
    dls_matrix_visit(W, copy_entry, solver->copy);
  }
  return solver->copy;
}

static const dls_problem_operator *take_matrix(dls_problem_solver *solver, const dls_matrix *W,
                                               const dls_problem_bodies *bodies)
{
  if (W->storage == DLS_DENSE) {
    return dls_dense_operator_take(&solver->dense, W->rows, W->values);
  }
  const dls_matrix *sparse = as_sparse(solver, W);
  return sparse == NULL ? NULL : dls_sparse_operator_take(&solver->sparse, sparse, bodies, true);
}

/* W of the problem, n x n. */
static dls_status take(dls_problem_solver *solver, const dls_problem *problem, size_t n,
                       const dls_problem_operator **W, dls_error *err)
{
  const dls_matrix *matrix = problem->matrix;
  const int given = (problem->dense != NULL) + (matrix != NULL) + (problem->by_operator != NULL);
  if (given != 1) {
    return dls_fail(err, DLS_ERR_ARG, "contact problem: W is given %d times; it must be given once", given);
  }
  const size_t rows = matrix != NULL                 ? matrix->rows
                      : problem->by_operator != NULL ? problem->by_operator->n
                                                     : n;
  if (rows != n || (matrix != NULL && matrix->columns != n)) {
    return dls_fail(err, DLS_ERR_ARG, "contact problem: W has %zu rows, the blocks have %zu", rows, n);
  }
  *W = problem->dense != NULL ? dls_dense_operator_take(&solver->dense, n, problem->dense)
       : matrix != NULL       ? take_matrix(solver, matrix, problem->bodies)
                              : problem->by_operator;
  return *W != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for a contact problem of %zu rows", n);
}

static void give_out(dls_problem_task *task)
{
  dls_problem_solver *solver = task->solver;
  double *next = solver->reals;
  double **const rows[] = {&task->start, &task->best_u, &task->r, &task->u, &task->f, &task->x, &task->kept};
  double **const blocks[] = {&task->own, &task->A, &task->B};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++, next += task->n) {
    *rows[k] = next;
  }
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++, next += DLS_BLOCK * task->count) {
    *blocks[k] = next;
  }
  task->D = next;
  task->inverse_rho = next + task->count;
  task->first = solver->first;
}

/* 1 / rho of the blocks; a block whose trace is not positive gets the largest
 * of the others, or 1. */
static void scale_blocks(dls_problem_task *task)
{
  double largest = 0;
  for (size_t k = 0; k < task->count; k++) {
    const size_t d = task->blocks[k].rows;
    double trace = 0;
    task->W->diagonal(task->W->data, task->first[k], d, task->own + DLS_BLOCK * k);
    for (size_t i = 0; i < d; i++) {
      trace += task->own[DLS_BLOCK * k + i * (d + 1)];
    }
    task->inverse_rho[k] = trace / (double)d;
    largest = fmax(largest, task->inverse_rho[k]);
  }
  for (size_t k = 0; k < task->count; k++) {
    if (!(task->inverse_rho[k] > 0)) {
      task->inverse_rho[k] = largest > 0 ? largest : 1;
    }
  }
}

static void lay_out(dls_problem_task *task)
{
  double load = 0;
  task->first[0] = 0;
  for (size_t k = 0; k < task->count; k++) {
    task->first[k + 1] = task->first[k] + task->blocks[k].rows;
  }
  for (size_t i = 0; i < task->n; i++) {
    load += task->q[i] * task->q[i];
    task->start[i] = fabs(task->best[i]) <= DBL_MAX ? task->best[i] : 0;
  }
  task->load = sqrt(load);
  scale_blocks(task);
}

dls_status dls_task_begin(dls_problem_solver *solver, const dls_problem *problem, double *r,
                          dls_problem_task *task, dls_error *err)
{
  size_t n = 0;
  *task = (dls_problem_task){.problem = problem,
                             .count = problem->count,
                             .facets = solver->facets,
                             .tolerance = solver->tolerance,
                             .q = problem->q,
                             .blocks = problem->blocks,
                             .best = r,
                             .solver = solver};
  dls_status status = check(problem, &n, err);
  status = status != DLS_OK || n == 0 ? status : take(solver, problem, n, &task->W, err);
  if (status != DLS_OK || n == 0) {
    return status;
  }
  task->n = n;
  if (reserve(solver, n, problem->count) != DLS_OK) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a contact problem of %zu rows", n);
  }
  give_out(task);
  lay_out(task);
  task->report.structure = task->W->structure;
  task->begun = task->W->work != NULL ? *task->W->work : 0;
  return DLS_OK;
}
