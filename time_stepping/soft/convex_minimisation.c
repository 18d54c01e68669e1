/* convex_minimisation.c -- soft contact as a convex minimisation over velocities.
 *
 *   v' = argmin 1/2 |v' - v_free|_M^2 + sum of l_j(u_j),   q' = q + h v'                                   (1)
 *   v_free = v + h M^-1 F(t, q, v),   u = H^T v' + b(t'),   on the contacts with a gap below the envelope
 *
 * with M and H at (t, q). gamma_j(u_j) = -dl_j/du_j is the impulse of contact j, D_j = -dgamma_j/du_j >= 0. Newton's method, in
 * the impulses x with v' = v_free + M^-1 H x, W = H^T M^-1 H:
 *   (1 + D W) x' = gamma(u) + D (u - u_free),   u' = u_free + W x'                                         (2)
 * which is (M + H D H^T) dv' = M (v_free - v') + H gamma without its matrix: W is an array, sparse, or a saddle-point system, as
 * the structure of M and H has it, and may be singular. The step along x' - x ends where the function of (1) is least on it. Joints
 * are free rows: their projector replaces M^-1, and q' is projected on them.
 * Sources: E. Todorov 2014; A. Castro, F. Permenter & X. Han 2022; the form (2) is Woodbury's.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/soft/convex_minimisation.h"
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include "time_stepping/soft/soft_equations.h"
#include "time_stepping/soft/thresholds.h"
#include "time_stepping/step/euler_equations.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 9 };

void dls_soft_finish(dls_sim *sim)
{
  dls_soft *s = sim->memory;
  if (s != NULL) {
    dls_contact_system_destroy(&s->contacts);
    free(s->active.index);
    free(s->laws);
    free(s->slips);
    free(s->rows);
    free(s->episodes);
    free(s->block);
    free(s);
  }
}

/* @return false if out of memory */
static bool allocate(dls_soft *s, const dls_system *sys)
{
  const size_t n = sys->n, m = sys->m, rows = sys->d * m;
  s->block = dls_arrays((const dls_slot[]){
      {n, {&s->v_free, &s->v_next, &s->q_next, &s->force, &s->work, &s->v_try}},
      {rows, {&s->x, &s->u, &s->u_free, &s->gamma, &s->x_try, &s->u_try, &s->u_line, &s->impulse}},
      {BLOCK * m, {&s->D, &s->one}},
      {m, {&s->gap, &s->W_N, &s->w}},
      {sys->r, {&s->c, &s->nu, &s->nu_contact}},
      {0}});
  s->active.index = calloc(m + 1, sizeof *s->active.index);
  s->laws = calloc(m + 1, s->law->size);
  s->slips = calloc(m + 1, sizeof *s->slips);
  s->rows = calloc(rows + 1, sizeof *s->rows);
  s->episodes = calloc(m + 1, sizeof *s->episodes);
  for (size_t k = 0; s->block != NULL && k < BLOCK * m; k++) {
    s->one[k] = k % BLOCK % 4 == 0;
  }
  return s->block != NULL && s->active.index != NULL && s->laws != NULL && s->slips != NULL &&
         s->rows != NULL && s->episodes != NULL;
}

dls_status dls_soft_create(dls_sim *sim, size_t size, const dls_soft_law *law, double envelope,
                           const dls_newton_options *newton, dls_error *err)
{
  const dls_system *sys = sim->sys;
  dls_soft *s = sim->memory = calloc(1, size);
  if (s == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu contacts", sys->m);
  }
  s->law = law;
  s->envelope = envelope;
  s->newton = *newton;
  s->tolerance = newton->newton_tol * sys->length / sys->time;
  dls_status status = dls_contact_system_create_mass(sys, &sim->work, &s->contacts, err);
  if (status != DLS_OK || (status = dls_contact_system_at(&s->contacts, sim->t, sim->q, err)) != DLS_OK) {
    return status;
  }
  if (s->contacts.joints != NULL) {
    dls_joints_learn(s->contacts.joints);
  }
  if (!allocate(s, sys) || (sys->m > 0 && !dls_delassus_reserve_blocks(s->contacts.W, sys->d))) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu contacts", sys->m);
  }
  dls_system_gap(sys, sim->t, sim->q, s->gap);
  for (size_t j = 0; j < sys->m; j++) {
    const bool touches = s->gap[j] <= 0;
    s->episodes[j] = (dls_contact_episode){
        .open = touches, .t = sim->t, .u_minus = dls_configuration_row(s->contacts.config, sys->d * j, sim->v)};
    sim->status[j] = touches;
  }
  return DLS_OK;
}

/* Whether W keeps the columns of all contacts, or has few entries: then W_N and w are read from it, else they cost solves. */
static bool keeps_columns(const dls_soft *s)
{
  const dls_configuration *config = s->contacts.config;
  return config->sys->n * config->rows <= threshold_kept_columns ||
         (s->contacts.joints == NULL && dls_matrix_storage(config->M) == DLS_DIAGONAL);
}

/* W_N and w of contact j. */
static void weigh(dls_soft *s, size_t j)
{
  const dls_configuration *config = s->contacts.config;
  const size_t d = config->d;
  const bool kept = keeps_columns(s);
  double sum = 0;
  for (size_t i = 0; i < d; i++) {
    if (!kept) {
      memset(s->work, 0, config->sys->n * sizeof *s->work);
      dls_matrix_column_add(config->H, d * j + i, 1, s->work);
      dls_contact_system_inverse(&s->contacts, s->work);
    }
    for (size_t k = 0; k < d; k++) {
      const double entry = kept ? dls_delassus_entry(s->contacts.W, d * j + k, d * j + i)
                                : dls_matrix_column_dot(config->H, d * j + k, s->work);
      s->W_N[j] = i == 0 && k == 0 ? entry : s->W_N[j];
      sum += entry * entry;
    }
  }
  s->w[j] = d > 1 ? sqrt(sum / (double)d) : s->W_N[j];
}

double dls_soft_inverse_mass(dls_soft *s, size_t j)
{
  if (s->w[j] == 0) {
    weigh(s, j);
  }
  return s->W_N[j];
}

static const char no_fit[] = "e = 0, which no finite damping attains";

dls_status dls_soft_cannot_fit(const dls_scheme *scheme, dls_error *err)
{
  return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "scheme %s: %s", scheme->name, no_fit);
}

dls_status dls_soft_fitted(const dls_sim *sim, size_t j, double *e, dls_error *err)
{
  char name[80];
  *e = dls_law_restitution(sim->sys, j, -sim->sys->length / sim->sys->time);
  dls_contact_name(sim->sys, j, name, sizeof name);
  return *e > 0 ? DLS_OK
                : dls_sim_fail(sim, err, DLS_ERR_NOT_APPLICABLE,
                               "restitution=fit: %s has %s; restitution=own runs with the e of scheme %s", name,
                               no_fit, sim->scheme->name);
}

/* The set, its rows and velocities u, and the laws of its contacts. */
static void begin(dls_sim *sim, dls_soft *s, const dls_soft_from *from)
{
  const dls_configuration *config = s->contacts.config;
  const size_t d = config->d;
  const bool varies = config->mass_varies || config->gradient_varies || s->contacts.joints != NULL; /* W */
  s->active.count = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    s->w[j] = varies ? 0 : s->w[j];
    if (!(from->gap[j] < s->envelope && dls_soft_inverse_mass(s, j) > 0)) {
      continue;
    }
    const size_t k = s->active.count++;
    double *u = s->u + d * k;
    s->active.index[k] = j;
    for (size_t i = 0; i < d; i++) {
      s->rows[d * k + i] = d * j + i;
      u[i] = dls_configuration_row(config, d * j + i, from->v); /* u at the start of the step */
    }
    const dls_soft_contact at = {
        .j = j, .h = from->h, .gap = from->gap[j], .u = u, .W_N = s->W_N[j], .w = s->w[j]};
    s->law->begin(sim, &at, s->laws + s->law->size * k);
  }
}

/* v_free, and the impulses nu of joints without contacts. */
static void move_freely(dls_sim *sim, dls_soft *s, const dls_soft_from *from, double t_next)
{
  const size_t n = sim->sys->n;
  const double h = from->h;
  dls_sim_force(sim, from->t, from->q, from->v, s->force);
  for (size_t i = 0; i < n; i++) {
    s->v_free[i] = h * s->force[i];
  }
  if (dls_sim_load_impulse(sim, from->t, t_next, 0, s->work)) {
    for (size_t i = 0; i < n; i++) {
      s->v_free[i] += s->work[i];
    }
  }
  if (s->contacts.joints != NULL) {
    dls_joints_solve(s->contacts.joints, s->v_free, NULL, s->nu);
  } else {
    dls_factor_solve(s->contacts.M, s->v_free);
  }
  for (size_t i = 0; i < n; i++) {
    s->v_free[i] += from->v[i];
  }
}

/* v := v_free + M^-1 H x, u := H^T v + b */
static void velocities(dls_soft *s, const double *x, double *v, double *u)
{
  const size_t rows = s->contacts.config->d * s->active.count;
  memcpy(v, s->v_free, s->contacts.config->sys->n * sizeof *v);
  dls_delassus_apply(s->contacts.W, rows, s->rows, 1, x, v);
  for (size_t k = 0; k < rows; k++) {
    u[k] = dls_configuration_row(s->contacts.config, s->rows[k], v);
  }
}

/* gamma and, unless NULL, D at u. */
static void impulses_at(dls_soft *s, const double *u, double *D)
{
  const size_t d = s->contacts.config->d;
  for (size_t k = 0; k < s->active.count; k++) {
    s->slips[s->active.index[k]] = s->law->impulse(s->laws + s->law->size * k, d, u + d * k, s->gamma + d * k,
                                                   D != NULL ? D + BLOCK * k : NULL);
  }
}

/* Slope of the function of (1) along (x_try - x, u_try - u), at the fraction `along` of it, where gamma is. */
static double slope(const dls_soft *s, double along)
{
  const size_t rows = s->contacts.config->d * s->active.count;
  double sum = 0;
  for (size_t k = 0; k < rows; k++) {
    const double x = s->x[k] + along * (s->x_try[k] - s->x[k]);
    sum += (s->u_try[k] - s->u[k]) * (x - s->gamma[k]);
  }
  return sum;
}

/* The zero of the slope, which is `first` < 0 at 0 and `last` > 0 at 1, by the Illinois method. */
static double search(dls_soft *s, double first, double last)
{
  const size_t rows = s->contacts.config->d * s->active.count;
  double low = 0, high = 1, at_low = first, at_high = last, along = 1;
  int side = 0;
  for (int k = 0; k < threshold_searches; k++) {
    along = low + (high - low) * at_low / (at_low - at_high);
    for (size_t i = 0; i < rows; i++) {
      s->u_line[i] = s->u[i] + along * (s->u_try[i] - s->u[i]);
    }
    impulses_at(s, s->u_line, NULL);
    const double here = slope(s, along);
    if (fabs(here) <= threshold_slope_left * fabs(first)) {
      break;
    }
    if (here < 0) {
      low = along;
      at_low = here;
      at_high *= side < 0 ? 0.5 : 1;
      side = -1;
    } else {
      high = along;
      at_high = here;
      at_low *= side > 0 ? 0.5 : 1;
      side = 1;
    }
  }
  return along;
}

static void blend(size_t count, double along, const double *from, double *to)
{
  for (size_t i = 0; i < count; i++) {
    to[i] = from[i] + along * (to[i] - from[i]);
  }
}

/* x, u, v_next := those tried, or those on the way there where the function is least; gamma and D there. @return the fraction of the way */
static double accept(dls_soft *s)
{
  double along = 1;
  const size_t rows = s->contacts.config->d * s->active.count;
  const double first = slope(s, 0);
  impulses_at(s, s->u_try, s->D);
  const double last = slope(s, 1);
  if (last > threshold_slope_left * fabs(first) && first < 0) {
    along = search(s, first, last);
    blend(rows, along, s->x, s->x_try);
    blend(rows, along, s->u, s->u_try);
    blend(s->contacts.config->sys->n, along, s->v_next, s->v_try);
    impulses_at(s, s->u_try, s->D);
  }
  dls_swap(&s->x, &s->x_try);
  dls_swap(&s->u, &s->u_try);
  dls_swap(&s->v_next, &s->v_try);
  return along;
}

/* Estimate of the largest change of u that belongs to x - gamma. */
static double residual(const dls_soft *s)
{
  const size_t d = s->contacts.config->d;
  double worst = 0;
  for (size_t k = 0; k < d * s->active.count; k++) {
    const size_t j = s->active.index[k / d];
    worst = dls_larger(worst, fmax(s->W_N[j], s->w[j]) * fabs(s->x[k] - s->gamma[k]));
  }
  return worst;
}

/* x_try and u_try of (2). @param[out] change  of u, the largest */
static dls_status newton_step(dls_sim *sim, dls_soft *s, double *change, dls_error *err)
{
  const size_t d = s->contacts.config->d, count = s->active.count;
  for (size_t k = 0; k < d * count; k++) {
    const double *D = s->D + BLOCK * (k / d) + k % d;
    s->x_try[k] = s->gamma[k];
    for (size_t i = 0; i < d; i++) {
      const size_t column = d * (k / d) + i;
      s->x_try[k] += D[3 * i] * (s->u[column] - s->u_free[column]); /* (2): gamma + D (u - u_free) */
    }
  }
  const dls_status status =
      dls_delassus_solve_blocks(s->contacts.W, d, count, s->rows, s->D, s->one, s->x_try, err);
  if (status != DLS_OK) {
    return status;
  }
  sim->work.newton_iterations++;
  velocities(s, s->x_try, s->v_try, s->u_try);
  *change = 0;
  for (size_t k = 0; k < d * count; k++) {
    *change = dls_larger(*change, fabs(s->u_try[k] - s->u[k]));
  }
  return DLS_OK;
}

/* The first iterate: the impulses of the last step. */
static void begin_iteration(dls_soft *s)
{
  const size_t rows = s->contacts.config->d * s->active.count;
  double most = 0;
  bool any = false;
  for (size_t k = 0; k < rows; k++) {
    s->x[k] = s->impulse[s->rows[k]];
    any = any || s->x[k] != 0;
    s->u[k] = s->u_free[k] = dls_configuration_row(s->contacts.config, s->rows[k], s->v_free);
    most = dls_larger(most, fabs(s->u_free[k]));
  }
  s->enough = s->tolerance + threshold_velocity_rounding * most;
  if (any) {
    velocities(s, s->x, s->v_next, s->u);
  }
  impulses_at(s, s->u, s->D);
}

/* v_next and x of (1), from v_next = v_free. */
static dls_status minimise(dls_sim *sim, dls_soft *s, dls_error *err)
{
  double change = HUGE_VAL, last = HUGE_VAL;
  begin_iteration(s);
  for (size_t k = 0; !(residual(s) <= s->enough); k++) {
    dls_status status = dls_sim_poll(sim, err);
    if (status != DLS_OK) {
      return status;
    }
    if (k == s->newton.newton_max) {
      return dls_sim_fail(
          sim, err, DLS_ERR_NOCONV,
          "the contact problem did not converge: velocities of contacts change by %g > %g m/s after "
          "newton_max = %zu iterations",
          change, s->enough, s->newton.newton_max);
    }
    status = newton_step(sim, s, &change, err); /* (2) */
    if (status != DLS_OK) {
      return status;
    }
    const double along = accept(s);
    change *= along;
    if (change <= s->enough && (along == 1 || last <= s->enough)) {
      break; /* x - gamma is then rounding of u times a large D */
    }
    last = change;
  }
  return DLS_OK;
}

/* q' of (1), projected on the joints, and v' projected on their velocity equations there; nu includes the impulses of both. */
static dls_status move(dls_sim *sim, dls_soft *s, const dls_soft_from *from, double t_next, dls_error *err)
{
  const size_t n = sim->sys->n, r = sim->sys->r;
  for (size_t i = 0; i < n; i++) {
    s->q_next[i] = DLS_EULER_POSITION(from->q[i], from->h, s->v_next[i]); /* (1) */
  }
  dls_joints *joints = s->contacts.joints;
  if (joints == NULL) {
    return DLS_OK;
  }
  const dls_contacts none = {0};
  memset(s->work, 0, n * sizeof *s->work);
  dls_contact_system_add_impulse(&s->contacts, &s->active, s->x, s->work);
  dls_joints_solve(joints, s->work, NULL, s->nu_contact);
  const dls_status status = dls_contact_system_project_q(&s->contacts, &none, t_next, s->q_next, err);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t i = 0; i < r; i++) {
    s->nu[i] += s->nu_contact[i];
  }
  dls_joints_velocity(joints, s->v_next, s->c);
  for (size_t i = 0; i < r; i++) {
    s->c[i] = -s->c[i];
  }
  memset(s->work, 0, n * sizeof *s->work);
  dls_joints_solve(joints, s->work, s->c, s->nu_contact);
  for (size_t i = 0; i < r; i++) {
    s->nu[i] += s->nu_contact[i];
  }
  for (size_t i = 0; i < n; i++) {
    s->v_next[i] += s->work[i];
  }
  return DLS_OK;
}

dls_status dls_soft_solve(dls_sim *sim, dls_soft *s, const dls_soft_from *from, double t_next, dls_error *err)
{
  dls_status status = dls_contact_system_at(&s->contacts, from->t, from->q, err);
  if (status != DLS_OK) {
    return status;
  }
  begin(sim, s, from);
  move_freely(sim, s, from, t_next);
  memcpy(s->v_next, s->v_free, sim->sys->n * sizeof *s->v_next);
  dls_configuration_time(s->contacts.config, t_next);
  if (s->active.count > 0 && (status = minimise(sim, s, err)) != DLS_OK) {
    return status;
  }
  memset(s->impulse, 0, s->contacts.config->rows * sizeof *s->impulse);
  for (size_t k = 0; k < s->contacts.config->d * s->active.count; k++) {
    s->impulse[s->rows[k]] = s->x[k];
  }
  return move(sim, s, from, t_next, err);
}

void dls_soft_take(dls_sim *sim, dls_soft *s, double t_next, double h, const double *impulse)
{
  const size_t n = sim->sys->n, d = sim->sys->d;
  memcpy(s->gap, sim->g, sim->sys->m * sizeof *s->gap);
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double *x = impulse + d * j;
    const double closing = dls_configuration_row(s->contacts.config, d * j, s->v_next);
    sim->p[j] = x[0];
    sim->lambda[j] = x[0] / h;
    for (size_t i = 1; i < d; i++) {
      sim->p_t[(d - 1) * j + i - 1] = x[i];
      sim->lambda_t[(d - 1) * j + i - 1] = x[i] / h;
    }
    sim->status[j] = x[0] > 0 ? (s->slips[j] ? 2 : 1) : 0;
    dls_contact_episode_follow(sim, &s->episodes[j], j, t_next, x[0] > 0,
                               x[0] > 0 || sim->g[j] + h * closing < 0, sim->u[j], x[0], s->contacts.config,
                               s->v_next);
  }
  for (size_t i = 0; i < sim->sys->r; i++) {
    sim->mu[i] = sim->mu_left[i] = s->nu[i] / h;
  }
  memcpy(sim->q, s->q_next, n * sizeof *sim->q);
  memcpy(sim->v, s->v_next, n * sizeof *sim->v);
}

dls_status dls_soft_advance(dls_sim *sim, double h, dls_error *err)
{
  dls_soft *s = sim->memory;
  const double t_next = dls_sim_next_time(sim, h);
  const dls_status status = dls_soft_solve(
      sim, s, &(dls_soft_from){.t = sim->t, .h = h, .q = sim->q, .v = sim->v, .gap = sim->g}, t_next, err);
  if (status == DLS_OK) {
    dls_soft_take(sim, s, t_next, h, s->impulse);
  }
  return status;
}
