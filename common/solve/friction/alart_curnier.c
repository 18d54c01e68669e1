/* alart_curnier.c -- semi-smooth Newton on Phi(r) = 0. With x = r_N - rho u_N,
 * y = r_T - rho u_T of a contact, e = y / |y|: x <= 0                  Phi = r
 *   x > 0                   Phi_N = rho u_N
 *         |y| <= mu x       Phi_T = rho u_T
 *         |y| >  mu x       Phi_T = r_T - mu x e
 * and Phi = rho u of a free block, Phi = r - P_K(r - rho u) of a contact with the associated law. Jacobian A W + B with A = dPhi/du, B =
 * dPhi/dr of blocks. W is singular in practice, so the Jacobian alone gets a proximal term: J = A (W + delta diag(1/rho)) +
 * B. The answer stays exact. With redundant contacts, a large delta converges from a distant start. The last steps need a
 * small delta, smaller for taller piles. Source: Alart, Curnier 1991, Computer Methods in Applied Mechanics and Engineering
 * 92.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/friction/cone.h"
#include "common/solve/friction/friction_methods.h"
#include "common/solve/friction/thresholds.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* A := rho, B := 0, Phi := rho u, of d rows. */
static void hold(size_t d, double rho, const double *u, double *A, double *phi)
{
  for (size_t i = 0; i < d; i++) {
    A[4 * i] = rho;
    phi[i] = rho * u[i];
  }
}

/* Phi_T = r_T - mu x e and its derivatives, P = mu x / |y| (I - e e^T):
 *   B_TT = I - P,  B_TN = -mu e,  A_TT = rho P,  A_TN = rho mu e */
static void slip(size_t d, double mu, double rho, double x, const double *y, double size, const double *r,
                 double *A, double *B, double *phi)
{
  const double factor = mu * x / size;
  for (size_t i = 1; i < d; i++) {
    const double e = y[i] / size;
    phi[i] = r[i] - mu * x * e;
    B[i] = -mu * e;
    A[i] = rho * mu * e;
    for (size_t j = 1; j < d; j++) {
      const double P = factor * ((i == j) - e * y[j] / size);
      B[i + 3 * j] = (i == j) - P;
      A[i + 3 * j] = rho * P;
    }
  }
}

/* Phi = r - P_K(y), y = r - rho u, of a contact with the associated law. With n = (y_N + mu |y_T|)/(1 + mu^2), e = y_T/|y_T|:
 *   P = n (1, mu e),  dP_N = (1, mu e)/(1 + mu^2),  dP_T = mu e dP_N + mu n/|y_T| (I - e e^T);   A = rho dP,  B = 1 - dP */
static void associated(size_t d, double mu, double rho, const double *y, const double *r, const double *u,
                       double *A, double *B, double *phi)
{
  const double size = dls_tangential(d, y), n = (y[0] + mu * size) / (1 + mu * mu);
  const bool sticks = size <= mu * y[0], opens = !sticks && mu * size <= -y[0];
  const double across = sticks || opens ? 0 : mu * n / size;
  double P[DLS_BLOCK] = {0}, e[3] = {1, 0, 0};
  for (size_t i = 1; i < d && !sticks && !opens; i++) {
    e[i] = mu * y[i] / size;
  }
  for (size_t i = 0; i < d; i++) {
    for (size_t j = 0; j < d && !opens; j++) {
      const double identity = i == j;
      P[i + 3 * j] = sticks ? identity
                            : e[i] * e[j] / (1 + mu * mu) +
                                  (i > 0 && j > 0 ? across * (identity - y[i] * y[j] / (size * size)) : 0);
    }
    phi[i] = sticks ? rho * u[i] : r[i] - (opens ? 0 : n * e[i]);
  }
  for (size_t k = 0; k < DLS_BLOCK; k++) {
    A[k] = rho * P[k];
    B[k] = (k % 4 == 0) - P[k];
  }
}

/* A, B and Phi of block k. */
static void linearise(const dls_problem_task *task, size_t k, double *A, double *B, double *phi)
{
  const dls_block *block = &task->blocks[k];
  const size_t d = block->rows;
  const double *r = task->r + task->first[k], *u = task->u + task->first[k];
  const double rho = 1 / task->inverse_rho[k];
  double y[3] = {0};
  memset(A, 0, DLS_BLOCK * sizeof *A);
  memset(B, 0, DLS_BLOCK * sizeof *B);
  for (size_t i = 0; i < d; i++) {
    y[i] = r[i] - rho * u[i];
  }
  if (block->law == DLS_ASSOCIATED) {
    associated(d, block->mu, rho, y, r, u, A, B, phi);
    return;
  }
  if (block->law != DLS_FREE && !(y[0] > 0)) {
    for (size_t i = 0; i < d; i++) {
      B[4 * i] = 1;
      phi[i] = r[i];
    }
    return;
  }
  hold(d, rho, u, A, phi);
  if (block->law != DLS_COULOMB) {
    return;
  }
  const double size = dls_tangential(d, y);
  if (size > block->mu * y[0]) {
    slip(d, block->mu, rho, y[0], y, size, r, A, B, phi);
  }
}

dls_status dls_task_newton_step(dls_problem_task *task, double delta)
{
  for (size_t k = 0; k < task->count; k++) {
    linearise(task, k, task->A + DLS_BLOCK * k, task->B + DLS_BLOCK * k, task->x + task->first[k]);
    task->D[k] = delta * task->inverse_rho[k];
  }
  const dls_status status = dls_task_factor(task);
  if (status != DLS_OK) {
    return status;
  }
  task->W->solve(task->W->data, task->x);
  for (size_t i = 0; i < task->n; i++) {
    task->r[i] -= task->x[i];
  }
  return DLS_OK;
}

/* Project r onto the law: zero for open contacts, onto the cone and against the slip for those that slip. */
static void settle(dls_problem_task *task)
{
  for (size_t k = 0; k < task->count; k++) {
    const dls_block *block = &task->blocks[k];
    double *r = task->r + task->first[k], *u = task->u + task->first[k];
    const double x = r[0] - u[0] / task->inverse_rho[k];
    if (block->law == DLS_ASSOCIATED) { /* open where r - rho u is in the polar cone */
      const double rho = 1 / task->inverse_rho[k];
      const double y[3] = {r[0] - rho * u[0], r[1] - rho * u[1], block->rows == 3 ? r[2] - rho * u[2] : 0};
      if (block->mu * dls_tangential(block->rows, y) <= -y[0]) {
        memset(r, 0, block->rows * sizeof *r);
      }
      dls_cone_project(block->rows, block->mu, r);
    } else if (block->law != DLS_FREE && !(x > 0)) {
      memset(r, 0, block->rows * sizeof *r);
    } else if (block->law == DLS_HALF) {
      r[0] = r[0] > 0 ? r[0] : 0;
    } else if (block->law == DLS_COULOMB) {
      dls_cone_project(block->rows, block->mu, r);
    }
  }
}

/* The proximal term of the next step after one that has left `part` of the residual. Near a solution a step leaves
 * delta/(w + delta) of the error in an eigenvector of W diag(rho) with eigenvalue w. A column of n boxes bends like a beam, with w ~ n^-4. */
static double faster_delta(double delta, double part)
{
  const double w = delta * (1 - part) / part;
  return fmax(threshold_delta_shrinks * fmin(delta, threshold_delta_shrinks * w), threshold_least_delta);
}

dls_status dls_task_newton(dls_problem_task *task, double delta, size_t most, size_t *steps)
{
  double least = HUGE_VAL, last = HUGE_VAL, bound = HUGE_VAL;
  size_t since = 0, made = 0;
  dls_status status = DLS_OK;
  for (; status == DLS_OK; most--, (*steps)++, made++) {
    const dls_certificate c = dls_task_offer(task, task->r, dls_problem_newton.name, *steps);
    since = c.residual < 0.5 * least ? 0 : since + 1;
    least = c.residual < least ? c.residual : least;
    bound = made == 0 ? c.residual : task->fraction * bound;
    const bool slow = task->fraction > 0 && made >= threshold_first_judged &&
                      c.residual > fmax(bound, threshold_newton_nearby);
    const bool done =
        least <= DLS_ROUNDING || (task->accepted && since > (least <= DLS_EXACT ? 0 : threshold_newton_last));
    if (done || slow || most == 0 || since > threshold_newton_patience || !(c.residual <= DBL_MAX) ||
        dls_task_spent(task)) {
      break;
    }
    const bool near = task->accepted || c.residual < threshold_newton_nearby;
    const double part = c.residual / last;
    delta = task->usual > 0 ? fmin(delta, task->usual) : delta;
    delta = near && part > threshold_newton_slow && part < 1 ? faster_delta(delta, part) : delta;
    last = c.residual;
    task->delta = delta;
    status = dls_task_newton_step(task, delta);
  }
  if (task->accepted) {
    memcpy(task->r, task->best, task->n * sizeof *task->r);
    memcpy(task->u, task->best_u, task->n * sizeof *task->u);
    settle(task);
    dls_task_offer(task, task->r, dls_problem_newton.name, *steps);
  }
  return status == DLS_ERR_SINGULAR ? DLS_OK : status;
}

dls_status dls_task_newton_damped(dls_problem_task *task, size_t most, size_t *steps)
{
  /* the residual may exceed the last one, but not the largest of the last four */
  enum { MEMORY = 4 };
  double last[MEMORY], delta = threshold_first_delta;
  dls_status status = DLS_OK;
  double residual = dls_task_offer(task, task->r, dls_problem_newton.name, *steps).residual;
  for (size_t k = 0; k < MEMORY; k++) {
    last[k] = residual;
  }
  double least = residual;
  for (size_t k = 0, refused = 0, since = 0;
       k < most && since <= threshold_damped_patience && residual > DLS_EXACT && !dls_task_spent(task); k++) {
    memcpy(task->kept, task->r, task->n * sizeof *task->r);
    status = dls_task_newton_step(task, delta);
    if (status == DLS_ERR_MEMORY) {
      return status;
    }
    (*steps)++;
    const double worst = fmax(fmax(last[0], last[1]), fmax(last[2], last[3]));
    const double reached =
        status == DLS_OK ? dls_task_offer(task, task->r, dls_problem_newton.name, *steps).residual : HUGE_VAL;
    since = reached < 0.5 * least ? 0 : since + 1;
    least = fmin(least, reached);
    if (reached < worst) {
      delta = reached < residual ? fmax(threshold_delta_shrinks * delta, threshold_least_delta) : delta;
      last[k % MEMORY] = residual = reached;
      refused = 0;
      continue;
    }
    memcpy(task->r, task->kept, task->n * sizeof *task->r);
    dls_certify(task, task->r, task->u, task->f);
    delta *= threshold_delta_grows;
    if (++refused > threshold_damped_refusals || delta > threshold_largest_delta) {
      break;
    }
  }
  return DLS_OK;
}

static dls_status solve(dls_problem_task *task)
{
  size_t steps = 0;
  memcpy(task->r, task->start, task->n * sizeof *task->r);
  const dls_status status = dls_task_newton(task, threshold_newton_delta, threshold_newton_most, &steps);
  return status != DLS_OK ? status : task->accepted ? DLS_OK : DLS_ERR_NOCONV;
}

const dls_problem_method dls_problem_newton = {
    .name = "alart-curnier",
    .summary = "semi-smooth Newton on the functions of Alart and Curnier, with "
               "a proximal term",
    .source = "P. Alart and A. Curnier, A mixed formulation for frictional contact problems prone to Newton "
              "like solution methods, Comput. Methods Appl. Mech. Eng. 92 (1991)",
    .handles = "every problem; local: it needs a start",
    .refuses = dls_problem_refuses_none,
    .solve = solve,
};
