/* hybrid.c -- the method "auto". One contact: exact. Contacts without friction: as linear complementarity problem. Few in
 * the plane: Newton from the guess, then all modes. Otherwise rounds of: interior points, started farther away each round,
 * by polyhedral.c where cones are polyhedra; Newton from their end and from the best so far; proximal points from there;
 * Gauss-Seidel sweeps; Newton again. The r with the smallest residual is kept. The work is bounded by the number of rounds, and by
 * dls_task_spent before each round and step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/friction/friction_methods.h"
#include "common/solve/friction/thresholds.h"
#include <string.h>

static bool guessed(const dls_problem_task *task)
{
  bool is = false;
  for (size_t i = 0; i < task->n; i++) {
    is = is || task->start[i] != 0;
  }
  return is;
}

static bool solved(const dls_problem_task *task)
{
  return task->accepted && task->report.residual <= DLS_EXACT;
}

/* Damped Newton from task->r. If that comes near, undamped Newton from the best, with decreasing proximal terms. */
static dls_status newton(dls_problem_task *task)
{
  static const double deltas[] = {1e-3, 1e-5, 1e-7, 1e-9, 1e-4, 1e-6, 1e-8};
  size_t steps = 0;
  dls_status status = dls_task_newton_damped(task, threshold_auto_damped, &steps);
  for (size_t k = 0; k < sizeof deltas / sizeof *deltas && status == DLS_OK; k++) {
    if (solved(task) || task->report.residual > threshold_newton_comes_near || dls_task_spent(task)) {
      break;
    }
    memcpy(task->r, task->best, task->n * sizeof *task->r);
    status = dls_task_newton(task, deltas[k], threshold_auto_newton, &steps);
  }
  dls_task_stage(task, dls_problem_newton.name, steps);
  return status;
}

static dls_status interior(dls_problem_task *task, double scale)
{
  const bool polyhedral = dls_problem_polyhedral(task->problem);
  size_t steps = 0;
  dls_status status = polyhedral ? dls_task_polyhedral(task, scale, threshold_auto_interior, &steps)
                                 : dls_task_interior_point(task, scale, 1, threshold_auto_interior, &steps);
  dls_task_stage(task, dls_problem_interior_point.name, steps);
  if (status == DLS_OK && polyhedral) {
    steps = 0;
    status = dls_task_newton(task, threshold_ending_delta, solved(task) ? 0 : threshold_auto_newton, &steps);
    dls_task_stage(task, dls_problem_newton.name, steps);
  }
  return status == DLS_OK && !(polyhedral && solved(task)) ? newton(task) : status;
}

static dls_status proximal(dls_problem_task *task)
{
  size_t steps = 0;
  memcpy(task->r, task->best, task->n * sizeof *task->r);
  const dls_status status = dls_task_proximal(task, threshold_auto_proximal, &steps);
  dls_task_stage(task, dls_problem_proximal.name, steps);
  return status;
}

static dls_status sweep(dls_problem_task *task, size_t sweeps)
{
  memcpy(task->r, task->best, task->n * sizeof *task->r);
  memcpy(task->u, task->best_u, task->n * sizeof *task->u);
  dls_task_sweep(task, sweeps, task->r, task->u);
  dls_task_offer(task, task->r, dls_problem_nsgs.name, sweeps);
  dls_task_stage(task, dls_problem_nsgs.name, sweeps);
  return newton(task);
}

static bool unsolved(const dls_problem_task *task, dls_status status)
{
  return status == DLS_OK && !task->accepted && !dls_task_spent(task);
}

static dls_status rounds(dls_problem_task *task)
{
  static const double scales[] = {1, 10, 0.1, 100, 3, 0.3};
  const bool sweeps = dls_problem_nsgs.refuses(task->problem) == NULL;
  dls_status status = DLS_OK;
  for (size_t k = 0; k < sizeof scales / sizeof *scales && unsolved(task, status); k++) {
    status = interior(task, scales[k]);
    status = unsolved(task, status) ? proximal(task) : status;
    status = unsolved(task, status) && sweeps ? sweep(task, (size_t)threshold_auto_first_sweeps << k) : status;
  }
  return status != DLS_OK || task->accepted ? status : DLS_ERR_NOCONV;
}

/* @return DLS_OK if the method answers and the certificate accepts */
static dls_status let_try(dls_problem_task *task, const dls_problem_method *method)
{
  if (method->refuses(task->problem) != NULL) {
    return DLS_ERR_NOT_APPLICABLE;
  }
  const dls_status status = method->solve(task);
  return status == DLS_ERR_MEMORY || task->accepted ? status : DLS_ERR_NOCONV;
}

/* Newton from the guess, with the proximal term that the last problem needed; then refinement if it is accepted. */
static dls_status from_start(dls_problem_task *task)
{
  dls_problem_solver *solver = task->solver;
  size_t steps = 0;
  memcpy(task->r, task->start, task->n * sizeof *task->r);
  task->usual = solver->delta_rows == task->n ? solver->delta : 0;
  task->delta = threshold_newton_delta;
  const bool polyhedral = dls_problem_polyhedral(task->problem);
  task->fraction = polyhedral ? threshold_first_part : 0;
  dls_status status = dls_task_newton(task, threshold_newton_delta,
                                      polyhedral ? threshold_auto_first : threshold_auto_newton, &steps);
  task->usual = task->fraction = 0;
  if (steps > 0) {
    solver->delta = task->delta;
    solver->delta_rows = task->accepted && task->delta < threshold_newton_delta ? task->n : 0;
  }
  dls_task_stage(task, dls_problem_newton.name, steps);
  if (status == DLS_OK && task->accepted && !solved(task)) {
    memcpy(task->r, task->best, task->n * sizeof *task->r);
    status = newton(task);
  }
  return status;
}

static dls_status solve_parts(dls_problem_task *task)
{
  static const dls_problem_method *const exact[] = {&dls_problem_one_contact, &dls_problem_frictionless};
  dls_status status = DLS_ERR_NOCONV;
  for (size_t k = 0; k < 2; k++) {
    status = let_try(task, exact[k]);
    if (status == DLS_ERR_MEMORY || task->accepted) {
      return status;
    }
  }
  if (guessed(task) || task->n <= threshold_auto_small) {
    status = from_start(task);
    if (status == DLS_ERR_MEMORY || task->accepted) {
      return status;
    }
  }
  status = task->count <= threshold_auto_few ? let_try(task, &dls_problem_modes) : DLS_ERR_NOT_APPLICABLE;
  return status == DLS_ERR_MEMORY || task->accepted ? status : rounds(task);
}

static dls_status solve(dls_problem_task *task)
{
  const dls_status status = solve_parts(task);
  const size_t iterations = dls_task_iterations(task);
  task->report.iterations = iterations > 0 ? iterations : task->report.iterations;
  return status;
}

const dls_problem_method dls_problem_auto = {
    .name = "auto",
    .summary = "exact for small problems, else interior-point, alart-curnier, proximal-point and nsgs in turn",
    .source = "delassus",
    .handles = "every problem",
    .refuses = dls_problem_refuses_none,
    .solve = solve,
};
