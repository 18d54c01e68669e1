/* experiments/measures/sweep/plan.h -- what a study of errors or a sweep will cost, from short trials.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PLAN_H
#define DELASSUS_EXPERIMENTS_PLAN_H

#include "experiments/measures/sweep/grid.h"

typedef struct dls_plan {
  size_t runs;
  double steps;     /* of the runs by step, in all */
  double reference; /* s: of the reference solution, which every process makes */
  double seconds;   /* of all runs on one processor, with their measuring and timings */
  double longest;   /* s: of the longest run, or of the longest point of a sweep */
  double bytes;     /* of the journal and the table */
  double memory;    /* bytes, of the results; the journal, too, that is taken over */
  size_t units;     /* what parts are made of: runs, points of a sweep */
} dls_plan;

/**
 * Without axes: make the reference and a run of each scheme of about a thousand steps, or at the geometric mean of the tolerances;
 * cost is taken as proportional to the number of steps. With axes: make some points between their ends, of order and work a plan of
 * the study at the point in the middle; the others are taken to cost the same.
 * @param[in] spec  checked
 * @return as dls_order_begin and dls_grid_run; DLS_ERR_INTERRUPTED; DLS_ERR_MEMORY
 */
dls_status dls_plan_make(const dls_grid_spec *spec, dls_plan *out, dls_error *err);

#endif
