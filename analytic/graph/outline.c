/* analytic/graph/outline.c -- pieces of an outline: twice as long as long as that will do.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/graph/outline.h"
#include "analytic/graph/piece.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDING                                                                                               \
  16.0 /* ulps that a value of a piece and a difference of two lose, of their largest coefficients */

/* One piece of an outline, from a node of the original to another one. */
typedef struct stroke {
  const dls_graph *graph;
  dls_graph one; /* two nodes, whose cubic it is */
  double apart, size;
  double *lost; /* dim */
} stroke;

static void set_end(const dls_graph *graph, size_t node, dls_graph *one, size_t at)
{
  const size_t size = graph->dim * sizeof *one->x;
  one->t[at] = graph->t[node];
  memcpy(one->x + at * graph->dim, graph->x + node * graph->dim, size);
  memcpy(one->slope + at * graph->dim, graph->slope + node * graph->dim, size);
}

/* Component k of piece i: the original less the stroke. */
static void compare_piece(stroke *s, size_t i, size_t k)
{
  double c[4], d[4];
  const double from = s->graph->t[i], to = s->graph->t[i + 1];
  dls_piece_part(s->graph, i, k, from, to, c);
  dls_piece_part(&s->one, 0, k, from, to, d);
  const double size = dls_piece_largest(c) + dls_piece_largest(d), rounding = ROUNDING * DBL_EPSILON * size;
  s->size = dls_higher(s->size, size);
  for (size_t l = 0; l < 4; l++) {
    d[l] = c[l] - d[l];
  }
  s->apart = dls_higher(s->apart, dls_piece_largest(d) + rounding);
  s->lost[k] += (to - from) * 0.25 * (d[0] + d[1] + d[2] + d[3]);
}

/* The stroke from node i to node j. @return false if it is farther than `error` from the graph, or a jump is in its way */
static bool draw(stroke *s, size_t i, size_t j, double error)
{
  const dls_graph *g = s->graph;
  set_end(g, i, &s->one, 0);
  set_end(g, j, &s->one, 1);
  s->apart = 0.0;
  memset(s->lost, 0, g->dim * sizeof *s->lost);
  for (size_t p = i; p < j && j > i + 1; p++) {
    if (!(g->t[p] < g->t[p + 1])) {
      return false;
    }
    for (size_t k = 0; k < g->dim; k++) {
      compare_piece(s, p, k);
    }
    if (!(s->apart <= error)) {
      return false;
    }
  }
  return true;
}

/* The end of a long stroke from node i, which is drawn; the one before had *length pieces. Some will do with up to half as many
 * pieces more, which is not worth the trials. */
static size_t longest(stroke *s, size_t i, double error, size_t *length)
{
  const size_t most = s->graph->count - 1 - i;
  size_t l = *length < most ? *length : most;
  while (l > 1 && !draw(s, i, i + l, error)) {
    l /= 2;
  }
  while (2 * l <= most && draw(s, i, i + 2 * l, error)) {
    l *= 2;
  }
  l += l / 2 > 0 && l + l / 2 <= most && draw(s, i, i + l + l / 2, error) ? l / 2 : 0;
  draw(s, i, i + l, error);
  *length = l;
  return i + l;
}

static void draw_all(stroke *s, double error, dls_outline *out)
{
  const dls_graph *g = s->graph;
  set_end(g, 0, out->graph, 0);
  out->graph->count = 1;
  for (size_t i = 0, length = 1; i + 1 < g->count;) {
    const size_t piece = out->graph->count - 1;
    i = longest(s, i, error, &length);
    out->apart[piece] = s->apart;
    memcpy(out->lost + piece * g->dim, s->lost, g->dim * sizeof *s->lost);
    out->error = dls_higher(out->error, s->apart);
    out->size = s->size;
    set_end(g, i, out->graph, out->graph->count++);
  }
}

dls_status dls_outline_create(const dls_graph *graph, double error, dls_outline *out, dls_error *err)
{
  *out = (dls_outline){.graph = dls_graph_create(graph->count, graph->dim, true),
                       .apart = calloc(graph->count, sizeof *out->apart),
                       .lost = calloc(graph->count, graph->dim * sizeof *out->lost)};
  dls_graph *one = dls_graph_create(2, graph->dim, true);
  double *lost = malloc(graph->dim * sizeof *lost);
  const bool there =
      out->graph != NULL && out->apart != NULL && out->lost != NULL && one != NULL && lost != NULL;
  if (there) {
    stroke s = {.graph = graph, .one = *one, .lost = lost};
    draw_all(&s, error, out);
  } else {
    dls_outline_free(out);
  }
  dls_graph_destroy(one);
  free(lost);
  return there ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for an outline of %zu nodes", graph->count);
}

void dls_outline_free(dls_outline *outline)
{
  dls_graph_destroy(outline->graph);
  free(outline->apart);
  free(outline->lost);
  *outline = (dls_outline){0};
}
