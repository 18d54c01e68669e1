/* experiments/cli/study_plan.c -- what the studies of a file will cost, and a job array of Slurm that makes them in parts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/study_plan.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/progress.h"
#include "experiments/measures/sweep/plan.h"
#include "experiments/request/request.h"

#include <delassus/output.h>
#include <math.h>
#include <string.h>

enum { MOST_TASKS = 64 };
static const double task_seconds = 600; /* less is not worth a task of its own */
static const double least_limit = 300;  /* s, of a task */
static const double spare = 3;          /* times what is predicted: other processors, other loads */
static const double before_end = 60;    /* s that a task stops before its limit, to be told to start again */

static bool in_parts(const dls_study *study)
{
  return (study->kind & (DLS_STUDY_ORDER | DLS_STUDY_WORK)) != 0 || study->request->axis_count > 0;
}

static void add(dls_plan *sum, const dls_plan *one)
{
  sum->runs += one->runs;
  sum->steps += one->steps;
  sum->reference += one->reference;
  sum->seconds += one->seconds;
  sum->longest = fmax(sum->longest, one->longest);
  sum->bytes += one->bytes;
  sum->memory = fmax(sum->memory, one->memory); /* one after the other */
  sum->units += one->units;
}

static void put_row(dls_cli_rows *rows, const char *name, const dls_plan *plan)
{
  dls_cli_cell(rows, "%s", name);
  dls_cli_cell(rows, "%zu", plan->runs);
  dls_cli_cell(rows, "%.3g", plan->steps);
  dls_cli_cell(rows, "%.2g", plan->seconds + plan->reference);
  dls_cli_cell(rows, "%.2g", plan->longest);
  dls_cli_cell(rows, "%.2g", plan->bytes);
  dls_cli_cell(rows, "%.2g", plan->memory);
}

/* Predict all that are made in parts. @param[out] others  studies of other kinds */
static dls_status predict(const dls_cli_study_job *job, dls_cli_rows *rows, dls_plan *sum, size_t *others,
                          dls_error *err)
{
  dls_status status = DLS_OK;
  dls_cli_progress progress = dls_cli_progress_start(job->progress, "plan", 1);
  for (size_t i = 0; i < job->file->study_count && status == DLS_OK; i++) {
    const dls_study *study = &job->file->studies[i];
    dls_plan plan;
    if (!in_parts(study)) {
      (*others)++;
      continue;
    }
    dls_grid_spec spec = dls_request_grid_spec(study->request);
    spec.errors.poll = dls_cli_progress_poll;
    spec.errors.poll_data = &progress;
    status = dls_plan_make(&spec, &plan, err);
    if (status == DLS_OK) {
      put_row(rows, study->name[0] != '\0' ? study->name : job->name, &plan);
      add(sum, &plan);
    }
  }
  dls_cli_progress_end(&progress, status == DLS_OK);
  return status;
}

/* As many as have enough to do, and a run each at least. */
static size_t task_count(const dls_plan *sum)
{
  const double tasks = fmin(fmin(ceil(sum->seconds / task_seconds), MOST_TASKS), (double)sum->units);
  return tasks > 1 ? (size_t)tasks : 1;
}

/* s, whole minutes: with room for the longest run. */
static double limit_of(const dls_plan *sum, size_t tasks)
{
  const double seconds = sum->reference + fmax(sum->seconds / (double)tasks, sum->longest);
  return 60 * ceil((fmax(spare * seconds, least_limit) + before_end) / 60);
}

static void put_head(const dls_plan *sum, size_t tasks, FILE *out)
{
  const long minutes = lrint(limit_of(sum, tasks) / 60);
  fprintf(out,
          "#!/bin/bash\n# Predicted: %zu runs, %.2g s of one processor, %.2g bytes of tables, %.2g of memory.\n"
          "# DELASSUS is the tool, if it is not in PATH; submit this from the folder with the study file.\n"
          "#SBATCH --array=1-%zu\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n"
          "#SBATCH --time=%02ld:%02ld:00\n#SBATCH --requeue\n\n"
          "delassus() { \"${DELASSUS:-delassus}\" \"$@\"; }\ncode=0\n",
          sum->runs, sum->seconds + sum->reference, sum->bytes, sum->memory, tasks, minutes / 60, minutes % 60);
}

/* @param[in] source  the file or name of the studies. One task: its part of every study, then a word to Slurm where time was too short. */
static dls_status put_script(const dls_cli_study_job *job, const char *source, const dls_plan *sum, FILE *out,
                             dls_error *err)
{
  const size_t tasks = task_count(sum);
  dls_status status = DLS_OK;
  put_head(sum, tasks, out);
  fprintf(out,
          "end=$((SECONDS + %.0f))\npart() {\n  local one=0\n"
          "  \"$@\" --shard auto --time-limit $((end > SECONDS ? end - SECONDS : 1)) || one=$?\n"
          "  [ $one -eq 0 ] || code=$one\n}\n",
          limit_of(sum, tasks) - before_end);
  for (size_t i = 0; i < job->file->study_count && status == DLS_OK; i++) {
    if (in_parts(&job->file->studies[i])) {
      status = dls_cli_study_print_command(job, &job->file->studies[i], "part ", out, err);
    }
  }
  fputs("[ $code -ne 75 ] || scontrol requeue \"$SLURM_ARRAY_JOB_ID\"_\"$SLURM_ARRAY_TASK_ID\"\nexit $code\n\n"
        "# When all tasks are done (sbatch --dependency=afterok:JOB): the parts together, then the rest of the "
        "file\n"
        "# and its verdict.\n",
        out);
  for (size_t i = 0; i < job->file->study_count; i++) {
    const dls_study *study = &job->file->studies[i];
    const char *place = in_parts(study) ? dls_cli_study_place(job, study) : NULL;
    if (place != NULL) {
      fputs("# delassus merge ", out);
      dls_command_put_word(out, place);
      fputc('\n', out);
    }
  }
  fputs("# delassus study ", out);
  dls_command_put_word(out, source);
  fputs(" --resume --out ", out);
  dls_command_put_word(out, job->folder);
  fputc('\n', out);
  return status == DLS_OK && job->pool->failed ? dls_fail(err, DLS_ERR_MEMORY, "no memory for the plan")
                                               : status;
}

static dls_status write_script(const dls_cli_study_job *job, const char *source, const dls_plan *sum,
                               const char *path, dls_error *err)
{
  dls_output *out = NULL;
  dls_status status = dls_output_open(path, &out, err);
  if (status != DLS_OK) {
    return status;
  }
  status = put_script(job, source, sum, dls_output_stream(out), err);
  if (status != DLS_OK) {
    dls_output_abandon(out);
    return status;
  }
  return dls_output_commit(out, err);
}

int dls_cli_study_plan(const dls_cli_args *args, const dls_cli_study_job *job, const char *script)
{
  static const char *const headers[] = {"study", "runs", "steps", "seconds", "longest run", "bytes", "memory"};
  dls_cli_rows rows = {.columns = sizeof headers / sizeof headers[0], .headers = headers};
  dls_plan sum = {0};
  dls_error err = {0};
  size_t others = 0;
  const char *path = strcmp(script, "-") != 0 ? script : NULL;
  dls_status status = dls_cli_check_output(path, &err);
  status = status != DLS_OK ? status : predict(job, &rows, &sum, &others, &err);
  if (status == DLS_OK && sum.runs == 0) {
    status = dls_fail(&err, DLS_ERR_ARG,
                      "%s has no study of kind order or work and no sweep, which are planned", job->path);
  }
  if (status != DLS_OK) {
    dls_pool_release(&rows.pool);
    return dls_cli_fail(args->command->name, &err);
  }
  put_row(&rows, "all", &sum);
  status =
      dls_cli_rows_print(&rows,
                         "seconds of one processor like this one, with the reference; bytes of tables and of "
                         "memory\n",
                         stdout, &err);
  if (others > 0) {
    dls_cli_message(args->command->name, "studies of other kinds, which are not predicted: %zu", others);
  }
  status = status == DLS_OK && path != NULL ? write_script(job, args->positional[0], &sum, path, &err) : status;
  return status == DLS_OK ? DLS_EXIT_DONE : dls_cli_fail(args->command->name, &err);
}
