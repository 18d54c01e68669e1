/* analytic/graph/piece.h -- the polynomial pieces of a graph, as Bernstein coefficients on part of a piece.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_PIECE_H
#define DELASSUS_ANALYTIC_PIECE_H

#include <delassus/graph.h>
#include <math.h>

/* fmin and fmax without their care for NaN, which graphs do not hold: they are not inlined. */
static inline double dls_lower(double a, double b)
{
  return a < b ? a : b;
}

static inline double dls_higher(double a, double b)
{
  return a > b ? a : b;
}

/* (1-u) p + u q: exact at both ends. */
static inline double dls_lerp(double p, double q, double u)
{
  return (1.0 - u) * p + u * q;
}

/* The polar form of the cubic with coefficients c: P(u,u,u) is its value, P(u,u,w), ... the coefficients on
 * [u,w]. */
static inline double dls_blossom(const double c[4], double u, double v, double w)
{
  const double a = dls_lerp(c[0], c[1], u), b = dls_lerp(c[1], c[2], u), d = dls_lerp(c[2], c[3], u);
  return dls_lerp(dls_lerp(a, b, v), dls_lerp(b, d, v), w);
}

/* The largest |c_i|: no value between is larger. */
static inline double dls_piece_largest(const double c[4])
{
  return dls_higher(dls_higher(fabs(c[0]), fabs(c[1])), dls_higher(fabs(c[2]), fabs(c[3])));
}

/* Component k of piece i (t[i] < t[i+1]) on the whole piece. */
static inline void dls_piece_whole(const dls_graph *g, size_t i, size_t k, double c[4])
{
  const size_t p = i * g->dim + k, q = p + g->dim;
  const double third = (g->t[i + 1] - g->t[i]) / 3.0, secant = (g->x[q] - g->x[p]) / 3.0;
  c[0] = g->x[p];
  c[1] = g->x[p] + (g->slope != NULL ? third * g->slope[p] : secant);
  c[2] = g->x[q] - (g->slope != NULL ? third * g->slope[q] : secant);
  c[3] = g->x[q];
}

/* Component k of piece i on [a, b], t[i] <= a < b <= t[i+1]. At its ends u and w are 0 and 1, to the bit. */
static inline void dls_piece_part(const dls_graph *g, size_t i, size_t k, double a, double b, double c[4])
{
  const double h = g->t[i + 1] - g->t[i];
  const double u = a == g->t[i] ? 0.0 : (a - g->t[i]) / h, w = b == g->t[i + 1] ? 1.0 : (b - g->t[i]) / h;
  if (g->slope == NULL) {
    const size_t p = i * g->dim + k;
    c[0] = dls_lerp(g->x[p], g->x[p + g->dim], u);
    c[3] = dls_lerp(g->x[p], g->x[p + g->dim], w);
    c[1] = dls_lerp(c[0], c[3], 1.0 / 3.0);
    c[2] = dls_lerp(c[0], c[3], 2.0 / 3.0);
    return;
  }
  double whole[4];
  dls_piece_whole(g, i, k, whole);
  c[0] = dls_blossom(whole, u, u, u);
  c[1] = dls_blossom(whole, u, u, w);
  c[2] = dls_blossom(whole, u, w, w);
  c[3] = dls_blossom(whole, w, w, w);
}

/* Refuse what no measure can be taken of: an empty graph, times that decrease, values that are not finite. */
dls_status dls_graph_check(const dls_graph *graph, const char *what, dls_error *err);
/* Scales that are positive, an accuracy between 0 and 1. @return DLS_ERR_ARG otherwise */
dls_status dls_metric_check(const dls_metric *metric, dls_error *err);
/* Both graphs and the scales; dimensions must agree. */
dls_status dls_graph_check_pair(const dls_graph *a, const dls_graph *b, const dls_metric *metric,
                                dls_error *err);
/* Index of the first node with t[i] >= t (strict false) or t[i] > t (strict true); count if there is none. */
size_t dls_graph_search(const dls_graph *graph, double t, bool strict);
/* The nodes from first up to `end`, without it; it lives as long as the graph. */
dls_graph dls_graph_view(const dls_graph *graph, size_t first, size_t end);
/* A view of the nodes in [from, to] and the next ones beyond; it lives as long as the graph. */
dls_graph dls_graph_around(const dls_graph *graph, double from, double to);
/* The nodes from `first` on behind those of a graph that has room for them; slopes as it has them. */
void dls_graph_append(dls_graph *graph, const dls_graph *more, size_t first);
/* dls_graph_value for times in a row. @param[in,out] near  0 at first: the first node with a time not before t */
void dls_graph_value_near(const dls_graph *graph, double t, int side, size_t *near, double *x);

#endif
