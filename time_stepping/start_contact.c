/* start_contact.c -- impact law and acceleration complementarity at the initial position.
 *   impact:        0 <= W P + (I + E) U  _|_  P >= 0,                      v+ = v + M^-1 H P
 *   acceleration:  0 <= W lambda + H^T M^-1 F + (dH^T/dt) v  _|_  lambda >= 0,   W = H^T M^-1 H
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/start_contact.h"
#include <delassus/delassus_operator.h>
#include <stdlib.h>
#include <string.h>

static const double lcp_tolerance = 1e-12; /* relative residual; rounding leaves about 1e-15 */

typedef struct start_data {
  dls_factor *M;
  dls_delassus *W;
  dls_lcp_solver *lcp;
  size_t *closed;
  double *block, *g, *u, *b, *p; /* m each */
} start_data;

static void release(start_data *d)
{
  dls_factor_destroy(d->M);
  dls_delassus_destroy(d->W);
  dls_lcp_destroy(d->lcp);
  free(d->closed);
  free(d->block);
}

static dls_status prepare(const dls_sim *sim, start_data *d, dls_error *err)
{
  const size_t m = sim->sys->m;
  const dls_matrix *mass[] = {sim->M};
  const double one = 1;
  d->M = dls_factor_create(mass, 1);
  d->W = d->M == NULL || m == 0 ? NULL : dls_delassus_create(d->M, sim->H);
  d->closed = calloc(m + 1, sizeof *d->closed);
  d->block = calloc(4 * m + 1, sizeof *d->block);
  if (d->M == NULL || (m > 0 && d->W == NULL) || d->closed == NULL || d->block == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for the start in contact");
  }
  d->g = d->block;
  d->u = d->g + m;
  d->b = d->u + m;
  d->p = d->b + m;
  const dls_status status = dls_lcp_create(m, NULL, lcp_tolerance, &d->lcp, err);
  return status != DLS_OK ? status : dls_factor_sum(d->M, &one, err);
}

static dls_status solve(dls_sim *sim, start_data *d, size_t count, dls_error *err)
{
  dls_error cause = {0};
  memset(d->p, 0, count * sizeof *d->p);
  const dls_status status = dls_delassus_solve(d->W, d->lcp, count, d->closed, d->b, d->p,
                                               &sim->work.lcp_solves, &sim->work.lcp_pivots, &cause);
  return status == DLS_OK ? DLS_OK : dls_sim_fail(sim, err, status, "start in contact: %s", cause.text);
}

static void report(dls_sim *sim, const start_data *d, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    const size_t j = d->closed[k];
    sim->p[j] = d->p[k];
    if (d->p[k] > 0) {
      const dls_event event = {.kind = DLS_IMPACT,
                               .contact = j,
                               .u_minus = d->u[j],
                               .u_plus = dls_matrix_column_dot(sim->H, j, sim->v),
                               .impulse = d->p[k]};
      dls_sim_event(sim, &event);
    }
  }
}

static dls_status impact(dls_sim *sim, start_data *d, double eps_u, dls_error *err)
{
  size_t count = 0;
  bool approaching = false;
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (d->g[j] <= 0) {
      approaching = approaching || d->u[j] < -eps_u;
      d->b[count] = (1 + sim->sys->e[j]) * d->u[j];
      d->closed[count++] = j;
    }
  }
  if (!approaching) {
    return DLS_OK;
  }
  const dls_status status = solve(sim, d, count, err);
  if (status == DLS_OK) {
    sim->jump = true;
    dls_delassus_apply(d->W, count, d->closed, 1, d->p, sim->v);
    report(sim, d, count);
    dls_sim_gap_velocity(sim, sim->v, d->u);
  }
  return status;
}

static dls_status acceleration(dls_sim *sim, start_data *d, double eps_u, double *a, double *lambda,
                               dls_error *err)
{
  dls_sim_force(sim, sim->t, sim->q, sim->v, a);
  dls_factor_solve(d->M, a);
  if (sim->sys->m == 0) {
    return DLS_OK;
  }
  dls_system_curvature(sim->sys, sim->q, sim->v, d->p);
  size_t count = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (d->g[j] <= 0 && d->u[j] <= eps_u) {
      d->b[count] = dls_matrix_column_dot(sim->H, j, a) + d->p[j];
      d->closed[count++] = j;
    }
  }
  const dls_status status = count == 0 ? DLS_OK : solve(sim, d, count, err);
  if (status == DLS_OK && count > 0) {
    dls_delassus_apply(d->W, count, d->closed, 1, d->p, a);
    for (size_t k = 0; lambda != NULL && k < count; k++) {
      lambda[d->closed[k]] = d->p[k];
    }
  }
  return status;
}

dls_status dls_start_contact(dls_sim *sim, double eps_u, double *a, double *lambda, dls_error *err)
{
  start_data d = {0};
  dls_status status = prepare(sim, &d, err);
  if (status == DLS_OK) {
    dls_system_gap(sim->sys, sim->q, d.g);
    dls_sim_gap_velocity(sim, sim->v, d.u);
    status = impact(sim, &d, eps_u, err);
  }
  if (status == DLS_OK) {
    status = acceleration(sim, &d, eps_u, a, lambda, err);
  }
  release(&d);
  return status;
}
