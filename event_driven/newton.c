/* event_driven/newton.c -- Newton's matrix of implicit integrators with constant M and H, by blocks.
 *
 * (I - gamma df/dy) (dq, dv, dx) = (r_q, r_v, r_x) with f = (v, a, D lambda), M a = F + H lambda, H^T a = 0 on Is,
 * D = diag(W), dF = -K dq - C dv. Without dq = r_q + gamma dv and with p = gamma dlambda it is the saddle point
 *
 *   A dv - H p = M r_v - gamma K r_q,   A = M + gamma C + gamma^2 K   (1)
 *   H^T dv     = H^T r_v on Is,         p = 0 elsewhere               (2)
 *   dx         = r_x + D p,             dq = r_q + gamma dv           (3)
 *
 * so that only A is factored, n x n in the storage of M, C, K, and W_A = H^T A^-1 H on Is gives p. df/dy itself, which is full while
 * contacts are closed, is never formed.
 * The transposed matrix of (q, v) has the same blocks, as M, C, K are symmetric:
 *
 *   A w - H p = r_v + gamma r_q,  H^T w = 0 on Is,   x_v = M w - H p,   x_q = r_q - gamma K w             (4)
 *
 * Source: Hindmarsh et al. 2005, SUNDIALS, section 2.1 for the iteration; Hairer & Wanner 1996, section VII.1, (1.10)
 * for problems of this form. The elimination is this project's.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/event_integrator.h"
#include <stdlib.h>
#include <string.h>

/* The matrices of C and K; NULL where the forces do not depend on v or q. */
static const dls_matrix *damping_of(const dls_event_method *method, const dls_sim *sim)
{
  return method->sys->linear || method->sys->damping != NULL ? sim->C : NULL;
}

static const dls_matrix *stiffness_of(const dls_event_method *method, const dls_sim *sim)
{
  return method->sys->linear || method->sys->stiffness != NULL ? sim->K : NULL;
}

bool dls_newton_create(dls_event_integrator *run)
{
  const dls_matrix *const terms[] = {run->work.contacts.config->M, damping_of(&run->method, run->sim),
                                     stiffness_of(&run->method, run->sim)};
  dls_newton *newton = &run->work.newton;
  newton->A = dls_factor_create(terms, 3);
  newton->W = newton->A != NULL && run->method.m > 0
                  ? dls_delassus_create(newton->A, run->work.contacts.config->normals)
                  : NULL;
  newton->r = calloc(run->method.n, sizeof *newton->r);
  return newton->A != NULL && newton->r != NULL && (run->method.m == 0 || newton->W != NULL);
}

void dls_newton_destroy(dls_event_work *work)
{
  dls_delassus_destroy(work->newton.W);
  dls_factor_destroy(work->newton.A);
  free(work->newton.r);
}

/* C and K of a nonlinear system at (t, q, v). */
static void differentiate(dls_event_integrator *run, double t, const double *q, const double *v)
{
  if (run->method.sys->damping != NULL) {
    run->method.sys->damping(run->method.sys, t, q, v, run->sim->C);
  }
  if (run->method.sys->stiffness != NULL) {
    run->method.sys->stiffness(run->method.sys, t, q, v, run->sim->K);
  }
  run->sim->work.jacobian_evals++;
  dls_factor_touch(run->work.newton.A);
}

int dls_newton_setup(void *data, double t, const double *y, double gamma, bool *fresh)
{
  dls_event_integrator *run = data;
  dls_newton *newton = &run->work.newton;
  if (run->method.sys->linear) {
    *fresh = true;
  } else if (*fresh) {
    differentiate(run, t, y, y + run->method.n);
  }
  const size_t before = dls_factor_made(newton->A);
  run->state.failure = dls_factor_sum(newton->A, (const double[]){1, gamma, gamma * gamma}, &run->state.why);
  newton->gamma = gamma;
  if (dls_factor_made(newton->A) > before) {
    run->sim->work.factorizations++;
    if (newton->W != NULL) {
      dls_delassus_reset(newton->W);
    }
  }
  return run->state.failure == DLS_OK ? 0 : run->state.failure == DLS_ERR_SINGULAR ? 1 : -1;
}

/* p of the saddle point, in work.x, from dv = A^-1 r of its right-hand side r; then dv of it. r_v NULL: 0 */
static dls_status hold_contacts(dls_event_integrator *run, const double *r_v, double *dv)
{
  dls_event_state *state = &run->state;
  const dls_matrix *normals = run->work.contacts.config->normals;
  for (size_t k = 0; k < state->active.count; k++) {
    const size_t j = state->active.index[k];
    run->work.b[k] = dls_matrix_column_dot(normals, j, dv);
    run->work.b[k] -= r_v != NULL ? dls_matrix_column_dot(normals, j, r_v) : 0;
  }
  const dls_status status = dls_delassus_solve_bilateral(
      run->work.newton.W, state->active.count, state->active.index, run->work.b, run->work.x, &state->why);
  if (status == DLS_OK) {
    dls_delassus_apply(run->work.newton.W, state->active.count, state->active.index, 1, run->work.x,
                       dv); /* A^-1 H p */
  }
  return status;
}

int dls_newton_solve(void *data, double *b)
{
  dls_event_integrator *run = data;
  const dls_newton *newton = &run->work.newton;
  const size_t n = run->method.n;
  double *dv = newton->r;
  memset(dv, 0, n * sizeof *dv);
  dls_matrix_multiply(run->work.contacts.config->M, 1, b + n, dv); /* (1) M r_v */
  if (stiffness_of(&run->method, run->sim) != NULL) {
    dls_matrix_multiply(run->sim->K, -newton->gamma, b, dv); /* (1) - gamma K r_q */
  }
  dls_factor_solve(newton->A, dv);                                                           /* (1) A^-1 */
  run->state.failure = run->state.active.count > 0 ? hold_contacts(run, b + n, dv) : DLS_OK; /* (2) */
  for (size_t k = 0; k < run->state.active.count && run->state.failure == DLS_OK; k++) {
    const size_t j = run->state.active.index[k];
    b[2 * n + run->method.d * j] += run->state.contact[j].weight * run->work.x[k]; /* (3) dx */
  }
  for (size_t i = 0; i < n; i++) {
    b[i] += newton->gamma * dv[i]; /* (3) dq */
    b[n + i] = dv[i];
  }
  return run->state.failure == DLS_OK ? 0 : -1;
}

int dls_newton_solve_transposed(void *data, double *b)
{
  dls_event_integrator *run = data;
  const dls_newton *newton = &run->work.newton;
  const dls_contact_system *contacts = &run->work.contacts;
  const size_t n = run->method.n;
  double *w = newton->r;
  for (size_t i = 0; i < n; i++) {
    w[i] = b[n + i] + newton->gamma * b[i];
  }
  dls_factor_solve(newton->A, w);
  run->state.failure = run->state.active.count > 0 ? hold_contacts(run, NULL, w) : DLS_OK; /* (4) w, p */
  if (stiffness_of(&run->method, run->sim) != NULL) {
    dls_matrix_multiply(run->sim->K, -newton->gamma, w, b); /* (4) x_q */
  }
  memset(b + n, 0, n * sizeof *b);
  dls_matrix_multiply(contacts->config->M, 1, w, b + n); /* (4) x_v */
  for (size_t k = 0; k < run->state.active.count; k++) {
    dls_matrix_column_add(contacts->config->normals, run->state.active.index[k], -run->work.x[k], b + n);
  }
  return run->state.failure == DLS_OK ? 0 : -1;
}
