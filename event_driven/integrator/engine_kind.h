/* event_driven/integrator/engine_kind.h -- the parts of an engine, for engine.c and the engines.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_ENGINE_KIND_H
#define DELASSUS_EVENT_DRIVEN_ENGINE_KIND_H

#include "event_driven/integrator/engine.h"
#include "event_driven/thresholds.h"
#include <stdbool.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_nvector.h>

/** Work of an integrator. */
typedef struct dls_engine_work {
  size_t steps, rejected, newton_iterations, jacobian_evals, factorizations;
} dls_engine_work;

/** The functions of engine.h; spec, context and y are set before open is called. */
typedef struct dls_engine_kind {
  const char *name;
  size_t bytes;                     /* of the engine's struct, which begins with a dls_engine */
  size_t vectors;                   /* largest number in use at a time, with y */
  bool (*open)(dls_engine *engine); /* false: no memory */
  void (*close)(dls_engine *engine);
  dls_status (*restart)(dls_engine *engine, double t, const double *y, double flight, dls_error *err);
  dls_status (*step)(dls_engine *engine, double *t, double *y, double *bracket, dls_error *err);
  /* y[first], ..., y[first + count - 1] */
  void (*interpolate)(const dls_engine *engine, double t, int derivative, size_t first, size_t count,
                      double *y);
  void (*count)(const dls_engine *engine, dls_engine_work *total); /* work since the restart */
  char *(*flag_name)(
      int flag); /* the library's name of an error, to be freed; NULL: the engine has no library */
  void (*position)(const dls_engine *engine, double *t,
                   double *h); /* where the last step began, and its length */
  double (*derivative_bound)(const dls_engine *engine, int derivative, const double *x); /* NULL: not known */
  bool (*slope_is_inexact)(const dls_engine *engine, double t);                          /* NULL: nowhere */
} dls_engine_kind;

typedef struct dls_engine_vectors dls_engine_vectors;

struct dls_engine {
  const dls_engine_kind *kind;
  dls_engine_spec spec;
  SUNContext context;
  dls_engine_vectors *vectors;
  N_Vector y;              /* the integrator's state, the first of vectors */
  int *directions;         /* of the root functions: down; NULL: there are none */
  dls_engine_work counted; /* work since the restart, at the last collect */
  int stalled;             /* steps in a row that did not change t */
  char message[200];
};

extern const dls_engine_kind dls_engine_cvode, dls_engine_erk, dls_engine_flow;

/** The root function for the integrators: the engine's, without exact zeros. They would ignore a function that is zero until it has moved
 * away from zero, and miss a fall before that. */
int dls_engine_root(sunrealtype t, N_Vector y, sunrealtype *f, void *engine);
/** The error weights for the integrators. */
int dls_engine_weights(N_Vector y, N_Vector w, void *engine);
/** Zero vectors, from which N_VClone takes. @return NULL if out of memory */
dls_engine_vectors *dls_engine_vectors_create(size_t count, size_t size, SUNContext context);
N_Vector dls_engine_vectors_first(dls_engine_vectors *vectors);
void dls_engine_vectors_destroy(dls_engine_vectors *vectors);
/** spec.stop, INFINITY if there is none. */
double dls_engine_stop(const dls_engine *engine);
/** For the integrator's error handler; the code of an error is negative. */
void dls_engine_keep_message(dls_engine *engine, int code, const char *message);
/** Report an error of the integrator: its name, meaning, time, step and a remedy. */
dls_status dls_engine_fail(const dls_engine *engine, int flag, dls_error *err);
/** Note a step from `begin` to t. @return DLS_ERR_INTEGRATOR after too many that did not change t */
dls_status dls_engine_note_step(dls_engine *engine, double begin, double t, dls_error *err);

#endif
