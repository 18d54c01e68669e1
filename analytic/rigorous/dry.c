/* analytic/rigorous/dry.c -- belt, forced-block, spring-block, den-hartog: a mass with a spring, a harmonic force and dry friction,
 *   m x'' + k x = P cos(omega t + phase) + r,   r in -F Sgn(x' - vb),   |r| <= Fs while x' = vb.
 * States x, v, 1, cos, sin. Slip of sign s: v' = (-k x + P cos - s F)/m, until s (v - vb) falls through 0; then it sticks if
 * the holding force k x - P cos is within Fs, and slips the other way if it is beyond. Stick: v = vb, until the holding force is Fs or
 * -Fs. Each is the first zero of a linear function of the states, so that no change is missed.
 * Source: elementary; as analytic/exact/dry_oscillator.c.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/dry.h"
#include "analytic/rigorous/models.h"
#include <math.h>

enum { Q0, Q1, V0, V1, G0, U0, P0, LAMBDA0, U0T, P0T, LAMBDA0T, COLUMNS };
static const int sign_of[DLS_DRY_MODES] = {0, 1, -1};

static int mode_of(int sign)
{
  return sign == 0 ? DLS_DRY_STICK : sign > 0 ? DLS_DRY_SLIP_UP : DLS_DRY_SLIP_DOWN;
}

/* --- the system --- */

static void optional(arb_t out, const dls_ball_parameters *p, const char *name)
{
  arb_zero(out);
  if (name != NULL) {
    arb_set(out, dls_ball_parameter(p, name));
  }
}

static void set_weights(double *weight, const dls_ball_parameters *p, const dls_dry_names *n)
{
  const double m = dls_ball_parameter_size(p, "m");
  const double k = n->k != NULL ? dls_ball_parameter_size(p, n->k) / m : 0;
  const double omega = n->omega != NULL ? dls_ball_parameter_size(p, n->omega) : 0;
  const double push = (n->P != NULL ? dls_ball_parameter_size(p, n->P) : 0) / m;
  const double rate = fmax(fmax(sqrt(k), omega), 1e-2);
  weight[DLS_DRY_V] = rate;
  weight[DLS_DRY_ONE] = rate * rate / (dls_ball_parameter_size(p, "F") / m + rate * rate);
  weight[DLS_DRY_COS] = weight[DLS_DRY_SIN] = rate * rate / (push + rate * rate);
}

/* holding = k x - P cos; its rows, and those of its margins. */
static void set_margins(dls_dry_regime *r, const dls_ball_parameters *p, const dls_dry_names *n)
{
  const arb_struct *limit = dls_ball_parameter(p, n->limit);
  r->slip = _arb_vec_init(DLS_DRY_STATES);
  r->up = _arb_vec_init(DLS_DRY_STATES);
  r->down = _arb_vec_init(DLS_DRY_STATES);
  arb_one(r->slip + DLS_DRY_V);
  arb_neg(r->slip + DLS_DRY_ONE, r->vb);
  optional(r->down + DLS_DRY_X, p, n->k);
  optional(r->up + DLS_DRY_COS, p, n->P);
  arb_neg(r->up + DLS_DRY_X, r->down + DLS_DRY_X);
  arb_neg(r->down + DLS_DRY_COS, r->up + DLS_DRY_COS);
  arb_set(r->up + DLS_DRY_ONE, limit);
  arb_set(r->down + DLS_DRY_ONE, limit);
}

static void set_flow(dls_ball_flow *flow, const dls_dry_regime *r, const dls_ball_parameters *p,
                     const dls_dry_names *n, int sign)
{
  dls_ball_flow_init(flow, DLS_DRY_STATES);
  set_weights(flow->weight, p, n);
  arb_one(arb_mat_entry(flow->L, DLS_DRY_X, DLS_DRY_V));
  if (n->omega != NULL) {
    arb_neg(arb_mat_entry(flow->L, DLS_DRY_COS, DLS_DRY_SIN), dls_ball_parameter(p, n->omega));
    arb_set(arb_mat_entry(flow->L, DLS_DRY_SIN, DLS_DRY_COS), dls_ball_parameter(p, n->omega));
  }
  if (sign != 0) { /* m v' = -holding - s F */
    arb_div(arb_mat_entry(flow->L, DLS_DRY_V, DLS_DRY_X), r->up + DLS_DRY_X, dls_ball_parameter(p, "m"),
            p->prec);
    arb_div(arb_mat_entry(flow->L, DLS_DRY_V, DLS_DRY_COS), r->up + DLS_DRY_COS, dls_ball_parameter(p, "m"),
            p->prec);
    arb_div(arb_mat_entry(flow->L, DLS_DRY_V, DLS_DRY_ONE), dls_ball_parameter(p, "F"),
            dls_ball_parameter(p, "m"), p->prec);
    arb_mul_si(arb_mat_entry(flow->L, DLS_DRY_V, DLS_DRY_ONE), arb_mat_entry(flow->L, DLS_DRY_V, DLS_DRY_ONE),
               -sign, p->prec);
  }
  dls_ball_flow_bound(flow);
}

static void set_rows(arb_mat_t rows, const dls_dry_regime *r, const dls_ball_parameters *p, int sign)
{
  arb_mat_init(rows, COLUMNS, DLS_DRY_STATES);
  arb_one(arb_mat_entry(rows, Q0, DLS_DRY_X));
  arb_one(arb_mat_entry(rows, V0, DLS_DRY_V));
  arb_mul(arb_mat_entry(rows, LAMBDA0, DLS_DRY_ONE), dls_ball_parameter(p, "m"), dls_ball_parameter(p, "g"),
          p->prec);
  if (sign == 0) {
    arb_neg(arb_mat_entry(rows, LAMBDA0T, DLS_DRY_X), r->up + DLS_DRY_X);
    arb_neg(arb_mat_entry(rows, LAMBDA0T, DLS_DRY_COS), r->up + DLS_DRY_COS);
  } else {
    arb_set(arb_mat_entry(rows, U0T, DLS_DRY_V), r->slip + DLS_DRY_V);
    arb_set(arb_mat_entry(rows, U0T, DLS_DRY_ONE), r->slip + DLS_DRY_ONE);
    arb_mul_si(arb_mat_entry(rows, LAMBDA0T, DLS_DRY_ONE), dls_ball_parameter(p, "F"), -sign, p->prec);
  }
}

static void set_regime(dls_dry_regime *r, const dls_ball_parameters *p, const dls_dry_names *n, const char *vb)
{
  arb_init(r->vb);
  optional(r->vb, p, vb);
  set_margins(r, p, n);
  for (int i = 0; i < DLS_DRY_MODES; i++) {
    set_flow(&r->flow[i], r, p, n, sign_of[i]);
    set_rows(r->rows[i], r, p, sign_of[i]);
  }
}

static void release(void *system)
{
  dls_dry_oscillator *o = system;
  for (int b = 0; b < 2; b++) {
    dls_dry_regime *r = &o->belt[b];
    for (int i = 0; i < DLS_DRY_MODES; i++) {
      dls_ball_flow_clear(&r->flow[i]);
      arb_mat_clear(r->rows[i]);
    }
    _arb_vec_clear(r->slip, DLS_DRY_STATES);
    _arb_vec_clear(r->up, DLS_DRY_STATES);
    _arb_vec_clear(r->down, DLS_DRY_STATES);
    arb_clear(r->vb);
  }
  arb_clear(o->jump);
  flint_free(o);
}

/* --- the motion --- */

/* Stick or slip at x' = vb: by the holding force or, if that is at the limit, by its derivatives. */
static dls_status choose(const dls_dry_regime *r, dls_ball_piece *piece, int *sign, slong prec, dls_error *err)
{
  ulong lead;
  const int up = dls_ball_first_sign(&r->flow[DLS_DRY_STICK], r->up, piece->x, &lead, prec);
  const int down = dls_ball_first_sign(&r->flow[DLS_DRY_STICK], r->down, piece->x, &lead, prec);
  *sign = up < 0 ? -1 : down < 0 ? 1 : 0;
  return up != 0 && down != 0 ? DLS_OK
                              : dls_ball_undecided(piece->t, NULL,
                                                   "whether it sticks, with the force that this needs at the "
                                                   "limit of friction, or nearly so",
                                                   err);
}

static void set_mode(const dls_dry_regime *r, dls_ball_piece *piece, int sign)
{
  piece->mode = mode_of(sign);
  piece->flow = &r->flow[piece->mode];
  piece->rows = r->rows[piece->mode];
  if (sign == 0) {
    arb_set(piece->x + DLS_DRY_V, r->vb);
  }
}

/* What is watched while it slips: order of its first derivative that is not 0, where it begins with 0. */
static void lead_of_slip(const dls_dry_oscillator *o, const dls_dry_regime *r, dls_ball_piece *piece,
                         bool from_stick, slong prec)
{
  arb_t speed;
  arb_init(speed);
  dls_ball_dot(speed, r->slip, piece->x, DLS_DRY_STATES, prec);
  const int sign = sign_of[piece->mode];
  const bool moves = sign > 0 ? arb_is_positive(speed) : arb_is_negative(speed);
  arb_clear(speed);
  /* behind stick |holding| grows through Fs: the slip's acceleration is Fs - F at first, and grows */
  piece->lead = moves ? 0 : from_stick && o->even ? 2 : 1;
  if (!moves && !from_stick) { /* by the order of the margin's sign that has chosen this slip */
    dls_ball_first_sign(&r->flow[DLS_DRY_STICK], sign < 0 ? r->up : r->down, piece->x, &piece->lead, prec);
    piece->lead = piece->lead > 0 && !o->even ? 1 : piece->lead + 1;
  }
}

/* x' = vb is where slip of a sign ends. */
static dls_status end_slip(const dls_dry_oscillator *o, const dls_dry_regime *r, dls_ball_piece *piece,
                           slong prec, dls_error *err)
{
  int sign = 0;
  arb_set(piece->x + DLS_DRY_V, r->vb);
  dls_status status = choose(r, piece, &sign, prec, err);
  if (status != DLS_OK) {
    return status;
  }
  piece->event = sign == 0 ? DLS_BALL_STICK : DLS_BALL_REVERSAL;
  set_mode(r, piece, sign);
  if (sign != 0) {
    lead_of_slip(o, r, piece, false, prec);
  }
  return DLS_OK;
}

static dls_ball_piece *add(dls_ball_solution *sol, const dls_dry_regime *r, dls_ball_event event, int mode)
{
  dls_ball_piece *piece = dls_ball_solution_add(sol, event, &r->flow[mode], r->rows[mode]);
  piece->mode = mode;
  return piece;
}

/* The state of the last piece at a time since its start, as the start of a new one of the same mode. */
static dls_ball_piece *continue_at(dls_ball_solution *sol, const dls_dry_regime *r, dls_ball_event event,
                                   const arb_t since, slong prec)
{
  const size_t last = sol->count - 1;
  dls_ball_piece *piece = add(sol, r, event, sol->piece[last].mode);
  dls_ball_solution_at(piece->x, sol, &sol->piece[last], since, prec);
  _arb_vec_set(piece->left, piece->x, DLS_DRY_STATES);
  arb_add(piece->t, sol->piece[last].t, since, prec);
  return piece;
}

static dls_status slip(const dls_dry_oscillator *o, const dls_dry_regime *r, dls_ball_solution *sol,
                       const arb_t end, slong prec, bool *found, dls_error *err)
{
  const dls_ball_piece *piece = &sol->piece[sol->count - 1];
  arb_t since;
  arb_init(since);
  const dls_ball_verdict verdict =
      dls_ball_piece_zero(piece, r->slip, sign_of[piece->mode], piece->lead, 0, end, since,
                          "the speed of slip touches 0, or nearly so", prec, err);
  dls_status status = verdict == DLS_BALL_UNDECIDED ? DLS_ERR_NOCONV : DLS_OK;
  *found = verdict == DLS_BALL_FOUND;
  if (*found) {
    status = end_slip(o, r, continue_at(sol, r, DLS_BALL_STICK, since, prec), prec, err);
  }
  arb_clear(since);
  return status;
}

/* The force that holds never is another one: no spring and no wave, or a belt at rest and no wave. */
static bool held(const dls_dry_regime *r)
{
  return arb_is_zero(r->up + DLS_DRY_COS) && (arb_is_zero(r->up + DLS_DRY_X) || arb_is_zero(r->vb));
}

/* Which of the two margins of the holding force is first 0, and when. */
static dls_ball_verdict first_margin(const dls_dry_regime *r, const dls_ball_piece *piece, const arb_t end,
                                     arb_t since, int *side, slong prec, dls_error *err)
{
  static const char what[] = "the friction force touches its limit, or nearly so";
  arb_t other;
  ulong up, down;
  arb_init(other);
  dls_ball_first_sign(piece->flow, r->up, piece->x, &up, prec);
  dls_ball_first_sign(piece->flow, r->down, piece->x, &down, prec);
  dls_ball_verdict verdict = dls_ball_piece_zero(piece, r->up, 1, up, 0, end, since, what, prec, err);
  const arb_struct *until = verdict == DLS_BALL_FOUND ? other : end;
  *side = 1;
  if (verdict == DLS_BALL_FOUND) {
    arb_add(other, piece->t, since, prec);
  }
  if (verdict != DLS_BALL_UNDECIDED) {
    arb_t first;
    arb_init(first);
    const dls_ball_verdict below =
        dls_ball_piece_zero(piece, r->down, 1, down, 0, until, first, what, prec, err);
    if (below == DLS_BALL_FOUND && verdict == DLS_BALL_FOUND && arb_overlaps(first, since)) {
      dls_ball_undecided(piece->t, arb_midref(since), what, err);
      verdict = DLS_BALL_UNDECIDED;
    } else if (below != DLS_BALL_NONE) {
      verdict = below;
      arb_swap(since, first);
      *side = -1;
    }
    arb_clear(first);
  }
  arb_clear(other);
  return verdict;
}

static dls_status stick(const dls_dry_oscillator *o, const dls_dry_regime *r, dls_ball_solution *sol,
                        const arb_t end, slong prec, bool *found, dls_error *err)
{
  int side = 0;
  arb_t since;
  arb_init(since);
  const dls_ball_verdict verdict =
      held(r) ? DLS_BALL_NONE : first_margin(r, &sol->piece[sol->count - 1], end, since, &side, prec, err);
  *found = verdict == DLS_BALL_FOUND;
  if (*found) {
    dls_ball_piece *piece = continue_at(sol, r, DLS_BALL_SLIP, since, prec);
    arb_set(piece->x + DLS_DRY_V, r->vb);
    set_mode(r, piece, -side);
    lead_of_slip(o, r, piece, true, prec);
  }
  arb_clear(since);
  return verdict == DLS_BALL_UNDECIDED ? DLS_ERR_NOCONV : DLS_OK;
}

/* A piece begins with a velocity that is any. */
static dls_status enter(const dls_dry_oscillator *o, const dls_dry_regime *r, dls_ball_piece *piece, slong prec,
                        dls_error *err)
{
  int sign = 0;
  arb_t speed;
  arb_init(speed);
  dls_ball_dot(speed, r->slip, piece->x, DLS_DRY_STATES, prec);
  const bool zero = arb_is_zero(speed), up = arb_is_positive(speed), down = arb_is_negative(speed);
  arb_clear(speed);
  if (!zero && !up && !down) {
    return dls_ball_undecided(piece->t, NULL, "the velocity cannot be distinguished from that of the belt",
                              err);
  }
  const dls_status status = zero ? choose(r, piece, &sign, prec, err) : DLS_OK;
  set_mode(r, piece, zero ? sign : up ? 1 : -1);
  if (piece->mode != DLS_DRY_STICK) {
    lead_of_slip(o, r, piece, false, prec);
  }
  return status;
}

static dls_status follow(const dls_dry_oscillator *o, const dls_dry_regime *r, dls_ball_solution *sol,
                         const arb_t end, slong prec, dls_error *err)
{
  bool found = true;
  dls_status status = DLS_OK;
  while (status == DLS_OK && found) {
    status = sol->piece[sol->count - 1].mode == DLS_DRY_STICK ? stick(o, r, sol, end, prec, &found, err)
                                                              : slip(o, r, sol, end, prec, &found, err);
    if (sol->count > DLS_BALL_MOST_PIECES) {
      return dls_ball_too_many(sol, err);
    }
  }
  return status;
}

/* The belt's velocity jumps: x and x' are continuous. */
static dls_status after_jump(const dls_dry_oscillator *o, dls_ball_solution *sol, const arb_t end, slong prec,
                             dls_error *err)
{
  const dls_dry_regime *r = &o->belt[1];
  const int before = sol->piece[sol->count - 1].mode;
  arb_t since;
  arb_init(since);
  arb_sub(since, o->jump, sol->piece[sol->count - 1].t, prec);
  const bool apart = arb_is_positive(since);
  dls_ball_piece *piece = continue_at(sol, r, DLS_BALL_START, since, prec);
  arb_clear(since);
  dls_status status =
      apart ? DLS_OK : dls_ball_undecided(o->jump, NULL, "an event coincides with the jump of the belt", err);
  if (status == DLS_OK) {
    status = enter(o, r, piece, prec, err);
  }
  piece->event = piece->mode == before          ? DLS_BALL_START
                 : piece->mode == DLS_DRY_STICK ? DLS_BALL_STICK
                 : before == DLS_DRY_STICK      ? DLS_BALL_SLIP
                                                : DLS_BALL_REVERSAL;
  piece->jumps = true; /* u_T does */
  return status != DLS_OK ? status : follow(o, r, sol, end, prec, err);
}

static dls_dry_oscillator *make(const dls_ball_parameters *p, const dls_dry_names *n)
{
  dls_dry_oscillator *o = flint_calloc(1, sizeof *o);
  o->names = *n;
  arb_init(o->jump);
  optional(o->jump, p, n->t1);
  o->jumps = arb_is_positive(o->jump);
  o->even = dls_ball_parameters_equal(p, "F", n->limit);
  set_regime(&o->belt[0], p, n, n->vb);
  set_regime(&o->belt[1], p, n, n->vb1);
  return o;
}

static dls_status solve(const dls_ball_parameters *p, const dls_dry_names *n, const arb_t end,
                        dls_ball_solution *out, dls_error *err)
{
  static const char *const columns[] = {"q0", "q1",      "v0",  "v1",  "g0",      "u0",
                                        "p0", "lambda0", "u0t", "p0t", "lambda0t"};
  dls_dry_oscillator *o = make(p, n);
  dls_ball_solution_init(out, DLS_DRY_STATES, COLUMNS, columns);
  out->system = o;
  out->release = release;
  out->variation = &dls_ball_dry_variation;
  dls_ball_piece *piece = add(out, &o->belt[0], DLS_BALL_START, DLS_DRY_STICK);
  arb_set(piece->x + DLS_DRY_X, dls_ball_parameter(p, "q0"));
  arb_set(piece->x + DLS_DRY_V, dls_ball_parameter(p, "v0"));
  arb_one(piece->x + DLS_DRY_ONE);
  arb_one(piece->x + DLS_DRY_COS);
  if (n->phase != NULL) {
    arb_sin_cos(piece->x + DLS_DRY_SIN, piece->x + DLS_DRY_COS, dls_ball_parameter(p, n->phase), p->prec);
  }
  const bool jumps = o->jumps && arb_lt(o->jump, end);
  dls_status status = enter(o, &o->belt[0], piece, p->prec, err);
  if (status == DLS_OK) {
    status = follow(o, &o->belt[0], out, jumps ? o->jump : end, p->prec, err);
  }
  return status == DLS_OK && jumps ? after_jump(o, out, end, p->prec, err) : status;
}

dls_status dls_ball_belt(const dls_ball_parameters *p, const arb_t end, slong narrow, dls_ball_solution *out,
                         dls_error *err)
{
  (void)narrow;
  return solve(p, &(dls_dry_names){.k = "k", .limit = "Fs", .vb = "vb", .t1 = "t1", .vb1 = "vb1"}, end, out,
               err);
}

dls_status dls_ball_forced_block(const dls_ball_parameters *p, const arb_t end, slong narrow,
                                 dls_ball_solution *out, dls_error *err)
{
  (void)narrow;
  return solve(p, &(dls_dry_names){.P = "A", .omega = "omega", .phase = "phase", .limit = "F"}, end, out, err);
}

dls_status dls_ball_spring_block(const dls_ball_parameters *p, const arb_t end, slong narrow,
                                 dls_ball_solution *out, dls_error *err)
{
  (void)narrow;
  return solve(p, &(dls_dry_names){.k = "k", .limit = "F"}, end, out, err);
}

dls_status dls_ball_den_hartog(const dls_ball_parameters *p, const arb_t end, slong narrow,
                               dls_ball_solution *out, dls_error *err)
{
  (void)narrow;
  const char *limit = arb_is_positive(dls_ball_parameter(p, "Fs")) ? "Fs" : "F";
  return solve(p, &(dls_dry_names){.k = "k", .P = "P", .omega = "omega", .phase = "phase", .limit = limit}, end,
               out, err);
}
