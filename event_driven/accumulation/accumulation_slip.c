/* accumulation_slip.c -- friction of the contacts that bounce, or slip, in an accumulation.
 *
 *   slides   P_T = -mu P e in all impacts, if they and the forces leave slip in its direction e: with the sums P and L of impulses and forces
 *              e.u_T + sum_j min(0, e.W_Tj) (P_j + L_j) + min(0, e.u_T') tau >= 0
 *   still    P_T = -W_TT^-1 W_TN P, or as much of it as friction can be, and at the end what stops the slip, if |P_T| <= mu P
 *
 * A contact that is still and bounces also slips by the impulses of others, up to its own next impact. The courses neglect this slip and the friction
 * that stops it, which changes the impulses of all. If it exceeds tol, the sums are those of the one impact below: with u_N = 0 and u_T = 0, or
 * P_T = -mu P e, at the end of every contact that rests, they do not depend on the order of the impacts.
 *
 * What is neither -- slip ends, or turns, in one of the impacts to come -- is not passed: the next impact is made. Where flights are too low for
 * that, the sums are those of one impact without restitution from where the flights would have led without impulses: exactly those of the series
 * where friction keeps its direction, since u_N = 0 at its end, and in their cones in any case.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/accumulation/accumulation_parts.h"
#include <float.h>
#include <math.h>
#include <string.h>

static const double rounding = 16 * DBL_EPSILON; /* of W_TT; [l_s/t_s]: slip that is none */
static const double stopped =
    1e-11; /* of the velocities before it: what an impact that stops slip leaves of it */

void dls_local_pass_choose_tangency(const dls_event_integrator *tr, dls_accumulation *acc, double stationary)
{
  const double none = rounding * tr->sys->length / tr->sys->time;
  for (size_t i = 0; i < acc->k; i++) {
    const dls_contact *contact = &tr->contact[acc->set[i]];
    const bool closed = contact->closed && contact->grip.kind == DLS_GRIP_SLIPS;
    const double size = dls_slip_direction(tr, acc->set[i], tr->sim->v, acc->direction + 2 * i);
    acc->tangency[i] =
        contact->has_friction && (closed || size > fmax(stationary, none + tr->eps.u * acc->u[i]))
            ? DLS_TANGENCY_SLIPS
            : DLS_TANGENCY_STATIONARY;
  }
}

/* c := -W_TT^-1 W_TN, of size mu at most. */
static void column_of_still(dls_event_integrator *tr, size_t j, double *c)
{
  const size_t N = tr->d * j;
  dls_delassus *W = tr->stage.W;
  const double a = dls_delassus_entry(W, N + 1, N + 1), x = dls_delassus_entry(W, N + 1, N);
  if (tr->d == 2) {
    c[0] = -x / a;
  } else {
    const double b = dls_delassus_entry(W, N + 1, N + 2), d = dls_delassus_entry(W, N + 2, N + 2),
                 y = dls_delassus_entry(W, N + 2, N), det = a * d - b * b, both = a + d;
    const bool line = det <= rounding * both * both; /* W_TT = both f f^T */
    c[0] = line ? -(a * x + b * y) / (both * both) : -(d * x - b * y) / det;
    c[1] = line ? -(b * x + d * y) / (both * both) : -(a * y - b * x) / det;
  }
  const double most = hypot(c[0], c[1]), mu = tr->sys->mu[j];
  for (size_t i = 0; most > mu && i < 2; i++) {
    c[i] *= mu / most;
  }
}

/* c := -mu e with the direction for v, which in space may have turned since the start. */
static void column_of_slip(const dls_event_integrator *tr, size_t j, const double *direction, const double *v,
                           double *c)
{
  double e[2] = {0};
  const bool turns =
      tr->d == 3 && dls_slip_direction(tr, j, v, e) > 0 && e[0] * direction[0] + e[1] * direction[1] > 0;
  for (size_t l = 0; l + 1 < tr->d; l++) {
    c[l] = -tr->sys->mu[j] * (turns ? e[l] : direction[l]);
  }
}

void dls_local_pass_columns(dls_event_integrator *tr, const dls_accumulation *acc, const double *v,
                            dls_local_pass *local_pass)
{
  for (size_t i = 0; i < acc->k; i++) {
    const size_t j = acc->set[i];
    double *c = local_pass->c + 2 * i;
    c[0] = c[1] = 0;
    if (acc->tangency[i] == DLS_TANGENCY_SLIPS) {
      column_of_slip(tr, j, acc->direction + 2 * i, v, c);
    } else if (acc->tangency[i] == DLS_TANGENCY_STATIONARY && tr->contact[j].has_friction) {
      column_of_still(tr, j, c);
    }
  }
}

/* All that brakes the slip of the i-th of the set in the first course; the curvature is that at the start. */
static double slip_braking(dls_event_integrator *tr, const dls_accumulation *acc, size_t i)
{
  const dls_local_pass *local_pass = &acc->local_pass[0];
  const dls_cluster_sums *sums = local_pass->sums;
  const double *e = acc->direction + 2 * i;
  double rate = 0, sum = 0;
  for (size_t l = 0; l + 1 < tr->d; l++) {
    const size_t row = tr->d * acc->set[i] + 1 + l;
    rate +=
        e[l] * (dls_matrix_column_dot(tr->stage.place->H, row, local_pass->drift) + tr->stage.curvature[row]);
  }
  for (size_t j = 0; j < acc->k; j++) {
    double w = 0;
    for (size_t l = 0; l + 1 < tr->d; l++) {
      w += e[l] * dls_local_pass_row(tr, acc, local_pass, tr->d * acc->set[i] + 1 + l, j);
    }
    sum += fmin(0, w) * (sums->P[j] + sums->L[j]);
  }
  return sum + fmin(0, rate) * sums->tau;
}

bool dls_local_pass_slip_lasts(dls_event_integrator *tr, const dls_accumulation *acc, bool closed)
{
  const double none = rounding * tr->sys->length / tr->sys->time;
  dls_place_curvature(tr->stage.place, tr->sim->v, tr->stage.curvature);
  for (size_t i = 0; i < acc->k; i++) {
    double e[2];
    if (acc->tangency[i] == DLS_TANGENCY_SLIPS && tr->contact[acc->set[i]].closed == closed &&
        dls_slip_direction(tr, acc->set[i], tr->sim->v, e) + slip_braking(tr, acc, i) < -none) {
      return false;
    }
  }
  return true;
}

double dls_local_pass_neglected_slip(dls_event_integrator *tr, const dls_accumulation *acc)
{
  const dls_local_pass *local_pass = &acc->local_pass[0];
  double most = 0;
  dls_place_curvature(tr->stage.place, tr->sim->v, tr->stage.curvature);
  for (size_t i = 0; acc->k > 1 && i < acc->k; i++) {
    const size_t first = tr->d * acc->set[i] + 1;
    double slip = 0;
    for (size_t l = 0;
         acc->tangency[i] == DLS_TANGENCY_STATIONARY && tr->contact[acc->set[i]].has_friction && l + 1 < tr->d;
         l++) {
      slip +=
          local_pass->sums->tau * fabs(dls_matrix_column_dot(tr->stage.place->H, first + l, local_pass->drift) +
                                       tr->stage.curvature[first + l]);
      for (size_t j = 0; j < acc->k; j++) {
        slip += fabs(dls_local_pass_row(tr, acc, local_pass, first + l, j)) *
                (local_pass->sums->P[j] + local_pass->sums->L[j]);
      }
    }
    most = fmax(most, slip);
  }
  return most;
}

bool dls_accumulation_ends_stationary(const dls_event_integrator *tr, const dls_accumulation *acc)
{
  for (size_t i = 0; i < acc->k; i++) {
    const dls_participant *participant = &tr->participant[i];
    if (acc->tangency[i] == DLS_TANGENCY_STATIONARY && tr->contact[participant->contact].has_friction &&
        participant->closing && !participant->stationary) {
      return false;
    }
  }
  return true;
}

bool dls_accumulation_is_lawful(const dls_event_integrator *tr, const dls_accumulation *acc, double error)
{
  for (size_t i = 0; i < acc->k; i++) {
    const dls_participant *participant = &tr->participant[i];
    const size_t j = participant->contact;
    const double mu = acc->tangency[i] == DLS_TANGENCY_HELD ? acc->mu[i] : tr->sys->mu[j],
                 T = hypot(participant->friction[0], participant->friction[1]);
    if (!(tr->contact[j].weight * -participant->impulse <= error) ||
        (tr->contact[j].has_friction && !(tr->contact[j].weight * (T - mu * participant->impulse) <= error))) {
      return false;
    }
  }
  return true;
}

/* The impulses of the contacts that are to rest, taken back from tr->v. tr->u_free := u of those; u- = 0 and r = 0. */
static void remove_rest_impulses(dls_event_integrator *tr, dls_accumulation *acc, const dls_contacts *set)
{
  const size_t d = tr->d;
  for (size_t i = 0, k = 0; i < acc->k && k < set->count; i++) {
    const dls_participant *participant = &tr->participant[i];
    if (participant->contact == set->index[k]) {
      acc->r[d * k] = participant->impulse;
      memcpy(acc->r + d * k + 1, participant->friction, (d - 1) * sizeof *acc->r);
      k++;
    }
  }
  dls_stage_apply(&tr->stage, set, -1, acc->r, tr->v);
  dls_stage_velocity(&tr->stage, set, tr->v, tr->u_free);
  memset(tr->u_minus, 0, d * set->count * sizeof *tr->u_minus);
}

/* Those that fly on: what was held although it cannot be gets as much friction as there can be. */
static void limit_friction(dls_event_integrator *tr, dls_accumulation *acc, const dls_contacts *rest)
{
  for (size_t i = 0, k = 0; i < acc->k; i++) {
    dls_participant *participant = &tr->participant[i];
    const bool rests = k < rest->count && rest->index[k] == participant->contact;
    const double most = tr->sys->mu[participant->contact] * participant->impulse,
                 size = hypot(participant->friction[0], participant->friction[1]);
    k += rests;
    if (rests || !(size > most)) {
      continue;
    }
    acc->r[0] = 0;
    for (size_t l = 0; l + 1 < tr->d; l++) {
      acc->r[1 + l] = (most / size - 1) * participant->friction[l];
      participant->friction[l] *= most / size;
    }
    dls_stage_apply(&tr->stage, &(dls_contacts){1, &participant->contact}, 1, acc->r, tr->v);
  }
}

dls_status dls_accumulation_final_impact(dls_event_integrator *tr, dls_accumulation *acc, size_t rest,
                                         dls_error *err)
{
  const size_t d = tr->d;
  const dls_contacts set = {rest, tr->subset};
  limit_friction(tr, acc, &set);
  remove_rest_impulses(tr, acc, &set);
  double fastest = 0;
  for (size_t row = 0; row < d * rest; row++) {
    fastest = fmax(fastest, fabs(tr->u_free[row]));
  }
  const dls_status status = dls_stage_impulse(&tr->stage, &set, tr->u_free, tr->u_minus, acc->r, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_stage_apply(&tr->stage, &set, 1, acc->r, tr->v);
  for (size_t i = 0, k = 0; i < acc->k && k < rest; i++) {
    dls_participant *participant = &tr->participant[i];
    double u[2];
    if (participant->contact == set.index[k]) {
      participant->impulse = acc->r[d * k];
      memcpy(participant->friction, acc->r + d * k + 1, (d - 1) * sizeof *acc->r);
      dls_apply_mode(tr, participant, dls_slip_of(tr, participant->contact, tr->v, u) <= stopped * fastest);
      k++;
    }
  }
  return DLS_OK;
}
