/* bench_event_driven.c -- the event-driven scheme beside a bare CVODE loop: nanoseconds per impact.
 * The bare loop is what one writes by hand: Adams, CVodeRootInit on the gap, v := -e v and CVodeReInit at every
 * root; no guards, no contact set, no accumulation. Both use the same relative and absolute tolerance.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <cvode/cvode.h>
#include <delassus/scheme.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#include <time.h>

extern const dls_scheme dls_scheme_event_driven;
extern const dls_model dls_model_bouncing_ball, dls_model_impacting_oscillator;

static const double tolerance = 2e-13; /* what the scheme gives CVODE for tol = 1e-10 */
enum { REPEATS = 200 };

typedef struct bench_case {
  const char *name;
  const dls_model *model;
  double force, stiffness, restitution; /* of v' = force - stiffness q */
  double end;
} bench_case;

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int right_hand_side(sunrealtype t, N_Vector y, N_Vector dy, void *data)
{
  (void)t;
  const bench_case *c = data;
  NV_Ith_S(dy, 0) = NV_Ith_S(y, 1);
  NV_Ith_S(dy, 1) = c->force - c->stiffness * NV_Ith_S(y, 0);
  return 0;
}

static int gap(sunrealtype t, N_Vector y, sunrealtype *g, void *data)
{
  (void)t;
  (void)data;
  g[0] = NV_Ith_S(y, 0);
  return 0;
}

/* @return number of impacts before the end or before the ball falls through */
static size_t bare_run(const bench_case *c, SUNContext context)
{
  N_Vector y = N_VNew_Serial(2, context);
  NV_Ith_S(y, 0) = 1;
  NV_Ith_S(y, 1) = 0;
  void *cvode = CVodeCreate(CV_ADAMS, context);
  SUNNonlinearSolver iteration = SUNNonlinSol_FixedPoint(y, 0, context);
  int down = -1;
  size_t impacts = 0;
  CVodeInit(cvode, right_hand_side, 0, y);
  CVodeSetUserData(cvode, (void *)c);
  CVodeSStolerances(cvode, tolerance, tolerance);
  CVodeSetNonlinearSolver(cvode, iteration);
  CVodeRootInit(cvode, 1, gap);
  CVodeSetRootDirection(cvode, &down);
  for (double t = 0; CVode(cvode, c->end, y, &t, CV_NORMAL) == CV_ROOT_RETURN; impacts++) {
    NV_Ith_S(y, 0) = 0;
    NV_Ith_S(y, 1) *= -c->restitution;
    CVodeReInit(cvode, t, y);
  }
  CVodeFree(&cvode);
  SUNNonlinSolFree(iteration);
  N_VDestroy(y);
  return impacts;
}

static size_t scheme_run(const bench_case *c, const dls_system *system, dls_work *work)
{
  dls_sim *sim = NULL;
  if (dls_sim_create(system, &dls_scheme_event_driven, &sim, NULL) != DLS_OK ||
      dls_run(sim, &(dls_run_spec){.end = c->end}, NULL) != DLS_OK) {
    dls_sim_destroy(sim);
    return 0;
  }
  *work = sim->work;
  dls_sim_destroy(sim);
  return work->impacts;
}

static void measure(const bench_case *c)
{
  const double ball[] = {1, c->force, c->restitution, 1, 0};
  const double oscillator[] = {1, c->stiffness, 0, c->force, 0, 1, 0, c->restitution, 1, 0};
  dls_system *system = NULL;
  dls_error err = {0};
  if (dls_model_create(c->model, c->stiffness > 0 ? oscillator : ball, &system, &err) != DLS_OK) {
    printf("%s: %s\n", c->name, err.text);
    return;
  }
  SUNContext context = NULL;
  SUNContext_Create(NULL, &context);
  double best_bare = HUGE_VAL;
  double best_scheme = HUGE_VAL;
  size_t bare = 0;
  size_t scheme = 0;
  dls_work work = {0};
  for (int i = 0; i < REPEATS; i++) { /* in turn, and the best of each: other programs may run */
    const double begin = seconds();
    bare = bare_run(c, context);
    const double middle = seconds();
    scheme = scheme_run(c, system, &work);
    best_bare = fmin(best_bare, middle - begin);
    best_scheme = fmin(best_scheme, seconds() - middle);
  }
  const double ns_bare = 1e9 * best_bare / (double)bare;
  const double ns_scheme = 1e9 * best_scheme / (double)scheme;
  printf("%-22s e = %-4g  bare CVODE %5zu impacts %8.0f ns each   event-driven %5zu impacts %8.0f ns each"
         "   ratio %.2f   (%.1f steps, %.1f forces an impact)\n",
         c->name, c->restitution, bare, ns_bare, scheme, ns_scheme, ns_scheme / ns_bare,
         (double)work.steps / (double)scheme, (double)work.force_evals / (double)scheme);
  SUNContext_Free(&context);
  dls_system_destroy(system);
}

int main(void)
{
  const double restitutions[] = {0.5, 0.6, 0.7, 0.8, 0.9};
  for (size_t i = 0; i < sizeof restitutions / sizeof restitutions[0]; i++) {
    const double e = restitutions[i];
    /* until the flights take 1e-3: the bare loop still sees every impact there */
    const double end = 1 + 2 * e / (1 - e) * (1 - 1e-3);
    measure(&(bench_case){"bouncing-ball", &dls_model_bouncing_ball, -2, 0, e, end});
  }
  measure(&(bench_case){"bouncing-ball, elastic", &dls_model_bouncing_ball, -2, 0, 1, 200});
  measure(&(bench_case){"impacting-oscillator", &dls_model_impacting_oscillator, 0, 1, 1, 50});
  measure(&(bench_case){"impacting-oscillator", &dls_model_impacting_oscillator, 0, 1, 0.5, 50});
  return 0;
}
