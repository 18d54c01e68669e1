/* joints.c -- the joints of a system at an instant: gradients, conditions, projections.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "common/contact/joints/elimination.h"
#include "common/contact/joints/joint_solver.h"
#include "common/linear/storage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DENSE = 64, MOST_PROJECTIONS = 30 };
static const double unmet = 1e-9; /* [q_s]: distance that Newton's method may not leave */

struct dls_joints {
  const dls_system *sys;
  dls_factor *factor;
  dls_joints_solver parts, *solver;
  dls_elimination *order; /* NULL: it fills in too much */
  bool eliminated;        /* the factors are those of order, not of solver */
  dls_fallbacks *refused; /* borrowed; counts where order is refused */
  bool filled;            /* solver->whole has the values of the last factorization */
  bool touched;           /* A has changed since it was copied */
  bool same;              /* D is C */
  bool current;           /* the factors of the elimination are those of (t, place), with D = C */
  double *place;          /* n: q of dls_joints_at, at the time t */
  double t;               /* of the conditions */
  const double *q;
  double *phi, *rate, *size, *c, *u; /* r; size: |C_i|, or 1 where that is 0 */
  double *dx;                        /* n */
  double *block;
};

dls_joints *dls_joints_create(const dls_system *sys, dls_factor *A)
{
  dls_joints *J = calloc(1, sizeof *J);
  if (J == NULL) {
    return NULL;
  }
  J->sys = sys;
  J->factor = A;
  J->touched = J->same = true;
  J->parts = (dls_joints_solver){.n = sys->n, .r = sys->r};
  J->parts.C = dls_matrix_clone(sys->G);
  J->parts.D = dls_matrix_clone(sys->G);
  J->block = dls_arrays((const dls_slot[]){
      {sys->r, {&J->phi, &J->rate, &J->size, &J->c, &J->u}}, {sys->n, {&J->dx, &J->place}}, {0}});
  const double zeros[4] = {0};
  if (J->block != NULL && J->parts.C != NULL && J->parts.D != NULL &&
      dls_factor_copy_sum(A, zeros, &J->parts.A) == DLS_OK &&
      dls_elimination_create(J->parts.A, J->parts.C, sys->r, &J->order) == DLS_OK) {
    const bool small = sys->n <= MOST_DENSE || dls_factor_storage(A) == DLS_DENSE;
    J->solver = small ? dls_joints_dense(&J->parts) : dls_joints_sparse(&J->parts);
  }
  if (J->solver == NULL) {
    dls_joints_destroy(J);
    return NULL;
  }
  return J;
}

void dls_joints_destroy(dls_joints *J)
{
  if (J == NULL) {
    return;
  }
  if (J->solver != NULL) {
    J->solver->kind->destroy(J->solver);
  }
  dls_elimination_destroy(J->order);
  dls_matrix_destroy(J->parts.A);
  dls_matrix_destroy(J->parts.C);
  dls_matrix_destroy(J->parts.D);
  free(J->block);
  free(J);
}

void dls_joints_count_fallbacks(dls_joints *J, dls_fallbacks *fallbacks)
{
  if (J != NULL) {
    J->refused = fallbacks;
  }
}

void dls_joints_directions(dls_joints *J, double t, const double *q)
{
  J->same = J->current = false;
  dls_system_joint_gradient(J->sys, t, q, J->parts.D);
}

void dls_joints_conditions(dls_joints *J, double t, const double *q)
{
  J->current = false;
  J->t = t;
  J->q = q;
  dls_system_joint(J->sys, t, q, J->phi);
  dls_system_joint_rate(J->sys, t, q, J->rate);
  dls_system_joint_gradient(J->sys, t, q, J->parts.C);
  J->size[0] = 0; /* not known yet */
}

bool dls_joints_residual(dls_joints *J, double t, const double *q)
{
  J->current = false; /* Phi is that of q */
  if (J->eliminated) {
    dls_system_joint(J->sys, t, q, J->phi);
  }
  return J->eliminated;
}

void dls_joints_rows(dls_joints *J, double t, const double *q)
{
  J->same = J->current = false;
  dls_system_joint_gradient(J->sys, t, q, J->parts.C);
}

void dls_joints_learn(dls_joints *J)
{
  dls_joints_solver *s = J->solver;
  s->known = s->sure > s->known ? s->sure : s->known;
}

void dls_joints_follow(dls_joints *J, const dls_joints *other)
{
  J->current = J->current && J->solver->known == other->solver->known;
  J->solver->known = other->solver->known;
}

void dls_joints_touch(dls_joints *J)
{
  J->touched = true;
  J->current = false;
}

/* By elimination, once the solver has found all equations independent; that of large systems seeks none. */
static bool eliminate(dls_joints *J, const double *f, const double *c)
{
  dls_joints_solver *s = J->solver;
  const bool independent = s->whole != NULL ? dls_factor_made(s->whole) > 0 : s->known == s->r;
  if (J->order == NULL || !independent) {
    return false;
  }
  if (!dls_elimination_factor(J->order, J->parts.A, J->same ? J->parts.C : J->parts.D, J->parts.C, f, c)) {
    dls_count_fallback(J->refused, s->whole != NULL ? "joints-klu" : "joints-orthogonal-decomposition");
    return false;
  }
  if (s->whole == NULL) {
    s->sure = s->r;
    s->redundant = 0;
  }
  return true;
}

/* @param[in] f, c  as of dls_elimination_factor */
static dls_status factor(dls_joints *J, const double *f, const double *c, dls_error *err)
{
  if (J->touched && dls_factor_copy_sum(J->factor, NULL, &J->parts.A) != DLS_OK) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the joints");
  }
  J->touched = false;
  J->eliminated = eliminate(J, f, c);
  J->filled = !J->eliminated;
  return J->eliminated ? DLS_OK : J->solver->kind->factor(J->solver, J->same, err);
}

dls_status dls_joints_factor(dls_joints *J, dls_error *err)
{
  return factor(J, NULL, NULL, err);
}

/* The solution for x and c of the last `factor`. */
static void finish(dls_joints *J, double *x, const double *c, double *mu)
{
  if (J->eliminated) {
    dls_elimination_back(J->order, x, mu);
  } else {
    J->solver->kind->solve(J->solver, x, c, mu);
  }
}

dls_status dls_joints_factor_solve(dls_joints *J, double *x, const double *c, double *mu, dls_error *err)
{
  const dls_status status = factor(J, x, c, err);
  if (status == DLS_OK) {
    finish(J, x, c, mu);
  }
  return status;
}

/* The conditions at (t, q). @return are the factors theirs, as of an observation after a projection? */
static bool set_place(dls_joints *J, double t, const double *q)
{
  const size_t bytes = J->sys->n * sizeof *q;
  if (J->current && t == J->t && memcmp(q, J->place, bytes) == 0) {
    J->q = q;
    return true;
  }
  dls_joints_conditions(J, t, q);
  J->same = true;
  memcpy(J->place, q, bytes);
  return false;
}

/* The factors there. @param[in] f, c  as of dls_elimination_factor */
static dls_status factor_place(dls_joints *J, const double *f, const double *c, dls_error *err)
{
  const dls_status status = factor(J, f, c, err);
  J->current = status == DLS_OK && J->eliminated;
  return status;
}

dls_status dls_joints_at(dls_joints *J, double t, const double *q, dls_error *err)
{
  return set_place(J, t, q) ? DLS_OK : factor_place(J, NULL, NULL, err);
}

size_t dls_joints_redundant(const dls_joints *J)
{
  return J->solver->redundant;
}

bool dls_joints_lose_rank(const dls_joints *J)
{
  return J->solver->sure < J->solver->known;
}

void dls_joints_project(void *joints, double *x)
{
  dls_joints_solve(joints, x, NULL, NULL);
}

dls_factor *dls_joints_whole(dls_joints *J)
{
  return J->solver->whole;
}

void dls_joints_fill_whole(void *joints)
{
  dls_joints *J = joints;
  if (!J->filled) {
    J->solver->kind->fill(J->solver, J->same);
    J->filled = true;
  }
}

void dls_joints_estimate(void *joints, double *x)
{
  dls_joints *J = joints;
  if (J->eliminated) {
    dls_elimination_solve(J->order, x, NULL, NULL);
  } else {
    J->solver->kind->estimate(J->solver, x);
  }
}

void dls_joints_solve(dls_joints *J, double *x, const double *c, double *mu)
{
  if (J->eliminated) {
    dls_elimination_solve(J->order, x, c, mu);
  } else {
    J->solver->kind->solve(J->solver, x, c, mu);
  }
}

const double *dls_joints_phi(const dls_joints *J)
{
  return J->phi;
}

void dls_joints_velocity(const dls_joints *J, const double *v, double *u)
{
  memcpy(u, J->rate, J->sys->r * sizeof *u);
  dls_matrix_multiply_transposed(J->parts.C, 1, v, u);
}

/* size := |C_i|, or 1 where that is 0, unless it is known. */
static void take_sizes(const dls_joints *J)
{
  for (size_t j = 0; J->size[0] == 0 || (j > 0 && j < J->sys->r); j++) {
    const dls_column c = dls_matrix_column(J->parts.C, j);
    double square = 0;
    for (size_t k = 0; k < c.count; k++) {
      square += c.values[k] * c.values[k];
    }
    J->size[j] = square > 0 ? sqrt(square) : 1;
  }
}

/* The largest |x_i| / |C_i|; NaN counts. */
static double largest(const dls_joints *J, const double *x, size_t *worst)
{
  double most = 0;
  size_t at = 0;
  take_sizes(J);
  for (size_t i = 0; i < J->sys->r && !isnan(most); i++) {
    const double size = fabs(x[i]) / J->size[i];
    if (!(size <= most)) {
      most = size;
      at = i;
    }
  }
  if (worst != NULL) {
    *worst = at;
  }
  return most;
}

double dls_joints_distance(const dls_joints *J, size_t *worst)
{
  return largest(J, J->phi, worst);
}

double dls_joints_drift(dls_joints *J, const double *v, size_t *worst)
{
  dls_joints_velocity(J, v, J->u);
  return largest(J, J->u, worst);
}

double dls_joints_defect(dls_joints *J, const double *v, const double *a, size_t *worst)
{
  dls_system_joint_curvature(J->sys, J->t, J->q, v, J->u);
  dls_matrix_multiply_transposed(J->parts.C, 1, a, J->u);
  return largest(J, J->u, worst);
}

/* c := C^T a */
static void take_rates(dls_joints *J, const double *v, double alpha)
{
  dls_system_joint_curvature(J->sys, J->t, J->q, v, J->c);
  if (alpha != 0) {
    dls_joints_velocity(J, v, J->u);
  }
  for (size_t i = 0; i < J->sys->r; i++) {
    J->c[i] = -J->c[i] - (alpha != 0 ? alpha * (2 * J->u[i] + alpha * J->phi[i]) : 0);
  }
}

void dls_joints_acceleration(dls_joints *J, const double *v, double alpha, double *a, double *mu)
{
  take_rates(J, v, alpha);
  dls_joints_solve(J, a, J->c, mu);
}

dls_status dls_joints_at_acceleration(dls_joints *J, double t, const double *q, const double *v, double alpha,
                                      double *a, double *mu, dls_error *err)
{
  if (set_place(J, t, q)) {
    dls_joints_acceleration(J, v, alpha, a, mu);
    return DLS_OK;
  }
  take_rates(J, v, alpha);
  const dls_status status = factor_place(J, a, J->c, err);
  if (status == DLS_OK) {
    finish(J, a, J->c, mu);
  }
  return status;
}

/* x := the shortest with C^T x = -u */
static void annul(dls_joints *J, const double *u, double *x)
{
  for (size_t i = 0; i < J->sys->r; i++) {
    J->c[i] = -u[i];
  }
  memset(x, 0, J->sys->n * sizeof *x);
  dls_joints_solve(J, x, J->c, NULL);
}

void dls_joints_correction(dls_joints *J, double *dq)
{
  annul(J, J->phi, dq);
}

void dls_joints_hold(dls_joints *J, double *v)
{
  dls_joints_velocity(J, v, J->u);
  annul(J, J->u, J->dx);
  for (size_t i = 0; i < J->sys->n; i++) {
    v[i] += J->dx[i];
  }
}

dls_status dls_joints_project_q(dls_joints *J, double t, double *q, dls_error *err)
{
  size_t worst = 0;
  dls_status status = dls_joints_at(J, t, q, err);
  double distance = dls_joints_distance(J, &worst), last = HUGE_VAL;
  for (int i = 0; i < MOST_PROJECTIONS && status == DLS_OK; i++) {
    if (distance == 0 || (distance < unmet * J->sys->length && !(distance < 0.5 * last))) { /* rounding */
      return DLS_OK;
    }
    last = distance;
    dls_joints_correction(J, J->dx);
    for (size_t k = 0; k < J->sys->n; k++) {
      q[k] += J->dx[k];
    }
    status = dls_joints_at(J, t, q, err);
    distance = dls_joints_distance(J, &worst);
  }
  if (status == DLS_OK && !(distance < unmet * J->sys->length)) {
    char name[80];
    dls_joint_name(J->sys, worst, name, sizeof name);
    return dls_fail(err, DLS_ERR_NOCONV, "%s cannot be met: %.6g is left of it after %d projections", name,
                    J->phi[worst], MOST_PROJECTIONS);
  }
  return status;
}
