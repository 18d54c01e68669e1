/* analytic/rigorous/curve_solution.c -- a solution as a curve.
 *
 * Events are placed at the midpoints of the balls of their times, and the flights that an accumulation omits at its first one. The displacement and
 * the area caused by this are added up as slack. The same holds for the last moments of a piece that no polynomial encloses: they become a constant.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/curve.h"

enum {
  TERMS = 28,
  HALVINGS = 80,
  LEFT_OUT = -100, /* a polynomial leaves out less than 2 to this, of its size */
  STILL = -80      /* a rest that moves less than 2 to this [xi] is a constant */
};

typedef struct maker {
  dls_ball_curve *curve;
  const dls_ball_solution *sol;
  const slong *columns;
  arb_srcptr xi;
  slong prec;
  arf_t from, to;
} maker;

/* The span of a piece [t, next] within [from, to]; @return false if it is outside */
static bool clip(const maker *m, size_t i, arf_t low, arf_t high)
{
  arf_set(low, arb_midref(m->sol->piece[i].t));
  arf_set(high, i + 1 < m->sol->count ? arb_midref(m->sol->piece[i + 1].t) : m->to);
  if (arf_cmp(low, m->from) < 0) {
    arf_set(low, m->from);
  }
  if (arf_cmp(high, m->to) > 0) {
    arf_set(high, m->to);
  }
  return arf_cmp(low, high) < 0;
}

/* Is the rest of the flights an accumulation? */
static bool left_out(const maker *m, size_t i)
{
  return i + 1 < m->sol->count && m->sol->piece[i + 1].box != NULL;
}

/* x_j of states on a piece, in units. */
static void value_of(arb_t out, const maker *m, const arb_mat_struct *rows, slong j, arb_srcptr x)
{
  dls_ball_solution_value(out, m->sol, rows, m->columns[j], x, m->prec);
  arb_div(out, out, m->xi, m->prec);
}

/* Coefficients about the middle of [low, high], and what they leave out. @return is it little? */
static bool expand(const maker *m, const dls_ball_piece *piece, dls_ball_segment *segment)
{
  const slong dim = m->curve->dim;
  arb_ptr wide = _arb_vec_init(TERMS + 1);
  arb_t s, half;
  mag_t radius, allowed;
  bool good = true;
  arb_init(s);
  arb_init(half);
  mag_init(radius);
  mag_init(allowed);
  arf_add(segment->centre, segment->low, segment->high, ARF_PREC_EXACT, ARF_RND_DOWN);
  arf_mul_2exp_si(segment->centre, segment->centre, -1);
  for (slong j = 0; j < dim; j++) {
    arb_set_arf(s, segment->centre);
    arb_sub(s, s, dls_ball_piece_origin(piece), m->prec);
    dls_ball_solution_jet(segment->a + j * TERMS, TERMS, m->sol, piece, m->columns[j], s, m->prec);
    arb_set_arf(half, segment->high);
    arb_sub_arf(half, half, segment->centre, m->prec);
    arb_get_mag(radius, half);
    arb_add_error_mag(s, radius);
    dls_ball_solution_jet(wide, TERMS + 1, m->sol, piece, m->columns[j], s, m->prec);
    arb_get_mag(segment->rest + j, wide + TERMS); /* Taylor's: a_n somewhere in between, times s^n */
    mag_pow_ui(radius, radius, TERMS);
    mag_mul(segment->rest + j, segment->rest + j, radius);
    arb_get_mag(allowed, wide);
    mag_max(allowed, allowed, (mag_one(radius), radius));
    mag_mul_2exp_si(allowed, allowed, LEFT_OUT);
    good = good && mag_cmp(segment->rest + j, allowed) < 0;
    for (slong i = 0; i < TERMS; i++) {
      arb_div(segment->a + j * TERMS + i, segment->a + j * TERMS + i, m->xi, m->prec);
    }
    arb_inv(half, m->xi, m->prec);
    arb_get_mag(radius, half);
    mag_mul(segment->rest + j, segment->rest + j, radius);
  }
  arb_clear(s);
  arb_clear(half);
  mag_clear(radius);
  mag_clear(allowed);
  _arb_vec_clear(wide, TERMS + 1);
  return good;
}

/* One polynomial from low on, as long as it is good; low moves to its end. */
static bool add_smooth(const maker *m, const dls_ball_piece *piece, arf_t low, const arf_t high, arf_t span)
{
  dls_ball_segment *segment = dls_ball_curve_add(m->curve, TERMS);
  bool good = false;
  arf_set(segment->low, low);
  for (int i = 0; i < HALVINGS && !good; i++) {
    arf_add(segment->high, low, span, m->prec, ARF_RND_DOWN);
    if (arf_cmp(segment->high, high) > 0) {
      arf_set(segment->high, high);
    }
    good = expand(m, piece, segment);
    if (!good) {
      arf_mul_2exp_si(span, span, -1);
    }
  }
  arf_set(low, segment->high);
  arf_mul_2exp_si(span, span, 1);
  dls_ball_segment_finish(segment, m->curve->dim, m->prec);
  return good;
}

static void add_constant(const maker *m, arb_srcptr value, const arf_t low, const arf_t high)
{
  dls_ball_segment *segment = dls_ball_curve_add(m->curve, 1);
  arf_set(segment->low, low);
  arf_set(segment->high, high);
  arf_set(segment->centre, low);
  _arb_vec_set(segment->a, value, m->curve->dim);
  dls_ball_segment_finish(segment, m->curve->dim, m->prec);
}

/* The flights that are left out: where the first of them begins. */
static void add_left_out(const maker *m, const dls_ball_piece *piece, const arf_t low, const arf_t high)
{
  arb_ptr value = _arb_vec_init(m->curve->dim);
  for (slong j = 0; j < m->curve->dim; j++) {
    value_of(value + j, m, piece->rows, j, piece->x);
  }
  add_constant(m, value, low, high);
  _arb_vec_clear(value, m->curve->dim);
}

/* Does a piece end where no polynomial encloses it for long? */
static bool ends_rough(const maker *m, size_t i)
{
  return m->sol->piece[i].flow == NULL && i + 1 < m->sol->count;
}

/* Middles of the columns over all states from low on, and how far they are from them, at most. */
static void remaining(const maker *m, const dls_ball_piece *piece, const arf_t low, arb_ptr value, mag_t moved)
{
  arb_ptr box = _arb_vec_init(m->sol->k);
  arb_t s;
  arb_init(s);
  arb_sub_arf(s, piece->t, low, m->prec);
  arb_neg(s, s);
  m->sol->remaining(box, m->sol, piece, s, m->prec);
  mag_zero(moved);
  for (slong j = 0; j < m->curve->dim; j++) {
    value_of(value + j, m, piece->rows, j, box);
    mag_max(moved, moved, arb_radref(value + j));
    mag_zero(arb_radref(value + j));
  }
  arb_clear(s);
  _arb_vec_clear(box, m->sol->k);
}

/* Continue as a constant from low on if the solution stays within `moved` of it. Then `moved` is the slack of the graph, and of the area over
 * [low, high]. @return true if it does */
static bool add_remaining(const maker *m, const dls_ball_piece *piece, const arf_t low, const arf_t high)
{
  arb_ptr value = _arb_vec_init(m->curve->dim);
  arb_t area, height;
  mag_t moved;
  arb_init(area);
  arb_init(height);
  mag_init(moved);
  remaining(m, piece, low, value, moved);
  const bool still = mag_cmp_2exp_si(moved, STILL) < 0;
  if (still) {
    add_constant(m, value, low, high);
    mag_max(m->curve->value_slack, m->curve->value_slack, moved);
    arb_set_arf(area, high);
    arb_sub_arf(area, area, low, m->prec);
    arf_set_mag(arb_midref(height), moved);
    arb_addmul(m->curve->area_slack, area, height, m->prec);
  }
  arb_clear(area);
  arb_clear(height);
  mag_clear(moved);
  _arb_vec_clear(value, m->curve->dim);
  return still;
}

/* Up to a rough end each spans half of what is left, at most: a curve that stops before it has none. low moves to the end. */
static bool add_polynomials(const maker *m, size_t i, arf_t low, const arf_t high)
{
  const dls_ball_piece *piece = &m->sol->piece[i];
  const bool rough = ends_rough(m, i) && arf_equal(high, arb_midref(piece[1].t));
  bool good = true;
  arf_t span, left;
  arf_init(span);
  arf_init(left);
  arf_sub(span, high, low, m->prec, ARF_RND_UP);
  while (good && arf_cmp(low, high) < 0 && !(rough && add_remaining(m, piece, low, high))) {
    arf_sub(left, high, low, m->prec, ARF_RND_DOWN);
    arf_mul_2exp_si(left, left, -1);
    if (rough && arf_cmp(span, left) > 0) {
      arf_set(span, left);
    }
    good = add_smooth(m, piece, low, high, span);
  }
  arf_clear(span);
  arf_clear(left);
  return good;
}

static bool add_piece(const maker *m, size_t i)
{
  bool good = true;
  arf_t low, high;
  arf_init(low);
  arf_init(high);
  if (clip(m, i, low, high)) {
    if (left_out(m, i)) {
      add_left_out(m, &m->sol->piece[i], low, high);
    } else {
      good = add_polynomials(m, i, low, high);
    }
  }
  arf_clear(low);
  arf_clear(high);
  return good;
}

/* How far a column moves, at most, while its time moves within a ball; the middle of it is kept. */
static void add_motion(const maker *m, const dls_ball_piece *piece, slong j, const arb_t t, mag_t most)
{
  arb_t s, value;
  arb_init(s);
  arb_init(value);
  arb_sub(s, t, dls_ball_piece_origin(piece), m->prec);
  dls_ball_solution_jet(value, 1, m->sol, piece, m->columns[j], s, m->prec);
  arb_div(value, value, m->xi, m->prec);
  if (mag_cmp(most, arb_radref(value)) < 0) {
    mag_set(most, arb_radref(value));
  }
  arb_clear(s);
  arb_clear(value);
}

/* The event of piece i, put at the middle of its time: slack of the graph and of the area; the jump. */
static void add_event(const maker *m, size_t i)
{
  const dls_ball_piece *piece = &m->sol->piece[i];
  const slong dim = m->curve->dim;
  arb_ptr left = _arb_vec_init(dim), right = _arb_vec_init(dim);
  arb_t spread, area;
  mag_t moved, span;
  arb_init(spread);
  arb_init(area);
  mag_init(moved);
  mag_init(span);
  for (slong j = 0; j < dim; j++) {
    value_of(left + j, m, piece->past, j, piece->left);
    value_of(right + j, m, piece->rows, j, piece->x);
    mag_zero(moved);
    add_motion(m, piece, j, piece->t, moved);
    if (!left_out(m, i - 1) && !ends_rough(m, i - 1)) {
      add_motion(m, piece - 1, j, piece->t, moved);
    } else if (left_out(m, i - 1)) { /* all states in between lie in the box */
      value_of(spread, m, piece[-1].rows, j, piece->box);
      mag_add(moved, moved, arb_radref(spread));
      mag_add(moved, moved, arb_radref(spread));
    }
    mag_mul_2exp_si(moved, moved, 1);
    mag_max(m->curve->value_slack, m->curve->value_slack, moved);
    arb_sub(spread, right + j, left + j, m->prec);
    arb_add_error_mag(spread, moved);
    arb_get_mag(moved, spread);
    arb_sub(spread, piece->t, piece[-1].t, m->prec);
    arb_get_mag(span, spread); /* of all flights that are left out */
    mag_mul(moved, moved, left_out(m, i - 1) ? span : arb_radref(piece->t));
    arf_set_mag(arb_midref(area), moved);
    arb_add(m->curve->area_slack, m->curve->area_slack, area, m->prec);
  }
  mag_max(m->curve->time_slack, m->curve->time_slack, arb_radref(piece->t));
  if (piece->jumps) {
    dls_ball_curve_add_jump(m->curve, arb_midref(piece->t), left, right, m->prec);
  }
  arb_clear(spread);
  arb_clear(area);
  mag_clear(moved);
  mag_clear(span);
  _arb_vec_clear(left, dim);
  _arb_vec_clear(right, dim);
}

dls_status dls_ball_curve_of_solution(dls_ball_curve *curve, const dls_ball_solution *sol, const slong *columns,
                                      double from, double to, const arb_t xi, slong prec, dls_error *err)
{
  maker m = {.curve = curve, .sol = sol, .columns = columns, .xi = xi, .prec = prec};
  bool good = true;
  arf_init(m.from);
  arf_init(m.to);
  arf_set_d(m.from, from);
  arf_set_d(m.to, to);
  for (size_t i = 0; i < sol->count && good; i++) {
    arf_srcptr t = arb_midref(sol->piece[i].t);
    if (i > 0 && arf_cmp(t, m.from) >= 0 && arf_cmp(t, m.to) <= 0) {
      add_event(&m, i);
    }
    good = add_piece(&m, i);
  }
  arf_clear(m.from);
  arf_clear(m.to);
  return good ? DLS_OK
              : dls_fail(err, DLS_ERR_NOCONV, "no polynomial of %d terms encloses the solution", TERMS);
}
