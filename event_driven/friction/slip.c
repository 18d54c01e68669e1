/* event_driven/friction/slip.c -- friction at events: who is still, and what the acceleration level says about those.
 *
 *   slip (u_T != 0)   r_T = -mu r_N u_T/|u_T|, one unknown
 *   still (u_T = 0)   Coulomb's law on (Gamma_N, u_T'): sticks, or begins to slip along u_T'
 * Of several solutions the one in which all that are still stick is taken, else the one with the smallest forces.
 * Static friction above that of sliding: the limit is mu_s where a contact is still; one that begins to slip has mu.
 * Stribeck's curve: one that slips has the mu of its speed, which begins with mu_s.
 * Sources: Acary, lecture, eqs. (30), (31); Genot, Brogliato 1999 for contacts without a solution.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/friction/slip.h"
#include "event_driven/event_integrator.h"
#include "event_driven/friction/slow_slip.h"
#include <float.h>
#include <math.h>
#include <string.h>

static const double rounding = 16 * DBL_EPSILON; /* [l_s/t_s]: slip that is none */
static const double astray = 0.1;    /* of the slip: so much across the direction of slow motion is not that */
static const double slow = 1e-3;     /* [l_s/t_s]: slip that may be slow enough to crawl */
static const double singular = 1e-6; /* [W_NN]: less leverage is none */
static const double clear_of_limit =
    0.99;                            /* of the limit of friction: where redundant rows may as well share so */
static const double at_limit = 1e-9; /* relative: forces that close to the limit of friction are there */

double dls_slip_of(const dls_tracker *tr, size_t j, const double *v, double *u)
{
  double size = 0;
  for (size_t i = 1; i < tr->d; i++) {
    u[i - 1] = dls_place_row(tr->stage.place, tr->d * j + i, v);
    size = hypot(size, u[i - 1]);
  }
  return size;
}

double dls_slip_force(const dls_tracker *tr, size_t j, const double *r)
{
  double size = 0;
  for (size_t i = 1; i < tr->d; i++) {
    size = hypot(size, r[tr->d * j + i]);
  }
  return size;
}

double dls_slip_rate(const dls_tracker *tr, size_t j, const double *a, double *rate)
{
  double size = 0;
  for (size_t i = 1; i < tr->d; i++) {
    const size_t row = tr->d * j + i;
    rate[i - 1] = dls_matrix_column_dot(tr->stage.place->H, row, a) + tr->stage.curvature[row];
    size = hypot(size, rate[i - 1]);
  }
  return size;
}

static double along(const dls_tracker *tr, const double *x, const double *e)
{
  return tr->d == 2 ? x[0] * e[0] : x[0] * e[0] + x[1] * e[1];
}

/* Along x, of this size, with a speed. */
static dls_grip slipping(const dls_tracker *tr, size_t j, const double *x, double size, double speed)
{
  dls_grip grip = {.kind = DLS_GRIP_SLIPS, .mu = dls_system_friction(tr->sys, j, speed)};
  for (size_t i = 0; i + 1 < tr->d; i++) {
    grip.e[i] = x[i] / size;
  }
  return grip;
}

static dls_grip sticking(const dls_tracker *tr, size_t j)
{
  return (dls_grip){.kind = DLS_GRIP_STICKS, .mu = fmax(tr->sys->mu[j], tr->sys->mu_s[j])};
}

/* Not if it has just become too fast for that. */
static bool goes_on_crawling(const dls_tracker *tr, size_t j)
{
  return tr->hit.kind != DLS_HIT_PACE || tr->hit.contact != j;
}

void dls_slip_directions(dls_tracker *tr, const double *v)
{
  for (size_t k = 0; k < tr->active.count; k++) {
    const size_t j = tr->active.index[k];
    const dls_contact *contact = &tr->contact[j];
    double u[2];
    tr->grip[j] = contact->grip;
    if (contact->grip.kind == DLS_GRIP_SLIPS && tr->sys->v_s[j] > 0) {
      tr->grip[j].mu = dls_system_friction(tr->sys, j, dls_slip_of(tr, j, v, u));
    }
    if (tr->d == 3 && contact->grip.kind == DLS_GRIP_SLIPS && !contact->crawls) {
      const double size = dls_slip_of(tr, j, v, u);
      const bool ended =
          tr->hit.kind == DLS_HIT_REST &&
          (tr->hit.contact == j || size <= DLS_SLIP_TOGETHER * tr->eps.s); /* the last one counts */
      if (size > 0 && !ended) { /* a trial step beyond the end of slip goes on smoothly */
        tr->grip[j] = slipping(tr, j, u, along(tr, u, contact->grip.e) < 0 ? -size : size, size);
      }
    }
  }
}

double dls_slip_begun(const dls_tracker *tr)
{
  return DLS_SLIP_TOGETHER * tr->eps.s;
}

/* The end of slip in space was on its way (slip_end.c), and another contact has changed: it goes on. */
static bool was_ending(const dls_tracker *tr, size_t j, double size)
{
  const dls_contact *contact = &tr->contact[j];
  const dls_hit_kind kind = tr->hit.kind;
  const bool other =
      (kind == DLS_HIT_LIMIT || kind == DLS_HIT_RELEASE || kind == DLS_HIT_REST) && tr->hit.contact != j;
  return tr->d == 3 && other && tr->was_closed[j] && tr->was[j].kind == DLS_GRIP_SLIPS && contact->armed &&
         !contact->crawls && size > DLS_SLIP_TOGETHER * tr->eps.s;
}

void dls_slip_begin(dls_tracker *tr, size_t j)
{
  double u[2];
  dls_contact *contact = &tr->contact[j];
  const double size = dls_slip_of(tr, j, tr->v, u);
  const bool same =
      memcmp(&contact->grip, &tr->grip[j], sizeof contact->grip) == 0; /* no impulse has turned it */
  const bool went_on = same && contact->crawls && goes_on_crawling(tr, j) && size <= contact->pace;
  const bool ends = was_ending(tr, j, size);
  contact->grip = tr->grip[j];
  const bool slips = contact->grip.kind == DLS_GRIP_SLIPS;
  contact->armed = slips && (size > dls_slip_begun(tr) || ends);
  contact->crawls = tr->d == 3 && slips && !ends && (size <= tr->eps.s || went_on);
}

/* Slip at tr->v that is to crawl, but is not near the direction that the last forces have found, goes on in full; its end may be on its way.
 * @return is there any? */
static bool leave_astray(dls_tracker *tr)
{
  bool any = false;
  for (size_t k = 0; tr->d == 3 && k < tr->active.count; k++) {
    const size_t j = tr->active.index[k];
    dls_contact *contact = &tr->contact[j];
    double u[2];
    if (contact->crawls) {
      const double *e = tr->grip[j].e, size = dls_slip_of(tr, j, tr->v, u), forward = fmax(0, along(tr, u, e));
      if (hypot(u[0] - forward * e[0], u[1] - forward * e[1]) > DLS_SLIP_TOGETHER * tr->eps.s + astray * size) {
        any = contact->armed = true;
        contact->crawls = tr->memo.valid = false;
      }
    }
  }
  return any;
}

dls_status dls_slip_forces(dls_tracker *tr, double t, dls_error *err)
{
  dls_status status = DLS_OK;
  do {
    status = dls_tracker_smooth(tr, t, tr->q, tr->v, tr->a, tr->lambda, err);
  } while (status == DLS_OK && leave_astray(tr));
  return status;
}

/* Slip in space that is so slow that it might crawl. */
static bool may_crawl(const dls_tracker *tr, const dls_contact *contact, double size)
{
  return tr->d == 3 && contact->grip.kind == DLS_GRIP_SLIPS &&
         (contact->crawls || size < slow * tr->sys->length / tr->sys->time);
}

static void begin_to_crawl(dls_tracker *tr, size_t j)
{
  if (dls_crawl_begins(tr, j, tr->right.y + tr->n, &tr->contact[j].pace)) {
    tr->contact[j].crawls = true;
    tr->hit = (dls_hit){.kind = DLS_HIT_DRIFT, .t = tr->right.t, .contact = j};
  }
}

dls_status dls_slip_arm(dls_tracker *tr, size_t j, dls_error *err)
{
  double u[2];
  dls_contact *contact = &tr->contact[j];
  const dls_end *right = &tr->right;
  const double size = dls_slip_of(tr, j, right->y + tr->n, u);
  dls_status status = DLS_OK;
  if (contact->grip.kind == DLS_GRIP_STICKS && size > DLS_DRIFT * tr->eps.u * tr->sys->length / tr->sys->time) {
    tr->hit = (dls_hit){.kind = DLS_HIT_DRIFT, .t = right->t, .contact = j};
  }
  contact->armed = contact->armed || (contact->grip.kind == DLS_GRIP_SLIPS && size > 2 * dls_slip_begun(tr));
  for (size_t i = 0; contact->armed && !contact->crawls && tr->d == 3 && i < 2; i++) {
    contact->grip.e[i] = u[i] / size;
    tr->memo.valid = false;
  }
  if (may_crawl(tr, contact, size)) {
    status = dls_tracker_smooth(tr, right->t, right->y, right->y + tr->n, tr->a, tr->lambda, err);
    if (contact->crawls) {
      const double *e = memcpy(contact->grip.e, tr->grip[j].e, sizeof contact->grip.e);
      const double across = fabs(e[0] * u[1] - e[1] * u[0]);
      contact->pace = fmin(contact->pace, dls_crawl_pace(tr, j)); /* it may turn faster now */
      if (across > tr->eps.s + astray * size || size > contact->pace) {
        tr->hit = (dls_hit){.kind = DLS_HIT_PACE, .t = right->t, .contact = j};
      }
    } else if (status == DLS_OK) {
      begin_to_crawl(tr, j);
    }
  }
  return status;
}

double dls_slip_way(const dls_tracker *tr, size_t j, const double *v, double *e)
{
  double u[2] = {0};
  const dls_contact *contact = &tr->contact[j];
  const double size = dls_slip_of(tr, j, v, u);
  const double *stored = contact->grip.e, forward = along(tr, u, stored);
  const bool slips = contact->closed && contact->grip.kind == DLS_GRIP_SLIPS;
  const bool has_only_begun = contact->crawls || (!contact->armed && size <= tr->eps.s);
  if (slips && has_only_begun && (forward > 0 || size <= rounding * tr->sys->length / tr->sys->time)) {
    memcpy(e, stored, sizeof contact->grip.e);
    return forward;
  }
  for (size_t i = 0; i < 2; i++) {
    e[i] = size > 0 ? u[i] / size : 0;
  }
  return size;
}

void dls_slip_settle(dls_tracker *tr, dls_touch *touch, bool still)
{
  double e[2];
  const size_t j = touch->contact;
  const double size = dls_slip_way(tr, j, tr->v, e);
  touch->still = tr->contact[j].rough && (still || (e[0] == 0 && e[1] == 0));
  tr->grip[j] = !tr->contact[j].rough ? (dls_grip){.kind = DLS_GRIP_SMOOTH}
                : touch->still        ? sticking(tr, j)
                                      : slipping(tr, j, e, 1, size);
}

/* Slip that counts as none after an impact, where a contact closes, or where surfaces jump. */
static double none(const dls_tracker *tr, size_t count)
{
  const bool jumps = tr->hit.kind == DLS_HIT_START || tr->hit.kind == DLS_HIT_SWITCH;
  double fastest = jumps ? tr->sys->length / tr->sys->time : 0;
  for (size_t k = 0; k < count; k++) {
    const dls_touch *touch = &tr->touch[k];
    fastest = fmax(fastest, hypot(touch->u_minus, hypot(touch->slip_minus[0], touch->slip_minus[1])));
  }
  return tr->eps.u * fastest;
}

void dls_slip_judge(dls_tracker *tr, size_t count, bool impact)
{
  const double zero = none(tr, count);
  for (size_t k = 0; k < count; k++) {
    dls_touch *touch = &tr->touch[k];
    const dls_contact *contact = &tr->contact[touch->contact];
    const bool hit = tr->hit.contact == touch->contact;
    const double size = dls_slip_of(tr, touch->contact, tr->v, touch->slip_plus);
    const bool sticks = contact->grip.kind == DLS_GRIP_STICKS;
    const bool ends =
        hit ? tr->d == 2 || size <= 2 * tr->eps.s : contact->armed && size <= DLS_SLIP_TOGETHER * tr->eps.s;
    touch->still = !contact->rough                                                ? false
                   : impact || !contact->closed || tr->hit.kind == DLS_HIT_SWITCH ? size <= zero
                   : tr->hit.kind == DLS_HIT_REST                                 ? sticks || ends
                   : tr->hit.kind == DLS_HIT_LIMIT                                ? sticks && !hit
                                                                                  : sticks;
  }
}

/* The contact that has reached its limit begins to slip against its friction. */
static dls_grip let_go(const dls_tracker *tr, size_t j)
{
  double back[2];
  for (size_t i = 1; i < tr->d; i++) {
    back[i - 1] = -tr->lambda[tr->d * j + i];
  }
  const double size = dls_slip_force(tr, j, tr->lambda);
  return size > 0 ? slipping(tr, j, back, size, 0) : sticking(tr, j);
}

/* Slip that has only begun keeps its direction; one that is rounding has none, and Coulomb's law decides anew. */
void dls_slip_propose(dls_tracker *tr, size_t count, bool impact)
{
  const double no_slip = rounding * tr->sys->length / tr->sys->time;
  for (size_t k = 0; k < count; k++) {
    const dls_touch *touch = &tr->touch[k];
    const size_t j = touch->contact;
    const dls_contact *contact = &tr->contact[j];
    const bool limit = tr->hit.kind == DLS_HIT_LIMIT && tr->hit.contact == j && !impact;
    const bool goes_on =
        !impact && tr->hit.kind != DLS_HIT_SWITCH && contact->closed && contact->grip.kind == DLS_GRIP_SLIPS;
    const bool creeps = goes_on && !contact->armed;
    const bool crawls = goes_on && contact->crawls && goes_on_crawling(tr, j);
    double u[2];
    const double size = dls_slip_of(tr, j, tr->v, u);
    tr->grip[j] = !contact->rough                           ? (dls_grip){.kind = DLS_GRIP_SMOOTH}
                  : limit                                   ? let_go(tr, j)
                  : touch->still                            ? sticking(tr, j)
                  : creeps && size <= no_slip               ? sticking(tr, j)
                  : crawls || (creeps && size <= tr->eps.s) ? contact->grip
                                                            : slipping(tr, j, u, size, size);
  }
}

/* Forces that let every contact go on as it is, in tr->force: is that what they do? */
static bool go_on(const dls_tracker *tr, const dls_contacts *set)
{
  for (size_t k = 0; k < set->count; k++) {
    const size_t j = set->index[k];
    const dls_grip *grip = &tr->grip[j];
    const double normal = tr->force[tr->d * j], weight = tr->contact[j].weight;
    double rate[2];
    const bool holds = grip->kind != DLS_GRIP_STICKS ||
                       (dls_slip_force(tr, j, tr->force) <= grip->mu * normal * (1 + 1e-12) &&
                        dls_slip_rate(tr, j, tr->a, rate) <= tr->eps.a); /* no friction reaches a dead centre */
    const bool firm =
        grip->kind != DLS_GRIP_SLIPS || dls_grips_leverage(tr->grips, j, grip) > singular * weight;
    if (!(weight * normal > tr->eps.a) || !holds || !firm) {
      return false;
    }
  }
  return true;
}

/* Slip of contact j that goes on as it is, in space: it may become slower. */
static bool goes_on(const dls_tracker *tr, size_t j, double size)
{
  const dls_contact *contact = &tr->contact[j];
  const bool crawls =
      contact->closed && contact->crawls && memcmp(&contact->grip, &tr->grip[j], sizeof contact->grip) == 0;
  return (crawls && size > DLS_SLIP_TOGETHER * tr->eps.s) || was_ending(tr, j, size);
}

/* New grips after the accelerations in tr->a. @return do they ask for another solution? */
static bool regrip(dls_tracker *tr, const double *v, const dls_contacts *set)
{
  bool again = false;
  for (size_t k = 0; k < set->count; k++) {
    const size_t j = set->index[k];
    dls_grip *grip = &tr->grip[j];
    double rate[2], u[2];
    const double size = dls_slip_rate(tr, j, tr->a, rate), force = dls_slip_force(tr, j, tr->force);
    const double slip = dls_slip_of(tr, j, v, u);
    if (grip->kind == DLS_GRIP_STICKS) {
      const double most = grip->mu * tr->force[tr->d * j];
      const bool beyond_reach = dls_grips_free_tangents(tr->grips, j, NULL) + 1 < tr->d;
      if (size > tr->eps.a && (force >= (1 - at_limit) * most || beyond_reach)) {
        *grip = slipping(tr, j, rate, size, 0);
        again = again || (tr->sys->v_s[j] == 0 && tr->sys->mu_s[j] > tr->sys->mu[j]);
      }
    } else if (grip->kind == DLS_GRIP_SLIPS && along(tr, rate, grip->e) < -tr->eps.a && slip <= tr->eps.s &&
               !goes_on(tr, j, slip) && force > 0) {
      *grip = sticking(tr, j); /* it was to creep the other way */
      again = true;
    }
  }
  return again;
}

/* The contact with the least leverage, if that is none. @return DLS_ERR_JAM, or else status */
static dls_status jam(dls_tracker *tr, double t, const double *q, const double *v, const dls_contacts *set,
                      dls_status status)
{
  double least = singular;
  for (size_t k = 0; k < set->count; k++) {
    const size_t j = set->index[k];
    if (tr->grip[j].kind != DLS_GRIP_SLIPS) {
      continue;
    }
    const double A = dls_grips_leverage(tr->grips, j, &tr->grip[j]);
    if (A < 0 && status == DLS_OK && tr->force[tr->d * j] == 0 && tr->solutions < 2) {
      tr->solutions = 2; /* indeterminate: it opens, and could as well be pressed */
    }
    if (A <= least * tr->contact[j].weight && (status != DLS_OK || tr->force[tr->d * j] > 0)) {
      least = A / tr->contact[j].weight;
      tr->jam = (dls_jam){.contact = j, .A = A, .force = tr->force_left[tr->d * j]};
    }
  }
  if (least == singular) {
    return status;
  }
  /* its gap without contact forces */
  dls_tracker_free_gamma(tr, t, q, v, 1, &tr->jam.contact, &tr->jam.beta);
  return DLS_ERR_JAM;
}

dls_status dls_slip_fail(const dls_tracker *tr, dls_error *err)
{
  char name[80];
  dls_contact_name(tr->sys, tr->jam.contact, name, sizeof name);
  return dls_sim_fail(
      tr->sim, err, DLS_ERR_JAM,
      "jam, inconsistent: no contact force at %s at t = %.17g: A = W_NN - mu W_NT e = %.6g /kg is "
      "not above 0, free acceleration %.6g m/s^2 of its gap, last lambda_N = %.6g N "
      "(painleve=impact goes on)",
      name, tr->hit.t, tr->jam.A, tr->jam.beta, tr->jam.force);
}

/* Rows that are held: all of the jammed contact, of the others what rests or is still. @return their number */
static size_t hold_all(dls_tracker *tr, size_t count)
{
  size_t rows = 0;
  for (size_t k = 0; k < count; k++) {
    const dls_touch *touch = &tr->touch[k];
    const bool whole = touch->contact == tr->jam.contact || touch->still;
    for (size_t i = 0; touch->u_plus == 0 && i < (whole ? tr->d : 1); i++) {
      tr->held[rows++] = tr->d * touch->contact + i;
    }
  }
  return rows;
}

/* u+ = 0 on the rows: P_N = W_NT u_T-/det W, P_T = -W_NN u_T-/det W for one contact in the plane. */
static dls_status stop_slip(dls_tracker *tr, size_t count, dls_error *err)
{
  tr->held_rows = hold_all(tr, count);
  const dls_status status = dls_stage_hold(&tr->stage, tr->held_rows, tr->held, tr->v, tr->impulse, err);
  if (status == DLS_OK) {
    dls_tracker_add_held(tr, count);
  }
  for (size_t k = 0; k < count; k++) {
    tr->touch[k].jams = tr->touch[k].contact == tr->jam.contact;
  }
  return status;
}

dls_status dls_slip_unjam(dls_tracker *tr, size_t count, dls_error *err)
{
  const dls_status status = stop_slip(tr, count, err);
  dls_slip_judge(tr, count, true);
  dls_slip_propose(tr, count, true);
  return status != DLS_OK ? status : dls_tracker_settle(tr, count, err);
}

dls_status dls_slip_level(dls_tracker *tr, double t, const double *q, const double *v, const dls_contacts *set,
                          dls_error *err)
{
  bool again = true;
  dls_status status = DLS_OK;
  for (size_t i = 0; again && status == DLS_OK && i < 2 * set->count + 2; i++) {
    tr->solutions = 0;
    dls_tracker_free(tr, t, q, v, tr->a);
    status = dls_grips_reaction(tr->grips, set, tr->grip, NULL, v, tr->a, tr->force, err);
    if (status == DLS_OK && !go_on(tr, set)) {
      dls_tracker_free(tr, t, q, v, tr->a);
      status = dls_grips_force(tr->grips, set, tr->grip, v, tr->a, tr->force, &tr->solutions, err);
    }
    if (status != DLS_ERR_MEMORY) {
      status = jam(tr, t, q, v, set, status);
    }
    again = status == DLS_OK && regrip(tr, v, set);
  }
  return status;
}

/* Is contact j beyond its limit with r? A share of its limit, or less than 1: of what it can carry. */
static bool overloaded(const dls_tracker *tr, size_t j, const double *r, double share)
{
  const dls_contact *contact = &tr->contact[j];
  return contact->grip.kind == DLS_GRIP_STICKS &&
         contact->weight * (dls_slip_force(tr, j, r) - share * contact->grip.mu * r[tr->d * j]) > tr->eps.a;
}

/* Forces with which none of the first `rest` contacts is near its limit, in place of those that are least. @return are there any? */
static bool share_otherwise(dls_tracker *tr, size_t rest)
{
  for (size_t k = 0; k < rest; k++) {
    if (tr->shared || overloaded(tr, tr->subset[k], tr->force, clear_of_limit)) {
      return false;
    }
  }
  memcpy(tr->share, tr->force, tr->d * tr->m * sizeof *tr->share);
  tr->shared = true;
  return true;
}

const double *dls_slip_share(const dls_tracker *tr)
{
  return tr->shared ? tr->share : NULL;
}

bool dls_slip_overloaded(dls_tracker *tr, size_t rest)
{
  for (size_t k = 0; k < rest; k++) {
    const size_t j = tr->subset[k];
    if (overloaded(tr, j, tr->lambda, 1)) {
      if (!share_otherwise(tr, rest)) {
        tr->grip[j] = let_go(tr, j);
      }
      return true;
    }
  }
  return false;
}
