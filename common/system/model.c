/* model.c -- makes a system from a model and its parameters or files.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include <delassus/model.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The required files missing in paths; NULL: none. */
static dls_status refuse_without_files(const dls_model *model, const char *const *paths, dls_error *err)
{
  char list[300] = "";
  for (size_t i = 0; model->files[i].name != NULL; i++) {
    if (model->files[i].required && (paths == NULL || paths[i] == NULL)) {
      dls_text_append(list, sizeof list, "%s%s=FILE (%s)", list[0] == '\0' ? "" : ", ", model->files[i].name,
                      model->files[i].help);
    }
  }
  return dls_fail(err, DLS_ERR_ARG, "model %s is made from files; missing: %s", model->name, list);
}

/* @param[in] p  one value per parameter */
static dls_status check_parameters(const dls_model *model, const double *p, dls_error *err)
{
  const dls_option *table = model->parameters;
  for (size_t i = 0; table != NULL && table[i].name != NULL; i++) {
    if (!dls_option_allows(&table[i], p[i])) {
      char owner[80];
      double unused;
      snprintf(owner, sizeof owner, "model %s", model->name);
      return dls_option_set(&table[i], owner, table[i].name, p[i], &unused, err); /* its message */
    }
  }
  return DLS_OK;
}

static dls_status create_default(const dls_model *model, dls_system **out, dls_error *err)
{
  double *values = calloc(dls_option_count(model->parameters) + 1, sizeof *values);
  if (values == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for the parameters", model->name);
  }
  dls_option_defaults(model->parameters, values);
  const dls_status status = model->create(model, values, out, err);
  free(values);
  return status;
}

dls_status dls_model_create(const dls_model *model, const double *p, dls_system **out, dls_error *err)
{
  *out = NULL;
  if (model->files != NULL) {
    return refuse_without_files(model, NULL, err);
  }
  dls_status status = p == NULL ? create_default(model, out, err) : check_parameters(model, p, err);
  if (p != NULL && status == DLS_OK) {
    status = model->create(model, p, out, err);
  }
  if (status == DLS_OK && *out == NULL) {
    status = dls_fail(err, DLS_ERR_ARG, "model %s: create returned DLS_OK without a system", model->name);
  }
  if (status == DLS_OK) {
    status = dls_system_check(*out, err);
  }
  if (status != DLS_OK) {
    dls_system_destroy(*out);
    *out = NULL;
  }
  return status;
}

/* "M=mass.mtx K=stiff.mtx"; NULL if out of memory */
static char *describe_files(const dls_file_slot *files, const char *const *paths)
{
  size_t size = 1;
  for (size_t i = 0; files[i].name != NULL; i++) {
    size += paths[i] == NULL ? 0 : strlen(files[i].name) + strlen(paths[i]) + 2;
  }
  char *text = calloc(size, 1);
  for (size_t i = 0; text != NULL && files[i].name != NULL; i++) {
    if (paths[i] != NULL) {
      dls_text_append(text, size, "%s%s=%s", text[0] == '\0' ? "" : " ", files[i].name, paths[i]);
    }
  }
  return text;
}

dls_status dls_model_load(const dls_model *model, const char *const *paths, dls_model **out, dls_error *err)
{
  *out = NULL;
  if (model->files == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "model %s reads no files", model->name);
  }
  for (size_t i = 0; model->files[i].name != NULL; i++) {
    if (model->files[i].required && paths[i] == NULL) {
      return refuse_without_files(model, paths, err);
    }
  }
  dls_status status = model->load(model, paths, out, err);
  if (status == DLS_OK && ((*out)->origin = describe_files(model->files, paths)) == NULL) {
    status = dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for the names of its files", model->name);
  }
  if (status != DLS_OK) {
    dls_model_release(*out);
    *out = NULL;
  }
  return status;
}

void dls_model_release(dls_model *model)
{
  if (model == NULL) {
    return;
  }
  if (model->release != NULL) {
    model->release(model);
  }
  free(model->origin);
  free(model);
}
