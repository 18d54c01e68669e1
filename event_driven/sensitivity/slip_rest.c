/* event_driven/sensitivity/slip_rest.c -- the time T at which slip s = |u_T| in space ends, as a function of the state before.
 *
 * As slip ends, its direction errs by tol / s, and still turns if its angle to the limit falls as a small power of s. So T is
 * differentiated along the motion from a state at which s is large, in a time r of its own,
 *   dt = s dr,   dx = s f dr                                                                              (1)
 * in which s falls as an exponential, and its direction turns at a bounded rate. With the derivatives of t and x at fixed r,
 *   dt' = ds,    dx' = ds f + s (D f(dx) + f_t dt),    ds = e . (D u(dx) + u_t dt)                        (2)
 * everything that belongs to the slip falls as s does. Where slip does not turn, with S = -u' . u/s,
 *   T = t + s/S + O(s^2),   dT = dt + ds/S - s dS/S^2 + O(s^2)                                            (3)
 * O(s^2) is extrapolated from two steps. The rest is known from the change of dT.
 * Source: elementary.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/slip_rest.h"
#include "common/base/arrays.h"
#include "common/base/memory.h"
#include "event_driven/sensitivity/slip_pass.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct dls_slip_rest {
  double t;      /* of the state before slip ends; NaN: none is known */
  double *y, *x; /* 2 n: this state; 2 n count: its tangents */
  double *dt;    /* count: of the end */
  double *block;
  dls_contact_mode *mode; /* m */
  bool ends;              /* slip ends at the event in progress */
};

dls_slip_rest *dls_slip_rest_create(const dls_event_method *method, size_t count)
{
  const size_t n = method->n;
  dls_slip_rest *rest = calloc(1, sizeof *rest);
  if (rest == NULL) {
    return NULL;
  }
  rest->t = NAN;
  rest->block = dls_arrays(
      (const dls_slot[]){{2 * n, {&rest->y}}, {2 * n * count, {&rest->x}}, {count, {&rest->dt}}, {0}});
  rest->mode = calloc(method->m + 1, sizeof *rest->mode);
  if (rest->block == NULL || rest->mode == NULL) {
    dls_slip_rest_destroy(rest);
    return NULL;
  }
  return rest;
}

void dls_slip_rest_destroy(dls_slip_rest *rest)
{
  if (rest != NULL) {
    free(rest->block);
    free(rest->mode);
    free(rest);
  }
}

/* --- the state before slip ends --- */

static bool slips_fast(const dls_event_integrator *run, size_t j)
{
  return run->state.contact[j].mode.kind == DLS_MODE_SLIPS && !run->state.contact[j].slips_slowly;
}

void dls_slip_rest_forget(dls_slip_rest *rest)
{
  if (rest != NULL) {
    rest->t = NAN;
    rest->ends = false;
  }
}

void dls_slip_rest_note(dls_motion_tangents *tangents, const dls_step_end *left)
{
  dls_slip_rest *rest = tangents->rest;
  const dls_event_integrator *self = tangents->self.run;
  const size_t n = self->method.n;
  double least = HUGE_VAL;
  for (size_t k = 0; k < self->state.active.count; k++) {
    const size_t j = self->state.active.index[k];
    least = slips_fast(self, j) ? fmin(least, tangents->pass->s[j]) : least;
  }
  const double speed = self->method.sys->length / self->method.sys->time;
  if (least < HUGE_VAL && (least >= threshold_slip_rest_from * speed ||
                           (isnan(rest->t) && least >= threshold_slip_rest_least * self->method.eps.s))) {
    rest->t = left->t;
    memcpy(rest->y, left->y, 2 * n * sizeof *rest->y);
    if (tangents->tape == NULL) {
      memcpy(rest->x, tangents->x, 2 * n * tangents->count * sizeof *rest->x);
    }
  }
}

const double *dls_slip_rest_state(const dls_slip_rest *rest, double *t)
{
  if (rest == NULL || !rest->ends) {
    return NULL;
  }
  *t = rest->t;
  return rest->y;
}

/* --- to its end --- */

/* z = (t, y), then dt of all directions, then their dx, 2 n each. */
typedef struct rest_motion {
  dls_motion_tangents *tangents;
  dls_followed_slip slip;
  size_t n, size;
  double h;                                  /* of r */
  double *z, *first, *now, *slope, *changes; /* size: z and its slope; a trial, its slope and its error */
  double *dS;                                /* count: of S, where slopes were evaluated last */
  double s, slower, across;                  /* s, S and u' across u there */
  double s_before, *before, *times;          /* s after the step before; count: (3) there, and extrapolated */
  double start, *sizes; /* count: size of the slip and of the directions at the start, in units of the scales */
  double *block;
  gsl_odeiv2_step *step; /* of order 8 */
  dls_status status;     /* of the last slope, and its error */
  dls_error *err;
} rest_motion;

static bool create_motion(rest_motion *rest, dls_motion_tangents *tangents, size_t contact, dls_error *err)
{
  const size_t n = tangents->n, count = tangents->count, size = dls_size_product(2 * n + 1, 1 + count);
  *rest = (rest_motion){.tangents = tangents, .slip.contact = contact, .n = n, .size = size, .err = err};
  rest->block = dls_arrays((const dls_slot[]){{size, {&rest->z, &rest->first, &rest->now, &rest->slope}},
                                              {size, {&rest->changes}},
                                              {count, {&rest->sizes, &rest->dS, &rest->before, &rest->times}},
                                              {4 * count, {&rest->slip.change}},
                                              {0}});
  const size_t stages = dls_size_product(24 * sizeof *rest->z, size + 8); /* it takes 16 arrays */
  rest->step = dls_memory_left(stages) ? gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, size) : NULL;
  return rest->block != NULL && rest->step != NULL;
}

static void release_motion(rest_motion *rest)
{
  free(rest->block);
  if (rest->step != NULL) {
    gsl_odeiv2_step_free(rest->step);
  }
}

/* The direction of slip of the closed contacts := that at v, which distinguishes it from slip backward, in the present configuration. */
static void keep_directions(dls_event_integrator *near, const double *v)
{
  for (size_t k = 0; k < near->state.active.count; k++) {
    const size_t j = near->state.active.index[k];
    double u[2];
    const double size = slips_fast(near, j) ? dls_slip_of(&near->method, &near->work, j, v, u) : 0;
    for (size_t i = 0; i < 2 && size > 0; i++) {
      near->state.contact[j].mode.e[i] = u[i] / size;
    }
  }
}

/* (1) and (2) at z: slope := dz/dr. Then S and dS = -D (e . u'), e = u/s. */
static dls_status slopes_at(rest_motion *rest, const double *z, double *slope, dls_error *err)
{
  dls_motion_tangents *tangents = rest->tangents;
  const dls_event_integrator *self = tangents->self.run;
  const size_t n = rest->n, count = tangents->count;
  const double *y = z + 1, *dt = y + 2 * n, *rate = rest->slip.rate, *change = rest->slip.change;
  double *dx = slope + 1 + 2 * n + count, u[2];
  rest->slip.dt = dt;
  memset(rest->slip.change, 0, 4 * count * sizeof *change); /* of directions that have ended */
  tangents->followed = &rest->slip;
  const dls_status status = dls_slopes(tangents, z[0], y, dt + count, dx, err);
  tangents->followed = NULL;
  const double s = dls_slip_of(&self->method, &self->work, rest->slip.contact, y + n, u),
               e[2] = {u[0] / s, u[1] / s};
  rest->s = s;
  rest->slower = -(e[0] * rate[0] + e[1] * rate[1]);
  rest->across = e[0] * rate[1] - e[1] * rate[0];
  slope[0] = s;
  for (size_t i = 0; i < n; i++) {
    slope[1 + i] = s * y[n + i];
    slope[1 + n + i] = s * tangents->a[i];
  }
  for (size_t k = 0; k < count; k++, dx += 2 * n, change += 4) {
    const double ds = e[0] * change[0] + e[1] * change[1], turn = (e[0] * change[1] - e[1] * change[0]) / s;
    slope[1 + 2 * n + k] = ds;
    rest->dS[k] = -(e[0] * change[2] + e[1] * change[3]) - turn * rest->across;
    for (size_t i = 0; i < n; i++) {
      dx[i] = ds * y[n + i] + s * dx[i];
      dx[n + i] = ds * tangents->a[i] + s * dx[n + i];
    }
  }
  return status;
}

/* A change of direction k, relative to the size of the direction or of its dt; 0 of one that is round-off, as a parameter that acts on
 * nothing has. */
static double relative_change(const rest_motion *rest, size_t k, double own, double change)
{
  const dls_motion_tangents *tangents = rest->tangents;
  const dls_system *sys = tangents->self.run->method.sys;
  const double size = fmax(rest->sizes[k], own), none = dls_slopes_noise(tangents, k, tangents->acceleration) *
                                                        sys->time * sys->time / sys->length;
  return size > none ? change / size : 0;
}

/* The largest error of a step, in units of what z was at the start, or of dt. */
static double step_error(const rest_motion *rest)
{
  const dls_event_integrator *self = rest->tangents->self.run;
  const size_t n = rest->n, count = rest->tangents->count;
  double most = 0;
  for (size_t i = 1; i < rest->size; i++) {
    const size_t x = i < 1 + 2 * n ? i - 1 : i - 1 - 2 * n; /* after t and y: dt, then dx */
    const bool motion = i < 1 + 2 * n, time = !motion && x < count;
    const size_t k = time ? x : (x - count) / (2 * n), at = motion ? x : (x - count) % (2 * n);
    const double unit = time ? 1 / self->method.sys->time : dls_tangent_unit(self, at),
                 own = time ? unit * fabs(rest->now[i]) : 0, /* dt of slow slip is much larger than dx */
        change = unit * fabs(rest->changes[i]),
                 error = motion ? change / rest->start : relative_change(rest, k, own, change);
    most = error > most ? error : most; /* not of NaN */
  }
  return most;
}

/* Relative error of dT that is allowed. */
static double error_of(const rest_motion *rest)
{
  return fmax(threshold_slip_rest_error, rest->tangents->self.run->method.eps.tol);
}

static int slopes_of(double unused, const double *z, double *slope, void *data)
{
  (void)unused;
  rest_motion *rest = data;
  rest->status = slopes_at(rest, z, slope, rest->err);
  return rest->status == DLS_OK ? GSL_SUCCESS : GSL_EBADFUNC;
}

/* z and its slope := those after a step of r, unless it errs too much; and the next step. @return was it made? */
static bool advance(rest_motion *rest)
{
  const gsl_odeiv2_system system = {slopes_of, NULL, rest->size, rest};
  const double allowed = error_of(rest);
  memcpy(rest->now, rest->z, rest->size * sizeof *rest->z);
  gsl_odeiv2_step_apply(rest->step, 0, rest->h, rest->now, rest->changes, rest->first, rest->slope, &system);
  const double error = step_error(rest);
  rest->h *= fmin(fmax(threshold_slip_rest_safety * pow(allowed / error, 1.0 / 8), threshold_slip_rest_shrink),
                  threshold_slip_rest_growth);
  if (rest->status != DLS_OK || !(error <= allowed)) {
    return false;
  }
  dls_swap(&rest->z, &rest->now);
  dls_swap(&rest->first, &rest->slope);
  return true;
}

/* (3). @return the largest change of dT by the last step, as in step_error */
static double estimate_times(rest_motion *rest)
{
  const dls_motion_tangents *tangents = rest->tangents;
  const double s = rest->s, S = rest->slower, s2 = s * s, before = rest->s_before * rest->s_before,
               extrapolated = before > s2 ? s2 / (before - s2) : 0,
               unit = 1 / tangents->self.run->method.sys->time;
  const double *dt = rest->z + 1 + 2 * rest->n, *ds = rest->first + 1 + 2 * rest->n;
  double most = 0;
  for (size_t k = 0; k < tangents->count; k++) {
    const double now = dt[k] + (ds[k] - s * rest->dS[k] / S) / S,
                 time = now + extrapolated * (now - rest->before[k]),
                 error = relative_change(rest, k, unit * fabs(time), unit * fabs(time - rest->times[k]));
    most = error > most ? error : most;
    rest->before[k] = now;
    rest->times[k] = time;
  }
  rest->s_before = s;
  return most;
}

/* The step of r. Friction slows and turns slip at the rate F / s. */
static double step_of(const rest_motion *rest)
{
  const dls_motion_tangents *tangents = rest->tangents;
  const dls_event_method *method = &tangents->self.run->method;
  dls_delassus *W = tangents->self.run->work.contacts.W;
  const size_t row = 3 * rest->slip.contact + 1;
  const double F = dls_slip_force(method, rest->slip.contact, tangents->lambda) *
                   fmax(dls_delassus_entry(W, row, row), dls_delassus_entry(W, row + 1, row + 1));
  return threshold_slip_rest_step / fmax(hypot(rest->slower, rest->across), F - rest->slower);
}

/* Does slip end at z up to what is allowed? */
static bool has_ended(rest_motion *rest)
{
  const dls_system *sys = rest->tangents->self.run->method.sys;
  const double turn = fabs(rest->across / rest->slower), s = rest->s / (sys->length / sys->time),
               change = estimate_times(rest);
  return rest->slower > 0 && (change <= error_of(rest) ||
                              s * (s + turn / rest->start) <= error_of(rest)); /* change may be rounding */
}

/* z from (t, y) and dx to where slip slows without turning. @param[out] ends  false: slip does not end */
static dls_status follow_to_rest(rest_motion *rest, bool *ends)
{
  dls_event_integrator *self = rest->tangents->self.run;
  const dls_system *sys = self->method.sys;
  rest->status = dls_geometry_set(&self->state, &self->work, rest->z[0], rest->z + 1, rest->err);
  keep_directions(self, rest->z + 1 + rest->n);
  rest->status = rest->status != DLS_OK ? rest->status : slopes_at(rest, rest->z, rest->first, rest->err);
  rest->start = rest->s / (sys->length / sys->time);
  rest->h = step_of(rest);
  rest->s_before = HUGE_VAL;
  *ends = rest->status == DLS_OK && has_ended(rest);
  for (size_t step = 0; step < threshold_slip_rest_steps && rest->status == DLS_OK && !*ends; step++) {
    if (advance(rest)) {
      keep_directions(self, rest->z + 1 + rest->n);
      *ends = has_ended(rest);
    }
  }
  return rest->status;
}

/* The directions of slip in all systems before, or again. */
static void exchange_directions(dls_motion_tangents *tangents, bool restore)
{
  for (size_t i = 0; i <= DLS_DIRECTION_SYSTEMS * tangents->result->count; i++) {
    dls_event_integrator *near = i == 0 ? tangents->self.run : tangents->near[i - 1].run;
    for (size_t j = 0; near != NULL && j < near->method.m; j++) {
      double *e = near->state.contact[j].mode.e, *kept = tangents->rest->mode[j].e;
      memcpy(restore ? e : kept, restore ? kept : e, 2 * sizeof *e);
    }
  }
}

/* out[count] := dT of the directions x at (t, y); NaN: slip does not end. */
static dls_status rest_times(dls_motion_tangents *tangents, size_t contact, double t, const double *y,
                             const double *x, double *out, dls_error *err)
{
  const size_t n = tangents->n, turns = tangents->turns;
  rest_motion rest;
  bool ends = false;
  if (!create_motion(&rest, tangents, contact, err)) {
    release_motion(&rest);
    return dls_fail(err, DLS_ERR_MEMORY, "event-driven: no memory for the derivatives of the end of slip");
  }
  rest.z[0] = t;
  memcpy(rest.z + 1, y, 2 * n * sizeof *y);
  memcpy(rest.z + 1 + 2 * n + tangents->count, x, 2 * n * tangents->count * sizeof *x);
  for (size_t k = 0; k < tangents->count; k++) {
    const dls_state_line line = {.q = y, .v = y + n, .dq = x + 2 * n * k, .dv = x + 2 * n * k + n};
    rest.sizes[k] = dls_neighbours_size(tangents, &line);
  }
  tangents->turns = 0; /* (2) is not stiff: the turn of slip follows from dx */
  exchange_directions(tangents, false);
  const dls_status status = follow_to_rest(&rest, &ends);
  for (size_t k = 0; k < tangents->count; k++) {
    out[k] = ends ? rest.times[k] : NAN;
  }
  exchange_directions(tangents, true);
  tangents->turns = turns;
  tangents->self.run->work.memo.valid = false;
  release_motion(&rest);
  return status;
}

dls_status dls_slip_rest_end(dls_motion_tangents *tangents, size_t contact, const double **dt, dls_error *err)
{
  dls_slip_rest *rest = tangents->rest;
  rest->ends = !isnan(rest->t);
  const bool forward = rest->ends && tangents->tape == NULL && tangents->count > 0;
  *dt = forward ? rest->dt : NULL;
  return forward ? rest_times(tangents, contact, rest->t, rest->y, rest->x, rest->dt, err) : DLS_OK;
}

dls_status dls_slip_rest_gradient(dls_motion_tangents *tangents, size_t contact, double t, const double *y,
                                  double *by_state, double *by_parameter, dls_error *err)
{
  const size_t n = tangents->n, count = tangents->result->count, kept = tangents->count;
  const size_t columns = tangents->result->columns; /* of all coordinates, as friction in space needs them */
  double *x, *out,
      *block = dls_arrays((const dls_slot[]){{dls_size_product(2 * n, columns), {&x}}, {columns, {&out}}, {0}});
  if (block == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "event-driven: no memory for the derivatives of the end of slip");
  }
  for (size_t i = 0; i < 2 * n; i++) {
    x[2 * n * (count + i) + i] = 1;
  }
  tangents->count = columns;
  const dls_status status = rest_times(tangents, contact, t, y, x, out, err);
  tangents->count = kept;
  memcpy(by_parameter, out, count * sizeof *out);
  memcpy(by_state, out + count, 2 * n * sizeof *out);
  free(block);
  return status;
}
