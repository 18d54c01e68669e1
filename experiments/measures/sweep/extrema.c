/* experiments/measures/sweep/extrema.c -- local extrema of a graph: nodes, and where the slope of a cubic piece is zero.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/sweep/extrema.h"
#include <math.h>
#include <stdlib.h>

enum { INSIDE = 2 }; /* extrema that a cubic can have between two nodes */

/* State of the search along the values: direction, and the farthest value in it. */
typedef struct walk {
  double threshold; /* a turn is one once the way back is longer than this */
  int direction;    /* 1 up, -1 down, 0 not known yet */
  double low, high; /* since the last turn; before the first of both directions */
  dls_extrema *out; /* room for all of them */
} walk;

static void step(walk *w, double x)
{
  w->low = fmin(w->low, x);
  w->high = fmax(w->high, x);
  if (w->direction >= 0 && w->high - x > w->threshold) {
    if (w->direction > 0) {
      w->out->x[w->out->count++] = w->high;
    }
    w->direction = -1;
    w->low = w->high = x;
  } else if (w->direction <= 0 && x - w->low > w->threshold) {
    if (w->direction < 0) {
      w->out->x[w->out->count++] = w->low;
    }
    w->direction = 1;
    w->low = w->high = x;
  }
}

/* Roots in (0, 1) of the slope of piece i,
 *   h x'(s) = A s^2 + B s + C,  A = 6 (x0 - x1) + 3 h (m0 + m1),  B = -6 (x0 - x1) - 4 h m0 - 2 h m1,  C = h m0,
 * in their order. @return their number */
static size_t flat_places(const dls_graph *graph, size_t i, double s[INSIDE])
{
  if (graph->slope == NULL) {
    return 0;
  }
  const double h = graph->t[i + 1] - graph->t[i], down = graph->x[i] - graph->x[i + 1];
  const double m0 = h * graph->slope[i], m1 = h * graph->slope[i + 1];
  const double A = 6 * down + 3 * (m0 + m1), B = -6 * down - 4 * m0 - 2 * m1, C = m0;
  const double under = B * B - 4 * A * C;
  if (!(h > 0 && under >= 0)) {
    return 0;
  }
  const double half = -0.5 * (B + copysign(sqrt(under), B)); /* without cancellation */
  const double roots[INSIDE] = {half != 0 ? C / half : NAN, A != 0 ? half / A : NAN};
  size_t count = 0;
  for (size_t k = 0; k < INSIDE; k++) {
    if (roots[k] > 0 && roots[k] < 1) {
      s[count++] = roots[k];
    }
  }
  if (count == INSIDE && s[0] > s[1]) {
    const double first = s[1];
    s[1] = s[0];
    s[0] = first;
  }
  return count;
}

/* All values at which the quantity can turn. */
static void visit(const dls_graph *graph, void (*take)(walk *w, double x), walk *w)
{
  for (size_t i = 0; i < graph->count; i++) {
    double s[INSIDE];
    take(w, graph->x[i]);
    const size_t inside = i + 1 < graph->count ? flat_places(graph, i, s) : 0;
    for (size_t k = 0; k < inside; k++) {
      double x = 0;
      dls_graph_value(graph, graph->t[i] + s[k] * (graph->t[i + 1] - graph->t[i]), 1, &x);
      take(w, x);
    }
  }
}

static void measure(walk *w, double x)
{
  w->low = fmin(w->low, x);
  w->high = fmax(w->high, x);
}

dls_status dls_extrema_find(const dls_graph *graph, double noise, dls_extrema *out, dls_error *err)
{
  walk w = {.low = INFINITY, .high = -INFINITY, .out = out};
  visit(graph, measure, &w);
  *out = (dls_extrema){.least = w.low, .largest = w.high};
  out->x = malloc(((INSIDE + 1) * graph->count + 1) * sizeof *out->x);
  if (out->x == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the turns of %zu nodes", graph->count);
  }
  w = (walk){.threshold = noise * (out->largest - out->least), .low = INFINITY, .high = -INFINITY, .out = out};
  visit(graph, step, &w);
  return DLS_OK;
}

void dls_extrema_clear(dls_extrema *extrema)
{
  free(extrema->x);
  *extrema = (dls_extrema){0};
}
