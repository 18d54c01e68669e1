/* experiments/cli/report_page.c -- the page of --report, from its question to its provenance.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/report_page.h"
#include "common/base/text.h"
#include "experiments/cli/command_line.h"
#include "experiments/show/report_study.h"

#include <delassus/catalogue.h>
#include <stdlib.h>
#include <string.h>

/* The command line that makes the page again, in lines that fit a telephone; the caller frees it, NULL if there is no memory. */
static char *command_line(const dls_request *r)
{
  enum { LINE = 40 };
  const dls_study *study = r->study;
  char *text = NULL;
  size_t size = 0;
  FILE *out = dls_text_stream(&text, &size);
  if (out == NULL) {
    return NULL;
  }
  size_t column = dls_command_print_start(r->command, study, out);
  for (size_t i = 0; i < study->argument_count; i++) {
    const dls_study_argument *argument = &study->arguments[i];
    const bool value = !dls_command_is_switch(argument->option);
    const size_t width = strlen(argument->option) + strlen(argument->value) + 4;
    const bool broken = column + width > LINE;
    if (strcmp(argument->option, "progress") == 0) {
      continue;
    }
    fprintf(out, "%s--%s%s", broken ? " \\\n    " : " ", argument->option, value ? " " : "");
    column = (broken ? 4 : column) + width;
    if (value) {
      dls_command_put_word(out, argument->value);
    }
  }
  return fclose(out) == 0 ? text : (free(text), NULL);
}

dls_status dls_cli_check_page(const dls_request *r, dls_error *err)
{
  const char *path = r->report;
  if (path == NULL) {
    return r->page != NULL ? dls_plot_check("figure.svg", err) : DLS_OK;
  }
  const char *ending = strrchr(path, '.');
  if (ending == NULL || (strcmp(ending, ".html") != 0 && strcmp(ending, ".htm") != 0)) {
    return dls_fail(err, DLS_ERR_ARG, "--report '%.250s': a page ends in .html", path);
  }
  const dls_status status = dls_cli_check_output(path, err);
  return status != DLS_OK ? status : dls_plot_check("figure.svg", err);
}

bool dls_cli_has_page(const dls_request *r)
{
  return r->page != NULL || r->report != NULL;
}

/* Question, results, model and schemes. */
static dls_status fill(const dls_request *r, const dls_cli_page *page, dls_report *report, dls_error *err)
{
  char *command = command_line(r);
  if (command == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the report");
  }
  dls_report_question(report, page->question, command);
  free(command);
  const dls_status status = page->write(report, page->data, err);
  if (r->model.model != NULL) { /* a spectrum has none */
    dls_report_model(report, r->model.model, r->model.parameters,
                     dls_catalogue_exact(r->spec.catalogue, r->model.model->name));
  }
  if (r->spec.scheme_count > 0) { /* files that are judged have none */
    dls_report_schemes(report, r->spec.scheme_count, r->spec.schemes);
  }
  return status;
}

static dls_status write_own(const dls_request *r, const dls_cli_page *page, dls_error *err)
{
  dls_report *report = NULL;
  char title[200];
  char seed[60] = "none: nothing is random";
  snprintf(title, sizeof title, "%.80s: %.100s", page->kind,
           r->model.model != NULL ? r->model.model->name : "linear oscillator");
  if ((r->kind & (DLS_STUDY_ORDER | DLS_STUDY_WORK)) != 0 && r->judged == NULL) {
    snprintf(seed, sizeof seed, "%lu", r->spec.seed);
  } else if (r->fit.made.scheme.scheme != NULL) {
    snprintf(seed, sizeof seed, "%lu, of the noise of the data", r->fit.made.seed);
  }
  if (dls_report_begin(title, &report, err) != DLS_OK || fill(r, page, report, err) != DLS_OK) {
    dls_report_abandon(report);
    return err->status;
  }
  dls_report_provenance(report, r->spec.catalogue, seed);
  return dls_report_finish(report, r->report, err);
}

dls_status dls_cli_write_page(const dls_request *request, const dls_cli_page *page, dls_error *err)
{
  if (request->page != NULL) {
    return fill(request, page, request->page, err);
  }
  return request->report != NULL ? write_own(request, page, err) : DLS_OK;
}

typedef struct motion {
  const dls_request *request;
  const dls_comparison *plot;
} motion;

static dls_status put_motion(dls_report *report, const void *data, dls_error *err)
{
  const motion *m = data;
  const dls_request *r = m->request;
  return dls_report_comparison(report, r->model.model, r->model.parameters, m->plot, r->step, r->spec.end, err);
}

dls_status dls_cli_write_motion(const dls_request *request, const char *kind, const char *question,
                                const dls_comparison *plot, dls_error *err)
{
  const motion m = {request, plot};
  const dls_cli_page page = {kind, question, put_motion, &m};
  return dls_cli_write_page(request, &page, err);
}
