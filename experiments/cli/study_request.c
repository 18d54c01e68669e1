/* experiments/cli/study_request.c -- the request of a study, from the options that `order` and `work` share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/study_request.h"
#include "experiments/cli/entries.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/run.h"
#include "experiments/study/parallel.h"

#include <delassus/catalogue.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEVELS = 1000, MOST_REPEATS = 100000 };

static dls_status read_names(const dls_cli_args *args, const char *option, const char *initial,
                             dls_cli_names *out, dls_error *err)
{
  const size_t given = dls_cli_count(args, option);
  const size_t blocks = given > 0 ? given : 1;
  char what[40];
  snprintf(what, sizeof what, "--%s", option);
  out->blocks = calloc(blocks, sizeof *out->blocks);
  for (size_t i = 0; i < blocks && out->blocks != NULL; i++) {
    size_t count = 0;
    const char *text = given > 0 ? dls_cli_value_at(args, option, i) : initial;
    const dls_status status = dls_cli_split(what, text, ',', &out->blocks[i], &count, err);
    if (status != DLS_OK) {
      return status;
    }
    out->block_count++;
    const char **all = realloc(out->all, (out->count + count) * sizeof *all);
    if (all == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "out of memory for %s", what);
    }
    out->all = all;
    for (size_t j = 0; j < count; j++) {
      out->all[out->count++] = out->blocks[i][j];
    }
  }
  return out->blocks != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "out of memory for %s", what);
}

static dls_status refuse_twice(const char *option, const dls_cli_names *n, dls_error *err)
{
  for (size_t i = 0; i < n->count; i++) {
    for (size_t j = 0; j < i; j++) {
      if (strcmp(n->all[i], n->all[j]) == 0) {
        return dls_fail(err, DLS_ERR_ARG, "--%s: '%.80s' is given twice", option, n->all[i]);
      }
    }
  }
  return DLS_OK;
}

static void release_names(dls_cli_names *n)
{
  for (size_t i = 0; i < n->block_count; i++) {
    free(n->blocks[i]);
  }
  free(n->blocks);
  free(n->all);
}

static dls_status read_schemes(dls_cli_study *s, dls_error *err)
{
  const size_t count = dls_cli_count(s->args, "scheme");
  if (count == 0) {
    return dls_fail(err, DLS_ERR_ARG,
                    "--scheme is missing: say which integrator, e.g. --scheme moreau-jean; "
                    "repeat it to compare several (`delassus list schemes`)");
  }
  s->schemes = calloc(count, sizeof *s->schemes);
  if (s->schemes == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "out of memory for %zu schemes", count);
  }
  dls_status status = DLS_OK;
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    status =
        dls_catalogue_choose(s->args->catalogue, dls_cli_value_at(s->args, "scheme", i), &s->schemes[i], err);
  }
  s->spec.schemes = s->schemes;
  s->spec.scheme_count = count;
  return status;
}

/* 0 stands for all processors. */
static dls_status read_jobs(dls_cli_study *s, dls_error *err)
{
  double jobs = 1;
  const dls_status status = dls_cli_integer(s->args, "jobs", 0, (double)dls_parallel_most(), &jobs, err);
  s->spec.jobs = jobs == 0 ? dls_parallel_processors() : (size_t)jobs;
  return status;
}

static dls_status read_numbers(dls_cli_study *s, dls_error *err)
{
  double repeats = 8;
  double seed = 1;
  s->spec.end = DLS_CLI_DEFAULT_END;
  dls_status status = dls_cli_positive(s->args, "end", &s->spec.end, err);
  status = status != DLS_OK ? status : dls_cli_integer(s->args, "repeats", 1, MOST_REPEATS, &repeats, err);
  status = status != DLS_OK ? status : dls_cli_integer(s->args, "seed", 0, 4294967295.0, &seed, err);
  status = status != DLS_OK ? status : read_jobs(s, err);
  s->spec.repeats = (size_t)repeats;
  s->spec.seed = (unsigned long)seed;
  return status;
}

static dls_status read_reference(dls_cli_study *s, dls_error *err)
{
  static const char *const kinds[] = {
      [DLS_REFERENCE_EXACT] = "exact", [DLS_REFERENCE_EVENT_DRIVEN] = "event-driven"};
  size_t kind = DLS_REFERENCE_EXACT;
  const dls_status status =
      dls_cli_choice(s->args, "reference", kinds, sizeof kinds / sizeof kinds[0], &kind, err);
  s->spec.reference = (dls_reference_kind)kind;
  return status;
}

static dls_status read_measures(dls_cli_study *s, dls_error *err)
{
  dls_status status = read_names(s->args, "norm", "hausdorff,l1", &s->norm_names, err);
  status = status != DLS_OK ? status : refuse_twice("norm", &s->norm_names, err);
  status = status != DLS_OK ? status : read_names(s->args, "of", "q,v", &s->of, err);
  status = status != DLS_OK ? status : refuse_twice("of", &s->of, err);
  if (status != DLS_OK) {
    return status;
  }
  s->norms = calloc(s->norm_names.count, sizeof *s->norms);
  if (s->norms == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "out of memory for %zu norms", s->norm_names.count);
  }
  for (size_t i = 0; i < s->norm_names.count; i++) {
    s->norms[i] = dls_cli_norm_find(s->norm_names.all[i], err);
    if (s->norms[i] == NULL) {
      return DLS_ERR_OPTION;
    }
  }
  s->spec.norms = s->norms;
  s->spec.norm_count = s->norm_names.count;
  s->spec.of = s->of.all;
  s->spec.of_count = s->of.count;
  s->spec.metric = dls_metric_default;
  return read_reference(s, err);
}

dls_status dls_cli_study_read(dls_cli_study *out, dls_error *err)
{
  const dls_model *model = dls_catalogue_model(out->args->catalogue, out->args->positional[0], err);
  if (model == NULL) {
    return DLS_ERR_OPTION;
  }
  dls_status status = read_schemes(out, err);
  status = status != DLS_OK ? status : read_numbers(out, err);
  status = status != DLS_OK ? status : dls_cli_model(out->args, model, &out->model, err);
  out->spec.model = out->model.model;
  out->spec.catalogue = out->args->catalogue;
  out->spec.parameters = out->model.parameters;
  return status != DLS_OK ? status : read_measures(out, err);
}

/* A sequence in the form FIRST:LAST:N. */
typedef struct sequence {
  const char *option, *letter; /* "steps"; "H" for H0:H1:N */
  const char *word, *example;  /* "step", "0.1:0.001:10" */
  double ends[2], levels;      /* what was read */
} sequence;

static dls_status read_levels(const char *text, sequence *q, dls_error *err)
{
  char what[60];
  snprintf(what, sizeof what, "--%s, field 3 (number of levels N)", q->option);
  const dls_status status = dls_parse_number(what, text, &q->levels, err);
  if (status == DLS_OK &&
      !(q->levels >= 2 && q->levels <= MOST_LEVELS && q->levels == (double)(size_t)q->levels)) {
    return dls_fail(err, DLS_ERR_ARG, "%s = %s is not an integer in [2, %d]", what, text, MOST_LEVELS);
  }
  return status;
}

/* "--steps, field 1 (first step H0)" */
static void name_end(const sequence *q, int end, char *text, size_t size)
{
  snprintf(text, size, "--%s, field %d (%s %s %s%d)", q->option, end + 1, end == 0 ? "first" : "last", q->word,
           q->letter, end);
}

static dls_status check_end(const dls_cli_study *s, const sequence *q, int end, const char *text,
                            dls_error *err)
{
  char what[80];
  name_end(q, end, what, sizeof what);
  if (q->letter[0] == 'H') {
    return dls_cli_check_step(what, q->ends[end], s->spec.end, err);
  }
  return q->ends[end] > 0
             ? DLS_OK
             : dls_fail(err, DLS_ERR_ARG, "%s = %.100s is not allowed: it must be > 0", what, text);
}

static dls_status read_fields(const dls_cli_study *s, const char *text, char **fields, sequence *q,
                              dls_error *err)
{
  dls_status status = DLS_OK;
  for (int i = 0; i < 2 && status == DLS_OK; i++) {
    char what[80];
    name_end(q, i, what, sizeof what);
    status = dls_parse_number(what, fields[i], &q->ends[i], err);
    status = status != DLS_OK ? status : check_end(s, q, i, fields[i], err);
  }
  status = status != DLS_OK ? status : read_levels(fields[2], q, err);
  if (status == DLS_OK && q->ends[0] == q->ends[1]) {
    return dls_fail(err, DLS_ERR_ARG, "--%s = '%.100s': a sequence needs %s1 to differ from %s0", q->option,
                    text, q->letter, q->letter);
  }
  return status;
}

static dls_status read_sequence(const dls_cli_study *s, const char *why, sequence *q, dls_error *err)
{
  const char *text = dls_cli_value(s->args, q->option);
  if (text == NULL) {
    return dls_fail(err, DLS_ERR_ARG,
                    "--%s %s0:%s1:N is missing: %sfirst %s, last %s, number of levels, e.g. --%s %s", q->option,
                    q->letter, q->letter, why, q->word, q->word, q->option, q->example);
  }
  char **fields = NULL;
  char what[40];
  size_t count = 0;
  snprintf(what, sizeof what, "--%s", q->option);
  dls_status status = dls_cli_split(what, text, ':', &fields, &count, err);
  if (status != DLS_OK) {
    return status;
  }
  if (count != 3) {
    status = dls_fail(err, DLS_ERR_PARSE, "%s = '%.100s' has %zu fields where %s0:%s1:N has 3, e.g. %s", what,
                      text, count, q->letter, q->letter, q->example);
  }
  status = status != DLS_OK ? status : read_fields(s, text, fields, q, err);
  free(fields);
  return status;
}

dls_status dls_cli_study_steps(dls_cli_study *study, const char *why, dls_error *err)
{
  sequence q = {.option = "steps", .letter = "H", .word = "step", .example = "0.1:0.001:10"};
  const dls_status status = read_sequence(study, why, &q, err);
  study->spec.h_first = q.ends[0];
  study->spec.h_last = q.ends[1];
  study->spec.levels = (size_t)q.levels;
  return status;
}

dls_status dls_cli_study_tolerances(dls_cli_study *study, const char *why, dls_error *err)
{
  sequence q = {.option = "tols", .letter = "T", .word = "tolerance", .example = "1e-3:1e-8:6"};
  const dls_status status = read_sequence(study, why, &q, err);
  study->spec.tol_first = q.ends[0];
  study->spec.tol_last = q.ends[1];
  study->spec.tol_levels = (size_t)q.levels;
  return status;
}

dls_status dls_cli_study_run(dls_cli_study *study, dls_order_study **runs, dls_error *err)
{
  dls_cli_progress progress;
  dls_status status = dls_cli_progress_start(study->args, study->spec.model->name, 1, &progress, err);
  if (status == DLS_OK) {
    study->spec.poll = dls_cli_progress_poll;
    study->spec.poll_data = &progress;
    status = dls_order_run(&study->spec, runs, err);
    dls_cli_progress_end(&progress, status == DLS_OK && (*runs)->complete);
  }
  if (status != DLS_OK) {
    dls_journal_close(study->journal); /* which leaves no file without a run */
    study->journal = NULL;
    dls_cli_folder_drop(&study->folder);
  }
  return status;
}

void dls_cli_study_release(dls_cli_study *study)
{
  dls_journal_close(study->journal);
  dls_model_choice_release(&study->model);
  free(study->schemes);
  free(study->norms);
  release_names(&study->norm_names);
  release_names(&study->of);
}
