/* count.c -- the number of solutions of a problem, where it can be decided: in the plane by every combination of modes,
 * for one contact in space by roots. Also decides whether there is none.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/friction/friction_methods.h"
#include <stdlib.h>
#include <string.h>

/* By the method that finds all solutions. r has the rows of all blocks and is scratch. */
static dls_status count_by(const dls_problem_method *method, dls_problem_solver *solver,
                           const dls_problem *problem, double *r, size_t *solutions, dls_error *err)
{
  dls_problem_task task;
  dls_status status = dls_task_begin(solver, problem, r, &task, err);
  if (status != DLS_OK) {
    return status;
  }
  status = method->solve(&task);
  *solutions = task.report.solutions;
  return status == DLS_ERR_MEMORY ? dls_fail(err, status, "no memory for a contact problem of %zu rows", task.n)
                                  : DLS_OK;
}

dls_status dls_problem_count(dls_problem_solver *solver, const dls_problem *problem, size_t *solutions,
                             dls_error *err)
{
  static const dls_problem_method *const all[] = {&dls_problem_modes, &dls_problem_one_contact};
  if (solver == NULL || problem == NULL || solutions == NULL ||
      (problem->count > 0 && problem->blocks == NULL)) {
    return dls_fail(err, DLS_ERR_ARG, "contact problem: solver, problem, its blocks or solutions is NULL");
  }
  *solutions = problem->count == 0;
  for (size_t k = 0; problem->count > 0 && k < sizeof all / sizeof *all; k++) {
    if (all[k]->refuses(problem) == NULL) {
      double *r = calloc(3 * problem->count, sizeof *r);
      const dls_status status =
          r == NULL ? dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu contacts", problem->count)
                    : count_by(all[k], solver, problem, r, solutions, err);
      free(r);
      return status;
    }
  }
  return DLS_OK;
}

dls_status dls_problem_unsolvable(dls_problem_solver *solver, const dls_problem *problem, bool *unsolvable,
                                  dls_error *err)
{
  if (solver == NULL || problem == NULL || unsolvable == NULL ||
      (problem->count > 0 && problem->blocks == NULL)) {
    return dls_fail(err, DLS_ERR_ARG, "contact problem: solver, problem, its blocks or unsolvable is NULL");
  }
  *unsolvable = false;
  if (problem->count == 0 || dls_problem_modes.refuses(problem) != NULL) {
    return DLS_OK;
  }
  dls_problem_task task;
  double *r = calloc(3 * problem->count, sizeof *r);
  dls_status status = r == NULL ? dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu contacts", problem->count)
                                : dls_task_begin(solver, problem, r, &task, err);
  if (status == DLS_OK && dls_modes_exclude(&task, unsolvable) != DLS_OK) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory for a contact problem of %zu rows", task.n);
  }
  free(r);
  return status;
}
