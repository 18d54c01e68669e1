/* experiments/request/read_outputs.c -- titles, pictures and files of a request, which part of the runs is made, and how.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/reader.h"

#include "common/base/text.h"
#include "experiments/campaign/parallel.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHARDS = 100000 };

/* --- titles --- */

void dls_study_read_name(dls_study_reader *r, const dls_yaml_node *node)
{
  const char *name = dls_yaml_text(&r->yaml, node, "name");
  if (name != NULL &&
      (strlen(name) > 60 || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")] != '\0')) {
    dls_study_report(r, node->mark, "name = '%.80s' must be at most 60 of the characters a-z, 0-9 and -", name);
  } else if (name != NULL) {
    r->study->name = name;
  }
}

void dls_study_read_title(dls_study_reader *r, const dls_yaml_node *node)
{
  const char *text = dls_yaml_text(&r->yaml, node, node->key);
  if (text != NULL && strchr(text, '\n') != NULL) {
    dls_study_report(r, node->mark, "%s must be one line", node->key);
  } else if (text != NULL) {
    r->study->title = text;
  }
}

void dls_study_read_source(dls_study_reader *r, const dls_yaml_node *node)
{
  const char *text = dls_yaml_text(&r->yaml, node, "source");
  r->study->source = text != NULL ? text : "";
}

void dls_study_read_caption(dls_study_reader *r, const dls_yaml_node *node)
{
  const char *text = dls_yaml_text(&r->yaml, node, "caption");
  r->study->caption = text != NULL ? text : "";
}

void dls_study_read_folder(dls_study_reader *r, const dls_yaml_node *node)
{
  const char *path = dls_yaml_text(&r->yaml, node, "folder");
  if (path != NULL && path[0] != '/') {
    dls_study_report(r, node->mark, "folder = '%.200s' must be an absolute path", path);
  }
  r->folder = path != NULL ? path : r->folder;
}

/* --- pictures and what is recorded --- */

void dls_study_read_pictures(dls_study_reader *r, const dls_yaml_node *node)
{
  size_t position = 0;
  const char *text = dls_study_choose_word(r, node, dls_plot_formats, &position);
  r->study->pictures = text != NULL ? text : r->study->pictures;
  if (r->line) { /* the pictures of a file are drawn where its command says */
    dls_study_record(r, DLS_KEY_PICTURES, text);
  }
}

void dls_study_choose_pictures(dls_study_reader *r)
{
  if (r->study->pictures == NULL) {
    r->study->pictures = dls_plot_format_of(r->request->form.style);
  }
}

/* Of NAME=VALUE: the value is only where a fit starts, and its picture shows the estimate. */
static bool is_estimated(const dls_request *r, const char *setting)
{
  const size_t length = strcspn(setting, "=");
  for (size_t k = 0; k < r->fit.spec.by_count; k++) {
    if (strlen(r->fit.spec.by[k]) == length && strncmp(r->fit.spec.by[k], setting, length) == 0) {
      return true;
    }
  }
  return false;
}

void dls_study_note_parameters(dls_study_reader *r)
{
  dls_picture_form *form = &r->request->form;
  const size_t most = sizeof form->parameters - sizeof ", ...";
  for (size_t i = 0; i < r->study->argument_count; i++) {
    const dls_study_argument *a = &r->arguments[i];
    const size_t length = strlen(form->parameters);
    if (strcmp(a->option, "set") != 0 ||
        is_estimated(r->request, a->value)) { /* a law is in the model's name */
      continue;
    }
    if (length + strlen(a->value) + sizeof ", " > most) {
      dls_text_append(form->parameters, sizeof form->parameters, ", ...");
      return;
    }
    dls_text_append(form->parameters, sizeof form->parameters, "%s%s", length > 0 ? ", " : "", a->value);
  }
}

void dls_request_read_size(dls_study_reader *r, const dls_yaml_node *node)
{
  dls_error err = {0};
  const char *text = dls_yaml_text(&r->yaml, node, node->key);
  if (text != NULL && dls_picture_size_read(text, &r->request->form, &err) != DLS_OK) {
    dls_study_report(r, node->mark, "%s = %s", node->key, err.text);
    text = NULL;
  }
  dls_study_record(r, DLS_KEY_SIZE, text);
}

void dls_request_read_columns(dls_study_reader *r, const dls_yaml_node *node)
{
  const size_t count = dls_yaml_count(node);
  const char **names = dls_pool_take(r->pool, (count + 1) * sizeof *names);
  const char *joined = NULL;
  r->request->columns = names;
  for (const dls_yaml_node *entry = node->first; entry != NULL && names != NULL; entry = entry->next) {
    names[r->request->column_count++] = entry->text;
    joined = joined == NULL ? entry->text : dls_pool_print(r->pool, "%s,%s", joined, entry->text);
  }
  dls_study_record(r, DLS_KEY_COLUMNS, joined);
}

void dls_request_read_times(dls_study_reader *r, const dls_yaml_node *node)
{
  const size_t count = dls_yaml_count(node);
  double *times = dls_pool_take(r->pool, (count + 1) * sizeof *times);
  const dls_yaml_node *before = NULL, *entry = node->first;
  size_t i = 0;
  for (; entry != NULL && times != NULL && r->first.status == DLS_OK;
       before = entry, entry = entry->next, i++) {
    char what[40];
    snprintf(what, sizeof what, "--at, time %zu", i + 1);
    times[i] = dls_yaml_number(&r->yaml, entry, what);
    if (times[i] < 0) {
      dls_study_report(r, node->mark, "%s = %s is outside [0, end]", what, entry->text);
    } else if (i > 0 && times[i] <= times[i - 1]) {
      dls_study_report(r, node->mark, "%s = %s is not after the one before it, %s: times must increase", what,
                       entry->text, before->text);
    }
  }
  r->request->recording.at = times;
  r->request->recording.at_count = i;
  if (r->values[DLS_KEY_END] == NULL) {
    r->end = NAN; /* see dls_study_check_times */
  }
  dls_study_record(r, DLS_KEY_TIMES, node->text);
}

/* --- how a command runs --- */

void dls_request_read_jobs(dls_study_reader *r, const dls_yaml_node *node)
{
  const double value = dls_yaml_integer(&r->yaml, node, node->key, 0, (double)dls_parallel_most());
  if (!isnan(value)) {
    r->request->spec.jobs = value == 0 ? dls_parallel_processors() : (size_t)value;
    dls_study_record(r, DLS_KEY_JOBS, node->text);
  }
}

void dls_request_read_plugin(dls_study_reader *r, const dls_yaml_node *node)
{
  for (const dls_yaml_node *file = node->first; file != NULL; file = file->next) {
    dls_study_record(r, DLS_KEY_PLUGIN, file->text); /* it is loaded already */
  }
}

static dls_status check_shard(const char *what, const char *text, long long k, long long n,
                              dls_order_spec *spec, dls_error *err)
{
  if (!(n >= 1 && n <= MOST_SHARDS)) {
    return dls_fail(err, DLS_ERR_ARG, "%s%s: there are %lld parts; allowed are 1 to %d", what, text, n,
                    MOST_SHARDS);
  }
  if (!(k >= 1 && k <= n)) {
    return dls_fail(err, DLS_ERR_ARG, "%s%s: part %lld is outside [1, %lld]", what, text, k, n);
  }
  spec->shard = (size_t)k;
  spec->shards = (size_t)n;
  return DLS_OK;
}

/* A whole number in the environment. @return false if it is not there or none */
static bool environment(const char *name, long long *value)
{
  const char *text = getenv(name);
  char *end = NULL;
  *value = text != NULL ? strtoll(text, &end, 10) : 0;
  return text != NULL && end != text && *end == '\0';
}

/* The place of the process among those of MPI. @return false if there is none */
static bool rank(long long *k, long long *n)
{
  return (environment("OMPI_COMM_WORLD_RANK", k) && environment("OMPI_COMM_WORLD_SIZE", n)) ||
         (environment("PMI_RANK", k) && environment("PMI_SIZE", n));
}

/* Of a Slurm array, of the processes of MPI, or of such in each task of an array. */
static dls_status automatic(dls_order_spec *spec, dls_error *err)
{
  long long task = 0, count = 1, first = 0, stride = 1, k = 0, n = 1;
  const bool array = environment("SLURM_ARRAY_TASK_ID", &task) && environment("SLURM_ARRAY_TASK_COUNT", &count);
  if (!rank(&k, &n) && !array) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "--shard auto: neither SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT nor OMPI_COMM_WORLD_RANK and "
        "OMPI_COMM_WORLD_SIZE nor PMI_RANK and PMI_SIZE are set; say --shard K/N");
  }
  if (array && environment("SLURM_ARRAY_TASK_MIN", &first) && environment("SLURM_ARRAY_TASK_STEP", &stride) &&
      stride > 0) {
    task = (task - first) / stride;
  } else if (array) {
    task -= 1; /* arrays begin with 1 here */
  }
  if (array && !(task >= 0 && task < count)) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "--shard auto: the array has %lld tasks, but this one is number %lld: arrays with gaps need --shard "
        "$SLURM_ARRAY_TASK_ID/N",
        count, task + 1);
  }
  return check_shard("--shard auto", "", task * n + k + 1, count * n, spec, err);
}

/* K/N, or auto */
static dls_status read_shard(const char *text, dls_order_spec *spec, dls_error *err)
{
  if (strcmp(text, "auto") == 0) {
    return automatic(spec, err);
  }
  char *slash = NULL, *end = NULL;
  const long long k = strtoll(text, &slash, 10);
  const long long n = *slash == '/' ? strtoll(slash + 1, &end, 10) : 0;
  if (slash == text || end == NULL || end == slash + 1 || *end != '\0') {
    return dls_fail(err, DLS_ERR_PARSE, "--shard '%.60s': say K/N, part K of N, such as 3/8, or auto", text);
  }
  return check_shard("--shard ", text, k, n, spec, err);
}

void dls_request_read_shard(dls_study_reader *r, const dls_yaml_node *node)
{
  dls_error err = {0};
  if (read_shard(node->text, &r->request->spec, &err) != DLS_OK) {
    dls_study_report_error(r, node->mark, &err);
  }
  dls_study_record(r, DLS_KEY_SHARD, node->text);
}

void dls_request_set_outputs(dls_study_reader *r)
{
  dls_request *q = r->request;
  const bool again = q->resume || r->values[DLS_KEY_SHARD] != NULL || r->values[DLS_KEY_TIME_LIMIT] != NULL;
  q->mode = q->overwrite ? DLS_JOURNAL_OVERWRITE : again ? DLS_JOURNAL_RESUME : DLS_JOURNAL_NEW;
  const char *pictures = r->study->pictures;
  q->format = pictures != NULL && strcmp(pictures, "none") == 0 ? NULL : pictures;
}
