/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/joint_steps.h"
#include "common/linear/storage.h"
#include <float.h>
#include <math.h>

static const double largest_step = 0.3; /* in units of length */
static const double regular = 1e-14;

dls_newton dls_joint_newton(const dls_sim *sim, const dls_newton_options *opt, double h)
{
  dls_newton newton = dls_newton_of_velocity(sim->sys, opt);
  newton.tolerance += sim->sys->r > 0 ? 16 * DBL_EPSILON * sim->sys->length / (h / 2) : 0;
  return newton;
}

double dls_joint_damping(const dls_sim *sim, double change_of_q)
{
  const double most = largest_step * sim->sys->length;
  return (sim->sys->r == 0 && sim->sys->gap_turn == NULL) || !(change_of_q > most) ? 1 : most / change_of_q;
}

void dls_joint_retreat(size_t n, double part, const double *last, double *x)
{
  for (size_t i = 0; i < n; i++) {
    x[i] = last[i] + part * (x[i] - last[i]);
  }
}

double dls_joint_shrink(const dls_sim *sim, const dls_matrix *G)
{
  const dls_matrix *M = sim->sys->M;
  const double *masses = M->storage == DLS_DIAGONAL ? M->values : NULL;
  double most = 0;
  for (size_t k = 0; k < sim->sys->r; k++) {
    const dls_column column = dls_matrix_column(G, k);
    double sum = 0;
    for (size_t e = 0; e < column.count; e++) {
      const size_t i = dls_column_row(&column, e);
      sum += column.values[e] * column.values[e] / (masses != NULL ? masses[i] : dls_matrix_get(M, i, i));
    }
    most = fmax(most, sum);
  }
  return regular * most;
}
