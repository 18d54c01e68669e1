/* analytic/distance/prepared_reference.h -- a graph that many others are measured against, with all that does not depend on them.
 *
 *   dls_prepared_reference_create(reference, &standard, &err);               // once
 *   dls_comparison pair = dls_comparison_of(numeric, standard, &metric); // for each of the others, for all norms
 *   dls_comparison_measure(&pair, norm, &measure, &err);
 *   dls_comparison_clear(&pair);
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_PREPARED_REFERENCE_H
#define DELASSUS_ANALYTIC_PREPARED_REFERENCE_H

#include "analytic/distance/interval_bounds.h"
#include "analytic/graph/coarse_bound.h"

enum { DLS_COARSE_BOUNDS = 3 };

typedef struct dls_prepared_reference {
  const dls_graph *graph; /* the caller's */
  size_t coarse_count;    /* the roughest one first; none where they would save nothing */
  dls_coarse_bound coarse[DLS_COARSE_BOUNDS];
} dls_prepared_reference;

/** Outlines of a graph, which has to stay as it is; *out stays where it is. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_prepared_reference_create(const dls_graph *graph, dls_prepared_reference *out, dls_error *err);
void dls_prepared_reference_free(dls_prepared_reference *prepared);

/** A graph beside a standard, on the time up to `end`; parts of the standard are made when they are asked for. */
struct dls_comparison {
  const dls_graph *numeric; /* ends at `end` */
  const dls_prepared_reference *prepared;
  const dls_metric *metric;
  double end;
  size_t rough; /* the outline that is fine enough for errors of this size; the number of outlines if none is */
  dls_graph *whole, *part; /* from 0 to `end`; the same of that outline */
  bool swept;              /* the sweep over both has been made: */
  dls_interval_bounds bounds;
  dls_sign_intervals sign_intervals;
};

/**
 * @param[in] numeric  from time 0 on, not beyond the end of the standard; as dls_graph_of makes it, which is not
 * checked again
 * @param[in] metric   the caller's
 */
dls_comparison dls_comparison_of(const dls_graph *numeric, const dls_prepared_reference *prepared,
                                 const dls_metric *metric);
void dls_comparison_clear(dls_comparison *pair);
/**
 * The measure of `numeric` against the standard's graph from 0 to `end`, with a bound that holds for that graph.
 * @return as dls_graph_clip and norm->measure
 */
dls_status dls_comparison_measure(dls_comparison *pair, const dls_norm *norm, dls_measure *out, dls_error *err);

/** The same without outlines. */
dls_status dls_comparison_measure_whole(dls_comparison *pair, const dls_norm *norm, dls_measure *out,
                                        dls_error *err);

/** One sweep over the numeric graph and the outline that is fine enough: part, blocks, stretches. Once. @return
 * DLS_OK; DLS_ERR_MEMORY */
dls_status dls_comparison_sweep(dls_comparison *pair, dls_error *err);

/** Entries of norms that use outlines; as dls_comparison_measure. */
dls_status dls_comparison_hausdorff(const dls_norm *self, dls_comparison *pair, dls_measure *out,
                                    dls_error *err);
dls_status dls_comparison_l1(const dls_norm *self, dls_comparison *pair, dls_measure *out, dls_error *err);

#endif
