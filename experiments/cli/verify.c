/* experiments/cli/verify.c -- `delassus verify`: is what a file says what its command gives here and now?
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700 /* nftw */
#include "experiments/campaign/machine.h"
#include "experiments/campaign/output_files.h"
#include "experiments/cli/cli.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/repeat.h"
#include "experiments/extra/foreign/file_metadata.h"
#include "experiments/extra/foreign/process.h"
#include "experiments/extra/verify/same_rows.h"
#include "experiments/extra/verify/same_text.h"

#include "common/base/line.h"
#include "common/base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 4096, NAMES_ROOM = 400 };

/* Files of a folder, relative to it. */
typedef struct file_list {
  const char *root;
  dls_pool *pool;
  const char *names[MOST_FILES];
  size_t count;
} file_list;

typedef struct job {
  const dls_cli_args *args;
  const char *kept; /* the file or folder */
  bool folder;
  dls_pool pool;
  dls_repeat repeat;
  char *scratch; /* folder of our own, for what is made again; NULL: none */
  const char *again;
  file_list kept_files, made_files;
  size_t compared, differing; /* tables */
  dls_row_difference sum;
  size_t texts, lines, differing_lines,
      missing;                   /* metadata, journals, scripts, texts; files that are not there */
  char not_compared[NAMES_ROOM]; /* files */
} job;

static dls_status no_memory(dls_error *err)
{
  return dls_fail(err, DLS_ERR_MEMORY, "no memory");
}

/* A folder in TMPDIR. */
static dls_status make_scratch(job *j, dls_error *err)
{
  char *path = dls_pool_print(&j->pool, "%s/delassus-verify-XXXXXX", dls_temporary_folder());
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

/* Of a trajectory first what needs no memory. */
static void remove_scratch(const job *j)
{
  if (j->scratch != NULL && !j->folder && j->again != NULL) {
    unlink(j->again);
  }
  if (j->scratch != NULL && rmdir(j->scratch) != 0) {
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
    if (dup2(before, STDOUT_FILENO) < 0) {
      close(STDOUT_FILENO); /* so that what is printed later is known to be lost */
    }
    close(before);
  }
  if (nowhere >= 0) {
    close(nowhere);
  }
  return code;
}

static bool has_option(const dls_cli_command *command, const char *name)
{
  return dls_key_find(command->keys, name, strlen(name)) < DLS_KEY_COUNT;
}

/* The words are copied, since reading them puts them into another order. @return exit code of the command */
static int repeat(job *j, dls_error *err)
{
  dls_repeat copy = j->repeat, *r = &copy;
  dls_repeat_add(r, "--out");
  dls_repeat_add(r, "%s", j->again);
  if (has_option(r->command, "progress") &&
      strcmp(r->command->name, "exact") != 0) { /* exact: only with --rigorous */
    dls_repeat_add(r, "--progress");
    dls_repeat_add(r, "%s",
                   dls_cli_value(j->args, "progress") != NULL ? dls_cli_value(j->args, "progress") : "auto");
  }
  dls_cli_args args = {0};
  const dls_status status =
      j->pool.failed ? no_memory(err) : dls_cli_parse(r->command, (int)r->count, r->words, &args, err);
  args.catalogue = j->args->catalogue;
  const int code = status == DLS_OK ? perform_silently(&args) : dls_cli_fail(j->args->command->name, err);
  dls_cli_args_release(&args);
  return code;
}

/* --- what came out --- */

static file_list *walked; /* nftw hands no data on */

static int find_file(const char *path, const struct stat *info, int type, struct FTW *where)
{
  (void)info, (void)where;
  if (type == FTW_F && walked->count < MOST_FILES) {
    const char *inside = path + strlen(walked->root);
    inside += strspn(inside, "/");
    walked->names[walked->count++] = dls_pool_copy(walked->pool, inside, strlen(inside));
  }
  return 0;
}

static dls_status list_files(file_list *list, const char *root, dls_pool *pool, dls_error *err)
{
  *list = (file_list){.root = root, .pool = pool};
  walked = list;
  errno = 0;
  return nftw(root, find_file, 16, FTW_PHYS) == 0 && !pool->failed
             ? DLS_OK
             : dls_line_unread(root, pool->failed ? ENOMEM : errno, err);
}

typedef enum file_kind { TABLE, JOURNAL, TEXT, OTHER } file_kind;

/* Slopes over seconds are those of no other run. */
static file_kind kind_of(const job *j, const char *name)
{
  static const char *const texts[] = {".gp", ".txt", ".md", ".yaml"};
  const char *base = strrchr(name, '/') != NULL ? strrchr(name, '/') + 1 : name, *end = strrchr(base, '.');
  if (end == NULL || (j->repeat.seconds && (strcmp(base, "slopes.csv") == 0 || strcmp(end, ".gp") == 0))) {
    return OTHER;
  }
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    if (strcmp(end, texts[i]) == 0) {
      return TEXT;
    }
  }
  return strcmp(base, "runs.csv") == 0 ? JOURNAL : strcmp(end, ".csv") == 0 ? TABLE : OTHER;
}

static void report_difference(const job *j, const char *path, const dls_row_difference *d)
{
  dls_cli_message(j->args->command->name, "%s, row %zu%s%s: %s in the file, %s now; %zu of %zu values differ",
                  path, d->row, d->column[0] != '\0' ? ", column " : "", d->column, d->first, d->second,
                  d->differing, d->values);
}

static dls_status compare_text(job *j, const char *kept, const char *again, dls_text_part part, bool prefix,
                               dls_error *err)
{
  dls_text_difference d;
  const dls_status status = dls_same_text(kept, again, part, prefix, &d, err);
  if (status != DLS_OK) {
    return status;
  }
  j->texts++;
  j->lines += d.lines;
  j->differing_lines += d.differing;
  if (d.differing > 0) {
    dls_cli_message(j->args->command->name, "%s: '%s' in the file, '%s' now; %zu lines differ", kept,
                    d.first[0] != '\0' ? d.first : "no such line",
                    d.second[0] != '\0' ? d.second : "no such line", d.differing);
  }
  return DLS_OK;
}

/* Only a run that was interrupted ends elsewhere when it is repeated. */
static bool is_interrupted(const char *path)
{
  char failure[400];
  bool found = false;
  dls_error err = {0};
  return dls_file_metadata(path, "failure", failure, sizeof failure, &found, &err) == DLS_OK && found &&
         strstr(failure, ": interrupted after ") != NULL;
}

static dls_status compare(job *j, const char *kept, const char *again, dls_error *err)
{
  dls_row_difference d;
  const bool prefix = j->repeat.prefix && is_interrupted(kept);
  const dls_status status = dls_same_rows(kept, again, prefix, &d, err);
  if (status != DLS_OK) {
    return status;
  }
  j->compared++;
  j->sum.rows += d.rows;
  j->sum.values += d.values;
  j->sum.differing += d.differing;
  j->differing += d.row > 0;
  if (d.row > 0) {
    report_difference(j, kept, &d);
  }
  return compare_text(j, kept, again, DLS_TEXT_METADATA, prefix, err);
}

/* A file of the folder beside the one that the command makes. */
static dls_status compare_file(job *j, const char *name, dls_error *err)
{
  const char *kept = dls_pool_print(&j->pool, "%s/%s", j->kept, name);
  const char *again = dls_pool_print(&j->pool, "%s/%s", j->again, name);
  const file_kind kind = kind_of(j, name);
  if (kept == NULL || again == NULL) {
    return no_memory(err);
  }
  if (kind == OTHER) {
    dls_text_append(j->not_compared, sizeof j->not_compared, ", %s", name);
    return DLS_OK;
  }
  if (access(again, F_OK) != 0) {
    dls_cli_message(j->args->command->name, "%s is not made by the command: left out", kept);
    dls_text_append(j->not_compared, sizeof j->not_compared, ", %s", name);
    return DLS_OK;
  }
  return kind == TABLE
             ? compare(j, kept, again, err)
             : compare_text(j, kept, again, kind == JOURNAL ? DLS_TEXT_JOURNAL : DLS_TEXT_ALL, false, err);
}

/* What the command makes and the folder does not have. */
static dls_status find_missing(job *j, dls_error *err)
{
  for (size_t i = 0; i < j->made_files.count; i++) {
    const char *name = j->made_files.names[i];
    const char *kept = dls_pool_print(&j->pool, "%s/%s", j->kept, name);
    if (kept == NULL) {
      return no_memory(err);
    }
    if (kind_of(j, name) != OTHER && access(kept, F_OK) != 0) {
      dls_cli_message(j->args->command->name, "%s is missing: the command makes it", kept);
      j->missing++;
    }
  }
  return DLS_OK;
}

static dls_status compare_folder(job *j, dls_error *err)
{
  dls_status status = list_files(&j->kept_files, j->kept, &j->pool, err);
  status = status != DLS_OK ? status : list_files(&j->made_files, j->again, &j->pool, err);
  for (size_t i = 0; i < j->kept_files.count && status == DLS_OK; i++) {
    status = compare_file(j, j->kept_files.names[i], err);
  }
  status = status != DLS_OK ? status : find_missing(j, err);
  return status != DLS_OK || j->compared > 0
             ? status
             : dls_fail(err, DLS_ERR_ARG, "'%.200s' has no table that the command makes", j->kept);
}

/* "# compiler: ..." of a file, or "compiler: ..." of the journal's head, beside ours. */
static void report_origin(job *j)
{
  const char *path = j->folder ? dls_pool_print(&j->pool, "%s/runs.csv", j->kept) : j->kept;
  char compiler[100];
  bool found = false;
  dls_error err = {0};
  if (path != NULL && dls_file_metadata(path, "compiler", compiler, sizeof compiler, &found, &err) == DLS_OK &&
      found && strcmp(compiler, dls_machine_compiler) != 0) {
    dls_cli_message(j->args->command->name, "it was made by %s, this is %s: last digits are the compiler's",
                    compiler, dls_machine_compiler);
  }
}

static int print(job *j)
{
  const bool same = j->differing == 0 && j->differing_lines == 0 && j->missing == 0;
  fputs("command=", stdout);
  dls_repeat_print(&j->repeat, stdout);
  printf("\ntables=%zu\nrows=%zu\nvalues=%zu\ndiffering=%zu\nidentical=%s\n", j->compared, j->sum.rows,
         j->sum.values, j->sum.differing, same ? "yes" : "no");
  printf("texts=%zu\nlines=%zu\ndiffering_lines=%zu\nmissing=%zu\n", j->texts, j->lines, j->differing_lines,
         j->missing);
  printf("not_compared=columns %s; lines %s%s%s\n", dls_rows_left_out, dls_text_left_out,
         j->not_compared[0] != '\0' ? "; files " : "", j->not_compared[0] != '\0' ? j->not_compared + 2 : "");
  if (!same) {
    report_origin(j);
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
  if ((j->folder && dls_output_check_folder(j->kept, &err) != DLS_OK) ||
      dls_repeat_of(j->kept, &j->pool, &j->repeat, &err) != DLS_OK || check_consent(j, &err) != DLS_OK ||
      make_scratch(j, &err) != DLS_OK) {
    return dls_cli_fail(j->args->command->name, &err);
  }
  if (j->repeat.command == &dls_cli_study_file && dls_cli_value(j->args, "allow-run") != NULL) {
    dls_repeat_add(&j->repeat, "--allow-run"); /* without it a study with such programs is refused */
  }
  const size_t before = dls_cli_out_of_memory();
  const int code = repeat(j, &err);
  if (dls_cli_signal() != 0 || code == DLS_EXIT_REQUEST || dls_cli_out_of_memory() > before ||
      access(j->again, F_OK) != 0) {
    return code;
  }
  const dls_status status = j->folder ? compare_folder(j, &err) : compare(j, j->kept, j->again, &err);
  return status == DLS_OK ? print(j) : dls_cli_fail(j->args->command->name, &err);
}

static int verify_one(const dls_cli_args *args, char *kept)
{
  job *j = calloc(1, sizeof *j);
  if (j == NULL) {
    dls_error err = {0};
    no_memory(&err);
    return dls_cli_fail(args->command->name, &err);
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

const dls_cli_command dls_cli_verify = {
    .name = "verify",
    .group = DLS_CLI_KEEP,
    .synopsis = "FILE.csv|DIR...",
    .summary = "rerun files or studies, and compare them bit for bit",
    .text =
        "Read from a trajectory of run, compare or exact, or from a folder of order, work or study, how it\n"
        "was made; run it again, in a folder that is removed, and compare the numbers bit for bit, however\n"
        "they are written, metadata, events and texts line by line, and the set of files. What is not\n"
        "compared is printed as not_compared=. Of an interrupted run, the existing rows are compared.\n"
        "Exit status 0: identical; 1, with --strict 3: different, and the first difference is printed; 2: the\n"
        "file does not contain its command; for several files and folders, the largest.\n",
    .page = "reference/verify",
    .examples = "  delassus run bouncing-ball --scheme moreau-jean --step 0.01 --end 4 --out ball.csv\n"
                "  delassus verify ball.csv\n",
    .keys = DLS_COMMAND_VERIFY,
    .least = 1,
    .most = 1000,
    .run = run,
};
