/* test_kept_set.c -- complementarity problems of three diagonals, one after the other, by the factors of the last set where it stays: against
 * Lemke's method on the same W as an array; sets that change; redundant contacts; what is reported.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/solve/large/cascade.h"
#include "common/solve/large/matrix_operator.h"
#include <math.h>
#include <string.h>

enum { MOST = 40, LOADS = 60 };

static double random_number(void)
{
  static uint64_t state = 7;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return 2 * ((double)(state >> 11) * 0x1p-53) - 1;
}

typedef struct fixture {
  size_t n;
  dls_matrix *W;
  double array[MOST * MOST]; /* W, column-major */
  dls_lcp_matrix *L;
  dls_lcp_solver *solver, *lemke;
} fixture;

/* Off-diagonal entries -1, or of both signs; the diagonal exceeds the sum of their sizes by `excess`. */
static void create(fixture *f, size_t n, double excess, bool mixed)
{
  dls_error err = {0};
  *f = (fixture){.n = n, .W = dls_matrix_sparse(n, n, 3 * n), .L = dls_lcp_matrix_create(dls_lcp_cascade)};
  for (size_t j = 0; j < n; j++) {
    const double before = j == 0 ? 0 : mixed && j % 3 == 0 ? 1 : -1;
    const double after = j + 1 == n ? 0 : mixed && (j + 1) % 3 == 0 ? 1 : -1;
    const double column[] = {before, fabs(before) + fabs(after) + excess, after};
    for (size_t k = 0; k < 3; k++) {
      if (column[k] != 0) {
        assert_int_equal(dls_matrix_set(f->W, j + k - 1, j, column[k]), DLS_OK);
        f->array[j + k - 1 + j * n] = column[k];
      }
    }
  }
  assert_int_equal(dls_lcp_matrix_take(f->L, f->W), DLS_OK);
  assert_ok(dls_lcp_create(n, NULL, 1e-12, &f->solver, &err), err);
  assert_ok(dls_lcp_create(n, "lemke", 1e-12, &f->lemke, &err), err);
}

static void destroy(fixture *f)
{
  dls_lcp_matrix_destroy(f->L);
  dls_matrix_destroy(f->W);
  dls_lcp_destroy(f->solver);
  dls_lcp_destroy(f->lemke);
}

/* Factorizations and products that are asked for from outside of the operator: none where the set is kept. */
static const dls_lcp_operator *whole;
static size_t asked;

static dls_status count_factor(void *data, size_t count, const int *set, double shift)
{
  asked++;
  return whole->factor(data, count, set, shift);
}

static void count_multiply(void *data, const double *z, double *w, double *size)
{
  asked++;
  whole->multiply(data, z, w, size);
}

/* The largest |min(W_ii z_i, w_i)|, w and the sizes of its terms by hand. */
static double residual_by_hand(const fixture *f, const double *b, const double *z, const double *w,
                               double *scale)
{
  double residual = 0;
  *scale = 0;
  for (size_t i = 0; i < f->n; i++) {
    double sum = b[i], size = fabs(b[i]);
    for (size_t j = 0; j < f->n; j++) {
      sum += f->array[i + j * f->n] * z[j];
      size += fabs(f->array[i + j * f->n] * z[j]);
    }
    assert_close(w[i], sum, 1e-15 * size);
    residual = fmax(residual, fabs(fmin(f->array[i * (f->n + 1)] * z[i], w[i])));
    *scale = fmax(*scale, size);
  }
  return residual;
}

/* @return was it the set of the last problem? */
static bool solve(fixture *f, const double *b, double *z, double tolerance)
{
  double w[MOST], other[MOST] = {0}, other_w[MOST], scale;
  dls_lcp_report report;
  dls_error err = {0};
  whole = &f->L->as_operator;
  dls_lcp_operator W = *whole;
  W.factor = count_factor;
  W.multiply = count_multiply;
  asked = 0;
  assert_ok(dls_lcp_solve_operator(f->solver, &W, b, z, w, &report, &err), err);
  assert_ok(dls_lcp_solve(f->lemke, f->n, f->array, b, other, other_w, NULL, &err), err);
  const double residual = residual_by_hand(f, b, z, w, &scale);
  assert_close(report.residual, residual, 1e-15 * scale);
  assert_close(report.scale, scale, 1e-14 * scale);
  assert_between(report.residual, 0, 1e-13 * scale);
  assert_string_equal(report.structure, "tridiagonal");
  for (size_t i = 0; i < f->n; i++) {
    assert_close(w[i], other_w[i], 1e-12 * scale);
    assert_close(z[i], other[i], tolerance * scale);
  }
  const bool kept = asked == 0 && report.pivots == 1;
  assert_true(kept || asked > 0 || report.pivots == 0);
  return kept;
}

/* A load that presses on all contacts, and one that moves on slowly and pulls some away. */
static void follow(size_t n, bool mixed)
{
  fixture f;
  double b[MOST], z[MOST] = {0};
  size_t kept = 0;
  create(&f, n, 0.1, mixed);
  for (size_t k = 0; k < LOADS; k++) {
    for (size_t i = 0; i < n; i++) {
      b[i] =
          k < LOADS / 2 ? -1 - 0.5 * random_number() - 4 * mixed * (i % 2) : cos(0.1 * (double)k + (double)i);
    }
    kept += solve(&f, b, z, 1e-12);
  }
  if (!mixed) { /* all contacts closed in each of the first half, once the first has factored */
    assert_between((double)kept, LOADS / 2 - 1, LOADS - 2);
  }
  destroy(&f);
}

DLS_TEST(kept_factors_give_what_an_array_gives)
{
  static const size_t sizes[] = {1, 2, 3, 7, 8, 33, MOST};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    follow(sizes[i], false);
    follow(sizes[i], true);
  }
}

/* The guess has the set of the kept factors, which is not that of the solution: one contact is pulled away, then comes back. */
DLS_TEST(a_warm_start_that_does_not_solve_is_left)
{
  fixture f;
  double b[MOST], z[MOST] = {0};
  create(&f, 9, 0.5, false);
  for (size_t i = 0; i < 9; i++) {
    b[i] = -1;
  }
  assert_false(solve(&f, b, z, 1e-12));
  assert_true(solve(&f, b, z, 1e-12));
  b[4] = 3;
  assert_false(solve(&f, b, z, 1e-12));
  assert_true(z[4] == 0 && z[3] > 0 && z[5] > 0);
  assert_true(solve(&f, b, z, 1e-12));
  b[4] = -1;
  assert_false(solve(&f, b, z, 1e-12)); /* the open contact has w < 0 */
  assert_true(z[4] > 0);
  memset(z, 0, sizeof z); /* nothing is known: the set is found anew */
  assert_false(solve(&f, b, z, 1e-12));
  destroy(&f);
}

/* Signs that are wrong by a millionth of the load are wrong. */
DLS_TEST(slightly_wrong_signs_are_seen)
{
  fixture f;
  double b[MOST], z[MOST] = {0};
  create(&f, 9, 0.5, false);
  for (size_t i = 0; i < 9; i++) {
    b[i] = i == 4 ? 3 : -1;
  }
  assert_false(solve(&f, b, z, 1e-12)); /* 4 is open */
  const double even = z[3] + z[5];      /* its load with which w and z are 0 */
  b[4] = even - 1e-6;
  assert_false(solve(&f, b, z, 1e-12));
  assert_between(z[4], 1e-7, 1e-5);
  b[4] = even + 1e-6;
  assert_false(solve(&f, b, z, 1e-12));
  assert_true(z[4] == 0);
  destroy(&f);
}

DLS_TEST(loads_that_pull_all_apart_leave_no_impulse)
{
  fixture f;
  double b[MOST], z[MOST] = {0};
  create(&f, 8, 0.5, false);
  for (size_t i = 0; i < 8; i++) {
    b[i] = -1;
  }
  assert_false(solve(&f, b, z, 1e-12));
  for (size_t i = 0; i < 8; i++) {
    b[i] = (double)i;
  }
  assert_false(solve(&f, b, z, 1e-12));
  for (size_t i = 0; i < 8; i++) {
    assert_true(z[i] == 0);
  }
  destroy(&f);
}

/* W of a chain that nothing holds is singular; w is unique where z is not. */
DLS_TEST(redundant_contacts_have_the_velocities_of_an_array)
{
  fixture f;
  double b[MOST], z[MOST] = {0};
  create(&f, 10, 0, false);
  for (size_t k = 0; k < LOADS; k++) {
    double mean = 0;
    for (size_t i = 0; i < 10; i++) {
      b[i] = sin(0.2 * (double)k + (double)(i * i));
      mean += b[i] / 10;
    }
    for (size_t i = 0; i < 10; i++) {
      b[i] += 0.2 - mean; /* were their sum negative, there would be no solution */
    }
    solve(&f, b, z, HUGE_VAL);
  }
  destroy(&f);
}

DLS_TEST(loads_that_are_not_finite_are_refused)
{
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (size_t k = 0; k < 3; k++) {
    fixture f;
    dls_error err = {0};
    double b[8] = {-1, -1, -1, -1, -1, -1, -1, -1}, z[MOST] = {0};
    create(&f, 8, 0.5, false);
    assert_false(solve(&f, b, z, 1e-12));
    b[5] = bad[k];
    assert_int_equal(dls_lcp_solve_operator(f.solver, &f.L->as_operator, b, z, NULL, NULL, &err),
                     DLS_ERR_NONFINITE);
    destroy(&f);
  }
}

/* A method that was asked for is the one that answers. */
DLS_TEST(other_methods_are_not_passed_over)
{
  fixture f;
  dls_error err = {0};
  dls_lcp_report report;
  dls_lcp_solver *pgs = NULL;
  double b[8] = {-1, -1, -1, -1, -1, -1, -1, -1}, z[MOST] = {0};
  create(&f, 8, 0.5, false);
  assert_false(solve(&f, b, z, 1e-12));
  assert_ok(dls_lcp_create(8, "pgs", 1e-12, &pgs, &err), err);
  assert_ok(dls_lcp_solve_operator(pgs, &f.L->as_operator, b, z, NULL, &report, &err), err);
  assert_string_equal(report.method, "pgs");
  dls_lcp_destroy(pgs);
  destroy(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kept_factors_give_what_an_array_gives),
      cmocka_unit_test(a_warm_start_that_does_not_solve_is_left),
      cmocka_unit_test(slightly_wrong_signs_are_seen),
      cmocka_unit_test(loads_that_pull_all_apart_leave_no_impulse),
      cmocka_unit_test(redundant_contacts_have_the_velocities_of_an_array),
      cmocka_unit_test(loads_that_are_not_finite_are_refused),
      cmocka_unit_test(other_methods_are_not_passed_over),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
