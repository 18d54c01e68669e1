/* experiments/cli/study_run.c -- the studies of a file, each as a call of its command.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/study_run.h"
#include "experiments/cli/external.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/study_page.h"
#include "experiments/extra/foreign/external.h"

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

/* The option of a command; the tables that a study file can fill are those of its command. */
static const dls_cli_option *option_of(const dls_cli_command *command, const char *name)
{
  const dls_cli_option *option = command->options;
  while (strcmp(option->name, name) != 0) {
    option++;
  }
  return option;
}

/* One more word for people; without memory the pool says so. */
static void add(dls_cli_args *args, const char *name, const char *value)
{
  if (args->given != NULL && value != NULL) {
    args->given[args->given_count++] = (dls_cli_given){option_of(args->command, name), value};
  }
}

/* Where the results of a study go: into the request, and into the words. */
static void set_outputs(const dls_cli_study_job *job, const dls_study *study, dls_cli_args *args)
{
  dls_request *r = study->request;
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
  for (size_t i = 0; i < study->external_count; i++) {
    const char *log = dls_pool_print(job->pool, "%s/" DLS_CLI_EXTERNAL_LOG, place);
    job->pool->failed =
        log == NULL || dls_external_log_to(study->externals[i], log, NULL) != DLS_OK || job->pool->failed;
  }
  add(args, "out", r->out);
  add(args, "plot", r->plot);
  if (run) {
    add(args, "stats", "");
  } else if (!compare) {
    add(args, "plot-format", pictures);
  }
  add(args, "style", job->style_text);
}

/* The model; of a spectrum, the schemes. */
static void set_positional(const dls_cli_study_job *job, const dls_study *study, dls_cli_args *args)
{
  const bool spectrum = study->kind == DLS_STUDY_SPECTRUM;
  const size_t count = spectrum ? study->scheme_count : 1;
  args->positional = dls_pool_take(job->pool, count * sizeof *args->positional);
  for (size_t i = 0; i < count && args->positional != NULL; i++) {
    args->positional[i] = dls_pool_print(job->pool, "%s", spectrum ? study->schemes[i] : study->model);
    args->positional_count = i + 1;
  }
}

/* A study as the command line that a person would write for it; its request is complete then, but for the manner. */
static dls_cli_args command_line(const dls_cli_study_job *job, const dls_study *study)
{
  enum { MORE = 12 }; /* outputs and manner */
  dls_cli_args args = {.command = command_of(study->kind), .catalogue = job->catalogue, .page = job->page};
  args.given = dls_pool_take(job->pool, (study->argument_count + MORE) * sizeof *args.given);
  set_positional(job, study, &args);
  if (study->kind == DLS_STUDY_LOCAL) {
    add(&args, "local", "");
  }
  if (study->described) {
    add(&args, "set", dls_pool_print(job->pool, "mechanism=%s", job->path));
  }
  for (size_t i = 0; i < study->argument_count; i++) {
    if (job->style_text == NULL || strcmp(study->arguments[i].option, "style") != 0) {
      add(&args, study->arguments[i].option, study->arguments[i].value);
    }
  }
  set_outputs(job, study, &args);
  return args;
}

static dls_status check_memory(const dls_cli_study_job *job, dls_error *err)
{
  return job->pool->failed ? dls_fail(err, DLS_ERR_MEMORY, "out of memory for study %s", job->name) : DLS_OK;
}

dls_status dls_cli_study_print_command(const dls_cli_study_job *job, const dls_study *study, const char *lead,
                                       FILE *out, dls_error *err)
{
  const dls_cli_args args = command_line(job, study);
  const char **words = dls_pool_take(job->pool, (args.given_count + 1) * sizeof *words);
  for (size_t i = 0; i < args.given_count && words != NULL; i++) {
    const dls_cli_given *given = &args.given[i];
    words[i] = dls_pool_print(job->pool, "--%s%s%s", given->option->name,
                              given->option->argument != NULL ? "=" : "", given->value);
  }
  const dls_status status = check_memory(job, err);
  if (status != DLS_OK) {
    return status;
  }
  fprintf(out, "%sdelassus %s", lead, args.command->name);
  for (size_t i = 0; i < args.positional_count; i++) {
    fputc(' ', out);
    dls_cli_put_word(out, args.positional[i]);
  }
  for (size_t i = 0; i < args.given_count; i++) {
    fputc(' ', out);
    dls_cli_put_word(out, words[i]);
  }
  fputc('\n', out);
  return DLS_OK;
}

/* How the runs are made; nothing of it changes the results. */
static void set_manner(const dls_cli_study_job *job, const dls_study *study, dls_cli_args *args)
{
  dls_request *r = study->request;
  r->progress = job->progress;
  add(args, "progress", job->progress_text);
  if ((study->kind & (DLS_STUDY_ORDER | DLS_STUDY_WORK)) == 0 && r->axis_count == 0) {
    return;
  }
  r->spec.jobs = job->jobs;
  r->mode = job->mode;
  add(args, "jobs", job->jobs_text);
  if (job->mode != DLS_JOURNAL_NEW) {
    add(args, job->mode == DLS_JOURNAL_RESUME ? "resume" : "overwrite", "");
  }
}

/* Perform the command and judge what it has made. @return its exit code */
static int perform(const dls_cli_study_job *job, size_t i)
{
  const dls_study *study = &job->file->studies[i];
  const char *place = dls_cli_study_place(job, study);
  dls_error err = {0};
  dls_study_results results = {.judged = study->expectation_count > 0};
  dls_cli_args args = command_line(job, study);
  set_manner(job, study, &args);
  if (check_memory(job, &err) != DLS_OK) {
    dls_cli_message(args.command, "%s", err.text);
    return DLS_EXIT_FAILED;
  }
  const int code = args.command->perform(&args, study->request, &results);
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
