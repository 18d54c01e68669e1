/* contact_level.c -- acceleration and impact complementarity, projections.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/contact_level.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double lcp_tolerance = 1e-12;       /* relative residual; rounding leaves about 1e-15 */
static const double still = 1e-12;               /* [q_s/t_s^2]: gap accelerations below are zero in any case */
static const double rounding = 64 * DBL_EPSILON; /* of a gap acceleration, relative to its terms */
static const double gap_rounding = 16 * DBL_EPSILON;
enum { MAX_PROJECTIONS = 6 }; /* Newton's method from a small gap */

bool dls_instant_create(const dls_system *sys, dls_instant *x)
{
  double **of_n[] = {&x->q, &x->v, &x->a};
  double **of_m[] = {&x->g, &x->u, &x->gamma, &x->lambda};
  double *next = x->block = calloc(3 * sys->n + 4 * sys->m, sizeof *x->block);
  for (size_t i = 0; next != NULL && i < 3; i++, next += sys->n) {
    *of_n[i] = next;
  }
  for (size_t i = 0; next != NULL && i < 4; i++, next += sys->m) {
    *of_m[i] = next;
  }
  return next != NULL;
}

void dls_instant_destroy(dls_instant *x)
{
  free(x->block);
}

dls_status dls_contact_level_create(dls_sim *sim, dls_contact_level *c, dls_error *err)
{
  const size_t m = sim->sys->m;
  const dls_matrix *mass[] = {sim->M};
  c->M = dls_factor_create(mass, 1);
  c->W = c->M == NULL || m == 0 ? NULL : dls_delassus_create(c->M, sim->H);
  c->block = calloc(4 * m + 1, sizeof *c->block);
  if (c->M == NULL || (m > 0 && c->W == NULL) || c->block == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu contacts", m);
  }
  c->curvature = c->block;
  c->b = c->curvature + m;
  c->p = c->b + m;
  c->x = c->p + m;
  const dls_status status = dls_lcp_create(m, NULL, lcp_tolerance, &c->lcp, err);
  return status != DLS_OK ? status : dls_factor_sum(c->M, (const double[]){1}, err);
}

void dls_contact_level_destroy(dls_contact_level *c)
{
  dls_factor_destroy(c->M);
  dls_delassus_destroy(c->W);
  dls_lcp_destroy(c->lcp);
  free(c->block);
}

dls_status dls_contact_level_place(dls_sim *sim, dls_contact_level *c, const double *q, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const bool mass_varies = dls_system_mass_varies(sys);
  if (!mass_varies && !dls_system_gradient_varies(sys)) {
    return DLS_OK;
  }
  dls_system_mass(sys, q, sim->M);
  dls_system_gradient(sys, q, sim->H);
  if (c->W != NULL) {
    dls_delassus_reset(c->W);
  }
  if (!mass_varies) {
    return DLS_OK;
  }
  dls_factor_touch(c->M);
  sim->work.factorizations++;
  return dls_factor_sum(c->M, (const double[]){1}, err);
}

static dls_status solve(dls_sim *sim, dls_contact_level *c, const dls_contacts *set, const double *b, double *p,
                        dls_error *err)
{
  memset(p, 0, set->count * sizeof *p);
  return dls_delassus_solve(c->W, c->lcp, set->count, set->index, b, p, &sim->work.lcp_solves,
                            &sim->work.lcp_pivots, err);
}

/* gamma of all contacts from a. @return whether one of the set is > 0 */
static bool gap_accelerations(const dls_sim *sim, const dls_contact_level *c, const dls_contacts *set,
                              const double *a, double *gamma)
{
  bool opens = false;
  for (size_t j = 0; j < sim->sys->m; j++) {
    gamma[j] = dls_matrix_column_dot(sim->H, j, a) + c->curvature[j];
  }
  for (size_t k = 0; k < set->count; k++) {
    opens = opens || gamma[set->index[k]] > c->open;
  }
  return opens;
}

/* b of the acceleration problem for the free acceleration a, and what counts as zero beside it. */
static void free_gamma(const dls_sim *sim, dls_contact_level *c, const dls_contacts *set, const double *a)
{
  const dls_system *sys = sim->sys;
  double largest = 0;
  for (size_t k = 0; k < set->count; k++) {
    const size_t j = set->index[k];
    c->b[k] = dls_matrix_column_dot(sim->H, j, a) + c->curvature[j];
    largest = fmax(largest, fabs(c->b[k]));
  }
  c->open = still * sys->length / (sys->time * sys->time) + rounding * largest;
}

dls_status dls_contact_level_acceleration(dls_sim *sim, dls_contact_level *c, double t, const double *q,
                                          const double *v, const dls_contacts *set, double *a, double *lambda,
                                          double *gamma, bool *opens, dls_error *err)
{
  dls_status status = dls_contact_level_place(sim, c, q, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_sim_force(sim, t, q, v, a);
  dls_factor_solve(c->M, a);
  dls_system_curvature(sim->sys, t, q, v, c->curvature);
  free_gamma(sim, c, set, a);
  if (set->count > 0) {
    status = solve(sim, c, set, c->b, c->p, err);
    if (status != DLS_OK) {
      return status;
    }
    dls_delassus_apply(c->W, set->count, set->index, 1, c->p, a);
  }
  const bool one_opens = gap_accelerations(sim, c, set, a, gamma);
  memset(lambda, 0, sim->sys->m * sizeof *lambda);
  for (size_t k = 0; k < set->count; k++) {
    lambda[set->index[k]] = c->p[k];
  }
  if (opens != NULL) {
    *opens = one_opens;
  }
  return DLS_OK;
}

dls_status dls_contact_level_observe(dls_sim *sim, dls_contact_level *c, const dls_contacts *set,
                                     dls_instant *x, bool *opens, dls_error *err)
{
  const dls_status status =
      dls_contact_level_acceleration(sim, c, x->t, x->q, x->v, set, x->a, x->lambda, x->gamma, opens, err);
  dls_system_gap(sim->sys, x->t, x->q, x->g);
  dls_sim_gap_velocity(sim, x->v, x->u);
  return status;
}

dls_status dls_contact_level_close(dls_sim *sim, dls_contact_level *c, double t, const dls_contacts *set,
                                   double *q, dls_error *err)
{
  double last = HUGE_VAL;
  dls_status status = set->count > 0 ? dls_contact_level_place(sim, c, q, err) : DLS_OK;
  for (int i = 0; i < MAX_PROJECTIONS && status == DLS_OK && set->count > 0; i++) {
    double worst = 0;
    dls_system_gap(sim->sys, t, q, c->p);
    for (size_t k = 0; k < set->count; k++) {
      c->b[k] = c->p[set->index[k]];
      worst = fmax(worst, fabs(c->b[k]));
    }
    if (worst == 0 || !(worst < 0.5 * last)) { /* round-off reached */
      break;
    }
    last = worst;
    status = dls_delassus_solve_bilateral(c->W, set->count, set->index, c->b, c->x, err);
    if (status == DLS_OK) {
      dls_delassus_apply(c->W, set->count, set->index, 1, c->x, q);
      status = dls_contact_level_place(sim, c, q, err);
    }
  }
  return status;
}

dls_status dls_contact_level_stop(dls_sim *sim, dls_contact_level *c, const dls_contacts *set, double *v,
                                  dls_error *err)
{
  for (size_t k = 0; k < set->count; k++) {
    c->b[k] = dls_matrix_column_dot(sim->H, set->index[k], v);
  }
  const dls_status status = dls_delassus_solve_bilateral(c->W, set->count, set->index, c->b, c->x, err);
  if (status == DLS_OK) {
    dls_delassus_apply(c->W, set->count, set->index, 1, c->x, v);
  }
  return status;
}

double dls_gap_noise(const dls_sim *sim, const double *q)
{
  double size = sim->sys->length;
  for (size_t i = 0; i < sim->sys->n; i++) {
    size = fmax(size, fabs(q[i]));
  }
  return gap_rounding * size;
}
