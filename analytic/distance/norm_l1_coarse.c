/* analytic/distance/norm_l1_coarse.c -- the L1 norm of f - g by coarse versions of g, exact up to rounding.
 *
 * Let c be a coarse version within e of g. Where |f - c| > e, f - g has the sign of f - c. On intervals with one sign,
 * int |f - g| = |int (f - c) - int (g - c)|, where the last integral is known between nodes of g. Elsewhere, near zeros of the error, g itself is
 * used. The sign intervals and the integrals of f - c come from the sweep that also serves the Hausdorff distance.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/norm.h"
#include "analytic/distance/prepared_reference.h"
#include "analytic/graph/march.h"
#include <float.h>

/* Cursors on both graphs, and the integral so far. */
typedef struct l1_sum {
  dls_march f, g;
  dls_sum value;
  double slack; /* bound of rounding; needs no compensated sum */
} l1_sum;

/* f - g on an interval: Bernstein coefficients, and the sum of the largest ones of f and g. */
typedef struct difference {
  double d[4], scale;
} difference;

/* From t to the next breakpoint, or to `end`. @return that time */
static inline double step(l1_sum *w, double t, double end, difference *out)
{
  double c[4];
  dls_march_follow(&w->f, t);
  dls_march_follow(&w->g, t);
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

/* Add the integral over [from, to], interval by interval. */
static void add_each(l1_sum *w, double from, double to)
{
  difference at;
  dls_sum sum = {0.0, 0.0};
  for (double t = from, next; t < to; t = next) {
    next = step(w, t, to, &at);
    const double *d = at.d, signed_mean = 0.25 * (d[0] + d[1] + d[2] + d[3]);
    const double least = dls_lower(dls_lower(d[0], d[1]), dls_lower(d[2], d[3]));
    const double most = dls_higher(dls_higher(d[0], d[1]), dls_higher(d[2], d[3]));
    double slack = DLS_NORM_ROUNDING * DBL_EPSILON * at.scale;
    const double mean = least >= 0.0 || most <= 0.0 ? fabs(signed_mean) : dls_norm_mean_abs(d, slack, &slack);
    dls_sum_add(&sum, (next - t) * mean);
    w->slack += (next - t) * slack;
  }
  dls_sum_add(&w->value, dls_sum_total(&sum));
}

/* int (g - c) over a sign interval in piece i of c. @param[in,out] size the magnitude that rounding is relative to */
static double remainder_within(const dls_prepared_reference *prepared, const dls_coarse_bound *coarse, size_t i,
                               const dls_sign_interval *at, double *size)
{
  const double *t = coarse->graph->t;
  const size_t k = at->component;
  const double end = at->to == t[i + 1]
                         ? coarse->remainder[i * coarse->graph->dim + k]
                         : dls_coarse_bound_remainder(coarse, prepared->graph, i, k, at->to, size);
  return at->from == t[i] ? end
                          : end - dls_coarse_bound_remainder(coarse, prepared->graph, i, k, at->from, size);
}

/* Add one sign interval, in piece i of the coarse version. */
static void add_sign_interval(l1_sum *w, const dls_prepared_reference *prepared, const dls_coarse_bound *coarse,
                              size_t i, const dls_sign_interval *at)
{
  if (at->sign == 0) {
    w->f = dls_march_at(w->f.graph, at->component, at->from);
    w->g = dls_march_at(prepared->graph, at->component, at->from);
    add_each(w, at->from, at->to);
    return;
  }
  const bool exact = at->sign == DLS_ABSOLUTE;
  double size = exact ? at->size : 2.0 * at->size;
  const double remainder = exact ? 0.0 : remainder_within(prepared, coarse, i, at, &size);
  dls_sum_add(&w->value, fabs(dls_sum_total(&at->integral) - remainder));
  w->slack += DLS_NORM_ROUNDING * DBL_EPSILON * size + at->off;
}

static void add_component(const dls_comparison *pair, size_t k, dls_measure *out)
{
  const dls_coarse_bound *coarse = &pair->prepared->coarse[pair->rough];
  const double *t = coarse->graph->t, begin = pair->part->t[0];
  size_t first = dls_graph_search(coarse->graph, begin, false); /* becomes the first piece of the restriction */
  first -= t[first] > begin;
  l1_sum w = {.f = {.graph = pair->numeric}};
  for (size_t j = 0; j < pair->sign_intervals.count; j++) {
    const dls_sign_interval *at = &pair->sign_intervals.part[j];
    if (at->component == k) {
      add_sign_interval(&w, pair->prepared, coarse, first + at->piece, at);
    }
  }
  out->value = dls_higher(out->value, dls_sum_total(&w.value));
  out->bound = dls_higher(out->bound, w.slack);
}

dls_status dls_comparison_l1(const dls_norm *self, dls_comparison *pair, dls_measure *out, dls_error *err)
{
  (void)self;
  const dls_status status = dls_comparison_sweep(pair, err);
  if (status != DLS_OK) {
    return status;
  }
  *out = (dls_measure){0.0, 0.0};
  for (size_t k = 0; k < pair->numeric->dim; k++) {
    add_component(pair, k, out);
  }
  dls_norm_scale(out, pair->metric->time_scale * pair->metric->value_scale);
  return DLS_OK;
}
