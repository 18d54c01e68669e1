/* bench/bench_rigorous.c -- time to isolate the first 36 zeros of a damped forced flight with proof, and to narrow them;
 * and to enclose distances of 4001 nodes on chords of a flight from the flight.
 * Usage: bench_rigorous [digits, default 30]
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/rigorous.h"
#include "analytic/rigorous/zeros.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { STATES = 4, ZEROS = 36, REPEATS = 9, PROVING = 64 };

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* q'' + 0.05 q' + q = 0.3 cos(1.3 t); states q, v, cos, sin */
static void make(dls_ball_flow *flow, arb_ptr start, arb_ptr gap)
{
  static const double L[STATES][STATES] = {{0, 1, 0, 0}, {-1, -0.05, 0.3, 0}, {0, 0, 0, -1.3}, {0, 0, 1.3, 0}};
  dls_ball_flow_init(flow, STATES);
  for (slong i = 0; i < STATES * STATES; i++) {
    arb_set_d(arb_mat_entry(flow->L, i / STATES, i % STATES), L[i / STATES][i % STATES]);
  }
  dls_ball_flow_bound(flow);
  arb_one(start);
  arb_one(start + 2);
  arb_one(gap);
}

/* Seconds to isolate all, and to narrow all. */
static void repeat(slong prec, double *isolate, double *narrow)
{
  dls_ball_flow flow;
  arb_ptr start = _arb_vec_init(STATES), gap = _arb_vec_init(STATES), zero = _arb_vec_init(ZEROS);
  arf_struct bounds[2 * ZEROS];
  arf_t from, until;
  arf_init(from);
  arf_init(until);
  arf_set_d(until, 200);
  for (int i = 0; i < 2 * ZEROS; i++) {
    arf_init(bounds + i);
  }
  const double begin = now();
  make(&flow, start, gap);
  dls_ball_watch watch = {.flow = &flow, .w = gap, .x = start};
  for (int i = 0; i < ZEROS; i++) {
    watch.sign = i % 2 == 0 ? 1 : -1;
    if (dls_ball_next_zero(&watch, from, until, bounds + 2 * i, bounds + 2 * i + 1, PROVING) !=
        DLS_BALL_FOUND) {
      printf("zero %d is not found\n", i + 1);
      exit(1);
    }
    arf_set(from, bounds + 2 * i + 1);
  }
  const double middle = now();
  for (int i = 0; i < ZEROS; i++) {
    dls_ball_refine(zero + i, &watch, bounds + 2 * i, bounds + 2 * i + 1, prec);
  }
  *isolate = middle - begin;
  *narrow = now() - middle;
  for (int i = 0; i < 2 * ZEROS; i++) {
    arf_clear(bounds + i);
  }
  arf_clear(from);
  arf_clear(until);
  _arb_vec_clear(start, STATES);
  _arb_vec_clear(gap, STATES);
  _arb_vec_clear(zero, ZEROS);
  dls_ball_flow_clear(&flow);
}

/* q = cos t on [0, 1.5] by chords. @return seconds */
static double enclose(int norm)
{
  enum { NODES = 4001 };
  static const char *const names[] = {"m", "k", "c", "f", "amplitude", "omega", "phase", "e", "q0", "v0"};
  static const char *const values[] = {"1", "1", "0", "0", "0", "1", "0", "0.5", "1", "0"};
  static const char *const columns[] = {"q0"};
  static double t[NODES], x[NODES];
  dls_rigorous_cell cell;
  dls_error err = {0};
  bool wide;
  for (int i = 0; i < NODES; i++) {
    t[i] = 1.5 * i / (NODES - 1);
    x[i] = cos(t[i]);
  }
  const dls_rigorous_distance_problem problem = {.exact = {.model = "impacting-oscillator",
                                                           .parameter_count = 10,
                                                           .names = names,
                                                           .values = values,
                                                           .end = "1.51",
                                                           .digits = 6},
                                                 .count = NODES,
                                                 .dim = 1,
                                                 .t = t,
                                                 .x = x,
                                                 .columns = columns,
                                                 .tau = "1",
                                                 .xi = "1",
                                                 .norm = norm};
  const double begin = now();
  if (dls_rigorous_distance(&problem, &cell, &wide, &err) != DLS_OK) {
    printf("%s\n", err.text);
    exit(1);
  }
  printf("  %s of %d nodes: %s to %s\n", norm == DLS_RIGOROUS_L1 ? "l1" : "hausdorff", NODES, cell.low,
         cell.high);
  free(cell.low);
  free(cell.high);
  return now() - begin;
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
  const slong digits = argc > 1 ? strtol(argv[1], NULL, 10) : 30;
  double isolate[REPEATS], narrow[REPEATS];
  for (int i = 0; i < REPEATS; i++) {
    repeat((slong)(3.33 * (double)digits) + 20, &isolate[i], &narrow[i]);
  }
  qsort(isolate, REPEATS, sizeof *isolate, by_size);
  qsort(narrow, REPEATS, sizeof *narrow, by_size);
  printf("36 zeros of a damped forced flight, median of %d turns of processor time\n", REPEATS);
  printf("  isolated with proof:        %8.3f ms\n", 1e3 * isolate[REPEATS / 2]);
  printf("  narrowed to %3ld digits, each: %7.3f ms\n", (long)digits, 1e3 * narrow[REPEATS / 2] / ZEROS);
  for (int norm = DLS_RIGOROUS_HAUSDORFF; norm <= DLS_RIGOROUS_L1; norm++) {
    printf("  enclosed in %.3f s\n", enclose(norm));
  }
  return 0;
}
