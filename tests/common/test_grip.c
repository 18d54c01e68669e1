/* test_grip.c -- forces of contacts with friction at acceleration level on points whose answers are known: sets and slips that change,
 * tangents that cannot move.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/grip.h>
#include <math.h>
#include <string.h>

enum { MOST = 3 }; /* coordinates, rows */

typedef struct fixture {
  dls_system *sys;
  dls_stage stage;
  dls_work work;
  dls_grips *grips;
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
  assert_ok(dls_stage_create_mass(f->sys, &f->work, &f->stage, &err), err);
  assert_ok(dls_stage_at(&f->stage, 0, f->q, &err), err);
  assert_ok(dls_grips_create(&f->stage, &f->grips, &err), err);
}

static void end(fixture *f)
{
  dls_grips_destroy(f->grips);
  dls_stage_destroy(&f->stage);
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
      const dls_grip grip = {DLS_GRIP_SLIPS, 0.5, {ways[k][0], ways[k][1]}};
      double a[MOST] = {0}, r[MOST];
      size_t solutions = 0;
      dls_error err = {0};
      a[d - 1] = -10;
      assert_ok(dls_grips_force(f.grips, &set, &grip, v, a, r, &solutions, &err), err);
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
  assert_ok(dls_grips_force(f.grips, &none, NULL, v, a, r, &solutions, &err), err);
  assert_int_equal(solutions, 0);
  assert_true(r[0] == 0 && r[1] == 0 && a[0] == 1 && a[1] == -10);
  end(&f);
}

/* On two walls a point has no tangent left, on one it has: whatever was asked before, and whichever wall is the lighter. */
DLS_TEST(two_walls_hold_what_one_lets_slip)
{
  static const double normals[] = {0, 1, 0.8, 0.6}, tangents[] = {1, 0, -0.6, 0.8};
  static const double masses[][2] = {{1, 4}, {4, 1}, {1, 1}};
  static size_t both_of[] = {0, 1};
  const dls_contacts both = {2, both_of}, ones[] = {{1, both_of}, {1, both_of + 1}};
  const dls_grip grip[2] = {{DLS_GRIP_STICKS, 0.5, {0}}, {DLS_GRIP_STICKS, 0.5, {0}}};
  const double v[2] = {0};
  for (size_t k = 0; k < sizeof masses / sizeof *masses; k++) {
    fixture f;
    dls_error err = {0};
    double a[2] = {0}, r[4];
    begin(&f, 2, 2, masses[k], normals, tangents);
    assert_ok(dls_grips_reaction(f.grips, &both, grip, NULL, v, a, r, &err), err);
    assert_int_equal(dls_grips_free_tangents(f.grips, 0, NULL), 0);
    assert_int_equal(dls_grips_free_tangents(f.grips, 1, NULL), 0);
    for (size_t j = 0; j < 2; j++) {
      double e[2][2] = {{0}};
      assert_ok(dls_grips_reaction(f.grips, &ones[j], grip, NULL, v, a, r, &err), err);
      assert_int_equal(dls_grips_free_tangents(f.grips, j, e), 1);
      assert_close(fabs(e[0][0]), 1, 1e-15);
      assert_int_equal(dls_grips_free_tangents(f.grips, 1 - j, NULL), 0);
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
  const dls_grip grip[2] = {{DLS_GRIP_STICKS, 0.5, {0}}, {DLS_GRIP_STICKS, 0.5, {0}}};
  const double v[2] = {0};
  double a[2] = {0}, r[4];
  fixture f;
  dls_error err = {0};
  begin(&f, 2, 2, mass, normals, tangents);
  assert_ok(dls_grips_reaction(f.grips, &both, grip, NULL, v, a, r, &err), err);
  assert_int_equal(dls_grips_free_tangents(f.grips, 1, NULL), 1);
  assert_int_equal(dls_grips_redundant(f.grips), 2);
  assert_ok(dls_grips_reaction(f.grips, &first, grip, NULL, v, a, r, &err), err);
  assert_int_equal(dls_grips_free_tangents(f.grips, 0, NULL), 1);
  assert_int_equal(dls_grips_free_tangents(f.grips, 1, NULL), 0);
  assert_int_equal(dls_grips_redundant(f.grips), 0);
  end(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(friction_turns_with_the_slip),
      cmocka_unit_test(an_empty_set_has_no_forces),
      cmocka_unit_test(two_walls_hold_what_one_lets_slip),
      cmocka_unit_test(a_contact_that_left_has_no_tangent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
