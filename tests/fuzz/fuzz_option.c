/* fuzz_option.c -- any text is a value in its range that reads back as it was after it is formatted, or an error
 * with a message that leaves the values alone.
 *   "1e-3"                       a number
 *   "theta=1"                    an assignment for the table of every scheme and model
 *   "moreau-jean:theta=1,tol=2"  options of one scheme, or parameters of one model
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "target.h"
#include <delassus/catalogue.h>
#include <delassus/study.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_VALUES = 64, MOST_TEXT = 1000, VALUE_TEXT = 40 };

static void check_number(const char *text)
{
  static const dls_option any = {.name = "x", .min = -DBL_MAX, .max = DBL_MAX};
  double value = 0, again = 0;
  dls_error err = {0};
  if (dls_parse_number("x", text, &value, &err) != DLS_OK) {
    demand(err.status == DLS_ERR_PARSE && strncmp(err.text, "x = '", 5) == 0);
    return;
  }
  char formatted[VALUE_TEXT];
  dls_option_format(&any, value, formatted, sizeof formatted);
  demand(isfinite(value) && dls_parse_number("x", formatted, &again, NULL) == DLS_OK);
  demand(memcmp(&value, &again, sizeof value) == 0);
}

/* Write "name=value" for the value at one position of a table. */
static size_t format_one(const dls_option *option, double value, char *text, size_t size)
{
  char formatted[VALUE_TEXT];
  dls_option_format(option, value, formatted, sizeof formatted);
  return (size_t)snprintf(text, size, "%s=%s", option->name, formatted);
}

static void check_values(const dls_option *table, const double *values)
{
  double again[MOST_VALUES];
  dls_option_defaults(table, again);
  for (size_t i = 0; table[i].name != NULL; i++) {
    char text[MOST_TEXT];
    demand(dls_option_set(table, "fuzz", table[i].name, values[i], again, NULL) == DLS_OK); /* is in range */
    dls_option_defaults(table, again);
    format_one(&table[i], values[i], text, sizeof text);
    demand(dls_option_parse(table, "fuzz", text, again, NULL) == DLS_OK);
    demand(memcmp(&again[i], &values[i], sizeof *values) == 0);
  }
}

static void check_assignment(const dls_option *table, const char *text)
{
  double before[MOST_VALUES], values[MOST_VALUES];
  const size_t count = dls_option_count(table);
  dls_error err = {0};
  demand(count <= MOST_VALUES);
  dls_option_defaults(table, before);
  dls_option_defaults(table, values);
  if (dls_option_parse(table, "fuzz", text, values, &err) == DLS_OK) {
    check_values(table, values);
  } else {
    demand(err.status == DLS_ERR_OPTION && strncmp(err.text, "fuzz: ", 6) == 0);
    demand(memcmp(before, values, count * sizeof *values) == 0);
  }
}

/* Every table that has the name; one that has not says so. */
static void check_tables(const char *text)
{
  char name[MOST_TEXT];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "="), text);
  for (size_t i = 0; dls_schemes()[i] != NULL; i++) {
    if (i == 0 || dls_option_find(dls_schemes()[i]->options, name) >= 0) {
      check_assignment(dls_schemes()[i]->options, text);
    }
  }
  for (size_t i = 0; dls_models()[i] != NULL; i++) {
    if (dls_option_find(dls_models()[i]->parameters, name) >= 0) {
      check_assignment(dls_models()[i]->parameters, text);
    }
  }
}

/* The values that the options of a choice stand for. @return how many options there are */
static size_t values_of(const dls_scheme_choice *choice, double *values)
{
  char options[sizeof choice->options];
  char *rest = NULL;
  size_t count = 0;
  strcpy(options, choice->options);
  dls_option_defaults(choice->scheme->options, values);
  for (char *item = strtok_r(options, ",", &rest); item != NULL; item = strtok_r(NULL, ",", &rest), count++) {
    demand(dls_option_parse(choice->scheme->options, "fuzz", item, values, NULL) == DLS_OK);
  }
  return count;
}

/* What was chosen, with every option that is not at its default written anew, is the same choice. */
static void check_choice(const dls_scheme_choice *choice)
{
  const dls_option *table = choice->scheme->options;
  double values[MOST_VALUES], again[MOST_VALUES];
  char text[MOST_TEXT];
  dls_scheme_choice other;
  demand(values_of(choice, values) <= dls_option_count(table)); /* none twice */
  check_values(table, values);
  size_t used = (size_t)snprintf(text, sizeof text, "%s", choice->scheme->name);
  for (size_t i = 0; table[i].name != NULL; i++) {
    if (values[i] != table[i].initial) {
      text[used] = strchr(text, ':') == NULL ? ':' : ',';
      text[used + 1] = '\0';
      used += 1 + format_one(&table[i], values[i], text + used + 1, sizeof text - used - 1);
    }
  }
  if (strlen(text) - strlen(choice->scheme->name) <= sizeof choice->options) {
    demand(dls_scheme_choose(text, &other, NULL) == DLS_OK && other.scheme == choice->scheme);
    values_of(&other, again);
    for (size_t i = 0; table[i].name != NULL; i++) {
      demand(values[i] == again[i]);
    }
  }
}

static void check_scheme(const char *text)
{
  dls_scheme_choice choice;
  dls_error err = {0};
  if (dls_scheme_choose(text, &choice, &err) == DLS_OK) {
    check_choice(&choice);
  } else {
    demand(err.status == DLS_ERR_OPTION || err.status == DLS_ERR_PARSE || err.status == DLS_ERR_ARG);
    demand(err.text[0] != '\0');
  }
}

/* A model that reads files is left out: the text would choose which. */
static void check_model(char *text)
{
  const char *settings[MOST_VALUES];
  size_t count = 0;
  char *rest = NULL;
  dls_model_choice choice;
  dls_error err = {0};
  const dls_model *model = dls_model_find(strtok_r(text, ":", &rest), &err);
  if (model == NULL || model->files != NULL) {
    return;
  }
  for (char *item = strtok_r(NULL, ",", &rest); item != NULL && count < MOST_VALUES;
       item = strtok_r(NULL, ",", &rest)) {
    settings[count++] = item;
  }
  if (dls_model_choose("--set:", model, count, settings, &choice, &err) == DLS_OK) {
    demand(choice.model == model);
    check_values(model->parameters, choice.parameters);
  } else {
    demand(err.status == DLS_ERR_OPTION && strncmp(err.text, "--set: model ", 13) == 0);
  }
  dls_model_choice_release(&choice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char text[MOST_TEXT];
  const size_t length = size < sizeof text ? size : sizeof text - 1;
  memcpy(text, data, length);
  text[length] = '\0';
  check_scheme(text);
  if (strchr(text, ':') == NULL) {
    check_number(text);
    check_tables(text);
  } else if (text[0] != ':') {
    check_model(text);
  }
  return 0;
}
