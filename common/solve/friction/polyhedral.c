/* polyhedral.c -- primal-dual interior points for contacts whose cone is a polyhedron: without friction, or in the plane with the
 * associated law. With r = E z, E = [(1, mu), (1, -mu)] by the edges of K, or E = 1 without friction, the problem is
 *   0 <= z  _|_  w = E^T (W E z + q) >= 0,                                                                    (1)
 * and the path to its solution z_i w_i = sigma, sigma -> 0. A step solves for dr = E dz, with the residual R = w - E^T (W E z + q),
 *   z_i dw_i + w_i dz_i = target_i - z_i w_i,   dw = E^T W dr - R,                                            (2)
 * as (A W + 1) dr = E (target - z (w - R)) / w, A = E diag(z/w) E^T. The target is 0, then that of Mehrotra's corrector.
 * Each edge has its own z and w, so that none is the small difference of large numbers, as x_0 - |x_T| in interior_point.c. The
 * start is the guess, moved inside by a part of its largest error.
 * Source: Mehrotra 1992, SIAM Journal on Optimization 2; Wright 1997, Primal-Dual Interior-Point Methods.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/friction/friction_methods.h"
#include "common/solve/friction/thresholds.h"
#include <float.h>
#include <math.h>
#include <string.h>

bool dls_problem_polyhedral(const dls_problem *problem)
{
  for (size_t k = 0; k < problem->count; k++) {
    const dls_block *block = &problem->blocks[k];
    if (block->law != DLS_HALF && (block->law != DLS_ASSOCIATED || block->rows > 2 || !(block->mu > 0))) {
      return false;
    }
  }
  return true;
}

typedef struct polyhedral_run {
  dls_problem_task *task;
  double *z, *w, *dz, *dw, *R, *target, *x; /* n each, by edges; x: scratch */
} polyhedral_run;

/* E = [(1, mu), (1, -mu)] of block k */
typedef struct edges {
  size_t first;
  bool rough;
  double mu;
} edges;

static edges edges_of(const dls_problem_task *task, size_t k)
{
  return (edges){task->first[k], task->blocks[k].rows == 2, task->blocks[k].mu};
}

/* y := E^T x */
static void to_edges(const dls_problem_task *task, const double *x, double *y)
{
  for (size_t k = 0; k < task->count; k++) {
    const edges E = edges_of(task, k);
    y[E.first] = x[E.first] + (E.rough ? E.mu * x[E.first + 1] : 0);
    if (E.rough) {
      y[E.first + 1] = x[E.first] - E.mu * x[E.first + 1];
    }
  }
}

/* r := E z */
static void from_edges(const dls_problem_task *task, const double *z, double *r)
{
  for (size_t k = 0; k < task->count; k++) {
    const edges E = edges_of(task, k);
    r[E.first] = z[E.first] + (E.rough ? z[E.first + 1] : 0);
    if (E.rough) {
      r[E.first + 1] = E.mu * (z[E.first] - z[E.first + 1]);
    }
  }
}

/* z += E^{-1} r */
static void split(const dls_problem_task *task, const double *r, double *z)
{
  for (size_t k = 0; k < task->count; k++) {
    const edges E = edges_of(task, k);
    if (E.rough) {
      z[E.first] += 0.5 * (r[E.first] + r[E.first + 1] / E.mu);
      z[E.first + 1] += 0.5 * (r[E.first] - r[E.first + 1] / E.mu);
    } else {
      z[E.first] += r[E.first];
    }
  }
}

/* z and w of the guess, moved inside. */
static void begin(polyhedral_run *p, double scale)
{
  dls_problem_task *task = p->task;
  const double error = threshold_polyhedral_start * scale *
                       dls_task_offer(task, task->start, dls_problem_interior_point.name, 0).absolute;
  memset(p->z, 0, task->n * sizeof *p->z);
  memset(p->dz, 0, task->n * sizeof *p->dz);
  memset(p->dw, 0, task->n * sizeof *p->dw);
  split(task, task->start, p->z);
  to_edges(task, task->u, p->w);
  for (size_t k = 0; k < task->count; k++) {
    for (size_t i = task->first[k]; i < task->first[k + 1]; i++) {
      p->z[i] = fmax(p->z[i], 0) + error / task->inverse_rho[k];
      p->w[i] = fmax(p->w[i], 0) + error;
    }
  }
}

/* R at z, w. @return the residual of the certificate */
static double evaluate(polyhedral_run *p, size_t steps)
{
  dls_problem_task *task = p->task;
  from_edges(task, p->z, task->r);
  const double residual = dls_task_offer(task, task->r, dls_problem_interior_point.name, steps).residual;
  to_edges(task, task->u, p->R);
  for (size_t i = 0; i < task->n; i++) {
    p->R[i] = p->w[i] - p->R[i];
  }
  return residual;
}

/* A W + 1 of (2) */
static dls_status factor(const polyhedral_run *p)
{
  dls_problem_task *task = p->task;
  memset(task->A, 0, DLS_BLOCK * task->count * sizeof *task->A);
  memset(task->B, 0, DLS_BLOCK * task->count * sizeof *task->B);
  memset(task->D, 0, task->count * sizeof *task->D);
  for (size_t k = 0; k < task->count; k++) {
    const edges E = edges_of(task, k);
    const double *z = p->z + E.first, *w = p->w + E.first;
    double *A = task->A + DLS_BLOCK * k, *B = task->B + DLS_BLOCK * k;
    const double a = z[0] / w[0], b = E.rough ? z[1] / w[1] : 0;
    A[0] = a + b;
    B[0] = B[4] = 1;
    if (E.rough) {
      A[1] = A[3] = E.mu * (a - b);
      A[4] = E.mu * E.mu * (a + b);
    }
  }
  return dls_task_factor(task);
}

/* dz and dw of (2). Rounding in dr, in proportion to z/w, leaves an error in z w, not in R: dw is that of dr. */
static void solve_step(polyhedral_run *p)
{
  dls_problem_task *task = p->task;
  for (size_t i = 0; i < task->n; i++) {
    p->x[i] = (p->target[i] - p->z[i] * (p->w[i] - p->R[i])) / p->w[i];
  }
  from_edges(task, p->x, task->x);
  task->W->solve(task->W->data, task->x); /* dr */
  memset(task->f, 0, task->n * sizeof *task->f);
  task->W->multiply(task->W->data, task->x, task->f); /* W dr */
  memset(p->dz, 0, task->n * sizeof *p->dz);
  split(task, task->x, p->dz);
  to_edges(task, task->f, p->dw);
  for (size_t i = 0; i < task->n; i++) {
    p->dw[i] -= p->R[i];
  }
}

/* The fraction of the step at which a z or w is 0, at most `most`. */
static double reach(const polyhedral_run *p, double most)
{
  for (size_t i = 0; i < p->task->n; i++) {
    most = p->dz[i] < 0 ? fmin(most, -p->z[i] / p->dz[i]) : most;
    most = p->dw[i] < 0 ? fmin(most, -p->w[i] / p->dw[i]) : most;
  }
  return most;
}

/* Mean of z w after a step t. */
static double gap_after(const polyhedral_run *p, double t)
{
  double sum = 0;
  for (size_t i = 0; i < p->task->n; i++) {
    sum += (p->z[i] + t * p->dz[i]) * (p->w[i] + t * p->dw[i]);
  }
  return sum / (double)p->task->n;
}

/* A step towards sigma = 0, with Mehrotra's corrector, as near to the surface as the predictor finds safe: near a solution, steps then
 * converge faster than linearly. @param[out] t  the fraction taken */
static dls_status step(polyhedral_run *p, double *t)
{
  const size_t n = p->task->n;
  const double sigma = gap_after(p, 0);
  const dls_status status = factor(p);
  if (status != DLS_OK) {
    return status;
  }
  memset(p->target, 0, n * sizeof *p->target);
  solve_step(p);
  const double left = gap_after(p, reach(p, 1)) / sigma,
               most = fmax(threshold_inside_cone, fmin(1 - left, threshold_nearest_surface));
  for (size_t i = 0; i < n; i++) {
    p->target[i] = left * left * left * sigma - p->dz[i] * p->dw[i];
  }
  solve_step(p);
  *t = fmin(most * reach(p, 1 / most), 1);
  for (size_t i = 0; i < n; i++) {
    p->z[i] += *t * p->dz[i];
    p->w[i] += *t * p->dw[i];
  }
  return DLS_OK;
}

dls_status dls_task_polyhedral(dls_problem_task *task, double scale, size_t most, size_t *steps)
{
  enum { ARRAYS = 7 };
  const size_t n = task->n;
  double *room = dls_task_room(task, ARRAYS * n), t = 1;
  if (room == NULL) {
    return DLS_ERR_MEMORY;
  }
  polyhedral_run p = {task,         room,         room + n,     room + 2 * n,
                      room + 3 * n, room + 4 * n, room + 5 * n, room + 6 * n};
  begin(&p, scale);
  for (size_t k = 0; k <= most; k++, (*steps)++) {
    const double residual = evaluate(&p, *steps);
    const bool stopped = !(t > (residual < threshold_polyhedral_near ? threshold_polyhedral_near_step
                                                                     : threshold_least_inner_step)) ||
                         !(residual <= DBL_MAX);
    if (residual <= threshold_polyhedral_exact || stopped || k == most || dls_task_spent(task)) {
      return DLS_OK;
    }
    const dls_status status = step(&p, &t);
    if (status != DLS_OK) {
      return status == DLS_ERR_SINGULAR ? DLS_OK : status;
    }
  }
  return DLS_OK;
}
