/* experiments/cli/verify.c -- `delassus verify`: is what a file says what its command gives here and now?
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700 /* nftw */
#include "experiments/cli/cli.h"
#include "experiments/cli/external.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/repeat.h"
#include "experiments/cli/request_words.h"
#include "experiments/foreign/file_metadata.h"
#include "experiments/judge/same_rows.h"
#include "experiments/study/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_TABLES = 4096 };

typedef struct job {
  const dls_cli_args *args;
  const char *kept; /* the file or folder */
  bool folder;
  dls_pool pool;
  dls_repeat repeat;
  char *scratch; /* folder of our own, for what is made again; NULL: none */
  const char *again;
  const char *tables[MOST_TABLES]; /* of a folder, relative to it */
  size_t table_count, compared, differing;
  dls_row_difference sum;
} job;

static dls_status no_memory(dls_error *err)
{
  return dls_fail(err, DLS_ERR_MEMORY, "no memory");
}

/* A folder in TMPDIR. */
static dls_status make_scratch(job *j, dls_error *err)
{
  const char *root = getenv("TMPDIR");
  char *path =
      dls_pool_print(&j->pool, "%s/delassus-verify-XXXXXX", root != NULL && root[0] != '\0' ? root : "/tmp");
  if (path == NULL) {
    return no_memory(err);
  }
  if (mkdtemp(path) == NULL) {
    return dls_fail(err, DLS_ERR_IO, "cannot make a folder '%.200s': %s", path, strerror(errno));
  }
  j->scratch = path;
  j->again = dls_pool_print(&j->pool, "%s/%s", path, j->folder ? "again" : "again.csv");
  return j->again != NULL ? DLS_OK : no_memory(err);
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *where)
{
  (void)info, (void)type, (void)where;
  return remove(path);
}

static void remove_scratch(const job *j)
{
  if (j->scratch != NULL) {
    nftw(j->scratch, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  }
}

/* Perform with what it prints on standard output thrown away. */
static int perform_silently(const dls_cli_args *args)
{
  fflush(stdout);
  const int before = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY);
  if (before >= 0 && nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
  }
  const int code = args->command->perform != NULL ? dls_cli_perform(args) : args->command->run(args);
  fflush(stdout);
  if (before >= 0) {
    dup2(before, STDOUT_FILENO);
    close(before);
  }
  if (nowhere >= 0) {
    close(nowhere);
  }
  return code;
}

static bool has_option(const dls_cli_command *command, const char *name)
{
  for (const dls_cli_option *o = command->options; o->name != NULL; o++) {
    if (strcmp(o->name, name) == 0) {
      return true;
    }
  }
  return false;
}

/* The words are copied, since reading them puts them into another order. @return exit code of the command */
static int repeat(job *j, dls_error *err)
{
  dls_repeat copy = j->repeat, *r = &copy;
  dls_repeat_add(r, "--out");
  dls_repeat_add(r, "%s", j->again);
  if (has_option(r->command, "progress")) {
    dls_repeat_add(r, "--progress");
    dls_repeat_add(r, "%s",
                   dls_cli_value(j->args, "progress") != NULL ? dls_cli_value(j->args, "progress") : "auto");
  }
  dls_cli_args args;
  const dls_status status = dls_cli_parse(r->command, (int)r->count, r->words, &args, err);
  args.catalogue = j->args->catalogue;
  const int code = status == DLS_OK ? perform_silently(&args) : dls_cli_fail(j->args, err);
  dls_cli_args_release(&args);
  return code;
}

/* --- what came out --- */

static job *walked; /* nftw hands no data on */

/* Tables of numbers that two studies share: not runs in the order in which they ended, nor slopes over seconds. */
static bool comparable(const char *name)
{
  const char *end = strrchr(name, '.');
  return end != NULL && strcmp(end, ".csv") == 0 && strcmp(name, "runs.csv") != 0 &&
         !(walked->repeat.seconds && strcmp(name, "slopes.csv") == 0);
}

static int find_table(const char *path, const struct stat *info, int type, struct FTW *where)
{
  (void)info;
  if (type == FTW_F && comparable(path + where->base) && walked->table_count < MOST_TABLES) {
    const char *inside = path + strlen(walked->kept);
    inside += strspn(inside, "/");
    walked->tables[walked->table_count++] = dls_pool_copy(&walked->pool, inside, strlen(inside));
  }
  return 0;
}

static void tell_difference(const job *j, const char *path, const dls_row_difference *d)
{
  dls_cli_message(j->args->command, "%s, row %zu%s%s: %s in the file, %s now; %zu of %zu values differ", path,
                  d->row, d->column[0] != '\0' ? ", column " : "", d->column, d->first, d->second, d->differing,
                  d->values);
}

static dls_status compare(job *j, const char *kept, const char *again, dls_error *err)
{
  dls_row_difference d;
  const dls_status status = dls_same_rows(kept, again, j->repeat.prefix, &d, err);
  if (status != DLS_OK) {
    return status;
  }
  j->compared++;
  j->sum.rows += d.rows;
  j->sum.values += d.values;
  j->sum.differing += d.differing;
  j->differing += d.row > 0;
  if (d.row > 0) {
    tell_difference(j, kept, &d);
  }
  return DLS_OK;
}

static dls_status compare_tables(job *j, dls_error *err)
{
  walked = j;
  nftw(j->kept, find_table, 16, FTW_PHYS);
  dls_status status = DLS_OK;
  for (size_t i = 0; i < j->table_count && status == DLS_OK; i++) {
    const char *kept = dls_pool_print(&j->pool, "%s/%s", j->kept, j->tables[i]);
    const char *again = dls_pool_print(&j->pool, "%s/%s", j->again, j->tables[i]);
    if (kept == NULL || again == NULL) {
      return no_memory(err);
    }
    if (access(again, F_OK) != 0) {
      dls_cli_message(j->args->command, "%s is not made by the command: left out", kept);
      continue;
    }
    status = compare(j, kept, again, err);
  }
  return status != DLS_OK || j->compared > 0
             ? status
             : dls_fail(err, DLS_ERR_ARG, "'%.200s' has no table that the command makes", j->kept);
}

/* "# compiler: ..." of a file, or "compiler: ..." of the journal's head, beside ours. */
static void tell_origin(job *j)
{
  const char *path = j->folder ? dls_pool_print(&j->pool, "%s/runs.csv", j->kept) : j->kept;
  char compiler[100];
  bool found = false;
  dls_error err = {0};
  if (path != NULL && dls_file_metadata(path, "compiler", compiler, sizeof compiler, &found, &err) == DLS_OK &&
      found && strcmp(compiler, dls_machine_compiler) != 0) {
    dls_cli_message(j->args->command, "it was made by %s, this is %s: last digits are the compiler's", compiler,
                    dls_machine_compiler);
  }
}

static int print(job *j)
{
  const bool same = j->differing == 0;
  fputs("command=", stdout);
  dls_repeat_print(&j->repeat, stdout);
  printf("\ntables=%zu\nrows=%zu\nvalues=%zu\ndiffering=%zu\nidentical=%s\n", j->compared, j->sum.rows,
         j->sum.values, j->sum.differing, same ? "yes" : "no");
  if (!same) {
    tell_origin(j);
  }
  return same ? DLS_EXIT_DONE : dls_cli_unmet(j->args, DLS_EXIT_FAILED);
}

/* A folder from elsewhere must not have anything run. */
static dls_status check_consent(const job *j, dls_error *err)
{
  return j->repeat.externals == 0 || dls_cli_value(j->args, "allow-run") != NULL
             ? DLS_OK
             : dls_fail(
                   err, DLS_ERR_ARG,
                   "'%.200s' was made with external programs (the lines '# external:' in its runs.csv): look "
                   "what they would run, then say --allow-run",
                   j->kept);
}

static int verify(job *j)
{
  dls_error err = {0};
  struct stat info;
  j->folder = stat(j->kept, &info) == 0 && S_ISDIR(info.st_mode);
  if (dls_repeat_of(j->kept, &j->pool, &j->repeat, &err) != DLS_OK || check_consent(j, &err) != DLS_OK ||
      make_scratch(j, &err) != DLS_OK) {
    return dls_cli_fail(j->args, &err);
  }
  if (j->repeat.command == &dls_cli_study_file && dls_cli_value(j->args, "allow-run") != NULL) {
    dls_repeat_add(&j->repeat, "--allow-run"); /* without it a study with such programs is refused */
  }
  const int code = repeat(j, &err);
  if (dls_cli_signal() != 0 || code == DLS_EXIT_REQUEST || access(j->again, F_OK) != 0) {
    return code;
  }
  const dls_status status = j->folder ? compare_tables(j, &err) : compare(j, j->kept, j->again, &err);
  return status == DLS_OK ? print(j) : dls_cli_fail(j->args, &err);
}

static int verify_one(const dls_cli_args *args, char *kept)
{
  job *j = calloc(1, sizeof *j);
  if (j == NULL) {
    dls_error err = {0};
    no_memory(&err);
    return dls_cli_fail(args, &err);
  }
  j->args = args;
  j->kept = kept;
  const int code = verify(j);
  remove_scratch(j);
  dls_pool_release(&j->pool);
  free(j);
  return code;
}

/* @return the largest exit status of all; a signal ends it */
static int run(const dls_cli_args *args)
{
  int worst = DLS_EXIT_DONE;
  for (size_t i = 0; i < args->positional_count && dls_cli_signal() == 0; i++) {
    if (args->positional_count > 1) {
      printf("%sfile=%s\n", i > 0 ? "\n" : "", args->positional[i]);
    }
    const int code = verify_one(args, args->positional[i]);
    worst = code > worst ? code : worst;
  }
  return worst;
}

static const dls_cli_option options[] = {
    DLS_CLI_ALLOW_OPTION,
    DLS_CLI_PROGRESS_OPTION,
    DLS_CLI_STRICT_OPTION("in place of 1 if a number differs; 1 is left for what failed"),
    {0},
};

const dls_cli_command dls_cli_verify = {
    .name = "verify",
    .synopsis = "FILE.csv|DIR... [--allow-run] [--strict]",
    .summary = "make files or studies once more, and compare them bit for bit",
    .text =
        "Read from a trajectory of run, compare or exact, or from a folder of order, work or study, how it\n"
        "was made; make it once more, in a folder that is removed, and compare the numbers bit for bit,\n"
        "however they are written. Columns of seconds are left out; of a run that was ended the rows that\n"
        "are there are compared. Exit status 0: identical; 1, with --strict 3: not, and where it begins is "
        "said; 2: the file\n"
        "does not say how it was made; of several files and folders the largest.\n",
    .examples = "  delassus run bouncing-ball --scheme moreau-jean --step 0.01 --end 4 --out ball.csv\n"
                "  delassus verify ball.csv\n",
    .options = options,
    .least = 1,
    .most = 1000,
    .run = run,
};
