/* experiments/request/yaml/yaml_tree.c -- the events of libyaml as a tree.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/yaml/yaml_tree.h"
#include "common/base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

typedef struct reader {
  yaml_parser_t parser;
  yaml_event_t event; /* the one in hand */
  bool in_hand;
  bool broken; /* told why: nothing more can be read */
  dls_pool *pool;
  const dls_yaml_sink *sink;
  const char *input;
  size_t nodes;
} reader;

static void report(const reader *r, dls_yaml_mark mark, const char *message)
{
  r->sink->report(r->sink->data, mark, message);
}

static dls_yaml_mark mark_of(yaml_mark_t mark)
{
  return (dls_yaml_mark){mark.line + 1, mark.column + 1};
}

/* Where a byte of the input is; the reader of libyaml knows only the offset. */
static dls_yaml_mark mark_of_offset(const reader *r, size_t offset)
{
  dls_yaml_mark mark = {1, 1};
  for (size_t i = 0; i < offset; i++) {
    const bool new_line = r->input[i] == '\n';
    mark.line += new_line;
    mark.column = new_line ? 1 : mark.column + (((unsigned char)r->input[i] & 0xC0) != 0x80);
  }
  return mark;
}

static void report_syntax(reader *r)
{
  const yaml_parser_t *p = &r->parser;
  char message[200];
  if (p->error == YAML_MEMORY_ERROR) {
    r->pool->failed = true;
  } else if (p->error == YAML_READER_ERROR) {
    snprintf(message, sizeof message, "invalid UTF-8: %.100s", p->problem);
    report(r, mark_of_offset(r, p->problem_offset), message);
  } else {
    snprintf(message, sizeof message, "invalid YAML: %.90s%s%.90s", p->problem, p->context != NULL ? ", " : "",
             p->context != NULL ? p->context : "");
    report(r, mark_of(p->problem_mark), message);
  }
  r->broken = true;
}

/* Take the next event in hand. */
static bool next(reader *r)
{
  if (r->in_hand) {
    yaml_event_delete(&r->event);
    r->in_hand = false;
  }
  if (r->broken) {
    return false;
  }
  if (!yaml_parser_parse(&r->parser, &r->event)) {
    report_syntax(r);
    return false;
  }
  r->in_hand = true;
  return true;
}

static dls_yaml_node *new_node(reader *r, dls_yaml_kind kind)
{
  const dls_yaml_mark mark = mark_of(r->event.start_mark);
  if (++r->nodes > DLS_YAML_MOST_NODES) {
    char message[80];
    snprintf(message, sizeof message, "the file has more than %d values", (int)DLS_YAML_MOST_NODES);
    report(r, mark, message);
    r->broken = true;
    return NULL;
  }
  dls_yaml_node *node = dls_pool_take(r->pool, sizeof *node);
  if (node != NULL) {
    node->kind = kind;
    node->mark = mark;
  }
  return node;
}

static void refuse_decoration(const reader *r, const yaml_char_t *anchor, const yaml_char_t *tag)
{
  const dls_yaml_mark mark = mark_of(r->event.start_mark);
  char message[160];
  if (anchor != NULL) {
    snprintf(message, sizeof message, "anchors are not allowed: write the value without '&%.60s'",
             (const char *)anchor);
    report(r, mark, message);
  }
  if (tag != NULL) {
    snprintf(message, sizeof message, "tags are not allowed: write the value without '%.60s'",
             (const char *)tag);
    report(r, mark, message);
  }
}

static bool has_control(const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++) {
    if ((unsigned char)text[i] < 0x20 && text[i] != '\n' && text[i] != '\t') {
      return true;
    }
  }
  return false;
}

static const char *scalar_text(const reader *r, bool *refused)
{
  const char *text = (const char *)r->event.data.scalar.value;
  const size_t length = r->event.data.scalar.length;
  *refused = has_control(text, length);
  if (*refused) {
    report(r, mark_of(r->event.start_mark), "the text has control characters");
    return dls_pool_copy(r->pool, "", 0);
  }
  return dls_pool_copy(r->pool, text, length);
}

static dls_yaml_node *read_node(reader *r, size_t depth);

/* A value is put at the end of its parent. */
static void add(dls_yaml_node *parent, dls_yaml_node **last, dls_yaml_node *node)
{
  if (*last == NULL) {
    parent->first = node;
  } else {
    (*last)->next = node;
  }
  *last = node;
}

static dls_yaml_node *read_list(reader *r, size_t depth)
{
  dls_yaml_node *list = new_node(r, DLS_YAML_LIST);
  dls_yaml_node *last = NULL;
  refuse_decoration(r, r->event.data.sequence_start.anchor, r->event.data.sequence_start.tag);
  while (list != NULL && next(r) && r->event.type != YAML_SEQUENCE_END_EVENT) {
    dls_yaml_node *node = read_node(r, depth + 1);
    if (node == NULL) {
      return NULL;
    }
    add(list, &last, node);
  }
  return r->broken ? NULL : list;
}

static void refuse_twice(const reader *r, const dls_yaml_node *mapping, const char *key, dls_yaml_mark mark)
{
  const dls_yaml_node *earlier = dls_yaml_get(mapping, key);
  if (earlier != NULL) {
    char message[160];
    snprintf(message, sizeof message, "key '%.60s' is given twice: it stands in line %zu too", key,
             earlier->key_mark.line);
    report(r, mark, message);
  }
}

/* The key in hand, then its value. */
static dls_yaml_node *read_entry(reader *r, const dls_yaml_node *mapping, size_t depth)
{
  const dls_yaml_mark mark = mark_of(r->event.start_mark);
  const char *key = NULL;
  if (r->event.type == YAML_SCALAR_EVENT) {
    refuse_decoration(r, r->event.data.scalar.anchor, r->event.data.scalar.tag);
    bool refused = false;
    key = scalar_text(r, &refused);
  } else {
    report(r, mark, "a key must be a text");
    r->broken = true;
  }
  if (key == NULL || !next(r)) {
    return NULL;
  }
  refuse_twice(r, mapping, key, mark);
  dls_yaml_node *node = read_node(r, depth + 1);
  if (node != NULL) {
    node->key = key;
    node->key_mark = mark;
  }
  return node;
}

static dls_yaml_node *read_mapping(reader *r, size_t depth)
{
  dls_yaml_node *mapping = new_node(r, DLS_YAML_MAPPING);
  dls_yaml_node *last = NULL;
  refuse_decoration(r, r->event.data.mapping_start.anchor, r->event.data.mapping_start.tag);
  while (mapping != NULL && next(r) && r->event.type != YAML_MAPPING_END_EVENT) {
    dls_yaml_node *node = read_entry(r, mapping, depth);
    if (node == NULL) {
      return NULL;
    }
    add(mapping, &last, node);
  }
  return r->broken ? NULL : mapping;
}

static dls_yaml_node *read_text(reader *r)
{
  dls_yaml_node *node = new_node(r, DLS_YAML_TEXT);
  if (node != NULL) {
    refuse_decoration(r, r->event.data.scalar.anchor, r->event.data.scalar.tag);
    node->text = scalar_text(r, &node->refused);
  }
  return node != NULL && node->text != NULL ? node : NULL;
}

/* An alias stands for what was given elsewhere: told, and read as an empty text. */
static dls_yaml_node *read_alias(reader *r)
{
  dls_yaml_node *node = new_node(r, DLS_YAML_TEXT);
  if (node != NULL) {
    char message[160];
    snprintf(message, sizeof message, "aliases are not allowed: write the value that '*%.60s' stands for",
             (const char *)r->event.data.alias.anchor);
    report(r, node->mark, message);
    node->text = dls_pool_copy(r->pool, "", 0);
    node->refused = true;
  }
  return node != NULL && node->text != NULL ? node : NULL;
}

static dls_yaml_node *read_node(reader *r, size_t depth)
{
  if (depth > DLS_YAML_MOST_DEPTH) {
    char message[80];
    snprintf(message, sizeof message, "lists and mappings are nested deeper than %d", (int)DLS_YAML_MOST_DEPTH);
    report(r, mark_of(r->event.start_mark), message);
    r->broken = true;
    return NULL;
  }
  switch (r->event.type) {
  case YAML_SEQUENCE_START_EVENT:
    return read_list(r, depth);
  case YAML_MAPPING_START_EVENT:
    return read_mapping(r, depth);
  case YAML_ALIAS_EVENT:
    return read_alias(r);
  default:
    return read_text(r);
  }
}

/* The stream: one document, and nothing behind it. */
static dls_yaml_node *read_stream(reader *r)
{
  if (!next(r) || !next(r)) { /* start of the stream, then of the document */
    return NULL;
  }
  if (r->event.type == YAML_STREAM_END_EVENT) {
    report(r, (dls_yaml_mark){1, 1}, "the file is empty");
    return NULL;
  }
  dls_yaml_node *root = next(r) ? read_node(r, 1) : NULL;
  if (root != NULL && next(r) && next(r) && r->event.type != YAML_STREAM_END_EVENT) {
    report(r, mark_of(r->event.start_mark), "a second document begins here: a file holds one");
  }
  return root;
}

dls_yaml_node *dls_yaml_read(dls_pool *pool, const char *text, size_t size, const dls_yaml_sink *sink)
{
  const size_t mark = size >= 3 ? dls_text_mark(text) : 0;
  text += mark;
  size -= mark;
  reader r = {.pool = pool, .sink = sink, .input = text};
  dls_yaml_node *root = NULL;
  if (size > DLS_YAML_MOST_BYTES) {
    char message[80];
    snprintf(message, sizeof message, "the file has more than %d bytes", (int)DLS_YAML_MOST_BYTES);
    report(&r, (dls_yaml_mark){1, 1}, message);
  } else if (size >= 2 && dls_text_is_utf16(text)) {
    report(&r, (dls_yaml_mark){1, 1}, DLS_TEXT_UTF16);
  } else if (!yaml_parser_initialize(&r.parser)) {
    pool->failed = true;
  } else {
    yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, size);
    root = read_stream(&r);
    if (r.in_hand) {
      yaml_event_delete(&r.event);
    }
    yaml_parser_delete(&r.parser);
  }
  return pool->failed ? NULL : root;
}

const dls_yaml_node *dls_yaml_get(const dls_yaml_node *node, const char *key)
{
  const dls_yaml_node *child = node != NULL && node->kind == DLS_YAML_MAPPING ? node->first : NULL;
  while (child != NULL && strcmp(child->key, key) != 0) {
    child = child->next;
  }
  return child;
}

size_t dls_yaml_count(const dls_yaml_node *node)
{
  size_t count = 0;
  for (const dls_yaml_node *child = node->first; child != NULL; child = child->next) {
    count++;
  }
  return count;
}

const char *dls_yaml_kind_text(dls_yaml_kind kind)
{
  static const char *const texts[] = {[DLS_YAML_TEXT] = "a single value",
                                      [DLS_YAML_LIST] = "a list",
                                      [DLS_YAML_MAPPING] = "a mapping of keys to values"};
  return texts[kind];
}
