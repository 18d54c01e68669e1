/* analytic/rigorous/contact_tangent.c -- derivatives of a linear system with one contact; see tangent.h and contact.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/contact.h"
#include "analytic/rigorous/tangent.h"

enum { FLIGHT, CLOSED }; /* flows of the tangent */

/* The derivative of L in flight. */
static arb_mat_struct *flight_of(const dls_ball_tangent *d)
{
  return (arb_mat_struct *)d->flow[FLIGHT].dL;
}

/* The flows of flight and, with dL - strike dL_u and the rows of g and u 0, of lasting contact. */
static dls_status set(const dls_ball_solution *sol, dls_ball_tangent *d, dls_error *err)
{
  const slong prec = d->p->prec;
  const dls_ball_parameters *p = d->p;
  const dls_ball_system *system = sol->system;
  arb_mat_struct *dL = dls_ball_tangent_add(d, &system->flight)->dL,
                 *closed = dls_ball_tangent_add(d, &system->closed)->dL;
  (void)err;
  system->differentiate(p, system, d, dL);
  for (slong i = DLS_BALL_RATE + 1; i < d->k; i++) {
    for (slong j = 0; j < d->k; j++) {
      arb_set(arb_mat_entry(closed, i, j), arb_mat_entry(dL, i, j));
      arb_submul(arb_mat_entry(closed, i, j), system->strike + i, arb_mat_entry(dL, DLS_BALL_RATE, j), prec);
    }
  }
  return DLS_OK;
}

static bool is_closed(const dls_ball_solution *sol, size_t i)
{
  const dls_ball_system *system = sol->system;
  return sol->piece[i].flow == &system->closed;
}

/* Of the impact law u+ = -e u-: out := d((1 + e) u) = (1 + e) du + de u. */
static void differentiate_law(arb_t out, const dls_ball_system *system, const dls_ball_tangent *d, arb_srcptr u,
                              arb_srcptr du, slong prec)
{
  arb_add_ui(out, system->e, 1, prec);
  arb_mul(out, out, du, prec);
  if (dls_ball_tangent_is_by(d, "e")) {
    arb_add(out, out, u, prec);
  }
}

/* x+ = x- - strike (1 + e) u- at the time of the impact, where g = 0. */
static void pass_impact(const dls_ball_solution *sol, size_t i, dls_ball_tangent *d, slong prec)
{
  const dls_ball_system *system = sol->system;
  arb_ptr x = d->x + (slong)i * d->k, gap = _arb_vec_init(d->k);
  arb_t jump;
  arb_init(jump);
  arb_one(gap + DLS_BALL_GAP);
  dls_ball_tangent_time(d, sol, i, gap, NULL, prec);
  dls_ball_tangent_arrive(d, sol, i, prec);
  differentiate_law(jump, system, d, sol->piece[i].left + DLS_BALL_RATE, x + DLS_BALL_RATE, prec);
  arb_zero(x + DLS_BALL_GAP);
  for (slong j = 0; j < d->k; j++) {
    arb_submul(x + j, system->strike + j, jump, prec);
  }
  dls_ball_tangent_leave(d, sol, i, prec);
  arb_clear(jump);
  _arb_vec_clear(gap, d->k);
}

/* The force falls through 0. It is 0 on both sides, and so nothing jumps. */
static void pass_lift_off(const dls_ball_solution *sol, size_t i, dls_ball_tangent *d, slong prec)
{
  const dls_ball_system *system = sol->system;
  dls_ball_tangent_time(d, sol, i, arb_mat_entry(system->flight.L, DLS_BALL_RATE, 0),
                        arb_mat_entry(flight_of(d), DLS_BALL_RATE, 0), prec);
  _arb_vec_set(d->x + (slong)i * d->k, d->left + (slong)i * d->k, d->k);
}

/* A start with g = 0: whether the same motion follows for all p nearby. */
static dls_status pass_start(const dls_ball_system *system, const dls_ball_piece *piece, dls_ball_tangent *d,
                             slong prec, dls_error *err)
{
  const bool touches = arb_is_zero(system->start + DLS_BALL_GAP),
             rests = touches && arb_is_zero(system->start + DLS_BALL_RATE);
  if ((touches && !arb_is_zero(d->start + DLS_BALL_GAP)) || (rests && !arb_is_zero(d->start + DLS_BALL_RATE))) {
    return dls_ball_tangent_refuse(
        d, piece, "one-sided: the motion begins in contact, and the parameter opens or closes it", err);
  }
  if (piece->event == DLS_BALL_IMPACT) { /* at t = 0 whatever p is */
    arb_t jump;
    arb_init(jump);
    differentiate_law(jump, system, d, piece->left + DLS_BALL_RATE, d->start + DLS_BALL_RATE, prec);
    for (slong i = 0; i < d->k; i++) {
      arb_submul(d->x + i, system->strike + i, jump, prec);
    }
    arb_clear(jump);
  }
  return DLS_OK;
}

/* The limit from the left of infinitely many flights from u = V under the constant -u' = A: they last tau = 2 V/(A (1 - e)), with
 * dtau = tau (dV/V - dA/A + de/(1 - e)), and du = A d(t + tau). The first flight is piece i - 1, from an impact with dt = -dg/V. */
static void before_accumulation(const dls_ball_solution *sol, size_t i, dls_ball_tangent *d, slong prec)
{
  const dls_ball_system *system = sol->system;
  arb_srcptr row = arb_mat_entry(system->flight.L, DLS_BALL_RATE, 0), x = sol->piece[i - 1].x,
             dx = d->x + (slong)(i - 1) * d->k, V = x + DLS_BALL_RATE;
  arb_ptr dt = d->dt + i, du = d->left + (slong)i * d->k + DLS_BALL_RATE;
  arb_t A, sum, part;
  arb_init(A);
  arb_init(sum);
  arb_init(part);
  dls_ball_dot(A, row, x, d->k, prec);
  arb_neg(A, A);
  arb_div(dt, dx + DLS_BALL_GAP, V, prec);
  arb_neg(dt, dt);
  arb_set(sum, dx + DLS_BALL_RATE);
  arb_submul(sum, A, dt, prec);
  arb_div(sum, sum, V, prec);
  dls_ball_dot(part, arb_mat_entry(flight_of(d), DLS_BALL_RATE, 0), x, d->k, prec); /* -dA */
  arb_div(part, part, A, prec);
  arb_add(sum, sum, part, prec);
  arb_sub_ui(part, system->e, 1, prec);
  arb_neg(part, part);
  if (dls_ball_tangent_is_by(d, "e")) {
    arb_inv(du, part, prec);
    arb_add(sum, sum, du, prec);
  }
  arb_mul(sum, sum, V, prec);
  arb_mul_2exp_si(sum, sum, 1);
  arb_div(sum, sum, part, prec); /* A dtau */
  arb_div(part, sum, A, prec);
  arb_add(dt, dt, part, prec);
  arb_mul(du, A, dt, prec);
  arb_clear(A);
  arb_clear(sum);
  arb_clear(part);
}

/* After infinitely many impacts g = u = 0, for all p nearby; the states that no impact acts on are those of the flow from the start. */
static dls_status pass_accumulation(const dls_ball_solution *sol, size_t i, dls_ball_tangent *d, slong prec,
                                    dls_error *err)
{
  const dls_ball_system *system = sol->system;
  const dls_ball_piece *piece = &sol->piece[i];
  const slong k = d->k;
  const ulong independent = dls_ball_independent_states(system);
  for (slong j = DLS_BALL_RATE + 1; j < k; j++) {
    if ((independent >> j & 1) == 0) {
      return dls_ball_tangent_refuse(d, piece, "the accumulation of impacts moves states other than the gap",
                                     err);
    }
  }
  arb_ptr both = _arb_vec_init(2 * k), x = d->x + (slong)i * k;
  _arb_vec_set(both, system->start, k);
  _arb_vec_set(both + k, d->start, k);
  dls_ball_flow_at(both, &d->flow[FLIGHT].both, both, piece->over, prec);
  _arb_vec_set(x, both + k, k);
  arb_zero(x + DLS_BALL_GAP);
  arb_zero(x + DLS_BALL_RATE);
  _arb_vec_clear(both, 2 * k);
  if (dls_ball_force_is_constant(system)) {
    before_accumulation(sol, i, d, prec);
  } else {
    arb_indeterminate(d->dt + i);
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
  if (piece->event == DLS_BALL_IMPACT && dls_ball_tangent_is_by(d, "e")) {
    return dls_ball_tangent_refuse(
        d, piece, "an impact with e = 0 ends the motion of the gap, and one with e > 0 does not", err);
  }
  for (slong j = DLS_BALL_RATE + 1; j < d->k; j++) {
    presses = presses && arb_is_zero(arb_mat_entry(flight_of(d), DLS_BALL_RATE, j));
  }
  return presses || !dls_ball_no_force(system)
             ? DLS_OK
             : dls_ball_tangent_refuse(
                   d, piece, "one-sided: the contact rests without a force, and the parameter adds one", err);
}

static dls_status pass(const dls_ball_solution *sol, size_t i, dls_ball_tangent *d, dls_error *err)
{
  const slong prec = d->p->prec;
  const dls_ball_piece *piece = &sol->piece[i];
  dls_status status = DLS_OK;
  if (i == 0) {
    status = pass_start(sol->system, piece, d, prec, err);
  } else if (piece->event == DLS_BALL_ACCUMULATION) {
    status = pass_accumulation(sol, i, d, prec, err);
  } else if (piece->event == DLS_BALL_IMPACT) {
    pass_impact(sol, i, d, prec);
  } else {
    pass_lift_off(sol, i, d, prec);
  }
  return status == DLS_OK && is_closed(sol, i) ? check_contact(sol, i, d, err) : status;
}

const dls_ball_variation dls_ball_contact_variation = {.set = set, .pass = pass};
