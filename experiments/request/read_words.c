/* experiments/request/read_words.c -- the words of a command line as values of keys, read by the readers of keys.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/request/reader.h"

#include <stdlib.h>
#include <string.h>

static dls_yaml_node *add_node(dls_study_reader *r, dls_yaml_kind kind, const char *label, const char *text)
{
  dls_yaml_node *node = dls_pool_take(r->pool, sizeof *node);
  if (node != NULL) {
    *node = (dls_yaml_node){.kind = kind, .key = label, .text = text};
  }
  return node;
}

static void append(dls_yaml_node *list, dls_yaml_node *entry)
{
  dls_yaml_node **end = &list->first;
  while (*end != NULL) {
    end = &(*end)->next;
  }
  *end = entry;
}

/* The fields of a word, added to a list. */
static void split(dls_study_reader *r, dls_yaml_node *list, const char *text, char separator)
{
  size_t i = 1;
  for (const char *at = text;; i++) {
    const size_t length = dls_text_field(at, separator);
    dls_yaml_node *entry = add_node(r, DLS_YAML_TEXT, list->key, dls_pool_copy(r->pool, at, length));
    if (length == 0) {
      dls_study_report(r, list->mark, "%s: field %zu of '%.100s' is empty", list->key, i, text);
      return;
    }
    if (entry == NULL || entry->text == NULL) {
      return;
    }
    append(list, entry);
    if (at[length] == '\0') {
      return;
    }
    at += length + 1;
  }
}

/* X0:X1:N, a sequence. @return NULL if it has not three fields, which is reported */
static dls_yaml_node *read_sequence(dls_study_reader *r, dls_key_id key, const char *label, const char *text)
{
  static const char *const names[] = {"first", "last"};
  const char *form = dls_key_option_of(&r->keys[key], r->command)->argument; /* "H0:H1:N" */
  const char *what = form[0] == 'H' ? "step" : form[0] == 'T' ? "tolerance" : "h/T";
  dls_yaml_node *list = add_node(r, DLS_YAML_MAPPING, label, text);
  if (list == NULL) {
    return NULL;
  }
  split(r, list, text, ':');
  const size_t count = dls_yaml_count(list);
  if (count != 3) {
    dls_study_report(r, list->mark, "%s = '%.100s' has %zu fields where %s has 3, e.g. %s", label, text, count,
                     form, r->keys[key].more->example);
    return NULL;
  }
  size_t i = 0;
  for (dls_yaml_node *field = list->first; field != NULL; field = field->next, i++) {
    field->key =
        i < 2 ? dls_pool_print(r->pool, "%s, field %zu (%s %s %c%zu)", label, i + 1, names[i], what, form[0], i)
              : dls_pool_print(r->pool, "%s, field 3 (number of levels N)", label);
    if (field->key == NULL) {
      return NULL;
    }
  }
  return list;
}

/* A switch is yes; a value of several fields is a list, as the values of an option that is repeated. */
static void add_word(dls_study_reader *r, const dls_word *word)
{
  const dls_key_option *option = dls_key_option_of(&r->keys[word->key], r->command);
  const char separator = r->keys[word->key].more->separator;
  const char *label = dls_study_label(r, word->key);
  dls_yaml_node *node = (dls_yaml_node *)r->values[word->key]; /* a node that is made here */
  if (separator == ':') {
    node = read_sequence(r, word->key, label, word->text);
  } else if (separator == '\0' && !option->repeat) {
    const bool typed = r->keys[word->key].more->type.kind != DLS_TYPE_TEXT;
    node = add_node(r, DLS_YAML_TEXT, label, option->argument != NULL ? word->text : "yes");
    if (option->argument != NULL && typed && word->text[0] == '\0') {
      dls_study_report(r, (dls_yaml_mark){0}, "%s = '' has no value", label);
    }
  } else {
    node = node != NULL ? node : add_node(r, DLS_YAML_LIST, label, word->text);
    if (node != NULL && separator == ',') {
      split(r, node, word->text, separator);
    } else if (node != NULL) {
      dls_yaml_node *entry = add_node(r, DLS_YAML_TEXT, label, word->text);
      if (entry != NULL) {
        append(node, entry);
      }
    }
  }
  r->values[word->key] = node;
}

/* The model, of a fit also the data; of a spectrum, the schemes; nothing of a command without a kind. */
static void add_positional(dls_study_reader *r, const dls_words *words)
{
  const bool spectrum = words->kind == DLS_STUDY_SPECTRUM;
  dls_yaml_node *list = add_node(r, DLS_YAML_LIST, "SCHEME", NULL);
  if (list == NULL || words->positional_count == 0 || words->kind == 0) {
    return;
  }
  for (size_t i = 0; spectrum && i < words->positional_count; i++) {
    dls_yaml_node *entry = add_node(r, DLS_YAML_TEXT, list->key, words->positional[i]);
    if (entry != NULL) {
      append(list, entry);
    }
  }
  if (spectrum) {
    r->values[DLS_KEY_SCHEMES] = list;
  } else {
    r->values[DLS_KEY_MODEL] = add_node(r, DLS_YAML_TEXT, "MODEL", words->positional[0]);
  }
  if (words->kind == DLS_STUDY_FIT && words->positional_count > 1) {
    r->values[DLS_KEY_DATA] = add_node(r, DLS_YAML_TEXT, "DATA.csv", words->positional[1]);
  }
}

/* Options that `order` has only with --local, or only without. */
static void check_local(dls_study_reader *r, const dls_words *words)
{
  const bool local = r->values[DLS_KEY_LOCAL] != NULL;
  for (size_t i = 0; i < words->count; i++) {
    const dls_key_id key = words->all[i].key;
    const unsigned command =
        DLS_COMMAND_ANY | (local ? (unsigned)DLS_STUDY_LOCAL : words->command & ~(unsigned)DLS_STUDY_LOCAL);
    if (dls_key_option_of(&r->keys[key], command) == NULL && local) {
      dls_study_report(r, (dls_yaml_mark){0},
                       "--%s does not go with --local, which measures q and v after one step",
                       r->keys[key].more->option);
    } else if (dls_key_option_of(&r->keys[key], command) == NULL) {
      dls_study_report(r, (dls_yaml_mark){0}, "--%s = %s goes with --local", r->keys[key].more->option,
                       words->all[i].text);
    }
  }
}

/* What the folder of a part keeps has a line for each word. */
static void check_lines(dls_study_reader *r)
{
  bool good = strchr(r->study->model, '\n') == NULL;
  for (size_t i = 0; i < r->study->argument_count; i++) {
    good = good && strchr(r->arguments[i].value, '\n') == NULL;
  }
  if (!good && r->values[DLS_KEY_SHARD] != NULL) {
    dls_study_report(r, (dls_yaml_mark){0}, "--shard: a word of the command has a line feed in it");
  }
}

/* Options about files and the manner of running are printed behind the others: move the first `count` to the end. */
static void move_to_end(dls_study_reader *r, size_t count)
{
  const size_t all = r->study->argument_count;
  dls_study_argument *moved = dls_pool_take(r->pool, (all + 1) * sizeof *moved);
  for (size_t i = 0; moved != NULL && i < all; i++) {
    moved[i] = r->arguments[(i + count) % all];
  }
  r->study->arguments = moved != NULL ? moved : r->study->arguments;
}

static void report(void *data, dls_yaml_mark mark, const char *message)
{
  dls_study_report(data, mark, "%s", message);
}

dls_status dls_request_from_words(const dls_words *words, dls_pool *pool, dls_study *study, dls_error *err)
{
  dls_study_reader r = {.keys = dls_study_keys(),
                        .catalogue = words->catalogue,
                        .pool = pool,
                        .line = true,
                        .command = words->command | DLS_COMMAND_ANY};
  r.yaml = (dls_yaml_reader){pool, {report, &r}};
  for (size_t i = 0; i < words->count; i++) {
    add_word(&r, &words->all[i]);
  }
  add_positional(&r, words);
  const bool local = r.values[DLS_KEY_LOCAL] != NULL;
  r.kinds = local ? DLS_STUDY_LOCAL : (unsigned)words->kind;
  r.single = true;
  dls_study_begin(&r, study, (dls_study_kind)r.kinds);
  check_local(&r, words);
  dls_study_read_keys(&r, DLS_KEY_FILE_END, DLS_KEY_COUNT);
  const size_t outputs = study->argument_count;
  dls_study_read_keys(&r, DLS_KEY_NAME, DLS_KEY_FILE_END);
  if (outputs > 0) {
    move_to_end(&r, outputs);
  }
  check_lines(&r);
  dls_study_check_request(&r);
  dls_request_set_outputs(&r);
  study->request->kind = words->kind;
  study->request->command = words->name;
  if (pool->failed) {
    return dls_fail(err, DLS_ERR_MEMORY, "out of memory for the request");
  }
  if (r.first.status != DLS_OK) {
    dls_fail(err, r.first.status, "%s", r.first.text);
  }
  return r.first.status;
}
