/* experiments/measures/order/order_plan.c -- trial runs, and the cost of all runs predicted from them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/order_plan.h"
#include "common/base/text.h"
#include "experiments/measures/order/order_journal.h"
#include "experiments/measures/order/order_runs.h"
#include "experiments/measures/order/order_study.h"
#include <math.h>
#include <stdlib.h>
#include <time.h>

static const double trial_steps = 1000;

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Value i of `levels` in geometric sequence. */
static double level(double first, double last, size_t levels, size_t i)
{
  return first * pow(last / first, (double)i / (double)(levels - 1));
}

/* Bytes of the table of errors. */
static dls_status table_bytes(const dls_order_study *study, double *bytes, dls_error *err)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = dls_text_stream(&text, &size);
  if (out != NULL) {
    dls_order_write_errors(study, out);
  }
  const bool good = out != NULL && fclose(out) == 0;
  free(text);
  *bytes = (double)size;
  return good ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for a table");
}

/* Bytes of one run in the journal and in the table. */
static dls_status run_bytes(dls_order_study *study, size_t count, double *bytes, dls_error *err)
{
  double before = 0, after = 0;
  size_t size = 0;
  char *line = dls_order_journal_line(&study->spec, study->points, 0, &size);
  free(line);
  study->point_count = 0;
  dls_status status = table_bytes(study, &before, err);
  study->point_count = count;
  status = status != DLS_OK ? status : table_bytes(study, &after, err);
  study->point_count = 0;
  *bytes = (double)size + after - before;
  return line != NULL ? status : dls_fail(err, DLS_ERR_MEMORY, "no memory for a line of a journal");
}

/* Add the cost of the runs of a scheme, one of which took `seconds`. */
static void add_scheme(const dls_order_spec *spec, size_t scheme, double step, double seconds,
                       dls_order_plan *plan)
{
  const size_t runs = dls_order_runs_of(spec, scheme);
  const double passes = spec->timings > 0 ? 2 + (double)spec->timings : 1;
  plan->runs += runs;
  if (spec->schemes[scheme].scheme->stepping == DLS_BY_EVENT) {
    plan->seconds += passes * seconds * (double)runs;
    plan->longest = fmax(plan->longest, passes * seconds);
    return;
  }
  for (size_t i = 0; i < spec->levels; i++) {
    const double h = level(spec->h_first, spec->h_last, spec->levels, i), one = seconds * fmax(step / h, 1e-3);
    plan->steps += spec->end / h * (double)spec->repeats;
    plan->seconds += passes * one * (double)spec->repeats;
    plan->longest = fmax(plan->longest, passes * one);
  }
}

/* A run of one scheme and its measurement. */
static dls_status try_scheme(const dls_order_spec *spec, size_t scheme, dls_order_job *job,
                             dls_order_plan *plan, dls_error *err)
{
  dls_order_spec one = job->study->spec;
  const double step =
      fmin(fmax(spec->end / trial_steps, fmin(spec->h_first, spec->h_last)), fmax(spec->h_first, spec->h_last));
  const double tolerance = dls_order_swept(spec, scheme) ? sqrt(spec->tol_first * spec->tol_last) : NAN;
  one.schemes = &spec->schemes[scheme];
  const dls_order_inputs inputs = {
      .spec = &one, .sys = job->sys, .prepared = job->prepared, .steps = &step, .tolerances = &tolerance};
  size_t count = 0, out_of_memory = 0;
  bool complete = false;
  double bytes = 0;
  const double begin = now();
  dls_status status = dls_order_run_all(&inputs, job->study->points, &count, &out_of_memory, &complete, err);
  const double seconds = now() - begin;
  if (status == DLS_OK && (!complete || count == 0)) {
    status =
        dls_fail(err, out_of_memory > 0 ? DLS_ERR_MEMORY : DLS_ERR_INTERRUPTED, "the trial of %s did not end%s",
                 spec->schemes[scheme].scheme->name, out_of_memory > 0 ? ": no memory" : "");
  }
  status = status != DLS_OK ? status : run_bytes(job->study, count, &bytes, err);
  if (status == DLS_OK) {
    add_scheme(spec, scheme, step, seconds, plan);
    plan->bytes += bytes * (double)dls_order_runs_of(spec, scheme);
  }
  return status;
}

dls_status dls_order_plan_make(const dls_order_spec *spec, dls_order_plan *out, dls_error *err)
{
  dls_order_job job = {0};
  dls_order_spec trial = *spec;
  *out = (dls_order_plan){0};
  dls_status status = dls_order_check(spec, err);
  if (status != DLS_OK) {
    return status;
  }
  trial.scheme_count = trial.levels = trial.repeats = trial.jobs = 1;
  trial.tol_levels = spec->tol_levels > 0 ? 1 : 0;
  trial.timings = trial.shard = trial.shards = 0;
  trial.keep = NULL;
  trial.recall = NULL;
  const double begin = now();
  status = dls_order_begin(&trial, &job, err);
  out->reference = now() - begin;
  for (size_t i = 0; i < spec->scheme_count && status == DLS_OK; i++) {
    status = try_scheme(spec, i, &job, out, err);
  }
  dls_order_study *study = job.study;
  out->units = out->runs;
  out->memory = (double)(out->runs * spec->norm_count * spec->of_count * sizeof(dls_order_point)) + out->bytes;
  dls_order_end(&job);
  dls_order_destroy(study);
  return status;
}
