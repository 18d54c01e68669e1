/* experiments/cli/run.c -- `delassus run`: one simulation.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/run.h"
#include "experiments/campaign/provenance.h"
#include "experiments/catalogue/law_parameters.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/cycle.h"
#include "experiments/cli/dump.h"
#include "experiments/cli/grid.h"
#include "experiments/cli/recording.h"
#include "experiments/cli/refusals.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/stream.h"
#include "experiments/measures/cycle/cycle.h"
#include "experiments/show/mesh_motion.h"
#include "experiments/show/pictures.h"

#include "common/base/text.h"
#include <delassus/animate.h>
#include <delassus/catalogue.h>
#include <delassus/measures.h>
#include <delassus/plot.h>
#include <delassus/sensitivity.h>
#include <delassus/study.h>
#include <delassus/vtu.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ROWS_OF_TERMINAL = 50 }; /* more are summarised */

typedef struct job {
  const dls_request *request;
  dls_request own;  /* with the end that a cycle has, with rows that are handed over */
  dls_cycle *cycle; /* that of the results, or NULL */
  dls_system *system;
  dls_sim *sim;
  dls_trajectory *traj;    /* that of the results */
  dls_cli_stream stream;   /* takes its rows; part NULL: they are kept */
  dls_joint_ledger joints; /* of --stats */
  dls_cli_progress progress;
  dls_cli_dump dump;
  /* of --sensitivity */
  dls_direction *directions;
  size_t direction_count;
  dls_derivative_columns derivatives;
} job;

static bool is_stdout(const char *path)
{
  return path != NULL && strcmp(path, "-") == 0;
}

/* --of mesh: the picture is that of the mesh. */
static bool draws_mesh(const dls_request *r)
{
  return r->over == NULL && r->drawn_count == 1 && strcmp(r->drawn[0], "mesh") == 0;
}

static dls_status check_mesh(const dls_request *r, dls_error *err)
{
  if (r->plot == NULL) {
    return dls_fail(err, DLS_ERR_OPTION, "--of mesh needs --plot FILE");
  }
  return r->columns == NULL
             ? DLS_OK
             : dls_fail(err, DLS_ERR_OPTION, "--columns does not go with --of mesh, which needs all of them");
}

/* --over and --of go together, and make a picture. */
static dls_status check_over(const dls_request *r, dls_error *err)
{
  if (draws_mesh(r)) {
    return check_mesh(r, err);
  }
  if (r->over == NULL && r->drawn_count > 0) {
    return dls_fail(err, DLS_ERR_OPTION,
                    "--of = %.100s goes with --over X, the column that it is drawn over; or --of mesh",
                    r->drawn[0]);
  }
  return r->over == NULL || r->plot != NULL || dls_cli_has_page(r)
             ? DLS_OK
             : dls_fail(err, DLS_ERR_OPTION, "--over = %.60s needs --plot FILE or --report FILE.html", r->over);
}

/* Rows that the run will have; 0: not known. */
static double rows_of(const dls_request *r)
{
  const dls_recording *keep = &r->recording;
  const bool by_step = dls_scheme_needs_step(r->spec.schemes[0].scheme);
  return keep->at_count > 0 ? (double)keep->at_count
         : by_step          ? r->spec.end / r->step / fmax(1, (double)keep->every)
                            : 0;
}

/* --out: a trajectory, or a series of meshes. */
static dls_status check_out(const dls_request *r, dls_error *err)
{
  if (r->out == NULL || !dls_vtu_named(r->out)) {
    return dls_cli_check_output(r->out, err);
  }
  if (r->columns != NULL) {
    return dls_fail(err, DLS_ERR_OPTION,
                    "--columns does not go with --out FILE.vtu, which has positions, velocities and forces");
  }
  const dls_model *const *known = dls_catalogue_models(r->spec.catalogue);
  return dls_vtu_check(r->model.model, rows_of(r), r->out, known, err) == DLS_OK ? DLS_OK : dls_cli_refuse(err);
}

static dls_status write_out(job *j, dls_error *err)
{
  const dls_request *r = j->request;
  if (j->stream.part != NULL) {
    const bool noted = dls_provenance_note(j->request->spec.catalogue, j->traj, err) == DLS_OK &&
                       dls_cli_note_command(j->request, j->traj, err) == DLS_OK;
    return noted ? dls_cli_stream_write(&j->stream, j->traj, r->out, err) : err->status;
  }
  return r->out != NULL && dls_vtu_named(r->out)
             ? dls_vtu_write(r->model.model, j->system, j->traj, r->out, dls_cli_may_write, err)
             : dls_cli_write_trajectory(j->request, j->traj, r->out, err);
}

/* Everything that could prevent the results from being written, before they are computed. */
static dls_status check_outputs(const dls_request *r, dls_error *err)
{
  if (is_stdout(r->out) && (is_stdout(r->plot) || r->stats)) {
    return dls_fail(err, DLS_ERR_ARG, "--out - and %s would both write to standard output: give --out a file",
                    r->stats ? "--stats" : "--plot -");
  }
  if (r->columns != NULL && (r->animation != NULL || dls_cli_has_page(r))) {
    return dls_fail(err, DLS_ERR_OPTION,
                    "--columns does not go with %s, which shows positions, velocities and forces",
                    r->animation != NULL ? "--animate" : "--report");
  }
  if (check_over(r, err) != DLS_OK || check_out(r, err) != DLS_OK ||
      dls_cli_dump_check(r->problems, err) != DLS_OK || dls_cli_check_output(r->plot, err) != DLS_OK ||
      dls_cli_check_page(r, err) != DLS_OK || dls_cli_check_output(r->animation, err) != DLS_OK) {
    return err->status;
  }
  const dls_status status = r->animation == NULL
                                ? DLS_OK
                                : dls_animate_check(r->model.model, r->model.parameters, r->animation,
                                                    dls_catalogue_models(r->spec.catalogue), err);
  return status != DLS_OK || r->plot == NULL ? status : dls_plot_check(r->plot, err);
}

/* "v0" is that column, "v" is v0, v1, ... */
static bool names_column(const char *field, const char *column)
{
  const size_t length = strlen(field);
  return strncmp(column, field, length) == 0 &&
         strspn(column + length, "0123456789") == strlen(column + length) &&
         (column[length] == '\0' || strpbrk(field, "0123456789") == NULL);
}

/* Which columns of a node, and which energies and momenta. */
typedef struct wanted {
  bool *node, measured[DLS_MEASURES_MOST];
  bool measures; /* some are */
} wanted;

static dls_status no_column(const job *j, const char *field, dls_error *err)
{
  const dls_trajectory *traj = j->traj;
  char a[60] = "", measures[120];
  if (traj->columns > 1 + 2 * traj->n + 5 * traj->m) {
    snprintf(a, sizeof a, ", a0 to a%zu", traj->n - 1);
  }
  dls_measures_print(j->system, measures, sizeof measures);
  return dls_fail(
      err, DLS_ERR_OPTION,
      "--columns: there is no column '%.60s'; there are q0 to q%zu, v0 to v%zu, for each of %zu contacts "
      "g, u, p, lambda, status%s, without a number all of a kind, and %s",
      field, traj->n - 1, traj->n - 1, traj->m, a, measures);
}

static dls_status mark_columns(const job *j, const char *const *fields, size_t count, wanted *keep,
                               dls_error *err)
{
  const dls_trajectory *traj = j->traj;
  const char *names[DLS_MEASURES_MOST];
  const size_t measures = dls_measures_of(j->system, names);
  for (size_t i = 0; i < count; i++) {
    bool found = false;
    for (size_t k = 0; k < traj->columns; k++) {
      const bool named = names_column(fields[i], traj->names[k]);
      keep->node[k] = keep->node[k] || named;
      found = found || named;
    }
    for (size_t k = 0; k < measures; k++) {
      const bool named = strcmp(fields[i], names[k]) == 0;
      keep->measured[k] = keep->measured[k] || named;
      keep->measures = keep->measures || named;
      found = found || named;
    }
    if (!found) {
      return no_column(j, fields[i], err);
    }
  }
  return DLS_OK;
}

static dls_status check_drawn(const dls_trajectory *traj, const char *name, dls_error *err)
{
  return dls_trajectory_column(traj, name) > 0
             ? DLS_OK
             : dls_fail(err, DLS_ERR_OPTION, "--over, --of: the run records no column '%.60s'", name);
}

/* Gaps, positions or velocities: impulses and forces are drawn with them, if there are any. */
static dls_status check_picture(const job *j, dls_error *err)
{
  const dls_request *r = j->request;
  if (draws_mesh(r)) {
    return dls_mesh_motion_check("mesh", r->model.model, dls_catalogue_models(r->spec.catalogue), err);
  }
  bool found = r->plot == NULL || r->over != NULL;
  dls_status status = r->over != NULL ? check_drawn(j->traj, r->over, err) : DLS_OK;
  for (size_t i = 0; r->over != NULL && i < r->drawn_count && status == DLS_OK; i++) {
    status = check_drawn(j->traj, r->drawn[i], err);
  }
  for (size_t i = 1; i < j->traj->columns; i++) {
    found = found || strchr("gqv", j->traj->names[i][0]) != NULL;
  }
  return status != DLS_OK || found
             ? status
             : dls_fail(err, DLS_ERR_OPTION, "--columns leaves nothing to draw: add a column g, q or v");
}

/* Derivatives of forces cost more than those of the motion: only for columns that are asked for. */
static dls_status differentiate_forces(const job *j, const bool *keep, dls_error *err)
{
  if (j->request->sensitivity == NULL || !dls_derivative_columns_need_forces(j->sim, j->traj, keep)) {
    return DLS_OK;
  }
  const dls_status status = dls_sim_differentiate_forces(j->sim, err);
  if (status == DLS_ERR_NOT_APPLICABLE) { /* the other columns are known */
    if (keep != NULL) {
      dls_cli_message("run", "%s", err->text);
    }
    return DLS_OK;
  }
  return status;
}

/* Record the columns of --columns only, and differentiate forces if they are among them. */
static dls_status select_columns(const job *j, dls_error *err)
{
  const dls_request *r = j->request;
  if (r->columns == NULL) {
    const dls_status all = differentiate_forces(j, NULL, err);
    return all != DLS_OK ? all : check_picture(j, err);
  }
  wanted keep = {.node = calloc(j->traj->columns, sizeof *keep.node)};
  dls_status status = keep.node != NULL
                          ? mark_columns(j, r->columns, r->column_count, &keep, err)
                          : dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu columns", j->traj->columns);
  status = status != DLS_OK ? status : differentiate_forces(j, keep.node, err);
  if (status == DLS_OK) {
    status = dls_trajectory_select(j->traj, keep.node, err);
  }
  if (status == DLS_OK && keep.measures) {
    status = dls_trajectory_measure(j->traj, j->system, j->sim->scheme, keep.measured, err);
  }
  free(keep.node);
  return status != DLS_OK ? status : check_picture(j, err);
}

/* The system starts on the cycle, and runs it once. */
static dls_status find_cycle(job *j, dls_study_results *results, dls_error *err)
{
  if (j->request->cycle == NULL) {
    return DLS_OK;
  }
  const dls_status status = dls_cli_find_cycle(j->request, j->system, &results->cycle, err);
  if (status == DLS_OK) {
    j->cycle = results->cycle;
    j->own = *j->request;
    j->own.spec.end = j->cycle->period;
    j->request = &j->own;
  }
  return status;
}

/* Rows go to the file while they come where nothing else needs them. */
static dls_status stream_rows(job *j, const dls_study_results *results, dls_error *err)
{
  const dls_request *r = j->request;
  const bool needed = r->plot != NULL || r->animation != NULL || dls_cli_has_page(j->request) || r->stats ||
                      r->sensitivity != NULL || j->cycle != NULL || results->judged;
  if (needed || j->traj->skip_nodes || !dls_cli_stream_suits(r->out) || dls_vtu_named(r->out)) {
    return DLS_OK;
  }
  j->own = *r;
  j->request = &j->own;
  return dls_cli_stream_open(&j->stream, r->out, j->traj, &j->own.recording, err);
}

/* The directions of --sensitivity. */
static dls_status differentiate(job *j, dls_error *err)
{
  const dls_request *r = j->request;
  char **names = NULL;
  size_t count = 0;
  if (r->sensitivity == NULL) {
    return DLS_OK;
  }
  dls_tangent_method method = {.kind = DLS_TANGENT_SALTATION};
  dls_status status = r->tangent != NULL ? dls_tangent_method_parse(r->tangent, &method, err) : DLS_OK;
  status = status != DLS_OK ? status : dls_cli_split("--sensitivity", r->sensitivity, ',', &names, &count, err);
  if (status == DLS_OK && (j->directions = calloc(count, sizeof *j->directions)) == NULL) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu derivatives", count);
  }
  dls_model_choice with_law = {0};
  status = status != DLS_OK ? status
                            : dls_named_parameters(r->model.model, r->model.parameters, count,
                                                   (const char *const *)names, &with_law, err);
  for (; j->direction_count < count && status == DLS_OK; j->direction_count++) {
    status = dls_tangent_direction(j->sim->scheme, &method, with_law.model, with_law.parameters,
                                   names[j->direction_count], &j->directions[j->direction_count], err);
  }
  dls_model_choice_release(&with_law);
  free(names);
  return status != DLS_OK ? status : dls_sim_differentiate_as(j->sim, &method, count, j->directions, err);
}

static dls_status prepare(job *j, dls_study_results *results, dls_error *err)
{
  const dls_request *r = j->request;
  const dls_scheme_choice *choice = r->spec.schemes;
  if (dls_study_results_room(results, 1, err) != DLS_OK ||
      dls_model_create(r->model.model, r->model.parameters, &j->system, err) != DLS_OK ||
      find_cycle(j, results, err) != DLS_OK) {
    return err->status;
  }
  r = j->request;
  j->progress = dls_cli_progress_start(r->progress, choice->scheme->name, r->spec.end);
  if (dls_scheme_choice_sim(choice, j->system, &j->sim, err) != DLS_OK || differentiate(j, err) != DLS_OK ||
      (r->stats && dls_joint_ledger_create(j->system, &j->joints, err) != DLS_OK)) {
    return err->status;
  }
  if (j->request->problems != NULL) {
    dls_cli_dump_watch(&j->dump, j->sim);
  }
  j->traj = results->runs[0] = dls_sim_trajectory(j->sim, err);
  if (j->traj == NULL) {
    return DLS_ERR_MEMORY;
  }
  j->traj->skip_nodes =
      r->stats && r->out == NULL && r->plot == NULL && r->animation == NULL && !dls_cli_has_page(j->request);
  j->traj->skip_events = j->traj->skip_nodes && !results->judged;
  if (select_columns(j, err) != DLS_OK || dls_request_note(r, 0, j->traj, err) != DLS_OK ||
      dls_scheme_choice_note(choice, j->traj, err) != DLS_OK ||
      (j->cycle != NULL && dls_cycle_note(j->cycle, j->traj, err) != DLS_OK) ||
      dls_cli_note_recording(&r->recording, j->traj, err) != DLS_OK) {
    return err->status;
  }
  return stream_rows(j, results, err);
}

/* The picture and the page. */
static dls_status show(const job *j, dls_error *err)
{
  static const char *const columns[] = {"q0", "v0"};
  const dls_request *r = j->request;
  const dls_trajectory *run = j->traj;
  dls_trajectory *reference = NULL;
  dls_status status = DLS_OK;
  if (j->cycle == NULL) { /* which starts elsewhere */
    status = dls_cli_exact_solution(r, &reference, err);
  }
  const dls_comparison plot = {.title = r->model.model->name,
                               .scheme = r->labels[0],
                               .step = r->step,
                               .count = 1,
                               .runs = &run,
                               .labels = r->labels,
                               .reference = reference,
                               .column_count = r->over != NULL ? r->drawn_count : 2,
                               .columns = r->over != NULL ? r->drawn : columns,
                               .over = r->over};
  if (status == DLS_OK && r->plot != NULL) {
    const dls_canvas canvas = dls_canvas_file(r->plot, &r->form);
    status = r->over != NULL ? dls_draw_comparison(&plot, &canvas, err)
             : draws_mesh(r) ? dls_draw_mesh(r->model.model, j->system, run, &canvas, err)
                             : dls_draw_trajectory(run, reference, &canvas, err);
    dls_cli_drawn(r->plot, status);
  }
  if (status == DLS_OK) {
    status = dls_cli_write_motion(r, "Simulation", "How does the system move?", &plot, err);
  }
  dls_trajectory_destroy(reference);
  return status;
}

static dls_status write_problems(const job *j, dls_error *err)
{
  const char *folder = j->request->problems;
  size_t written = 0;
  const dls_status status = dls_cli_dump_write(&j->dump, folder, &written, err);
  dls_cli_message(j->request->command, "contact problems with friction: %zu; %zu written to %s", j->dump.met,
                  written, folder);
  return status;
}

/* Files first, so that a reader of standard output who leaves early costs none of them. @return exit code */
static int write_results(job *j, int code)
{
  const dls_request *r = j->request;
  const bool shown = r->plot != NULL || dls_cli_has_page(r), moves = j->traj->rows > 1,
             only_printed =
                 r->out == NULL && !(shown || r->animation != NULL || r->stats || r->problems != NULL);
  dls_error err = {0};
  if (dls_cli_note_left_out(j->traj, &err) != DLS_OK) {
    return dls_cli_fail(r->command, &err);
  }
  if (only_printed && j->traj->rows > MOST_ROWS_OF_TERMINAL && isatty(STDOUT_FILENO)) {
    dls_cli_print_summary(stdout, j->sim, j->traj, r->model.model->name);
  } else if (r->out != NULL || only_printed) {
    code = dls_cli_written(r->command, write_out(j, &err), &err, code);
  }
  if (shown && moves) {
    code = dls_cli_written(r->command, show(j, &err), &err, code);
  }
  if (r->animation != NULL && moves) {
    const dls_model_choice *model = &r->model;
    code = dls_cli_written(
        r->command, dls_animate(model->model, model->parameters, j->traj, r->animation, &err), &err, code);
  }
  if (r->problems != NULL) {
    code = dls_cli_written(r->command, write_problems(j, &err), &err, code);
  }
  if (r->stats) {
    code =
        dls_cli_written(r->command, dls_cli_print_stats(stdout, j->sim, j->traj, &j->joints, &err), &err, code);
    if (j->cycle != NULL) {
      dls_cycle_print(j->cycle, stdout);
    }
  }
  return code;
}

static int execute(job *j, dls_study_results *results)
{
  dls_error err = {0};
  if (check_outputs(j->request, &err) != DLS_OK || prepare(j, results, &err) != DLS_OK) {
    dls_cli_add_remedy(j->request->spec.schemes[0].scheme, j->system, &err);
    return dls_cli_fail(j->request->command, &err);
  }
  const dls_request *r = j->request;
  const dls_status status = dls_cli_record(r, 0, j->sim, j->traj, r->stats ? &j->joints : NULL,
                                           r->sensitivity != NULL ? &j->derivatives : NULL, &j->progress, &err);
  int code = DLS_EXIT_DONE;
  if (status != DLS_OK) {
    if (j->sim->step == 0) {
      dls_cli_add_remedy(r->spec.schemes[0].scheme, j->system, &err);
    }
    code = dls_cli_fail(j->request->command, &err);
    if (code == DLS_EXIT_REQUEST && j->sim->step == 0) {
      dls_study_results_release(results);
      return code; /* refused at the start: there is nothing to keep */
    }
    code = DLS_EXIT_FAILED;
  }
  if (j->sim->sys->remark[0] != '\0') {
    dls_cli_message(j->request->command, "%s", j->sim->sys->remark);
  }
  char note[DLS_NOTE_ROOM];
  dls_sim_note(j->sim, note, sizeof note);
  if (note[0] != '\0') {
    dls_cli_message(j->request->command, "%s", note);
  }
  if (r->sensitivity != NULL) {
    const size_t columns = j->traj->columns;
    code = dls_cli_written(r->command, dls_derivative_columns_join(&j->derivatives, j->sim, j->traj, &err),
                           &err, code);
    if (code == DLS_EXIT_DONE && j->traj->columns == columns) {
      dls_cli_message(r->command,
                      "--sensitivity: no q or v is recorded, so there are no columns of derivatives");
    }
    dls_cli_report_derivatives(r->command, j->sim);
  }
  dls_cli_report_releases(j->request->command, j->sim);
  dls_cli_report_events(j->request->command, j->sim, j->traj);
  dls_cli_report_warnings(j->request->command, NULL, j->sim);
  dls_cli_report_growth(j->request->command, j->sim);
  return write_results(j, code);
}

static int perform(const dls_request *request, dls_study_results *results)
{
  if (request->axis_count > 0) {
    return dls_cli_grid(request, results);
  }
  job j = {.request = request};
  const int code = execute(&j, results);
  dls_cli_stream_close(&j.stream);
  dls_cli_dump_release(&j.dump);
  dls_joint_ledger_release(&j.joints);
  dls_sim_destroy(j.sim);
  dls_system_destroy(j.system);
  for (size_t k = 0; k < j.direction_count; k++) {
    dls_direction_release(&j.directions[k]);
  }
  free(j.directions);
  dls_derivative_columns_release(&j.derivatives);
  return code;
}

const dls_cli_command dls_cli_run = {
    .name = "run",
    .group = DLS_CLI_SIMULATE,
    .synopsis = "MODEL",
    .summary = "one simulation: trajectory, picture, work counters",
    .text = "Simulate a model with a scheme. Without --out, --plot, --animate, --report, --dump-problems\n"
            "and --stats the trajectory is printed as CSV; on a terminal more than 50 rows are summarised. A "
            "run that fails on the way keeps what it\n"
            "computed, marked `# complete: no`, and exits 1; Ctrl-C does the same and exits 130. With --cycle\n"
            "a limit cycle is found by Newton's method and run once; its period and its Floquet multipliers\n"
            "are in the trajectory's metadata and among --stats.\n",
    .page = "guide/first-order-study",
    .examples =
        "  delassus run bouncing-ball --scheme moreau-jean --step 0.01 --end 4 --out ball.csv\n"
        "  delassus run bouncing-ball --scheme event-driven --set e=0.9 --plot ball.png --stats\n"
        "  delassus run impacting-oscillator --scheme moreau-jean:theta=1 --step 1e-3 --plot -\n"
        "  delassus run belt --scheme event-driven --set Fs=1.5 --end 20 --over q0 --plot belt.svg\n"
        "  delassus run woodpecker --scheme event-driven:tol=1e-12 --cycle stick:1 --drift q0 --stats\n"
        "  delassus run two-ball-oscillator --scheme event-driven --at 0.5,1,1.5\n"
        "  delassus run bouncing-ball --scheme event-driven --end 3 --sensitivity q0,e --out ball.csv\n",
    .keys = DLS_STUDY_RUN,
    .least = 1,
    .most = 1,
    .kind = DLS_STUDY_RUN,
    .perform = perform,
};
