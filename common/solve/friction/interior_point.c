/* interior_point.c -- primal-dual interior point method. With x, w of interior.h, which stay inside of L, the steps go along
 *   u - W r - q = 0,   x o w = sigma e in every contact,   sigma -> 0.                                           (1)
 * A step with the scaling of Nesterov and Todd and the corrector of Mehrotra solves twice with J = W + A^{-1}, where A^{-1} is
 * du / dr of the second equation, as A J. Redundant contacts do no harm: A^{-1} keeps J regular, and the forces go to the
 * middle of those that are possible. The second equation is not monotone: w contains |u_T|. So sigma may have to rise
 * again along (1), and steps end at the surface. Then, and at the beginning, |u_T| is taken from the last step, as if the
 * problem were convex: such steps always get on, though |u_T| follows slowly.
 * Where a contact slides, x and w are both at the surface. A step towards sigma = 0 halves both in the scaled space, and so leaves a part
 * of the angle between r_T and -u_T: a quarter where the product of these changes is corrected once. If x . w falls faster than the square
 * of the angle, the last steps end at the surface after a way that depends on rounding. Where Newton's method ends what is left, that does
 * no harm; else a step reduces sigma by a factor of 30 at most, and the corrector is repeated with the same factors.
 * Source: Acary, Armand, Nguyen, Shpakovych 2024, Optimization Methods and Software 39 (the convex problem); Acary, Cadoux,
 * Lemarechal, Malick 2011, Z. Angew. Math. Mech. 91 (|u_T| from the last step).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/friction/friction_methods.h"
#include "common/solve/friction/interior.h"
#include <math.h>
#include <string.h>

static const double held = 1e-8;    /* proximal term of blocks that are free, in 1 / rho */
static const double inside = 0.995; /* of the way to the surface that a step goes */
static const double least_step = 1e-8, poor_step = 0.1;
static const double near =
    1e-10; /* residual from which on rounding may shorten the steps: Newton ends that better */
static const double ahead = 1e-2;        /* of the first sigma: convex steps until then */
static const double least_target = 0.03; /* of the gap: sigma of a step with several correctors */
static const double long_step = 0.1; /* of the gap is left by the step to sigma = 0: the corrector converges */
enum { CONVEX = 4 };                 /* steps after a poor one */

typedef struct interior_run {
  dls_problem_task *task;
  double *z, *u, *dz, *du, *c, *R; /* n each, velocities; c: of dls_inner_aim; R: residual of (1) */
  double sigma;                    /* mean of x . w */
  bool lag;
  size_t correctors; /* of a long step */
} interior_run;

static dls_inner block_of(const interior_run *w, size_t k)
{
  const size_t a = w->task->first[k];
  return (dls_inner){&w->task->blocks[k], w->z + a, w->u + a, w->dz + a, w->du + a, w->lag};
}

/* Rows of block k on which its law works; those of a contact with mu = 0 but the first have r = 0, of a free block u = 0. */
static size_t ruled(const dls_block *block)
{
  return dls_inner_rough(block) ? block->rows : dls_inner_has_law(block) ? 1 : 0;
}

static void residual(interior_run *w)
{
  const dls_problem_task *task = w->task;
  for (size_t k = 0; k < task->count; k++) {
    const dls_block *block = &task->blocks[k];
    for (size_t i = 0; i < block->rows; i++) {
      const size_t at = task->first[k] + i;
      w->R[at] = i < ruled(block) ? w->u[at] - task->u[at] : dls_inner_has_law(block) ? 0 : -task->u[at];
    }
  }
}

/* The mean of x . w after a step t. */
static double gap_after(const interior_run *w, double t)
{
  double sum = 0;
  size_t count = 0;
  for (size_t k = 0; k < w->task->count; k++) {
    if (dls_inner_has_law(&w->task->blocks[k])) {
      const dls_inner b = block_of(w, k);
      sum += dls_inner_gap(&b, t);
      count++;
    }
  }
  return count > 0 ? sum / (double)count : 0;
}

/* A W + 1 at z, u. */
static dls_status factor(interior_run *w)
{
  dls_problem_task *task = w->task;
  memset(task->A, 0, DLS_BLOCK * task->count * sizeof *task->A);
  memset(task->B, 0, DLS_BLOCK * task->count * sizeof *task->B);
  for (size_t k = 0; k < task->count; k++) {
    const dls_block *block = &task->blocks[k];
    double *A = task->A + DLS_BLOCK * k;
    task->D[k] = 0;
    for (size_t i = 0; i < block->rows; i++) {
      task->B[DLS_BLOCK * k + 4 * i] = 1;
      A[4 * i] = dls_inner_has_law(block) ? 0 : 1 / held;
    }
    if (dls_inner_has_law(block)) {
      const dls_inner b = block_of(w, k);
      dls_inner_slope(&b, A);
    }
    for (size_t e = 0; e < DLS_BLOCK; e++) {
      A[e] /= task->inverse_rho[k];
    }
  }
  return dls_task_factor(task);
}

/* dz, du towards x o w = sigma e: J dr = R + c, du = W dr - R. */
static void solve_step(interior_run *w, double sigma, bool correct)
{
  dls_problem_task *task = w->task;
  memset(w->c, 0, task->n * sizeof *w->c);
  for (size_t k = 0; k < task->count; k++) {
    const size_t a = task->first[k], d = task->blocks[k].rows;
    const double *A = task->A + DLS_BLOCK * k;
    const dls_inner b = block_of(w, k);
    double g[3] = {0};
    if (dls_inner_has_law(b.block)) {
      dls_inner_aim(&b, sigma, correct, w->c + a);
    }
    for (size_t i = 0; i < d; i++) {
      g[i] = w->R[a + i] + w->c[a + i];
    }
    for (size_t i = 0; i < d; i++) {
      task->x[a + i] = A[i] * g[0] + A[i + 3] * g[1] + A[i + 6] * g[2];
    }
  }
  task->W->solve(task->W->data, task->x);
  memset(w->du, 0, task->n * sizeof *w->du);
  task->W->multiply(task->W->data, task->x, w->du);
  for (size_t k = 0; k < task->count; k++) {
    for (size_t i = task->first[k]; i < task->first[k + 1]; i++) {
      w->dz[i] = task->x[i] * task->inverse_rho[k];
      w->du[i] -= w->R[i];
    }
  }
}

/* How much of the step can be gone, at most all. */
static double reach(const interior_run *w)
{
  double t = 1 / inside;
  for (size_t k = 0; k < w->task->count; k++) {
    if (dls_inner_has_law(&w->task->blocks[k])) {
      const dls_inner b = block_of(w, k);
      t = dls_inner_reach(&b, t);
    }
  }
  return inside * t;
}

static void go(interior_run *w, double t)
{
  dls_problem_task *task = w->task;
  for (size_t k = 0; k < task->count; k++) {
    const size_t a = task->first[k];
    const dls_inner b = block_of(w, k);
    const double opening = dls_inner_opening(&b, t);
    for (size_t i = a; i < task->first[k + 1]; i++) {
      w->z[i] += t * w->dz[i];
      w->u[i] += t * w->du[i];
    }
    w->u[a] = opening;
  }
}

/* One step at sigma: to the middle of the cones alone, or forward too. *t: how much of it was gone. */
static dls_status step(interior_run *w, bool centre, double *t)
{
  residual(w);
  const dls_status status = factor(w);
  if (status != DLS_OK) {
    return status;
  }
  if (centre) {
    solve_step(w, w->sigma, false);
  } else {
    solve_step(w, 0, false);
    const double left = fmax(0, gap_after(w, reach(w)) / w->sigma);
    const double target = fmax(left * left * left, w->correctors > 1 ? least_target : 0) * w->sigma;
    for (size_t i = 0; i < (left < long_step ? w->correctors : 1); i++) {
      solve_step(w, target, true);
    }
  }
  *t = reach(w);
  go(w, *t);
  return DLS_OK;
}

/* In the middle of the cones, `scale` max |q| from their tips. */
static void begin(interior_run *w, double scale)
{
  const dls_problem_task *task = w->task;
  double largest = 0;
  for (size_t i = 0; i < task->n; i++) {
    largest = fmax(largest, scale * fabs(task->q[i]));
  }
  memset(w->z, 0, task->n * sizeof *w->z);
  memset(w->u, 0, task->n * sizeof *w->u);
  memset(w->dz, 0, task->n * sizeof *w->dz);
  memset(w->du, 0, task->n * sizeof *w->du);
  for (size_t k = 0; k < task->count; k++) {
    const dls_block *block = &task->blocks[k];
    if (dls_inner_has_law(block)) {
      w->z[task->first[k]] = largest;
      w->u[task->first[k]] = dls_inner_rough(block) ? fmax(1, block->mu) * largest : largest;
    }
  }
}

/* r := rho z, judged. @return its residual */
static double offer(interior_run *w, size_t steps)
{
  dls_problem_task *task = w->task;
  for (size_t k = 0; k < task->count; k++) {
    for (size_t i = task->first[k]; i < task->first[k + 1]; i++) {
      task->r[i] = w->z[i] / task->inverse_rho[k];
    }
  }
  return dls_task_offer(task, task->r, dls_problem_interior_point.name, steps).residual;
}

dls_status dls_task_interior_point(dls_problem_task *task, double scale, size_t correctors, size_t most,
                                   size_t *steps)
{
  enum { ARRAYS = 6 };
  const size_t n = task->n;
  double *room = dls_task_room(task, ARRAYS * n), t = 1, first = 0, last = HUGE_VAL;
  if (room == NULL) {
    return DLS_ERR_MEMORY;
  }
  interior_run w = {task,         room,         room + n, room + 2 * n, room + 3 * n,
                    room + 4 * n, room + 5 * n, 0,        false,        correctors};
  begin(&w, scale);
  for (size_t k = 0, convex = 0; k <= most; k++, (*steps)++) {
    const double reached = offer(&w, *steps);
    w.lag = false; /* x . w as it is */
    w.sigma = gap_after(&w, 0);
    first = k == 0 ? w.sigma : first;
    const bool stalls = reached <= near && reached > 0.5 * last;
    if (!(w.sigma > 0) || !(t > least_step) || reached <= DLS_EXACT || stalls || k == most ||
        dls_task_spent(task)) {
      return DLS_OK;
    }
    last = reached;
    const bool early = w.sigma > ahead * first;
    w.lag = early || convex > 0;
    const dls_status status = step(&w, convex > 0 && !early, &t);
    if (status != DLS_OK) {
      return status == DLS_ERR_SINGULAR ? DLS_OK : status;
    }
    convex = convex > 0 ? convex - 1 : !w.lag && t < poor_step ? CONVEX : 0;
  }
  return DLS_OK;
}

static dls_status solve(dls_problem_task *task)
{
  enum { CORRECTORS = 4, MOST = 200, NEWTON = 60 };
  static const double delta = 1e-6;
  size_t steps = 0;
  dls_status status = dls_task_interior_point(task, 1, CORRECTORS, MOST, &steps);
  if (status == DLS_OK && !task->accepted) { /* near a solution: rounding ends it, Newton does not mind */
    memcpy(task->r, task->best, task->n * sizeof *task->r);
    status = dls_task_newton(task, delta, NEWTON, &steps);
  }
  return status != DLS_OK ? status : task->accepted ? DLS_OK : DLS_ERR_NOCONV;
}

const dls_problem_method dls_problem_interior_point = {
    .name = "interior-point",
    .summary = "primal-dual interior points with the scaling of Nesterov and Todd, then alart-curnier",
    .source =
        "V. Acary, P. Armand, H. M. Nguyen and M. Shpakovych, Second-order cone programming for frictional "
        "contact mechanics using interior point algorithm, Optim. Methods Softw. 39 (2024)",
    .handles = "every problem",
    .refuses = dls_problem_refuses_none,
    .solve = solve,
};
