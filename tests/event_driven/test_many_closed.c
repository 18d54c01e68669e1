/* test_many_closed.c -- hundreds of closed contacts with friction by events, redundant: they hold what lies on them, as many rows
 * depend on others as must, and the work on them can be interrupted.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/catalogue.h>
#include <delassus/sim.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81;

static dls_system *wall(double side)
{
  double p[20];
  dls_error err = {0};
  dls_system *sys = NULL;
  const dls_model *model = dls_model_find("block-wall", &err);
  dls_option_defaults(model->parameters, p);
  p[dls_option_find(model->parameters, "rows")] = side;
  p[dls_option_find(model->parameters, "columns")] = side;
  assert_ok(dls_model_create(model, p, &sys, &err), err);
  return sys;
}

/* The largest entry of F + H lambda + T lambda_t. */
static double unbalanced(const dls_sim *sim)
{
  const dls_system *sys = sim->sys;
  double *F = calloc(sys->n, sizeof *F), worst = 0;
  sys->load(sys, 0, F);
  dls_matrix_multiply(sys->H, 1, sim->lambda, F);
  dls_matrix_multiply(sys->T, 1, sim->lambda_t, F);
  for (size_t i = 0; i < sys->n; i++) {
    worst = fmax(worst, fabs(F[i]));
  }
  free(F);
  return worst;
}

/* Every block is held in all directions: the rows have the rank of the coordinates. */
static void check_wall(double side, size_t least, size_t most)
{
  dls_system *sys = wall(side);
  dls_sim *sim = NULL;
  dls_error err = {0};
  assert_between((double)(2 * sys->m), (double)least, (double)most);
  assert_ok(dls_sim_create(sys, dls_scheme_find("event-driven", &err), &sim, &err), err);
  assert_ok(dls_run(sim, &(dls_run_spec){.end = 0.1}, &err), err);
  assert_int_equal(sim->work.redundant, 2 * sys->m - sys->n);
  assert_between(unbalanced(sim), 0, 1e-11 * g);
  for (size_t j = 0; j < sys->m; j++) {
    assert_int_equal(sim->status[j], 1);
    assert_true(sim->lambda[j] > 0);
    assert_between(fabs(sim->lambda_t[j]), 0, 0.5 * sim->lambda[j]);
  }
  for (size_t i = 0; i < sys->n; i++) {
    assert_close(sim->v[i], 0, 1e-12);
    assert_close(sim->q[i], 0, 1e-13);
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

DLS_TEST(walls_of_few_and_of_many_unknowns_rest)
{
  check_wall(5, 100, 399);
  check_wall(8, 401, 600);
  check_wall(12, 401, 1200);
}

static void push(const dls_system *sys, double t, double *F)
{
  (void)t;
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = i % 2 == 0 ? 0.1 : -1;
  }
}

/* Points on the floor, every other one between two walls that it touches: contacts 3 i (floor), 3 i + 1 and 3 i + 2 (walls, of the others
 * out of reach). */
static dls_system *slots(size_t points)
{
  const size_t n = 2 * points, m = 3 * points;
  dls_system *sys = dls_system_create(n, m);
  sys->d = 2;
  sys->linear = true;
  sys->load = push;
  sys->steady_load = true;
  sys->M = dls_matrix_diagonal(n);
  sys->H = dls_matrix_sparse(n, m, m);
  sys->T = dls_matrix_sparse(n, m, m);
  for (size_t i = 0; i < points; i++) {
    const size_t x = 2 * i, y = 2 * i + 1;
    dls_matrix_set(sys->M, x, x, 1 + (double)(i % 3));
    dls_matrix_set(sys->M, y, y, 1 + (double)(i % 3));
    for (size_t k = 0; k < 3; k++) {
      const size_t j = 3 * i + k;
      dls_matrix_set(sys->H, k == 0 ? y : x, j, k == 2 ? -1 : 1);
      dls_matrix_set(sys->T, k == 0 ? x : y, j, 1);
      sys->mu[j] = 0.5;
      sys->w[j] = k > 0 && i % 2 == 1 ? 1 : 0;
    }
  }
  return sys;
}

/* Where the walls and the floor hold a point there is nothing for friction to do: 0. On the others it takes the push. */
static void check_slots(dls_system *sys, size_t points, size_t least, size_t most)
{
  dls_sim *sim = NULL;
  dls_error err = {0};
  assert_ok(dls_sim_create(sys, dls_scheme_find("event-driven", &err), &sim, &err), err);
  assert_ok(dls_run(sim, &(dls_run_spec){.end = 0.1}, &err), err);
  for (size_t i = 0; i < points; i++) {
    const double *lambda = sim->lambda + 3 * i, *lambda_t = sim->lambda_t + 3 * i;
    assert_close(lambda[0], 1, 1e-11);
    assert_close(lambda[1] - lambda[2], i % 2 == 0 ? -0.1 : 0, 1e-11);
    assert_close(lambda_t[0], i % 2 == 0 ? 0 : -0.1, i % 2 == 0 ? 0 : 1e-11);
    assert_close(lambda_t[1], 0, 0);
    assert_close(lambda_t[2], 0, 0);
  }
  assert_int_equal(sim->work.redundant, 2 * points); /* of 6 rows of a point in a slot 4 */
  assert_between((double)sim->work.force_evals, (double)least, (double)most);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

DLS_TEST(of_many_contacts_those_that_cannot_slip_have_no_friction)
{
  check_slots(slots(300), 300, 1, 100);
}

/* A load without a declaration is evaluated at 1000 instants, for the check of the step and for the event functions of all contacts at
 * once: not for each of the 180 event functions. */
DLS_TEST(one_evaluation_at_an_instant_serves_all_contacts)
{
  dls_system *sys = slots(30);
  sys->steady_load = false;
  check_slots(sys, 30, 1000, 2200);
}

static bool stop(void *data, double t)
{
  (void)data, (void)t;
  return false;
}

DLS_TEST(the_work_on_many_contacts_is_interrupted)
{
  dls_system *sys = wall(60); /* its start takes many times the interval between two polls */
  dls_sim *sim = NULL;
  dls_error err = {0};
  assert_ok(dls_sim_create(sys, dls_scheme_find("event-driven", &err), &sim, &err), err);
  assert_int_equal(dls_run(sim, &(dls_run_spec){.end = 0.1, .poll = stop}, &err), DLS_ERR_INTERRUPTED);
  assert_non_null(strstr(err.text, "interrupted in the friction of "));
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(walls_of_few_and_of_many_unknowns_rest),
      cmocka_unit_test(of_many_contacts_those_that_cannot_slip_have_no_friction),
      cmocka_unit_test(one_evaluation_at_an_instant_serves_all_contacts),
      cmocka_unit_test(the_work_on_many_contacts_is_interrupted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
