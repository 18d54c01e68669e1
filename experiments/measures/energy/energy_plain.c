/* experiments/measures/energy/energy_plain.c -- works of a step where no identity is known. With the path q(t) that the scheme
 * declares between two nodes (linear or cubic Hermite) and w = dq/dt on it,
 *   external = int F_ext(t)^T w dt,  damping = -int w^T C w dt    (nonlinear: external = int F(t, q, w)^T w dt
 *   and, where M varies, + int 1/2 w^T M' w dt, which F has the opposite of: d/dt (1/2 w^T M w) = w^T (M w' + 1/2 M' w)),
 *   impact = sum of 1/2 (u+ + u-) p over the impacts of the step; none where contacts yield, and store it.
 * An accumulation that is passed as one event has its impulses spread over the step: with M (v' - v) = H P + int F dt they do
 *   impact = 1/2 (v + v')^T H P + int F dt^T (v + v')/2 - int F^T w dt,
 * F all smooth forces, since the record has them all at the end, where they would do more. With tangents and supports that move,
 * u = H^T v + b, impact is split into sums over impulses and integrals over contact forces:
 *   normal u_N p_N,   friction u_T^T p_T,   drive -b^T p - int mu^T dPhi/dt dt with the forces mu of joints,
 * the forces being those that keep the contacts as they are, sticking or slipping, at the points of the path. Impact is then normal
 * and friction of impacts, sliding the friction of all else.
 * A constant load does exactly F^T (q' - q). Gauss's formula with 4 points has degree 7: no error of its own in
 * w^T C w on a cubic path.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/energy/energy_plain.h"
#include "common/base/arrays.h"
#include "common/base/cubic.h"
#include <delassus/scheme.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 4 };

dls_status dls_energy_plain_create(const dls_system *sys, dls_measures *measures, dls_energy_plain *plain,
                                   dls_error *err)
{
  const size_t n = sys->n, m = sys->m;
  *plain = (dls_energy_plain){.gauss = gsl_integration_glfixed_table_alloc(POINTS)};
  plain->measures = dls_system_mass_varies(sys) ? measures : NULL;
  plain->block = dls_arrays((const dls_slot[]){{n, {&plain->q, &plain->w, &plain->F, &plain->work}},
                                               {m, {&plain->lambda}},
                                               {(sys->d - 1) * m, {&plain->lambda_t}},
                                               {sys->d * m, {&plain->r}},
                                               {sys->r, {&plain->mu, &plain->rate}},
                                               {0}});
  plain->lasting.index = calloc(m + 1, sizeof *plain->lasting.index);
  plain->slips = calloc(m + 1, sizeof *plain->slips);
  plain->struck = calloc(m + 1, sizeof *plain->struck);
  plain->mode = calloc(m + 1, sizeof *plain->mode);
  if (plain->slips == NULL || plain->struck == NULL || plain->mode == NULL || plain->gauss == NULL ||
      plain->block == NULL || plain->lasting.index == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the energies of %zu degrees of freedom", n);
  }
  plain->drives = sys->joint_rate != NULL;
  plain->splits = sys->d > 1 || dls_system_gap_moves(sys) || plain->drives;
  dls_status status =
      plain->splits ? dls_contact_system_create_mass(sys, &plain->unused, &plain->contact_system, err) : DLS_OK;
  if (status == DLS_OK && plain->contact_system.problem != NULL) {
    status = dls_mode_solver_create(&plain->contact_system, &plain->solver, err);
  }
  return status;
}

void dls_energy_plain_release(dls_energy_plain *plain)
{
  if (plain->gauss != NULL) {
    gsl_integration_glfixed_table_free(plain->gauss);
  }
  dls_mode_solver_destroy(plain->solver);
  dls_contact_system_destroy(&plain->contact_system);
  free(plain->lasting.index);
  free(plain->slips);
  free(plain->struck);
  free(plain->mode);
  free(plain->block);
}

void dls_energy_plain_keep(dls_energy_plain *plain, const dls_sim *sim)
{
  memcpy(plain->lambda, sim->lambda, sim->sys->m * sizeof *plain->lambda);
  for (size_t j = 0; j < sim->sys->m; j++) {
    plain->slips[j] = sim->status[j] == 2;
  }
  memcpy(plain->lambda_t, sim->lambda_t, (sim->sys->d - 1) * sim->sys->m * sizeof *plain->lambda_t);
}

void dls_energy_plain_at(dls_energy_plain *plain, const dls_sim *sim, double s, double h, const double *q,
                         const double *v)
{
  const bool cubic = sim->scheme->q_between == DLS_HERMITE;
  const double *v_end = sim->jump ? sim->v_left : sim->v;
  for (size_t i = 0; i < sim->sys->n; i++) {
    if (cubic) {
      plain->q[i] = dls_cubic(s, h, q[i], v[i], sim->q[i], v_end[i]);
      plain->w[i] = dls_cubic_slope(s, h, q[i], v[i], sim->q[i], v_end[i]);
    } else {
      plain->q[i] = q[i] + s * (sim->q[i] - q[i]);
      plain->w[i] = (sim->q[i] - q[i]) / h;
    }
  }
}

/* dw/dt of the cubic path at the fraction s. */
static void slope(const dls_sim *sim, double s, double h, const double *q, const double *v, double *rate)
{
  const double *v_end = sim->jump ? sim->v_left : sim->v;
  for (size_t i = 0; i < sim->sys->n; i++) {
    rate[i] = dls_cubic_bend(s, h, q[i], v[i], sim->q[i], v_end[i]);
  }
}

/* Integral of 1/2 w^T (dM/dt) w along the path: [1/2 w^T M w] - integral of w^T M dw/dt. Spoils F. */
static double work_of_mass(dls_energy_plain *plain, const dls_sim *sim, double h, const double *q,
                           const double *v)
{
  double work = 0;
  for (int end = 0; end < 2; end++) {
    dls_energy_plain_at(plain, sim, end, h, q, v);
    work += (end == 1 ? 1 : -1) * dls_measures_kinetic(plain->measures, plain->q, plain->w);
  }
  for (size_t k = 0; k < POINTS && sim->scheme->q_between == DLS_HERMITE; k++) {
    double s = 0, weight = 0;
    gsl_integration_glfixed_point(0, 1, k, &s, &weight, plain->gauss);
    dls_energy_plain_at(plain, sim, s, h, q, v);
    slope(sim, s, h, q, v, plain->F);
    work -= weight * h * dls_measures_product(plain->measures, plain->q, plain->w, plain->F);
  }
  return work;
}

/* The contacts that have a force at both ends of the step, or a force that the scheme does not count as an impulse too. At an
 * event that ends the step the force may be 0, up to rounding. */
static void find_lasting(dls_energy_plain *plain, const dls_sim *sim)
{
  plain->lasting.count = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (plain->lambda[j] > 0 && (sim->jump || (sim->lambda[j] > 0 && sim->p[j] == 0))) {
      plain->lasting.index[plain->lasting.count++] = j;
    }
  }
}

/* Mode of contact j that slips, at the velocity of the path; in the plane, where the slip may be about to end, against the
 * force at the start. */
static dls_contact_mode slipping(const dls_energy_plain *plain, const dls_sim *sim, size_t j)
{
  const dls_configuration *config = plain->contact_system.config;
  double slip[2] = {0}, speed = 0;
  for (size_t i = 1; i < config->d; i++) {
    slip[i - 1] = dls_configuration_row(config, config->d * j + i, plain->w);
    speed = hypot(speed, slip[i - 1]);
  }
  dls_contact_mode mode = {.kind = DLS_MODE_SLIPS, .mu = dls_system_friction(sim->sys, j, speed)};
  for (size_t i = 0; i + 1 < config->d; i++) {
    mode.e[i] = speed > 0 ? slip[i] / speed : 0;
  }
  if (config->d == 2 && plain->lambda_t[j] != 0) {
    mode.e[0] = plain->lambda_t[j] > 0 ? -1 : 1;
  }
  return mode;
}

/* Work of lasting contacts along their tangents at the point of the path, which is the configuration of the contact system. */
static void find_modes(dls_energy_plain *plain, const dls_sim *sim)
{
  for (size_t k = 0; k < plain->lasting.count; k++) {
    const size_t j = plain->lasting.index[k];
    const bool rough = dls_law_has_friction(sim->sys, j);
    plain->mode[j] = rough && plain->slips[j]
                         ? slipping(plain, sim, j)
                         : (dls_contact_mode){.kind = rough ? DLS_MODE_STICKS : DLS_MODE_FRICTIONLESS};
  }
}

/* Powers of friction and drive of contact j with the force r, times the weight. */
static void add_powers(dls_energy_plain *plain, size_t j, const double *r, double weight)
{
  const dls_configuration *config = plain->contact_system.config;
  for (size_t i = 0; i < config->d; i++) {
    const size_t row = config->d * j + i;
    const double slide = i > 0 ? weight * r[i] * dls_configuration_row(config, row, plain->w) : 0;
    plain->works.drive -= weight * r[i] * config->b[row];
    plain->works.friction += slide;
    plain->works.sliding += slide;
  }
}

/* -mu^T dPhi/dt of the joint forces or impulses in plain->mu. */
static double driven_work(dls_energy_plain *plain, const dls_sim *sim, double t, const double *q)
{
  double work = 0;
  dls_system_joint_rate(sim->sys, t, q, plain->rate);
  for (size_t k = 0; k < sim->sys->r; k++) {
    work -= plain->mu[k] * plain->rate[k];
  }
  return work;
}

/* Power of driven joints at a point of the path, with the forces r of lasting contacts. */
static double driven_power(dls_energy_plain *plain, const dls_sim *sim, double t)
{
  const dls_configuration *config = plain->contact_system.config;
  dls_system_force(sim->sys, t, plain->q, plain->w, plain->work);
  for (size_t k = 0; k < plain->lasting.count * config->d; k++) {
    const size_t row = config->d * plain->lasting.index[k / config->d] + k % config->d;
    dls_matrix_column_add(config->H, row, plain->r[row], plain->work);
  }
  dls_joints_acceleration(plain->contact_system.joints, plain->w, 0, plain->work, plain->mu);
  return driven_work(plain, sim, t, plain->q);
}

/* Powers of driven joints, and of the forces of lasting contacts, at a point of the path, which are as they must be there. */
static dls_status lasting_works(dls_energy_plain *plain, const dls_sim *sim, double t, double weight,
                                dls_error *err)
{
  dls_contact_system *contact_system = &plain->contact_system;
  dls_status status = dls_contact_system_at(contact_system, t, plain->q, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_system_force(sim->sys, t, plain->q, plain->w, plain->work);
  dls_contact_system_acceleration(contact_system, plain->w, plain->work);
  if (plain->solver == NULL) {
    status = dls_contact_system_reaction(contact_system, &plain->lasting, plain->w, plain->work, plain->r, err);
  } else {
    find_modes(plain, sim);
    status = dls_mode_solver_reaction(plain->solver, &plain->lasting, plain->mode, NULL, plain->w, plain->work,
                                      plain->r, err);
  }
  for (size_t k = 0; status == DLS_OK && k < plain->lasting.count; k++) {
    const size_t j = plain->lasting.index[k];
    add_powers(plain, j, plain->r + sim->sys->d * j, weight);
  }
  plain->works.drive += status == DLS_OK && plain->drives ? weight * driven_power(plain, sim, t) : 0;
  return status;
}

/* F^T ((v + v')/2 - w), F all smooth forces at the point of the path. */
static double spread_power(dls_energy_plain *plain, const dls_sim *sim, double t, const double *v)
{
  double power = 0;
  dls_system_force(sim->sys, t, plain->q, plain->w, plain->work);
  for (size_t i = 0; i < sim->sys->n; i++) {
    power += plain->work[i] * (0.5 * (v[i] + sim->v[i]) - plain->w[i]);
  }
  return power;
}

/* @param[in] spread  the step is an accumulation */
static dls_status smooth_works(dls_energy_plain *plain, const dls_sim *sim, double t, double h, const double *q,
                               const double *v, bool spread, dls_balance_step *out, dls_error *err)
{
  const dls_system *sys = sim->sys;
  dls_status status = DLS_OK;
  out->external = plain->measures != NULL ? work_of_mass(plain, sim, h, q, v) : 0;
  for (size_t k = 0; status == DLS_OK && k < POINTS; k++) {
    double s = 0;
    double weight = 0;
    gsl_integration_glfixed_point(0, 1, k, &s, &weight, plain->gauss);
    dls_energy_plain_at(plain, sim, s, h, q, v);
    if (sys->linear) {
      dls_system_load(sys, t + s * h, plain->F); /* of a steady one the work is in V */
      out->damping -= weight * h * dls_balance_product(sys->C, sys->n, plain->w, plain->w, plain->work);
    } else {
      dls_system_force(sys, t + s * h, plain->q, plain->w, plain->F);
    }
    out->external += weight * h * dls_balance_load_work(sys, plain->F, plain->w);
    plain->works.normal += spread ? weight * h * spread_power(plain, sim, t + s * h, v) : 0;
    status = plain->lasting.count > 0 || plain->drives ? lasting_works(plain, sim, t + s * h, weight * h, err)
                                                       : DLS_OK;
  }
  return status;
}

/* With the velocities that the impact law of the scheme used, at the time in the step that the scheme reports.
 * @param[out] spread  an accumulation is among the events: its work is not in the sum */
static double work_of_impacts(dls_energy_plain *plain, const dls_sim *sim, const dls_trajectory *record,
                              bool *spread)
{
  double work = 0;
  memset(plain->struck, 0, sim->sys->m * sizeof *plain->struck);
  for (; plain->seen < record->event_count; plain->seen++) {
    const dls_event *event = &record->events[plain->seen];
    *spread = *spread || (event->kind == DLS_ACCUMULATION && event->duration > 0);
    if (event->kind == DLS_IMPACT || (event->kind == DLS_ACCUMULATION && !(event->duration > 0))) {
      work += 0.5 * (event->u_plus + event->u_minus) * event->impulse;
      plain->struck[event->contact] = true;
    }
  }
  return work;
}

static bool strikes(const dls_energy_plain *plain, size_t j)
{
  return plain->struck[j] && dls_energy_contacts_strikes(plain->contacts, j);
}

/* Impulses of the sim at the mean of v before and after. Those of a scheme that locates events are of one instant; of others what
 * contacts without an impact take in the step is sliding.
 * @param[in] by_limits  normal work, too; false: the events have it */
static void add_impulses(dls_energy_plain *plain, const dls_sim *sim, const double *before, bool by_limits)
{
  const dls_configuration *config = &sim->config;
  const bool instant = plain->spread || (sim->jump && sim->scheme->q_between == DLS_HERMITE);
  dls_contact_works *works = &plain->works;
  for (size_t row = 0; row < config->rows; row++) {
    const size_t j = row / config->d, i = row % config->d;
    const double p = dls_sim_impulse(sim, j, i);
    const double mean =
        p != 0 ? 0.5 * (dls_configuration_row(config, row, before) + dls_configuration_row(config, row, sim->v))
               : 0;
    works->normal += i == 0 && by_limits ? mean * p : 0;
    works->friction += i > 0 ? mean * p : 0;
    works->sliding += i > 0 && !instant && !strikes(plain, j) ? mean * p : 0;
    works->drive -= p != 0 ? config->b[row] * p : 0;
  }
}

/* Work of the impulses of driven joints that the impulses of contacts bring about. */
static dls_status add_joint_impulses(dls_energy_plain *plain, const dls_sim *sim, dls_error *err)
{
  const dls_configuration *config = &sim->config;
  memset(plain->work, 0, sim->sys->n * sizeof *plain->work);
  for (size_t row = 0; row < config->rows; row++) {
    const double p = dls_sim_impulse(sim, row / config->d, row % config->d);
    if (p != 0) {
      dls_matrix_column_add(config->H, row, p, plain->work);
    }
  }
  const dls_status status = dls_contact_system_at(&plain->contact_system, sim->t, sim->q, err);
  if (status == DLS_OK) {
    dls_joints_solve(plain->contact_system.joints, plain->work, NULL, plain->mu);
    plain->works.drive += driven_work(plain, sim, sim->t, sim->q);
  }
  return status;
}

bool dls_energy_plain_jumps(const dls_energy_plain *plain, const dls_sim *sim, double t)
{
  return sim->jump && sim->t > t && !plain->spread && sim->scheme->q_between == DLS_HERMITE;
}

dls_status dls_energy_plain_impulses(dls_energy_plain *plain, const dls_sim *sim, double t, const double *v,
                                     dls_balance_step *out, dls_error *err)
{
  const bool by_limits = plain->spread || (sim->sys->d > 1 && sim->jump);
  dls_contact_works *works = &plain->works;
  if (dls_energy_plain_jumps(plain, sim, t)) {
    *works = (dls_contact_works){0};
  }
  works->normal += by_limits || plain->yields ? 0 : plain->of_events;
  add_impulses(plain, sim, sim->jump && !plain->spread ? sim->v_left : v, by_limits);
  out->impact = works->impact = works->normal + works->friction - works->sliding;
  return plain->drives && sim->config.rows > 0 ? add_joint_impulses(plain, sim, err) : DLS_OK;
}

dls_status dls_energy_plain_step(dls_energy_plain *plain, const dls_sim *sim, const dls_trajectory *record,
                                 double t, const double *q, const double *v, dls_balance_step *out,
                                 dls_error *err)
{
  plain->spread = false;
  plain->of_events = work_of_impacts(plain, sim, record, &plain->spread);
  plain->works = (dls_contact_works){0};
  if (!(sim->t > t)) {
    return DLS_OK;
  }
  plain->lasting.count = 0;
  if (plain->splits) {
    find_lasting(plain, sim);
  }
  return smooth_works(plain, sim, t, sim->t - t, q, v, plain->spread, out, err);
}
