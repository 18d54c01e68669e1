/* experiments/cli/request_words.c -- the words of a command line, read into a request.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/request_words.h"
#include "experiments/campaign/parallel.h"
#include "experiments/catalogue/externals.h"
#include "experiments/cli/cycle.h"
#include "experiments/cli/entries.h"
#include "experiments/cli/external.h"
#include "experiments/cli/grid.h"
#include "experiments/cli/local.h"
#include "experiments/cli/recording.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/step_words.h"
#include "experiments/cli/sweep.h"

#include <stdlib.h>
#include <string.h>

static const unsigned errors = DLS_STUDY_ORDER | DLS_STUDY_WORK; /* kinds that measure errors */

static dls_status no_memory(dls_error *err)
{
  return dls_fail(err, DLS_ERR_MEMORY, "out of memory for the request");
}

/* --- lists of names --- */

typedef struct names {
  const char **all; /* in the pool */
  size_t count;
} names;

/* One value of the option: NAME,NAME,... */
static dls_status add_names(dls_pool *pool, const char *what, const char *text, names *out, dls_error *err)
{
  char **fields = NULL;
  size_t count = 0;
  const dls_status status = dls_cli_split(what, text, ',', &fields, &count, err);
  if (status != DLS_OK) {
    return status;
  }
  const char **all = dls_pool_take(pool, (out->count + count) * sizeof *all);
  for (size_t i = 0; i < out->count + count && all != NULL; i++) {
    const char *field = i < out->count ? NULL : fields[i - out->count];
    all[i] = field == NULL ? out->all[i] : dls_pool_copy(pool, field, strlen(field));
  }
  free(fields);
  *out = (names){all, out->count + count};
  return pool->failed ? no_memory(err) : DLS_OK;
}

/* All values of an option; as it is if there is none. */
static dls_status read_names(const dls_cli_args *args, const char *option, dls_pool *pool, names *out,
                             dls_error *err)
{
  char what[40];
  dls_status status = DLS_OK;
  snprintf(what, sizeof what, "--%s", option);
  for (size_t i = 0; i < dls_cli_count(args, option) && status == DLS_OK; i++) {
    status = add_names(pool, what, dls_cli_value_at(args, option, i), out, err);
  }
  return status;
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

static dls_status read_norms(const dls_cli_args *args, dls_request *r, dls_error *err)
{
  names n = {0};
  dls_status status = read_names(args, "norm", r->pool, &n, err);
  if (status != DLS_OK || n.count == 0) {
    return status;
  }
  const dls_norm **norms = dls_pool_take(r->pool, n.count * sizeof *norms);
  dls_norm_choice *choices = dls_pool_take(r->pool, n.count * sizeof *choices);
  if (norms == NULL || choices == NULL) {
    return no_memory(err);
  }
  for (size_t i = 0; i < n.count; i++) {
    norms[i] = dls_cli_norm_read(n.all[i], &choices[i], err);
    if (norms[i] == NULL) {
      return DLS_ERR_OPTION;
    }
    n.all[i] = norms[i]->name; /* lp is lp:p=2 */
  }
  r->spec.norms = norms;
  r->spec.norm_count = n.count;
  return refuse_twice("norm", &n, err);
}

static dls_status read_of(const dls_cli_args *args, dls_request *r, dls_error *err)
{
  names n = {0};
  dls_status status = read_names(args, "of", r->pool, &n, err);
  status = status != DLS_OK ? status : refuse_twice("of", &n, err);
  if (status == DLS_OK && n.count > 0) {
    r->spec.of = n.all;
    r->spec.of_count = n.count;
  }
  return status;
}

/* Columns that are recorded, and those that are drawn. */
static dls_status read_columns(const dls_cli_args *args, dls_request *r, dls_error *err)
{
  const char *over = dls_cli_value(args, "over");
  names recorded = {0}, drawn = {0};
  dls_status status = read_names(args, "columns", r->pool, &recorded, err);
  status = status != DLS_OK ? status : read_names(args, "of", r->pool, &drawn, err);
  if (recorded.count > 0) {
    r->columns = recorded.all;
    r->column_count = recorded.count;
  }
  if (drawn.count > 0) {
    r->drawn = drawn.all;
    r->drawn_count = drawn.count;
  }
  status = status != DLS_OK || over == NULL ? status : dls_request_set_over(r, over, drawn.count > 0, err);
  status = status != DLS_OK ? status : dls_cli_read_cycle(args, r, err);
  if (r->kind != DLS_STUDY_COMPARE) {
    return status != DLS_OK ? status : dls_cli_read_grid(args, r, err);
  }
  return status != DLS_OK ? status : dls_cli_read_sweep(args, r, err);
}

/* *value := the number of an option, if it was given. */
static dls_status read_number(const dls_cli_args *args, const char *option, double *value, dls_error *err)
{
  const char *text = dls_cli_value(args, option);
  char what[40];
  snprintf(what, sizeof what, "--%s", option);
  return text != NULL ? dls_parse_number(what, text, value, err) : DLS_OK;
}

/* The values of --at, in place of those that hold without it. */
static dls_status read_values(const dls_cli_args *args, dls_request *r, const double **out, size_t *count,
                              dls_error *err)
{
  names n = {0};
  dls_status status = read_names(args, "at", r->pool, &n, err);
  double *values = n.count > 0 ? dls_pool_take(r->pool, n.count * sizeof *values) : NULL;
  for (size_t i = 0; i < n.count && values != NULL && status == DLS_OK; i++) {
    status = dls_parse_number("--at", n.all[i], &values[i], err);
  }
  if (values != NULL) {
    *out = values;
    *count = n.count;
  }
  return r->pool->failed ? no_memory(err) : status;
}

/* --- schemes --- */

static dls_status check_scheme_count(const dls_request *r, size_t count, dls_error *err)
{
  if (r->kind == DLS_STUDY_COMPARE && (count == 0 || count > DLS_REQUEST_MOST_COMPARED)) {
    return dls_fail(err, DLS_ERR_ARG, "--scheme is given %zu times: allowed are 1 to %d schemes", count,
                    (int)DLS_REQUEST_MOST_COMPARED);
  }
  return count > 0
             ? DLS_OK
             : dls_fail(err, DLS_ERR_ARG,
                        "--scheme is missing: say which integrator, e.g. --scheme moreau-jean%s (`delassus "
                        "list schemes`)",
                        r->kind == DLS_STUDY_RUN ? "" : "; repeat it to compare several");
}

/* The schemes of --scheme; those of a spectrum stand for themselves. */
static dls_status read_schemes(const dls_cli_args *args, dls_request *r, dls_error *err)
{
  const bool spectrum = r->kind == DLS_STUDY_SPECTRUM;
  const size_t count = spectrum ? args->positional_count : dls_cli_count(args, "scheme");
  dls_status status = check_scheme_count(r, count, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_scheme_choice *schemes = dls_pool_take(r->pool, count * sizeof *schemes);
  r->labels = dls_pool_take(r->pool, count * sizeof *r->labels);
  if (schemes == NULL || r->labels == NULL) {
    return no_memory(err);
  }
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    r->labels[i] = spectrum ? args->positional[i] : dls_cli_value_at(args, "scheme", i);
    status = dls_catalogue_choose(args->catalogue, r->labels[i], &schemes[i], err);
  }
  r->spec.schemes = schemes;
  r->spec.scheme_count = count;
  return status;
}

/* --- order, work --- */

dls_status dls_cli_jobs(const dls_cli_args *args, size_t *jobs, dls_error *err)
{
  double value = 1;
  const dls_status status = dls_cli_integer(args, "jobs", 0, (double)dls_parallel_most(), &value, err);
  *jobs = value == 0 ? dls_parallel_processors() : (size_t)value;
  return status;
}

dls_status dls_cli_journal_mode(const dls_cli_args *args, dls_journal_mode *mode, dls_error *err)
{
  const bool resume = dls_cli_value(args, "resume") != NULL,
             overwrite = dls_cli_value(args, "overwrite") != NULL;
  const bool again = dls_cli_value(args, "shard") != NULL || dls_cli_value(args, "time-limit") != NULL;
  *mode = args->merges      ? DLS_JOURNAL_MERGE
          : overwrite       ? DLS_JOURNAL_OVERWRITE
          : resume || again ? DLS_JOURNAL_RESUME
                            : DLS_JOURNAL_NEW;
  return resume && overwrite ? dls_fail(err, DLS_ERR_ARG, "--resume and --overwrite exclude each other")
                             : DLS_OK;
}

dls_status dls_cli_read_journal(const dls_cli_args *args, dls_request *r, dls_error *err)
{
  dls_status status = dls_cli_journal_mode(args, &r->mode, err);
  status = status != DLS_OK ? status : dls_cli_read_shard(args, &r->spec, err);
  status = status != DLS_OK ? status : dls_cli_read_time_limit(args, err);
  r->resume = dls_cli_value(args, "resume") != NULL || args->merges;
  if (status == DLS_OK && r->mode != DLS_JOURNAL_NEW && dls_cli_value(args, "out") == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "--%s needs --out DIR, the folder with the study that was interrupted",
                    r->mode == DLS_JOURNAL_RESUME ? "resume" : "overwrite");
  }
  return status;
}

dls_status dls_cli_read_measures(const dls_cli_args *args, dls_request *r, dls_error *err)
{
  static const char *const references[] = {
      [DLS_REFERENCE_EXACT] = "exact", [DLS_REFERENCE_EVENT_DRIVEN] = "event-driven"};
  double repeats = (double)r->spec.repeats, seed = (double)r->spec.seed;
  size_t reference = DLS_REFERENCE_EXACT;
  dls_status status = dls_cli_integer(args, "repeats", 1, DLS_REQUEST_MOST_REPEATS, &repeats, err);
  status = status != DLS_OK ? status : dls_cli_integer(args, "seed", 0, DLS_REQUEST_MOST_SEED, &seed, err);
  status = status != DLS_OK ? status : dls_cli_jobs(args, &r->spec.jobs, err);
  status = status != DLS_OK ? status : read_norms(args, r, err);
  status = status != DLS_OK ? status : read_of(args, r, err);
  status = status != DLS_OK ? status : dls_cli_choice(args, "reference", references, 2, &reference, err);
  r->spec.repeats = (size_t)repeats;
  r->spec.seed = (unsigned long)seed;
  r->spec.reference = (dls_reference_kind)reference;
  r->spec.check_reference = dls_cli_value(args, "check-reference") != NULL;
  return status;
}

static dls_status read_against(const dls_cli_args *args, dls_request *r, dls_error *err)
{
  enum { MEASURES = 4 };
  size_t choice = 0;
  dls_status status = DLS_OK;
  if (dls_cli_value(args, "against") != NULL) {
    status = dls_cli_choice(args, "against", dls_work_names, MEASURES, &choice, err);
    dls_request_set_against(r, DLS_AGAINST_STEPS + (dls_against)choice);
  }
  double timings = (double)r->spec.timings;
  status =
      status != DLS_OK ? status : dls_cli_integer(args, "timings", 0, DLS_REQUEST_MOST_TIMINGS, &timings, err);
  r->spec.timings = (size_t)timings;
  return status;
}

static dls_status read_errors(const dls_cli_args *args, dls_request *r, dls_error *err)
{
  dls_status status = dls_cli_read_measures(args, r, err);
  if (r->kind == DLS_STUDY_ORDER) {
    status = status != DLS_OK ? status : dls_cli_read_steps(args, r, "", err);
  } else {
    status = status != DLS_OK ? status : dls_cli_read_sequences(args, r, err);
    status = status != DLS_OK ? status : read_against(args, r, err);
  }
  if (r->kind == DLS_STUDY_ORDER) {
    status = status != DLS_OK ? status : dls_cli_read_local(args, r, err);
  }
  status = status != DLS_OK ? status : dls_cli_read_journal(args, r, err);
  return status != DLS_OK ? status : dls_cli_read_grid(args, r, err);
}

/* --- all of it --- */

dls_status dls_cli_progress_mode(const dls_cli_args *args, dls_progress_mode *mode, dls_error *err)
{
  static const char *const modes[] = {"auto", "always", "never"};
  size_t choice = DLS_PROGRESS_AUTO;
  const dls_status status = dls_cli_choice(args, "progress", modes, 3, &choice, err);
  *mode = (dls_progress_mode)choice;
  return status;
}

dls_status dls_cli_read_style(const dls_cli_args *args, dls_plot_style *style, dls_error *err)
{
  size_t choice = DLS_PLOT_SCREEN;
  const char *plot = dls_cli_value(args, "plot"), *name = dls_cli_value(args, "style");
  const dls_status status = dls_cli_choice(args, "style", dls_plot_style_names, DLS_PLOT_STYLES, &choice, err);
  if (status == DLS_OK && choice != DLS_PLOT_SCREEN && plot != NULL && strcmp(plot, "-") == 0) {
    return dls_fail(err, DLS_ERR_OPTION, "--style = %s is for files: --plot - draws characters in the terminal",
                    name);
  }
  *style = (dls_plot_style)choice;
  return status;
}

dls_status dls_cli_read_pictures(const dls_cli_args *args, dls_plot_style *style, const char **format,
                                 dls_error *err)
{
  enum { FORMATS = 5 }; /* the last: none */
  size_t choice = 0;
  dls_status status = dls_cli_read_style(args, style, err);
  status =
      status != DLS_OK ? status : dls_cli_choice(args, "plot-format", dls_plot_formats, FORMATS, &choice, err);
  *format = dls_cli_value(args, "plot-format") == NULL ? dls_plot_format_of(*style)
            : choice + 1 == FORMATS                    ? NULL
                                                       : dls_plot_formats[choice];
  return status;
}

dls_status dls_cli_read_outputs(const dls_cli_args *args, dls_request *r, dls_error *err)
{
  r->out = dls_cli_value(args, "out");
  r->plot = dls_cli_value(args, "plot");
  r->animation = dls_cli_value(args, "animate");
  r->report = dls_cli_value(args, "report");
  r->problems = dls_cli_value(args, "dump-problems");
  r->stats = dls_cli_value(args, "stats") != NULL;
  const dls_status status = dls_cli_progress_mode(args, &r->progress, err);
  if (status == DLS_OK && r->kind == DLS_STUDY_COMPARE && r->plot == NULL && r->out == NULL &&
      r->report == NULL) {
    return dls_fail(err, DLS_ERR_ARG,
                    "--plot is missing: the picture to make, e.g. --plot compare.png, or --out DIR for the "
                    "trajectories, or --report FILE.html");
  }
  return status != DLS_OK ? status : dls_cli_read_pictures(args, &r->style, &r->format, err);
}

dls_status dls_cli_read_start(const dls_cli_args *args, dls_request *r, dls_error *err)
{
  r->spec.start.project = dls_cli_value(args, "project-start") != NULL;
  return dls_cli_value(args, "start-tolerance") == NULL
             ? DLS_OK
             : dls_cli_positive(args, "start-tolerance", &r->spec.start.tolerance, err);
}

/* Steps, oscillator and quantities of a spectrum. */
static dls_status read_spectrum(const dls_cli_args *args, dls_request *r, dls_error *err)
{
  dls_spectrum_oscillator *o = &r->spectrum.oscillator;
  names of = {0};
  dls_status status = dls_cli_read_outputs(args, r, err);
  status = status != DLS_OK ? status : read_schemes(args, r, err);
  status = status != DLS_OK ? status : dls_cli_read_ratios(args, r, err);
  status = status != DLS_OK ? status : read_names(args, "of", r->pool, &of, err);
  for (size_t i = 0; i < of.count && status == DLS_OK; i++) {
    status = dls_request_add_spectrum(r, of.all[i], err);
  }
  status = status != DLS_OK ? status : read_number(args, "damping", &o->damping, err);
  status = status != DLS_OK ? status : read_number(args, "frequency", &o->frequency, err);
  status = status != DLS_OK ? status : read_values(args, r, &r->spectrum.at, &r->spectrum.at_count, err);
  return status != DLS_OK ? status : dls_request_check_spectrum(r, err);
}

static dls_status read_request(const dls_cli_args *args, dls_request *r, dls_error *err)
{
  if (r->kind == DLS_STUDY_SPECTRUM) {
    return read_spectrum(args, r, err);
  }
  const dls_model *model = dls_catalogue_model(args->catalogue, args->positional[0], err);
  if (model == NULL) {
    return DLS_ERR_OPTION;
  }
  dls_status status = dls_cli_read_outputs(args, r, err);
  status = status != DLS_OK ? status : read_schemes(args, r, err);
  status = status != DLS_OK ? status : dls_cli_recording_read(args, r->pool, &r->recording, err);
  status = status != DLS_OK ? status : dls_cli_halvings_read(args, r, err);
  status = status != DLS_OK ? status : dls_cli_read_start(args, r, err);
  status = status != DLS_OK ? status : dls_cli_positive(args, "end", &r->spec.end, err);
  if ((r->kind & errors) == 0) {
    status = status != DLS_OK ? status : dls_cli_read_step(args, r, err);
  }
  status = status != DLS_OK ? status : dls_cli_model(args, model, &r->model, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_request_set_model(r);
  return (r->kind & errors) != 0 ? read_errors(args, r, err) : read_columns(args, r, err);
}

int dls_cli_perform(const dls_cli_args *args)
{
  dls_error err = {0};
  dls_pool pool = {0};
  dls_study_results results = {0};
  dls_request r = dls_request_default(args->command->kind, args->catalogue, &pool);
  dls_status status = dls_cli_add_externals(args, &err);
  status = status != DLS_OK ? status : read_request(args, &r, &err);
  status = status != DLS_OK ? status : dls_request_check_externals(&r, &err);
  status = status == DLS_OK && pool.failed ? no_memory(&err) : status;
  const int code = status != DLS_OK ? dls_cli_fail(args, &err) : args->command->perform(args, &r, &results);
  dls_study_results_release(&results);
  dls_request_release(&r);
  dls_catalogue_drop_externals(args->catalogue);
  dls_pool_release(&pool);
  return code;
}
