/* experiments/request/read_external.c -- other programs as schemes of a study file: external, map, between, external_limit. Nothing is run
 * here: who runs a study asks for consent first.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/extra/foreign/external.h"
#include "experiments/request/reader.h"

#include <math.h>
#include <string.h>

/* A pair as a field of the option's list: in quotes where it would be read as two. */
static const char *as_field(dls_pool *pool, const char *pair)
{
  if (dls_text_field(pair, ',') == strlen(pair)) {
    return pair;
  }
  char *field = dls_pool_take(pool, 2 * strlen(pair) + 3), *end = field;
  if (field != NULL) {
    *end++ = '"';
    for (; *pair != '\0'; pair++) {
      *end++ = *pair;
      if (*pair == '"') {
        *end++ = '"';
      }
    }
    strcpy(end, "\"");
  }
  return field;
}

/* "q0=height,v0=speed" in the pool as the word of the command. */
size_t dls_study_read_map(dls_study_reader *r, const dls_yaml_node *node, const char ***map)
{
  size_t count = 0;
  const char *joined = NULL;
  if (node->kind != DLS_YAML_MAPPING && !r->line) {
    dls_study_report(r, node->mark, "map must be OURS: THEIRS for each column, but this is %s",
                     dls_yaml_kind_text(node->kind));
    return 0;
  }
  *map = dls_pool_take(r->pool, (dls_yaml_count(node) + 1) * sizeof **map);
  for (const dls_yaml_node *child = node->first; child != NULL && *map != NULL; child = child->next) {
    const char *theirs = dls_yaml_text(&r->yaml, child, child->key);
    const char *pair =
        theirs == NULL || r->line ? theirs : dls_pool_print(r->pool, "%s=%s", child->key, theirs);
    if (pair != NULL) {
      (*map)[count++] = pair;
      const char *field = as_field(r->pool, pair);
      joined = joined == NULL || field == NULL ? field : dls_pool_print(r->pool, "%s,%s", joined, field);
    }
  }
  dls_study_record(r, DLS_KEY_MAP, joined);
  return count;
}

/* What is said of the tables of all programs. */
static dls_external_spec read_manner(dls_study_reader *r)
{
  static const dls_meaning meanings[] = {DLS_LINEAR, DLS_CONSTANT};
  dls_external_spec spec = {.seconds = DLS_EXTERNAL_SECONDS};
  const dls_yaml_node *map = dls_study_value(r, DLS_KEY_MAP), *between = dls_study_value(r, DLS_KEY_BETWEEN),
                      *limit = dls_study_value(r, DLS_KEY_EXTERNAL_LIMIT);
  const char **pairs = NULL;
  if (map != NULL) {
    spec.map_count = dls_study_read_map(r, map, &pairs);
    spec.map = pairs;
  }
  if (between != NULL) {
    size_t position = 0;
    const char *text = dls_study_choose_word(r, between, r->keys[DLS_KEY_BETWEEN].more->type.words, &position);
    spec.between_given = text != NULL;
    spec.between = meanings[spec.between_given ? position : 0];
    dls_study_record(r, DLS_KEY_BETWEEN, text);
  }
  if (limit != NULL) {
    const double seconds = dls_yaml_number(&r->yaml, limit, limit->key);
    if (!isnan(seconds) && !(seconds > 0)) {
      dls_study_report(r, limit->mark, "%s = %.60s s must be > 0", limit->key, limit->text);
    }
    spec.seconds = seconds > 0 ? seconds : spec.seconds;
    dls_study_record(r, DLS_KEY_EXTERNAL_LIMIT, limit->text);
  }
  return spec;
}

/* A folder as part of a word of a command. */
static const char *escaped(dls_pool *pool, const char *folder)
{
  char *text = dls_pool_take(pool, 2 * strlen(folder) + 1), *end = text;
  for (; text != NULL && *folder != '\0'; folder++) {
    if (strchr(" \t'\"\\|&;<>()$`*?~", *folder) != NULL) {
      *end++ = '\\';
    }
    *end++ = *folder;
  }
  if (text != NULL) {
    *end = '\0';
  }
  return text != NULL ? text : "";
}

/* NAME=COMMAND. A program with a slash in its name, which may be quoted, is relative to the study, as are its files. */
static const char *text_of_file(dls_study_reader *r, const char *name, const char *command)
{
  const size_t length = strcspn(command, " \t"), quote = strspn(command, "'\"");
  const char *slash = strchr(command, '/');
  const bool relative = slash != NULL && slash < command + length && slash > command + quote;
  const size_t own = relative && strncmp(command, "./", 2) == 0 ? 2 : 0;
  return dls_pool_print(r->pool, "%s=%s%s", name, relative ? escaped(r->pool, dls_study_path(r, "")) : "",
                        command + own);
}

/* One program: NAME: COMMAND of a file, or the word NAME=COMMAND. */
static void add(dls_study_reader *r, const dls_yaml_node *node, const dls_external_spec *manner,
                dls_external **externals)
{
  dls_error err = {0};
  dls_external_spec spec = *manner;
  dls_external *external = NULL;
  const char *command = dls_yaml_text(&r->yaml, node, node->key);
  spec.text = command == NULL || r->line ? command : text_of_file(r, node->key, command);
  if (spec.text == NULL) {
    return;
  }
  const char *name = dls_pool_copy(r->pool, spec.text, strcspn(spec.text, "="));
  if (name != NULL && dls_catalogue_scheme(r->catalogue, name, &err) != NULL) {
    dls_study_report(r, node->key_mark, "external '%.60s': there is a scheme of that name", name);
  } else if (dls_external_create(&spec, &external, &err) != DLS_OK) {
    dls_study_report_error(r, node->mark, &err);
  } else {
    externals[r->study->external_count++] = external;
    dls_study_record(r, DLS_KEY_EXTERNAL, spec.text);
  }
}

void dls_study_read_external(dls_study_reader *r, const dls_yaml_node *node)
{
  if (node->kind != DLS_YAML_MAPPING && !r->line) {
    dls_study_report(r, node->mark, "external must be NAME: COMMAND for each program, but this is %s",
                     dls_yaml_kind_text(node->kind));
    return;
  }
  const dls_external_spec manner = read_manner(r);
  dls_external **externals = dls_pool_take(r->pool, (dls_yaml_count(node) + 1) * sizeof *externals);
  r->study->externals = externals;
  r->study->external_line = node->key_mark.line;
  r->study->external_column = node->key_mark.column;
  for (const dls_yaml_node *child = node->first; child != NULL && externals != NULL; child = child->next) {
    add(r, child, &manner, externals);
  }
}

bool dls_study_choose_external(const dls_study_reader *r, const char *name, dls_scheme_choice *out)
{
  for (size_t i = 0; i < r->study->external_count; i++) {
    const dls_scheme *scheme = dls_external_scheme(r->study->externals[i]);
    if (strcmp(scheme->name, name) == 0) {
      *out = (dls_scheme_choice){.scheme = scheme};
      return true;
    }
  }
  return false;
}

void dls_study_release_externals(const dls_study *study)
{
  for (size_t i = 0; i < study->external_count; i++) {
    dls_external_destroy(study->externals[i]);
  }
}
