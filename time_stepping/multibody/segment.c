/* segment.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/multibody/segment.h"
#include "common/base/arrays.h"
#include "common/linear/storage.h"
#include "time_stepping/multibody/block_matrix.h"
#include <delassus/scheme.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double shortest = 1e-5;            /* |D| in units of length: beyond, c D is below rounding of V */
static const double rounding = 8 * DBL_EPSILON; /* of the terms of a bracket */

void dls_segment_destroy(dls_segment *s)
{
  dls_matrix_destroy(s->G);
  dls_matrix_destroy(s->geometric);
  dls_matrix_destroy(s->at_a);
  dls_matrix_destroy(s->at_b);
  if (s->sim != NULL && !s->sim->sys->linear) {
    dls_matrix_destroy(s->K);
    dls_matrix_destroy(s->C);
  }
  free(s->block);
  *s = (dls_segment){0};
}

/* at_a and at_b: the derivatives of the system's own V*, the terms of (1) besides K/2, or nothing. */
static bool take_derivatives(const dls_system *sys, dls_segment *s)
{
  s->own = sys->discrete_gradient != NULL;
  s->curved = !s->own && !sys->linear && sys->K != NULL && sys->potential != NULL;
  s->K = sys->linear ? sys->K : s->own ? NULL : dls_matrix_clone(sys->K);
  if (s->own) {
    s->at_a = dls_matrix_clone(sys->K);
    s->at_b = dls_matrix_clone(sys->K);
  } else if (s->curved && sys->n <= DLS_BLOCK_MATRIX_DENSE) {
    s->at_a = dls_matrix_dense(sys->n, sys->n);
    s->at_b = dls_matrix_dense(sys->n, sys->n);
  } else {
    return s->K != NULL || sys->K == NULL;
  }
  return (s->own || s->K != NULL) && s->at_a != NULL && s->at_b != NULL;
}

/* K and C of linear systems are constant. */
static bool take_matrices(const dls_system *sys, dls_segment *s)
{
  s->C = sys->linear ? sys->C : dls_matrix_clone(sys->C);
  s->G = dls_matrix_clone(sys->G);
  s->geometric = dls_matrix_clone(sys->geometric);
  return take_derivatives(sys, s) && (s->C != NULL || sys->C == NULL) && (s->G != NULL || sys->r == 0) &&
         (s->geometric != NULL || sys->geometric == NULL);
}

bool dls_segment_create(dls_sim *sim, dls_segment *s)
{
  const dls_system *sys = sim->sys;
  *s = (dls_segment){.sim = sim};
  s->block = dls_arrays((const dls_slot[]){
      {sys->n, {&s->force, &s->middle, &s->speed, &s->rest, &s->step, &s->grad_a, &s->grad_b}},
      {sys->r, {&s->phi_a, &s->phi_b}},
      {0}});
  return s->block != NULL && take_matrices(sys, s);
}

/* V'(q) = -F(t, q, 0) */
static void gradient_of(dls_segment *s, double t, const double *q, double *out)
{
  const size_t n = s->sim->sys->n;
  memset(s->rest, 0, n * sizeof *s->rest);
  dls_sim_force(s->sim, t, q, s->rest, out);
  for (size_t i = 0; i < n; i++) {
    out[i] = -out[i];
  }
}

/* x . D and the sum of |terms| that it is the rounding of. */
static double dot(size_t n, const double *x, const double *step, const double *at, double *size)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += x[i] * step[i];
    *size += fabs(x[i]) * (fabs(step[i]) + fabs(at[i]));
  }
  return sum;
}

static double square(size_t n, const double *x)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += x[i] * x[i];
  }
  return sum;
}

static void set_middle(dls_segment *s, const double *a, const double *b)
{
  for (size_t i = 0; i < s->sim->sys->n; i++) {
    s->middle[i] = 0.5 * (a[i] + b[i]);
    s->step[i] = b[i] - a[i];
  }
}

/* c of (1); V'(m) is in grad_a. */
static double correction(dls_segment *s, const double *a, const double *b)
{
  const dls_system *sys = s->sim->sys;
  const double Va = sys->potential(sys, a), Vb = sys->potential(sys, b), D2 = square(sys->n, s->step);
  double size = fabs(Va) + fabs(Vb);
  const double bracket = Vb - Va - dot(sys->n, s->grad_a, s->step, s->middle, &size); /* (1) */
  const bool known = D2 >= shortest * shortest * sys->length * sys->length && fabs(bracket) > rounding * size;
  return known ? bracket / D2 : 0;
}

/* F(t, m, v_m) + V'(m) - V* of the system's own; without dampers the force at m is - V'(m). */
static void own_force(dls_segment *s, double t, const double *a, const double *b, const double *v_m)
{
  const dls_system *sys = s->sim->sys;
  sys->discrete_gradient(sys, a, b, s->grad_a);
  s->sim->work.force_evals++;
  if (s->C != NULL) {
    dls_sim_force(s->sim, t, s->middle, v_m, s->force);
    gradient_of(s, t, s->middle, s->grad_b);
  }
  for (size_t i = 0; i < sys->n; i++) {
    s->force[i] = (s->C != NULL ? s->force[i] + s->grad_b[i] : 0) - s->grad_a[i];
  }
}

void dls_segment_force(dls_segment *s, double t, const double *a, const double *b, const double *v_m)
{
  const dls_system *sys = s->sim->sys;
  set_middle(s, a, b);
  if (s->own) {
    own_force(s, t, a, b, v_m);
    return;
  }
  dls_sim_force(s->sim, t, s->middle, v_m, s->force);
  s->c = 0;
  if (!s->curved) {
    return;
  }
  gradient_of(s, t, s->middle, s->grad_a);
  s->c = correction(s, a, b);
  for (size_t i = 0; i < sys->n; i++) {
    s->force[i] -= s->c * s->step[i]; /* (1): F(m) + V'(m) - V'* */
  }
}

/* at_b = c I + D (dc/db)^T,  dc/db = [V'(b) - V'(m) - K D/2 - 2 c D]/|D|^2; at_a = -c I + D (dc/da)^T,
 * dc/da = [V'(m) - V'(a) - K D/2 + 2 c D]/|D|^2 */
static void curve(dls_segment *s, double t, const double *a, const double *b)
{
  const size_t n = s->sim->sys->n;
  const double D2 = s->c == 0 ? 0 : square(n, s->step);
  if (s->c != 0) {
    gradient_of(s, t, s->middle, s->speed);
    gradient_of(s, t, a, s->grad_a);
    gradient_of(s, t, b, s->grad_b);
    memset(s->rest, 0, n * sizeof *s->rest);
    dls_matrix_multiply(s->K, 0.5, s->step, s->rest); /* K D/2 */
  }
  for (size_t j = 0; j < n; j++) {
    const double by_a = D2 == 0 ? 0 : (s->speed[j] - s->grad_a[j] - s->rest[j] + 2 * s->c * s->step[j]) / D2;
    const double by_b = D2 == 0 ? 0 : (s->grad_b[j] - s->speed[j] - s->rest[j] - 2 * s->c * s->step[j]) / D2;
    for (size_t i = 0; i < n; i++) {
      dls_matrix_set(s->at_a, i, j, s->step[i] * by_a - (i == j ? s->c : 0));
      dls_matrix_set(s->at_b, i, j, s->step[i] * by_b + (i == j ? s->c : 0));
    }
  }
}

void dls_segment_tangent(dls_segment *s, double t, const double *a, const double *b, const double *v_m)
{
  const dls_system *sys = s->sim->sys;
  if (sys->linear) {
    return;
  }
  if (s->K != NULL) {
    sys->stiffness(sys, t, s->middle, v_m, s->K);
  }
  if (sys->damping != NULL) {
    sys->damping(sys, t, s->middle, v_m, s->C);
  }
  if (s->own) {
    sys->discrete_stiffness(sys, b, a, s->at_a); /* as V*(a, b) = V*(b, a) */
    sys->discrete_stiffness(sys, a, b, s->at_b);
  } else if (s->at_b != NULL) {
    curve(s, t, a, b);
  }
}

/* (2) for joint k: its column of G at m becomes that of G*. */
static void correct_joint(dls_segment *s, size_t k)
{
  const dls_column column = dls_matrix_column(s->G, k);
  double sum = 0, size = fabs(s->phi_a[k]) + fabs(s->phi_b[k]), D2 = 0;
  for (size_t e = 0; e < column.count; e++) {
    const size_t i = dls_column_row(&column, e);
    sum += column.values[e] * s->step[i]; /* G(m)^T D */
    size += fabs(column.values[e]) * (fabs(s->step[i]) + fabs(s->middle[i]));
    D2 += s->step[i] * s->step[i]; /* |D|^2 */
  }
  const double bracket = s->phi_b[k] - s->phi_a[k] - sum,
               length = s->sim->sys->length; /* Phi(b) - Phi(a) - G(m)^T D */
  if (D2 < shortest * shortest * length * length || !(fabs(bracket) > rounding * size)) {
    return;
  }
  for (size_t e = 0; e < column.count; e++) {
    const size_t i = dls_column_row(&column, e);
    dls_matrix_set(s->G, i, k, column.values[e] + bracket / D2 * s->step[i]); /* G* = G(m) + bracket D/|D|^2 */
  }
}

void dls_segment_joints(dls_segment *s, double t, const double *a, const double *b)
{
  const dls_system *sys = s->sim->sys;
  if (!dls_system_joint_gradient_varies(sys)) {
    return;
  }
  set_middle(s, a, b);
  dls_system_joint_gradient(sys, t, s->middle, s->G);
  if (sys->joints_quadratic) { /* the brackets of (2) are 0 */
    return;
  }
  dls_system_joint(sys, t, a, s->phi_a);
  dls_system_joint(sys, t, b, s->phi_b);
  for (size_t k = 0; k < sys->r; k++) {
    correct_joint(s, k);
  }
}

void dls_segment_geometric(dls_segment *s, double t, const double *mu)
{
  if (s->geometric != NULL) {
    s->sim->sys->joint_stiffness(s->sim->sys, t, s->middle, mu, s->geometric);
  }
}

/* Is -F(t, q0, 0) the gradient of V along itself, by a difference over twice `part` of the length? Where stiff parts
 * are in equilibrium, the difference is rounding and the answer is yes. */
static bool fits_over(const dls_system *sys, double t, double part, double *work)
{
  const size_t n = sys->n;
  double *F = work, *zero = work + n, *q = work + 2 * n, most = 0, F2 = 0;
  memset(zero, 0, n * sizeof *zero);
  dls_system_force(sys, t, sys->q0, zero, F);
  for (size_t i = 0; i < n; i++) {
    most = fmax(most, fabs(F[i]));
    F2 += F[i] * F[i];
  }
  const double s = part * sys->length / fmax(most, DBL_MIN);
  double V[2];
  for (int side = 0; side < 2; side++) {
    for (size_t i = 0; i < n; i++) {
      q[i] = sys->q0[i] + (side == 0 ? -s : s) * F[i];
    }
    V[side] = sys->potential(sys, q);
  }
  const double noise = 100 * DBL_EPSILON * (fabs(V[0]) + fabs(V[1])), middle = sys->potential(sys, sys->q0);
  const double stiffness = fabs(V[0] + V[1] - 2 * middle) / fmax(s * s * F2, DBL_MIN); /* along F */
  const bool balanced = sqrt(F2) <= 1000 * DBL_EPSILON * stiffness * sys->length;
  return most == 0 || balanced || fabs(V[1] - V[0] + 2 * s * F2) <= 1e-5 * 2 * s * F2 + noise;
}

/* Over a length short against the system or, where they are stiff, its elements. */
static bool force_is_gradient(const dls_system *sys, double t, double *work)
{
  return fits_over(sys, t, 1e-4, work) || fits_over(sys, t, 1e-8, work);
}

dls_status dls_segment_applies(const dls_sim *sim, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const char *name = sim->scheme->name;
  if (dls_system_mass_varies(sys)) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                    "scheme %s does not treat a mass matrix that varies, and the system has one", name);
  }
  if (sys->linear) {
    return DLS_OK;
  }
  if (sys->potential == NULL) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                    "scheme %s needs the potential of the forces, and the system does not provide it", name);
  }
  double *work = malloc(3 * sys->n * sizeof *work);
  if (work == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sys->n);
  }
  const bool fits = force_is_gradient(sys, 0, work) && force_is_gradient(sys, sys->time, work);
  free(work);
  return fits ? DLS_OK
              : dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                         "scheme %s needs forces at rest equal to the gradient of the system's potential; the "
                         "system also has loads",
                         name);
}
