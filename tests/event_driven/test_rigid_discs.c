/* test_rigid_discs.c -- two discs in a box: the six impacts of the source, laws of conservation, and events and exact
 * solution by two ways that know nothing of each other.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETERS = 16, RADIUS = 0, MASS = 1, RESTITUTION = 3, BETWEEN = 8 };

static dls_trajectory *exact(const double *p, double end)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  assert_ok(dls_exact_trajectory(dls_exact_find("rigid-discs"), p, end, 1e-9, &traj, &err), err);
  return traj;
}

/* Floor, discs, right wall, top, discs, left wall; t = 1.5, 2.2, 3.8, 4.3, 6.0, 8.0 in the source, for cylinders that are not
 * quite rigid and steps of 0.1. The first two by hand: (1, -2) flies 3 m down, then |c - (4.7, 1)| = 3.6 with (1, 2). */
DLS_TEST(impacts_come_in_the_order_of_the_source)
{
  static const size_t contacts[] = {0, 8, 5, 6, 8, 3};
  static const double times[] = {1.500, 2.203, 3.757, 4.284, 5.991, 8.033};
  const double d[] = {4.7 - 1.5, 1 + 3.0}, b = d[0] + 2 * d[1], c = d[0] * d[0] + d[1] * d[1] - 3.6 * 3.6;
  dls_trajectory *traj = exact(NULL, 9);
  assert_int_equal(traj->event_count, 6);
  for (size_t i = 0; i < 6; i++) {
    assert_int_equal(traj->events[i].contact, contacts[i]);
    assert_close(traj->events[i].t, times[i], 0.6e-3);
  }
  assert_close(traj->events[0].t, 1.5, 1e-15);
  assert_close(traj->events[1].t, 1.5 + (b - sqrt(b * b - 5 * c)) / 5, 2e-15);
  dls_trajectory_destroy(traj);
}

DLS_TEST(event_driven_meets_them_to_1e_10)
{
  dls_trajectory *traj = exact(NULL, 9);
  test_run run = dls_test_run("rigid-discs", "event-driven", 0, 9);
  assert_int_equal(run.traj->event_count, 6);
  for (size_t i = 0; i < 6; i++) {
    const dls_event *a = &run.traj->events[i], *b = &traj->events[i];
    assert_int_equal(a->contact, b->contact);
    assert_close(a->t, b->t, 1e-10);
    assert_close(a->impulse, b->impulse, 1e-10);
  }
  dls_test_free(&run);
  dls_trajectory_destroy(traj);
}

/* Energy and momentum of the two at a row: 0.5 m v^2; m v; m q x v around the origin. */
typedef struct invariants {
  double energy, x, y, turn;
} invariants;

static invariants at(const dls_trajectory *traj, size_t row, const double *m)
{
  const double *q = traj->data + row * traj->columns + 1, *v = q + 4;
  invariants sum = {0, 0, 0, 0};
  for (int i = 0; i < 2; i++) {
    const double *x = q + 2 * i, *w = v + 2 * i;
    sum.energy += 0.5 * m[i] * (w[0] * w[0] + w[1] * w[1]);
    sum.x += m[i] * w[0];
    sum.y += m[i] * w[1];
    sum.turn += m[i] * (x[0] * w[1] - x[1] * w[0]);
  }
  return sum;
}

/* Over 200 s, masses 1 and 3: every wall gives 2 |u| m along its normal, the discs give each other what they take. */
DLS_TEST(energy_and_momenta_over_many_impacts)
{
  const double p[PARAMETERS] = {1.8, 1, 3, 1, -5.6, 8.8, -4.8, 6, 0, 0, 4.7, 1, 1, -2, 0, 0};
  dls_trajectory *traj = exact(p, 165);
  const int p0 = dls_trajectory_column(traj, "p0"), g0 = dls_trajectory_column(traj, "g0");
  size_t between = 0;
  for (size_t i = 1; i < traj->rows; i++) {
    const invariants a = at(traj, i - 1, p + MASS), b = at(traj, i, p + MASS);
    assert_close(b.energy, 2.5, 1e-13);
    for (int j = 0; j <= BETWEEN; j++) {
      assert_between(dls_trajectory_at(traj, i, (size_t)(g0 + j)), -1e-14, 20);
    }
    if (dls_trajectory_at(traj, i, 0) > dls_trajectory_at(traj, i - 1, 0) ||
        dls_trajectory_at(traj, i, (size_t)(p0 + BETWEEN)) == 0) {
      continue;
    }
    between++;
    assert_close(a.x, b.x, 1e-14);
    assert_close(a.y, b.y, 1e-14);
    assert_close(a.turn, b.turn, 1e-12);
  }
  assert_between((double)between, 10, 200);
  assert_between((double)traj->event_count, 3 * (double)between / 2, 10 * (double)between);
  dls_trajectory_destroy(traj);
}

static double uniform(unsigned *state, double low, double high)
{
  *state = *state * 1664525U + 1013904223U;
  return low + (high - low) * (*state >> 8) / 16777216.0;
}

/* Random masses, radii, speeds and e; until four events, which such a system amplifies by 1e3 or so. */
DLS_TEST(random_boxes_by_both)
{
  unsigned seed = 11;
  for (int trial = 0; trial < 40; trial++) {
    double p[PARAMETERS] = {1.8, 1, 1, 1, -5.6, 8.8, -4.8, 6, 0, 0, 4.7, 1, 1, -2, 0, 0};
    char model[400];
    const double e = trial % 3 == 0 ? 0 : uniform(&seed, 0.3, 1);
    p[RADIUS] = uniform(&seed, 0.5, 1.9);
    p[MASS] = uniform(&seed, 0.2, 5);
    p[RESTITUTION] = e;
    for (int i = 12; i < PARAMETERS; i++) {
      p[i] = uniform(&seed, -2, 2);
    }
    dls_trajectory *traj = exact(p, 20);
    const size_t count = traj->event_count < 4 ? traj->event_count : 4;
    const double end = traj->event_count > 4 ? 0.5 * (traj->events[3].t + traj->events[4].t) : 20;
    snprintf(model, sizeof model,
             "rigid-discs:R=%.17g,m0=%.17g,e=%.17g,vx0=%.17g,vy0=%.17g,vx1=%.17g,vy1=%.17g", p[RADIUS], p[MASS],
             e, p[12], p[13], p[14], p[15]);
    test_run run = dls_test_run(model, "event-driven", 0, end);
    size_t found = 0;
    for (size_t i = 0; i < run.traj->event_count; i++) {
      if (run.traj->events[i].kind != DLS_IMPACT || found == count) {
        continue;
      }
      assert_int_equal(run.traj->events[i].contact, traj->events[found].contact);
      assert_close(run.traj->events[i].t, traj->events[found].t, 1e-9);
      assert_close(run.traj->events[i].impulse, traj->events[found].impulse, 1e-9);
      found++;
    }
    assert_int_equal(found, count);
    dls_test_free(&run);
    dls_trajectory_destroy(traj);
  }
}

/* A disc into a corner, both walls at once; and one that lies at a wall (e = 0) and is hit by the other. */
DLS_TEST(two_contacts_at_once)
{
  double corner[PARAMETERS] = {1, 1, 1, 1, 0, 10, 0, 10, 3, 3, 8, 8, -1, -1, 0, 0};
  dls_trajectory *traj = exact(corner, 5);
  assert_int_equal(traj->event_count, 1);
  assert_close(traj->events[0].t, 2, 0);
  const double *last = traj->data + (traj->rows - 1) * traj->columns;
  assert_close(last[1], 4, 1e-15);
  assert_close(last[2], 4, 1e-15);
  dls_trajectory_destroy(traj);
  /* disc 1 lies at the right wall; disc 0 hits it straight with 2 m/s and e = 0: all stop */
  double pinned[PARAMETERS] = {1, 1, 1, 0, 0, 10, 0, 10, 2, 5, 9, 5, 2, 0, 0, 0};
  traj = exact(pinned, 5);
  assert_int_equal(traj->event_count, 1);
  assert_close(traj->events[0].t, 2.5, 1e-15);
  last = traj->data + (traj->rows - 1) * traj->columns;
  for (int i = 5; i < 9; i++) {
    assert_close(last[i], 0, 1e-15);
  }
  dls_trajectory_destroy(traj);
}

/* The six impacts of the source in other units: t over time, impulse over mass length/time. */
DLS_TEST(units_do_not_matter)
{
  static const double units[][3] = {/* mass, length, time */
                                    {1e-20, 1, 1}, {1e20, 1, 1},     {1, 1e-6, 1},     {1, 1e6, 1},
                                    {1, 1, 1e-6},  {1e-6, 1e6, 1e6}, {1e30, 1e6, 1e-6}};
  const double p[PARAMETERS] = {1.8, 1, 1, 1, -5.6, 8.8, -4.8, 6, 0, 0, 4.7, 1, 1, -2, 0, 0};
  dls_trajectory *plain = exact(p, 9);
  for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
    const double mass = units[k][0], length = units[k][1], time = units[k][2];
    double scaled[PARAMETERS];
    for (size_t i = 0; i < PARAMETERS; i++) {
      scaled[i] = p[i] * (i == RESTITUTION             ? 1
                          : i == MASS || i == MASS + 1 ? mass
                          : i < PARAMETERS - 4         ? length
                                                       : length / time);
    }
    dls_error err = {0};
    dls_trajectory *traj = NULL;
    assert_ok(dls_exact_trajectory(dls_exact_find("rigid-discs"), scaled, 9 * time,
                                   1e-3 * fmax(1, length / time), &traj, &err),
              err);
    assert_int_equal(traj->event_count, plain->event_count);
    for (size_t i = 0; i < traj->event_count; i++) {
      assert_int_equal(traj->events[i].contact, plain->events[i].contact);
      assert_close(traj->events[i].t / time, plain->events[i].t, 1e-12);
      assert_close(traj->events[i].impulse * time / mass / length, plain->events[i].impulse, 1e-12);
    }
    dls_trajectory_destroy(traj);
  }
  dls_trajectory_destroy(plain);
}

/* Disc 0 flies into a corner, where it meets both walls within the rounding of t, stays there (e = 0), and is hit by disc 1: both
 * walls push then, although one of them is a rounding away. */
DLS_TEST(a_corner_holds_what_lies_in_it)
{
  for (int k = 0; k < 20; k++) {
    const double t = 110 + 1.37 * k; /* late, so that its rounding is more than that of places */
    const double p[PARAMETERS] = {1, 1, 1,    0,    0,   20, 0, 20, 19 - 0.11 * t, 19 - 0.07 * t,
                                  2, 3, 0.11, 0.07, 0.1, 0.1};
    dls_trajectory *traj = exact(p, 165);
    assert_between((double)traj->event_count, 2, 3); /* the walls at once, or one after the other */
    assert_close(traj->events[0].t, t, 1e-13);
    assert_int_equal(traj->events[traj->event_count - 1].contact, BETWEEN);
    const double *last = traj->data + (traj->rows - 1) * traj->columns;
    assert_close(last[1], 19, 1e-13);
    assert_close(last[2], 19, 1e-13);
    assert_close(last[5], 0, 0);
    assert_close(last[6], 0, 0);
    dls_trajectory_destroy(traj);
  }
}

DLS_TEST(what_does_not_fit_is_refused)
{
  dls_error err = {0};
  dls_system *sys = NULL;
  const dls_model *model = dls_model_find("rigid-discs", &err);
  const double outside[PARAMETERS] = {1.8, 1, 1, 1, -5.6, 8.8, -4.8, 6, 0, -3.5, 4.7, 1, 1, -2, 0, 0};
  const double inside[PARAMETERS] = {2.5, 1, 1, 1, -5.6, 8.8, -4.8, 6, 0, 0, 4.7, 1, 1, -2, 0, 0};
  const double squeezed[PARAMETERS] = {1, 1, 1, 0.03, 0, 10, 0, 10, 5, 5, 8.5, 5, 1, 0, 0, 0};
  assert_int_equal(dls_model_create(model, outside, &sys, &err), DLS_ERR_ARG);
  assert_non_null(
      strstr(err.text, "at the start contact 0 (disc 0 and floor) has the gap -0.5 m, which must be >= 0"));
  assert_int_equal(dls_model_create(model, inside, &sys, &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "contact 8 (the discs) has the gap -0.19"));
  dls_trajectory *traj = NULL; /* the second disc goes to and fro between the wall and the first: no end */
  assert_int_equal(dls_exact_trajectory(dls_exact_find("rigid-discs"), squeezed, 1e3, 1e-9, &traj, &err),
                   DLS_ERR_CHATTERING);
  assert_non_null(strstr(err.text, "rigid-discs: impacts accumulate by t = "));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impacts_come_in_the_order_of_the_source),
      cmocka_unit_test(event_driven_meets_them_to_1e_10),
      cmocka_unit_test(energy_and_momenta_over_many_impacts),
      cmocka_unit_test(random_boxes_by_both),
      cmocka_unit_test(two_contacts_at_once),
      cmocka_unit_test(units_do_not_matter),
      cmocka_unit_test(a_corner_holds_what_lies_in_it),
      cmocka_unit_test(what_does_not_fit_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
