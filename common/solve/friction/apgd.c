/* apgd.c -- accelerated projected gradient descent for min r^T W r/2 + q^T r over the cones: Nesterov's method with a step 1/L that
 * backtracks, restarted where the objective grows. Convex problems only.
 * Source: Mazhar, Heyn, Negrut, Tasora 2015, ACM Transactions on Graphics 34, algorithm APGD.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/friction/cone.h"
#include "common/solve/friction/friction_methods.h"
#include "common/solve/friction/thresholds.h"
#include <math.h>
#include <string.h>

/* x := the nearest point of the cones. */
static void project(const dls_problem_task *task, double *x)
{
  for (size_t k = 0; k < task->count; k++) {
    const dls_block *block = &task->blocks[k];
    double *own = x + task->first[k];
    if (block->law == DLS_HALF) {
      own[0] = own[0] > 0 ? own[0] : 0;
    } else if (block->law != DLS_FREE) {
      dls_cone_project(block->rows, block->mu, own);
    }
  }
}

/* u := W x + q */
static void evaluate(const dls_problem_task *task, const double *x, double *u)
{
  memcpy(u, task->q, task->n * sizeof *u);
  task->W->multiply(task->W->data, x, u);
}

/* |W e|/|e|, e of ones: the first guess of L. */
static double first_bound(const dls_problem_task *task, double *e, double *We)
{
  double sum = 0;
  for (size_t i = 0; i < task->n; i++) {
    e[i] = 1;
    We[i] = 0;
  }
  task->W->multiply(task->W->data, e, We);
  for (size_t i = 0; i < task->n; i++) {
    sum += We[i] * We[i];
  }
  return sqrt(sum / (double)task->n);
}

typedef struct descent {
  double *r, *y, *g, *next, *d,
      *Wd; /* n: iterate, extrapolated point with the gradient there, candidate, next - y */
  double L, theta;
} descent;

/* next := P(y - g/L), with the first L for which the quadratic model bounds the objective: d^T W d <= L d^T d, d = next - y. */
static void step(const dls_problem_task *task, descent *s)
{
  evaluate(task, s->y, s->g);
  for (int k = 0; k < threshold_gradient_backtracks; k++, s->L *= 2) {
    double energy = 0, square = 0;
    for (size_t i = 0; i < task->n; i++) {
      s->next[i] = s->y[i] - s->g[i] / s->L;
      s->Wd[i] = 0;
    }
    project(task, s->next);
    for (size_t i = 0; i < task->n; i++) {
      s->d[i] = s->next[i] - s->y[i];
    }
    task->W->multiply(task->W->data, s->d, s->Wd);
    for (size_t i = 0; i < task->n; i++) {
      energy += s->d[i] * s->Wd[i];
      square += s->d[i] * s->d[i];
    }
    if (energy <= s->L * square * (1 + threshold_gradient_rounding)) {
      return;
    }
  }
}

/* y := the extrapolation from r and next, unless that climbs; r := next. */
static void extrapolate(const dls_problem_task *task, descent *s)
{
  const double t = s->theta, after = 0.5 * t * (sqrt(t * t + 4) - t);
  const double beta = t * (1 - t) / (t * t + after);
  double climb = 0;
  for (size_t i = 0; i < task->n; i++) {
    climb += s->g[i] * (s->next[i] - s->r[i]);
    s->y[i] = s->next[i] + beta * (s->next[i] - s->r[i]);
  }
  s->theta = climb > 0 ? 1 : after;
  if (climb > 0) {
    memcpy(s->y, s->next, task->n * sizeof *s->y);
  }
  memcpy(s->r, s->next, task->n * sizeof *s->r);
  s->L *= threshold_gradient_relax;
}

static dls_status solve(dls_problem_task *task)
{
  enum { ARRAYS = 5 };
  const size_t n = task->n, most = task->solver->iterations;
  double *room = dls_task_room(task, ARRAYS * n);
  if (room == NULL) {
    return DLS_ERR_MEMORY;
  }
  descent s = {.r = room,
               .y = room + n,
               .g = room + 2 * n,
               .next = room + 3 * n,
               .d = room + 4 * n,
               .Wd = task->x,
               .theta = 1};
  memcpy(s.r, task->start, n * sizeof *s.r);
  project(task, s.r);
  memcpy(s.y, s.r, n * sizeof *s.y);
  s.L = first_bound(task, s.next, s.g);
  s.L = s.L > 0 ? s.L : 1;
  double residual = dls_task_offer(task, s.r, dls_problem_apgd.name, 0).residual;
  for (size_t k = 1; k <= most && residual > DLS_EXACT; k++) {
    if (dls_task_spent(task)) {
      break;
    }
    step(task, &s);
    residual = dls_task_offer(task, s.next, dls_problem_apgd.name, k).residual;
    extrapolate(task, &s);
  }
  return task->accepted ? DLS_OK : DLS_ERR_NOCONV;
}

static const char *refuses(const dls_problem *problem)
{
  for (size_t k = 0; k < problem->count; k++) {
    if (problem->blocks[k].law == DLS_COULOMB && problem->blocks[k].mu > 0) {
      return "Coulomb's law is not convex; it takes the associated law";
    }
  }
  return NULL;
}

const dls_problem_method dls_problem_apgd = {
    .name = "apgd",
    .summary = "accelerated projected gradients with restarts, for convex problems",
    .source =
        "H. Mazhar, T. Heyn, D. Negrut and A. Tasora, Using Nesterov's method to accelerate multibody dynamics "
        "with friction and contact, ACM Trans. Graph. 34 (2015)",
    .handles = "contacts without friction or with the associated law; W must be symmetric",
    .refuses = refuses,
    .solve = solve,
};
