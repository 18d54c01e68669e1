/* experiments/measures/story/phases.c -- what happens at each contact: flights, impacts, accumulations, stick and slip.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/story/facts.h"
#include "experiments/measures/story/thresholds.h"

#include <math.h>
#include <stdlib.h>

enum { STICKS = 1 }; /* of the columns status0, ... */

/* --- the start --- */

static void tell_start(dls_story_facts *facts, size_t j)
{
  const dls_samples *s = &facts->samples;
  dls_pool *pool = &facts->story->pool;
  const double g = s->g[j], u = s->u[j];
  const bool open = g > threshold_rounding * facts->pushes.length;
  dls_story_phase(facts, s->t[0], j,
                  open ? dls_pool_print(pool, "It starts at a gap of %.4g m.", g) : "It starts in contact.",
                  dls_pool_print(pool, "row 1: g%zu = %.6g m, u%zu = %.6g m/s", j, g, j, u));
}

/* --- impacts --- */

static double ratio_of(const dls_judged_impact *x)
{
  return -x->u_plus / x->u_minus;
}

static void tell_impact(dls_story_facts *facts, const dls_judged_impact *x)
{
  dls_pool *pool = &facts->story->pool;
  const char *text =
      x->ends && x->u_plus > threshold_rounding * -x->u_minus
          ? dls_pool_print(pool, "It impacts with %.4g m/s and leaves with %.4g m/s: restitution %.4g.",
                           -x->u_minus, x->u_plus, ratio_of(x))
      : x->ends
          ? dls_pool_print(pool, "It impacts with %.4g m/s and does not separate: restitution 0.", -x->u_minus)
          : dls_pool_print(pool, "It impacts with %.4g m/s; the gap still closes, with %.4g m/s.", -x->u_minus,
                           -x->u_plus);
  const char *evidence = x->after > x->before
                             ? dls_pool_print(pool, "rows %zu to %zu: u%zu from %.6g to %.6g m/s",
                                              x->before + 1, x->after + 1, x->contact, x->u_minus, x->u_plus)
                             : dls_pool_print(pool, "event at t = %.10g s: u%zu from %.6g to %.6g m/s", x->t,
                                              x->contact, x->u_minus, x->u_plus);
  dls_story_phase(facts, x->t, x->contact, text, evidence);
}

static const char *unresolved_impacts(dls_pool *pool)
{
  const char *text =
      dls_pool_print(pool,
                     "impacts are left out if slower than %g of the fastest, or, in runs by steps, "
                     "than %g changes of velocity by smooth forces in a step",
                     DLS_SLOW_IMPACT, DLS_UNRESOLVED_STEPS);
  return text != NULL ? text : "";
}

static void tell_more_impacts(dls_story_facts *facts, const dls_judged_impact *const *x, size_t count)
{
  dls_pool *pool = &facts->story->pool;
  double least = INFINITY, most = -INFINITY;
  for (size_t i = 0; i < count; i++) {
    least = fmin(least, ratio_of(x[i]));
    most = fmax(most, ratio_of(x[i]));
  }
  dls_story_phase(facts, x[0]->t, x[0]->contact,
                  dls_pool_print(pool, "%zu more impacts follow until %.6g s, with restitution %.4g to %.4g.",
                                 count, x[count - 1]->t, least, most),
                  dls_pool_print(pool, "the last arrives with %.4g m/s; %s", -x[count - 1]->u_minus,
                                 unresolved_impacts(pool)));
}

/* Intervals between the last impacts that shrink by one factor. */
static void tell_accumulation(dls_story_facts *facts, const dls_judged_impact *const *x, size_t count)
{
  dls_pool *pool = &facts->story->pool;
  double least = INFINITY, most = 0;
  const size_t first = count > 2 * STORY_SERIES ? count - 2 * STORY_SERIES : 0;
  for (size_t i = first; i + 2 < count; i++) {
    const double before = x[i + 1]->t - x[i]->t, after = x[i + 2]->t - x[i + 1]->t;
    least = fmin(least, after / before);
    most = fmax(most, after / before);
  }
  const double r = 0.5 * (least + most);
  if (count < STORY_SERIES || !(most - least <= threshold_same_ratio * r) || !(r < threshold_shrinks)) {
    return;
  }
  const dls_judged_impact *last = x[count - 1];
  const double rest = last->t + (last->t - x[count - 2]->t) * r / (1 - r);
  dls_story_phase(
      facts, last->t, last->contact,
      dls_pool_print(
          pool,
          "The intervals between impacts shrink by the factor %.3g. With it, infinitely many impacts "
          "accumulate at %.5g s.",
          r, rest),
      dls_pool_print(pool, "last %zu impacts: factors %.4g to %.4g", count - first, least, most));
}

static void tell_impacts(dls_story_facts *facts, const dls_judged_impact *const *x, size_t count)
{
  for (size_t i = 0; i < count && i < STORY_IMPACTS; i++) {
    tell_impact(facts, x[i]);
  }
  if (count == STORY_IMPACTS + 1) {
    tell_impact(facts, x[STORY_IMPACTS]);
  } else if (count > STORY_IMPACTS) {
    tell_more_impacts(facts, x + STORY_IMPACTS, count - STORY_IMPACTS);
  }
  tell_accumulation(facts, x, count);
}

/* Accumulations that the run itself reports. */
static void tell_passed(dls_story_facts *facts, size_t j)
{
  const dls_trajectory *traj = facts->subject->traj;
  dls_pool *pool = &facts->story->pool;
  for (size_t i = 0; i < traj->event_count; i++) {
    const dls_event *e = &traj->events[i];
    if (e->kind == DLS_ACCUMULATION && e->contact == j) {
      dls_story_phase(
          facts, e->t, j, "The run replaces infinitely many impacts by one event.",
          dls_pool_print(pool, "event at t = %.10g s of kind %s", e->t, dls_event_kind_name(e->kind)));
    }
  }
}

/* --- lasting contact --- */

double dls_story_slip(const dls_samples *s, size_t j, size_t k)
{
  const double *u = s->tangent + (k * s->m + j) * (s->d - 1);
  return s->d == 2 ? fabs(u[0]) : s->d == 3 ? hypot(u[0], u[1]) : 0;
}

/* By events the status of a file is exact; steps may end with another one than the contact had in them. @return its column, or -1 */
static int status_column(const dls_story_facts *facts, size_t j)
{
  const dls_scheme *scheme = facts->subject->scheme;
  char name[40];
  snprintf(name, sizeof name, "status%zu", j);
  return scheme != NULL && scheme->stepping == DLS_BY_EVENT ? dls_trajectory_column(facts->subject->traj, name)
                                                            : -1;
}

/* Column k of the impulses of contact j, by their suffix; 0 where the file has none. */
static double impulse_of(const dls_story_facts *facts, size_t j, const char *along, size_t k)
{
  char name[40];
  snprintf(name, sizeof name, "p%zu%s", j, along);
  const int column = dls_trajectory_column(facts->subject->traj, name);
  return column >= 0 ? dls_trajectory_at(facts->subject->traj, k, (size_t)column) : 0;
}

/* Has friction its largest value in the step that ends at row k, or, if that is without a force, in one shortly before? */
static bool at_friction_limit(const dls_story_facts *facts, size_t j, size_t k)
{
  for (size_t back = 0; back < STORY_FORCES && back <= k; back++) {
    const double normal = impulse_of(facts, j, "", k - back);
    const double friction = facts->samples.d == 2 ? fabs(impulse_of(facts, j, "t", k - back))
                                                  : hypot(impulse_of(facts, j, "t1", k - back),
                                                          impulse_of(facts, j, "t2", k - back));
    if (normal > 0) {
      return friction >= threshold_friction_limit * facts->subject->sys->mu[j] * normal;
    }
  }
  return false;
}

/* A slower slip is stick. */
static double stick_limit(const dls_story_facts *facts)
{
  return threshold_slides * fmax(facts->fastest_slip, threshold_rounding * facts->fastest);
}

bool dls_story_slides(const dls_story_facts *facts, size_t j, size_t k)
{
  const int column = status_column(facts, j);
  if (column >= 0) {
    return dls_trajectory_at(facts->subject->traj, k, (size_t)column) != STICKS;
  }
  const double slip = dls_story_slip(&facts->samples, j, k);
  return slip > stick_limit(facts) ||
         (slip > threshold_rounding * facts->fastest && at_friction_limit(facts, j, k));
}

bool dls_story_sticks(const dls_story_facts *facts, size_t j, size_t first, size_t last)
{
  const dls_samples *s = &facts->samples;
  double least = INFINITY, most = 0;
  if (dls_story_slides(facts, j, first)) {
    return false;
  }
  for (size_t k = first + (last - first) / 4; k <= last - (last - first) / 4; k++) {
    least = fmin(least, dls_story_slip(s, j, k));
    most = fmax(most, dls_story_slip(s, j, k));
  }
  return status_column(facts, j) >= 0 || least >= threshold_steady_slip * most ||
         most <= threshold_far_below_slides * threshold_slides * facts->fastest_slip ||
         most <= threshold_rounding * facts->fastest;
}

/* Rows from `first` on that all slide or all stick, up to last. */
size_t dls_story_same_mode(const dls_story_facts *facts, size_t j, size_t first, size_t last)
{
  size_t k = first;
  while (k < last && dls_story_slides(facts, j, k + 1) == dls_story_slides(facts, j, first)) {
    k++;
  }
  return k;
}

static void tell_modes(dls_story_facts *facts, const dls_lasting *x)
{
  const dls_samples *s = &facts->samples;
  dls_pool *pool = &facts->story->pool;
  for (size_t first = x->first, last = 0; first < x->last; first = last + 1) {
    last = dls_story_same_mode(facts, x->contact, first, x->last);
    if (last < first + STORY_FORCES) {
      continue;
    }
    const bool slides = dls_story_slides(facts, x->contact, first);
    if (!slides && !dls_story_sticks(facts, x->contact, first, last)) {
      continue;
    }
    const size_t next = last < x->last ? last + 1 : last;
    const double until = s->t[next], begin = dls_story_slip(s, x->contact, first);
    const double end = dls_story_slip(s, x->contact, next);
    dls_story_phase(
        facts, s->t[first], x->contact,
        slides
            ? dls_pool_print(pool, "It slides until %.6g s, at first with %.4g m/s, at the end with %.4g m/s.",
                             until, begin, end > threshold_rounding * facts->fastest ? end : 0)
            : dls_pool_print(pool, "It sticks until %.6g s.", until),
        status_column(facts, x->contact) >= 0
            ? dls_pool_print(pool, "rows %zu to %zu: column status%zu", first + 1, last + 1, x->contact)
            : dls_pool_print(pool,
                             "rows %zu to %zu: slip %.3g to %.3g m/s; less than %.3g m/s is stick, "
                             "unless friction is at its limit",
                             first + 1, last + 1, begin, dls_story_slip(s, x->contact, last),
                             stick_limit(facts)));
  }
}

/* Is it apart from the surface before the next force? @param[out] row  the first one that is apart */
static bool leaves(const dls_story_facts *facts, const dls_lasting *x, size_t *row)
{
  const dls_samples *s = &facts->samples;
  const double apart =
      threshold_apart * facts->largest_gap[x->contact] + threshold_rounding * facts->pushes.length;
  bool closed = true;
  for (size_t k = x->last; k < s->rows && closed; k++) {
    closed = s->g[k * s->m + x->contact] <= apart;
    *row = k;
    if (closed && k + 1 < s->rows && dls_motion_pushed(&facts->pushes, x->contact, k)) {
      return false;
    }
  }
  return !closed;
}

static void tell_lasting(dls_story_facts *facts, const dls_lasting *x)
{
  const dls_samples *s = &facts->samples;
  dls_pool *pool = &facts->story->pool;
  const size_t j = x->contact;
  dls_story_phase(
      facts, s->t[x->first], j, dls_pool_print(pool, "It stays in contact until %.6g s.", s->t[x->last]),
      dls_pool_print(pool, "rows %zu to %zu: forces follow each other, the gap stays below %.2g m",
                     x->first + 1, x->last + 1,
                     threshold_apart * facts->largest_gap[j] + threshold_rounding * facts->pushes.length));
  if (s->d > 1 && facts->subject->sys->mu[j] > 0) {
    tell_modes(facts, x);
  }
  size_t row = 0;
  if (leaves(facts, x, &row)) {
    dls_story_phase(facts, s->t[x->last], j, "It leaves the surface.",
                    dls_pool_print(pool, "row %zu: no force, g%zu = %.3g m, u%zu = %.4g m/s", row + 1, j,
                                   s->g[row * s->m + j], j, s->u[row * s->m + j]));
  }
}

/* --- one contact after the other --- */

/* Impacts of contact j up to a time, from the i-th on. @return how many */
static size_t impacts_until(const dls_story_facts *facts, size_t j, double until, size_t *i,
                            const dls_judged_impact **x)
{
  const dls_motion *motion = &facts->motion;
  size_t count = 0;
  for (; *i < motion->impact_count && motion->impacts[*i].t <= until; (*i)++) {
    if (motion->impacts[*i].contact == j) {
      x[count++] = &motion->impacts[*i];
    }
  }
  return count;
}

/* After STORY_LASTING lasting contacts the rest in one sentence. */
static void tell_rest(dls_story_facts *facts, size_t j, double from, size_t impacts, size_t lasting)
{
  dls_pool *pool = &facts->story->pool;
  dls_story_phase(facts, from, j,
                  impacts > 0 ? dls_pool_print(pool, "%zu more lasting contacts and %zu more impacts follow.",
                                               lasting, impacts)
                              : dls_pool_print(pool, "%zu more lasting contacts follow.", lasting),
                  dls_pool_print(pool, "only the first %d lasting contacts are described", STORY_LASTING));
}

/* Impacts and lasting contacts of contact j. */
static size_t happenings(const dls_story_facts *facts, size_t j)
{
  size_t count = 0;
  for (size_t i = 0; i < facts->motion.impact_count; i++) {
    count += facts->motion.impacts[i].contact == j;
  }
  for (size_t i = 0; i < facts->lasting_count; i++) {
    count += facts->lasting[i].contact == j;
  }
  return count;
}

/* Contact forces that are neither an impact nor lasting contact. */
static void tell_unresolved(dls_story_facts *facts, size_t j)
{
  const dls_samples *s = &facts->samples;
  size_t k = 0;
  while (k + 1 < s->rows && !dls_motion_pushed(&facts->pushes, j, k)) {
    k++;
  }
  if (k + 1 < s->rows && happenings(facts, j) == 0) {
    dls_story_phase(facts, s->t[k], j, "It has contact forces, but no resolved impact and no lasting contact.",
                    unresolved_impacts(&facts->story->pool));
  }
}

static void tell_contact(dls_story_facts *facts, size_t j)
{
  const dls_judged_impact **x =
      dls_pool_take(&facts->story->pool, (facts->motion.impact_count + 1) * sizeof *x);
  const size_t before = facts->story->phase_count;
  size_t i = 0, told = 0, more = 0;
  double from = NAN;
  if (x == NULL) {
    return;
  }
  tell_start(facts, j);
  tell_unresolved(facts, j);
  tell_passed(facts, j);
  for (size_t l = 0; l < facts->lasting_count; l++) {
    const dls_lasting *lasting = &facts->lasting[l];
    const double begin = facts->samples.t[lasting->first];
    if (lasting->contact == j && told < STORY_LASTING) {
      tell_impacts(facts, x, impacts_until(facts, j, begin, &i, x));
      tell_lasting(facts, lasting);
      told++;
    } else if (lasting->contact == j) {
      from = more == 0 ? begin : from;
      more++;
    }
  }
  const size_t impacts = impacts_until(facts, j, INFINITY, &i, x);
  if (more > 0) {
    tell_rest(facts, j, from, impacts, more);
  } else {
    tell_impacts(facts, x, impacts);
  }
  dls_story_sort(facts->story->phases + before, facts->story->phase_count - before);
}

void dls_story_phases(dls_story_facts *facts)
{
  const size_t m = facts->samples.m;
  size_t told = 0, left = 0, idle = 0;
  for (size_t j = 0; j < m && facts->samples.rows > 0; j++) {
    if (happenings(facts, j) == 0 && m > 1) {
      idle++;
    } else if (told == STORY_CONTACTS) {
      left++;
    } else {
      tell_contact(facts, j);
      told++;
    }
  }
  dls_pool *pool = &facts->story->pool;
  if (idle > 0) {
    dls_story_phase(
        facts, NAN, (size_t)DLS_STORY_NO_CONTACT,
        dls_pool_print(pool, "%zu of %zu contacts have no resolved impact and no lasting force.", idle, m),
        unresolved_impacts(pool));
  }
  if (left > 0) {
    dls_story_phase(facts, NAN, (size_t)DLS_STORY_NO_CONTACT,
                    dls_pool_print(pool, "The phases of %zu more contacts are left out.", left),
                    dls_pool_print(pool,
                                   "only the first %d contacts with impacts or lasting forces are described",
                                   STORY_CONTACTS));
  }
}
