/* test_norm_power.c -- lp and grid-lp: closed forms within the bound that is printed, p = 1 and 2, sizes, refusals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "random_graph.h"
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdio.h>

static const double powers[] = {1, 2, 3, 4, 5, 8, 13, 33, 64};
enum { POWERS = sizeof powers / sizeof powers[0] };

static dls_measure measure_in(const char *name, double p, const dls_graph *f, const dls_graph *g,
                              const dls_metric *metric)
{
  char text[40];
  dls_norm_choice choice;
  dls_measure m = {NAN, NAN};
  dls_error err = {0};
  snprintf(text, sizeof text, "%s:p=%g", name, p);
  assert_ok(dls_norm_read(text, &choice, &err), err);
  assert_string_equal(choice.norm.name, text);
  assert_ok(choice.norm.measure(&choice.norm, f, g, metric, &m, &err), err);
  return m;
}

/* The value within its bound, which is at rounding level; the graphs are thrown away. */
static void expect(const char *name, double p, dls_graph *f, dls_graph *g, double expected, double scale)
{
  const dls_measure m = measure_in(name, p, f, g, &dls_metric_default);
  assert_close(m.value, expected, m.bound);
  assert_between(m.bound, 0, 1e-13 * scale);
  dls_graph_destroy(f);
  dls_graph_destroy(g);
}

/* A jump 2 high and 1/4 late: 2 (1/4)^(1/p); t - 1 against 0 on [0, 3]; a line that keeps its sign, from 1 to 4. */
DLS_TEST(lines_have_closed_forms)
{
  for (size_t i = 0; i < POWERS; i++) {
    const double p = powers[i];
    expect("lp", p, GRAPH({0, 1}, {1.25, 1}, {1.25, -1}, {3, -1}), GRAPH({0, 1}, {1, 1}, {1, -1}, {3, -1}),
           2 * pow(0.25, 1 / p), 1);
    expect("lp", p, GRAPH({0, -1}, {3, 2}), GRAPH({0, 0}, {3, 0}), 2 * pow((2 + pow(0.5, p)) / (p + 1), 1 / p),
           2);
    expect("lp", p, GRAPH({0, 1}, {3, 4}), GRAPH({0, 0}, {3, 0}), 4 * pow((4 - pow(0.25, p)) / (p + 1), 1 / p),
           8);
  }
}

/* c (t - a)(t - b)(t - d) on [-1, 1]. */
static dls_graph *cubic(double c, double a, double b, double d)
{
  dls_graph *g = dls_graph_create(2, 1, true);
  for (size_t i = 0; i < 2; i++) {
    const double t = i == 0 ? -1 : 1, x = t - a, y = t - b, z = t - d;
    g->t[i] = t;
    g->x[i] = c * x * y * z;
    g->slope[i] = c * (x * y + x * z + y * z);
  }
  return g;
}

/* |t (1 - t^2)|^p over [-1, 1] is B((p+1)/2, p+1); t^2 (t + 1) touches: with s = (t+1)/2 the rest is a sum of betas; a triple
 * root at 1/2. Sizes of 1e-200 and 1e90 change nothing: their powers would vanish and overflow. */
DLS_TEST(cubics_have_closed_forms)
{
  static const double sizes[] = {1, 1e-200, 1e90};
  for (size_t k = 0; k < 3; k++) {
    for (size_t i = 0; i < POWERS; i++) {
      const double p = powers[i], c = sizes[k];
      const double wave = exp(gsl_sf_lnbeta((p + 1) / 2, p + 1) / p);
      const double triple = 1.5 * 1.5 * 1.5 * pow(1.5 * (1 + pow(1.0 / 3, 3 * p + 1)) / (3 * p + 1), 1 / p);
      expect("lp", p, cubic(c, 0, 1, -1), GRAPH({-1, 0}, {1, 0}), c * wave, c);
      expect("lp", p, cubic(c, 0.5, 0.5, 0.5), GRAPH({-1, 0}, {1, 0}), c * triple, 4 * c);
    }
  }
  /* (t^2 (t + 1))^3 = t^6 (1 + 3 t + 3 t^2 + t^3): 2/7 + 6/9; the error 1e-8 is far above rounding and counts */
  expect("lp", 3, cubic(1, 0, 0, -1), GRAPH({-1, 0}, {1, 0}), cbrt(2.0 / 7 + 6.0 / 9), 2);
}

DLS_TEST(one_and_two_are_the_norms_of_that_name)
{
  for (uint64_t n = 0; n < 40; n++) {
    uint64_t seed = random_seed(n);
    dls_graph *a = random_graph(12, 2, n % 2 == 0, &seed), *b = random_graph(9, 2, n % 4 < 2, &seed);
    static const char *const names[][2] = {
        {"l1", "lp"}, {"grid-l1", "grid-lp"}, {"l2", "lp"}, {"grid-l2", "grid-lp"}};
    for (size_t i = 0; i < 4; i++) {
      const dls_metric metric = {2, 5, 1e-3};
      const dls_norm *norm = dls_norm_find(names[i][0]);
      dls_measure m;
      dls_error err = {0};
      assert_ok(norm->measure(norm, a, b, &metric, &m, &err), err);
      const dls_measure l = measure_in(names[i][1], i < 2 ? 1 : 2, a, b, &metric);
      assert_close(l.value / m.value, 1, 4e-15);
      assert_between(l.bound, 0, 1e-13);
    }
    dls_graph_destroy(a);
    dls_graph_destroy(b);
  }
}

/* On an interval of length tau the norms rise with p, up to the maximum, which p = 64 comes near to. */
DLS_TEST(norms_rise_with_p)
{
  for (uint64_t n = 0; n < 40; n++) {
    uint64_t seed = random_seed(n);
    dls_graph *a = random_graph(12, 1, n % 2 == 0, &seed), *b = disturbed_graph(a, 0.3, &seed);
    const dls_metric metric = {a->t[11], 1, 1e-3};
    double before = 0;
    for (size_t i = 0; i < POWERS; i++) {
      const double value = measure_in("lp", powers[i], a, b, &metric).value;
      assert_between(value, before * (1 - 1e-14), 1e3);
      before = value;
    }
    const dls_norm *norm = dls_norm_find("max");
    dls_measure most;
    dls_error err = {0};
    assert_ok(norm->measure(norm, a, b, &metric, &most, &err), err);
    assert_between(before / most.value, 0.7, 1);
    dls_graph_destroy(a);
    dls_graph_destroy(b);
  }
}

/* Errors 1, 2, 3, 4 at 0, 1, 3, 3.5, and the same 1e-200 as large; with units. */
DLS_TEST(grid_norms_weigh_powers_with_the_step_before)
{
  for (size_t i = 0; i < POWERS; i++) {
    const double p = powers[i], exact = 4 * pow(pow(0.5, p) + 2 * pow(0.75, p) + 0.5, 1 / p), c = 1e-200;
    expect("grid-lp", p, GRAPH({0, 1}, {1, 2}, {3, 3}, {3.5, 4}), GRAPH({0, 0}, {4, 0}), exact, 10);
    expect("grid-lp", p, GRAPH({0, c}, {1, 2 * c}, {3, 3 * c}, {3.5, 4 * c}), GRAPH({0, 0}, {4, 0}), c * exact,
           10 * c);
    dls_graph *f = GRAPH({0, 1}, {1, 2}, {3, 3}, {3.5, 4}), *g = GRAPH({0, 0}, {4, 0});
    assert_close(measure_in("grid-lp", p, f, g, &(dls_metric){2, 5, 1e-3}).value, exact / (5 * pow(2, 1 / p)),
                 1e-13);
    dls_graph_destroy(f);
    dls_graph_destroy(g);
  }
}

static void refused(const char *text, const char *message)
{
  dls_norm_choice choice;
  dls_error err = {0};
  assert_int_equal(dls_norm_read(text, &choice, &err), DLS_ERR_OPTION);
  if (strstr(err.text, message) == NULL) {
    fail_msg("'%s' is not in '%s'", message, err.text);
  }
}

DLS_TEST(texts_name_norms_and_their_exponents)
{
  dls_norm_choice choice;
  dls_error err = {0};
  assert_ok(dls_norm_read("lp", &choice, &err), err);
  assert_string_equal(choice.norm.name, "lp:p=2");
  assert_ok(dls_norm_read("l1", &choice, &err), err);
  assert_string_equal(choice.norm.name, "l1");
  assert_string_equal(dls_norm_find("grid-lp:p=7")->name, "grid-lp");
  refused("l3", "unknown norm 'l3'");
  refused("l1:p=3", "norm l1 has no options, but 'p=3' is given");
  refused("lp:p=0", "norm lp: p = 0 is not an integer in [1, 64]");
  refused("lp:p=65", "p = 65 is not an integer in [1, 64]");
  refused("grid-lp:p=1.5", "norm grid-lp: p = 1.5 is not an integer in [1, 64]");
  refused("lp:q=3", "norm lp: there is no 'q'");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_have_closed_forms),
      cmocka_unit_test(cubics_have_closed_forms),
      cmocka_unit_test(one_and_two_are_the_norms_of_that_name),
      cmocka_unit_test(norms_rise_with_p),
      cmocka_unit_test(grid_norms_weigh_powers_with_the_step_before),
      cmocka_unit_test(texts_name_norms_and_their_exponents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
