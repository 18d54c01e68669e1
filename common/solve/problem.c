/* problem.c -- the driver in front of the methods for contact problems: lays
 * the problem out, lets the method try, and gives the certificate of the best
 * answer. SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "common/linear/storage.h"
#include "common/solve/cone.h"
#include "common/solve/one_contact.h"
#include "common/solve/solve_parts.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const dls_problem_method *const methods[] = {
    &dls_problem_auto,         &dls_problem_one_contact,
    &dls_problem_frictionless, &dls_problem_modes,
    &dls_problem_lemke,        &dls_problem_nsgs,
    &dls_problem_newton,       &dls_problem_interior_point,
    &dls_problem_faceted,      NULL,
};

const dls_problem_method *const *dls_problem_methods(void)
{
  return methods;
}

static dls_status find(const char *name, const dls_problem_method **method, dls_error *err)
{
  char allowed[200] = "";
  *method = &dls_problem_auto;
  for (const dls_problem_method *const *m = methods; *m != NULL; m++) {
    if (name == NULL || strcmp(name, (*m)->name) == 0) {
      *method = *m; /* NULL: the first, which is auto */
      return DLS_OK;
    }
    dls_text_append(allowed, sizeof allowed, "%s%s", m == methods ? "" : ", ", (*m)->name);
  }
  return dls_fail(err, DLS_ERR_OPTION, "unknown method '%.60s' for contact problems; there are: %s", name,
                  allowed);
}

dls_status dls_problem_create(const char *method, double tolerance, dls_problem_solver **out, dls_error *err)
{
  const dls_problem_method *found = NULL;
  if (out == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "contact problems: no place for the solver");
  }
  *out = NULL;
  const dls_status status = find(method, &found, err);
  if (status != DLS_OK) {
    return status;
  }
  if (!(tolerance > 0 && tolerance < 1)) {
    return dls_fail(err, DLS_ERR_OPTION, "contact problems: tolerance = %g is outside (0, 1)", tolerance);
  }
  dls_problem_solver *solver = calloc(1, sizeof *solver);
  if (solver == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the solver of contact problems");
  }
  solver->method = found;
  solver->tolerance = tolerance;
  solver->facets = 8;
  *out = solver;
  return DLS_OK;
}

void dls_problem_destroy(dls_problem_solver *solver)
{
  if (solver == NULL) {
    return;
  }
  free(solver->reals);
  free(solver->first);
  free(solver->room);
  free(solver->guess);
  dls_dense_operator_destroy(solver->dense);
  dls_sparse_operator_destroy(solver->sparse);
  dls_matrix_destroy(solver->copy);
  dls_lcp_destroy(solver->lcp);
  dls_lcp_destroy(solver->lemke);
  free(solver);
}

void dls_problem_watch_by(dls_problem_solver *solver, const dls_problem_watch *watch)
{
  solver->watch = watch;
}

dls_status dls_problem_facets(dls_problem_solver *solver, size_t facets, dls_error *err)
{
  enum { LEAST = 3, MOST = 64 };
  if (solver == NULL || facets < LEAST || facets > MOST) {
    return dls_fail(err, DLS_ERR_OPTION, "facets = %zu is outside [%d, %d]", facets, LEAST, MOST);
  }
  solver->facets = facets;
  return DLS_OK;
}

double *dls_task_room(dls_problem_task *task, size_t count)
{
  dls_problem_solver *solver = task->solver;
  if (count > solver->room_size) {
    free(solver->room);
    solver->room = malloc(count * sizeof *solver->room);
    solver->room_size = solver->room != NULL ? count : 0;
  }
  return solver->room;
}

/* Room for n rows in so many blocks. */
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
  static const char *const names[] = {"free", "half", "coulomb"};
  static const size_t least[] = {1, 1, 2}, most[] = {3, 1, 3};
  if ((unsigned)block->law > DLS_COULOMB) {
    return dls_fail(err, DLS_ERR_ARG, "contact problem: block %zu has an unknown law %d", k, (int)block->law);
  }
  if (block->rows < least[block->law] || block->rows > most[block->law]) {
    return dls_fail(err, DLS_ERR_ARG, "contact problem: block %zu (%s) has %zu rows; allowed: %zu to %zu", k,
                    names[block->law], block->rows, least[block->law], most[block->law]);
  }
  if (block->law == DLS_COULOMB && !(block->mu >= 0 && block->mu <= DBL_MAX)) {
    return dls_fail(err, DLS_ERR_ARG, "contact problem: block %zu has mu = %g; allowed: finite, >= 0", k,
                    block->mu);
  }
  return DLS_OK;
}

/* Blocks and rows. @param[out] n rows of all */
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

/* Any storage as compressed columns; sparse as it is. */
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
  return sparse == NULL ? NULL : dls_sparse_operator_take(&solver->sparse, sparse, bodies);
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

/* mu |u_T| has the rounding of u_T times mu: below that no residual says anything. */
static void allow_rounding(dls_problem_task *task)
{
  static const double rounding = 8 * DBL_EPSILON; /* of u, in units of the scale of the residual */
  for (size_t k = 0; k < task->count; k++) {
    const double mu = task->blocks[k].law == DLS_COULOMB ? task->blocks[k].mu : 0;
    task->tolerance = fmax(task->tolerance, rounding * (1 + mu));
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
  allow_rounding(task);
}

static dls_status begin(dls_problem_solver *solver, const dls_problem *problem, double *r,
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

/* Is r = 0 a solution? Then it is the answer. */
static bool nothing_to_do(dls_problem_task *task)
{
  for (size_t k = 0; k < task->count; k++) {
    const double *q = task->q + task->first[k];
    const dls_block *block = &task->blocks[k];
    for (size_t i = 0; i < (block->law == DLS_FREE ? block->rows : 1); i++) {
      if (block->law == DLS_FREE ? q[i] != 0 : !(q[i] >= 0)) {
        return false;
      }
    }
  }
  memset(task->r, 0, task->n * sizeof *task->r);
  dls_task_offer(task, task->r, task->solver->method->name, 0);
  return true;
}

static dls_status explain(const dls_problem_task *task, dls_status status, dls_error *err)
{
  const char *asked = task->solver->method->name;
  char stages[200];
  dls_problem_stages_text(&task->report, stages, sizeof stages);
  if (status == DLS_ERR_MEMORY) {
    return dls_fail(err, status, "no memory for a contact problem of %zu rows", task->n);
  }
  return dls_fail(err, status == DLS_ERR_LCP ? DLS_ERR_LCP : DLS_ERR_NOCONV,
                  "contact problem of %zu blocks, %zu rows (%s), method %s: "
                  "%s; best residual %.3g (%.3g m/s, by %s) "
                  "is above the tolerance %g%s%s",
                  task->count, task->n, task->W->structure, asked,
                  status == DLS_ERR_LCP ? "no solution found" : "not converged", task->report.residual,
                  task->report.residual_abs, task->report.method, task->tolerance,
                  stages[0] != '\0' ? "; " : "", stages);
}

/* Finite W, as far as the first product with it tells. */
static dls_status check_finite(const dls_problem_task *task, dls_error *err)
{
  for (size_t k = 0; k < task->count; k++) {
    const size_t d = task->blocks[k].rows;
    for (size_t e = 0; e < d * d; e++) {
      if (!(fabs(task->own[DLS_BLOCK * k + e]) <= DBL_MAX)) {
        return dls_fail(err, DLS_ERR_NONFINITE, "contact problem: W[%zu,%zu] = %g is not finite",
                        task->first[k] + e % d, task->first[k] + e / d, task->own[DLS_BLOCK * k + e]);
      }
    }
  }
  return DLS_OK;
}

static dls_status solve(dls_problem_task *task, dls_error *err)
{
  const dls_problem_method *method = task->solver->method;
  dls_status status = check_finite(task, err);
  if (status != DLS_OK) {
    return status;
  }
  const char *reason = method->refuses(task->problem);
  if (reason != NULL) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "method '%s' does not do this contact problem: %s",
                    method->name, reason);
  }
  if (nothing_to_do(task)) {
    return DLS_OK;
  }
  status = method->solve(task);
  if (task->report.method == NULL) { /* nothing finite: r = 0 */
    memset(task->r, 0, task->n * sizeof *task->r);
    dls_task_offer(task, task->r, method->name, 0);
  }
  return task->accepted ? DLS_OK : explain(task, status, err);
}

/* One contact with friction and W as an array: no workspace. */
static bool one_contact(const dls_problem_solver *solver, const dls_problem *problem, double *r, double *u,
                        dls_problem_report *report)
{
  const size_t d = problem->blocks[0].rows;
  const double *W = problem->dense, *q = problem->q, mu = problem->blocks[0].mu;
  double own_u[3], f[3], found[3], load = 0, velocity = 0, force = 0, trace = 0;
  if (!(d == 2 || d == 3) || !(mu >= 0 && mu <= DBL_MAX) || !(W[0] > 0)) {
    return false;
  }
  memcpy(found, r, d * sizeof *r);
  dls_contact_exact(d, W, q, mu, found);
  for (size_t i = 0; i < d; i++) {
    own_u[i] = q[i];
    for (size_t j = 0; j < d; j++) {
      own_u[i] += W[i + d * j] * found[j];
    }
    trace += W[i * (d + 1)];
  }
  const double inverse_rho = trace / (double)d;
  const double gap = dls_cone_gap(d, mu, inverse_rho, found, own_u, f);
  for (size_t i = 0; i < d; i++) {
    load += q[i] * q[i];
    velocity += own_u[i] * own_u[i];
    force += found[i] * found[i];
  }
  const double scale = fmax(load, fmax(velocity, inverse_rho * inverse_rho * force));
  const double residual = gap == 0 ? 0 : sqrt(gap / scale);
  *report = (dls_problem_report){.residual = residual,
                                 .residual_abs = sqrt(gap),
                                 .iterations = 1,
                                 .method = dls_problem_one_contact.name,
                                 .structure = "dense"};
  if (!(residual <= DLS_EXACT && residual <= solver->tolerance)) {
    return false; /* the long way refines it */
  }
  memcpy(r, found, d * sizeof *r);
  if (u != NULL) {
    memcpy(u, own_u, d * sizeof *u);
  }
  return true;
}

static dls_status solve_any(dls_problem_solver *solver, const dls_problem *problem, double *r, double *u,
                            dls_problem_report *report, dls_error *err)
{
  dls_problem_task task;
  if (problem->count == 1 && problem->dense != NULL && solver->method == &dls_problem_auto &&
      problem->blocks != NULL && problem->q != NULL && problem->blocks->law == DLS_COULOMB &&
      one_contact(solver, problem, r, u, report)) {
    return DLS_OK;
  }
  *report = (dls_problem_report){
      .residual = INFINITY, .residual_abs = INFINITY, .method = solver->method->name, .structure = ""};
  dls_status status = begin(solver, problem, r, &task, err);
  if (status != DLS_OK) {
    return status;
  }
  if (task.n == 0) {
    report->residual = report->residual_abs = 0;
    return DLS_OK;
  }
  status = solve(&task, err);
  if (task.report.method != NULL) {
    *report = task.report;
    if (u != NULL) {
      memcpy(u, task.best_u, task.n * sizeof *u);
    }
  }
  return status;
}

/* For the watch. @return false if out of memory */
static bool keep_guess(dls_problem_solver *solver, const dls_problem *problem, const double *r)
{
  size_t n = 0;
  for (size_t k = 0; problem->blocks != NULL && k < problem->count; k++) {
    n += problem->blocks[k].rows;
  }
  double *room = realloc(solver->guess, (n + 1) * sizeof *room);
  if (room == NULL) {
    return false;
  }
  solver->guess = room;
  if (n > 0) {
    memcpy(room, r, n * sizeof *room);
  }
  return true;
}

dls_status dls_problem_solve(dls_problem_solver *solver, const dls_problem *problem, double *r, double *u,
                             dls_problem_report *report, dls_error *err)
{
  dls_problem_report own;
  if (solver == NULL || problem == NULL || (problem->count > 0 && r == NULL)) {
    return dls_fail(err, DLS_ERR_ARG, "contact problem: solver, problem or r is NULL");
  }
  report = report != NULL ? report : &own;
  if (solver->watch != NULL && !keep_guess(solver, problem, r)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the guess of a contact problem");
  }
  const dls_status status = solve_any(solver, problem, r, u, report, err);
  if (solver->watch != NULL && (status == DLS_OK || status == DLS_ERR_LCP || status == DLS_ERR_NOCONV)) {
    solver->watch->solved(solver->watch->data, problem, solver->guess, report);
  }
  return status;
}

dls_status dls_problem_judge(dls_problem_solver *solver, const dls_problem *problem, const double *r, double *u,
                             dls_problem_report *report, dls_error *err)
{
  dls_problem_task task;
  if (solver == NULL || problem == NULL || r == NULL || u == NULL || report == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "contact problem: solver, problem, r, u or report is NULL");
  }
  const dls_status status = begin(solver, problem, u, &task, err); /* u is written, not read */
  if (status != DLS_OK || task.n == 0) {
    return status;
  }
  const dls_certificate c = dls_certify(&task, r, task.u, task.f);
  memcpy(u, task.u, task.n * sizeof *u);
  *report = (dls_problem_report){
      .residual = c.residual, .residual_abs = c.absolute, .method = "", .structure = task.W->structure};
  return DLS_OK;
}
