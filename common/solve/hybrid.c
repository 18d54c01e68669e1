/* hybrid.c -- the method "auto". One contact: exact. Contacts without friction:
 * as linear complementarity problem. Few in the plane: Newton from the guess,
 * then all modes. Else blocks of Gauss-Seidel sweeps, each followed by Newton
 * from the best so far; what has the smaller residual is kept.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/solve_parts.h"
#include <string.h>

enum { NEWTON = 60, FIRST_SWEEPS = 50, ROUNDS = 6 }; /* 50, 100, ..., 1600 sweeps */
enum { SMALL = 60 };                                 /* rows up to which Newton may start from nothing */
static const double first_delta = 1e-6;              /* from a guess, which is near */
enum { FEW = 4 };                                    /* contacts of which all modes are tried */

static bool guessed(const dls_problem_task *task)
{
  bool is = false;
  for (size_t i = 0; i < task->n; i++) {
    is = is || task->start[i] != 0;
  }
  return is;
}

/* Newton from the best so far: damped; where that comes near, without damping, with one proximal term after the other. */
static dls_status from_best(dls_problem_task *task, size_t *iterations)
{
  static const double deltas[] = {1e-3, 1e-5, 1e-7, 1e-9, 1e-4, 1e-6, 1e-8}, near = 1e-3;
  memcpy(task->r, task->best, task->n * sizeof *task->r);
  dls_status status = dls_task_newton_damped(task, NEWTON, iterations);
  for (size_t k = 0; k < sizeof deltas / sizeof *deltas && status == DLS_OK; k++) {
    if ((task->accepted && task->report.residual <= DLS_EXACT) || task->report.residual > near) {
      break;
    }
    memcpy(task->r, task->best, task->n * sizeof *task->r);
    status = dls_task_newton(task, deltas[k], NEWTON, iterations);
  }
  return status;
}

static dls_status sweep_and_newton(dls_problem_task *task)
{
  size_t iterations = 0;
  dls_status status = DLS_OK;
  for (size_t round = 0, sweeps = FIRST_SWEEPS; round < ROUNDS && !task->accepted; round++, sweeps *= 2) {
    memcpy(task->r, task->best, task->n * sizeof *task->r);
    memcpy(task->u, task->best_u, task->n * sizeof *task->u);
    dls_task_sweep(task, sweeps, task->r, task->u);
    iterations += sweeps;
    dls_task_offer(task, task->r, dls_problem_nsgs.name, iterations);
    status = from_best(task, &iterations);
    if (status != DLS_OK) {
      return status;
    }
  }
  return task->accepted ? DLS_OK : DLS_ERR_NOCONV;
}

/* @return DLS_OK if the method answers and the judge agrees */
static dls_status let_try(dls_problem_task *task, const dls_problem_method *method)
{
  if (method->refuses(task->problem) != NULL) {
    return DLS_ERR_NOT_APPLICABLE;
  }
  const dls_status status = method->solve(task);
  return status == DLS_ERR_MEMORY || task->accepted ? status : DLS_ERR_NOCONV;
}

static const char *refuses(const dls_problem *problem)
{
  (void)problem;
  return NULL;
}

static dls_status solve(dls_problem_task *task)
{
  static const dls_problem_method *const exact[] = {&dls_problem_one_contact, &dls_problem_frictionless};
  dls_status status = DLS_ERR_NOCONV;
  for (size_t k = 0; k < 2; k++) {
    status = let_try(task, exact[k]);
    if (status == DLS_ERR_MEMORY || task->accepted) {
      return status;
    }
  }
  if (guessed(task) || task->n <= SMALL) {
    size_t steps = 0;
    memcpy(task->r, task->start, task->n * sizeof *task->r);
    status = dls_task_newton(task, first_delta, NEWTON, &steps);
    status = status == DLS_OK && task->accepted ? from_best(task, &steps) : status;
    if (status == DLS_ERR_MEMORY || task->accepted) {
      return status;
    }
  }
  status = task->count <= FEW ? let_try(task, &dls_problem_modes) : DLS_ERR_NOT_APPLICABLE;
  return status == DLS_ERR_MEMORY || task->accepted ? status : sweep_and_newton(task);
}

const dls_problem_method dls_problem_auto = {
    .name = "auto",
    .summary = "exact where it is small, else sweeps of nsgs and alart-curnier "
               "in turn",
    .source = "delassus",
    .handles = "every problem",
    .refuses = refuses,
    .solve = solve,
};
