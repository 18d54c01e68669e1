/* experiments/cli/run.c -- `delassus run`: one simulation.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/run.h"
#include "experiments/cli/recording.h"
#include "experiments/cli/report_page.h"
#include "experiments/show/report_study.h"

#include "common/base/text.h"
#include <delassus/animate.h>
#include <delassus/catalogue.h>
#include <delassus/plot.h>
#include <delassus/study.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
  const dls_cli_args *args;
  dls_model_choice model;
  dls_scheme_choice choice;
  double step, end;
  dls_cli_recording recording;
  const char *out, *plot, *animation;
  bool stats;
} request;

typedef struct job {
  dls_system *system;
  dls_sim *sim;
  dls_trajectory *traj;
  dls_cli_progress progress;
} job;

static dls_status read_scheme(request *r, dls_error *err)
{
  const char *text = dls_cli_value(r->args, "scheme");
  if (text == NULL) {
    return dls_fail(err, DLS_ERR_ARG,
                    "--scheme is missing: say which integrator, e.g. --scheme moreau-jean "
                    "(`delassus list schemes`)");
  }
  return dls_catalogue_choose(r->args->catalogue, text, &r->choice, err);
}

static dls_status read_times(request *r, dls_error *err)
{
  r->end = DLS_CLI_DEFAULT_END;
  const bool by_step = dls_scheme_needs_step(r->choice.scheme);
  const bool given = dls_cli_value(r->args, "step") != NULL;
  dls_status status = dls_cli_positive(r->args, "end", &r->end, err);
  if (status == DLS_OK && given) {
    status = dls_cli_positive(r->args, "step", &r->step, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  if (by_step && !given) {
    return dls_fail(err, DLS_ERR_ARG,
                    "--step is missing: scheme %s needs a time step H > 0 in seconds, e.g. "
                    "--step 0.01",
                    r->choice.scheme->name);
  }
  if (!by_step && given) {
    return dls_fail(err, DLS_ERR_ARG,
                    "--step = %s does not go with scheme %s, which chooses its own steps: leave "
                    "--step out (its options are in `delassus show %s`)",
                    dls_cli_value(r->args, "step"), r->choice.scheme->name, r->choice.scheme->name);
  }
  status = dls_cli_recording_end(r->args, &r->recording, r->step, &r->end, err);
  return status == DLS_OK && by_step ? dls_cli_check_step("--step", r->step, r->end, err) : status;
}

static bool is_stdout(const char *path)
{
  return path != NULL && strcmp(path, "-") == 0;
}

/* Everything that could prevent the results from being written, before they are computed. */
static dls_status read_outputs(request *r, dls_error *err)
{
  r->out = dls_cli_value(r->args, "out");
  r->plot = dls_cli_value(r->args, "plot");
  r->animation = dls_cli_value(r->args, "animate");
  r->stats = dls_cli_value(r->args, "stats") != NULL;
  if (is_stdout(r->out) && (is_stdout(r->plot) || r->stats)) {
    return dls_fail(err, DLS_ERR_ARG, "--out - and %s would both write to standard output: give --out a file",
                    r->stats ? "--stats" : "--plot -");
  }
  if (dls_cli_value(r->args, "columns") != NULL && (r->animation != NULL || dls_cli_has_page(r->args))) {
    return dls_fail(err, DLS_ERR_OPTION,
                    "--columns does not go with %s, which shows positions, velocities and forces",
                    r->animation != NULL ? "--animate" : "--report");
  }
  dls_status status = dls_cli_check_output(r->out, err);
  status = status != DLS_OK ? status : dls_cli_check_output(r->plot, err);
  status = status != DLS_OK ? status : dls_cli_check_page(r->args, err);
  status = status != DLS_OK ? status : dls_cli_check_output(r->animation, err);
  if (status == DLS_OK && r->animation != NULL) {
    status = dls_animate_check(r->model.model, r->model.parameters, r->animation,
                               dls_catalogue_models(r->args->catalogue), err);
  }
  return status != DLS_OK || r->plot == NULL ? status : dls_plot_check(r->plot, err);
}

static dls_status read_request(const dls_cli_args *args, request *r, dls_error *err)
{
  *r = (request){
      .args = args,
  };
  const dls_model *model = dls_catalogue_model(args->catalogue, args->positional[0], err);
  if (model == NULL) {
    return DLS_ERR_OPTION;
  }
  dls_status status = read_scheme(r, err);
  status = status != DLS_OK ? status : dls_cli_recording_read(args, &r->recording, err);
  status = status != DLS_OK ? status : read_times(r, err);
  status = status != DLS_OK ? status : dls_cli_model(args, model, &r->model, err);
  return status != DLS_OK ? status : read_outputs(r, err);
}

static dls_status note_request(const request *r, dls_trajectory *traj, dls_error *err)
{
  dls_status status = dls_model_choice_note(&r->model, traj, err);
  if (status == DLS_OK && dls_scheme_needs_step(r->choice.scheme)) {
    status = dls_trajectory_note(traj, err, "step", "%s", dls_cli_value(r->args, "step"));
  }
  status = status != DLS_OK ? status : dls_trajectory_note(traj, err, "end", "%.17g", r->end);
  status = status != DLS_OK ? status : dls_scheme_choice_note(&r->choice, traj, err);
  return status != DLS_OK ? status : dls_cli_recording_note(&r->recording, traj, err);
}

/* "v0" is that column, "v" is v0, v1, ... */
static bool names_column(const char *field, const char *column)
{
  const size_t length = strlen(field);
  return strncmp(column, field, length) == 0 &&
         strspn(column + length, "0123456789") == strlen(column + length) &&
         (column[length] == '\0' || strpbrk(field, "0123456789") == NULL);
}

static dls_status mark_columns(const dls_trajectory *traj, char **fields, size_t count, bool *keep,
                               dls_error *err)
{
  for (size_t i = 0; i < count; i++) {
    bool found = false;
    for (size_t k = 0; k < traj->columns; k++) {
      const bool named = names_column(fields[i], traj->names[k]);
      keep[k] = keep[k] || named;
      found = found || named;
    }
    if (!found) {
      char a[60] = "";
      if (traj->columns > 1 + 2 * traj->n + 5 * traj->m) {
        snprintf(a, sizeof a, ", a0 to a%zu", traj->n - 1);
      }
      return dls_fail(
          err, DLS_ERR_OPTION,
          "--columns: there is no column '%.60s'; there are q0 to q%zu, v0 to v%zu, for each of %zu contacts "
          "g, u, p, lambda, status%s, and without a number all of a kind",
          fields[i], traj->n - 1, traj->n - 1, traj->m, a);
    }
  }
  return DLS_OK;
}

/* Gaps, positions or velocities: impulses and forces are drawn with them, if there are any. */
static bool can_be_drawn(const dls_trajectory *traj)
{
  bool found = false;
  for (size_t j = 1; j < traj->columns; j++) {
    found = found || strchr("gqv", traj->names[j][0]) != NULL;
  }
  return found;
}

/* Record the columns of --columns only. */
static dls_status select_columns(const request *r, dls_trajectory *traj, dls_error *err)
{
  const char *text = dls_cli_value(r->args, "columns");
  char **fields = NULL;
  size_t count = 0;
  if (text == NULL) {
    return DLS_OK;
  }
  bool *keep = calloc(traj->columns, sizeof *keep);
  dls_status status = keep != NULL ? dls_cli_split("--columns", text, ',', &fields, &count, err)
                                   : dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu columns", traj->columns);
  status = status != DLS_OK ? status : mark_columns(traj, fields, count, keep, err);
  status = status != DLS_OK ? status : dls_trajectory_select(traj, keep, err);
  if (status == DLS_OK && r->plot != NULL && !can_be_drawn(traj)) {
    status = dls_fail(err, DLS_ERR_OPTION,
                      "--columns = '%.100s' leaves nothing to draw: add a column g, q or v", text);
  }
  free(fields);
  free(keep);
  return status;
}

static dls_status prepare(const request *r, job *j, dls_error *err)
{
  dls_status status = dls_cli_progress_start(r->args, r->choice.scheme->name, r->end, &j->progress, err);
  status = status != DLS_OK ? status : dls_model_create(r->model.model, r->model.parameters, &j->system, err);
  status = status != DLS_OK ? status : dls_scheme_choice_sim(&r->choice, j->system, &j->sim, err);
  if (status != DLS_OK) {
    return status;
  }
  j->traj = dls_sim_trajectory(j->sim, err);
  if (j->traj == NULL) {
    return DLS_ERR_MEMORY;
  }
  j->traj->skip_nodes =
      r->stats && r->out == NULL && r->plot == NULL && r->animation == NULL && !dls_cli_has_page(r->args);
  const dls_status selected = select_columns(r, j->traj, err);
  return selected != DLS_OK ? selected : note_request(r, j->traj, err);
}

/* What the page is made of. */
typedef struct motion {
  const request *request;
  const job *job;
  const dls_trajectory *reference;
} motion;

static dls_status put_motion(dls_report *report, const void *data, dls_error *err)
{
  const motion *m = data;
  const request *r = m->request;
  const char *label = dls_cli_value(r->args, "scheme");
  const char *const columns[] = {"q0", "v0"};
  const dls_trajectory *run = m->job->traj;
  const dls_comparison plot = {.title = "",
                               .count = 1,
                               .runs = &run,
                               .labels = &label,
                               .reference = m->reference,
                               .column_count = 2,
                               .columns = columns};
  return dls_report_comparison(report, r->model.model, r->model.parameters, &plot, r->step, r->end, err);
}

static dls_status write_page(const request *r, const job *j, const dls_trajectory *reference, dls_error *err)
{
  const motion m = {r, j, reference};
  const dls_cli_page page = {.kind = "Simulation",
                             .question = "How does the system move?",
                             .model = &r->model,
                             .scheme_count = 1,
                             .schemes = &r->choice,
                             .write = put_motion,
                             .data = &m};
  return dls_cli_write_page(r->args, &page, err);
}

/* The picture and the page. */
static dls_status show(const request *r, const job *j, dls_error *err)
{
  dls_trajectory *reference = NULL;
  dls_status status = dls_cli_exact_solution(r->args, &r->model, r->end, &reference, err);
  if (status == DLS_OK && r->plot != NULL) {
    status = dls_plot_trajectory(j->traj, reference, r->plot, err);
  }
  status = status != DLS_OK ? status : write_page(r, j, reference, err);
  dls_trajectory_destroy(reference);
  return status;
}

/* Files first, so that a reader of standard output who leaves early costs none of them. */
static dls_status write_results(const request *r, const job *j, dls_error *err)
{
  dls_status status = DLS_OK;
  const bool plain =
      r->out == NULL && r->plot == NULL && r->animation == NULL && !r->stats && !dls_cli_has_page(r->args);
  if (r->out != NULL || plain) {
    status = dls_cli_write_trajectory(r->args, j->traj, r->out, err);
  }
  if (status == DLS_OK && (r->plot != NULL || dls_cli_has_page(r->args)) && j->traj->rows > 1) {
    status = show(r, j, err);
  }
  if (status == DLS_OK && r->animation != NULL && j->traj->rows > 1) {
    status = dls_animate(r->model.model, r->model.parameters, j->traj, r->animation, err);
  }
  if (r->stats) {
    const dls_status printed = dls_cli_print_stats(stdout, j->sim, j->traj, err);
    status = status != DLS_OK ? status : printed;
  }
  return status;
}

static int execute(const request *r, job *j)
{
  dls_error err = {0};
  if (prepare(r, j, &err) != DLS_OK) {
    return dls_cli_fail(r->args, &err);
  }
  dls_cli_record_watch watch = {.progress = &j->progress,
                                .command = r->args->command,
                                .traj = j->traj,
                                .keep = r->recording.keep,
                                .step = r->step,
                                .end = r->end};
  const dls_run_spec spec = {.step = r->step,
                             .end = r->end,
                             .record = j->traj,
                             .recording = r->recording.keep,
                             .poll = dls_cli_record_poll,
                             .poll_data = &watch};
  dls_cli_record_forecast(&watch);
  const dls_status status = dls_run(j->sim, &spec, &err);
  dls_cli_progress_end(&j->progress, status == DLS_OK);
  int code = DLS_EXIT_DONE;
  if (status != DLS_OK) {
    code = dls_cli_fail(r->args, &err);
    if (code == DLS_EXIT_REQUEST && j->sim->step == 0) {
      return code; /* refused at the start: there is nothing to keep */
    }
    code = DLS_EXIT_FAILED;
  }
  dls_cli_report_events(r->args->command, j->sim, j->traj);
  dls_cli_report_penetration(r->args->command, j->sim);
  dls_cli_report_growth(r->args->command, j->sim);
  if (write_results(r, j, &err) != DLS_OK) {
    dls_cli_fail(r->args, &err);
    code = DLS_EXIT_FAILED;
  }
  return code;
}

static int run(const dls_cli_args *args)
{
  request r;
  job j = {0};
  dls_error err = {0};
  const dls_status status = read_request(args, &r, &err);
  const int code = status != DLS_OK ? dls_cli_fail(args, &err) : execute(&r, &j);
  dls_trajectory_destroy(j.traj);
  dls_sim_destroy(j.sim);
  dls_system_destroy(j.system);
  dls_model_choice_release(&r.model);
  dls_cli_recording_release(&r.recording);
  return code;
}

static const dls_cli_option options[] = {
    {"scheme", "S[:OPT=VAL,...]", "the time integrator, with options; `delassus list schemes` names them",
     false},
    {"step", "H", "time step in s; for schemes that step by themselves (event-driven) leave it out", false},
    {"end", "T", "simulate from t = 0 to T in s (default 10)", false},
    {"set", "P=V", "set a parameter or a file of the model; may be repeated; `delassus show MODEL` lists them",
     true},
    DLS_CLI_LAW_OPTION,
    {"columns", "X,X,...",
     "record these columns only, e.g. q0,v0,g: the name of a column or of a kind (default all), and the slopes "
     "that cubic ones need",
     false},
    DLS_CLI_RECORDING_OPTIONS,
    {"out", "FILE.csv", "write the trajectory as CSV; - is standard output", false},
    {"plot", "FILE", "draw gap and velocity: FILE.png, FILE.svg or FILE.pdf; - draws in the terminal", false},
    {"animate", "FILE", "the moving system with its contact forces: FILE.svg or FILE.gif", false},
    DLS_CLI_REPORT_OPTION,
    {"stats", NULL, "print work counters as key=value lines", false},
    {"progress", "WHEN", "progress on stderr: auto (default: on a terminal), always or never", false},
    {0},
};

const dls_cli_command dls_cli_run = {
    .name = "run",
    .synopsis = "MODEL --scheme S[:OPT=VAL,...] [--step H] [--end T] [--set P=V]... [--law NAME[:PAR=VAL,...]] "
                "[--columns X,...] "
                "[--every N|--at T1,T2,...] [--max-rows N] [--out FILE.csv] [--plot FILE] [--animate FILE] "
                "[--report FILE.html] [--stats]",
    .summary = "one simulation: trajectory, picture, work counters",
    .text = "Simulate a model with a scheme. Without --out, --plot, --animate, --report and --stats the\n"
            "trajectory is printed as CSV. A run that fails on the way keeps what it computed, marked\n"
            "`# complete: no`, and exits 1; Ctrl-C does the same and exits 130.\n",
    .examples = "  delassus run bouncing-ball --scheme moreau-jean --step 0.01 --end 4 --out ball.csv\n"
                "  delassus run bouncing-ball --scheme event-driven --set e=0.9 --plot ball.png --stats\n"
                "  delassus run impacting-oscillator --scheme moreau-jean:theta=1 --step 1e-3 --plot -\n"
                "  delassus run two-ball-oscillator --scheme event-driven --at 0.5,1,1.5\n",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
