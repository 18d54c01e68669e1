/* tests/support/markup.c -- a small checker of markup.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "markup.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 64, NAME_SIZE = 40, MOST_IDS = 4000 };

typedef struct checker {
  char open[MOST_DEPTH][NAME_SIZE]; /* elements */
  size_t depth;
  char (*ids)[NAME_SIZE];
  size_t id_count;
  char *problem;
  size_t size;
} checker;

static const char *complain(checker *c, const char *what, const char *at)
{
  snprintf(c->problem, c->size, "%s at: %.60s", what, at);
  return c->problem;
}

static bool has_id(const checker *c, const char *name, size_t length)
{
  for (size_t i = 0; i < c->id_count; i++) {
    if (strlen(c->ids[i]) == length && strncmp(c->ids[i], name, length) == 0) {
      return true;
    }
  }
  return false;
}

/* name="value" from its name on; the end of the attribute, or NULL. */
static const char *check_attribute(checker *c, const char *at)
{
  const size_t name = strcspn(at, "= \t\n\r>/");
  const char *value = at + name + 2;
  if (name == 0 || at[name] != '=' || (at[name + 1] != '"' && at[name + 1] != '\'')) {
    return NULL;
  }
  const char *end = strchr(value, at[name + 1]);
  if (end == NULL || memchr(value, '<', (size_t)(end - value)) != NULL) {
    return NULL;
  }
  if (name == 2 && strncmp(at, "id", 2) == 0) {
    const size_t length = (size_t)(end - value);
    if (c->id_count == MOST_IDS || length >= NAME_SIZE || has_id(c, value, length)) {
      return NULL;
    }
    memcpy(c->ids[c->id_count], value, length);
    c->ids[c->id_count++][length] = '\0';
  }
  return end + 1;
}

static const char *check_tag(checker *c, const char **at)
{
  const char *tag = *at + 1;
  const bool closing = *tag == '/';
  tag += closing;
  const size_t length = strcspn(tag, " \t\n\r>/");
  const char *rest = tag + length + strspn(tag + length, " \t\n\r");
  while (*rest != '>' && *rest != '/') {
    const char *end = check_attribute(c, rest);
    if (end == NULL) {
      return complain(c, "bad attribute, or id twice", rest);
    }
    rest = end + strspn(end, " \t\n\r");
  }
  const bool empty = *rest == '/';
  rest += empty;
  if (*rest != '>' || length == 0 || length >= NAME_SIZE || c->depth == MOST_DEPTH) {
    return complain(c, "bad tag", *at);
  }
  if (closing && (c->depth == 0 || strlen(c->open[c->depth - 1]) != length ||
                  strncmp(c->open[c->depth - 1], tag, length) != 0)) {
    return complain(c, c->depth == 0 ? "nothing is open" : c->open[c->depth - 1], *at);
  }
  if (closing) {
    c->depth--;
  } else if (!empty) {
    memcpy(c->open[c->depth], tag, length);
    c->open[c->depth++][length] = '\0';
  }
  *at = rest + 1;
  return NULL;
}

static const char *check_reference(checker *c, const char *text, const char *piece)
{
  for (const char *at = strstr(text, piece); at != NULL; at = strstr(at + 1, piece)) {
    const char *name = at + strlen(piece);
    if (!has_id(c, name, strcspn(name, "\"')"))) {
      return complain(c, "no such id", at);
    }
  }
  return NULL;
}

static const char *check(checker *c, const char *text)
{
  const char *problem = NULL;
  for (const char *at = text; *at != '\0' && problem == NULL;) {
    const bool declaration = strncmp(at, "<!", 2) == 0 || strncmp(at, "<?", 2) == 0;
    if (declaration) {
      const char *end = strstr(at, strncmp(at, "<!--", 4) == 0 ? "-->" : ">");
      at = end == NULL ? at + strlen(at) : end + 1;
    } else if (*at == '<') {
      problem = check_tag(c, &at);
    } else if (*at == '&' && at[strcspn(at, "; <")] != ';') {
      problem = complain(c, "bad entity", at);
    } else {
      at++;
    }
  }
  if (problem == NULL && c->depth > 0) {
    problem = complain(c, "not closed", c->open[c->depth - 1]);
  }
  static const char *const references[] = {"href=\"#", "href='#", "url(#"};
  for (size_t i = 0; i < 3 && problem == NULL; i++) {
    problem = check_reference(c, text, references[i]);
  }
  return problem;
}

const char *markup_problem(const char *text, char *problem, size_t size)
{
  checker c = {.ids = calloc(MOST_IDS, sizeof *c.ids), .problem = problem, .size = size};
  const char *found = c.ids == NULL ? "no memory" : check(&c, text);
  free(c.ids);
  return found;
}

size_t markup_count(const char *text, const char *piece)
{
  size_t count = 0;
  for (const char *at = strstr(text, piece); at != NULL; at = strstr(at + strlen(piece), piece)) {
    count++;
  }
  return count;
}
