/* test_reduced_edges.c -- many contacts on a membrane without stiffness, pressed by gravity: unit masses that touch the floor are
 * held, p = h g, and the others fall; also where the path for contacts with unknowns of their own does not apply: a contact of two
 * unknowns, two contacts of one, tangents, a law that gives back, a floor that moves.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/catalogue.h>
#include <delassus/sim.h>

enum { N = 120 };
static const double gravity = 10, h = 0.01;

static void weigh(const dls_system *sys, double t, double *F)
{
  (void)t;
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = -gravity;
  }
}

/* Masses 0, 2, 4, ... touch. */
static dls_system *membrane(size_t m)
{
  dls_system *sys = dls_system_create(N, m);
  sys->linear = true;
  sys->load = weigh;
  sys->M = dls_matrix_diagonal(N);
  sys->K = dls_matrix_band(N, 1, 1);
  sys->H = dls_matrix_sparse(N, m, 2 * m);
  for (size_t i = 0; i < N; i++) {
    dls_matrix_set(sys->M, i, i, 1);
    dls_matrix_set(sys->K, i, i, 1e-12);
    dls_matrix_set(sys->H, i, i, 1);
    sys->q0[i] = i % 2 == 0 ? 0 : 1;
  }
  return sys;
}

/* A step from rest: v and impulses. */
static void check(dls_system *sys, size_t first, double held, double impulse)
{
  dls_sim *sim = NULL;
  dls_error err = {0};
  assert_ok(dls_sim_create(sys, dls_scheme_find("moreau-jean", &err), &sim, &err), err);
  assert_ok(dls_sim_start(sim, &err), err);
  for (int k = 0; k < 2; k++) {
    assert_ok(dls_sim_advance(sim, h, &err), err);
    const double steps = k + 1;
    for (size_t i = first; i < N; i++) {
      assert_close(sim->v[i], i % 2 == 0 ? held : -steps * gravity * h, 1e-10);
      assert_close(sim->p[i], i % 2 == 1 ? 0 : k == 0 ? impulse : gravity * h, 1e-10);
    }
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

DLS_TEST(contacts_with_unknowns_of_their_own)
{
  check(membrane(N), 0, 0, gravity * h);
}

/* Contact 0 is felt by 0 and 1 alone, which it holds together: not looked at. */
DLS_TEST(a_contact_of_two_unknowns)
{
  dls_system *sys = membrane(N);
  dls_matrix_set(sys->H, 1, 0, 0.5);
  check(sys, 2, 0, gravity * h);
}

DLS_TEST(two_contacts_of_one_unknown)
{
  dls_system *sys = membrane(N + 1);
  dls_matrix_set(sys->H, 0, N, 2);
  check(sys, 1, 0, gravity * h);
}

DLS_TEST(two_contacts_of_one_unknown_before_others)
{
  dls_system *sys = membrane(N);
  dls_matrix_destroy(sys->H);
  sys->H = dls_matrix_sparse(N, N, N);
  for (size_t j = 0; j < N; j++) {
    dls_matrix_set(sys->H, j == 1 ? 0 : j, j, 1); /* nothing holds 1, which is above */
  }
  check(sys, 2, 0, gravity * h);
}

DLS_TEST(contacts_with_tangents)
{
  dls_system *sys = membrane(N);
  sys->d = 2;
  sys->T = dls_matrix_sparse(N, N, 1);
  check(sys, 0, 0, gravity * h);
}

extern const dls_law dls_law_poisson;

/* At rest there is nothing to give back. */
DLS_TEST(contacts_that_give_back)
{
  dls_system *sys = membrane(N);
  for (size_t j = 0; j < N; j++) {
    sys->law[j] = &dls_law_poisson;
    sys->e[j] = 0.5;
  }
  check(sys, 0, 0, gravity * h);
}

static const double rise = 0.25; /* m/s */

static void lift(const dls_system *sys, double t, int order, double *s)
{
  for (size_t j = 0; j < sys->m; j++) {
    s[j] = order == 0 ? -rise * t : order == 1 ? -rise : 0;
  }
}

/* g = q - rise t, and masses that touch go with the floor. */
DLS_TEST(a_floor_that_moves)
{
  dls_system *sys = membrane(N);
  dls_sim *sim = NULL;
  dls_error err = {0};
  sys->gap_motion = lift;
  for (size_t i = 0; i < N; i += 2) {
    sys->v0[i] = rise;
  }
  assert_ok(dls_sim_create(sys, dls_scheme_find("schatzman-paoli", &err), &sim, &err), err);
  assert_ok(dls_sim_start(sim, &err), err);
  for (size_t k = 1; k <= 5; k++) {
    assert_ok(dls_sim_advance(sim, h, &err), err);
    const double t = (double)k * h;
    for (size_t i = 0; i < N; i++) {
      assert_close(sim->q[i], i % 2 == 0 ? rise * t : 1 - gravity * t * t / 2, 1e-10);
      assert_close(sim->v[i], i % 2 == 0 ? rise : -gravity * t, 1e-9);
      assert_close(sim->p[i], i % 2 == 1 ? 0 : gravity * h, 1e-9);
    }
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_with_unknowns_of_their_own),
      cmocka_unit_test(a_contact_of_two_unknowns),
      cmocka_unit_test(two_contacts_of_one_unknown),
      cmocka_unit_test(two_contacts_of_one_unknown_before_others),
      cmocka_unit_test(contacts_with_tangents),
      cmocka_unit_test(contacts_that_give_back),
      cmocka_unit_test(a_floor_that_moves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
