/* contact_system.c -- contact at an instant, on one set of contacts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "common/contact/contact_system_parts.h"
#include "common/contact/expansion.h"
#include "common/contact/friction/friction_force.h"
#include "common/linear/storage.h"
#include <delassus/contact_system.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double lcp_tolerance = 1e-12;       /* relative residual; rounding leaves about 1e-15 */
static const double slip_margin = 1e-9;          /* relative: |r_T| that close to mu r_N is at the limit */
static const double still = 1e-12;               /* [q_s/t_s^2]: gap accelerations below are zero in any case */
static const double rounding = 64 * DBL_EPSILON; /* of a gap acceleration, relative to its terms */

static bool allocate_arrays(dls_stage *stage)
{
  const size_t rows = stage->place->rows;
  const size_t m = stage->place->sys->m;
  stage->block =
      dls_arrays((const dls_slot[]){{rows,
                                     {&stage->mixture, &stage->curvature, &stage->q, &stage->x, &stage->r,
                                      &stage->mixed, &stage->slid, &stage->direction}},
                                    {rows, {&stage->force, &stage->unknown}},
                                    {m, {&stage->mu, &stage->given}},
                                    {stage->place->sys->r > 0 ? stage->place->sys->n : 0, {&stage->step}},
                                    {0}});
  stage->rows = calloc(rows + 1, sizeof *stage->rows);
  if (stage->block != NULL) {
    memcpy(stage->mu, stage->place->sys->mu, m * sizeof *stage->mu);
  }
  return stage->block != NULL && stage->rows != NULL;
}

/* The solver of problems with laws, where a contact has friction. */
static dls_status create_friction(dls_stage *stage, dls_error *err)
{
  const dls_system *sys = stage->place->sys;
  const bool expands = dls_expansion_happens(sys);
  bool any = expands;
  for (size_t j = 0; j < sys->m; j++) {
    any = any || dls_law_has_friction(sys, j);
  }
  if (!any) {
    return DLS_OK;
  }
  stage->blocks = calloc(sys->m, sizeof *stage->blocks);
  stage->gives = expands ? calloc(sys->m, sizeof *stage->gives) : NULL;
  const bool made = stage->blocks != NULL && (stage->gives != NULL || !expands);
  const dls_status status = !made ? dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu contacts", sys->m)
                                  : dls_problem_create(NULL, lcp_tolerance, &stage->problem, err);
  if (status == DLS_OK) {
    dls_problem_watch_by(stage->problem, stage->work->watch);
    dls_problem_ask(stage->problem, &stage->work->asker);
  }
  return status;
}

/* What both metrics need; W and M are there. */
static dls_status create(dls_stage *stage, double theta, dls_error *err)
{
  const dls_place *place = stage->place;
  const size_t m = place->sys->m;
  if ((m > 0 && stage->W == NULL) || !allocate_arrays(stage)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu contacts", m);
  }
  for (size_t j = 0; j < m; j++) {
    dls_law_of(place->sys, j)->mixture(place->sys, j, theta, stage->mixture + place->d * j);
  }
  const dls_status status = dls_lcp_create(m, NULL, lcp_tolerance, &stage->lcp, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_lcp_ask(stage->lcp, &stage->work->asker);
  return create_friction(stage, err);
}

dls_status dls_stage_create(dls_place *place, dls_delassus *W, double theta, dls_work *work, dls_stage *stage,
                            dls_error *err)
{
  *stage = (dls_stage){.place = place, .work = work, .W = W};
  return create(stage, theta, err);
}

dls_status dls_stage_create_mass(const dls_system *sys, dls_work *work, dls_stage *stage, dls_error *err)
{
  const dls_place *place = &stage->own;
  *stage = (dls_stage){.place = &stage->own, .work = work};
  if (!dls_place_create(sys, &stage->own) ||
      (stage->M = dls_factor_create((const dls_matrix *const[]){place->M}, 1)) == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sys->n);
  }
  if (sys->r > 0 && (stage->joints = dls_joints_create(sys, stage->M)) == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu equations of joints", sys->r);
  }
  stage->W = place->rows == 0        ? NULL
             : stage->joints != NULL ? dls_delassus_create_joints(stage->joints, place->H)
                                     : dls_delassus_create(stage->M, place->H);
  dls_status status = create(stage, 0.5, err);
  status = status != DLS_OK ? status : dls_factor_sum(stage->M, (const double[]){1}, err);
  return status != DLS_OK || stage->joints == NULL ? status : dls_joints_at(stage->joints, 0, sys->q0, err);
}

void dls_stage_destroy(dls_stage *stage)
{
  dls_delassus_destroy(stage->W);
  dls_joints_destroy(stage->joints);
  dls_factor_destroy(stage->M);
  dls_lcp_destroy(stage->lcp);
  dls_problem_destroy(stage->problem);
  free(stage->blocks);
  free(stage->gives);
  dls_place_destroy(&stage->own);
  free(stage->block);
  free(stage->rows);
  free(stage->dense);
}

/* M, H or G are others than before. */
static dls_status renew(dls_stage *stage, double t, const double *q, dls_error *err)
{
  dls_place *place = stage->place;
  if (stage->W != NULL) {
    dls_delassus_reset(stage->W);
  }
  dls_status status = DLS_OK;
  if (place->mass_varies && stage->M != NULL) {
    dls_factor_touch(stage->M);
    stage->work->factorizations++;
    status = dls_factor_sum(stage->M, (const double[]){1}, err);
  }
  if (status != DLS_OK || stage->joints == NULL) {
    return status;
  }
  if (place->mass_varies) {
    dls_joints_touch(stage->joints);
  }
  return dls_joints_at(stage->joints, t, q, err);
}

void dls_stage_inverse(dls_stage *stage, double *x)
{
  if (stage->joints != NULL) {
    dls_joints_project(stage->joints, x);
  } else {
    dls_factor_solve(stage->M, x);
  }
}

void dls_stage_acceleration(dls_stage *stage, const double *v, double *a)
{
  if (stage->joints != NULL) {
    dls_joints_acceleration(stage->joints, v, stage->baumgarte, a, NULL);
  } else {
    dls_factor_solve(stage->M, a);
  }
}

dls_status dls_stage_at(dls_stage *stage, double t, const double *q, dls_error *err)
{
  dls_place *place = stage->place;
  dls_place_at(place, t, q);
  const bool varies = place->mass_varies || place->gradient_varies || stage->joints != NULL;
  return varies ? renew(stage, t, q, err) : DLS_OK;
}

/* The normal rows of a set. */
const size_t *dls_stage_normals(dls_stage *stage, const dls_contacts *set)
{
  const size_t d = stage->place->d;
  for (size_t k = 0; d > 1 && k < set->count; k++) {
    stage->rows[k] = d * set->index[k];
  }
  return d > 1 ? stage->rows : set->index;
}

/* Row k of a block vector of a set, among all rows. */
static size_t row_of(const dls_stage *stage, const dls_contacts *set, size_t k)
{
  const size_t d = stage->place->d;
  return d == 1 ? set->index[k] : d * set->index[k / d] + k % d;
}

static const size_t *all_rows(dls_stage *stage, const dls_contacts *set)
{
  const size_t d = stage->place->d;
  for (size_t k = 0; d > 1 && k < d * set->count; k++) {
    stage->rows[k] = row_of(stage, set, k);
  }
  return d > 1 ? stage->rows : set->index;
}

void dls_stage_velocity(const dls_stage *stage, const dls_contacts *set, const double *v, double *u)
{
  const dls_place *place = stage->place;
  if (set->count > 0 && place->d == 1 && !place->moves) {
    dls_matrix_columns_dot(place->H, set->count, set->index, v, u);
    return;
  }
  for (size_t k = 0; k < place->d * set->count; k++) {
    u[k] = dls_place_row(place, row_of(stage, set, k), v);
  }
}

/* The laws are DLS_HALF: a complementarity problem of the normals. */
static dls_status solve_normals(dls_stage *stage, const dls_contacts *set, const double *q, double *r,
                                dls_error *err)
{
  return dls_delassus_solve(stage->W, stage->lcp, set->count, dls_stage_normals(stage, set), q, r,
                            &stage->work->lcp_solves, &stage->work->lcp_pivots, err);
}

/* r[d count] := blocks of the normal parts r[count]. */
static void widen(size_t d, size_t count, double *r)
{
  for (size_t k = d > 1 ? count : 0; k-- > 0;) { /* from behind: r[k] moves to r[d k] */
    r[d * k] = r[k];
    memset(r + d * k + 1, 0, (d - 1) * sizeof *r);
  }
}

dls_status dls_stage_solve(dls_stage *stage, const dls_contacts *set, const double *q, double *r,
                           dls_error *err)
{
  const size_t d = stage->place->d;
  for (size_t k = 0; k < set->count; k++) {
    stage->x[k] = q[d * k];
    r[k] = r[d * k];
  }
  const dls_status status = set->count == 0 ? DLS_OK : solve_normals(stage, set, stage->x, r, err);
  widen(d, set->count, r);
  return status;
}

/* The blocks of the set and their rows among all, with q and r of these rows side by side. */
static void gather(dls_stage *stage, const dls_contacts *set, const double *r)
{
  const size_t d = stage->place->d;
  size_t rows = 0;
  for (size_t k = 0; k < set->count; k++) {
    const size_t j = set->index[k];
    const bool rough = dls_law_has_friction(stage->place->sys, j);
    stage->blocks[k] = rough ? (dls_block){DLS_COULOMB, d, stage->mu[j]} : (dls_block){DLS_HALF, 1, 0};
    for (size_t i = 0; i < stage->blocks[k].rows; i++, rows++) {
      stage->rows[rows] = d * j + i;
      stage->q[rows] = stage->q[d * k + i]; /* in place: never ahead of where it is read */
      stage->x[rows] = r[d * k + i];
    }
  }
}

/* r and u^ as blocks of d rows again. */
static void scatter(dls_stage *stage, const dls_contacts *set, double *r)
{
  const size_t d = stage->place->d;
  for (size_t k = 0, row = 0; k < set->count; k++) {
    for (size_t i = 0; i < d; i++) {
      const bool there = i < stage->blocks[k].rows;
      r[d * k + i] = there ? stage->x[row] : 0;
      stage->mixed[d * k + i] = there ? stage->r[row] : 0;
      row += there;
    }
  }
}

/* Friction: u^ = W r + q and the law of every contact. */
static dls_status solve_laws(dls_stage *stage, const dls_contacts *set, double *r, dls_error *err)
{
  dls_problem_report report = {0};
  gather(stage, set, r);
  const dls_problem problem = {.count = set->count, .blocks = stage->blocks, .q = stage->q};
  const dls_status status = dls_delassus_solve_problem(stage->W, stage->problem, stage->rows, &problem,
                                                       stage->x, stage->r, &report, err);
  stage->work->lcp_solves++;
  stage->work->lcp_pivots += report.iterations;
  scatter(stage, set, r);
  return status;
}

bool dls_stage_slips(const dls_stage *stage, const dls_contacts *set, size_t k, const double *r, double rest)
{
  const size_t d = stage->place->d, j = set->index[k];
  if (stage->problem == NULL || !dls_law_has_friction(stage->place->sys, j)) {
    return false;
  }
  double force = 0, slip = 0;
  for (size_t i = 1; i < d; i++) {
    force = hypot(force, r[d * k + i]);
    slip = hypot(slip, stage->mixed[d * k + i]);
  }
  return slip > rest && force > 0 && force >= (1 - slip_margin) * stage->mu[j] * r[d * k];
}

/* q := u_free + c u-, row by row: u^ = W r + q. */
static void mix(dls_stage *stage, const dls_contacts *set, const double *u_free, const double *u_minus)
{
  for (size_t k = 0; k < stage->place->d * set->count; k++) {
    stage->q[k] = u_free[k] + stage->mixture[row_of(stage, set, k)] * u_minus[k];
  }
}

/* For the driver: work->solved := r. */
static void keep_solved(const dls_stage *stage, const dls_contacts *set, const double *r)
{
  const size_t d = stage->place->d;
  dls_solved *solved = stage->work->solved;
  memset(solved->r, 0, stage->place->rows * sizeof *r);
  memset(solved->status, 0, stage->place->sys->m * sizeof *solved->status);
  for (size_t k = 0; k < set->count; k++) {
    const size_t j = set->index[k];
    memcpy(solved->r + d * j, r + d * k, d * sizeof *r);
    solved->status[j] = r[d * k] <= 0 ? 0 : dls_stage_slips(stage, set, k, r, solved->rest) ? 2 : 1;
  }
}

dls_status dls_stage_impulse(dls_stage *stage, const dls_contacts *set, const double *u_free,
                             const double *u_minus, double *r, dls_error *err)
{
  mix(stage, set, u_free, u_minus);
  dls_status status = stage->problem != NULL && set->count > 0 ? solve_laws(stage, set, r, err)
                                                               : dls_stage_solve(stage, set, stage->q, r, err);
  if (status == DLS_OK && stage->gives != NULL) {
    status = dls_expansion(stage, set, u_free, u_minus, r, err);
  }
  if (status == DLS_OK && stage->work->solved != NULL) {
    keep_solved(stage, set, r);
  }
  return status;
}

dls_status dls_stage_count(dls_stage *stage, const dls_contacts *set, const double *u_free,
                           const double *u_minus, const double *r, size_t *solutions, dls_error *err)
{
  enum { FEW = 4 }; /* contacts: 256 combinations of modes */
  *solutions = 0;
  if (stage->problem == NULL || set->count == 0 || set->count > FEW || stage->gives != NULL) {
    return DLS_OK;
  }
  mix(stage, set, u_free, u_minus);
  gather(stage, set, r);
  const dls_problem problem = {.count = set->count, .blocks = stage->blocks, .q = stage->q};
  return dls_delassus_count(stage->W, stage->problem, stage->rows, &problem, solutions, err);
}

void dls_stage_add(const dls_stage *stage, const dls_contacts *set, const double *r, double *x)
{
  for (size_t k = 0; k < stage->place->d * set->count; k++) {
    dls_matrix_column_add(stage->place->H, row_of(stage, set, k), r[k], x);
  }
}

void dls_stage_apply(dls_stage *stage, const dls_contacts *set, double alpha, const double *r, double *v)
{
  if (set->count > 0) {
    dls_delassus_apply(stage->W, stage->place->d * set->count, all_rows(stage, set), alpha, r, v);
  }
}

bool dls_stage_only(dls_stage *stage, const dls_contacts *set, const double *r, const double **column,
                    double *impulse)
{
  const size_t count = stage->place->d * set->count;
  size_t only = count;
  *column = NULL;
  const bool done = count == 0 || dls_delassus_only(stage->W, count, all_rows(stage, set), r, &only, column);
  *impulse = only < count ? r[only] : 0;
  return done;
}

/* q[d count] := rows of H^T a + c on the set: its u' without further forces. */
void dls_stage_accelerations(dls_stage *stage, const dls_contacts *set, const double *a)
{
  for (size_t k = 0; k < stage->place->d * set->count; k++) {
    const size_t row = row_of(stage, set, k);
    stage->q[k] = dls_matrix_column_dot(stage->place->H, row, a) + stage->curvature[row];
  }
}

/* The curvature at the place; it stays 0 where nothing bends. */
void dls_stage_bend(dls_stage *stage, const double *v)
{
  if (stage->place->bends) {
    dls_place_curvature(stage->place, v, stage->curvature);
  }
}

/* What counts as zero beside gap accelerations up to the largest. */
static double open_above(const dls_stage *stage, double largest)
{
  const dls_system *sys = stage->place->sys;
  return still * sys->length / (sys->time * sys->time) + rounding * largest;
}

static inline double larger_size(double most, double x)
{
  return fabs(x) > most ? fabs(x) : most; /* NaN is not */
}

/* stage->r: no contact slips, so that accelerations obey the laws as velocities do. Starts from the last force. */
static dls_status sticking_force(dls_stage *stage, const dls_contacts *set, dls_error *err)
{
  const size_t rows = stage->place->d * set->count;
  double *r = stage->direction; /* free: nothing slips */
  for (size_t k = 0; k < rows; k++) {
    r[k] = stage->force[row_of(stage, set, k)];
  }
  const dls_status status = set->count > 0 ? solve_laws(stage, set, r, err) : DLS_OK;
  memset(stage->force, 0, stage->place->rows * sizeof *stage->force);
  for (size_t k = 0; k < rows; k++) {
    stage->r[k] = stage->force[row_of(stage, set, k)] = r[k];
  }
  return status;
}

void dls_stage_way(dls_stage *stage, const double *u)
{
  if (stage->problem == NULL) {
    return;
  }
  stage->on_way = u != NULL;
  for (size_t row = 0; row < stage->place->rows; row++) {
    stage->slid[row] = u != NULL ? u[row] : 0;
  }
}

/* Without friction; r is 0 as yet. */
static dls_status smooth_force(dls_stage *stage, const dls_contacts *set, double *a, double *r, dls_error *err)
{
  const size_t count = set->count, *rows = dls_stage_normals(stage, set);
  double largest = 0;
  for (size_t k = 0; k < count; k++) {
    stage->q[k] = dls_matrix_column_dot(stage->place->H, rows[k], a) +
                  stage->curvature[rows[k]]; /* u'_N for lambda = 0 */
    largest = larger_size(largest, stage->q[k]);
    stage->x[k] = 0;
  }
  stage->open = open_above(stage, largest);
  if (count == 0) {
    return DLS_OK;
  }
  const dls_status status = dls_delassus_solve(stage->W, stage->lcp, count, rows, stage->q, stage->x,
                                               &stage->work->lcp_solves, &stage->work->lcp_pivots, err);
  if (status == DLS_OK) {
    dls_delassus_apply(stage->W, count, rows, 1, stage->x, a); /* a + M^-1 H lambda */
  }
  for (size_t k = 0; k < count; k++) {
    r[rows[k]] = stage->x[k];
  }
  return status;
}

/* With friction; r is 0 as yet. */
static dls_status rough_force(dls_stage *stage, const dls_contacts *set, const double *v, double *a, double *r,
                              dls_error *err)
{
  const size_t d = stage->place->d;
  double largest = 0;
  dls_stage_accelerations(stage, set, a); /* u' for lambda = 0 */
  for (size_t k = 0; k < set->count; k++) {
    largest = larger_size(largest, stage->q[d * k]);
  }
  stage->open = open_above(stage, largest);
  memset(stage->r, 0, d * set->count * sizeof *stage->r);
  const dls_status status = dls_friction_slides(stage, set, v)
                                ? dls_friction_force(stage, set, stage->q, stage->r, err)
                                : sticking_force(stage, set, err);
  if (status == DLS_OK) {
    dls_stage_apply(stage, set, 1, stage->r, a); /* a + M^-1 H lambda */
  }
  for (size_t k = 0; k < d * set->count; k++) {
    r[row_of(stage, set, k)] = stage->r[k];
  }
  return status;
}

dls_status dls_stage_force(dls_stage *stage, const dls_contacts *set, const double *v, double *a, double *r,
                           dls_error *err)
{
  dls_stage_bend(stage, v);
  for (size_t row = 0; row < stage->place->rows; row++) {
    r[row] = 0;
  }
  return stage->problem == NULL ? smooth_force(stage, set, a, r, err) : rough_force(stage, set, v, a, r, err);
}
