/* analytic/exact/heavy_top.c -- the symmetric top on a fixed point, in Cayley and Klein's parameters
 *   alpha = cos(theta/2) exp(i (phi + psi)/2),   beta = sin(theta/2) exp(i (phi - psi)/2)
 * of Euler's angles, z x z, of (d3, d1, d2), which have no singularity. With u = cos(theta), A = J1 + m l^2, O = J2 spin/A,
 * P the precession, c = u(0), s = sin(theta0), b = 2 m g l/A and x = u - c the axis has
 *   u'^2 = x [b x^2 + (2 c b - P^2 - O^2) x - b s^2 - 2 c P^2 + 2 P s O] = b (u - u1) (u2 - u) (u3 - u)                (1)
 *   u = u1 + (u2 - u1) sn^2(tau, k),   tau' = p,   p^2 = b (u3 - u1)/4,   k^2 = (u2 - u1)/(u3 - u1)                    (2)
 * and starts at u1 or u2, as u'(0) = 0. With S = P s + O (1 + c), N = P s - O (1 - c), (H_z +- H_3)/A, the phases have
 *   (phi + psi)'/2 = (spin - O)/2 + S/(2 (1 + u)),   (phi - psi)'/2 = -(spin - O)/2 + N/(2 (1 - u))                   (3)
 * integrals of the third kind. S^2 = b (1 + u1) (1 + u2) (1 + u3), N^2 = b (1 - u1) (1 - u2) (u3 - 1) by (1).           (4)
 * Source: E. T. Whittaker 1937, chapter VI, in Carlson's integrals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/elliptic.h"
#include "analytic/exact/support/turning.h"
#include <complex.h>
#include <delassus/exact.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MASS, LENGTH, ACROSS, ALONG, GRAVITY, ANGLE, SPIN, PRECESSION }; /* parameters of the model */

extern const dls_model dls_model_heavy_top;

static const long double pi = 3.14159265358979323846264338327950288L;

/* 1 + u or 1 - u: one of alpha, beta, 2 |..|^2. */
typedef struct pole {
  long double low;     /* least value */
  long double at_zero; /* value at sn = 0 */
  long double moment;  /* S, N */
  long double drift;   /* the constant term of (3) */
  long double phase;   /* at t = 0 */
  long double p0;      /* of the phase over tau, at t = 0 */
} pole;

struct dls_exact_solution {
  double mass[3], weight;              /* of the directors; m g l */
  long double spin, A, H3;             /* H3 = J2 spin */
  long double b, rise, span;           /* u2 - u1, u3 - u1 */
  long double p, k, kc, quarter, tau0; /* of (2); quarter: K(k) */
  long double beyond;                  /* u3 - 1 */
  pole south, north;                   /* 1 + u, 1 - u */
  long double spread;                  /* bound of the derivative that the spacing asks for */
};

/* tau = 2 half K + r, |r| <= K, and sn, cn, dn of r */
typedef struct instant {
  long double half;
  dls_jacobi at;
} instant;

static instant instant_at(const dls_exact_solution *s, long double tau)
{
  const long double half = floorl((tau + s->quarter) / (2 * s->quarter));
  return (instant){half, dls_elliptic_jacobi(tau - 2 * half * s->quarter, s->k, s->kc)};
}

static long double pole_value(const dls_exact_solution *s, const pole *x, const dls_jacobi *at)
{
  return x->low + s->rise * (x == &s->south ? at->sn * at->sn : at->cn * at->cn);
}

/* Integral of 1/value over tau, from 0 to |tau| <= K. Source: DLMF 19.25.14 and 19.7.8, which leave nothing that cancels where
 * the value is small at sn = 0. */
static long double integral(const dls_exact_solution *s, const pole *x, const dls_jacobi *at)
{
  const long double s2 = at->sn * at->sn, c2 = at->cn * at->cn, d2 = at->dn * at->dn;
  const bool south = x == &s->south;
  const long double n = (south ? -1 : 1) * x->at_zero / s->span; /* k^2 over the characteristic */
  const long double p = south ? 1 - n * s2 : (s->beyond + x->at_zero * c2) / s->span; /* 1 - n sn^2 */
  const long double ratio = pole_value(s, x, at) / x->at_zero;
  return at->sn / x->at_zero *
         (dls_elliptic_rc(c2 * d2, ratio * p) - n / 3 * s2 * dls_elliptic_rj(c2, d2, 1, p));
}

/* The elliptic part of (3). Where the moment is 0 there is none, and the axis may pass the pole itself. */
static long double turned(const dls_exact_solution *s, const pole *x, const instant *now)
{
  if (x->moment == 0) {
    return 0;
  }
  const dls_jacobi quarter = {1, 0, s->kc};
  const long double whole = now->half != 0 ? 2 * now->half * integral(s, x, &quarter) : 0;
  return x->moment / (2 * s->p) * (whole + integral(s, x, &now->at));
}

/* The other zeros of (1), x[0] < x[1]. The product of both tells on which side of the start the motion is. */
static void turning_points(long double b, long double linear, long double constant, long double x[2])
{
  const long double root = sqrtl(fmaxl(linear * linear - 4 * b * constant, 0));
  const long double q = -(linear + copysignl(root, linear)) / 2;
  const long double one = q / b, other = q != 0 ? constant / q : 0;
  x[0] = fminl(one, other);
  x[1] = fmaxl(one, other);
}

/* u1, u2, u3 as distances from the poles; those that are small follow from (4), without cancellation. */
static void set_range(dls_exact_solution *s, const double *p)
{
  const long double half = (long double)p[ANGLE] / 2, P = p[PRECESSION], O = s->H3 / s->A;
  const long double sine = sinl(2 * half), c = cosl(2 * half), b = s->b;
  const long double above = 2 * sinl(half) * sinl(half), below = 2 * cosl(half) * cosl(half); /* 1 - c, 1 + c */
  const long double constant = 2 * P * sine * O - b * sine * sine - 2 * c * P * P;
  long double x[2];
  turning_points(b, 2 * c * b - P * P - O * O, constant, x);
  const bool falls = constant < 0;
  s->south.moment = P * sine + O * below;
  s->north.moment = P * sine - O * above;
  const long double S2 = s->south.moment * s->south.moment / b, N2 = s->north.moment * s->north.moment / b;
  s->rise = falls ? -x[0] : fmaxl(x[0], 0); /* x[0] < 0: an upright axis that does not fall, though it could */
  s->span = falls ? x[1] - x[0] : fmaxl(x[1], s->rise);
  s->span = s->span > 0 ? s->span : 1;
  s->south.low = falls ? S2 / (below * (below + x[1])) : below;
  s->north.low = falls ? above : above - s->rise;
  s->beyond = s->span - s->rise - s->north.low;
  if (falls ? above > 0 : s->north.low > s->beyond) {
    s->beyond = N2 / ((s->north.low + s->rise) * s->north.low);
  } else if (!falls && above * s->beyond > 0) {
    s->north.low = N2 / (above * s->beyond);
  }
  s->kc = sqrtl(fmaxl(s->north.low + s->beyond, 0) / s->span);
  s->kc = fminl(fmaxl(s->kc, sqrtl(LDBL_EPSILON)), 1); /* known to no more, where it takes forever to arrive */
  s->k = sqrtl(s->rise / s->span);
  s->p = sqrtl(b * s->span) / 2;
  s->quarter = dls_elliptic_rf(0, s->kc * s->kc, 1);
  s->tau0 = falls ? s->quarter : 0;
}

/* At t = 0 phi = pi, psi = pi/2; upright at the start, phi - psi is that of the first motion, where beta = -|beta'| t. */
static void set_poles(dls_exact_solution *s, const double *p)
{
  const instant start = instant_at(s, s->tau0);
  s->south.at_zero = s->south.low;
  s->north.at_zero = s->north.low + s->rise;
  s->south.drift = (s->spin - s->H3 / s->A) / 2;
  s->north.drift = -s->south.drift;
  s->south.phase = 3 * pi / 4;
  s->north.phase = pi / 4;
  if (p[ANGLE] == 0) {
    s->north.phase += p[PRECESSION] > 0 ? -pi / 2 : pi / 2;
  }
  s->south.p0 = turned(s, &s->south, &start);
  s->north.p0 = turned(s, &s->north, &start);
}

/* Of e = d2 with E = |e'|^2 = P^2 + b (c - u) <= R^2, G = b/2: n = e x e'' = G (-e_y, e_x, 0) - O e', e'' = -E e + n x e, and of
 * w = spin e + e x e', w' = (spin - O) e' + G (-e_y, e_x, 0), by the triangle inequality. */
static void bound(dls_exact_solution *s, const double *p)
{
  const long double O = fabsl(s->H3 / s->A), G = s->b / 2, kappa = fabsl(s->spin - s->H3 / s->A);
  const long double fall = s->tau0 > 0 ? s->rise : 0; /* c - u1 */
  const long double R = sqrtl((long double)p[PRECESSION] * p[PRECESSION] + s->b * fall), n0 = G + O * R;
  const long double e2 = R * R + n0, n1 = G * R + O * e2;
  const long double e3 = 2 * G * R + R * R * R + n1 + n0 * R, n2 = G * e2 + O * e3;
  const long double e4 = 2 * G * e2 + 4 * G * R * R + R * R * e2 + n2 + 2 * n1 * R + n0 * e2;
  const long double d[5] = {hypotl(s->spin, R), kappa * R + G, kappa * e2 + G * R, kappa * e3 + G * e2,
                            kappa * e4 + G * e3};
  long double fourth = 0, fifth = 0;
  dls_turning_bounds(d, &fourth, &fifth);
  s->spread = fmaxl(fourth, fifth);
}

static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  (void)end;
  dls_exact_solution *s = *out = calloc(1, sizeof *s);
  if (s == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an exact solution");
  }
  s->weight = p[MASS] * p[GRAVITY] * p[LENGTH];
  s->A = p[ACROSS] + (long double)p[MASS] * p[LENGTH] * p[LENGTH];
  s->mass[0] = s->mass[2] = p[ALONG] / 2;
  s->mass[1] = (double)(s->A - (long double)p[ALONG] / 2);
  s->spin = p[SPIN];
  s->H3 = p[ALONG] * s->spin;
  s->b = 2 * s->weight / s->A;
  set_range(s, p);
  set_poles(s, p);
  bound(s, p);
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

/* alpha or beta, and its rate, by (2) and (3). */
static void parameter(const dls_exact_solution *s, const pole *x, const instant *now, double t,
                      long double complex out[2])
{
  const bool south = x == &s->south;
  const dls_jacobi *at = &now->at;
  long double size, rate, turn = 0; /* of a value sqrt(..) exp(i phase): its derivative along and across */
  if (x->low > 0) {
    size = sqrtl(pole_value(s, x, at));
    rate = (south ? 1 : -1) * s->rise * at->sn * at->cn * at->dn * s->p / size;
    turn = x->moment / (2 * size);
  } else { /* through the pole, with a change of sign */
    const long double signed_size = (fmodl(now->half, 2) != 0 ? -1 : 1) * sqrtl(s->rise);
    size = signed_size * (south ? at->sn : at->cn);
    rate = signed_size * s->p * at->dn * (south ? at->cn : -at->sn);
  }
  const long double phase = x->phase + x->drift * t + turned(s, x, now) - x->p0;
  const long double complex unit = (cosl(phase) + I * sinl(phase)) / sqrtl(2);
  out[0] = size * unit;
  out[1] = (rate + I * (turn + x->drift * size)) * unit;
}

/* The symmetric bilinear form of quaternions that gives, of one with itself, the axes d1, d2, d3 of its rotation. */
static void axes(const long double *a, const long double *b, long double factor, long double *d)
{
  static const int cycle[3] = {2, 3, 1}; /* d1, d2, d3 are the second, third and first axis of Euler's angles */
  for (int k = 0; k < 3; k++) {
    const int i = cycle[k], j = i % 3 + 1, l = j % 3 + 1;
    const long double own = a[0] * b[0] + a[i] * b[i] - a[j] * b[j] - a[l] * b[l];
    d[3 * k + i - 1] = factor * own;
    d[3 * k + j - 1] = factor * (a[i] * b[j] + a[j] * b[i] + a[0] * b[l] + a[l] * b[0]);
    d[3 * k + l - 1] = factor * (a[i] * b[l] + a[l] * b[i] - a[0] * b[j] - a[j] * b[0]);
  }
}

static void cross(const long double *a, const long double *b, long double *c)
{
  for (int i = 0; i < 3; i++) {
    c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
  }
}

/* d'' = w' x d + w x d' with w = sum d x d'/2, A e x e'' = weight (-e_y, e_x, 0) - H3 e' of the axis e = d2. */
static void accelerations(const dls_exact_solution *s, const long double *d, const long double *v,
                          long double *a)
{
  long double w[3] = {0}, rate[3], x[3], y[3];
  for (int k = 0; k < 3; k++) {
    cross(d + 3 * k, v + 3 * k, x);
    for (int i = 0; i < 3; i++) {
      w[i] += x[i] / 2;
    }
  }
  const long double moment[3] = {-s->weight * d[4], s->weight * d[3], 0};
  for (int i = 0; i < 3; i++) {
    rate[i] = (s->spin - s->H3 / s->A) * v[3 + i] + moment[i] / s->A; /* spin e' + e x e'' */
  }
  for (int k = 0; k < 3; k++) {
    cross(rate, d + 3 * k, x);
    cross(w, v + 3 * k, y);
    for (int i = 0; i < 3; i++) {
      a[3 * k + i] = x[i] + y[i];
    }
  }
}

/* mu of d_i . d_j: what is along d_j of m_i d_i'' - F_i, in the order of the model's joints. */
static void set_forces(const dls_exact_solution *s, const long double *d, const long double *a, long double *mu)
{
  static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (int k = 0; k < 6; k++) {
    const int i = pair[k][0], j = pair[k][1];
    long double sum = i == 1 ? s->weight * d[3 * j + 2] : 0;
    for (int c = 0; c < 3; c++) {
      sum += s->mass[i] * a[3 * i + c] * d[3 * j + c];
    }
    mu[k] = sum;
  }
}

static void value(const dls_exact_solution *s, size_t piece, double t, dls_exact_value *out)
{
  const instant now = instant_at(s, s->tau0 + s->p * t);
  long double complex alpha[2], beta[2];
  (void)piece;
  parameter(s, &s->south, &now, t, alpha);
  parameter(s, &s->north, &now, t, beta);
  const long double q[4] = {creall(alpha[0]), creall(beta[0]), cimagl(beta[0]), cimagl(alpha[0])};
  const long double rate[4] = {creall(alpha[1]), creall(beta[1]), cimagl(beta[1]), cimagl(alpha[1])};
  long double d[9], v[9], a[9], mu[6];
  axes(q, q, 1, d);
  axes(q, rate, 2, v);
  accelerations(s, d, v, a); /* of long double: large terms cancel in the forces of joints */
  set_forces(s, d, a, mu);
  for (int i = 0; i < 9; i++) {
    out->q[i] = (double)d[i];
    out->v[i] = (double)v[i];
    out->a[i] = (double)a[i];
  }
  for (int i = 0; i < 6; i++) {
    out->mu[i] = (double)mu[i];
  }
}

static double spacing(const dls_exact_solution *s, size_t piece, double t, double accuracy)
{
  (void)piece, (void)t;
  return dls_turning_spacing(s->spread, accuracy);
}

const dls_exact dls_exact_heavy_top = {
    .model = &dls_model_heavy_top,
    .summary = "all directors in elliptic functions and integrals, through the lowest position too",
    .source = "E. T. Whittaker 1937",
    .create = create,
    .destroy = destroy,
    .gap = gap,
    .value = value,
    .spacing = spacing,
};
