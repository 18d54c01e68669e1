/* experiments/cli/fit.c -- `delassus fit`: parameters of a model from a measured motion, with confidence intervals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/cli.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/foreign_tables.h"
#include "experiments/cli/progress.h"

#include "common/base/decimal.h"
#include "common/base/memory.h"
#include "common/run/csv.h"
#include "experiments/campaign/provenance.h"
#include "experiments/extra/foreign/foreign_file.h"
#include "experiments/measures/fit/parameter_fit.h"
#include "experiments/request/request.h"
#include "experiments/show/plot_fit.h"
#include <delassus/catalogue.h>
#include <delassus/choice.h>
#include <delassus/output.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWN_TIMES = 1000 }; /* of the curve of a picture */

/* What is asked for, checked; and what is computed. */
typedef struct job {
  const dls_cli_args *args;
  dls_model_choice model;
  dls_scheme_choice scheme;
  dls_pool pool;
  dls_picture_form form;
  const char *path, *out, *plot;
  char **of, **by; /* one block each */
  size_t of_count, by_count;
  double *sigma, *low, *high; /* sigma NULL: estimated */
  dls_trajectory *file;
  dls_fit_table table;
  dls_parameter_fit_spec spec;
  dls_parameter_fit *fit;
} job;

static dls_status no_memory(dls_error *err)
{
  return dls_fail(err, DLS_ERR_MEMORY, "out of memory");
}

/* --- words --- */

static size_t position_of(const char *name, size_t length, char *const *names, size_t count)
{
  size_t i = 0;
  while (i < count && !(strlen(names[i]) == length && strncmp(names[i], name, length) == 0)) {
    i++;
  }
  return i;
}

/* --sigma S, or X=S for every column. */
static dls_status read_sigma(job *j, dls_error *err)
{
  const char *text = dls_cli_value(j->args, "sigma");
  char **fields = NULL;
  size_t count = 0, given = 0;
  if (text == NULL) {
    return DLS_OK;
  }
  j->sigma = calloc(j->of_count, sizeof *j->sigma);
  dls_status status =
      j->sigma != NULL ? dls_cli_split("--sigma", text, ',', &fields, &count, err) : no_memory(err);
  if (status == DLS_OK && count == 1 && strchr(fields[0], '=') == NULL) {
    double all = 0;
    status = dls_parse_number("--sigma", fields[0], &all, err);
    for (given = 0; given < j->of_count; given++) {
      j->sigma[given] = all;
    }
  } else {
    for (size_t i = 0; i < count && status == DLS_OK; i++) {
      const size_t length = strcspn(fields[i], "=");
      const size_t column = position_of(fields[i], length, j->of, j->of_count);
      if (fields[i][length] == '\0' || column == j->of_count || j->sigma[column] != 0) {
        status = dls_fail(
            err, DLS_ERR_OPTION,
            "--sigma: '%.60s' must be COLUMN=S for a column of --of, once for each, or one number", fields[i]);
      } else {
        status = dls_parse_number("--sigma", fields[i] + length + 1, &j->sigma[column], err);
        given++;
      }
    }
  }
  free(fields);
  return status != DLS_OK || given == j->of_count
             ? status
             : dls_fail(err, DLS_ERR_OPTION, "--sigma names %zu of the %zu columns of --of", given,
                        j->of_count);
}

/* Every --range P=A:B; A or B may be empty. */
static dls_status read_ranges(job *j, dls_error *err)
{
  dls_status status = DLS_OK;
  j->low = malloc(j->by_count * sizeof *j->low);
  j->high = malloc(j->by_count * sizeof *j->high);
  if (j->low == NULL || j->high == NULL) {
    return no_memory(err);
  }
  for (size_t k = 0; k < j->by_count; k++) {
    j->low[k] = -INFINITY;
    j->high[k] = INFINITY;
  }
  for (size_t i = 0; i < dls_cli_count(j->args, "range") && status == DLS_OK; i++) {
    const char *text = dls_cli_value_at(j->args, "range", i);
    const size_t length = strcspn(text, "=");
    const size_t k = position_of(text, length, j->by, j->by_count);
    char low[DLS_DECIMAL_SIZE + 40];
    const char *colon = strchr(text, ':');
    if (text[length] == '\0' || colon == NULL || k == j->by_count) {
      return dls_fail(err, DLS_ERR_OPTION, "--range: '%.60s' must be P=A:B for a parameter of --by", text);
    }
    snprintf(low, sizeof low, "%.*s", (int)(colon - text - (ptrdiff_t)length - 1), text + length + 1);
    if (low[0] != '\0') {
      status = dls_parse_number("--range", low, &j->low[k], err);
    }
    if (status == DLS_OK && colon[1] != '\0') {
      status = dls_parse_number("--range", colon + 1, &j->high[k], err);
    }
  }
  return status;
}

static dls_status read_method(const char *text, double *relative, dls_error *err)
{
  const char *prefix = "difference:relative=";
  *relative = 0;
  if (text == NULL || strcmp(text, "forward") == 0) {
    return DLS_OK;
  }
  if (strncmp(text, prefix, strlen(prefix)) != 0) {
    return dls_fail(err, DLS_ERR_OPTION, "--method = %.60s: allowed are forward and difference:relative=D",
                    text);
  }
  const dls_status status =
      dls_parse_number("--method difference:relative", text + strlen(prefix), relative, err);
  return status != DLS_OK || (*relative > 0 && *relative < 1)
             ? status
             : dls_fail(err, DLS_ERR_OPTION, "--method difference:relative = %g is outside (0, 1)", *relative);
}

/* The file, its columns renamed by --map, and those of --of taken. */
static dls_status read_file(job *j, double until, dls_error *err)
{
  dls_foreign_manner manner = {0};
  dls_csv_layout layout;
  dls_status status = dls_cli_read_manner(j->args, &j->pool, &manner, err);
  manner.between_given = true; /* nothing between the rows is used */
  if (status != DLS_OK ||
      (status = dls_foreign_read(&manner, j->path, j->path, &j->file, &layout, err)) != DLS_OK) {
    return status;
  }
  return dls_fit_table_take(j->file, j->path, j->of_count, (const char *const *)j->of, until, &j->table, err);
}

/* Numbers of options that have defaults. */
static dls_status read_numbers(job *j, double *until, dls_error *err)
{
  const dls_cli_args *args = j->args;
  double iterations = 50, starts = 1;
  *until = INFINITY;
  j->spec.level = 0.95;
  j->spec.tol = 1e-4;
  if ((dls_cli_value(args, "step") != NULL && dls_cli_positive(args, "step", &j->spec.step, err) != DLS_OK) ||
      dls_cli_positive(args, "level", &j->spec.level, err) != DLS_OK ||
      dls_cli_positive(args, "tol", &j->spec.tol, err) != DLS_OK ||
      dls_cli_positive(args, "until", until, err) != DLS_OK ||
      dls_cli_integer(args, "iterations", 1, 1e6, &iterations, err) != DLS_OK ||
      dls_cli_integer(args, "starts", 1, 1e4, &starts, err) != DLS_OK ||
      read_method(dls_cli_value(args, "method"), &j->spec.relative, err) != DLS_OK) {
    return err->status;
  }
  j->spec.iterations = (size_t)iterations;
  j->spec.starts = (size_t)starts;
  return DLS_OK;
}

static dls_status need_split(const job *j, const char *name, char ***out, size_t *count, dls_error *err)
{
  char what[20];
  const char *text = dls_cli_value(j->args, name);
  snprintf(what, sizeof what, "--%s", name);
  return text == NULL ? dls_fail(err, DLS_ERR_OPTION, "%s must be given", what)
                      : dls_cli_split(what, text, ',', out, count, err);
}

static dls_status read_words(job *j, dls_error *err)
{
  const dls_cli_args *args = j->args;
  const char *scheme = dls_cli_value(args, "scheme");
  double until = INFINITY;
  dls_request options;
  j->path = args->positional[1];
  j->out = dls_cli_value(args, "out");
  j->plot = dls_cli_value(args, "plot");
  const dls_model *model = dls_catalogue_model(args->catalogue, args->positional[0], err);
  if (model == NULL || dls_cli_read_options(args, &options, err) != DLS_OK ||
      need_split(j, "of", &j->of, &j->of_count, err) != DLS_OK ||
      need_split(j, "by", &j->by, &j->by_count, err) != DLS_OK ||
      dls_cli_model(args, model, &j->model, err) != DLS_OK ||
      dls_catalogue_choose(args->catalogue, scheme != NULL ? scheme : "event-driven", &j->scheme, err) !=
          DLS_OK ||
      read_numbers(j, &until, err) != DLS_OK || read_sigma(j, err) != DLS_OK || read_ranges(j, err) != DLS_OK ||
      dls_cli_check_output(j->out, err) != DLS_OK || dls_cli_check_picture(j->plot, err) != DLS_OK) {
    return err->status;
  }
  j->form = options.form;
  return read_file(j, until, err) == DLS_OK ? DLS_OK : dls_cli_refuse(err);
}

/* --- results --- */

static void print_number(FILE *out, double value, const char *end)
{
  char number[DLS_DECIMAL_SIZE] = "nan";
  if (!isnan(value)) {
    dls_decimal_write(value, number);
  }
  fprintf(out, "%s%s", number, end);
}

/* @return the exit code: failed if a parameter is not identifiable */
static int print_estimates(const job *j)
{
  int code = DLS_EXIT_DONE;
  puts("parameter,value,low,high");
  for (size_t k = 0; k < j->by_count; k++) {
    const dls_estimate *estimate = &j->fit->estimates[k];
    dls_csv_write_name(j->by[k], stdout);
    putchar(',');
    print_number(stdout, estimate->value, ",");
    print_number(stdout, estimate->low, ",");
    print_number(stdout, estimate->high, "\n");
    code = estimate->identifiable ? code : DLS_EXIT_FAILED;
  }
  return j->fit->converged ? code : DLS_EXIT_FAILED;
}

static void report(const job *j)
{
  const char *command = j->args->command->name;
  const dls_parameter_fit *fit = j->fit;
  dls_cli_report_layout(command, j->path, j->file, NULL);
  if (j->table.jumps > 0) {
    dls_cli_message(command, "%s: %zu times with two rows, the limits of a jump, are left out", j->path,
                    j->table.jumps);
  }
  if (j->table.later > 0) {
    dls_cli_message(command, "%s: %zu rows after --until are left out", j->path, j->table.later);
  }
  dls_cli_message(command, "%zu iterations, %zu runs; %zu rows, %zu degrees of freedom", fit->iterations,
                  fit->runs, fit->rows, fit->freedom);
  for (size_t i = 0; i < fit->of_count; i++) {
    dls_cli_message(command, "%s: rms of the residuals %.4g; noise %.4g (%s)", j->of[i], fit->rms[i],
                    fit->sigma[i], j->sigma != NULL ? "given" : "estimated from them");
  }
  for (size_t k = 0; k < fit->by_count; k++) {
    for (size_t l = 0; l < k; l++) {
      const double *C = fit->covariance;
      const size_t n = fit->by_count;
      if (isfinite(C[k * n + l])) {
        dls_cli_message(command, "correlation of %s and %s: %.3f", j->by[l], j->by[k],
                        C[k * n + l] / sqrt(C[k * n + k] * C[l * n + l]));
      }
    }
  }
  for (size_t k = 0; k < fit->by_count; k++) {
    if (fit->estimates[k].status != DLS_DERIVATIVE_OK) {
      dls_cli_message(command, "derivatives with respect to %s: %s", j->by[k],
                      dls_derivative_status_name(fit->estimates[k].status));
    }
  }
  for (size_t i = 0; i < fit->message_count; i++) {
    dls_cli_message(command, "%s", fit->messages[i]);
  }
}

/* Data, model and half width of its confidence band: t,q0,fit_q0,band_q0,... */
static dls_status write_table(const job *j, dls_error *err)
{
  const size_t rows = j->fit->rows, of_count = j->of_count;
  double *values = calloc(dls_size_sum(dls_size_product(2 * of_count, rows), 1), sizeof *values),
         *half = values + rows * of_count;
  dls_output *out = NULL;
  dls_status status = values != NULL
                          ? dls_parameter_fit_curve(&j->spec, j->fit, rows, j->spec.data.t, values, half, err)
                          : no_memory(err);
  if (status == DLS_OK) {
    status = dls_output_open(j->out, &out, err);
  }
  if (status != DLS_OK) {
    free(values);
    return status;
  }
  FILE *file = dls_output_stream(out);
  fputs("t", file);
  for (size_t c = 0; c < of_count; c++) {
    fprintf(file, ",%s,fit_%s,band_%s", j->of[c], j->of[c], j->of[c]);
  }
  for (size_t i = 0; i < rows; i++) {
    fputs("\n", file);
    print_number(file, j->spec.data.t[i], "");
    for (size_t c = 0; c < of_count; c++) {
      fputs(",", file);
      print_number(file, j->spec.data.values[i * of_count + c], ",");
      print_number(file, values[i * of_count + c], ",");
      print_number(file, half[i * of_count + c], "");
    }
  }
  fputs("\n", file);
  dls_provenance_stamp(j->args->catalogue, file);
  free(values);
  return dls_output_commit(out, err);
}

/* The curve between the data, at evenly spaced times. */
static dls_status draw(const job *j, dls_error *err)
{
  const size_t of_count = j->of_count;
  const double end = j->spec.data.t[j->spec.data.rows - 1];
  double *block = calloc(dls_size_product(1 + 2 * of_count, DRAWN_TIMES), sizeof *block);
  if (block == NULL) {
    return no_memory(err);
  }
  double *t = block, *values = t + DRAWN_TIMES, *half = values + DRAWN_TIMES * of_count;
  for (size_t i = 0; i < DRAWN_TIMES; i++) {
    t[i] = end * (double)i / (DRAWN_TIMES - 1);
  }
  dls_status status = dls_parameter_fit_curve(&j->spec, j->fit, DRAWN_TIMES, t, values, half, err);
  if (status == DLS_OK) {
    const dls_canvas canvas = dls_canvas_file(j->plot, &j->form);
    const dls_fit_picture picture = {
        .spec = &j->spec, .fit = j->fit, .count = DRAWN_TIMES, .t = t, .values = values, .half = half};
    status = dls_draw_fit(&picture, &canvas, err);
    dls_cli_drawn(j->plot, status);
  }
  free(block);
  return status;
}

/* --- the command --- */

static dls_status compute(job *j, dls_error *err)
{
  dls_cli_progress progress =
      dls_cli_progress_start(DLS_PROGRESS_AUTO, "fit", j->table.data.t[j->table.data.rows - 1]);
  j->spec.model = j->model.model;
  j->spec.parameters = j->model.parameters;
  j->spec.scheme = &j->scheme;
  j->spec.data = j->table.data;
  j->spec.by_count = j->by_count;
  j->spec.by = (const char *const *)j->by;
  j->spec.low = j->low;
  j->spec.high = j->high;
  j->spec.sigma = j->sigma;
  j->spec.poll = dls_cli_progress_poll;
  j->spec.poll_data = &progress;
  const dls_status status = dls_parameter_fit_run(&j->spec, &j->fit, err);
  dls_cli_progress_end(&progress, status == DLS_OK);
  j->spec.poll = NULL;
  return status;
}

static int write_results(const job *j)
{
  const char *command = j->args->command->name;
  dls_error err = {0};
  report(j);
  int code = print_estimates(j);
  if (j->out != NULL) {
    code = dls_cli_written(command, write_table(j, &err), &err, code);
  }
  if (j->plot != NULL) {
    code = dls_cli_written(command, draw(j, &err), &err, code);
  }
  return code;
}

static int run(const dls_cli_args *args)
{
  dls_error err = {0};
  job j = {.args = args};
  dls_status status = read_words(&j, &err);
  if (status == DLS_OK) {
    status = compute(&j, &err);
  }
  const int code = status == DLS_OK ? write_results(&j) : dls_cli_fail(args->command->name, &err);
  dls_parameter_fit_destroy(j.fit);
  dls_trajectory_destroy(j.file);
  free(j.table.block);
  free(j.of);
  free(j.by);
  free(j.sigma);
  free(j.low);
  free(j.high);
  dls_pool_release(&j.pool);
  dls_model_choice_release(&j.model);
  return code;
}

static const dls_cli_option options[] = {
    {.name = "by",
     .argument = "P[,P...]",
     .help = "the parameters of the model to be estimated, initial data included; they start at their values "
             "by --set",
     .needed = true},
    {.name = "of",
     .argument = "X[,X...]",
     .help = "the columns of the file to be fitted: q0, q1, ..., v0, v1, ...",
     .needed = true},
    {.name = "scheme",
     .argument = "S[:OPT=VAL,...]",
     .help = "the time integrator (default event-driven, which computes derivatives along its run)"},
    {.name = "step", .argument = "H", .help = "time step in s, for schemes that do not choose their own"},
    {.name = "sigma",
     .argument = "S|X=S,...",
     .help =
         "standard deviation of the noise, of all columns or of each (default: estimated from the residuals)"},
    {.name = "range",
     .argument = "P=A:B",
     .help = "keep a parameter in [A, B], inside the range of the model; A or B may be missing",
     .repeat = true},
    {.name = "level", .argument = "L", .help = "level of confidence of the intervals (default 0.95)"},
    {.name = "until", .argument = "T", .help = "leave out rows after this time in s"},
    {.name = "starts",
     .argument = "N",
     .help = "start from N points, the values by --set and others spread over the ranges (default 1)"},
    {.name = "iterations", .argument = "N", .help = "most iterations from one start (default 50)"},
    {.name = "tol",
     .argument = "TOL",
     .help = "numerical error at which iterations end, in standard errors (default 1e-4)"},
    {.name = "method",
     .argument = "M",
     .help =
         "derivatives: forward (default): along each run, through all events; difference:relative=D: central "
         "differences of runs, with D times the size of each parameter"},
    {.name = "out",
     .argument = "FILE.csv",
     .help = "write data, fitted motion and half width of its confidence band"},
    {.name = "plot",
     .argument = "FILE",
     .help = "draw data, fitted motion, bands and residuals: FILE.png, .svg, .pdf or (pgfplots) .tex; - is the "
             "terminal"},
    {0},
};

const dls_cli_command dls_cli_fit = {
    .name = "fit",
    .synopsis = "MODEL DATA.csv",
    .summary = "parameters of a model from a measured motion, with confidence intervals",
    .text =
        "Which restitution, friction, stiffness or start explains a measured motion best, and how certain is "
        "it?\n"
        "DATA.csv has a header and a first column t in s; any other columns may be there. Least squares with\n"
        "derivatives through impacts, stick and slip. Prints CSV: parameter,value,low,high. Messages report "
        "the\n"
        "noise, correlations, and what limits the intervals. Exit status 1 if a parameter is not "
        "identifiable,\n"
        "or the iterations do not converge.\n",
    .page = "reference/fit",
    .examples =
        "  delassus run bouncing-ball --scheme event-driven --set e=0.8 --at 0.5,1,1.5,2,2.5 --out ball.csv\n"
        "  delassus fit bouncing-ball ball.csv --by e,q0 --of q0 --set e=0.7\n"
        "  delassus fit bouncing-ball ball.csv --by e --of q0 --sigma 1e-3 --range e=0.5:0.9 --plot fit.png\n",
    .options = options,
    .group = DLS_CLI_MEASURE,
    .keys = DLS_COMMAND_FIT,
    .least = 2,
    .most = 2,
    .run = run,
};
