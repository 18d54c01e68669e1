/* test_joints.c -- joints in time stepping: orders without and through impacts, what is conserved, what is projected.
 * References: event-driven integration.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* From 1.2 rad below the horizontal it swings for 0.4 s without meeting the hurdle. */
static const char *const smooth = "bouncing-pendulum-cartesian:hurdle=1e-3,q0=0.9,v0=-1";
static const char *const pendulum = "bouncing-pendulum-cartesian";
enum { LEVELS = 8 };

typedef struct errors {
  double q, v, mu;
} errors;

static double last(const test_run *run, const char *column)
{
  return dls_test_value(run, run->traj->rows - 1, column);
}

/* late: 1/2 where mu is the mean of a step: it is compared with mu in its middle. */
static errors smooth_errors(const char *scheme, double late, double h)
{
  const double end = 0.4;
  test_run run = dls_test_run(smooth, scheme, h, end);
  test_run exact = dls_test_run(smooth, "event-driven:tol=1e-12", 0, end);
  test_run middle = dls_test_run(smooth, "event-driven:tol=1e-12", 0, end - late * h);
  const errors e = {hypot(last(&run, "q0") - last(&exact, "q0"), last(&run, "q1") - last(&exact, "q1")),
                    hypot(last(&run, "v0") - last(&exact, "v0"), last(&run, "v1") - last(&exact, "v1")),
                    fabs(last(&run, "mu0") - last(&middle, "mu0"))};
  dls_test_free(&run);
  dls_test_free(&exact);
  dls_test_free(&middle);
  return e;
}

static double slope(const double *h, const double *e, size_t count)
{
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (size_t i = 0; i < count; i++) {
    const double x = log(h[i]), y = log(e[i]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return ((double)count * sxy - sx * sy) / ((double)count * sxx - sx * sx);
}

static errors smooth_orders(const char *scheme, double late, double first)
{
  double h[LEVELS], q[LEVELS], v[LEVELS], mu[LEVELS];
  for (size_t i = 0; i < LEVELS; i++) {
    h[i] = 0.4 / round(0.4 / first * pow(2, 0.5 * (double)i)); /* the run ends at 0.4 */
    const errors e = smooth_errors(scheme, late, h[i]);
    q[i] = e.q;
    v[i] = e.v;
    mu[i] = e.mu;
  }
  return (errors){slope(h, q, LEVELS), slope(h, v, LEVELS), slope(h, mu, LEVELS)};
}

/* With the condition at the midpoint G^T v alternates at the nodes by an amount of order h^2, and mu by one of order h. */
DLS_TEST(without_impacts_the_places_decide_the_order)
{
  static const struct {
    const char *scheme;
    double order, mu;
  } cases[] = {{"moreau-jean", 2, 2},
               {"moreau-jean:projection=none", 2, 2},
               {"moreau-jean:joints=conserving,projection=none", 2, 1},
               {"moreau-jean:joints=end", 1, 1},
               {"moreau-jean:joints=end,projection=none", 1, 1}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const errors order = smooth_orders(cases[k].scheme, 0.5, 1e-2);
    print_message("%s: order %.3f of q, %.3f of v, %.3f of mu\n", cases[k].scheme, order.q, order.v, order.mu);
    assert_close(order.q, cases[k].order, 0.1);
    assert_close(order.v, cases[k].order, 0.1);
    assert_close(order.mu, cases[k].mu, 0.1);
  }
}

/* Generalized-alpha: mu~ + L/h is that of the node, also where mu~ alone alternates (rho_inf = 1) or is late. Stages of
 * Runge-Kutta have the joints of their own accelerations, so that the method keeps its order. */
DLS_TEST(other_schemes_keep_their_orders)
{
  static const struct {
    const char *scheme;
    double first, order, mu, mu_within;
  } cases[] = {{"nonsmooth-generalized-alpha", 1e-2, 2, 2, 0.1},
               {"nonsmooth-generalized-alpha:rho_inf=0.5", 1e-2, 2, 2, 0.1},
               {"nonsmooth-generalized-alpha:rho_inf=1", 1e-2, 2, 1, 0.1},
               {"nonsmooth-generalized-alpha:joints=positions", 1e-2, 2, 2.25, 0.35},
               {"three-level-alpha", 1e-2, 2, 2, 0.1},
               {"three-level-alpha:rho_inf=1", 1e-2, 2, 2, 0.1},
               {"rk-moreau:method=heun", 1e-2, 2, 2, 0.1},
               {"rk-moreau:method=rk4", 4e-2, 4, 4, 0.15},
               {"rk-moreau:method=rkf45", 4e-2, 5, 5, 0.2}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const errors order = smooth_orders(cases[k].scheme, 0, cases[k].first);
    print_message("%s: order %.3f of q, %.3f of v, %.3f of mu\n", cases[k].scheme, order.q, order.v, order.mu);
    assert_close(order.q, cases[k].order, 0.1);
    assert_close(order.v, cases[k].order, 0.1);
    assert_close(order.mu, cases[k].mu, cases[k].mu_within);
  }
}

static double worst(const test_run *run, const char *column)
{
  double most = 0;
  for (size_t i = 0; i < run->traj->rows; i++) {
    most = fmax(most, fabs(dls_test_value(run, i, column)));
  }
  return most;
}

DLS_TEST(projected_positions_meet_joints_and_gaps)
{
  static const char *const schemes[] = {"moreau-jean",
                                        "moreau-jean:joints=end",
                                        "moreau-jean:projection=combined",
                                        "nonsmooth-generalized-alpha",
                                        "three-level-alpha",
                                        "rk-moreau"};
  for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
    test_run run = dls_test_run("bouncing-pendulum-natural", schemes[k], 1e-2, 6);
    assert_between(worst(&run, "phi0"), 0, 1e-14);
    assert_between(worst(&run, "phi2"), 0, 1e-14);
    assert_between(run.sim->worst_gap, -1e-12, 0); /* no penetration */
    assert_close(run.sim->q[0], 0.75 * sqrt(0.5),
                 1e-3); /* on the hurdle, or in the small bounces of velocity_test */
    dls_test_free(&run);
  }
  test_run rests = dls_test_run("bouncing-pendulum-natural", "moreau-jean:projection=combined", 1e-2, 6);
  assert_close(rests.sim->p[0] / 1e-2, 9.81, 0.01); /* m g tan(pi/4) */
  dls_test_free(&rests);
  test_run drifts = dls_test_run(pendulum, "moreau-jean:projection=none", 1e-2, 6);
  assert_between(worst(&drifts, "phi0"), 1e-6, 1e-1);
  dls_test_free(&drifts);
}

/* With both places at the midpoint Phi, which is quadratic, and the energy are those of the start, to rounding. */
DLS_TEST(conserving_places_conserve)
{
  test_run run = dls_test_run("bouncing-pendulum-cartesian:hurdle=1e-9,q0=0.9,v0=-1",
                              "moreau-jean:joints=conserving,projection=none", 1e-2, 0.5);
  double first = 0;
  for (size_t i = 0; i < run.traj->rows; i++) {
    const double vx = dls_test_value(&run, i, "v0"), vy = dls_test_value(&run, i, "v1");
    const double energy = 0.5 * (vx * vx + vy * vy) + 9.81 * dls_test_value(&run, i, "q1");
    first = i == 0 ? energy : first;
    assert_close(energy, first, 1e-12);
  }
  assert_between(worst(&run, "phi0"), 0, 1e-13);
  dls_test_free(&run);
}

/* Three impacts in 2 s; randomised steps. */
DLS_TEST(through_impacts_the_order_is_one)
{
  static const struct {
    const char *scheme;
    double low, high;
  } cases[] = {{"moreau-jean", 0.85, 1.15},
               {"moreau-jean:joints=end", 0.85, 1.15},
               {"moreau-jean:joints=end,projection=none", 0.85, 1.15},
               {"moreau-jean:joints=conserving,projection=none", 0.85, 1.15},
               {"moreau-jean:projection=combined", 0.65, 1.25},
               {"nonsmooth-generalized-alpha", 0.65, 1.25},
               {"nonsmooth-generalized-alpha:joints=positions", 0.65, 1.25},
               {"three-level-alpha", 0.65, 1.25}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const test_orders got =
        dls_test_orders((test_study){pendulum, cases[k].scheme, "l1", NULL, 2, 0.0166, 0.001, 10, 6});
    const dls_fit fits[] = {got.q, got.v};
    for (int of = 0; of < 2; of++) {
      print_message("%s: order %.3f [%.3f, %.3f] of %s\n", cases[k].scheme, fits[of].order, fits[of].ci_low,
                    fits[of].ci_high, of == 0 ? "q" : "v");
      assert_between(fits[of].order, cases[k].low, cases[k].high);
    }
  }
}

/* Order of mu of the conserving places on the pendulum with the speed v0 at the start. means: of two steps, at the node between. */
static double order_of_mu(const char *scheme, const char *v0, bool means)
{
  const double end = 0.3;
  double h[LEVELS], e[LEVELS];
  char model[80];
  snprintf(model, sizeof model, "bouncing-pendulum-cartesian:hurdle=1e-3,q0=0.9,v0=%s", v0);
  for (size_t i = 0; i < LEVELS; i++) {
    h[i] = end / round(30 * pow(2, 0.5 * (double)i));
    test_run run = dls_test_run(model, scheme, h[i], end);
    test_run exact = dls_test_run(model, "event-driven:tol=1e-12", 0, end - (means ? h[i] : h[i] / 2));
    const double before = dls_test_value(&run, run.traj->rows - 2, "mu0"), mu = last(&run, "mu0");
    e[i] = fabs((means ? 0.5 * (before + mu) : mu) - last(&exact, "mu0"));
    dls_test_free(&run);
    dls_test_free(&exact);
  }
  return slope(h, e, LEVELS);
}

/* G(q_m)^T (v + v') = 0 makes u = G^T v of the nodes u' = -u + (h^2/2) v^T H a: from u = 0 it alternates by (h^2/4) v0^T H a0, and mu by
 * a part of order h, which means of two steps do not have; from rest there is none. */
DLS_TEST(conserving_multipliers_alternate_unless_from_rest)
{
  static const char *const schemes[] = {"energy-preserving", "moreau-jean:joints=conserving,projection=none"};
  for (size_t k = 0; k < 2; k++) {
    const double rest = order_of_mu(schemes[k], "0", false), moving = order_of_mu(schemes[k], "-1", false),
                 means = order_of_mu(schemes[k], "-1", true);
    print_message("%s: order of mu %.3f from rest, %.3f with a speed, %.3f of means\n", schemes[k], rest,
                  moving, means);
    assert_close(rest, 2, 0.1);
    assert_close(moving, 1, 0.1);
    assert_close(means, 2, 0.15);
  }
}

/* The largest |x . v| of the pendulum's tip, which is what the joint leaves of its velocity. */
static double off_circle(const char *model, const char *scheme, double h, double end)
{
  double most = 0;
  test_run run = dls_test_run(model, scheme, h, end);
  for (size_t i = 0; i < run.traj->rows; i++) {
    most = fmax(most, fabs(dls_test_value(&run, i, "q0") * dls_test_value(&run, i, "v0") +
                           dls_test_value(&run, i, "q1") * dls_test_value(&run, i, "v1")));
  }
  dls_test_free(&run);
  return most;
}

/* Positions alone leave velocities off by an amount of order h^2. */
DLS_TEST(joints_hold_in_velocities)
{
  static const char *const both[] = {"nonsmooth-generalized-alpha", "three-level-alpha", "rk-moreau"};
  for (size_t k = 0; k < sizeof both / sizeof both[0]; k++) {
    assert_between(off_circle(pendulum, both[k], 1e-2, 2), 0,
                   1e-11); /* rk-moreau: left of its brackets by their length */
  }
  const char *const positions = "nonsmooth-generalized-alpha:joints=positions";
  const double coarse = off_circle(smooth, positions, 1e-2, 0.4),
               fine = off_circle(smooth, positions, 5e-3, 0.4);
  assert_between(coarse, 1e-6, 1e-2);
  assert_between(log2(coarse / fine), 1.5, 2.5);
}

/* Impacts are passed in brackets of h^(p+1): the state after three of them has the order of the method. */
DLS_TEST(runge_kutta_keeps_its_order_through_impacts)
{
  static const struct {
    const char *scheme;
    double low, high, finest;
  } cases[] = {{"rk-moreau:method=heun", 1.6, 2.3, 1e-3}, {"rk-moreau", 4.2, 6.5, 1e-10}};
  test_run exact = dls_test_run(pendulum, "event-driven:tol=1e-12", 0, 2);
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    double h[LEVELS], e[LEVELS];
    for (size_t i = 0; i < LEVELS; i++) {
      h[i] = 2 / round(80 * pow(2, 0.4 * (double)i));
      test_run run = dls_test_run(pendulum, cases[k].scheme, h[i], 2);
      e[i] = hypot(last(&run, "q0") - last(&exact, "q0"), last(&run, "v0") - last(&exact, "v0"));
      dls_test_free(&run);
    }
    const double order = slope(h, e, LEVELS);
    print_message("%s: order %.3f through impacts, error %.2g\n", cases[k].scheme, order, e[LEVELS - 1]);
    assert_between(order, cases[k].low, cases[k].high);
    assert_between(e[LEVELS - 1], 1e-14, cases[k].finest);
  }
  dls_test_free(&exact);
}

/* A pendulum of length 1 on two rods in one place. */
static void twin_joint(const dls_system *sys, double t, const double *q, double *phi)
{
  (void)sys, (void)t;
  phi[0] = phi[1] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1);
}

static void twin_gradient(const dls_system *sys, double t, const double *q, dls_matrix *G)
{
  (void)sys, (void)t;
  for (size_t k = 0; k < 2; k++) {
    dls_matrix_set(G, 0, k, q[0]);
    dls_matrix_set(G, 1, k, q[1]);
  }
}

static void twin_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  (void)sys, (void)t, (void)q;
  c[0] = c[1] = v[0] * v[0] + v[1] * v[1];
}

static void twin_stiffness(const dls_system *sys, double t, const double *q, const double *mu, dls_matrix *K)
{
  (void)sys, (void)t, (void)q;
  for (size_t i = 0; i < 2; i++) {
    dls_matrix_set(K, i, i, mu[0] + mu[1]);
  }
}

static void weight(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)sys, (void)t, (void)q, (void)v;
  F[0] = 0;
  F[1] = -9.81;
}

static double height(const dls_system *sys, const double *q)
{
  (void)sys;
  return 9.81 * q[1];
}

static dls_system *twins(void)
{
  dls_system *sys = dls_system_create(2, 0);
  assert_non_null(sys);
  sys->r = 2;
  sys->M = dls_matrix_diagonal(2);
  sys->G = dls_matrix_dense(2, 2);
  sys->geometric = dls_matrix_diagonal(2);
  assert_true(sys->M != NULL && sys->G != NULL && sys->geometric != NULL);
  for (size_t i = 0; i < 2; i++) {
    dls_matrix_set(sys->M, i, i, 1);
    dls_matrix_set(sys->G, 0, i, 1);
  }
  sys->q0[0] = 1;
  sys->force = weight;
  sys->potential = height;
  sys->joint = twin_joint;
  sys->joint_gradient = twin_gradient;
  sys->joint_curvature = twin_curvature;
  sys->joint_stiffness = twin_stiffness;
  return sys;
}

/* Redundant joints: the motion is that of one of them, and they share its force: of least norm. */
DLS_TEST(a_joint_given_twice_shares_its_force)
{
  static const char *const schemes[] = {"moreau-jean", "nonsmooth-generalized-alpha", "three-level-alpha",
                                        "rk-moreau"};
  for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
    dls_error err = {0};
    dls_sim *sim = NULL;
    dls_scheme_choice choice;
    dls_system *sys = twins();
    assert_ok(dls_scheme_choose(schemes[k], &choice, &err), err);
    assert_ok(dls_scheme_choice_sim(&choice, sys, &sim, &err), err);
    assert_ok(dls_run(sim, &(dls_run_spec){.step = 1e-3, .end = 1}, &err), err);
    assert_int_equal(sim->redundant, 1);
    assert_between(fabs(sim->phi[0]), 0, 1e-15);
    assert_close(sim->mu[0], sim->mu[1], 1e-9);
    const double speed2 = -2 * 9.81 * sim->q[1]; /* v^2 = 2 g (0 - y) */
    assert_close(sim->v[0] * sim->v[0] + sim->v[1] * sim->v[1], speed2, 1e-3);
    assert_close(sim->mu[0], 0.5 * (-speed2 + 9.81 * sim->q[1]), 0.05); /* mu r = -(v^2 - g y) r/l^2 */
    dls_sim_destroy(sim);
    dls_system_destroy(sys);
  }
}

/* Joints, impacts and friction: a slider of four corners in its guide, against events. */
DLS_TEST(a_crank_with_clearance_and_friction)
{
  static const struct {
    const char *scheme;
    double step, within;
  } cases[] = {{"moreau-jean", 1e-4, 4e-4},
               {"nonsmooth-generalized-alpha", 1e-4, 4e-4},
               {"three-level-alpha", 1e-4, 4e-4},
               {"rk-moreau", 2e-4, 1e-8}};
  test_run exact = dls_test_run("slider-crank-clearance", "event-driven", 0, 0.02);
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    test_run run = dls_test_run("slider-crank-clearance", cases[k].scheme, cases[k].step, 0.02);
    double off = 0;
    for (size_t i = 0; i < run.sys->n; i++) {
      off = fmax(off, fabs(run.sim->q[i] - exact.sim->q[i]));
    }
    print_message("%s: %.2g m from events\n", cases[k].scheme, off);
    assert_between(off, 1e-16, cases[k].within);
    assert_between(run.sim->worst_gap, -1e-12, 0);
    dls_test_free(&run);
  }
  dls_test_free(&exact);
}

/* What cannot treat joints says so before the start. */
DLS_TEST(methods_without_joints_are_refused)
{
  static const struct {
    const char *scheme, *text;
  } cases[] = {{"rk-moreau:method=gauss4", "method=gauss4 does not treat joints, and the system has such"},
               {"schatzman-paoli", "does not treat joints, and the system has r = 1"},
               {"nonsmooth-newmark", "does not treat joints, and the system has r = 1"},
               {"nonsmooth-kh-generalized-alpha", "does not treat joints, and the system has r = 1"},
               {"conserving-penalty", "does not treat joints, and the system has r = 1"}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    dls_error err = {0};
    test_run run = dls_test_prepare(pendulum, cases[k].scheme);
    assert_int_equal(dls_sim_start(run.sim, &err), DLS_ERR_NOT_APPLICABLE);
    assert_non_null(strstr(err.text, cases[k].text));
    dls_test_free(&run);
  }
}

/* Trees and loops of bodies need no pivoting, with any scheme that treats joints. */
DLS_TEST(mechanisms_are_eliminated_along_their_bodies)
{
  static const char *const schemes[] = {"moreau-jean",       "rk-moreau",         "nonsmooth-generalized-alpha",
                                        "three-level-alpha", "energy-preserving", "tdg-alpha",
                                        "alpha-kappa",       "tdg-alpha:alpha=0"};
  static const char *const models[] = {"slider-crank", "four-bar:N=3", "double-pendulum"};
  for (size_t i = 0; i < 3; i++) {
    for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
      test_run run = dls_test_run(models[i], schemes[k], 1e-4, 5e-4);
      assert_null(run.sim->work.fallbacks.by[0].method); /* no other factors were needed */
      dls_test_free(&run);
    }
  }
}

/* The tension of a chain of 64 links makes its highest frequency 0.8 / h: the passes over the levels stay as few as of 8 links. */
DLS_TEST(passes_over_the_levels_do_not_grow_with_a_chain)
{
  static const char *const chains[] = {"pendulum-chain:N=8,g=981,theta0=0.1,wall=-0.02",
                                       "pendulum-chain:N=64,g=981,theta0=0.1,wall=-0.02"};
  for (size_t i = 0; i < 2; i++) {
    test_run run = dls_test_run(chains[i], "three-level-alpha", 2e-4, 1e-3);
    assert_int_equal(run.sim->work.steps, 5);
    assert_in_range(run.sim->work.newton_iterations, 10, 25);
    dls_test_free(&run);
  }
}

/* The forces of the last node leave no error of order h^2 in q', which took a fourth pass, and are exact at rest. */
DLS_TEST(passes_over_the_levels_begin_with_the_last_forces)
{
  static const struct {
    const char *model;
    size_t least, most;
  } rows[] = {
      {"pendulum-chain:N=10", 400, 620}, {"block-wall:v0=0", 200, 220}, {"bouncing-ball:q0=0,v0=0", 200, 210}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    test_run run = dls_test_run(rows[i].model, "three-level-alpha", 1e-3, 0.2);
    assert_int_equal(run.sim->work.steps, 200);
    assert_in_range(run.sim->work.newton_iterations, rows[i].least, rows[i].most);
    dls_test_free(&run);
  }
}

/* A chain that hangs and swings against a wall: many joints, several contacts. */
DLS_TEST(a_chain_swings_against_a_wall)
{
  test_run run = dls_test_run("pendulum-chain:N=12", "moreau-jean", 1e-3, 1);
  assert_between(run.sim->work.impacts, 2, 100);
  assert_between(run.sim->worst_gap, -1e-12, 1e-3);
  for (size_t i = 0; i < 12; i++) {
    char name[8];
    snprintf(name, sizeof name, "phi%zu", i);
    assert_between(worst(&run, name), 0, 1e-14);
  }
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_impacts_the_places_decide_the_order),
      cmocka_unit_test(projected_positions_meet_joints_and_gaps),
      cmocka_unit_test(conserving_places_conserve),
      cmocka_unit_test(through_impacts_the_order_is_one),
      cmocka_unit_test(other_schemes_keep_their_orders),
      cmocka_unit_test(joints_hold_in_velocities),
      cmocka_unit_test(conserving_multipliers_alternate_unless_from_rest),
      cmocka_unit_test(runge_kutta_keeps_its_order_through_impacts),
      cmocka_unit_test(a_joint_given_twice_shares_its_force),
      cmocka_unit_test(a_crank_with_clearance_and_friction),
      cmocka_unit_test(methods_without_joints_are_refused),
      cmocka_unit_test(a_chain_swings_against_a_wall),
      cmocka_unit_test(mechanisms_are_eliminated_along_their_bodies),
      cmocka_unit_test(passes_over_the_levels_do_not_grow_with_a_chain),
      cmocka_unit_test(passes_over_the_levels_begin_with_the_last_forces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
