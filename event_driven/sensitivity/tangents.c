/* event_driven/sensitivity/tangents.c -- tangents of a run: creation, start, and the phases between events; see tangents.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/tangents.h"
#include "common/base/arrays.h"
#include "event_driven/sensitivity/event_tangents.h"
#include "event_driven/sensitivity/redundant.h"
#include "event_driven/sensitivity/series_sums.h"
#include "event_driven/sensitivity/slip_pass.h"
#include "event_driven/sensitivity/slip_rest.h"
#include "event_driven/sensitivity/tape.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- forces --- */

static void mark_lost(double *x, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    x[i] = NAN;
  }
}

/* The right limits between events as the polynomial of the multistep rule has them. Where slip in space is about to end it does not follow them.
 * @return false: it has none */
static bool take_polynomial(dls_motion_tangents *tangents, const dls_event_integrator *run, double t)
{
  const dls_event_integrator *self = tangents->self.run;
  const size_t n = tangents->n, forces = self->method.d * self->method.m + self->method.sys->r;
  const bool flies = self->state.active.count == 0 && self->method.sys->r == 0,
             known = flies || dls_tangent_multistep_follows(tangents, run);
  const double *rates = known ? dls_tangent_multistep_slopes(tangents, t) : NULL;
  if (rates == NULL) {
    return false;
  }
  memcpy(tangents->rates, rates, 2 * n * tangents->count * sizeof *rates);
  rates += 2 * n * tangents->count;
  for (size_t k = 0; k < tangents->count; k++) {
    const dls_tangent *tangent = &tangents->result->tangent[k];
    if (flies) {
      memset(tangent->forces, 0, forces * sizeof *rates);
    } else {
      memcpy(tangent->forces, rates + forces * k, forces * sizeof *rates);
    }
    if (dls_tangent_has_ended(tangents, k)) { /* the rule goes on with slope 0 */
      mark_lost(tangent->a, n);
      mark_lost(tangent->forces, forces);
    }
  }
  return true;
}

/* Forces in flight: 0, which right limits are already behind another node in flight. */
static void clear_forces(dls_motion_tangents *tangents, bool left)
{
  const dls_event_method *method = &tangents->self.run->method;
  const size_t forces = method->d * method->m + method->sys->r;
  for (size_t k = 0; k < tangents->count && !(tangents->in_flight && !left); k++) {
    const dls_tangent *tangent = &tangents->result->tangent[k];
    double *out = left ? tangent->forces_left : tangent->forces;
    for (size_t i = 0; i < forces; i++) {
      out[i] = dls_tangent_has_ended(tangents, k) ? NAN : 0;
    }
  }
  tangents->in_flight = tangents->in_flight || !left;
}

/* The derivatives at fixed t of a, contact forces and multipliers at (t, q, v). */
static dls_status forces_by_slopes(dls_motion_tangents *tangents, double t, const double *q, const double *v,
                                   bool left, dls_error *err)
{
  const dls_event_method *method = &tangents->self.run->method;
  const size_t n = tangents->n, forces = method->d * method->m + method->sys->r;
  double *out = tangents->base;
  dls_status status = dls_slopes_prepare_forces(tangents, t, q, v, err);
  for (size_t k = 0; k < tangents->count && status == DLS_OK; k++) {
    const dls_tangent *tangent = &tangents->result->tangent[k];
    if (!dls_tangent_has_ended(tangents, k)) {
      status = dls_slopes_forces_of(tangents, k, t, out, err);
    }
    for (size_t i = 0; i < n + forces && dls_tangent_has_ended(tangents, k); i++) {
      out[i] = NAN;
    }
    memcpy(left ? tangent->a_left : tangent->a, out, n * sizeof *out);
    memcpy(left ? tangent->forces_left : tangent->forces, out + n, forces * sizeof *out);
  }
  if (status == DLS_OK) {
    dls_redundant_forces(tangents, left);
  }
  return status;
}

/* The same, in tangent[].a and forces, or their left limits, by the rule in use where it knows them. */
static dls_status evaluate_forces(dls_motion_tangents *tangents, double t, const double *q, const double *v,
                                  bool left, dls_error *err)
{
  if (dls_tangent_series_has_rates(tangents, t)) {
    if (left) {
      memcpy(tangents->rates_left, tangents->rates, 2 * tangents->n * tangents->count * sizeof(double));
    }
    clear_forces(tangents, left);
    return DLS_OK;
  }
  tangents->in_flight = tangents->in_flight && left;
  return forces_by_slopes(tangents, t, q, v, left, err);
}

/* Right limits at the node. */
static dls_status forces_at_node(const dls_sim *sim, dls_error *err)
{
  const dls_event_integrator *run = sim->memory;
  dls_motion_tangents *tangents = run->work.tangents;
  if (tangents->in_flight && dls_tangent_series_has_rates(tangents, sim->t)) {
    return DLS_OK;
  }
  if (!dls_tangent_series_has_rates(tangents, sim->t) && take_polynomial(tangents, run, sim->t)) {
    tangents->in_flight = false;
    return DLS_OK;
  }
  tangents->memo = &run->work.memo;
  const dls_status status = evaluate_forces(tangents, sim->t, sim->q, sim->v, false, err);
  tangents->memo = NULL;
  return status;
}

bool dls_tangents_have_forces(const dls_motion_tangents *tangents)
{
  return tangents->result->force_block != NULL;
}

void dls_tangents_clear_impulses(dls_motion_tangents *tangents)
{
  for (size_t k = 0; k < tangents->count && tangents->result->has_impulses; k++) {
    dls_tangent_set_impulses(tangents, k, dls_tangent_has_ended(tangents, k) ? NAN : 0);
  }
  tangents->result->has_impulses = false;
}

/* --- creation --- */

void dls_motion_tangents_destroy(dls_motion_tangents *tangents)
{
  if (tangents != NULL) {
    dls_slopes_destroy(tangents);
    dls_tangent_series_destroy(tangents);
    dls_neighbours_destroy(tangents);
    dls_energy_slopes_release(&tangents->energy);
    dls_accumulation_tangents_destroy(tangents->accumulation);
    dls_slip_rest_destroy(tangents->rest);
    dls_slip_pass_destroy(tangents->pass);
    dls_tape_destroy(tangents->tape);
    free(tangents->hit);
    free(tangents->block);
    free(tangents);
  }
}

/* Differences by a parameter round with the largest term of a force, unless the system states the derivatives. */
static void note_rounding(dls_motion_tangents *tangents)
{
  for (size_t k = 0; k < tangents->result->count; k++) {
    if (tangents->result->direction[k].rounding > 0 && !tangents->terms.given[k]) {
      dls_tangent_note(&tangents->result->tangent[k], DLS_DERIVATIVE_DEGENERATE, tangents->t, SIZE_MAX);
    }
  }
}

/* The arrays of the result are those of the tangents. */
static void publish(dls_motion_tangents *tangents, size_t rates)
{
  dls_sensitivity *s = tangents->result;
  const size_t n = tangents->n;
  for (size_t k = 0; k < tangents->count; k++) {
    dls_tangent *tangent = &s->tangent[k];
    tangent->dq = tangents->x + 2 * n * k;
    tangent->dv = tangent->dq + n;
    tangent->dq_left = tangents->x_left + 2 * n * k;
    tangent->dv_left = tangent->dq_left + n;
    tangent->a = rates > 0 ? tangents->rates + 2 * n * k + n : NULL;
    tangent->a_left = rates > 0 ? tangents->rates_left + 2 * n * k + n : NULL;
  }
  tangents->rates = rates > 0 ? tangents->rates : NULL;
  s->row = tangents->x - rates;
  s->row_left = tangents->x_left - rates;
  s->row_width = rates + 2 * n * tangents->count;
}

static bool allocate(dls_motion_tangents *tangents, const dls_event_method *method, bool friction,
                     bool backward)
{
  const size_t n = method->n, rows = method->d * method->m, r = method->sys->r,
               all = dls_tangents_size(tangents),
               rates = dls_tangents_have_forces(tangents) ? 2 * n * tangents->count : 0,
               values = 2 * n + 3 * rows + r;
  tangents->residuals = n + 3 * rows + r;
  tangents->block = dls_arrays((const dls_slot[]){
      {method->size, {&tangents->y}},
      {n, {&tangents->q, &tangents->v, &tangents->dq, &tangents->dv, &tangents->q_event}},
      {values + 1, {&tangents->value, &tangents->base, &tangents->by_p, &tangents->out, &tangents->lower}},
      {tangents->forces * tangents->count, {&tangents->force_slopes}},
      {rates, {&tangents->rates_left}},
      {2 * n * tangents->count, {&tangents->x_left}},
      {rates, {&tangents->rates}},
      {all,
       {&tangents->x, &tangents->first, &tangents->mid, &tangents->last, &tangents->slope, &tangents->end}},
      {(DLS_TANGENT_ORDERS + 1) * all, {&tangents->differences}},
      {DLS_TANGENT_COLUMNS * all, {&tangents->table}},
      {tangents->count + 1, {&tangents->dt, &tangents->size, &tangents->by_slip, &tangents->by_slip_before}},
      {rows, {&tangents->u, &tangents->P, &tangents->lambda, &tangents->slip_rate}},
      {n, {&tangents->a}},
      {r, {&tangents->mu}},
      {n * tangents->count, {&tangents->steady}},
      {tangents->residuals * tangents->count, {&tangents->by_parameter}},
      {method->m, {&tangents->last_speed, &tangents->turn}},
      {tangents->count + 1, {&tangents->valid_within, &tangents->energy_jump}},
      {tangents->count * method->m, {&tangents->waiting}},
      {n, {&tangents->v_from, &tangents->a_from, &tangents->v_to, &tangents->a_to}},
      {n, {&tangents->side[0].v, &tangents->side[0].dq, &tangents->side[0].dv}},
      {n, {&tangents->side[1].v, &tangents->side[1].dq, &tangents->side[1].dv}},
      {0}});
  if (tangents->block != NULL) {
    publish(tangents, rates);
  }
  tangents->hit = calloc(method->m + 1, sizeof *tangents->hit + sizeof *tangents->struck +
                                            3 * sizeof *tangents->set + sizeof *tangents->switched);
  if (tangents->hit != NULL) {
    tangents->struck = (dls_contact_mode *)(tangents->hit + method->m + 1);
    tangents->set = (size_t *)(tangents->struck + method->m + 1);
    tangents->pressed = tangents->set + method->m + 1;
    tangents->place = tangents->pressed + method->m + 1;
    tangents->switched = (bool *)(tangents->place + method->m + 1);
  }
  const bool turns = method->d == 3 && friction;
  tangents->rest = turns ? dls_slip_rest_create(method, tangents->count) : NULL;
  tangents->pass = turns ? dls_slip_pass_create(method, backward ? 0 : tangents->count) : NULL;
  return tangents->block != NULL && tangents->hit != NULL &&
         (!turns || (tangents->rest != NULL && tangents->pass != NULL));
}

/* The tangents of the initial data. */
static void set_start(dls_motion_tangents *tangents)
{
  const size_t n = tangents->n;
  for (size_t k = 0; k < tangents->count; k++) {
    const dls_direction *direction = &tangents->result->direction[k];
    double *dq = tangents->x + 2 * n * k, *dv = dq + n;
    for (size_t i = 0; i < direction->count; i++) {
      for (size_t j = 0; j < n; j++) {
        dq[j] += direction->weight[i] * (direction->system[i]->q0[j] - direction->system[0]->q0[j]);
        dv[j] += direction->weight[i] * (direction->system[i]->v0[j] - direction->system[0]->v0[j]);
      }
    }
    dls_tangent_note_direction(tangents->result, k, tangents->t);
  }
}

dls_status dls_motion_tangents_create(dls_event_integrator *run, dls_error *err)
{
  dls_sensitivity *result = run->sim->sensitivity;
  if (result == NULL) {
    return DLS_OK;
  }
  dls_motion_tangents *tangents = run->work.tangents = malloc(sizeof *tangents);
  if (tangents == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "event-driven: no memory for derivatives");
  }
  *tangents = (dls_motion_tangents){.result = result,
                                    .count = result->columns,
                                    .n = run->method.n,
                                    .t = run->sim->t,
                                    .fallbacks = &run->sim->work.fallbacks,
                                    .scale = run->work.scale};
  tangents->turns =
      run->method.d == 3 && run->work.solver != NULL && result->columns == result->count ? run->method.m : 0;
  result->forces = dls_tangents_have_forces(tangents) ? forces_at_node : NULL;
  tangents->forces = dls_tangents_have_forces(tangents) && tangents->turns == 0
                         ? run->method.d * run->method.m + run->method.sys->r
                         : 0;
  result->tol = run->method.eps.tol;
  result->scale = tangents->scale;
  if (!allocate(tangents, &run->method, run->work.solver != NULL, result->columns > result->count)) {
    return dls_fail(err, DLS_ERR_MEMORY,
                    "event-driven: no memory for the derivatives of %zu degrees of freedom", run->method.n);
  }
  set_start(tangents);
  for (size_t k = 0; k < tangents->count; k++) {
    tangents->valid_within[k] = HUGE_VAL;
    for (size_t j = 0; j < run->method.m; j++) {
      tangents->waiting[run->method.m * k + j] = HUGE_VAL;
    }
  }
  dls_status status = result->columns > result->count ? dls_tape_create(tangents, run, err) : DLS_OK;
  status = status != DLS_OK ? status : dls_neighbours_create_self(tangents, run, err);
  if (status == DLS_OK && !dls_slopes_create(tangents)) {
    return dls_fail(err, DLS_ERR_MEMORY, "event-driven: no memory for the slopes of %zu directions",
                    tangents->count);
  }
  if (status == DLS_OK) {
    dls_tangent_series_create(tangents);
    status = dls_neighbours_create(tangents, err);
  }
  if (status == DLS_OK) {
    dls_neighbours_relax(tangents, false);
    note_rounding(tangents);
  }
  if (run->work.contacts.W != NULL) { /* shared */
    dls_delassus_count_fallbacks(run->work.contacts.W, &run->sim->work.fallbacks);
  }
  if (status == DLS_OK && (result->integral != NULL || tangents->tape != NULL) &&
      dls_system_has_energy(run->method.sys)) {
    status =
        dls_energy_slopes_create(run->method.sys, result->count, result->direction, &tangents->energy, err);
  }
  return status;
}

/* --- sides --- */

int dls_tangent_side(const dls_motion_tangents *tangents, size_t k)
{
  const dls_direction *direction = &tangents->result->direction[k];
  const bool below = direction->one_sided && direction->weight[1] < 0; /* p is at its upper bound */
  return direction->falling || below ? -1 : 1;
}

void dls_tangent_keep_sides(dls_motion_tangents *tangents, size_t k)
{
  dls_tangent *tangent = &tangents->result->tangent[k];
  const size_t bytes = tangents->n * sizeof(double);
  const bool here = tangent->status_time == tangents->t && tangent->status_contact != SIZE_MAX;
  for (size_t i = 0; i < 2 && here; i++) {
    const dls_side *from = &tangents->side[i];
    dls_side *to = &tangent->side[i];
    memcpy(to->v, from->v, bytes);
    memcpy(to->dq, from->dq, bytes);
    memcpy(to->dv, from->dv, bytes);
    memcpy(to->contact, from->contact, sizeof to->contact);
    to->impacts = from->impacts;
    to->known = from->known && tangents->side[1 - i].known;
  }
}

/* --- between events --- */

double dls_tangent_distance(const dls_motion_tangents *tangents, const double *x, const double *y)
{
  double most = 0;
  for (size_t i = 0; i < 2 * tangents->n; i++) {
    const double distance = dls_tangent_unit(tangents->self.run, i) * fabs(x[i] - (y != NULL ? y[i] : 0));
    most = distance > most ? distance : most;
  }
  return most;
}

void dls_tangents_set_radii(dls_motion_tangents *tangents)
{
  const size_t m = tangents->self.run->method.m;
  for (size_t k = 0; k < tangents->count; k++) {
    double *within = &tangents->result->tangent[k].valid_within;
    *within = tangents->valid_within[k];
    for (size_t j = 0; j < m; j++) {
      *within = fmin(*within, tangents->waiting[m * k + j]);
    }
  }
}

void dls_tangents_add_to_integrals(dls_motion_tangents *tangents, double weight, const double *q,
                                   const double *v)
{
  const size_t n = tangents->n;
  for (size_t k = 0; k < tangents->count && tangents->result->integral != NULL; k++) {
    const double *dq = tangents->x + 2 * n * k;
    for (size_t i = 0; i < n; i++) {
      tangents->result->integral[n * k + i] += weight * dq[i];
    }
    if (tangents->energy.sys != NULL) {
      tangents->result->energy_integral[k] +=
          weight * (dls_energy_along(&tangents->energy, tangents->t, q, v, dq, dq + n) +
                    dls_energy_by_parameter(&tangents->energy, k, tangents->t, q, v));
    }
  }
}

double dls_tangents_lost_energy(dls_motion_tangents *tangents, const double *q, const double *v_from,
                                const double *q_to, const double *v_to)
{
  dls_energy_slopes *energy = &tangents->energy;
  return energy->sys == NULL
             ? 0
             : dls_energy_at(energy, tangents->t, q, v_from) - dls_energy_at(energy, tangents->t, q_to, v_to);
}

void dls_tangents_clear_jumps(dls_motion_tangents *tangents)
{
  for (size_t k = 0; k < tangents->count; k++) {
    tangents->energy_jump[k] = NAN;
  }
}

void dls_tangents_add_jump(dls_motion_tangents *tangents, const dls_event_integrator *run, const double *q,
                           const double *v_left)
{
  const double lost = dls_tangents_lost_energy(tangents, q, v_left, run->work.q, run->work.v);
  const size_t j = run->state.located.contact;
  for (size_t k = 0; k < tangents->count; k++) {
    const dls_tangent *tangent = &tangents->result->tangent[k];
    const double dt = j < tangents->result->m ? tangent->contact_dt[j] : tangent->dt;
    double *jump = &tangents->energy_jump[k];
    if (isnan(*jump) || dls_tangent_has_ended(tangents, k)) {
      *jump = lost != 0 ? lost * dt : 0;
    }
    if (tangents->result->energy_integral != NULL && tangents->begun) {
      tangents->result->energy_integral[k] += *jump;
    }
  }
}

/* The tangents of q behind the event at the start. */
static void keep_start(dls_motion_tangents *tangents)
{
  const size_t n = tangents->n;
  for (size_t k = 0; k < tangents->count && !tangents->begun; k++) {
    memcpy(tangents->result->start + n * k, tangents->x + 2 * n * k, n * sizeof(double));
  }
  tangents->begun = true;
}

/* To t by the rule that suits. */
static dls_status advance_to(dls_motion_tangents *tangents, dls_event_integrator *run, double t, dls_error *err)
{
  const bool at_nodes = tangents->result->integral == NULL;
  return dls_tangent_series_advance(tangents, run, t) ? DLS_OK
         : tangents->series.no_memory ? dls_fail(err, DLS_ERR_MEMORY, "event-driven: no memory for derivatives")
         : at_nodes                   ? dls_tangent_multistep(tangents, run, t, err)
                                      : dls_tangent_extrapolate(tangents, run, t, err);
}

/* The phase from the time of the tangents to t, with the integrals of dq by the rule of Gauss with six points. */
static dls_status integrate_phase(dls_motion_tangents *tangents, dls_event_integrator *run, double t,
                                  dls_error *err)
{
  static const double point[] = {0.238619186083196908630502, 0.661209386466264513661400,
                                 0.932469514203152027812302},
                      weight[] = {0.467913934572691047389870, 0.360761573048138607569834,
                                  0.171324492379170345040296};
  const double middle = 0.5 * (tangents->t + t), half = 0.5 * (t - tangents->t);
  dls_status status = DLS_OK;
  keep_start(tangents);
  for (int i = 0; i < 6 && status == DLS_OK; i++) {
    const int which = i < 3 ? 2 - i : i - 3;
    status = advance_to(tangents, run, middle + (i < 3 ? -half : half) * point[which], err);
    if (tangents->energy.sys != NULL) {
      dls_engine_interpolate(run->work.engine, tangents->t, 0, tangents->y);
    }
    dls_tangents_add_to_integrals(tangents, half * weight[which], tangents->y, tangents->y + tangents->n);
  }
  return status;
}

/* Slip in space where a step begins. */
static dls_status note_slip(dls_motion_tangents *tangents, const dls_event_integrator *run, dls_error *err)
{
  const dls_step_end *left = &run->state.left;
  const double *v = left->y + run->method.n;
  dls_neighbours_take_modes(tangents, run);
  const bool begins = tangents->tape != NULL ? left->t != tangents->tape->step_begin : left->t == tangents->t;
  if (!begins || !dls_slip_pass_measure(tangents, left->t, left->y, v)) {
    return DLS_OK;
  }
  dls_slip_rest_note(tangents, left);
  return dls_slip_pass_note(tangents, left->t, left->y, v, err);
}

/* The same where the run ends, in its last step. */
static dls_status note_slip_at_end(dls_motion_tangents *tangents, const dls_event_integrator *run,
                                   dls_error *err)
{
  const double t = run->state.end, *q = tangents->y, *v = q + run->method.n;
  if (tangents->pass == NULL) {
    return DLS_OK;
  }
  dls_engine_interpolate(run->work.engine, t, 0, tangents->y);
  return dls_slip_pass_measure(tangents, t, q, v) ? dls_slip_pass_note(tangents, t, q, v, err) : DLS_OK;
}

/* Directions along which redundant contacts do not stay closed between events end at the node. */
static void end_inconsistent(dls_motion_tangents *tangents)
{
  for (size_t k = 0; k < tangents->count; k++) {
    const dls_tangent *tangent = &tangents->result->tangent[k];
    if (tangent->inconsistency > 0 && !dls_tangent_has_ended(tangents, k)) {
      dls_tangent_end(tangents, k, DLS_DERIVATIVE_DEGENERATE, tangent->status_contact);
      tangents->history.order = 0; /* the others start again */
    }
  }
}

dls_status dls_motion_tangents_advance(dls_event_integrator *run, double t, dls_error *err)
{
  dls_motion_tangents *tangents = run->work.tangents;
  if (tangents == NULL || !(t > tangents->t)) {
    return DLS_OK;
  }
  if (tangents->result->has_impulses) {
    dls_tangents_clear_impulses(tangents);
  }
  if (run->work.contacts.joints != NULL) {
    dls_neighbours_follow_joints(tangents, run);
  }
  dls_status status = run->method.d == 3 ? note_slip(tangents, run, err) : DLS_OK;
  if (tangents->tape != NULL) {
    status = status != DLS_OK ? status : dls_tape_advance(run, err);
  } else {
    status = status == DLS_OK && tangents->result->integral != NULL ? integrate_phase(tangents, run, t, err)
                                                                    : status;
    status = status != DLS_OK ? status : advance_to(tangents, run, t, err);
    end_inconsistent(tangents);
  }
  return status == DLS_OK && t == run->state.end ? note_slip_at_end(tangents, run, err) : status;
}

void dls_tangents_drift(dls_motion_tangents *tangents, double t)
{
  const size_t n = tangents->n;
  for (size_t i = 0; i < n * tangents->count && t > tangents->t; i++) {
    double *dq = tangents->x + 2 * n * (i / n) + i % n;
    *dq += (t - tangents->t) * dq[n];
  }
  tangents->t = t;
}

const double *dls_motion_tangents_keep(dls_event_integrator *run, const double *q)
{
  dls_motion_tangents *tangents = run->work.tangents;
  return tangents != NULL ? memcpy(tangents->q_event, q, tangents->n * sizeof *q) : q;
}

dls_status dls_tangents_keep_left(dls_motion_tangents *tangents, const dls_event_integrator *run,
                                  const double *q, dls_error *err)
{
  const size_t n = tangents->n;
  memcpy(tangents->x_left, tangents->x, 2 * n * tangents->count * sizeof(double));
  const bool jumps = !dls_located_is_quiet(&run->state.located);
  return jumps && dls_tangents_have_forces(tangents)
             ? evaluate_forces(tangents, tangents->t, q, run->sim->v_left, true, err)
             : DLS_OK;
}
