/* analytic/graph/polyline.h -- a graph as a polyline in the scaled space (t/tau, x/xi), where the metric d is the
 * largest coordinate, and a hierarchy of bounding boxes over its segments.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_POLYLINE_H
#define DELASSUS_ANALYTIC_POLYLINE_H

#include <delassus/graph.h>
#include <math.h>
#include <stdbool.h>

typedef struct dls_polyline {
  size_t count, width; /* vertices (>= 2); coordinates of each: time and components */
  size_t capacity;     /* vertices that fit */
  bool over;           /* more vertices would have been needed than allowed */
  double *p;           /* count x width, time not decreasing */
  double largest;      /* largest |coordinate|, including control points */
  double error;        /* bound of the distance between the graph and its polyline after the common shear */
  double shear;        /* Lipschitz constant of the common shear of both polylines of a pair */
  double
      slide; /* bound of the change of distances by the shear, where it is bounded by times instead of the constant */
  double *cuts; /* number of chords on each common interval of graph and partner, in the order of time */
  size_t cut_room;
  double partner_error; /* `error` of the partner on these */
  size_t leaves;        /* a power of two; box node i has the children 2i, 2i+1, the root is 1 */
  double *box;          /* 2 leaves x 2 width: lower corner, upper corner */
  size_t boxes;         /* boxes that fit */
} dls_polyline;

/* Target of flattening. */
typedef struct dls_flattening {
  double
      chord; /* largest distance between a cubic and its chord, unless the shear suffices; INFINITY: one chord per cubic */
  double shear; /* largest Lipschitz constant of the common shear */
  double reach; /* bound of the distance of graphs and of polylines, which `slide` uses */
} dls_flattening;

/* A component of a piece of a graph with slopes: its Bernstein coefficients, and their second differences. */
typedef struct dls_cubic {
  double c[4], bend[2];
} dls_cubic;

/* A graph with the data that flattening needs. */
typedef struct dls_cubics {
  const dls_graph *graph;
  dls_cubic *of;    /* (count - 1) x dim; not set of jumps; none of a linear graph */
  size_t room;      /* for so many */
  double curvature; /* bound of |x''|, scaled; 0 of a linear graph */
} dls_cubics;

/**
 * @param[in]     graph   the caller's
 * @param[in,out] cubics  all zero, or of another graph, whose memory is reused; dls_cubics_free frees it
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_cubics_of(const dls_graph *graph, const dls_metric *metric, dls_cubics *cubics, dls_error *err);
void dls_cubics_free(dls_cubics *cubics);

void dls_polyline_free(dls_polyline *line);

/**
 * The polyline of a graph next to its partner in a comparison. Linear graphs are copied. Otherwise both graphs of a pair are flattened with
 * the same arguments, so that cubics are cut at the same times (see flatten.c).
 * @param[in]     most  vertices; if more are needed, line->over is set, and the line is invalid
 * @param[in]     first  the polyline of the partner, made with the same metric and aim; NULL: none yet
 * @param[in,out] line  all zero, or one of the same width whose memory is reused; the caller frees it
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_polyline_flatten(const dls_cubics *own, const dls_cubics *partner, const dls_metric *metric,
                                dls_flattening aim, size_t most, const dls_polyline *first, dls_polyline *line,
                                dls_error *err);

/** Make the boxes. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_polyline_index(dls_polyline *line, dls_error *err);

/**
 * The distance from point to the polyline, or any distance to one of its segments that is <= enough.
 * @param[in,out] segment  a guess; on return the segment with that distance
 */
double dls_polyline_nearest(const dls_polyline *line, const double *point, double enough, size_t *segment);

/* Distance of p from the segment [b, b + w] with w = next - b. The distance is the least r for which the
 * intervals of mu in [0,1] with |p_i - b_i - mu w_i| <= r have a common point. Intervals have one if every two
 * have (Helly), so it is the largest of: the distances along each coordinate, and |c_i w_j - c_j w_i| / (|w_i|
 * + |w_j|), c = p - b. */
static inline double dls_segment_distance(size_t width, const double *p, const double *b)
{
  double distance = 0.0;
  for (size_t i = 0; i < width; i++) {
    const double c = p[i] - b[i], w = b[width + i] - b[i];
    const double along = fabs(c - 0.5 * w) - 0.5 * fabs(w);
    distance = along > distance ? along : distance;
    for (size_t j = 0; j < i; j++) {
      const double cj = p[j] - b[j], wj = b[width + j] - b[j], sum = fabs(w) + fabs(wj);
      const double across = fabs(c * wj - cj * w);
      if (across > distance * sum) {
        distance = across / sum;
      }
    }
  }
  return distance;
}

#endif
