/* analytic/exact/support/exact.c -- tables of closed-form solutions.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/tangents.h"
#include "common/run/coordinates.h"
#include <delassus/exact.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { DIFFERENCE_ROWS = 5 };
enum { ROWS_MAX = 10000000, INTERVALS_MIN = 256, PIECE_INTERVALS_MIN = 4, NAMES_MAX = 512 };
/* Of the spacing of cubics of v: over so short a piece its derivatives are straight lines to the same accuracy. */
static const double short_piece = 1e-3;
/* Of the distance of rows otherwise: where forces are singular, as at the end of slip, rows are not closer. */
static const double least_part = 1e-3;
/* Error allowed in columns without recorded slopes, relative: in the accuracy of q by the length scale; round-off of fourth differences, in the largest
 * value of all columns. */
static const double column_part = 10, difference_noise = 256 * DBL_EPSILON;
static const double values_max = 1e8; /* in a table: 800 MB */

typedef struct sampler {
  const dls_exact *exact;
  dls_exact_solution *solution;
  dls_trajectory *traj;
  double end;
  dls_system *sys;
  dls_tangents tangents; /* zeros where the system has none */
  double *largest;       /* of each column so far, where rows are chosen */
} sampler;

/* --- what an entry may leave out --- */

static size_t count_of(const sampler *s)
{
  return s->exact->pieces != NULL ? s->exact->pieces(s->solution) : 1;
}

static double start_of(const sampler *s, size_t piece)
{
  return s->exact->start != NULL ? s->exact->start(s->solution, piece) : 0;
}

static bool event_of(const sampler *s, size_t piece, dls_event *out)
{
  return s->exact->event != NULL && s->exact->event(s->solution, piece, out);
}

static double spacing_of(const sampler *s, size_t piece, double t, double accuracy)
{
  return s->exact->spacing != NULL ? s->exact->spacing(s->solution, piece, t, accuracy) : INFINITY;
}

/* piece = SIZE_MAX: the left limit at t = 0 */
static void value_of(const sampler *s, size_t piece, double t, dls_exact_value *out)
{
  if (piece == SIZE_MAX && s->exact->initial != NULL) {
    s->exact->initial(s->solution, out);
  } else {
    s->exact->value(s->solution, piece == SIZE_MAX ? 0 : piece, t, out);
  }
}

/* --- the table --- */

/* Copy p (or the defaults), have the option table and the model check it, make the system. Caller frees *values. */
static dls_status read_parameters(sampler *s, const double *p, double **values, dls_error *err)
{
  const dls_model *model = s->exact->model;
  const size_t count = dls_option_count(model->parameters);
  double *copy = malloc((count + 1) * sizeof *copy);
  if (!copy) {
    return dls_fail(err, DLS_ERR_MEMORY, "exact %s: out of memory", model->name);
  }
  *values = copy;
  dls_option_defaults(model->parameters, copy);
  dls_status status = DLS_OK;
  for (size_t i = 0; p && i < count && status == DLS_OK; i++) {
    status = dls_option_set(model->parameters, model->name, model->parameters[i].name, p[i], copy, err);
  }
  return status == DLS_OK ? dls_model_create(model, copy, &s->sys, err) : status;
}

/* The notes that a run writes too, so that tables of both are compared. */
static dls_status write_notes(const sampler *s, const double *p, dls_error *err)
{
  const dls_model *model = s->exact->model;
  char text[NAMES_MAX] = "";
  size_t used = 0;
  for (size_t i = 0; model->parameters[i].name && used < sizeof text; i++) {
    char number[64];
    dls_option_format(&model->parameters[i], p[i], number, sizeof number);
    const int length =
        snprintf(text + used, sizeof text - used, "%s%s=%s", i ? "," : "", model->parameters[i].name, number);
    used += length > 0 ? (size_t)length : 0;
  }
  dls_status status = dls_trajectory_note(s->traj, err, "model", "%s", model->name);
  if (status == DLS_OK) {
    status = dls_trajectory_note(s->traj, err, "parameters", "%s", text);
  }
  if (status == DLS_OK) {
    status = dls_trajectory_note(s->traj, err, "scheme", "exact");
  }
  if (status == DLS_OK) {
    status = dls_trajectory_note(s->traj, err, "end", "%.17g", s->end);
  }
  return status == DLS_OK ? dls_note_coordinates(s->traj, s->sys, err) : status;
}

static void close_sampler(sampler *s, double *p)
{
  if (s->solution) {
    s->exact->destroy(s->solution);
  }
  dls_trajectory_destroy(s->traj);
  free(s->largest);
  dls_tangents_destroy(&s->tangents);
  dls_system_destroy(s->sys);
  free(p);
}

/* The solution first: it refuses what would be too long before anything of its length is made. */
static dls_status open_sampler(sampler *s, const double *p, dls_error *err)
{
  dls_status status = s->exact->create(p, s->end, &s->solution, err);
  if (status != DLS_OK) {
    return status;
  }
  s->traj = dls_trajectory_create_system(s->sys, true);
  s->largest = s->traj != NULL ? calloc(s->traj->columns, sizeof *s->largest) : NULL;
  if (s->largest == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "exact %s: out of memory", s->exact->model->name);
  }
  dls_trajectory_set_meaning(s->traj, "q", DLS_HERMITE);
  dls_trajectory_set_meaning(s->traj, "v", DLS_HERMITE);
  dls_trajectory_set_meaning(s->traj, "g", DLS_HERMITE);
  dls_trajectory_set_cubic(s->traj);
  s->traj->complete = true;
  status = write_notes(s, p, err);
  return status == DLS_OK && s->sys->d > 1 && s->sys->m > 0 ? dls_tangents_create(s->sys, &s->tangents, err)
                                                            : status;
}

/* The columns along tangents of the row that was written last; v jumps if the row before it has the same t. */
static dls_status write_tangents(sampler *s, dls_error *err)
{
  const size_t n = s->sys->n, m = s->sys->m, columns = s->traj->columns;
  double *row = s->traj->data + (s->traj->rows - 1) * columns;
  const bool jumps = s->traj->rows > 1 && row[-(ptrdiff_t)columns] == row[0];
  double *q = row + 1, *v = q + n, *p = v + n + 2 * m, *a = p + 3 * m;
  const dls_tangents_state at = {row[0], q, v, a, p, p + m, jumps ? v - columns : NULL};
  return dls_tangents_at(&s->tangents, &at, a + n, err);
}

/* One row: the value on a piece, or the initial data for piece = SIZE_MAX. */
static dls_status write_row(sampler *s, size_t piece, double t, dls_error *err)
{
  const size_t n = s->sys->n, m = s->sys->m;
  int few[8] = {0};
  int *status = m <= 8 ? few : calloc(m, sizeof *status);
  double *row = status ? dls_trajectory_append(s->traj) : NULL;
  if (row) { /* t, q, v, g, u, p, lambda, status, a, ..., mu, phi */
    double *g = row + 1 + 2 * n, *p = g + 2 * m;
    double *mu = row + s->traj->columns - 2 * s->sys->r;
    dls_exact_value value = {row + 1, row + 1 + n, p + 3 * m, p, p + m, status, mu};
    row[0] = t;
    value_of(s, piece, t, &value);
    s->exact->gap(s->solution, t, value.q, value.v, g, g + m);
    dls_system_joint(s->sys, t, value.q, mu + s->sys->r);
    for (size_t i = 0; i < m; i++) {
      p[2 * m + i] = status[i];
    }
  }
  if (status != few) {
    free(status);
  }
  if (row == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "exact %s: t = %g s: out of memory", s->exact->model->name, t);
  }
  return s->tangents.sys != NULL ? write_tangents(s, err) : DLS_OK;
}

/* The row or rows at the start of a piece, and its event. */
static dls_status write_start(sampler *s, size_t piece, dls_error *err)
{
  dls_event event = {0};
  dls_status status = DLS_OK;
  const double t = start_of(s, piece);
  const bool has_event = event_of(s, piece, &event);
  const bool smooth_start = piece == 0 && (event.kind == DLS_LANDING || event.kind == DLS_LIFT_OFF);
  const bool jumps = has_event && event.kind != DLS_GRAZING && !smooth_start; /* of v, or of forces */
  if (jumps || (s->exact->both_limits && (piece > 0 || has_event))) {
    status = write_row(s, piece > 0 ? piece - 1 : SIZE_MAX, t, err);
  }
  return status == DLS_OK ? write_row(s, piece, t, err) : status;
}

static dls_status write_events(sampler *s, dls_error *err)
{
  dls_status status = DLS_OK;
  dls_event event;
  for (size_t i = 0; i < count_of(s) && status == DLS_OK; i++) {
    if (event_of(s, i, &event)) {
      status = dls_trajectory_add_event(s->traj, &event, err);
    }
  }
  return status;
}

/* Error of the cubics over h in the columns without recorded slopes, relative to the allowed one: h^4 f''''/100, by the fourth difference of five rows, which are written only for this.
 * @param[out] bent  a column is not a straight line */
static dls_status column_error(sampler *s, size_t piece, double t, double h, double accuracy, double *worst,
                               bool *bent, dls_error *err)
{
  const size_t columns = s->traj->columns, rows = s->traj->rows;
  const double part = h / DIFFERENCE_ROWS, relative = column_part * accuracy / s->sys->length;
  dls_status status = DLS_OK;
  double most = 0;
  *worst = 0;
  *bent = false;
  for (size_t k = 1; k <= DIFFERENCE_ROWS && status == DLS_OK; k++) {
    status = write_row(s, piece, t + (double)k * part, err);
  }
  for (size_t j = 1; j < columns && status == DLS_OK; j++) {
    const double *x = s->traj->data + rows * columns + j;
    s->largest[j] = fmax(fmax(s->largest[j], fabs(x[0])), fabs(x[4 * columns]));
    most = fmax(most, s->largest[j]);
  }
  for (size_t j = 1; j < columns && status == DLS_OK; j++) {
    const double *x = s->traj->data + rows * columns + j;
    const double fourth = x[0] - 4 * x[columns] + 6 * x[2 * columns] - 4 * x[3 * columns] + x[4 * columns];
    if (s->traj->meaning[j] == DLS_CUBIC && fourth != 0) {
      *bent = *bent || fabs(x[0] - 2 * x[2 * columns] + x[4 * columns]) > difference_noise * most;
      *worst = fmax(*worst, 6.25 * fabs(fourth) / (relative * s->largest[j] + difference_noise * most));
    }
  }
  s->traj->rows = rows;
  return status;
}

/* The distance of rows from t on. Spacing is that of q and v, which may be constant or quadratic where forces are not. */
static dls_status choose_distance(sampler *s, size_t piece, double t, double t1, double accuracy, double *h,
                                  dls_error *err)
{
  /* At least INTERVALS_MIN intervals in all: tables are also plotted by straight lines. */
  const double spacing = spacing_of(s, piece, t, accuracy), most = s->end / INTERVALS_MIN;
  const double length = t1 - start_of(s, piece);
  *h = fmin(spacing, most);
  if (length <= short_piece * *h || s->exact->both_limits) {
    return DLS_OK;
  }
  dls_status status = DLS_OK;
  const double least = least_part * *h;
  double worst = spacing > most ? HUGE_VAL : 0;
  bool bent = isfinite(spacing);
  *h = fmin(*h, t1 - t);
  while (worst > 1 && *h > least && status == DLS_OK) {
    status = column_error(s, piece, t, *h, accuracy, &worst, &bent, err);
    *h = worst > 1 ? fmax(fmax(0.9 / sqrt(sqrt(worst)), 0.1) * *h, least) : *h;
  }
  if (bent) { /* enough for slopes by differences */
    *h = fmin(*h, length / PIECE_INTERVALS_MIN);
  }
  return status;
}

/* Rows between the start of a piece and t1; two equal steps at its end rather than a full and a tiny one. */
static dls_status write_piece(sampler *s, size_t piece, double t1, double accuracy, dls_error *err)
{
  double t = start_of(s, piece);
  for (;;) {
    double h = 0;
    dls_status status = choose_distance(s, piece, t, t1, accuracy, &h, err);
    const double next = t1 - t < 2 * h ? t + (t1 - t) / 2 : t + h;
    if (status != DLS_OK || t1 - t <= h || next >= t1) {
      return status;
    }
    if (!(next > t) || s->traj->rows >= ROWS_MAX) {
      return dls_fail(err, DLS_ERR_ARG,
                      "exact %s: accuracy = %g needs steps of %g s at t = %g s, more than %d rows in all",
                      s->exact->model->name, accuracy, h, t, ROWS_MAX);
    }
    t = next;
    status = write_row(s, piece, t, err);
    if (status != DLS_OK) {
      return status;
    }
  }
}

static dls_status sample(sampler *s, double begin, double accuracy, dls_error *err)
{
  const size_t count = count_of(s);
  if ((double)count * (double)s->traj->columns > values_max) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "exact %s: a table of %zu columns and at least %zu rows is too large: an earlier end than %g s, or "
        "rows at given times",
        s->exact->model->name, s->traj->columns, count, s->end);
  }
  dls_status status = dls_trajectory_note(s->traj, err, "accuracy", "%g", accuracy);
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    const double t1 = i + 1 < count ? start_of(s, i + 1) : s->end;
    if (t1 < begin) {
      continue;
    }
    status = write_start(s, i, err);
    if (status == DLS_OK) {
      status = write_piece(s, i, t1, accuracy, err);
    }
  }
  if (status == DLS_OK && s->end > start_of(s, count - 1)) {
    status = write_row(s, count - 1, s->end, err);
  }
  return status == DLS_OK ? write_events(s, err) : status;
}

/* Hand the trajectory over, or not; free the rest. */
static dls_status finish(sampler *s, double *p, dls_status status, dls_trajectory **out)
{
  if (status == DLS_OK) {
    *out = s->traj;
    s->traj = NULL;
  }
  close_sampler(s, p);
  return status;
}

dls_status dls_exact_trajectory(const dls_exact *exact, const double *p, double end, double accuracy,
                                dls_trajectory **out, dls_error *err)
{
  return dls_exact_trajectory_from(exact, p, 0, end, accuracy, out, err);
}

dls_status dls_exact_trajectory_from(const dls_exact *exact, const double *p, double begin, double end,
                                     double accuracy, dls_trajectory **out, dls_error *err)
{
  if (!exact || !out) {
    return dls_fail(err, DLS_ERR_ARG, "exact: solution and result must not be NULL");
  }
  if (!(end > 0 && isfinite(end))) {
    return dls_fail(err, DLS_ERR_ARG, "exact %s: end = %g s, must be positive and finite", exact->model->name,
                    end);
  }
  if (!(accuracy > 0)) {
    return dls_fail(err, DLS_ERR_ARG, "exact %s: accuracy = %g, must be positive", exact->model->name,
                    accuracy);
  }
  sampler s = {.exact = exact, .end = end};
  double *values = NULL;
  dls_status status = read_parameters(&s, p, &values, err);
  if (status == DLS_OK && !(accuracy >= DBL_EPSILON * s.sys->length)) {
    status =
        dls_fail(err, DLS_ERR_ARG, "exact %s: accuracy = %g, must be at least the rounding of the values, %g",
                 exact->model->name, accuracy, DBL_EPSILON * s.sys->length);
  }
  if (status == DLS_OK) {
    status = open_sampler(&s, values, err);
  }
  if (status == DLS_OK) {
    status = sample(&s, begin, accuracy, err);
  }
  return finish(&s, values, status, out);
}

static dls_status check_times(const char *name, size_t count, const double *times, dls_error *err)
{
  if (count == 0 || !times) {
    return dls_fail(err, DLS_ERR_ARG, "exact %s: no times given, at least one is needed", name);
  }
  for (size_t i = 0; i < count; i++) {
    if (!(times[i] >= 0 && isfinite(times[i]))) {
      return dls_fail(err, DLS_ERR_ARG, "exact %s: time %zu is %g s, must be >= 0 and finite", name, i + 1,
                      times[i]);
    }
    if (i > 0 && !(times[i] > times[i - 1])) {
      return dls_fail(err, DLS_ERR_ARG, "exact %s: time %zu is %.17g s after %.17g s, times must increase",
                      name, i + 1, times[i], times[i - 1]);
    }
  }
  return DLS_OK;
}

static dls_status sample_times(sampler *s, size_t count, const double *times, dls_error *err)
{
  const size_t pieces = count_of(s);
  dls_status status = DLS_OK;
  for (size_t i = 0, piece = 0; i < count && status == DLS_OK; i++) {
    while (piece + 1 < pieces && start_of(s, piece + 1) <= times[i]) {
      piece++;
    }
    const bool starts = times[i] == start_of(s, piece);
    status = starts ? write_start(s, piece, err) : write_row(s, piece, times[i], err);
  }
  return status == DLS_OK ? write_events(s, err) : status;
}

dls_status dls_exact_at(const dls_exact *exact, const double *p, size_t count, const double *times,
                        dls_trajectory **out, dls_error *err)
{
  if (!exact || !out) {
    return dls_fail(err, DLS_ERR_ARG, "exact: solution and result must not be NULL");
  }
  dls_status status = check_times(exact->model->name, count, times, err);
  if (status != DLS_OK) {
    return status;
  }
  sampler s = {.exact = exact, .end = times[count - 1]};
  double *values = NULL;
  status = read_parameters(&s, p, &values, err);
  if (status == DLS_OK) {
    status = open_sampler(&s, values, err);
  }
  if (status == DLS_OK) {
    status = sample_times(&s, count, times, err);
  }
  return finish(&s, values, status, out);
}
