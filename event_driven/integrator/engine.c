/* event_driven/integrator/engine.c -- see engine.h: which integrator does what it asks for.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/integrator/engine_kind.h"
#include "event_driven/integrator/sundials.h"
#include <stdlib.h>

static int *downward(size_t count)
{
  int *directions = calloc(count, sizeof *directions);
  for (size_t k = 0; directions != NULL && k < count; k++) {
    directions[k] = -1;
  }
  return directions;
}

static bool open_engine(dls_engine *engine)
{
  engine->context = dls_sundials_context();
  if (engine->context == NULL) {
    return false;
  }
  engine->vectors = dls_engine_vectors_create(engine->kind->vectors, engine->spec.size, engine->context);
  if (engine->vectors == NULL) {
    return false;
  }
  engine->y = dls_engine_vectors_first(engine->vectors);
  if (engine->spec.roots > 0 && !(engine->directions = downward(engine->spec.roots))) {
    return false;
  }
  return engine->kind->open(engine);
}

dls_status dls_engine_create(const dls_engine_spec *spec, dls_engine **out, dls_error *err)
{
  static const dls_engine_kind *const kinds[] = {
      [DLS_ENGINE_ADAMS] = &dls_engine_cvode,
      [DLS_ENGINE_BDF] = &dls_engine_cvode,
      [DLS_ENGINE_ERK] = &dls_engine_erk,
      [DLS_ENGINE_FLOW] = &dls_engine_flow,
  };
  const dls_engine_kind *kind = kinds[spec->method];
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

const dls_engine_spec *dls_engine_spec_of(const dls_engine *engine)
{
  return &engine->spec;
}

void dls_engine_destroy(dls_engine *engine)
{
  if (engine == NULL) {
    return;
  }
  engine->kind->close(engine);
  dls_engine_vectors_destroy(engine->vectors);
  if (engine->context != NULL) {
    SUNContext_Free(&engine->context);
  }
  free(engine->directions);
  free(engine);
}

dls_status dls_engine_restart(dls_engine *engine, double t, const double *y, double flight, dls_error *err)
{
  engine->counted = (dls_engine_work){0}; /* the integrators set their counters to zero */
  return engine->kind->restart(engine, t, y, flight, err);
}

dls_status dls_engine_step(dls_engine *engine, double *t, double *y, double *bracket, dls_error *err)
{
  *bracket = 0;
  return engine->kind->step(engine, t, y, bracket, err);
}

void dls_engine_interpolate(const dls_engine *engine, double t, int derivative, double *y)
{
  engine->kind->interpolate(engine, t, derivative, 0, engine->spec.size, y);
}

void dls_engine_interpolate_rows(const dls_engine *engine, double t, int derivative, const dls_column *column,
                                 size_t offset, double *y)
{
  size_t past = 0;
  for (size_t k = 0; k < column->count; k = past) { /* rows one behind the other at once */
    const size_t first = dls_column_row(column, k);
    past = k + 1;
    while (past < column->count && dls_column_row(column, past) == first + (past - k)) {
      past++;
    }
    engine->kind->interpolate(engine, t, derivative, offset + first, past - k, y);
  }
}

bool dls_engine_slope_is_inexact(const dls_engine *engine, double t)
{
  return engine->kind->slope_is_inexact != NULL && engine->kind->slope_is_inexact(engine, t);
}

bool dls_engine_bounds_derivatives(const dls_engine *engine)
{
  return engine->kind->derivative_bound != NULL;
}

double dls_engine_derivative_bound(const dls_engine *engine, int derivative, const double *x)
{
  return dls_engine_bounds_derivatives(engine) ? engine->kind->derivative_bound(engine, derivative, x) : -1;
}

void dls_engine_collect(dls_engine *engine, dls_work *work)
{
  const dls_engine_work old = engine->counted;
  dls_engine_work now = {0};
  engine->kind->count(engine, &now);
  work->steps += now.steps - old.steps;
  work->rejected += now.rejected - old.rejected;
  work->newton_iterations += now.newton_iterations - old.newton_iterations;
  work->jacobian_evals += now.jacobian_evals - old.jacobian_evals;
  work->factorizations += now.factorizations - old.factorizations;
  engine->counted = now;
}
