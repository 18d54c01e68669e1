/* analytic/exact/bouncing_ball.c -- closed-form solution of the bouncing ball, alpha = f / m.
 *   first flight      q = (t1 - t) (q0/t1 - alpha t/2)                          if it ends at an impact t1
 *   impact n at t_n   V_n = e^n W,  W = |v(t1-)|,  t_{n+1} = t_n + 2 V_n/|alpha|
 *   flight n          q = (|alpha|/2) (t - t_n) (t_{n+1} - t)                   (alpha < 0)
 *   accumulation at   t_inf = t1 + (2 W/|alpha|) e/(1 - e), then rest with lambda = -f
 * Products instead of sums keep q accurate relative to itself, up to both ends of each flight. Event times have
 * twice the digits of long double, so that this holds up to the accumulation. Source: Acary, lecture,
 * eqs. (122)-(125) for the default data; elementary otherwise.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/pieces.h"
#include "analytic/exact/support/wide.h"
#include <delassus/exact.h>
#include <stdlib.h>

enum { MASS, FORCE, RESTITUTION, Q0, V0 };
#define REST ((unsigned long)-1) /* in place of the number of a flight */

typedef struct piece {
  dls_wide start;
  unsigned long flight; /* 0: before the first impact; n: after impact n; REST */
} piece;

struct dls_exact_solution {
  double mass, force, e, q0, v0;
  dls_wide alpha, speed, first, limit; /* f/m, W, t1, t_inf (meaningful for alpha < 0, e < 1) */
  bool impact;                         /* there is an impact, or a grazing with W = 0 */
  unsigned long dropped;               /* first flight that is left out because it is too short for a double */
  piece *pieces;
  size_t count, capacity;
};

static dls_status push(dls_exact_solution *sol, dls_wide start, unsigned long flight, dls_error *err)
{
  const double time = dls_wide_round(start);
  if (sol->count > 0 && time <= dls_wide_round(sol->pieces[sol->count - 1].start)) {
    const unsigned long shorter = sol->pieces[sol->count - 1].flight;
    sol->dropped = shorter > 0 && shorter < sol->dropped ? shorter : sol->dropped;
    sol->count -= 1;
  }
  void *pieces = sol->pieces;
  const dls_status status =
      dls_pieces_room(&pieces, sizeof *sol->pieces, sol->count, &sol->capacity, time, err);
  sol->pieces = pieces;
  if (status == DLS_OK) {
    sol->pieces[sol->count++] = (piece){start, flight};
  }
  return status;
}

/* W^2 = v0^2 - 2 alpha q0; t1 is the root in the form without cancellation. */
static void find_first_impact(dls_exact_solution *sol)
{
  const dls_wide q0 = dls_wide_of(sol->q0), v0 = dls_wide_of(sol->v0), two = dls_wide_of(2);
  const dls_wide square = dls_wide_sub(dls_wide_mul(v0, v0), dls_wide_mul(two, dls_wide_mul(sol->alpha, q0)));
  const bool down = sol->v0 < 0, falls = sol->alpha.hi < 0 && (sol->q0 > 0 || sol->v0 != 0);
  sol->impact = falls || (down && square.hi >= 0);
  if (!sol->impact) {
    return;
  }
  sol->speed = dls_wide_sqrt(square);
  if (down) {
    sol->first = dls_wide_div(dls_wide_mul(two, q0), dls_wide_sub(sol->speed, v0));
  } else {
    sol->first = dls_wide_div(dls_wide_add(v0, sol->speed), dls_wide_sub(dls_wide_of(0), sol->alpha));
  }
}

static dls_wide speed_after(const dls_exact_solution *sol, unsigned long n)
{
  return dls_wide_mul(dls_wide_power(dls_wide_of(sol->e), n), sol->speed);
}

/* 2 V/|alpha| */
static dls_wide flight_time(const dls_exact_solution *sol, dls_wide speed)
{
  return dls_wide_div(dls_wide_mul(dls_wide_of(-2), speed), sol->alpha);
}

/* Flights 2, 3, ... for alpha < 0: t_{n+1} = t1 + (2 V_1/|alpha|) (1 + e + ... + e^(n-1)), the sum (1 - e^n)/(1 - e) or n. */
static dls_status list_flights(dls_exact_solution *sol, double end, dls_error *err)
{
  const dls_wide e = dls_wide_of(sol->e), one = dls_wide_of(1), left = dls_wide_sub(one, e);
  const dls_wide flight = flight_time(sol, speed_after(sol, 1));
  if (sol->e < 1) {
    sol->limit = dls_wide_add(sol->first, dls_wide_mul(flight, dls_wide_div(one, left))); /* n to infinity */
  }
  dls_wide power = one;
  for (unsigned long n = 1;; n++) {
    power = dls_wide_mul(power, e);
    const dls_wide sum =
        sol->e < 1 ? dls_wide_div(dls_wide_sub(one, power), left) : dls_wide_of((long double)n);
    const dls_wide next = dls_wide_add(sol->first, dls_wide_mul(flight, sum));
    const bool last = sol->e < 1 && dls_wide_round(next) >= dls_wide_round(sol->limit);
    if ((last ? dls_wide_round(sol->limit) : dls_wide_round(next)) > end) {
      return DLS_OK;
    }
    if (last) {
      sol->dropped = n + 1 < sol->dropped ? n + 1 : sol->dropped;
      return push(sol, sol->limit, REST, err);
    }
    const dls_status status = push(sol, next, n + 1, err);
    if (status != DLS_OK) {
      return status;
    }
  }
}

static dls_status list_pieces(dls_exact_solution *sol, double end, dls_error *err)
{
  const bool resting = sol->q0 == 0 && sol->v0 == 0 && sol->alpha.hi <= 0;
  dls_status status = push(sol, dls_wide_of(0), resting ? REST : 0, err);
  if (status != DLS_OK || !sol->impact || dls_wide_round(sol->first) > end) {
    return status;
  }
  const bool stops = sol->e == 0 && sol->alpha.hi <= 0;
  status = push(sol, sol->first, stops ? REST : 1, err);
  if (status != DLS_OK || stops || sol->alpha.hi >= 0) {
    return status;
  }
  return list_flights(sol, end, err);
}

static void destroy(dls_exact_solution *sol)
{
  free(sol->pieces);
  free(sol);
}

static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  dls_exact_solution *sol = calloc(1, sizeof *sol);
  if (!sol) {
    return dls_fail(err, DLS_ERR_MEMORY, "bouncing-ball: out of memory");
  }
  sol->mass = p[MASS];
  sol->force = p[FORCE];
  sol->e = p[RESTITUTION];
  sol->q0 = p[Q0];
  sol->v0 = p[V0];
  sol->alpha = dls_wide_div(dls_wide_of(p[FORCE]), dls_wide_of(p[MASS]));
  sol->dropped = REST;
  find_first_impact(sol);
  const dls_status status = list_pieces(sol, end, err);
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
  return dls_wide_round(sol->pieces[index].start);
}

static void gap(const dls_exact_solution *sol, double t, const double *q, const double *v, double *g, double *u)
{
  (void)t;
  (void)sol;
  g[0] = q[0];
  u[0] = v[0];
}

static void first_flight(const dls_exact_solution *sol, dls_wide t, dls_exact_value *out)
{
  const dls_wide q0 = dls_wide_of(sol->q0), v0 = dls_wide_of(sol->v0);
  const dls_wide half = dls_wide_mul(dls_wide_mul(dls_wide_of(0.5L), sol->alpha), t);
  const dls_wide v = dls_wide_add(v0, dls_wide_mul(sol->alpha, t));
  dls_wide q = dls_wide_add(q0, dls_wide_mul(dls_wide_add(v0, half), t));
  if (sol->impact) {
    q = dls_wide_mul(dls_wide_sub(sol->first, t), dls_wide_sub(dls_wide_div(q0, sol->first), half));
  }
  out->q[0] = dls_wide_round(q);
  out->v[0] = dls_wide_round(v);
}

static void later_flight(const dls_exact_solution *sol, const piece *at, dls_wide t, dls_exact_value *out)
{
  const dls_wide speed = speed_after(sol, at->flight), s = dls_wide_sub(t, at->start);
  const dls_wide half = dls_wide_mul(dls_wide_of(0.5L), sol->alpha);
  if (sol->alpha.hi >= 0) {
    out->q[0] = dls_wide_round(dls_wide_mul(s, dls_wide_add(speed, dls_wide_mul(half, s))));
    out->v[0] = dls_wide_round(dls_wide_add(speed, dls_wide_mul(sol->alpha, s)));
    return;
  }
  const dls_wide rest = dls_wide_sub(flight_time(sol, speed), s);
  out->q[0] = -dls_wide_round(dls_wide_mul(half, dls_wide_mul(s, rest)));
  out->v[0] = dls_wide_round(dls_wide_mul(half, dls_wide_sub(s, rest)));
}

/* Velocities on both sides of the impact or accumulation at the start of a piece. */
static void jump(const dls_exact_solution *sol, size_t index, double *minus, double *plus)
{
  const unsigned long flight = sol->pieces[index].flight;
  const unsigned long before = flight != REST ? flight - 1 : index > 0 ? sol->pieces[index - 1].flight : 0;
  *minus = -dls_wide_round(speed_after(sol, before));
  *plus = flight == REST ? 0 : dls_wide_round(speed_after(sol, flight));
}

static bool event(const dls_exact_solution *sol, size_t index, dls_event *out)
{
  const unsigned long flight = sol->pieces[index].flight;
  *out = (dls_event){.t = start(sol, index), .kind = DLS_IMPACT};
  if (flight == 0) {
    return false;
  }
  if (!sol->impact) {
    out->kind = DLS_LANDING;
    return true;
  }
  jump(sol, index, &out->u_minus, &out->u_plus);
  out->impulse = sol->mass * (out->u_plus - out->u_minus);
  if (!(sol->speed.hi > 0)) {
    *out = (dls_event){.t = out->t, .kind = DLS_GRAZING};
  } else if (flight == REST && sol->e > 0) {
    const dls_wide speed = speed_after(sol, sol->dropped);
    out->kind = DLS_ACCUMULATION;
    out->time_end = out->t;
    out->bound =
        dls_wide_round(dls_wide_div(dls_wide_mul(dls_wide_of(-0.5L), dls_wide_mul(speed, speed)), sol->alpha));
  }
  return true;
}

static void set_rates(const dls_exact_solution *sol, bool closed, dls_exact_value *out)
{
  out->a[0] = closed ? 0 : dls_wide_round(sol->alpha);
  out->lambda[0] = closed ? fabs(sol->force) : 0; /* closed only with f <= 0 */
  out->status[0] = closed;
  out->p[0] = 0;
}

static void initial(const dls_exact_solution *sol, dls_exact_value *out)
{
  set_rates(sol, false, out); /* it hits the floor at once */
  out->q[0] = sol->q0;
  out->v[0] = sol->v0;
}

static void value(const dls_exact_solution *sol, size_t index, double t, dls_exact_value *out)
{
  const piece *at = &sol->pieces[index];
  const bool ends = index + 1 < sol->count && t >= start(sol, index + 1), starts = t <= start(sol, index);
  double minus = 0, plus = 0;
  set_rates(sol, at->flight == REST, out);
  if (ends) {
    jump(sol, index + 1, &minus, &plus);
    out->q[0] = 0;
    out->v[0] = minus;
  } else if (at->flight == 0) {
    first_flight(sol, dls_wide_of(starts ? 0 : t), out);
  } else if (starts || at->flight == REST) {
    jump(sol, index, &minus, &plus);
    out->q[0] = 0;
    out->v[0] = plus;
  } else {
    later_flight(sol, at, dls_wide_of(t), out);
  }
  dls_event here;
  if (starts && event(sol, index, &here)) {
    out->p[0] = here.impulse;
  }
}

extern const dls_model dls_model_bouncing_ball;
extern const dls_exact dls_exact_bouncing_ball;
const dls_exact dls_exact_bouncing_ball = {
    .model = &dls_model_bouncing_ball,
    .summary =
        "parabolas between impacts at t_n, accumulation at t_inf = t1 + (2 W/|alpha|) e/(1 - e), then rest",
    .source = "Acary, lecture, eqs. (122)-(125) for the default data; any other data in closed form",
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
};
