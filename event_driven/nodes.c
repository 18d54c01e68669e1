/* event_driven/nodes.c -- how dense the nodes inside a step have to be, so that cubic Hermite interpolation between them is
 * as accurate as tol.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/cubic.h"
#include "event_driven/tracker.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_PIECES = 10000 }; /* nodes inside one step */

/* Round-off of the interpolants, relative to the largest of their terms: nodes cannot make it less. */
static const double interpolation_noise = 64 * DBL_EPSILON;

static const double least_spacing = 8; /* [round-off of t]: nodes that are closer do not advance */

/* Points of the interval between two nodes at which the error of a cubic is sampled; at a single point it may vanish. */
static const double samples[] = {0.5, 0.25};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

/* Round-off of t, which shifts both the nodes and the interpolant between them. */
static double time_noise(const dls_tracker *tr)
{
  return DBL_EPSILON * fabs(tr->right.t);
}

/* tr->peak := the largest values of q and v so far, or t_s times those of their slopes if these are larger. */
static void update_peaks(dls_tracker *tr)
{
  const dls_end *ends[] = {&tr->left, &tr->right};
  for (size_t e = 0; e < 2; e++) {
    for (size_t i = 0; i < 2 * tr->n; i++) {
      tr->peak[i] = fmax(tr->peak[i], fmax(fabs(ends[e]->y[i]), tr->sys->time * fabs(ends[e]->dy[i])));
    }
  }
}

/* Allowed interpolation error of column i of (q, v): tol times its scale, at most that of the system, and at least the error that the
 * integrator may make in a step. */
static double allowed(const dls_tracker *tr, size_t i)
{
  const double scale = i < tr->n ? tr->sys->length : tr->sys->length / tr->sys->time;
  return fmax(tr->eps.tol * fmin(scale, tr->peak[i]), tr->eps.rtol * scale);
}

/* Largest distance of the cubics through both ends of h from the engine's interpolant, relative to the allowed error and round-off. */
static double cubic_error(dls_tracker *tr, double h)
{
  const size_t n = tr->n;
  const dls_end *left = &tr->left;
  const double *end = tr->right.y, *slope = tr->right.dy;
  double *between = tr->dense_noise, worst = 0;
  if (left->t + h < tr->right.t) { /* up to an event */
    dls_engine_interpolate(tr->engine, left->t + h, 0, tr->y);
    dls_engine_interpolate(tr->engine, left->t + h, 1, tr->dy);
    end = tr->y;
    slope = tr->dy;
  }
  for (size_t k = 0; k < SAMPLES; k++) {
    dls_engine_interpolate(tr->engine, left->t + samples[k] * h, 0, between);
    for (size_t i = 0; i < 2 * n; i++) {
      const double noise =
          interpolation_noise * (fabs(left->y[i]) + fabs(end[i]) + h * (fabs(left->dy[i]) + fabs(slope[i])));
      const double late = time_noise(tr) * (fabs(left->dy[i]) + fabs(slope[i]));
      const double value = dls_cubic(samples[k], h, left->y[i], left->dy[i], end[i], slope[i]);
      worst = fmax(worst, fabs(value - between[i]) / fmax(allowed(tr, i) + noise, late));
    }
  }
  return worst;
}

/* Gaps and their velocities at t. */
static void look_at_gaps(dls_tracker *tr, double t, double *g, double *u)
{
  dls_engine_interpolate(tr->engine, t, 0, tr->y);
  t = dls_tracker_before_break(tr, t);
  dls_place_contacts(tr->stage.place, t, tr->y);
  dls_place_gap(tr->stage.place, g);
  dls_tracker_gap_velocity(tr, t, tr->y, tr->y + tr->n);
  memcpy(u, tr->u, tr->m * sizeof *u);
}

/* The same of the gaps over [t, t + h]; g and u, of the beginning, become those of the end. */
static double cubic_gap_error(dls_tracker *tr, double t, double h, double *g, double *u)
{
  const double limit = tr->eps.tol * tr->sys->length;
  double *end = tr->b, *rate = tr->curvature, worst = 0;
  look_at_gaps(tr, t + h, end, rate);
  for (size_t k = 0; k < SAMPLES; k++) {
    const double at = t + samples[k] * h;
    dls_engine_interpolate(tr->engine, at, 0, tr->y);
    dls_system_gap(tr->sys, at, tr->y, tr->g);
    for (size_t j = 0; j < tr->m; j++) {
      const double noise = 8 * dls_tracker_gap_noise(tr, j, at, tr->y) + interpolation_noise * fabs(tr->g[j]);
      const double late = time_noise(tr) * (fabs(u[j]) + fabs(rate[j]));
      worst = fmax(worst, fabs(tr->g[j] - dls_cubic(samples[k], h, g[j], u[j], end[j], rate[j])) /
                              fmax(limit + noise, late));
    }
  }
  memcpy(g, end, tr->m * sizeof *g);
  memcpy(u, rate, tr->m * sizeof *u);
  return worst;
}

/* The number of pieces with which the cubics of gaps are accurate in each piece. A gap may have several extrema in a step. */
static double gap_pieces(dls_tracker *tr, double h, double pieces)
{
  for (;;) {
    double *g = tr->node_g, *u = tr->node_u, worst = 0;
    look_at_gaps(tr, tr->left.t, g, u);
    for (double k = 0; k < pieces && !(worst > 1); k++) {
      worst = cubic_gap_error(tr, tr->left.t + k * h / pieces, h / pieces, g, u);
    }
    if (!(worst > 1) || pieces >= MAX_PIECES) {
      return pieces;
    }
    pieces = fmin(ceil(pieces * sqrt(sqrt(worst))), MAX_PIECES);
  }
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
  update_peaks(tr);
  double pieces = fmin(ceil(sqrt(sqrt(cubic_error(tr, h)))), MAX_PIECES); /* the error falls like spacing^4 */
  if (!tr->sys->linear || dls_system_gap_moves(tr->sys)) {
    pieces = gap_pieces(tr, h, fmax(pieces, 1));
  }
  if (pieces > 1) {
    tr->spacing = fmax(h / pieces, least_spacing * time_noise(tr));
  }
}
