/* experiments/measures/cycle/cycle_section.c -- runs from an event to its return, and the free directions of the section.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/cycle/cycle_section.h"
#include "common/base/memory.h"

#include <delassus/sim.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double at_once = 1e-9; /* [t_s]: events at the start of a run are not returns */
enum { STICKS = 1, MOST_EVENTS_AHEAD = 1000000 };

/* What a run looks for. */
typedef struct search {
  const dls_cycle_spec *spec;
  const int *status; /* m; NULL: any, and the last event counts */
  size_t left;       /* returns to go */
  bool found;
  size_t seen, met;       /* events looked at; returns */
  double *z, *low, *high; /* 2 n: state at the return; of the states since the return before (may be NULL) */
  double *widest;         /* 2 n: high - low of the last whole cycle */
  int *status_there;      /* m */
  dls_return *out;
} search;

static void copy_state(const dls_sim *sim, double *z)
{
  memcpy(z, sim->q, sim->sys->n * sizeof *z);
  memcpy(z + sim->sys->n, sim->v, sim->sys->n * sizeof *z);
}

/* Range of the states since the last return. */
static void widen(search *s, const dls_sim *sim, bool anew)
{
  const size_t n = sim->sys->n;
  for (size_t i = 0; s->low != NULL && i < 2 * n; i++) {
    const double x = i < n ? sim->q[i] : sim->v[i - n];
    s->low[i] = fmin(s->low[i], x);
    s->high[i] = fmax(s->high[i], x);
    if (anew) {
      s->widest[i] = s->high[i] - s->low[i];
      s->low[i] = s->high[i] = x;
    }
  }
}

static bool is_return(const search *s, const dls_sim *sim, const dls_event *event)
{
  return event->kind == s->spec->kind && event->contact == s->spec->contact &&
         event->t > at_once * sim->sys->time &&
         (s->status == NULL || memcmp(s->status, sim->status, sim->sys->m * sizeof *s->status) == 0);
}

/* Watch of a run: ends it at the requested return. */
static dls_status watch(void *data, const dls_sim *sim, dls_error *err)
{
  search *s = data;
  bool returned = false;
  for (; s->seen < sim->record->event_count; s->seen++) {
    const dls_event *event = &sim->record->events[s->seen];
    if (event->t > at_once * sim->sys->time) {
      s->out->events[event->kind]++;
      s->out->event_count++;
    }
    returned = returned || is_return(s, sim, event);
  }
  widen(s, sim, returned);
  if (!returned) {
    return DLS_OK;
  }
  s->met++;
  s->out->time = sim->t;
  copy_state(sim, s->z);
  if (s->status_there != NULL) {
    memcpy(s->status_there, sim->status, sim->sys->m * sizeof *s->status_there);
  }
  s->found = s->left > 0 && --s->left == 0;
  return s->found ? dls_fail(err, DLS_ERR_INTERRUPTED, "found") : DLS_OK;
}

static dls_status make_sim(const dls_cycle_spec *spec, const dls_system *sys, double tol, dls_sim **out,
                           dls_error *err)
{
  char setting[40];
  const dls_status status = dls_scheme_choice_sim(spec->choice, sys, out, err);
  snprintf(setting, sizeof setting, "tol=%.17g", tol);
  return status != DLS_OK || tol == 0 ? status : dls_sim_set(*out, setting, err);
}

/* One run from z; NULL: from the start of the model. */
static dls_status run(search *s, const double *z, double tol, dls_error *err)
{
  dls_sim *sim = NULL;
  dls_system sys = *s->spec->sys; /* as it is, but for its start */
  if (z != NULL) {
    sys.q0 = (double *)z;
    sys.v0 = (double *)z + sys.n;
  }
  dls_status status = make_sim(s->spec, &sys, tol, &sim, err);
  dls_trajectory *record = status == DLS_OK ? dls_sim_trajectory(sim, err) : NULL;
  if (record != NULL) {
    const dls_run_spec spec = {.end = s->spec->end,
                               .record = record,
                               .recording = {.max_rows = MOST_EVENTS_AHEAD},
                               .poll = s->spec->poll,
                               .poll_data = s->spec->poll_data,
                               .watch = watch,
                               .watch_data = s};
    record->skip_nodes = true;
    status = dls_run(sim, &spec, err);
  } else if (status == DLS_OK) {
    status = DLS_ERR_MEMORY;
  }
  dls_trajectory_destroy(record);
  dls_sim_destroy(sim);
  return s->found ? DLS_OK : status;
}

dls_status dls_section_shoot(const dls_section *section, const double *z, double tol, size_t returns,
                             dls_return *out, dls_error *err)
{
  double *there = out->z;
  *out = (dls_return){.z = there};
  search s = {.spec = section->spec, .status = section->status, .left = returns, .z = there, .out = out};
  const dls_status status = run(&s, z, tol, err);
  return status != DLS_OK || s.found
             ? status
             : dls_fail(
                   err, DLS_ERR_NOCONV,
                   "cycle: the motion does not come back to its event within end = %g s; a later end may do",
                   section->spec->end);
}

void dls_section_state(const dls_section *s, const double *x, double *z)
{
  memcpy(z, s->z, 2 * s->n * sizeof *z);
  for (size_t i = 0; i < s->free; i++) {
    for (size_t j = 0; j < 2 * s->n; j++) {
      z[j] += s->range[j] * x[i] * s->basis[i * 2 * s->n + j];
    }
  }
}

void dls_section_coordinates(const dls_section *s, const double *z, double *x)
{
  for (size_t i = 0; i < s->free; i++) {
    const size_t j = s->column[i];
    x[i] = (z[j] - s->z[j]) / s->range[j];
  }
}

/* --- directions --- */

/* Rows over the scaled state (q, v) in reduced echelon form: which coordinate each row determines by the others. */
typedef struct echelon {
  size_t rows, columns; /* columns = 2 n */
  double *row;          /* rows x columns */
  size_t *pivot;        /* rows */
} echelon;

static void clear_column(echelon *e, size_t r, size_t pivot)
{
  for (size_t i = 0; i < e->rows; i++) {
    const double factor = e->row[i * e->columns + pivot] / e->row[r * e->columns + pivot];
    for (size_t j = 0; j < e->columns && i != r; j++) {
      e->row[i * e->columns + j] -= factor * e->row[r * e->columns + j];
    }
  }
}

/* Add a row, unless it depends on the others. @param[in] used  columns that are pivots already */
static void add_row(echelon *e, const dls_matrix *columns, size_t column, size_t offset, const double *range,
                    bool *used)
{
  const size_t n = e->columns / 2, r = e->rows;
  double *row = &e->row[r * e->columns];
  double size = 0;
  memset(row, 0, e->columns * sizeof *row);
  for (size_t i = 0; i < n; i++) {
    row[offset + i] = dls_matrix_get(columns, i, column) * range[offset + i];
    size = fmax(size, fabs(row[offset + i]));
  }
  for (size_t i = 0; i < r; i++) {
    const double factor = row[e->pivot[i]] / e->row[i * e->columns + e->pivot[i]];
    for (size_t j = 0; j < e->columns; j++) {
      row[j] -= factor * e->row[i * e->columns + j];
    }
  }
  size_t pivot = e->columns;
  for (size_t j = 0; j < e->columns; j++) {
    if (!used[j] && (pivot == e->columns || fabs(row[j]) > fabs(row[pivot]))) {
      pivot = j;
    }
  }
  if (pivot < e->columns && fabs(row[pivot]) > 1e-12 * size && size > 0) {
    e->pivot[e->rows++] = pivot;
    used[pivot] = true;
    clear_column(e, r, pivot);
  }
}

/* g = 0 of what touches, u_N = 0 of what is closed, u_T = 0 of what sticks. */
static void add_constraints(const dls_section *s, echelon *e, bool *used)
{
  const dls_system *sys = s->spec->sys;
  for (size_t j = 0; j < sys->m; j++) {
    const bool closed = s->status[j] != 0, hit = s->spec->kind == DLS_IMPACT && j == s->spec->contact;
    if (closed || hit) {
      add_row(e, sys->H, j, 0, s->range, used);
    }
    if (closed) {
      add_row(e, sys->H, j, s->n, s->range, used);
    }
    for (size_t i = 0; i + 1 < sys->d && s->status[j] == STICKS && sys->mu[j] > 0; i++) {
      add_row(e, sys->T, (sys->d - 1) * j + i, s->n, s->range, used);
    }
  }
}

/* A direction for each coordinate that no row determines: 1 there, the others by the rows. */
static dls_status fill_basis(dls_section *s, const echelon *e, const bool *used, dls_error *err)
{
  for (size_t j = 0; j < 2 * s->n; j++) {
    const bool drifts = j < s->n && s->spec->drift[j];
    if (drifts && used[j]) {
      return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "cycle: q%zu cannot drift, closed contacts determine it", j);
    }
    if (used[j] || drifts) {
      continue;
    }
    double *direction = &s->basis[s->free * 2 * s->n];
    memset(direction, 0, 2 * s->n * sizeof *direction);
    direction[j] = 1;
    for (size_t r = 0; r < e->rows; r++) {
      direction[e->pivot[r]] = -e->row[r * e->columns + j] / e->row[r * e->columns + e->pivot[r]];
    }
    s->column[s->free++] = j;
  }
  return DLS_OK;
}

static dls_status find_directions(dls_section *s, dls_error *err)
{
  const size_t columns = 2 * s->n, room = s->spec->sys->m * (s->spec->sys->d + 1) + 1;
  echelon e = {.columns = columns,
               .row = calloc(dls_size_product(room, columns), sizeof *e.row),
               .pivot = calloc(room, sizeof *e.pivot)};
  bool *used = calloc(columns, sizeof *used);
  dls_status status = DLS_ERR_MEMORY;
  if (e.row != NULL && e.pivot != NULL && used != NULL) {
    add_constraints(s, &e, used);
    status = fill_basis(s, &e, used, err);
  } else {
    dls_fail(err, DLS_ERR_MEMORY, "no memory for a section of %zu coordinates", columns);
  }
  free(e.row);
  free(e.pivot);
  free(used);
  return status;
}

/* Coordinates that did not move in the cycle have the scales of the system. */
static void set_ranges(dls_section *s, const double *widest)
{
  const dls_system *sys = s->spec->sys;
  for (size_t i = 0; i < 2 * s->n; i++) {
    const double floor = 1e-6 * (i < s->n ? sys->length : sys->length / sys->time);
    s->range[i] = fmax(widest[i], floor);
  }
}

static dls_status find_start(dls_section *s, double *low, dls_error *err)
{
  const size_t n2 = 2 * s->n;
  dls_return there = {.z = s->z};
  for (size_t i = 0; i < n2; i++) {
    low[i] = INFINITY;
    low[n2 + i] = -INFINITY;
  }
  search start = {.spec = s->spec,
                  .z = s->z,
                  .low = low,
                  .high = low + n2,
                  .widest = low + 2 * n2,
                  .status_there = s->status,
                  .out = &there};
  const dls_status status = run(&start, NULL, 0, err);
  if (status == DLS_OK && start.met < 2) {
    return dls_fail(err, DLS_ERR_NOCONV,
                    "cycle: event %s of contact %zu comes %zu times within end = %g s, a cycle needs it twice",
                    dls_event_kind_name(s->spec->kind), s->spec->contact, start.met, s->spec->end);
  }
  set_ranges(s, low + 2 * n2);
  return status;
}

dls_status dls_section_make(const dls_cycle_spec *spec, dls_section *out, dls_error *err)
{
  const size_t n = spec->sys->n, n2 = 2 * n;
  *out = (dls_section){.spec = spec, .n = n};
  out->block = calloc(dls_size_product(n2, n2 + 2 + 3), sizeof *out->block);
  out->status = calloc(spec->sys->m + 1, sizeof *out->status);
  out->column = calloc(n2, sizeof *out->column);
  if (out->block == NULL || out->status == NULL || out->column == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a section of %zu coordinates", n2);
  }
  out->z = out->block;
  out->range = out->z + n2;
  out->basis = out->range + n2;
  const dls_status status = find_start(out, out->basis + n2 * n2, err);
  return status != DLS_OK ? status : find_directions(out, err);
}

void dls_section_release(dls_section *section)
{
  free(section->block);
  free(section->status);
  free(section->column);
  *section = (dls_section){0};
}
