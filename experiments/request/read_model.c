/* experiments/request/read_model.c -- model, parameters and law of a request, checked by the catalogue.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/reader.h"

#include "experiments/request/mechanism/mechanism_file.h"
#include <delassus/catalogue.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- model --- */

void dls_study_read_model(dls_study_reader *r, const dls_yaml_node *node)
{
  dls_error err = {0};
  const char *name = dls_yaml_text(&r->yaml, node, node->key);
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

static const dls_key_id mechanism_keys[DLS_MECHANISM_KEYS] = {[DLS_MECHANISM_GRAVITY] = DLS_KEY_GRAVITY,
                                                              [DLS_MECHANISM_BODIES] = DLS_KEY_BODIES,
                                                              [DLS_MECHANISM_JOINTS] = DLS_KEY_JOINTS,
                                                              [DLS_MECHANISM_SPRINGS] = DLS_KEY_SPRINGS,
                                                              [DLS_MECHANISM_CONTACTS] = DLS_KEY_CONTACTS};

void dls_study_read_bodies(dls_study_reader *r, const dls_yaml_node *node)
{
  (void)node;
  const dls_yaml_node *values[DLS_MECHANISM_KEYS];
  if (r->values[DLS_KEY_MODEL] != NULL) {
    return; /* and reported */
  }
  for (size_t i = 0; i < DLS_MECHANISM_KEYS; i++) {
    values[i] = r->values[mechanism_keys[i]];
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

/* NAME: VALUE of an option table. A wrong value leaves that of the table. @return "NAME=VALUE" in the pool, or NULL and reported */
const char *dls_study_read_assignment(dls_study_reader *r, const dls_option *table, const char *owner,
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
  dls_study_record(r, DLS_KEY_PARAMETERS,
                   path != NULL ? dls_pool_print(r->pool, "%s=%s", node->key, dls_study_path(r, path)) : NULL);
  return true;
}

void dls_study_read_parameters(dls_study_reader *r, const dls_yaml_node *node)
{
  char owner[80];
  if (r->line) { /* P=V of every --set: checked together by dls_model_choose */
    for (const dls_yaml_node *word = node->first; word != NULL; word = word->next) {
      dls_study_record(r, DLS_KEY_PARAMETERS, word->text);
    }
    return;
  }
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
      dls_study_record(r, DLS_KEY_PARAMETERS,
                       dls_study_read_assignment(r, r->model->parameters, owner, child, r->parameters));
    }
  }
}

void dls_study_read_law(dls_study_reader *r, const dls_yaml_node *node)
{
  r->law = dls_yaml_text(&r->yaml, node, node->key);
  dls_study_record(r, DLS_KEY_LAW, r->law);
}

/* The model with what is set, its files read. */
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
  return settings != NULL ? dls_model_choose(r->line ? "--set for" : "parameters of", r->model, count, settings,
                                             &r->request->model, err)
                          : dls_fail(err, DLS_ERR_MEMORY, "out of memory");
}

/* Sizes, which columns are checked with. A command checks its columns itself, with the system that it makes. */
static dls_status size_model(dls_study_reader *r, dls_error *err)
{
  dls_system *system = NULL;
  const dls_status status =
      dls_model_create(r->request->model.model, r->request->model.parameters, &system, err);
  if (status != DLS_OK) {
    return status;
  }
  r->n = system->n;
  r->m = system->m;
  r->d = system->d;
  r->joints = system->r;
  r->measure_count = dls_measures_of(system, r->measures);
  r->sized = true;
  dls_system_destroy(system);
  return DLS_OK;
}

void dls_study_make_model(dls_study_reader *r)
{
  dls_error err = {0};
  const dls_yaml_node *parameters = r->values[DLS_KEY_PARAMETERS], *law = r->values[DLS_KEY_LAW];
  const dls_yaml_node *bodies = r->values[DLS_KEY_BODIES], *model = r->values[DLS_KEY_MODEL];
  const dls_yaml_node *place = parameters != NULL ? parameters : bodies != NULL ? bodies : model;
  if (model == NULL && bodies == NULL && !r->line) {
    dls_study_report(r, dls_study_mark(r), "key 'model' is missing: %s, or the bodies of a mechanism",
                     r->keys[DLS_KEY_MODEL].value);
  }
  if (r->model == NULL || r->parameters == NULL) {
    return;
  }
  dls_model_choice *choice = &r->request->model;
  dls_status status = choose_model(r, &err);
  if (status == DLS_OK && r->law != NULL) {
    place = law;
    status = dls_catalogue_choose_law(r->catalogue, r->line ? "--law: " : "", r->law, choice, &err);
  }
  if (status == DLS_OK) {
    dls_request_set_model(r->request);
    status = r->line ? DLS_OK : size_model(r, &err);
  }
  if (status != DLS_OK) {
    dls_study_report_error(r, place->mark, &err);
  }
}
