/* experiments/cli/energy.c -- `delassus energy`: the energy ledger.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/cli/grid.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/recording.h"
#include "experiments/cli/refusals.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/run.h"
#include "experiments/cli/study_folder.h"
#include "experiments/measures/energy/energy_contacts.h"
#include "experiments/measures/energy/energy_study.h"
#include "experiments/show/pictures.h"
#include "experiments/show/report_study.h"

#include <delassus/catalogue.h>
#include <delassus/energy.h>
#include <delassus/law.h>
#include <delassus/plot.h>
#include <math.h>
#include <stdlib.h>

typedef struct job {
  const dls_request *request;
  dls_system *system;
  dls_energy_ledger **ledgers; /* those of the results; NULL: it has not run */
  dls_cli_folder folder;
  int code; /* of the process */
} job;

static void name_file(const dls_request *r, size_t i, char *text, size_t size)
{
  dls_study_scheme_file("energy", r->labels, i, text, size);
}

static dls_status prepare(job *j, dls_study_results *results, dls_error *err)
{
  const dls_request *r = j->request;
  const size_t count = r->spec.scheme_count;
  char file[160];
  name_file(r, 0, file, sizeof file);
  if (dls_study_results_room(results, count, err) != DLS_OK ||
      dls_model_create(r->model.model, r->model.parameters, &j->system, err) != DLS_OK ||
      dls_cli_check_page(j->request, err) != DLS_OK) {
    return err->status;
  }
  j->ledgers = results->ledgers;
  return dls_cli_folder_open(r, "energies", file, &j->folder, err);
}

/* An interrupt is reported once, when the study has ended. */
static void report_scheme(void *data, size_t i, dls_status status, const dls_error *why)
{
  job *j = data;
  const dls_request *r = j->request;
  if (j->ledgers[i] != NULL) {
    dls_cli_report_file(r->command, r->labels[i], j->ledgers[i]->rows);
  }
  dls_cli_report_gain(r->command, r->labels[i], j->system, j->ledgers[i]);
  if (status != DLS_OK && status != DLS_ERR_INTERRUPTED) {
    j->code = dls_cli_fail(r->command, why);
  }
}

static dls_status write_csv(const job *j, size_t i, dls_error *err)
{
  char path[DLS_CLI_PATH_SIZE], file[160];
  name_file(j->request, i, file, sizeof file);
  if (dls_request_note(j->request, i, j->ledgers[i]->rows, err) != DLS_OK ||
      dls_cli_folder_file(&j->folder, file, path, err) != DLS_OK) {
    return err->status;
  }
  return dls_cli_write_trajectory(j->request, j->ledgers[i]->rows, path, err);
}

/* The ledgers that there are; to be freed. */
typedef struct curves {
  const dls_request *request;
  size_t count;
  dls_energy_curve *all;
} curves;

/* @param[in] least_rows  that a ledger has */
static dls_status gather(const job *j, size_t least_rows, curves *out, dls_error *err)
{
  *out = (curves){j->request, 0, calloc(j->request->spec.scheme_count, sizeof *out->all)};
  for (size_t i = 0; i < j->request->spec.scheme_count && out->all != NULL; i++) {
    if (j->ledgers[i] != NULL && j->ledgers[i]->rows->rows >= least_rows) {
      out->all[out->count++] = (dls_energy_curve){j->request->labels[i], j->ledgers[i]};
    }
  }
  return out->all != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "out of memory for the pictures");
}

static dls_status draw(const job *j, dls_error *err)
{
  static const struct {
    const char *name;
    dls_status (*draw)(size_t count, const dls_energy_curve *curves, const char *title,
                       const dls_canvas *canvas, dls_error *err);
    bool momenta; /* of systems that have some */
  } pictures[] = {{"energies", dls_draw_energies, false},
                  {"parts", dls_draw_parts, false},
                  {"dissipation", dls_draw_dissipation, false},
                  {"momenta", dls_draw_momenta, true}};
  const dls_request *r = j->request;
  curves c;
  char path[DLS_CLI_PATH_SIZE];
  dls_status status = gather(j, 2, &c, err);
  const bool gathered = status == DLS_OK && c.count > 0;
  for (size_t i = 0; i < sizeof pictures / sizeof pictures[0] && gathered; i++) {
    if (!pictures[i].momenta || j->system->momenta > 0) {
      const dls_status named =
          dls_cli_folder_picture(&j->folder, pictures[i].name, path, status == DLS_OK ? err : NULL);
      const dls_canvas canvas = dls_canvas_file(path, &r->form);
      if (status == DLS_OK) {
        status = named != DLS_OK ? named : pictures[i].draw(c.count, c.all, r->model.model->name, &canvas, err);
      }
      dls_cli_drawn(path, status);
    }
  }
  free(c.all);
  return status;
}

static dls_status put_ledgers(dls_report *report, const void *data, dls_error *err)
{
  const curves *c = data;
  return dls_report_energy(report, c->count, c->all, c->request->step, c->request->spec.end, err);
}

static dls_status write_page(const job *j, dls_error *err)
{
  curves c;
  if (!dls_cli_has_page(j->request)) {
    return DLS_OK;
  }
  const dls_status gathered = gather(j, 0, &c, err);
  const dls_cli_page page = {"Energy balance", "Where does the energy go, step by step, with each scheme?",
                             put_ledgers, &c};
  const dls_status status = gathered != DLS_OK ? gathered : dls_cli_write_page(j->request, &page, err);
  free(c.all);
  return status;
}

/* One line for each scheme that has run. */
static dls_status print_summary(const job *j, dls_error *err)
{
  static const char *const headers[] = {"start",   "end",       "external",         "damping",
                                        "impact",  "numerical", "|residual|/scale", "scheme",
                                        "sliding", "drive"};
  const bool apart = dls_energy_contacts_apart(j->system);
  const size_t columns = sizeof headers / sizeof headers[0];
  dls_cli_rows rows = {.columns = apart ? columns : columns - 2, .headers = headers};
  for (size_t i = 0; i < j->request->spec.scheme_count; i++) {
    const dls_energy_ledger *l = j->ledgers[i];
    if (l == NULL) {
      continue;
    }
    const double numbers[] = {l->start, l->last, l->external, l->damping, l->impact, dls_energy_numerical(l)};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
      dls_cli_cell(&rows, "%.5g", numbers[k]);
    }
    if (l->balance == NULL) {
      dls_cli_cell(&rows, "no identity");
    } else {
      dls_cli_cell(&rows, "%.1e", l->scale > 0 ? fabs(l->residual) / l->scale : 0);
    }
    dls_cli_cell(&rows, "%s%s", j->request->labels[i], l->rows->complete ? "" : " (stopped early)");
    if (apart) {
      dls_cli_cell(&rows, "%.5g", l->sliding);
      dls_cli_cell(&rows, "%.5g", l->drive);
    }
  }
  return dls_cli_rows_print(&rows, "energies and works [J]\n", stdout, err);
}

/* Files first, so that a reader of standard output who leaves early costs none of them. @return exit code */
static int write_results(const job *j, int code)
{
  dls_error err = {0};
  for (size_t i = 0; i < j->request->spec.scheme_count && j->folder.path != NULL; i++) {
    code =
        j->ledgers[i] == NULL ? code : dls_cli_written(j->request->command, write_csv(j, i, &err), &err, code);
  }
  if (j->folder.path != NULL && j->folder.format != NULL && dls_cli_may_write()) {
    code = dls_cli_written(j->request->command, draw(j, &err), &err, code);
  }
  if (dls_cli_may_write()) {
    code = dls_cli_written(j->request->command, write_page(j, &err), &err, code);
  }
  printf("%s on [0, %g] s\n\n", j->request->model.model->name, j->request->spec.end);
  for (size_t i = 0; i < j->request->spec.scheme_count; i++) {
    if (j->ledgers[i] != NULL) {
      dls_energy_write_table(j->ledgers[i], j->request->labels[i], stdout);
    }
  }
  return dls_cli_written(j->request->command, print_summary(j, &err), &err, code);
}

static dls_status run_schemes(job *j, dls_error *err)
{
  const dls_request *r = j->request;
  dls_cli_progress progress = dls_cli_progress_start(r->progress, r->model.model->name, 1);
  const dls_energy_study_spec spec = {.run = {.sys = j->system,
                                              .step = r->step,
                                              .end = r->spec.end,
                                              .start = r->spec.start,
                                              .totals_only = j->folder.path == NULL && !dls_cli_has_page(r),
                                              .max_rows = r->recording.max_rows,
                                              .poll = dls_cli_progress_poll,
                                              .poll_data = &progress},
                                      .scheme_count = r->spec.scheme_count,
                                      .schemes = r->spec.schemes,
                                      .keep = report_scheme,
                                      .keep_data = j};
  const dls_status status = dls_energy_study_run(&spec, j->ledgers, err);
  dls_cli_progress_end(&progress, status == DLS_OK && j->code == DLS_EXIT_DONE);
  return status;
}

static int execute(job *j)
{
  dls_error err = {0};
  size_t ledgers = 0;
  if (run_schemes(j, &err) != DLS_OK) {
    j->code = dls_cli_fail(j->request->command, &err);
  }
  for (size_t i = 0; i < j->request->spec.scheme_count; i++) {
    ledgers += j->ledgers[i] != NULL;
  }
  if (ledgers == 0) {
    dls_cli_folder_drop(&j->folder);
    return j->code;
  }
  return write_results(j, j->code == DLS_EXIT_DONE ? j->code : DLS_EXIT_FAILED);
}

static int perform(const dls_request *request, dls_study_results *results)
{
  if (request->axis_count > 0) {
    return dls_cli_grid(request, results);
  }
  dls_error err = {0};
  job j = {.request = request, .code = DLS_EXIT_DONE};
  const int code = dls_cli_check_schemes(request, &err) != DLS_OK || prepare(&j, results, &err) != DLS_OK
                       ? dls_cli_fail(request->command, &err)
                       : execute(&j);
  dls_system_destroy(j.system);
  return code;
}

const dls_cli_command dls_cli_energy = {
    .name = "energy",
    .group = DLS_CLI_MEASURE,
    .synopsis = "MODEL",
    .summary = "energy balance per step: every term of the discrete dissipation equality and its residual",
    .text =
        "Run every scheme and keep a ledger of its energy: external work, damping, impacts, and each\n"
        "numerical term. On linear models the Moreau-Jean schemes and the Newmark family obey an identity,\n"
        "whose residual is rounding; all others get the plain balance: true impact loss and numerical loss\n"
        "apart. A steady load has a potential, which is part of the energy; the work of any other load is\n"
        "external. What moving surfaces and supports do is the drive.\n",
    .page = "guide/energy",
    .examples =
        "  delassus energy impacting-oscillator --scheme moreau-jean:theta=1 --scheme nonsmooth-newmark \\\n"
        "      --scheme event-driven --step 0.02 --out oscillator\n"
        "  delassus energy bouncing-ball --scheme schatzman-paoli --step 0.01 --end 4\n",
    .keys = DLS_STUDY_ENERGY,
    .least = 1,
    .most = 1,
    .kind = DLS_STUDY_ENERGY,
    .perform = perform,
};
