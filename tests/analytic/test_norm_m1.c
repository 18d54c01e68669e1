/* test_norm_m1.c -- the M1 distance: closed forms, the discrete distance of sampled curves, axioms, between its neighbours.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/frechet.h"
#include "check.h"
#include "random_graph.h"
#include <math.h>
#include <stdlib.h>

enum { TRIALS = DLS_TEST_CASES(60, 20) };

static dls_measure measure_in(const char *name, const dls_graph *f, const dls_graph *g, double tau,
                              double accuracy)
{
  const dls_metric metric = {tau, 1.0, accuracy};
  dls_measure m = {NAN, NAN};
  dls_error err = {0};
  const dls_norm *norm = dls_norm_find(name);
  assert_non_null(norm);
  assert_ok(norm->measure(norm, f, g, &metric, &m, &err), err);
  return m;
}

/* The graphs are thrown away. */
static void expect(dls_graph *f, dls_graph *g, double tau, double expected)
{
  const dls_measure m = measure_in("m1", f, g, tau, 1e-3), back = measure_in("m1", g, f, tau, 1e-6);
  assert_close(m.value, expected, m.bound);
  assert_between(m.bound, 0.0, 1e-3 * expected + 1e-13);
  assert_close(back.value, expected, back.bound);
  assert_between(back.bound, 0.0, 1e-6 * expected + 1e-13);
  dls_graph_destroy(f);
  dls_graph_destroy(g);
}

DLS_TEST(late_jumps)
{
  expect(GRAPH({0, 1}, {1.25, 1}, {1.25, -1}, {3, -1}), GRAPH({0, 1}, {1, 1}, {1, -1}, {3, -1}), 1.0, 0.25);
  expect(GRAPH({0, 1}, {1.25, 1}, {1.25, -1}, {3, -1}), GRAPH({0, 1}, {1, 1}, {1, -1}, {3, -1}), 5.0, 0.05);
  /* the time counts for more than the height: both go on at equal times */
  expect(GRAPH({0, 1}, {1.25, 1}, {1.25, -1}, {3, -1}), GRAPH({0, 1}, {1, 1}, {1, -1}, {3, -1}), 0.1, 2.0);
  /* a ramp of slope 4 against the jump in its middle: 4/(1 + 4) of the 0.25 s that its ends are away */
  expect(GRAPH({0, 1}, {1, 1}, {1.5, -1}, {3, -1}), GRAPH({0, 1}, {1.25, 1}, {1.25, -1}, {3, -1}), 1.0, 0.2);
}

DLS_TEST(who_goes_back_is_seen)
{
  /* up, down and up again in no time, against up: one graph hides in the other, but the way has to be gone back: half of it */
  dls_graph *zigzag = GRAPH({0, 0}, {1, 0}, {1, 1}, {1.001, 1}, {1.001, 0}, {1.002, 0}, {1.002, 1}, {3, 1});
  dls_graph *jump = GRAPH({0, 0}, {1, 0}, {1, 1}, {3, 1});
  const dls_measure near = measure_in("hausdorff", zigzag, jump, 1, 1e-3);
  assert_close(near.value, 0.002, 1e-5);
  expect(zigzag, jump, 1.0, 0.5);
}

DLS_TEST(chains_of_jumps_are_passed_in_order)
{
  expect(GRAPH({0, 0}, {1, 0}, {1, 9}, {1, 0}, {2, 0}), GRAPH({0, 0}, {2, 0}), 1.0, 9.0);
  /* Both fill [-3, 9] at t = 1. While one goes from 9 to -3, the other waits at b on its way up to 9: the larger of 9 - b and b + 3. */
  dls_graph *up = GRAPH({0, 0}, {1, 0}, {1, 9}, {1, -3}, {1, 5}, {2, 5});
  dls_graph *down = GRAPH({0, 0}, {1, 0}, {1, -3}, {1, 9}, {1, 5}, {2, 5});
  const dls_measure near = measure_in("hausdorff", up, down, 1, 1e-3);
  assert_between(near.value, 0, near.bound);
  assert_between(near.bound, 0, 1e-12);
  expect(up, down, 1.0, 6.0);
}

DLS_TEST(equal_graphs_are_at_zero)
{
  for (uint64_t trial = 0; trial < TRIALS; trial++) {
    uint64_t seed = random_seed(trial);
    dls_graph *g = random_graph(30, 1 + trial % 3, trial % 2 == 1, &seed);
    const dls_measure m = measure_in("m1", g, g, 1, 1e-3);
    assert_true(m.value <= m.bound && m.bound < 1e-12);
    dls_graph_destroy(g);
  }
}

/* A graph as points no farther apart than `apart`, in tau and xi 1; count in *count. */
static double *sample(const dls_graph *g, double deviation, size_t *count)
{
  const size_t width = g->dim + 1;
  double *points = malloc(4000000 * sizeof *points);
  *count = 0;
  for (size_t i = 0; i + 1 < g->count; i++) {
    const double *x = g->x + i * g->dim;
    double length = g->t[i + 1] - g->t[i];
    for (size_t k = 0; k < g->dim; k++) {
      length = fmax(length, fabs(x[g->dim + k] - x[k]));
    }
    const size_t parts = (size_t)(length / deviation) + 1;
    for (size_t j = i > 0; j <= parts; j++) {
      const double u = (double)j / (double)parts;
      double *p = points + (*count)++ * width;
      p[0] = g->t[i] + u * (g->t[i + 1] - g->t[i]);
      for (size_t k = 0; k < g->dim; k++) {
        p[k + 1] = x[k] + u * (x[g->dim + k] - x[k]);
      }
    }
  }
  return points;
}

/* Eiter & Mannila 1994: at most `apart` above the distance of the curves, and not below it. */
static double discrete(const double *p, size_t count, const double *q, size_t other, size_t width)
{
  double *row = malloc(other * sizeof *row), corner = 0;
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < other; j++) {
      double d = 0;
      for (size_t k = 0; k < width; k++) {
        d = fmax(d, fabs(p[i * width + k] - q[j * width + k]));
      }
      const double above = i > 0 ? row[j] : INFINITY, left = j > 0 ? row[j - 1] : INFINITY;
      const double best = i == 0 && j == 0 ? 0 : fmin(fmin(above, left), i > 0 && j > 0 ? corner : INFINITY);
      corner = above;
      row[j] = fmax(best, d);
    }
  }
  const double last = row[other - 1];
  free(row);
  return last;
}

DLS_TEST(agrees_with_sampled_curves)
{
  const double deviation = 0.01;
  for (uint64_t trial = 0; trial < TRIALS; trial++) {
    uint64_t seed = random_seed(trial);
    const size_t dim = 1 + trial % 2;
    dls_graph *f = random_graph(12, dim, false, &seed);
    dls_graph *g = trial % 3 == 0 ? disturbed_graph(f, 0.2, &seed) : random_graph(12, dim, false, &seed);
    size_t count, other;
    double *p = sample(f, deviation, &count), *q = sample(g, deviation, &other);
    const dls_measure m = measure_in("m1", f, g, 1, 1e-4);
    const double slow = discrete(p, count, q, other, dim + 1);
    assert_true(m.value - m.bound <= slow && slow <= m.value + m.bound + deviation);
    assert_between(m.bound, 0, 1e-4 * m.value);
    free(p);
    free(q);
    dls_graph_destroy(f);
    dls_graph_destroy(g);
  }
}

/* More than two nodes at one time. */
static bool has_chain(const dls_graph *g)
{
  bool found = false;
  for (size_t i = 2; i < g->count; i++) {
    found = found || g->t[i] == g->t[i - 2];
  }
  return found;
}

DLS_TEST(axioms_and_neighbours)
{
  size_t larger = 0, plain = 0, chained = 0;
  for (uint64_t trial = 0; trial < 2 * TRIALS; trial++) {
    uint64_t seed = random_seed(trial);
    dls_graph *g[3];
    for (int i = 0; i < 3; i++) {
      dls_graph *whole = random_graph(16, 1 + trial % 3, trial % 2 == 1, &seed);
      dls_error err = {0};
      assert_ok(dls_graph_clip(whole, 1e-3, 2, &g[i], &err), err);
      dls_graph_destroy(whole);
    }
    const dls_measure ab = measure_in("m1", g[0], g[1], 1, 1e-3), ba = measure_in("m1", g[1], g[0], 1, 1e-3),
                      bc = measure_in("m1", g[1], g[2], 1, 1e-3), ac = measure_in("m1", g[0], g[2], 1, 1e-3),
                      hausdorff = measure_in("hausdorff", g[0], g[1], 1, 1e-3),
                      most = measure_in("max", g[0], g[1], 1, 1e-3);
    assert_close(ab.value, ba.value, ab.bound + ba.bound);
    assert_true(ac.value <= ab.value + bc.value + ac.bound + ab.bound + bc.bound);
    assert_true(hausdorff.value - hausdorff.bound <= ab.value + ab.bound);
    if (has_chain(g[0]) || has_chain(g[1])) { /* what a chain adds at one time is nothing in max */
      chained++;
    } else {
      assert_true(ab.value - ab.bound <= most.value + most.bound);
      plain++;
    }
    larger += ab.value > 1.05 * hausdorff.value;
    for (int i = 0; i < 3; i++) {
      dls_graph_destroy(g[i]);
    }
  }
  assert_true(larger > TRIALS / 2 && plain > TRIALS / 4 && chained > TRIALS / 4);
}

/* A wave of many nodes, each of them a stair. */
static dls_polyline stairs(size_t count, bool flat)
{
  dls_polyline line = {.count = 2 * count, .width = 2, .p = malloc(4 * count * sizeof(double))};
  for (size_t i = 0; i < 2 * count; i++) {
    const double t = (double)((i + 1) / 2) / (double)count * 6,
                 at = flat ? t : (double)(i / 2) / (double)count * 6;
    line.p[2 * i] = t;
    line.p[2 * i + 1] = sin(at) + (t > 3 ? 1 : 0);
    line.largest = fmax(line.largest, fmax(fabs(t), fabs(line.p[2 * i + 1])));
  }
  return line;
}

DLS_TEST(what_is_left_out_stays_near)
{
  for (int steps = 0; steps < 2; steps++) {
    const dls_polyline line = stairs(1000, steps == 0);
    for (double most = 1e-5; most < 0.1; most *= 10) {
      double scratch[4], *row = malloc(line.count * sizeof *row);
      dls_chain all = {line.count, 2, line.p}, thin = {.p = malloc(2 * line.count * sizeof(double))};
      dls_chain_thin(&line, most, scratch, &thin);
      assert_true(thin.count <= line.count && (most < 0.02 || thin.count < line.count / 20));
      assert_true(dls_frechet_within(&all, &thin, most * (1 + 1e-9), row));
      assert_true(dls_frechet_within(&thin, &all, most * (1 + 1e-9), row));
      assert_false(most > 0.02 && dls_frechet_within(&thin, &all, 0.01 * most, row));
      free(thin.p);
      free(row);
    }
    free(line.p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(late_jumps),
      cmocka_unit_test(who_goes_back_is_seen),
      cmocka_unit_test(chains_of_jumps_are_passed_in_order),
      cmocka_unit_test(equal_graphs_are_at_zero),
      cmocka_unit_test(agrees_with_sampled_curves),
      cmocka_unit_test(axioms_and_neighbours),
      cmocka_unit_test(what_is_left_out_stays_near),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
