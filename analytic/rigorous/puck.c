/* analytic/rigorous/puck.c -- a puck on an incline, friction against the slip, whose direction turns downhill.
 *
 * With phi the angle of v from downhill, sigma = |tan(phi/2)|, l = ln(sigma/sigma0), kappa = mu/tan(alpha), g_s = g sin(alpha):
 *   v = C/2 sigma^(kappa-1) (1 + sigma^2),   C = 2 v0 sigma0^(1-kappa) / (1 + sigma0^2),
 *   t = C/(2 g_s) [D(kappa-1) + D(kappa+1)],   D(c) = sigma0^c (1 - exp(c l))/c,
 *   x = C^2/(4 g_s) [D(2 kappa-2) - D(2 kappa+2)],   y = C^2/(2 g_s) [D(2 kappa-1) + D(2 kappa+1)].
 * t decreases with l, so that l is enclosed by a change of sign. v > 0 until rest, which occurs for kappa > 1 at
 * t = v0 (kappa + cos phi0) / (g_s (kappa^2 - 1)). There is no other event. On a level plane, straight downhill and from rest the motion is along a line.
 * Source: elementary; as analytic/exact/puck.c.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/puck.h"
#include "analytic/rigorous/models.h"

enum { Q0, Q1, Q2, V0, V1, V2, G0, U0, P0, LAMBDA0, U1, U2, P1, P2, LAMBDA1, LAMBDA2, COLUMNS };

static void release(void *system)
{
  dls_ball_puck_path *path = system;
  arb_ptr const *const all =
      (arb_ptr[]){path->kappa, path->gs, path->drag, path->m, path->sigma0, path->C, path->across, path->stop};
  for (int i = 0; i < 8; i++) {
    arb_clear(all[i]);
  }
  dls_ball_flow_clear(&path->straight);
  dls_ball_flow_clear(&path->rest);
  arb_mat_clear(path->rows);
  flint_free(path);
}

static void set_rows(dls_ball_puck_path *path, const dls_ball_parameters *p)
{
  static const slong columns[] = {Q0, Q1, V0, V1, U1, U2, LAMBDA1, LAMBDA2},
                     states[] = {DLS_PUCK_X,  DLS_PUCK_Y,  DLS_PUCK_VX, DLS_PUCK_VY,
                                 DLS_PUCK_VX, DLS_PUCK_VY, DLS_PUCK_RX, DLS_PUCK_RY};
  arb_t cosine;
  arb_init(cosine);
  arb_mat_init(path->rows, COLUMNS, DLS_PUCK_STATES);
  for (int i = 0; i < 8; i++) {
    arb_one(arb_mat_entry(path->rows, columns[i], states[i]));
  }
  arb_cos(cosine, dls_ball_parameter(p, "alpha"), p->prec);
  arb_mul(cosine, cosine, dls_ball_parameter(p, "g"), p->prec);
  arb_mul(arb_mat_entry(path->rows, LAMBDA0, DLS_PUCK_ONE), cosine, path->m, p->prec);
  arb_mul(path->drag, cosine, dls_ball_parameter(p, "mu"), p->prec);
  arb_clear(cosine);
}

/* x' = v, v' = (g_s, 0) + r/m while r is what it is. */
static void set_flows(dls_ball_puck_path *path, slong prec)
{
  dls_ball_flow_init(&path->straight, DLS_PUCK_STATES);
  dls_ball_flow_init(&path->rest, DLS_PUCK_STATES);
  for (slong i = 0; i < 2; i++) {
    arb_one(arb_mat_entry(path->straight.L, DLS_PUCK_X + i, DLS_PUCK_VX + i));
    arb_inv(arb_mat_entry(path->straight.L, DLS_PUCK_VX + i, DLS_PUCK_RX + i), path->m, prec);
  }
  arb_set(arb_mat_entry(path->straight.L, DLS_PUCK_VX, DLS_PUCK_ONE), path->gs);
  dls_ball_flow_bound(&path->straight);
  dls_ball_flow_bound(&path->rest);
}

static dls_ball_puck_path *make(const dls_ball_parameters *p)
{
  dls_ball_puck_path *path = flint_calloc(1, sizeof *path);
  arb_ptr const *const all =
      (arb_ptr[]){path->kappa, path->gs, path->drag, path->m, path->sigma0, path->C, path->across, path->stop};
  for (int i = 0; i < 8; i++) {
    arb_init(all[i]);
  }
  arb_set(path->m, dls_ball_parameter(p, "m"));
  arb_sin(path->gs, dls_ball_parameter(p, "alpha"), p->prec);
  arb_mul(path->gs, path->gs, dls_ball_parameter(p, "g"), p->prec);
  set_rows(path, p);
  set_flows(path, p->prec);
  arb_div(path->kappa, path->drag, path->gs, p->prec);
  return path;
}

static dls_ball_piece *add(dls_ball_solution *sol, dls_ball_event event, const dls_ball_flow *flow)
{
  const dls_ball_puck_path *path = sol->system;
  dls_ball_piece *piece = dls_ball_solution_add(sol, event, flow, path->rows);
  arb_one(piece->x + DLS_PUCK_ONE);
  return piece;
}

/* At rest friction holds it: r = -m g_s. */
static void add_rest(dls_ball_solution *sol, const arb_t when, arb_srcptr place, slong prec)
{
  const dls_ball_puck_path *path = sol->system;
  dls_ball_piece *piece = add(sol, DLS_BALL_STICK, &path->rest);
  arb_set(piece->t, when);
  arb_set(piece->x + DLS_PUCK_X, place);
  arb_set(piece->x + DLS_PUCK_Y, place + 1);
  arb_mul(piece->x + DLS_PUCK_RX, path->gs, path->m, prec);
  arb_neg(piece->x + DLS_PUCK_RX, piece->x + DLS_PUCK_RX);
}

/* Along (cx, cy), from the speed v, with v' = a = (g_s) - drag: to rest at -v/a if a < 0. */
static dls_status straight(dls_ball_solution *sol, const arb_t v, const arb_t cx, const arb_t cy,
                           const arb_t end, slong prec, dls_error *err)
{
  const dls_ball_puck_path *path = sol->system;
  dls_ball_piece *piece = add(sol, DLS_BALL_START, &path->straight);
  arb_ptr place = _arb_vec_init(2);
  arb_t a, stop;
  arb_init(a);
  arb_init(stop);
  arb_sub(a, path->gs, path->drag, prec);
  arb_mul(piece->x + DLS_PUCK_VX, v, cx, prec);
  arb_mul(piece->x + DLS_PUCK_VY, v, cy, prec);
  arb_mul(stop, path->drag, path->m, prec);
  arb_neg(stop, stop);
  arb_mul(piece->x + DLS_PUCK_RX, stop, cx, prec);
  arb_mul(piece->x + DLS_PUCK_RY, stop, cy, prec);
  const bool rests = arb_is_negative(a), decided = rests || arb_is_nonnegative(a);
  if (rests) {
    arb_div(stop, v, a, prec); /* -stop */
    arb_mul(a, stop, v, prec);
    arb_mul_2exp_si(a, a, -1); /* v stop/2 = v^2/(2 |a|), with a minus */
    arb_neg(stop, stop);
    arb_neg(a, a);
    arb_mul(place, a, cx, prec);
    arb_mul(place + 1, a, cy, prec);
    if (!arb_gt(stop, end)) {
      add_rest(sol, stop, place, prec);
    }
  }
  arb_clear(a);
  arb_clear(stop);
  _arb_vec_clear(place, 2);
  return decided ? DLS_OK : dls_ball_undecided(sol->piece[0].t, NULL, "whether it comes to rest", err);
}

/* From rest: it stays, or slides straight downhill. */
static dls_status from_rest(dls_ball_solution *sol, const arb_t end, slong prec, dls_error *err)
{
  const dls_ball_puck_path *path = sol->system;
  arb_ptr place = _arb_vec_init(2);
  arb_t one, nothing;
  arb_init(one);
  arb_init(nothing);
  arb_one(one);
  dls_status status = DLS_OK;
  if (arb_gt(path->drag, path->gs) || arb_is_zero(path->gs)) {
    add_rest(sol, nothing, place, prec);
    sol->piece[0].event = DLS_BALL_START;
  } else if (arb_lt(path->drag, path->gs)) {
    status = straight(sol, nothing, one, nothing, end, prec, err);
  } else {
    add(sol, DLS_BALL_START, &path->rest);
    status = dls_ball_undecided(nothing, NULL, "whether it stays at rest", err);
  }
  arb_clear(one);
  arb_clear(nothing);
  _arb_vec_clear(place, 2);
  return status;
}

static dls_status curved(dls_ball_solution *sol, const dls_ball_parameters *p, const arb_t end, dls_error *err)
{
  dls_ball_puck_path *path = sol->system;
  dls_ball_piece *piece = add(sol, DLS_BALL_START, NULL);
  arb_ptr place = _arb_vec_init(2);
  arb_t nothing;
  arb_init(nothing);
  dls_status status =
      dls_ball_puck_begin(path, dls_ball_parameter(p, "v0"), dls_ball_parameter(p, "phi0"), p->prec)
          ? DLS_OK
          : dls_ball_undecided(piece->t, NULL,
                               "whether it comes to rest, with friction as large as weight along the "
                               "slope, or whether it goes straight",
                               err);
  if (status == DLS_OK) {
    dls_ball_puck_at(piece->x, path, nothing, p->prec);
  }
  if (status == DLS_OK && path->rests && !arb_gt(path->stop, end)) {
    dls_ball_puck_rest(place, path, p->prec);
    add_rest(sol, path->stop, place, p->prec);
  }
  arb_clear(nothing);
  _arb_vec_clear(place, 2);
  return status;
}

static void at(arb_ptr x, const dls_ball_solution *sol, const dls_ball_piece *piece, const arb_t s, slong prec)
{
  (void)piece;
  dls_ball_puck_at(x, sol->system, s, prec);
}

static void jet(arb_ptr a, slong n, const dls_ball_solution *sol, const dls_ball_piece *piece, arb_srcptr w,
                const arb_t s, slong prec)
{
  (void)piece;
  dls_ball_puck_jet(a, n, sol->system, w, s, prec);
}

static void remaining(arb_ptr box, const dls_ball_solution *sol, const dls_ball_piece *piece, const arb_t s,
                      slong prec)
{
  (void)piece;
  dls_ball_puck_remaining(box, sol->system, s, prec);
}

dls_status dls_ball_puck(const dls_ball_parameters *p, const arb_t end, slong narrow, dls_ball_solution *out,
                         dls_error *err)
{
  static const char *const columns[] = {"q0",   "q1",   "q2",        "v0",       "v1",   "v2",
                                        "g0",   "u0",   "p0",        "lambda0",  "u0t1", "u0t2",
                                        "p0t1", "p0t2", "lambda0t1", "lambda0t2"};
  const arb_struct *v0 = dls_ball_parameter(p, "v0"), *phi0 = dls_ball_parameter(p, "phi0");
  dls_ball_puck_path *path = make(p);
  (void)narrow;
  dls_ball_solution_init(out, DLS_PUCK_STATES, COLUMNS, columns);
  out->system = path;
  out->release = release;
  out->variation = &dls_ball_puck_variation;
  out->at = at;
  out->jet = jet;
  out->remaining = remaining;
  if (arb_is_zero(v0)) {
    return from_rest(out, end, p->prec, err);
  }
  if (!arb_is_zero(phi0) && !arb_is_zero(path->gs)) {
    return curved(out, p, end, err);
  }
  arb_t cx, cy;
  arb_init(cx);
  arb_init(cy);
  arb_sin_cos(cy, cx, phi0, p->prec);
  const dls_status status = straight(out, v0, cx, cy, end, p->prec, err);
  arb_clear(cx);
  arb_clear(cy);
  return status;
}
