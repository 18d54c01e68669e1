/* experiments/measures/order/reference.h -- the true solution that runs are measured against, and graphs of named quantities.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_REFERENCE_H
#define DELASSUS_EXPERIMENTS_REFERENCE_H

#include <delassus/study.h>

typedef struct dls_reference {
  dls_trajectory *traj;
  double error;   /* its own, in the metric of the study */
  char text[200]; /* what it is */
} dls_reference;

/**
 * The exact solution if the model has one and spec->reference asks for it, else the event-driven integrator at two tolerances.
 * Where the system may depend on t explicitly, or spec->check_reference is set, another engine must agree with it.
 * @param[in]  poll, poll_data  as in dls_run_spec
 * @param[out] out  cleared first; dls_reference_clear frees it, also after a failure
 * @return DLS_OK; DLS_ERR_INTERRUPTED; DLS_ERR_ARG if an entry of spec->of is no column, or if there is no run to check;
 * DLS_ERR_NOCONV "the reference is not certain: ..."; what the run fails with
 */
dls_status dls_reference_make(const dls_order_spec *spec, const dls_system *sys, bool (*poll)(void *, double),
                              void *poll_data, dls_reference *out, dls_error *err);
void dls_reference_clear(dls_reference *reference);

/**
 * The graph of a column ("v0") or, as one vector, of all columns that are numbered after a prefix ("v"). If there is no such
 * column, "impulse" and "impulse0" are the impulses that contacts have transmitted up to a time.
 * @return DLS_ERR_ARG if there is no such column (the message lists what there is); as dls_graph_of
 */
dls_status dls_quantity_graph(const dls_trajectory *traj, const char *of, dls_graph **out, dls_error *err);

/** Does each row hold the quantity? Transmitted impulses are sums over rows. */
bool dls_quantity_is_of_rows(const dls_trajectory *traj, const char *of);

/** The first graph on the time that both share, from 0. @param[in,out] a  is cut in place @return as dls_graph_clip */
dls_status dls_cut_to_common(dls_graph **a, const dls_graph *b, dls_error *err);
/** Both graphs on the time that they share, from 0. @param[in,out] a  is cut in place
 * @return as dls_graph_clip; then *b_out is NULL */
dls_status dls_clip_to_common(dls_graph **a, const dls_graph *b, dls_graph **b_out, dls_error *err);

#endif
