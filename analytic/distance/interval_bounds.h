/* analytic/distance/interval_bounds.h -- upper bounds of the distance of two graphs, one for each block of neighbouring
 * intervals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_INTERVAL_BOUNDS_H
#define DELASSUS_ANALYTIC_INTERVAL_BOUNDS_H

#include "analytic/distance/norm.h"
#include "analytic/graph/piece.h"

/* A block: consecutive intervals between neighbouring breakpoints of either graph. */
typedef struct dls_time_block {
  double start, end; /* times [s] */
  size_t piece[2];   /* of both graphs, after the start */
  double
      deviation; /* bound of the distance of points at equal times, or around jumps by intermediate values; scaled */
  double
      rise; /* slope of least magnitude of both graphs if all slopes have one sign, else 0; scaled; NAN: not computed */
  double
      bound;  /* bound of the distance of every point in this block from the other graph; at most `deviation` */
  bool jumps; /* begins with a jump of a graph, and includes the jumps at its ends */
  bool sharp; /* the bound has been reduced by slopes */
  bool covered; /* by the traversal that measures */
} dls_time_block;

typedef struct dls_interval_bounds {
  size_t count; /* 0: the graphs cover different times, or are too small, or have too large values */
  dls_time_block *block;
  double rounding; /* of bounds and distances */
  const dls_graph *graph[2];
  const dls_metric *metric;
  double largest; /* coefficient of a piece */
} dls_interval_bounds;

enum { DLS_ABSOLUTE = 2 };
/* An interval in a piece of b in which a component of a - b has a certain sign, or an uncertain one throughout; or an interval over several exact
 * pieces. */
typedef struct dls_sign_interval {
  size_t component, piece;
  double from, to;
  int sign;         /* of the difference; 0: uncertain; DLS_ABSOLUTE: the pieces are exact */
  dls_sum integral; /* of the difference, or of its absolute value if DLS_ABSOLUTE */
  double size;      /* integral of the sum of the largest coefficients of both */
  double off;       /* further error of the integral of DLS_ABSOLUTE, beside rounding of `size` */
} dls_sign_interval;

/* All sign intervals, for each component in the order of time. */
typedef struct dls_sign_intervals {
  const double
      *deviation; /* for each piece of b, the magnitude above which the sign is certain. The caller's */
  double exact;   /* pieces with at most this deviation count as exact */
  size_t count, room;
  dls_sign_interval *part;
  bool out_of_memory;
} dls_sign_intervals;

void dls_sign_intervals_free(dls_sign_intervals *sign_intervals);

/**
 * @param[in]     a, b, metric  the caller's
 * @param[in,out] stretches     with `deviation` set; or NULL. Computed if both graphs cover the same time
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_interval_bounds_create(const dls_graph *a, const dls_graph *b, const dls_metric *metric,
                                      dls_sign_intervals *sign_intervals, dls_interval_bounds *out,
                                      dls_error *err);
/** The bound of block k, reduced by the slopes around it. */
double dls_interval_bounds_sharpen(dls_interval_bounds *bounds, size_t k);
void dls_interval_bounds_free(dls_interval_bounds *bounds);

/* Known bounds of a distance: lower <= distance, and no point covered so far is farther than upper. */
typedef struct dls_found {
  double low; /* largest distance found, to the accuracy of the chords */
  double lower, upper;
} dls_found;
extern const dls_found dls_found_nothing;
dls_measure dls_found_measure(const dls_found *found);

/* The points of two graphs to be covered. */
typedef struct dls_extent {
  double core[2]; /* [s] */
  double ends
      [2]; /* beyond these times the graphs continue but are unknown; -INFINITY and INFINITY: they end [s] */
} dls_extent;

/**
 * dls_hausdorff of two checked graphs, with their bounds.
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_hausdorff_by_intervals(const dls_graph *a, const dls_graph *b, const dls_metric *metric,
                                      dls_interval_bounds *bounds, dls_measure *out, dls_error *err);
/**
 * Cover the points in the core of two checked graphs over the same time. Both have nodes at its ends; INFINITY means all points.
 * @param[in,out] found  of other parts
 * @param[out]    blind  true if the nearest point of the other graph may lie beyond the ends; `found` is then invalid
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_hausdorff_part(const dls_graph *a, const dls_graph *b, const dls_metric *metric,
                              const dls_extent *extent, dls_found *found, bool *beyond_ends, dls_error *err);

#endif
