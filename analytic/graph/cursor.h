/* analytic/graph/cursor.h -- a walk along one component of a graph: its Bernstein coefficients on one interval after the
 * other, each with the numbers of the last place. They are those of dls_piece_part, to the bit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_CURSOR_H
#define DELASSUS_ANALYTIC_CURSOR_H

#include "analytic/graph/piece.h"

/* P is the polar form of the piece, u the place in it where the last interval ended. */
typedef struct dls_cursor {
  const dls_graph *graph;
  size_t component, piece;
  double length;         /* of the piece, in time */
  double c[4];           /* of the whole piece */
  double r[3], s[2], x0; /* P(u,0,0), P(u,0,1), P(u,1,1); P(u,u,0), P(u,u,1); P(u,u,u) */
} dls_cursor;

/* u := (t - t[piece]) / length, unless it is an end. */
static inline double dls_cursor_place(const dls_cursor *f, double t)
{
  const double *node = f->graph->t + f->piece;
  return t == node[0] ? 0.0 : t == node[1] ? 1.0 : (t - node[0]) / f->length;
}

static inline void dls_cursor_move(dls_cursor *f, double u)
{
  if (f->graph->slope == NULL) {
    f->x0 = dls_lerp(f->c[0], f->c[3], u);
    return;
  }
  for (int l = 0; l < 3; l++) {
    f->r[l] = dls_lerp(f->c[l], f->c[l + 1], u);
  }
  f->s[0] = dls_lerp(f->r[0], f->r[1], u);
  f->s[1] = dls_lerp(f->r[1], f->r[2], u);
  f->x0 = dls_lerp(f->s[0], f->s[1], u);
}

/* To the start of a piece, t[piece] < t[piece + 1]. */
static inline void dls_cursor_enter(dls_cursor *f, size_t piece)
{
  f->piece = piece;
  f->length = f->graph->t[piece + 1] - f->graph->t[piece];
  dls_piece_whole(f->graph, piece, f->component, f->c);
  for (int l = 0; l < 3; l++) { /* u = 0 */
    f->r[l] = f->c[l];
  }
  f->s[0] = f->c[0];
  f->s[1] = f->c[1];
  f->x0 = f->c[0];
}

/* The cursor on a component at t, in the piece that is behind it. */
static inline dls_cursor dls_cursor_at(const dls_graph *graph, size_t component, double t)
{
  dls_cursor f = {.graph = graph, .component = component};
  dls_cursor_enter(&f, dls_graph_search(graph, t, true) - 1);
  dls_cursor_move(&f, dls_cursor_place(&f, t));
  return f;
}

/* c: coefficients from the last place to the time `to` of this piece, where the cursor is then. */
static inline void dls_cursor_part(dls_cursor *f, double to, double c[4])
{
  const double w = dls_cursor_place(f, to);
  c[0] = f->x0;
  if (f->graph->slope == NULL) {
    f->x0 = w < 1.0 ? dls_lerp(f->c[0], f->c[3], w) : f->c[3];
    c[1] = dls_lerp(c[0], f->x0, 1.0 / 3.0);
    c[2] = dls_lerp(c[0], f->x0, 2.0 / 3.0);
  } else if (w < 1.0) {
    c[1] = dls_lerp(f->s[0], f->s[1], w);
    c[2] = dls_lerp(dls_lerp(f->r[0], f->r[1], w), dls_lerp(f->r[1], f->r[2], w), w);
    dls_cursor_move(f, w);
  } else {
    c[1] = f->s[1];
    c[2] = f->r[2];
    f->x0 = f->c[3];
  }
  c[3] = f->x0;
}

#endif
