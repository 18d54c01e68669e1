/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/multibody/yielding.h"
#include "common/base/arrays.h"
#include "common/linear/storage.h"
#include "time_stepping/step/conserving_pressure.h"
#include <stdlib.h>

bool dls_yielding_create(const dls_sim *sim, dls_place *place, double kappa, dls_yielding *c)
{
  const size_t m = sim->sys->m;
  *c = (dls_yielding){.kappa = kappa, .place = place};
  c->block = dls_arrays((const dls_slot[]){{m, {&c->y, &c->next, &c->force}}, {0}});
  if (m == 0) {
    return true;
  }
  c->slope = dls_matrix_clone(place->normals);
  c->one = dls_matrix_diagonal(m);
  if (c->block == NULL || c->slope == NULL || c->one == NULL) {
    return false;
  }
  dls_system_gap(sim->sys, sim->t, sim->q, c->y);
  for (size_t j = 0; j < m; j++) {
    dls_matrix_set(c->one, j, j, 1);
  }
  return true;
}

void dls_yielding_destroy(dls_yielding *c)
{
  dls_matrix_destroy(c->slope);
  dls_matrix_destroy(c->one);
  free(c->block);
}

/* slope := x (column j of H) */
static void scale_column(const dls_yielding *c, size_t j, double x)
{
  const dls_column column = dls_matrix_column(c->place->normals, j);
  for (size_t e = 0; e < column.count; e++) {
    dls_matrix_set(c->slope, dls_column_row(&column, e), j, x * column.values[e]);
  }
}

/* y' and the force of contact j. @return -df/dy' */
static double press(const dls_sim *sim, dls_yielding *c, size_t j, const double *q_next)
{
  const dls_place *place = c->place;
  const dls_matrix *H = place->normals;
  double slope = 0;
  c->next[j] = c->y[j] + dls_matrix_column_dot(H, j, q_next) - dls_matrix_column_dot(H, j, sim->q) +
               (place->moves ? c->h * place->b[place->d * j] : 0); /* y' */
  c->force[j] = dls_conserving_pressure(c->kappa, c->y[j], c->next[j], &slope);
  return slope;
}

void dls_yielding_push(const dls_sim *sim, dls_yielding *c, double h, const double *middle,
                       const double *q_next, double *x)
{
  c->h = h;
  dls_place_contacts(c->place, sim->t + h / 2, middle);
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double slope = press(sim, c, j, q_next);
    dls_matrix_column_add(c->place->normals, j, h * c->force[j], x);
    scale_column(c, j, h * h / 2 * slope);
  }
}

void dls_yielding_take(dls_sim *sim, dls_yielding *c, double h, const double *q_next)
{
  dls_system_gap(sim->sys, dls_sim_next_time(sim, h), q_next, sim->g);
  for (size_t j = 0; j < sim->sys->m; j++) {
    press(sim, c, j, q_next); /* of the last iterate */
    const bool closed = c->next[j] <= 0;
    c->y[j] = !closed && sim->g[j] >= 0 ? sim->g[j] : c->next[j]; /* released inside: it keeps its y > 0 */
    sim->lambda[j] = c->force[j];
    sim->p[j] = h * c->force[j];
    sim->status[j] = closed;
  }
}

double dls_yielding_energy(const dls_yielding *c, size_t m)
{
  double sum = 0;
  for (size_t j = 0; j < m; j++) {
    sum += c->y[j] < 0 ? 0.5 * c->kappa * c->y[j] * c->y[j] : 0;
  }
  return sum;
}
