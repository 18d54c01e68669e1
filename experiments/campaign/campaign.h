/* experiments/campaign/campaign.h -- the one loop over many runs: threads, batches, progress, interrupts, failures.
 *
 * A cell is what is made and measured at once: a run of a convergence study, a point of a sweep, a file to be judged. The caller
 * numbers the cells and keeps a place for the results of each, so that results do not depend on the number of threads. Cells are
 * taken in the given order; neighbours that can go side by side form a batch. Nothing is allocated per cell.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CAMPAIGN_H
#define DELASSUS_EXPERIMENTS_CAMPAIGN_H

#include "analytic/distance/interrupt.h"
#include <pthread.h>

enum { DLS_CAMPAIGN_BATCH = 64 }; /* the most cells of a batch */

typedef struct dls_campaign dls_campaign;

/** How far some cells are. */
typedef struct dls_progress {
  dls_campaign *campaign;
  double weight;   /* all of it */
  double reported; /* of the weight */
} dls_progress;

/** What is done with cells. */
typedef struct dls_campaign_measure {
  /** Predicted work, > 0, in any unit; NULL: all cells cost 1. */
  double (*weight)(const dls_campaign *c, size_t cell);
  /** May a cell join the batch of `count` cells of this weight that begins with `first`? NULL: every cell goes alone. */
  bool (*joins)(const dls_campaign *c, size_t first, size_t count, double weight, size_t cell);
  /**
   * Make and measure a batch, and call dls_campaign_finish for what is finished; other cells stay open. Called from several threads
   * at a time.
   * @param[in,out] p    of the batch
   * @param[in] scratch  c->scratch bytes of the calling thread, zero at first
   * @return a failure ends the campaign
   */
  dls_status (*run)(dls_progress *p, const size_t *cells, size_t count, void *scratch, dls_error *err);
  /** Called by dls_campaign_finish, never by two threads at a time, nor while poll is; NULL: nothing is to be done. @return a failure
   * ends the campaign */
  dls_status (*keep)(dls_progress *p, const size_t *cells, size_t count, dls_error *err);
  /** Free what run has put into the scratch memory of a thread, once at its end; NULL: nothing. */
  void (*release)(const dls_campaign *c, void *scratch);
} dls_campaign_measure;

struct dls_campaign {
  /* The cells. */
  size_t count;
  bool *done;              /* count; those that are done are left out; NULL: none is */
  const bool *other_shard; /* count; those of other shards are left out; NULL: all are ours */
  const size_t *order;     /* count numbers of cells; NULL: by number */
  /* What is made of them. */
  const dls_campaign_measure *measure;
  void *data;     /* of the measure */
  size_t scratch; /* bytes for each thread */
  size_t jobs;    /* threads; 0 as 1 */
  bool (*poll)(
      void *data,
      double done); /* of the fraction done, never by two threads at a time; false interrupts; may be NULL */
  void *poll_data;
  /* Progress, in units of weight. */
  double total;    /* 0: the weight of the cells that are made */
  double reported; /* of it */
  /* Results. */
  size_t out_of_memory; /* cells that found no memory and stay open */
  bool stopped;         /* by poll, or by a failure */
  size_t
      next; /* cells that were taken or passed over: with one job, the number from 1 of the cell that failed */
  /* Private. */
  pthread_mutex_t lock; /* of progress and results */
  dls_status status;
  dls_error why;
};

/** Make all cells that are open. @return DLS_OK; DLS_ERR_INTERRUPTED; DLS_ERR_MEMORY; what measure->run or keep failed with */
dls_status dls_campaign_run(dls_campaign *c, dls_error *err);

/** The progress of cells that are about to be made. */
dls_progress dls_campaign_progress(dls_campaign *c, const size_t *cells, size_t count);
/** Report that a fraction in [0, 1] is done. @return false if the campaign is to stop */
bool dls_progress_report(dls_progress *p, double fraction);
/** Distances that this thread computes poll the campaign. @return what dls_interrupt_set restores */
dls_interrupt dls_progress_interrupts(dls_progress *p);
/** Cells are finished: they are done, and kept. */
void dls_campaign_finish(dls_progress *p, const size_t *cells, size_t count);
/** Finish cells if `status` is DLS_OK. @return status */
static inline dls_status dls_campaign_end(dls_progress *p, const size_t *cells, size_t count, dls_status status)
{
  if (status == DLS_OK) {
    dls_campaign_finish(p, cells, count);
  }
  return status;
}
/** A cell found no memory: it stays open, and the campaign continues with the others. */
void dls_campaign_lacks_memory(dls_campaign *c);

#endif
