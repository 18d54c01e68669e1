/* experiments/cli/report_page.c -- the page of --report, from its question to its provenance.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/report_page.h"
#include "common/base/text.h"
#include "experiments/show/report_study.h"

#include <delassus/catalogue.h>
#include <stdlib.h>
#include <string.h>

void dls_cli_put_word(FILE *out, const char *word)
{
  if (*word != '\0' && word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                         "-_=.,:/+")] == '\0') {
    fputs(word, out);
    return;
  }
  fputc('\'', out);
  for (; *word != '\0'; word++) {
    fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, out);
  }
  fputc('\'', out);
}

/* " --name 'value'", at the end of the line or on one of its own, so that lines fit a telephone. */
static void put_option(FILE *out, const dls_cli_given *given, size_t *column)
{
  enum { LINE = 40 };
  const bool value = given->option->argument != NULL;
  const size_t width = strlen(given->option->name) + strlen(given->value) + 4;
  const bool broken = *column + width > LINE;
  fprintf(out, "%s--%s%s", broken ? " \\\n    " : " ", given->option->name, value ? " " : "");
  *column = (broken ? 4 : *column) + width;
  if (value) {
    dls_cli_put_word(out, given->value);
  }
}

/* The command line that makes the page again; the caller frees it, NULL if there is no memory. */
static char *command_line(const dls_cli_args *args)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = dls_text_stream(&text, &size);
  if (out == NULL) {
    return NULL;
  }
  fprintf(out, "delassus %s", args->command->name);
  size_t column = strlen("delassus ") + strlen(args->command->name);
  for (size_t i = 0; i < args->positional_count; i++) {
    fputc(' ', out);
    dls_cli_put_word(out, args->positional[i]);
    column += strlen(args->positional[i]) + 1;
  }
  for (size_t i = 0; i < args->given_count; i++) {
    if (strcmp(args->given[i].option->name, "progress") != 0) {
      put_option(out, &args->given[i], &column);
    }
  }
  return fclose(out) == 0 ? text : (free(text), NULL);
}

dls_status dls_cli_check_page(const dls_cli_args *args, dls_error *err)
{
  const char *path = dls_cli_value(args, "report");
  if (path == NULL) {
    return args->page != NULL ? dls_plot_check("figure.svg", err) : DLS_OK;
  }
  const char *ending = strrchr(path, '.');
  if (ending == NULL || (strcmp(ending, ".html") != 0 && strcmp(ending, ".htm") != 0)) {
    return dls_fail(err, DLS_ERR_ARG, "--report '%.250s': a page ends in .html", path);
  }
  const dls_status status = dls_cli_check_output(path, err);
  return status != DLS_OK ? status : dls_plot_check("figure.svg", err);
}

bool dls_cli_has_page(const dls_cli_args *args)
{
  return args->page != NULL || dls_cli_value(args, "report") != NULL;
}

/* Question, results, model and schemes. */
static dls_status fill(const dls_cli_args *args, const dls_request *r, const dls_cli_page *page,
                       dls_report *report, dls_error *err)
{
  char *command = command_line(args);
  if (command == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the report");
  }
  dls_report_question(report, page->question, command);
  free(command);
  const dls_status status = page->write(report, page->data, err);
  if (r->model.model != NULL) { /* a spectrum has none */
    dls_report_model(report, r->model.model, r->model.parameters,
                     dls_catalogue_exact(args->catalogue, r->model.model->name));
  }
  if (r->spec.scheme_count > 0) { /* files that are judged have none */
    dls_report_schemes(report, r->spec.scheme_count, r->spec.schemes);
  }
  return status;
}

static dls_status write_own(const dls_cli_args *args, const dls_request *r, const dls_cli_page *page,
                            dls_error *err)
{
  dls_report *report = NULL;
  char title[200];
  char seed[60] = "none: nothing is random";
  snprintf(title, sizeof title, "%.80s: %.100s", page->kind,
           r->model.model != NULL ? r->model.model->name : "linear oscillator");
  if ((r->kind & (DLS_STUDY_ORDER | DLS_STUDY_WORK)) != 0 && r->judged == NULL) {
    snprintf(seed, sizeof seed, "%lu", r->spec.seed);
  }
  dls_status status = dls_report_begin(title, &report, err);
  status = status != DLS_OK ? status : fill(args, r, page, report, err);
  if (status != DLS_OK) {
    dls_report_abandon(report);
    return status;
  }
  dls_report_provenance(report, args->catalogue, seed);
  return dls_report_finish(report, r->report, err);
}

dls_status dls_cli_write_page(const dls_cli_args *args, const dls_request *request, const dls_cli_page *page,
                              dls_error *err)
{
  if (args->page != NULL) {
    return fill(args, request, page, args->page, err);
  }
  return request->report != NULL ? write_own(args, request, page, err) : DLS_OK;
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

dls_status dls_cli_write_motion(const dls_cli_args *args, const dls_request *request, const char *kind,
                                const char *question, const dls_comparison *plot, dls_error *err)
{
  const motion m = {request, plot};
  const dls_cli_page page = {kind, question, put_motion, &m};
  return dls_cli_write_page(args, request, &page, err);
}
