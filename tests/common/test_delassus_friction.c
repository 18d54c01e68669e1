/* test_delassus_friction.c -- many contacts of three rows by the sparse way and the saddle-point way: problems with friction,
 * and S W + B with blocks.
 * SPDX-License-Identifier: GPL-3.0-or-later */
/* half of them are more than the 100 contacts up to which a saddle point is solved as an array */
enum { N = 210 };

#include "held_twice.h"
#include <delassus/joints.h>
#include <string.h>

/* Contacts of three rows on the chain: body j on body j - 1 along the chain, with the two next bodies as tangents. */
static dls_matrix *rough(void)
{
  dls_matrix *H = dls_matrix_sparse(N, 3 * (N - 4), 7 * N);
  for (size_t j = 1; j < N - 3; j++) {
    const size_t row = 3 * (j - 1);
    dls_matrix_set(H, j - 1, row, -1);
    dls_matrix_set(H, j, row, 1);
    dls_matrix_set(H, j + 1, row + 1, 0.7);
    dls_matrix_set(H, j + 2, row + 1, 0.2);
    dls_matrix_set(H, j + 1, row + 2, -0.3);
    dls_matrix_set(H, j + 2, row + 2, 0.5);
  }
  return H;
}

/* r of every third contact, by a method, with W in one of two ways. @return the residual */
static double solve_rough(dls_delassus *D, const char *method, double tolerance, size_t count,
                          const size_t *active, const dls_problem *problem, double *u, const char **structure)
{
  double r[3 * N] = {0};
  dls_problem_solver *solver = NULL;
  dls_problem_report report;
  dls_error err = {0};
  assert_true(count <= 3 * N);
  assert_ok(dls_problem_create(method, tolerance, &solver, &err), err);
  assert_ok(dls_delassus_solve_problem(D, solver, active, problem, r, u, &report, &err), err);
  dls_problem_destroy(solver);
  *structure = report.structure;
  return report.residual;
}

/* A problem with friction: every so many contacts, so that W is regular. */
typedef struct rough_problem {
  size_t active[N];
  double q[N];
  dls_block blocks[N / 3];
  dls_problem problem;
} rough_problem;

static void every(size_t skip, rough_problem *p)
{
  size_t count = 0;
  for (size_t j = 0; j < N - 4; j += skip, count++) {
    p->blocks[count] = (dls_block){DLS_COULOMB, 3, 0.3};
    for (size_t i = 0; i < 3; i++) {
      p->active[3 * count + i] = 3 * j + i;
      p->q[3 * count + i] = random_number() - (i == 0 ? 0.5 : 0);
    }
  }
  p->problem = (dls_problem){.count = count, .blocks = p->blocks, .q = p->q};
}

/* Frictional problems of W that is positive definite with small mu have one solution. */
static void assert_same_slips(fixture *f, const rough_problem *p, const char *method)
{
  const size_t rows = 3 * p->problem.count;
  const char *structure;
  double u[N], expected[N];
  solve_rough(f->dense, NULL, 1e-12, rows, p->active, &p->problem, expected, &structure);
  assert_string_equal(structure, "dense");
  assert_between(solve_rough(f->D, method, 1e-12, rows, p->active, &p->problem, u, &structure), 0, 1e-12);
  assert_string_equal(structure, "saddle-point");
  for (size_t i = 0; i < rows; i++) {
    assert_close(u[i], expected[i], 1e-10);
  }
}

static const char *const methods[] = {"auto", "alart-curnier", "nsgs", "interior-point", "proximal-point"};
enum { METHODS = sizeof methods / sizeof *methods };

/* Friction on a body whose A^-1 is full: nothing is made dense, and every method gives what it gives with the array, also when
 * the body changes. */
DLS_TEST(friction_needs_no_array)
{
  fixture f = create(chain(DLS_BAND), rough());
  rough_problem p;
  every(3, &p);
  for (size_t k = 0; k < METHODS; k++) {
    for (size_t i = 0; i < N; i++) {
      dls_matrix_set(f.A, i, i,
                     (k == 0 ? 30 : 3) + random_number()); /* sweeps with the W_kk of before would run away */
    }
    take_anew(&f);
    assert_same_slips(&f, &p, methods[k]);
  }
  destroy(&f);
}

static void tied(const dls_system *sys, double t, const double *q, double *phi)
{
  (void)t;
  for (size_t i = 0; i < sys->r; i++) {
    phi[i] = dls_matrix_column_dot(sys->G, i, q);
  }
}

static void no_force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)t, (void)q, (void)v;
  memset(F, 0, sys->n * sizeof *F);
}

/* Every tenth body is tied to one behind it, the first such pair twice. */
static dls_system *tied_system(const dls_matrix *A)
{
  dls_error err = {0};
  dls_system *sys = dls_system_create(N, 0);
  assert_non_null(sys);
  sys->M = dls_matrix_clone(A);
  sys->r = N / 10;
  sys->G = dls_matrix_sparse(N, sys->r, 2 * sys->r);
  for (size_t k = 0; k < sys->r; k++) {
    const size_t j = k + 1 < sys->r ? 10 * k : 0;
    dls_matrix_set(sys->G, j + 4, k, 1);
    dls_matrix_set(sys->G, j + 9, k, -1);
  }
  sys->joint = tied;
  sys->force = no_force;
  assert_ok(dls_system_check(sys, &err), err);
  return sys;
}

/* The same with joints, one of them redundant, in the place of A^-1: sparse ones against dense ones. */
DLS_TEST(friction_with_joints_needs_no_array)
{
  fixture f = create(chain(DLS_SPARSE), rough());
  dls_system *sys = tied_system(f.A);
  dls_error err = {0};
  dls_joints *J = dls_joints_create(sys, f.factor), *dense_J = dls_joints_create(sys, f.dense_factor);
  assert_true(J != NULL && dense_J != NULL);
  assert_ok(dls_joints_at(J, 0, sys->q0, &err), err);
  assert_ok(dls_joints_at(dense_J, 0, sys->q0, &err), err);
  dls_delassus_destroy(f.D);
  dls_delassus_destroy(f.dense);
  f.D = dls_delassus_create_joints(J, f.H);
  f.dense = dls_delassus_create_with(dls_joints_project, dense_J, f.dense_H);
  rough_problem p;
  every(4, &p);
  for (size_t k = 0; k < METHODS; k++) {
    assert_same_slips(&f, &p, methods[k]);
  }
  destroy(&f);
  dls_joints_destroy(J);
  dls_joints_destroy(dense_J);
  dls_system_destroy(sys);
}

/* (S W + B) x = b put back into the equation, with sets that grow and shrink: the pattern of the wider ones stays. */
DLS_TEST(blocks_fulfil_their_equation)
{
  static const size_t skips[] = {4, 2, 9, 2, 0, 9};
  for (int way = 0; way < 2; way++) {
    fixture f = create(way == 0 ? masses() : chain(DLS_BAND), rough());
    for (size_t round = 0; round < sizeof skips / sizeof *skips; round++) {
      size_t active[3 * N], count = 0;
      double S[9 * N], B[9 * N], b[3 * N], x[3 * N], v[N] = {0};
      dls_error err = {0};
      for (size_t j = 0; j < N - 4; j++) {
        for (size_t i = 0; i < 3 && (skips[round] == 0 || j % skips[round] != 1); i++) {
          active[3 * count + i] = 3 * j + i;
        }
        count += skips[round] == 0 || j % skips[round] != 1;
      }
      for (size_t e = 0; e < 9 * count; e++) {
        S[e] = e % 9 % 4 == 0 ? 1 : 0.1 * random_number();
        B[e] = e % 9 % 4 == 0 ? 2 : 0.1 * random_number();
        b[e / 3] = x[e / 3] = random_number();
      }
      assert_ok(dls_delassus_solve_blocks(f.D, 3, count, active, S, B, x, &err), err);
      dls_delassus_apply(f.dense, 3 * count, active, 1, x, v); /* A^-1 H x */
      for (size_t row = 0; row < 3 * count; row++) {
        double sum = 0;
        for (size_t l = 0; l < 3; l++) {
          const size_t column = row - row % 3 + l, e = 9 * (row / 3) + row % 3 + 3 * l;
          sum += S[e] * dls_matrix_column_dot(f.H, active[column], v) + B[e] * x[column];
        }
        assert_close(sum, b[row], 1e-12);
      }
    }
    destroy(&f);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(friction_needs_no_array),
      cmocka_unit_test(friction_with_joints_needs_no_array),
      cmocka_unit_test(blocks_fulfil_their_equation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
