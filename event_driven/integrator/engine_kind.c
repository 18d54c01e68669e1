/* event_driven/integrator/engine_kind.c -- what all integrators call: the callbacks of the run in the form of SUNDIALS, and reports of
 * errors.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/integrator/sundials_integrators.h"
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>

double dls_engine_stop(const dls_engine *engine)
{
  return engine->spec.stop != NULL ? engine->spec.stop(engine->spec.data) : HUGE_VAL;
}

/* In place of 0. Any positive value has the right sign; its product with the next one does not underflow. */
static const double not_fallen = 1e-150;

int dls_engine_root(sunrealtype t, N_Vector y, sunrealtype *f, void *data)
{
  const dls_engine *engine = data;
  engine->spec.root(engine->spec.data, t, NV_DATA_S(y), f);
  for (size_t k = 0; k < engine->spec.roots; k++) {
    f[k] = f[k] == 0 ? not_fallen : f[k];
  }
  return 0;
}

int dls_engine_weights(N_Vector y, N_Vector w, void *data)
{
  const dls_engine *engine = data;
  engine->spec.weights(engine->spec.data, NV_DATA_S(y), NV_DATA_S(w));
  return 0;
}

void dls_engine_keep_message(dls_engine *engine, int code, const char *message)
{
  if (code < 0) {
    snprintf(engine->message, sizeof engine->message, "%s", message);
  }
}

/* Meanings of the error codes of CVODE and ARKODE, which are the same. */
static const struct {
  int flag;
  const char *meaning, *remedy;
} meanings[] = {
    {CV_TOO_MUCH_WORK, "the maximum number of steps does not reach the next time", "use a larger tol"},
    {CV_TOO_MUCH_ACC, "tol asks for more digits than double precision has for a state of this size",
     "use a larger tol, or larger scales of length and velocity"},
    {CV_ERR_FAILURE, "the error of a step is above tol however short the step",
     "forces may jump or be singular there; use method=bdf for a stiff system, or a larger tol"},
    {CV_CONV_FAILURE, "the iteration for an implicit step does not converge however short the step",
     "forces may jump or be singular there; method=erk needs no iteration"},
    {CV_LSETUP_FAIL, "the matrix of Newton's method is singular", "method=adams and method=erk do not need it"},
    {CV_LSOLVE_FAIL, "the linear system of Newton's method has no solution",
     "method=adams and method=erk do not need it"},
    {CV_RHSFUNC_FAIL, "the acceleration is not finite", "forces, loads and gaps must be finite there"},
    {CV_FIRST_RHSFUNC_ERR, "the acceleration is not finite at the start of the integration",
     "forces, loads and gaps must be finite there"},
    {CV_REPTD_RHSFUNC_ERR, "the acceleration is not finite in any of the steps tried",
     "forces, loads and gaps must be finite there"},
    {CV_UNREC_RHSFUNC_ERR, "the acceleration is not finite", "forces, loads and gaps must be finite there"},
    {CV_RTFUNC_FAIL, "a gap or a contact force is not finite", "gaps must be finite there"},
    {CV_ILL_INPUT, "two events are closer than the resolution of t, or an argument is out of range",
     "roots=hull does not use its root finder"},
    {CV_TOO_CLOSE, "the end is closer than the resolution of t", "use a later end"},
};

dls_status dls_engine_fail(const dls_engine *engine, int flag, dls_error *err)
{
  double t = 0, h = 0;
  if (flag == CV_MEM_FAIL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %s with %zu equations", engine->kind->name,
                    engine->spec.size);
  }
  char *name = engine->kind->flag_name(flag);
  size_t k = 0;
  while (k < sizeof meanings / sizeof *meanings && meanings[k].flag != flag) {
    k++;
  }
  const bool known = k < sizeof meanings / sizeof *meanings;
  engine->kind->position(engine, &t, &h);
  dls_fail(err, DLS_ERR_INTEGRATOR, "%s stopped at t = %.17g, step %.3g s: %s (%s)%s%s", engine->kind->name, t,
           h, known ? meanings[k].meaning : engine->message,
           name != NULL ? name : "name unknown: out of memory", known ? "; " : "",
           known ? meanings[k].remedy : "");
  free(name);
  return DLS_ERR_INTEGRATOR;
}

dls_status dls_engine_note_step(dls_engine *engine, double begin, double t, dls_error *err)
{
  engine->stalled = t > begin ? 0 : engine->stalled + 1;
  if (engine->stalled > threshold_stalled_steps) {
    return dls_fail(err, DLS_ERR_INTEGRATOR, "%s's steps have shrunk to the round-off of t = %.17g s, %.3g s",
                    engine->kind->name, t, nextafter(t, HUGE_VAL) - t);
  }
  return DLS_OK;
}
