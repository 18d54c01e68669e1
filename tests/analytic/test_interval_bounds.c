/* test_hausdorff_blocks.c -- long graphs, of which only the blocks that may be farthest are covered: closed forms, and
 * agreement with graphs that are covered as a whole because one of them is longer by a hair.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "random_graph.h"
#include <math.h>

enum { NODES = 400 };

static dls_measure distance(const dls_graph *a, const dls_graph *b, double accuracy)
{
  dls_error err = {0};
  dls_measure m = {0};
  const dls_metric metric = {1.0, 1.0, accuracy};
  assert_ok(dls_hausdorff(a, b, &metric, &m, &err), err);
  return m;
}

/* Of graphs that are thrown away. */
static void expect(dls_graph *a, dls_graph *b, double expected)
{
  for (double accuracy = 1e-1; accuracy > 1e-8; accuracy *= 1e-2) {
    const dls_measure m = distance(a, b, accuracy);
    assert_close(m.value, expected, m.bound);
    assert_between(m.bound, 0.0, 1.01 * accuracy * expected + 1e-12);
  }
  dls_graph_destroy(a);
  dls_graph_destroy(b);
}

/* slope t + bump (a plateau from 4 to 6) + height after the jump, on [0, 10], at times that depend on the seed. */
static dls_graph *long_graph(double slope, double bump, double jump_time, double height, uint64_t seed)
{
  dls_graph *g = dls_graph_create(NODES, 1, false);
  uint64_t state = random_seed(seed);
  bool after = false;
  for (size_t i = 0; i < NODES; i++) {
    const bool ends = i == 0 || i + 1 == NODES;
    const double t = 10.0 * ((double)i + (ends ? 0.0 : 0.9 * random_unit(&state) - 0.45)) / (NODES - 1.0);
    const bool jumps = !after && t >= jump_time;
    g->t[i] = jumps ? jump_time : t;
    const double top = fmin(fmax(fmin(g->t[i] - 3.0, 7.0 - g->t[i]), 0.0), 1.0);
    g->x[i] = slope * g->t[i] + bump * top + (after ? height : 0.0);
    if (jumps && i + 1 < NODES) {
      g->t[i + 1] = jump_time;
      g->x[i + 1] = g->x[i] + height;
      i++;
      after = true;
    }
  }
  return g;
}

DLS_TEST(jump_that_is_late_counts_with_its_delay)
{
  for (double late = 0.3; late > 1e-7; late *= 0.1) {
    expect(long_graph(0.0, 0.0, 2.0, 1.0, 1), long_graph(0.0, 0.5 * late, 2.0 + late, 1.0, 2), late);
  }
}

DLS_TEST(plateau_on_a_ramp_counts_over_one_plus_slope)
{
  for (double slope = -8.0; slope < 9.0; slope += 4.0) {
    expect(long_graph(slope, 0.0, 99.0, 0.0, 1), long_graph(slope, 0.1, 99.0, 0.0, 2),
           0.1 / (1.0 + fabs(slope)));
  }
}

/* Steep until t = 8, level behind, where it is moved up by `moved` from t = 9 on. */
static dls_graph *steep_then_level(double bump, double moved, uint64_t seed)
{
  dls_graph *g = long_graph(8.0, bump, 99.0, 0.0, seed);
  for (size_t i = 0; i < NODES; i++) {
    g->x[i] = g->t[i] > 8.0 ? 64.0 + moved * fmin(fmax(2.0 * g->t[i] - 17.0, 0.0), 1.0) : g->x[i];
  }
  return g;
}

DLS_TEST(steep_part_and_level_part_each_count_by_their_slope)
{
  expect(steep_then_level(0.0, 0.0, 1), steep_then_level(0.3, 0.02, 2), 0.3 / 9.0);
  expect(steep_then_level(0.0, 0.0, 1), steep_then_level(0.3, 0.05, 2), 0.05);
}

DLS_TEST(limits_that_are_in_no_interval_count)
{
  dls_graph *first = long_graph(0.0, 0.0, 99.0, 0.0, 1), *last = long_graph(0.0, 0.0, 99.0, 0.0, 1);
  dls_graph *middle = long_graph(0.0, 0.0, 99.0, 0.0, 1);
  first->t[1] = 0.0;
  first->x[0] = 0.7; /* a jump at the start, */
  last->t[NODES - 2] = last->t[NODES - 1];
  last->x[NODES - 1] = -0.6;                        /* one at the end, */
  middle->t[201] = middle->t[202] = middle->t[200]; /* and there and back at one time */
  middle->x[201] = 0.8;
  expect(first, long_graph(0.0, 0.0, 99.0, 0.0, 2), 0.7);
  expect(long_graph(0.0, 0.0, 99.0, 0.0, 3), last, 0.6);
  expect(middle, long_graph(0.0, 0.0, 99.0, 0.0, 4), 0.8);
}

/* There and back at one time, so that no interval tells of it: at any place among the intervals that are looked at together. */
DLS_TEST(spikes_count_wherever_they_are)
{
  for (size_t place = 50; place < 150; place++) {
    dls_graph *spike = long_graph(0.0, 0.0, 99.0, 0.0, 1), *level = long_graph(0.0, 0.0, 99.0, 0.0, 1);
    spike->t[place + 1] = spike->t[place + 2] = spike->t[place];
    spike->x[place + 1] = 0.8;
    const dls_measure one = distance(spike, level, 1e-3), other = distance(level, spike, 1e-3);
    assert_close(one.value, 0.8, one.bound);
    assert_close(other.value, 0.8, other.bound);
    dls_graph_destroy(spike);
    dls_graph_destroy(level);
  }
}

/* A motion with impacts and its disturbed copy, late by up to `error`. */
static dls_graph *motion(size_t dim, bool cubic, double error, uint64_t seed)
{
  dls_graph *g = dls_graph_create(NODES, dim, cubic);
  uint64_t state = random_seed(seed);
  double side = 1.0;
  for (size_t i = 0; i < NODES; i++) {
    const bool jump = i % 67 == 66;
    const double late = i == 0 || i + 1 == NODES ? 0.0 : error * random_unit(&state);
    g->t[i] = jump ? g->t[i - 1] : 0.02 * (double)i + late;
    side = jump ? -0.7 * side : side;
    for (size_t k = 0; k < dim; k++) {
      const double t = g->t[i], w = 1.0 + 0.5 * (double)k;
      g->x[i * dim + k] = side * (2.0 + sin(w * t)) + error * sin(3.0 * t);
      if (cubic) {
        g->slope[i * dim + k] = side * w * cos(w * t) + error * 3.0 * cos(3.0 * t);
      }
    }
  }
  return g;
}

DLS_TEST(blocks_agree_with_whole_graphs)
{
  for (uint64_t n = 0; n < 24; n++) {
    const double error = pow(10.0, -2.0 - 0.2 * (double)n);
    dls_graph *a = motion(1 + n % 2, n % 3 == 0, 0.0, n), *b = motion(1 + n % 2, n % 4 == 0, error, n + 100);
    const dls_measure by_blocks = distance(a, b, 1e-3);
    b->t[NODES - 1] += 1e-13; /* no longer over the same time */
    const dls_measure whole = distance(a, b, 1e-3);
    assert_close(by_blocks.value, whole.value, by_blocks.bound + whole.bound + 1e-12);
    assert_between(by_blocks.bound, 0.0, 1.01e-3 * by_blocks.value + 1e-12);
    dls_graph_destroy(a);
    dls_graph_destroy(b);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jump_that_is_late_counts_with_its_delay),
      cmocka_unit_test(plateau_on_a_ramp_counts_over_one_plus_slope),
      cmocka_unit_test(steep_part_and_level_part_each_count_by_their_slope),
      cmocka_unit_test(limits_that_are_in_no_interval_count),
      cmocka_unit_test(spikes_count_wherever_they_are),
      cmocka_unit_test(blocks_agree_with_whole_graphs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
