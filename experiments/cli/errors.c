/* experiments/cli/errors.c -- the runs of `order` and `work`: summaries, files, pictures, tables.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/errors.h"
#include "common/base/text.h"
#include "experiments/cli/cli.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/journal_folder.h"
#include "experiments/cli/judge_verdict.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/refusals.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/run.h"
#include "experiments/cli/study_folder.h"
#include "experiments/measures/judge/judge.h"
#include "experiments/measures/order/order_derivatives.h"
#include "experiments/measures/order/order_journal.h"
#include "experiments/measures/order/order_lines.h"
#include "experiments/measures/order/order_remarks.h"
#include "experiments/measures/order/published_order.h"
#include "experiments/show/pictures.h"
#include "experiments/show/report_study.h"

#include <delassus/output.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 8 };

enum { LABEL_SIZE = 320 };

static void put_label(dls_cli_rows *rows, const dls_order_study *study, const dls_order_line *line)
{
  char label[LABEL_SIZE];
  dls_order_scheme_label(study, line->scheme, label, sizeof label);
  dls_cli_cell(rows, "%s", label);
}

/* --- orders --- */

static dls_status put_remarks(dls_cli_rows *rows, const dls_order_study *study, const dls_order_line *line,
                              dls_error *err)
{
  char remarks[300];
  const dls_status status = dls_order_remarks(study, line, remarks, sizeof remarks, err);
  dls_cli_cell(rows, "%s", remarks);
  return status;
}

/* Order and interval; NaN: a dash. */
static void put_order(dls_cli_rows *rows, const dls_order_line *line, double order, double low, double high)
{
  const int d = dls_published_order_decimals(line, low, high);
  if (isfinite(order)) {
    dls_cli_cell(rows, "%.*f", d, order);
  } else {
    dls_cli_cell(rows, "-");
  }
  if (isfinite(low)) {
    dls_cli_cell(rows, "[%.*f, %.*f]", d, low, d, high);
  } else {
    dls_cli_cell(rows, "-");
  }
}

/* Against rigid contact and against the limit model, and the distance of the two. */
static dls_status summarize_limits(const dls_order_study *study, FILE *out, dls_error *err)
{
  static const char *const headers[] = {"scheme",      "norm",          "of",      "order", "95 % interval",
                                        "limit order", "95 % interval", "plateau", ""};
  dls_cli_rows rows = {.columns = 9, .headers = headers};
  dls_status status = DLS_OK;
  for (size_t i = 0; i < study->line_count && status == DLS_OK; i++) {
    const dls_order_line *line = &study->lines[i], *limit = &study->limit->lines[i];
    put_label(&rows, study, line);
    dls_cli_cell(&rows, "%s", study->spec.norms[line->norm]->name);
    dls_cli_cell(&rows, "%s", study->spec.of[line->of]);
    put_order(&rows, line, line->fit.order, line->fit.ci_low, line->fit.ci_high);
    put_order(&rows, limit, limit->fit.order, limit->fit.ci_low, limit->fit.ci_high);
    dls_cli_cell(&rows, isnan(limit->plateau) ? "none" : "%.3g", limit->plateau);
    status = put_remarks(&rows, study, line, err);
  }
  const dls_status printed =
      dls_cli_rows_print(&rows, "orders against rigid contact and against the limit model\n", out, err);
  return status != DLS_OK ? status : printed;
}

static dls_status summarize_orders(const dls_order_study *study, FILE *out, dls_error *err)
{
  static const char *const headers[] = {"scheme",  "norm",          "of", "order", "95 % interval",
                                        "medians", "95 % interval", ""};
  dls_cli_rows rows = {.columns = 8, .headers = headers};
  dls_status status = DLS_OK;
  for (size_t i = 0; i < study->line_count && status == DLS_OK; i++) {
    const dls_order_line *line = &study->lines[i];
    put_label(&rows, study, line);
    dls_cli_cell(&rows, "%s", study->spec.norms[line->norm]->name);
    dls_cli_cell(&rows, "%s", study->spec.of[line->of]);
    put_order(&rows, line, line->fit.order, line->fit.ci_low, line->fit.ci_high);
    put_order(&rows, line, line->medians.order, line->medians.ci_low, line->medians.ci_high);
    status = put_remarks(&rows, study, line, err);
  }
  const dls_status printed = dls_cli_rows_print(&rows, "orders\n", out, err);
  return status != DLS_OK ? status : printed;
}

/* --- work --- */

enum { MOST_TARGETS = 5, TARGET_SIZE = 40 };

/* Round errors within those of the study. */
typedef struct targets {
  size_t count;
  double errors[MOST_TARGETS];
  char headers[MOST_TARGETS][TARGET_SIZE];
} targets;

/* Powers of ten whose exponents are multiples of the least number that leaves at most MOST_TARGETS of them. */
static void choose_targets(const dls_work_study *study, size_t norm, size_t of, targets *out)
{
  double low = HUGE_VAL, high = 0;
  const double floor_error = study->runs->floors != NULL ? study->runs->floors[of] : 0;
  for (size_t i = 0; i < study->runs->point_count; i++) {
    const dls_order_point *point = &study->runs->points[i];
    if (point->norm == norm && point->of == of && point->error.value > floor_error) { /* not NaN */
      low = fmin(low, point->error.value);
      high = fmax(high, point->error.value);
    }
  }
  out->count = 0;
  if (!(high > 0)) {
    return;
  }
  const int first = (int)floor(log10(high));
  const int last = (int)ceil(log10(low));
  int stride = 1;
  while (first / stride - last / stride >= MOST_TARGETS) {
    stride++;
  }
  for (int exponent = first; exponent >= last && out->count < MOST_TARGETS; exponent--) {
    if (exponent % stride == 0) {
      out->errors[out->count] = pow(10, exponent);
      snprintf(out->headers[out->count++], TARGET_SIZE, "1e%d", exponent);
    }
  }
}

/* What stands where a slope would be. */
static void put_reasons(const dls_work_study *study, size_t norm, size_t of, FILE *out)
{
  for (size_t i = 0; i < study->line_count; i++) {
    const dls_order_line *line = &study->lines[i];
    char label[LABEL_SIZE];
    if (line->norm == norm && line->of == of && !line->fitted) {
      dls_order_scheme_label(study->runs, line->scheme, label, sizeof label);
      fprintf(out, "  no slope: %s: %s\n", label, line->reason);
    }
  }
}

static void put_need(dls_cli_rows *rows, dls_work_need need)
{
  static const char *const marks[] = {
      [DLS_NEED_MEASURED] = "", [DLS_NEED_AT_MOST] = "<", [DLS_NEED_EXTRAPOLATED] = "~"};
  rows->pool.failed = rows->pool.failed || need.kind == DLS_NEED_NO_MEMORY;
  if (isfinite(need.work)) {
    dls_cli_cell(rows, "%s%.3g", marks[need.kind], need.work);
  } else {
    dls_cli_cell(rows, "-");
  }
}

/* Slope, interval, needs, scheme. */
static void put_row(dls_cli_rows *rows, const dls_work_study *study, const dls_order_line *line,
                    const targets *t)
{
  dls_cli_cell(rows, line->fitted ? "%.2f" : "-", line->fit.order);
  dls_cli_cell(rows, line->fitted ? "[%.2f, %.2f]" : "-", line->fit.ci_low, line->fit.ci_high);
  for (size_t i = 0; i < t->count; i++) {
    put_need(rows, dls_work_needed(study, line, t->errors[i]));
  }
  put_label(rows, study->runs, line);
}

static dls_status put_table(const dls_work_study *study, size_t norm, size_t of, FILE *out, dls_error *err)
{
  const dls_order_spec *spec = &study->runs->spec;
  const char *headers[MOST_TARGETS + 3] = {"slope", "95 % interval"};
  char heading[200];
  targets t;
  choose_targets(study, norm, of, &t);
  for (size_t i = 0; i < t.count; i++) {
    headers[2 + i] = t.headers[i];
  }
  headers[2 + t.count] = "scheme";
  dls_cli_rows rows = {.columns = t.count + 3, .headers = headers};
  for (size_t i = 0; i < study->line_count; i++) {
    if (study->lines[i].norm == norm && study->lines[i].of == of) {
      put_row(&rows, study, &study->lines[i], &t);
    }
  }
  snprintf(heading, sizeof heading, "%s needed for an error of %.60s, %.60s, of\n",
           dls_work_name(study->against), spec->of[of], spec->norms[norm]->name);
  const dls_status status = dls_cli_rows_print(&rows, heading, out, err);
  put_reasons(study, norm, of, out);
  fputc('\n', out);
  return status;
}

static dls_status summarize_work(const dls_work_study *study, FILE *out, dls_error *err)
{
  const dls_order_spec *spec = &study->runs->spec;
  dls_status status = DLS_OK;
  for (size_t norm = 0; norm < spec->norm_count; norm++) {
    for (size_t of = 0; of < spec->of_count && status == DLS_OK; of++) {
      status = put_table(study, norm, of, out, err);
    }
  }
  fputs("<: the cheapest level is more accurate; ~: by the fitted slope, no level is as accurate;\n"
        "-: out of reach, or no slope to tell\n",
        out);
  return status;
}

typedef struct study {
  const dls_request *request;
  const dls_cli_file *files;
  dls_study_results *results;
  dls_order_spec spec;
  dls_cli_folder folder;
  dls_journal *journal; /* in the folder; NULL: there is no folder */
  size_t taken;         /* runs taken over from it */
} study;

static void name_picture(const study *s, size_t norm, size_t of, char *name, size_t size)
{
  snprintf(name, size, "%s_%.60s_%.60s", s->request->command, s->spec.norms[norm]->name, s->spec.of[of]);
  for (char *c = strpbrk(name, ":=/"); c != NULL; c = strpbrk(c, ":=/")) {
    *c = '-'; /* lp:p=3; not every system has files with such names */
  }
}

static dls_journal_form form_of(const void *spec)
{
  return dls_order_journal_form(spec);
}

static dls_status attach(dls_journal *journal, void *spec, dls_error *err)
{
  (void)err;
  dls_order_journal_attach(journal, spec);
  return DLS_OK;
}

const dls_cli_journal_kind dls_cli_order_runs = {"run", form_of, attach};

static dls_status open_folder(study *s, dls_error *err)
{
  char name[160];
  const bool is_part = s->spec.shards > 0; /* which draws nothing */
  name_picture(s, 0, 0, name, sizeof name);
  dls_status status = is_part ? DLS_OK : dls_cli_check_page(s->request, err);
  status = status != DLS_OK
               ? status
               : dls_cli_folder_open(s->request, is_part ? NULL : name, s->files[0].name, &s->folder, err);
  if (status == DLS_OK && s->folder.path != NULL && s->request->judged == NULL) {
    status = dls_cli_journal_open(s->request, &s->folder, &dls_cli_order_runs, &s->spec, &s->spec.merged,
                                  &s->taken, &s->journal, err);
  }
  if (status != DLS_OK) {
    dls_cli_folder_drop(&s->folder);
  }
  return status;
}

static dls_status measure(study *s, dls_error *err)
{
  dls_study_results *results = s->results;
  if (s->request->judged == NULL) {
    return dls_order_run(&s->spec, &results->errors, err);
  }
  const dls_status status = dls_judge(&s->spec, s->request->judged, &results->judgement, err);
  results->errors = results->judgement != NULL ? results->judgement->errors : NULL;
  return status;
}

static dls_status make_runs(study *s, dls_error *err)
{
  dls_cli_progress progress = dls_cli_progress_start(s->request->progress, s->spec.model->name, 1);
  s->spec.poll = dls_cli_progress_poll;
  s->spec.poll_data = &progress;
  dls_status status = measure(s, err);
  dls_cli_progress_end(&progress, status == DLS_OK && s->results->errors->complete);
  if (status != DLS_OK) {
    dls_journal_close(s->journal); /* which leaves no file without a run */
    s->journal = NULL;
    dls_cli_folder_drop(&s->folder);
  } else if (s->request->kind == DLS_STUDY_WORK) {
    status = dls_work_fit(s->results->errors, s->request->against, &s->results->work, err);
  }
  return status;
}

/* study.txt says the command that makes the folder; files that were judged have none. */
static dls_status write_command(const study *s, FILE *out)
{
  if (s->request->judged != NULL) {
    return DLS_OK;
  }
  char *text = dls_command_made_by(s->request);
  if (text == NULL) {
    return DLS_ERR_MEMORY;
  }
  fprintf(out, "command: %s\n", text);
  free(text);
  return DLS_OK;
}

static dls_status write_text(const study *s, const dls_cli_file *file, FILE *out)
{
  if (strcmp(file->name, "study.txt") == 0 && write_command(s, out) != DLS_OK) {
    return DLS_ERR_MEMORY;
  }
  return file->write_order != NULL  ? file->write_order(s->results->errors, out)
         : file->write_work != NULL ? file->write_work(s->results->work, out)
                                    : file->write_judgement(s->results->judgement, out);
}

/* The text files: all of them written, then all of them put in place. */
static dls_status write_texts(const study *s, dls_error *err)
{
  dls_output *outputs[MOST_FILES] = {NULL};
  dls_status status = DLS_OK;
  for (size_t i = 0; s->files[i].name != NULL && status == DLS_OK; i++) {
    if (s->files[i].of_derivatives && !dls_order_differentiates(&s->spec)) {
      continue;
    }
    status = dls_cli_folder_output(&s->folder, s->files[i].name, &outputs[i], err);
    const dls_status written =
        status == DLS_OK ? write_text(s, &s->files[i], dls_output_stream(outputs[i])) : DLS_OK;
    if (written != DLS_OK) {
      status = dls_fail(err, written == DLS_ERR_MEMORY ? written : DLS_ERR_IO, "%s '%.200s/%s'",
                        written == DLS_ERR_MEMORY ? "no memory for" : "cannot write", s->folder.path,
                        s->files[i].name);
    }
  }
  for (size_t i = 0; s->files[i].name != NULL; i++) {
    if (outputs[i] == NULL) {
      continue;
    }
    if (status == DLS_OK) {
      status = dls_output_commit(outputs[i], err);
    } else {
      dls_output_abandon(outputs[i]);
    }
  }
  return status;
}

static dls_status draw(const dls_study_results *results, size_t norm, size_t of, const dls_canvas *canvas,
                       dls_error *err)
{
  return results->work != NULL ? dls_draw_work(results->work, norm, of, canvas, err)
                               : dls_draw_order(results->errors, norm, of, canvas, err);
}

/* order_restitution and so on, beside the pictures of the errors. */
static dls_status draw_contacts(const study *s, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < DLS_CONTACT_PICTURES && status == DLS_OK; i++) {
    const dls_contact_picture *what = &dls_contact_pictures[i];
    if (dls_order_has_contacts(s->results->errors, what)) {
      char path[DLS_CLI_PATH_SIZE];
      status = dls_cli_folder_picture(&s->folder, what->name, path, err);
      const dls_canvas canvas = dls_canvas_file(path, &s->folder.form);
      status = status == DLS_OK ? dls_draw_contacts(s->results->errors, what, &canvas, err) : status;
      dls_cli_drawn(path, status);
    }
  }
  return status;
}

static dls_status draw_pictures(const study *s, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < s->spec.norm_count; i++) {
    for (size_t j = 0; j < s->spec.of_count; j++) {
      char name[160], path[DLS_CLI_PATH_SIZE];
      name_picture(s, i, j, name, sizeof name);
      const dls_status named = dls_cli_folder_picture(&s->folder, name, path, status == DLS_OK ? err : NULL);
      const dls_canvas canvas = dls_canvas_file(path, &s->folder.form);
      if (status == DLS_OK) {
        status = named != DLS_OK ? named : draw(s->results, i, j, &canvas, err);
      }
      dls_cli_drawn(path, status);
    }
  }
  return status == DLS_OK && s->results->work == NULL ? draw_contacts(s, err) : status;
}

static size_t count_failures(const dls_order_study *runs)
{
  size_t failures = 0;
  for (size_t i = 0; i < runs->point_count; i++) {
    failures += runs->points[i].reason[0] != '\0';
  }
  return failures;
}

static dls_status put_page(dls_report *report, const void *data, dls_error *err)
{
  const dls_study_results *results = data;
  const dls_status status = results->work != NULL ? dls_report_work(report, results->work, err)
                                                  : dls_report_order(report, results->errors, err);
  return status != DLS_OK || results->judgement == NULL
             ? status
             : dls_cli_report_verdict(report, results->judgement, err);
}

static dls_status write_page(const study *s, dls_error *err)
{
  static const char *const kinds[] = {"Convergence study", "Work and precision", "Judgement"};
  static const char *const questions[] = {
      "How does the error of each scheme shrink with its time step?",
      "What does each scheme have to work for an error?",
      "How does the error of each program shrink with its time step, and what does it "
      "do at the contacts?"};
  const size_t kind = s->results->judgement != NULL ? 2 : s->results->work != NULL;
  const dls_cli_page page = {kinds[kind], questions[kind], put_page, s->results};
  return dls_cli_write_page(s->request, &page, err);
}

/* For people: the summary first. */
static dls_status write_order(const dls_order_study *runs, bool levels, FILE *out, dls_error *err)
{
  dls_status status = dls_order_write_heading(runs, out);
  status = status != DLS_OK      ? status
           : runs->limit != NULL ? summarize_limits(runs, out, err)
                                 : summarize_orders(runs, out, err);
  status = status != DLS_OK ? status : dls_order_write_notes(runs, out);
  if (status == DLS_OK && levels) {
    fputs("levels\n\n", out);
    status = dls_order_write_levels(runs, out);
  }
  return status;
}

/* For people: levels, then a summary. */
static dls_status write_table(const study *s, FILE *out, dls_error *err)
{
  const dls_study_results *results = s->results;
  if (results->work == NULL && results->judgement == NULL) {
    return write_order(results->errors, s->request->levels, out, err);
  }
  const bool work = results->work != NULL;
  const dls_status status =
      work ? dls_work_write_table(results->work, out) : dls_order_write_table(results->errors, out);
  return status != DLS_OK ? status
         : work           ? summarize_work(results->work, out, err)
                          : dls_cli_verdict(results->judgement, out, err);
}

/* The table as a whole or not at all: a part of one would be taken for all of it. Its first line describes the reference and is
 * wrapped. */
static dls_status print_table(const study *s, dls_error *err)
{
  char *text = NULL;
  size_t size = 0;
  FILE *stream = dls_text_stream(&text, &size);
  dls_status status = stream != NULL ? write_table(s, stream, err) : DLS_ERR_MEMORY;
  if (stream != NULL && fclose(stream) != 0 && status == DLS_OK) {
    status = DLS_ERR_MEMORY;
  }
  if (status == DLS_OK) {
    char *rest = strchr(text, '\n'); /* each table has this line */
    *rest++ = '\0';
    dls_cli_wrap(stdout, text, 0, 2);
    fwrite(rest, 1, size - (size_t)(rest - text), stdout); /* whether it got there main finds out in the end */
  } else if (err->text[0] == '\0') {
    dls_fail(err, status, "%s", dls_status_text(status));
  }
  free(text);
  return status;
}

/* Runs that did what physics forbids: their errors may be those of another motion. */
static void report_warnings(const study *s)
{
  const dls_order_study *runs = s->results->errors;
  const size_t measures = s->spec.norm_count * s->spec.of_count;
  dls_warning_tally tally = {0};
  for (size_t i = 0; i < runs->point_count; i += measures) {
    const dls_quality *quality = &runs->points[i].quality;
    dls_warning_tally_add(&tally, quality->warnings, quality->explained);
  }
  dls_cli_report_warned(s->request->command, &tally);
}

/* What is missing in the results, and how to get it. */
static void report_missing(const study *s, size_t failures)
{
  const char *command = s->request->command;
  const dls_order_study *runs = s->results->errors;
  if (failures > 0) {
    dls_cli_message(command, "%zu of %zu measurements failed; the table says why", failures, runs->point_count);
  }
  if (runs->out_of_memory > 0) {
    dls_error err = {0};
    dls_fail(&err, DLS_ERR_MEMORY, "there was no memory for %zu runs", runs->out_of_memory);
    dls_cli_fail(s->request->command, &err);
  }
  if (s->folder.path != NULL && !runs->complete) {
    dls_cli_message(command, "%sthe finished runs are in '%s': continue with --resume",
                    runs->out_of_memory > 0 ? "" : "interrupted; ", s->folder.path);
  }
}

static size_t count_runs(const study *s)
{
  return s->results->errors->point_count / (s->spec.norm_count * s->spec.of_count);
}

static int when_late(const study *s, int code)
{
  return dls_cli_journal_late(s->request, &dls_cli_order_runs, s->results->errors->complete, count_runs(s),
                              s->taken, code);
}

static int finish_part(const study *s)
{
  dls_error err = {0};
  const dls_order_study *runs = s->results->errors;
  const dls_status status =
      dls_cli_journal_part(s->request, &dls_cli_order_runs, runs->complete, count_runs(s), s->journal, &err);
  report_missing(s, count_failures(runs));
  return status != DLS_OK ? dls_cli_fail(s->request->command, &err)
                          : when_late(s, runs->out_of_memory == 0 ? DLS_EXIT_DONE : DLS_EXIT_FAILED);
}

/* Files first, so that a reader of standard output who leaves early costs none of them. @return the exit code */
static int finish(const study *s)
{
  dls_error err = {0};
  dls_error why = {0};
  dls_status status = DLS_OK;
  const dls_order_study *runs = s->results->errors;
  const size_t failures = count_failures(runs);
  const bool useless = failures == runs->point_count;
  if (s->folder.path != NULL) {
    status = write_texts(s, &err);
    const bool pictures = s->folder.format != NULL && !useless;
    status = status == DLS_OK && pictures ? draw_pictures(s, &err) : status;
    status = status == DLS_OK && runs->complete && s->journal != NULL ? dls_journal_complete(s->journal, &err)
                                                                      : status;
  }
  status = status == DLS_OK ? write_page(s, &err) : status;
  const bool printed = print_table(s, &why) == DLS_OK;
  if (!printed) {
    dls_cli_message(s->request->command, "the table is not printed: %s", why.text);
  }
  report_warnings(s);
  report_missing(s, failures);
  const bool whole = printed && !useless && runs->out_of_memory == 0;
  return status != DLS_OK ? dls_cli_fail(s->request->command, &err)
                          : when_late(s, whole ? DLS_EXIT_DONE : DLS_EXIT_FAILED);
}

int dls_cli_measure_errors(const dls_request *request, const dls_cli_file *files, dls_study_results *results)
{
  dls_error err = {0};
  study s = {.request = request, .files = files, .results = results, .spec = request->spec};
  const bool good = (request->judged != NULL || dls_cli_check_schemes(request, &err) == DLS_OK) &&
                    open_folder(&s, &err) == DLS_OK && make_runs(&s, &err) == DLS_OK;
  const int code = !good               ? dls_cli_fail(request->command, &err)
                   : s.spec.shards > 0 ? finish_part(&s)
                                       : finish(&s);
  dls_journal_close(s.journal);
  return code;
}
