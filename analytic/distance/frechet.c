/* analytic/distance/frechet.c -- the Frechet distance of polylines in the metric of the largest coordinate.
 * Source: Alt & Godau 1995.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/frechet.h"
#include "analytic/distance/interrupt.h"
#include "common/base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { LOOK_AHEAD = 64 }; /* vertices in a row that no chord fits before a search is given up */
/* fraction of the accuracy by which omitted vertices may change the distance */
static const double thinned = 0.25;

/* --- omitting vertices --- */

/* Lines through the first vertex that pass all later vertices within `most`: range of their slopes. */
typedef struct sleeve {
  double *low, *high; /* width - 1 */
} sleeve;

static void open_sleeve(sleeve *s, size_t width)
{
  for (size_t k = 0; k + 1 < width; k++) {
    s->low[k] = -INFINITY;
    s->high[k] = INFINITY;
  }
}

/* Does the chord from `first` to p pass all vertices in between? */
static bool chord_fits(const sleeve *s, size_t width, const double *first, const double *p)
{
  const double dt = p[0] - first[0];
  bool fits = dt > 0;
  for (size_t k = 0; k + 1 < width && fits; k++) {
    const double rise = p[k + 1] - first[k + 1];
    fits = rise >= s->low[k] * dt && rise <= s->high[k] * dt;
  }
  return fits;
}

/* Vertex p must be passed too. @return false if no line does */
static bool narrow(sleeve *s, size_t width, const double *first, const double *p, double most)
{
  const double dt = p[0] - first[0];
  bool open = true;
  for (size_t k = 0; k + 1 < width && open; k++) {
    const double rise = p[k + 1] - first[k + 1];
    if (dt > 0) {
      s->low[k] = fmax(s->low[k], (rise - most) / dt);
      s->high[k] = fmin(s->high[k], (rise + most) / dt);
      open = s->low[k] <= s->high[k];
    } else {
      open = fabs(rise) <= most;
    }
  }
  return open;
}

static void keep(dls_chain *out, const double *p)
{
  memcpy(out->p + out->count++ * out->width, p, out->width * sizeof *p);
}

void dls_chain_thin(const dls_polyline *line, double most, double *scratch, dls_chain *out)
{
  const size_t width = out->width = line->width;
  sleeve s = {scratch, scratch + width};
  out->count = 0;
  keep(out, line->p);
  for (size_t first = 0, last; first + 1 < line->count; first = last) {
    const double *start = line->p + first * width;
    last = first + 1; /* the chord to this vertex is enough */
    open_sleeve(&s, width);
    for (size_t i = first + 2; i < line->count && i < last + LOOK_AHEAD && most > 0 &&
                               narrow(&s, width, start, line->p + (i - 1) * width, most);
         i++) {
      last = chord_fits(&s, width, start, line->p + i * width) ? i : last;
    }
    keep(out, line->p + last * width);
  }
}

/* --- free space --- */

static double distance(size_t width, const double *p, const double *q)
{
  double most = 0.0;
  for (size_t k = 0; k < width; k++) {
    most = fmax(most, fabs(p[k] - q[k]));
  }
  return most;
}

/* The interval [span[0], span[1]] of [0, 1] where b + span w, w = next - b, is within reach of p; false if empty. */
static bool free_part(size_t width, const double *p, const double *b, double reach, double span[2])
{
  span[0] = 0.0;
  span[1] = 1.0;
  for (size_t k = 0; k < width; k++) {
    const double c = p[k] - b[k], w = b[width + k] - b[k];
    if (w == 0.0) {
      span[0] = fabs(c) <= reach ? span[0] : 2.0;
      continue;
    }
    const double u = (c - reach) / w, v = (c + reach) / w;
    span[0] = fmax(span[0], fmin(u, v));
    span[1] = fmin(span[1], fmax(u, v));
  }
  return span[0] <= span[1];
}

/* First reachable point of the free interval on a side of a cell: from the opposite side anywhere, from the adjacent
 * side not before `along`; NAN: unreachable. */
static double reached(size_t width, const double *p, const double *b, double reach, double across, double along)
{
  double span[2];
  if ((isnan(across) && isnan(along)) || !free_part(width, p, b, reach, span)) {
    return NAN;
  }
  const double first = isnan(across) ? fmax(span[0], along) : span[0];
  return first <= span[1] ? first : NAN;
}

/* The cells between vertices i and i + 1 of a. row[j]: first reachable point of the side at vertex i, then at i + 1;
 * from `first` to *end. below: the same for the side at the first vertex of b. */
static void pass_row(const dls_chain *a, const dls_chain *b, size_t i, double reach, double below, size_t first,
                     size_t *end, double *row)
{
  const size_t width = a->width, cells = b->count - 1;
  const double *p = a->p + i * width;
  size_t j = first;
  for (; j < cells && (j < *end || !isnan(below)); j++) {
    const double *q = b->p + j * width, left = j < *end ? row[j] : NAN;
    row[j] = reached(width, p + width, q, reach, below, left);
    below = reached(width, q + width, p, reach, left, below);
  }
  while (j > first && isnan(row[j - 1])) {
    j--;
  }
  *end = j;
}

bool dls_frechet_within(const dls_chain *a, const dls_chain *b, double reach, double *row)
{
  const size_t width = a->width;
  const double *last_a = a->p + (a->count - 1) * width, *last_b = b->p + (b->count - 1) * width;
  if (!(distance(width, a->p, b->p) <= reach && distance(width, last_a, last_b) <= reach)) {
    return false;
  }
  size_t first = 0, end = 1;
  row[0] = 0.0;
  while (end + 1 < b->count && distance(width, a->p, b->p + end * width) <= reach) {
    row[end++] = 0.0; /* b may advance while a waits */
  }
  bool waits = true; /* b is at its first vertex: a advanced alone */
  for (size_t i = 0; i + 1 < a->count && first < end; i++) {
    const double below = waits ? 0.0 : NAN;
    pass_row(a, b, i, reach, below, first, &end, row);
    waits = waits && distance(width, a->p + (i + 1) * width, b->p) <= reach;
    while (first < end && isnan(row[first]) && !waits) {
      first++;
    }
    end = waits && end == 0 ? 1 : end;
    if (dls_interrupt_after(end - first)) {
      return false;
    }
  }
  return end == b->count - 1;
}

/* --- the distance --- */

typedef struct polylines {
  const dls_polyline *line[2];
  dls_chain chain[2];
  double off; /* change of the distance by omitted vertices */
  double *row, *scratch;
} polylines;

static void thin(polylines *w, double most)
{
  for (int i = 0; i < 2; i++) {
    dls_chain_thin(w->line[i], 0.5 * most, w->scratch, &w->chain[i]);
  }
  w->off = most;
}

/* Is the distance at most reach? If so *high := reach, else *low := reach. */
static void decide(polylines *w, const dls_excess *e, double reach, double *low, double *high)
{
  const double most = thinned * e->accuracy * reach;
  if (most > 4.0 * w->off || most < w->off) {
    thin(w, most);
  }
  if (dls_frechet_within(&w->chain[0], &w->chain[1], reach, w->row)) {
    *high = fmin(*high, reach + w->off + e->floor);
  } else {
    *low = fmax(*low, reach - w->off - e->floor);
  }
}

static void search(polylines *w, dls_excess *e)
{
  const size_t width = w->line[0]->width;
  const double *a = w->line[0]->p, *b = w->line[1]->p;
  const size_t end_a = (w->line[0]->count - 1) * width, end_b = (w->line[1]->count - 1) * width;
  double low = fmax(e->low, fmax(distance(width, a, b), distance(width, a + end_a, b + end_b))),
         high = INFINITY;
  double reach = low;
  for (double more = 0.5; high == INFINITY && reach < INFINITY && !dls_interrupt_after(0); more *= 4.0) {
    reach = low + more * fmax(e->accuracy * low, 4.0 * e->floor);
    decide(w, e, reach, &low, &high);
  }
  while (high < INFINITY && high - low > fmax(e->accuracy * low, 6.0 * e->floor) && !dls_interrupt_after(0)) {
    decide(w, e, 0.5 * (low + high), &low, &high);
  }
  e->low = low;
  e->reach = high;
}

dls_status dls_frechet(void *unused, const dls_polyline *a, const dls_polyline *b, dls_excess *e,
                       dls_error *err)
{
  (void)unused;
  const size_t width = a->width, vertices = a->count + b->count;
  double *block = malloc(
      dls_size_product(dls_size_sum(dls_size_product(vertices, width), b->count + 2 * width), sizeof *block));
  if (block == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory to traverse graphs of %zu and %zu nodes", a->count,
                    b->count);
  }
  polylines w = {.line = {a, b}, .off = INFINITY};
  w.chain[0].p = block;
  w.chain[1].p = block + a->count * width;
  w.row = block + vertices * width;
  w.scratch = w.row + b->count;
  search(&w, e);
  free(block);
  return DLS_OK;
}
