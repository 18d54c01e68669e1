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
} dls_outline;

/**
 * @param[in]  graph  with slopes, and at least two nodes
 * @param[out] out    dls_outline_free frees it; error <= `error` and what rounding adds
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_outline_create(const dls_graph *graph, double error, dls_outline *out, dls_error *err);
void dls_outline_free(dls_outline *outline);

#endif
