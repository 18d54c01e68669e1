/* test_gap_root.c -- the first zero of a gap between two nodes: polynomials whose zeros are known.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/contact/gap_root.h"
#include <math.h>

/* sum_i c_i s^i with two derivatives, i < 6. */
static dls_gap_end at(const double *c, double s)
{
  dls_gap_end end = {0};
  for (int i = 5; i >= 0; i--) {
    end.gamma = end.gamma * s + 2 * end.u;
    end.u = end.u * s + end.g;
    end.g = end.g * s + c[i];
  }
  return end;
}

static bool first_zero(const double *c, double h, double *root, double *below)
{
  return dls_gap_root(at(c, 0), at(c, h), h, root, below);
}

DLS_TEST(the_first_of_several_zeros_is_found)
{
  double root, below;
  const double line[6] = {1, -0.5}, parabola[6] = {0.3 * 0.8, -1.1, 1}; /* 2; 0.3 and 0.8 */
  const double cubic[6] = {0.1 * 0.4 * 0.9, -(0.04 + 0.09 + 0.36), 1.4, -1};
  assert_true(first_zero(line, 3, &root, &below));
  assert_close(root, 2, 3e-3); /* to be refined by the caller */
  assert_false(first_zero(line, 1.9, &root, &below));
  assert_true(first_zero(parabola, 1, &root, &below));
  assert_close(root, 0.3, 1e-3);
  assert_between(below, 0.3, 0.8);
  assert_true(first_zero(cubic, 1, &root, &below));
  assert_close(root, 0.1, 1e-3);
  assert_between(below, 0.1, 0.4);
}

/* Where the gap does not fall there is nothing to be refined. */
DLS_TEST(a_double_zero_stays_where_it_is)
{
  const double parabola[6] = {0.25, -1, 1}; /* (s - 1/2)^2 */
  assert_close(dls_gap_root_refined(at(parabola, 0), at(parabola, 1), 1, 0.5), 0.5, 0);
  assert_close(dls_gap_root_refined(at(parabola, 0), at(parabola, 1), 1, 0.75), 0.75, 0);
}

DLS_TEST(a_root_is_refined_to_rounding)
{
  /* (s - 0.37)(s^2 + 1)(s - 3)(s + 2): one zero in [0, 1], where it falls; and 1 - s, whose root stays within [0, 0.9] */
  const double quintic[6] = {0.37 * 6, -6 + 0.37, -1 + 0.37 * 5, -5 + 0.37, -1 - 0.37, 1}, line[6] = {1, -1};
  double root, below;
  assert_true(first_zero(quintic, 1, &root, &below));
  assert_between(fabs(root - 0.37), 1e-12, 1e-6);
  assert_close(dls_gap_root_refined(at(quintic, 0), at(quintic, 1), 1, root), 0.37, 1e-15);
  assert_close(dls_gap_root_refined(at(line, 0), at(line, 0.9), 0.9, 0.5), 0.9, 0);
}

/* (s - 1/2)^2 + d: a pair of zeros 2 sqrt(-d) apart, or none. */
DLS_TEST(pairs_of_zeros_that_nearly_touch_are_told_from_none)
{
  for (int k = 2; k <= 14; k++) {
    const double d = pow(10, -k);
    double root, below;
    const double dips[6] = {0.25 - d, -1, 1}, stays[6] = {0.25 + d, -1, 1};
    assert_true(first_zero(dips, 1, &root, &below));
    assert_between(below, 0.5 - sqrt(d), 0.5 + sqrt(d));
    assert_false(first_zero(stays, 1, &root, &below));
  }
}

/* Its coefficients give the polynomial back. */
DLS_TEST(the_bernstein_form_is_the_polynomial)
{
  const double quintic[6] = {0.7, -1.3, 0.4, 2.1, -0.9, 0.3}, h = 1.7, choose[6] = {1, 5, 10, 10, 5, 1};
  double c[6];
  dls_gap_bernstein(at(quintic, 0), at(quintic, h), h, c);
  for (double s = 0; s <= 1; s += 0.125) {
    double sum = 0;
    for (int k = 0; k < 6; k++) {
      sum += choose[k] * c[k] * pow(s, k) * pow(1 - s, 5 - k);
    }
    assert_close(sum, at(quintic, s * h).g, 1e-14);
  }
}

/* Noise is what rounding makes of the largest coefficient, the first here; and it is small where the whole gap is. */
DLS_TEST(noise_follows_the_size_of_the_gap)
{
  double root, below;
  const dls_gap_end from_one = {1, -5, 20},
                    dips_by_noise = {0, 0, -2e-16}; /* coefficients 1, 0, 0, -1e-17, 0, 0 */
  const double tiny[6] = {0.3e-20 * 0.8, -1.1e-20, 1e-20};
  assert_false(dls_gap_root(from_one, dips_by_noise, 1, &root, &below));
  assert_true(first_zero(tiny, 1, &root, &below));
  assert_close(root, 0.3, 1e-3);
}

DLS_TEST(one_that_begins_below_zero_is_there_at_once)
{
  double root, below;
  const double rises[6] = {-1e-9, 1};
  assert_true(first_zero(rises, 1, &root, &below));
  assert_close(root, 0, 0);
}

/* Flat to rounding, or overflowing: without a limit of the pieces this takes 2^40 of them. */
DLS_TEST(the_search_comes_to_an_end)
{
  const dls_gap_end ends[][2] = {{{1, -1e200, 1e308}, {1, 1e200, 1e308}},
                                 {{1, -1e308, 0}, {1, 1e308, 0}},
                                 {{0, 0, 0}, {0, 0, 0}},
                                 {{INFINITY, 0, 0}, {1, 0, NAN}},
                                 {{0.0081, -0.108, 1.08}, {0.2401, 1.372, 5.88}}}; /* (s - 0.3)^4 */
  for (int i = 0; i < 5; i++) {
    const double h = i < 4 ? 1e3 : 1;
    double root, below;
    if (dls_gap_root(ends[i][0], ends[i][1], h, &root, &below)) {
      assert_between(root, 0, h);
      assert_between(below, 0, h);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_first_of_several_zeros_is_found),
      cmocka_unit_test(a_root_is_refined_to_rounding),
      cmocka_unit_test(a_double_zero_stays_where_it_is),
      cmocka_unit_test(pairs_of_zeros_that_nearly_touch_are_told_from_none),
      cmocka_unit_test(the_bernstein_form_is_the_polynomial),
      cmocka_unit_test(noise_follows_the_size_of_the_gap),
      cmocka_unit_test(one_that_begins_below_zero_is_there_at_once),
      cmocka_unit_test(the_search_comes_to_an_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
