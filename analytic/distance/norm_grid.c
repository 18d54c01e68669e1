/* analytic/distance/norm_grid.c -- norms of the errors e_i = f_i - f(t_i) at the nodes of the numerical solution,
 * with the scales tau, xi of the metric. h_i is the step that ends at node i; at a jump f_i and f(t_i) are right limits.
 *   |e|_1 = sum h_i |e_i| / (tau xi)                    lecture, eq. (48)
 *   |e|_p = (sum h_i |e_i|^p / tau)^(1/p) / xi          lecture, eq. (49);  |e|_inf = max |e_i| / xi
 *   sum |e_i| / sum |f(t_i)|                            relative norm of Chen et al. 2013
 * By Minkowski's inequality, errors r of each e_i change |e|_p by at most |r|_p = r (sum h_i / tau)^(1/p) / xi.      (1)
 * Source: Acary, lecture, eqs. (48), (49); Chen, Acary, Virlez, Bruls 2013.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/norm.h"
#include "analytic/graph/piece.h"
#include "common/base/larger.h"
#include <float.h>
#include <stdlib.h>

/* Sums over the nodes of one component: h|e|, h e^2, |e|, |f|, h |e|^p, and max |e|. */
typedef struct grid_sums {
  dls_sum l1, l2, error, reference;
  dls_power_sum lp;
  double most;
} grid_sums;

typedef struct grid {
  size_t dim;
  double p;        /* exponent of (49); 0: not needed */
  grid_sums *sums; /* dim */
  double *at;      /* dim, a value of the reference */
  double length;   /* sum of h_i [s] */
  double rounding; /* r of (1): rounding of one difference */
  size_t nodes;
  size_t near; /* node of the reference where the last search ended */
} grid;

static double largest_coefficient(const dls_graph *g)
{
  double most = 0.0;
  for (size_t p = 0; p < g->count * g->dim; p++) {
    most = fmax(most, fabs(g->x[p]));
  }
  for (size_t i = 0; g->slope != NULL && i + 1 < g->count; i++) {
    for (size_t k = 0; k < g->dim; k++) {
      double c[4];
      dls_piece_whole(g, i, k, c);
      most = fmax(most, fmax(fabs(c[1]), fabs(c[2])));
    }
  }
  return most;
}

/* Add the terms of node i, the last of its time; h: step from the node before, 0 for the first. */
static void add_node(grid *to, const dls_graph *numeric, size_t i, const dls_graph *reference, double h)
{
  dls_graph_value_near(reference, numeric->t[i], 1, &to->near, to->at);
  for (size_t k = 0; k < to->dim; k++) {
    grid_sums *s = &to->sums[k];
    const double e = fabs(numeric->x[i * to->dim + k] - to->at[k]); /* |e_i| */
    dls_sum_add(&s->l1, h * e);                                     /* (48) */
    dls_sum_add(&s->l2, h * e * e);                                 /* (49), p = 2 */
    dls_sum_add(&s->error, e);                                      /* relative norm */
    dls_sum_add(&s->reference, fabs(to->at[k]));                    /* its divisor */
    s->most = dls_larger(s->most, e);                               /* (49), p = infinity */
    if (to->p > 0) {
      dls_power_sum_add(&s->lp, to->p, h, e); /* (49) */
    }
  }
  to->length += h;
  to->nodes++;
}

static void add_nodes(grid *to, const dls_graph *numeric, const dls_graph *reference, double low, double high)
{
  double before = NAN;
  for (size_t i = 0; i < numeric->count; i++) {
    const double t = numeric->t[i];
    const bool last = i + 1 == numeric->count || numeric->t[i + 1] > t;
    if (last && t >= low && t <= high) {
      add_node(to, numeric, i, reference, to->nodes > 0 ? t - before : 0.0);
      before = t;
    }
  }
  to->rounding =
      DLS_NORM_ROUNDING * DBL_EPSILON * (largest_coefficient(numeric) + largest_coefficient(reference));
}

static void grid_free(grid *g)
{
  free(g->sums);
  free(g->at);
}

static dls_status grid_fill(grid *to, double p, const dls_graph *numeric, const dls_graph *reference,
                            const dls_metric *metric, dls_error *err)
{
  double low, high;
  *to = (grid){.p = p};
  dls_status status = dls_graph_check_pair(numeric, reference, metric, err);
  if (status == DLS_OK) {
    status = dls_norm_overlap(numeric, reference, &low, &high, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  to->dim = numeric->dim;
  to->sums = calloc(to->dim, sizeof *to->sums);
  to->at = calloc(to->dim, sizeof *to->at);
  if (to->sums == NULL || to->at == NULL) {
    grid_free(to);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu sums", to->dim);
  }
  add_nodes(to, numeric, reference, low, high);
  if (to->nodes == 0) {
    grid_free(to);
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "the numerical solution has no node in [%g, %g]", low, high);
  }
  return DLS_OK;
}

/* A norm of one component, and its rounding by (1). */
typedef dls_measure norm_of(const grid *g, const grid_sums *s, const dls_metric *metric);

/* (48) */
static dls_measure l1_of(const grid *g, const grid_sums *s, const dls_metric *metric)
{
  const double unit = metric->time_scale * metric->value_scale;
  return (dls_measure){dls_sum_total(&s->l1) / unit, g->length * g->rounding / unit};
}

/* (49), p = 2 */
static dls_measure l2_of(const grid *g, const grid_sums *s, const dls_metric *metric)
{
  const double unit = sqrt(metric->time_scale) * metric->value_scale;
  return (dls_measure){sqrt(dls_sum_total(&s->l2)) / unit, sqrt(g->length) * g->rounding / unit};
}

/* (49) */
static dls_measure lp_of(const grid *g, const grid_sums *s, const dls_metric *metric)
{
  const double unit = pow(metric->time_scale, 1 / g->p) * metric->value_scale;
  return (dls_measure){dls_power_sum_root(&s->lp, g->p) / unit, pow(g->length, 1 / g->p) * g->rounding / unit};
}

/* (49), p = infinity */
static dls_measure max_of(const grid *g, const grid_sums *s, const dls_metric *metric)
{
  return (dls_measure){s->most / metric->value_scale, g->rounding / metric->value_scale};
}

static dls_measure relative_of(const grid *g, const grid_sums *s, const dls_metric *metric)
{
  (void)metric;
  const double error = dls_sum_total(&s->error), reference = dls_sum_total(&s->reference);
  if (error == 0.0) {
    return (dls_measure){0.0, 0.0};
  }
  const double value = error / reference; /* infinite if the reference is zero */
  /* (x + r)/(y - s) - x/y with r = s = nodes * rounding, to first order */
  return (dls_measure){value, (double)g->nodes * g->rounding * (1.0 + value) / reference};
}

static dls_status measure(const dls_norm *self, const dls_graph *numeric, const dls_graph *reference,
                          const dls_metric *metric, norm_of *norm, dls_measure *out, dls_error *err)
{
  grid g;
  const dls_status status = grid_fill(&g, self->p, numeric, reference, metric, err);
  if (status != DLS_OK) {
    return status;
  }
  *out = (dls_measure){0.0, 0.0};
  for (size_t k = 0; k < g.dim; k++) {
    const dls_measure component = norm(&g, &g.sums[k], metric);
    out->value = dls_larger(out->value, component.value);
    out->bound = dls_larger(out->bound, component.bound);
  }
  out->bound += DLS_NORM_ROUNDING * DBL_EPSILON * out->value;
  grid_free(&g);
  return DLS_OK;
}

static dls_status measure_l1(const dls_norm *self, const dls_graph *numeric, const dls_graph *reference,
                             const dls_metric *metric, dls_measure *out, dls_error *err)
{
  return measure(self, numeric, reference, metric, l1_of, out, err);
}

static dls_status measure_l2(const dls_norm *self, const dls_graph *numeric, const dls_graph *reference,
                             const dls_metric *metric, dls_measure *out, dls_error *err)
{
  return measure(self, numeric, reference, metric, l2_of, out, err);
}

static dls_status measure_lp(const dls_norm *self, const dls_graph *numeric, const dls_graph *reference,
                             const dls_metric *metric, dls_measure *out, dls_error *err)
{
  return measure(self, numeric, reference, metric, lp_of, out, err);
}

static dls_status measure_max(const dls_norm *self, const dls_graph *numeric, const dls_graph *reference,
                              const dls_metric *metric, dls_measure *out, dls_error *err)
{
  return measure(self, numeric, reference, metric, max_of, out, err);
}

static dls_status measure_relative(const dls_norm *self, const dls_graph *numeric, const dls_graph *reference,
                                   const dls_metric *metric, dls_measure *out, dls_error *err)
{
  const dls_status status = measure(self, numeric, reference, metric, relative_of, out, err);
  if (status == DLS_OK && !isfinite(out->value)) {
    return dls_fail(
        err, DLS_ERR_NOT_APPLICABLE,
        "relative-l1 divides by the sum of |reference| at the nodes, which is zero for a component");
  }
  return status;
}

const dls_norm dls_norm_grid_l1 = {
    .name = "grid-l1",
    .label = "in L^1 on the grid",
    .unit = "s·%s",
    .has_published_orders = true,
    .summary = "sum h_i |e_i| / (tau xi) over the nodes of the numerical solution, largest component",
    .measure = measure_l1,
};
const dls_norm dls_norm_grid_l2 = {
    .name = "grid-l2",
    .label = "in L^2 on the grid",
    .unit = "s^{1/2}·%s",
    .summary = "sqrt(sum h_i e_i^2 / tau) / xi over the nodes, largest component",
    .measure = measure_l2,
};
const dls_norm dls_norm_grid_lp = {
    .name = "grid-lp",
    .label = "in L^p on the grid",
    .unit = "s^{1/p}·%s",
    .summary = "(sum h_i |e_i|^p / tau)^(1/p) / xi over the nodes, largest component; grid-lp:p=3",
    .measure = measure_lp,
    .options = dls_norm_power,
    .p = 2,
};
const dls_norm dls_norm_grid_max = {
    .name = "grid-max",
    .label = "at the grid points, largest",
    .unit = "%s",
    .summary = "max |e_i| / xi over the nodes, largest component",
    .measure = measure_max,
};
const dls_norm dls_norm_relative_l1 = {
    .name = "relative-l1",
    .label = "in relative L^1 on the grid",
    .has_published_orders = true,
    .summary = "sum |e_i| / sum |f(t_i)| over the nodes, largest component",
    .measure = measure_relative,
};
