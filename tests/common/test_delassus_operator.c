/* test_delassus_operator.c -- W = H^T A^-1 H against a naive one; what is kept and what is forgotten;
 * unilateral and bilateral solves, with redundant contacts too.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/delassus_operator.h>
#include <math.h>
#include <string.h>

enum { N = 6, M = 5 };

/* A = tridiag(-1, 3, -1) in band storage; H dense, with H_2 = H_0 + H_1, so that contacts 0, 1, 2 are
 * redundant. */
typedef struct fixture {
  dls_matrix *A, *H;
  dls_factor *factor;
  dls_delassus *D;
  dls_lcp_solver *lcp;
  double W[M][M]; /* the naive one */
} fixture;

static void fill_H(fixture *f, double scale)
{
  for (size_t i = 0; i < N; i++) {
    for (size_t j = 0; j < M; j++) {
      if (j != 2) {
        dls_matrix_set(f->H, i, j, scale * sin((double)((i + 2) * (3 * j + 5))));
      }
    }
    dls_matrix_set(f->H, i, 2, dls_matrix_get(f->H, i, 0) + dls_matrix_get(f->H, i, 1));
  }
}

/* A x = b for the tridiagonal A of diagonal d: elimination without pivots. */
static void naive_solve(double d, const double *b, double *x)
{
  double pivot[N];
  for (size_t i = 0; i < N; i++) {
    pivot[i] = d - (i > 0 ? 1 / pivot[i - 1] : 0);
    x[i] = b[i] + (i > 0 ? x[i - 1] / pivot[i - 1] : 0);
  }
  for (size_t i = N; i-- > 0;) {
    x[i] = (x[i] + (i + 1 < N ? x[i + 1] : 0)) / pivot[i];
  }
}

static void naive_W(fixture *f, double d)
{
  for (size_t j = 0; j < M; j++) {
    double column[N];
    double x[N];
    for (size_t i = 0; i < N; i++) {
      column[i] = dls_matrix_get(f->H, i, j);
    }
    naive_solve(d, column, x);
    for (size_t k = 0; k < M; k++) {
      f->W[k][j] = 0;
      for (size_t i = 0; i < N; i++) {
        f->W[k][j] += dls_matrix_get(f->H, i, k) * x[i];
      }
    }
  }
}

static void set_A(fixture *f, double d)
{
  for (size_t j = 0; j < N; j++) {
    for (size_t i = j > 0 ? j - 1 : 0; i < N && i <= j + 1; i++) {
      dls_matrix_set(f->A, i, j, i == j ? d : -1);
    }
  }
  dls_error err = {0};
  dls_factor_touch(f->factor);
  assert_ok(dls_factor_sum(f->factor, (const double[]){1}, &err), err);
}

static int set_up(void **state)
{
  static fixture f;
  dls_error err = {0};
  f.A = dls_matrix_band(N, 1, 1);
  f.H = dls_matrix_dense(N, M);
  const dls_matrix *const terms[] = {f.A};
  f.factor = dls_factor_create(terms, 1);
  fill_H(&f, 1);
  set_A(&f, 3);
  naive_W(&f, 3);
  f.D = dls_delassus_create(f.factor, f.H);
  assert_ok(dls_lcp_create(M, NULL, 1e-12, &f.lcp, &err), err);
  *state = &f;
  return f.D == NULL;
}

static int tear_down(void **state)
{
  fixture *f = *state;
  dls_delassus_destroy(f->D);
  dls_factor_destroy(f->factor);
  dls_matrix_destroy(f->A);
  dls_matrix_destroy(f->H);
  dls_lcp_destroy(f->lcp);
  return 0;
}

/* max_i |(W p + b)_i| over the active contacts, with the naive W. */
static double residual(const fixture *f, size_t count, const size_t *active, const double *p, const double *b)
{
  double worst = 0;
  for (size_t i = 0; i < count; i++) {
    double r = b[i];
    for (size_t j = 0; j < count; j++) {
      r += f->W[active[i]][active[j]] * p[j];
    }
    worst = fmax(worst, fabs(r));
  }
  return worst;
}

static void entries_are_those_of_the_naive_operator(void **state)
{
  fixture *f = *state;
  for (size_t i = 0; i < M; i++) {
    for (size_t j = 0; j < M; j++) {
      assert_close(dls_delassus_entry(f->D, i, j), f->W[i][j], 1e-14);
    }
  }
}

static void the_operator_is_symmetric(void **state)
{
  fixture *f = *state;
  for (size_t i = 0; i < M; i++) {
    assert_between(dls_delassus_entry(f->D, i, i), 0.1, 100);
    for (size_t j = 0; j < i; j++) {
      assert_close(dls_delassus_entry(f->D, i, j), dls_delassus_entry(f->D, j, i), 1e-15);
    }
  }
}

static void solve_and_check(fixture *f, size_t count, const size_t *active)
{
  const double b_all[M] = {-1, 0.5, -0.25, -2, 1};
  double b[M] = {0};
  double p[M] = {0};
  size_t solves = 0;
  dls_error err = {0};
  for (size_t k = 0; k < count; k++) {
    b[k] = b_all[active[k]];
  }
  assert_ok(dls_delassus_solve(f->D, f->lcp, count, active, b, p, &solves, NULL, &err), err);
  assert_int_equal(solves, 1);
  for (size_t i = 0; i < count; i++) {
    double w = b[i];
    for (size_t j = 0; j < count; j++) {
      w += f->W[active[i]][active[j]] * p[j];
    }
    assert_between(p[i], 0, 100);
    assert_between(w, -1e-12, 100);
    assert_close(p[i] * w, 0, 1e-11);
  }
}

static void every_subset_of_contacts_is_solved_in_any_sequence(void **state)
{
  fixture *f = *state;
  for (unsigned step = 1; step < 32; step += 10) { /* odd: each walk visits all the 32 subsets */
    for (unsigned k = 0; k < 32; k++) {
      const unsigned set = step * k % 32;
      size_t active[M];
      size_t count = 0;
      for (size_t j = 0; j < M; j++) {
        if ((set >> j & 1u) != 0) {
          active[count++] = j;
        }
      }
      if (count > 0) {
        solve_and_check(f, count, active);
      }
    }
  }
}

static void sets_of_one_size_are_told_apart(void **state)
{
  fixture *f = *state;
  const size_t sets[][2] = {{0, 1}, {0, 3}, {3, 4}, {0, 1}};
  for (size_t k = 0; k < 4; k++) {
    solve_and_check(f, 2, sets[k]);
    solve_and_check(f, 2, sets[k]);
  }
}

static void after_a_reset_the_new_matrices_count(void **state)
{
  fixture *f = *state;
  const size_t active[] = {0, 3, 4};
  solve_and_check(f, 3, active);
  set_A(f, 5);
  fill_H(f, 2);
  dls_delassus_reset(f->D);
  naive_W(f, 5);
  solve_and_check(f, 3, active);
  double p[3] = {0};
  const double b[] = {1, 2, 3};
  dls_error err = {0};
  assert_ok(dls_delassus_solve_bilateral(f->D, 3, active, b, p, &err), err);
  assert_close(residual(f, 3, active, p, b), 0, 1e-13);
  entries_are_those_of_the_naive_operator(state);
}

/* Contact 2 repeats what contacts 0 and 1 say: any b = H^T x can be met, by many p. */
static void a_redundant_unilateral_problem_is_solved(void **state)
{
  fixture *f = *state;
  const size_t active[] = {0, 1, 2};
  const double b[] = {-1, -2, -3};
  double p[3] = {0};
  dls_error err = {0};
  assert_ok(dls_delassus_solve(f->D, f->lcp, 3, active, b, p, NULL, NULL, &err), err);
  double v[N] = {0};
  dls_delassus_apply(f->D, 3, active, 1, p, v);
  for (size_t k = 0; k < 3; k++) {
    assert_between(p[k], 0, 100);
    assert_between(b[k] + dls_matrix_column_dot(f->H, active[k], v), -1e-11, p[k] > 0 ? 1e-11 : 100);
  }
}

static void bilateral_contacts_are_solved_exactly(void **state)
{
  fixture *f = *state;
  const size_t sets[][4] = {{3}, {0, 1}, {1, 3, 4}, {0, 1, 3, 4}};
  const double b[] = {1, -2, 0.5, 3};
  for (size_t count = 1; count <= 4; count++) {
    double p[4] = {0};
    dls_error err = {0};
    assert_ok(dls_delassus_solve_bilateral(f->D, count, sets[count - 1], b, p, &err), err);
    assert_close(residual(f, count, sets[count - 1], p, b), 0, 1e-13);
  }
}

/* The null vector of W on contacts 0, 1, 2 is (1, 1, -1): the p of least norm has p_0 + p_1 - p_2 = 0. */
static void redundant_bilateral_contacts_get_the_least_forces(void **state)
{
  fixture *f = *state;
  const size_t active[] = {0, 1, 2, 4};
  const double b[] = {1, -2, -1, 3}; /* b_2 = b_0 + b_1: can be met */
  double p[4] = {0};
  dls_error err = {0};
  assert_ok(dls_delassus_solve_bilateral(f->D, 4, active, b, p, &err), err);
  assert_close(residual(f, 4, active, p, b), 0, 1e-12);
  assert_close(p[0] + p[1] - p[2], 0, 1e-12);
  assert_between(fabs(p[0]) + fabs(p[1]) + fabs(p[2]), 0.01, 100);
}

/* b = (1, 1, -1) is orthogonal to the range of W on contacts 0, 1, 2: nothing can be done, p = 0 is best. */
static void bilateral_contacts_that_contradict_get_least_squares(void **state)
{
  fixture *f = *state;
  const size_t active[] = {0, 1, 2};
  const double b[] = {1, 1, -1};
  double p[3] = {7, 7, 7};
  dls_error err = {0};
  assert_ok(dls_delassus_solve_bilateral(f->D, 3, active, b, p, &err), err);
  for (size_t k = 0; k < 3; k++) {
    assert_close(p[k], 0, 1e-12);
  }
}

static void contacts_that_push_nothing_get_no_force(void **state)
{
  fixture *f = *state;
  fill_H(f, 0);
  dls_delassus_reset(f->D);
  const size_t active[] = {0, 3, 4};
  const double b[] = {1, 2, 3};
  for (size_t count = 1; count <= 3; count++) {
    double p[] = {7, 7, 7};
    dls_error err = {0};
    assert_ok(dls_delassus_solve_bilateral(f->D, count, active, b, p, &err), err);
    for (size_t k = 0; k < count; k++) {
      assert_close(p[k], 0, 0);
    }
  }
}

static void no_contacts_are_no_problem(void **state)
{
  fixture *f = *state;
  size_t solves = 0;
  dls_error err = {0};
  assert_ok(dls_delassus_solve(f->D, f->lcp, 0, NULL, NULL, NULL, &solves, NULL, &err), err);
  assert_ok(dls_delassus_solve_bilateral(f->D, 0, NULL, NULL, NULL, &err), err);
  assert_int_equal(solves, 0);
  double v[N] = {1, 2, 3, 4, 5, 6};
  dls_delassus_apply(f->D, 0, NULL, 1, NULL, v);
  assert_close(v[5], 6, 0);
}

static void impulses_change_the_velocity_by_A_inverse_H_p(void **state)
{
  fixture *f = *state;
  const size_t active[] = {1, 4};
  const double p[] = {2, -3};
  double v[N];
  double Hp[N];
  double x[N];
  for (size_t i = 0; i < N; i++) {
    v[i] = (double)i;
    Hp[i] = p[0] * dls_matrix_get(f->H, i, 1) + p[1] * dls_matrix_get(f->H, i, 4);
  }
  naive_solve(3, Hp, x);
  dls_delassus_apply(f->D, 2, active, 0.5, p, v);
  for (size_t i = 0; i < N; i++) {
    assert_close(v[i], (double)i + 0.5 * x[i], 1e-14);
  }
}

static void what_is_solved_is_what_is_applied(void **state)
{
  fixture *f = *state;
  const size_t active[] = {0, 1, 3, 4};
  double v[N] = {1, -2, 3, -4, 5, -6};
  double b[4];
  double p[4] = {0};
  dls_error err = {0};
  for (size_t k = 0; k < 4; k++) {
    b[k] = dls_matrix_column_dot(f->H, active[k], v);
  }
  assert_ok(dls_delassus_solve_bilateral(f->D, 4, active, b, p, &err), err);
  dls_delassus_apply(f->D, 4, active, 1, p, v);
  for (size_t k = 0; k < 4; k++) {
    assert_close(dls_matrix_column_dot(f->H, active[k], v), 0, 1e-13);
  }
}

static void halve(void *data, double *x)
{
  for (size_t i = 0; i < N; i++) {
    x[i] *= 0.5;
  }
  ++*(size_t *)data;
}

/* A^-1 = I / 2, applied once for every contact that is needed. */
static void any_linear_operator_can_take_the_place_of_the_inverse(void **state)
{
  fixture *f = *state;
  size_t calls = 0;
  dls_delassus *D = dls_delassus_create_with(halve, &calls, f->H);
  double expected = 0;
  for (size_t i = 0; i < N; i++) {
    expected += 0.5 * dls_matrix_get(f->H, i, 3) * dls_matrix_get(f->H, i, 4);
  }
  assert_close(dls_delassus_entry(D, 3, 4), expected, 1e-14);
  assert_close(dls_delassus_entry(D, 1, 4), dls_delassus_entry(D, 4, 1), 1e-14);
  assert_int_equal(calls, 2); /* columns 4 and 1 */
  dls_delassus_reset(D);
  dls_delassus_entry(D, 3, 4);
  assert_int_equal(calls, 3);
  dls_delassus_destroy(D);
}

/* p = 0 solves a problem with b >= 0, and W is not needed for that. */
static void contacts_that_separate_need_no_operator(void **state)
{
  fixture *f = *state;
  size_t calls = 0, solves = 0, pivots = 0;
  dls_error err = {0};
  const size_t active[] = {0, 2, 4};
  double p[] = {1, 2, 3};
  dls_delassus *D = dls_delassus_create_with(halve, &calls, f->H);
  assert_ok(dls_delassus_solve(D, f->lcp, 3, active, (const double[]){1, 0, 2}, p, &solves, &pivots, &err),
            err);
  assert_int_equal(calls, 0);
  assert_int_equal(solves, 1);
  assert_int_equal(pivots, 0);
  for (size_t k = 0; k < 3; k++) {
    assert_true(p[k] == 0);
  }
  assert_true(dls_delassus_solve(D, f->lcp, 3, active, (const double[]){1, INFINITY, 2}, p, NULL, NULL, &err) <
              0);
  dls_delassus_destroy(D);
}

static void a_problem_without_solution_is_reported(void **state)
{
  fixture *f = *state;
  fill_H(f, 0);
  dls_delassus_reset(f->D);
  const size_t active[] = {0, 1};
  const double b[] = {-1, 1}; /* 0 p_0 - 1 >= 0 */
  double p[2] = {0};
  dls_error err = {0};
  assert_int_equal(dls_delassus_solve(f->D, f->lcp, 2, active, b, p, NULL, NULL, &err), DLS_ERR_LCP);
  assert_true(strlen(err.text) > 0);
}

/* A diagonal and H sparse: v += alpha A^-1 H p, whatever p is, 0 and 1 too. */
static void impulses_of_any_size_are_applied(void **state)
{
  (void)state;
  static const double diagonal[] = {1, 2, 4}, p[] = {0, 1, -3};
  static const size_t active[] = {0, 1, 2};
  dls_error err = {0};
  double v[] = {7, 7, 7};
  dls_matrix *A = dls_matrix_diagonal(3), *H = dls_matrix_sparse(3, 3, 9);
  for (size_t j = 0; j < 3; j++) {
    dls_matrix_set(A, j, j, diagonal[j]);
    for (size_t i = 0; i < 3; i++) {
      dls_matrix_set(H, i, j, 1 + (double)(i + 3 * j));
    }
  }
  dls_factor *factor = dls_factor_create((const dls_matrix *const[]){A}, 1);
  assert_ok(dls_factor_sum(factor, (const double[]){1}, &err), err);
  dls_delassus *D = dls_delassus_create(factor, H);
  dls_delassus_apply(D, 3, active, 0.5, p, v);
  for (size_t i = 0; i < 3; i++) { /* H p = 4 + i - 3 (7 + i) */
    assert_close(v[i], 7 + 0.5 * (-17 - 2 * (double)i) / diagonal[i], 1e-15);
  }
  dls_delassus_destroy(D);
  dls_factor_destroy(factor);
  dls_matrix_destroy(H);
  dls_matrix_destroy(A);
}

int main(void)
{
#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      test(entries_are_those_of_the_naive_operator),
      test(the_operator_is_symmetric),
      test(every_subset_of_contacts_is_solved_in_any_sequence),
      test(sets_of_one_size_are_told_apart),
      test(after_a_reset_the_new_matrices_count),
      test(a_redundant_unilateral_problem_is_solved),
      test(bilateral_contacts_are_solved_exactly),
      test(redundant_bilateral_contacts_get_the_least_forces),
      test(bilateral_contacts_that_contradict_get_least_squares),
      test(contacts_that_push_nothing_get_no_force),
      test(no_contacts_are_no_problem),
      test(impulses_change_the_velocity_by_A_inverse_H_p),
      test(what_is_solved_is_what_is_applied),
      test(any_linear_operator_can_take_the_place_of_the_inverse),
      test(contacts_that_separate_need_no_operator),
      test(a_problem_without_solution_is_reported),
      cmocka_unit_test(impulses_of_any_size_are_applied),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
