/* analytic/distance/norm_space.c -- norms of f - g as functions of time, integrated exactly.
 * Between the common breakpoints f - g is a cubic with Bernstein coefficients d, linear graphs included.
 * Source: Acary, lecture, eqs. (48), (49), with the sums replaced by the integrals that they approximate.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/norm.h"
#include "analytic/graph/piece.h"
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

/* Add the interval of length w. d: difference; scale: largest coefficient of either graph. */
typedef void gather(gathered *to, double w, const double d[4], double scale, bool linear);

typedef struct gathering {
  gather *add;
  gathered *to; /* of each component */
} gathering;

static void gather_interval(void *data, size_t k, const dls_norm_interval *interval)
{
  const gathering *all = data;
  all->add(&all->to[k], interval->end - interval->start, interval->d, interval->scale, interval->linear);
}

static double mean(const double d[4])
{
  return 0.25 * (d[0] + d[1] + d[2] + d[3]); /* the integral over [0,1] */
}

/* The largest |d_i|. */
static double largest(const double d[4])
{
  return fmax(fmax(fabs(d[0]), fabs(d[1])), fmax(fabs(d[2]), fabs(d[3])));
}

static bool one_sign(const double d[4])
{
  const bool positive = d[0] >= 0.0 && d[1] >= 0.0 && d[2] >= 0.0 && d[3] >= 0.0;
  return positive || (d[0] <= 0.0 && d[1] <= 0.0 && d[2] <= 0.0 && d[3] <= 0.0);
}

/* Both halves of a cubic. */
static void halve(const double d[4], double left[4], double right[4])
{
  const double b = 0.5 * (d[1] + d[2]);
  left[0] = d[0];
  left[1] = 0.5 * (d[0] + d[1]);
  right[3] = d[3];
  right[2] = 0.5 * (d[2] + d[3]);
  left[2] = 0.5 * (left[1] + b);
  right[1] = 0.5 * (b + right[2]);
  left[3] = right[0] = 0.5 * (left[2] + right[1]);
}

/* integral over [0,1] of |d| by halving until d has one sign, or what that could change is below limit. */
static double mean_abs(const double d[4], double limit, int depth, double *slack)
{
  const double signed_mean = fabs(mean(d)), size = 0.25 * (fabs(d[0]) + fabs(d[1]) + fabs(d[2]) + fabs(d[3]));
  if (one_sign(d)) {
    return signed_mean;
  }
  if (size - signed_mean <= limit || depth == 0) { /* signed_mean <= integral <= size */
    *slack += 0.5 * (size - signed_mean);
    return 0.5 * (size + signed_mean);
  }
  double left[4], right[4], lost = 0.0; /* of both halves */
  halve(d, left, right);
  const double sum =
      mean_abs(left, 2.0 * limit, depth - 1, &lost) + mean_abs(right, 2.0 * limit, depth - 1, &lost);
  *slack += 0.5 * lost;
  return 0.5 * sum;
}

static void gather_l1(gathered *to, double w, const double d[4], double scale, bool linear)
{
  const double p = d[0], q = d[3], size = fabs(p) + fabs(q), rounding = DLS_NORM_ROUNDING * DBL_EPSILON * scale;
  double slack = rounding, value;
  if (linear) { /* two triangles where the sign changes */
    value = p * q >= 0.0 ? 0.5 * size : 0.5 * (p * p + q * q) / size;
  } else {
    value = one_sign(d) ? fabs(mean(d)) : mean_abs(d, rounding, DEPTH, &slack);
  }
  dls_sum_add(&to->value, w * value);
  dls_sum_add(&to->slack, w * slack);
}

static void gather_l2(gathered *to, double w, const double d[4], double scale, bool linear)
{
  /* integral of B_i B_j = C(3,i) C(3,j) / (7 C(6,i+j)), in units of 1/140 */
  static const double gram[4][4] = {{20, 10, 4, 1}, {10, 12, 9, 4}, {4, 9, 12, 10}, {1, 4, 10, 20}};
  double square = 0.0;
  if (linear) {
    square = (d[0] * d[0] + d[0] * d[3] + d[3] * d[3]) / 3.0;
  } else {
    for (size_t i = 0; i < 4; i++) {
      for (size_t j = 0; j < 4; j++) {
        square += gram[i][j] / 140.0 * d[i] * d[j];
      }
    }
  }
  const double slack = DLS_NORM_ROUNDING * DBL_EPSILON * scale;
  dls_sum_add(&to->value, w * fmax(square, 0.0));
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
  if (largest(d) <= limit || depth == 0) {
    return 0.0;
  }
  double left[4], right[4];
  halve(d, left, right);
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

static void gather_lp(gathered *to, double w, const double d[4], double scale, bool linear)
{
  const double size = largest(d), rounding = DLS_NORM_ROUNDING * DBL_EPSILON * scale;
  const int p = (int)to->p;
  if (size > 0.0) {
    const double e[4] = {d[0] / size, d[1] / size, d[2] / size, d[3] / size};
    const double power = linear ? line_power(e[0], e[3], p) : mean_power(e, p, rounding / size, DEPTH);
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

static void gather_max(gathered *to, double w, const double d[4], double scale, bool linear)
{
  (void)w;
  const double ends = fmax(fabs(d[0]), fabs(d[3]));
  to->value.sum = fmax(to->value.sum, linear ? ends : cubic_max(d));
  to->slack.sum = fmax(to->slack.sum, DLS_NORM_ROUNDING * DBL_EPSILON * scale);
}

/* d := f - g on span; return the largest coefficients of both, added. */
static double difference(const dls_graph *f, size_t i, const dls_graph *g, size_t j, size_t k,
                         const double span[2], double d[4])
{
  double c[4], size = 0.0, other = 0.0;
  dls_piece_part(f, i, k, span[0], span[1], d);
  dls_piece_part(g, j, k, span[0], span[1], c);
  for (int l = 0; l < 4; l++) {
    size = dls_higher(size, fabs(d[l]));
    other = dls_higher(other, fabs(c[l]));
    d[l] -= c[l];
  }
  return size + other;
}

void dls_norm_sweep(const dls_graph *f, const dls_graph *g, double low, double high, dls_norm_visit *visit,
                    void *data)
{
  size_t i = dls_graph_search(f, low, true) - 1, j = dls_graph_search(g, low, true) - 1;
  dls_norm_interval at = {.linear = f->slope == NULL && g->slope == NULL};
  for (double span[2] = {low, low}; span[0] < high; span[0] = span[1]) {
    while (f->t[i + 1] <= span[0]) {
      i++;
    }
    while (g->t[j + 1] <= span[0]) {
      j++;
    }
    at.start = span[0];
    at.end = span[1] = dls_lower(f->t[i + 1], g->t[j + 1]);
    for (size_t k = 0; k < f->dim; k++) {
      at.scale = difference(f, i, g, j, k, span, at.d);
      visit(data, k, &at);
    }
  }
}

static dls_status gather_all(const dls_norm *self, const dls_graph *f, const dls_graph *g,
                             const dls_metric *metric, gather *add, dls_measure *out, dls_error *err)
{
  double low, high;
  dls_status status = dls_graph_check_pair(f, g, metric, err);
  if (status == DLS_OK) {
    status = dls_norm_overlap(f, g, &low, &high, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  gathered *to = calloc(f->dim, sizeof *to);
  if (to == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu sums", f->dim);
  }
  for (size_t k = 0; k < f->dim; k++) {
    to[k].p = self->p;
  }
  dls_norm_sweep(f, g, low, high, gather_interval, &(gathering){add, to});
  *out = (dls_measure){0.0, 0.0};
  for (size_t k = 0; k < f->dim; k++) {
    const bool powers = self->p > 0;
    const double value = powers ? dls_power_sum_root(&to[k].power, self->p) : dls_sum_total(&to[k].value);
    const double bound = powers ? dls_power_sum_root(&to[k].disturbance, self->p) : dls_sum_total(&to[k].slack);
    out->value = fmax(out->value, value);
    out->bound = fmax(out->bound, bound);
  }
  free(to);
  return DLS_OK;
}

/* Divide by the unit; the quotient and the weights add a few ulp of the value. */
static void scale(dls_measure *out, double unit)
{
  out->value /= unit;
  out->bound = out->bound / unit + DLS_NORM_ROUNDING * DBL_EPSILON * out->value;
}

static dls_status measure_l1(const dls_norm *self, const dls_graph *numeric, const dls_graph *reference,
                             const dls_metric *metric, dls_measure *out, dls_error *err)
{
  const dls_status status = gather_all(self, numeric, reference, metric, gather_l1, out, err);
  if (status == DLS_OK) {
    scale(out, metric->time_scale * metric->value_scale);
  }
  return status;
}

static dls_status measure_l2(const dls_norm *self, const dls_graph *numeric, const dls_graph *reference,
                             const dls_metric *metric, dls_measure *out, dls_error *err)
{
  const dls_status status = gather_all(self, numeric, reference, metric, gather_l2, out, err);
  if (status == DLS_OK) { /* a disturbance r of f - g changes the norm by the norm of r at most */
    *out = (dls_measure){sqrt(out->value), sqrt(out->bound)};
    scale(out, metric->value_scale * sqrt(metric->time_scale));
  }
  return status;
}

static dls_status measure_lp(const dls_norm *self, const dls_graph *numeric, const dls_graph *reference,
                             const dls_metric *metric, dls_measure *out, dls_error *err)
{
  const dls_status status = gather_all(self, numeric, reference, metric, gather_lp, out, err);
  if (status ==
      DLS_OK) { /* roots are taken: a disturbance of norm r changes the norm by r at most (Minkowski) */
    scale(out, metric->value_scale * pow(metric->time_scale, 1.0 / self->p));
  }
  return status;
}

static dls_status measure_max(const dls_norm *self, const dls_graph *numeric, const dls_graph *reference,
                              const dls_metric *metric, dls_measure *out, dls_error *err)
{
  const dls_status status = gather_all(self, numeric, reference, metric, gather_max, out, err);
  if (status == DLS_OK) {
    scale(out, metric->value_scale);
  }
  return status;
}

const dls_norm dls_norm_l1 = {
    .name = "l1",
    .summary = "integral of |f - g| dt / (tau xi), largest component, over the time that both graphs cover",
    .measure = measure_l1,
};
const dls_norm dls_norm_l2 = {
    .name = "l2",
    .summary = "sqrt(integral of |f - g|^2 dt / tau) / xi, largest component",
    .measure = measure_l2,
};
const dls_norm dls_norm_lp = {
    .name = "lp",
    .summary = "(integral of |f - g|^p dt / tau)^(1/p) / xi, largest component; lp:p=3",
    .measure = measure_lp,
    .options = dls_norm_power,
    .p = 2,
};
const dls_norm dls_norm_max = {
    .name = "max",
    .summary = "ess sup |f - g| / xi, largest component; a displaced jump counts with its full height",
    .measure = measure_max,
};
