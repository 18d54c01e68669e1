/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "multibody_runs.h"
#include <delassus/balance.h>
#include <delassus/catalogue.h>
#include <math.h>
#include <stdlib.h>

double dls_test_mechanical(const dls_sim *sim)
{
  const dls_system *sys = sim->sys;
  double *work = calloc(sys->n, sizeof *work);
  assert_non_null(work);
  const double kinetic = 0.5 * dls_balance_product(sys->M, sys->n, sim->v, sim->v, work);
  const double E = kinetic + dls_balance_potential(sys, sim->q, work);
  free(work);
  return E;
}

void dls_test_ledger_add(test_ledger *l, const dls_sim *sim)
{
  const dls_system *sys = sim->sys;
  const double E = dls_test_mechanical(sim);
  l->first = l->least > l->most ? E : l->first;
  l->last = E;
  l->least = fmin(l->least, E);
  l->most = fmax(l->most, E);
  dls_matrix *G = dls_matrix_clone(sys->G);
  dls_system_joint_gradient(sys, sim->t, sim->q, G);
  for (size_t k = 0; k < sys->r; k++) {
    l->joints = fmax(l->joints, fabs(sim->phi[k]));
    l->rates = fmax(l->rates, fabs(dls_matrix_column_dot(G, k, sim->v)));
  }
  dls_matrix_destroy(G);
}

static dls_status keep(void *data, const dls_sim *sim, dls_error *err)
{
  (void)err;
  dls_test_ledger_add(data, sim);
  return DLS_OK;
}

test_ledger dls_test_energies(const char *model, const char *scheme, double step, double end)
{
  dls_error err = {0};
  test_ledger l = {.least = HUGE_VAL, .most = -HUGE_VAL};
  test_run run = dls_test_prepare(model, scheme);
  const dls_run_spec spec = {.step = step, .end = end, .watch = keep, .watch_data = &l};
  assert_ok(dls_run(run.sim, &spec, &err), err);
  dls_test_free(&run);
  return l;
}

double dls_test_multiplier_error(const char *model, const char *scheme, double h, double end, double late)
{
  dls_error err = {0};
  double worst = 0;
  test_run run = dls_test_run(model, scheme, h, end);
  for (size_t i = 1; i < run.traj->rows; i++) {
    dls_trajectory *exact = NULL;
    const double t = dls_trajectory_at(run.traj, i, 0) - late * h;
    assert_ok(dls_exact_at(dls_exact_find(model), NULL, 1, &t, &exact, &err), err);
    const size_t j = (size_t)dls_trajectory_column(exact, "mu0");
    worst = fmax(worst, fabs(dls_test_value(&run, i, "mu0") - dls_trajectory_at(exact, 0, j)));
    dls_trajectory_destroy(exact);
  }
  dls_test_free(&run);
  return worst;
}
