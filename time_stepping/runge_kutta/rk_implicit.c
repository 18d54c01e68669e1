/* rk_implicit.c -- the stages of an implicit method together, by Newton's method with the matrix
 *   J = I (x) M + h A (x) C + h^2 A^2 (x) K,    C = -dF/dv, K = -dF/dq, M at the start of the step.
 * Each iteration solves J x = F_i - M_i A_i for all stages i and then
 *   0 <= H_i^T A_i + (dH_i^T/dt) V_i  _|_  lambda_i >= 0,    A += x + J^-1 (H_1 lambda_1, H_2 lambda_2, ..);
 * the first is exact for linear systems. Unknown k of stage i has index k s + i, so that a band remains a band.
 * Source: Hairer & Wanner 1996, section IV.8.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include "common/base/memory.h"
#include "time_stepping/runge_kutta/runge_kutta.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double lcp_tolerance = 1e-12; /* relative residual; rounding leaves about 1e-15 */
enum { MAX_STAGES = 3 };

struct dls_rk_implicit {
  double one[MAX_STAGES * MAX_STAGES];                            /* I */
  double A[MAX_STAGES * MAX_STAGES], A2[MAX_STAGES * MAX_STAGES]; /* A, A^2; row-major */
  dls_configuration config;                                       /* at one stage */
  dls_matrix *M, *C, *K, *H;                                      /* the products */
  dls_factor *J;
  dls_delassus *W; /* NULL without contacts */
  dls_lcp_solver *lcp;
  double *x, *F;     /* n stages, n */
  double *b, *p;     /* m stages */
  double *curvature; /* rows */
  size_t *active;    /* m stages */
  double *block;
};

void dls_rk_implicit_destroy(dls_rk_implicit *im)
{
  if (im == NULL) {
    return;
  }
  dls_delassus_destroy(im->W);
  dls_factor_destroy(im->J);
  dls_lcp_destroy(im->lcp);
  dls_matrix_destroy(im->M);
  dls_matrix_destroy(im->C);
  dls_matrix_destroy(im->K);
  dls_matrix_destroy(im->H);
  dls_configuration_destroy(&im->config);
  free(im->active);
  free(im->block);
  free(im);
}

static void set_coefficients(const dls_rk *rk, dls_rk_implicit *im)
{
  const size_t s = rk->stages;
  for (size_t i = 0; i < s; i++) {
    im->one[i * s + i] = 1;
    for (size_t j = 0; j < s; j++) {
      im->A[i * s + j] = rk->table->A[i][j];
      for (size_t k = 0; k < s; k++) {
        im->A2[i * s + j] += rk->table->A[i][k] * rk->table->A[k][j];
      }
    }
  }
}

/* @return false if out of memory */
static bool make_product(const dls_matrix *A, size_t s, const double *B, dls_matrix **out)
{
  *out = A == NULL ? NULL : dls_matrix_kronecker(A, s, B);
  return A == NULL || *out != NULL;
}

static bool allocate(const dls_sim *sim, size_t s, dls_rk_implicit *im)
{
  const size_t n = sim->sys->n;
  const size_t m = sim->sys->m;
  im->active = calloc(dls_size_sum(dls_size_product(m, s), 1), sizeof *im->active);
  im->block = dls_arrays((const dls_slot[]){{dls_size_product(s, n), {&im->x}},
                                            {n, {&im->F}},
                                            {dls_size_product(s, m), {&im->b, &im->p}},
                                            {sim->sys->d * m, {&im->curvature}},
                                            {0}});
  if (im->active == NULL || im->block == NULL || !dls_configuration_create(sim->sys, &im->config) ||
      !make_product(im->config.M, s, im->one, &im->M) || !make_product(sim->C, s, im->A, &im->C) ||
      !make_product(sim->K, s, im->A2, &im->K) || !make_product(im->config.H, s, im->one, &im->H)) {
    return false;
  }
  const dls_matrix *terms[] = {im->M, im->C, im->K};
  im->J = dls_factor_create(terms, 3);
  im->W = im->J == NULL || m == 0 ? NULL : dls_delassus_create(im->J, im->H);
  return im->J != NULL && (m == 0 || im->W != NULL);
}

dls_status dls_rk_implicit_create(dls_sim *sim, dls_rk *rk, dls_error *err)
{
  dls_rk_implicit *im = rk->implicit = calloc(1, sizeof *im);
  if (im != NULL) {
    set_coefficients(rk, im);
  }
  if (im == NULL || !allocate(sim, rk->stages, im)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu stages of %zu degrees of freedom", rk->stages,
                    sim->sys->n);
  }
  return dls_lcp_create(sim->sys->m * rk->stages, NULL, lcp_tolerance, &im->lcp, err);
}

/* J of a step of length h from x. */
static dls_status factor(dls_sim *sim, const dls_rk *rk, const dls_instant *x, double h, dls_error *err)
{
  const dls_system *sys = sim->sys;
  dls_rk_implicit *im = rk->implicit;
  const size_t made = dls_factor_made(im->J);
  if (!sys->linear) {
    dls_configuration_mass(&im->config, x->q);
    dls_matrix_kronecker_set(im->M, im->config.M, rk->stages, im->one); /* I (x) M */
    if (sys->stiffness != NULL) {
      sys->stiffness(sys, x->t, x->q, x->v, sim->K);
      dls_matrix_kronecker_set(im->K, sim->K, rk->stages, im->A2); /* A^2 (x) K */
    }
    if (sys->damping != NULL) {
      sys->damping(sys, x->t, x->q, x->v, sim->C);
      dls_matrix_kronecker_set(im->C, sim->C, rk->stages, im->A); /* A (x) C */
    }
    sim->work.jacobian_evals++;
    dls_factor_touch(im->J);
  }
  const dls_status status = dls_factor_sum(im->J, (const double[]){1, h, h * h}, err); /* J, with h and h^2 */
  if (dls_factor_made(im->J) != made) {
    sim->work.factorizations += dls_factor_made(im->J) - made;
    if (im->W != NULL) {
      dls_delassus_reset(im->W);
    }
  }
  return status;
}

static void stage_states(const dls_sim *sim, dls_rk *rk, const dls_instant *x, double h)
{
  const size_t n = sim->sys->n;
  for (size_t i = 0; i < rk->stages; i++) {
    dls_rk_combine(n, x->v, h, rk->stages, rk->table->A[i], rk->A,
                   rk->V + i * n); /* (1) of runge_kutta.h: V_i */
  }
  for (size_t i = 0; i < rk->stages; i++) {
    dls_rk_combine(n, x->q, h, rk->stages, rk->table->A[i], rk->V,
                   rk->Q + i * n); /* (1) of runge_kutta.h: Q_i */
  }
}

/* Stage i of x := F_i - M_i A_i. */
static void residual(dls_sim *sim, dls_rk *rk, const dls_instant *x, double h, size_t i)
{
  const dls_system *sys = sim->sys;
  dls_rk_implicit *im = rk->implicit;
  const double *Q = rk->Q + i * sys->n;
  dls_sim_force(sim, x->t + rk->table->c[i] * h, Q, rk->V + i * sys->n, im->F);
  dls_configuration_mass(&im->config, Q);
  dls_matrix_multiply(im->config.M, -1, rk->A + i * sys->n, im->F);
  for (size_t k = 0; k < sys->n; k++) {
    im->x[k * rk->stages + i] = im->F[k];
  }
}

/* x += A, and back. */
static void add_stages(const dls_sim *sim, const dls_rk *rk)
{
  for (size_t i = 0; i < rk->stages; i++) {
    for (size_t k = 0; k < sim->sys->n; k++) {
      rk->implicit->x[k * rk->stages + i] += rk->A[i * sim->sys->n + k];
    }
  }
}

/* @return the largest change of a velocity that the new A make */
static double take_stages(const dls_sim *sim, dls_rk *rk, double h)
{
  double change = 0;
  for (size_t i = 0; i < rk->stages; i++) {
    for (size_t k = 0; k < sim->sys->n; k++) {
      double *A = &rk->A[i * sim->sys->n + k];
      const double d = fabs(h * (rk->implicit->x[k * rk->stages + i] - *A));
      change = dls_larger(change, d);
      *A = rk->implicit->x[k * rk->stages + i];
    }
  }
  return change;
}

/* H_i, and b of the complementarity problem of all stages without (its part from) the unknown accelerations. */
static void place_contacts(dls_rk *rk, double t, double h, const dls_contacts *set)
{
  dls_rk_implicit *im = rk->implicit;
  dls_configuration *config = &im->config;
  const size_t n = config->sys->n;
  const size_t s = rk->stages;
  for (size_t i = 0; i < s; i++) {
    dls_configuration_contacts(config, t + rk->table->c[i] * h, rk->Q + i * n);
    if (config->gradient_varies) {
      double unit[MAX_STAGES * MAX_STAGES] = {0};
      unit[i * s + i] = 1;
      dls_matrix_kronecker_set(im->H, config->H, s, unit);
      dls_delassus_reset(im->W);
    }
    dls_configuration_curvature(config, rk->V + i * n, im->curvature);
    for (size_t k = 0; k < set->count; k++) {
      const size_t row = config->d * set->index[k];
      im->active[k * s + i] = row * s + i;
      im->b[k * s + i] = im->curvature[row]; /* (dH_i^T/dt) V_i */
    }
  }
}

/* Least c_i of a stage whose gap acceleration is positive on the set. */
static double first_open(const dls_rk *rk, size_t count, double zero)
{
  const dls_rk_implicit *im = rk->implicit;
  double first = HUGE_VAL;
  for (size_t k = 0; k < count * rk->stages; k++) {
    double gamma = im->b[k];
    for (size_t l = 0; im->p[k] == 0 && l < count * rk->stages; l++) {
      gamma += dls_delassus_entry(im->W, im->active[k], im->active[l]) * im->p[l];
    }
    if (im->p[k] == 0 && gamma > zero) {
      first = fmin(first, rk->table->c[k % rk->stages]);
    }
  }
  return first;
}

/* The contact forces: x += J^-1 H lambda. */
static dls_status contact(dls_sim *sim, dls_rk *rk, const dls_contacts *set, double open, double *opens,
                          dls_error *err)
{
  dls_rk_implicit *im = rk->implicit;
  const size_t count = set->count * rk->stages;
  for (size_t k = 0; k < count; k++) {
    im->b[k] += dls_matrix_column_dot(im->H, im->active[k], im->x); /* + H_i^T (A + x) */
    im->p[k] = 0;
  }
  const dls_status status = dls_delassus_solve(im->W, im->lcp, count, im->active, im->b, im->p,
                                               &sim->work.lcp_solves, &sim->work.lcp_pivots, err);
  *opens = status == DLS_OK ? first_open(rk, set->count, open) : HUGE_VAL;
  if (status == DLS_OK) {
    dls_delassus_apply(im->W, count, im->active, 1, im->p, im->x);
  }
  return status;
}

/* A step, for its iteration. */
typedef struct stages {
  dls_rk *rk;
  const dls_instant *x;
  const dls_contacts *set;
  double open, *opens;
} stages;

/* An iteration of Newton's method for all stages. */
static dls_status iterate(dls_sim *sim, void *step, double h, double *change, dls_error *err)
{
  const stages *s = step;
  dls_rk *rk = s->rk;
  dls_status status = DLS_OK;
  stage_states(sim, rk, s->x, h);
  for (size_t i = 0; i < rk->stages; i++) {
    residual(sim, rk, s->x, h, i);
  }
  dls_factor_solve(rk->implicit->J, rk->implicit->x); /* J x = F_i - M_i A_i */
  add_stages(sim, rk);                                /* A + x */
  if (s->set->count > 0) {
    place_contacts(rk, s->x->t, h, s->set);
    status = contact(sim, rk, s->set, s->open, s->opens, err);
  }
  *change = take_stages(sim, rk, h);
  return status;
}

dls_status dls_rk_implicit_stages(dls_sim *sim, dls_rk *rk, dls_contact_system *contacts, const dls_instant *x,
                                  const dls_contacts *set, double h, double *opens, dls_error *err)
{
  stages step = {.rk = rk, .x = x, .set = set, .open = contacts->open, .opens = opens};
  dls_status status = factor(sim, rk, x, h, err);
  for (size_t i = 0; i < rk->stages; i++) {
    memcpy(rk->A + i * sim->sys->n, x->a, sim->sys->n * sizeof *x->a);
  }
  status = status != DLS_OK ? status : dls_iterate(sim, &rk->newton, iterate, &step, h, err);
  stage_states(sim, rk, x, h);
  return status;
}
