/* experiments/request/mechanism/mechanism_values.c -- numbers, names and lists of a mechanism.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/mechanism/mechanism_reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void dls_mechanism_report(dls_mechanism_reader *r, dls_yaml_mark mark, const char *format, ...)
{
  char text[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  dls_yaml_report(r->yaml, mark, "%s", text);
  r->failed = true;
}

static double read_number(dls_mechanism_reader *r, const dls_yaml_node *node, const char *what)
{
  const double x = dls_yaml_number(r->yaml, node, what);
  r->failed = r->failed || isnan(x);
  return x;
}

void dls_mechanism_read_numbers(dls_mechanism_reader *r, const dls_yaml_node *node, const char *what,
                                size_t count, double *to)
{
  const size_t given = node->kind == DLS_YAML_LIST ? dls_yaml_count(node) : 0;
  if (count == 0) {
    *to = read_number(r, node, what);
    return;
  }
  if (given != count) {
    dls_mechanism_report(r, node->mark,
                         node->kind == DLS_YAML_LIST ? "%s must be a list of %zu numbers, but these are %zu"
                                                     : "%s must be a list of %zu numbers",
                         what, count, given);
    return;
  }
  for (const dls_yaml_node *entry = node->first; entry != NULL; entry = entry->next) {
    *to++ = read_number(r, entry, what);
  }
}

void dls_mechanism_read_fields(dls_mechanism_reader *r, const dls_yaml_node *mapping, const dls_field *fields)
{
  for (const dls_field *field = fields; field->key != NULL; field++) {
    const dls_yaml_node *node = dls_yaml_get(mapping, field->key);
    if (node != NULL) {
      dls_mechanism_read_numbers(r, node, field->key, field->count, field->to);
    } else if (field->required) {
      dls_mechanism_report(r, mapping->mark, "key '%s' is missing", field->key);
    }
  }
}

void dls_mechanism_read_name(dls_mechanism_reader *r, const dls_yaml_node *mapping, const char *other,
                             char name[DLS_PART_NAME])
{
  const dls_yaml_node *node = dls_yaml_get(mapping, "name");
  const char *text = node != NULL ? dls_yaml_text(r->yaml, node, "name") : other;
  r->failed = r->failed || text == NULL;
  if (text != NULL && node != NULL && (strlen(text) >= DLS_PART_NAME || strpbrk(text, ".\n\t,") != NULL)) {
    dls_mechanism_report(r, node->mark, "name = '%.60s' must be at most %d characters without . and ,", text,
                         DLS_PART_NAME - 1);
  }
  snprintf(name, DLS_PART_NAME, "%s", text != NULL ? text : "");
}

size_t dls_mechanism_read_word(dls_mechanism_reader *r, const dls_yaml_node *node, const char *what,
                               const char *const *words, size_t count)
{
  const char *text = dls_yaml_text(r->yaml, node, what);
  const size_t i = text != NULL ? dls_yaml_find(text, words, count) : count;
  if (text != NULL && i == count) {
    dls_mechanism_report(r, node->mark, "unknown %s '%.60s'%s It must be one of: %s", what, text,
                         dls_yaml_guess(r->yaml, text, words, count), dls_yaml_list(r->yaml, words, count));
  }
  r->failed = r->failed || i == count;
  return i;
}

bool dls_mechanism_check_keys(dls_mechanism_reader *r, const dls_yaml_node *mapping, const char *const *names,
                              size_t count, const char *where)
{
  if (mapping->kind != DLS_YAML_MAPPING) {
    dls_mechanism_report(r, mapping->mark, "%s must be a mapping of keys to values, but this is %s", where,
                         dls_yaml_kind_text(mapping->kind));
    return false;
  }
  for (const dls_yaml_node *node = mapping->first; node != NULL; node = node->next) {
    r->failed = r->failed || dls_yaml_find(node->key, names, count) == count;
  }
  char place[60];
  snprintf(place, sizeof place, "in %s", where);
  dls_yaml_refuse_unknown(r->yaml, mapping, names, count, place);
  return true;
}

void dls_mechanism_read_list(dls_mechanism_reader *r, const dls_yaml_node *list, const char *what,
                             void (*read)(dls_mechanism_reader *r, const dls_yaml_node *entry, size_t i))
{
  size_t i = 0;
  if (list != NULL && list->kind != DLS_YAML_LIST) {
    dls_mechanism_report(r, list->mark, "%s must be a list, but this is %s", what,
                         dls_yaml_kind_text(list->kind));
    return;
  }
  for (const dls_yaml_node *entry = list != NULL ? list->first : NULL; entry != NULL; entry = entry->next) {
    read(r, entry, i++);
  }
}
