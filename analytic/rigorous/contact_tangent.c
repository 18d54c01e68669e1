/* analytic/rigorous/tangent.c -- see tangent.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/tangent.h"
#include <string.h>

void dls_ball_tangent_clear(dls_ball_tangent *d)
{
  if (d->k == 0) {
    return;
  }
  arb_mat_clear(d->L);
  arb_mat_clear(d->rows);
  _arb_vec_clear(d->start, d->k);
  arb_clear(d->e);
  dls_ball_flow_clear(&d->flight);
  dls_ball_flow_clear(&d->closed);
  _arb_vec_clear(d->left, (slong)d->count * d->k);
  _arb_vec_clear(d->x, (slong)d->count * d->k);
  *d = (dls_ball_tangent){0};
}

static void init(dls_ball_tangent *d, const dls_ball_system *system, const char *by, size_t count)
{
  const slong k = system->flight.k;
  *d = (dls_ball_tangent){.by = by, .k = k, .n = system->n, .count = count};
  arb_mat_init(d->L, k, k);
  arb_mat_init(d->rows, 2 * d->n, k);
  d->start = _arb_vec_init(k);
  arb_init(d->e);
  dls_ball_flow_init(&d->flight, 2 * k);
  dls_ball_flow_init(&d->closed, 2 * k);
  d->left = _arb_vec_init((slong)count * k);
  d->x = _arb_vec_init((slong)count * k);
}

/* ((L, 0), (dL, L)) of the flight; while the contact lasts dL - strike dL_u, the rows of g and u 0. */
static void augment(dls_ball_tangent *d, const dls_ball_system *system, slong prec)
{
  const slong k = d->k;
  for (slong i = 0; i < k; i++) {
    for (slong j = 0; j < k; j++) {
      for (slong half = 0; half <= k; half += k) {
        arb_set(arb_mat_entry(d->flight.L, half + i, half + j), arb_mat_entry(system->flight.L, i, j));
        arb_set(arb_mat_entry(d->closed.L, half + i, half + j), arb_mat_entry(system->closed.L, i, j));
      }
      arb_set(arb_mat_entry(d->flight.L, k + i, j), arb_mat_entry(d->L, i, j));
      arb_ptr entry = arb_mat_entry(d->closed.L, k + i, j);
      if (i != DLS_BALL_GAP && i != DLS_BALL_RATE) {
        arb_set(entry, arb_mat_entry(d->L, i, j));
        arb_submul(entry, system->strike + i, arb_mat_entry(d->L, DLS_BALL_RATE, j), prec);
      }
    }
  }
}

static bool is_closed(const dls_ball_solution *sol, size_t i)
{
  const dls_ball_system *system = sol->system;
  return sol->piece[i].flow == &system->closed;
}

/* dx := derivatives after the time s from x and their derivatives `from`. */
static void flow_at(arb_ptr dx, const dls_ball_flow *flow, arb_srcptr x, arb_srcptr from, const arb_t s,
                    slong prec)
{
  const slong k = flow->k / 2;
  arb_ptr both = _arb_vec_init(2 * k);
  _arb_vec_set(both, x, k);
  _arb_vec_set(both + k, from, k);
  dls_ball_flow_at(both, flow, both, s, prec);
  _arb_vec_set(dx, both + k, k);
  _arb_vec_clear(both, 2 * k);
}

void dls_ball_tangent_at(arb_ptr dx, const dls_ball_tangent *d, const dls_ball_solution *sol, size_t i,
                         const arb_t s, slong prec)
{
  flow_at(dx, is_closed(sol, i) ? &d->closed : &d->flight, sol->piece[i].x, d->x + (slong)i * d->k, s, prec);
}

void dls_ball_tangent_value(arb_t out, const dls_ball_tangent *d, const dls_ball_solution *sol, slong i,
                            arb_srcptr x, arb_srcptr dx, slong prec)
{
  const dls_ball_system *system = sol->system;
  dls_ball_dot(out, arb_mat_entry(system->open, i, 0), dx, d->k, prec);
  arb_dot(out, out, 0, arb_mat_entry(d->rows, i, 0), 1, x, 1, d->k, prec);
}

static dls_status refuse(const dls_ball_tangent *d, const dls_ball_piece *piece, const char *why,
                         dls_error *err)
{
  return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "no enclosure of the derivative by %s at t = %.10g s: %s", d->by,
                  arf_get_d(arb_midref(piece->t), ARF_RND_NEAR), why);
}

dls_status dls_ball_tangent_check_left(const dls_ball_tangent *d, const dls_ball_solution *sol, size_t i,
                                       dls_error *err)
{
  const dls_ball_piece *piece = &sol->piece[i];
  return piece->event != DLS_BALL_ACCUMULATION || dls_ball_force_is_constant(sol->system)
             ? DLS_OK
             : refuse(d, piece,
                      "limit from the left at an accumulation whose force is not constant; use --at with other "
                      "times",
                      err);
}

/* x+ = x- - strike (1 + e) u- at the time of the impact: shift to it, differentiate there, shift back (saltation). */
static void pass_impact(const dls_ball_system *system, const dls_ball_piece *piece, const dls_ball_tangent *d,
                        arb_srcptr left, arb_ptr x, slong prec)
{
  const slong k = d->k;
  arb_srcptr u = piece->left + DLS_BALL_RATE;
  arb_ptr rate = _arb_vec_init(k);
  arb_t dt, jump, part;
  arb_init(dt);
  arb_init(jump);
  arb_init(part);
  arb_div(dt, left + DLS_BALL_GAP, u, prec);
  arb_neg(dt, dt);
  dls_ball_flow_rate(rate, piece[-1].flow, piece->left, prec);
  for (slong i = 0; i < k; i++) {
    arb_set(x + i, left + i);
    arb_addmul(x + i, rate + i, dt, prec);
  }
  arb_add_ui(jump, system->e, 1, prec);
  arb_mul(jump, jump, x + DLS_BALL_RATE, prec);
  arb_mul(part, d->e, u, prec);
  arb_add(jump, jump, part, prec);
  arb_zero(x + DLS_BALL_GAP);
  dls_ball_flow_rate(rate, piece->flow, piece->x, prec);
  for (slong i = 0; i < k; i++) {
    arb_submul(x + i, system->strike + i, jump, prec);
    arb_submul(x + i, rate + i, dt, prec);
  }
  arb_clear(dt);
  arb_clear(jump);
  arb_clear(part);
  _arb_vec_clear(rate, k);
}

/* A start with g = 0: whether the same motion follows for all p nearby. */
static dls_status pass_start(const dls_ball_system *system, const dls_ball_piece *piece, dls_ball_tangent *d,
                             slong prec, dls_error *err)
{
  const bool touches = arb_is_zero(system->start + DLS_BALL_GAP),
             rests = touches && arb_is_zero(system->start + DLS_BALL_RATE);
  if ((touches && !arb_is_zero(d->start + DLS_BALL_GAP)) || (rests && !arb_is_zero(d->start + DLS_BALL_RATE))) {
    return refuse(d, piece, "the motion begins in contact, and the parameter opens or closes it", err);
  }
  _arb_vec_set(d->left, d->start, d->k);
  _arb_vec_set(d->x, d->start, d->k);
  if (piece->event == DLS_BALL_IMPACT) { /* at t = 0 whatever p is: u+ = -e u- */
    arb_t jump;
    arb_init(jump);
    arb_add_ui(jump, system->e, 1, prec);
    arb_mul(jump, jump, d->start + DLS_BALL_RATE, prec);
    arb_addmul(jump, d->e, piece->left + DLS_BALL_RATE, prec);
    for (slong i = 0; i < d->k; i++) {
      arb_submul(d->x + i, system->strike + i, jump, prec);
    }
    arb_clear(jump);
  }
  return DLS_OK;
}

/* The limit from the left of infinitely many flights from u = V under the constant -u' = A: they last tau = 2 V/(A (1 - e)), with
 * dtau = tau (dV/V - dA/A + de/(1 - e)), and du = A d(t + tau). x, dx: after the impact at t, from which dt = -dg/V. */
static void before_accumulation(const dls_ball_system *system, const dls_ball_piece *last,
                                const dls_ball_tangent *d, arb_srcptr dx, arb_ptr left, slong prec)
{
  arb_srcptr row = arb_mat_entry(system->flight.L, DLS_BALL_RATE, 0), V = last->x + DLS_BALL_RATE;
  arb_t A, dt, sum, part;
  arb_init(A);
  arb_init(dt);
  arb_init(sum);
  arb_init(part);
  dls_ball_dot(A, row, last->x, d->k, prec);
  arb_neg(A, A);
  arb_div(dt, dx + DLS_BALL_GAP, V, prec);
  arb_neg(dt, dt);
  arb_set(sum, dx + DLS_BALL_RATE);
  arb_submul(sum, A, dt, prec);
  arb_div(sum, sum, V, prec);
  dls_ball_dot(part, arb_mat_entry(d->L, DLS_BALL_RATE, 0), last->x, d->k, prec); /* -dA */
  arb_div(part, part, A, prec);
  arb_add(sum, sum, part, prec);
  arb_sub_ui(part, system->e, 1, prec);
  arb_neg(part, part);
  arb_div(left + DLS_BALL_RATE, d->e, part, prec);
  arb_add(sum, sum, left + DLS_BALL_RATE, prec);
  arb_mul(sum, sum, V, prec);
  arb_mul_2exp_si(sum, sum, 1);
  arb_div(sum, sum, part, prec); /* A dtau */
  arb_mul(left + DLS_BALL_RATE, A, dt, prec);
  arb_add(left + DLS_BALL_RATE, left + DLS_BALL_RATE, sum, prec);
  arb_clear(A);
  arb_clear(dt);
  arb_clear(sum);
  arb_clear(part);
}

/* After infinitely many impacts g = u = 0, for all p nearby; the states that no impact acts on are those of the flow from the start. */
static dls_status pass_accumulation(const dls_ball_system *system, const dls_ball_piece *piece,
                                    dls_ball_tangent *d, arb_ptr left, arb_ptr x, slong prec, dls_error *err)
{
  const ulong independent = dls_ball_independent_states(system);
  for (slong i = DLS_BALL_RATE + 1; i < d->k; i++) {
    if ((independent >> i & 1) == 0) {
      return refuse(d, piece, "the accumulation of impacts moves states other than the gap", err);
    }
  }
  flow_at(x, &d->flight, system->start, d->start, piece->over, prec);
  arb_zero(x + DLS_BALL_GAP);
  arb_zero(x + DLS_BALL_RATE);
  if (dls_ball_force_is_constant(system)) {
    before_accumulation(system, piece - 1, d, x - d->k, left, prec);
  }
  return DLS_OK;
}

/* Where a contact that lasts after piece i would not last for other p. */
static dls_status check_contact(const dls_ball_solution *sol, size_t i, const dls_ball_tangent *d,
                                dls_error *err)
{
  const dls_ball_system *system = sol->system;
  const dls_ball_piece *piece = &sol->piece[i];
  bool presses = true;
  if (piece->event == DLS_BALL_IMPACT && !arb_is_zero(d->e)) {
    return refuse(d, piece, "an impact with e = 0 ends the motion of the gap, and one with e > 0 does not",
                  err);
  }
  for (slong j = DLS_BALL_RATE + 1; j < d->k; j++) {
    presses = presses && arb_is_zero(arb_mat_entry(d->L, DLS_BALL_RATE, j));
  }
  return presses || !dls_ball_no_force(system)
             ? DLS_OK
             : refuse(d, piece, "the contact rests without a force, and the parameter adds one", err);
}

static dls_status pass_event(const dls_ball_solution *sol, size_t i, dls_ball_tangent *d, slong prec,
                             dls_error *err)
{
  const dls_ball_system *system = sol->system;
  const dls_ball_piece *piece = &sol->piece[i];
  arb_ptr left = d->left + (slong)i * d->k, x = d->x + (slong)i * d->k;
  dls_status status = DLS_OK;
  arb_t since;
  arb_init(since);
  if (i > 0 && piece->event != DLS_BALL_ACCUMULATION) {
    arb_sub(since, piece->t, dls_ball_piece_origin(piece - 1), prec);
    dls_ball_tangent_at(left, d, sol, i - 1, since, prec);
  }
  if (i == 0) {
    status = pass_start(system, piece, d, prec, err);
  } else if (piece->event == DLS_BALL_ACCUMULATION) {
    status = pass_accumulation(system, piece, d, left, x, prec, err);
  } else if (piece->event == DLS_BALL_IMPACT) {
    pass_impact(system, piece, d, left, x, prec);
  } else { /* lift-off: the force is 0 on both sides, and so nothing jumps */
    _arb_vec_set(x, left, d->k);
  }
  arb_clear(since);
  return status == DLS_OK && is_closed(sol, i) ? check_contact(sol, i, d, err) : status;
}

dls_status dls_ball_tangent_check(const dls_rigorous_problem *problem, const char *by, dls_error *err)
{
  size_t which = 0;
  while (which < problem->parameter_count && strcmp(problem->names[which], by) != 0) {
    which++;
  }
  if (!dls_ball_tangent_known(problem->model)) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                    "%s has no enclosures of derivatives; bouncing-ball, impacting-oscillator, "
                    "two-ball-oscillator and vibrating-table have them",
                    problem->model);
  }
  return which < problem->parameter_count
             ? DLS_OK
             : dls_fail(err, DLS_ERR_OPTION, "%s has no parameter %.40s: no enclosure of its derivative",
                        problem->model, by);
}

dls_status dls_ball_tangent_solve(const dls_ball_parameters *p, const char *by, const dls_ball_solution *sol,
                                  dls_ball_tangent *out, dls_error *err)
{
  init(out, sol->system, by, sol->count);
  dls_ball_tangent_make(p, sol->system, out);
  augment(out, sol->system, p->prec);
  dls_status status = DLS_OK;
  for (size_t i = 0; i < sol->count && status == DLS_OK; i++) {
    status = pass_event(sol, i, out, p->prec, err);
  }
  return status;
}
