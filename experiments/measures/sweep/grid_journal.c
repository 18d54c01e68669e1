/* experiments/measures/sweep/grid_journal.c -- a cell as a line: its number, then the numbers of each row and the reason of its failure.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/sweep/grid_journal.h"
#include "common/base/decimal.h"
#include "common/base/text.h"
#include "experiments/measures/order/order_journal.h"
#include "experiments/measures/order/study_tables.h"
#include "experiments/measures/sweep/grid_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
  return dls_order_journal_head_with(&spec, put_inputs, grid, text, hash, err);
}

static char *make_columns(const void *study)
{
  const dls_grid *grid = study;
  char *text = NULL;
  size_t size = 0;
  FILE *out = dls_text_stream(&text, &size);
  if (out == NULL) {
    return NULL;
  }
  fputs("cell", out);
  for (size_t row = 0; row < grid->rows; row++) {
    for (size_t i = 0; i < grid->columns; i++) {
      fprintf(out, ",%s:%zu", grid->column[i].name, row + 1);
    }
    fprintf(out, ",failure:%zu", row + 1);
  }
  fputs(",check\n", out);
  return fclose(out) == 0 ? text : (free(text), NULL);
}

/* --- lines --- */

/* The line of a cell at the end of a stream into memory. @param[in,out] text, size  of the stream */
static void put_line(const dls_grid *grid, size_t cell, uint64_t hash, FILE *out, char *const *text,
                     const size_t *size)
{
  char number[DLS_DECIMAL_SIZE], check[DLS_JOURNAL_CHECK_SIZE + 1];
  fflush(out);
  const size_t begin = *size;
  fprintf(out, "%zu", cell);
  for (size_t row = 0; row < grid->rows; row++) {
    const double *values = dls_grid_row(grid, cell, row);
    const char *failure = dls_grid_failure(grid, cell, row);
    for (size_t i = 0; i < grid->columns; i++) {
      dls_decimal_write(values[i], number);
      fputc(',', out);
      fputs(number, out);
    }
    fputc(',', out);
    dls_table_field(out, failure != NULL ? failure : "");
  }
  fflush(out);
  dls_journal_check(*text + begin, *size - begin, hash, check);
  fputs(check, out);
}

static size_t count_cells(const void *study)
{
  return ((const dls_grid *)study)->cells;
}

static bool has_cell(const void *study, size_t cell)
{
  return cell < ((const dls_grid *)study)->cells;
}

/* The check says that the rest is as it was written. */
static dls_status find_cell(const void *study, const char *line, size_t size, uint64_t hash, size_t *cell)
{
  dls_status status = DLS_OK;
  char *copy = dls_journal_copy(line, size, hash, &status), *end = NULL;
  if (copy != NULL) {
    *cell = (size_t)strtoul(copy, &end, 10);
    status = end != copy && *end == ',' && has_cell(study, *cell) ? DLS_OK : DLS_ERR_PARSE;
  }
  free(copy);
  return status;
}

static bool read_number(const char *text, double *x)
{
  char *end = NULL;
  const size_t length = text != NULL ? dls_decimal_read(text, text + strlen(text), x) : 0;
  if (text == NULL || (length > 0 && text[length] == '\0')) {
    return text != NULL;
  }
  *x = strtod(text, &end);
  *x = isnan(*x) ? NAN : *x;
  return end != text && *end == '\0';
}

/* Into the grid. */
static dls_status take_line(dls_grid *grid, size_t cell, const char *line, size_t size, uint64_t hash)
{
  dls_status status = DLS_OK;
  char *copy = dls_journal_copy(line, size, hash, &status), *rest = copy;
  bool good = copy != NULL && dls_table_read_field(&rest) != NULL;
  for (size_t row = 0; row < grid->rows && good; row++) {
    double *values = dls_grid_row(grid, cell, row);
    for (size_t i = 0; i < grid->columns && good; i++) {
      good = read_number(dls_table_read_field(&rest), &values[i]);
    }
    const char *failure = good ? dls_table_read_field(&rest) : NULL;
    good = failure != NULL;
    char **kept = &grid->failures[cell * grid->rows + row];
    if (good && failure[0] != '\0') {
      *kept = dls_text_copy(failure);
      status = *kept != NULL ? status : DLS_ERR_MEMORY;
    }
  }
  free(copy);
  return status != DLS_OK || good ? status : DLS_ERR_PARSE;
}

/* Have cells seconds, which are others each time? */
static bool is_timed(const dls_grid *grid)
{
  return grid->spec.kind == DLS_GRID_OF_WORK && grid->spec.errors.timings > 0;
}

static dls_status compare(const void *study, const char *a, const char *b, uint64_t hash, bool *same)
{
  (void)hash;
  const size_t length = dls_journal_line_length(a);
  *same = is_timed(study) || (length == dls_journal_line_length(b) && memcmp(a, b, length) == 0);
  return DLS_OK;
}

/* --- words --- */

static void name_cell(const void *study, size_t cell, char *text, size_t size)
{
  dls_grid_cell_name(study, cell, text, size);
}

/* "e = 0.1 to e = 0.4" for consecutive cells. */
static void put_gaps(const void *study, const bool *missing, FILE *out)
{
  const dls_grid *grid = study;
  for (size_t cell = 0; cell < grid->cells;) {
    if (!missing[cell]) {
      cell++;
      continue;
    }
    char first[120], last[120];
    size_t end = cell;
    while (end + 1 < grid->cells && missing[end + 1]) {
      end++;
    }
    dls_grid_cell_name(grid, cell, first, sizeof first);
    dls_grid_cell_name(grid, end, last, sizeof last);
    if (end > cell) {
      fprintf(out, "%s to %s, %zu points\n", first, last, end - cell + 1);
    } else {
      fprintf(out, "%s\n", first);
    }
    cell = end + 1;
  }
}

static dls_journal_form form_of(const dls_grid *grid)
{
  return (dls_journal_form){.head = make_head,
                            .columns = make_columns,
                            .slots = count_cells,
                            .has = has_cell,
                            .slot = find_cell,
                            .same = compare,
                            .name = name_cell,
                            .gaps = put_gaps,
                            .timed = is_timed(grid)};
}

/* --- the calls --- */

static dls_status take_over(dls_journal *journal, dls_grid *grid, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t cell = 0; cell < grid->cells && status == DLS_OK; cell++) {
    size_t size = 0;
    const char *line = dls_journal_recalled(journal, cell, &size);
    if (line != NULL) {
      status = take_line(grid, cell, line, size - 1, dls_journal_hash(journal));
      grid->done[cell] = status == DLS_OK;
      grid->finished += status == DLS_OK;
    }
  }
  dls_journal_forget(journal); /* all is in the grid */
  return status == DLS_OK
             ? DLS_OK
             : dls_fail(err, status, "'%.250s' has a line that cannot be read", dls_journal_path(journal));
}

dls_status dls_grid_journal_open(const char *path, dls_grid *grid, dls_journal_mode mode, size_t *cells,
                                 dls_journal **out, dls_error *err)
{
  const dls_journal_form form = form_of(grid);
  dls_status status = dls_journal_open_form(path, &form, grid, mode, cells, out, err);
  status = status != DLS_OK ? status : take_over(*out, grid, err);
  if (status != DLS_OK) {
    dls_journal_close(*out);
    *out = NULL;
  }
  return status;
}

static dls_status keep(void *data, const size_t *cells, size_t count, dls_error *err)
{
  dls_journal *j = data;
  char *text = NULL;
  size_t size = 0;
  FILE *out = dls_text_stream(&text, &size);
  for (size_t i = 0; i < count && out != NULL; i++) {
    put_line(dls_journal_study(j), cells[i], dls_journal_hash(j), out, &text, &size);
  }
  const bool good = out != NULL && fclose(out) == 0;
  const dls_status status =
      good ? dls_journal_add(j, text, size, err)
           : dls_fail(err, DLS_ERR_MEMORY, "no memory for a line of '%.250s'", dls_journal_path(j));
  free(text);
  return status;
}

void dls_grid_journal_attach(dls_journal *journal, dls_grid *grid)
{
  grid->spec.keep = keep;
  grid->spec.keep_data = journal;
}

dls_status dls_grid_journal_merge(const char *path, const char *const *parts, size_t count,
                                  const dls_grid *grid, bool *complete, dls_journal_merging *out,
                                  dls_error *err)
{
  const dls_journal_form form = form_of(grid);
  return dls_journal_merge_form(path, parts, count, &form, grid, complete, out, err);
}

size_t dls_grid_journal_bytes(const dls_grid *grid, size_t cell)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = dls_text_stream(&text, &size);
  if (out != NULL) {
    put_line(grid, cell, 0, out, &text, &size);
    fclose(out);
  }
  free(text);
  return size;
}
