/* event_driven/roots.c -- the root functions: gaps of open contacts, forces of closed ones, friction; the list of those in force.
 *
 *   slip in the plane   s u_T                             falls: the slip ends
 *   slip in space       e u_T - eps.s                     falls: the slip is about to end; e at the beginning of the step
 *   slow slip           e u_T                             falls: the slip ends
 *                       limit - e u_T                     falls: it is faster than the slow-slip limit (slow_slip.h)
 *   stick in the plane  mu_s lambda_N -+ lambda_T         falls: it begins to slip
 *   stick in space      mu_s lambda_N - |lambda_T|        the same
 *   slip                (W_NN - mu W_NT e)/W_NN - 1e-6    falls: friction takes the normal force away (Painleve)
 * Slip that has just begun may return to 0 by rounding: its threshold lies a little below 0 until it has been faster.
 *
 * Source: Acary, lecture, eqs. (24)-(26) for the index sets.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/roots.h"
#include "common/linear/storage.h"
#include "event_driven/event_integrator.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Gap of an open contact. */

static bool gap_in_force(const dls_event_integrator *run, size_t j)
{
  return !run->state.contact[j].closed;
}

static double gap_value(const dls_event_integrator *run, size_t j, const double *y)
{
  (void)y;
  return run->work.g[j];
}

static void gap_slopes(const dls_event_integrator *run, size_t j, const double *y, const double *dy,
                       dls_point *p)
{
  const size_t n = run->method.n;
  p->df = run->work.rate[j] + dls_matrix_column_dot(run->work.contacts.config->normals, j, y + n);
  p->ddf = dls_matrix_column_dot(run->work.contacts.config->normals, j, dy + n) + run->work.curvature[j];
}

/* Is g = H^T q + w with constant H, w? */
static bool gaps_are_linear(const dls_event_integrator *run)
{
  return run->method.sys->linear && !run->work.contacts.config->moves;
}

/* Contacts that close together are sampled each at its own times. A gap reads only the rows of its column of H. */
static bool gap_sample(const dls_event_integrator *run, size_t j, double t, dls_point *p)
{
  const dls_event_work *work = &run->work;
  const size_t n = run->method.n;
  const dls_column normal = dls_matrix_column(work->contacts.config->normals, j);
  if (!gaps_are_linear(run)) {
    return false;
  }
  dls_engine_interpolate_rows(work->engine, t, 0, &normal, 0, work->y);
  dls_engine_interpolate_rows(work->engine, t, 0, &normal, n, work->y);
  dls_engine_interpolate_rows(work->engine, t, 1, &normal, n, work->dy);
  work->g[j] = run->method.sys->w[j] + dls_matrix_column_dot(work->contacts.config->normals, j, work->y);
  *p = (dls_point){.t = t, .f = gap_value(run, j, work->y)};
  gap_slopes(run, j, work->y, work->dy, p);
  return true;
}

static int gap_linear(const dls_event_integrator *run, size_t j, double *x)
{
  if (!gaps_are_linear(run)) {
    return -1;
  }
  dls_matrix_column_add(run->work.contacts.config->normals, j, 1, x);
  return 0;
}

static double gap_shift(const dls_event_integrator *run, size_t j, double left)
{
  (void)left;
  return run->state.contact[j].gap_threshold == DLS_GAP_THRESHOLD_ZERO ? 0
                                                                       : run->state.contact[j].threshold_depth;
}

/* Force of a closed contact, as the acceleration W_alpha,alpha lambda. */

static bool force_in_force(const dls_event_integrator *run, size_t j)
{
  return run->state.contact[j].closed;
}

static double force_value(const dls_event_integrator *run, size_t j, const double *y)
{
  (void)y;
  return run->state.contact[j].weight * run->work.lambda[run->method.d * j];
}

/* Its derivatives are those of the integrated impulse. */
static void force_slopes_inside(const dls_event_integrator *run, size_t j, const double *ddy,
                                const double *dddy, dls_point *p)
{
  p->df = ddy[2 * run->method.n + run->method.d * j];
  p->ddf = dddy[2 * run->method.n + run->method.d * j];
}

/* The rate of the integrated impulse. */
static int force_linear(const dls_event_integrator *run, size_t j, double *x)
{
  x[2 * run->method.n + run->method.d * j] = 1;
  return 1;
}

static double force_shift(const dls_event_integrator *run, size_t j, double left)
{
  (void)j;
  return left > run->method.eps.a ? 0 : run->method.eps.a;
}

/* --- friction --- */

/* End of slip. */

static bool slips(const dls_event_integrator *run, size_t j)
{
  return run->state.contact[j].closed && run->state.contact[j].mode.kind == DLS_MODE_SLIPS;
}

static double slip_value(const dls_event_integrator *run, size_t j, const double *y)
{
  const dls_event_method *method = &run->method;
  double u[2];
  const double *e = run->state.contact[j].mode.e;
  dls_slip_of(method, &run->work, j, y + method->n, u);
  return method->d == 2 ? e[0] * u[0]
                        : e[0] * u[0] + e[1] * u[1] - (run->state.contact[j].slips_slowly ? 0 : method->eps.s);
}

/* u_T' = H_T^T dv + (dH_T^T/dt) v, with the curvature of the last forces. */
static void rates(const dls_event_method *method, const dls_event_work *work, size_t j, const double *dv,
                  double *out)
{
  for (size_t i = 1; i < method->d; i++) {
    const size_t row = method->d * j + i;
    out[i - 1] = dls_matrix_column_dot(work->contacts.config->H, row, dv) + work->contacts.curvature[row];
  }
}

static void slip_slopes(const dls_event_integrator *run, size_t j, const double *y, const double *dy,
                        dls_point *p)
{
  (void)y;
  double rate[2] = {0};
  const double *e = run->state.contact[j].mode.e;
  rates(&run->method, &run->work, j, dy + run->method.n, rate);
  p->df = e[0] * rate[0] + e[1] * rate[1];
}

/* A zero of slip that is not established is no event. */
static double slip_shift(const dls_event_integrator *run, size_t j, double left)
{
  (void)left;
  return run->state.contact[j].slip_established ? 0 : 2 * dls_slip_established_speed(&run->method);
}

/* End of slow slip: it becomes too fast. */

static bool slips_slowly(const dls_event_integrator *run, size_t j)
{
  return slips(run, j) && run->state.contact[j].slips_slowly;
}

static double slow_slip_value(const dls_event_integrator *run, size_t j, const double *y)
{
  double u[2];
  const double *e = run->state.contact[j].mode.e;
  dls_slip_of(&run->method, &run->work, j, y + run->method.n, u);
  return run->state.contact[j].slow_slip_limit - (e[0] * u[0] + e[1] * u[1]);
}

static void slow_slip_slopes(const dls_event_integrator *run, size_t j, const double *y, const double *dy,
                             dls_point *p)
{
  slip_slopes(run, j, y, dy, p);
  p->df = -p->df;
}

/* Limits of stick, as accelerations. */

static double limit_value(const dls_event_integrator *run, size_t j, double side)
{
  const double *r = run->work.lambda + run->method.d * j;
  const double tangential = run->method.d == 2 ? side * r[1] : hypot(r[1], r[2]);
  return run->state.contact[j].weight * (run->state.contact[j].mode.mu * r[0] - tangential);
}

/* Derivatives of the integrated impulses x: mu x_N - side x_T. */
static void limit_slopes(const dls_event_method *method, const dls_event_state *state, size_t j, double side,
                         const double *ddy, const double *dddy, dls_point *p)
{
  const size_t at = 2 * method->n + method->d * j;
  const double mu = state->contact[j].mode.mu;
  p->df = mu * ddy[at] - side * ddy[at + 1];
  p->ddf = mu * dddy[at] - side * dddy[at + 1];
}

static double upper_value(const dls_event_integrator *run, size_t j, const double *y)
{
  (void)y;
  return limit_value(run, j, 1);
}

static double lower_value(const dls_event_integrator *run, size_t j, const double *y)
{
  (void)y;
  return limit_value(run, j, -1);
}

static bool sticks(const dls_event_state *state, size_t j)
{
  return state->contact[j].closed && state->contact[j].mode.kind == DLS_MODE_STICKS;
}

static bool sticks_in_plane(const dls_event_integrator *run, size_t j)
{
  return run->method.d == 2 && sticks(&run->state, j);
}

static bool sticks_in_space(const dls_event_integrator *run, size_t j)
{
  return run->method.d == 3 && sticks(&run->state, j);
}

static void upper_slopes(const dls_event_integrator *run, size_t j, const double *ddy, const double *dddy,
                         dls_point *p)
{
  limit_slopes(&run->method, &run->state, j, 1, ddy, dddy, p);
}

static void lower_slopes(const dls_event_integrator *run, size_t j, const double *ddy, const double *dddy,
                         dls_point *p)
{
  limit_slopes(&run->method, &run->state, j, -1, ddy, dddy, p);
}

/* |x'|' = e x'', |x'|'' = e x''' + (|x''|^2 - (e x'')^2)/|x'| with x the integral of the tangential force. */
static void cone_slopes(const dls_event_integrator *run, size_t j, const double *ddy, const double *dddy,
                        dls_point *p)
{
  const size_t at = 2 * run->method.n + run->method.d * j;
  const double mu = run->state.contact[j].mode.mu, *a = ddy + at, *b = dddy + at;
  dls_engine_interpolate(run->work.engine, p->t, 1, run->work.dense_noise);
  const double *x = run->work.dense_noise + at, size = hypot(x[1], x[2]);
  const double e[2] = {size > 0 ? x[1] / size : 0, size > 0 ? x[2] / size : 0};
  const double speed = e[0] * a[1] + e[1] * a[2], across = e[0] * a[2] - e[1] * a[1];
  p->df = mu * a[0] - speed;
  p->ddf = mu * b[0] - (e[0] * b[1] + e[1] * b[2]) - (size > 0 ? across * across / size : 0);
}

/* Leverage. */

static bool may_lose_leverage(const dls_event_integrator *run, size_t j)
{
  return slips(run, j) && (run->method.d == 3 || run->work.contacts.config->mass_varies ||
                           run->work.contacts.config->gradient_varies);
}

static double leverage(const dls_event_integrator *run, size_t j, const double *y)
{
  (void)y;
  return dls_mode_solver_slip_pivot(run->work.solver, j, &run->state.mode[j]) / run->state.contact[j].weight -
         threshold_least_leverage;
}

/* The list. */

static const dls_root_type types[] = {
    {.name = "gap",
     .event = DLS_LOCATED_CROSSING,
     .reads = DLS_READS_GAPS,
     .may_graze = true,
     .in_force = gap_in_force,
     .value = gap_value,
     .slopes = gap_slopes,
     .linear = gap_linear,
     .sample = gap_sample,
     .shift = gap_shift,
     .noise = dls_geometry_gap_round_off},
    {.name = "force",
     .event = DLS_LOCATED_RELEASE,
     .reads = DLS_READS_FORCES,
     .in_force = force_in_force,
     .value = force_value,
     .slopes_inside = force_slopes_inside,
     .linear = force_linear,
     .shift = force_shift},
    {.name = "slip",
     .event = DLS_LOCATED_REST,
     .reads = DLS_READS_FORCES,
     .in_force = slips,
     .value = slip_value,
     .slopes = slip_slopes,
     .shift = slip_shift},
    {.name = "slow-slip limit",
     .event = DLS_LOCATED_FAST_SLIP,
     .reads = DLS_READS_FORCES,
     .in_force = slips_slowly,
     .value = slow_slip_value,
     .slopes = slow_slip_slopes},
    {.name = "limit, +",
     .event = DLS_LOCATED_LIMIT,
     .reads = DLS_READS_FORCES,
     .in_force = sticks_in_plane,
     .value = upper_value,
     .slopes_inside = upper_slopes,
     .shift = force_shift},
    {.name = "limit, -",
     .event = DLS_LOCATED_LIMIT,
     .reads = DLS_READS_FORCES,
     .in_force = sticks_in_plane,
     .value = lower_value,
     .slopes_inside = lower_slopes,
     .shift = force_shift},
    {.name = "limit",
     .event = DLS_LOCATED_LIMIT,
     .reads = DLS_READS_FORCES,
     .in_force = sticks_in_space,
     .value = upper_value,
     .slopes_inside = cone_slopes,
     .shift = force_shift},
    {.name = "leverage",
     .event = DLS_LOCATED_LEVERAGE,
     .reads = DLS_READS_FORCES,
     .in_force = may_lose_leverage,
     .value = leverage},
};
enum { TYPES = sizeof types / sizeof types[0] };

enum { ROOTS_IN_PLANE = 3 }; /* force and both limits of stick, or force, end of slip and leverage */

size_t dls_roots_most(const dls_event_method *method)
{
  const size_t most = method->d == 3   ? DLS_ROOTS_A_CONTACT
                      : method->d == 2 ? ROOTS_IN_PLANE
                                       : 1; /* without friction a contact has its gap or its force */
  return most * method->m;
}

void dls_roots_select(dls_event_integrator *run)
{
  run->state.roots = 0;
  for (size_t j = 0; j < run->method.m; j++) {
    for (size_t i = 0; i < TYPES; i++) {
      if (types[i].in_force(run, j)) {
        run->state.root[run->state.roots++] = (dls_root){&types[i], j};
      }
    }
  }
}

double dls_root_shift(const dls_event_integrator *run, size_t k)
{
  const dls_root *root = &run->state.root[k];
  return root->type->shift == NULL ? 0 : root->type->shift(run, root->contact, run->state.left.p[k].f);
}

double dls_root_derivative_bound(dls_event_integrator *run, size_t k)
{
  const dls_root *root = &run->state.root[k];
  if (root->type->linear == NULL || !dls_engine_bounds_derivatives(run->work.engine)) {
    return -1;
  }
  memset(run->work.y, 0, run->method.size * sizeof *run->work.y);
  const int derivative = root->type->linear(run, root->contact, run->work.y);
  return derivative < 0 ? -1 : dls_engine_derivative_bound(run->work.engine, derivative, run->work.y);
}

double dls_root_noise(const dls_event_integrator *run, size_t k, const dls_step_end *end)
{
  const dls_root *root = &run->state.root[k];
  return root->type->noise == NULL ? 0 : root->type->noise(run, root->contact, end->t, end->y);
}

/* Their values. */

/* Evaluate what the root functions read at (t, y). */
static dls_status evaluate_terms(dls_event_integrator *run, dls_reading what, double t, const double *y,
                                 double *g, dls_error *err)
{
  if (what == DLS_READS_FORCES) {
    return dls_smooth_dynamics(run, t, y, y + run->method.n, run->work.a, run->work.lambda, err);
  }
  dls_configuration *config = run->work.contacts.config;
  t = dls_geometry_before_break(&run->state, t);
  dls_configuration_contacts(config, t, y);
  dls_configuration_gap(config, g);
  if (config->moves) { /* else it stays 0 */
    dls_system_gap_rate(run->method.sys, t, y, run->work.rate);
  }
  if (config->bends) {
    dls_system_curvature(run->method.sys, t, y, y + run->method.n, run->work.curvature);
  }
  return DLS_OK;
}

/* The points of the roots that read this. */
static void read_roots(dls_event_integrator *run, dls_reading what, const dls_step_end *end)
{
  for (size_t k = 0; k < run->state.roots; k++) {
    const dls_root *root = &run->state.root[k];
    if (root->type->reads != what) {
      continue;
    }
    end->p[k] = (dls_point){.t = end->t, .f = root->type->value(run, root->contact, end->y)};
    if (root->type->slopes != NULL) {
      root->type->slopes(run, root->contact, end->y, end->dy, &end->p[k]);
    }
  }
}

/* dy := the derivative with the forces that were evaluated last. */
static void set_derivative(const dls_event_integrator *run, dls_step_end *end)
{
  const size_t n = run->method.n;
  memcpy(end->dy, end->y + n, n * sizeof *end->dy);
  memcpy(end->dy + n, run->work.a, n * sizeof *end->dy);
  for (size_t row = 0; row < run->method.d * run->method.m; row++) {
    end->dy[2 * n + row] = run->state.contact[row / run->method.d].weight * run->work.lambda[row];
  }
}

dls_status dls_roots_observe(dls_event_integrator *run, dls_step_end *end, dls_error *err)
{
  end->inside = false;
  if (run->method.m == 0) {
    return DLS_OK;
  }
  if (run->state.active.count > 0) {
    const dls_status status = evaluate_terms(run, DLS_READS_FORCES, end->t, end->y, run->work.g, err);
    if (status != DLS_OK) {
      return status;
    }
    set_derivative(run, end);
    read_roots(run, DLS_READS_FORCES, end);
  }
  evaluate_terms(run, DLS_READS_GAPS, end->t, end->y, run->work.g, err);
  memcpy(end->g, run->work.g, run->method.m * sizeof *end->g);
  read_roots(run, DLS_READS_GAPS, end);
  return DLS_OK;
}

/* f of the roots that read this; NaN if its evaluation failed with `status`. */
static void evaluate_roots(dls_event_integrator *run, dls_reading what, dls_status status, const double *y,
                           double *f)
{
  for (size_t k = 0; k < run->state.roots; k++) {
    const dls_root *root = &run->state.root[k];
    if (root->type->reads == what) {
      f[k] = status == DLS_OK ? root->type->value(run, root->contact, y) + dls_root_shift(run, k) : NAN;
    }
  }
}

void dls_roots_evaluate(void *data, double t, const double *y, double *f)
{
  dls_event_integrator *run = data;
  if (run->state.active.count > 0) {
    evaluate_roots(run, DLS_READS_FORCES, evaluate_terms(run, DLS_READS_FORCES, t, y, run->work.g, NULL), y, f);
  }
  if (run->state.active.count < run->method.m) {
    dls_system_gap(run->method.sys, dls_geometry_before_break(&run->state, t), y,
                   run->work.g); /* slopes are not needed */
    evaluate_roots(run, DLS_READS_GAPS, DLS_OK, y, f);
  }
  for (size_t k = run->state.roots; k < dls_roots_most(&run->method); k++) {
    f[k] = 1;
  }
}

/* p[k - first] := slopes of the roots in [first, last) that follow from the dense output at t. */
static void read_dense_slopes(dls_event_integrator *run, size_t first, size_t last, double t, dls_point *p)
{
  bool there = false;
  for (size_t k = first; k < last; k++) {
    const dls_root *root = &run->state.root[k];
    if (root->type->slopes_inside == NULL) {
      continue;
    }
    if (!there) {
      dls_engine_interpolate(run->work.engine, t, 2, run->work.dy);
      dls_engine_interpolate(run->work.engine, t, 3, run->work.dddy);
      there = true;
    }
    root->type->slopes_inside(run, root->contact, run->work.dy, run->work.dddy, &p[k - first]);
  }
}

void dls_roots_observe_inside(dls_event_integrator *run, dls_step_end *end)
{
  if (!end->inside) {
    read_dense_slopes(run, 0, run->state.roots, end->t, end->p);
    end->inside = true;
  }
}

dls_status dls_roots_sample(dls_event_integrator *run, double t, dls_point *p, dls_error *err)
{
  const dls_step_end at = {.t = t, .y = run->work.y, .dy = run->work.dy, .p = p};
  dls_status status = DLS_OK;
  dls_engine_interpolate(run->work.engine, t, 0, run->work.y);
  dls_engine_interpolate(run->work.engine, t, 1, run->work.dy);
  if (run->state.active.count > 0) {
    status = evaluate_terms(run, DLS_READS_FORCES, t, run->work.y, run->work.g, err);
    read_roots(run, DLS_READS_FORCES, &at);
  }
  if (run->state.active.count < run->method.m && status == DLS_OK) {
    status = evaluate_terms(run, DLS_READS_GAPS, t, run->work.y, run->work.g, err);
    read_roots(run, DLS_READS_GAPS, &at);
  }
  read_dense_slopes(run, 0, run->state.roots, t, p);
  for (size_t k = 0; k < run->state.roots; k++) {
    p[k].f += dls_root_shift(run, k);
  }
  return status;
}

dls_status dls_root_sample(dls_event_integrator *run, size_t k, double t, dls_point *p, dls_error *err)
{
  const dls_root *root = &run->state.root[k];
  if (root->type->sample != NULL && root->type->sample(run, root->contact, t, p)) {
    p->f += dls_root_shift(run, k);
    return DLS_OK;
  }
  dls_engine_interpolate(run->work.engine, t, 0, run->work.y);
  const dls_status status = evaluate_terms(run, root->type->reads, t, run->work.y, run->work.g, err);
  *p = (dls_point){.t = t, .f = root->type->value(run, root->contact, run->work.y)};
  if (root->type->slopes != NULL) {
    dls_engine_interpolate(run->work.engine, t, 1, run->work.dy);
    root->type->slopes(run, root->contact, run->work.y, run->work.dy, p);
  }
  read_dense_slopes(run, k, k + 1, t, p);
  p->f += dls_root_shift(run, k);
  return status;
}
