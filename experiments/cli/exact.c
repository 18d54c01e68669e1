/* experiments/cli/exact.c -- `delassus exact`: the closed-form solution of a model.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/command_line.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/rigorous.h"
#include "experiments/cli/rigorous_module.h"
#include "experiments/cli/run.h"
#include "experiments/show/pictures.h"

#include "common/base/text.h"
#include "common/run/csv.h"
#include <delassus/catalogue.h>
#include <delassus/plot.h>
#include <stdlib.h>
#include <string.h>

/* Cubic interpolation of the sampled rows errs by no more than this in q [m] and v [m/s]. */
static const double sampling_accuracy = 1e-12;

static const dls_exact *find_exact(const dls_catalogue *catalogue, const dls_model *model, dls_error *err)
{
  const dls_exact *exact = dls_catalogue_exact(catalogue, model->name);
  if (exact == NULL) {
    char list[200] = "";
    for (const dls_exact *const *e = dls_catalogue_exacts(catalogue); *e != NULL; e++) {
      dls_text_append(list, sizeof list, "%s%s", list[0] == '\0' ? "" : ", ", (*e)->model->name);
    }
    dls_fail(err, DLS_ERR_OPTION, "model %s has no exact solution; those that have one: %s", model->name, list);
  }
  return exact;
}

/* Rows at --at, which reaches as far as its times, unless --end is given too; else all of them up to the end. */
static dls_status compute(const dls_cli_args *args, const dls_exact *exact, const dls_request *r,
                          dls_trajectory **out, dls_error *err)
{
  const size_t count = r->recording.at_count;
  if (count == 0) {
    return dls_exact_trajectory(exact, r->model.parameters, r->spec.end, sampling_accuracy, out, err);
  }
  for (size_t i = 0; i < count && dls_cli_value(args, "end") != NULL; i++) {
    if (r->recording.at[i] > r->spec.end) {
      return dls_fail(err, DLS_ERR_ARG, "--at, time %zu = %.15g is outside [0, %g]", i + 1, r->recording.at[i],
                      r->spec.end);
    }
  }
  return dls_exact_at(exact, r->model.parameters, count, r->recording.at, out, err);
}

dls_status dls_cli_exact_solution(const dls_request *r, dls_trajectory **out, dls_error *err)
{
  const double picture_accuracy = 1e-4; /* m, m/s: below the width of a line */
  const dls_exact *exact = dls_catalogue_exact(r->spec.catalogue, r->model.model->name);
  dls_error why = {0};
  *out = NULL;
  if (exact == NULL) {
    return DLS_OK;
  }
  if (!dls_cli_let_signals_end(r->command)) {
    dls_fail(&why, DLS_ERR_INTERRUPTED, "interrupted");
  } else {
    dls_exact_trajectory(exact, r->model.parameters, r->spec.end, picture_accuracy, out, &why);
    dls_cli_note_signals_again();
  }
  if (*out == NULL) {
    dls_cli_message(r->command, "the picture is without the exact solution: %s", why.text);
  }
  return why.status == DLS_ERR_MEMORY ? dls_fail(err, DLS_ERR_MEMORY, "no memory for the exact solution")
                                      : DLS_OK;
}

/* Rows at some times are no curve; and there is one standard output. */
static dls_status check_outputs(const dls_request *r, dls_error *err)
{
  if (r->plot != NULL && r->out != NULL && strcmp(r->plot, "-") == 0 && strcmp(r->out, "-") == 0) {
    return dls_fail(err, DLS_ERR_ARG, "--out - and --plot - would both write to standard output");
  }
  const dls_status status = dls_cli_check_output(r->out, err);
  return status != DLS_OK ? status : dls_cli_check_picture(r->plot, err);
}

static void report_derivative(const dls_request *r, const char *name, const dls_exact_derivative *d)
{
  if (d->status == DLS_DERIVATIVE_ONE_SIDED) {
    dls_cli_message(r->command, "%s: one-sided, the derivative is that of changes to one side", name);
  } else if (d->status == DLS_DERIVATIVE_DEGENERATE) {
    dls_cli_message(
        r->command,
        "%s: degenerate, from t = %.10g s on there are rows without a derivative (nan): neighbouring "
        "values have other events",
        name, d->missing_from);
  }
}

/* The columns of --sensitivity. */
static dls_status differentiate(const dls_exact *exact, const dls_request *r, dls_trajectory *traj,
                                dls_error *err)
{
  char **names = NULL;
  size_t count = 0;
  dls_status status = dls_cli_split("--sensitivity", r->sensitivity, ',', &names, &count, err);
  dls_exact_derivative *derivatives = status == DLS_OK ? calloc(count, sizeof *derivatives) : NULL;
  if (status == DLS_OK && derivatives == NULL) {
    status = dls_fail(err, DLS_ERR_MEMORY, "out of memory");
  }
  if (status == DLS_OK) {
    status = dls_exact_differentiate(exact, r->model.parameters, count, (const char *const *)names, traj,
                                     derivatives, err);
  }
  for (size_t k = 0; k < count && status == DLS_OK; k++) {
    report_derivative(r, names[k], &derivatives[k]);
  }
  free(derivatives);
  free(names);
  return status;
}

static dls_status solve(const dls_cli_args *args, const dls_request *r, dls_trajectory **traj, dls_error *err)
{
  const dls_exact *exact = find_exact(r->spec.catalogue, r->model.model, err);
  const dls_status status = exact == NULL ? DLS_ERR_OPTION : check_outputs(r, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_cli_let_signals_end(r->command);
  dls_status solved = compute(args, exact, r, traj, err);
  if (solved == DLS_OK && r->sensitivity != NULL) {
    solved = differentiate(exact, r, *traj, err);
  }
  dls_cli_note_signals_again();
  return solved;
}

/* The rows at --at for reading: without metadata and events, which a file has. The status of a derivative is metadata. */
static dls_status print_rows(const dls_trajectory *traj, dls_error *err)
{
  const locale_t before = dls_text_begin_c_locale();
  dls_csv_write_names(traj, stdout);
  dls_csv_write_rows(traj, stdout);
  dls_text_end_c_locale(before);
  return dls_csv_finish(stdout, err);
}

/* The table, unless only a picture is asked for; then the picture. @return exit code */
static int write_results(const dls_request *r, dls_trajectory *traj)
{
  dls_error err = {0};
  int code = DLS_EXIT_DONE;
  if (r->out == NULL && r->plot == NULL && r->recording.at_count > 0 && r->sensitivity == NULL) {
    code = dls_cli_written(r->command, print_rows(traj, &err), &err, code);
  } else if (r->out != NULL || r->plot == NULL) {
    code = dls_cli_written(r->command, dls_cli_write_trajectory(r, traj, r->out, &err), &err, code);
  }
  if (r->plot != NULL) {
    const dls_canvas canvas = dls_canvas_file(r->plot, &r->form);
    code = dls_cli_written(r->command, dls_draw_trajectory(traj, NULL, &canvas, &err), &err, code);
  }
  return code;
}

static int perform(const dls_cli_args *args, const dls_request *r)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  if (dls_cli_value(args, "rigorous") != NULL) {
    return dls_cli_exact_rigorous(args, r);
  }
  if (dls_cli_value(args, "digits") != NULL) {
    dls_fail(&err, DLS_ERR_OPTION,
             "--digits = %.20s goes with --rigorous: without it there are those of a double",
             dls_cli_value(args, "digits"));
    return dls_cli_fail(r->command, &err);
  }
  const bool good = dls_cli_proof_check(args, &err) == DLS_OK && solve(args, r, &traj, &err) == DLS_OK;
  const int code = good ? write_results(r, traj) : dls_cli_fail(r->command, &err);
  dls_trajectory_destroy(traj);
  return code;
}

static int run(const dls_cli_args *args)
{
  dls_error err = {0};
  dls_cli_request all;
  const dls_status status = dls_cli_read_request(args, DLS_STUDY_RUN, &all, &err);
  const int code = status == DLS_OK ? perform(args, &all.request) : dls_cli_fail(args->command->name, &err);
  dls_cli_request_release(&all);
  return code;
}

static const dls_cli_option options[] = {
    {.name = "rigorous",
     .help =
         "enclosures by ball arithmetic: columns NAME_lo, NAME_hi, rows at all events, none of which is "
         "missed; of "
         "bouncing-ball, impacting-oscillator, two-ball-oscillator, vibrating-table, rope, belt, forced-block, "
         "spring-block, den-hartog, puck"},
    {.name = "digits", .argument = "D", .help = "of the enclosures, 1 to 100 (default 30); with --rigorous"},
    {0},
};

const dls_cli_command dls_cli_exact = {
    .name = "exact",
    .group = DLS_CLI_SIMULATE,
    .synopsis = "MODEL",
    .summary = "the closed-form solution of a model, in full double precision",
    .text = "Print the exact solution of a model as a trajectory, in full double precision. At an event\n"
            "there are two rows with the same t: the limit from the left and the limit from the right.\n"
            "Without --at the rows are so dense that cubic Hermite interpolation between them (slope of q\n"
            "is v, slope of v is a) errs by less than 1e-12 in q and v. With --at and without --out and\n"
            "--sensitivity the rows are printed without metadata.\n",
    .page = "reference/exact-solutions",
    .examples = "  delassus exact bouncing-ball --at 0.5,1,2.999,3\n"
                "  delassus exact impacting-oscillator --set e=0.9 --end 20 --out exact.csv\n"
                "  delassus exact bouncing-ball --end 4 --plot ball.svg\n"
                "  delassus exact bouncing-ball --at 2.25 --sensitivity q0,v0,e\n"
                "  delassus exact bouncing-ball --set f=-9.81 --set e=0.8 --rigorous --digits 50 --end 1\n",
    .options = options,
    .keys = DLS_COMMAND_EXACT,
    .least = 1,
    .most = 1,
    .run = run,
};
