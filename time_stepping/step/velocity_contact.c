/* velocity_contact.c -- index set, impulses and events of contact at velocity level.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/velocity_contact.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Gaps below this, in units of the length scale, are rounding where u is: a contact that rests at g = u = 1e-17
 * must not fall freely for a step. */
static const double gap_rounding = 1e-13;
/* The same in units of the largest coordinate: the gap is a difference of coordinates. */
static const double coordinate_rounding = 4 * DBL_EPSILON;
static const double lcp_tolerance = 1e-12; /* relative residual; rounding leaves about 1e-15 */

dls_status dls_velocity_contact_create(dls_sim *sim, dls_delassus *W, double forecast, bool test,
                                       double velocity_tol, dls_velocity_contact *c, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const size_t m = sys->m;
  *c = (dls_velocity_contact){
      .forecast = forecast, .test = test, .eps_u = velocity_tol * sys->length / sys->time};
  c->eps_g = gap_rounding * sys->length;
  for (size_t i = 0; i < sys->n; i++) {
    c->eps_g = fmax(c->eps_g, coordinate_rounding * fabs(sim->q[i]));
  }
  c->W = W;
  c->active = calloc(m + 1, sizeof *c->active);
  c->velocity = calloc(4 * m + sys->n, sizeof *c->velocity);
  if ((m > 0 && c->W == NULL) || c->active == NULL || c->velocity == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu contacts", m);
  }
  c->impulse = c->velocity + m;
  c->b = c->impulse + m;
  c->gap = c->b + m;
  c->q_ahead = c->gap + m;
  return dls_lcp_create(m, NULL, lcp_tolerance, &c->lcp, err);
}

void dls_velocity_contact_destroy(dls_velocity_contact *c)
{
  dls_delassus_destroy(c->W);
  dls_lcp_destroy(c->lcp);
  free(c->active);
  free(c->velocity);
}

void dls_velocity_contact_forecast(dls_sim *sim, dls_velocity_contact *c, double h)
{
  const dls_system *sys = sim->sys;
  const double ahead = c->forecast * h;
  dls_sim_gap_velocity(sim, sim->v, c->velocity);
  if (!sys->linear && sys->m > 0) {
    for (size_t i = 0; i < sys->n; i++) {
      c->q_ahead[i] = sim->q[i] + ahead * sim->v[i];
    }
    dls_system_gap(sys, sim->t + ahead, c->q_ahead, c->gap);
  }
  c->count = 0;
  for (size_t j = 0; j < sys->m; j++) {
    const double gap = sys->linear ? sim->g[j] + ahead * c->velocity[j] : c->gap[j];
    const double closed = fabs(c->velocity[j]) <= c->eps_u ? c->eps_g : 0;
    if (gap <= closed && (!c->test || c->velocity[j] <= c->eps_u)) {
      c->active[c->count++] = j;
    }
  }
}

/* Largest restitution coefficient of the active contacts that approach. */
static double most_restitution(const dls_sim *sim, const dls_velocity_contact *c)
{
  double most = 0;
  for (size_t k = 0; k < c->count; k++) {
    const size_t j = c->active[k];
    most = c->velocity[j] < 0 ? fmax(most, sim->sys->e[j]) : most;
  }
  return most;
}

dls_status dls_velocity_contact_solve(dls_sim *sim, dls_velocity_contact *c, const double *v_free,
                                      dls_error *err)
{
  if (c->count == 0) {
    return DLS_OK;
  }
  const double most = most_restitution(sim, c);
  for (size_t k = 0; k < c->count; k++) {
    const size_t j = c->active[k];
    const double e = c->velocity[j] > c->eps_u ? fmax(sim->sys->e[j], most) : sim->sys->e[j];
    c->b[k] = dls_matrix_column_dot(sim->H, j, v_free) + e * c->velocity[j];
    c->impulse[k] = sim->p[j]; /* of the last step: to start with */
  }
  dls_error cause = {0};
  const dls_status status = dls_delassus_solve(c->W, c->lcp, c->count, c->active, c->b, c->impulse,
                                               &sim->work.lcp_solves, &sim->work.lcp_pivots, &cause);
  return status == DLS_OK ? DLS_OK : dls_sim_fail(sim, err, status, "%s", cause.text);
}

static void report_impact(dls_sim *sim, const dls_velocity_contact *c, size_t k, double t, const double *v_next)
{
  const size_t j = c->active[k];
  const dls_event event = {.t = t,
                           .kind = DLS_IMPACT,
                           .contact = j,
                           .u_minus = c->velocity[j],
                           .u_plus = dls_matrix_column_dot(sim->H, j, v_next),
                           .impulse = c->impulse[k]};
  dls_sim_event(sim, &event);
}

void dls_velocity_contact_take(dls_sim *sim, const dls_velocity_contact *c, double t, const double *v_free,
                               const double *v_next)
{
  for (size_t j = 0; j < sim->sys->m; j++) {
    sim->p[j] = 0;
    sim->status[j] = 0;
  }
  for (size_t k = 0; k < c->count; k++) {
    const size_t j = c->active[k];
    sim->p[j] = c->impulse[k];
    sim->status[j] = c->impulse[k] > 0;
    if (c->impulse[k] > 0 && c->velocity[j] < -c->eps_u) {
      sim->jump = true;
      report_impact(sim, c, k, t, v_next);
    }
  }
  if (sim->jump) {
    memcpy(sim->v_left, v_free, sim->sys->n * sizeof *v_free);
  }
}
