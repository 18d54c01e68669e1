/* experiments/cli/compare.c -- `delassus compare`: several schemes on one model, in one picture.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/recording.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/run.h"
#include "experiments/show/report_study.h"
#include "experiments/study/derived.h"

#include <delassus/catalogue.h>
#include <delassus/output.h>
#include <delassus/plot.h>
#include <delassus/study.h>
#include <delassus/study_file.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 12 /* more curves cannot be told apart */, PATH_SIZE = 4096 };

typedef struct comparison {
  const dls_cli_args *args;
  dls_model_choice model;
  double step, end;
  dls_cli_recording recording;
  const char *plot, *folder; /* NULL: none */
  size_t count;
  dls_scheme_choice choices[MOST_RUNS];
  dls_system *system;
  dls_trajectory *runs[MOST_RUNS];
  dls_trajectory *reference;
  char **columns;
  size_t column_count;
} comparison;

static void release(comparison *c)
{
  for (size_t i = 0; i < MOST_RUNS; i++) {
    dls_trajectory_destroy(c->runs[i]);
  }
  dls_trajectory_destroy(c->reference);
  dls_system_destroy(c->system);
  free(c->columns);
  dls_model_choice_release(&c->model);
  dls_cli_recording_release(&c->recording);
}

static dls_status read_schemes(comparison *c, dls_error *err)
{
  bool by_step = false;
  c->count = dls_cli_count(c->args, "scheme");
  if (c->count == 0 || c->count > MOST_RUNS) {
    return dls_fail(err, DLS_ERR_ARG, "--scheme is given %zu times: allowed are 1 to %d schemes", c->count,
                    (int)MOST_RUNS);
  }
  for (size_t i = 0; i < c->count; i++) {
    const dls_status status =
        dls_catalogue_choose(c->args->catalogue, dls_cli_value_at(c->args, "scheme", i), &c->choices[i], err);
    if (status != DLS_OK) {
      return status;
    }
    by_step = by_step || c->choices[i].scheme->stepping != DLS_BY_EVENT;
  }
  if (by_step && dls_cli_value(c->args, "step") == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "--step is missing: schemes with a fixed step need H > 0 in seconds");
  }
  const dls_status status = dls_cli_recording_end(c->args, &c->recording, by_step ? c->step : 0, &c->end, err);
  return status == DLS_OK && by_step ? dls_cli_check_step("--step", c->step, c->end, err) : status;
}

static dls_status read_request(comparison *c, dls_error *err)
{
  const char *of = dls_cli_value(c->args, "of");
  const dls_model *model = dls_catalogue_model(c->args->catalogue, c->args->positional[0], err);
  c->end = DLS_CLI_DEFAULT_END;
  c->plot = dls_cli_value(c->args, "plot");
  if (model == NULL) {
    return DLS_ERR_OPTION;
  }
  c->folder = dls_cli_value(c->args, "out");
  if (c->plot == NULL && c->folder == NULL && !dls_cli_has_page(c->args)) {
    return dls_fail(err, DLS_ERR_ARG,
                    "--plot is missing: the picture to make, e.g. --plot compare.png, or --out DIR for the "
                    "trajectories, or --report FILE.html");
  }
  dls_status status = dls_cli_positive(c->args, "end", &c->end, err);
  if (status == DLS_OK && dls_cli_value(c->args, "step") != NULL) {
    status = dls_cli_positive(c->args, "step", &c->step, err);
  }
  status = status != DLS_OK ? status : dls_cli_recording_read(c->args, &c->recording, err);
  status = status != DLS_OK ? status : read_schemes(c, err);
  status = status != DLS_OK ? status : dls_cli_model(c->args, model, &c->model, err);
  status = status != DLS_OK
               ? status
               : dls_cli_split("--of", of != NULL ? of : "q0,v0", ',', &c->columns, &c->column_count, err);
  return status != DLS_OK ? status : dls_model_create(c->model.model, c->model.parameters, &c->system, err);
}

/* Put a trajectory with force0.. and energy in the place of one without. */
static dls_status widen(const comparison *c, dls_trajectory **traj, bool steps, dls_error *err)
{
  dls_trajectory *wide = NULL;
  const dls_status status = dls_derive(*traj, c->system, steps, &wide, err);
  if (status == DLS_OK) {
    dls_trajectory_destroy(*traj);
    *traj = wide;
  }
  return status;
}

static dls_status run_path(const comparison *c, size_t i, char *path, dls_error *err)
{
  char file[160];
  size_t earlier = 0;
  for (size_t j = 0; j < i; j++) {
    earlier += c->choices[j].scheme == c->choices[i].scheme;
  }
  dls_study_scheme_file("run", c->choices[i].scheme->name, earlier, file, sizeof file);
  return (size_t)snprintf(path, PATH_SIZE, "%s/%s", c->folder, file) < PATH_SIZE
             ? DLS_OK
             : dls_fail(err, DLS_ERR_ARG, "--out '%.100s...' is too long", c->folder);
}

/* Everything that could prevent the results from being written, before they are computed. */
static dls_status check_outputs(const comparison *c, dls_error *err)
{
  char path[PATH_SIZE];
  dls_status status = DLS_OK;
  if (c->folder != NULL && dls_output_folder(c->folder, err) != DLS_OK) {
    return dls_cli_refuse(err);
  }
  if (c->folder != NULL) {
    status = run_path(c, 0, path, err);
    status = status != DLS_OK ? status : dls_cli_check_output(path, err);
  }
  if (status == DLS_OK && c->plot != NULL) {
    status = dls_cli_check_output(c->plot, err);
    status = status != DLS_OK ? status : dls_plot_check(c->plot, err);
  }
  return status != DLS_OK ? status : dls_cli_check_page(c->args, err);
}

/* Every column must be there before anything is computed; all runs have the same but for a0... */
static dls_status check_columns(const comparison *c, dls_error *err)
{
  dls_trajectory *columns = dls_trajectory_create_contacts(c->system->n, c->system->m, c->system->d, false);
  dls_status status = columns != NULL ? widen(c, &columns, true, err)
                                      : dls_fail(err, DLS_ERR_MEMORY, "no memory for the column names");
  for (size_t j = 0; status == DLS_OK && j < c->column_count; j++) {
    const int at = dls_trajectory_column(columns, c->columns[j]);
    if (at <= 0) {
      status = dls_fail(
          err, DLS_ERR_OPTION,
          "--of: there is no column '%s'; there are q0..q%zu, v0..v%zu, for each of %zu contacts g, u, p, "
          "lambda, status, force, and energy if the model has a potential",
          c->columns[j], c->system->n - 1, c->system->n - 1, c->system->m);
    }
  }
  dls_trajectory_destroy(columns);
  return status;
}

static dls_status simulate(comparison *c, size_t i, dls_error *err)
{
  dls_sim *sim = NULL;
  dls_cli_progress progress;
  dls_status status = dls_cli_progress_start(c->args, c->choices[i].scheme->name, c->end, &progress, err);
  status = status != DLS_OK ? status : dls_scheme_choice_sim(&c->choices[i], c->system, &sim, err);
  c->runs[i] = status == DLS_OK ? dls_sim_trajectory(sim, err) : NULL;
  status = status == DLS_OK && c->runs[i] == NULL ? DLS_ERR_MEMORY : status;
  if (c->runs[i] != NULL) {
    dls_cli_record_watch watch = {.progress = &progress,
                                  .command = c->args->command,
                                  .traj = c->runs[i],
                                  .keep = c->recording.keep,
                                  .step = dls_scheme_needs_step(c->choices[i].scheme) ? c->step : 0,
                                  .end = c->end};
    const dls_run_spec spec = {.step = c->step,
                               .end = c->end,
                               .record = c->runs[i],
                               .recording = c->recording.keep,
                               .poll = dls_cli_record_poll,
                               .poll_data = &watch};
    dls_cli_record_forecast(&watch);
    status = dls_run(sim, &spec, err);
    dls_cli_progress_end(&progress, status == DLS_OK);
  }
  dls_sim_destroy(sim);
  const bool by_step = c->choices[i].scheme->stepping == DLS_BY_STEP;
  if (c->runs[i] == NULL || widen(c, &c->runs[i], by_step, err) != DLS_OK) {
    return status != DLS_OK ? status : DLS_ERR_MEMORY;
  }
  return status != DLS_OK || c->runs[i]->complete
             ? status
             : dls_fail(err, DLS_ERR_NONFINITE, "%s: %s", c->choices[i].scheme->name, c->runs[i]->failure);
}

/* What the page is made of. */
typedef struct motion {
  const dls_model_choice *model;
  const dls_comparison *plot;
  double step, end;
} motion;

static dls_status put_motion(dls_report *report, const void *data, dls_error *err)
{
  const motion *m = data;
  return dls_report_comparison(report, m->model->model, m->model->parameters, m->plot, m->step, m->end, err);
}

static dls_status write_page(const comparison *c, const dls_comparison *plot, dls_error *err)
{
  const motion m = {&c->model, plot, c->step, c->end};
  const dls_cli_page page = {.kind = "Comparison",
                             .question = "How does each scheme move the same system?",
                             .model = &c->model,
                             .scheme_count = c->count,
                             .schemes = c->choices,
                             .write = put_motion,
                             .data = &m};
  return dls_cli_write_page(c->args, &page, err);
}

static dls_status draw(comparison *c, dls_error *err)
{
  char title[120];
  const char *labels[MOST_RUNS];
  const dls_trajectory *runs[MOST_RUNS];
  if (dls_cli_exact_solution(c->args, &c->model, c->end, &c->reference, err) != DLS_OK) {
    return DLS_ERR_MEMORY;
  }
  for (size_t i = 0; i < c->count; i++) {
    labels[i] = dls_cli_value_at(c->args, "scheme", i);
    runs[i] = c->runs[i];
  }
  if (c->reference != NULL && widen(c, &c->reference, false, err) != DLS_OK) {
    return DLS_ERR_MEMORY;
  }
  snprintf(title, sizeof title, c->step > 0 ? "%s, h = %g s" : "%s", c->model.model->name, c->step);
  const dls_comparison plot = {.title = title,
                               .count = c->count,
                               .runs = runs,
                               .labels = labels,
                               .reference = c->reference,
                               .column_count = c->column_count,
                               .columns = (const char *const *)c->columns};
  const dls_status status = c->plot != NULL ? dls_plot_comparison(&plot, c->plot, err) : DLS_OK;
  return status != DLS_OK ? status : write_page(c, &plot, err);
}

static dls_status note_request(const comparison *c, size_t i, dls_error *err)
{
  dls_trajectory *run = c->runs[i];
  dls_status status = dls_model_choice_note(&c->model, run, err);
  if (status == DLS_OK && dls_scheme_needs_step(c->choices[i].scheme)) {
    status = dls_trajectory_note(run, err, "step", "%s", dls_cli_value(c->args, "step"));
  }
  status = status != DLS_OK ? status : dls_trajectory_note(run, err, "end", "%.17g", c->end);
  return status != DLS_OK ? status : dls_cli_recording_note(&c->recording, run, err);
}

static dls_status write_runs(const comparison *c, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < c->count && status == DLS_OK; i++) {
    char path[PATH_SIZE];
    status = note_request(c, i, err);
    status = status != DLS_OK ? status : run_path(c, i, path, err);
    status = status != DLS_OK ? status : dls_cli_write_trajectory(c->args, c->runs[i], path, err);
  }
  return status;
}

/* A run that fails on the way is drawn as far as it came. */
static int execute(comparison *c)
{
  int code = DLS_EXIT_DONE;
  dls_error err = {0};
  for (size_t i = 0; i < c->count; i++) {
    if (simulate(c, i, &err) != DLS_OK) {
      code = dls_cli_fail(c->args, &err);
      if (c->runs[i] == NULL || c->runs[i]->rows < 2) {
        return code;
      }
    }
  }
  dls_status status = c->folder != NULL ? write_runs(c, &err) : DLS_OK;
  status = status == DLS_OK && (c->plot != NULL || dls_cli_has_page(c->args)) ? draw(c, &err) : status;
  return status != DLS_OK ? dls_cli_fail(c->args, &err) : code;
}

static int run(const dls_cli_args *args)
{
  comparison c = {.args = args};
  dls_error err = {0};
  dls_status status = read_request(&c, &err);
  status = status != DLS_OK ? status : check_columns(&c, &err);
  status = status != DLS_OK ? status : check_outputs(&c, &err);
  const int code = status != DLS_OK ? dls_cli_fail(args, &err) : execute(&c);
  release(&c);
  return code;
}

static const dls_cli_option options[] = {
    {"scheme", "S[:OPT=VAL,...]", "a time integrator; repeat it to compare several (`delassus list schemes`)",
     true},
    {"step", "H", "time step in s, for the schemes that need one", false},
    {"end", "T", "simulate from t = 0 to T in s (default 10)", false},
    {"set", "P=V", "set a parameter or a file of the model; may be repeated; `delassus show MODEL` lists them",
     true},
    DLS_CLI_LAW_OPTION,
    {"of", "X,X,...",
     "columns to draw, a panel each (default q0,v0); also force0, ...: p/h of steps, else lambda; and energy "
     "(kinetic and potential) of models that have one",
     false},
    DLS_CLI_RECORDING_OPTIONS,
    {"plot", "FILE", "the picture: FILE.png, FILE.svg or FILE.pdf; - draws in the terminal", false},
    {"out", "DIR", "write the trajectory of every scheme, run_SCHEME.csv", false},
    DLS_CLI_REPORT_OPTION,
    {"progress", "WHEN", "progress on stderr: auto (default: on a terminal), always or never", false},
    {0},
};

const dls_cli_command dls_cli_compare = {
    .name = "compare",
    .synopsis = "MODEL --scheme S[:OPT=VAL,...]... [--step H] [--end T] [--set P=V]... [--law "
                "NAME[:PAR=VAL,...]] [--of X,...] "
                "[--every N|--at T1,T2,...] [--max-rows N] --plot FILE [--out DIR] [--report FILE.html]",
    .summary = "several schemes on one model, in one picture",
    .text = "Simulate a model with every scheme and draw the same quantities of all of them over time, with\n"
            "the exact solution behind where there is one. A run that fails on the way is drawn as far as\n"
            "it came, and the exit status is 1.\n",
    .examples =
        "  delassus compare bouncing-ball --scheme moreau-jean --scheme schatzman-paoli --step 0.03 \\\n"
        "      --end 4 --plot ball.png\n"
        "  delassus compare two-ball-oscillator --scheme moreau-jean:theta=1 \\\n"
        "      --scheme nonsmooth-newmark:gamma=1,beta=0.5 --scheme nonsmooth-hht --step 2e-3 --end 1.8 \\\n"
        "      --of q0,v0 --plot two-balls.png\n",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
