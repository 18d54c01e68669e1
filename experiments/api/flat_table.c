/* experiments/api/flat_table.c -- rows and events as arrays of numbers, filled-in graphs as polylines, in plain C types.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/flat.h>

#include "experiments/api/flat_internal.h"
#include "experiments/measures/motion/curve.h"
#include "experiments/measures/order/reference.h"
#include <math.h>
#include <string.h>

size_t dls_flat_columns(const dls_trajectory *traj)
{
  return traj->columns;
}

const double *dls_flat_values(const dls_trajectory *traj)
{
  return traj->data;
}

/* --- events --- */

enum { TANGENTS = 2 };

typedef enum event_column {
  KIND,
  TIME,
  CONTACT,
  U_MINUS,
  U_PLUS,
  IMPULSE,
  TIME_END,
  BOUND,
  SLIP_MINUS,
  SLIP_PLUS = SLIP_MINUS + TANGENTS,
  FRICTION = SLIP_PLUS + TANGENTS,
  WORK_NORMAL = FRICTION + TANGENTS,
  WORK_FRICTION,
  EVENT_COLUMNS
} event_column;

static const struct {
  const char *name, *unit;
} event_columns[EVENT_COLUMNS] = {
    [KIND] = {"kind", ""},
    [TIME] = {"t", "s"},
    [CONTACT] = {"contact", ""},
    [U_MINUS] = {"u_minus", "m/s"},
    [U_PLUS] = {"u_plus", "m/s"},
    [IMPULSE] = {"impulse", "N s"},
    [TIME_END] = {"time_end", "s"},
    [BOUND] = {"bound", "m"},
    [SLIP_MINUS] = {"slip_minus1", "m/s"},
    [SLIP_MINUS + 1] = {"slip_minus2", "m/s"},
    [SLIP_PLUS] = {"slip_plus1", "m/s"},
    [SLIP_PLUS + 1] = {"slip_plus2", "m/s"},
    [FRICTION] = {"friction1", "N s"},
    [FRICTION + 1] = {"friction2", "N s"},
    [WORK_NORMAL] = {"work_normal", "J"},
    [WORK_FRICTION] = {"work_friction", "J"},
};

size_t dls_flat_event_count(const dls_trajectory *traj)
{
  return traj->event_count;
}

const char *dls_flat_event_column(size_t index, const char **unit)
{
  if (index >= EVENT_COLUMNS) {
    return NULL;
  }
  if (unit != NULL) {
    *unit = event_columns[index].unit;
  }
  return event_columns[index].name;
}

const char *dls_flat_event_kind(size_t index)
{
  return index <= DLS_PAINLEVE ? dls_event_kind_name((dls_event_kind)index) : NULL;
}

static void put_event(const dls_trajectory *traj, size_t index, double row[EVENT_COLUMNS])
{
  double tangential[3 * TANGENTS + 2];
  const dls_event *event = &traj->events[index];
  row[KIND] = (double)event->kind;
  dls_flat_event(traj, index, row + TIME);
  if (event->kind != DLS_ACCUMULATION) {
    row[TIME_END] = row[BOUND] = NAN;
  }
  for (size_t j = SLIP_MINUS; j < EVENT_COLUMNS; j++) {
    row[j] = NAN;
  }
  const size_t slips = (size_t)dls_flat_event_friction(traj, index, tangential);
  for (size_t j = 0; j < slips; j++) {
    row[SLIP_MINUS + j] = tangential[j];
    row[SLIP_PLUS + j] = tangential[slips + j];
    row[FRICTION + j] = tangential[2 * slips + j];
  }
  if (slips > 0) {
    row[WORK_NORMAL] = tangential[3 * slips];
    row[WORK_FRICTION] = tangential[3 * slips + 1];
  }
}

void dls_flat_events(const dls_trajectory *traj, double *values)
{
  for (size_t i = 0; i < traj->event_count; i++) {
    put_event(traj, i, values + i * EVENT_COLUMNS);
  }
}

/* --- graphs --- */

typedef struct polyline {
  dls_trajectory *rows;
  bool failed;
} polyline;

static void put_vertex(void *data, double t, double x)
{
  polyline *line = data;
  double *row = line->failed ? NULL : dls_trajectory_append(line->rows);
  line->failed = row == NULL;
  if (row != NULL) {
    row[0] = t;
    row[1] = x;
  }
}

static dls_status make_polyline(const dls_graph *graph, const char *of, size_t most, dls_trajectory **out,
                                dls_error *err)
{
  if (graph->dim != 1) {
    return dls_fail(err, DLS_ERR_ARG, "of = %.60s has %zu components: a picture shows one, such as %.60s0", of,
                    graph->dim, of);
  }
  polyline line = {.rows = dls_trajectory_create_table(2, (const char *const[]){"t", of})};
  line.failed = line.rows == NULL;
  if (!line.failed) {
    dls_curve_put(graph, most, put_vertex, &line);
  }
  if (line.failed) {
    dls_trajectory_destroy(line.rows);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the graph of %.60s", of);
  }
  line.rows->complete = true;
  *out = line.rows;
  return DLS_OK;
}

int dls_flat_graph(const dls_trajectory *traj, const char *of, size_t most, dls_trajectory **out, char *error,
                   size_t size)
{
  enum { LEAST = 6 };
  dls_error err = {0};
  dls_graph *graph = NULL;
  *out = NULL;
  dls_status status = most >= LEAST
                          ? DLS_OK
                          : dls_fail(&err, DLS_ERR_ARG,
                                     "most = %zu vertices is not allowed: it must be at least %d", most, LEAST);
  status = status != DLS_OK ? status : dls_quantity_graph(traj, of, &graph, &err);
  status = status != DLS_OK ? status : make_polyline(graph, of, most, out, &err);
  dls_graph_destroy(graph);
  return dls_flat_report(status, &err, error, size);
}
