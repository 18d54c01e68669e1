/* sundials_integrators.h -- CVODE and ARKODE of SUNDIALS 6.4 to 7. Functions that were renamed have the names of the
 * latest version here. The error handler belongs to the integrator up to version 6 and to the context since version 7.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_SUNDIALS_INTEGRATORS_H
#define DELASSUS_EVENT_DRIVEN_SUNDIALS_INTEGRATORS_H

#include "event_driven/integrator/engine_kind.h"
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <sundials/sundials_config.h>

#if SUNDIALS_VERSION_MAJOR < 7
#define SUN_ERR_EXT_FAIL SUNLS_PACKAGE_FAIL_UNREC
#endif

#if SUNDIALS_VERSION_MAJOR < 7 || (SUNDIALS_VERSION_MAJOR == 7 && SUNDIALS_VERSION_MINOR < 1)
#define ARKodeEvolve ERKStepEvolve
#define ARKodeFree ERKStepFree
#define ARKodeGetCurrentStep ERKStepGetCurrentStep
#define ARKodeGetCurrentTime ERKStepGetCurrentTime
#define ARKodeGetLastStep ERKStepGetLastStep
#define ARKodeGetReturnFlagName ERKStepGetReturnFlagName
#define ARKodeGetNumErrTestFails ERKStepGetNumErrTestFails
#define ARKodeGetNumSteps ERKStepGetNumSteps
#define ARKodeReset ERKStepReset
#define ARKodeRootInit ERKStepRootInit
#define ARKodeSetInitStep ERKStepSetInitStep
#define ARKodeSetInterpolantDegree ERKStepSetInterpolantDegree
#define ARKodeSetInterpolantType ERKStepSetInterpolantType
#define ARKodeSetMaxErrTestFails ERKStepSetMaxErrTestFails
#define ARKodeSetMaxFirstGrowth ERKStepSetMaxFirstGrowth
#define ARKodeSetMaxGrowth ERKStepSetMaxGrowth
#define ARKodeSetMaxHnilWarns ERKStepSetMaxHnilWarns
#define ARKodeSetMaxStep ERKStepSetMaxStep
#define ARKodeSetNoInactiveRootWarn ERKStepSetNoInactiveRootWarn
#define ARKodeSetRootDirection ERKStepSetRootDirection
#define ARKodeSetStopTime ERKStepSetStopTime
#define ARKodeSetUserData ERKStepSetUserData
#define ARKodeWFtolerances ERKStepWFtolerances
#endif

/* dls_cvode_listen, dls_arkode_listen: the engine keeps the error messages of the integrator, which would otherwise be printed.
 * Return 0, or what SUNDIALS returns. */
#if SUNDIALS_VERSION_MAJOR >= 7
static inline void dls_sundials_message(int line, const char *function, const char *file, const char *message,
                                        SUNErrCode code, void *data, SUNContext context)
{
  (void)line, (void)function, (void)file, (void)context;
  dls_engine_keep_message(data, code, message);
}

static inline int dls_cvode_listen(void *cvode, dls_engine *engine)
{
  (void)cvode;
  return SUNContext_PushErrHandler(engine->context, dls_sundials_message, engine);
}

static inline int dls_arkode_listen(void *arkode, dls_engine *engine)
{
  (void)arkode;
  return SUNContext_PushErrHandler(engine->context, dls_sundials_message, engine);
}
#else
static inline void dls_sundials_message(int code, const char *module, const char *function, char *message,
                                        void *data)
{
  (void)module, (void)function;
  dls_engine_keep_message(data, code, message);
}

static inline int dls_cvode_listen(void *cvode, dls_engine *engine)
{
  return CVodeSetErrHandlerFn(cvode, dls_sundials_message, engine);
}

static inline int dls_arkode_listen(void *arkode, dls_engine *engine)
{
  return ERKStepSetErrHandlerFn(arkode, dls_sundials_message, engine);
}
#endif

#endif
