/* event_driven/accumulation/simultaneous.c -- impacts at almost the same time: one event or separate events.
 *
 * A gap g that closes with u < 0 reaches zero g/|u| after the event. Two impacts are separate events if these times differ by
 * more than the error of their difference: the local error of both gaps over |u|, and at least event_tol. Impacts that are
 * closer, with gaps up to eps_g, are one event. If v+ depends on their order, the event lists its contacts (`merged`),
 * and all later bounds include the largest difference of v+.
 * The orders that are compared: each contact alone first, then the others together. That of a contact with W_ij = 0 for all others
 * needs no comparison. If an order has no result, because its
 * contact problem was not solved or its successive impacts do not end, the difference is unknown and the bounds are infinite.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"
#include "event_driven/event_integrator.h"
#include <float.h>
#include <math.h>
#include <string.h>

double dls_simultaneous_gap_error(const dls_event_integrator *run, size_t j, double t, const double *q,
                                  const double *v)
{
  const double rounding = dls_geometry_gap_round_off(run, j, t, q);
  return run->method.integrator == DLS_ENGINE_FLOW ? rounding
                                                   : fmax(rounding, dls_smooth_gap_tolerance(run, j, q, v));
}

/* The local error at the event: at most the displacement by the acceleration of the gap since the last restart. */
static double local_error(const dls_event_integrator *run, size_t j)
{
  const double T = run->state.located.t - run->state.restarted;
  const double gamma = dls_matrix_column_dot(run->work.contacts.config->normals, j, run->sim->a_left);
  const double rounding = dls_geometry_gap_round_off(run, j, run->state.located.t, run->work.q);
  return fmax(rounding, fmin(dls_simultaneous_gap_error(run, j, run->state.located.t, run->work.q, run->work.v),
                             0.5 * fabs(gamma) * T * T));
}

double dls_simultaneous_time_error(const dls_event_integrator *run, size_t j)
{
  return run->work.u[j] < 0 ? local_error(run, j) / -run->work.u[j] : 0;
}

bool dls_simultaneous_closes(const dls_event_integrator *run, size_t j)
{
  const double least = fmax(run->method.eps.event, threshold_order_time_rounding * fabs(run->state.located.t));
  const double apart =
      -run->work.u[j] * fmax(least, run->state.located_error + dls_simultaneous_time_error(run, j));
  return run->work.g[j] <=
         fmin(apart, fmax(run->method.eps.g,
                          threshold_resolved_gap *
                              dls_geometry_gap_round_off(run, j, run->state.located.t, run->work.q)));
}

/* Was the contact open before this impact? At the start, contacts with u = 0 rest. */
static bool is_open(const dls_event_state *state, const dls_participant *participant)
{
  return !state->was_closed[participant->contact] &&
         (participant->u_minus < 0 || state->located.kind != DLS_LOCATED_START);
}

/* Which of the open contacts take part in an impact: one of them, those whose gap closes, or all. */
enum { CLOSING = -1, ALL = -2 };

/* v := v+ after the impact of the closed contacts and of the chosen open ones. @param[out] any  a gap of the chosen ones closes */
static dls_status apply_impacts(dls_event_integrator *run, size_t count, int which, double zero, double *v,
                                bool *any, dls_error *err)
{
  dls_contacts set = {0, run->work.subset};
  *any = false;
  for (size_t k = 0; k < count; k++) {
    const size_t j = run->state.participant[k].contact;
    const bool open = is_open(&run->state, &run->state.participant[k]);
    const bool closes = open && dls_configuration_row(run->work.contacts.config, run->method.d * j, v) < -zero;
    const bool chosen = which == ALL || (closes && (which == CLOSING || which == (int)k));
    *any = *any || (closes && chosen);
    if (!open || chosen) {
      run->work.subset[set.count++] = j;
    }
  }
  if (!*any) {
    return DLS_OK;
  }
  dls_contact_system_velocity(&run->work.contacts, &set, v, run->work.u_free);
  memcpy(run->work.u_minus, run->work.u_free, run->method.d * set.count * sizeof *run->work.u_minus);
  for (size_t k = 0; k < set.count; k++) {
    double *u = &run->work.u_free[run->method.d * k];
    *u = fabs(*u) <= zero ? 0 : *u;
    run->work.u_minus[run->method.d * k] = fmin(*u, 0);
  }
  memset(run->work.impulse, 0, run->method.d * set.count * sizeof *run->work.impulse);
  const dls_status status = dls_contact_system_impulse(&run->work.contacts, &set, run->work.u_free,
                                                       run->work.u_minus, run->work.impulse, err);
  if (status == DLS_OK) {
    dls_contact_system_apply(&run->work.contacts, &set, 1, run->work.impulse, v);
  }
  return status;
}

/* v := v+ after the impact of the k-th participant, then of all contacts whose gaps close, until none closes.
 * @param[out] any  its gap closes
 * @return DLS_ERR_NOCONV if gaps still close after threshold_order_passes */
static dls_status apply_first_impact(dls_event_integrator *run, size_t count, size_t k, double zero, double *v,
                                     bool *any, dls_error *err)
{
  dls_status status = apply_impacts(run, count, (int)k, zero, v, any, err);
  bool more = *any;
  for (int pass = 0; more && status == DLS_OK && pass < threshold_order_passes; pass++) {
    status = apply_impacts(run, count, CLOSING, zero, v, &more, err);
  }
  return status == DLS_OK && more ? DLS_ERR_NOCONV : status;
}

/* Largest difference of v, and of the velocities of the gaps. */
static void compare_velocities(const dls_event_method *method, const dls_event_work *work, const double *a,
                               const double *b, double *dv, double *du)
{
  *dv = *du = 0;
  for (size_t i = 0; i < method->n; i++) {
    *dv = fmax(*dv, fabs(a[i] - b[i]));
  }
  for (size_t j = 0; j < method->m; j++) {
    *du = fmax(*du, fabs(dls_configuration_row(work->contacts.config, method->d * j, a) -
                         dls_configuration_row(work->contacts.config, method->d * j, b)));
  }
}

static dls_column column_of(const dls_event_integrator *run, size_t k, size_t i)
{
  const dls_participant *participant = &run->state.participant[k];
  return dls_matrix_column(run->work.contacts.config->H, run->method.d * participant->contact + i);
}

/* users[i] := columns of H of the participants with an entry in row i; NULL where W couples more than that. */
static const double *count_users(const dls_event_integrator *run, size_t count, double *users)
{
  const dls_contact_system *contacts = &run->work.contacts;
  if (contacts->joints != NULL || dls_factor_storage(contacts->M) != DLS_DIAGONAL ||
      dls_matrix_storage(contacts->config->H) == DLS_DENSE) {
    return NULL;
  }
  memset(users, 0, run->method.n * sizeof *users);
  for (size_t k = 0; k < count; k++) {
    for (size_t i = 0; i < run->method.d; i++) {
      const dls_column c = column_of(run, k, i);
      for (size_t e = 0; e < c.count; e++) {
        users[dls_column_row(&c, e)]++;
      }
    }
  }
  return users;
}

/* Does participant k close, with W_kj = 0 for all others? Then its order does not matter. */
static bool closes_alone(const dls_event_integrator *run, size_t k, const double *users, double zero,
                         const double *v_before)
{
  const size_t j = run->state.participant[k].contact, d = run->method.d;
  if (users == NULL || !(dls_configuration_row(run->work.contacts.config, d * j, v_before) < -zero)) {
    return false;
  }
  for (size_t i = 0; i < d; i++) {
    const dls_column c = column_of(run, k, i);
    for (size_t e = 0; e < c.count; e++) {
      double own = 0;
      for (size_t l = 0; l < d; l++) {
        const dls_column other = column_of(run, k, l);
        for (size_t f = 0; f < other.count; f++) {
          own += dls_column_row(&other, f) == dls_column_row(&c, e);
        }
      }
      if (users[dls_column_row(&c, e)] > own) {
        return false;
      }
    }
  }
  return true;
}

static bool ends_comparison(dls_status status)
{
  return status == DLS_ERR_MEMORY || status == DLS_ERR_INTERRUPTED;
}

/* The largest difference between v+ with one contact first and v+ with all contacts at once.
 * @return DLS_ERR_MEMORY or DLS_ERR_INTERRUPTED; a problem without a solution is counted in merge */
static dls_status try_orders(dls_event_integrator *run, size_t count, const double *v_before, double zero,
                             dls_error *err)
{
  dls_merge *merge = &run->state.merge;
  double *together = run->work.y, *apart = run->work.y + run->method.n;
  const double matters = fmax(run->method.eps.tol * run->method.sys->length / run->method.sys->time, zero);
  bool any = false;
  memcpy(together, v_before, run->method.n * sizeof *together);
  const dls_status at_once = apply_impacts(run, count, ALL, zero, together, &any, err);
  const double *users = at_once == DLS_OK ? count_users(run, count, run->work.dy) : NULL;
  dls_status status = at_once;
  for (size_t k = 0; k < count && !ends_comparison(status); k++) {
    if (is_open(&run->state, &run->state.participant[k])) {
      if (closes_alone(run, k, users, zero, v_before)) {
        merge->orders++;
        run->state.participant[k].merged = false;
        continue;
      }
      double dv = 0, du = 0;
      memcpy(apart, v_before, run->method.n * sizeof *apart);
      status = at_once == DLS_OK ? apply_first_impact(run, count, k, zero, apart, &any, err) : at_once;
      if (status == DLS_OK && any) {
        compare_velocities(&run->method, &run->work, apart, together, &dv, &du);
      }
      merge->orders++;
      merge->unsolved += status != DLS_OK;
      run->state.participant[k].merged = status != DLS_OK || !any || dv > matters;
      merge->dv = fmax(merge->dv, dv > matters ? dv : 0);
      merge->du = fmax(merge->du, dv > matters ? du : 0);
    }
  }
  return ends_comparison(status) ? status : DLS_OK;
}

/* Record the contacts of the merge, and add its differences to the uncertainty. */
static void record_merge(dls_event_state *state, size_t count)
{
  dls_merge *merge = &state->merge;
  dls_uncertainty *uncertainty = &state->uncertainty;
  for (size_t k = 0; k < count; k++) {
    dls_participant *participant = &state->participant[k];
    participant->merged = participant->merged && (merge->dv > 0 || merge->unsolved > 0);
    if (participant->merged && merge->count++ < DLS_MERGED_MOST) {
      merge->contact[merge->count - 1] = participant->contact;
    }
  }
  uncertainty->since = uncertainty->dv > 0 ? uncertainty->since : state->located.t;
  uncertainty->dv += merge->unsolved > 0 ? INFINITY : merge->dv;
  uncertainty->du += merge->unsolved > 0 ? INFINITY : merge->du;
}

dls_status dls_simultaneous_try_orders(dls_event_integrator *run, size_t count, const double *v_before,
                                       double zero, dls_error *err)
{
  size_t open = 0;
  for (size_t k = 0; k < count; k++) {
    open += is_open(&run->state, &run->state.participant[k]);
  }
  if (open < 2) {
    return DLS_OK;
  }
  const dls_work work = run->sim->work;
  dls_error why = {0};
  const dls_status status = try_orders(run, count, v_before, zero, &why);
  const dls_fallbacks fallbacks = run->sim->work.fallbacks; /* these explain the time, so they count */
  run->sim->work = work;
  run->sim->work.fallbacks = fallbacks;
  if (status != DLS_OK) {
    return dls_fail(err, status, "%s", why.text);
  }
  record_merge(&run->state, count);
  return DLS_OK;
}

double dls_simultaneous_gap_uncertainty(const dls_event_state *state, double t)
{
  return state->uncertainty.du > 0 && t > state->uncertainty.since
             ? state->uncertainty.du * (t - state->uncertainty.since)
             : 0;
}
