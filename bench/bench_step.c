/* bench_step.c -- nanoseconds per step of the time-stepping schemes on the bouncing ball, and of moreau-jean on one contact with
 * friction, through the public interface, without and with recording, beside a hand-written loop in the same process: thread time,
 * in turns, and of the ratios of a turn the median and the range of all.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/limits.h"
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
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
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

/* The same for a block that slides on an incline, with Coulomb's law in closed form. */
static double block_by_hand(void)
{
  const double h = end / (double)steps, slope = 0.5235987755982988, g = 9.81, mu = 0.3;
  double x = 0, y = 0, u = 2, v = 0;
  const double begin = seconds();
  for (size_t k = 0; k < steps; k++) {
    double u_next = u - h * g * sin(slope), v_next = v - h * g * cos(slope);
    if (y + h * v <= 1e-13 && v <= 1e-9 && v_next < 0) {
      const double most = -mu * v_next, p = fmax(-most, fmin(-u_next, most));
      u_next += p;
      v_next = 0;
    }
    x += 0.5 * h * (u + u_next);
    y += 0.5 * h * (v + v_next);
    u = u_next;
    v = v_next;
  }
  const double time = seconds() - begin;
  volatile double keep = x + u + y + v;
  (void)keep;
  return time;
}

static double by_library(const char *model, const dls_scheme *scheme, bool record)
{
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  if (dls_model_create(dls_model_find(model, &err), NULL, &sys, &err) != DLS_OK ||
      dls_sim_create(sys, scheme, &sim, &err) != DLS_OK) {
    fprintf(stderr, "%s\n", err.text);
    exit(1);
  }
  dls_trajectory *traj = record ? dls_sim_trajectory(sim, &err) : NULL;
  const dls_run_spec spec = {.step = end / (double)steps, .end = end, .record = traj};
  const double begin = seconds();
  if (dls_run(sim, &spec, &err) != DLS_OK) {
    fprintf(stderr, "%s\n", err.text);
    exit(1);
  }
  const double time = seconds() - begin;
  dls_trajectory_destroy(traj);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return time;
}

enum { REPEATS = 9, SCHEMES = 3, KINDS = 2 * SCHEMES };
static const char *const names[SCHEMES] = {"moreau-jean", "moreau-jean-variant", "schatzman-paoli"};

static void print(const char *name, double *time, double *ratio, const char *note)
{
  qsort(time, REPEATS, sizeof *time, compare);
  qsort(ratio, REPEATS, sizeof *ratio, compare);
  printf("%-22s %10.2f %12.1f %8.1f to %.1f%s\n", name, 1e9 * time[REPEATS / 2] / (double)steps,
         ratio[REPEATS / 2], ratio[0], ratio[REPEATS - 1], note);
}

/* Schemes that take many stages, or sub-steps, in a step of the ball. */
static void of_higher_order(void)
{
  static const double limit = 60;
  static const char *const schemes[] = {"rk-moreau", "splitting-rkf45", "moreau-jean-extrapolated"};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    double time[REPEATS], ratio[REPEATS];
    char work[80];
    for (int repeat = 0; repeat < REPEATS; repeat++) {
      const double hand = by_hand();
      time[repeat] = by_library("bouncing-ball", dls_scheme_find(schemes[i], NULL), false);
      ratio[repeat] = time[repeat] / hand;
    }
    print(schemes[i], time, ratio, "");
    snprintf(work, sizeof work, "step of the ball, %s / loop by hand of moreau-jean", schemes[i]);
    limit_at_most(work, "", ratio[REPEATS / 2], ratio[0], ratio[REPEATS - 1], limit);
  }
}

/* One contact with friction that stays closed. */
static void friction(void)
{
  static const struct {
    const char *model, *what;
    double limit; /* ns */
  } rows[] = {{"incline", "block that slides on an incline", 60}, {"puck", "puck that slides in space", 150}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    double hand[REPEATS], time[REPEATS], ratio[REPEATS];
    for (int repeat = 0; repeat < REPEATS; repeat++) {
      hand[repeat] = block_by_hand();
      time[repeat] = by_library(rows[i].model, dls_scheme_find("moreau-jean", NULL), false);
      ratio[repeat] = time[repeat] / hand[repeat];
    }
    print(rows[i].model, time, ratio, "  by hand: the block");
    char work[160];
    const double unit = 1e9 / (double)steps;
    qsort(hand, REPEATS, sizeof *hand, compare);
    snprintf(work, sizeof work, "step of a %s, moreau-jean (loop by hand for the block: %.3g ns)", rows[i].what,
             unit * hand[REPEATS / 2]);
    limit_at_most(work, "ns", unit * time[REPEATS / 2], unit * time[0], unit * time[REPEATS - 1],
                  rows[i].limit);
  }
}

int main(void)
{
  double hand[REPEATS], one[REPEATS], time[KINDS][REPEATS], ratio[KINDS][REPEATS];
  for (int repeat = 0; repeat < REPEATS; repeat++) {
    hand[repeat] = by_hand();
    one[repeat] = 1;
    for (int kind = 0; kind < KINDS; kind++) {
      time[kind][repeat] = by_library("bouncing-ball", dls_scheme_find(names[kind / 2], NULL), kind % 2 != 0);
      ratio[kind][repeat] = time[kind][repeat] / hand[repeat];
    }
  }
  printf("bouncing ball, %zu steps, median of %d turns\n", steps, (int)REPEATS);
  printf("%-22s %10s %12s %8s\n", "", "ns/step", "by hand = 1", "of all");
  print("hand-written loop", hand, one, "");
  for (int kind = 0; kind < KINDS; kind++) {
    print(names[kind / 2], time[kind], ratio[kind], kind % 2 != 0 ? "  recorded" : "");
  }
  limit_at_most("step of the ball, moreau-jean / loop by hand", "", ratio[0][REPEATS / 2], ratio[0][0],
                ratio[0][REPEATS - 1], 10);
  of_higher_order();
  friction();
  return 0;
}
