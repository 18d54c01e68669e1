/* calendar.c -- see calendar.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/system/calendar.h"
#include "common/base/arrays.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  LEVELS = 64, /* of bisection: 2^-64 of a step is below the round-off of t */
  /* levels bisected in any case where e matters; then depending on the ratio of e from a piece to its half */
  FIRST_LEVELS = 2,
  WIDE_LEVELS = 3,    /* levels bisected before bounds are regarded as too wide */
  NARROWER = 5,       /* halvings of such a piece: 2^5 equal pulses in it look like too wide bounds */
  EVALUATIONS = 8000, /* evaluations of bounds in one step; a pulse of 1e-9 s in 30 s takes 120 */
  RANGE_PIECES = 256, /* pieces of the run, whose bounds together give the range of a term */
};

/* Negligible deviation of a term: this fraction of tol, relative to its range in the run. */
static const double hidden_part = 0.01;
/* Round-off of bounds, relative to the largest value; smaller features are not resolved. */
static const double bound_noise = 64 * DBL_EPSILON;
/* Ratio of e of half a piece to e of the piece: 1/4 for smooth terms with tight bounds, 1/2 if bounds are too wide in
 * proportion to the length (t exp(-t)), 1 for a pulse inside. */
static const double smooth_rate = 0.3, wide_rate = 0.6;
/* Pieces of this fraction of the run are not bisected, as features near the round-off of t are not resolved. */
static const double shortest_piece = 1e-13;
/* A piece whose e is below this multiple of that of a piece with too wide bounds, in proportion to the length, has too
 * wide bounds too. */
static const double as_wide = 1.5;
static const double part_of_period = 0.25, part_of_feature = 0.25;
static const double golden_ratio = 0.6180339887498948482;

typedef struct piece_end {
  double t;
  int level;     /* bisection level of the piece that ends here */
  bool shown;    /* it is an instant */
  double *value; /* terms */
} piece_end;

struct dls_calendar {
  const dls_system *sys; /* borrowed */
  size_t terms;
  bool opaque;
  double shortest, resolution;
  double *ignored; /* terms: negligible e */
  double *wide;    /* terms: e over the length of the last piece with too wide bounds */
  double shift;    /* samples of the last step, of their distance */
  double sampled;  /* dls_calendar_resolution */
  /* Of one step. */
  double *block, *low, *high; /* terms */
  double *hidden;             /* LEVELS x terms: e of the pieces that contain the current one */
  double *left;               /* terms: values at the left end of the piece */
  piece_end ends[LEVELS + 1]; /* right ends of the following pieces, the nearest last */
  size_t evaluations;
};

static void bounds(dls_calendar *c, double a, double b)
{
  c->sys->time_enclosure(c->sys, a, b, c->low, c->high);
  c->evaluations++;
}

static void values(dls_calendar *c, double t, double *value)
{
  bounds(c, t, t);
  for (size_t i = 0; i < c->terms; i++) {
    value[i] = 0.5 * (c->low[i] + c->high[i]);
  }
}

/* The hull of the bounds of many pieces; those of a single piece would be much too wide for terms like t exp(-t). */
static void find_ranges(dls_calendar *c, double begin, double end, double tol)
{
  double *least = c->left, *most = c->hidden;
  for (size_t i = 0; i < c->terms; i++) {
    least[i] = HUGE_VAL;
    most[i] = -HUGE_VAL;
  }
  for (int k = 0; k < RANGE_PIECES; k++) {
    bounds(c, begin + (end - begin) * k / RANGE_PIECES, begin + (end - begin) * (k + 1) / RANGE_PIECES);
    for (size_t i = 0; i < c->terms; i++) {
      least[i] = isfinite(c->low[i]) ? fmin(least[i], c->low[i]) : least[i];
      most[i] = isfinite(c->high[i]) ? fmax(most[i], c->high[i]) : most[i];
    }
  }
  for (size_t i = 0; i < c->terms; i++) {
    const double largest = fmax(fabs(least[i]), fabs(most[i]));
    c->ignored[i] =
        most[i] >= least[i] ? fmax(hidden_part * tol * (most[i] - least[i]), bound_noise * largest) : 0;
  }
}

dls_calendar *dls_calendar_create(const dls_system *sys, double begin, double end, double tol,
                                  double resolution)
{
  dls_calendar *c = calloc(1, sizeof *c);
  const size_t terms = sys->time_terms;
  if (c == NULL) {
    return NULL;
  }
  double *rights = NULL;
  c->block = dls_arrays((const dls_slot[]){{terms, {&c->ignored, &c->wide, &c->low, &c->high, &c->left}},
                                           {LEVELS * terms, {&c->hidden}},
                                           {(LEVELS + 1) * terms, {&rights}},
                                           {0}});
  if (c->block == NULL) {
    dls_calendar_destroy(c);
    return NULL;
  }
  c->sys = sys;
  c->terms = terms;
  c->opaque = dls_system_time_is_opaque(sys);
  c->shortest = shortest_piece * (end - begin);
  c->resolution = resolution;
  c->sampled = c->opaque ? resolution : 0;
  for (size_t level = 0; level <= LEVELS; level++) {
    c->ends[level].value = rights + level * terms;
  }
  if (terms > 0) {
    find_ranges(c, begin, end, tol);
  }
  return c;
}

void dls_calendar_destroy(dls_calendar *calendar)
{
  if (calendar != NULL) {
    free(calendar->block);
    free(calendar);
  }
}

double dls_calendar_resolution(const dls_calendar *calendar)
{
  return calendar->sampled;
}

/* --- bisection --- */

/* Deviation of a term from a monotone change in a piece. */
typedef enum finding {
  NOTHING,
  WIDE,   /* due to the bounds alone, unless several pulses are in it */
  SMOOTH, /* a smooth extremum, unless a smaller pulse is near it: the piece is bisected */
  PULSE,  /* the middle of the piece is an instant too */
} finding;

static double excess(dls_calendar *c, size_t i, double a, double b, double change)
{
  bounds(c, a, b);
  return c->high[i] - c->low[i] - fabs(change);
}

/* Is e of the other half of the parent piece as large? Beside a smooth extremum it is 0. */
static bool has_twin(dls_calendar *c, size_t i, double a, const piece_end *end, double e)
{
  const bool is_first = end > c->ends && end[-1].level == end->level;
  const double other = is_first ? end[-1].t : a - (end->t - a);
  bounds(c, other, other);
  const double value = 0.5 * (c->low[i] + c->high[i]);
  const double twin = is_first ? excess(c, i, end->t, other, value - end->value[i])
                               : excess(c, i, other, a, c->left[i] - value);
  return twin > wide_rate * e;
}

/* Do the bounds of term i stay too wide in proportion to the length, following the halves with the larger e? With
 * several equal pulses too each half has half of e, except for the last pulse. */
static bool is_wide(dls_calendar *c, size_t i, double a, double b, double left, double right, double e)
{
  for (int level = 0; level < NARROWER && e > c->ignored[i]; level++) {
    const double t = 0.5 * (a + b);
    bounds(c, t, t);
    const double middle = 0.5 * (c->low[i] + c->high[i]);
    const double first = excess(c, i, a, t, middle - left), second = excess(c, i, t, b, right - middle);
    const double most = first > second ? first : second;
    if (!(most <= wide_rate * e)) {
      return false;
    }
    *(first > second ? &b : &a) = t;
    *(first > second ? &right : &left) = middle;
    e = most;
  }
  return true;
}

/* @param[in] before  e of the piece of which this one is a half */
static finding judge(int level, double e, double before, double ignored)
{
  if (e <= ignored) {
    return NOTHING;
  }
  if (level < FIRST_LEVELS || !(e <= wide_rate * before)) { /* or where bounds are not finite */
    return PULSE;
  }
  return e <= smooth_rate * before || level < WIDE_LEVELS ? SMOOTH : WIDE;
}

static finding judge_wide(dls_calendar *c, size_t i, double a, const piece_end *end, double e)
{
  const double length = end->t - a;
  if (e > as_wide * c->wide[i] * length) {
    if (!has_twin(c, i, a, end, e)) {
      return NOTHING;
    }
    if (!is_wide(c, i, a, end->t, c->left[i], end->value[i], e)) {
      return PULSE;
    }
  }
  c->wide[i] = e / length;
  return NOTHING;
}

/* In the piece from a to the nearest end, of any term. */
static finding look(dls_calendar *c, double a, const piece_end *end)
{
  double *hidden = c->hidden + (size_t)end->level * c->terms;
  const double *before = end->level > 0 ? hidden - c->terms : hidden, middle = 0.5 * (a + end->t);
  finding found = NOTHING;
  if (end->level + 1 == LEVELS || !(end->t - a > c->shortest && a < middle && middle < end->t)) {
    return NOTHING;
  }
  bounds(c, a, end->t);
  for (size_t i = 0; i < c->terms; i++) {
    hidden[i] = c->high[i] - c->low[i] - fabs(end->value[i] - c->left[i]);
  }
  for (size_t i = 0; i < c->terms && found != PULSE; i++) {
    finding here = judge(end->level, hidden[i], before[i], c->ignored[i]);
    if (here == WIDE) {
      here = judge_wide(c, i, a, end, hidden[i]);
    }
    found = here > found ? here : found;
  }
  return found;
}

/* @param[out] until  how far the instants reach, within the evaluations of a step and the room */
static size_t bisect(dls_calendar *c, double a, double b, double *t, double *until)
{
  size_t count = 0;
  int depth = 1;
  c->evaluations = 0;
  c->ends[0].t = b;
  c->ends[0].level = 0;
  c->ends[0].shown = false;
  values(c, a, c->left);
  values(c, b, c->ends[0].value);
  while (depth > 0 && c->evaluations < EVALUATIONS && count < DLS_CALENDAR_ROOM) {
    piece_end *end = &c->ends[depth - 1];
    const finding found = look(c, a, end);
    if (found != NOTHING) {
      piece_end *middle = &c->ends[depth];
      end->level++;
      middle->level = end->level;
      middle->shown = found == PULSE;
      middle->t = 0.5 * (a + end->t);
      values(c, middle->t, middle->value);
      depth++;
      continue;
    }
    a = end->t;
    if (end->shown) {
      t[count++] = a;
    }
    memcpy(c->left, end->value, c->terms * sizeof *c->left);
    depth--;
  }
  *until = a;
  return count;
}

/* --- samples --- */

static double sampling_distance(const dls_calendar *c, bool unknown)
{
  const dls_system *sys = c->sys;
  double distance = unknown ? c->resolution : HUGE_VAL;
  if (sys->load_period > 0) {
    distance = fmin(distance, part_of_period * sys->load_period);
  }
  return sys->shortest_feature > 0 ? fmin(distance, part_of_feature * sys->shortest_feature) : distance;
}

/* Insert instants at most `distance` apart into [a, b], unless that is shorter. @return count */
static size_t add_samples(dls_calendar *c, double a, double b, double distance, double *t, size_t count,
                          double *until)
{
  const double length = b - a;
  if (!(length > distance)) {
    return count;
  }
  const double wanted = ceil(length / distance), room = (double)(DLS_CALENDAR_ROOM - count);
  const double made = fmin(wanted, room), step = length / wanted;
  c->shift = fmod(c->shift + golden_ratio, 1);
  size_t from = count, to = count + (size_t)made;
  if (made < wanted) {
    *until = fmin(*until, a + step * made);
  }
  for (size_t k = to, i = (size_t)made; k-- > 0 && i > 0;) { /* merge from the end */
    const double sample = a + step * ((double)(i - 1) + c->shift);
    const bool own = from == 0 || t[from - 1] < sample;
    t[k] = own ? sample : t[--from];
    i -= own;
  }
  return to;
}

size_t dls_calendar_instants(dls_calendar *c, double a, double b, double *t, double *until)
{
  size_t count = 0;
  double reached = *until = b;
  if (c->terms > 0) {
    count = bisect(c, a, b, t, &reached);
  }
  if (reached < b && reached - a < c->resolution) { /* bounds that do not shrink: the step is sampled */
    reached = a;
    count = 0;
    c->sampled = fmax(c->sampled, c->resolution);
    count = add_samples(c, reached, b, c->resolution, t, count, until);
  } else {
    *until = reached;
  }
  count = add_samples(c, a, *until, sampling_distance(c, c->opaque), t, count, until);
  while (count > 0 && !(t[count - 1] < *until)) {
    count--;
  }
  return count;
}
