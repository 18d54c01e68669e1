/* test_stage.c -- contact at an instant: the laws hold, the projections reach the surface by the shortest way, and a second
 * law is an entry.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "moving.h"
#include <delassus/contact_system.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* The moving system at a time and a place where both contacts are near, on both of them. */
typedef struct fixture {
  dls_system *sys;
  dls_contact_system contacts;
  dls_work work;
  dls_contacts both;
  size_t index[2];
} fixture;

static const double t0 = 0.4;
static const double q0[2] = {0.6, -1.1};
static const double approach[2] = {-1.5, 0.2}; /* to the disc and away from the floor */

static void begin_with_friction(fixture *f, size_t d, const dls_law *law, double mu)
{
  dls_error err = {0};
  *f = (fixture){.sys = dls_test_moving(d), .index = {0, 1}};
  f->sys->mu[0] = mu;
  f->both = (dls_contacts){2, f->index};
  f->sys->law[0] = f->sys->law[1] = law;
  assert_ok(dls_contact_system_create_mass(f->sys, &f->work, &f->contacts, &err), err);
  assert_ok(dls_contact_system_at(&f->contacts, t0, q0, &err), err);
}

static void begin(fixture *f, size_t d, const dls_law *law)
{
  begin_with_friction(f, d, law, 0);
}

static void end(fixture *f)
{
  dls_contact_system_destroy(&f->contacts);
  dls_system_destroy(f->sys);
}

/* v+ from v-, with the rows of u before and after. */
static void impact(fixture *f, const double *v_minus, double *v, double *u_minus, double *u_plus, double *r)
{
  dls_error err = {0};
  memset(r, 0, f->contacts.config->rows * sizeof *r);
  memcpy(v, v_minus, 2 * sizeof *v);
  dls_contact_system_velocity(&f->contacts, &f->both, v_minus, u_minus);
  assert_ok(dls_contact_system_impulse(&f->contacts, &f->both, u_minus, u_minus, r, &err), err);
  dls_contact_system_apply(&f->contacts, &f->both, 1, r, v);
  dls_contact_system_velocity(&f->contacts, &f->both, v, u_plus);
}

DLS_TEST(newtons_law_holds_on_moving_contacts)
{
  for (size_t d = 1; d <= 2; d++) {
    fixture f;
    begin(&f, d, NULL);
    double v[2], u[4], after[4], r[4];
    impact(&f, approach, v, u, after, r);
    const double along = (q0[0] * approach[0] + q0[1] * approach[1]) / hypot(q0[0], q0[1]);
    assert_close(u[0], along - 0.3 * cos(3 * t0), 1e-15); /* relative to the surface, which moves */
    assert_true(u[0] < 0 && r[0] > 0);
    assert_close(after[0] / u[0], -0.8, 1e-14);
    for (size_t j = 0; j < 2; j++) {
      const double hat = after[d * j] + f.sys->e[j] * u[d * j];
      assert_between(hat, -1e-14, 10);
      assert_between(r[d * j], 0, 10);
      assert_close(hat * r[d * j], 0, 1e-14);
      assert_true(d == 1 || r[2 * j + 1] == 0);
    }
    const double M = 1 + q0[0] * q0[0];
    double momentum[2] = {M * approach[0], 2 * approach[1]};
    dls_contact_system_add_impulse(&f.contacts, &f.both, r, momentum); /* M v+ = M v- + H r */
    assert_close(M * v[0], momentum[0], 1e-14);
    assert_close(2 * v[1], momentum[1], 1e-14);
    assert_int_equal(f.work.lcp_solves, 1);
    end(&f);
  }
}

/* A law of one's own: nothing comes back. */
static void nothing(const dls_system *sys, size_t j, double theta, const double *u_minus, double *c)
{
  (void)j, (void)theta, (void)u_minus;
  memset(c, 0, sys->d * sizeof *c);
}

DLS_TEST(a_second_law_is_an_entry)
{
  static const dls_option none[] = {{0}};
  static const dls_law inelastic = {
      .name = "inelastic", .parameters = none, .block = DLS_HALF, .mixture = nothing};
  fixture f;
  begin(&f, 1, &inelastic);
  double v[2], u[2], after[2], r[2];
  impact(&f, approach, v, u, after, r);
  assert_true(u[0] < -0.5 && f.sys->e[0] == 0.8);
  assert_close(after[0], 0, 1e-14);
  end(&f);
}

/* Newton's law with friction. */
static void mixture(const dls_system *sys, size_t j, double theta, const double *u_minus, double *c)
{
  (void)theta, (void)u_minus;
  c[0] = sys->e[j];
  c[1] = 0;
}

DLS_TEST(coulombs_law_holds_in_stick_and_in_slip)
{
  static const dls_option none[] = {{0}};
  static const dls_law friction = {
      .name = "friction", .parameters = none, .block = DLS_COULOMB, .mixture = mixture};
  static const double down[2] = {0.9, 1.2}; /* deep into the disc, along it */
  for (int slips = 0; slips <= 1; slips++) {
    fixture f;
    begin_with_friction(&f, 2, &friction, slips ? 0.1 : 2); /* the floor has none */
    double v[2], u[4], after[4], r[4];
    impact(&f, down, v, u, after, r);
    assert_true(u[0] < 0 && r[0] > 0);
    assert_close(after[0], -0.8 * u[0], 1e-12);
    if (slips) {
      assert_close(fabs(r[1]), 0.1 * r[0], 1e-12);
      assert_true(r[1] * after[1] < 0); /* against the slip, relative to the surface that turns */
    } else {
      assert_close(after[1], 0, 1e-12);
      assert_between(fabs(r[1]), 1e-3, 2 * r[0]);
    }
    assert_true(r[3] == 0);
    size_t solutions = 0;
    dls_error err = {0};
    assert_ok(dls_contact_system_count(&f.contacts, &f.both, u, u, r, &solutions, &err), err);
    assert_int_equal(solutions, 1);
    end(&f);
  }
}

extern const dls_law dls_law_newton;

/* A coefficient of friction is nothing to a law without friction; and no contact is no problem. */
DLS_TEST(newtons_law_has_no_friction)
{
  fixture f;
  begin_with_friction(&f, 2, &dls_law_newton, 0.5);
  static const double down[2] = {0.9, 1.2};
  double v[2], u[4], after[4], r[4];
  size_t solutions = 1;
  dls_error err = {0};
  impact(&f, down, v, u, after, r);
  assert_true(r[0] > 0 && r[1] == 0 && r[3] == 0);
  assert_close(after[0], -0.8 * u[0], 1e-12);
  assert_false(dls_contact_system_slips(&f.contacts, &f.both, 0, r, 0));
  end(&f);
  begin_with_friction(&f, 2, NULL, 0.5);
  const dls_contacts none = {0, f.index};
  assert_ok(dls_contact_system_count(&f.contacts, &none, u, u, r, &solutions, &err), err);
  assert_int_equal(solutions, 0);
  end(&f);
}

DLS_TEST(forces_hold_contacts_that_are_pressed_and_let_go_the_others)
{
  fixture f;
  begin(&f, 1, NULL);
  dls_error err = {0};
  for (int press = -1; press <= 1; press += 2) {
    double a[2] = {-20 * press, -3 * press}, r[2], c[2];
    const double free[2] = {a[0], a[1]};
    assert_ok(dls_contact_system_force(&f.contacts, &f.both, approach, a, r, &err), err);
    dls_configuration_curvature(f.contacts.config, approach, c);
    for (size_t j = 0; j < 2; j++) {
      const double rate = dls_matrix_column_dot(f.contacts.config->H, j, a) + c[j];
      assert_between(rate, -1e-13, 100);
      assert_between(r[j], 0, 100);
      assert_close(rate * r[j], 0, 1e-12);
    }
    assert_true((press > 0) == (a[0] != free[0] || a[1] != free[1]));
  }
  end(&f);
}

DLS_TEST(reactions_hold_contacts_whatever_their_sign)
{
  for (size_t d = 1; d <= 2; d++) {
    fixture f;
    begin(&f, d, NULL);
    dls_error err = {0};
    double a[2] = {4, 6}, r[4], c[4];
    assert_ok(dls_contact_system_reaction(&f.contacts, &f.both, approach, a, r, &err), err);
    dls_configuration_curvature(f.contacts.config, approach, c);
    assert_true(r[0] < 0 || r[d] < 0);
    for (size_t j = 0; j < 2; j++) {
      assert_close(dls_matrix_column_dot(f.contacts.config->H, d * j, a) + c[d * j], 0, 4 * DBL_EPSILON);
    }
    end(&f);
  }
}

/* Of all points on the surface the one that is reached is the nearest: M (q' - q) is along H there, up to the turn of H
 * between the two. */
DLS_TEST(positions_are_projected_to_the_surface)
{
  fixture f;
  begin(&f, 2, NULL);
  dls_error err = {0};
  size_t first = 0;
  const dls_contacts disc = {1, &first};
  double q[2] = {q0[0], q0[1]}, g[2];
  assert_ok(dls_contact_system_project_q(&f.contacts, &disc, t0, q, &err), err);
  dls_configuration_gap(f.contacts.config, g);
  assert_true(hypot(q[0] - q0[0], q[1] - q0[1]) > 0.1);
  assert_close(g[0], 0, 4 * DBL_EPSILON);
  const double across = (1 + q[0] * q[0]) * (q[0] - q0[0]) * q[1] - 2 * (q[1] - q0[1]) * q[0];
  assert_close(across, 0, 0.02);
  assert_close(f.contacts.config->t, t0, 0);
  assert_true(f.contacts.config->q == q);
  end(&f);
}

DLS_TEST(velocities_are_projected_to_that_of_the_surface)
{
  fixture f;
  begin(&f, 1, NULL);
  dls_error err = {0};
  size_t first = 0;
  const dls_contacts disc = {1, &first};
  double v[2] = {approach[0], approach[1]};
  assert_ok(dls_contact_system_project_v(&f.contacts, &disc, v, &err), err);
  assert_close(dls_configuration_row(f.contacts.config, 0, v), 0, 4 * DBL_EPSILON);
  const double M = 1 + q0[0] * q0[0];
  const double across = M * (v[0] - approach[0]) * q0[1] - 2 * (v[1] - approach[1]) * q0[0];
  assert_close(across, 0, 1e-14); /* M dv along H */
  assert_true(fabs(v[0] - approach[0]) > 0.1);
  end(&f);
}

DLS_TEST(an_empty_set_changes_nothing)
{
  fixture f;
  begin(&f, 1, NULL);
  dls_error err = {0};
  const dls_contacts none = {0, NULL};
  double v[2] = {1, 2}, q[2] = {1, 2}, r[2] = {0};
  assert_ok(dls_contact_system_impulse(&f.contacts, &none, NULL, NULL, r, &err), err);
  assert_ok(dls_contact_system_force(&f.contacts, &none, approach, v, r, &err), err);
  assert_ok(dls_contact_system_project_q(&f.contacts, &none, t0, q, &err), err);
  assert_ok(dls_contact_system_project_v(&f.contacts, &none, v, &err), err);
  assert_true(v[0] == 1 && v[1] == 2 && q[0] == 1 && q[1] == 2 && f.work.lcp_solves == 0);
  end(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(newtons_law_holds_on_moving_contacts),
      cmocka_unit_test(a_second_law_is_an_entry),
      cmocka_unit_test(coulombs_law_holds_in_stick_and_in_slip),
      cmocka_unit_test(newtons_law_has_no_friction),
      cmocka_unit_test(forces_hold_contacts_that_are_pressed_and_let_go_the_others),
      cmocka_unit_test(reactions_hold_contacts_whatever_their_sign),
      cmocka_unit_test(positions_are_projected_to_the_surface),
      cmocka_unit_test(velocities_are_projected_to_that_of_the_surface),
      cmocka_unit_test(an_empty_set_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
