/* experiments/cli/grid.c -- run, order, work and energy over one parameter or two.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/grid.h"
#include "common/base/memory.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/journal_folder.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/refusals.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/run.h"
#include "experiments/measures/sweep/grid_journal.h"
#include "experiments/show/plot_grid.h"
#include "experiments/show/report_study.h"

#include <delassus/output.h>
#include <delassus/plot.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The numbers that are drawn. */
typedef struct picture {
  const dls_grid *grid;
  dls_grid_panel *panels; /* to be freed */
  size_t count;
} picture;

static dls_status choose(const dls_grid *grid, picture *out, dls_error *err)
{
  *out = (picture){grid,
                   malloc(dls_size_product(dls_size_sum(dls_size_product(grid->groups, grid->columns), 1),
                                           sizeof *out->panels)),
                   0};
  if (out->panels == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "out of memory for the pictures");
  }
  out->count = dls_grid_panels(grid, out->panels);
  return DLS_OK;
}

static dls_status write_table(const dls_request *r, const dls_cli_folder *folder, const dls_grid *grid,
                              dls_error *err)
{
  dls_output *out = NULL;
  char *command = dls_command_made_by(r);
  if (command == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the command of a table");
  }
  dls_status status = dls_cli_folder_output(folder, "sweep.csv", &out, err);
  if (status == DLS_OK) {
    dls_grid_table(grid, dls_output_stream(out)); /* commit looks for errors */
    fprintf(dls_output_stream(out), "# command: %s\n", command);
    status = dls_output_commit(out, err);
  }
  free(command);
  return status;
}

/* One for each number. */
static dls_status draw_folder(const dls_cli_folder *folder, const picture *p, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < p->count; i++) {
    char name[120], file[160], path[DLS_CLI_PATH_SIZE];
    dls_grid_panel_name(p->grid, p->panels[i], name, sizeof name);
    snprintf(file, sizeof file, "sweep_%s", name);
    const dls_status named = dls_cli_folder_picture(folder, file, path, status == DLS_OK ? err : NULL);
    const dls_canvas canvas = dls_canvas_file(path, &folder->form);
    if (status == DLS_OK) {
      status = named != DLS_OK ? named : dls_draw_grid(p->grid, &p->panels[i], 1, &canvas, err);
    }
    dls_cli_drawn(path, status);
  }
  return status;
}

static dls_status draw_figure(const void *data, const dls_canvas *canvas, dls_error *err)
{
  const picture *p = data;
  return dls_draw_grid(p->grid, p->panels, p->count, canvas, err);
}

static dls_status put_page(dls_report *report, const void *data, dls_error *err)
{
  const picture *p = data;
  const dls_grid *grid = p->grid;
  size_t first = 0;
  const size_t failed = dls_grid_failures(grid, &first);
  for (size_t i = 0; i < grid->spec.axis_count; i++) {
    const dls_sweep_axis *axis = &grid->spec.axes[i];
    dls_report_entry(report, "sweep", "%s from %g to %g %s, %zu values", axis->parameter->name, axis->first,
                     axis->last, axis->parameter->unit, axis->count);
  }
  dls_report_entry(report, "time", "0 to %g s", grid->spec.errors.end);
  if (!grid->complete) {
    dls_report_warning(report, "The sweep was interrupted: only what was finished is here.");
  }
  if (failed > 0) {
    char cell[120], row[200], text[600];
    dls_grid_cell_name(grid, first / grid->rows, cell, sizeof cell);
    dls_grid_row_name(grid, first % grid->rows, row, sizeof row);
    snprintf(text, sizeof text, "%zu of %zu rows have no value. The first: %s, %s: %.200s", failed,
             grid->finished * grid->rows, cell, row, grid->failures[first]);
    dls_report_warning(report, text);
  }
  dls_report_section(report, "Over the parameters");
  dls_status status = DLS_OK;
  for (size_t i = 0; i < p->count && status == DLS_OK; i++) {
    char name[120];
    const picture one = {grid, &p->panels[i], 1};
    dls_grid_panel_name(grid, p->panels[i], name, sizeof name);
    status = dls_report_picture(report, draw_figure, &one, name,
                                grid->spec.axis_count > 1 ? "Hatched: no value." : "", err);
  }
  return status;
}

static dls_status write_page(const dls_request *r, const picture *p, dls_error *err)
{
  const dls_cli_page page = {"Sweep", "What becomes of it over its parameters?", put_page, p};
  return dls_cli_write_page(r, &page, err);
}

/* --- standard output --- */

/* "0.5 at e = 0.1": the least value of a column, or with sign -1 the largest. */
static void put_extreme(dls_cli_rows *rows, const dls_grid *grid, size_t row, size_t column, int sign)
{
  double best = INFINITY;
  size_t where = 0;
  for (size_t cell = 0; cell < grid->cells; cell++) {
    const double x = sign * dls_grid_row(grid, cell, row)[column];
    if (grid->done[cell] && x < best) {
      best = x;
      where = cell;
    }
  }
  char name[120];
  dls_grid_cell_name(grid, where, name, sizeof name);
  if (isfinite(best)) {
    dls_cli_cell(rows, "%.5g", sign * best);
    dls_cli_cell(rows, "%s", name);
  } else {
    dls_cli_cell(rows, "none");
    dls_cli_cell(rows, " ");
  }
}

static dls_status print_summary(const dls_grid *grid, dls_error *err)
{
  static const char *const headers[] = {"least", "at", "largest", "at", "number", "of"};
  dls_cli_rows rows = {.columns = sizeof headers / sizeof headers[0], .headers = headers};
  for (size_t row = 0; row < grid->rows; row++) {
    char name[200];
    dls_grid_row_name(grid, row, name, sizeof name);
    for (size_t i = 0; i < grid->columns; i++) {
      if (grid->column[i].drawn) {
        put_extreme(&rows, grid, row, i, 1);
        put_extreme(&rows, grid, row, i, -1);
        dls_cli_cell(&rows, "%s", grid->column[i].name);
        dls_cli_cell(&rows, "%s", name);
      }
    }
  }
  char heading[120];
  snprintf(heading, sizeof heading, "%s, %zu of %zu points\n", grid->spec.errors.model->name, grid->finished,
           grid->cells);
  return dls_cli_rows_print(&rows, heading, stdout, err);
}

/* How many failed, and the first reason. */
static bool report_failures(const dls_request *r, const dls_grid *grid)
{
  size_t first = 0;
  const size_t failed = dls_grid_failures(grid, &first);
  char cell[120], row[200];
  if (failed > 0) {
    dls_grid_cell_name(grid, first / grid->rows, cell, sizeof cell);
    dls_grid_row_name(grid, first % grid->rows, row, sizeof row);
    dls_cli_message(r->command, "%zu of %zu rows of the sweep have no value; the first is %s at %s: %s", failed,
                    grid->finished * grid->rows, row, cell, grid->failures[first]);
  }
  return failed == grid->finished * grid->rows;
}

static int write_results(const dls_request *r, const dls_cli_folder *folder, const dls_grid *grid)
{
  dls_error err = {0};
  picture p;
  const bool shown = r->plot != NULL || dls_cli_has_page(r);
  int code = dls_cli_written(r->command, choose(grid, &p, &err), &err, DLS_EXIT_DONE);
  if (folder->path != NULL) {
    code = dls_cli_written(r->command, write_table(r, folder, grid, &err), &err, code);
  }
  if (folder->path != NULL && folder->format != NULL && p.panels != NULL) {
    code = dls_cli_written(r->command, draw_folder(folder, &p, &err), &err, code);
  }
  if (r->plot != NULL && p.count > 0) {
    const dls_canvas canvas = dls_canvas_file(r->plot, &r->form);
    code = dls_cli_written(r->command, dls_cli_drawn(r->plot, draw_figure(&p, &canvas, &err)), &err, code);
  }
  code = dls_cli_written(r->command, write_page(r, &p, &err), &err, code);
  if (r->kind == DLS_STUDY_RUN && folder->path == NULL && !shown) {
    code = dls_grid_table(grid, stdout) == DLS_OK ? code : DLS_EXIT_FAILED;
  } else {
    code = dls_cli_written(r->command, print_summary(grid, &err), &err, code);
  }
  free(p.panels);
  return report_failures(r, grid) && code == DLS_EXIT_DONE ? DLS_EXIT_FAILED : code;
}

/* --- the folder and its journal --- */

typedef struct job {
  const dls_request *request;
  dls_grid *grid; /* that of the results */
  dls_cli_folder folder;
  dls_journal *journal; /* in the folder; NULL: there is no folder */
  size_t taken;         /* cells taken over from it */
} job;

static dls_journal_form form_of(const void *grid)
{
  return dls_grid_journal_form(grid);
}

static dls_status attach(dls_journal *journal, void *grid, dls_error *err)
{
  return dls_grid_journal_attach(journal, grid, err);
}

static const dls_cli_journal_kind points = {"point", form_of, attach};

static dls_status open_folder(job *j, dls_error *err)
{
  size_t merged = 0;
  const bool is_part = j->request->spec.shards > 0; /* which draws nothing */
  const bool shown = is_part || (dls_cli_check_page(j->request, err) == DLS_OK &&
                                 dls_cli_check_picture(j->request->plot, err) == DLS_OK);
  if (shown &&
      dls_cli_folder_open(j->request, is_part ? NULL : "sweep", "sweep.csv", &j->folder, err) == DLS_OK &&
      (j->folder.path == NULL || dls_cli_journal_open(j->request, &j->folder, &points, j->grid, &merged,
                                                      &j->taken, &j->journal, err) == DLS_OK)) {
    return DLS_OK;
  }
  dls_cli_folder_drop(&j->folder);
  return err->status;
}

/* --- making --- */

static int when_late(const job *j, int code)
{
  return dls_cli_journal_late(j->request, &points, j->grid->complete, j->grid->finished, j->taken, code);
}

static void report_missing(const job *j)
{
  if (j->folder.path != NULL && !j->grid->complete) {
    dls_cli_message(j->request->command, "interrupted; the finished points are in '%s': continue with --resume",
                    j->folder.path);
  }
}

static int finish_part(const job *j)
{
  dls_error err = {0};
  const dls_status status =
      dls_cli_journal_part(j->request, &points, j->grid->complete, j->grid->finished, j->journal, &err);
  report_missing(j);
  return status != DLS_OK ? dls_cli_fail(j->request->command, &err) : when_late(j, DLS_EXIT_DONE);
}

static int finish(const job *j)
{
  dls_error err = {0};
  int code = write_results(j->request, &j->folder, j->grid);
  if (j->journal != NULL && j->grid->complete) {
    code = dls_cli_written(j->request->command, dls_journal_complete(j->journal, &err), &err, code);
  }
  report_missing(j);
  return when_late(j, code);
}

static int execute(job *j)
{
  dls_error err = {0};
  dls_cli_progress progress = dls_cli_progress_start(j->request->progress, "sweep", 1);
  j->grid->spec.errors.poll = dls_cli_progress_poll;
  j->grid->spec.errors.poll_data = &progress;
  const dls_status status = dls_grid_run(j->grid, &err);
  dls_cli_progress_end(&progress, status == DLS_OK);
  dls_cli_report_warned(j->request->command, &j->grid->warnings);
  if (status != DLS_OK && status != DLS_ERR_INTERRUPTED) {
    return dls_cli_fail(j->request->command, &err);
  }
  if (j->request->spec.shards > 0) {
    return finish_part(j);
  }
  if (j->grid->finished > 0) {
    return finish(j);
  }
  dls_cli_folder_drop(&j->folder);
  return when_late(j, dls_cli_fail(j->request->command, &err));
}

int dls_cli_grid(const dls_request *request, dls_study_results *results)
{
  dls_error err = {0};
  const dls_grid_spec spec = dls_request_grid_spec(request);
  job j = {.request = request};
  dls_status status = dls_cli_check_swept_schemes(request, request->axis_count, request->axes, &err);
  status = status == DLS_OK ? dls_grid_create(&spec, &results->grid, &err) : status;
  j.grid = results->grid;
  if (status == DLS_OK) {
    status = open_folder(&j, &err);
  }
  const int code = status != DLS_OK ? dls_cli_fail(request->command, &err) : execute(&j);
  dls_journal_close(j.journal);
  return code;
}
