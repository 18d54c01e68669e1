/* experiments/cli/grid.c -- run, order, work and energy over one parameter or two.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/grid.h"
#include "experiments/cli/grid_results.h"
#include "experiments/cli/journal_folder.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/run.h"
#include "experiments/cli/shards.h"
#include "experiments/cli/words.h"
#include "experiments/measures/grid_journal.h"

#include <delassus/plot.h>
#include <string.h>

static const char journal_name[] = "runs.csv";

/* --- the folder and its journal --- */

typedef struct job {
  const dls_request *request;
  dls_grid *grid; /* that of the results */
  dls_cli_folder folder;
  dls_journal *journal; /* in the folder; NULL: there is no folder */
  size_t taken;         /* cells taken over from it */
} job;

static dls_status merge(const void *data, const char *path, const char *const *parts, size_t count,
                        bool *complete, dls_journal_merging *out, dls_error *err)
{
  return dls_grid_journal_merge(path, parts, count, data, complete, out, err);
}

static dls_status open_journal(job *j, dls_error *err)
{
  char part[DLS_CLI_SHARD_NAME], path[DLS_CLI_PATH_SIZE];
  const dls_order_spec *spec = &j->grid->spec.errors;
  const bool is_part = spec->shards > 0, merges = j->request->mode == DLS_JOURNAL_MERGE;
  const dls_journal_mode mode = merges ? DLS_JOURNAL_RESUME : j->request->mode;
  size_t merged = 0;
  dls_cli_shard_file(spec, part);
  dls_status status = dls_cli_folder_file(&j->folder, is_part ? part : journal_name, path, err);
  status = status != DLS_OK ? status : dls_cli_check_output(path, err);
  if (status == DLS_OK && merges) {
    status = dls_cli_shard_merge(j->request, &j->folder, path, merge, j->grid, &merged, err);
  }
  status = status != DLS_OK ? status : dls_grid_journal_open(path, j->grid, mode, &j->taken, &j->journal, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_grid_journal_attach(j->journal, j->grid);
  if (mode == DLS_JOURNAL_RESUME && !is_part) { /* else others work in the folder */
    dls_cli_clear_left_overs(j->folder.path);
  }
  if (mode == DLS_JOURNAL_RESUME && (j->taken > 0 || j->request->resume)) {
    dls_cli_report_journal(j->request, path, j->journal, j->taken);
  }
  return is_part && !j->request->is_part ? dls_cli_shard_note(j->request, j->folder.path, err) : DLS_OK;
}

static dls_status open_folder(job *j, dls_error *err)
{
  const bool is_part = j->request->spec.shards > 0; /* which draws nothing */
  dls_status status = is_part ? DLS_OK : dls_cli_check_page(j->request, err);
  if (status == DLS_OK && j->request->plot != NULL && !is_part) {
    status = dls_cli_check_output(j->request->plot, err);
    status = status != DLS_OK ? status : dls_plot_check(j->request->plot, err);
  }
  status = status != DLS_OK
               ? status
               : dls_cli_folder_open(j->request, is_part ? NULL : "sweep", "sweep.csv", &j->folder, err);
  if (status == DLS_OK && j->folder.path != NULL) {
    status = open_journal(j, err);
  }
  if (status != DLS_OK) {
    dls_cli_folder_drop(&j->folder);
  }
  return status;
}

/* --- making --- */

/* Whoever is to start it again would do so for ever if there was no time for a single point. */
static int when_late(const job *j, int code)
{
  if (j->grid->complete || !dls_cli_time_is_up()) {
    return code;
  }
  if (j->grid->finished > j->taken) {
    return DLS_EXIT_AGAIN;
  }
  dls_cli_message(j->request->command, "no point was finished within --time-limit: it needs more");
  return DLS_EXIT_FAILED;
}

static void report_missing(const job *j)
{
  if (j->folder.path != NULL && !j->grid->complete) {
    dls_cli_message(j->request->command, "interrupted; the finished points are in '%s': go on with --resume",
                    j->folder.path);
  }
}

/* A part has its journal, and nothing else. */
static int finish_part(const job *j)
{
  dls_error err = {0};
  const dls_order_spec *spec = &j->grid->spec.errors;
  const dls_status status =
      j->grid->complete && j->grid->finished > 0 ? dls_journal_complete(j->journal, &err) : DLS_OK;
  printf("part %zu of %zu: %zu points are finished, %s\n", spec->shard, spec->shards, j->grid->finished,
         j->grid->complete ? "which are all of it" : "and some are left");
  report_missing(j);
  return status != DLS_OK ? dls_cli_fail(j->request->command, &err) : when_late(j, DLS_EXIT_DONE);
}

static int finish(const job *j)
{
  dls_error err = {0};
  int code = dls_cli_grid_results(j->request, &j->folder, j->grid);
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
  dls_status status = dls_grid_create(&spec, &results->grid, &err);
  j.grid = results->grid;
  status = status != DLS_OK ? status : open_folder(&j, &err);
  const int code = status != DLS_OK ? dls_cli_fail(request->command, &err) : execute(&j);
  dls_journal_close(j.journal);
  return code;
}
