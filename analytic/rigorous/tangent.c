/* analytic/rigorous/tangent.c -- see tangent.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/tangent.h"
#include <string.h>

/* --- flows --- */

dls_ball_tangent_flow *dls_ball_tangent_add(dls_ball_tangent *d, const dls_ball_flow *of)
{
  const slong k = d->k;
  dls_ball_tangent_flow *f = &d->flow[d->flows++];
  f->of = of;
  dls_ball_flow_init(&f->both, 2 * k);
  for (slong i = 0; i < k; i++) {
    for (slong j = 0; j < k; j++) {
      arb_set(arb_mat_entry(f->both.L, i, j), arb_mat_entry(of->L, i, j));
      arb_set(arb_mat_entry(f->both.L, k + i, k + j), arb_mat_entry(of->L, i, j));
    }
  }
  arb_mat_window_init(f->dL, f->both.L, k, 0, 2 * k, k);
  return f;
}

static const dls_ball_flow *flow_of(const dls_ball_tangent *d, const dls_ball_piece *piece)
{
  size_t i = 0;
  while (d->flow[i].of != piece->flow) {
    i++;
  }
  return &d->flow[i].both;
}

void dls_ball_tangent_at(arb_ptr dx, const dls_ball_tangent *d, const dls_ball_solution *sol, size_t i,
                         const arb_t s, slong prec)
{
  const slong k = d->k;
  const dls_ball_piece *piece = &sol->piece[i];
  if (sol->variation->at != NULL) {
    sol->variation->at(dx, d, sol, i, s, prec);
    return;
  }
  arb_ptr both = _arb_vec_init(2 * k);
  _arb_vec_set(both, piece->x, k);
  _arb_vec_set(both + k, d->x + (slong)i * k, k);
  dls_ball_flow_at(both, flow_of(d, piece), both, s, prec);
  _arb_vec_set(dx, both + k, k);
  _arb_vec_clear(both, 2 * k);
}

/* --- events --- */

void dls_ball_tangent_dot(arb_t out, arb_srcptr w, arb_srcptr dw, arb_srcptr x, arb_srcptr dx, slong k,
                          slong prec)
{
  dls_ball_dot(out, w, dx, k, prec);
  if (dw != NULL) {
    arb_dot(out, out, 0, dw, 1, x, 1, k, prec);
  }
}

void dls_ball_tangent_time(dls_ball_tangent *d, const dls_ball_solution *sol, size_t i, arb_srcptr w,
                           arb_srcptr dw, slong prec)
{
  const slong k = d->k;
  const dls_ball_piece *piece = &sol->piece[i];
  arb_ptr rate = _arb_vec_init(k);
  arb_t slope;
  arb_init(slope);
  dls_ball_flow_rate(rate, piece[-1].flow, piece->left, prec);
  dls_ball_dot(slope, w, rate, k, prec);
  dls_ball_tangent_dot(d->dt + i, w, dw, piece->left, d->left + (slong)i * k, k, prec);
  arb_div(d->dt + i, d->dt + i, slope, prec);
  arb_neg(d->dt + i, d->dt + i);
  arb_clear(slope);
  _arb_vec_clear(rate, k);
}

void dls_ball_tangent_arrive(dls_ball_tangent *d, const dls_ball_solution *sol, size_t i, slong prec)
{
  const slong k = d->k;
  const dls_ball_piece *piece = &sol->piece[i];
  arb_ptr rate = _arb_vec_init(k), x = d->x + (slong)i * k;
  dls_ball_flow_rate(rate, piece[-1].flow, piece->left, prec);
  _arb_vec_set(x, d->left + (slong)i * k, k);
  _arb_vec_scalar_addmul(x, rate, k, d->dt + i, prec);
  _arb_vec_clear(rate, k);
}

void dls_ball_tangent_leave(dls_ball_tangent *d, const dls_ball_solution *sol, size_t i, slong prec)
{
  const slong k = d->k;
  const dls_ball_piece *piece = &sol->piece[i];
  arb_ptr rate = _arb_vec_init(k), x = d->x + (slong)i * k;
  dls_ball_flow_rate(rate, piece->flow, piece->x, prec);
  for (slong j = 0; j < k; j++) {
    arb_submul(x + j, rate + j, d->dt + i, prec);
  }
  _arb_vec_clear(rate, k);
}

/* --- columns --- */

void dls_ball_tangent_value(arb_t out, const dls_ball_tangent *d, const arb_mat_struct *rows, slong i,
                            arb_srcptr x, arb_srcptr dx, slong prec)
{
  dls_ball_tangent_dot(out, arb_mat_entry(rows, i, 0), arb_mat_entry(d->rows, i, 0), x, dx, d->k, prec);
}

/* --- parameters, refusals --- */

bool dls_ball_tangent_is_by(const dls_ball_tangent *d, const char *name)
{
  return strcmp(d->by, name) == 0;
}

void dls_ball_tangent_one_by(arb_ptr entry, const dls_ball_tangent *d, const char *name)
{
  if (dls_ball_tangent_is_by(d, name)) {
    arb_one(entry);
  }
}

dls_status dls_ball_tangent_check(const dls_rigorous_problem *problem, const char *by, dls_error *err)
{
  size_t which = 0;
  while (which < problem->parameter_count && strcmp(problem->names[which], by) != 0) {
    which++;
  }
  return which < problem->parameter_count
             ? DLS_OK
             : dls_fail(err, DLS_ERR_OPTION, "%s has no parameter %.40s: no enclosure of its derivative",
                        problem->model, by);
}

dls_status dls_ball_tangent_refuse(const dls_ball_tangent *d, const dls_ball_piece *piece, const char *why,
                                   dls_error *err)
{
  return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "no enclosure of the derivative by %s at t = %.10g s: %s", d->by,
                  arf_get_d(arb_midref(piece->t), ARF_RND_NEAR), why);
}

dls_status dls_ball_tangent_check_left(const dls_ball_tangent *d, const dls_ball_solution *sol, size_t i,
                                       dls_error *err)
{
  return sol->piece[i].event != DLS_BALL_ACCUMULATION || arb_is_finite(d->dt + i)
             ? DLS_OK
             : dls_ball_tangent_refuse(
                   d, &sol->piece[i],
                   "limit from the left at an accumulation whose force is not constant; use --at with other "
                   "times",
                   err);
}

/* --- all pieces --- */

static slong coordinates(const dls_ball_solution *sol)
{
  slong n = 0;
  while (sol->names[n][0] == 'q') {
    n++;
  }
  return n;
}

static void init(dls_ball_tangent *d, const dls_ball_parameters *p, const char *by,
                 const dls_ball_solution *sol)
{
  *d = (dls_ball_tangent){.by = by, .p = p, .k = sol->k, .n = coordinates(sol), .count = sol->count};
  arb_mat_init(d->rows, 2 * d->n, d->k);
  d->start = _arb_vec_init(d->k);
  d->left = _arb_vec_init((slong)d->count * d->k);
  d->x = _arb_vec_init((slong)d->count * d->k);
  d->dt = _arb_vec_init((slong)d->count);
}

void dls_ball_tangent_clear(dls_ball_tangent *d)
{
  if (d->k == 0) {
    return;
  }
  for (size_t i = 0; i < d->flows; i++) {
    arb_mat_window_clear(d->flow[i].dL);
    dls_ball_flow_clear(&d->flow[i].both);
  }
  arb_mat_clear(d->rows);
  _arb_vec_clear(d->start, d->k);
  _arb_vec_clear(d->left, (slong)d->count * d->k);
  _arb_vec_clear(d->x, (slong)d->count * d->k);
  _arb_vec_clear(d->dt, (slong)d->count);
  *d = (dls_ball_tangent){0};
}

/* left: by the flow before. Before an accumulation the model encloses it, from infinitely many flights. */
static dls_status pass(const dls_ball_solution *sol, size_t i, dls_ball_tangent *d, dls_error *err)
{
  const slong prec = d->p->prec;
  const dls_ball_piece *piece = &sol->piece[i];
  arb_ptr left = d->left + (slong)i * d->k;
  if (i == 0) {
    _arb_vec_set(left, d->start, d->k);
    _arb_vec_set(d->x, d->start, d->k);
  } else if (piece->event != DLS_BALL_ACCUMULATION) {
    arb_t since;
    arb_init(since);
    arb_sub(since, piece->t, dls_ball_piece_origin(piece - 1), prec);
    dls_ball_tangent_at(left, d, sol, i - 1, since, prec);
    arb_clear(since);
  }
  return sol->variation->pass(sol, i, d, err);
}

dls_status dls_ball_tangent_solve(const dls_ball_parameters *p, const char *by, const dls_ball_solution *sol,
                                  dls_ball_tangent *out, dls_error *err)
{
  init(out, p, by, sol);
  dls_status status = sol->variation->set(sol, out, err);
  for (size_t i = 0; i < sol->count && status == DLS_OK; i++) {
    status = pass(sol, i, out, err);
  }
  return status;
}
