/* derived.c -- contact force, use of friction, energies and momenta along a run.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/energy/derived.h"
#include "common/run/contact_work.h"
#include <delassus/measures.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 32, PLANE = 2 /* rows of a contact */ };

/* Position of recorded works of contact, which are not computed from nodes; without them the number of columns. */
static size_t node_columns(const dls_trajectory *traj)
{
  const int works = dls_trajectory_column(traj, "work_normal");
  return works > 0 ? (size_t)works : traj->columns;
}

/* Names: those of traj, force0.., in the plane slip0.., drag0.., the measures. One block; NULL if out of memory. */
static char **list_names(const dls_trajectory *traj, const char *const *measures, size_t columns)
{
  const size_t nodes = node_columns(traj);
  static const char *const kinds[] = {"force", "slip", "drag"};
  const size_t kind_count = traj->d == PLANE ? 3 : 1;
  char **names = malloc(columns * (sizeof *names + NAME_SIZE));
  for (size_t j = 0; names != NULL && j < columns; j++) {
    names[j] = (char *)(names + columns) + j * NAME_SIZE;
    const size_t extra = j - nodes;
    if (j < nodes) {
      snprintf(names[j], NAME_SIZE, "%s", traj->names[j]);
    } else if (extra < kind_count * traj->m) {
      snprintf(names[j], NAME_SIZE, "%s%zu", kinds[extra / traj->m], extra % traj->m);
    } else {
      snprintf(names[j], NAME_SIZE, "%s", measures[extra - kind_count * traj->m]);
    }
  }
  return names;
}

/* A table of all rows; the new columns are 0. */
static dls_trajectory *copy(const dls_trajectory *traj, const char *const *measures, size_t columns)
{
  char **names = list_names(traj, measures, columns);
  dls_trajectory *table =
      names != NULL ? dls_trajectory_create_table(columns, (const char *const *)names) : NULL;
  bool good = table != NULL;
  for (size_t i = 0; good && i < traj->rows; i++) {
    double *row = dls_trajectory_append(table);
    good = row != NULL;
    if (good) {
      memset(row, 0, columns * sizeof *row);
      memcpy(row, traj->data + i * traj->columns, node_columns(traj) * sizeof *row);
    }
  }
  if (good) {
    memcpy(table->meaning, traj->meaning, node_columns(traj) * sizeof *table->meaning);
  } else {
    dls_trajectory_destroy(table);
    table = NULL;
  }
  free(names);
  return table;
}

/* One past the last row with the time of row i. */
static size_t group_end(const dls_trajectory *traj, size_t i)
{
  size_t end = i + 1;
  while (end < traj->rows && dls_trajectory_at(traj, end, 0) == dls_trajectory_at(traj, i, 0)) {
    end++;
  }
  return end;
}

/* p/h of the step from one time to the next stands in the last row of the former and in the first of the latter. */
static void force_of_steps(dls_trajectory *table, size_t p, size_t force)
{
  size_t last = 0;
  for (size_t begin = group_end(table, 0); begin < table->rows;) {
    const size_t end = group_end(table, begin);
    const double h = dls_trajectory_at(table, begin, 0) - dls_trajectory_at(table, last, 0);
    const double mean = dls_trajectory_at(table, end - 1, p) / h;
    table->data[last * table->columns + force] = mean;
    for (size_t i = begin; i < end; i++) {
      table->data[i * table->columns + force] = mean;
    }
    last = end - 1;
    begin = end;
  }
  table->meaning[force] = DLS_CONSTANT;
}

static void add_force(dls_trajectory *table, size_t j, bool steps, size_t force)
{
  char name[NAME_SIZE];
  snprintf(name, sizeof name, "%s%zu", steps ? "p" : "lambda", j);
  const size_t from = (size_t)dls_trajectory_column(table, name);
  if (steps && table->rows > 0) {
    force_of_steps(table, from, force);
    return;
  }
  table->meaning[force] = table->meaning[from];
  for (size_t i = 0; i < table->rows; i++) {
    table->data[i * table->columns + force] = dls_trajectory_at(table, i, from);
  }
}

/* Slip and drag of an impact, with Fremond's mean slip (u_T+ + u_T-)/2. The impulse of a row acts between the row before and
 * that row. That of a step acts between the start of the step and that row. */
static void add_friction(dls_trajectory *table, const dls_system *sys, size_t j, bool steps, size_t slip)
{
  char name[NAME_SIZE];
  snprintf(name, sizeof name, "p%zu", j);
  const size_t normal = (size_t)dls_trajectory_column(table, name);
  snprintf(name, sizeof name, "p%zut", j);
  const size_t tangent = (size_t)dls_trajectory_column(table, name);
  snprintf(name, sizeof name, "u%zut", j);
  const size_t u = (size_t)dls_trajectory_column(table, name), drag = slip + sys->m;
  for (size_t i = 1; i < table->rows; i++) {
    const double most = sys->mu[j] * dls_trajectory_at(table, i, normal);
    if (most > 0) {
      size_t before = i - 1;
      while (steps && before > 0 && dls_trajectory_at(table, before, 0) == dls_trajectory_at(table, i, 0)) {
        before--;
      }
      table->data[i * table->columns + slip] =
          0.5 * (dls_trajectory_at(table, before, u) + dls_trajectory_at(table, i, u));
      table->data[i * table->columns + drag] = dls_trajectory_at(table, i, tangent) / most;
    }
  }
}

/* Those of the record, or from its rows. */
static void put_works(const dls_trajectory *traj, dls_contact_work *work, size_t i, double *works)
{
  const double *row = traj->data + i * traj->columns;
  const size_t nodes = node_columns(traj);
  if (nodes < traj->columns) {
    memcpy(works, row + nodes, (traj->columns - nodes) * sizeof *works);
    return;
  }
  dls_contact_work_row(work, row);
  dls_contact_work_sums(work, false, works);
}

/* Behind the first columns: energies and momenta, works. */
static void add_measures(dls_trajectory *table, const dls_trajectory *traj, size_t first,
                         dls_measures *measures, dls_contact_work *work)
{
  for (size_t i = 0; i < table->rows; i++) {
    double *row = table->data + i * table->columns, values[DLS_MEASURES_MOST] = {0};
    const double *q = row + 1, *v = q + traj->n;
    put_works(traj, work, i, values + dls_measures_at(measures, row[0], q, v, values));
    memcpy(row + first, values, (table->columns - first) * sizeof *row);
  }
}

/* Data of the run besides its nodes. */
static dls_status copy_record(const dls_trajectory *traj, dls_trajectory *table, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < traj->meta_count && status == DLS_OK; i++) {
    const char *value = strstr(traj->meta[i], ": "); /* as dls_trajectory_note writes it */
    char key[NAME_SIZE];
    snprintf(key, sizeof key, "%.*s", (int)(value - traj->meta[i]), traj->meta[i]);
    status = dls_trajectory_note(table, err, key, "%s", value + 2);
  }
  for (size_t i = 0; i < traj->event_count && status == DLS_OK; i++) {
    status = dls_trajectory_add_event(table, &traj->events[i], err);
  }
  table->complete = traj->complete;
  memcpy(table->failure, traj->failure, sizeof table->failure);
  table->work = traj->work;
  return status;
}

/* Energies and forces may overflow where the state does not. The table ends before such a row and records the reason. */
static void end_at_not_finite(dls_trajectory *table)
{
  for (size_t i = 0; i < table->rows; i++) {
    for (size_t j = 0; j < table->columns; j++) {
      if (!isfinite(dls_trajectory_at(table, i, j))) {
        snprintf(table->failure, sizeof table->failure, "%s = %g is not finite at t = %.10g", table->names[j],
                 dls_trajectory_at(table, i, j), dls_trajectory_at(table, i, 0));
        table->complete = false;
        table->rows = i;
        return;
      }
    }
  }
}

/* Forces, slips and drags behind the columns of nodes. */
static void add_contacts(dls_trajectory *table, const dls_system *sys, bool plane, bool steps, size_t nodes)
{
  for (size_t j = 0; j < sys->m; j++) {
    add_force(table, j, steps, nodes + j);
    if (plane) {
      add_friction(table, sys, j, steps, nodes + sys->m + j);
    }
  }
}

dls_status dls_derive(const dls_trajectory *traj, const dls_system *sys, const dls_scheme *scheme,
                      dls_trajectory **out, dls_error *err)
{
  const char *list[DLS_MEASURES_MOST];
  const bool plane = traj->d == PLANE, steps = scheme != NULL && scheme->stepping == DLS_BY_STEP;
  const size_t nodes = node_columns(traj), first = nodes + (plane ? 3 : 1) * sys->m;
  dls_measures *measures = NULL;
  dls_contact_work *work = dls_contact_work_create(traj, scheme);
  dls_trajectory *table = copy(traj, list, first + dls_measures_of(sys, list));
  dls_status status = DLS_OK;
  if (table == NULL || work == NULL || dls_measures_create(sys, &measures, err) != DLS_OK ||
      copy_record(traj, table, err) != DLS_OK) {
    dls_trajectory_destroy(table);
    status =
        dls_fail(err, DLS_ERR_MEMORY, "no memory for contact forces and energies of %zu nodes", traj->rows);
  } else {
    add_contacts(table, sys, plane, steps, nodes);
    add_measures(table, traj, first, measures, work);
    end_at_not_finite(table);
    *out = table;
  }
  dls_measures_destroy(measures);
  dls_contact_work_destroy(work);
  return status;
}

dls_status dls_derive_record(dls_trajectory *traj, const dls_system *sys, const dls_scheme *scheme,
                             dls_error *err)
{
  const char *names[DLS_MEASURES_MOST];
  bool keep[DLS_MEASURES_MOST] = {false}, *all = malloc(traj->columns * sizeof *all);
  const size_t count = dls_measures_of(sys, names);
  for (size_t i = 0; i < count; i++) {
    keep[i] = strncmp(names[i], "work_", 5) == 0;
  }
  if (all == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu columns", traj->columns);
  }
  for (size_t j = 0; j < traj->columns; j++) {
    all[j] = true;
  }
  const dls_status status = dls_trajectory_select(traj, all, err);
  free(all);
  return status == DLS_OK ? dls_trajectory_measure(traj, sys, scheme, keep, err) : status;
}
