/* experiments/measures/sweep/plan.c -- trial runs or points, and the cost of all of them predicted from these.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/sweep/plan.h"
#include "common/base/text.h"
#include "experiments/measures/order/order_journal.h"
#include "experiments/measures/order/order_runs.h"
#include "experiments/measures/order/order_study.h"
#include "experiments/measures/sweep/grid_cells.h"
#include "experiments/measures/sweep/grid_journal.h"
#include <math.h>
#include <stdlib.h>
#include <time.h>

static double now(clockid_t clock)
{
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Bytes of a table. */
static dls_status size_table(dls_status (*put)(const void *data, FILE *out), const void *data, double *bytes,
                             dls_error *err)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = dls_text_stream(&text, &size);
  const bool put_all = out != NULL && put(data, out) == DLS_OK;
  const bool good = out != NULL && fclose(out) == 0 && put_all;
  free(text);
  *bytes = (double)size;
  return good ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for a table");
}

/* Bytes of cells in a journal. */
static dls_status size_lines(const dls_journal_form *form, const void *study, const void *data,
                             const size_t *cells, size_t count, double *bytes, dls_error *err)
{
  size_t size = 0;
  char *lines = dls_journal_lines(form, study, data, cells, count, 0, &size);
  free(lines);
  *bytes = (double)size;
  return lines != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for a line of a journal");
}

/* --- studies of errors: a run of each scheme --- */

static const double trial_steps = 1000;

static dls_status put_errors(const void *study, FILE *out)
{
  return dls_order_write_errors(study, out);
}

/* Bytes of one run in the journal and in the table. */
static dls_status size_run(dls_order_study *study, size_t count, double *bytes, dls_error *err)
{
  const dls_journal_form form = dls_order_journal_form(&study->spec);
  const size_t first = 0;
  double line = 0, before = 0, after = 0;
  dls_status status = size_lines(&form, &study->spec, study->points, &first, 1, &line, err);
  study->point_count = 0;
  if (status == DLS_OK) {
    status = size_table(put_errors, study, &before, err);
  }
  study->point_count = count;
  if (status == DLS_OK) {
    status = size_table(put_errors, study, &after, err);
  }
  study->point_count = 0;
  *bytes = line + after - before;
  return status;
}

/* Add the cost of the runs of a scheme, one of which took `seconds`. */
static void add_scheme(const dls_order_spec *spec, size_t scheme, double step, double seconds, dls_plan *plan)
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
    const double h = spec->h_first * pow(spec->h_last / spec->h_first, (double)i / (double)(spec->levels - 1));
    const double one = seconds * fmax(step / h, 1e-3);
    plan->steps += spec->end / h * (double)spec->repeats;
    plan->seconds += passes * one * (double)spec->repeats;
    plan->longest = fmax(plan->longest, passes * one);
  }
}

/* A run of one scheme and its measurement. */
static dls_status try_scheme(const dls_order_spec *spec, size_t scheme, dls_order_job *job, dls_plan *plan,
                             dls_error *err)
{
  dls_order_spec one = job->study->spec;
  const double step =
      fmin(fmax(spec->end / trial_steps, fmin(spec->h_first, spec->h_last)), fmax(spec->h_first, spec->h_last));
  /* beside the mean, which may be a round number: it is written with as many digits as drawn tolerances */
  const double tolerance =
      dls_order_swept(spec, scheme) ? nextafter(sqrt(spec->tol_first * spec->tol_last), spec->tol_last) : NAN;
  one.schemes = &spec->schemes[scheme];
  const dls_order_inputs inputs = {
      .spec = &one, .sys = job->sys, .prepared = job->prepared, .steps = &step, .tolerances = &tolerance};
  size_t count = 0, out_of_memory = 0;
  bool complete = false;
  double bytes = 0;
  const double begin = now(CLOCK_MONOTONIC);
  dls_status status = dls_order_run_all(&inputs, job->study->points, &count, &out_of_memory, &complete, err);
  const double seconds = now(CLOCK_MONOTONIC) - begin;
  if (status == DLS_OK && (!complete || count == 0)) {
    status =
        dls_fail(err, out_of_memory > 0 ? DLS_ERR_MEMORY : DLS_ERR_INTERRUPTED, "the trial of %s did not end%s",
                 spec->schemes[scheme].scheme->name, out_of_memory > 0 ? ": no memory" : "");
  }
  if (status == DLS_OK) {
    status = size_run(job->study, count, &bytes, err);
  }
  if (status == DLS_OK) {
    add_scheme(spec, scheme, step, seconds, plan);
    plan->bytes += bytes * (double)dls_order_runs_of(spec, scheme);
  }
  return status;
}

static dls_status plan_study(const dls_order_spec *spec, dls_plan *out, dls_error *err)
{
  dls_order_job job = {0};
  dls_order_spec trial = *spec;
  dls_status status = dls_order_check(spec, err);
  if (status != DLS_OK) {
    return status;
  }
  trial.scheme_count = trial.levels = trial.repeats = trial.jobs = 1;
  trial.tol_levels = spec->tol_levels > 0 ? 1 : 0;
  trial.timings = trial.shard = trial.shards = 0;
  trial.keep = NULL;
  trial.recall = NULL;
  const double begin = now(CLOCK_MONOTONIC);
  status = dls_order_begin(&trial, &job, err);
  out->reference = now(CLOCK_MONOTONIC) - begin;
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

/* --- sweeps: some points --- */

enum { FEW = 3, SIDE = 16 /* along an axis, where points go side by side */ };

/* Time between points that are handed over: all is made in this thread, others are not counted. */
typedef struct watch {
  double last, longest;
} watch;

static dls_status note_time(void *data, const size_t *cells, size_t count, dls_error *err)
{
  (void)cells;
  (void)err;
  watch *w = data;
  const double time = now(CLOCK_THREAD_CPUTIME_ID);
  w->longest = fmax(w->longest, (time - w->last) / (double)count);
  w->last = time;
  return DLS_OK;
}

/* An axis with fewer values between the same ends, not at them. @param[out] values  SIDE */
static dls_sweep_axis fewer_values(const dls_sweep_axis *axis, size_t most, double *values)
{
  dls_sweep_axis out = *axis;
  out.count = axis->count < most ? axis->count : most;
  for (size_t i = 0; i < out.count; i++) {
    values[i] = dls_sweep_axis_value(axis, (2 * i + 1) * axis->count / (2 * out.count));
  }
  out.values = values;
  out.first = values[0];
  out.last = values[out.count - 1];
  return out;
}

static dls_status put_table(const void *grid, FILE *out)
{
  return dls_grid_table(grid, out);
}

/* Bytes of the results of all cells, predicted from a grid with some of them. */
static dls_status size_results(size_t all, dls_grid *trial, dls_plan *out, dls_error *err)
{
  const dls_journal_form form = dls_grid_journal_form(trial);
  const double cells = (double)all, tried = (double)trial->cells;
  size_t numbers[SIDE * SIDE];
  double journal = 0, table = 0;
  for (size_t i = 0; i < trial->cells; i++) {
    trial->done[i] = true;
    numbers[i] = i;
  }
  dls_status status = size_lines(&form, trial, trial, numbers, trial->cells, &journal, err);
  if (status == DLS_OK) {
    status = size_table(put_table, trial, &table, err);
  }
  const double row = (double)trial->columns * sizeof(double) + sizeof(char *);
  out->units = all;
  out->bytes = cells * (journal + table) / tried;
  out->memory = cells * ((double)trial->rows * row + sizeof(bool) + journal / tried + sizeof(size_t));
  return status;
}

/* Runs and ledgers: some points are made. */
static dls_status try_points(size_t cells, dls_grid *trial, dls_plan *out, dls_error *err)
{
  const dls_grid_spec *few = &trial->spec;
  watch w = {.last = now(CLOCK_THREAD_CPUTIME_ID)};
  const double begin = w.last;
  trial->spec.keep = note_time;
  trial->spec.keep_data = &w;
  const dls_status status = dls_grid_run(trial, err);
  const double each = (now(CLOCK_THREAD_CPUTIME_ID) - begin) / (double)trial->cells;
  out->seconds = each * (double)cells;
  out->longest = w.longest;
  out->runs = cells * trial->rows;
  for (size_t i = 0; i < few->errors.scheme_count; i++) {
    const bool steps = dls_scheme_needs_step(few->errors.schemes[i].scheme);
    out->steps += steps ? floor(few->errors.end / few->step) * (double)cells : 0;
  }
  return status;
}

/* The work of all cells, and the most of one, over that of a cell with step h. */
static void compare_work(const dls_grid_spec *spec, size_t cells, double h, double *all, double *most)
{
  *all = (double)cells;
  *most = 1;
  for (size_t i = 0; i < spec->axis_count; i++) {
    const dls_sweep_axis *axis = &spec->axes[i];
    double sum = 0;
    for (size_t k = 0; k < axis->count && axis->of == DLS_SWEEP_STEP; k++) {
      const double ratio = h / dls_sweep_axis_value(axis, k);
      sum += ratio;
      *most = fmax(*most, ratio);
    }
    *all *= axis->of == DLS_SWEEP_STEP ? sum / (double)axis->count : 1;
  }
}

/* Studies: that of the parameters between the ends. @param[in] all  of all cells */
static dls_status try_study(const dls_grid_spec *all, size_t cells, dls_grid *trial, dls_plan *out,
                            dls_error *err)
{
  double work = 0, most = 0;
  dls_order_spec spec;
  dls_plan one = {0};
  dls_grid_worker w = {.grid = trial};
  void *scratch = malloc(dls_grid_scratch_size(&trial->spec) + 1);
  if (scratch == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a plan");
  }
  dls_grid_take_scratch(&w, scratch);
  dls_status status = dls_grid_errors_spec(&w, trial->cells / 2, &spec, err);
  status = status == DLS_OK ? plan_study(&spec, &one, err) : status;
  compare_work(all, cells, status == DLS_OK ? spec.h_last : 1, &work, &most);
  out->runs = one.runs * cells;
  out->steps = one.steps * work;
  out->seconds = one.seconds * work + one.reference * (double)cells;
  out->longest = one.seconds * most + one.reference;
  free(scratch);
  return status;
}

dls_status dls_plan_make(const dls_grid_spec *spec, dls_plan *out, dls_error *err)
{
  double values[DLS_GRID_AXES][SIDE];
  dls_grid_spec few = *spec;
  dls_grid *trial = NULL;
  size_t cells = 1;
  *out = (dls_plan){0};
  if (spec->axis_count == 0) {
    return plan_study(&spec->errors, out, err);
  }
  for (size_t i = 0; i < spec->axis_count; i++) {
    few.axes[i] = fewer_values(&spec->axes[i], dls_grid_has_batches(spec) ? SIDE : FEW, values[i]);
    cells *= spec->axes[i].count;
  }
  few.errors.jobs = 1;
  few.errors.shard = few.errors.shards = 0;
  dls_status status = dls_grid_create(&few, &trial, err);
  if (status == DLS_OK) {
    const bool errors = spec->kind == DLS_GRID_OF_ORDERS || spec->kind == DLS_GRID_OF_WORK;
    status = errors ? try_study(spec, cells, trial, out, err) : try_points(cells, trial, out, err);
  }
  if (status == DLS_OK) {
    status = size_results(cells, trial, out, err);
  }
  dls_grid_destroy(trial);
  return status;
}
