/* experiments/request/read_schemes.c -- schemes, end and steps of a request, checked with what knows them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/reader.h"

#include "common/base/text.h"
#include "experiments/catalogue/scheme_choice.h"
#include <delassus/catalogue.h>
#include <delassus/study.h>
#include <delassus/work.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* {scheme: NAME, options: {...}} as NAME:OPTION=VALUE,...; NULL and reported if a piece is wrong. */
static const char *read_options(dls_study_reader *r, const dls_scheme *scheme, const dls_yaml_node *node)
{
  char owner[120];
  const char *text = scheme->name;
  double *values = dls_pool_take(r->pool, (dls_option_count(scheme->options) + 1) * sizeof *values);
  if (node->kind != DLS_YAML_MAPPING) {
    dls_study_report(r, node->mark, "options must be OPTION: VALUE for each, but this is %s",
                     dls_yaml_kind_text(node->kind));
    return NULL;
  }
  snprintf(owner, sizeof owner, "scheme %.100s", scheme->name);
  bool good = values != NULL;
  for (const dls_yaml_node *child = node->first; child != NULL && values != NULL; child = child->next) {
    const char *option = dls_study_read_assignment(r, scheme->options, owner, child, values);
    const char *separator = child == node->first ? ":" : ",";
    good = good && option != NULL && text != NULL;
    text = good ? dls_pool_print(r->pool, "%s%s%s", text, separator, option) : NULL;
  }
  return good ? text : NULL;
}

static const char *read_scheme_mapping(dls_study_reader *r, const dls_yaml_node *node)
{
  static const char *const names[] = {"scheme", "options"};
  dls_error err = {0};
  dls_yaml_refuse_unknown(&r->yaml, node, names, 2, "of a scheme");
  const dls_yaml_node *name = dls_yaml_get(node, "scheme");
  const dls_yaml_node *options = dls_yaml_get(node, "options");
  if (name == NULL) {
    dls_study_report(r, node->mark, "key 'scheme' is missing: {scheme: NAME, options: {OPTION: VALUE}}");
    return NULL;
  }
  const char *text = dls_yaml_text(&r->yaml, name, "scheme");
  const dls_scheme *scheme = text != NULL ? dls_catalogue_scheme(r->catalogue, text, &err) : NULL;
  if (scheme == NULL) {
    if (text != NULL) {
      dls_study_report_error(r, name->mark, &err);
    }
    return NULL;
  }
  return options != NULL ? read_options(r, scheme, options) : scheme->name;
}

/* One entry of schemes; NULL and reported if it is wrong. */
static const char *read_scheme(dls_study_reader *r, const dls_yaml_node *node, dls_scheme_choice *choice)
{
  dls_error err = {0};
  const char *text = node->kind == DLS_YAML_MAPPING
                         ? read_scheme_mapping(r, node)
                         : dls_yaml_text(&r->yaml, node, r->line ? node->key : "a scheme");
  if (text != NULL && dls_study_choose_external(r, text, choice)) {
    return text;
  }
  if (text != NULL && dls_catalogue_choose(r->catalogue, text, choice, &err) !=
                          DLS_OK) { /* also: do the options go together? */
    choice->scheme = NULL;
    dls_study_report_error(r, node->mark, &err);
    return NULL;
  }
  return text;
}

static void check_count(dls_study_reader *r, const dls_yaml_node *node, size_t count)
{
  const dls_study_kind kind = r->study->kind;
  if (count == 0) {
    dls_study_report(r, node->mark, "schemes is an empty list: name at least one (`delassus list schemes`)");
  } else if ((kind == DLS_STUDY_RUN || kind == DLS_STUDY_FIT) && count > 1) {
    dls_study_report(r, node->mark, "a study of kind %s has one scheme, but %zu are given%s",
                     dls_study_kind_name(kind), count, kind == DLS_STUDY_RUN ? "; compare takes several" : "");
  } else if (kind == DLS_STUDY_COMPARE && count > DLS_REQUEST_MOST_COMPARED) {
    dls_study_report(r, node->mark,
                     r->line ? "compare has at most %d schemes, but %zu are given"
                             : "a study of kind compare has at most %d schemes, but %zu are given",
                     (int)DLS_REQUEST_MOST_COMPARED, count);
  }
}

void dls_study_read_schemes(dls_study_reader *r, const dls_yaml_node *node)
{
  const dls_yaml_node *entry = node->kind == DLS_YAML_LIST ? node->first : node;
  const size_t count = node->kind == DLS_YAML_LIST ? dls_yaml_count(node) : 1;
  const char **texts = dls_pool_take(r->pool, (count + 1) * sizeof *texts);
  r->choices = dls_pool_take(r->pool, (count + 1) * sizeof *r->choices);
  r->study->schemes = r->request->labels = texts;
  r->request->spec.schemes = r->choices;
  check_count(r, node, count);
  for (size_t i = 0; i < count && texts != NULL && r->choices != NULL; i++) {
    const char *text = read_scheme(r, entry, &r->choices[i]);
    if (text != NULL && !r->line && dls_yaml_find(text, texts, i) < i) {
      dls_study_report(r, entry->mark, "scheme %s is given twice", text);
    }
    texts[i] = text != NULL ? text : entry->kind == DLS_YAML_TEXT ? entry->text : "";
    r->request->spec.scheme_count = ++r->study->scheme_count;
    dls_study_record(r, DLS_KEY_SCHEMES,
                     r->study->kind != DLS_STUDY_SPECTRUM ? text : NULL); /* there they stand alone */
    entry = node->kind == DLS_YAML_LIST ? entry->next : NULL;
  }
}

/* --- end and steps --- */

void dls_study_read_end(dls_study_reader *r, const dls_yaml_node *node)
{
  r->end = dls_yaml_number(&r->yaml, node, node->key);
  if (!isnan(r->end) && !(r->end > 0)) {
    dls_study_report(r, node->mark, "%s = %.60s must be > 0", node->key, node->text);
    r->end = NAN;
  }
  r->request->spec.end = r->end;
  dls_study_record(r, DLS_KEY_END, isnan(r->end) ? NULL : node->text);
}

static void check_step(dls_study_reader *r, const dls_yaml_node *node, double step)
{
  const char *end = dls_study_label(r, DLS_KEY_END);
  if (isnan(step)) {
    return;
  }
  if (!(step > 0)) {
    dls_study_report(r, node->mark, "%s = %.60s must be > 0", node->key, node->text);
  } else if (!isnan(r->end) && step > r->end) {
    dls_study_report(r, node->mark, "%s = %.60s s is larger than %s = %.10g s", node->key, node->text, end,
                     r->end);
  } else if (!isnan(r->end) && r->end / step > DLS_REQUEST_MOST_STEPS) {
    dls_study_report(r, node->mark, "%s = %.60s s makes more than %g steps on [0, %.10g] s", node->key,
                     node->text, DLS_REQUEST_MOST_STEPS, r->end);
  }
}

static bool all_schemes_known(const dls_study_reader *r)
{
  bool known = r->study->scheme_count > 0;
  for (size_t i = 0; i < r->study->scheme_count && known; i++) {
    known = r->choices[i].scheme != NULL;
  }
  return known;
}

/* Schemes need the key, but it is not given; or it is given, but no scheme uses it. The second is reported if the key is not shared
 * with other studies; a comparison on the command line may have a step that none of its schemes uses.
 * @param[in] user  a scheme that uses it, or NULL; @param[in] needs  "needs a time step in s"; NULL: it may be missing
 * @return whether it is to be passed on */
static bool is_of_use(dls_study_reader *r, const dls_yaml_node *node, dls_key_id key, const dls_scheme *user,
                      const char *needs, const char *others)
{
  if (node == NULL) {
    if (user != NULL && needs != NULL) {
      dls_study_report_missing(r, key, dls_pool_print(r->pool, "scheme %s %s", user->name, needs));
    }
    return false;
  }
  const bool tolerated = r->line && r->study->kind == DLS_STUDY_COMPARE;
  if (user == NULL && all_schemes_known(r) && dls_study_is_own(r, node, key) && !tolerated) {
    dls_study_report(r, node->key_mark, "%s%s%s goes with no scheme of the %s: all %s", node->key,
                     r->line && node->kind == DLS_YAML_TEXT ? " = " : "",
                     r->line && node->kind == DLS_YAML_TEXT ? node->text : "", r->line ? "request" : "study",
                     others);
  }
  return user != NULL;
}

static const char own_steps[] = "choose their own steps", step_needed[] = "needs a time step in s";

void dls_study_read_step(dls_study_reader *r, const dls_yaml_node *node)
{
  const bool used =
      is_of_use(r, node, DLS_KEY_STEP, dls_request_scheme(r->request, true), step_needed, own_steps);
  if (node != NULL) {
    const double step = dls_yaml_number(&r->yaml, node, node->key);
    check_step(r, node, step);
    if (used || (r->line && step > 0)) {
      r->request->step = step;
      r->request->step_text = node->text;
      dls_study_record(r, DLS_KEY_STEP, node->text);
    }
  }
}

/* {first: X0, last: X1, levels: N}. @return "X0:X1:N" in the pool, or NULL and reported */
static const char *read_sequence(dls_study_reader *r, const dls_yaml_node *node, const dls_yaml_node **values,
                                 double *numbers)
{
  static const char *const names[] = {"first", "last", "levels"};
  if (node->kind != DLS_YAML_MAPPING) {
    dls_study_report(r, node->mark, "%s must be {first: X0, last: X1, levels: N}, but this is %s", node->key,
                     dls_yaml_kind_text(node->kind));
    return NULL;
  }
  if (!r->line) {
    dls_yaml_refuse_unknown(&r->yaml, node, names, 3, "of a sequence");
  }
  bool good = true;
  const dls_yaml_node *field = node->first; /* of a command line: three, in order */
  for (int i = 0; i < 3; i++) {
    values[i] = r->line ? field : dls_yaml_get(node, names[i]);
    field = r->line ? field->next : NULL;
    if (values[i] == NULL) {
      dls_study_report(r, node->mark, "key '%s' is missing: {first: X0, last: X1, levels: N}", names[i]);
    } else if (i < 2) {
      numbers[i] = dls_yaml_number(&r->yaml, values[i], values[i]->key);
    } else {
      numbers[i] = dls_yaml_integer(&r->yaml, values[i], values[i]->key, 2, DLS_REQUEST_MOST_LEVELS);
    }
    good = good && !isnan(numbers[i]);
  }
  if (numbers[0] == numbers[1]) {
    dls_study_report(r, values[1]->mark, "%s = %.60s must differ from %s", values[1]->key, values[1]->text,
                     r->line ? "the first one" : "first");
  }
  return good ? dls_pool_print(r->pool, "%s:%s:%s", values[0]->text, values[1]->text, values[2]->text) : NULL;
}

/* Values of h/T. */
static void read_ratios(dls_study_reader *r, const dls_yaml_node *node)
{
  const dls_yaml_node *values[3] = {NULL};
  double numbers[3] = {NAN, NAN, NAN};
  dls_spectrum_spec *spec = &r->request->spectrum;
  const char *text = node != NULL ? read_sequence(r, node, values, numbers) : NULL;
  if (text != NULL) {
    spec->first = numbers[0];
    spec->last = numbers[1];
    spec->levels = (size_t)numbers[2];
    dls_study_record(r, DLS_KEY_STEPS, text);
  }
}

/* Is the step one of the values that the request is repeated over? */
static bool sweeps_step(const dls_study_reader *r)
{
  const dls_yaml_node *sweep = r->values[DLS_KEY_SWEEP];
  const bool list = sweep != NULL && sweep->kind == DLS_YAML_LIST;
  bool step = false;
  for (const dls_yaml_node *entry = list ? sweep->first : sweep; entry != NULL;
       entry = list ? entry->next : NULL) {
    step = step || (entry->kind == DLS_YAML_TEXT && strncmp(entry->text, "step=", strlen("step=")) == 0);
  }
  return step && r->study->kind == DLS_STUDY_ORDER;
}

void dls_study_read_steps(dls_study_reader *r, const dls_yaml_node *node)
{
  const dls_yaml_node *values[3] = {NULL};
  double numbers[3] = {NAN, NAN, NAN};
  const bool order = (r->kinds & (DLS_STUDY_ORDER | DLS_STUDY_LOCAL)) != 0;
  if (r->study->kind == DLS_STUDY_SPECTRUM) {
    read_ratios(r, node);
    return;
  }
  const bool used = order || is_of_use(r, node, DLS_KEY_STEPS, dls_request_scheme(r->request, true),
                                       step_needed, r->line ? "choose their own steps, by --tols" : own_steps);
  if (node == NULL) {
    if (order && !sweeps_step(r)) {
      dls_study_report_missing(r, DLS_KEY_STEPS, NULL);
    }
    return;
  }
  const char *text = read_sequence(r, node, values, numbers);
  for (int i = 0; i < 2; i++) {
    if (values[i] != NULL) {
      check_step(r, values[i], numbers[i]);
    }
  }
  if (used && text != NULL) {
    r->request->spec.h_first = numbers[0];
    r->request->spec.h_last = numbers[1];
    r->request->spec.levels = (size_t)numbers[2];
    dls_study_record(r, DLS_KEY_STEPS, text);
  }
}

/* Would every scheme that chooses its own steps take the tolerance? */
static void check_tolerance(dls_study_reader *r, const dls_yaml_node *node, double tolerance)
{
  for (size_t i = 0; i < r->study->scheme_count; i++) {
    dls_error err = {0};
    dls_scheme_choice unused;
    const dls_scheme *scheme = r->choices[i].scheme;
    if (scheme == NULL || dls_scheme_needs_step(scheme)) {
      continue;
    }
    const int tol = dls_option_find(scheme->options, "tol");
    if (tol < 0) {
      dls_study_report(r, node->mark, "scheme %s has no option tol that tolerances could set", scheme->name);
    } else if (dls_scheme_choice_with(&r->choices[i], &scheme->options[tol], tolerance, &unused, &err) !=
               DLS_OK) {
      dls_study_report_error(r, node->mark, &err);
    }
  }
}

/* "need a time step", and on a command line which schemes of the catalogue do not */
static const char *need_step(const dls_study_reader *r)
{
  char list[200] = "";
  for (const dls_scheme *const *s = dls_catalogue_schemes(r->catalogue); r->line && *s != NULL; s++) {
    if (!dls_scheme_needs_step(*s)) {
      dls_text_append(list, sizeof list, "%s%s", list[0] == '\0' ? "" : ", ", (*s)->name);
    }
  }
  const char *text =
      r->line ? dls_pool_print(r->pool, "need a time step; those that choose their own do not: %s", list)
              : NULL;
  return text != NULL ? text : "need a time step";
}

/* On a command line work needs one of --steps and --tols; a study file runs schemes that choose their own steps once as they are. */
void dls_study_read_tolerances(dls_study_reader *r, const dls_yaml_node *node)
{
  const dls_yaml_node *values[3] = {NULL};
  double numbers[3] = {NAN, NAN, NAN};
  const dls_scheme *user = dls_request_scheme(r->request, false);
  const bool needed = r->line && dls_request_scheme(r->request, true) == NULL;
  const bool used =
      is_of_use(r, node, DLS_KEY_TOLERANCES, user, needed ? "chooses its own steps" : NULL, need_step(r));
  const char *text = node != NULL ? read_sequence(r, node, values, numbers) : NULL;
  for (int i = 0; i < 2 && r->choices != NULL; i++) {
    if (numbers[i] <= 0) {
      dls_study_report(r, values[i]->mark, "%s%s = %.60s must be > 0", r->line ? "" : "a tolerance",
                       r->line ? values[i]->key : "", values[i]->text);
    } else if (!isnan(numbers[i])) {
      check_tolerance(r, values[i], numbers[i]);
    }
  }
  if (used && text != NULL) {
    r->request->spec.tol_first = numbers[0];
    r->request->spec.tol_last = numbers[1];
    r->request->spec.tol_levels = (size_t)numbers[2];
    dls_study_record(r, DLS_KEY_TOLERANCES, text);
  }
}

void dls_study_read_against(dls_study_reader *r, const dls_yaml_node *node)
{
  size_t position = 0;
  const char *text = dls_study_choose_word(r, node, dls_work_names, &position);
  if (text != NULL) {
    dls_request_set_against(r->request, DLS_AGAINST_STEPS + (dls_against)position);
    dls_study_record(r, DLS_KEY_AGAINST, text);
  }
}

void dls_study_check_times(dls_study_reader *r)
{
  const double rounding = 1e-12; /* as in the number of steps of a run */
  const dls_recording *recording = &r->request->recording;
  const dls_yaml_node *at = r->values[DLS_KEY_TIMES];
  const double step = dls_request_scheme(r->request, true) != NULL ? r->request->step : 0;
  double *end = &r->request->spec.end;
  if (at == NULL || recording->at_count == 0) {
    return;
  }
  const size_t count = recording->at_count;
  const double last = recording->at[count - 1];
  if (r->values[DLS_KEY_END] == NULL) { /* the last time, rounded up to a multiple of the step */
    *end = step > 0 ? step * fmax(1, ceil(last / step * (1 - rounding))) : last;
  }
  if (!(*end > 0)) {
    dls_study_report(r, at->mark, "--at = %s leaves nothing to simulate: a later time, or --end, is needed",
                     at->text);
  }
  const double reached = step > 0 ? step * floor(*end / step * (1 + rounding)) : *end;
  if (!(last <= reached * (1 + rounding))) {
    dls_study_report(r, at->mark, "--at, time %zu = %.15g is after the last node, at %.15g s", count, last,
                     reached);
  }
  *end = fmax(*end, last);
  if (step > 0 && *end / step > DLS_REQUEST_MOST_STEPS) {
    dls_study_report(r, at->mark, "--at, time %zu = %.15g s makes more than %g steps", count, last,
                     DLS_REQUEST_MOST_STEPS);
  }
}
