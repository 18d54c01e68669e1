/* test_expansion.c -- Poisson's impact law on sets of contacts: 0 <= u+ _|_ p_E - e p_C >= 0, whoever has to give more than that, and
 * laws side by side.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/contact/expansion.h"
#include <delassus/contact_system.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

extern const dls_law dls_law_newton, dls_law_poisson;

enum { MOST = 5 };

typedef struct fixture {
  dls_system *sys;
  dls_contact_system contacts;
  dls_work work;
  dls_contacts set;
} fixture;

/* Unit masses 0 ... n - 1 and as many contacts; contact j has row j of H^T, which is row-major here. */
static void begin(fixture *f, size_t n, const double *rows, const double *e)
{
  static size_t index[MOST] = {0, 1, 2, 3, 4};
  static const double q[MOST];
  dls_error err = {0};
  *f = (fixture){.sys = dls_system_create(n, n), .set = {n, index}};
  f->sys->linear = true;
  f->sys->M = dls_matrix_diagonal(n);
  f->sys->H = dls_matrix_dense(n, n);
  for (size_t j = 0; j < n; j++) {
    dls_matrix_set(f->sys->M, j, j, 1);
    for (size_t i = 0; i < n; i++) {
      dls_matrix_set(f->sys->H, i, j, rows[i + n * j]);
    }
    f->sys->law[j] = &dls_law_poisson;
    f->sys->e[j] = e[j];
  }
  assert_ok(dls_contact_system_create_mass(f->sys, &f->work, &f->contacts, &err), err);
  assert_ok(dls_contact_system_at(&f->contacts, 0, q, &err), err);
}

static void end(fixture *f)
{
  dls_contact_system_destroy(&f->contacts);
  dls_system_destroy(f->sys);
}

/* v := behind the impact; r: the impulses of both phases. */
static void impact(fixture *f, double *v, double *r)
{
  dls_error err = {0};
  double u[MOST];
  memset(r, 0, f->sys->m * sizeof *r);
  dls_contact_system_velocity(&f->contacts, &f->set, v, u);
  assert_ok(dls_contact_system_impulse(&f->contacts, &f->set, u, u, r, &err), err);
  dls_contact_system_apply(&f->contacts, &f->set, 1, r, v);
}

/* Two balls of 1 kg fall onto each other on the floor, with 1 and 2 m/s: 3 and 2 N s stop them. The upper contact gives 2 N s back, which
 * the floor, that would give 0.3, must bear. */
DLS_TEST(the_floor_gives_what_it_must)
{
  static const double rows[] = {1, 0, -1, 1}, e[] = {0.1, 1};
  fixture f;
  double v[2] = {-1, -2}, r[2];
  begin(&f, 2, rows, e);
  impact(&f, v, r);
  assert_close(v[0], 0, 1e-14);
  assert_close(v[1], 2, 1e-14);
  assert_close(r[0], 3 + 2, 1e-13);
  assert_close(r[1], 2 + 2, 1e-13);
  end(&f);
}

/* Three masses by themselves: Newton's law, Poisson's, and one that does not approach. */
DLS_TEST(laws_stand_side_by_side)
{
  static const double rows[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, e[] = {0.5, 0.25, 1};
  fixture f;
  double v[3] = {-1, -1, 1}, r[3];
  begin(&f, 3, rows, e);
  f.sys->law[0] = &dls_law_newton;
  dls_law_newton.mixture(f.sys, 0, 0.5, v, f.contacts.mixture);
  impact(&f, v, r);
  assert_close(v[0], 0.5, 1e-14);
  assert_close(v[1], 0.25, 1e-14);
  assert_close(v[2], 1, 0);
  assert_close(r[0], 1.5, 1e-14);
  assert_close(r[1], 1.25, 1e-14);
  assert_close(r[2], 0, 0);
  end(&f);
}

/* The expansion behind a compression that has stopped everything with p_C = given, e = 1. @return trials */
static size_t check_law(size_t n, const double *rows, const double *given)
{
  static const double ones[MOST] = {1, 1, 1, 1, 1}, approach[MOST] = {-1, -1, -1, -1, -1};
  fixture f;
  dls_error err = {0};
  double r[MOST], u[MOST];
  begin(&f, n, rows, ones);
  for (size_t k = 0; k < n; k++) {
    r[k] = given[k];
    u[k] = 0;
    for (size_t j = 0; j < n; j++) {
      u[k] -= dls_delassus_entry(f.contacts.W, k, j) * given[j]; /* u_C = u + W p_C = 0 */
    }
  }
  assert_ok(dls_expansion(&f.contacts, &f.set, u, approach, r, &err), err);
  for (size_t k = 0; k < n; k++) {
    double after = 0, size = 0;
    const double more = r[k] - given[k] - given[k]; /* p_E - e p_C */
    for (size_t j = 0; j < n; j++) {
      const double term = dls_delassus_entry(f.contacts.W, k, j) * (r[j] - given[j]);
      after += term; /* u+ = W p_E */
      size += fabs(term);
    }
    assert_between(more, -1e-9 * r[k], HUGE_VAL);
    assert_between(after, -1e-8 * size, HUGE_VAL);
    assert_true(more <= 1e-8 * r[k] || after <= 1e-8 * size);
  }
  const size_t trials = f.work.lcp_solves;
  end(&f);
  return trials;
}

DLS_TEST(any_set_obeys_the_law)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  size_t most = 0;
  for (int k = 0; k < 2000; k++) {
    const size_t n = 2 + gsl_rng_uniform_int(rng, MOST - 1);
    double rows[MOST * MOST], given[MOST];
    for (size_t i = 0; i < n * n; i++) {
      rows[i] = gsl_ran_flat(rng, -3, 3);
    }
    for (size_t i = 0; i < n; i++) {
      given[i] = gsl_ran_flat(rng, 0.5, 8);
    }
    const size_t trials = check_law(n, rows, given);
    most = trials > most ? trials : most;
  }
  assert_between((double)most, 4, 50); /* some give more first and then less */
  gsl_rng_free(rng);
}

/* Where all that are wrong change at once, the same sets come again and again. */
DLS_TEST(trials_do_not_go_round)
{
  static const double rows[] = {-1, 2, -3, 0, -1, 0, -2, -1, 1, 0, 3, 1, 1, -3, 2, -2}, given[] = {7, 1, 6, 1};
  assert_between((double)check_law(4, rows, given), 51, 60);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_floor_gives_what_it_must),
      cmocka_unit_test(laws_stand_side_by_side),
      cmocka_unit_test(any_set_obeys_the_law),
      cmocka_unit_test(trials_do_not_go_round),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
