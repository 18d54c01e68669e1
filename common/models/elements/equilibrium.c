/* equilibrium.c -- Newton's method in load steps:  K dq = F(q) - (1 - s) F(q0).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/equilibrium.h"
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 30 };
static const double farthest = 0.5;    /* of a load step, in units of the coordinates */
static const double least_step = 1e-6; /* of s */
static const double converged =
    1e-8; /* increment from which on the next one is rounding, as convergence is quadratic */

typedef struct search {
  const dls_system *sys;
  dls_matrix *K;
  dls_factor *factor;
  double *q, *last, *rest, *zero, *F, *scale; /* n */
  double *block;                              /* owns the arrays */
} search;

static void destroy(search *s)
{
  dls_factor_destroy(s->factor);
  dls_matrix_destroy(s->K);
  free(s->block);
}

/* @return false if out of memory */
static bool create(const dls_system *sys, search *s)
{
  s->sys = sys;
  s->block =
      dls_arrays((const dls_slot[]){{sys->n, {&s->q, &s->last, &s->rest, &s->zero, &s->F, &s->scale}}, {0}});
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
  return true;
}

/* One iteration at s. @return DLS_OK, DLS_ERR_SINGULAR; *change: the largest increment */
static dls_status iterate(search *x, double s, double *change)
{
  const dls_system *sys = x->sys;
  const double one = 1;
  dls_system_force(sys, 0, x->q, x->zero, x->F);
  sys->stiffness(sys, 0, x->q, x->zero, x->K);
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
static bool settle(search *x, double s)
{
  double change = HUGE_VAL;
  for (int k = 0; k < ITERATIONS; k++) {
    const bool last = change <= converged;
    if (iterate(x, s, &change) != DLS_OK || !(change <= farthest)) { /* NaN is not */
      return false;
    }
    if (last) {
      return change <= converged;
    }
  }
  return false;
}

dls_status dls_equilibrium(const char *name, dls_system *sys, dls_error *err)
{
  search x = {0};
  double s = 0, step = 1;
  if (!create(sys, &x)) {
    destroy(&x);
    return dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for the equilibrium", name);
  }
  while (s < 1 && step >= least_step) {
    const double next = fmin(s + step, 1);
    memcpy(x.last, x.q, sys->n * sizeof *x.q);
    if (settle(&x, next)) {
      s = next;
      step *= 2;
    } else {
      memcpy(x.q, x.last, sys->n * sizeof *x.q);
      step /= 2;
    }
  }
  memcpy(sys->q0, x.q, sys->n * sizeof *x.q);
  memset(sys->v0, 0, sys->n * sizeof *sys->v0);
  destroy(&x);
  return s == 1 ? DLS_OK
                : dls_fail(err, DLS_ERR_NOCONV,
                           "model %s: no equilibrium was found beyond %.3g of the load: there may be none near",
                           name, s);
}
