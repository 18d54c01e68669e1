/* event_driven/friction/mode_changes.c -- contact modes at events: who is still, and what the acceleration level says about those.
 *
 *   slip (u_T != 0)   r_T = -mu r_N u_T/|u_T|, one unknown
 *   still (u_T = 0)   Coulomb's law on (Gamma_N, u_T'): sticks, or begins to slip along u_T'
 * Of several solutions the one in which all that are still stick is taken, else the one with the smallest forces.
 * Static friction above that of sliding: the limit is mu_s where a contact is still; one that begins to slip has mu.
 * Stribeck's curve: one that slips has the mu of its speed, which begins with mu_s.
 * Sources: Acary, lecture, eqs. (30), (31); Genot, Brogliato 1999 for contacts without a solution.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/event_integrator.h"
#include "event_driven/friction/slip.h"
#include "event_driven/friction/slow_slip.h"
#include <float.h>
#include <math.h>
#include <string.h>

static dls_contact_mode sticking(const dls_event_integrator *tr, size_t j)
{
  return (dls_contact_mode){.kind = DLS_MODE_STICKS, .mu = fmax(tr->sys->mu[j], tr->sys->mu_s[j])};
}

/* Not if it has just become too fast for that. */
static bool stays_slow(const dls_event_integrator *tr, size_t j)
{
  return tr->located.kind != DLS_LOCATED_FAST_SLIP || tr->located.contact != j;
}

/* The end of slip in space was on its way (slip_end.c), and another contact has changed: it goes on. */
static bool was_ending(const dls_event_integrator *tr, size_t j, double size)
{
  const dls_contact *contact = &tr->contact[j];
  const dls_located_kind kind = tr->located.kind;
  const bool other = (kind == DLS_LOCATED_LIMIT || kind == DLS_LOCATED_RELEASE || kind == DLS_LOCATED_REST) &&
                     tr->located.contact != j;
  return tr->d == 3 && other && tr->was_closed[j] && tr->was[j].kind == DLS_MODE_SLIPS &&
         contact->slip_established && !contact->slips_slowly && size > threshold_slip_together * tr->eps.s;
}

void dls_modes_start(dls_event_integrator *tr, size_t j)
{
  double u[2];
  dls_contact *contact = &tr->contact[j];
  const double size = dls_slip_of(tr, j, tr->v, u);
  const bool same =
      memcmp(&contact->mode, &tr->mode[j], sizeof contact->mode) == 0; /* no impulse has turned it */
  const bool went_on = same && contact->slips_slowly && stays_slow(tr, j) && size <= contact->slow_slip_limit;
  const bool ends = was_ending(tr, j, size);
  contact->mode = tr->mode[j];
  const bool slips = contact->mode.kind == DLS_MODE_SLIPS;
  contact->slip_established = slips && (size > dls_slip_established_speed(tr) || ends);
  contact->slips_slowly = tr->d == 3 && slips && !ends && (size <= tr->eps.s || went_on);
}

/* Slip at tr->v that is to crawl, but is not near the direction that the last forces have found, goes on in full; its end may be on its way.
 * @return is there any? */
static bool release_off_direction(dls_event_integrator *tr)
{
  bool any = false;
  for (size_t k = 0; tr->d == 3 && k < tr->active.count; k++) {
    const size_t j = tr->active.index[k];
    dls_contact *contact = &tr->contact[j];
    double u[2];
    if (contact->slips_slowly) {
      const double *e = tr->mode[j].e, size = dls_slip_of(tr, j, tr->v, u),
                   forward = fmax(0, dls_slip_along(tr->d, u, e));
      if (hypot(u[0] - forward * e[0], u[1] - forward * e[1]) >
          threshold_slip_together * tr->eps.s + threshold_off_direction * size) {
        any = contact->slip_established = true;
        contact->slips_slowly = tr->memo.valid = false;
      }
    }
  }
  return any;
}

dls_status dls_modes_forces(dls_event_integrator *tr, double t, dls_error *err)
{
  dls_status status = DLS_OK;
  do {
    status = dls_smooth_dynamics(tr, t, tr->q, tr->v, tr->a, tr->lambda, err);
  } while (status == DLS_OK && release_off_direction(tr));
  return status;
}

/* Slip in space that is so slow that it might crawl. */
static bool may_slip_slowly(const dls_event_integrator *tr, const dls_contact *contact, double size)
{
  return tr->d == 3 && contact->mode.kind == DLS_MODE_SLIPS &&
         (contact->slips_slowly || size < threshold_slow_slip_candidate * tr->sys->length / tr->sys->time);
}

static void begin_slow_slip(dls_event_integrator *tr, size_t j)
{
  if (dls_slow_slip_begins(tr, j, tr->right.y + tr->n, &tr->contact[j].slow_slip_limit)) {
    tr->contact[j].slips_slowly = true;
    tr->located = (dls_located_event){.kind = DLS_LOCATED_DRIFT, .t = tr->right.t, .contact = j};
  }
}

dls_status dls_modes_update(dls_event_integrator *tr, size_t j, dls_error *err)
{
  double u[2];
  dls_contact *contact = &tr->contact[j];
  const dls_step_end *right = &tr->right;
  const double size = dls_slip_of(tr, j, right->y + tr->n, u);
  dls_status status = DLS_OK;
  if (contact->mode.kind == DLS_MODE_STICKS &&
      size > threshold_drift * tr->eps.u * tr->sys->length / tr->sys->time) {
    tr->located = (dls_located_event){.kind = DLS_LOCATED_DRIFT, .t = right->t, .contact = j};
  }
  contact->slip_established = contact->slip_established || (contact->mode.kind == DLS_MODE_SLIPS &&
                                                            size > 2 * dls_slip_established_speed(tr));
  for (size_t i = 0; contact->slip_established && !contact->slips_slowly && tr->d == 3 && i < 2; i++) {
    contact->mode.e[i] = u[i] / size;
    tr->memo.valid = false;
  }
  if (may_slip_slowly(tr, contact, size)) {
    status = dls_smooth_dynamics(tr, right->t, right->y, right->y + tr->n, tr->a, tr->lambda, err);
    if (contact->slips_slowly) {
      const double *e = memcpy(contact->mode.e, tr->mode[j].e, sizeof contact->mode.e);
      const double across = fabs(e[0] * u[1] - e[1] * u[0]);
      contact->slow_slip_limit =
          fmin(contact->slow_slip_limit, dls_slow_slip_limit(tr, j)); /* it may turn faster now */
      if (across > tr->eps.s + threshold_off_direction * size || size > contact->slow_slip_limit) {
        tr->located = (dls_located_event){.kind = DLS_LOCATED_FAST_SLIP, .t = right->t, .contact = j};
      }
    } else if (status == DLS_OK) {
      begin_slow_slip(tr, j);
    }
  }
  return status;
}

void dls_modes_apply(dls_event_integrator *tr, dls_participant *participant, bool stationary)
{
  double e[2];
  const size_t j = participant->contact;
  const double size = dls_slip_direction(tr, j, tr->v, e);
  participant->stationary = tr->contact[j].has_friction && (stationary || (e[0] == 0 && e[1] == 0));
  tr->mode[j] = !tr->contact[j].has_friction ? (dls_contact_mode){.kind = DLS_MODE_FRICTIONLESS}
                : participant->stationary    ? sticking(tr, j)
                                             : dls_slip_mode(tr, j, e, 1, size);
}

/* Slip that counts as none after an impact, where a contact closes, or where surfaces jump. */
static double zero_slip(const dls_event_integrator *tr, size_t count)
{
  const bool jumps = tr->located.kind == DLS_LOCATED_START || tr->located.kind == DLS_LOCATED_SWITCH;
  double fastest = jumps ? tr->sys->length / tr->sys->time : 0;
  for (size_t k = 0; k < count; k++) {
    const dls_participant *participant = &tr->participant[k];
    fastest = fmax(fastest,
                   hypot(participant->u_minus, hypot(participant->slip_minus[0], participant->slip_minus[1])));
  }
  return tr->eps.u * fastest;
}

void dls_modes_classify_slip(dls_event_integrator *tr, size_t count, bool impact)
{
  const double zero = zero_slip(tr, count);
  for (size_t k = 0; k < count; k++) {
    dls_participant *participant = &tr->participant[k];
    const dls_contact *contact = &tr->contact[participant->contact];
    const bool located = tr->located.contact == participant->contact;
    const double size = dls_slip_of(tr, participant->contact, tr->v, participant->slip_plus);
    const bool sticks = contact->mode.kind == DLS_MODE_STICKS;
    const bool ends = located ? tr->d == 2 || size <= 2 * tr->eps.s
                              : contact->slip_established && size <= threshold_slip_together * tr->eps.s;
    participant->stationary = !contact->has_friction ? false
                              : impact || !contact->closed || tr->located.kind == DLS_LOCATED_SWITCH
                                  ? size <= zero
                              : tr->located.kind == DLS_LOCATED_REST  ? sticks || ends
                              : tr->located.kind == DLS_LOCATED_LIMIT ? sticks && !located
                                                                      : sticks;
  }
}

/* The contact that has reached its limit begins to slip against its friction. */
static dls_contact_mode begin_slip_mode(const dls_event_integrator *tr, size_t j)
{
  double back[2];
  for (size_t i = 1; i < tr->d; i++) {
    back[i - 1] = -tr->lambda[tr->d * j + i];
  }
  const double size = dls_slip_force(tr, j, tr->lambda);
  return size > 0 ? dls_slip_mode(tr, j, back, size, 0) : sticking(tr, j);
}

/* Slip that has only begun keeps its direction; one that is rounding has none, and Coulomb's law decides anew. */
void dls_modes_initial(dls_event_integrator *tr, size_t count, bool impact)
{
  const double no_slip = threshold_slip_rounding * tr->sys->length / tr->sys->time;
  for (size_t k = 0; k < count; k++) {
    const dls_participant *participant = &tr->participant[k];
    const size_t j = participant->contact;
    const dls_contact *contact = &tr->contact[j];
    const bool limit = tr->located.kind == DLS_LOCATED_LIMIT && tr->located.contact == j && !impact;
    const bool slip_persists = !impact && tr->located.kind != DLS_LOCATED_SWITCH && contact->closed &&
                               contact->mode.kind == DLS_MODE_SLIPS;
    const bool just_begun = slip_persists && !contact->slip_established;
    const bool slips_slowly = slip_persists && contact->slips_slowly && stays_slow(tr, j);
    double u[2];
    const double size = dls_slip_of(tr, j, tr->v, u);
    tr->mode[j] = !contact->has_friction          ? (dls_contact_mode){.kind = DLS_MODE_FRICTIONLESS}
                  : limit                         ? begin_slip_mode(tr, j)
                  : participant->stationary       ? sticking(tr, j)
                  : just_begun && size <= no_slip ? sticking(tr, j)
                  : slips_slowly || (just_begun && size <= tr->eps.s) ? contact->mode
                                                                      : dls_slip_mode(tr, j, u, size, size);
  }
}

/* Forces that let every contact go on as it is, in tr->force: is that what they do? */
static bool modes_persist(const dls_event_integrator *tr, const dls_contacts *set)
{
  for (size_t k = 0; k < set->count; k++) {
    const size_t j = set->index[k];
    const dls_contact_mode *mode = &tr->mode[j];
    const double normal = tr->force[tr->d * j], weight = tr->contact[j].weight;
    double rate[2];
    const bool holds =
        mode->kind != DLS_MODE_STICKS ||
        (dls_slip_force(tr, j, tr->force) <= mode->mu * normal * (1 + threshold_limit_rounding) &&
         dls_slip_rate(tr, j, tr->a, rate) <= tr->eps.a); /* no friction reaches a dead centre */
    const bool firm = mode->kind != DLS_MODE_SLIPS ||
                      dls_mode_solver_slip_pivot(tr->solver, j, mode) > threshold_least_leverage * weight;
    if (!(weight * normal > tr->eps.a) || !holds || !firm) {
      return false;
    }
  }
  return true;
}

/* Slip of contact j that goes on as it is, in space: it may become slower. */
static bool slip_persists(const dls_event_integrator *tr, size_t j, double size)
{
  const dls_contact *contact = &tr->contact[j];
  const bool slips_slowly = contact->closed && contact->slips_slowly &&
                            memcmp(&contact->mode, &tr->mode[j], sizeof contact->mode) == 0;
  return (slips_slowly && size > threshold_slip_together * tr->eps.s) || was_ending(tr, j, size);
}

/* New grips after the accelerations in tr->a. @return do they ask for another solution? */
static bool update_modes(dls_event_integrator *tr, const double *v, const dls_contacts *set)
{
  bool again = false;
  for (size_t k = 0; k < set->count; k++) {
    const size_t j = set->index[k];
    dls_contact_mode *mode = &tr->mode[j];
    double rate[2], u[2];
    const double size = dls_slip_rate(tr, j, tr->a, rate), force = dls_slip_force(tr, j, tr->force);
    const double slip = dls_slip_of(tr, j, v, u);
    if (mode->kind == DLS_MODE_STICKS) {
      const double most = mode->mu * tr->force[tr->d * j];
      const bool beyond_reach = dls_mode_solver_free_directions(tr->solver, j, NULL) + 1 < tr->d;
      if (size > tr->eps.a && (force >= (1 - threshold_at_limit) * most || beyond_reach)) {
        *mode = dls_slip_mode(tr, j, rate, size, 0);
        again = again || (tr->sys->v_s[j] == 0 && tr->sys->mu_s[j] > tr->sys->mu[j]);
      }
    } else if (mode->kind == DLS_MODE_SLIPS && dls_slip_along(tr->d, rate, mode->e) < -tr->eps.a &&
               slip <= tr->eps.s && !slip_persists(tr, j, slip) && force > 0) {
      *mode = sticking(tr, j); /* it was to creep the other way */
      again = true;
    }
  }
  return again;
}

/* The contact with the least leverage, if that is none. @return DLS_ERR_JAM, or else status */
static dls_status find_painleve(dls_event_integrator *tr, double t, const double *q, const double *v,
                                const dls_contacts *set, dls_status status)
{
  double least = threshold_least_leverage;
  for (size_t k = 0; k < set->count; k++) {
    const size_t j = set->index[k];
    if (tr->mode[j].kind != DLS_MODE_SLIPS) {
      continue;
    }
    const double A = dls_mode_solver_slip_pivot(tr->solver, j, &tr->mode[j]);
    if (A < 0 && status == DLS_OK && tr->force[tr->d * j] == 0 && tr->solutions < 2) {
      tr->solutions = 2; /* indeterminate: it opens, and could as well be pressed */
    }
    if (A <= least * tr->contact[j].weight && (status != DLS_OK || tr->force[tr->d * j] > 0)) {
      least = A / tr->contact[j].weight;
      tr->painleve = (dls_painleve){.contact = j, .A = A, .force = tr->force_left[tr->d * j]};
    }
  }
  if (least == threshold_least_leverage) {
    return status;
  }
  /* its gap without contact forces */
  dls_geometry_free_gap_acceleration(tr, t, q, v, 1, &tr->painleve.contact, &tr->painleve.beta);
  return DLS_ERR_JAM;
}

dls_status dls_modes_fail_painleve(const dls_event_integrator *tr, dls_error *err)
{
  char name[80];
  dls_contact_name(tr->sys, tr->painleve.contact, name, sizeof name);
  return dls_sim_fail(
      tr->sim, err, DLS_ERR_JAM,
      "jam, inconsistent: no contact force at %s at t = %.17g: A = W_NN - mu W_NT e = %.6g /kg is "
      "not above 0, free acceleration %.6g m/s^2 of its gap, last lambda_N = %.6g N "
      "(painleve=impact goes on)",
      name, tr->located.t, tr->painleve.A, tr->painleve.beta, tr->painleve.force);
}

/* Rows that are held: all of the jammed contact, of the others what rests or is still. @return their number */
static size_t held_rows_of_all(dls_event_integrator *tr, size_t count)
{
  size_t rows = 0;
  for (size_t k = 0; k < count; k++) {
    const dls_participant *participant = &tr->participant[k];
    const bool whole = participant->contact == tr->painleve.contact || participant->stationary;
    for (size_t i = 0; participant->u_plus == 0 && i < (whole ? tr->d : 1); i++) {
      tr->held[rows++] = tr->d * participant->contact + i;
    }
  }
  return rows;
}

/* u+ = 0 on the rows: P_N = W_NT u_T-/det W, P_T = -W_NN u_T-/det W for one contact in the plane. */
dls_status dls_modes_stop_slip(dls_event_integrator *tr, size_t count, dls_error *err)
{
  tr->held_rows = held_rows_of_all(tr, count);
  const dls_status status =
      dls_contact_system_hold(&tr->contacts, tr->held_rows, tr->held, tr->v, tr->impulse, err);
  if (status == DLS_OK) {
    dls_geometry_add_held_impulses(tr, count);
  }
  for (size_t k = 0; k < count; k++) {
    tr->participant[k].painleve = tr->participant[k].contact == tr->painleve.contact;
  }
  return status;
}

dls_status dls_modes_acceleration_level(dls_event_integrator *tr, double t, const double *q, const double *v,
                                        const dls_contacts *set, dls_error *err)
{
  bool again = true;
  dls_status status = DLS_OK;
  for (size_t i = 0; again && status == DLS_OK && i < 2 * set->count + 2; i++) {
    tr->solutions = 0;
    dls_geometry_free_acceleration(tr, t, q, v, tr->a);
    status = dls_mode_solver_reaction(tr->solver, set, tr->mode, NULL, v, tr->a, tr->force, err);
    if (status == DLS_OK && !modes_persist(tr, set)) {
      dls_geometry_free_acceleration(tr, t, q, v, tr->a);
      status = dls_mode_solver_force(tr->solver, set, tr->mode, v, tr->a, tr->force, &tr->solutions, err);
    }
    if (status != DLS_ERR_MEMORY) {
      status = find_painleve(tr, t, q, v, set, status);
    }
    again = status == DLS_OK && update_modes(tr, v, set);
  }
  return status;
}

/* Is contact j beyond its limit with r? A share of its limit, or less than 1: of what it can carry. */
static bool overloaded(const dls_event_integrator *tr, size_t j, const double *r, double reaction_split)
{
  const dls_contact *contact = &tr->contact[j];
  return contact->mode.kind == DLS_MODE_STICKS &&
         contact->weight * (dls_slip_force(tr, j, r) - reaction_split * contact->mode.mu * r[tr->d * j]) >
             tr->eps.a;
}

/* Forces with which none of the first `rest` contacts is near its limit, in place of those that are least. @return are there any? */
static bool store_reaction_split(dls_event_integrator *tr, size_t rest)
{
  for (size_t k = 0; k < rest; k++) {
    if (tr->split_stored || overloaded(tr, tr->subset[k], tr->force, threshold_clear_of_limit)) {
      return false;
    }
  }
  memcpy(tr->reaction_split, tr->force, tr->d * tr->m * sizeof *tr->reaction_split);
  tr->split_stored = true;
  return true;
}

bool dls_modes_release_overloaded(dls_event_integrator *tr, size_t rest)
{
  for (size_t k = 0; k < rest; k++) {
    const size_t j = tr->subset[k];
    if (overloaded(tr, j, tr->lambda, 1)) {
      if (!store_reaction_split(tr, rest)) {
        tr->mode[j] = begin_slip_mode(tr, j);
      }
      return true;
    }
  }
  return false;
}
