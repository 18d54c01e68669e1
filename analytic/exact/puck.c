/* analytic/exact/puck.c -- a puck on an incline: the direction of slip turns downhill.
 *
 * With phi the angle of v from downhill, sigma = tan(phi/2), kappa = mu/tan(alpha), g_s = g sin(alpha), the path obeys
 *   sigma = sigma0 exp(l),   v = c exp((kappa-1) l) (1 + sigma^2),   c = v0/(1 + sigma0^2),   dt = -v/g_s dl,
 * and t, x, y are sums of D(e) = (1 - exp(e l))/e, e -> 0 included:
 *   t = c/g_s [D(kappa-1) + sigma0^2 D(kappa+1)],  x = c^2/g_s [D(2 kappa-2) - sigma0^4 D(2 kappa+2)],
 *   y = 2 c^2 sigma0/g_s [D(2 kappa-1) + sigma0^2 D(2 kappa+1)].
 * Powers of sigma itself would overflow: near kappa = 1, l falls below -10^5. t is inverted for l <= 0 by Newton's method on a
 * logarithm, bracketed. kappa > 1: at rest after a finite time. Straight lines (phi0 = 0 or pi, alpha = 0) are those of the incline.
 * Source: elementary.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/threshold_rows.h"
#include <delassus/exact.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MASS, ALPHA, FRICTION, SPEED, ANGLE, GRAVITY }; /* parameters of the model */

extern const dls_model dls_model_puck;

/* Thresholds: name, value, unit, reason, effect (common/base/threshold_rows.h). */
#define PUCK_REALS(X)                                                                                          \
  X(straight, 1e-15, "1", "sin(phi0) below it is the rounding of pi", "the path is a straight line")
#define PUCK_COUNTS(X)                                                                                         \
  X(inversions, 300, "steps", "bisection takes 65 for the digits of l", "Newton's method for l(t) ends")
PUCK_REALS(DLS_THRESHOLD_REAL)
enum { PUCK_COUNTS(DLS_THRESHOLD_COUNT) };

struct dls_exact_solution {
  long double kappa, sigma0, c, gs, drag; /* drag = mu g cos(alpha) */
  long double stop, turn; /* times of rest and, on a straight line uphill, of the highest point; or inf */
  long double along;      /* on a straight line: velocity downhill */
  long double across;     /* 1 or -1: the side to which y goes */
  bool straight;
  double v0[2], force;
  size_t count;
  long double change; /* the first of both times */
  double starts[2];
};

typedef struct motion {
  long double x, y, vx, vy, ax, ay;
} motion;

/* D(e) */
static long double difference(long double e, long double l)
{
  return e == 0 ? -l : -expm1l(e * l) / e;
}

static long double time_at(const dls_exact_solution *s, long double l)
{
  const long double k = s->kappa;
  return s->c / s->gs * (difference(k - 1, l) + s->sigma0 * s->sigma0 * difference(k + 1, l));
}

static long double speed_at(const dls_exact_solution *s, long double l)
{
  const long double sigma = s->sigma0 * expl(l);
  return s->c * expl((s->kappa - 1) * l) * (1 + sigma * sigma);
}

/* stop - t for kappa > 1, without cancellation */
static long double time_left(const dls_exact_solution *s, long double l)
{
  const long double sigma = s->sigma0 * expl(l), k = s->kappa;
  return s->c / s->gs * expl((k - 1) * l) * (1 / (k - 1) + sigma * sigma / (k + 1));
}

/* l at t > 0. t falls with l: in the second half of the way to rest ln(left / wanted left) rises with it instead. Before, what is
 * left may be longer by far than t. */
static long double invert(const dls_exact_solution *s, long double t)
{
  const bool rests = s->kappa > 1 && t > s->stop / 2;
  const long double wanted = rests ? s->stop - t : t;
  long double high = 0, low = -1, l = 0;
  while (rests ? time_left(s, low) > wanted : time_at(s, low) < wanted) {
    low *= 2;
  }
  l = low;
  for (int k = 0; k < threshold_inversions && high - low > 0; k++) {
    const long double now = rests ? time_left(s, l) : time_at(s, l);
    if (fabsl(now - wanted) <= 2 * LDBL_EPSILON * wanted) {
      return l;
    }
    const bool below = rests ? now < wanted : now > wanted; /* l is too small */
    *(below ? &low : &high) = l;
    const long double slope = (rests ? 1 : -1) * speed_at(s, l) / s->gs; /* of now */
    long double next = now > 0 ? l - now / slope * logl(now / wanted) : 0.5L * (low + high);
    next = next > low && next < high ? next : 0.5L * (low + high);
    if (fabsl(next - l) <= 2 * LDBL_EPSILON * (1 + fabsl(l))) {
      return next;
    }
    l = next;
  }
  return l;
}

/* x and y from D(2 kappa - 2), D(2 kappa + 2), D(2 kappa - 1), D(2 kappa + 1) */
static motion place(const dls_exact_solution *s, const long double d[4])
{
  const long double a = s->c * s->c / s->gs, square = s->sigma0 * s->sigma0;
  return (motion){.x = a * (d[0] - square * square * d[1]),
                  .y = s->across * 2 * a * s->sigma0 * (d[2] + square * d[3])};
}

static motion at_rest(const dls_exact_solution *s)
{
  const long double k = s->kappa;
  return place(s, (const long double[]){1 / (2 * k - 2), 1 / (2 * k + 2), 1 / (2 * k - 1), 1 / (2 * k + 1)});
}

static motion curved(const dls_exact_solution *s, long double t)
{
  if (t >= s->stop) {
    return at_rest(s);
  }
  const long double l = t > 0 ? invert(s, t) : 0, k = s->kappa;
  const long double sigma = s->sigma0 * expl(l), v = speed_at(s, l), d = 1 + sigma * sigma;
  const long double ex = (1 - sigma * sigma) / d, ey = s->across * 2 * sigma / d;
  motion m = place(s, (const long double[]){difference(2 * k - 2, l), difference(2 * k + 2, l),
                                            difference(2 * k - 1, l), difference(2 * k + 1, l)});
  m.vx = v * ex;
  m.vy = v * ey;
  m.ax = s->gs - s->drag * ex;
  m.ay = -s->drag * ey;
  return m;
}

/* Along the slope, or on the level in the direction of v0: a way down, perhaps a way up before. */
static motion straight(const dls_exact_solution *s, long double t)
{
  const bool up = t < s->turn && s->turn < HUGE_VALL, rests = t >= s->stop;
  const long double a1 = s->gs + (s->along < 0 ? 1 : -1) * s->drag, t1 = fminl(t, fminl(s->turn, s->stop));
  const long double a2 = s->turn < s->stop && !up ? s->gs - s->drag : 0;
  const long double t2 = a2 != 0 && t > s->turn ? t - s->turn : 0;
  const long double v = rests ? 0 : s->along + a1 * t1 + a2 * t2;
  const long double x = s->along * t1 + a1 * t1 * t1 / 2 + a2 * t2 * t2 / 2;
  const long double a = rests ? 0 : a2 != 0 ? a2 : a1;
  const long double speed = hypotl(s->v0[0], s->v0[1]);
  const long double cx = s->gs == 0 && speed > 0 ? s->v0[0] / speed : 1;
  const long double cy = s->gs == 0 && speed > 0 ? s->v0[1] / speed : 0;
  return (motion){x * cx, x * cy, v * cx, v * cy, a * cx, a * cy};
}

static motion motion_at(const dls_exact_solution *s, long double t)
{
  return s->straight ? straight(s, t) : curved(s, t);
}

static void set_straight(dls_exact_solution *s, const double *p)
{
  s->along = s->gs == 0 ? p[SPEED] : s->v0[0];
  const long double a = s->gs + (s->along < 0 ? 1 : -1) * s->drag;
  const bool holds = s->drag >= s->gs;
  s->turn = s->along < 0 && !holds ? -s->along / a : HUGE_VALL;
  s->stop = !holds ? HUGE_VALL : s->along == 0 ? 0 : s->along * a < 0 ? -s->along / a : HUGE_VALL;
}

static void set_curved(dls_exact_solution *s, const double *p)
{
  const long double half = p[ANGLE] / 2.0L, k = s->kappa;
  s->sigma0 = fabsl(tanl(half));
  s->across = s->v0[1] < 0 ? -1 : 1;
  s->c = p[SPEED] / (1 + s->sigma0 * s->sigma0);
  s->stop = k > 1 ? p[SPEED] * (k + cosl(p[ANGLE])) / (s->gs * (k * k - 1)) : HUGE_VALL;
}

static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  dls_exact_solution *s = *out = calloc(1, sizeof *s);
  if (s == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an exact solution");
  }
  s->gs = p[GRAVITY] * sinl(p[ALPHA]);
  s->drag = (long double)p[FRICTION] * p[GRAVITY] * cosl(p[ALPHA]);
  s->kappa = s->gs > 0 ? s->drag / s->gs : 0;
  s->force = p[MASS] * p[GRAVITY] * cos(p[ALPHA]);
  s->v0[0] = p[SPEED] * cos(p[ANGLE]);
  s->v0[1] = p[SPEED] * sin(p[ANGLE]);
  s->straight = p[SPEED] == 0 || s->gs == 0 || fabs(sin(p[ANGLE])) < threshold_straight;
  (s->straight ? set_straight : set_curved)(s, p);
  s->count = 1;
  s->change = fminl(s->stop, s->straight ? s->turn : HUGE_VALL);
  if (s->change > 0 && s->change < end) {
    s->starts[s->count++] = (double)s->change;
  }
  return DLS_OK;
}

static void destroy(dls_exact_solution *s)
{
  free(s);
}

static size_t pieces(const dls_exact_solution *s)
{
  return s->count;
}

static double start(const dls_exact_solution *s, size_t piece)
{
  return s->starts[piece];
}

static void gap(const dls_exact_solution *s, double t, const double *q, const double *v, double *g, double *u)
{
  (void)t;
  (void)s;
  g[0] = q[2];
  u[0] = v[2];
}

static void value(const dls_exact_solution *s, size_t piece, double t, dls_exact_value *out)
{
  const bool last = piece + 1 == s->count;
  long double at = t;
  if (!last && t >= s->starts[piece + 1]) { /* left limit */
    at = nextafterl(s->change, 0);
  } else if (piece > 0 && t <= s->starts[piece]) { /* right limit */
    at = s->change;
  }
  const motion m = motion_at(s, at);
  const long double all[3][3] = {{m.x, m.vx, m.ax}, {m.y, m.vy, m.ay}, {0, 0, 0}};
  for (size_t i = 0; i < 3; i++) {
    out->q[i] = (double)all[i][0] + 0.0; /* no -0 */
    out->v[i] = (double)all[i][1] + 0.0;
    out->a[i] = (double)all[i][2] + 0.0;
  }
  out->p[0] = 0;
  out->lambda[0] = s->force;
  out->status[0] = at >= s->stop ? 1 : 2;
}

static void initial(const dls_exact_solution *s, dls_exact_value *out)
{
  value(s, 0, 0, out);
  out->v[0] = s->v0[0];
  out->v[1] = s->v0[1];
}

static bool event(const dls_exact_solution *s, size_t piece, dls_event *out)
{
  if (piece == 0) {
    return false;
  }
  *out = (dls_event){.t = s->starts[piece],
                     .kind = (double)s->stop <= s->starts[piece] ? DLS_STICK : DLS_REVERSAL};
  return true;
}

/* Up to rest, kappa > 1, after at most v/(g_s (kappa - 1)): the speed falls, so that v errs by at most v as it is, and by
 * v + 4/27 h (|a_0| + |a_1|) as a cubic; q by v h and v h (1 + 4/27). */
static bool over(const dls_exact_solution *s, long double v, double accuracy)
{
  const long double k = s->kappa, of_v = 2 + 8.0L / 27 * (k + 1) / (k - 1);
  const long double of_q = (2 + 4.0L / 27) * v / (s->gs * (k - 1));
  return k > 1 && v * fmaxl(of_v, of_q) <= accuracy;
}

/* As complex numbers, with E = exp(i phi), tau = v/g_s, phi' = -sin(phi)/tau, tau' = cos(phi) - kappa, the derivatives of v are
 *   v' = g_s (1 - kappa E),  g_s kappa f/tau,  g_s kappa f1/tau^2,  g_s kappa f2/tau^3,
 *   f = (E^2 - 1)/2,  f1 = -(sin f_phi + (cos - kappa) f),  f2 = -(sin f1_phi + 2 (cos - kappa) f1).
 * With s >= |sin| and e >= |cos - kappa|,
 *   |f| <= s,  |f1| <= s (1 + e),  |f1_phi| <= (1 + s)^2 + e,  |f2| <= s ((1 + s)^2 + 3 e + 2 e^2).
 * phi falls to 0, so that cos rises to 1 at most. Over h <= tau/(5 e), tau stays above 4/5 of itself. Uphill, sin rises by a factor
 * below exp(1/4) over h <= tau/5. */
static double spacing(const dls_exact_solution *sol, size_t piece, double t, double accuracy)
{
  const motion m = motion_at(sol, fmax(t, sol->starts[piece]));
  const long double v = hypotl(m.vx, m.vy), k = sol->kappa, gs = sol->gs;
  if (sol->straight || (piece + 1 == sol->count && t >= (double)sol->stop) || over(sol, v, accuracy)) {
    return HUGE_VAL;
  }
  const bool uphill = m.vx < 0;
  const long double e = fmaxl(fabsl(m.vx / v - k), fabsl(1 - k)), sine = fabsl(m.vy) / v;
  const long double s = uphill ? fminl(1, expl(0.25L) * sine) : sine;
  const long double most = 0.2L * v / gs / (uphill ? fmaxl(1, e) : e), tau = 0.8L * v / gs;
  const long double of_q = gs * k * s * (1 + e) / (tau * tau);
  const long double of_v = gs * k * s * ((1 + s) * (1 + s) + 3 * e + 2 * e * e) / (tau * tau * tau);
  return (double)fminl(most, powl(384 * accuracy / fmaxl(of_q, of_v), 0.25L));
}

const dls_exact dls_exact_puck = {
    .model = &dls_model_puck,
    .summary = "the path over the direction of slip in closed form, inverted for t",
    .source = "elementary",
    .n = 3,
    .m = 1,
    .create = create,
    .destroy = destroy,
    .pieces = pieces,
    .start = start,
    .gap = gap,
    .initial = initial,
    .value = value,
    .event = event,
    .spacing = spacing,
};
