/* event_driven/sensitivity/neighbours.c -- derivatives of functions of the state, by differences:
 *   along the state in the run's own system, with an increment of the size that suits (dt, dq, dv);
 *   along the parameter at the fixed state, in the systems of the direction.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include "common/base/memory.h"
#include "event_driven/sensitivity/event_values.h"
#include "event_driven/sensitivity/model_terms.h"
#include <delassus/law.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the neighbours --- */

/* Its contacts, without what another system owns. A copy of contacts has memory for its rows alone. */
static void release_contacts(dls_neighbour *neighbour, const dls_contact_system *copied)
{
  dls_contact_system *contacts = &neighbour->run->work.contacts;
  if (neighbour->shares) {
    free(contacts->own.b);
    contacts->own.sys = NULL;
    contacts->M = NULL;
    contacts->W = NULL;
  }
  if (copied == NULL || contacts->lcp != copied->lcp) {
    dls_contact_system_destroy(contacts);
  }
  *contacts = (dls_contact_system){0};
}

void dls_neighbours_destroy(dls_motion_tangents *tangents)
{
  for (size_t i = 0; tangents->near != NULL && i < tangents->count * DLS_DIRECTION_SYSTEMS; i++) {
    dls_event_integrator *near = tangents->near[i].run;
    if (near != NULL) {
      dls_mode_solver_destroy(near->work.solver);
      release_contacts(&tangents->near[i], &tangents->self.run->work.contacts);
    }
    free(tangents->near[i].sim); /* and the run behind it */
  }
  free(tangents->near);
  if (tangents->self.run != NULL) {
    release_contacts(&tangents->self, NULL);
  }
  dls_event_integrator_destroy(tangents->self.run);
  if (tangents->self.sim != NULL) {
    free(tangents->self.sim->block);
    free(tangents->self.sim);
  }
}

/* The contact system of a run with the W, H and the factor of M of another, whose M and H are constant and the same. Without friction that
 * of a neighbour is a copy, with rows of its own. */
static dls_status share_operators(dls_neighbour *neighbour, const dls_event_integrator *from, bool copy,
                                  dls_error *err)
{
  dls_event_integrator *near = neighbour->run;
  dls_contact_system *contacts = &near->work.contacts;
  const dls_system *sys = near->method.sys;
  dls_configuration config;
  double *mixture = dls_configuration_share(&from->work.contacts.own, sys, copy ? sys->d * sys->m : 0, &config);
  if (mixture == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "event-driven: no memory for %zu contacts", sys->m);
  }
  dls_status status = DLS_OK;
  neighbour->shares = true;
  if (copy) {
    *contacts = from->work.contacts;
    contacts->work = &near->sim->work;
    contacts->mixture = mixture;
  } else {
    status = dls_contact_system_create(&config, from->work.contacts.W, 0.5, &near->sim->work, contacts, err);
  }
  contacts->own = config;
  contacts->config = &contacts->own;
  contacts->M = from->work.contacts.M;
  if (copy) {
    dls_contact_system_take_laws(contacts);
  }
  return status;
}

/* The first break, and the contacts. */
static dls_status finish(const dls_event_integrator *model, dls_neighbour *out, dls_error *err)
{
  out->phase_begin = -HUGE_VAL;
  dls_explicit_time_next_break(&out->run->method, &out->run->state, model->sim->t);
  return dls_event_integrator_create_contacts(out->run, model->work.contacts.loose,
                                              model->work.contacts.baumgarte, err);
}

dls_status dls_neighbours_create_self(dls_motion_tangents *tangents, dls_event_integrator *model,
                                      dls_error *err)
{
  dls_neighbour *self = &tangents->self;
  dls_sim *sim = self->sim = malloc(sizeof *sim);
  dls_event_integrator *run = self->run = malloc(sizeof *run);
  if (run != NULL) {
    *run = (dls_event_integrator){.sim = sim, .method = model->method, .state = {.scale = 1}};
  }
  if (sim != NULL) { /* a state and counters of its own */
    *sim = *model->sim;
    sim->block = dls_arrays((const dls_slot[]){{model->method.n, {&sim->q, &sim->v}}, {0}});
    sim->work = (dls_work){0};
    sim->record = NULL;
    sim->sensitivity = NULL;
  }
  if (sim == NULL || sim->block == NULL || run == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "event-driven: no memory for derivatives");
  }
  if (!dls_event_integrator_allocate(run)) {
    return dls_fail(err, DLS_ERR_MEMORY, "event-driven: no memory for the derivatives of %zu contacts",
                    run->method.m);
  }
  const dls_contact_system *contacts = &model->work.contacts;
  const bool same = run->method.m > 0 && run->method.sys->r == 0 && !contacts->config->mass_varies &&
                    !contacts->config->gradient_varies;
  const dls_status status = same ? share_operators(self, model, false, err) : DLS_OK;
  return status != DLS_OK ? status : finish(model, self, err);
}

/* A run of another system with modes, contacts and a memory of its own, in the workspace of the run's own system: what it evaluates stays
 * there until another one evaluates. */
static dls_status create_near(const dls_motion_tangents *tangents, size_t k, const dls_system *sys,
                              dls_neighbour *out, dls_error *err)
{
  const dls_neighbour *self = &tangents->self;
  const size_t n = sys->n, m = sys->m;
  const size_t of_contact = sizeof(dls_contact) + sizeof(dls_contact_mode) + sizeof(size_t),
               doubles = dls_size_sum(3 * n, sys->d * m),
               arrays =
                   dls_size_sum(dls_size_product(doubles, sizeof(double)), dls_size_product(m + 1, of_contact));
  dls_sim *sim = out->sim = malloc(dls_size_sum(sizeof *sim + sizeof *out->run, arrays));
  if (sim == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "event-driven: no memory for the derivatives of %zu contacts", m);
  }
  dls_event_integrator *run = out->run = (dls_event_integrator *)(sim + 1);
  *sim = *self->sim;
  sim->sys = sys;
  *run = *self->run;
  run->sim = sim;
  run->method.sys = sys;
  run->work.contacts = (dls_contact_system){0};
  run->work.solver = NULL;
  dls_memo *memo = &run->work.memo;
  memo->q = (double *)(run + 1);
  memo->v = memo->q + n;
  memo->a = memo->v + n;
  memo->lambda = memo->a + n;
  run->state.contact = (dls_contact *)(memo->lambda + sys->d * m);
  run->state.mode = (dls_contact_mode *)(run->state.contact + m + 1);
  run->state.active.index = (size_t *)(run->state.mode + m + 1);
  const dls_changed_terms changed = tangents->changed[k];
  const bool same = tangents->exact && sys->r == 0 && m > 0 && !changed.M && !changed.H;
  const dls_status status =
      same ? share_operators(out, self->run, self->run->work.contacts.problem == NULL, err) : DLS_OK;
  return status != DLS_OK ? status : finish(self->run, out, err);
}

dls_status dls_neighbours_create(dls_motion_tangents *tangents, dls_error *err)
{
  const dls_sensitivity *result = tangents->result;
  tangents->near = calloc(tangents->count * DLS_DIRECTION_SYSTEMS + 1, sizeof *tangents->near);
  if (tangents->near == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "event-driven: no memory for derivatives");
  }
  dls_status status = DLS_OK;
  for (size_t k = 0; k < tangents->count && status == DLS_OK; k++) {
    for (size_t i = 0; i < result->direction[k].count && status == DLS_OK; i++) {
      status = create_near(tangents, k, result->direction[k].system[i],
                           &tangents->near[DLS_DIRECTION_SYSTEMS * k + i], err);
    }
  }
  return status;
}

/* The coefficient of friction of a mode, in another system. */
static double friction_of(const dls_system *sys, size_t j, const dls_contact_mode *mode)
{
  return mode->kind == DLS_MODE_STICKS  ? fmax(sys->mu[j], sys->mu_s[j])
         : mode->kind == DLS_MODE_SLIPS ? dls_system_friction(sys, j, 0)
                                        : mode->mu;
}

void dls_neighbour_set_closed(dls_event_integrator *near, size_t j, bool closed)
{
  dls_event_state *state = &near->state;
  state->contact[j].closed = closed;
  state->active.count = 0;
  for (size_t i = 0; i < near->method.m; i++) {
    if (state->contact[i].closed) {
      state->active.index[state->active.count++] = i;
    }
  }
  near->work.memo.valid = false;
}

void dls_neighbours_switch(dls_motion_tangents *tangents, size_t k, size_t j, bool closed,
                           const dls_contact_mode *mode)
{
  for (size_t i = 0; i <= tangents->result->direction[k].count; i++) {
    dls_event_integrator *near =
        i == 0 ? tangents->self.run : tangents->near[DLS_DIRECTION_SYSTEMS * k + i - 1].run;
    near->state.contact[j].mode = *mode;
    near->state.contact[j].mode.mu = friction_of(near->method.sys, j, mode);
    near->state.mode[j] = near->state.contact[j].mode;
    dls_neighbour_set_closed(near, j, closed);
  }
}

static void follow(dls_event_integrator *near, const dls_event_integrator *run)
{
  const size_t m = run->method.m;
  dls_event_state *to = &near->state;
  const dls_event_state *from = &run->state;
  for (size_t j = 0; j < m; j++) {
    to->contact[j] = from->contact[j];
    to->contact[j].mode.mu = friction_of(near->method.sys, j, &from->contact[j].mode);
    to->mode[j] = to->contact[j].mode;
    to->was_closed[j] = from->was_closed[j];
  }
  memcpy(to->active.index, from->active.index, from->active.count * sizeof *to->active.index);
  to->active.count = from->active.count;
  to->split_stored = from->split_stored;
  memcpy(to->reaction_split, from->reaction_split, run->method.d * m * sizeof *to->reaction_split);
  to->located = (dls_located_event){.kind = DLS_LOCATED_NONE, .t = HUGE_VAL};
  near->work.memo.valid = false;
}

void dls_neighbours_follow(dls_motion_tangents *tangents, const dls_event_integrator *run)
{
  tangents->history.order = 0;
  tangents->turns_known = false;
  tangents->series.begun = tangents->series.failed = false;
  dls_neighbours_take_modes(tangents, run);
}

void dls_neighbours_follow_joints(dls_motion_tangents *tangents, const dls_event_integrator *run)
{
  for (size_t i = 0; i <= DLS_DIRECTION_SYSTEMS * tangents->count; i++) {
    dls_event_integrator *near = i == 0 ? tangents->self.run : tangents->near[i - 1].run;
    if (near != NULL) {
      dls_joints_follow(near->work.contacts.joints, run->work.contacts.joints);
      near->work.contacts.config->renewals++; /* their rank may be another */
    }
  }
}

void dls_neighbours_take_modes(dls_motion_tangents *tangents, const dls_event_integrator *run)
{
  for (size_t j = 0; j < tangents->turns; j++) { /* slip has become slow, or is established */
    if (run->state.contact[j].slips_slowly != tangents->self.run->state.contact[j].slips_slowly) {
      tangents->history.order = 0;
      tangents->turns_known = false;
    }
  }
  follow(tangents->self.run, run);
  for (size_t i = 0; i < tangents->count * DLS_DIRECTION_SYSTEMS; i++) {
    if (tangents->near[i].run != NULL) {
      follow(tangents->near[i].run, run);
    }
  }
}

void dls_neighbours_relax(dls_motion_tangents *tangents, bool relax)
{
  for (size_t i = 0; i <= DLS_DIRECTION_SYSTEMS * tangents->result->count; i++) {
    dls_event_integrator *near = i == 0 ? tangents->self.run : tangents->near[i - 1].run;
    if (near != NULL) {
      near->state.without_relaxation = !relax;
      near->work.memo.valid = false;
    }
  }
}

double dls_slip_with_direction(const dls_motion_tangents *tangents)
{
  return threshold_adjoint_slip * tangents->self.run->method.eps.s;
}

void dls_neighbours_turn_slip(dls_motion_tangents *tangents, double t, const double *q, const double *v)
{
  dls_event_integrator *self = tangents->self.run;
  if (self->method.d < 3 || self->work.solver == NULL ||
      dls_geometry_set(&self->state, &self->work, t, q, NULL) != DLS_OK) {
    return;
  }
  for (size_t k = 0; k < self->state.active.count; k++) {
    const size_t j = self->state.active.index[k];
    const dls_contact *contact = &self->state.contact[j];
    double u[2];
    const double size = dls_slip_of(&self->method, &self->work, j, v, u);
    if (contact->mode.kind != DLS_MODE_SLIPS || contact->slips_slowly ||
        !(size > dls_slip_with_direction(tangents))) {
      continue;
    }
    for (size_t i = 0; i <= DLS_DIRECTION_SYSTEMS * tangents->result->count; i++) {
      dls_event_integrator *near = i == 0 ? self : tangents->near[i - 1].run;
      if (near != NULL) {
        near->state.contact[j].mode.e[0] = u[0] / size;
        near->state.contact[j].mode.e[1] = u[1] / size;
        near->work.memo.valid = false;
      }
    }
  }
}

static void pass_break(dls_neighbour *neighbour)
{
  dls_event_integrator *near = neighbour->run;
  neighbour->phase_begin = near->state.next_break;
  near->state.next_break = dls_system_next_break(near->method.sys, near->state.next_break);
  near->work.memo.valid = false;
}

bool dls_neighbours_pass_break(dls_motion_tangents *tangents, const dls_event_integrator *run, double t,
                               double *dt)
{
  bool passed = false;
  memset(dt, 0, tangents->count * sizeof *dt);
  while (tangents->self.run->state.next_break <= t && run->state.next_break > t) {
    pass_break(&tangents->self);
    passed = true;
    for (size_t k = 0; k < tangents->count; k++) {
      dt[k] = 0;
      for (size_t i = 0; i < tangents->result->direction[k].count; i++) {
        dls_neighbour *near = &tangents->near[DLS_DIRECTION_SYSTEMS * k + i];
        pass_break(near);
        dt[k] += tangents->result->direction[k].weight[i] * near->phase_begin;
      }
    }
  }
  return passed;
}

/* --- results --- */

void dls_tangent_set_event_dt(dls_motion_tangents *tangents, size_t k, double dt)
{
  dls_tangent *tangent = &tangents->result->tangent[k];
  tangent->dt = dt;
  for (size_t j = 0; j < tangents->result->m; j++) {
    tangent->contact_dt[j] = dt;
  }
}

void dls_tangent_end(dls_motion_tangents *tangents, size_t k, dls_derivative_status status, size_t contact)
{
  dls_tangent *tangent = &tangents->result->tangent[k];
  tangents->in_flight = false; /* its forces become NaN */
  dls_tangent_note(tangent, status, tangents->t, contact);
  for (size_t i = 0; i < 2 * tangents->n; i++) {
    tangents->x[2 * tangents->n * k + i] = NAN;
  }
  dls_tangent_set_event_dt(tangents, k, NAN);
  dls_tangent_set_impulses(tangents, k, NAN);
}

void dls_tangent_set_impulses(dls_motion_tangents *tangents, size_t k, double value)
{
  double *impulse = dls_tangent_impulses(tangents, k);
  const dls_event_method *method = &tangents->self.run->method;
  for (size_t i = 0; i < method->d * method->m && impulse != NULL; i++) {
    impulse[i] = value;
  }
}

/* --- derivatives --- */

enum { TRIALS = 4 }; /* increments of a difference, at most */

/* Increments of the state, and weights of a first derivative, both per step; weights of one of fourth order beside that of sixth. */
typedef struct difference {
  size_t count;
  double at[6], weight[6], lower[6];
} difference;
static const difference second_order = {2, {-1, 1}, {-0.5, 0.5}, {0}},
                        fourth_order = {4, {-2, -1, 1, 2}, {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}, {0}},
                        sixth_order = {6,
                                       {-3, -2, -1, 1, 2, 3},
                                       {-1.0 / 60, 9.0 / 60, -45.0 / 60, 45.0 / 60, -9.0 / 60, 1.0 / 60},
                                       {0, 1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}};

double dls_neighbours_size(const dls_motion_tangents *tangents, const dls_state_line *line)
{
  const dls_system *sys = tangents->self.run->method.sys;
  const double *scale = tangents->scale;
  double size = fabs(line->dt) / sys->time;
  for (size_t i = 0; i < tangents->n; i++) {
    size = fmax(size, line->dq != NULL ? fabs(line->dq[i]) / scale[i] : 0);
    size = fmax(size, line->dv != NULL ? fabs(line->dv[i]) * sys->time / scale[i] : 0);
  }
  return size;
}

static dls_status value_at(dls_motion_tangents *tangents, const dls_state_function *f,
                           const dls_state_line *line, double step, dls_error *err)
{
  for (size_t i = 0; i < tangents->n; i++) {
    tangents->q[i] = line->q[i] + (line->dq != NULL ? step * line->dq[i] : 0);
    tangents->v[i] = line->v[i] + (line->dv != NULL ? step * line->dv[i] : 0);
  }
  return f->value(tangents->self.run, f->data, line->t + step * line->dt, tangents->q, tangents->v,
                  tangents->value, err);
}

/* out += the difference by these weights. @param[in,out] value  largest value of f */
static dls_status add_values(dls_motion_tangents *tangents, const dls_state_function *f,
                             const dls_state_line *line, const difference *d, double step, double *out,
                             double *lower, double *value, dls_error *err)
{
  for (size_t i = 0; i < d->count; i++) {
    const dls_status status = value_at(tangents, f, line, d->at[i] * step, err);
    if (status != DLS_OK) {
      return status;
    }
    for (size_t j = 0; j < f->size; j++) {
      out[j] += d->weight[i] / step * tangents->value[j];
    }
    for (size_t j = 0; j < f->size && lower != NULL; j++) {
      lower[j] += d->lower[i] / step * tangents->value[j];
      *value = fmax(*value, fabs(tangents->value[j]));
    }
  }
  return DLS_OK;
}

/* Relative error of a difference of sixth order: about the power 3/2 of that of fourth order. 0: both differ by round-off. */
static double truncation(size_t size, const double *out, const double *lower, double noise)
{
  double most = 0, turn = 0;
  for (size_t j = 0; j < size; j++) {
    most = dls_larger(most, fabs(out[j]));
    turn = dls_larger(turn, fabs(out[j] - lower[j]));
  }
  return turn <= noise ? 0 : pow(turn / most, 1.5);
}

/* Directions that turn a short link bend f more than one of length 1 does: the increment is shortened while the error falls. */
static dls_status sixth_along_state(dls_motion_tangents *tangents, const dls_state_function *f,
                                    const dls_state_line *line, double step, double *out, dls_error *err)
{
  double last = HUGE_VAL, *kept = tangents->base, *lower = tangents->lower;
  for (int k = 0; k < TRIALS; k++) {
    double value = 0;
    memset(out, 0, f->size * sizeof *out);
    memset(lower, 0, f->size * sizeof *lower);
    const dls_status status = add_values(tangents, f, line, &sixth_order, step, out, lower, &value, err);
    if (status != DLS_OK && k == 0) {
      return status;
    }
    const double noise = threshold_tangent_bend_rounding * DBL_EPSILON * value / step,
                 error = truncation(f->size, out, lower, noise);
    if (k > 0 && !(status == DLS_OK && error < last)) {
      memcpy(out, kept, f->size * sizeof *out);
      break;
    }
    if (!(error > threshold_tangent_truncation && error < HUGE_VAL)) {
      return DLS_OK;
    }
    memcpy(kept, out, f->size * sizeof *out);
    last = error;
    step *= 0.5 * pow(threshold_tangent_truncation / error, 1.0 / 6);
  }
  dls_count_fallback(tangents->fallbacks, "coarse-difference");
  return DLS_OK;
}

static dls_status along_state(dls_motion_tangents *tangents, const dls_state_function *f,
                              const dls_state_line *line, const difference *d, double step, double *out,
                              dls_error *err)
{
  return d == &sixth_order ? sixth_along_state(tangents, f, line, step, out, err)
                           : add_values(tangents, f, line, d, step, out, NULL, NULL, err);
}

/* Has a linear system at (t, q) the M and H of the run's own system, its gaps and velocities of surfaces for all neighbours? */
static bool is_alike(const dls_motion_tangents *tangents, int direction, const dls_state_line *line)
{
  const dls_event_integrator *self = tangents->self.run;
  const dls_direction *d = &tangents->result->direction[direction];
  dls_configuration *own = self->work.contacts.config;
  bool alike = tangents->exact && !tangents->changed[direction].M && !tangents->changed[direction].H;
  if (alike) {
    dls_configuration_contacts(own, dls_geometry_before_break(&self->state, line->t), line->q);
    dls_configuration_gap(own, self->work.u);
  }
  for (size_t i = 0; i < d->count && alike; i++) {
    const dls_neighbour *near = &tangents->near[DLS_DIRECTION_SYSTEMS * (size_t)direction + i];
    dls_configuration *config = near->run->work.contacts.config;
    dls_configuration_contacts(
        config, dls_geometry_before_break(&near->run->state, fmax(line->t, near->phase_begin)), line->q);
    dls_configuration_gap(config, self->work.g);
    alike = memcmp(self->work.g, self->work.u, self->method.m * sizeof *self->work.g) == 0 &&
            memcmp(config->b, own->b, own->rows * sizeof *own->b) == 0;
  }
  return alike;
}

/* Does a function not change with the parameter? Gaps and velocities of contacts do not know their laws, impacts do. */
static bool is_fixed(const dls_motion_tangents *tangents, int direction, const dls_state_function *f,
                     const dls_state_line *line)
{
  const bool impact =
      f->value == dls_value_impact || f->value == dls_value_impulse || f->value == dls_value_struck;
  return (f->value == dls_value_gaps || f->value == dls_value_held || f->value == dls_value_slip ||
          (impact && !tangents->changed[direction].law)) &&
         is_alike(tangents, direction, line);
}

static dls_status along_parameter(dls_motion_tangents *tangents, int direction, const dls_state_function *f,
                                  const dls_state_line *line, double *out, dls_error *err)
{
  const dls_direction *d = &tangents->result->direction[direction];
  if (f->value == dls_value_gap && tangents->exact && !tangents->changed[direction].gap) {
    return DLS_OK;
  }
  const dls_by_parameter *by = f->value == dls_value_gap
                                   ? dls_model_terms(tangents, (size_t)direction, line->t, line->q, line->v)
                                   : NULL;
  if (by != NULL) {
    *out += by->g[((const dls_contact_function *)f->data)->contact];
    return DLS_OK;
  }
  if (is_fixed(tangents, direction, f, line)) {
    return DLS_OK;
  }
  for (size_t i = 0; i < d->count; i++) {
    const dls_neighbour *near = &tangents->near[DLS_DIRECTION_SYSTEMS * (size_t)direction + i];
    const dls_status status =
        f->value(near->run, f->data, fmax(line->t, near->phase_begin), line->q, line->v, tangents->value, err);
    if (status != DLS_OK) {
      return status;
    }
    for (size_t j = 0; j < f->size; j++) {
      out[j] += d->weight[i] * tangents->value[j];
    }
  }
  return DLS_OK;
}

static dls_status derivative(dls_motion_tangents *tangents, int direction, const dls_state_function *f,
                             const dls_state_line *line, const difference *d, double increment, double *out,
                             dls_error *err)
{
  const double size = dls_neighbours_size(tangents, line);
  memset(out, 0, f->size * sizeof *out);
  dls_status status = size > 0 ? along_state(tangents, f, line, d, increment / size, out, err) : DLS_OK;
  if (status == DLS_OK && direction != DLS_NO_PARAMETER) {
    status = along_parameter(tangents, direction, f, line, out, err);
  }
  return status;
}

double dls_neighbours_increment(const dls_system *sys)
{
  return sys->linear && sys->d < 3 && !dls_system_has_stribeck(sys) ? 1 : threshold_tangent_increment;
}

dls_status dls_neighbours_derivative(dls_motion_tangents *tangents, int direction, const dls_state_function *f,
                                     const dls_state_line *line, double *out, dls_error *err)
{
  return derivative(tangents, direction, f, line, &second_order,
                    dls_neighbours_increment(tangents->self.run->method.sys), out, err);
}

/* Slopes of both sides, relative to the largest. */
typedef struct slopes {
  double most, value, turn; /* largest slope, value, and difference of a slope from the mean of both */
} slopes;

/* base is f, value f on one side at a distance of `step`. */
static void compare_slope(const dls_motion_tangents *tangents, size_t size, int side, double step,
                          const double *mean, slopes *out)
{
  for (size_t j = 0; j < size; j++) {
    const double slope = side * (tangents->value[j] - tangents->base[j]) / step;
    out->most = fmax(out->most, fabs(slope));
    out->value = fmax(out->value, fabs(tangents->value[j]));
    out->turn = fmax(out->turn, fabs(slope - mean[j]));
  }
}

static double bend_of_slopes(const slopes *s, double step)
{
  const double noise = threshold_tangent_bend_rounding * DBL_EPSILON * s->value / step;
  return s->turn > noise ? s->turn / s->most : 0;
}

/* Do the slopes of velocities along the state differ on both sides? 0 if the difference is round-off. */
static dls_status bend_along_state(dls_motion_tangents *tangents, const dls_state_function *f,
                                   const dls_state_line *line, const double *out, double *bend, dls_error *err)
{
  const dls_system *sys = tangents->self.run->method.sys;
  const double size = dls_neighbours_size(tangents, line), step = threshold_tangent_event_increment / size;
  slopes s = {.value = sys->length / sys->time};
  dls_status status = DLS_OK;
  for (int side = -1; side <= 1 && size > 0 && status == DLS_OK; side += 2) {
    status = value_at(tangents, f, line, side * step, err);
    compare_slope(tangents, f->size, side, step, out, &s);
  }
  *bend = size > 0 ? bend_of_slopes(&s, step) : 0;
  return status;
}

static dls_neighbour *neighbour_of(const dls_motion_tangents *tangents, int direction, int side)
{
  return &tangents->near[DLS_DIRECTION_SYSTEMS * (size_t)direction + (side > 0)];
}

/* The same along the parameter. @param[in] out  derivative with respect to it at the fixed state */
static dls_status bend_along_parameter(dls_motion_tangents *tangents, int direction,
                                       const dls_state_function *f, const dls_state_line *line,
                                       const double *out, double *bend, dls_error *err)
{
  const dls_system *sys = tangents->self.run->method.sys;
  const double step = dls_neighbours_distance(&tangents->result->direction[direction]);
  slopes s = {.value = sys->length / sys->time};
  dls_status status = DLS_OK;
  for (int side = -1; side <= 1 && step > 0 && status == DLS_OK; side += 2) {
    dls_neighbour *near = neighbour_of(tangents, direction, side);
    status =
        f->value(near->run, f->data, fmax(line->t, near->phase_begin), line->q, line->v, tangents->value, err);
    compare_slope(tangents, f->size, side, step, out, &s);
  }
  *bend = step > 0 ? bend_of_slopes(&s, step) : 0;
  return status;
}

static dls_status event_derivative(dls_motion_tangents *tangents, int direction, const dls_state_function *f,
                                   const dls_state_line *line, const difference *d, double increment,
                                   double *out, double *bend, dls_error *err)
{
  double along_p = 0;
  const bool linear = tangents->exact && line->dt == 0 && /* with the modes as they are */
                      (f->value == dls_value_held || f->value == dls_value_slip);
  const difference *of = linear ? &second_order : d;
  dls_status status = derivative(tangents, DLS_NO_PARAMETER, f, line, of, increment, out, err);
  if (status == DLS_OK && bend != NULL) {
    status = value_at(tangents, f, line, 0, err);
    memcpy(tangents->base, tangents->value, f->size * sizeof *tangents->base);
    status = status != DLS_OK ? status : bend_along_state(tangents, f, line, out, bend, err);
  }
  if (status != DLS_OK || direction == DLS_NO_PARAMETER) {
    return status;
  }
  double *by_p = tangents->by_p;
  memset(by_p, 0, f->size * sizeof *by_p);
  status = along_parameter(tangents, direction, f, line, by_p, err);
  if (status == DLS_OK && bend != NULL) {
    status = bend_along_parameter(tangents, direction, f, line, by_p, &along_p, err);
    *bend = fmax(*bend, along_p);
  }
  for (size_t j = 0; j < f->size; j++) {
    out[j] += by_p[j];
  }
  return status;
}

dls_status dls_neighbours_gap_change(dls_motion_tangents *tangents, size_t k, size_t j, double t,
                                     const double *q, const double *v, double *out, dls_error *err)
{
  dls_event_integrator *self = tangents->self.run;
  const dls_contact_function which = {.contact = j};
  const dls_state_function gap = {dls_value_gap, &which, 1};
  const dls_state_line fixed = {.t = t, .q = q, .v = v};
  const dls_status status = dls_geometry_set(&self->state, &self->work, t, q, err);
  const double along_state =
      dls_matrix_column_dot(self->work.contacts.config->normals, j, tangents->x + 2 * tangents->n * k);
  if (status != DLS_OK) {
    return status;
  }
  const dls_status added = dls_neighbours_derivative(tangents, (int)k, &gap, &fixed, out, err);
  *out += along_state;
  return added;
}

dls_status dls_neighbours_event_derivative(dls_motion_tangents *tangents, int direction,
                                           const dls_state_function *f, const dls_state_line *line, double *out,
                                           double *bend, dls_error *err)
{
  return event_derivative(tangents, direction, f, line, &fourth_order, threshold_tangent_event_increment, out,
                          bend, err);
}

dls_status dls_neighbours_smooth_derivative(dls_motion_tangents *tangents, int direction,
                                            const dls_state_function *f, const dls_state_line *line,
                                            double *out, double *bend, dls_error *err)
{
  return event_derivative(tangents, direction, f, line, &sixth_order, threshold_tangent_smooth_increment, out,
                          bend, err);
}

dls_status dls_neighbours_side_derivative(dls_motion_tangents *tangents, int direction,
                                          const dls_state_function *f, const dls_state_line *line, int side,
                                          double *out, dls_error *err)
{
  const double both = dls_neighbours_distance(&tangents->result->direction[direction]);
  const double size = dls_neighbours_size(tangents, line);
  const double step = both > 0 ? both : threshold_tangent_increment / size;
  dls_status status = value_at(tangents, f, line, 0, err);
  memcpy(tangents->base, tangents->value, f->size * sizeof *tangents->base);
  if (status == DLS_OK) {
    status = value_at(tangents, f, line, side * step, err); /* the state, in tangents->q, v */
  }
  if (status == DLS_OK && both > 0) {
    dls_neighbour *near = neighbour_of(tangents, direction, side);
    status = f->value(near->run, f->data, fmax(line->t + side * step * line->dt, near->phase_begin),
                      tangents->q, tangents->v, tangents->value, err);
  }
  for (size_t j = 0; j < f->size; j++) {
    out[j] = side * (tangents->value[j] - tangents->base[j]) / step;
  }
  return status == DLS_OK && both == 0 ? along_parameter(tangents, direction, f, line, out, err) : status;
}

dls_status dls_value_dynamics(dls_event_integrator *near, const void *unused, double t, const double *q,
                              const double *v, double *out, dls_error *err)
{
  (void)unused;
  return dls_smooth_dynamics(near, t, q, v, out, out + near->method.n, err);
}
