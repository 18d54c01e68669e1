/* event_driven/engine.c -- CVODE in one-step mode: Adams with fixed-point iteration, or BDF with Newton
 * iteration and a dense matrix. Order and step are CVODE's own choice. Source: Hindmarsh et al. 2005, SUNDIALS,
 * ACM TOMS 31, 363-396; CVODE user guide.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/engine.h"
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

enum { MAX_STALLED = 100 }; /* steps below the resolution of t: a few may start a very short flight */

struct dls_engine {
  dls_engine_spec spec;
  SUNContext context;
  void *cvode;
  N_Vector y, frame; /* the engine's own state; a frame around a caller's array */
  SUNNonlinearSolver fixed_point;
  SUNMatrix matrix;
  SUNLinearSolver linear;
  bool capped;
  int order;        /* of the last step */
  int stalled;      /* steps in a row that did not change t */
  dls_work counted; /* CVODE's counters at the last collect */
  char message[200];
};

static int rhs(sunrealtype t, N_Vector y, N_Vector dy, void *data)
{
  const dls_engine *engine = data;
  return engine->spec.rhs(engine->spec.data, t, NV_DATA_S(y), NV_DATA_S(dy));
}

static int weights(N_Vector y, N_Vector w, void *data)
{
  const dls_engine *engine = data;
  engine->spec.weights(engine->spec.data, NV_DATA_S(y), NV_DATA_S(w));
  return 0;
}

static int jacobian(sunrealtype t, N_Vector y, N_Vector fy, SUNMatrix J, void *data, N_Vector w1, N_Vector w2,
                    N_Vector w3)
{
  (void)fy;
  (void)w1;
  (void)w2;
  (void)w3;
  const dls_engine *engine = data;
  return engine->spec.jacobian(engine->spec.data, t, NV_DATA_S(y), SM_COLS_D(J));
}

/* CVODE would print; the message goes into the error that is returned instead. */
static void keep_message(int code, const char *module, const char *function, char *message, void *data)
{
  (void)module;
  (void)function;
  dls_engine *engine = data;
  if (code < 0) {
    snprintf(engine->message, sizeof engine->message, "%s", message);
  }
}

static bool create_vectors(dls_engine *engine)
{
  const sunindextype size = (sunindextype)engine->spec.size;
  if (SUNContext_Create(NULL, &engine->context) != 0) {
    return false;
  }
  engine->y = N_VNew_Serial(size, engine->context);
  engine->frame = N_VNewEmpty_Serial(size, engine->context);
  if (engine->y == NULL || engine->frame == NULL) {
    return false;
  }
  N_VConst(0, engine->y);
  return true;
}

static bool attach_newton(dls_engine *engine)
{
  const sunindextype size = (sunindextype)engine->spec.size;
  engine->matrix = SUNDenseMatrix(size, size, engine->context);
  if (engine->matrix == NULL) {
    return false;
  }
  engine->linear = SUNLinSol_Dense(engine->y, engine->matrix, engine->context);
  return engine->linear != NULL &&
         CVodeSetLinearSolver(engine->cvode, engine->linear, engine->matrix) == CV_SUCCESS &&
         (engine->spec.jacobian == NULL || CVodeSetJacFn(engine->cvode, jacobian) == CV_SUCCESS);
}

static bool attach_fixed_point(dls_engine *engine)
{
  engine->fixed_point = SUNNonlinSol_FixedPoint(engine->y, 0, engine->context);
  return engine->fixed_point != NULL &&
         CVodeSetNonlinearSolver(engine->cvode, engine->fixed_point) == CV_SUCCESS;
}

static bool create_cvode(dls_engine *engine)
{
  const bool bdf = engine->spec.method == DLS_ENGINE_BDF;
  engine->cvode = CVodeCreate(bdf ? CV_BDF : CV_ADAMS, engine->context);
  return engine->cvode != NULL && CVodeSetErrHandlerFn(engine->cvode, keep_message, engine) == CV_SUCCESS &&
         CVodeInit(engine->cvode, rhs, 0, engine->y) == CV_SUCCESS &&
         CVodeSetUserData(engine->cvode, engine) == CV_SUCCESS &&
         CVodeWFtolerances(engine->cvode, weights) == CV_SUCCESS &&
         CVodeSetMaxHnilWarns(engine->cvode, -1) == CV_SUCCESS &&
         CVodeSetMaxStep(engine->cvode, engine->spec.max_step) == CV_SUCCESS &&
         (bdf ? attach_newton(engine) : attach_fixed_point(engine));
}

dls_status dls_engine_create(const dls_engine_spec *spec, dls_engine **out, dls_error *err)
{
  dls_engine *engine = *out = calloc(1, sizeof *engine);
  if (engine != NULL) {
    engine->spec = *spec;
  }
  if (engine == NULL || !create_vectors(engine) || !create_cvode(engine)) {
    dls_engine_destroy(engine);
    *out = NULL;
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an integrator of %zu equations", spec->size);
  }
  return DLS_OK;
}

void dls_engine_destroy(dls_engine *engine)
{
  if (engine == NULL) {
    return;
  }
  CVodeFree(&engine->cvode);
  if (engine->fixed_point != NULL) {
    SUNNonlinSolFree(engine->fixed_point);
  }
  if (engine->linear != NULL) {
    SUNLinSolFree(engine->linear);
  }
  if (engine->matrix != NULL) {
    SUNMatDestroy(engine->matrix);
  }
  if (engine->frame != NULL) {
    N_VDestroy(engine->frame);
  }
  if (engine->y != NULL) {
    N_VDestroy(engine->y);
  }
  if (engine->context != NULL) {
    SUNContext_Free(&engine->context);
  }
  free(engine);
}

static dls_status fail(const dls_engine *engine, int flag, dls_error *err)
{
  return dls_fail(err, DLS_ERR_INTEGRATOR, "CVODE stopped with %d: %s", flag, engine->message);
}

dls_status dls_engine_restart(dls_engine *engine, double t, const double *y, double cap, dls_error *err)
{
  const double limit = engine->spec.max_step;
  memcpy(NV_DATA_S(engine->y), y, engine->spec.size * sizeof *y);
  engine->capped = cap > 0 && (limit == 0 || cap < limit);
  int flag = CVodeReInit(engine->cvode, t, engine->y);
  if (flag == CV_SUCCESS) {
    flag = CVodeSetMaxStep(engine->cvode, engine->capped ? cap : limit);
  }
  engine->counted = (dls_work){0}; /* CVodeReInit sets CVODE's counters to zero */
  return flag == CV_SUCCESS ? DLS_OK : fail(engine, flag, err);
}

dls_status dls_engine_step(dls_engine *engine, double *t, double *y, dls_error *err)
{
  double begin = 0;
  CVodeGetCurrentTime(engine->cvode, &begin);
  int flag = CVode(engine->cvode, begin + engine->spec.time_scale, engine->y, t, CV_ONE_STEP);
  if (flag < 0) {
    return fail(engine, flag, err);
  }
  engine->stalled = *t > begin ? 0 : engine->stalled + 1;
  if (engine->stalled > MAX_STALLED) {
    return dls_fail(err, DLS_ERR_INTEGRATOR, "CVODE's steps have shrunk to nothing at t = %.17g", *t);
  }
  memcpy(y, NV_DATA_S(engine->y), engine->spec.size * sizeof *y);
  CVodeGetLastOrder(engine->cvode, &engine->order);
  if (engine->capped) {
    int next = 0;
    CVodeGetCurrentOrder(engine->cvode, &next);
    if (next > 1) {
      engine->capped = false;
      CVodeSetMaxStep(engine->cvode, engine->spec.max_step);
    }
  }
  return DLS_OK;
}

void dls_engine_interpolate(const dls_engine *engine, double t, int derivative, double *y)
{
  if (derivative > engine->order) {
    memset(y, 0, engine->spec.size * sizeof *y);
    return;
  }
  NV_DATA_S(engine->frame) = y;
  CVodeGetDky(engine->cvode, t, derivative, engine->frame);
}

void dls_engine_collect(dls_engine *engine, dls_work *work)
{
  long rejected = 0;
  long iterations = 0;
  long jacobians = 0;
  long setups = 0;
  CVodeGetNumErrTestFails(engine->cvode, &rejected);
  if (engine->spec.method == DLS_ENGINE_BDF) {
    CVodeGetNumNonlinSolvIters(engine->cvode, &iterations);
    CVodeGetNumJacEvals(engine->cvode, &jacobians);
    CVodeGetNumLinSolvSetups(engine->cvode, &setups);
  }
  dls_work *old = &engine->counted;
  work->rejected += (size_t)rejected - old->rejected;
  work->newton_iterations += (size_t)iterations - old->newton_iterations;
  work->jacobian_evals += (size_t)jacobians - old->jacobian_evals;
  work->factorizations += (size_t)setups - old->factorizations;
  old->rejected = (size_t)rejected;
  old->newton_iterations = (size_t)iterations;
  old->jacobian_evals = (size_t)jacobians;
  old->factorizations = (size_t)setups;
}
