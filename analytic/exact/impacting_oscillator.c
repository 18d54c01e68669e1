/* analytic/exact/impacting_oscillator.c -- solution of the linear oscillator before a wall, any damping and
 * forcing. Flights follow the exact flow (linear_flow.h) and end at its first zero; while the contact lasts, q
 * = v = 0,  lambda = -(f + amplitude cos(omega t + phase)), until lambda falls through zero at omega t + phase
 * = -acos(-f/amplitude) + 2 pi j. Impacts that accumulate are followed until the time left, 2 V/(|a| (1 - e)),
 * is below the rounding of t. Source: elementary; the default data give q = e^n |cos t|, n = floor(t/pi + 1/2).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/contact_pieces.h"
#include "analytic/exact/support/impacting.h"
#include "analytic/exact/support/linear_flow.h"
#include <float.h>
#include <stdlib.h>

enum { Q, V }; /* places in the state */

typedef struct oscillator {
  dls_flow flow;
  long double q0, v0;
} oscillator;

static const dls_flow *flow_of(const void *data)
{
  const oscillator *o = data;
  return &o->flow;
}

/* q'' where q = v = 0 */
static long double force(const void *data, long double t, const long double *x)
{
  (void)x;
  return dls_flow_force(flow_of(data), t, 0);
}

/* The force changes its sign, and the rounding of the angle at t can tell. */
static bool force_reverses(const dls_flow *flow, long double t)
{
  const long double ratio = flow->amplitude != 0 ? flow->force / flow->amplitude : 2;
  const long double rounding = 8 * LDBL_EPSILON * (fabsl(flow->omega * t + flow->phase) + 6);
  return 1 - ratio * ratio > rounding * rounding;
}

/* Order of the first derivative of q that is not zero when q = 0 moves off with v, or DLS_CONTACT_CLOSED if the force keeps
 * it there. A derivative counts as zero when it cannot be distinguished from rounding. */
static unsigned leading_order(const void *data, long double t, const long double *x)
{
  const dls_flow *flow = flow_of(data);
  if (x[V] > 0) {
    return 1;
  }
  const bool pulls = flow->force > 0 && !force_reverses(flow, t); /* f >= |amplitude|: no contact lasts */
  const long double angle = flow->omega * t + flow->phase;
  for (unsigned order = 0; order <= 2; order++) {
    const long double constant = order == 0 ? fabsl(flow->force) : 0;
    const long double size = constant + (fabsl(angle) + 1) * dls_flow_force_bound(flow, order);
    const long double derivative = dls_flow_force(flow, t, order);
    if (fabsl(derivative) > 8 * LDBL_EPSILON * size && !(pulls && derivative < 0)) {
      return derivative > 0 ? order + 2 : DLS_CONTACT_CLOSED;
    }
  }
  return DLS_CONTACT_CLOSED;
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

static dls_flow_start start_of(const dls_contact_piece *from)
{
  return (dls_flow_start){from->start.hi, from->x[Q], from->x[V]};
}

static bool lands(const void *data, const dls_contact_piece *from, long double s_max, dls_wide *t,
                  long double *v)
{
  const dls_flow_start start = start_of(from);
  long double s = 0;
  bool grazes;
  const bool lands = dls_flow_first_zero(flow_of(data), &start, from->lead, s_max, &s, v, &grazes);
  *t = dls_wide_add(from->start, dls_wide_of(s));
  return lands;
}

static bool lifts(const void *data, const dls_contact_piece *from, long double s_max, dls_wide *t)
{
  (void)s_max;
  *t = lift_off(flow_of(data), from->start);
  return t->hi < (long double)INFINITY;
}

static void put_state(dls_flow_state (*at)(const dls_flow *, const dls_flow_start *, long double),
                      const dls_flow *flow, const dls_contact_piece *from, long double s, long double *x)
{
  const dls_flow_start start = start_of(from);
  x[Q] = x[V] = 0;
  if (from->lead != DLS_CONTACT_CLOSED) {
    const dls_flow_state now = at(flow, &start, s);
    x[Q] = now.q;
    x[V] = now.v;
  }
}

static void state_at(const void *data, const dls_contact_piece *from, long double s, long double *x)
{
  put_state(dls_flow_at, flow_of(data), from, s, x);
}

static void row_at(const void *data, const dls_contact_piece *from, long double s, long double *x)
{
  put_state(dls_flow_row, flow_of(data), from, s, x);
}

static const dls_contact_motion motion = {
    .force = force, .lead = leading_order, .at = state_at, .row = row_at, .lands = lands, .lifts = lifts};

dls_status dls_impacting_create(const dls_impacting *of, double end, dls_exact_solution **out, dls_error *err)
{
  dls_exact_solution *sol = *out = calloc(1, sizeof *sol);
  oscillator *o = calloc(1, sizeof *o);
  if (sol == NULL || o == NULL) {
    free(o);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an exact solution");
  }
  const long double m = of->m;
  *o = (oscillator){
      .flow = dls_flow_create(of->c / m, of->k / m, of->f / m, of->amplitude / m, of->omega, of->phase),
      .q0 = of->q0,
      .v0 = of->v0};
  *sol = (dls_exact_solution){.motion = &motion, .own = o, .mass = (double)m, .e = of->e, .end = end};
  return dls_contact_list(sol, (const long double[DLS_CONTACT_STATE]){of->q0, of->v0}, err);
}

/* mass, stiffness, damping, force, amplitude, omega, phase, restitution, position, speed */
static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  const dls_impacting of = {.m = p[0],
                            .k = p[1],
                            .c = p[2],
                            .f = p[3],
                            .amplitude = p[4],
                            .omega = p[5],
                            .phase = p[6],
                            .e = p[7],
                            .q0 = p[8],
                            .v0 = p[9]};
  return dls_impacting_create(&of, end, out, err);
}

static void gap(const dls_exact_solution *sol, double t, const double *q, const double *v, double *g, double *u)
{
  (void)t;
  (void)sol;
  g[0] = q[0];
  u[0] = v[0];
}

/* The rest of a value from time, q, v. */
static void complete(const dls_exact_solution *sol, long double t, bool closed, long double q, long double v,
                     dls_exact_value *out)
{
  const dls_flow *flow = flow_of(sol->own);
  const long double f = dls_flow_force(flow, t, 0); /* f + amplitude cos, by mass */
  out->q[0] = (double)q;
  out->v[0] = (double)v;
  out->a[0] = closed ? 0 : (double)(f - flow->gamma * v - flow->kappa * q);
  out->lambda[0] = closed ? (double)fmaxl(0, -sol->mass * f) : 0;
  out->status[0] = closed;
  out->p[0] = 0;
}

static void initial(const dls_exact_solution *sol, dls_exact_value *out)
{
  const oscillator *o = sol->own;
  complete(sol, 0, false, o->q0, o->v0, out);
}

static void value(const dls_exact_solution *sol, size_t index, double t, dls_exact_value *out)
{
  long double x[DLS_CONTACT_STATE] = {0};
  const long double time = dls_contact_state(sol, index, t, x);
  complete(sol, time, sol->pieces[index].lead == DLS_CONTACT_CLOSED, x[Q], x[V], out);
  out->p[0] = dls_contact_impulse(sol, index, t);
}

static double spacing(const dls_exact_solution *sol, size_t index, double t, double accuracy)
{
  const dls_contact_piece *at = &sol->pieces[index];
  const dls_flow_start from = start_of(at);
  if (at->lead == DLS_CONTACT_CLOSED) {
    return INFINITY;
  }
  const long double since = dls_contact_since(sol, index, t);
  return (double)dls_flow_hermite_step(flow_of(sol->own), &from, since, sol->end, accuracy);
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
    .gap = gap,
    .initial = initial,
    .value = value,
    .spacing = spacing,
    DLS_CONTACT_CALLS,
};
