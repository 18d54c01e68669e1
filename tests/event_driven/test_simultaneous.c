/* tests/event_driven/test_simultaneous.c -- impacts at almost the same time: one event if their order is undecided; the event
 * reports whether the order matters.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "ed_run.h"
#include "fallbacks.h"
#include <delassus/problem.h>

extern const dls_model dls_model_random_linear, dls_model_slider_crank_clearance;

enum { CONTACTS = 2 };

/* -2 at the centre of mass, whose height is the mean of both gaps. */
static void weight(const dls_system *sys, double t, double *F)
{
  (void)t;
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = -dls_matrix_get(sys->H, i, 0) - dls_matrix_get(sys->H, i, 1);
  }
}

static void third_weight(const dls_system *sys, double t, double *F)
{
  (void)sys;
  (void)t;
  F[0] = F[1] = 0;
  F[2] = -9;
}

/* A block of mass 1 and inertia 1 that falls flat from 1 on contacts at -a and a, the second of which is `higher`; its
 * coordinates are the heights of the points at x0 and x1. */
static dls_system *block(double a, double x0, double x1, double higher)
{
  dls_system *sys = ed_masses(2, CONTACTS);
  /* height y = (x1 q0 - x0 q1)/L, angle = (q1 - q0)/L */
  const double L = x1 - x0, ends[2] = {-a, a};
  const double y[2] = {x1 / L, -x0 / L}, turn[2] = {-1 / L, 1 / L};
  dls_matrix_destroy(sys->M);
  sys->M = dls_matrix_dense(2, 2);
  for (size_t i = 0; i < 2; i++) {
    for (size_t j = 0; j < 2; j++) {
      dls_matrix_set(sys->M, i, j, y[i] * y[j] + turn[i] * turn[j]);
      dls_matrix_set(sys->H, i, j, y[i] + ends[j] * turn[i]);
    }
    sys->q0[i] = 1;
    sys->e[i] = 0.5;
  }
  sys->w[1] = higher;
  return sys;
}

static dls_system *falling_block(double a, double x0, double x1, double higher)
{
  dls_system *sys = block(a, x0, x1, higher);
  sys->v0[0] = sys->v0[1] = -2;
  return sys;
}

/* Impacts up to t at which only one contact strikes. */
static size_t single(const ed_run *run, double t)
{
  size_t count = 0;
  for (size_t k = 0; k < run->traj->event_count && run->traj->events[k].t < t; k++) {
    const dls_event *event = &run->traj->events[k];
    const bool before = k > 0 && event[-1].t == event->t;
    const bool after = k + 1 < run->traj->event_count && event[1].t == event->t;
    count += event->kind == DLS_IMPACT && !before && !after;
  }
  return count;
}

/* e = 1/2 and a = 1/2: W = 1 -+ 1/4. At once: both leave with 1. One first: it gets (1 + e) 2 / W00 = 12/5, the other then
 * hits with 2 + 0.75 12/5 = 3.8, ... */
DLS_TEST(a_landing_that_cannot_be_told_from_a_flat_one_is_one_event)
{
  static const double higher[] = {0, 5e-14, -5e-14}; /* event_tol is 1e-13 s */
  for (size_t i = 0; i < 3; i++) {
    ed_run run = ed_system(falling_block(0.5, -1, 1, higher[i]), 0.7, NULL);
    const dls_event *first = ed_event(&run, DLS_IMPACT, 0), *second = ed_event(&run, DLS_IMPACT, 1);
    assert_int_equal(ed_count(&run, DLS_IMPACT), 2);
    assert_true(first->t == second->t);
    assert_close(first->u_plus, 1, 1e-10);
    assert_close(second->u_plus, 1, 1e-10);
    assert_true(first->merged_count == 2 && first->merged[0] == 0 && first->merged[1] == 1);
    assert_true(second->merged_count == 2 && second->merged[0] == 0 && second->merged[1] == 1);
    assert_between(first->merged_difference, 0.2, 2);
    ed_end(&run);
  }
}

DLS_TEST(landings_that_are_further_apart_are_two_events)
{
  ed_run run = ed_system(falling_block(0.5, -1, 1, 1e-11), 0.51, NULL); /* below eps_g */
  const dls_event *first = ed_event(&run, DLS_IMPACT, 0), *second = ed_event(&run, DLS_IMPACT, 1);
  assert_true(first->contact == 0 && second->contact == 1);
  assert_int_equal(first->merged_count + second->merged_count, 0);
  assert_close(first->impulse, 1.5 * 2 / 1.25, 1e-9);
  assert_close(second->u_minus, -2 + 0.75 * first->impulse, 1e-9);
  assert_close(second->t - first->t, 1e-11 / fabs(second->u_minus), 2e-12);
  ed_end(&run);
}

DLS_TEST(contacts_without_coupling_have_no_order)
{
  ed_run run = ed_system(falling_block(1, -1, 1, 0), 0.7, NULL); /* a^2 = inertia/mass */
  assert_int_equal(ed_count(&run, DLS_IMPACT), 2);
  for (size_t k = 0; k < run.traj->event_count; k++) {
    assert_int_equal(run.traj->events[k].merged_count, 0);
  }
  ed_end(&run);
}

/* Whatever its coordinates, which decide how its gaps are rounded: all of its impacts are of both contacts, to the end. */
DLS_TEST(a_block_that_lands_flat_stays_flat)
{
  static const double points[][2] = {{-1, 1}, {-0.3, 0.7}, {0.1, 3}, {-5, -1.7}};
  for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
    dls_system *sys = block(0.5, points[i][0], points[i][1], 0);
    sys->load = weight;
    ed_run run = ed_system(sys, 4, NULL);
    assert_int_equal(single(&run, 4), 0);
    assert_between((double)ed_count(&run, DLS_IMPACT), 20, 120);
    assert_int_equal(ed_count(&run, DLS_ACCUMULATION), 2);
    const dls_event *end = ed_event(&run, DLS_ACCUMULATION, 0);
    assert_close(end->t, 3, 1e-9);
    assert_between(end->bound_velocity, 0.5, 50); /* with the differences of all orders */
    ed_end(&run);
  }
}

/* Contact 2 strikes, contact 0 would 1.1e-10 s later from a gap of 4e-14 m, less than eps_g. */
DLS_TEST(impacts_in_the_wake_of_others_agree_at_all_tolerances)
{
  static const char *const model[] = {"n=5",        "m=3",          "seed=99428", "e=.248",
                                      "damping=.1", "amplitude=10", "omega=0",    NULL};
  static const char *const tols[][3] = {{"tol=1e-9", NULL}, {"tol=1e-10", NULL}, {"tol=1e-11", NULL}};
  ed_run runs[3];
  for (size_t i = 0; i < 3; i++) {
    runs[i] = ed_system(ed_model(&dls_model_random_linear, model), 2, tols[i]);
  }
  for (size_t i = 0; i < 2; i++) {
    for (size_t j = 0; j < 5; j++) {
      assert_close(runs[i].sim->q[j], runs[2].sim->q[j], 1e-9);
      assert_close(runs[i].sim->v[j], runs[2].sim->v[j], 1e-9);
    }
  }
  for (size_t i = 0; i < 3; i++) {
    ed_end(&runs[i]);
  }
}

/* A mass point falls with speed 1 into a wedge whose sides have e = 1; with one side first it would strike about pi/angle times. A mass on a third contact, e = 1/2, comes to rest at t = 3 sqrt(2 0.5/9). */
static dls_system *narrow_wedge(double angle)
{
  dls_system *sys = ed_masses(3, 3);
  for (size_t j = 0; j < 2; j++) {
    dls_matrix_set(sys->H, 0, j, j == 0 ? cos(angle / 2) : -cos(angle / 2));
    dls_matrix_set(sys->H, 1, j, sin(angle / 2));
    sys->e[j] = 1;
  }
  dls_matrix_set(sys->H, 2, 2, 1);
  sys->e[2] = 0.5;
  sys->q0[1] = sys->q0[2] = 0.5;
  sys->v0[1] = -1;
  sys->load = third_weight;
  return sys;
}

DLS_TEST(an_order_that_does_not_end_makes_later_bounds_unknown)
{
  ed_run run = ed_system(narrow_wedge(0.001), 2, NULL);
  const dls_event *first = ed_event(&run, DLS_IMPACT, 0);
  while (first->contact == 2) {
    first++;
  }
  assert_int_equal(first->merged_count, 2);
  assert_int_equal(first->merged_orders, 2);
  assert_int_equal(first->merged_unsolved, 2);
  const dls_event *end = ed_event(&run, DLS_ACCUMULATION, 0);
  assert_int_equal(end->contact, 2);
  assert_close(end->t, 1, 1e-9);
  assert_true(isinf(end->bound) && isinf(end->bound_velocity));
  ed_end(&run);
}

/* A body lands flat on twelve contacts, of which two determine the rest: block pivoting finds W singular at the impact, and in the orders. */
DLS_TEST(what_orders_fall_back_on_is_counted)
{
  dls_system *sys = ed_masses(2, 12);
  for (size_t j = 0; j < 12; j++) {
    const double place = ((double)j - 5.5) / 5.5;
    dls_matrix_set(sys->H, 0, j, 1);
    dls_matrix_set(sys->H, 1, j, place);
    sys->e[j] = 0.5;
  }
  sys->q0[0] = 1;
  sys->v0[0] = -2;
  ed_run run = ed_system(sys, 0.6, NULL);
  assert_int_equal(ed_event(&run, DLS_IMPACT, 0)->merged_orders, 12);
  assert_true(fallbacks_to(&run.sim->work.fallbacks, "lemke") > 1);
  ed_end(&run);
}

static void count_problem(void *data, const dls_problem *problem, const double *guess,
                          const dls_problem_report *report)
{
  (void)problem;
  (void)guess;
  (void)report;
  ++*(size_t *)data;
}

static void weights(const dls_system *sys, double t, double *F)
{
  (void)t;
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = i % 2 == 0 ? -9.81 : 0;
  }
}

/* Blocks that land at one time on rough floors of their own: v+ = e v- up, slip less mu (1 + e) |v-|, without a problem for each. */
DLS_TEST(separate_bodies_that_land_together_are_not_compared)
{
  enum { BODIES = 40 };
  dls_system *sys = dls_system_create(2 * BODIES, BODIES);
  sys->d = 2;
  sys->linear = true;
  sys->load = weights;
  sys->M = dls_matrix_diagonal(2 * BODIES);
  sys->H = dls_matrix_sparse(2 * BODIES, BODIES, BODIES);
  sys->T = dls_matrix_sparse(2 * BODIES, BODIES, BODIES);
  for (size_t j = 0; j < BODIES; j++) {
    dls_matrix_set(sys->M, 2 * j, 2 * j, 1);
    dls_matrix_set(sys->M, 2 * j + 1, 2 * j + 1, 1);
    dls_matrix_set(sys->H, 2 * j, j, 1);
    dls_matrix_set(sys->T, 2 * j + 1, j, 1);
    sys->q0[2 * j] = 1;
    sys->v0[2 * j + 1] = 10;
    sys->e[j] = 0.5;
    sys->mu[j] = 0.1;
  }
  ed_run run = ed_start(sys, NULL);
  size_t problems = 0;
  const dls_problem_watch watch = {.solved = count_problem, .data = &problems};
  run.sim->work.watch = &watch;
  assert_ok(dls_run(run.sim, &(dls_run_spec){.end = 0.5, .record = run.traj}, &run.err), run.err);
  const double fall = sqrt(2 * 9.81);
  for (size_t k = 0; k < BODIES; k++) {
    const dls_event *event = ed_event(&run, DLS_IMPACT, k);
    assert_close(event->u_plus, 0.5 * fall, 1e-7);
    assert_close(event->slip_plus[0], 10 - 0.1 * 1.5 * fall, 1e-7);
    assert_int_equal(event->merged_count, 0);
  }
  assert_between((double)problems, 1, 4);
  ed_end(&run);
}

/* 6 and 157 impacts. */
DLS_TEST(orders_that_end_leave_bounds_finite)
{
  static const double angles[] = {0.5, 0.02};
  for (size_t i = 0; i < 2; i++) {
    ed_run run = ed_system(narrow_wedge(angles[i]), 2, NULL);
    const dls_event *end = ed_event(&run, DLS_ACCUMULATION, 0);
    assert_close(end->t, 1, 1e-9);
    assert_between(end->bound_velocity, 1e-3, 3);
    for (size_t k = 0; k < run.traj->event_count; k++) {
      assert_int_equal(run.traj->events[k].merged_unsolved, 0);
    }
    ed_end(&run);
  }
}

/* A slider with two corners at the same height: after one corner the other strikes, and so on, each pair of impacts 0.945 as fast. */
DLS_TEST(a_long_body_that_clatters_has_a_result)
{
  ed_run run = ed_system(ed_model(&dls_model_slider_crank_clearance, NULL), 0.003, NULL);
  const dls_event *first = ed_event(&run, DLS_IMPACT, 0);
  assert_int_equal(first->merged_count, 2);
  assert_int_equal(first->merged_unsolved, 0);
  assert_between(first->merged_difference, 0.5, 2);
  ed_end(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_landing_that_cannot_be_told_from_a_flat_one_is_one_event),
      cmocka_unit_test(landings_that_are_further_apart_are_two_events),
      cmocka_unit_test(contacts_without_coupling_have_no_order),
      cmocka_unit_test(a_block_that_lands_flat_stays_flat),
      cmocka_unit_test(impacts_in_the_wake_of_others_agree_at_all_tolerances),
      cmocka_unit_test(an_order_that_does_not_end_makes_later_bounds_unknown),
      cmocka_unit_test(separate_bodies_that_land_together_are_not_compared),
      cmocka_unit_test(what_orders_fall_back_on_is_counted),
      cmocka_unit_test(orders_that_end_leave_bounds_finite),
      cmocka_unit_test(a_long_body_that_clatters_has_a_result),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
