/* option.c -- tables of named values: defaults, checks, conversion to and from text.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/decimal.h"
#include "common/base/text.h"
#include <ctype.h>
#include <delassus/option.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const dls_off_on[] = {"off", "on", NULL};

enum { NAME_SIZE = 64 }; /* longest name that is compared */

size_t dls_option_count(const dls_option *table)
{
  size_t count = 0;
  while (table != NULL && table[count].name != NULL) {
    count++;
  }
  return count;
}

void dls_option_defaults(const dls_option *table, double *values)
{
  for (size_t i = 0; table != NULL && table[i].name != NULL; i++) {
    values[i] = table[i].initial;
  }
}

void dls_option_fill(const dls_option *table, const double *values, void *fields)
{
  for (size_t i = 0; table != NULL && table[i].name != NULL; i++) {
    char *field = (char *)fields + table[i].at;
    switch (table[i].kind) {
    case DLS_REAL:
      *(double *)(void *)field = values[i];
      break;
    case DLS_INTEGER:
      *(size_t *)(void *)field = (size_t)values[i];
      break;
    case DLS_CHOICE:
      *(int *)(void *)field = (int)values[i];
      break;
    }
  }
}

static double field_value(const dls_option *option, const void *fields)
{
  const char *field = (const char *)fields + option->at;
  return option->kind == DLS_REAL      ? *(const double *)(const void *)field
         : option->kind == DLS_INTEGER ? (double)*(const size_t *)(const void *)field
                                       : *(const int *)(const void *)field;
}

dls_status dls_option_unused(const dls_option *table, const void *fields, const char *owner, size_t count,
                             const size_t *unused, const char *with, dls_error *err)
{
  for (size_t k = 0; k < count; k++) {
    const dls_option *option = table;
    while (option->at != unused[k]) {
      option++;
    }
    const double value = field_value(option, fields);
    if (value != option->initial) {
      return dls_fail(err, DLS_ERR_OPTION, "%s: %s = %g has no effect with %s", owner, option->name, value,
                      with);
    }
  }
  return DLS_OK;
}

int dls_option_find(const dls_option *table, const char *name)
{
  for (int i = 0; table != NULL && table[i].name != NULL; i++) {
    if (strcmp(table[i].name, name) == 0) {
      return i;
    }
  }
  return -1;
}

bool dls_option_allows(const dls_option *option, double value)
{
  if (option->kind == DLS_CHOICE) {
    size_t count = 0;
    while (option->choices[count] != NULL) {
      count++;
    }
    return value >= 0 && value < (double)count && value == floor(value);
  }
  const bool above = (option->open & DLS_OPEN_MIN) != 0 ? value > option->min : value >= option->min;
  const bool below = (option->open & DLS_OPEN_MAX) != 0 ? value < option->max : value <= option->max;
  return isfinite(value) && above && below && (option->kind != DLS_INTEGER || value == floor(value));
}

static dls_status unknown(const dls_option *table, const char *owner, const char *name, dls_error *err)
{
  const char *names[64] = {NULL};
  char list[240] = "";
  size_t count = 0;
  for (; table != NULL && table[count].name != NULL && count < 64; count++) {
    names[count] = table[count].name;
    dls_text_append(list, sizeof list, "%s%s", count > 0 ? ", " : "", names[count]);
  }
  const char *guess = dls_nearest_name(name, names, count);
  char hint[NAME_SIZE + 32] = "";
  if (guess != NULL) {
    snprintf(hint, sizeof hint, " (did you mean '%s'?)", guess);
  }
  return dls_fail(err, DLS_ERR_OPTION, "%s: there is no '%.60s'%s; there are: %s", owner, name, hint,
                  count > 0 ? list : "none");
}

static dls_status refuse(const dls_option *option, const char *owner, const char *text, dls_error *err)
{
  char range[160];
  dls_option_range(option, range, sizeof range);
  const char *what = option->kind == DLS_CHOICE    ? "is none of"
                     : option->kind == DLS_INTEGER ? "is not an integer in"
                                                   : "is outside";
  return dls_fail(err, DLS_ERR_OPTION, "%s: %s = %.80s %s %s", owner, option->name, text, what, range);
}

dls_status dls_option_set(const dls_option *table, const char *owner, const char *name, double value,
                          double *values, dls_error *err)
{
  const int i = dls_option_find(table, name);
  if (i < 0) {
    return unknown(table, owner, name, err);
  }
  if (!dls_option_allows(&table[i], value)) {
    char text[40];
    snprintf(text, sizeof text, "%.10g", value);
    return refuse(&table[i], owner, text, err);
  }
  values[i] = value;
  return DLS_OK;
}

static int find_choice(const dls_option *option, const char *text)
{
  for (int i = 0; option->choices[i] != NULL; i++) {
    if (strcmp(option->choices[i], text) == 0) {
      return i;
    }
  }
  return -1;
}

dls_status dls_option_parse(const dls_option *table, const char *owner, const char *assignment, double *values,
                            dls_error *err)
{
  const char *equals = strchr(assignment, '=');
  if (equals == NULL || equals == assignment || (size_t)(equals - assignment) >= NAME_SIZE) {
    return dls_fail(err, DLS_ERR_OPTION, "%s: '%.80s' is not of the form name=value", owner, assignment);
  }
  char name[NAME_SIZE] = "";
  memcpy(name, assignment, (size_t)(equals - assignment));
  const char *text = equals + 1;
  const int i = dls_option_find(table, name);
  if (i < 0) {
    return unknown(table, owner, name, err);
  }
  if (table[i].kind == DLS_CHOICE) {
    const int choice = find_choice(&table[i], text);
    if (choice < 0) {
      return refuse(&table[i], owner, text, err);
    }
    values[i] = choice;
    return DLS_OK;
  }
  double value = 0;
  dls_error inner = {0};
  if (dls_parse_number(name, text, &value, &inner) != DLS_OK) {
    return dls_fail(err, DLS_ERR_OPTION, "%s: %.300s", owner, inner.text);
  }
  return dls_option_allows(&table[i], value) ? dls_option_set(table, owner, name, value, values, err)
                                             : refuse(&table[i], owner, text, err);
}

void dls_option_format(const dls_option *option, double value, char *text, size_t size)
{
  if (option->kind == DLS_CHOICE) {
    snprintf(text, size, "%s", option->choices[(size_t)value]);
    return;
  }
  const locale_t before = dls_text_begin_c_locale();
  bool same = false;
  /* the shortest form that reads back as the same number */
  for (int digits = 6; digits <= 17 && !same; digits++) {
    snprintf(text, size, "%.*g", digits, value);
    same = strtod(text, NULL) == value;
  }
  dls_text_end_c_locale(before);
}

void dls_option_range(const dls_option *option, char *text, size_t size)
{
  text[0] = '\0';
  if (option->kind == DLS_CHOICE) {
    for (size_t i = 0; option->choices[i] != NULL; i++) {
      dls_text_append(text, size, "%s%s", i > 0 ? "|" : "", option->choices[i]);
    }
    return;
  }
  const bool from_infinity = option->min <= -DBL_MAX;
  const bool to_infinity = option->max >= DBL_MAX;
  dls_text_append(text, size, "%s", from_infinity || (option->open & DLS_OPEN_MIN) != 0 ? "(" : "[");
  dls_text_append(text, size, from_infinity ? "-inf, " : "%g, ", option->min);
  dls_text_append(text, size, to_infinity ? "inf" : "%g", option->max);
  dls_text_append(text, size, "%s", to_infinity || (option->open & DLS_OPEN_MAX) != 0 ? ")" : "]");
}

dls_status dls_parse_number(const char *what, const char *text, double *value, dls_error *err)
{
  double plain = 0;
  const size_t length = dls_decimal_read(text, text + strlen(text), &plain);
  if (length > 0 && text[length] == '\0') {
    *value = plain;
    return DLS_OK;
  }
  const locale_t before = dls_text_begin_c_locale();
  char *end = NULL;
  errno = 0;
  const double number = strtod(text, &end);
  /* underflow gives the nearest number: accepted */
  const bool overflow = errno == ERANGE && !(fabs(number) < 1);
  dls_text_end_c_locale(before);
  if (text[0] == '\0' || isspace((unsigned char)text[0]) || *end != '\0' || !isfinite(number) || overflow) {
    return dls_fail(err, DLS_ERR_PARSE, "%s = '%.80s' is not a finite number", what, text);
  }
  if (strpbrk(text, "xX") != NULL) { /* strtod accepts them */
    return dls_fail(err, DLS_ERR_PARSE, "%s = '%.80s' is hexadecimal; numbers are decimal", what, text);
  }
  *value = number;
  return DLS_OK;
}

/* Edit distance with one row of the table; names longer than the row are not compared. */
static size_t edit_distance(const char *a, const char *b)
{
  size_t row[NAME_SIZE];
  const size_t columns = strlen(b);
  for (size_t j = 0; j <= columns; j++) {
    row[j] = j;
  }
  for (size_t i = 1; a[i - 1] != '\0'; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= columns; j++) {
      const size_t replace = diagonal + (a[i - 1] != b[j - 1]);
      const size_t insert = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
      diagonal = row[j];
      row[j] = replace < insert ? replace : insert;
    }
  }
  return row[columns];
}

static size_t common_prefix(const char *a, const char *b)
{
  size_t length = 0;
  while (a[length] != '\0' && a[length] == b[length]) {
    length++;
  }
  return length;
}

/* The shortest name that text begins; NULL if there is none. */
static const char *completed(const char *text, const char *const *names, size_t count)
{
  enum { LEAST_LETTERS = 3 };
  const size_t length = strlen(text);
  const char *best = NULL;
  for (size_t i = 0; i < count && length >= LEAST_LETTERS; i++) {
    if (common_prefix(text, names[i]) == length && (best == NULL || strlen(names[i]) < strlen(best))) {
      best = names[i];
    }
  }
  return best;
}

const char *dls_nearest_name(const char *text, const char *const *names, size_t count)
{
  const size_t length = strlen(text);
  const char *best = completed(text, names, count);
  if (best != NULL) {
    return best;
  }
  size_t best_distance = length / 3 + 2; /* a third of the letters wrong, plus one for short names */
  for (size_t i = 0; i < count; i++) {
    if (length < NAME_SIZE && strlen(names[i]) < NAME_SIZE) {
      const size_t distance = edit_distance(text, names[i]);
      const bool longer = best != NULL && common_prefix(text, names[i]) > common_prefix(text, best);
      if ((distance < best_distance || (distance == best_distance && longer)) && distance < strlen(names[i])) {
        best_distance = distance;
        best = names[i];
      }
    }
  }
  return best;
}
