/* impact_sequence.c -- impact problems at one instant until no contact approaches.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "time_stepping/step/impact_chain.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Gap velocities that count as zero: relative to the fastest approach, and to the velocity scale. */
static const double still_after = 1e-12, still = 1e-14;
/* Between two walls at an angle a point bounces pi/angle times; contacts with e < 1 that stop each other by a geometric
 * sequence may need thousands. Contacts that still approach after this many problems are stopped. */
enum { MOST_PROBLEMS = 1000 };

bool dls_impact_sequence_create(const dls_system *sys, dls_impact_sequence *s)
{
  const size_t m = sys->m, rows = sys->d * m;
  s->set.index = calloc(3 * m + 1, sizeof *s->set.index);
  s->waits = calloc(5 * m + 1, sizeof *s->waits);
  s->block = dls_arrays((const dls_slot[]){
      {rows, {&s->P, &s->u, &s->free, &s->mixed, &s->p}},
      {m, {&s->u_minus, &s->before}},
      {m + 1, {&s->ground, &s->couplings, &s->law, &s->pivots, &s->sums, &s->to_left, &s->to_right}},
      {0}});
  if (s->set.index == NULL || s->waits == NULL || s->block == NULL) {
    return false;
  }
  s->now.index = s->set.index + m;
  s->moves = s->set.index + 2 * m;
  s->struck = s->waits + m;
  s->mixes = s->struck + m;
  s->acts = s->mixes + m;
  s->rests = s->acts + m;
  return true;
}

void dls_impact_sequence_destroy(dls_impact_sequence *s)
{
  free(s->set.index);
  free(s->waits);
  free(s->block);
}

double dls_impact_still(const dls_system *sys, double fastest)
{
  return still_after * fastest + still * sys->length / sys->time;
}

void dls_impact_sequence_add(dls_impact_sequence *s, size_t j, double u_minus, bool mixes, bool waits)
{
  const size_t k = s->set.count++;
  s->set.index[k] = j;
  s->before[k] = u_minus < 0 ? u_minus : 0;
  s->mixes[k] = mixes;
  s->waits[k] = waits;
}

/* Contact k of the set takes part in the next problem, with u_minus as the normal part of its u-. */
static void take_part(dls_impact_sequence *s, size_t d, size_t k, double u_minus)
{
  const size_t l = s->now.count++;
  s->now.index[l] = s->set.index[k];
  for (size_t i = 0; i < d; i++) {
    s->free[d * l + i] = s->u[d * k + i];
    s->mixed[d * l + i] = i == 0 ? u_minus : s->mixes[k] ? s->u[d * k + i] : 0;
  }
}

/* The first problem: contacts that do not wait. */
static void begin(const dls_contact_system *contacts, dls_impact_sequence *s, const double *v)
{
  const size_t d = contacts->config->d;
  s->now.count = 0;
  memset(s->P, 0, d * s->set.count * sizeof *s->P);
  dls_contact_system_velocity(contacts, &s->set, v, s->u);
  for (size_t k = 0; k < s->set.count; k++) {
    s->struck[k] = s->rests[k] = false;
    s->u_minus[k] = s->u[d * k];
    if (!s->waits[k]) {
      take_part(s, d, k, s->mixes[k] ? s->before[k] : 0);
    }
  }
}

/* Is what remains of an approach rounding? */
static bool is_rounding(const dls_impact_sequence *s, double u, double zero)
{
  return u >= -zero * (double)s->set.count;
}

/* Those that approach, or rest and may be needed to hold them: the next problem. @return does one approach? */
static bool again(const dls_contact_system *contacts, dls_impact_sequence *s, const double *v, double zero,
                  bool last)
{
  const size_t d = contacts->config->d;
  bool approaching = false;
  s->now.count = 0;
  dls_contact_system_velocity(contacts, &s->set, v, s->u);
  for (size_t k = 0; k < s->set.count; k++) {
    const double u = s->u[d * k];
    if (s->rests[k] && is_rounding(s, u, zero)) {
      continue;
    }
    approaching = approaching || u < -zero;
    if (u < -zero) {
      s->struck[k] = true;
      s->u_minus[k] = u;
    }
    if (u <= zero || last) {
      take_part(s, d, k, u < -zero && !last && s->mixes[k] ? u : 0); /* U- of the law: when it is struck */
    }
  }
  return approaching;
}

/* P += p, which belongs to the contacts now. */
static void add_impulses(dls_impact_sequence *s, size_t d)
{
  for (size_t k = 0, l = 0; l < s->now.count; k++) {
    if (s->set.index[k] == s->now.index[l]) {
      for (size_t i = 0; i < d; i++) {
        s->P[d * k + i] += s->p[d * l + i];
      }
      l++;
    }
  }
}

/* P += p of the problems on a chain, and v+. */
static void take_sums(dls_contact_system *contacts, dls_impact_sequence *s, double *v)
{
  for (size_t k = 0; k < s->set.count; k++) {
    s->P[k] += s->p[k];
  }
  dls_contact_system_apply(contacts, &s->set, 1, s->p, v);
}

/* Does a contact of the first problem approach? */
static bool approaches(const dls_impact_sequence *s, double zero)
{
  for (size_t k = 0; k < s->set.count; k++) {
    if (!s->waits[k] && s->u_minus[k] < -zero) {
      return true;
    }
  }
  return false;
}

/* Of the contacts of a problem without a solution, leave out those on which no approach acts that is larger than rounding: W couples them to none.
 * Of all contacts between two walls, whose W is singular, approaches by rounding may have no impulses. They rest from now on. @return whether there
 * are any */
static bool leave_rounding_out(const dls_contact_system *contacts, dls_impact_sequence *s, double zero)
{
  const size_t d = contacts->config->d, count = s->now.count, *index = s->now.index;
  bool *acts = s->acts;
  for (size_t l = 0; l < count; l++) {
    acts[l] = !is_rounding(s, s->free[d * l], zero);
  }
  for (bool more = true; more;) {
    more = false;
    for (size_t l = 0; l < count; l++) {
      for (size_t k = 0; k < count && !acts[l]; k++) {
        acts[l] = acts[k] && dls_delassus_entry(contacts->W, d * index[l], d * index[k]) != 0;
        more = more || acts[l];
      }
    }
  }
  s->now.count = 0;
  for (size_t k = 0, l = 0; l < count; k++) {
    if (s->set.index[k] != s->now.index[l]) {
      continue;
    }
    s->rests[k] = !acts[l];
    if (acts[l]) {
      const size_t to = s->now.count++;
      s->now.index[to] = s->now.index[l];
      memmove(s->free + d * to, s->free + d * l, d * sizeof *s->free);
      memmove(s->mixed + d * to, s->mixed + d * l, d * sizeof *s->mixed);
    }
    l++;
  }
  return s->now.count < count;
}

/* p of the contacts that take part. @param[out] rest  all of them rest, but for rounding */
static dls_status solve_now(dls_contact_system *contacts, dls_impact_sequence *s, double zero, bool *rest,
                            dls_error *err)
{
  const size_t d = contacts->config->d;
  memset(s->p, 0, d * s->now.count * sizeof *s->p);
  dls_status status = dls_contact_system_impulse(contacts, &s->now, s->free, s->mixed, s->p, err);
  if (status == DLS_ERR_LCP && leave_rounding_out(contacts, s, zero)) {
    memset(s->p, 0, d * s->now.count * sizeof *s->p);
    *rest = s->now.count == 0;
    status = *rest ? DLS_OK : dls_contact_system_impulse(contacts, &s->now, s->free, s->mixed, s->p, err);
  }
  return status;
}

dls_status dls_impact_sequence_solve(dls_sim *sim, dls_contact_system *contacts, dls_impact_sequence *s,
                                     double *v, dls_error *err)
{
  const size_t d = contacts->config->d;
  double fastest = 0;
  begin(contacts, s, v);
  for (size_t k = 0; k < s->set.count; k++) {
    const double speed = fabs(s->u_minus[k]);
    fastest = speed > fastest ? speed : fastest;
  }
  const double zero = dls_impact_still(contacts->config->sys, fastest);
  if (contacts->problem != NULL && !approaches(s, zero)) { /* rounding, not enough to compute friction */
    return DLS_OK;
  }
  for (size_t i = 1; i <= MOST_PROBLEMS; i++) {
    bool rest = false;
    dls_status status = dls_sim_poll(sim, err);
    if (status != DLS_OK || (status = solve_now(contacts, s, zero, &rest, err)) != DLS_OK) {
      return status;
    }
    if (rest) {
      break;
    }
    dls_contact_system_apply(contacts, &s->now, 1, s->p, v);
    add_impulses(s, d);
    if (!again(contacts, s, v, zero, i + 1 == MOST_PROBLEMS)) {
      break;
    }
    const size_t solved =
        i == 1 ? dls_impact_chain_solve(contacts, s, zero, MOST_PROBLEMS - 2) : 0; /* it may stop early */
    if (solved > 0) {
      take_sums(contacts, s, v);
      i += solved;
      if (!again(contacts, s, v, zero, i + 1 == MOST_PROBLEMS)) {
        break;
      }
    }
  }
  return DLS_OK;
}
