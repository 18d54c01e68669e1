/* experiments/cli/shards.c -- which part of a study is ours, and the files of all parts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/shards.h"
#include "experiments/cli/command_line.h"

#include "common/base/text.h"
#include <delassus/output.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_REPORTED = 20 };
static const char command_file[] = "command.txt";

/* --- the files of the parts --- */

void dls_cli_shard_file(const dls_order_spec *spec, char name[DLS_CLI_SHARD_NAME])
{
  snprintf(name, DLS_CLI_SHARD_NAME, "runs-%zu-of-%zu.csv", spec->shard, spec->shards);
}

/* Is it such a name? */
static bool read_name(const char *name, size_t *k, size_t *n)
{
  char again[DLS_CLI_SHARD_NAME];
  dls_order_spec spec = {0};
  if (sscanf(name, "runs-%zu-of-%zu.csv", &spec.shard, &spec.shards) != 2) {
    return false;
  }
  dls_cli_shard_file(&spec, again);
  *k = spec.shard;
  *n = spec.shards;
  return strcmp(again, name) == 0;
}

dls_status dls_cli_shard_note(const dls_request *request, const char *folder, dls_error *err)
{
  const dls_cli_folder in = {.path = folder};
  const dls_study *study = request->study;
  dls_output *output = NULL;
  if (dls_cli_folder_output(&in, command_file, &output, err) != DLS_OK) {
    return err->status;
  }
  FILE *out = dls_output_stream(output);
  fprintf(out, "%s\n", request->command);
  for (size_t i = 0; i < study->argument_count; i++) {
    const dls_study_argument *argument = &study->arguments[i];
    if (dls_key_effect_of(argument->option, strlen(argument->option)) != DLS_KEY_EFFECT_OTHER) {
      fprintf(out, "--%s%s%s\n", argument->option, dls_command_is_switch(argument->option) ? "" : "=",
              argument->value);
    }
  }
  fprintf(out, "%s\n", study->model);
  return dls_output_commit(output, err);
}

FILE *dls_cli_shard_command(const char *folder)
{
  char path[DLS_CLI_PATH_SIZE];
  dls_error ignored = {0};
  const dls_cli_folder in = {.path = folder};
  errno = ENAMETOOLONG;
  return dls_cli_folder_file(&in, command_file, path, &ignored) == DLS_OK ? fopen(path, "r") : NULL;
}

/* --- merging --- */

/* A journal in the folder; k = n = 0: that of the whole study. */
typedef struct part {
  const char *path;
  size_t k, n;
} part;

typedef struct parts {
  dls_pool pool;
  part *all;
  const char **paths;
  bool *complete;
  size_t count;
} parts;

static int by_number(const void *left, const void *right)
{
  const part *a = left, *b = right;
  if (a->n != b->n) {
    return a->n < b->n ? -1 : 1;
  }
  return a->k < b->k ? -1 : a->k > b->k;
}

/* Names of parts in a folder, at most `room`; those behind are only counted. */
static size_t scan(const dls_cli_folder *folder, parts *p, size_t room)
{
  DIR *stream = opendir(folder->path);
  size_t count = 0;
  p->pool.failed = p->pool.failed || (stream == NULL && errno == ENOMEM);
  part found = {0};
  for (const struct dirent *entry; stream != NULL && (entry = readdir(stream)) != NULL;) {
    if (!read_name(entry->d_name, &found.k, &found.n)) {
      continue;
    }
    if (count < room) {
      found.path = dls_pool_print(&p->pool, "%s/%s", folder->path, entry->d_name);
      p->all[count] = found;
    }
    count++;
  }
  if (stream != NULL) {
    closedir(stream);
  }
  return count;
}

/* All parts, and the journal if there is one. */
static dls_status find_parts(const dls_cli_folder *folder, const char *journal, parts *p, dls_error *err)
{
  const size_t room = scan(folder, p, 0);
  p->all = dls_pool_take(&p->pool, (room + 1) * sizeof *p->all);
  p->paths = dls_pool_take(&p->pool, (room + 1) * sizeof *p->paths);
  p->complete = dls_pool_take(&p->pool, (room + 1) * sizeof *p->complete);
  if (!p->pool.failed) {
    const size_t found = scan(folder, p, room);
    p->count = found < room ? found : room;
  }
  if (room == 0 && !p->pool.failed) {
    return dls_fail(err, DLS_ERR_ARG,
                    "'%.250s' has no part of a study (runs-1-of-N.csv, ...): --shard K/N makes them",
                    folder->path);
  }
  if (!p->pool.failed && access(journal, F_OK) == 0) {
    p->all[p->count++] = (part){.path = journal};
  }
  if (p->pool.failed) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the parts in '%.250s'", folder->path);
  }
  qsort(p->all, p->count, sizeof *p->all, by_number);
  for (size_t i = 0; i < p->count; i++) {
    p->paths[i] = p->all[i].path;
  }
  return DLS_OK;
}

/* Where a part is found; count if there is none. */
static size_t find(const parts *p, size_t k, size_t n)
{
  size_t i = 0;
  while (i < p->count && !(p->all[i].k == k && p->all[i].n == n)) {
    i++;
  }
  return i;
}

/* Of the finest split: which parts were not finished, and which are not there. */
static void report_parts(const dls_request *r, const parts *p)
{
  const size_t n = p->all[p->count - 1].n;
  char unfinished[120] = "", absent[120] = "";
  for (size_t k = 1; k <= n; k++) {
    const size_t i = find(p, k, n);
    char *list = i == p->count ? absent : p->complete[i] ? NULL : unfinished;
    if (list != NULL && strlen(list) + 12 < sizeof absent) {
      dls_text_append(list, sizeof absent, " %zu/%zu", k, n);
    } else if (list != NULL && strstr(list, "...") == NULL) {
      dls_text_append(list, sizeof absent, " ...");
    }
  }
  if (unfinished[0] != '\0') {
    dls_cli_message(r->command, "parts that were not finished:%s", unfinished);
  }
  if (absent[0] != '\0') {
    dls_cli_message(r->command, "parts without a file (they were not started, or have no runs):%s", absent);
  }
}

/* Which runs there are none of, and which parts have to be started again. */
static dls_status report_missing(const dls_request *r, const dls_cli_folder *folder, const parts *p,
                                 const dls_journal_merging *merging, dls_error *err)
{
  size_t lines = 0;
  for (const char *at = merging->text; *at != '\0'; lines++) {
    const size_t length = strcspn(at, "\n");
    if (lines < MOST_REPORTED) {
      dls_cli_message(r->command, "missing: %.*s", (int)length, at);
    }
    at += length + (at[length] == '\n');
  }
  if (lines > MOST_REPORTED) {
    dls_cli_message(r->command, "missing: %zu more lines", lines - MOST_REPORTED);
  }
  report_parts(r, p);
  return dls_fail(err, DLS_ERR_INTERRUPTED, "%zu runs are missing in '%.250s': make them, then merge",
                  merging->missing, folder->path);
}

dls_status dls_cli_shard_merge(const dls_request *r, const dls_cli_folder *folder, const char *journal,
                               const dls_journal_form *form, const void *study, size_t *count, dls_error *err)
{
  parts p = {0};
  dls_journal_merging merging = {0};
  const bool good =
      find_parts(folder, journal, &p, err) == DLS_OK &&
      dls_journal_merge(journal, p.paths, p.count, form, study, p.complete, &merging, err) == DLS_OK &&
      (merging.missing == 0 || report_missing(r, folder, &p, &merging, err) == DLS_OK);
  *count = p.count;
  free(merging.text);
  dls_pool_release(&p.pool);
  return good ? DLS_OK : err->status;
}
