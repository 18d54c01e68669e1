/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/multibody/yielding.h"
#include "common/base/arrays.h"
#include "common/linear/storage.h"
#include "time_stepping/step/conserving_pressure.h"
#include <stdlib.h>

/* @return false if out of memory */
static bool create_matrices(const dls_sim *sim, dls_yielding *c)
{
  const bool turns = sim->sys->gap_turn != NULL;
  c->slope = dls_matrix_clone(c->config->normals);
  c->one = dls_matrix_diagonal(sim->sys->m);
  c->turn = turns ? dls_matrix_clone(c->config->normals) : NULL;
  c->bent = turns ? dls_matrix_clone(sim->sys->gap_geometric) : NULL;
  return c->slope != NULL && c->one != NULL && (!turns || (c->turn != NULL && c->bent != NULL));
}

bool dls_yielding_create(const dls_sim *sim, dls_configuration *config, dls_yielding_rule rule, double kappa,
                         dls_yielding *c)
{
  const size_t m = sim->sys->m;
  *c = (dls_yielding){.rule = rule, .kappa = kappa, .config = config};
  c->block = dls_arrays(
      (const dls_slot[]){{m, {&c->y, &c->next, &c->change, &c->force}}, {sim->sys->n, {&c->step}}, {0}});
  if (m == 0) {
    return true;
  }
  if (c->block == NULL || !create_matrices(sim, c)) {
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
  dls_matrix_destroy(c->turn);
  dls_matrix_destroy(c->bent);
  free(c->block);
}

/* Column j of slope := h^2/2 D dy/dq', where dy/dq' is H plus half its change with q', or half of H. */
static void set_slope(const dls_yielding *c, size_t j, double D)
{
  const bool middle = c->rule == DLS_YIELDING_MIDDLE, turns = !middle && c->turn != NULL;
  const double x = c->h * c->h / 2 * D;
  const dls_column column = dls_matrix_column(c->config->normals, j);
  for (size_t e = 0; e < column.count; e++) {
    const size_t row = dls_column_row(&column, e);
    const double by_q = turns    ? column.values[e] + 0.5 * dls_matrix_get(c->turn, row, j)
                        : middle ? 0.5 * column.values[e]
                                 : column.values[e];
    dls_matrix_set(c->slope, row, j, x * by_q);
  }
}

/* y' of a dynamic gap. */
static double advanced(const dls_sim *sim, const dls_yielding *c, size_t j, const double *q_next)
{
  const dls_configuration *config = c->config;
  return c->y[j] + dls_matrix_column_dot(config->normals, j, q_next) -
         dls_matrix_column_dot(config->normals, j, sim->q) +
         (config->moves ? c->h * config->b[config->d * j] : 0);
}

/* The force of contact j at its y' or, MIDDLE, at the gap of the middle, stored in next. @return -df/dy */
static double press(const dls_sim *sim, dls_yielding *c, size_t j, const double *q_next)
{
  double slope = 0;
  if (c->rule == DLS_YIELDING_MIDDLE) {
    slope = c->next[j] < 0 ? c->kappa : 0;
    c->force[j] = -slope * c->next[j];
    return slope;
  }
  c->next[j] = advanced(sim, c, j, q_next);
  c->force[j] = dls_conserving_pressure(c->kappa, c->y[j], c->next[j], &slope);
  return slope;
}

void dls_yielding_push(const dls_sim *sim, dls_yielding *c, double h, const double *middle,
                       const double *q_next, double *x)
{
  const dls_system *sys = sim->sys;
  c->h = h;
  dls_configuration_contacts(c->config, sim->t + h / 2, middle);
  if (c->rule == DLS_YIELDING_MIDDLE) {
    dls_configuration_gap(c->config, c->next);
  } else if (c->turn != NULL) {
    for (size_t i = 0; i < sys->n; i++) {
      c->step[i] = q_next[i] - sim->q[i];
    }
    sys->gap_turn(sys, sim->t + h / 2, middle, c->step, c->turn);
  }
  for (size_t j = 0; j < sys->m; j++) {
    const double slope = press(sim, c, j, q_next);
    dls_matrix_column_add(c->config->normals, j, h * c->force[j], x);
    set_slope(c, j, slope);
  }
  if (c->bent != NULL) {
    sys->gap_stiffness(sys, sim->t + h / 2, middle, c->force, c->bent);
  }
}

void dls_yielding_take(dls_sim *sim, dls_yielding *c, double h, const double *q_next)
{
  const bool conserving = c->rule == DLS_YIELDING_CONSERVING;
  dls_system_gap(sim->sys, dls_sim_next_time(sim, h), q_next, sim->g);
  for (size_t j = 0; j < sim->sys->m; j++) {
    press(sim, c, j, q_next); /* of the last iterate */
    const bool closed = conserving ? c->next[j] <= 0 : c->force[j] > 0;
    const bool released_inside = conserving && sim->g[j] < 0; /* keeps its y > 0 */
    c->change[j] = (conserving ? c->next[j] : sim->g[j]) - c->y[j];
    c->y[j] = conserving && (closed || released_inside) ? c->next[j] : sim->g[j];
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
