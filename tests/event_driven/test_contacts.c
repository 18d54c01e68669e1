/* test_contacts.c -- several contacts: right sets, simultaneous impacts, collapses, curved contacts, double
 * roots.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"

DLS_TEST(wedge_keeps_the_contact_with_the_negative_bilateral_multiplier)
{
  ed_run run = ed_system(ed_model(&dls_model_wedge, NULL), 1, NULL);
  assert_close(ed_at(&run, 0, "lambda0"), 1, 1e-14);
  assert_close(ed_at(&run, 0, "lambda1"), 0, 1e-14);
  assert_true(ed_at(&run, 0, "status0") == 1 && ed_at(&run, 0, "status1") == 0);
  assert_close(run.sim->g[0], 0, 1e-14);
  assert_close(run.sim->u[1], 0.6, 1e-12); /* Gamma = (0, 0.6) */
  assert_close(run.sim->g[1], 0.3, 1e-12);
  ed_end(&run);
}

DLS_TEST(resting_column_carries_its_weight)
{
  ed_run run = ed_system(
      ed_model(&dls_model_bead_column, (const char *const[]){"N=10", "gap=0", "e=0.5", NULL}), 100, NULL);
  assert_int_equal(ed_count(&run, DLS_LANDING), 10);
  assert_int_equal(run.traj->event_count, 10);
  for (size_t j = 0; j < 10; j++) {
    assert_close(run.sim->lambda[j], (double)(10 - j) * 9.81, 1e-10);
    assert_close(run.sim->g[j], 0, 1e-14);
    assert_close(run.sim->u[j], 0, 1e-14);
    assert_int_equal(run.sim->status[j], 1);
  }
  ed_end(&run);
}

DLS_TEST(falling_columns_collapse_and_rest)
{
  const char *const restitutions[] = {"e=0", "e=0.01", "e=0.1", "e=0.3", "e=0.5", "e=0.7", "e=0.9", "e=0.95"};
  for (size_t i = 0; i < sizeof restitutions / sizeof restitutions[0]; i++) {
    ed_run run = ed_system(
        ed_model(&dls_model_bead_column, (const char *const[]){"N=5", restitutions[i], NULL}), 60, NULL);
    for (size_t j = 0; j < 5; j++) {
      assert_close(run.sim->lambda[j], (double)(5 - j) * 9.81, 1e-9);
      assert_int_equal(run.sim->status[j], 1);
    }
    assert_close(run.sim->q[4], 0.9, 1e-9);
    assert_true(run.sim->worst_gap > -2e-11); /* eps_g = tol l_s */
    assert_true((ed_count(&run, DLS_ACCUMULATION) > 0) == (i > 0));
    ed_end(&run);
  }
}

/* Three free beads: for e < 7 - 4 sqrt 3 = 0.0718 they stick together after infinitely many impacts. */
DLS_TEST(free_beads_collapse_without_being_pressed)
{
  dls_system *sys = ed_masses(3, 2);
  for (size_t j = 0; j < 2; j++) {
    dls_matrix_set(sys->H, j, j, -1);
    dls_matrix_set(sys->H, j + 1, j, 1);
    sys->w[j] = -0.1;
    sys->e[j] = 0.05;
  }
  const double q[] = {0, 0.3, 1.1};
  const double v[] = {1, 0, -0.9};
  for (size_t i = 0; i < 3; i++) {
    sys->q0[i] = q[i];
    sys->v0[i] = v[i];
  }
  ed_run run = ed_system(sys, 5, NULL);
  for (size_t i = 0; i < 3; i++) {
    assert_close(run.sim->v[i], 0.1 / 3, 1e-8); /* momentum */
  }
  assert_close(run.sim->q[0] + run.sim->q[1] + run.sim->q[2], 1.4 + 0.1 * 5, 1e-12);
  assert_between(run.sim->worst_gap, -1e-10, 1e-12);
  assert_between((double)run.traj->event_count, 5, 300);
  ed_end(&run);
}

/* Two uncoupled balls: both hit at t = 1, one of them `apart` later. */
static void constant_load(const dls_system *sys, double t, double *F)
{
  (void)t;
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = -2;
  }
}

static ed_run two_balls(double apart)
{
  dls_system *sys = ed_masses(2, 2);
  sys->load = constant_load;
  for (size_t i = 0; i < 2; i++) {
    dls_matrix_set(sys->H, i, i, 1);
    sys->q0[i] = 1;
  }
  sys->q0[1] += 2 * apart;
  sys->e[0] = 0.5;
  sys->e[1] = 0.75;
  return ed_system(sys, 1.8, NULL);
}

DLS_TEST(simultaneous_impacts_are_one_event)
{
  ed_run run = two_balls(2e-14); /* below event_tol */
  const dls_event *first = ed_event(&run, DLS_IMPACT, 0);
  const dls_event *second = ed_event(&run, DLS_IMPACT, 1);
  assert_true(first->t == second->t && first->contact == 0 && second->contact == 1);
  assert_close(first->t, 1, 1e-10);
  assert_close(first->u_plus, 1, 1e-10);
  assert_close(second->u_plus, 1.5, 1e-10);
  size_t rows = 0;
  for (size_t i = 0; i < run.traj->rows; i++) {
    rows += ed_at(&run, i, "t") == first->t;
    if (ed_at(&run, i, "t") == first->t) {
      assert_close(ed_at(&run, i, "g1"), 0, 1e-15); /* projected */
    }
  }
  assert_int_equal(rows, 2);
  assert_close(run.sim->q[0], 0.8 - 0.64, 1e-10);
  assert_close(run.sim->q[1], 1.2 - 0.64, 1e-10);
  assert_int_equal(first->merged_count, 0); /* W_01 = 0 */
  ed_end(&run);
}

/* The second gap is 4e-11 m at the first impact, less than eps_g. */
DLS_TEST(impacts_further_apart_than_their_error_are_two_events)
{
  ed_run run = two_balls(2e-11);
  const dls_event *first = ed_event(&run, DLS_IMPACT, 0), *second = ed_event(&run, DLS_IMPACT, 1);
  assert_true(first->contact == 0 && second->contact == 1);
  assert_close(second->t - first->t, 2e-11, 1e-12);
  assert_close(second->u_plus, 1.5, 1e-10);
  ed_end(&run);
}

/* The same floor twice: W is singular, the motion is not. */
DLS_TEST(redundant_contacts_move_like_one)
{
  dls_system *sys = ed_masses(1, 2);
  sys->load = constant_load;
  sys->q0[0] = 1;
  for (size_t j = 0; j < 2; j++) {
    dls_matrix_set(sys->H, 0, j, 1);
    sys->e[j] = 0.5;
  }
  ed_run run = ed_system(sys, 10, NULL);
  double t = 1;
  double speed = 2;
  for (size_t k = 0; k < 10; k++) {
    const dls_event *impact = ed_event(&run, DLS_IMPACT, k);
    assert_close(impact->t, t, 1e-10);
    assert_close(impact->u_minus, -speed, 1e-10);
    speed *= 0.5;
    t += speed;
    k += ed_event(&run, DLS_IMPACT, k + 1)->t == impact->t; /* both share the impulse, or one has it */
  }
  assert_close(run.sim->q[0], 0, 1e-12);
  assert_close(run.sim->lambda[0] + run.sim->lambda[1], 2, 1e-12);
  assert_true(run.sim->lambda[0] >= 0 && run.sim->lambda[1] >= 0);
  ed_end(&run);
}

/* Three walls through one point, the load straight onto the first: the forces of least norm would pull at the
 * third. */
static void downward_load(const dls_system *sys, double t, double *F)
{
  (void)sys;
  (void)t;
  F[0] = 0;
  F[1] = -1;
}

DLS_TEST(redundant_walls_never_pull)
{
  dls_system *sys = ed_masses(2, 3);
  const double across[] = {0, 0.1, 1};
  sys->load = downward_load;
  for (size_t j = 0; j < 3; j++) {
    dls_matrix_set(sys->H, 0, j, across[j]);
    dls_matrix_set(sys->H, 1, j, 1);
  }
  ed_run run = ed_system(sys, 10, NULL);
  assert_between((double)run.traj->event_count, 1, 6);
  for (size_t j = 0; j < 3; j++) {
    assert_close(run.sim->lambda[j], j == 0, 1e-12);
    assert_close(run.sim->g[j], 0, 1e-12);
  }
  ed_end(&run);
}

/* Masses that touch and fall together: the contacts carry nothing but round-off, and nothing happens. */
static void weights(const dls_system *sys, double t, double *F)
{
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = -(9.81 + sin(t)) * dls_matrix_get(sys->M, i, i);
  }
}

DLS_TEST(falling_together_is_no_event)
{
  const double masses[] = {0.3, 0.7, 1.1, 0.9};
  dls_system *sys = ed_masses(4, 3);
  sys->load = weights;
  for (size_t i = 0; i < 4; i++) {
    dls_matrix_set(sys->M, i, i, masses[i]);
    sys->q0[i] = 0.3 * (double)i;
    sys->v0[i] = 1. / 3;
  }
  for (size_t j = 0; j < 3; j++) {
    dls_matrix_set(sys->H, j, j, -1);
    dls_matrix_set(sys->H, j + 1, j, 1);
    sys->w[j] = -0.3;
  }
  ed_run run = ed_system(sys, 10, NULL);
  assert_int_equal(run.traj->event_count, 3);
  for (size_t j = 0; j < 3; j++) {
    assert_int_equal(run.traj->events[j].kind, DLS_LANDING);
    assert_int_equal(run.sim->status[j], 1);
    assert_close(run.sim->g[j], 0, 1e-10);
  }
  ed_end(&run);
}

/* Acceleration +2, q = (t - 1)^2 - depth: the integrator's steps grow far beyond the dip. */
static ed_run dip(double depth)
{
  char start[40];
  snprintf(start, sizeof start, "q0=%.17g", 1 - depth);
  return ed_system(ed_model(&dls_model_bouncing_ball, (const char *const[]){"f=2", "v0=-2", start, NULL}), 1000,
                   NULL);
}

DLS_TEST(a_double_root_inside_a_large_step_is_not_missed)
{
  for (double depth = 1e-8; depth < 1e-3; depth *= 10) {
    ed_run run = dip(depth);
    assert_int_equal(run.traj->event_count, 1);
    const dls_event *impact = ed_event(&run, DLS_IMPACT, 0);
    assert_close(impact->u_minus, -2 * sqrt(depth), 1e-9 / sqrt(depth) / 10);
    assert_close(impact->t, 1 - sqrt(depth), 1e-9 / sqrt(depth) / 10);
    assert_true(run.sim->work.steps < 60);
    ed_end(&run);
  }
}

DLS_TEST(touching_and_clearing_inside_a_large_step)
{
  ed_run touch = dip(0);
  assert_int_equal(touch.traj->event_count, 1);
  assert_close(ed_event(&touch, DLS_GRAZING, 0)->t, 1, 1e-6);
  assert_close(touch.sim->v[0], 2 * 999, 1e-6);
  ed_end(&touch);
  ed_run clear = dip(-1e-8);
  assert_int_equal(clear.traj->event_count, 0);
  ed_end(&clear);
}

/* q = (1 - t)^3 lands with u = 0 under a force 6 (1 - t) that then presses. */
static void turning_load(const dls_system *sys, double t, double *F)
{
  (void)sys;
  F[0] = 6 * (1 - t);
}

DLS_TEST(tangential_landing_closes_without_impulse)
{
  dls_system *sys = ed_masses(1, 1);
  sys->load = turning_load;
  dls_matrix_set(sys->H, 0, 0, 1);
  sys->q0[0] = 1;
  sys->v0[0] = -3;
  sys->e[0] = 0.5;
  ed_run run = ed_system(sys, 2, NULL);
  assert_int_equal(run.sim->status[0], 1);
  assert_close(run.sim->lambda[0], 6, 1e-12);
  assert_close(run.sim->q[0], 0, 1e-12);
  const dls_event *last = &run.traj->events[run.traj->event_count - 1];
  assert_close(last->t, 1, 1e-3); /* cube root of the tolerance */
  for (size_t i = 0; i < run.traj->event_count; i++) {
    assert_between(run.traj->events[i].impulse, 0, 1e-6);
  }
  ed_end(&run);
}

DLS_TEST(ball_between_walls_keeps_its_rhythm)
{
  /* from 0.4 with speed 1 in a unit gap, e = 0.8: impacts at 0.6, then flights 0.8^-k */
  ed_run run = ed_system(ed_model(&dls_model_ball_between_walls, NULL), 20, NULL);
  double t = 0.6;
  double speed = 1;
  for (size_t k = 0; k < ed_count(&run, DLS_IMPACT); k++) {
    const dls_event *impact = ed_event(&run, DLS_IMPACT, k);
    assert_int_equal(impact->contact, (k + 1) % 2);
    assert_close(impact->t, t, 1e-9 * t);
    speed *= 0.8;
    assert_close(impact->u_plus, speed, 1e-10);
    t += 1 / speed;
  }
  assert_true(t > 20);
  ed_end(&run);
}

/* W = [1 r; r 1], both contacts pressed with acceleration -1. */
static const double rock = 0.5;
static void press_both(const dls_system *sys, double t, double *F)
{
  (void)sys, (void)t;
  F[0] = -1;
  F[1] = -(1 - rock) / sqrt(1 - rock * rock);
}

/* A block on two edges with e = 0: an impact at one, of speed u, throws off the other with r u, which is back after
 * 2 r u/(1 - r). It starts with u = 1, rocks at t_k = 4 - 4/2^k and rests at t = 4. */
DLS_TEST(a_rocking_block_comes_to_rest)
{
  dls_system *sys = ed_masses(2, 2);
  dls_matrix_set(sys->H, 0, 0, 1);
  dls_matrix_set(sys->H, 0, 1, rock);
  dls_matrix_set(sys->H, 1, 1, sqrt(1 - rock * rock));
  sys->v0[1] = -1 / sqrt(1 - rock * rock);
  sys->load = press_both;
  ed_run run = ed_system(sys, 5, NULL);
  assert_between((double)ed_count(&run, DLS_IMPACT), 25, 30);
  for (size_t k = 0; k < 12; k++) {
    const dls_event *impact = ed_event(&run, DLS_IMPACT, k);
    assert_int_equal(impact->contact, (k + 1) % 2);
    assert_close(impact->t, 4 - ldexp(4, -(int)k), 1e-9);
    assert_close(impact->u_minus, -ldexp(1, -(int)k), 1e-9);
  }
  const dls_event *last = ed_event(&run, DLS_IMPACT, ed_count(&run, DLS_IMPACT) - 1);
  assert_between(last->t, 4 - 1e-6, 4);
  for (size_t j = 0; j < 2; j++) {
    assert_int_equal(run.sim->status[j], 1);
    assert_close(run.sim->lambda[j], 1 / (1 + rock), 1e-9);
    assert_close(run.sim->g[j], 0, 1e-10);
  }
  ed_end(&run);
}

/* g = 1 - 0.2 eps_g + cos(10 t) dips below zero for 4e-6 s, from a flight at speeds up to 10: no impact, wherever in the dip a step
 * of the integrator ends. */
DLS_TEST(a_dip_below_eps_g_is_no_impact)
{
  const double omega = 10, tol = 1e-9, end = 0.4;
  for (int k = -4; k <= 4; k++) {
    char step[60];
    dls_system *sys = ed_masses(1, 1);
    sys->K = dls_matrix_diagonal(1);
    sys->e[0] = 0.5;
    sys->q0[0] = 1;
    sys->w[0] = 1 - 0.2 * tol;
    dls_matrix_set(sys->K, 0, 0, omega * omega);
    dls_matrix_set(sys->H, 0, 0, 1);
    snprintf(step, sizeof step, "max_step=%.17g", (acos(-1) / omega + k * 0.4e-6) / 8);
    ed_run run = ed_system(sys, end, (const char *const[]){"method=flow", "tol=1e-9", step, NULL});
    assert_int_equal(ed_count(&run, DLS_IMPACT), 0);
    assert_close(run.sim->v[0], -omega * sin(omega * end), 1e-12 * omega);
    ed_end(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wedge_keeps_the_contact_with_the_negative_bilateral_multiplier),
      cmocka_unit_test(resting_column_carries_its_weight),
      cmocka_unit_test(falling_columns_collapse_and_rest),
      cmocka_unit_test(free_beads_collapse_without_being_pressed),
      cmocka_unit_test(simultaneous_impacts_are_one_event),
      cmocka_unit_test(impacts_further_apart_than_their_error_are_two_events),
      cmocka_unit_test(redundant_contacts_move_like_one),
      cmocka_unit_test(redundant_walls_never_pull),
      cmocka_unit_test(falling_together_is_no_event),
      cmocka_unit_test(a_double_root_inside_a_large_step_is_not_missed),
      cmocka_unit_test(touching_and_clearing_inside_a_large_step),
      cmocka_unit_test(tangential_landing_closes_without_impulse),
      cmocka_unit_test(ball_between_walls_keeps_its_rhythm),
      cmocka_unit_test(a_rocking_block_comes_to_rest),
      cmocka_unit_test(a_dip_below_eps_g_is_no_impact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
