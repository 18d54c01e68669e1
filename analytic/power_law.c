/* analytic/power_law.c -- does |e| = C h^q hold? A fitted line judged by the medians of the levels.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/fit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* A line that changes by less than flat_change over h_max/h_min >= flat_range has no slope worth a name. */
static const double flat_change = 1.5, flat_range = 4;
/* Least part of the variance of log(median error) that the slope explains. */
static const double explained_least = 0.9;
/* The halves of a power law differ by their intervals and no more than this factor. */
static const double bend_most = 1.5;
/* The medians that the judgement uses, offset = log(error/h^q). */
typedef struct medians {
  size_t count;
  double *log_error, *offset;
} medians;

static bool usable(double h, double error)
{
  return h > 0 && isfinite(h) && error > 0 && isfinite(error);
}

static void gather(const dls_fit *fit, size_t count, const double *h, const double *error, medians *m)
{
  for (size_t i = 0; i < count; i++) {
    if (usable(h[i], error[i]) && h[i] >= fit->h_min && h[i] <= fit->h_max) {
      m->log_error[m->count] = log(error[i]);
      m->offset[m->count++] = log(error[i]) - fit->order * log(h[i]);
    }
  }
}

static bool is_flat(const dls_fit *fit)
{
  const double range = fit->h_max / fit->h_min;
  return range >= flat_range && fabs(fit->order) * log(range) < log(flat_change);
}

static bool is_scattered(const medians *m)
{
  return m->count > 2 && gsl_stats_tss(m->offset, 1, m->count) >
                             (1 - explained_least) * gsl_stats_tss(m->log_error, 1, m->count);
}

/* The nearest ends of the two intervals, as far as these do not meet. */
static bool is_bent(const dls_fit *fit)
{
  const bool coarse_above = fit->order_coarse > fit->order_fine;
  const double upper = coarse_above ? fit->order_coarse - fit->half_coarse : fit->order_fine - fit->half_fine;
  const double lower = coarse_above ? fit->order_fine + fit->half_fine : fit->order_coarse + fit->half_coarse;
  if (!(upper > lower)) { /* NaN: too few points for halves */
    return false;
  }
  return upper * lower <= 0 || fmax(fabs(upper), fabs(lower)) > bend_most * fmin(fabs(upper), fabs(lower));
}

/* A half has an order, and the other one has not: also where the whole line has no slope. */
static bool turns(const dls_fit *fit)
{
  return is_bent(fit) && fmax(fabs(fit->order_coarse), fabs(fit->order_fine)) >= DLS_LEAST_ORDER;
}

static double median_of(double *values, size_t count)
{
  gsl_sort(values, 1, count);
  return count > 0 ? gsl_stats_median_from_sorted_data(values, 1, count) : NAN;
}

static void judge(const dls_fit *fit, const medians *m, dls_power_law_check *out)
{
  out->levels = m->count;
  out->verdict = turns(fit)                               ? DLS_POWER_LAW_BENT
                 : is_flat(fit)                           ? DLS_POWER_LAW_FLAT
                 : !(fit->ci_low > 0 || fit->ci_high < 0) ? DLS_POWER_LAW_UNSURE
                 : is_bent(fit)                           ? DLS_POWER_LAW_BENT
                 : is_scattered(m)                        ? DLS_POWER_LAW_SCATTERS
                                                          : DLS_POWER_LAW_HOLDS;
  const double middle = median_of(m->offset, m->count); /* sorted now */
  const double least = m->count > 0 ? m->offset[0] : NAN, most = m->count > 0 ? m->offset[m->count - 1] : NAN;
  out->factor = exp(fmax(most - middle, middle - least));
  out->typical = exp(median_of(m->log_error, m->count));
}

dls_status dls_fit_judge(const dls_fit *fit, size_t count, const double *h, const double *error,
                         dls_power_law_check *out, dls_error *err)
{
  medians m = {.log_error = malloc((2 * count + 2) * sizeof *m.log_error)};
  *out = (dls_power_law_check){0};
  if (m.log_error == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu medians", count);
  }
  m.offset = m.log_error + count + 1;
  gather(fit, count, h, error, &m);
  judge(fit, &m, out);
  free(m.log_error);
  return DLS_OK;
}
