/* analytic/distance/norm_space.c -- norms of f - g as functions of time, integrated exactly.
 * Between the common breakpoints f - g is a cubic with Bernstein coefficients d, linear graphs included.
 * Source: Acary, lecture, eqs. (48), (49), with the sums replaced by the integrals that they approximate.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/norm.h"
#include "analytic/distance/prepared_reference.h"
#include "analytic/graph/cursor.h"
#include "common/base/larger.h"
#include <float.h>
#include <gsl/gsl_poly.h>
#include <stdlib.h>

enum { DEPTH = 60 }; /* halvings of an interval of relative length 1 until it is below an ulp */

/* What is gathered for one component: an integral or a maximum, and what rounding does to it; both of p-th powers. */
typedef struct gathered {
  dls_sum value, slack;
  double p;
  dls_power_sum power, disturbance;
} gathered;

static double mean(const double d[4])
{
  return 0.25 * (d[0] + d[1] + d[2] + d[3]); /* the integral over [0,1] */
}

static bool one_sign(const double d[4])
{
  const double least = dls_lower(dls_lower(d[0], d[1]), dls_lower(d[2], d[3]));
  const double most = dls_higher(dls_higher(d[0], d[1]), dls_higher(d[2], d[3]));
  return least >= 0.0 || most <= 0.0;
}

/* The cubic on [0, u] and on [u, 1]. */
static void split(const double d[4], double u, double left[4], double right[4])
{
  const double b = dls_lerp(d[1], d[2], u);
  left[0] = d[0];
  left[1] = dls_lerp(d[0], d[1], u);
  right[3] = d[3];
  right[2] = dls_lerp(d[2], d[3], u);
  left[2] = dls_lerp(left[1], b, u);
  right[1] = dls_lerp(b, right[2], u);
  left[3] = right[0] = dls_lerp(left[2], right[1], u);
}

/* Where the polygon of the coefficients changes its sign, if it does so once: then the cubic has one zero there, and next to an
 * end this is a step of Newton's method. 1/2 if it changes it more often. */
static double place_to_split(const double d[4])
{
  int changes = 0, at = 0;
  for (int l = 0; l < 3; l++) {
    const bool changed = d[l] * d[l + 1] < 0.0 || (d[l] != 0.0 && d[l + 1] == 0.0);
    changes += changed;
    at = changed ? l : at;
  }
  const double u = (at + d[at] / (d[at] - d[at + 1])) / 3.0;
  return changes == 1 && u > 0.0 && u < 1.0 ? u : 0.5;
}

/* integral over [0,1] of |d|, split until d has one sign, or what that could change is below limit. */
static double mean_abs(const double d[4], double limit, int depth, double *slack)
{
  const double signed_mean = fabs(mean(d));
  if (one_sign(d)) {
    return signed_mean;
  }
  const double size = 0.25 * (fabs(d[0]) + fabs(d[1]) + fabs(d[2]) + fabs(d[3]));
  if (size - signed_mean <= limit || depth == 0) { /* signed_mean <= integral <= size */
    *slack += 0.5 * (size - signed_mean);
    return 0.5 * (size + signed_mean);
  }
  const double u = place_to_split(d);
  double left[4], right[4], lost_left = 0.0, lost_right = 0.0;
  split(d, u, left, right);
  const double before = mean_abs(left, limit / u, depth - 1, &lost_left);
  const double behind = mean_abs(right, limit / (1.0 - u), depth - 1, &lost_right);
  *slack += u * lost_left + (1.0 - u) * lost_right;
  return u * before + (1.0 - u) * behind;
}

double dls_norm_mean_abs(const double d[4], double limit, double *slack)
{
  return mean_abs(d, limit, DEPTH, slack);
}

/* integral over [0,1] of |d| of a line from p to q: two triangles where the sign changes. */
static double line_mean_abs(double p, double q)
{
  const double size = fabs(p) + fabs(q);
  return p * q >= 0.0 ? 0.5 * size : 0.5 * (p * p + q * q) / size;
}

static void gather_l1(void *all, size_t component, const dls_norm_interval *at)
{
  gathered *to = (gathered *)all + component;
  const double *d = at->d, w = at->end - at->start, rounding = DLS_NORM_ROUNDING * DBL_EPSILON * at->scale;
  double slack = rounding;
  const double value = at->linear ? line_mean_abs(d[0], d[3]) : mean_abs(d, rounding, DEPTH, &slack);
  dls_sum_add(&to->value, w * value);
  dls_sum_add(&to->slack, w * slack);
}

/* integral over [0,1] of d^2 */
static double mean_square(const double d[4], bool linear)
{
  /* integral of B_i B_j = C(3,i) C(3,j) / (7 C(6,i+j)), in units of 1/140 */
  static const double gram[4][4] = {{20, 10, 4, 1}, {10, 12, 9, 4}, {4, 9, 12, 10}, {1, 4, 10, 20}};
  double square = 0.0;
  if (linear) {
    return (d[0] * d[0] + d[0] * d[3] + d[3] * d[3]) / 3.0;
  }
  for (size_t i = 0; i < 4; i++) {
    for (size_t j = 0; j < 4; j++) {
      square += gram[i][j] / 140.0 * d[i] * d[j];
    }
  }
  return square;
}

static void gather_l2(void *all, size_t component, const dls_norm_interval *at)
{
  gathered *to = (gathered *)all + component;
  const double w = at->end - at->start, slack = DLS_NORM_ROUNDING * DBL_EPSILON * at->scale;
  dls_sum_add(&to->value, w * dls_higher(mean_square(at->d, at->linear), 0.0));
  dls_sum_add(&to->slack, w * slack * slack);
}

/* integral over [0,1] of |d|^p, d of one sign: d^p is a polynomial of degree 3 p, whose Bernstein coefficients, times
 * C(3p, j), are sums of products of those of d, times C(3, i): all of one sign, so that nothing is lost. Their mean is the
 * integral. |d_i| <= 1. Source: Farouki & Rajan 1988, CAGD 5, 1-26. */
static double mean_power_of_one_sign(const double d[4], int p)
{
  const double factor[4] = {fabs(d[0]), 3.0 * fabs(d[1]), 3.0 * fabs(d[2]), fabs(d[3])};
  double c[3 * DLS_MOST_POWER + 1] = {1.0}, binomial = 1.0, sum = 0.0;
  for (int k = 0; k < p; k++) { /* c: of d^k, degree 3 k */
    for (int j = 3 * k + 3; j >= 0; j--) {
      double product = 0.0;
      for (int i = 0; i < 4; i++) {
        product += j >= i && j - i <= 3 * k ? factor[i] * c[j - i] : 0.0;
      }
      c[j] = product;
    }
  }
  for (int j = 0; j <= 3 * p; j++) {
    sum += c[j] / binomial; /* C(3p, j) */
    binomial *= (double)(3 * p - j) / (j + 1);
  }
  return sum / (3 * p + 1);
}

/* integral over [0,1] of |d|^p by halving until d has one sign, or is 0 but for rounding. */
static double mean_power(const double d[4], int p, double limit, int depth)
{
  if (one_sign(d)) {
    return mean_power_of_one_sign(d, p);
  }
  if (dls_piece_largest(d) <= limit || depth == 0) {
    return 0.0;
  }
  double left[4], right[4];
  split(d, 0.5, left, right);
  return 0.5 * (mean_power(left, p, limit, depth - 1) + mean_power(right, p, limit, depth - 1));
}

/* integral over [0,1] of |d|^p of a line from a to b. */
static double line_power(double a, double b, int p)
{
  const double x = fabs(a), y = fabs(b);
  if (a * b < 0.0) { /* a triangle on each side of the zero */
    return (pow(x, p + 1) + pow(y, p + 1)) / ((p + 1) * (x + y));
  }
  double sum = 0.0, power = 1.0; /* (x^(p+1) - y^(p+1)) / (x - y), without the quotient */
  for (int k = 0; k <= p; k++) {
    sum = sum * x + power;
    power *= y;
  }
  return sum / (p + 1);
}

static void gather_lp(void *all, size_t component, const dls_norm_interval *at)
{
  gathered *to = (gathered *)all + component;
  const double *d = at->d, w = at->end - at->start;
  const double size = dls_piece_largest(d), rounding = DLS_NORM_ROUNDING * DBL_EPSILON * at->scale;
  const int p = (int)to->p;
  if (size > 0.0) {
    const double e[4] = {d[0] / size, d[1] / size, d[2] / size, d[3] / size};
    const double power = at->linear ? line_power(e[0], e[3], p) : mean_power(e, p, rounding / size, DEPTH);
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

/* To the piece behind the time, unless the cursor is in it. */
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

void dls_norm_scale(dls_measure *out, double unit)
{
  out->value /= unit;
  out->bound = out->bound / unit + DLS_NORM_ROUNDING * DBL_EPSILON * out->value;
}

static void finish_l1(const dls_norm *norm, const dls_metric *metric, dls_measure *out)
{
  (void)norm;
  dls_norm_scale(out, metric->time_scale * metric->value_scale);
}

/* A disturbance r of f - g changes the norm by the norm of r at most, as for every p (Minkowski). */
static void finish_l2(const dls_norm *norm, const dls_metric *metric, dls_measure *out)
{
  (void)norm;
  *out = (dls_measure){sqrt(out->value), sqrt(out->bound)};
  dls_norm_scale(out, metric->value_scale * sqrt(metric->time_scale));
}

static void finish_lp(const dls_norm *norm, const dls_metric *metric,
                      dls_measure *out) /* the roots are taken */
{
  dls_norm_scale(out, metric->value_scale * pow(metric->time_scale, 1.0 / norm->p));
}

static void finish_max(const dls_norm *norm, const dls_metric *metric, dls_measure *out)
{
  (void)norm;
  dls_norm_scale(out, metric->value_scale);
}

/* How a norm is made of intervals, and of the largest value of a component. */
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

/* NULL if the norm is none of these. */
static const struct space_kind *kind_of(const dls_norm *norm)
{
  const dls_norm *entry = dls_norm_find(norm->name);
  size_t i = 0;
  while (i < KINDS && kinds[i].norm != entry) {
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
    .summary = "integral of |f - g| dt / (tau xi), largest component, over the time that both graphs cover",
    .measure = measure_space,
    .compare_prepared = dls_comparison_l1,
};
const dls_norm dls_norm_l2 = {
    .name = "l2",
    .summary = "sqrt(integral of |f - g|^2 dt / tau) / xi, largest component",
    .measure = measure_space,
};
const dls_norm dls_norm_lp = {
    .name = "lp",
    .summary = "(integral of |f - g|^p dt / tau)^(1/p) / xi, largest component; lp:p=3",
    .measure = measure_space,
    .options = dls_norm_power,
    .p = 2,
};
const dls_norm dls_norm_max = {
    .name = "max",
    .summary = "ess sup |f - g| / xi, largest component; a displaced jump counts with its full height",
    .measure = measure_space,
};
