/* experiments/campaign/campaign.c -- threads take batches of cells until none is open.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/campaign/campaign.h"
#include "experiments/campaign/parallel.h"
#include <math.h>
#include <stdlib.h>

/* Fractions done are multiples of 1/resolution, so that they do not show the rounding of the sum of what was reported. */
static const double resolution = 1e12;

static double weight_of(const dls_campaign *c, size_t cell)
{
  return c->measure->weight != NULL ? c->measure->weight(c, cell) : 1;
}

static bool is_open(const dls_campaign *c, size_t cell)
{
  return (c->done == NULL || !c->done[cell]) && (c->other_shard == NULL || !c->other_shard[cell]);
}

/* --- progress --- */

dls_progress dls_campaign_progress(dls_campaign *c, const size_t *cells, size_t count)
{
  dls_progress p = {.campaign = c};
  for (size_t i = 0; i < count; i++) {
    p.weight += weight_of(c, cells[i]);
  }
  return p;
}

bool dls_progress_report(dls_progress *p, double fraction)
{
  dls_campaign *c = p->campaign;
  pthread_mutex_lock(&c->lock);
  c->reported += fraction * p->weight - p->reported;
  p->reported = fraction * p->weight;
  if (!c->stopped && c->poll != NULL) {
    const double done = c->total > 0 ? fmin(c->reported / c->total, 1) : 0;
    c->stopped = !c->poll(c->poll_data, round(done * resolution) / resolution);
  }
  const bool stopped = c->stopped;
  pthread_mutex_unlock(&c->lock);
  return !stopped;
}

static bool poll_distance(void *data)
{
  dls_progress *p = data;
  return dls_progress_report(p, p->weight > 0 ? p->reported / p->weight : 0);
}

dls_interrupt dls_progress_interrupts(dls_progress *p)
{
  return dls_interrupt_set((dls_interrupt){poll_distance, p, 0, false});
}

/* With c->lock. The first failure counts. */
static void fail(dls_campaign *c, dls_status status, const dls_error *why)
{
  if (status != DLS_OK && c->status == DLS_OK) {
    c->status = status;
    c->why = *why;
    c->stopped = true;
  }
}

void dls_campaign_finish(dls_progress *p, const size_t *cells, size_t count)
{
  dls_campaign *c = p->campaign;
  dls_error why = {0};
  pthread_mutex_lock(&c->lock);
  c->reported += p->weight - p->reported;
  p->reported = p->weight;
  for (size_t i = 0; i < count && c->done != NULL; i++) {
    c->done[cells[i]] = true;
  }
  if (c->measure->keep != NULL) {
    fail(c, c->measure->keep(p, cells, count, &why), &why);
  }
  pthread_mutex_unlock(&c->lock);
}

void dls_campaign_lacks_memory(dls_campaign *c)
{
  pthread_mutex_lock(&c->lock);
  c->out_of_memory++;
  pthread_mutex_unlock(&c->lock);
}

/* --- the loop --- */

/* Take the next open cells that go together. @return their number, 0 at the end or if the campaign is stopped */
static size_t take(dls_campaign *c, size_t *cells)
{
  size_t count = 0;
  double weight = 0;
  pthread_mutex_lock(&c->lock);
  for (; c->next < c->count && !c->stopped; c->next++) {
    const size_t cell = c->order != NULL ? c->order[c->next] : c->next;
    if (!is_open(c, cell)) {
      continue;
    }
    if (count > 0 && (count == DLS_CAMPAIGN_BATCH || c->measure->joins == NULL ||
                      !c->measure->joins(c, cells[0], count, weight, cell))) {
      break;
    }
    cells[count++] = cell;
    weight += weight_of(c, cell);
  }
  pthread_mutex_unlock(&c->lock);
  return count;
}

static void work(void *data, size_t thread)
{
  (void)thread;
  dls_campaign *c = data;
  size_t cells[DLS_CAMPAIGN_BATCH], count;
  dls_error why = {0};
  void *scratch = calloc(1, c->scratch + 1);
  dls_status status = scratch != NULL ? DLS_OK : dls_fail(&why, DLS_ERR_MEMORY, "no memory for a run");
  while (status == DLS_OK && (count = take(c, cells)) > 0) {
    dls_progress p = dls_campaign_progress(c, cells, count);
    if (!dls_progress_report(&p, 0)) {
      break;
    }
    status = c->measure->run(&p, cells, count, scratch, &why);
  }
  if (scratch != NULL && c->measure->release != NULL) {
    c->measure->release(c, scratch);
  }
  free(scratch);
  pthread_mutex_lock(&c->lock);
  fail(c, status, &why);
  pthread_mutex_unlock(&c->lock);
}

dls_status dls_campaign_run(dls_campaign *c, dls_error *err)
{
  c->next = 0;
  const bool sum = c->total == 0;
  for (size_t cell = 0; sum && cell < c->count; cell++) {
    c->total += is_open(c, cell) ? weight_of(c, cell) : 0;
  }
  if (pthread_mutex_init(&c->lock, NULL) != 0) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a lock");
  }
  const size_t jobs = c->jobs > 1 ? c->jobs : 1;
  dls_parallel_for(jobs, jobs, work, c);
  pthread_mutex_destroy(&c->lock);
  if (c->status != DLS_OK) {
    return dls_fail(err, c->status, "%s", c->why.text);
  }
  return c->stopped ? dls_fail(err, DLS_ERR_INTERRUPTED, "interrupted") : DLS_OK;
}
