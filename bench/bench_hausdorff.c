/* bench/bench_hausdorff.c -- time of the Hausdorff distance of two graphs against the number of their nodes,
 * and its agreement with a double loop on small graphs. Usage: bench_hausdorff [nodes-max, default 4000000]
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/graph.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Shortest of several times: 20 for small graphs, one for large ones. */
static double time_of(const dls_graph *a, const dls_graph *b, dls_measure *m, dls_error *err)
{
  const size_t repeats = a->count < 1000000 ? 1 + 1000000 / a->count / 5 : 1;
  double shortest = INFINITY;
  for (size_t i = 0; i < repeats && i < 20; i++) {
    const double start = now();
    if (dls_hausdorff(a, b, &dls_metric_default, m, err) != DLS_OK) {
      return NAN;
    }
    shortest = fmin(shortest, now() - start);
  }
  return shortest;
}

static void run(const bench *c, size_t n_max)
{
  double first = 0.0;
  printf("%s\n", c->name);
  for (size_t n = 1000; n <= n_max; n = n < 1000000 ? n * 10 : n * 4) {
    dls_graph *a = make(c, c->a, n, 0.0, 1), *b = make(c, c->b, n, c->advance, 2);
    dls_measure m = {0};
    dls_error err = {.text = "out of memory"};
    const double seconds = a != NULL && b != NULL ? time_of(a, b, &m, &err) : NAN;
    if (!(seconds >= 0.0)) {
      printf("  %8zu nodes each: failed: %s\n", n, err.text);
    } else {
      printf("  %8zu nodes each: %9.6f s, value %.6e, bound %.1e", n, seconds, m.value, m.bound);
      if (n == 1000 && !c->cubic) {
        printf(", double loop %.6e", fmax(double_loop(a, b), double_loop(b, a)));
      }
      if (n > 10000) {
        printf(", exponent from 1e4: %.2f", log(seconds / first) / log((double)n / 1e4));
      }
      printf("\n");
      first = n == 10000 ? seconds : first;
    }
    dls_graph_destroy(a);
    dls_graph_destroy(b);
  }
}

int main(int argc, char **argv)
{
  const size_t n_max = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 4000000;
  for (size_t i = 0; i < sizeof benches / sizeof benches[0]; i++) {
    run(&benches[i], n_max);
  }
  return 0;
}
