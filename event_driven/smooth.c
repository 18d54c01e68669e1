/* event_driven/smooth.c -- the smooth dynamics between events, with the index set Is fixed:
 *   M a = F + H lambda,   Gamma_alpha = H_alpha^T a + (dH_alpha^T/dt) v = 0 on Is,   lambda_alpha = 0 elsewhere
 * by lambda = -W^-1 (H^T M^-1 F + (dH^T/dt) v) on Is, W = H^T M^-1 H; and the weights of the error control.
 * Source: Acary, lecture, eqs. (23), (29); with the sign of (dH^T/dt) v in (23) corrected.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"
#include "event_driven/event_integrator.h"
#include <float.h>
#include <math.h>
#include <string.h>

static bool is_remembered(const dls_event_method *method, const dls_event_work *work, double t, const double *q,
                          const double *v)
{
  const dls_memo *memo = &work->memo;
  const size_t bytes = method->n * sizeof *q;
  return memo->valid && t == memo->t && memcmp(q, memo->q, bytes) == 0 && memcmp(v, memo->v, bytes) == 0;
}

static void remember(const dls_event_method *method, dls_event_work *work, double t, const double *q,
                     const double *v, const double *a, const double *lambda)
{
  dls_memo *memo = &work->memo;
  const size_t bytes = method->n * sizeof *q;
  memo->valid = true;
  memo->t = t;
  memcpy(memo->q, q, bytes);
  memcpy(memo->v, v, bytes);
  memcpy(memo->a, a, bytes);
  memcpy(memo->lambda, lambda, method->d * method->m * sizeof *lambda);
}

/* Return what was evaluated last. */
static void recall(dls_event_integrator *run, const double *v, double *a, double *lambda)
{
  memcpy(a, run->work.memo.a, run->method.n * sizeof *a);
  memcpy(lambda, run->work.memo.lambda, run->method.d * run->method.m * sizeof *lambda);
  if (run->state.active.count > 0) {
    dls_configuration_curvature(run->work.contacts.config, v, run->work.contacts.curvature);
  }
}

/* The forces of the closed contacts, added to a. */
static dls_status react(dls_event_integrator *run, double t, const double *q, const double *v, double *a,
                        double *lambda, dls_error *err)
{
  dls_event_work *work = &run->work;
  if (run->state.active.count == 0) {
    memset(lambda, 0, run->method.d * run->method.m * sizeof *lambda);
    return DLS_OK;
  }
  const dls_status status =
      work->solver == NULL ? dls_contact_system_reaction(&work->contacts, &run->state.active, v, a, lambda, err)
      : dls_slow_slip_any(&run->method, &run->state)
          ? dls_slow_slip_reaction(run, t, q, v, a, lambda, err)
          : dls_mode_solver_reaction(work->solver, &run->state.active, run->state.mode,
                                     dls_slip_reaction_split(&run->state), v, a, lambda, err);
  const size_t redundant =
      work->solver != NULL ? dls_mode_solver_redundant(work->solver) : dls_delassus_redundant(work->contacts.W);
  dls_geometry_count_redundant(run->sim, status == DLS_OK ? redundant : 0);
  return status;
}

dls_status dls_smooth_dynamics(dls_event_integrator *run, double t, const double *q, const double *v, double *a,
                               double *lambda, dls_error *err)
{
  dls_status status = dls_geometry_set(&run->state, &run->work, t, q, err);
  if (status != DLS_OK) {
    return status;
  }
  if (is_remembered(&run->method, &run->work, t, q, v)) {
    recall(run, v, a, lambda);
    return DLS_OK;
  }
  if (run->work.solver != NULL) {
    dls_slip_directions(run, v);
  }
  dls_geometry_free_acceleration(run, t, q, v, a); /* (23) M^-1 F */
  run->work.memo.valid = false;
  status = react(run, t, q, v, a, lambda, err); /* (23), (29): lambda, and a + M^-1 H lambda */
  if (status == DLS_OK) {
    remember(&run->method, &run->work, t, q, v, a, lambda);
  }
  return status;
}

static double *impulse_part(const dls_event_method *method, double *y)
{
  return y + 2 * method->n;
}

int dls_smooth_rhs(void *data, double t, const double *y, double *dy)
{
  dls_event_integrator *run = data;
  const double *v = y + run->method.n;
  memcpy(dy, v, run->method.n * sizeof *dy); /* q' = v */
  double *force = impulse_part(&run->method, dy);
  run->state.failure = dls_smooth_dynamics(run, t, y, v, dy + run->method.n, force,
                                           &run->state.why); /* (23), (29): v' = a, lambda */
  double zero = 0;                                           /* 0 * x is 0 for finite x, else NaN */
  for (size_t row = 0; row < run->method.d * run->method.m; row++) {
    force[row] *= run->state.contact[row / run->method.d].weight;
    zero += 0 * force[row];
  }
  for (size_t i = run->method.n; i < 2 * run->method.n; i++) {
    zero += 0 * dy[i];
  }
  if (run->state.failure == DLS_OK && zero != 0) {
    run->state.failure =
        dls_fail(&run->state.why, DLS_ERR_NONFINITE, "the acceleration is not finite at t = %.17g", t);
    return 1;
  }
  return run->state.failure == DLS_OK ? 0 : run->state.failure == DLS_ERR_NOCONV ? 1 : -1;
}

/* The heights of low flights shrink, but not the positions to which tolerances are relative where the gap is 0 at q != 0. For a sphere on
 * its way to rest, tol 1e-6 to 1e-10, least_scale = 1e-3 makes the error of the end 8 to 35 times smaller for 2 to 12 % more steps; a
 * smaller value gains at most a factor of 2. */
static double relative_tolerance(const dls_event_method *method, const dls_event_state *state)
{
  return fmax(fmax(state->scale, threshold_least_scale) * method->eps.rtol, method->eps.least_rtol);
}

/* Error of coordinate i that the integrator may make in a step. */
static double position_tolerance(const dls_event_integrator *run, size_t i, double q, double v)
{
  const double scale = run->work.scale[i];
  const double near = fmin(fabs(q), scale); /* the choice of the origin must not matter */
  return relative_tolerance(&run->method, &run->state) * (near + run->method.sys->time * fabs(v)) +
         run->state.scale * (run->method.eps.rtol * scale) + threshold_position_rounding * fabs(q);
}

bool dls_smooth_drop_impulse_control(dls_event_state *state, dls_sim *sim)
{
  if (state->uncontrolled || state->active.count == 0) {
    return false;
  }
  if (!state->was_uncontrolled && sim->record != NULL) {
    dls_trajectory_note(
        sim->record, NULL, "impulses_uncontrolled",
        "from t = %.17g s integrals of contact forces did not limit the step, because steps failed with "
        "them; tol still applies to q and v",
        state->left.t);
  }
  state->uncontrolled = state->was_uncontrolled = true;
  return true;
}

/* Error of the integral x of a contact force, as a velocity, that a step may make [m/s]. */
static double impulse_tolerance(const dls_event_method *method, const dls_event_state *state, double x)
{
  return state->uncontrolled
             ? fmax(fabs(x), method->sys->length / method->sys->time)
             : fmax(threshold_impulse_slack * method->eps.atol_v, threshold_position_rounding * fabs(x));
}

void dls_smooth_weights(void *data, const double *y, double *w)
{
  const dls_event_integrator *run = data;
  const size_t n = run->method.n;
  const double slack = run->method.eps.slack;
  const double rtol = relative_tolerance(&run->method, &run->state);
  for (size_t i = 0; i < n; i++) {
    const double q = fmin(fabs(y[i]), run->work.scale[i]),
                 atol_v = run->state.scale * dls_absolute_tolerance_v(run, i);
    w[i] = 1 / (slack * position_tolerance(run, i, y[i], y[n + i]));
    w[n + i] = 1 / (slack * (rtol * (fabs(y[n + i]) + q / run->method.sys->time) + atol_v));
  }
  for (size_t j = 2 * n; j < run->method.size; j++) {
    w[j] = 1 / (slack * impulse_tolerance(&run->method, &run->state, y[j]));
  }
}

double dls_smooth_gap_tolerance(const dls_event_integrator *run, size_t j, const double *q, const double *v)
{
  const dls_column h = dls_matrix_column(run->work.contacts.config->normals, j);
  double most = 0;
  for (size_t k = 0; k < h.count; k++) {
    const size_t i = dls_column_row(&h, k);
    most += fabs(h.values[k]) * position_tolerance(run, i, q[i], v[i]);
  }
  return most;
}

dls_status dls_smooth_failure(const dls_event_state *state, const dls_sim *sim, dls_status status,
                              dls_error *err)
{
  if (status == DLS_ERR_INTEGRATOR && state->failure != DLS_OK) {
    return dls_sim_fail(sim, err, state->failure, "%s", state->why.text);
  }
  return status;
}
