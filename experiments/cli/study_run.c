/* experiments/cli/study_run.c -- the studies of a file, each as a call of its command.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/study_run.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/study_page.h"

#include <delassus/output.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

const char *dls_cli_study_place(const dls_cli_study_job *job, const dls_study *study)
{
  return study->name[0] == '\0' ? job->folder : dls_pool_print(job->pool, "%s/%s", job->folder, study->name);
}

const char *dls_cli_study_pictures(const dls_cli_study_job *job, const dls_study *study)
{
  return job->pictures != NULL ? job->pictures : study->pictures;
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
  case DLS_STUDY_SPECTRUM:
    return &dls_cli_spectrum;
  default:
    return &dls_cli_order;
  }
}

static dls_status check_memory(const dls_cli_study_job *job, dls_error *err)
{
  return job->pool->failed ? dls_fail(err, DLS_ERR_MEMORY, "out of memory for study %s", job->name) : DLS_OK;
}

/* One more option. */
static void add(dls_study *study, dls_study_argument *arguments, const char *option, const char *value)
{
  if (value != NULL) { /* else the pool says so */
    arguments[study->argument_count++] = (dls_study_argument){option, value};
  }
}

/* Where the results of a study go: into the request, and into the options. */
static void set_outputs(const dls_cli_study_job *job, dls_study *study, dls_study_argument *arguments)
{
  dls_request *r = study->request;
  dls_error err = {0};
  const char *place = dls_cli_study_place(job, study);
  const bool swept = r->axis_count > 0, run = study->kind == DLS_STUDY_RUN && !swept,
             compare = study->kind == DLS_STUDY_COMPARE;
  if (place == NULL) {
    return;
  }
  r->out = run ? dls_pool_print(job->pool, "%s/trajectory.csv", place) : place;
  r->stats = run;
  const char *pictures = dls_cli_study_pictures(job, study);
  r->format = strcmp(pictures, "none") != 0 ? pictures : NULL;
  r->style = job->style_text != NULL ? job->style : r->style;
  if ((run || compare) && r->format != NULL) {
    const char *picture = run ? "trajectory" : r->sweep.axis.count > 0 ? "sweep" : "compare";
    r->plot = dls_pool_print(job->pool, "%s/%s.%s", place, picture, r->format);
  }
  job->pool->failed = dls_cli_log_externals(study, place, &err) != DLS_OK || job->pool->failed;
  add(study, arguments, "out", r->out);
  add(study, arguments, "plot", r->plot);
  if (run) {
    add(study, arguments, "stats", "");
  } else if (!compare) {
    add(study, arguments, "plot-format", pictures);
  }
  add(study, arguments, "style", job->style_text);
}

/* A study with the options that a person would write for it; its request is complete then, but for the manner. NULL without memory */
static dls_study *command_line(const dls_cli_study_job *job, const dls_study *study)
{
  enum { MORE = 12 }; /* outputs and manner */
  dls_study *out = dls_pool_take(job->pool, sizeof *out);
  dls_study_argument *arguments = dls_pool_take(job->pool, (study->argument_count + MORE) * sizeof *arguments);
  if (out == NULL || arguments == NULL) {
    return NULL;
  }
  *out = *study;
  out->arguments = arguments;
  out->argument_count = 0;
  if (study->kind == DLS_STUDY_LOCAL) {
    add(out, arguments, "local", "");
  }
  if (study->described) {
    add(out, arguments, "set", dls_pool_print(job->pool, "mechanism=%s", job->path));
  }
  for (size_t i = 0; i < study->argument_count; i++) {
    if (job->style_text == NULL || strcmp(study->arguments[i].option, "style") != 0) {
      add(out, arguments, study->arguments[i].option, study->arguments[i].value);
    }
  }
  set_outputs(job, out, arguments);
  study->request->study = out;
  study->request->command = command_of(study->kind)->name;
  return out;
}

dls_status dls_cli_study_print_command(const dls_cli_study_job *job, const dls_study *study, const char *lead,
                                       FILE *out, dls_error *err)
{
  const dls_study *line = command_line(job, study);
  const dls_status status = check_memory(job, err);
  if (status == DLS_OK) {
    fputs(lead, out);
    dls_cli_print_command(study->request->command, line, '=', out);
    fputc('\n', out);
  }
  return status;
}

/* How the runs are made; nothing of it changes the results. */
static void set_manner(const dls_cli_study_job *job, dls_study *study)
{
  dls_request *r = study->request;
  dls_study_argument *arguments = (dls_study_argument *)study->arguments; /* those of command_line */
  r->progress = job->progress;
  r->page = job->page;
  if ((study->kind & (DLS_STUDY_ORDER | DLS_STUDY_WORK)) == 0 && r->axis_count == 0) {
    return;
  }
  r->spec.jobs = job->jobs;
  r->mode = job->mode;
  add(study, arguments, "jobs", job->jobs_text);
  if (job->mode != DLS_JOURNAL_NEW) {
    add(study, arguments, job->mode == DLS_JOURNAL_RESUME ? "resume" : "overwrite", "");
  }
}

/* Perform the command and judge what it has made. @return its exit code */
static int perform(const dls_cli_study_job *job, size_t i)
{
  const dls_study *study = &job->file->studies[i];
  const char *place = dls_cli_study_place(job, study);
  dls_error err = {0};
  dls_study_results results = {.judged = study->expectation_count > 0};
  dls_study *line = command_line(job, study);
  if (line != NULL) {
    set_manner(job, line);
  }
  if (check_memory(job, &err) != DLS_OK) {
    dls_cli_message(command_of(study->kind)->name, "%s", err.text);
    return DLS_EXIT_FAILED;
  }
  const int code = command_of(study->kind)->perform(study->request, &results);
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
  dls_status status = dls_cli_study_print_command(job, study, "$ ", stdout, &err);
  const char *place = dls_cli_study_place(job, study);
  status = status != DLS_OK ? status : check_memory(job, &err);
  status = status != DLS_OK ? status : dls_output_folder(place, &err);
  int code = DLS_EXIT_FAILED;
  if (status == DLS_OK) {
    fflush(stdout);
    dls_cli_study_page_open(job, i);
    dls_cli_missing_pictures(); /* of the study before */
    code = perform(job, i);
    job->missing[i] = dls_pool_print(job->pool, "%s", dls_cli_missing_pictures());
    job->made[i] = dls_cli_signal() == 0 && dls_cli_out_of_memory() == before && !job->pool->failed;
    dls_cli_study_page_close(job, i);
    putchar('\n');
  }
  if (status != DLS_OK) {
    fprintf(stderr, "delassus study: %s: %s\n", job->name, err.text);
    job->out_of_memory = job->out_of_memory || status == DLS_ERR_MEMORY;
    code = DLS_EXIT_FAILED;
  }
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
  const dls_status status = check_memory(job, err);
  job->verdicts = status == DLS_OK ? verdicts : NULL;
  job->made = status == DLS_OK ? job->made : NULL;
  return status;
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

bool dls_cli_study_interrupted(const dls_cli_study_job *job)
{
  bool complete = true;
  for (size_t i = 0; i < job->file->study_count && job->made != NULL; i++) {
    complete = complete && job->made[i];
  }
  return !complete && (dls_cli_signal() != 0 || job->pool->failed || job->out_of_memory ||
                       dls_cli_out_of_memory() > job->starts_at);
}

/* A verdict of an earlier run does not belong to the tables of an interrupted one. */
static dls_status remove_file(const dls_cli_study_job *job, const char *name, dls_error *err)
{
  const char *path = dls_pool_print(job->pool, "%s/%s", job->folder, name);
  const dls_status status = check_memory(job, err);
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
