/* test_lcp_parts.c -- behind the driver of complementarity problems: methods keep to their workspace, W is balanced by rows and
 * columns, Gauss-Seidel without a diagonal or a solution, block pivoting from a poor guess.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/solve/lcp/lcp_methods.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 9, BEFORE = 64 };
static const double untouched = 12345.0;

/* W = tridiag(-1/2, 1, -1/2), b of both signs: several sets are tried. */
static void problem_of(size_t n, double *W, double *b)
{
  memset(W, 0, n * n * sizeof *W);
  for (size_t i = 0; i < n; i++) {
    b[i] = 0.9 * sin(2.3 * (double)i + 4);
    W[i + i * n] = 1;
    if (i > 0) {
      W[i + (i - 1) * n] = W[i - 1 + i * n] = -0.5;
    }
  }
}

/* Nothing before the workspace is written; behind it the heap ends, where a checker of memory sees reads, too. */
DLS_TEST(methods_keep_to_their_workspace)
{
  double W[LARGEST * LARGEST], b[LARGEST], z[LARGEST];
  for (const dls_lcp_method *const *m = dls_lcp_methods(); *m != NULL; m++) {
    for (size_t n = 1; n <= LARGEST && n <= (*m)->largest; n++) {
      size_t pivots = 0;
      double *reals = malloc((BEFORE + (*m)->reals(n)) * sizeof *reals);
      int *integers = malloc((BEFORE + (*m)->integers(n)) * sizeof *integers);
      for (size_t i = 0; i < BEFORE; i++) {
        reals[i] = untouched;
        integers[i] = (int)untouched;
      }
      problem_of(n, W, b);
      memset(z, 0, sizeof z);
      assert_int_equal((*m)->solve(n, W, b, 1e-12, z, &pivots, reals + BEFORE, integers + BEFORE), DLS_OK);
      for (size_t i = 0; i < BEFORE; i++) {
        assert_true(reals[i] == untouched && integers[i] == (int)untouched);
      }
      free(reals);
      free(integers);
    }
  }
}

/* Rows of 1 and columns of 1e-6, and the other way round. */
DLS_TEST(rows_and_columns_are_balanced)
{
  for (int turned = 0; turned < 2; turned++) {
    const double small = 1e-6, W[4] = {1, turned ? small : 1, turned ? 1 : small, small};
    double row[2], column[2], Ws[4], work[8];
    dls_lcp_scaling s = {row, column, 0};
    for (size_t i = 0; i < 8; i++) {
      work[i] = 1;
    }
    dls_lcp_equilibrate(2, W, &s, Ws, work + 4);
    for (size_t i = 0; i < 2; i++) {
      assert_between(fmax(fabs(Ws[i]), fabs(Ws[i + 2])), 0.25, 4);
      assert_between(fmax(fabs(Ws[2 * i]), fabs(Ws[2 * i + 1])), 0.25, 4);
      for (size_t j = 0; j < 2; j++) {
        assert_close(Ws[i + 2 * j], row[i] * W[i + 2 * j] * column[j], 0);
      }
    }
  }
}

static dls_status sweep(const double *W, const double *b, double *z, dls_lcp_report *report)
{
  dls_lcp_solver *solver = NULL;
  dls_error err = {0};
  assert_ok(dls_lcp_create(2, "pgs", 1e-12, &solver, &err), err);
  const dls_status status = dls_lcp_solve(solver, 2, W, b, z, NULL, report, &err);
  dls_lcp_destroy(solver);
  return status;
}

/* Without a diagonal z_i cannot follow from w_i: it is 0, whatever the guess. */
DLS_TEST(a_guess_without_a_diagonal_is_dropped)
{
  const double W[4] = {2, 0, 0, 0}, b[2] = {-2, 1};
  double z[2] = {0, 5};
  dls_lcp_report report;
  assert_int_equal(sweep(W, b, z, &report), DLS_OK);
  assert_close(z[0], 1, 1e-12);
  assert_close(z[1], 0, 0);
}

/* z grows by 4 in a sweep, to 1e77 max |b_i| and so beyond all numbers; what is told then is z = 0 and its residual, max |b_i|. */
DLS_TEST(a_z_beyond_all_numbers_is_none)
{
  const double W[4] = {1, -2, -2, 1}, b[2] = {-1e250, -0.5e250};
  double z[2] = {0, 0};
  dls_lcp_report report;
  assert_int_equal(sweep(W, b, z, &report), DLS_ERR_NOCONV);
  assert_true(z[0] == 0 && z[1] == 0);
  assert_close(report.residual, 1e250, 0);
  assert_string_equal(report.method, "pgs");
}

enum { CHAIN = 100 };

/* tridiag(-1, 2, -1), factored for a set. */
typedef struct chain {
  size_t count;
  int set[CHAIN];
} chain;

static void multiply(void *data, const double *z, double *w, double *size)
{
  (void)data;
  for (size_t i = 0; i < CHAIN; i++) {
    const double before = i > 0 ? z[i - 1] : 0, behind = i + 1 < CHAIN ? z[i + 1] : 0;
    w[i] += 2 * z[i] - before - behind;
    size[i] += 2 * fabs(z[i]) + fabs(before) + fabs(behind);
  }
}

static dls_status factor(void *data, size_t count, const int *set, double shift)
{
  chain *c = data;
  assert_true(shift == 0); /* W is regular */
  c->count = count;
  memcpy(c->set, set, count * sizeof *set);
  return DLS_OK;
}

static dls_status solve_chain(void *data, double *x)
{
  const chain *c = data;
  double ratio[CHAIN] = {0};
  for (size_t k = 0; k < c->count; k++) {
    const bool coupled = k > 0 && c->set[k] == c->set[k - 1] + 1;
    const double pivot = 2 - (coupled ? ratio[k - 1] : 0);
    ratio[k] = 1 / pivot;
    x[k] = (x[k] + (coupled ? x[k - 1] : 0)) / pivot;
  }
  for (size_t k = c->count; k-- > 1;) {
    x[k - 1] += c->set[k] == c->set[k - 1] + 1 ? ratio[k - 1] * x[k] : 0;
  }
  return DLS_OK;
}

/* A chain that is hit at its end: one neighbour a round is drawn in, some 60 in all; z = c (60 - i)^2 / 2 or so. The guess that knows of
 * the first only is given up after 20 rounds, not the problem. */
DLS_TEST(a_poor_guess_does_not_limit_the_rounds)
{
  chain c;
  double diagonal[CHAIN], b[CHAIN], z[CHAIN] = {1}, w[CHAIN];
  dls_lcp_solver *solver = NULL;
  dls_lcp_report report;
  dls_error err = {0};
  const dls_lcp_operator W = {.n = CHAIN,
                              .structure = "chain",
                              .diagonal = diagonal,
                              .data = &c,
                              .multiply = multiply,
                              .factor = factor,
                              .solve = solve_chain};
  for (size_t i = 0; i < CHAIN; i++) {
    diagonal[i] = 2;
    b[i] = i == 0 ? -1 : 2.0 / (60 * 62);
  }
  assert_ok(dls_lcp_create(CHAIN, NULL, 1e-12, &solver, &err), err);
  assert_ok(dls_lcp_solve_operator(solver, &W, b, z, w, &report, &err), err);
  assert_string_equal(report.method, "block-pivoting");
  assert_between((double)report.pivots, 41, CHAIN);
  for (size_t i = 0; i < CHAIN; i++) {
    assert_true(z[i] >= 0 && w[i] > -1e-13 && (z[i] == 0 || fabs(w[i]) < 1e-13));
    assert_int_equal(z[i] > 0, i < c.count);
  }
  dls_lcp_destroy(solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(methods_keep_to_their_workspace),
      cmocka_unit_test(rows_and_columns_are_balanced),
      cmocka_unit_test(a_guess_without_a_diagonal_is_dropped),
      cmocka_unit_test(a_z_beyond_all_numbers_is_none),
      cmocka_unit_test(a_poor_guess_does_not_limit_the_rounds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
