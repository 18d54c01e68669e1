/* test_norm_flat.c -- the flat distance of measures: closed forms, an exhaustive maximum over test functions, axioms of a metric.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "random_graph.h"
#include <math.h>

enum { TRIALS = 400 };

static dls_measure flat(const dls_graph *f, const dls_graph *g, double tau, double xi)
{
  const dls_metric metric = {tau, xi, 1e-3};
  dls_measure m = {NAN, NAN};
  dls_error err = {0};
  const dls_norm *norm = dls_norm_find("flat");
  assert_non_null(norm);
  assert_ok(norm->measure(norm, f, g, &metric, &m, &err), err);
  return m;
}

/* Of linear graphs, exact but for rounding; the graphs are thrown away. */
static void expect(dls_graph *f, dls_graph *g, double tau, double expected)
{
  const dls_measure m = flat(f, g, tau, 1.0), scaled = flat(f, g, tau, 2.0);
  assert_close(m.value, expected, m.bound);
  assert_between(m.bound, 0.0, 1e-11);
  assert_close(scaled.value, 0.5 * expected, scaled.bound);
  dls_graph_destroy(f);
  dls_graph_destroy(g);
}

static dls_graph *step_at(double t, double height)
{
  return GRAPH({0, 0}, {t, 0}, {t, height}, {8, height});
}

DLS_TEST(a_late_impulse_costs_the_way_or_two_removals)
{
  expect(step_at(1.25, 3), step_at(1, 3), 1.0, 0.75);
  expect(step_at(7, 3), step_at(1, 3), 1.0, 6.0);     /* farther than 2: both are removed */
  expect(step_at(1.25, 3), step_at(1, 3), 0.1, 6.0);  /* the scale of time makes it far */
  expect(step_at(1.25, 3), step_at(1, 2), 1.0, 1.5);  /* 2 on the way, 1 removed */
  expect(step_at(1.25, 3), step_at(1, -2), 1.0, 5.0); /* other signs do not meet */
  expect(step_at(1.25, 3), step_at(2, 0), 1.0, 3.0);
}

DLS_TEST(who_has_met_parts_again)
{
  /* -1 at 1, +1 at 2, -1 at 2.5: the first is better removed; met with the first: 1 + 1, with the last: 0.5 + 1 */
  expect(GRAPH({0, 0}, {1, 0}, {1, -1}, {2, -1}, {2, 0}, {2.5, 0}, {2.5, -1}, {4, -1}), step_at(8, 0), 1.0,
         1.5);
  /* -1 at 0.5, +1 at 2, -1 at 2.5, +1 at 4: 0.5 on the way in the middle, two removed, against 1.5 + 1.5 */
  expect(GRAPH({0, 0}, {0.5, 0}, {0.5, -1}, {2, -1}, {2, 0}, {2.5, 0}, {2.5, -1}, {4, -1}, {4, 0}, {5, 0}),
         step_at(8, 0), 1.0, 2.5);
}

DLS_TEST(a_force_against_the_impulses_of_steps)
{
  /* force 1 on [0, 1] against its impulse at the end: int (1 - t) dt; with 0.1 s for 1: int min(10 s, 2) ds */
  expect(GRAPH({0, 0}, {1, 1}, {2, 1}), GRAPH({0, 0}, {1, 0}, {1, 1}, {2, 1}), 1.0, 0.5);
  expect(GRAPH({0, 0}, {1, 1}, {2, 1}), GRAPH({0, 0}, {1, 0}, {1, 1}, {2, 1}), 0.1, 1.8);
  /* against the impulse in the middle: 1/4; force 2 that lasts half as long: 1/8 + 1/8 */
  expect(GRAPH({0, 0}, {1, 1}, {2, 1}), GRAPH({0, 0}, {0.5, 0}, {0.5, 1}, {2, 1}), 1.0, 0.25);
  expect(GRAPH({0, 0}, {1, 1}, {2, 1}), GRAPH({0, 0}, {0.5, 1}, {2, 1}), 1.0, 0.25);
  /* a force alone: its impulse; of changing sign: -1 on [0, 1], +1 on [1, 2] with way 1 for each */
  expect(GRAPH({0, 0}, {3, 1.5}), step_at(8, 0), 1.0, 1.5);
  expect(GRAPH({0, 0}, {1, -1}, {2, 0}, {3, 0}), step_at(8, 0), 1.0, 1.0);
}

DLS_TEST(jumps_at_the_ends_count)
{
  expect(GRAPH({0, 0}, {0, 1}, {2, 1}, {2, 3}), GRAPH({0, 0}, {2, 0}), 1.0, 3.0);
}

/* Times k/8, jumps and slopes at random: some test function that is best has values that are multiples of 1/8, if there
 * are jumps only. */
enum { NODES = 24, LEVELS = 17 };
typedef struct measure_by_hand {
  double jump[NODES], flow[NODES]; /* at k/8; between k/8 and (k+1)/8 */
} measure_by_hand;

static dls_graph *graph_with(const measure_by_hand *m)
{
  dls_graph *g = dls_graph_create(2 * NODES, 1, false);
  double x = 0;
  for (size_t k = 0; k < NODES; k++) {
    g->t[2 * k] = g->t[2 * k + 1] = (double)k / 8;
    g->x[2 * k] = x;
    g->x[2 * k + 1] = x += m->jump[k];
    x += m->flow[k];
  }
  return g;
}

static double best_test_function(const measure_by_hand *m)
{
  double value[LEVELS];
  for (int l = 0; l < LEVELS; l++) {
    value[l] = m->jump[0] * (l - 8) / 8.0;
  }
  for (size_t k = 1; k < NODES; k++) {
    double next[LEVELS];
    for (int l = 0; l < LEVELS; l++) {
      next[l] = value[l];
      next[l] = l > 0 ? fmax(next[l], value[l - 1]) : next[l];
      next[l] = l + 1 < LEVELS ? fmax(next[l], value[l + 1]) : next[l];
      next[l] += m->jump[k] * (l - 8) / 8.0;
    }
    memcpy(value, next, sizeof value);
  }
  double most = value[0];
  for (int l = 1; l < LEVELS; l++) {
    most = fmax(most, value[l]);
  }
  return most;
}

DLS_TEST(as_large_as_the_best_test_function)
{
  dls_graph *zero = GRAPH({0, 0}, {3, 0});
  for (uint64_t trial = 0; trial < TRIALS; trial++) {
    uint64_t seed = random_seed(trial);
    measure_by_hand m = {{0}, {0}};
    for (size_t k = 0; k < NODES; k++) { /* of very different sizes, many of them 0 */
      m.jump[k] =
          random_unit(&seed) < 0.5 ? (2 * random_unit(&seed) - 1) * pow(10, -3 * random_unit(&seed)) : 0;
    }
    dls_graph *g = graph_with(&m);
    const dls_measure found = flat(g, zero, 1.0, 1.0);
    assert_close(found.value, best_test_function(&m), found.bound + 1e-14);
    assert_between(found.bound, 0, 1e-12);
    dls_graph_destroy(g);
  }
  dls_graph_destroy(zero);
}

/* The same masses, those of intervals in `parts` equal pieces at their middles. */
static dls_graph *in_pieces(const measure_by_hand *m, size_t parts)
{
  dls_graph *g = dls_graph_create(2 * NODES * (parts + 1), 1, false);
  double x = 0;
  size_t at = 0;
  for (size_t k = 0; k < NODES; k++) {
    for (size_t j = 0; j <= parts; j++, at += 2) {
      g->t[at] = g->t[at + 1] = ((double)k + (j == 0 ? 0 : ((double)j - 0.5) / (double)parts)) / 8;
      g->x[at] = x;
      g->x[at + 1] = x += j == 0 ? m->jump[k] : m->flow[k] / (double)parts;
    }
  }
  return g;
}

DLS_TEST(forces_are_many_small_impulses)
{
  enum { PARTS = 64 };
  for (uint64_t trial = 0; trial < TRIALS / 4; trial++) {
    uint64_t seed = random_seed(trial);
    measure_by_hand m = {{0}, {0}};
    double mass = 0;
    for (size_t k = 0; k < NODES; k++) {
      m.jump[k] = random_unit(&seed) < 0.3 ? 2 * random_unit(&seed) - 1 : 0;
      m.flow[k] = k + 1 < NODES && random_unit(&seed) < 0.7 ? 2 * random_unit(&seed) - 1 : 0;
      mass += fabs(m.flow[k]);
    }
    dls_graph *whole = graph_with(&m), *pieces = in_pieces(&m, PARTS), *zero = GRAPH({0, 0}, {2.875, 0});
    const double way = 1.0 / (8 * 4 * PARTS); /* mean way of the mass of a piece to its middle */
    dls_graph *clipped = NULL;
    dls_error err = {0};
    assert_ok(dls_graph_clip(pieces, 0, 2.875, &clipped, &err), err);
    const dls_measure a = flat(whole, zero, 1.0, 1.0), b = flat(clipped, zero, 1.0, 1.0);
    assert_close(a.value, b.value, mass * way + a.bound + b.bound);
    const dls_measure between = flat(whole, clipped, 1.0, 1.0);
    assert_between(between.value, 0.99 * mass * way, mass * way + between.bound);
    dls_graph_destroy(whole);
    dls_graph_destroy(pieces);
    dls_graph_destroy(clipped);
    dls_graph_destroy(zero);
  }
}

DLS_TEST(axioms_of_a_metric)
{
  for (uint64_t trial = 0; trial < TRIALS / 4; trial++) {
    uint64_t seed = random_seed(trial);
    const size_t dim = 1 + trial % 3;
    dls_graph *g[3];
    for (int i = 0; i < 3; i++) {
      dls_graph *whole = random_graph(40, dim, trial % 2 == 1, &seed);
      dls_error err = {0};
      assert_ok(dls_graph_clip(whole, 0, 5, &g[i], &err), err);
      dls_graph_destroy(whole);
    }
    const dls_measure ab = flat(g[0], g[1], 0.3, 1), ba = flat(g[1], g[0], 0.3, 1),
                      bc = flat(g[1], g[2], 0.3, 1), ac = flat(g[0], g[2], 0.3, 1),
                      aa = flat(g[0], g[0], 0.3, 1);
    assert_close(ab.value, ba.value, ab.bound + ba.bound);
    assert_true(ac.value <= ab.value + bc.value + ac.bound + ab.bound + bc.bound);
    assert_true(ab.value > 0.1 && ab.bound <= 1e-3 * ab.value);
    assert_true(aa.value <= aa.bound && aa.bound < 1e-12);
    for (int i = 0; i < 3; i++) {
      dls_graph_destroy(g[i]);
    }
  }
}

DLS_TEST(cubics_in_chords_are_within_the_bound)
{
  /* t^3 on [0, 1], density 3 t^2, against its impulse at 1: int (1 - t) 3 t^2 dt = 1/4; coarse and fine accuracies */
  dls_graph *cubic = dls_graph_create(2, 1, true), *step = GRAPH({0, 0}, {1, 0}, {1, 1});
  cubic->t[1] = cubic->x[1] = 1;
  cubic->slope[1] = 3;
  const double accuracies[] = {1e-1, 1e-3, 1e-6};
  for (int i = 0; i < 3; i++) {
    const dls_metric metric = {1, 1, accuracies[i]};
    dls_measure m = {NAN, NAN};
    dls_error err = {0};
    const dls_norm *norm = dls_norm_find("flat");
    assert_ok(norm->measure(norm, cubic, step, &metric, &m, &err), err);
    assert_close(m.value, 0.25, m.bound);
    assert_between(m.bound, 1e-9, accuracies[i] * m.value);
  }
  dls_graph_destroy(cubic);
  dls_graph_destroy(step);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_late_impulse_costs_the_way_or_two_removals),
      cmocka_unit_test(who_has_met_parts_again),
      cmocka_unit_test(a_force_against_the_impulses_of_steps),
      cmocka_unit_test(jumps_at_the_ends_count),
      cmocka_unit_test(as_large_as_the_best_test_function),
      cmocka_unit_test(forces_are_many_small_impulses),
      cmocka_unit_test(axioms_of_a_metric),
      cmocka_unit_test(cubics_in_chords_are_within_the_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
