/* experiments/cli/study_line.c -- the command of a study of a file: its options, the folder of its results, the manner of its runs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/command_line.h"
#include "experiments/cli/study_run.h"

#include <string.h>

const char *dls_cli_study_place(const dls_cli_study_job *job, const dls_study *study)
{
  return study->name[0] == '\0' ? job->folder : dls_pool_print(job->pool, "%s/%s", job->folder, study->name);
}

const char *dls_cli_study_pictures(const dls_cli_study_job *job, const dls_study *study)
{
  return job->pictures != NULL ? job->pictures : study->pictures;
}

const dls_cli_command *dls_cli_study_command(dls_study_kind kind)
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
  case DLS_STUDY_FIT:
    return &dls_cli_fit;
  default:
    return &dls_cli_order;
  }
}

dls_status dls_cli_study_check_memory(const dls_cli_study_job *job, dls_error *err)
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

/* The form of its pictures: the options of the command line take precedence. */
static void set_form(const dls_cli_study_job *job, dls_picture_form *form)
{
  const char *const *text = job->form_text; /* style, size, key */
  if (text[0] != NULL) {
    form->style = job->form.style;
  }
  if (text[1] != NULL) {
    form->width = job->form.width;
    form->height = job->form.height;
    form->centimetres = job->form.centimetres;
  }
  if (text[2] != NULL) {
    form->key = job->form.key;
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
  if (r->fit.made.scheme.scheme != NULL) {
    r->fit.path = dls_pool_print(job->pool, "%s/data.csv", place);
  }
  const char *pictures = dls_cli_study_pictures(job, study);
  r->format = strcmp(pictures, "none") != 0 ? pictures : NULL;
  set_form(job, &r->form);
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
  for (size_t i = 0; i < DLS_PICTURE_FORM_OPTIONS; i++) {
    add(study, arguments, dls_picture_form_options[i], job->form_text[i]);
  }
}

/* Does an option of the command line replace one of the study? */
static bool is_replaced(const dls_cli_study_job *job, const char *option)
{
  bool replaced = false;
  for (size_t i = 0; i < DLS_PICTURE_FORM_OPTIONS; i++) {
    replaced = replaced || (job->form_text[i] != NULL && strcmp(option, dls_picture_form_options[i]) == 0);
  }
  return replaced;
}

dls_study *dls_cli_study_line(const dls_cli_study_job *job, const dls_study *study)
{
  enum { MORE = 14 }; /* outputs and manner */
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
    if (!is_replaced(job, study->arguments[i].option)) {
      add(out, arguments, study->arguments[i].option, study->arguments[i].value);
    }
  }
  set_outputs(job, out, arguments);
  study->request->study = out;
  study->request->command = dls_cli_study_command(study->kind)->name;
  return out;
}

dls_status dls_cli_study_print_command(const dls_cli_study_job *job, const dls_study *study, const char *lead,
                                       FILE *out, dls_error *err)
{
  const dls_study *line = dls_cli_study_line(job, study);
  const dls_status status = dls_cli_study_check_memory(job, err);
  if (status == DLS_OK) {
    fputs(lead, out);
    dls_command_print(study->request->command, line, '=', out);
    fputc('\n', out);
  }
  return status;
}

void dls_cli_study_set_manner(const dls_cli_study_job *job, dls_study *study)
{
  dls_request *r = study->request;
  dls_study_argument *arguments = (dls_study_argument *)study->arguments; /* those of dls_cli_study_line */
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
