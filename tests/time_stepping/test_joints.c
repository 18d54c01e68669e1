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

/* mu is the mean of a step: compared with mu in its middle. */
static errors smooth_errors(const char *scheme, double h)
{
  const double end = 0.4;
  test_run run = dls_test_run(smooth, scheme, h, end);
  test_run exact = dls_test_run(smooth, "event-driven:tol=1e-12", 0, end);
  test_run middle = dls_test_run(smooth, "event-driven:tol=1e-12", 0, end - h / 2);
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

static errors smooth_orders(const char *scheme)
{
  double h[LEVELS], q[LEVELS], v[LEVELS], mu[LEVELS];
  for (size_t i = 0; i < LEVELS; i++) {
    h[i] = 0.4 / round(40 * pow(2, 0.5 * (double)i)); /* the run ends at 0.4 */
    const errors e = smooth_errors(scheme, h[i]);
    q[i] = e.q;
    v[i] = e.v;
    mu[i] = e.mu;
  }
  return (errors){slope(h, q, LEVELS), slope(h, v, LEVELS), slope(h, mu, LEVELS)};
}

/* With the condition at the midpoint G^T v alternates at the nodes by an amount of order h^2, and mu by one of order h. */
static void without_impacts_the_places_decide_the_order(void **state)
{
  (void)state;
  static const struct {
    const char *scheme;
    double order, mu;
  } cases[] = {{"moreau-jean", 2, 2},
               {"moreau-jean:projection=none", 2, 2},
               {"moreau-jean:joints=conserving,projection=none", 2, 1},
               {"moreau-jean:joints=end", 1, 1},
               {"moreau-jean:joints=end,projection=none", 1, 1}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const errors order = smooth_orders(cases[k].scheme);
    print_message("%s: order %.3f of q, %.3f of v, %.3f of mu\n", cases[k].scheme, order.q, order.v, order.mu);
    assert_close(order.q, cases[k].order, 0.1);
    assert_close(order.v, cases[k].order, 0.1);
    assert_close(order.mu, cases[k].mu, 0.1);
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

static void projected_positions_meet_joints_and_gaps(void **state)
{
  (void)state;
  static const char *const schemes[] = {"moreau-jean", "moreau-jean:joints=end",
                                        "moreau-jean:projection=combined"};
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
static void conserving_places_conserve(void **state)
{
  (void)state;
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
static void through_impacts_the_order_is_one(void **state)
{
  (void)state;
  static const struct {
    const char *scheme;
    double low, high;
  } cases[] = {{"moreau-jean", 0.85, 1.15},
               {"moreau-jean:joints=end", 0.85, 1.15},
               {"moreau-jean:joints=end,projection=none", 0.85, 1.15},
               {"moreau-jean:joints=conserving,projection=none", 0.85, 1.15},
               {"moreau-jean:projection=combined", 0.65, 1.25}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    for (int of = 0; of < 2; of++) {
      const char *const what = of == 0 ? "q" : "v";
      const dls_fit fit =
          dls_test_order((test_study){pendulum, cases[k].scheme, "l1", what, 2, 0.0166, 0.001, 10, 6});
      print_message("%s: order %.3f [%.3f, %.3f] of %s\n", cases[k].scheme, fit.order, fit.ci_low, fit.ci_high,
                    what);
      assert_between(fit.order, cases[k].low, cases[k].high);
    }
  }
}

/* A chain that hangs and swings against a wall: many joints, several contacts. */
static void a_chain_swings_against_a_wall(void **state)
{
  (void)state;
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
      cmocka_unit_test(a_chain_swings_against_a_wall),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
