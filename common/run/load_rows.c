/* load_rows.c -- the exact impulse of tabulated loads in a step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/load_rows.h"
#include "common/base/arrays.h"
#include <math.h>
#include <stdlib.h>

struct dls_load_rows {
  bool on;                     /* stages use the constant load C */
  double *constant, *at, *end; /* n: C of (2); L at some time; L(b) */
  double *block;
};

bool dls_load_rows_create(dls_sim *sim)
{
  if (sim->sys->load_mean == NULL) {
    return true;
  }
  dls_load_rows *r = sim->load_rows = calloc(1, sizeof *r);
  if (r != NULL) {
    r->block = dls_arrays((const dls_slot[]){{sim->sys->n, {&r->constant, &r->at, &r->end}}, {0}});
  }
  return r != NULL && r->block != NULL;
}

void dls_load_rows_destroy(dls_sim *sim)
{
  if (sim->load_rows != NULL) {
    free(sim->load_rows->block);
    free(sim->load_rows);
    sim->load_rows = NULL;
  }
}

void dls_load_rows_add(const dls_sim *sim, double t, double *F)
{
  const dls_load_rows *r = sim->load_rows;
  if (!r->on) {
    return;
  }
  dls_system_load(sim->sys, t, r->at);
  for (size_t i = 0; i < sim->sys->n; i++) {
    F[i] += r->constant[i] - r->at[i];
  }
}

bool dls_sim_load_impulse(const dls_sim *sim, double a, double b, double weight, double *impulse)
{
  const dls_load_rows *r = sim->load_rows;
  if (r == NULL || !dls_system_load_mean(sim->sys, a, b, impulse)) {
    return false;
  }
  dls_system_load(sim->sys, a, r->at);
  dls_system_load(sim->sys, b, r->end);
  for (size_t i = 0; i < sim->sys->n; i++) {
    impulse[i] = (b - a) * (impulse[i] - (1 - weight) * r->at[i] - weight * r->end[i]); /* D of (1) */
  }
  return true;
}

void dls_sim_load_begin(dls_sim *sim, double a, double b, double weight)
{
  dls_load_rows *r = sim->load_rows;
  if (r == NULL || !(a < b) || !dls_system_load_mean(sim->sys, a, b, r->constant)) {
    return;
  }
  r->on = true;
  if (weight != 0) {
    dls_system_load(sim->sys, a, r->at);
    for (size_t i = 0; i < sim->sys->n; i++) {
      r->constant[i] = (r->constant[i] - weight * r->at[i]) / (1 - weight); /* C of (2) */
    }
  }
}

void dls_sim_load_end(dls_sim *sim)
{
  if (sim->load_rows != NULL) {
    sim->load_rows->on = false;
  }
}

size_t dls_sim_steps_before_row(const dls_sim *sim, double h, size_t most)
{
  if (sim->load_rows == NULL) {
    return most;
  }
  const double row = dls_system_next_break(sim->sys, sim->t),
               before = (row - sim->t) / h - 2; /* schemes look ahead by less than 2 h */
  return before < (double)most ? (size_t)fmax(before, 0) : most;
}
