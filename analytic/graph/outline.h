/* analytic/graph/outline.h -- a graph with fewer nodes: between jumps one cubic for several, no farther from them than a bound.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_OUTLINE_H
#define DELASSUS_ANALYTIC_OUTLINE_H

#include <delassus/graph.h>

typedef struct dls_outline {
  dls_graph *graph; /* nodes of the original, jumps among them */
  double error;     /* no value is farther from that of the original at its time, in units of x */
  double size;      /* largest |coefficient| of both, added */
  double *apart;    /* count - 1: the same on each piece; 0 where it is a piece of the original */
  double *lost; /* (count - 1) x dim: the integral of the original less that of the outline over the piece */
  const struct dls_outline *finer; /* of which it was made, or NULL: of the original. The caller's */
  size_t *node;                    /* count: which one of theirs */
  double *missing;                 /* nodes of theirs x dim: as `lost`, up to that node within its piece */
} dls_outline;

/**
 * @param[in]  graph  with slopes, and at least two nodes
 * @param[in]  finer  another outline of it, with less than half of the error, of which it is made faster; or NULL
 * @param[out] out    dls_outline_free frees it; error <= `error`
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_outline_create(const dls_graph *graph, const dls_outline *finer, double error, dls_outline *out,
                              dls_error *err);
void dls_outline_free(dls_outline *outline);
/**
 * The integral of component k of the original less that of the outline from the start of its piece i to the time t
 * in it.
 * @param[in]     original  as for dls_outline_create
 * @param[in,out] size      grows by the integral of what rounding is relative to, beside that of the outline on
 * [start, t]
 */
double dls_outline_missing(const dls_outline *outline, const dls_graph *original, size_t i, size_t k, double t,
                           double *size);

#endif
