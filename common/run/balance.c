/* balance.c -- products that the energy identities are made of.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/balance.h>
#include <string.h>

double dls_balance_dot(size_t n, const double *x, const double *y)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += x[i] * y[i];
  }
  return sum;
}

double dls_balance_potential(const dls_system *sys, const double *q, double *work)
{
  if (sys->linear) {
    return 0.5 * dls_balance_product(sys->K, sys->n, q, q, work);
  }
  return sys->potential != NULL ? sys->potential(sys, q) : 0;
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
  const size_t n = sim->sys->n;
  return 0.5 * dls_balance_product(sim->sys->M, n, sim->v, sim->v, work) +
         0.5 * dls_balance_product(sim->K, n, sim->q, sim->q, work);
}

double dls_balance_along(const dls_sim *sim, size_t j, const double *v)
{
  double work = 0;
  for (size_t i = 0; i < sim->sys->d; i++) {
    work += dls_sim_impulse(sim, j, i) * dls_matrix_column_dot(sim->place.H, sim->sys->d * j + i, v);
  }
  return work;
}

double dls_balance_impact(const dls_sim *sim, const double *v)
{
  double work = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (sim->sys->d > 1 && sim->p[j] != 0) {
      work += 0.5 * (dls_balance_along(sim, j, v) + dls_balance_along(sim, j, sim->v));
    } else if (sim->p[j] != 0) {
      const double before = dls_matrix_column_dot(sim->sys->H, j, v);
      const double after = dls_matrix_column_dot(sim->sys->H, j, sim->v);
      work += 0.5 * (before + after) * sim->p[j];
    }
  }
  return work;
}
