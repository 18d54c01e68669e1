/* analytic/distance/prepared_reference.h -- a reference graph, prepared so that many graphs can be compared with it.
 *
 *   dls_prepared_reference_create(reference, &standard, &err);               // once
 *   dls_comparison pair = dls_comparison_of(numeric, standard, &metric); // for each numerical graph, for all norms
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
  size_t coarse_count;    /* coarsest first; none if they would save nothing */
  dls_coarse_bound coarse[DLS_COARSE_BOUNDS];
} dls_prepared_reference;

/** Make the coarse versions of a graph. The graph must not change, and *out must not move. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_prepared_reference_create(const dls_graph *graph, dls_prepared_reference *out, dls_error *err);
void dls_prepared_reference_free(dls_prepared_reference *prepared);

/** A numerical graph and a prepared reference on [0, end]. Restrictions of the reference are made when first needed. */
struct dls_comparison {
  const dls_graph *numeric; /* ends at `end` */
  const dls_prepared_reference *prepared;
  const dls_metric *metric;
  double end;
  size_t
      rough; /* index of the coarse version that is fine enough for errors of this size; coarse_count if none is */
  dls_graph *whole, *part; /* the reference on [0, end]; that coarse version on [0, end] */
  bool swept;              /* dls_comparison_sweep has computed the following: */
  dls_interval_bounds bounds;
  dls_sign_intervals sign_intervals;
};

/**
 * @param[in] numeric  starts at time 0 and ends no later than the reference; made by dls_graph_of, not checked again
 * @param[in] metric   the caller's
 */
dls_comparison dls_comparison_of(const dls_graph *numeric, const dls_prepared_reference *prepared,
                                 const dls_metric *metric);
void dls_comparison_clear(dls_comparison *pair);
/**
 * The measure of `numeric` against the reference on [0, end]. The bound holds for the reference, not for a coarse version.
 * @return as dls_graph_clip and norm->measure
 */
dls_status dls_comparison_measure(dls_comparison *pair, const dls_norm *norm, dls_measure *out, dls_error *err);

/** The same without coarse versions. */
dls_status dls_comparison_measure_whole(dls_comparison *pair, const dls_norm *norm, dls_measure *out,
                                        dls_error *err);

/** One sweep over the numerical graph and the coarse version: computes part, bounds and sign_intervals, once. @return
 * DLS_OK; DLS_ERR_MEMORY */
dls_status dls_comparison_sweep(dls_comparison *pair, dls_error *err);

/** Entries of norms that use coarse versions; as dls_comparison_measure. */
dls_status dls_comparison_hausdorff(const dls_norm *self, dls_comparison *pair, dls_measure *out,
                                    dls_error *err);
dls_status dls_comparison_l1(const dls_norm *self, dls_comparison *pair, dls_measure *out, dls_error *err);

#endif
