/* event_driven/integrator/erk.c -- ARKODE's explicit Runge-Kutta pairs in one-step mode, with dense output.
 *
 * ARKODE's own interpolants are of order 5 at most and evaluate f at each request. Here the dense output is the polynomial
 * of degree 2 P - 1 through y and f at the last P ends of steps, where f is known: error O(h^2P) with 2 P >= p + 1, without
 * further evaluations. After a restart there are not yet P ends: P - 1 steps are made at once and returned one by one.
 *
 * ARKODE 6.4 uses the last stage as f at the end of the step for every pair whose last node is 1, also where it is f at
 * another point; the order then falls to 3. ARKodeReset after every step makes it request f there. The value is kept, so
 * that no evaluation is repeated.
 *
 * Source: Reynolds et al. 2023, ARKODE, ACM TOMS 49, 19; Hairer, Norsett, Wanner 1993, section II.6.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include "event_driven/integrator/sundials_integrators.h"
#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_POINTS = 4, LEAST_ORDER = 2 };

/* The pairs by order, from 2. ARKODE has none of order 7. Fehlberg's 7(8) estimates the error as 0 where f depends only on t, as in
 * the impulse of a contact at rest. */
static const ARKODE_ERKTableID pairs[] = {ARKODE_HEUN_EULER_2_1_2, ARKODE_BOGACKI_SHAMPINE_4_2_3,
                                          ARKODE_ZONNEVELD_5_3_4, ARKODE_CASH_KARP_6_4_5, ARKODE_VERNER_8_5_6};

enum {
  MAX_DERIVATIVE = 3, /* of the dense output */
};

typedef struct erk_point {
  double t, x;   /* time, and time since the first of the points, without the round-off of t */
  double *y, *f; /* size */
  bool fell;     /* a root function fell in the step that ends here */
} erk_point;

typedef struct erk_engine {
  dls_engine base;
  void *erk;
  double *block;
  size_t wanted;                      /* P */
  size_t count;                       /* points that are set, 1 after a restart */
  size_t right;                       /* the end of the step returned last */
  erk_point points[MAX_POINTS];       /* t increasing */
  double *difference[2 * MAX_POINTS]; /* divided differences of the points, each taken twice; size */
  erk_point known;                    /* where f was evaluated last */
  bool is_known;
  int flag;               /* what the right-hand side returned last */
  double step;            /* proposed for the next step; 0: none yet */
  dls_engine_work before; /* work since the restart, up to the last reinitialization of ARKODE */
  double begin, flight;   /* of the restart */
  bool is_started;
} erk_engine;

/* ARKODE 6.4 does not check what it allocates for its tables (ARKodeButcherTable_Alloc) when it is created, and for its stages and its
 * interpolant (erkStep_Init, arkInterpInit_Lagrange) in the first step. 10 kB are needed, and 48 bytes for each root function. */
static bool is_memory_left(const dls_engine *engine)
{
  return dls_memory_left(32768 + 64 * engine->spec.roots);
}

/* known := f at (t, y), unless it is that already. */
static int recall(erk_engine *self, double t, const double *y)
{
  const dls_engine_spec *spec = &self->base.spec;
  erk_point *known = &self->known;
  const size_t bytes = spec->size * sizeof *y;
  if (self->is_known && t == known->t && memcmp(y, known->y, bytes) == 0) {
    return 0;
  }
  known->t = t;
  memcpy(known->y, y, bytes);
  self->flag = spec->rhs(spec->data, t, y, known->f);
  self->is_known = self->flag == 0;
  return self->flag;
}

static int rhs(sunrealtype t, N_Vector y, N_Vector dy, void *data)
{
  erk_engine *self = data;
  const int flag = recall(self, t, NV_DATA_S(y));
  if (flag == 0) {
    memcpy(NV_DATA_S(dy), self->known.f, self->base.spec.size * sizeof(double));
  }
  return flag;
}

static bool allocate(erk_engine *self)
{
  const size_t size = self->base.spec.size;
  double *next = self->block = calloc((4 * MAX_POINTS + 2) * size, sizeof *next);
  if (next == NULL) {
    return false;
  }
  for (size_t i = 0; i <= MAX_POINTS; i++) {
    erk_point *point = i < MAX_POINTS ? &self->points[i] : &self->known;
    point->y = next;
    point->f = next + size;
    next += 2 * size;
  }
  for (size_t j = 0; j < 2 * MAX_POINTS; j++, next += size) {
    self->difference[j] = next;
  }
  return true;
}

static bool watch_roots(erk_engine *self)
{
  const dls_engine *engine = &self->base;
  return engine->spec.roots == 0 ||
         (ARKodeRootInit(self->erk, (int)engine->spec.roots, dls_engine_root) == ARK_SUCCESS &&
          ARKodeSetRootDirection(self->erk, engine->directions) == ARK_SUCCESS &&
          ARKodeSetNoInactiveRootWarn(self->erk) == ARK_SUCCESS);
}

static bool erk_open(dls_engine *engine)
{
  erk_engine *self = (erk_engine *)engine;
  self->wanted = (size_t)(engine->spec.order + 2) / 2;
  self->count = 1;
  if (!is_memory_left(engine)) {
    return false;
  }
  self->erk = ERKStepCreate(rhs, 0, engine->y, engine->context);
  return self->erk != NULL && allocate(self) && dls_arkode_listen(self->erk, engine) == ARK_SUCCESS &&
         ARKodeSetUserData(self->erk, engine) == ARK_SUCCESS &&
         ERKStepSetTableNum(self->erk, pairs[engine->spec.order - LEAST_ORDER]) == ARK_SUCCESS &&
         ARKodeWFtolerances(self->erk, dls_engine_weights) == ARK_SUCCESS &&
         /* of ARKODE's interpolants, which are not used, the one that does not evaluate f */
         ARKodeSetInterpolantType(self->erk, ARK_INTERP_LAGRANGE) == ARK_SUCCESS &&
         ARKodeSetInterpolantDegree(self->erk, 1) == ARK_SUCCESS &&
         ARKodeSetMaxGrowth(self->erk, threshold_largest_growth) == ARK_SUCCESS &&
         ARKodeSetMaxFirstGrowth(self->erk, threshold_largest_growth) == ARK_SUCCESS &&
         ARKodeSetMaxErrTestFails(self->erk, threshold_error_failures) == ARK_SUCCESS &&
         ARKodeSetMaxHnilWarns(self->erk, -1) == ARK_SUCCESS && watch_roots(self);
}

static void erk_close(dls_engine *engine)
{
  erk_engine *self = (erk_engine *)engine;
  ARKodeFree(&self->erk);
  free(self->block);
}

/* Longest step allowed now, 0: any. A flight lasts about as long as estimated, or as long again as it has lasted. */
static double longest_step(const erk_engine *self)
{
  const double last = self->points[self->count - 1].t, lasted = last - self->begin;
  const size_t missing = self->count < self->wanted ? self->wanted - self->count : 1;
  const double stop = (dls_engine_stop(&self->base) - last) / (double)missing; /* for P points up to the stop */
  const double most = self->base.spec.max_step > 0 ? self->base.spec.max_step : HUGE_VAL;
  const double least = fmin(most, stop > 0 ? stop : HUGE_VAL), limit = least < HUGE_VAL ? least : 0;
  if (!(self->flight > 0)) {
    return limit;
  }
  const double cap = self->count < self->wanted
                         ? threshold_past_flight * self->flight / (double)(self->wanted - 1)
                         : fmax(self->flight, lasted);
  return limit > 0 ? fmin(limit, cap) : cap;
}

/* Start ARKODE from the last point with the proposed step. */
static int begin_at_last(erk_engine *self)
{
  const erk_point *last = &self->points[self->count - 1];
  memcpy(NV_DATA_S(self->base.y), last->y, self->base.spec.size * sizeof *last->y);
  int flag = ERKStepReInit(self->erk, rhs, last->t, self->base.y);
  if (flag == ARK_SUCCESS) {
    flag = ARKodeSetMaxStep(self->erk, longest_step(self));
  }
  return flag == ARK_SUCCESS ? ARKodeSetInitStep(self->erk, self->step) : flag;
}

static dls_status erk_restart(dls_engine *engine, double t, const double *y, double flight, dls_error *err)
{
  erk_engine *self = (erk_engine *)engine;
  const double scale = engine->spec.time_scale;
  memcpy(self->points[0].y, y, engine->spec.size * sizeof *y);
  self->points[0].t = self->begin = t;
  self->points[0].x = 0;
  self->count = 1;
  self->right = 0;
  self->flight = flight;
  self->step = self->step > 0 ? fmin(self->step, scale) : threshold_first_step * scale;
  self->is_known = false; /* f has changed with the event */
  self->before = (dls_engine_work){0};
  const bool is_enough = self->is_started || is_memory_left(engine);
  self->is_started = true;
  const int flag = is_enough ? begin_at_last(self) : ARK_MEM_FAIL;
  return flag == ARK_SUCCESS ? DLS_OK : dls_engine_fail(engine, flag, err);
}

/* A new point, a step after the last one; it replaces the first if all are in use. */
static erk_point *next_point(erk_engine *self, double step)
{
  erk_point *points = self->points;
  if (self->count == self->wanted) {
    const erk_point first = points[0];
    memmove(points, points + 1, (self->count - 1) * sizeof first);
    points[self->count - 1] = first;
    self->right--;
    for (size_t i = self->count - 1; i-- > 0;) {
      points[i].x -= points[0].x;
    }
  } else {
    self->count++;
  }
  points[self->count - 1].x = points[self->count - 2].x + step;
  return &points[self->count - 1];
}

/* point := (t, y, f(t, y)). @return 0, or what the right-hand side returned; then point is as it was */
static int set_point(erk_engine *self, erk_point *point, double t, const double *y)
{
  const size_t bytes = self->base.spec.size * sizeof *y;
  const int flag = recall(self, t, y);
  if (flag == 0) {
    point->t = t;
    memmove(point->y, y, bytes);
    memcpy(point->f, self->known.f, bytes);
  }
  return flag;
}

/* Newton's form of the polynomial through y and f at the points: difference[j] := y[z_0, ..., z_j] with every x taken
 * twice, z = x_0, x_0, x_1, x_1, ... */
static void interpolate_points(erk_engine *self)
{
  const size_t size = self->base.spec.size;
  const size_t last = 2 * self->count - 1;
  double **d = self->difference;
  for (size_t j = 0; j <= last; j++) {
    memcpy(d[j], self->points[j / 2].y, size * sizeof *d[j]);
  }
  for (size_t level = 1; level <= last; level++) {
    for (size_t j = last; j >= level; j--) {
      if (level == 1 && j % 2 == 1) {
        memcpy(d[j], self->points[j / 2].f, size * sizeof *d[j]);
        continue;
      }
      const double span = self->points[j / 2].x - self->points[(j - level) / 2].x;
      for (size_t i = 0; i < size; i++) {
        d[j][i] = (d[j][i] - d[j - 1][i]) / span;
      }
    }
  }
}

static void erk_count(const dls_engine *engine, dls_engine_work *total)
{
  const erk_engine *self = (const erk_engine *)engine;
  long steps = 0;
  long rejected = 0;
  ARKodeGetNumSteps(self->erk, &steps);
  ARKodeGetNumErrTestFails(self->erk, &rejected);
  total->steps = self->before.steps + (size_t)steps;
  total->rejected = self->before.rejected + (size_t)rejected;
}

/* Does the step of ARKODE that a root has interrupted at t continue? If less than this is left of it, ARKODE begins another one. */
static bool leads_on(const erk_engine *self, double t)
{
  double now = t, step = 0;
  ARKodeGetCurrentTime(self->erk, &now);
  ARKodeGetLastStep(self->erk, &step);
  return now - t > threshold_root_rounding * DBL_EPSILON * (fabs(now) + step);
}

/* One step of ARKODE to (t, y), beyond the roots in it. */
static int evolve_once(erk_engine *self, double toward, double *t, bool *fell)
{
  int flag = 0;
  do {
    flag = ARKodeEvolve(self->erk, toward, self->base.y, t, ARK_ONE_STEP);
    *fell = *fell || flag == ARK_ROOT_RETURN;
  } while (flag == ARK_ROOT_RETURN && leads_on(self, *t));
  return flag;
}

/* The same with a shorter step where f requires one; ARKODE would fail. */
static int evolve(erk_engine *self, double *t, bool *fell)
{
  dls_engine *engine = &self->base;
  const double begin = self->points[self->count - 1].t, toward = begin + engine->spec.time_scale;
  const double stop = dls_engine_stop(engine);
  int flag = ARKodeSetMaxStep(self->erk, longest_step(self));
  if (flag == ARK_SUCCESS && stop > begin && stop < HUGE_VAL) {
    flag = ARKodeSetStopTime(self->erk, stop);
  }
  for (int tries = 0; flag == ARK_SUCCESS; tries++) {
    flag = evolve_once(self, toward, t, fell);
    if (flag >= 0 || self->flag <= 0 || tries == threshold_value_tries) {
      break;
    }
    erk_count(engine, &self->before);
    self->before.rejected++;
    self->step *= threshold_failed_step;
    flag = begin_at_last(self);
  }
  return flag;
}

/* One accepted step after the last point. */
static dls_status take_step(erk_engine *self, dls_error *err)
{
  dls_engine *engine = &self->base;
  erk_point *last = &self->points[self->count - 1];
  const double begin = last->t;
  double t = begin;
  double step = 0;
  bool fell = false;
  int flag = set_point(self, last, begin, last->y) != 0 ? ARK_RHSFUNC_FAIL : evolve(self, &t, &fell);
  if (flag >= 0) {
    double now = t;
    ARKodeGetLastStep(self->erk, &step);
    ARKodeGetCurrentTime(self->erk, &now);
    step -= now - t;
    ARKodeGetCurrentStep(self->erk, &self->step);
    flag = ARKodeReset(self->erk, t, engine->y);
  }
  if (flag < 0 || recall(self, t, NV_DATA_S(engine->y)) != 0) {
    return dls_engine_fail(engine, flag < 0 ? flag : ARK_RHSFUNC_FAIL, err);
  }
  const dls_status status = dls_engine_note_step(engine, begin, t, err);
  if (status == DLS_OK) {
    erk_point *next = next_point(self, step);
    set_point(self, next, t, NV_DATA_S(engine->y));
    next->fell = fell;
  }
  return status;
}

static dls_status erk_step(dls_engine *engine, double *t, double *y, double *bracket, dls_error *err)
{
  erk_engine *self = (erk_engine *)engine;
  dls_status status = DLS_OK;
  const double stop = dls_engine_stop(engine);
  while (status == DLS_OK && (self->right + 1 == self->count || self->count < self->wanted) &&
         !(self->points[self->count - 1].t == stop)) {
    status = take_step(self, err);
  }
  if (self->right + 1 == self->count) {
    return status;
  }
  self->right++; /* also if a later step has failed */
  interpolate_points(self);
  *t = self->points[self->right].t;
  *bracket = self->points[self->right].fell ? *t - self->points[self->right - 1].t : 0;
  memcpy(y, self->points[self->right].y, engine->spec.size * sizeof *y);
  return DLS_OK;
}

/* [round-off of t] In shorter steps t may lie outside by much of their length, where the polynomial is not near y. In longer steps the part
 * outside is less than a thousandth. */
static const double resolved_step = 1000;

static void erk_interpolate(const dls_engine *engine, double t, int derivative, size_t first, size_t count,
                            double *y)
{
  const erk_engine *self = (const erk_engine *)engine;
  const erk_point *right = &self->points[self->right];
  double x = right->x + (t - right->t);
  if (self->right > 0 && right->x - right[-1].x < resolved_step * DBL_EPSILON * fabs(t)) {
    x = fmin(fmax(x, right[-1].x), right->x);
  }
  double basis[MAX_DERIVATIVE + 1] = {1}; /* derivatives of (x - z_0) ... (x - z_j-1) */
  memset(y + first, 0, count * sizeof *y);
  for (size_t j = 0; j < 2 * self->count; j++) {
    const double factor = basis[derivative];
    for (size_t i = first; i < first + count; i++) {
      y[i] += factor * self->difference[j][i];
    }
    for (int k = derivative; k >= 0; k--) {
      basis[k] = (x - self->points[j / 2].x) * basis[k] + (k > 0 ? k * basis[k - 1] : 0);
    }
  }
}

static void erk_position(const dls_engine *engine, double *t, double *h)
{
  const erk_engine *self = (const erk_engine *)engine;
  *t = self->points[self->count - 1].t;
  *h = self->step;
}

static char *erk_flag_name(int flag)
{
  return ARKodeGetReturnFlagName(flag);
}

const dls_engine_kind dls_engine_erk = {
    .name = "ARKODE",
    .bytes = sizeof(erk_engine),
    .vectors = 32,
    .open = erk_open,
    .close = erk_close,
    .restart = erk_restart,
    .step = erk_step,
    .interpolate = erk_interpolate,
    .count = erk_count,
    .flag_name = erk_flag_name,
    .position = erk_position,
};
