/* experiments/measures/motion.c -- impacts, rest and flight, found in the rows of a trajectory.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/motion.h"
#include "experiments/measures/motion_parts.h"
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* Impacts slower than this part of the fastest are none, as in dls_quality. */
static const double slow_impact = 0.01;
/* Nor are those slower than what smooth forces do to the velocity in so many steps: bodies at rest bounce like that. */
static const double unresolved = 10;

double dls_motion_median(double *values, size_t count)
{
  gsl_sort(values, 1, count);
  return count > 0 ? gsl_stats_median_from_sorted_data(values, 1, count) : NAN;
}

/* --- impacts --- */

typedef struct impacts {
  dls_judged_impact *all;
  size_t count, room;
} impacts;

static dls_status add_impact(impacts *list, const dls_judged_impact *impact, dls_error *err)
{
  if (list->count == list->room) {
    const size_t room = 2 * list->room + 16;
    dls_judged_impact *all = realloc(list->all, room * sizeof *all);
    if (all == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu impacts", room);
    }
    list->all = all;
    list->room = room;
  }
  list->all[list->count++] = *impact;
  return DLS_OK;
}

/* The impact of contact j between rows first and last. */
static dls_judged_impact read_impact(const dls_samples *s, size_t j, size_t first, size_t last)
{
  const double u = s->u[first * s->m + j], g = s->g[first * s->m + j];
  const double span = s->t[last] - s->t[first];
  dls_judged_impact impact = {
      .contact = j, .t = s->t[first] + fmin(fmax(u < 0 ? -g / u : 0, 0), span), .u_minus = u, .u_plus = u};
  for (size_t k = first + 1; k <= last; k++) {
    impact.u_plus = fmax(impact.u_plus, s->u[k * s->m + j]);
  }
  return impact;
}

static dls_status find_impacts(const dls_pushes *pushes, size_t j, impacts *list, dls_error *err)
{
  const dls_samples *s = pushes->samples;
  dls_status status = DLS_OK;
  for (size_t k = 0; k + 1 < s->rows && status == DLS_OK; k++) {
    const size_t first = k;
    while (k + 1 < s->rows && dls_motion_pushed(pushes, j, k)) {
      k++;
    }
    if (k > first && s->u[first * s->m + j] < 0) {
      const dls_judged_impact impact = read_impact(s, j, first, k);
      status = add_impact(list, &impact, err);
    }
  }
  return status;
}

static int by_time(const void *a, const void *b)
{
  const dls_judged_impact *x = a, *y = b;
  return x->t != y->t ? (x->t > y->t) - (x->t < y->t) : (x->contact > y->contact) - (x->contact < y->contact);
}

/* What smooth forces do to the velocity of any gap within a row, at most. */
static double smooth_change(const dls_samples *s)
{
  double largest = 0;
  for (size_t k = 0; k + 1 < s->rows; k++) {
    for (size_t j = 0; j < s->m; j++) {
      largest = fmax(largest, fabs(s->a[k * s->m + j]) * (s->t[k + 1] - s->t[k]));
    }
  }
  return largest;
}

static void drop_slow(const dls_samples *s, impacts *list)
{
  double fastest = 0;
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++) {
    fastest = fmax(fastest, -list->all[i].u_minus);
  }
  const double least = fmax(slow_impact * fastest, unresolved * smooth_change(s));
  for (size_t i = 0; i < list->count; i++) {
    if (-list->all[i].u_minus >= least) {
      list->all[kept++] = list->all[i];
    }
  }
  list->count = kept;
  if (kept > 0) {
    qsort(list->all, kept, sizeof *list->all, by_time);
  }
}

/* --- what the impacts say --- */

/* No other contact impacts within a row's distance in time. */
static bool alone(const dls_motion *motion, size_t i, double apart)
{
  const dls_judged_impact *x = motion->impacts;
  return (i == 0 || x[i].t - x[i - 1].t > apart || x[i - 1].contact == x[i].contact) &&
         (i + 1 == motion->impact_count || x[i + 1].t - x[i].t > apart || x[i + 1].contact == x[i].contact);
}

static dls_status measure_restitution(const dls_system *sys, const dls_samples *s, dls_motion *out,
                                      dls_error *err)
{
  double *ratio = malloc((2 * out->impact_count + 2) * sizeof *ratio);
  if (ratio == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu impacts", out->impact_count);
  }
  double *off = ratio + out->impact_count + 1;
  const double apart = s->rows > 1 ? (s->t[s->rows - 1] - s->t[0]) / (double)(s->rows - 1) : 0;
  size_t count = 0;
  for (size_t i = 0; i < out->impact_count; i++) {
    const dls_judged_impact *x = &out->impacts[i];
    if (alone(out, i, apart)) {
      ratio[count] = -x->u_plus / x->u_minus;
      off[count] = ratio[count] - sys->e[x->contact];
      count++;
    }
  }
  out->restitution = dls_motion_median(ratio, count);
  out->figures[DLS_JUDGED_RESTITUTION] = fabs(dls_motion_median(off, count));
  free(ratio);
  return DLS_OK;
}

/* Times of the first impacts of contact j that are not slow, in the events of the reference. @return how many */
static size_t reference_times(const dls_trajectory *reference, size_t j, size_t most, double *times)
{
  double fastest = 0;
  size_t count = 0;
  for (size_t i = 0; i < reference->event_count; i++) {
    fastest = fmax(fastest, reference->events[i].kind == DLS_IMPACT ? -reference->events[i].u_minus : 0);
  }
  for (size_t i = 0; i < reference->event_count && count < most; i++) {
    const dls_event *event = &reference->events[i];
    if (event->kind == DLS_IMPACT && event->contact == j && -event->u_minus >= slow_impact * fastest) {
      times[count++] = event->t;
    }
  }
  return count;
}

static void measure_times(const dls_samples *s, const dls_trajectory *reference, dls_motion *out)
{
  enum { FIRST = 5 };
  double worst = NAN;
  for (size_t j = 0; j < s->m; j++) {
    double times[FIRST];
    const size_t count = reference_times(reference, j, FIRST, times);
    for (size_t i = 0, k = 0; i < out->impact_count && k < count; i++) {
      if (out->impacts[i].contact == j) {
        worst = fmax(worst, fabs(out->impacts[i].t - times[k++])); /* fmax leaves NaN out */
      }
    }
  }
  out->figures[DLS_JUDGED_TIMES] = worst;
}

/* --- all of it --- */

static dls_status measure_impacts(const dls_system *sys, const dls_pushes *pushes,
                                  const dls_trajectory *reference, dls_motion *out, dls_error *err)
{
  impacts list = {0};
  dls_status status = DLS_OK;
  for (size_t j = 0; j < sys->m && status == DLS_OK; j++) {
    status = find_impacts(pushes, j, &list, err);
  }
  drop_slow(pushes->samples, &list);
  out->impacts = list.all;
  out->impact_count = list.count;
  status = status != DLS_OK ? status : measure_restitution(sys, pushes->samples, out, err);
  measure_times(pushes->samples, reference, out);
  return status;
}

static double deepest(const dls_samples *s)
{
  double worst = s->m > 0 && s->rows > 0 ? 0 : NAN;
  for (size_t i = 0; i < s->rows * s->m; i++) {
    worst = s->g[i] < -worst ? -s->g[i] : worst;
  }
  return worst;
}

static double off_start(const dls_system *sys, const dls_samples *s)
{
  double worst = s->rows > 0 && s->t[0] == 0 ? 0 : NAN;
  for (size_t i = 0; i < s->n && s->rows > 0; i++) {
    worst = isnan(worst) ? worst : fmax(worst, fabs(s->q[i] - sys->q0[i]) / sys->length);
  }
  return worst;
}

dls_status dls_motion_measure(const dls_system *sys, const dls_trajectory *traj,
                              const dls_trajectory *reference, double end, dls_motion *out, dls_error *err)
{
  *out = (dls_motion){.restitution = NAN, .start = NAN};
  for (size_t i = 0; i < DLS_JUDGED_FIGURES; i++) {
    out->figures[i] = NAN;
  }
  dls_samples samples;
  dls_pushes pushes = {.samples = &samples};
  dls_status status = dls_samples_take(sys, traj, end, &samples, err);
  status = status != DLS_OK ? status : dls_pushes_take(&pushes, sys->length, err);
  status = status != DLS_OK ? status : measure_impacts(sys, &pushes, reference, out, err);
  if (status == DLS_OK) {
    out->start = off_start(sys, &samples);
    out->figures[DLS_JUDGED_PENETRATION] = deepest(&samples);
    dls_motion_creep(sys, &samples, reference, out);
    status = dls_motion_flights(&pushes, out, err);
  }
  free(pushes.scale);
  dls_samples_clear(&samples);
  return status;
}

void dls_motion_clear(dls_motion *motion)
{
  free(motion->impacts);
  *motion = (dls_motion){0};
}
