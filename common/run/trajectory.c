/* trajectory.c -- growing tables of nodes and events.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include "common/base/text.h"
#include "common/run/contact_work.h"
#include "common/run/event_totals.h"
#include <delassus/measures.h>
#include <delassus/model.h>
#include <delassus/trajectory.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *dls_event_kind_name(dls_event_kind kind)
{
  static const char *const names[] = {
      [DLS_IMPACT] = "impact",     [DLS_LANDING] = "landing",           [DLS_GRAZING] = "grazing",
      [DLS_LIFT_OFF] = "lift-off", [DLS_ACCUMULATION] = "accumulation", [DLS_STICK] = "stick",
      [DLS_SLIP] = "slip",         [DLS_REVERSAL] = "reversal",         [DLS_PAINLEVE] = "jam",
  };
  return names[kind];
}

static dls_trajectory *allocate(size_t columns)
{
  dls_trajectory *traj = calloc(1, sizeof *traj);
  if (traj != NULL) {
    traj->columns = columns;
    traj->d = 1;
    traj->complete = true;
    traj->names = calloc(columns, sizeof *traj->names);
    traj->meaning = calloc(columns, sizeof *traj->meaning);
    if (traj->names == NULL || traj->meaning == NULL) {
      dls_trajectory_destroy(traj);
      return NULL;
    }
  }
  return traj;
}

/* Name the next `count` columns prefix0, prefix1, ... @return false if out of memory */
static bool name_columns(dls_trajectory *traj, size_t *column, const char *prefix, size_t count)
{
  for (size_t i = 0; i < count; i++, (*column)++) {
    char name[32];
    snprintf(name, sizeof name, "%s%zu", prefix, i);
    traj->names[*column] = dls_text_copy(name);
    if (traj->names[*column] == NULL) {
      return false;
    }
  }
  return true;
}

/* The same along the tangents: prefix0t, prefix1t, ... or prefix0t1, prefix0t2, prefix1t1, ... */
static bool name_tangents(dls_trajectory *traj, size_t *column, const char *prefix)
{
  for (size_t i = 0; i < (traj->d - 1) * traj->m; i++, (*column)++) {
    const size_t j = i / (traj->d - 1), k = i % (traj->d - 1);
    char name[64];
    snprintf(name, sizeof name, "%s%zut%s", prefix, j, traj->d == 2 ? "" : k == 0 ? "1" : "2");
    traj->names[*column] = dls_text_copy(name);
    if (traj->names[*column] == NULL) {
      return false;
    }
  }
  return true;
}

static dls_trajectory *create(size_t n, size_t m, size_t d, size_t r, bool with_a)
{
  dls_trajectory *traj = allocate(1 + 2 * n + 5 * m + (with_a ? n : 0) + 3 * (d - 1) * m + 2 * r);
  if (traj == NULL) {
    return NULL;
  }
  traj->n = n;
  traj->m = m;
  traj->d = d;
  traj->r = r;
  traj->whole_columns = traj->columns;
  size_t column = 1;
  traj->names[0] = dls_text_copy("t");
  const bool named = traj->names[0] != NULL && name_columns(traj, &column, "q", n) &&
                     name_columns(traj, &column, "v", n) && name_columns(traj, &column, "g", m) &&
                     name_columns(traj, &column, "u", m) && name_columns(traj, &column, "p", m) &&
                     name_columns(traj, &column, "lambda", m) && name_columns(traj, &column, "status", m) &&
                     (!with_a || name_columns(traj, &column, "a", n)) && name_tangents(traj, &column, "u") &&
                     name_tangents(traj, &column, "p") && name_tangents(traj, &column, "lambda") &&
                     name_columns(traj, &column, "mu", r) && name_columns(traj, &column, "phi", r);
  if (!named) {
    dls_trajectory_destroy(traj);
    return NULL;
  }
  dls_trajectory_set_meaning(traj, "status", DLS_CONSTANT);
  return traj;
}

dls_trajectory *dls_trajectory_create(size_t n, size_t m, bool with_a)
{
  return create(n, m, 1, 0, with_a);
}

dls_trajectory *dls_trajectory_create_system(const dls_system *sys, bool with_a)
{
  return create(sys->n, sys->m, sys->d, sys->r, with_a);
}

/* Index of the slope of column j of a whole node, if that column is cubic; else 0. */
static size_t slope_of(const dls_trajectory *traj, size_t j)
{
  const size_t v = 1 + traj->n, g = v + traj->n, u = g + traj->m, a = g + 5 * traj->m;
  const bool with_a = traj->columns - 3 * (traj->d - 1) * traj->m - 2 * traj->r > a;
  if (j == 0 || traj->meaning[j] != DLS_HERMITE) {
    return 0;
  }
  return j < v ? j + traj->n : j < g ? (with_a ? j - v + a : 0) : j < u ? j + traj->m : 0;
}

static dls_status no_room(const dls_trajectory *traj, dls_error *err)
{
  return dls_fail(err, DLS_ERR_MEMORY, "no memory to select of %zu columns", traj->columns);
}

/* Close the gaps left by columns that are not kept. */
static void drop_columns(dls_trajectory *traj)
{
  size_t kept = 0;
  for (size_t j = 0; j < traj->columns; j++) {
    if (traj->source[j] != SIZE_MAX) {
      traj->source[kept] = j;
      traj->names[kept] = traj->names[j];
      traj->meaning[kept++] = traj->meaning[j];
    } else {
      free(traj->names[j]);
    }
  }
  traj->columns = kept;
}

dls_status dls_trajectory_select(dls_trajectory *traj, const bool *keep, dls_error *err)
{
  if (traj->rows > 0 || traj->n == 0 || traj->source != NULL) {
    return dls_fail(err, DLS_ERR_ARG, "columns can be selected once, before the run; the record has %zu rows",
                    traj->rows);
  }
  traj->source = malloc(traj->columns * sizeof *traj->source);
  traj->whole = calloc(traj->columns + DLS_CONTACT_WORKS, sizeof *traj->whole);
  if (traj->source == NULL || traj->whole == NULL) {
    return no_room(traj, err);
  }
  for (size_t j = 0; j < traj->columns; j++) {
    traj->source[j] = j == 0 ? 0 : SIZE_MAX;
  }
  for (size_t j = 0; j < traj->columns; j++) {
    for (size_t at = j; keep[j] && at > 0; at = slope_of(traj, at)) {
      traj->source[at] = at;
    }
  }
  for (size_t j = 0; j < traj->columns; j++) { /* slopes kept for other columns do not need dense nodes */
    traj->meaning[j] = traj->meaning[j] == DLS_CUBIC && !keep[j] ? DLS_LINEAR : traj->meaning[j];
  }
  drop_columns(traj);
  return DLS_OK;
}

/* Allocate for one more column. @return false if out of memory */
static bool widen(dls_trajectory *traj)
{
  const size_t columns = traj->columns + 1;
  char **names = realloc(traj->names, columns * sizeof *names);
  traj->names = names != NULL ? names : traj->names;
  dls_meaning *meaning = realloc(traj->meaning, columns * sizeof *meaning);
  traj->meaning = meaning != NULL ? meaning : traj->meaning;
  size_t *source = realloc(traj->source, columns * sizeof *source);
  traj->source = source != NULL ? source : traj->source;
  return names != NULL && meaning != NULL && source != NULL;
}

dls_status dls_trajectory_measure(dls_trajectory *traj, const dls_system *sys, const struct dls_scheme *scheme,
                                  const bool *keep, dls_error *err)
{
  const char *names[DLS_MEASURES_MOST];
  const size_t count = dls_measures_of(sys, names);
  if (traj->rows > 0 || traj->source == NULL || traj->measures != NULL) {
    return dls_fail(err, DLS_ERR_ARG,
                    "energies and momenta can be added once, to an empty record with selected columns");
  }
  dls_status status = dls_measures_create(sys, &traj->measures, err);
  traj->works = dls_contact_work_create(traj, scheme);
  status = status != DLS_OK || traj->works != NULL ? status : no_room(traj, err);
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    char *name = keep[i] ? dls_text_copy(names[i]) : NULL;
    if (name != NULL && widen(traj)) {
      traj->names[traj->columns] = name;
      traj->meaning[traj->columns] = DLS_LINEAR;
      traj->source[traj->columns++] = traj->whole_columns + i;
    } else if (keep[i]) {
      free(name);
      status = no_room(traj, err);
    }
  }
  return status;
}

dls_trajectory *dls_trajectory_create_table(size_t columns, const char *const *names)
{
  dls_trajectory *traj = columns == 0 ? NULL : allocate(columns);
  for (size_t i = 0; traj != NULL && i < columns; i++) {
    traj->names[i] = dls_text_copy(names[i]);
    if (traj->names[i] == NULL) {
      dls_trajectory_destroy(traj);
      return NULL;
    }
  }
  return traj;
}

void dls_trajectory_destroy(dls_trajectory *traj)
{
  if (traj == NULL) {
    return;
  }
  for (size_t i = 0; traj->names != NULL && i < traj->columns; i++) {
    free(traj->names[i]);
  }
  for (size_t i = 0; i < traj->meta_count; i++) {
    free(traj->meta[i]);
  }
  free(traj->names);
  free(traj->meaning);
  free(traj->source);
  free(traj->whole);
  dls_measures_destroy(traj->measures);
  dls_contact_work_destroy(traj->works);
  dls_event_totals_destroy(traj->totals);
  free(traj->data);
  free(traj->events);
  free(traj->meta);
  free(traj);
}

dls_status dls_trajectory_reserve(dls_trajectory *traj, size_t rows, dls_error *err)
{
  const size_t needed = dls_size_sum(traj->rows, rows);
  if (needed <= traj->row_capacity) {
    return DLS_OK;
  }
  const size_t row_size = traj->columns * sizeof *traj->data;
  const size_t size = dls_size_product(needed, row_size);
  double *data = size > PTRDIFF_MAX ? NULL : realloc(traj->data, size);
  if (data == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu trajectory nodes of %zu columns", needed,
                    traj->columns);
  }
  traj->data = data;
  traj->row_capacity = needed;
  return DLS_OK;
}

double *dls_trajectory_append(dls_trajectory *traj)
{
  if (traj->rows == traj->row_capacity &&
      dls_trajectory_reserve(traj, traj->rows + 64, NULL) != DLS_OK) { /* doubling */
    return NULL;
  }
  return traj->data + traj->columns * traj->rows++;
}

dls_status dls_trajectory_reserve_events(dls_trajectory *traj, size_t count, dls_error *err)
{
  if (count <= traj->event_capacity) {
    return DLS_OK;
  }
  const size_t size = dls_size_product(count, sizeof *traj->events);
  dls_event *events = size > PTRDIFF_MAX ? NULL : realloc(traj->events, size);
  if (events == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu events", count);
  }
  traj->events = events;
  traj->event_capacity = count;
  return DLS_OK;
}

dls_status dls_trajectory_add_event(dls_trajectory *traj, const dls_event *event, dls_error *err)
{
  const size_t capacity = traj->event_capacity;
  const dls_status status =
      traj->event_count < capacity ? DLS_OK : dls_trajectory_reserve_events(traj, 2 * capacity + 16, err);
  if (status == DLS_OK) {
    traj->events[traj->event_count++] = *event;
  }
  return status;
}

dls_status dls_trajectory_note(dls_trajectory *traj, dls_error *err, const char *key, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  const size_t size = strlen(key) + sizeof ": " + (length > 0 ? (size_t)length : 0);
  char *copy = malloc(size);
  if (copy != NULL) {
    const int used = snprintf(copy, size, "%s: ", key);
    va_start(arguments, format);
    vsnprintf(copy + used, size - (size_t)used, format, arguments);
    va_end(arguments);
  }
  char **meta = copy == NULL ? NULL : realloc(traj->meta, (traj->meta_count + 1) * sizeof *meta);
  if (meta == NULL) {
    free(copy);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the metadata line '%s'", key);
  }
  traj->meta = meta;
  traj->meta[traj->meta_count++] = copy;
  return DLS_OK;
}

/* Is name = prefix followed by digits, and perhaps t, t1 or t2? */
static bool belongs(const char *name, const char *prefix)
{
  static const char *const tails[] = {"", "t", "t1", "t2"};
  const size_t length = strlen(prefix);
  const size_t digits = strncmp(name, prefix, length) == 0 ? strspn(name + length, "0123456789") : 0;
  bool any = false;
  for (size_t i = 0; digits > 0 && i < sizeof tails / sizeof tails[0]; i++) {
    any = any || strcmp(name + length + digits, tails[i]) == 0;
  }
  return any;
}

void dls_trajectory_set_meaning(dls_trajectory *traj, const char *prefix, dls_meaning meaning)
{
  for (size_t i = 0; i < traj->columns; i++) {
    if (belongs(traj->names[i], prefix)) {
      traj->meaning[i] = meaning;
    }
  }
}

void dls_trajectory_set_cubic(dls_trajectory *traj)
{
  static const char *const prefixes[] = {"u", "lambda", "a", "mu"};
  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
    dls_trajectory_set_meaning(traj, prefixes[i], DLS_CUBIC);
  }
}

int dls_trajectory_column(const dls_trajectory *traj, const char *name)
{
  for (size_t i = 0; i < traj->columns; i++) {
    if (strcmp(traj->names[i], name) == 0) {
      return (int)i;
    }
  }
  return -1;
}
