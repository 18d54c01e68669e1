/* analytic/graph/march.h -- a walk along one component of a graph by values and slopes: cheaper than dls_cursor where most
 * intervals end at nodes of this graph, to a few ulps the same.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_MARCH_H
#define DELASSUS_ANALYTIC_MARCH_H

#include "analytic/graph/piece.h"
#include <stdbool.h>

/* Coefficients are off by no more than 16 ulp of `size`. */
typedef struct dls_march {
  const dls_graph *graph;
  size_t component, piece;
  double x, slope;         /* behind the place */
  double last, last_slope; /* before the end of the piece */
  double a[4];             /* the piece is the sum of a_l (t - start)^l, once `expanded` */
  double size;
  bool expanded;
} dls_march;

/* To the start of a piece, t[piece] < t[piece + 1]. */
static inline void dls_march_enter(dls_march *m, size_t piece)
{
  const dls_graph *g = m->graph;
  const size_t p = piece * g->dim + m->component, q = p + g->dim;
  const double length = g->t[piece + 1] - g->t[piece];
  m->piece = piece;
  m->expanded = false;
  m->x = g->x[p];
  m->last = g->x[q];
  if (g->slope != NULL) {
    m->slope = g->slope[p];
    m->last_slope = g->slope[q];
  } else {
    m->slope = m->last_slope = (m->last - m->x) / length;
  }
  m->size = dls_higher(fabs(m->x), fabs(m->last)) + length * dls_higher(fabs(m->slope), fabs(m->last_slope));
}

/* At the start of a piece, or where it has been expanded before. */
static inline void dls_march_expand(dls_march *m)
{
  const dls_graph *g = m->graph;
  const size_t p = m->piece * g->dim + m->component;
  const double length = g->t[m->piece + 1] - g->t[m->piece], secant = (m->last - g->x[p]) / length;
  m->a[0] = g->x[p];
  m->a[1] = g->slope != NULL ? g->slope[p] : secant;
  m->a[2] = g->slope != NULL ? (3.0 * secant - 2.0 * m->a[1] - m->last_slope) / length : 0.0;
  m->a[3] = g->slope != NULL ? (m->a[1] + m->last_slope - 2.0 * secant) / (length * length) : 0.0;
  m->size += length * length * (fabs(m->a[2]) + length * fabs(m->a[3]));
  m->expanded = true;
}

/* c: Bernstein coefficients from the last place, 3 third before it, to the time `to` of this piece, where the walk is then. */
static inline void dls_march_part(dls_march *m, double third, double to, double c[4])
{
  const double *node = m->graph->t + m->piece;
  c[0] = m->x;
  c[1] = m->x + third * m->slope;
  if (to == node[1]) {
    m->x = m->last;
    m->slope = m->last_slope;
  } else {
    if (!m->expanded) {
      dls_march_expand(m);
    }
    const double *a = m->a, s = to - node[0];
    m->x = ((a[3] * s + a[2]) * s + a[1]) * s + a[0];
    m->slope = (3.0 * a[3] * s + 2.0 * a[2]) * s + a[1];
  }
  c[2] = m->x - third * m->slope;
  c[3] = m->x;
}

/* To the piece with the time t, unless the walk is in it. */
static inline void dls_march_follow(dls_march *m, double t)
{
  const double *node = m->graph->t;
  size_t i = m->piece;
  if (node[i + 1] <= t) {
    while (node[i + 1] <= t) {
      i++;
    }
    dls_march_enter(m, i);
  }
}

/* The walk on a component at t, t[piece] <= t < t[piece + 1]. */
static inline dls_march dls_march_in(const dls_graph *graph, size_t component, size_t piece, double t)
{
  dls_march m = {.graph = graph, .component = component};
  double c[4];
  dls_march_enter(&m, piece);
  if (t > graph->t[piece]) {
    dls_march_part(&m, 0.0, t, c);
  }
  return m;
}

/* The walk on a component at t, in the piece that is behind it. */
static inline dls_march dls_march_at(const dls_graph *graph, size_t component, double t)
{
  return dls_march_in(graph, component, dls_graph_search(graph, t, true) - 1, t);
}

#endif
