/* experiments/catalogue/law_choice.c -- a model with another law at its contacts, from "fremond:mu=0.3".
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/catalogue/entry_parameters.h"
#include "experiments/catalogue/law_parameters.h"
#include "experiments/catalogue/plugin_check.h"
#include <delassus/catalogue.h>
#include <delassus/choice.h>
#include <delassus/law.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_ROOM = 120, MOST_LAWS = 32 };

/* Coefficients of contacts by name: m numbers each. */
static const struct {
  const char *name;
  size_t offset;
} coefficients[] = {{"e", offsetof(dls_system, e)},
                    {"mu", offsetof(dls_system, mu)},
                    {"mu_s", offsetof(dls_system, mu_s)},
                    {"v_s", offsetof(dls_system, v_s)},
                    {"e_t", offsetof(dls_system, e_t)}};
enum { COEFFICIENTS = sizeof coefficients / sizeof coefficients[0] };

bool dls_law_knows_coefficient(const char *name)
{
  for (size_t i = 0; i < COEFFICIENTS; i++) {
    if (strcmp(coefficients[i].name, name) == 0) {
      return true;
    }
  }
  return false;
}

/* What a model with another law carries. */
typedef struct other_law {
  const dls_model *base;
  dls_model *loaded; /* owned: the base, where it was made of files; else NULL */
  const dls_law *law;
  char name[NAME_ROOM];
  double values[]; /* of the law's parameters; NaN: as the model has it */
} other_law;

static double *coefficient(dls_system *sys, const char *name)
{
  for (size_t i = 0; i < COEFFICIENTS; i++) {
    if (strcmp(coefficients[i].name, name) == 0) {
      return *(double **)((char *)sys + coefficients[i].offset);
    }
  }
  return NULL;
}

static void set_all(double *values, size_t count, double value)
{
  for (size_t j = 0; values != NULL && j < count; j++) {
    values[j] = value;
  }
}

static dls_status apply(const other_law *other, dls_system *sys, dls_error *err)
{
  const dls_law *law = other->law;
  if (law->block == DLS_COULOMB && sys->d == 1) {
    return dls_fail(err, DLS_ERR_ARG, "law %s: model %s has no tangents, and a law with friction needs them",
                    law->name, other->base->name);
  }
  if (law->block != DLS_COULOMB) {
    set_all(sys->mu, sys->m, 0);
    set_all(sys->mu_s, sys->m, 0);
  }
  for (size_t j = 0; j < sys->m; j++) {
    sys->law[j] = law;
  }
  for (size_t i = 0; i < dls_option_count(law->parameters); i++) {
    const bool models_have_none = strcmp(law->parameters[i].name, "v_s") == 0;
    if (!isnan(other->values[i]) || models_have_none) {
      const double value = isnan(other->values[i]) ? law->parameters[i].initial : other->values[i];
      set_all(coefficient(sys, law->parameters[i].name), sys->m, value);
    }
  }
  return DLS_OK;
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const other_law *other = self->data;
  const dls_status status = other->base->create(other->base, p, out, err);
  return status != DLS_OK ? status : apply(other, *out, err);
}

static void release(dls_model *model)
{
  other_law *other = model->data;
  dls_model_release(other->loaded);
  free(other);
}

/* Is the motion that of the model itself? Yes for the same law with the same coefficients, and for any law if all contacts are
 * closed and at rest at the start. g: m, scratch */
static bool same_motion(const other_law *other, const dls_system *sys, double *g)
{
  const double small = 1e-12; /* of the scales of length and velocity */
  bool same = true, rests = other->law->block == DLS_COULOMB && !dls_system_gradient_varies(sys);
  dls_system_gap(sys, 0, sys->q0, g);
  for (size_t j = 0; j < sys->m; j++) {
    const double u = dls_matrix_column_dot(sys->H, j, sys->v0);
    same = same && dls_law_of(sys, j) == other->law;
    rests = rests && fabs(g[j]) <= small * sys->length && fabs(u) <= small * sys->length / sys->time;
  }
  for (size_t i = 0; i < dls_option_count(other->law->parameters); i++) {
    same = same && isnan(other->values[i]);
    rests = rests && isnan(other->values[i]);
  }
  return same || (rests && !dls_system_gap_moves(sys));
}

/* Exact solutions belong to names of models: another motion gets another name. */
static dls_status name_motion(other_law *other, const char *text, const double *parameters, dls_error *err)
{
  dls_system *sys = NULL;
  dls_status status = dls_model_create(other->base, parameters, &sys, err);
  double *g = status == DLS_OK ? calloc(sys->m + 1, sizeof *g) : NULL;
  if (status == DLS_OK && g == NULL) {
    status = dls_fail(err, DLS_ERR_MEMORY, "law %s: no memory for %zu gaps", other->law->name, sys->m);
  }
  const bool same = status == DLS_OK && same_motion(other, sys, g);
  free(g);
  status = status != DLS_OK ? status : apply(other, sys, err);
  if (same) {
    snprintf(other->name, sizeof other->name, "%s", other->base->name);
  } else {
    snprintf(other->name, sizeof other->name, "%.50s with law %.50s", other->base->name, text);
  }
  dls_system_destroy(sys);
  return status;
}

/* "mu=0.3,e=0.5" */
static dls_status read_values(const char *text, other_law *other, dls_error *err)
{
  char owner[80], field[80];
  snprintf(owner, sizeof owner, "law %.60s", other->law->name);
  dls_status status = DLS_OK;
  while (text != NULL && status == DLS_OK) {
    const size_t length = strcspn(text, ",");
    snprintf(field, sizeof field, "%.*s", (int)(length < sizeof field ? length : sizeof field - 1), text);
    status = dls_option_parse(other->law->parameters, owner, field, other->values, err);
    text = text[length] == ',' ? text + length + 1 : NULL;
  }
  return status;
}

dls_status dls_law_choose(const dls_law *law, const char *values, dls_model_choice *choice, dls_error *err)
{
  const size_t count = dls_option_count(law->parameters);
  other_law *other = calloc(1, sizeof *other + count * sizeof other->values[0]);
  dls_model *model = calloc(1, sizeof *model);
  if (other == NULL || model == NULL) {
    free(other);
    free(model);
    return dls_fail(err, DLS_ERR_MEMORY, "law %s: out of memory", law->name);
  }
  *other = (other_law){.base = choice->model, .loaded = choice->loaded, .law = law};
  for (size_t i = 0; i < count; i++) {
    other->values[i] = NAN;
  }
  *model = *choice->model;
  model->data = other;
  model->create = create;
  model->release = release;
  model->name = other->name;
  model->origin = choice->model->origin == NULL ? NULL : dls_text_copy(choice->model->origin);
  choice->model = choice->loaded = model; /* released with the choice, whatever comes */
  snprintf(choice->law, sizeof choice->law, "%s%s%s", law->name, values != NULL ? ":" : "",
           values != NULL ? values : "");
  if (model->origin == NULL && other->base->origin != NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "law %s: out of memory", law->name);
  }
  const dls_status status = read_values(values, other, err);
  return status != DLS_OK ? status : name_motion(other, choice->law, choice->parameters, err);
}

/* --- the coefficients that were given, as parameters --- */

typedef struct given_law {
  size_t count, own;   /* coefficients given; parameters of the model */
  dls_option *options; /* of the coefficients, then of the model's parameters with other names; ends with {0} */
  size_t *place;       /* count: of each among the parameters of the law */
  size_t *position;    /* own: of each among the options; SIZE_MAX: a coefficient takes precedence */
  double *values;      /* own: of the model */
  other_law *law;      /* owned; what it carries is borrowed */
} given_law;

static void free_given(given_law *given)
{
  if (given != NULL) {
    free(given->options);
    free(given->place);
    free(given->values);
    free(given->law);
    free(given);
  }
}

static void release_given(dls_model *model)
{
  free_given(model->data);
}

static dls_status create_given(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  given_law *given = self->data;
  for (size_t i = 0; i < given->count; i++) {
    given->law->values[given->place[i]] = p[i];
  }
  for (size_t i = 0; i < given->own; i++) {
    given->values[i] = given->position[i] != SIZE_MAX ? p[given->position[i]] : given->values[i];
  }
  const dls_status status = given->law->base->create(given->law->base, given->values, out, err);
  if (status == DLS_OK) {
    (*out)->by_parameter = NULL; /* a coefficient of the law may have the name of another parameter */
  }
  return status != DLS_OK ? status : apply(given->law, *out, err);
}

/* @return NULL if out of memory */
static given_law *allocate_given(size_t most, size_t own, size_t law_bytes)
{
  given_law *given = calloc(1, sizeof *given);
  if (given == NULL) {
    return NULL;
  }
  given->own = own;
  given->options = calloc(most + own + 1, sizeof *given->options);
  given->place = calloc(most + own + 1, sizeof *given->place);
  given->values = calloc(own + 1, sizeof *given->values);
  given->law = malloc(law_bytes);
  if (given->options == NULL || given->place == NULL || given->values == NULL || given->law == NULL) {
    free_given(given);
    return NULL;
  }
  given->position = given->place + most;
  return given;
}

/* @return NULL if out of memory */
static given_law *given_of(const other_law *other, const dls_option *table)
{
  const size_t all = dls_option_count(other->law->parameters);
  const size_t bytes = sizeof *other + all * sizeof other->values[0];
  given_law *given = allocate_given(all, dls_option_count(table), bytes);
  if (given == NULL) {
    return NULL;
  }
  memcpy(given->law, other, bytes);
  for (size_t i = 0; i < all; i++) {
    if (!isnan(other->values[i])) {
      given->options[given->count] = other->law->parameters[i];
      given->place[given->count++] = i;
    }
  }
  for (size_t i = 0, next = given->count; i < given->own; i++) {
    const bool taken = dls_option_find(given->options, table[i].name) >= 0;
    given->position[i] = taken ? SIZE_MAX : next;
    if (!taken) {
      given->options[next++] = table[i];
    }
  }
  return given;
}

static dls_status law_parameters(const dls_model *model, const double *parameters, dls_model_choice *out,
                                 dls_error *err)
{
  const other_law *other = model->create == create ? model->data : NULL;
  const size_t own = dls_option_count(model->parameters);
  given_law *given = other != NULL ? given_of(other, model->parameters) : NULL;
  dls_model *extended = calloc(1, sizeof *extended);
  const size_t count = given != NULL ? given->count : 0;
  double *values = calloc(count + own + 1, sizeof *values), *p = given != NULL ? given->values : values;
  *out = (dls_model_choice){.parameters = values, .loaded = extended, .model = extended};
  if (extended == NULL || values == NULL || (other != NULL && given == NULL)) {
    free_given(given);
    dls_model_choice_release(out);
    return dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for the parameters", model->name);
  }
  *extended = *model;
  extended->origin = NULL;
  extended->release = NULL;
  if (parameters != NULL) {
    memcpy(p, parameters, own * sizeof *p);
  } else {
    dls_option_defaults(model->parameters, p);
  }
  if (given == NULL) {
    return DLS_OK;
  }
  extended->data = given;
  extended->parameters = given->options;
  extended->create = create_given;
  extended->release = release_given;
  for (size_t i = 0; i < count; i++) {
    values[i] = other->values[given->place[i]];
  }
  for (size_t i = 0; i < own; i++) {
    if (given->position[i] != SIZE_MAX) {
      values[given->position[i]] = p[i];
    }
  }
  return DLS_OK;
}

dls_status dls_named_parameters(const dls_model *model, const double *parameters, size_t count,
                                const char *const *names, dls_model_choice *out, dls_error *err)
{
  dls_status status = law_parameters(model, parameters, out, err);
  if (status == DLS_OK && (status = dls_entry_parameters(count, names, out, err)) != DLS_OK) {
    dls_model_choice_release(out);
  }
  return status;
}

dls_status dls_catalogue_choose_law(const dls_catalogue *catalogue, const char *what, const char *text,
                                    dls_model_choice *choice, dls_error *err)
{
  const dls_law *const *laws = dls_catalogue_laws(catalogue);
  const char *names[MOST_LAWS];
  char list[200] = "", name[60], guess[60] = "";
  size_t count = 0;
  const size_t length = strcspn(text, ":");
  snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), text);
  for (size_t i = 0; laws[i] != NULL; i++) {
    if (strcmp(laws[i]->name, name) == 0) {
      return dls_law_choose(laws[i], text[length] == ':' ? text + length + 1 : NULL, choice, err);
    }
    dls_text_append(list, sizeof list, "%s%s", i == 0 ? "" : ", ", laws[i]->name);
    names[count] = laws[i]->name;
    count += count + 1 < MOST_LAWS;
  }
  const char *near = dls_nearest_name(name, names, count);
  if (near != NULL) {
    snprintf(guess, sizeof guess, "; did you mean '%s'?", near);
  }
  return dls_fail(err, DLS_ERR_OPTION, "%sthere is no law '%s', it must be one of %s%s", what, name, list,
                  guess);
}
