/* integration.c -- motions with compliant contacts by Dormand-Prince 8(7) between the changes of contact.
 *
 * The modes of the contacts (open, pressed, loose where the law would pull, on the surface; stick or the direction of slip) are frozen during a step, whose
 * right-hand side is therefore smooth. A step after which other modes hold is shortened by bisection to the change. With
 * W = H^T M^-1 H and the accelerations u'_0 without contact force,
 *   Kelvin-Voigt, Hunt-Crossley   f_N = k delta + c r,  k delta^p (1 + c r),   r = delta' + lift mu |u_T|    (1)
 *   impedance   b_N = c delta' + d k delta - u'_0N,  b_T = -c u_T - u'_0T,  A = W_NN + R_N,  B = W_TT + R_T:
 *               f = (b_N/A, b_T/B) in the cone, else f_N = (b_N + mu |b_T|)/(A + mu^2 B), f_T = mu f_N b_T/|b_T|     (2)
 * and in a plane with friction for the other laws,
 *   slip    f_T = -mu f_N u_T/|u_T|,  or -mu f_N u_T/sqrt(u_T^2 + eps^2),  -mu f_N tanh(|u_T|/eps) u_T/|u_T|     (3)
 *   stick   W_TT f_T = -(u'_0T + W_TN f_N)                                                                  (4)
 * Where slip adds mu |u_T| to (1), or mu c |u_T| to (2), the force jumps at delta = 0. If it then exceeds a load that closes the contact, no
 * motion enters delta > 0 or leaves it: the solution in the sense of Filippov stays on the surface, with a force between 0 and that of (1), (2),
 *   surface  g = u_N = 0,  f_N = -u'_0N/(W_NN - mu s W_NT),  f_T = -mu s f_N,  s = sign u_T                  (5)
 * Hops from the surface shrink by 2/3 u_N^2/(mu |u_T|) in each of them, and become infinitely many. Those up to hop_part of the accuracy in
 * height are replaced by (5), whose impulses are those of the hops.
 * Rows are as dense as cubic interpolation needs; at that distance the steps of order 8 are exact to rounding.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/interrupt.h"
#include "analytic/limit/limit_rows.h"
#include "common/base/arrays.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGES_MOST = 1000000, HALVINGS = 60 };
enum { STALLED_MOST = 100 };          /* changes without progress */
static const double progress = 1e-12; /* of the time scale */
enum { STEP_PIECES = 16 };            /* of interrupt.h in a step: about its evaluations */
static const double hop_part = 1e4;   /* of the accuracy: the height of hops that (5) replaces */
static const double step_part = 0.01; /* of the accuracy: the error of a step of order 8 */
static const double safety = 0.9, grows = 2, shrinks = 0.2; /* of the step from one to the next */

typedef enum normal_mode { OPEN, PRESSED, LOOSE, ON_SURFACE } normal_mode;
typedef struct contact_mode {
  normal_mode normal;
  int slip; /* its direction; 0: stick, or friction without modes */
} contact_mode;

typedef struct flow {
  dls_limit_job *job;
  size_t n, m, d;
  dls_limit_model *model;                             /* m: of the impact that is going on */
  contact_mode *mode, *next;                          /* m */
  double *W;                                          /* d m: inverse masses of the rows */
  double W_tn;                                        /* d = 2: between slip and normal */
  double *y, *half, *full, *rate_half, *rate, *error; /* 2 n */
  double *a, *x;                                      /* n */
  double *g;                                          /* m */
  double *u, *u_dot, *c, *f;                          /* rows; u_dot without contact force */
  double *block;
  int *status; /* m */
  gsl_odeiv2_step *step;
  double t;
  double progress; /* the last time at which changes were counted from 0 */
  size_t stalled;  /* changes since */
} flow;

static bool is_impedance(const dls_limit_model *model)
{
  return model->law == DLS_COMPLIANCE_IMPEDANCE;
}

/* The terms of (2) along the normal and the tangent. */
typedef struct reference_terms {
  double b[2], A[2];
} reference_terms;

static reference_terms reference_of(const flow *s, size_t j)
{
  const dls_limit_model *model = &s->model[j];
  const size_t row = j * s->d;
  const double delta = -s->g[j], d = dls_impedance_at(&model->d, delta);
  const double R = s->W[row] * (1 - d) / d;
  reference_terms x = {{-model->c * s->u[row] + d * model->k * delta - s->u_dot[row], 0},
                       {s->W[row] + model->r_n * R, 1}};
  if (s->d == 2) {
    x.b[1] = -model->c * s->u[row + 1] - s->u_dot[row + 1];
    x.A[1] = s->W[row + 1] + model->r_t * R;
  }
  return x;
}

/* (1), (2) of contact j, which may be negative. */
static double normal_force(const flow *s, size_t j, int slip)
{
  const dls_limit_model *model = &s->model[j];
  const size_t row = j * s->d;
  const double delta = -s->g[j], mu = s->job->sys->mu[j];
  double rate = -s->u[row];
  if (model->lifts && slip != 0) {
    rate += mu * slip * s->u[row + 1];
  }
  switch (model->law) {
  case DLS_COMPLIANCE_KELVIN_VOIGT:
    return model->k * delta + model->c * rate;
  case DLS_COMPLIANCE_HUNT_CROSSLEY:
    return model->k * copysign(pow(fabs(delta), model->p), delta) * (1 + model->c * rate);
  case DLS_COMPLIANCE_IMPEDANCE:
    break;
  }
  const reference_terms x = reference_of(s, j);
  return slip == 0 ? x.b[0] / x.A[0] : (x.b[0] - mu * slip * x.b[1]) / (x.A[0] + mu * mu * x.A[1]);
}

/* (2) to (4) */
static double friction(const flow *s, size_t j, int slip, double f_n)
{
  const size_t row = j * s->d + 1;
  const dls_limit_model *model = &s->model[j];
  const double limit = s->job->sys->mu[j] * f_n, u = s->u[row];
  if (slip != 0) {
    return -slip * limit;
  }
  if (is_impedance(model)) {
    const reference_terms x = reference_of(s, j);
    return x.b[1] / x.A[1];
  }
  switch (model->friction) {
  case DLS_LIMIT_COULOMB:
    return -(s->u_dot[row] + s->W_tn * f_n) / s->W[row];
  case DLS_LIMIT_REGULARISED:
    return -limit * u / hypot(u, model->eps);
  case DLS_LIMIT_TANH:
    return -limit * tanh(u / model->eps);
  case DLS_LIMIT_FRICTION_UNKNOWN:
    break;
  }
  return NAN; /* refused before */
}

static bool has_slip_modes(const flow *s, size_t j)
{
  return s->d == 2 && (is_impedance(&s->model[j]) || s->model[j].friction == DLS_LIMIT_COULOMB);
}

static int sign_of(double x)
{
  return (x > 0) - (x < 0);
}

/* The direction of slip of a pressed contact; 0: stick. With impedance the cone decides. Otherwise a direction lasts until u_T changes
 * its sign; then, and in stick, the friction that stick needs decides. */
static int slip_of(const flow *s, size_t j, contact_mode before)
{
  const dls_system *sys = s->job->sys;
  const double u = s->d == 2 ? s->u[j * s->d + 1] : 0;
  if (!has_slip_modes(s, j)) {
    return 0;
  }
  if (!is_impedance(&s->model[j]) && before.normal != PRESSED && u != 0) {
    return sign_of(u);
  }
  if (!is_impedance(&s->model[j]) && before.normal == PRESSED && before.slip != 0 && before.slip * u >= 0) {
    return before.slip;
  }
  const double f_n = normal_force(s, j, 0), needed = friction(s, j, 0, f_n);
  return fabs(needed) <= fmax(sys->mu[j], sys->mu_s[j]) * f_n ? 0 : -sign_of(needed);
}

/* u_N' that a unit of f_N makes while the contact slips. */
static double response(const flow *s, size_t j, int slip)
{
  return s->W[j * s->d] - s->job->sys->mu[j] * slip * s->W_tn;
}

/* Does the load close contact j, and does slip lift it from delta = 0? @param[out] slip  its direction */
static bool is_held(flow *s, size_t j, contact_mode before, int *slip)
{
  const size_t row = j * s->d;
  const double g = s->g[j], u = s->u[row], load = s->u_dot[row];
  if (!has_slip_modes(s, j) || !(load < 0)) {
    return false;
  }
  before.normal = before.normal == ON_SURFACE ? PRESSED : before.normal;
  s->g[j] = s->u[row] = 0;
  *slip = slip_of(s, j, before);
  const bool held = *slip != 0 && load + response(s, j, *slip) * normal_force(s, j, *slip) > 0;
  s->g[j] = g;
  s->u[row] = u;
  return held;
}

/* Is contact j on the surface, or does it cross it with no more than the hops that (5) replaces? */
static bool is_on_surface(const flow *s, size_t j, contact_mode before)
{
  const double g = s->g[j], u = s->u[j * s->d], highest = hop_part * s->job->accuracy;
  const bool crosses = before.normal == OPEN ? g <= 0 : before.normal == PRESSED && g > 0;
  return before.normal == ON_SURFACE ||
         (crosses && fabs(g) <= highest && u * u <= 2 * fabs(s->u_dot[j * s->d]) * highest);
}

/* The mode of contact j in the state that is evaluated. */
static contact_mode mode_of(flow *s, size_t j, contact_mode before)
{
  const double g = s->g[j], u = s->u[j * s->d];
  int direction = 0;
  if (is_on_surface(s, j, before) && is_held(s, j, before, &direction)) {
    return (contact_mode){ON_SURFACE, direction};
  }
  if (g > 0 || (g == 0 && (u > 0 || (u == 0 && s->u_dot[j * s->d] >= 0)))) {
    return (contact_mode){OPEN, 0};
  }
  before.normal = before.normal == ON_SURFACE ? PRESSED : before.normal;
  const int slip = slip_of(s, j, before);
  if (s->model[j].pulls || normal_force(s, j, slip) >= 0) {
    return (contact_mode){PRESSED, slip};
  }
  return (contact_mode){LOOSE, 0};
}

/* g, u, u'_0 and inverse masses at (t, q, v). */
static void evaluate(flow *s, double t, const double *q, const double *v)
{
  dls_configuration *config = &s->job->config;
  if (dls_configuration_constant(config)) {
    config->q = q;
    config->t = t;
  } else {
    dls_configuration_at(config, t, q);
    if (config->mass_varies) {
      dls_factor_touch(s->job->M);
      dls_factor_sum(s->job->M, (const double[]){1},
                     NULL); /* a mass that is singular makes NaN, which is refused */
    }
  }
  dls_system_force(s->job->sys, t, q, v, s->a);
  dls_factor_solve(s->job->M, s->a);
  if (s->m == 0) {
    return;
  }
  dls_configuration_gap(config, s->g);
  dls_configuration_velocity(config, v, s->u);
  dls_configuration_curvature(config, v, s->c);
  dls_configuration_acceleration(config, s->a, s->c, s->u_dot);
}

static void weigh(flow *s)
{
  for (size_t row = 0; row < s->d * s->m; row++) {
    s->W[row] = dls_limit_inverse_mass(&s->job->config, s->job->M, row, row, s->x);
  }
  s->W_tn = s->d == 2 ? dls_limit_inverse_mass(&s->job->config, s->job->M, 1, 0, s->x) : 0;
}

/* Forces of the frozen modes, and q'' in a, from the state that has been evaluated. */
static void push(flow *s)
{
  memset(s->x, 0, s->n * sizeof *s->x);
  for (size_t j = 0; j < s->m; j++) {
    const size_t row = j * s->d;
    const bool held = s->mode[j].normal == ON_SURFACE, pressed = held || s->mode[j].normal == PRESSED;
    s->f[row] = held      ? -s->u_dot[row] / response(s, j, s->mode[j].slip) /* (5) */
                : pressed ? normal_force(s, j, s->mode[j].slip)
                          : 0;
    dls_matrix_column_add(s->job->config.H, row, s->f[row], s->x);
    if (s->d == 2) {
      s->f[row + 1] = pressed ? friction(s, j, s->mode[j].slip, s->f[row]) : 0;
      dls_matrix_column_add(s->job->config.H, row + 1, s->f[row + 1], s->x);
    }
  }
  dls_factor_solve(s->job->M, s->x);
  for (size_t i = 0; i < s->n; i++) {
    s->a[i] += s->x[i];
  }
}

static int rate_of(double t, const double *y, double *dy, void *data)
{
  flow *s = data;
  evaluate(s, t, y, y + s->n);
  if (s->m > 0 && (s->job->config.gradient_varies || s->job->config.mass_varies)) {
    weigh(s);
  }
  push(s);
  memcpy(dy, y + s->n, s->n * sizeof *dy);
  memcpy(dy + s->n, s->a, s->n * sizeof *dy);
  for (size_t i = 0; i < 2 * s->n; i++) {
    if (!isfinite(dy[i])) {
      return GSL_EBADFUNC;
    }
  }
  return GSL_SUCCESS;
}

/* Do the frozen modes hold at the state? @param[out] next  those that hold */
static bool modes_hold(flow *s, double t, const double *y)
{
  bool hold = true;
  evaluate(s, t, y, y + s->n);
  for (size_t j = 0; j < s->m; j++) {
    s->next[j] = mode_of(s, j, s->mode[j]);
    hold = hold && s->next[j].normal == s->mode[j].normal && s->next[j].slip == s->mode[j].slip;
  }
  return hold;
}

/* One step of order 8 from t. @param[in,out] y  the state at t, then at t + h @return false: an acceleration is not finite */
static bool advance(flow *s, double t, double h, double *y, const double *rate, double *rate_out)
{
  gsl_odeiv2_system system = {rate_of, NULL, 2 * s->n, s};
  dls_interrupt_after(STEP_PIECES);
  return gsl_odeiv2_step_apply(s->step, t, h, y, s->error, rate, rate_out, &system) == GSL_SUCCESS;
}

/* Two halves of a step. @return as advance: the step is too long */
static bool try_step(flow *s, double h)
{
  memcpy(s->half, s->y, 2 * s->n * sizeof *s->half);
  if (!advance(s, s->t, h / 2, s->half, s->rate, s->rate_half)) {
    return false;
  }
  memcpy(s->full, s->half, 2 * s->n * sizeof *s->full);
  return advance(s, s->t + h / 2, h / 2, s->full, s->rate_half, NULL);
}

/* Error of the cubics on the halves over the accuracy: 1/16 of that of the cubic over the whole in the middle. Where it is larger, that of
 * the step of order 8 over its share. */
static double error_of(flow *s, double h)
{
  double worst = 0;
  double *dy = s->error;
  for (size_t i = 0; i < 2 * s->n; i++) {
    worst = fmax(worst, fabs(dy[i]) / (step_part * s->job->accuracy));
  }
  rate_of(s->t + h, s->full, dy, s);
  for (size_t i = 0; i < 2 * s->n; i++) {
    const double middle = (s->y[i] + s->full[i]) / 2 + h * (s->rate[i] - dy[i]) / 8;
    worst = fmax(worst, fabs(middle - s->half[i]) / (16 * s->job->accuracy));
  }
  return worst;
}

static dls_status write(flow *s, double t, const double *y, dls_error *err)
{
  evaluate(s, t, y, y + s->n);
  push(s);
  for (size_t j = 0; j < s->m; j++) {
    const bool slips = s->d == 2 && (!has_slip_modes(s, j) || s->mode[j].slip != 0);
    const bool pressed = s->mode[j].normal == PRESSED || s->mode[j].normal == ON_SURFACE;
    s->status[j] = !pressed ? 0 : slips ? 2 : 1;
  }
  return dls_limit_write_row(s->job, &(dls_limit_row){t, y, y + s->n, s->a, s->f, s->status}, err);
}

/* The models of contacts that a new impact presses, for its speed. */
static dls_status onset(flow *s, const contact_mode *before, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t j = 0; j < s->m && status == DLS_OK; j++) {
    if (before[j].normal == OPEN && s->mode[j].normal != OPEN) {
      status = dls_limit_contact_model(s->job, j, s->W[j * s->d], fabs(s->u[j * s->d]), &s->model[j], err);
    }
  }
  return status;
}

/* to := to + M^-1 (H_N normal + H_T tangent) of contact j. */
static void shift(flow *s, size_t j, double normal, double tangent, double *to)
{
  memset(s->x, 0, s->n * sizeof *s->x);
  dls_matrix_column_add(s->job->config.H, j * s->d, normal, s->x);
  if (tangent != 0) {
    dls_matrix_column_add(s->job->config.H, j * s->d + 1, tangent, s->x);
  }
  dls_factor_solve(s->job->M, s->x);
  for (size_t i = 0; i < s->n; i++) {
    to[i] += s->x[i];
  }
}

/* g := 0 and u_N := 0 of the contacts that have reached the surface, by the impulse and the friction that the hops to come would have. */
static void settle(flow *s, const contact_mode *before)
{
  for (size_t j = 0; j < s->m; j++) {
    if (s->mode[j].normal == ON_SURFACE && before[j].normal != ON_SURFACE) {
      const size_t row = j * s->d;
      const int slip = s->mode[j].slip;
      const double impulse = -s->u[row] / response(s, j, slip);
      shift(s, j, -s->g[j] / s->W[row], 0, s->y);
      shift(s, j, impulse, -s->job->sys->mu[j] * slip * impulse, s->y + s->n);
    }
  }
}

/* Freeze the modes of the state y from t on, and write a row with the forces after the change. */
static dls_status begin(flow *s, double t, dls_error *err)
{
  modes_hold(s, t, s->y);
  contact_mode *before = s->mode;
  s->mode = s->next;
  s->next = before;
  if (s->m > 0) {
    weigh(s);
  }
  dls_status status = onset(s, before, err);
  settle(s, before);
  s->t = t;
  gsl_odeiv2_step_reset(s->step);
  status = status == DLS_OK ? write(s, t, s->y, err) : status;
  rate_of(t, s->y, s->rate, s);
  return status;
}

/* The shortest fraction of h after which other modes hold, to rounding of t; half := the state there. */
static double find_change(flow *s, double h)
{
  double low = 0, high = h;
  for (int i = 0; i < HALVINGS; i++) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) {
      break;
    }
    memcpy(s->half, s->y, 2 * s->n * sizeof *s->half);
    const bool hold = advance(s, s->t, middle, s->half, s->rate, NULL) && modes_hold(s, s->t + middle, s->half);
    low = hold ? middle : low;
    high = hold ? high : middle;
  }
  memcpy(s->half, s->y, 2 * s->n * sizeof *s->half);
  advance(s, s->t, high, s->half, s->rate, NULL);
  return high;
}

/* Write the row before the change, then that after it. */
static dls_status change(flow *s, double h, dls_error *err)
{
  const double length = find_change(s, h);
  memcpy(s->y, s->half, 2 * s->n * sizeof *s->y);
  const dls_status status = write(s, s->t + length, s->y, err);
  return status == DLS_OK ? begin(s, s->t + length, err) : status;
}

/* Accept the step that was tried, and write its two rows. */
static dls_status accept(flow *s, double h, double end, dls_error *err)
{
  dls_status status = write(s, s->t + h / 2, s->half, err);
  memcpy(s->y, s->full, 2 * s->n * sizeof *s->y);
  s->t = h >= end - s->t ? end : s->t + h;
  status = status == DLS_OK ? write(s, s->t, s->y, err) : status;
  rate_of(s->t, s->y, s->rate, s);
  return status;
}

/* A force that jumps against the load would open and close its contact again and again at one instant. */
static dls_status count_change(flow *s, dls_error *err)
{
  const bool on = s->t - s->progress > progress * s->job->sys->time;
  s->progress = on ? s->t : s->progress;
  s->stalled = on ? 1 : s->stalled + 1;
  return s->stalled <= STALLED_MOST
             ? DLS_OK
             : dls_fail(err, DLS_ERR_CHATTERING,
                        "limit motion: t = %g s: %d changes of contact without progress", s->t, STALLED_MOST);
}

/* Integrate from one instant at which loads or surfaces jump to the next. */
static dls_status follow(flow *s, double end, double *h, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t changes = 0; status == DLS_OK && s->t < end;) {
    if (dls_interrupt_after(0)) {
      return dls_interrupt_status(err);
    }
    const double length = fmin(*h, end - s->t);
    if (!(s->t + length / 2 > s->t)) {
      return dls_fail(err, DLS_ERR_INTEGRATOR, "limit motion: t = %g s: a step of %g s is too short", s->t,
                      length);
    }
    const double error = try_step(s, length) ? error_of(s, length) : HUGE_VAL;
    const double factor = safety / sqrt(sqrt(fmax(error, 1e-10)));
    *h = length * fmin(fmax(factor, shrinks), grows);
    if (error > 1) {
      continue;
    }
    if (modes_hold(s, s->t + length / 2, s->half) && modes_hold(s, s->t + length, s->full)) {
      status = accept(s, length, end, err);
    } else {
      status = ++changes > CHANGES_MOST
                   ? dls_fail(err, DLS_ERR_CHATTERING, "limit motion: t = %g s: %zu changes of contact", s->t,
                              changes)
                   : change(s, length, err);
      status = status == DLS_OK ? count_change(s, err) : status;
      *h = length;
    }
  }
  return status;
}

static void close_flow(flow *s)
{
  if (s->step != NULL) {
    gsl_odeiv2_step_free(s->step);
  }
  free(s->model);
  free(s->mode < s->next ? s->mode : s->next);
  free(s->status);
  free(s->block);
}

static dls_status open_flow(flow *s, dls_error *err)
{
  const size_t n = s->n, m = s->m, rows = s->d * m;
  s->model = calloc(m + 1, sizeof *s->model);
  s->mode = calloc(2 * m + 1, sizeof *s->mode);
  s->next = s->mode != NULL ? s->mode + m : NULL;
  s->status = calloc(m + 1, sizeof *s->status);
  s->block =
      dls_arrays((const dls_slot[]){{2 * n, {&s->y, &s->half, &s->full, &s->rate_half, &s->rate, &s->error}},
                                    {n, {&s->a, &s->x}},
                                    {m + 1, {&s->g}},
                                    {rows + 1, {&s->u, &s->u_dot, &s->c, &s->f, &s->W}},
                                    {0}});
  s->step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, 2 * n);
  if (s->model == NULL || s->mode == NULL || s->status == NULL || s->block == NULL || s->step == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "limit motion: no memory for %zu contacts", m);
  }
  memcpy(s->y, s->job->sys->q0, n * sizeof *s->y);
  memcpy(s->y + n, s->job->sys->v0, n * sizeof *s->y);
  dls_status status = DLS_OK;
  evaluate(s, 0, s->y, s->y + n);
  if (m > 0) {
    weigh(s);
  }
  for (size_t j = 0; j < m && status == DLS_OK; j++) {
    status = dls_limit_contact_model(s->job, j, s->W[j * s->d], fabs(s->u[j * s->d]), &s->model[j], err);
    if (status == DLS_OK && s->d == 2 && s->model[j].friction == DLS_LIMIT_FRICTION_UNKNOWN) {
      status = dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                        "scheme %s: the limit of its friction is not known; a model without friction has one",
                        s->job->scheme->name);
    }
  }
  return status;
}

dls_status dls_limit_integrate(dls_limit_job *job, dls_error *err)
{
  flow s = {.job = job, .n = job->sys->n, .m = job->sys->m, .d = job->sys->d};
  dls_status status = open_flow(&s, err);
  double h = 1e-3 * fmin(job->sys->time, job->end);
  while (status == DLS_OK && s.t < job->end) {
    const double end = fmin(dls_system_next_break(job->sys, s.t), job->end);
    status = begin(&s, s.t, err);
    status = status == DLS_OK ? follow(&s, end, &h, err) : status;
  }
  close_flow(&s);
  return status;
}
