/* start_contact.c -- impact law and acceleration complementarity at the initial position.
 *   impact:        0 <= W P + (I + E) U  _|_  P >= 0,  v+ = v + M^-1 H P   on contacts that do not separate; repeated
 *                  with contacts that now approach (impact_sequence.h)                                (1)
 *   slip that ends within h: mean accelerations over h by the law of velocities
 *   acceleration:  0 <= W lambda + H^T M^-1 F + (dH^T/dt) v  _|_  lambda >= 0,   W = H^T M^-1 H    (2)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/start_contact.h"
#include "time_stepping/step/impact_sequence.h"
#include "time_stepping/step/instant.h"
#include <delassus/law.h>
#include <math.h>
#include <stdlib.h>

typedef struct start_data {
  dls_contact_system contacts;
  dls_instant now;
  dls_contacts closed;
  dls_impact_sequence sequence;
} start_data;

static void release(start_data *d)
{
  dls_contact_system_destroy(&d->contacts);
  dls_instant_destroy(&d->now);
  free(d->closed.index);
  dls_impact_sequence_destroy(&d->sequence);
}

static dls_status prepare(dls_sim *sim, start_data *d, dls_error *err)
{
  const size_t m = sim->sys->m;
  d->closed.index = calloc(m + 1, sizeof *d->closed.index);
  if (!dls_impact_sequence_create(sim->sys, &d->sequence) || d->closed.index == NULL ||
      !dls_instant_create(sim->sys, &d->now)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the state");
  }
  const dls_status status = dls_contact_system_create_mass(sim->sys, &sim->work, &d->contacts, err);
  dls_configuration_at(d->contacts.config, sim->t, sim->q);
  return status;
}

static void report(dls_sim *sim, const dls_configuration *config, const dls_impact_sequence *impact)
{
  for (size_t k = 0; k < impact->set.count; k++) {
    const size_t j = impact->set.index[k];
    sim->p[j] = impact->P[config->d * k];
    if (sim->p[j] > 0) {
      const dls_event event = {.kind = DLS_IMPACT,
                               .contact = j,
                               .u_minus = impact->u_minus[k],
                               .u_plus = dls_configuration_row(config, config->d * j, sim->v),
                               .impulse = sim->p[j]};
      dls_sim_event(sim, &event);
    }
  }
}

/* (1): the velocities and impulses of the sim. */
static dls_status impact(dls_sim *sim, start_data *d, double eps_u, dls_error *err)
{
  const dls_configuration *config = d->contacts.config;
  bool approaching = false;
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double u = d->now.u[config->d * j];
    if (d->now.g[j] <= 0) {
      approaching = approaching || u < -eps_u;
      dls_impact_sequence_add(&d->sequence, j, u, true, u > eps_u);
    }
  }
  if (!approaching) {
    return DLS_OK;
  }
  const dls_status status =
      dls_impact_sequence_solve(sim, &d->contacts, &d->sequence, sim->v, err); /* v+ = v + M^-1 H P */
  if (status == DLS_OK) {
    sim->jump = true;
    report(sim, config, &d->sequence);
    dls_configuration_velocity(config, sim->v, d->now.u);
  }
  return status;
}

/* Those that are closed and do not separate. */
static void find_closed(const dls_sim *sim, start_data *d, double eps_u)
{
  d->closed.count = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (d->now.g[j] <= 0 && d->now.u[d->contacts.config->d * j] <= eps_u) {
      d->closed.index[d->closed.count++] = j;
    }
  }
}

/* (2) on the closed contacts. */
static dls_status acceleration(dls_sim *sim, start_data *d, double eps_u, double *a, double *lambda,
                               dls_error *err)
{
  dls_contacts *closed = &d->closed;
  const size_t rows = d->contacts.config->d; /* of a contact */
  find_closed(sim, d, eps_u);
  const dls_status status = dls_instant_acceleration(sim, &d->contacts, sim->t, sim->q, sim->v, closed, a,
                                                     d->now.lambda, d->now.gamma, NULL, err);
  for (size_t k = 0; status == DLS_OK && lambda != NULL && k < closed->count; k++) {
    lambda[closed->index[k]] = d->now.lambda[rows * closed->index[k]];
  }
  return status;
}

dls_status dls_start_contact(dls_sim *sim, double eps_u, double *a, double *lambda, dls_error *err)
{
  start_data d = {0};
  dls_error cause = {0};
  dls_status status = prepare(sim, &d, &cause);
  if (status == DLS_OK) {
    dls_configuration_gap(d.contacts.config, d.now.g);
    dls_configuration_velocity(d.contacts.config, sim->v, d.now.u);
    status = impact(sim, &d, eps_u, &cause);
  }
  if (status == DLS_OK) {
    status = acceleration(sim, &d, eps_u, a, lambda, &cause);
  }
  release(&d);
  return status == DLS_OK ? DLS_OK : dls_sim_fail(sim, err, status, "start in contact: %s", cause.text);
}

/* Whether a reverses the slip of a closed contact within h. */
static bool turns_round(const dls_sim *sim, const start_data *d, double h, const double *a)
{
  const dls_configuration *config = d->contacts.config;
  bool one = false;
  for (size_t k = 0; k < d->closed.count; k++) {
    const size_t j = d->closed.index[k];
    double product = 0; /* u_T . (u_T + h u_T') */
    for (size_t row = config->d * j + 1; row < config->d * (j + 1); row++) {
      const double u = d->now.u[row];
      product += u * (u + h * dls_matrix_column_dot(config->H, row, a));
    }
    one = one || (dls_law_has_friction(sim->sys, j) && product < 0);
  }
  return one;
}

/* a := the mean acceleration over h, in now.lambda the impulses of contacts. */
static dls_status mean_acceleration(dls_sim *sim, start_data *d, double h, double *a, dls_error *err)
{
  dls_contact_system *contacts = &d->contacts;
  const size_t n = sim->sys->n, rows = contacts->config->d, count = rows * d->closed.count;
  double *u_free = d->now.gamma, *still = d->now.u, *p = d->now.lambda;
  dls_sim_force(sim, sim->t, sim->q, sim->v, a);
  dls_contact_system_acceleration(contacts, sim->v, a);
  for (size_t i = 0; i < n; i++) {
    d->now.v[i] = sim->v[i] + h * a[i]; /* v + h M^-1 F */
  }
  dls_contact_system_velocity(contacts, &d->closed, d->now.v, u_free);
  for (size_t i = 0; i < count; i++) {
    still[i] = p[i] = 0; /* no impact: the law of u+ alone */
  }
  const dls_status status = dls_contact_system_impulse(contacts, &d->closed, u_free, still, p, err);
  if (status == DLS_OK) {
    dls_contact_system_apply(contacts, &d->closed, 1 / h, p, a);
  }
  return status;
}

dls_status dls_start_friction(dls_sim *sim, double h, double eps_u, double *a, double *lambda, dls_error *err)
{
  start_data d = {0};
  dls_error cause = {0};
  if (!dls_system_has_friction(sim->sys)) {
    return DLS_OK;
  }
  dls_status status = prepare(sim, &d, &cause);
  if (status == DLS_OK) {
    dls_configuration_gap(d.contacts.config, d.now.g);
    dls_configuration_velocity(d.contacts.config, sim->v, d.now.u);
    find_closed(sim, &d, eps_u);
  }
  if (status == DLS_OK && turns_round(sim, &d, h, a)) {
    status = mean_acceleration(sim, &d, h, a, &cause);
    for (size_t k = 0; lambda != NULL && k < d.contacts.config->d * d.closed.count; k++) {
      const size_t width = d.contacts.config->d;
      lambda[width * d.closed.index[k / width] + k % width] = d.now.lambda[k] / h; /* p/h */
    }
  }
  release(&d);
  return status == DLS_OK ? DLS_OK : dls_sim_fail(sim, err, status, "start in contact: %s", cause.text);
}
