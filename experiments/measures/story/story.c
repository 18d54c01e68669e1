/* experiments/measures/story/story.c -- the facts of a run, and the list of sentences.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/story/story.h"
#include "common/base/memory.h"
#include "experiments/measures/story/facts.h"
#include "experiments/measures/story/thresholds.h"
#include <delassus/law.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- impacts --- */

/* First row at or after time t; the number of rows if there is none. */
static size_t row_from(const dls_samples *s, double t)
{
  size_t low = 0, high = s->rows;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (s->t[middle] < t) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* First row of the jump at time t; the number of rows if it is not recorded. */
static size_t jump_at(const dls_samples *s, double t)
{
  const size_t row = row_from(s, t);
  return row + 1 < s->rows && s->t[row] == t && s->t[row + 1] == t ? row : s->rows;
}

/* Impacts slower than this are ignored. A scheme by steps has many at rest, as fast as smooth forces make a body in a step. */
static double slow(const dls_story_facts *facts)
{
  const dls_trajectory *traj = facts->subject->traj;
  const dls_samples *s = &facts->samples;
  const dls_scheme *scheme = facts->subject->scheme;
  double fastest = 0, change = 0;
  for (size_t i = 0; i < traj->event_count; i++) {
    fastest = fmax(fastest, traj->events[i].kind == DLS_IMPACT ? -traj->events[i].u_minus : 0);
  }
  for (size_t i = 0; i + s->m < s->rows * s->m && scheme != NULL && scheme->stepping != DLS_BY_EVENT; i++) {
    change = fmax(change, fabs(s->a[i]) * (s->t[i / s->m + 1] - s->t[i / s->m]));
  }
  return fmax(DLS_SLOW_IMPACT * fastest, DLS_UNRESOLVED_STEPS * change);
}

/* Is event i the only impact at its time? */
static bool alone(const dls_trajectory *traj, size_t i)
{
  return (i == 0 || traj->events[i - 1].t < traj->events[i].t) &&
         (i + 1 == traj->event_count || traj->events[i + 1].t > traj->events[i].t);
}

/* Impacts as the file reports them, in place of those that are found in its rows. */
static dls_status take_events(dls_story_facts *facts, dls_error *err)
{
  const dls_trajectory *traj = facts->subject->traj;
  dls_motion *motion = &facts->motion;
  const double least = slow(facts);
  dls_motion_clear(motion);
  motion->impacts = calloc(traj->event_count, sizeof *motion->impacts);
  double *ratio = dls_pool_take(&facts->story->pool, 2 * traj->event_count * sizeof *ratio);
  if (motion->impacts == NULL || ratio == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu impacts", traj->event_count);
  }
  double *off = ratio + traj->event_count;
  size_t count = 0;
  for (size_t i = 0; i < traj->event_count; i++) {
    const dls_event *e = &traj->events[i];
    if (e->kind != DLS_IMPACT || e->contact >= facts->samples.m || -e->u_minus < least) {
      continue;
    }
    const size_t row = jump_at(&facts->samples, e->t);
    const bool recorded = row < facts->samples.rows;
    motion->impacts[motion->impact_count++] = (dls_judged_impact){.contact = e->contact,
                                                                  .t = e->t,
                                                                  .u_minus = e->u_minus,
                                                                  .u_plus = e->u_plus,
                                                                  .before = recorded ? row : 0,
                                                                  .after = recorded ? row + 1 : 0,
                                                                  .ends = e->u_plus >= 0};
    if (alone(traj, i) && e->u_plus >= 0) { /* where the gap still closes, -u+/u- is not an e */
      ratio[count] = -e->u_plus / e->u_minus;
      off[count] = ratio[count] - dls_law_restitution(facts->subject->sys, e->contact, e->u_minus);
      count++;
    }
  }
  motion->restitution = dls_motion_median(ratio, count);
  motion->figures[DLS_JUDGED_RESTITUTION] = fabs(dls_motion_median(off, count));
  return DLS_OK;
}

/* --- forces that the file has --- */

static int column_of(const dls_trajectory *traj, const char *kind, size_t j)
{
  char name[40];
  snprintf(name, sizeof name, "%s%zu", kind, j);
  return dls_trajectory_column(traj, name);
}

/* Impulses p of steps and impacts, forces lambda at both ends. Bodies that accelerate together push each other, too, which the growth of
 * a gap velocity does not show. NULL: not all columns, another program, or a part of the rows, whose p are sums. */
static const bool *known_forces(dls_story_facts *facts)
{
  const dls_trajectory *traj = facts->subject->traj;
  const dls_samples *s = &facts->samples;
  bool *known = dls_pool_take(&facts->story->pool, dls_size_sum(dls_size_product(s->rows, s->m), 1));
  if (known == NULL || facts->subject->scheme == NULL || facts->subject->recorded != NULL) {
    return NULL;
  }
  for (size_t j = 0; j < s->m; j++) {
    const int p = column_of(traj, "p", j), lambda = column_of(traj, "lambda", j);
    if (p < 0 || lambda < 0) {
      return NULL;
    }
    for (size_t k = 0; k + 1 < s->rows; k++) {
      const double largest =
          fmax(dls_trajectory_at(traj, k, (size_t)lambda), dls_trajectory_at(traj, k + 1, (size_t)lambda));
      known[k * s->m + j] =
          dls_trajectory_at(traj, k + 1, (size_t)p) > 0 || (s->t[k + 1] > s->t[k] && largest > 0);
    }
  }
  return known;
}

/* --- lasting contact --- */

/* of_impact[k]: the force of contact j between rows k and k + 1 belongs to an impact that has a sentence of its own. */
static void mark_impacts(const dls_story_facts *facts, size_t j, bool *of_impact)
{
  memset(of_impact, 0, facts->samples.rows * sizeof *of_impact);
  for (size_t i = 0; i < facts->motion.impact_count; i++) {
    const dls_judged_impact *x = &facts->motion.impacts[i];
    for (size_t k = x->before; x->contact == j && k < x->after; k++) {
      of_impact[k] = true;
    }
    if (x->contact == j && x->after == x->before) { /* an event without rows of its own: those around it */
      const size_t next = row_from(&facts->samples, x->t);
      of_impact[next > 0 ? next - 1 : 0] = true;
    }
  }
}

static double largest_gap(const dls_story_facts *facts, size_t j, size_t first, size_t last)
{
  double largest = 0;
  for (size_t k = first; k <= last; k++) {
    largest = fmax(largest, facts->samples.g[k * facts->samples.m + j]);
  }
  return largest;
}

/* Forces that follow each other without an impact or a flight between them. */
static void find_lasting(dls_story_facts *facts, size_t j, const bool *of_impact)
{
  const dls_samples *s = &facts->samples;
  dls_lasting *now = &facts->lasting[facts->lasting_count];
  const double apart = threshold_apart * facts->largest_gap[j] + threshold_rounding * facts->pushes.length;
  size_t forces = 0;
  for (size_t k = 0; k + 1 < s->rows; k++) {
    if (!dls_motion_pushed(&facts->pushes, j, k)) {
      continue;
    }
    if (forces > 0 && (of_impact[k] || largest_gap(facts, j, now->last, k) > apart)) {
      facts->lasting_count += forces >= STORY_FORCES;
      now = &facts->lasting[facts->lasting_count];
      forces = 0;
    }
    if (!of_impact[k]) {
      now->first = forces == 0 ? k : now->first;
      now->last = k + 1;
      now->contact = j;
      forces++;
    }
  }
  facts->lasting_count += forces >= STORY_FORCES;
}

/* --- all of it --- */

static double median_step(dls_story_facts *facts)
{
  const dls_samples *s = &facts->samples;
  double *h = dls_pool_take(&facts->story->pool, (s->rows + 1) * sizeof *h);
  size_t count = 0;
  for (size_t k = 0; k + 1 < s->rows && h != NULL; k++) {
    if (s->t[k + 1] > s->t[k]) {
      h[count++] = s->t[k + 1] - s->t[k];
    }
  }
  return h != NULL ? dls_motion_median(h, count) : NAN;
}

static void find_scales(dls_story_facts *facts)
{
  const dls_samples *s = &facts->samples;
  for (size_t j = 0; j < s->m; j++) {
    facts->fastest = fmax(facts->fastest, facts->pushes.scale[j]);
    facts->largest_gap[j] = s->rows > 0 ? largest_gap(facts, j, 0, s->rows - 1) : 0;
    for (size_t k = 0; k < s->rows && s->d > 1; k++) {
      const double *u = s->tangent + (k * s->m + j) * (s->d - 1);
      facts->fastest_slip = fmax(facts->fastest_slip, s->d == 2 ? fabs(u[0]) : hypot(u[0], u[1]));
    }
  }
}

static dls_status collect(dls_story_facts *facts, dls_error *err)
{
  const dls_story_subject *subject = facts->subject;
  dls_samples *s = &facts->samples;
  if (dls_samples_take(subject->sys, subject->traj, INFINITY, s, err) != DLS_OK ||
      dls_pushes_take(&facts->pushes, subject->sys->length, err) != DLS_OK ||
      dls_motion_impacts(subject->sys, &facts->pushes, &facts->motion, err) != DLS_OK ||
      (subject->traj->event_count > 0 && take_events(facts, err) != DLS_OK)) {
    return err->status;
  }
  facts->pushes.known = known_forces(facts);
  facts->step = subject->step > 0 ? subject->step : median_step(facts);
  facts->largest_gap = dls_pool_take(&facts->story->pool, (s->m + 1) * sizeof *facts->largest_gap);
  /* a lasting contact has STORY_FORCES rows of its own; one more entry for the one in hand */
  const size_t most = s->m * (s->rows / STORY_FORCES + 1) + 1;
  facts->lasting = dls_pool_take(&facts->story->pool, most * sizeof *facts->lasting);
  bool *of_impact = dls_pool_take(&facts->story->pool, (s->rows + 1) * sizeof *of_impact);
  if (facts->largest_gap == NULL || facts->lasting == NULL || of_impact == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu contacts", s->m);
  }
  find_scales(facts);
  facts->fastest = fmax(facts->fastest, fmax(facts->fastest_slip, subject->sys->length / subject->sys->time));
  for (size_t j = 0; j < s->m; j++) {
    mark_impacts(facts, j, of_impact);
    find_lasting(facts, j, of_impact);
  }
  return DLS_OK;
}

dls_status dls_story_tell(const dls_story_subject *subject, dls_story *out, dls_error *err)
{
  *out = (dls_story){0};
  dls_story_facts facts = {.subject = subject, .story = out};
  facts.pushes.samples = &facts.samples;
  dls_status status = collect(&facts, err);
  if (status == DLS_OK) {
    dls_story_phases(&facts);
    dls_story_findings(&facts);
    dls_story_sort(out->findings, out->finding_count);
    status = out->pool.failed ? dls_fail(err, DLS_ERR_MEMORY, "no memory for the story of a run") : DLS_OK;
  }
  free(facts.pushes.scale);
  dls_motion_clear(&facts.motion);
  dls_samples_clear(&facts.samples);
  return status;
}
