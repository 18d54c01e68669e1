/* experiments/cli/shards.c -- which part of a study is ours, and the files of all parts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/shards.h"
#include "experiments/campaign/journal.h"
#include "experiments/cli/progress.h"

#include "common/base/text.h"
#include <delassus/output.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SHARDS = 100000, MOST_REPORTED = 20 };
static const char command_file[] = "command.txt";

/* --- which part --- */

static dls_status check_shard(const char *what, const char *text, long long k, long long n,
                              dls_order_spec *spec, dls_error *err)
{
  if (!(n >= 1 && n <= MOST_SHARDS)) {
    return dls_fail(err, DLS_ERR_ARG, "%s%s: there are %lld parts; allowed are 1 to %d", what, text, n,
                    MOST_SHARDS);
  }
  if (!(k >= 1 && k <= n)) {
    return dls_fail(err, DLS_ERR_ARG, "%s%s: part %lld is outside [1, %lld]", what, text, k, n);
  }
  spec->shard = (size_t)k;
  spec->shards = (size_t)n;
  return DLS_OK;
}

/* A whole number in the environment. @return false if it is not there or none */
static bool environment(const char *name, long long *value)
{
  const char *text = getenv(name);
  char *end = NULL;
  *value = text != NULL ? strtoll(text, &end, 10) : 0;
  return text != NULL && end != text && *end == '\0';
}

/* The place of the process among those of MPI. @return false if there is none */
static bool rank(long long *k, long long *n)
{
  return (environment("OMPI_COMM_WORLD_RANK", k) && environment("OMPI_COMM_WORLD_SIZE", n)) ||
         (environment("PMI_RANK", k) && environment("PMI_SIZE", n));
}

/* Of a Slurm array, of the processes of MPI, or of such in each task of an array. */
static dls_status automatic(dls_order_spec *spec, dls_error *err)
{
  long long task = 0, count = 1, first = 0, stride = 1, k = 0, n = 1;
  const bool array = environment("SLURM_ARRAY_TASK_ID", &task) && environment("SLURM_ARRAY_TASK_COUNT", &count);
  if (!rank(&k, &n) && !array) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "--shard auto: neither SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT nor OMPI_COMM_WORLD_RANK and "
        "OMPI_COMM_WORLD_SIZE nor PMI_RANK and PMI_SIZE are set; say --shard K/N");
  }
  if (array && environment("SLURM_ARRAY_TASK_MIN", &first) && environment("SLURM_ARRAY_TASK_STEP", &stride) &&
      stride > 0) {
    task = (task - first) / stride;
  } else if (array) {
    task -= 1; /* arrays begin with 1 here */
  }
  if (array && !(task >= 0 && task < count)) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "--shard auto: the array has %lld tasks, but this one is number %lld: arrays with gaps need --shard "
        "$SLURM_ARRAY_TASK_ID/N",
        count, task + 1);
  }
  return check_shard("--shard auto", "", task * n + k + 1, count * n, spec, err);
}

static bool is_one_of(const char *const *names, const char *name, size_t length)
{
  while (*names != NULL && (strlen(*names) != length || strncmp(*names, name, length) != 0)) {
    names++;
  }
  return *names != NULL;
}

bool dls_cli_shard_option(const char *name, size_t length)
{
  static const char *const computed[] = {"scheme",
                                         "step",
                                         "steps",
                                         "tol",
                                         "tols",
                                         "norm",
                                         "of",
                                         "reference",
                                         "against",
                                         "end",
                                         "set",
                                         "law",
                                         "sweep",
                                         "seed",
                                         "repeats",
                                         "over",
                                         "from",
                                         "timings",
                                         "start-tolerance",
                                         "project-start",
                                         "every",
                                         "at",
                                         "halve",
                                         "stats",
                                         "columns",
                                         "cycle",
                                         "drift",
                                         "max-rows",
                                         "plot-format",
                                         "style",
                                         "impact",
                                         "local",
                                         NULL};
  return is_one_of(computed, name, length);
}

bool dls_cli_shard_program(const char *name, size_t length)
{
  static const char *const programs[] = {"external", "external-limit", "map", "between", NULL};
  return is_one_of(programs, name, length);
}

static bool is_noted(const char *name)
{
  return dls_cli_shard_option(name, strlen(name)) || dls_cli_shard_program(name, strlen(name));
}

/* Every word of the command has a line of its own in the folder. */
static bool words_are_lines(const dls_cli_args *args)
{
  bool good = true;
  for (size_t i = 0; i < args->given_count; i++) {
    const char *value = args->given[i].value;
    good = good && (!is_noted(args->given[i].option->name) || strchr(value, '\n') == NULL);
  }
  for (size_t i = 0; i < args->positional_count; i++) {
    good = good && strchr(args->positional[i], '\n') == NULL;
  }
  return good;
}

dls_status dls_cli_read_shard(const dls_cli_args *args, dls_order_spec *spec, dls_error *err)
{
  const char *text = dls_cli_value(args, "shard");
  if (text == NULL) {
    return DLS_OK;
  }
  if (dls_cli_value(args, "out") == NULL && strcmp(args->command->name, "study") != 0) {
    return dls_fail(err, DLS_ERR_ARG,
                    "--shard needs --out DIR, the folder where all parts of the study are kept");
  }
  if (!words_are_lines(args)) {
    return dls_fail(err, DLS_ERR_ARG, "--shard: a word of the command has a line feed in it");
  }
  if (strcmp(text, "auto") == 0) {
    return automatic(spec, err);
  }
  char *slash = NULL, *end = NULL;
  const long long k = strtoll(text, &slash, 10);
  const long long n = *slash == '/' ? strtoll(slash + 1, &end, 10) : 0;
  if (slash == text || end == NULL || end == slash + 1 || *end != '\0') {
    return dls_fail(err, DLS_ERR_PARSE, "--shard '%.60s': say K/N, part K of N, such as 3/8, or auto", text);
  }
  return check_shard("--shard ", text, k, n, spec, err);
}

dls_status dls_cli_read_time_limit(const dls_cli_args *args, dls_error *err)
{
  double seconds = 0;
  if (dls_cli_value(args, "time-limit") == NULL) {
    return DLS_OK;
  }
  if (dls_cli_value(args, "overwrite") != NULL) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "--time-limit and --overwrite exclude each other: started again, the study would begin anew");
  }
  if (dls_cli_value(args, "out") == NULL && strcmp(args->command->name, "study") != 0) {
    return dls_fail(err, DLS_ERR_ARG, "--time-limit needs --out DIR, the folder where finished runs are kept");
  }
  const dls_status status = dls_cli_positive(args, "time-limit", &seconds, err);
  if (status == DLS_OK) {
    dls_cli_stop_after(seconds);
  }
  return status;
}

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

dls_status dls_cli_shard_note(const dls_cli_args *args, const char *folder, dls_error *err)
{
  const dls_cli_folder in = {.path = folder};
  char path[DLS_CLI_PATH_SIZE];
  dls_output *output = NULL;
  dls_status status = dls_cli_folder_file(&in, command_file, path, err);
  status = status != DLS_OK ? status : dls_output_open(path, &output, err);
  if (status != DLS_OK) {
    return status;
  }
  FILE *out = dls_output_stream(output);
  fprintf(out, "%s\n", args->command->name);
  for (size_t i = 0; i < args->given_count; i++) {
    const dls_cli_option *option = args->given[i].option;
    if (is_noted(option->name)) {
      fprintf(out, "--%s%s%s\n", option->name, option->argument != NULL ? "=" : "", args->given[i].value);
    }
  }
  for (size_t i = 0; i < args->positional_count; i++) {
    fprintf(out, "%s\n", args->positional[i]);
  }
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
static void report_parts(const dls_cli_args *args, const parts *p)
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
    dls_cli_message(args->command, "parts that were not finished:%s", unfinished);
  }
  if (absent[0] != '\0') {
    dls_cli_message(args->command, "parts without a file (they were not started, or have no runs):%s", absent);
  }
}

/* Which runs there are none of, and which parts have to be started again. */
static dls_status report_missing(const dls_cli_args *args, const dls_cli_folder *folder, const parts *p,
                                 const dls_journal_merging *merging, dls_error *err)
{
  size_t lines = 0;
  for (const char *at = merging->text; *at != '\0'; lines++) {
    const size_t length = strcspn(at, "\n");
    if (lines < MOST_REPORTED) {
      dls_cli_message(args->command, "missing: %.*s", (int)length, at);
    }
    at += length + (at[length] == '\n');
  }
  if (lines > MOST_REPORTED) {
    dls_cli_message(args->command, "missing: %zu more lines", lines - MOST_REPORTED);
  }
  report_parts(args, p);
  return dls_fail(err, DLS_ERR_INTERRUPTED, "%zu runs are missing in '%.250s': make them, then merge",
                  merging->missing, folder->path);
}

dls_status dls_cli_shard_merge(const dls_cli_args *args, const dls_cli_folder *folder, const char *journal,
                               dls_cli_merging *merge, const void *study, size_t *count, dls_error *err)
{
  parts p = {0};
  dls_journal_merging merging = {0};
  dls_status status = find_parts(folder, journal, &p, err);
  status = status != DLS_OK ? status : merge(study, journal, p.paths, p.count, p.complete, &merging, err);
  if (status == DLS_OK && merging.missing > 0) {
    status = report_missing(args, folder, &p, &merging, err);
  }
  *count = p.count;
  free(merging.text);
  dls_pool_release(&p.pool);
  return status;
}
