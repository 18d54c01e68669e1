/* experiments/measures/flights.c -- where contacts push, what flights between do to the energy, and what contacts at rest do.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/motion_parts.h"
#include <math.h>
#include <stdlib.h>

/* A contact pushes where u grows by this part more than smooth forces at either end let it, and by this part of its largest. */
static const double smooth_slack = 0.1, rounding = 1e-6;
/* A gap may close if half of the way over the rows around would bring it there, which is 3/2 of a step, and a whole one at the two
 * rows of a jump; below this part of the model's length it is closed. */
static const double reach = 0.5, closed = 1e-9;

/* Intervals of a flight at least; of a stretch at rest, its shortest part of the run, its part that does not count, its rows. */
static const size_t shortest_flight = 3, fewest_rows = 3;
static const double long_stretch = 0.05, transient = 0.2;

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
  const double nearest = fmin(s->g[now] + reach * around * fmin(s->u[now], 0), s->g[now + s->m]);
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
  while (k > 0 && grows(pushes, j, k) && !is_near(pushes, j, k)) {
    k--;
  }
  return grows(pushes, j, k) && is_near(pushes, j, k);
}

/* --- flights --- */

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

/* What the flight over rows first to last adds to the energy besides. */
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

/* A stretch of the reference in which a contact keeps its status. */
typedef struct stretch {
  double begin, end;
} stretch;

static bool has_status(const dls_trajectory *reference, size_t row, size_t column, double most)
{
  const double status = dls_trajectory_at(reference, row, column);
  return status >= 1 && status <= most;
}

/* The next stretch from row *k on in which a column of status is in [1, most]; *k := behind it. @return false if there is none */
static bool next_stretch(const dls_trajectory *reference, size_t column, double most, size_t *k, stretch *out)
{
  size_t i = *k;
  while (i < reference->rows && !has_status(reference, i, column, most)) {
    i++;
  }
  if (i == reference->rows) {
    return false;
  }
  out->begin = dls_trajectory_at(reference, i, 0);
  while (i + 1 < reference->rows && has_status(reference, i, column, most)) {
    i++;
  }
  out->end = dls_trajectory_at(reference, i, 0);
  *k = i + 1;
  return true;
}

/* The rows of a stretch but for its first fifth, in which a scheme may still come to rest. @return false if they are few */
static bool rows_of(const dls_samples *s, const stretch *x, size_t *first, size_t *last)
{
  const double begin = x->begin + transient * (x->end - x->begin);
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

/* The largest speed of contact j in the long stretches of a status; NaN for none. */
static double creep(const dls_samples *s, const dls_trajectory *reference, size_t j, double most,
                    double (*speed)(const dls_samples *, size_t, size_t, size_t))
{
  char name[40];
  snprintf(name, sizeof name, "status%zu", j);
  const int column = dls_trajectory_column(reference, name);
  double worst = NAN;
  stretch x;
  for (size_t k = 0; column >= 0 && next_stretch(reference, (size_t)column, most, &k, &x);) {
    size_t first = 0, last = 0;
    if (x.end - x.begin >= long_stretch * s->t[s->rows - 1] && rows_of(s, &x, &first, &last)) {
      worst = fmax(worst, speed(s, j, first, last)); /* fmax leaves NaN out */
    }
  }
  return worst;
}

void dls_motion_creep(const dls_system *sys, const dls_samples *s, const dls_trajectory *reference,
                      dls_motion *out)
{
  enum { STICKS = 1, SLIPS = 2 };
  for (size_t j = 0; j < s->m && s->rows > 0; j++) {
    double *rest = &out->figures[DLS_JUDGED_REST], *stick = &out->figures[DLS_JUDGED_STICK];
    *rest = fmax(*rest, creep(s, reference, j, SLIPS, gap_speed));
    if (s->d > 1 && sys->mu[j] > 0) {
      *stick = fmax(*stick, creep(s, reference, j, STICKS, slip_speed));
    }
  }
}
