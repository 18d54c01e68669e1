/* frictionless.c -- contacts without friction form a linear complementarity problem, solved by the LCP methods.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/friction/friction_methods.h"
#include <string.h>

static const char *refuses(const dls_problem *problem)
{
  for (size_t k = 0; k < problem->count; k++) {
    if (problem->blocks[k].law != DLS_HALF) {
      return "some blocks are not frictionless contacts";
    }
  }
  return problem->by_operator != NULL ? "W is neither an array nor a matrix" : NULL;
}

static dls_status solve(dls_problem_task *task)
{
  static const double tolerance = 1e-14; /* contact problems are judged by another norm than the LCP's */
  dls_problem_solver *solver = task->solver;
  const dls_problem *problem = task->problem;
  dls_lcp_report report = {0};
  if (solver->lcp == NULL && dls_lcp_create(0, NULL, tolerance, &solver->lcp, NULL) != DLS_OK) {
    return DLS_ERR_MEMORY;
  }
  dls_lcp_set_interrupt(solver->lcp, solver->interrupt);
  dls_lcp_count_fallbacks(solver->lcp, solver->fallbacks);
  memcpy(task->r, task->start, task->n * sizeof *task->r);
  const dls_status status =
      problem->dense != NULL
          ? dls_lcp_solve(solver->lcp, task->n, problem->dense, task->q, task->r, NULL, &report, NULL)
          : dls_lcp_solve_matrix(solver->lcp, problem->matrix, task->q, task->r, NULL, &report, NULL);
  solver->stopped = status == DLS_ERR_INTERRUPTED;
  dls_task_offer(task, task->r, report.method != NULL ? report.method : dls_problem_frictionless.name,
                 report.pivots);
  return task->accepted ? DLS_OK : status == DLS_OK ? DLS_ERR_NOCONV : status;
}

const dls_problem_method dls_problem_frictionless = {
    .name = "lcp",
    .summary = "the methods for linear complementarity problems, by size",
    .source = "R. W. Cottle, J.-S. Pang and R. E. Stone, The Linear Complementarity Problem (2009)",
    .handles = "contacts without friction, none held; a sparse W must be symmetric",
    .refuses = refuses,
    .solve = solve,
};
