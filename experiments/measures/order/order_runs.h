/* experiments/measures/order/order_runs.h -- all runs of a study, but for those that a journal already has.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ORDER_RUNS_H
#define DELASSUS_EXPERIMENTS_ORDER_RUNS_H

#include "analytic/distance/prepared_reference.h"
#include "experiments/measures/order/order_spec.h"

/** What every run reads and none writes. */
typedef struct dls_order_inputs {
  const dls_order_spec *spec;
  const dls_system *sys;
  const dls_prepared_reference *prepared; /* references, one per quantity */
  const struct dls_order_limit *limits;   /* of each scheme; NULL: not asked for */
  const dls_trajectory
      *reference;           /* when contacts rest, stick and slide; NULL: how runs treat them is not measured */
  const double *steps;      /* levels x repeats, the same for all schemes */
  const double *tolerances; /* tol_levels x repeats, the same for all schemes that take one */
} dls_order_inputs;

/**
 * Measure one quantity of a run in all norms.
 * @param[in,out] points  norms x quantities; those of the quantity get their error, or the reason why there is none
 * @return DLS_ERR_MEMORY or DLS_ERR_INTERRUPTED, else DLS_OK
 */
dls_status dls_order_measure(const dls_order_inputs *inputs, const dls_trajectory *traj, size_t of,
                             dls_order_point *points);

/**
 * Make all runs, or those of the shard, spec->jobs at a time. Then time the runs that have an error, one at a time.
 * @param[out] points    of the finished runs, in the order of scheme, level, repeat, norm, quantity; room for all
 * @param[out] count     of points
 * @param[out] out_of_memory   runs that found no memory; they have no points and are not kept
 * @param[out] complete  false if poll interrupted, or there was no memory for a run
 * @return DLS_OK, also when interrupted; DLS_ERR_MEMORY; DLS_ERR_ARG if a recalled run has another step or tolerance;
 *         what keep fails with
 */
dls_status dls_order_run_all(const dls_order_inputs *inputs, dls_order_point *points, size_t *count,
                             size_t *out_of_memory, bool *complete, dls_error *err);

#endif
