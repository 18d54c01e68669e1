/* rocking_block.c -- Housner's block: rocks from one turning point to the next, in Jacobi's elliptic functions.
 *
 * With R^2 = b^2 + h^2, tan(alpha) = b/h, p^2 = 3 g/(4 R) and u = alpha - |phi| the block turns about a corner like a
 * pendulum that stands on its head, u'' = p^2 sin u. At the time s from its turning point u_n = alpha - phi_n > 0,
 *   S = sin((u - u_n)/2) sin((u + u_n)/2) = (k k' sd(p s))^2,   u' = 2 p sqrt(S) sgn s,   k = cos(u_n/2), k' = sin(u_n/2);  (1)
 * flat, u = alpha, it lands on the other corner, and without slip
 *   u' -> r u',  S -> r^2 S,   r = 1 - 3/2 sin(alpha)^2,   P = m u' (h (r - 1), b (1 + r))                              (2)
 * Rocks are followed until the time left is below the rounding of t. The forces of a corner are
 *   N = m g/4 ((3 c - c_n)^2 + 1 - c_n^2),   T = 3/4 m g sin u (3 c - 2 c_n),   c = cos u, c_n = cos u_n.               (3)
 * For b <= h/2, T/N grows with u (6 c^2 - 2 c c_n - 3 > 0) and, at u = alpha, falls with c_n: it stays below its value for
 * small rocks, 3 sin cos/(4 - 3 sin^2) of alpha, which is also what (2) asks of mu.
 * Source: Housner 1963.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/elliptic.h"
#include "analytic/exact/support/pieces.h"
#include "analytic/exact/support/trigonometry.h"
#include "analytic/exact/support/turning.h"
#include <delassus/exact.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MASS, HALF_WIDTH, HALF_HEIGHT, FRICTION, ANGLE, GRAVITY }; /* parameters of the model */

extern const dls_model dls_model_rocking_block;

typedef struct rock {
  long double start;
  long double turn;         /* time of the turning point */
  long double phi;          /* amplitude */
  int side;                 /* 1: phi > 0, on the left corner; -1: on the right one */
  double impulse;           /* of the impact at its start, normal */
  double speed;             /* of the corner that strikes */
  bool last;                /* at rest on both corners: what would follow is too short */
  dls_elliptic_means means; /* of k, k' */
  dls_sine_cosine turning;  /* of u_n */
  long double k_kc;         /* k k' */
} rock;

struct dls_exact_solution {
  dls_pieces list; /* rocks */
  long double m, b, h, g, R, p, alpha, ratio;
  long double pivot[2]; /* x of the left and of the right corner */
  long double fourth;   /* bound of derivatives, for the spacing */
};

static const rock *rock_of(const dls_exact_solution *s, size_t piece)
{
  return (const rock *)s->list.of + piece;
}

/* tan x for the least x with sin x sin(c + x) = S; with -cosine sin x sin(c - x) = S. */
static long double half_tangent(long double sine, long double cosine, long double S)
{
  return 2 * S / (sine + sqrtl(sine * sine + 4 * S * (cosine - S))); /* (cosine - S) T^2 + sine T - S = 0 */
}

static long double energy(const dls_exact_solution *s, long double phi) /* S of (1) where it is flat */
{
  return sinl(phi / 2) * sinl(s->alpha - phi / 2);
}

/* From the amplitude phi to flat: sd(p s) = sqrt(S)/(k k'). */
static long double fall_time(const dls_exact_solution *s, long double phi)
{
  const long double half = (s->alpha - phi) / 2, k = cosl(half), kc = sinl(half);
  const long double sd2 = energy(s, phi) / (k * k * kc * kc);
  const long double dn2 = 1 / (1 + k * k * sd2), cn2 = (1 - kc * kc * sd2) * dn2;
  return sqrtl(sd2 * dn2) * dls_elliptic_rf(cn2, dn2, 1) / s->p;
}

static dls_status push(dls_exact_solution *s, rock *what, dls_error *err)
{
  const size_t count = s->list.count;
  const long double un = s->alpha - what->phi, k = cosl(un / 2), kc = sinl(un / 2);
  what->means = dls_elliptic_means_of(k, kc);
  what->turning = (dls_sine_cosine){sinl(un), cosl(un)};
  what->k_kc = k * kc;
  if (count > 0 && (double)what->start <= (double)rock_of(s, count - 1)->start) {
    s->list.count--; /* shorter than the rounding of t: its successor takes its place */
  }
  return dls_pieces_push(&s->list, what, err);
}

/* The rock behind an impact with rate w = |u'|. Rocks of rate w last at most 2 w/(p^2 sin u_n), which bounds the rest. */
static rock next_rock(const dls_exact_solution *s, long double t, long double w, int side)
{
  const long double root = s->ratio * w / (2 * s->p), S = root * root,
                    phi = 2 * atanl(half_tangent(sinl(s->alpha), -cosl(s->alpha), S));
  const long double left = 2 * s->ratio * w / (s->p * s->p * sinl(s->alpha - phi) * (1 - s->ratio));
  const bool last = left <= (long double)DBL_EPSILON * t;
  return (rock){.start = t,
                .turn = last ? t : t + fall_time(s, phi),
                .phi = phi,
                .side = side,
                .impulse = (double)(s->m * s->b * w * (1 + s->ratio)),
                .speed = (double)(2 * s->b * w),
                .last = last};
}

static dls_status rock_on(dls_exact_solution *s, long double phi, int side, double end, dls_error *err)
{
  rock at = {.phi = phi, .side = side, .last = phi == 0};
  long double fall = at.last ? HUGE_VALL : fall_time(s, phi), t = fall, w = 2 * s->p * sqrtl(energy(s, phi));
  dls_status status = push(s, &at, err);
  while (status == DLS_OK && t < end && !at.last) {
    at = next_rock(s, t, w, -at.side);
    status = push(s, &at, err);
    t = 2 * at.turn - at.start;
    w *= s->ratio;
  }
  return status;
}

/* What Housner's motion asks for. */
static dls_status check(const double *p, long double alpha, dls_error *err)
{
  const long double sine = sinl(alpha), needed = 3 * sine * cosl(alpha) / (4 - 3 * sine * sine);
  if (2 * p[HALF_WIDTH] > p[HALF_HEIGHT]) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                    "b = %g m is above h/2 = %g m: the exact solution is that of slender blocks", p[HALF_WIDTH],
                    p[HALF_HEIGHT] / 2);
  }
  if (!(fabs(p[ANGLE]) < alpha)) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                    "phi0 = %g rad is outside of alpha = atan(b/h) = %Lg rad: the block falls over", p[ANGLE],
                    alpha);
  }
  if (p[ANGLE] != 0 && p[FRICTION] < needed) {
    return dls_fail(
        err, DLS_ERR_NOT_APPLICABLE,
        "mu = %g is below %Lg, 3 sin cos/(4 - 3 sin^2) of alpha: the corners slip, no exact solution",
        p[FRICTION], needed);
  }
  return DLS_OK;
}

/* Time in 1/p, |u'| <= 2 sqrt(S): u'' = sin u, and so on. */
static void bound(dls_exact_solution *s, long double phi)
{
  const long double w = 2 * sqrtl(energy(s, phi)), a = sinl(s->alpha), i = a * (w * w + 1);
  const long double d[] = {w, a, w, i, w * w * w + 3 * w * a * a + w};
  long double fourth = 0, fifth = 0;
  dls_turning_bounds(d, &fourth, &fifth);
  s->fourth = fmaxl(fmaxl(s->R * fourth, d[3]) * powl(s->p, 4), fmaxl(s->R * fifth, d[4]) * powl(s->p, 5));
}

static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  const long double b = p[HALF_WIDTH], h = p[HALF_HEIGHT], alpha = atan2l(b, h), sine = sinl(alpha);
  *out = NULL;
  const dls_status status = check(p, alpha, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_exact_solution *s = *out = calloc(1, sizeof *s);
  if (s == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an exact solution");
  }
  s->list.size = sizeof(rock);
  s->m = p[MASS], s->b = b, s->h = h, s->g = p[GRAVITY];
  s->R = hypotl(b, h);
  s->p = sqrtl(3 * s->g / (4 * s->R));
  s->alpha = alpha;
  s->ratio = 1 - 1.5L * sine * sine;
  const int side = p[ANGLE] < 0 ? -1 : 1;
  const long double phi = fabsl(p[ANGLE]), centre = side * s->R * sinl(alpha - phi); /* from its corner */
  s->pivot[0] = side > 0 ? -centre : -centre - 2 * b;
  s->pivot[1] = s->pivot[0] + 2 * b;
  bound(s, phi);
  return rock_on(s, phi, side, end, err);
}

static void gap(const dls_exact_solution *s, double t, const double *q, const double *v, double *g, double *u)
{
  (void)t;
  for (int j = 0; j < 2; j++) {
    const double b = (double)(j == 0 ? -s->b : s->b), h = (double)s->h;
    g[j] = q[1] + sin(q[2]) * b - cos(q[2]) * h;
    u[j] = v[1] + (cos(q[2]) * b + sin(q[2]) * h) * v[2];
  }
}

static void rest_value(const dls_exact_solution *s, dls_exact_value *out)
{
  const double q[] = {(double)(s->pivot[0] + s->b) + 0.0, (double)s->h, 0};
  for (int i = 0; i < 3; i++) {
    out->q[i] = q[i];
    out->v[i] = out->a[i] = 0;
  }
  for (int j = 0; j < 2; j++) {
    out->lambda[j] = (double)(s->m * s->g / 2);
    out->status[j] = 1;
  }
}

/* At s from the turning point: (1), (3), and the centre at R (sin u, cos u) from the corner, to its right where side = 1. */
static void rock_value(const dls_exact_solution *s, const rock *at, long double since, dls_exact_value *out)
{
  const int side = at->side, corner = side < 0;
  const long double p = s->p, R = s->R, sine = at->turning.sine, cn = at->turning.cosine;
  const dls_jacobi e = dls_elliptic_jacobi_row(&at->means, p * since);
  const long double root = at->k_kc * e.sn / e.dn, S = root * root;
  const long double d = 2 * dls_arc_tangent(half_tangent(sine, cn, S)); /* u - u_n */
  const dls_sine_cosine turned = dls_sine_cosine_of(s->alpha - at->phi + d);
  const long double x = turned.sine, y = turned.cosine, w = 2 * p * root, a = p * p * x;
  const long double q[] = {s->pivot[corner] + side * R * x, R * y, side * (at->phi - d)};
  const long double v[] = {side * R * y * w, -R * x * w, -side * w};
  const long double vv[] = {side * R * (y * a - x * w * w), -R * (x * a + y * w * w), -side * a};
  for (int i = 0; i < 3; i++) {
    out->q[i] = (double)q[i] + 0.0; /* no -0 */
    out->v[i] = (double)v[i] + 0.0;
    out->a[i] = (double)vv[i] + 0.0;
  }
  out->lambda[corner] = (double)(s->m * s->g / 4 * ((3 * y - cn) * (3 * y - cn) + 1 - cn * cn));
  out->lambda[!corner] = 0;
  out->status[corner] = 1;
  out->status[!corner] = 0;
}

static void value(const dls_exact_solution *s, size_t piece, double t, dls_exact_value *out)
{
  const rock *at = rock_of(s, piece);
  const long double from = at->start - at->turn;
  const bool starts = t <= (double)at->start, ends = piece + 1 < s->list.count && t >= (double)at[1].start;
  const long double since = starts ? from : ends ? at[1].start - at->turn : fmaxl(t - at->turn, from);
  if (at->last) {
    rest_value(s, out);
  } else {
    rock_value(s, at, since, out);
  }
  out->p[0] = out->p[1] = 0;
  out->p[at->side < 0] = starts ? at->impulse : 0;
}

static bool event(const dls_exact_solution *s, size_t piece, dls_event *out)
{
  const rock *at = rock_of(s, piece);
  *out = (dls_event){.t = (double)at->start,
                     .kind = at->last ? DLS_ACCUMULATION : DLS_IMPACT,
                     .contact = at->side < 0,
                     .u_minus = -at->speed,
                     .impulse = at->impulse,
                     .time_end = at->last ? (double)at->start : 0,
                     .bound = at->last ? (double)(2 * s->b * sinl(at->phi)) : 0};
  return piece > 0;
}

static double spacing(const dls_exact_solution *s, size_t piece, double t, double accuracy)
{
  (void)t;
  return rock_of(s, piece)->last ? HUGE_VAL : dls_turning_spacing(s->fourth, accuracy);
}

const dls_exact dls_exact_rocking_block = {
    .model = &dls_model_rocking_block,
    .summary = "rock by rock in elliptic functions, through the accumulation of impacts",
    .source = "G. W. Housner 1963",
    .n = 3,
    .m = 2,
    .create = create,
    DLS_PIECES_CALLS,
    .gap = gap,
    .value = value,
    .event = event,
    .spacing = spacing,
};
