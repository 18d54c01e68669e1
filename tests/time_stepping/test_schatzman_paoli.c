/* test_schatzman_paoli.c -- the impact at constant speed step by step, orders, rest, start-ups.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* At constant speed V: q_k-1 = a, then a - h V, then -e a, then -e (a - h V); afterwards exactly +e V. */
DLS_TEST(restitution_takes_two_active_steps)
{
  const double h = 0.1;
  const double e = 0.6;
  for (double a = 0.105; a < 0.124; a += 0.004) { /* h V < a < 2 h V / (1 + e) */
    char model[80];
    snprintf(model, sizeof model, "bouncing-ball:f=0,e=0.6,v0=-1,q0=%.17g", a);
    test_run run = dls_test_run(model, "schatzman-paoli", h, 0.5);
    const double expected[] = {a, a - h, -e * a, -e * (a - h), -e * (a - h) + e * h};
    for (size_t k = 0; k < 5; k++) {
      assert_close(dls_test_value(&run, k, "q0"), expected[k], 1e-15);
    }
    assert_close(run.sim->v[0], e, 1e-14);
    assert_int_equal(run.traj->event_count, 1);
    assert_close(run.traj->events[0].u_minus, -1, 1e-14);
    assert_close(run.traj->events[0].u_plus, e, 1e-14);
    assert_close(run.traj->events[0].impulse, 1 + e, 1e-14);
    assert_close(run.traj->events[0].t, h, 1e-15);
    dls_test_free(&run);
  }
}

/* Central differences at the node are exact for a constant force. */
DLS_TEST(velocity_belongs_to_its_node)
{
  test_run run = dls_test_run("bouncing-ball", "schatzman-paoli", 0.01, 0.9);
  for (size_t k = 0; k < run.traj->rows; k++) {
    const double t = dls_test_value(&run, k, "t");
    assert_close(dls_test_value(&run, k, "q0"), 1 - t * t, 1e-13);
    assert_close(dls_test_value(&run, k, "v0"), -2 * t, 1e-12);
  }
  dls_test_free(&run);
}

DLS_TEST(order_with_impacts_is_one)
{
  static const char *const schemes[] = {"schatzman-paoli", "schatzman-paoli:theta=0.5",
                                        "schatzman-paoli:startup=euler"};
  for (size_t i = 0; i < 3; i++) {
    dls_test_order_one_with_impacts(schemes[i], 0.12);
  }
}

DLS_TEST(order_without_impacts_follows_theta_and_startup)
{
  test_study study = {"impacting-oscillator", "schatzman-paoli", "grid-max", "q", 1.5, 1e-1, 1e-3, 8, 2};
  assert_between(dls_test_order(study).order, 1.95, 2.05);
  study.scheme = "schatzman-paoli:startup=euler";
  assert_between(dls_test_order(study).order, 0.95, 1.05);
  study.scheme = "schatzman-paoli:theta=0.5";
  assert_between(dls_test_order(study).order, 0.95, 1.05);
}

DLS_TEST(nonlinear_pendulum_has_order_one)
{
  const dls_fit fit =
      dls_test_order((test_study){"bouncing-pendulum", "schatzman-paoli", "l1", "q", 1.5, 1e-2, 1e-4, 7, 8});
  assert_between(fit.order, 0.85, 1.15);
  assert_between(fit.constant, 1e-2, 10);
  const dls_fit smooth = dls_test_order(
      (test_study){"bouncing-pendulum", "schatzman-paoli", "grid-max", "q", 0.4, 2e-2, 1e-3, 6, 2});
  assert_between(smooth.order, 1.9, 2.1);
}

/* After the accumulation the ball lies exactly on the floor and carries its weight over a step. */
DLS_TEST(rest_is_exact)
{
  const double h = 3.3e-3;
  test_run run = dls_test_run("bouncing-ball", "schatzman-paoli", h, 4);
  assert_close(run.sim->p[0], 2 * h, 1e-12);
  assert_close(run.sim->v[0], 0, 1e-12);
  assert_close(run.sim->q[0], 0, 1e-4); /* the last oscillation stays, O(h^2) */
  dls_test_free(&run);
  test_run start = dls_test_run("bouncing-ball:q0=0", "schatzman-paoli", h, 1);
  assert_close(start.sim->q[0], 0, 0);
  assert_close(start.sim->p[0], 2 * h, 1e-15);
  dls_test_free(&start);
}

/* Start on the floor moving down: the impact law acts at t = 0, both limits are recorded. */
DLS_TEST(start_at_an_impact_uses_the_impact_law)
{
  test_run run = dls_test_run("bouncing-ball:q0=0,v0=-2,e=0.5", "schatzman-paoli", 1e-3, 0.5);
  assert_close(dls_test_value(&run, 0, "v0"), -2, 0);
  assert_close(dls_test_value(&run, 1, "v0"), 1, 1e-15);
  assert_close(dls_test_value(&run, 1, "p0"), 3, 1e-15);
  assert_close(dls_test_value(&run, 1, "t"), 0, 0);
  assert_close(run.sim->q[0], 0.5 - 0.25, 1e-12); /* s - s^2 at s = 1/2 */
  dls_test_free(&run);
}

DLS_TEST(contacts_in_number_carry_static_loads)
{
  const double h = 1e-3;
  test_run column = dls_test_run("bead-column:N=8,gap=0,m=0.5,e=0.3", "schatzman-paoli", h, 0.1);
  for (size_t i = 0; i < 8; i++) {
    assert_close(column.sim->p[i], h * (double)(8 - i) * 0.5 * 9.81, 1e-12);
    assert_close(column.sim->g[i], 0, 1e-14);
  }
  dls_test_free(&column);
}

DLS_TEST(changed_step_is_refused)
{
  dls_error err = {0};
  test_run run = dls_test_prepare("bouncing-ball", "schatzman-paoli");
  assert_ok(dls_sim_start(run.sim, &err), err);
  assert_ok(dls_sim_advance(run.sim, 0.1, &err), err);
  assert_int_equal(dls_sim_advance(run.sim, 0.05, &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "the step changed from 0.1 to 0.05 s"));
  dls_test_free(&run);
}

/* Two balls of 1 kg and a wall at 0; the outer ball comes with 2 m/s. */
static double energy_behind(double inner, double outer, double e)
{
  dls_system *sys = dls_system_create(2, 2);
  assert_non_null(sys);
  sys->linear = true;
  sys->M = dls_matrix_diagonal(2);
  sys->H = dls_matrix_dense(2, 2);
  assert_true(sys->M != NULL && sys->H != NULL);
  for (size_t i = 0; i < 2; i++) {
    dls_matrix_set(sys->M, i, i, 1);
    dls_matrix_set(sys->H, i, i, 1);
    sys->e[i] = e;
  }
  dls_matrix_set(sys->H, 0, 1, -1); /* g_0 = q_0, g_1 = q_1 - q_0 */
  sys->q0[0] = inner;
  sys->q0[1] = outer;
  sys->v0[1] = -2;
  test_run run = dls_test_run_of(sys, "schatzman-paoli", 0.05, 1);
  const double *v = run.sim->v;
  const double energy = 0.5 * (v[0] * v[0] + v[1] * v[1]);
  dls_test_free(&run);
  return energy;
}

/* Eqs. (1), (2) in rational arithmetic, all active sets tried, give these energies out of 2 J: the gain belongs to the scheme. */
DLS_TEST(nearly_simultaneous_impacts_may_gain_energy)
{
  assert_close(energy_behind(0.30, 0.40, 1), 2, 1e-13); /* far apart */
  assert_close(energy_behind(0.01, 0.41, 1), 2.08, 1e-13);
  assert_close(energy_behind(0.04, 0.44, 1), 3.28, 1e-13);
  assert_close(energy_behind(0.05, 0.41, 1), 1.44, 1e-13);
  assert_close(energy_behind(0.04, 0.44, 0), 0, 1e-25); /* e = 0: no gain */
}

static void assert_runs(const char *model, const char *scheme, double h, double steps)
{
  test_run run = dls_test_run(model, scheme, h, steps * h);
  assert_close((double)run.sim->work.steps, steps, 0.5);
  assert_true(fabs(run.sim->q[0]) < 10);
  dls_test_free(&run);
}

/* Increments cannot be smaller than the rounding of stiff forces over the inertia: 1e-10 m and 1e-10 m/s here; the tolerances are 1e-13 and
 * 1e-12. */
DLS_TEST(iterations_end_where_rounding_stops_them)
{
  assert_runs("cantilever", "schatzman-paoli", 1e-7, 20);
  assert_runs("cantilever", "schatzman-paoli:theta=0.5", 1e-3, 20);
  assert_runs("cantilever", "schatzman-paoli:theta=1", 1e-2, 20);
  assert_runs("spin-up-beam", "schatzman-paoli", 1e-5, 20);
  assert_runs("spin-up-beam", "schatzman-paoli:theta=1", 1e-2, 20);
  assert_runs("cantilever", "three-level-alpha", 1e-3, 20);
  assert_runs("cantilever", "three-level-alpha", 1e-4, 20);
}

/* A jump that comes late by a part of h costs h^(1/p) in L^p; q has order one in all of them. */
DLS_TEST(velocities_have_order_one_over_p_in_lp)
{
  static const double powers[] = {1, 3, 6};
  for (size_t i = 0; i < 3; i++) {
    char norm[20];
    snprintf(norm, sizeof norm, "lp:p=%g", powers[i]);
    const test_orders fit = dls_test_orders(
        (test_study){"impacting-oscillator", "schatzman-paoli", norm, "", 4, 2e-2, 5e-4, 10, 4});
    assert_between(fit.q.order, 0.98, 1.02);
    assert_between(fit.v.order * powers[i], 0.95, 1.05);
    assert_between(fit.v.constant, 0.1, 10);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(restitution_takes_two_active_steps),
      cmocka_unit_test(velocity_belongs_to_its_node),
      cmocka_unit_test(order_with_impacts_is_one),
      cmocka_unit_test(order_without_impacts_follows_theta_and_startup),
      cmocka_unit_test(nonlinear_pendulum_has_order_one),
      cmocka_unit_test(rest_is_exact),
      cmocka_unit_test(start_at_an_impact_uses_the_impact_law),
      cmocka_unit_test(contacts_in_number_carry_static_loads),
      cmocka_unit_test(changed_step_is_refused),
      cmocka_unit_test(nearly_simultaneous_impacts_may_gain_energy),
      cmocka_unit_test(iterations_end_where_rounding_stops_them),
      cmocka_unit_test(velocities_have_order_one_over_p_in_lp),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
