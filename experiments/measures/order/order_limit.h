/* experiments/measures/order/order_limit.h -- the limit models of the schemes of a study: what each converges to for h -> 0. Errors against
 * them are errors of the steps alone; the distance of a limit model from rigid contact is the plateau of the errors against that.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ORDER_LIMIT_H
#define DELASSUS_EXPERIMENTS_ORDER_LIMIT_H

#include "experiments/measures/order/order_study.h"

/** The limit of one scheme of a study. */
typedef struct dls_order_limit {
  dls_limit_kind kind;
  bool known;         /* there is a motion to compare with */
  char text[240];     /* what it is and how it was computed; why there is none */
  double error;       /* of the motion, in the metric of the study */
  double *plateau;    /* norms x quantities: its distance from the reference; 0 where it is the reference */
  dls_graph **graphs; /* of_count; NULL where it is the reference */
  dls_prepared_reference *own; /* of_count: of the graphs */
  const dls_prepared_reference
      *at; /* what runs are compared with: own, or that of the reference; NULL: unknown */
} dls_order_limit;

/**
 * The limits of all schemes of a job that has its reference.
 * @param[out] out  scheme_count, for dls_order_limits_destroy; NULL after a failure
 * @return DLS_OK, also where limits are not known; DLS_ERR_MEMORY; DLS_ERR_INTERRUPTED
 */
dls_status dls_order_limits_create(const dls_order_job *job, dls_order_limit **out, dls_error *err);
void dls_order_limits_destroy(const dls_order_spec *spec, dls_order_limit *limits);

/** study->limit: the same runs with their errors against the limits, and lines fitted to these. @return DLS_ERR_MEMORY */
dls_status dls_order_limits_fit(dls_order_study *study, const dls_order_limit *limits, dls_error *err);

#endif
