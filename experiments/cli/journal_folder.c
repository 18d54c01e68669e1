/* experiments/cli/journal_folder.c -- see journal_folder.h
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/journal_folder.h"
#include "experiments/campaign/output_files.h"

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

void dls_cli_clear_left_overs(const char *path)
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

void dls_cli_report_journal(const dls_request *r, const char *path, const dls_journal *journal, size_t runs)
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
