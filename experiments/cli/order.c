/* experiments/cli/order.c -- `delassus order`: the convergence study.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/cli.h"
#include "experiments/cli/entries.h"
#include "experiments/cli/order_summary.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/run.h"

#include <delassus/catalogue.h>
#include <delassus/output.h>
#include <delassus/plot.h>
#include <delassus/study.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LEVELS = 1000, MOST_REPEATS = 100000, PATH_SIZE = 4096 };

/* The values of a repeatable option, each of which may be a list with commas, as one array of strings. */
typedef struct names {
  char ***blocks; /* what dls_cli_split gave */
  size_t block_count;
  const char **all;
  size_t count;
} names;

typedef struct request {
  const dls_cli_args *args;
  dls_order_spec spec;
  dls_model_choice model;
  dls_scheme_choice *schemes;
  const dls_norm **norms;
  names norm_names, of;
  const char *folder, *format; /* NULL: no files, no pictures */
  bool folder_made;
} request;

static dls_status read_names(const dls_cli_args *args, const char *option, const char *initial, names *out,
                             dls_error *err)
{
  const size_t given = dls_cli_count(args, option);
  const size_t blocks = given > 0 ? given : 1;
  char what[40];
  snprintf(what, sizeof what, "--%s", option);
  out->blocks = calloc(blocks, sizeof *out->blocks);
  for (size_t i = 0; i < blocks && out->blocks != NULL; i++) {
    size_t count = 0;
    const char *text = given > 0 ? dls_cli_value_at(args, option, i) : initial;
    const dls_status status = dls_cli_split(what, text, ',', &out->blocks[i], &count, err);
    if (status != DLS_OK) {
      return status;
    }
    out->block_count++;
    const char **all = realloc(out->all, (out->count + count) * sizeof *all);
    if (all == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "out of memory for %s", what);
    }
    out->all = all;
    for (size_t j = 0; j < count; j++) {
      out->all[out->count++] = out->blocks[i][j];
    }
  }
  return out->blocks != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "out of memory for %s", what);
}

static dls_status refuse_twice(const char *option, const names *n, dls_error *err)
{
  for (size_t i = 0; i < n->count; i++) {
    for (size_t j = 0; j < i; j++) {
      if (strcmp(n->all[i], n->all[j]) == 0) {
        return dls_fail(err, DLS_ERR_ARG, "--%s: '%.80s' is given twice", option, n->all[i]);
      }
    }
  }
  return DLS_OK;
}

static void release_names(names *n)
{
  for (size_t i = 0; i < n->block_count; i++) {
    free(n->blocks[i]);
  }
  free(n->blocks);
  free(n->all);
}

static dls_status read_schemes(request *r, dls_error *err)
{
  const size_t count = dls_cli_count(r->args, "scheme");
  if (count == 0) {
    return dls_fail(err, DLS_ERR_ARG,
                    "--scheme is missing: say which integrator, e.g. --scheme moreau-jean; "
                    "repeat it to compare several (`delassus list schemes`)");
  }
  r->schemes = calloc(count, sizeof *r->schemes);
  if (r->schemes == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "out of memory for %zu schemes", count);
  }
  dls_status status = DLS_OK;
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    status = dls_scheme_choose(dls_cli_value_at(r->args, "scheme", i), &r->schemes[i], err);
  }
  r->spec.schemes = r->schemes;
  r->spec.scheme_count = count;
  return status;
}

static dls_status read_levels(const char *text, double *levels, dls_error *err)
{
  const dls_status status = dls_parse_number("--steps, field 3 (number of levels N)", text, levels, err);
  if (status == DLS_OK && !(*levels >= 2 && *levels <= MOST_LEVELS && *levels == (double)(size_t)*levels)) {
    return dls_fail(err, DLS_ERR_ARG, "--steps, field 3 (number of levels N) = %s is not an integer in [2, %d]",
                    text, MOST_LEVELS);
  }
  return status;
}

/* H0:H1:N */
static dls_status read_steps(request *r, dls_error *err)
{
  static const char *const what[] = {"--steps, field 1 (first step H0)", "--steps, field 2 (last step H1)"};
  const char *text = dls_cli_value(r->args, "steps");
  if (text == NULL) {
    return dls_fail(err, DLS_ERR_ARG,
                    "--steps H0:H1:N is missing: first step, last step, number of levels, e.g. "
                    "--steps 0.1:0.001:10");
  }
  char **fields = NULL;
  size_t count = 0;
  dls_status status = dls_cli_split("--steps", text, ':', &fields, &count, err);
  if (status != DLS_OK) {
    return status;
  }
  double steps[2] = {0};
  double levels = 0;
  if (count != 3) {
    status = dls_fail(err, DLS_ERR_PARSE,
                      "--steps = '%.100s' has %zu fields where H0:H1:N has 3, e.g. 0.1:0.001:10", text, count);
  }
  for (int i = 0; i < 2 && status == DLS_OK; i++) {
    status = dls_parse_number(what[i], fields[i], &steps[i], err);
    status = status != DLS_OK ? status : dls_cli_check_step(what[i], steps[i], r->spec.end, err);
  }
  status = status != DLS_OK ? status : read_levels(fields[2], &levels, err);
  if (status == DLS_OK && steps[0] == steps[1]) {
    status = dls_fail(err, DLS_ERR_ARG, "--steps = '%.100s': an order needs H1 to differ from H0", text);
  }
  free(fields);
  r->spec.h_first = steps[0];
  r->spec.h_last = steps[1];
  r->spec.levels = (size_t)levels;
  return status;
}

static dls_status read_numbers(request *r, dls_error *err)
{
  double repeats = 8;
  double seed = 1;
  r->spec.end = DLS_CLI_DEFAULT_END;
  dls_status status = dls_cli_positive(r->args, "end", &r->spec.end, err);
  status = status != DLS_OK ? status : dls_cli_integer(r->args, "repeats", 1, MOST_REPEATS, &repeats, err);
  status = status != DLS_OK ? status : dls_cli_integer(r->args, "seed", 0, 4294967295.0, &seed, err);
  r->spec.repeats = (size_t)repeats;
  r->spec.seed = (unsigned long)seed;
  return status != DLS_OK ? status : read_steps(r, err);
}

static dls_status read_measures(request *r, dls_error *err)
{
  dls_status status = read_names(r->args, "norm", "hausdorff,l1", &r->norm_names, err);
  status = status != DLS_OK ? status : refuse_twice("norm", &r->norm_names, err);
  status = status != DLS_OK ? status : read_names(r->args, "of", "q,v", &r->of, err);
  status = status != DLS_OK ? status : refuse_twice("of", &r->of, err);
  if (status != DLS_OK) {
    return status;
  }
  r->norms = calloc(r->norm_names.count, sizeof *r->norms);
  if (r->norms == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "out of memory for %zu norms", r->norm_names.count);
  }
  for (size_t i = 0; i < r->norm_names.count; i++) {
    r->norms[i] = dls_cli_norm_find(r->norm_names.all[i], err);
    if (r->norms[i] == NULL) {
      return DLS_ERR_OPTION;
    }
  }
  r->spec.norms = r->norms;
  r->spec.norm_count = r->norm_names.count;
  r->spec.of = r->of.all;
  r->spec.of_count = r->of.count;
  r->spec.metric = dls_metric_default;
  return DLS_OK;
}

static dls_status path_in_folder(const request *r, const char *name, char *path, dls_error *err)
{
  if ((size_t)snprintf(path, PATH_SIZE, "%s/%s", r->folder, name) >= PATH_SIZE) {
    return dls_fail(err, DLS_ERR_ARG, "--out '%.100s...' is too long", r->folder);
  }
  return DLS_OK;
}

static dls_status picture_path(const request *r, size_t norm, size_t of, char *path, dls_error *err)
{
  char name[200];
  snprintf(name, sizeof name, "order_%.60s_%.60s.%s", r->spec.norms[norm]->name, r->spec.of[of], r->format);
  return path_in_folder(r, name, path, err);
}

/* Everything that could prevent the results from being written, before they are computed. */
static dls_status read_outputs(request *r, dls_error *err)
{
  enum { PNG, SVG, PDF, NONE, COUNT };
  static const char *const formats[COUNT] = {"png", "svg", "pdf", "none"};
  size_t format = PNG;
  dls_status status = dls_cli_choice(r->args, "plot-format", formats, COUNT, &format, err);
  r->folder = dls_cli_value(r->args, "out");
  r->format = format == NONE ? NULL : formats[format];
  if (status != DLS_OK || r->folder == NULL) {
    return status;
  }
  char path[PATH_SIZE];
  if (r->format != NULL) {
    status = picture_path(r, 0, 0, path, err);
    status = status != DLS_OK ? status : dls_plot_check(path, err);
  }
  struct stat info;
  const bool there = stat(r->folder, &info) == 0;
  if (status == DLS_OK && dls_output_folder(r->folder, err) != DLS_OK) {
    err->status = status = DLS_ERR_ARG; /* the request is wrong: nothing has been computed */
  }
  r->folder_made = status == DLS_OK && !there;
  status = status != DLS_OK ? status : path_in_folder(r, "errors.csv", path, err);
  return status != DLS_OK ? status : dls_cli_check_output(path, err);
}

static dls_status read_request(const dls_cli_args *args, request *r, dls_error *err)
{
  r->args = args;
  const dls_model *model = dls_model_find(args->positional[0], err);
  if (model == NULL) {
    return DLS_ERR_OPTION;
  }
  dls_status status = read_schemes(r, err);
  status = status != DLS_OK ? status : read_numbers(r, err);
  status = status != DLS_OK ? status : dls_cli_model(args, model, &r->model, err);
  status = status != DLS_OK ? status : read_measures(r, err);
  r->spec.model = r->model.model;
  r->spec.parameters = r->model.parameters;
  return status != DLS_OK ? status : read_outputs(r, err);
}

/* The text files of a study: all of them written, then all of them put in place. */
static dls_status write_texts(const request *r, const dls_order_study *study, dls_error *err)
{
  static const struct {
    const char *name;
    dls_status (*write)(const dls_order_study *study, FILE *out);
  } files[] = {{"errors.csv", dls_order_write_errors},
               {"orders.csv", dls_order_write_orders},
               {"quality.csv", dls_order_write_quality},
               {"study.txt", dls_order_write_report}};
  enum { COUNT = sizeof files / sizeof files[0] };
  dls_output *outputs[COUNT] = {NULL};
  dls_status status = DLS_OK;
  for (int i = 0; i < COUNT && status == DLS_OK; i++) {
    char path[PATH_SIZE];
    status = path_in_folder(r, files[i].name, path, err);
    status = status != DLS_OK ? status : dls_output_open(path, &outputs[i], err);
    if (status == DLS_OK && files[i].write(study, dls_output_stream(outputs[i])) != DLS_OK) {
      status = dls_fail(err, DLS_ERR_IO, "cannot write '%.250s'", path);
    }
  }
  for (int i = 0; i < COUNT; i++) {
    if (status == DLS_OK) {
      status = dls_output_commit(outputs[i], err);
    } else {
      dls_output_abandon(outputs[i]);
    }
  }
  return status;
}

static dls_status draw_pictures(const request *r, const dls_order_study *study, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < r->spec.norm_count && status == DLS_OK; i++) {
    for (size_t j = 0; j < r->spec.of_count && status == DLS_OK; j++) {
      char path[PATH_SIZE];
      status = picture_path(r, i, j, path, err);
      status = status != DLS_OK ? status : dls_plot_order(study, i, j, path, err);
    }
  }
  return status;
}

static size_t count_failures(const dls_order_study *study)
{
  size_t failures = 0;
  for (size_t i = 0; i < study->point_count; i++) {
    failures += study->points[i].reason[0] != '\0';
  }
  return failures;
}

static dls_status write_files(const request *r, const dls_order_study *study, size_t failures, dls_error *err)
{
  if (r->folder == NULL) {
    return DLS_OK;
  }
  const dls_status status = write_texts(r, study, err);
  const bool pictures = r->format != NULL && failures < study->point_count;
  return status == DLS_OK && pictures ? draw_pictures(r, study, err) : status;
}

/* Files first, so that a reader of standard output who leaves early costs none of them. */
static int write_results(const request *r, const dls_order_study *study)
{
  dls_error err = {0};
  dls_error why = {0};
  const size_t failures = count_failures(study);
  const dls_status status = write_files(r, study, failures, &err);
  if (dls_order_write_table(study, stdout) != DLS_OK || dls_cli_order_summary(study, stdout, &why) != DLS_OK) {
    dls_cli_message(r->args->command, "the table is not complete: %s", why.text);
  }
  if (failures > 0) {
    dls_cli_message(r->args->command, "%zu of %zu measurements failed; the table says why", failures,
                    study->point_count);
  }
  const bool useless = failures == study->point_count;
  return status != DLS_OK ? dls_cli_fail(r->args, &err) : useless ? DLS_EXIT_FAILED : DLS_EXIT_DONE;
}

static int execute(request *r)
{
  dls_error err = {0};
  dls_cli_progress progress;
  dls_order_study *study = NULL;
  dls_status status = read_request(r->args, r, &err);
  status = status != DLS_OK ? status : dls_cli_progress_start(r->args, r->spec.model->name, 1, &progress, &err);
  if (status == DLS_OK) {
    r->spec.poll = dls_cli_progress_poll;
    r->spec.poll_data = &progress;
    status = dls_order_run(&r->spec, &study, &err);
    dls_cli_progress_end(&progress, status == DLS_OK && study->complete);
  }
  if (status != DLS_OK) {
    if (r->folder_made) {
      rmdir(r->folder); /* it is empty: leave no trace of a study that was not made */
    }
    return dls_cli_fail(r->args, &err);
  }
  const int code = write_results(r, study);
  dls_order_destroy(study);
  return code;
}

static int run(const dls_cli_args *args)
{
  request r = {.args = args};
  const int code = execute(&r);
  dls_model_choice_release(&r.model);
  free(r.schemes);
  free(r.norms);
  release_names(&r.norm_names);
  release_names(&r.of);
  return code;
}

static const dls_cli_option options[] = {
    {"scheme", "S[:OPT=VAL,...]", "a time integrator; repeat it to compare several (`delassus list schemes`)",
     true},
    {"steps", "H0:H1:N", "N mean time steps in s from H0 to H1, in geometric sequence, e.g. 0.1:0.001:10",
     false},
    {"norm", "L[,L...]", "measures of the error (default hausdorff,l1; `delassus list norms`); may be repeated",
     true},
    {"of", "X[,X...]",
     "what is compared (default q,v): q, v for all components as one vector, or a column "
     "such as q0; may be repeated",
     true},
    {"end", "T", "compare on [0, T], in s (default 10)", false},
    {"set", "P=V", "set a parameter or a file of the model; may be repeated; `delassus show MODEL` lists them",
     true},
    {"repeats", "R",
     "runs at each mean step, with steps drawn around it so that impacts do not fall on the grid "
     "(default 8); 1 takes the mean steps as they are",
     false},
    {"seed", "S", "start of the random numbers (default 1)", false},
    {"out", "DIR",
     "write errors.csv, orders.csv, quality.csv, study.txt and the pictures with their gnuplot scripts", false},
    {"plot-format", "FORMAT", "pictures in DIR: png (default), svg, pdf or none", false},
    {"progress", "WHEN", "progress on stderr: auto (default: on a terminal), always or never", false},
    {0},
};

const dls_cli_command dls_cli_order = {
    .name = "order",
    .synopsis = "MODEL --scheme S... --steps H0:H1:N [--norm L,...] [--of X,...] [--end T] [--set P=V]... "
                "[--repeats R] [--seed S] [--out DIR] [--plot-format png|svg|pdf|none]",
    .summary = "convergence study: errors against the true solution, orders with confidence interval",
    .text = "Run every scheme with smaller and smaller steps, measure its error against the exact solution\n"
            "(or against the event-driven integrator at a tight tolerance where there is none), and fit the\n"
            "order q of error = C step^q with its 95 % confidence interval. Schemes that choose their own\n"
            "steps give one error, the line that the others would have to reach. Prints a table.\n",
    .examples = "  delassus order bouncing-ball --scheme moreau-jean --scheme schatzman-paoli \\\n"
                "      --scheme event-driven --steps 0.1:0.001:10 --end 4 --out ball\n"
                "  delassus order impacting-oscillator --scheme moreau-jean:theta=1 --steps 0.1:1e-3:8 \\\n"
                "      --norm hausdorff,l1 --of v\n",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
