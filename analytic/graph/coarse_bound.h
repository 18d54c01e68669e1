/* analytic/graph/coarse_bound.h -- a graph with fewer nodes: between jumps one cubic for several, no farther from them than a bound.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_COARSE_BOUND_H
#define DELASSUS_ANALYTIC_COARSE_BOUND_H

#include <delassus/graph.h>

typedef struct dls_coarse_bound {
  dls_graph *graph;  /* nodes of the original, jumps among them */
  double error;      /* no value is farther from that of the original at its time, in units of x */
  double size;       /* largest |coefficient| of both, added */
  double *deviation; /* count - 1: the same on each piece; 0 where it is a piece of the original */
  double
      *remainder; /* (count - 1) x dim: the integral of the original less that of the outline over the piece */
  const struct dls_coarse_bound *finer; /* of which it was made, or NULL: of the original. The caller's */
  size_t *node;                         /* count: which one of theirs */
  double *remainder_within;             /* nodes of theirs x dim: as `lost`, up to that node within its piece */
} dls_coarse_bound;

/**
 * @param[in]  graph  with slopes, and at least two nodes
 * @param[in]  finer  another outline of it, with less than half of the error, of which it is made faster; or NULL
 * @param[out] out    dls_coarse_bound_free frees it; error <= `error`
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_coarse_bound_create(const dls_graph *graph, const dls_coarse_bound *finer, double error,
                                   dls_coarse_bound *out, dls_error *err);
void dls_coarse_bound_free(dls_coarse_bound *coarse);
/**
 * The integral of component k of the original less that of the outline from the start of its piece i to the time t
 * in it.
 * @param[in]     original  as for dls_coarse_bound_create
 * @param[in,out] size      grows by the integral of what rounding is relative to, beside that of the outline on
 * [start, t]
 */
double dls_coarse_bound_remainder(const dls_coarse_bound *coarse, const dls_graph *original, size_t i, size_t k,
                                  double t, double *size);

#endif
