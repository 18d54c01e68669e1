/* test_impulse_joints.c -- joints as rows of the sweeps: order one, drift, multipliers, redundant equations.
 * References: the exact values of the double pendulum, event-driven integration.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include "time_stepping/impulse/impulse_joints.h"
#include <math.h>
#include <stdio.h>

static const char *const schemes[] = {"sequential-impulse", "sequential-impulse:stabilise=split",
                                      "sequential-impulse:stabilise=none,sweeps=50",
                                      "xpbd:substeps=4,iterations=4", "soft-step"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

typedef struct errors {
  double q, phi; /* at t = 1 */
} errors;

static errors pendulum_errors(const char *scheme, double h)
{
  const double exact[] = {0.10328336354607, -0.99465197270935, -0.89001924951013, -0.87911012359950};
  test_run run = dls_test_run("double-pendulum", scheme, h, 1);
  errors e = {0, hypot(run.sim->phi[0], run.sim->phi[1])};
  for (size_t i = 0; i < 4; i++) {
    e.q = hypot(e.q, run.sim->q[i] - exact[i]);
  }
  dls_test_free(&run);
  return e;
}

/* Joints that sweeps solve are of order one, those of the soft step are springs: without bias they move a part h_s omega^2 of Phi a
 * second, so that what the curvature of the path adds stays for long. */
DLS_TEST(orders_are_one)
{
  for (size_t i = 0; i < SCHEMES; i++) {
    const errors e = pendulum_errors(schemes[i], 1.0 / 800), fine = pendulum_errors(schemes[i], 1.0 / 6400);
    const bool soft = i + 1 == SCHEMES;
    assert_between(log2(e.q / fine.q) / 3, soft ? 0.5 : 0.8, soft ? 0.8 : 1.2);
    assert_between(fine.q, 1e-5, 1e-2);
    assert_between(fine.phi, soft ? 1e-3 : 0, soft ? 3e-3 : 4e-3);
  }
}

/* Masses that hang at rest: rods carry their weights. |G| is 1 + Phi/l, and Phi = 1.4e-4 m of soft rods. */
DLS_TEST(multipliers_are_forces)
{
  for (size_t i = 0; i < SCHEMES; i++) {
    test_run run = dls_test_run("double-pendulum:theta1=0,theta2=0", schemes[i], 0.01, 2);
    const double stretched = 1 + run.sim->phi[1];
    assert_close(run.sim->mu[1] * stretched, -9.81, 1e-6);
    assert_close(run.sim->mu[0], -2 * 9.81, 3e-3);
    assert_close(run.sim->v[3], 0, 1e-6);
    dls_test_free(&run);
  }
}

/* The pendulum meets the hurdle. Where the sweeps converge the rebound is right. xpbd and soft-step set it contact by contact after
 * the sweeps, and the joint takes a part of it back. */
DLS_TEST(rebounds_of_jointed_bodies)
{
  const struct {
    const char *scheme;
    double low, high;
  } cases[] = {{"sequential-impulse:sweeps=200", 0, 1e-3}, {"xpbd", 0.05, 0.5}, {"soft-step", 0.05, 0.5}};
  const char *const model = "bouncing-pendulum-cartesian";
  test_run exact = dls_test_run(model, "event-driven", 0, 0.9);
  assert_true(exact.sim->work.impacts > 0);
  for (size_t i = 0; i < 3; i++) {
    test_run run = dls_test_run(model, cases[i].scheme, 2e-4, 0.9);
    assert_between(hypot(run.sim->q[0] - exact.sim->q[0], run.sim->q[1] - exact.sim->q[1]), cases[i].low,
                   cases[i].high);
    dls_test_free(&run);
  }
  dls_test_free(&exact);
}

/* Where M couples bodies, sweeps go along them: velocities and impulses are those by columns of M^-1 G. */
DLS_TEST(sweeps_along_coupled_bodies)
{
  enum { WINDOWS = 6, N = 2 * WINDOWS + 2, R = 2 * WINDOWS + 1 };
  dls_error err = {0};
  test_run run = dls_test_prepare("four-bar:N=6", "sequential-impulse");
  dls_factor *M = dls_factor_create((const dls_matrix *const[]){run.sys->M}, 1);
  assert_ok(dls_factor_sum(M, (const double[]){1}, &err), err);
  dls_impulse_joints s[2] = {0};
  double q[N], v[2][N];
  for (size_t i = 0; i < N; i++) {
    q[i] = run.sys->q0[i] + 0.1 * sin((double)(3 * i));
  }
  for (size_t k = 0; k < 2; k++) {
    assert_ok(dls_impulse_joints_create(run.sys, M, &s[k], &err), err);
    assert_non_null(s[k].coupled);
    dls_impulse_joints_at(&s[k], run.sys, 0, q);
    s[k].mass = 0.9;
    s[k].yield = 0.05;
    for (size_t i = 0; i < R; i++) {
      s[k].c[i] = cos((double)i);
      s[k].r[i] = sin((double)i);
    }
    for (size_t i = 0; i < N; i++) {
      v[k][i] = sin((double)(i * i));
    }
  }
  dls_selected_inverse *const own = s[1].coupled;
  s[1].coupled = NULL;
  s[1].W = dls_delassus_create(M, s[1].G);
  for (int sweep = 0; sweep < 5; sweep++) {
    for (size_t k = 0; k < 2; k++) {
      if (sweep % 3 == 0) {
        dls_impulse_joints_warm_start(&s[k], v[k]);
      }
      dls_impulse_joints_sweep(&s[k], v[k]);
    }
    for (size_t i = 0; i < N; i++) {
      assert_close(v[0][i], v[1][i], 1e-12);
    }
    for (size_t i = 0; i < R; i++) {
      assert_close(s[0].r[i], s[1].r[i], 1e-12);
    }
  }
  s[1].coupled = own;
  for (size_t k = 0; k < 2; k++) {
    dls_impulse_joints_destroy(&s[k]);
  }
  dls_factor_destroy(M);
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders_are_one),
      cmocka_unit_test(multipliers_are_forces),
      cmocka_unit_test(rebounds_of_jointed_bodies),
      cmocka_unit_test(sweeps_along_coupled_bodies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
