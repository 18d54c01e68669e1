/* rough_bowl.c -- swings of the model rough-bowl by quadrature, each from one turning point to the next.
 *
 * Seen so that a swing goes from a < 0 to b, with theta from the lowest point and z = (R theta')^2,
 *   z = A cos(theta) + B sin(theta) + K exp(-2 mu (theta - a)),   K = -(A cos a + B sin a),                       (1)
 *   A = 2 g R (1 - 2 mu^2)/(1 + 4 mu^2),   B = -6 mu g R/(1 + 4 mu^2);
 * exp(2 mu theta) z rises up to -phi = -arctan(mu) and falls behind it: b is its only other zero. With
 * theta = (a + b)/2 - (b - a)/2 cos(psi) the time is a smooth even function of psi of period 2 pi,
 *   dt/dpsi = R sqrt((theta - a)(b - theta)/z) = c_0/2 + c_1 cos(psi) + c_2 cos(2 psi) + ...                         (2)
 * whose coefficients fall geometrically; differences of z are taken without cancellation. t(psi) is inverted by Newton's
 * method. At b it slides back, seen from the other side, or rests where tan|theta| <= mu.
 * Source: elementary.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/pieces.h"
#include "analytic/exact/support/turning.h"
#include <delassus/exact.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MASS, RADIUS, FRICTION, ANGLE, GRAVITY }; /* parameters of the model */
enum { TERMS = 64 };

extern const dls_model dls_model_rough_bowl;

typedef struct half_oscillation {
  long double start, duration;
  long double a, b;         /* at rest a = b */
  int side;                 /* 1: theta grows; -1: seen from the other side */
  long double c[TERMS + 1]; /* of (2) */
} half_oscillation;

struct dls_exact_solution {
  dls_pieces list;                 /* swings */
  long double m, R, mu, g, fourth; /* fourth: bound of derivatives, for the spacing */
};

static const half_oscillation *half_oscillation_of(const dls_exact_solution *s, size_t piece)
{
  return (const half_oscillation *)s->list.of + piece;
}

typedef struct position {
  long double angle, rate, acceleration; /* of theta, seen as the swing sees it */
} position;

/* (z(theta) - z(e))/(theta - e), where K exp(..) of (1) is k at e and z is 0 there. */
static long double divided(const dls_exact_solution *s, long double e, long double k, long double theta)
{
  const long double scale = 2 * s->g * s->R / (1 + 4 * s->mu * s->mu), half = (theta - e) / 2;
  const long double A = scale * (1 - 2 * s->mu * s->mu), B = -3 * s->mu * scale, x = -4 * s->mu * half;
  const long double sinc = half == 0 ? 1 : sinl(half) / half;
  const long double growth = x == 0 ? 1 : expm1l(x) / x; /* (exp(x) - 1)/x, x = -2 mu (theta - e) */
  return sinc * (B * cosl(e + half) - A * sinl(e + half)) - 2 * s->mu * k * growth;
}

/* K exp(-2 mu (e - a)) where z(e) = 0. */
static long double rest_of(const dls_exact_solution *s, long double e)
{
  const long double scale = 2 * s->g * s->R / (1 + 4 * s->mu * s->mu), mu = s->mu;
  return -scale * ((1 - 2 * mu * mu) * cosl(e) - 3 * mu * sinl(e));
}

/* The zero b of z in (a, -a]: z/(theta - a) is positive up to it. */
static long double other_end(const dls_exact_solution *s, long double a)
{
  const long double k = rest_of(s, a);
  long double low = -atanl(s->mu), high = -a;
  if (divided(s, a, k, high) >= 0) { /* without friction, but for rounding */
    return high;
  }
  while (true) {
    const long double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) {
      return middle;
    }
    *(divided(s, a, k, middle) > 0 ? &low : &high) = middle;
  }
}

/* dt/dpsi of (2). */
static long double time_per_psi(const dls_exact_solution *s, const half_oscillation *w, long double psi)
{
  const long double from_a = (w->b - w->a) * powl(sinl(psi / 2), 2),
                    to_b = (w->b - w->a) * powl(cosl(psi / 2), 2);
  const long double Z = from_a < to_b ? divided(s, w->a, rest_of(s, w->a), w->a + from_a) / to_b
                                      : -divided(s, w->b, rest_of(s, w->b), w->b - to_b) / from_a;
  return s->R / sqrtl(Z);
}

/* c_k = 2/N sum f(psi_j) cos(k psi_j), the ends by half. */
static void expand(const dls_exact_solution *s, half_oscillation *w)
{
  const long double pi = acosl(-1);
  long double f[TERMS + 1];
  for (int j = 0; j <= TERMS; j++) {
    f[j] = time_per_psi(s, w, j * pi / TERMS) * (j % TERMS == 0 ? 0.5L : 1);
  }
  for (int k = 0; k <= TERMS; k++) {
    w->c[k] = 0;
    for (int j = 0; j <= TERMS; j++) {
      w->c[k] += 2 * f[j] / TERMS * cosl((k * j % (2 * TERMS)) * pi / TERMS);
    }
  }
  w->c[TERMS] /= 2;
  w->duration = w->c[0] / 2 * pi;
}

/* t - start, the integral of (2), and dt/dpsi at psi, by the recurrence of the multiples of psi. */
static long double time_at(const half_oscillation *w, long double psi, long double *slope)
{
  const long double turn = 2 * cosl(psi);
  long double c = 1, s = 0, c_last = cosl(psi), s_last = -sinl(psi), t = w->c[0] / 2 * psi;
  *slope = w->c[0] / 2;
  for (int k = 1; k <= TERMS; k++) {
    const long double c_next = turn * c - c_last, s_next = turn * s - s_last;
    c_last = c, s_last = s, c = c_next, s = s_next;
    *slope += w->c[k] * c;
    t += w->c[k] / k * s;
  }
  return t;
}

/* psi with t(psi) = t by Newton's method, t the integral of (2); bisection where it leaves the bracket. */
static long double invert(const half_oscillation *w, long double t)
{
  const long double pi = acosl(-1);
  long double low = 0, high = pi, psi = pi * t / w->duration, slope = 0;
  for (int i = 0; i < 100 && high - low > LDBL_EPSILON * pi; i++) {
    const long double off = time_at(w, psi, &slope) - t;
    *(off > 0 ? &high : &low) = psi;
    const long double next = psi - off / slope;
    if (fabsl(next - psi) <= 2 * LDBL_EPSILON * pi) {
      return next;
    }
    psi = next > low && next < high ? next : (low + high) / 2;
  }
  return psi;
}

static position at_time(const dls_exact_solution *s, const half_oscillation *w, long double t)
{
  if (w->a == w->b) {
    return (position){.angle = w->a};
  }
  long double slope = 0;
  const long double psi = invert(w, t);
  time_at(w, psi, &slope);
  const long double theta = w->a + (w->b - w->a) * powl(sinl(psi / 2), 2);
  const long double rate = (w->b - w->a) / 2 * sinl(psi) / slope;
  const long double press = s->R * rate * rate + s->g * cosl(theta); /* lambda/m */
  return (position){theta, rate, -(s->g * sinl(theta) + s->mu * press) / s->R};
}

static bool holds(const dls_exact_solution *s, long double angle)
{
  return fabsl(sinl(angle)) <= s->mu * cosl(angle);
}

/* From rest at an angle: a swing, or the rest. */
static dls_status push(dls_exact_solution *s, long double t, long double angle, int side, dls_error *err)
{
  half_oscillation w = {.start = t, .duration = HUGE_VALL, .a = angle, .b = angle, .side = side};
  if (!holds(s, angle)) {
    w.b = other_end(s, angle);
    expand(s, &w);
  }
  return dls_pieces_push(&s->list, &w, err);
}

/* Time in sqrt(R/g), rate w <= 2 sin(theta0/2): theta'' = -sin - s mu (w^2 + cos), and so on. */
static void bound(dls_exact_solution *s, long double theta0)
{
  const long double mu = s->mu, w = 2 * sinl(fabsl(theta0) / 2), unit = sqrtl(s->R / s->g);
  const long double a = 1 + mu * (w * w + 1), j = w + mu * (2 * w * a + w);
  const long double i = w * w + a + mu * (2 * a * a + 2 * w * j + w * w + a);
  const long double h = w * w * w + 3 * w * a + j + mu * (6 * a * j + 2 * w * i + w * w * w + 3 * w * a + j);
  long double fourth = 0, fifth = 0;
  dls_turning_bounds((const long double[]){w, a, j, i, h}, &fourth, &fifth);
  s->fourth = s->R * fmaxl(fourth / powl(unit, 4), fifth / powl(unit, 5));
}

static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  dls_exact_solution *s = *out = calloc(1, sizeof *s);
  if (s == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an exact solution");
  }
  s->list.size = sizeof(half_oscillation);
  s->m = p[MASS];
  s->R = p[RADIUS];
  s->mu = p[FRICTION];
  s->g = p[GRAVITY];
  bound(s, p[ANGLE]);
  dls_status status = push(s, 0, -fabsl(p[ANGLE]), p[ANGLE] > 0 ? -1 : 1, err);
  while (status == DLS_OK) {
    const half_oscillation *last = half_oscillation_of(s, s->list.count - 1);
    const long double next = last->start + last->duration;
    if (!(next < end)) {
      break;
    }
    status = push(s, next, -last->b, -last->side, err); /* from b, seen from the other side */
  }
  return status;
}

static void gap(const dls_exact_solution *s, double t, const double *q, const double *v, double *g, double *u)
{
  const double r = hypot(q[0], q[1]);
  (void)t;
  g[0] = (double)s->R - r;
  u[0] = -(q[0] * v[0] + q[1] * v[1]) / r;
}

static void value(const dls_exact_solution *s, size_t piece, double t, dls_exact_value *out)
{
  const half_oscillation *w = half_oscillation_of(s, piece);
  const long double since = t <= (double)w->start ? 0 : t - w->start;
  const bool ends = piece + 1 < s->list.count && t >= (double)w[1].start; /* left limit */
  const position at = at_time(s, w, ends ? w->duration : fminl(fmaxl(since, 0), w->duration));
  const long double along[] = {cosl(at.angle),
                               sinl(at.angle)}; /* as the swing sees it: x turns with the side */
  const long double inward[] = {-along[1], along[0]}, R = s->R, w2 = at.rate * at.rate;
  const long double side[] = {w->side, 1};
  for (int i = 0; i < 2; i++) {
    out->q[i] = (double)(-side[i] * R * inward[i]) + 0.0; /* no -0 */
    out->v[i] = (double)(side[i] * R * at.rate * along[i]) + 0.0;
    out->a[i] = (double)(side[i] * R * (at.acceleration * along[i] + w2 * inward[i])) + 0.0;
  }
  out->p[0] = 0;
  out->lambda[0] = (double)(s->m * (R * w2 + s->g * along[0]));
  out->status[0] = w->a == w->b ? 1 : 2;
}

static bool event(const dls_exact_solution *s, size_t piece, dls_event *out)
{
  const half_oscillation *w = half_oscillation_of(s, piece);
  *out = (dls_event){.t = (double)w->start, .kind = w->a == w->b ? DLS_STICK : DLS_REVERSAL};
  return piece > 0;
}

static double spacing(const dls_exact_solution *s, size_t piece, double t, double accuracy)
{
  (void)t;
  const half_oscillation *w = half_oscillation_of(s, piece);
  return w->a == w->b ? HUGE_VAL : dls_turning_spacing(s->fourth, accuracy);
}

const dls_exact dls_exact_rough_bowl = {
    .model = &dls_model_rough_bowl,
    .summary = "time over the angle by quadrature, swing by swing, inverted",
    .source = "elementary",
    .n = 2,
    .m = 1,
    .create = create,
    DLS_PIECES_CALLS,
    .gap = gap,
    .value = value,
    .event = event,
    .spacing = spacing,
};
