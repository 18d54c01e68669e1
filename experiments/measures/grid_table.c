/* experiments/measures/grid_table.c -- the cells of a grid as CSV.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/decimal.h"
#include "experiments/campaign/provenance.h"
#include "experiments/measures/grid.h"
#include "experiments/measures/study_tables.h"

#include <string.h>

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
  fprintf(out, "%s%s%s", before, text, behind);
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
