/* analytic/graph/coarse_bound.h -- a coarse version of a graph: the same jumps, and one cubic in place of several as long as it stays within an
 * error bound.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_COARSE_BOUND_H
#define DELASSUS_ANALYTIC_COARSE_BOUND_H

#include <delassus/graph.h>

typedef struct dls_coarse_bound {
  dls_graph *graph;  /* a subset of the nodes of the original, with all jumps */
  double error;      /* largest difference from the original at equal times, in units of x */
  double size;       /* largest |coefficient| of both, added */
  double *deviation; /* count - 1: the same on each piece; 0 where the piece is one of the original */
  double *remainder; /* (count - 1) x dim: the integral of original minus coarse version over the piece */
  const struct dls_coarse_bound
      *finer;               /* the finer version from which it was made; NULL: the original. The caller's */
  size_t *node;             /* count: the index of each node in that version */
  double *remainder_within; /* (nodes of that version) x dim: as `lost`, up to that node within its piece */
} dls_coarse_bound;

/**
 * @param[in]  graph  with slopes, and at least two nodes
 * @param[in]  finer  a finer coarse version, with less than half of the error, to start from; or NULL
 * @param[out] out    dls_coarse_bound_free frees it; error <= `error`
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_coarse_bound_create(const dls_graph *graph, const dls_coarse_bound *finer, double error,
                                   dls_coarse_bound *out, dls_error *err);
void dls_coarse_bound_free(dls_coarse_bound *coarse);
/**
 * The integral of component k of original minus coarse version, from the start of its piece i to the time t in it.
 * @param[in]     original  as for dls_coarse_bound_create
 * @param[in,out] size      grows by the integral of the magnitudes that rounding is relative to, over [start, t]
 */
double dls_coarse_bound_remainder(const dls_coarse_bound *coarse, const dls_graph *original, size_t i, size_t k,
                                  double t, double *size);

#endif
