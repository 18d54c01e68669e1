/* experiments/measures/sweep/grid_journal.c -- the journal of a grid: its inputs as a head, and the columns of a cell.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/sweep/grid_journal.h"
#include "common/base/decimal.h"
#include "common/base/text.h"
#include "experiments/measures/order/order_journal.h"

/* --- inputs --- */

static void put_number(const char *key, double x, FILE *out)
{
  char text[DLS_DECIMAL_SIZE];
  dls_decimal_write(x, text);
  fprintf(out, "# %s: %s\n", key, text);
}

static void put_axis(const dls_sweep_axis *axis, FILE *out)
{
  char text[DLS_DECIMAL_SIZE];
  fprintf(out, "# sweep: %s=", axis->parameter->name);
  if (axis->values == NULL) {
    dls_decimal_write(axis->first, text);
    fprintf(out, "%s:", text);
    dls_decimal_write(axis->last, text);
    fprintf(out, "%s:%zu%s\n", text, axis->count, axis->logarithmic ? ":log" : "");
    return;
  }
  for (size_t i = 0; i < axis->count; i++) {
    dls_decimal_write(axis->values[i], text);
    fprintf(out, "%s%s", i > 0 ? "," : "", text);
  }
  fputc('\n', out);
}

static void put_inputs(const void *data, FILE *out)
{
  const dls_grid_spec *spec = &((const dls_grid *)data)->spec;
  fprintf(out, "# kind: %s\n", dls_grid_kind_names[spec->kind]);
  for (size_t i = 0; i < spec->axis_count; i++) {
    put_axis(&spec->axes[i], out);
  }
  if (spec->kind == DLS_GRID_OF_WORK) {
    fprintf(out, "# against: %s\n", dls_work_name(spec->against));
  }
  if (spec->step > 0) {
    put_number("step", spec->step, out);
  }
  if (spec->halvings > 0) {
    fprintf(out, "# halve: %zu\n", spec->halvings);
  }
  for (size_t i = 0; i < spec->wanted_count; i++) {
    fprintf(out, "# wanted: %s\n", spec->wanted[i].name);
  }
  if (spec->from > 0) {
    put_number("from", spec->from, out);
  }
  if (spec->max_rows > 0) {
    fprintf(out, "# max_rows: %zu\n", spec->max_rows);
  }
}

static dls_status make_head(const void *study, char **text, uint64_t *hash, dls_error *err)
{
  const dls_grid *grid = study;
  dls_order_spec spec = grid->spec.errors;
  if (grid->spec.kind == DLS_GRID_OF_RUNS || grid->spec.kind == DLS_GRID_OF_LEDGERS) {
    spec.norm_count = 0;
    spec.timings = 0;
  }
  return dls_order_journal_head(&spec, put_inputs, grid, text, hash, err);
}

/* --- lines --- */

static void *row_of(const void *data, size_t cell, size_t row)
{
  return dls_grid_row(data, cell, row);
}

static const char *failure_of(const void *data, size_t cell, size_t row)
{
  return dls_grid_failure(data, cell, row);
}

static dls_status fail(void *data, size_t cell, size_t row, const char *why)
{
  dls_grid *grid = data;
  char **failure = &grid->failures[cell * grid->rows + row];
  *failure = why[0] != '\0' ? dls_text_copy(why) : NULL;
  return *failure != NULL || why[0] == '\0' ? DLS_OK : DLS_ERR_MEMORY;
}

static void name_cell(const void *study, size_t cell, char *text, size_t size)
{
  dls_grid_cell_name(study, cell, text, size);
}

static void name_row(const void *study, size_t row, char *text, size_t size)
{
  (void)study;
  snprintf(text, size, "%zu", row + 1);
}

dls_journal_form dls_grid_journal_form(const dls_grid *grid)
{
  static const dls_table_column none[] = {{0}};
  return (dls_journal_form){.head = make_head,
                            .cells = grid->cells,
                            .rows = grid->rows,
                            .shared = none,
                            .columns = grid->fields,
                            .timed = grid->spec.kind == DLS_GRID_OF_WORK && grid->spec.errors.timings > 0,
                            .name = name_cell,
                            .name_row = name_row,
                            .row = row_of,
                            .failure = failure_of,
                            .fail = fail,
                            .plural = "points"};
}

/* --- a grid that recalls and keeps its cells --- */

static dls_status keep(void *data, const size_t *cells, size_t count, dls_error *err)
{
  return dls_journal_keep(data, dls_journal_study(data), cells, count, err);
}

dls_status dls_grid_journal_attach(dls_journal *journal, dls_grid *grid, dls_error *err)
{
  for (size_t cell = 0; cell < grid->cells; cell++) {
    const dls_status status = dls_journal_recall(journal, cell, grid, &grid->done[cell]);
    if (status != DLS_OK) {
      return dls_fail(err, status, "'%.250s' has a line that cannot be read", dls_journal_path(journal));
    }
    grid->finished += grid->done[cell];
  }
  dls_journal_forget(journal); /* all is in the grid */
  grid->spec.keep = keep;
  grid->spec.keep_data = journal;
  return DLS_OK;
}
