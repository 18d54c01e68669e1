/* recomputed.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "recomputed.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const double slips = 2;         /* status */
static const double least_slip = 1e-6; /* [l_s/t_s]: friction is against that much slip */
static const double slow =
    1e-2; /* [l_s/t_s]: in space it may crawl (crawl.h), and its friction be a little beside it */

typedef struct columns {
  size_t v, g, u, p, lambda, status, a, u_t, p_t, lambda_t;
} columns;

/* The order that trajectory.h tells. */
static columns columns_of(const dls_system *sys)
{
  const size_t n = sys->n, m = sys->m, tangents = (sys->d - 1) * m;
  columns c = {.v = 1 + n, .g = 1 + 2 * n};
  c.u = c.g + m;
  c.p = c.u + m;
  c.lambda = c.p + m;
  c.status = c.lambda + m;
  c.a = c.status + m;
  c.u_t = c.a + n;
  c.p_t = c.u_t + tangents;
  c.lambda_t = c.p_t + tangents;
  return c;
}

typedef struct sum {
  long double value, size;
} sum;

static void add(sum *s, long double x)
{
  s->value += x;
  s->size = fmaxl(s->size, fabsl(x));
}

/* Row i of A x. */
static void add_row(sum *s, const dls_matrix *A, size_t i, size_t count, long double sign, const double *x)
{
  for (size_t j = 0; A != NULL && j < count; j++) {
    add(s, sign * dls_matrix_get(A, i, j) * (long double)x[j]);
  }
}

static void worse(double *worst, long double left, long double size)
{
  const double ratio = size > 0 ? (double)(fabsl(left) / size) : 0;
  *worst = ratio <= *worst ? *worst : ratio; /* NaN too */
}

/* Largest left of n rows over the largest term in any of them. @return that term */
static long double worse_rows(double *worst, const sum *rows, size_t n)
{
  long double left = 0, size = 0;
  for (size_t i = 0; i < n; i++) {
    left = fabsl(rows[i].value) <= left ? left : fabsl(rows[i].value);
    size = fmaxl(size, rows[i].size);
  }
  worse(worst, left, size);
  return size;
}

/* Normals pull nowhere, tangents stay within mu times them; over a force, or an impulse, of the system. */
static void look_at_cones(const dls_system *sys, const double *normal, const double *tangent, long double size,
                          recomputed *r)
{
  const size_t k = sys->d - 1;
  for (size_t j = 0; j < sys->m; j++) {
    long double t = 0;
    for (size_t i = 0; i < k; i++) {
      t += (long double)tangent[k * j + i] * tangent[k * j + i];
    }
    worse(&r->unlawful, fmaxl(0, -(long double)normal[j]), size);
    worse(&r->unlawful, fmaxl(0, sqrtl(t) - sys->mu[j] * (long double)normal[j]), size);
  }
}

/* What slips is braked by all that friction can do, against its slip; where slip in space is slow, about against it: not pushed. */
static void look_at_slip(const dls_system *sys, const columns *c, const double *row, long double size,
                         recomputed *r)
{
  const size_t k = sys->d - 1;
  for (size_t j = 0; j < sys->m; j++) {
    const double *u = row + c->u_t + k * j, *T = row + c->lambda_t + k * j;
    long double slip = 0, left = 0, push = 0;
    for (size_t i = 0; i < k; i++) {
      slip += (long double)u[i] * u[i];
    }
    slip = sqrtl(slip);
    if (row[c->status + j] != slips || slip * sys->time < least_slip * sys->length) {
      continue;
    }
    for (size_t i = 0; i < k; i++) {
      const long double part = T[i] + sys->mu[j] * (long double)row[c->lambda + j] * u[i] / slip;
      left += part * part;
      push += T[i] * (long double)u[i] / slip;
    }
    const bool crawls = k > 1 && slip * sys->time < slow * sys->length;
    worse(&r->unlawful, crawls ? fmaxl(0, push) : sqrtl(left), size);
  }
}

static void look_at_motion(const dls_system *sys, const columns *c, const double *row, double *F, sum *rows,
                           recomputed *r)
{
  const size_t n = sys->n, m = sys->m;
  memset(F, 0, n * sizeof *F);
  if (sys->load != NULL) {
    sys->load(sys, row[0], F);
  }
  for (size_t i = 0; i < n; i++) {
    rows[i] = (sum){0};
    add_row(&rows[i], sys->M, i, n, 1, row + c->a);
    add_row(&rows[i], sys->C, i, n, 1, row + c->v);
    add_row(&rows[i], sys->K, i, n, 1, row + 1);
    add(&rows[i], -F[i]);
    add_row(&rows[i], sys->H, i, m, -1, row + c->lambda);
    add_row(&rows[i], sys->T, i, (sys->d - 1) * m, -1, row + c->lambda_t);
  }
  const long double size = worse_rows(&r->motion, rows, n);
  look_at_cones(sys, row + c->lambda, row + c->lambda_t, size, r);
  look_at_slip(sys, c, row, size, r);
}

static void look_at_gaps(const dls_system *sys, const columns *c, const double *row, recomputed *r)
{
  for (size_t j = 0; j < sys->m; j++) {
    long double g = sys->w[j] - (long double)row[c->g + j], u = -(long double)row[c->u + j];
    for (size_t i = 0; i < sys->n; i++) {
      g += dls_matrix_get(sys->H, i, j) * (long double)row[1 + i];
      u += dls_matrix_get(sys->H, i, j) * (long double)row[c->v + i];
    }
    worse(&r->gap, g, sys->length);
    worse(&r->gap, u, sys->length / sys->time);
  }
}

/* Two rows of one time. Of an accumulation, whose impulses are the sum of many, a gap may be in flight. */
static void look_at_jump(const dls_system *sys, const columns *c, const double *before, const double *after,
                         bool many, double *dv, sum *rows, recomputed *r)
{
  const size_t n = sys->n, m = sys->m;
  const long double scale = sys->length / sys->time;
  for (size_t i = 0; i < n; i++) {
    dv[i] = after[c->v + i] - before[c->v + i];
  }
  for (size_t i = 0; i < n; i++) {
    rows[i] = (sum){0};
    add_row(&rows[i], sys->M, i, n, 1, dv);
    add_row(&rows[i], sys->H, i, m, -1, after + c->p);
    add_row(&rows[i], sys->T, i, (sys->d - 1) * m, -1, after + c->p_t);
    sum momentum = {0};
    add_row(&momentum, sys->M, i, n, 1, before + c->v);
    /* the end of slip leaves a velocity out */
    rows[i].size = fmaxl(rows[i].size, fmaxl(momentum.size, dls_matrix_get(sys->M, i, i) * scale));
  }
  const long double size = worse_rows(&r->jump, rows, n);
  look_at_cones(sys, after + c->p, after + c->p_t, size, r);
  for (size_t j = 0; !many && j < m; j++) {
    if (after[c->p + j] > 0) {
      worse(&r->unlawful, fmaxl(0, -(long double)after[c->u + j]), sys->length / sys->time);
    }
  }
}

static bool is_accumulation(const dls_trajectory *traj, double t)
{
  for (size_t k = 0; k < traj->event_count; k++) {
    if (traj->events[k].t == t && traj->events[k].kind == DLS_ACCUMULATION) {
      return true;
    }
  }
  return false;
}

recomputed recomputed_residuals(const dls_system *sys, const dls_trajectory *traj)
{
  recomputed r = {0};
  const columns c = columns_of(sys);
  double *F = malloc(2 * sys->n * sizeof *F);
  sum *rows = malloc(sys->n * sizeof *rows);
  for (size_t i = 0; i < traj->rows && F != NULL && rows != NULL; i++) {
    const double *row = traj->data + i * traj->columns, *before = row - traj->columns;
    look_at_motion(sys, &c, row, F, rows, &r);
    look_at_gaps(sys, &c, row, &r);
    if (i > 0 && row[0] == before[0]) {
      look_at_jump(sys, &c, before, row, is_accumulation(traj, row[0]), F + sys->n, rows, &r);
    }
  }
  r.motion = F == NULL || rows == NULL ? INFINITY : r.motion;
  free(F);
  free(rows);
  return r;
}
