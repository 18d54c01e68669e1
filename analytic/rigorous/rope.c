/* analytic/rigorous/rope.c -- a mass that flies within a circle: h = l^2 - |x|^2 is a polynomial of degree four of the time, and with
 * h' = -2 x.v, |v|^2 as states besides x and v all of them move linearly:
 *   h'' = -2 |v|^2 + 2 g y,   (|v|^2)' = -2 g vy.
 * Impact where h falls through 0, with n = x/l:  v+ = v- - (1 + e) (n.v-) n,  h'+ = -e h'-.
 * g = l - sqrt(l^2 - h), u = h'/(2 (l - g)). Accumulating impacts are followed as far as they can be separated. The motion after them, with a taut rope, is not treated.
 * Source: elementary; as analytic/exact/rope.c.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/models.h"
#include "analytic/rigorous/tangent.h"
#include <arb_poly.h>
#include <math.h>

enum { X, Y, VX, VY, ONE, H, D, N, STATES };
enum { Q0, Q1, V0, V1, G0, U0, P0, LAMBDA0, COLUMNS };

typedef struct circle {
  dls_ball_flow flow;
  arb_mat_t rows;
  arb_t l, e, m;
} circle;

static void release(void *system)
{
  circle *c = system;
  dls_ball_flow_clear(&c->flow);
  arb_mat_clear(c->rows);
  arb_clear(c->l);
  arb_clear(c->e);
  arb_clear(c->m);
  flint_free(c);
}

static void set_flow(dls_ball_flow *flow, const dls_ball_parameters *p)
{
  const arb_struct *g = dls_ball_parameter(p, "g");
  const double l = dls_ball_parameter_size(p, "l"), fall = dls_ball_parameter_size(p, "g");
  const double v = sqrt(fall * l) + hypot(dls_ball_parameter_size(p, "vx0"), dls_ball_parameter_size(p, "vy0"));
  const double size[STATES] = {l, l, v, v, v * v / (fall * l), l * l, l * v, v * v};
  dls_ball_flow_init(flow, STATES);
  for (int i = 0; i < STATES; i++) {
    flow->weight[i] = size[i];
  }
  arb_one(arb_mat_entry(flow->L, X, VX));
  arb_one(arb_mat_entry(flow->L, Y, VY));
  arb_neg(arb_mat_entry(flow->L, VY, ONE), g);
  arb_one(arb_mat_entry(flow->L, H, D));
  arb_set_si(arb_mat_entry(flow->L, D, N), -2);
  arb_mul_2exp_si(arb_mat_entry(flow->L, D, Y), g, 1);
  arb_mul_si(arb_mat_entry(flow->L, N, VY), g, -2, p->prec);
  dls_ball_flow_bound(flow);
}

static circle *make(const dls_ball_parameters *p)
{
  static const int columns[] = {Q0, Q1, V0, V1}, states[] = {X, Y, VX, VY};
  circle *c = flint_malloc(sizeof *c);
  set_flow(&c->flow, p);
  arb_mat_init(c->rows, COLUMNS, STATES);
  for (int i = 0; i < 4; i++) {
    arb_one(arb_mat_entry(c->rows, columns[i], states[i]));
  }
  arb_init(c->l);
  arb_init(c->e);
  arb_init(c->m);
  arb_set(c->l, dls_ball_parameter(p, "l"));
  arb_set(c->e, dls_ball_parameter(p, "e"));
  arb_set(c->m, dls_ball_parameter(p, "m"));
  return c;
}

static bool bent(slong column)
{
  return column == G0 || column == U0;
}

/* g and u to n terms from n terms of each state: r = sqrt(l^2 - h), g = l - r, u = h'/(2 r) */
static void bend(arb_ptr a, slong n, const dls_ball_solution *sol, slong column, arb_srcptr x, slong prec)
{
  const circle *c = sol->system;
  arb_ptr r = _arb_vec_init(n), square = _arb_vec_init(n);
  _arb_vec_neg(square, x + H * n, n);
  arb_addmul(square, c->l, c->l, prec);
  _arb_poly_sqrt_series(r, square, n, n, prec);
  if (column == G0) {
    _arb_vec_neg(a, r, n);
    arb_add(a, a, c->l, prec);
  } else {
    _arb_vec_scalar_mul_2exp_si(r, r, n, 1);
    _arb_poly_div_series(a, x + D * n, n, r, n, n, prec);
  }
  _arb_vec_clear(r, n);
  _arb_vec_clear(square, n);
}

/* |v|^2 from v */
static void square_speed(arb_ptr x, slong prec)
{
  arb_mul(x + N, x + VX, x + VX, prec);
  arb_addmul(x + N, x + VY, x + VY, prec);
}

/* From left to x by the law of impact. */
static void strike(const circle *c, dls_ball_piece *piece, slong prec)
{
  arb_t factor;
  arb_init(factor);
  arb_zero(piece->left + H);
  _arb_vec_set(piece->x, piece->left, STATES);
  arb_add_ui(factor, c->e, 1, prec); /* v+ - v- = (1 + e) h'/(2 l^2) x, as h' = -2 x.v */
  arb_mul(factor, factor, piece->left + D, prec);
  arb_mul_2exp_si(factor, factor, -1);
  arb_div(factor, factor, c->l, prec); /* (1 + e) u-, outward */
  arb_mul(piece->impulse, factor, c->m, prec);
  arb_neg(piece->impulse, piece->impulse);
  arb_div(factor, factor, c->l, prec);
  arb_addmul(piece->x + VX, factor, piece->left + X, prec);
  arb_addmul(piece->x + VY, factor, piece->left + Y, prec);
  arb_mul(piece->x + D, piece->left + D, c->e, prec);
  arb_neg(piece->x + D, piece->x + D);
  square_speed(piece->x, prec);
  arb_clear(factor);
}

/* The mass goes inward again: after an impact, or from the circle. */
static dls_status leave(const circle *c, dls_ball_piece *piece, slong prec, dls_error *err)
{
  arb_ptr gap = _arb_vec_init(STATES);
  arb_one(gap + H);
  const int sign = dls_ball_first_sign(&c->flow, gap, piece->x, &piece->lead, prec);
  _arb_vec_clear(gap, STATES);
  if (sign < 0) {
    return dls_fail(err, DLS_ERR_CHATTERING, "the rope stays taut from t = %.10g s on: that is another motion",
                    arf_get_d(arb_midref(piece->t), ARF_RND_NEAR));
  }
  return sign > 0 ? DLS_OK : dls_ball_undecided(piece->t, NULL, "whether the rope stays taut", err);
}

/* Behind an impact half as much more than 2 h'/|h''|: a series that holds a short flight. */
static double flight_hint(const circle *c, const dls_ball_piece *piece, slong prec)
{
  arb_t a;
  arb_init(a);
  dls_ball_dot(a, arb_mat_entry(c->flow.L, D, 0), piece->x, STATES, prec);
  const double rate = arf_get_d(arb_midref(piece->x + D), ARF_RND_NEAR),
               fall = -arf_get_d(arb_midref(a), ARF_RND_NEAR);
  arb_clear(a);
  return piece->lead == 1 && fall > 0 ? 3 * rate / fall : 0;
}

/* The next impact. */
static dls_status advance(const circle *c, dls_ball_solution *sol, const arb_t end, slong prec, slong narrow,
                          bool *found, dls_error *err)
{
  dls_ball_piece *piece = &sol->piece[sol->count - 1];
  arb_ptr gap = _arb_vec_init(STATES);
  arb_t since;
  mag_t longest;
  arb_init(since);
  mag_init(longest);
  arb_one(gap + H);
  const dls_ball_verdict verdict =
      dls_ball_piece_zero(piece, gap, 1, piece->lead, flight_hint(c, piece, prec), end, since,
                          "the gap touches 0, or nearly so", prec, err);
  dls_status status = verdict == DLS_BALL_UNDECIDED ? DLS_ERR_NOCONV : DLS_OK;
  *found = verdict == DLS_BALL_FOUND;
  arb_get_mag(longest, since);
  if (*found && mag_cmp_2exp_si(longest, -narrow) < 0) {
    status = dls_fail(err, DLS_ERR_CHATTERING, "impacts accumulate by t = %.10g s, no more are computed",
                      arf_get_d(arb_midref(piece->t), ARF_RND_NEAR));
  } else if (*found) {
    const size_t last = sol->count - 1;
    dls_ball_piece *next = dls_ball_solution_add(sol, DLS_BALL_IMPACT, &c->flow, c->rows);
    next->jumps = true;
    dls_ball_solution_at(next->left, sol, &sol->piece[last], since, prec);
    arb_add(next->t, sol->piece[last].t, since, prec);
    strike(c, next, prec);
    status = leave(c, next, prec, err);
  }
  _arb_vec_clear(gap, STATES);
  arb_clear(since);
  mag_clear(longest);
  return status;
}

static dls_status begin(const circle *c, const dls_ball_parameters *p, dls_ball_piece *piece, dls_error *err)
{
  static const char *const names[] = {"x0", "y0", "vx0", "vy0"};
  arb_ptr x = piece->x;
  for (int i = 0; i < 4; i++) {
    arb_set(x + X + i, dls_ball_parameter(p, names[i]));
  }
  arb_one(x + ONE);
  arb_mul(x + H, c->l, c->l, p->prec);
  arb_submul(x + H, x + X, x + X, p->prec);
  arb_submul(x + H, x + Y, x + Y, p->prec);
  arb_mul(x + D, x + X, x + VX, p->prec);
  arb_addmul(x + D, x + Y, x + VY, p->prec);
  arb_mul_si(x + D, x + D, -2, p->prec);
  square_speed(x, p->prec);
  if (arb_is_negative(x + H)) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "model rope: the mass starts %g m from the origin; the rope has the length l = %g m, and the "
        "distance must be less",
        hypot(dls_ball_parameter_size(p, "x0"), dls_ball_parameter_size(p, "y0")),
        dls_ball_parameter_size(p, "l"));
  }
  return arb_is_positive(x + H)
             ? DLS_OK
             : dls_ball_undecided(piece->t, NULL, "the gap is 0, or cannot be distinguished from it", err);
}

/* --- derivatives --- */

/* (D)' has 2 g y, (|v|^2)' -2 g vy; h = l^2 - |x|^2 at the start. */
static dls_status set(const dls_ball_solution *sol, dls_ball_tangent *d, dls_error *err)
{
  const slong prec = d->p->prec;
  static const char *const names[] = {"x0", "y0", "vx0", "vy0"};
  const circle *c = sol->system;
  arb_srcptr x = sol->piece[0].x;
  arb_ptr dx = d->start;
  arb_mat_struct *dL = dls_ball_tangent_add(d, &c->flow)->dL;
  (void)err;
  if (dls_ball_tangent_is_by(d, "g")) {
    arb_set_si(arb_mat_entry(dL, VY, ONE), -1);
    arb_set_si(arb_mat_entry(dL, D, Y), 2);
    arb_set_si(arb_mat_entry(dL, N, VY), -2);
  }
  for (int i = 0; i < 4; i++) {
    dls_ball_tangent_one_by(dx + X + i, d, names[i]);
  }
  if (dls_ball_tangent_is_by(d, "l")) {
    arb_set(dx + H, c->l);
  }
  for (int i = 0; i < 2; i++) {
    arb_submul(dx + H, x + X + i, dx + X + i, prec);
    arb_submul(dx + D, x + X + i, dx + VX + i, prec);
    arb_submul(dx + D, x + VX + i, dx + X + i, prec);
    arb_addmul(dx + N, x + VX + i, dx + VX + i, prec);
  }
  _arb_vec_scalar_mul_2exp_si(dx + H, dx + H, 3, 1);
  return DLS_OK;
}

/* The law of impact, v+ = v- + f x with f = (1 + e) h'/(2 l^2), and h'+ = -e h'-, at h = 0. */
static void differentiate_strike(const circle *c, const dls_ball_piece *piece, const dls_ball_tangent *d,
                                 arb_ptr dx, slong prec)
{
  arb_srcptr left = piece->left, x = piece->x;
  arb_t f, df, part;
  arb_init(f);
  arb_init(df);
  arb_init(part);
  arb_add_ui(part, c->e, 1, prec);
  arb_mul(f, part, left + D, prec);
  arb_mul(df, part, dx + D, prec);
  arb_mul(dx + D, dx + D, c->e, prec);
  arb_neg(dx + D, dx + D);
  if (dls_ball_tangent_is_by(d, "e")) {
    arb_add(df, df, left + D, prec);
    arb_sub(dx + D, dx + D, left + D, prec);
  } else if (dls_ball_tangent_is_by(d, "l")) {
    arb_div(part, f, c->l, prec);
    arb_submul_ui(df, part, 2, prec);
  }
  arb_mul(part, c->l, c->l, prec);
  arb_mul_2exp_si(part, part, 1);
  arb_div(f, f, part, prec);
  arb_div(df, df, part, prec);
  arb_zero(dx + H);
  arb_zero(dx + N);
  for (int i = 0; i < 2; i++) {
    arb_addmul(dx + VX + i, df, left + X + i, prec);
    arb_addmul(dx + VX + i, f, dx + X + i, prec);
    arb_addmul(dx + N, x + VX + i, dx + VX + i, prec);
  }
  arb_mul_2exp_si(dx + N, dx + N, 1);
  arb_clear(f);
  arb_clear(df);
  arb_clear(part);
}

static dls_status pass(const dls_ball_solution *sol, size_t i, dls_ball_tangent *d, dls_error *err)
{
  const slong prec = d->p->prec;
  (void)err;
  if (i > 0) {
    arb_ptr gap = _arb_vec_init(STATES);
    arb_one(gap + H);
    dls_ball_tangent_time(d, sol, i, gap, NULL, prec);
    dls_ball_tangent_arrive(d, sol, i, prec);
    differentiate_strike(sol->system, &sol->piece[i], d, d->x + (slong)i * STATES, prec);
    dls_ball_tangent_leave(d, sol, i, prec);
    _arb_vec_clear(gap, STATES);
  }
  return DLS_OK;
}

static const dls_ball_variation variation = {.set = set, .pass = pass};

/* --- the motion --- */

dls_status dls_ball_rope(const dls_ball_parameters *p, const arb_t end, slong narrow, dls_ball_solution *out,
                         dls_error *err)
{
  static const char *const columns[] = {"q0", "q1", "v0", "v1", "g0", "u0", "p0", "lambda0"};
  circle *c = make(p);
  bool found = true;
  dls_ball_solution_init(out, STATES, COLUMNS, columns);
  out->system = c;
  out->release = release;
  out->bent = bent;
  out->bend = bend;
  out->variation = &variation;
  dls_status status = begin(c, p, dls_ball_solution_add(out, DLS_BALL_START, &c->flow, c->rows), err);
  while (status == DLS_OK && found) {
    status = out->count > DLS_BALL_MOST_PIECES ? dls_ball_too_many(out, err)
                                               : advance(c, out, end, p->prec, narrow, &found, err);
  }
  return status;
}
