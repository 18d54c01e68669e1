/* experiments/order_steps.c -- randomised steps, so that events do not fall on the grid.
 *
 * Event times such as 1, 2, 2.5 of the ball lie on every grid of step 2^-n or 1/N; a scheme is then far
 * better than anywhere else, or decides by ties. And the constant of an error C h^q depends on the phase
 * of the grid at the events: only the median over many steps shows the trend.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/order_steps.h"
#include <gsl/gsl_rng.h>
#include <math.h>

static const double spread = 1.25;    /* below the square root of 2, so that levels of ratio 2 do not mix */
static const double clearance = 0.02; /* in steps; leaves 2 of 3 draws with 10 events */
enum {
  EVENTS_CHECKED = 10,
  MAX_DRAWS = 1000 /* if none is clear (an event nearer to 0 than any grid line can be), the best one is kept */
};

double dls_order_mean_step(const dls_order_spec *spec, size_t level)
{
  if (level + 1 == spec->levels) {
    return spec->h_last; /* as given, without rounding */
  }
  return spec->h_first * pow(spec->h_last / spec->h_first, (double)level / (double)(spec->levels - 1));
}

double dls_order_clearance(double h, size_t count, const double *events)
{
  double least = 0.5;
  for (size_t i = 0; i < count && i < EVENTS_CHECKED; i++) {
    least = fmin(least, fabs(events[i] / h - round(events[i] / h)));
  }
  return least;
}

static double draw(gsl_rng *rng, const dls_order_spec *spec, size_t level, size_t count, const double *events)
{
  const double mean = dls_order_mean_step(spec, level);
  double best = mean;
  double best_clearance = -1;
  for (int i = 0; i < MAX_DRAWS && best_clearance <= clearance; i++) {
    const double h = fmin(mean * pow(spread, 2 * gsl_rng_uniform_pos(rng) - 1), spec->end);
    const double clear = dls_order_clearance(h, count, events);
    if (clear > best_clearance) {
      best = h;
      best_clearance = clear;
    }
  }
  return best;
}

dls_status dls_order_steps(const dls_order_spec *spec, size_t count, const double *events, double *steps,
                           dls_error *err)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  if (rng == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a random number generator");
  }
  gsl_rng_set(rng, spec->seed);
  for (size_t level = 0; level < spec->levels; level++) {
    for (size_t repeat = 0; repeat < spec->repeats; repeat++) {
      steps[level * spec->repeats + repeat] =
          spec->repeats == 1 ? dls_order_mean_step(spec, level) : draw(rng, spec, level, count, events);
    }
  }
  gsl_rng_free(rng);
  return DLS_OK;
}
