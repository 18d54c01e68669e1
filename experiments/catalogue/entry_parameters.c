/* entry_parameters.c -- see entry_parameters.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/catalogue/entry_parameters.h"
#include "common/base/text.h"
#include "common/models/matrix_market/system_entries.h"
#include <stdlib.h>
#include <string.h>

typedef struct with_entries {
  const dls_model *base;
  dls_model *loaded; /* owned: the base, where it was made; else NULL */
  char name[120];
  size_t own, count; /* parameters of the base, entries after them */
  dls_option *options;
  dls_system_entry entries[];
} with_entries;

static void release(dls_model *model)
{
  with_entries *with = model->data;
  dls_model_release(with->loaded);
  free(with->options);
  free(with);
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const with_entries *with = self->data;
  dls_status status = with->base->create(with->base, p, out, err);
  for (size_t k = 0; k < with->count && status == DLS_OK; k++) {
    const dls_system_entry *entry = &with->entries[k];
    status = dls_system_entry_add(*out, entry, p[with->own + k] - entry->value, err);
  }
  return status;
}

/* The entries and their rows of the table of parameters. */
static dls_status find_entries(with_entries *with, const double *parameters, size_t count,
                               const char *const *names, dls_error *err)
{
  char owner[80];
  dls_system *sys = NULL;
  snprintf(owner, sizeof owner, "model %.60s", with->base->name);
  dls_status status = dls_model_create(with->base, parameters, &sys, err);
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    dls_system_entry *entry = &with->entries[with->count];
    if (!dls_system_entry_is(names[i]) || dls_option_find(with->options, names[i]) >= 0) {
      continue;
    }
    status = dls_system_entry_find(sys, owner, names[i], entry, err);
    with->options[with->own + with->count] =
        (dls_option){.name = entry->name,
                     .unit = "",
                     .help = "entry of a matrix or vector",
                     .initial = entry->value != 0 ? entry->value : entry->size,
                     .min = entry->low,
                     .max = entry->high};
    with->count++;
  }
  dls_system_destroy(sys);
  return status;
}

dls_status dls_entry_parameters(size_t count, const char *const *names, dls_model_choice *choice,
                                dls_error *err)
{
  size_t entries = 0;
  for (size_t i = 0; i < count; i++) {
    entries += dls_system_entry_is(names[i]);
  }
  if (entries == 0) {
    return DLS_OK;
  }
  const size_t own = dls_option_count(choice->model->parameters);
  with_entries *with = calloc(1, sizeof *with + entries * sizeof with->entries[0]);
  dls_model *model = malloc(sizeof *model);
  double *values = calloc(own + entries + 1, sizeof *values);
  dls_option *options = calloc(own + entries + 1, sizeof *options);
  if (with == NULL || model == NULL || values == NULL || options == NULL) {
    free(with);
    free(model);
    free(values);
    free(options);
    return dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for the parameters", choice->model->name);
  }
  *with = (with_entries){.base = choice->model, .loaded = choice->loaded, .own = own, .options = options};
  *model = *choice->model;
  model->data = with;
  model->create = create;
  model->release = release;
  model->parameters = options;
  model->origin = with->base->origin != NULL ? dls_text_copy(with->base->origin) : NULL;
  if (own > 0) {
    memcpy(options, with->base->parameters, own * sizeof *options);
    memcpy(values, choice->parameters, own * sizeof *values);
  }
  const dls_status status = find_entries(with, choice->parameters, count, names, err);
  for (size_t k = 0; k < with->count; k++) {
    values[own + k] = with->entries[k].value;
  }
  free(choice->parameters);
  choice->parameters = values;
  choice->model = choice->loaded = model; /* released with the choice, whatever comes */
  return status != DLS_OK || model->origin != NULL || with->base->origin == NULL
             ? status
             : dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for its files", model->name);
}

dls_status dls_entries_set(size_t count, const char *const *settings, const char *owner,
                           dls_model_choice *choice, dls_error *err)
{
  char name[DLS_ENTRY_NAME];
  const char *const names[] = {name};
  dls_status status = DLS_OK;
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    snprintf(name, sizeof name, "%.*s", (int)strcspn(settings[i], "="), settings[i]);
    if (dls_system_entry_is(name) && (status = dls_entry_parameters(1, names, choice, err)) == DLS_OK) {
      status = dls_option_parse(choice->model->parameters, owner, settings[i], choice->parameters, err);
      with_entries *with = choice->loaded->data; /* another motion: no exact solution is compared with it */
      snprintf(with->name, sizeof with->name, "%.60s with %.50s", with->base->name, settings[i]);
      choice->loaded->name = with->name;
    }
  }
  return status;
}
