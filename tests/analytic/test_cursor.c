/* test_cursor.c -- walks along graphs: the coefficients of pieces and values of graphs, found without a search, to the bit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/graph/cursor.h"
#include "check.h"
#include "random_graph.h"
#include <float.h>

/* From `low` on in steps that end at random places of each piece and at its end. */
static void walk(const dls_graph *g, size_t component, double low, uint64_t *seed)
{
  dls_cursor f = dls_cursor_at(g, component, low);
  double c[4], expected[4];
  for (double a = low, b; a < g->t[g->count - 1]; a = b) {
    const size_t i = dls_graph_search(g, a, true) - 1;
    if (i != f.piece) {
      dls_cursor_enter(&f, i);
    }
    const double far = a + 0.7 * random_unit(seed);
    b = far < g->t[i + 1] ? far : g->t[i + 1];
    dls_piece_part(g, i, component, a, b, expected);
    dls_cursor_part(&f, b, c);
    for (size_t l = 0; l < 4; l++) {
      assert_true(c[l] == expected[l]);
    }
  }
}

DLS_TEST(a_walk_has_the_coefficients_of_every_part)
{
  for (uint64_t n = 0; n < 200; n++) {
    uint64_t seed = random_seed(n);
    dls_graph *g = random_graph(20, 1 + n % 2, n % 3 > 0, &seed);
    walk(g, n % 2, 0.0, &seed);
    walk(g, n % 2, 0.5 * g->t[19], &seed);
    dls_graph_destroy(g);
  }
}

DLS_TEST(values_in_a_row_are_those_of_a_search)
{
  for (uint64_t n = 0; n < 200; n++) {
    uint64_t seed = random_seed(n);
    dls_graph *g = random_graph(20, 2, n % 3 > 0, &seed);
    size_t near = 0;
    for (double t = -0.3; t < g->t[19] + 1.0; t += random_unit(&seed)) {
      const size_t node = (size_t)(20 * random_unit(&seed));
      const double at = random_unit(&seed) < 0.3 && g->t[node] >= t ? g->t[node] : t;
      double x[2], expected[2];
      const int side = random_unit(&seed) < 0.5 ? -1 : 1;
      dls_graph_value(g, at, side, expected);
      dls_graph_value_near(g, at, side, &near, x);
      assert_true(x[0] == expected[0] && x[1] == expected[1]);
    }
    dls_graph_destroy(g);
  }
}

/* |t - r| over [0, 1] is r^2/2 + (1 - r)^2/2, however near the zero is to an end; lines as cubics. */
DLS_TEST(integral_of_a_line_through_zero)
{
  for (double r = 0.5; r > 1e-17; r *= 0.3) {
    for (int side = 0; side < 2; side++) {
      const double zero = side == 0 ? r : 1 - r, expected = 0.5 * (zero * zero + (1 - zero) * (1 - zero));
      dls_graph *a = dls_graph_create(2, 1, true), *b = GRAPH({0, 0}, {1, 0});
      a->t[1] = a->slope[0] = a->slope[1] = 1;
      a->x[0] = -zero;
      a->x[1] = 1 - zero;
      dls_measure m;
      dls_error err = {0};
      const dls_norm *norm = dls_norm_find("l1");
      assert_ok(norm->measure(norm, a, b, &dls_metric_default, &m, &err), err);
      assert_close(m.value, expected, m.bound);
      assert_between(m.bound, 0, 100 * DBL_EPSILON);
      dls_graph_destroy(a);
      dls_graph_destroy(b);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_walk_has_the_coefficients_of_every_part),
      cmocka_unit_test(values_in_a_row_are_those_of_a_search),
      cmocka_unit_test(integral_of_a_line_through_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
