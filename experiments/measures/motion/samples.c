/* experiments/measures/motion/samples.c -- the model's forces and contacts along a trajectory of any program.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/motion/samples.h"
#include "common/base/memory.h"
#include <delassus/balance.h>
#include <delassus/contact_system.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static dls_status reserve(dls_samples *s, dls_error *err)
{
  const size_t states = dls_size_product(s->rows, s->n), contacts = dls_size_product(s->rows, s->m);
  const size_t of_row = dls_size_product(s->rows, 2 + 3 * s->n + (2 * s->d + 1) * s->m);
  s->block = calloc(dls_size_sum(of_row, 1), sizeof *s->block);
  if (s->block == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu rows of a trajectory", s->rows);
  }
  s->t = s->block;
  s->kinetic = s->t + s->rows;
  s->q = s->kinetic + s->rows;
  s->v = s->q + states;
  s->force = s->v + states;
  s->g = s->force + states;
  s->u = s->g + contacts;
  s->a = s->u + contacts;
  s->slip = s->a + contacts;
  s->tangent = s->slip + (s->d - 1) * contacts;
  return DLS_OK;
}

/* to[rows x n] := the columns prefix0, ... @return position of the first that is missing, n if none is */
static size_t copy_columns(const dls_samples *s, const dls_trajectory *traj, const char *prefix, double *to)
{
  for (size_t i = 0; i < s->n; i++) {
    char name[40];
    snprintf(name, sizeof name, "%s%zu", prefix, i);
    const int column = dls_trajectory_column(traj, name);
    if (column < 0) {
      return i;
    }
    for (size_t k = 0; k < s->rows; k++) {
      to[k * s->n + i] = dls_trajectory_at(traj, k, (size_t)column);
    }
  }
  return s->n;
}

/* v of a row by the difference to the row before, at the right limit of a jump to the next row; at the start, v of the model. */
static void difference(const dls_system *sys, dls_samples *s)
{
  memcpy(s->v, sys->v0, s->n * sizeof *s->v);
  for (size_t k = 1; k < s->rows; k++) {
    const bool jump = s->t[k] == s->t[k - 1] && k + 1 < s->rows;
    const size_t later = jump ? k + 1 : k;
    const double h = s->t[later] - s->t[later - 1];
    for (size_t i = 0; i < s->n; i++) {
      const double *q = s->q + later * s->n + i;
      s->v[k * s->n + i] = h > 0 ? (q[0] - q[-(ptrdiff_t)s->n]) / h : s->v[(k - 1) * s->n + i];
    }
  }
}

/* slip[(d - 1) m] of row k: the mean since the row before, computed from q, so that slip in positions alone counts. */
static void find_slip(const dls_contact_system *contacts, dls_samples *s, size_t k, double *v, double *u)
{
  const double h = k > 0 ? s->t[k] - s->t[k - 1] : 0;
  if (!(h > 0)) {
    return;
  }
  for (size_t i = 0; i < s->n; i++) {
    v[i] = (s->q[k * s->n + i] - s->q[(k - 1) * s->n + i]) / h;
  }
  dls_configuration_velocity(contacts->config, v, u);
  for (size_t j = 0; j < s->m; j++) {
    memcpy(s->slip + (k * s->m + j) * (s->d - 1), u + s->d * j + 1, (s->d - 1) * sizeof *s->slip);
  }
}

/* Row k: forces and contacts of the model. scratch: n + rows of contacts, twice. */
static dls_status evaluate(const dls_system *sys, dls_contact_system *contacts, dls_samples *s, size_t k,
                           double *scratch, dls_error *err)
{
  const double *q = s->q + k * s->n, *v = s->v + k * s->n;
  double *a = scratch, *rate = a + s->n, *c = rate + s->d * s->m;
  const dls_status status = dls_contact_system_at(contacts, s->t[k], q, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_system_force(sys, s->t[k], q, v, s->force + k * s->n);
  memcpy(a, s->force + k * s->n, s->n * sizeof *a);
  dls_contact_system_acceleration(contacts, v, a);
  s->kinetic[k] = 0.5 * dls_balance_product(contacts->config->M, s->n, v, v, c + s->d * s->m);
  if (s->m == 0) {
    return DLS_OK;
  }
  dls_configuration_gap(contacts->config, s->g + k * s->m);
  dls_configuration_curvature(contacts->config, v, c);
  dls_configuration_acceleration(contacts->config, a, c, rate);
  for (size_t j = 0; j < s->m; j++) {
    s->a[k * s->m + j] = rate[s->d * j];
  }
  dls_configuration_velocity(contacts->config, v, rate);
  for (size_t j = 0; j < s->m; j++) {
    s->u[k * s->m + j] = rate[s->d * j];
    memcpy(s->tangent + (k * s->m + j) * (s->d - 1), rate + s->d * j + 1, (s->d - 1) * sizeof *s->tangent);
  }
  find_slip(contacts, s, k, a, rate);
  return DLS_OK;
}

static dls_status evaluate_all(const dls_system *sys, dls_samples *s, dls_error *err)
{
  dls_work unused = {0};
  dls_contact_system contacts = {0};
  double *scratch = malloc((2 * s->n + 2 * s->d * s->m) * sizeof *scratch);
  dls_status status = scratch == NULL ? dls_fail(err, DLS_ERR_MEMORY, "no memory for a trajectory's forces")
                                      : dls_contact_system_create_mass(sys, &unused, &contacts, err);
  for (size_t k = 0; k < s->rows && status == DLS_OK; k++) {
    status = evaluate(sys, &contacts, s, k, scratch, err);
  }
  dls_contact_system_destroy(&contacts);
  free(scratch);
  return status;
}

static size_t rows_until(const dls_trajectory *traj, double end)
{
  size_t rows = traj->rows;
  while (rows > 0 && dls_trajectory_at(traj, rows - 1, 0) > end) {
    rows--;
  }
  return rows;
}

dls_status dls_samples_take(const dls_system *sys, const dls_trajectory *traj, double end, dls_samples *out,
                            dls_error *err)
{
  *out = (dls_samples){.rows = rows_until(traj, end), .n = sys->n, .m = sys->m, .d = sys->d};
  dls_status status = reserve(out, err);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t k = 0; k < out->rows; k++) {
    out->t[k] = dls_trajectory_at(traj, k, 0);
  }
  const size_t missing = copy_columns(out, traj, "q", out->q);
  if (missing < out->n) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                    "what happens at the contacts is not measured without the column q%zu", missing);
  }
  out->measured_v = copy_columns(out, traj, "v", out->v) == out->n;
  if (!out->measured_v && out->rows > 0) {
    difference(sys, out);
  }
  return evaluate_all(sys, out, err);
}

void dls_samples_clear(dls_samples *samples)
{
  free(samples->block);
  *samples = (dls_samples){0};
}
