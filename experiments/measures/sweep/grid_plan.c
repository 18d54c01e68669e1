/* experiments/measures/sweep/grid_plan.c -- trial cells, and the cost of all cells predicted from them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/sweep/grid_plan.h"
#include "common/base/text.h"
#include "experiments/measures/sweep/grid_cells.h"
#include "experiments/measures/sweep/grid_journal.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { FEW = 3, SIDE = 16 /* along an axis, where cells go side by side */ };

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time); /* all is made in this thread; others are not counted */
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Time between cells that are handed over. */
typedef struct watch {
  double last, longest;
} watch;

static dls_status note_time(void *data, const size_t *cells, size_t count, dls_error *err)
{
  (void)cells;
  (void)err;
  watch *w = data;
  const double time = now();
  w->longest = fmax(w->longest, (time - w->last) / (double)count);
  w->last = time;
  return DLS_OK;
}

/* An axis with fewer values between the same ends, not at them. @param[out] values  SIDE */
static dls_sweep_axis fewer_values(const dls_sweep_axis *axis, size_t most, double *values)
{
  dls_sweep_axis out = *axis;
  out.count = axis->count < most ? axis->count : most;
  for (size_t i = 0; i < out.count; i++) {
    values[i] = dls_sweep_axis_value(axis, (2 * i + 1) * axis->count / (2 * out.count));
  }
  out.values = values;
  out.first = values[0];
  out.last = values[out.count - 1];
  return out;
}

/* Bytes of the table without what stands at its end. */
static double table_bytes(const dls_grid *grid)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = dls_text_stream(&text, &size);
  if (out != NULL) {
    dls_grid_table(grid, out);
    fclose(out);
  }
  free(text);
  return (double)size;
}

static size_t cells_of(const dls_grid_spec *spec)
{
  size_t cells = 1;
  for (size_t i = 0; i < spec->axis_count; i++) {
    cells *= spec->axes[i].count;
  }
  return cells;
}

/* Bytes of the results of all cells, predicted from a grid with some of them. */
static void size_results(const dls_grid_spec *spec, const dls_grid *trial, dls_order_plan *out)
{
  const double cells = (double)cells_of(spec), rows = (double)trial->rows;
  double journal = 0;
  for (size_t i = 0; i < trial->cells; i++) {
    journal += (double)dls_grid_journal_bytes(trial, i) / (double)trial->cells;
  }
  out->units = cells_of(spec);
  out->bytes = cells * (journal + table_bytes(trial) / (double)trial->cells);
  out->memory = cells * (rows * ((double)trial->columns * sizeof(double) + sizeof(char *)) + sizeof(bool)) +
                cells * (journal + sizeof(size_t));
}

/* Runs and ledgers: some cells are made. */
static dls_status try_cells(dls_grid_spec *few, size_t cells, dls_grid *trial, dls_order_plan *out,
                            dls_error *err)
{
  watch w = {.last = now()};
  const double begin = w.last;
  trial->spec.keep = note_time;
  trial->spec.keep_data = &w;
  const dls_status status = dls_grid_run(trial, err);
  const double each = (now() - begin) / (double)trial->cells;
  out->seconds = each * (double)cells;
  out->longest = w.longest;
  out->runs = cells * trial->rows;
  for (size_t i = 0; i < few->errors.scheme_count; i++) {
    const bool steps = dls_scheme_needs_step(few->errors.schemes[i].scheme);
    out->steps += steps ? floor(few->errors.end / few->step) * (double)cells : 0;
  }
  return status;
}

/* Studies: that of the parameters between the ends. */
static dls_status try_study(const dls_grid_spec *few, size_t cells, const dls_grid *trial, dls_order_plan *out,
                            dls_error *err)
{
  dls_order_spec spec = few->errors;
  dls_order_plan one = {0};
  dls_grid_worker w = {.grid = (dls_grid *)trial};
  w.parameters = malloc((dls_option_count(spec.model->parameters) + 1) * sizeof(double));
  if (w.parameters == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a plan");
  }
  spec.parameters = dls_grid_parameters(&w, trial->cells / 2);
  const dls_status status = dls_order_plan_make(&spec, &one, err);
  out->runs = one.runs * cells;
  out->steps = one.steps * (double)cells;
  out->seconds = (one.seconds + one.reference) * (double)cells;
  out->longest = one.seconds + one.reference;
  free(w.parameters);
  return status;
}

dls_status dls_grid_plan_make(const dls_grid_spec *spec, dls_order_plan *out, dls_error *err)
{
  double values[DLS_GRID_AXES][SIDE];
  dls_grid_spec few = *spec;
  dls_grid *trial = NULL;
  const bool errors = spec->kind == DLS_GRID_OF_ORDERS || spec->kind == DLS_GRID_OF_WORK;
  for (size_t i = 0; i < spec->axis_count; i++) {
    few.axes[i] = fewer_values(&spec->axes[i], dls_grid_has_batches(spec) ? SIDE : FEW, values[i]);
  }
  few.errors.jobs = 1;
  few.errors.shard = few.errors.shards = 0;
  *out = (dls_order_plan){0};
  dls_status status = dls_grid_create(&few, &trial, err);
  if (status == DLS_OK) {
    status = errors ? try_study(&few, cells_of(spec), trial, out, err)
                    : try_cells(&few, cells_of(spec), trial, out, err);
  }
  if (status == DLS_OK) {
    for (size_t i = 0; i < trial->cells; i++) {
      trial->done[i] = true;
    }
    size_results(spec, trial, out);
  }
  dls_grid_destroy(trial);
  return status;
}
