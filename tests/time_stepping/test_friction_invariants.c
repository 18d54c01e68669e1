/* test_friction_invariants.c -- what friction must leave as it is, in every scheme that treats it: no friction at mu = 0, rest
 * at large mu, tangents turned, left and right exchanged, a belt seen from itself. Source: Acary, Collins-Craft 2023.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "changed.h"
#include "models.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Largest difference of a column of two runs. */
static double difference(const test_run *a, const test_run *b, const char *column)
{
  double most = 0;
  assert_int_equal(a->traj->rows, b->traj->rows);
  for (size_t i = 0; i < a->traj->rows; i++) {
    const double d = fabs(dls_test_value(a, i, column) - dls_test_value(b, i, column));
    most = d <= most ? most : d; /* so that NaN stays */
  }
  return most;
}

static double difference_of_all(const test_run *a, const test_run *b, double *largest)
{
  double most = 0;
  *largest = 0;
  for (size_t j = 1; j < a->traj->columns; j++) {
    const double d = difference(a, b, a->traj->names[j]);
    most = d <= most ? most : d;
    for (size_t i = 0; i < a->traj->rows; i++) {
      *largest = fmax(*largest, fabs(dls_trajectory_at(a->traj, i, j)));
    }
  }
  return most;
}

static const char *const schemes[] = {"moreau-jean",
                                      "moreau-jean:theta=1",
                                      "moreau-jean-variant",
                                      "nonsmooth-newmark",
                                      "nonsmooth-generalized-alpha",
                                      "three-level-alpha",
                                      "three-level-alpha:rho_inf=1",
                                      "moreau-jean-extrapolated",
                                      "schatzman-paoli",
                                      "schatzman-paoli:theta=0.5",
                                      "splitting-rkf45",
                                      "tdg-d1-minus",
                                      "tdg-d1-minus:level=velocity",
                                      "rk-moreau",
                                      "rk-moreau:method=heun"};
enum { SCHEMES = sizeof schemes / sizeof schemes[0] };

/* Does the scheme refuse the law that the model has? */
static bool refuses(const char *model, const char *scheme)
{
  return strstr(model, "fremond") != NULL && strncmp(scheme, "three-level", strlen("three-level")) == 0;
}

/* mu = 0 by three ways: the law without friction, mu = 0, and the cone of a mu that is nearly 0. */
DLS_TEST(without_friction_the_law_is_newtons)
{
  static const char *const models[][3] = {{"bounce-slip newton", "bounce-slip:mu=0", "bounce-slip:mu=1e-15"},
                                          {"puck newton", "puck fremond:mu=0", "puck fremond:mu=1e-15"},
                                          {"kane newton", "kane moreau:mu=0", "kane newton-coulomb:mu=1e-15"}};
  for (size_t i = 0; i < 3; i++) {
    for (size_t k = 0; k < SCHEMES; k++) {
      if (refuses(models[i][2], schemes[k])) {
        continue;
      }
      double largest = 0;
      test_run newton = dls_test_run(models[i][0], schemes[k], 0.011, 1);
      test_run zero = dls_test_run(models[i][1], schemes[k], 0.011, 1);
      test_run tiny = dls_test_run(models[i][2], schemes[k], 0.011, 1);
      assert_true(difference_of_all(&newton, &zero, &largest) == 0);
      for (size_t q = 0; q < newton.sys->n; q++) {
        assert_close(tiny.sim->q[q], newton.sim->q[q], 1e-11 * largest);
        assert_close(tiny.sim->v[q], newton.sim->v[q], 1e-11 * largest);
      }
      assert_true(largest > 0.1);
      dls_test_free(&newton);
      dls_test_free(&zero);
      dls_test_free(&tiny);
    }
  }
}

/* mu = 1e6, a bilateral constraint: the first step brings the slip to rest, by what momentum along and around leaves, and it
 * stays there; the position is that of the end of the slip to O(h u). */
DLS_TEST(with_much_friction_it_sticks)
{
  static const double h = 1e-2, small = 1e-10;
  for (size_t k = 0; k < SCHEMES; k++) {
    test_run run = dls_test_run("sphere:mu=1e6", schemes[k], h, 0.3);
    const double u[] = {1 - 0.1 * 20, 0.5 + 0.1 * 30}; /* slip at the start */
    const double v[] = {1 - 2 * u[0] / 7, 0.5 - 2 * u[1] / 7};
    assert_close(dls_test_value(&run, 0, "u0t1"), u[0], 1e-15);
    assert_close(dls_test_value(&run, 0, "u0t2"), u[1], 1e-15);
    for (size_t i = 1; i < run.traj->rows; i++) {
      const double t = dls_test_value(&run, i, "t");
      assert_close(dls_test_value(&run, i, "q0"), v[0] * t, h);
      assert_close(dls_test_value(&run, i, "q1"), v[1] * t, h);
      if (t < 0.9 * h) {
        continue; /* nodes inside the first step */
      }
      assert_close(hypot(dls_test_value(&run, i, "u0t1"), dls_test_value(&run, i, "u0t2")), 0, small);
      assert_close(dls_test_value(&run, i, "status0"), 1, 0);
    }
    assert_close(run.sim->v[0], v[0], small);
    assert_close(run.sim->v[1], v[1], small);
    dls_test_free(&run);
  }
}

/* mu = 1e6 in piles with redundant contacts, where mu |u_T| has the rounding of u_T a million times: nothing moves but by
 * what that allows, 8 eps mu = 1.8e-9 of g t = 0.05 m/s; a fall would be 1e-4 m. */
DLS_TEST(piles_with_much_friction_stay)
{
  static const char *const models[] = {"block-pyramid:mu=1e6", "block-wall:mu=1e6,rows=2,columns=2,dim=3"};
  static const char *const by[] = {"moreau-jean", "nonsmooth-newmark", "three-level-alpha", "schatzman-paoli"};
  for (size_t k = 0; k < 8; k++) {
    test_run run = dls_test_run(models[k % 2], by[k / 2], 1e-3, 5e-3);
    for (size_t i = 0; i < run.sys->n; i++) {
      assert_close(run.sim->q[i], 0, 1e-9);
      assert_close(run.sim->v[i], 0, 1e-7);
    }
    dls_test_free(&run);
  }
}

static test_run run_changed(const char *model, const char *scheme, void (*change)(dls_system *sys))
{
  return dls_test_run_changed(model, scheme, 0.011, 0.4, change);
}

DLS_TEST(tangents_may_be_turned)
{
  static const char *const models[] = {"sphere", "puck", "puck fremond"};
  for (size_t i = 0; i < 3; i++) {
    for (size_t k = 0; k < SCHEMES; k++) {
      if (refuses(models[i], schemes[k])) {
        continue;
      }
      test_run a = run_changed(models[i], schemes[k], NULL);
      test_run b = run_changed(models[i], schemes[k], dls_test_turn_tangents);
      for (size_t q = 0; q < a.sys->n; q++) {
        assert_close(b.sim->q[q], a.sim->q[q], 1e-10);
        assert_close(b.sim->v[q], a.sim->v[q], 1e-10);
      }
      const double u1 = dls_test_value(&a, 3, "u0t1"), u2 = dls_test_value(&a, 3, "u0t2");
      assert_close(dls_test_value(&b, 3, "u0t1"), cos(DLS_TEST_TURN) * u1 + sin(DLS_TEST_TURN) * u2, 1e-12);
      assert_true(hypot(u1, u2) > 0.1);
      dls_test_free(&a);
      dls_test_free(&b);
    }
  }
}

/* The other way round: the phase by pi, q0 and v0 by their sign. */
DLS_TEST(left_and_right_are_alike)
{
  for (size_t k = 0; k < SCHEMES; k++) {
    test_run a = dls_test_run("forced-block:q0=0.1,v0=0.3,phase=0.4", schemes[k], 0.013, 6);
    test_run b = dls_test_run("forced-block:q0=-0.1,v0=-0.3,phase=3.5415926535897931", schemes[k], 0.013, 6);
    assert_close(b.sim->q[0], -a.sim->q[0], 1e-12);
    assert_close(b.sim->v[0], -a.sim->v[0], 1e-12);
    assert_true(fabs(a.sim->q[0]) > 1e-3);
    dls_test_free(&a);
    dls_test_free(&b);
  }
}

DLS_TEST(a_belt_may_be_seen_from_itself)
{
  for (size_t k = 0; k < SCHEMES; k++) {
    test_run room = run_changed("puck-belt:vb=0.75,v0=1.5", schemes[k], NULL);
    test_run belt = run_changed("puck-belt:vb=0.75,v0=1.5", schemes[k], dls_test_stand_on_belt);
    const double t = room.sim->t;
    assert_close(belt.sim->v[0] + 0.75, room.sim->v[0], 1e-12);
    assert_close(belt.sim->q[0] + 0.75 * t, room.sim->q[0], 1e-12);
    assert_close(belt.sim->v[1], room.sim->v[1], 1e-12);
    assert_close(dls_test_value(&belt, 5, "u0t1"), dls_test_value(&room, 5, "u0t1"), 1e-12);
    assert_true(fabs(dls_test_value(&room, 0, "u0t1") + 0.75) < 1e-15);
    dls_test_free(&room);
    dls_test_free(&belt);
  }
}

/* Fremond's law is e_T = 1 where impulses work on the mean velocity, (1 - theta)/theta in Moreau-Jean. */
DLS_TEST(fremond_is_a_tangential_restitution)
{
  static const struct {
    const char *scheme;
    double e_t;
  } cases[] = {{"moreau-jean", 1},         {"moreau-jean:theta=0.8", 0.25}, {"moreau-jean:theta=1", 0},
               {"moreau-jean-variant", 1}, {"nonsmooth-newmark", 1},        {"nonsmooth-hht", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char model[80];
    snprintf(model, sizeof model, "bounce-slip:mu=0.3 newton-coulomb:e_t=%g", cases[i].e_t);
    test_run fremond = dls_test_run("bounce-slip:mu=0.3 fremond", cases[i].scheme, 0.01, 1.5);
    test_run shifted = dls_test_run(model, cases[i].scheme, 0.01, 1.5);
    double largest = 0;
    assert_close(difference_of_all(&fremond, &shifted, &largest), 0, 1e-14 * largest);
    dls_test_free(&fremond);
    dls_test_free(&shifted);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_friction_the_law_is_newtons),
      cmocka_unit_test(with_much_friction_it_sticks),
      cmocka_unit_test(piles_with_much_friction_stay),
      cmocka_unit_test(tangents_may_be_turned),
      cmocka_unit_test(left_and_right_are_alike),
      cmocka_unit_test(a_belt_may_be_seen_from_itself),
      cmocka_unit_test(fremond_is_a_tangential_restitution),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
