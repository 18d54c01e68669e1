/* experiments/request/study_choices.c -- model, schemes and steps of a study file, checked with what knows them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/study_reader.h"

#include "experiments/catalogue/scheme_choice.h"
#include "experiments/request/mechanism/mechanism_file.h"
#include <delassus/catalogue.h>
#include <delassus/study.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- model --- */

void dls_study_read_model(dls_study_reader *r, const dls_yaml_node *node)
{
  dls_error err = {0};
  const char *name = dls_yaml_text(&r->yaml, node, "model");
  if (name == NULL) {
    return;
  }
  r->study->model = name;
  r->model = dls_catalogue_model(r->catalogue, name, &err);
  if (r->model == NULL) {
    dls_study_report_error(r, node->mark, &err);
    return;
  }
  r->parameters = dls_pool_take(r->pool, (dls_option_count(r->model->parameters) + 1) * sizeof(double));
  if (r->parameters != NULL) {
    dls_option_defaults(r->model->parameters, r->parameters);
  }
}

static const size_t mechanism_keys[DLS_MECHANISM_KEYS] = {[DLS_MECHANISM_GRAVITY] = DLS_KEY_GRAVITY,
                                                          [DLS_MECHANISM_BODIES] = DLS_KEY_BODIES,
                                                          [DLS_MECHANISM_JOINTS] = DLS_KEY_JOINTS,
                                                          [DLS_MECHANISM_SPRINGS] = DLS_KEY_SPRINGS,
                                                          [DLS_MECHANISM_CONTACTS] = DLS_KEY_CONTACTS};

void dls_study_read_bodies(dls_study_reader *r, const dls_yaml_node *node)
{
  const dls_yaml_node *values[DLS_MECHANISM_KEYS];
  if (dls_study_value(r, DLS_KEY_MODEL) != NULL) {
    dls_study_report(r, node->key_mark, "model and bodies are both given: one of them is enough");
    return;
  }
  for (size_t i = 0; i < DLS_MECHANISM_KEYS; i++) {
    values[i] = dls_study_value(r, mechanism_keys[i]);
  }
  dls_model_choice *choice = &r->request->model;
  r->parameters = dls_pool_take(r->pool, sizeof *r->parameters);
  r->model = choice->model = choice->loaded = dls_mechanism_model(&r->yaml, values);
  choice->parameters = malloc(sizeof *choice->parameters); /* there are none */
  r->pool->failed = r->pool->failed || choice->parameters == NULL;
  if (r->model != NULL) {
    r->study->model = r->model->name;
    r->study->described = true;
  }
}

void dls_study_read_part(dls_study_reader *r, const dls_yaml_node *node)
{
  if (dls_study_value(r, DLS_KEY_BODIES) == NULL) {
    dls_study_report(r, node->key_mark, "%s is of no use without bodies", node->key);
  }
}

/* NAME: VALUE of an option table. A wrong value leaves that of the table. @return "NAME=VALUE" in the pool, or NULL and told */
static const char *read_assignment(dls_study_reader *r, const dls_option *table, const char *owner,
                                   const dls_yaml_node *node, double *values)
{
  dls_error err = {0};
  const bool known = dls_option_find(table, node->key) >= 0;
  const char *value = known ? dls_yaml_text(&r->yaml, node, node->key) : NULL;
  if (value == NULL && known) {
    return NULL;
  }
  const char *text = dls_pool_print(r->pool, "%s=%s", node->key, value != NULL ? value : "");
  if (text != NULL && dls_option_parse(table, owner, text, values, &err) != DLS_OK) {
    dls_study_report_error(r, known ? node->mark : node->key_mark, &err);
    return NULL;
  }
  return text;
}

/* A file of a model that reads some. @return false if the model has none of that name */
static bool read_path(dls_study_reader *r, const dls_yaml_node *node)
{
  const dls_file_slot *file = r->model->files;
  while (file != NULL && file->name != NULL && strcmp(file->name, node->key) != 0) {
    file++;
  }
  if (file == NULL || file->name == NULL) {
    return false;
  }
  const char *path = dls_yaml_text(&r->yaml, node, node->key);
  dls_study_argue(r, "set", path != NULL ? dls_pool_print(r->pool, "%s=%s", node->key, path) : NULL);
  return true;
}

void dls_study_read_parameters(dls_study_reader *r, const dls_yaml_node *node)
{
  char owner[80];
  if (node->kind != DLS_YAML_MAPPING) {
    dls_study_report(r, node->mark, "parameters must be NAME: VALUE for each, but this is %s",
                     dls_yaml_kind_text(node->kind));
    return;
  }
  if (r->model == NULL || r->parameters == NULL) {
    return;
  }
  snprintf(owner, sizeof owner, "model %s", r->model->name);
  for (const dls_yaml_node *child = node->first; child != NULL; child = child->next) {
    if (!read_path(r, child)) {
      dls_study_argue(r, "set", read_assignment(r, r->model->parameters, owner, child, r->parameters));
    }
  }
}

void dls_study_read_law(dls_study_reader *r, const dls_yaml_node *node)
{
  r->law = dls_yaml_text(&r->yaml, node, "law");
  dls_study_argue(r, "law", r->law);
}

/* The model with what the file sets, its files read. */
static dls_status choose_model(dls_study_reader *r, dls_error *err)
{
  const char **settings = dls_pool_take(r->pool, (r->study->argument_count + 1) * sizeof *settings);
  size_t count = 0;
  if (r->study->described) {
    return DLS_OK; /* it has it */
  }
  for (size_t i = 0; i < r->study->argument_count && settings != NULL; i++) {
    if (strcmp(r->arguments[i].option, "set") == 0) {
      settings[count++] = r->arguments[i].value;
    }
  }
  return settings != NULL
             ? dls_model_choose("parameters of", r->model, count, settings, &r->request->model, err)
             : dls_fail(err, DLS_ERR_MEMORY, "out of memory");
}

void dls_study_size_model(dls_study_reader *r)
{
  dls_error err = {0};
  dls_system *system = NULL;
  const dls_yaml_node *parameters = dls_study_value(r, DLS_KEY_PARAMETERS);
  const dls_yaml_node *bodies = dls_study_value(r, DLS_KEY_BODIES), *model = dls_study_value(r, DLS_KEY_MODEL);
  const dls_yaml_node *place = parameters != NULL ? parameters : bodies != NULL ? bodies : model;
  if (model == NULL && bodies == NULL) {
    dls_study_report(r, r->own->mark, "key 'model' is missing: %s, or the bodies of a mechanism",
                     dls_study_keys()[DLS_KEY_MODEL].value);
  }
  if (r->model == NULL || r->parameters == NULL) {
    return;
  }
  dls_model_choice *choice = &r->request->model;
  dls_status status = choose_model(r, &err);
  if (status == DLS_OK && r->law != NULL) {
    place = dls_study_value(r, DLS_KEY_LAW);
    status = dls_catalogue_choose_law(r->catalogue, "", r->law, choice, &err);
  }
  if (status == DLS_OK) {
    dls_request_set_model(r->request);
    status = dls_model_create(choice->model, choice->parameters, &system, &err);
  }
  if (status != DLS_OK) {
    dls_study_report_error(r, place->mark, &err);
    return;
  }
  r->n = system->n;
  r->m = system->m;
  r->d = system->d;
  r->joints = system->r;
  r->measure_count = dls_measures_of(system, r->measures);
  r->sized = true;
  dls_system_destroy(system);
}

/* --- schemes --- */

/* {scheme: NAME, options: {...}} as NAME:OPTION=VALUE,...; NULL and told if a piece is wrong. */
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
    const char *option = read_assignment(r, scheme->options, owner, child, values);
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

/* One entry of schemes; NULL and told if it is wrong. */
static const char *read_scheme(dls_study_reader *r, const dls_yaml_node *node, dls_scheme_choice *choice)
{
  dls_error err = {0};
  const char *text =
      node->kind == DLS_YAML_MAPPING ? read_scheme_mapping(r, node) : dls_yaml_text(&r->yaml, node, "a scheme");
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
  } else if (kind == DLS_STUDY_RUN && count > 1) {
    dls_study_report(r, node->mark,
                     "a study of kind run has one scheme, but %zu are given; compare takes several", count);
  } else if (kind == DLS_STUDY_COMPARE && count > DLS_REQUEST_MOST_COMPARED) {
    dls_study_report(r, node->mark, "a study of kind compare has at most %d schemes, but %zu are given",
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
    if (text != NULL && dls_yaml_find(text, texts, i) < i) {
      dls_study_report(r, entry->mark, "scheme %s is given twice", text);
    }
    texts[i] = text != NULL ? text : entry->kind == DLS_YAML_TEXT ? entry->text : "";
    r->request->spec.scheme_count = ++r->study->scheme_count;
    dls_study_argue(r, "scheme",
                    r->study->kind != DLS_STUDY_SPECTRUM ? text : NULL); /* there they stand alone */
    entry = node->kind == DLS_YAML_LIST ? entry->next : NULL;
  }
}

/* --- steps --- */

static void check_step(dls_study_reader *r, const dls_yaml_node *node, double step, const char *what)
{
  if (isnan(step)) {
    return;
  }
  if (!(step > 0)) {
    dls_study_report(r, node->mark, "%s = %.60s must be > 0", what, node->text);
  } else if (!isnan(r->end) && step > r->end) {
    dls_study_report(r, node->mark, "%s = %.60s s is larger than end = %.10g s", what, node->text, r->end);
  } else if (!isnan(r->end) && r->end / step > DLS_REQUEST_MOST_STEPS) {
    dls_study_report(r, node->mark, "%s = %.60s s makes more than %g steps on [0, %.10g] s", what, node->text,
                     DLS_REQUEST_MOST_STEPS, r->end);
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

/* Wanted, but not there; or there, and of no use: told if it is not shared with other studies.
 * @param[in] user  a scheme that it is for, or NULL; @return whether it is to be passed on */
static bool is_of_use(dls_study_reader *r, const dls_yaml_node *node, const char *key, const dls_scheme *user,
                      const char *others)
{
  if (node == NULL) {
    if (user != NULL) {
      dls_study_report(r, r->own->mark, "key '%s' is missing: scheme %s needs a time step in s", key,
                       user->name);
    }
    return false;
  }
  if (user == NULL && all_schemes_known(r) && node == dls_yaml_get(r->own, key)) {
    dls_study_report(r, node->key_mark, "%s goes with no scheme of the study: all %s", key, others);
  }
  return user != NULL;
}

static const char own_steps[] = "choose their own steps";

void dls_study_read_step(dls_study_reader *r, const dls_yaml_node *node)
{
  const bool used = is_of_use(r, node, "step", dls_request_scheme(r->request, true), own_steps);
  if (node != NULL) {
    const double step = dls_yaml_number(&r->yaml, node, "step");
    check_step(r, node, step, "step");
    if (used) {
      r->request->step = step;
      r->request->step_text = node->text;
      dls_study_argue(r, "step", node->text);
    }
  }
}

const char *dls_study_read_sequence(dls_study_reader *r, const dls_yaml_node *node,
                                    const dls_yaml_node **values, double *numbers)
{
  static const char *const names[] = {"first", "last", "levels"};
  if (node->kind != DLS_YAML_MAPPING) {
    dls_study_report(r, node->mark, "%s must be {first: X0, last: X1, levels: N}, but this is %s", node->key,
                     dls_yaml_kind_text(node->kind));
    return NULL;
  }
  dls_yaml_refuse_unknown(&r->yaml, node, names, 3, "of a sequence");
  bool good = true;
  for (int i = 0; i < 3; i++) {
    values[i] = dls_yaml_get(node, names[i]);
    if (values[i] == NULL) {
      dls_study_report(r, node->mark, "key '%s' is missing: {first: X0, last: X1, levels: N}", names[i]);
    } else if (i < 2) {
      numbers[i] = dls_yaml_number(&r->yaml, values[i], names[i]);
    } else {
      numbers[i] = dls_yaml_integer(&r->yaml, values[i], names[i], 2, DLS_REQUEST_MOST_LEVELS);
    }
    good = good && !isnan(numbers[i]);
  }
  if (numbers[0] == numbers[1]) {
    dls_study_report(r, values[1]->mark, "last = %.60s must differ from first", values[1]->text);
  }
  return good ? dls_pool_print(r->pool, "%s:%s:%s", values[0]->text, values[1]->text, values[2]->text) : NULL;
}

void dls_study_read_steps(dls_study_reader *r, const dls_yaml_node *node)
{
  static const char *const names[] = {"first", "last"};
  const dls_yaml_node *values[3] = {NULL};
  double numbers[3] = {NAN, NAN, NAN};
  const bool order = r->study->kind == DLS_STUDY_ORDER || r->study->kind == DLS_STUDY_LOCAL;
  if (r->study->kind == DLS_STUDY_SPECTRUM) {
    dls_study_read_ratios(r, node);
    return;
  }
  const bool used = order || is_of_use(r, node, "steps", dls_request_scheme(r->request, true), own_steps);
  if (node == NULL) {
    if (order) {
      dls_study_report(r, r->own->mark, "key 'steps' is missing: %s", dls_study_keys()[DLS_KEY_STEPS].value);
    }
    return;
  }
  const char *text = dls_study_read_sequence(r, node, values, numbers);
  for (int i = 0; i < 2; i++) {
    if (values[i] != NULL) {
      check_step(r, values[i], numbers[i], names[i]);
    }
  }
  if (used && text != NULL) {
    r->request->spec.h_first = numbers[0];
    r->request->spec.h_last = numbers[1];
    r->request->spec.levels = (size_t)numbers[2];
    dls_study_argue(r, "steps", text);
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

void dls_study_read_tolerances(dls_study_reader *r, const dls_yaml_node *node)
{
  const dls_yaml_node *values[3] = {NULL};
  double numbers[3] = {NAN, NAN, NAN};
  const bool used = is_of_use(r, node, "tolerances", dls_request_scheme(r->request, false), "need a time step");
  const char *text = dls_study_read_sequence(r, node, values, numbers);
  for (int i = 0; i < 2 && r->choices != NULL; i++) {
    if (numbers[i] <= 0) {
      dls_study_report(r, values[i]->mark, "a tolerance = %.60s must be > 0", values[i]->text);
    } else if (!isnan(numbers[i])) {
      check_tolerance(r, values[i], numbers[i]);
    }
  }
  if (used && text != NULL) {
    r->request->spec.tol_first = numbers[0];
    r->request->spec.tol_last = numbers[1];
    r->request->spec.tol_levels = (size_t)numbers[2];
    dls_study_argue(r, "tols", text);
  }
}
