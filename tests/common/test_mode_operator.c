/* test_mode_operator.c -- A = B^T M^-1 D of closed contacts by the bodies: its products, single columns and blocks are those of its entries,
 * S (A + E) + Q is solved, redundant rows are counted, and whoever is asked may interrupt.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/contact/friction/mode_operator.h"
#include "common/linear/storage.h"
#include "contact_jobs.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { POINTS = 3, CONTACTS = 4, N = 3 * POINTS, ROWS = 3 * CONTACTS };

typedef struct fixture {
  dls_system *sys;
  dls_contact_system contacts;
  dls_work work;
  dls_mode_operator *O;
  size_t first[CONTACTS + 1];
  dls_unknown unknown[ROWS];
  double A[ROWS * ROWS];
} fixture;

static double any(size_t k)
{
  return sin(1.7 * (double)k + 0.3) + 0.1 * cos(0.9 * (double)(k * k));
}

/* Three points in space; contacts are between two of them and with the ground: stick, slip, no friction, stick along a line. */
static void begin(fixture *f)
{
  dls_error err = {0};
  *f = (fixture){.sys = dls_system_create(N, CONTACTS)};
  f->sys->linear = true;
  f->sys->d = 3;
  f->sys->M = dls_matrix_diagonal(N);
  f->sys->H = dls_matrix_sparse(N, CONTACTS, N * CONTACTS);
  f->sys->T = dls_matrix_sparse(N, 2 * CONTACTS, 2 * N * CONTACTS);
  for (size_t i = 0; i < N; i++) {
    dls_matrix_set(f->sys->M, i, i, 1 + (double)(i / 3));
  }
  for (size_t j = 0; j < CONTACTS; j++) {
    const size_t last = j < POINTS - 1 ? j + 1 : j % POINTS; /* a pair, or one and the ground */
    for (size_t i = 3 * (j % POINTS); i < 3 * (last + 1); i++) {
      dls_matrix_set(f->sys->H, i, j, any(i + N * j));
      dls_matrix_set(f->sys->T, i, 2 * j, any(i + N * j + 100));
      dls_matrix_set(f->sys->T, i, 2 * j + 1, any(i + N * j + 200));
    }
    f->sys->mu[j] = 0.5;
  }
  assert_ok(dls_system_check(f->sys, &err), err);
  assert_ok(dls_contact_system_create_mass(f->sys, &f->work, &f->contacts, &err), err);
  assert_ok(dls_contact_system_at(&f->contacts, 0, f->sys->q0, &err), err);
  assert_true(dls_mode_operator_applies(&f->contacts));
  const dls_unknown normal = {.along = {1}, .across = {1}};
  const dls_unknown unknown[] = {normal,
                                 {.along = {0, 1}, .across = {0, 1}},
                                 {.along = {0, 0, 1}, .across = {0, 0, 1}},
                                 {.along = {1, -0.3, 0.4}, .across = {1}},
                                 normal,
                                 normal,
                                 {.along = {0, 0.6, 0.8}, .across = {0, 0.6, 0.8}}};
  const size_t first[] = {0, 3, 4, 5, 7};
  memcpy(f->first, first, sizeof first);
  memcpy(f->unknown, unknown, sizeof unknown);
  for (size_t k = 0; k < CONTACTS; k++) {
    for (size_t i = first[k]; i < first[k + 1]; i++) {
      f->unknown[i].row = 3 * k;
    }
  }
  f->O = dls_mode_operator_create(&f->contacts);
  assert_int_equal(dls_mode_operator_take(f->O, CONTACTS, f->first, f->unknown), DLS_OK);
  const size_t n = first[CONTACTS];
  for (size_t k = 0; k < n * n; k++) {
    f->A[k] = dls_mode_operator_entry(&f->contacts, &f->unknown[k % n], &f->unknown[k / n]);
  }
}

static void end(fixture *f)
{
  dls_mode_operator_destroy(f->O);
  dls_mode_operator_destroy(NULL);
  dls_contact_system_destroy(&f->contacts);
  dls_system_destroy(f->sys);
}

DLS_TEST(products_columns_and_blocks_are_those_of_its_entries)
{
  fixture f;
  begin(&f);
  const dls_problem_operator *W = dls_mode_operator_problem(f.O);
  const size_t n = f.first[CONTACTS];
  double x[ROWS], u[ROWS] = {0}, by_columns[ROWS] = {0};
  assert_int_equal(W->n, n);
  for (size_t i = 0; i < n; i++) {
    x[i] = any(i + 300);
  }
  W->multiply(W->data, x, u);
  for (size_t k = 0; k < CONTACTS; k++) {
    const size_t a = f.first[k], count = f.first[k + 1] - a;
    double block[9];
    W->add_columns(W->data, a, count, x + a, by_columns);
    W->diagonal(W->data, a, count, block);
    for (size_t e = 0; e < count * count; e++) {
      assert_close(block[e], f.A[a + e % count + n * (a + e / count)], 1e-14);
    }
  }
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
      sum += f.A[i + n * k] * x[k];
    }
    assert_close(u[i], sum, 1e-13);
    assert_close(by_columns[i], sum, 1e-13);
  }
  end(&f);
}

DLS_TEST(the_equations_of_laws_are_solved)
{
  fixture f;
  begin(&f);
  const dls_problem_operator *W = dls_mode_operator_problem(f.O);
  const size_t n = f.first[CONTACTS];
  double S[9 * CONTACTS] = {0}, E[CONTACTS], Q[9 * CONTACTS] = {0}, x[ROWS], b[ROWS], u[ROWS] = {0};
  for (size_t k = 0; k < CONTACTS; k++) {
    const size_t count = f.first[k + 1] - f.first[k];
    E[k] = 0.1 * (double)k;
    for (size_t e = 0; e < count * count; e++) { /* S and Q of the unknowns, in blocks of 3 x 3 */
      const size_t place = 9 * k + e % count + 3 * (e / count);
      S[place] = (e % count == e / count) + 0.2 * any(place + 400);
      Q[place] = (e % count == e / count) + 0.2 * any(place + 500);
    }
  }
  for (size_t i = 0; i < n; i++) {
    x[i] = b[i] = any(i + 600);
  }
  assert_int_equal(W->factor(W->data, CONTACTS, f.first, S, E, Q), DLS_OK);
  W->solve(W->data, x);
  W->multiply(W->data, x, u);
  for (size_t k = 0; k < CONTACTS; k++) {
    const size_t a = f.first[k], count = f.first[k + 1] - a;
    for (size_t i = 0; i < count; i++) {
      double sum = 0;
      for (size_t l = 0; l < count; l++) {
        const size_t place = 9 * k + i + 3 * l;
        sum += S[place] * (u[a + l] + E[k] * x[a + l]) + Q[place] * x[a + l];
      }
      assert_close(sum, b[a + i], 1e-12);
    }
  }
  end(&f);
}

/* Contact 3 touches the point of contact 0 too, with the ground: as long as no row repeats another the rank is full. Twice the same contact
 * adds nothing. */
DLS_TEST(redundant_rows_are_counted)
{
  fixture f;
  begin(&f);
  size_t rank = 0;
  const size_t n = f.first[CONTACTS];
  assert_int_equal(dls_mode_operator_hold(f.O, &rank), DLS_OK);
  assert_int_equal(rank, n);
  double x[ROWS] = {0};
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < n; k++) {
      x[i] += f.A[i + n * k] * any(k + 700);
    }
  }
  dls_mode_operator_solve(f.O, x);
  for (size_t i = 0; i < n; i++) {
    assert_close(x[i], any(i + 700), 1e-5); /* but for the shift */
  }
  size_t first[] = {0, 3, 6};
  memcpy(f.unknown + 3, f.unknown, 3 * sizeof *f.unknown);
  assert_int_equal(dls_mode_operator_take(f.O, 2, first, f.unknown), DLS_OK);
  assert_int_equal(dls_mode_operator_hold(f.O, &rank), DLS_OK);
  assert_int_equal(rank, 3);
  end(&f);
}

/* data: how often yet. */
static bool so_often(void *data)
{
  size_t *left = data;
  return *left > 0 && (*left)-- > 0;
}

DLS_TEST(every_question_may_be_the_last)
{
  dls_system *blocks = contact_job_blocks();
  size_t often = 0;
  for (bool interrupted = true; interrupted; often++) {
    size_t left = often;
    dls_error err = {0};
    const dls_status status = mode_job(&(contact_job){blocks, {so_often, &left}}, &err);
    interrupted = status == DLS_ERR_INTERRUPTED;
    assert_true(interrupted || status == DLS_OK);
    assert_true(!interrupted || strstr(err.text, "interrupted in the friction of ") != NULL);
    assert_true(interrupted || left == 0);
  }
  assert_between((double)often, 5, 200);
  dls_system_destroy(blocks);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_columns_and_blocks_are_those_of_its_entries),
      cmocka_unit_test(the_equations_of_laws_are_solved),
      cmocka_unit_test(redundant_rows_are_counted),
      cmocka_unit_test(every_question_may_be_the_last),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
