/* test_friction_everywhere.c -- what friction must leave as it is, in every scheme of the catalogue that treats it, by its defaults:
 * no friction at mu = 0, rest at large mu, tangents turned, left and right exchanged, a belt seen from itself; static friction
 * refused where there is no status. test_friction_invariants.c has options of some. Source: Acary, Collins-Craft 2023.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "changed.h"
#include "models.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 80 };

/* The next scheme with friction after *k, with options that do for contacts with e = 0. @return false if there is none */
static bool next_scheme(size_t *k, char *text)
{
  for (; dls_schemes()[*k] != NULL; (*k)++) {
    const dls_scheme *scheme = dls_schemes()[*k];
    if (scheme->handles & DLS_HANDLES_FRICTION) {
      const bool damper = strcmp(scheme->name, "spring-damper") == 0;
      const bool pyramid = strcmp(scheme->name, "mujoco") == 0; /* its friction depends on the tangents */
      snprintf(text, ROOM, "%s%s", scheme->name,
               damper    ? ":damping=given,c=2000"
               : pyramid ? ":cone=elliptic"
                         : "");
      (*k)++;
      return true;
    }
  }
  return false;
}

/* Steps that resolve springs where contacts are such. */
static double step_of(const char *scheme)
{
  return strstr(scheme, "penalty") != NULL || strstr(scheme, "damper") != NULL ? 1e-3 : 0.011;
}

static test_run run_changed(const char *model, const char *scheme, double end, void (*change)(dls_system *sys))
{
  return dls_test_run_changed(model, scheme, step_of(scheme), end, change);
}

DLS_TEST(without_friction_nothing_changes)
{
  char scheme[ROOM];
  size_t count = 0;
  for (size_t k = 0; next_scheme(&k, scheme); count++) {
    test_run newton = run_changed("bounce-slip newton", scheme, 1, NULL);
    test_run zero = run_changed("bounce-slip:mu=0", scheme, 1, NULL);
    assert_int_equal(newton.traj->rows, zero.traj->rows);
    for (size_t i = 0; i < newton.traj->rows * newton.traj->columns; i++) {
      assert_true(newton.traj->data[i] == zero.traj->data[i]);
    }
    dls_test_free(&newton);
    dls_test_free(&zero);
  }
  assert_between((double)count, 18, 40);
}

/* mu = 1e6: what rolls keeps its momentum along and around, whatever normal force there is. Forces at the middle of a step hold
 * the slip there: at the nodes it changes its sign, and means of two are right. */
DLS_TEST(with_much_friction_it_rolls)
{
  char scheme[ROOM];
  for (size_t k = 0; next_scheme(&k, scheme);) {
    test_run run = run_changed("sphere:mu=1e6", scheme, 0.2, NULL);
    if (run.sim->scheme->family == DLS_FAMILY_SOFT) { /* its friction is regularised, and lifts */
      dls_test_free(&run);
      continue;
    }
    const double u[] = {1 - 0.1 * 20, 0.5 + 0.1 * 30}; /* slip at the start */
    const size_t last = run.traj->rows - 1,
                 before = run.sim->scheme->family == DLS_FAMILY_PENALTY ? last - 1 : last;
    const double v0 = 0.5 * (dls_test_value(&run, last, "v0") + dls_test_value(&run, before, "v0")),
                 v1 = 0.5 * (dls_test_value(&run, last, "v1") + dls_test_value(&run, before, "v1"));
    assert_close(v0, 1 - 2 * u[0] / 7, 1e-9);
    assert_close(v1, 0.5 - 2 * u[1] / 7, 1e-9);
    dls_test_free(&run);
  }
}

static void assert_same(const test_run *a, const test_run *b, double offset, double sign)
{
  for (size_t i = 0; i < a->sys->n; i++) {
    const double v = i == 0 ? offset : 0;
    assert_close(b->sim->v[i] + v, sign * a->sim->v[i], 1e-8);
    assert_close(b->sim->q[i] + v * a->sim->t, sign * a->sim->q[i], 1e-8);
  }
}

DLS_TEST(tangents_may_be_turned_and_belts_seen_from_themselves)
{
  char scheme[ROOM];
  for (size_t k = 0; next_scheme(&k, scheme);) {
    test_run a = run_changed("sphere", scheme, 0.3, NULL),
             b = run_changed("sphere", scheme, 0.3, dls_test_turn_tangents);
    assert_same(&a, &b, 0, 1);
    dls_test_free(&a);
    dls_test_free(&b);
    a = run_changed("puck-belt:vb=0.75,v0=1.5", scheme, 0.3, NULL);
    b = run_changed("puck-belt:vb=0.75,v0=1.5", scheme, 0.3, dls_test_stand_on_belt);
    assert_same(&a, &b, 0.75, 1);
    assert_true(fabs(a.sim->v[0]) > 1e-2 && fabs(a.sim->v[1] - 1.5) > 1e-2);
    dls_test_free(&a);
    dls_test_free(&b);
  }
}

/* Left and right exchanged, on the plane that the normal coordinate is not part of. */
DLS_TEST(left_and_right_are_alike)
{
  char scheme[ROOM];
  for (size_t k = 0; next_scheme(&k, scheme);) {
    test_run a = run_changed("forced-block:q0=0.1,v0=0.3,phase=0.4", scheme, 3, NULL);
    test_run b = run_changed("forced-block:q0=-0.1,v0=-0.3,phase=3.5415926535897931", scheme, 3, NULL);
    assert_close(b.sim->q[0], -a.sim->q[0], 1e-8);
    assert_close(b.sim->v[0], -a.sim->v[0], 1e-8);
    assert_true(fabs(a.sim->q[0]) > 1e-3);
    dls_test_free(&a);
    dls_test_free(&b);
  }
}

DLS_TEST(static_friction_needs_a_status)
{
  char text[ROOM];
  for (size_t k = 0; next_scheme(&k, text);) {
    dls_error err = {0};
    test_run run = dls_test_prepare("belt:Fs=1.5", text);
    const dls_status status = dls_sim_start(run.sim, &err);
    if (run.sim->scheme->handles & DLS_HANDLES_STATIC_FRICTION) {
      assert_ok(status, err);
    } else {
      assert_int_equal(status, DLS_ERR_NOT_APPLICABLE);
      assert_non_null(strstr(err.text, "static friction above that of sliding"));
    }
    dls_test_free(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_friction_nothing_changes),
      cmocka_unit_test(with_much_friction_it_rolls),
      cmocka_unit_test(tangents_may_be_turned_and_belts_seen_from_themselves),
      cmocka_unit_test(left_and_right_are_alike),
      cmocka_unit_test(static_friction_needs_a_status),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
