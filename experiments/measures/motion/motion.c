/* experiments/measures/motion/motion.c -- impacts, rest and flight, found in the rows of a trajectory.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/motion/motion.h"
#include <delassus/law.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* The velocity after an impact is that of the first row that reaches it but for this fraction of the velocity before. */
static const double reached = 1e-6;

double dls_motion_median(double *values, size_t count)
{
  gsl_sort(values, 1, count);
  return count > 0 ? gsl_stats_median_from_sorted_data(values, 1, count) : NAN;
}

/* --- contact forces --- */

/* A contact has a force where u grows by this fraction more than smooth forces at either end allow, and by this fraction of its
 * largest value. */
static const double smooth_slack = 0.1, rounding = 1e-6;
/* A gap may close if half of the change over the rows around (3/2 of a step), or all of it at the two rows of a jump, closes it.
 * Below this fraction of the length of the model it is closed. */
static const double reach = 0.5, closed = 1e-9;

dls_status dls_pushes_take(dls_pushes *pushes, double length, dls_error *err)
{
  const dls_samples *s = pushes->samples;
  pushes->length = length;
  pushes->scale = calloc(s->m + 1, sizeof *pushes->scale);
  if (pushes->scale == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu contacts", s->m);
  }
  for (size_t k = 0; k < s->rows; k++) {
    for (size_t j = 0; j < s->m; j++) {
      pushes->scale[j] = fmax(pushes->scale[j], fabs(s->u[k * s->m + j]));
    }
  }
  return DLS_OK;
}

/* May the gap of contact j close between rows k and k + 1? */
static bool is_near(const dls_pushes *pushes, size_t j, size_t k)
{
  const dls_samples *s = pushes->samples;
  const size_t now = k * s->m + j;
  const double around = s->t[k + 2 < s->rows ? k + 2 : k + 1] - s->t[k > 0 ? k - 1 : 0];
  double nearest = fmin(s->g[now] + reach * around * fmin(s->u[now], 0), s->g[now + s->m]);
  if (k > 0 &&
      s->t[k + 1] == s->t[k]) { /* at a jump the position has its impulse; the flight before it has not */
    nearest = fmin(nearest, s->g[now - s->m] + (s->t[k] - s->t[k - 1]) * fmin(s->u[now], 0));
  }
  return nearest <= closed * pushes->length;
}

/* Does u of contact j grow faster than smooth forces let it? */
static bool grows(const dls_pushes *pushes, size_t j, size_t k)
{
  const dls_samples *s = pushes->samples;
  const size_t now = k * s->m + j, next = now + s->m;
  const double h = s->t[k + 1] - s->t[k];
  const double smooth = h * fmax(s->a[now], s->a[next]);
  const double slack = smooth_slack * h * fmax(fabs(s->a[now]), fabs(s->a[next])) + rounding * pushes->scale[j];
  return s->u[next] - s->u[now] > smooth + slack;
}

/* A force that began near the surface lasts while u grows. */
bool dls_motion_pushed(const dls_pushes *pushes, size_t j, size_t k)
{
  if (pushes->known != NULL) {
    return pushes->known[k * pushes->samples->m + j];
  }
  while (k > 0 && grows(pushes, j, k) && !is_near(pushes, j, k)) {
    k--;
  }
  return grows(pushes, j, k) && is_near(pushes, j, k);
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

/* Time at which the flight before the impact of contact j at row `first` reaches the surface. At the left limit of a jump the position is
 * that of the end of the step, which impulses may have changed: steps with linearised gaps end on the surface. So the flight is followed
 * from the row before, at the velocity that the impact has changed. */
static double free_time(const dls_samples *s, size_t j, size_t first)
{
  const bool jump = first > 0 && s->t[first + 1] == s->t[first];
  const size_t from = jump ? first - 1 : first;
  const double u = s->u[first * s->m + j];
  return s->t[from] + (u < 0 ? -s->g[from * s->m + j] / u : 0);
}

/* The impact of contact j between rows first and last. */
static dls_judged_impact read_impact(const dls_samples *s, size_t j, size_t first, size_t last)
{
  const double u = s->u[first * s->m + j], g = s->g[first * s->m + j];
  const double span = s->t[last] - s->t[first];
  dls_judged_impact impact = {.contact = j,
                              .t = s->t[first] + fmin(fmax(u < 0 ? -g / u : 0, 0), span),
                              .t_free = free_time(s, j, first),
                              .u_minus = u,
                              .u_plus = u,
                              .before = first,
                              .after = first};
  for (size_t k = first + 1; k <= last; k++) {
    const double u_k = s->u[k * s->m + j];
    impact.after = u_k > s->u[impact.after * s->m + j] - reached * u ? k : impact.after; /* u < 0 */
    impact.u_plus = fmax(impact.u_plus, u_k);
  }
  return impact;
}

/* Does the impact of contact j begin while the one before still approaches? Steps with linearised gaps stop a body in two steps, of which
 * the first ends at the surface; with convex friction in some more, the later of which act at a distance. */
static bool goes_on(const impacts *list, size_t j)
{
  const dls_judged_impact *last = list->count > 0 ? &list->all[list->count - 1] : NULL;
  return last != NULL && last->contact == j && last->u_plus < 0;
}

/* The impact continues with a second part. Where a body that slides on keeps approaching, as with convex friction, forces at rest follow: they
 * raise u by less than smooth forces lower it in a step, and slip after them is not that after the impact. */
static void extend(const dls_samples *s, dls_judged_impact *impact, const dls_judged_impact *part)
{
  const size_t k = part->before, m = s->m, j = part->contact;
  const double step = k > 0 ? s->t[k] - s->t[k - 1] : 0;
  const double least = fmax(-reached * impact->u_minus, step * fabs(s->a[k * m + j]));
  impact->u_plus = part->u_plus;
  impact->after = part->u_plus > s->u[impact->after * m + j] + least ? part->after : impact->after;
}

static dls_status find_impacts(const dls_pushes *pushes, size_t j, impacts *list, dls_error *err)
{
  const dls_samples *s = pushes->samples;
  dls_status status = DLS_OK;
  size_t ended = SIZE_MAX; /* row at which the last impact ended */
  for (size_t k = 0; k + 1 < s->rows && status == DLS_OK; k++) {
    const size_t first = k;
    const bool follows = first == ended + 1 && goes_on(list, j);
    while (k + 1 < s->rows && (dls_motion_pushed(pushes, j, k) || (follows && grows(pushes, j, k)))) {
      k++;
    }
    if (k > first && s->u[first * s->m + j] < 0) {
      const dls_judged_impact impact = read_impact(s, j, first, k);
      if (goes_on(list, j)) {
        extend(s, &list->all[list->count - 1], &impact);
      } else {
        status = add_impact(list, &impact, err);
      }
      ended = k;
    }
  }
  return status;
}

static int by_time(const void *a, const void *b)
{
  const dls_judged_impact *x = a, *y = b;
  return x->t != y->t ? (x->t > y->t) - (x->t < y->t) : (x->contact > y->contact) - (x->contact < y->contact);
}

/* Largest change of the velocity of any gap by smooth forces within a row. */
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
  const double least = fmax(DLS_SLOW_IMPACT * fastest, DLS_UNRESOLVED_STEPS * smooth_change(s));
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

/* Slip after an impact over that before, along the latter. A slip that is slow beside the approach has no ratio. */
static double slip_ratio(const dls_system *sys, const dls_samples *s, const dls_judged_impact *x)
{
  double square = 0, product = 0;
  for (size_t i = 0; i + 1 < s->d; i++) {
    const double before = s->tangent[(x->before * s->m + x->contact) * (s->d - 1) + i];
    square += before * before;
    product += before * s->tangent[(x->after * s->m + x->contact) * (s->d - 1) + i];
  }
  const bool slips = s->d > 1 && sys->mu[x->contact] > 0 && sqrt(square) > -DLS_SLOW_IMPACT * x->u_minus;
  return slips ? product / square : NAN;
}

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
  double *ratio = malloc(3 * (out->impact_count + 1) * sizeof *ratio);
  if (ratio == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu impacts", out->impact_count);
  }
  double *off = ratio + out->impact_count + 1, *gain = off + out->impact_count + 1;
  const double apart = s->rows > 1 ? (s->t[s->rows - 1] - s->t[0]) / (double)(s->rows - 1) : 0;
  size_t count = 0;
  for (size_t i = 0; i < out->impact_count; i++) {
    const dls_judged_impact *x = &out->impacts[i];
    if (alone(out, i, apart)) {
      ratio[count] = -x->u_plus / x->u_minus;
      const double e = dls_law_restitution(sys, x->contact, x->u_minus);
      off[count] = ratio[count] - e;
      gain[count] = ratio[count] * ratio[count] - e * e;
      count++;
    }
  }
  out->restitution = dls_motion_median(ratio, count);
  out->figures[DLS_JUDGED_RESTITUTION] = fabs(dls_motion_median(off, count));
  out->bounce = dls_motion_median(gain, count);
  out->figures[DLS_JUDGED_BOUNCE] = fabs(out->bounce);
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
    if (event->kind == DLS_IMPACT && event->contact == j && -event->u_minus >= DLS_SLOW_IMPACT * fastest) {
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

static void measure_nothing(dls_motion *out)
{
  *out = (dls_motion){.restitution = NAN, .start = NAN, .bounce = NAN};
  for (size_t i = 0; i < DLS_JUDGED_FIGURES; i++) {
    out->figures[i] = NAN;
  }
}

dls_status dls_motion_impacts(const dls_system *sys, const dls_pushes *pushes, dls_motion *out, dls_error *err)
{
  measure_nothing(out);
  impacts list = {0};
  dls_status status = DLS_OK;
  for (size_t j = 0; j < sys->m && status == DLS_OK; j++) {
    status = find_impacts(pushes, j, &list, err);
  }
  drop_slow(pushes->samples, &list);
  for (size_t i = 0; i < list.count; i++) {
    list.all[i].slip_ratio = slip_ratio(sys, pushes->samples, &list.all[i]);
    list.all[i].ends = list.all[i].u_plus >= DLS_SLOW_IMPACT * list.all[i].u_minus;
  }
  out->impacts = list.all;
  out->impact_count = list.count;
  return status != DLS_OK ? status : measure_restitution(sys, pushes->samples, out, err);
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
  dls_samples samples;
  dls_pushes pushes = {.samples = &samples};
  measure_nothing(out);
  dls_status status = dls_samples_take(sys, traj, end, &samples, err);
  if (status == DLS_OK) {
    status = dls_pushes_take(&pushes, sys->length, err);
  }
  if (status == DLS_OK) {
    status = dls_motion_impacts(sys, &pushes, out, err);
  }
  if (status == DLS_OK) {
    measure_times(&samples, reference, out);
    out->start = off_start(sys, &samples);
    out->figures[DLS_JUDGED_PENETRATION] = deepest(&samples);
    dls_motion_lasting(sys, &samples, reference, out);
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

/* --- flights --- */

/* Least number of rows of a flight and of an interval at rest; shortest interval at rest, as a fraction of the run. */
static const size_t shortest_flight = 3, fewest_rows = 3;
static const double shortest_rest = 0.05;

static bool any_pushed(const dls_pushes *pushes, size_t k)
{
  for (size_t j = 0; j < pushes->samples->m; j++) {
    if (dls_motion_pushed(pushes, j, k)) {
      return true;
    }
  }
  return false;
}

/* Work of the smooth forces between rows k and k + 1 by the trapezoidal rule, which is exact for springs and constant loads:
 * (K p + K q)/2 . (p - q) = (p.K p - q.K q)/2. */
static double work_of(const dls_samples *s, size_t k)
{
  const double *q = s->q + k * s->n, *p = q + s->n, *F = s->force + k * s->n, *G = F + s->n;
  double sum = 0;
  for (size_t i = 0; i < s->n; i++) {
    sum += 0.5 * (F[i] + G[i]) * (p[i] - q[i]);
  }
  return sum;
}

/* Energy that the flight over rows first to last gains, beyond the work of smooth forces. */
static double gain_of(const dls_samples *s, size_t first, size_t last)
{
  double gain = s->kinetic[last] - s->kinetic[first];
  for (size_t k = first; k < last; k++) {
    gain -= work_of(s, k);
  }
  return gain;
}

dls_status dls_motion_flights(const dls_pushes *pushes, dls_motion *out, dls_error *err)
{
  const dls_samples *s = pushes->samples;
  if (!s->measured_v || s->rows == 0) {
    return DLS_OK;
  }
  double *gain = malloc(s->rows * sizeof *gain);
  if (gain == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu rows of flights", s->rows);
  }
  double largest = 0;
  for (size_t k = 0, first = 0; k < s->rows; k++) {
    largest = fmax(largest, s->kinetic[k]);
    if (k + 1 == s->rows || any_pushed(pushes, k)) {
      if (k >= first + shortest_flight) {
        gain[out->flights++] = fabs(gain_of(s, first, k));
      }
      first = k + 1;
    }
  }
  if (largest > 0) {
    out->figures[DLS_JUDGED_FLIGHT] = dls_motion_median(gain, out->flights) / largest;
  }
  free(gain);
  return DLS_OK;
}

/* --- rest --- */

/* An interval of the reference in which a contact keeps its status. */
typedef struct interval {
  double begin, end;
} interval;

enum { STICKS = 1, SLIPS = 2 };
typedef struct statuses {
  double least, most;
} statuses;
static const statuses sticking = {STICKS, STICKS}, sliding = {SLIPS, SLIPS}, resting = {STICKS, SLIPS};

static bool has_status(const dls_trajectory *reference, size_t row, size_t column, statuses allowed)
{
  const double status = dls_trajectory_at(reference, row, column);
  return status >= allowed.least && status <= allowed.most;
}

/* The next interval from row *k on in which a column of status is one of those; *k := the row after it. @return false if there
 * is none */
static bool next_interval(const dls_trajectory *reference, size_t column, statuses allowed, size_t *k,
                          interval *out)
{
  size_t i = *k;
  while (i < reference->rows && !has_status(reference, i, column, allowed)) {
    i++;
  }
  if (i == reference->rows) {
    return false;
  }
  out->begin = dls_trajectory_at(reference, i, 0);
  while (i + 1 < reference->rows && has_status(reference, i, column, allowed)) {
    i++;
  }
  out->end = dls_trajectory_at(reference, i, 0);
  *k = i + 1;
  return true;
}

/* The rows of an interval without its first fifth, in which a scheme may still come to rest. @return false if they are few */
static bool rows_of(const dls_samples *s, const interval *x, size_t *first, size_t *last)
{
  const double begin = x->begin + DLS_TRANSIENT * (x->end - x->begin);
  size_t i = 0, k = s->rows;
  while (i < s->rows && s->t[i] < begin) {
    i++;
  }
  while (k > i && s->t[k - 1] > x->end) {
    k--;
  }
  *first = i;
  *last = k - 1;
  return k > i + fewest_rows && s->t[k - 1] > s->t[i];
}

static double gap_speed(const dls_samples *s, size_t j, size_t first, size_t last)
{
  return fabs(s->g[last * s->m + j] - s->g[first * s->m + j]) / (s->t[last] - s->t[first]);
}

static double slip_speed(const dls_samples *s, size_t j, size_t first, size_t last)
{
  double way[2] = {0};
  for (size_t k = first + 1; k <= last; k++) {
    for (size_t i = 0; i + 1 < s->d; i++) {
      way[i] += s->slip[(k * s->m + j) * (s->d - 1) + i] * (s->t[k] - s->t[k - 1]);
    }
  }
  return hypot(way[0], way[1]) / (s->t[last] - s->t[first]);
}

static double mean_gap(const dls_samples *s, size_t j, size_t first, size_t last)
{
  double sum = 0;
  for (size_t k = first + 1; k <= last; k++) {
    sum += s->g[k * s->m + j] * (s->t[k] - s->t[k - 1]);
  }
  return sum / (s->t[last] - s->t[first]);
}

static double mean_depth(const dls_samples *s, size_t j, size_t first, size_t last)
{
  return -mean_gap(s, j, first, last);
}

static double largest_gap(const dls_samples *s, size_t j, size_t first, size_t last)
{
  double largest = 0;
  for (size_t k = first; k <= last; k++) {
    largest = fmax(largest, s->g[k * s->m + j]);
  }
  return largest;
}

/* The largest speed, depth or gap of contact j in the long intervals of some statuses; NaN for none. */
static double worst_of(const dls_samples *s, const dls_trajectory *reference, size_t j, statuses allowed,
                       double (*speed)(const dls_samples *, size_t, size_t, size_t))
{
  char name[40];
  snprintf(name, sizeof name, "status%zu", j);
  const int column = dls_trajectory_column(reference, name);
  double worst = NAN;
  interval x;
  for (size_t k = 0; column >= 0 && next_interval(reference, (size_t)column, allowed, &k, &x);) {
    size_t first = 0, last = 0;
    if (x.end - x.begin >= shortest_rest * s->t[s->rows - 1] && rows_of(s, &x, &first, &last)) {
      worst = fmax(worst, speed(s, j, first, last)); /* fmax leaves NaN out */
    }
  }
  return worst;
}

void dls_motion_lasting(const dls_system *sys, const dls_samples *s, const dls_trajectory *reference,
                        dls_motion *out)
{
  static const struct {
    dls_judged_figure figure;
    const statuses *status;
    double (*value)(const dls_samples *, size_t, size_t, size_t);
    bool frictional; /* of contacts with friction alone */
  } rows[] = {{DLS_JUDGED_REST, &resting, gap_speed, false},
              {DLS_JUDGED_DEPTH, &resting, mean_depth, false},
              {DLS_JUDGED_STICK, &sticking, slip_speed, true},
              {DLS_JUDGED_LIFT, &sliding, mean_gap, true},
              {DLS_JUDGED_HOP, &sliding, largest_gap, true}};
  for (size_t j = 0; j < s->m && s->rows > 0; j++) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
      double *figure = &out->figures[rows[i].figure];
      if (!rows[i].frictional || (s->d > 1 && sys->mu[j] > 0)) {
        *figure =
            fmax(*figure, worst_of(s, reference, j, *rows[i].status, rows[i].value)); /* fmax leaves NaN out */
      }
    }
  }
}
