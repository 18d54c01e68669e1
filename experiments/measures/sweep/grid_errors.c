/* experiments/measures/sweep/grid_errors.c -- a cell as a study of errors: fitted lines, errors, work.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/catalogue/scheme_choice.h"
#include "experiments/measures/order/order_derivatives.h"
#include "experiments/measures/order/order_spec.h"
#include "experiments/measures/sweep/grid_cells.h"

#include <math.h>
#include <string.h>

enum { ORDER, LOW, HIGH, LEAST, LARGEST, FAILED, SIGNS, MEAN, SPREAD };
const dls_grid_column dls_grid_order_columns[] = {
    [ORDER] = {.name = "order", .label = "order [1]", .drawn = true, .interval = true},
    [LOW] = {.name = "ci_low", .label = "order, low end of the 95 % interval [1]"},
    [HIGH] = {.name = "ci_high", .label = "order, high end of the 95 % interval [1]"},
    [LEAST] = {.name = "least_error", .label = "least error", .drawn = true},
    [LARGEST] = {.name = "largest_error", .label = "largest error"},
    [FAILED] = {.name = "failed_runs", .label = "failed runs"},
    {0}};

const dls_grid_column dls_grid_derivative_columns[] = {
    [ORDER] = {.name = "order", .label = "order [1]", .drawn = true, .interval = true},
    [LOW] = {.name = "ci_low", .label = "order, low end of the 95 % interval [1]"},
    [HIGH] = {.name = "ci_high", .label = "order, high end of the 95 % interval [1]"},
    [LEAST] = {.name = "least_error", .label = "least error"},
    [LARGEST] = {.name = "largest_error", .label = "largest error", .drawn = true},
    [FAILED] = {.name = "failed_runs", .label = "failed runs"},
    [SIGNS] = {.name = "sign_share", .label = "runs with the right sign [1]", .drawn = true},
    [MEAN] = {.name = "derivative_error", .label = "mean error"},
    [SPREAD] = {.name = "derivative_spread", .label = "spread of the error"},
    {0}};

enum { SLOPE = 0, ERROR = 3, WORK, WORK_FAILED };
const dls_grid_column dls_grid_work_columns[] = {
    [SLOPE] = {.name = "slope", .label = "slope of error over work [1]", .drawn = true, .interval = true},
    [LOW] = {.name = "ci_low", .label = "slope, low end of the 95 % interval [1]"},
    [HIGH] = {.name = "ci_high", .label = "slope, high end of the 95 % interval [1]"},
    [ERROR] = {.name = "error", .label = "median error at most work", .drawn = true},
    [WORK] = {.name = "work", .label = "most work", .drawn = true},
    [WORK_FAILED] = {.name = "failed_runs", .label = "failed runs"},
    {0}};

/* Errors of a line, and the first reason of those that failed. */
typedef struct errors {
  double least, largest;
  size_t runs, failed;
  const char *why;
} errors;

static errors errors_of(const dls_order_study *study, const dls_order_line *line)
{
  errors e = {NAN, NAN, 0, 0, NULL};
  for (size_t i = 0; i < study->point_count; i++) {
    const dls_order_point *point = &study->points[i];
    if (!dls_order_on_line(point, line)) {
      continue;
    }
    e.runs++;
    e.least = fmin(e.least, point->error.value); /* which pass over NaN */
    e.largest = fmax(e.largest, point->error.value);
    e.failed += point->reason[0] != '\0';
    e.why = e.why == NULL && point->reason[0] != '\0' ? point->reason : e.why;
  }
  return e;
}

/* A line of one level has no slope. */
static void set_fit(const dls_order_line *line, bool alone, double *out)
{
  const bool fitted = line->fitted && !alone;
  out[ORDER] = fitted ? line->fit.order : NAN;
  out[LOW] = fitted ? line->fit.ci_low : NAN;
  out[HIGH] = fitted ? line->fit.ci_high : NAN;
}

/* Median error and work of the level with most work. */
static dls_status set_dearest(const dls_order_study *study, const dls_order_line *line, dls_against against,
                              double *out, dls_error *err)
{
  for (size_t i = 0; i < dls_order_level_count(study, line); i++) {
    dls_order_level level;
    const dls_status status = dls_order_level_of(study, line, i, against, &level, err);
    if (status != DLS_OK) {
      return status;
    }
    if (level.runs > level.failures && !(level.x <= out[WORK])) {
      out[WORK] = level.x;
      out[ERROR] = level.median;
    }
  }
  return DLS_OK;
}

/* A line of the study as a row; a line without fit gives its reason. That derivatives do not converge is no failure. */
static dls_status set_row(dls_grid *grid, size_t cell, const dls_order_study *study, const dls_order_line *line,
                          dls_error *err)
{
  const size_t row = line->scheme * grid->groups + line->norm * study->spec.of_count + line->of;
  const errors e = errors_of(study, line);
  double *out = dls_grid_row(grid, cell, row);
  const bool none = e.failed == e.runs, alone = dls_order_level_count(study, line) < 2;
  const bool derivatives = grid->spec.kind == DLS_GRID_OF_ORDERS && dls_order_differentiates(&study->spec);
  dls_status status = DLS_OK;
  if (none || (!line->fitted && !alone && !derivatives)) {
    status = dls_grid_fail(grid, cell, row, none && e.why != NULL ? e.why : line->reason, err);
  }
  set_fit(line, alone, out);
  if (grid->spec.kind == DLS_GRID_OF_ORDERS) {
    out[LEAST] = e.least;
    out[LARGEST] = e.largest;
    out[FAILED] = (double)e.failed;
    if (derivatives) {
      const dls_order_phases finest = dls_order_phases_finest(study, line);
      out[SIGNS] = finest.sign_share;
      out[MEAN] = finest.error;
      out[SPREAD] = finest.spread;
    }
    return status;
  }
  out[WORK_FAILED] = (double)e.failed;
  return status != DLS_OK ? status : set_dearest(study, line, grid->spec.against, out, err);
}

static dls_status set_rows(dls_grid *grid, size_t cell, const dls_order_study *study, dls_error *err)
{
  dls_work_study *work = NULL;
  dls_status status =
      grid->spec.kind == DLS_GRID_OF_WORK ? dls_work_fit(study, grid->spec.against, &work, err) : DLS_OK;
  const dls_order_line *lines = work != NULL ? work->lines : study->lines;
  const size_t count = work != NULL ? work->line_count : study->line_count;
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    status = set_row(grid, cell, study, &lines[i], err);
  }
  dls_work_destroy(work);
  return status;
}

/* What prevents the study is why every row failed. */
static dls_status fail_all(dls_grid *grid, size_t cell, const dls_error *why, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t row = 0; row < grid->rows && status == DLS_OK; row++) {
    status = dls_grid_fail(grid, cell, row, why->text, err);
  }
  return status;
}

/* A value of an option that all schemes have. */
static dls_status set_option(const dls_grid_worker *w, const dls_option *option, double value, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < w->grid->spec.errors.scheme_count && status == DLS_OK; i++) {
    const dls_option *table = w->schemes[i].scheme->options;
    status = dls_scheme_choice_with(&w->schemes[i], &table[dls_option_find(table, option->name)], value,
                                    &w->schemes[i], err);
  }
  return status;
}

dls_status dls_grid_errors_spec(const dls_grid_worker *w, size_t cell, dls_order_spec *out, dls_error *err)
{
  const dls_grid_spec *spec = &w->grid->spec;
  dls_status status = DLS_OK;
  *out = spec->errors;
  out->parameters = dls_grid_parameters(w, cell);
  out->schemes = w->schemes;
  memcpy(w->schemes, spec->errors.schemes, spec->errors.scheme_count * sizeof *w->schemes);
  for (size_t i = 0; i < spec->axis_count && status == DLS_OK; i++) {
    const double value = dls_grid_value(w->grid, cell, i);
    if (spec->axes[i].of == DLS_SWEEP_SCHEME_OPTION) {
      status = set_option(w, spec->axes[i].parameter, value, err);
    } else if (spec->axes[i].of == DLS_SWEEP_STEP) {
      out->h_first = out->h_last = value;
      out->levels = 1;
    }
  }
  return status;
}

dls_status dls_grid_make_errors(dls_grid_worker *w, size_t cell, dls_error *err)
{
  dls_grid *grid = w->grid;
  dls_order_spec spec;
  dls_order_study *study = NULL;
  dls_error why = {0};
  dls_status status = dls_grid_errors_spec(w, cell, &spec, &why);
  spec.jobs = 1;
  spec.shard = spec.shards = 0;
  spec.poll = dls_grid_poll;
  spec.poll_data = w;
  status = status == DLS_OK ? dls_order_run(&spec, &study, &why) : status;
  if (status == DLS_OK && !study->complete) {
    status = study->out_of_memory > 0
                 ? dls_fail(&why, DLS_ERR_MEMORY, "no memory for %zu runs", study->out_of_memory)
                 : dls_fail(&why, DLS_ERR_INTERRUPTED, "interrupted");
  }
  status = status != DLS_OK ? status : set_rows(grid, cell, study, &why);
  for (size_t i = 0; study != NULL && i < study->point_count; i += spec.norm_count * spec.of_count) {
    const dls_quality *quality = &study->points[i].quality;
    dls_warning_tally_add(&w->warnings, quality->warnings, quality->explained);
  }
  dls_order_destroy(study);
  if (status == DLS_OK || status == DLS_ERR_MEMORY || status == DLS_ERR_INTERRUPTED) {
    return status == DLS_OK ? DLS_OK : dls_fail(err, status, "%s", why.text);
  }
  return fail_all(grid, cell, &why, err);
}
