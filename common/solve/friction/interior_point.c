/* interior_point.c -- primal-dual interior point method. With z = r / rho, a velocity, and
 *   x = (mu z_N, z_T),   w = (u_N / mu + |u_T|, u_T),   Coulomb's law is   x, w in L,  x . w = 0.
 * x and w stay inside the cone L (lorentz.h). The steps follow the path
 *   u - W r - q = 0,   x o w = sigma e in every contact,   sigma -> 0.                                           (1)
 *
 * Step: with the scaling of Nesterov and Todd and the corrector of Mehrotra it solves twice with J = W + A^{-1}, where A^{-1} is
 * du / dr of the second equation, as A J. Redundant contacts are harmless: A^{-1} keeps J regular, and the forces converge
 * to the centre of the set of solutions. Convexity: the second equation is not monotone, since w contains |u_T|. Sigma may
 * have to rise again along (1), and steps may end at the surface of L. Then, and in the first steps, |u_T| is taken from
 * the last step, which makes the problem convex. Such steps always make progress, though |u_T| converges slowly. Sliding
 * contacts: x and w are both at the surface. A step towards sigma = 0 halves both in the scaled space. It leaves a fraction
 * of the angle between r_T and -u_T: a quarter if the product of these changes is corrected once. If x . w falls faster
 * than the square of the angle, the last steps end at the surface on a path that depends on rounding. This is harmless if
 * Newton's method finishes. Otherwise a step reduces sigma by a factor of 30 at most, and the corrector is repeated with
 * the same factors.
 * The associated law has w = (u_N/mu, u_T) and is that convex problem: its u[0] holds u_N - mu |u_T|.
 * Source: Acary, Armand, Nguyen, Shpakovych 2024, Optimization Methods and Software 39 (the convex problem); Acary, Cadoux,
 * Lemarechal, Malick 2011, Z. Angew. Math. Mech. 91 (|u_T| from the last step).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/friction/cone.h"
#include "common/solve/friction/friction_methods.h"
#include "common/solve/friction/lorentz.h"
#include "common/solve/friction/thresholds.h"
#include <delassus/problem.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* A block with x, w inside L or, without friction, z_N, u_N > 0. */
typedef struct dls_inner {
  const dls_block *block;
  double *z, *u, *dz, *du; /* its rows */
  bool lag;                /* the |u_T| in w is that of the last step (convex problem) */
} dls_inner;

static bool inner_rough(const dls_block *block)
{
  return block->law >= DLS_COULOMB && block->mu > 0;
}

static bool inner_has_law(const dls_block *block)
{
  return block->law != DLS_FREE;
}

/* To the coordinates of L, by factor = mu for z, 1 / mu for u. */
static void lift(size_t d, double factor, const double *z, double *x)
{
  x[0] = factor * z[0];
  x[1] = z[1];
  x[2] = d == 3 ? z[2] : 0;
}

typedef struct pair {
  double x[3], w[3], e[3]; /* e = u_T / |u_T| */
  dls_lorentz_scaling S;
} pair;

static pair pair_of(const dls_inner *b)
{
  const size_t d = b->block->rows;
  const double mu = b->block->mu;
  pair p = {.e = {0}};
  lift(d, mu, b->z, p.x);
  lift(d, 1 / mu, b->u, p.w);
  const double apart = p.w[0], size = hypot(p.w[1], p.w[2]);
  p.w[0] += size;
  for (size_t i = 1; i < 3 && size > 0; i++) {
    p.e[i] = p.w[i] / size;
  }
  p.S = dls_lorentz_scale(p.x, p.w, apart, p.e);
  return p;
}

/* A := (d u / d z)^{-1} by the linearised x o w = sigma e, 3 x 3. */
static void inner_slope(const dls_inner *b, double *A)
{
  const size_t d = b->block->rows;
  if (!inner_rough(b->block)) {
    A[0] = b->z[0] / b->u[0];
    return;
  }
  const pair p = pair_of(b);
  for (size_t j = 0; j < d; j++) {
    double column[3];
    dls_lorentz_column(&p.S, p.e, b->lag, j, column);
    column[0] /= b->block->mu;
    for (size_t i = 0; i < d; i++) {
      A[i + 3 * j] = j == 0 ? column[i] / b->block->mu : column[i];
    }
  }
}

/* mu e . of_T: the change of mu |u_T|. */
static double along(const dls_inner *b, const pair *p, const double *of)
{
  const double sum = p->e[1] * of[1] + (b->block->rows == 3 ? p->e[2] * of[2] : 0);
  return b->lag ? 0 : b->block->mu * sum;
}

/* S (lambda^{-1} o (S dx o S^{-1} dw)), lambda = S x. */
static void corrector(const dls_inner *b, const pair *p, double *c)
{
  const double mu = b->block->mu;
  double dx[3], dw[3], lambda[3], f[3], g[3], both[3];
  lift(b->block->rows, mu, b->dz, dx);
  lift(b->block->rows, 1 / mu, b->du, dw);
  dw[0] += along(b, p, b->du) / mu;
  dls_lorentz_apply(&p->S, false, p->x, lambda);
  dls_lorentz_apply(&p->S, false, dx, f);
  dls_lorentz_apply(&p->S, true, dw, g);
  dls_lorentz_product(f, g, both);
  dls_lorentz_divide(lambda, both, f);
  dls_lorentz_apply(&p->S, false, f, c);
}

/* dw = sigma x^{-1} - w - corrector, with x^{-1} = J x / det x, back in u. */
static void inner_aim(const dls_inner *b, double sigma, bool correct, double *c)
{
  if (!inner_rough(b->block)) {
    c[0] = (sigma - (correct ? b->dz[0] * b->du[0] : 0)) / b->z[0] - b->u[0];
    return;
  }
  const pair p = pair_of(b);
  const double det = dls_lorentz_det(p.x);
  double less[3] = {0};
  if (correct) {
    corrector(b, &p, less);
  }
  for (size_t i = 0; i < b->block->rows; i++) {
    const double to = (i == 0 ? p.x[0] : -p.x[i]) * sigma / det - p.w[i] - less[i];
    c[i] = i == 0 ? b->block->mu * to : to;
  }
  c[0] -= along(b, &p, c);
}

/* Largest step along dz, du inside L, at most `most`. */
static double inner_reach(const dls_inner *b, double most)
{
  const size_t d = b->block->rows;
  const double mu = b->block->mu;
  double x[3], dx[3], t = most;
  if (inner_rough(b->block)) {
    lift(d, mu, b->z, x);
    lift(d, mu, b->dz, dx);
    t = dls_lorentz_reach(x, dx, t);
  } else if (b->dz[0] < 0) {
    t = fmin(t, -b->z[0] / b->dz[0]);
  }
  if (inner_rough(b->block) && b->lag) {
    lift(d, 1 / mu, b->u, x);
    lift(d, 1 / mu, b->du, dx);
    x[0] += hypot(x[1], x[2]);
    return dls_lorentz_reach(x, dx, t);
  }
  /* here |u_T| is followed exactly, including its curvature */
  return b->du[0] < 0 ? fmin(t, -b->u[0] / b->du[0]) : t;
}

/* u_N after a step t. */
static double inner_opening(const dls_inner *b, double t)
{
  double tangential[3] = {0};
  if (!b->lag || !inner_rough(b->block)) {
    return b->u[0] + t * b->du[0];
  }
  for (size_t i = 1; i < b->block->rows; i++) {
    tangential[i] = b->u[i] + t * b->du[i];
  }
  const double grown = hypot(tangential[1], tangential[2]) - dls_tangential(b->block->rows, b->u);
  return b->u[0] + t * b->du[0] - b->block->mu * grown;
}

/* x . w after a step t. */
static double inner_gap(const dls_inner *b, double t)
{
  const size_t rows = inner_rough(b->block) ? b->block->rows : 1;
  double u[3] = {0}, normal = b->z[0] + t * b->dz[0], sum = normal * inner_opening(b, t);
  for (size_t i = 1; i < rows; i++) {
    u[i] = b->u[i] + t * b->du[i];
    sum += (b->z[i] + t * b->dz[i]) * u[i];
  }
  return rows > 1 ? sum + b->block->mu * normal * hypot(u[1], u[2]) : sum;
}

typedef struct interior_run {
  dls_problem_task *task;
  double *z, *u, *dz, *du, *c, *R; /* n each, velocities; c: of inner_aim; R: residual of (1) */
  double sigma;                    /* mean of x . w */
  bool lag;
  size_t correctors; /* fraction of the gap left by a long step */
} interior_run;

static dls_inner block_of(const interior_run *w, size_t k)
{
  const size_t a = w->task->first[k];
  const dls_block *block = &w->task->blocks[k];
  return (dls_inner){block, w->z + a, w->u + a, w->dz + a, w->du + a, w->lag || block->law == DLS_ASSOCIATED};
}

/* Rows of block k that its law constrains. For mu = 0, r = 0 in all rows but the first; in a free block u = 0. */
static size_t ruled(const dls_block *block)
{
  return inner_rough(block) ? block->rows : inner_has_law(block) ? 1 : 0;
}

static void residual(interior_run *w)
{
  const dls_problem_task *task = w->task;
  for (size_t k = 0; k < task->count; k++) {
    const dls_block *block = &task->blocks[k];
    for (size_t i = 0; i < block->rows; i++) {
      const size_t at = task->first[k] + i;
      w->R[at] = i < ruled(block) ? w->u[at] - task->u[at] : inner_has_law(block) ? 0 : -task->u[at];
    }
    if (block->law == DLS_ASSOCIATED && inner_rough(block)) {
      w->R[task->first[k]] += block->mu * dls_tangential(block->rows, w->u + task->first[k]); /* u_N itself */
    }
  }
}

/* Mean of x . w after a step t. */
static double gap_after(const interior_run *w, double t)
{
  double sum = 0;
  size_t count = 0;
  for (size_t k = 0; k < w->task->count; k++) {
    if (inner_has_law(&w->task->blocks[k])) {
      const dls_inner b = block_of(w, k);
      sum += inner_gap(&b, t);
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
      A[4 * i] = inner_has_law(block) ? 0 : 1 / threshold_held_delta;
    }
    if (inner_has_law(block)) {
      const dls_inner b = block_of(w, k);
      inner_slope(&b, A);
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
    if (inner_has_law(b.block)) {
      inner_aim(&b, sigma, correct, w->c + a);
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

/* Largest fraction of the step that stays inside, at most `most`. */
static double reach(const interior_run *w)
{
  double t = 1 / threshold_inside_cone;
  for (size_t k = 0; k < w->task->count; k++) {
    if (inner_has_law(&w->task->blocks[k])) {
      const dls_inner b = block_of(w, k);
      t = inner_reach(&b, t);
    }
  }
  return threshold_inside_cone * t;
}

static void go(interior_run *w, double t)
{
  dls_problem_task *task = w->task;
  for (size_t k = 0; k < task->count; k++) {
    const size_t a = task->first[k];
    const dls_inner b = block_of(w, k);
    const double opening = inner_opening(&b, t);
    for (size_t i = a; i < task->first[k + 1]; i++) {
      w->z[i] += t * w->dz[i];
      w->u[i] += t * w->du[i];
    }
    w->u[a] = opening;
  }
}

/* One step at sigma: centring only, or also forward. *t: the fraction taken. */
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
    const double target = fmax(left * left * left, w->correctors > 1 ? threshold_least_target : 0) * w->sigma;
    for (size_t i = 0; i < (left < threshold_long_step ? w->correctors : 1); i++) {
      solve_step(w, target, true);
    }
  }
  *t = reach(w);
  go(w, *t);
  return DLS_OK;
}

/* Start in the middle of the cones, `scale` max |q| from their tips. */
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
    if (inner_has_law(block)) {
      w->z[task->first[k]] = largest;
      w->u[task->first[k]] = inner_rough(block) ? fmax(1, block->mu) * largest : largest;
    }
  }
}

/* r := rho z, with its certificate. @return its residual */
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
    w.lag = false; /* the true x . w */
    w.sigma = gap_after(&w, 0);
    first = k == 0 ? w.sigma : first;
    const bool stalls = reached <= threshold_inner_near && reached > threshold_inner_stalled * last;
    if (!(w.sigma > 0) || !(t > threshold_least_inner_step) || reached <= DLS_EXACT || stalls || k == most ||
        dls_task_spent(task)) {
      return DLS_OK;
    }
    last = reached;
    const bool early = w.sigma > threshold_convex_gap * first;
    w.lag = early || convex > 0;
    const dls_status status = step(&w, convex > 0 && !early, &t);
    if (status != DLS_OK) {
      return status == DLS_ERR_SINGULAR ? DLS_OK : status;
    }
    convex = convex > 0 ? convex - 1 : !w.lag && t < threshold_poor_step ? threshold_convex_steps : 0;
  }
  return DLS_OK;
}

static dls_status solve(dls_problem_task *task)
{
  size_t steps = 0;
  dls_status status =
      dls_task_interior_point(task, 1, threshold_inner_correctors, threshold_inner_most, &steps);
  /* near a solution rounding limits this method; Newton's is not affected */
  if (status == DLS_OK && !task->accepted) {
    memcpy(task->r, task->best, task->n * sizeof *task->r);
    status = dls_task_newton(task, threshold_newton_delta, threshold_inner_newton, &steps);
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
