/* experiments/request/yaml/yaml_values.c -- single values of a file, and what is said of those that are wrong.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/yaml/yaml_values.h"

#include <delassus/option.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void dls_yaml_report(const dls_yaml_reader *r, dls_yaml_mark mark, const char *format, ...)
{
  char text[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  r->sink.report(r->sink.data, mark, text);
}

size_t dls_yaml_find(const char *name, const char *const *names, size_t count)
{
  size_t i = 0;
  while (i < count && strcmp(names[i], name) != 0) {
    i++;
  }
  return i;
}

const char *dls_yaml_list(dls_yaml_reader *r, const char *const *names, size_t count)
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

const char *dls_yaml_guess(dls_yaml_reader *r, const char *name, const char *const *names, size_t count)
{
  const char *near = dls_nearest_name(name, names, count);
  const char *text = near != NULL ? dls_pool_print(r->pool, "; did you mean '%s'?", near) : NULL;
  return text != NULL ? text : ".";
}

void dls_yaml_refuse_unknown(dls_yaml_reader *r, const dls_yaml_node *mapping, const char *const *names,
                             size_t count, const char *where)
{
  for (const dls_yaml_node *node = mapping->first; node != NULL; node = node->next) {
    if (dls_yaml_find(node->key, names, count) == count) {
      dls_yaml_report(r, node->key_mark, "there is no key '%.60s' %s%s The keys are: %s", node->key, where,
                      dls_yaml_guess(r, node->key, names, count), dls_yaml_list(r, names, count));
    }
  }
}

const char *dls_yaml_text(dls_yaml_reader *r, const dls_yaml_node *node, const char *what)
{
  if (node->kind != DLS_YAML_TEXT) {
    dls_yaml_report(r, node->mark, "%s must be a single value, but this is %s", what,
                    dls_yaml_kind_text(node->kind));
    return NULL;
  }
  if (node->refused) {
    return NULL;
  }
  if (node->text[strspn(node->text, " \n\t")] == '\0') {
    dls_yaml_report(r, node->mark, "%s has no value", what);
    return NULL;
  }
  return node->text;
}

double dls_yaml_number(dls_yaml_reader *r, const dls_yaml_node *node, const char *what)
{
  dls_error err = {0};
  double value = NAN;
  const char *text = dls_yaml_text(r, node, what);
  if (text != NULL && dls_parse_number(what, text, &value, &err) != DLS_OK) {
    dls_yaml_report(r, node->mark, "%s", err.text);
    value = NAN;
  }
  return value;
}

double dls_yaml_integer(dls_yaml_reader *r, const dls_yaml_node *node, const char *what, double min, double max)
{
  const double value = dls_yaml_number(r, node, what);
  if (isnan(value) || (value == floor(value) && value >= min && value <= max)) {
    return value;
  }
  dls_yaml_report(r, node->mark, "%s = %.60s must be an integer in [%.15g, %.15g]", what, node->text, min, max);
  return NAN;
}
