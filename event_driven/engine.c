/* event_driven/engine.c -- creation of an engine, and what the engines share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/sundials.h"
#include "event_driven/engine_kind.h"
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_STALLED = 100 }; /* steps below the resolution of t: a few may start a very short flight */

static bool open_engine(dls_engine *engine)
{
  engine->context = dls_sundials_context();
  if (engine->context == NULL) {
    return false;
  }
  engine->y = N_VNew_Serial((sunindextype)engine->spec.size, engine->context);
  if (engine->y == NULL) {
    return false;
  }
  N_VConst(0, engine->y);
  return engine->kind->open(engine);
}

dls_status dls_engine_create(const dls_engine_spec *spec, dls_engine **out, dls_error *err)
{
  const dls_engine_kind *kind = spec->method == DLS_ENGINE_ERK ? &dls_engine_erk : &dls_engine_cvode;
  dls_engine *engine = *out = calloc(1, kind->bytes);
  if (engine != NULL) {
    engine->kind = kind;
    engine->spec = *spec;
  }
  if (engine == NULL || !open_engine(engine)) {
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
  engine->kind->close(engine);
  if (engine->y != NULL) {
    N_VDestroy(engine->y);
  }
  if (engine->context != NULL) {
    SUNContext_Free(&engine->context);
  }
  free(engine);
}

dls_status dls_engine_restart(dls_engine *engine, double t, const double *y, double flight, dls_error *err)
{
  engine->counted = (dls_work){0}; /* the integrators set their counters to zero */
  return engine->kind->restart(engine, t, y, flight, err);
}

dls_status dls_engine_step(dls_engine *engine, double *t, double *y, dls_error *err)
{
  return engine->kind->step(engine, t, y, err);
}

void dls_engine_interpolate(const dls_engine *engine, double t, int derivative, double *y)
{
  engine->kind->interpolate(engine, t, derivative, y);
}

void dls_engine_collect(dls_engine *engine, dls_work *work)
{
  const dls_work old = engine->counted;
  dls_work now = {0};
  engine->kind->count(engine, &now);
  work->steps += now.steps - old.steps;
  work->rejected += now.rejected - old.rejected;
  work->newton_iterations += now.newton_iterations - old.newton_iterations;
  work->jacobian_evals += now.jacobian_evals - old.jacobian_evals;
  work->factorizations += now.factorizations - old.factorizations;
  engine->counted = now;
}

void dls_engine_keep_message(dls_engine *engine, int code, const char *message)
{
  if (code < 0) {
    snprintf(engine->message, sizeof engine->message, "%s", message);
  }
}

dls_status dls_engine_fail(const dls_engine *engine, int flag, dls_error *err)
{
  return dls_fail(err, DLS_ERR_INTEGRATOR, "%s stopped with %d: %s", engine->kind->name, flag, engine->message);
}

dls_status dls_engine_note_step(dls_engine *engine, double begin, double t, dls_error *err)
{
  engine->stalled = t > begin ? 0 : engine->stalled + 1;
  if (engine->stalled > MAX_STALLED) {
    return dls_fail(err, DLS_ERR_INTEGRATOR, "%s's steps have shrunk to nothing at t = %.17g",
                    engine->kind->name, t);
  }
  return DLS_OK;
}
