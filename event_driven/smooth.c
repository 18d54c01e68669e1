/* event_driven/smooth.c -- the smooth dynamics between events, with the index set Is fixed:
 *   M a = F + H lambda,   Gamma_alpha = H_alpha^T a + (dH_alpha^T/dt) v = 0 on Is,   lambda_alpha = 0 elsewhere
 * by lambda = -W^-1 (H^T M^-1 F + (dH^T/dt) v) on Is, W = H^T M^-1 H; and the projections onto g = 0 and u = 0.
 * Source: Acary, lecture, eqs. (23), (29); with the sign of (dH^T/dt) v in (23) corrected.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/tracker.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* The impulse of lasting contacts is integrated this much less accurately than v: it only has to show the shape
 * of the contact forces; their zeros are found with the forces themselves. */
static const double impulse_slack = 1e3;

/* Round-off of a position in a step, relative: no more can be asked for far from the origin. */
static const double position_noise = 16 * DBL_EPSILON;

enum { MAX_PROJECTIONS = 6 }; /* Newton converges quadratically from gaps of 1e-10 */

dls_status dls_tracker_geometry(dls_tracker *tr, const double *q, dls_error *err)
{
  if (!tr->place.mass_varies && !tr->place.gradient_varies) {
    return DLS_OK;
  }
  dls_place_at(&tr->place, tr->place.t, q);
  if (tr->W != NULL) {
    dls_delassus_reset(tr->W);
  }
  if (!tr->place.mass_varies) {
    return DLS_OK;
  }
  const size_t before = dls_factor_made(tr->mass);
  dls_factor_touch(tr->mass);
  const dls_status status = dls_factor_sum(tr->mass, (const double[]){1}, err);
  tr->sim->work.factorizations += dls_factor_made(tr->mass) - before;
  return status;
}

void dls_tracker_gap_velocity(dls_tracker *tr, double t, const double *q, const double *v)
{
  if (tr->m > 0) {
    dls_system_gap_rate(tr->sys, t, q, tr->rate);
    memcpy(tr->u, tr->rate, tr->m * sizeof *tr->u);
    dls_matrix_multiply_transposed(tr->place.normals, 1, v, tr->u);
  }
}

void dls_tracker_weigh(dls_tracker *tr, size_t j)
{
  double *column = tr->a;
  double size = 0;
  memset(column, 0, tr->n * sizeof *column);
  dls_matrix_column_add(tr->place.normals, j, 1, column);
  for (size_t i = 0; i < tr->n; i++) {
    size += fabs(column[i]);
  }
  dls_factor_solve(tr->mass, column);
  const double weight = dls_matrix_column_dot(tr->place.normals, j, column);
  tr->contact[j].size = size;
  tr->contact[j].weight = weight > 0 ? weight : 1; /* the gradient may vanish where the contact is open */
}

/* The acceleration without contact forces is in a: add those that keep Gamma = 0 on Is. */
static dls_status add_reactions(dls_tracker *tr, double *a, double *lambda, dls_error *err)
{
  /* The second pass removes the round-off of the first, so that a resting contact has Gamma = 0 exactly. */
  for (int pass = 0; pass < 2; pass++) {
    for (size_t k = 0; k < tr->count; k++) {
      const size_t j = tr->active[k];
      tr->b[k] = dls_matrix_column_dot(tr->place.normals, j, a) + tr->curvature[j];
    }
    const dls_status status = dls_delassus_solve_bilateral(tr->W, tr->count, tr->active, tr->b, tr->x, err);
    if (status != DLS_OK) {
      return status;
    }
    dls_delassus_apply(tr->W, tr->count, tr->active, 1, tr->x, a);
    for (size_t k = 0; k < tr->count; k++) {
      lambda[tr->active[k]] += tr->x[k];
    }
  }
  return DLS_OK;
}

dls_status dls_tracker_smooth(dls_tracker *tr, double t, const double *q, const double *v, double *a,
                              double *lambda, dls_error *err)
{
  const dls_status status = dls_tracker_geometry(tr, q, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_sim_force(tr->sim, t, q, v, a);
  dls_factor_solve(tr->mass, a);
  for (size_t j = 0; j < tr->m; j++) {
    lambda[j] = 0;
  }
  if (tr->count == 0) {
    return DLS_OK;
  }
  dls_system_curvature(tr->sys, t, q, v, tr->curvature);
  return add_reactions(tr, a, lambda, err);
}

void dls_tracker_free_gamma(dls_tracker *tr, double t, const double *q, const double *v, size_t count,
                            const size_t *set, double *b)
{
  dls_sim_force(tr->sim, t, q, v, tr->a);
  dls_factor_solve(tr->mass, tr->a);
  dls_system_curvature(tr->sys, t, q, v, tr->curvature);
  for (size_t k = 0; k < count; k++) {
    b[k] = dls_matrix_column_dot(tr->place.normals, set[k], tr->a) + tr->curvature[set[k]];
  }
}

dls_status dls_tracker_project_gap(dls_tracker *tr, double t, size_t count, const size_t *set, double *q,
                                   dls_error *err)
{
  double last = HUGE_VAL;
  dls_status status = dls_tracker_geometry(tr, q, err);
  for (int i = 0; i < MAX_PROJECTIONS && status == DLS_OK && count > 0; i++) {
    double worst = 0;
    dls_system_gap(tr->sys, t, q, tr->g);
    for (size_t k = 0; k < count; k++) {
      tr->b[k] = tr->g[set[k]];
      worst = fmax(worst, fabs(tr->b[k]));
    }
    if (worst == 0 || !(worst < 0.5 * last)) { /* round-off reached */
      break;
    }
    last = worst;
    status = dls_delassus_solve_bilateral(tr->W, count, set, tr->b, tr->x, err);
    if (status == DLS_OK) {
      dls_delassus_apply(tr->W, count, set, 1, tr->x, q);
      status = dls_tracker_geometry(tr, q, err);
    }
  }
  return status;
}

dls_status dls_tracker_project_velocity(dls_tracker *tr, size_t count, const size_t *set, double *v,
                                        double *impulse, dls_error *err)
{
  dls_status status = DLS_OK;
  for (int pass = 0; pass < 2 && status == DLS_OK && count > 0; pass++) {
    for (size_t k = 0; k < count; k++) {
      tr->b[k] = tr->rate[set[k]] + dls_matrix_column_dot(tr->place.normals, set[k], v);
    }
    status = dls_delassus_solve_bilateral(tr->W, count, set, tr->b, tr->x, err);
    if (status == DLS_OK) {
      dls_delassus_apply(tr->W, count, set, 1, tr->x, v);
    }
    for (size_t k = 0; k < count && impulse != NULL; k++) {
      impulse[k] = tr->x[k] + (pass > 0 ? impulse[k] : 0);
    }
  }
  return status;
}

static double *impulse_part(const dls_tracker *tr, double *y)
{
  return y + 2 * tr->n;
}

int dls_tracker_rhs(void *data, double t, const double *y, double *dy)
{
  dls_tracker *tr = data;
  const double *v = y + tr->n;
  memcpy(dy, v, tr->n * sizeof *dy);
  double *force = impulse_part(tr, dy);
  tr->failure = dls_tracker_smooth(tr, t, y, v, dy + tr->n, force, &tr->why);
  double zero = 0; /* 0 * x is 0 for finite x, else NaN */
  for (size_t j = 0; j < tr->m; j++) {
    force[j] *= tr->contact[j].weight;
    zero += 0 * force[j];
  }
  for (size_t i = tr->n; i < 2 * tr->n; i++) {
    zero += 0 * dy[i];
  }
  if (tr->failure == DLS_OK && zero != 0) {
    tr->failure = dls_fail(&tr->why, DLS_ERR_NONFINITE, "the acceleration is not finite at t = %.17g", t);
    return 1;
  }
  return tr->failure != DLS_OK ? -1 : 0;
}

void dls_tracker_weights(void *data, const double *y, double *w)
{
  const dls_tracker *tr = data;
  const size_t n = tr->n;
  const double length = tr->sys->length;
  const double time = tr->sys->time;
  const double atol_q = tr->scale * tr->eps.atol_q;
  const double atol_v = tr->scale * tr->eps.atol_v;
  for (size_t i = 0; i < n; i++) {
    const double q = fmin(fabs(y[i]), length); /* where the origin lies must not matter */
    const double v = fabs(y[n + i]);
    w[i] = 1 / (tr->eps.rtol * (q + time * v) + atol_q + position_noise * fabs(y[i]));
    w[n + i] = 1 / (tr->eps.rtol * (v + q / time) + atol_v);
  }
  for (size_t j = 2 * n; j < tr->size; j++) {
    w[j] = 1 / (impulse_slack * tr->eps.atol_v);
  }
}

dls_status dls_tracker_blame(const dls_tracker *tr, dls_status status, dls_error *err)
{
  if (status == DLS_ERR_INTEGRATOR && tr->failure != DLS_OK) {
    return dls_sim_fail(tr->sim, err, tr->failure, "%s", tr->why.text);
  }
  return status;
}
