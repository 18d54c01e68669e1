/* analytic/exact/four_bar.c -- the parallelogram of N windows turns over, phi from upright with rate W at the start:
 *   phi'' = w^2 sin(phi),   w^2 = (g/l) ((N + 1)/2 + N)/((N + 1)/3 + N)
 *   sin(phi/2) = cn,  cos(phi/2) = sn,  phi' = 2 p dn   at K(k) - p t,   p = sqrt(W^2 + 4 w^2)/2,  k = w/p              (1)
 * All upper ends move alike, a = l (phi'' t - phi'^2 e), e = (sin, cos), t = (cos, -sin) of phi. End i with n_i couplers bears
 * the mass c_i = m/3 + n_i m/2 and the weight g w_i, w_i = m/2 + n_i m/2; with mu_i of its rod and nu_i of the coupler behind it
 *   c_i a + w_i g y = mu_i e + (nu_(i-1) - nu_i) x,   along t:  (nu_(i-1) - nu_i) cos(phi) = (c_i l w^2 - w_i g) sin(phi),   (2)
 * without end where it is stretched out and N > 1.
 * Source: elementary; the mechanism is A01 of the IFToMM library of computational benchmark problems.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/elliptic.h"
#include "analytic/exact/support/turning.h"
#include <delassus/exact.h>
#include <math.h>
#include <stdlib.h>

enum { WINDOWS, MASS, LENGTH, GRAVITY, SPEED }; /* parameters of the model */

extern const dls_model dls_model_four_bar;

struct dls_exact_solution {
  size_t windows;
  double m, l, g;
  long double w2, p, k, kc, quarter; /* w^2; of (1); quarter: K(k) */
  int side;                          /* 1: phi rises, -1: falls, 0: at rest upright */
  long double spread;                /* bound of the derivative that the spacing asks for */
};

/* |phi'| <= 2 p, |phi''| <= w^2, phi''' = w^2 cos(phi) phi', ... */
static void bound(dls_exact_solution *s)
{
  const long double r = 2 * s->p, a = s->w2, j = a * r;
  long double fourth = 0, fifth = 0;
  dls_turning_bounds((const long double[]){r, a, j, a * (a + r * r), a * (j + 3 * r * a + r * r * r)}, &fourth,
                     &fifth);
  s->spread = s->l * fmaxl(fourth, fifth);
}

static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  (void)end;
  dls_exact_solution *s = *out = calloc(1, sizeof *s);
  if (s == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an exact solution");
  }
  const long double N = p[WINDOWS], W = fabsl((long double)p[SPEED]) / p[LENGTH];
  s->windows = (size_t)p[WINDOWS];
  s->m = p[MASS];
  s->l = p[LENGTH];
  s->g = p[GRAVITY];
  s->side = p[SPEED] > 0 ? 1 : p[SPEED] < 0 ? -1 : 0;
  s->w2 = (long double)p[GRAVITY] / p[LENGTH] * 3 * (3 * N + 1) / (2 * (4 * N + 1)); /* w^2 */
  s->p = hypotl(W, 2 * sqrtl(s->w2)) / 2;
  s->k = sqrtl(s->w2) / s->p;
  s->kc = W / (2 * s->p);
  s->quarter = s->side != 0 ? dls_elliptic_rf(0, s->kc * s->kc, 1) : 0;
  bound(s);
  return DLS_OK;
}

static void destroy(dls_exact_solution *s)
{
  free(s);
}

static void gap(const dls_exact_solution *s, double t, const double *q, const double *v, double *g, double *u)
{
  (void)s, (void)t, (void)q, (void)v, (void)g, (void)u;
}

typedef struct turn {
  long double sine, cosine, rate; /* of phi; phi' */
} turn;

/* (1); time is reduced to two turns. */
static turn turn_at(const dls_exact_solution *s, double t)
{
  if (s->side == 0) {
    return (turn){0, 1, 0};
  }
  const dls_jacobi at = dls_elliptic_jacobi(s->quarter - fmodl(s->p * t, 4 * s->quarter), s->k, s->kc);
  return (turn){2 * s->side * at.cn * at.sn, (at.sn - at.cn) * (at.sn + at.cn), 2 * s->side * s->p * at.dn};
}

/* (2), with c_i l w^2 - w_i g = m g f_i: f = (1 - N)/(4 (4 N + 1)) of both ends, 2/(4 (4 N + 1)) between them. */
static void set_forces(const dls_exact_solution *s, const turn *x, double *mu)
{
  const size_t N = s->windows;
  const long double unit = (long double)s->m * s->g / (4 * (4 * (long double)N + 1));
  double *nu = mu + N + 1;
  long double before = 0; /* nu_(i-1) */
  for (size_t i = 0; i <= N; i++) {
    const bool last = i == 0 || i == N;
    const long double couplers = last ? 1 : 2, f = last ? 1 - (long double)N : 2;
    const long double c = s->m * (2 + 3 * couplers) / 6, weight = s->m * (1 + couplers) / 2 * s->g;
    const long double step = f == 0 ? 0 : unit * f * x->sine / x->cosine; /* nu_(i-1) - nu_i */
    mu[i] = (double)(weight * x->cosine - c * s->l * x->rate * x->rate - step * x->sine);
    before -= step;
    if (i < N) {
      nu[i] = (double)before;
    }
  }
}

static void value(const dls_exact_solution *s, size_t piece, double t, dls_exact_value *out)
{
  const turn x = turn_at(s, t);
  const long double l = s->l, e[] = {x.sine, x.cosine}, across[] = {x.cosine, -x.sine};
  const long double second = s->w2 * x.sine; /* phi'' */
  (void)piece;
  for (size_t i = 0; i < 2 * (s->windows + 1); i++) {
    const size_t k = i % 2;
    out->q[i] = (double)(l * (e[k] + (k == 0 ? i / 2 : 0)));
    out->v[i] = (double)(l * x.rate * across[k]);
    out->a[i] = (double)(l * (second * across[k] - x.rate * x.rate * e[k]));
  }
  set_forces(s, &x, out->mu);
}

static double spacing(const dls_exact_solution *s, size_t piece, double t, double accuracy)
{
  (void)piece, (void)t;
  return dls_turning_spacing(s->spread, accuracy);
}

const dls_exact dls_exact_four_bar = {
    .model = &dls_model_four_bar,
    .summary = "the parallelogram turns over, in elliptic functions, with the forces of all rods",
    .source = "elementary",
    .create = create,
    .destroy = destroy,
    .gap = gap,
    .value = value,
    .spacing = spacing,
};
