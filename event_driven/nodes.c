/* event_driven/nodes.c -- how dense the nodes inside a step have to be, so that cubic Hermite interpolation between them is
 * as accurate as tol.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/tracker.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_PIECES = 10000 }; /* nodes inside one step */

/* Round-off of the interpolants, relative to the largest of their terms: nodes cannot make it less. */
static const double interpolation_noise = 64 * DBL_EPSILON;

/* Largest distance of the cubic through both ends of h to the engine's interpolant in its middle, over what is allowed
 * there: tol, and round-off. @param[in] limit  of positions and of velocities */
static double cubic_error(dls_tracker *tr, double h, const double *limit)
{
  const size_t n = tr->n;
  const dls_end *left = &tr->left;
  double *end = tr->y;
  double *slope = tr->dy;
  double *noise = tr->dense_noise;
  double worst = 0;
  dls_engine_interpolate(tr->engine, left->t + h, 0, end);
  dls_engine_interpolate(tr->engine, left->t + h, 1, slope);
  for (size_t i = 0; i < 2 * n; i++) { /* Hermite value in the middle */
    noise[i] =
        interpolation_noise * (fabs(left->y[i]) + fabs(end[i]) + h * (fabs(left->dy[i]) + fabs(slope[i])));
    end[i] = 0.5 * (left->y[i] + end[i]) + 0.125 * h * (left->dy[i] - slope[i]);
  }
  dls_engine_interpolate(tr->engine, left->t + 0.5 * h, 0, slope);
  for (size_t i = 0; i < 2 * n; i++) {
    worst = fmax(worst, fabs(end[i] - slope[i]) / (limit[i / n] + noise[i]));
  }
  return worst;
}

/* Add to x half of the gap at t, and h/8 of its velocity: both ends make the Hermite value in the middle. */
static void add_gap_end(dls_tracker *tr, double t, double h, double *x)
{
  dls_engine_interpolate(tr->engine, t, 0, tr->y);
  dls_place_contacts(tr->stage.place, t, tr->y);
  dls_place_gap(tr->stage.place, tr->g);
  dls_tracker_gap_velocity(tr, t, tr->y, tr->y + tr->n);
  for (size_t j = 0; j < tr->m; j++) {
    x[j] += 0.5 * tr->g[j] + 0.125 * h * tr->u[j];
  }
}

/* The same for gaps that move by themselves, over what is allowed there. */
static double cubic_gap_error(dls_tracker *tr, double h, double limit)
{
  const double t = tr->left.t;
  double *middle = tr->x;
  double worst = 0;
  memset(middle, 0, tr->m * sizeof *middle);
  add_gap_end(tr, t, h, middle);
  add_gap_end(tr, t + h, -h, middle);
  dls_engine_interpolate(tr->engine, t + 0.5 * h, 0, tr->y);
  dls_system_gap(tr->sys, t + 0.5 * h, tr->y, tr->g);
  for (size_t j = 0; j < tr->m; j++) {
    const double noise =
        8 * dls_tracker_gap_noise(tr, j, t + 0.5 * h, tr->y) + interpolation_noise * fabs(tr->g[j]);
    worst = fmax(worst, fabs(tr->g[j] - middle[j]) / (limit + noise));
  }
  return worst;
}

/* Does anybody look between the ends of a step? */
static bool looked_at(const dls_sim *sim)
{
  return (sim->record != NULL && !sim->record->skip_nodes) || (sim->spec != NULL && sim->spec->watch != NULL);
}

void dls_tracker_plan_nodes(dls_tracker *tr)
{
  tr->spacing = HUGE_VAL;
  if (!looked_at(tr->sim)) {
    return;
  }
  const double h = fmin(tr->hit.t, tr->right.t) - tr->left.t;
  const double limit[2] = {tr->eps.tol * tr->sys->length, tr->eps.tol * tr->sys->length / tr->sys->time};
  double worst = cubic_error(tr, h, limit);
  if (dls_system_gap_moves(tr->sys)) {
    worst = fmax(worst, cubic_gap_error(tr, h, limit[0]));
  }
  const double pieces = fmin(ceil(sqrt(sqrt(worst))), MAX_PIECES); /* the error falls like spacing^4 */
  if (pieces > 1) {
    tr->spacing = h / pieces;
  }
}
