/* test_system.c -- a linear system adds up what it has; a system that is incomplete or inconsistent is refused.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/model.h>
#include <math.h>
#include <string.h>

DLS_TEST(linear_systems_add_up_load_stiffness_and_damping)
{
  dls_system *sys = dls_system_create(2, 0);
  const double q[] = {2, 3};
  const double v[] = {5, 7};
  double F[] = {99, 99};
  sys->linear = true;
  sys->M = dls_matrix_diagonal(2);
  sys->K = dls_matrix_dense(2, 2);
  sys->C = dls_matrix_diagonal(2);
  dls_matrix_set(sys->K, 0, 1, 10);
  dls_matrix_set(sys->C, 1, 1, 100);
  dls_system_force(sys, 0, q, v, F);
  assert_close(F[0], -30, 0);
  assert_close(F[1], -700, 0);
  dls_system_load(sys, 0, F);
  assert_close(F[0], 0, 0);
  char name[40];
  dls_contact_name(sys, 3, name, sizeof name);
  assert_string_equal(name, "contact 3");
  dls_system_destroy(sys);
  dls_system_destroy(NULL);
  assert_null(dls_system_create(0, 1));
}

/* What each case breaks in a good system of two degrees of freedom and one contact. */
static void some_force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)t;
  (void)q;
  (void)v;
  memset(F, 0, sys->n * sizeof *F);
}
static void some_matrix(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *K)
{
  (void)sys;
  (void)t;
  (void)q;
  (void)v;
  (void)K;
}
static void break_terms(dls_system *sys)
{
  sys->time_terms = 2;
}
static void break_period(dls_system *sys)
{
  sys->load_period = -1;
}
static void break_none(dls_system *sys)
{
  sys->explicit_time = DLS_TIME_NONE;
  sys->shortest_feature = 1;
}
static void replace(dls_matrix **A, dls_matrix *B)
{
  dls_matrix_destroy(*A);
  *A = B;
}
static void break_M(dls_system *sys)
{
  replace(&sys->M, NULL);
}
static void break_H(dls_system *sys)
{
  replace(&sys->H, NULL);
}
static void break_M_shape(dls_system *sys)
{
  replace(&sys->M, dls_matrix_diagonal(3));
}
static void break_H_shape(dls_system *sys)
{
  replace(&sys->H, dls_matrix_dense(1, 2));
}
static void break_K_shape(dls_system *sys)
{
  sys->K = dls_matrix_dense(2, 3);
}
static void break_C_shape(dls_system *sys)
{
  sys->C = dls_matrix_diagonal(1);
}
static void break_M_entry(dls_system *sys)
{
  dls_matrix_set(sys->M, 1, 1, HUGE_VAL);
}
static void break_H_entry(dls_system *sys)
{
  dls_matrix_set(sys->H, 1, 0, -HUGE_VAL);
}
static void break_q0(dls_system *sys)
{
  sys->q0[1] = HUGE_VAL;
}
static void break_v0(dls_system *sys)
{
  sys->v0[0] = -HUGE_VAL;
}
static void break_e(dls_system *sys)
{
  sys->e[0] = 1.5;
}
static void break_w(dls_system *sys)
{
  sys->w[0] = HUGE_VAL;
}
static void break_length(dls_system *sys)
{
  sys->length = 0;
}
static void break_time(dls_system *sys)
{
  sys->time = HUGE_VAL;
}
static void break_force(dls_system *sys)
{
  sys->linear = false;
}
static void break_gap(dls_system *sys)
{
  sys->linear = false;
  sys->force = some_force;
}
static void nonlinear(dls_system *sys)
{
  sys->linear = false;
  sys->force = some_force;
  replace(&sys->H, NULL);
  sys->m = 0;
}
static void break_K(dls_system *sys)
{
  nonlinear(sys);
  sys->stiffness = some_matrix;
}
static void break_C(dls_system *sys)
{
  nonlinear(sys);
  sys->C = dls_matrix_diagonal(2);
}
static void break_H_without_contacts(dls_system *sys)
{
  sys->m = 0;
}

static void break_rows(dls_system *sys)
{
  sys->d = 4;
}
static void break_tangents(dls_system *sys)
{
  sys->d = 2;
}
static void break_friction(dls_system *sys)
{
  sys->mu[0] = 0.3;
}
static void plane(dls_system *sys)
{
  sys->d = 2;
  sys->T = dls_matrix_dense(2, 1);
}
static void break_T_shape(dls_system *sys)
{
  plane(sys);
  sys->d = 3;
}
static void break_mu(dls_system *sys)
{
  plane(sys);
  sys->mu[0] = -0.1;
}
static void break_mu_s(dls_system *sys)
{
  plane(sys);
  sys->mu[0] = 0.3;
  sys->mu_s[0] = 0.2;
}
static void break_e_t(dls_system *sys)
{
  plane(sys);
  sys->e_t[0] = 2;
}

static dls_system *good_system(void)
{
  dls_system *sys = dls_system_create(2, 1);
  sys->linear = true;
  sys->M = dls_matrix_diagonal(2);
  sys->H = dls_matrix_dense(2, 1);
  return sys;
}

DLS_TEST(incomplete_systems_are_refused_with_what_is_wrong)
{
  const struct {
    void (*break_it)(dls_system *sys);
    const char *text;
  } cases[] = {
      {break_M, "the system has no mass matrix M"},
      {break_H, "the system has no matching H"},
      {break_H_without_contacts, "the system has no matching H"},
      {break_M_shape, "the system's M is 3 x 3, it must be 2 x 2"},
      {break_H_shape, "the system's H is 1 x 2, it must be 2 x 1"},
      {break_K_shape, "the system's K is 2 x 3, it must be 2 x 2"},
      {break_C_shape, "the system's C is 1 x 1, it must be 2 x 2"},
      {break_M_entry, "the system's M(1,1) = inf is not finite"},
      {break_H_entry, "the system's H(1,0) = -inf is not finite"},
      {break_q0, "the system's q0[1] = inf is not finite"},
      {break_v0, "the system's v0[0] = -inf is not finite"},
      {break_e, "the system's e[0] = 1.5 is outside [0, 1]"},
      {break_w, "the system's w[0] = inf is not finite"},
      {break_length, "the system's length scale = 0 is not finite and > 0"},
      {break_time, "the system's time scale = inf is not finite and > 0"},
      {break_force, "a nonlinear system needs the callbacks force and gap"},
      {break_gap, "a nonlinear system needs the callbacks force and gap"},
      {break_rows, "the system's contacts have d = 4 rows, allowed are 1, 2 and 3"},
      {break_tangents, "the system has no tangents T, with d = 2"},
      {break_friction, "the system has friction and no tangents T"},
      {break_T_shape, "the system's T is 2 x 1, it must be 2 x 2"},
      {break_mu, "the system's mu[0] = -0.1 is outside [0, 1.79769e+308]"},
      {break_mu_s, "the system's mu_s[0] = 0.2 is below mu[0] = 0.3"},
      {break_e_t, "the system's e_t[0] = 2 is outside [0, 1]"},
      {break_terms,
       "a system needs both the callback time_enclosure and time_terms > 0, or neither; time_terms = 2"},
      {break_period,
       "the system's load_period = -1 s, shortest_feature = 0 s: both must be finite and >= 0, 0 for none"},
      {break_none, "the system declares explicit_time = none, but also terms, periods or breaks in time"},
      {break_K, "a nonlinear system needs stiffness with K and damping with C, or neither"},
      {break_C, "a nonlinear system needs stiffness with K and damping with C, or neither"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    dls_system *sys = good_system();
    dls_error err = {0};
    assert_ok(dls_system_check(sys, &err), err);
    cases[k].break_it(sys);
    assert_int_equal(dls_system_check(sys, &err), DLS_ERR_ARG);
    assert_string_equal(err.text, cases[k].text);
    dls_system_destroy(sys);
  }
  dls_system *sys = good_system();
  dls_error err = {0};
  nonlinear(sys);
  assert_ok(dls_system_check(sys, &err), err);
  dls_system_destroy(sys);
}

static void change_q0(dls_system *sys)
{
  sys->q0[1] = 1e-300;
}
static void change_v0(dls_system *sys)
{
  sys->v0[0] = 1;
}
static void change_e(dls_system *sys)
{
  sys->e[0] = 0.5;
}
static void change_w(dls_system *sys)
{
  sys->w[0] = 1;
}
static void change_d(dls_system *sys)
{
  plane(sys);
}
static void change_T(dls_system *sys)
{
  plane(sys);
  dls_matrix_set(sys->T, 0, 0, 1);
}
static void change_mu(dls_system *sys)
{
  plane(sys);
  sys->mu[0] = 1;
}
static void change_mu_s(dls_system *sys)
{
  plane(sys);
  sys->mu_s[0] = 1;
}
static void change_e_t(dls_system *sys)
{
  plane(sys);
  sys->e_t[0] = 1;
}
static void change_time(dls_system *sys)
{
  sys->time = 2;
}
static void change_M(dls_system *sys)
{
  dls_matrix_set(sys->M, 1, 1, 1e-300);
}
static void change_H(dls_system *sys)
{
  dls_matrix_set(sys->H, 1, 0, 1);
}
static void add_K(dls_system *sys)
{
  sys->K = dls_matrix_diagonal(2);
}
static void add_C(dls_system *sys)
{
  sys->C = dls_matrix_diagonal(2);
}
static void load_one(const dls_system *sys, double t, double *F)
{
  (void)sys;
  F[0] = 0;
  F[1] = 1 + t;
}
static void add_load(dls_system *sys)
{
  sys->load = load_one;
}

static uint64_t digest_after(void (*change)(dls_system *sys))
{
  dls_system *sys = good_system();
  dls_error err = {0};
  uint64_t digest = 0;
  if (change != NULL) {
    change(sys);
  }
  assert_ok(dls_system_digest(sys, &digest, &err), err);
  dls_system_destroy(sys);
  return digest;
}

static double break_at_two(const dls_system *sys, double t)
{
  (void)sys;
  return t < 2 ? 2 : HUGE_VAL;
}

DLS_TEST(a_system_knows_whether_it_depends_on_time)
{
  dls_system *sys = good_system();
  assert_int_equal(dls_system_explicit_time(sys), DLS_TIME_NONE); /* linear without load */
  sys->load = load_one;
  assert_int_equal(dls_system_explicit_time(sys), DLS_TIME_UNKNOWN);
  assert_true(dls_system_time_is_opaque(sys));
  sys->steady_load = true;
  assert_int_equal(dls_system_explicit_time(sys), DLS_TIME_NONE);
  sys->steady_load = false;
  sys->explicit_time = DLS_TIME_EXPLICIT;
  assert_true(dls_system_time_is_opaque(sys)); /* it says nothing more */
  sys->next_break = break_at_two;
  assert_false(dls_system_time_is_opaque(sys));
  assert_true(dls_system_next_break(sys, 1) == 2 && dls_system_next_break(sys, 2) == HUGE_VAL);
  dls_system_destroy(sys);
}

DLS_TEST(harmonic_terms_declare_their_shortest_period)
{
  dls_system *sys = good_system();
  sys->load = load_one;
  dls_system_declare_harmonic(sys, 0, 3);
  assert_int_equal(dls_system_explicit_time(sys), DLS_TIME_NONE);
  dls_system_declare_harmonic(sys, 1, -4);
  dls_system_declare_harmonic(sys, 1, 2);
  dls_system_declare_harmonic(sys, 1, 0);
  assert_int_equal(dls_system_explicit_time(sys), DLS_TIME_EXPLICIT);
  assert_close(sys->load_period, acos(-1) / 2, 1e-15);
  assert_false(dls_system_time_is_opaque(sys));
  dls_system_destroy(sys);
}

static void rising(const dls_system *sys, double t, int order, double *s)
{
  (void)sys;
  s[0] = order == 0 ? t * t : order == 1 ? 2 * t : 2;
}

DLS_TEST(gaps_of_a_linear_system_move_by_themselves)
{
  dls_system *sys = good_system();
  const double q[] = {3, 4};
  double g = 0;
  double b = 1;
  double c = 1;
  dls_matrix_set(sys->H, 1, 0, 2);
  sys->w[0] = 10;
  assert_false(dls_system_gap_moves(sys));
  dls_system_gap_rate(sys, 5, q, &b);
  dls_system_curvature(sys, 5, q, q, &c);
  assert_true(b == 0 && c == 0);
  sys->gap_motion = rising;
  assert_true(dls_system_gap_moves(sys));
  dls_system_gap(sys, 5, q, &g);
  dls_system_gap_rate(sys, 5, q, &b);
  dls_system_curvature(sys, 5, q, q, &c);
  assert_close(g, 10 + 8 + 25, 0);
  assert_close(b, 10, 0);
  assert_close(c, 2, 0);
  dls_system_destroy(sys);
}

/* All of them differ, from the system as it was and from each other; equal systems do not. */
DLS_TEST(a_digest_tells_systems_apart)
{
  void (*const changes[])(dls_system *) = {NULL,     change_q0, change_v0,   change_e,  change_w, change_time,
                                           change_M, change_H,  add_K,       add_C,     add_load, change_d,
                                           change_T, change_mu, change_mu_s, change_e_t};
  for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
    const uint64_t digest = digest_after(changes[i]);
    assert_true(digest == digest_after(changes[i]));
    for (size_t j = 0; j < i; j++) {
      assert_true(digest != digest_after(changes[j]));
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_systems_add_up_load_stiffness_and_damping),
      cmocka_unit_test(incomplete_systems_are_refused_with_what_is_wrong),
      cmocka_unit_test(a_system_knows_whether_it_depends_on_time),
      cmocka_unit_test(harmonic_terms_declare_their_shortest_period),
      cmocka_unit_test(gaps_of_a_linear_system_move_by_themselves),
      cmocka_unit_test(a_digest_tells_systems_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
