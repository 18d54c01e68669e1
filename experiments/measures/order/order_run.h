/* experiments/measures/order/order_run.h -- one run of a convergence study: make it, measure it, hand it to the campaign.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ORDER_RUN_H
#define DELASSUS_EXPERIMENTS_ORDER_RUN_H

#include "experiments/campaign/campaign.h"
#include "experiments/extra/foreign/external.h"
#include "experiments/measures/order/order_runs.h"

/* The cells of a study are its runs in the order of scheme, level, repeat. */
typedef struct dls_order_cells {
  const dls_order_inputs *inputs;
  dls_order_point *points; /* of each run norms x quantities */
  size_t measures;         /* norms x quantities */
  size_t batch_most;       /* runs of a batch */
  double *times;           /* timings */
} dls_order_cells;

/* A run that is being made. */
typedef struct dls_order_task {
  dls_progress progress;
  const dls_order_cells *cells;
  size_t cell;
} dls_order_task;

static inline dls_order_point *dls_order_points(const dls_order_cells *cells, size_t cell)
{
  return cells->points + cell * cells->measures;
}

/** The error of a run in at least one norm is there. */
bool dls_order_has_error(const dls_order_cells *cells, size_t cell);
void dls_order_fail(dls_order_point *point, const dls_error *why);
/** The scheme of a run with all its options. */
dls_status dls_order_choose(const dls_order_spec *spec, const dls_order_point *run, dls_scheme_choice *out,
                            dls_error *err);
/** What a run of the task is called with. */
dls_run_spec dls_order_task_spec(dls_order_task *task, double step, dls_trajectory *record);
dls_external_case dls_order_task_external(dls_order_task *task, double step);
/** The quality of contacts from the nodes of a run. @return DLS_ERR_MEMORY, else DLS_OK: what cannot be measured stays NaN */
dls_status dls_order_measure_contacts(const dls_order_inputs *inputs, const dls_trajectory *traj,
                                      dls_order_point *point);
/** Make a run alone. */
void dls_order_make(dls_campaign *c, size_t cell);
/**
 * The run is over, with `status`: measure it and finish its cell.
 * @param[in] done  its work and quality
 * @param[in] traj  is destroyed; NULL: its errors are there
 */
void dls_order_finish(dls_order_task *task, const dls_order_point *done, dls_trajectory *traj,
                      dls_status status, const dls_error *why);

/** Make a batch: several runs side by side, to the same bits as alone. */
dls_status dls_order_run_batch(dls_progress *p, const size_t *cells, size_t count, void *scratch,
                               dls_error *err);
bool dls_order_joins(const dls_campaign *c, size_t first, size_t count, double weight, size_t cell);

/** Is the record of a run by steps larger than it should be, and can all its errors be taken in parts? @param[in] traj  fits the run */
bool dls_order_is_long(const dls_order_inputs *inputs, double step, const dls_trajectory *traj);
/**
 * Run, and measure the errors of the points during the run: the record is never in memory as a whole.
 * @param[in]  run     its record is empty; its events are those of the run in the end
 * @param[in]  span    nodes that the Hausdorff distance is given on either side
 * @param[out] narrow  they were too few: nothing is filled in, DLS_ERR_LIMIT
 * @return as dls_run and dls_streaming_add
 */
dls_status dls_order_run_long(const dls_order_inputs *inputs, dls_progress *progress, dls_sim *sim,
                              const dls_run_spec *run, size_t span, dls_order_point *points, bool *narrow,
                              dls_error *err);

#endif
