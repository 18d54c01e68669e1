/* experiments/catalogue/plugin_check.c -- check that a plugin is complete: the library dereferences its pointers.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/catalogue/plugin_check.h"
#include "common/run/capabilities.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

dls_status dls_plugin_check_abi(const dls_plugin *plugin, const char *path, dls_error *err)
{
  static const size_t sizes[] = {DLS_PLUGIN_STRUCTS(DLS_PLUGIN_SIZE)};
#define DLS_PLUGIN_NAME(type) #type,
  static const char *const names[] = {DLS_PLUGIN_STRUCTS(DLS_PLUGIN_NAME)};
  if (plugin->abi != DLS_PLUGIN_ABI) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "plugin %.150s was built for plugin interface %u, delassus %s has interface %u: build it again "
        "with the headers of this version",
        path, plugin->abi, DLS_VERSION, DLS_PLUGIN_ABI);
  }
  for (size_t i = 0; i < DLS_PLUGIN_STRUCT_COUNT; i++) {
    if (plugin->sizes[i] != sizes[i]) {
      return dls_fail(
          err, DLS_ERR_ARG,
          "plugin %.150s was built with a %s of %zu bytes, delassus %s has one of %zu: build it again "
          "with the headers of this version",
          path, names[i], plugin->sizes[i], DLS_VERSION, sizes[i]);
    }
  }
  return DLS_OK;
}

/* Small letters, digits and hyphens, a letter first: as on the command line, where : , = mean something. */
static bool is_name(const char *text)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
  return text != NULL && text[0] != '\0' && strchr(letters, text[0]) != NULL &&
         text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

static bool has_text(const char *text)
{
  return text != NULL && text[0] != '\0';
}

/* What all kinds of entries have. */
typedef struct entry {
  const char *kind, *name, *summary, *source, *equations;
  const dls_option *table;
} entry;

static dls_status refuse(const char *path, const entry *e, size_t index, const char *what, dls_error *err)
{
  return dls_fail(err, DLS_ERR_ARG, "plugin %.150s: %s %zu (%.60s) has %s", path, e->kind, index,
                  e->name != NULL ? e->name : "without a name", what);
}

static dls_status check_table(const char *path, const entry *e, size_t index, dls_error *err)
{
  const dls_option *option = e->table;
  const char *missing = NULL;
  for (size_t i = 0; option != NULL && option[i].name != NULL; i++) {
    if (dls_option_find(option, option[i].name) != (int)i) {
      return dls_fail(err, DLS_ERR_ARG, "plugin %.150s: %s %zu (%.60s) has two options of the name %.40s", path,
                      e->kind, index, e->name, option[i].name);
    }
  }
  for (; option != NULL && option->name != NULL && missing == NULL; option++) {
    missing = option->name[0] == '\0' || strpbrk(option->name, ":,= ") != NULL ? "an option whose name is none"
              : option->help == NULL || option->unit == NULL          ? "an option without help or unit"
              : option->kind == DLS_CHOICE && option->choices == NULL ? "an option without its list of choices"
                                                                      : NULL;
  }
  if (missing != NULL) {
    return refuse(path, e, index, missing, err);
  }
  double *values = calloc(dls_option_count(e->table) + 1, sizeof *values);
  dls_status status = values != NULL
                          ? DLS_OK
                          : dls_fail(err, DLS_ERR_MEMORY, "no memory for the options of plugin %.200s", path);
  for (option = e->table; status == DLS_OK && option != NULL && option->name != NULL; option++) {
    dls_error why;
    if (dls_option_set(e->table, e->name, option->name, option->initial, values, &why) != DLS_OK) {
      status = dls_fail(err, DLS_ERR_ARG, "plugin %.100s: the default of an option is not allowed: %.200s",
                        path, why.text);
    }
  }
  free(values);
  return status;
}

static dls_status check_entry(const char *path, const entry *e, size_t index, dls_error *err)
{
  if (!is_name(e->name)) {
    return refuse(path, e, index, "no proper name: small letters, digits and hyphens, a letter first", err);
  }
  const char *missing = !has_text(e->summary)     ? "no summary"
                        : !has_text(e->source)    ? "no source"
                        : !has_text(e->equations) ? "no equations"
                                                  : NULL;
  if (missing != NULL) {
    return refuse(path, e, index, missing, err);
  }
  return check_table(path, e, index, err);
}

static dls_status check_model(const char *path, const dls_model *m, size_t index, dls_error *err)
{
  const entry e = {"model", m->name, m->summary, m->source, m->equations, m->parameters};
  const dls_status status = check_entry(path, &e, index, err);
  const bool can = m->files != NULL ? m->load != NULL : m->create != NULL;
  return status == DLS_OK && !can
             ? refuse(path, &e, index, "no function create (load, where it reads files)", err)
             : status;
}

/* Does every option lie within the struct of options_size bytes? With 0 bytes no option may name a member. */
static bool options_fit(const dls_scheme *s)
{
  const size_t sizes[] = {
      [DLS_REAL] = sizeof(double), [DLS_INTEGER] = sizeof(size_t), [DLS_CHOICE] = sizeof(int)};
  for (const dls_option *option = s->options; option != NULL && option->name != NULL; option++) {
    const size_t end = s->options_size > 0 ? option->at + sizes[option->kind] : option->at;
    if (end > s->options_size) {
      return false;
    }
  }
  return true;
}

static bool interpolates(dls_meaning meaning)
{
  return meaning == DLS_LINEAR || meaning == DLS_CONSTANT || meaning == DLS_HERMITE;
}

static dls_status check_scheme(const char *path, const dls_scheme *s, size_t index, dls_error *err)
{
  const entry e = {"scheme", s->name, s->summary, s->source, s->equations, s->options};
  const dls_status status = check_entry(path, &e, index, err);
  dls_error why;
  if (status != DLS_OK) {
    return status;
  }
  if (s->advance == NULL) {
    return refuse(path, &e, index, "no function advance", err);
  }
  const char *wrong = !options_fit(s) ? "an option outside of its struct: see options_size"
                      : (unsigned)s->stepping > DLS_BY_SUBSTEP ? "a stepping that dls_stepping does not define"
                      : (unsigned)s->family >= DLS_FAMILIES    ? "a family that dls_family does not define"
                      : !interpolates(s->q_between) || !interpolates(s->v_between)
                          ? "a q_between or v_between other than DLS_LINEAR, DLS_CONSTANT and DLS_HERMITE"
                          : NULL;
  if (wrong != NULL) {
    return refuse(path, &e, index, wrong, err);
  }
  return dls_scheme_check_handles(s, &why) == DLS_OK
             ? DLS_OK
             : dls_fail(err, DLS_ERR_ARG, "plugin %.150s: %.200s", path, why.text);
}

static dls_status check_exact(const char *path, const dls_exact *x, size_t index, dls_error *err)
{
  const entry e = {.kind = "exact solution", .name = x->model != NULL ? x->model->name : NULL};
  if (e.name == NULL || !has_text(x->summary) || !has_text(x->source)) {
    return refuse(path, &e, index, "no model, summary or source", err);
  }
  if (x->create == NULL || x->destroy == NULL || x->gap == NULL || x->value == NULL) {
    return refuse(path, &e, index, "not all of its functions: create, destroy, gap, value", err);
  }
  const bool paired = (x->pieces == NULL) == (x->start == NULL);
  return paired ? DLS_OK : refuse(path, &e, index, "one of pieces and start only", err);
}

static dls_status check_law(const char *path, const dls_law *law, size_t index, dls_error *err)
{
  const entry e = {"law", law->name, law->summary, law->source, law->equations, law->parameters};
  const dls_status status = check_entry(path, &e, index, err);
  if (status != DLS_OK || law->mixture == NULL) {
    return status != DLS_OK ? status : refuse(path, &e, index, "no function mixture", err);
  }
  if (law->block != DLS_HALF && law->block != DLS_COULOMB) {
    return refuse(path, &e, index, "a block other than DLS_HALF and DLS_COULOMB", err);
  }
  for (const dls_option *p = law->parameters; p != NULL && p->name != NULL; p++) {
    if (!dls_law_knows_coefficient(p->name)) {
      return refuse(path, &e, index, "a parameter that is not a coefficient of contacts: e, mu, mu_s, v_s, e_t",
                    err);
    }
  }
  return law->expands && law->sees_speed
             ? refuse(path, &e, index, "both expands and sees_speed: the e of an expansion is constant", err)
             : DLS_OK;
}

dls_status dls_plugin_check_entries(const dls_plugin *plugin, const char *path, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; status == DLS_OK && plugin->models != NULL && plugin->models[i] != NULL; i++) {
    status = check_model(path, plugin->models[i], i, err);
  }
  for (size_t i = 0; status == DLS_OK && plugin->schemes != NULL && plugin->schemes[i] != NULL; i++) {
    status = check_scheme(path, plugin->schemes[i], i, err);
  }
  for (size_t i = 0; status == DLS_OK && plugin->exacts != NULL && plugin->exacts[i] != NULL; i++) {
    status = check_exact(path, plugin->exacts[i], i, err);
  }
  for (size_t i = 0; status == DLS_OK && plugin->laws != NULL && plugin->laws[i] != NULL; i++) {
    status = check_law(path, plugin->laws[i], i, err);
  }
  return status;
}
