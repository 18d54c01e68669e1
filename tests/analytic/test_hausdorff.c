/* test_hausdorff.c -- the distance of filled-in graphs: closed forms, metric axioms, and a slow reference that
 * shares no code with it (all segments, golden section, bisection).
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "check.h"
#include "random_graph.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

static dls_measure distance_in(const dls_graph *a, const dls_graph *b, double tau, double xi, double accuracy)
{
  dls_error err = {0};
  dls_measure m = {0};
  const dls_metric metric = {tau, xi, accuracy};
  assert_ok(dls_hausdorff(a, b, &metric, &m, &err), err);
  return m;
}

/* Of graphs that are thrown away: value within its own bound, bound within the accuracy asked. */
static void expect(dls_graph *a, dls_graph *b, double expected)
{
  for (double accuracy = 1e-1; accuracy > 1e-12; accuracy *= 1e-2) {
    const dls_measure m = distance_in(a, b, 1.0, 1.0, accuracy);
    assert_close(m.value, expected, m.bound);
    assert_between(m.bound, 0.0, 1.01 * accuracy * expected + 1e-13);
  }
  dls_graph_destroy(a);
  dls_graph_destroy(b);
}

DLS_TEST(displaced_jump_counts_with_its_delay)
{
  expect(GRAPH({0, 0}, {1, 0}, {1, 1}, {3, 1}), GRAPH({0, 0}, {1.25, 0}, {1.25, 1}, {3, 1}), 0.25);
  /* a delay longer than the jump is high counts with the height */
  expect(GRAPH({0, 0}, {1, 0}, {1, 1}, {9, 1}), GRAPH({0, 0}, {6, 0}, {6, 1}, {9, 1}), 1.0);
}

DLS_TEST(jump_of_different_height_counts_with_the_difference)
{
  expect(GRAPH({0, 0}, {1, 0}, {1, 1}, {3, 1}), GRAPH({0, 0}, {1, 0}, {1, 1.5}, {3, 1.5}), 0.5);
}

DLS_TEST(shifted_ramp_of_slope_k_counts_shift_over_one_plus_k)
{
  /* |dt| = |k dt - c| => dt = c / (1 + k); at the ends of the graphs the whole shift remains ... */
  expect(GRAPH({0, 0}, {10, 10}), GRAPH({0, 0.5}, {10, 10.5}), 0.5);
  /* ... unless both level out there; then the ramps decide against a plateau shifted by nothing */
  expect(GRAPH({0, 0}, {2, 0}, {3, 4}, {5, 4}), GRAPH({0, 0}, {2.5, 0}, {3.5, 4}, {5, 4}), 2.0 / 5.0);
}

DLS_TEST(stair_under_a_ramp)
{
  /* corner (k, k-1) or tread end: d = c / (1 + slope) with c = 1 the height of a step */
  expect(GRAPH({0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 2}, {3, 2}, {3, 3}), GRAPH({0, 0}, {3, 3}), 0.5);
}

DLS_TEST(one_bump_is_seen_between_the_nodes)
{
  /* the farthest point (0.5, 1) of A is a node; of B = valley it is inside a segment of A */
  expect(GRAPH({-5, 0}, {-4, 3}, {4, 3}, {5, 0}), GRAPH({-5, 0}, {5, 0}), 3.0);
  expect(GRAPH({-5, 1}, {5, 1}), GRAPH({-5, 1}, {-3, 0}, {0, 2}, {3, 0}, {5, 1}), 1.0);
  /* between two posts at -2 and 2 the middle of the floor is 2 away from either */
  expect(GRAPH({-2, 9}, {-2, 0}, {2, 0}, {2, 9}), GRAPH({-2, 0}, {-2, 9}, {2, 9}, {2, 0}), 2.0);
}

DLS_TEST(middle_of_a_segment_whose_ends_are_near)
{
  /* (t, 10 t) is 10 t above the floor and 9.9 - t + (10 t - d) / 1000 = d before the wall: t = 0.9
                */
  expect(GRAPH({0, 0}, {10, 100}, {10, 0}, {12, 0}), GRAPH({0, 0}, {9.9, 0}, {10, 100}, {10, 0}, {12, 0}), 9.0);
}

DLS_TEST(scales_divide_time_and_value)
{
  dls_graph *a = GRAPH({0, 0}, {1, 0}, {1, 1}, {3, 1}), *b = GRAPH({0, 0}, {1.25, 0}, {1.25, 1}, {3, 1});
  assert_close(distance_in(a, b, 0.5, 1.0, 1e-9).value, 0.5, 1e-9);
  assert_close(distance_in(a, b, 1e-3, 4.0, 1e-9).value, 0.25, 1e-9); /* too late to matter: the height */
  dls_graph_destroy(a);
  dls_graph_destroy(b);
}

DLS_TEST(parabola_against_its_chord)
{
  /* x = t (4 - t) / 4 against 0 on [0, 4]: 1 at the middle, exact for a cubic */
  for (size_t nodes = 2; nodes < 6; nodes++) {
    dls_graph *a = dls_graph_create(nodes, 1, true);
    for (size_t i = 0; i < nodes; i++) {
      const double t = a->t[i] = 4.0 * (double)i / ((double)nodes - 1.0);
      a->x[i] = t * (4.0 - t) / 4.0;
      a->slope[i] = 1.0 - 0.5 * t;
    }
    nodes % 2 ? expect(a, GRAPH({0, 0}, {4, 0}), 1.0) : expect(GRAPH({0, 0}, {4, 0}), a, 1.0);
  }
}

/* 0 until `start`, (t - start)^2 until it is 4, then 4 until 9. */
static dls_graph *half_parabola(double start)
{
  const double t[] = {-4.0, start, start + 2.0, start + 2.0, 9.0}, x[] = {0.0, 0.0, 4.0, 4.0, 4.0};
  dls_graph *g = dls_graph_create(5, 1, true);
  memcpy(g->t, t, sizeof t);
  memcpy(g->x, x, sizeof x);
  g->slope[2] = 4.0;
  return g;
}

DLS_TEST(parabola_that_comes_late)
{
  /* the corner (2, 4) decides: d = 4 - (2 + d - c)^2, near c times 4 / (1 + 4); chords alone say 2
                  / 3 */
  for (double late = 0.1; late > 1e-8; late *= 0.1) {
    dls_graph *a = half_parabola(0.0), *b = half_parabola(late);
    const dls_measure m = distance_in(a, b, 1.0, 1.0, 1e-3);
    assert_close(m.value, late - 2.0 * late / (5.0 + sqrt(25.0 - 4.0 * late)), m.bound);
    assert_between(m.bound, 0.0, 1.001e-3 * m.value);
    dls_graph_destroy(a);
    dls_graph_destroy(b);
  }
}

/* ---- the slow reference ---- */

static double point_at(const double *p, const double *b, size_t width, double mu)
{
  double d = 0.0;
  for (size_t i = 0; i < width; i++) {
    d = fmax(d, fabs(p[i] - b[i] - mu * (b[width + i] - b[i])));
  }
  return d;
}

/* Convex in mu: golden section. */
static double to_segment(const double *p, const double *b, size_t width)
{
  double low = 0.0, high = 1.0;
  for (int k = 0; k < 45; k++) {
    const double u = low + 0.38196601125 * (high - low), v = high - 0.38196601125 * (high - low);
    if (point_at(p, b, width, u) < point_at(p, b, width, v)) {
      high = v;
    } else {
      low = u;
    }
  }
  return fmin(point_at(p, b, width, 0.5 * (low + high)),
              fmin(point_at(p, b, width, 0.0), point_at(p, b, width, 1.0)));
}

typedef struct chain {
  size_t count, width;
  double *p;
} chain;

static double to_chain(const double *p, const chain *b)
{
  double best = INFINITY;
  for (size_t i = 0; i + 1 < b->count; i++) {
    const double *s = b->p + i * b->width;
    if (s[0] - p[0] < best && p[0] - s[b->width] < best) {
      best = fmin(best, to_segment(p, s, b->width));
    }
  }
  return best;
}

/* min over b of the larger distance of p and q: no point between is farther, because b is convex. */
static double upper_bound(const double *p, const double *q, const chain *b)
{
  double best = INFINITY;
  for (size_t i = 0; i + 1 < b->count; i++) {
    const double *s = b->p + i * b->width;
    if (s[0] - p[0] < best && q[0] - s[b->width] < best) {
      const double d = to_segment(p, s, b->width);
      best = d < best ? fmin(best, fmax(d, to_segment(q, s, b->width))) : best;
    }
  }
  return best;
}

/* sup over the segment [p, q] to within tol, given that best is reached elsewhere. */
static double sup_on(const double *p, const double *q, const chain *b, double best, double tol)
{
  if (upper_bound(p, q, b) <= best + tol) {
    return best;
  }
  double mid[8];
  for (size_t i = 0; i < b->width; i++) {
    mid[i] = 0.5 * (p[i] + q[i]);
  }
  best = fmax(best, to_chain(mid, b));
  return sup_on(mid, q, b, sup_on(p, mid, b, best, tol), tol);
}

static double slow_excess(const chain *a, const chain *b, double tol)
{
  double best = 0.0;
  for (size_t i = 0; i < a->count; i++) {
    best = fmax(best, to_chain(a->p + i * a->width, b));
  }
  for (size_t i = 0; i + 1 < a->count; i++) {
    best = sup_on(a->p + i * a->width, a->p + (i + 1) * a->width, b, best, tol);
  }
  return best;
}

/* Hermite basis; pieces become `cuts` chords. */
static chain chain_of(const dls_graph *g, size_t cuts, double tau, double xi)
{
  chain c = {.width = g->dim + 1, .p = calloc(g->count * cuts * (g->dim + 1) + g->dim + 1, sizeof(double))};
  for (size_t i = 0; i < g->count; i++) {
    const double h = i + 1 < g->count ? g->t[i + 1] - g->t[i] : 0.0;
    const size_t pieces = h > 0.0 && g->slope != NULL ? cuts : 1;
    for (size_t j = 0; j < pieces; j++) {
      const double s = (double)j / (double)pieces;
      double *p = c.p + c.count++ * c.width;
      p[0] = (g->t[i] + s * h) / tau;
      for (size_t k = 0; k < g->dim; k++) {
        const size_t l = i * g->dim + k;
        double x = g->x[l];
        if (s > 0.0) {
          x = (1 + 2 * s) * (1 - s) * (1 - s) * g->x[l] + s * s * (3 - 2 * s) * g->x[l + g->dim] +
              h * s * (1 - s) * (1 - s) * g->slope[l] + h * s * s * (s - 1) * g->slope[l + g->dim];
        }
        p[k + 1] = x / xi;
      }
    }
  }
  return c;
}

static double slow_distance(const dls_graph *a, const dls_graph *b, size_t cuts, double tau, double xi,
                            double tol)
{
  chain ca = chain_of(a, cuts, tau, xi), cb = chain_of(b, cuts, tau, xi);
  const double d = fmax(slow_excess(&ca, &cb, tol), slow_excess(&cb, &ca, tol));
  free(ca.p);
  free(cb.p);
  return d;
}

static void equals_slow_reference(size_t dim, bool slope_a, bool slope_b, size_t pairs, double slow_error)
{
  const double accuracies[] = {1e-1, 1e-3, 1e-6, 1e-9};
  for (size_t n = 0; n < pairs; n++) {
    uint64_t seed = random_seed(1000 * dim + n + 500 * slope_a + 250 * slope_b);
    const size_t nodes = 2 + (size_t)((slope_a || slope_b ? 5.0 : 14.0) * random_unit(&seed));
    dls_graph *a = random_graph(nodes, dim, slope_a, &seed);
    dls_graph *b = n % 3 == 0 && slope_a == slope_b
                       ? disturbed_graph(a, 0.01, &seed)
                       : random_graph(2 + n % (slope_a || slope_b ? 5 : 13), dim, slope_b, &seed);
    const double tau = n % 2 ? 1.0 : 0.1 + random_unit(&seed), xi = n % 2 ? 1.0 : 0.1 + random_unit(&seed);
    const dls_measure m = distance_in(a, b, tau, xi, accuracies[n % (slope_a || slope_b ? 3 : 4)]);
    const double slow = slow_distance(a, b, 128, tau, xi, 1e-9);
    assert_close(m.value, slow, m.bound + 2e-9 + slow_error / xi);
    assert_between(m.bound, 0.0, 1.001 * accuracies[n % (slope_a || slope_b ? 3 : 4)] * m.value + 1e-12);
    dls_graph_destroy(a);
    dls_graph_destroy(b);
  }
}

DLS_TEST(linear_graphs_equal_the_slow_reference)
{
  equals_slow_reference(1, false, false, 120, 0.0);
  equals_slow_reference(2, false, false, 60, 0.0);
  equals_slow_reference(3, false, false, 60, 0.0);
}

DLS_TEST(rough_graphs_equal_the_slow_reference)
{
  /* several levels of boxes, many look-ups, windows of many segments */
  for (uint64_t n = 0; n < 8; n++) {
    uint64_t seed = random_seed(n);
    dls_graph *a = random_graph(150, 1 + n % 2, false, &seed), *b = random_graph(170, 1 + n % 2, false, &seed);
    const double tau = n < 4 ? 5.0 : 100.0;
    const dls_measure m = distance_in(a, b, tau, 1.0, n % 4 < 2 ? 0.5 : 1e-6);
    assert_close(m.value, slow_distance(a, b, 1, tau, 1.0, 1e-9), m.bound + 2e-9);
    dls_graph_destroy(a);
    dls_graph_destroy(b);
  }
}

DLS_TEST(cubic_graphs_equal_the_slow_reference)
{
  /* |f''| h^2 / 8 / 128^2 <= (6 * 2 + 6 * 2) / 8 / 16384 = 1.9e-4 for either graph */
  equals_slow_reference(1, true, true, DLS_TEST_CASES(8, 3), 4e-4);
  equals_slow_reference(2, true, true, DLS_TEST_CASES(4, 1), 4e-4);
  equals_slow_reference(1, true, false, DLS_TEST_CASES(8, 3), 4e-4);
}

/* e_k = move t (1 - t) cos(7 t + 2 k): 0 at the ends, beyond which no point is found. */
static double steep_move(double t, size_t k, double move)
{
  return move * t * (1.0 - t) * cos(7.0 * t + 2.0 * (double)k);
}

/* x_k = 50 sin(20 t + k) + e_k on [0, 1]. */
static dls_graph *steep_graph(size_t dim, double move)
{
  const size_t nodes = 201;
  dls_graph *g = dls_graph_create(nodes, dim, true);
  for (size_t i = 0; i < nodes; i++) {
    const double t = g->t[i] = (double)i / (double)(nodes - 1);
    for (size_t k = 0; k < dim; k++) {
      const double angle = 7.0 * t + 2.0 * (double)k;
      g->x[i * dim + k] = 50.0 * sin(20.0 * t + (double)k) + steep_move(t, k, move);
      g->slope[i * dim + k] = 1e3 * cos(20.0 * t + (double)k) +
                              move * ((1.0 - 2.0 * t) * cos(angle) - 7.0 * t * (1.0 - t) * sin(angle));
    }
  }
  return g;
}

/* Close graphs are straight lines at the scale of their distance: min over s of the largest |e_k - x_k' s| and |s|. */
static double first_order_distance(size_t dim, double move, double t)
{
  double low = -move, high = move, d = 0.0;
  for (int step = 0; step < 40; step++) {
    const double s[2] = {low + 0.38196601125 * (high - low), high - 0.38196601125 * (high - low)};
    double at[2];
    for (size_t j = 0; j < 2; j++) {
      at[j] = fabs(s[j]);
      for (size_t k = 0; k < dim; k++) {
        const double e = steep_move(t, k, move), slope = 1e3 * cos(20.0 * t + (double)k);
        at[j] = fmax(at[j], fabs(e - slope * s[j]));
      }
    }
    low = at[0] < at[1] ? low : s[0];
    high = at[0] < at[1] ? s[1] : high;
    d = fmin(at[0], at[1]);
  }
  return d;
}

DLS_TEST(steep_cubics_that_are_close_are_measured_to_the_accuracy_asked)
{
  /* chords of slope errors of 1e-4 would be 4e5 for each of 200 pieces */
  const double move = 1e-6;
  for (size_t dim = 2; dim < 8; dim += 2) {
    double expected = 0.0;
    for (size_t i = 0; i <= 4000; i++) {
      expected = fmax(expected, first_order_distance(dim, move, (double)i / 4000.0));
    }
    dls_graph *a = steep_graph(dim, 0.0), *b = steep_graph(dim, move);
    const dls_measure m = distance_in(a, b, 1.0, 1.0, 1e-3);
    assert_close(m.value, expected, m.bound + 2e-3 * expected);
    assert_between(m.bound, 0.0, 1.001e-3 * m.value + 1e-12);
    dls_graph_destroy(a);
    dls_graph_destroy(b);
  }
}

DLS_TEST(graph_moved_up_is_as_far_as_the_move)
{
  /* its highest point is that far above every point of the other. Cubics must not hide small
                  moves. */
  for (uint64_t n = 0; n < DLS_TEST_CASES(40, 16); n++) {
    uint64_t seed = random_seed(n);
    const double move = pow(10.0, -12.0 * random_unit(&seed));
    dls_graph *a = random_graph(20, 1, n % 2 == 0, &seed), *b = disturbed_graph(a, 0.0, &seed);
    for (size_t i = 0; i < a->count; i++) {
      b->x[i] = a->x[i] + move;
    }
    const dls_measure m = distance_in(a, b, 1.0, 1.0, 1e-3);
    assert_close(m.value, move, m.bound);
    assert_between(m.bound, 0.0, 1e-3 * move + 4e-13);
    dls_graph_destroy(a);
    dls_graph_destroy(b);
  }
}

DLS_TEST(equal_graphs_are_at_zero_with_a_bound_of_rounding)
{
  for (uint64_t n = 0; n < 20; n++) {
    uint64_t seed = random_seed(n);
    dls_graph *a = random_graph(50, 1 + n % 3, n % 2 == 0, &seed);
    const dls_measure m = distance_in(a, a, 1.0, 1.0, 1e-3);
    assert_between(m.value, 0.0, 1e-14);
    assert_between(m.bound, 0.0, 4e-12); /* t up to 50: 32 ulp of it twice */
    dls_graph_destroy(a);
  }
}

/* The cubics of a, cut at more nodes: the same function. */
DLS_TEST(extra_nodes_change_nothing)
{
  for (uint64_t n = 0; n < 10; n++) {
    uint64_t seed = random_seed(n);
    dls_graph *a = random_graph(12, 1, true, &seed), *b = NULL, *c = NULL;
    const double end = a->t[11];
    dls_error err = {0};
    assert_ok(dls_graph_clip(a, 0.0, 0.37 * end, &b, &err), err);
    assert_ok(dls_graph_clip(a, 0.37 * end, end, &c, &err), err);
    dls_graph *joined = dls_graph_create(b->count + c->count, 1, true);
    memcpy(joined->t, b->t, b->count * sizeof(double));
    memcpy(joined->x, b->x, b->count * sizeof(double));
    memcpy(joined->slope, b->slope, b->count * sizeof(double));
    memcpy(joined->t + b->count, c->t, c->count * sizeof(double));
    memcpy(joined->x + b->count, c->x, c->count * sizeof(double));
    memcpy(joined->slope + b->count, c->slope, c->count * sizeof(double));
    const dls_measure m = distance_in(a, joined, 1.0, 1.0, 1e-3);
    assert_between(m.value, 0.0, 1e-14);
    assert_between(m.bound, 0.0, 1e-12);
    dls_graph_destroy(a);
    dls_graph_destroy(b);
    dls_graph_destroy(c);
    dls_graph_destroy(joined);
  }
}

DLS_TEST(symmetry_and_triangle_inequality)
{
  for (uint64_t n = 0; n < 200; n++) {
    uint64_t seed = random_seed(n);
    const size_t dim = 1 + n % 3;
    dls_graph *g[3];
    for (size_t i = 0; i < 3; i++) {
      g[i] = random_graph(2 + (n + 5 * i) % 17, dim, n % 5 == 0, &seed);
    }
    const dls_measure ab = distance_in(g[0], g[1], 1.0, 1.0, 1e-3),
                      ba = distance_in(g[1], g[0], 1.0, 1.0, 1e-3);
    const dls_measure bc = distance_in(g[1], g[2], 1.0, 1.0, 1e-3),
                      ac = distance_in(g[0], g[2], 1.0, 1.0, 1e-3);
    assert_close(ab.value, ba.value, ab.bound + ba.bound);
    assert_between(ac.value - ac.bound, 0.0, ab.value + ab.bound + bc.value + bc.bound);
    for (size_t i = 0; i < 3; i++) {
      dls_graph_destroy(g[i]);
    }
  }
}

DLS_TEST(many_nodes_far_apart_end)
{
  /* windows of 1e4 nodes everywhere, noise, a single node */
  const size_t n = 20000;
  uint64_t seed = random_seed(7);
  dls_graph *a = dls_graph_create(n, 1, false), *b = dls_graph_create(n, 1, false), *one = GRAPH({0.5, 0.0});
  for (size_t i = 0; i < n; i++) {
    a->t[i] = b->t[i] = (double)i / (double)n;
    a->x[i] = 2.0 * random_unit(&seed) - 1.0;
    b->x[i] = 2.0 * random_unit(&seed) + 9.0;
  }
  assert_close(distance_in(a, b, 1.0, 1.0, 1e-3).value, 10.0, 0.02);
  assert_close(distance_in(a, one, 1.0, 1.0, 1e-3).value, 1.0, 0.01);
  dls_graph_destroy(a);
  dls_graph_destroy(b);
  dls_graph_destroy(one);
}

static void refused(dls_graph *a, dls_graph *b, dls_metric metric, dls_status expected, const char *text)
{
  dls_error err = {0};
  dls_measure m;
  assert_int_equal(dls_hausdorff(a, b, &metric, &m, &err), expected);
  assert_non_null(strstr(err.text, text));
  dls_graph_destroy(a);
  dls_graph_destroy(b);
}

DLS_TEST(bad_input_is_refused)
{
  const dls_metric good = dls_metric_default;
  refused(GRAPH({0, 0}, {1, 0}), dls_graph_create(2, 2, false), good, DLS_ERR_ARG, "1 and 2 components");
  refused(GRAPH({0, 0}, {1, 0}), dls_graph_create(0, 1, false), good, DLS_ERR_ARG, "second graph is empty");
  refused(GRAPH({1, 0}, {0, 0}), GRAPH({0, 0}), good, DLS_ERR_ARG, "t[1] = 0 is before t[0] = 1");
  refused(GRAPH({0, 0}, {1, NAN}), GRAPH({0, 0}), good, DLS_ERR_NONFINITE, "component 0 at t = 1");
  refused(GRAPH({0, 0}, {INFINITY, 0}), GRAPH({0, 0}), good, DLS_ERR_NONFINITE, "t[1]");
  refused(GRAPH({0, 0}), GRAPH({0, 0}), (dls_metric){0.0, 1.0, 1e-3}, DLS_ERR_ARG, "time_scale = 0");
  refused(GRAPH({0, 0}), GRAPH({0, 0}), (dls_metric){1.0, NAN, 1e-3}, DLS_ERR_ARG, "value_scale = nan");
  refused(GRAPH({0, 0}), GRAPH({0, 0}), (dls_metric){1.0, 1.0, 1.0}, DLS_ERR_ARG, "accuracy = 1");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(displaced_jump_counts_with_its_delay),
      cmocka_unit_test(jump_of_different_height_counts_with_the_difference),
      cmocka_unit_test(shifted_ramp_of_slope_k_counts_shift_over_one_plus_k),
      cmocka_unit_test(stair_under_a_ramp),
      cmocka_unit_test(one_bump_is_seen_between_the_nodes),
      cmocka_unit_test(middle_of_a_segment_whose_ends_are_near),
      cmocka_unit_test(scales_divide_time_and_value),
      cmocka_unit_test(parabola_against_its_chord),
      cmocka_unit_test(parabola_that_comes_late),
      cmocka_unit_test(linear_graphs_equal_the_slow_reference),
      cmocka_unit_test(rough_graphs_equal_the_slow_reference),
      cmocka_unit_test(cubic_graphs_equal_the_slow_reference),
      cmocka_unit_test(steep_cubics_that_are_close_are_measured_to_the_accuracy_asked),
      cmocka_unit_test(graph_moved_up_is_as_far_as_the_move),
      cmocka_unit_test(equal_graphs_are_at_zero_with_a_bound_of_rounding),
      cmocka_unit_test(extra_nodes_change_nothing),
      cmocka_unit_test(symmetry_and_triangle_inequality),
      cmocka_unit_test(many_nodes_far_apart_end),
      cmocka_unit_test(bad_input_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
