/* experiments/cli/journal_folder.c -- see journal_folder.h
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/journal_folder.h"
#include "experiments/campaign/output_files.h"
#include "experiments/cli/progress.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

static bool is_left_over(const char *name)
{
  const size_t begin = sizeof DLS_OUTPUT_TEMPORARY_BEGIN - 1, end = sizeof DLS_OUTPUT_TEMPORARY_END - 1;
  const size_t length = strlen(name);
  return length > begin + end && strncmp(name, DLS_OUTPUT_TEMPORARY_BEGIN, begin) == 0 &&
         strcmp(name + length - end, DLS_OUTPUT_TEMPORARY_END) == 0;
}

static void clear_left_overs(const char *path)
{
  DIR *folder = opendir(path);
  for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
    if (is_left_over(entry->d_name)) {
      unlinkat(dirfd(folder), entry->d_name, 0);
    }
  }
  if (folder != NULL) {
    closedir(folder);
  }
}

/* What was taken over from the journal, and what was not. */
static void report_journal(const dls_request *r, const char *path, const dls_journal *journal, size_t runs)
{
  const char *lost = dls_journal_lost(journal), *cpu = dls_journal_other_cpu(journal);
  dls_cli_message(r->command, "%zu finished runs taken over from '%s'", runs, path);
  if (lost != NULL) {
    dls_cli_message(r->command, "damaged in '%s' and left out: line %s; what is missing is made again", path,
                    lost);
  }
  if (cpu != NULL) {
    dls_cli_message(r->command, "they were made by another processor: %s", cpu);
  }
}

dls_status dls_cli_journal_open(const dls_request *r, const dls_cli_folder *folder,
                                const dls_cli_journal_kind *kind, void *campaign, size_t *merged, size_t *taken,
                                dls_journal **out, dls_error *err)
{
  char part[DLS_CLI_SHARD_NAME], path[DLS_CLI_PATH_SIZE];
  const bool is_part = r->spec.shards > 0, merges = r->mode == DLS_JOURNAL_MERGE;
  const dls_journal_mode mode = merges ? DLS_JOURNAL_RESUME : r->mode;
  const dls_journal_form form = kind->form(campaign);
  dls_cli_shard_file(&r->spec, part);
  if (dls_cli_folder_file(folder, is_part ? part : "runs.csv", path, err) != DLS_OK ||
      dls_cli_check_output(path, err) != DLS_OK ||
      (merges && dls_cli_shard_merge(r, folder, path, &form, campaign, merged, err) != DLS_OK) ||
      dls_journal_open(path, &form, campaign, mode, taken, out, err) != DLS_OK ||
      kind->attach(*out, campaign, err) != DLS_OK) {
    return err->status;
  }
  if (mode == DLS_JOURNAL_RESUME && !is_part) { /* else others work in the folder */
    clear_left_overs(folder->path);
  }
  if (mode == DLS_JOURNAL_RESUME && (*taken > 0 || r->resume)) {
    report_journal(r, path, *out, *taken);
  }
  return is_part && !r->is_part ? dls_cli_shard_note(r, folder->path, err) : DLS_OK;
}

int dls_cli_journal_late(const dls_request *r, const dls_cli_journal_kind *kind, bool complete, size_t finished,
                         size_t taken, int code)
{
  if (complete || !dls_cli_time_is_up()) {
    return code;
  }
  if (finished > taken) {
    return DLS_EXIT_AGAIN;
  }
  dls_cli_message(r->command, "no %s was finished within --time-limit: it needs more", kind->unit);
  return DLS_EXIT_FAILED;
}

dls_status dls_cli_journal_part(const dls_request *r, const dls_cli_journal_kind *kind, bool complete,
                                size_t finished, dls_journal *journal, dls_error *err)
{
  const dls_status status = complete && finished > 0 ? dls_journal_complete(journal, err) : DLS_OK;
  printf("part %zu of %zu: %zu %ss are finished, %s\n", r->spec.shard, r->spec.shards, finished, kind->unit,
         complete ? "which are all of it" : "and some are left");
  return status;
}
