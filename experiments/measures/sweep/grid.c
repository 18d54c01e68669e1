/* experiments/measures/sweep/grid.c -- cells of a sweep, each with a place of its own for its numbers, so that they do not depend on
 * the order of the cells.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/sweep/grid.h"
#include "common/base/decimal.h"
#include "common/base/text.h"
#include "experiments/campaign/provenance.h"
#include "experiments/measures/order/order_spec.h"
#include "experiments/measures/order/study_tables.h"
#include "experiments/measures/sweep/grid_cells.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const dls_grid_kind_names[] = {[DLS_GRID_OF_RUNS] = "run",
                                           [DLS_GRID_OF_ORDERS] = "order",
                                           [DLS_GRID_OF_WORK] = "work",
                                           [DLS_GRID_OF_LEDGERS] = "energy"};

/* --- making and freeing --- */

static const dls_grid_column *columns_of(const dls_grid_spec *spec)
{
  return spec->kind == DLS_GRID_OF_ORDERS
             ? dls_order_differentiates(&spec->errors) ? dls_grid_derivative_columns : dls_grid_order_columns
         : spec->kind == DLS_GRID_OF_WORK ? dls_grid_work_columns
                                          : dls_grid_energy_columns;
}

static bool make_columns(dls_grid *grid)
{
  const dls_grid_spec *spec = &grid->spec;
  const dls_grid_column *fixed = columns_of(spec);
  const bool run = spec->kind == DLS_GRID_OF_RUNS;
  while (!run && fixed[grid->columns].name != NULL) {
    grid->columns++;
  }
  grid->columns = run ? spec->wanted_count : grid->columns;
  grid->column = calloc(grid->columns + 1, sizeof *grid->column);
  if (grid->column != NULL && run) {
    dls_grid_run_columns(spec, grid->column);
  } else if (grid->column != NULL) {
    memcpy(grid->column, fixed, grid->columns * sizeof *grid->column);
  }
  grid->fields = calloc(grid->columns + 1, sizeof *grid->fields);
  for (size_t i = 0; i < grid->columns && grid->column != NULL && grid->fields != NULL; i++) {
    grid->fields[i] = (dls_table_column){grid->column[i].name, DLS_TABLE_REAL, i * sizeof(double)};
  }
  return grid->column != NULL && grid->fields != NULL;
}

/* The values of two axes as texts, which a cell of each value of the other one repeats. @return false if out of memory */
static bool write_axes(dls_grid *grid)
{
  const dls_grid_spec *spec = &grid->spec;
  bool done = true;
  const locale_t before = dls_text_begin_c_locale();
  for (size_t i = 0; spec->axis_count > 1 && i < spec->axis_count && done; i++) {
    const size_t count = spec->axes[i].count;
    grid->axis_text[i] = calloc(count + 1, sizeof *grid->axis_text[i]);
    done = grid->axis_text[i] != NULL;
    for (size_t k = 0; k < count && done; k++) {
      snprintf(grid->axis_text[i][k], sizeof grid->axis_text[i][k], "%.10g",
               dls_sweep_axis_value(&spec->axes[i], k));
    }
  }
  dls_text_end_c_locale(before);
  return done;
}

dls_status dls_grid_create(const dls_grid_spec *spec, dls_grid **out, dls_error *err)
{
  dls_grid *grid = *out = calloc(1, sizeof *grid);
  bool good = grid != NULL;
  if (good) {
    const bool errors = spec->kind == DLS_GRID_OF_ORDERS || spec->kind == DLS_GRID_OF_WORK;
    grid->spec = *spec;
    grid->cells = 1;
    for (size_t i = 0; i < spec->axis_count; i++) {
      grid->cells *= spec->axes[i].count;
    }
    grid->groups = errors ? spec->errors.norm_count * spec->errors.of_count : 1;
    grid->rows = spec->errors.scheme_count * grid->groups;
    grid->records = spec->kind == DLS_GRID_OF_RUNS && dls_grid_records(spec);
    grid->side_by_side = dls_grid_has_batches(spec);
    good = make_columns(grid) && write_axes(grid);
  }
  if (good) {
    const size_t rows = grid->cells * grid->rows, numbers = rows * grid->columns;
    grid->values = malloc((numbers + 1) * sizeof *grid->values);
    grid->failures = calloc(rows + 1, sizeof *grid->failures);
    grid->done = calloc(grid->cells + 1, sizeof *grid->done);
    good = grid->values != NULL && grid->failures != NULL && grid->done != NULL;
    for (size_t i = 0; i < numbers && good; i++) {
      grid->values[i] = NAN;
    }
  }
  if (!good) {
    dls_grid_destroy(grid);
    *out = NULL;
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the numbers of a sweep");
  }
  return DLS_OK;
}

void dls_grid_destroy(dls_grid *grid)
{
  if (grid != NULL) {
    for (size_t i = 0; grid->failures != NULL && i < grid->cells * grid->rows; i++) {
      free(grid->failures[i]);
    }
    for (size_t i = 0; i < DLS_GRID_AXES; i++) {
      free(grid->axis_text[i]);
    }
    free(grid->column);
    free(grid->fields);
    free(grid->values);
    free(grid->failures);
    free(grid->done);
    free(grid);
  }
}

/* --- all cells --- */

static bool joins(const dls_campaign *c, size_t first, size_t count, double weight, size_t cell)
{
  (void)first;
  (void)count;
  (void)weight;
  (void)cell;
  return ((const dls_grid *)c->data)->side_by_side;
}

static dls_status make(dls_progress *p, const size_t *cells, size_t count, void *scratch, dls_error *err)
{
  dls_grid *grid = p->campaign->data;
  dls_grid_worker w = {.progress = *p, .grid = grid};
  dls_grid_take_scratch(&w, scratch);
  const dls_grid_kind kind = grid->spec.kind;
  const dls_status status = kind == DLS_GRID_OF_RUNS      ? dls_grid_make_runs(&w, cells, count, err)
                            : kind == DLS_GRID_OF_LEDGERS ? dls_grid_make_ledgers(&w, cells[0], err)
                                                          : dls_grid_make_errors(&w, cells[0], err);
  return dls_campaign_end(&w.progress, cells, count, status);
}

static void release(const dls_campaign *c, void *scratch)
{
  dls_grid_worker w = {.grid = c->data};
  dls_grid_take_scratch(&w, scratch);
  dls_grid_close_members(&w);
}

static dls_status keep(dls_progress *p, const size_t *cells, size_t count, dls_error *err)
{
  const dls_grid_worker *w = (const dls_grid_worker *)p;
  dls_grid *grid = w->grid;
  grid->warnings.runs += w->warnings.runs;
  grid->warnings.warned += w->warnings.warned;
  grid->warnings.explained += w->warnings.explained;
  grid->finished += count;
  return grid->spec.keep != NULL ? grid->spec.keep(grid->spec.keep_data, cells, count, err) : DLS_OK;
}

dls_status dls_grid_run(dls_grid *grid, dls_error *err)
{
  static const dls_campaign_measure measure = {.joins = joins, .run = make, .keep = keep, .release = release};
  const dls_order_spec *spec = &grid->spec.errors;
  bool *others = spec->shards > 0 ? malloc((grid->cells + 1) * sizeof *others) : NULL;
  if (others == NULL && spec->shards > 0) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu points of a sweep", grid->cells);
  }
  for (size_t cell = 0; cell < grid->cells && others != NULL; cell++) {
    others[cell] = cell % spec->shards + 1 != spec->shard;
  }
  dls_campaign c = {.count = grid->cells,
                    .done = grid->done,
                    .other_shard = others,
                    .measure = &measure,
                    .data = grid,
                    .scratch = dls_grid_scratch_size(&grid->spec),
                    .jobs = spec->jobs,
                    .poll = spec->poll,
                    .poll_data = spec->poll_data};
  const dls_status status = dls_campaign_run(&c, err);
  grid->complete = status == DLS_OK;
  free(others);
  return status;
}

static bool of_errors(const dls_grid *grid)
{
  return grid->spec.kind == DLS_GRID_OF_ORDERS || grid->spec.kind == DLS_GRID_OF_WORK;
}

static void put_header(const dls_grid *grid, FILE *out)
{
  for (size_t i = 0; i < grid->spec.axis_count; i++) {
    fprintf(out, "%s,", grid->spec.axes[i].parameter->name);
  }
  fputs(of_errors(grid) ? "scheme,norm,of" : "scheme", out);
  for (size_t i = 0; i < grid->columns; i++) {
    fprintf(out, ",%s", grid->column[i].name);
  }
  fputs(",failure\n", out);
}

/* As shortest decimal numbers, which read back as they were. */
static void put_number(double x, const char *before, const char *behind, FILE *out)
{
  char text[DLS_DECIMAL_SIZE];
  dls_decimal_write(x, text);
  fputs(before, out); /* a million rows: printf takes longer than the digits */
  fputs(text, out);
  fputs(behind, out);
}

static void put_row(const dls_grid *grid, size_t cell, size_t row, FILE *out)
{
  const dls_order_spec *errors = &grid->spec.errors;
  const double *values = dls_grid_row(grid, cell, row);
  const char *failure = dls_grid_failure(grid, cell, row);
  for (size_t i = 0; i < grid->spec.axis_count; i++) {
    put_number(dls_grid_value(grid, cell, i), "", ",", out);
  }
  dls_table_field(out, grid->spec.labels[row / grid->groups]);
  if (of_errors(grid)) {
    const size_t group = row % grid->groups;
    fprintf(out, ",%s,%s", errors->norms[group / errors->of_count]->name, errors->of[group % errors->of_count]);
  }
  for (size_t i = 0; i < grid->columns; i++) {
    put_number(values[i], ",", "", out);
  }
  fputc(',', out);
  dls_table_field(out, failure != NULL ? failure : "");
  fputc('\n', out);
}

/* What all rows have in common. */
static void put_setting(const dls_grid *grid, FILE *out)
{
  const dls_grid_spec *spec = &grid->spec;
  const dls_option *table = spec->errors.model->parameters;
  fprintf(out, "# model: %s\n# parameters: ", spec->errors.model->name);
  for (size_t i = 0, put = 0; i < dls_option_count(table); i++) {
    bool swept = false;
    char value[40];
    for (size_t k = 0; k < spec->axis_count; k++) {
      swept = swept || spec->axes[k].parameter == &table[i];
    }
    dls_option_format(&table[i], spec->errors.parameters[i], value, sizeof value);
    put += swept ? 0 : (size_t)fprintf(out, "%s%s=%s", put > 0 ? "," : "", table[i].name, value);
  }
  fputc('\n', out);
  if (spec->step > 0) {
    put_number(spec->step, "# step: ", "\n", out);
  }
  put_number(spec->errors.end, "# end: ", "\n", out);
  if (spec->from > 0) {
    put_number(spec->from, "# from: ", "\n", out);
  }
  if (spec->kind == DLS_GRID_OF_WORK) {
    fprintf(out, "# work: %s\n", dls_work_text(spec->against));
  }
  fprintf(out, "# complete: %s\n", grid->complete ? "yes" : "no");
}

dls_status dls_grid_table(const dls_grid *grid, FILE *out)
{
  put_header(grid, out);
  for (size_t cell = 0; cell < grid->cells; cell++) {
    for (size_t row = 0; row < grid->rows && grid->done[cell]; row++) {
      put_row(grid, cell, row, out);
    }
  }
  put_setting(grid, out);
  dls_provenance_stamp(grid->spec.errors.catalogue, out);
  return dls_table_status(out);
}
