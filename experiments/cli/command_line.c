/* experiments/cli/command_line.c -- a command line becomes a request.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/command_line.h"
#include "common/base/text.h"
#include "experiments/catalogue/externals.h"
#include "experiments/cli/progress.h"
#include "experiments/extra/foreign/external.h"

#include <stdlib.h>
#include <string.h>

/* --- read --- */

dls_status dls_cli_read_request(const dls_cli_args *args, dls_study_kind kind, dls_cli_request *out,
                                dls_error *err)
{
  *out = (dls_cli_request){.study = {.request = &out->request}};
  dls_word *all = dls_pool_take(&out->pool, (args->given_count + 1) * sizeof *all);
  size_t count = 0;
  for (size_t i = 0; i < args->given_count && all != NULL; i++) {
    if (args->given[i].option.key != 0) {
      all[count++] = (dls_word){args->given[i].option.key, args->given[i].value};
    }
  }
  if (all == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "out of memory for the request");
  }
  const dls_words words = {.name = args->command->name,
                           .command = args->command->keys,
                           .kind = kind,
                           .catalogue = args->catalogue,
                           .count = count,
                           .all = all,
                           .positional_count = args->positional_count,
                           .positional = args->positional};
  return dls_request_from_words(&words, &out->pool, &out->study, err);
}

void dls_cli_request_release(dls_cli_request *request)
{
  dls_request_release(&request->request);
  dls_study_release_externals(&request->study);
  dls_pool_release(&request->pool);
}

dls_status dls_cli_read_options(const dls_cli_args *args, dls_request *out, dls_error *err)
{
  dls_cli_request all;
  const dls_status status = dls_cli_read_request(args, (dls_study_kind)0, &all, err);
  *out = all.request;
  out->study = NULL;
  dls_cli_request_release(&all);
  return status;
}

dls_status dls_cli_log_externals(const dls_study *study, const char *folder, dls_error *err)
{
  dls_pool pool = {0};
  const char *path = dls_pool_print(&pool, "%s/" DLS_CLI_EXTERNAL_LOG, folder);
  dls_status status = path != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for the name of a file");
  for (size_t i = 0; i < study->external_count && status == DLS_OK; i++) {
    status = dls_external_log_to(study->externals[i], path, err);
  }
  dls_pool_release(&pool);
  return status;
}

/* The catalogue, which the provenance of the results names, owns the programs from here on. */
static dls_status hand_externals(dls_catalogue *catalogue, dls_study *study, dls_error *err)
{
  dls_status status = DLS_OK;
  const size_t count = study->external_count;
  study->external_count = 0;
  for (size_t i = 0; i < count; i++) {
    if (status == DLS_OK) {
      status = dls_catalogue_add_external(catalogue, study->externals[i], err);
    } else {
      dls_external_destroy(study->externals[i]);
    }
  }
  return status;
}

int dls_cli_perform(const dls_cli_args *args)
{
  dls_error err = {0};
  dls_cli_request all;
  dls_study_results results = {0};
  dls_request *r = &all.request;
  dls_status status = dls_cli_read_request(args, args->command->kind, &all, &err);
  if (status == DLS_OK && r->out != NULL) {
    status = dls_cli_log_externals(&all.study, r->out, &err);
  }
  status = status != DLS_OK ? status : hand_externals(args->catalogue, &all.study, &err);
  if (status == DLS_OK && args->merges) {
    r->mode = DLS_JOURNAL_MERGE;
    r->resume = true;
  }
  if (status == DLS_OK && r->time_limit > 0) {
    dls_cli_stop_after(r->time_limit);
  }
  status = status != DLS_OK ? status : dls_request_check_externals(r, &err);
  const int code =
      status != DLS_OK ? dls_cli_fail(args->command->name, &err) : args->command->perform(r, &results);
  dls_study_results_release(&results);
  dls_cli_request_release(&all);
  dls_catalogue_drop_externals(args->catalogue);
  return code;
}

dls_status dls_cli_note_command(const dls_request *r, dls_trajectory *traj, dls_error *err)
{
  if (strcmp(r->command, "run") != 0 && strcmp(r->command, "exact") != 0) {
    return DLS_OK; /* one of several results */
  }
  char *text = dls_command_made_by(r);
  if (text == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the command of a trajectory");
  }
  const dls_status status = dls_trajectory_note(traj, err, "command", "%s", text);
  free(text);
  return status;
}
