/* experiments/cli/spectrum.c -- `delassus spectrum`: what schemes make of a linear oscillator.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/progress.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/study_folder.h"
#include "experiments/show/pictures.h"
#include "experiments/show/report_study.h"

#include <delassus/output.h>
#include <math.h>

static const char table_file[] = "spectrum.csv", picture_file[] = "spectrum";

static void print_value(dls_cli_rows *rows, double x)
{
  if (isnan(x)) {
    dls_cli_cell(rows, "-");
  } else {
    dls_cli_cell(rows, "%.6g", x);
  }
}

static void print_limit(dls_cli_rows *rows, double limit, double last)
{
  if (isinf(limit)) {
    dls_cli_cell(rows, "%g and more", last);
  } else if (limit == 0) {
    dls_cli_cell(rows, "nowhere");
  } else {
    print_value(rows, limit);
  }
}

/* A row for each scheme and value of --at. */
static dls_status print_table(const dls_spectrum *s, dls_error *err)
{
  const dls_spectrum_spec *spec = &s->spec;
  static const char *const headers[] = {"scheme", "states", "stable up to", "h/T",
                                        "radius", "period", "damping",      "response"};
  const char *shown[4 + DLS_SPECTRUM_QUANTITIES] = {headers[0], headers[1], headers[2], headers[3]};
  dls_cli_rows rows = {.columns = 4 + spec->of_count, .headers = shown};
  for (size_t k = 0; k < spec->of_count; k++) {
    shown[4 + k] = headers[4 + spec->of[k]];
  }
  for (size_t i = 0; i < spec->scheme_count; i++) {
    for (size_t j = 0; j < spec->at_count; j++) {
      const dls_spectrum_point *point = dls_spectrum_find(s, i, spec->at[j]);
      if (point == NULL) {
        continue; /* interrupted before */
      }
      dls_cli_cell(&rows, "%s", spec->labels[i]);
      dls_cli_cell(&rows, "%zu", point->states);
      print_limit(&rows, s->limits[i], fmax(spec->first, spec->last));
      dls_cli_cell(&rows, "%.10g", point->ratio);
      for (size_t k = 0; k < spec->of_count; k++) {
        print_value(&rows, point->values[spec->of[k]]);
      }
    }
  }
  char heading[200];
  snprintf(heading, sizeof heading, "oscillator: damping ratio %g, load at %g of its frequency%s\n",
           spec->oscillator.damping, spec->oscillator.frequency,
           s->complete ? "" : " (interrupted: only what was finished)");
  return dls_cli_rows_print(&rows, heading, stdout, err);
}

static dls_status draw(const void *data, const dls_canvas *canvas, dls_error *err)
{
  return dls_draw_spectrum(data, canvas, err);
}

static dls_status put_page(dls_report *report, const void *data, dls_error *err)
{
  const dls_spectrum *s = data;
  dls_report_entry(report, "oscillator", "damping ratio %g, load at %g of its frequency",
                   s->spec.oscillator.damping, s->spec.oscillator.frequency);
  dls_report_entry(report, "steps", "h/T from %g to %g, %zu values and %zu more", s->spec.first, s->spec.last,
                   s->spec.levels, s->spec.at_count);
  if (!s->complete) {
    dls_report_warning(report, "The study was interrupted: only what was finished is here.");
  }
  dls_report_section(report, "Spectra");
  return dls_report_picture(
      report, draw, s, "Spectra over h/T",
      "Measured from steps of each scheme on the oscillator, over the step h in periods T.", err);
}

static dls_status write_table(const dls_request *r, const dls_cli_folder *folder, const dls_spectrum *s,
                              dls_error *err)
{
  dls_output *out = NULL;
  if (dls_cli_folder_output(folder, table_file, &out, err) != DLS_OK) {
    return err->status;
  }
  dls_spectrum_table(s, r->spec.catalogue, dls_output_stream(out)); /* commit looks for errors */
  return dls_output_commit(out, err);
}

static dls_status draw_file(const dls_spectrum *s, const char *path, const dls_picture_form *form,
                            dls_error *err)
{
  const dls_canvas canvas = dls_canvas_file(path, form);
  return dls_cli_drawn(path, dls_draw_spectrum(s, &canvas, err));
}

static int write_results(const dls_request *r, const dls_cli_folder *folder, const dls_spectrum *s, int code)
{
  const dls_cli_page page = {"Spectra", "What do these schemes make of a linear oscillator?", put_page, s};
  dls_error err = {0};
  if (folder->path != NULL) {
    code = dls_cli_written(r->command, write_table(r, folder, s, &err), &err, code);
  }
  if (folder->path != NULL && folder->format != NULL) {
    char path[DLS_CLI_PATH_SIZE];
    const dls_status named = dls_cli_folder_picture(folder, picture_file, path, &err);
    const dls_status status = named != DLS_OK ? named : draw_file(s, path, &r->form, &err);
    code = dls_cli_written(r->command, status, &err, code);
  }
  if (r->plot != NULL) {
    code = dls_cli_written(r->command, draw_file(s, r->plot, &r->form, &err), &err, code);
  }
  return dls_cli_written(r->command, dls_cli_write_page(r, &page, &err), &err, code);
}

static dls_status check(const dls_request *r, dls_cli_folder *folder, dls_error *err)
{
  if (dls_cli_folder_open(r, picture_file, table_file, folder, err) != DLS_OK ||
      dls_cli_check_picture(r->plot, err) != DLS_OK) {
    return err->status;
  }
  return dls_cli_check_page(r, err);
}

/* Steps that failed: how many, and the first reason. @return their number */
static size_t report_failures(const dls_request *r, const dls_spectrum *s)
{
  size_t failed = 0;
  const dls_spectrum_point *first = NULL;
  for (size_t i = 0; i < s->point_count; i++) {
    if (s->points[i].failure[0] != '\0') {
      first = first == NULL ? &s->points[i] : first;
      failed++;
    }
  }
  if (first != NULL) {
    dls_cli_message(r->command, "steps that failed: %zu; the first is that of %s with h/T = %g: %s", failed,
                    s->spec.labels[first->scheme], first->ratio, first->failure);
  }
  return failed;
}

static int perform(const dls_request *r, dls_study_results *results)
{
  dls_error err = {0};
  dls_cli_folder folder = {0};
  const dls_spectrum_spec spec = dls_request_spectrum_spec(r);
  if (check(r, &folder, &err) != DLS_OK) {
    return dls_cli_fail(r->command, &err);
  }
  dls_cli_progress progress = dls_cli_progress_start(r->progress, "spectrum", 1);
  const dls_status status = dls_spectrum_run(&spec, dls_cli_progress_poll, &progress, &results->spectrum, &err);
  dls_cli_progress_end(&progress, status == DLS_OK);
  int code = status != DLS_OK ? dls_cli_fail(r->command, &err) : DLS_EXIT_DONE;
  const bool nothing = results->spectrum == NULL || results->spectrum->point_count == 0;
  if (nothing || status == DLS_ERR_NOT_APPLICABLE) {
    dls_cli_folder_drop(&folder);
    return code;
  }
  code = dls_cli_written(r->command, print_table(results->spectrum, &err), &err, code);
  code = report_failures(r, results->spectrum) > 0 && code == DLS_EXIT_DONE ? DLS_EXIT_FAILED : code;
  return write_results(r, &folder, results->spectrum, code);
}

const dls_cli_command dls_cli_spectrum = {
    .name = "spectrum",
    .group = DLS_CLI_MEASURE,
    .synopsis = "SCHEME[:OPT=VAL,...]...",
    .summary = "spectral radius, period error, damping and response of schemes on a linear oscillator",
    .text =
        "Run every scheme on the oscillator q'' + 2 zeta w q' + w^2 q = w^2 cos(r w t), for steps h from "
        "small\n"
        "to many periods T = 2 pi/w. A few steps from unit states show the linear recurrence that the scheme\n"
        "makes, whatever it keeps beside q and v; its eigenvalues are the spectrum. No formula of the scheme\n"
        "is used. Schemes that choose their own steps, and those that are not linear, have none.\n",
    .page = "reference/spectrum",
    .examples =
        "  delassus spectrum moreau-jean nonsmooth-hht:alpha=0.1 nonsmooth-generalized-alpha:rho_inf=0.6\n"
        "  delassus spectrum nonsmooth-newmark:gamma=0.9,beta=0.49 --of radius --plot radius.png\n"
        "  delassus spectrum nonsmooth-generalized-alpha nonsmooth-kh-generalized-alpha --damping 0.05 \\\n"
        "      --of response,period --at 0.05,0.1 --out alpha\n",
    .keys = DLS_STUDY_SPECTRUM,
    .least = 1,
    .most = DLS_REQUEST_MOST_COMPARED,
    .kind = DLS_STUDY_SPECTRUM,
    .perform = perform,
};
