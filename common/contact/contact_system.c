/* contact_system.c -- contact at an instant, on one set of contacts. Contacts that are held, and positions and velocities that
 * are projected onto them, are W r + b = 0 on a set of rows.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "common/contact/expansion.h"
#include "common/contact/friction/friction_force.h"
#include "common/linear/storage.h"
#include "common/solve/friction/cone.h"
#include "common/solve/large/cascade.h"
#include <delassus/contact_system.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double lcp_tolerance = 1e-12;       /* relative residual; rounding leaves about 1e-15 */
static const double still = 1e-12;               /* [q_s/t_s^2]: gap accelerations below are zero in any case */
static const double rounding = 64 * DBL_EPSILON; /* of a gap acceleration, relative to its terms */

static bool allocate_arrays(dls_contact_system *contacts)
{
  const size_t rows = contacts->config->rows;
  const size_t m = contacts->config->sys->m;
  contacts->block = dls_arrays(
      (const dls_slot[]){{rows,
                          {&contacts->mixture, &contacts->curvature, &contacts->q, &contacts->x, &contacts->r,
                           &contacts->mixed, &contacts->slid, &contacts->direction}},
                         {rows, {&contacts->force, &contacts->unknown}},
                         {m, {&contacts->mu, &contacts->given}},
                         {contacts->config->sys->r > 0 ? contacts->config->sys->n : 0, {&contacts->step}},
                         {0}});
  contacts->rows = calloc(rows + 1, sizeof *contacts->rows);
  if (contacts->block != NULL) {
    memcpy(contacts->mu, contacts->config->sys->mu, m * sizeof *contacts->mu);
  }
  return contacts->block != NULL && contacts->rows != NULL;
}

/* The solver of problems with laws. @param[in] method  NULL: "auto" */
static dls_status create_problem(dls_contact_system *contacts, const char *method, dls_error *err)
{
  const size_t m = contacts->config->sys->m;
  dls_problem_destroy(contacts->problem);
  contacts->problem = NULL;
  contacts->blocks = contacts->blocks != NULL ? contacts->blocks : calloc(m + 1, sizeof *contacts->blocks);
  if (contacts->blocks == NULL || (m > 0 && !dls_delassus_reserve_problem(contacts->W))) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu contacts", m);
  }
  const dls_status status = dls_problem_create(method, lcp_tolerance, &contacts->problem, err);
  if (status == DLS_OK) {
    dls_problem_set_interrupt(contacts->problem, &contacts->work->interrupt);
    dls_problem_count_fallbacks(contacts->problem, &contacts->work->fallbacks);
    dls_problem_watch_by(contacts->problem, contacts->work->watch);
  }
  return status;
}

/* The same where a contact has friction or expands. */
static dls_status create_friction(dls_contact_system *contacts, dls_error *err)
{
  const dls_system *sys = contacts->config->sys;
  const bool expands = dls_expansion_happens(sys);
  bool any = expands;
  for (size_t j = 0; j < sys->m; j++) {
    any = any || dls_law_has_friction(sys, j);
  }
  if (!any) {
    return DLS_OK;
  }
  contacts->gives = expands ? calloc(sys->m, sizeof *contacts->gives) : NULL;
  if (expands && contacts->gives == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu contacts", sys->m);
  }
  return create_problem(contacts, NULL, err);
}

void dls_contact_system_inelastic(dls_contact_system *contacts)
{
  for (size_t j = 0; j < contacts->config->sys->m; j++) {
    contacts->mixture[contacts->config->d * j] = 0;
  }
  free(contacts->gives);
  contacts->gives = NULL;
}

dls_status dls_contact_system_relax(dls_contact_system *contacts, const char *method, size_t iterations,
                                    dls_error *err)
{
  contacts->associated = true;
  contacts->truncated = iterations > 0;
  if (contacts->problem == NULL && method == NULL) {
    return DLS_OK; /* nothing has friction */
  }
  const dls_status status = create_problem(contacts, method, err);
  if (status == DLS_OK && iterations > 0) {
    dls_problem_iterations(contacts->problem, iterations);
  }
  return status;
}

void dls_contact_system_take_laws(dls_contact_system *contacts)
{
  const dls_configuration *config = contacts->config;
  contacts->sees_speed = false;
  for (size_t j = 0; j < config->sys->m; j++) {
    contacts->sees_speed = contacts->sees_speed || dls_law_sees_speed(config->sys, j);
    dls_law_of(config->sys, j)
        ->mixture(config->sys, j, contacts->theta, (const double[DLS_MOST_ROWS]){0},
                  contacts->mixture + config->d * j);
  }
}

void dls_contact_system_restart(dls_contact_system *contacts)
{
  const dls_system *sys = contacts->config->sys;
  memset(contacts->block, 0, (10 * contacts->config->rows + 2 * sys->m) * sizeof *contacts->block);
  memcpy(contacts->mu, sys->mu, sys->m * sizeof *contacts->mu);
  dls_contact_system_take_laws(contacts);
  contacts->in_interval = false;
  contacts->config->renewals++;
  if (contacts->problem != NULL) {
    dls_problem_restart(contacts->problem);
  }
  if (contacts->W != NULL) {
    dls_delassus_reset(contacts->W);
  }
}

/* What both metrics need; W and M are there. */
static dls_status create(dls_contact_system *contacts, double theta, dls_error *err)
{
  const dls_configuration *config = contacts->config;
  const size_t m = config->sys->m;
  if ((m > 0 && contacts->W == NULL) || !allocate_arrays(contacts)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu contacts", m);
  }
  if (contacts->W != NULL) {
    dls_delassus_count_fallbacks(contacts->W, &contacts->work->fallbacks);
  }
  contacts->theta = theta;
  dls_contact_system_take_laws(contacts);
  const dls_status status = dls_delassus_create_lcp(contacts->W, m, lcp_tolerance, &contacts->lcp, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_lcp_set_interrupt(contacts->lcp, &contacts->work->interrupt);
  dls_lcp_count_fallbacks(contacts->lcp, &contacts->work->fallbacks);
  return create_friction(contacts, err);
}

dls_status dls_contact_system_create(dls_configuration *config, dls_delassus *W, double theta, dls_work *work,
                                     dls_contact_system *contacts, dls_error *err)
{
  *contacts = (dls_contact_system){.config = config, .work = work, .W = W};
  return create(contacts, theta, err);
}

dls_status dls_contact_system_create_mass(const dls_system *sys, dls_work *work, dls_contact_system *contacts,
                                          dls_error *err)
{
  const dls_configuration *config = &contacts->own;
  *contacts = (dls_contact_system){.config = &contacts->own, .work = work};
  if (!dls_configuration_create(sys, &contacts->own) ||
      (contacts->M = dls_factor_create((const dls_matrix *const[]){config->M}, 1)) == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sys->n);
  }
  if (sys->r > 0 && (contacts->joints = dls_joints_create(sys, contacts->M)) == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu equations of joints", sys->r);
  }
  dls_joints_count_fallbacks(contacts->joints, &work->fallbacks);
  contacts->W = config->rows == 0          ? NULL
                : contacts->joints != NULL ? dls_delassus_create_joints(contacts->joints, config->H)
                                           : dls_delassus_create(contacts->M, config->H);
  dls_status status = create(contacts, 0.5, err);
  if (status != DLS_OK || (status = dls_factor_sum(contacts->M, (const double[]){1}, err)) != DLS_OK) {
    return status;
  }
  return contacts->joints != NULL ? dls_joints_at(contacts->joints, 0, sys->q0, err) : DLS_OK;
}

void dls_contact_system_destroy(dls_contact_system *contacts)
{
  dls_delassus_destroy(contacts->W);
  dls_joints_destroy(contacts->joints);
  dls_factor_destroy(contacts->M);
  dls_lcp_destroy(contacts->lcp);
  dls_problem_destroy(contacts->problem);
  free(contacts->blocks);
  free(contacts->gives);
  dls_configuration_destroy(&contacts->own);
  free(contacts->block);
  free(contacts->rows);
  free(contacts->dense);
  dls_friction_destroy(contacts->sliding);
}

/* M, H or G are others than before: all but the joints. */
static dls_status renew(dls_contact_system *contacts, dls_error *err)
{
  dls_configuration *config = contacts->config;
  config->renewals++;
  if (contacts->W != NULL) {
    dls_delassus_reset(contacts->W);
  }
  dls_status status = DLS_OK;
  if (config->mass_varies && contacts->M != NULL) {
    dls_factor_touch(contacts->M);
    contacts->work->factorizations++;
    status = dls_factor_sum(contacts->M, (const double[]){1}, err);
  }
  if (config->mass_varies && contacts->joints != NULL) {
    dls_joints_touch(contacts->joints);
  }
  return status;
}

void dls_contact_system_inverse(dls_contact_system *contacts, double *x)
{
  if (contacts->joints != NULL) {
    dls_joints_project(contacts->joints, x);
  } else {
    dls_factor_solve(contacts->M, x);
  }
}

void dls_contact_system_acceleration(dls_contact_system *contacts, const double *v, double *a)
{
  if (contacts->joints != NULL) {
    dls_joints_acceleration(contacts->joints, v, contacts->baumgarte, a, NULL);
  } else {
    dls_factor_solve(contacts->M, a);
  }
}

dls_status dls_contact_system_at(dls_contact_system *contacts, double t, const double *q, dls_error *err)
{
  dls_configuration *config = contacts->config;
  dls_configuration_at(config, t, q);
  const bool varies = config->mass_varies || config->gradient_varies || contacts->joints != NULL;
  const dls_status status = varies ? renew(contacts, err) : DLS_OK;
  return status != DLS_OK || contacts->joints == NULL ? status : dls_joints_at(contacts->joints, t, q, err);
}

dls_status dls_contact_system_at_acceleration(dls_contact_system *contacts, double t, const double *q,
                                              const double *v, double *a, dls_error *err)
{
  if (contacts->joints == NULL) {
    const dls_status status = dls_contact_system_at(contacts, t, q, err);
    if (status == DLS_OK) {
      dls_factor_solve(contacts->M, a);
    }
    return status;
  }
  dls_configuration_at(contacts->config, t, q);
  const dls_status status = renew(contacts, err);
  return status != DLS_OK
             ? status
             : dls_joints_at_acceleration(contacts->joints, t, q, v, contacts->baumgarte, a, NULL, err);
}

/* The normal rows of a set. */
static const size_t *contact_system_normals(dls_contact_system *contacts, const dls_contacts *set)
{
  const size_t d = contacts->config->d;
  for (size_t k = 0; d > 1 && k < set->count; k++) {
    contacts->rows[k] = d * set->index[k];
  }
  return d > 1 ? contacts->rows : set->index;
}

/* Row k of a block vector of a set, among all rows. */
static size_t row_of(const dls_contact_system *contacts, const dls_contacts *set, size_t k)
{
  const size_t d = contacts->config->d;
  return d == 1 ? set->index[k] : d * set->index[k / d] + k % d;
}

static const size_t *all_rows(dls_contact_system *contacts, const dls_contacts *set)
{
  const size_t d = contacts->config->d;
  for (size_t k = 0; d > 1 && k < d * set->count; k++) {
    contacts->rows[k] = row_of(contacts, set, k);
  }
  return d > 1 ? contacts->rows : set->index;
}

void dls_contact_system_velocity(const dls_contact_system *contacts, const dls_contacts *set, const double *v,
                                 double *u)
{
  const dls_configuration *config = contacts->config;
  if (set->count > 0 && config->d == 1 && !config->moves) {
    dls_matrix_columns_dot(config->H, set->count, set->index, v, u);
    return;
  }
  for (size_t k = 0; k < config->d * set->count; k++) {
    u[k] = dls_configuration_row(config, row_of(contacts, set, k), v);
  }
}

/* The laws are DLS_HALF: a complementarity problem of the normals. */
static dls_status solve_normals(dls_contact_system *contacts, const dls_contacts *set, const double *q,
                                double *r, dls_error *err)
{
  return dls_delassus_solve(contacts->W, contacts->lcp, set->count, contact_system_normals(contacts, set), q, r,
                            &contacts->work->lcp_solves, &contacts->work->lcp_pivots, err);
}

/* r[d count] := blocks of the normal parts r[count]. */
static void widen(size_t d, size_t count, double *r)
{
  for (size_t k = d > 1 ? count : 0; k-- > 0;) { /* from behind: r[k] moves to r[d k] */
    r[d * k] = r[k];
    memset(r + d * k + 1, 0, (d - 1) * sizeof *r);
  }
}

dls_status dls_contact_system_solve(dls_contact_system *contacts, const dls_contacts *set, const double *q,
                                    double *r, dls_error *err)
{
  const size_t d = contacts->config->d;
  for (size_t k = 0; k < set->count; k++) {
    contacts->x[k] = q[d * k];
    r[k] = r[d * k];
  }
  const dls_status status = set->count == 0 ? DLS_OK : solve_normals(contacts, set, contacts->x, r, err);
  widen(d, set->count, r);
  return status;
}

/* The blocks of the set and their rows among all, with q and r of these rows side by side. */
static void gather(dls_contact_system *contacts, const dls_contacts *set, const double *r)
{
  const size_t d = contacts->config->d;
  size_t rows = 0;
  for (size_t k = 0; k < set->count; k++) {
    const size_t j = set->index[k];
    const bool rough = dls_law_has_friction(contacts->config->sys, j);
    contacts->blocks[k] =
        rough ? (dls_block){contacts->associated ? DLS_ASSOCIATED : DLS_COULOMB, d, contacts->mu[j]}
              : (dls_block){DLS_HALF, 1, 0};
    for (size_t i = 0; i < contacts->blocks[k].rows; i++, rows++) {
      contacts->rows[rows] = d * j + i;
      contacts->q[rows] = contacts->q[d * k + i]; /* in place: never ahead of where it is read */
      contacts->x[rows] = r[d * k + i];
    }
  }
}

/* r and u^ as blocks of d rows again. */
static void scatter(dls_contact_system *contacts, const dls_contacts *set, double *r)
{
  const size_t d = contacts->config->d;
  for (size_t k = 0, row = 0; k < set->count; k++) {
    for (size_t i = 0; i < d; i++) {
      const bool there = i < contacts->blocks[k].rows;
      r[d * k + i] = there ? contacts->x[row] : 0;
      contacts->mixed[d * k + i] = there ? contacts->r[row] : 0;
      row += there;
    }
  }
}

/* Friction: u^ = W r + q and the law of every contact. */
static dls_status solve_laws(dls_contact_system *contacts, const dls_contacts *set, double *r, dls_error *err)
{
  dls_problem_report report = {0};
  gather(contacts, set, r);
  const dls_problem problem = {.count = set->count, .blocks = contacts->blocks, .q = contacts->q};
  dls_status status = dls_delassus_solve_problem(contacts->W, contacts->problem, contacts->rows, &problem,
                                                 contacts->x, contacts->r, &report, err);
  contacts->work->lcp_solves++;
  contacts->work->lcp_pivots += report.iterations;
  if (status == DLS_ERR_NOCONV && contacts->truncated) {
    contacts->work->truncated++;
    contacts->work->truncated_most = fmax(contacts->work->truncated_most, report.residual);
    status = DLS_OK;
  }
  scatter(contacts, set, r);
  return status;
}

bool dls_contact_system_slips(const dls_contact_system *contacts, const dls_contacts *set, size_t k,
                              const double *r, double rest)
{
  const size_t d = contacts->config->d, j = set->index[k];
  if (contacts->problem == NULL || !dls_law_has_friction(contacts->config->sys, j)) {
    return false;
  }
  return dls_cone_slips(d, contacts->mu[j], r + d * k, contacts->mixed + d * k, rest);
}

void dls_contact_system_approach(dls_contact_system *contacts, const dls_contacts *set, const double *u_minus)
{
  const dls_system *sys = contacts->config->sys;
  for (size_t k = 0; contacts->sees_speed && k < set->count; k++) {
    const size_t j = set->index[k];
    dls_law_of(sys, j)->mixture(sys, j, contacts->theta, u_minus + sys->d * k, contacts->mixture + sys->d * j);
  }
}

/* q := u_free + c u- + bias, row by row: u^ = W r + q. */
static void mix(dls_contact_system *contacts, const dls_contacts *set, const double *u_free,
                const double *u_minus)
{
  dls_contact_system_approach(contacts, set, u_minus);
  for (size_t k = 0; k < contacts->config->d * set->count; k++) {
    const size_t row = row_of(contacts, set, k);
    contacts->q[k] = u_free[k] + contacts->mixture[row] * u_minus[k];
    if (contacts->bias != NULL) {
      contacts->q[k] += contacts->bias[row];
    }
  }
}

/* For the driver: work->solved := r. */
static void keep_solved(const dls_contact_system *contacts, const dls_contacts *set, const double *r)
{
  const size_t d = contacts->config->d;
  dls_solved *solved = contacts->work->solved;
  memset(solved->r, 0, contacts->config->rows * sizeof *r);
  memset(solved->status, 0, contacts->config->sys->m * sizeof *solved->status);
  for (size_t k = 0; k < set->count; k++) {
    const size_t j = set->index[k];
    memcpy(solved->r + d * j, r + d * k, d * sizeof *r);
    solved->status[j] = r[d * k] <= 0 ? 0 : dls_contact_system_slips(contacts, set, k, r, solved->rest) ? 2 : 1;
  }
}

dls_status dls_contact_system_impulse(dls_contact_system *contacts, const dls_contacts *set,
                                      const double *u_free, const double *u_minus, double *r, dls_error *err)
{
  mix(contacts, set, u_free, u_minus);
  dls_status status = contacts->problem != NULL && set->count > 0
                          ? solve_laws(contacts, set, r, err)
                          : dls_contact_system_solve(contacts, set, contacts->q, r, err);
  if (status == DLS_OK && contacts->gives != NULL) {
    status = dls_expansion(contacts, set, u_free, u_minus, r, err);
  }
  if (status == DLS_OK && contacts->work->solved != NULL) {
    keep_solved(contacts, set, r);
  }
  return status;
}

dls_status dls_contact_system_count(dls_contact_system *contacts, const dls_contacts *set, const double *u_free,
                                    const double *u_minus, const double *r, size_t *solutions, dls_error *err)
{
  enum { FEW = 4 }; /* contacts: 256 combinations of modes */
  *solutions = 0;
  if (contacts->problem == NULL || set->count == 0 || set->count > FEW || contacts->gives != NULL) {
    return DLS_OK;
  }
  mix(contacts, set, u_free, u_minus);
  gather(contacts, set, r);
  const dls_problem problem = {.count = set->count, .blocks = contacts->blocks, .q = contacts->q};
  return dls_delassus_count(contacts->W, contacts->problem, contacts->rows, &problem, solutions, err);
}

void dls_contact_system_add_impulse(const dls_contact_system *contacts, const dls_contacts *set,
                                    const double *r, double *x)
{
  for (size_t k = 0; k < contacts->config->d * set->count; k++) {
    dls_matrix_column_add(contacts->config->H, row_of(contacts, set, k), r[k], x);
  }
}

void dls_contact_system_apply(dls_contact_system *contacts, const dls_contacts *set, double alpha,
                              const double *r, double *v)
{
  if (set->count > 0) {
    dls_delassus_apply(contacts->W, contacts->config->d * set->count, all_rows(contacts, set), alpha, r, v);
  }
}

bool dls_contact_system_single_impulse(dls_contact_system *contacts, const dls_contacts *set, const double *r,
                                       const double **column, double *impulse)
{
  const size_t count = contacts->config->d * set->count;
  size_t only = count;
  *column = NULL;
  const bool done =
      count == 0 || dls_delassus_only(contacts->W, count, all_rows(contacts, set), r, &only, column);
  *impulse = only < count ? r[only] : 0;
  return done;
}

/* q[d count] := rows of H^T a + c on the set: its u' without further forces. */
static void contact_system_accelerations(dls_contact_system *contacts, const dls_contacts *set, const double *a)
{
  for (size_t k = 0; k < contacts->config->d * set->count; k++) {
    const size_t row = row_of(contacts, set, k);
    contacts->q[k] = dls_matrix_column_dot(contacts->config->H, row, a) + contacts->curvature[row];
  }
}

/* The curvature at the place; it stays 0 where nothing bends. */
static void contact_system_curvature(dls_contact_system *contacts, const double *v)
{
  if (contacts->config->bends) {
    dls_configuration_curvature(contacts->config, v, contacts->curvature);
  }
}

/* What counts as zero beside gap accelerations up to the largest. */
static double open_above(const dls_contact_system *contacts, double largest)
{
  const dls_system *sys = contacts->config->sys;
  return still * sys->length / (sys->time * sys->time) + rounding * largest;
}

static inline double larger_size(double most, double x)
{
  return fabs(x) > most ? fabs(x) : most; /* NaN is not */
}

/* stage->r: no contact slips, so that accelerations obey the laws as velocities do. Starts from the last force. */
static dls_status sticking_force(dls_contact_system *contacts, const dls_contacts *set, dls_error *err)
{
  const size_t rows = contacts->config->d * set->count;
  double *r = contacts->direction; /* free: nothing slips */
  for (size_t k = 0; k < rows; k++) {
    r[k] = contacts->force[row_of(contacts, set, k)];
  }
  const dls_status status = set->count > 0 ? solve_laws(contacts, set, r, err) : DLS_OK;
  memset(contacts->force, 0, contacts->config->rows * sizeof *contacts->force);
  for (size_t k = 0; k < rows; k++) {
    contacts->r[k] = contacts->force[row_of(contacts, set, k)] = r[k];
  }
  return status;
}

void dls_contact_system_begin_interval(dls_contact_system *contacts, const double *u)
{
  if (contacts->problem == NULL) {
    return;
  }
  contacts->in_interval = u != NULL;
  for (size_t row = 0; row < contacts->config->rows; row++) {
    contacts->slid[row] = u != NULL ? u[row] : 0;
  }
}

/* Without friction; r is 0 as yet. Many contacts start from the last force: a guess spares the coarser problems of cascade.h. */
static dls_status smooth_force(dls_contact_system *contacts, const dls_contacts *set, double *a, double *r,
                               dls_error *err)
{
  const size_t count = set->count, *rows = contact_system_normals(contacts, set);
  const bool many = count > DLS_CASCADE_SMALLEST;
  double largest = 0;
  for (size_t k = 0; k < count; k++) {
    contacts->q[k] = dls_matrix_column_dot(contacts->config->H, rows[k], a) +
                     contacts->curvature[rows[k]]; /* u'_N for lambda = 0 */
    largest = larger_size(largest, contacts->q[k]);
    contacts->x[k] = many ? contacts->force[rows[k]] : 0;
  }
  contacts->open = open_above(contacts, largest);
  if (count == 0) {
    return DLS_OK;
  }
  const dls_status status =
      dls_delassus_solve(contacts->W, contacts->lcp, count, rows, contacts->q, contacts->x,
                         &contacts->work->lcp_solves, &contacts->work->lcp_pivots, err);
  if (status == DLS_OK) {
    dls_delassus_apply(contacts->W, count, rows, 1, contacts->x, a); /* a + M^-1 H lambda */
  }
  for (size_t k = 0; k < count; k++) {
    r[rows[k]] = contacts->x[k];
    contacts->force[rows[k]] = many && status == DLS_OK ? contacts->x[k] : 0;
  }
  return status;
}

/* With friction; r is 0 as yet. */
static dls_status rough_force(dls_contact_system *contacts, const dls_contacts *set, const double *v, double *a,
                              double *r, dls_error *err)
{
  const size_t d = contacts->config->d;
  double largest = 0;
  contact_system_accelerations(contacts, set, a); /* u' for lambda = 0 */
  for (size_t k = 0; k < set->count; k++) {
    largest = larger_size(largest, contacts->q[d * k]);
  }
  contacts->open = open_above(contacts, largest);
  memset(contacts->r, 0, d * set->count * sizeof *contacts->r);
  const dls_status status = dls_friction_slides(contacts, set, v)
                                ? dls_friction_force(contacts, set, contacts->q, contacts->r, err)
                                : sticking_force(contacts, set, err);
  if (status == DLS_OK) {
    dls_contact_system_apply(contacts, set, 1, contacts->r, a); /* a + M^-1 H lambda */
  }
  for (size_t k = 0; k < d * set->count; k++) {
    r[row_of(contacts, set, k)] = contacts->r[k];
  }
  return status;
}

dls_status dls_contact_system_force(dls_contact_system *contacts, const dls_contacts *set, const double *v,
                                    double *a, double *r, dls_error *err)
{
  contact_system_curvature(contacts, v);
  for (size_t row = 0; row < contacts->config->rows; row++) {
    r[row] = 0;
  }
  return contacts->problem == NULL ? smooth_force(contacts, set, a, r, err)
                                   : rough_force(contacts, set, v, a, r, err);
}

static const double near_joints = 1e-10; /* [q_s]: where Newton's method can only have rounding left */
enum { MAX_PROJECTIONS = 6 };            /* Newton's method from a small gap */

/* x += A^{-1} H r with the r that makes the rows, now q[count], zero; r stays in stage->x. */
static dls_status annul_rows(dls_contact_system *contacts, size_t count, const size_t *rows, double *x,
                             dls_error *err)
{
  const dls_status status =
      dls_delassus_solve_bilateral(contacts->W, count, rows, contacts->q, contacts->x, err);
  if (status == DLS_OK && count > 0) {
    dls_delassus_apply(contacts->W, count, rows, 1, contacts->x, x);
  }
  return status;
}

/* The same of the normal parts of a set. */
static dls_status annul(dls_contact_system *contacts, const dls_contacts *set, double *x, dls_error *err)
{
  return annul_rows(contacts, set->count, contact_system_normals(contacts, set), x, err);
}

dls_status dls_contact_system_reaction(dls_contact_system *contacts, const dls_contacts *set, const double *v,
                                       double *a, double *r, dls_error *err)
{
  const size_t d = contacts->config->d;
  dls_status status = DLS_OK;
  if (v != NULL) {
    contact_system_curvature(contacts, v);
  }
  memset(r, 0, contacts->config->rows * sizeof *r);
  /* The second pass removes the round-off of the first, so that a resting contact has u' = 0 exactly. */
  for (int pass = 0; pass < 2 && status == DLS_OK; pass++) {
    contact_system_accelerations(contacts, set, a);
    for (size_t k = 0; k < set->count; k++) {
      contacts->q[k] = contacts->q[d * k];
    }
    status = annul(contacts, set, a, err);
    for (size_t k = 0; k < set->count && status == DLS_OK; k++) {
      r[d * set->index[k]] += contacts->x[k];
    }
  }
  return status;
}

/* q[count] := the gaps of the set. @return the largest size of one */
static double take_gaps(dls_contact_system *contacts, const dls_contacts *set)
{
  double worst = 0;
  dls_configuration_gap(contacts->config, contacts->r);
  for (size_t k = 0; k < set->count; k++) {
    contacts->q[k] = contacts->r[set->index[k]];
    worst = fmax(worst, fabs(contacts->q[k]));
  }
  return worst;
}

/* q += the step that meets the joints; the gaps in stage->q go with it. */
static void meet_joints(dls_contact_system *contacts, const dls_contacts *set, double *q)
{
  double *dq = contacts->step;
  dls_joints_correction(contacts->joints, dq);
  for (size_t i = 0; i < contacts->config->sys->n; i++) {
    q[i] += dq[i];
  }
  for (size_t k = 0; k < set->count; k++) {
    contacts->q[k] += dls_matrix_column_dot(contacts->config->normals, set->index[k], dq);
  }
}

/* Newton's method is at its rounding. */
static bool reached(double worst, double last)
{
  return worst == 0 || !(worst < 0.5 * last);
}

dls_status dls_contact_system_project_q(dls_contact_system *contacts, const dls_contacts *set, double t,
                                        double *q, dls_error *err)
{
  double last = HUGE_VAL, last_distance = HUGE_VAL;
  const bool joints = contacts->joints != NULL && !contacts->loose, any = set->count > 0 || joints;
  const double close =
      near_joints * contacts->config->sys->length; /* beyond that a step may well make it worse */
  dls_status status = any ? dls_contact_system_at(contacts, t, q, err) : DLS_OK;
  for (int i = 0; i < MAX_PROJECTIONS && status == DLS_OK && any; i++) {
    const double worst = take_gaps(contacts, set);
    const double distance = joints ? dls_joints_distance(contacts->joints, NULL) : 0;
    if (reached(worst, last) && distance <= close && reached(distance, last_distance)) {
      break;
    }
    last = worst;
    last_distance = distance;
    if (joints) {
      meet_joints(contacts, set, q);
    }
    status = annul(contacts, set, q, err); /* q += A^{-1} H r with W r + g = 0 */
    status = status != DLS_OK ? status : dls_contact_system_at(contacts, t, q, err);
  }
  return status;
}

/* v += A^{-1} H r with W r + u = 0 on the rows; r stays in stage->x. */
static dls_status hold(dls_contact_system *contacts, size_t count, const size_t *rows, double *v,
                       dls_error *err)
{
  if (contacts->joints != NULL && !contacts->loose) {
    dls_joints_hold(contacts->joints, v);
  }
  for (size_t k = 0; k < count; k++) {
    contacts->q[k] = dls_configuration_row(contacts->config, rows[k], v);
  }
  return annul_rows(contacts, count, rows, v, err);
}

dls_status dls_contact_system_project_v(dls_contact_system *contacts, const dls_contacts *set, double *v,
                                        dls_error *err)
{
  return hold(contacts, set->count, contact_system_normals(contacts, set), v, err);
}

dls_status dls_contact_system_hold(dls_contact_system *contacts, size_t count, const size_t *rows, double *v,
                                   double *r, dls_error *err)
{
  dls_status status = DLS_OK;
  for (int pass = 0; pass < 2 && status == DLS_OK;
       pass++) { /* the second one is for the rounding of the first */
    status = hold(contacts, count, rows, v, err);
    for (size_t k = 0; k < count; k++) {
      r[k] = contacts->x[k] + (pass > 0 ? r[k] : 0);
    }
  }
  return status;
}
