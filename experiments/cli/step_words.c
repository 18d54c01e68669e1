/* experiments/cli/step_words.c -- --step, and sequences of steps or tolerances.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/step_words.h"
#include "experiments/cli/recording.h"

#include "common/base/text.h"
#include <stdlib.h>

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

dls_status dls_cli_read_step(const dls_cli_args *args, dls_request *r, dls_error *err)
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

dls_status dls_cli_read_ratios(const dls_cli_args *args, dls_request *r, dls_error *err)
{
  sequence q = {.option = "steps", .letter = "R", .word = "h/T", .example = "0.01:100:121"};
  dls_spectrum_spec *spec = &r->spectrum;
  if (dls_cli_value(args, "steps") == NULL) {
    return DLS_OK;
  }
  const dls_status status = read_sequence(args, "", 0, &q, err);
  spec->first = q.ends[0];
  spec->last = q.ends[1];
  spec->levels = (size_t)q.levels;
  return status;
}

dls_status dls_cli_read_steps(const dls_cli_args *args, dls_request *r, const char *why, dls_error *err)
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

dls_status dls_cli_read_sequences(const dls_cli_args *args, dls_request *r, dls_error *err)
{
  const dls_scheme *by_step = dls_request_scheme(r, true);
  const dls_scheme *by_tolerance = dls_request_scheme(r, false);
  const char *steps = dls_cli_value(args, "steps");
  dls_status status = DLS_OK;
  char why[160] = "";
  if (by_step != NULL) {
    snprintf(why, sizeof why, "scheme %s needs a time step: ", by_step->name);
    status = dls_cli_read_steps(args, r, why, err);
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
