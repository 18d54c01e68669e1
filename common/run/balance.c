/* balance.c -- products that occur in the energy identities.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/balance.h>
#include <delassus/scheme.h>
#include <string.h>

double dls_balance_dot(size_t n, const double *x, const double *y)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += x[i] * y[i];
  }
  return sum;
}

const dls_balance *dls_balance_of(const dls_sim *sim)
{
  const dls_balance *balance = sim->scheme->balance;
  return balance != NULL && balance->of_options != NULL ? balance->of_options(sim) : balance;
}

double dls_balance_works_at(const dls_sim *sim)
{
  const dls_balance *balance = sim->scheme->balance;
  return balance->works_at != NULL ? balance->works_at(sim) : balance->at_node ? 1 : 0.5;
}

double dls_balance_load_potential(const dls_system *sys, const double *q, double *work)
{
  if (!dls_system_has_steady_load(sys)) {
    return 0;
  }
  dls_system_load(sys, 0, work);
  return -dls_balance_dot(sys->n, work, q);
}

double dls_balance_load_work(const dls_system *sys, const double *F, const double *dx)
{
  return dls_system_has_steady_load(sys) ? 0 : dls_balance_dot(sys->n, F, dx);
}

double dls_balance_potential(const dls_system *sys, const double *q, double *work)
{
  if (sys->linear) {
    return 0.5 * dls_balance_product(sys->K, sys->n, q, q, work) + dls_balance_load_potential(sys, q, work);
  }
  return sys->potential != NULL ? sys->potential(sys, q) : 0;
}

double dls_balance_potential_gain(const dls_sim *sim, const double *q, double *work)
{
  const dls_system *sys = sim->sys;
  return sys->linear ? dls_balance_potential(sys, sim->q, work) - dls_balance_potential(sys, q, work) : 0;
}

double dls_balance_kinetic(const dls_system *sys, const double *v, double *work)
{
  return 0.5 * dls_balance_product(sys->M, sys->n, v, v, work);
}

double dls_balance_product(const dls_matrix *A, size_t n, const double *x, const double *y, double *work)
{
  if (A == NULL) {
    return 0;
  }
  memset(work, 0, n * sizeof *work);
  dls_matrix_multiply(A, 1, y, work);
  return dls_balance_dot(n, x, work);
}

double dls_balance_mechanical(const dls_sim *sim, double *work)
{
  return dls_balance_kinetic(sim->sys, sim->v, work) + dls_balance_potential(sim->sys, sim->q, work);
}

double dls_balance_impulses(const dls_sim *sim, const double *v)
{
  const size_t d = sim->sys->d;
  double work = 0;
  for (size_t row = 0; row < d * sim->sys->m; row++) {
    const double p = dls_sim_impulse(sim, row / d, row % d);
    work += p != 0 ? p * dls_matrix_column_dot(sim->config.H, row, v) : 0;
  }
  return work;
}

double dls_balance_impact(const dls_sim *sim, const double *v)
{
  return 0.5 * (dls_balance_impulses(sim, v) + dls_balance_impulses(sim, sim->v));
}
