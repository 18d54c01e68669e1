/* impact_slopes.c -- see impact_slopes.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/impact_slopes.h"
#include "event_driven/sensitivity/slip_pass.h"
#include <delassus/law.h>
#include <math.h>
#include <string.h>

/* --- (1) --- */

/* D u^_i by parameter k, as the laws alone depend on it. */
static double along_law(const dls_motion_tangents *tangents, size_t k, const dls_impact_function *f, size_t i,
                        const double *v)
{
  const dls_direction *direction = &tangents->result->direction[k];
  const dls_event_integrator *self = tangents->self.run;
  double weight = 0;
  for (size_t l = 0; l < direction->count && tangents->changed[k].law; l++) {
    weight += direction->weight[l] * dls_impact_weight(tangents->near[DLS_DIRECTION_SYSTEMS * k + l].run, f, i);
  }
  return weight != 0 ? weight * dls_configuration_row(self->work.contacts.config, dls_impact_row(self, f, i), v)
                     : 0;
}

/* Is (1) linear in v, with terms that do not depend on parameter k, but for the laws? */
static bool laws_alone(const dls_motion_tangents *tangents, size_t k)
{
  return tangents->exact && !dls_system_gap_moves(tangents->self.run->method.sys) && !tangents->changed[k].M &&
         !tangents->changed[k].H && !tangents->changed[k].surface;
}

/* out := D of (1) along the line; linear in v in linear systems. The geometry is that of the event afterwards. */
static dls_status held_derivative(dls_motion_tangents *tangents, size_t k, const dls_impact_function *f,
                                  const dls_state_line *line, double *out, dls_error *err)
{
  dls_event_integrator *self = tangents->self.run;
  const size_t n = tangents->n, rows = self->method.d * f->set.count;
  const dls_state_function struck = {dls_value_struck, f, n + rows};
  const dls_state_line fixed = {.t = line->t, .q = line->q, .v = line->v};
  const bool linear = tangents->exact && !dls_system_gap_moves(self->method.sys),
             laws = laws_alone(tangents, k);
  dls_status status = DLS_OK;
  if (laws) {
    memset(out, 0, (n + rows) * sizeof *out);
  } else {
    status = linear ? dls_neighbours_derivative(tangents, (int)k, &struck, &fixed, out, err)
                    : dls_neighbours_smooth_derivative(tangents, (int)k, &struck, line, out, NULL, err);
  }
  if (!laws && status == DLS_OK) {
    status = dls_geometry_set(&self->state, &self->work, line->t, line->q, err);
  }
  for (size_t i = 0; i < n && linear; i++) {
    out[i] += line->dv[i];
  }
  for (size_t i = 0; i < rows && linear; i++) {
    out[n + i] += dls_impact_weight(self, f, i) * dls_matrix_column_dot(self->work.contacts.config->H,
                                                                        dls_impact_row(self, f, i), line->dv) +
                  (laws ? along_law(tangents, k, f, i, line->v) : 0);
  }
  return status;
}

/* --- modes --- */

/* Entry of W for the normals of two contacts. */
static double normal_entry(const dls_event_integrator *self, size_t i, size_t j)
{
  return dls_delassus_entry(self->work.contacts.W, self->method.d * i, self->method.d * j);
}

/* Does contact k, without an impulse, not feel those of others? */
static bool is_apart(const dls_event_integrator *self, const dls_impact_function *f, size_t k)
{
  const size_t own = f->set.index[k];
  bool apart = true;
  for (size_t i = 0; i < f->set.count && apart; i++) {
    const size_t j = f->set.index[i];
    apart = f->P[self->method.d * i] == 0 ||
            fabs(normal_entry(self, j, own)) <=
                threshold_coupled_impacts * sqrt(normal_entry(self, j, j) * normal_entry(self, own, own));
  }
  return apart;
}

/* The mode of a contact with friction that is pressed; weight: W_NN. @return false: it is at the border */
static bool friction_mode(const dls_motion_tangents *tangents, size_t j, const double *P, const double *u,
                          double weight, double border, dls_contact_mode *mode)
{
  const size_t d = tangents->self.run->method.d;
  const double mu = tangents->self.run->work.contacts.mu[j], friction = d == 2 ? fabs(P[1]) : hypot(P[1], P[2]),
               slack = weight * (mu * P[0] - friction);
  double slip = 0;
  *mode = (dls_contact_mode){.kind = DLS_MODE_STICKS, .mu = mu};
  for (size_t i = 1; i < d; i++) {
    mode->e[i - 1] = friction > 0 ? -P[i] / friction : 0;
    slip += u[i] * mode->e[i - 1];
  }
  if (slip > slack) {
    mode->kind = DLS_MODE_SLIPS;
    mode->turning = d == 3 ? slip / (mu * P[0]) : 0;
  }
  return fmax(slip, slack) > border;
}

/* The contacts that are pressed, in tangents->pressed, and their modes in tangents->struck; u: u^. @return false: one is at the border, as velocities
 * up to eps_u of the largest are zero */
static bool find_modes(dls_motion_tangents *tangents, const dls_impact_function *f, const double *u,
                       size_t *pressed)
{
  dls_event_integrator *self = tangents->self.run;
  const size_t d = self->method.d;
  double most = 0;
  bool known = true;
  for (size_t k = 0; k < f->set.count; k++) {
    const size_t j = f->set.index[k];
    most = fmax(most, fmax(fabs(u[d * k]), normal_entry(self, j, j) * f->P[d * k]));
  }
  const double border = self->method.eps.u * most;
  *pressed = 0;
  for (size_t k = 0; k < f->set.count && known; k++) {
    const size_t j = f->set.index[k];
    const double weight = normal_entry(self, j, j), push = weight * f->P[d * k];
    if (push > u[d * k] && push > border) {
      tangents->pressed[*pressed] = j;
      tangents->place[(*pressed)++] = k;
      tangents->struck[j] = (dls_contact_mode){.kind = DLS_MODE_FRICTIONLESS};
      known = !dls_law_has_friction(self->method.sys, j) ||
              friction_mode(tangents, j, f->P + d * k, u + d * k, weight, border, &tangents->struck[j]);
    } else {
      known = u[d * k] > border || is_apart(self, f, k);
    }
  }
  return known;
}

static bool has_modes(const dls_event_integrator *self, const dls_impact_function *f)
{
  bool has = self->work.contacts.gives == NULL;
  for (size_t k = 0; k < f->set.count && has; k++) {
    has = !dls_law_sees_speed(self->method.sys, f->set.index[k]);
  }
  return has;
}

/* --- (2) --- */

/* dP[d count] := -D mu P_N e of contacts that slip */
static void change_friction(const dls_motion_tangents *tangents, size_t k, const dls_impact_function *f,
                            size_t pressed, double *dP)
{
  const dls_direction *direction = &tangents->result->direction[k];
  const size_t d = tangents->self.run->method.d;
  memset(dP, 0, d * f->set.count * sizeof *dP);
  for (size_t at = 0; at < pressed && tangents->self.run->work.solver != NULL; at++) {
    const size_t j = tangents->pressed[at], place = d * tangents->place[at];
    double mu = 0;
    for (size_t l = 0; l < direction->count && tangents->struck[j].kind == DLS_MODE_SLIPS; l++) {
      mu += direction->weight[l] * direction->system[l]->mu[j];
    }
    for (size_t l = 1; l < d; l++) {
      dP[place + l] = -mu * f->P[place] * tangents->struck[j].e[l - 1];
    }
  }
}

/* Slip in space that is slow behind the impact turns by errors of the velocity. D u^ is H^T dv and the curvature of the contact system. With
 * a tape the directions are those of the state, whose radii are no radii of parameters: their status counts alone. */
static void limit_slip(const dls_crossing *c, size_t k, const dls_impact_function *f, size_t pressed,
                       const double *dv)
{
  dls_motion_tangents *tangents = c->tangents;
  const dls_contact_system *contacts = &tangents->self.run->work.contacts;
  for (size_t at = 0; at < pressed; at++) {
    const size_t j = tangents->pressed[at], row = 3 * j + 1;
    const dls_contact_mode *mode = &tangents->struck[j];
    double change[2];
    for (size_t l = 0; l < 2 && mode->turning > 0; l++) {
      change[l] = contacts->curvature[row + l] + dls_matrix_column_dot(contacts->config->H, row + l, dv);
    }
    if (mode->turning > 0) {
      const double within = tangents->valid_within[k];
      dls_slip_pass_limit_running(tangents, k, c->t, j,
                                  mode->turning * mode->mu * f->P[3 * tangents->place[at]],
                                  fabs(mode->e[0] * change[1] - mode->e[1] * change[0]));
      tangents->valid_within[k] = tangents->tape != NULL ? within : tangents->valid_within[k];
    }
  }
}

/* The same of normals alone, without friction. */
static dls_status hold_normals(dls_event_integrator *self, const dls_contacts *set, double *dv, dls_error *err)
{
  dls_event_work *work = &self->work;
  const dls_contact_system *contacts = &work->contacts;
  memset(work->lambda, 0, self->method.d * self->method.m * sizeof *dv);
  for (size_t k = 0; k < set->count; k++) {
    const size_t row = work->held[k] = self->method.d * set->index[k];
    work->u_free[k] = contacts->curvature[row] + dls_matrix_column_dot(contacts->config->H, row, dv);
  }
  const dls_status status =
      dls_delassus_solve_bilateral(contacts->W, set->count, work->held, work->u_free, work->impulse, err);
  for (size_t k = 0; k < set->count && status == DLS_OK; k++) {
    work->lambda[work->held[k]] = work->impulse[k];
  }
  if (status == DLS_OK) {
    dls_delassus_apply(contacts->W, set->count, work->held, 1, work->impulse, dv);
  }
  return status;
}

/* dv[n] := D v+, lambda[d m] := the rest of dP; in: those of (1), and D u^[d count]. */
static dls_status solve_modes(const dls_crossing *c, size_t k, const dls_impact_function *f, size_t pressed,
                              const double *du, const double *dP, double *dv, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  dls_event_integrator *self = tangents->self.run;
  dls_contact_system *contacts = &self->work.contacts;
  const size_t d = self->method.d;
  const dls_contacts set = {pressed, tangents->pressed};
  for (size_t i = 0; i < d * pressed; i++) {
    const size_t row = d * tangents->pressed[i / d] + i % d;
    contacts->curvature[row] =
        du[d * tangents->place[i / d] + i % d] - dls_matrix_column_dot(contacts->config->H, row, dv);
  }
  if (self->work.solver != NULL) { /* without friction dP is 0 */
    dls_contact_system_apply(contacts, &f->set, 1, dP, dv);
  }
  const dls_status status = self->work.solver == NULL
                                ? hold_normals(self, &set, dv, err)
                                : dls_mode_solver_reaction(self->work.solver, &set, tangents->struck, NULL,
                                                           NULL, dv, self->work.lambda, err);
  if (d == 3) {
    limit_slip(c, k, f, pressed, dv);
  }
  for (size_t i = 0; i < d * pressed; i++) {
    contacts->curvature[d * tangents->pressed[i / d] + i % d] = 0;
  }
  return status;
}

/* (2) of one contact without friction in a linear system whose laws alone depend on the parameter, as most impacts are. dP: d */
static bool slopes_of_one(dls_motion_tangents *tangents, size_t k, const dls_impact_function *f,
                          const dls_state_line *line, double *out, double *dP)
{
  dls_event_integrator *self = tangents->self.run;
  const size_t j = f->set.index[0];
  if (f->set.count != 1 || self->work.solver != NULL || !(f->P[0] > 0) || !laws_alone(tangents, k)) {
    return false;
  }
  const double du = dls_matrix_column_dot(self->work.contacts.config->normals, j, line->dv);
  memset(dP, 0, self->method.d * sizeof *dP);
  dP[0] =
      -(dls_impact_weight(self, f, 0) * du + along_law(tangents, k, f, 0, line->v)) / normal_entry(self, j, j);
  memcpy(out, line->dv, tangents->n * sizeof *out);
  dls_contact_system_apply(&self->work.contacts, &f->set, 1, dP, out);
  return true;
}

dls_status dls_impact_slopes(const dls_crossing *c, size_t k, const dls_impact_function *impact,
                             const dls_state_line *line, bool *known, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  dls_event_integrator *self = tangents->self.run;
  const size_t n = tangents->n, d = self->method.d;
  double *out = tangents->out, *base = tangents->value, *dP = tangents->base,
         *add = dls_tangent_impulses(tangents, k);
  size_t pressed = 0;
  *known = has_modes(self, impact);
  if (!*known) {
    return DLS_OK;
  }
  if (slopes_of_one(tangents, k, impact, line, out, dP)) {
    if (dls_tangents_have_forces(tangents)) {
      add[dls_impact_row(self, impact, 0)] += dP[0];
    }
    return DLS_OK;
  }
  dls_status status = dls_value_struck(self, impact, line->t, line->q, line->v, base, err);
  *known = status == DLS_OK && find_modes(tangents, impact, base + n, &pressed);
  if (!*known) {
    return status;
  }
  status = held_derivative(tangents, k, impact, line, out, err);
  change_friction(tangents, k, impact, pressed, dP);
  status = status != DLS_OK ? status : solve_modes(c, k, impact, pressed, out + n, dP, out, err);
  for (size_t i = 0; i < d * impact->set.count && status == DLS_OK && dls_tangents_have_forces(tangents); i++) {
    const size_t row = dls_impact_row(self, impact, i);
    add[row] += dP[i] + self->work.lambda[row];
  }
  return status;
}
