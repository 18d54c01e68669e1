/* test_delassus_edges.c -- W = H^T A^-1 H where it is asked in turns: blocks of other sizes, fewer and fewer of them, products of
 * matrices in any storage, gradients that get more entries, ranks that are not looked for.
 * SPDX-License-Identifier: GPL-3.0-or-later */
enum { N = 300 };

#include "common/contact/operator/operator.h"
#include "held_twice.h"
#include <string.h>

static dls_matrix *unit_columns(void)
{
  dls_matrix *H = dls_matrix_sparse(N, N, 2 * N);
  for (size_t j = 0; j < N; j++) {
    if (j > 1) {
      dls_matrix_set(H, j - 2, j, -0.5);
    }
    dls_matrix_set(H, j, j, 1);
  }
  return H;
}

static void count_up(size_t count, size_t *active)
{
  for (size_t k = 0; k < count; k++) {
    active[k] = k;
  }
}

/* (S W + B) x = b for `count` blocks of d rows from `first` on, sparse and dense. */
static void check_blocks(fixture *f, size_t d, size_t first, size_t count)
{
  double S[9 * N], B[9 * N], x[N], y[N];
  size_t active[N];
  dls_error err = {0};
  for (size_t k = 0; k < 9 * count; k++) {
    S[k] = k % 4 == 0 ? 1 : 0.1 * random_number();
    B[k] = k % 4 == 0 ? 2 : 0.1 * random_number();
  }
  for (size_t k = 0; k < d * count; k++) {
    active[k] = d * first + k;
    x[k] = y[k] = random_number();
  }
  assert_ok(dls_delassus_solve_blocks(f->D, d, count, active, S, B, x, &err), err);
  assert_ok(dls_delassus_solve_blocks(f->dense, d, count, active, S, B, y, &err), err);
  for (size_t k = 0; k < d * count; k++) {
    assert_close(x[k], y[k], 1e-11 * (1 + fabs(y[k])));
  }
}

DLS_TEST(blocks_change_their_size_and_their_number)
{
  for (int k = 0; k < 2; k++) {
    fixture f = create(k == 0 ? masses() : chain(DLS_BAND), unit_columns());
    check_blocks(&f, 1, 0, N);
    for (int again = 0; again < (k == 0 ? 102 : 3); again++) { /* the pattern of all is given up */
      check_blocks(&f, 1, (size_t)again, 3);
    }
    check_blocks(&f, 1, 50, 200);
    check_blocks(&f, 3, 0, N / 3);
    check_blocks(&f, 1, 0, N);
    check_blocks(&f, 3, 10, 20);
    destroy(&f);
  }
}

DLS_TEST(blocks_without_a_solution_are_told)
{
  static const double zeros[9 * N], right[N];
  fixture f = create(masses(), unit_columns());
  size_t active[N];
  double x[N];
  dls_error err = {0};
  memcpy(x, right, sizeof x);
  count_up(N, active);
  assert_int_equal(dls_delassus_solve_blocks(f.D, 1, N, active, zeros, zeros, x, &err), DLS_ERR_SINGULAR);
  assert_non_null(strstr(err.text, "the forces of 300 contacts are not determined"));
  destroy(&f);
}

DLS_TEST(the_rank_of_many_is_not_looked_for)
{
  fixture f = create(masses(), unit_columns());
  size_t active[N];
  dls_error err = {0};
  count_up(N, active);
  active[9] = active[8]; /* dependent */
  for (size_t count = 64; count <= 65; count++) {
    assert_ok(dls_delassus_rank(f.D, count, active, &err), err);
    assert_int_equal(dls_delassus_redundant(f.D), count == 64 ? 1 : 0);
  }
  assert_ok(dls_delassus_rank(f.D, 64, active, &err), err);
  assert_int_equal(dls_delassus_redundant(f.D), 1);
  dls_delassus_reset(f.D);
  assert_int_equal(dls_delassus_redundant(f.D), 0); /* of what there was before */
  destroy(&f);
}

/* One contact alone: W_jj, and what its impulse does to the velocities where these are few. */
DLS_TEST(responses_of_single_contacts)
{
  dls_matrix *H = dls_matrix_sparse(N, N, N + 20);
  for (size_t j = 0; j < N; j++) {
    for (size_t i = j; i < (j == 1 ? 12 : j + 1); i++) {
      dls_matrix_set(H, i, j, 1);
    }
  }
  fixture f = create(masses(), H);
  for (size_t j = 0; j < 2; j++) {
    double W, other, v[N] = {0}, moved[N] = {0};
    dls_response response;
    size_t only = 0;
    const double *column = NULL;
    assert_true(dls_delassus_contact(f.D, 1, j, &W, NULL));
    assert_true(dls_delassus_contact(f.dense, 1, j, &other, NULL));
    assert_close(W, other, 1e-14);
    assert_int_equal(dls_delassus_contact(f.D, 1, j, &W, &response), j == 0); /* up to eight entries */
    assert_false(dls_delassus_contact(f.dense, 1, j, &other, &response));
    dls_delassus_apply(f.D, 1, &j, 1, &(const double){2}, v);
    assert_false(dls_delassus_only(f.D, 1, &j, &(const double){2}, &only, &column)); /* no columns are kept */
    assert_int_equal(only, 0);
    assert_true(dls_delassus_only(f.dense, 1, &j, &(const double){2}, &only, &column));
    for (size_t i = 0; i < N; i++) {
      moved[i] += 2 * column[i];
      assert_close(v[i], moved[i], 1e-14);
    }
  }
  destroy(&f);
}

/* 0 <= W r + q _|_ r >= 0 with W = H^T A^-1 N M^-1 H, N = A / 2 + M / 4. */
static void check_product(bool dense_mass)
{
  dls_matrix *A = masses(), *M = dense_mass ? dls_matrix_dense(N, N) : dls_matrix_diagonal(N),
             *H = unit_columns();
  dls_error err = {0};
  dls_problem_solver *solver = NULL;
  size_t active[N];
  dls_block blocks[N];
  double q[N], r[N] = {0}, u[N], x[N] = {0};
  for (size_t i = 0; i < N; i++) {
    dls_matrix_set(M, i, i, 2 + cos((double)i));
    blocks[i] = (dls_block){DLS_HALF, 1, 0};
    q[i] = random_number();
  }
  dls_factor *sum = dls_factor_create((const dls_matrix *const[]){A, M}, 2),
             *mass = dls_factor_create((const dls_matrix *const[]){M}, 1);
  assert_ok(dls_factor_sum(sum, (const double[]){1, 0}, &err), err);
  assert_ok(dls_factor_sum(mass, (const double[]){1}, &err), err);
  dls_delassus *D = dls_delassus_create_product(sum, mass, H);
  dls_delassus_product(D, 2, (const double[]){0.5, 0.25});
  assert_ok(dls_problem_create(NULL, 1e-12, &solver, &err), err);
  count_up(N, active);
  const dls_problem problem = {.count = N, .blocks = blocks, .q = q};
  assert_ok(dls_delassus_solve_problem(D, solver, active, &problem, r, u, NULL, &err), err);
  for (size_t k = 0; k < N; k++) {
    dls_matrix_column_add(H, k, r[k], x);
  }
  for (size_t i = 0; i < N; i++) {
    const double a = dls_matrix_get(A, i, i), m = dls_matrix_get(M, i, i);
    x[i] *= (a / 2 + m / 4) / (a * m);
  }
  for (size_t k = 0; k < N; k++) {
    const double after = q[k] + dls_matrix_column_dot(H, k, x);
    assert_between(r[k], 0, 1e3);
    assert_between(after, -1e-11, 1e3);
    assert_close(r[k] > 0 ? after : 0, 0, 1e-11);
  }
  dls_problem_destroy(solver);
  dls_delassus_destroy(D);
  dls_factor_destroy(sum);
  dls_factor_destroy(mass);
  dls_matrix_destroy(A);
  dls_matrix_destroy(M);
  dls_matrix_destroy(H);
}

DLS_TEST(problems_with_a_product_obey_their_laws)
{
  check_product(false);
  check_product(true);
}

/* (E + W) x = b, sparse and by the entries of the dense way. */
static void check_compliant(fixture *f)
{
  size_t active[N];
  double E[N], b[N], x[N];
  dls_error err = {0};
  count_up(N, active);
  for (size_t i = 0; i < N; i++) {
    E[i] = 0.5 + 0.1 * random_number();
    b[i] = x[i] = random_number();
  }
  assert_ok(dls_delassus_solve_compliant(f->D, 1, N, active, E, x, &err), err);
  for (size_t i = 0; i < N; i++) {
    double sum = E[i] * x[i];
    for (size_t k = 0; k < N; k++) {
      sum += dls_delassus_entry(f->dense, i, k) * x[k];
    }
    assert_close(sum, b[i], 1e-10);
  }
}

/* The last contact touches one mass, then all of them. */
DLS_TEST(there_is_room_for_what_gradients_get_later)
{
  dls_matrix *H = dls_matrix_sparse(N, N, 2 * N);
  for (size_t j = 0; j < N; j++) {
    dls_matrix_set(H, j + 1 < N ? j : 0, j, 1);
  }
  fixture f = create(masses(), H);
  check_compliant(&f);
  for (size_t i = 1; i < N; i++) {
    assert_int_equal(dls_matrix_set(H, i, N - 1, 0.1 * random_number()), DLS_OK);
  }
  take_anew(&f);
  check_compliant(&f);
  destroy(&f);
}

/* Impulses on a set of as many contacts as that of the last problem. */
DLS_TEST(impulses_act_on_the_contacts_that_are_named)
{
  fixture f = create(masses(), unit_columns());
  size_t active[N];
  double b[N], p[N] = {0}, v[N] = {0}, other[N] = {0};
  dls_error err = {0};
  count_up(N, active);
  for (size_t k = 0; k < N; k++) {
    b[k] = -1;
  }
  assert_ok(dls_delassus_solve(f.D, f.lcp, 100, active, b, p, NULL, NULL, &err), err);
  dls_delassus_apply(f.D, 100, active + 150, 1, p, v);
  dls_delassus_apply(f.dense, 100, active + 150, 1, p, other);
  for (size_t i = 0; i < N; i++) {
    assert_close(v[i], other[i], 1e-13);
    assert_true(i >= 148 || v[i] == 0);
  }
  destroy(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_change_their_size_and_their_number),
      cmocka_unit_test(blocks_without_a_solution_are_told),
      cmocka_unit_test(the_rank_of_many_is_not_looked_for),
      cmocka_unit_test(responses_of_single_contacts),
      cmocka_unit_test(problems_with_a_product_obey_their_laws),
      cmocka_unit_test(there_is_room_for_what_gradients_get_later),
      cmocka_unit_test(impulses_act_on_the_contacts_that_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
