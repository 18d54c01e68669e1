/* analytic/distance/hausdorff.c -- Hausdorff distance of two filled-in graphs.
 *
 * The directed excess sup_{a in A} d(a, B) is found by walking along A. `low` is the distance of some point of
 * A that was computed, `reach` is slightly more. A segment b of B covers the points of a segment of A that are
 * within reach of it: an interval, because b is convex. The walk strings intervals together. Where the
 * neighbours of the last b do not lead on, the nearest segment is looked up: either it does, or its distance is
 * a new, larger low. At the end low <= excess <= reach. A look-up leads on by (reach - low)/2 at least, so that
 * the walk ends; it costs O(log n), and all else is a constant number of intervals for each segment of A and B.
 * Source: Acary, lecture, eqs. (44)-(47); Moreau 1978.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/graph/piece.h"
#include "analytic/graph/polyline.h"
#include <float.h>
#include <stdlib.h>

enum {
  NEIGHBOURS = 32, /* steps to neighbours before a look-up, which costs about as much */
  SAMPLES = 256,   /* vertices that set low before the walk: fewer than 0.1 % of a large graph */
  CAP = 8000000 /* coordinates of vertices that flattening may add to a graph: 2 s and 500 MB for two of them */
};
#define ROUNDING                                                                                               \
  32.0 /* ulp of the largest coordinate: scaling, cubics, differences and crossings, 4 to 8 ulp each */

typedef struct excess {
  const dls_polyline *a, *b;
  double accuracy, floor; /* reach = low + max(accuracy low, floor) */
  double low, reach;
  size_t near; /* segment of b */
} excess;

static void raise_low(excess *e, double distance)
{
  if (distance > e->low) {
    e->low = distance;
  }
  e->reach = e->low + fmax(e->accuracy * e->low, e->floor);
}

/* Intersect [span[0], span[1]] with {s : |c + s d| <= r}; false if nothing is left. */
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
 * That is the rule where graphs are cut at the same times, and costs much less than the exact span. */
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

/* How far along [a, next a] the reach of [b, next b] extends without a gap from s on; s itself if it does not.
 */
static inline double covered(size_t width, const double *a, const double *b, double reach, double s)
{
  if (width > 2 && side_by_side(width, a, b, reach)) {
    return 1.0;
  }
  double span[2];
  return within(width, a, b, reach, span) && span[0] <= s && span[1] > s ? span[1] : s;
}

static void set_point(const excess *e, const double *a, double s, double *point)
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
static double nearest(excess *e, const double *a, double s, double *point, size_t *segment)
{
  const double enough = 0.5 * (e->low + e->reach);
  set_point(e, a, s, point);
  const double distance = dls_polyline_nearest(e->b, point, enough, segment);
  if (distance > enough) { /* the distance itself, not just one that is small enough */
    raise_low(e, distance);
  }
  return distance;
}

/* From s on with segments looked up: past s by the slack reach - distance at least, whatever rounding does.
 * Points ahead are looked up from the far end, by halves, until one segment covers both s and the point. If low
 * was raised at s, these points also raise it half of the way to the peak that follows, so that the walk does
 * not creep up. */
static double look_up(excess *e, const double *a, double s, double *point)
{
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

/* Cover one segment of A; inlined for each width that matters. */
static inline void cover(excess *e, size_t width, const double *a, double *point)
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
      next = look_up(e, a, next, point);
    }
    s = next;
  }
}

static void walk(excess *e, double *point)
{
  const size_t width = e->a->width, step = e->a->count / SAMPLES + 1;
  for (size_t i = 0; i < e->a->count; i += step) {
    raise_low(e, dls_polyline_nearest(e->b, e->a->p + i * width, e->low, &e->near));
  }
  e->near = 0;
  if (width == 2) { /* a constant width lets the compiler unroll: scalar graphs are the common case */
    for (size_t i = 0; i + 1 < e->a->count; i++) {
      cover(e, 2, e->a->p + i * 2, point);
    }
    return;
  }
  for (size_t i = 0; i + 1 < e->a->count; i++) {
    cover(e, width, e->a->p + i * width, point);
  }
}

/* low <= distance of the two polylines <= reach. */
static void both_ways(const dls_polyline *a, const dls_polyline *b, double accuracy, double *point, excess *e)
{
  *e = (excess){.a = a, .b = b, .accuracy = accuracy};
  e->floor = ROUNDING * DBL_EPSILON * fmax(a->largest, b->largest);
  raise_low(e, 0.0);
  walk(e, point);
  e->a = b;
  e->b = a;
  e->near = 0;
  walk(e, point);
}

/* Both polylines, and what the flattening of cubics aims at. */
typedef struct flat {
  dls_polyline a, b;
  dls_flattening aim;
  bool capped; /* chord was raised to respect CAP */
} flat;

static size_t vertices(flat *f, const dls_graph *a, const dls_graph *b, const dls_metric *metric)
{
  dls_polyline_flatten(a, b, metric, f->aim, &f->a);
  dls_polyline_flatten(b, a, metric, f->aim, &f->b);
  return f->a.count > f->b.count ? f->a.count : f->b.count;
}

static dls_status flatten(flat *f, const dls_graph *a, const dls_graph *b, const dls_metric *metric,
                          dls_error *err)
{
  f->a.p = f->b.p = NULL;
  size_t count = vertices(f, a, b, metric);
  while (count > CAP / (a->dim + 1) + a->count + b->count) {
    f->aim.chord *= 4.0;
    f->capped = true;
    count = vertices(f, a, b, metric);
  }
  dls_status status = dls_polyline_allocate(&f->a, err);
  if (status == DLS_OK) {
    status = dls_polyline_allocate(&f->b, err);
  }
  if (status == DLS_OK) {
    vertices(f, a, b, metric);
    dls_polyline_index(&f->a);
    dls_polyline_index(&f->b);
  }
  return status;
}

/* Flatten as f says, measure, and set f->aim.chord for the next time; true when there is nothing to gain. */
static bool measure_once(flat *f, double accuracy, double *point, dls_measure *out)
{
  excess e;
  both_ways(&f->a, &f->b, 0.5 * accuracy, point, &e);
  const double largest = fmax(f->a.slide, f->b.slide), slide = e.reach <= f->aim.reach ? largest : INFINITY;
  const double error = f->a.error + f->b.error + slide + fmax(f->a.shear, f->b.shear) * e.reach;
  const double bound = e.reach - e.low + e.floor + error;
  if (bound < out->bound) {
    *out = (dls_measure){.value = e.low, .bound = bound};
  }
  const bool done =
      error <= fmax(0.5 * accuracy * e.low, e.floor) || f->capped || f->aim.chord <= 1.01 * e.floor;
  /* An eighth: both graphs and the shear together stay below the half allowed. While the distance itself is not
   * yet known, error/64 makes each flattening 8 times larger, so that the last one costs the most. */
  const double next = fmax(0.125 * accuracy * e.low, error / 64.0);
  f->aim.chord = fmax(fmin(next, 0.25 * f->aim.chord), e.floor);
  f->aim.shear = e.reach > 0.0 ? 0.125 * fmax(accuracy * e.low, e.floor) / e.reach : 1.0;
  f->aim.reach = 2.0 * (out->value + out->bound); /* twice: that of the next polylines may be larger */
  return done;
}

dls_status dls_hausdorff(const dls_graph *a, const dls_graph *b, const dls_metric *metric, dls_measure *out,
                         dls_error *err)
{
  dls_status status = dls_graph_check_pair(a, b, metric, err);
  if (status != DLS_OK) {
    return status;
  }
  double *point = malloc((a->dim + 1) * sizeof *point);
  if (point == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a point of %zu coordinates", a->dim + 1);
  }
  *out = (dls_measure){.value = 0.0, .bound = INFINITY};
  flat f = {.aim = {.chord = INFINITY, .shear = 0.125 * metric->accuracy, .reach = INFINITY}};
  for (bool done = false; status == DLS_OK && !done;) {
    status = flatten(&f, a, b, metric, err);
    done = status == DLS_OK && measure_once(&f, metric->accuracy, point, out);
    dls_polyline_free(&f.a);
    dls_polyline_free(&f.b);
  }
  free(point);
  return status;
}
