/* test_delassus_structure.c -- W = H^T A^-1 H for many contacts: the sparse way (A diagonal) and the saddle-point way
 * against the dense way on the same problem; sets that change; redundant contacts; bilateral solves.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/delassus_operator.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { N = 300 };

/* One body, held in two ways: A and H in the storages given and as dense arrays. */
typedef struct fixture {
  dls_matrix *A, *H, *dense_A, *dense_H;
  dls_factor *factor, *dense_factor;
  dls_delassus *D, *dense;
  dls_lcp_solver *lcp, *dense_lcp;
} fixture;

static double random_number(void)
{
  static unsigned long state = 1;
  state = state * 6364136223846793005UL + 1442695040888963407UL;
  return 2 * ((double)(state >> 11) * 0x1p-53) - 1;
}

static void copy(const dls_matrix *from, dls_matrix *to)
{
  for (size_t j = 0; j < dls_matrix_columns(from); j++) {
    for (size_t i = 0; i < dls_matrix_rows(from); i++) {
      dls_matrix_set(to, i, j, dls_matrix_get(from, i, j));
    }
  }
}

static void factor(fixture *f)
{
  dls_error err = {0};
  dls_factor_touch(f->factor);
  dls_factor_touch(f->dense_factor);
  assert_ok(dls_factor_sum(f->factor, (const double[]){1}, &err), err);
  assert_ok(dls_factor_sum(f->dense_factor, (const double[]){1}, &err), err);
}

static fixture create(dls_matrix *A, dls_matrix *H)
{
  fixture f = {.A = A, .H = H};
  dls_error err = {0};
  f.dense_A = dls_matrix_dense(N, N);
  f.dense_H = dls_matrix_dense(N, dls_matrix_columns(H));
  copy(A, f.dense_A);
  copy(H, f.dense_H);
  f.factor = dls_factor_create((const dls_matrix *const[]){A}, 1);
  f.dense_factor = dls_factor_create((const dls_matrix *const[]){f.dense_A}, 1);
  factor(&f);
  f.D = dls_delassus_create(f.factor, H);
  f.dense = dls_delassus_create(f.dense_factor, f.dense_H);
  assert_ok(dls_lcp_create(1, NULL, 1e-12, &f.lcp, &err), err);
  assert_ok(dls_lcp_create(1, "lemke", 1e-12, &f.dense_lcp, &err), err);
  return f;
}

static void destroy(fixture *f)
{
  dls_delassus_destroy(f->D);
  dls_delassus_destroy(f->dense);
  dls_factor_destroy(f->factor);
  dls_factor_destroy(f->dense_factor);
  dls_matrix_destroy(f->A);
  dls_matrix_destroy(f->H);
  dls_matrix_destroy(f->dense_A);
  dls_matrix_destroy(f->dense_H);
  dls_lcp_destroy(f->lcp);
  dls_lcp_destroy(f->dense_lcp);
}

static dls_matrix *masses(void)
{
  dls_matrix *A = dls_matrix_diagonal(N);
  for (size_t i = 0; i < N; i++) {
    dls_matrix_set(A, i, i, 1.5 + sin((double)i));
  }
  return A;
}

/* The iteration matrix of an elastic chain. */
static dls_matrix *chain(dls_storage storage)
{
  dls_matrix *A = storage == DLS_BAND ? dls_matrix_band(N, 1, 1) : dls_matrix_sparse(N, N, 3 * N);
  for (size_t j = 0; j < N; j++) {
    for (size_t i = j > 0 ? j - 1 : 0; i < N && i <= j + 1; i++) {
      dls_matrix_set(A, i, j, i == j ? 3 + 0.1 * cos((double)i) : -1);
    }
  }
  return A;
}

/* Contact j between bodies j - 1 and j, as in a column. */
static dls_matrix *neighbours(void)
{
  dls_matrix *H = dls_matrix_sparse(N, N, 2 * N);
  for (size_t j = 0; j < N; j++) {
    if (j > 0) {
      dls_matrix_set(H, j - 1, j, -1);
    }
    dls_matrix_set(H, j, j, 1);
  }
  return H;
}

/* The neighbours, and every third contact a second time with half the weight. */
static dls_matrix *redundant(void)
{
  dls_matrix *H = dls_matrix_sparse(N, N + N / 3, 3 * N);
  for (size_t j = 0; j < N + N / 3; j++) {
    const size_t i = j < N ? j : 3 * (j - N);
    if (i > 0) {
      dls_matrix_set(H, i - 1, j, j < N ? -1 : -0.5);
    }
    dls_matrix_set(H, i, j, j < N ? 1 : 0.5);
  }
  return H;
}

/* Contacts whose number is not a multiple of skip (0: all). @return how many */
static size_t choose(const dls_matrix *H, size_t skip, size_t *active)
{
  size_t count = 0;
  for (size_t j = 0; j < dls_matrix_columns(H); j++) {
    if (skip == 0 || j % skip != 0) {
      active[count++] = j;
    }
  }
  return count;
}

/* b = H^T v for a random v, which is consistent also if contacts are redundant. */
static void load(const fixture *f, size_t count, const size_t *active, double *v, double *b)
{
  for (size_t i = 0; i < N; i++) {
    v[i] = random_number() - 0.1;
  }
  for (size_t k = 0; k < count; k++) {
    b[k] = dls_matrix_column_dot(f->H, active[k], v);
  }
}

/* Velocities after the impact are unique even where impulses are not. */
static void assert_same_velocities(fixture *f, size_t skip, double tolerance)
{
  size_t active[2 * N];
  double v[N], other[N], b[2 * N], p[2 * N] = {0}, q[2 * N] = {0};
  dls_error err = {0};
  const size_t count = choose(f->H, skip, active);
  load(f, count, active, v, b);
  memcpy(other, v, sizeof v);
  assert_ok(dls_delassus_solve(f->D, f->lcp, count, active, b, p, NULL, NULL, &err), err);
  assert_ok(dls_delassus_solve(f->dense, f->dense_lcp, count, active, b, q, NULL, NULL, &err), err);
  dls_delassus_apply(f->D, count, active, 1, p, v);
  dls_delassus_apply(f->dense, count, active, 1, q, other);
  for (size_t i = 0; i < N; i++) {
    assert_close(v[i], other[i], tolerance);
  }
  for (size_t k = 0; k < count; k++) {
    const double u = dls_matrix_column_dot(f->H, active[k], v);
    assert_true(p[k] >= 0);
    assert_between(u, -tolerance, 1e3);
    assert_true(p[k] == 0 || fabs(u) <= tolerance);
  }
}

static void assert_same_for_changing_sets(dls_matrix *A, dls_matrix *H, double tolerance)
{
  fixture f = create(A, H);
  const size_t skips[] = {0, 2, 3, 0, 7, 5, 2};
  for (size_t k = 0; k < sizeof skips / sizeof skips[0]; k++) {
    assert_same_velocities(&f, skips[k], tolerance);
  }
  destroy(&f);
}

DLS_TEST(diagonal_A_gives_what_the_dense_way_gives)
{
  assert_same_for_changing_sets(masses(), neighbours(), 1e-11);
}

DLS_TEST(band_and_sparse_A_give_what_the_dense_way_gives)
{
  assert_same_for_changing_sets(chain(DLS_BAND), neighbours(), 1e-11);
  assert_same_for_changing_sets(chain(DLS_SPARSE), neighbours(), 1e-11);
}

DLS_TEST(redundant_contacts_are_no_obstacle)
{
  assert_same_for_changing_sets(masses(), redundant(), 1e-9);
  assert_same_for_changing_sets(chain(DLS_BAND), redundant(), 1e-9);
}

DLS_TEST(new_matrices_count_after_a_reset)
{
  for (int k = 0; k < 2; k++) {
    fixture f = create(k == 0 ? masses() : chain(DLS_BAND), neighbours());
    for (int round = 0; round < 3; round++) {
      assert_same_velocities(&f, 0, 1e-10);
      for (size_t i = 0; i < N; i++) {
        dls_matrix_set(f.A, i, i, 3 + random_number());
        dls_matrix_set(f.H, i, i, 1 + 0.2 * random_number());
      }
      copy(f.A, f.dense_A);
      copy(f.H, f.dense_H);
      factor(&f);
      dls_delassus_reset(f.D);
      dls_delassus_reset(f.dense);
    }
    destroy(&f);
  }
}

DLS_TEST(bilateral_solves_leave_no_velocity)
{
  for (int k = 0; k < 4; k++) {
    fixture f = create(k % 2 == 0 ? masses() : chain(DLS_SPARSE), k < 2 ? neighbours() : redundant());
    for (size_t skip = 0; skip <= 3; skip += 3) {
      size_t active[2 * N];
      double v[N], b[2 * N], p[2 * N];
      dls_error err = {0};
      const size_t count = choose(f.H, skip, active);
      load(&f, count, active, v, b);
      assert_ok(dls_delassus_solve_bilateral(f.D, count, active, b, p, &err), err);
      dls_delassus_apply(f.D, count, active, 1, p, v);
      for (size_t i = 0; i < count; i++) {
        assert_close(dls_matrix_column_dot(f.H, active[i], v), 0, 1e-10);
      }
    }
    destroy(&f);
  }
}

/* (E + s W) x = b for the contacts of a set, put back into the equation with the entries of the dense way. The sets
 * change, and then the masses. */
DLS_TEST(yielding_contacts_fulfil_their_equation)
{
  fixture f = create(masses(), neighbours());
  for (int round = 0; round < 4; round++) {
    const size_t skip = round % 2 == 0 ? 0 : 7;
    if (round == 2) {
      for (size_t i = 0; i < N; i++) {
        dls_matrix_set(f.A, i, i, 3 + random_number());
      }
      copy(f.A, f.dense_A);
      factor(&f);
      dls_delassus_reset(f.D);
      dls_delassus_reset(f.dense);
    }
    size_t active[2 * N];
    double E[2 * N], b[2 * N], x[2 * N];
    dls_error err = {0};
    const size_t count = choose(f.H, skip, active);
    for (size_t i = 0; i < count; i++) {
      E[i] = i % 3 == 0 ? 0 : pow(10, 3 * sin((double)i));
      b[i] = x[i] = random_number();
    }
    assert_ok(dls_delassus_solve_compliant(f.D, 0.25, count, active, E, x, &err), err);
    for (size_t i = 0; i < count; i++) {
      double sum = E[i] * x[i], size = fabs(b[i]) + fabs(sum);
      for (size_t k = 0; k < count; k++) {
        const double term = 0.25 * dls_delassus_entry(f.dense, active[i], active[k]) * x[k];
        sum += term;
        size += fabs(term);
      }
      assert_close(sum, b[i], 1e-13 * size);
    }
  }
  destroy(&f);
}

DLS_TEST(yielding_contacts_without_a_solution_leave_the_right_hand_side)
{
  fixture f = create(masses(), redundant());
  size_t active[2 * N];
  double E[2 * N] = {0}, b[2 * N];
  const size_t count = choose(f.H, 0, active);
  for (size_t i = 0; i < count; i++) {
    b[i] = (double)i;
  }
  assert_int_equal(dls_delassus_solve_compliant(f.D, 1, count, active, E, b, NULL), DLS_ERR_SINGULAR);
  assert_int_equal(dls_delassus_solve_compliant(f.dense, 1, count, active, E, b, NULL), DLS_ERR_NOT_APPLICABLE);
  for (size_t i = 0; i < count; i++) {
    assert_close(b[i], (double)i, 0);
  }
  destroy(&f);
}

DLS_TEST(entries_are_those_of_the_dense_way)
{
  for (int k = 0; k < 2; k++) {
    fixture f = create(k == 0 ? masses() : chain(DLS_BAND), neighbours());
    for (size_t i = 0; i < 10; i++) {
      for (size_t j = 0; j < 10; j++) {
        assert_close(dls_delassus_entry(f.D, i, j), dls_delassus_entry(f.dense, i, j), 1e-14);
      }
    }
    destroy(&f);
  }
}

/* W = H^T A^-1 N M^-1 H with N = A / 2 + M / 4, held sparse (all diagonal), as an array, and as a saddle point, against
 * the same operator applied by hand. */
typedef struct product {
  dls_factor *A, *M;
  const dls_matrix *A_matrix, *M_matrix;
} product;

static void by_hand(void *data, double *x)
{
  const product *f = data;
  double y[N] = {0};
  dls_factor_solve(f->M, x);
  dls_matrix_multiply(f->A_matrix, 0.5, x, y);
  dls_matrix_multiply(f->M_matrix, 0.25, x, y);
  dls_factor_solve(f->A, y);
  memcpy(x, y, sizeof y);
}

DLS_TEST(products_are_applied_in_every_way)
{
  for (int k = 0; k < 2; k++) {
    dls_matrix *M = masses(), *B = k == 0 ? masses() : chain(DLS_BAND), *H = neighbours();
    dls_factor *A = dls_factor_create((const dls_matrix *const[]){B, M}, 2);
    dls_factor *mass = dls_factor_create((const dls_matrix *const[]){M}, 1);
    dls_error err = {0};
    assert_ok(dls_factor_sum(A, (const double[]){1, 0.1}, &err), err);
    assert_ok(dls_factor_sum(mass, (const double[]){1}, &err), err);
    product hand = {A, mass, B, M};
    dls_delassus *D = dls_delassus_create_product(A, mass, H),
                 *other = dls_delassus_create_with(by_hand, &hand, H);
    dls_delassus_product(D, 2, (const double[]){0.5, 0.25});
    fixture f = {.H = H, .D = D, .dense = other};
    assert_ok(dls_lcp_create(1, NULL, 1e-12, &f.lcp, &err), err);
    assert_ok(dls_lcp_create(1, "lemke", 1e-12, &f.dense_lcp, &err), err);
    assert_same_velocities(&f, 0, 1e-10);
    assert_same_velocities(&f, 3, 1e-10);
    assert_close(dls_delassus_entry(D, 3, 4), dls_delassus_entry(other, 3, 4), 1e-14);
    dls_delassus_destroy(D);
    dls_delassus_destroy(other);
    dls_factor_destroy(A);
    dls_factor_destroy(mass);
    dls_matrix_destroy(M);
    dls_matrix_destroy(B);
    dls_matrix_destroy(H);
    dls_lcp_destroy(f.lcp);
    dls_lcp_destroy(f.dense_lcp);
  }
}

/* A column of 10^5 bodies: n x m doubles would be 80 GB. The condition of W is 4e9. */
DLS_TEST(memory_follows_the_entries)
{
  enum { MANY = 100000 };
  dls_matrix *A = dls_matrix_diagonal(MANY), *H = dls_matrix_sparse(MANY, MANY, 2 * MANY);
  size_t *active = malloc(MANY * sizeof *active);
  double *b = calloc(MANY, sizeof *b), *p = calloc(MANY, sizeof *p);
  dls_error err = {0};
  for (size_t j = 0; j < MANY; j++) {
    dls_matrix_set(A, j, j, 1);
    if (j > 0) {
      dls_matrix_set(H, j - 1, j, -1);
    }
    dls_matrix_set(H, j, j, 1);
    active[j] = j;
  }
  b[0] = -1; /* the floor comes up with velocity 1: p_i = n - i */
  dls_factor *F = dls_factor_create((const dls_matrix *const[]){A}, 1);
  assert_ok(dls_factor_sum(F, (const double[]){1}, &err), err);
  dls_delassus *D = dls_delassus_create(F, H);
  dls_lcp_solver *lcp = NULL;
  assert_ok(dls_lcp_create(MANY, NULL, 1e-12, &lcp, &err), err);
  assert_ok(dls_delassus_solve(D, lcp, MANY, active, b, p, NULL, NULL, &err), err);
  for (size_t j = 0; j < MANY; j++) {
    assert_close(p[j], (double)(MANY - j), 1e-8 * (double)(MANY - j));
  }
  assert_ok(dls_delassus_solve_bilateral(D, MANY, active, b, p, &err), err);
  for (size_t j = 0; j < MANY; j++) {
    assert_close(p[j], (double)(MANY - j), 1e-8 * (double)(MANY - j));
  }
  dls_delassus_destroy(D);
  dls_factor_destroy(F);
  dls_lcp_destroy(lcp);
  dls_matrix_destroy(A);
  dls_matrix_destroy(H);
  free(active);
  free(b);
  free(p);
}

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

/* Friction on a body whose A^-1 is full: nothing is made dense, and every method gives what it gives with the array, also when
 * the body changes. Frictional
 * problems of W that is positive definite with small mu have one solution. */
DLS_TEST(friction_needs_no_array)
{
  static const char *const methods[] = {"auto", "nsgs", "alart-curnier", "interior-point"};
  fixture f = create(chain(DLS_BAND), rough());
  size_t active[N], count = 0;
  double q[N], u[N], expected[N];
  dls_block blocks[N / 3];
  for (size_t j = 0; j < N - 4; j += 3, count++) { /* every third: W is regular */
    blocks[count] = (dls_block){DLS_COULOMB, 3, 0.3};
    for (size_t i = 0; i < 3; i++) {
      active[3 * count + i] = 3 * j + i;
      q[3 * count + i] = random_number() - (i == 0 ? 0.5 : 0);
    }
  }
  const dls_problem problem = {.count = count, .blocks = blocks, .q = q};
  const char *structure;
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    solve_rough(f.dense, NULL, 1e-12, 3 * count, active, &problem, expected, &structure);
    assert_string_equal(structure, "dense");
    assert_between(solve_rough(f.D, methods[k], 1e-12, 3 * count, active, &problem, u, &structure), 0, 1e-12);
    assert_string_equal(structure, "saddle-point");
    for (size_t i = 0; i < 3 * count; i++) {
      assert_close(u[i], expected[i], 1e-10);
    }
    for (size_t i = 0; i < N; i++) {
      dls_matrix_set(f.A, i, i, 3 + random_number());
    }
    copy(f.A, f.dense_A);
    factor(&f);
    dls_delassus_reset(f.D);
    dls_delassus_reset(f.dense);
  }
  destroy(&f);
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
      cmocka_unit_test(diagonal_A_gives_what_the_dense_way_gives),
      cmocka_unit_test(band_and_sparse_A_give_what_the_dense_way_gives),
      cmocka_unit_test(redundant_contacts_are_no_obstacle),
      cmocka_unit_test(new_matrices_count_after_a_reset),
      cmocka_unit_test(bilateral_solves_leave_no_velocity),
      cmocka_unit_test(yielding_contacts_fulfil_their_equation),
      cmocka_unit_test(yielding_contacts_without_a_solution_leave_the_right_hand_side),
      cmocka_unit_test(entries_are_those_of_the_dense_way),
      cmocka_unit_test(products_are_applied_in_every_way),
      cmocka_unit_test(memory_follows_the_entries),
      cmocka_unit_test(friction_needs_no_array),
      cmocka_unit_test(blocks_fulfil_their_equation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
