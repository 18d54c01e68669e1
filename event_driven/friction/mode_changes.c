/* event_driven/friction/mode_changes.c -- contact modes at events: which contacts are stationary, and what the acceleration level decides for them.
 *
 *   slip (u_T != 0)   r_T = -mu r_N u_T/|u_T|, one unknown
 *   stationary (u_T = 0)   Coulomb's law on (Gamma_N, u_T'): sticks, or begins to slip along u_T'
 * Of several solutions the one in which all stationary contacts stick is taken, otherwise the one with the smallest forces.
 * Static friction above that of sliding: the limit of a stationary contact is mu_s; a contact that begins to slip has mu.
 * Stribeck's curve: a slipping contact has the mu of its speed, which begins with mu_s.
 * Sources: Acary, lecture, eqs. (30), (31); Genot, Brogliato 1999 for contacts without a solution.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/event_integrator.h"
#include "event_driven/friction/slip.h"
#include "event_driven/friction/slow_slip.h"
#include <float.h>
#include <math.h>
#include <string.h>

static dls_contact_mode sticking(const dls_event_method *method, size_t j)
{
  return (dls_contact_mode){.kind = DLS_MODE_STICKS, .mu = fmax(method->sys->mu[j], method->sys->mu_s[j])};
}

/* Does slow slip of contact j stay slow? Not if it has just become too fast. */
static bool stays_slow(const dls_event_state *state, size_t j)
{
  return state->located.kind != DLS_LOCATED_FAST_SLIP || state->located.contact != j;
}

/* Was the end of slip in space being followed (slip_end.c) when another contact changed? Then it continues. */
static bool was_ending(const dls_event_method *method, const dls_event_state *state, size_t j, double size)
{
  const dls_contact *contact = &state->contact[j];
  const dls_located_kind kind = state->located.kind;
  const bool other = (kind == DLS_LOCATED_LIMIT || kind == DLS_LOCATED_RELEASE || kind == DLS_LOCATED_REST) &&
                     state->located.contact != j;
  return method->d == 3 && other && state->was_closed[j] && state->was[j].kind == DLS_MODE_SLIPS &&
         contact->slip_established && !contact->slips_slowly && size > threshold_slip_together * method->eps.s;
}

void dls_modes_start(dls_event_integrator *run, size_t j)
{
  double u[2];
  dls_contact *contact = &run->state.contact[j];
  const double size = dls_slip_of(&run->method, &run->work, j, run->work.v, u);
  const bool same =
      memcmp(&contact->mode, &run->state.mode[j], sizeof contact->mode) == 0; /* no impulse has changed it */
  const bool went_on =
      same && contact->slips_slowly && stays_slow(&run->state, j) && size <= contact->slow_slip_limit;
  const bool ends = was_ending(&run->method, &run->state, j, size);
  contact->mode = run->state.mode[j];
  const bool slips = contact->mode.kind == DLS_MODE_SLIPS;
  contact->slip_established = slips && (size > dls_slip_established_speed(&run->method) || ends);
  contact->slips_slowly = run->method.d == 3 && slips && !ends && (size <= run->method.eps.s || went_on);
}

/* Slow slip at v that is not near the direction of the last forces is followed in full; its end may be near. @return is there any? */
static bool release_off_direction(dls_event_integrator *run)
{
  bool any = false;
  for (size_t k = 0; run->method.d == 3 && k < run->state.active.count; k++) {
    const size_t j = run->state.active.index[k];
    dls_contact *contact = &run->state.contact[j];
    double u[2];
    if (contact->slips_slowly) {
      const double *e = run->state.mode[j].e, size = dls_slip_of(&run->method, &run->work, j, run->work.v, u),
                   forward = fmax(0, dls_slip_along(run->method.d, u, e));
      if (hypot(u[0] - forward * e[0], u[1] - forward * e[1]) >
          threshold_slip_together * run->method.eps.s + threshold_off_direction * size) {
        any = contact->slip_established = true;
        contact->slips_slowly = run->work.memo.valid = false;
      }
    }
  }
  return any;
}

dls_status dls_modes_forces(dls_event_integrator *run, double t, dls_error *err)
{
  dls_status status = DLS_OK;
  do {
    status = dls_smooth_dynamics(run, t, run->work.q, run->work.v, run->work.a, run->work.lambda, err);
  } while (status == DLS_OK && release_off_direction(run));
  return status;
}

/* Is slip in space slow enough to be tried as slow slip? */
static bool may_slip_slowly(const dls_event_method *method, const dls_contact *contact, double size)
{
  return method->d == 3 && contact->mode.kind == DLS_MODE_SLIPS &&
         (contact->slips_slowly ||
          size < threshold_slow_slip_candidate * method->sys->length / method->sys->time);
}

static void begin_slow_slip(dls_event_integrator *run, size_t j)
{
  if (dls_slow_slip_begins(&run->method, &run->work, j, run->state.right.y + run->method.n,
                           &run->state.contact[j].slow_slip_limit)) {
    run->state.contact[j].slips_slowly = true;
    run->state.located = (dls_located_event){.kind = DLS_LOCATED_DRIFT, .t = run->state.right.t, .contact = j};
  }
}

dls_status dls_modes_update(dls_event_integrator *run, size_t j, dls_error *err)
{
  const dls_event_method *method = &run->method;
  double u[2];
  dls_contact *contact = &run->state.contact[j];
  const dls_step_end *right = &run->state.right;
  const double size = dls_slip_of(method, &run->work, j, right->y + method->n, u);
  dls_status status = DLS_OK;
  if (contact->mode.kind == DLS_MODE_STICKS &&
      size > threshold_drift * method->eps.u * method->sys->length / method->sys->time) {
    run->state.located = (dls_located_event){.kind = DLS_LOCATED_DRIFT, .t = right->t, .contact = j};
  }
  contact->slip_established = contact->slip_established || (contact->mode.kind == DLS_MODE_SLIPS &&
                                                            size > 2 * dls_slip_established_speed(method));
  for (size_t i = 0; contact->slip_established && !contact->slips_slowly && method->d == 3 && i < 2; i++) {
    contact->mode.e[i] = u[i] / size;
    run->work.memo.valid = false;
  }
  if (may_slip_slowly(method, contact, size)) {
    status =
        dls_smooth_dynamics(run, right->t, right->y, right->y + method->n, run->work.a, run->work.lambda, err);
    if (contact->slips_slowly) {
      const double *e = memcpy(contact->mode.e, run->state.mode[j].e, sizeof contact->mode.e);
      const double across = fabs(e[0] * u[1] - e[1] * u[0]);
      contact->slow_slip_limit = fmin(contact->slow_slip_limit,
                                      dls_slow_slip_limit(method, &run->work, j)); /* it may turn faster now */
      if (across > method->eps.s + threshold_off_direction * size || size > contact->slow_slip_limit) {
        run->state.located = (dls_located_event){.kind = DLS_LOCATED_FAST_SLIP, .t = right->t, .contact = j};
      }
    } else if (status == DLS_OK) {
      begin_slow_slip(run, j);
    }
  }
  return status;
}

void dls_modes_apply(dls_event_integrator *run, dls_participant *participant, bool stationary)
{
  double e[2];
  const size_t j = participant->contact;
  const double size = dls_slip_direction(run, j, run->work.v, e);
  participant->stationary = run->state.contact[j].has_friction && (stationary || (e[0] == 0 && e[1] == 0));
  run->state.mode[j] = !run->state.contact[j].has_friction ? (dls_contact_mode){.kind = DLS_MODE_FRICTIONLESS}
                       : participant->stationary           ? sticking(&run->method, j)
                                                           : dls_slip_mode(&run->method, j, e, 1, size);
}

/* Slip up to this is none after an impact, where a contact closes, or where surfaces jump [m/s]. */
static double zero_slip(const dls_event_method *method, const dls_event_state *state, size_t count)
{
  const bool jumps = state->located.kind == DLS_LOCATED_START || state->located.kind == DLS_LOCATED_SWITCH;
  double fastest = jumps ? method->sys->length / method->sys->time : 0;
  for (size_t k = 0; k < count; k++) {
    const dls_participant *participant = &state->participant[k];
    fastest = fmax(fastest,
                   hypot(participant->u_minus, hypot(participant->slip_minus[0], participant->slip_minus[1])));
  }
  return method->eps.u * fastest;
}

void dls_modes_classify_slip(dls_event_integrator *run, size_t count, bool impact)
{
  const dls_event_method *method = &run->method;
  const double zero = zero_slip(method, &run->state, count);
  for (size_t k = 0; k < count; k++) {
    dls_participant *participant = &run->state.participant[k];
    const dls_contact *contact = &run->state.contact[participant->contact];
    const bool located = run->state.located.contact == participant->contact;
    const double size =
        dls_slip_of(method, &run->work, participant->contact, run->work.v, participant->slip_plus);
    const bool sticks = contact->mode.kind == DLS_MODE_STICKS;
    const bool ends = located ? method->d == 2 || size <= 2 * method->eps.s
                              : contact->slip_established && size <= threshold_slip_together * method->eps.s;
    participant->stationary = !contact->has_friction ? false
                              : impact || !contact->closed || run->state.located.kind == DLS_LOCATED_SWITCH
                                  ? size <= zero
                              : run->state.located.kind == DLS_LOCATED_REST  ? sticks || ends
                              : run->state.located.kind == DLS_LOCATED_LIMIT ? sticks && !located
                                                                             : sticks;
  }
}

/* The contact that has reached its limit begins to slip against its friction. */
static dls_contact_mode begin_slip_mode(const dls_event_method *method, const dls_event_work *work, size_t j)
{
  double back[2];
  for (size_t i = 1; i < method->d; i++) {
    back[i - 1] = -work->lambda[method->d * j + i];
  }
  const double size = dls_slip_force(method, j, work->lambda);
  return size > 0 ? dls_slip_mode(method, j, back, size, 0) : sticking(method, j);
}

/* Slip that has only begun keeps its direction. Slip that is rounding has no direction: Coulomb's law decides. */
void dls_modes_initial(dls_event_integrator *run, size_t count, bool impact)
{
  dls_event_state *state = &run->state;
  const double no_slip = threshold_slip_rounding * run->method.sys->length / run->method.sys->time;
  for (size_t k = 0; k < count; k++) {
    const dls_participant *participant = &state->participant[k];
    const size_t j = participant->contact;
    const dls_contact *contact = &state->contact[j];
    const bool limit = state->located.kind == DLS_LOCATED_LIMIT && state->located.contact == j && !impact;
    const bool slip_persists = !impact && state->located.kind != DLS_LOCATED_SWITCH && contact->closed &&
                               contact->mode.kind == DLS_MODE_SLIPS;
    const bool just_begun = slip_persists && !contact->slip_established;
    const bool slips_slowly = slip_persists && contact->slips_slowly && stays_slow(state, j);
    double u[2];
    const double size = dls_slip_of(&run->method, &run->work, j, run->work.v, u);
    state->mode[j] = !contact->has_friction          ? (dls_contact_mode){.kind = DLS_MODE_FRICTIONLESS}
                     : limit                         ? begin_slip_mode(&run->method, &run->work, j)
                     : participant->stationary       ? sticking(&run->method, j)
                     : just_begun && size <= no_slip ? sticking(&run->method, j)
                     : slips_slowly || (just_begun && size <= run->method.eps.s)
                         ? contact->mode
                         : dls_slip_mode(&run->method, j, u, size, size);
  }
}

/* The largest force of the set at the acceleration level. */
static double largest_force(const dls_event_integrator *run, const dls_contacts *set)
{
  const size_t d = run->method.d;
  double most = 0;
  for (size_t k = 0; k < d * set->count; k++) {
    most = fmax(most, fabs(run->work.force[d * set->index[k / d] + k % d]));
  }
  return most;
}

/* Up to this a slip acceleration of contact j is none: eps.a, or round-off of forces, which act on it where masses are coupled. */
static double no_slip_acceleration(const dls_event_integrator *run, size_t j, double most)
{
  return fmax(run->method.eps.a, threshold_force_rounding * run->state.contact[j].weight * most);
}

/* Do the forces of the acceleration level let every contact keep its mode? */
static bool modes_persist(const dls_event_integrator *run, const dls_contacts *set)
{
  const double most = largest_force(run, set);
  for (size_t k = 0; k < set->count; k++) {
    const size_t j = set->index[k];
    const dls_contact_mode *mode = &run->state.mode[j];
    const double normal = run->work.force[run->method.d * j], weight = run->state.contact[j].weight;
    double rate[2];
    const bool holds = mode->kind != DLS_MODE_STICKS ||
                       (dls_slip_force(&run->method, j, run->work.force) <=
                            mode->mu * normal * (1 + threshold_limit_rounding) &&
                        dls_slip_rate(&run->method, &run->work, j, run->work.a, rate) <=
                            no_slip_acceleration(run, j, most)); /* friction has no lever at a dead centre */
    const bool firm = mode->kind != DLS_MODE_SLIPS ||
                      dls_mode_solver_slip_pivot(run->work.solver, j, mode) > threshold_least_leverage * weight;
    if (!(weight * normal > run->method.eps.a) || !holds || !firm) {
      return false;
    }
  }
  return true;
}

/* Does slip of contact j in space continue although it becomes slower? */
static bool slip_persists(const dls_event_integrator *run, size_t j, double size)
{
  const dls_contact *contact = &run->state.contact[j];
  const bool slips_slowly = contact->closed && contact->slips_slowly &&
                            memcmp(&contact->mode, &run->state.mode[j], sizeof contact->mode) == 0;
  return (slips_slowly && size > threshold_slip_together * run->method.eps.s) ||
         was_ending(&run->method, &run->state, j, size);
}

/* New modes after the accelerations in a. @return do they need another solution? */
static bool update_modes(dls_event_integrator *run, const double *v, const dls_contacts *set)
{
  const dls_event_method *method = &run->method;
  const double most_force = largest_force(run, set);
  bool again = false;
  for (size_t k = 0; k < set->count; k++) {
    const size_t j = set->index[k];
    const double none = no_slip_acceleration(run, j, most_force);
    dls_contact_mode *mode = &run->state.mode[j];
    double rate[2], u[2];
    const double size = dls_slip_rate(method, &run->work, j, run->work.a, rate),
                 force = dls_slip_force(method, j, run->work.force);
    const double slip = dls_slip_of(method, &run->work, j, v, u);
    if (mode->kind == DLS_MODE_STICKS) {
      const double most = mode->mu * run->work.force[method->d * j];
      const bool beyond_reach = dls_mode_solver_free_directions(run->work.solver, j, NULL) + 1 < method->d;
      if (size > none && (force >= (1 - threshold_at_limit) * most || beyond_reach)) {
        *mode = dls_slip_mode(method, j, rate, size, 0);
        again = again || (method->sys->v_s[j] == 0 && method->sys->mu_s[j] > method->sys->mu[j]);
      }
    } else if (mode->kind == DLS_MODE_SLIPS && dls_slip_along(method->d, rate, mode->e) < -none &&
               slip <= method->eps.s && !slip_persists(run, j, slip) && force > 0) {
      *mode = sticking(method, j); /* it would slip backwards */
      again = true;
    }
  }
  return again;
}

/* The contact with the least leverage, if it has none. @return DLS_ERR_PAINLEVE, otherwise status */
static dls_status find_painleve(dls_event_integrator *run, double t, const double *q, const double *v,
                                const dls_contacts *set, dls_status status)
{
  dls_event_state *state = &run->state;
  double least = threshold_least_leverage;
  for (size_t k = 0; k < set->count; k++) {
    const size_t j = set->index[k];
    if (state->mode[j].kind != DLS_MODE_SLIPS) {
      continue;
    }
    const double A = dls_mode_solver_slip_pivot(run->work.solver, j, &state->mode[j]);
    if (A < 0 && status == DLS_OK && run->work.force[run->method.d * j] == 0 && state->solutions < 2) {
      state->solutions = 2; /* indeterminate: it opens, and could as well stay closed */
    }
    if (A <= least * state->contact[j].weight && (status != DLS_OK || run->work.force[run->method.d * j] > 0)) {
      least = A / state->contact[j].weight;
      state->painleve = (dls_painleve){.contact = j, .A = A, .force = run->work.force_left[run->method.d * j]};
    }
  }
  if (least == threshold_least_leverage) {
    return status;
  }
  /* its gap without contact forces */
  dls_geometry_free_gap_acceleration(run, t, q, v, 1, &state->painleve.contact, &state->painleve.beta);
  return DLS_ERR_PAINLEVE;
}

dls_status dls_modes_fail_painleve(const dls_event_integrator *run, dls_error *err)
{
  char name[80];
  dls_contact_name(run->method.sys, run->state.painleve.contact, name, sizeof name);
  return dls_sim_fail(
      run->sim, err, DLS_ERR_PAINLEVE,
      "Painlevé paradox: no consistent contact force at %s at t = %.17g: A = W_NN - mu W_NT e = %.6g /kg is "
      "not above 0, free acceleration %.6g m/s^2 of its gap, last lambda_N = %.6g N "
      "(painleve=impact continues)",
      name, run->state.located.t, run->state.painleve.A, run->state.painleve.beta, run->state.painleve.force);
}

/* Rows that are held: all of the contact in the paradox, of the others the normal rows at rest and the stationary tangents.
 * @return their number */
static size_t held_rows_of_all(dls_event_integrator *run, size_t count)
{
  size_t rows = 0;
  for (size_t k = 0; k < count; k++) {
    const dls_participant *participant = &run->state.participant[k];
    const bool whole = participant->contact == run->state.painleve.contact || participant->stationary;
    for (size_t i = 0; participant->u_plus == 0 && i < (whole ? run->method.d : 1); i++) {
      run->work.held[rows++] = run->method.d * participant->contact + i;
    }
  }
  return rows;
}

/* u+ = 0 on the rows: P_N = W_NT u_T-/det W, P_T = -W_NN u_T-/det W for one contact in the plane. */
dls_status dls_modes_stop_slip(dls_event_integrator *run, size_t count, dls_error *err)
{
  run->work.held_rows = held_rows_of_all(run, count);
  const dls_status status = dls_contact_system_hold(&run->work.contacts, run->work.held_rows, run->work.held,
                                                    run->work.v, run->work.impulse, err);
  if (status == DLS_OK) {
    dls_geometry_add_held_impulses(run, count);
  }
  for (size_t k = 0; k < count; k++) {
    run->state.participant[k].painleve = run->state.participant[k].contact == run->state.painleve.contact;
  }
  return status;
}

dls_status dls_modes_acceleration_level(dls_event_integrator *run, double t, const double *q, const double *v,
                                        const dls_contacts *set, dls_error *err)
{
  dls_event_work *work = &run->work;
  bool again = true;
  dls_status status = DLS_OK;
  for (size_t i = 0; again && status == DLS_OK && i < 2 * set->count + 2; i++) {
    run->state.solutions = 0;
    dls_geometry_free_acceleration(run, t, q, v, work->a);
    status = dls_mode_solver_reaction(work->solver, set, run->state.mode, NULL, v, work->a, work->force, err);
    if (status == DLS_OK && !modes_persist(run, set)) {
      dls_geometry_free_acceleration(run, t, q, v, work->a);
      status = dls_mode_solver_force(work->solver, set, run->state.mode, v, work->a, work->force,
                                     &run->state.solutions, err);
    }
    if (status != DLS_ERR_MEMORY) {
      status = find_painleve(run, t, q, v, set, status);
    }
    again = status == DLS_OK && update_modes(run, v, set);
  }
  return status;
}

/* Does contact j, which sticks, exceed this fraction of its limit of friction with the forces r? */
static bool overloaded(const dls_event_method *method, const dls_event_state *state, size_t j, const double *r,
                       double reaction_split)
{
  const dls_contact *contact = &state->contact[j];
  return contact->mode.kind == DLS_MODE_STICKS &&
         contact->weight *
                 (dls_slip_force(method, j, r) - reaction_split * contact->mode.mu * r[method->d * j]) >
             method->eps.a;
}

/* Store the forces of the acceleration level as the split of redundant rows if they keep the first `rest` contacts clear of their limits.
 * @return were they stored? */
static bool store_reaction_split(dls_event_integrator *run, size_t rest)
{
  dls_event_state *state = &run->state;
  for (size_t k = 0; k < rest; k++) {
    if (state->split_stored ||
        overloaded(&run->method, state, run->work.subset[k], run->work.force, threshold_clear_of_limit)) {
      return false;
    }
  }
  memcpy(state->reaction_split, run->work.force, run->method.d * run->method.m * sizeof *state->reaction_split);
  state->split_stored = true;
  return true;
}

bool dls_modes_release_overloaded(dls_event_integrator *run, size_t rest)
{
  for (size_t k = 0; k < rest; k++) {
    const size_t j = run->work.subset[k];
    if (overloaded(&run->method, &run->state, j, run->work.lambda, 1)) {
      if (!store_reaction_split(run, rest)) {
        run->state.mode[j] = begin_slip_mode(&run->method, &run->work, j);
      }
      return true;
    }
  }
  return false;
}
