/* event_driven/integrator/engine.h -- the smooth integrator: y' = f(t, y), one accepted step at a time, with dense output over
 * the last step.
 *
 *   engine.c        creation, and the choice of the integrator
 *   engine_kind.c   what they all call: callbacks, reports of errors
 *   cvode.c         CVODE: Adams or BDF, multistep; a restart begins at order one
 *   erk.c           ARKODE's ERKStep: explicit Runge-Kutta pairs; a restart keeps order and step
 *   exact_flow.c    linear systems, to rounding: power series; a restart rereads the matrix of the system
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_ENGINE_H
#define DELASSUS_EVENT_DRIVEN_ENGINE_H

#include "common/linear/storage.h"
#include <delassus/error.h>
#include <delassus/trajectory.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct dls_engine dls_engine;

typedef enum dls_engine_method {
  DLS_ENGINE_ADAMS,
  DLS_ENGINE_BDF,
  DLS_ENGINE_ERK,
  DLS_ENGINE_FLOW
} dls_engine_method;

/** Callbacks of an engine; y, dy and w have `size` entries. They return 0; 1: try a shorter step; -1: stop. */
typedef struct dls_engine_spec {
  size_t size;
  dls_engine_method method;
  int order;                  /* of the Runge-Kutta pair, 2 to 6; DLS_ENGINE_ERK only */
  double max_step;            /* 0: none */
  double time_scale;          /* for the very first step */
  void *data;                 /* given back to the callbacks */
  double (*stop)(void *data); /* no step goes beyond this time until the next restart; INFINITY: none */
  int (*rhs)(void *data, double t, const double *y, double *dy);
  void (*weights)(void *data, const double *y, double *w); /* 1 / (error accepted), per entry */
  /* DLS_ENGINE_FLOW only, whose f is A y + b(t) from one restart to the next. */
  size_t columns; /* of A, the first ones, may differ from zero */
  bool steady;    /* b is constant */
  /* BDF only: N = I - gamma df/dy with its structure; both NULL: a dense matrix of difference quotients. */
  /** Form N at (t, y). @param[in,out] fresh  in: df/dy at (t, y) is needed, otherwise the last one suffices; out: it is that at (t, y) */
  int (*newton_setup)(void *data, double t, const double *y, double gamma, bool *fresh);
  int (*newton_solve)(void *data, double *b); /* b := N^{-1} b; returns 0, otherwise the run stops */
  /* Largest number of functions for the integrator's own root finder; 0: none. A root is where one falls through zero. */
  size_t roots;
  /** f[roots] := their values; +1 for those not in force. A value of exactly zero has not fallen yet. */
  void (*root)(void *data, double t, const double *y, double *f);
} dls_engine_spec;

/** @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_engine_create(const dls_engine_spec *spec, dls_engine **out, dls_error *err);
void dls_engine_destroy(dls_engine *engine); /* NULL is fine */

/** What the engine was created with. */
const dls_engine_spec *dls_engine_spec_of(const dls_engine *engine);
/**
 * Start from (t, y), without history.
 * @param[in] flight  estimated time to the next event, beyond which the first steps must not go; 0: unknown
 */
dls_status dls_engine_restart(dls_engine *engine, double t, const double *y, double flight, dls_error *err);
/**
 * One accepted step, or the part of it up to a root.
 * @param[out] bracket  > 0: the root finder saw a function fall through zero, in [t - bracket, t]: CVODE's are 100 units of
 *                      round-off long; ARKODE's is the step, as its interpolant is coarser than the engine's. 0: it saw none
 * @return DLS_OK; DLS_ERR_INTEGRATOR with the integrator's own message
 */
dls_status dls_engine_step(dls_engine *engine, double *t, double *y, double *bracket, dls_error *err);
/** y := the derivative of that order of the dense output at t inside the last step (0: the value). */
void dls_engine_interpolate(const dls_engine *engine, double t, int derivative, double *y);
/** The same, bit for bit, for the entries offset + row alone of y, for the rows of a column; the other entries keep their values. */
void dls_engine_interpolate_rows(const dls_engine *engine, double t, int derivative, const dls_column *column,
                                 size_t offset, double *y);
/** Does the slope of the dense output at t differ from f by more than the error of the step? In the first steps of a multistep method,
 * which are short and of low order, the error of a slope is that of the step over its length. */
bool dls_engine_slope_is_inexact(const dls_engine *engine, double t);
/** Does dls_engine_derivative_bound know a bound? */
bool dls_engine_bounds_derivatives(const dls_engine *engine);
/**
 * How far f, the sum over i of x[i] times that derivative of y_i, can be from the quintic through f, f', f'' at both ends of an
 * interval of length h inside the last step: no more than B h^6 s^3 (1 - s)^3, with s from 0 to 1 in the interval.
 * @return B, a bound of |f^(6)| / 6!; < 0: the engine has none
 */
double dls_engine_derivative_bound(const dls_engine *engine, int derivative, const double *x);
/** Add the work since the last call or restart to the counters, except force_evals, and except jacobian_evals and factorizations if
 * newton_setup counts them. */
void dls_engine_collect(dls_engine *engine, dls_work *work);

#endif
