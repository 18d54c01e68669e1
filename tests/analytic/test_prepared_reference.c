/* test_prepared_reference.c -- coarse versions stay within their bounds, and what is measured by them is what is measured without.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/prepared_reference.h"
#include "analytic/graph/piece.h"
#include "check.h"
#include "random_graph.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { NODES = 900 };
static const double end_time = 9.0;

/* A smooth motion with jumps, or kinks where `jumps` is false, every 113 nodes; disturbed by `error` at times of its own. */
static dls_graph *motion(size_t count, size_t dim, bool cubic, bool jumps, double error, uint64_t seed)
{
  dls_graph *g = dls_graph_create(count, dim, cubic);
  uint64_t state = random_seed(seed);
  double side = 1.0;
  for (size_t i = 0; i < count; i++) {
    const bool jump = i > 0 && i % (count / 8) == 0;
    const double late = i == 0 || i + 1 == count ? 0.0 : 0.5 * random_unit(&state) * fmin(error, 1.0);
    g->t[i] = jump ? g->t[i - 1] : end_time * ((double)i + late) / (double)(count - 1);
    side = jump ? -0.7 * side : side;
    for (size_t k = 0; k < dim; k++) {
      const double t = g->t[i], w = 1.0 + 0.5 * (double)k, size = jumps ? side : 1.0;
      g->x[i * dim + k] = size * (2.0 + sin(w * t)) + error * sin(3.0 * t);
      if (cubic) {
        g->slope[i * dim + k] = size * w * cos(w * t) + 3.0 * error * cos(3.0 * t);
      }
    }
  }
  return g;
}

/* int (g - coarse version) over [from, to], as a sum of many rectangles. */
static double sum_of_differences(const dls_graph *g, const dls_graph *coarse, double from, double to)
{
  double sum = 0.0;
  for (int j = 0; j < 400; j++) {
    const double t = from + (to - from) * (j + 0.5) / 400;
    double x[2], y[2];
    dls_graph_value(g, t, 1, x);
    dls_graph_value(coarse, t, 1, y);
    sum += (to - from) / 400 * (x[0] - y[0]);
  }
  return sum;
}

static void check_coarse_bound(const dls_graph *g, const dls_coarse_bound *o, double error)
{
  const size_t dim = g->dim;
  assert_true(o->graph->count < NODES && o->graph->count >= 18);
  assert_between(o->error, 1e-3 * error, error);
  for (double t = 0.0; t < end_time; t += 0.000937) {
    double x[2], y[2];
    const size_t piece = dls_graph_search(o->graph, t, true) - 1;
    dls_graph_value(g, t, 1, x);
    dls_graph_value(o->graph, t, 1, y);
    for (size_t k = 0; k < dim; k++) {
      assert_between(fabs(x[k] - y[k]), 0.0, o->deviation[piece] + 8 * DBL_EPSILON);
    }
  }
  for (size_t piece = 0; piece + 1 < o->graph->count; piece++) {
    const double from = o->graph->t[piece], length = o->graph->t[piece + 1] - from;
    const double accuracy = 2e-3 * length * o->deviation[piece] + 1e-15;
    assert_close(o->remainder[piece * dim], sum_of_differences(g, o->graph, from, from + length), accuracy);
    for (double part = 0.17; length > 0.0 && part < 1.0; part += 0.31) {
      double size = 0.0;
      const double t = from + part * length,
                   remainder_within = dls_coarse_bound_remainder(o, g, piece, 0, t, &size);
      assert_close(remainder_within, sum_of_differences(g, o->graph, from, t), accuracy);
      assert_between(size, 0.0, 3.0 * 30.0 * length);
    }
  }
}

DLS_TEST(coarse_versions_are_as_near_as_they_say_and_have_the_same_integral)
{
  enum { OUTLINES = 4 };
  for (size_t dim = 1; dim <= 2; dim++) {
    for (int chained = 0; chained < 2; chained++) { /* each by itself; each of the finer one before */
      dls_graph *g = motion(NODES, dim, true, true, 0.0, dim);
      dls_coarse_bound o[OUTLINES];
      double error = 1e-10;
      for (size_t l = 0; l < OUTLINES; l++, error *= 1e2) {
        dls_error err = {0};
        assert_ok(dls_coarse_bound_create(g, chained && l > 0 ? &o[l - 1] : NULL, error, &o[l], &err), err);
        check_coarse_bound(g, &o[l], error);
      }
      for (size_t l = 0; l < OUTLINES; l++) {
        dls_coarse_bound_free(&o[l]);
      }
      dls_graph_destroy(g);
    }
  }
}

static dls_measure against(const dls_graph *f, const dls_prepared_reference *prepared, const char *name,
                           size_t *rough)
{
  dls_error err = {0};
  dls_measure m = {0};
  const dls_metric metric = {1.3, 0.7, 1e-3};
  dls_comparison pair = dls_comparison_of(f, prepared, &metric);
  assert_ok(dls_comparison_measure(&pair, dls_norm_find(name), &m, &err), err);
  *rough = pair.rough;
  dls_comparison_clear(&pair);
  return m;
}

DLS_TEST(measures_by_coarse_versions_agree_with_those_without)
{
  static const char *const names[] = {"hausdorff", "l1", "l2", "max"};
  size_t by_coarse_version = 0;
  for (uint64_t n = 0; n < 32; n++) {
    const size_t dim = 1 + n % 2;
    dls_error err = {0};
    dls_prepared_reference prepared;
    dls_graph *g = motion(NODES, dim, true, n % 8 < 4, 0.0, n), *cut = NULL;
    const dls_graph *f =
        motion(60 + 37 * (size_t)n, dim, n % 3 != 0, n % 8 < 4, pow(10.0, -1.0 - 0.1 * (double)n), n + 100);
    assert_ok(dls_prepared_reference_create(g, &prepared, &err), err);
    if (n % 5 == 0) { /* a run that ends before the reference does, within a piece of the coarse version */
      assert_ok(dls_graph_clip(f, 0.0, 0.81 * end_time, &cut, &err), err);
    }
    const dls_graph *numeric = cut != NULL ? cut : f;
    const dls_prepared_reference plain = {.graph = g};
    for (size_t l = 0; l < sizeof names / sizeof names[0]; l++) {
      size_t rough, none;
      const dls_measure a = against(numeric, &prepared, names[l], &rough),
                        b = against(numeric, &plain, names[l], &none);
      assert_close(a.value, b.value, a.bound + b.bound);
      assert_between(a.bound, 0.0, l == 0 ? 1.1e-3 * a.value : 1e-12);
      by_coarse_version += rough < prepared.coarse_count;
    }
    dls_graph_destroy(cut);
    dls_graph_destroy((dls_graph *)f);
    dls_prepared_reference_free(&prepared);
    dls_graph_destroy(g);
  }
  assert_between((double)by_coarse_version, 64, 128); /* of 128: there is something to compare */
}

/* 1 + 2 t - t^2, in 2^9 pieces. */
static dls_graph *parabola(void)
{
  dls_graph *g = dls_graph_create(513, 1, true);
  for (size_t i = 0; i < 513; i++) {
    const double t = g->t[i] = 0.01 * (double)i;
    g->x[i] = 1.0 + t * (2.0 - t);
    g->slope[i] = 2.0 - 2.0 * t;
  }
  return g;
}

/* A cubic stays one piece, whatever it was cut into; the pieces are found without a remainder. */
DLS_TEST(a_parabola_is_one_piece_of_its_coarse_version)
{
  dls_error err = {0};
  dls_coarse_bound o;
  dls_graph *g = parabola();
  assert_ok(dls_coarse_bound_create(g, NULL, 1e-11, &o, &err), err);
  assert_int_equal(o.graph->count, 2);
  dls_coarse_bound_free(&o);
  dls_graph_destroy(g);
}

/* A coarse version that is exact gives the integral of |f - g| without the graph it was made of, where f - g has one sign
 * and where it changes it in every interval. */
DLS_TEST(exact_coarse_versions_give_integrals_of_differences_that_change_their_sign)
{
  enum { STEPS = 300 };
  dls_error err = {0};
  dls_prepared_reference prepared;
  dls_graph *g = parabola(), *f = dls_graph_create(STEPS + 1, 1, false);
  assert_ok(dls_prepared_reference_create(g, &prepared, &err), err);
  const dls_prepared_reference plain = {.graph = g};
  for (size_t i = 0; i <= STEPS; i++) {
    f->t[i] = 5.12 * (double)i / STEPS;
    dls_graph_value(g, f->t[i], 1, &f->x[i]);
    f->x[i] += i < STEPS / 2 ? 0.2 : i % 2 == 0 ? 0.05 : -0.03;
  }
  size_t rough, none;
  const dls_measure a = against(f, &prepared, "l1", &rough), b = against(f, &plain, "l1", &none);
  assert_between((double)rough, 0, (double)prepared.coarse_count - 1);
  assert_close(a.value, b.value, a.bound + b.bound);
  assert_between(a.bound, 0.0, 4e-12);
  dls_graph_destroy(f);
  dls_prepared_reference_free(&prepared);
  dls_graph_destroy(g);
}

/* Coarse versions of a reference at rest are exact: also these serve only graphs of as many components. */
DLS_TEST(graphs_of_other_components_are_refused_beside_a_reference_at_rest)
{
  dls_error err = {0};
  dls_prepared_reference prepared;
  dls_graph *rest = dls_graph_create(NODES, 3, true), *f = dls_graph_create(2, 1, false);
  for (size_t i = 0; i < NODES; i++) {
    rest->t[i] = end_time * (double)i / (NODES - 1);
    for (size_t k = 0; k < 3; k++) {
      rest->x[3 * i + k] = rest->slope[3 * i + k] = 0.0;
    }
  }
  f->t[0] = 0.0;
  f->t[1] = end_time;
  f->x[0] = f->x[1] = 0.25;
  assert_ok(dls_prepared_reference_create(rest, &prepared, &err), err);
  assert_true(prepared.coarse_count > 0 && prepared.coarse[0].error == 0.0);
  const dls_metric metric = {1.0, 1.0, 1e-3};
  static const char *const norms[] = {"hausdorff", "l1"};
  for (size_t i = 0; i < 2; i++) {
    dls_measure m = {0};
    dls_comparison pair = dls_comparison_of(f, &prepared, &metric);
    assert_int_equal(dls_comparison_measure(&pair, dls_norm_find(norms[i]), &m, &err), DLS_ERR_ARG);
    assert_non_null(strstr(err.text, "1 and 3 components"));
    dls_comparison_clear(&pair);
  }
  dls_graph_destroy(f);
  dls_prepared_reference_free(&prepared);
  dls_graph_destroy(rest);
}

DLS_TEST(graphs_without_slopes_have_no_coarse_versions)
{
  dls_error err = {0};
  dls_prepared_reference prepared;
  dls_graph *g = motion(NODES, 1, false, true, 0.0, 1);
  assert_ok(dls_prepared_reference_create(g, &prepared, &err), err);
  assert_int_equal(prepared.coarse_count, 0);
  dls_prepared_reference_free(&prepared);
  dls_graph_destroy(g);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coarse_versions_are_as_near_as_they_say_and_have_the_same_integral),
      cmocka_unit_test(measures_by_coarse_versions_agree_with_those_without),
      cmocka_unit_test(a_parabola_is_one_piece_of_its_coarse_version),
      cmocka_unit_test(exact_coarse_versions_give_integrals_of_differences_that_change_their_sign),
      cmocka_unit_test(graphs_of_other_components_are_refused_beside_a_reference_at_rest),
      cmocka_unit_test(graphs_without_slopes_have_no_coarse_versions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
