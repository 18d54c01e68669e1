/* test_isostatic.c -- contacts that move as many unknowns as they are: the pile of discs whose every force is known, the same with
 * discs thrown off and with contacts that are there twice, against W as a matrix; and how W was used.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/contact/operator/operator.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 24, COLUMNS = 36, DISCS = ROWS * COLUMNS - ROWS * (ROWS - 1) / 2, M = 2 * DISCS };
static const double mass = 2.5, g = 9.81;

typedef struct pile {
  dls_system *sys;
  dls_factor *A;
  dls_matrix *H; /* NULL: that of sys */
  dls_delassus *W;
  dls_lcp_solver *lcp;
  size_t active[M];
  double b[M], p[M];
} pile;

/* @param[in] twice  contact 0 is there a second time, in the place of the last: as many contacts as unknowns, and dependent */
static pile *create(bool twice)
{
  dls_error err = {0};
  double parameters[16];
  pile *s = calloc(1, sizeof *s);
  const dls_model *model = dls_model_find("lattice-pile", &err);
  dls_option_defaults(model->parameters, parameters);
  parameters[dls_option_find(model->parameters, "m")] = mass;
  parameters[dls_option_find(model->parameters, "rows")] = ROWS;
  parameters[dls_option_find(model->parameters, "columns")] = COLUMNS;
  assert_ok(dls_model_create(model, parameters, &s->sys, &err), err);
  assert_int_equal(s->sys->m, M);
  s->A = dls_factor_create((const dls_matrix *const[]){s->sys->M}, 1);
  assert_ok(dls_factor_sum(s->A, (const double[]){1}, &err), err);
  s->H = dls_matrix_sparse(s->sys->n, M, 4 * M);
  for (size_t j = 0; j < M; j++) {
    const size_t from = twice && j == M - 1 ? 0 : j;
    for (size_t i = 0; i < s->sys->n; i++) {
      const double x = dls_matrix_get(s->sys->H, i, from);
      if (x != 0) {
        dls_matrix_set(s->H, i, j, x);
      }
    }
    s->active[j] = j;
  }
  s->W = dls_delassus_create(s->A, s->H);
  assert_ok(dls_lcp_create(M, NULL, 1e-12, &s->lcp, &err), err);
  return s;
}

static void destroy(pile *s)
{
  dls_lcp_destroy(s->lcp);
  dls_delassus_destroy(s->W);
  dls_matrix_destroy(s->H);
  dls_factor_destroy(s->A);
  dls_system_destroy(s->sys);
  free(s);
}

/* b := H^T v for weight over a second, and `push` upward on every disc of the uppermost rows. */
static void load(pile *s, double push, size_t rows)
{
  double *v = calloc(s->sys->n, sizeof *v);
  for (size_t row = 0, disc = 0; row < ROWS; row++) {
    for (size_t k = 0; k < COLUMNS - row; k++, disc++) {
      v[3 * disc + 1] = -g + (row + rows >= ROWS ? push * (1 + 0.5 * sin((double)disc)) : 0);
    }
  }
  for (size_t j = 0; j < M; j++) {
    s->b[j] = dls_matrix_column_dot(s->H, j, v);
  }
  memset(s->p, 0, sizeof s->p);
  free(v);
}

static size_t solve(pile *s)
{
  dls_error err = {0};
  size_t solves = 0, pivots = 0;
  assert_ok(dls_delassus_solve(s->W, s->lcp, M, s->active, s->b, s->p, &solves, &pivots, &err), err);
  return pivots;
}

/* The same by W as a matrix. */
static void check_against_matrix(pile *s, double tolerance)
{
  double *p = calloc(M, sizeof *p);
  dls_lcp_report report;
  dls_error err = {0};
  dls_matrix *W = dls_matrix_sparse(M, M, 32 * M);
  for (size_t j = 0; j < M; j++) {
    for (size_t i = 0; i < M; i++) {
      const double x = dls_delassus_entry(s->W, i, j);
      if (x != 0) {
        assert_int_equal(dls_matrix_set(W, i, j, x), DLS_OK);
      }
    }
  }
  assert_ok(dls_lcp_solve_matrix(s->lcp, W, s->b, p, NULL, &report, &err), err);
  assert_string_equal(report.structure, "sparse");
  double most = 0;
  for (size_t j = 0; j < M; j++) {
    most = fmax(most, p[j]);
  }
  for (size_t j = 0; j < M; j++) {
    assert_close(s->p[j], p[j], tolerance * most);
  }
  dls_matrix_destroy(W);
  free(p);
}

/* Discs on the lattice line from the contact upward, times m g / sqrt(3). */
DLS_TEST(every_force_of_the_pile_is_the_known_one)
{
  pile *s = create(false);
  load(s, 0, 0);
  assert_int_equal(solve(s), 1); /* all contacts are the first set that is tried */
  assert_string_equal(s->W->now->lcp->structure, "isostatic");
  for (size_t row = 0, disc = 0; row < ROWS; row++) {
    for (size_t k = 0; k < COLUMNS - row; k++, disc++) {
      const double left = fmin(ROWS - (double)row, (double)(COLUMNS - k - row)),
                   right = fmin(ROWS - (double)row, (double)k + 1), each = mass * g / sqrt(3);
      assert_close(s->p[2 * disc], left * each, 1e-12 * left * each);
      assert_close(s->p[2 * disc + 1], right * each, 1e-12 * right * each);
    }
  }
  check_against_matrix(s, 1e-9); /* whose condition is squared */
  destroy(s);
}

/* Whole rows fly off: those below are as many contacts as unknowns again. Single discs fly off: others open, and the set is not square. */
DLS_TEST(piles_that_come_apart_are_those_of_the_matrix)
{
  pile *s = create(false);
  load(s, 3 * g, 2);
  solve(s);
  size_t open = 0;
  for (size_t j = 0; j < M; j++) {
    assert_true(s->p[j] >= 0);
    open += s->p[j] == 0;
  }
  assert_between((double)open, 2, M / 2);
  check_against_matrix(s, 1e-9);
  load(s, 1.2 * g, ROWS);
  solve(s);
  check_against_matrix(s, 1e-9);
  destroy(s);
}

DLS_TEST(contacts_that_depend_on_each_other_take_the_general_way)
{
  pile *s = create(true);
  dls_error err = {0};
  double *w = calloc(M, sizeof *w), *v = calloc(s->sys->n, sizeof *v);
  load(s, 0, 0);
  size_t solves = 0, pivots = 0;
  assert_ok(dls_delassus_solve(s->W, s->lcp, M, s->active, s->b, s->p, &solves, &pivots, &err), err);
  assert_string_equal(s->W->now->lcp->structure, "sparse");
  dls_delassus_apply(s->W, M, s->active, 1, s->p, v);
  for (size_t j = 0; j < M; j++) {
    w[j] = s->b[j] + dls_matrix_column_dot(s->H, j, v);
    assert_between(w[j], -1e-9 * g, HUGE_VAL);
    assert_close(s->p[j] > 0 ? w[j] : 0, 0, 1e-9 * g);
  }
  free(w);
  free(v);
  destroy(s);
}

/* How W is used for a pile of this size, all of its contacts loaded. */
static const char *structure_of(size_t rows, size_t columns, size_t contacts)
{
  dls_error err = {0};
  double parameters[16];
  size_t solves = 0, pivots = 0;
  dls_system *sys = NULL;
  dls_lcp_solver *lcp = NULL;
  const dls_model *model = dls_model_find("lattice-pile", &err);
  dls_option_defaults(model->parameters, parameters);
  parameters[dls_option_find(model->parameters, "rows")] = (double)rows;
  parameters[dls_option_find(model->parameters, "columns")] = (double)columns;
  assert_ok(dls_model_create(model, parameters, &sys, &err), err);
  assert_int_equal(sys->m, contacts);
  dls_factor *A = dls_factor_create((const dls_matrix *const[]){sys->M}, 1);
  assert_ok(dls_factor_sum(A, (const double[]){1}, &err), err);
  dls_delassus *W = dls_delassus_create(A, sys->H);
  assert_ok(dls_lcp_create(contacts, NULL, 1e-12, &lcp, &err), err);
  size_t *active = calloc(contacts, sizeof *active);
  double *b = calloc(contacts, sizeof *b), *p = calloc(contacts, sizeof *p), *v = calloc(sys->n, sizeof *v);
  for (size_t i = 1; i < sys->n; i += 3) {
    v[i] = -g;
  }
  for (size_t j = 0; j < contacts; j++) {
    active[j] = j;
    b[j] = dls_matrix_column_dot(sys->H, j, v);
  }
  assert_ok(dls_delassus_solve(W, lcp, contacts, active, b, p, &solves, &pivots, &err), err);
  const char *structure = W->now->lcp->structure; /* a constant */
  dls_lcp_destroy(lcp);
  dls_delassus_destroy(W);
  dls_factor_destroy(A);
  dls_system_destroy(sys);
  void *const arrays[] = {active, b, p, v};
  for (size_t k = 0; k < 4; k++) {
    free(arrays[k]);
  }
  return structure;
}

DLS_TEST(a_thousand_contacts_are_many)
{
  assert_string_equal(structure_of(8, 66, 1000), "isostatic");
  assert_string_not_equal(structure_of(2, 250, 998), "isostatic");
}

enum { MANY = 1000 };

/* W of H alone, unit masses, and what is asked of it: u = H^T v in front. */
typedef struct net {
  dls_matrix *M, *H;
  dls_factor *A;
  dls_delassus *W;
  dls_lcp_solver *lcp;
  size_t active[MANY];
  double b[MANY], p[MANY];
} net;

static net *net_of(dls_matrix *H)
{
  dls_error err = {0};
  net *s = calloc(1, sizeof *s);
  s->M = dls_matrix_diagonal(dls_matrix_rows(H));
  s->H = H;
  for (size_t i = 0; i < dls_matrix_rows(H); i++) {
    dls_matrix_set(s->M, i, i, 1);
  }
  s->A = dls_factor_create((const dls_matrix *const[]){s->M}, 1);
  assert_ok(dls_factor_sum(s->A, (const double[]){1}, &err), err);
  s->W = dls_delassus_create(s->A, H);
  assert_ok(dls_lcp_create(MANY, NULL, 1e-12, &s->lcp, &err), err);
  for (size_t j = 0; j < MANY; j++) {
    s->active[j] = j;
    s->b[j] = -1;
  }
  return s;
}

static void free_net(net *s)
{
  dls_lcp_destroy(s->lcp);
  dls_delassus_destroy(s->W);
  dls_factor_destroy(s->A);
  dls_matrix_destroy(s->M);
  dls_matrix_destroy(s->H);
  free(s);
}

static void solve_net(net *s)
{
  dls_error err = {0};
  assert_ok(dls_delassus_solve(s->W, s->lcp, MANY, s->active, s->b, s->p, NULL, NULL, &err), err);
}

/* Every contact with its neighbour, and the last one with the first: (W p)_j = 5/4 p_j - 1/2 (p_j-1 + p_j+1) = 1. */
DLS_TEST(a_ring_is_no_small_block)
{
  dls_matrix *H = dls_matrix_sparse(MANY, MANY, 2 * MANY);
  for (size_t j = 0; j < MANY; j++) {
    const size_t next = (j + 1) % MANY;
    dls_matrix_set(H, j < next ? j : next, j, j < next ? 1 : -0.5);
    dls_matrix_set(H, j < next ? next : j, j, j < next ? -0.5 : 1);
  }
  net *s = net_of(H);
  solve_net(s);
  assert_string_equal(s->W->now->lcp->structure, "sparse");
  for (size_t j = 0; j < MANY; j++) {
    assert_close(s->p[j], 4, 1e-9);
  }
  free_net(s);
}

/* Contacts 0 and 1 of every other unknown are nearly one: the velocities are those that W leaves. */
DLS_TEST(contacts_that_are_nearly_one_take_the_general_way)
{
  dls_matrix *H = dls_matrix_sparse(MANY, MANY, 3 * MANY);
  for (size_t j = 0; j < MANY; j++) {
    if (j > 1) {
      dls_matrix_set(H, j - 2, j, -0.25);
    }
    if (j < 2) {
      dls_matrix_set(H, 0, j, 1);
      dls_matrix_set(H, 1, j, j == 0 ? 1 : 1 + 1e-14);
    } else {
      dls_matrix_set(H, j, j, 1);
    }
  }
  net *s = net_of(H);
  double v[MANY] = {0};
  solve_net(s);
  assert_string_equal(s->W->now->lcp->structure, "sparse");
  dls_delassus_apply(s->W, MANY, s->active, 1, s->p, v);
  for (size_t j = 0; j < MANY; j++) {
    const double u = s->b[j] + dls_matrix_column_dot(s->H, j, v);
    assert_true(s->p[j] >= 0);
    assert_between(u, -1e-9, s->p[j] > 0 ? 1e-9 : HUGE_VAL);
  }
  free_net(s);
}

/* Of 1500 contacts the first 1000 have two unknowns each, the last 1000 have three, five hundred of both. */
DLS_TEST(sets_of_as_many_contacts_may_have_more_entries)
{
  enum { ALL = MANY + MANY / 2 };
  dls_matrix *H = dls_matrix_sparse(ALL, ALL, 3 * ALL);
  for (size_t j = 0; j < ALL; j++) {
    const size_t distance = j < MANY / 2 ? 2 : 3;
    for (size_t i = 0; i <= j; i++) {
      if (i == j || i + 2 == j || (distance == 3 && i + 3 == j)) {
        dls_matrix_set(H, i, j, i == j ? 1 : -0.25);
      }
    }
  }
  net *s = net_of(H);
  for (size_t first = 0; first <= MANY / 2; first += MANY / 2) {
    double v[ALL] = {0};
    for (size_t k = 0; k < MANY; k++) {
      s->active[k] = first + k;
    }
    solve_net(s);
    dls_delassus_apply(s->W, MANY, s->active, 1, s->p, v);
    for (size_t k = 0; k < MANY; k++) {
      assert_true(s->p[k] > 0);
      assert_close(s->b[k] + dls_matrix_column_dot(s->H, s->active[k], v), 0, 1e-10);
    }
    assert_string_equal(s->W->now->lcp->structure, first == 0 ? "isostatic" : "sparse");
  }
  free_net(s);
}

/* (W_aa) z = r of sets a of 1000 of the pile's contacts, one after the other: which ones they are counts, not how many. */
DLS_TEST(sets_of_the_same_size_are_told_apart)
{
  pile *s = create(false);
  dls_error err = {0};
  load(s, 0, 0);
  assert_ok(dls_delassus_gather(s->W, M, s->active, &err), err);
  const dls_lcp_operator *W = s->W->now->lcp;
  for (int first = 0; first < 4; first += 2) {
    int set[MANY];
    double *z = calloc(M, sizeof *z), *w = calloc(M, sizeof *w), *size = calloc(M, sizeof *size), x[MANY];
    for (int k = 0; k < MANY; k++) {
      set[k] = first + k;
      x[k] = 1;
    }
    assert_int_equal(W->factor(W->data, MANY, set, 0), DLS_OK);
    assert_int_equal(W->solve(W->data, x), DLS_OK);
    for (int k = 0; k < MANY; k++) {
      z[set[k]] = x[k];
    }
    W->multiply(W->data, z, w, size);
    for (int k = 0; k < MANY; k++) {
      assert_close(w[set[k]], 1, 1e-9);
    }
    free(z);
    free(w);
    free(size);
  }
  destroy(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_force_of_the_pile_is_the_known_one),
      cmocka_unit_test(piles_that_come_apart_are_those_of_the_matrix),
      cmocka_unit_test(contacts_that_depend_on_each_other_take_the_general_way),
      cmocka_unit_test(a_thousand_contacts_are_many),
      cmocka_unit_test(a_ring_is_no_small_block),
      cmocka_unit_test(contacts_that_are_nearly_one_take_the_general_way),
      cmocka_unit_test(sets_of_as_many_contacts_may_have_more_entries),
      cmocka_unit_test(sets_of_the_same_size_are_told_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
