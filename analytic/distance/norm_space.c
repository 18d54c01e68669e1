/* analytic/distance/norm_space.c -- norms of f - g as functions of time, integrated exactly.
 * Between the common breakpoints f - g is a cubic with Bernstein coefficients d, linear graphs included.
 * Source: Acary, lecture, eqs. (48), (49), with the sums replaced by the integrals that they approximate.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/integrals.h"
#include "analytic/distance/norm.h"
#include "analytic/distance/prepared_reference.h"
#include "analytic/graph/cursor.h"
#include "common/base/larger.h"
#include <float.h>
#include <gsl/gsl_poly.h>
#include <stdlib.h>
#include <string.h>

dls_status dls_norm_overlap(const dls_graph *numeric, const dls_graph *reference, double *low, double *high,
                            dls_error *err)
{
  const double end = numeric->t[numeric->count - 1], reference_end = reference->t[reference->count - 1];
  *low = fmax(numeric->t[0], reference->t[0]);
  *high = fmin(end, reference_end);
  if (!(*low < *high)) {
    return dls_fail(err, DLS_ERR_ARG, "the graphs cover [%g, %g] and [%g, %g], which have no time in common",
                    numeric->t[0], end, reference->t[0], reference_end);
  }
  return DLS_OK;
}

const dls_option dls_norm_power[] = {DLS_COUNT("p", "exponent; 1 gives L1, 2 gives L2", 2, 1, DLS_MOST_POWER),
                                     {0}};

/* State of one component: an integral or a maximum, and its rounding; both as p-th powers. */
typedef struct gathered {
  dls_sum value, slack;
  double p;
  dls_power_sum power, disturbance;
} gathered;

static void gather_l1(void *all, size_t component, const dls_norm_interval *at)
{
  gathered *to = (gathered *)all + component;
  const double *d = at->d, w = at->end - at->start, rounding = DLS_NORM_ROUNDING * DBL_EPSILON * at->scale;
  double slack = rounding;
  const double value = at->linear ? dls_line_mean_abs(d[0], d[3]) : dls_norm_mean_abs(d, rounding, &slack);
  dls_sum_add(&to->value, w * value);
  dls_sum_add(&to->slack, w * slack);
}

static void gather_l2(void *all, size_t component, const dls_norm_interval *at)
{
  gathered *to = (gathered *)all + component;
  const double w = at->end - at->start, slack = DLS_NORM_ROUNDING * DBL_EPSILON * at->scale;
  dls_sum_add(&to->value, w * dls_higher(dls_mean_square(at->d, at->linear), 0.0));
  dls_sum_add(&to->slack, w * slack * slack);
}

/* (49) as an integral: w times the mean of |d|^p, in units of size^p. */
static void gather_lp(void *all, size_t component, const dls_norm_interval *at)
{
  gathered *to = (gathered *)all + component;
  const double *d = at->d, w = at->end - at->start;
  const double size = dls_piece_largest(d), rounding = DLS_NORM_ROUNDING * DBL_EPSILON * at->scale;
  const int p = (int)to->p;
  if (size > 0.0) {
    const double e[4] = {d[0] / size, d[1] / size, d[2] / size, d[3] / size};
    const double power =
        at->linear ? dls_line_mean_power(e[0], e[3], p) : dls_mean_power(e, p, rounding / size);
    dls_power_sum_add(&to->power, to->p, w * power, size);
  }
  dls_power_sum_add(&to->disturbance, to->p, w, 2.0 * rounding); /* of d, and where it was taken for 0 */
}

static double cubic_max(const double d[4])
{
  double u[2] = {0.0, 1.0}, most = fmax(fabs(d[0]), fabs(d[3]));
  const double a = d[1] - d[0], b = d[2] - d[1], c = d[3] - d[2]; /* derivative / 3, Bernstein of degree two */
  const int roots = gsl_poly_solve_quadratic(a - 2.0 * b + c, 2.0 * (b - a), a, &u[0], &u[1]);
  for (int i = 0; i < roots; i++) {
    if (u[i] > 0.0 && u[i] < 1.0) {
      most = fmax(most, fabs(dls_blossom(d, u[i], u[i], u[i])));
    }
  }
  return most;
}

static void gather_max(void *all, size_t component, const dls_norm_interval *at)
{
  gathered *to = (gathered *)all + component;
  const double *d = at->d, ends = dls_higher(fabs(d[0]), fabs(d[3]));
  if (at->linear || dls_piece_largest(d) > to->value.sum) { /* coefficients bound the cubic */
    to->value.sum = dls_higher(to->value.sum, at->linear ? ends : cubic_max(d));
  }
  to->slack.sum = dls_higher(to->slack.sum, DLS_NORM_ROUNDING * DBL_EPSILON * at->scale);
}

/* d := f - g up to the time; @return the largest coefficients of both, added. */
static inline double difference(dls_cursor *f, dls_cursor *g, double to, double d[4])
{
  double c[4];
  dls_cursor_part(f, to, d);
  dls_cursor_part(g, to, c);
  const double size = dls_piece_largest(d) + dls_piece_largest(c);
  for (size_t l = 0; l < 4; l++) {
    d[l] -= c[l];
  }
  return size;
}

/* Advance to the piece after the time, unless the cursor is in it. */
static inline void follow(dls_cursor *f, double t)
{
  size_t i = f->piece;
  if (f->graph->t[i + 1] > t) {
    return;
  }
  while (f->graph->t[i + 1] <= t) {
    i++;
  }
  dls_cursor_enter(f, i);
}

static void sweep(const dls_graph *f, const dls_graph *g, size_t component, double low, double high,
                  dls_norm_visit *visit, void *data)
{
  dls_cursor a = dls_cursor_at(f, component, low), b = dls_cursor_at(g, component, low);
  dls_norm_interval at = {.linear = f->slope == NULL && g->slope == NULL};
  for (double t = low; t < high; t = at.end) {
    follow(&a, t);
    follow(&b, t);
    at.start = t;
    at.end = dls_lower(f->t[a.piece + 1], g->t[b.piece + 1]);
    at.scale = difference(&a, &b, at.end, at.d);
    visit(data, component, &at);
  }
}

void dls_norm_sweep(const dls_graph *f, const dls_graph *g, double low, double high, dls_norm_visit *visit,
                    void *data)
{
  for (size_t k = 0; k < f->dim && low < high; k++) {
    sweep(f, g, k, low, high, visit, data);
  }
}

/* --- the norms --- */

static void finish_l1(const dls_norm *norm, const dls_metric *metric, dls_measure *out)
{
  (void)norm;
  dls_norm_scale(out, metric->time_scale * metric->value_scale);
}

/* A disturbance r of f - g changes the norm by at most the norm of r, for every p (Minkowski). */
static void finish_l2(const dls_norm *norm, const dls_metric *metric, dls_measure *out)
{
  (void)norm;
  *out = (dls_measure){sqrt(out->value), sqrt(out->bound)};
  dls_norm_scale(out, metric->value_scale * sqrt(metric->time_scale));
}

static void finish_lp(const dls_norm *norm, const dls_metric *metric,
                      dls_measure *out) /* p-th roots are taken */
{
  dls_norm_scale(out, metric->value_scale * pow(metric->time_scale, 1.0 / norm->p));
}

static void finish_max(const dls_norm *norm, const dls_metric *metric, dls_measure *out)
{
  (void)norm;
  dls_norm_scale(out, metric->value_scale);
}

/* Combination of intervals, and of the largest component, for a norm. */
static const struct space_kind {
  const dls_norm *norm;
  dls_norm_visit *gather;
  void (*finish)(const dls_norm *norm, const dls_metric *metric, dls_measure *out);
} kinds[] = {
    {&dls_norm_l1, gather_l1, finish_l1},
    {&dls_norm_l2, gather_l2, finish_l2},
    {&dls_norm_lp, gather_lp, finish_lp},
    {&dls_norm_max, gather_max, finish_max},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* NULL if the name is none of these norms. It may contain an option after a colon. */
static const struct space_kind *kind_of(const dls_norm *norm)
{
  const size_t length = strcspn(norm->name, ":");
  size_t i = 0;
  while (i < KINDS &&
         !(strlen(kinds[i].norm->name) == length && strncmp(kinds[i].norm->name, norm->name, length) == 0)) {
    i++;
  }
  return i < KINDS ? &kinds[i] : NULL;
}

/* --- f and g as a whole, or in parts --- */

struct dls_space_sum {
  const dls_norm *norm;
  const struct space_kind *kind;
  size_t dim;
  gathered of[]; /* dim */
};

bool dls_space_has(const dls_norm *norm)
{
  return kind_of(norm) != NULL;
}

dls_space_sum *dls_space_begin(const dls_norm *norm, size_t dim)
{
  dls_space_sum *sum = calloc(1, sizeof *sum + dim * sizeof sum->of[0]);
  if (sum != NULL) {
    *sum = (dls_space_sum){.norm = norm, .kind = kind_of(norm), .dim = dim};
    for (size_t k = 0; k < dim; k++) {
      sum->of[k].p = norm->p;
    }
  }
  return sum;
}

void dls_space_add(dls_space_sum *sum, const dls_graph *f, const dls_graph *g, double low, double high)
{
  dls_norm_sweep(f, g, low, high, sum->kind->gather, sum->of);
}

dls_measure dls_space_end(const dls_space_sum *sum, const dls_metric *metric)
{
  dls_measure out = {0.0, 0.0};
  const double p = sum->norm->p;
  for (size_t k = 0; k < sum->dim; k++) {
    const gathered *of = &sum->of[k];
    const double value = p > 0 ? dls_power_sum_root(&of->power, p) : dls_sum_total(&of->value);
    const double bound = p > 0 ? dls_power_sum_root(&of->disturbance, p) : dls_sum_total(&of->slack);
    out.value = dls_larger(out.value, value);
    out.bound = dls_larger(out.bound, bound);
  }
  sum->kind->finish(sum->norm, metric, &out);
  return out;
}

static dls_status measure_space(const dls_norm *self, const dls_graph *numeric, const dls_graph *reference,
                                const dls_metric *metric, dls_measure *out, dls_error *err)
{
  double low, high;
  dls_status status = dls_graph_check_pair(numeric, reference, metric, err);
  if (status == DLS_OK) {
    status = dls_norm_overlap(numeric, reference, &low, &high, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  dls_space_sum *sum = dls_space_begin(self, numeric->dim);
  if (sum == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu sums", numeric->dim);
  }
  dls_space_add(sum, numeric, reference, low, high);
  *out = dls_space_end(sum, metric);
  free(sum);
  return DLS_OK;
}

const dls_norm dls_norm_l1 = {
    .name = "l1",
    .label = "in L^1",
    .unit = "s·%s",
    .has_published_orders = true,
    .summary = "integral of |f - g| dt / (tau xi), largest component, over the time that both graphs cover",
    .measure = measure_space,
    .compare_prepared = dls_comparison_l1,
};
const dls_norm dls_norm_l2 = {
    .name = "l2",
    .label = "in L^2",
    .unit = "s^{1/2}·%s",
    .summary = "sqrt(integral of |f - g|^2 dt / tau) / xi, largest component",
    .measure = measure_space,
};
const dls_norm dls_norm_lp = {
    .name = "lp",
    .label = "in L^p",
    .unit = "s^{1/p}·%s",
    .summary = "(integral of |f - g|^p dt / tau)^(1/p) / xi, largest component; lp:p=3",
    .measure = measure_space,
    .options = dls_norm_power,
    .p = 2,
};
const dls_norm dls_norm_max = {
    .name = "max",
    .label = "in the maximum norm",
    .unit = "%s",
    .summary = "ess sup |f - g| / xi, largest component; a displaced jump counts with its full height",
    .measure = measure_space,
};
