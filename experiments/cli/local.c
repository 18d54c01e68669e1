/* experiments/cli/local.c -- `delassus order --local`: errors of one step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/local.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/study_folder.h"
#include "experiments/show/pictures.h"
#include "experiments/show/report_study.h"

#include <delassus/output.h>

static const char steps_file[] = "local.csv", orders_file[] = "local_orders.csv", picture_file[] = "local";

static void print_order(dls_cli_rows *rows, const dls_local_line *line)
{
  if (!line->fitted) {
    dls_cli_cell(rows, "-");
  } else {
    dls_cli_cell(rows, "%.3f [%.3f, %.3f]", line->fit.order, line->fit.ci_low, line->fit.ci_high);
  }
}

static dls_status print_table(const dls_local *local, dls_error *err)
{
  static const char *const headers[] = {"scheme", "place", "impulse", "steps",
                                        "of",     "first", "last",    "order [95 %]"};
  char heading[200];
  dls_cli_rows rows = {.columns = sizeof headers / sizeof headers[0], .headers = headers};
  for (size_t i = 0; i < local->line_count; i++) {
    const dls_local_line *line = &local->lines[i];
    dls_cli_cell(&rows, "%s", local->spec.labels[line->scheme]);
    dls_cli_cell(&rows, "%s", dls_local_place_names[line->place]);
    dls_cli_cell(&rows, "%s", line->impulse ? "yes" : "no");
    dls_cli_cell(&rows, "%zu of %zu", line->steps, line->steps_there);
    dls_cli_cell(&rows, "%s", line->velocity ? "v" : "q");
    dls_cli_cell(&rows, "%.3g", line->largest[0]);
    dls_cli_cell(&rows, "%.3g", line->largest[1]);
    print_order(&rows, line);
  }
  snprintf(heading, sizeof heading,
           "largest error of one step, h from %g to %g s, around the impact at t = %.10g s\n",
           local->spec.h_first, local->spec.h_last, local->t_impact);
  return dls_cli_rows_print(&rows, heading, stdout, err);
}

static dls_status draw(const void *data, const dls_canvas *canvas, dls_error *err)
{
  return dls_draw_local(data, canvas, err);
}

static dls_status put_page(dls_report *report, const void *data, dls_error *err)
{
  const dls_local *local = data;
  dls_report_entry(
      report, "steps", "h from %g to %g s, %zu values; %zu places around the impact at t = %.10g s",
      local->spec.h_first, local->spec.h_last, local->spec.levels, local->spec.places, local->t_impact);
  if (!local->complete) {
    dls_report_warning(report, "The study was interrupted: only what was finished is here.");
  }
  dls_report_section(report, "Errors of one step");
  return dls_report_picture(
      report, draw, local, "Errors of one step over its length",
      "Largest errors over the places of the impact in the step; hollow where the step had no impulse.", err);
}

typedef dls_status (*write_fn)(const dls_local *local, const dls_catalogue *catalogue, FILE *out);

static dls_status write_table(const dls_request *r, const dls_cli_folder *folder, const char *name,
                              write_fn write, const dls_local *local, dls_error *err)
{
  dls_output *out = NULL;
  if (dls_cli_folder_output(folder, name, &out, err) != DLS_OK) {
    return err->status;
  }
  write(local, r->spec.catalogue, dls_output_stream(out)); /* commit looks for errors */
  return dls_output_commit(out, err);
}

static dls_status draw_file(const dls_cli_folder *folder, const dls_local *local, dls_error *err)
{
  char path[DLS_CLI_PATH_SIZE];
  const dls_status status = dls_cli_folder_picture(folder, picture_file, path, err);
  const dls_canvas canvas = dls_canvas_file(path, &folder->form);
  return status != DLS_OK ? status : dls_cli_drawn(path, dls_draw_local(local, &canvas, err));
}

static int write_results(const dls_request *r, const dls_cli_folder *folder, const dls_local *local, int code)
{
  const dls_cli_page page = {
      "Local errors", "How large is the error of one step, and how does it shrink with it?", put_page, local};
  dls_error err = {0};
  if (folder->path != NULL) {
    code = dls_cli_written(r->command, write_table(r, folder, steps_file, dls_local_write_steps, local, &err),
                           &err, code);
    code = dls_cli_written(r->command, write_table(r, folder, orders_file, dls_local_write_orders, local, &err),
                           &err, code);
  }
  if (folder->path != NULL && folder->format != NULL) {
    code = dls_cli_written(r->command, draw_file(folder, local, &err), &err, code);
  }
  return dls_cli_written(r->command, dls_cli_write_page(r, &page, &err), &err, code);
}

/* Steps that failed: how many, and the first reason. @return their number */
static size_t report_failures(const dls_request *r, const dls_local *local)
{
  size_t failed = 0;
  const dls_local_point *first = NULL;
  for (size_t i = 0; i < local->point_count; i++) {
    if (local->points[i].failure[0] != '\0') {
      first = first == NULL ? &local->points[i] : first;
      failed++;
    }
  }
  if (first != NULL) {
    dls_cli_message(r->command, "steps that failed: %zu; the first is that of %s with h = %g: %s", failed,
                    local->spec.labels[first->scheme], first->h, first->failure);
  }
  return failed;
}

int dls_cli_local(const dls_request *r, dls_study_results *results)
{
  dls_error err = {0};
  dls_cli_folder folder = {0};
  dls_local *local = NULL;
  const dls_local_spec spec = dls_request_local_spec(r);
  if (dls_cli_folder_open(r, picture_file, steps_file, &folder, &err) != DLS_OK ||
      dls_cli_check_page(r, &err) != DLS_OK) {
    return dls_cli_fail(r->command, &err);
  }
  dls_cli_progress progress = dls_cli_progress_start(r->progress, "local errors", 1);
  const dls_status status = dls_local_run(&spec, dls_cli_progress_poll, &progress, &local, &err);
  dls_cli_progress_end(&progress, status == DLS_OK);
  int code = status != DLS_OK ? dls_cli_fail(r->command, &err) : DLS_EXIT_DONE;
  if (local == NULL) {
    dls_cli_folder_drop(&folder);
    return code;
  }
  code = dls_cli_written(r->command, print_table(local, &err), &err, code);
  code = report_failures(r, local) > 0 && code == DLS_EXIT_DONE ? DLS_EXIT_FAILED : code;
  code = write_results(r, &folder, local, code);
  results->local = local;
  return code;
}
