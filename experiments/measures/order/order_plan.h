/* experiments/measures/order/order_plan.h -- what a study of errors will cost, from one short run of each scheme.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ORDER_PLAN_H
#define DELASSUS_EXPERIMENTS_ORDER_PLAN_H

#include <delassus/study.h>

typedef struct dls_order_plan {
  size_t runs;
  double steps;     /* of the runs by step, in all */
  double reference; /* s: of the reference solution, which every process makes */
  double seconds;   /* of all runs on one processor, with their measuring and timings */
  double longest;   /* s: of the longest run */
  double bytes;     /* of the journal and the table of errors */
  double memory;    /* bytes, of the results; the journal, too, that is taken over */
  size_t units;     /* what parts are made of: runs, points of a sweep */
} dls_order_plan;

/**
 * Make the reference and a run of each scheme of about a thousand steps, or at the geometric mean of the tolerances; cost is
 * taken as proportional to the number of steps.
 * @param[in] spec  checked
 * @return as dls_order_begin; DLS_ERR_INTERRUPTED; DLS_ERR_MEMORY
 */
dls_status dls_order_plan_make(const dls_order_spec *spec, dls_order_plan *out, dls_error *err);

#endif
