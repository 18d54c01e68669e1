/* test_contact_modes.c -- forces of contacts with friction at acceleration level on points whose answers are known: sets and slips that change,
 * tangents that cannot move.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "fallbacks.h"
#include <delassus/contact_mode.h>
#include <math.h>
#include <string.h>

enum { MOST = 3 }; /* coordinates, rows */

typedef struct fixture {
  dls_system *sys;
  dls_contact_system contacts;
  dls_work work;
  dls_mode_solver *solver;
  double q[MOST];
} fixture;

/* A point of masses m in space of d dimensions, on contacts with these normals and tangents, by columns. */
static void begin(fixture *f, size_t d, size_t contacts, const double *mass, const double *normals,
                  const double *tangents)
{
  dls_error err = {0};
  *f = (fixture){.sys = dls_system_create(d, contacts)};
  f->sys->linear = true;
  f->sys->M = dls_matrix_diagonal(d);
  f->sys->d = d;
  f->sys->H = dls_matrix_dense(d, contacts);
  f->sys->T = dls_matrix_dense(d, (d - 1) * contacts);
  for (size_t i = 0; i < d; i++) {
    dls_matrix_set(f->sys->M, i, i, mass[i]);
    for (size_t j = 0; j < contacts; j++) {
      dls_matrix_set(f->sys->H, i, j, normals[i + d * j]);
    }
    for (size_t j = 0; j < (d - 1) * contacts; j++) {
      dls_matrix_set(f->sys->T, i, j, tangents[i + d * j]);
    }
  }
  for (size_t j = 0; j < contacts; j++) {
    f->sys->mu[j] = 0.5;
  }
  assert_ok(dls_system_check(f->sys, &err), err);
  assert_ok(dls_contact_system_create_mass(f->sys, &f->work, &f->contacts, &err), err);
  assert_ok(dls_contact_system_at(&f->contacts, 0, f->q, &err), err);
  assert_ok(dls_mode_solver_create(&f->contacts, &f->solver, &err), err);
}

static void end(fixture *f)
{
  dls_mode_solver_destroy(f->solver);
  dls_contact_system_destroy(&f->contacts);
  dls_system_destroy(f->sys);
}

static const double floor_2[] = {0, 1}, along_2[] = {1, 0};
static const double floor_3[] = {0, 0, 1}, along_3[] = {1, 0, 0, 0, 1, 0};

/* 2 kg pressed by 10 m/s^2 that slip this way, then that way: r = 20 N (1, -mu e). */
DLS_TEST(friction_turns_with_the_slip)
{
  static const double ways[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {0.6, 0.8}, {0.6, -0.8}, {-0.6, -0.8}};
  for (size_t d = 2; d <= 3; d++) {
    fixture f;
    const double mass[] = {2, 2, 2}, v[MOST] = {0};
    size_t index = 0;
    const dls_contacts set = {1, &index};
    begin(&f, d, 1, mass, d == 2 ? floor_2 : floor_3, d == 2 ? along_2 : along_3);
    for (size_t k = 0; k < (d == 2 ? 2 : sizeof ways / sizeof *ways); k++) {
      const dls_contact_mode mode = {DLS_MODE_SLIPS, 0.5, {ways[k][0], ways[k][1]}, 0};
      double a[MOST] = {0}, r[MOST];
      size_t solutions = 0;
      dls_error err = {0};
      a[d - 1] = -10;
      assert_ok(dls_mode_solver_force(f.solver, &set, &mode, v, a, r, &solutions, &err), err);
      assert_int_equal(solutions, 1);
      assert_close(r[0], 20, 1e-13);
      assert_close(a[d - 1], 0, 1e-13);
      for (size_t i = 1; i < d; i++) {
        assert_close(r[i], -10 * ways[k][i - 1], 1e-13);
        assert_close(a[i - 1], -5 * ways[k][i - 1], 1e-13);
      }
    }
    end(&f);
  }
}

enum { MANY = 120 };

/* Points of 2 kg in space, each over its floor, with mu = 0.5; x is a or v of the points, r forces or impulses. */
typedef struct crowd {
  dls_system *sys;
  dls_contact_system contacts;
  dls_work work;
  dls_mode_solver *solver;
  size_t index[MANY];
  dls_contact_mode mode[MANY];
  double x[3 * MANY], r[3 * MANY];
} crowd;

/* @param[in] lean  0: a contact for each point; else two for each other point, the normal of the second with so much along x */
static void gather(crowd *c, size_t count, double lean)
{
  dls_error err = {0};
  *c = (crowd){.sys = dls_system_create(3 * count, count)};
  c->sys->linear = true;
  c->sys->d = 3;
  c->sys->M = dls_matrix_diagonal(3 * count);
  c->sys->H = dls_matrix_sparse(3 * count, count, 2 * count);
  c->sys->T = dls_matrix_sparse(3 * count, 2 * count, 2 * count);
  for (size_t j = 0; j < count; j++) {
    const size_t point = lean != 0 ? j - j % 2 : j;
    for (size_t i = 0; i < 3; i++) {
      dls_matrix_set(c->sys->M, 3 * j + i, 3 * j + i, 2);
    }
    if (point != j) {
      dls_matrix_set(c->sys->H, 3 * point, j, lean);
    }
    dls_matrix_set(c->sys->H, 3 * point + 2, j, 1);
    dls_matrix_set(c->sys->T, 3 * j, 2 * j, 1);
    dls_matrix_set(c->sys->T, 3 * j + 1, 2 * j + 1, 1);
    c->sys->mu[j] = 0.5;
    c->index[j] = j;
    for (size_t i = 0; i < 3; i++) {
      c->x[3 * j + i] = i == 2 ? -10 : 1 + (double)i;
    }
  }
  assert_ok(dls_system_check(c->sys, &err), err);
  assert_ok(dls_contact_system_create_mass(c->sys, &c->work, &c->contacts, &err), err);
  assert_ok(dls_contact_system_at(&c->contacts, 0, c->sys->q0, &err), err);
  assert_ok(dls_mode_solver_create(&c->contacts, &c->solver, &err), err);
}

static void scatter(crowd *c)
{
  dls_mode_solver_destroy(c->solver);
  dls_contact_system_destroy(&c->contacts);
  dls_system_destroy(c->sys);
}

/* Slip that turns, of many contacts side by side, as an array and by bodies: u'_N = 0, r = r_N (1, -mu e) + z p, and p . u' + turning z = 0. */
DLS_TEST(slip_that_turns_has_a_force_across_it)
{
  for (size_t count = 1; count <= MANY; count += MANY - 1) {
    dls_error err = {0};
    crowd c;
    gather(&c, count, 0);
    for (size_t j = 0; j < count; j++) {
      const double angle = 0.3 + 0.7 * (double)j;
      c.mode[j] = (dls_contact_mode){DLS_MODE_SLIPS, 0.5, {cos(angle), sin(angle)}, 0.3};
    }
    const dls_contacts set = {count, c.index};
    assert_ok(dls_mode_solver_reaction(c.solver, &set, c.mode, NULL, NULL, c.x, c.r, &err), err);
    for (size_t j = 0; j < count; j++) {
      const double *e = c.mode[j].e,
                   across = (2 * e[0] - e[1]) / (0.5 + 0.3); /* z = -p . u'_free / (1/m + turning) */
      assert_close(c.x[3 * j + 2], 0, 1e-12);
      assert_close(c.r[3 * j], 20, 1e-12);
      assert_close(c.r[3 * j + 1], -10 * e[0] + across * e[1], 1e-12);
      assert_close(c.r[3 * j + 2], -10 * e[1] - across * e[0], 1e-12);
    }
    scatter(&c);
  }
}

/* Points over a floor that rises, of which every other sticks: held contacts keep their velocity relative to it at 0, by impulses m v, as an
 * array and by the bodies. */
DLS_TEST(held_contacts_have_no_velocity)
{
  for (size_t count = 2; count <= MANY; count += MANY - 2) {
    dls_error err = {0};
    crowd c;
    gather(&c, count, 0);
    for (size_t j = 0; j < count; j++) {
      c.mode[j] = (dls_contact_mode){j % 2 == 0 ? DLS_MODE_STICKS : DLS_MODE_FRICTIONLESS, 0.5, {0}, 0};
      c.contacts.config->b[3 * j] = -0.25;
    }
    const dls_contacts set = {count, c.index};
    assert_int_equal(dls_mode_solver_holds(c.solver, 2 * count), count == MANY);
    assert_ok(dls_mode_solver_hold(c.solver, &set, c.mode, c.x, c.r, &err), err);
    for (size_t j = 0; j < count; j++) {
      const double slip = j % 2 == 0 ? 0 : 1;
      assert_close(c.r[3 * j], 2 * 10.25, 1e-12);
      assert_close(c.x[3 * j + 2], 0.25, 1e-12);
      for (size_t i = 0; i < 2; i++) {
        assert_close(c.x[3 * j + i], slip * (1 + (double)i), 1e-12);
        assert_close(c.r[3 * j + 1 + i], -2 * (1 - slip) * (1 + (double)i), 1e-12);
      }
    }
    assert_int_equal(fallbacks_to(&c.work.fallbacks, "mode-residual"), 0);
    scatter(&c);
  }
}

/* Two contacts of each other point whose normals differ by an angle `lean`. @return the largest velocity that is left, of 10 m/s */
static double velocity_left(double lean, size_t *counted)
{
  dls_error err = {0};
  double left = 0;
  crowd c;
  gather(&c, MANY, lean);
  for (size_t j = 0; j < MANY; j++) {
    c.mode[j] = (dls_contact_mode){DLS_MODE_FRICTIONLESS, 0.5, {0}, 0};
  }
  assert_ok(dls_mode_solver_hold(c.solver, &(dls_contacts){MANY, c.index}, c.mode, c.x, c.r, &err), err);
  for (size_t j = 0; j < MANY; j++) {
    const double *v = c.x + 3 * (j - j % 2);
    left = fmax(left, fabs(v[2] + (j % 2 == 0 ? 0 : lean * v[0])));
  }
  *counted = fallbacks_to(&c.work.fallbacks, "mode-residual");
  scatter(&c);
  return left;
}

/* Rows that are nearly the same converge slowly by the bodies: what they leave is counted. */
DLS_TEST(velocities_that_held_contacts_keep_are_counted)
{
  size_t counted, all = 0;
  for (double lean = 0.1; lean > 1e-15; lean /= 3) {
    const double left = velocity_left(lean, &counted);
    if (counted != (left > 1e-9)) {
      fail_msg("normals that differ by %g: %g m/s are left, counted %zu times", lean, left, counted);
    }
    all += counted;
  }
  assert_between((double)all, 5, 20);
}

/* Without contacts nothing is solved, and no number of solutions is known. */
DLS_TEST(an_empty_set_has_no_forces)
{
  fixture f;
  const double mass[] = {2, 2}, v[2] = {0};
  const dls_contacts none = {0, NULL};
  double a[2] = {1, -10}, r[2] = {3, 3};
  size_t solutions = 7;
  dls_error err = {0};
  begin(&f, 2, 1, mass, floor_2, along_2);
  assert_ok(dls_mode_solver_force(f.solver, &none, NULL, v, a, r, &solutions, &err), err);
  assert_int_equal(solutions, 0);
  assert_true(r[0] == 0 && r[1] == 0 && a[0] == 1 && a[1] == -10);
  r[0] = 3;
  assert_ok(dls_mode_solver_reaction(f.solver, &none, NULL, NULL, v, a, r, &err), err);
  assert_true(r[0] == 0 && r[1] == 0 && a[0] == 1 && a[1] == -10);
  assert_int_equal(dls_mode_solver_redundant(f.solver), 0);
  end(&f);
}

/* On two walls a point has no tangent left, on one it has: whatever was asked before, and whichever wall is the lighter. */
DLS_TEST(two_walls_hold_what_one_lets_slip)
{
  static const double normals[] = {0, 1, 0.8, 0.6}, tangents[] = {1, 0, -0.6, 0.8};
  static const double masses[][2] = {{1, 4}, {4, 1}, {1, 1}};
  static size_t both_of[] = {0, 1};
  const dls_contacts both = {2, both_of}, ones[] = {{1, both_of}, {1, both_of + 1}};
  const dls_contact_mode mode[2] = {{DLS_MODE_STICKS, 0.5, {0}, 0}, {DLS_MODE_STICKS, 0.5, {0}, 0}};
  const double v[2] = {0};
  for (size_t k = 0; k < sizeof masses / sizeof *masses; k++) {
    fixture f;
    dls_error err = {0};
    double a[2] = {0}, r[4];
    begin(&f, 2, 2, masses[k], normals, tangents);
    assert_ok(dls_mode_solver_reaction(f.solver, &both, mode, NULL, v, a, r, &err), err);
    assert_int_equal(dls_mode_solver_free_directions(f.solver, 0, NULL), 0);
    assert_int_equal(dls_mode_solver_free_directions(f.solver, 1, NULL), 0);
    for (size_t j = 0; j < 2; j++) {
      double e[2][2] = {{0}};
      assert_ok(dls_mode_solver_reaction(f.solver, &ones[j], mode, NULL, v, a, r, &err), err);
      assert_int_equal(dls_mode_solver_free_directions(f.solver, j, e), 1);
      assert_close(fabs(e[0][0]), 1, 1e-15);
      assert_int_equal(dls_mode_solver_free_directions(f.solver, 1 - j, NULL), 0);
    }
    end(&f);
  }
}

/* Two contacts on the same floor slip both; of the one that leaves the set nothing is said. */
DLS_TEST(a_contact_that_left_has_no_tangent)
{
  static const double normals[] = {0, 1, 0, 1}, tangents[] = {1, 0, 1, 0}, mass[] = {1, 1};
  static size_t both_of[] = {0, 1};
  const dls_contacts both = {2, both_of}, first = {1, both_of};
  const dls_contact_mode mode[2] = {{DLS_MODE_STICKS, 0.5, {0}, 0}, {DLS_MODE_STICKS, 0.5, {0}, 0}};
  const double v[2] = {0};
  double a[2] = {0}, r[4];
  fixture f;
  dls_error err = {0};
  begin(&f, 2, 2, mass, normals, tangents);
  assert_ok(dls_mode_solver_reaction(f.solver, &both, mode, NULL, v, a, r, &err), err);
  assert_int_equal(dls_mode_solver_free_directions(f.solver, 1, NULL), 1);
  assert_int_equal(dls_mode_solver_redundant(f.solver), 2);
  assert_ok(dls_mode_solver_reaction(f.solver, &first, mode, NULL, v, a, r, &err), err);
  assert_int_equal(dls_mode_solver_free_directions(f.solver, 0, NULL), 1);
  assert_int_equal(dls_mode_solver_free_directions(f.solver, 1, NULL), 0);
  assert_int_equal(dls_mode_solver_redundant(f.solver), 0);
  end(&f);
}

/* A corner in space: beside a wall the point on the floor slips along the wall alone, whichever way that is. */
DLS_TEST(a_wall_leaves_the_floor_one_line)
{
  static const double mass[] = {1, 1, 1};
  static size_t both_of[] = {0, 1};
  const dls_contacts both = {2, both_of};
  const dls_contact_mode mode[2] = {{DLS_MODE_STICKS, 0.5, {0}, 0}, {DLS_MODE_FRICTIONLESS, 0, {0}, 0}};
  for (int k = 0; k < 4; k++) {
    const double x = k == 0   ? 1
                     : k == 1 ? 0
                     : k == 2 ? 0.8
                              : -0.6,
                 y = k == 0   ? 0
                     : k == 1 ? 1
                     : k == 2 ? 0.6
                              : 0.8;
    const double normals[] = {0, 0, 1, x, y, 0}, tangents[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, -y, x, 0};
    const double v[3] = {0};
    double a[3] = {1, 1, -10}, r[6], e[2][2], along[2] = {1, 1};
    bool line = false;
    fixture f;
    dls_error err = {0};
    begin(&f, 3, 2, mass, normals, tangents);
    assert_ok(dls_mode_solver_reaction(f.solver, &both, mode, NULL, v, a, r, &err), err);
    assert_int_equal(dls_mode_solver_free_directions(f.solver, 0, e), 1);
    assert_close(fabs(e[0][0]), fabs(y), 1e-14);
    assert_close(e[0][0] * x + e[0][1] * y, 0, 1e-14);
    assert_close(r[0], 10, 1e-13);
    assert_close(r[1] * x + r[2] * y, 0, 1e-13); /* friction along the line holds what is along it */
    assert_close(r[1] * -y + r[2] * x, -(x - y), 1e-13);
    assert_close(r[3], -(x + y), 1e-13);
    assert_ok(dls_mode_solver_single_line(f.solver, &both, mode, 0, along, &line, &err), err);
    assert_true(line);
    assert_close(along[0] * x + along[1] * y, 0, 1e-14);
    assert_true(along[0] + along[1] > 0); /* of the two the nearer */
    end(&f);
  }
}

static void no_force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)t, (void)q, (void)v;
  memset(F, 0, sys->n * sizeof *F);
}

static void height(const dls_system *sys, double t, const double *q, double *g)
{
  (void)sys, (void)t;
  g[0] = q[1];
}

/* 2 kg, and q_0 kg more. */
static void grown(const dls_system *sys, const double *q, dls_matrix *M)
{
  (void)sys;
  dls_matrix_set(M, 0, 0, 2 + q[0]);
  dls_matrix_set(M, 1, 1, 2 + q[0]);
}

/* q_0^2 / 2 + q_2 = const: q_2 goes along, and more of it further out. */
static void bar(const dls_system *sys, double t, const double *q, double *phi)
{
  (void)sys, (void)t;
  phi[0] = q[0] * q[0] / 2 + q[2];
}

static void bar_gradient(const dls_system *sys, double t, const double *q, dls_matrix *G)
{
  (void)sys, (void)t;
  dls_matrix_set(G, 0, 0, q[0]);
  dls_matrix_set(G, 2, 0, 1);
}

/* The same contact that does the same has another force where the masses are others, or the joints. */
DLS_TEST(forces_follow_masses_and_joints)
{
  for (int joints = 0; joints < 2; joints++) {
    const double mass[] = {2, 2, 2};
    fixture f = {.sys = dls_system_create(3, 1)};
    dls_error err = {0};
    size_t index = 0;
    const dls_contacts set = {1, &index};
    const dls_contact_mode mode = {DLS_MODE_STICKS, 0.5, {0}, 0};
    f.sys->force = no_force;
    f.sys->gap = height;
    f.sys->d = 2;
    f.sys->mu[0] = 0.5;
    f.sys->M = dls_matrix_diagonal(3);
    f.sys->H = dls_matrix_dense(3, 1);
    f.sys->T = dls_matrix_dense(3, 1);
    for (size_t i = 0; i < 3; i++) {
      dls_matrix_set(f.sys->M, i, i, mass[i]);
    }
    dls_matrix_set(f.sys->H, 1, 0, 1);
    dls_matrix_set(f.sys->T, 0, 0, 1);
    if (joints) {
      f.sys->r = 1;
      f.sys->G = dls_matrix_dense(3, 1);
      f.sys->joint = bar;
      f.sys->joint_gradient = bar_gradient;
    } else {
      f.sys->mass = grown;
    }
    assert_ok(dls_system_check(f.sys, &err), err);
    assert_ok(dls_contact_system_create_mass(f.sys, &f.work, &f.contacts, &err), err);
    assert_ok(dls_mode_solver_create(&f.contacts, &f.solver, &err), err);
    for (int k = 0; k < 3; k++) {
      const double v[3] = {0}, q[3] = {k, 0, -k * k / 2.0};
      double a[3] = {1, -10, 0}, r[2];
      assert_ok(dls_contact_system_at(&f.contacts, 0, q, &err), err);
      if (joints) { /* 2 N along q_0 and the joint, k a_0 + a_2 = 0 */
        a[0] = 1.0 / (1 + k * k);
        a[2] = -k * a[0];
      }
      assert_ok(dls_mode_solver_reaction(f.solver, &set, &mode, NULL, v, a, r, &err), err);
      assert_close(r[0], 10 * (joints ? 2 : 2 + k), 1e-12);
      assert_close(r[1], joints ? -2 : -(2 + k),
                   1e-12); /* M_00 without the joint, and (1 + k^2) M_00 a_0 with it */
      for (size_t i = 0; i < 3; i++) {
        assert_close(a[i], 0, 1e-13);
      }
    }
    end(&f);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slip_that_turns_has_a_force_across_it),
      cmocka_unit_test(friction_turns_with_the_slip),
      cmocka_unit_test(held_contacts_have_no_velocity),
      cmocka_unit_test(velocities_that_held_contacts_keep_are_counted),
      cmocka_unit_test(an_empty_set_has_no_forces),
      cmocka_unit_test(two_walls_hold_what_one_lets_slip),
      cmocka_unit_test(a_contact_that_left_has_no_tangent),
      cmocka_unit_test(a_wall_leaves_the_floor_one_line),
      cmocka_unit_test(forces_follow_masses_and_joints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
