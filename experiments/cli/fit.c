/* experiments/cli/fit.c -- `delassus fit`: parameters of a model from a measured motion, with confidence intervals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/foreign_tables.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/study_folder.h"

#include "common/base/memory.h"
#include "experiments/campaign/provenance.h"
#include "experiments/show/plot_fit.h"
#include "experiments/show/report_study.h"
#include <delassus/output.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWN_TIMES = 1000 }; /* of the curve of a picture */

static const char table_file[] = "estimates.csv", motion_file[] = "fit.csv", made_file[] = "data.csv",
                  picture_file[] = "fit";

/* A fit that was made, and what its pictures show. */
typedef struct job {
  const dls_request *request;
  dls_parameter_fit_spec spec;
  const dls_fit_table *table;
  const dls_parameter_fit *fit;
  bool to_file; /* --out is one, not a folder */
  dls_fit_picture picture;
  double *curve; /* its block; NULL: nothing is drawn */
} job;

static dls_status no_memory(dls_error *err)
{
  return dls_fail(err, DLS_ERR_MEMORY, "out of memory");
}

/* --- results --- */

/* The exit code. Expectations of a study judge whether parameters are identifiable. */
static int judge_fit(const dls_parameter_fit *fit, bool judged)
{
  bool good = fit->converged;
  for (size_t k = 0; k < fit->by_count; k++) {
    good = good && (judged || fit->estimates[k].identifiable);
  }
  return good ? DLS_EXIT_DONE : DLS_EXIT_FAILED;
}

/* NaN if one of the two is not identifiable. */
static double correlation(const dls_parameter_fit *fit, size_t k, size_t l)
{
  const double *C = fit->covariance;
  const size_t n = fit->by_count;
  return isfinite(C[k * n + l]) ? C[k * n + l] / sqrt(C[k * n + k] * C[l * n + l]) : NAN;
}

static void report_data(const job *j)
{
  const dls_request_fit *asked = &j->request->fit;
  const char *command = j->request->command;
  if (asked->file != NULL) {
    dls_cli_report_layout(command, asked->path, asked->file, NULL);
  }
  if (j->table->jumps > 0) {
    dls_cli_message(command, "%s: %zu time%s with two rows, the limits of a jump, left out", asked->path,
                    j->table->jumps, j->table->jumps == 1 ? "" : "s");
  }
  if (j->table->later > 0) {
    dls_cli_message(command, "%s: %zu row%s after --until left out", asked->path, j->table->later,
                    j->table->later == 1 ? "" : "s");
  }
}

static void report(const job *j)
{
  const char *command = j->request->command;
  const dls_parameter_fit *fit = j->fit;
  const char *const *by = j->spec.by;
  report_data(j);
  dls_cli_message(command, "%zu iteration%s, %zu runs; %zu rows, %zu degree%s of freedom", fit->iterations,
                  fit->iterations == 1 ? "" : "s", fit->runs, fit->rows, fit->freedom,
                  fit->freedom == 1 ? "" : "s");
  for (size_t i = 0; i < fit->of_count; i++) {
    dls_cli_message(command, "%s: rms of the residuals %.4g; noise %.4g (%s)", j->spec.data.of[i], fit->rms[i],
                    fit->sigma[i], j->spec.sigma != NULL ? "given" : "estimated from them");
  }
  for (size_t k = 0; k < fit->by_count; k++) {
    for (size_t l = 0; l < k; l++) {
      if (!isnan(correlation(fit, k, l))) {
        dls_cli_message(command, "correlation of %s and %s: %.3f", by[l], by[k], correlation(fit, k, l));
      }
    }
  }
  for (size_t k = 0; k < fit->by_count; k++) {
    if (fit->estimates[k].status != DLS_DERIVATIVE_OK) {
      dls_cli_message(command, "derivatives with respect to %s: %s", by[k],
                      dls_derivative_status_name(fit->estimates[k].status));
    }
  }
  for (size_t i = 0; i < fit->message_count; i++) {
    dls_cli_message(command, "%s", fit->messages[i]);
  }
}

/* --- files --- */

/* A table with its provenance: the motion, or the data. @return as dls_output_commit */
static dls_status write_file(const job *j, const char *path, bool motion, dls_error *err)
{
  dls_output *out = NULL;
  dls_status status = dls_output_open(path, &out, err);
  if (status != DLS_OK) {
    return status;
  }
  FILE *file = dls_output_stream(out);
  if (motion) {
    status = dls_fit_write_motion(&j->spec, j->fit, file, err);
  } else {
    dls_fit_write_data(&j->spec.data, file);
  }
  if (status != DLS_OK) {
    dls_output_abandon(out);
    return status;
  }
  dls_provenance_stamp(j->request->spec.catalogue, file);
  return dls_output_commit(out, err);
}

/* Data that the study has made: its command reads them. */
static dls_status write_made(const job *j, const dls_cli_folder *folder, dls_error *err)
{
  char path[DLS_CLI_PATH_SIZE];
  const dls_status status = dls_cli_folder_file(folder, made_file, path, err);
  return status != DLS_OK || j->request->fit.made.scheme.scheme == NULL ? status
                                                                        : write_file(j, path, false, err);
}

static dls_status write_table(const job *j, const dls_cli_folder *folder, dls_error *err)
{
  dls_output *out = NULL;
  if (dls_cli_folder_output(folder, table_file, &out, err) != DLS_OK) {
    return err->status;
  }
  dls_fit_write_estimates(&j->spec, j->fit, dls_output_stream(out)); /* commit looks for errors */
  dls_provenance_stamp(j->request->spec.catalogue, dls_output_stream(out));
  return dls_output_commit(out, err);
}

/* --- pictures --- */

/* The curve between the data, at evenly spaced times. */
static dls_status make_picture(job *j, dls_error *err)
{
  const size_t of_count = j->fit->of_count;
  const double end = j->spec.data.t[j->spec.data.rows - 1];
  double *t = calloc(dls_size_product(1 + 2 * of_count, DRAWN_TIMES), sizeof *t);
  j->curve = t;
  if (t == NULL) {
    return no_memory(err);
  }
  double *values = t + DRAWN_TIMES, *half = values + DRAWN_TIMES * of_count;
  for (size_t i = 0; i < DRAWN_TIMES; i++) {
    t[i] = end * (double)i / (DRAWN_TIMES - 1);
  }
  j->picture = (dls_fit_picture){
      .spec = &j->spec, .fit = j->fit, .count = DRAWN_TIMES, .t = t, .values = values, .half = half};
  return dls_parameter_fit_curve(&j->spec, j->fit, DRAWN_TIMES, t, values, half, err);
}

static dls_status draw(const void *data, const dls_canvas *canvas, dls_error *err)
{
  return dls_draw_fit(data, canvas, err);
}

static dls_status draw_file(const job *j, const char *path, dls_error *err)
{
  const dls_canvas canvas = dls_canvas_file(path, &j->request->form);
  return dls_cli_drawn(path, dls_draw_fit(&j->picture, &canvas, err));
}

static dls_status put_page(dls_report *page, const void *data, dls_error *err)
{
  const job *j = data;
  const dls_parameter_fit *fit = j->fit;
  static const char *const headers[] = {"parameter", "estimate", "from", "to", "standard error"};
  dls_report_entry(page, "data", "%zu rows up to t = %g s, %zu degrees of freedom", fit->rows,
                   j->spec.data.t[fit->rows - 1], fit->freedom);
  for (size_t i = 0; i < fit->of_count; i++) {
    dls_report_entry(page, "noise", "%s: %.4g (%s); rms of the residuals %.4g", j->spec.data.of[i],
                     fit->sigma[i], j->spec.sigma != NULL ? "given" : "estimated", fit->rms[i]);
  }
  for (size_t i = 0; i < fit->message_count; i++) {
    dls_report_warning(page, fit->messages[i]);
  }
  dls_report_section(page, "Estimates");
  dls_report_table_begin(page, "", sizeof headers / sizeof headers[0], headers);
  for (size_t k = 0; k < fit->by_count; k++) {
    const dls_estimate *e = &fit->estimates[k];
    dls_report_cell(page, "%s", j->spec.by[k]);
    dls_report_cell(page, "%.6g", e->value);
    dls_report_cell(page, "%.6g", e->low);
    dls_report_cell(page, "%.6g", e->high);
    dls_report_cell(page, "%.2g", e->error);
  }
  dls_report_table_end(page);
  return dls_report_picture(
      page, draw, &j->picture, "Data, fitted motion and residuals",
      "Above data and fitted motion, below the residuals with the band of new data and that "
      "of the fitted motion.",
      err);
}

/* --- the command --- */

static bool ends_with_csv(const char *path)
{
  const size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, ".csv") == 0;
}

static dls_status check(const job *j, dls_cli_folder *folder, dls_error *err)
{
  const dls_request *r = j->request;
  const dls_status status = j->to_file ? dls_cli_check_output(r->out, err)
                                       : dls_cli_folder_open(r, picture_file, table_file, folder, err);
  return status != DLS_OK || dls_cli_check_picture(r->plot, err) != DLS_OK ? err->status
                                                                           : dls_cli_check_page(r, err);
}

static dls_status compute(job *j, dls_fit_table *made, dls_parameter_fit **fit, dls_error *err)
{
  const dls_request *r = j->request;
  if (r->fit.made.scheme.scheme != NULL) {
    if (dls_fit_table_make(&r->fit.made, r->spec.of_count, r->spec.of, made, err) != DLS_OK) {
      return err->status;
    }
    j->table = made;
    j->spec.data = made->data;
  }
  dls_cli_progress progress =
      dls_cli_progress_start(r->progress, "fit", j->table->data.t[j->table->data.rows - 1]);
  j->spec.poll = dls_cli_progress_poll;
  j->spec.poll_data = &progress;
  const dls_status status = dls_parameter_fit_run(&j->spec, fit, err);
  dls_cli_progress_end(&progress, status == DLS_OK);
  j->spec.poll = NULL;
  j->fit = *fit;
  return status;
}

static int write_folder(const job *j, const dls_cli_folder *folder, int code)
{
  const char *command = j->request->command;
  char path[DLS_CLI_PATH_SIZE];
  dls_error err = {0};
  code = dls_cli_written(command, write_table(j, folder, &err), &err, code);
  code = dls_cli_written(command, write_made(j, folder, &err), &err, code);
  dls_status status = dls_cli_folder_file(folder, motion_file, path, &err);
  status = status == DLS_OK ? write_file(j, path, true, &err) : status;
  code = dls_cli_written(command, status, &err, code);
  if (folder->format != NULL) {
    status = dls_cli_folder_picture(folder, picture_file, path, &err);
    status = status == DLS_OK ? draw_file(j, path, &err) : status;
    code = dls_cli_written(command, status, &err, code);
  }
  return code;
}

static int write_results(job *j, const dls_cli_folder *folder, int code)
{
  const dls_request *r = j->request;
  const dls_cli_page page = {
      "Fit", "Which parameters explain the measured motion best, and how certain are they?", put_page, j};
  const bool drawn = r->plot != NULL || (folder->path != NULL && folder->format != NULL) || dls_cli_has_page(r);
  dls_error err = {0};
  report(j);
  dls_fit_write_estimates(&j->spec, j->fit, stdout);
  if (drawn && make_picture(j, &err) != DLS_OK) {
    return dls_cli_fail(r->command, &err);
  }
  if (j->to_file) {
    code = dls_cli_written(r->command, write_file(j, r->out, true, &err), &err, code);
  }
  if (folder->path != NULL) {
    code = write_folder(j, folder, code);
  }
  if (r->plot != NULL) {
    code = dls_cli_written(r->command, draw_file(j, r->plot, &err), &err, code);
  }
  return dls_cli_written(r->command, dls_cli_write_page(r, &page, &err), &err, code);
}

static int perform(const dls_request *r, dls_study_results *results)
{
  dls_error err = {0};
  dls_cli_folder folder = {0};
  dls_fit_table made = {0};
  job j = {.request = r,
           .spec = dls_request_fit_spec(r),
           .table = &r->fit.table,
           .to_file = r->out != NULL && (ends_with_csv(r->out) || strcmp(r->out, "-") == 0)};
  if (check(&j, &folder, &err) != DLS_OK) {
    return dls_cli_fail(r->command, &err);
  }
  const dls_status status = compute(&j, &made, &results->fit, &err);
  const int code = status == DLS_OK ? write_results(&j, &folder, judge_fit(j.fit, results->judged))
                                    : dls_cli_fail(r->command, &err);
  if (status != DLS_OK) {
    dls_cli_folder_drop(&folder);
  }
  free(j.curve);
  free(made.block);
  return code;
}

const dls_cli_command dls_cli_fit = {
    .name = "fit",
    .synopsis = "MODEL DATA.csv",
    .summary = "parameters of a model from a measured motion, with confidence intervals",
    .text =
        "Which restitution, friction, stiffness or start explains a measured motion best, and how certain is "
        "it?\n"
        "DATA.csv has a header and a first column t in s; any other columns may be there. Least squares with\n"
        "derivatives through impacts, stick and slip. Prints CSV: parameter,value,low,high. Messages report "
        "the\n"
        "noise, correlations, and what limits the intervals. Exit status 1 if a parameter is not "
        "identifiable,\n"
        "or the iterations do not converge.\n",
    .page = "reference/fit",
    .examples =
        "  delassus run bouncing-ball --scheme event-driven --set e=0.8 --at 0.5,1,1.5,2,2.5 --out ball.csv\n"
        "  delassus fit bouncing-ball ball.csv --by e,q0 --of q0 --set e=0.7\n"
        "  delassus fit bouncing-ball ball.csv --by e --of q0 --sigma 1e-3 --range e=0.5:0.9 --plot fit.png\n",
    .group = DLS_CLI_MEASURE,
    .keys = DLS_STUDY_FIT,
    .least = 2,
    .most = 2,
    .kind = DLS_STUDY_FIT,
    .perform = perform,
};
