/* analytic/exact/bounces.c -- the models superball and bounce-slip: a sphere that bounces with friction, then slides and rolls, in a
 * plane; q = (x, z, angle) from the height h of its lowest point. Impacts by Newton-Coulomb's law with tangential restitution.
 * Impact n at t_n with speed V_n = e^n V_0: with J = 2/5 m R^2 and u = x' + R w,
 *   du = 7/2 dx',  R dw = 5/2 dx';   stick in the impact: du = -(1 + e_T) u, if |du| <= 7/2 mu (1 + e) V_n, else that much;
 * flights of 2 e V_n / g; they end at t_0 + 2 e V_0 / (g (1 - e)) for e < 1. Then it slides, u' = -7/2 mu g sgn u, and rolls.
 * Impacts are followed until the flights left are below the rounding of t.
 * Source: elementary; R. L. Garwin 1969 for e = e_T = 1.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/motion.h"
#include <float.h>
#include <math.h>

typedef struct sphere {
  double m, R, e, e_t, mu, h, vx, w, g;
} sphere;

typedef struct state {
  long double t, x, z, angle, vx, vz, w; /* z: of the lowest point */
} state;

static long double slip_of(const sphere *b, const state *at)
{
  return at->vx + b->R * at->w;
}

/* Advance by s with accelerations ax of x and az of z; the friction that gives ax turns too. */
static void move(const sphere *b, state *at, long double s, long double ax, long double az)
{
  const long double turn = 2.5L * ax / b->R;
  at->x += s * (at->vx + s * ax / 2);
  at->z += s * (at->vz + s * az / 2);
  at->angle += s * (at->w + s * turn / 2);
  at->vx += s * ax;
  at->vz += s * az;
  at->w += s * turn;
  at->t += s;
}

static dls_status push(dls_exact_solution *sol, const sphere *b, const state *at, long double ax, bool closed,
                       const dls_event *event, dls_error *err)
{
  dls_motion_piece piece = {.start = at->t, .has_event = event != NULL};
  piece.of[0].own = (dls_wave){at->x, at->vx, ax, 0, 0, 0};
  piece.of[1].own = (dls_wave){at->z + b->R, at->vz, closed ? 0 : -b->g, 0, 0, 0};
  piece.of[2].own = (dls_wave){at->angle, at->w, 2.5L * ax / b->R, 0, 0, 0};
  piece.lambda[0] = closed ? b->m * b->g : 0;
  piece.status[0] = closed ? (ax != 0 ? 2 : 1) : 0;
  if (event != NULL) {
    piece.event = *event;
  }
  return dls_motion_push(sol, &piece, err);
}

/* Velocities after an impact with normal speed V; passed: without rebound. @return the event */
static dls_event impact(const sphere *b, state *at, long double V, bool passed)
{
  const long double e = passed ? 0 : b->e, u = slip_of(b, at), most = 3.5L * b->mu * (1 + e) * V;
  const long double wanted = -(1 + b->e_t) * u;
  const long double du = fabsl(wanted) <= most ? wanted : copysignl(most, wanted);
  at->vx += du / 3.5L;
  at->w += 2.5L / 3.5L * du / b->R;
  at->z = 0;
  at->vz = e * V;
  return (dls_event){.t = (double)at->t,
                     .kind = passed ? DLS_ACCUMULATION : DLS_IMPACT,
                     .u_minus = (double)-V,
                     .u_plus = (double)at->vz,
                     .impulse = (double)(b->m * (1 + e) * V)};
}

/* From contact on: slides until u = 0, then rolls. */
static dls_status stay(dls_exact_solution *sol, const sphere *b, state at, const dls_event *event, double end,
                       dls_error *err)
{
  const long double u = slip_of(b, &at), drag = b->mu * (long double)b->g;
  const long double ax = u == 0 ? 0 : copysignl(drag, -u);
  dls_status status = push(sol, b, &at, ax, true, event, err);
  const long double stop = ax != 0 ? fabsl(u) / (3.5L * drag) : HUGE_VALL;
  if (status == DLS_OK && at.t + stop < end) {
    move(b, &at, stop, ax, 0);
    at.vx = -b->R * at.w;
    status = push(sol, b, &at, 0, true, &(dls_event){.t = (double)at.t, .kind = DLS_STICK}, err);
  }
  return status;
}

static dls_status bounce(dls_exact_solution *sol, const sphere *b, state at, double end, dls_error *err)
{
  long double V = sqrtl(2 * (long double)b->g * b->h), flight = V / b->g;
  dls_status status = push(sol, b, &at, 0, false, NULL, err);
  while (status == DLS_OK && at.t + flight < end) {
    move(b, &at, flight, 0, -b->g);
    const long double left = b->e < 1 ? 2 * b->e * V / (b->g * (1 - (long double)b->e)) : HUGE_VALL;
    const bool last = left <= (long double)DBL_EPSILON * at.t;
    dls_event event = impact(b, &at, V, last);
    if (last) {
      event.kind = b->e > 0 ? DLS_ACCUMULATION : DLS_IMPACT;
      event.time_end = (double)(at.t + left);
      return stay(sol, b, at, &event, end, err);
    }
    status = push(sol, b, &at, 0, false, &event, err);
    V *= b->e;
    flight = 2 * V / b->g;
  }
  return status;
}

static dls_status create(const sphere *b, double end, dls_exact_solution **out, dls_error *err)
{
  dls_exact_solution *sol = *out = dls_motion_create(3, 1);
  if (sol == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an exact solution");
  }
  sol->gap[0].plus = 1;
  sol->gap[0].offset = b->R;
  sol->q0[1] = b->h + b->R;
  sol->v0[0] = b->vx;
  sol->v0[2] = b->w;
  const state at = {.z = b->h, .vx = b->vx, .w = b->w};
  return b->h > 0 ? bounce(sol, b, at, end, err) : stay(sol, b, at, NULL, end, err);
}

extern const dls_model dls_model_superball, dls_model_bounce_slip;

/* mass, radius, restitution, tangential, friction, height, speed, spin, gravity */
static dls_status create_superball(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  const sphere b = {
      .m = p[0], .R = p[1], .e = p[2], .e_t = p[3], .mu = p[4], .h = p[5], .vx = p[6], .w = p[7], .g = p[8]};
  return create(&b, end, out, err);
}

const dls_exact dls_exact_superball = {
    .model = &dls_model_superball,
    .summary = "impact by impact, then sliding and rolling, in closed form",
    .source = "elementary",
    .n = 3,
    .m = 1,
    .create = create_superball,
    DLS_MOTION_CALLS,
};

/* mass, radius, height, restitution, friction, speed, spin, gravity */
static dls_status create_bounce_slip(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  const sphere b = {.m = p[0], .R = p[1], .e = p[3], .mu = p[4], .h = p[2], .vx = p[5], .w = p[6], .g = p[7]};
  return create(&b, end, out, err);
}

const dls_exact dls_exact_bounce_slip = {
    .model = &dls_model_bounce_slip,
    .summary = "impact by impact, then sliding and rolling, in closed form",
    .source = "elementary",
    .n = 3,
    .m = 1,
    .create = create_bounce_slip,
    DLS_MOTION_CALLS,
};
