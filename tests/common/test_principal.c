/* test_principal.c -- systems with principal submatrices: what was multiplied is solved, for tridiagonal and sparse W,
 * for sets far from and close to the one before; singular submatrices are seen.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/linear/principal.h"
#include "common/linear/storage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 60, N = SIDE * SIDE };

static dls_matrix *five_points(void)
{
  dls_matrix *W = dls_matrix_sparse(N, N, 5 * N);
  for (size_t j = 0; j < N; j++) {
    if (j >= SIDE) {
      dls_matrix_set(W, j - SIDE, j, -1);
    }
    if (j % SIDE > 0) {
      dls_matrix_set(W, j - 1, j, -1);
    }
    dls_matrix_set(W, j, j, 4 + 0.1 * sin((double)j));
    if (j % SIDE + 1 < SIDE) {
      dls_matrix_set(W, j + 1, j, -1);
    }
    if (j + SIDE < N) {
      dls_matrix_set(W, j + SIDE, j, -1);
    }
  }
  return W;
}

static dls_matrix *chain(void)
{
  dls_matrix *W = dls_matrix_sparse(N, N, 3 * N);
  for (size_t j = 0; j < N; j++) {
    for (size_t i = j > 0 ? j - 1 : 0; i < N && i <= j + 1; i++) {
      dls_matrix_set(W, i, j, i == j ? 2.1 + 0.1 * sin((double)j) : -1);
    }
  }
  return W;
}

/* x_i = 1 + sin(i) on the set comes back from (W_aa + shift diag(W_aa)) x. */
static void assert_solved(dls_principal *P, const dls_matrix *W, size_t count, const int *set, double shift)
{
  double *x = calloc(N, sizeof *x), *y = calloc(N, sizeof *y), *r = malloc(count * sizeof *r);
  for (size_t k = 0; k < count; k++) {
    x[set[k]] = 1 + sin((double)set[k]);
  }
  dls_matrix_multiply(W, 1, x, y);
  for (size_t k = 0; k < count; k++) {
    const size_t i = (size_t)set[k];
    r[k] = y[i] + shift * dls_matrix_get(W, i, i) * x[i];
  }
  assert_int_equal(dls_principal_factor(P, count, set, shift), DLS_OK);
  assert_int_equal(dls_principal_solve(P, r), DLS_OK);
  for (size_t k = 0; k < count; k++) {
    assert_close(r[k], x[set[k]], 1e-11);
  }
  free(x);
  free(y);
  free(r);
}

/* All but the contacts whose number is `rest` modulo `skip`. */
static size_t leave_out(size_t skip, size_t rest, int *set)
{
  size_t count = 0;
  for (size_t i = 0; i < N; i++) {
    if (i % skip != rest) {
      set[count++] = (int)i;
    }
  }
  return count;
}

DLS_TEST(every_set_is_solved)
{
  static int set[N];
  for (int k = 0; k < 2; k++) {
    dls_matrix *W = k == 0 ? chain() : five_points();
    dls_principal *P = dls_principal_create();
    assert_int_equal(dls_principal_take(P, W), DLS_OK);
    assert_true(dls_principal_tridiagonal(P) == (k == 0));
    const size_t skips[] = {N + 1, 2, 3, 700, 701, 701, 500, N + 1};
    for (size_t i = 0; i < sizeof skips / sizeof skips[0]; i++) {
      assert_solved(P, W, leave_out(skips[i], 1, set), set, 0);
    }
    assert_solved(P, W, 1, (const int[]){17}, 0);
    assert_solved(P, W, leave_out(5, 2, set), set, 0.5);
    dls_principal_destroy(P);
    dls_matrix_destroy(W);
  }
}

/* diag(E) + 3 W, beside the same matrix as entries; sets 700, 701 are close to the one before. */
DLS_TEST(every_set_of_a_sum_is_solved)
{
  static int set[N];
  static double E[N];
  for (int k = 0; k < 2; k++) {
    dls_matrix *W = k == 0 ? chain() : five_points(), *sum = k == 0 ? chain() : five_points();
    dls_principal *P = dls_principal_create();
    for (size_t e = 0; e < sum->used; e++) {
      sum->values[e] *= 3;
    }
    for (size_t i = 0; i < N; i++) {
      E[i] = 1 + cos((double)i);
      dls_matrix_set(sum, i, i, dls_matrix_get(sum, i, i) + E[i]);
    }
    assert_int_equal(dls_principal_take_sum(P, 3, W, E), DLS_OK);
    const size_t skips[] = {N + 1, 2, 700, 701, N + 1};
    for (size_t i = 0; i < sizeof skips / sizeof skips[0]; i++) {
      assert_solved(P, sum, leave_out(skips[i], 1, set), set, 0);
    }
    assert_solved(P, sum, leave_out(700, 2, set), set, 0.5);
    assert_solved(P, sum, leave_out(701, 2, set), set, 0.5);
    dls_principal_destroy(P);
    dls_matrix_destroy(W);
    dls_matrix_destroy(sum);
  }
}

/* One contact after the other leaves, and comes back: each set differs from the one before by one, from the one that
 * is factored by more and more; each is asked for twice. */
DLS_TEST(sets_that_change_slowly_are_solved)
{
  static int set[N];
  dls_matrix *W = five_points();
  dls_principal *P = dls_principal_create();
  assert_int_equal(dls_principal_take(P, W), DLS_OK);
  for (size_t gone = 0; gone < 24; gone++) {
    size_t count = 0;
    for (size_t i = 0; i < N; i++) {
      const size_t number = i >= 1000 && i % 7 == 0 ? (i - 1000) / 7 : N; /* the first of these leave in turn */
      if (number >= (gone < 12 ? gone : 24 - gone)) {
        set[count++] = (int)i;
      }
    }
    assert_solved(P, W, count, set, 0);
    assert_solved(P, W, count, set, 0);
  }
  dls_principal_destroy(P);
  dls_matrix_destroy(W);
}

DLS_TEST(forgotten_factors_are_made_again)
{
  int set[N];
  dls_matrix *const Ws[] = {five_points(), chain()};
  for (size_t k = 0; k < 2; k++) {
    dls_principal *P = dls_principal_create();
    size_t count = leave_out(7, 3, set), kept = 0;
    dls_principal_forget(P); /* none yet */
    assert_int_equal(dls_principal_take(P, Ws[k]), DLS_OK);
    assert_solved(P, Ws[k], count, set, 0);
    assert_non_null(dls_principal_kept(P, &kept));
    dls_principal_forget(P);
    assert_null(dls_principal_kept(P, &kept));
    assert_solved(P, Ws[k], count, set, 0);
    dls_principal_forget(P);
    count = leave_out(7, 4, set); /* near the forgotten set */
    assert_solved(P, Ws[k], count, set, 0);
    dls_principal_destroy(P);
    dls_matrix_destroy(Ws[k]);
  }
}

DLS_TEST(new_entries_count_after_they_are_taken)
{
  static int set[N];
  const size_t count = leave_out(N + 1, 0, set);
  for (int k = 0; k < 2; k++) {
    dls_matrix *W = k == 0 ? chain() : five_points();
    dls_principal *P = dls_principal_create();
    for (int round = 0; round < 3; round++) {
      assert_int_equal(dls_principal_take(P, W), DLS_OK);
      assert_solved(P, W, count, set, 0);
      dls_matrix_set(W, 100, 100, 7 + round);
    }
    dls_principal_destroy(P);
    dls_matrix_destroy(W);
  }
}

/* Two contacts that are the same: each alone is regular, both together are not, with a shift they are. */
DLS_TEST(singular_submatrices_are_seen)
{
  for (int k = 0; k < 2; k++) { /* tridiagonal; one more coupling makes it sparse */
    dls_matrix *W = dls_matrix_sparse(5, 5, 13);
    for (size_t j = 0; j < 5; j++) {
      for (size_t i = 0; i < 5; i++) {
        const bool twin = (i == 1 || i == 2) && (j == 1 || j == 2);
        const bool far = k == 1 && (i == 0 || i == 4) && (j == 0 || j == 4);
        if (i == j || twin || far) {
          dls_matrix_set(W, i, j, twin ? 3 : i == j ? 2 : 1);
        }
      }
    }
    dls_principal *P = dls_principal_create();
    assert_int_equal(dls_principal_take(P, W), DLS_OK);
    assert_int_equal(dls_principal_factor(P, 4, (const int[]){0, 1, 3, 4}, 0), DLS_OK);
    for (int again = 0; again < 2; again++) {
      assert_int_equal(dls_principal_factor(P, 5, (const int[]){0, 1, 2, 3, 4}, 0), DLS_ERR_SINGULAR);
    }
    assert_int_equal(dls_principal_factor(P, 5, (const int[]){0, 1, 2, 3, 4}, 1e-10), DLS_OK);
    dls_principal_destroy(P);
    dls_matrix_destroy(W);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_set_is_solved),
      cmocka_unit_test(every_set_of_a_sum_is_solved),
      cmocka_unit_test(sets_that_change_slowly_are_solved),
      cmocka_unit_test(forgotten_factors_are_made_again),
      cmocka_unit_test(new_entries_count_after_they_are_taken),
      cmocka_unit_test(singular_submatrices_are_seen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
