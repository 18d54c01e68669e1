/* experiments/cli/compare.c -- `delassus compare`: several schemes on one model, in one picture.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/progress.h"
#include "experiments/cli/recording.h"
#include "experiments/cli/refusals.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/run.h"
#include "experiments/cli/study_folder.h"
#include "experiments/cli/sweep.h"
#include "experiments/extra/foreign/external.h"
#include "experiments/measures/energy/derived.h"
#include "experiments/show/pictures.h"

#include <delassus/catalogue.h>
#include <delassus/measures.h>
#include <delassus/plot.h>
#include <delassus/study.h>
#include <delassus/study_file.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = DLS_REQUEST_MOST_COMPARED };

typedef struct comparison {
  const dls_request *request;
  dls_system *system;
  dls_trajectory **runs; /* those of the results */
  dls_trajectory *reference;
  dls_cli_folder folder;
  dls_warning_tally penetrations; /* explained ones; other warnings are reported run by run */
} comparison;

/* Put a trajectory with force0.., energies and momenta in the place of one without; on failure there is none. */
static dls_status widen(const comparison *c, dls_trajectory **traj, const dls_scheme *scheme, dls_error *err)
{
  dls_trajectory *wide = NULL;
  const dls_status status = dls_derive(*traj, c->system, scheme, &wide, err);
  if (wide != NULL) {
    wide->totals = (*traj)->totals;
    (*traj)->totals = NULL;
  }
  dls_trajectory_destroy(*traj);
  *traj = wide;
  return status;
}

static dls_status run_path(const comparison *c, size_t i, char *path, dls_error *err)
{
  char file[160];
  dls_study_scheme_file("run", c->request->labels, i, file, sizeof file);
  return dls_cli_folder_file(&c->folder, file, path, err);
}

/* Everything that could prevent the results from being written, before they are computed. */
static dls_status check_outputs(comparison *c, dls_error *err)
{
  char file[160];
  dls_study_scheme_file("run", c->request->labels, 0, file, sizeof file);
  if (dls_cli_folder_open(c->request, NULL, file, &c->folder, err) != DLS_OK ||
      dls_cli_check_picture(c->request->plot, err) != DLS_OK) {
    return err->status;
  }
  return dls_cli_check_page(c->request, err);
}

static dls_status check_column(const comparison *c, const dls_trajectory *columns, const char *option,
                               const char *name, dls_error *err)
{
  char measures[120];
  if (dls_trajectory_column(columns, name) > 0) {
    return DLS_OK;
  }
  dls_measures_print(c->system, measures, sizeof measures);
  return dls_fail(err, DLS_ERR_OPTION,
                  "--%s: there is no column '%s'; there are q0..q%zu, v0..v%zu, for each of %zu contacts g, "
                  "u, p, lambda, status, %sforce, and %s",
                  option, name, c->system->n - 1, c->system->n - 1, c->system->m,
                  c->system->d == 2 ? "slip, drag, " : "", measures);
}

/* Every column must be there before anything is computed; all runs have the same but for a0... */
static dls_status check_columns(const comparison *c, dls_error *err)
{
  dls_trajectory *columns = dls_trajectory_create_system(c->system, false);
  dls_status status = columns != NULL ? widen(c, &columns, NULL, err)
                                      : dls_fail(err, DLS_ERR_MEMORY, "no memory for the column names");
  if (status == DLS_OK && c->request->over != NULL) {
    status = check_column(c, columns, "over", c->request->over, err);
  }
  for (size_t j = 0; status == DLS_OK && j < c->request->drawn_count; j++) {
    status = check_column(c, columns, "of", c->request->drawn[j], err);
  }
  dls_trajectory_destroy(columns);
  return status;
}

/* By another program, whose table must have what is drawn. */
static dls_status run_external(comparison *c, const dls_external *external, size_t i, dls_error *err)
{
  const dls_request *r = c->request;
  double seconds = 0;
  dls_cli_progress progress = dls_cli_progress_start(r->progress, r->labels[i], r->spec.end);
  const dls_external_case run = {.model = r->model.model,
                                 .parameters = r->model.parameters,
                                 .step = r->step,
                                 .end = r->spec.end,
                                 .poll = dls_cli_progress_poll,
                                 .poll_data = &progress};
  dls_status status = dls_external_run(external, &run, &c->runs[i], &seconds, err);
  dls_cli_progress_end(&progress, status == DLS_OK);
  if (status == DLS_OK) {
    status = dls_trajectory_note(c->runs[i], err, "scheme", "%s", r->labels[i]);
  }
  for (size_t j = 0; j <= r->drawn_count && status == DLS_OK; j++) {
    const char *name = j < r->drawn_count ? r->drawn[j] : r->over;
    if (name != NULL && dls_trajectory_column(c->runs[i], name) < 1) {
      status = dls_fail(err, DLS_ERR_INTEGRATOR, "%s: its table has no column %s, which is to be drawn",
                        r->labels[i], name);
    }
  }
  if (status != DLS_OK) {
    dls_trajectory_destroy(c->runs[i]);
    c->runs[i] = NULL;
  }
  return status;
}

static dls_status simulate(comparison *c, size_t i, dls_error *err)
{
  const dls_request *r = c->request;
  const dls_scheme_choice *choice = &r->spec.schemes[i];
  const dls_external *external = dls_external_of(choice->scheme);
  if (external != NULL) {
    return run_external(c, external, i, err);
  }
  dls_trajectory **run = &c->runs[i];
  dls_sim *sim = NULL;
  dls_cli_progress progress = dls_cli_progress_start(r->progress, choice->scheme->name, r->spec.end);
  dls_status status = dls_scheme_choice_sim(choice, c->system, &sim, err);
  *run = status == DLS_OK ? dls_sim_trajectory(sim, err) : NULL;
  status = status == DLS_OK && *run == NULL ? DLS_ERR_MEMORY : status;
  if (*run != NULL && (r->recording.every > 1 || r->recording.at_count > 0)) {
    status = dls_derive_record(*run, c->system, choice->scheme, err);
  }
  if (*run != NULL && status == DLS_OK) {
    status = dls_cli_record(r, i, sim, *run, NULL, NULL, &progress, err);
    dls_cli_report_warnings(c->request->command, r->labels[i], sim);
    dls_warning_tally_add(&c->penetrations, dls_sim_warning_explained(sim), dls_sim_warning_explained(sim));
  }
  dls_sim_destroy(sim);
  if (*run == NULL || widen(c, run, choice->scheme, err) != DLS_OK) {
    return status != DLS_OK ? status : DLS_ERR_MEMORY;
  }
  return status != DLS_OK || (*run)->complete
             ? status
             : dls_fail(err, DLS_ERR_NONFINITE, "%s: %s", choice->scheme->name, (*run)->failure);
}

/* The exact solution and the runs that there are. */
static dls_status draw(comparison *c, dls_error *err)
{
  const dls_request *r = c->request;
  const dls_trajectory *runs[MOST_RUNS];
  const char *labels[MOST_RUNS];
  size_t count = 0;
  if (dls_cli_exact_solution(r, &c->reference, err) != DLS_OK ||
      (c->reference != NULL && widen(c, &c->reference, NULL, err) != DLS_OK)) {
    return DLS_ERR_MEMORY;
  }
  for (size_t i = 0; i < r->spec.scheme_count; i++) {
    if (c->runs[i] != NULL) {
      runs[count] = c->runs[i];
      labels[count++] = r->labels[i];
    }
  }
  const dls_comparison plot = {.title = r->model.model->name,
                               .step = r->step,
                               .count = count,
                               .runs = runs,
                               .labels = labels,
                               .reference = c->reference,
                               .column_count = r->drawn_count,
                               .columns = r->drawn,
                               .over = r->over};
  const dls_canvas canvas = r->plot != NULL ? dls_canvas_file(r->plot, &r->form) : (dls_canvas){0};
  const dls_status status =
      r->plot != NULL ? dls_cli_drawn(r->plot, dls_draw_comparison(&plot, &canvas, err)) : DLS_OK;
  return status != DLS_OK
             ? status
             : dls_cli_write_motion(r, "Comparison", "How does each scheme move the same system?", &plot, err);
}

static dls_status write_run(const comparison *c, size_t i, dls_error *err)
{
  char path[DLS_CLI_PATH_SIZE];
  if (dls_request_note(c->request, i, c->runs[i], err) != DLS_OK ||
      dls_cli_note_recording(&c->request->recording, c->runs[i], err) != DLS_OK ||
      dls_cli_note_left_out(c->runs[i], err) != DLS_OK || run_path(c, i, path, err) != DLS_OK) {
    return err->status;
  }
  return dls_cli_write_trajectory(c->request, c->runs[i], path, err);
}

/* Exit code. A run that did not get beyond its start is none. @param[out] runs  that there are */
static int simulate_all(comparison *c, size_t *runs)
{
  int code = DLS_EXIT_DONE;
  dls_error err = {0};
  dls_status status = DLS_OK;
  *runs = 0;
  for (size_t i = 0; i < c->request->spec.scheme_count && status != DLS_ERR_INTERRUPTED; i++) {
    status = simulate(c, i, &err);
    if (status == DLS_ERR_NOT_APPLICABLE) {
      dls_cli_add_remedy(c->request->spec.schemes[i].scheme, c->system, &err);
    }
    code = status != DLS_OK ? dls_cli_fail(c->request->command, &err) : code;
    if (c->runs[i] != NULL && c->runs[i]->rows < 2) {
      dls_trajectory_destroy(c->runs[i]);
      c->runs[i] = NULL;
    }
    *runs += c->runs[i] != NULL;
  }
  return code;
}

/* A run that fails on the way is drawn as far as it came; others are not lost by it. */
static int execute(comparison *c, dls_study_results *results)
{
  const dls_request *r = c->request;
  dls_error err = {0};
  size_t runs = 0;
  int code = simulate_all(c, &runs);
  if (runs == 0) {
    dls_study_results_release(results);
    dls_cli_folder_drop(&c->folder);
    return code;
  }
  dls_cli_report_warned(c->request->command, &c->penetrations);
  code = code == DLS_EXIT_DONE ? code : DLS_EXIT_FAILED;
  for (size_t i = 0; i < r->spec.scheme_count && r->out != NULL; i++) {
    code = c->runs[i] == NULL ? code : dls_cli_written(c->request->command, write_run(c, i, &err), &err, code);
  }
  if ((r->plot != NULL || dls_cli_has_page(c->request)) && dls_cli_may_write()) {
    code = dls_cli_written(c->request->command, draw(c, &err), &err, code);
  }
  return code;
}

static int perform(const dls_request *request, dls_study_results *results)
{
  if (request->sweep.axis.count > 0) {
    return dls_cli_sweep(request, results);
  }
  comparison c = {.request = request};
  dls_error err = {0};
  const bool good =
      dls_study_results_room(results, request->spec.scheme_count, &err) == DLS_OK &&
      dls_model_create(request->model.model, request->model.parameters, &c.system, &err) == DLS_OK &&
      check_columns(&c, &err) == DLS_OK && check_outputs(&c, &err) == DLS_OK;
  c.runs = results->runs;
  const int code = good ? execute(&c, results) : dls_cli_fail(request->command, &err);
  dls_trajectory_destroy(c.reference);
  dls_system_destroy(c.system);
  return code;
}

const dls_cli_command dls_cli_compare = {
    .name = "compare",
    .group = DLS_CLI_SIMULATE,
    .synopsis = "MODEL",
    .summary = "several schemes on one model, in one picture",
    .text = "Simulate a model with every scheme and draw the same quantities of all of them over time, with\n"
            "the exact solution behind where there is one. A run that fails on the way is drawn as far as\n"
            "it came, and the exit status is 1. With --sweep everything is repeated over a parameter, and the\n"
            "picture shows where the quantities turn: resonance curves, bifurcation diagrams.\n",
    .page = "guide/accumulation",
    .examples =
        "  delassus compare bouncing-ball --scheme moreau-jean --scheme schatzman-paoli --step 0.03 \\\n"
        "      --end 4 --plot ball.png\n"
        "  delassus compare two-ball-oscillator --scheme moreau-jean:theta=1 \\\n"
        "      --scheme nonsmooth-newmark:gamma=1,beta=0.5 --scheme nonsmooth-hht --step 2e-3 --end 1.8 \\\n"
        "      --of q0,v0 --plot two-balls.png\n"
        "  delassus compare belt --scheme event-driven --set Fs=1.5 --sweep vb=0.1:2:20 --curves v0=0,4 \\\n"
        "      --end 40 --from 25 --of q0 --plot belt.png\n",
    .keys = DLS_STUDY_COMPARE,
    .least = 1,
    .most = 1,
    .kind = DLS_STUDY_COMPARE,
    .perform = perform,
};
