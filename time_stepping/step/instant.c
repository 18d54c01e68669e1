/* instant.c -- a state with its gaps, accelerations and contact forces.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/instant.h"
#include "common/base/arrays.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double gap_rounding = 16 * DBL_EPSILON;

bool dls_instant_create(const dls_system *sys, dls_instant *x)
{
  const size_t rows = sys->d * sys->m;
  x->block = dls_arrays((const dls_slot[]){
      {sys->n, {&x->q, &x->v, &x->a}}, {rows, {&x->u, &x->gamma, &x->lambda}}, {sys->m, {&x->g}}, {0}});
  return x->block != NULL;
}

void dls_instant_destroy(dls_instant *x)
{
  free(x->block);
}

void dls_split_rows(const dls_system *sys, const double *rows, double *x, double *x_t)
{
  const size_t d = sys->d;
  for (size_t j = 0; d == 1 && j < sys->m; j++) {
    x[j] = rows[j];
  }
  for (size_t j = 0; d > 1 && j < sys->m; j++) {
    x[j] = rows[d * j];
    memcpy(x_t + (d - 1) * j, rows + d * j + 1, (d - 1) * sizeof *x_t);
  }
}

bool dls_instant_opens(const dls_contact_system *contacts, size_t j, const double *gamma, const double *lambda)
{
  const size_t row = contacts->config->d * j;
  return gamma[row] > contacts->open && !(dls_delassus_entry(contacts->W, row, row) * lambda[row] > gamma[row]);
}

/* gamma of all rows from a. @return whether a gap of the set opens */
static bool gap_accelerations(const dls_contact_system *contacts, const dls_contacts *set, const double *a,
                              const double *lambda, double *gamma)
{
  const dls_configuration *config = contacts->config;
  bool opens = false;
  dls_configuration_acceleration(config, a, contacts->curvature, gamma);
  for (size_t k = 0; k < set->count; k++) {
    opens = opens || dls_instant_opens(contacts, set->index[k], gamma, lambda);
  }
  return opens;
}

dls_status dls_instant_acceleration(dls_sim *sim, dls_contact_system *contacts, double t, const double *q,
                                    const double *v, const dls_contacts *set, double *a, double *lambda,
                                    double *gamma, bool *opens, dls_error *err)
{
  dls_sim_force(sim, t, q, v, a);
  dls_status status = dls_contact_system_at_acceleration(contacts, t, q, v, a, err);
  if (status != DLS_OK) {
    return status;
  }
  status = dls_contact_system_force(contacts, set, v, a, lambda, err);
  const bool one_opens =
      gamma != NULL && status == DLS_OK && gap_accelerations(contacts, set, a, lambda, gamma);
  if (opens != NULL) {
    *opens = one_opens;
  }
  return status;
}

dls_status dls_instant_observe(dls_sim *sim, dls_contact_system *contacts, const dls_contacts *set,
                               dls_instant *x, bool *opens, dls_error *err)
{
  const dls_status status =
      dls_instant_acceleration(sim, contacts, x->t, x->q, x->v, set, x->a, x->lambda, x->gamma, opens, err);
  dls_configuration_gap(contacts->config, x->g);
  dls_configuration_velocity(contacts->config, x->v, x->u);
  return status;
}

void dls_instant_multipliers(dls_sim *sim, dls_contact_system *contacts, const dls_instant *x, double *a,
                             double *mu)
{
  if (contacts->joints == NULL) {
    return;
  }
  dls_sim_force(sim, x->t, x->q, x->v, a);
  if (contacts->config->rows > 0) {
    dls_matrix_multiply(contacts->config->H, 1, x->lambda, a); /* F + H lambda */
  }
  dls_joints_acceleration(contacts->joints, x->v, 0, a, mu);
}

void dls_instant_begin(const dls_sim *sim, dls_instant *x)
{
  x->t = sim->t;
  memcpy(x->q, sim->q, sim->sys->n * sizeof *x->q);
  memcpy(x->v, sim->v, sim->sys->n * sizeof *x->v);
}

void dls_instant_commit(dls_sim *sim, dls_instant *now, dls_instant *x)
{
  const dls_instant old = *now;
  *now = *x;
  *x = old;
  memcpy(sim->q, now->q, sim->sys->n * sizeof *sim->q);
  memcpy(sim->v, now->v, sim->sys->n * sizeof *sim->v);
  memcpy(sim->a, now->a, sim->sys->n * sizeof *sim->a);
  dls_split_rows(sim->sys, now->lambda, sim->lambda, sim->lambda_t);
}

void dls_instant_left(dls_sim *sim, const dls_instant *x)
{
  memcpy(sim->v_left, x->v, sim->sys->n * sizeof *x->v);
  memcpy(sim->a_left, x->a, sim->sys->n * sizeof *x->a);
  dls_split_rows(sim->sys, x->lambda, sim->lambda_left, sim->lambda_t_left);
}

double dls_gap_noise(const dls_sim *sim, const double *q)
{
  double size = sim->sys->length;
  for (size_t i = 0; i < sim->sys->n; i++) {
    size = fmax(size, fabs(q[i]));
  }
  return gap_rounding * size;
}
