/* bench/bench_rigorous.c -- time to isolate the first 36 zeros of a damped forced flight with proof, and to narrow them.
 * Usage: bench_rigorous [digits, default 30]
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/zeros.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { STATES = 4, ZEROS = 36, TURNS = 9, PROVING = 64 };

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
static void turn(slong prec, double *isolate, double *narrow)
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

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
  const slong digits = argc > 1 ? strtol(argv[1], NULL, 10) : 30;
  double isolate[TURNS], narrow[TURNS];
  for (int i = 0; i < TURNS; i++) {
    turn((slong)(3.33 * (double)digits) + 20, &isolate[i], &narrow[i]);
  }
  qsort(isolate, TURNS, sizeof *isolate, by_size);
  qsort(narrow, TURNS, sizeof *narrow, by_size);
  printf("36 zeros of a damped forced flight, median of %d turns of processor time\n", TURNS);
  printf("  isolated with proof:        %8.3f ms\n", 1e3 * isolate[TURNS / 2]);
  printf("  narrowed to %3ld digits, each: %7.3f ms\n", (long)digits, 1e3 * narrow[TURNS / 2] / ZEROS);
  return 0;
}
