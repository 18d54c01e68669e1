/* analytic/exact/support/linear_flow.c -- see linear_flow.h.
 * Divided differences of exp: Taylor series at s/2^N, then N squarings of the upper triangular table, with the
 * diagonal recomputed each time. Source: McCurdy, Ng, Parlett 1984, "Accurate computation of divided
 * differences of the exponential function".
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/linear_flow.h"
#include <float.h>
#include <math.h>

typedef long double complex node;
typedef struct table {
  node entry[DLS_FLOW_NODES][DLS_FLOW_NODES]; /* (i,j): s^(j-i) exp[s x_i, ..., s x_j], i <= j */
} table;

enum { ZERO, FAST, SLOW, PLUS, MINUS };
/* Near miss or double root: q differs from 0 by less than this part of the height of the flight. */
#define GRAZING (256 * LDBL_EPSILON)
/* Relative error of states in tables, whose values are doubles: that of long double with 64 bits. */
#define OF_ROWS fmaxl(LDBL_EPSILON, 0x1p-63L)
/* A motion below this has died out: its squares underflow. */
#define DEAD (sqrtl(LDBL_MIN) / LDBL_EPSILON)

dls_flow dls_flow_create(long double gamma, long double kappa, long double force, long double amplitude,
                         long double omega, long double phase)
{
  dls_flow flow = {.gamma = gamma, .kappa = kappa, .force = force, .phase = phase};
  const long double half = gamma / 2, discriminant = half * half - kappa;
  if (discriminant >= 0) {
    flow.node[FAST] = -(half + sqrtl(discriminant));
    flow.node[SLOW] = kappa > 0 ? kappa / flow.node[FAST] : 0;
  } else {
    flow.node[FAST] = -half + I * sqrtl(-discriminant);
    flow.node[SLOW] = conjl(flow.node[FAST]);
  }
  if (omega > 0 && amplitude != 0) {
    flow.amplitude = amplitude;
    flow.omega = omega;
    flow.node[PLUS] = I * omega;
    flow.node[MINUS] = -I * omega;
  } else {
    flow.force += amplitude * cosl(phase);
  }
  flow.rate = fmaxl(cabsl(flow.node[FAST]), flow.omega);
  return flow;
}

long double dls_flow_force(const dls_flow *flow, long double t, unsigned order)
{
  if (flow->amplitude == 0) {
    return order == 0 ? flow->force : 0;
  }
  const long double angle = flow->omega * t + flow->phase;
  const long double wave = order % 2 == 0 ? cosl(angle) : sinl(angle);
  const long double sign = order % 4 == 0 || order % 4 == 3 ? 1 : -1;
  return (order == 0 ? flow->force : 0) + flow->amplitude * powl(flow->omega, order) * sign * wave;
}

long double dls_flow_force_bound(const dls_flow *flow, unsigned order)
{
  return fabsl(flow->amplitude) * powl(flow->omega, order);
}

union parts {
  long double part[2];
  node whole;
};

/* a b of finite numbers, without the search for infinities that C asks of *. */
static node product(node a, node b)
{
  const long double ar = creall(a), ai = cimagl(a), br = creall(b), bi = cimagl(b);
  return (union parts){.part = {ar * br - ai * bi, ar * bi + ai * br}}.whole;
}

/* Entry (i,j), i < j, = s^(j-i) sum_k h_k(x_i..x_j)/(k + j - i)!, with h_k(x_i..x_j) = h_k(x_i..x_{j-1}) + x_j
 * h_{k-1}(x_i..x_j) the complete homogeneous polynomials and x the nodes times s. */
static void taylor(const dls_flow *flow, long double s, int count, int terms, table *d)
{
  node x[DLS_FLOW_NODES], h[DLS_FLOW_NODES][DLS_FLOW_NODES];
  long double factor[DLS_FLOW_NODES] = {1}; /* s^(j-i)/(k + j - i)! at j - i */
  for (int j = 0; j < count; j++) {
    x[j] = s * flow->node[j];
    factor[j] = j == 0 ? 1 : factor[j - 1] * s / j;
    for (int i = 0; i <= j; i++) {
      h[i][j] = 1;
      d->entry[i][j] = factor[j - i];
    }
  }
  for (int k = 1; k <= terms; k++) {
    for (int n = 1; n < count; n++) {
      factor[n] /= k + n;
    }
    for (int i = 0; i < count; i++) {
      h[i][i] = product(x[i], h[i][i]);
      for (int j = i + 1; j < count; j++) {
        h[i][j] = product(x[j], h[i][j]) + h[i][j - 1];
        d->entry[i][j] += factor[j - i] * h[i][j];
      }
    }
  }
}

/* x^k/k! bounds the k-th terms relative to the first, x = s * rate <= 1/2. */
static int taylor_terms(long double x, long double epsilon)
{
  int k = 1;
  for (long double term = x; term > epsilon / 8; k++) {
    term *= x / (k + 1);
  }
  return k;
}

static void fill_diagonal(const dls_flow *flow, long double s, int count, table *d)
{
  const node *x = flow->node;
  d->entry[ZERO][ZERO] = 1;
  d->entry[FAST][FAST] = cexpl(s * x[FAST]);
  d->entry[SLOW][SLOW] = cimagl(x[FAST]) != 0 ? conjl(d->entry[FAST][FAST]) : expl(s * creall(x[SLOW]));
  if (count > PLUS) {
    d->entry[PLUS][PLUS] = cexpl(s * x[PLUS]);
    d->entry[MINUS][MINUS] = conjl(d->entry[PLUS][PLUS]);
  }
}

static void square(const dls_flow *flow, long double s, int count, table *d)
{
  table old = *d;
  for (int i = 0; i < count; i++) {
    for (int j = i + 1; j < count; j++) {
      node sum = 0;
      for (int k = i; k <= j; k++) {
        sum += product(old.entry[i][k], old.entry[k][j]);
      }
      d->entry[i][j] = sum;
    }
  }
  fill_diagonal(flow, s, count, d);
}

static table divided_differences(const dls_flow *flow, long double s, long double epsilon)
{
  const int count = flow->amplitude != 0 ? DLS_FLOW_NODES : PLUS;
  const long double turns = 2 * s * flow->rate;
  const int squarings = turns > 1 ? (int)ceill(log2l(turns)) : 0;
  table d = {{{0}}};
  const long double base = ldexpl(s, -squarings);
  const int terms = taylor_terms(base * flow->rate, epsilon);
  taylor(flow, base, count, terms, &d);
  fill_diagonal(flow, base, count, &d);
  for (int n = squarings - 1; n >= 0; n--) {
    square(flow, ldexpl(s, -n), count, &d);
  }
  return d;
}

static long double acceleration(const dls_flow *flow, long double t, long double q, long double v)
{
  return dls_flow_force(flow, t, 0) - flow->gamma * v - flow->kappa * q;
}

static dls_flow_state state_at(const dls_flow *flow, const dls_flow_start *start, long double s,
                               long double epsilon)
{
  const table d = divided_differences(flow, s, epsilon);
  const long double B = creall(d.entry[FAST][SLOW]), S = creall(d.entry[ZERO][SLOW]);
  const long double dB = creall(d.entry[FAST][FAST] + flow->node[SLOW] * d.entry[FAST][SLOW]);
  const long double A = creall(d.entry[FAST][FAST] - flow->node[FAST] * d.entry[FAST][SLOW]);
  const long double F = dls_flow_force(flow, start->t, 0);
  long double q = start->q * A + start->v * B + F * S, v = start->v * dB + (F - flow->kappa * start->q) * B;
  if (flow->amplitude != 0) {
    const long double j = dls_flow_force(flow, start->t, 1), y = dls_flow_force(flow, start->t, 2);
    const long double R = creall(d.entry[ZERO][MINUS]), dR = creall(d.entry[FAST][MINUS]);
    const long double ddR = creall(d.entry[FAST][PLUS] + flow->node[MINUS] * d.entry[FAST][MINUS]);
    q += j * dR + y * R;
    v += j * ddR + y * dR;
  }
  return (dls_flow_state){q, v, acceleration(flow, start->t + s, q, v)};
}

dls_flow_state dls_flow_at(const dls_flow *flow, const dls_flow_start *start, long double s)
{
  return state_at(flow, start, s, LDBL_EPSILON);
}

dls_flow_state dls_flow_row(const dls_flow *flow, const dls_flow_start *start, long double s)
{
  return state_at(flow, start, s, OF_ROWS);
}

/* For x'' + gamma x' + kappa x = G with |G'| <= slope: bound for |x''| on [s, s + h] from x', x'' at s, by
 * x''(s + r) = exp(-gamma r) x'' + int_0^r exp(-gamma (r - z)) (G' - kappa x') dz and |x'(z)| <= |x'| + h
 * max|x''|. Infinite if h is too long for this to close. */
static long double second_bound(const dls_flow *flow, long double h, long double x1, long double x2,
                                long double slope)
{
  const long double memory = flow->gamma * h > 1e-3L ? -expm1l(-flow->gamma * h) / flow->gamma : h;
  const long double left = 1 - memory * flow->kappa * h;
  return left > 0.25L ? (fabsl(x2) + memory * (slope + flow->kappa * fabsl(x1))) / left : (long double)INFINITY;
}

/* A step to the right of s on which q > 0 for sure: the root of q + v x - M x^2/2, with M on [s, s + h], up to
 * h. */
static long double safe_step(const dls_flow *flow, const dls_flow_state *at, long double longest)
{
  const long double slope = dls_flow_force_bound(flow, 1);
  for (long double h = longest;; h /= 2) {
    const long double M = second_bound(flow, h, at->v, at->a, slope);
    if (M < (long double)INFINITY) {
      const long double root = sqrtl(at->v * at->v + 2 * M * at->q);
      const long double x = at->v > 0 ? (at->v + root) / M : 2 * at->q / (root - at->v);
      if (!(x < h / 2)) {
        return x < h ? x : h;
      }
    }
  }
}

/* A first step after q = q' = ... = 0 with d = q^(lead) > 0: q >= d x^lead/lead! - M x^(lead+1)/(lead+1)!. */
static long double lift_step(const dls_flow *flow, const dls_flow_start *start, unsigned lead,
                             long double longest)
{
  const long double d = dls_flow_force(flow, start->t, lead - 2);
  const long double next = dls_flow_force(flow, start->t, lead - 1) - flow->gamma * d;
  for (long double h = longest;; h /= 2) {
    const long double M = second_bound(flow, h, d, next, dls_flow_force_bound(flow, lead));
    if (M * h <= 0.5L * (lead + 1) * d) {
      return h;
    }
  }
}

bool dls_flow_first_zero(const dls_flow *flow, const dls_flow_start *start, unsigned lead, long double s_max,
                         long double *s, long double *v, bool *grazes)
{
  dls_flow_state at = {start->q, start->v, acceleration(flow, start->t, start->q, start->v)};
  long double here = 0, highest = start->q;
  if (lead >= 2) {
    here = lift_step(flow, start, lead, s_max);
    at = dls_flow_at(flow, start, here);
  }
  while (here < s_max && !(fabsl(at.v) < DEAD && fabsl(at.q) < DEAD && fabsl(at.a) < DEAD)) {
    const long double step = at.q > 0 || here == 0 ? safe_step(flow, &at, s_max - here) : 0;
    if (here > 0 && step <= 4 * LDBL_EPSILON * here) {
      *grazes = at.v * at.v <= GRAZING * highest * fabsl(at.a);
      *s = here - (*grazes && at.a > 0 ? at.v / at.a : at.q / at.v);
      *v = *grazes ? 0 : fminl(0, dls_flow_at(flow, start, *s).v);
      return *s <= s_max;
    }
    here = step < s_max - here ? here + step : s_max;
    at = dls_flow_at(flow, start, here);
    highest = fmaxl(highest, at.q);
  }
  return false;
}

long double dls_flow_hermite_step(const dls_flow *flow, const dls_flow_start *start, long double s,
                                  long double longest, long double accuracy)
{
  const bool driven = flow->gamma == 0 && flow->kappa == 0; /* then the state does not enter d[3] to d[5] */
  const dls_flow_state at = driven ? (dls_flow_state){0} : dls_flow_row(flow, start, s);
  long double d[6] = {at.q, at.v, at.a};
  for (unsigned i = 3; i < 6; i++) {
    d[i] = dls_flow_force(flow, start->t + s, i - 2) - flow->gamma * d[i - 1] - flow->kappa * d[i - 2];
  }
  const long double slope = dls_flow_force_bound(flow, 4);
  for (long double h = longest;; h /= 2) {
    const long double fifth = second_bound(flow, h, d[4], d[5], slope), fourth = fabsl(d[4]) + h * fifth;
    const long double fits = sqrtl(sqrtl(384 * accuracy / fmaxl(fmaxl(fourth, fifth), LDBL_MIN)));
    if ((fifth < (long double)INFINITY && !(fits < h / 2)) || h < LDBL_MIN) {
      return fminl(fits, h);
    }
  }
}
