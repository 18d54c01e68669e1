/* bench_many.c -- nanoseconds per ball and step of many balls that bounce side by side, by dls_run_many, beside a hand-written loop over as
 * many balls, and beside one run after the other; thread time, in turns in one process, of the ratios of a turn the median and the range
 * of all; and the limit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/limits.h"
#include <delassus/catalogue.h>
#include <delassus/many.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BALLS = 32, STEPS = 100000, REPEATS = 15, KINDS = 4 };
static const double end = 4, limit = 5;
static const char *const schemes[] = {"moreau-jean", "moreau-jean-variant"};

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

static double height(size_t i)
{
  return 1 + 0.01 * (double)i;
}

/* Moreau-Jean on q'' = -2, e = 1/2, theta = 1/2, gamma = 1, as short as it can be written so that a compiler makes vectors of it. */
static double by_hand(void)
{
  const double h = end / STEPS;
  double q[BALLS], v[BALLS];
  for (size_t i = 0; i < BALLS; i++) {
    q[i] = height(i);
    v[i] = 0;
  }
  const double begin = seconds();
  for (size_t k = 0; k < STEPS; k++) {
    for (size_t i = 0; i < BALLS; i++) {
      const double free = v[i] - 2 * h, back = -0.5 * v[i];
      const double struck = free < back ? back : free;
      const double next = q[i] + h * v[i] <= 0 && v[i] <= 1e-9 ? struck : free;
      q[i] += 0.5 * h * (v[i] + next);
      v[i] = next;
    }
  }
  const double time = seconds() - begin;
  volatile double keep = 0;
  for (size_t i = 0; i < BALLS; i++) {
    keep += q[i] + v[i];
  }
  return time;
}

static void stop(const dls_error *err)
{
  fprintf(stderr, "%s\n", err->text);
  exit(1);
}

static dls_sim *ball(const char *scheme, size_t i, dls_system **sys)
{
  dls_error err = {0};
  dls_sim *sim = NULL;
  if (dls_model_create(dls_model_find("bouncing-ball", &err), NULL, sys, &err) != DLS_OK) {
    stop(&err);
  }
  (*sys)->q0[0] = height(i);
  if (dls_sim_create(*sys, dls_scheme_find(scheme, &err), &sim, &err) != DLS_OK) {
    stop(&err);
  }
  return sim;
}

static double by_library(const char *scheme, bool many)
{
  dls_error err = {0};
  dls_system *sys[BALLS];
  dls_sim *sims[BALLS];
  dls_run_spec specs[BALLS];
  for (size_t i = 0; i < BALLS; i++) {
    sims[i] = ball(scheme, i, &sys[i]);
    specs[i] = (dls_run_spec){.step = end / STEPS, .end = end};
  }
  const double begin = seconds();
  dls_status status = many ? dls_run_many(BALLS, sims, specs, NULL, &err) : DLS_OK;
  for (size_t i = 0; !many && i < BALLS && status == DLS_OK; i++) {
    status = dls_run(sims[i], &specs[i], &err);
  }
  const double time = seconds() - begin;
  if (status != DLS_OK) {
    stop(&err);
  }
  for (size_t i = 0; i < BALLS; i++) {
    dls_sim_destroy(sims[i]);
    dls_system_destroy(sys[i]);
  }
  return time;
}

static void print(const char *name, const char *how, double *time, double *ratio)
{
  qsort(time, REPEATS, sizeof *time, compare);
  qsort(ratio, REPEATS, sizeof *ratio, compare);
  printf("%-20s %-18s %8.2f %10.2f %8.2f to %.2f %10.2f\n", name, how,
         1e9 * time[REPEATS / 2] / ((double)STEPS * BALLS), ratio[REPEATS / 2], ratio[0], ratio[REPEATS - 1],
         ratio[REPEATS / 2] / limit);
}

int main(void)
{
  double hand[REPEATS], one[REPEATS], time[KINDS][REPEATS], ratio[KINDS][REPEATS];
  for (int repeat = 0; repeat < REPEATS; repeat++) {
    hand[repeat] = by_hand();
    one[repeat] = 1;
    for (int kind = 0; kind < KINDS; kind++) {
      time[kind][repeat] = by_library(schemes[kind / 2], kind % 2 == 0);
      ratio[kind][repeat] = time[kind][repeat] / hand[repeat];
    }
  }
  printf("%d balls, %d steps, median of %d turns; limit %g by hand\n", (int)BALLS, (int)STEPS, (int)REPEATS,
         limit);
  printf("%-20s %-18s %8s %10s %11s %15s\n", "", "", "ns", "by hand", "of all", "of the limit");
  print("hand-written loop", "", hand, one);
  for (int kind = 0; kind < KINDS; kind++) {
    print(schemes[kind / 2], kind % 2 == 0 ? "side by side" : "one after another", time[kind], ratio[kind]);
  }
  for (int kind = 0; kind < KINDS; kind += 2) {
    char work[120];
    snprintf(work, sizeof work, "many balls, %s / loop by hand over as many", schemes[kind / 2]);
    limit_at_most(work, "", ratio[kind][REPEATS / 2], ratio[kind][0], ratio[kind][REPEATS - 1], limit);
  }
  return 0;
}
