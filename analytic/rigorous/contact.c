/* analytic/rigorous/contact.c -- see contact.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/contact.h"
#include "analytic/rigorous/accumulation.h"
#include "analytic/rigorous/zeros.h"

enum { MOST_PIECES = 100000 };

void dls_ball_system_init(dls_ball_system *system, slong k, slong n)
{
  dls_ball_flow_init(&system->flight, k);
  dls_ball_flow_init(&system->closed, k);
  system->start = _arb_vec_init(k);
  system->strike = _arb_vec_init(k);
  arb_one(system->strike + DLS_BALL_RATE);
  arb_one(arb_mat_entry(system->flight.L, DLS_BALL_GAP, DLS_BALL_RATE));
  arb_init(system->e);
  arb_init(system->mass);
  system->n = n;
  arb_mat_init(system->q, n, k);
  arb_mat_init(system->v, n, k);
}

void dls_ball_system_clear(dls_ball_system *system)
{
  const slong k = system->flight.k;
  dls_ball_flow_clear(&system->flight);
  dls_ball_flow_clear(&system->closed);
  _arb_vec_clear(system->start, k);
  _arb_vec_clear(system->strike, k);
  arb_clear(system->e);
  arb_clear(system->mass);
  arb_mat_clear(system->q);
  arb_mat_clear(system->v);
}

/* x' = L x - strike u', with u' the row of the gap's acceleration; g' = 0. */
void dls_ball_system_finish(dls_ball_system *system, slong prec)
{
  const slong k = system->flight.k;
  for (slong i = 0; i < k; i++) {
    system->closed.weight[i] = system->flight.weight[i];
    for (slong j = 0; j < k; j++) {
      arb_ptr entry = arb_mat_entry(system->closed.L, i, j);
      arb_set(entry, arb_mat_entry(system->flight.L, i, j));
      arb_submul(entry, system->strike + i, arb_mat_entry(system->flight.L, DLS_BALL_RATE, j), prec);
      if (i == DLS_BALL_GAP || i == DLS_BALL_RATE) {
        arb_zero(entry);
      }
    }
  }
  dls_ball_flow_bound(&system->flight);
  dls_ball_flow_bound(&system->closed);
}

void dls_ball_motion_clear(dls_ball_motion *motion)
{
  for (size_t i = 0; i < motion->count; i++) {
    dls_ball_piece *piece = &motion->piece[i];
    arb_clear(piece->t);
    arb_clear(piece->impulse);
    _arb_vec_clear(piece->left, motion->k);
    _arb_vec_clear(piece->x, motion->k);
  }
  flint_free(motion->piece);
  *motion = (dls_ball_motion){0};
}

/* A piece more, its states 0. */
static dls_ball_piece *add(dls_ball_motion *motion, dls_ball_event event)
{
  if (motion->count == motion->room) {
    motion->room = 2 * motion->room + 16;
    motion->piece = flint_realloc(motion->piece, motion->room * sizeof *motion->piece);
  }
  dls_ball_piece *piece = &motion->piece[motion->count++];
  *piece = (dls_ball_piece){.event = event};
  arb_init(piece->t);
  arb_init(piece->impulse);
  piece->left = _arb_vec_init(motion->k);
  piece->x = _arb_vec_init(motion->k);
  return piece;
}

void dls_ball_piece_at(arb_ptr x, const dls_ball_system *system, const dls_ball_piece *piece, const arb_t s,
                       slong prec)
{
  dls_ball_flow_at(x, piece->closed ? &system->closed : &system->flight, piece->x, s, prec);
}

/* The row that gives u' in flight. */
static arb_srcptr acceleration_row(const dls_ball_system *system)
{
  return arb_mat_entry(system->flight.L, DLS_BALL_RATE, 0);
}

static dls_status undecided(const dls_ball_piece *piece, const arf_t since, const char *what, dls_error *err)
{
  const double t =
      arf_get_d(arb_midref(piece->t), ARF_RND_NEAR) + (since != NULL ? arf_get_d(since, ARF_RND_NEAR) : 0);
  return dls_fail(err, DLS_ERR_NOCONV, "no proof from t = %.10g s on: %s", t, what);
}

/* Nothing ever acts on the gap where g = u = 0. */
static bool no_force(const dls_ball_system *system)
{
  bool none = true;
  for (slong i = DLS_BALL_RATE + 1; i < system->flight.k; i++) {
    none = none && arb_is_zero(acceleration_row(system) + i);
  }
  return none;
}

/* A start with g = 0: whether it lasts, and otherwise the order of what makes it end. */
static dls_status leave(const dls_ball_system *system, dls_ball_piece *piece, slong prec, dls_error *err)
{
  piece->lead = 1;
  if (!arb_is_zero(piece->x + DLS_BALL_RATE)) {
    return DLS_OK;
  }
  arb_t a;
  arb_init(a);
  dls_ball_dot(a, acceleration_row(system), piece->x, system->flight.k, prec);
  piece->lead = 2;
  piece->closed = arb_is_negative(a) || no_force(system);
  const bool decided = piece->closed || arb_is_positive(a);
  arb_clear(a);
  return decided ? DLS_OK
                 : undecided(piece, NULL, "the contact begins with a force that cannot be told from 0", err);
}

/* From left to x by the law of impact; g = 0. */
static void strike(const dls_ball_system *system, dls_ball_piece *piece, slong prec)
{
  const slong k = system->flight.k;
  arb_t jump;
  arb_init(jump);
  arb_zero(piece->left + DLS_BALL_GAP);
  arb_add_ui(jump, system->e, 1, prec);
  arb_mul(jump, jump, piece->left + DLS_BALL_RATE, prec);
  arb_neg(jump, jump);
  arb_mul(piece->impulse, jump, system->mass, prec);
  for (slong i = 0; i < k; i++) {
    arb_set(piece->x + i, piece->left + i);
    arb_addmul(piece->x + i, system->strike + i, jump, prec);
  }
  arb_mul(piece->x + DLS_BALL_RATE, system->e, piece->left + DLS_BALL_RATE, prec);
  arb_neg(piece->x + DLS_BALL_RATE, piece->x + DLS_BALL_RATE);
  arb_clear(jump);
}

static dls_status begin(const dls_ball_system *system, dls_ball_motion *motion, slong prec, dls_error *err)
{
  dls_ball_piece *piece = add(motion, DLS_BALL_START);
  _arb_vec_set(piece->left, system->start, motion->k);
  _arb_vec_set(piece->x, system->start, motion->k);
  if (arb_is_positive(piece->x + DLS_BALL_GAP)) {
    return DLS_OK;
  }
  if (!arb_is_zero(piece->x + DLS_BALL_GAP)) {
    return undecided(piece, NULL, "the gap cannot be told from 0", err);
  }
  if (arb_is_negative(piece->x + DLS_BALL_RATE)) {
    strike(system, piece, prec);
    piece->event = DLS_BALL_IMPACT;
  }
  return leave(system, piece, prec, err);
}

/* Impacts that are over within 2^-narrow are one event: a piece of lasting contact. */
static void pass_accumulation(const dls_ball_system *system, dls_ball_motion *motion, slong prec, slong narrow)
{
  dls_ball_piece *last = &motion->piece[motion->count - 1];
  arb_t window;
  mag_t longest;
  arb_ptr rest = _arb_vec_init(motion->k);
  arb_init(window);
  mag_init(longest);
  const bool over =
      arb_is_positive(last->x + DLS_BALL_RATE) && dls_ball_accumulation(system, last->x, window, rest, prec);
  arb_get_mag(longest, window);
  if (over && mag_cmp_2exp_si(longest, -narrow) < 0) {
    arb_add(window, last->t, window, prec);
    dls_ball_piece *piece = add(motion, DLS_BALL_ACCUMULATION);
    arb_swap(piece->t, window);
    _arb_vec_set(piece->left, rest, motion->k);
    _arb_vec_set(piece->x, rest, motion->k);
    piece->closed = true;
  }
  arb_clear(window);
  mag_clear(longest);
  _arb_vec_clear(rest, motion->k);
}

/* Behind an impact half as much more than 2 u/|u'|: a series that holds a short flight. */
static double flight_hint(const dls_ball_system *system, const dls_ball_piece *piece, slong prec)
{
  arb_t a;
  arb_init(a);
  dls_ball_dot(a, acceleration_row(system), piece->x, system->flight.k, prec);
  const double u = arf_get_d(arb_midref(piece->x + DLS_BALL_RATE), ARF_RND_NEAR),
               fall = -arf_get_d(arb_midref(a), ARF_RND_NEAR);
  arb_clear(a);
  return !piece->closed && piece->lead == 1 && fall > 0 ? 3 * u / fall : 0;
}

/* The next event of a piece. @param[out] found  there is one that is not surely behind `end` */
static dls_status next_event(const dls_ball_system *system, dls_ball_motion *motion, const arb_t end,
                             slong prec, bool *found, dls_error *err)
{
  const size_t index = motion->count - 1;
  const dls_ball_piece *piece = &motion->piece[index];
  arb_ptr gap = _arb_vec_init(motion->k);
  arb_t since;
  arf_t from, until, low, high;
  arb_init(since);
  arf_init(from);
  arf_init(until);
  arf_init(low);
  arf_init(high);
  arb_one(gap + DLS_BALL_GAP);
  arb_sub(since, end, piece->t, prec);
  arb_get_ubound_arf(until, since, prec);
  const dls_ball_watch watch = {.flow = piece->closed ? &system->closed : &system->flight,
                                .w = piece->closed ? acceleration_row(system) : gap,
                                .x = piece->x,
                                .sign = piece->closed ? -1 : 1,
                                .hint = flight_hint(system, piece, prec),
                                .lead = piece->closed ? 0 : piece->lead};
  const bool rests = piece->closed && no_force(system);
  const dls_ball_verdict verdict =
      rests ? DLS_BALL_NONE : dls_ball_next_zero(&watch, from, until, low, high, prec);
  dls_status status = DLS_OK;
  *found = verdict == DLS_BALL_FOUND;
  if (verdict == DLS_BALL_UNDECIDED || (*found && !dls_ball_refine(since, &watch, low, high, prec))) {
    status = undecided(piece, from,
                       piece->closed ? "the contact force touches 0" : "the gap touches 0, or nearly so", err);
  } else if (*found) {
    dls_ball_piece *next = add(motion, piece->closed ? DLS_BALL_LIFT_OFF : DLS_BALL_IMPACT);
    piece = &motion->piece[index]; /* add may have moved it */
    dls_ball_piece_at(next->left, system, piece, since, prec);
    arb_add(next->t, piece->t, since, prec);
  }
  _arb_vec_clear(gap, motion->k);
  arb_clear(since);
  arf_clear(from);
  arf_clear(until);
  arf_clear(low);
  arf_clear(high);
  return status;
}

static dls_status start_piece(const dls_ball_system *system, dls_ball_motion *motion, slong prec, slong narrow,
                              dls_error *err)
{
  dls_ball_piece *piece = &motion->piece[motion->count - 1];
  if (piece->event == DLS_BALL_LIFT_OFF) { /* g = u = u' = 0, and the zero of u' has a slope */
    _arb_vec_set(piece->x, piece->left, motion->k);
    piece->lead = 3;
    return DLS_OK;
  }
  strike(system, piece, prec);
  const dls_status status = leave(system, piece, prec, err);
  if (status == DLS_OK) {
    pass_accumulation(system, motion, prec, narrow);
  }
  return status;
}

dls_status dls_ball_contact(const dls_ball_system *system, const arb_t end, slong prec, slong narrow,
                            dls_ball_motion *out, dls_error *err)
{
  bool found = true;
  *out = (dls_ball_motion){.k = system->flight.k};
  dls_status status = begin(system, out, prec, err);
  while (status == DLS_OK) {
    status = next_event(system, out, end, prec, &found, err);
    if (status != DLS_OK || !found) {
      break;
    }
    if (out->count > MOST_PIECES) {
      return dls_fail(err, DLS_ERR_CHATTERING, "more than %d events by t = %.10g s", MOST_PIECES,
                      arf_get_d(arb_midref(out->piece[out->count - 1].t), ARF_RND_NEAR));
    }
    status = start_piece(system, out, prec, narrow, err);
  }
  return status;
}
