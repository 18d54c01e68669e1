/* analytic/rigorous/contact.c -- see contact.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/contact.h"
#include "analytic/rigorous/accumulation.h"
#include <stdio.h>

enum { GAP_COLUMN, RATE_COLUMN, IMPULSE_COLUMN, FORCE_COLUMN, BEHIND }; /* behind q, v */
enum { CLOSED = 1 };                                                    /* mode of a piece */

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
  arb_mat_init(system->open, 2 * n + BEHIND, k);
  arb_mat_init(system->pressed, 2 * n + BEHIND, k);
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
  arb_mat_clear(system->open);
  arb_mat_clear(system->pressed);
}

/* While the contact lasts g = u = 0, and its force takes the acceleration of flight away. */
static void finish_rows(dls_ball_system *system, slong prec)
{
  const slong behind = 2 * system->n;
  arb_mat_set(system->pressed, system->open);
  arb_one(arb_mat_entry(system->open, behind + GAP_COLUMN, DLS_BALL_GAP));
  arb_one(arb_mat_entry(system->open, behind + RATE_COLUMN, DLS_BALL_RATE));
  for (slong j = 0; j < system->flight.k; j++) {
    arb_ptr force = arb_mat_entry(system->pressed, behind + FORCE_COLUMN, j);
    arb_mul(force, arb_mat_entry(system->flight.L, DLS_BALL_RATE, j), system->mass, prec);
    arb_neg(force, force);
  }
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
  finish_rows(system, prec);
}

static void set_closed(const dls_ball_system *system, dls_ball_piece *piece)
{
  piece->mode = CLOSED;
  piece->flow = &system->closed;
  piece->rows = system->pressed;
}

static dls_ball_piece *add(dls_ball_solution *sol, dls_ball_event event)
{
  const dls_ball_system *system = sol->system;
  return dls_ball_solution_add(sol, event, &system->flight, system->open);
}

/* The row that gives u' in flight. */
static arb_srcptr acceleration_row(const dls_ball_system *system)
{
  return arb_mat_entry(system->flight.L, DLS_BALL_RATE, 0);
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
  const bool closed = arb_is_negative(a) || no_force(system), decided = closed || arb_is_positive(a);
  if (closed) {
    set_closed(system, piece);
  }
  arb_clear(a);
  return decided ? DLS_OK
                 : dls_ball_undecided(piece->t, NULL,
                                      "the contact begins with a force that cannot be told from 0", err);
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

static dls_status begin(const dls_ball_system *system, dls_ball_solution *sol, slong prec, dls_error *err)
{
  dls_ball_piece *piece = add(sol, DLS_BALL_START);
  _arb_vec_set(piece->left, system->start, sol->k);
  _arb_vec_set(piece->x, system->start, sol->k);
  if (arb_is_positive(piece->x + DLS_BALL_GAP)) {
    return DLS_OK;
  }
  if (!arb_is_zero(piece->x + DLS_BALL_GAP)) {
    return dls_ball_undecided(piece->t, NULL, "the gap cannot be told from 0", err);
  }
  if (arb_is_negative(piece->x + DLS_BALL_RATE)) {
    strike(system, piece, prec);
    piece->event = DLS_BALL_IMPACT;
    piece->jumps = true;
  }
  return leave(system, piece, prec, err);
}

/* Impacts that are over within 2^-narrow are one event: a piece of lasting contact. */
static void pass_accumulation(const dls_ball_system *system, dls_ball_solution *sol, slong prec, slong narrow)
{
  dls_ball_piece *last = &sol->piece[sol->count - 1];
  arb_t window;
  mag_t longest;
  arb_ptr rest = _arb_vec_init(sol->k), box = _arb_vec_init(sol->k);
  arb_init(window);
  mag_init(longest);
  const bool over = arb_is_positive(last->x + DLS_BALL_RATE) &&
                    dls_ball_accumulation(system, last->x, window, box, rest, prec);
  arb_get_mag(longest, window);
  if (over && mag_cmp_2exp_si(longest, -narrow) < 0) {
    arb_add(window, last->t, window, prec);
    dls_ball_piece *piece = add(sol, DLS_BALL_ACCUMULATION);
    arb_swap(piece->t, window);
    _arb_vec_set(piece->left, rest, sol->k);
    _arb_vec_set(piece->x, rest, sol->k);
    piece->jumps = true;
    piece->box = box;
    set_closed(system, piece);
    box = NULL;
  }
  arb_clear(window);
  mag_clear(longest);
  _arb_vec_clear(rest, sol->k);
  if (box != NULL) {
    _arb_vec_clear(box, sol->k);
  }
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
  return piece->mode != CLOSED && piece->lead == 1 && fall > 0 ? 3 * u / fall : 0;
}

/* The next event of a piece. @param[out] found  there is one that is not surely behind `end` */
static dls_status next_event(const dls_ball_system *system, dls_ball_solution *sol, const arb_t end, slong prec,
                             bool *found, dls_error *err)
{
  const size_t index = sol->count - 1;
  const dls_ball_piece *piece = &sol->piece[index];
  const bool closed = piece->mode == CLOSED;
  arb_ptr gap = _arb_vec_init(sol->k);
  arb_t since;
  arb_init(since);
  arb_one(gap + DLS_BALL_GAP);
  const dls_ball_verdict verdict =
      closed && no_force(system)
          ? DLS_BALL_NONE
          : dls_ball_piece_zero(piece, closed ? acceleration_row(system) : gap, closed ? -1 : 1,
                                closed ? 0 : piece->lead, flight_hint(system, piece, prec), end, since,
                                closed ? "the contact force touches 0" : "the gap touches 0, or nearly so",
                                prec, err);
  *found = verdict == DLS_BALL_FOUND;
  if (*found) {
    dls_ball_piece *next = add(sol, closed ? DLS_BALL_LIFT_OFF : DLS_BALL_IMPACT);
    piece = &sol->piece[index]; /* add may have moved it */
    next->jumps = !closed;
    dls_ball_solution_at(next->left, sol, piece, since, prec);
    arb_add(next->t, piece->t, since, prec);
  }
  _arb_vec_clear(gap, sol->k);
  arb_clear(since);
  return verdict == DLS_BALL_UNDECIDED ? DLS_ERR_NOCONV : DLS_OK;
}

static dls_status start_piece(const dls_ball_system *system, dls_ball_solution *sol, slong prec, slong narrow,
                              dls_error *err)
{
  dls_ball_piece *piece = &sol->piece[sol->count - 1];
  if (piece->event == DLS_BALL_LIFT_OFF) { /* g = u = u' = 0, and the zero of u' has a slope */
    _arb_vec_set(piece->x, piece->left, sol->k);
    piece->lead = 3;
    return DLS_OK;
  }
  strike(system, piece, prec);
  const dls_status status = leave(system, piece, prec, err);
  if (status == DLS_OK) {
    pass_accumulation(system, sol, prec, narrow);
  }
  return status;
}

static void release(void *system)
{
  dls_ball_system_clear(system);
  flint_free(system);
}

static void init_solution(dls_ball_system *system, dls_ball_solution *sol)
{
  static const char *const behind[BEHIND] = {"g0", "u0", "p0", "lambda0"};
  const char *names[8];
  char own[4][4];
  slong columns = 0;
  for (; columns < 2 * system->n; columns++) { /* two coordinates at most */
    snprintf(own[columns], sizeof own[0], "%c%d", columns < system->n ? 'q' : 'v', (int)(columns % system->n));
    names[columns] = own[columns];
  }
  for (int i = 0; i < BEHIND; i++) {
    names[columns++] = behind[i];
  }
  dls_ball_solution_init(sol, system->flight.k, columns, names);
  sol->system = system;
  sol->release = release;
}

dls_status dls_ball_contact(dls_ball_system *system, const arb_t end, slong prec, slong narrow,
                            dls_ball_solution *out, dls_error *err)
{
  bool found = true;
  init_solution(system, out);
  dls_status status = begin(system, out, prec, err);
  while (status == DLS_OK) {
    status = next_event(system, out, end, prec, &found, err);
    if (status != DLS_OK || !found) {
      break;
    }
    if (out->count > DLS_BALL_MOST_PIECES) {
      return dls_ball_too_many(out, err);
    }
    status = start_piece(system, out, prec, narrow, err);
  }
  return status;
}
