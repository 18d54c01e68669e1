/* impact_chain.c -- impact problems on a chain of touching contacts. W is a network of conductances between neighbours and to the
 * ground, with p as potentials. Contacts at rest are its inner nodes: they are eliminated without subtractions.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/impact_chain.h"
#include "common/linear/tridiagonal.h"
#include <math.h>
#include <string.h>

/* Contact k of the set, coupled by `link` to the last contact that moves, and by `after` to the next. Its conductance to the ground is split
 * between both. */
static void eliminate(dls_impact_sequence *s, size_t k, double ground, double after, double *link,
                      double *passed)
{
  const double all = *link + after + ground, left = all > 0 ? *link / all : 0,
               right = all > 0 ? after / all : 0;
  if (s->moving > 0) {
    s->ground[s->moving - 1] += left * ground;
  }
  s->to_left[k] = left;
  s->to_right[k] = right;
  *passed = right * ground;
  *link = left * after;
}

/* W of the contacts that move, those at rest eliminated; u and 1 + e. */
static void reduce(dls_contact_system *contacts, dls_impact_sequence *s, double zero)
{
  const dls_contacts *set = &s->set;
  double before = 0, link = 0, passed = 0;
  s->moving = 0;
  for (size_t k = 0; k < set->count; k++) {
    const size_t j = set->index[k];
    const bool neighbour = k + 1 < set->count && set->index[k + 1] == j + 1;
    const double after = neighbour ? -dls_delassus_entry(contacts->W, j, j + 1) : 0;
    const double ground = passed + dls_tridiagonal_excess(dls_delassus_entry(contacts->W, j, j), before, after);
    passed = 0;
    if (fabs(s->u[k]) <= zero) {
      eliminate(s, k, ground, after, &link, &passed);
    } else {
      s->moves[s->moving] = k;
      s->couplings[s->moving] = link; /* to the one before */
      s->ground[s->moving] = ground;
      s->free[s->moving] = s->u[k];
      s->law[s->moving++] = s->mixes[k] ? 1 + contacts->mixture[j] : 1;
      link = after;
    }
    before = after;
  }
  s->couplings[s->moving] = 0;
}

/* What u+ = u + W p must cancel: u + e u- where the contact is struck. */
static double demand(const dls_impact_sequence *s, size_t i, double zero)
{
  return s->free[i] < -zero ? s->law[i] * s->free[i] : s->free[i];
}

/* W p + demand = 0 on the run of contacts first to end - 1, without subtractions in the pivots. Contacts beside the run have p = 0, as the
 * ground. @return false if a contact would pull, or W is singular: the run is all of a chain between two walls */
static bool solve_run(dls_impact_sequence *s, size_t first, size_t end, double zero)
{
  double *p = s->mixed, *pivot = s->pivots, ground = s->couplings[first], from_left = 0;
  for (size_t i = first; i < end; i++) {
    const double after = s->couplings[i + 1];
    ground += s->ground[i] + (i + 1 == end ? after : 0);
    pivot[i] = i + 1 == end ? ground : ground + after;
    if (!(pivot[i] > 0)) {
      return false;
    }
    p[i] = from_left - demand(s, i, zero);
    from_left = after / pivot[i] * p[i];
    ground *= after / pivot[i];
  }
  bool pushes = true;
  for (size_t i = end; i-- > first;) {
    p[i] = (p[i] + (i + 1 < end ? s->couplings[i + 1] * p[i + 1] : 0)) / pivot[i];
    pushes = pushes && p[i] >= 0;
  }
  return pushes;
}

/* p of the next problem, in s->mixed. @return false if none approaches, or a contact would pull */
static bool solve_problem(dls_impact_sequence *s, double zero)
{
  bool struck = false, pushes = true;
  for (size_t i = 0, end; i < s->moving && pushes; i = end) {
    bool in_run = false;
    for (end = i; end < s->moving && s->free[end] <= zero; end++) {
      in_run = in_run || s->free[end] < -zero;
      s->mixed[end] = 0;
    }
    pushes = !in_run || solve_run(s, i, end, zero);
    struck = struck || in_run;
    if (end < s->moving) {
      s->mixed[end++] = 0; /* it separates: it waits */
    }
  }
  return struck && pushes;
}

/* u += W p, and the contacts that were struck. */
static void apply_problem(dls_impact_sequence *s, double zero)
{
  const double *p = s->mixed;
  double left = 0;
  for (size_t i = 0; i < s->moving; i++) {
    const double u = s->free[i], right = i + 1 < s->moving ? p[i + 1] : 0;
    if (u < -zero) {
      s->struck[s->moves[i]] = true;
      s->u_minus[s->moves[i]] = u;
    }
    s->free[i] = p[i] > 0 ? u - demand(s, i, zero) : u - s->couplings[i] * left - s->couplings[i + 1] * right;
    s->sums[i] += p[i];
    left = p[i];
  }
}

/* The impulses of the set: those of contacts at rest follow from their neighbours'. */
static void expand(dls_impact_sequence *s)
{
  size_t i = s->moving;
  double right = 0;
  for (size_t k = s->set.count; k-- > 0;) {
    if (i > 0 && s->moves[i - 1] == k) {
      right = s->sums[--i];
    } else {
      right = s->to_left[k] * (i > 0 ? s->sums[i - 1] : 0) + s->to_right[k] * right;
    }
    s->p[k] = right;
  }
}

size_t dls_impact_chain_solve(dls_contact_system *contacts, dls_impact_sequence *s, double zero, size_t most)
{
  const bool normals = contacts->config->d == 1 && contacts->problem == NULL && contacts->bias == NULL;
  if (!normals || contacts->sees_speed || !dls_delassus_is_chain(contacts->W)) {
    return 0;
  }
  size_t solved = 0;
  reduce(contacts, s, zero);
  memset(s->sums, 0, s->moving * sizeof *s->sums);
  for (; solved < most && solve_problem(s, zero); solved++) {
    apply_problem(s, zero);
  }
  expand(s);
  return solved;
}
