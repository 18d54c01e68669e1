/* experiments/measures/fit/fit_table.c -- columns of a table as data of a fit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include "common/base/text.h"
#include "experiments/measures/fit/parameter_fit.h"

#include <stdlib.h>

static dls_status find_column(const dls_trajectory *table, const char *name, const char *of, size_t *column,
                              dls_error *err)
{
  const int found = dls_trajectory_column(table, of);
  char list[200] = "";
  if (found > 0) {
    *column = (size_t)found;
    return DLS_OK;
  }
  for (size_t j = 1; j < table->columns; j++) {
    dls_text_append(list, sizeof list, "%s%s", j > 1 ? ", " : "", table->names[j]);
  }
  return dls_fail(err, DLS_ERR_ARG,
                  "%.100s has no column '%.40s'; its columns are t, %s; --map %.40s=NAME renames one", name, of,
                  list, of);
}

/* Is the row one of two at the same time? */
static bool is_jump(const dls_trajectory *table, size_t row)
{
  const double t = dls_trajectory_at(table, row, 0);
  return (row > 0 && dls_trajectory_at(table, row - 1, 0) == t) ||
         (row + 1 < table->rows && dls_trajectory_at(table, row + 1, 0) == t);
}

dls_status dls_fit_table_take(const dls_trajectory *table, const char *name, size_t of_count,
                              const char *const *of, double until, dls_fit_table *out, dls_error *err)
{
  *out = (dls_fit_table){0};
  out->block = calloc(dls_size_sum(dls_size_product(1 + of_count, table->rows), 1), sizeof *out->block);
  if (out->block == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu rows", table->rows);
  }
  double *t = out->block, *values = t + table->rows;
  size_t rows = 0, limits = 0;
  for (size_t i = 0; i < table->rows; i++) {
    t[rows] = dls_trajectory_at(table, i, 0);
    const bool jump = is_jump(table, i), later = t[rows] > until;
    limits += jump;
    out->later += later && !jump;
    rows += !jump && !later;
  }
  out->jumps = limits / 2;
  for (size_t j = 0; j < of_count; j++) {
    size_t column = 0, row = 0;
    const dls_status status = find_column(table, name, of[j], &column, err);
    if (status != DLS_OK) {
      return status;
    }
    for (size_t i = 0; i < table->rows; i++) {
      if (!is_jump(table, i) && dls_trajectory_at(table, i, 0) <= until) {
        values[row++ * of_count + j] = dls_trajectory_at(table, i, column);
      }
    }
  }
  out->data = (dls_fit_data){rows, of_count, t, values, of};
  return rows > 0 ? DLS_OK
                  : dls_fail(err, DLS_ERR_ARG, "%.100s has no row %s", name,
                             out->later > 0 ? "up to the time --until" : "outside jumps");
}
