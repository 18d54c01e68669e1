/* event_driven/friction/slow_slip.c -- slow slip, equations in slow_slip.h: Newton's method for the angles of all contacts that slip
 * slowly, each pass with the forces of all closed contacts. theta' is a difference quotient along the motion. A contact that can slip
 * along one line only (contact_mode.h) has the direction of the line.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/friction/slow_slip.h"
#include "common/base/arrays.h"
#include "common/base/memory.h"
#include "common/linear/lu.h"
#include "event_driven/event_integrator.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_dense.h>

struct dls_slow_slip {
  double *q, *v, *a, *b; /* n: the state ahead; accelerations without contact forces there and here; */
  double *w;             /* n: accelerations with contact forces ahead; result unused */
  size_t count;
  size_t *index;   /* m: contacts that slip slowly at an angle */
  double *theta;   /* m: their required d_perp u_T' */
  double *r, *dr;  /* m: the present one; scratch */
  double *speed;   /* m: s' */
  double *F;       /* m by contact: stiffness of the last one [m/s^2] */
  double *omega;   /* m by contact: theta' [1/s] */
  bool *line;      /* m by contact */
  double *J, *LU;  /* count x count */
  double **column; /* m */
  sunindextype *swap;
  double *block;
};

dls_slow_slip *dls_slow_slip_create(size_t n, size_t m)
{
  dls_slow_slip *c = calloc(1, sizeof *c);
  if (c == NULL) {
    return NULL;
  }
  c->block = dls_arrays((const dls_slot[]){{n, {&c->q, &c->v, &c->a, &c->b, &c->w}},
                                           {m, {&c->theta, &c->r, &c->dr, &c->speed, &c->F, &c->omega}},
                                           {dls_size_product(m, m), {&c->J, &c->LU}},
                                           {0}});
  c->index = calloc(m, sizeof *c->index);
  c->column = calloc(m, sizeof *c->column);
  c->swap = calloc(m, sizeof *c->swap);
  c->line = calloc(m, sizeof *c->line);
  if (c->block == NULL || c->index == NULL || c->column == NULL || c->swap == NULL || c->line == NULL) {
    dls_slow_slip_destroy(c);
    return NULL;
  }
  return c;
}

void dls_slow_slip_destroy(dls_slow_slip *c)
{
  if (c != NULL) {
    free(c->block);
    free(c->index);
    free(c->column);
    free(c->swap);
    free(c->line);
    free(c);
  }
}

bool dls_slow_slip_any(const dls_event_method *method, const dls_event_state *state)
{
  for (size_t k = 0; method->d == 3 && k < state->active.count; k++) {
    if (state->contact[state->active.index[k]].slips_slowly) {
      return true;
    }
  }
  return false;
}

static void rotate_direction(dls_contact_mode *mode, double angle)
{
  const double c = cos(angle), s = sin(angle), x = mode->e[0], y = mode->e[1];
  mode->e[0] = c * x - s * y;
  mode->e[1] = s * x + c * y;
}

/* a, lambda with the present directions; r := d_perp u_T' of the contacts in the index, and their s'. */
static dls_status evaluate_residual(dls_event_integrator *run, const double *free, const double *v, double *a,
                                    double *lambda, double *r, dls_error *err)
{
  dls_slow_slip *c = run->work.slow_slip;
  memcpy(a, free, run->method.n * sizeof *a);
  const dls_status status = dls_mode_solver_reaction(run->work.solver, &run->state.active, run->state.mode,
                                                     dls_slip_reaction_split(&run->state), v, a, lambda, err);
  for (size_t k = 0; k < c->count && status == DLS_OK; k++) {
    double rate[2];
    const double *d = run->state.mode[c->index[k]].e;
    dls_slip_rate(&run->method, &run->work, c->index[k], a, rate);
    r[k] = d[0] * rate[1] - d[1] * rate[0];
    c->speed[k] = d[0] * rate[0] + d[1] * rate[1];
  }
  return status;
}

/* LU := factors of J - part diag(s'). @return false if singular */
static bool factor_jacobian(dls_slow_slip *c, double part)
{
  const size_t k = c->count;
  double most = 0;
  memcpy(c->LU, c->J, k * k * sizeof *c->J);
  for (size_t i = 0; i < k; i++) {
    c->column[i] = c->LU + k * i;
    most = fmax(most, fabs(c->LU[i + k * i]));
  }
  for (size_t i = 0; i < k; i++) {
    c->LU[i + k * i] -= threshold_angle_damping * most + part * c->speed[i];
  }
  return dls_lu_columns(k, c->column, c->swap) == k;
}

/* J by differences about the present directions, where r is c->r; overwrites a and lambda. */
static dls_status difference_jacobian(dls_event_integrator *run, const double *free, const double *v, double *a,
                                      double *lambda, dls_error *err)
{
  dls_slow_slip *c = run->work.slow_slip;
  dls_status status = DLS_OK;
  for (size_t k = 0; k < c->count && status == DLS_OK; k++) {
    dls_contact_mode *mode = &run->state.mode[c->index[k]];
    const dls_contact_mode kept = *mode;
    rotate_direction(mode, threshold_angle_difference);
    status = evaluate_residual(run, free, v, a, lambda, c->dr, err);
    for (size_t i = 0; i < c->count; i++) {
      c->J[i + c->count * k] = (c->dr[i] - c->r[i]) / threshold_angle_difference;
    }
    *mode = kept;
  }
  return status;
}

static dls_status fail_directions(const dls_event_method *method, const dls_event_work *work, double t,
                                  dls_error *err)
{
  char name[80];
  dls_contact_name(method->sys, work->slow_slip->index[0], name, sizeof name);
  return dls_fail(err, DLS_ERR_NOCONV, "the direction of the slow slip of %s did not converge at t = %.17g",
                  name, t);
}

/* Directions with d_perp u_T' = c->theta; a, lambda with them. */
static dls_status find_directions(dls_event_integrator *run, double t, const double *free, const double *v,
                                  double *a, double *lambda, bool fresh, dls_error *err)
{
  dls_slow_slip *c = run->work.slow_slip;
  double last = HUGE_VAL;
  dls_status status = evaluate_residual(run, free, v, a, lambda, c->r, err);
  for (int pass = 0; status == DLS_OK && c->count > 0; pass++) {
    if (fresh) {
      status = difference_jacobian(run, free, v, a, lambda, err);
      if (status != DLS_OK || !factor_jacobian(c, 0)) {
        return status != DLS_OK ? status : fail_directions(&run->method, &run->work, t, err);
      }
    }
    double step = 0;
    for (size_t k = 0; k < c->count; k++) {
      c->dr[k] = c->theta[k] - c->r[k];
    }
    SUNDlsMat_denseGETRS(c->column, (sunindextype)c->count, c->swap, c->dr);
    for (size_t k = 0; k < c->count; k++) {
      step = fmax(step, fabs(c->dr[k]));
    }
    if (!(step < HUGE_VAL) || pass == threshold_angle_passes) {
      return fail_directions(&run->method, &run->work, t, err);
    }
    for (size_t k = 0; k < c->count; k++) {
      rotate_direction(&run->state.mode[c->index[k]], c->dr[k] * fmin(1, threshold_most_turn / step));
    }
    status = evaluate_residual(run, free, v, a, lambda, c->r, err);
    if (step < threshold_angle_converged) {
      break;
    }
    fresh = step > threshold_slow_contraction * last;
    last = step;
  }
  return status;
}

/* The contacts that slip slowly, with their stored directions; on a line the direction of the line. */
static dls_status collect_slow_contacts(dls_event_state *state, dls_event_work *work, dls_error *err)
{
  dls_slow_slip *c = work->slow_slip;
  dls_status status = DLS_OK;
  c->count = 0;
  for (size_t k = 0; status == DLS_OK && k < state->active.count; k++) {
    const size_t j = state->active.index[k];
    if (state->contact[j].slips_slowly) {
      status = dls_mode_solver_single_line(work->solver, &state->active, state->mode, j, state->mode[j].e,
                                           &c->line[j], err);
      c->omega[j] = c->F[j] = 0;
      c->theta[c->count] = 0;
      c->index[c->count] = j;
      c->count += !c->line[j];
    }
  }
  return status;
}

/* c->dr := -d/dt r along the motion. Directions have been found with s theta' = 0. */
static dls_status difference_ahead(dls_event_integrator *run, double t, const double *q, const double *v,
                                   const double *a, double *lambda, dls_error *err)
{
  dls_slow_slip *c = run->work.slow_slip;
  const double delta = threshold_rate_difference * run->method.sys->time;
  for (size_t i = 0; i < run->method.n; i++) {
    c->q[i] = q[i] + delta * (v[i] + 0.5 * delta * a[i]);
    c->v[i] = v[i] + delta * a[i];
  }
  dls_status status = dls_geometry_set(&run->state, &run->work, t + delta, c->q, err);
  if (status == DLS_OK) {
    dls_geometry_free_acceleration(run, t + delta, c->q, c->v, c->a);
    status = evaluate_residual(run, c->a, c->v, c->w, lambda, c->dr, err);
  }
  const dls_status back = dls_geometry_set(&run->state, &run->work, t, q, err);
  for (size_t k = 0; k < c->count; k++) {
    c->dr[k] = (c->r[k] - c->dr[k]) / delta;
  }
  return status != DLS_OK ? status : back;
}

/* x := (J - part s')^-1 x. */
static dls_status solve_jacobian(const dls_event_method *method, dls_event_work *work, double t, double part,
                                 double *x, dls_error *err)
{
  dls_slow_slip *c = work->slow_slip;
  if (!factor_jacobian(c, part)) {
    return fail_directions(method, work, t, err);
  }
  SUNDlsMat_denseGETRS(c->column, (sunindextype)c->count, c->swap, x);
  return DLS_OK;
}

/* Relaxation rate R of the slip across d. The theta' that u follows lacks s theta''/F, so that u lags by
 * epsilon = s theta''/(F R): s epsilon is an error of the velocity, and friction at that angle brakes F epsilon^2/2 less. At the
 * slow-slip limit R is about F/s, as in full slip. */
static double relaxation_rate(const dls_event_method *method, double s, double F, double omega)
{
  const double time = method->sys->time,
               most = threshold_direction_lag * method->eps.tol * method->sys->length / time;
  const double rate = fabs(omega) + 1 / time, least = threshold_relaxation_rate / time;
  const double wanted = F > 0 ? s * rate * rate * (s / (F * most) + sqrt(time / (F * most))) : 0;
  return fmax(least, s * wanted < F ? wanted : F / s);
}

/* c->theta := s theta' - R times the slip across d, so that this decays; s theta' alone without relaxation. d is J^-1 s theta' ahead of the
 * present direction. LU are then the factors of J. */
static dls_status find_rates(dls_event_integrator *run, double t, const double *v, dls_error *err)
{
  dls_slow_slip *c = run->work.slow_slip;
  dls_status status = solve_jacobian(&run->method, &run->work, t, 1, c->dr, err);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t k = 0; k < c->count; k++) {
    const size_t j = c->index[k];
    double u[2];
    dls_slip_of(&run->method, &run->work, j, v, u);
    const double *d = run->state.mode[j].e, along = d[0] * u[0] + d[1] * u[1];
    c->omega[j] = c->dr[k];                                                            /* (1) theta' */
    c->F[j] = fmax(0, -c->J[k + c->count * k] - c->speed[k]);                          /* F = -J - s' */
    c->theta[k] = (run->state.without_relaxation ? along : fmax(0, along)) * c->dr[k]; /* (1) s theta' */
    c->dr[k] = c->theta[k];
  }
  status = solve_jacobian(&run->method, &run->work, t, 0, c->dr, err);
  for (size_t k = 0; k < c->count && !run->state.without_relaxation; k++) {
    double u[2];
    const double *d = run->state.mode[c->index[k]].e;
    dls_slip_of(&run->method, &run->work, c->index[k], v, u);
    const double along = d[0] * u[0] + d[1] * u[1], across = d[0] * u[1] - d[1] * u[0];
    c->theta[k] -= relaxation_rate(&run->method, fmax(0, along), c->F[c->index[k]], c->omega[c->index[k]]) *
                   (across - along * c->dr[k]);
  }
  return status;
}

dls_status dls_slow_slip_reaction(dls_event_integrator *run, double t, const double *q, const double *v,
                                  double *a, double *lambda, dls_error *err)
{
  dls_slow_slip *c = run->work.slow_slip;
  memcpy(c->b, a, run->method.n * sizeof *a);
  dls_status status = collect_slow_contacts(&run->state, &run->work, err);
  if (status != DLS_OK || (status = find_directions(run, t, c->b, v, a, lambda, true, err)) != DLS_OK ||
      c->count == 0) {
    return status;
  }
  if ((status = difference_jacobian(run, c->b, v, c->w, lambda, err)) !=
          DLS_OK || /* J at the directions that were found */
      (status = difference_ahead(run, t, q, v, a, lambda, err)) != DLS_OK ||
      (status = find_rates(run, t, v, err)) != DLS_OK) {
    return status;
  }
  return find_directions(run, t, c->b, v, a, lambda, false, err);
}

/* Speed at which the error of the slow motion is tol: angle s^2 theta''/F^2, theta'' about (|theta'| + 1/t_s)^2. */
static double accurate_speed(const dls_event_method *method, double F, double omega)
{
  const double rate = fabs(omega) + 1 / method->sys->time;
  return threshold_slow_slip_accuracy *
         cbrt(method->eps.tol * method->sys->length / method->sys->time * F * F / (rate * rate));
}

double dls_slow_slip_limit(const dls_event_method *method, const dls_event_work *work, size_t j)
{
  const dls_slow_slip *c = work->slow_slip;
  const double speed = method->sys->length / method->sys->time;
  return fmax(c->line[j] ? threshold_line_slip_limit * speed : accurate_speed(method, c->F[j], c->omega[j]),
              threshold_least_slow_slip_limit * method->eps.s);
}

double dls_slow_slip_stiffness(const dls_event_method *method, const dls_event_work *work, size_t j)
{
  dls_delassus *W = work->contacts.W;
  const size_t N = method->d * j;
  const double W_TT = 0.5 * (dls_delassus_entry(W, N + 1, N + 1) + dls_delassus_entry(W, N + 2, N + 2));
  return dls_slip_force(method, j, work->lambda) * W_TT;
}

bool dls_slow_slip_begins(const dls_event_method *method, const dls_event_work *work, size_t j, const double *v,
                          double *slow_slip_limit)
{
  double u[2], rate[2];
  const double s = dls_slip_of(method, work, j, v, u), F = dls_slow_slip_stiffness(method, work, j);
  if (!(s > 0) || F * method->sys->time < threshold_slow_slip_stiffness * s) {
    return false;
  }
  dls_slip_rate(method, work, j, work->a, rate);
  const double slower = (u[0] * rate[0] + u[1] * rate[1]) / s, across = (u[0] * rate[1] - u[1] * rate[0]) / s;
  *slow_slip_limit = accurate_speed(method, F, across / s);
  return s < threshold_slow_slip_enter * *slow_slip_limit && fabs(slower) < threshold_slow_slip_evenness * F &&
         fabs(across) < threshold_slow_slip_evenness * F;
}
