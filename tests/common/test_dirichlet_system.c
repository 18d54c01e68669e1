/* test_held_system.c -- symmetric systems some of whose unknowns are given: solutions known beforehand, forces that hold, all
 * ways to solve, estimates, and matrices that are refused.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/linear/dirichlet_system.h"
#include "fallbacks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 40, N = SIDE * SIDE };
static double x[N], exact[N], f[N], r[N], held_by[N], springs[N], places[N];
static unsigned char held[N];

/* Membrane on a square grid. */
static dls_matrix *membrane(void)
{
  dls_matrix *K = dls_matrix_sparse(N, N, 5 * N);
  for (size_t j = 0; j < N; j++) {
    const size_t neighbours[5] = {j - SIDE, j - 1, j, j + 1, j + SIDE};
    const int there[5] = {j >= SIDE, j % SIDE > 0, 1, (j + 1) % SIDE > 0, j + SIDE < N};
    for (size_t k = 0; k < 5; k++) {
      if (there[k]) {
        assert_int_equal(dls_matrix_set(K, neighbours[k], j, k == 2 ? 4 : -1), DLS_OK);
      }
    }
  }
  return K;
}

static dls_matrix *masses(void)
{
  dls_matrix *M = dls_matrix_diagonal(N);
  for (size_t j = 0; j < N; j++) {
    dls_matrix_set(M, j, j, 1 + 0.5 * sin((double)j));
  }
  return M;
}

/* Some unknowns are given, and a patch; f = A exact + what holds these. */
static void pose(const dls_matrix *M, const dls_matrix *K, double k)
{
  for (size_t i = 0; i < N; i++) {
    held[i] = i % 131 == 0 || (i > N / 3 && i < N / 2);
    exact[i] = cos((double)i) + (double)i / N;
    held_by[i] = held[i] ? sin((double)(3 * i)) : 0;
    f[i] = held_by[i];
    x[i] = held[i] ? exact[i] : 0;
  }
  dls_matrix_multiply(M, 1, exact, f);
  dls_matrix_multiply(K, k, exact, f);
}

/* Springs of stiffness `spring` times the mass, which stretch as far as the force that holds needs. */
static void lay_springs(const dls_matrix *M, double spring)
{
  for (size_t i = 0; i < N; i++) {
    springs[i] = spring * dls_matrix_get(M, i, i);
    places[i] = exact[i] - held_by[i] / springs[i];
  }
}

/* @param spring  0: unknowns are prescribed */
static void check_stiffness(double k, double spring, dls_matrix *K, double largest, const char *method)
{
  dls_matrix *M = masses();
  dls_factor *F = dls_factor_create((const dls_matrix *const[]){M, NULL, K}, 3);
  dls_dirichlet_system *S = dls_dirichlet_system_create();
  dls_fallbacks counts = {0};
  assert_true(F != NULL && S != NULL);
  dls_dirichlet_system_count_fallbacks(S, &counts);
  assert_int_equal(dls_dirichlet_system_matrix(S, F, (const double[]){1, 0, k}), DLS_OK);
  if (spring > 0) {
    assert_int_equal(dls_dirichlet_system_springs(S, springs, places), DLS_OK);
  }
  for (int again = 0; again < 3; again++) { /* the last: the solution is the guess */
    pose(M, K, k);
    if (spring > 0) {
      lay_springs(M, spring);
    }
    for (size_t i = 0; spring > 0 && i < N; i++) {
      x[i] = 0;
    }
    for (size_t i = 0; again == 2 && i < N; i++) {
      x[i] = exact[i];
    }
    assert_int_equal(dls_dirichlet_system_solve(S, held, f, x, r), DLS_OK);
    assert_string_equal(dls_dirichlet_system_method(S), method);
    for (size_t i = 0; i < N; i++) {
      assert_close(x[i], exact[i], held[i] && spring == 0 ? 0 : 1e-12);
      assert_close(r[i], held_by[i], 1e-14 * (2 + largest * k + (held[i] ? 2 * spring : 0)));
    }
  }
  assert_int_equal(fallbacks_to(&counts, "multigrid"), strcmp(method, "conjugate gradients") != 0);
  assert_int_equal(fallbacks_to(&counts, "cholesky"), strcmp(method, "Cholesky") == 0);
  dls_dirichlet_system_destroy(S);
  dls_factor_destroy(F);
  dls_matrix_destroy(M);
  dls_matrix_destroy(K);
}

/* A plate: the square of the membrane's, whose bending the aggregates of multigrid do not know. */
static dls_matrix *plate(void)
{
  dls_matrix *K = membrane(), *square = dls_matrix_sparse(N, N, 13 * N);
  double column[N] = {0}, product[N];
  for (size_t j = 0; j < N; j++) {
    memset(column, 0, sizeof column);
    memset(product, 0, sizeof product);
    column[j] = 1;
    dls_matrix_multiply(K, 1, column, product);
    memset(column, 0, sizeof column);
    dls_matrix_multiply(K, 1, product, column);
    for (size_t i = 0; i < N; i++) {
      if (column[i] != 0) {
        assert_int_equal(dls_matrix_set(square, i, j, column[i]), DLS_OK);
      }
    }
  }
  dls_matrix_destroy(K);
  return square;
}

DLS_TEST(solutions_and_holding_forces_are_found_by_iteration_and_by_factors)
{
  check_stiffness(1e-3, 0, membrane(), 16, "conjugate gradients");
  check_stiffness(0.3, 0, membrane(), 16, "conjugate gradients");
  check_stiffness(1e4, 0, membrane(), 16, "multigrid");
  check_stiffness(1e3, 0, plate(), 256, "Cholesky");
}

DLS_TEST(springs_hold_by_every_method)
{
  for (double spring = 0.1; spring < 2e6; spring *= 100) {
    check_stiffness(1e-3, spring, membrane(), 16, "conjugate gradients");
    check_stiffness(0.3, spring, membrane(), 16, "conjugate gradients");
    check_stiffness(1e4, spring, membrane(), 16, "multigrid");
    check_stiffness(1e3, spring, plate(), 256, "Cholesky");
  }
}

/* The mean residual of all rows is small from the start, that of a row next to a contact that has just closed is not: a few more
 * iterations must do. */
DLS_TEST(a_residual_in_one_row_needs_no_factors)
{
  dls_matrix *M = masses(), *K = membrane();
  dls_factor *F = dls_factor_create((const dls_matrix *const[]){M, NULL, K}, 3);
  for (int stiff = 0; stiff < 2; stiff++) {
    for (double error = 1e-15; error < 1e-10; error *= 1.7) {
      dls_dirichlet_system *S = dls_dirichlet_system_create();
      assert_int_equal(dls_dirichlet_system_matrix(S, F, (const double[]){1, 0, stiff ? 10 : 0.3}), DLS_OK);
      pose(M, K, stiff ? 10 : 0.3);
      for (size_t i = 0; i < N; i++) {
        x[i] = exact[i];
      }
      x[N / 4] += error;
      assert_false(held[N / 4]);
      assert_int_equal(dls_dirichlet_system_solve(S, held, f, x, r), DLS_OK);
      assert_string_not_equal(dls_dirichlet_system_method(S), "Cholesky");
      for (size_t i = 0; i < N; i++) {
        assert_close(x[i], exact[i], held[i] ? 0 : 1e-12);
      }
      dls_dirichlet_system_destroy(S);
    }
  }
  dls_factor_destroy(F);
  dls_matrix_destroy(M);
  dls_matrix_destroy(K);
}

/* To 1e-6 of the terms where multigrid is due, which shows the first time; exactly elsewhere. */
DLS_TEST(estimates_are_near)
{
  dls_matrix *M = masses(), *K = membrane();
  dls_factor *F = dls_factor_create((const dls_matrix *const[]){M, NULL, K}, 3);
  dls_dirichlet_system *S = dls_dirichlet_system_create();
  for (int again = 0; again < 3; again++) {
    bool solved = false;
    double worst = 0;
    assert_int_equal(dls_dirichlet_system_matrix(S, F, (const double[]){1, 0, again == 2 ? 0.1 : 1e4}), DLS_OK);
    pose(M, K, again == 2 ? 0.1 : 1e4);
    assert_int_equal(dls_dirichlet_system_estimate(S, held, f, x, r, &solved), DLS_OK);
    for (size_t i = 0; i < N; i++) {
      worst = fmax(worst, fabs(x[i] - exact[i]));
    }
    assert_true(solved == (again == 0));
    assert_between(worst, again == 0 ? 0 : 1e-13, again == 0 ? 1e-12 : 1e-4);
    assert_int_equal(dls_dirichlet_system_solve(S, held, f, x, r), DLS_OK);
    for (size_t i = 0; i < N; i++) {
      assert_close(x[i], exact[i], held[i] ? 0 : 1e-12);
    }
  }
  dls_dirichlet_system_destroy(S);
  dls_factor_destroy(F);
  dls_matrix_destroy(M);
  dls_matrix_destroy(K);
}

DLS_TEST(all_may_be_given)
{
  dls_matrix *M = masses(), *K = membrane();
  dls_factor *F = dls_factor_create((const dls_matrix *const[]){M, NULL, K}, 3);
  dls_dirichlet_system *S = dls_dirichlet_system_create();
  assert_int_equal(dls_dirichlet_system_matrix(S, F, (const double[]){1, 0, 2}), DLS_OK);
  pose(M, K, 2);
  memset(held, 1, sizeof held);
  memcpy(x, exact, sizeof x);
  assert_int_equal(dls_dirichlet_system_solve(S, held, f, x, r), DLS_OK);
  for (size_t i = 0; i < N; i++) {
    assert_close(x[i], exact[i], 0);
    assert_close(r[i], held_by[i], 1e-13);
  }
  dls_dirichlet_system_destroy(S);
  dls_factor_destroy(F);
  dls_matrix_destroy(M);
  dls_matrix_destroy(K);
}

/* A weight of K that takes its diagonal below zero, an entry without its mirror image, one that differs, one that is no number. */
DLS_TEST(what_conjugate_gradients_cannot_do_is_refused)
{
  dls_matrix *M = masses(), *K = membrane();
  dls_factor *F = dls_factor_create((const dls_matrix *const[]){M, NULL, K}, 3);
  dls_dirichlet_system *S = dls_dirichlet_system_create();
  assert_int_equal(dls_dirichlet_system_matrix(S, F, (const double[]){1, 0, -1}), DLS_ERR_NOT_APPLICABLE);
  dls_matrix_set(K, 5, 4, 0);
  assert_int_equal(dls_dirichlet_system_matrix(S, F, (const double[]){1, 0, 1}), DLS_ERR_NOT_APPLICABLE);
  dls_matrix_set(K, 5, 4, -1.001);
  assert_int_equal(dls_dirichlet_system_matrix(S, F, (const double[]){1, 0, 1}), DLS_ERR_NOT_APPLICABLE);
  dls_matrix_set(K, 5, 4, NAN);
  assert_int_equal(dls_dirichlet_system_matrix(S, F, (const double[]){1, 0, 1}), DLS_ERR_NOT_APPLICABLE);
  dls_matrix_set(K, 5, 4, -1);
  assert_int_equal(dls_dirichlet_system_matrix(S, F, (const double[]){1, 0, 1}), DLS_OK);
  pose(M, K, 1);
  f[1] = NAN;
  assert_int_equal(dls_dirichlet_system_solve(S, held, f, x, r), DLS_ERR_NOCONV);
  dls_dirichlet_system_destroy(S);
  dls_factor_destroy(F);
  dls_matrix_destroy(M);
  dls_matrix_destroy(K);
}

/* Positive on the diagonal and not definite: [1 -2; -2 1] in two rows. */
DLS_TEST(a_matrix_that_is_not_definite_is_not_solved)
{
  dls_matrix *M = masses(), *K = dls_matrix_sparse(N, N, 5 * N);
  dls_matrix_set(K, 3, 2, -4);
  dls_matrix_set(K, 2, 3, -4);
  dls_factor *F = dls_factor_create((const dls_matrix *const[]){M, NULL, K}, 3);
  dls_dirichlet_system *S = dls_dirichlet_system_create();
  assert_int_equal(dls_dirichlet_system_matrix(S, F, (const double[]){1, 0, 1}), DLS_OK);
  pose(M, K, 1);
  assert_int_equal(dls_dirichlet_system_solve(S, held, f, x, r), DLS_ERR_NOCONV);
  dls_dirichlet_system_destroy(S);
  dls_factor_destroy(F);
  dls_matrix_destroy(M);
  dls_matrix_destroy(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_and_holding_forces_are_found_by_iteration_and_by_factors),
      cmocka_unit_test(springs_hold_by_every_method),
      cmocka_unit_test(a_residual_in_one_row_needs_no_factors),
      cmocka_unit_test(estimates_are_near),
      cmocka_unit_test(all_may_be_given),
      cmocka_unit_test(what_conjugate_gradients_cannot_do_is_refused),
      cmocka_unit_test(a_matrix_that_is_not_definite_is_not_solved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
