/* analytic/rigorous/contact.c -- see contact.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/contact.h"
#include "analytic/rigorous/accumulation.h"
#include "analytic/rigorous/short_flight.h"
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

bool dls_ball_no_force(const dls_ball_system *system)
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
  const bool closed = arb_is_negative(a) || dls_ball_no_force(system), decided = closed || arb_is_positive(a);
  if (closed) {
    set_closed(system, piece);
  }
  arb_clear(a);
  return decided
             ? DLS_OK
             : dls_ball_undecided(piece->t, NULL,
                                  "the contact begins with a force that cannot be distinguished from 0", err);
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
    return dls_ball_undecided(piece->t, NULL, "the gap cannot be distinguished from 0", err);
  }
  if (arb_is_negative(piece->x + DLS_BALL_RATE)) {
    strike(system, piece, prec);
    piece->event = DLS_BALL_IMPACT;
    piece->jumps = true;
  }
  return leave(system, piece, prec, err);
}

/* Does the next flight alone last far longer than 2^-narrow? */
static bool flies_long(const dls_ball_system *system, const dls_ball_piece *piece, slong prec, slong narrow)
{
  arb_t a, flight;
  arb_init(a);
  arb_init(flight);
  dls_ball_dot(a, acceleration_row(system), piece->x, system->flight.k, prec);
  arb_div(flight, piece->x + DLS_BALL_RATE, a, MAG_BITS);
  arb_neg(flight, flight);
  const bool is_long = arf_cmpabs_2exp_si(arb_midref(flight), 4 - narrow) > 0;
  arb_clear(a);
  arb_clear(flight);
  return is_long;
}

ulong dls_ball_independent_states(const dls_ball_system *system)
{
  const slong k = system->flight.k;
  ulong set = 0;
  for (slong i = DLS_BALL_RATE + 1; i < k; i++) {
    set |= arb_is_zero(system->strike + i) ? (ulong)1 << i : 0;
  }
  for (slong pass = 0; pass < k; pass++) {
    for (slong i = 0; i < k; i++) {
      for (slong j = 0; j < k; j++) {
        const bool acts = (set >> j & 1) == 0 && !arb_is_zero(arb_mat_entry(system->flight.L, i, j));
        set &= acts ? ~((ulong)1 << i) : set;
      }
    }
  }
  return set;
}

/* An instant by which the accumulation is over, and the states there: independent ones by the exact time from the start. */
static void begin_rest(const dls_ball_system *system, dls_ball_piece *piece, slong prec)
{
  const slong k = system->flight.k;
  const ulong independent = dls_ball_independent_states(system);
  arb_ptr x = _arb_vec_init(k);
  arb_t since;
  arf_t latest;
  arb_init(since);
  arf_init(latest);
  arb_get_ubound_arf(latest, piece->t, prec);
  arb_set_arf(piece->over, latest);
  arb_sub(since, piece->over, piece->t, prec);
  dls_ball_flow_at(piece->x, &system->closed, piece->left, since, prec);
  arb_zero(piece->x + DLS_BALL_GAP);
  arb_zero(piece->x + DLS_BALL_RATE);
  dls_ball_flow_at(x, &system->flight, system->start, piece->over, prec);
  for (slong i = 0; i < k; i++) {
    if (independent >> i & 1) {
      arb_swap(piece->x + i, x + i);
    }
  }
  arb_clear(since);
  arf_clear(latest);
  _arb_vec_clear(x, k);
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
  const bool over = arb_is_positive(last->x + DLS_BALL_RATE) && !flies_long(system, last, prec, narrow) &&
                    dls_ball_accumulation(system, last->x, window, box, rest, prec);
  arb_get_mag(longest, window);
  if (over && mag_cmp_2exp_si(longest, -narrow) < 0) {
    arb_add(window, last->t, window, prec);
    dls_ball_piece *piece = add(sol, DLS_BALL_ACCUMULATION);
    arb_swap(piece->t, window);
    _arb_vec_set(piece->left, rest, sol->k);
    piece->jumps = true;
    piece->box = box;
    set_closed(system, piece);
    begin_rest(system, piece, prec);
    box = NULL;
  }
  arb_clear(window);
  mag_clear(longest);
  _arb_vec_clear(rest, sol->k);
  if (box != NULL) {
    _arb_vec_clear(box, sol->k);
  }
}

/* Under a constant force, a flight that begins with the speed V ends with V after T = 2 V/|u'|. The n-th impact of a series follows
 * after T (1 + e + ... + e^(n-1)) with the speed V e^(n-1), without accumulated rounding. */
typedef struct fall_series {
  bool on;
  arb_t start, V, T;
  arb_t sum, power; /* 1 + ... + e^(n-1), e^n */
} fall_series;

static void fall_init(fall_series *f)
{
  f->on = false;
  arb_init(f->start);
  arb_init(f->V);
  arb_init(f->T);
  arb_init(f->sum);
  arb_init(f->power);
}

static void fall_clear(fall_series *f)
{
  arb_clear(f->start);
  arb_clear(f->V);
  arb_clear(f->T);
  arb_clear(f->sum);
  arb_clear(f->power);
}

bool dls_ball_force_is_constant(const dls_ball_system *system)
{
  const slong k = system->flight.k;
  bool constant = true;
  for (slong i = 0; i < k; i++) {
    for (slong j = 0; j < k; j++) {
      const bool free = i == DLS_BALL_GAP || (i == DLS_BALL_RATE && j > DLS_BALL_RATE);
      constant = constant && (free || arb_is_zero(arb_mat_entry(system->flight.L, i, j)));
    }
    constant = constant && (i <= DLS_BALL_RATE || arb_is_zero(system->strike + i));
  }
  return constant;
}

/* Start a series if this piece leaves g = 0 under a constant force. */
static void begin_fall(fall_series *f, const dls_ball_system *system, const dls_ball_piece *piece, slong prec)
{
  arb_t a;
  arb_init(a);
  dls_ball_dot(a, acceleration_row(system), piece->x, system->flight.k, prec);
  f->on = piece->mode != CLOSED && arb_is_zero(piece->x + DLS_BALL_GAP) &&
          arb_is_positive(piece->x + DLS_BALL_RATE) && arb_is_negative(a) && dls_ball_force_is_constant(system);
  if (f->on) {
    arb_set(f->start, piece->t);
    arb_set(f->V, piece->x + DLS_BALL_RATE);
    arb_div(f->T, f->V, a, prec);
    arb_mul_2exp_si(f->T, f->T, 1);
    arb_neg(f->T, f->T);
    arb_zero(f->sum);
    arb_one(f->power);
  }
  arb_clear(a);
}

/* The time of the next impact of the series. */
static void next_fall(fall_series *f, arb_t t, slong prec)
{
  arb_add(f->sum, f->sum, f->power, prec);
  arb_mul(t, f->T, f->sum, prec);
  arb_add(t, t, f->start, prec);
}

/* The states before that impact; advances the series by one impact. */
static void fall_before_impact(fall_series *f, const dls_ball_system *system, const dls_ball_piece *from,
                               arb_ptr left, slong prec)
{
  _arb_vec_set(left, from->x, system->flight.k);
  arb_mul(left + DLS_BALL_RATE, f->V, f->power, prec);
  arb_neg(left + DLS_BALL_RATE, left + DLS_BALL_RATE);
  arb_mul(f->power, f->power, system->e, prec);
}

/* After an impact 1.5 times 2 u/|u'|: the Taylor series then covers a short flight. */
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

/* The columns of exp(L s) of the states that are not known exactly; middle := the middles of all states. */
static void sensitivities(arb_mat_t phi, arb_ptr middle, const dls_ball_piece *piece, const arb_t s, slong k,
                          slong prec)
{
  arb_ptr column = _arb_vec_init(k);
  for (slong i = 0; i < k; i++) {
    arb_get_mid_arb(middle + i, piece->x + i);
    if (!mag_is_zero(arb_radref(piece->x + i))) {
      _arb_vec_zero(column, k);
      arb_one(column + i);
      dls_ball_flow_at(column, piece->flow, column, s, prec);
      for (slong j = 0; j < k; j++) {
        arb_set(arb_mat_entry(phi, j, i), column + j);
      }
    }
  }
  _arb_vec_clear(column, k);
}

/* out := its intersection with the mean value form value + sum_i slope_i (x_i - middle_i), the slopes enclosed for all x. */
static void mean_value(arb_t out, const arb_t value, const arb_mat_t slopes, slong row,
                       const dls_ball_piece *piece, arb_srcptr middle, slong prec)
{
  arb_t sum, part;
  arb_init(sum);
  arb_init(part);
  arb_set(sum, value);
  for (slong i = 0; i < arb_mat_ncols(slopes); i++) {
    arb_sub(part, piece->x + i, middle + i, prec);
    arb_addmul(sum, arb_mat_entry(slopes, row, i), part, prec);
  }
  if (!arb_intersection(part, out, sum, prec)) {
    arb_set(part, out);
  }
  arb_swap(out, part);
  arb_clear(sum);
  arb_clear(part);
}

/* The zero s(x) of w x(s) and the states there, narrowed: ds/dx = -w Phi/(w L x), and x(s) by Phi + L x ds/dx, enclosed over all
 * s and x; unchanged where the slope may be 0. The width of a state then stays constant in a flight; without this it grows threefold. */
static dls_ball_verdict narrow_event(const dls_ball_piece *piece, arb_srcptr w, int sign, ulong lead,
                                     double hint, const dls_ball_solution *sol, const arb_t end, arb_t since,
                                     arb_ptr left, slong prec, dls_error *err)
{
  const slong k = sol->k;
  dls_ball_piece centre = *piece;
  arb_mat_t phi, slopes;
  arb_t slope, at;
  arb_ptr middle = _arb_vec_init(k), rate = _arb_vec_init(k);
  arb_mat_init(phi, k, k);
  arb_mat_init(slopes, 1, k);
  arb_init(slope);
  arb_init(at);
  sensitivities(phi, middle, piece, since, k, prec);
  centre.x = middle;
  dls_ball_flow_rate(rate, piece->flow, left, prec);
  dls_ball_dot(slope, w, rate, k, prec);
  const dls_ball_verdict verdict =
      arb_contains_zero(slope) ? DLS_BALL_NONE
                               : dls_ball_piece_zero(&centre, w, sign, lead, hint, end, at,
                                                     "the middle of the states has no event", prec, err);
  if (verdict == DLS_BALL_FOUND) {
    dls_ball_flow_at(middle, piece->flow, middle, at, prec); /* the states of the centre at its zero */
    for (slong i = 0; i < k; i++) {
      arb_ptr ds = arb_mat_entry(slopes, 0, i);
      for (slong j = 0; j < k; j++) {
        arb_addmul(ds, w + j, arb_mat_entry(phi, j, i), prec);
      }
      arb_div(ds, ds, slope, prec);
      arb_neg(ds, ds);
      for (slong j = 0; j < k; j++) {
        arb_addmul(arb_mat_entry(phi, j, i), rate + j, ds, prec);
      }
    }
    arb_ptr states = _arb_vec_init(k);
    _arb_vec_set(states, middle, k);
    for (slong i = 0; i < k; i++) {
      arb_get_mid_arb(middle + i, piece->x + i);
    }
    mean_value(since, at, slopes, 0, piece, middle, prec);
    for (slong j = 0; j < k; j++) {
      mean_value(left + j, states + j, phi, j, piece, middle, prec);
    }
    _arb_vec_clear(states, k);
  }
  _arb_vec_clear(middle, k);
  _arb_vec_clear(rate, k);
  arb_mat_clear(phi);
  arb_mat_clear(slopes);
  arb_clear(slope);
  arb_clear(at);
  return verdict;
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
  arb_srcptr w = closed ? acceleration_row(system) : gap;
  const int sign = closed ? -1 : 1;
  const ulong lead = closed ? 0 : piece->lead;
  const double hint = flight_hint(system, piece, prec);
  dls_ball_verdict verdict =
      closed && dls_ball_no_force(system)
          ? DLS_BALL_NONE
          : dls_ball_piece_zero(piece, w, sign, lead, hint, end, since,
                                closed ? "the contact force touches 0" : "the gap touches 0, or nearly so",
                                prec, err);
  *found = verdict == DLS_BALL_FOUND;
  if (*found) {
    dls_ball_piece *next = add(sol, closed ? DLS_BALL_LIFT_OFF : DLS_BALL_IMPACT);
    piece = &sol->piece[index]; /* add may have moved it */
    next->jumps = !closed;
    dls_ball_solution_at(next->left, sol, piece, since, prec);
    verdict = narrow_event(piece, w, sign, lead, hint, sol, end, since, next->left, prec, err);
    arb_add(next->t, dls_ball_piece_origin(piece), since, prec);
  }
  _arb_vec_clear(gap, sol->k);
  arb_clear(since);
  return verdict == DLS_BALL_UNDECIDED ? DLS_ERR_NOCONV : DLS_OK;
}

/* The same of a series under a constant force. */
static void next_of_series(fall_series *f, const dls_ball_system *system, dls_ball_solution *sol,
                           const arb_t end, slong prec, bool *found)
{
  arb_t t;
  arb_init(t);
  next_fall(f, t, prec);
  *found = !arb_gt(t, end);
  if (*found) {
    dls_ball_piece *next = add(sol, DLS_BALL_IMPACT);
    next->jumps = true;
    arb_swap(next->t, t);
    fall_before_impact(f, system, next - 1, next->left, prec);
  }
  arb_clear(t);
}

/* The same where one Taylor series covers the flight. @return false if none does */
static bool next_of_short_flight(const dls_ball_system *system, dls_ball_solution *sol, const arb_t end,
                                 slong prec, bool *found)
{
  const dls_ball_piece *piece = &sol->piece[sol->count - 1];
  arb_ptr left = _arb_vec_init(sol->k);
  arb_t t;
  arb_init(t);
  const bool is_short = piece->mode != CLOSED && dls_ball_short_flight(system, piece->x, t, left, prec);
  if (is_short) {
    arb_add(t, t, piece->t, prec);
    *found = !arb_gt(t, end);
  }
  if (is_short && *found) {
    dls_ball_piece *next = add(sol, DLS_BALL_IMPACT);
    next->jumps = true;
    arb_swap(next->t, t);
    _arb_vec_set(next->left, left, sol->k);
  }
  arb_clear(t);
  _arb_vec_clear(left, sol->k);
  return is_short;
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
  sol->variation = &dls_ball_contact_variation;
}

dls_status dls_ball_contact(dls_ball_system *system, const arb_t end, slong prec, slong narrow,
                            dls_ball_solution *out, dls_error *err)
{
  bool found = true;
  fall_series series;
  fall_init(&series);
  init_solution(system, out);
  dls_status status = begin(system, out, prec, err);
  while (status == DLS_OK) {
    if (!series.on) {
      begin_fall(&series, system, &out->piece[out->count - 1], prec);
    }
    if (series.on) {
      next_of_series(&series, system, out, end, prec, &found);
    } else if (!next_of_short_flight(system, out, end, prec, &found)) {
      status = next_event(system, out, end, prec, &found, err);
    }
    if (status != DLS_OK || !found) {
      break;
    }
    if (out->count > DLS_BALL_MOST_PIECES) {
      status = dls_ball_too_many(out, err);
      break;
    }
    status = start_piece(system, out, prec, narrow, err);
    series.on = series.on && out->piece[out->count - 1].mode != CLOSED;
  }
  fall_clear(&series);
  return status;
}
