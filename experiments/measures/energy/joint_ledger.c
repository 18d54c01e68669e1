/* experiments/measures/energy/joint_ledger.c -- see joint_ledger.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/energy/joint_ledger.h"
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include "common/linear/storage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Coordinates in m that belong together: those with the same name behind " of ". */
static void find_bodies(const dls_system *sys, dls_joint_ledger *l)
{
  char last[DLS_COORDINATE_ROOM] = "";
  for (size_t i = 0; i < sys->n; i++) {
    dls_coordinate c;
    dls_system_coordinate(sys, i, &c);
    const char *of = strstr(c.name, " of ");
    const char *body = of != NULL ? of + 4 : "";
    if (strcmp(c.unit, "m") == 0) {
      l->bodies += l->bodies == 0 || strcmp(body, last) != 0;
      l->body[i] = l->bodies;
      snprintf(last, sizeof last, "%s", body);
    }
  }
}

static void find_joints(const dls_system *sys, dls_joint_ledger *l)
{
  for (size_t i = 0; i < sys->r; i++) {
    char name[80];
    dls_joint_name(sys, i, name, sizeof name);
    char *colon = strstr(name, ": ");
    if (colon != NULL) {
      *colon = '\0';
    }
    dls_joint_entry *j = l->count > 0 ? &l->joints[l->count - 1] : NULL;
    if (j == NULL || strncmp(j->name, name, DLS_JOINT_LABEL - 1) != 0) {
      j = &l->joints[l->count++];
      j->first = i;
      snprintf(j->name, sizeof j->name, "%.*s", DLS_JOINT_LABEL - 1, name);
    }
    j->count++;
  }
}

dls_status dls_joint_ledger_create(const dls_system *sys, dls_joint_ledger *l, dls_error *err)
{
  *l = (dls_joint_ledger){0};
  if (sys->r == 0) {
    return DLS_OK;
  }
  l->joints = calloc(sys->r, sizeof *l->joints);
  l->body = calloc(sys->n, sizeof *l->body);
  l->G = dls_matrix_clone(sys->G);
  l->block = dls_arrays(
      (const dls_slot[]){{sys->r, {&l->rate}}, {sys->n, {&l->force}}, {sys->n + 1, {&l->squares}}, {0}});
  if (l->joints == NULL || l->body == NULL || l->G == NULL || l->block == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the forces of %zu joint equations", sys->r);
  }
  find_bodies(sys, l);
  find_joints(sys, l);
  return DLS_OK;
}

void dls_joint_ledger_release(dls_joint_ledger *l)
{
  free(l->joints);
  free(l->body);
  dls_matrix_destroy(l->G);
  free(l->block);
  *l = (dls_joint_ledger){0};
}

/* Largest |sum G_i mu_i| of a body. Only entries of the joint are read; force and squares are 0 before and after. */
static void look_at_force(dls_joint_ledger *l, const dls_sim *sim, dls_joint_entry *j)
{
  const size_t past = j->first + j->count;
  double most = 0;
  for (size_t i = j->first; i < past; i++) {
    dls_matrix_column_add(l->G, i, sim->mu[i], l->force);
  }
  for (size_t i = j->first; i < past; i++) {
    const dls_column c = dls_matrix_column(l->G, i);
    for (size_t e = 0; e < c.count; e++) {
      const size_t k = dls_column_row(&c, e);
      double *square = &l->squares[l->body[k]];
      *square += l->force[k] * l->force[k];
      l->force[k] = 0; /* counted once */
      most = l->body[k] > 0 ? fmax(most, *square) : most;
    }
  }
  for (size_t i = j->first; i < past; i++) {
    const dls_column c = dls_matrix_column(l->G, i);
    for (size_t e = 0; e < c.count; e++) {
      l->squares[l->body[dls_column_row(&c, e)]] = 0;
    }
  }
  j->acts = j->acts || most > 0;
  j->force = dls_larger(j->force, sqrt(most));
}

void dls_joint_ledger_look(dls_joint_ledger *l, const dls_sim *sim)
{
  if (l->count == 0) {
    return;
  }
  dls_system_joint_gradient(sim->sys, sim->t, sim->q, l->G);
  dls_system_joint_rate(sim->sys, sim->t, sim->q, l->rate);
  dls_matrix_multiply_transposed(l->G, 1, sim->v, l->rate);
  for (size_t i = 0; i < sim->sys->r; i++) {
    const double phi = fabs(sim->phi[i]);
    l->worst_equation = !(phi <= l->worst) ? i : l->worst_equation;
    l->worst = dls_larger(l->worst, phi);
    l->worst_rate = dls_larger(l->worst_rate, fabs(l->rate[i]));
  }
  for (size_t j = 0; j < l->count; j++) {
    look_at_force(l, sim, &l->joints[j]);
  }
}
