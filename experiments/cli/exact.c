/* experiments/cli/exact.c -- `delassus exact`: the closed-form solution of a model.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/progress.h"
#include "experiments/cli/recording.h"
#include "experiments/cli/request_words.h"
#include "experiments/cli/rigorous.h"
#include "experiments/cli/rigorous_module.h"
#include "experiments/cli/run.h"
#include "experiments/show/pictures.h"

#include "common/base/text.h"
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

static dls_status at_times(const dls_cli_args *args, const dls_exact *exact, const double *p, double end,
                           dls_trajectory **out, dls_error *err)
{
  double *times = NULL;
  size_t count = 0;
  dls_status status = dls_cli_times(args, end, &times, &count, err);
  if (status == DLS_OK) {
    status = dls_exact_at(exact, p, count, times, out, err);
  }
  free(times);
  return status;
}

static dls_status compute(const dls_cli_args *args, const dls_exact *exact, const double *p,
                          dls_trajectory **out, dls_error *err)
{
  const bool at = dls_cli_value(args, "at") != NULL;
  double end = at ? 1e300 : DLS_REQUEST_END; /* --at reaches as far as its times, unless --end is given too */
  const dls_status status = dls_cli_positive(args, "end", &end, err);
  if (status != DLS_OK) {
    return status;
  }
  return at ? at_times(args, exact, p, end, out, err)
            : dls_exact_trajectory(exact, p, end, sampling_accuracy, out, err);
}

dls_status dls_cli_exact_solution(const dls_cli_args *args, const dls_model_choice *model, double end,
                                  dls_trajectory **out, dls_error *err)
{
  const double picture_accuracy = 1e-4; /* m, m/s: below the width of a line */
  const dls_exact *exact = dls_catalogue_exact(args->catalogue, model->model->name);
  dls_error why = {0};
  *out = NULL;
  if (exact == NULL) {
    return DLS_OK;
  }
  if (!dls_cli_let_signals_end(args)) {
    dls_fail(&why, DLS_ERR_INTERRUPTED, "interrupted");
  } else {
    dls_exact_trajectory(exact, model->parameters, end, picture_accuracy, out, &why);
    dls_cli_note_signals_again();
  }
  if (*out == NULL) {
    dls_cli_message(args->command, "the picture is without the exact solution: %s", why.text);
  }
  return why.status == DLS_ERR_MEMORY ? dls_fail(err, DLS_ERR_MEMORY, "no memory for the exact solution")
                                      : DLS_OK;
}

/* Rows at some times are no curve; and there is one standard output. */
static dls_status check_outputs(const dls_cli_args *args, dls_error *err)
{
  const char *out = dls_cli_value(args, "out"), *plot = dls_cli_value(args, "plot");
  if (plot != NULL && dls_cli_value(args, "at") != NULL) {
    return dls_fail(err, DLS_ERR_OPTION,
                    "--plot = %.100s draws the whole motion on [0, T]: it does not go with --at", plot);
  }
  if (plot != NULL && out != NULL && strcmp(plot, "-") == 0 && strcmp(out, "-") == 0) {
    return dls_fail(err, DLS_ERR_ARG, "--out - and --plot - would both write to standard output");
  }
  dls_plot_style style = DLS_PLOT_SCREEN;
  dls_status status = dls_cli_read_style(args, &style, err);
  status = status != DLS_OK ? status : dls_cli_check_output(out, err);
  status = status != DLS_OK ? status : dls_cli_check_output(plot, err);
  return status != DLS_OK || plot == NULL ? status : dls_plot_check(plot, err);
}

/* The solution of the choice, which is made here. */
static dls_status solve(const dls_cli_args *args, const dls_model *model, dls_trajectory **traj, dls_error *err)
{
  const dls_exact *exact = find_exact(args->catalogue, model, err);
  dls_model_choice choice = {0};
  dls_status status = exact == NULL ? DLS_ERR_OPTION : dls_cli_model(args, model, &choice, err);
  status = status != DLS_OK ? status : check_outputs(args, err);
  if (status == DLS_OK) {
    dls_cli_let_signals_end(args);
    status = compute(args, exact, choice.parameters, traj, err);
    dls_cli_note_signals_again();
  }
  dls_model_choice_release(&choice);
  return status;
}

/* The table, unless only a picture is asked for; then the picture. @return exit code */
static int write_results(const dls_cli_args *args, dls_trajectory *traj)
{
  const char *out = dls_cli_value(args, "out"), *plot = dls_cli_value(args, "plot");
  dls_error err = {0};
  int code = DLS_EXIT_DONE;
  if (out != NULL || plot == NULL) {
    code = dls_cli_written(args, dls_cli_write_trajectory(args, traj, out, &err), &err, code);
  }
  if (plot != NULL) {
    dls_plot_style style = DLS_PLOT_SCREEN;
    dls_cli_read_style(args, &style, &err); /* checked before */
    const dls_canvas canvas = dls_canvas_file(plot, style);
    code = dls_cli_written(args, dls_draw_trajectory(traj, NULL, &canvas, &err), &err, code);
  }
  return code;
}

static int run(const dls_cli_args *args)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  const dls_model *model = dls_catalogue_model(args->catalogue, args->positional[0], &err);
  if (model != NULL && dls_cli_value(args, "rigorous") != NULL) {
    return dls_cli_exact_rigorous(args, model);
  }
  if (dls_cli_value(args, "digits") != NULL) {
    dls_fail(&err, DLS_ERR_OPTION,
             "--digits = %.20s goes with --rigorous: without it there are those of a double",
             dls_cli_value(args, "digits"));
    return dls_cli_fail(args, &err);
  }
  dls_status status = model == NULL ? DLS_ERR_OPTION : dls_cli_proof_check(args, &err);
  status = status != DLS_OK ? status : solve(args, model, &traj, &err);
  const int code = status == DLS_OK ? write_results(args, traj) : dls_cli_fail(args, &err);
  dls_trajectory_destroy(traj);
  return code;
}

static const dls_cli_option options[] = {
    {"set", "P=V", "set a parameter or a file of the model; may be repeated; `delassus show MODEL` lists them",
     true},
    {"at", "T1,T2,...", "rows at these times only, in s, increasing; two rows where one is an event", false},
    {"end", "T", "without --at: rows from t = 0 to T in s (default 10)", false},
    {"rigorous", NULL,
     "enclosures by ball arithmetic: columns NAME_lo, NAME_hi, rows at all events, none of which is missed; of "
     "bouncing-ball, impacting-oscillator, two-ball-oscillator, vibrating-table, rope, belt, forced-block, "
     "spring-block, den-hartog, puck",
     false},
    {"digits", "D", "of the enclosures, 1 to 100 (default 30); with --rigorous", false},
    DLS_CLI_PROOF_OPTIONS,
    {"out", "FILE.csv", "write to a file; - or nothing, without --plot, is standard output", false},
    {"plot", "FILE",
     "draw the motion: FILE.png, .svg, .pdf, with its gnuplot script FILE.gp; or (pgfplots) FILE.tex; - is the "
     "terminal",
     false},
    DLS_CLI_STYLE_OPTION,
    {0},
};

const dls_cli_command dls_cli_exact = {
    .name = "exact",
    .synopsis = "MODEL [--set P=V]... [--at T1,T2,...] [--end T] [--rigorous [--digits D] "
                "[--time-limit SECONDS] [--progress WHEN]] [--out FILE.csv] "
                "[--plot FILE] [--style screen|journal|slides]",
    .summary = "the closed-form solution of a model, in full double precision",
    .text = "Print the exact solution of a model as a trajectory, in full double precision. At an event\n"
            "there are two rows with the same t: the limit from the left and the limit from the right.\n"
            "Without --at the rows are so dense that cubic Hermite interpolation between them (slope of q\n"
            "is v, slope of v is a) errs by less than 1e-12 in q and v.\n",
    .examples = "  delassus exact bouncing-ball --at 0.5,1,2.999,3\n"
                "  delassus exact impacting-oscillator --set e=0.9 --end 20 --out exact.csv\n"
                "  delassus exact bouncing-ball --end 4 --plot ball.svg\n"
                "  delassus exact bouncing-ball --set f=-9.81 --set e=0.8 --rigorous --digits 50 --end 1\n",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
