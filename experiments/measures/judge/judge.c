/* experiments/measures/judge/judge.c -- the files of other programs as a study of orders, whose schemes are the programs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/judge/judge.h"
#include "experiments/campaign/campaign.h"
#include "experiments/extra/foreign/file_metadata.h"
#include "experiments/measures/order/order_runs.h"
#include "experiments/measures/order/order_study.h"
#include "experiments/measures/order/study_tables.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the step --- */

static double number_at(const char *text, const char **behind)
{
  char *end = NULL;
  const double x = strtod(text, &end);
  *behind = end;
  return x;
}

static bool begins_word(const char *name, const char *at)
{
  return at == name || !isalpha((unsigned char)at[-1]);
}

/* The number after "step", "dt" or "h" and an optional "=", "_" or "-"; NAN for none. */
static double named_number(const char *name)
{
  static const char *const words[] = {"step", "dt", "h"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    for (const char *at = strstr(name, words[i]); at != NULL; at = strstr(at + 1, words[i])) {
      const char *number = at + strlen(words[i]), *behind = NULL;
      number += strspn(number, "=_-");
      if (begins_word(name, at) && (isdigit((unsigned char)*number) || *number == '.')) {
        return number_at(number, &behind);
      }
    }
  }
  return NAN;
}

/* The only number of a name, NAN for none or several. */
static double only_number(const char *name)
{
  double found = NAN;
  for (const char *at = name; *at != '\0';) {
    if (!isdigit((unsigned char)*at)) {
      at++;
      continue;
    }
    if (!isnan(found)) {
      return NAN;
    }
    found = number_at(at, &at);
  }
  return found;
}

/* Of the name without its folder and its ending. */
static double step_in_name(const char *path)
{
  char name[256];
  const char *slash = strrchr(path, '/');
  snprintf(name, sizeof name, "%s", slash != NULL ? slash + 1 : path);
  char *ending = strrchr(name, '.');
  if (ending != NULL && !isdigit((unsigned char)ending[1])) {
    *ending = '\0';
  }
  const double step = named_number(name);
  return isnan(step) ? only_number(name) : step;
}

static dls_status find_step(dls_judged_file *file, dls_error *err)
{
  char text[60];
  bool says = false;
  dls_status status = dls_file_metadata(file->path, "step", text, sizeof text, &says, err);
  if (status == DLS_OK && says) {
    status = dls_parse_number("its line '# step:'", text, &file->step, err);
  } else if (status == DLS_OK) {
    file->step = step_in_name(file->path);
  }
  if (status == DLS_OK && !(file->step > 0 && isfinite(file->step))) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "%.150s names no step > 0: give all steps by --steps H1,H2,..., or have a line '# step: 0.01' in the "
        "file, or a name such as ball-h0.01.csv",
        file->path);
  }
  return status;
}

/* A trajectory begins at t = 0 and must end later. */
static dls_status check_length(const dls_judged_file *file, dls_error *err)
{
  const dls_trajectory *traj = file->traj;
  const double last = dls_trajectory_at(traj, traj->rows - 1, 0);
  return last > 0 ? DLS_OK
                  : dls_fail(err, DLS_ERR_ARG,
                             "%.150s has %zu row%s, and ends at t = %g s: there is nothing to judge",
                             file->path, traj->rows, traj->rows == 1 ? "" : "s", last);
}

dls_status dls_judged_read(const dls_foreign_manner *manner, double step, dls_judged_file *file, dls_error *err)
{
  dls_csv_layout layout;
  const dls_status status = dls_foreign_read(manner, file->path, file->path, &file->traj, &layout, err);
  if (status != DLS_OK) {
    return status == DLS_ERR_IO ? (err->status = DLS_ERR_ARG)
                                : status; /* a file that is not there: the request is wrong */
  }
  file->step = step;
  const dls_status length = check_length(file, err);
  return length != DLS_OK || step > 0 ? length : find_step(file, err);
}

/* Steps of two files that differ by no more than this part are the same. */
static const double same_step = 1e-9;

const dls_judged_figure_text dls_judged_figures[DLS_JUDGED_FIGURES] = {
    [DLS_JUDGED_RESTITUTION] = {"restitution", "", "restitution"},
    [DLS_JUDGED_TIMES] = {"impact-times", "s", "times of impacts"},
    [DLS_JUDGED_PENETRATION] = {"penetration", "m", "penetration"},
    [DLS_JUDGED_REST] = {"rest", "m/s", "creep at rest"},
    [DLS_JUDGED_STICK] = {"stick", "m/s", "creep of sticking"},
    [DLS_JUDGED_FLIGHT] = {"flight", "", "energy of a flight"},
    [DLS_JUDGED_BOUNCE] = {"bounce", "", "energy of a bounce"},
    [DLS_JUDGED_DEPTH] = {"rest-depth", "m", "depth at rest"},
    [DLS_JUDGED_LIFT] = {"lift", "m", "lift while sliding"},
    [DLS_JUDGED_HOP] = {"hop", "m", "hop while sliding"},
};

/* What a judgement owns. */
typedef struct parts {
  dls_judgement judgement; /* first */
  dls_scheme *programs;
  dls_scheme_choice *choices;
  dls_norm *norms; /* figures */
  const dls_norm *norm_list[DLS_JUDGED_FIGURES];
  size_t count; /* files */
} parts;

/* --- levels --- */

static int by_program_and_step(const void *a, const void *b)
{
  const dls_judged_file *x = a, *y = b;
  if (x->program != y->program) {
    return x->program < y->program ? -1 : 1;
  }
  return (x->step < y->step) - (x->step > y->step);
}

/* Set level and repeat of every file, and levels, repeats, first and last step of the spec. */
static void set_levels(dls_judged *judged, dls_order_spec *spec)
{
  dls_judged_file *file = judged->files;
  qsort(file, judged->count, sizeof *file, by_program_and_step);
  spec->levels = spec->repeats = 1;
  spec->h_first = spec->h_last = file[0].step;
  for (size_t i = 0; i < judged->count; i++) {
    const bool first = i == 0 || file[i].program != file[i - 1].program;
    const bool same = !first && file[i].step > (1 - same_step) * file[i - 1].step;
    file[i].level = first ? 0 : file[i - 1].level + !same;
    file[i].repeat = same ? file[i - 1].repeat + 1 : 0;
    spec->levels = file[i].level + 1 > spec->levels ? file[i].level + 1 : spec->levels;
    spec->repeats = file[i].repeat + 1 > spec->repeats ? file[i].repeat + 1 : spec->repeats;
    spec->h_first = fmax(spec->h_first, file[i].step);
    spec->h_last = fmin(spec->h_last, file[i].step);
  }
}

static double last_time(const dls_judged_file *file)
{
  return dls_trajectory_at(file->traj, file->traj->rows - 1, 0);
}

static int by_value(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Median of the last times, an existing one. */
static dls_status find_end(const dls_judged *judged, double *end, dls_error *err)
{
  double *last = malloc(judged->count * sizeof *last);
  if (last == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu files", judged->count);
  }
  for (size_t i = 0; i < judged->count; i++) {
    last[i] = last_time(&judged->files[i]);
  }
  qsort(last, judged->count, sizeof *last, by_value);
  *end = last[judged->count / 2];
  free(last);
  return DLS_OK;
}

/* --- measuring --- */

static dls_order_point point_of(const dls_judged_file *file, size_t norm, size_t of)
{
  return (dls_order_point){.quality.contact = dls_contact_quality_none(), /* judge has its own figures */
                           .scheme = file->program,
                           .level = file->level,
                           .repeat = file->repeat,
                           .norm = norm,
                           .of = of,
                           .step = file->step,
                           .tol = NAN,
                           .error = {NAN, NAN},
                           .work = {.steps = file->traj->rows - 1, .wall_seconds = NAN}};
}

static void refuse_short(const dls_order_study *study, const dls_judged_file *file, dls_order_point *points)
{
  for (size_t i = 0; i < study->spec.norm_count * study->spec.of_count; i++) {
    snprintf(points[i].reason, sizeof points[i].reason, "the file ends at t = %.6g s, before T = %.6g s",
             last_time(file), study->spec.end);
  }
}

static dls_status measure_errors(const dls_order_job *job, const dls_judged_file *file, dls_error *err)
{
  dls_order_study *study = job->study;
  const size_t quantities = study->spec.of_count, measures = study->spec.norm_count * quantities;
  const dls_order_inputs inputs = {.spec = &study->spec, .sys = job->sys, .prepared = job->prepared};
  dls_order_point *points = study->points + study->point_count;
  for (size_t i = 0; i < measures; i++) {
    points[i] = point_of(file, i / quantities, i % quantities);
  }
  study->point_count += measures;
  if (dls_foreign_ends_early(file->traj, file->step, study->spec.end)) {
    refuse_short(study, file, points);
    return DLS_OK;
  }
  for (size_t of = 0; of < quantities; of++) {
    if (dls_order_measure(&inputs, file->traj, of, points) != DLS_OK) {
      return dls_fail(err, DLS_ERR_MEMORY, "no memory to measure %.200s", file->path);
    }
  }
  return DLS_OK;
}

static dls_status measure_contacts(const dls_order_job *job, dls_judgement *judgement, size_t i, dls_error *err)
{
  const dls_judged_file *file = &judgement->judged->files[i];
  dls_order_study *study = judgement->contacts;
  dls_error why = {0};
  const dls_status status = dls_motion_measure(job->sys, file->traj, job->reference.traj, study->spec.end,
                                               &judgement->motions[i], &why);
  if (status == DLS_ERR_MEMORY) {
    return dls_fail(err, status, "%s", why.text);
  }
  snprintf(judgement->remarks[i], sizeof judgement->remarks[i], "%.199s", status != DLS_OK ? why.text : "");
  for (size_t k = 0; k < DLS_JUDGED_FIGURES; k++) {
    dls_order_point *point = &study->points[study->point_count++];
    *point = point_of(file, k, 0);
    point->error = (dls_measure){judgement->motions[i].figures[k], 0};
  }
  return DLS_OK;
}

/* The cells are the files. */
typedef struct files {
  const dls_order_job *job;
  dls_judgement *judgement;
} files;

static dls_status measure_file(dls_progress *p, const size_t *cells, size_t count, void *scratch,
                               dls_error *err)
{
  (void)scratch;
  const files *f = p->campaign->data;
  dls_status status = measure_errors(f->job, &f->judgement->judged->files[cells[0]], err);
  if (status == DLS_OK) {
    status = measure_contacts(f->job, f->judgement, cells[0], err);
  }
  return dls_campaign_end(p, cells, count, status);
}

static dls_status measure_all(const dls_order_job *job, dls_judgement *judgement, dls_error *err)
{
  static const dls_campaign_measure measure = {.run = measure_file};
  const dls_order_spec *spec = &job->study->spec;
  files all = {job, judgement};
  dls_campaign c = {.count = judgement->judged->count,
                    .measure = &measure,
                    .data = &all,
                    .poll = spec->poll,
                    .poll_data = spec->poll_data};
  dls_status status = dls_campaign_run(&c, err);
  if (status != DLS_OK) {
    return status;
  }
  job->study->complete = judgement->contacts->complete = true;
  status = dls_order_fit_lines(job->study, err);
  return status != DLS_OK ? status : dls_order_fit_lines(judgement->contacts, err);
}

/* --- all of it --- */

static dls_status create(dls_judged *judged, parts **out, dls_error *err)
{
  parts *made = calloc(1, sizeof *made);
  if (made != NULL) {
    made->count = judged->count;
    made->judgement.judged = judged;
    made->programs = calloc(judged->program_count, sizeof *made->programs);
    made->choices = calloc(judged->program_count, sizeof *made->choices);
    made->norms = calloc(DLS_JUDGED_FIGURES, sizeof *made->norms);
    made->judgement.motions = calloc(judged->count, sizeof *made->judgement.motions);
    made->judgement.remarks = calloc(judged->count, sizeof *made->judgement.remarks);
  }
  if (made == NULL || made->programs == NULL || made->choices == NULL || made->norms == NULL ||
      made->judgement.motions == NULL || made->judgement.remarks == NULL) {
    dls_judgement_destroy(made == NULL ? NULL : &made->judgement);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu files", judged->count);
  }
  for (size_t i = 0; i < judged->program_count; i++) {
    static const dls_option none[] = {{0}};
    made->programs[i] =
        (dls_scheme){.name = judged->programs[i], .summary = "files of another program", .options = none};
    made->choices[i].scheme = &made->programs[i];
  }
  for (size_t i = 0; i < DLS_JUDGED_FIGURES; i++) {
    made->norms[i] = (dls_norm){.name = dls_judged_figures[i].name, .summary = dls_judged_figures[i].text};
    made->norm_list[i] = &made->norms[i];
  }
  *out = made;
  return DLS_OK;
}

static dls_status judge(const dls_order_spec *spec, parts *made, dls_order_job *job, dls_error *err)
{
  static const char *const contact[] = {"contact"};
  dls_status status = dls_order_begin(spec, job, err);
  made->judgement.errors = job->study;
  if (status != DLS_OK) {
    return status;
  }
  dls_order_spec contacts = *spec;
  contacts.norms = made->norm_list;
  contacts.norm_count = DLS_JUDGED_FIGURES;
  contacts.of = contact;
  contacts.of_count = 1;
  status = dls_order_create(&contacts, &made->judgement.contacts, err);
  if (status != DLS_OK) {
    return status;
  }
  memcpy(made->judgement.contacts->reference, job->study->reference, sizeof job->study->reference);
  return measure_all(job, &made->judgement, err);
}

dls_status dls_judge(const dls_order_spec *spec, dls_judged *judged, dls_judgement **out, dls_error *err)
{
  dls_order_spec own = *spec;
  dls_order_job job = {0};
  parts *made = NULL;
  dls_status status = own.end > 0 ? DLS_OK : find_end(judged, &own.end, err);
  if (status == DLS_OK) {
    status = create(judged, &made, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  set_levels(judged, &own);
  own.scheme_count = judged->program_count;
  own.schemes = made->choices;
  status = judge(&own, made, &job, err);
  dls_order_end(&job);
  if (status != DLS_OK) {
    dls_judgement_destroy(&made->judgement);
    return status;
  }
  *out = &made->judgement;
  return DLS_OK;
}

void dls_judgement_destroy(dls_judgement *judgement)
{
  parts *made = (parts *)judgement;
  if (made == NULL) {
    return;
  }
  for (size_t i = 0; judgement->motions != NULL && i < made->count; i++) {
    dls_motion_clear(&judgement->motions[i]);
  }
  dls_order_destroy(judgement->errors);
  dls_order_destroy(judgement->contacts);
  free(judgement->motions);
  free(judgement->remarks);
  free(made->programs);
  free(made->choices);
  free(made->norms);
  free(made);
}

/* Figures first to end - 1, behind a comma each. */
static void put_figures(const dls_motion *motion, size_t first, size_t end, FILE *out)
{
  for (size_t k = first; k < end; k++) {
    if (motion == NULL) {
      fprintf(out, ",%s_error", dls_judged_figures[k].name);
    } else {
      dls_table_number(out, motion->figures[k]);
    }
  }
}

/* Those from DLS_JUDGED_BOUNCE on came later: they stand behind the remark. */
dls_status dls_judgement_write_contacts(const dls_judgement *judgement, FILE *out)
{
  const dls_judged *judged = judgement->judged;
  fputs("program,file,step,impacts,restitution,start", out);
  put_figures(NULL, 0, DLS_JUDGED_BOUNCE, out);
  fputs(",remark", out);
  put_figures(NULL, DLS_JUDGED_BOUNCE, DLS_JUDGED_FIGURES, out);
  fputc('\n', out);
  for (size_t i = 0; i < judged->count; i++) {
    const dls_motion *motion = &judgement->motions[i];
    dls_table_field(out, judged->programs[judged->files[i].program]);
    fputc(',', out);
    dls_table_field(out, judged->files[i].path);
    dls_table_number(out, judged->files[i].step);
    fprintf(out, ",%zu", motion->impact_count);
    dls_table_number(out, motion->restitution);
    dls_table_number(out, motion->start);
    put_figures(motion, 0, DLS_JUDGED_BOUNCE, out);
    fputc(',', out);
    dls_table_field(out, judgement->remarks[i]);
    put_figures(motion, DLS_JUDGED_BOUNCE, DLS_JUDGED_FIGURES, out);
    fputc('\n', out);
  }
  return dls_table_end(judgement->errors, out);
}
