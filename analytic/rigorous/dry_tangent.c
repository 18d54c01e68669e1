/* analytic/rigorous/dry_tangent.c -- derivatives of a mass with dry friction; see tangent.h and dry.c.
 * Stick and reversal are at s (v - vb) = 0, slip at a margin of the holding force that is 0; x and v are continuous, and v = vb at all of
 * these, so that dv = dvb there. A jump of the belt's velocity moves with t1 only.
 * No derivative exists where a start at the speed of the belt slips at once and p changes that speed, or where the holding force is at the limit and p
 * moves it before the derivative of time that decides does.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/dry.h"

enum {
  K = DLS_DRY_STATES,
  X = DLS_DRY_X,
  V = DLS_DRY_V,
  ONE = DLS_DRY_ONE,
  COS = DLS_DRY_COS,
  SIN = DLS_DRY_SIN
};

/* A regime, and the derivatives of its rows. */
typedef struct rows {
  const dls_dry_regime *of;
  arb_ptr slip, up, down;
} rows;

static bool is_by(const dls_ball_tangent *d, const char *name)
{
  return name != NULL && dls_ball_tangent_is_by(d, name);
}

static void init_rows(rows *r, const dls_dry_oscillator *o, const dls_ball_piece *piece,
                      const dls_ball_tangent *d)
{
  const dls_dry_names *n = &o->names;
  const bool jumped = piece->flow == &o->belt[1].flow[piece->mode];
  r->of = &o->belt[jumped];
  r->slip = _arb_vec_init(K);
  r->up = _arb_vec_init(K);
  r->down = _arb_vec_init(K);
  arb_set_si(r->slip + ONE, is_by(d, jumped ? n->vb1 : n->vb) ? -1 : 0);
  arb_set_si(r->down + X, is_by(d, n->k));
  arb_set_si(r->up + COS, is_by(d, n->P));
  arb_neg(r->up + X, r->down + X);
  arb_neg(r->down + COS, r->up + COS);
  arb_set_si(r->up + ONE, is_by(d, n->limit));
  arb_set(r->down + ONE, r->up + ONE);
}

static void clear_rows(rows *r)
{
  _arb_vec_clear(r->slip, K);
  _arb_vec_clear(r->up, K);
  _arb_vec_clear(r->down, K);
}

/* --- the system --- */

/* m v' = -k x + P cos - s F */
static void set_slip(const dls_ball_parameters *p, const dls_dry_names *n, const dls_ball_tangent *d,
                     dls_ball_tangent_flow *f, int sign)
{
  arb_srcptr m = dls_ball_parameter(p, "m");
  arb_ptr row = arb_mat_entry(f->dL, V, 0);
  arb_set_si(row + X, is_by(d, n->k) ? -1 : 0);
  arb_set_si(row + COS, is_by(d, n->P));
  arb_set_si(row + ONE, is_by(d, "F") ? -sign : 0);
  for (slong j = 0; j < K; j++) {
    if (is_by(d, "m")) {
      arb_neg(row + j, arb_mat_entry(f->of->L, V, j));
    }
    arb_div(row + j, row + j, m, p->prec);
  }
}

static dls_status set(const dls_ball_solution *sol, dls_ball_tangent *d, dls_error *err)
{
  const dls_ball_parameters *p = d->p;
  static const int sign_of[] = {[DLS_DRY_SLIP_UP] = 1, [DLS_DRY_SLIP_DOWN] = -1};
  const dls_dry_oscillator *o = sol->system;
  const dls_dry_names *n = &o->names;
  if (is_by(d, "Fs") && !is_by(d, n->limit)) {
    return dls_ball_tangent_refuse(d, sol->piece, "discontinuous: Fs = 0 stands for Fs = F", err);
  }
  if (is_by(d, n->t1) && !o->jumps) {
    return dls_ball_tangent_refuse(
        d, sol->piece, "discontinuous: t1 = 0 stands for a belt that never changes its velocity", err);
  }
  for (int i = 0; i < 2 * DLS_DRY_MODES; i++) {
    const int mode = i % DLS_DRY_MODES;
    dls_ball_tangent_flow *f = dls_ball_tangent_add(d, &o->belt[i / DLS_DRY_MODES].flow[mode]);
    if (is_by(d, n->omega)) {
      arb_set_si(arb_mat_entry(f->dL, COS, SIN), -1);
      arb_one(arb_mat_entry(f->dL, SIN, COS));
    }
    if (mode != DLS_DRY_STICK) {
      set_slip(p, n, d, f, sign_of[mode]);
    }
  }
  dls_ball_tangent_one_by(d->start + X, d, "q0");
  dls_ball_tangent_one_by(d->start + V, d, "v0");
  if (is_by(d, n->phase)) {
    arb_neg(d->start + COS, sol->piece[0].x + SIN);
    arb_set(d->start + SIN, sol->piece[0].x + COS);
  }
  return DLS_OK;
}

/* --- events --- */

/* Does p leave the sign of a margin right after the event alone? It is that of its first derivative that is not 0, of the order `lead`. */
static bool keeps_sign(const rows *r, const dls_ball_piece *piece, const dls_ball_tangent *d, arb_srcptr dx,
                       arb_srcptr w, arb_srcptr dw, bool moved, slong prec)
{
  ulong lead, first;
  arb_ptr row = _arb_vec_init(2 * K), x = _arb_vec_init(2 * K);
  _arb_vec_set(row, dw, K);
  _arb_vec_set(row + K, w, K);
  _arb_vec_set(x, piece->x, K);
  _arb_vec_set(x + K, dx, K);
  dls_ball_first_sign(&r->of->flow[DLS_DRY_STICK], w, piece->x, &lead, prec);
  dls_ball_first_sign(&d->flow[DLS_DRY_STICK].both, row, x, &first, prec);
  _arb_vec_clear(row, 2 * K);
  _arb_vec_clear(x, 2 * K);
  return lead == 0 || (!moved && first >= lead);
}

/* Whether the same mode follows for all p nearby. moved: p changes the speed of slip, which is 0. dx: derivatives at the event */
static dls_status check_mode(const rows *r, const dls_ball_piece *piece, const dls_ball_tangent *d,
                             arb_srcptr dx, bool moved, slong prec, dls_error *err)
{
  if (moved && piece->mode != DLS_DRY_STICK) {
    return dls_ball_tangent_refuse(
        d, piece, "one-sided: it slips from the speed of the belt on, and the parameter changes that speed",
        err);
  }
  const bool up = piece->mode == DLS_DRY_SLIP_UP || keeps_sign(r, piece, d, dx, r->of->up, r->up, moved, prec),
             down = piece->mode == DLS_DRY_SLIP_DOWN ||
                    keeps_sign(r, piece, d, dx, r->of->down, r->down, moved, prec);
  return up && down
             ? DLS_OK
             : dls_ball_tangent_refuse(
                   d, piece, "one-sided: the friction force is at its limit, and the parameter moves it", err);
}

/* At a start, or a jump of the belt's velocity, the speed of slip is any. */
static dls_status enter(const rows *r, const dls_ball_piece *piece, const dls_ball_tangent *d, arb_ptr dx,
                        slong prec, dls_error *err)
{
  arb_t speed;
  arb_init(speed);
  dls_ball_dot(speed, r->of->slip, piece->x, K, prec);
  const bool begins = arb_is_zero(speed);
  dls_ball_tangent_dot(speed, r->of->slip, r->slip, piece->x, dx, K, prec);
  const bool moved = !arb_is_zero(speed);
  arb_clear(speed);
  if (begins && piece->mode == DLS_DRY_STICK) {
    arb_neg(dx + V, r->slip + ONE);
  }
  return begins ? check_mode(r, piece, d, dx, moved, prec, err) : DLS_OK;
}

/* The row that is 0 at an event: speed of slip, or a margin of the holding force. */
static void find_time(const rows *r, const dls_ball_solution *sol, size_t i, dls_ball_tangent *d, slong prec)
{
  const bool slips = sol->piece[i].event == DLS_BALL_SLIP, down = sol->piece[i].mode == DLS_DRY_SLIP_DOWN;
  arb_srcptr w = !slips ? r->of->slip
                 : down ? r->of->up
                        : r->of->down,
             dw = !slips ? r->slip
                  : down ? r->up
                         : r->down;
  dls_ball_tangent_time(d, sol, i, w, dw, prec);
}

static dls_status pass(const dls_ball_solution *sol, size_t i, dls_ball_tangent *d, dls_error *err)
{
  const slong prec = d->p->prec;
  const dls_dry_oscillator *o = sol->system;
  const dls_ball_piece *piece = &sol->piece[i];
  const bool jumps = piece->jumps; /* the belt's velocity */
  arb_ptr x = d->x + (slong)i * K;
  dls_status status = DLS_OK;
  rows r;
  init_rows(&r, o, piece, d);
  if (jumps) {
    arb_set_si(d->dt + i, is_by(d, o->names.t1));
  } else if (i > 0) {
    find_time(&r, sol, i, d, prec);
  }
  if (i > 0) {
    dls_ball_tangent_arrive(d, sol, i, prec);
  }
  if (i == 0 || jumps) {
    status = enter(&r, piece, d, x, prec, err);
  } else {
    arb_neg(x + V, r.slip + ONE); /* v = vb */
  }
  if (i > 0) {
    dls_ball_tangent_leave(d, sol, i, prec);
  }
  clear_rows(&r);
  return status;
}

const dls_ball_variation dls_ball_dry_variation = {.set = set, .pass = pass};
