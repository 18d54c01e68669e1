/* analytic/distance/standard.h -- a graph that many others are measured against, with all that does not depend on them.
 *
 *   dls_standard_create(reference, &standard, &err);               // once
 *   dls_pairing pair = dls_pairing_of(numeric, standard, &metric); // for each of the others, for all norms
 *   dls_pairing_measure(&pair, norm, &measure, &err);
 *   dls_pairing_clear(&pair);
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_STANDARD_H
#define DELASSUS_ANALYTIC_STANDARD_H

#include "analytic/distance/blocks.h"
#include "analytic/graph/outline.h"

enum { DLS_OUTLINES = 3 };

typedef struct dls_standard {
  const dls_graph *graph; /* the caller's */
  size_t outlines;        /* the roughest one first; none where they would save nothing */
  dls_outline outline[DLS_OUTLINES];
} dls_standard;

/** Outlines of a graph, which has to stay as it is; *out stays where it is. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_standard_create(const dls_graph *graph, dls_standard *out, dls_error *err);
void dls_standard_free(dls_standard *standard);

/** A graph beside a standard, on the time up to `end`; parts of the standard are made when they are asked for. */
struct dls_pairing {
  const dls_graph *numeric; /* ends at `end` */
  const dls_standard *standard;
  const dls_metric *metric;
  double end;
  size_t rough; /* the outline that is fine enough for errors of this size; the number of outlines if none is */
  dls_graph *whole, *part; /* from 0 to `end`; the same of that outline */
  bool swept;              /* the sweep over both has been made: */
  dls_blocks blocks;
  dls_stretches stretches;
};

/**
 * @param[in] numeric  from time 0 on, not beyond the end of the standard; as dls_graph_of makes it, which is not
 * checked again
 * @param[in] metric   the caller's
 */
dls_pairing dls_pairing_of(const dls_graph *numeric, const dls_standard *standard, const dls_metric *metric);
void dls_pairing_clear(dls_pairing *pair);
/**
 * The measure of `numeric` against the standard's graph from 0 to `end`, with a bound that holds for that graph.
 * @return as dls_graph_clip and norm->measure
 */
dls_status dls_pairing_measure(dls_pairing *pair, const dls_norm *norm, dls_measure *out, dls_error *err);

/** The same without outlines. */
dls_status dls_pairing_whole(dls_pairing *pair, const dls_norm *norm, dls_measure *out, dls_error *err);

/** One sweep over the numeric graph and the outline that is fine enough: part, blocks, stretches. Once. @return
 * DLS_OK; DLS_ERR_MEMORY */
dls_status dls_pairing_sweep(dls_pairing *pair, dls_error *err);

/** Entries of norms that use outlines; as dls_pairing_measure. */
dls_status dls_pairing_hausdorff(const dls_norm *self, dls_pairing *pair, dls_measure *out, dls_error *err);
dls_status dls_pairing_l1(const dls_norm *self, dls_pairing *pair, dls_measure *out, dls_error *err);

#endif
