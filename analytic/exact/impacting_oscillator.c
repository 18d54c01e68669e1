/* analytic/exact/impacting_oscillator.c -- solution of the linear oscillator before a wall, any damping and
 * forcing. Flights follow the exact flow (linear_flow.h) and end at its first zero; while the contact lasts, q
 * = v = 0,  lambda = -(f + amplitude cos(omega t + phase)), until lambda falls through zero at omega t + phase
 * = -acos(-f/amplitude) + 2 pi j. Impacts that accumulate are followed until the time left, 2 V/(|a| (1 - e)),
 * is below the rounding of t. Source: elementary; the default data give q = e^n |cos t|, n = floor(t/pi + 1/2).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/linear_flow.h"
#include "analytic/exact/support/wide.h"
#include <delassus/exact.h>
#include <float.h>
#include <stdlib.h>

enum { MASS, STIFFNESS, DAMPING, FORCE, AMPLITUDE, OMEGA, PHASE, RESTITUTION, Q0, V0 };
enum { EVENTS_MAX = 1000000, NO_EVENT = -1 };
enum { CLOSED = 9 }; /* in place of the order of a derivative */

typedef struct piece {
  dls_wide start;
  long double q, v;         /* at the start */
  double v_end;             /* velocity at the end of a flight that ends at the wall */
  double u_minus, time_end; /* of the event at the start */
  int kind;                 /* dls_event_kind or NO_EVENT */
  unsigned lead;            /* order of the first derivative of q at the start that is not 0, or CLOSED */
} piece;

struct dls_exact_solution {
  dls_flow flow;
  double mass, e, q0, v0, end;
  long double bound; /* greatest height of a flight that is left out */
  piece *pieces;
  size_t count, capacity, events;
};

static double round_start(const piece *at)
{
  return dls_wide_round(at->start);
}

/* Append a piece; one whose start is the same double as that of the last piece takes its place. */
static dls_status push(dls_exact_solution *sol, piece next, dls_error *err)
{
  const double time = round_start(&next);
  if (++sol->events > EVENTS_MAX) {
    return dls_fail(err, DLS_ERR_CHATTERING,
                    "impacting-oscillator: %d events by t = %.9g s, no more are computed", EVENTS_MAX, time);
  }
  if (sol->count == sol->capacity) {
    const size_t capacity = 2 * sol->capacity + 8;
    piece *more = realloc(sol->pieces, capacity * sizeof *more);
    if (!more) {
      return dls_fail(err, DLS_ERR_MEMORY, "impacting-oscillator: out of memory for %zu events", capacity);
    }
    sol->pieces = more;
    sol->capacity = capacity;
  }
  if (sol->count > 0 && time <= round_start(&sol->pieces[sol->count - 1])) {
    const piece *shorter = &sol->pieces[--sol->count];
    if (shorter->lead == CLOSED) { /* lift-off as soon as contact was made */
      next.kind = shorter->kind;
      next.u_minus = shorter->u_minus;
    } else {
      const long double push_back = fabsl(dls_flow_force(&sol->flow, shorter->start.hi, 0));
      const long double height = shorter->v * shorter->v / (2 * fmaxl(push_back, LDBL_MIN));
      sol->bound = fmaxl(sol->bound, fminl(height, fabsl(shorter->v) * (long double)DBL_EPSILON * time));
      if (sol->count > 0) {
        sol->pieces[sol->count - 1].v_end = next.u_minus;
      }
    }
  }
  sol->pieces[sol->count++] = next;
  return DLS_OK;
}

/* The force changes its sign, and the rounding of the angle at t can tell. */
static bool force_reverses(const dls_flow *flow, long double t)
{
  const long double ratio = flow->amplitude != 0 ? flow->force / flow->amplitude : 2;
  const long double rounding = 8 * LDBL_EPSILON * (fabsl(flow->omega * t + flow->phase) + 6);
  return 1 - ratio * ratio > rounding * rounding;
}

/* Order of the first derivative of q that is not zero when q = 0 moves off with v, or CLOSED if the force keeps
 * it there. A derivative counts as zero when it cannot be told from rounding. */
static unsigned leading_order(const dls_flow *flow, long double t, long double v)
{
  if (v > 0) {
    return 1;
  }
  const bool pulls = flow->force > 0 && !force_reverses(flow, t); /* f >= |amplitude|: no contact lasts */
  const long double angle = flow->omega * t + flow->phase;
  for (unsigned order = 0; order <= 2; order++) {
    const long double constant = order == 0 ? fabsl(flow->force) : 0;
    const long double size = constant + (fabsl(angle) + 1) * dls_flow_force_bound(flow, order);
    const long double derivative = dls_flow_force(flow, t, order);
    if (fabsl(derivative) > 8 * LDBL_EPSILON * size && !(pulls && derivative < 0)) {
      return derivative > 0 ? order + 2 : CLOSED;
    }
  }
  return CLOSED;
}

/* What follows a contact at t with velocity u_minus <= 0; kind says what to call it if nothing jumps. */
static piece after_contact(const dls_exact_solution *sol, dls_wide t, long double u_minus, int kind)
{
  const long double V = -(long double)sol->e * u_minus, force = dls_flow_force(&sol->flow, t.hi, 0);
  piece next = {.start = t, .v = V, .u_minus = (double)u_minus, .kind = u_minus < 0 ? DLS_IMPACT : kind};
  if (V > 0 && sol->e < 1 && force < 0) {
    const long double left = -2 * V / (force * (1 - (long double)sol->e));
    if (t.hi + left <= t.hi * (1 + DBL_EPSILON / 4)) {
      next.v = 0;
      next.kind = DLS_ACCUMULATION;
      next.time_end = dls_wide_round(dls_wide_add(t, dls_wide_of(left)));
    }
  }
  next.lead = leading_order(&sol->flow, t.hi, next.v);
  return next;
}

/* Next time >= t at which the force becomes positive, INFINITY if never. */
static dls_wide lift_off(const dls_flow *flow, dls_wide t)
{
  if (!force_reverses(flow, t.hi)) {
    return dls_wide_of((long double)INFINITY);
  }
  const long double turn = 2 * acosl(-1.0L), shift = flow->amplitude < 0 ? turn / 2 : 0;
  const long double zero =
      shift - acosl(-flow->force / fabsl(flow->amplitude)); /* -|A| cos x = |A| cos(x - pi) */
  const long double turns = ceill((flow->omega * t.hi + flow->phase - zero) / turn);
  const long double time = (zero + turns * turn - flow->phase) / flow->omega;
  return time > t.hi ? dls_wide_of(time) : t;
}

/* The event that ends the last piece, if it comes by the end. */
static dls_status follow(dls_exact_solution *sol, bool *more, dls_error *err)
{
  piece *last = &sol->pieces[sol->count - 1];
  const long double horizon = nextafter(sol->end, (double)INFINITY);
  *more = false;
  if (last->lead == CLOSED) {
    const dls_wide t = lift_off(&sol->flow, last->start);
    *more = t.hi < (long double)INFINITY && dls_wide_round(t) <= sol->end;
    return *more ? push(sol, (piece){.start = t, .kind = DLS_LIFT_OFF, .lead = 3}, err) : DLS_OK;
  }
  const dls_flow_start start = {last->start.hi, last->q, last->v};
  long double s, v;
  bool grazes;
  if (!dls_flow_first_zero(&sol->flow, &start, last->lead, horizon - start.t, &s, &v, &grazes)) {
    return DLS_OK;
  }
  const dls_wide t = dls_wide_add(last->start, dls_wide_of(s));
  if (dls_wide_round(t) > sol->end) {
    return DLS_OK;
  }
  *more = true;
  last->v_end = (double)v;
  piece next = after_contact(sol, t, v, DLS_GRAZING);
  next.kind = next.kind == DLS_GRAZING && next.lead == CLOSED ? DLS_LANDING : next.kind;
  return push(sol, next, err);
}

static dls_status list_pieces(dls_exact_solution *sol, dls_error *err)
{
  const dls_wide zero = dls_wide_of(0);
  piece first = {.q = sol->q0, .v = sol->v0, .kind = NO_EVENT, .lead = sol->q0 > 0 ? 0 : 1};
  if (sol->q0 == 0 && sol->v0 <= 0) {
    first = after_contact(sol, zero, sol->v0, NO_EVENT);
    first.kind = first.lead == CLOSED && first.kind == NO_EVENT ? DLS_LANDING : first.kind;
  }
  dls_status status = push(sol, first, err);
  for (bool more = true; more && status == DLS_OK;) {
    status = follow(sol, &more, err);
  }
  return status;
}

static void destroy(dls_exact_solution *sol)
{
  if (sol) {
    free(sol->pieces);
    free(sol);
  }
}

static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  dls_exact_solution *sol = calloc(1, sizeof *sol);
  if (!sol) {
    return dls_fail(err, DLS_ERR_MEMORY, "impacting-oscillator: out of memory");
  }
  const long double m = p[MASS];
  sol->flow =
      dls_flow_create(p[DAMPING] / m, p[STIFFNESS] / m, p[FORCE] / m, p[AMPLITUDE] / m, p[OMEGA], p[PHASE]);
  sol->mass = p[MASS];
  sol->e = p[RESTITUTION];
  sol->q0 = p[Q0];
  sol->v0 = p[V0];
  sol->end = end;
  const dls_status status = list_pieces(sol, err);
  if (status != DLS_OK) {
    destroy(sol);
    return status;
  }
  *out = sol;
  return DLS_OK;
}

static size_t pieces(const dls_exact_solution *sol)
{
  return sol->count;
}

static double start(const dls_exact_solution *sol, size_t index)
{
  return round_start(&sol->pieces[index]);
}

static void gap(const dls_exact_solution *sol, double t, const double *q, const double *v, double *g, double *u)
{
  (void)t;
  (void)sol;
  g[0] = q[0];
  u[0] = v[0];
}

static bool event(const dls_exact_solution *sol, size_t index, dls_event *out)
{
  const piece *at = &sol->pieces[index];
  if (at->kind == NO_EVENT) {
    return false;
  }
  *out = (dls_event){.t = start(sol, index), .kind = (dls_event_kind)at->kind};
  if (at->kind == DLS_IMPACT || at->kind == DLS_ACCUMULATION) {
    out->u_minus = at->u_minus;
    out->u_plus = (double)at->v;
    out->impulse = sol->mass * (out->u_plus - out->u_minus);
  }
  if (at->kind == DLS_ACCUMULATION) {
    const long double speed = (long double)sol->e * at->u_minus,
                      force = dls_flow_force(&sol->flow, at->start.hi, 0);
    out->time_end = at->time_end;
    out->bound = (double)fmaxl(sol->bound, speed * speed / (-2 * force));
  }
  return true;
}

/* The rest of a value from time, q, v. */
static void complete(const dls_exact_solution *sol, long double t, bool closed, long double q, long double v,
                     dls_exact_value *out)
{
  const long double force = dls_flow_force(&sol->flow, t, 0);
  out->q[0] = (double)q;
  out->v[0] = (double)v;
  out->a[0] = closed ? 0 : (double)(force - sol->flow.gamma * v - sol->flow.kappa * q);
  out->lambda[0] = closed ? (double)fmaxl(0, -sol->mass * force) : 0;
  out->status[0] = closed;
  out->p[0] = 0;
}

static void initial(const dls_exact_solution *sol, dls_exact_value *out)
{
  complete(sol, 0, false, sol->q0, sol->v0, out);
}

static void value(const dls_exact_solution *sol, size_t index, double t, dls_exact_value *out)
{
  const piece *at = &sol->pieces[index], *next = index + 1 < sol->count ? at + 1 : NULL;
  const bool closed = at->lead == CLOSED;
  if (next && t >= round_start(next)) {
    complete(sol, next->start.hi, closed, 0, closed ? 0 : at->v_end, out);
  } else if (t <= round_start(at)) {
    complete(sol, at->start.hi, closed, at->q, at->v, out);
  } else if (closed) {
    complete(sol, t, true, 0, 0, out);
  } else {
    const long double s = dls_wide_sub(dls_wide_of(t), at->start).hi;
    const dls_flow_state now =
        dls_flow_at(&sol->flow, &(dls_flow_start){at->start.hi, at->q, at->v}, fmaxl(0, s));
    complete(sol, t, false, now.q, now.v, out);
  }
  dls_event here;
  if (t <= round_start(at) && event(sol, index, &here)) {
    out->p[0] = here.impulse;
  }
}

static double spacing(const dls_exact_solution *sol, size_t index, double t, double accuracy)
{
  const piece *at = &sol->pieces[index];
  if (at->lead == CLOSED) {
    return INFINITY;
  }
  const dls_flow_start from = {at->start.hi, at->q, at->v};
  const long double s = dls_wide_sub(dls_wide_of(t), at->start).hi;
  return (double)dls_flow_hermite_step(&sol->flow, &from, fmaxl(0, s), sol->end, accuracy);
}

extern const dls_model dls_model_impacting_oscillator;
extern const dls_exact dls_exact_impacting_oscillator;
const dls_exact dls_exact_impacting_oscillator = {
    .model = &dls_model_impacting_oscillator,
    .summary = "exact linear flow between impacts found by guaranteed root isolation; lasting contact, "
               "lift-off by acos",
    .source = "elementary; default data: q = e^n |cos t|, n = floor(t/pi + 1/2)",
    .n = 1,
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
