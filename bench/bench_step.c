/* bench_step.c -- nanoseconds per step of the time-stepping schemes on the bouncing ball, through the public
 * interface, without and with recording, beside a hand-written loop in the same process.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/catalogue.h>
#include <delassus/sim.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double end = 4;
static const size_t steps = 2000000;

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Moreau-Jean on q'' = -2, e = 1/2, theta = 1/2, gamma = 1, as short as it can be written. */
static double by_hand(void)
{
  const double h = end / (double)steps;
  double q = 1;
  double v = 0;
  const double begin = seconds();
  for (size_t k = 0; k < steps; k++) {
    double next = v - 2 * h;
    if (q + h * v <= 0 && v <= 1e-9 && next < -0.5 * v) {
      next = -0.5 * v;
    }
    q += 0.5 * h * (v + next);
    v = next;
  }
  const double time = seconds() - begin;
  volatile double keep = q + v;
  (void)keep;
  return time;
}

static double by_library(const dls_scheme *scheme, bool record)
{
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  if (dls_model_create(dls_model_find("bouncing-ball", &err), NULL, &sys, &err) != DLS_OK ||
      dls_sim_create(sys, scheme, &sim, &err) != DLS_OK) {
    fprintf(stderr, "%s\n", err.text);
    exit(1);
  }
  dls_trajectory *traj = record ? dls_sim_trajectory(sim, &err) : NULL;
  const dls_run_spec spec = {.step = end / (double)steps, .end = end, .record = traj};
  if (dls_run(sim, &spec, &err) != DLS_OK) {
    fprintf(stderr, "%s\n", err.text);
    exit(1);
  }
  const double time = sim->work.wall_seconds;
  dls_trajectory_destroy(traj);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return time;
}

int main(void)
{
  static const char *const names[] = {"moreau-jean", "moreau-jean-variant", "schatzman-paoli"};
  enum { REPEATS = 7 };
  double hand[REPEATS];
  for (int r = 0; r < REPEATS; r++) {
    hand[r] = by_hand();
  }
  qsort(hand, REPEATS, sizeof *hand, compare);
  printf("bouncing ball, %zu steps, median of %d runs\n", steps, (int)REPEATS);
  printf("%-22s %10s %12s\n", "", "ns/step", "by hand = 1");
  printf("%-22s %10.2f %12.1f\n", "hand-written loop", 1e9 * hand[REPEATS / 2] / (double)steps, 1.0);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    for (int record = 0; record <= 1; record++) {
      double time[REPEATS];
      for (int r = 0; r < REPEATS; r++) {
        time[r] = by_library(dls_scheme_find(names[i], NULL), record != 0);
      }
      qsort(time, REPEATS, sizeof *time, compare);
      printf("%-22s %10.2f %12.1f%s\n", names[i], 1e9 * time[REPEATS / 2] / (double)steps,
             time[REPEATS / 2] / hand[REPEATS / 2], record ? "  recorded" : "");
    }
  }
  return 0;
}
