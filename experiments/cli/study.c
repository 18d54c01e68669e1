/* experiments/cli/study.c -- `delassus study`: what a file describes, or a study that ships.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700 /* realpath */
#include "experiments/cli/command_line.h"
#include "experiments/cli/entries.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/study_page.h"
#include "experiments/cli/study_plan.h"
#include "experiments/cli/study_run.h"
#include "experiments/cli/study_sheet.h"
#include "experiments/request/yaml/yaml_tree.h"

#include "common/base/text.h"
#include <delassus/output.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = DLS_YAML_MOST_BYTES + 1, MOST_NAMES = 256 }; /* one byte more: a longer file is told to be */

/* A study file before it is read. */
typedef struct source {
  const char *path, *name; /* as messages call it; without folder and .yaml */
  const char *folder;      /* in which it lies, an absolute path; "" of one that ships */
  const char *text;
  size_t size;
} source;

static const char *name_of_path(dls_pool *pool, const char *path)
{
  const char *slash = strrchr(path, '/');
  const char *name = slash != NULL ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  const bool ends = dot != NULL && dot != name && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
  return dls_pool_copy(pool, name, ends ? (size_t)(dot - name) : strlen(name));
}

static const char *folder_of(dls_pool *pool, const char *path)
{
  char absolute[PATH_MAX];
  const char *slash = strrchr(path, '/');
  const char *folder = dls_pool_copy(pool, path, slash != NULL ? (size_t)(slash - path) + 1 : 0);
  const bool found = folder != NULL && realpath(folder[0] != '\0' ? folder : ".", absolute) != NULL;
  return found ? dls_pool_copy(pool, absolute, strlen(absolute)) : folder;
}

static dls_status no_such_study(const char *name, int reason, dls_error *err)
{
  const char *names[MOST_NAMES];
  size_t count = 0;
  for (const dls_study_shipped *study = dls_studies(); study->name != NULL && count < MOST_NAMES; study++) {
    names[count++] = study->name;
  }
  char guess[120];
  dls_cli_guess(name, names, count, guess, sizeof guess);
  return dls_fail(err, DLS_ERR_ARG,
                  "'%.150s' is no study that ships (`delassus list studies`), and no file: %s%s", name,
                  strerror(reason), guess);
}

static dls_status read_file(dls_pool *pool, const char *path, source *out, dls_error *err)
{
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    return no_such_study(path, errno, err);
  }
  char *text = dls_pool_take(pool, ROOM);
  out->size = text != NULL ? fread(text, 1, ROOM, file) : 0;
  const bool failed = ferror(file) != 0;
  fclose(file);
  if (failed) {
    return dls_fail(err, DLS_ERR_ARG, "cannot read '%.250s': %s", path, strerror(errno));
  }
  out->text = text;
  out->path = path;
  out->name = name_of_path(pool, path);
  out->folder = folder_of(pool, path);
  return text != NULL && out->name != NULL && out->folder != NULL
             ? DLS_OK
             : dls_fail(err, DLS_ERR_MEMORY, "out of memory for '%.250s'", path);
}

static source shipped(const dls_study_shipped *study)
{
  return (source){study->name, study->name, "", (const char *)study->text, study->size};
}

/* A name that ships, else a file. */
static dls_status find_source(dls_pool *pool, const char *text, source *out, dls_error *err)
{
  for (const dls_study_shipped *study = dls_studies(); study->name != NULL; study++) {
    if (strcmp(study->name, text) == 0) {
      *out = shipped(study);
      return DLS_OK;
    }
  }
  return read_file(pool, text, out, err);
}

/* Every error on a line of its own, as compilers write them. */
static dls_status read_source(const dls_catalogue *catalogue, const source *s, dls_study_file **file,
                              dls_error *err)
{
  const dls_status status = dls_catalogue_study_read(catalogue, s->text, s->size, s->folder, file, err);
  if (status == DLS_ERR_PARSE) {
    const size_t count = (*file)->problem_count;
    for (size_t i = 0; i < count; i++) {
      const dls_study_problem *problem = &(*file)->problems[i];
      fprintf(stderr, "%s:%zu:%zu: %s\n", s->path, problem->line, problem->column, problem->text);
    }
    dls_fail(err, DLS_ERR_PARSE, "%s has %zu error%s", s->path, count, count == 1 ? "" : "s");
  }
  return status;
}

/* A file from elsewhere must not have anything run: the programs that its studies would start, and where they are named.
 * @param[in] looks  nothing is run */
static dls_status check_externals(const dls_cli_args *args, const source *s, const dls_study_file *file,
                                  bool looks, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < file->study_count && status == DLS_OK; i++) {
    const dls_study *study = &file->studies[i];
    dls_error why = {0};
    if (study->external_count > 0 && !looks && dls_cli_value(args, "allow-run") == NULL) {
      status =
          dls_fail(err, DLS_ERR_ARG,
                   "%.150s:%zu:%zu: the study would start other programs (external): look what `study --check` "
                   "says, then say --allow-run",
                   s->path, study->external_line, study->external_column);
    } else if (study->external_count > 0 && dls_request_check_externals(study->request, &why) != DLS_OK) {
      status = dls_fail(err, why.status, "%.150s:%zu:%zu: %.250s", s->path, study->external_line,
                        study->external_column, why.text);
    }
  }
  return status;
}

static dls_status check(const source *s, const dls_cli_study_job *job, dls_error *err)
{
  dls_status status = DLS_OK;
  printf("%s is good; it would run\n", s->path);
  for (size_t i = 0; i < job->file->study_count && status == DLS_OK; i++) {
    status = dls_cli_study_print_command(job, &job->file->studies[i], "  ", stdout, err);
  }
  return status;
}

/* Run the studies of a file, with a page of its own or as part of that of all. */
static int execute(const dls_cli_args *args, dls_report *page, dls_cli_study_job *job)
{
  dls_error err = {0};
  job->page = page;
  job->is_part = page != NULL;
  if (page == NULL && dls_cli_study_page_begin(args, job->file->title, &job->page, &err) != DLS_OK) {
    return dls_cli_fail(args->command->name, &err);
  }
  const int code = dls_cli_study_execute(job);
  if (page == NULL && code == DLS_EXIT_REQUEST) { /* nothing has been computed */
    dls_report_abandon(job->page);
    return code;
  }
  if (page == NULL && dls_cli_study_page_end(args, job->page, &err) != DLS_OK) {
    return dls_cli_fail(args->command->name, &err);
  }
  if (code != DLS_EXIT_DONE) {
    return code;
  }
  const dls_cli_study_score score = dls_cli_study_score_of(job);
  const bool unmet = score.met < score.expected && !dls_cli_study_interrupted(job);
  if (!unmet || dls_cli_unmet(args, code) == code) {
    return code;
  }
  dls_cli_message(args->command->name, "%s: %zu of %zu expectations are not met (--strict)", job->file->title,
                  score.expected - score.met, score.expected);
  return DLS_EXIT_UNMET;
}

/* What is asked for in words takes precedence over what the file says. */
static dls_status read_options(const dls_cli_args *args, dls_cli_study_job *job, dls_error *err)
{
  dls_request options;
  const dls_status status = dls_cli_read_options(args, &options, err);
  job->progress = options.progress;
  job->jobs = options.spec.jobs;
  job->mode = options.mode;
  job->form = options.form;
  for (size_t i = 0; i < DLS_PICTURE_FORM_OPTIONS; i++) {
    job->form_text[i] = dls_cli_value(args, dls_picture_form_options[i]);
  }
  if (dls_cli_value(args, "style") != NULL || dls_cli_value(args, "plot-format") != NULL) {
    job->pictures = options.format != NULL ? options.format : "none";
  }
  return status;
}

/* --graded-by: the expectations of another file in place of its own. @param[out] sheet  the caller's to destroy */
static dls_status grade(const dls_cli_args *args, dls_cli_study_job *job, dls_study_file **sheet,
                        dls_error *err)
{
  const char *path = dls_cli_value(args, "graded-by");
  source s = {0};
  if (path == NULL) {
    return DLS_OK;
  }
  dls_status status = find_source(job->pool, path, &s, err);
  status = status == DLS_OK ? read_source(args->catalogue, &s, sheet, err) : status;
  return status == DLS_OK ? dls_cli_study_grade_by(job, *sheet, path, err) : status;
}

/* Read, then check or run. page: of all files, or NULL. job->file is the caller's to destroy; job->made is there once it
 * has run. */
static int treat(const dls_cli_args *args, const source *s, const char *folder, dls_report *page,
                 dls_pool *pool, dls_cli_study_job *job, dls_study_file **sheet)
{
  dls_error err = {0};
  const bool ships = s->path == s->name;
  *job = (dls_cli_study_job){.path = ships ? dls_pool_print(pool, "%s.yaml", s->name) : s->path,
                             .name = s->name,
                             .text = s->text,
                             .size = s->size,
                             .origin = s->folder,
                             .catalogue = args->catalogue,
                             .folder = folder,
                             .jobs_text = dls_cli_value(args, "jobs"),
                             .pool = pool};
  const char *plan = dls_cli_value(args, "plan");
  const bool checks = dls_cli_value(args, "check") != NULL;
  if (read_options(args, job, &err) != DLS_OK || read_source(args->catalogue, s, &job->file, &err) != DLS_OK ||
      check_externals(args, s, job->file, checks && plan == NULL, &err) != DLS_OK ||
      grade(args, job, sheet, &err) != DLS_OK) {
    return dls_cli_fail(args->command->name, &err);
  }
  if (dls_cli_value(args, "sheet") != NULL) {
    dls_cli_study_print_sheet(job->file, stdout);
    return DLS_EXIT_DONE;
  }
  if (plan != NULL || !checks) {
    return plan != NULL ? dls_cli_study_plan(args, job, plan) : execute(args, page, job);
  }
  return check(s, job, &err) != DLS_OK ? dls_cli_fail(args->command->name, &err) : DLS_EXIT_DONE;
}

/* --- all of them --- */

static int out_of_memory(const dls_cli_args *args, const char *name)
{
  dls_cli_message(args->command->name, "out of memory for study %s", name);
  return DLS_EXIT_FAILED;
}

/* One study of `all`: its section goes to the report. */
static int treat_one_of_all(const dls_cli_args *args, const dls_study_shipped *study, const char *folder,
                            FILE *report, dls_report *page, const char **verdict, dls_pool *pool)
{
  dls_cli_study_job job = {0};
  dls_error err = {0};
  const source s = shipped(study);
  const char *place = dls_pool_print(pool, "%s/%s", folder, study->name);
  const char *prefix = dls_pool_print(pool, "%s/", study->name);
  if (place == NULL || prefix == NULL) {
    *verdict = "did not run";
    return out_of_memory(args, study->name);
  }
  int code = treat(args, &s, place, page, pool, &job, NULL);
  *verdict = "did not run";
  if (job.made != NULL && dls_cli_study_interrupted(&job)) {
    *verdict = "interrupted";
  } else if (job.made != NULL && report != NULL) {
    char score[DLS_CLI_SCORE_TEXT];
    dls_cli_study_score_text(dls_cli_study_score_of(&job), score, sizeof score);
    *verdict = dls_pool_print(pool, "%s%s", score,
                              code != DLS_EXIT_DONE && code != DLS_EXIT_UNMET ? "; it failed on the way" : "");
    if (*verdict == NULL) {
      *verdict = "?";
      code = out_of_memory(args, study->name);
    } else if (dls_cli_study_write_report(&job, prefix, report, &err) != DLS_OK) {
      code = dls_cli_fail(args->command->name, &err);
    }
  }
  dls_study_destroy(job.file);
  return code;
}

static int treat_each(const dls_cli_args *args, const char *folder, FILE *report, dls_report *page,
                      dls_pool *pool)
{
  const char *cells[2 * MOST_NAMES];
  size_t count = 0;
  int code = DLS_EXIT_DONE;
  const dls_study_shipped *study = dls_studies();
  for (; study->name != NULL && count < MOST_NAMES && dls_cli_signal() == 0; study++) {
    const int one = treat_one_of_all(args, study, folder, report, page, &cells[2 * count + 1], pool);
    /* a failure takes precedence over an unmet expectation */
    code = code == DLS_EXIT_DONE || (code == DLS_EXIT_UNMET && one != DLS_EXIT_DONE) ? one : code;
    cells[2 * count++] = study->name;
    putchar('\n');
  }
  if (report != NULL) {
    static const char *const headers[] = {"study", "verdict"};
    dls_cli_table(stdout, 2, headers, count, cells);
  }
  return code;
}

static int make_all(const dls_cli_args *args, const char *folder, dls_pool *pool)
{
  dls_error err = {0};
  dls_output *report = NULL;
  dls_report *page = NULL;
  const char *path = dls_pool_print(pool, "%s/report.md", folder);
  if (path == NULL) {
    return out_of_memory(args, "all");
  }
  if (dls_output_open(path, &report, &err) != DLS_OK) {
    dls_cli_refuse(&err);
    return dls_cli_fail(args->command->name, &err);
  }
  if (dls_cli_study_page_begin(args, "Studies", &page, &err) != DLS_OK) {
    dls_output_abandon(report);
    return dls_cli_fail(args->command->name, &err);
  }
  const int code = treat_each(args, folder, dls_output_stream(report), page, pool);
  const dls_status written = dls_cli_study_page_end(args, page, &err);
  if (dls_output_commit(report, written == DLS_OK ? &err : NULL) != DLS_OK || written != DLS_OK) {
    return dls_cli_fail(args->command->name, &err);
  }
  printf("report: %s\n", path);
  return code;
}

static int treat_all(const dls_cli_args *args, const char *folder, dls_pool *pool)
{
  dls_error err = {0};
  int lock = -1;
  if (dls_cli_value(args, "check") != NULL) {
    return treat_each(args, folder, NULL, NULL, pool);
  }
  const dls_status status = dls_cli_study_lock(folder, &lock, &err);
  const int code = status == DLS_OK ? make_all(args, folder, pool) : dls_cli_fail(args->command->name, &err);
  if (lock >= 0) {
    close(lock);
  }
  return code;
}

/* --- the command --- */

static int list_studies(void)
{
  for (const dls_study_shipped *study = dls_studies(); study->name != NULL; study++) {
    printf("%s\n    ", study->name);
    dls_cli_wrap(stdout, study->title, 4, 4);
  }
  return DLS_EXIT_DONE;
}

/* A table of the schema in Markdown, which reads well as it is. */
static void print_keys(const char *heading, const dls_study_key *key, bool required)
{
  static const dls_study_kind kinds[] = {DLS_STUDY_RUN,    DLS_STUDY_COMPARE,  DLS_STUDY_ORDER, DLS_STUDY_WORK,
                                         DLS_STUDY_ENERGY, DLS_STUDY_SPECTRUM, DLS_STUDY_LOCAL, DLS_STUDY_FIT};
  printf("| %s | studies of kind | value | |\n| --- | --- | --- | --- |\n", heading);
  for (; key->name != NULL; key++) {
    char where[80] = "";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && key->kinds != DLS_STUDY_ALL; i++) {
      if ((key->kinds & kinds[i]) != 0) {
        dls_text_append(where, sizeof where, "%s%s", where[0] != '\0' ? ", " : "",
                        dls_study_kind_name(kinds[i]));
      }
    }
    printf("| `%s`%s | %s | %s | %s |\n", key->name, required && key->required != 0 ? " (required)" : "",
           where[0] != '\0' ? where : "all", key->value, key->help);
  }
}

static int list_keys(void)
{
  print_keys("key", dls_study_keys(), true);
  putchar('\n');
  print_keys("key of an entry of expect", dls_study_expect_keys(), true);
  putchar('\n');
  print_keys("quantity", dls_study_quantities(), false);
  return DLS_EXIT_DONE;
}

static int with_pool(const dls_cli_args *args, dls_pool *pool)
{
  dls_error err = {0};
  source s = {0};
  dls_cli_study_job job = {0};
  const char *folder = dls_cli_value(args, "out");
  if (dls_cli_value(args, "list") != NULL) {
    return list_studies();
  }
  if (dls_cli_value(args, "keys") != NULL) {
    return list_keys();
  }
  if (args->positional_count == 0) {
    dls_fail(&err, DLS_ERR_ARG,
             "FILE or NAME is missing, e.g. acary-lecture-two-balls: delassus study FILE|NAME; `delassus study "
             "--list` names those "
             "that ship");
    return dls_cli_fail(args->command->name, &err);
  }
  if (dls_cli_check_page(&(const dls_request){.report = dls_cli_value(args, "report")}, &err) != DLS_OK) {
    return dls_cli_fail(args->command->name, &err);
  }
  if (strcmp(args->positional[0], "all") == 0 && dls_cli_value(args, "plan") != NULL) {
    dls_fail(&err, DLS_ERR_ARG, "--plan is for the studies of one file, not for all");
    return dls_cli_fail(args->command->name, &err);
  }
  const bool exercise = dls_cli_value(args, "sheet") != NULL || dls_cli_value(args, "graded-by") != NULL;
  if (strcmp(args->positional[0], "all") == 0 && exercise) {
    dls_fail(&err, DLS_ERR_ARG, "--sheet and --graded-by are for the studies of one file, not for all");
    return dls_cli_fail(args->command->name, &err);
  }
  if (strcmp(args->positional[0], "all") == 0) {
    return treat_all(args, folder != NULL ? folder : "studies", pool);
  }
  if (find_source(pool, args->positional[0], &s, &err) != DLS_OK) {
    return dls_cli_fail(args->command->name, &err);
  }
  if (dls_cli_value(args, "print") != NULL) {
    fwrite(s.text, 1, s.size, stdout);
    return DLS_EXIT_DONE;
  }
  dls_study_file *sheet = NULL;
  const int code = treat(args, &s, folder != NULL ? folder : s.name, NULL, pool, &job, &sheet);
  dls_study_destroy(job.file);
  dls_study_destroy(sheet);
  return code;
}

static int run(const dls_cli_args *args)
{
  dls_pool pool = {0};
  const int code = with_pool(args, &pool);
  dls_pool_release(&pool);
  return code;
}

static const dls_cli_option options[] = {
    {.name = "check", .help = "only check the file: all errors at once, with line and column"},
    {.name = "plan",
     .argument = "FILE.sh",
     .help = "predict runs, seconds, bytes and memory of studies of kind order and work and of sweeps, from a "
             "short "
             "run of each "
             "scheme or from some points, and "
             "write a "
             "job array for sbatch that makes them in parts; -: predict only"},
    {.name = "list", .help = "list the studies that ship"},
    {.name = "print", .help = "print the file of a study, e.g. to begin one's own with"},
    {.name = "sheet", .help = "print the exercise of a file: its questions without schemes, steps and answers"},
    {.name = "graded-by",
     .argument = "SHEET",
     .help = "compare the results with what this file expects of studies with the same names; what FILE itself "
             "expects does not count"},
    {.name = "keys", .help = "print the tables of all keys that a file can have, and what can be expected"},
    {0},
};

const dls_cli_command dls_cli_study_file = {
    .name = "study",
    .group = DLS_CLI_LEARN,
    .synopsis = "FILE|NAME|all",
    .summary = "what a study file describes, or a figure of the literature by name",
    .text = "Read a study file (YAML) or one that ships, make its studies with\n"
            "the commands run, compare, order, work, energy, spectrum and fit, and compare the results with\n"
            "what the file expects. DIR gets the results, verdict.csv, report.md and a copy of the file;\n"
            "`all` makes every study that ships, a folder each, and one report.\n",
    .page = "reference/study-files",
    .examples = "  delassus study --list\n"
                "  delassus study acary-lecture-ball-order\n"
                "  delassus study --print example-order >mine.yaml\n"
                "  delassus study --check mine.yaml\n"
                "  delassus study mine.yaml --out results\n",
    .options = options,
    .keys = DLS_COMMAND_STUDY,
    .most = 1,
    .run = run,
};
