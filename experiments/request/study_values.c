/* experiments/request/study_values.c -- single values of a study file, and what is said of those that are wrong.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/study_reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool told(const dls_study_reader *r, dls_yaml_mark mark, const char *text)
{
  for (const dls_study_note *note = r->last_note; note != NULL; note = note->before) {
    if (note->problem.line == mark.line && note->problem.column == mark.column &&
        strcmp(note->problem.text, text) == 0) {
      return true;
    }
  }
  return false;
}

void dls_study_tell(dls_study_reader *r, dls_yaml_mark mark, const char *format, ...)
{
  char text[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  for (char *c = text; *c != '\0'; c++) { /* a message is one line, whatever text it quotes */
    *c = *c == '\n' || *c == '\t' ? ' ' : *c;
  }
  dls_study_note *note = told(r, mark, text) ? NULL : dls_pool_take(r->pool, sizeof *note);
  if (note != NULL) {
    note->problem = (dls_study_problem){mark.line, mark.column, dls_pool_copy(r->pool, text, strlen(text))};
    note->before = r->last_note;
    r->last_note = note->problem.text != NULL ? note : r->last_note;
    r->note_count += note->problem.text != NULL;
  }
}

void dls_study_tell_error(dls_study_reader *r, dls_yaml_mark mark, const dls_error *err)
{
  if (err->status == DLS_ERR_MEMORY) {
    r->pool->failed = true;
  } else {
    dls_study_tell(r, mark, "%s", err->text);
  }
}

const dls_yaml_node *dls_study_value(const dls_study_reader *r, size_t key)
{
  const char *name = dls_study_keys()[key].name;
  const dls_yaml_node *own = dls_yaml_get(r->own, name);
  return own != NULL ? own : dls_yaml_get(r->shared, name);
}

size_t dls_study_find(const char *name, const char *const *names, size_t count)
{
  size_t i = 0;
  while (i < count && strcmp(names[i], name) != 0) {
    i++;
  }
  return i;
}

const char *dls_study_list(dls_study_reader *r, const char *const *names, size_t count)
{
  size_t size = 1;
  for (size_t i = 0; i < count; i++) {
    size += strlen(names[i]) + 2;
  }
  char *list = dls_pool_take(r->pool, size);
  for (size_t i = 0; list != NULL && i < count; i++) {
    const char *separator = list[0] == '\0' || names[i][0] == '\0' ? "" : ", ";
    snprintf(list + strlen(list), size - strlen(list), "%s%s", separator, names[i]);
  }
  return list != NULL ? list : "";
}

const char *dls_study_guess(dls_study_reader *r, const char *name, const char *const *names, size_t count)
{
  const char *near = dls_nearest_name(name, names, count);
  const char *text = near != NULL ? dls_pool_print(r->pool, "; did you mean '%s'?", near) : NULL;
  return text != NULL ? text : ".";
}

void dls_study_refuse_unknown(dls_study_reader *r, const dls_yaml_node *mapping, const char *const *names,
                              size_t count, const char *where)
{
  for (const dls_yaml_node *node = mapping->first; node != NULL; node = node->next) {
    if (dls_study_find(node->key, names, count) == count) {
      dls_study_tell(r, node->key_mark, "there is no key '%.60s' %s%s The keys are: %s", node->key, where,
                     dls_study_guess(r, node->key, names, count), dls_study_list(r, names, count));
    }
  }
}

const char *dls_study_text(dls_study_reader *r, const dls_yaml_node *node, const char *what)
{
  if (node->kind != DLS_YAML_TEXT) {
    dls_study_tell(r, node->mark, "%s must be a single value, but this is %s", what,
                   dls_yaml_kind_text(node->kind));
    return NULL;
  }
  if (node->refused) {
    return NULL;
  }
  if (node->text[strspn(node->text, " \n\t")] == '\0') {
    dls_study_tell(r, node->mark, "%s has no value", what);
    return NULL;
  }
  return node->text;
}

double dls_study_number(dls_study_reader *r, const dls_yaml_node *node, const char *what)
{
  dls_error err = {0};
  double value = NAN;
  const char *text = dls_study_text(r, node, what);
  if (text != NULL && dls_parse_number(what, text, &value, &err) != DLS_OK) {
    dls_study_tell(r, node->mark, "%s", err.text);
    value = NAN;
  }
  return value;
}

double dls_study_integer(dls_study_reader *r, const dls_yaml_node *node, const char *what, double min,
                         double max)
{
  const double value = dls_study_number(r, node, what);
  if (isnan(value) || (value == floor(value) && value >= min && value <= max)) {
    return value;
  }
  dls_study_tell(r, node->mark, "%s = %.60s must be an integer in [%.15g, %.15g]", what, node->text, min, max);
  return NAN;
}

void dls_study_argue(dls_study_reader *r, const char *option, const char *value)
{
  if (value == NULL) {
    return; /* there is no memory, or the value is wrong */
  }
  if (r->study->argument_count == r->argument_room) {
    const size_t room = 2 * r->argument_room + 16;
    dls_study_argument *more = dls_pool_take(r->pool, room * sizeof *more);
    if (more == NULL) {
      return;
    }
    if (r->argument_room > 0) {
      memcpy(more, r->arguments, r->argument_room * sizeof *more);
    }
    r->study->arguments = r->arguments = more;
    r->argument_room = room;
  }
  r->arguments[r->study->argument_count++] = (dls_study_argument){option, value};
}
