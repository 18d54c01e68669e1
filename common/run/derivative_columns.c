/* derivative_columns.c -- collects the derivatives at the rows of a record, and joins them to it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/derivative_columns.h"
#include "common/base/decimal.h"
#include "common/base/memory.h"
#include "common/run/event_totals.h"
#include "common/run/gap_derivatives.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dls_derivative_columns_release(dls_derivative_columns *columns)
{
  free(columns->data);
  free(columns->forces);
  *columns = (dls_derivative_columns){0};
}

/* Number of derivatives of contact forces and multipliers along one direction; by step there are none. */
static size_t rates_of(const dls_sim *sim)
{
  return sim->sensitivity->along == NULL ? sim->sys->d * sim->sys->m + sim->sys->r : 0;
}

/* The same with impulses. */
static size_t forces_of(const dls_sim *sim)
{
  return rates_of(sim) + sim->sys->d * sim->sys->m;
}

/* The impulses of the node are added to those since the last row. */
static void add_impulses(const dls_sim *sim, double *row)
{
  const size_t width = forces_of(sim), rows = sim->sys->d * sim->sys->m;
  for (size_t k = 0; k < sim->sensitivity->count; k++) {
    for (size_t i = 0; i < rows; i++) {
      row[width * (k + 1) - rows + i] += sim->sensitivity->tangent[k].impulse[i];
    }
  }
}

/* The impulses of row `to` := those of row `from`. */
static void move_impulses(dls_derivative_columns *columns, const dls_sim *sim, size_t from, size_t to)
{
  const size_t width = forces_of(sim), rows = sim->sys->d * sim->sys->m, all = columns->force_width;
  for (size_t i = width - rows; i < all; i += width) {
    memcpy(columns->forces + all * to + i, columns->forces + all * from + i, rows * sizeof(double));
  }
}

/* Room for this many rows and more, by far more than a short run has: what is not written takes no memory, and growth may copy the rows.
 * @return false if out of memory */
static bool make_room(dls_derivative_columns *columns, const dls_sim *sim, size_t rows)
{
  enum { FIRST = 1 << 15 }; /* numbers */
  const dls_sensitivity *s = sim->sensitivity;
  columns->width = s->row_width;
  columns->force_width = s->force_block != NULL ? forces_of(sim) * s->count : 0;
  const size_t first = FIRST / (columns->width + 1), more = rows < first ? first : 2 * rows;
  double *data = realloc(columns->data, dls_size_product(dls_size_product(more, columns->width), sizeof *data));
  columns->data = data != NULL ? data : columns->data;
  double *forces =
      realloc(columns->forces,
              dls_size_sum(dls_size_product(dls_size_product(more, columns->force_width), sizeof *data), 1));
  columns->forces = forces != NULL ? forces : columns->forces;
  columns->room = data != NULL && forces != NULL ? more : columns->room;
  return columns->room == more;
}

/* The impulses of the node, and their sum since the last row, in the row that follows. */
static void sum_impulses(dls_derivative_columns *columns, const dls_sim *sim)
{
  double *row = columns->forces + columns->force_width * columns->rows;
  if (!columns->pending) {
    memset(row, 0, columns->force_width * sizeof *row);
    columns->pending = true;
  }
  add_impulses(sim, row);
}

static dls_status put_row(dls_derivative_columns *columns, const dls_sim *sim, size_t row, bool left,
                          dls_error *err)
{
  const dls_sensitivity *s = sim->sensitivity;
  const size_t width = columns->width, force_width = columns->force_width;
  const double t = dls_trajectory_at(sim->record, row, 0);
  if (t != sim->t && fabs(t - sim->t) > 8 * DBL_EPSILON * fabs(sim->t)) {
    return dls_fail(err, DLS_ERR_ARG, "row %zu, t = %.17g, is not at the node t = %.17g of its derivatives",
                    row, t, sim->t);
  }
  memcpy(columns->data + width * row, left ? s->row_left : s->row, width * sizeof(double));
  if (force_width > 0) {
    memcpy(columns->forces + force_width * row, s->force_block + (left ? force_width : 0),
           force_width * sizeof(double));
  }
  columns->rows = row + 1;
  return DLS_OK;
}

dls_status dls_derivative_columns_watch(void *data, const dls_sim *sim, dls_error *err)
{
  dls_derivative_columns *columns = data;
  const dls_sensitivity *s = sim->sensitivity;
  const size_t from = columns->rows, end = sim->record->rows;
  if (end >= columns->room && !make_room(columns, sim, end + 1)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the derivatives at %zu nodes", end);
  }
  if (s->force_block != NULL && (s->has_impulses || columns->pending)) {
    sum_impulses(columns, sim);
  }
  dls_status status = end > from && s->forces != NULL ? s->forces(sim, err) : DLS_OK;
  if (end == from || status != DLS_OK) {
    return status;
  }
  if (columns->pending) {
    move_impulses(columns, sim, from, end);
  }
  for (size_t i = from; i < end && status == DLS_OK; i++) {
    status = put_row(columns, sim, i, i + 2 == end, err);
  }
  if (columns->pending) { /* a left limit leaves them to the right one */
    move_impulses(columns, sim, end, end - 1);
    columns->pending = false;
  }
  return status;
}

enum { SERIES_MOST = 7 };
/* Columns prefix0, prefix1, ... and their derivatives; t: along the tangents, prefix0t, or prefix0t1 and prefix0t2. */
typedef struct column_series {
  const char *prefix, *t;
  size_t count, first,
      stride; /* derivative i is entry first + stride i of a direction, with d - 1 tangents from there on */
  const struct table *of;
} column_series;

/* Values at the rows of a record: `row` numbers each, `width` of a direction. */
typedef struct table {
  const double *data;
  size_t row, width;
} table;

typedef struct source {
  bool known;
  column_series series[SERIES_MOST]; /* ends with {0} */
} source;

/* The series of a source that the column is of. @param[out] place  of its derivative among those of a direction @return NULL: it is of none */
static const column_series *find_series(const source *from, const char *name, size_t *place)
{
  for (const column_series *s = from->series; s->prefix != NULL; s++) {
    const size_t letters = strlen(s->prefix);
    if (strncmp(name, s->prefix, letters) != 0) {
      continue;
    }
    const size_t digits = strspn(name + letters, "0123456789");
    const char *t = name + letters + digits;
    if (digits == 0 || strncmp(t, s->t, strlen(s->t)) != 0) {
      continue;
    }
    const char *number = t + strlen(s->t);
    const size_t i = strtoul(name + letters, NULL, 10), tangent = *number == '2' && *s->t != '\0';
    if (i < s->count &&
        (*number == '\0' || (*s->t != '\0' && strspn(number, "12") == 1 && number[1] == '\0'))) {
      *place = s->first + s->stride * i + tangent;
      return s;
    }
  }
  return NULL;
}

/* by_t: a is half of it */
static source source_of_forces(const dls_sim *sim, const table *by_t, const table *forces)
{
  const size_t n = sim->sys->n, m = sim->sys->m, d = sim->sys->d, p = rates_of(sim), mu = d * m;
  const bool rates = sim->sensitivity->along == NULL;
  return (source){sim->sensitivity->force_block != NULL,
                  {{"a", "", rates ? n : 0, n, 1, by_t},
                   {"lambda", "", rates ? m : 0, 0, d, forces},
                   {"lambda", "t", rates ? m : 0, 1, d, forces},
                   {"mu", "", rates ? sim->sys->r : 0, mu, 1, forces},
                   {"p", "", m, p, d, forces},
                   {"p", "t", m, p + 1, d, forces}}};
}

bool dls_derivative_columns_need_forces(const dls_sim *sim, const dls_trajectory *record, const bool *keep)
{
  const table none = {0};
  const source forces = source_of_forces(sim, &none, &none);
  bool needed = false;
  size_t place = 0;
  for (size_t j = 0; j < record->columns && !record->skip_nodes; j++) {
    needed = needed || ((keep == NULL || keep[j]) && find_series(&forces, record->names[j], &place) != NULL);
  }
  return needed;
}

/* The table with more columns; its rows, names and meanings move. @return false if out of memory */
static bool widen(dls_trajectory *record, size_t more)
{
  const size_t columns = record->columns + more;
  double *data = calloc(dls_size_sum(dls_size_product(record->rows, columns), 1), sizeof *data);
  char **names = realloc(record->names, columns * sizeof *names);
  record->names = names != NULL ? names : record->names;
  dls_meaning *meaning = realloc(record->meaning, columns * sizeof *meaning);
  record->meaning = meaning != NULL ? meaning : record->meaning;
  if (data == NULL || names == NULL || meaning == NULL) {
    free(data);
    return false;
  }
  for (size_t i = 0; i < record->rows; i++) {
    memcpy(data + i * columns, record->data + i * record->columns, record->columns * sizeof *data);
  }
  free(record->data);
  record->data = data;
  record->row_capacity = record->rows;
  free(record->source); /* no rows follow */
  record->source = NULL;
  return true;
}

/* One column of the table, the last of those that have a name. @return false if out of memory */
static bool add_column(const dls_derivative_columns *columns, const dls_sensitivity *s, size_t direction,
                       const char *of, const table *from, size_t place, size_t all, dls_trajectory *record)
{
  const size_t size = strlen(of) + DLS_DIRECTION_NAME + 4, j = record->columns;
  char *name = malloc(size);
  if (name == NULL) {
    return false;
  }
  snprintf(name, size, "d%s/d%s", of, s->direction[direction].name);
  record->names[j] = name;
  record->meaning[j] = DLS_LINEAR;
  for (size_t i = 0; i < record->rows; i++) {
    record->data[i * all + j] =
        i < columns->rows ? from->data[from->row * i + from->width * direction + place] : NAN;
  }
  record->columns++;
  return true;
}

/* "1,0.5": numbers with commas. */
static void write_numbers(const double *x, size_t count, char *text)
{
  for (size_t i = 0; i < count; i++) {
    char number[DLS_DECIMAL_SIZE];
    dls_decimal_write(x[i], number);
    text += sprintf(text, "%s%s", i > 0 ? "," : "", number);
  }
}

/* "0,1,0": the contacts struck; "..." if there are more. */
static void write_impacts(const dls_side *side, char *text)
{
  for (size_t i = 0; i < side->impacts && i < DLS_SIDE_IMPACTS; i++) {
    text += sprintf(text, "%s%zu", i > 0 ? "," : "", side->contact[i]);
  }
  sprintf(text, "%s", side->impacts > DLS_SIDE_IMPACTS ? ",..." : "");
}

dls_status dls_derivative_side(const dls_sensitivity *s, size_t k, size_t line, char *key, char **text,
                               dls_error *err)
{
  static const char *const names[] = {"v", "dq", "dv", "impacts"};
  const dls_side *side = &s->tangent[k].side[line / 4];
  const double *const values[] = {side->v, side->dq, side->dv};
  *text = NULL;
  if (!side->known || (line % 4 == 3 && side->impacts == 0)) {
    return DLS_OK;
  }
  snprintf(key, DLS_SIDE_KEY, "%s_%s_%s", names[line % 4], line < 4 ? "falling" : "rising",
           s->direction[k].name);
  const size_t entries = s->n > DLS_SIDE_IMPACTS ? s->n : DLS_SIDE_IMPACTS;
  *text = calloc(dls_size_sum(entries, 1), DLS_DECIMAL_SIZE);
  if (*text == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the limits of %zu coordinates", s->n);
  }
  if (line % 4 == 3) {
    write_impacts(side, *text);
  } else {
    write_numbers(values[line % 4], s->n, *text);
  }
  return DLS_OK;
}

static dls_status note_sides(const dls_sensitivity *s, size_t k, dls_trajectory *record, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t line = 0; line < DLS_SIDE_LINES && status == DLS_OK; line++) {
    char key[DLS_SIDE_KEY], *text = NULL;
    status = dls_derivative_side(s, k, line, key, &text, err);
    if (status == DLS_OK && text != NULL) {
      status = dls_trajectory_note(record, err, key, "%s", text);
    }
    free(text);
  }
  return status;
}

static dls_status note_statuses(const dls_sensitivity *s, dls_trajectory *record, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t k = 0; k < s->count && status == DLS_OK; k++) {
    char key[DLS_DIRECTION_NAME + 20];
    snprintf(key, sizeof key, "sensitivity_%s", s->direction[k].name);
    status =
        dls_trajectory_note(record, err, key, "%s", dls_derivative_status_name(dls_sensitivity_status(s, k)));
    status = status != DLS_OK ? status : note_sides(s, k, record, err);
  }
  return status;
}

/* " dt/dP=number" for each parameter. @return NULL if out of memory */
static char *note_of(const dls_sensitivity *s, const double *dt)
{
  const size_t most = DLS_DIRECTION_NAME + DLS_DECIMAL_SIZE + sizeof " dt/d=";
  char *note = malloc(dls_size_sum(dls_size_product(s->count, most), 1));
  if (note == NULL) {
    return NULL;
  }
  size_t used = 0;
  note[0] = '\0';
  for (size_t k = 0; k < s->count; k++) {
    char number[DLS_DECIMAL_SIZE] = "nan";
    if (!isnan(dt[k])) {
      dls_decimal_write(dt[k], number);
    }
    used += (size_t)snprintf(note + used, most, " dt/d%s=%s", s->direction[k].name, number);
  }
  return note;
}

/* The totals of the record, which own the notes. @return NULL if out of memory */
static dls_event_totals *totals_of(dls_trajectory *record)
{
  if (record->totals == NULL && (record->totals = dls_event_totals_create(false)) != NULL) {
    for (size_t i = 0; i < record->event_count; i++) {
      dls_event_totals_add(record->totals, &record->events[i]);
    }
  }
  return record->totals;
}

/* The events of the record are some of those of the run, in the same order. */
static dls_status note_events(const dls_sensitivity *s, dls_trajectory *record, dls_error *err)
{
  dls_event_totals *totals = totals_of(record);
  char **notes = totals != NULL ? calloc(record->event_count + 1, sizeof *notes) : NULL;
  if (notes == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the derivatives of the times of %zu events",
                    record->event_count);
  }
  totals->notes = notes;
  for (size_t i = 0, at = 0; i < record->event_count; i++, at++) {
    const dls_event *event = &record->events[i];
    while (at < s->event_count && (s->event[at].t != event->t || s->event[at].kind != event->kind ||
                                   s->event[at].contact != event->contact)) {
      at++;
    }
    if (at == s->event_count) {
      return dls_fail(err, DLS_ERR_ARG, "event %zu of the record, t = %.17g, is not one of the run", i,
                      event->t);
    }
    if ((notes[i] = note_of(s, s->event_dt + at * s->count)) == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "no memory for the derivatives of the time of event %zu", i);
    }
    totals->note_count++;
  }
  return DLS_OK;
}

/* x[rows x (2 n + 1)] := q, v and, behind all of them, t. @return false: the record has not all of them */
static bool read_states(const dls_trajectory *record, size_t rows, size_t n, double *x)
{
  const source states = {.series = {{"q", "", n, 0, 1, NULL}, {"v", "", n, n, 1, NULL}}};
  size_t found = 0, place = 0;
  for (size_t j = 0; j < record->columns; j++) {
    if (find_series(&states, record->names[j], &place) != NULL) {
      double *to = place < n ? x + place : x + rows * n + place - n;
      for (size_t i = 0; i < rows; i++) {
        to[i * n] = dls_trajectory_at(record, i, j);
      }
      found++;
    }
  }
  for (size_t i = 0; i < rows; i++) {
    x[2 * n * rows + i] = dls_trajectory_at(record, i, 0);
  }
  return found == 2 * n;
}

/* *out := the derivatives of gaps and their velocities, to be freed; NULL: the record has none of them, or not the whole states. */
static dls_status make_gaps(const dls_derivative_columns *columns, const dls_sim *sim,
                            const dls_trajectory *record, const source *of, const table *states, double **out,
                            dls_error *err)
{
  const dls_sensitivity *s = sim->sensitivity;
  const size_t n = s->n, rows = columns->rows < record->rows ? columns->rows : record->rows;
  size_t wanted = 0, place = 0;
  *out = NULL;
  for (size_t j = 0; j < record->columns; j++) {
    wanted += find_series(of, record->names[j], &place) != NULL;
  }
  if (wanted == 0 || rows == 0) {
    return DLS_OK;
  }
  double *x = malloc(dls_size_product(dls_size_product(rows, 2 * n + 1), sizeof *x)),
         *gaps = malloc(
             dls_size_product(dls_size_product(rows, dls_size_product(2 * s->m, s->count)), sizeof *gaps));
  dls_status status = DLS_OK;
  if (x == NULL || gaps == NULL) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory for the derivatives of gaps at %zu nodes", rows);
  } else if (read_states(record, rows, n, x)) {
    const dls_tangent_rows at = {rows, x + 2 * n * rows, x, x + n * rows, states->data, states->row};
    status = dls_gap_derivatives(sim->sys, s, &at, gaps, err);
    *out = gaps;
    gaps = NULL;
  }
  free(x);
  free(gaps);
  return status;
}

/* The columns of one source, by direction. @return false if out of memory */
static bool add_columns(const dls_derivative_columns *columns, const dls_sensitivity *s, const source *from,
                        size_t before, size_t all, dls_trajectory *record)
{
  bool complete = true;
  size_t place = 0;
  for (size_t k = 0; k < s->count && from->known; k++) {
    for (size_t j = 0; j < before && complete; j++) {
      const column_series *series = find_series(from, record->names[j], &place);
      if (series != NULL) {
        complete = add_column(columns, s, k, record->names[j], series->of, place, all, record);
      }
    }
  }
  return complete;
}

dls_status dls_derivative_columns_join(dls_derivative_columns *columns, const dls_sim *sim,
                                       dls_trajectory *record, dls_error *err)
{
  const dls_sensitivity *s = sim->sensitivity;
  const size_t before = record->columns;
  const size_t n = s->n, m = s->m;
  double *gaps = NULL;
  const table by_t = {columns->data, columns->width, 2 * n},
              states = {columns->data + (columns->width - (columns->data != NULL ? 2 * n * s->count : 0)),
                        columns->width, 2 * n},
              forces = {columns->forces, columns->force_width, forces_of(sim)};
  table gap = {NULL, 2 * m * s->count, 2 * m};
  source sources[] = {
      {true, {{"q", "", n, 0, 1, &states}, {"v", "", n, n, 1, &states}}},
      {false, {{"g", "", m, 0, 1, &gap}, {"u", "", m, m, 1, &gap}}},
      source_of_forces(sim, &by_t, &forces),
  };
  dls_status status = make_gaps(columns, sim, record, &sources[1], &states, &gaps, err);
  if (status != DLS_OK) {
    free(gaps);
    record->rows = 0; /* whose columns are incomplete */
    return status;
  }
  sources[1].known = gaps != NULL;
  gap.data = gaps;
  const size_t count = sizeof sources / sizeof sources[0];
  size_t all = before, place = 0;
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < before && sources[i].known; j++) {
      all += find_series(&sources[i], record->names[j], &place) != NULL ? s->count : 0;
    }
  }
  bool complete = widen(record, all - before);
  for (size_t i = 0; i < count && complete; i++) {
    complete = add_columns(columns, s, &sources[i], before, all, record);
  }
  free(gaps);
  if (!complete) {
    record->rows = 0; /* whose columns are incomplete */
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu columns of derivatives", all - before);
  }
  status = note_events(s, record, err);
  return status != DLS_OK ? status : note_statuses(s, record, err);
}
