/* test_problem_allocation.c -- contact problems: allocation number k fails, for k = 1, 2, ... until all goes well; each time
 * there is an error, nothing crashes and nothing is left behind. A second solve of the same size allocates nothing.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include <delassus/problem.h>
#include <string.h>

enum { CONTACTS = 3 };

/* Blocks side by side on a floor, each of which pulls at the next. @return the sparse W */
static dls_matrix *weak_coupling(size_t n)
{
  dls_matrix *W = dls_matrix_sparse(n, n, 3 * n);
  for (size_t j = 0; W != NULL && j < n; j++) {
    for (size_t i = j > 1 ? j - 2 : j; i < n && i <= j + 2; i++) {
      if ((i + j) % 2 == 0) {
        dls_matrix_set(W, i, j, i == j ? 1 : 0.1);
      }
    }
  }
  return W;
}

static dls_status job(const char *method, size_t d, bool sparse, dls_error *err)
{
  const size_t n = d * CONTACTS;
  double q[3 * CONTACTS], dense[9 * CONTACTS * CONTACTS], r[3 * CONTACTS] = {0};
  dls_block blocks[CONTACTS];
  dls_problem_solver *solver = NULL;
  dls_matrix *W = weak_coupling(n);
  dls_status status =
      W != NULL ? dls_problem_create(method, 1e-12, &solver, err) : dls_fail(err, DLS_ERR_MEMORY, "W");
  for (size_t k = 0; k < n; k++) {
    q[k] = k % d == 0 ? -1 : k % 2 == 0 ? 2 : 0.1;
  }
  for (size_t k = 0; W != NULL && k < n * n; k++) {
    dense[k] = dls_matrix_get(W, k % n, k / n);
  }
  for (size_t k = 0; k < CONTACTS; k++) {
    blocks[k] = (dls_block){d == 1 ? DLS_HALF : DLS_COULOMB, d, 0.3};
  }
  const dls_problem problem = {
      .count = CONTACTS, .blocks = blocks, .q = q, .dense = sparse ? NULL : dense, .matrix = sparse ? W : NULL};
  status = status != DLS_OK ? status : dls_problem_solve(solver, &problem, r, NULL, NULL, err);
  if (status == DLS_OK && strstr(method, "lemke") == NULL && strcmp(method, "faceted") != 0 && !failed) {
    const long before = live;
    q[0] = -2;
    memset(r, 0, sizeof r);
    until_failure = sparse ? 0 : 1; /* KLU allocates */
    status = dls_problem_solve(solver, &problem, r, NULL, NULL, err);
    until_failure = 0;
    assert_false(failed && !sparse);
    assert_true(live == before);
  }
  dls_problem_destroy(solver);
  dls_matrix_destroy(W);
  return status;
}

/* A box on three points: H, 3 x 6, and W = H^T H. */
static dls_status box(const char *method, size_t d, bool sparse, dls_error *err)
{
  enum { ROWS = 2 * CONTACTS };
  static const double inverse_mass[3] = {1, 1, 1}, q[ROWS] = {-1, 0.3, -1, 0.3, -1, 0.3};
  static const size_t columns[ROWS] = {0, 1, 2, 3, 4, 5};
  double h[3][ROWS], r[ROWS] = {0};
  dls_block blocks[CONTACTS];
  dls_problem_solver *solver = NULL;
  dls_matrix *H = dls_matrix_sparse(3, ROWS, 3 * ROWS), *W = dls_matrix_sparse(ROWS, ROWS, ROWS * ROWS);
  (void)d, (void)sparse;
  for (size_t j = 0; j < ROWS; j++) {
    blocks[j / 2] = (dls_block){DLS_COULOMB, 2, 0.5};
    h[0][j] = j % 2 == 0 ? 0 : 1;
    h[1][j] = j % 2 == 0 ? 1 : 0;
    h[2][j] = j % 2 == 0 ? (double)(j / 2) - 1 : 0.5;
    for (size_t i = 0; H != NULL && i < 3; i++) {
      dls_matrix_set(H, i, j, h[i][j]);
    }
  }
  for (size_t k = 0; W != NULL && k < ROWS * ROWS; k++) {
    const size_t i = k % ROWS, j = k / ROWS;
    dls_matrix_set(W, i, j, h[0][i] * h[0][j] + h[1][i] * h[1][j] + h[2][i] * h[2][j]);
  }
  dls_status status = W != NULL && H != NULL ? dls_problem_create(method, 1e-12, &solver, err)
                                             : dls_fail(err, DLS_ERR_MEMORY, "W");
  const dls_problem_bodies bodies = {3, inverse_mass, H, columns};
  const dls_problem problem = {.count = CONTACTS, .blocks = blocks, .q = q, .matrix = W, .bodies = &bodies};
  status = status != DLS_OK ? status : dls_problem_solve(solver, &problem, r, NULL, NULL, err);
  dls_problem_destroy(solver);
  dls_matrix_destroy(W);
  dls_matrix_destroy(H);
  return status;
}

/* A tower of boxes on two points each, with W alone: 100 rows of rank 75. */
static dls_status tower(const char *method, size_t d, bool sparse, dls_error *err)
{
  enum { FACES = 25, FACE = 4, ROWS = FACES * FACE };
  static const double h[3][FACE] = {{0, 1, 0, 1}, {1, 0, 1, 0}, {-1, 0.5, 1, 0.5}};
  double q[ROWS], r[ROWS] = {0};
  dls_block blocks[ROWS / 2];
  dls_problem_solver *solver = NULL;
  dls_matrix *W = dls_matrix_sparse(ROWS, ROWS, 3 * FACE * ROWS);
  (void)d, (void)sparse;
  for (size_t j = 0; j < ROWS; j++) {
    const size_t face = j / FACE;
    blocks[j / 2] = (dls_block){DLS_COULOMB, 2, 0.5};
    q[j] = j % 2 == 0 ? -1 : 0.01;
    for (size_t i = face > 0 ? FACE * (face - 1) : 0; W != NULL && i < ROWS && i < FACE * (face + 2); i++) {
      double sum = 0;
      for (size_t k = 0; k < 3; k++) {
        sum += h[k][i % FACE] * h[k][j % FACE];
      }
      dls_matrix_set(W, i, j, i / FACE == face ? (face > 0 ? 2 : 1) * sum : -sum);
    }
  }
  dls_status status =
      W != NULL ? dls_problem_create(method, 1e-12, &solver, err) : dls_fail(err, DLS_ERR_MEMORY, "W");
  const dls_problem problem = {.count = ROWS / 2, .blocks = blocks, .q = q, .matrix = W};
  status = status != DLS_OK ? status : dls_problem_solve(solver, &problem, r, NULL, NULL, err);
  dls_problem_destroy(solver);
  dls_matrix_destroy(W);
  return status;
}

typedef dls_status (*job_type)(const char *method, size_t d, bool sparse, dls_error *err);

static void sweep_of(job_type job_of, const char *method, size_t d, bool sparse)
{
  for (size_t k = 1;; k++) {
    dls_error err = {0};
    live = 0;
    failed = false;
    until_failure = k;
    const dls_status status = job_of(method, d, sparse, &err);
    until_failure = 0;
    assert_int_equal(live, 0);
    if (!failed) {
      assert_ok(status, err);
      assert_true(k > 3);
      return;
    }
    assert_int_equal(status, DLS_ERR_MEMORY);
    assert_true(strlen(err.text) > 0);
  }
}

static void sweep(const char *method, size_t d, bool sparse)
{
  sweep_of(job, method, d, sparse);
}

DLS_TEST(every_failed_allocation_is_an_error)
{
  static const char *const planar[] = {"auto",          "modes",          "planar-lemke", "nsgs",
                                       "alart-curnier", "proximal-point", "faceted"};
  static const char *const space[] = {"auto", "nsgs", "alart-curnier", "proximal-point"};
  for (size_t m = 0; m < sizeof planar / sizeof *planar; m++) {
    sweep(planar[m], 2, false);
    sweep(planar[m], 2, true);
  }
  for (size_t m = 0; m < sizeof space / sizeof *space; m++) {
    sweep(space[m], 3, false);
    sweep(space[m], 3, true);
  }
  sweep("lcp", 1, false);
  sweep("auto", 1, true);
  sweep_of(box, "alart-curnier", 2, true);
  sweep_of(tower, "auto", 2, true);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_failed_allocation_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
