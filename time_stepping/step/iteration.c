/* iteration.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/iteration.h"
#include "common/base/larger.h"
#include "common/linear/storage.h"
#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { ROUNDING_FIRST = 3 };               /* iterations in which increments are not taken for rounding */
static const double rounding_most = 1e-7;  /* in units of the velocity scale */
static const double rounding_ratio = 0.25; /* of one increment to the last */
/* Of a residual, relative to the sum of the magnitudes of its terms: some tens of terms, each computed by a few operations. */
static const double residual_rounding = 32 * DBL_EPSILON;

dls_factor *dls_iteration_matrix(const dls_configuration *config, const dls_sim *sim)
{
  return dls_factor_create((const dls_matrix *const[]){config->M, sim->C, sim->K}, 3);
}

void dls_iteration_linearise(dls_sim *sim, double t, const double *q, const double *v, dls_factor *A)
{
  const dls_system *sys = sim->sys;
  if (sys->stiffness != NULL) {
    sys->stiffness(sys, t, q, v, sim->K);
  }
  if (sys->damping != NULL) {
    sys->damping(sys, t, q, v, sim->C);
  }
  sim->work.jacobian_evals++;
  dls_factor_touch(A);
}

dls_status dls_iteration_factor(dls_sim *sim, dls_factor *A, const double *coefficients, dls_delassus *W,
                                dls_error *err)
{
  const size_t made = dls_factor_made(A);
  const dls_status status = dls_factor_sum(A, coefficients, err);
  const size_t more = dls_factor_made(A) - made;
  sim->work.factorizations += more;
  if (W != NULL && more > 0) {
    dls_delassus_reset(W);
  }
  return status;
}

double dls_iteration_change(size_t n, const double *x, const double *y)
{
  double largest = 0;
  for (size_t i = 0; i < n; i++) {
    largest = dls_larger(largest, fabs(x[i] - y[i]));
  }
  return largest;
}

dls_newton dls_newton_of_velocity(const dls_system *sys, const dls_newton_options *opt)
{
  const double scale = sys->length / sys->time;
  return (dls_newton){.tolerance = opt->newton_tol * scale,
                      .rounding = rounding_most * scale,
                      .most = opt->newton_max,
                      .kinked = dls_system_tangents_vary(sys)};
}

/* y += weight |A| |x| */
static void add_magnitudes(const dls_matrix *A, double weight, const double *x, double *y)
{
  for (size_t j = 0; A != NULL && j < dls_matrix_columns(A); j++) {
    const dls_column column = dls_matrix_column(A, j);
    for (size_t k = 0; k < column.count; k++) {
      y[dls_column_row(&column, k)] += weight * fabs(column.values[k] * x[j]);
    }
  }
}

/* The largest entry of A^-1 (rounding of r), with signs that alternate in pairs (pattern 1) or singly (pattern 0). */
static double rounding_response(const dls_sim *sim, const dls_residual *r, unsigned pattern)
{
  const size_t n = sim->sys->n;
  double *y = r->scratch, most = 0;
  for (size_t i = 0; i < n; i++) {
    y[i] = r->F != NULL ? r->weight * fabs(r->F[i]) : 0;
  }
  add_magnitudes(r->M, r->F != NULL ? 1 : 2, r->x, y); /* without F: as large as M x */
  add_magnitudes(sim->K, r->weight, r->q, y);
  add_magnitudes(sim->C, r->weight, r->v, y);
  for (size_t i = 0; i < n; i++) {
    y[i] *= ((i >> pattern) & 1) == 0 ? residual_rounding : -residual_rounding;
  }
  dls_factor_solve(r->A, y);
  for (size_t i = 0; i < n; i++) {
    most = dls_larger(most, fabs(y[i]));
  }
  return r->scale * most;
}

double dls_iteration_rounding(const dls_sim *sim, const dls_residual *r)
{
  const bool factored = r->weights == NULL || dls_factor_sum(r->A, r->weights, NULL) == DLS_OK;
  return factored ? dls_larger(rounding_response(sim, r, 0), rounding_response(sim, r, 1)) : 0;
}

/* Newton's method converges quadratically: late increments that are small and do not shrink are rounding of stiff forces. */
bool dls_iteration_stalled(const dls_sim *sim, const dls_newton *newton, size_t k, double change, double last)
{
  if (k < ROUNDING_FIRST || !(change > rounding_ratio * last)) {
    return false;
  }
  return change <= newton->rounding ||
         (newton->residual.A != NULL && change <= dls_iteration_rounding(sim, &newton->residual));
}

dls_status dls_iterate(dls_sim *sim, const dls_newton *newton,
                       dls_status (*iterate)(dls_sim *sim, void *step, double h, double *change,
                                             dls_error *err),
                       void *step, double h, dls_error *err)
{
  double change = HUGE_VAL;
  for (size_t k = 0; k < newton->most; k++) {
    const double last = change;
    dls_status status = dls_sim_poll(sim, err);
    status = status != DLS_OK ? status : iterate(sim, step, h, &change, err);
    if (status != DLS_OK || !dls_newton_iterates(newton, sim->sys)) {
      return status;
    }
    sim->work.newton_iterations++;
    if (change <= newton->tolerance || dls_iteration_stalled(sim, newton, k, change, last)) { /* NaN is not */
      return DLS_OK;
    }
  }
  return dls_sim_fail(sim, err, DLS_ERR_NOCONV,
                      "Newton's method left a %s increment of %g > %g %s after %zu iterations",
                      newton->what != NULL ? newton->what : "velocity", change, newton->tolerance,
                      newton->unit != NULL ? newton->unit : "m/s", newton->most);
}
