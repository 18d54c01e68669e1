/* bench/bench_distance.c -- time of the Hausdorff and of the flat distance of two graphs against the number of their nodes, beside a
 * hand-written loop that compares both node by node, and for Hausdorff's a double loop on small graphs.
 * Usage: bench_distance [nodes-max, default 4000000]
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/limits.h"
#include <delassus/graph.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Processor time: what else runs on the machine does not count. */
static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Uniform in (-1, 1), xorshift64*; a fixed seed makes the same graphs every time. */
static double noise(unsigned long long *state)
{
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (double)((*state * 2685821657736338717ULL) >> 11) / 4503599627370496.0 - 1.0;
}

typedef struct bench {
  const char *name;
  double (*a)(double t, unsigned long long *state), (*b)(double t, unsigned long long *state);
  size_t jumps;   /* nodes between two jumps, 0: none */
  double advance; /* of the jumps of b, in nodes */
  bool cubic;
} bench;

static double wave(double t, unsigned long long *state)
{
  (void)state;
  return sin(10.0 * t);
}
static double near_wave(double t, unsigned long long *state)
{
  (void)state;
  return sin(10.0 * t) + 1e-8 * cos(31.0 * t);
}
static double wave_tenth(double t, unsigned long long *state)
{
  (void)state;
  return 0.02 * sin(300.0 * t) + 0.1;
}
static double ripple(double t, unsigned long long *state)
{
  (void)state;
  return 0.02 * sin(310.0 * t);
}
static double wave_one(double t, unsigned long long *state)
{
  (void)state;
  return sin(10.0 * t) + 1.0;
}
static double rough(double t, unsigned long long *state)
{
  return sin(10.0 * t) + noise(state);
}
static double grainy(double t, unsigned long long *state)
{
  return sin(10.0 * t) + 1e-3 * noise(state);
}
static double rough_one(double t, unsigned long long *state)
{
  return 1.0 + sin(10.0 * t) + noise(state);
}
static double saw(double t, unsigned long long *state)
{
  (void)state;
  return 5.0 * t;
}
static double steep(double t, unsigned long long *state)
{
  (void)state;
  return 1e3 * sin(100.0 * t);
}

static const bench benches[] = {
    {"smooth, 1e-8 apart", wave, near_wave, 0, 0.0, false},
    {"equal", wave, wave, 0, 0.0, false},
    {"a jump every 10 nodes", saw, saw, 10, 0.3, false},
    {"a jump every 1000 nodes", saw, saw, 1000, 0.3, false},
    {"0.1 apart", ripple, wave_tenth, 0, 0.0, false},
    {"1 apart", wave, wave_one, 0, 0.0, false},
    {"steep, 1e3", steep, wave, 0, 0.0, false},
    {"noise 1 against noise 1", rough, rough, 0, 0.0, false},
    {"noise 1e-3 against smooth", grainy, wave, 0, 0.0, false},
    {"noise 1 against smooth", rough, wave, 0, 0.0, false},
    {"noise 1 apart", rough, rough_one, 0, 0.0, false},
    {"cubic, 1e-8 apart", wave, near_wave, 0, 0.0, true},
};

/* n nodes on [0, 1], jumps by +-1 in turn; the spacing varies so that no two graphs share their times. */
static dls_graph *make(const bench *c, double (*f)(double, unsigned long long *), size_t n, double advance,
                       unsigned long long seed)
{
  dls_graph *g = dls_graph_create(n, 1, c->cubic);
  double side = 0.0;
  for (size_t i = 0; g != NULL && i < n; i++) {
    const bool jump = c->jumps != 0 && i % c->jumps == c->jumps - 1;
    const double shift = i == 0 || i + 1 == n ? 0.0 : 0.45 * noise(&seed) - advance;
    g->t[i] = ((double)i + shift) / (double)(n - 1);
    if (jump) { /* node i - 1 once more, on the other side */
      side = 1.0 - side;
      g->t[i] = g->t[i - 1];
    }
    g->x[i] = f(g->t[i], &seed) + side;
    if (c->cubic) {
      g->slope[i] = 10.0 * cos(10.0 * g->t[i]) - (f == near_wave ? 31e-8 * sin(31.0 * g->t[i]) : 0.0);
    }
  }
  return g;
}

/* min over all segments, by golden-section search along each: an upper bound of the distance of (t, x) from g.
 */
static double far(const dls_graph *g, double t, double x)
{
  double best = INFINITY;
  for (size_t i = 0; i + 1 < g->count; i++) {
    double low = 0.0, high = 1.0, d = INFINITY;
    for (int k = 0; k < 40; k++) {
      const double u = low + 0.382 * (high - low), v = high - 0.382 * (high - low);
      const double du = fmax(fabs(t - g->t[i] - u * (g->t[i + 1] - g->t[i])),
                             fabs(x - g->x[i] - u * (g->x[i + 1] - g->x[i])));
      const double dv = fmax(fabs(t - g->t[i] - v * (g->t[i + 1] - g->t[i])),
                             fabs(x - g->x[i] - v * (g->x[i + 1] - g->x[i])));
      d = fmin(du, dv);
      low = du < dv ? low : u;
      high = du < dv ? v : high;
    }
    best = fmin(best, d);
  }
  return best;
}

static double double_loop(const dls_graph *a, const dls_graph *b)
{
  double excess = 0.0;
  for (size_t i = 0; i + 1 < a->count; i++) {
    for (double s = 0.0; s <= 1.0; s += 0.25) {
      const double t = a->t[i] + s * (a->t[i + 1] - a->t[i]), x = a->x[i] + s * (a->x[i + 1] - a->x[i]);
      excess = fmax(excess, far(b, t, x));
    }
  }
  return excess;
}

/* What any program has to do: each node of a against b at that time. */
static double hand_loop(const dls_graph *a, const dls_graph *b)
{
  double worst = 0.0;
  for (size_t i = 0, k = 0; i < a->count; i++) {
    while (k + 2 < b->count && b->t[k + 1] < a->t[i]) {
      k++;
    }
    const double span = b->t[k + 1] - b->t[k], part = span > 0.0 ? (a->t[i] - b->t[k]) / span : 0.0;
    worst = fmax(worst, fabs(a->x[i] - b->x[k] - part * (b->x[k + 1] - b->x[k])));
  }
  return worst;
}

/* Median of several times, in turns with the hand-written loop: 11 for small graphs, 7 for large ones. */
enum { MOST_TURNS = 11 };
typedef struct timing {
  double seconds, loop, least, most; /* [s] */
  dls_measure measure;
} timing;

static int ascending(const void *x, const void *y)
{
  const double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

static bool time_of(const dls_norm *norm, const dls_graph *a, const dls_graph *b, timing *out, dls_error *err)
{
  const size_t turns = a->count < 1000000 ? MOST_TURNS : 7;
  double seconds[MOST_TURNS], loops[MOST_TURNS];
  volatile double kept = 0.0;
  for (size_t i = 0; i < turns; i++) {
    const double start = now();
    if (norm->measure(norm, a, b, &dls_metric_default, &out->measure, err) != DLS_OK) {
      return false;
    }
    const double middle = now();
    kept = hand_loop(a, b);
    seconds[i] = middle - start;
    loops[i] = now() - middle;
  }
  (void)kept;
  qsort(seconds, turns, sizeof *seconds, ascending);
  qsort(loops, turns, sizeof *loops, ascending);
  out->seconds = seconds[turns / 2];
  out->least = seconds[0];
  out->most = seconds[turns - 1];
  out->loop = loops[turns / 2];
  return true;
}

/* Rows with a limit: seconds of the issue of growth at 12 ns a node of the loop, as ratios; exponents. */
typedef struct limit {
  const char *norm, *graphs;
  size_t nodes;
  double ratio, exponent; /* to the loop; from a tenth of the nodes to these. INFINITY: none */
} limit;

static void print_limit(const char *norm, const char *graphs, size_t nodes, const timing *t, double before)
{
  static const limit limits[] = {
      {"hausdorff", "smooth, 1e-8 apart", 1000000, INFINITY, 1.15},
      {"flat", "noise 1e-3 against smooth", 100000, 170.0, INFINITY},
      {"flat", "noise 1e-3 against smooth", 1000000, 250.0, INFINITY},
  };
  char name[128];
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
    const limit *l = &limits[i];
    if (strcmp(l->norm, norm) != 0 || strcmp(l->graphs, graphs) != 0 || l->nodes != nodes) {
      continue;
    }
    if (isfinite(l->ratio)) {
      snprintf(name, sizeof name, "%s distance, %s, %zu nodes", norm, graphs, nodes);
      limit_at_most(name, "x the loop node by node", t->seconds / t->loop, t->least / t->loop,
                    t->most / t->loop, l->ratio);
    }
    if (isfinite(l->exponent)) {
      snprintf(name, sizeof name, "%s distance, %s, exponent from %zu to %zu nodes", norm, graphs, nodes / 10,
               nodes);
      limit_at_most(name, "", log10(t->seconds / before), NAN, NAN, l->exponent);
    }
  }
}

static void run(const dls_norm *norm, const bench *c, size_t n_max)
{
  const bool hausdorff = strcmp(norm->name, "hausdorff") == 0;
  double before = 0.0;
  printf("%s: %s\n", norm->name, c->name);
  for (size_t n = 1000; n <= n_max; n = n < 1000000 ? n * 10 : n * 4) {
    dls_graph *a = make(c, c->a, n, 0.0, 1), *b = make(c, c->b, n, c->advance, 2);
    timing t = {0};
    dls_error err = {.text = "out of memory"};
    if (a == NULL || b == NULL || !time_of(norm, a, b, &t, &err)) {
      printf("  %8zu nodes each: failed: %s\n", n, err.text);
    } else {
      printf("  %8zu nodes each: %9.6f s, %.1f x the loop, value %.6e, bound %.1e", n, t.seconds,
             t.seconds / t.loop, t.measure.value, t.measure.bound);
      if (n == 1000 && !c->cubic && hausdorff) {
        printf(", double loop %.6e", fmax(double_loop(a, b), double_loop(b, a)));
      }
      if (n > 1000 && n <= 1000000) {
        printf(", exponent %.2f", log10(t.seconds / before));
      }
      printf("\n");
      print_limit(norm->name, c->name, n, &t, before);
      before = t.seconds;
    }
    dls_graph_destroy(a);
    dls_graph_destroy(b);
  }
}

int main(int argc, char **argv)
{
  const size_t n_max = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 4000000;
  static const char *const names[] = {"hausdorff", "flat"};
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
    for (size_t i = 0; i < sizeof benches / sizeof benches[0]; i++) {
      run(dls_norm_find(names[k]), &benches[i], n_max);
    }
  }
  return 0;
}
