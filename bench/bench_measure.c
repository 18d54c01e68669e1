/* bench_measure.c -- what measuring a run against the exact solution costs beside the run itself: graphs of q and v,
 * clipped, and the distances that `order` takes by default (hausdorff, l1). moreau-jean, recorded, on the general path,
 * step by step, which the limit refers to, and with many steps at once; thread time, in turns, medians and the range of all.
 * What a study makes once, coarse versions of the reference, is shared out to a hundred runs and counted.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/prepared_reference.h"
#include "bench/limits.h"
#include "experiments/measures/order/reference.h"
#include <delassus/catalogue.h>
#include <delassus/sim.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
  REPEATS = 15,
  QUANTITIES = 2,
  NORMS = 2,
  RUNS = 100, /* of a study, which share what is made once: coarse versions of the reference */
};
static const double limit = 1.5; /* measuring / run */
static const char *const quantities[QUANTITIES] = {"q", "v"};
static const char *const norms[NORMS] = {"hausdorff", "l1"};

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void must(dls_status status, const dls_error *err)
{
  if (status != DLS_OK) {
    fprintf(stderr, "%s\n", err->text);
    exit(1);
  }
}

/* A model, and its exact solution as graphs. */
typedef struct subject {
  const char *model;
  double end;
  dls_system *sys;
  dls_graph *reference[QUANTITIES];
  dls_prepared_reference prepared[QUANTITIES]; /* their coarse versions */
  double once;                                 /* seconds that these took */
} subject;

static void prepare(subject *s)
{
  dls_error err = {0};
  const dls_model *model = dls_model_find(s->model, &err);
  dls_trajectory *traj = NULL;
  must(dls_model_create(model, NULL, &s->sys, &err), &err);
  must(dls_exact_trajectory(dls_exact_find(s->model), NULL, s->end, 1e-13, &traj, &err), &err);
  for (size_t k = 0; k < QUANTITIES; k++) {
    must(dls_quantity_graph(traj, quantities[k], &s->reference[k], &err), &err);
    const double begin = seconds();
    must(dls_prepared_reference_create(s->reference[k], &s->prepared[k], &err), &err);
    s->once += seconds() - begin;
  }
  dls_trajectory_destroy(traj);
}

/* Somebody who looks at every node: the steps are made one by one, on the general path. */
static dls_status look(void *data, const dls_sim *sim, dls_error *err)
{
  (void)data;
  (void)sim;
  (void)err;
  return DLS_OK;
}

/* @return seconds of the run */
static double run(const subject *s, size_t steps, bool watched, dls_trajectory **traj)
{
  dls_error err = {0};
  dls_sim *sim = NULL;
  must(dls_sim_create(s->sys, dls_scheme_find("moreau-jean", NULL), &sim, &err), &err);
  *traj = dls_sim_trajectory(sim, &err);
  const dls_run_spec spec = {
      .step = s->end / ((double)steps + 0.37), .end = s->end, .record = *traj, .watch = watched ? look : NULL};
  const double begin = seconds();
  must(dls_run(sim, &spec, &err), &err);
  const double time = seconds() - begin;
  dls_sim_destroy(sim);
  return time;
}

/* @return seconds of all measures */
static double measure(const subject *s, const dls_trajectory *traj, dls_measure *last)
{
  dls_error err = {0};
  const double begin = seconds();
  for (size_t k = 0; k < QUANTITIES; k++) {
    dls_graph *numeric = NULL;
    must(dls_quantity_graph(traj, quantities[k], &numeric, &err), &err);
    must(dls_cut_to_common(&numeric, s->reference[k], &err), &err);
    dls_comparison pair = dls_comparison_of(numeric, &s->prepared[k], &dls_metric_default);
    for (size_t l = 0; l < NORMS; l++) {
      const dls_norm *norm = dls_norm_find(norms[l]);
      must(dls_comparison_measure(&pair, norm, &last[k * NORMS + l], &err), &err);
    }
    dls_comparison_clear(&pair);
    dls_graph_destroy(numeric);
  }
  return seconds() - begin;
}

static double median(double *x)
{
  qsort(x, REPEATS, sizeof *x, compare);
  return x[REPEATS / 2];
}

static void compare_at(const subject *s, size_t steps)
{
  double by_one[REPEATS], ratio[REPEATS], ratio_at_once[REPEATS];
  dls_measure m[QUANTITIES * NORMS];
  for (int repeat = 0; repeat < REPEATS; repeat++) {
    dls_trajectory *traj = NULL;
    by_one[repeat] = run(s, steps, true, &traj);
    dls_trajectory_destroy(traj);
    const double at_once = run(s, steps, false, &traj), measuring = s->once / RUNS + measure(s, traj, m);
    ratio[repeat] = measuring / by_one[repeat];
    ratio_at_once[repeat] = measuring / at_once;
    dls_trajectory_destroy(traj);
  }
  const double middle = median(ratio);
  printf("%-22s %6zu %9.1f %8.2f %6.2f to %-6.2f %6.2f %12.2f  %.6e %.6e\n", s->model, steps,
         1e9 * median(by_one) / (double)steps, middle, ratio[0], ratio[REPEATS - 1], middle / limit,
         median(ratio_at_once), m[0].value, m[2].value);
  char work[120];
  snprintf(work, sizeof work, "measuring / run step by step, %s, %zu steps", s->model, steps);
  limit_at_most(work, "", middle, ratio[0], ratio[REPEATS - 1], limit);
}

int main(void)
{
  subject subjects[] = {{.model = "bouncing-ball", .end = 4}, {.model = "impacting-oscillator", .end = 20}};
  printf("%-22s %6s %9s %8s %16s %7s %12s  %s\n", "", "steps", "ns/step", "measure", "of all", "÷ 1.5",
         "÷ at once", "hausdorff of q, v");
  for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++) {
    prepare(&subjects[i]);
    printf("%-22s %.0f us once a study, a hundredth of it in what follows\n", subjects[i].model,
           1e6 * subjects[i].once);
    for (size_t steps = 400; steps <= 40000; steps *= 10) {
      compare_at(&subjects[i], steps);
    }
    for (size_t k = 0; k < QUANTITIES; k++) {
      dls_prepared_reference_free(&subjects[i].prepared[k]);
      dls_graph_destroy(subjects[i].reference[k]);
    }
    dls_system_destroy(subjects[i].sys);
  }
  return 0;
}
