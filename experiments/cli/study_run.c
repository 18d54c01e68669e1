/* experiments/cli/study_run.c -- the studies of a file, each as a call of its command.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/study_run.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/study_page.h"

#include <delassus/output.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* Perform the command and judge what it has made. @return its exit code */
static int perform(const dls_cli_study_job *job, size_t i)
{
  const dls_study *study = &job->file->studies[i];
  const char *place = dls_cli_study_place(job, study);
  dls_error err = {0};
  dls_study_results results = {.judged = study->expectation_count > 0};
  dls_study *line = dls_cli_study_line(job, study);
  if (line != NULL) {
    dls_cli_study_set_manner(job, line);
  }
  if (dls_cli_study_check_memory(job, &err) != DLS_OK) {
    dls_cli_message(dls_cli_study_command(study->kind)->name, "%s", err.text);
    return DLS_EXIT_FAILED;
  }
  const int code = dls_cli_study_command(study->kind)->perform(study->request, &results);
  for (size_t j = 0; j < study->expectation_count; j++) {
    job->verdicts[i][j] = dls_study_judge(study, &study->expectations[j], &results, place);
  }
  dls_study_results_release(&results);
  return code;
}

static int run_study(dls_cli_study_job *job, size_t i)
{
  const dls_study *study = &job->file->studies[i];
  dls_error err = {0};
  const size_t before = dls_cli_out_of_memory();
  const char *place = dls_cli_study_place(job, study);
  if (dls_cli_study_print_command(job, study, "$ ", stdout, &err) != DLS_OK ||
      dls_cli_study_check_memory(job, &err) != DLS_OK || dls_output_folder(place, &err) != DLS_OK) {
    fprintf(stderr, "delassus study: %s: %s\n", job->name, err.text);
    job->out_of_memory = job->out_of_memory || err.status == DLS_ERR_MEMORY;
    return DLS_EXIT_FAILED;
  }
  fflush(stdout);
  dls_cli_study_page_open(job, i);
  dls_cli_missing_pictures(); /* of the study before */
  const int code = perform(job, i);
  job->missing[i] = dls_pool_print(job->pool, "%s", dls_cli_missing_pictures());
  job->made[i] = dls_cli_signal() == 0 && dls_cli_out_of_memory() == before && !job->pool->failed;
  dls_cli_study_page_close(job, i);
  putchar('\n');
  return code;
}

/* Room for the verdicts. */
static dls_status start(dls_cli_study_job *job, dls_error *err)
{
  const size_t count = job->file->study_count;
  job->starts_at = dls_cli_out_of_memory();
  dls_study_verdict **verdicts = dls_pool_take(job->pool, (count + 1) * sizeof *verdicts);
  job->made = dls_pool_take(job->pool, (count + 1) * sizeof *job->made);
  job->missing = dls_pool_take(job->pool, (count + 1) * sizeof *job->missing);
  for (size_t i = 0; i < count && job->missing != NULL; i++) {
    job->missing[i] = "";
  }
  for (size_t i = 0; i < count && verdicts != NULL; i++) {
    const size_t expected = job->file->studies[i].expectation_count;
    verdicts[i] = dls_pool_take(job->pool, (expected + 1) * sizeof *verdicts[i]);
  }
  const dls_status status = dls_cli_study_check_memory(job, err);
  job->verdicts = status == DLS_OK ? verdicts : NULL;
  job->made = status == DLS_OK ? job->made : NULL;
  return status;
}

/* Position of the first key. */
static size_t first_key(const dls_cli_study_job *job)
{
  size_t place = 0;
  for (size_t line = 1; line < job->file->first_line && place < job->size; place++) {
    line += job->text[place] == '\n';
  }
  return place + job->file->first_column - 1;
}

static void write_quoted(const char *text, FILE *stream)
{
  fputc('"', stream);
  for (const char *c = text; *c != '\0'; c++) {
    fprintf(stream,
            (unsigned char)*c < ' '   ? "\\x%02x"
            : *c == '"' || *c == '\\' ? "\\%c"
                                      : "%c",
            (unsigned char)*c);
  }
  fputc('"', stream);
}

/* A copy of the file. If its relative paths start in the folder of the file, the copy has that folder as its first key. */
static void write_copy(const dls_cli_study_job *job, FILE *stream)
{
  const size_t place = job->file->starts_in_its_folder ? first_key(job) : 0;
  fwrite(job->text, 1, place, stream);
  if (job->file->starts_in_its_folder) {
    size_t before = place;
    while (before > 0 && strchr(" \t\r\n", job->text[before - 1]) != NULL) {
      before--;
    }
    fputs("folder: ", stream);
    write_quoted(job->origin, stream);
    fprintf(stream, "%s\n%*s", before > 0 && job->text[before - 1] == '{' ? "," : "",
            (int)job->file->first_column - 1, "");
  }
  fwrite(job->text + place, 1, job->size - place, stream);
}

static dls_status write_file(const dls_cli_study_job *job, const char *name, dls_error *err)
{
  dls_output *out = NULL;
  const char *path = dls_pool_print(job->pool, "%s/%s", job->folder, name);
  if (dls_cli_study_check_memory(job, err) != DLS_OK || dls_output_open(path, &out, err) != DLS_OK) {
    return err->status;
  }
  dls_status status = DLS_OK;
  FILE *stream = dls_output_stream(out);
  if (strcmp(name, "study.yaml") == 0) {
    write_copy(job, stream);
  } else if (strcmp(name, "verdict.csv") == 0) {
    dls_cli_study_write_verdict(job, stream);
  } else {
    status = dls_cli_study_write_report(job, "", stream, err);
  }
  if (status != DLS_OK) {
    dls_output_abandon(out);
    return status;
  }
  return dls_output_commit(out, err);
}

/* A verdict of an earlier run does not belong to the tables of an interrupted one. */
static dls_status remove_file(const dls_cli_study_job *job, const char *name, dls_error *err)
{
  const char *path = dls_pool_print(job->pool, "%s/%s", job->folder, name);
  const dls_status status = dls_cli_study_check_memory(job, err);
  return status != DLS_OK || unlink(path) == 0 || errno == ENOENT
             ? status
             : dls_fail(err, DLS_ERR_IO, "cannot remove '%.200s': %s", path, strerror(errno));
}

static dls_status write_files(const dls_cli_study_job *job, dls_error *err)
{
  static const char *const names[] = {"study.yaml", "verdict.csv", "report.md"};
  const bool interrupted = dls_cli_study_interrupted(job);
  dls_status status = DLS_OK;
  for (int i = 0; i < 3 && status == DLS_OK; i++) {
    status = i > 0 && interrupted ? remove_file(job, names[i], err) : write_file(job, names[i], err);
  }
  return status;
}

dls_status dls_cli_study_lock(const char *folder, int *lock, dls_error *err)
{
  dls_status status = dls_output_folder(folder, err);
  *lock = status == DLS_OK ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (status != DLS_OK) {
    return dls_cli_refuse(err);
  }
  if (*lock >= 0 && flock(*lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    status = dls_fail(err, DLS_ERR_ARG, "another study is writing into '%.250s'", folder);
  }
  return status;
}

static int execute(dls_cli_study_job *job)
{
  dls_error err = {0};
  int code = DLS_EXIT_DONE;
  dls_status status = start(job, &err);
  printf("%s: %s\n\n", job->name, job->file->title);
  for (size_t i = 0; i < job->file->study_count && status == DLS_OK && dls_cli_signal() == 0; i++) {
    const int one = run_study(job, i);
    code = code == DLS_EXIT_DONE ? one : code;
  }
  status = status != DLS_OK || code == DLS_EXIT_REQUEST ? status : write_files(job, &err);
  if (status == DLS_OK && dls_cli_study_interrupted(job)) {
    fprintf(stderr, "delassus study: %s: %s, so there is no verdict; results so far are in %s\n", job->name,
            dls_cli_signal() != 0 ? "interrupted" : "there was no memory for all of it", job->folder);
  } else if (status == DLS_OK && code != DLS_EXIT_REQUEST) {
    status = dls_cli_study_print_verdict(job, stdout, &err);
  }
  if (status != DLS_OK) {
    fprintf(stderr, "delassus study: %s: %s\n", job->name, err.text);
    code = DLS_EXIT_FAILED;
  }
  return code;
}

int dls_cli_study_execute(dls_cli_study_job *job)
{
  dls_error err = {0};
  int lock = -1, code = DLS_EXIT_REQUEST;
  if (dls_cli_study_lock(job->folder, &lock, &err) == DLS_OK) {
    code = execute(job);
  } else {
    fprintf(stderr, "delassus study: %s: %s\n", job->name, err.text);
  }
  if (lock >= 0) {
    close(lock);
  }
  return code;
}
