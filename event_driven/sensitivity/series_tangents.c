/* event_driven/sensitivity/series_tangents.c -- tangents through an accumulation, which is one event with a duration tau:
 *   x+ = D x_end - f+ D tau
 * x_end is the mean of the states (1), (2) of accumulation.c at the end of both passes, functions of the state at the start and of the sums
 * over the impacts. The sums depend on W, a, e, g, u of the contacts, and their derivatives come from cluster_tangents.h. The second pass has
 * the coefficients at the end of the first, along whose derivative they change: with the first alone x+ would err by O(tau). In space they
 * depend on the direction of slip, which turns by D u_T / |u_T| across it: so differences in linear systems err by rounding alone.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "event_driven/sensitivity/event_tangents.h"
#include "event_driven/sensitivity/series_sums.h"
#include "event_driven/sensitivity/slip_rest.h"
#include "event_driven/sensitivity/tape.h"
#include <delassus/law.h>
#include <math.h>
#include <string.h>

/* The accumulation as functions of the state at its start. */
typedef struct series_function {
  dls_accumulation *acc;  /* contacts, and what they do along their tangents */
  dls_local_pass *pass;   /* its second, as scratch */
  dls_cluster_sums *sums; /* of the pass */
} series_function;

static dls_status set_coefficients(dls_event_integrator *near, const series_function *f, double t,
                                   const double *q, const double *v, dls_error *err)
{
  const dls_status status = dls_geometry_set(&near->state, &near->work, t, q, err);
  if (status == DLS_OK) {
    dls_local_pass_set_coefficients(near, f->acc, t, q, v, f->pass);
  }
  return status;
}

/* W, a, e, u of the contacts. */
static dls_status coefficients_value(dls_event_integrator *near, const void *data, double t, const double *q,
                                     const double *v, double *out, dls_error *err)
{
  const series_function *f = data;
  const size_t k = f->acc->k;
  const dls_status status = set_coefficients(near, f, t, q, v, err);
  memcpy(out, f->pass->W, k * k * sizeof *out);
  memcpy(out + k * k, f->pass->a, k * sizeof *out);
  for (size_t i = 0; i < k && status == DLS_OK; i++) {
    const size_t j = f->acc->set[i];
    out[k * (k + 1) + i] = dls_law_restitution(near->method.sys, j, 0);
    out[k * (k + 2) + i] = dls_configuration_row(near->work.contacts.config, near->method.d * j, v);
  }
  return status;
}

/* What coefficients add to q + tau v and v of the start, with the sums of the pass. */
static dls_status motion_value(dls_event_integrator *near, const void *data, double t, const double *q,
                               const double *v, double *out, dls_error *err)
{
  const series_function *f = data;
  const size_t n = near->method.n;
  const dls_status status = set_coefficients(near, f, t, q, v, err);
  memset(near->sim->q, 0, n * sizeof *q);
  memset(near->sim->v, 0, n * sizeof *v);
  f->pass->sums = f->sums;
  if (status == DLS_OK) {
    dls_local_pass_set_end_state(near, f->acc, f->pass);
  }
  memcpy(out, f->pass->q, n * sizeof *out);
  memcpy(out + n, f->pass->v, n * sizeof *out);
  return status;
}

/* Friction of contact i, with normal impulses P. */
static void friction_of(const dls_event_integrator *near, const series_function *f, const double *P, size_t i,
                        double *friction)
{
  for (size_t l = 0; l + 1 < near->method.d; l++) {
    friction[l] = f->pass->c[2 * i + l] * P[i];
  }
  dls_local_pass_held_friction(&near->method, f->acc, f->pass, 1, P, i, friction);
}

/* Friction of all contacts, with the sums of the pass. */
static dls_status friction_value(dls_event_integrator *near, const void *data, double t, const double *q,
                                 const double *v, double *out, dls_error *err)
{
  const series_function *f = data;
  const dls_status status = set_coefficients(near, f, t, q, v, err);
  for (size_t i = 0; i < f->acc->k && status == DLS_OK; i++) {
    friction_of(near, f, f->sums->P, i, out + (near->method.d - 1) * i);
  }
  return status;
}

/* Half of the derivatives of the impulses of a pass: delta sum P, and D of their friction. */
static dls_status add_impulses(const dls_crossing *c, size_t k, const series_function *f,
                               const dls_state_line *line, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  dls_event_integrator *self = tangents->self.run;
  const double *P = tangents->accumulation->rates->end.P;
  const size_t d = c->run->method.d;
  const dls_state_function friction = {friction_value, f, (d - 1) * f->acc->k};
  dls_status status =
      dls_neighbours_event_derivative(tangents, (int)k, &friction, line, tangents->out, NULL, err);
  if (status == DLS_OK) {
    status = set_coefficients(self, f, line->t, line->q, line->v, err);
  }
  for (size_t i = 0; i < f->acc->k && status == DLS_OK; i++) {
    double *impulse = dls_tangent_impulses(tangents, k) + d * f->acc->set[i], along[2] = {0};
    impulse[0] += 0.5 * P[i];
    friction_of(self, f, P, i, along);
    for (size_t l = 0; l + 1 < d; l++) {
      impulse[1 + l] += 0.5 * (along[l] + tangents->out[(d - 1) * i + l]);
    }
  }
  return status;
}

/* end += what the derivatives of the sums add: M^-1 D (delta sum), and the motion during delta tau. */
static dls_status add_sums(const dls_crossing *c, const series_function *f, const dls_state_line *line,
                           double *end, dls_error *err)
{
  dls_event_integrator *self = c->tangents->self.run;
  const size_t n = c->tangents->n;
  const dls_cluster_rates *rates = &c->tangents->accumulation->rates->end;
  dls_cluster_sums change = {.P = rates->P, .PM = rates->PM, .L = rates->L, .LM = rates->LM};
  const dls_status status = set_coefficients(self, f, line->t, line->q, line->v, err);
  memset(self->sim->q, 0, n * sizeof(double));
  memset(self->sim->v, 0, n * sizeof(double));
  f->pass->sums = &change;
  if (status == DLS_OK) {
    dls_local_pass_set_end_state(self, f->acc, f->pass);
  }
  for (size_t i = 0; i < n; i++) {
    const double drift = f->pass->drift[i];
    end[i] += f->pass->q[i] + rates->tau * (c->run->sim->v[i] + f->sums->tau * drift);
    end[n + i] += f->pass->v[i] + rates->tau * drift;
  }
  return status;
}

/* dx := x^ at the impact from which the first contact has left: there its gap is 0 for all neighbours. @param[out] dt  its derivative */
static dls_status move_to_impact(const dls_crossing *c, size_t k, const dls_accumulation *acc, double *dx,
                                 double *dt, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  const dls_sim *sim = c->run->sim;
  const size_t n = tangents->n;
  const double *x = tangents->x + 2 * n * k;
  double *dg = tangents->accumulation->dg;
  dls_status status = DLS_OK;
  bool left = false;
  *dt = 0;
  for (size_t i = 0; i < acc->k && status == DLS_OK; i++) {
    status = dls_neighbours_gap_change(c->tangents, k, acc->set[i], sim->t, sim->q, sim->v, &dg[i], err);
    if (!left && acc->g[i] == 0 && acc->u[i] > 0) {
      left = true;
      *dt = -dg[i] / acc->u[i];
    }
  }
  for (size_t i = 0; i < acc->k; i++) {
    dg[i] += acc->u[i] * *dt;
  }
  for (size_t i = 0; i < n; i++) {
    dx[i] = x[i] + sim->v[i] * *dt;
    dx[n + i] = x[n + i] + sim->a[i] * *dt;
  }
  return status;
}

/* D W, a of the contacts on the line, and with `all` of e and u. */
static dls_status differentiate_coefficients(const dls_crossing *c, size_t k, const series_function *f,
                                             const dls_state_line *line, bool all, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  dls_accumulation_tangents *a = tangents->accumulation;
  const dls_state_function coefficients = {coefficients_value, f, f->acc->k * (f->acc->k + (all ? 3 : 1))};
  dls_swap(&tangents->value, &a->value);
  dls_swap(&tangents->by_p, &a->by_p);
  const dls_status status =
      dls_neighbours_event_derivative(tangents, (int)k, &coefficients, line, a->coefficients, NULL, err);
  dls_swap(&tangents->value, &a->value);
  dls_swap(&tangents->by_p, &a->by_p);
  return status;
}

/* Directions of slip turn in proportion to the slip across them, from the state of the line. Where there is no slip, a direction stays. */
static dls_status take_slip(const dls_crossing *c, const dls_state_line *line, dls_error *err)
{
  dls_event_integrator *self = c->tangents->self.run;
  dls_accumulation *acc = c->run->work.accumulation;
  const dls_status status = dls_geometry_set(&self->state, &self->work, line->t, line->q, err);
  for (size_t i = 0; i < acc->k && status == DLS_OK && self->method.d == 3; i++) {
    const double *start = acc->direction + 2 * i;
    double *slip = c->tangents->accumulation->slip + 3 * i, e[2];
    const double size = dls_slip_direction(self, acc->set[i], line->v, e);
    const bool turns = size > 0 && e[0] * start[0] + e[1] * start[1] > 0;
    memcpy(slip, turns ? e : start, sizeof e);
    slip[2] = turns && size > dls_slip_with_direction(c->tangents) ? size : HUGE_VAL;
  }
  acc->turning = self->method.d == 3 ? c->tangents->accumulation->slip : NULL;
  return status;
}

/* end[2 n] := D of the end of a pass, with its coefficients on the line; dx: x^ at the start, dq then dv.
 * @param[in] first  those at the start @param[out] known  false: its sums have no derivatives */
static dls_status pass_once(const dls_crossing *c, size_t k, series_function *f, const dls_state_line *line,
                            const double *dx, bool first, double *end, bool *known, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  const size_t n = tangents->n;
  const dls_state_function motion = {motion_value, f, 2 * n};
  dls_status status = take_slip(c, line, err);
  status = status != DLS_OK ? status : differentiate_coefficients(c, k, f, line, first, err);
  if (status == DLS_OK && !first) {
    status = set_coefficients(tangents->self.run, f, line->t, line->q, line->v, err);
  }
  f->sums = status == DLS_OK ? dls_accumulation_tangents_sums(tangents->accumulation, f->acc,
                                                              first ? &f->acc->local_pass[0] : f->pass)
                             : NULL;
  *known = f->sums != NULL;
  if (!*known) {
    return status;
  }
  status = dls_neighbours_event_derivative(tangents, (int)k, &motion, line, end, NULL, err);
  status = status == DLS_OK && dls_tangents_have_forces(tangents) ? add_impulses(c, k, f, line, err) : status;
  status = status != DLS_OK ? status : add_sums(c, f, line, end, err);
  for (size_t i = 0; i < n; i++) {
    end[i] += dx[i] + f->sums->tau * dx[n + i];
    end[n + i] += dx[n + i];
  }
  return status;
}

/* Through the accumulation. @param[out] late  how much later than in the run, where slow contacts rest early, the series ends
 * @param[out] known  false: nothing was done */
static dls_status pass_series(const dls_crossing *c, size_t k, double *late, bool *known, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  dls_accumulation_tangents *a = tangents->accumulation;
  dls_accumulation *acc = c->run->work.accumulation;
  const dls_local_pass *pass = &acc->local_pass[0];
  const dls_sim *sim = c->run->sim;
  const dls_system *sys = c->run->method.sys;
  const size_t n = tangents->n;
  double *x = tangents->x + 2 * n * k, *start = a->start, dt = 0;
  series_function f = {.acc = acc, .pass = &acc->local_pass[1]};
  a->rates->rounding = threshold_same_order * sys->length / dls_direction_unit(&tangents->result->direction[k]);
  a->rates->time = sys->time;
  dls_status status = move_to_impact(c, k, acc, start, &dt, err);
  const dls_state_line first = {sim->t, sim->q, sim->v, dt, start, start + n};
  status = status != DLS_OK ? status : pass_once(c, k, &f, &first, start, true, a->end[0], known, err);
  if (status != DLS_OK || !*known) {
    return status;
  }
  const double tau = a->rates->end.tau, duration = f.sums->tau;
  const dls_state_line second = {
      sim->t + pass->sums->tau, pass->q, pass->v, dt + tau, a->end[0], a->end[0] + n};
  status = pass_once(c, k, &f, &second, start, false, a->end[1], known, err);
  if (status != DLS_OK || !*known) {
    return status;
  }
  *late = 0.5 * (duration + f.sums->tau) - pass->sums->tau;
  dt += 0.5 * (tau + a->rates->end.tau);
  for (size_t i = 0; i < n; i++) {
    x[i] = 0.5 * (a->end[0][i] + a->end[1][i]) - c->run->work.v[i] * dt;
    x[n + i] = 0.5 * (a->end[0][n + i] + a->end[1][n + i]) - c->run->work.a[i] * dt;
  }
  dls_tangent_set_event_dt(tangents, k, dt);
  return status;
}

/* The tangents of the directions whose dt is known, from the end of the series, with f+ there, to the end in the run. */
static dls_status move_to_end(const dls_crossing *c, double late, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  const dls_event_work *end = &c->run->work;
  const size_t n = tangents->n;
  double *q = tangents->y, *v = q + n, *a = tangents->a_to;
  for (size_t i = 0; i < n; i++) {
    q[i] = end->q[i] + late * end->v[i];
    v[i] = end->v[i] + late * end->a[i];
  }
  dls_status status = dls_smooth_dynamics(tangents->self.run, c->t + late, q, v, a, tangents->lambda, err);
  for (size_t k = 0; k < tangents->count && status == DLS_OK; k++) {
    const double dt = tangents->result->tangent[k].dt;
    double *x = tangents->x + 2 * n * k;
    for (size_t i = 0; i < n && !isnan(dt); i++) {
      x[i] -= (v[i] - end->v[i]) * dt;
      x[n + i] -= (a[i] - end->a[i]) * dt;
    }
  }
  status = status != DLS_OK ? status : dls_slopes_set_turns(tangents, c->t + late, q, tangents->x, err);
  status = status != DLS_OK ? status : dls_slopes(tangents, c->t + late, q, tangents->x, tangents->slope, err);
  for (size_t i = 0; i < 2 * n * tangents->count && status == DLS_OK; i++) {
    tangents->x[i] -= isnan(tangents->result->tangent[i / (2 * n)].dt) ? 0 : late * tangents->slope[i];
  }
  tangents->turns_known = false;
  return status;
}

/* Is the motion up to the end that of the passes, with laws whose coefficients are constants? */
static bool is_series(const dls_crossing *c)
{
  const dls_accumulation *acc = c->run->work.accumulation;
  bool is = acc->slip == DLS_SLIP_AGREES;
  for (size_t i = 0; i < acc->k; i++) {
    is = is && !dls_law_sees_speed(c->run->method.sys, acc->set[i]);
  }
  return is;
}

/* Room for as many contacts as the accumulation has. */
static dls_status reserve(const dls_crossing *c, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  const size_t k = c->run->work.accumulation->k;
  if (tangents->accumulation != NULL && k <= tangents->accumulation->capacity) {
    return DLS_OK;
  }
  dls_accumulation_tangents *larger = dls_accumulation_tangents_create(&c->run->method, k);
  if (larger == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY,
                    "event-driven: no memory for the derivatives of an accumulation of %zu contacts", k);
  }
  dls_accumulation_tangents_destroy(tangents->accumulation);
  tangents->accumulation = larger;
  return DLS_OK;
}

dls_status dls_motion_tangents_accumulate(dls_event_integrator *run, size_t participants, dls_error *err)
{
  dls_motion_tangents *tangents = run->work.tangents;
  dls_status status = DLS_OK;
  if (tangents == NULL) {
    return status;
  }
  const dls_crossing c = {
      .run = run, .tangents = tangents, .t = run->state.located.t, .q = run->work.q, .count = participants};
  const bool series = is_series(&c);
  double late = 0;
  const double half = 0.5 * (c.t - run->sim->t); /* integrals: its duration is at most that of its error */
  dls_tangents_clear_impulses(tangents);
  dls_tangents_clear_jumps(tangents);
  status = dls_tangents_keep_left(tangents, run, c.q, err);
  dls_tangents_add_to_integrals(tangents, half, run->sim->q, run->sim->v);
  status = status != DLS_OK ? status : reserve(&c, err);
  status = status != DLS_OK ? status : dls_tape_open(run, NULL, participants, err);
  for (size_t k = 0; k < tangents->count && status == DLS_OK; k++) {
    bool known = false;
    dls_tangent_set_event_dt(tangents, k, NAN);
    if (series && !dls_tangent_has_ended(tangents, k)) {
      status = pass_series(&c, k, &late, &known, err);
      run->work.accumulation->turning = NULL;
    }
    for (size_t i = 0; !known && i < participants * run->method.d && dls_tangents_have_forces(tangents); i++) {
      const size_t row = run->method.d * run->state.participant[i / run->method.d].contact;
      dls_tangent_impulses(tangents, k)[row + i % run->method.d] = NAN;
    }
  }
  tangents->t = c.t;
  for (size_t i = 0; i < participants; i++) { /* the impacts before belong to it */
    const size_t j = run->state.participant[i].contact;
    tangents->last_speed[j] = 0;
    for (size_t k = 0; k < tangents->count; k++) {
      tangents->waiting[run->method.m * k + j] = HUGE_VAL;
    }
  }
  dls_neighbours_follow(tangents, run);
  dls_slip_rest_forget(tangents->rest);
  status = status == DLS_OK && late != 0 ? move_to_end(&c, late, err) : status;
  for (size_t k = 0; k < tangents->count && status == DLS_OK; k++) {
    if (!dls_tangent_has_ended(tangents, k)) {
      const bool known = !isnan(tangents->result->tangent[k].dt);
      if (!known) { /* of first order in its duration */
        dls_tangent_note(&tangents->result->tangent[k], DLS_DERIVATIVE_DEGENERATE, c.t,
                         run->state.participant[0].contact);
      }
      status = known ? DLS_OK : dls_tangent_come_to_rest(&c, k, err);
      status = status != DLS_OK ? status : dls_tangent_project(&c, k, run->work.q, run->work.v, err);
    }
  }
  status = status != DLS_OK ? status : dls_tangents_note_idle(&c, err);
  dls_tangents_set_radii(tangents);
  dls_tangents_add_to_integrals(tangents, half, run->work.q, run->work.v);
  dls_tangents_add_jump(tangents, run, run->sim->q, run->sim->v);
  return status != DLS_OK ? status : dls_tape_close(run, NULL, participants, err);
}
