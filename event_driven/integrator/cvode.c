/* event_driven/integrator/cvode.c -- CVODE in one-step mode: Adams with fixed-point iteration, or BDF with Newton
 * iteration, by the caller's blocks or with a dense matrix. Order and step are CVODE's own choice.
 * Source: Hindmarsh et al. 2005, SUNDIALS, ACM TOMS 31, 363-396; CVODE user guide.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/integrator/sundials_integrators.h"
#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

typedef struct cvode_engine {
  dls_engine base;
  void *cvode;
  N_Vector range; /* y[first], ..., y[past - 1] of a caller's array */
  size_t first, past;
  double *y;
  SUNNonlinearSolver fixed_point;
  SUNMatrix matrix;
  SUNLinearSolver linear;
  double t; /* end of the last step returned */
  bool capped;
  double landing; /* estimated end of the flight for which steps are capped */
  /* Reported by CVODE after a call (read_statistics): */
  long steps, rejected, setups;
  int order, next_order; /* of the last step and the next one */
  double at, h;          /* where CVODE stands, and the length of its last step */
} cvode_engine;

static int rhs(sunrealtype t, N_Vector y, N_Vector dy, void *data)
{
  const dls_engine *engine = data;
  return engine->spec.rhs(engine->spec.data, t, NV_DATA_S(y), NV_DATA_S(dy));
}

/* The caller's N = I - gamma df/dy as a SUNDIALS matrix and solver that store nothing. */

static SUNMatrix_ID matrix_id(SUNMatrix N)
{
  (void)N;
  return SUNMATRIX_CUSTOM;
}

static SUNLinearSolver_Type solver_type(SUNLinearSolver S)
{
  (void)S;
  return SUNLINEARSOLVER_DIRECT;
}

static int newton_setup(sunrealtype t, N_Vector y, N_Vector fy, SUNMatrix N, sunbooleantype keep,
                        sunbooleantype *is_fresh, sunrealtype gamma, void *data, N_Vector w1, N_Vector w2,
                        N_Vector w3)
{
  (void)fy, (void)N, (void)w1, (void)w2, (void)w3;
  const dls_engine *engine = data;
  bool fresh = !keep;
  const int flag = engine->spec.newton_setup(engine->spec.data, t, NV_DATA_S(y), gamma, &fresh);
  *is_fresh = fresh ? SUNTRUE : SUNFALSE;
  return flag;
}

static int newton_solve(SUNLinearSolver S, SUNMatrix N, N_Vector x, N_Vector b, sunrealtype tol)
{
  (void)N, (void)tol;
  const dls_engine *engine = S->content;
  N_VScale(1, b, x);
  return engine->spec.newton_solve(engine->spec.data, NV_DATA_S(x)) == 0 ? 0 : SUN_ERR_EXT_FAIL;
}

static int free_solver(SUNLinearSolver S)
{
  S->content = NULL; /* the engine */
  SUNLinSolFreeEmpty(S);
  return 0;
}

static bool create_blocks(cvode_engine *self)
{
  self->matrix = SUNMatNewEmpty(self->base.context);
  self->linear = SUNLinSolNewEmpty(self->base.context);
  if (self->matrix == NULL || self->linear == NULL) {
    return false;
  }
  self->matrix->ops->getid = matrix_id;
  self->matrix->ops->destroy = SUNMatFreeEmpty;
  self->linear->content = self;
  self->linear->ops->gettype = solver_type;
  self->linear->ops->solve = newton_solve;
  self->linear->ops->free = free_solver;
  return true;
}

static bool create_dense(cvode_engine *self)
{
  const dls_engine *engine = &self->base;
  const sunindextype size = (sunindextype)engine->spec.size;
  self->matrix = SUNDenseMatrix(size, size, engine->context);
  self->linear = self->matrix != NULL ? SUNLinSol_Dense(engine->y, self->matrix, engine->context) : NULL;
  return self->linear != NULL;
}

static bool attach_newton(cvode_engine *self)
{
  const bool blocks = self->base.spec.newton_solve != NULL;
  return (blocks ? create_blocks(self) : create_dense(self)) &&
         CVodeSetLinearSolver(self->cvode, self->linear, self->matrix) == CV_SUCCESS &&
         (!blocks || CVodeSetLinSysFn(self->cvode, newton_setup) == CV_SUCCESS);
}

/* The error that the iteration leaves looks like a rough motion to the choice of step and order: with CVODE's own coefficient 0.1 in place
 * of iteration_error runs took 6 % more steps (geometric mean of 12 models at 4 tolerances each). CVODE by itself keeps a step that could grow
 * by less than 1.5, and shortens steps only where the error test has failed. */
static bool attach_fixed_point(cvode_engine *self)
{
  self->fixed_point = SUNNonlinSol_FixedPoint(self->base.y, 0, self->base.context);
  return self->fixed_point != NULL && CVodeSetNonlinearSolver(self->cvode, self->fixed_point) == CV_SUCCESS &&
         CVodeSetNonlinConvCoef(self->cvode, threshold_iteration_error) == CV_SUCCESS &&
         CVodeSetEtaFixedStepBounds(self->cvode, threshold_shorter_step, threshold_longer_step) == CV_SUCCESS &&
         CVodeSetEtaMaxEarlyStep(self->cvode, threshold_early_growth) == CV_SUCCESS;
}

/* Once for the run, for the largest number: CVodeRootInit allocates, CVodeReInit keeps functions and directions. */
static bool watch_roots(cvode_engine *self)
{
  const dls_engine *engine = &self->base;
  return engine->spec.roots == 0 ||
         (CVodeRootInit(self->cvode, (int)engine->spec.roots, dls_engine_root) == CV_SUCCESS &&
          CVodeSetRootDirection(self->cvode, engine->directions) == CV_SUCCESS &&
          CVodeSetNoInactiveRootWarn(self->cvode) == CV_SUCCESS);
}

/* z := sum_k c_k x_k, and z := c z, for the range: what CVodeGetDky does to its result. The operations are those of vectors.c. */

static int combine_range(int count, sunrealtype *c, N_Vector *x, N_Vector z)
{
  const cvode_engine *self = z->content;
  for (size_t i = self->first; i < self->past; i++) {
    double sum = c[0] * NV_DATA_S(x[0])[i];
    for (int k = 1; k < count; k++) {
      sum += c[k] * NV_DATA_S(x[k])[i];
    }
    self->y[i] = sum;
  }
  return 0;
}

static void scale_range(sunrealtype c, N_Vector x, N_Vector z)
{
  (void)x; /* z itself */
  const cvode_engine *self = z->content;
  for (size_t i = self->first; i < self->past; i++) {
    self->y[i] *= c;
  }
}

static bool create_range(cvode_engine *self)
{
  self->range = N_VNewEmpty(self->base.context);
  if (self->range != NULL) {
    self->range->content = self;
    self->range->ops->nvlinearcombination = combine_range;
    self->range->ops->nvscale = scale_range;
  }
  return self->range != NULL;
}

static bool cvode_open(dls_engine *engine)
{
  cvode_engine *self = (cvode_engine *)engine;
  const bool bdf = engine->spec.method == DLS_ENGINE_BDF;
  self->cvode = CVodeCreate(bdf ? CV_BDF : CV_ADAMS, engine->context);
  return create_range(self) && self->cvode != NULL && dls_cvode_listen(self->cvode, engine) == CV_SUCCESS &&
         CVodeInit(self->cvode, rhs, 0, engine->y) == CV_SUCCESS &&
         CVodeSetUserData(self->cvode, engine) == CV_SUCCESS &&
         CVodeWFtolerances(self->cvode, dls_engine_weights) == CV_SUCCESS &&
         CVodeSetMaxHnilWarns(self->cvode, -1) == CV_SUCCESS &&
         CVodeSetMaxStep(self->cvode, engine->spec.max_step) == CV_SUCCESS &&
         (bdf ? attach_newton(self) : attach_fixed_point(self)) && watch_roots(self);
}

static void cvode_close(dls_engine *engine)
{
  cvode_engine *self = (cvode_engine *)engine;
  CVodeFree(&self->cvode);
  if (self->fixed_point != NULL) {
    SUNNonlinSolFree(self->fixed_point);
  }
  if (self->linear != NULL) {
    SUNLinSolFree(self->linear);
  }
  if (self->matrix != NULL) {
    SUNMatDestroy(self->matrix);
  }
  if (self->range != NULL) {
    self->range->content = NULL; /* the engine */
    N_VFreeEmpty(self->range);
  }
}

static dls_status cvode_restart(dls_engine *engine, double t, const double *y, double flight, dls_error *err)
{
  cvode_engine *self = (cvode_engine *)engine;
  const double limit = engine->spec.max_step;
  const double cap = threshold_first_order_step * flight;
  memcpy(NV_DATA_S(engine->y), y, engine->spec.size * sizeof *y);
  self->t = self->at = t;
  self->landing = t + flight;
  self->capped = cap > 0 && (limit == 0 || cap < limit);
  self->steps = self->rejected = self->setups = 0;
  self->h = 0; /* no step, no slope at its end */
  int flag = CVodeReInit(self->cvode, t, engine->y);
  if (flag == CV_SUCCESS) {
    flag = CVodeSetMaxStep(self->cvode, self->capped ? cap : limit);
  }
  return flag == CV_SUCCESS ? DLS_OK : dls_engine_fail(engine, flag, err);
}

/* The cap applies while the order is 1 and the flight lasts; the order may stay 1 where steps change nothing but rounding. */
static void lift_cap(cvode_engine *self)
{
  if (self->next_order > 1 || self->t > self->landing) {
    self->capped = false;
    CVodeSetMaxStep(self->cvode, self->base.spec.max_step);
  }
}

/* CVODE's root finder returns the right end of an interval of this length: 100 u (|t| + |h|). */
static double root_tolerance(const cvode_engine *self)
{
  return 100 * DBL_EPSILON * (fabs(self->at) + fabs(self->h));
}

static void read_statistics(cvode_engine *self)
{
  long evaluations = 0;
  double first = 0, next = 0;
  CVodeGetIntegratorStats(self->cvode, &self->steps, &evaluations, &self->setups, &self->rejected, &self->order,
                          &self->next_order, &first, &self->h, &next, &self->at);
}

static dls_status cvode_step(dls_engine *engine, double *t, double *y, double *bracket, dls_error *err)
{
  cvode_engine *self = (cvode_engine *)engine;
  const double begin = self->t, stop = dls_engine_stop(engine);
  if (stop > begin && stop < HUGE_VAL) {
    CVodeSetStopTime(self->cvode, stop);
  }
  const int flag = CVode(self->cvode, begin + engine->spec.time_scale, engine->y, t, CV_ONE_STEP);
  read_statistics(self);
  if (flag < 0) {
    return dls_engine_fail(engine, flag, err);
  }
  self->t = *t;
  *bracket = flag == CV_ROOT_RETURN ? root_tolerance(self) : 0;
  memcpy(y, NV_DATA_S(engine->y), engine->spec.size * sizeof *y);
  if (self->capped) {
    lift_cap(self);
  }
  return dls_engine_note_step(engine, begin, *t, err);
}

/* y' where CVODE stands, after a step: z_1 of its array of scaled derivatives z_j = h^j/j! y^(j), without the sum of CVodeGetDky.
 * @return h y', or NULL anywhere else */
static const double *scaled_slope(const cvode_engine *self, double t)
{
  double at = 0, gamma = 0, coefficient = 0;
  N_Vector predicted = NULL, y = NULL, f = NULL, z1 = NULL;
  void *data = NULL;
  const bool known = t == self->at && self->h != 0 &&
                     CVodeGetNonlinearSystemData(self->cvode, &at, &predicted, &y, &f, &gamma, &coefficient,
                                                 &z1, &data) == CV_SUCCESS;
  return known ? NV_DATA_S(z1) : NULL;
}

static void cvode_interpolate(const dls_engine *engine, double t, int derivative, size_t first, size_t count,
                              double *y)
{
  cvode_engine *self = (cvode_engine *)engine;
  const double *scaled = derivative == 1 ? scaled_slope(self, t) : NULL;
  if (scaled != NULL) {
    for (size_t i = first; i < first + count; i++) {
      y[i] = scaled[i] * (1 / self->h);
    }
    return;
  }
  if (derivative > self->order) {
    memset(y + first, 0, count * sizeof *y);
    return;
  }
  self->first = first;
  self->past = first + count;
  self->y = y;
  CVodeGetDky(self->cvode, t, derivative, self->range);
}

/* At the end of a step of CVODE the slope is f of its last iterate. If a root was found before it, the step returned ends inside.
 * There, in a step that errs by rtol, the slope errs by about rtol^(q/(q + 1)): more than tol up to this order. */
static bool cvode_slope_is_inexact(const dls_engine *engine, double t)
{
  const cvode_engine *self = (const cvode_engine *)engine;
  return self->order <= threshold_inexact_slope_order && t != self->at;
}

static void cvode_position(const dls_engine *engine, double *t, double *h)
{
  void *cvode = ((const cvode_engine *)engine)->cvode;
  CVodeGetCurrentTime(cvode, t);
  CVodeGetCurrentStep(cvode, h);
}

static char *cvode_flag_name(int flag)
{
  return CVodeGetReturnFlagName(flag);
}

static void cvode_count(const dls_engine *engine, dls_engine_work *total)
{
  const cvode_engine *self = (const cvode_engine *)engine;
  const bool newton = engine->spec.method == DLS_ENGINE_BDF, own = newton && engine->spec.newton_setup == NULL;
  long iterations = 0;
  long jacobians = 0;
  if (newton) {
    CVodeGetNumNonlinSolvIters(self->cvode, &iterations);
  }
  if (own) {
    CVodeGetNumJacEvals(self->cvode, &jacobians);
  }
  total->steps = (size_t)self->steps;
  total->rejected = (size_t)self->rejected;
  total->newton_iterations = (size_t)iterations;
  total->jacobian_evals = (size_t)jacobians;
  total->factorizations = own ? (size_t)self->setups : 0;
}

const dls_engine_kind dls_engine_cvode = {
    .name = "CVODE",
    .bytes = sizeof(cvode_engine),
    .vectors = 26, /* Adams: 13 of order 12, and 12 more */
    .open = cvode_open,
    .close = cvode_close,
    .restart = cvode_restart,
    .step = cvode_step,
    .interpolate = cvode_interpolate,
    .count = cvode_count,
    .flag_name = cvode_flag_name,
    .position = cvode_position,
    .slope_is_inexact = cvode_slope_is_inexact,
};
