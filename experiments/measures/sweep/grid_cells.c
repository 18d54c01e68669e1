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

/* The place of the value of a cell on an axis. */
static size_t place_on(const dls_grid *grid, size_t cell, size_t axis)
{
  const size_t inner = grid->spec.axis_count > 1 ? grid->spec.axes[1].count : 1;
  return axis == 0 ? cell / inner : cell % inner;
}

double dls_grid_value(const dls_grid *grid, size_t cell, size_t axis)
{
  return dls_sweep_axis_value(&grid->spec.axes[axis], place_on(grid, cell, axis));
}

size_t dls_grid_scratch_size(const dls_grid_spec *spec)
{
  return dls_option_count(spec->errors.model->parameters) * sizeof(double) +
         spec->errors.scheme_count * (sizeof(dls_scheme_choice) + DLS_BATCH_MOST * sizeof(dls_grid_member));
}

void dls_grid_take_scratch(dls_grid_worker *w, void *scratch)
{
  const size_t schemes = w->grid->spec.errors.scheme_count;
  w->members = scratch; /* first: their alignment is that of a double at least */
  w->schemes = (dls_scheme_choice *)(void *)(w->members + DLS_BATCH_MOST * schemes);
  w->parameters = (double *)(void *)(w->schemes + schemes);
}

const double *dls_grid_parameters(const dls_grid_worker *w, size_t cell)
{
  const dls_grid_spec *spec = &w->grid->spec;
  const dls_option *table = spec->errors.model->parameters;
  memcpy(w->parameters, spec->errors.parameters, dls_option_count(table) * sizeof *w->parameters);
  for (size_t i = 0; i < spec->axis_count; i++) {
    if (spec->axes[i].of == DLS_SWEEP_PARAMETER) {
      w->parameters[spec->axes[i].parameter - table] = dls_grid_value(w->grid, cell, i);
    }
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

/* Append as much of `more` as fits. @return the length then */
static size_t append(char *text, size_t size, size_t length, const char *more)
{
  while (*more != '\0' && length + 1 < size) {
    text[length++] = *more++;
  }
  text[length] = '\0';
  return length;
}

void dls_grid_cell_name(const dls_grid *grid, size_t cell, char *text, size_t size)
{
  size_t length = 0;
  text[0] = '\0';
  for (size_t i = 0; i < grid->spec.axis_count;
       i++) { /* once for each line of a journal: without printf where it can be */
    char number[DLS_GRID_TEXT];
    const bool known = grid->axis_text[i] != NULL;
    if (!known) {
      snprintf(number, sizeof number, "%.10g", dls_grid_value(grid, cell, i));
    }
    length = append(text, size, length, i > 0 ? ", " : "");
    length = append(text, size, length, grid->spec.axes[i].parameter->name);
    length = append(text, size, length, " = ");
    length = append(text, size, length, known ? grid->axis_text[i][place_on(grid, cell, i)] : number);
  }
}
