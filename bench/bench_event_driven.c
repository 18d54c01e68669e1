/* bench_event_driven.c -- the event-driven scheme beside a bare CVODE loop: nanoseconds per impact; and on an elastic
 * bar in contact: nanoseconds per degree of freedom and step.
 * The bare loop is what one writes by hand: Adams, CVodeRootInit on the gap, v := -e v and CVodeReInit at every
 * root; no guards, no contact set, no accumulation. Both are asked for the same tolerances. The scheme takes the absolute one
 * in proportion to the speed after the last impact; the bare loop is run without (first figure) and with it (second).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/limits.h"
#include "event_driven/integrator/sundials.h"
#include <cvode/cvode.h>
#include <delassus/scheme.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#include <time.h>

extern const dls_scheme dls_scheme_event_driven;
extern const dls_model dls_model_bouncing_ball, dls_model_impacting_oscillator, dls_model_elastic_bar;

static const double tolerance =
    2e-13; /* rtol of the scheme for tol = 1e-10; with adams it gives CVODE 0.65 of it */
/* Integrator, and who finds the events: its own root finder under the guard, the search on the dense output, the root
 * finder alone. */
static const char *const variants[][2] = {{"method=adams", "roots=cvode"}, {"method=adams", "roots=hull"},
                                          {"method=adams", "guard=off"},   {"method=erk", "roots=cvode"},
                                          {"method=erk", "roots=hull"},    {"method=flow", "roots=hull"}};
enum { VARIANTS = sizeof variants / sizeof variants[0], BARE = 2, RUNS = BARE + VARIANTS, REPEATS = 200 };

typedef struct bench_case {
  const char *name;
  const dls_model *model;
  double force, stiffness, restitution; /* of v' = force - stiffness q */
  double end;
  bool limited; /* in the table of limits */
} bench_case;

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
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
static size_t bare_run(const bench_case *c, bool relative, SUNContext context)
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
    if (relative) {
      CVodeSStolerances(cvode, tolerance, tolerance * fmin(1, NV_Ith_S(y, 1)));
    }
  }
  CVodeFree(&cvode);
  SUNNonlinSolFree(iteration);
  N_VDestroy(y);
  return impacts;
}

static size_t scheme_run(const bench_case *c, const dls_system *system, const char *const options[2],
                         dls_work *work)
{
  dls_sim *sim = NULL;
  if (dls_sim_create(system, &dls_scheme_event_driven, &sim, NULL) != DLS_OK ||
      dls_sim_set(sim, options[0], NULL) != DLS_OK || dls_sim_set(sim, options[1], NULL) != DLS_OK ||
      dls_run(sim, &(dls_run_spec){.end = c->end}, NULL) != DLS_OK) {
    dls_sim_destroy(sim);
    return 0;
  }
  *work = sim->work;
  dls_sim_destroy(sim);
  return work->impacts;
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The default, and the flow, which method=auto chooses for small linear systems, beside both bare loops; times[REPEATS] each. */
static void note_limit(const bench_case *c, const char *const variant[2], const double *times,
                       double (*bare)[REPEATS])
{
  static const char *const yardstick[BARE] = {"one fixed tolerance", "a tolerance scaled at each impact"};
  const bool standard = strcmp(variant[0], "method=adams") == 0 && strcmp(variant[1], "roots=cvode") == 0;
  const bool flow = strcmp(variant[0], "method=flow") == 0;
  for (int k = 0; k < BARE && c->limited && (standard || flow); k++) {
    char work[160];
    double ratio[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
      ratio[i] = times[i] / bare[k][i];
    }
    qsort(ratio, REPEATS, sizeof *ratio, compare);
    snprintf(work, sizeof work, "impact of the %s, e = %g, event-driven:%s / bare CVODE with %s", c->name,
             c->restitution, flow ? "method=auto" : variant[0], yardstick[k]);
    limit_at_most(work, "", ratio[REPEATS / 2], ratio[REPEATS / 10], ratio[REPEATS - 1 - REPEATS / 10],
                  standard ? 1.3 : 0.5);
  }
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
  SUNContext context = dls_sundials_context();
  double best[RUNS];                  /* bare absolute, bare relative, variants */
  static double times[RUNS][REPEATS]; /* ns an impact */
  size_t impacts[RUNS] = {0};
  dls_work work[RUNS] = {{0}};
  for (int i = 0; i < RUNS; i++) {
    best[i] = HUGE_VAL;
  }
  for (int i = 0; i < RUNS * REPEATS; i++) { /* in turn: other programs may run */
    const int which = i % RUNS;
    const double begin = seconds();
    impacts[which] = which < BARE ? bare_run(c, which == 1, context)
                                  : scheme_run(c, system, variants[which - BARE], &work[which]);
    times[which][i / RUNS] = 1e9 * (seconds() - begin) / (double)impacts[which];
    best[which] = fmin(best[which], times[which][i / RUNS]);
  }
  printf("%-21s e = %-4g   bare: %3zu and %3zu impacts, %6.0f and %6.0f ns an impact\n", c->name,
         c->restitution, impacts[0], impacts[1], best[0], best[1]);
  for (int i = BARE; i < RUNS; i++) {
    const double count = (double)impacts[i];
    printf("  event-driven:%-12s %-11s %3zu impacts, %6.0f ns an impact, ratios %5.2f and %5.2f   (%.1f steps, "
           "%.1f "
           "forces an impact)\n",
           variants[i - BARE][0], variants[i - BARE][1], impacts[i], best[i], best[i] / best[0],
           best[i] / best[1], (double)work[i].steps / count, (double)work[i].force_evals / count);
    note_limit(c, variants[i - BARE], times[i], times);
  }
  SUNContext_Free(&context);
  dls_system_destroy(system);
}

/* A bar that has just hit the floor. @return seconds for `count` advances, each a step; work: in them */
static double bar_run(const dls_system *bar, const char *method, int count, dls_work *work)
{
  dls_sim *sim = NULL;
  dls_status status = dls_sim_create(bar, &dls_scheme_event_driven, &sim, NULL);
  status = status != DLS_OK ? status : dls_sim_set(sim, method, NULL);
  status = status != DLS_OK ? status : dls_sim_set(sim, "tol=1e-4", NULL);
  status = status != DLS_OK ? status : dls_sim_start(sim, NULL);
  for (int k = 0; k < count && status == DLS_OK; k++) { /* the order rises */
    status = dls_sim_advance(sim, 1, NULL);
  }
  const dls_work before = status == DLS_OK ? sim->work : (dls_work){0};
  const double begin = seconds();
  for (int k = 0; k < count && status == DLS_OK; k++) {
    status = dls_sim_advance(sim, 1, NULL);
  }
  const double spent = seconds() - begin;
  if (status == DLS_OK) {
    *work = sim->work;
    work->steps -= before.steps;
    work->force_evals -= before.force_evals;
    work->newton_iterations -= before.newton_iterations;
  }
  dls_sim_destroy(sim);
  return status == DLS_OK ? spent : HUGE_VAL;
}

static void measure_bar(size_t elements, const char *method)
{
  enum { BAR_REPEATS = 5, BAR_STEPS = 400 };
  const dls_option *table = dls_model_elastic_bar.parameters;
  double p[16];
  dls_system *bar = NULL;
  dls_work work = {0};
  double best = HUGE_VAL;
  dls_option_defaults(table, p);
  p[dls_option_find(table, "n")] = (double)elements;
  p[dls_option_find(table, "h0")] = 0;
  if (dls_model_create(&dls_model_elastic_bar, p, &bar, NULL) != DLS_OK) {
    return;
  }
  for (int i = 0; i < BAR_REPEATS; i++) {
    best = fmin(best, bar_run(bar, method, BAR_STEPS, &work));
  }
  const double steps = (double)work.steps;
  printf(
      "elastic-bar, %5zu elements, event-driven:%-12s  %4.0f ns a degree of freedom and step   (a step: %.1f "
      "forces, %.1f Newton iterations; %zu factorizations in all)\n",
      elements, method, 1e9 * best / steps / (double)bar->n, (double)work.force_evals / steps,
      (double)work.newton_iterations / steps, work.factorizations);
  dls_system_destroy(bar);
}

int main(void)
{
  const double restitutions[] = {0.5, 0.6, 0.7, 0.8, 0.9};
  for (size_t i = 0; i < sizeof restitutions / sizeof restitutions[0]; i++) {
    const double e = restitutions[i];
    /* until the flights take 1e-3: the bare loop still sees every impact there */
    const double end = 1 + 2 * e / (1 - e) * (1 - 1e-3);
    measure(&(bench_case){"bouncing-ball", &dls_model_bouncing_ball, -2, 0, e, end, e == 0.8});
  }
  measure(&(bench_case){"bouncing-ball, elastic", &dls_model_bouncing_ball, -2, 0, 1, 200, false});
  measure(&(bench_case){"impacting-oscillator", &dls_model_impacting_oscillator, 0, 1, 1, 50, true});
  measure(&(bench_case){"impacting-oscillator", &dls_model_impacting_oscillator, 0, 1, 0.5, 50, true});
  for (size_t elements = 100; elements <= 10000; elements *= 10) {
    measure_bar(elements, "method=adams");
    measure_bar(elements, "method=bdf");
  }
  return 0;
}
