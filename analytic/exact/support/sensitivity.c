/* analytic/exact/support/sensitivity.c -- derivatives of closed-form solutions with respect to a parameter p, at fixed t.
 *
 * A piece i of a solution is an analytic function of (t, p) between the times s_i(p) and s_{i+1}(p) of its events. The solutions of
 * p + delta and p - delta are evaluated on the same piece, at the same fraction of it:
 *
 *   theta(p) = S_i + (t - s_i) (S_{i+1} - S_i) / (s_{i+1} - s_i)                                    (1)
 *   D(delta) = [x_+ - x_- - f (theta_+ - theta_-)] / (2 delta) = dx/dp + c_2 delta^2 + c_4 delta^4 + ...   (2)
 *
 * with f = (v, v'). So no event comes between. D is extrapolated to delta = 0 (Richardson, Romberg's tableau over halved delta); of
 * its entries the one with the least estimated error counts (Ridders 1982, Adv. Eng. Softw. 4, 75-76). Times of events are extrapolated
 * alike. Solutions correspond if their events are of the same kinds at the same contacts; the number of impacts that are followed
 * before an accumulation may differ.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/decimal.h"
#include "common/base/memory.h"
#include "common/base/threshold_rows.h"
#include "common/run/event_totals.h"
#include <delassus/direction.h>
#include <delassus/exact.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LEVELS = 20,
  LEVELS_LEAST = 3,
  SIDES = 2,
  BOTH = -1,
  NOTE_ROOM = DLS_DIRECTION_NAME + DLS_DECIMAL_SIZE + 8
};
/* Thresholds: name, value, unit, reason, effect (common/base/threshold_rows.h). */
#define THRESHOLDS(X)                                                                                          \
  X(first_distance, 0x1p-4, "of the size of p", "extrapolation begins where terms of high order still count",  \
    "the largest delta of the differences")                                                                    \
  X(error_most, 1e-7, "of the value, or of the length scale over that of p", "digits that a reader can use",   \
    "a derivative whose estimated error is larger is left out")                                                \
  X(margin, 0x1p-6, "of the time of the last row", "the end of its piece must be known",                       \
    "the solutions reach beyond the last row by this")
THRESHOLDS(DLS_THRESHOLD_REAL)

/* One solution and how its pieces correspond to those of the given p. */
typedef struct neighbour {
  dls_exact_solution *solution; /* NULL: there is none */
  size_t *piece;                /* of each piece of the given p; SIZE_MAX: none corresponds */
} neighbour;

typedef struct differentiation {
  const dls_exact *exact;
  double *p; /* of the model */
  dls_direction direction;
  dls_system *sys;
  double reach, size; /* end of the solutions; size of the parameter */
  neighbour base, at[LEVELS][SIDES];
  size_t pieces;  /* of the base */
  bool one_sided; /* some value was to one side only */
  dls_exact_value value;
  double *block, *x, *d; /* x: 2 n; d: LEVELS x 2 n */
  int *status;
} differentiation;

/* --- solutions --- */

static size_t count_of(const dls_exact *exact, const dls_exact_solution *solution)
{
  return exact->pieces != NULL ? exact->pieces(solution) : 1;
}

static double start_of(const dls_exact *exact, const dls_exact_solution *solution, size_t piece)
{
  return exact->start != NULL ? exact->start(solution, piece) : 0;
}

/* Kind and contact of the event that starts a piece, as one number; SIZE_MAX: there is none. */
static size_t event_key(const dls_exact *exact, const dls_exact_solution *solution, size_t piece,
                        bool *accumulates)
{
  dls_event event = {0};
  const bool is = exact->event != NULL && exact->event(solution, piece, &event);
  *accumulates = is && event.kind == DLS_ACCUMULATION;
  return is ? (size_t)event.kind + 16 * event.contact : SIZE_MAX;
}

/* The first piece after `from` that an accumulation starts, or the number of pieces. */
static size_t next_accumulation(const dls_exact *exact, const dls_exact_solution *solution, size_t from)
{
  bool accumulates = false;
  size_t i = from + 1;
  for (const size_t count = count_of(exact, solution); i < count; i++) {
    event_key(exact, solution, i, &accumulates);
    if (accumulates) {
      break;
    }
  }
  return i;
}

/* Which pieces correspond: accumulation by accumulation, while the events are the same. */
static void match(const differentiation *d, neighbour *to)
{
  const dls_exact *exact = d->exact;
  const size_t count = count_of(exact, to->solution);
  for (size_t i = 0; i < d->pieces; i++) {
    to->piece[i] = SIZE_MAX;
  }
  for (size_t i = 0, j = 0; i < d->pieces && j < count;) {
    const size_t i_end = next_accumulation(exact, d->base.solution, i);
    const size_t j_end = next_accumulation(exact, to->solution, j);
    const size_t common = i_end - i < j_end - j ? i_end - i : j_end - j;
    bool unused = false;
    for (size_t k = 0; k < common; k++) {
      if (event_key(exact, d->base.solution, i + k, &unused) !=
          event_key(exact, to->solution, j + k, &unused)) {
        return;
      }
      to->piece[i + k] = j + k;
    }
    i = i_end;
    j = j_end;
  }
}

/* The solution of another value. @return false if the model has none there */
static dls_status open_neighbour(differentiation *d, double value, neighbour *out, dls_error *err)
{
  const dls_model *model = d->exact->model;
  const int which = dls_option_find(model->parameters, d->direction.name);
  dls_system *sys = NULL;
  dls_error refused = {0};
  d->p[which] = value;
  dls_status status = dls_option_set(model->parameters, model->name, d->direction.name, value, d->p, &refused);
  if (status == DLS_OK) {
    status = dls_model_create(model, d->p, &sys, &refused);
  }
  if (status == DLS_OK) {
    status = d->exact->create(d->p, d->reach, &out->solution, &refused);
  }
  dls_system_destroy(sys);
  d->p[which] = d->direction.value;
  if (status != DLS_OK && out->solution != NULL) {
    d->exact->destroy(out->solution);
    out->solution = NULL;
  }
  if (status == DLS_ERR_MEMORY) {
    return dls_fail(err, status, "%s", refused.text);
  }
  return DLS_OK;
}

static dls_status open_neighbours(differentiation *d, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t l = 0; l < LEVELS && status == DLS_OK; l++) {
    const double delta = ldexp(d->size * threshold_first_distance, -(int)l);
    for (int side = 0; side < SIDES && status == DLS_OK; side++) {
      neighbour *to = &d->at[l][side];
      to->piece = calloc(d->pieces, sizeof *to->piece);
      if (to->piece == NULL) {
        return dls_fail(err, DLS_ERR_MEMORY, "exact %s: out of memory", d->exact->model->name);
      }
      status = open_neighbour(d, d->direction.value + (2 * side - 1) * delta, to, err);
      if (to->solution != NULL) {
        match(d, to);
      }
    }
  }
  return status;
}

/* --- one row --- */

/* The time (1) on piece j of a solution that corresponds to t on piece i of the base: linear between the ends of both, which correspond; on the
 * last piece equally long after its start. @return false if no piece corresponds, or it is shorter than its time */
static bool corresponding_time(const differentiation *d, const neighbour *to, size_t i, double t, double *theta)
{
  const dls_exact *exact = d->exact;
  const size_t j = to->piece[i];
  if (j == SIZE_MAX) {
    return false;
  }
  const double s = start_of(exact, d->base.solution, i), start = start_of(exact, to->solution, j);
  *theta = start + (t - s);
  if (i + 1 < d->pieces) {
    const double next = start_of(exact, d->base.solution, i + 1);
    const size_t k = to->piece[i + 1];
    if (k == SIZE_MAX && t == next) {
      return false;
    }
    if (k != SIZE_MAX) {
      const double end = start_of(exact, to->solution, k);
      *theta = t == next ? end : start + (t - s) * ((end - start) / (next - s));
    }
  }
  return !(j + 1 < count_of(exact, to->solution) && *theta > start_of(exact, to->solution, j + 1));
}

/* (q, v) of a solution at the time that corresponds to t on a piece of the base; SIZE_MAX: the start.
 * @param[out] shift  theta - t. @return false if there is none */
static bool state_at(differentiation *d, const neighbour *to, size_t piece, double t, double *x, double *shift)
{
  const dls_exact *exact = d->exact;
  const size_t n = d->sys->n;
  *shift = 0;
  if (to->solution == NULL) {
    return false;
  }
  if (piece == SIZE_MAX && exact->initial != NULL) {
    exact->initial(to->solution, &d->value);
  } else {
    const size_t i = piece == SIZE_MAX ? 0 : piece;
    double theta = t;
    if (!corresponding_time(d, to, i, t, &theta)) {
      return false;
    }
    exact->value(to->solution, to->piece[i], theta, &d->value);
    *shift = theta - t;
  }
  memcpy(x, d->value.q, n * sizeof *x);
  memcpy(x + n, d->value.v, n * sizeof *x);
  return true;
}

/* Romberg's tableau over halved steps, in place; base 4: of an even function, 2: of any.
 * @param[in] noise  rounding of the last difference, which is halved from one to that before. @param[out] error  estimated */
static double extrapolate(size_t count, double *d, size_t stride, double base, double noise, double *error)
{
  double best = NAN, factor = 1;
  *error = HUGE_VAL;
  for (size_t k = 1; k < count; k++) {
    factor *= base;
    for (size_t l = count - 1; l >= k; l--) {
      const double before = d[l * stride], last = d[(l - 1) * stride];
      d[l * stride] = before + (before - last) / (factor - 1);
      const double e = fmax(fabs(d[l * stride] - before), fabs(d[l * stride] - last)) +
                       ldexp(noise, (int)l - (int)count + 1);
      if (e < *error) {
        *error = e;
        best = d[l * stride];
      }
    }
  }
  return best;
}

/* Weight of the state on one side in the difference (2), or in the one to that side only. */
static double weight_of(const differentiation *d, size_t level, int side, int only)
{
  const double delta = ldexp(d->size * threshold_first_distance, -(int)level);
  return (2 * side - 1) / (only == BOTH ? 2 * delta : delta);
}

/* The derivatives from LEVELS x width differences, of which the last `count` levels are there; NaN where none is found. */
static void conclude(const differentiation *d, size_t count, size_t width, int only, double scale,
                     double rounding, double *differences, double *out)
{
  const double noise = rounding / ldexp(d->size * threshold_first_distance, 1 - LEVELS);
  for (size_t k = 0; k < width; k++) {
    double error = HUGE_VAL;
    out[k] = count >= LEVELS_LEAST ? extrapolate(count, differences + (LEVELS - count) * width + k, width,
                                                 only == BOTH ? 4 : 2, noise, &error)
                                   : NAN;
    if (!(error <= threshold_error_most * fmax(fabs(out[k]), scale / d->size))) {
      out[k] = NAN;
    }
  }
}

/* One row of a table: q, v and the accelerations a at t on a piece. */
typedef struct table_row {
  size_t piece;
  double t;
  const double *x, *a;
} table_row;

/* (2) of one level. @return false if a side is not there */
static bool differences_at(differentiation *d, const table_row *row, size_t level, int only)
{
  const size_t n = d->sys->n;
  const bool fixed = row->piece == SIZE_MAX; /* the initial data are those at t = 0 */
  double *to = d->d + level * 2 * n, shift = 0;
  memset(to, 0, 2 * n * sizeof *to);
  for (int side = 0; side < SIDES; side++) {
    if (only != BOTH && side != only) {
      continue;
    }
    if (!state_at(d, &d->at[level][side], row->piece, row->t, d->x, &shift)) {
      return false;
    }
    const double weight = weight_of(d, level, side, only);
    for (size_t i = 0; i < 2 * n; i++) {
      const double f = fixed ? 0 : i < n ? row->x[n + i] : row->a[i - n];
      to[i] += weight * (d->x[i] - row->x[i] - f * shift);
    }
  }
  return true;
}

/* The levels from the last one on that are there. */
static size_t differentiate_side(differentiation *d, const table_row *row, int only, double *out)
{
  const size_t n = d->sys->n;
  double largest = 0;
  size_t count = 0;
  while (count < LEVELS && differences_at(d, row, LEVELS - 1 - count, only)) {
    count++;
  }
  for (size_t i = 0; i < 2 * n; i++) {
    largest = fmax(largest, fabs(row->x[i]));
  }
  conclude(d, count, 2 * n, only, d->sys->length, DBL_EPSILON * largest, d->d, out);
  return count;
}

/* Central, else to one side: of a tiny value of p, whose range ends within the least distance, that is the same derivative. */
static void differentiate_row(differentiation *d, const table_row *row, double *out)
{
  if (differentiate_side(d, row, BOTH, out) >= LEVELS_LEAST) {
    return;
  }
  for (int side = SIDES; side-- > 0;) {
    if (differentiate_side(d, row, side, out) >= LEVELS_LEAST) {
      d->one_sided = d->one_sided || d->direction.one_sided || d->at[LEVELS - 1][1 - side].solution != NULL;
      return;
    }
  }
}

/* The derivative of the time of the event that starts a piece, central or to one side. @return false if there is none */
static bool differentiate_start(differentiation *d, size_t piece, int only, double *out)
{
  const double start = start_of(d->exact, d->base.solution, piece);
  double differences[LEVELS] = {0};
  size_t count = 0;
  for (bool there = true; count < LEVELS && there; count += there) {
    const size_t l = LEVELS - 1 - count;
    for (int side = 0; side < SIDES && there; side++) {
      const neighbour *to = &d->at[l][side];
      if (only == BOTH || side == only) {
        there = to->solution != NULL && to->piece[piece] != SIZE_MAX;
        differences[l] +=
            there ? weight_of(d, l, side, only) * (start_of(d->exact, to->solution, to->piece[piece]) - start)
                  : 0;
      }
    }
  }
  conclude(d, count, 1, only, d->sys->time, DBL_EPSILON * start, differences, out);
  return count >= LEVELS_LEAST;
}

/* --- a table --- */

static dls_status allocate(differentiation *d, dls_error *err)
{
  const size_t n = d->sys->n, m = d->sys->m, r = d->sys->r, one = 3 * n + 2 * m + r;
  d->block = calloc(one + 2 * n * (1 + LEVELS) + 1, sizeof *d->block);
  d->status = calloc(m + 1, sizeof *d->status);
  d->base.piece = calloc(1, sizeof *d->base.piece);
  if (d->block == NULL || d->status == NULL || d->base.piece == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "exact %s: out of memory", d->exact->model->name);
  }
  double *at = d->block;
  d->value =
      (dls_exact_value){at, at + n, at + 2 * n, at + 3 * n, at + 3 * n + m, d->status, at + 3 * n + 2 * m};
  d->x = at + one;
  d->d = d->x + 2 * n;
  return DLS_OK;
}

static void release(differentiation *d)
{
  for (size_t l = 0; l < LEVELS; l++) {
    for (int side = 0; side < SIDES; side++) {
      if (d->at[l][side].solution != NULL) {
        d->exact->destroy(d->at[l][side].solution);
      }
      free(d->at[l][side].piece);
    }
  }
  if (d->base.solution != NULL) {
    d->exact->destroy(d->base.solution);
  }
  free(d->base.piece);
  dls_direction_release(&d->direction);
  dls_system_destroy(d->sys);
  free(d->block);
  free(d->status);
  free(d->p);
}

/* Beyond the end if it can be, for the end of the last piece. */
static dls_status open_base(differentiation *d, double end, dls_error *err)
{
  dls_error beyond = {0};
  d->reach = end * (1 + threshold_margin);
  const dls_status status = d->exact->create(d->p, d->reach, &d->base.solution, &beyond);
  if (status == DLS_OK || status == DLS_ERR_MEMORY) {
    return status == DLS_OK ? status : dls_fail(err, status, "%s", beyond.text);
  }
  if (d->base.solution != NULL) {
    d->exact->destroy(d->base.solution);
    d->base.solution = NULL;
  }
  d->reach = end;
  return d->exact->create(d->p, d->reach, &d->base.solution, err);
}

static dls_status prepare(differentiation *d, const double *p, const char *name, double end, dls_error *err)
{
  const dls_model *model = d->exact->model;
  const size_t count = dls_option_count(model->parameters);
  d->p = calloc(count + 1, sizeof *d->p);
  if (d->p == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "exact %s: out of memory", model->name);
  }
  dls_option_defaults(model->parameters, d->p);
  if (p != NULL) {
    memcpy(d->p, p, count * sizeof *p);
  }
  dls_status status = dls_direction_create(model, d->p, name, &d->direction, err); /* checks the name */
  if (status != DLS_OK || (status = dls_model_create(model, d->p, &d->sys, err)) != DLS_OK ||
      (status = allocate(d, err)) != DLS_OK) {
    return status;
  }
  d->size = d->direction.size; /* a power of two: p + delta has no rounding of delta */
  if ((status = open_base(d, end, err)) != DLS_OK) {
    return status;
  }
  d->pieces = count_of(d->exact, d->base.solution);
  return open_neighbours(d, err);
}

/* Derivatives at all rows of a table. @param[out] out  rows x stride, of which the first 2 n are written.
 * @return the time from which on values are missing, or infinity */
static double differentiate_rows(differentiation *d, const dls_trajectory *table, size_t stride, double *out)
{
  const size_t n = d->sys->n, a = 1 + 2 * n + 5 * d->sys->m;
  double missing = INFINITY;
  for (size_t i = 0, piece = 0; i < table->rows; i++) {
    const double *row = table->data + i * table->columns, t = row[0];
    while (piece + 1 < d->pieces && start_of(d->exact, d->base.solution, piece + 1) <= t) {
      piece++;
    }
    const bool left = i + 1 < table->rows && row[table->columns] == t;
    const size_t on = !left ? piece : piece > 0 ? piece - 1 : SIZE_MAX;
    double *to = out + i * stride;
    differentiate_row(d, &(table_row){on, t, row + 1, row + a}, to);
    for (size_t k = 0; k < 2 * n; k++) {
      missing = isnan(to[k]) ? fmin(missing, t) : missing;
    }
  }
  return missing;
}

/* " dt/dP=number" behind the notes of the events of the table. */
static dls_status note_events(differentiation *d, dls_trajectory *table, dls_error *err)
{
  for (size_t piece = 0, i = 0; piece < d->pieces && i < table->event_count; piece++) {
    dls_event event;
    if (d->exact->event == NULL || !d->exact->event(d->base.solution, piece, &event)) {
      continue;
    }
    char number[DLS_DECIMAL_SIZE] = "nan";
    double dt = NAN;
    for (int side = BOTH; side < SIDES && !differentiate_start(d, piece, side, &dt); side++) {
    }
    if (!isnan(dt)) {
      dls_decimal_write(dt, number);
    }
    char **note = &table->totals->notes[i++];
    const size_t used = *note != NULL ? strlen(*note) : 0;
    char *longer = realloc(*note, used + NOTE_ROOM);
    if (longer == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "exact %s: out of memory", d->exact->model->name);
    }
    *note = longer;
    snprintf(longer + used, NOTE_ROOM, " dt/d%s=%s", d->direction.name, number);
  }
  return DLS_OK;
}

static dls_status note_status(const differentiation *d, double missing, dls_exact_derivative *out,
                              dls_trajectory *table, dls_error *err)
{
  char key[DLS_DIRECTION_NAME + 20];
  out->status = isfinite(missing) ? DLS_DERIVATIVE_DEGENERATE
                : d->one_sided    ? DLS_DERIVATIVE_ONE_SIDED
                                  : DLS_DERIVATIVE_OK;
  out->missing_from = missing;
  snprintf(key, sizeof key, "sensitivity_%s", d->direction.name);
  return dls_trajectory_note(table, err, key, "%s", dls_derivative_status_name(out->status));
}

/* Room for more columns behind the others, and for the notes of the events. */
static dls_status widen(dls_trajectory *table, size_t count, const char *const *names, size_t n, dls_error *err)
{
  const size_t before = table->columns, columns = before + 2 * n * count;
  double *data = calloc(dls_size_sum(dls_size_product(table->rows, columns), 1), sizeof *data);
  char **all = realloc(table->names, columns * sizeof *all);
  table->names = all != NULL ? all : table->names;
  dls_meaning *meaning = realloc(table->meaning, columns * sizeof *meaning);
  table->meaning = meaning != NULL ? meaning : table->meaning;
  table->totals = table->totals != NULL ? table->totals : dls_event_totals_create(false);
  char **notes = table->totals != NULL ? calloc(table->event_count + 1, sizeof *notes) : NULL;
  if (data == NULL || all == NULL || meaning == NULL || notes == NULL) {
    free(data);
    free(notes);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu columns of derivatives", 2 * n * count);
  }
  for (size_t i = 0; i < table->rows; i++) {
    memcpy(data + i * columns, table->data + i * before, before * sizeof *data);
  }
  free(table->data);
  table->data = data;
  table->row_capacity = table->rows;
  for (size_t i = 0; i < table->event_count; i++) {
    dls_event_totals_add(table->totals, &table->events[i]);
  }
  table->totals->notes = notes;
  table->totals->note_count = table->event_count;
  for (size_t k = 0; k < 2 * n * count; k++) {
    const char *of = names[k / (2 * n)];
    const size_t size = strlen(of) + 32, i = k % (2 * n);
    if ((all[before + k] = malloc(size)) == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu columns of derivatives", 2 * n * count);
    }
    snprintf(all[before + k], size, "d%c%zu/d%s", i < n ? 'q' : 'v', i < n ? i : i - n, of);
    meaning[before + k] = DLS_LINEAR;
    table->columns++;
  }
  return DLS_OK;
}

static dls_status check_names(const dls_exact *exact, size_t count, const char *const *names, dls_error *err)
{
  for (size_t k = 0; k < count; k++) {
    for (size_t i = 0; i < k; i++) {
      if (strcmp(names[i], names[k]) == 0) {
        return dls_fail(err, DLS_ERR_ARG, "exact %s: parameter %s is given twice", exact->model->name,
                        names[k]);
      }
    }
  }
  return DLS_OK;
}

dls_status dls_exact_differentiate(const dls_exact *exact, const double *p, size_t count,
                                   const char *const *names, dls_trajectory *table,
                                   dls_exact_derivative *statuses, dls_error *err)
{
  const size_t before = table->columns, n = table->n;
  if (table->rows == 0) {
    return dls_fail(err, DLS_ERR_ARG, "exact %s: the table has no rows to differentiate", exact->model->name);
  }
  dls_status status = check_names(exact, count, names, err);
  for (size_t k = 0; k < count && status == DLS_OK; k++) {
    differentiation d = {.exact = exact};
    status = prepare(&d, p, names[k], dls_trajectory_at(table, table->rows - 1, 0), err);
    if (status == DLS_OK && k == 0) {
      status = widen(table, count, names, n, err);
    }
    if (status == DLS_OK) {
      const double missing = differentiate_rows(&d, table, table->columns, table->data + before + 2 * n * k);
      status = note_events(&d, table, err);
      status = status == DLS_OK ? note_status(&d, missing, &statuses[k], table, err) : status;
    }
    release(&d);
  }
  return status;
}
