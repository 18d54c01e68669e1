/* analytic/exact/two_ball_oscillator.c -- two balls with a spring between them over a floor, piece by piece.
 * With y = q1 - R, z = q2 - q1 - l, kappa = k/m:
 *   flight   z'' = -2 kappa z,  y'' = -g + kappa z           (the mean height falls freely, z vibrates)
 *   contact  y = 0,  z'' = -g - kappa z,  lambda/m = x = g - kappa z >= 0,  x'' = -kappa x + 2 kappa g
 * All are waves (analytic/exact/support/wave.h), and so are their first zeros y = 0 (impact) and x = 0 (lift-off). At an
 * impact y' jumps to -e y' and z' by (1 + e) y'. Impacts that accumulate are followed until the time left,
 * 2 V/((g - kappa z)(1 - e)), is below the rounding of t.
 * Source: elementary; modal decomposition of the two equal masses.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/wave.h"
#include "analytic/exact/support/wide.h"
#include <delassus/exact.h>
#include <float.h>
#include <stdlib.h>

enum { MASS, STIFFNESS, REST_LENGTH, GRAVITY, RADIUS, RESTITUTION, Q1, Q2, V1, V2 };
enum { EVENTS_MAX = 1000000, NO_EVENT = -1 };
enum { CLOSED = 9 }; /* in place of the order of a derivative */

typedef struct state {
  long double y, v, z, w; /* v = y', w = z' */
} state;

typedef struct piece {
  dls_wide start;
  state at;                 /* right limit at the start */
  double v_end;             /* y' at the end of a flight that ends on the floor */
  double u_minus, time_end; /* of the event at the start */
  int kind;                 /* dls_event_kind or NO_EVENT */
  unsigned lead;            /* order of the first derivative of y at the start that is not 0, or CLOSED */
} piece;

struct dls_exact_solution {
  double mass, e, radius, length, q0[2], v0[2], end;
  long double kappa, g;
  long double bound; /* greatest height of a flight that is left out */
  piece *pieces;
  size_t count, capacity, events;
};

static dls_wave gap_wave(const dls_exact_solution *sol, const state *at)
{
  const long double kappa = sol->kappa;
  return (dls_wave){at->y, at->v, -sol->g, kappa * at->z, kappa * at->w, sqrtl(2 * kappa)};
}

static dls_wave stretch_wave(const dls_exact_solution *sol, const state *at, bool closed)
{
  const long double kappa = sol->kappa;
  return closed ? (dls_wave){at->z, at->w, 0, -sol->g - kappa * at->z, -kappa * at->w, sqrtl(kappa)}
                : (dls_wave){at->z, at->w, 0, -2 * kappa * at->z, -2 * kappa * at->w, sqrtl(2 * kappa)};
}

static state state_at(const dls_exact_solution *sol, const piece *from, long double s)
{
  const bool closed = from->lead == CLOSED;
  const dls_wave z = stretch_wave(sol, &from->at, closed), y = gap_wave(sol, &from->at);
  const dls_wave_state stretch = dls_wave_at(&z, s);
  if (closed) {
    return (state){0, 0, stretch.x, stretch.d};
  }
  const dls_wave_state gap = dls_wave_at(&y, s);
  return (state){gap.x, gap.d, stretch.x, stretch.d};
}

/* y'' without contact force */
static long double free_acceleration(const dls_exact_solution *sol, long double z)
{
  return sol->kappa * z - sol->g;
}

static double round_start(const piece *at)
{
  return dls_wide_round(at->start);
}

/* Leave out the last piece: next starts at the same double. */
static void drop_last(dls_exact_solution *sol, piece *next)
{
  const piece *shorter = &sol->pieces[--sol->count];
  if (shorter->lead == CLOSED) { /* lift-off as soon as contact was made */
    next->kind = shorter->kind;
    next->u_minus = shorter->u_minus;
    return;
  }
  const long double force = fabsl(free_acceleration(sol, shorter->at.z)), speed = fabsl(shorter->at.v);
  const long double height = speed * speed / (2 * fmaxl(force, LDBL_MIN));
  sol->bound = fmaxl(sol->bound, fminl(height, speed * (long double)DBL_EPSILON * round_start(next)));
  if (sol->count > 0) {
    sol->pieces[sol->count - 1].v_end = next->u_minus;
  }
}

static dls_status push(dls_exact_solution *sol, piece next, dls_error *err)
{
  if (++sol->events > EVENTS_MAX) {
    return dls_fail(err, DLS_ERR_CHATTERING,
                    "two-ball-oscillator: %d events by t = %.9g s, no more are computed", EVENTS_MAX,
                    round_start(&next));
  }
  if (sol->count == sol->capacity) {
    const size_t capacity = 2 * sol->capacity + 8;
    piece *more = realloc(sol->pieces, capacity * sizeof *more);
    if (!more) {
      return dls_fail(err, DLS_ERR_MEMORY, "two-ball-oscillator: out of memory for %zu events", capacity);
    }
    sol->pieces = more;
    sol->capacity = capacity;
  }
  if (sol->count > 0 && round_start(&next) <= round_start(&sol->pieces[sol->count - 1])) {
    drop_last(sol, &next);
  }
  sol->pieces[sol->count++] = next;
  return DLS_OK;
}

/* Order of the first derivative of y that is not zero when y = 0 moves off, or CLOSED. With y'' = 0, to
 * rounding, y''' = kappa z' decides; with z' = 0 too, x'' = 2 kappa g >= 0 keeps the contact. */
static unsigned leading_order(const dls_exact_solution *sol, const state *at)
{
  if (at->v > 0) {
    return 1;
  }
  const long double force = free_acceleration(sol, at->z);
  if (fabsl(force) > 8 * LDBL_EPSILON * (sol->g + fabsl(sol->kappa * at->z))) {
    return force > 0 ? 2 : CLOSED;
  }
  return sol->kappa * at->w > 0 ? 3 : CLOSED;
}

/* What follows when the lower ball is on the floor at t with y' <= 0; kind says what to call it if nothing
 * jumps. */
static piece after_contact(const dls_exact_solution *sol, dls_wide t, const state *before, int kind)
{
  const long double e = sol->e, u_minus = before->v, force = free_acceleration(sol, before->z);
  piece next = {.start = t, .u_minus = (double)u_minus, .kind = u_minus < 0 ? DLS_IMPACT : kind};
  next.at = (state){0, -e * u_minus, before->z, before->w + (1 + e) * u_minus};
  if (next.at.v > 0 && e < 1 && force < 0) {
    const long double left = -2 * next.at.v / (force * (1 - e));
    if (t.hi + left <= t.hi * (1 + DBL_EPSILON / 4)) {
      next.at.w += next.at.v; /* z' of a lower ball at rest */
      next.at.v = 0;
      next.kind = DLS_ACCUMULATION;
      next.time_end = dls_wide_round(dls_wide_add(t, dls_wide_of(left)));
    }
  }
  next.lead = leading_order(sol, &next.at);
  return next;
}

/* First s at which x falls through zero. It swings about 2 g with amplitude X: an X of 2 g to rounding touches
 * zero and opens nothing; with the part allowed here the wave crosses zero too fast to count as grazing. */
static bool lift_off(const dls_exact_solution *sol, const state *at, long double s_max, long double *s)
{
  const long double kappa = sol->kappa, g = sol->g;
  if (!(kappa > 0)) {
    return false;
  }
  const dls_wave x = {.x0 = fmaxl(0, g - kappa * at->z),
                      .x1 = -kappa * at->w,
                      .a = kappa * (g + kappa * at->z),
                      .b = kappa * kappa * at->w,
                      .omega = sqrtl(kappa)};
  if (hypotl(x.x0 - 2 * g, x.x1 / x.omega) <= 2 * g * (1 + 1024 * LDBL_EPSILON)) {
    return false;
  }
  long double slope;
  bool grazes;
  return dls_wave_first_zero(&x, x.x0 > 0 ? 0 : 1, s_max, s, &slope, &grazes);
}

/* The event that ends the last piece, if it comes by the end. */
static dls_status follow(dls_exact_solution *sol, bool *more, dls_error *err)
{
  piece *last = &sol->pieces[sol->count - 1];
  const long double s_max = nextafter(sol->end, (double)INFINITY) - last->start.hi;
  const bool closed = last->lead == CLOSED;
  const dls_wave y = gap_wave(sol, &last->at);
  long double s = 0, v = 0;
  bool grazes;
  *more = closed ? lift_off(sol, &last->at, s_max, &s)
                 : dls_wave_first_zero(&y, last->lead, s_max, &s, &v, &grazes);
  const dls_wide t = dls_wide_add(last->start, dls_wide_of(s));
  *more = *more && dls_wide_round(t) <= sol->end;
  if (!*more) {
    return DLS_OK;
  }
  state now = state_at(sol, last, s);
  now.y = 0;
  now.v = v;
  if (closed) {
    return push(sol, (piece){.start = t, .at = now, .kind = DLS_LIFT_OFF, .lead = 3}, err);
  }
  last->v_end = (double)v;
  piece next = after_contact(sol, t, &now, DLS_GRAZING);
  next.kind = next.kind == DLS_GRAZING && next.lead == CLOSED ? DLS_LANDING : next.kind;
  return push(sol, next, err);
}

static dls_status list_pieces(dls_exact_solution *sol, dls_error *err)
{
  const long double y = (long double)sol->q0[0] - sol->radius;
  const state begin = {y, sol->v0[0], (long double)sol->q0[1] - sol->q0[0] - sol->length,
                       (long double)sol->v0[1] - sol->v0[0]};
  piece first = {.at = begin, .kind = NO_EVENT, .lead = y > 0 ? 0 : 1};
  if (y == 0 && begin.v <= 0) {
    first = after_contact(sol, dls_wide_of(0), &begin, NO_EVENT);
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
    return dls_fail(err, DLS_ERR_MEMORY, "two-ball-oscillator: out of memory");
  }
  *sol = (dls_exact_solution){.mass = p[MASS],
                              .e = p[RESTITUTION],
                              .radius = p[RADIUS],
                              .length = p[REST_LENGTH],
                              .q0 = {p[Q1], p[Q2]},
                              .v0 = {p[V1], p[V2]},
                              .end = end,
                              .kappa = (long double)p[STIFFNESS] / p[MASS],
                              .g = p[GRAVITY]};
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
  g[0] = q[0] - sol->radius;
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
    out->u_plus = (double)at->at.v;
    out->impulse = sol->mass * (out->u_plus - out->u_minus);
  }
  if (at->kind == DLS_ACCUMULATION) {
    const long double speed = (long double)sol->e * at->u_minus, force = free_acceleration(sol, at->at.z);
    out->time_end = at->time_end;
    out->bound = (double)fmaxl(sol->bound, speed * speed / (-2 * force));
  }
  return true;
}

static void write_value(const dls_exact_solution *sol, const state *now, bool closed, dls_exact_value *out)
{
  const long double y = sol->radius + now->y, pull = sol->kappa * now->z;
  out->q[0] = (double)y;
  out->q[1] = (double)(y + sol->length + now->z);
  out->v[0] = (double)now->v;
  out->v[1] = (double)(now->v + now->w);
  out->a[0] = closed ? 0 : (double)(pull - sol->g);
  out->a[1] = (double)(-pull - sol->g);
  out->lambda[0] = closed ? (double)(sol->mass * fmaxl(0, sol->g - pull)) : 0;
  out->status[0] = closed;
  out->p[0] = 0;
}

static void initial(const dls_exact_solution *sol, dls_exact_value *out)
{
  const long double z = (long double)sol->q0[1] - sol->q0[0] - sol->length;
  const state begin = {(long double)sol->q0[0] - sol->radius, sol->v0[0], z,
                       (long double)sol->v0[1] - sol->v0[0]};
  write_value(sol, &begin, false, out);
}

static void value(const dls_exact_solution *sol, size_t index, double t, dls_exact_value *out)
{
  const piece *at = &sol->pieces[index], *next = index + 1 < sol->count ? at + 1 : NULL;
  state now = at->at;
  if (next && t >= round_start(next)) {
    now = state_at(sol, at, dls_wide_sub(next->start, at->start).hi);
    now.y = 0;
    now.v = at->lead == CLOSED ? 0 : at->v_end;
  } else if (t > round_start(at)) {
    now = state_at(sol, at, fmaxl(0, dls_wide_sub(dls_wide_of(t), at->start).hi));
  }
  write_value(sol, &now, at->lead == CLOSED, out);
  dls_event here;
  if (t <= round_start(at) && event(sol, index, &here)) {
    out->p[0] = here.impulse;
  }
}

/* In flight q2'' = -2 g - q1'': both have the derivatives of the gap. */
static double spacing(const dls_exact_solution *sol, size_t index, double t, double accuracy)
{
  const piece *at = &sol->pieces[index];
  const bool closed = at->lead == CLOSED;
  const dls_wave wave = closed ? stretch_wave(sol, &at->at, closed) : gap_wave(sol, &at->at);
  const long double most = fmaxl(dls_wave_fourth(&wave), dls_wave_fifth(&wave));
  (void)t;
  return most > 0 ? (double)sqrtl(sqrtl(384 * (long double)accuracy / most)) : INFINITY;
}

extern const dls_model dls_model_two_ball_oscillator;
extern const dls_exact dls_exact_two_ball_oscillator;
const dls_exact dls_exact_two_ball_oscillator = {
    .model = &dls_model_two_ball_oscillator,
    .summary =
        "modal closed form between impacts found by guaranteed root isolation; lasting contact, lift-off",
    .source = "elementary: free fall of the mean, vibration sqrt(2 k/m) in flight and sqrt(k/m) in contact",
    .n = 2,
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
