/* analytic/fit.c -- empirical order of convergence by least squares on logarithms.
 * Source: Acary, lecture, eq. (50): |e| = C h^q + O(h^(q+1)).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/fit.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>

/* Orders that differ by less are the same for every practical purpose, however narrow their intervals are. */
#define SAME_ORDER 0.05

typedef struct point {
  double x, y; /* log h, log error */
} point;

typedef struct line {
  double order, log_constant;
  double half; /* of the 95 % interval of the order */
} line;

static int by_step(const void *a, const void *b)
{
  const double p = ((const point *)a)->x, q = ((const point *)b)->x;
  return (p > q) - (p < q);
}

/* count >= 3 points, not all at the same h. */
static line fit_line(const point *points, size_t count)
{
  line fit;
  double cov00, cov01, cov11, sum;
  gsl_fit_linear(&points->x, 2, &points->y, 2, count, &fit.log_constant, &fit.order, &cov00, &cov01, &cov11,
                 &sum);
  fit.half = gsl_cdf_tdist_Pinv(0.975, (double)count - 2.0) * sqrt(cov11);
  return fit;
}

/* Distinct step sizes among sorted points. */
static size_t level_count(const point *points, size_t count)
{
  size_t levels = count > 0;
  for (size_t i = 1; i < count; i++) {
    levels += points[i].x > points[i - 1].x;
  }
  return levels;
}

/* Position of the first point of a level. */
static size_t level_start(const point *points, size_t level)
{
  size_t at = 0;
  for (size_t l = 0; l < level; at++) {
    l += points[at + 1].x > points[at].x;
  }
  return at;
}

/* Of an odd number of levels the middle one belongs to both halves. */
static void compare_halves(const point *points, size_t count, size_t levels, dls_fit *out)
{
  const size_t each = (levels + 1) / 2;
  const size_t fine = level_start(points, each); /* two levels at least: there is one behind */
  const size_t coarse = level_start(points, levels - each);
  if (each < 2 || fine < 3 || count - coarse < 3) {
    return;
  }
  const line low = fit_line(points, fine), high = fit_line(points + coarse, count - coarse);
  out->order_fine = low.order;
  out->order_coarse = high.order;
  out->half_fine = low.half;
  out->half_coarse = high.half;
  out->warn_preasymptotic = fabs(high.order - low.order) > fmax(low.half + high.half, SAME_ORDER);
}

/* The usable points, sorted by step size. */
static dls_status pick(size_t count, const double *h, const double *error, double floor, point *points,
                       dls_fit *out, dls_error *err)
{
  *out = (dls_fit){.order_coarse = NAN, .order_fine = NAN, .half_coarse = NAN, .half_fine = NAN};
  for (size_t i = 0; i < count; i++) {
    if (!(h[i] > 0.0 && isfinite(h[i]))) {
      return dls_fail(err, DLS_ERR_ARG, "h[%zu] = %g must be positive and finite", i, h[i]);
    }
    if (!isfinite(error[i]) || error[i] <= fmax(floor, 0.0)) {
      out->dropped_floor++;
      out->warn_floor = out->warn_floor || error[i] <= fmax(floor, 0.0);
      continue;
    }
    out->h_min = out->points > 0 ? fmin(out->h_min, h[i]) : h[i];
    out->h_max = fmax(out->h_max, h[i]);
    points[out->points++] = (point){log(h[i]), log(error[i])};
  }
  qsort(points, out->points, sizeof *points, by_step);
  return DLS_OK;
}

dls_status dls_fit_order(size_t count, const double *h, const double *error, double floor, dls_fit *out,
                         dls_error *err)
{
  point *points = malloc((count + 1) * sizeof *points);
  if (points == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu points", count);
  }
  dls_status status = pick(count, h, error, floor, points, out, err);
  const size_t levels = level_count(points, out->points);
  if (status == DLS_OK && (out->points < 3 || levels < 2)) {
    status =
        dls_fail(err, DLS_ERR_ARG,
                 "a fit needs 3 points with 2 different h; %zu of %zu points at %zu different h are above the "
                 "floor %g",
                 out->points, count, levels, floor);
  }
  if (status == DLS_OK) {
    const line fit = fit_line(points, out->points);
    out->order = fit.order;
    out->constant = exp(fit.log_constant);
    out->ci_low = fit.order - fit.half;
    out->ci_high = fit.order + fit.half;
    compare_halves(points, out->points, levels, out);
  }
  free(points);
  return status;
}

double dls_pairwise_order(double h0, double e0, double h1, double e1)
{
  if (!(e0 > 0.0 && e1 > 0.0)) {
    return NAN;
  }
  return log(e1 / e0) / log(h1 / h0);
}
