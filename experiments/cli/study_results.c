/* experiments/cli/study_results.c -- the files and the table of a study.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/cli/study_request.h"
#include "experiments/study/output_parts.h"

#include <delassus/output.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FILES = 8 };

static const char journal_name[] = "runs.csv";

static void name_picture(const dls_cli_study *s, const dls_cli_results *results, size_t norm, size_t of,
                         char *name, size_t size)
{
  snprintf(name, size, "%s_%.60s_%.60s", results->prefix, s->spec.norms[norm]->name, s->spec.of[of]);
}

static dls_status read_mode(const dls_cli_args *args, dls_journal_mode *mode, dls_error *err)
{
  const bool resume = dls_cli_value(args, "resume") != NULL,
             overwrite = dls_cli_value(args, "overwrite") != NULL;
  *mode = resume ? DLS_JOURNAL_RESUME : overwrite ? DLS_JOURNAL_OVERWRITE : DLS_JOURNAL_NEW;
  if (resume && overwrite) {
    return dls_fail(err, DLS_ERR_ARG, "--resume and --overwrite exclude each other");
  }
  if ((resume || overwrite) && dls_cli_value(args, "out") == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "--%s needs --out DIR, the folder with the study that was interrupted",
                    resume ? "resume" : "overwrite");
  }
  return DLS_OK;
}

static bool is_left_over(const char *name)
{
  const size_t begin = sizeof DLS_OUTPUT_TEMPORARY_BEGIN - 1, end = sizeof DLS_OUTPUT_TEMPORARY_END - 1;
  const size_t length = strlen(name);
  return length > begin + end && strncmp(name, DLS_OUTPUT_TEMPORARY_BEGIN, begin) == 0 &&
         strcmp(name + length - end, DLS_OUTPUT_TEMPORARY_END) == 0;
}

/* What a process that was killed left behind. The journal is locked: no other process works in the folder. */
static void clear_left_overs(const dls_cli_study *s)
{
  DIR *folder = opendir(s->folder.path);
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
static void report_journal(const dls_cli_study *s, const char *path, size_t runs)
{
  const char *lost = dls_journal_lost(s->journal), *cpu = dls_journal_elsewhere(s->journal);
  dls_cli_message(s->args->command, "%zu finished runs taken over from '%s'", runs, path);
  if (lost != NULL) {
    dls_cli_message(s->args->command, "damaged in '%s' and left out: line %s; what is missing is made again",
                    path, lost);
  }
  if (cpu != NULL) {
    dls_cli_message(s->args->command, "they were made by another processor: %s", cpu);
  }
}

static dls_status open_journal(dls_cli_study *s, dls_journal_mode mode, dls_error *err)
{
  char path[DLS_CLI_PATH_SIZE];
  size_t runs = 0;
  dls_status status = dls_cli_folder_file(&s->folder, journal_name, path, err);
  status = status != DLS_OK ? status : dls_cli_check_output(path, err);
  status = status != DLS_OK ? status : dls_journal_open(path, &s->spec, mode, &runs, &s->journal, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_journal_attach(s->journal, &s->spec);
  if (mode == DLS_JOURNAL_RESUME) {
    clear_left_overs(s);
    report_journal(s, path, runs);
  }
  return DLS_OK;
}

dls_status dls_cli_study_folder(dls_cli_study *study, const dls_cli_results *results, dls_error *err)
{
  char name[160];
  dls_journal_mode mode = DLS_JOURNAL_NEW;
  dls_status status = read_mode(study->args, &mode, err);
  name_picture(study, results, 0, 0, name, sizeof name);
  status = status != DLS_OK ? status : dls_cli_check_page(study->args, err);
  status = status != DLS_OK ? status
                            : dls_cli_folder_open(study->args, name, results->files[0], &study->folder, err);
  if (status == DLS_OK && study->folder.path != NULL) {
    status = open_journal(study, mode, err);
  }
  if (status != DLS_OK) {
    dls_cli_folder_drop(&study->folder);
  }
  return status;
}

/* The text files: all of them written, then all of them put in place. */
static dls_status write_texts(const dls_cli_study *s, const dls_cli_results *results, const void *data,
                              dls_error *err)
{
  dls_output *outputs[MOST_FILES] = {NULL};
  dls_status status = DLS_OK;
  for (size_t i = 0; results->files[i] != NULL && status == DLS_OK; i++) {
    char path[DLS_CLI_PATH_SIZE];
    status = dls_cli_folder_file(&s->folder, results->files[i], path, err);
    status = status != DLS_OK ? status : dls_output_open(path, &outputs[i], err);
    if (status == DLS_OK && results->write(data, i, dls_output_stream(outputs[i])) != DLS_OK) {
      status = dls_fail(err, DLS_ERR_IO, "cannot write '%.250s'", path);
    }
  }
  for (size_t i = 0; results->files[i] != NULL; i++) {
    if (status == DLS_OK) {
      status = dls_output_commit(outputs[i], err);
    } else {
      dls_output_abandon(outputs[i]);
    }
  }
  return status;
}

static dls_status draw_pictures(const dls_cli_study *s, const dls_cli_results *results, const void *data,
                                dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < s->spec.norm_count && status == DLS_OK; i++) {
    for (size_t j = 0; j < s->spec.of_count && status == DLS_OK; j++) {
      char name[160], path[DLS_CLI_PATH_SIZE];
      name_picture(s, results, i, j, name, sizeof name);
      status = dls_cli_folder_picture(&s->folder, name, path, err);
      status = status != DLS_OK ? status : results->draw(data, i, j, path, err);
    }
  }
  return status;
}

static dls_status write_page(const dls_cli_study *s, const dls_cli_results *results, const void *data,
                             dls_error *err)
{
  const dls_cli_page page = {.kind = results->kind,
                             .question = results->question,
                             .model = &s->model,
                             .scheme_count = s->spec.scheme_count,
                             .schemes = s->spec.schemes,
                             .seed = &s->spec.seed,
                             .write = results->page,
                             .data = data};
  return dls_cli_write_page(s->args, &page, err);
}

static size_t count_failures(const dls_order_study *runs)
{
  size_t failures = 0;
  for (size_t i = 0; i < runs->point_count; i++) {
    failures += runs->points[i].reason[0] != '\0';
  }
  return failures;
}

/* The table as a whole or not at all: a part of one would be taken for all of it. */
static dls_status print_table(const dls_cli_results *results, const void *data, dls_error *err)
{
  char *text = NULL;
  size_t size = 0;
  FILE *stream = dls_text_stream(&text, &size);
  dls_status status = stream != NULL ? results->print(data, stream, err) : DLS_ERR_MEMORY;
  if (stream != NULL && fclose(stream) != 0 && status == DLS_OK) {
    status = DLS_ERR_MEMORY;
  }
  if (status == DLS_OK) {
    fwrite(text, 1, size, stdout); /* whether it got there main finds out in the end */
  } else if (err->text[0] == '\0') {
    dls_fail(err, status, "%s", dls_status_text(status));
  }
  free(text);
  return status;
}

/* What is missing in the results, and how to get it. */
static void report_missing(const dls_cli_study *study, const dls_order_study *runs, size_t failures)
{
  const dls_cli_command *command = study->args->command;
  if (failures > 0) {
    dls_cli_message(command, "%zu of %zu measurements failed; the table says why", failures, runs->point_count);
  }
  if (runs->starved > 0) {
    dls_cli_message(command, "there was no memory for %zu runs", runs->starved);
  }
  if (study->folder.path != NULL && !runs->complete) {
    dls_cli_message(command, "%sthe finished runs are in '%s': go on with --resume",
                    runs->starved > 0 ? "" : "interrupted; ", study->folder.path);
  }
}

/* Files first, so that a reader of standard output who leaves early costs none of them. */
int dls_cli_study_finish(const dls_cli_study *study, const dls_order_study *runs,
                         const dls_cli_results *results, const void *data)
{
  dls_error err = {0};
  dls_error why = {0};
  dls_status status = DLS_OK;
  const size_t failures = count_failures(runs);
  const bool useless = failures == runs->point_count;
  if (study->folder.path != NULL) {
    status = write_texts(study, results, data, &err);
    const bool pictures = study->folder.format != NULL && !useless;
    status = status == DLS_OK && pictures ? draw_pictures(study, results, data, &err) : status;
    status = status == DLS_OK && runs->complete ? dls_journal_complete(study->journal, &err) : status;
  }
  status = status == DLS_OK ? write_page(study, results, data, &err) : status;
  const bool printed = print_table(results, data, &why) == DLS_OK;
  if (!printed) {
    dls_cli_message(study->args->command, "the table is not printed: %s", why.text);
  }
  report_missing(study, runs, failures);
  const bool whole = printed && !useless && runs->starved == 0;
  return status != DLS_OK ? dls_cli_fail(study->args, &err) : whole ? DLS_EXIT_DONE : DLS_EXIT_FAILED;
}
