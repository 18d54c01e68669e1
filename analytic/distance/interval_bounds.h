/* analytic/distance/interval_bounds.h -- upper bounds of the distance of two graphs, one for each block of neighbouring intervals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_INTERVAL_BOUNDS_H
#define DELASSUS_ANALYTIC_INTERVAL_BOUNDS_H

#include "analytic/distance/norm.h"
#include "analytic/graph/piece.h"

/* Intervals between neighbouring breakpoints of either graph. */
typedef struct dls_time_block {
  double start, end; /* times [s] */
  size_t piece[2];   /* of both graphs, behind the start */
  double
      deviation; /* no point of either graph is farther, by equal times or, around jumps, by what the graphs have between them; scaled */
  double
      rise; /* slope of the least size of both graphs if all have one sign, else 0; scaled; NAN: not asked for */
  double bound; /* every point of either graph in this time is within it of the other graph: `apart`, or less */
  bool jumps;   /* begins with a jump of a graph, and holds the jumps at its ends */
  bool sharp;   /* the bound is as small as slopes let it be */
  bool covered; /* by the walk that measures */
} dls_time_block;

typedef struct dls_interval_bounds {
  size_t count; /* 0: the graphs cover different times, or are too small or too large for it */
  dls_time_block *block;
  double rounding; /* of bounds and distances */
  const dls_graph *graph[2];
  const dls_metric *metric;
  double largest; /* coefficient of a piece */
} dls_interval_bounds;

enum { DLS_ABSOLUTE = 2 };
/* A part of a piece of b, in which a component of the difference a - b is farther from 0 than given, or nowhere so; or a part
 * of several pieces that are exact. */
typedef struct dls_sign_interval {
  size_t component, piece;
  double from, to;
  int sign;         /* of the difference; 0: it may have any; DLS_ABSOLUTE: the pieces are exact */
  dls_sum integral; /* of the difference, or, if DLS_ABSOLUTE, of its size */
  double size;      /* the integral of the largest coefficients of both, added */
  double off;       /* what the integral of DLS_ABSOLUTE may be off beside what `size` tells */
} dls_sign_interval;

/* All of them, of each component in the order of time. */
typedef struct dls_sign_intervals {
  const double *deviation; /* of the pieces of b: how far from 0 the difference has to be. The caller's */
  double exact;            /* pieces for which that is no more are exact but for so much */
  size_t count, room;
  dls_sign_interval *part;
  bool out_of_memory;
} dls_sign_intervals;

void dls_sign_intervals_free(dls_sign_intervals *sign_intervals);

/**
 * @param[in]     a, b, metric  the caller's
 * @param[in,out] stretches     with `apart` set; or NULL. They are found if both graphs cover the same time
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_interval_bounds_create(const dls_graph *a, const dls_graph *b, const dls_metric *metric,
                                      dls_sign_intervals *sign_intervals, dls_interval_bounds *out,
                                      dls_error *err);
/** The bound of block k, made sharp: with the slopes around the block. */
double dls_interval_bounds_sharpen(dls_interval_bounds *bounds, size_t k);
void dls_interval_bounds_free(dls_interval_bounds *bounds);

/* What is known of a distance: lower <= it, and no point covered so far is farther than upper. */
typedef struct dls_found {
  double low; /* distance that was found, to the accuracy of the chords it was found with */
  double lower, upper;
} dls_found;
extern const dls_found dls_found_nothing;
dls_measure dls_found_measure(const dls_found *found);

/* Which points of two graphs are to be covered, of those that are known. */
typedef struct dls_extent {
  double core[2]; /* [s] */
  double ends[2]; /* the graphs go on beyond these times, unseen; -INFINITY and INFINITY: they do not [s] */
} dls_extent;

/**
 * dls_hausdorff of two graphs that have been checked, with their blocks.
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_hausdorff_by_intervals(const dls_graph *a, const dls_graph *b, const dls_metric *metric,
                                      dls_interval_bounds *bounds, dls_measure *out, dls_error *err);
/**
 * The points in the core of two graphs that have been checked and cover the same time; both have nodes at its ends, which are
 * INFINITY for all points.
 * @param[in,out] found  of other parts
 * @param[out]    blind  a point of the core may have the other graph nearer beyond the ends: found says nothing of it
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_hausdorff_part(const dls_graph *a, const dls_graph *b, const dls_metric *metric,
                              const dls_extent *extent, dls_found *found, bool *beyond_ends, dls_error *err);

#endif
