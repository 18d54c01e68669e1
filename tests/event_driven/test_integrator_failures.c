/* test_integrator_failures.c -- calls of SUNDIALS fail, each place that calls in turn: there is an error, and nothing is used that
 * is not there.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "event_driven/integrator/sundials_integrators.h"
#include "failing_calls.h"
#include "run_cases.h"
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

/* The name as SUNDIALS has it, which may be another behind its macros. */
#define FAILING_FLAG(name, parameters, arguments)                                                              \
  FAILING_CALL(int, name, parameters, arguments, true, CV_MEM_FAIL)
/* One that lifts a bound, with h = 0, may fail unseen: steps stay shorter than they need be. */
#define FAILING_BOUND(name, parameters, arguments)                                                             \
  FAILING_CALL(int, name, parameters, arguments, h > 0, CV_MEM_FAIL)

FAILING_MAKER(CVodeCreate, void *, (int method, SUNContext context), (method, context))
FAILING_MAKER(ERKStepCreate, void *, (ARKRhsFn f, sunrealtype t, N_Vector y, SUNContext context),
              (f, t, y, context))
FAILING_MAKER(N_VNew_Serial, N_Vector, (sunindextype size, SUNContext context), (size, context))
FAILING_MAKER(N_VNewEmpty_Serial, N_Vector, (sunindextype size, SUNContext context), (size, context))
FAILING_MAKER(SUNDenseMatrix, SUNMatrix, (sunindextype rows, sunindextype columns, SUNContext context),
              (rows, columns, context))
FAILING_MAKER(SUNMatNewEmpty, SUNMatrix, (SUNContext context), (context))
FAILING_MAKER(SUNLinSolNewEmpty, SUNLinearSolver, (SUNContext context), (context))
FAILING_MAKER(SUNLinSol_Dense, SUNLinearSolver, (N_Vector y, SUNMatrix A, SUNContext context), (y, A, context))
FAILING_MAKER(SUNNonlinSol_FixedPoint, SUNNonlinearSolver, (N_Vector y, int m, SUNContext context),
              (y, m, context))
FAILING_FLAG(CVode, (void *c, sunrealtype end, N_Vector y, sunrealtype *t, int task), (c, end, y, t, task))
FAILING_FLAG(CVodeInit, (void *c, CVRhsFn f, sunrealtype t, N_Vector y), (c, f, t, y))
FAILING_FLAG(CVodeReInit, (void *c, sunrealtype t, N_Vector y), (c, t, y))
FAILING_FLAG(CVodeRootInit, (void *c, int count, CVRootFn g), (c, count, g))
FAILING_FLAG(CVodeSetEtaFixedStepBounds, (void *c, sunrealtype least, sunrealtype most), (c, least, most))
FAILING_FLAG(CVodeSetEtaMaxEarlyStep, (void *c, sunrealtype most), (c, most))
FAILING_FLAG(CVodeSetLinSysFn, (void *c, CVLsLinSysFn f), (c, f))
FAILING_FLAG(CVodeSetLinearSolver, (void *c, SUNLinearSolver S, SUNMatrix A), (c, S, A))
FAILING_FLAG(CVodeSetMaxHnilWarns, (void *c, int most), (c, most))
FAILING_BOUND(CVodeSetMaxStep, (void *c, sunrealtype h), (c, h))
FAILING_FLAG(CVodeSetNoInactiveRootWarn, (void *c), (c))
FAILING_FLAG(CVodeSetNonlinConvCoef, (void *c, sunrealtype x), (c, x))
FAILING_FLAG(CVodeSetNonlinearSolver, (void *c, SUNNonlinearSolver S), (c, S))
FAILING_FLAG(CVodeSetRootDirection, (void *c, int *direction), (c, direction))
FAILING_FLAG(CVodeSetUserData, (void *c, void *data), (c, data))
FAILING_FLAG(CVodeWFtolerances, (void *c, CVEwtFn f), (c, f))
FAILING_FLAG(ARKodeEvolve, (void *a, sunrealtype end, N_Vector y, sunrealtype *t, int task),
             (a, end, y, t, task))
FAILING_FLAG(ARKodeReset, (void *a, sunrealtype t, N_Vector y), (a, t, y))
FAILING_FLAG(ARKodeRootInit, (void *a, int count, ARKRootFn g), (a, count, g))
FAILING_FLAG(ARKodeSetInitStep, (void *a, sunrealtype h), (a, h))
FAILING_FLAG(ARKodeSetInterpolantDegree, (void *a, int degree), (a, degree))
FAILING_FLAG(ARKodeSetInterpolantType, (void *a, int type), (a, type))
FAILING_FLAG(ARKodeSetMaxErrTestFails, (void *a, int most), (a, most))
FAILING_FLAG(ARKodeSetMaxFirstGrowth, (void *a, sunrealtype x), (a, x))
FAILING_FLAG(ARKodeSetMaxGrowth, (void *a, sunrealtype x), (a, x))
FAILING_FLAG(ARKodeSetMaxHnilWarns, (void *a, int most), (a, most))
FAILING_FLAG(ARKodeSetMaxStep, (void *a, sunrealtype h), (a, h))
FAILING_FLAG(ARKodeSetNoInactiveRootWarn, (void *a), (a))
FAILING_FLAG(ARKodeSetRootDirection, (void *a, int *direction), (a, direction))
FAILING_FLAG(ARKodeSetUserData, (void *a, void *data), (a, data))
FAILING_FLAG(ARKodeWFtolerances, (void *a, ARKEwtFn f), (a, f))
FAILING_FLAG(ERKStepReInit, (void *a, ARKRhsFn f, sunrealtype t, N_Vector y), (a, f, t, y))
FAILING_FLAG(ERKStepSetTableNum, (void *a, ARKODE_ERKTableID table), (a, table))

#if SUNDIALS_VERSION_MAJOR < 7
FAILING_FLAG(SUNContext_Create, (void *communicator, SUNContext *context), (communicator, context))
FAILING_FLAG(CVodeSetErrHandlerFn, (void *c, CVErrHandlerFn f, void *data), (c, f, data))
FAILING_FLAG(ERKStepSetErrHandlerFn, (void *a, ARKErrHandlerFn f, void *data), (a, f, data))
#endif

static const run_case cases[] = {
    {"bouncing-ball", "event-driven:method=adams", 0, 2.5},
    {"bouncing-ball", "event-driven:method=erk", 0, 2.5},
    {"impacting-oscillator", "event-driven:method=bdf", 0, 2}, /* Newton's matrix in blocks */
    {"bouncing-pendulum-cartesian", "event-driven:method=bdf", 0, 1},
    {"belt", "event-driven:method=bdf", 0, 1}, /* dense */
};

DLS_TEST(every_failure_of_an_integrator_is_an_error)
{
  also = DLS_ERR_INTEGRATOR;
  assert_between((double)sum_over_cases(sizeof cases / sizeof *cases, cases, fail_each_place), 38, MOST_PLACES);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_failure_of_an_integrator_is_an_error)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
