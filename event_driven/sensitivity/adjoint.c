/* event_driven/sensitivity/adjoint.c -- the adjoint equation from the end of a run, or from an event, to its start; see adjoint.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/adjoint.h"
#include "common/run/sensitivity.h"
#include "event_driven/sensitivity/slip_pass.h"
#include "event_driven/sensitivity/slip_rest.h"
#include <delassus/balance.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_pivot(const dls_tape_crossing *c, size_t k)
{
  bool is = false;
  for (size_t r = 0; r < c->pivots; r++) {
    is = is || c->pivot[r] == k;
  }
  return is;
}

/* l += the products `by` with the directions of the crossing, from those of the map of all coordinates by (1) of tape.h. */
static void add_products(dls_adjoint *a, const dls_tape_crossing *c, const double *by)
{
  const size_t n = a->run->method.n;
  for (size_t k = 0; k < c->rank; k++) {
    for (size_t i = 0; i < 2 * n && c->rank < 2 * n; i++) {
      a->lambda[i] += by[k] * c->basis[2 * n * k + i];
    }
    a->lambda[k] += c->rank == 2 * n && !is_pivot(c, k) ? by[k] : 0;
  }
  for (size_t r = 0; r < c->pivots; r++) {
    for (size_t i = 0; i < n; i++) {
      a->lambda[i] += by[c->pivot[r]] * c->gradient[n * r + i];
    }
  }
}

/* y := F^T l by (2) of tape.h. */
static void pass_free(dls_adjoint *a, const dls_tape_crossing *c, double *y)
{
  dls_event_integrator *self = a->tangents->self.run;
  const size_t n = a->run->method.n;
  const double tau = c->flight, *l = a->lambda;
  memset(y, 0, 2 * n * sizeof *y);
  if (tau > 0) {
    for (size_t i = 0; i < n; i++) {
      a->out[i] = tau * (l[n + i] + 0.5 * tau * l[i]);
    }
    dls_transposed_at(self, c->begin, c->left, c->left + n);
    dls_transposed_free(&a->tangents->tape->transposed, self, a->out, y, y + n);
  }
  for (size_t i = 0; i < n; i++) {
    y[i] += l[i];
    y[n + i] += l[n + i] + tau * l[i];
  }
}

/* l- = Xi^T l+ = F^T l+ + B ((Xi - F) B)^T l+ with the orthonormal basis B, F = 1 at an event. */
static void cross_back(dls_adjoint *a, const dls_tape_crossing *c)
{
  const size_t n = a->run->method.n, count = a->tangents->result->count;
  const double *image = c->image + 2 * n * count;
  for (size_t k = 0; k < count; k++) {
    a->gradient[k] += dls_balance_dot(2 * n, a->lambda, c->image + 2 * n * k);
  }
  if (c->rank < 2 * n) {
    pass_free(a, c, a->state);
  }
  for (size_t k = 0; k < c->rank; k++) {
    a->unit[k] = dls_balance_dot(2 * n, a->lambda, image + 2 * n * k) -
                 (c->rank < 2 * n ? dls_balance_dot(2 * n, a->state, c->basis + 2 * n * k) : 0);
  }
  if (c->rank < 2 * n) {
    memcpy(a->lambda, a->state, 2 * n * sizeof *a->lambda);
  } else {
    memset(a->lambda, 0, 2 * n * sizeof *a->lambda);
  }
  add_products(a, c, a->unit);
  memset(a->unit, 0, 2 * n * sizeof *a->unit);
}

/* l += weight j_x, dJ/dp += weight j_p at a state: the integral over an accumulation, whose duration is at most that of its error. */
static void add_running(dls_adjoint *a, double weight, double t, const double *y)
{
  const size_t n = a->run->method.n;
  dls_energy_slopes *energy = &a->tangents->energy;
  if (a->by_state != NULL && weight > 0) {
    dls_energy_by_state(energy, t, y, y + n, a->by_state);
    for (size_t k = 0; k < a->tangents->result->count; k++) {
      a->gradient[k] += weight * dls_energy_by_parameter(energy, k, t, y, y + n);
    }
  }
  const double *slope = a->by_state != NULL ? a->by_state : a->running;
  for (size_t i = 0; i < 2 * n && slope != NULL && weight > 0; i++) {
    a->lambda[i] += weight * slope[i];
  }
}

/* l and dJ/dp += (j- - j+) dt: the energy jumps where its integral has a time that moves. */
static void add_jump(dls_adjoint *a, const dls_tape_crossing *c)
{
  const size_t count = a->tangents->result->count;
  for (size_t k = 0; k < count && a->by_state != NULL; k++) {
    a->gradient[k] += c->energy_jump[k];
  }
  if (a->by_state != NULL) {
    add_products(a, c, c->energy_jump + count);
  }
}

/* l and dJ/dp of J = the time of an event: dt of its basis and of the parameters. dt: of the columns */
static void begin_at_time(dls_adjoint *a, const dls_tape_crossing *c, const double *dt)
{
  const size_t n = a->run->method.n, count = a->tangents->result->count;
  for (size_t k = 0; k < count; k++) {
    a->gradient[k] = dt[k];
    for (size_t b = 0; b < c->rank; b++) { /* at a fixed state: without s of tape.h */
      a->gradient[k] -= c->shift[c->rank * k + b] != 0 ? c->shift[c->rank * k + b] * dt[count + b] : 0;
    }
  }
  memset(a->lambda, 0, 2 * n * sizeof *a->lambda);
  add_products(a, c, dt + count);
}

static bool is_finite(const dls_adjoint *a)
{
  double zero = 0; /* 0 * x is 0 for finite x, else NaN */
  for (size_t i = 0; i < 2 * a->run->method.n; i++) {
    zero += 0 * a->lambda[i];
  }
  return zero == 0;
}

/* From the end of a phase, with the state `goal`, to its begin. Where small errors grow, the motion from a checkpoint does not come to
 * the goal: then it is computed again from one that is nearer. */
static dls_status phase_back(dls_adjoint *a, size_t crossing, double end, const double *goal, dls_error *err)
{
  const dls_tape *tape = a->tangents->tape;
  const dls_tape_crossing *c = &tape->crossing[crossing];
  size_t last = crossing + 1 < tape->count ? tape->crossing[crossing + 1].checkpoint : tape->checkpoints;
  dls_status status = DLS_OK;
  dls_adjoint_enter(a, &c->phase);
  while (last > c->checkpoint + 1 && tape->checkpoint[last - 1].t >= end) { /* from an event inside of it */
    last--;
  }
  while (last > c->checkpoint && status == DLS_OK && is_finite(a)) {
    size_t first = c->checkpoint + (last - 1 - c->checkpoint) / tape->span * tape->span;
    bool repeats = true;
    do {
      first += repeats ? 0 : (last - first) / 2;
      status = dls_adjoint_interval(a, &tape->checkpoint[first], end, goal, &repeats, err);
    } while (!repeats && first + 1 < last);
    end = tape->checkpoint[first].t;
    goal = tape->checkpoint[first].y;
    last = first;
  }
  return status;
}

/* From l behind crossing `crossing - 1` at `end` to the start. */
static dls_status go_back(dls_adjoint *a, size_t crossing, double end, const double *goal, dls_error *err)
{
  const dls_tape *tape = a->tangents->tape;
  for (size_t i = crossing; i > 0; i--) {
    const dls_tape_crossing *c = &tape->crossing[i - 1];
    const dls_status status = phase_back(a, i - 1, end, goal, err);
    if (status != DLS_OK) {
      return status;
    }
    add_running(a, 0.5 * (c->t - c->begin), c->t, tape->checkpoint[c->checkpoint].y);
    cross_back(a, c);
    if (i > 1) { /* the start does not move */
      add_jump(a, c);
    }
    add_running(a, 0.5 * (c->t - c->begin), c->begin, c->left);
    end = c->begin;
    goal = c->left;
  }
  for (size_t k = 0; k < a->tangents->result->count; k++) {
    a->gradient[k] = is_finite(a) ? a->gradient[k] : NAN;
  }
  return DLS_OK;
}

/* The crossing at which an event of the run was. */
static size_t crossing_at(const dls_tape *tape, double t)
{
  size_t found = 0;
  for (size_t i = 0; i < tape->count; i++) {
    found = tape->crossing[i].t <= t ? i : found;
  }
  return found;
}

static dls_status time_gradient(dls_adjoint *a, size_t crossing, const double *dt, dls_error *err)
{
  const dls_tape_crossing *c = &a->tangents->tape->crossing[crossing];
  if (c->before != NULL) {
    dls_adjoint_enter(a, &c[-1].phase);
    const dls_status status =
        dls_slip_rest_gradient(a->tangents, c->contact, c->before_t, c->before, a->lambda, a->gradient, err);
    return status != DLS_OK ? status : go_back(a, crossing, c->before_t, c->before, err);
  }
  begin_at_time(a, c, dt);
  return go_back(a, crossing, c->begin, c->left, err);
}

enum { EXAMINED = 8 }; /* slow impacts */

/* The impact with the least depth above `depth`. @return count: none */
static size_t next_slowest(const dls_tape *tape, double depth)
{
  size_t found = tape->count;
  for (size_t i = 0; i < tape->count; i++) {
    const double own = tape->crossing[i].depth;
    found = own > depth && own < HUGE_VAL && (found == tape->count || own < tape->crossing[found].depth)
                ? i
                : found;
  }
  return found;
}

/* valid_within of the parameters, by the impacts that are missed first, if they are slow: depth / |D g|, and D g = -u dt. */
static dls_status examine_slowest(dls_adjoint *a, double *dt, dls_error *err)
{
  const dls_tape *tape = a->tangents->tape;
  const double most = threshold_adjoint_slow_impact * a->run->method.sys->length;
  double depth = 0, *kept = a->gradient;
  dls_status status = DLS_OK;
  a->gradient = dt;
  for (int i = 0; i < EXAMINED && status == DLS_OK; i++) {
    const size_t slowest = next_slowest(tape, depth);
    const dls_tape_crossing *c = &tape->crossing[slowest];
    if (slowest == tape->count || c->depth > most) {
      break;
    }
    depth = c->depth;
    status = time_gradient(a, slowest, c->dt, err);
    for (size_t k = 0; k < a->tangents->result->count && status == DLS_OK; k++) {
      double *within = &a->tangents->result->tangent[k].valid_within;
      *within = dt[k] != 0 ? fmin(*within, depth / fabs(c->speed * dt[k])) : *within;
    }
  }
  a->gradient = kept;
  return status;
}

/* change[count] := D u of component i of the slip of contact j at (t, y) in the phase behind a crossing, by the parameters. */
static dls_status slip_gradient(dls_adjoint *a, size_t crossing, size_t j, int i, double t, const double *y,
                                double *change, dls_error *err)
{
  dls_motion_tangents *tangents = a->tangents;
  const size_t n = a->run->method.n;
  dls_state_line line = {.t = t, .q = y, .v = y + n};
  dls_status status = DLS_OK;
  dls_adjoint_enter(a, &tangents->tape->crossing[crossing].phase);
  for (size_t k = 0; k < tangents->result->count && status == DLS_OK; k++) {
    status = dls_slip_pass_change(tangents, (int)k, j, i, &line, &change[k], err);
  }
  line.dq = a->unit;
  line.dv = a->unit + n;
  for (size_t l = 0; l < 2 * n && status == DLS_OK; l++) {
    a->unit[l] = 1;
    status = dls_slip_pass_change(tangents, DLS_NO_PARAMETER, j, i, &line, &a->lambda[l], err);
    a->unit[l] = 0;
  }
  a->gradient = change;
  return status != DLS_OK ? status : go_back(a, crossing + 1, t, y, err);
}

/* |D u| of it in change[count]. change: 2 count */
static dls_status slip_change(dls_adjoint *a, size_t crossing, size_t j, double t, const double *y,
                              double *change, dls_error *err)
{
  const size_t count = a->tangents->result->count;
  dls_status status = slip_gradient(a, crossing, j, 0, t, y, change, err);
  status = status != DLS_OK ? status : slip_gradient(a, crossing, j, 1, t, y, change + count, err);
  for (size_t k = 0; k < count && status == DLS_OK; k++) {
    change[k] = hypot(change[k], change[count + k]);
  }
  return status;
}

/* The last checkpoint before t. */
static size_t checkpoint_before(const dls_tape *tape, double t)
{
  size_t last = tape->checkpoints - 1;
  while (last > 0 && tape->checkpoint[last].t >= t) {
    last--;
  }
  return last;
}

/* The crossing that begins the phase of a checkpoint. */
static size_t phase_of(const dls_tape *tape, size_t checkpoint)
{
  size_t found = 0;
  for (size_t i = 0; i < tape->count; i++) {
    found = tape->crossing[i].checkpoint <= checkpoint ? i : found;
  }
  return found;
}

/* change[k] := infinity for the parameters that change the acceleration at a checkpoint. */
static dls_status add_acting(dls_adjoint *a, size_t crossing, const dls_tape_checkpoint *from, double *change,
                             dls_error *err)
{
  dls_motion_tangents *tangents = a->tangents;
  const size_t n = a->run->method.n, count = tangents->result->count;
  dls_adjoint_enter(a, &tangents->tape->crossing[crossing].phase);
  memset(a->steady, 0, 2 * n * count * sizeof *a->steady);
  const dls_status status = dls_slopes(tangents, from->t, from->y, a->steady, a->rates, err);
  for (size_t k = 0; k < count && status == DLS_OK; k++) {
    const double noise = dls_slopes_noise(tangents, k, tangents->acceleration);
    for (size_t i = 0; i < n; i++) {
      change[k] = fabs(a->rates[2 * n * k + n + i]) > noise ? HUGE_VAL : change[k];
    }
  }
  return status;
}

/* change[count] of a slip that is so near to zero that the motion does not repeat: no change of a parameter that has moved it before, or acts
 * on it since, is known to be small enough. Where that motion does not repeat either, all may. */
static dls_status slip_change_before(dls_adjoint *a, size_t j, double t, double *change, dls_error *err)
{
  const dls_tape *tape = a->tangents->tape;
  const size_t before = checkpoint_before(tape, t), crossing = phase_of(tape, before);
  const dls_tape_checkpoint *from = &tape->checkpoint[before];
  dls_status status = slip_change(a, crossing, j, from->t, from->y, change, err);
  for (size_t k = 0; k < a->tangents->result->count && status == DLS_ERR_INTEGRATOR; k++) {
    change[k] = HUGE_VAL;
  }
  return status == DLS_ERR_INTEGRATOR ? DLS_OK
         : status != DLS_OK           ? status
                                      : add_acting(a, crossing, from, change, err);
}

/* valid_within of the parameters, by the slowest slip in space of contact j that has passed. */
static dls_status examine_slip(dls_adjoint *a, size_t j, double *change, dls_error *err)
{
  const dls_slip_pass *pass = a->tangents->pass;
  const double t = pass->slowest_t[j], *y = pass->slowest_y + 2 * a->run->method.n * j;
  const size_t crossing =
      crossing_at(a->tangents->tape, nextafter(t, -HUGE_VAL)); /* an event at t ends the phase */
  double *kept = a->gradient, s = pass->slowest[j];
  dls_error why = {0};
  dls_status status = slip_change(a, crossing, j, t, y, change, &why);
  if (status == DLS_ERR_INTEGRATOR) {
    s = 0;
    status = slip_change_before(a, j, t, change, &why);
  }
  for (size_t k = 0; k < a->tangents->result->count && status == DLS_OK; k++) {
    dls_slip_pass_limit(a->tangents, k, t, j, s, change[k]);
  }
  a->gradient = kept;
  if (status != DLS_OK && err != NULL) {
    *err = why;
  }
  return status;
}

static dls_status examine_slips(dls_adjoint *a, double *change, dls_error *err)
{
  const dls_slip_pass *pass = a->tangents->pass;
  dls_status status = DLS_OK;
  for (size_t j = 0; pass != NULL && j < a->run->method.m && status == DLS_OK; j++) {
    status = pass->slowest[j] < HUGE_VAL ? examine_slip(a, j, change, err) : DLS_OK;
  }
  return status;
}

/* The integral of the energy: l and dJ/dp are 0 at the end. */
static void begin_energy(dls_adjoint *a, double *slope)
{
  const dls_sim *sim = a->run->sim;
  memset(a->lambda, 0, 2 * a->run->method.n * sizeof *a->lambda);
  memset(a->gradient, 0, a->tangents->result->count * sizeof *a->gradient);
  a->by_state = slope;
  a->size = a->run->method.sys->time * fabs(dls_energy_at(&a->tangents->energy, sim->t, sim->q, sim->v));
}

/* l and dJ/dp at the end; j_x. The integral of v is q at the end less q at the start. slope: 2 n */
static dls_status begin(dls_adjoint *a, const dls_functional *J, double *slope, dls_error *err)
{
  const size_t n = a->run->method.n;
  const dls_functional q = {.of = DLS_OF_POSITION, .index = J->index};
  if (J->integral && J->of == DLS_OF_ENERGY) {
    begin_energy(a, slope);
    return DLS_OK;
  }
  const dls_status status =
      dls_functional_slope(a->run->sim, J->integral ? &q : J, a->lambda, a->gradient, err);
  if (status == DLS_OK && J->integral && J->of == DLS_OF_POSITION) {
    memcpy(slope, a->lambda, 2 * n * sizeof *slope);
    memset(a->lambda, 0, 2 * n * sizeof *slope);
    a->running = slope;
    a->size = a->run->method.sys->time * a->run->method.sys->length;
  }
  return status;
}

static dls_status compute(dls_adjoint *a, const dls_functional *J, double *room, dls_error *err)
{
  dls_sim *sim = a->run->sim;
  const dls_sensitivity *s = sim->sensitivity;
  const dls_tape *tape = a->tangents->tape;
  const size_t n = a->run->method.n;
  dls_status status = DLS_OK;
  if (J->of == DLS_OF_EVENT_TIME) {
    status =
        time_gradient(a, crossing_at(tape, s->event[J->index].t), s->event_dt + J->index * s->columns, err);
  } else if ((status = begin(a, J, room, err)) == DLS_OK) {
    memcpy(room + 2 * n, sim->q, n * sizeof *room);
    memcpy(room + 3 * n, sim->v, n * sizeof *room);
    status = go_back(a, tape->count, sim->t, room + 2 * n, err);
  }
  for (size_t k = 0; k < s->count && J->integral && J->of == DLS_OF_VELOCITY; k++) {
    a->gradient[k] -= tape->crossing[0].image[2 * n * k + J->index];
  }
  a->running = NULL;
  a->by_state = NULL;
  status = status != DLS_OK ? status : examine_slowest(a, room + 4 * n, err);
  return status != DLS_OK ? status : examine_slips(a, room + 4 * n, err);
}

dls_status dls_adjoint_gradient(dls_sim *sim, const dls_functional *J, double *gradient, dls_error *err)
{
  dls_event_integrator *run = sim->memory;
  dls_adjoint a;
  double *room = calloc(4 * sim->sys->n + 2 * sim->sensitivity->count + 1, sizeof *room);
  dls_status status = dls_adjoint_open(&a, run, !(J->integral && J->of == DLS_OF_ENERGY), err);
  a.gradient = gradient;
  if (status == DLS_OK && room == NULL) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory for the adjoint equation of %zu degrees of freedom",
                      sim->sys->n);
  }
  status = status != DLS_OK ? status : compute(&a, J, room, err);
  if (status == DLS_OK) { /* the run may continue */
    dls_adjoint_enter(&a, &a.tangents->tape->crossing[a.tangents->tape->count - 1].phase);
  }
  dls_adjoint_close(&a);
  free(room);
  return status;
}
