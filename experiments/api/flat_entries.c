/* experiments/api/flat_entries.c -- what can be set, and what a model is, in plain C types: enough for controls that build themselves.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/flat.h>

#include "common/run/coordinates.h"
#include "experiments/api/flat_internal.h"
#include <delassus/graph.h>
#include <delassus/sim.h>
#include <stdlib.h>
#include <string.h>

static const dls_law *law_named(const dls_catalogue *catalogue, const char *name)
{
  const dls_law *const *law = dls_catalogue_laws(catalogue);
  while (*law != NULL && strcmp((*law)->name, name) != 0) {
    law++;
  }
  return *law;
}

/* The table of an entry; NULL if there is no such entry, or it has none. */
static const dls_option *table_of(const dls_catalogue *catalogue, const char *kind, const char *entry)
{
  if (strcmp(kind, "model") == 0) {
    const dls_model *model = dls_catalogue_model(catalogue, entry, NULL);
    return model != NULL ? model->parameters : NULL;
  }
  if (strcmp(kind, "scheme") == 0) {
    const dls_scheme *scheme = dls_catalogue_scheme(catalogue, entry, NULL);
    return scheme != NULL ? scheme->options : NULL;
  }
  if (strcmp(kind, "norm") == 0) {
    const dls_norm *norm = dls_norm_find(entry);
    return norm != NULL ? norm->options : NULL;
  }
  const dls_law *law = strcmp(kind, "law") == 0 ? law_named(catalogue, entry) : NULL;
  return law != NULL ? law->parameters : NULL;
}

/* NULL behind the last. */
static const dls_option *option_of(const dls_catalogue *catalogue, const char *kind, const char *entry,
                                   size_t index)
{
  const dls_option *table = table_of(catalogue, kind, entry);
  return index < dls_option_count(table) ? &table[index] : NULL;
}

static double last_word(const dls_option *option)
{
  size_t count = 0;
  while (option->choices[count + 1] != NULL) {
    count++;
  }
  return (double)count;
}

const char *dls_flat_option(const dls_catalogue *catalogue, const char *kind, const char *entry, size_t index,
                            const char *texts[2], double values[5])
{
  static const double kinds[] = {[DLS_REAL] = 0, [DLS_INTEGER] = 1, [DLS_CHOICE] = 2};
  const dls_option *option = option_of(catalogue, kind, entry, index);
  if (option == NULL) {
    return NULL;
  }
  const bool choice = option->kind == DLS_CHOICE;
  if (texts != NULL) {
    texts[0] = option->unit;
    texts[1] = option->help;
  }
  if (values != NULL) {
    values[0] = option->initial;
    values[1] = choice ? 0 : option->min;
    values[2] = choice ? last_word(option) : option->max;
    values[3] = kinds[option->kind];
    values[4] = option->open;
  }
  return option->name;
}

const char *dls_flat_option_word(const dls_catalogue *catalogue, const char *kind, const char *entry,
                                 size_t index, size_t word)
{
  const dls_option *option = option_of(catalogue, kind, entry, index);
  return option != NULL && option->kind == DLS_CHOICE && (double)word <= last_word(option)
             ? option->choices[word]
             : NULL;
}

/* --- a model with its settings --- */

struct dls_flat_system {
  const dls_catalogue *catalogue;
  dls_model_choice choice;
  dls_system *sys;
};

int dls_flat_system_create(const dls_catalogue *catalogue, const char *model, size_t count,
                           const char *const *settings, dls_flat_system **out, char *error, size_t size)
{
  dls_error err = {0};
  dls_flat_system *system = calloc(1, sizeof *system);
  *out = NULL;
  if (system == NULL) {
    return dls_flat_report(dls_fail(&err, DLS_ERR_MEMORY, "no memory for a system"), &err, error, size);
  }
  system->catalogue = catalogue;
  dls_status status = dls_flat_choose(catalogue, model, count, settings, &system->choice, &err);
  status = status != DLS_OK
               ? status
               : dls_model_create(system->choice.model, system->choice.parameters, &system->sys, &err);
  if (status == DLS_OK) {
    *out = system;
  } else {
    dls_flat_system_free(system);
  }
  return dls_flat_report(status, &err, error, size);
}

void dls_flat_system_free(dls_flat_system *system)
{
  if (system != NULL) {
    dls_system_destroy(system->sys);
    dls_model_choice_release(&system->choice);
    free(system);
  }
}

void dls_flat_system_sizes(const dls_flat_system *system, double sizes[7])
{
  const dls_system *sys = system->sys;
  const bool exact = dls_catalogue_exact(system->catalogue, system->choice.model->name) != NULL;
  const double all[7] = {(double)sys->n, (double)sys->m, (double)sys->d, (double)sys->r,
                         sys->length,    sys->time,      exact};
  memcpy(sizes, all, sizeof all);
}

int dls_flat_system_coordinate(const dls_flat_system *system, size_t index, double initial[2], char *words,
                               size_t words_size, char *unit, size_t unit_size, char *rate, size_t rate_size)
{
  const dls_system *sys = system->sys;
  dls_coordinate coordinate;
  char name[32], of_rate[DLS_UNIT_ROOM];
  if (index >= sys->n) {
    return DLS_ERR_ARG;
  }
  dls_system_coordinate(sys, index, &coordinate);
  snprintf(name, sizeof name, "v%zu", index);
  dls_quantity_unit(sys, name, of_rate);
  snprintf(words, words_size, "%s", coordinate.name);
  snprintf(unit, unit_size, "%s", coordinate.unit);
  snprintf(rate, rate_size, "%s", of_rate);
  if (initial != NULL) {
    initial[0] = sys->q0[index];
    initial[1] = sys->v0[index];
  }
  return DLS_OK;
}

int dls_flat_system_treats(const dls_flat_system *system, const char *scheme, char *error, size_t size)
{
  dls_error err = {0};
  dls_scheme_choice choice;
  dls_sim *sim = NULL;
  dls_status status = dls_catalogue_choose(system->catalogue, scheme, &choice, &err);
  status = status != DLS_OK ? status : dls_scheme_choice_sim(&choice, system->sys, &sim, &err);
  status = status != DLS_OK ? status : dls_sim_start(sim, &err);
  dls_sim_destroy(sim);
  return dls_flat_report(status, &err, error, size);
}
