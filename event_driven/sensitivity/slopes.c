/* event_driven/sensitivity/slopes.c -- slopes of tangents between events: dq' = dv and dv' = D v' along (dq, dv, dp), with the modes of the
 * contacts fixed. With v', the forces lambda of contacts and mu of joints held, D of the residuals of
 *
 *   M v' = F + H r(lambda) + G mu,      B v' + c = 0                                                      (1)
 *
 * is a right-hand side of the same linear system, whose factors are those of the motion at the instant:
 *
 *   M dv' = D [F + H r + G mu - M v'] + H r(dlambda) + G dmu,      B dv' + D [B v' + c] = 0               (2)
 *
 * B has the rows that closed contacts and joints hold. D is exact for the state of a linear system and for joints (joint_slopes.h),
 * otherwise a central difference.
 * r_T = -mu_k lambda_N e of slip. In space its direction e turns:
 *
 *   D e = (I - e e^T) / |u_T| D u_T = w p,   p = e turned by 90 degrees                                   (3)
 *
 * As slip ends, D u_T across e vanishes with |u_T|, and (3) is a stiff equation for it; w is smooth. So w is integrated with the tangents:
 *
 *   w' = (p . (D u_T)' - (p . u_T' / |u_T|) e . D u_T - w e . u_T') / |u_T|                               (4)
 *
 * Slow slip in space has a direction that follows from the forces; there D v' is a difference of accelerations.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"
#include "event_driven/sensitivity/changed_terms.h"
#include "event_driven/sensitivity/joint_slopes.h"
#include "event_driven/sensitivity/model_terms.h"
#include "event_driven/sensitivity/redundant.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What residuals consist of: forces n, rates of the rows of contacts d m, of joints r, slip velocities d m, contact forces d m. */
typedef struct residual {
  double *force, *rate, *joint, *slip, *contact;
} residual;

static residual parts_of(const dls_motion_tangents *tangents, double *values)
{
  const dls_event_method *method = &tangents->self.run->method;
  const size_t rows = method->d * method->m;
  double *rate = values + tangents->n, *slip = rate + rows + method->sys->r;
  return (residual){values, rate, rate + rows, slip, slip + rows};
}

/* --- creation --- */

bool dls_slopes_create(dls_motion_tangents *tangents)
{
  const dls_event_integrator *self = tangents->self.run;
  const dls_system *sys = self->method.sys;
  const dls_configuration *config = self->work.contacts.config;
  tangents->exact =
      sys->linear && !dls_system_has_stribeck(sys) && !config->gradient_varies && sys->slip_curvature == NULL;
  tangents->changed = calloc(tangents->count + 1, sizeof *tangents->changed + 2 * sizeof *tangents->together);
  tangents->together = (bool *)(tangents->changed != NULL ? tangents->changed + tangents->count + 1 : NULL);
  tangents->differs = (bool *)(tangents->changed != NULL ? tangents->together + tangents->count + 1 : NULL);
  if (!dls_joint_slopes_create(tangents) || tangents->changed == NULL ||
      !(tangents->exact || dls_configuration_create(sys, &tangents->shifted)) ||
      !dls_model_terms_create(tangents)) {
    return false;
  }
  for (size_t k = 0; tangents->exact && k < tangents->count; k++) {
    dls_changed_terms_find(tangents, k);
  }
  return true;
}

void dls_slopes_destroy(dls_motion_tangents *tangents)
{
  dls_configuration_destroy(&tangents->shifted);
  dls_model_terms_release(tangents);
  dls_joint_slopes_release(tangents);
  for (size_t k = 0; tangents->changed != NULL && k < tangents->count; k++) {
    dls_changed_terms_release(&tangents->changed[k]);
  }
  free(tangents->changed);
}

/* --- residuals of (1) --- */

/* x := the forces of contact j with lambda of the run, and the coefficient of friction of another system. */
static void contact_force(const dls_motion_tangents *tangents, const dls_event_integrator *near, size_t j,
                          const double *slip, double *x)
{
  const size_t d = near->method.d;
  const dls_contact_mode *mode = &tangents->self.run->state.mode[j];
  const double *lambda = tangents->lambda + d * j;
  memcpy(x, lambda, d * sizeof *x);
  if (near->work.solver == NULL || mode->kind != DLS_MODE_SLIPS) {
    return;
  }
  const double speed = d == 3 ? hypot(slip[1], slip[2]) : fabs(slip[1]),
               mu = dls_system_friction(near->method.sys, j, speed);
  for (size_t i = 1; i < d; i++) {
    x[i] = -mu * lambda[0] * mode->e[i - 1];
  }
}

/* out := the residuals of a system at (t, q, v), near the line, with v', lambda, mu of the run. */
static void evaluate(const dls_motion_tangents *tangents, const dls_event_integrator *near,
                     dls_configuration *config, double t, const double *q, const double *v,
                     const dls_state_line *line, double *values)
{
  const dls_system *sys = near->method.sys;
  const dls_contacts *closed = &tangents->self.run->state.active;
  const residual out = parts_of(tangents, values);
  const double at = dls_geometry_before_break(&near->state, t);
  if (closed->count > 0) {
    dls_configuration_at(config, at, q);
  } else { /* in flight no row of a contact is needed */
    dls_configuration_mass(config, q);
  }
  dls_system_force(sys, at, q, v, out.force);
  dls_matrix_multiply(config->M, -1, tangents->a, out.force);
  if (closed->count > 0) {
    dls_configuration_velocity(config, v, out.slip);
    dls_configuration_curvature(config, v, out.rate);
    dls_configuration_acceleration(config, tangents->a, out.rate, out.rate);
    memset(out.contact, 0, config->rows * sizeof *out.contact);
  }
  for (size_t k = 0; k < closed->count; k++) {
    const size_t row = config->d * closed->index[k];
    contact_force(tangents, near, closed->index[k], out.slip + row, out.contact + row);
    for (size_t i = 0; i < config->d; i++) {
      dls_matrix_column_add(config->H, row + i, out.contact[row + i], out.force);
    }
  }
  if (sys->r > 0) {
    dls_joint_slopes_evaluate(tangents, near, at, q, line, out.force, out.joint);
  }
}

static void add(size_t count, double weight, const double *x, double *sum)
{
  for (size_t i = 0; i < count; i++) {
    sum[i] += weight * x[i];
  }
}

/* --- their derivatives --- */

/* Size of a direction in units of the scales and of the speed: forces on bodies that spin fast change little over increments that are
 * small beside their speed. */
static double size_of(const dls_motion_tangents *tangents, const dls_state_line *line)
{
  const dls_system *sys = tangents->self.run->method.sys;
  const double *scale = tangents->scale;
  double speed = sys->length / sys->time, size = fabs(line->dt) / sys->time;
  for (size_t i = 0; i < tangents->n; i++) {
    speed = fmax(speed, sys->length / scale[i] * fabs(line->v[i]));
  }
  for (size_t i = 0; i < tangents->n; i++) {
    size = fmax(size, fmax(fabs(line->dq[i]) / scale[i], sys->length / scale[i] * fabs(line->dv[i]) / speed));
  }
  return size;
}

/* out += weight times the residuals of a system at the time and the state moved by `step` along the line. */
static void add_moved(dls_motion_tangents *tangents, const dls_event_integrator *near,
                      dls_configuration *config, double t, const dls_state_line *line, double step,
                      double weight, double *out)
{
  for (size_t i = 0; i < tangents->n; i++) {
    tangents->q[i] = line->q[i] + step * line->dq[i];
    tangents->v[i] = line->v[i] + step * line->dv[i];
  }
  evaluate(tangents, near, config, t + step * line->dt, tangents->q, tangents->v, line, tangents->value);
  add(tangents->residuals, weight, tangents->value, out);
}

static bool any(size_t count, const double *x)
{
  size_t i = 0;
  while (i < count && x[i] == 0) {
    i++;
  }
  return i < count;
}

/* Where D v' is a difference of accelerations. */
static bool by_accelerations(const dls_event_integrator *self)
{
  return self->work.contacts.baumgarte != 0 || dls_slow_slip_any(&self->method, &self->state);
}

bool dls_slopes_by_accelerations(const dls_motion_tangents *tangents)
{
  return by_accelerations(tangents->self.run);
}

double dls_slopes_noise(const dls_motion_tangents *tangents, size_t k, double acceleration)
{
  const dls_direction *direction = &tangents->result->direction[k];
  const bool both = by_accelerations(tangents->self.run), by_state = both || tangents->differs[k],
             by_parameter = both || (by_state && tangents->together[k]) ||
                            any(tangents->residuals, tangents->by_parameter + tangents->residuals * k);
  double increments =
      by_state ? tangents->size[k] / dls_neighbours_increment(tangents->self.run->method.sys) : 0;
  for (size_t i = 0; i < direction->count && by_parameter; i++) {
    increments += fabs(direction->weight[i]);
  }
  return threshold_tangent_rounding * DBL_EPSILON * acceleration * increments;
}

/* out += D along the state of a linear system. Slip velocities count in space only. */
static void along_linear_state(const dls_motion_tangents *tangents, const dls_state_line *line, double *out)
{
  const dls_event_integrator *self = tangents->self.run;
  const dls_system *sys = self->method.sys;
  const residual parts = parts_of(tangents, out);
  if (sys->K != NULL) {
    dls_matrix_multiply(sys->K, -1, line->dq, parts.force);
  }
  if (sys->C != NULL) {
    dls_matrix_multiply(sys->C, -1, line->dv, parts.force);
  }
  for (size_t k = 0; sys->d == 3 && k < self->state.active.count; k++) {
    for (size_t row = 3 * self->state.active.index[k] + 1, i = 0; i < 2; i++) {
      parts.slip[row + i] += dls_matrix_column_dot(self->work.contacts.config->H, row + i, line->dv);
    }
  }
}

/* out += D along the time, in a linear system. */
static void along_linear_time(dls_motion_tangents *tangents, const dls_state_line *line, double *out)
{
  const dls_event_integrator *self = tangents->self.run;
  dls_configuration *config = self->work.contacts.config;
  const double at = dls_geometry_before_break(&self->state, line->t),
               step = dls_neighbours_increment(self->method.sys) * self->method.sys->time;
  for (int side = -1; side <= 1; side += 2) {
    evaluate(tangents, self, config, line->t + side * step, line->q, line->v, line, tangents->value);
    add(tangents->residuals, side * line->dt / (2 * step), tangents->value, out);
  }
  dls_configuration_at(config, at, line->q);
}

/* out += D along the state and the time by differences, or of a linear system; size: of the direction. */
static void along_state(dls_motion_tangents *tangents, const dls_state_line *line, double size, double *out)
{
  const dls_event_integrator *self = tangents->self.run;
  const dls_system *sys = self->method.sys;
  if (tangents->exact) {
    along_linear_state(tangents, line, out);
    if (line->dt != 0 && dls_system_explicit_time(sys) != DLS_TIME_NONE) {
      along_linear_time(tangents, line, out);
    }
    return;
  }
  const double step = dls_neighbours_increment(sys) / size;
  for (int side = -1; side <= 1 && size > 0; side += 2) {
    add_moved(tangents, self, &tangents->shifted, line->t, line, side * step, side / (2 * step), out);
  }
}

void dls_slopes_along_load(dls_motion_tangents *tangents, size_t k, double t, double *out)
{
  const dls_direction *direction = &tangents->result->direction[k];
  if (!tangents->changed[k].load) {
    add(tangents->n, 1, tangents->steady + tangents->n * k, out);
    return;
  }
  for (size_t i = 0; i < direction->count; i++) {
    const dls_neighbour *near = &tangents->near[DLS_DIRECTION_SYSTEMS * k + i];
    dls_system_load(direction->system[i],
                    dls_geometry_before_break(&near->run->state, fmax(t, near->phase_begin)), tangents->value);
    add(tangents->n, direction->weight[i], tangents->value, out);
  }
}

static void subtract_product(const dls_matrix *A, double weight, const double *x, double *out)
{
  if (A != NULL) {
    dls_matrix_multiply(A, -weight, x, out);
  }
}

void dls_slopes_along_matrices(const dls_motion_tangents *tangents, size_t k, const double *q, const double *v,
                               double *out)
{
  const dls_direction *direction = &tangents->result->direction[k];
  const dls_changed_terms *changed = &tangents->changed[k];
  subtract_product(changed->by_K, 1, q, out);
  subtract_product(changed->by_C, 1, v, out);
  subtract_product(changed->by_M, 1, tangents->a, out);
  for (size_t i = 0; i < direction->count; i++) {
    const dls_system *sys = direction->system[i];
    const double weight = direction->weight[i];
    subtract_product(changed->K && changed->by_K == NULL ? sys->K : NULL, weight, q, out);
    subtract_product(changed->C && changed->by_C == NULL ? sys->C : NULL, weight, v, out);
    subtract_product(changed->M && changed->by_M == NULL ? sys->M : NULL, weight, tangents->a, out);
  }
}

/* The friction of contacts that slip, as their coefficient depends on parameter k. */
static void change_friction(const dls_motion_tangents *tangents, size_t k, const residual *out)
{
  const dls_event_integrator *self = tangents->self.run;
  const dls_direction *direction = &tangents->result->direction[k];
  const dls_configuration *config = self->work.contacts.config;
  for (size_t c = 0; self->work.solver != NULL && c < self->state.active.count; c++) {
    const size_t j = self->state.active.index[c], row = config->d * j;
    const dls_contact_mode *mode = &self->state.mode[j];
    double mu = 0;
    for (size_t i = 0; i < direction->count && mode->kind == DLS_MODE_SLIPS; i++) {
      mu += direction->weight[i] * dls_system_friction(direction->system[i], j, 0);
    }
    for (size_t i = 1; i < config->d && mu != 0; i++) {
      const double change = -mu * tangents->lambda[row] * mode->e[i - 1];
      dls_matrix_column_add(config->H, row + i, change, out->force);
      out->contact[row + i] += change;
    }
  }
}

/* out += D along parameter k, as the system states it. @return false: it does not */
static bool along_stated_parameter(dls_motion_tangents *tangents, size_t k, const dls_state_line *line,
                                   double *out)
{
  const residual parts = parts_of(tangents, out);
  const dls_by_parameter *by = dls_model_terms(tangents, k, line->t, line->q, line->v);
  if (by == NULL) {
    return false;
  }
  add(tangents->n, 1, by->F, out);
  add(tangents->n, -1, by->Ma, out);
  change_friction(tangents, k, &parts);
  return true;
}

/* out += D along parameter k of a linear system whose contact rows H^T v' do not depend on it. */
static void along_linear_parameter(dls_motion_tangents *tangents, size_t k, const dls_state_line *line,
                                   double *out)
{
  const dls_direction *direction = &tangents->result->direction[k];
  const residual parts = parts_of(tangents, out);
  dls_slopes_along_load(tangents, k, line->t, parts.force);
  dls_slopes_along_matrices(tangents, k, line->q, line->v, parts.force);
  change_friction(tangents, k, &parts);
  for (size_t i = 0; tangents->self.run->method.d == 3 && tangents->changed[k].surface && i < direction->count;
       i++) {
    const dls_neighbour *near = &tangents->near[DLS_DIRECTION_SYSTEMS * k + i];
    dls_configuration *config = near->run->work.contacts.config;
    dls_configuration_contacts(
        config, dls_geometry_before_break(&near->run->state, fmax(line->t, near->phase_begin)), line->q);
    add(config->rows, direction->weight[i], config->b, parts.slip);
  }
}

/* out += D along parameter k. */
static void along_parameter(dls_motion_tangents *tangents, size_t k, const dls_state_line *line, double *out)
{
  const dls_direction *direction = &tangents->result->direction[k];
  if (along_stated_parameter(tangents, k, line, out)) {
    return;
  }
  const dls_changed_terms changed = tangents->changed[k];
  if (tangents->exact && (tangents->self.run->state.active.count == 0 || !(changed.H || changed.curvature))) {
    along_linear_parameter(tangents, k, line, out);
    return;
  }
  for (size_t i = 0; i < direction->count; i++) {
    const dls_neighbour *near = &tangents->near[DLS_DIRECTION_SYSTEMS * k + i];
    evaluate(tangents, near->run, near->run->work.contacts.config, fmax(line->t, near->phase_begin), line->q,
             line->v, line, tangents->value);
    add(tangents->residuals, direction->weight[i], tangents->value, out);
  }
}

/* Is D along the state and parameter k one difference? The change of the state that belongs to the distance of the neighbours must not be
 * longer than an increment, nor so short that the difference has the round-off of many. */
static bool moves_together(const dls_motion_tangents *tangents, size_t k)
{
  const double distance = dls_neighbours_distance(&tangents->result->direction[k]),
               moved = distance * tangents->size[k],
               increment = dls_neighbours_increment(tangents->self.run->method.sys);
  return distance > 0 && !tangents->exact && !tangents->terms.given[k] && moved <= increment &&
         moved >= threshold_tangent_least_move * increment;
}

/* out := D along the state and parameter k. */
static void along(dls_motion_tangents *tangents, size_t k, const dls_state_line *line, double *out)
{
  const dls_direction *direction = &tangents->result->direction[k];
  const double *by_p = tangents->by_parameter + tangents->residuals * k;
  if (tangents->exact) {
    memcpy(out, by_p, tangents->residuals * sizeof *out);
    along_state(tangents, line, 0, out);
    return;
  }
  const double size = tangents->size[k] > 0 ? tangents->size[k] : size_of(tangents, line);
  memset(out, 0, tangents->residuals * sizeof *out);
  if (!tangents->together[k]) {
    along_state(tangents, line, size, out);
  }
  for (size_t i = 0; i < direction->count && tangents->together[k]; i++) {
    const dls_neighbour *near = &tangents->near[DLS_DIRECTION_SYSTEMS * k + i];
    add_moved(tangents, near->run, near->run->work.contacts.config, fmax(line->t, near->phase_begin), line,
              0.5 / direction->weight[i], direction->weight[i], out);
  }
  tangents->differs[k] = any(tangents->residuals, out);
  add(tangents->residuals, 1, by_p, out);
  dls_joint_slopes_along(tangents, line, size, parts_of(tangents, out).force, parts_of(tangents, out).joint);
}

/* Does the slip of contact j turn with its velocity? */
static bool turns(const dls_event_integrator *self, size_t j)
{
  return self->work.solver != NULL && self->state.mode[j].kind == DLS_MODE_SLIPS &&
         !self->state.contact[j].slips_slowly;
}

static bool any_turns(const dls_event_integrator *self)
{
  bool any = false;
  for (size_t k = 0; k < self->state.active.count && !any; k++) {
    any = turns(self, self->state.active.index[k]);
  }
  return any;
}

static double component(const double *e, const double *u)
{
  return e[0] * u[0] + e[1] * u[1];
}

/* (3): w[m] of contacts that slip faster than `least` [m/s], 0 of others. */
static void set_turns(const dls_motion_tangents *tangents, const dls_state_line *line, double least,
                      const residual *out, double *w)
{
  const dls_event_integrator *self = tangents->self.run;
  memset(w, 0, self->method.m * sizeof *w);
  for (size_t k = 0; k < self->state.active.count; k++) {
    const size_t j = self->state.active.index[k];
    const double *e = self->state.mode[j].e, across[2] = {-e[1], e[0]};
    double u[2];
    dls_slip_of(&self->method, &self->work, j, line->v, u);
    const double speed = component(e, u);
    w[j] = turns(self, j) && fabs(speed) > least ? component(across, out->slip + 3 * j + 1) / speed : 0;
  }
}

/* (3), (4): friction of contacts in space that slip, as they turn by w. */
static void turn_friction(const dls_motion_tangents *tangents, const double *w, const residual *out)
{
  const dls_event_integrator *self = tangents->self.run;
  for (size_t k = 0; self->method.d == 3 && k < self->state.active.count; k++) {
    const size_t j = self->state.active.index[k], row = 3 * j;
    const dls_contact_mode *mode = &self->state.mode[j];
    if (turns(self, j)) {
      const double friction = -mode->mu * tangents->lambda[row] * w[j], across[2] = {-mode->e[1], mode->e[0]};
      for (size_t i = 0; i < 2; i++) {
        dls_matrix_column_add(self->work.contacts.config->H, row + 1 + i, friction * across[i], out->force);
        out->contact[row + 1 + i] += friction * across[i];
      }
    }
  }
}

/* rate := D u_T' of contact j, with D v' = a. */
static void change_of_rate(const dls_motion_tangents *tangents, const residual *out, size_t j, const double *a,
                           double rate[2])
{
  const dls_matrix *H = tangents->self.run->work.contacts.config->H;
  for (size_t i = 0, row = 3 * j + 1; i < 2; i++, row++) {
    rate[i] = out->rate[row] + dls_matrix_column_dot(H, row, a);
  }
}

/* D u_T and D u_T' of the slip that is followed, with D v' = a. */
static void keep_followed(const dls_motion_tangents *tangents, size_t k, const residual *out, const double *a)
{
  const dls_followed_slip *followed = tangents->followed;
  if (followed != NULL) {
    double *change = followed->change + 4 * k;
    memcpy(change, out->slip + 3 * followed->contact + 1, 2 * sizeof *change);
    change_of_rate(tangents, out, followed->contact, a, change + 2);
  }
}

/* (4): dw := the slopes of w of direction k, with D v' = a; 0 where they are round-off, or the error that the run may make in the direction
 * of slip. by_slip: the largest derivative of a slope by a velocity across slip. */
static void turn_slopes(dls_motion_tangents *tangents, size_t k, const dls_state_line *line, const double *w,
                        const residual *out, const double *a, double *dw)
{
  const dls_event_integrator *self = tangents->self.run;
  const dls_system *sys = self->method.sys;
  memset(dw, 0, tangents->turns * sizeof *dw);
  tangents->by_slip[k] = 0;
  for (size_t i = 0; tangents->turns > 0 && i < self->state.active.count; i++) {
    const size_t j = self->state.active.index[i], row = 3 * j + 1;
    double u[2], d_rate[2];
    dls_slip_of(&self->method, &self->work, j, line->v, u);
    const double *e = self->state.mode[j].e, across[2] = {-e[1], e[0]}, speed = component(e, u);
    if (!turns(self, j) || speed == 0) {
      continue;
    }
    const double *rate = tangents->slip_rate + row;
    change_of_rate(tangents, out, j, a, d_rate);
    const double turned = component(across, d_rate) -
                          component(across, rate) / speed * component(e, out->slip + row) -
                          w[j] * component(e, rate);
    const double by_slip = hypot(rate[0], rate[1]) * fabs(component(e, out->slip + row)) / (speed * speed),
                 noise = dls_slopes_noise(tangents, k, tangents->acceleration) +
                         dls_tangent_tolerance(self) * (sys->length / sys->time) * by_slip;
    dw[j] = fabs(turned) > noise ? turned / speed : 0;
    tangents->by_slip[k] = fmax(tangents->by_slip[k], by_slip);
  }
}

/* (2): a[n]. The configuration of the run's own system is that of the instant. */
static dls_status solve(dls_motion_tangents *tangents, const residual *right, double *a, dls_error *err)
{
  dls_event_integrator *self = tangents->self.run;
  dls_contact_system *contacts = &self->work.contacts;
  const size_t rows = contacts->config->rows;
  memcpy(a, right->force, tangents->n * sizeof *a);
  if (contacts->joints != NULL) {
    for (size_t i = 0; i < self->method.sys->r; i++) {
      right->joint[i] = -right->joint[i];
    }
    dls_joints_solve(contacts->joints, a, right->joint, NULL);
  } else {
    dls_factor_solve(contacts->M, a);
  }
  if (self->state.active.count == 0) {
    return DLS_OK;
  }
  memcpy(contacts->curvature, right->rate, rows * sizeof *contacts->curvature);
  const dls_status status =
      self->work.solver == NULL
          ? dls_contact_system_reaction(contacts, &self->state.active, NULL, a, self->work.lambda, err)
          : dls_mode_solver_reaction(self->work.solver, &self->state.active, self->state.mode, NULL, NULL, a,
                                     self->work.lambda, err);
  memset(contacts->curvature, 0, rows * sizeof *contacts->curvature);
  return status;
}

/* @param[in] w  turns @param[out] a  n: D v' along direction k @param[out] dw  turns */
static dls_status slope(dls_motion_tangents *tangents, size_t k, const dls_state_line *line, const double *w,
                        double *a, double *dw, dls_error *err)
{
  dls_event_integrator *self = tangents->self.run;
  const residual out = parts_of(tangents, tangents->out);
  if (by_accelerations(self)) {
    const dls_state_function dynamics = {dls_value_dynamics, NULL,
                                         tangents->n + self->method.d * self->method.m};
    dls_status status = dls_neighbours_derivative(tangents, (int)k, &dynamics, line, tangents->out, err);
    memcpy(a, tangents->out, tangents->n * sizeof *a);
    memset(dw, 0, tangents->turns * sizeof *dw);
    tangents->by_slip[k] = 0;
    if (tangents->followed != NULL && status == DLS_OK) {
      status = dls_geometry_set(&self->state, &self->work, line->t, line->q, err);
      along(tangents, k, line, tangents->out);
      keep_followed(tangents, k, &out, a);
    }
    return status;
  }
  along(tangents, k, line, tangents->out);
  if (tangents->turns == 0 && self->method.d == 3) {
    set_turns(tangents, line, tangents->followed != NULL ? 0 : dls_slip_with_direction(tangents), &out,
              tangents->turn);
    w = tangents->turn;
  }
  turn_friction(tangents, w, &out);
  const dls_status status = solve(tangents, &out, a, err);
  if (status == DLS_OK && dls_redundant_any(self)) {
    dls_redundant_check_rates(tangents, k, line, out.rate, a,
                              dls_slopes_noise(tangents, k, tangents->acceleration));
  }
  turn_slopes(tangents, k, line, w, &out, a, dw);
  keep_followed(tangents, k, &out, a);
  return status;
}

bool dls_slopes_need_state(const dls_motion_tangents *tangents)
{
  const dls_changed_terms any = tangents->any;
  return !tangents->exact || tangents->self.run->state.active.count > 0 || any.M || any.K || any.C || any.load;
}

/* Has the run evaluated a, lambda at this state, with the modes as they are? */
static bool is_remembered(const dls_motion_tangents *tangents, double t, const double *y)
{
  const dls_memo *memo = tangents->memo;
  const size_t n = tangents->n;
  return memo != NULL && memo->valid && memo->t == t && memcmp(memo->q, y, n * sizeof *y) == 0 &&
         memcmp(memo->v, y + n, n * sizeof *y) == 0;
}

/* a, lambda from there. */
static dls_status recall_motion(dls_motion_tangents *tangents, double t, const double *y, dls_error *err)
{
  dls_event_integrator *self = tangents->self.run;
  const dls_memo *memo = tangents->memo;
  const size_t n = tangents->n;
  const dls_status status = dls_geometry_set(&self->state, &self->work, t, y, err);
  if (status != DLS_OK) {
    return status;
  }
  memcpy(tangents->a, memo->a, n * sizeof *y);
  memcpy(tangents->lambda, memo->lambda, self->method.d * self->method.m * sizeof *y);
  if (self->work.solver != NULL) {
    dls_slip_directions(self, y + n);
  }
  if (tangents->turns > 0) { /* for the rate of slip */
    dls_configuration_curvature(self->work.contacts.config, y + n, self->work.contacts.curvature);
  }
  return DLS_OK;
}

/* v', lambda, mu of the run at the instant, and the factors there. */
static dls_status evaluate_motion(dls_motion_tangents *tangents, double t, const double *y, dls_error *err)
{
  dls_event_integrator *self = tangents->self.run;
  const size_t n = tangents->n;
  const bool flies =
      self->state.active.count == 0 && self->work.contacts.joints != NULL; /* then mu needs no lambda */
  const dls_status status = flies ? dls_geometry_set(&self->state, &self->work, t, y, err)
                            : is_remembered(tangents, t, y)
                                ? recall_motion(tangents, t, y, err)
                                : dls_smooth_dynamics(self, t, y, y + n, tangents->a, tangents->lambda, err);
  if (flies) {
    memset(tangents->lambda, 0, self->method.d * self->method.m * sizeof *tangents->lambda);
  }
  if (status == DLS_OK) {
    dls_geometry_multipliers(self, t, y, y + n, tangents->lambda, tangents->a, tangents->mu);
    dls_joint_slopes_set(tangents, t, y);
  }
  for (size_t j = 0; status == DLS_OK && j < tangents->turns; j++) {
    dls_slip_rate(&self->method, &self->work, j, tangents->a, tangents->slip_rate + 3 * j + 1);
  }
  if (status == DLS_OK && tangents->followed != NULL) {
    dls_slip_rate(&self->method, &self->work, tangents->followed->contact, tangents->a,
                  tangents->followed->rate);
  }
  for (size_t i = 0; i < n; i++) { /* for the round-off of slopes */
    const double size = dls_tangent_as_length(tangents, i, tangents->a[i]), most = tangents->acceleration;
    tangents->acceleration = size > most ? size : most; /* fmax is a call */
  }
  for (size_t k = 0; k < self->state.active.count;
       k++) { /* at rest forces cancel, and their round-off does not */
    const size_t j = self->state.active.index[k];
    const double size = self->state.contact[j].weight * fabs(tangents->lambda[self->method.d * j]);
    tangents->acceleration = size > tangents->acceleration ? size : tangents->acceleration;
  }
  return status;
}

/* Direction k of the tangents x at (t, y). */
static dls_state_line line_of(const dls_motion_tangents *tangents, size_t k, double t, const double *y,
                              const double *x)
{
  const double *dq = x + 2 * tangents->n * k, dt = tangents->followed != NULL && tangents->followed->dt != NULL
                                                       ? tangents->followed->dt[k]
                                                       : 0;
  return (dls_state_line){.t = t, .q = y, .v = y + tangents->n, .dt = dt, .dq = dq, .dv = dq + tangents->n};
}

/* The sizes of the tangents x at y. */
static void take_sizes(dls_motion_tangents *tangents, double t, const double *y, const double *x)
{
  for (size_t k = 0; k < tangents->count && !tangents->exact; k++) {
    const dls_state_line line = line_of(tangents, k, t, y, x);
    tangents->size[k] = size_of(tangents, &line);
  }
}

/* The motion at (t, y), and by_parameter; with `together` not of directions whose difference is along the state too. */
static dls_status prepare(dls_motion_tangents *tangents, double t, const double *y, bool together,
                          dls_error *err)
{
  const bool motion = !tangents->exact || tangents->self.run->state.active.count > 0 || tangents->any.M;
  const dls_status status = motion ? evaluate_motion(tangents, t, y, err) : DLS_OK;
  for (size_t k = 0; k < tangents->count && status == DLS_OK; k++) {
    const dls_state_line line = line_of(tangents, k, t, y, tangents->x);
    double *out = tangents->by_parameter + tangents->residuals * k;
    memset(out, 0, tangents->residuals * sizeof *out);
    tangents->together[k] = together && moves_together(tangents, k);
    if (!tangents->together[k] && !dls_tangent_has_ended(tangents, k)) {
      along_parameter(tangents, k, &line, out);
    }
  }
  return status;
}

dls_status dls_slopes_parameters(dls_motion_tangents *tangents, double t, const double *y, dls_error *err)
{
  take_sizes(tangents, t, y, tangents->x);
  return prepare(tangents, t, y, false, err);
}

dls_status dls_slopes_set_turns(dls_motion_tangents *tangents, double t, const double *y, double *x,
                                dls_error *err)
{
  const dls_event_integrator *self = tangents->self.run;
  const size_t turns = tangents->turns, count = tangents->count;
  tangents->turns_known = true;
  if (turns == 0 || by_accelerations(self)) {
    return DLS_OK;
  }
  if (!any_turns(self)) {
    memset(x + 2 * tangents->n * count, 0, turns * count * sizeof *x);
    return DLS_OK;
  }
  const dls_status status = dls_slopes_parameters(tangents, t, y, err);
  for (size_t k = 0; k < count && status == DLS_OK; k++) {
    double *w = x + 2 * tangents->n * count + turns * k;
    const dls_state_line line = line_of(tangents, k, t, y, x);
    const residual out = parts_of(tangents, tangents->out);
    memset(w, 0, turns * sizeof *w);
    if (isnan(line.dq[0])) { /* it has ended */
      continue;
    }
    along(tangents, k, &line, tangents->out);
    set_turns(tangents, &line, 0, &out, w);
  }
  return status;
}

dls_status dls_slopes(dls_motion_tangents *tangents, double t, const double *y, const double *x, double *dx,
                      dls_error *err)
{
  take_sizes(tangents, t, y, x);
  const bool held = !by_accelerations(tangents->self.run) || tangents->followed != NULL;
  const dls_status status = held ? prepare(tangents, t, y, true, err) : DLS_OK;
  return status != DLS_OK ? status : dls_slopes_again(tangents, t, y, x, dx, err);
}

dls_status dls_slopes_motion(dls_motion_tangents *tangents, double t, const double *y, dls_error *err)
{
  return evaluate_motion(tangents, t, y, err);
}

dls_status dls_slopes_along(dls_motion_tangents *tangents, const dls_state_line *line, double *a,
                            dls_error *err)
{
  if (by_accelerations(tangents->self.run)) {
    const dls_state_function dynamics = {
        dls_value_dynamics, NULL, tangents->n + tangents->self.run->method.d * tangents->self.run->method.m};
    const dls_status status =
        dls_neighbours_event_derivative(tangents, DLS_NO_PARAMETER, &dynamics, line, tangents->out, NULL, err);
    memcpy(a, tangents->out, tangents->n * sizeof *a);
    return status;
  }
  const residual out = parts_of(tangents, tangents->out);
  memset(tangents->out, 0, tangents->residuals * sizeof *a);
  const double size = size_of(tangents, line);
  along_state(tangents, line, size, tangents->out);
  dls_joint_slopes_along(tangents, line, size, out.force, out.joint);
  if (tangents->self.run->method.d == 3) {
    set_turns(tangents, line, dls_slip_with_direction(tangents), &out, tangents->turn);
  }
  turn_friction(tangents, tangents->turn, &out);
  return solve(tangents, &out, a, err);
}

dls_status dls_slopes_with_surfaces(dls_motion_tangents *tangents, double t, const double *y, double *x,
                                    dls_error *err)
{
  dls_event_integrator *self = tangents->self.run;
  const size_t n = tangents->n;
  if (self->method.d < 3 || !any_turns(self) || by_accelerations(self)) {
    memset(x, 0, 2 * n * tangents->count * sizeof *x);
    return DLS_OK;
  }
  dls_status status = dls_slopes_parameters(tangents, t, y, err);
  for (size_t k = 0; k < self->state.active.count; k++) {
    dls_contact_mode *mode = &self->state.mode[self->state.active.index[k]];
    mode->kind = mode->kind == DLS_MODE_SLIPS ? DLS_MODE_STICKS : mode->kind;
  }
  for (size_t k = 0; k < tangents->count && status == DLS_OK; k++) {
    const double *slip = parts_of(tangents, tangents->by_parameter + tangents->residuals * k).slip;
    const residual right = parts_of(tangents, tangents->out);
    memset(tangents->out, 0, tangents->residuals * sizeof *slip);
    for (size_t i = 0; i < self->state.active.count; i++) {
      const size_t row = 3 * self->state.active.index[i] + 1;
      memcpy(right.rate + row, slip + row, 2 * sizeof *slip);
    }
    memset(x + 2 * n * k, 0, n * sizeof *x);
    status = solve(tangents, &right, x + 2 * n * k + n, err);
  }
  for (size_t k = 0; k < self->state.active.count; k++) {
    const size_t j = self->state.active.index[k];
    self->state.mode[j].kind = self->state.contact[j].mode.kind;
  }
  return status;
}

/* NaN is not passed on, except of tangents that are about to overflow. */
static dls_status check_slope(const dls_motion_tangents *tangents, size_t k, const dls_state_line *line,
                              const double *a, dls_error *err)
{
  const size_t n = tangents->n;
  bool known = true;
  for (size_t i = 0; i < n; i++) {
    known = known && !isnan(a[i]);
  }
  return known || !(dls_neighbours_size(tangents, line) < 1 / threshold_tangent_zero)
             ? DLS_OK
             : dls_sim_fail(tangents->self.sim, err, DLS_ERR_NONFINITE,
                            "the derivative by %s: that of the acceleration is not finite at t = %.17g s; is "
                            "a force finite at both neighbouring values of %s?",
                            tangents->result->direction[k].name, line->t, tangents->result->direction[k].name);
}

/* From the last slope: D of the contact forces, r(dlambda) and what D holds fixed there, then dmu. */
static void forces_of_slope(dls_motion_tangents *tangents, double *lambda)
{
  dls_event_integrator *self = tangents->self.run;
  const size_t rows = self->method.d * self->method.m;
  const residual right = parts_of(tangents, tangents->out);
  double *x = tangents->q;
  memset(lambda, 0, rows * sizeof *lambda);
  memcpy(x, right.force, tangents->n * sizeof *x);
  if (self->state.active.count > 0) {
    memcpy(lambda, self->work.lambda, rows * sizeof *lambda);
    dls_matrix_multiply(self->work.contacts.config->H, 1, lambda, x);
    add(rows, 1, right.contact, lambda);
  }
  if (self->work.contacts.joints != NULL) {
    dls_joints_solve(self->work.contacts.joints, x, right.joint, lambda + rows);
  }
}

dls_status dls_slopes_again(dls_motion_tangents *tangents, double t, const double *y, const double *x,
                            double *dx, dls_error *err)
{
  const size_t n = tangents->n, turned = 2 * n * tangents->count;
  dls_status status = DLS_OK;
  for (size_t k = 0; k < tangents->count && status == DLS_OK; k++) {
    double *slope_q = dx + 2 * n * k, *dw = dx + turned + tangents->turns * k;
    const dls_state_line line = line_of(tangents, k, t, y, x);
    memcpy(slope_q, line.dv, n * sizeof *dx);
    if (isnan(line.dq[0])) { /* it has ended */
      memset(slope_q, 0, 2 * n * sizeof *dx);
      memset(dw, 0, tangents->turns * sizeof *dw);
      memset(tangents->force_slopes + tangents->forces * k, 0, tangents->forces * sizeof *dx);
      continue;
    }
    status = slope(tangents, k, &line, x + turned + tangents->turns * k, slope_q + n, dw, err);
    if (tangents->forces > 0 && status == DLS_OK && !by_accelerations(tangents->self.run)) {
      forces_of_slope(tangents, tangents->force_slopes + tangents->forces * k);
    }
    status = status != DLS_OK ? status : check_slope(tangents, k, &line, slope_q + n, err);
  }
  return status;
}

static dls_status value_forces(dls_event_integrator *near, const void *unused, double t, const double *q,
                               const double *v, double *out, dls_error *err)
{
  double *lambda = out + near->method.n, *mu = lambda + near->method.d * near->method.m;
  const dls_status status = dls_value_dynamics(near, unused, t, q, v, out, err);
  if (status == DLS_OK) {
    dls_geometry_multipliers(near, t, q, v, lambda, out, mu);
  }
  return status;
}

/* From (2): dv', then forces_of_slope. */
static dls_status forces_along(dls_motion_tangents *tangents, size_t k, const dls_state_line *line, double *out,
                               dls_error *err)
{
  dls_event_integrator *self = tangents->self.run;
  const size_t n = tangents->n, rows = self->method.d * self->method.m;
  if (by_accelerations(self)) {
    const dls_state_function forces = {value_forces, NULL, n + rows + self->method.sys->r};
    const dls_status status = dls_neighbours_derivative(tangents, (int)k, &forces, line, tangents->out, err);
    memcpy(out, tangents->out, forces.size * sizeof *out);
    return status;
  }
  const size_t turned = 2 * n * tangents->count + tangents->turns * k;
  const dls_status status = slope(tangents, k, line, tangents->x + turned, out, tangents->slope + turned, err);
  if (status == DLS_OK) {
    forces_of_slope(tangents, out + n);
  }
  return status;
}

dls_status dls_slopes_prepare_forces(dls_motion_tangents *tangents, double t, const double *q, const double *v,
                                     dls_error *err)
{
  memcpy(tangents->y, q, tangents->n * sizeof *q);
  memcpy(tangents->y + tangents->n, v, tangents->n * sizeof *v);
  const dls_status status =
      tangents->turns_known ? DLS_OK : dls_slopes_set_turns(tangents, t, tangents->y, tangents->x, err);
  if (status != DLS_OK || by_accelerations(tangents->self.run)) {
    return status;
  }
  take_sizes(tangents, t, tangents->y, tangents->x);
  return prepare(tangents, t, tangents->y, true, err);
}

dls_status dls_slopes_forces_of(dls_motion_tangents *tangents, size_t k, double t, double *out, dls_error *err)
{
  const dls_state_line line = line_of(tangents, k, t, tangents->y, tangents->x);
  return forces_along(tangents, k, &line, out, err);
}
