/* event_driven/smooth.c -- the smooth dynamics between events, with the index set Is fixed:
 *   M a = F + H lambda,   Gamma_alpha = H_alpha^T a + (dH_alpha^T/dt) v = 0 on Is,   lambda_alpha = 0 elsewhere
 * by lambda = -W^-1 (H^T M^-1 F + (dH^T/dt) v) on Is, W = H^T M^-1 H; and the projections onto g = 0 and u = 0.
 * Source: Acary, lecture, eqs. (23), (29); with the sign of (dH^T/dt) v in (23) corrected.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/event_integrator.h"
#include <float.h>
#include <math.h>
#include <string.h>

static bool is_remembered(const dls_event_integrator *tr, double t, const double *q, const double *v)
{
  const dls_memo *memo = &tr->memo;
  const size_t bytes = tr->n * sizeof *q;
  return memo->valid && t == memo->t && memcmp(q, memo->q, bytes) == 0 && memcmp(v, memo->v, bytes) == 0;
}

static void remember(dls_event_integrator *tr, double t, const double *q, const double *v, const double *a,
                     const double *lambda)
{
  dls_memo *memo = &tr->memo;
  const size_t bytes = tr->n * sizeof *q;
  memo->valid = true;
  memo->t = t;
  memcpy(memo->q, q, bytes);
  memcpy(memo->v, v, bytes);
  memcpy(memo->a, a, bytes);
  memcpy(memo->lambda, lambda, tr->d * tr->m * sizeof *lambda);
}

/* The same as the last time. */
static void recall(dls_event_integrator *tr, const double *v, double *a, double *lambda)
{
  memcpy(a, tr->memo.a, tr->n * sizeof *a);
  memcpy(lambda, tr->memo.lambda, tr->d * tr->m * sizeof *lambda);
  if (tr->active.count > 0) {
    dls_configuration_curvature(tr->contacts.config, v, tr->contacts.curvature);
  }
}

/* The forces of the closed contacts, added to a. */
static dls_status react(dls_event_integrator *tr, double t, const double *q, const double *v, double *a,
                        double *lambda, dls_error *err)
{
  if (tr->active.count == 0) {
    memset(lambda, 0, tr->d * tr->m * sizeof *lambda);
    return DLS_OK;
  }
  const dls_status status =
      tr->solver == NULL      ? dls_contact_system_reaction(&tr->contacts, &tr->active, v, a, lambda, err)
      : dls_slow_slip_any(tr) ? dls_slow_slip_reaction(tr, t, q, v, a, lambda, err)
                              : dls_mode_solver_reaction(tr->solver, &tr->active, tr->mode,
                                                         dls_slip_reaction_split(tr), v, a, lambda, err);
  const size_t redundant =
      tr->solver != NULL ? dls_mode_solver_redundant(tr->solver) : dls_delassus_redundant(tr->contacts.W);
  dls_geometry_count_redundant(tr, status == DLS_OK ? redundant : 0);
  return status;
}

dls_status dls_smooth_dynamics(dls_event_integrator *tr, double t, const double *q, const double *v, double *a,
                               double *lambda, dls_error *err)
{
  dls_status status = dls_geometry_set(tr, t, q, err);
  if (status != DLS_OK) {
    return status;
  }
  if (is_remembered(tr, t, q, v)) {
    recall(tr, v, a, lambda);
    return DLS_OK;
  }
  if (tr->solver != NULL) {
    dls_slip_directions(tr, v);
  }
  dls_geometry_free_acceleration(tr, t, q, v, a);
  tr->memo.valid = false;
  status = react(tr, t, q, v, a, lambda, err);
  if (status == DLS_OK) {
    remember(tr, t, q, v, a, lambda);
  }
  return status;
}

static double *impulse_part(const dls_event_integrator *tr, double *y)
{
  return y + 2 * tr->n;
}

int dls_smooth_rhs(void *data, double t, const double *y, double *dy)
{
  dls_event_integrator *tr = data;
  const double *v = y + tr->n;
  memcpy(dy, v, tr->n * sizeof *dy);
  double *force = impulse_part(tr, dy);
  tr->failure = dls_smooth_dynamics(tr, t, y, v, dy + tr->n, force, &tr->why);
  double zero = 0; /* 0 * x is 0 for finite x, else NaN */
  for (size_t row = 0; row < tr->d * tr->m; row++) {
    force[row] *= tr->contact[row / tr->d].weight;
    zero += 0 * force[row];
  }
  for (size_t i = tr->n; i < 2 * tr->n; i++) {
    zero += 0 * dy[i];
  }
  if (tr->failure == DLS_OK && zero != 0) {
    tr->failure = dls_fail(&tr->why, DLS_ERR_NONFINITE, "the acceleration is not finite at t = %.17g", t);
    return 1;
  }
  return tr->failure == DLS_OK ? 0 : tr->failure == DLS_ERR_NOCONV ? 1 : -1;
}

static double relative_tolerance(const dls_event_integrator *tr)
{
  return fmax(fmax(tr->scale, threshold_least_scale) * tr->eps.rtol, tr->eps.least_rtol);
}

/* What the integrator may err by in a step. */
static double position_tolerance(const dls_event_integrator *tr, double q, double v)
{
  const double near = fmin(fabs(q), tr->sys->length); /* where the origin lies must not matter */
  return relative_tolerance(tr) * (near + tr->sys->time * fabs(v)) + tr->scale * tr->eps.atol_q +
         threshold_position_rounding * fabs(q);
}

bool dls_smooth_drop_impulse_control(dls_event_integrator *tr)
{
  if (tr->uncontrolled || tr->active.count == 0) {
    return false;
  }
  if (!tr->was_uncontrolled && tr->sim->record != NULL) {
    dls_trajectory_note(
        tr->sim->record, NULL, "impulses_uncontrolled",
        "from t = %.17g s integrals of contact forces did not limit the step, because steps failed with "
        "them; tol still applies to q and v",
        tr->left.t);
  }
  tr->uncontrolled = tr->was_uncontrolled = true;
  return true;
}

/* Tolerance of the integral x of a contact force, as a velocity, in a step. */
static double impulse_tolerance(const dls_event_integrator *tr, double x)
{
  return tr->uncontrolled
             ? fmax(fabs(x), tr->sys->length / tr->sys->time)
             : fmax(threshold_impulse_slack * tr->eps.atol_v, threshold_position_rounding * fabs(x));
}

void dls_smooth_weights(void *data, const double *y, double *w)
{
  const dls_event_integrator *tr = data;
  const size_t n = tr->n;
  const double slack = tr->eps.slack;
  const double rtol = relative_tolerance(tr), atol_v = tr->scale * tr->eps.atol_v;
  for (size_t i = 0; i < n; i++) {
    const double q = fmin(fabs(y[i]), tr->sys->length);
    w[i] = 1 / (slack * position_tolerance(tr, y[i], y[n + i]));
    w[n + i] = 1 / (slack * (rtol * (fabs(y[n + i]) + q / tr->sys->time) + atol_v));
  }
  for (size_t j = 2 * n; j < tr->size; j++) {
    w[j] = 1 / (slack * impulse_tolerance(tr, y[j]));
  }
}

double dls_smooth_gap_tolerance(const dls_event_integrator *tr, size_t j, const double *q, const double *v)
{
  double most = 0;
  for (size_t i = 0; i < tr->n; i++) {
    most += fabs(dls_matrix_get(tr->contacts.config->normals, i, j)) * position_tolerance(tr, q[i], v[i]);
  }
  return most;
}

dls_status dls_smooth_failure(const dls_event_integrator *tr, dls_status status, dls_error *err)
{
  if (status == DLS_ERR_INTEGRATOR && tr->failure != DLS_OK) {
    return dls_sim_fail(tr->sim, err, tr->failure, "%s", tr->why.text);
  }
  return status;
}
