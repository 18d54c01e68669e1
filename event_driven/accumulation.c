/* event_driven/accumulation.c -- when infinitely many impacts are passed as one.
 *
 * A contact that is pressed together with acceleration -gamma and leaves with u+ flies for 2 u+ / gamma, rises
 * to u+^2 / (2 gamma), and has come to rest 2 u+ / (gamma (1 - e)) later. gamma comes from the acceleration LCP
 * over all contacts that take part in the impact. The contact is passed when gamma > 0, the rest is short, and
 *   - u+ <= eps_z, or
 *   - the flight is lower than the round-off of the gap, or
 *   - flights have shrunk geometrically for five impacts and what remains of them takes less than 10 tol t_s.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/tracker.h"
#include <math.h>

enum { GEOMETRIC = 5 };                    /* impacts in a row that make a geometric sequence */
static const double largest_ratio = 0.999; /* of two flights: 1 - 1e-3 */
static const double ratio_spread = 0.1;    /* change of the ratio that is still geometric */
static const double longest_rest = 1e-2;   /* [t_s]: a rest in which gamma may change is no accumulation yet */
static const double resolved_height = 4;   /* least height of a flight, in units of the gap's round-off */

static void note_impact(dls_contact *contact, double t)
{
  const double flight = t - contact->impact_time;
  const double ratio = contact->flight > 0 ? flight / contact->flight : 0;
  if (ratio > 0 && ratio < largest_ratio && fabs(ratio - contact->ratio) <= ratio_spread * contact->ratio) {
    contact->repeats++;
  } else {
    contact->repeats = 1;
  }
  contact->impact_time = t;
  contact->flight = flight;
  contact->ratio = ratio;
}

void dls_tracker_note_impacts(dls_tracker *tr, double t, size_t count)
{
  bool any = false;
  for (size_t k = 0; k < count; k++) {
    if (tr->touch[k].u_minus < 0) {
      note_impact(&tr->contact[tr->touch[k].contact], t);
      any = true;
    }
  }
  if (any) {
    tr->impacts[tr->impact_count++ % DLS_WINDOW] = t;
  }
}

/* Worth the look at the forces: u+ is small in one of the three ways. */
static bool small(const dls_tracker *tr, const dls_touch *touch, const double *q)
{
  const dls_contact *contact = &tr->contact[touch->contact];
  const double ratio = contact->ratio;
  const double e = tr->sys->e[touch->contact];
  if (touch->u_plus <= 0 || e >= 1) { /* e = 1 never stops; e = 0 may be thrown off by a neighbour */
    return false;
  }
  return touch->u_plus <= tr->eps.z ||
         (contact->repeats > 0 && touch->u_plus * contact->flight <=
                                      4 * resolved_height * dls_tracker_gap_noise(tr, touch->contact, q)) ||
         (contact->repeats >= GEOMETRIC && contact->flight * ratio <= tr->eps.remaining * (1 - ratio));
}

/* Pressed by gamma > 0: pass, unless the rest would take long or rise above eps_g. */
static void judge(const dls_tracker *tr, double t, double gamma, dls_touch *touch)
{
  const double e = tr->sys->e[touch->contact];
  const double rest = 2 * touch->u_plus / (gamma * (1 - e));
  const double height = touch->u_plus * touch->u_plus / (2 * gamma);
  if (gamma > 0 && rest <= longest_rest * tr->sys->time && height <= tr->eps.g) {
    touch->passed = true;
    touch->time_end = t + rest;
    touch->bound = height;
  }
}

dls_status dls_tracker_accumulation(dls_tracker *tr, double t, const double *q, const double *v, size_t count,
                                    bool *any, dls_error *err)
{
  *any = false;
  bool look = false;
  for (size_t k = 0; k < count; k++) {
    tr->touch[k].passed = false;
    look = look || small(tr, &tr->touch[k], q);
  }
  if (!look) {
    return DLS_OK;
  }
  dls_tracker_free_gamma(tr, t, q, v, count, tr->set, tr->b_set);
  for (size_t k = 0; k < count; k++) {
    tr->x[k] = 0;
  }
  const dls_status status = dls_delassus_solve(tr->W, tr->lcp, count, tr->set, tr->b_set, tr->x,
                                               &tr->sim->work.lcp_solves, &tr->sim->work.lcp_pivots, err);
  for (size_t k = 0; k < count && status == DLS_OK; k++) {
    dls_touch *touch = &tr->touch[k];
    if (small(tr, touch, q)) {
      judge(tr, t, tr->contact[touch->contact].weight * tr->x[k], touch);
      *any = *any || touch->passed;
    }
  }
  return status;
}
