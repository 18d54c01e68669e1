/* event_driven/sensitivity/adjoint_phase.c -- the adjoint equation between two checkpoints; see adjoint.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "event_driven/sensitivity/adjoint.h"
#include <delassus/balance.h>
#include <float.h>
#include <gsl/gsl_integration.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the motion, computed again --- */

static double motion_end(void *data)
{
  return ((const dls_event_integrator *)data)->state.end;
}

/* Does the motion come to where the run has come? */
static dls_status compare_end(dls_adjoint *a, const double *goal, bool *repeats, dls_error *err)
{
  const double *scale = a->tangents->scale, time = a->run->method.sys->time;
  const size_t n = a->run->method.n;
  double worst = 0;
  for (size_t i = 0; i < n; i++) {
    worst = fmax(worst, fabs(a->y[i] - goal[i]) / fmax(scale[i], fabs(goal[i])));
    worst = fmax(worst, fabs(a->y[n + i] - goal[n + i]) / fmax(scale[i] / time, fabs(goal[n + i])));
  }
  const double allowed = threshold_adjoint_repeat * a->run->method.eps.tol;
  *repeats = worst <= allowed;
  return *repeats
             ? DLS_OK
             : dls_fail(
                   err, DLS_ERR_INTEGRATOR,
                   "adjoint equation: the motion from t = %.10g to %.10g s, computed again, differs by %.3g of "
                   "the scales, allowed is %.3g; a load may be shorter than a step: set max_step",
                   a->begin, a->end, worst, allowed);
}

static dls_status repeat_motion(dls_adjoint *a, const dls_tape_checkpoint *from, const double *goal,
                                bool *repeats, dls_error *err)
{
  dls_event_integrator *self = a->tangents->self.run;
  const size_t n = self->method.n;
  double t = from->t, bracket = 0;
  memset(a->y, 0, self->method.size * sizeof *a->y);
  memcpy(a->y, from->y, 2 * n * sizeof *a->y);
  self->state.end = a->end;
  self->state.failure = DLS_OK;
  dls_status status = dls_path_begin(&a->states, 2 * n, t) ? DLS_OK : DLS_ERR_MEMORY;
  dls_neighbours_turn_slip(a->tangents, t, a->y, a->y + n);
  status = status != DLS_OK ? status : dls_engine_restart(a->motion, t, a->y, a->end - t, err);
  while (status == DLS_OK && t < a->end) {
    status = dls_engine_step(a->motion, &t, a->y, &bracket, err);
    if (status == DLS_OK) {
      dls_engine_interpolate(a->motion, fmin(t, a->end), 0, a->y);
      status = dls_path_add(&a->states, a->motion, fmin(t, a->end), a->state) ? DLS_OK : DLS_ERR_MEMORY;
      dls_neighbours_turn_slip(a->tangents, fmin(t, a->end), a->y, a->y + n);
    }
  }
  if (status == DLS_ERR_MEMORY) {
    return dls_fail(err, status, "no memory for the motion from t = %.10g to %.10g s", from->t, a->end);
  }
  return status != DLS_OK ? dls_smooth_failure(&self->state, self->sim, status, err)
                          : compare_end(a, goal, repeats, err);
}

/* --- l --- */

/* j_x, of the integral of the energy at a state; NULL: there is no integral */
static const double *running_slope(dls_adjoint *a, double t, const double *y)
{
  if (a->by_state != NULL) {
    dls_energy_by_state(&a->tangents->energy, t, y, y + a->run->method.n, a->by_state);
  }
  return a->by_state != NULL ? a->by_state : a->running;
}

/* out := f_x^T l + j_x at time t. */
static dls_status slope(dls_adjoint *a, double t, const double *lambda, double *out, dls_error *err)
{
  dls_motion_tangents *tangents = a->tangents;
  dls_event_integrator *self = tangents->self.run;
  const size_t n = self->method.n;
  dls_status status = DLS_OK;
  if (tangents->tape->transposed.exact) {
    if (!self->method.sys->linear) {
      dls_path_value(&a->states, t, a->state);
      dls_transposed_at(self, t, a->state, a->state + n);
    }
    dls_transposed_apply(&tangents->tape->transposed, self, lambda + n, out, out + n);
  } else {
    dls_path_value(&a->states, t, a->state);
    dls_neighbours_turn_slip(tangents, t, a->state, a->state + n);
    status = dls_slopes_motion(tangents, t, a->state, err);
    for (size_t i = 0; i < 2 * n && status == DLS_OK; i++) {
      const dls_state_line line = {.t = t, .q = a->state, .v = a->state + n, .dq = a->unit, .dv = a->unit + n};
      a->unit[i] = 1;
      status = dls_slopes_along(tangents, &line, a->out, err);
      a->unit[i] = 0;
      out[i] = 0;
      for (size_t k = 0; k < n; k++) {
        out[i] += lambda[n + k] * a->out[k];
      }
    }
  }
  for (size_t i = 0; i < n; i++) {
    out[n + i] += lambda[i];
  }
  if (a->by_state != NULL) {
    dls_path_value(&a->states, t, a->state);
  }
  const double *running = running_slope(a, t, a->state);
  for (size_t i = 0; i < 2 * n && running != NULL; i++) {
    out[i] += running[i];
  }
  return status;
}

static int costate_rhs(void *data, double s, const double *lambda, double *out)
{
  dls_adjoint *a = data;
  a->failure = slope(a, fmax(a->end - s, a->begin), lambda, out, &a->why);
  return a->failure == DLS_OK ? 0 : -1;
}

/* Newton's matrix for l, as for the motion: in a linear system it does not depend on the state. */
static int costate_setup(void *data, double s, const double *lambda, double gamma, bool *fresh)
{
  dls_adjoint *a = data;
  dls_event_state *state = &a->tangents->self.run->state;
  const int flag = dls_newton_setup(a->tangents->self.run, a->end - s, lambda, gamma, fresh);
  a->failure = flag < 0 ? state->failure : a->failure;
  a->why = flag < 0 ? state->why : a->why;
  return flag;
}

static int costate_solve(void *data, double *b)
{
  dls_adjoint *a = data;
  dls_event_state *state = &a->tangents->self.run->state;
  const int flag = dls_newton_solve_transposed(a->tangents->self.run, b);
  a->failure = flag < 0 ? state->failure : a->failure;
  a->why = flag < 0 ? state->why : a->why;
  return flag;
}

/* Size of l as that of J by the scales of q and v. */
static double size_of(const dls_adjoint *a, const double *lambda)
{
  const double *scale = a->tangents->scale, time = a->run->method.sys->time;
  const size_t n = a->run->method.n;
  double size = 0;
  for (size_t i = 0; i < n; i++) {
    size = fmax(size, fmax(fabs(lambda[i]) * scale[i], fabs(lambda[n + i]) * scale[i] / time));
  }
  return size;
}

/* Is f_x of the phase free of differences and of slip that turns? */
static bool has_exact_slopes(const dls_adjoint *a)
{
  return a->tangents->tape->transposed.exact ||
         (a->tangents->exact && a->tangents->self.run->state.active.count == 0);
}

/* Tolerance of a step of l. */
static double tolerance(const dls_adjoint *a)
{
  const double rtol = a->run->method.eps.rtol * a->run->method.eps.slack;
  return has_exact_slopes(a) ? rtol : fmax(rtol, threshold_adjoint_difference_rtol);
}

static void costate_weights(void *data, const double *lambda, double *w)
{
  const dls_adjoint *a = data;
  const double *scale = a->tangents->scale, time = a->run->method.sys->time;
  const size_t n = a->run->method.n;
  const double size = fmax(fmax(a->size, a->behind), size_of(a, lambda)),
               unit = 1 / (tolerance(a) * (size > 0 ? size : 1));
  for (size_t i = 0; i < n; i++) {
    w[i] = unit * scale[i];
    w[n + i] = unit * scale[i] / time;
  }
}

static double costate_end(void *data)
{
  const dls_adjoint *a = data;
  return a->end - a->begin;
}

static dls_status integrate_costate(dls_adjoint *a, dls_error *err)
{
  const size_t n = a->run->method.n;
  const double length = a->end - a->begin;
  double s = 0, bracket = 0;
  a->failure = DLS_OK;
  a->behind = size_of(a, a->lambda);
  dls_status status = dls_path_begin(&a->costates, 2 * n, 0) ? DLS_OK : DLS_ERR_MEMORY;
  status = status != DLS_OK ? status : dls_engine_restart(a->costate, 0, a->lambda, length, err);
  while (status == DLS_OK && s < length) {
    status = dls_engine_step(a->costate, &s, a->lambda, &bracket, err);
    if (status == DLS_OK) {
      dls_engine_interpolate(a->costate, fmin(s, length), 0, a->lambda);
      status = dls_path_add(&a->costates, a->costate, fmin(s, length), a->state) ? DLS_OK : DLS_ERR_MEMORY;
    }
  }
  if (status == DLS_ERR_INTEGRATOR && a->failure != DLS_OK) {
    return dls_fail(err, a->failure, "adjoint equation: %s", a->why.text);
  }
  return status != DLS_ERR_MEMORY
             ? status
             : dls_fail(err, status, "no memory for the adjoint equation from t = %.10g to %.10g s", a->begin,
                        a->end);
}

/* --- the integrals of l^T f_p --- */

enum { POINTS = 15 }; /* of the rule of Gauss and Kronrod */

/* The rule asks for its points in the same order for each parameter, so that a point is evaluated once for all. */
typedef struct panel {
  dls_adjoint *a;
  size_t parameter, point;
  double largest; /* largest acceleration times the sum of l_v, for round-off */
} panel;

/* l^T f_p + j_p of all parameters. By (1) of transposed.h it takes one solve for all of them; else they are slopes of steady tangents c:
 *   dx = y + c,   integral of l^T f_p + j_p = l . c at the end less at the begin + integral of l^T (f_x c + f_p) + j_x c + j_p   (1)
 * c = 0, or that of dls_slopes_with_surfaces, as f_p is 1 / |u_T| where a parameter moves the slip. */
static void evaluate_point(panel *f, double t, double *rates)
{
  dls_adjoint *a = f->a;
  dls_motion_tangents *tangents = a->tangents;
  dls_transposed *transposed = &tangents->tape->transposed;
  const size_t n = a->run->method.n;
  const bool exact = transposed->exact && a->run->work.contacts.baumgarte == 0;
  double sum = 0;
  dls_path_value(&a->states, t, a->state);
  dls_neighbours_turn_slip(tangents, t, a->state, a->state + n);
  const dls_status status = exact ? dls_slopes_parameters(tangents, t, a->state, &a->why)
                                  : dls_slopes(tangents, t, a->state, a->steady, a->rates, &a->why);
  a->failure = a->failure != DLS_OK ? a->failure : status;
  const double *running = running_slope(a, t, a->state);
  for (size_t k = 0; k < tangents->count; k++) {
    rates[k] =
        a->by_state != NULL ? dls_energy_by_parameter(&tangents->energy, k, t, a->state, a->state + n) : 0;
    rates[k] += running != NULL && !exact ? dls_balance_dot(2 * n, running, a->steady + 2 * n * k) : 0;
  }
  dls_path_value(&a->costates, a->end - t, a->state);
  if (exact) {
    dls_transposed_weigh(transposed, tangents->self.run, a->state + n);
  }
  for (size_t k = 0; k < tangents->count; k++) {
    const double *residual = tangents->by_parameter + tangents->residuals * k;
    rates[k] += exact ? dls_transposed_by_parameter(transposed, residual, residual + n) : 0;
    rates[k] += exact ? 0 : dls_balance_dot(2 * n, a->state, a->rates + 2 * n * k);
  }
  for (size_t i = 0; i < n; i++) {
    sum += a->tangents->scale[i] / a->run->method.sys->length * fabs(a->state[n + i]);
  }
  f->largest = fmax(f->largest, sum * tangents->acceleration);
}

static double rate_at(double t, void *data)
{
  panel *f = data;
  double *rates = f->a->points + f->point * f->a->tangents->count;
  f->point = (f->point + 1) % POINTS;
  if (f->parameter == 0) {
    evaluate_point(f, t, rates);
  }
  return rates[f->parameter];
}

/* Round-off of l^T f_p: that of accelerations over the distance of the neighbouring systems. */
static double noise_of(const panel *f)
{
  const dls_direction *direction = &f->a->tangents->result->direction[f->parameter];
  double weights = 0;
  for (size_t i = 0; i < direction->count; i++) {
    weights += fabs(direction->weight[i]);
  }
  return threshold_tangent_rounding * DBL_EPSILON * weights * f->largest;
}

/* c of (1) from t to `next`. */
static void choose_steady(dls_adjoint *a, double t, double next)
{
  const size_t n = a->run->method.n;
  if (a->run->method.d == 3 && a->run->work.solver != NULL) {
    const double middle = 0.5 * (t + next);
    dls_path_value(&a->states, middle, a->state);
    dls_neighbours_turn_slip(a->tangents, middle, a->state, a->state + n);
    const dls_status status = dls_slopes_with_surfaces(a->tangents, middle, a->state, a->steady, &a->why);
    a->failure = a->failure != DLS_OK ? a->failure : status;
  }
}

/* a->values += sign l . c at t. */
static void add_boundary(dls_adjoint *a, double t, double sign)
{
  const size_t n = a->run->method.n;
  dls_path_value(&a->costates, a->end - t, a->state);
  for (size_t k = 0; k < a->tangents->count; k++) {
    a->values[k] += sign * dls_balance_dot(2 * n, a->state, a->steady + 2 * n * k);
  }
}

/* a->values := the integrals from t to `next`. @return their largest error, in units of what is allowed */
static double integrate_panel(dls_adjoint *a, double t, double next)
{
  const double tol =
      fmax(threshold_adjoint_quadrature * a->run->method.eps.rtol, threshold_adjoint_difference_rtol);
  panel f = {a, 0, 0, 0};
  const gsl_function rate = {rate_at, &f};
  double worst = 0;
  a->tangents->acceleration = 0;
  choose_steady(a, t, next);
  for (; f.parameter < a->tangents->count; f.parameter++) {
    double error = 0, size = 0, unused = 0;
    gsl_integration_qk15(&rate, t, next, &a->values[f.parameter], &error, &size, &unused);
    const double allowed = tol * (size + fabs(a->gradient[f.parameter])) + (next - t) * noise_of(&f);
    worst = error > 0 ? fmax(worst, error / allowed) : worst;
  }
  add_boundary(a, next, 1);
  add_boundary(a, t, -1);
  return worst;
}

/* Length of a panel from t on, at most h: no step of the motion in it is much shorter, so that its points see what the motion does.
 * @param[out] least  its shortest step */
static double panel_length(const dls_path *motion, double t, double h, double *least)
{
  *least = HUGE_VAL;
  for (size_t i = dls_path_piece(motion, t); i < motion->count && motion->end[i] < t + h; i++) {
    const double shortest = fmin(*least, motion->end[i + 1] - motion->end[i]),
                 most = threshold_adjoint_panel * shortest;
    if (motion->end[i] > t && motion->end[i] - t >= most) { /* the piece begins the next panel */
      return motion->end[i] - t;
    }
    *least = shortest;
    h = fmin(h, most);
  }
  return h;
}

/* By panels, each as long as the rule and the steps of the motion allow. An error that halving hardly changes is round-off if it is small; a
 * large one is that of a feature that is still shorter than the panel. */
static dls_status add_integrals(dls_adjoint *a, dls_error *err)
{
  double t = a->begin, before = HUGE_VAL, h = a->panel > 0 ? a->panel : a->end - a->begin;
  a->failure = DLS_OK;
  while (t < a->end && a->failure == DLS_OK && a->tangents->count > 0) {
    double least;
    const double length = panel_length(&a->states, t, fmin(h, a->end - t), &least),
                 next = t + length < a->end ? t + length : a->end, error = integrate_panel(a, t, next);
    const bool round_off = error > threshold_adjoint_round_off * before && error <= threshold_adjoint_noise;
    if (!(error > 1) || round_off || length <= least) {
      for (size_t k = 0; k < a->tangents->count; k++) {
        a->gradient[k] += a->values[k];
      }
      a->panel = h = error > 1 || (error <= threshold_adjoint_longer && length >= h)
                         ? 2 * h
                         : h; /* above 1: round-off, in vain */
      before = HUGE_VAL;
      t = next;
    } else {
      before = error;
      h = length / 2;
    }
  }
  return a->failure == DLS_OK ? DLS_OK : dls_fail(err, a->failure, "adjoint equation: %s", a->why.text);
}

dls_status dls_adjoint_interval(dls_adjoint *a, const dls_tape_checkpoint *from, double end, const double *goal,
                                bool *repeats, dls_error *err)
{
  *repeats = true;
  if (!(end - from->t > threshold_adjoint_empty * DBL_EPSILON * fmax(fabs(end), fabs(from->t)))) {
    return DLS_OK;
  }
  a->begin = from->t;
  a->end = end;
  dls_neighbours_relax(a->tangents, true);
  dls_status status = repeat_motion(a, from, goal, repeats, err);
  dls_neighbours_relax(a->tangents, false);
  if (status == DLS_OK) {
    status = dls_transposed_set(&a->tangents->tape->transposed, a->tangents->self.run, a->begin, from->y,
                                from->y + a->run->method.n, err);
  }
  if (status == DLS_OK) {
    status = integrate_costate(a, err);
  }
  if (status == DLS_OK) {
    status = add_integrals(a, err);
  }
  dls_adjoint_memory *memory = &a->tangents->result->memory;
  const size_t bytes =
      (a->states.room + a->costates.room) * DLS_PATH_POINTS * 2 * a->run->method.n * sizeof(double);
  memory->interval_bytes = bytes > memory->interval_bytes ? bytes : memory->interval_bytes;
  return status;
}

/* --- phases --- */

void dls_adjoint_enter(dls_adjoint *a, const dls_tape_phase *phase)
{
  dls_event_state *to = &a->modes.state;
  const size_t d = a->modes.method.d;
  for (size_t j = 0; j < a->modes.method.m; j++) {
    to->contact[j] = (dls_contact){0};
    to->was_closed[j] = false;
  }
  memset(to->reaction_split, 0, d * a->modes.method.m * sizeof *to->reaction_split);
  for (size_t k = 0; k < phase->closed; k++) {
    const size_t j = to->active.index[k] = phase->index[k];
    to->contact[j] = phase->contact[k];
    memcpy(to->reaction_split + d * j, phase->reaction_split + d * k, d * sizeof *to->reaction_split);
  }
  to->active.count = phase->closed;
  to->split_stored = phase->split_stored;
  dls_neighbours_follow(a->tangents, &a->modes);
  for (size_t i = 0; i <= DLS_DIRECTION_SYSTEMS * a->tangents->result->count; i++) {
    dls_neighbour *neighbour = i == 0 ? &a->tangents->self : &a->tangents->near[i - 1];
    if (neighbour->run != NULL) {
      neighbour->run->state.next_break = phase->next_break[i];
      neighbour->phase_begin = phase->begin[i];
    }
  }
  a->tangents->self.run->state.scale = phase->scale > 0 ? phase->scale : 1;
  a->tangents->self.run->state.uncontrolled = phase->uncontrolled;
}

static bool allocate(dls_adjoint *a)
{
  const dls_event_method *method = &a->run->method;
  const size_t n = method->n, m = method->m, count = a->tangents->result->count;
  a->block = dls_arrays((const dls_slot[]){{method->size, {&a->y, &a->state}},
                                           {2 * n, {&a->lambda, &a->unit}},
                                           {2 * n + method->d * m, {&a->out}},
                                           {2 * n * count, {&a->steady, &a->rates}},
                                           {count, {&a->values}},
                                           {POINTS * count, {&a->points}},
                                           {method->d * m, {&a->modes.state.reaction_split}},
                                           {0}});
  a->indices = calloc(m + 1, sizeof *a->indices);
  a->flags = calloc(m + 1, sizeof *a->flags);
  a->modes.state.contact = calloc(m + 1, sizeof *a->modes.state.contact);
  a->modes.state.active.index = a->indices;
  a->modes.state.was_closed = a->flags;
  return a->block != NULL && a->indices != NULL && a->flags != NULL && a->modes.state.contact != NULL;
}

dls_status dls_adjoint_open(dls_adjoint *a, dls_event_integrator *run, bool steady, dls_error *err)
{
  *a = (dls_adjoint){.run = run, .tangents = run->work.tangents, .modes = {.method = run->method}};
  a->tangents->count = a->tangents->result->count; /* not those of the state, until it is closed */
  if (!allocate(a)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the adjoint equation of %zu degrees of freedom",
                    run->method.n);
  }
  dls_engine_spec motion = *dls_engine_spec_of(run->work.engine);
  motion.roots = 0;
  motion.data = a->tangents->self.run;
  motion.stop = motion_end;
  dls_engine_spec costate = motion;
  costate.size = 2 * run->method.n;
  costate.data = a;
  costate.rhs = costate_rhs;
  costate.weights = costate_weights;
  costate.stop = costate_end;
  costate.steady = steady;
  if (motion.newton_setup != NULL) {
    const bool linear = run->method.sys->linear && dls_transposed_has_matrices(run);
    costate.newton_setup = linear ? costate_setup : NULL;
    costate.newton_solve = linear ? costate_solve : NULL;
    if (a->tangents->self.run->work.newton.A == NULL && !dls_newton_create(a->tangents->self.run)) {
      return dls_fail(err, DLS_ERR_MEMORY, "no memory for the matrices of %zu degrees of freedom",
                      run->method.n);
    }
  }
  const dls_status status = dls_engine_create(&motion, &a->motion, err);
  return status != DLS_OK ? status : dls_engine_create(&costate, &a->costate, err);
}

void dls_adjoint_close(dls_adjoint *a)
{
  a->tangents->count = a->tangents->result->columns;
  dls_engine_destroy(a->motion);
  dls_engine_destroy(a->costate);
  dls_path_release(&a->states);
  dls_path_release(&a->costates);
  free(a->modes.state.contact);
  free(a->indices);
  free(a->flags);
  free(a->block);
}
