/* bench_stick_slip.c -- the event-driven scheme beside a bare CVODE loop on stick-slip: nanoseconds per event of the belt.
 * The bare loop is what one writes by hand for this one system: y = (x, v), Adams, CVodeRootInit on the three functions that
 * the scheme watches (the normal force, and either the slip or the two limits of stick), no guard, no contact problem. At
 * every root it sets u_T = 0, switches between stick and slip by what it knows of this motion, and calls CVodeReInit. Both are
 * asked for the same tolerances, start from the same state and have to find the same events.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/integrator/sundials.h"
#include <cvode/cvode.h>
#include <delassus/scheme.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdbool.h>
#include <stdio.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#include <time.h>

extern const dls_scheme dls_scheme_event_driven;
extern const dls_model dls_model_belt;

static const double tolerance =
    2e-13; /* rtol of the scheme for tol = 1e-10; with adams it gives CVODE 0.65 of it */
static const double end_time = 200;
static const char *const variants[][2] = {{"method=adams", "roots=cvode"},
                                          {"method=adams", "roots=hull"},
                                          {"method=adams", "guard=off"},
                                          {"method=erk", "roots=cvode"},
                                          {"method=erk", "roots=hull"}};
enum { VARIANTS = sizeof variants / sizeof variants[0], RUNS = VARIANTS + 1, REPEATS = 100 };

/* m = k = F = 1, N = m g. */
typedef struct belt {
  double speed, limit, gravity; /* vb, Fs, g */
  bool sticks;
  double sign; /* of the slip */
} belt;

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int right_hand_side(sunrealtype t, N_Vector y, N_Vector dy, void *data)
{
  (void)t;
  const belt *b = data;
  NV_Ith_S(dy, 0) = NV_Ith_S(y, 1);
  NV_Ith_S(dy, 1) = b->sticks ? 0 : -NV_Ith_S(y, 0) - b->sign;
  return 0;
}

static int roots(sunrealtype t, N_Vector y, sunrealtype *f, void *data)
{
  (void)t;
  const belt *b = data;
  f[0] = b->gravity;
  f[1] = b->sticks ? b->limit - NV_Ith_S(y, 0) : b->sign * (NV_Ith_S(y, 1) - b->speed);
  f[2] = b->sticks ? b->limit + NV_Ith_S(y, 0) : 1;
  return 0;
}

/* @return number of events before the end; work: of all of it */
static size_t bare_run(SUNContext context, dls_work *work)
{
  belt b = {.speed = 0.5, .limit = 1.5, .gravity = 9.81, .sign = -1};
  N_Vector y = N_VNew_Serial(2, context);
  NV_Ith_S(y, 0) = NV_Ith_S(y, 1) = 0;
  void *cvode = CVodeCreate(CV_ADAMS, context);
  SUNNonlinearSolver iteration = SUNNonlinSol_FixedPoint(y, 0, context);
  int down[3] = {-1, -1, -1}, fallen[3];
  long steps = 0, forces = 0;
  size_t events = 0;
  *work = (dls_work){0};
  CVodeInit(cvode, right_hand_side, 0, y);
  CVodeSetUserData(cvode, &b);
  CVodeSStolerances(cvode, tolerance, tolerance);
  CVodeSetNonlinearSolver(cvode, iteration);
  CVodeRootInit(cvode, 3, roots);
  CVodeSetRootDirection(cvode, down);
  CVodeSetNoInactiveRootWarn(cvode);
  for (double t = 0; CVode(cvode, end_time, y, &t, CV_NORMAL) == CV_ROOT_RETURN; events++) {
    CVodeGetRootInfo(cvode, fallen);
    CVodeGetNumSteps(cvode, &steps);
    CVodeGetNumRhsEvals(cvode, &forces);
    work->steps += (size_t)steps;
    work->force_evals += (size_t)forces;
    b.sign = b.sticks && fallen[2] ? 1 : -1;
    b.sticks = !b.sticks;
    NV_Ith_S(y, 1) = b.speed;
    CVodeReInit(cvode, t, y);
  }
  CVodeFree(&cvode);
  SUNNonlinSolFree(iteration);
  N_VDestroy(y);
  return events;
}

static size_t scheme_run(const dls_system *system, const char *const options[2], dls_work *work)
{
  dls_sim *sim = NULL;
  size_t events = 0;
  if (dls_sim_create(system, &dls_scheme_event_driven, &sim, NULL) == DLS_OK &&
      dls_sim_set(sim, options[0], NULL) == DLS_OK && dls_sim_set(sim, options[1], NULL) == DLS_OK &&
      dls_run(sim, &(dls_run_spec){.end = end_time}, NULL) == DLS_OK) {
    *work = sim->work;
    events = sim->work.events;
  }
  dls_sim_destroy(sim);
  return events;
}

int main(void)
{
  const double parameters[] = {1, 1, 1, 1.5, 0.5, 0, 0, 9.81, 0, 0};
  dls_system *system = NULL;
  dls_error err = {0};
  if (dls_model_create(&dls_model_belt, parameters, &system, &err) != DLS_OK) {
    printf("%s\n", err.text);
    return 1;
  }
  SUNContext context = dls_sundials_context();
  double best[RUNS];
  size_t events[RUNS] = {0};
  dls_work work[RUNS] = {{0}};
  for (int i = 0; i < RUNS; i++) {
    best[i] = HUGE_VAL;
  }
  for (int i = 0; i < RUNS * REPEATS; i++) { /* in turn, and the best of each: other programs may run */
    const int which = i % RUNS;
    const double begin = seconds();
    events[which] =
        which == 0 ? bare_run(context, &work[0]) : scheme_run(system, variants[which - 1], &work[which]);
    best[which] = fmin(best[which], 1e9 * (seconds() - begin) / (double)events[which]);
  }
  for (int i = 0; i < RUNS; i++) {
    const double count = (double)events[i];
    printf("%-26s %-11s %3zu events, %6.0f ns an event, ratio %5.2f   (%.1f steps, %.1f forces an event)\n",
           i == 0 ? "belt, bare loop" : variants[i - 1][0], i == 0 ? "" : variants[i - 1][1], events[i],
           best[i], best[i] / best[0], (double)work[i].steps / count, (double)work[i].force_evals / count);
  }
  SUNContext_Free(&context);
  dls_system_destroy(system);
  return 0;
}
