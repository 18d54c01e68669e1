/* test_roots.c -- positive roots of quartics that are products of known factors.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/solve/friction/roots.h"

/* c := prod_i (x - r_i) */
static void product_of(const double *r, double *c)
{
  for (size_t i = 0; i <= DLS_ROOTS_DEGREE; i++) {
    c[i] = i == 0;
  }
  for (size_t k = 0; k < DLS_ROOTS_DEGREE; k++) {
    for (size_t i = k + 1; i > 0; i--) {
      c[i] = c[i - 1] - r[k] * c[i];
    }
    c[0] *= -r[k];
  }
}

/* Below 1 and above it, where they are found as those of the reversed polynomial; the negative ones are not asked for. */
DLS_TEST(roots_of_a_product_are_those_of_its_factors)
{
  const double cases[][DLS_ROOTS_DEGREE] = {{0.25, 0.5, 2, 4},
                                            {0.125, 0.75, -3, -0.3},
                                            {1.25, 1.75, 3, 7},
                                            {0.1, 0.2, 0.4, 0.9},
                                            {-0.5, 0.3, 1.5, -4}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    double c[DLS_ROOTS_DEGREE + 1], roots[DLS_ROOTS_MOST];
    product_of(cases[k], c);
    const size_t count = dls_positive_roots(c, roots);
    size_t found = 0;
    for (size_t i = 0; i < DLS_ROOTS_DEGREE; i++) {
      for (size_t j = 0; cases[k][i] > 0 && j < count; j++) {
        found += roots[j] > cases[k][i] * (1 - 1e-13) && roots[j] < cases[k][i] * (1 + 1e-13);
      }
    }
    size_t positive = 0;
    for (size_t i = 0; i < DLS_ROOTS_DEGREE; i++) {
      positive += cases[k][i] > 0;
    }
    assert_int_equal(count, positive);
    assert_int_equal(found, positive);
    for (size_t j = 1; j < count; j++) {
      assert_true(roots[j - 1] < roots[j]);
    }
  }
}

/* (x - 1/2)^2 (x^2 + 1), and the same with 3/2: points that touch are not lost; (x + 1)^4 has none. */
DLS_TEST(double_roots_are_there_and_negative_ones_are_not)
{
  const double below[] = {0.25, -1, 1.25, -1, 1}, above[] = {2.25, -3, 3.25, -3, 1}, none[] = {1, 4, 6, 4, 1};
  double roots[DLS_ROOTS_MOST];
  assert_int_equal(dls_positive_roots(below, roots), 1);
  assert_close(roots[0], 0.5, 1e-8);
  assert_int_equal(dls_positive_roots(above, roots), 1);
  assert_close(roots[0], 1.5, 1e-8);
  assert_int_equal(dls_positive_roots(none, roots), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(roots_of_a_product_are_those_of_its_factors),
      cmocka_unit_test(double_roots_are_there_and_negative_ones_are_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
