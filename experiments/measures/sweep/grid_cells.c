/* experiments/measures/sweep/grid_cells.c -- the cells of a grid: their parameters, their names, why they failed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/sweep/grid_cells.h"
#include "common/base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool dls_grid_poll(void *worker, double unused)
{
  (void)unused;
  dls_grid_worker *w = worker;
  return dls_progress_report(&w->progress, 0);
}

double dls_grid_value(const dls_grid *grid, size_t cell, size_t axis)
{
  const dls_sweep_axis *axes = grid->spec.axes;
  const size_t inner = grid->spec.axis_count > 1 ? axes[1].count : 1;
  return dls_sweep_axis_value(&axes[axis], axis == 0 ? cell / inner : cell % inner);
}

const double *dls_grid_parameters(const dls_grid_worker *w, size_t cell)
{
  const dls_grid_spec *spec = &w->grid->spec;
  const dls_option *table = spec->errors.model->parameters;
  memcpy(w->parameters, spec->errors.parameters, dls_option_count(table) * sizeof *w->parameters);
  for (size_t i = 0; i < spec->axis_count; i++) {
    w->parameters[spec->axes[i].parameter - table] = dls_grid_value(w->grid, cell, i);
  }
  return w->parameters;
}

dls_status dls_grid_fail(dls_grid *grid, size_t cell, size_t row, const char *why, dls_error *err)
{
  char **failure = &grid->failures[cell * grid->rows + row];
  for (size_t i = 0; i < grid->columns; i++) {
    dls_grid_row(grid, cell, row)[i] = NAN;
  }
  free(*failure);
  *failure = dls_text_copy(why);
  for (char *c = *failure; c != NULL && (c = strpbrk(c, "\r\n")) != NULL;) {
    *c = ' '; /* a line in journals and tables */
  }
  return *failure != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory to record why a run failed");
}

size_t dls_grid_failures(const dls_grid *grid, size_t *first)
{
  size_t count = 0;
  for (size_t i = 0; i < grid->cells * grid->rows; i++) {
    if (grid->failures[i] != NULL) {
      *first = count == 0 ? i : *first;
      count++;
    }
  }
  return count;
}

void dls_grid_row_name(const dls_grid *grid, size_t row, char *text, size_t size)
{
  const dls_order_spec *errors = &grid->spec.errors;
  const size_t group = row % grid->groups;
  snprintf(text, size, "%s", grid->spec.labels[row / grid->groups]);
  if (grid->spec.kind == DLS_GRID_OF_ORDERS || grid->spec.kind == DLS_GRID_OF_WORK) {
    dls_text_append(text, size, ", %s of %s", errors->norms[group / errors->of_count]->name,
                    errors->of[group % errors->of_count]);
  }
}

void dls_grid_cell_name(const dls_grid *grid, size_t cell, char *text, size_t size)
{
  text[0] = '\0';
  for (size_t i = 0; i < grid->spec.axis_count; i++) {
    dls_text_append(text, size, "%s%s = %.10g", i > 0 ? ", " : "", grid->spec.axes[i].parameter->name,
                    dls_grid_value(grid, cell, i));
  }
}
