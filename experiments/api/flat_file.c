/* experiments/api/flat_file.c -- study files from a text: what is wrong in them, their studies, the tables and verdicts of these. Nothing is
 * written to files: the writers of the tool write into memory.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/flat.h>

#include "common/base/text.h"
#include "experiments/api/flat_internal.h"
#include "experiments/campaign/provenance.h"
#include "experiments/measures/cycle/cycle.h"
#include "experiments/measures/energy/derived.h"
#include "experiments/measures/energy/energy_study.h"
#include "experiments/measures/order/order_spec.h"
#include "experiments/request/request.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_ROOM = 160, WORDS_ROOM = 600 };

typedef struct table {
  char name[NAME_ROOM];
  char *text;
  size_t size;
} table;

typedef struct verdict {
  dls_study_verdict made;
  char words[WORDS_ROOM];
} verdict;

/* What a study has made. */
typedef struct product {
  size_t table_count, verdict_count;
  table *tables; /* room for one of each scheme, or for those of errors */
  verdict *verdicts;
} product;

struct dls_flat_file {
  const dls_catalogue *catalogue;
  dls_study_file *file;
  product *products; /* of each study */
};

/* --- reading --- */

static dls_status read_file(dls_flat_file *file, const char *text, size_t length, dls_error *err)
{
  dls_status status = dls_catalogue_study_read(file->catalogue, text, length, "", &file->file, err);
  if (status == DLS_OK) {
    file->products = calloc(file->file->study_count + 1, sizeof *file->products);
    status = file->products != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for a study file");
  }
  const dls_study_problem *first = status == DLS_ERR_PARSE ? file->file->problems : NULL;
  return first == NULL ? status
                       : dls_fail(err, status, "%zu:%zu: %.300s", first->line, first->column, first->text);
}

int dls_flat_file_read(const dls_catalogue *catalogue, const char *text, size_t length, dls_flat_file **out,
                       char *error, size_t size)
{
  dls_error err = {0};
  dls_flat_file *file = calloc(1, sizeof *file);
  *out = NULL;
  if (file == NULL || text == NULL) {
    free(file);
    dls_fail(&err, text == NULL ? DLS_ERR_ARG : DLS_ERR_MEMORY, "%s",
             text == NULL ? "text = NULL" : "no memory for a study file");
    return dls_flat_report(err.status, &err, error, size);
  }
  file->catalogue = catalogue;
  const dls_status status = read_file(file, text, length, &err);
  if (status == DLS_OK || status == DLS_ERR_PARSE) {
    *out = file;
  } else {
    dls_flat_file_free(file);
  }
  return dls_flat_report(status, &err, error, size);
}

static void clear(product *p)
{
  for (size_t i = 0; i < p->table_count; i++) {
    free(p->tables[i].text);
  }
  free(p->tables);
  free(p->verdicts);
  *p = (product){0};
}

void dls_flat_file_free(dls_flat_file *file)
{
  if (file == NULL) {
    return;
  }
  for (size_t i = 0; file->products != NULL && i < file->file->study_count; i++) {
    clear(&file->products[i]);
  }
  free(file->products);
  dls_study_destroy(file->file);
  free(file);
}

const char *dls_flat_file_problem(const dls_flat_file *file, size_t index, size_t place[2])
{
  if (index >= file->file->problem_count) {
    return NULL;
  }
  const dls_study_problem *problem = &file->file->problems[index];
  if (place != NULL) {
    place[0] = problem->line;
    place[1] = problem->column;
  }
  return problem->text;
}

/* NULL: there is none, or the file has problems. */
static const dls_study *study_of(const dls_flat_file *file, size_t index)
{
  return file->products != NULL && index < file->file->study_count ? &file->file->studies[index] : NULL;
}

const char *dls_flat_file_study(const dls_flat_file *file, size_t index, const char *texts[4])
{
  const dls_study *study = study_of(file, index);
  if (study != NULL && texts != NULL) {
    texts[0] = study->name;
    texts[1] = study->title;
    texts[2] = study->model;
    texts[3] = study->caption;
  }
  return study != NULL ? dls_study_kind_name(study->kind) : NULL;
}

typedef struct job {
  const dls_request *r;
  product *p;
  dls_study_results *results;
  dls_system *sys;
  dls_trajectory *rows; /* of the table that is written */
  int (*poll)(void *data, double done);
  void *poll_data;
  dls_request own;                   /* r with the end that a cycle has */
  const dls_parameter_fit_spec *fit; /* of the fit in results */
  size_t scheme;                     /* of runs */
  dls_status status;                 /* the first failure of a scheme */
  dls_error why;
} job;

/* --- tables --- */

/* What is in a table. */
typedef enum content {
  ROWS,
  ERRORS,
  ORDERS,
  QUALITY,
  DERIVATIVES,
  ORDER_REPORT,
  WORK,
  SLOPES,
  WORK_REPORT,
  SPECTRUM,
  LOCAL_STEPS,
  LOCAL_ORDERS,
  SWEEP,
  GRID,
  ESTIMATES,
  FIT_DATA,
  FIT_MOTION
} content;

static dls_status write_content(const job *j, content what, FILE *out, dls_error *err)
{
  const dls_study_results *made = j->results;
  const dls_catalogue *catalogue = j->r->spec.catalogue;
  dls_status status = DLS_OK;
  switch (what) {
  case ROWS:
    return dls_trajectory_write(j->rows, out, err);
  case ERRORS:
    return dls_order_write_errors(made->errors, out);
  case ORDERS:
    return dls_order_write_orders(made->errors, out);
  case QUALITY:
    return dls_order_write_quality(made->errors, out);
  case DERIVATIVES:
    return dls_order_write_derivatives(made->errors, out);
  case ORDER_REPORT:
    return dls_order_write_report(made->errors, out);
  case WORK:
    return dls_work_write_errors(made->work, out);
  case SLOPES:
    return dls_work_write_slopes(made->work, out);
  case WORK_REPORT:
    return dls_work_write_report(made->work, out);
  case SPECTRUM:
    return dls_spectrum_table(made->spectrum, catalogue, out);
  case LOCAL_STEPS:
    return dls_local_write_steps(made->local, catalogue, out);
  case LOCAL_ORDERS:
    return dls_local_write_orders(made->local, catalogue, out);
  case SWEEP:
    return dls_sweep_table(made->sweep, catalogue, out);
  case GRID:
    return dls_grid_table(made->grid, out);
  case ESTIMATES:
    dls_fit_write_estimates(j->fit, made->fit, out);
    break;
  case FIT_DATA:
    dls_fit_write_data(&j->fit->data, out);
    break;
  case FIT_MOTION:
    status = dls_fit_write_motion(j->fit, made->fit, out, err);
    break;
  }
  if (status == DLS_OK) {
    dls_provenance_stamp(catalogue, out);
  }
  return status;
}

static dls_status put(job *j, const char *name, content what, dls_error *err)
{
  table *t = &j->p->tables[j->p->table_count];
  snprintf(t->name, sizeof t->name, "%s", name);
  FILE *out = dls_text_stream(&t->text, &t->size);
  j->p->table_count += out != NULL;
  dls_status status = out != NULL ? write_content(j, what, out, err) : DLS_ERR_MEMORY;
  const bool closed = out != NULL && fclose(out) == 0;
  if (!closed || status == DLS_ERR_IO ||
      status == DLS_ERR_MEMORY) { /* a stream in memory fails for want of it only */
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory for %.60s", name);
  }
  return status;
}

/* The rows of scheme i, under a name that begins with `prefix`; NULL: of the only one. */
static dls_status put_rows(job *j, size_t i, const char *prefix, dls_trajectory *rows, dls_error *err)
{
  char name[NAME_ROOM] = "trajectory.csv";
  if (prefix != NULL) {
    dls_study_scheme_file(prefix, j->r->labels, i, name, sizeof name);
  }
  j->rows = rows;
  dls_status status = dls_request_note(j->r, i, rows, err);
  status = status != DLS_OK ? status : dls_provenance_note(j->r->spec.catalogue, rows, err);
  return status != DLS_OK ? status : put(j, name, ROWS, err);
}

/* --- performing --- */

static bool poll_done(void *data, double done)
{
  const job *j = data;
  return j->poll == NULL || j->poll(j->poll_data, done) != 0;
}

static bool poll_run(void *data, double t)
{
  const job *j = data;
  return poll_done(data, ((double)j->scheme + fmin(t / j->r->spec.end, 1)) / (double)j->r->spec.scheme_count);
}

static void keep_failure(void *data, size_t scheme, dls_status status, const dls_error *why)
{
  job *j = data;
  (void)scheme;
  if (status != DLS_OK && j->status == DLS_OK) {
    j->status = status;
    j->why = *why;
  }
}

static dls_status make_run(job *j, size_t i, dls_error *err)
{
  const dls_request *r = j->r;
  const dls_scheme_choice *choice = &r->spec.schemes[i];
  dls_trajectory **run = &j->results->runs[i];
  dls_sim *sim = NULL;
  j->scheme = i;
  dls_status status = dls_scheme_choice_sim(choice, j->sys, &sim, err);
  *run = status == DLS_OK ? dls_sim_trajectory(sim, err) : NULL;
  status = status == DLS_OK && *run == NULL ? DLS_ERR_MEMORY : status;
  if (status == DLS_OK && r->kind == DLS_STUDY_RUN) {
    status = dls_scheme_choice_note(choice, *run, err);
  }
  if (status == DLS_OK && j->results->cycle != NULL) {
    status = dls_cycle_note(j->results->cycle, *run, err);
  }
  if (status == DLS_OK) {
    const bool by_step = dls_scheme_needs_step(choice->scheme);
    const dls_run_spec spec = {.step = r->step,
                               .end = r->spec.end,
                               .record = *run,
                               .recording = r->recording,
                               .start = r->spec.start,
                               .halvings = by_step || r->kind == DLS_STUDY_RUN ? r->halvings : 0,
                               .poll = poll_run,
                               .poll_data = j};
    status = dls_run(sim, &spec, err);
  }
  dls_sim_destroy(sim);
  return status;
}

/* Put energies, forces and momenta into the record, as `compare` does. */
static dls_status widen(job *j, size_t i, dls_error *err)
{
  dls_trajectory *wide = NULL;
  const dls_status status = dls_derive(j->results->runs[i], j->sys, j->r->spec.schemes[i].scheme, &wide, err);
  if (wide != NULL) {
    wide->totals = j->results->runs[i]->totals;
    j->results->runs[i]->totals = NULL;
  }
  dls_trajectory_destroy(j->results->runs[i]);
  j->results->runs[i] = wide;
  return status;
}

/* run and compare. A run that fails is kept as far as it came. */
static dls_status make_runs(job *j, dls_error *err)
{
  const dls_request *r = j->r;
  const bool compare = r->kind == DLS_STUDY_COMPARE;
  dls_status status = dls_study_results_room(j->results, r->spec.scheme_count, err);
  for (size_t i = 0; i < r->spec.scheme_count && status == DLS_OK; i++) {
    dls_error why = {0};
    const dls_status made = make_run(j, i, &why);
    keep_failure(j, i, made, &why);
    dls_trajectory **run = &j->results->runs[i];
    if (*run != NULL && (*run)->rows < 2) { /* it did not get beyond its start */
      dls_trajectory_destroy(*run);
      *run = NULL;
    }
    if (*run == NULL) {
      status = made == DLS_ERR_INTERRUPTED ? made : status;
      continue;
    }
    status = compare ? widen(j, i, err) : DLS_OK;
    status = status != DLS_OK ? status : put_rows(j, i, compare ? "run" : NULL, *run, err);
    status = made == DLS_ERR_INTERRUPTED ? made : status;
  }
  return status;
}

static dls_status make_ledgers(job *j, dls_error *err)
{
  const dls_request *r = j->r;
  const dls_energy_study_spec spec = {.run = {.sys = j->sys,
                                              .step = r->step,
                                              .end = r->spec.end,
                                              .start = r->spec.start,
                                              .max_rows = r->recording.max_rows,
                                              .poll = poll_done,
                                              .poll_data = j},
                                      .scheme_count = r->spec.scheme_count,
                                      .schemes = r->spec.schemes,
                                      .keep = keep_failure,
                                      .keep_data = j};
  dls_status status = dls_study_results_room(j->results, r->spec.scheme_count, err);
  status = status != DLS_OK ? status : dls_energy_study_run(&spec, j->results->ledgers, err);
  for (size_t i = 0; i < r->spec.scheme_count && status == DLS_OK; i++) {
    if (j->results->ledgers[i] != NULL) {
      status = put_rows(j, i, "energy", j->results->ledgers[i]->rows, err);
    }
  }
  return status;
}

static dls_status make_errors(job *j, dls_error *err)
{
  const bool work = j->r->kind == DLS_STUDY_WORK;
  dls_order_spec spec = j->r->spec;
  spec.poll = poll_done;
  spec.poll_data = j;
  dls_status status = dls_order_run(&spec, &j->results->errors, err);
  if (status == DLS_OK && !j->results->errors->complete) {
    const size_t missing = j->results->errors->out_of_memory;
    status = missing > 0 ? dls_fail(err, DLS_ERR_MEMORY, "there was no memory for %zu runs", missing)
                         : dls_fail(err, DLS_ERR_INTERRUPTED, "interrupted");
  }
  if (status == DLS_OK && work) {
    status = dls_work_fit(j->results->errors, j->r->against, &j->results->work, err);
  }
  status = status != DLS_OK ? status : put(j, work ? "work.csv" : "errors.csv", work ? WORK : ERRORS, err);
  status = status != DLS_OK ? status : put(j, work ? "slopes.csv" : "orders.csv", work ? SLOPES : ORDERS, err);
  status = status != DLS_OK || work ? status : put(j, "quality.csv", QUALITY, err);
  if (status == DLS_OK && !work && dls_order_differentiates(&spec)) {
    status = put(j, "derivatives.csv", DERIVATIVES, err);
  }
  return status != DLS_OK ? status : put(j, "study.txt", work ? WORK_REPORT : ORDER_REPORT, err);
}

static dls_status make_local(job *j, dls_error *err)
{
  const dls_local_spec spec = dls_request_local_spec(j->r);
  dls_status status = dls_local_run(&spec, poll_done, j, &j->results->local, err);
  status = status != DLS_OK ? status : put(j, "local.csv", LOCAL_STEPS, err);
  return status != DLS_OK ? status : put(j, "local_orders.csv", LOCAL_ORDERS, err);
}

static dls_status make_spectrum(job *j, dls_error *err)
{
  const dls_spectrum_spec spec = dls_request_spectrum_spec(j->r);
  const dls_status status = dls_spectrum_run(&spec, poll_done, j, &j->results->spectrum, err);
  return status != DLS_OK ? status : put(j, "spectrum.csv", SPECTRUM, err);
}

static dls_status make_sweep(job *j, dls_error *err)
{
  const dls_sweep_spec spec = dls_request_sweep_spec(j->r);
  const dls_status status = dls_sweep_run(&spec, poll_done, j, &j->results->sweep, err);
  return status != DLS_OK ? status : put(j, "sweep.csv", SWEEP, err);
}

static dls_status make_grid(job *j, dls_error *err)
{
  dls_grid_spec spec = dls_request_grid_spec(j->r);
  spec.errors.poll = poll_done;
  spec.errors.poll_data = j;
  dls_status status = dls_grid_create(&spec, &j->results->grid, err);
  status = status != DLS_OK ? status : dls_grid_run(j->results->grid, err);
  return status != DLS_OK ? status : put(j, "sweep.csv", GRID, err);
}

/* The system starts on the cycle, and runs it once. */
static dls_status find_cycle(job *j, dls_error *err)
{
  const dls_status status =
      j->r->cycle != NULL ? dls_request_find_cycle(j->r, j->sys, poll_run, j, &j->results->cycle, err) : DLS_OK;
  if (j->results->cycle != NULL) {
    j->own = *j->r;
    j->own.spec.end = j->results->cycle->period;
    j->r = &j->own;
  }
  return status;
}

static bool poll_fit(void *data, double t)
{
  const job *j = data;
  return poll_done(data, fmin(t / j->fit->data.t[j->fit->data.rows - 1], 1));
}

static dls_status put_fit(job *j, const dls_parameter_fit *fit, dls_error *err)
{
  const bool made = j->r->fit.made.scheme.scheme != NULL;
  if (!fit->converged) {
    dls_error why = {0};
    dls_fail(&why, DLS_ERR_NOCONV, "the iterations did not converge");
    keep_failure(j, 0, DLS_ERR_NOCONV, &why);
  }
  dls_status status = put(j, "estimates.csv", ESTIMATES, err);
  status = status != DLS_OK || !made ? status : put(j, "data.csv", FIT_DATA, err);
  return status != DLS_OK ? status : put(j, "fit.csv", FIT_MOTION, err);
}

static dls_status make_fit(job *j, dls_error *err)
{
  const dls_request *r = j->r;
  dls_fit_table made = {0};
  dls_parameter_fit_spec spec = dls_request_fit_spec(r);
  dls_status status = DLS_OK;
  if (r->fit.made.scheme.scheme != NULL) {
    status = dls_fit_table_make(&r->fit.made, r->spec.of_count, r->spec.of, &made, err);
    spec.data = made.data;
  }
  spec.poll = poll_fit;
  spec.poll_data = j;
  j->fit = &spec;
  status = status != DLS_OK ? status : dls_parameter_fit_run(&spec, &j->results->fit, err);
  spec.poll = NULL;
  status = status != DLS_OK ? status : put_fit(j, j->results->fit, err);
  free(made.block);
  return status;
}

static dls_status make(job *j, dls_error *err)
{
  const dls_request *r = j->r;
  if (r->axis_count > 0) {
    return make_grid(j, err);
  }
  if (r->sweep.axis.count > 0) {
    return make_sweep(j, err);
  }
  switch (r->kind) {
  case DLS_STUDY_ORDER:
  case DLS_STUDY_WORK:
    return make_errors(j, err);
  case DLS_STUDY_SPECTRUM:
    return make_spectrum(j, err);
  case DLS_STUDY_LOCAL:
    return make_local(j, err);
  case DLS_STUDY_FIT:
    return make_fit(j, err);
  default:
    break;
  }
  dls_status status = dls_model_create(r->model.model, r->model.parameters, &j->sys, err);
  status = status != DLS_OK ? status : find_cycle(j, err);
  return status != DLS_OK ? status : r->kind == DLS_STUDY_ENERGY ? make_ledgers(j, err) : make_runs(j, err);
}

static dls_status check(const dls_study *study, dls_error *err)
{
  if (study == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "there is no such study: the file has fewer, or problems");
  }
  if (study->external_count > 0) {
    return dls_fail(
        err, DLS_ERR_NOT_APPLICABLE,
        "%zu:%zu: the study starts other programs, which only the tool does: save the text as a file, then run "
        "`delassus study FILE`",
        study->external_line, study->external_column);
  }
  return DLS_OK;
}

static dls_status make_room(const dls_study *study, product *p, dls_error *err)
{
  enum { TABLES = 5 };
  clear(p);
  p->tables = calloc(study->scheme_count + TABLES, sizeof *p->tables);
  p->verdicts = calloc(study->expectation_count + 1, sizeof *p->verdicts);
  return p->tables != NULL && p->verdicts != NULL
             ? DLS_OK
             : dls_fail(err, DLS_ERR_MEMORY, "no memory for the tables of a study");
}

static void judge(const dls_study *study, const dls_study_results *results, product *p)
{
  for (size_t i = 0; i < study->expectation_count; i++) {
    const dls_study_expectation *expected = &study->expectations[i];
    verdict *v = &p->verdicts[p->verdict_count++];
    v->made = dls_study_judge(study, expected, results, "");
    dls_study_describe(study, expected, v->words, sizeof v->words);
  }
}

int dls_flat_file_run(dls_flat_file *file, size_t index, int (*poll)(void *poll_data, double done),
                      void *poll_data, char *error, size_t size)
{
  dls_error err = {0};
  dls_study_results results = {.judged = true};
  const dls_study *study = study_of(file, index);
  dls_status status = check(study, &err);
  status = status != DLS_OK ? status : make_room(study, &file->products[index], &err);
  if (status == DLS_OK) {
    job j = {.r = study->request,
             .p = &file->products[index],
             .results = &results,
             .poll = poll,
             .poll_data = poll_data};
    status = make(&j, &err);
    if (status == DLS_OK) {
      judge(study, &results, j.p);
    }
    if (status == DLS_OK && j.status != DLS_OK) {
      status = j.status;
      err = j.why;
    }
    dls_system_destroy(j.sys);
    dls_study_results_release(&results);
  }
  return dls_flat_report(status, &err, error, size);
}

const char *dls_flat_file_table(const dls_flat_file *file, size_t index, size_t number, const char **text)
{
  const product *p = study_of(file, index) != NULL ? &file->products[index] : NULL;
  if (p == NULL || number >= p->table_count) {
    return NULL;
  }
  if (text != NULL) {
    *text = p->tables[number].text;
  }
  return p->tables[number].name;
}

const char *dls_flat_file_verdict(const dls_flat_file *file, size_t index, size_t number, double values[4],
                                  const char **why)
{
  const dls_study *study = study_of(file, index);
  const product *p = study != NULL ? &file->products[index] : NULL;
  if (p == NULL || number >= p->verdict_count) {
    return NULL;
  }
  const verdict *v = &p->verdicts[number];
  if (values != NULL) {
    values[0] = v->made.value;
    values[1] = study->expectations[number].low;
    values[2] = study->expectations[number].high;
    values[3] = v->made.agrees;
  }
  if (why != NULL) {
    *why = v->made.why;
  }
  return v->words;
}
