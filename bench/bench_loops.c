/* bench_loops.c -- a step of bars and columns beside one of a loop that is written by hand for the same problem; bars by
 * elimination from both ends, columns at rest and in free flight. Thread time, in turns; medians and the range of all ratios; the
 * last column is the ratio ÷ its limit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/hand_loops.h"
#include "bench/limits.h"
#include "bench/structures.h"
#include <time.h>

enum { REPEATS = 15 };

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

static dls_system *column_in_the_air(size_t n)
{
  return column_of(n, 1e3);
}

typedef struct subject {
  const char *name;
  dls_system *(*make)(size_t n);
  hand_loop (*by_hand)(size_t n);
} subject;

static double hand_time(hand_loop *loop, size_t steps)
{
  const double begin = seconds();
  for (size_t k = 0; k < steps; k++) {
    loop->step(loop);
  }
  return (seconds() - begin) / (double)steps;
}

static double step_time(dls_sim *sim, double h, size_t steps)
{
  dls_error err = {0};
  const double begin = seconds();
  for (size_t k = 0; k < steps; k++) {
    stop_if(dls_sim_advance(sim, h, &err), &err);
  }
  return (seconds() - begin) / (double)steps;
}

/* @param[in] limit  of the ratio; 0: none */
static void row(const subject *s, const char *scheme, size_t n, double limit)
{
  enum { WORK = 400000 }; /* rows of a turn */
  const size_t steps = WORK / n + 2;
  dls_error err = {0};
  dls_sim *sim = NULL;
  dls_system *sys = s->make(n);
  hand_loop loop = s->by_hand(n);
  double by_hand[REPEATS], ours[REPEATS], ratio[REPEATS];
  stop_if(dls_sim_create(sys, dls_scheme_find(scheme, &err), &sim, &err), &err);
  stop_if(dls_sim_start(sim, &err), &err);
  for (int repeat = -1; repeat < REPEATS; repeat++) { /* the first one warms up */
    const int at = repeat < 0 ? 0 : repeat;
    by_hand[at] = hand_time(&loop, steps);
    ours[at] = step_time(sim, loop.h, steps);
    ratio[at] = ours[at] / by_hand[at];
  }
  qsort(by_hand, REPEATS, sizeof *by_hand, compare);
  qsort(ours, REPEATS, sizeof *ours, compare);
  qsort(ratio, REPEATS, sizeof *ratio, compare);
  printf("%-14s %7zu %-28s %8.2f %8.2f %8.2f %6.2f to %-6.2f", s->name, n, scheme,
         1e9 * by_hand[REPEATS / 2] / (double)n, 1e9 * ours[REPEATS / 2] / (double)n, ratio[REPEATS / 2],
         ratio[0], ratio[REPEATS - 1]);
  printf(limit > 0 ? " %6.2f\n" : "      -\n", ratio[REPEATS / 2] / limit);
  if (limit > 0) {
    char work[120];
    snprintf(work, sizeof work, "step of a %s of %zu, %s / loop by hand", s->name, n, scheme);
    limit_at_most(work, "", ratio[REPEATS / 2], ratio[0], ratio[REPEATS - 1], limit);
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  hand_loop_free(&loop);
}

int main(void)
{
  static const subject bars = {"bar", bar, hand_bar}, rest = {"column at rest", column, hand_column_at_rest},
                       fall = {"column falls", column_in_the_air, hand_column_in_the_air};
  static const struct {
    const subject *subject;
    const char *scheme;
    size_t n;
    double limit;
  } rows[] = {
      {&bars, "moreau-jean", 1000, 1.5},
      {&bars, "moreau-jean", 100000, 1.5},
      {&bars, "nonsmooth-newmark", 1000, 2},
      {&bars, "nonsmooth-newmark", 100000, 2},
      {&bars, "nonsmooth-newmark", 1000000, 2},
      {&bars, "nonsmooth-generalized-alpha", 100000, 2.5},
      {&bars, "schatzman-paoli", 100000, 2},
      {&rest, "moreau-jean", 10, 5},
      {&rest, "moreau-jean", 100, 3},
      {&rest, "moreau-jean", 1000, 0},
      {&rest, "moreau-jean", 100000, 0},
      {&rest, "schatzman-paoli", 100, 0},
      {&fall, "moreau-jean", 10, 0},
      {&fall, "moreau-jean", 100, 0},
      {&fall, "moreau-jean", 10000, 0},
      {&fall, "schatzman-paoli", 10000, 0},
  };
  printf("%-14s %7s %-28s %8s %8s %8s %16s %6s\n", "ns per row", "n", "", "by hand", "step", "ratio", "of all",
         "÷ limit");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    row(rows[i].subject, rows[i].scheme, rows[i].n, rows[i].limit);
  }
  return 0;
}
