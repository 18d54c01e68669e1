/* experiments/measures/order/order_steps.c -- randomised steps, so that events do not fall on the grid.
 *
 * Event times such as 1, 2, 2.5 of the ball lie on every grid of step 2^-n or 1/N; a scheme is then far better than elsewhere,
 * or depends on ties. The constant of an error C h^q depends on the phase of the grid at the events: only the median over many
 * steps shows the trend.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/order_steps.h"
#include <gsl/gsl_rng.h>
#include <math.h>

static const double spread = 1.25;    /* below the square root of 2, so that levels of ratio 2 do not mix */
static const double clearance = 0.02; /* in steps; leaves 2 of 3 draws with 10 events */
enum {
  EVENTS_CHECKED = 10,
  MAX_DRAWS = 1000 /* if none is clear (an event nearer to 0 than any grid line can be), the best one is kept */
};

static double mean_of(double first, double last, size_t levels, size_t level)
{
  if (level + 1 == levels) {
    return last; /* as given, without rounding */
  }
  return first * pow(last / first, (double)level / (double)(levels - 1));
}

double dls_order_mean_step(const dls_order_spec *spec, size_t level)
{
  return mean_of(spec->h_first, spec->h_last, spec->levels, level);
}

double dls_order_clearance(double h, size_t count, const double *events)
{
  double least = 0.5;
  for (size_t i = 0; i < count && i < EVENTS_CHECKED; i++) {
    least = fmin(least, fabs(events[i] / h - round(events[i] / h)));
  }
  return least;
}

static double factor(gsl_rng *rng)
{
  return pow(spread, 2 * gsl_rng_uniform_pos(rng) - 1);
}

static double draw(gsl_rng *rng, const dls_order_spec *spec, size_t level, size_t count, const double *events)
{
  const double mean = dls_order_mean_step(spec, level);
  double best = mean;
  double best_clearance = -1;
  for (int i = 0; i < MAX_DRAWS && best_clearance <= clearance; i++) {
    const double h = fmin(mean * factor(rng), spec->end);
    const double clear = dls_order_clearance(h, count, events);
    if (clear > best_clearance) {
      best = h;
      best_clearance = clear;
    }
  }
  return best;
}

static dls_status start_generator(const dls_order_spec *spec, gsl_rng **out, dls_error *err)
{
  *out = gsl_rng_alloc(gsl_rng_mt19937);
  if (*out == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a random number generator");
  }
  gsl_rng_set(*out, spec->seed);
  return DLS_OK;
}

dls_status dls_order_steps(const dls_order_spec *spec, size_t count, const double *events, double *steps,
                           dls_error *err)
{
  gsl_rng *rng = NULL;
  const dls_status status = start_generator(spec, &rng, err);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t level = 0; level < spec->levels; level++) {
    for (size_t repeat = 0; repeat < spec->repeats; repeat++) {
      steps[level * spec->repeats + repeat] =
          spec->repeats == 1 ? dls_order_mean_step(spec, level) : draw(rng, spec, level, count, events);
    }
  }
  gsl_rng_free(rng);
  return DLS_OK;
}

dls_status dls_order_tolerances(const dls_order_spec *spec, double *tolerances, dls_error *err)
{
  gsl_rng *rng = NULL;
  const dls_status status = start_generator(spec, &rng, err);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t level = 0; level < spec->tol_levels; level++) {
    const double mean = mean_of(spec->tol_first, spec->tol_last, spec->tol_levels, level);
    for (size_t repeat = 0; repeat < spec->repeats; repeat++) {
      tolerances[level * spec->repeats + repeat] = spec->repeats == 1 ? mean : mean * factor(rng);
    }
  }
  gsl_rng_free(rng);
  return DLS_OK;
}
