/* experiments/show/report_study.c -- the parts that every study has on its page: question, model, schemes, provenance.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/report_study.h"
#include "common/base/text.h"
#include "experiments/campaign/machine.h"
#include "experiments/campaign/provenance.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void dls_report_question(dls_report *report, const char *question, const char *command)
{
  dls_report_section(report, "Question");
  dls_report_paragraph(report, "%s", question);
  dls_report_preformatted(report, command);
}

static void put_parameters(dls_report *report, const dls_option *table, const double *values)
{
  static const char *const headers[] = {"parameter", "value", "unit", "default", "meaning"};
  if (dls_option_count(table) == 0) {
    return;
  }
  dls_report_table_begin(report, "", 5, headers);
  for (size_t i = 0; i < dls_option_count(table); i++) {
    char value[40], initial[40];
    dls_option_format(&table[i], values[i], value, sizeof value);
    dls_option_format(&table[i], table[i].initial, initial, sizeof initial);
    dls_report_cell(report, "%s", table[i].name);
    dls_report_cell(report, "%s", value);
    dls_report_cell(report, "%s", strcmp(table[i].unit, "1") != 0 ? table[i].unit : "–");
    dls_report_cell(report, "%s", strcmp(value, initial) == 0 ? "" : initial);
    dls_report_cell(report, "%s", table[i].help);
  }
  dls_report_table_end(report);
}

/* Entries made at run time (external programs, judged files, entries of library users) may lack any text but their name. */
static void put_description(dls_report *report, const char *summary, const char *equations)
{
  if (summary != NULL) {
    dls_report_paragraph(report, "%s.", summary);
  }
  if (equations != NULL) {
    dls_report_preformatted(report, equations);
  }
}

static void put_entry(dls_report *report, const char *name, const char *text)
{
  if (text != NULL) {
    dls_report_entry(report, name, "%s", text);
  }
}

void dls_report_model(dls_report *report, const dls_model *model, const double *parameters,
                      const dls_exact *exact)
{
  char title[120];
  snprintf(title, sizeof title, "Model: %.100s", model->name);
  dls_report_section(report, title);
  put_description(report, model->summary, model->equations);
  put_parameters(report, model->parameters, parameters);
  put_entry(report, "files", model->origin);
  put_entry(report, "exact solution", exact != NULL ? exact->summary : "none");
  put_entry(report, "source", model->source);
}

/* The value of an option as it was written, or NULL. */
static const char *given_value(const dls_scheme_choice *choice, const char *name, int *length)
{
  const size_t size = strlen(name);
  for (const char *at = choice->options; *at != '\0'; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
    if (strncmp(at, name, size) == 0 && at[size] == '=') {
      *length = (int)strcspn(at + size + 1, ",");
      return at + size + 1;
    }
  }
  return NULL;
}

static void put_options(dls_report *report, const dls_scheme_choice *choice)
{
  static const char *const headers[] = {"option", "value", "unit", "default", "meaning"};
  const dls_option *table = choice->scheme->options;
  if (dls_option_count(table) == 0) {
    dls_report_paragraph(report, "It has no options.");
    return;
  }
  dls_report_table_begin(report, "", 5, headers);
  for (size_t i = 0; i < dls_option_count(table); i++) {
    char initial[40];
    int length = 0;
    const char *given = given_value(choice, table[i].name, &length);
    dls_option_format(&table[i], table[i].initial, initial, sizeof initial);
    dls_report_cell(report, "%s", table[i].name);
    dls_report_cell(report, "%.*s", given != NULL ? length : (int)strlen(initial),
                    given != NULL ? given : initial);
    dls_report_cell(report, "%s", strcmp(table[i].unit, "1") != 0 ? table[i].unit : "–");
    dls_report_cell(report, "%s", given != NULL ? initial : "");
    dls_report_cell(report, "%s", table[i].help);
  }
  dls_report_table_end(report);
}

static bool is_first(const dls_scheme_choice *schemes, size_t i)
{
  for (size_t j = 0; j < i; j++) {
    if (schemes[j].scheme == schemes[i].scheme) {
      return false;
    }
  }
  return true;
}

void dls_report_schemes(dls_report *report, size_t count, const dls_scheme_choice *schemes)
{
  dls_report_section(report, count == 1 ? "Scheme" : "Schemes");
  for (size_t i = 0; i < count; i++) {
    const dls_scheme *scheme = schemes[i].scheme;
    char title[300];
    snprintf(title, sizeof title, "%.80s%s%.200s", scheme->name, schemes[i].options[0] != '\0' ? ": " : "",
             schemes[i].options);
    dls_report_heading(report, title);
    if (is_first(schemes, i)) {
      put_description(report, scheme->summary, scheme->equations);
    } else {
      dls_report_paragraph(report, "As above, with these options:");
    }
    put_options(report, &schemes[i]);
    if (is_first(schemes, i)) {
      if (scheme->remarks != NULL) {
        dls_report_paragraph(report, "%s", scheme->remarks);
      }
      put_entry(report, "source", scheme->source);
    }
  }
}

static void put_provenance(void *report, const char *key, const char *value)
{
  dls_report_entry(report, key, "%s", value);
}

void dls_report_provenance(dls_report *report, const struct dls_catalogue *catalogue, const char *seed)
{
  const time_t now = time(NULL);
  struct tm date;
  char text[40] = "unknown";
  char cpu[DLS_CPU_ROOM];
  if (gmtime_r(&now, &date) != NULL) {
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &date);
  }
  dls_machine_cpu(cpu, sizeof cpu);
  dls_report_section(report, "Provenance");
  dls_report_entry(report, "version", "delassus %s", DLS_VERSION);
  dls_provenance(catalogue, put_provenance, report);
  dls_report_entry(report, "processor", "%s", cpu);
  dls_report_entry(report, "date", "%s", text);
  dls_report_entry(report, "seed", "%s", seed);
}

static void put_sequence(dls_report *report, const char *name, double first, double last, const char *unit,
                         size_t levels, size_t repeats)
{
  if (levels > 0) {
    dls_report_entry(report, name, "%g to %g%s, %zu levels, %zu run%s each%s", first, last, unit, levels,
                     repeats, repeats == 1 ? "" : "s", repeats > 1 ? " with values drawn around the mean" : "");
  }
}

void dls_report_settings(dls_report *report, const dls_order_study *study)
{
  const dls_order_spec *spec = &study->spec;
  dls_report_entry(report, "time", "0 to %g s", spec->end);
  put_sequence(report, "steps", spec->h_first, spec->h_last, " s", spec->levels, spec->repeats);
  put_sequence(report, "tolerances", spec->tol_first, spec->tol_last, "", spec->tol_levels, spec->repeats);
  dls_report_entry(report, "seed", "%lu", spec->seed);
  dls_report_entry(report, "compared with", "%s", study->reference);
  for (size_t i = 0; i < spec->norm_count; i++) {
    dls_report_entry(report, "measure", "%s: %s", spec->norms[i]->name, spec->norms[i]->summary);
  }
  if (!study->complete) {
    dls_report_warning(report, study->out_of_memory > 0
                                   ? "Some runs ran out of memory and are missing."
                                   : "The study was interrupted: unfinished runs are missing.");
  }
}

void dls_report_findings(dls_report *report, const char *text)
{
  size_t findings = 0;
  for (const char *line = text; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
    const bool failed = strncmp(line, "failed: ", 8) == 0;
    if (failed || strncmp(line, "warning: ", 9) == 0) {
      dls_report_entry(report, failed ? "failed" : "warning", "%.*s",
                       (int)strcspn(line, "\n") - (failed ? 8 : 9), line + (failed ? 8 : 9));
      findings++;
    }
  }
  if (findings == 0) {
    dls_report_paragraph(report, "No run failed, and there are no warnings.");
  }
}

char *dls_report_text(dls_status (*write)(const void *data, FILE *out), const void *data)
{
  char *text = NULL;
  size_t size = 0;
  FILE *stream = dls_text_stream(&text, &size);
  const dls_status status = stream != NULL ? write(data, stream) : DLS_ERR_MEMORY;
  if (stream == NULL || fclose(stream) != 0 || status != DLS_OK) {
    free(text);
    return NULL;
  }
  return text;
}

typedef struct drawing {
  dls_status (*draw)(const void *data, const dls_canvas *canvas, dls_error *err);
  const void *data;
  bool narrow;
} drawing;

static dls_status draw_text(const drawing *d, char **text, dls_error *err)
{
  size_t size = 0;
  FILE *stream = dls_text_stream(text, &size);
  if (stream == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a picture of the report");
  }
  const dls_status status = d->draw(d->data, &(dls_canvas){.stream = stream, .narrow = d->narrow}, err);
  return fclose(stream) == 0 || status != DLS_OK
             ? status
             : dls_fail(err, DLS_ERR_MEMORY, "no memory for a picture of the report");
}

dls_status dls_report_picture(dls_report *report,
                              dls_status (*draw)(const void *data, const dls_canvas *canvas, dls_error *err),
                              const void *data, const char *title, const char *caption, dls_error *err)
{
  char *texts[2] = {NULL, NULL};
  dls_status status = DLS_OK;
  for (int i = 0; i < 2 && status == DLS_OK; i++) {
    const drawing d = {draw, data, i == 1};
    status = draw_text(&d, &texts[i], err);
  }
  if (status == DLS_OK) {
    status = dls_report_figure(report, texts[0], texts[1], title, caption, err);
  }
  free(texts[0]);
  free(texts[1]);
  return status;
}
