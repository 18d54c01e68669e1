/* event_totals.c -- counts, accumulations and restitution of events that are not kept.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/event_totals.h"
#include <math.h>
#include <stdlib.h>

/* Bins to a factor of 2 in speed: 0.2 to 0.4 % wide. From the limit to the fastest they span 6.7 octaves, less than SPAN. */
enum { PER_OCTAVE = 256, SPAN = 8 * PER_OCTAVE };
/* Impacts whose times are remembered, as some schemes report one a few steps later. */
enum { RECENT = 16 };

/* An impact that may turn out not to be alone. */
typedef struct recent {
  double t, speed, restitution;
  bool measured;
} recent;

typedef struct bin {
  size_t impacts, measured;
  double sum, least, most; /* of restitutions */
} bin;

struct dls_impact_bins {
  double fastest;
  long lowest;  /* number of the bin that contains the limit */
  size_t still; /* impacts without speed */
  recent recent[RECENT];
  size_t seen; /* impacts that were put there */
  bin bins[SPAN];
};

/* Number of the bin of a speed > 0: 256 equal parts of [2^k, 2^(k + 1)), so that it grows with the speed to the last bit. */
static long bin_number(double speed)
{
  int exponent = 0;
  const double mantissa = frexp(speed, &exponent); /* [0.5, 1) */
  return (long)exponent * PER_OCTAVE + (long)((2 * mantissa - 1) * PER_OCTAVE);
}

static bin *bin_at(struct dls_impact_bins *b, long number)
{
  return &b->bins[((number % SPAN) + SPAN) % SPAN];
}

dls_event_totals *dls_event_totals_create(bool restitution)
{
  dls_event_totals *totals = calloc(1, sizeof *totals);
  if (totals != NULL && restitution && (totals->bins = calloc(1, sizeof *totals->bins)) == NULL) {
    free(totals);
    return NULL;
  }
  return totals;
}

void dls_event_totals_destroy(dls_event_totals *totals)
{
  if (totals != NULL) {
    for (size_t i = 0; i < totals->note_count; i++) {
      free(totals->notes[i]);
    }
    free(totals->notes);
    free(totals->bins);
    free(totals);
  }
}

/* A faster impact than all before it raises the limit: what is below is slow now. */
static void raise_limit(dls_event_totals *totals, double speed)
{
  struct dls_impact_bins *b = totals->bins;
  const long lowest = bin_number(DLS_SLOW_IMPACT * speed);
  const long first = b->fastest > 0 ? b->lowest : lowest, last = lowest < first + SPAN ? lowest : first + SPAN;
  for (long i = first; i < last; i++) {
    bin *x = bin_at(b, i);
    totals->slow_impacts += x->impacts;
    totals->measured -= x->measured;
    totals->restitution_sum = totals->measured > 0 ? totals->restitution_sum - x->sum : 0;
    *x = (bin){0};
  }
  totals->slow_impacts += b->still;
  b->still = 0;
  b->fastest = speed;
  b->lowest = lowest;
}

/* Nothing will make this impact one of several any more: into its bin. */
static void settle(dls_event_totals *totals, const recent *x)
{
  struct dls_impact_bins *b = totals->bins;
  if (x->speed < DLS_SLOW_IMPACT * b->fastest) {
    totals->slow_impacts++;
    return;
  }
  if (!(x->speed > 0 && isfinite(x->speed))) {
    b->still++;
    return;
  }
  bin *to = bin_at(b, bin_number(x->speed));
  to->impacts++;
  if (x->measured) {
    to->least = to->measured > 0 ? fmin(to->least, x->restitution) : x->restitution;
    to->most = to->measured > 0 ? fmax(to->most, x->restitution) : x->restitution;
    to->sum += x->restitution;
    to->measured++;
    totals->restitution_sum += x->restitution;
    totals->measured++;
  }
}

static void add_impact(dls_event_totals *totals, const dls_event *event)
{
  struct dls_impact_bins *b = totals->bins;
  recent x = {event->t, fabs(event->u_minus), -event->u_plus / event->u_minus, event->u_minus < 0};
  if (x.speed > b->fastest && isfinite(x.speed)) {
    raise_limit(totals, x.speed);
  }
  const size_t known = b->seen < RECENT ? b->seen : RECENT;
  for (size_t i = 1; i <= known; i++) {
    recent *y = &b->recent[(b->seen - i) % RECENT];
    if (y->t == x.t) { /* neither is alone */
      y->measured = x.measured = false;
      settle(totals, &x);
      return;
    }
  }
  recent *to = &b->recent[b->seen % RECENT];
  if (known == RECENT) {
    settle(totals, to);
  }
  *to = x;
  b->seen++;
}

/* Of merged impacts; the events of one time stand behind each other. */
static void add_merged(dls_event_totals *totals, const dls_event *event)
{
  const bool first = totals->merged.merged_count == 0;
  totals->merged_times +=
      totals->count == 0 || event->merged_count != totals->last_merged || event->t != totals->last_t;
  if (first || (totals->merged.merged_unsolved == 0 && event->merged_unsolved > 0)) {
    totals->merged = *event;
  }
}

static void add_accumulation(dls_event_totals *totals, const dls_event *event)
{
  const size_t before = totals->kinds[DLS_ACCUMULATION];
  if (before < DLS_TOTALS_LISTED) {
    totals->accumulations[before] = *event;
  }
  totals->last_time_end = event->time_end;
  totals->largest_bound = fmax(totals->largest_bound, event->bound);
}

void dls_event_totals_add(dls_event_totals *totals, const dls_event *event)
{
  if (event->merged_count > 0) {
    add_merged(totals, event);
  }
  if (event->kind == DLS_ACCUMULATION) {
    add_accumulation(totals, event);
  }
  if (event->kind == DLS_IMPACT && totals->bins != NULL) {
    add_impact(totals, event);
  }
  totals->solutions = event->solutions > totals->solutions ? event->solutions : totals->solutions;
  totals->kinds[event->kind]++;
  totals->count++;
  totals->last_t = event->t;
  totals->last_merged = event->merged_count;
}

void dls_event_totals_close(dls_event_totals *totals)
{
  struct dls_impact_bins *b = totals->bins;
  for (size_t i = b->seen < RECENT ? 0 : b->seen - RECENT; i < b->seen; i++) {
    settle(totals, &b->recent[i % RECENT]);
  }
  b->seen = 0;
  totals->restitution_min = totals->restitution_max = NAN;
  for (size_t i = 0; i < SPAN; i++) {
    if (b->bins[i].measured > 0) {
      totals->restitution_min = fmin(totals->restitution_min, b->bins[i].least);
      totals->restitution_max = fmax(totals->restitution_max, b->bins[i].most);
    }
  }
}

const dls_event_totals *dls_event_totals_of(const dls_trajectory *traj, dls_event_totals *own)
{
  if (traj->totals != NULL) {
    return traj->totals;
  }
  *own = (dls_event_totals){0};
  for (size_t i = 0; i < traj->event_count; i++) {
    dls_event_totals_add(own, &traj->events[i]);
  }
  return own;
}
