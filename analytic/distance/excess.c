/* analytic/distance/excess.c -- the directed excess sup_{a in A} d(a, B) of polylines, by a traversal of A.
 *
 * `low` is the distance of some point of A that was computed, `reach` is slightly more. A segment b of B covers the
 * points of a segment of A that are within reach of it: an interval, because b is convex. The traversal joins such
 * intervals. Where no neighbour of the last b continues them, the nearest segment is searched: either it continues them, or
 * its distance is a new, larger low. At the end low <= excess <= reach. A search advances by at least (reach - low)/2, so
 * the traversal terminates. It costs O(log n); all other work is a constant number of intervals per segment of A and B.
 * Source: Acary, lecture, eqs. (44)-(47); Moreau 1978.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/excess.h"
#include "analytic/distance/interrupt.h"
#include <float.h>

enum {
  NEIGHBOURS = 32,  /* neighbours tried before a search, which costs about as much */
  SAMPLES = 256,    /* vertices that raise low before the traversal: fewer than 0.1 % of a large graph */
  FEW_SAMPLES = 16, /* the same if low is already known */
  PART = 4096,      /* segments covered between two checks for an interrupt */
};
#define ROUNDING                                                                                               \
  32.0 /* ulp of the largest coordinate: scaling, cubics, differences and crossings, 4 to 8 ulp each */

void dls_excess_raise(dls_excess *e, double distance)
{
  if (distance > e->low) {
    e->low = distance;
  }
  e->reach = e->low + fmax(e->accuracy * e->low, e->floor);
}

double dls_excess_rounding(double largest)
{
  return ROUNDING * DBL_EPSILON * largest;
}

/* Intersect [span[0], span[1]] with {s : |c + s d| <= r}; false if it is empty. */
static inline bool clip(double c, double d, double r, double span[2])
{
  if (d == 0.0) {
    return fabs(c) <= r;
  }
  const double p = (-r - c) / d, q = (r - c) / d;
  const double low = p < q ? p : q, high = p < q ? q : p;
  span[0] = low > span[0] ? low : span[0];
  span[1] = high < span[1] ? high : span[1];
  return span[0] <= span[1];
}

/* Whether both ends of [a, next a] are within reach of the ends of [b, next b]: then all of it is within reach of b.
 * This is the usual case where graphs are cut at the same times, and costs much less than the exact span. */
static inline bool side_by_side(size_t width, const double *a, const double *b, double reach)
{
  bool near = true;
  for (size_t i = 0; i < 2 * width; i++) {
    near = near && fabs(a[i] - b[i]) <= reach;
  }
  return near;
}

/* span := the part of [a, next a] within reach of [b, next b]; false if there is none.
 * The conditions are those of dls_segment_distance, linear in s. */
static inline bool within(size_t width, const double *a, const double *b, double reach, double span[2])
{
  span[0] = 0.0;
  span[1] = 1.0;
  for (size_t i = 0; i < width; i++) {
    const double c = a[i] - b[i], u = a[width + i] - a[i], w = b[width + i] - b[i];
    if (!clip(c - 0.5 * w, u, reach + 0.5 * fabs(w), span)) {
      return false;
    }
    for (size_t j = 0; j < i; j++) {
      const double cj = a[j] - b[j], uj = a[width + j] - a[j], wj = b[width + j] - b[j];
      if (!clip(c * wj - cj * w, u * wj - uj * w, reach * (fabs(w) + fabs(wj)), span)) {
        return false;
      }
    }
  }
  return true;
}

/* Largest s up to which [a, next a] is within reach of [b, next b] without a gap; s itself if it is not.
 */
static inline double covered(size_t width, const double *a, const double *b, double reach, double s)
{
  if (width > 2 && side_by_side(width, a, b, reach)) {
    return 1.0;
  }
  double span[2];
  return within(width, a, b, reach, span) && span[0] <= s && span[1] > s ? span[1] : s;
}

static void set_point(const dls_excess *e, const double *a, double s, double *point)
{
  for (size_t i = 0; i < e->a->width; i++) {
    point[i] = a[i] + s * (a[e->a->width + i] - a[i]);
  }
}

static double segment_length(size_t width, const double *a)
{
  double length = 0.0;
  for (size_t i = 0; i < width; i++) {
    length = fmax(length, fabs(a[width + i] - a[i]));
  }
  return length;
}

/* Raise low to the distance of a(s) if it is larger. segment := one within reach of a(s), at the distance
 * returned. */
static double nearest(dls_excess *e, const double *a, double s, double *point, size_t *segment)
{
  const double enough = 0.5 * (e->low + e->reach);
  set_point(e, a, s, point);
  const double distance = dls_polyline_nearest(e->b, point, enough, segment);
  if (distance > enough) { /* the exact distance, not only an upper bound */
    dls_excess_raise(e, distance);
  }
  return distance;
}

/* Continue from s by searching segments: past s by at least the slack reach - distance, despite rounding. Points ahead
 * are searched from the far end, halving the distance, until one segment covers both s and the point. If low was raised at
 * s, these points also raise it half of the way to the next peak, which avoids many small advances. After an interrupt the
 * segment counts as covered. */
static double advance_by_search(dls_excess *e, const double *a, double s, double *point)
{
  if (dls_interrupt_after(1)) {
    return 1.0;
  }
  const size_t width = e->a->width;
  const double distance = nearest(e, a, s, point, &e->near), length = segment_length(width, a);
  const double least = length > 0.0 ? s + (e->reach - distance) / length : 1.0;
  for (double ahead = 1.0; ahead > least; ahead = 0.5 * (s + ahead)) {
    size_t segment = e->near;
    double span[2];
    nearest(e, a, ahead, point, &segment);
    if (within(width, a, e->b->p + segment * width, e->reach, span) && span[0] <= s && span[1] >= ahead) {
      e->near = segment;
      return span[1];
    }
  }
  return fmax(least, covered(width, a, e->b->p + e->near * width, e->reach, s));
}

/* Cover one segment of A; inlined for each frequent width. */
static inline void cover(dls_excess *e, size_t width, const double *a, double *point)
{
  const double *b = e->b->p;
  double s = covered(width, a, b + e->near * width, e->reach, 0.0);
  for (int steps = 0; s < 1.0; steps++) {
    double next = s;
    if (e->near + 2 < e->b->count) {
      next = covered(width, a, b + (e->near + 1) * width, e->reach, s);
      e->near += next > s;
    }
    if (next == s && e->near > 0) {
      next = covered(width, a, b + (e->near - 1) * width, e->reach, s);
      e->near -= next > s;
    }
    if (next == s || steps % NEIGHBOURS == NEIGHBOURS - 1) {
      next = advance_by_search(e, a, next, point);
    }
    s = next;
  }
}

/* First segment that ends at or after the time. */
static size_t first_segment(const dls_polyline *line, double time)
{
  size_t low = 0, high = line->count - 2;
  while (low < high) {
    const size_t mid = low + (high - low) / 2;
    if (line->p[(mid + 1) * line->width] < time) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }
  return low;
}

static void sample(dls_excess *e, size_t first, size_t end)
{
  const size_t step = (end - first) / (e->low > 0.0 ? FEW_SAMPLES : SAMPLES) + 1;
  for (size_t i = first; i <= end; i += step) {
    dls_excess_raise(e, dls_polyline_nearest(e->b, e->a->p + i * e->a->width, e->low, &e->near));
  }
}

/* Cover the segments [first, end). */
static void cover_part(dls_excess *e, size_t first, size_t end, double *point)
{
  const double *p = e->a->p;
  const size_t width = e->a->width;
  if (width == 2) { /* a constant width lets the compiler unroll: scalar graphs are the common case */
    for (size_t i = first; i < end; i++) {
      cover(e, 2, p + i * 2, point);
    }
    return;
  }
  for (size_t i = first; i < end; i++) {
    cover(e, width, p + i * width, point);
  }
}

static void traverse(dls_excess *e, const double core[2], double *point)
{
  const double *p = e->a->p;
  const size_t width = e->a->width, first = first_segment(e->a, core[0]);
  size_t end = first_segment(e->a, core[1]) + 1; /* vertex after the last segment */
  while (end + 1 < e->a->count && p[end * width] <= core[1]) {
    end++;
  }
  sample(e, first, end);
  e->covered[0] = fmin(e->covered[0], p[first * width]);
  e->covered[1] = fmax(e->covered[1], p[end * width]);
  for (size_t i = first; i < end;) {
    const size_t part = end - i < PART ? end : i + PART;
    cover_part(e, i, part, point);
    i = dls_interrupt_after(part - i) ? end : part;
  }
}

void dls_excess_both_ways(const dls_polyline *a, const dls_polyline *b, const double core[2], double *point,
                          dls_excess *e)
{
  dls_excess_raise(e, 0.0);
  e->covered[0] = INFINITY;
  e->covered[1] = -INFINITY;
  for (int way = 0; way < 2; way++) {
    e->a = way == 0 ? a : b;
    e->b = way == 0 ? b : a;
    e->near = 0;
    traverse(e, core, point);
  }
}
