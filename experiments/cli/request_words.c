/* experiments/cli/request_words.c -- the words of a command line, read into a request.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/request_words.h"
#include "experiments/cli/cycle.h"
#include "experiments/cli/entries.h"
#include "experiments/cli/recording.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/sweep.h"
#include "experiments/study/parallel.h"

#include "common/base/text.h"
#include <math.h>
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
  status = status != DLS_OK ? status : refuse_twice("norm", &n, err);
  if (status != DLS_OK || n.count == 0) {
    return status;
  }
  const dls_norm **norms = dls_pool_take(r->pool, n.count * sizeof *norms);
  for (size_t i = 0; i < n.count && norms != NULL; i++) {
    norms[i] = dls_cli_norm_find(n.all[i], err);
    if (norms[i] == NULL) {
      return DLS_ERR_OPTION;
    }
  }
  r->spec.norms = norms;
  r->spec.norm_count = n.count;
  return norms != NULL ? DLS_OK : no_memory(err);
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
  return status != DLS_OK ? status : dls_cli_read_sweep(args, r, err);
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

static dls_status read_schemes(const dls_cli_args *args, dls_request *r, dls_error *err)
{
  const size_t count = dls_cli_count(args, "scheme");
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
    r->labels[i] = dls_cli_value_at(args, "scheme", i);
    status = dls_catalogue_choose(args->catalogue, r->labels[i], &schemes[i], err);
  }
  r->spec.schemes = schemes;
  r->spec.scheme_count = count;
  return status;
}

/* --- one step --- */

/* Check 0 < step <= end, and that end / step is a number of steps that can be made. @param what  "--step" */
static dls_status check_step(const char *what, double step, double end, dls_error *err)
{
  if (!(step > 0 && step <= end)) {
    return dls_fail(err, DLS_ERR_ARG, "%s = %g is not allowed: a step must be > 0 and <= --end = %g", what,
                    step, end);
  }
  if (end / step > DLS_REQUEST_MOST_STEPS) {
    return dls_fail(err, DLS_ERR_ARG, "%s = %g is not allowed: --end = %g would take %.3g steps, more than %g",
                    what, step, end, end / step, DLS_REQUEST_MOST_STEPS);
  }
  return DLS_OK;
}

static dls_status missing_step(const dls_request *r, const dls_scheme *scheme, dls_error *err)
{
  if (r->kind == DLS_STUDY_COMPARE) {
    return dls_fail(err, DLS_ERR_ARG, "--step is missing: schemes with a fixed step need H > 0 in seconds");
  }
  return dls_fail(err, DLS_ERR_ARG,
                  "--step is missing: scheme %s needs a time step H > 0 in seconds, e.g. --step 0.01",
                  scheme->name);
}

static dls_status useless_step(const dls_request *r, dls_error *err)
{
  const char *scheme = r->spec.schemes[0].scheme->name;
  char options[120] = "";
  if (r->kind == DLS_STUDY_RUN) {
    snprintf(options, sizeof options, " (its options are in `delassus show %.60s`)", scheme);
  }
  return dls_fail(err, DLS_ERR_ARG,
                  "--step = %s does not go with scheme %s, which chooses its own steps: leave --step out%s",
                  r->step_text, scheme, options);
}

static dls_status read_step(const dls_cli_args *args, dls_request *r, dls_error *err)
{
  const dls_scheme *by_step = dls_request_scheme(r, true);
  r->step_text = dls_cli_value(args, "step");
  dls_status status = r->step_text != NULL ? dls_cli_positive(args, "step", &r->step, err) : DLS_OK;
  if (status == DLS_OK && by_step != NULL && r->step_text == NULL) {
    return missing_step(r, by_step, err);
  }
  if (status == DLS_OK && by_step == NULL && r->step_text != NULL && r->kind != DLS_STUDY_COMPARE) {
    return useless_step(r, err);
  }
  status = status != DLS_OK
               ? status
               : dls_cli_recording_end(args, &r->recording, by_step != NULL ? r->step : 0, &r->spec.end, err);
  return status == DLS_OK && by_step != NULL ? check_step("--step", r->step, r->spec.end, err) : status;
}

/* --- sequences of steps or tolerances --- */

/* A sequence in the form FIRST:LAST:N. */
typedef struct sequence {
  const char *option, *letter; /* "steps"; "H" for H0:H1:N */
  const char *word, *example;  /* "step", "0.1:0.001:10" */
  double ends[2], levels;      /* what was read */
} sequence;

static dls_status read_levels(const char *text, sequence *q, dls_error *err)
{
  char what[60];
  snprintf(what, sizeof what, "--%s, field 3 (number of levels N)", q->option);
  const dls_status status = dls_parse_number(what, text, &q->levels, err);
  if (status == DLS_OK &&
      !(q->levels >= 2 && q->levels <= DLS_REQUEST_MOST_LEVELS && q->levels == (double)(size_t)q->levels)) {
    return dls_fail(err, DLS_ERR_ARG, "%s = %s is not an integer in [2, %d]", what, text,
                    DLS_REQUEST_MOST_LEVELS);
  }
  return status;
}

static dls_status read_end(const sequence *q, int i, const char *text, double t_end, double *end,
                           dls_error *err)
{
  char what[80];
  snprintf(what, sizeof what, "--%s, field %d (%s %s %s%d)", q->option, i + 1, i == 0 ? "first" : "last",
           q->word, q->letter, i);
  const dls_status status = dls_parse_number(what, text, end, err);
  if (status != DLS_OK) {
    return status;
  }
  if (q->letter[0] == 'H') {
    return check_step(what, *end, t_end, err);
  }
  return *end > 0 ? DLS_OK
                  : dls_fail(err, DLS_ERR_ARG, "%s = %.100s is not allowed: it must be > 0", what, text);
}

static dls_status read_fields(const char *text, char **fields, double t_end, sequence *q, dls_error *err)
{
  dls_status status = DLS_OK;
  for (int i = 0; i < 2 && status == DLS_OK; i++) {
    status = read_end(q, i, fields[i], t_end, &q->ends[i], err);
  }
  status = status != DLS_OK ? status : read_levels(fields[2], q, err);
  if (status == DLS_OK && q->ends[0] == q->ends[1]) {
    return dls_fail(err, DLS_ERR_ARG, "--%s = '%.100s': a sequence needs %s1 to differ from %s0", q->option,
                    text, q->letter, q->letter);
  }
  return status;
}

/* @param[in] why  for the message if it is not there; may be "" */
static dls_status read_sequence(const dls_cli_args *args, const char *why, double t_end, sequence *q,
                                dls_error *err)
{
  const char *text = dls_cli_value(args, q->option);
  if (text == NULL) {
    return dls_fail(err, DLS_ERR_ARG,
                    "--%s %s0:%s1:N is missing: %sfirst %s, last %s, number of levels, e.g. --%s %s", q->option,
                    q->letter, q->letter, why, q->word, q->word, q->option, q->example);
  }
  char **fields = NULL;
  char what[40];
  size_t count = 0;
  snprintf(what, sizeof what, "--%s", q->option);
  dls_status status = dls_cli_split(what, text, ':', &fields, &count, err);
  if (status != DLS_OK) {
    return status;
  }
  if (count != 3) {
    status = dls_fail(err, DLS_ERR_PARSE, "%s = '%.100s' has %zu fields where %s0:%s1:N has 3, e.g. %s", what,
                      text, count, q->letter, q->letter, q->example);
  }
  status = status != DLS_OK ? status : read_fields(text, fields, t_end, q, err);
  free(fields);
  return status;
}

static dls_status read_steps(const dls_cli_args *args, dls_request *r, const char *why, dls_error *err)
{
  sequence q = {.option = "steps", .letter = "H", .word = "step", .example = "0.1:0.001:10"};
  const dls_status status = read_sequence(args, why, r->spec.end, &q, err);
  r->spec.h_first = q.ends[0];
  r->spec.h_last = q.ends[1];
  r->spec.levels = (size_t)q.levels;
  return status;
}

static dls_status read_tolerances(const dls_cli_args *args, dls_request *r, const char *why, dls_error *err)
{
  sequence q = {.option = "tols", .letter = "T", .word = "tolerance", .example = "1e-3:1e-8:6"};
  const dls_status status = read_sequence(args, why, r->spec.end, &q, err);
  r->spec.tol_first = q.ends[0];
  r->spec.tol_last = q.ends[1];
  r->spec.tol_levels = (size_t)q.levels;
  return status;
}

static dls_status refuse_tolerances(const dls_catalogue *catalogue, dls_error *err)
{
  char list[200] = "";
  for (const dls_scheme *const *scheme = dls_catalogue_schemes(catalogue); *scheme != NULL; scheme++) {
    if (!dls_scheme_needs_step(*scheme)) {
      dls_text_append(list, sizeof list, "%s%s", list[0] == '\0' ? "" : ", ", (*scheme)->name);
    }
  }
  return dls_fail(
      err, DLS_ERR_ARG,
      "--tols: no scheme of the request takes a tolerance; those that choose their own steps do: %s", list);
}

/* work: --steps for the schemes that need a step, --tols for the others, which without it run once as they are. */
static dls_status read_sequences(const dls_cli_args *args, dls_request *r, dls_error *err)
{
  const dls_scheme *by_step = dls_request_scheme(r, true);
  const dls_scheme *by_tolerance = dls_request_scheme(r, false);
  const char *steps = dls_cli_value(args, "steps");
  dls_status status = DLS_OK;
  char why[160] = "";
  if (by_step != NULL) {
    snprintf(why, sizeof why, "scheme %s needs a time step: ", by_step->name);
    status = read_steps(args, r, why, err);
  } else if (steps != NULL) {
    status = dls_fail(
        err, DLS_ERR_ARG,
        "--steps = '%.100s' goes with no scheme of the request: all choose their own steps, by --tols", steps);
  }
  if (status != DLS_OK || (by_step != NULL && dls_cli_value(args, "tols") == NULL)) {
    return status;
  }
  if (by_tolerance == NULL) {
    return refuse_tolerances(args->catalogue, err);
  }
  snprintf(why, sizeof why, "scheme %s chooses its own steps: ", by_tolerance->name);
  return read_tolerances(args, r, why, err);
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
  *mode = resume ? DLS_JOURNAL_RESUME : overwrite ? DLS_JOURNAL_OVERWRITE : DLS_JOURNAL_NEW;
  return resume && overwrite ? dls_fail(err, DLS_ERR_ARG, "--resume and --overwrite exclude each other")
                             : DLS_OK;
}

static dls_status read_runs(const dls_cli_args *args, dls_request *r, dls_error *err)
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
  dls_status status = read_runs(args, r, err);
  if (r->kind == DLS_STUDY_ORDER) {
    status = status != DLS_OK ? status : read_steps(args, r, "", err);
  } else {
    status = status != DLS_OK ? status : read_sequences(args, r, err);
    status = status != DLS_OK ? status : read_against(args, r, err);
  }
  status = status != DLS_OK ? status : dls_cli_journal_mode(args, &r->mode, err);
  if (status == DLS_OK && r->mode != DLS_JOURNAL_NEW && dls_cli_value(args, "out") == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "--%s needs --out DIR, the folder with the study that was interrupted",
                    r->mode == DLS_JOURNAL_RESUME ? "resume" : "overwrite");
  }
  return status;
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

static dls_status read_outputs(const dls_cli_args *args, dls_request *r, dls_error *err)
{
  enum { NONE = 3 };
  static const char *const formats[] = {"png", "svg", "pdf", "none"};
  size_t format = 0;
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
  const dls_status chosen =
      status != DLS_OK ? status : dls_cli_choice(args, "plot-format", formats, NONE + 1, &format, err);
  r->format = format == NONE ? NULL : formats[format];
  return chosen;
}

static dls_status read_request(const dls_cli_args *args, dls_request *r, dls_error *err)
{
  const dls_model *model = dls_catalogue_model(args->catalogue, args->positional[0], err);
  if (model == NULL) {
    return DLS_ERR_OPTION;
  }
  dls_status status = read_outputs(args, r, err);
  status = status != DLS_OK ? status : read_schemes(args, r, err);
  status = status != DLS_OK ? status : dls_cli_recording_read(args, r->pool, &r->recording, err);
  status = status != DLS_OK ? status : dls_cli_start_read(args, r, err);
  status = status != DLS_OK ? status : dls_cli_positive(args, "end", &r->spec.end, err);
  if ((r->kind & errors) == 0) {
    status = status != DLS_OK ? status : read_step(args, r, err);
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
  dls_status status = read_request(args, &r, &err);
  status = status == DLS_OK && pool.failed ? no_memory(&err) : status;
  const int code = status != DLS_OK ? dls_cli_fail(args, &err) : args->command->perform(args, &r, &results);
  dls_study_results_release(&results);
  dls_request_release(&r);
  dls_pool_release(&pool);
  return code;
}
