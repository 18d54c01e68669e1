/* test_delassus_structure.c -- W = H^T A^-1 H for many contacts: the sparse way (A diagonal) and the saddle-point way
 * against the dense way on the same problem; sets that change; redundant contacts; bilateral solves.
 * SPDX-License-Identifier: GPL-3.0-or-later */
/* half of them are more than the 100 contacts up to which a saddle point is solved as an array */
enum { N = 210 };

#include "fallbacks.h"
#include "held_twice.h"
#include <stdlib.h>
#include <string.h>

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
      take_anew(&f);
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

/* Impulses act on the set that W is made of row by row, on others column by column: to the last bit the same. */
DLS_TEST(impulses_act_alike_on_any_set)
{
  fixture f = create(masses(), redundant());
  size_t active[2 * N];
  double v[N], other[N], b[2 * N], p[2 * N], none[2 * N] = {0};
  dls_error err = {0};
  size_t count = choose(f.H, 3, active);
  load(&f, count, active, v, b);
  for (size_t k = 0; k < count; k++) {
    p[k] = k % 4 == 0 ? 0 : random_number();
  }
  memcpy(other, v, sizeof v);
  dls_delassus_apply(f.D, count, active, 0.7, p, v); /* no set yet */
  assert_ok(dls_delassus_solve(f.D, f.lcp, count, active, b, none, NULL, NULL, &err), err);
  dls_delassus_apply(f.D, count, active, 0.7, p, other);
  assert_memory_equal(v, other, sizeof v);
  count = choose(f.H, 2, active);
  dls_delassus_apply(f.D, count, active, 1, p, v); /* not that of the last problem */
  dls_delassus_apply(f.dense, count, active, 1, p, other);
  for (size_t i = 0; i < N; i++) {
    assert_close(v[i], other[i], 1e-13);
  }
  destroy(&f);
}

/* A chain of 7 to 32 contacts is solved as such, fewer as an array. */
DLS_TEST(small_chains_give_what_the_dense_way_gives)
{
  fixture f = create(masses(), neighbours());
  for (size_t count = 1; count <= 40; count++) {
    size_t active[2 * N];
    double v[N], b[2 * N], p[2 * N] = {0}, q[2 * N] = {0};
    dls_error err = {0};
    for (int round = 0; round < 4;
         round++) { /* a contact may be left out, and the guess is that of the last round */
      for (size_t k = 0; k < count; k++) {
        active[k] = k + (round == 3 && 2 * k > count);
      }
      load(&f, count, active, v, b);
      for (size_t k = 0; k < count; k++) {
        b[k] = round < 2 ? -fabs(b[k]) : b[k];
      }
      assert_ok(dls_delassus_solve(f.D, f.lcp, count, active, b, p, NULL, NULL, &err), err);
      assert_ok(dls_delassus_solve(f.dense, f.dense_lcp, count, active, b, q, NULL, NULL, &err), err);
      for (size_t k = 0; k < count; k++) {
        assert_close(p[k], q[k], 1e-12 * (double)(count * count));
      }
    }
  }
  destroy(&f);
}

/* (E + s W) x = b for the contacts of a set, put back into the equation with the entries of the dense way. The sets
 * change, and then the masses. */
/* In turn another b, another A, another E on one set, since factors are kept. */
static void check_yielding(dls_matrix *A)
{
  fixture f = create(A, neighbours());
  for (int round = 0; round < 8; round++) {
    const size_t skip = round < 4 ? 0 : 7;
    const double scale = round % 4 == 3 ? 2 : 3;
    if (round % 4 == 2) {
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
      E[i] = i % 3 == 0 ? 0 : pow(10, scale * sin((double)i));
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

DLS_TEST(yielding_contacts_fulfil_their_equation)
{
  check_yielding(masses());
  check_yielding(chain(DLS_BAND));
  check_yielding(chain(DLS_SPARSE));
}

/* A short chain is no array: 20 contacts in a row have 58 entries. */
DLS_TEST(few_yielding_contacts_in_a_row_are_solved_as_a_chain)
{
  enum { FEW = 20 };
  fixture f = create(masses(), neighbours());
  size_t active[FEW];
  double E[FEW], x[FEW], b[FEW];
  dls_error err = {0};
  for (size_t k = 0; k < FEW; k++) {
    active[k] = k;
    E[k] = 0.1 * (double)k;
    x[k] = b[k] = random_number();
  }
  assert_true(dls_delassus_reserve_compliant(f.D));
  assert_true(dls_delassus_reserve_compliant(f.dense));
  assert_ok(dls_delassus_solve_compliant(f.D, 0.25, FEW, active, E, x, &err), err);
  for (size_t i = 0; i < FEW; i++) {
    double sum = E[i] * x[i];
    for (size_t k = 0; k < FEW; k++) {
      sum += 0.25 * dls_delassus_entry(f.dense, active[i], active[k]) * x[k];
    }
    assert_close(sum, b[i], 1e-13 * (fabs(b[i]) + 1));
  }
  destroy(&f);
}

DLS_TEST(yielding_contacts_without_a_solution_leave_the_right_hand_side)
{
  for (int kind = 0; kind < 2; kind++) {
    fixture f = create(kind == 0 ? masses() : chain(DLS_BAND), redundant());
    size_t active[2 * N];
    double E[2 * N] = {0}, b[2 * N];
    const size_t count = choose(f.H, 0, active);
    for (size_t i = 0; i < count; i++) {
      b[i] = (double)i;
    }
    assert_int_equal(dls_delassus_solve_compliant(f.D, 1, count, active, E, b, NULL), DLS_ERR_SINGULAR);
    assert_int_equal(dls_delassus_solve_compliant(f.dense, 1, count, active, E, b, NULL),
                     DLS_ERR_NOT_APPLICABLE);
    for (size_t i = 0; i < count; i++) {
      assert_close(b[i], (double)i, 0);
    }
    destroy(&f);
  }
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
    assert_ok(dls_factor_sum(mass, (const double[]){1 + k}, &err), err);
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

typedef struct counted {
  dls_factor *A;
  size_t calls, invalid; /* a row of x that becomes NaN; SIZE_MAX: none */
} counted;

static void solve_counted(void *data, double *x)
{
  counted *c = data;
  dls_factor_solve(c->A, x);
  if (c->invalid != SIZE_MAX) {
    x[c->invalid] = NAN;
  }
  c->calls++;
}

/* tridiag(1, 5/2, 1) */
static dls_matrix *attracting_neighbours(size_t n)
{
  dls_matrix *A = dls_matrix_band(n, 1, 1);
  for (size_t j = 0; j < n; j++) {
    for (size_t i = j > 0 ? j - 1 : 0; i < n && i <= j + 1; i++) {
      dls_matrix_set(A, i, j, i == j ? 2.5 : 1);
    }
  }
  return A;
}

static dls_matrix *unit_rows(size_t n)
{
  dls_matrix *H = dls_matrix_sparse(n, n, n);
  for (size_t j = 0; j < n; j++) {
    dls_matrix_set(H, j, j, 1);
  }
  return H;
}

/* W = A^-1 with A = tridiag(1, 5/2, 1), so that an impulse draws its neighbours nearer: one contact closes, then a second, and two of 60
 * columns of W are made, by as many solves, beside those for the velocities of all. */
DLS_TEST(few_contacts_that_close_take_few_solves)
{
  enum { MANY = 60, FIRST = 20, SECOND = 21 };
  dls_matrix *A = attracting_neighbours(MANY), *H = unit_rows(MANY);
  size_t active[MANY];
  double b[MANY], p[MANY] = {0}, u[MANY] = {0};
  dls_error err = {0};
  for (size_t j = 0; j < MANY; j++) {
    active[j] = j;
    b[j] = j == FIRST ? -1 : j == SECOND ? 0.05 : 1;
  }
  counted c = {dls_factor_create((const dls_matrix *const[]){A}, 1), 0, SIZE_MAX};
  assert_ok(dls_factor_sum(c.A, (const double[]){1}, &err), err);
  dls_delassus *D = dls_delassus_create_with(solve_counted, &c, H);
  dls_lcp_solver *lcp = NULL;
  assert_ok(dls_lcp_create(MANY, NULL, 1e-12, &lcp, &err), err);
  assert_ok(dls_delassus_solve(D, lcp, MANY, active, b, p, NULL, NULL, &err), err);
  assert_in_range(c.calls, 2, 6);
  memcpy(u, p, sizeof u);
  dls_factor_solve(c.A, u); /* W p */
  for (size_t k = 0; k < MANY; k++) {
    u[k] += b[k];
    assert_true(k == FIRST || k == SECOND ? p[k] > 0.1 && fabs(u[k]) < 1e-14 : p[k] == 0 && u[k] > 0.1);
  }
  dls_fallbacks fallbacks = {0};
  dls_delassus_count_fallbacks(D, &fallbacks);
  b[SECOND] = NAN; /* not left out as a contact that stays open */
  assert_true(dls_delassus_solve(D, lcp, MANY, active, b, p, NULL, NULL, &err) < 0);
  b[SECOND] = 0.05;
  c.invalid = 2 * SECOND; /* nor is one whose velocity is not a number */
  dls_delassus_reset(D);
  assert_true(dls_delassus_solve(D, lcp, MANY, active, b, p, NULL, NULL, &err) < 0);
  assert_int_equal(fallbacks_to(&fallbacks, "all-contacts"),
                   1); /* of the problem with NaN no contacts are chosen */
  c.invalid = SIZE_MAX;
  dls_delassus_reset(D);
  for (size_t j = 0; j < MANY / 2; j++) {
    b[2 * j] = -1;
  }
  c.calls = 0;
  assert_ok(dls_delassus_solve(D, lcp, MANY, active, b, p, NULL, NULL, &err), err);
  assert_in_range(c.calls, MANY / 2, MANY - 10); /* of many that close, no columns of those that rest */
  assert_int_equal(fallbacks_to(&fallbacks, "all-contacts"), 1);
  dls_lcp_destroy(lcp);
  dls_delassus_destroy(D);
  dls_factor_destroy(c.A);
  dls_matrix_destroy(A);
  dls_matrix_destroy(H);
}

/* Two contacts close, then a third: the pivots of both problems are counted. */
DLS_TEST(pivots_of_all_sets_are_counted)
{
  enum { MANY = 60, CLOSED = 3 };
  const size_t closed[CLOSED] = {20, 40, 21};
  dls_matrix *A = attracting_neighbours(MANY), *H = unit_rows(MANY);
  size_t active[MANY], pivots = 0, of_sets = 0;
  double b[MANY], p[MANY] = {0}, x[CLOSED] = {0};
  const double b_closed[CLOSED] = {-1, -1, 0.05};
  dls_error err = {0};
  for (size_t j = 0; j < MANY; j++) {
    active[j] = j;
    b[j] = 1;
  }
  for (size_t k = 0; k < CLOSED; k++) {
    b[closed[k]] = b_closed[k];
  }
  counted c = {dls_factor_create((const dls_matrix *const[]){A}, 1), 0, SIZE_MAX};
  assert_ok(dls_factor_sum(c.A, (const double[]){1}, &err), err);
  dls_delassus *D = dls_delassus_create_with(solve_counted, &c, H);
  dls_lcp_solver *lcp = NULL;
  assert_ok(dls_lcp_create(MANY, NULL, 1e-12, &lcp, &err), err);
  assert_ok(dls_delassus_solve(D, lcp, MANY, active, b, p, NULL, &pivots, &err), err);
  assert_ok(dls_delassus_solve(D, lcp, 2, closed, b_closed, x, NULL, &of_sets, &err), err);
  const size_t of_first = of_sets;
  memset(x, 0, sizeof x);
  assert_ok(dls_delassus_solve(D, lcp, CLOSED, closed, b_closed, x, NULL, &of_sets, &err), err);
  assert_true(of_first > 0 && of_sets > of_first && pivots == of_sets);
  dls_lcp_destroy(lcp);
  dls_delassus_destroy(D);
  dls_factor_destroy(c.A);
  dls_matrix_destroy(A);
  dls_matrix_destroy(H);
}

/* The same with friction, W_ij ~ (-1/2)^|i-j|, three rows a contact. 20 sticks with r = (2, 1, 0): the ends of the string beside its rows
 * take 1/2 from their diagonals. Where it slips, it draws 21, whose normal is three rows away, by 1/8 at most. If the
 * problem of those that may close fails, all are solved for, which is counted. */
DLS_TEST(few_contacts_with_friction_take_few_solves)
{
  enum { MANY = 60, ROWS = 3 * MANY, FIRST = 20, SECOND = 21 };
  dls_matrix *A = attracting_neighbours(ROWS), *H = unit_rows(ROWS);
  size_t active[ROWS];
  double q[ROWS] = {0}, r[ROWS] = {0}, u[ROWS], expected[ROWS];
  dls_block blocks[MANY];
  dls_fallbacks fallbacks = {0};
  dls_problem_report report;
  dls_error err = {0};
  for (size_t i = 0; i < ROWS; i++) {
    active[i] = i;
    blocks[i / 3] = (dls_block){DLS_COULOMB, 3, 1};
    q[i] = i % 3 == 0 ? 1 : 0;
  }
  q[3 * FIRST] = -1;
  q[3 * SECOND] = 0.05;
  counted c = {dls_factor_create((const dls_matrix *const[]){A}, 1), 0, SIZE_MAX};
  assert_ok(dls_factor_sum(c.A, (const double[]){1}, &err), err);
  dls_delassus *D = dls_delassus_create_with(solve_counted, &c, H);
  dls_delassus_count_fallbacks(D, &fallbacks);
  dls_problem_solver *solver = NULL;
  const dls_problem problem = {.count = MANY, .blocks = blocks, .q = q};
  assert_ok(dls_problem_create(NULL, 1e-12, &solver, &err), err);
  for (int k = 0; k < 3; k++) { /* one contact sticks; two slip; the same with the last r as the guess */
    const double mu = k == 0 ? 1 : 0.1;
    blocks[FIRST].mu = blocks[SECOND].mu = mu;
    assert_ok(dls_delassus_solve_problem(D, solver, active, &problem, r, u, &report, &err), err);
    memcpy(expected, r, sizeof r);
    dls_factor_solve(c.A, expected);
    for (size_t i = 0; i < ROWS; i++) {
      const bool closes = i / 3 == FIRST || (k > 0 && i / 3 == SECOND);
      assert_close(u[i], expected[i] + q[i], 1e-14); /* u = W r + q of all */
      assert_true(closes || (r[i] == 0 && (i % 3 > 0 || u[i] > 0.01)));
      assert_true(!closes || i % 3 > 0 || (r[i] > 0.02 && fabs(u[i]) < 1e-11));
      assert_true(!closes ||
                  (k == 0 ? fabs(u[i]) < 1e-11 : i % 3 == 0 || fabs(r[i]) <= mu * r[i - i % 3] * (1 + 1e-9)));
    }
    for (size_t i = 0; k == 0 && i < 3; i++) {
      assert_close(r[3 * FIRST + i], 2.0 - (double)i, 1e-11);
    }
    assert_true(report.residual < 1e-12);
  }
  assert_in_range(c.calls, 6, 6 + 4); /* the columns of two contacts; u of the others, for four problems */
  assert_null(fallbacks.by[0].method);
  c.invalid = 3 * SECOND;
  dls_delassus_reset(D);
  assert_true(dls_delassus_solve_problem(D, solver, active, &problem, r, u, &report, &err) < 0);
  assert_int_equal(fallbacks_to(&fallbacks, "all-contacts"), 1);
  c.invalid = SIZE_MAX;
  for (size_t i = 0; i < ROWS; i++) {
    q[i] = 1;
  }
  const size_t before = c.calls;
  memset(r, 0, sizeof r);
  dls_delassus_reset(D);
  assert_ok(dls_delassus_solve_problem(D, solver, active, &problem, r, u, &report, &err), err);
  assert_true(c.calls == before && report.residual == 0 && u[5] == 1); /* none closes: no column */
  dls_problem_destroy(solver);
  dls_delassus_destroy(D);
  dls_factor_destroy(c.A);
  dls_matrix_destroy(A);
  dls_matrix_destroy(H);
}

/* A string of 1000 unknowns, A = k tridiag(-1, 2, -1), with 100 contacts: W_ij = i (1001 - j) / (1001 k) for the nodes i <= j. It is an
 * array of the columns of W, made of those that were active. */
enum { STRING = 1000, POINTS = 100 };

static double string_entry(double k, size_t a, size_t b)
{
  const double i = (double)(10 * (a < b ? a : b) + 3), j = (double)(10 * (a < b ? b : a) + 3);
  return i * (STRING + 1 - j) / ((STRING + 1) * k);
}

static void set_string(dls_matrix *A, double k)
{
  for (size_t j = 0; j < STRING; j++) {
    for (size_t i = j > 0 ? j - 1 : 0; i < STRING && i <= j + 1; i++) {
      dls_matrix_set(A, i, j, i == j ? 2 * k : -k);
    }
  }
}

/* 0 <= W p + b _|_ p >= 0 and v = A^{-1} H p with the entries above. */
static void check_string(dls_delassus *D, dls_lcp_solver *lcp, double k, size_t skip)
{
  size_t active[POINTS], count = 0;
  double b[POINTS], p[POINTS] = {0}, v[STRING] = {0};
  dls_error err = {0};
  for (size_t j = 0; j < POINTS; j++) {
    if (skip == 0 || j % skip != 0) {
      b[count] = random_number() - 0.3;
      active[count++] = j;
    }
  }
  assert_ok(dls_delassus_solve(D, lcp, count, active, b, p, NULL, NULL, &err), err);
  dls_delassus_apply(D, count, active, 0.5, p, v);
  for (size_t i = 0; i < count; i++) {
    double u = 0, size = 0;
    for (size_t j = 0; j < count; j++) {
      u += string_entry(k, active[i], active[j]) * p[j];
      size += string_entry(k, active[i], active[j]) * p[j];
    }
    assert_close(v[10 * active[i] + 2], 0.5 * u, 1e-12 * size);
    assert_true(p[i] >= 0);
    assert_between(u + b[i], -1e-10 * size, HUGE_VAL);
    assert_true(p[i] == 0 || fabs(u + b[i]) <= 1e-10 * size);
    assert_close(dls_delassus_entry(D, active[i], active[count - 1 - i]),
                 string_entry(k, active[i], active[count - 1 - i]), 1e-11 * STRING / k);
  }
}

DLS_TEST(few_contacts_of_a_large_body_give_the_closed_form)
{
  dls_matrix *A = dls_matrix_band(STRING, 1, 1), *H = dls_matrix_sparse(STRING, POINTS, POINTS);
  dls_lcp_solver *lcp = NULL;
  dls_error err = {0};
  for (size_t j = 0; j < POINTS; j++) {
    dls_matrix_set(H, 10 * j + 2, j, 1);
  }
  set_string(A, 1);
  dls_factor *F = dls_factor_create((const dls_matrix *const[]){A}, 1);
  dls_delassus *D = dls_delassus_create(F, H);
  assert_ok(dls_lcp_create(POINTS, NULL, 1e-12, &lcp, &err), err);
  for (int round = 0; round < 8; round++) {
    const double k = round < 4 ? 1 : 3;
    if (round % 4 == 0) { /* new values: W follows after a reset */
      set_string(A, k);
      dls_factor_touch(F);
      assert_ok(dls_factor_sum(F, (const double[]){1}, &err), err);
      dls_delassus_reset(D);
    }
    check_string(D, lcp, k, (const size_t[]){7, 2, 0, 3}[round % 4]);
  }
  dls_lcp_destroy(lcp);
  dls_delassus_destroy(D);
  dls_factor_destroy(F);
  dls_matrix_destroy(A);
  dls_matrix_destroy(H);
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(diagonal_A_gives_what_the_dense_way_gives),
      cmocka_unit_test(band_and_sparse_A_give_what_the_dense_way_gives),
      cmocka_unit_test(redundant_contacts_are_no_obstacle),
      cmocka_unit_test(new_matrices_count_after_a_reset),
      cmocka_unit_test(bilateral_solves_leave_no_velocity),
      cmocka_unit_test(impulses_act_alike_on_any_set),
      cmocka_unit_test(small_chains_give_what_the_dense_way_gives),
      cmocka_unit_test(yielding_contacts_fulfil_their_equation),
      cmocka_unit_test(few_yielding_contacts_in_a_row_are_solved_as_a_chain),
      cmocka_unit_test(yielding_contacts_without_a_solution_leave_the_right_hand_side),
      cmocka_unit_test(entries_are_those_of_the_dense_way),
      cmocka_unit_test(products_are_applied_in_every_way),
      cmocka_unit_test(few_contacts_that_close_take_few_solves),
      cmocka_unit_test(pivots_of_all_sets_are_counted),
      cmocka_unit_test(few_contacts_with_friction_take_few_solves),
      cmocka_unit_test(few_contacts_of_a_large_body_give_the_closed_form),
      cmocka_unit_test(memory_follows_the_entries),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
