/* experiments/cli/distance.c -- `delassus distance`: how far two trajectory files are apart.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/distance_exact.h"
#include "experiments/cli/entries.h"
#include "experiments/cli/file_impulses.h"
#include "experiments/cli/foreign_tables.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/run.h"

#include "common/base/text.h"
#include "experiments/measures/order/reference.h"
#include <delassus/graph.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 256, NAME_SIZE = 64, SIDES = 2 };

typedef struct side {
  const char *path;
  dls_trajectory *traj;
  dls_graph *graph;
} side;

typedef struct request {
  const dls_cli_args *args;
  const dls_norm *norm; /* of the choice */
  dls_norm_choice choice;
  dls_metric metric;
  side sides[SIDES];
  int files;     /* of the sides */
  dls_pool pool; /* of the names in manner */
  dls_foreign_manner manner;
  bool mapped;    /* a file is not of delassus */
  double sampled; /* what the exact solution between its nodes errs by in q and v; 0: there is a second file */
  char names[MOST_COLUMNS][NAME_SIZE]; /* the columns compared */
  size_t dim;
  bool impulses;   /* names[0] is impulse or impulse0, which no column has */
  double from, to; /* common time range */
} request;

static dls_status no_column(const side *s, const char *name, dls_error *err)
{
  char list[200] = "";
  for (size_t i = 0; i < s->traj->columns; i++) {
    dls_text_append(list, sizeof list, "%s%s", i == 0 ? "" : ", ", s->traj->names[i]);
  }
  return dls_fail(err, DLS_ERR_OPTION, "--column: %.100s has no column '%.40s'; its columns are: %s", s->path,
                  name, list);
}

static dls_status add_column(request *r, const char *name, dls_error *err)
{
  for (int i = 0; i < SIDES; i++) {
    if (dls_trajectory_column(r->sides[i].traj, name) < 0) {
      return no_column(&r->sides[i], name, err);
    }
  }
  if (r->dim == MOST_COLUMNS || strlen(name) >= NAME_SIZE) {
    return dls_fail(err, DLS_ERR_ARG, "--column: at most %d columns with names shorter than %d characters",
                    MOST_COLUMNS, NAME_SIZE);
  }
  strcpy(r->names[r->dim++], name);
  return DLS_OK;
}

/* "v0", or "v" for v0, v1, ... as many as the first file has. */
static dls_status add_columns(request *r, const char *name, dls_error *err)
{
  char first[NAME_SIZE];
  snprintf(first, sizeof first, "%.40s0", name);
  const dls_trajectory *traj = r->sides[0].traj;
  if (dls_trajectory_column(traj, name) >= 0 || dls_trajectory_column(traj, first) < 0) {
    return add_column(r, name, err);
  }
  dls_status status = DLS_OK;
  for (size_t i = 0; status == DLS_OK; i++) {
    char numbered[NAME_SIZE];
    snprintf(numbered, sizeof numbered, "%.40s%zu", name, i);
    if (dls_trajectory_column(traj, numbered) < 0) {
      break;
    }
    status = add_column(r, numbered, err);
  }
  return status;
}

static dls_status default_column(request *r, dls_error *err)
{
  const dls_trajectory *a = r->sides[0].traj;
  const dls_trajectory *b = r->sides[1].traj;
  if (dls_trajectory_column(a, "v0") >= 0 && dls_trajectory_column(b, "v0") >= 0) {
    return add_column(r, "v0", err);
  }
  for (size_t i = 1; i < a->columns; i++) {
    if (dls_trajectory_column(b, a->names[i]) >= 0) {
      return add_column(r, a->names[i], err);
    }
  }
  return dls_fail(err, DLS_ERR_OPTION, "%.120s and %.120s have no column in common besides t", r->sides[0].path,
                  r->sides[1].path);
}

static dls_status choose_columns(request *r, dls_error *err)
{
  const char *text = dls_cli_value(r->args, "column");
  if (text == NULL) {
    return default_column(r, err);
  }
  if (strncmp(text, "impulse", strlen("impulse")) == 0 && strlen(text) < NAME_SIZE &&
      dls_trajectory_column(r->sides[0].traj, text) < 0) {
    r->impulses = true;
    strcpy(r->names[r->dim++], text);
    return DLS_OK;
  }
  char **fields = NULL;
  size_t count = 0;
  dls_status status = dls_cli_split("--column", text, ',', &fields, &count, err);
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    status = add_columns(r, fields[i], err);
  }
  free(fields);
  return status;
}

static double first_time(const side *s)
{
  return dls_trajectory_at(s->traj, 0, 0);
}

static double last_time(const side *s)
{
  return dls_trajectory_at(s->traj, s->traj->rows - 1, 0);
}

static dls_status find_range(request *r, dls_error *err)
{
  const side *a = &r->sides[0];
  const side *b = &r->sides[1];
  r->from = fmax(first_time(a), first_time(b));
  r->to = fmin(last_time(a), last_time(b));
  char ranges[160];
  snprintf(ranges, sizeof ranges, "[%.10g, %.10g] and [%.10g, %.10g]", first_time(a), last_time(a),
           first_time(b), last_time(b));
  if (!(r->from < r->to)) {
    return dls_fail(err, DLS_ERR_ARG, "the files have no stretch of time in common: %s", ranges);
  }
  if (first_time(a) != first_time(b) || last_time(a) != last_time(b)) {
    dls_cli_message(r->args->command->name, "the files cover different times, %s: compared on [%.10g, %.10g]",
                    ranges, r->from, r->to);
  }
  return DLS_OK;
}

/* The graph of the columns; of impulses so far, which are no columns. */
static dls_status whole_graph(request *r, side *s, dls_error *err)
{
  size_t columns[MOST_COLUMNS];
  if (r->impulses) {
    const dls_status status = dls_cli_file_impulses(s->path, r->args->catalogue, s->traj, err);
    return status != DLS_OK ? status : dls_quantity_graph(s->traj, r->names[0], &s->graph, err);
  }
  for (size_t i = 0; i < r->dim; i++) {
    columns[i] = (size_t)dls_trajectory_column(s->traj, r->names[i]);
  }
  return dls_graph_of(s->traj, r->dim, columns, &s->graph, err);
}

static dls_status make_graph(request *r, side *s, dls_error *err)
{
  dls_status status = whole_graph(r, s, err);
  if (status == DLS_OK && (first_time(s) < r->from || last_time(s) > r->to)) {
    dls_graph *clipped = NULL;
    status = dls_graph_clip(s->graph, r->from, r->to, &clipped, err);
    dls_graph_destroy(s->graph);
    s->graph = clipped;
  }
  return status;
}

static dls_status read_accuracy(request *r, dls_error *err)
{
  const dls_status status = dls_cli_positive(r->args, "accuracy", &r->metric.accuracy, err);
  return status != DLS_OK || r->metric.accuracy <= 1
             ? status
             : dls_fail(err, DLS_ERR_ARG, "--accuracy = %s is not allowed: it must be in (0, 1]",
                        dls_cli_value(r->args, "accuracy"));
}

/* What was asked for and cannot be had is said. */
static void check_accuracy(const request *r, const dls_measure *measure)
{
  if (dls_cli_value(r->args, "accuracy") != NULL && measure->value > 0 &&
      measure->bound > r->metric.accuracy * measure->value) {
    dls_cli_message(
        r->args->command->name,
        "the bound is %.2g of the distance, not %g: rounding, or the number of vertices, allows no less",
        measure->bound / measure->value, r->metric.accuracy);
  }
}

/* --map and --between are for the files of other programs. */
static dls_status read_file(request *r, side *s, const char *path, dls_error *err)
{
  const char *command = r->args->command->name;
  dls_csv_layout layout;
  s->path = path;
  const dls_status status = dls_foreign_read(&r->manner, path, path, &s->traj, &layout, err);
  if (status != DLS_OK) {
    return status == DLS_ERR_IO ? (err->status = DLS_ERR_ARG) : status; /* not there: the request is wrong */
  }
  r->mapped = r->mapped || !layout.of_delassus;
  dls_cli_report_file(command, path, s->traj);
  dls_cli_report_layout(command, path, s->traj, NULL);
  if (layout.interpolation && dls_cli_value(r->args, "between") != NULL) {
    dls_cli_message(command, "%s defines the interpolation between its rows: --between does not apply to it",
                    path);
  }
  return DLS_OK;
}

/* The files of the request. */
static dls_status read_files(request *r, dls_error *err)
{
  dls_status status = dls_cli_read_manner(r->args, &r->pool, &r->manner, err);
  r->manner.between_given = true; /* linear, unless it is given or the file defines it */
  r->manner.ours_keep_names = true;
  for (int i = 0; i < r->files && status == DLS_OK; i++) {
    status = read_file(r, &r->sides[i], r->args->positional[i], err);
  }
  return status == DLS_OK && dls_cli_value(r->args, "map") != NULL && !r->mapped
             ? dls_fail(err, DLS_ERR_OPTION, "--map is for tables of other programs: delassus has written %s",
                        r->files > 1 ? "both files" : "the file")
             : status;
}

/* Two files, or one and the exact solution: by enclosures columns are all that is wanted of it. */
static dls_status read_sides(request *r, dls_error *err)
{
  char *const *paths = r->args->positional;
  const char *model = dls_cli_value(r->args, "exact");
  r->files = model == NULL ? SIDES : 1;
  if (dls_cli_distance_check(r->args, r->norm, err) != DLS_OK || read_files(r, err) != DLS_OK ||
      model == NULL) {
    return err->status;
  }
  r->sides[1].path = model;
  if (dls_cli_value(r->args, "rigorous") != NULL) {
    r->sides[1].traj = r->sides[0].traj;
    return DLS_OK;
  }
  return dls_cli_distance_exact(r->args, paths[0], last_time(&r->sides[0]), &r->sides[1].traj, &r->sampled,
                                err);
}

static dls_status read_request(request *r, dls_error *err)
{
  const char *norm = dls_cli_value(r->args, "norm");
  r->norm = dls_cli_norm_read(norm != NULL ? norm : "hausdorff", &r->choice, err);
  if (r->norm == NULL) {
    return DLS_ERR_OPTION;
  }
  r->metric = dls_metric_default;
  if (dls_cli_positive(r->args, "tau", &r->metric.time_scale, err) != DLS_OK ||
      dls_cli_positive(r->args, "xi", &r->metric.value_scale, err) != DLS_OK ||
      read_accuracy(r, err) != DLS_OK || read_sides(r, err) != DLS_OK || choose_columns(r, err) != DLS_OK) {
    return err->status;
  }
  return find_range(r, err);
}

static void print(const request *r, const dls_measure *measure)
{
  printf("distance=%.17g\nbound=%.17g\nnorm=%s\ncolumn=", measure->value, measure->bound, r->norm->name);
  for (size_t i = 0; i < r->dim; i++) {
    printf("%s%s", i == 0 ? "" : ",", r->names[i]);
  }
  printf("\nfrom=%.17g\nto=%.17g\n", r->from, r->to);
  if (r->sampled > 0) {
    printf("sampled=%g\n", r->sampled);
  }
}

static dls_status measure_distance(request *r, dls_error *err)
{
  dls_measure measure = {0};
  dls_status status = read_request(r, err);
  for (int i = 0; i < SIDES && status == DLS_OK; i++) {
    status = make_graph(r, &r->sides[i], err);
  }
  if (status == DLS_OK && dls_cli_value(r->args, "rigorous") != NULL) {
    const char *names[MOST_COLUMNS];
    for (size_t i = 0; i < r->dim; i++) {
      names[i] = r->names[i];
    }
    return dls_cli_distance_rigorous(r->args, r->sides[0].path, r->sides[0].graph, r->norm, names, &r->metric,
                                     err);
  }
  if (status == DLS_OK) {
    status = r->norm->measure(r->norm, r->sides[0].graph, r->sides[1].graph, &r->metric, &measure, err);
  }
  if (status == DLS_OK) {
    print(r, &measure);
    check_accuracy(r, &measure);
  }
  return status;
}

static int run(const dls_cli_args *args)
{
  dls_error err = {0};
  request *r = calloc(1, sizeof *r);
  if (r == NULL) {
    dls_fail(&err, DLS_ERR_MEMORY, "out of memory");
    return dls_cli_fail(args->command->name, &err);
  }
  r->args = args;
  dls_cli_let_signals_end(args->command->name); /* it writes no file */
  const dls_status status = measure_distance(r, &err);
  for (int i = 0; i < SIDES; i++) {
    dls_graph_destroy(r->sides[i].graph);
    dls_trajectory_destroy(i > 0 && r->sides[i].traj == r->sides[0].traj ? NULL : r->sides[i].traj);
  }
  dls_pool_release(&r->pool);
  free(r);
  return status == DLS_OK ? DLS_EXIT_DONE : dls_cli_fail(args->command->name, &err);
}

static const dls_cli_option options[] = {
    {.name = "column",
     .argument = "NAME[,NAME...]",
     .help =
         "column to compare (default v0); several are compared as one vector, v is v0,v1,...; impulse: what "
         "contacts "
         "have transmitted so far"},
    {.name = "norm",
     .argument = "NAME",
     .help = "measure of the distance (default hausdorff); `delassus list norms` names them"},
    {.name = "tau", .argument = "SECONDS", .help = "time that counts as 1 (default 1)"},
    {.name = "xi", .argument = "VALUE", .help = "value of the column that counts as 1 (default 1)"},
    {.name = "accuracy",
     .argument = "A",
     .help = "bound of the distance, relative to it, in (0, 1] (default 1e-3)"},
    {.name = "between",
     .argument = "linear|constant",
     .help = "interpolation between the rows of a file that does not state it (default linear)"},
    {.name = "exact",
     .argument = "MODEL",
     .help = "instead of B.csv: the exact solution of a model, see `delassus exact`"},
    {.name = "rigorous",
     .help =
         "with --exact: bounds with a proof, distance_lo and distance_hi, by ball arithmetic; hausdorff or l1"},
    {.name = "digits",
     .argument = "D",
     .help = "of --rigorous: width of the enclosure, relative, is 10^-D; 1 to 12 (default 6)"},
    {0},
};

const dls_cli_command dls_cli_distance = {
    .name = "distance",
    .group = DLS_CLI_MEASURE,
    .synopsis = "A.csv [B.csv]",
    .summary = "the distance between two trajectory files, ours or anyone's",
    .text =
        "Measure how far the trajectory A is from the reference B. A file is a table of any program with a\n"
        "column t; --map names other columns. Two rows with equal t are a jump, which belongs to the graph\n"
        "as a vertical segment. The Hausdorff distance is the largest distance of a point of one graph to\n"
        "the other graph, in max(|time|/tau, |value|/xi). Prints key=value lines; the true distance lies\n"
        "within +-bound of the one printed, and bound is at most --accuracy times the distance.\n",
    .page = "reference/error-measures",
    .examples = "  delassus distance run.csv exact.csv\n"
                "  delassus distance run.csv exact.csv --column q0 --norm l1\n"
                "  delassus distance mine.csv exact.csv --column v0,v1 --between constant\n"
                "  delassus distance mine.csv exact.csv --map t=time,v0=0.001*speed_mm\n"
                "  delassus distance run.csv --exact bouncing-ball --set e=0.5 --rigorous\n",
    .options = options,
    .keys = DLS_COMMAND_DISTANCE,
    .least = 1,
    .most = SIDES,
    .run = run,
};
