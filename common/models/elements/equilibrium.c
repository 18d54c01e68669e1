/* equilibrium.c -- Newton's method in load steps:  K dq = F(q) - (1 - s) F(q0).
 * Contacts by augmented Lagrangians: where p = lambda - kappa g >= 0 a contact is closed,
 *   (K + kappa sum_closed H H^T) dq = F(q) + sum_closed p H - (1 - s) F(q0),
 * Once no contact opens or closes and dq is small, lambda := max(0, p). kappa is a hundred times the stiffness of the contact's
 * coordinate, so that lambda converges within a few more iterations.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/equilibrium.h"
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include "common/linear/storage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 60 };
static const double stiffer = 100; /* kappa */
/* largest increment of a converged load step, in units of the coordinates */
static const double farthest = 0.5;
static const double small = 1e-4;      /* increment below which the contact forces are updated */
static const double least_step = 1e-6; /* of s */
static const double converged =
    1e-8; /* increment below which the next one is rounding, as convergence is quadratic */

typedef struct search {
  const dls_system *sys;
  dls_matrix *K;
  dls_factor *factor;
  double *q, *last, *rest, *zero, *F, *scale; /* n */
  double *lambda, *saved, *p, *g, *kappa;     /* m: contacts that are considered; else NULL */
  bool settled;                               /* no contact opened or closed in the last iteration */
  double *block;                              /* owns the arrays above */
} search;

static void destroy(search *s)
{
  dls_factor_destroy(s->factor);
  dls_matrix_destroy(s->K);
  free(s->block);
}

/* A hundred times the stiffness of a contact's coordinate. */
static void set_kappa(search *s)
{
  s->sys->stiffness(s->sys, 0, s->q, s->zero, s->K);
  for (size_t j = 0; j < s->sys->m; j++) {
    const dls_column column = dls_matrix_column(s->sys->H, j);
    const size_t i = dls_column_row(&column, 0);
    s->kappa[j] = stiffer * dls_matrix_get(s->K, i, i);
  }
}

/* @return false if out of memory */
static bool create(const dls_system *sys, bool pressed, search *s)
{
  const size_t m = pressed ? sys->m : 0;
  s->sys = sys;
  s->block = dls_arrays((const dls_slot[]){{sys->n, {&s->q, &s->last, &s->rest, &s->zero, &s->F, &s->scale}},
                                           {m, {&s->lambda, &s->saved, &s->p, &s->g, &s->kappa}},
                                           {0}});
  s->K = dls_matrix_clone(sys->K);
  s->factor = s->K == NULL ? NULL : dls_factor_create((const dls_matrix *const[]){s->K}, 1);
  if (s->block == NULL || s->factor == NULL) {
    return false;
  }
  memcpy(s->q, sys->q0, sys->n * sizeof *s->q);
  dls_system_force(sys, 0, s->q, s->zero, s->rest);
  for (size_t i = 0; i < sys->n; i++) {
    dls_coordinate c;
    dls_system_coordinate(sys, i, &c);
    s->scale[i] = strcmp(c.unit, "m") == 0 ? sys->length : 1;
  }
  if (m > 0) {
    set_kappa(s);
  }
  return true;
}

/* p, F += sum_closed p H, K += kappa sum_closed H H^T */
static void add_contacts(search *x, size_t m)
{
  x->settled = true;
  if (m > 0) {
    dls_system_gap(x->sys, 0, x->q, x->g);
  }
  for (size_t j = 0; j < m; j++) {
    const double p = x->lambda[j] - x->kappa[j] * x->g[j];
    x->settled = x->settled && (p >= 0) == (x->p[j] >= 0);
    x->p[j] = p;
    if (p >= 0) {
      const dls_column column = dls_matrix_column(x->sys->H, j);
      const size_t i = dls_column_row(&column, 0);
      x->F[i] += p * column.values[0];
      *dls_matrix_place(x->K, i, i) += x->kappa[j] * column.values[0] * column.values[0];
    }
  }
}

/* lambda := max(0, p) at the new q. @return the largest change relative to the largest of them */
static double augment(search *x, size_t m)
{
  double change = 0, most = 0;
  if (m > 0) {
    dls_system_gap(x->sys, 0, x->q, x->g);
  }
  for (size_t j = 0; j < m; j++) {
    const double next = fmax(0, x->lambda[j] - x->kappa[j] * x->g[j]);
    change = fmax(change, fabs(next - x->lambda[j]));
    most = fmax(most, next);
    x->lambda[j] = next;
  }
  return change > 0 ? change / most : 0;
}

/* One iteration at s. @return DLS_OK, DLS_ERR_SINGULAR; *change: the largest increment */
static dls_status iterate(search *x, size_t m, double s, double *change)
{
  const dls_system *sys = x->sys;
  const double one = 1;
  dls_system_force(sys, 0, x->q, x->zero, x->F);
  sys->stiffness(sys, 0, x->q, x->zero, x->K);
  add_contacts(x, m);
  dls_factor_touch(x->factor);
  const dls_status status = dls_factor_sum(x->factor, &one, NULL);
  *change = HUGE_VAL;
  if (status != DLS_OK) {
    return status;
  }
  for (size_t i = 0; i < sys->n; i++) {
    x->F[i] -= (1 - s) * x->rest[i];
  }
  dls_factor_solve(x->factor, x->F);
  *change = 0;
  for (size_t i = 0; i < sys->n; i++) {
    *change = dls_larger(*change, fabs(x->F[i]) / x->scale[i]);
    x->q[i] += x->F[i];
  }
  return DLS_OK;
}

/* Newton's method at s, from q. */
static bool settle(search *x, size_t m, double s)
{
  double change = HUGE_VAL, grown = 0;
  for (int k = 0; k < ITERATIONS; k++) {
    const bool last = change <= converged && grown <= converged;
    if (iterate(x, m, s, &change) != DLS_OK || !(change <= farthest)) { /* NaN fails */
      return false;
    }
    if (last && x->settled) {
      return change <= converged;
    }
    grown = x->settled && change <= small ? augment(x, m) : HUGE_VAL;
  }
  return false;
}

static dls_status find(const char *name, dls_system *sys, bool pressed, dls_error *err)
{
  const size_t m = pressed ? sys->m : 0;
  search x = {0};
  double s = 0, step = 1;
  if (!create(sys, pressed, &x)) {
    destroy(&x);
    return dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for the equilibrium", name);
  }
  while (s < 1 && step >= least_step) {
    const double next = fmin(s + step, 1);
    memcpy(x.last, x.q, sys->n * sizeof *x.q);
    memcpy(x.saved, x.lambda, m * sizeof *x.lambda);
    if (settle(&x, m, next)) {
      s = next;
      step *= 2;
    } else {
      memcpy(x.q, x.last, sys->n * sizeof *x.q);
      memcpy(x.lambda, x.saved, m * sizeof *x.lambda);
      step /= 2;
    }
  }
  memcpy(sys->q0, x.q, sys->n * sizeof *x.q);
  memset(sys->v0, 0, sys->n * sizeof *sys->v0);
  destroy(&x);
  return s == 1 ? DLS_OK
                : dls_fail(err, DLS_ERR_NOCONV,
                           "model %s: no equilibrium found beyond %.3g of the load; there may be none nearby",
                           name, s);
}

dls_status dls_equilibrium(const char *name, dls_system *sys, dls_error *err)
{
  return find(name, sys, false, err);
}

dls_status dls_equilibrium_pressed(const char *name, dls_system *sys, dls_error *err)
{
  return find(name, sys, true, err);
}
