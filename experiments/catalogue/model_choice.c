/* experiments/catalogue/model_choice.c -- a model and "name=value" settings to a model with checked parameters, its files
 * read.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/catalogue/entry_parameters.h"
#include <delassus/choice.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { OWNER_SIZE = 160, NAME_SIZE = 64, MOST_NAMES = 64 };

static size_t slot_count(const dls_model *model)
{
  size_t count = 0;
  while (model->files != NULL && model->files[count].name != NULL) {
    count++;
  }
  return count;
}

/* Position of the slot that "name=..." names, or the number of slots. */
static size_t find_slot(const dls_model *model, const char *setting)
{
  const size_t count = slot_count(model);
  const size_t length = strcspn(setting, "=");
  size_t i = 0;
  while (i < count &&
         !(strlen(model->files[i].name) == length && strncmp(model->files[i].name, setting, length) == 0)) {
    i++;
  }
  return i;
}

/* Files and parameters in one list, as they are set in one way. */
static dls_status unknown(const dls_model *model, const char *owner, const char *name, dls_error *err)
{
  const char *names[MOST_NAMES];
  char list[160] = "";
  size_t count = 0;
  for (size_t i = 0; i < slot_count(model) && count < MOST_NAMES; i++) {
    dls_text_append(list, sizeof list, "%s%s", i == 0 ? "the files " : ", ", model->files[i].name);
    names[count++] = model->files[i].name;
  }
  for (size_t i = 0; i < dls_option_count(model->parameters) && count < MOST_NAMES; i++) {
    dls_text_append(list, sizeof list, "%s%s", i == 0 ? " and the parameters " : ", ",
                    model->parameters[i].name);
    names[count++] = model->parameters[i].name;
  }
  const char *near = dls_nearest_name(name, names, count);
  return dls_fail(err, DLS_ERR_OPTION, "%s: there is no '%.60s'%s%s%s; there are %s", owner, name,
                  near != NULL ? " (did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?)" : "",
                  list);
}

/* "K[2,3]=5" */
static bool is_entry(const char *setting)
{
  const size_t length = strcspn(setting, "=");
  return setting[length] == '=' && memchr(setting, '[', length) != NULL;
}

/* One setting of a model that reads files: paths[slot], or a parameter. */
static dls_status set(const dls_model *model, const char *owner, const char *setting, const char **paths,
                      double *parameters, dls_error *err)
{
  const size_t slot = find_slot(model, setting);
  const size_t length = strcspn(setting, "=");
  char name[NAME_SIZE];
  snprintf(name, sizeof name, "%.*s", (int)(length < NAME_SIZE ? length : NAME_SIZE - 1), setting);
  if (slot < slot_count(model)) {
    if (setting[length] == '\0' || setting[length + 1] == '\0') {
      return dls_fail(err, DLS_ERR_OPTION, "%s: '%.80s' names no file: write %s=FILE", owner, setting, name);
    }
    paths[slot] = setting + length + 1;
    return DLS_OK;
  }
  if (slot_count(model) > 0 && length > 0 && setting[length] == '=' &&
      dls_option_find(model->parameters, name) < 0) {
    return unknown(model, owner, name, err);
  }
  return dls_option_parse(model->parameters, owner, setting, parameters, err);
}

static dls_status load(const dls_model *model, const char *const *paths, dls_model_choice *out, dls_error *err)
{
  out->model = model;
  if (model->files == NULL) {
    return DLS_OK;
  }
  const dls_status status = dls_model_load(model, paths, &out->loaded, err);
  out->model = status == DLS_OK ? out->loaded : NULL;
  return status;
}

dls_status dls_model_choose(const char *what, const dls_model *model, size_t count, const char *const *settings,
                            dls_model_choice *out, dls_error *err)
{
  char owner[OWNER_SIZE];
  snprintf(owner, sizeof owner, "%s model %s", what, model->name);
  *out = (dls_model_choice){.parameters = malloc((dls_option_count(model->parameters) + 1) * sizeof(double))};
  const char **paths = calloc(slot_count(model) + 1, sizeof *paths);
  dls_status status = DLS_OK;
  if (out->parameters == NULL || paths == NULL) {
    status = dls_fail(err, DLS_ERR_MEMORY, "%s: out of memory", owner);
  } else {
    dls_option_defaults(model->parameters, out->parameters);
  }
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    status = is_entry(settings[i]) ? DLS_OK : set(model, owner, settings[i], paths, out->parameters, err);
  }
  status = status != DLS_OK ? status : load(model, paths, out, err);
  status = status != DLS_OK ? status : dls_entries_set(count, settings, owner, out, err);
  free(paths);
  if (status != DLS_OK) {
    dls_model_choice_release(out);
  }
  return status;
}

void dls_model_choice_release(dls_model_choice *choice)
{
  dls_model_release(choice->loaded);
  free(choice->parameters);
  *choice = (dls_model_choice){0};
}

dls_status dls_model_choice_note(const dls_model_choice *choice, dls_trajectory *traj, dls_error *err)
{
  char parameters[900] = "";
  const dls_option *table = choice->model->parameters;
  for (size_t i = 0; i < dls_option_count(table); i++) {
    char value[40];
    dls_option_format(&table[i], choice->parameters[i], value, sizeof value);
    dls_text_append(parameters, sizeof parameters, "%s%s=%s", i == 0 ? "" : ",", table[i].name, value);
  }
  dls_status status = dls_trajectory_note(traj, err, "model", "%s", choice->model->name);
  if (status == DLS_OK) {
    status = dls_trajectory_note(traj, err, "parameters", "%s", parameters);
  }
  if (status == DLS_OK && choice->law[0] != '\0') {
    status = dls_trajectory_note(traj, err, "law", "%s", choice->law);
  }
  if (status == DLS_OK && choice->model->origin != NULL) {
    status = dls_trajectory_note(traj, err, "files", "%s", choice->model->origin);
  }
  return status;
}
