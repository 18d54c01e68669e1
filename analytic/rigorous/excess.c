/* analytic/rigorous/excess.c -- see excess.h.
 * A piece of the curve, with its chord and what it sags, is nowhere farther from a convex piece of the other one than at an end of its chord. A smooth
 * piece is nowhere farther than from the other curve shifted in time. The lesser of both bounds it from above, its points from below;
 * the piece that may be farthest is halved next.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/excess.h"
#include "analytic/rigorous/nearest.h"
#include <math.h>

enum { MOST_CELLS = 400000 };
static const double nothing =
    1e-15; /* a distance that is not told from 0, by places that are doubles; of the largest time */

typedef struct cell {
  double most; /* no point is farther */
  size_t segment;
  arf_struct a, b;
  dls_ball_near at[2]; /* of its ends */
} cell;

typedef struct branching {
  const dls_ball_curve *of;
  dls_ball_search search; /* in the other curve */
  dls_ball_chord chord, other;
  arb_ptr point;
  double low, tolerance, nothing;
  size_t count, room, made;
  cell *heap; /* the largest first */
} branching;

/* --- a heap --- */

static void push(branching *b, const cell *c)
{
  if (b->count == b->room) {
    b->room = 2 * b->room + 256;
    b->heap = flint_realloc(b->heap, b->room * sizeof *b->heap);
  }
  size_t i = b->count++;
  for (; i > 0 && b->heap[(i - 1) / 2].most < c->most; i = (i - 1) / 2) {
    b->heap[i] = b->heap[(i - 1) / 2];
  }
  b->heap[i] = *c;
  b->made++;
}

static cell pop(branching *b)
{
  const cell top = b->heap[0], last = b->heap[--b->count];
  size_t i = 0;
  for (size_t child = 1; child < b->count; child = 2 * i + 1) {
    child += child + 1 < b->count && b->heap[child + 1].most > b->heap[child].most;
    if (b->heap[child].most <= last.most) {
      break;
    }
    b->heap[i] = b->heap[child];
    i = child;
  }
  b->heap[i] = last;
  return top;
}

static void cell_clear(cell *c)
{
  arf_clear(&c->a);
  arf_clear(&c->b);
}

/* --- bounds --- */

/* The point s of a segment. */
static void query(branching *b, size_t segment, const arf_t s, dls_ball_near *out)
{
  const dls_ball_segment *of = &b->of->segment[segment];
  dls_ball_point_set(b->point, &b->search.work, of, s);
  dls_ball_nearest(&b->search, b->point, arf_get_d(of->jump ? of->t : s, ARF_RND_NEAR), out);
  b->low = fmax(b->low, out->low);
  b->search.enough = fmax(b->low, b->nothing);
}

/* By the chord of a cell, that is set, and one of a segment of the other curve from one place to another. */
static double convex_bound(branching *b, size_t index, double one, double two)
{
  const dls_ball_segment *segment = &b->search.curve->segment[index];
  arf_t from, to;
  double most = 0;
  arf_init(from);
  arf_init(to);
  arf_set_d(from, one);
  arf_set_d(to, two);
  if (segment->jump) { /* all of it is convex */
    arf_zero(from);
    arf_one(to);
  }
  arf_max(from, from, segment->low);
  arf_min(from, from, segment->high);
  arf_max(to, to, from);
  arf_min(to, to, segment->high);
  dls_ball_chord_set(&b->other, &b->search.work, segment, from, to);
  for (int end = 0; end < 2; end++) {
    double low, high, where;
    dls_ball_chord_distance(&b->search.work, end == 0 ? b->chord.from : b->chord.to, &b->other, b->chord.sag,
                            &low, &high, &where);
    most = fmax(most, high);
  }
  arf_clear(from);
  arf_clear(to);
  return most;
}

/* max |x_j(t) - y_j(t + shift)| on [a, b]: at the ends, and what the second derivative of the difference adds. */
static double difference(const branching *b, const dls_ball_segment *x, const dls_ball_segment *y, slong j,
                         const arb_t span, const arb_t moved, const arb_t ends[4])
{
  const slong prec = b->search.work.prec;
  arb_t f, g;
  mag_t most, size;
  arb_init(f);
  arb_init(g);
  mag_init(most);
  mag_init(size);
  for (int end = 0; end < 2; end++) {
    dls_ball_segment_derivative(f, x, j, 0, ends[end], prec);
    dls_ball_segment_derivative(g, y, j, 0, ends[2 + end], prec);
    arb_sub(f, f, g, prec);
    arb_get_mag(size, f);
    mag_max(most, most, size);
  }
  dls_ball_segment_derivative(f, x, j, 2, span, prec);
  dls_ball_segment_derivative(g, y, j, 2, moved, prec);
  arb_sub(f, f, g, prec);
  arb_get_mag(size, f);
  mag_mul(size, size, arb_radref(span));
  mag_mul(size, size, arb_radref(span));
  mag_mul_2exp_si(size, size, -1);
  mag_add(most, most, size);
  mag_add(most, most, x->rest + j);
  mag_add(most, most, y->rest + j);
  const double high = mag_get_d(most);
  arb_clear(f);
  arb_clear(g);
  mag_clear(most);
  mag_clear(size);
  return high;
}

/* By the other curve's segment, shifted in time. */
static double shifted_bound(branching *b, const cell *c)
{
  const dls_ball_segment *x = &b->of->segment[c->segment], *y = &b->search.curve->segment[c->at[0].segment];
  const slong prec = b->search.work.prec;
  arb_t span, moved, ends[4];
  arf_t shift, from, to;
  if (x->jump || y->jump || c->at[0].segment != c->at[1].segment) {
    return HUGE_VAL;
  }
  arf_init(shift);
  arf_init(from);
  arf_init(to);
  arb_init(span);
  arb_init(moved);
  arf_set_d(shift,
            0.5 * (c->at[0].s - arf_get_d(&c->a, ARF_RND_NEAR) + c->at[1].s - arf_get_d(&c->b, ARF_RND_NEAR)));
  arf_add(from, &c->a, shift, ARF_PREC_EXACT, ARF_RND_DOWN);
  arf_add(to, &c->b, shift, ARF_PREC_EXACT, ARF_RND_DOWN);
  double most = fabs(arf_get_d(shift, ARF_RND_NEAR)) / b->search.tau * (1 + 1e-15);
  const bool inside = arf_cmp(from, y->low) >= 0 && arf_cmp(to, y->high) <= 0;
  arb_set_interval_arf(span, &c->a, &c->b, prec);
  arb_set_interval_arf(moved, from, to, prec);
  const arf_struct *const places[] = {&c->a, &c->b, from, to};
  for (int i = 0; i < 4; i++) {
    arb_init(ends[i]);
    arb_set_arf(ends[i], places[i]);
  }
  for (slong j = 0; j < b->of->dim && inside; j++) {
    most = fmax(most, difference(b, x, y, j, span, moved, (const arb_t *)ends));
  }
  for (int i = 0; i < 4; i++) {
    arb_clear(ends[i]);
  }
  arf_clear(shift);
  arf_clear(from);
  arf_clear(to);
  arb_clear(span);
  arb_clear(moved);
  return inside ? most : HUGE_VAL;
}

/* From one nearest point to the other, if they lie on one segment and as close as the ends of the cell; else about each. */
static double bound(branching *b, const cell *c)
{
  const dls_ball_near *at = c->at;
  const double width = arf_get_d(&c->b, ARF_RND_NEAR) - arf_get_d(&c->a, ARF_RND_NEAR);
  const bool together = at[0].segment == at[1].segment;
  double most = HUGE_VAL;
  dls_ball_chord_set(&b->chord, &b->search.work, &b->of->segment[c->segment], &c->a, &c->b);
  if (together) {
    most = convex_bound(b, at[0].segment, fmin(at[0].s, at[1].s), fmax(at[0].s, at[1].s));
  }
  for (int end = 0; end < 2 && (!together || fabs(at[1].s - at[0].s) > 2 * width); end++) {
    most = fmin(most, convex_bound(b, at[end].segment, at[end].s - width, at[end].s + width));
  }
  return most <= b->low ? most : fmin(most, shifted_bound(b, c));
}

/* --- branches --- */

static bool matters(const branching *b, double most)
{
  return most > b->low * (1 + b->tolerance) && most > b->nothing;
}

/* Those that may hold a farthest point are kept. */
static void keep(branching *b, cell *c, double *high)
{
  if (matters(b, c->most)) {
    push(b, c);
  } else {
    *high = fmax(*high, c->most);
    cell_clear(c);
  }
}

static void add_cell(branching *b, size_t segment, const arf_t from, const arf_t to, const dls_ball_near *left,
                     const dls_ball_near *right, double most, double *high)
{
  cell c = {.segment = segment, .at = {*left, *right}};
  arf_init(&c.a);
  arf_init(&c.b);
  arf_set(&c.a, from);
  arf_set(&c.b, to);
  c.most = fmin(most, bound(b, &c));
  keep(b, &c, high);
}

static void split(branching *b, cell *c, double *high)
{
  arf_t middle;
  dls_ball_near near;
  arf_init(middle);
  arf_add(middle, &c->a, &c->b, ARF_PREC_EXACT, ARF_RND_DOWN);
  arf_mul_2exp_si(middle, middle, -1);
  query(b, c->segment, middle, &near);
  add_cell(b, c->segment, &c->a, middle, &c->at[0], &near, c->most, high);
  add_cell(b, c->segment, middle, &c->b, &near, &c->at[1], c->most, high);
  arf_clear(middle);
  cell_clear(c);
}

/* A segment, cut where segments of the other curve begin. */
static void begin(branching *b, size_t index, double *high)
{
  const dls_ball_segment *segment = &b->of->segment[index];
  const dls_ball_curve *other = b->search.curve;
  arf_t from, to;
  dls_ball_near left, right;
  arf_init(from);
  arf_init(to);
  arf_set(from, segment->low);
  query(b, index, from, &left);
  size_t next = dls_ball_curve_segment_at(other, segment->from);
  while (arf_cmp(from, segment->high) < 0) {
    arf_set(to, segment->high);
    while (next < other->count && (other->segment[next].jump || arf_cmp(other->segment[next].low, from) <= 0)) {
      next++;
    }
    if (!segment->jump && next < other->count && arf_cmp(other->segment[next].low, to) < 0) {
      arf_set(to, other->segment[next].low);
    }
    query(b, index, to, &right);
    add_cell(b, index, from, to, &left, &right, HUGE_VAL, high);
    left = right;
    arf_swap(from, to);
  }
  arf_clear(from);
  arf_clear(to);
}

void dls_ball_excess(const dls_ball_curve *of, const dls_ball_curve *from, const arb_t tau, double tolerance,
                     slong prec, double *low, double *high)
{
  branching b = {.of = of, .low = *low, .tolerance = tolerance};
  dls_ball_search_init(&b.search, from, tau, tolerance / 4, prec);
  b.nothing = nothing * fmax(1, fabs(of->segment[of->count - 1].to) / b.search.tau);
  b.search.enough = fmax(b.low, b.nothing);
  dls_ball_chord_init(&b.chord, of->dim);
  dls_ball_chord_init(&b.other, of->dim);
  b.point = _arb_vec_init(1 + of->dim);
  for (size_t i = 0; i < of->count; i++) {
    begin(&b, i, high);
  }
  while (b.count > 0 && matters(&b, b.heap[0].most) && b.made < MOST_CELLS) {
    cell c = pop(&b);
    split(&b, &c, high);
  }
  *high = b.count > 0 ? fmax(*high, b.heap[0].most) : *high;
  *low = b.low;
  for (size_t i = 0; i < b.count; i++) {
    cell_clear(&b.heap[i]);
  }
  flint_free(b.heap);
  dls_ball_chord_clear(&b.chord, of->dim);
  dls_ball_chord_clear(&b.other, of->dim);
  _arb_vec_clear(b.point, 1 + of->dim);
  dls_ball_search_clear(&b.search);
}
