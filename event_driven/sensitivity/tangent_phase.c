/* event_driven/sensitivity/tangent_phase.c -- tangents between two events, on the dense output of the run:
 *   dq' = dv,   dv' = D v'(t, q, v, p)  along (dq, dv, dp)
 * by extrapolation of the modified midpoint rule, whose order follows from the error: the dense output is smooth inside a step of the
 * engine, and only there.
 * Source: Hairer, Norsett & Wanner 1993, Solving Ordinary Differential Equations I, section II.9.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/neighbours.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* dx := f(t, x) of all directions, on the dense output. */
static dls_status slopes(dls_motion_tangents *tangents, const dls_event_integrator *run, double t,
                         const double *x, double *dx, dls_error *err)
{
  if (dls_slopes_need_state(tangents)) {
    dls_engine_interpolate(run->work.engine, t, 0, tangents->y);
  }
  return dls_slopes(tangents, t, tangents->y, x, dx, err);
}

/* row := the modified midpoint rule with `parts` steps from x at t, where the slope is tangents->slope. */
static dls_status midpoint(dls_motion_tangents *tangents, const dls_event_integrator *run, double t, double h,
                           int parts, double *row, dls_error *err)
{
  const size_t size = dls_tangents_size(tangents);
  double *before = tangents->first, *now = tangents->mid, *slope = tangents->last;
  dls_status status = DLS_OK;
  for (size_t i = 0; i < size; i++) {
    before[i] = tangents->x[i];
    now[i] = tangents->x[i] + h / parts * tangents->slope[i];
  }
  for (int s = 1; s < parts && status == DLS_OK; s++) {
    status = slopes(tangents, run, t + s * h / parts, now, slope, err);
    for (size_t i = 0; i < size; i++) {
      const double next = before[i] + 2 * h / parts * slope[i];
      before[i] = now[i];
      now[i] = next;
    }
  }
  status = status != DLS_OK ? status : slopes(tangents, run, t + h, now, slope, err);
  for (size_t i = 0; i < size; i++) {
    row[i] = 0.5 * (now[i] + before[i] + h / parts * slope[i]);
  }
  return status;
}

double dls_tangent_noise(const dls_motion_tangents *tangents, const dls_event_integrator *run, size_t k)
{
  double acceleration = tangents->acceleration;
  for (size_t i = 0; i < tangents->n; i++) { /* where slopes do not need it */
    acceleration = fmax(acceleration, dls_tangent_as_length(tangents, i, run->sim->a[i]));
  }
  return dls_slopes_noise(tangents, k, acceleration) * (run->method.sys->time / run->method.sys->length);
}

double dls_tangent_allowed(const dls_motion_tangents *tangents, const dls_event_integrator *run, size_t k,
                           double h, const double *x, const double *y)
{
  const size_t n = tangents->n;
  double largest = 0;
  for (size_t i = 0; i < 2 * n; i++) {
    const size_t at = 2 * n * k + i;
    const double unit = dls_tangent_unit(run, i), a = unit * fabs(x[at]), b = unit * fabs(y[at]);
    largest = a > largest ? a : largest; /* fmax is a call */
    largest = b > largest ? b : largest;
  }
  const double by_slip = fmin(tangents->by_slip_before[k], tangents->by_slip[k]);
  return dls_tangent_tolerance(run) * (largest + h * by_slip) + h * dls_tangent_noise(tangents, run, k);
}

/* Extrapolate column k of the table, the newest first, steps 2, 4, 6, ... */
static void extrapolate(const dls_motion_tangents *tangents, int k)
{
  const size_t size = dls_tangents_size(tangents);
  for (int j = k - 1; j >= 0; j--) {
    const double ratio = (double)(k + 1) / (j + 1), factor = 1 / (ratio * ratio - 1);
    double *newer = tangents->table + (size_t)(j + 1) * size, *older = tangents->table + (size_t)j * size;
    for (size_t i = 0; i < size; i++) {
      older[i] = newer[i] + factor * (newer[i] - older[i]);
    }
  }
}

/* The largest change by the last extrapolation, of a step of length h, in units of what is allowed; infinite if a tangent overflows.
 * @param[out] which  direction it is of */
static double last_change(const dls_motion_tangents *tangents, const dls_event_integrator *run, double h,
                          size_t *which)
{
  const size_t n = tangents->n, size = dls_tangents_size(tangents);
  double worst = 0;
  for (size_t k = 0; k < tangents->count; k++) {
    double change = 0;
    bool finite = true;
    if (dls_tangent_has_ended(tangents, k)) {
      continue;
    }
    for (size_t at = 2 * n * k; at < 2 * n * (k + 1); at++) {
      const double unit = dls_tangent_unit(run, at - 2 * n * k);
      change = fmax(change, unit * fabs(tangents->table[at] - tangents->table[size + at]));
      finite = finite && isfinite(tangents->table[at]);
    }
    const double allowed = dls_tangent_allowed(tangents, run, k, h, tangents->x, tangents->table);
    const double error = !finite ? HUGE_VAL : allowed > 0 ? change / allowed : change > 0 ? HUGE_VAL : 0;
    *which = error > worst ? k : *which;
    worst = fmax(error, worst);
  }
  return worst;
}

/* One step of length h from tangents->x, where the slope is known. @param[out] columns  used; 0: the error is too large
 * @param[out] worst  direction with the largest error */
static dls_status try_step(dls_motion_tangents *tangents, const dls_event_integrator *run, double h,
                           int *columns, size_t *worst, dls_error *err)
{
  const size_t size = dls_tangents_size(tangents);
  *columns = 0;
  for (int k = 0; k < DLS_TANGENT_COLUMNS; k++) {
    const dls_status status =
        midpoint(tangents, run, tangents->t, h, 2 * (k + 1), tangents->table + (size_t)k * size, err);
    if (status != DLS_OK) {
      return status;
    }
    extrapolate(tangents, k);
    const double error = k > 0 ? last_change(tangents, run, h, worst) : HUGE_VAL;
    if (error <= 1) {
      *columns = k + 1;
      return DLS_OK;
    }
  }
  return DLS_OK;
}

dls_status dls_tangent_fail_steps(dls_motion_tangents *tangents, const dls_event_integrator *run, size_t k,
                                  double t, double next, dls_error *err)
{
  const char *name = tangents->result->direction[k].name;
  double most = 0;
  dls_engine_interpolate(run->work.engine, t, 0, tangents->y);
  const dls_status status = dls_slopes_parameters(tangents, t, tangents->y, err);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t i = 0; i < tangents->n; i++) {
    most = fmax(most, fabs(tangents->by_parameter[tangents->residuals * k + i]));
  }
  return dls_sim_fail(
      run->sim, err, DLS_ERR_INTEGRATOR,
      "the derivative by %s: %d steps of its tangent end at t = %.17g, before the next node at "
      "t = %.17g; a load changes too fast with t (the largest derivative of a force by %s is %.3g "
      "there), or the system is too stiff for an explicit rule",
      name, (int)threshold_tangent_steps, t, next, name, most);
}

dls_status dls_tangent_extrapolate(dls_motion_tangents *tangents, dls_event_integrator *run, double t,
                                   dls_error *err)
{
  const size_t size = dls_tangents_size(tangents);
  size_t worst = 0;
  dls_status status = DLS_OK;
  if (!tangents->turns_known) {
    dls_engine_interpolate(run->work.engine, tangents->t, 0, tangents->y);
    status = dls_slopes_set_turns(tangents, tangents->t, tangents->y, tangents->x, err);
  }
  for (int steps = 0; tangents->t < t && status == DLS_OK; steps++) {
    const double rest = t - tangents->t;
    double h = tangents->step > 0 ? fmin(rest, tangents->step) : rest;
    int columns = 0;
    tangents->acceleration = 0;
    if (steps == threshold_tangent_steps) {
      return dls_tangent_fail_steps(tangents, run, worst, tangents->t, t, err);
    }
    status = slopes(tangents, run, tangents->t, tangents->x, tangents->slope, err);
    memcpy(tangents->by_slip_before, tangents->by_slip, tangents->count * sizeof *tangents->by_slip);
    while (columns == 0 && status == DLS_OK) {
      status = try_step(tangents, run, h, &columns, &worst, err);
      if (columns == 0 && h <= 4 * DBL_EPSILON * fabs(t)) { /* it grows without bound; the others continue */
        dls_tangent_end(tangents, worst, DLS_DERIVATIVE_DEGENERATE, SIZE_MAX);
        h = 4 * rest;
      }
      tangents->step = columns == 0                         ? h / 4
                       : columns <= DLS_TANGENT_COLUMNS / 4 ? fmax(tangents->step, 8 * h)
                       : columns <= DLS_TANGENT_COLUMNS / 2 ? fmax(tangents->step, 2 * h)
                                                            : h;
      h = columns == 0 ? h / 4 : h;
    }
    if (status == DLS_OK) {
      memcpy(tangents->x, tangents->table, size * sizeof *tangents->x);
      tangents->t = h >= rest ? t : tangents->t + h;
    }
  }
  return status;
}
