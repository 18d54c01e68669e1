/* interior_block.c -- one block of the interior point method: see interior.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/friction/cone.h"
#include "common/solve/friction/interior.h"
#include "common/solve/friction/lorentz.h"
#include <string.h>

bool dls_inner_rough(const dls_block *block)
{
  return block->law == DLS_COULOMB && block->mu > 0;
}

bool dls_inner_has_law(const dls_block *block)
{
  return block->law != DLS_FREE;
}

/* Into the coordinates of L, by factor = mu for z, 1 / mu for u. */
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

void dls_inner_slope(const dls_inner *b, double *A)
{
  const size_t d = b->block->rows;
  if (!dls_inner_rough(b->block)) {
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

/* mu e . of_T: what mu |u_T| changes by. */
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
void dls_inner_aim(const dls_inner *b, double sigma, bool correct, double *c)
{
  if (!dls_inner_rough(b->block)) {
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

double dls_inner_reach(const dls_inner *b, double most)
{
  const size_t d = b->block->rows;
  const double mu = b->block->mu;
  double x[3], dx[3], t = most;
  if (dls_inner_rough(b->block)) {
    lift(d, mu, b->z, x);
    lift(d, mu, b->dz, dx);
    t = dls_lorentz_reach(x, dx, t);
  } else if (b->dz[0] < 0) {
    t = fmin(t, -b->z[0] / b->dz[0]);
  }
  if (dls_inner_rough(b->block) && b->lag) {
    lift(d, 1 / mu, b->u, x);
    lift(d, 1 / mu, b->du, dx);
    x[0] += hypot(x[1], x[2]);
    return dls_lorentz_reach(x, dx, t);
  }
  return b->du[0] < 0 ? fmin(t, -b->u[0] / b->du[0]) : t; /* |u_T| follows, however curved */
}

double dls_inner_opening(const dls_inner *b, double t)
{
  double tangential[3] = {0};
  if (!b->lag || !dls_inner_rough(b->block)) {
    return b->u[0] + t * b->du[0];
  }
  for (size_t i = 1; i < b->block->rows; i++) {
    tangential[i] = b->u[i] + t * b->du[i];
  }
  const double grown = hypot(tangential[1], tangential[2]) - dls_tangential(b->block->rows, b->u);
  return b->u[0] + t * b->du[0] - b->block->mu * grown;
}

double dls_inner_gap(const dls_inner *b, double t)
{
  const size_t rows = dls_inner_rough(b->block) ? b->block->rows : 1;
  double u[3] = {0}, normal = b->z[0] + t * b->dz[0], sum = normal * dls_inner_opening(b, t);
  for (size_t i = 1; i < rows; i++) {
    u[i] = b->u[i] + t * b->du[i];
    sum += (b->z[i] + t * b->dz[i]) * u[i];
  }
  return rows > 1 ? sum + b->block->mu * normal * hypot(u[1], u[2]) : sum;
}
