/* task.c -- what the stages of a method share: factors, work counts and the result of each stage.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "common/solve/friction/friction_methods.h"
#include <stdlib.h>
#include <string.h>

static const double most_work = 2e11; /* limit of multiplications: a few minutes */

const char *dls_problem_refuses_none(const dls_problem *problem)
{
  (void)problem;
  return NULL;
}

bool dls_problem_associated(const dls_problem *problem)
{
  for (size_t k = 0; k < problem->count; k++) {
    if (problem->blocks[k].law == DLS_ASSOCIATED) {
      return true;
    }
  }
  return false;
}

const char *dls_problem_refuses_associated(const dls_problem *problem)
{
  return dls_problem_associated(problem) ? "the friction of some contacts is associated" : NULL;
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

dls_status dls_task_factor(dls_problem_task *task)
{
  const dls_problem_operator *W = task->W;
  return W->factor(W->data, task->count, task->first, task->A, task->D, task->B);
}

bool dls_task_spent(const dls_problem_task *task)
{
  dls_problem_solver *solver = task->solver;
  if (solver->stopped || dls_interrupt_requested(solver->interrupt)) {
    solver->stopped = true;
    return true;
  }
  return task->W->work != NULL && *task->W->work - task->begun > most_work;
}

void dls_task_stage(dls_problem_task *task, const char *method, size_t iterations)
{
  dls_problem_report *report = &task->report;
  size_t k = 0;
  while (k < report->stages && strcmp(report->stage[k].method, method) != 0) {
    k++;
  }
  if (k == DLS_PROBLEM_STAGES) {
    return;
  }
  report->stages += k == report->stages;
  report->stage[k].method = method;
  report->stage[k].iterations += iterations;
  report->stage[k].residual = report->residual;
}

size_t dls_task_iterations(const dls_problem_task *task)
{
  size_t sum = 0;
  for (size_t k = 0; k < task->report.stages; k++) {
    sum += task->report.stage[k].iterations;
  }
  return sum;
}

void dls_problem_stages_text(const dls_problem_report *report, char *text, size_t size)
{
  text[0] = '\0';
  for (size_t k = 0; k < report->stages; k++) {
    dls_text_append(text, size, "%s%s:%zu:%.2g", k == 0 ? "" : ";", report->stage[k].method,
                    report->stage[k].iterations, report->stage[k].residual);
  }
}
