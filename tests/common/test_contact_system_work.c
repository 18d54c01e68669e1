/* test_stage_work.c -- what a stage counts: every contact problem and its pivots, from no forces to begin with.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/contact_system.h>
#include <math.h>
#include <string.h>

enum { CONTACTS = 3, N = 2 * CONTACTS };

typedef struct fixture {
  dls_system *sys;
  dls_contact_system contacts;
  dls_work work;
  dls_contacts all;
  size_t index[CONTACTS];
  double q[N];
} fixture;

static const dls_law *law_of(const char *name)
{
  const dls_law *const *law = dls_law_list;
  while (strcmp((*law)->name, name) != 0) {
    law++;
  }
  return *law;
}

/* Points of 1 kg over a floor, mu = 0.5, e = 0.5. */
static void begin(fixture *f, const char *law)
{
  dls_error err = {0};
  *f = (fixture){.sys = dls_system_create(N, CONTACTS)};
  f->sys->linear = true;
  f->sys->d = 2;
  f->sys->M = dls_matrix_diagonal(N);
  f->sys->H = dls_matrix_dense(N, CONTACTS);
  f->sys->T = dls_matrix_dense(N, CONTACTS);
  for (size_t j = 0; j < CONTACTS; j++) {
    dls_matrix_set(f->sys->M, 2 * j, 2 * j, 1);
    dls_matrix_set(f->sys->M, 2 * j + 1, 2 * j + 1, 1);
    dls_matrix_set(f->sys->H, 2 * j + 1, j, 1);
    dls_matrix_set(f->sys->T, 2 * j, j, 1);
    f->sys->mu[j] = f->sys->e[j] = 0.5;
    f->sys->law[j] = law_of(law);
    f->index[j] = j;
  }
  f->all = (dls_contacts){CONTACTS, f->index};
  assert_ok(dls_system_check(f->sys, &err), err);
  assert_ok(dls_contact_system_create_mass(f->sys, &f->work, &f->contacts, &err), err);
  assert_ok(dls_contact_system_at(&f->contacts, 0, f->q, &err), err);
}

static void end(fixture *f)
{
  dls_contact_system_destroy(&f->contacts);
  dls_system_destroy(f->sys);
}

/* Compression and expansion of one contact: two problems of one pivot each; p_E = e p_C. */
DLS_TEST(an_expansion_is_counted)
{
  fixture f;
  dls_error err = {0};
  const double u[2] = {-2, 0.1};
  double r[2] = {0};
  begin(&f, "poisson");
  f.all.count = 1;
  assert_ok(dls_contact_system_impulse(&f.contacts, &f.all, u, u, r, &err), err);
  assert_close(r[0], 3, 1e-14);
  assert_close(r[1], -0.1, 1e-14);
  assert_int_equal(f.work.lcp_solves, 2);
  assert_int_equal(f.work.lcp_pivots, 2);
  end(&f);
}

/* Points that are pressed and slip. The same problem from r = 0 takes as many pivots; from another r it takes fewer. */
DLS_TEST(a_force_begins_with_nothing)
{
  fixture f;
  dls_error err = {0};
  const double v[N] = {1, 0, 1, 0, 1, 0}, W[CONTACTS * CONTACTS] = {1, 0, 0, 0, 1, 0, 0, 0, 1},
               q[CONTACTS] = {-5, -10, -3};
  const dls_block blocks[CONTACTS] = {{DLS_HALF, 1, 0}, {DLS_HALF, 1, 0}, {DLS_HALF, 1, 0}};
  const dls_problem problem = {.count = CONTACTS, .blocks = blocks, .q = q, .dense = W};
  double a[N] = {0, -5, 0, -10, 0, -3}, r[N], alone[CONTACTS] = {0};
  dls_problem_solver *solver = NULL;
  dls_problem_report report;
  begin(&f, "newton-coulomb");
  assert_ok(dls_contact_system_force(&f.contacts, &f.all, v, a, r, &err), err);
  assert_ok(dls_problem_create(NULL, 1e-12, &solver, &err), err);
  assert_ok(dls_problem_solve(solver, &problem, alone, NULL, &report, &err), err);
  for (size_t j = 0; j < CONTACTS; j++) {
    assert_close(r[2 * j], alone[j], 1e-14);
    assert_close(r[2 * j + 1], -0.5 * alone[j], 1e-14);
  }
  assert_int_equal(f.work.lcp_solves, 1);
  assert_int_equal(f.work.lcp_pivots, report.iterations);
  dls_problem_destroy(solver);
  end(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_expansion_is_counted),
      cmocka_unit_test(a_force_begins_with_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
