/* experiments/cli/sweep.c -- `delassus compare --sweep`: the motion over a parameter.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/sweep.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/refusals.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/run.h"
#include "experiments/cli/study_folder.h"
#include "experiments/measures/energy/derived.h"
#include "experiments/show/pictures.h"
#include "experiments/show/report_study.h"

#include <delassus/catalogue.h>
#include <delassus/measures.h>
#include <delassus/output.h>
#include <string.h>
#include <time.h>

static const double pause = 1; /* s */

/* Every column must be there before anything is computed. */
static dls_status check_columns(const dls_request *r, dls_error *err)
{
  dls_system *sys = NULL;
  dls_status status = dls_model_create(r->model.model, r->model.parameters, &sys, err);
  dls_trajectory *plain = status == DLS_OK ? dls_trajectory_create_system(sys, false) : NULL, *columns = NULL;
  if (status == DLS_OK) {
    status = plain != NULL ? dls_derive(plain, sys, NULL, &columns, err)
                           : dls_fail(err, DLS_ERR_MEMORY, "no memory for the column names");
  }
  for (size_t i = 0; i < r->drawn_count && status == DLS_OK; i++) {
    size_t contact = 0;
    const bool impact = dls_sweep_impact(r->drawn[i], &contact);
    if (impact ? contact >= sys->m : dls_trajectory_column(columns, r->drawn[i]) <= 0) {
      char measures[120];
      dls_measures_print(sys, measures, sizeof measures);
      status = dls_fail(
          err, DLS_ERR_OPTION,
          "--of: a sweep has no column '%.60s'; there are q0, v0, g0, ..., force0, ..., impact0, ... and %s",
          r->drawn[i], measures);
    }
  }
  dls_trajectory_destroy(columns);
  dls_trajectory_destroy(plain);
  dls_system_destroy(sys);
  return status;
}

static dls_status check_schemes(const dls_request *r, dls_error *err)
{
  const dls_sweep_range *range = &r->sweep;
  const dls_sweep_axis axes[] = {
      range->axis,
      {.parameter = range->curve, .count = range->curve_count, .values = range->curves},
  };
  return dls_cli_check_swept_schemes(r, range->curve != NULL ? 2 : 1, axes, err);
}

static dls_status check(const dls_request *r, dls_cli_folder *folder, dls_error *err)
{
  if (check_columns(r, err) != DLS_OK || check_schemes(r, err) != DLS_OK ||
      dls_cli_folder_open(r, NULL, "sweep.csv", folder, err) != DLS_OK ||
      dls_cli_check_picture(r->plot, err) != DLS_OK) {
    return err->status;
  }
  return dls_cli_check_page(r, err);
}

static dls_status draw(const void *data, const dls_canvas *canvas, dls_error *err)
{
  return dls_draw_sweep(data, canvas, err);
}

static dls_status put_page(dls_report *report, const void *data, dls_error *err)
{
  const dls_sweep *sweep = data;
  const dls_sweep_range *range = &sweep->spec.range;
  dls_report_entry(report, "time", "0 to %g s, looked at from %g s on", sweep->spec.end, range->from);
  dls_report_entry(report, "sweep", "%s from %g to %g %s, %zu values", range->axis.parameter->name,
                   range->axis.first, range->axis.last, range->axis.parameter->unit, range->axis.count);
  if (!sweep->complete) {
    dls_report_warning(report, "The sweep was interrupted: only what was finished is here.");
  }
  dls_report_section(report, "Turns over the parameter");
  return dls_report_picture(
      report, draw, sweep, "Turns over the parameter",
      sweep->spec.exact != NULL
          ? "Local extremes of the last part of each run, hollow where a contact sticks; the largest "
            "and least values of the exact solution as grey lines."
          : "Local extremes of the last part of each run, hollow where a contact sticks.",
      err);
}

static dls_status write_table(const dls_request *r, const dls_cli_folder *folder, const dls_sweep *sweep,
                              dls_error *err)
{
  dls_output *out = NULL;
  if (dls_cli_folder_output(folder, "sweep.csv", &out, err) != DLS_OK) {
    return err->status;
  }
  dls_sweep_table(sweep, r->spec.catalogue, dls_output_stream(out)); /* commit looks for errors */
  return dls_output_commit(out, err);
}

/* The table on the way: what a process that is killed leaves. */
typedef struct keeper {
  const dls_request *request;
  const dls_cli_folder *folder;
  time_t last; /* when it was written */
} keeper;

/* At most every `pause` seconds; an error is told by the table of the end. */
static void keep(void *data, const dls_sweep *sweep)
{
  keeper *k = data;
  if (k->folder->path != NULL && difftime(time(NULL), k->last) >= pause) {
    dls_error ignored = {0};
    write_table(k->request, k->folder, sweep, &ignored);
    k->last = time(NULL);
  }
}

static int write_results(const dls_request *r, const dls_cli_folder *folder, const dls_sweep *sweep, int code)
{
  const dls_cli_page page = {"Sweep", "What becomes of the motion over a parameter?", put_page, sweep};
  dls_error err = {0};
  if (folder->path != NULL) {
    code = dls_cli_written(r->command, write_table(r, folder, sweep, &err), &err, code);
  }
  if (r->plot != NULL) {
    const dls_canvas canvas = dls_canvas_file(r->plot, &r->form);
    code =
        dls_cli_written(r->command, dls_cli_drawn(r->plot, dls_draw_sweep(sweep, &canvas, &err)), &err, code);
  }
  return dls_cli_written(r->command, dls_cli_write_page(r, &page, &err), &err, code);
}

/* Runs that failed: how many, and the first reason. @return their number */
static size_t report_failures(const dls_request *r, const dls_sweep *sweep)
{
  size_t failed = 0;
  const dls_sweep_point *first = NULL;
  for (size_t i = 0; i < sweep->point_count; i++) {
    const dls_sweep_point *point = &sweep->points[i];
    if (point->failure[0] != '\0' && point->of == 0) {
      first = first == NULL ? point : first;
      failed += point->scheme < sweep->spec.scheme_count;
    }
  }
  if (first != NULL) {
    const size_t scheme = first->scheme;
    dls_cli_message(r->command,
                    "runs of the sweep that failed: %zu; the first without a value is %s at %s = %g: %s",
                    failed, scheme < sweep->spec.scheme_count ? sweep->spec.labels[scheme] : "exact solution",
                    sweep->spec.range.axis.parameter->name, first->value, first->failure);
  }
  return failed;
}

int dls_cli_sweep(const dls_request *r, dls_study_results *results)
{
  dls_error err = {0};
  dls_cli_folder folder = {0};
  dls_sweep_spec spec = dls_request_sweep_spec(r);
  keeper kept = {r, &folder, time(NULL)};
  spec.keep = keep;
  spec.keep_data = &kept;
  if (check(r, &folder, &err) != DLS_OK) {
    return dls_cli_fail(r->command, &err);
  }
  dls_cli_progress progress = dls_cli_progress_start(r->progress, "sweep", 1);
  dls_status status = dls_sweep_run(&spec, dls_cli_progress_poll, &progress, &results->sweep, &err);
  dls_cli_progress_end(&progress, status == DLS_OK);
  int code = status != DLS_OK ? dls_cli_fail(r->command, &err) : DLS_EXIT_DONE;
  if (status != DLS_OK && (results->sweep == NULL || results->sweep->point_count == 0)) {
    dls_cli_folder_drop(&folder);
    return code;
  }
  dls_cli_report_warned(r->command, &results->sweep->warnings);
  code = report_failures(r, results->sweep) > 0 && code == DLS_EXIT_DONE ? DLS_EXIT_FAILED : code;
  return write_results(r, &folder, results->sweep, code);
}
