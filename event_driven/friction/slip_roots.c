/* event_driven/friction/slip_roots.c -- root functions of friction: end of slip, limits of stick, leverage of a contact that slips.
 *
 *   slip in the plane   s u_T                             falls: the slip ends
 *   slip in space       e u_T - eps.s                     falls: it ends in a moment; e as the step began
 *   it crawls           e u_T                             falls: the slip ends
 *                       pace - e u_T                      falls: it is faster than that (crawl.h)
 *   stick in the plane  mu_s lambda_N -+ lambda_T         falls: it begins to slip
 *   stick in space      mu_s lambda_N - |lambda_T|        the same
 *   slip                (W_NN - mu W_NT e)/W_NN - 1e-6    falls: friction takes the normal force away (Painleve)
 * A contact that creeps may come back to 0 by rounding: it is watched a little below until it has slipped faster.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/event_integrator.h"
#include "event_driven/friction/slip.h"
#include <math.h>

static const double singular = 1e-6;

/* End of slip. */

static bool slips(const dls_event_integrator *tr, size_t j)
{
  return tr->contact[j].closed && tr->contact[j].grip.kind == DLS_GRIP_SLIPS;
}

static double slip_value(const dls_event_integrator *tr, size_t j, const double *y)
{
  double u[2];
  const double *e = tr->contact[j].grip.e;
  dls_slip_of(tr, j, y + tr->n, u);
  return tr->d == 2 ? e[0] * u[0] : e[0] * u[0] + e[1] * u[1] - (tr->contact[j].slips_slowly ? 0 : tr->eps.s);
}

/* Rows of H^T dv with the curvature of the last forces. */
static void rates(const dls_event_integrator *tr, size_t j, const double *dv, double *out)
{
  for (size_t i = 1; i < tr->d; i++) {
    const size_t row = tr->d * j + i;
    out[i - 1] = dls_matrix_column_dot(tr->stage.place->H, row, dv) + tr->stage.curvature[row];
  }
}

static void slip_slopes(const dls_event_integrator *tr, size_t j, const double *y, const double *dy,
                        dls_point *p)
{
  (void)y;
  double rate[2] = {0};
  const double *e = tr->contact[j].grip.e;
  rates(tr, j, dy + tr->n, rate);
  p->df = e[0] * rate[0] + e[1] * rate[1];
}

/* Not armed: a zero of what creeps is none. */
static double slip_shift(const dls_event_integrator *tr, size_t j, double left)
{
  (void)left;
  return tr->contact[j].slip_established ? 0 : 2 * dls_slip_established_speed(tr);
}

const dls_root_type dls_root_slip = {
    .name = "slip",
    .event = DLS_LOCATED_REST,
    .reads = DLS_READS_FORCES,
    .in_force = slips,
    .value = slip_value,
    .slopes = slip_slopes,
    .shift = slip_shift,
};

/* Slip that is no longer slow. */

static bool slips_slowly(const dls_event_integrator *tr, size_t j)
{
  return slips(tr, j) && tr->contact[j].slips_slowly;
}

static double slow_slip_value(const dls_event_integrator *tr, size_t j, const double *y)
{
  double u[2];
  const double *e = tr->contact[j].grip.e;
  dls_slip_of(tr, j, y + tr->n, u);
  return tr->contact[j].slow_slip_limit - (e[0] * u[0] + e[1] * u[1]);
}

static void slow_slip_slopes(const dls_event_integrator *tr, size_t j, const double *y, const double *dy,
                             dls_point *p)
{
  slip_slopes(tr, j, y, dy, p);
  p->df = -p->df;
}

const dls_root_type dls_root_slow_slip = {
    .name = "pace",
    .event = DLS_LOCATED_FAST_SLIP,
    .reads = DLS_READS_FORCES,
    .in_force = slips_slowly,
    .value = slow_slip_value,
    .slopes = slow_slip_slopes,
};

/* Limits of stick, as accelerations. */

static double limit_value(const dls_event_integrator *tr, size_t j, double side)
{
  const double *r = tr->lambda + tr->d * j;
  const double tangential = tr->d == 2 ? side * r[1] : hypot(r[1], r[2]);
  return tr->contact[j].weight * (tr->contact[j].grip.mu * r[0] - tangential);
}

/* Derivatives of the integrated impulses x: mu x_N - side x_T. */
static void limit_slopes(const dls_event_integrator *tr, size_t j, double side, const double *ddy,
                         const double *dddy, dls_point *p)
{
  const size_t at = 2 * tr->n + tr->d * j;
  const double mu = tr->contact[j].grip.mu;
  p->df = mu * ddy[at] - side * ddy[at + 1];
  p->ddf = mu * dddy[at] - side * dddy[at + 1];
}

static double upper_value(const dls_event_integrator *tr, size_t j, const double *y)
{
  (void)y;
  return limit_value(tr, j, 1);
}

static double lower_value(const dls_event_integrator *tr, size_t j, const double *y)
{
  (void)y;
  return limit_value(tr, j, -1);
}

static bool sticks(const dls_event_integrator *tr, size_t j)
{
  return tr->contact[j].closed && tr->contact[j].grip.kind == DLS_GRIP_STICKS;
}

static bool sticks_in_plane(const dls_event_integrator *tr, size_t j)
{
  return tr->d == 2 && sticks(tr, j);
}

static bool sticks_in_space(const dls_event_integrator *tr, size_t j)
{
  return tr->d == 3 && sticks(tr, j);
}

static void upper_slopes(const dls_event_integrator *tr, size_t j, const double *ddy, const double *dddy,
                         dls_point *p)
{
  limit_slopes(tr, j, 1, ddy, dddy, p);
}

static void lower_slopes(const dls_event_integrator *tr, size_t j, const double *ddy, const double *dddy,
                         dls_point *p)
{
  limit_slopes(tr, j, -1, ddy, dddy, p);
}

/* |x'|' = e x'', |x'|'' = e x''' + (|x''|^2 - (e x'')^2)/|x'| with x the integral of the tangential force. */
static void cone_slopes(const dls_event_integrator *tr, size_t j, const double *ddy, const double *dddy,
                        dls_point *p)
{
  const size_t at = 2 * tr->n + tr->d * j;
  const double mu = tr->contact[j].grip.mu, *a = ddy + at, *b = dddy + at;
  dls_engine_interpolate(tr->engine, p->t, 1, tr->dense_noise);
  const double *x = tr->dense_noise + at, size = hypot(x[1], x[2]);
  const double e[2] = {size > 0 ? x[1] / size : 0, size > 0 ? x[2] / size : 0};
  const double speed = e[0] * a[1] + e[1] * a[2], across = e[0] * a[2] - e[1] * a[1];
  p->df = mu * a[0] - speed;
  p->ddf = mu * b[0] - (e[0] * b[1] + e[1] * b[2]) - (size > 0 ? across * across / size : 0);
}

const dls_root_type dls_root_upper = {
    .name = "limit, +",
    .event = DLS_LOCATED_LIMIT,
    .reads = DLS_READS_FORCES,
    .in_force = sticks_in_plane,
    .value = upper_value,
    .slopes_inside = upper_slopes,
    .shift = dls_force_shift,
};
const dls_root_type dls_root_lower = {
    .name = "limit, -",
    .event = DLS_LOCATED_LIMIT,
    .reads = DLS_READS_FORCES,
    .in_force = sticks_in_plane,
    .value = lower_value,
    .slopes_inside = lower_slopes,
    .shift = dls_force_shift,
};
const dls_root_type dls_root_cone = {
    .name = "limit",
    .event = DLS_LOCATED_LIMIT,
    .reads = DLS_READS_FORCES,
    .in_force = sticks_in_space,
    .value = upper_value,
    .slopes_inside = cone_slopes,
    .shift = dls_force_shift,
};

/* Leverage. */

static bool may_lose_leverage(const dls_event_integrator *tr, size_t j)
{
  return slips(tr, j) && (tr->d == 3 || tr->stage.place->mass_varies || tr->stage.place->gradient_varies);
}

static double leverage(const dls_event_integrator *tr, size_t j, const double *y)
{
  (void)y;
  return dls_grips_leverage(tr->grips, j, &tr->grip[j]) / tr->contact[j].weight - singular;
}

const dls_root_type dls_root_leverage = {
    .name = "leverage",
    .event = DLS_LOCATED_LEVERAGE,
    .reads = DLS_READS_FORCES,
    .in_force = may_lose_leverage,
    .value = leverage,
};
