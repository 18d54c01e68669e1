/* analytic/distance/norm_paired.c -- the L1 norm of f - g by an outline of g, exact up to rounding.
 *
 * On a piece of the outline c, which is within e of g, f - g has the sign of f - c wherever |f - c| > e; where that is so on all
 * of the piece, with one sign, int |f - g| = |int (f - c) - int (g - c)|, and the last integral is known. On the other
 * pieces, next to zeros of the error, g itself is taken.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/norm.h"
#include "analytic/distance/standard.h"
#include "analytic/graph/march.h"
#include <float.h>

/* Both graphs on the way, and the integral so far. */
typedef struct walk {
  dls_march f, g;
  dls_sum value;
  double slack; /* what rounding may have done; a bound needs no compensated sum */
} walk;

/* Of f - g on an interval: the coefficients, and the largest ones of both added. */
typedef struct difference {
  double d[4], scale;
} difference;

static inline void follow(dls_march *f, double t)
{
  size_t i = f->piece;
  if (f->graph->t[i + 1] <= t) {
    while (f->graph->t[i + 1] <= t) {
      i++;
    }
    dls_march_enter(f, i);
  }
}

/* From t to the next breakpoint, or to `end`. @return that time */
static inline double step(walk *w, double t, double end, difference *out)
{
  double c[4];
  follow(&w->f, t);
  follow(&w->g, t);
  const double to = dls_lower(end, dls_lower(w->f.graph->t[w->f.piece + 1], w->g.graph->t[w->g.piece + 1]));
  const double third = (to - t) / 3.0;
  dls_march_part(&w->f, third, to, out->d);
  dls_march_part(&w->g, third, to, c);
  out->scale = w->f.size + w->g.size;
  for (size_t l = 0; l < 4; l++) {
    out->d[l] -= c[l];
  }
  return to;
}

/* Every interval of [from, to] by itself, the graph of w->g no farther than `apart` from g. */
static void add_each(walk *w, double from, double to, double apart)
{
  difference at;
  dls_sum sum = {0.0, 0.0};
  double rounded = 0.0;
  for (double t = from, next; t < to; t = next) {
    next = step(w, t, to, &at);
    const double *d = at.d, signed_mean = 0.25 * (d[0] + d[1] + d[2] + d[3]);
    const double least = dls_lower(dls_lower(d[0], d[1]), dls_lower(d[2], d[3]));
    const double most = dls_higher(dls_higher(d[0], d[1]), dls_higher(d[2], d[3]));
    double slack = DLS_NORM_ROUNDING * DBL_EPSILON * at.scale;
    const double mean = least >= 0.0 || most <= 0.0 ? fabs(signed_mean) : dls_norm_mean_abs(d, slack, &slack);
    dls_sum_add(&sum, (next - t) * mean);
    rounded += (next - t) * slack;
  }
  dls_sum_add(&w->value, dls_sum_total(&sum));
  w->slack += rounded + (to - from) * apart;
}

/* The integral of f - c over [from, to] where it is farther than `apart` from 0 on all of it, with one sign; NAN elsewhere.
 * @param[in,out] slack  that of rounding, also in what the outline has lost */
static double signed_integral(walk *w, double from, double to, double apart, double *slack)
{
  difference at;
  dls_sum sum = {0.0, 0.0};
  double least = INFINITY, most = -INFINITY;
  for (double t = from, next; t < to; t = next) {
    next = step(w, t, to, &at);
    const double *d = at.d;
    least = dls_lower(least, dls_lower(dls_lower(d[0], d[1]), dls_lower(d[2], d[3])));
    most = dls_higher(most, dls_higher(dls_higher(d[0], d[1]), dls_higher(d[2], d[3])));
    if (!(least > apart || most < -apart)) {
      return NAN;
    }
    dls_sum_add(&sum, (next - t) * (0.25 * (d[0] + d[1] + d[2] + d[3])));
    *slack += (next - t) * 2.0 * DLS_NORM_ROUNDING * DBL_EPSILON * at.scale;
  }
  return dls_sum_total(&sum);
}

/* Piece i of the outline in [low, high], its time in [from, to]. */
static void add_piece(walk *w, const dls_standard *standard, const dls_outline *outline, size_t i, double from,
                      double to)
{
  const dls_graph *c = outline->graph;
  const size_t k = w->f.component;
  const bool all = from == c->t[i] && to == c->t[i + 1];
  if (outline->apart[i] <=
      DLS_NORM_ROUNDING * DBL_EPSILON * outline->size) { /* the same cubic but for rounding */
    add_each(w, from, to, outline->apart[i]);
    return;
  }
  const dls_march f = w->f, g = w->g;
  double slack = 0.0;
  const double sum = all ? signed_integral(w, from, to, outline->apart[i], &slack) : NAN;
  if (!isnan(sum)) {
    dls_sum_add(&w->value, fabs(sum - outline->lost[i * c->dim + k]));
    w->slack += slack;
    return;
  }
  w->f = f;
  w->g = dls_march_at(standard->graph, k, from);
  add_each(w, from, to, 0.0);
  w->g = g;
}

static void add_component(const dls_pairing *pair, size_t k, double low, double high, dls_measure *out)
{
  const dls_outline *outline = &pair->standard->outline[pair->rough];
  const dls_graph *c = outline->graph;
  walk w = {.f = dls_march_at(pair->numeric, k, low), .g = dls_march_at(c, k, low)};
  for (size_t i = w.g.piece; i + 1 < c->count && c->t[i] < high; i++) {
    const double from = dls_higher(low, c->t[i]), to = dls_lower(high, c->t[i + 1]);
    if (from < to) {
      add_piece(&w, pair->standard, outline, i, from, to);
    }
  }
  out->value = dls_higher(out->value, dls_sum_total(&w.value));
  out->bound = dls_higher(out->bound, w.slack);
}

dls_status dls_pairing_l1(const dls_norm *self, dls_pairing *pair, const dls_metric *metric, dls_measure *out,
                          dls_error *err)
{
  double low, high;
  (void)self;
  dls_status status =
      dls_graph_check_pair(pair->numeric, pair->standard->outline[pair->rough].graph, metric, err);
  status = status != DLS_OK ? status : dls_norm_overlap(pair->numeric, pair->standard->graph, &low, &high, err);
  if (status != DLS_OK) {
    return status;
  }
  *out = (dls_measure){0.0, 0.0};
  for (size_t k = 0; k < pair->numeric->dim; k++) {
    add_component(pair, k, low, high, out);
  }
  dls_norm_scale(out, metric->time_scale * metric->value_scale);
  return DLS_OK;
}
