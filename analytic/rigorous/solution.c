/* analytic/rigorous/solution.c -- see solution.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/solution.h"
#include <string.h>

static const double farther =
    1.000973; /* than the end one looks, at most; events like to be at simple fractions */

const char *dls_ball_event_name(dls_ball_event event)
{
  static const char *const names[] = {[DLS_BALL_START] = "",
                                      [DLS_BALL_IMPACT] = "impact",
                                      [DLS_BALL_ACCUMULATION] = "accumulation",
                                      [DLS_BALL_LIFT_OFF] = "lift-off",
                                      [DLS_BALL_STICK] = "stick",
                                      [DLS_BALL_SLIP] = "slip",
                                      [DLS_BALL_REVERSAL] = "reversal"};
  return names[event];
}

void dls_ball_solution_init(dls_ball_solution *sol, slong k, slong columns, const char *const *names)
{
  *sol = (dls_ball_solution){.k = k,
                             .columns = columns,
                             .impulse = -1,
                             .progress = sol->progress,
                             .progress_data = sol->progress_data};
  sol->names = flint_calloc((size_t)columns, sizeof *sol->names);
  for (slong i = 0; i < columns; i++) {
    strncpy(sol->names[i], names[i], DLS_BALL_NAME - 1);
  }
  sol->impulse = dls_ball_solution_column(sol, "p0");
}

void dls_ball_solution_clear(dls_ball_solution *sol)
{
  for (size_t i = 0; i < sol->count; i++) {
    dls_ball_piece *piece = &sol->piece[i];
    arb_clear(piece->t);
    arb_clear(piece->impulse);
    arb_clear(piece->over);
    _arb_vec_clear(piece->left, sol->k);
    _arb_vec_clear(piece->x, sol->k);
    if (piece->box != NULL) {
      _arb_vec_clear(piece->box, sol->k);
    }
  }
  flint_free(sol->piece);
  flint_free(sol->names);
  if (sol->release != NULL) {
    sol->release(sol->system);
  }
  *sol = (dls_ball_solution){0};
}

dls_ball_piece *dls_ball_solution_add(dls_ball_solution *sol, dls_ball_event event, const dls_ball_flow *flow,
                                      const arb_mat_struct *rows)
{
  if (sol->count == sol->room) {
    sol->room = 2 * sol->room + 16;
    sol->piece = flint_realloc(sol->piece, sol->room * sizeof *sol->piece);
  }
  dls_ball_piece *piece = &sol->piece[sol->count];
  if (sol->progress != NULL && sol->count > 0) {
    sol->progress(sol->progress_data, arf_get_d(arb_midref(piece[-1].t), ARF_RND_NEAR));
  }
  *piece = (dls_ball_piece){
      .event = event, .flow = flow, .rows = rows, .past = sol->count > 0 ? piece[-1].rows : rows};
  sol->count++;
  arb_init(piece->t);
  arb_init(piece->impulse);
  arb_init(piece->over);
  piece->left = _arb_vec_init(sol->k);
  piece->x = _arb_vec_init(sol->k);
  return piece;
}

arb_srcptr dls_ball_piece_origin(const dls_ball_piece *piece)
{
  return piece->box != NULL ? piece->over : piece->t;
}

slong dls_ball_solution_column(const dls_ball_solution *sol, const char *name)
{
  for (slong i = 0; i < sol->columns; i++) {
    if (strcmp(sol->names[i], name) == 0) {
      return i;
    }
  }
  return -1;
}

void dls_ball_solution_at(arb_ptr x, const dls_ball_solution *sol, const dls_ball_piece *piece, const arb_t s,
                          slong prec)
{
  if (piece->flow != NULL) {
    dls_ball_flow_at(x, piece->flow, piece->x, s, prec);
  } else {
    sol->at(x, sol, piece, s, prec);
  }
}

static bool is_bent(const dls_ball_solution *sol, slong column)
{
  return sol->bent != NULL && sol->bent(column);
}

void dls_ball_solution_value(arb_t out, const dls_ball_solution *sol, const arb_mat_struct *rows, slong column,
                             arb_srcptr x, slong prec)
{
  if (is_bent(sol, column)) {
    sol->bend(out, 1, sol, column, x, prec);
  } else {
    dls_ball_dot(out, arb_mat_entry(rows, column, 0), x, sol->k, prec);
  }
}

void dls_ball_solution_jet(arb_ptr a, slong n, const dls_ball_solution *sol, const dls_ball_piece *piece,
                           slong column, const arb_t s, slong prec)
{
  const slong k = sol->k;
  const arb_struct *w = arb_mat_entry(piece->rows, column, 0);
  if (piece->flow == NULL) {
    sol->jet(a, n, sol, piece, w, s, prec);
    return;
  }
  arb_ptr x = _arb_vec_init(k), series = _arb_vec_init(k * n);
  dls_ball_flow_at(x, piece->flow, piece->x, s, prec);
  dls_ball_flow_series(series, n, piece->flow, x, prec);
  if (is_bent(sol, column)) {
    sol->bend(a, n, sol, column, series, prec);
  } else {
    for (slong i = 0; i < n; i++) {
      arb_dot(a + i, NULL, 0, w, 1, series + i, n, k, prec);
    }
  }
  _arb_vec_clear(x, k);
  _arb_vec_clear(series, k * n);
}

dls_status dls_ball_undecided(const arb_t start, const arf_t since, const char *what, dls_error *err)
{
  const double t =
      arf_get_d(arb_midref(start), ARF_RND_NEAR) + (since != NULL ? arf_get_d(since, ARF_RND_NEAR) : 0);
  return dls_fail(err, DLS_ERR_NOCONV, "no proof from t = %.10g s on: %s", t, what);
}

dls_status dls_ball_too_many(const dls_ball_solution *sol, dls_error *err)
{
  return dls_fail(err, DLS_ERR_CHATTERING, "more than %d events by t = %.10g s", DLS_BALL_MOST_PIECES,
                  arf_get_d(arb_midref(sol->piece[sol->count - 1].t), ARF_RND_NEAR));
}

/* Up to a little behind `until`, so that a zero at `until` itself is one inside; none if it is surely behind. */
static dls_ball_verdict search_after(const dls_ball_watch *watch, arf_t from, const arf_t until, arf_t low,
                                     arf_t high, slong prec)
{
  arf_t behind;
  arf_init(behind);
  arf_set_d(behind, farther);
  arf_mul(behind, behind, until, prec, ARF_RND_UP);
  arf_zero(from);
  const dls_ball_verdict verdict = dls_ball_next_zero(watch, from, behind, low, high, prec);
  arf_clear(behind);
  return arf_cmp(from, until) > 0 ? DLS_BALL_NONE : verdict;
}

dls_ball_verdict dls_ball_piece_zero(const dls_ball_piece *piece, arb_srcptr w, int sign, ulong lead,
                                     double hint, const arb_t end, arb_t since, const char *what, slong prec,
                                     dls_error *err)
{
  arf_t from, until, low, high;
  arf_init(from);
  arf_init(until);
  arf_init(low);
  arf_init(high);
  arb_sub(since, end, dls_ball_piece_origin(piece), prec);
  arb_get_ubound_arf(until, since, prec);
  const dls_ball_watch watch = {
      .flow = piece->flow, .w = w, .x = piece->x, .sign = sign, .hint = hint, .lead = lead};
  dls_ball_verdict verdict = dls_ball_next_zero(&watch, from, until, low, high, prec);
  if (verdict == DLS_BALL_UNDECIDED) {
    verdict = search_after(&watch, from, until, low, high, prec);
  }
  if (verdict == DLS_BALL_FOUND && !dls_ball_refine(since, &watch, low, high, prec)) {
    verdict = DLS_BALL_UNDECIDED;
  }
  arb_get_lbound_arf(low, since, prec);
  if (verdict == DLS_BALL_FOUND && arf_cmp(low, until) > 0) {
    verdict = DLS_BALL_NONE;
  }
  if (verdict == DLS_BALL_UNDECIDED) {
    dls_ball_undecided(piece->t, from, what, err);
  }
  arf_clear(from);
  arf_clear(until);
  arf_clear(low);
  arf_clear(high);
  return verdict;
}

int dls_ball_first_sign(const dls_ball_flow *flow, arb_srcptr w, arb_srcptr x, ulong *lead, slong prec)
{
  const slong k = flow->k;
  arb_ptr now = _arb_vec_init(k), next = _arb_vec_init(k);
  arb_t value;
  arb_init(value);
  _arb_vec_set(now, x, k);
  int sign = 0;
  bool zero = true;
  for (slong order = 0; order < k && zero; order++) {
    dls_ball_dot(value, w, now, k, prec);
    zero = arb_is_zero(value);
    sign = arb_is_positive(value) ? 1 : arb_is_negative(value) ? -1 : 0;
    *lead = (ulong)order;
    dls_ball_flow_rate(next, flow, now, prec);
    _arb_vec_set(now, next, k);
  }
  arb_clear(value);
  _arb_vec_clear(now, k);
  _arb_vec_clear(next, k);
  return sign;
}
