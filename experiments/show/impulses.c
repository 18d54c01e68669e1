/* experiments/show/impulses.c -- separate the impulses of a run into impacts (blows) and pushes, and convert pushes
 * to a force.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/impulses.h"
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

static const double blow_least = 0.05; /* fraction of the largest impulse: smaller stems are invisible */
static const double blow_factor = 3;   /* over the median of the impulses around it in a lasting contact */
enum {
  LASTING = 8, /* impulses in a row: fewer are single blows */
  PAUSE = 2    /* steps from one to the next: a resting body may be pushed in every second step only */
};

static double impulse_at(const dls_trajectory *traj, size_t row, size_t column)
{
  return dls_trajectory_at(traj, row, column);
}

/* Whether row is at most PAUSE steps after `from`; two rows at the same time are not a step. */
static bool follows(const dls_trajectory *traj, size_t from, size_t row)
{
  size_t steps = 0;
  for (size_t i = from + 1; i <= row && steps <= PAUSE; i++) {
    steps += dls_trajectory_at(traj, i, 0) > dls_trajectory_at(traj, i - 1, 0);
  }
  return steps <= PAUSE;
}

/* The next row from `row` on that has an impulse; rows if there is none. */
static size_t next_impulse(const dls_trajectory *traj, size_t row, size_t column)
{
  while (row < traj->rows && impulse_at(traj, row, column) == 0) {
    row++;
  }
  return row;
}

/* One past the last row of the impulses that follow each other from `first` on, with their sizes. */
static size_t group_of(const dls_trajectory *traj, size_t first, size_t column, double *sizes, size_t *count)
{
  size_t end = first;
  *count = 0;
  for (size_t row = first; row < traj->rows && (*count == 0 || follows(traj, end - 1, row));
       row = next_impulse(traj, row + 1, column)) {
    sizes[(*count)++] = fabs(impulse_at(traj, row, column));
    end = row + 1;
  }
  return end;
}

static double largest(const dls_trajectory *traj, size_t column)
{
  double value = 0;
  for (size_t row = 0; row < traj->rows; row++) {
    value = fmax(value, fabs(impulse_at(traj, row, column)));
  }
  return value;
}

/* Median of the impulses around one of a lasting contact; 0 if there are too few. */
static double usual(const double *sizes, size_t count, size_t i)
{
  enum { AROUND = 4 };
  double window[2 * AROUND + 1];
  size_t used = 0;
  for (size_t j = i > AROUND ? i - AROUND : 0; j < count && j <= i + AROUND; j++) {
    window[used++] = sizes[j];
  }
  return count < LASTING ? 0 : gsl_stats_median(window, 1, used);
}

/* Rows [first, end) with `count` impulses of these sizes. */
static void sort_group(const dls_trajectory *traj, size_t column, size_t first, size_t end, const double *sizes,
                       size_t count, double least, dls_impulses *out)
{
  size_t i = 0;
  for (size_t row = first; row < end; row++) {
    if (impulse_at(traj, row, column) == 0) {
      continue;
    }
    out->stem[row] = sizes[i] > fmax(least, blow_factor * usual(sizes, count, i));
    out->stems += out->stem[row];
    out->pushes += !out->stem[row];
    i++;
  }
}

dls_status dls_impulses_sort(const dls_trajectory *traj, size_t column, dls_impulses *out, dls_error *err)
{
  const double most = largest(traj, column);
  double *sizes = malloc((traj->rows + 1) * sizeof *sizes);
  *out = (dls_impulses){.stem = calloc(traj->rows + 1, sizeof *out->stem)};
  if (sizes == NULL || out->stem == NULL) {
    free(sizes);
    dls_impulses_clear(out);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the impulses of %zu nodes", traj->rows);
  }
  for (size_t first = next_impulse(traj, 0, column), end = 0; first < traj->rows;
       first = next_impulse(traj, end, column)) {
    size_t count = 0;
    end = group_of(traj, first, column, sizes, &count);
    sort_group(traj, column, first, end, sizes, count, blow_least * most, out);
  }
  free(sizes);
  return DLS_OK;
}

dls_status dls_impulses_all(const dls_trajectory *traj, size_t column, dls_impulses *out, dls_error *err)
{
  *out = (dls_impulses){.stem = calloc(traj->rows + 1, sizeof *out->stem)};
  if (out->stem == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the impulses of %zu nodes", traj->rows);
  }
  for (size_t row = 0; row < traj->rows; row++) {
    out->stem[row] = impulse_at(traj, row, column) != 0;
    out->stems += out->stem[row];
  }
  return DLS_OK;
}

void dls_impulses_clear(dls_impulses *impulses)
{
  free(impulses->stem);
  impulses->stem = NULL;
}

void dls_impulses_put_stems(dls_plot_table *out, const dls_trajectory *traj, size_t column,
                            const dls_impulses *impulses)
{
  for (size_t row = 0; row < traj->rows; row++) {
    if (impulses->stem[row]) {
      dls_plot_table_add(out, (double[]){dls_trajectory_at(traj, row, 0), impulse_at(traj, row, column)});
    }
  }
}

/* A constant piece; equal neighbours become one piece. */
typedef struct piece {
  double begin, end, force;
} piece;

static void put_piece(dls_plot_table *out, const piece *p)
{
  if (p->end > p->begin) {
    dls_plot_table_add(out, (double[]){p->begin, p->force});
    dls_plot_table_add(out, (double[]){p->end, p->force});
  }
}

static void extend(dls_plot_table *out, piece *last, double begin, double end, double force)
{
  if (!(end > begin)) {
    return;
  }
  if (fabs(force - last->force) <= 1e-6 * fabs(last->force)) {
    last->end = end;
    return;
  }
  put_piece(out, last);
  *last = (piece){begin, end, force};
}

/* Start of the step that ends at `row`. */
static double step_start(const dls_trajectory *traj, size_t row)
{
  const double t = dls_trajectory_at(traj, row, 0);
  while (row > 0 && dls_trajectory_at(traj, row, 0) == t) {
    row--;
  }
  return dls_trajectory_at(traj, row, 0);
}

void dls_impulses_put_force(dls_plot_table *out, const dls_trajectory *traj, size_t column,
                            const dls_impulses *impulses)
{
  const double start = dls_trajectory_at(traj, 0, 0), end = dls_trajectory_at(traj, traj->rows - 1, 0);
  piece last = {start, start, 0};
  size_t before = 0;   /* row of the last push, or of a blow since then */
  bool pushed = false; /* there is one */
  for (size_t row = next_impulse(traj, 1, column); row < traj->rows;
       row = next_impulse(traj, row + 1, column)) {
    const double t = dls_trajectory_at(traj, row, 0);
    const bool goes_on = pushed && follows(traj, before, row);
    if (impulses->stem[row]) { /* a blow tells nothing about the force */
      before = goes_on ? row : before;
      extend(out, &last, last.end, goes_on ? t : last.end, last.force);
      continue;
    }
    const double begin = goes_on ? dls_trajectory_at(traj, before, 0) : step_start(traj, row);
    extend(out, &last, last.end, begin, 0);
    extend(out, &last, begin, t, impulse_at(traj, row, column) / (t - begin));
    before = row;
    pushed = true;
  }
  const bool goes_on = pushed && follows(traj, before, traj->rows - 1);
  extend(out, &last, last.end, end, goes_on ? last.force : 0);
  put_piece(out, &last);
}
