/* bench_newmark.c -- nanoseconds per step of the Newmark family on the two-ball oscillator (set B of Chen et al.
 * 2013), through the public interface, without and with recording, beside a hand-written loop in the same process.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/catalogue.h>
#include <delassus/sim.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double end = 4;
static const size_t steps = 1000000;

enum { M, K, L, G, R, E, Q1, Q2, V1, V2 }; /* parameters of the model */
static const double set_b[] = {[M] = 1,   [K] = 1e4,    [L] = 1,      [G] = 10, [R] = 0.2,
                               [E] = 0.8, [Q1] = 1.001, [Q2] = 2.001, [V1] = 0, [V2] = 0};

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

/* Nonsmooth Newmark, gamma = 1/2, beta = 1/4, as short as it can be written; *height: where the lower ball ends. */
static double by_hand(double *height)
{
  const double h = end / (double)steps;
  const double stiff = h * h / 4 * set_b[K]; /* A = [1 + stiff, -stiff; -stiff, 1 + stiff], m = 1 */
  const double det = 1 + 2 * stiff;
  const double i11 = (1 + stiff) / det;
  const double i12 = stiff / det;
  const double W = 1 - h * h / 4 * set_b[K] * (i11 - i12); /* 1 - (h^2/4) e1^T A^-1 K e1 */
  double q[2] = {set_b[Q1], set_b[Q2]};
  double v[2] = {0, 0};
  double a[2] = {-set_b[G] + set_b[K] * (q[1] - q[0] - set_b[L]),
                 -set_b[G] - set_b[K] * (q[1] - q[0] - set_b[L])};
  const double begin = seconds();
  for (size_t k = 0; k < steps; k++) {
    const double v1 = v[0] + h / 2 * a[0], v2 = v[1] + h / 2 * a[1];
    const double q1 = q[0] + h * v[0] + h * h / 4 * a[0], q2 = q[1] + h * v[1] + h * h / 4 * a[1];
    const double spring = set_b[K] * (q2 - q1 - set_b[L]);
    double r1 = -set_b[G] + spring, r2 = -set_b[G] - spring, w = 0;
    if (q[0] + h * v[0] <= set_b[R] && v[0] <= 1e-9) {
      const double next = v1 + h / 2 * (i11 * r1 + i12 * r2) + set_b[E] * v[0];
      w = next < 0 ? -next / W : 0;
      r1 -= h / 2 * set_b[K] * w;
      r2 += h / 2 * set_b[K] * w;
    }
    a[0] = i11 * r1 + i12 * r2;
    a[1] = i12 * r1 + i11 * r2;
    q[0] = q1 + h * h / 4 * a[0] + h / 2 * w;
    q[1] = q2 + h * h / 4 * a[1];
    v[0] = v1 + h / 2 * a[0] + w;
    v[1] = v2 + h / 2 * a[1];
  }
  const double time = seconds() - begin;
  *height = q[0];
  return time;
}

static double by_library(const char *name, bool record, double *height)
{
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  const dls_scheme *scheme = dls_scheme_find(name, &err);
  if (scheme == NULL ||
      dls_model_create(dls_model_find("two-ball-oscillator", &err), set_b, &sys, &err) != DLS_OK ||
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
  *height = sim->q[0];
  dls_trajectory_destroy(traj);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return time;
}

int main(void)
{
  static const char *const names[] = {"nonsmooth-newmark",           "nonsmooth-hht",
                                      "nonsmooth-generalized-alpha", "nonsmooth-kh-generalized-alpha",
                                      "newmark-velocity-contact",    "moreau-jean"};
  enum { REPEATS = 7 };
  double time[REPEATS], height = 0;
  for (int r = 0; r < REPEATS; r++) {
    time[r] = by_hand(&height);
  }
  qsort(time, REPEATS, sizeof *time, compare);
  const double hand = time[REPEATS / 2];
  printf("two-ball oscillator, %zu steps, median of %d runs\n", steps, (int)REPEATS);
  printf("%-32s %10s %12s %14s\n", "", "ns/step", "by hand = 1", "q0 at the end");
  printf("%-32s %10.2f %12.1f %14.10f\n", "hand-written nonsmooth-newmark", 1e9 * hand / (double)steps, 1.0,
         height);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    for (int record = 0; record <= 1; record++) {
      for (int r = 0; r < REPEATS; r++) {
        time[r] = by_library(names[i], record != 0, &height);
      }
      qsort(time, REPEATS, sizeof *time, compare);
      printf("%-32s %10.2f %12.1f %14.10f%s\n", names[i], 1e9 * time[REPEATS / 2] / (double)steps,
             time[REPEATS / 2] / hand, height, record ? "  recorded" : "");
    }
  }
  return 0;
}
