/* experiments/measures/order_shop.h -- one run of a study after the other, and what they have in common.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ORDER_SHOP_H
#define DELASSUS_EXPERIMENTS_ORDER_SHOP_H

#include "analytic/distance/interrupt.h"
#include "experiments/extra/foreign/external.h"
#include "experiments/measures/order_runs.h"
#include <pthread.h>

/* One run. */
typedef struct dls_shop_run {
  size_t scheme;
  dls_order_point *points; /* norms x quantities */
  double weight;           /* its work in steps */
  bool done, elsewhere;    /* elsewhere: another shard makes it */
} dls_shop_run;

typedef struct dls_workshop {
  const dls_order_inputs *inputs;
  dls_shop_run *runs;
  size_t *turns;          /* numbers of the runs in the order in which they are made */
  size_t count, measures; /* runs; points of each */
  size_t *crews;          /* the first turn of each, and count */
  size_t crew_count;
  double *times;          /* timings */
  pthread_mutex_t lock;   /* of what follows, and of the caller's poll and keep */
  double reported, total; /* work in steps: done, and to be done in all */
  size_t out_of_memory;   /* runs for which there was no memory: neither finished nor kept */
  bool stopped;           /* by poll, or by a failure */
  dls_status status;
  dls_error why;
} dls_workshop;

/* A run through [0, end] that tells how far it is. */
typedef struct dls_progress {
  dls_workshop *shop;
  double weight;   /* all of it */
  double reported; /* of the weight */
} dls_progress;

/** Tell that part of a walk, in [0, 1], is done. @return false if the study is to stop */
bool dls_progress_report(dls_progress *w, double part);
/** Distances that this thread computes poll the study. @return what dls_interrupt_set restores */
dls_interrupt dls_progress_interrupts(dls_progress *w);
/** The run is finished: hand it to the caller. */
void dls_shop_finish(dls_workshop *shop, dls_shop_run *run, dls_progress *w);
void dls_shop_fail(dls_order_point *point, const dls_error *why);
/** The scheme of a run with all its options. */
dls_status dls_shop_choose(const dls_order_spec *spec, const dls_order_point *run, dls_scheme_choice *out,
                           dls_error *err);
/** The run of a sim. */
dls_run_spec dls_progress_spec(dls_progress *w, double step, dls_trajectory *record);
dls_status dls_progress_sim(dls_progress *w, dls_sim *sim, double step, dls_trajectory *record, dls_error *err);
dls_external_case dls_progress_external(dls_progress *w, double step);
/** The error of a run in at least one norm is there. */
bool dls_shop_has_error(const dls_workshop *shop, const dls_shop_run *run);
/** The run is over, with `status`: measure it and hand it to the caller. @param[in] traj  is destroyed; NULL: its errors are there @param[in] done  its work and quality */
void dls_shop_settle(dls_workshop *shop, dls_shop_run *run, dls_progress *w, const dls_order_point *done,
                     dls_trajectory *traj, dls_status status, const dls_error *why);
/** A turn of the loop over the runs: make the run and measure it. */
void dls_shop_make(void *data, size_t turn);

#endif
