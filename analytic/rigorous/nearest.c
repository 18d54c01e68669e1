/* analytic/rigorous/nearest.c -- see nearest.h. Segments whose boxes are farther than what was found are left out, the others cut to what may be
 * nearer, and halved until their chords tell the distance.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/nearest.h"
#include <math.h>

enum { DEPTH = 50 };
static const double outward = 1e-12; /* more than all rounding of doubles here, relative */

void dls_ball_search_init(dls_ball_search *search, const dls_ball_curve *curve, const arb_t tau,
                          double tolerance, slong prec)
{
  search->curve = curve;
  search->tolerance = tolerance;
  search->tau = arf_get_d(arb_midref(tau), ARF_RND_NEAR);
  dls_ball_chords_init(&search->work, curve->dim, tau, prec);
  dls_ball_chord_init(&search->chord, curve->dim);
}

void dls_ball_search_clear(dls_ball_search *search)
{
  dls_ball_chord_clear(&search->chord, search->curve->dim);
  dls_ball_chords_clear(&search->work);
}

size_t dls_ball_curve_segment_at(const dls_ball_curve *curve, double t)
{
  size_t low = 0, high = curve->count - 1;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (curve->segment[middle].to < t) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

typedef struct query {
  dls_ball_search *search;
  arb_srcptr point;
  double t, *x; /* about */
  double least; /* proven lower bound so far of segments that were looked at */
  dls_ball_near *best;
} query;

/* The piece [a, b] of a segment: lowers best.high, and least. */
static void examine(query *q, size_t index, const arf_t a, const arf_t b, int depth)
{
  dls_ball_search *search = q->search;
  const dls_ball_segment *segment = &search->curve->segment[index];
  double low, high, where;
  dls_ball_chord_set(&search->chord, &search->work, segment, a, b);
  dls_ball_chord_distance(&search->work, q->point, &search->chord, NULL, &low, &high, &where);
  if (high < q->best->high) {
    const double from = arf_get_d(a, ARF_RND_NEAR), to = arf_get_d(b, ARF_RND_NEAR);
    q->best->high = high;
    q->best->segment = index;
    q->best->s = from + where * (to - from);
  }
  if (low >= q->best->high * (1 - search->tolerance) || q->best->high <= search->enough || depth == 0) {
    q->least = fmin(q->least, low);
    return;
  }
  arf_t middle;
  arf_init(middle);
  arf_add(middle, a, b, ARF_PREC_EXACT, ARF_RND_DOWN);
  arf_mul_2exp_si(middle, middle, -1);
  const bool right = where > 0.5; /* the nearer half first */
  examine(q, index, right ? middle : a, right ? b : middle, depth - 1);
  examine(q, index, right ? a : middle, right ? middle : b, depth - 1);
  arf_clear(middle);
}

/* No point of the segment is nearer than this; rounded down. */
static double box_distance(const query *q, const dls_ball_segment *segment)
{
  double far = fmax(segment->from - q->t, q->t - segment->to) / q->search->tau;
  double size = fabs(q->t);
  for (slong j = 0; j < q->search->curve->dim; j++) {
    far = fmax(far, fmax(segment->least[j] - q->x[j], q->x[j] - segment->most[j]));
    size = fmax(size, fabs(q->x[j]));
  }
  return far * (1 - outward) - size * 1e-15 - 1e-28;
}

/* The segment as far as it may be nearer than what was found. */
static void look(query *q, size_t index)
{
  const dls_ball_segment *segment = &q->search->curve->segment[index];
  if (box_distance(q, segment) >= q->best->high) {
    return;
  }
  arf_t a, b, cut;
  arf_init(a);
  arf_init(b);
  arf_init(cut);
  arf_set(a, segment->low);
  arf_set(b, segment->high);
  if (!segment->jump && q->best->high < HUGE_VAL) {
    const double reach = q->search->tau * q->best->high * (1 + outward) + fabs(q->t) * 1e-15;
    arf_set_d(cut, q->t - reach);
    arf_max(a, a, cut);
    arf_min(a, a, b);
    arf_set_d(cut, q->t + reach);
    arf_min(b, b, cut);
    arf_max(b, a, b);
  }
  examine(q, index, a, b, DEPTH);
  arf_clear(a);
  arf_clear(b);
  arf_clear(cut);
}

void dls_ball_nearest(dls_ball_search *search, arb_srcptr point, double t, dls_ball_near *out)
{
  const dls_ball_curve *curve = search->curve;
  double few[8], *x = curve->dim <= 8 ? few : flint_malloc((size_t)curve->dim * sizeof *x);
  query q = {.search = search, .point = point, .t = t, .x = x, .least = HUGE_VAL, .best = out};
  for (slong j = 0; j < curve->dim; j++) {
    x[j] = arf_get_d(arb_midref(point + 1 + j), ARF_RND_NEAR);
  }
  *out = (dls_ball_near){.high = HUGE_VAL};
  const size_t here = dls_ball_curve_segment_at(curve, t);
  size_t before = here, behind = here;
  look(&q, here);
  bool more = true;
  while (more) { /* outward, both ways */
    more = false;
    const double reach = search->tau * out->high * (1 + outward) + fabs(t) * 1e-15;
    if (before > 0 && t - curve->segment[before - 1].to <= reach) {
      look(&q, --before);
      more = true;
    }
    if (behind + 1 < curve->count && curve->segment[behind + 1].from - t <= reach) {
      look(&q, ++behind);
      more = true;
    }
  }
  out->low = fmin(q.least, out->high);
  if (x != few) {
    flint_free(x);
  }
}
