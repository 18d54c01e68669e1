/* proximal.c -- proximal points: r_{k+1} satisfies the laws with
 *   u = W r + q + s D (r - r_k),   D = diag(1 / rho_a).                                                        (1)
 * The added term vanishes with the step, so that for every s a limit solves the original problem. W + s D is regular even
 * if contacts are redundant. With s of about 1 the contacts are nearly decoupled, so that (1) is easy for semi-smooth
 * Newton steps, whose matrix A (W + s D) + B is exact here (alart_curnier.c). s decreases from point to point while Newton
 * converges, so that convergence is finally as fast as Newton's. s increases if Newton fails. The law is not monotone: far
 * from a solution the residual need not decrease, and a point is kept even if it is worse than the last.
 * Source: Rockafellar 1976, SIAM J. Control Optimization 14 (proximal points); Acary, Bremond, Huber 2018, in Advanced Topics
 * in Nonsmooth Dynamics (around Newton steps for friction in space).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/friction/friction_methods.h"
#include "common/solve/friction/thresholds.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef struct search {
  dls_problem_task *task;
  double *anchor; /* n: r_k */
  double s, left; /* rest: |f| of (1) at task->r [m/s] */
} search;

/* s D (r - r_k) in row i of block k. */
static double added(const search *p, size_t k, size_t i)
{
  return p->s * p->task->inverse_rho[k] * (p->task->r[i] - p->anchor[i]);
}

/* task->u := u of (1) at task->r, and the residual |f|. */
static double look(search *p)
{
  dls_problem_task *task = p->task;
  memcpy(task->u, task->q, task->n * sizeof *task->u);
  task->W->multiply(task->W->data, task->r, task->u);
  for (size_t k = 0; k < task->count; k++) {
    for (size_t i = task->first[k]; i < task->first[k + 1]; i++) {
      task->u[i] += added(p, k, i);
    }
  }
  return p->left = dls_task_gap(task, task->r, task->u, task->f);
}

/* Does task->r satisfy the laws of (1) to the tolerance of a point? */
static bool found(const search *p)
{
  const dls_problem_task *task = p->task;
  double sum = 0;
  for (size_t k = 0; k < task->count; k++) {
    for (size_t i = task->first[k]; i < task->first[k + 1]; i++) {
      sum += added(p, k, i) * added(p, k, i);
    }
  }
  return p->left <= threshold_proximal_tolerance * sqrt(sum) || p->left <= DLS_ROUNDING * task->load;
}

/* Try the step length t from task->kept. */
static double look_along(search *p, double t)
{
  dls_problem_task *task = p->task;
  for (size_t i = 0; i < task->n; i++) {
    task->r[i] = task->kept[i] - t * task->x[i];
  }
  return look(p);
}

/* One Newton step on (1), shortened until the residual is at most `worst`; the best of the lengths tried. */
static dls_status step(search *p, double worst)
{
  dls_problem_task *task = p->task;
  double least = HUGE_VAL, at = 1, t = 1;
  memcpy(task->kept, task->r, task->n * sizeof *task->r);
  const dls_status status = dls_task_newton_step(task, p->s);
  if (status != DLS_OK) {
    memcpy(task->r, task->kept, task->n * sizeof *task->r);
    return status;
  }
  for (int k = 0; k <= threshold_proximal_halvings; k++, t /= 2) {
    const double left = look_along(p, t);
    at = left < least ? t : at;
    least = fmin(least, left);
    if (left < (1 - threshold_proximal_descent * t) * worst) {
      return DLS_OK;
    }
  }
  look_along(p, at);
  return DLS_OK;
}

/* The proximal point of s, from task->r. @param[out] there  true if it converged */
static dls_status find(search *p, size_t *steps, bool *there)
{
  enum { MEMORY = 4 }; /* residuals that a step may be worse than, but for the worst: the law is not monotone */
  double last[MEMORY], least = look(p);
  for (size_t k = 0; k < MEMORY; k++) {
    last[k] = p->left;
  }
  for (size_t k = 0, since = 0; k < threshold_proximal_steps && !found(p); k++, (*steps)++) {
    const double worst = fmax(fmax(last[0], last[1]), fmax(last[2], last[3]));
    const dls_status status = dls_task_spent(p->task) ? DLS_ERR_NOCONV : step(p, worst);
    if (status == DLS_ERR_MEMORY) {
      return status;
    }
    last[k % MEMORY] = p->left;
    since = p->left < threshold_proximal_improved * least ? 0 : since + 1;
    least = fmin(least, p->left);
    if (status != DLS_OK || since > threshold_proximal_patience || !(p->left <= DBL_MAX)) {
      break;
    }
  }
  *there = found(p);
  return DLS_OK;
}

/* Certify the point. The next starts from one that converged or improved. @return its residual, or the previous one */
static double take(search *p, bool there, double residual, size_t steps)
{
  dls_problem_task *task = p->task;
  const double reached = dls_task_offer(task, task->r, dls_problem_proximal.name, steps).residual;
  const bool go_on = reached <= DBL_MAX && (there || reached < residual);
  memcpy(go_on ? p->anchor : task->r, go_on ? task->r : p->anchor, task->n * sizeof *task->r);
  p->s *= there ? threshold_proximal_shrinks : threshold_proximal_grows;
  p->s = fmax(p->s, threshold_proximal_least);
  return go_on ? reached : residual;
}

dls_status dls_task_proximal(dls_problem_task *task, size_t most, size_t *steps)
{
  search p = {.task = task, .anchor = dls_task_room(task, task->n), .s = threshold_proximal_first};
  if (p.anchor == NULL) {
    return DLS_ERR_MEMORY;
  }
  memcpy(p.anchor, task->r, task->n * sizeof *p.anchor);
  double residual = dls_task_offer(task, task->r, dls_problem_proximal.name, *steps).residual;
  for (size_t k = 0;
       k < most && residual > DLS_EXACT && p.s < threshold_proximal_largest && !dls_task_spent(task); k++) {
    bool there = false;
    const dls_status status = find(&p, steps, &there);
    if (status != DLS_OK) {
      return status;
    }
    residual = take(&p, there, residual, *steps);
  }
  return DLS_OK;
}

static dls_status solve(dls_problem_task *task)
{
  size_t steps = 0;
  memcpy(task->r, task->start, task->n * sizeof *task->r);
  const dls_status status = dls_task_proximal(task, threshold_proximal_points, &steps);
  return status != DLS_OK ? status : task->accepted ? DLS_OK : DLS_ERR_NOCONV;
}

const dls_problem_method dls_problem_proximal = {
    .name = "proximal-point",
    .summary = "proximal points, each by semi-smooth Newton steps as of alart-curnier",
    .source =
        "R. T. Rockafellar, Monotone operators and the proximal point algorithm, SIAM J. Control Optim. 14 "
        "(1976); V. Acary, M. Bremond and O. Huber, On solving contact problems with Coulomb friction, in "
        "Advanced Topics in Nonsmooth Dynamics, Springer (2018)",
    .handles = "every problem; needs no start",
    .refuses = dls_problem_refuses_none,
    .solve = solve,
};
