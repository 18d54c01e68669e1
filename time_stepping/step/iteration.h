/* iteration.h -- Newton's method in a step: its matrix and its loop.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_ITERATION_H
#define DELASSUS_TIME_STEPPING_ITERATION_H

#include <delassus/configuration.h>
#include <delassus/delassus_operator.h>
#include <delassus/scheme.h>

/** A sum of M of the configuration, C and K, in this order. @return NULL if out of memory */
dls_factor *dls_iteration_matrix(const dls_configuration *config, const dls_sim *sim);
/** K = -dF/dq and C = -dF/dv of a nonlinear system at (t, q, v), which A is to be made of. */
void dls_iteration_linearise(dls_sim *sim, double t, const double *q, const double *v, dls_factor *A);
/** A := the sum with these coefficients; W, if there is one, forgets where A is another. @return as dls_factor_sum */
dls_status dls_iteration_factor(dls_sim *sim, dls_factor *A, const double *coefficients, dls_delassus *W,
                                dls_error *err);
/** The same of a step h, unless the system is linear and A that of *factored already, the h of the last time; 0: none. */
static inline dls_status dls_iteration_factor_step(dls_sim *sim, dls_factor *A, double h, double *factored,
                                                   const double *coefficients, dls_delassus *W, dls_error *err)
{
  if (sim->sys->linear && h == *factored) {
    return DLS_OK;
  }
  const dls_status status = dls_iteration_factor(sim, A, coefficients, W, err);
  *factored = status == DLS_OK ? h : 0;
  return status;
}
/** The largest |x_i - y_i|; NaN if there is one. */
double dls_iteration_change(size_t n, const double *x, const double *y);

/** Options of the iteration: newton_tol in units of the scale of what changes. */
typedef struct dls_newton_options {
  double newton_tol;
  size_t newton_max;
} dls_newton_options;
#define DLS_NEWTON_OPTIONS(base, tol_unit, tol_help, tol, max_help, max)                                       \
  DLS_REAL_OPTION(base, dls_newton_options, newton_tol, tol_unit, tol_help, tol, 0, 1, DLS_OPEN_MIN),          \
      DLS_INTEGER_OPTION(base, dls_newton_options, newton_max, max_help, max, 1, 1000)
#define DLS_NEWTON_VELOCITY "nonlinear systems: last velocity increment accepted, in units of the "
#define DLS_NEWTON_MAX "nonlinear systems: iterations allowed in a step"

/**
 * The terms of the residual of an iteration A dx = -r: r = M x - weight (F - K q - C v), K and C those of the sim. Its
 * rounding is at most a few eps times the sum of their magnitudes, and an iterate cannot be more accurate than A^-1 times it.
 */
typedef struct dls_residual {
  dls_factor *A;         /* factored, or with the weights to do so */
  const double *weights; /* NULL: factored */
  const dls_matrix *M;   /* NULL: 0 */
  const double *x;       /* n: what M multiplies */
  const double *q, *v;   /* n: where the forces are taken */
  const double *F;       /* n; NULL: no larger than M x */
  double *scratch;       /* n; free between iterations */
  double weight, scale;  /* of the forces in r; of dx in the change */
} dls_residual;
/** The largest change that rounding of the residual may leave; NaN if a value is not finite. Costs two solves. */
double dls_iteration_rounding(const dls_sim *sim, const dls_residual *r);

/** When to stop, and what the change of an iterate is. */
typedef struct dls_newton {
  double tolerance;      /* of the change */
  double rounding;       /* smaller changes that do not shrink are rounding and count as zero; 0: not checked */
  dls_residual residual; /* changes within the rounding of the residual also count as zero; A NULL: unknown */
  size_t most;           /* iterations */
  const char *what, *unit; /* of the change; NULL: velocity, m/s */
  bool kinked; /* a linear system with compliant contacts or varying tangents: it is iterated, too */
} dls_newton;

/** Whether more than one iteration is needed. */
static inline bool dls_newton_iterates(const dls_newton *newton, const dls_system *sys)
{
  return !sys->linear || newton->kinked;
}

/** Does rounding prevent further progress, by change number k of an iteration, the preceding one being `last`? False for NaN. */
bool dls_iteration_stalled(const dls_sim *sim, const dls_newton *newton, size_t k, double change, double last);
/** For changes of a velocity. */
dls_newton dls_newton_of_velocity(const dls_system *sys, const dls_newton_options *opt);
/**
 * Iterate until the change is no larger than the tolerance (NaN is larger), or no more than rounding; for a linear system once,
 * whatever the change, unless it is kinked.
 * Counts the iterations of nonlinear systems.
 * @param[in] iterate  one iteration of a step of length h, and the change that it made
 * @return DLS_OK; DLS_ERR_NOCONV; DLS_ERR_INTERRUPTED; what iterate fails with
 */
dls_status dls_iterate(dls_sim *sim, const dls_newton *newton,
                       dls_status (*iterate)(dls_sim *sim, void *step, double h, double *change,
                                             dls_error *err),
                       void *step, double h, dls_error *err);

#endif
