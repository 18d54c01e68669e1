/* analytic/exact/support/contact_pieces.c -- see contact_pieces.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/contact_pieces.h"
#include "analytic/exact/support/pieces.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { Y, V, NO_EVENT = -1 }; /* places in x; kind */

/* Leave out the last piece: next starts at the same double. A flight that is left out is not higher than v^2/(2 |a|), nor than
 * what it covers in the rounding of t. */
static void drop_last(dls_exact_solution *sol, dls_contact_piece *next)
{
  const dls_contact_piece *shorter = &sol->pieces[--sol->count];
  if (shorter->lead == DLS_CONTACT_CLOSED) { /* lift-off as soon as contact was made */
    next->kind = shorter->kind;
    next->u_minus = shorter->u_minus;
    return;
  }
  const long double a = fabsl(sol->motion->force(sol->own, shorter->start.hi, shorter->x));
  const long double v = fabsl(shorter->x[V]), height = v * v / (2 * fmaxl(a, LDBL_MIN));
  sol->bound = fmaxl(sol->bound, fminl(height, v * (long double)DBL_EPSILON * next->t));
  if (sol->count > 0) {
    sol->pieces[sol->count - 1].v_end = next->u_minus;
  }
}

static dls_status push(dls_exact_solution *sol, dls_contact_piece next, dls_error *err)
{
  const double time = next.t = dls_wide_round(next.start);
  void *pieces = sol->pieces;
  dls_status status = dls_pieces_allow(sol->events++, time, err);
  if (status == DLS_OK) {
    status = dls_pieces_room(&pieces, sizeof next, sol->count, &sol->capacity, time, err);
  }
  sol->pieces = pieces;
  if (status != DLS_OK) {
    return status;
  }
  if (sol->count > 0 && time <= sol->pieces[sol->count - 1].t) {
    drop_last(sol, &next);
  }
  next.fourth = sol->motion->fourth != NULL ? sol->motion->fourth(sol->own, &next) : 0;
  sol->pieces[sol->count++] = next;
  return DLS_OK;
}

/* y' += jump */
static void strike(const dls_exact_solution *sol, long double jump, long double *x)
{
  x[V] += jump;
  if (sol->motion->strike != NULL) {
    sol->motion->strike(jump, x);
  }
}

/* What follows when the mass is on the ground at t with y' = u <= 0; kind says what to call it if nothing jumps. */
static dls_contact_piece after_contact(const dls_exact_solution *sol, dls_wide t, const long double *x,
                                       int kind)
{
  const long double e = sol->e, u = x[V], rebound = -e * u;
  const long double force = sol->motion->force(sol->own, t.hi, x);
  dls_contact_piece next = {.start = t, .u_minus = (double)u, .kind = u < 0 ? DLS_IMPACT : kind};
  memcpy(next.x, x, sizeof next.x);
  strike(sol, -(1 + e) * u, next.x);
  next.x[Y] = 0;
  next.x[V] = rebound; /* not by way of u, which would leave its rounding */
  if (rebound > 0 && e < 1 && force < 0) {
    const long double left = -2 * rebound / (force * (1 - e)); /* V + e V + ... over |a|/2 */
    if (t.hi + left <= t.hi * (1 + DBL_EPSILON / 4)) {
      strike(sol, -rebound, next.x);
      next.kind = DLS_ACCUMULATION;
      next.time_end = dls_wide_round(dls_wide_add(t, dls_wide_of(left)));
    }
  }
  next.lead = sol->motion->lead(sol->own, t.hi, next.x);
  return next;
}

/* The same; a contact that stays, without impulse, is a landing. */
static dls_contact_piece touch(const dls_exact_solution *sol, dls_wide t, const long double *x, int without)
{
  dls_contact_piece next = after_contact(sol, t, x, without);
  next.kind = next.kind == without && next.lead == DLS_CONTACT_CLOSED ? DLS_LANDING : next.kind;
  return next;
}

/* The event that ends the last piece, if it comes by the end. */
static dls_status follow(dls_exact_solution *sol, bool *more, dls_error *err)
{
  const dls_contact_motion *motion = sol->motion;
  dls_contact_piece *last = &sol->pieces[sol->count - 1];
  const long double s_max = nextafter(sol->end, (double)INFINITY) - last->start.hi;
  const bool closed = last->lead == DLS_CONTACT_CLOSED;
  long double x[DLS_CONTACT_STATE] = {0}, v = 0;
  dls_wide t = last->start;
  *more = closed ? motion->lifts(sol->own, last, s_max, &t) : motion->lands(sol->own, last, s_max, &t, &v);
  *more = *more && dls_wide_round(t) <= sol->end;
  if (!*more) {
    return DLS_OK;
  }
  motion->at(sol->own, last, dls_wide_sub(t, last->start).hi, x);
  x[Y] = 0;
  x[V] = v;
  dls_contact_piece next = {.start = t, .kind = DLS_LIFT_OFF, .lead = 3};
  if (closed) {
    memcpy(next.x, x, sizeof next.x);
  } else {
    last->v_end = (double)v;
    next = touch(sol, t, x, DLS_GRAZING);
  }
  return push(sol, next, err);
}

dls_status dls_contact_list(dls_exact_solution *sol, const long double *x, dls_error *err)
{
  dls_contact_piece first = {.kind = NO_EVENT, .lead = x[Y] > 0 ? 0 : 1};
  memcpy(first.x, x, sizeof first.x);
  if (x[Y] == 0 && x[V] <= 0) {
    first = touch(sol, dls_wide_of(0), x, NO_EVENT);
  }
  dls_status status = push(sol, first, err);
  for (bool more = true; more && status == DLS_OK;) {
    status = follow(sol, &more, err);
  }
  return status;
}

void dls_contact_destroy(dls_exact_solution *sol)
{
  free(sol->pieces);
  free(sol->own);
  free(sol);
}

size_t dls_contact_pieces(const dls_exact_solution *sol)
{
  return sol->count;
}

double dls_contact_start(const dls_exact_solution *sol, size_t index)
{
  return sol->pieces[index].t;
}

bool dls_contact_event(const dls_exact_solution *sol, size_t index, dls_event *out)
{
  const dls_contact_piece *at = &sol->pieces[index];
  if (at->kind == NO_EVENT) {
    return false;
  }
  *out = (dls_event){.t = at->t, .kind = (dls_event_kind)at->kind};
  if (at->kind == DLS_IMPACT || at->kind == DLS_ACCUMULATION) {
    out->u_minus = at->u_minus;
    out->u_plus = (double)at->x[V];
    out->impulse = sol->mass * (out->u_plus - out->u_minus);
  }
  if (at->kind == DLS_ACCUMULATION) { /* the flights that are passed are not higher than V^2/(2 |a|) */
    const long double speed = (long double)sol->e * at->u_minus;
    const long double force = sol->motion->force(sol->own, at->start.hi, at->x);
    out->time_end = at->time_end;
    out->bound = (double)fmaxl(sol->bound, speed * speed / (-2 * force));
  }
  return true;
}

long double dls_contact_since(const dls_exact_solution *sol, size_t index, double t)
{
  const dls_wide start = sol->pieces[index].start;
  return fmaxl(0, t - start.hi - start.lo); /* near the start the first difference is exact */
}

long double dls_contact_state(const dls_exact_solution *sol, size_t index, double t, long double *x)
{
  const dls_contact_piece *at = &sol->pieces[index], *next = index + 1 < sol->count ? at + 1 : NULL;
  if (next != NULL && t >= next->t) {
    sol->motion->at(sol->own, at, dls_wide_sub(next->start, at->start).hi, x);
    x[Y] = 0;
    x[V] = at->lead == DLS_CONTACT_CLOSED ? 0 : at->v_end;
    return next->start.hi;
  }
  if (t <= at->t) {
    memcpy(x, at->x, sizeof at->x);
    return at->start.hi;
  }
  (sol->motion->row != NULL ? sol->motion->row : sol->motion->at)(sol->own, at,
                                                                  dls_contact_since(sol, index, t), x);
  return t;
}

double dls_contact_impulse(const dls_exact_solution *sol, size_t index, double t)
{
  dls_event here;
  return t <= sol->pieces[index].t && dls_contact_event(sol, index, &here) ? here.impulse : 0;
}
