/* test_solid_runs.c -- two elastic cylinders that collide: what the conserving contact keeps and the midpoint rule's does not.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/solid.h"
#include "runs.h"
#include <math.h>
#include <stdlib.h>

#define SOFT "two-cylinders:box=off,lambda=130,mu=43.33,rho=8.93,x2=4,y2=0.9,vy=0.1"

typedef struct motion {
  double momentum[2], turning, energy;
} motion;

static motion motion_of(const dls_system *sys, const double *q, const double *v)
{
  double *p = calloc(sys->n, sizeof *p);
  motion s = {.energy = sys->potential(sys, q)};
  assert_non_null(p);
  dls_matrix_multiply(sys->M, 1, v, p);
  for (size_t i = 0; i < sys->n; i++) {
    s.momentum[i % 2] += p[i];
    s.turning += i % 2 == 1 ? q[i - 1] * p[i] - q[i] * p[i - 1] : 0;
    s.energy += 0.5 * p[i] * v[i];
  }
  free(p);
  return s;
}

/* The largest and the last energy over the first, and the largest changes of momenta. */
typedef struct collision {
  double first, most, least, last, momentum, turning;
} collision;

static collision collide(const char *model, const char *scheme, double step, double end)
{
  test_run run = dls_test_run(model, scheme, step, end);
  const size_t n = run.sys->n;
  motion first = {.energy = 0};
  collision c = {.least = HUGE_VAL};
  for (size_t row = 0; row < run.traj->rows; row++) {
    const double *q = run.traj->data + row * run.traj->columns + 1;
    const motion s = motion_of(run.sys, q, q + n);
    first = row == 0 ? s : first;
    c.first = first.energy;
    c.last = s.energy / first.energy;
    c.most = fmax(c.most, c.last);
    c.least = fmin(c.least, c.last);
    c.momentum = fmax(c.momentum,
                      fmax(fabs(s.momentum[0] - first.momentum[0]), fabs(s.momentum[1] - first.momentum[1])));
    c.turning = fmax(c.turning, fabs(s.turning - first.turning));
  }
  dls_test_free(&run);
  return c;
}

/* Figures 4.8 and 4.9 of Armero & Petocz. While they touch, the penalty holds less than 1 %. */
DLS_TEST(the_conserving_contact_keeps_energy_and_momenta)
{
  const collision c = collide(SOFT, "energy-preserving:contact=penalty,kappa=1e4", 0.05, 6);
  assert_close(c.first, 44.731915, 1e-6);
  assert_between(c.most, 1, 1 + 1e-12);
  assert_close(c.last, 1, 1e-10);
  assert_between(c.least, 0.99, 0.995);
  assert_between(c.momentum, 0, 1e-11);
  assert_between(c.turning, 0, 1e-11);
}

DLS_TEST(the_contact_of_the_midpoint_rule_keeps_momenta_only)
{
  const collision c = collide(SOFT, "energy-preserving:contact=midpoint-penalty,kappa=1e4", 0.05, 6);
  assert_close(c.most, 1.811, 1e-3);
  assert_close(c.last, 1.792, 1e-3);
  assert_between(c.momentum, 0, 1e-11);
  assert_between(c.turning, 0, 1e-11);
}

/* The energy of the cylinders never exceeds that of the start, for any step; it comes back when contacts have opened. */
DLS_TEST(the_energy_in_the_box_is_kept_for_every_step)
{
  static const double steps[] = {0.1, 0.04};
  for (size_t k = 0; k < 2; k++) {
    const collision c =
        collide("two-cylinders:n=3,layers=2", "energy-preserving:contact=penalty,kappa=1e5", steps[k], 4);
    assert_close(c.first, 24.3, 1e-12);
    assert_between(c.most, 1, 1 + 1e-10);
    assert_between(c.least, 0.1, 0.9);
  }
}

/* Tangents are complete: quadratic convergence, also with curved contacts. */
DLS_TEST(a_step_takes_few_iterations)
{
  test_run run = dls_test_run(SOFT, "energy-preserving:contact=penalty,kappa=1e4", 0.05, 3);
  assert_between((double)run.sim->work.newton_iterations / (double)run.sim->work.steps, 5, 7.5);
  dls_test_free(&run);
}

/* Schemes whose contact is at position level let no node in; of those at velocity level, the ones that keep contacts active that
 * separate let it in a little. */
DLS_TEST(impact_laws_hold_the_nodes_out)
{
  static const struct {
    const char *scheme;
    double low;
  } cases[] = {{"newmark-position-contact", -1e-14}, {"moreau-jean:velocity_test=off,theta=1", -0.06}};
  for (size_t k = 0; k < 2; k++) {
    test_run run = dls_test_run(SOFT ",n=3,layers=2", cases[k].scheme, 0.05, 2);
    assert_between(run.sim->worst_gap, cases[k].low, 0);
    dls_test_free(&run);
  }
}

static void (*turn)(const dls_system *sys, double t, const double *q, const double *x, dls_matrix *R);
static void (*stiffness)(const dls_system *sys, double t, const double *q, const double *lambda, dls_matrix *K);
static double turned_at, bent_at;

static void watched_turn(const dls_system *sys, double t, const double *q, const double *x, dls_matrix *R)
{
  turned_at = t;
  turn(sys, t, q, x, R);
}

static void watched_stiffness(const dls_system *sys, double t, const double *q, const double *lambda,
                              dls_matrix *K)
{
  bent_at = t;
  stiffness(sys, t, q, lambda, K);
}

/* Forces of contact are those at the middle of the step, and so are their slopes, in time too: supports may move. */
DLS_TEST(slopes_of_contact_are_taken_at_the_middle)
{
  const double h = 0.0625;
  test_run run = dls_test_prepare("two-cylinders:n=3,layers=2", "energy-preserving:contact=penalty,kappa=1e5");
  dls_error err = {0};
  turn = run.sys->gap_turn;
  stiffness = run.sys->gap_stiffness;
  run.sys->gap_turn = watched_turn;
  run.sys->gap_stiffness = watched_stiffness;
  assert_ok(dls_sim_start(run.sim, &err), err);
  for (int k = 0; k < 2; k++) {
    assert_ok(dls_sim_advance(run.sim, h, &err), err);
    assert_close(turned_at, (k + 0.5) * h, 0);
    assert_close(bent_at, (k + 0.5) * h, 0);
  }
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_conserving_contact_keeps_energy_and_momenta),
      cmocka_unit_test(the_contact_of_the_midpoint_rule_keeps_momenta_only),
      cmocka_unit_test(the_energy_in_the_box_is_kept_for_every_step),
      cmocka_unit_test(a_step_takes_few_iterations),
      cmocka_unit_test(impact_laws_hold_the_nodes_out),
      cmocka_unit_test(slopes_of_contact_are_taken_at_the_middle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
