/* experiments/api/flat_models.c -- models made in memory and added to a catalogue; mechanisms from a text.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/flat.h>

#include "common/base/text.h"
#include "experiments/api/flat_internal.h"
#include "experiments/request/mechanism/mechanism_file.h"
#include <delassus/plugin.h>
#include <stdlib.h>
#include <string.h>

/* A model with the name that it has in a catalogue. */
typedef struct named {
  dls_model *model;
  char name[DLS_FLAT_NAME_ROOM];
} named;

static void release(void *data)
{
  named *own = data;
  if (own != NULL) {
    dls_model_release(own->model);
  }
  free(own);
}

dls_status dls_flat_check_name(const char *name, dls_error *err)
{
  if (name == NULL || name[0] == '\0') {
    return dls_fail(err, DLS_ERR_ARG, "the model has no name");
  }
  return strlen(name) < DLS_FLAT_NAME_ROOM
             ? DLS_OK
             : dls_fail(err, DLS_ERR_ARG, "the name '%.60s...' has more than %d characters", name,
                        DLS_FLAT_NAME_ROOM - 1);
}

dls_status dls_flat_add_model(dls_catalogue *catalogue, const char *name, dls_model *model, dls_error *err)
{
  named *own = calloc(1, sizeof *own);
  if (own == NULL) {
    dls_model_release(model);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a model");
  }
  own->model = model;
  dls_status status = dls_flat_check_name(name, err);
  if (status == DLS_OK) {
    strcpy(own->name, name);
    model->name = own->name;
    const dls_model *const models[] = {model, NULL};
    const dls_plugin plugin = {DLS_PLUGIN_HEAD, .name = own->name, .version = "in memory", .models = models};
    status = dls_catalogue_add(catalogue, &plugin, release, own, err);
  }
  if (status != DLS_OK) {
    release(own);
  }
  return status;
}

/* "mechanism=NAME.yaml": what a command line that is printed says. */
static dls_status set_origin(dls_model *model, const char *name, dls_error *err)
{
  char origin[DLS_FLAT_NAME_ROOM + 20];
  snprintf(origin, sizeof origin, DLS_FLAT_MECHANISM "=%.*s.yaml", DLS_FLAT_NAME_ROOM, name);
  model->origin = dls_text_copy(origin);
  return model->origin != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for a model");
}

int dls_flat_mechanism(dls_catalogue *catalogue, const char *name, const char *text, size_t length,
                       size_t place[2], char *error, size_t size)
{
  dls_error err = {0};
  dls_yaml_mark mark = {0};
  dls_model *model = NULL;
  dls_status status =
      text != NULL ? dls_flat_check_name(name, &err) : dls_fail(&err, DLS_ERR_ARG, "text = NULL");
  status = status != DLS_OK ? status : dls_mechanism_read(name, text, length, &mark, &model, &err);
  if (status == DLS_OK && (status = set_origin(model, name, &err)) != DLS_OK) {
    dls_model_release(model);
  }
  status = status != DLS_OK ? status : dls_flat_add_model(catalogue, name, model, &err);
  if (place != NULL) {
    place[0] = mark.line;
    place[1] = mark.column;
  }
  return dls_flat_report(status, &err, error, size);
}
