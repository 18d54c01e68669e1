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

/* The arguments of a command, growing in a pool. */
typedef struct words {
  dls_pool *pool;
  char **all; /* ends with NULL */
  size_t count, room;
} words;

static void add(words *w, char *word)
{
  if (word == NULL || w->count + 1 >= w->room) {
    return; /* out of memory: the pool says so */
  }
  w->all[w->count++] = word;
}

const char *dls_cli_study_place(const dls_cli_study_job *job, const dls_study *study)
{
  return study->name[0] == '\0' ? job->folder : dls_pool_print(job->pool, "%s/%s", job->folder, study->name);
}

static const dls_cli_command *command_of(dls_study_kind kind)
{
  switch (kind) {
  case DLS_STUDY_RUN:
    return &dls_cli_run;
  case DLS_STUDY_COMPARE:
    return &dls_cli_compare;
  case DLS_STUDY_ENERGY:
    return &dls_cli_energy;
  case DLS_STUDY_WORK:
    return &dls_cli_work;
  default:
    return &dls_cli_order;
  }
}

/* Where the results go, in the options of each command. */
static void add_outputs(words *w, const dls_study *study, const char *place)
{
  const bool drawn = strcmp(study->pictures, "none") != 0;
  if (study->kind == DLS_STUDY_RUN) {
    add(w, dls_pool_print(w->pool, "--out=%s/trajectory.csv", place));
  } else {
    add(w, dls_pool_print(w->pool, "--out=%s", place));
  }
  if (study->kind == DLS_STUDY_RUN && drawn) {
    add(w, dls_pool_print(w->pool, "--plot=%s/trajectory.%s", place, study->pictures));
  }
  if (study->kind == DLS_STUDY_RUN) {
    add(w, dls_pool_print(w->pool, "--stats"));
  } else if (study->kind == DLS_STUDY_COMPARE && drawn) {
    add(w, dls_pool_print(w->pool, "--plot=%s/compare.%s", place, study->pictures));
  } else if (study->kind != DLS_STUDY_COMPARE) {
    add(w, dls_pool_print(w->pool, "--plot-format=%s", study->pictures));
  }
}

/* NULL in the pool: no memory. */
static words command_line(const dls_cli_study_job *job, const dls_study *study)
{
  const char *place = dls_cli_study_place(job, study);
  words w = {.pool = job->pool, .room = study->argument_count + 12};
  w.all = dls_pool_take(w.pool, w.room * sizeof *w.all);
  if (w.all == NULL || place == NULL) {
    return w;
  }
  add(&w, dls_pool_print(w.pool, "%s", command_of(study->kind)->name));
  add(&w, dls_pool_print(w.pool, "%s", study->model));
  for (size_t i = 0; i < study->argument_count; i++) {
    const dls_study_argument *argument = &study->arguments[i];
    add(&w, dls_pool_print(w.pool, "--%s=%s", argument->option, argument->value));
  }
  add_outputs(&w, study, place);
  return w;
}

static dls_status check_memory(const dls_cli_study_job *job, dls_error *err)
{
  return job->pool->failed ? dls_fail(err, DLS_ERR_MEMORY, "out of memory for study %s", job->name) : DLS_OK;
}

/* A word as a shell reads it. */
static void print_word(FILE *out, const char *word)
{
  if (word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=.,:/+")] == '\0') {
    fprintf(out, " %s", word);
    return;
  }
  fputs(" '", out);
  for (; *word != '\0'; word++) {
    fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, out);
  }
  fputc('\'', out);
}

dls_status dls_cli_study_print_command(const dls_cli_study_job *job, const dls_study *study, FILE *out,
                                       dls_error *err)
{
  const words w = command_line(job, study);
  const dls_status status = check_memory(job, err);
  if (status == DLS_OK) {
    fputs("delassus", out);
    for (size_t i = 0; i < w.count; i++) {
      print_word(out, w.all[i]);
    }
    fputc('\n', out);
  }
  return status;
}

/* How the runs of an order or work study are made; nothing of it changes the results. */
static void add_manner(words *w, const dls_cli_study_job *job, const dls_study *study)
{
  if (job->progress != NULL) {
    add(w, dls_pool_print(w->pool, "--progress=%s", job->progress));
  }
  if (study->kind != DLS_STUDY_ORDER && study->kind != DLS_STUDY_WORK) {
    return;
  }
  if (job->jobs != NULL) {
    add(w, dls_pool_print(w->pool, "--jobs=%s", job->jobs));
  }
  if (job->resume) {
    add(w, dls_pool_print(w->pool, "--resume"));
  }
  if (job->overwrite) {
    add(w, dls_pool_print(w->pool, "--overwrite"));
  }
}

/* Call the command. @return its exit code */
static int call(const dls_cli_study_job *job, const dls_study *study)
{
  dls_error err = {0};
  dls_cli_args args;
  words w = command_line(job, study);
  const dls_cli_command *command = command_of(study->kind);
  add_manner(&w, job, study);
  if (check_memory(job, &err) != DLS_OK) {
    dls_cli_message(command, "%s", err.text);
    return DLS_EXIT_FAILED;
  }
  int code = DLS_EXIT_DONE;
  if (dls_cli_parse(command, (int)w.count, w.all, &args, &err) == DLS_OK) {
    args.catalogue = job->catalogue;
    args.page = job->page;
    code = command->run(&args);
  } else {
    code = dls_cli_fail(&args, &err);
  }
  dls_cli_args_release(&args);
  return code;
}

static dls_status judge(const dls_cli_study_job *job, size_t i, dls_error *err)
{
  const dls_study *study = &job->file->studies[i];
  const char *place = dls_cli_study_place(job, study);
  dls_status status = check_memory(job, err);
  for (size_t j = 0; j < study->expectation_count && status == DLS_OK; j++) {
    status = dls_study_judge(study, &study->expectations[j], place, &job->verdicts[i][j], err);
  }
  return status;
}

static int run_study(dls_cli_study_job *job, size_t i)
{
  const dls_study *study = &job->file->studies[i];
  dls_error err = {0};
  fputs("$ ", stdout);
  dls_status status = dls_cli_study_print_command(job, study, stdout, &err);
  const char *place = dls_cli_study_place(job, study);
  status = status != DLS_OK ? status : check_memory(job, &err);
  status = status != DLS_OK ? status : dls_output_folder(place, &err);
  int code = DLS_EXIT_FAILED;
  if (status == DLS_OK) {
    fflush(stdout);
    dls_cli_study_page_open(job, i);
    code = call(job, study);
    status = judge(job, i, &err);
    job->made[i] = true;
    dls_cli_study_page_close(job, i);
    putchar('\n');
  }
  if (status != DLS_OK) {
    fprintf(stderr, "delassus study: %s: %s\n", job->name, err.text);
    code = DLS_EXIT_FAILED;
  }
  return code;
}

/* Room for the verdicts. */
static dls_status start(dls_cli_study_job *job, dls_error *err)
{
  const size_t count = job->file->study_count;
  dls_study_verdict **verdicts = dls_pool_take(job->pool, (count + 1) * sizeof *verdicts);
  job->made = dls_pool_take(job->pool, (count + 1) * sizeof *job->made);
  for (size_t i = 0; i < count && verdicts != NULL; i++) {
    const size_t expected = job->file->studies[i].expectation_count;
    verdicts[i] = dls_pool_take(job->pool, (expected + 1) * sizeof *verdicts[i]);
  }
  job->verdicts = verdicts;
  return check_memory(job, err);
}

static dls_status write_file(const dls_cli_study_job *job, const char *name, dls_error *err)
{
  dls_output *out = NULL;
  const char *path = dls_pool_print(job->pool, "%s/%s", job->folder, name);
  dls_status status = check_memory(job, err);
  status = status != DLS_OK ? status : dls_output_open(path, &out, err);
  if (status != DLS_OK) {
    return status;
  }
  FILE *stream = dls_output_stream(out);
  if (strcmp(name, "study.yaml") == 0) {
    fwrite(job->text, 1, job->size, stream);
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

static dls_status write_files(const dls_cli_study_job *job, dls_error *err)
{
  static const char *const names[] = {"study.yaml", "verdict.csv", "report.md"};
  dls_status status = DLS_OK;
  for (int i = 0; i < 3 && status == DLS_OK; i++) {
    status = write_file(job, names[i], err);
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
  if (status == DLS_OK && code != DLS_EXIT_REQUEST) {
    status = dls_cli_study_print_verdict(job, stdout, &err);
    printf("results are in %s\n", job->folder);
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
