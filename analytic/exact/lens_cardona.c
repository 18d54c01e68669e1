/* lens_cardona.c -- the pendulum in its angle and in (x, y): from rest at theta0, with k = sin(theta0/2), w^2 = g/l,
 *   sin(theta/2) = k sn,   theta' = -2 k w cn   at K(k) - w t,
 * thrust of the rod -m g cos(theta) - m l theta'^2.
 * Source: elementary.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/elliptic.h"
#include "analytic/exact/support/turning.h"
#include <delassus/exact.h>
#include <math.h>
#include <stdlib.h>

enum { MASS, LENGTH, GRAVITY, ANGLE }; /* parameters of both models */

struct dls_exact_solution {
  long double m, l, w, k, kc, quarter; /* quarter: K(k) */
  long double spread;                  /* bound of the derivative that the spacing asks for */
};

extern const dls_model dls_model_lens_cardona_a, dls_model_lens_cardona_b;

/* Angle, rate, acceleration; time is reduced to a period. */
static void motion(const dls_exact_solution *s, double t, long double x[3])
{
  const dls_jacobi at = dls_elliptic_jacobi(s->quarter - fmodl(s->w * t, 4 * s->quarter), s->k, s->kc);
  x[0] = 2 * atan2l(s->k * at.sn, at.dn); /* cos(theta/2) = dn */
  x[1] = -2 * s->k * s->w * at.cn;
  x[2] = -2 * s->w * s->w * s->k * at.sn * at.dn; /* -w^2 sin(theta) */
}

/* Derivatives of the angle in units of w, |theta'| <= 2 k: |theta''| <= 1, theta''' = -cos theta', ... */
static dls_status create(const double *p, dls_exact_solution **out, long double d[5], dls_error *err)
{
  dls_exact_solution *s = *out = calloc(1, sizeof *s);
  if (s == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an exact solution");
  }
  s->m = p[MASS];
  s->l = p[LENGTH];
  s->w = sqrtl(p[GRAVITY] / (long double)p[LENGTH]);
  s->k = sinl((long double)p[ANGLE] / 2);
  s->kc = cosl((long double)p[ANGLE] / 2);
  s->quarter = dls_elliptic_rf(0, s->kc * s->kc, 1);
  const long double r = 2 * fabsl(s->k);
  const long double bounds[] = {r, 1, r, r * r + 1, r * r * r + 4 * r};
  for (int i = 0; i < 5; i++) {
    d[i] = bounds[i] * powl(s->w, i + 1);
  }
  return DLS_OK;
}

static dls_status create_angle(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  long double d[5];
  (void)end;
  const dls_status status = create(p, out, d, err);
  if (status == DLS_OK) {
    (*out)->spread = fmaxl(d[3], d[4]);
  }
  return status;
}

static dls_status create_cartesian(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  long double d[5], fourth = 0, fifth = 0;
  (void)end;
  const dls_status status = create(p, out, d, err);
  if (status == DLS_OK) {
    dls_turning_bounds(d, &fourth, &fifth);
    (*out)->spread = (*out)->l * fmaxl(fourth, fifth);
  }
  return status;
}

static void destroy(dls_exact_solution *s)
{
  free(s);
}

static void gap(const dls_exact_solution *s, double t, const double *q, const double *v, double *g, double *u)
{
  (void)s, (void)t, (void)q, (void)v, (void)g, (void)u;
}

static double spacing(const dls_exact_solution *s, size_t piece, double t, double accuracy)
{
  (void)piece, (void)t;
  return dls_turning_spacing(s->spread, accuracy);
}

static void value_of_angle(const dls_exact_solution *s, size_t piece, double t, dls_exact_value *out)
{
  long double x[3];
  (void)piece;
  motion(s, t, x);
  out->q[0] = (double)x[0];
  out->v[0] = (double)x[1];
  out->a[0] = (double)x[2];
}

static void value_of_tip(const dls_exact_solution *s, size_t piece, double t, dls_exact_value *out)
{
  long double x[3];
  (void)piece;
  motion(s, t, x);
  const long double e[] = {sinl(x[0]), cosl(x[0])}, across[] = {e[1], -e[0]}; /* y downward */
  for (int i = 0; i < 2; i++) {
    out->q[i] = (double)(s->l * e[i]);
    out->v[i] = (double)(s->l * x[1] * across[i]);
    out->a[i] = (double)(s->l * (x[2] * across[i] - x[1] * x[1] * e[i]));
  }
  out->mu[0] = (double)(-s->m * s->l * (s->w * s->w * e[1] + x[1] * x[1])); /* m a = m g + mu e, along e */
}

#define PENDULUM_CALLS .source = "elementary", .destroy = destroy, .gap = gap, .spacing = spacing

const dls_exact dls_exact_lens_cardona_a = {
    .model = &dls_model_lens_cardona_a,
    .summary = "swing of a pendulum by elliptic functions",
    .n = 1,
    .create = create_angle,
    .value = value_of_angle,
    PENDULUM_CALLS,
};

const dls_exact dls_exact_lens_cardona_b = {
    .model = &dls_model_lens_cardona_b,
    .summary = "swing of a pendulum by elliptic functions, with the force of its rod",
    .n = 2,
    .create = create_cartesian,
    .value = value_of_tip,
    PENDULUM_CALLS,
};
