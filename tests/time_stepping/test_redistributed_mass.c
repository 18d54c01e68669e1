/* test_redistributed_mass.c -- contact of coordinates without mass: energies and forces of the two bars beside those of lumped
 * mass, order two through a kink, equilibria at the start, momentum and energy of a beam, schemes that refuse.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include "runs.h"
#include <delassus/balance.h>
#include <delassus/catalogue.h>
#include <delassus/energy.h>
#include <delassus/fit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char scheme[] = "redistributed-mass-midpoint";

typedef struct outcome {
  double energy;           /* at the end over that of the start */
  double mean, scatter;    /* of the force in [from, to] */
  double first, last;      /* nodes at which it is not 0 */
  double impulse, rebound; /* of the whole run; mean velocity at the end over the speed of the start */
} outcome;

static outcome bounce(const char *model, double step, double end, double from, double to)
{
  test_run run = dls_test_run(model, scheme, step, end);
  const size_t n = run.sys->n;
  double *work = calloc(2 * n, sizeof *work), *one = work + n;
  assert_non_null(work);
  outcome o = {.first = INFINITY};
  double count = 0, square = 0;
  for (size_t i = 0; i < n; i++) {
    one[i] = 1;
  }
  const double start = dls_balance_product(run.sys->M, n, one, run.sys->v0, work);
  for (size_t row = 0; row < run.traj->rows; row++) {
    const double t = dls_test_value(&run, row, "t"), lambda = dls_test_value(&run, row, "lambda0");
    const bool inside = t > from && t < to;
    const double *v = run.traj->data + row * run.traj->columns + 1 + n;
    o.impulse += dls_test_value(&run, row, "p0");
    assert_close((dls_balance_product(run.sys->M, n, one, v, work) - start) / fabs(start),
                 o.impulse / fabs(start), 1e-12);
    o.mean += inside ? lambda : 0;
    square += inside ? lambda * lambda : 0;
    count += inside;
    o.first = lambda > 0 ? fmin(o.first, t) : o.first;
    o.last = lambda > 0 ? t : o.last;
  }
  o.mean /= count;
  o.scatter = sqrt(fmax(square / count - o.mean * o.mean, 0));
  const double mass = dls_balance_product(run.sys->M, n, one, one, work);
  o.rebound = dls_balance_product(run.sys->M, n, one, run.sim->v, work) / (mass * fabs(run.sys->v0[0]));
  o.energy = dls_balance_mechanical(run.sim, work) / (0.5 * mass * run.sys->v0[0] * run.sys->v0[0]);
  assert_int_equal(run.sim->work.impacts > 0, strstr(model, "redistributed") == NULL);
  free(work);
  dls_test_free(&run);
  return o;
}

/* Exact: 300 N in [0.5, 1.1667], energy and speed as before. The mass that the end has lost is spread over the bar, 9/4 of 1/n
 * at its end, so that the force begins 1.4 % too high. */
DLS_TEST(the_elastic_bar_keeps_its_energy_and_has_a_quiet_force)
{
  static const double steps[] = {2e-3, 5e-4};
  for (size_t k = 0; k < 2; k++) {
    const outcome quiet = bounce("elastic-bar:mass=redistributed", steps[k], 1.5, 0.55, 1);
    assert_close(quiet.energy, 1, 1e-4);
    assert_close(quiet.mean, 300, 0.3);
    assert_between(quiet.scatter, 0.1, 2);
    assert_close(quiet.first, 0.5, 1.01 * steps[k]);
    assert_close(quiet.last, 0.5 + 20. / 30, 4e-3);
    assert_close(quiet.impulse, 200, 1);
    assert_between(quiet.rebound, 0.98, 1);
  }
  const outcome loud = bounce("elastic-bar:mass=lumped", 2e-3, 1.5, 0.55, 1);
  assert_between(loud.scatter, 240, 260);
  assert_between(fabs(loud.energy - 1), 1e-3, 5e-3);
}

DLS_TEST(the_rod_keeps_its_energy_and_has_a_quiet_force)
{
  const outcome quiet = bounce("rod-impact:mass=redistributed", 0.005, 2.6, 0.3, 1.7);
  assert_close(quiet.energy, 1, 2e-4);
  assert_close(quiet.mean, 0.5, 1e-3);
  assert_between(quiet.scatter, 1e-4, 4e-3);
  assert_close(quiet.first, 0.015, 0.0051);
  assert_close(quiet.last, 2.015, 0.01);
  const outcome loud = bounce("rod-impact:mass=lumped", 0.005, 2.6, 0.3, 1.7);
  assert_between(loud.scatter, 0.4, 0.5);
  assert_between(fabs(loud.energy - 1), 2e-3, 1e-2);
}

/* The same bar without its lowest node: M q'' = -(K q)_masses with q_0 = max(0, q_1), by Runge and Kutta's method with steps so
 * short that kinks do not matter. */
enum { NODES = 5 };
typedef struct chain {
  double M[NODES - 1][NODES - 1], k; /* M: inverse */
} chain;

static void slope(const chain *c, const double *y, double *dy)
{
  double F[NODES - 1], q[NODES];
  memcpy(q + 1, y, sizeof F);
  q[0] = fmax(0, q[1]);
  for (size_t i = 0; i < NODES - 1; i++) {
    F[i] = c->k * (q[i] - q[i + 1]) + (i + 2 < NODES ? c->k * (q[i + 2] - q[i + 1]) : 0);
  }
  for (size_t i = 0; i < NODES - 1; i++) {
    dy[i] = y[NODES - 1 + i];
    dy[NODES - 1 + i] = 0;
    for (size_t j = 0; j < NODES - 1; j++) {
      dy[NODES - 1 + i] += c->M[i][j] * F[j];
    }
  }
}

static void march(const chain *c, double end, size_t steps, double *y)
{
  enum { ALL = 2 * (NODES - 1) };
  static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  const double h = end / (double)steps;
  for (size_t k = 0; k < steps; k++) {
    double sum[ALL] = {0}, dy[ALL] = {0};
    for (size_t stage = 0; stage < 4; stage++) {
      double x[ALL];
      for (size_t i = 0; i < ALL; i++) {
        x[i] = y[i] + at[stage] * h * dy[i];
      }
      slope(c, x, dy);
      for (size_t i = 0; i < ALL; i++) {
        sum[i] += weight[stage] * h * dy[i];
      }
    }
    for (size_t i = 0; i < ALL; i++) {
      y[i] += sum[i];
    }
  }
}

static chain chain_of(const dls_system *sys)
{
  chain c = {.k = -dls_matrix_get(sys->K, 0, 1)};
  dls_factor *M = NULL;
  dls_error err = {0};
  const double one = 1;
  dls_matrix *part = dls_matrix_dense(NODES - 1, NODES - 1);
  assert_non_null(part);
  for (size_t i = 0; i < NODES - 1; i++) {
    for (size_t j = 0; j < NODES - 1; j++) {
      assert_ok(dls_matrix_set(part, i, j, dls_matrix_get(sys->M, i + 1, j + 1)), err);
    }
  }
  M = dls_factor_create((const dls_matrix *const[]){part}, 1);
  assert_non_null(M);
  assert_ok(dls_factor_sum(M, &one, &err), err);
  for (size_t i = 0; i < NODES - 1; i++) {
    c.M[i][i] = 1;
    dls_factor_solve(M, c.M[i]);
  }
  dls_factor_destroy(M);
  dls_matrix_destroy(part);
  return c;
}

/* At 1.6 s, behind both kinks. */
DLS_TEST(positions_have_order_two_through_closing_and_opening)
{
  enum { LEVELS = 8 };
  static const char model[] = "elastic-bar:n=4,mass=redistributed,h0=5.003";
  dls_system *sys = dls_test_system(model);
  const chain c = chain_of(sys);
  double h[LEVELS], error[LEVELS], y[2 * (NODES - 1)];
  for (size_t i = 0; i < NODES - 1; i++) {
    y[i] = sys->q0[i + 1];
    y[NODES - 1 + i] = sys->v0[i + 1];
  }
  march(&c, 1.6, 200000, y);
  for (int k = 0; k < LEVELS; k++) {
    h[k] = 1.6 / ceil(80 * pow(2, 0.75 * k));
    test_run run = dls_test_run(model, scheme, h[k], 1.6);
    error[k] = 0;
    for (size_t i = 0; i < NODES - 1; i++) {
      error[k] = fmax(error[k], fabs(run.sim->q[i + 1] - y[i]));
    }
    dls_test_free(&run);
  }
  dls_fit fit;
  dls_error err = {0};
  assert_ok(dls_fit_order(LEVELS, h, error, 0, &fit, &err), err);
  assert_between(fit.order, 1.9, 2.1);
  assert_between(error[LEVELS - 1], 1e-7, 1e-4);
  dls_system_destroy(sys);
}

/* A coordinate without mass and two with, springs between them. Contact 0 moves the first two and pushes the first against
 * contact 1; contact 2 moves a mass alone. */
static dls_system *lever(void)
{
  static const double mass[] = {0, 1, 2}, K[3][3] = {{90, -90, 0}, {-90, 150, -60}, {0, -60, 60}};
  static const double H[3][3] = {{1, 0.5, 0}, {-1, 0, 0}, {0, 0, 1}}, w[] = {0.1, 0.02, 10};
  dls_system *sys = dls_system_create(3, 3);
  assert_non_null(sys);
  sys->linear = true;
  sys->M = dls_matrix_diagonal(3);
  sys->K = dls_matrix_dense(3, 3);
  sys->H = dls_matrix_dense(3, 3);
  assert_true(sys->M != NULL && sys->K != NULL && sys->H != NULL);
  for (size_t i = 0; i < 3; i++) {
    dls_matrix_set(sys->M, i, i, mass[i]);
    for (size_t j = 0; j < 3; j++) {
      dls_matrix_set(sys->K, i, j, K[i][j]);
      dls_matrix_set(sys->H, j, i, H[i][j]);
    }
    sys->v0[i] = -1;
    sys->w[i] = w[i];
  }
  return sys;
}

/* What steps do beside dg p/h with p = h (lambda + lambda')/2. */
typedef struct step_ledger {
  double energy, g[3], lambda[3]; /* of the last node */
  double misfit_energy, misfit_impulse, worst, gained;
  size_t pushes[3];
} step_ledger;
static const double lever_step = 4e-3;

static dls_status balance_step(void *data, const dls_sim *sim, dls_error *err)
{
  step_ledger *l = data;
  double work[3], gained = 0;
  (void)err;
  for (size_t j = 0; j < 3; j++) {
    const double f = sim->p[j] / lever_step, mean = (l->lambda[j] + sim->lambda[j]) / 2;
    l->misfit_impulse = fmax(l->misfit_impulse, sim->step > 0 ? fabs(f - mean) : 0);
    l->worst = fmin(l->worst, sim->g[j]);
    l->pushes[j] += f > 0;
    gained += (sim->g[j] - l->g[j]) * f;
    l->g[j] = sim->g[j];
    l->lambda[j] = sim->lambda[j];
  }
  const double energy = dls_balance_mechanical(sim, work);
  if (sim->step > 0) {
    l->misfit_energy = fmax(l->misfit_energy, fabs(energy - l->energy - gained));
    l->gained = fmax(l->gained, fabs(gained));
  }
  l->energy = energy;
  return DLS_OK;
}

static dls_sim *sim_of(const dls_system *sys)
{
  dls_error err = {0};
  dls_sim *sim = NULL;
  assert_ok(dls_sim_create(sys, dls_scheme_find(scheme, &err), &sim, &err), err);
  return sim;
}

/* E' - E = dg (lambda + lambda')/2, of balance_redistributed_mass.c, where contacts move masses as well and close by the push of
 * others. */
DLS_TEST(contacts_that_move_masses_too_keep_the_identity)
{
  dls_error err = {0};
  dls_system *sys = lever();
  dls_sim *sim = sim_of(sys);
  step_ledger l = {0};
  const dls_run_spec spec = {.step = lever_step, .end = 2, .watch = balance_step, .watch_data = &l};
  assert_ok(dls_run(sim, &spec, &err), err);
  assert_in_range(l.pushes[0], 20, 400);
  assert_in_range(l.pushes[1], 10, 400);
  assert_in_range(l.pushes[2], 0, 0);
  assert_close(l.energy, 1.5, 0.2); /* J */
  assert_between(l.gained, 1e-5, 0.2);
  assert_between(l.misfit_energy, 0, 1e-13);
  assert_between(l.misfit_impulse, 0, 1e-11);
  assert_between(l.worst, -1e-12, 0);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

static void shake(const dls_system *sys, double t, double *F)
{
  (void)sys;
  F[0] = 3 * sin(20 * t); /* on the coordinate without mass: the mean of both ends */
  F[1] = cos(31 * t);
  F[2] = -2 * sin(13 * t);
}

/* The same with loads that move and a damper. */
DLS_TEST(the_ledger_of_the_scheme_closes)
{
  dls_error err = {0};
  dls_scheme_choice choice;
  dls_energy_ledger *ledger = NULL;
  dls_system *sys = lever();
  sys->load = shake;
  sys->C = dls_matrix_dense(3, 3);
  assert_non_null(sys->C);
  dls_matrix_set(sys->C, 1, 1, 0.3);
  dls_matrix_set(sys->C, 2, 2, 0.1);
  assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
  assert_ok(
      dls_energy_run(&(dls_energy_spec){.sys = sys, .choice = &choice, .step = 4e-3, .end = 2}, &ledger, &err),
      err);
  assert_between(fabs(ledger->external), 1e-2, 10);
  assert_between(ledger->damping, -10, -1e-2);
  assert_between(fabs(ledger->impact), 1e-5, 1);
  assert_between(fabs(ledger->residual), 0, 1e-12);
  dls_energy_destroy(ledger);
  dls_system_destroy(sys);
}

/* A mass that starts inside is held there while the rest finds its balance: no force. */
DLS_TEST(the_start_asks_nothing_of_contacts_of_masses)
{
  dls_error err = {0};
  dls_system *sys = lever();
  sys->w[2] = -1e-3;
  dls_sim *sim = sim_of(sys);
  assert_ok(dls_sim_start(sim, &err), err);
  assert_close(sim->lambda[2], 0, 0);
  assert_close(sim->q[2], 0, 0);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

/* Standing under its weight: at the start the lowest node goes where the bar above presses it, and the floor carries what it
 * must. */
DLS_TEST(the_start_is_in_balance_without_mass)
{
  test_run run = dls_test_run("elastic-bar:mass=redistributed,h0=0,v0=0,g=9.81,n=20", scheme, 1e-3, 5e-3);
  assert_close(dls_test_value(&run, 0, "q0"), 0, 1e-15);
  assert_between(dls_test_value(&run, 0, "lambda0"), 0, 1e-10);
  assert_close(dls_test_value(&run, run.traj->rows - 1, "g0"), 0, 1e-15);
  dls_test_free(&run);
  test_run hung = dls_test_prepare("elastic-bar:mass=redistributed,n=20", scheme);
  hung.sim->q[1] += 0.01; /* pulls the lowest node along */
  dls_error err = {0};
  assert_ok(dls_sim_start(hung.sim, &err), err);
  assert_close(hung.sim->q[0], hung.sim->q[1], 1e-12);
  dls_test_free(&hung);
}

/* The energy of a step, with gravity and damping, by its identity. */
DLS_TEST(free_fall_keeps_the_bar_undeformed)
{
  test_run run =
      dls_test_run("elastic-bar:mass=redistributed,g=9.81,h0=20,v0=0,n=10,alpha=0.1", scheme, 1e-2, 1);
  for (size_t i = 1; i < run.sys->n; i++) {
    assert_close(run.sim->q[i], run.sim->q[0], 1e-11);
  }
  dls_test_free(&run);
}

static void assert_refuses(const char *name, const char *model)
{
  dls_error err = {0};
  char text[100];
  test_run run = dls_test_prepare(model, name);
  const dls_run_spec spec = {.step = 1e-3, .end = 0.01};
  assert_int_equal(dls_run(run.sim, &spec, &err), DLS_ERR_NOT_APPLICABLE);
  snprintf(text, sizeof text, "scheme %.40s does not treat coordinates without mass", name);
  assert_non_null(strstr(err.text, text));
  dls_test_free(&run);
}

DLS_TEST(schemes_that_divide_by_the_mass_refuse_by_name)
{
  for (const dls_scheme *const *s = dls_schemes(); *s != NULL; s++) {
    if (!((*s)->handles & DLS_HANDLES_MASSLESS) && !((*s)->handles & DLS_HANDLES_NO_CONTACT)) {
      assert_refuses((*s)->name, "rod-impact:mass=redistributed");
    }
  }
  assert_refuses("event-driven", "elastic-bar:mass=redistributed");
}

/* One element has not enough entries for three moments: its mass goes to the upper node, and the run says so. */
DLS_TEST(a_mesh_too_coarse_for_the_moments_is_told_of)
{
  test_run run = dls_test_run("elastic-bar:n=1,mass=redistributed", scheme, 1e-3, 0.6);
  bool told = false;
  for (size_t i = 0; i < run.traj->meta_count; i++) {
    told = told || strncmp(run.traj->meta[i], "remark: mass=redistributed: ", 28) == 0;
  }
  assert_true(told);
  assert_close(dls_matrix_get(run.sys->M, 1, 1), 10, 1e-13);
  dls_test_free(&run);
}

/* The lowest bead hits the floor, and the impact passes through the column: one contact closes for each problem, until all are
 * in it. */
DLS_TEST(an_impact_through_a_column_takes_few_contact_problems)
{
  enum { STEPS = 300, BEADS = 512 };
  test_run run = dls_test_run("bead-column:N=512,gap=1.3671875e-4,e=0.5", scheme, 1e-3, 1e-3 * STEPS);
  assert_between((double)run.sim->work.lcp_solves / STEPS, 1, 3);
  assert_in_range(run.sim->work.impacts, 100 * STEPS, 200 * STEPS);
  for (size_t j = 0; j < BEADS; j++) {
    assert_true(run.sim->lambda[j] >= 0);
    assert_between(run.sim->g[j], -1e-12, 1);
    assert_true(run.sim->lambda[j] == 0 || run.sim->g[j] < 1e-12);
  }
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_elastic_bar_keeps_its_energy_and_has_a_quiet_force),
      cmocka_unit_test(the_rod_keeps_its_energy_and_has_a_quiet_force),
      cmocka_unit_test(positions_have_order_two_through_closing_and_opening),
      cmocka_unit_test(contacts_that_move_masses_too_keep_the_identity),
      cmocka_unit_test(the_ledger_of_the_scheme_closes),
      cmocka_unit_test(the_start_asks_nothing_of_contacts_of_masses),
      cmocka_unit_test(the_start_is_in_balance_without_mass),
      cmocka_unit_test(free_fall_keeps_the_bar_undeformed),
      cmocka_unit_test(schemes_that_divide_by_the_mass_refuse_by_name),
      cmocka_unit_test(a_mesh_too_coarse_for_the_moments_is_told_of),
      cmocka_unit_test(an_impact_through_a_column_takes_few_contact_problems),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
