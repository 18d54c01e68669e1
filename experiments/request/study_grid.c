/* experiments/request/study_grid.c -- what is expected of a sweep over one parameter or two: at all its points, or at some.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/measures/order/order_spec.h"
#include "experiments/measures/sweep/grid_cells.h"
#include "experiments/request/reader.h"

#include <math.h>
#include <string.h>

/* The column of sweep.csv that a quantity is in: "least:q0" is in least_q0, "least-error" in least_error, that of a ledger in its own. */
static void name_column(const dls_study *study, const dls_study_expectation *e, char *text, size_t size)
{
  if (study->kind == DLS_STUDY_ENERGY) {
    snprintf(text, size, "%s", strcmp(e->quantity, "last") == 0 && e->of != NULL ? e->of : e->quantity);
  } else if (study->kind == DLS_STUDY_RUN && e->of != NULL) {
    snprintf(text, size, "%s_%s", e->quantity, e->of);
  } else {
    snprintf(text, size, "%s", e->quantity);
  }
  for (char *c = text; (c = strchr(c, '-')) != NULL;) {
    *c = '_';
  }
}

static const char *column_at(const dls_study *study, size_t i)
{
  const dls_request *r = study->request;
  const bool derivatives = study->kind == DLS_STUDY_ORDER && dls_order_differentiates(&r->spec);
  const dls_grid_column *fixed = derivatives                      ? dls_grid_derivative_columns
                                 : study->kind == DLS_STUDY_ORDER ? dls_grid_order_columns
                                 : study->kind == DLS_STUDY_WORK  ? dls_grid_work_columns
                                                                  : dls_grid_energy_columns;
  if (study->kind == DLS_STUDY_RUN) {
    return i < r->wanted_count ? r->wanted[i].name : NULL;
  }
  return fixed[i].name;
}

/* SIZE_MAX if there is none. */
static size_t find_column(const dls_study *study, const dls_study_expectation *e)
{
  char name[200];
  name_column(study, e, name, sizeof name);
  for (size_t i = 0; column_at(study, i) != NULL; i++) {
    if (strcmp(column_at(study, i), name) == 0) {
      return i;
    }
  }
  return SIZE_MAX;
}

void dls_study_check_grid(dls_study_reader *r, const dls_yaml_node *entry, const dls_study_expectation *e)
{
  const char *names[64];
  size_t count = 0;
  if (r->request->axis_count == 0 || e->quantity == NULL || column_at(r->study, 0) == NULL ||
      find_column(r->study, e) != SIZE_MAX) {
    return;
  }
  while (count < 64 && column_at(r->study, count) != NULL) {
    names[count] = column_at(r->study, count);
    count++;
  }
  dls_study_report(r, entry->mark, "the sweep does not keep '%s%s%s'; the columns of sweep.csv are: %s",
                   e->quantity, e->of != NULL ? " of " : "", e->of != NULL ? e->of : "",
                   dls_yaml_list(&r->yaml, names, count));
}

/* Where a row of the expectation stands in a cell. */
static size_t row_of(const dls_study *study, const dls_study_expectation *e, const dls_grid *grid)
{
  const dls_order_spec *spec = &grid->spec.errors;
  size_t norm = 0, of = 0;
  if (study->kind == DLS_STUDY_ORDER || study->kind == DLS_STUDY_WORK) {
    while (norm + 1 < spec->norm_count && strcmp(spec->norms[norm]->name, e->norm) != 0) {
      norm++;
    }
    while (of + 1 < spec->of_count && strcmp(spec->of[of], e->of) != 0) {
      of++;
    }
  }
  return e->scheme * grid->groups + norm * spec->of_count * (grid->groups > 1) + of * (grid->groups > 1);
}

static bool is_asked(const dls_grid *grid, size_t cell, size_t axis, double asked)
{
  const dls_sweep_axis *a = &grid->spec.axes[axis];
  return isnan(asked) || axis >= grid->spec.axis_count ||
         fabs(asked - dls_grid_value(grid, cell, axis)) <= 1e-9 * fabs(a->last - a->first);
}

/* How far a value is outside of the interval; negative inside. */
static double outside(const dls_study_expectation *e, double x)
{
  return fmax(e->low - x, x - e->high);
}

dls_study_verdict dls_study_judge_grid(const dls_study *study, const dls_study_expectation *e,
                                       const dls_grid *grid)
{
  dls_study_verdict out = {.value = NAN};
  const size_t row = row_of(study, e, grid), column = find_column(study, e);
  double worst = -INFINITY;
  for (size_t cell = 0; cell < grid->cells && column != SIZE_MAX; cell++) {
    char name[100];
    dls_grid_cell_name(grid, cell, name, sizeof name);
    if (!is_asked(grid, cell, 0, e->at) || !is_asked(grid, cell, 1, e->curve)) {
      continue;
    }
    const double x = dls_grid_row(grid, cell, row)[column];
    const char *failure = dls_grid_failure(grid, cell, row);
    if (!grid->done[cell] || isnan(x)) {
      snprintf(out.why, sizeof out.why, "%s: %.90s", name,
               !grid->done[cell] ? "not run"
               : failure != NULL ? failure
                                 : "not a number in sweep.csv");
      out.value = NAN;
      return out;
    }
    if (outside(e, x) > worst) {
      worst = outside(e, x);
      out.value = x;
    }
  }
  out.agrees = e->low <= out.value && out.value <= e->high;
  return out;
}

void dls_study_describe_place(const dls_study *study, const dls_study_expectation *e, char *text, size_t size)
{
  const dls_request *r = study->request;
  const bool grid = r != NULL && r->axis_count > 0, sweep = r != NULL && r->sweep.axis.count > 0;
  if (!isnan(e->at) && (grid || sweep)) {
    const dls_sweep_axis *axis = grid ? &r->axes[0] : &r->sweep.axis;
    dls_text_append(text, size, " at %s = %g", axis->parameter->name, e->at);
  }
  if (!isnan(e->curve) && (grid || sweep)) {
    const dls_option *parameter = grid ? r->axes[1].parameter : r->sweep.curve;
    dls_text_append(text, size, ", %s = %g", parameter->name, e->curve);
  }
}
