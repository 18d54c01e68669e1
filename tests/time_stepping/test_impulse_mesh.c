/* test_impulse_mesh.c -- sweeps over the lower side of an elastic block, whose W is held by columns: impulses change v by M^-1 H p, and
 * converge to the laws of contact.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include <delassus/matrix.h>
#include <math.h>
#include <stdlib.h>

/* 41 contacts with friction, closed by the first step: 82 rows of 1722 coordinates. The left side approaches later. */
static const char model[] = "elastic-block:nx=40,ny=20,h0=0,mu=0.3,vx=1,vy=-1";
static const double h = 1e-4, mu = 0.3;

/* M v - M v0 less H p; F = -K q is 0 in the unstrained block. @return the largest entry */
static double imbalance(const test_run *run, const double *v0)
{
  const dls_system *sys = run->sys;
  const dls_sim *sim = run->sim;
  double *rest = calloc(sys->n, sizeof *rest), most = 0;
  assert_non_null(rest);
  dls_matrix_multiply(sys->M, 1, sim->v, rest);
  dls_matrix_multiply(sys->M, -1, v0, rest);
  dls_matrix_multiply(sys->H, -1, sim->p, rest);
  dls_matrix_multiply(sys->T, -1, sim->p_t, rest);
  for (size_t i = 0; i < sys->n; i++) {
    most = fmax(most, fabs(rest[i]));
  }
  free(rest);
  return most;
}

static double impulse(const test_run *run)
{
  double sum = 0;
  for (size_t j = 0; j < run->sys->m; j++) {
    sum += run->sim->p[j];
  }
  return sum;
}

static test_run first_step(const char *scheme)
{
  test_run run = dls_test_prepare(model, scheme);
  dls_error err = {0};
  assert_ok(dls_sim_start(run.sim, &err), err);
  assert_ok(dls_sim_advance(run.sim, h, &err), err);
  return run;
}

DLS_TEST(impulses_of_all_sweeps_reach_the_velocity)
{
  static const char *const schemes[] = {
      "sequential-impulse:sweeps=1,stabilise=none", "sequential-impulse:stabilise=none,order=friction-first",
      "sequential-impulse:stabilise=split", "xpbd:substeps=1", "soft-step:substeps=1"};
  for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
    test_run run = first_step(schemes[k]);
    assert_between(impulse(&run), 1e-3, 10);
    assert_close(imbalance(&run, run.sys->v0), 0, 1e-15);
    dls_test_free(&run);
  }
}

DLS_TEST(many_sweeps_obey_newton_and_coulomb)
{
  test_run run = first_step("sequential-impulse:sweeps=400,stabilise=none");
  size_t slips = 0, sticks = 0;
  for (size_t j = 0; j < run.sys->m; j++) {
    const double p = run.sim->p[j], p_t = run.sim->p_t[j], u = run.sim->u[j], u_t = run.sim->u_t[j];
    assert_between(p, 0, 1);
    assert_between(u, -1e-12, 1);
    assert_close(p * u, 0, 1e-13);
    assert_between(fabs(p_t), 0, mu * p * (1 + 1e-12));
    assert_close((mu * p - fabs(p_t)) * u_t, 0, 1e-13);
    assert_between(p_t * u_t, -1, 1e-14);
    slips += fabs(u_t) > 1e-6;
    sticks += fabs(u_t) <= 1e-6;
  }
  assert_true(slips > 0 && slips + sticks == 41);
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impulses_of_all_sweeps_reach_the_velocity),
      cmocka_unit_test(many_sweeps_obey_newton_and_coulomb),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
