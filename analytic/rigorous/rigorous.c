/* analytic/rigorous/rigorous.c -- see rigorous.h. The precision grows until the enclosures are as narrow as was asked.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/rigorous.h"
#include "analytic/rigorous/decimals.h"
#include "analytic/rigorous/guard.h"
#include "analytic/rigorous/models.h"
#include "analytic/rigorous/tangent.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  GUARD = 64,
  MOST_DOUBLINGS = 5,
  PATIENCE = 2 /* doublings that do not change why there is no proof */,
  AFTER_POINT = 2 /* digits more than are asked for */
};
static const double bits_of_digit = 3.33;

typedef struct table_writer {
  const dls_rigorous_problem *problem;
  const dls_ball_solution *solution;
  const dls_ball_tangent *tangent; /* by_count of the problem */
  dls_rigorous_table *table;
  size_t room; /* rows that fit */
  slong prec;
  bool wide, out_of_memory; /* an enclosure is wider than was asked; no memory */
} table_writer;

/* --- cells --- */

/* Digits before the point. */
static slong magnitude(const arb_t x)
{
  slong count = 0;
  for (double size = fabs(arf_get_d(arb_midref(x), ARF_RND_UP)); size >= 1 && count < 300; size /= 10) {
    count++;
  }
  return count;
}

/* Is the radius more than 10^-digits max(1, |x|)? */
static bool is_wide(const arb_t x, unsigned digits)
{
  mag_t allowed, size;
  mag_init(allowed);
  mag_init(size);
  mag_set_ui_lower(allowed, 10);
  mag_pow_ui(allowed, allowed, digits); /* up: what is allowed comes out less */
  mag_one(size);
  mag_div_lower(allowed, size, allowed);
  arb_get_mag_lower(size, x);
  if (mag_cmp_2exp_si(size, 0) > 0) {
    mag_mul_lower(allowed, allowed, size);
  }
  const bool wide = mag_cmp(arb_radref(x), allowed) > 0;
  mag_clear(allowed);
  mag_clear(size);
  return wide;
}

static void write_cell(table_writer *w, const arb_t x, dls_rigorous_cell *cell)
{
  const slong digits = (slong)w->problem->digits, places = digits + AFTER_POINT - magnitude(x);
  arf_t low, high;
  if (!arb_is_finite(x)) {
    w->wide = true;
    return;
  }
  arf_init(low);
  arf_init(high);
  arb_get_lbound_arf(low, x, ARF_PREC_EXACT);
  arb_get_ubound_arf(high, x, ARF_PREC_EXACT);
  cell->low = dls_ball_decimal(low, places > 0 ? (ulong)places : 0, ARF_RND_FLOOR);
  cell->high = dls_ball_decimal(high, places > 0 ? (ulong)places : 0, ARF_RND_CEIL);
  char *ball = arb_get_str(x, digits + 1, 0);
  cell->ball = strdup(ball);
  flint_free(ball);
  w->out_of_memory = w->out_of_memory || cell->low == NULL || cell->high == NULL || cell->ball == NULL;
  w->wide = w->wide || is_wide(x, w->problem->digits);
  arf_clear(low);
  arf_clear(high);
}

/* --- rows --- */

/* A row more, its cells empty. NULL if out of memory */
static dls_rigorous_cell *add_row(table_writer *w, const char *event)
{
  dls_rigorous_table *table = w->table;
  if (table->rows == w->room) {
    const size_t room = 2 * w->room + 16;
    dls_rigorous_cell *cell = realloc(table->cell, room * table->columns * sizeof *cell);
    table->cell = cell != NULL ? cell : table->cell;
    const char **events = realloc(table->event, room * sizeof *events);
    table->event = events != NULL ? events : table->event;
    if (cell == NULL || events == NULL) {
      w->out_of_memory = true;
      return NULL;
    }
    w->room = room;
  }
  dls_rigorous_cell *cell = table->cell + table->rows * table->columns;
  memset(cell, 0, table->columns * sizeof *cell);
  table->event[table->rows++] = event;
  return cell;
}

/* Derivatives of t, q and v by each parameter. dx: derivatives of the states for each; piece: that begins at t, or NULL: t is given */
static void write_derivatives(table_writer *w, const arb_mat_struct *rows, arb_srcptr x, arb_srcptr *dx,
                              const dls_ball_piece *piece, dls_rigorous_cell *cell)
{
  arb_t value;
  arb_init(value);
  for (size_t j = 0; j < w->problem->by_count; j++) {
    const dls_ball_tangent *d = &w->tangent[j];
    arb_zero(value);
    write_cell(w, piece != NULL ? d->dt + (piece - w->solution->piece) : value, cell++);
    for (slong i = 0; i < 2 * d->n; i++, cell++) {
      dls_ball_tangent_value(value, d, rows, i, x, dx[j], w->prec);
      write_cell(w, value, cell);
    }
  }
  arb_clear(value);
}

/* A row of the table. */
typedef struct row {
  arb_srcptr t;
  const dls_ball_piece *piece; /* that begins at t; NULL: t is given */
  const arb_mat_struct *rows;  /* columns from states */
  arb_srcptr x, *dx;           /* states; their derivatives by each parameter */
  arb_srcptr impulse;
  const char *event;
} row;

/* t and all columns of states. */
static void write_row(table_writer *w, const row *r)
{
  const dls_ball_solution *sol = w->solution;
  dls_rigorous_cell *cell = add_row(w, r->event);
  arb_t value;
  arb_init(value);
  if (cell != NULL) {
    write_cell(w, r->t, cell++);
    for (slong i = 0; i < sol->columns; i++, cell++) {
      dls_ball_solution_value(value, sol, r->rows, i, r->x, w->prec);
      write_cell(w, i == sol->impulse ? r->impulse : value, cell);
    }
    write_derivatives(w, r->rows, r->x, r->dx, r->piece, cell);
  }
  arb_clear(value);
}

/* Both limits of the start of a piece; the one from the left only where they differ. */
static dls_status write_start(table_writer *w, size_t i, dls_error *err)
{
  const dls_ball_piece *piece = &w->solution->piece[i];
  const size_t count = w->problem->by_count;
  arb_srcptr *left = flint_malloc((2 * count + 1) * sizeof *left), *right = left + count;
  arb_t nothing;
  arb_init(nothing);
  dls_status status = DLS_OK;
  for (size_t j = 0; j < count && status == DLS_OK; j++) {
    const dls_ball_tangent *d = &w->tangent[j];
    left[j] = d->left + (slong)i * d->k;
    right[j] = d->x + (slong)i * d->k;
    status = dls_ball_tangent_check_left(d, w->solution, i, err);
  }
  if (status == DLS_OK && piece->jumps) {
    write_row(w, &(row){piece->t, piece, piece->past, piece->left, left, nothing, ""});
  }
  if (status == DLS_OK) {
    write_row(w, &(row){piece->t, piece, piece->rows, piece->box != NULL ? piece->left : piece->x, right,
                        piece->impulse, dls_ball_event_name(piece->event)});
  }
  arb_clear(nothing);
  flint_free(left);
  return status;
}

/* The time of the last row is this decimal. */
static void name_time(table_writer *w, const char *text)
{
  char **const cells[] = {&w->table->cell[(w->table->rows - 1) * w->table->columns].low,
                          &w->table->cell[(w->table->rows - 1) * w->table->columns].high,
                          &w->table->cell[(w->table->rows - 1) * w->table->columns].ball};
  for (int i = 0; i < 3; i++) {
    free(*cells[i]);
    *cells[i] = strdup(text);
    w->out_of_memory = w->out_of_memory || *cells[i] == NULL;
  }
}

/* The state at t, a decimal, on piece i. Before an accumulation impacts are left out: a box contains all states. */
static dls_status write_inside(table_writer *w, size_t i, const arb_t t, const char *text, dls_error *err)
{
  const dls_ball_piece *piece = &w->solution->piece[i];
  const bool series = i + 1 < w->solution->count && piece[1].box != NULL;
  if (series && w->problem->by_count > 0) {
    return dls_ball_undecided(piece->t, NULL, "an accumulation follows, whose last impacts have no derivatives",
                              err);
  }
  const slong k = w->solution->k, count = (slong)w->problem->by_count;
  arb_ptr x = _arb_vec_init(k), derivatives = _arb_vec_init(count * k);
  arb_srcptr *dx = flint_malloc(((size_t)count + 1) * sizeof *dx);
  arb_t since, nothing;
  arb_init(since);
  arb_init(nothing);
  arb_sub(since, t, dls_ball_piece_origin(piece), w->prec);
  if (series) {
    _arb_vec_set(x, piece[1].box, k);
  } else {
    dls_ball_solution_at(x, w->solution, piece, since, w->prec);
  }
  for (slong j = 0; j < count; j++) {
    dx[j] = derivatives + j * k;
    dls_ball_tangent_at(derivatives + j * k, &w->tangent[j], w->solution, i, since, w->prec);
  }
  write_row(w, &(row){t, NULL, piece->rows, x, dx, nothing, ""});
  if (!w->out_of_memory) {
    name_time(w, text);
  }
  arb_clear(since);
  arb_clear(nothing);
  _arb_vec_clear(x, k);
  _arb_vec_clear(derivatives, count * k);
  flint_free(dx);
  return DLS_OK;
}

/* At a time that is that of an event, or may be, both limits. */
static dls_status write_time(table_writer *w, const char *text, dls_error *err)
{
  const dls_ball_solution *sol = w->solution;
  dls_status status = DLS_OK;
  size_t i = 0;
  arb_t t;
  arb_init(t);
  if (arb_set_str(t, text, w->prec) != 0 || !arb_is_finite(t)) {
    arb_clear(t);
    return dls_fail(err, DLS_ERR_ARG, "time %.60s is no decimal number", text);
  }
  while (i + 1 < sol->count && arb_lt(sol->piece[i + 1].t, t)) {
    i++;
  }
  if (i + 1 < sol->count && arb_overlaps(sol->piece[i + 1].t, t)) {
    for (i++; i < sol->count && arb_overlaps(sol->piece[i].t, t) && status == DLS_OK; i++) {
      status = write_start(w, i, err);
    }
  } else if (i == 0 && arb_is_zero(t)) {
    status = write_start(w, 0, err);
  } else {
    status = write_inside(w, i, t, text, err);
  }
  arb_clear(t);
  return status;
}

static dls_status write_rows(table_writer *w, dls_error *err)
{
  dls_status status = DLS_OK;
  const dls_rigorous_problem *problem = w->problem;
  for (size_t i = 0; i < problem->time_count && status == DLS_OK; i++) {
    status = write_time(w, problem->times[i], err);
  }
  for (size_t i = 0; problem->time_count == 0 && i < w->solution->count && status == DLS_OK; i++) {
    status = write_start(w, i, err);
  }
  if (status == DLS_OK && problem->time_count == 0) {
    arb_t end;
    arb_init(end);
    arb_set_str(end, problem->end, w->prec);
    if (!arb_overlaps(end, w->solution->piece[w->solution->count - 1].t)) {
      status = write_inside(w, w->solution->count - 1, end, problem->end, err);
    }
    arb_clear(end);
  }
  return status == DLS_OK && w->out_of_memory
             ? dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu rows", w->table->rows)
             : status;
}

static dls_status name_columns(const table_writer *w, dls_error *err)
{
  dls_rigorous_table *table = w->table;
  const dls_ball_solution *sol = w->solution;
  const size_t by_count = w->problem->by_count,
               each = by_count > 0 ? 2 * (size_t)w->tangent[0].n : 0; /* q and v */
  size_t next = 1 + (size_t)sol->columns;
  *table = (dls_rigorous_table){.columns = next + by_count * (1 + each)};
  table->names = calloc(table->columns, sizeof *table->names);
  if (table->names == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu columns", table->columns);
  }
  strcpy(table->names[0], "t");
  memcpy(table->names + 1, sol->names, (size_t)sol->columns * sizeof *sol->names);
  for (size_t j = 0; j < by_count; j++) {
    snprintf(table->names[next++], sizeof *table->names, "dt/d%.20s", w->problem->by[j]);
    for (size_t i = 0; i < each; i++) {
      snprintf(table->names[next++], sizeof *table->names, "d%.7s/d%.20s", sol->names[i], w->problem->by[j]);
    }
  }
  return DLS_OK;
}

void dls_rigorous_free(dls_rigorous_table *table)
{
  for (size_t i = 0; table->cell != NULL && i < table->rows * table->columns; i++) {
    free(table->cell[i].low);
    free(table->cell[i].high);
    free(table->cell[i].ball);
  }
  free(table->cell);
  free(table->names);
  free(table->event);
  *table = (dls_rigorous_table){0};
}

/* --- precision --- */

/* All of it with so many bits, accumulations followed to 2^-narrow. @param[out] wide  an enclosure is wider than was asked */
static dls_status attempt(const dls_rigorous_problem *problem, slong prec, slong narrow,
                          dls_rigorous_table *out, bool *wide, dls_error *err)
{
  dls_ball_solution sol = {0};
  dls_ball_parameters p;
  dls_ball_tangent *tangent = flint_calloc(problem->by_count + 1, sizeof *tangent);
  dls_status status = dls_ball_parameters_read(problem, prec, &p, err);
  if (status == DLS_OK) {
    status = dls_ball_solve(problem, prec, narrow, &sol, err);
  }
  for (size_t j = 0; j < problem->by_count && status == DLS_OK; j++) {
    status = dls_ball_tangent_solve(&p, problem->by[j], &sol, &tangent[j], err);
  }
  table_writer w = {.problem = problem, .solution = &sol, .tangent = tangent, .table = out, .prec = prec};
  if (status == DLS_OK) {
    status = name_columns(&w, err);
  }
  if (status == DLS_OK) {
    status = write_rows(&w, err);
  }
  *wide = w.wide;
  for (size_t j = 0; j < problem->by_count; j++) {
    dls_ball_tangent_clear(&tangent[j]);
  }
  flint_free(tangent);
  dls_ball_solution_clear(&sol);
  dls_ball_parameters_clear(&p);
  return status;
}

static dls_status check_parameters(const dls_rigorous_problem *problem, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t j = 0; j < problem->by_count && status == DLS_OK; j++) {
    status = dls_ball_tangent_check(problem, problem->by[j], err);
    for (size_t i = 0; i < j && status == DLS_OK; i++) {
      if (strcmp(problem->by[i], problem->by[j]) == 0) {
        status = dls_fail(err, DLS_ERR_ARG, "%s: derivative by %.40s is given twice", problem->model,
                          problem->by[j]);
      }
    }
  }
  return status;
}

static dls_status enclose(const dls_rigorous_problem *problem, dls_rigorous_table *out, dls_error *err)
{
  /* flights are enclosed with the relative width of their speed: few bits are lost in a series of impacts */
  slong narrow = (slong)((problem->digits + AFTER_POINT + 2) * bits_of_digit), prec = narrow + 2 * GUARD;
  *out = (dls_rigorous_table){0};
  dls_status status = check_parameters(problem, err);
  if (status != DLS_OK) {
    return status;
  }
  bool wide = true;
  int same = 0;
  dls_error why = {0}, now = {0};
  for (int i = 0; i <= MOST_DOUBLINGS; i++, prec *= 2, narrow += GUARD / 2) {
    dls_rigorous_free(out);
    status = attempt(problem, prec, narrow, out, &wide, &now);
    same = status != DLS_OK && strcmp(why.text, now.text) == 0 ? same + 1 : 0;
    if ((status == DLS_OK && !wide) || (status != DLS_OK && status != DLS_ERR_NOCONV) || same == PATIENCE) {
      return status != DLS_OK && err != NULL ? (*err = now).status : status;
    }
    why = now;
  }
  return status != DLS_OK ? dls_fail(err, status, "%s", now.text)
                          : dls_fail(err, DLS_ERR_NOCONV, "no enclosures of %u digits with %ld bits",
                                     problem->digits, (long)prec / 2);
}

typedef struct solve_job {
  const dls_rigorous_problem *problem;
  dls_rigorous_table *out;
} solve_job;

static dls_status do_solve(void *data, dls_error *err)
{
  const solve_job *j = data;
  return enclose(j->problem, j->out, err);
}

dls_status dls_rigorous_solve(const dls_rigorous_problem *problem, dls_rigorous_table *out, dls_error *err)
{
  return dls_ball_guard(do_solve, &(solve_job){problem, out}, err);
}
