/* test_lcp_judge.c -- the judge of complementarity problems: residuals worked out by hand, for arrays and for operators.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/solve/lcp/lcp_methods.h"
#include <math.h>

enum { MOST = 3 };
typedef struct problem {
  size_t n;
  double W[MOST * MOST], b[MOST], z[MOST]; /* W by columns */
} problem;

static void multiply(void *data, const double *z, double *w, double *size)
{
  const problem *p = data;
  for (size_t k = 0; k < p->n * p->n; k++) {
    const double term = p->W[k] * z[k / p->n];
    w[k % p->n] += term;
    size[k % p->n] += fabs(term);
  }
}

/* By both judges, which agree. */
static dls_lcp_figures judge(problem p)
{
  double w[MOST], size[MOST], diagonal[MOST];
  const dls_lcp_operator W = {.n = p.n, .diagonal = diagonal, .data = &p, .multiply = multiply};
  for (size_t i = 0; i < p.n; i++) {
    diagonal[i] = p.W[i + i * p.n];
  }
  const dls_lcp_figures dense = dls_lcp_judge(p.n, p.W, p.b, p.z, w, size);
  const dls_lcp_figures other = dls_lcp_judge_operator(&W, p.b, p.z, w, size);
  if (!isnan(dense.residual)) {
    assert_close(other.residual, dense.residual, 0);
    assert_close(other.worst, dense.worst, 0);
  }
  assert_int_equal(isnan(other.residual), isnan(dense.residual));
  assert_close(other.scale, dense.scale, 0);
  return dense;
}

/* min(s z, w) is the lesser of 0.4 and 3.4, of 10 and 1, of 2 and -3: the product with s decides, not a quotient. */
DLS_TEST(the_lesser_of_both_is_taken)
{
  assert_close(judge((problem){1, {4}, {3}, {0.1}}).residual, 0.4, 1e-15);
  assert_close(judge((problem){1, {1}, {-9}, {10}}).residual, 1, 0);
  assert_close(judge((problem){1, {0.25}, {1.5}, {2}}).residual, 0.5, 0);
  assert_close(judge((problem){1, {1}, {-5}, {2}}).residual, 3, 0);
  assert_close(judge((problem){1, {4}, {-2}, {0.5}}).residual, 0, 0);
}

DLS_TEST(a_z_of_zero_leaves_what_is_negative)
{
  assert_close(judge((problem){1, {4}, {-2}, {0}}).residual, 2, 0);
  assert_close(judge((problem){1, {4}, {2}, {0}}).residual, 0, 0);
  assert_close(judge((problem){1, {0}, {2}, {0}}).residual, 0, 0);
}

/* W_00 = 0: z_0 is weighed by the largest entry, 2 (or 1 without any), w_0 = 3 or 0.5. */
DLS_TEST(zeros_on_the_diagonal_are_replaced)
{
  assert_close(judge((problem){2, {0, 0, 0, 2}, {3, 1}, {0.5, 0}}).residual, 1, 0);
  assert_close(judge((problem){2, {0, 0, 0, 2}, {0.5, 1}, {0.5, 0}}).residual, 0.5, 0);
  assert_close(judge((problem){1, {0}, {3}, {0.25}}).residual, 0.25, 0);
  assert_close(judge((problem){1, {0}, {0}, {0.25}}).residual, 0, 0); /* any z solves 0 z + 0 */
}

DLS_TEST(scale_and_sizes_add_up_absolute_values)
{
  const dls_lcp_figures f = judge((problem){2, {2, -1, -1, 2}, {-3, 0.5}, {2, 1}}); /* w = 0, 0.5 */
  assert_close(f.scale, 3 + 4 + 1, 0);
  assert_close(f.residual, 0.5, 0);
  assert_close(f.worst, 0.5 / (0.5 + 2 + 2), 1e-16);
}

DLS_TEST(not_a_number_stays)
{
  for (size_t i = 0; i < 3; i++) {
    problem p = {3, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {-1, -1, -1}, {1, 1, 1}};
    p.z[i] = NAN;
    const dls_lcp_figures f = judge(p);
    assert_true(isnan(f.residual) && isnan(f.worst));
    assert_false(dls_lcp_accepted(&f, 0.5, 1));
    p.z[i] = 0;
    p.b[i] = NAN;
    assert_true(isnan(judge(p).residual));
  }
}

/* Row 1 is off by 5e-13: 2.5e-13 of the scale, 5e-12 of its own |b| + |W| |z|. */
DLS_TEST(every_row_is_judged_by_its_own_size)
{
  const dls_lcp_figures f = judge((problem){2, {1, 0, 0, 1}, {-1, -0.05}, {1, 0.05 + 5e-13}});
  assert_close(f.worst, 5e-12, 1e-15);
  assert_false(dls_lcp_accepted(&f, 1e-12, 1));
  assert_true(dls_lcp_accepted(&f, 1e-11, 1));
  /* but for rows below a hundredth of the scale, 2e-2, which may be rounding */
  assert_close(judge((problem){2, {1, 0, 0, 1}, {-1, -1e-9}, {1, 2e-9}}).worst, 1e-9 / 2e-2, 1e-22);
}

/* W z + b = 0 by cancelling 1e14: rounding hides 0.04 of b. A hundredth of that passes. */
DLS_TEST(what_only_rounding_solves_is_refused)
{
  const dls_lcp_figures hidden = {.residual = 0, .scale = 2e14, .worst = 0};
  const dls_lcp_figures seen = {.residual = 0, .scale = 2e12, .worst = 0};
  assert_false(dls_lcp_accepted(&hidden, 1e-12, 1));
  assert_true(dls_lcp_accepted(&seen, 1e-12, 1));
}

DLS_TEST(numbers_below_the_least_normal_one_are_nothing)
{
  const dls_lcp_figures f = judge((problem){1, {3}, {-1.5e-323}, {1e-323}}); /* 2 and 3 units of 5e-324 */
  assert_true(f.residual > 0);
  assert_true(dls_lcp_accepted(&f, 1e-12, 1.5e-323));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_lesser_of_both_is_taken),
      cmocka_unit_test(a_z_of_zero_leaves_what_is_negative),
      cmocka_unit_test(zeros_on_the_diagonal_are_replaced),
      cmocka_unit_test(scale_and_sizes_add_up_absolute_values),
      cmocka_unit_test(not_a_number_stays),
      cmocka_unit_test(every_row_is_judged_by_its_own_size),
      cmocka_unit_test(what_only_rounding_solves_is_refused),
      cmocka_unit_test(numbers_below_the_least_normal_one_are_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
