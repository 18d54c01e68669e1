/* experiments/measures/order/order_study.h -- a convergence study: its model and reference, its fitted lines.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ORDER_STUDY_H
#define DELASSUS_EXPERIMENTS_ORDER_STUDY_H

#include "analytic/distance/interrupt.h"
#include "analytic/distance/prepared_reference.h"
#include "experiments/measures/order/order_spec.h"
#include "experiments/measures/order/reference.h"
#include <delassus/study.h>

typedef struct dls_order_job {
  dls_order_study *study; /* points and lines still to come */
  dls_system *sys;
  dls_reference reference;
  bool borrows;                     /* the reference is the caller's */
  dls_graph **reference_graphs;     /* one per quantity */
  dls_prepared_reference *prepared; /* the same, with their coarse versions */
} dls_order_job;

/** A study without points, with room for all of its spec, which it copies. @return DLS_ERR_MEMORY */
dls_status dls_order_create(const dls_order_spec *spec, dls_order_study **out, dls_error *err);
/**
 * Make the study of a spec that has been checked, its model, its reference and the floors of its errors.
 * @param[out] job  to be ended, also after a failure; its study is the caller's
 * @return DLS_OK; DLS_ERR_INTERRUPTED, with a study without points; DLS_ERR_MEMORY; as dls_model_create and dls_reference_make
 */
dls_status dls_order_begin(const dls_order_spec *spec, dls_order_job *job, dls_error *err);
/** The same with a reference that is there, which must outlive the job, and without sizes. @return as dls_order_begin */
dls_status dls_order_begin_with(const dls_order_spec *spec, const dls_reference *reference, dls_order_job *job,
                                dls_error *err);
/** Measure the sizes of the study, which fits need and distances do not. @return DLS_OK; DLS_ERR_INTERRUPTED; DLS_ERR_MEMORY */
dls_status dls_order_measure_sizes(dls_order_job *job, dls_error *err);
/** Poll a spec before its runs: the fraction done is 0. @param[in] data  the spec @return false: interrupt */
bool dls_order_poll(void *data, double t);
/** Motions and distances that this thread computes poll the spec, likewise. @return what dls_interrupt_set restores */
dls_interrupt dls_order_interrupts(const dls_order_spec *spec);
/** Floors of errors against another solution with this floor, and sizes as those of `like`. @return DLS_ERR_MEMORY */
dls_status dls_order_set_floors(dls_order_study *study, const dls_order_study *like, double floor,
                                dls_error *err);
/** Fit a line for every scheme, norm and quantity to the points of the study. @return DLS_ERR_MEMORY */
dls_status dls_order_fit_lines(dls_order_study *study, dls_error *err);
/** The same for one scheme. @return DLS_ERR_MEMORY */
dls_status dls_order_fit_scheme(dls_order_study *study, size_t scheme, dls_error *err);
/** Release all but the study. */
void dls_order_end(dls_order_job *job);

#endif
