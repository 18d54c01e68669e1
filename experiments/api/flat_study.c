/* experiments/api/flat_study.c -- convergence and work-precision studies in plain C types.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/flat.h>

#include "experiments/api/flat_internal.h"
#include "experiments/measures/judge/judge.h"
#include "experiments/measures/order/order_lines.h"
#include <delassus/work.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dls_flat_study {
  dls_model_choice model;
  dls_scheme_choice *schemes;
  dls_norm_choice *choices; /* of norms */
  const dls_norm **norms;
  dls_order_study *own;     /* of a study */
  dls_judgement *judgement; /* of files of other programs */
  dls_judged judged;
  int (*poll)(void *data, double done);
  void *poll_data;
};

static const dls_order_study *errors_of(const dls_flat_study *study)
{
  return study->judgement != NULL ? study->judgement->errors : study->own;
}

static bool poll_caller(void *data, double done)
{
  const dls_flat_study *study = data;
  return study->poll == NULL || study->poll(study->poll_data, done) != 0;
}

static dls_status find_norms(dls_flat_study *study, const dls_flat_study_spec *spec, dls_error *err)
{
  for (size_t i = 0; i < spec->norm_count; i++) {
    const dls_status status = dls_flat_choose_norm(spec->norms[i], &study->choices[i], err);
    if (status != DLS_OK) {
      return status;
    }
    study->norms[i] = &study->choices[i].norm;
  }
  return DLS_OK;
}

/* Model, schemes and norms by name, with all that the study must keep. @param[in] most  largest kind of reference */
static dls_status prepare(const dls_catalogue *catalogue, const char *model, size_t count,
                          const char *const *settings, const dls_flat_study_spec *spec, int most,
                          dls_flat_study *study, dls_error *err)
{
  if (spec->reference < 0 || spec->reference > most) {
    return dls_fail(err, DLS_ERR_ARG, "reference = %d is outside [0, %d]", spec->reference, most);
  }
  study->schemes = calloc(spec->scheme_count + 1, sizeof *study->schemes);
  study->choices = calloc(spec->norm_count + 1, sizeof *study->choices);
  study->norms = calloc(spec->norm_count + 1, sizeof *study->norms);
  study->poll = spec->poll;
  study->poll_data = spec->poll_data;
  if (study->schemes == NULL || study->choices == NULL || study->norms == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a study");
  }
  dls_status status = dls_flat_choose(catalogue, model, count, settings, &study->model, err);
  for (size_t i = 0; i < spec->scheme_count && status == DLS_OK; i++) {
    status = dls_catalogue_choose(catalogue, spec->schemes[i], &study->schemes[i], err);
  }
  return status != DLS_OK ? status : find_norms(study, spec, err);
}

static dls_order_spec order_spec(const dls_catalogue *catalogue, const dls_flat_study_spec *spec,
                                 dls_flat_study *study)
{
  return (dls_order_spec){
      .model = study->model.model,
      .catalogue = catalogue,
      .parameters = study->model.parameters,
      .reference = (dls_reference_kind)spec->reference,
      .check_reference = spec->check_reference != 0,
      .end = spec->end,
      .scheme_count = spec->scheme_count,
      .schemes = study->schemes,
      .h_first = spec->h_first,
      .h_last = spec->h_last,
      .levels = spec->levels,
      .tol_first = spec->tol_first,
      .tol_last = spec->tol_last,
      .tol_levels = spec->tol_levels,
      .timings = spec->timings,
      .repeats = spec->repeats,
      .seed = spec->seed,
      .norm_count = spec->norm_count,
      .norms = study->norms,
      .of_count = spec->of_count,
      .of = spec->of,
      .metric = dls_metric_default,
      .jobs = spec->jobs,
      .poll = poll_caller,
      .poll_data = study,
  };
}

int dls_flat_study_run(const dls_catalogue *catalogue, const char *model, size_t count,
                       const char *const *settings, const dls_flat_study_spec *spec, dls_flat_study **out,
                       char *error, size_t size)
{
  dls_error err = {0};
  dls_flat_study *study = *out = calloc(1, sizeof *study);
  dls_status status = study != NULL ? DLS_OK : dls_fail(&err, DLS_ERR_MEMORY, "no memory for a study");
  status = status != DLS_OK
               ? status
               : prepare(catalogue, model, count, settings, spec, DLS_REFERENCE_LIMIT, study, &err);
  if (status == DLS_OK) {
    const dls_order_spec order = order_spec(catalogue, spec, study);
    status = dls_order_run(&order, &study->own, &err);
  }
  return dls_flat_report(status, &err, error, size);
}

/* Every file read, with its step and the number of its program. */
static dls_status read_files(const dls_flat_files *files, dls_judged *judged, dls_error *err)
{
  const dls_foreign_manner manner = {
      .between_given = files->between != NULL,
      .between = files->between != NULL && strcmp(files->between, "constant") == 0 ? DLS_CONSTANT : DLS_LINEAR};
  *judged = (dls_judged){.program_count = files->program_count, .programs = files->programs};
  judged->files = calloc(files->count + 1, sizeof *judged->files);
  if (judged->files == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu files", files->count);
  }
  dls_status status = DLS_OK;
  for (size_t i = 0; i < files->count && status == DLS_OK; i++) {
    judged->files[i] = (dls_judged_file){.path = files->paths[i], .program = files->program_of[i]};
    status = dls_judged_read(&manner, files->steps[i], &judged->files[i], err);
    judged->count += status == DLS_OK;
  }
  return status;
}

int dls_flat_judge(const dls_catalogue *catalogue, const char *model, size_t count, const char *const *settings,
                   const dls_flat_study_spec *spec, const dls_flat_files *files, dls_flat_study **out,
                   char *error, size_t size)
{
  dls_error err = {0};
  dls_flat_study *study = *out = calloc(1, sizeof *study);
  dls_status status = study != NULL ? DLS_OK : dls_fail(&err, DLS_ERR_MEMORY, "no memory for a study");
  status = status != DLS_OK
               ? status
               : prepare(catalogue, model, count, settings, spec, DLS_REFERENCE_EVENT_DRIVEN, study, &err);
  status = status != DLS_OK ? status : read_files(files, &study->judged, &err);
  if (status == DLS_OK) {
    const dls_order_spec order = order_spec(catalogue, spec, study);
    status = dls_judge(&order, &study->judged, &study->judgement, &err);
  }
  return dls_flat_report(status, &err, error, size);
}

/* "work:evals" and "slopes:evals" are over a measure of work. */
static dls_status write_work(const dls_order_study *runs, const char *what, FILE *out, dls_error *err)
{
  const char *colon = strchr(what, ':');
  size_t against = 0;
  while (dls_work_names[against] != NULL &&
         (colon == NULL || strcmp(dls_work_names[against], colon + 1) != 0)) {
    against++;
  }
  if (dls_work_names[against] == NULL) {
    return dls_fail(err, DLS_ERR_OPTION,
                    "'%.60s': it must be work:X, slopes:X, costs:X or curves:X with X = steps, problems, evals "
                    "or seconds",
                    what);
  }
  dls_work_study *work = NULL;
  dls_status status = dls_work_fit(runs, (dls_against)(against + DLS_AGAINST_STEPS), &work, err);
  if (status == DLS_OK) {
    status = what[1] == 'u'   ? dls_order_write_curves(runs, work->line_count, work->lines, work->against, out)
             : what[0] == 'w' ? dls_work_write_errors(work, out)
             : what[0] == 's' ? dls_work_write_slopes(work, out)
                              : dls_work_write_table(work, out);
  }
  dls_work_destroy(work);
  return status;
}

static dls_status write_text(const dls_flat_study *study, const char *what, FILE *out, dls_error *err)
{
  static const struct {
    const char *name;
    dls_status (*write)(const dls_order_study *study, FILE *out);
  } texts[] = {{"errors", dls_order_write_errors},
               {"orders", dls_order_write_orders},
               {"quality", dls_order_write_quality},
               {"report", dls_order_write_report},
               {"table", dls_order_write_table}};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    if (strcmp(what, texts[i].name) == 0) {
      return texts[i].write(errors_of(study), out);
    }
  }
  if (strcmp(what, "curves") == 0) {
    const dls_order_study *errors = errors_of(study);
    return dls_order_write_curves(errors, errors->line_count, errors->lines, DLS_AGAINST_STEP, out);
  }
  if (strcmp(what, "contacts") == 0 && study->judgement != NULL) {
    return dls_judgement_write_contacts(study->judgement, out);
  }
  return write_work(errors_of(study), what, out, err);
}

int dls_flat_study_text(const dls_flat_study *study, const char *what, char **text, char *error, size_t size)
{
  dls_error err = {0};
  size_t length = 0;
  *text = NULL;
  FILE *out = open_memstream(text, &length);
  if (out == NULL) {
    return dls_flat_report(dls_fail(&err, DLS_ERR_MEMORY, "no memory for a text"), &err, error, size);
  }
  dls_status status = write_text(study, what, out, &err);
  if (fclose(out) != 0 && status == DLS_OK) {
    status = dls_fail(&err, DLS_ERR_MEMORY, "no memory for a text");
  }
  return dls_flat_report(status, &err, error, size);
}

int dls_flat_study_complete(const dls_flat_study *study)
{
  return errors_of(study)->complete;
}

void dls_flat_text_free(char *text)
{
  free(text);
}

void dls_flat_study_free(dls_flat_study *study)
{
  if (study != NULL) {
    dls_order_destroy(study->own);
    dls_judgement_destroy(study->judgement);
    for (size_t i = 0; i < study->judged.count; i++) {
      dls_trajectory_destroy(study->judged.files[i].traj);
    }
    free(study->judged.files);
    dls_model_choice_release(&study->model);
    free(study->schemes);
    free(study->choices);
    free(study->norms);
    free(study);
  }
}
