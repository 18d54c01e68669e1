/* event_driven/friction/slip_end.c -- the end of slip in space, from eps.s, where it is located, to zero slip.
 *
 * Slip that slows without turning ends in closed form. Slip that turns as well is stiff there, but the same at every scale, because all
 * forces are constant over so short a time apart from their directions. Steps in proportion to the slip follow it until its turn no
 * longer matters. A step in which slip nearly ends and turns away from its first direction is too long: the error estimate of the
 * integrator assumes forces that vary smoothly, and friction turns faster the smaller the slip is.
 * Source: elementary; the classical Runge-Kutta method (Hairer, Norsett, Wanner 1993, section II.1).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/event_integrator.h"
#include "event_driven/friction/slip.h"
#include <math.h>
#include <string.h>

/* Store the directions of slip at v: where slip ends it has no direction. */
static void store_directions(dls_event_integrator *run)
{
  for (size_t k = 0; k < run->state.active.count; k++) {
    const size_t j = run->state.active.index[k];
    dls_contact *contact = &run->state.contact[j];
    double u[2];
    const double size = dls_slip_of(&run->method, &run->work, j, run->work.v, u);
    const bool slips = contact->mode.kind == DLS_MODE_SLIPS && !contact->slips_slowly && size > 0;
    for (size_t i = 0; slips && i < 2; i++) {
      contact->mode.e[i] = u[i] / size;
    }
  }
}

/* Slip of contact j and its rates [m/s, m/s^2]. */
typedef struct slip_rates {
  double size, slower, across; /* |u|, -|u|', |u| times the rate of its angle */
} slip_rates;

/* The slip at q, v; a := the acceleration there. */
static dls_status evaluate_slip(dls_event_integrator *run, size_t j, slip_rates *s, dls_error *err)
{
  double u[2], rate[2];
  const dls_status status = dls_smooth_dynamics(run, run->state.located.t, run->work.q, run->work.v,
                                                run->work.a, run->work.lambda, err);
  s->size = dls_slip_of(&run->method, &run->work, j, run->work.v, u);
  dls_slip_rate(&run->method, &run->work, j, run->work.a, rate);
  s->slower = s->size > 0 ? -(rate[0] * u[0] + rate[1] * u[1]) / s->size : 0;
  s->across = s->size > 0 ? fabs(rate[1] * u[0] - rate[0] * u[1]) / s->size : 0;
  return status;
}

/* Slip across the present direction that is left when the slip along it has ended at its present rates. */
static double remaining_slip(const slip_rates *s)
{
  return s->across == 0 ? 0 : s->slower > 0 ? s->size * s->across / s->slower : HUGE_VAL;
}

/* A step of the classical Runge-Kutta method for q, v. */
static dls_status runge_kutta_step(dls_event_integrator *run, double h, dls_error *err)
{
  dls_event_work *work = &run->work;
  static const double at[] = {0, 0.5, 0.5, 1, 0}, weight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  const size_t n = run->method.n;
  double *q = work->y, *v = work->y + n, *dq = work->dy, *dv = work->dy + n;
  dls_status status = DLS_OK;
  memcpy(q, work->q, n * sizeof *q);
  memcpy(v, work->v, n * sizeof *v);
  memset(dq, 0, 2 * n * sizeof *dq);
  for (int stage = 0; stage < 4 && status == DLS_OK; stage++) {
    status = dls_smooth_dynamics(run, run->state.located.t + at[stage] * h, q, v, work->a, work->lambda, err);
    for (size_t i = 0; i < n; i++) {
      dq[i] += weight[stage] * v[i];
      dv[i] += weight[stage] * work->a[i];
      q[i] = work->q[i] + at[stage + 1] * h * v[i];
      v[i] = work->v[i] + at[stage + 1] * h * work->a[i];
    }
  }
  for (size_t i = 0; i < n; i++) {
    work->q[i] += h * dq[i];
    work->v[i] += h * dv[i];
  }
  run->state.located.t += h;
  return status;
}

/* How far the last forces of closed contact j exceed what lets it keep its mode [m/s^2]. @param[out] what  the event */
static double limit_excess(const dls_event_integrator *run, size_t j, dls_located_kind *what)
{
  const dls_contact *contact = &run->state.contact[j];
  const double normal = run->work.lambda[run->method.d * j], limit = contact->mode.mu * normal;
  const double pull = -contact->weight * normal;
  const double excess = contact->has_friction && contact->mode.kind == DLS_MODE_STICKS
                            ? contact->weight * (dls_slip_force(&run->method, j, run->work.lambda) - limit)
                            : pull;
  *what = excess > pull ? DLS_LOCATED_LIMIT : DLS_LOCATED_RELEASE;
  return fmax(excess, pull);
}

/* first := the closed contact with the largest excess. @return the excess */
static double largest_excess(const dls_event_integrator *run, dls_located_event *first)
{
  double most = -HUGE_VAL;
  for (size_t k = 0; k < run->state.active.count; k++) {
    dls_located_kind what = DLS_LOCATED_NONE;
    const double excess = limit_excess(run, run->state.active.index[k], &what);
    if (excess > most) {
      most = excess;
      first->kind = what;
      first->contact = run->state.active.index[k];
    }
  }
  return most;
}

static dls_status step_and_evaluate(dls_event_integrator *run, size_t j, double h, slip_rates *s,
                                    dls_error *err)
{
  const dls_status status = runge_kutta_step(run, h, err);
  store_directions(run);
  run->work.memo.valid = false;
  return status != DLS_OK ? status : evaluate_slip(run, j, s, err);
}

/* A step of h. If another contact cannot keep its mode at its end, the step ends where that happens, and that is the event. */
static dls_status advance_slip(dls_event_integrator *run, size_t j, double h, slip_rates *s, dls_error *err)
{
  const size_t n = run->method.n;
  const double t = run->state.located.t;
  double *q = run->work.dddy, *v = run->work.dddy + n;
  dls_located_event first = run->state.located;
  memcpy(q, run->work.q, n * sizeof *q);
  memcpy(v, run->work.v, n * sizeof *v);
  dls_status status = step_and_evaluate(run, j, h, s, err);
  double low = 0, high = h, last = h;
  for (int k = 0; k < threshold_slip_end_halvings && status == DLS_OK; k++) {
    const double excess = largest_excess(run, &first);
    if (excess <= run->method.eps.a && last == h) {
      return DLS_OK;
    }
    if (excess > 0 && excess <= run->method.eps.a) {
      break;
    }
    *(excess > 0 ? &high : &low) = last;
    last = 0.5 * (low + high);
    run->state.located.t = t;
    memcpy(run->work.q, q, n * sizeof *q);
    memcpy(run->work.v, v, n * sizeof *v);
    store_directions(run);
    status = step_and_evaluate(run, j, last, s, err);
  }
  run->state.located.kind = first.kind;
  run->state.located.contact = first.contact;
  return status;
}

/* Follow slip that turns about as fast as it slows, in steps in proportion to itself, until stopping it neglects no more than
 * slip_together. Before that it may become slow slip or grow: the event is a restart then. Or another contact changes. */
static dls_status follow_turning_slip(dls_event_integrator *run, size_t j, slip_rates *s, dls_error *err)
{
  dls_event_state *state = &run->state;
  dls_contact *contact = &state->contact[j];
  dls_status status = DLS_OK;
  state->located.kind = DLS_LOCATED_DRIFT; /* unless it ends */
  for (int k = 0; k < threshold_slip_end_steps && status == DLS_OK &&
                  state->located.kind == DLS_LOCATED_DRIFT && state->located.t < state->end;
       k++) {
    if (remaining_slip(s) <= threshold_slip_together * run->method.eps.s ||
        s->size > threshold_turned_slip * run->method.eps.s) {
      break;
    }
    if (dls_slow_slip_begins(&run->method, &run->work, j, run->work.v, &contact->slow_slip_limit)) {
      contact->slips_slowly = true;
      return DLS_OK;
    }
    const double rate =
        fmax(hypot(s->slower, s->across), dls_slow_slip_stiffness(&run->method, &run->work, j)) / s->size;
    status = advance_slip(run, j, fmin(threshold_slip_end_step / rate, state->end - state->located.t), s, err);
  }
  if (state->located.kind == DLS_LOCATED_DRIFT && s->size <= threshold_turned_slip * run->method.eps.s) {
    state->located.kind = DLS_LOCATED_REST;
  }
  run->work.memo.valid = false;
  return status;
}

/* At the end of slip: its direction e := that of the friction in the slope of the dense output, x_T' = W lambda_T = -W mu lambda_N e.
 * The direction of the remaining slip is round-off, which cubic interpolation would spread over the whole step. */
static void restore_slip_direction(dls_event_integrator *run, const double *slope)
{
  const dls_event_method *method = &run->method;
  for (size_t k = 0; k < run->state.active.count; k++) {
    const size_t j = run->state.active.index[k];
    dls_contact *contact = &run->state.contact[j];
    const double *friction = slope + 2 * method->n + method->d * j + 1, size = hypot(friction[0], friction[1]);
    double u[2];
    const bool ended = run->state.located.contact == j || dls_slip_of(method, &run->work, j, run->work.v, u) <=
                                                              threshold_slip_together * method->eps.s;
    const bool slips = contact->mode.kind == DLS_MODE_SLIPS && !contact->slips_slowly && size > 0;
    for (size_t i = 0; slips && ended && i < 2; i++) {
      contact->mode.e[i] = -friction[i] / size;
    }
  }
  run->work.memo.valid = false;
}

double dls_slip_resolved_step(dls_event_integrator *run)
{
  dls_event_work *work = &run->work;
  const dls_step_end *left = &run->state.left;
  const size_t j = run->state.located.contact;
  if (run->method.d != 3 || run->state.located.kind != DLS_LOCATED_REST || run->state.contact[j].slips_slowly) {
    return 0;
  }
  double u[2], rate[2];
  dls_engine_interpolate(work->engine, run->state.located.t, 0, work->y);
  dls_configuration_contacts(work->contacts.config, run->state.located.t, work->y);
  const bool ended = dls_slip_of(&run->method, work, j, work->y + run->method.n, u) <=
                     threshold_turned_slip * run->method.eps.s;
  dls_configuration_contacts(work->contacts.config, left->t, left->y);
  dls_configuration_curvature(work->contacts.config, left->y + run->method.n, work->contacts.curvature);
  const double h = threshold_slip_end_step * dls_slip_of(&run->method, work, j, left->y + run->method.n, u) /
                   dls_slip_rate(&run->method, work, j, left->dy + run->method.n, rate);
  work->memo.valid = false;
  return !ended && run->state.located.t - left->t > h ? h : 0;
}

dls_status dls_slip_end(dls_event_integrator *run, dls_error *err)
{
  double u[2];
  slip_rates s;
  const size_t j = run->state.located.contact;
  const bool was_slow = run->state.contact[j].slips_slowly;
  dls_status status = dls_geometry_set(&run->state, &run->work, run->state.located.t, run->work.q, err);
  if (status != DLS_OK) {
    return status;
  }
  const double size = dls_slip_of(&run->method, &run->work, j, run->work.v, u);
  if (was_slow && size <= threshold_slip_together * run->method.eps.s) {
    return DLS_OK;
  }
  dls_engine_interpolate(run->work.engine, run->state.located.t, 1, run->work.dense_noise);
  run->state.contact[j].slips_slowly = false; /* the rest is across the slow motion, and friction opposes it */
  run->work.memo.valid = false;
  if (size > threshold_turned_slip * run->method.eps.s) {
    run->state.located.kind = DLS_LOCATED_DRIFT;
    return DLS_OK;
  }
  store_directions(run);
  status = evaluate_slip(run, j, &s, err);
  if (status == DLS_OK && remaining_slip(&s) > threshold_slip_together * run->method.eps.s) {
    status = follow_turning_slip(run, j, &s, err);
  }
  if (status != DLS_OK || run->state.located.kind != DLS_LOCATED_REST) {
    return status;
  }
  const double tau = s.slower > 0 ? fmin(s.size / s.slower, run->state.end - run->state.located.t) : 0;
  for (size_t i = 0; i < run->method.n; i++) {
    run->work.q[i] += tau * (run->work.v[i] + 0.5 * tau * run->work.a[i]);
    run->work.v[i] += tau * run->work.a[i];
  }
  run->state.located.t += tau;
  restore_slip_direction(run, run->work.dense_noise);
  return DLS_OK;
}
