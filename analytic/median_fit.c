/* analytic/median_fit.c -- a power law through the medians of levels, by Theil and Sen, with bootstrap intervals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include <delassus/fit.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 500, FEWEST_RUNS = 3, FEWEST_CORRECTED = 5 };
static const unsigned long seed = 20;
static const double two_sided_95 = 1.959963984540054; /* standard deviations of the normal distribution */

typedef struct line {
  double order, log_constant;
} line;

/* The runs that the fit has, level by level: those of level i are at first[i] to first[i + 1] - 1. */
typedef struct runs {
  size_t levels, fewest; /* fewest: runs of a level */
  size_t *first;
  double *x, *y;               /* log h, log error */
  double *median_x, *median_y; /* of each level */
  double *drawn_x, *drawn_y;   /* scratch: the runs of a level */
  double *slopes;              /* scratch: pairs of levels */
  double *orders, *constants;  /* DRAWS */
  void *block;
} runs;

static dls_status create(size_t count, size_t levels, runs *r, dls_error *err)
{
  const size_t pairs = dls_size_product(levels, levels + 1) / 2;
  *r = (runs){.block = calloc(4 * count + 2 * levels + pairs + 2 * DRAWS + 1, sizeof(double)),
              .first = calloc(levels + 1, sizeof *r->first)};
  if (r->block == NULL || r->first == NULL) {
    free(r->block);
    free(r->first);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the medians of %zu runs", count);
  }
  r->x = r->block;
  r->y = r->x + count;
  r->drawn_x = r->y + count;
  r->drawn_y = r->drawn_x + count;
  r->median_x = r->drawn_y + count;
  r->median_y = r->median_x + levels;
  r->slopes = r->median_y + levels;
  r->orders = r->slopes + pairs;
  r->constants = r->orders + DRAWS;
  return DLS_OK;
}

/* From what is in drawn_x and drawn_y, which are put out of order. */
static void take_medians(runs *r, size_t level, size_t count)
{
  r->median_x[level] = gsl_stats_median(r->drawn_x, 1, count);
  r->median_y[level] = gsl_stats_median(r->drawn_y, 1, count);
}

/* The runs of one level, if their median is above the floor. */
static void take_level(size_t count, const double *h, const double *error, const size_t *level, size_t wanted,
                       double floor, runs *r)
{
  const size_t at = r->first[r->levels];
  size_t taken = 0;
  for (size_t i = 0; i < count; i++) {
    if (level[i] == wanted && h[i] > 0 && isfinite(h[i]) && isfinite(error[i])) {
      r->x[at + taken] = log(h[i]);
      r->y[at + taken++] = log(fmax(error[i], floor)); /* -inf for an error of 0 above no floor */
    }
  }
  if (taken == 0) {
    return;
  }
  memcpy(r->drawn_x, r->x + at, taken * sizeof(double));
  memcpy(r->drawn_y, r->y + at, taken * sizeof(double));
  take_medians(r, r->levels, taken);
  if (r->median_y[r->levels] > log(floor)) {
    r->fewest = r->levels == 0 || taken < r->fewest ? taken : r->fewest;
    r->first[++r->levels] = at + taken;
  }
}

/* q: the median of the slopes of all pairs of levels; log C: that of y - q x. NaN if all h are the same. */
static line through_medians(runs *r)
{
  line fit;
  size_t count = 0;
  for (size_t i = 0; i < r->levels; i++) {
    for (size_t j = i + 1; j < r->levels; j++) {
      const double across = r->median_x[j] - r->median_x[i];
      if (across != 0) {
        r->slopes[count++] = (r->median_y[j] - r->median_y[i]) / across;
      }
    }
  }
  fit.order = count > 0 ? gsl_stats_median(r->slopes, 1, count) : NAN;
  for (size_t i = 0; i < r->levels; i++) {
    r->slopes[i] = r->median_y[i] - fit.order * r->median_x[i];
  }
  fit.log_constant = gsl_stats_median(r->slopes, 1, r->levels);
  return fit;
}

/* The line of runs resampled with replacement within their levels. */
static line draw(runs *r, gsl_rng *rng)
{
  for (size_t level = 0; level < r->levels; level++) {
    const size_t count = r->first[level + 1] - r->first[level];
    for (size_t i = 0; i < count; i++) {
      const size_t from = r->first[level] + gsl_rng_uniform_int(rng, count);
      r->drawn_x[i] = r->x[from];
      r->drawn_y[i] = r->y[from];
    }
    take_medians(r, level, count);
  }
  return through_medians(r);
}

static dls_status bootstrap(runs *r, dls_median_fit *out, dls_error *err)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  if (rng == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the generator of random numbers");
  }
  gsl_rng_set(rng, seed);
  for (size_t i = 0; i < DRAWS; i++) {
    const line drawn = draw(r, rng);
    r->orders[i] = drawn.order;
    r->constants[i] = drawn.log_constant;
  }
  gsl_rng_free(rng);
  const double runs_of_level = (double)r->fewest;
  const double spread = r->fewest >= FEWEST_CORRECTED ? sqrt((runs_of_level - 1) / runs_of_level) : 1;
  const double factor = two_sided_95 * spread;
  const double of_order = gsl_stats_variance(r->orders, 1, DRAWS);
  const double of_constant = gsl_stats_variance(r->constants, 1, DRAWS);
  const double of_both = gsl_stats_covariance(r->orders, 1, r->constants, 1, DRAWS);
  /* var(log C + q x) = var(log C) + 2 x cov + x^2 var(q), least at x = -cov/var(q) */
  const double centre = of_order > 0 ? -of_both / of_order : 0;
  out->half_order = factor * sqrt(of_order);
  out->half_centre = factor * sqrt(fmax(of_constant + centre * of_both, 0));
  out->centre = exp(centre);
  out->ci_low = out->order - out->half_order;
  out->ci_high = out->order + out->half_order;
  return DLS_OK;
}

static dls_status fit(runs *r, dls_median_fit *out, dls_error *err)
{
  const line found = r->levels > 0 ? through_medians(r) : (line){NAN, NAN};
  out->levels = r->levels;
  if (!isfinite(found.order)) {
    return dls_fail(err, DLS_ERR_ARG, "a fit needs medians above the floor at 2 different h; there are %zu",
                    r->levels);
  }
  out->order = found.order;
  out->constant = exp(found.log_constant);
  return r->fewest >= FEWEST_RUNS ? bootstrap(r, out, err) : DLS_OK;
}

dls_status dls_fit_medians(size_t count, const double *h, const double *error, const size_t *level,
                           double floor, dls_median_fit *out, dls_error *err)
{
  *out = dls_median_fit_none();
  size_t levels = 0;
  for (size_t i = 0; i < count; i++) {
    levels = level[i] >= levels ? level[i] + 1 : levels;
  }
  runs r;
  dls_status status = create(count, levels, &r, err);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t i = 0; i < levels; i++) {
    take_level(count, h, error, level, i, fmax(floor, 0), &r);
  }
  status = fit(&r, out, err);
  free(r.first);
  free(r.block);
  return status;
}

dls_median_fit dls_median_fit_none(void)
{
  return (dls_median_fit){NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0};
}

double dls_median_band(const dls_median_fit *fit, double h)
{
  return exp(hypot(fit->half_centre, fit->half_order * log(h / fit->centre)));
}
