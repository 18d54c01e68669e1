/* analytic/rigorous/puck_tangent.c -- derivatives of a puck on an incline; see tangent.h, puck.c and puck_path.c.
 *
 * The motion depends on v0, phi0, g_s = g sin(alpha), and drag or kappa = drag/g_s = mu/tan(alpha). At fixed t, on a curved path:
 *   v0, g_s: places scale with v0^2/g_s, times with v0/g_s.
 *   phi0: the motion from a later state of the path is the same motion, so that v'(0) d/dv0 + phi'(0) d/dphi0 of the place is v(t) - v(0), and
 *   of the velocity v'(t); |v|'(0) = g_s cos(phi0) - drag, phi'(0) = -g_s sin(phi0)/v0.
 *   kappa: with E(c) = (1 - exp(c l))/c, dE/dc = -(l exp(c l) + E)/c, and K = 2 v0/(1 + sigma0^2), at fixed l
 *     dt = K/(2 g_s) [E'(kappa-1) + sigma0^2 E'(kappa+1)],  dv = l v,
 *     dx = K^2/(2 g_s) [E'(2 kappa-2) - sigma0^4 E'(2 kappa+2)],  dy = K^2/g_s [sigma0 E'(2 kappa-1) + sigma0^3 E'(2 kappa+1)],
 *   and at fixed t these less x' dt, v' dt. At rest l = -infinity, where E = 1/c and E' = -1/c^2, and x' dt = 0.
 * On a straight path along c from the speed v0, with v = v0 + a t, a = g_s - drag:
 *   dv = dv0 + da t,  dx = dv0 t + da t^2/2,
 *   across: dv = v0 dphi0 (v/v0)^b, b = -drag/a, and dx = v0^2 dphi0/(g_s - 2 drag) [(v/v0)^(1+b) - 1].
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/parameters.h"
#include "analytic/rigorous/puck.h"
#include "analytic/rigorous/tangent.h"

enum { X = DLS_PUCK_X, VX = DLS_PUCK_VX, RX = DLS_PUCK_RX };

/* Parameters, their derivatives by p, and numbers of the start. */
enum { V0, PHI0, GS, DRAG, KAPPA, RATES };
typedef struct puck {
  const dls_ball_puck_path *path;
  arb_ptr of, by;     /* RATES; kappa only with a slope */
  arb_t sine, cosine; /* of phi0, or 0 and 1 from rest */
  const dls_ball_piece *at_start;
} puck;

static void init(puck *u, const dls_ball_parameters *p, const dls_ball_solution *sol, const dls_ball_tangent *d,
                 slong prec)
{
  arb_srcptr g = dls_ball_parameter(p, "g"), mu = dls_ball_parameter(p, "mu");
  arb_t sine, cosine;
  arb_init(sine);
  arb_init(cosine);
  u->path = sol->system;
  u->at_start = sol->piece;
  u->of = _arb_vec_init(RATES);
  u->by = _arb_vec_init(RATES);
  arb_init(u->sine);
  arb_init(u->cosine);
  arb_set(u->of + V0, dls_ball_parameter(p, "v0"));
  arb_set(u->of + GS, u->path->gs);
  arb_set(u->of + DRAG, u->path->drag);
  arb_sin_cos(u->sine, u->cosine, dls_ball_parameter(p, "phi0"), prec);
  if (arb_is_zero(u->of + V0)) {
    arb_zero(u->sine);
    arb_one(u->cosine);
  }
  arb_sin_cos(sine, cosine, dls_ball_parameter(p, "alpha"), prec);
  dls_ball_tangent_one_by(u->by + V0, d, "v0");
  dls_ball_tangent_one_by(u->by + PHI0, d, "phi0");
  if (dls_ball_tangent_is_by(d, "g")) {
    arb_set(u->by + GS, sine);
    arb_mul(u->by + DRAG, mu, cosine, prec);
  } else if (dls_ball_tangent_is_by(d, "mu")) {
    arb_mul(u->by + DRAG, g, cosine, prec);
    arb_div(u->by + KAPPA, cosine, sine, prec);
  } else if (dls_ball_tangent_is_by(d, "alpha")) {
    arb_mul(u->by + GS, g, cosine, prec);
    arb_mul(u->by + DRAG, u->path->gs, mu, prec);
    arb_neg(u->by + DRAG, u->by + DRAG);
    arb_mul(u->by + KAPPA, sine, sine, prec);
    arb_div(u->by + KAPPA, mu, u->by + KAPPA, prec);
    arb_neg(u->by + KAPPA, u->by + KAPPA);
  }
  arb_clear(sine);
  arb_clear(cosine);
}

static void clear(puck *u)
{
  _arb_vec_clear(u->of, RATES);
  _arb_vec_clear(u->by, RATES);
  arb_clear(u->sine);
  arb_clear(u->cosine);
}

/* --- curved --- */

/* out := factor (E'(c - a) + sign weight E'(c + a)) */
static void derivative_pair(arb_t out, const arb_t c, slong a, int sign, const arb_t weight, const arb_t factor,
                            const arb_t l, bool rest, slong prec)
{
  arb_ptr e = _arb_vec_init(2);
  arb_t at, power;
  arb_init(at);
  arb_init(power);
  for (int i = 0; i < 2; i++) {
    arb_add_si(at, c, i == 0 ? -a : a, prec);
    if (rest) {
      arb_inv(e + i, at, prec);
    } else {
      arb_mul(power, at, l, prec);
      arb_expm1(e + i, power, prec);
      arb_div(e + i, e + i, at, prec);
      arb_neg(e + i, e + i);
      arb_exp(power, power, prec);
      arb_addmul(e + i, power, l, prec);
    }
    arb_div(e + i, e + i, at, prec);
    arb_neg(e + i, e + i);
  }
  arb_mul(e + 1, e + 1, weight, prec);
  arb_addmul_si(e, e + 1, sign, prec);
  arb_mul(out, e, factor, prec);
  arb_clear(at);
  arb_clear(power);
  _arb_vec_clear(e, 2);
}

/* By kappa at fixed l: t, and x, y. */
static void by_kappa(arb_t dt, arb_ptr place, const puck *u, const arb_t l, bool rest, slong prec)
{
  const dls_ball_puck_path *path = u->path;
  arb_t K, factor, weight, c;
  arb_init(K);
  arb_init(factor);
  arb_init(weight);
  arb_init(c);
  arb_mul(weight, path->sigma0, path->sigma0, prec);
  arb_add_ui(K, weight, 1, prec);
  arb_div(K, u->of + V0, K, prec);
  arb_div(factor, K, path->gs, prec); /* K is half of the K above */
  derivative_pair(dt, path->kappa, 1, 1, weight, factor, l, rest, prec);
  arb_mul(factor, factor, K, prec);
  arb_mul_2exp_si(factor, factor, 2);
  arb_mul_2exp_si(c, path->kappa, 1);
  arb_mul(K, factor, path->sigma0, prec);
  arb_mul(K, K, path->across, prec);
  derivative_pair(place + 1, c, 1, 1, weight, K, l, rest, prec);
  arb_mul(weight, weight, weight, prec);
  arb_mul_2exp_si(factor, factor, -1);
  derivative_pair(place, c, 2, -1, weight, factor, l, rest, prec);
  arb_clear(K);
  arb_clear(factor);
  arb_clear(weight);
  arb_clear(c);
}

/* out := dv0/v0 A + dg_s/g_s B + dphi0/phi0' (C - v0'/v0 A) + dkappa D */
static void chain(arb_t out, const puck *u, const arb_t A, const arb_t B, const arb_t C, const arb_t D,
                  slong prec)
{
  arb_t pull, turn, part;
  arb_init(pull);
  arb_init(turn);
  arb_init(part);
  arb_mul(out, u->by + V0, A, prec);
  if (!arb_is_zero(u->by + PHI0)) {
    arb_mul(pull, u->path->gs, u->cosine, prec);
    arb_sub(pull, pull, u->path->drag, prec);
    arb_mul(turn, u->path->gs, u->sine, prec);
    arb_neg(turn, turn); /* v0 phi0' */
    arb_mul(part, C, u->of + V0, prec);
    arb_submul(part, pull, A, prec);
    arb_mul(part, part, u->of + V0, prec);
    arb_div(part, part, turn, prec);
    arb_addmul(out, part, u->by + PHI0, prec);
  }
  arb_div(out, out, u->of + V0, prec);
  arb_div(part, B, u->path->gs, prec);
  arb_addmul(out, part, u->by + GS, prec);
  arb_addmul(out, D, u->by + KAPPA, prec);
  arb_clear(pull);
  arb_clear(turn);
  arb_clear(part);
}

/* The states at t, or where it rests, and their rates of change; l. */
static void states(arb_ptr x, arb_ptr rate, arb_t l, const puck *u, const arb_t t, bool rest, slong prec)
{
  if (rest) {
    dls_ball_puck_rest(x + X, u->path, prec);
    return;
  }
  dls_ball_puck_turn(l, u->path, t, prec);
  dls_ball_puck_at(x, u->path, t, prec);
  dls_ball_flow_rate(rate, &u->path->straight, x, prec);
}

/* dt of the time t, and derivatives at fixed t */
static void curved(arb_t dt, arb_ptr dx, const puck *u, const arb_t t, bool rest, slong prec)
{
  enum { K = DLS_PUCK_STATES };
  arb_ptr x = _arb_vec_init(K), rate = _arb_vec_init(K), kappa = _arb_vec_init(4), place = _arb_vec_init(2);
  arb_t l, A, B, C;
  arb_init(l);
  arb_init(A);
  arb_init(B);
  arb_init(C);
  states(x, rate, l, u, t, rest, prec);
  by_kappa(A, place, u, l, rest, prec);
  arb_set(dt, A);
  for (slong j = 0; j < 4; j++) {
    const bool velocity = j >= VX;
    arb_set(C, velocity ? x + j : place + j);
    if (velocity) {
      arb_mul(C, C, l, prec);
    }
    arb_set(kappa + j, C);
    arb_submul(kappa + j, rate + j, dt, prec);
  }
  for (slong j = 0; j < 4; j++) {
    const bool velocity = j >= VX;
    arb_mul(B, t, rate + j, prec);
    arb_mul_ui(A, x + j, velocity ? 1 : 2, prec);
    arb_sub(A, A, B, prec);
    arb_set(C, rate + j);
    if (!velocity) {
      arb_sub(B, B, x + j, prec);
      arb_sub(C, C, u->at_start->x + VX + j, prec);
    }
    chain(dx + j, u, A, B, C, kappa + j, prec);
  }
  arb_neg(B, t);
  arb_set_si(C, -1);
  arb_set(A, dt);
  chain(dt, u, t, B, C, A, prec);
  arb_clear(l);
  arb_clear(A);
  arb_clear(B);
  arb_clear(C);
  _arb_vec_clear(x, K);
  _arb_vec_clear(rate, K);
  _arb_vec_clear(kappa, 4);
  _arb_vec_clear(place, 2);
}

/* --- straight --- */

/* Across a path along c by phi0: dv = v0 dphi0 (v/v0)^b, dx its integral. */
static void across_by_angle(arb_t dx, arb_t dv, const puck *u, const arb_t a, const arb_t v, const arb_t t,
                            bool rest, slong prec)
{
  arb_srcptr v0 = u->of + V0;
  arb_t b, ratio;
  arb_init(b);
  arb_init(ratio);
  if (arb_is_zero(a)) { /* neither slope nor friction */
    arb_set(dv, v0);
    arb_mul(dx, v0, t, prec);
  } else {
    arb_div(b, u->path->drag, a, prec);
    arb_neg(b, b);
    if (!rest) {
      arb_div(ratio, v, v0, prec);
      arb_pow(dv, ratio, b, prec);
    }
    arb_mul(dx, dv, ratio, prec);
    arb_sub_ui(dx, dx, 1, prec);
    arb_mul(dv, dv, v0, prec);
    arb_mul(dx, dx, v0, prec);
    arb_mul(dx, dx, v0, prec);
    arb_sub(b, a, u->path->drag, prec); /* g_s - 2 drag */
    arb_div(dx, dx, b, prec);
  }
  arb_mul(dx, dx, u->by + PHI0, prec);
  arb_mul(dv, dv, u->by + PHI0, prec);
  arb_clear(b);
  arb_clear(ratio);
}

/* Across a path on a level plane by its slope: dv' = -dg_s sin(phi0) - drag dv/v, so that with L = ln(v0/v)
 *   dv = -dg_s sin(phi0) v L/drag,   dx = -dg_s sin(phi0) (v0^2 - v^2 - 2 v^2 L)/(4 drag^2);   without friction -dg_s sin(phi0) (t, t^2/2). */
static void across_by_slope(arb_t dx, arb_t dv, const puck *u, const arb_t v, const arb_t t, bool rest,
                            slong prec)
{
  arb_srcptr v0 = u->of + V0, drag = u->path->drag;
  arb_t pull, log;
  arb_init(pull);
  arb_init(log);
  arb_mul(pull, u->by + GS, u->sine, prec);
  arb_neg(pull, pull);
  if (arb_is_zero(drag)) {
    arb_set(dv, t);
    arb_mul(dx, t, t, prec);
    arb_mul_2exp_si(dx, dx, -1);
  } else {
    arb_mul(dx, v0, v0, prec);
    if (!rest) {
      arb_div(log, v0, v, prec);
      arb_log(log, log, prec);
      arb_mul(dv, v, log, prec);
      arb_div(dv, dv, drag, prec);
      arb_mul_2exp_si(log, log, 1);
      arb_add_ui(log, log, 1, prec);
      arb_mul(log, log, v, prec);
      arb_submul(dx, log, v, prec);
    }
    arb_div(dx, dx, drag, prec);
    arb_div(dx, dx, drag, prec);
    arb_mul_2exp_si(dx, dx, -2);
  }
  arb_mul(dx, dx, pull, prec);
  arb_mul(dv, dv, pull, prec);
  arb_clear(pull);
  arb_clear(log);
}

/* dt of the rest, where v = 0, and derivatives at fixed t */
static void straight(arb_t dt, arb_ptr dx, const puck *u, const arb_t t, bool rest, slong prec)
{
  arb_t a, da, v;
  arb_ptr along = _arb_vec_init(2), across = _arb_vec_init(2); /* place, velocity */
  arb_init(a);
  arb_init(da);
  arb_init(v);
  arb_sub(a, u->path->gs, u->path->drag, prec);
  arb_mul(da, u->by + GS, u->cosine, prec);
  arb_sub(da, da, u->by + DRAG, prec);
  arb_mul(v, a, t, prec);
  arb_add(v, v, u->of + V0, prec);
  arb_mul(along + 1, da, t, prec);
  arb_mul_2exp_si(along, along + 1, -1);
  arb_add(along, along, u->by + V0, prec);
  arb_mul(along, along, t, prec);
  arb_add(along + 1, along + 1, u->by + V0, prec);
  arb_div(dt, along + 1, a, prec);
  arb_neg(dt, dt);
  if (!arb_is_zero(u->by + PHI0) && !arb_is_zero(u->of + V0)) {
    across_by_angle(across, across + 1, u, a, v, t, rest, prec);
  } else if (arb_is_zero(u->path->gs) && !arb_is_zero(u->by + GS)) {
    across_by_slope(across, across + 1, u, v, t, rest, prec);
  }
  if (rest) {
    arb_zero(along + 1);
    arb_zero(across + 1);
  }
  for (slong j = 0; j < 2; j++) { /* c = (cos, sin), across (-sin, cos) */
    arb_ptr to = dx + (j == 0 ? X : VX);
    arb_mul(to, along + j, u->cosine, prec);
    arb_submul(to, across + j, u->sine, prec);
    arb_mul(to + 1, along + j, u->sine, prec);
    arb_addmul(to + 1, across + j, u->cosine, prec);
  }
  arb_clear(a);
  arb_clear(da);
  arb_clear(v);
  _arb_vec_clear(along, 2);
  _arb_vec_clear(across, 2);
}

/* --- all --- */

/* Where it rests from the start on all derivatives are 0. */
static void derive(arb_t dt, arb_ptr dx, const dls_ball_tangent *d, const dls_ball_solution *sol, const arb_t t,
                   bool rest, slong prec)
{
  puck u;
  init(&u, d->p, sol, d, prec);
  if (sol->piece[0].flow == NULL) {
    curved(dt, dx, &u, t, rest, prec);
  } else if (sol->piece[0].flow == &u.path->straight) {
    straight(dt, dx, &u, t, rest, prec);
  }
  clear(&u);
}

static void at(arb_ptr dx, const dls_ball_tangent *d, const dls_ball_solution *sol, size_t i, const arb_t s,
               slong prec)
{
  arb_t dt;
  arb_init(dt);
  if (i == 0) {
    derive(dt, dx, d, sol, s, false, prec);
  } else {
    _arb_vec_set(dx, d->x + (slong)i * d->k, d->k);
  }
  arb_clear(dt);
}

static dls_status set(const dls_ball_solution *sol, dls_ball_tangent *d, dls_error *err)
{
  const slong prec = d->p->prec;
  const dls_ball_parameters *p = d->p;
  const dls_ball_puck_path *path = sol->system;
  const bool from_rest = arb_is_zero(dls_ball_parameter(p, "v0")), rests = sol->piece[0].flow == &path->rest,
             by_speed = dls_ball_tangent_is_by(d, "v0");
  if (from_rest && !rests && by_speed && !arb_is_zero(dls_ball_parameter(p, "phi0"))) {
    return dls_ball_tangent_refuse(d, sol->piece,
                                   "one-sided: from rest it slides straight down, with v0 > 0 on a curve", err);
  }
  if (rests && arb_is_zero(path->drag) && (by_speed || dls_ball_tangent_is_by(d, "alpha"))) {
    return dls_ball_tangent_refuse(d, sol->piece,
                                   "one-sided: it rests without friction, and the parameter moves it", err);
  }
  at(d->start, d, sol, 0, sol->piece[0].t, prec);
  return DLS_OK;
}

static dls_status pass(const dls_ball_solution *sol, size_t i, dls_ball_tangent *d, dls_error *err)
{
  const slong prec = d->p->prec;
  (void)err;
  if (i > 0) {
    derive(d->dt + i, d->x + (slong)i * d->k, d, sol, sol->piece[i].t, true, prec);
  }
  return DLS_OK;
}

const dls_ball_variation dls_ball_puck_variation = {.set = set, .pass = pass, .at = at};
