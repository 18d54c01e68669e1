/* problem.c -- the driver of the methods for contact problems. Runs the method and certifies the best answer.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "common/solve/friction/cone.h"
#include "common/solve/friction/friction_methods.h"
#include "common/solve/friction/one_contact.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const dls_problem_method *const methods[] = {
    &dls_problem_auto,     &dls_problem_one_contact, &dls_problem_frictionless, &dls_problem_modes,
    &dls_problem_lemke,    &dls_problem_nsgs,        &dls_problem_newton,       &dls_problem_interior_point,
    &dls_problem_proximal, &dls_problem_faceted,     &dls_problem_apgd,         NULL,
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
      *method = *m; /* NULL: the first, "auto" */
      return DLS_OK;
    }
  }
  for (const dls_problem_method *const *m = methods; *m != NULL; m++) {
    dls_text_append(allowed, sizeof allowed, "%s%s", m == methods ? "" : ", ", (*m)->name);
  }
  return dls_fail(err, DLS_ERR_OPTION, "unknown method '%.60s' for contact problems; allowed: %s", name,
                  allowed);
}

dls_status dls_problem_create(const char *method, double tolerance, dls_problem_solver **out, dls_error *err)
{
  const dls_problem_method *found = NULL;
  if (out == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "contact problems: out is NULL");
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
  solver->iterations = 20000;
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

void dls_problem_set_interrupt(dls_problem_solver *solver, const dls_interrupt_poll *interrupt)
{
  solver->interrupt = interrupt;
  if (solver->lcp != NULL) {
    dls_lcp_set_interrupt(solver->lcp, interrupt);
  }
}

void dls_problem_count_fallbacks(dls_problem_solver *solver, dls_fallbacks *fallbacks)
{
  solver->fallbacks = fallbacks;
  if (solver->lcp != NULL) {
    dls_lcp_count_fallbacks(solver->lcp, fallbacks);
  }
}

void dls_problem_restart(dls_problem_solver *solver)
{
  solver->delta = 0;
  solver->delta_rows = 0;
}

void dls_problem_iterations(dls_problem_solver *solver, size_t most)
{
  solver->iterations = most > 0 ? most : 1;
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

bool dls_block_rests(const dls_block *block, const double *q)
{
  bool rests = true;
  switch (block->law) {
  case DLS_FREE:
    for (size_t i = 0; i < block->rows; i++) {
      rests = rests && q[i] == 0;
    }
    return rests;
  case DLS_ASSOCIATED:
    return q[0] >= block->mu * dls_tangential(block->rows, q);
  default:
    return q[0] >= 0;
  }
}

/* If r = 0 is a solution, return it. */
static bool nothing_to_do(dls_problem_task *task)
{
  for (size_t k = 0; k < task->count; k++) {
    if (!dls_block_rests(&task->blocks[k], task->q + task->first[k])) {
      return false;
    }
  }
  memset(task->r, 0, task->n * sizeof *task->r);
  dls_task_offer(task, task->r, task->solver->method->name, 0);
  return true;
}

static dls_status explain(const dls_problem_task *task, dls_status status, dls_error *err)
{
  const char *asked = task->solver->method->name;
  char stages[200], limit[120];
  dls_problem_stages_text(&task->report, stages, sizeof stages);
  if (task->report.residual <=
      task->tolerance) { /* small only relative to a huge r: see dls_certificate_accepts */
    snprintf(limit, sizeof limit, "leaves an error that is not small against |q| = %.3g m/s", task->load);
  } else {
    snprintf(limit, sizeof limit, "is above the tolerance %g", task->tolerance);
  }
  if (status == DLS_ERR_MEMORY) {
    return dls_fail(err, status, "no memory for a contact problem of %zu rows", task->n);
  }
  return dls_fail(err, status == DLS_ERR_LCP ? DLS_ERR_LCP : DLS_ERR_NOCONV,
                  "contact problem of %zu blocks, %zu rows (%s), method %s: "
                  "%s; best residual %.3g (%.3g m/s, by %s) "
                  "%s%s%s",
                  task->count, task->n, task->W->structure, asked,
                  status == DLS_ERR_LCP ? "no solution found" : "not converged", task->report.residual,
                  task->report.residual_abs, task->report.method, limit, stages[0] != '\0' ? "; " : "", stages);
}

/* Is W finite? Checked by the first product with it. */
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
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "method '%s' does not apply to this contact problem: %s",
                    method->name, reason);
  }
  if (nothing_to_do(task)) {
    return DLS_OK;
  }
  task->solver->stopped = false;
  status = method->solve(task);
  if (task->solver->stopped) {
    return dls_fail(err, DLS_ERR_INTERRUPTED, "interrupted in a contact problem of %zu rows", task->n);
  }
  if (task->report.method == NULL) { /* nothing but zeros in q: r = 0 */
    memset(task->r, 0, task->n * sizeof *task->r);
    dls_task_offer(task, task->r, method->name, 0);
  }
  return task->accepted ? DLS_OK : explain(task, status, err);
}

/* One contact with friction and W as an array: solved without workspace. */
static bool one_contact(const dls_problem_solver *solver, const dls_problem *problem, double *r, double *u,
                        dls_problem_report *report)
{
  const dls_block *block = problem->blocks;
  double own_u[3];
  if (!dls_one_contact_certified(block, problem->dense, problem->q, solver->tolerance, r, own_u, report)) {
    return false; /* the general path refines it */
  }
  if (u != NULL) {
    memcpy(u, own_u, block->rows * sizeof *u);
  }
  return true;
}

static dls_status solve_any(dls_problem_solver *solver, const dls_problem *problem, double *r, double *u,
                            dls_problem_report *report, dls_error *err)
{
  dls_problem_task task;
  if (problem->count == 1 && problem->dense != NULL && solver->method == &dls_problem_auto &&
      problem->blocks != NULL && problem->q != NULL && problem->blocks->law >= DLS_COULOMB &&
      one_contact(solver, problem, r, u, report)) {
    return DLS_OK;
  }
  *report = (dls_problem_report){
      .residual = INFINITY, .residual_abs = INFINITY, .method = solver->method->name, .structure = ""};
  dls_status status = dls_task_begin(solver, problem, r, &task, err);
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

/* Allocate the copy for the monitor. @return false if out of memory */
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

/* The stages behind the first. Newton's method finishes what interior points begin, and is no fallback there. */
static void count_fallbacks(const dls_problem_solver *solver, const dls_problem_report *report)
{
  for (size_t k = 1; k < report->stages && k < DLS_PROBLEM_STAGES; k++) {
    const char *method = report->stage[k].method;
    if (method != dls_problem_newton.name || report->stage[k - 1].method != dls_problem_interior_point.name) {
      dls_count_fallback(solver->fallbacks, method);
    }
  }
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
  count_fallbacks(solver, report);
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
  const dls_status status = dls_task_begin(solver, problem, u, &task, err); /* u is output only */
  if (status != DLS_OK || task.n == 0) {
    return status;
  }
  const dls_certificate c = dls_certify(&task, r, task.u, task.f);
  memcpy(u, task.u, task.n * sizeof *u);
  *report = (dls_problem_report){
      .residual = c.residual, .residual_abs = c.absolute, .method = "", .structure = task.W->structure};
  return DLS_OK;
}
