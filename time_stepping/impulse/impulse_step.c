/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/impulse/impulse_step.h"
#include "common/base/arrays.h"
#include "common/run/reported.h"
#include "time_stepping/impulse/balance_impulse.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Is M^-1 F independent of t, q and v? */
static bool is_steady(const dls_sim *sim, const dls_impulse_contacts *contacts)
{
  const dls_system *sys = sim->sys;
  return dls_system_has_steady_load(sys) && sys->K == NULL && sys->C == NULL && sim->load_rows == NULL &&
         !contacts->config.mass_varies && contacts->system.joints == NULL;
}

dls_status dls_impulse_start(dls_sim *sim, dls_error *err)
{
  const dls_system *sys = sim->sys;
  dls_impulse_memory *s = sim->memory = calloc(1, sizeof *s);
  if (s == NULL ||
      (s->block = dls_arrays((const dls_slot[]){{sys->n, {&s->q, &s->v, &s->v_free, &s->a, &s->work}},
                                                {sys->d * sys->m, {&s->U, &s->total, &s->before}},
                                                {sys->m, {&s->gap}},
                                                {0}})) == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sys->n);
  }
  dls_reported_destroy(sim); /* p, p_t and status are all set here, also where friction first finds no bound */
  s->eps_u = threshold_rest_speed * sys->length / sys->time;
  s->eps_g = threshold_gap_rounding * sys->length;
  for (size_t i = 0; i < sys->n; i++) {
    s->eps_g = fmax(s->eps_g, threshold_coordinate_rounding * fabs(sim->q[i]));
  }
  const dls_status status = dls_impulse_contacts_create(sim, &s->contacts, err);
  s->steady = is_steady(sim, &s->contacts);
  return status != DLS_OK ? status : dls_impulse_joints_create(sys, s->contacts.system.M, &s->joints, err);
}

void dls_impulse_finish(dls_sim *sim)
{
  dls_impulse_memory *s = sim->memory;
  if (s != NULL) {
    dls_impulse_joints_destroy(&s->joints);
    dls_impulse_contacts_destroy(&s->contacts);
    free(s->fixed);
    free(s->block);
    free(s);
  }
}

dls_status dls_impulse_begin(dls_sim *sim, dls_impulse_memory *s, double h, dls_error *err)
{
  const size_t d = sim->sys->d, m = sim->sys->m, n = sim->sys->n;
  memcpy(s->q, sim->q, n * sizeof *s->q);
  memcpy(s->v, sim->v, n * sizeof *s->v);
  memcpy(s->v_free, sim->v, n * sizeof *s->v);
  memset(s->total, 0, d * m * sizeof *s->total);
  s->a_known = false;
  dls_impulse_works_begin(s);
  for (size_t j = 0; j < m; j++) { /* the sim has U and the slips of the node apart */
    s->U[d * j] = sim->u[j];
    memcpy(s->U + d * j + 1, sim->u_t + (d - 1) * j, (d - 1) * sizeof *s->U);
  }
  for (size_t i = 0; i < s->joints.count; i++) {
    s->joints.total[i] = 0;
  }
  const dls_status status = dls_impulse_contacts_at(&s->contacts, sim->t, s->q, err);
  dls_impulse_joints_at(&s->joints, sim->sys, sim->t, s->q);
  dls_configuration_time(&s->contacts.config, dls_sim_next_time(sim, h));
  return status;
}

double dls_impulse_time(const dls_sim *sim, double h, size_t i, size_t count)
{
  return i < count ? sim->t + (double)i * (h / (double)count) : dls_sim_next_time(sim, h);
}

void dls_impulse_free_motion(dls_sim *sim, dls_impulse_memory *s, double t, double t_next, double h)
{
  const size_t n = sim->sys->n;
  if (!s->a_known) {
    dls_sim_load_begin(sim, t, t_next, 0); /* with a row of a table of loads: their mean */
    dls_sim_force(sim, 0.5 * (t + t_next), s->q, s->v, s->a);
    dls_sim_load_end(sim);
    dls_contact_system_inverse(&s->contacts.system, s->a); /* M^-1 F */
    s->a_known = s->steady;
  }
  double *restrict v = s->v, *restrict v_free = s->v_free;
  const double *restrict a = s->a;
  for (size_t i = 0; i < n; i++) {
    v[i] = DLS_IMPULSE_VELOCITY(v[i], h, a[i]);           /* (1) */
    v_free[i] = DLS_IMPULSE_VELOCITY(v_free[i], h, a[i]); /* without impulses */
  }
  if (s->works != NULL) {
    dls_impulse_works_free(sim, s, h);
  }
}

double dls_impulse_restitution(dls_impulse_memory *s, size_t j, const double *u_minus)
{
  dls_contact_system *system = &s->contacts.system;
  dls_contact_system_approach(system, &(const dls_contacts){1, &j}, u_minus);
  return system->mixture[s->contacts.config.d * j];
}

dls_status dls_impulse_limit(const dls_scheme *self, const dls_limit_contact *contact, dls_error *err)
{
  return !contact->coupled ? DLS_OK
                           : dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                                      "scheme %s: its sweeps are truncated, and an impact of %g m/s acts on "
                                      "coupled contacts or joints; "
                                      "their error does not vanish with h, and the limit model is not known",
                                      self->name, contact->speed);
}

void dls_impulse_collect(dls_impulse_memory *s, size_t sweeps)
{
  const dls_contacts *set = &s->contacts.set;
  const size_t d = s->contacts.config.d;
  s->contacts.system.work->lcp_solves += set->count > 0;
  s->contacts.system.work->lcp_pivots += set->count > 0 ? sweeps : 0;
  if (s->joints.count > 0) {
    dls_impulse_joints_collect(&s->joints);
  }
  if (s->works != NULL) {
    dls_impulse_works_contacts(s);
  }
  if (set->count == s->contacts.config.sys->m) { /* rows in their order */
    for (size_t row = 0; row < s->contacts.config.rows; row++) {
      s->total[row] += s->contacts.r[row];
    }
    return;
  }
  for (size_t k = 0; k < set->count; k++) {
    const double *restrict r = s->contacts.r + d * set->index[k];
    double *restrict total = s->total + d * set->index[k];
    for (size_t i = 0; i < d; i++) {
      total[i] += r[i];
    }
  }
}

/* Slips, friction and works 1/2 (u- + u+) p of contact j. */
static void describe_friction(const dls_impulse_memory *s, size_t j, dls_event *event)
{
  const dls_configuration *config = &s->contacts.config;
  event->tangential = true;
  event->work_normal = 0.5 * (event->u_minus + event->u_plus) * event->impulse;
  for (size_t i = 1; i < config->d; i++) {
    const size_t row = config->d * j + i;
    event->slip_minus[i - 1] = s->U[row];
    event->slip_plus[i - 1] = dls_configuration_row(config, row, s->v);
    event->friction[i - 1] = s->total[row];
    event->work_friction += 0.5 * (event->slip_minus[i - 1] + event->slip_plus[i - 1]) * event->friction[i - 1];
  }
}

/* An impact: contact j approached and has an impulse. */
static void report_impact(dls_sim *sim, const dls_impulse_memory *s, size_t j, double t)
{
  const dls_configuration *config = &s->contacts.config;
  dls_event event = {.t = t,
                     .kind = DLS_IMPACT,
                     .contact = j,
                     .u_minus = s->U[config->d * j],
                     .u_plus = dls_configuration_row(config, config->d * j, s->v),
                     .impulse = s->total[config->d * j]};
  if (config->d > 1) {
    describe_friction(s, j, &event);
  }
  dls_sim_event(sim, &event);
}

/* 0 open, 1 closed or sticking, 2 slipping */
static int status_of(const dls_impulse_memory *s, size_t j)
{
  const size_t d = s->contacts.config.d;
  const double *p = s->total + d * j;
  double u_T[2];
  for (size_t i = 1; i < d; i++) {
    u_T[i - 1] = dls_impulse_row(&s->contacts, d * j + i, s->v);
  }
  const double friction = d > 1 ? dls_impulse_length(d - 1, p + 1) : 0;
  const double slip = d > 1 ? dls_impulse_length(d - 1, u_T) : 0;
  const bool at_limit =
      friction > 0 && friction >= (1 - threshold_limit_margin) * s->contacts.system.mu[j] * p[0];
  return !(p[0] > 0) ? 0 : at_limit && slip > s->eps_u ? 2 : 1;
}

void dls_impulse_take(dls_sim *sim, dls_impulse_memory *s, double h)
{
  const size_t d = sim->sys->d, n = sim->sys->n;
  const double t = dls_sim_next_time(sim, h);
  for (size_t i = 0; i < s->joints.count; i++) {
    sim->mu[i] = s->joints.total[i] / h; /* mean over the step */
  }
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double *p = s->total + d * j;
    sim->p[j] = p[0];
    memcpy(sim->p_t + (d - 1) * j, p + 1, (d - 1) * sizeof *p);
    sim->status[j] = status_of(s, j);
    if (p[0] > 0 && s->U[d * j] < -s->eps_u) {
      sim->jump = true;
      report_impact(sim, s, j, t);
    }
  }
  if (sim->jump) {
    memcpy(sim->v_left, s->v_free, n * sizeof *s->v_free);
  }
  memcpy(sim->q, s->q, n * sizeof *s->q);
  memcpy(sim->v, s->v, n * sizeof *s->v);
}
