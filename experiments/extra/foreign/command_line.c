/* experiments/extra/foreign/command_line.c -- splits commands into words with quotes, and fills in values in braces.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/foreign/command_line.h"
#include "common/base/text.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\n\r";

/* --- words --- */

/* Characters of a text, consumed one by one. */
typedef struct splitter {
  const char *at;
  char *word; /* characters so far; room for all the text */
  size_t length;
  bool open; /* a word has begun, possibly an empty one in quotes */
  char quote;
} splitter;

static void put(splitter *s, char c)
{
  s->word[s->length++] = c;
  s->open = true;
}

/* Characters special to a shell, which is not run. */
static bool is_of_a_shell(const splitter *s)
{
  return s->quote == '\''  ? false
         : s->quote == '"' ? strchr("$`", *s->at) != NULL
                           : strchr("|&;<>()$`*?", *s->at) != NULL || (*s->at == '~' && !s->open);
}

/* Characters before which a backslash is a quote. */
static bool escapes(const splitter *s)
{
  return s->at[1] != '\0' && (s->quote == '\0' || (s->quote == '"' && strchr("\\\"$`", s->at[1]) != NULL));
}

/* Consume a character. @return false after the end of a word */
static bool take(splitter *s)
{
  if (s->quote != '\0' && *s->at == s->quote) {
    s->quote = '\0';
  } else if (s->quote == '\0' && (*s->at == '\'' || *s->at == '"')) {
    s->quote = *s->at;
    s->open = true;
  } else if (*s->at == '\\' && s->quote != '\'' && escapes(s)) {
    put(s, *++s->at);
  } else if (s->quote == '\0' && strchr(blanks, *s->at) != NULL) {
    return false;
  } else {
    put(s, *s->at);
  }
  return true;
}

/* The next word into s->word. @return DLS_ERR_PARSE */
static dls_status next_word(splitter *s, const char *text, dls_error *err)
{
  s->length = 0;
  s->open = false;
  for (; *s->at != '\0'; s->at++) {
    if (is_of_a_shell(s)) {
      return dls_fail(err, DLS_ERR_PARSE,
                      "command \"%.120s\": '%c' at character %zu is for a shell, and none is run; put it "
                      "between single quotes",
                      text, *s->at, (size_t)(s->at - text) + 1);
    }
    if (!take(s) && s->open) {
      break;
    }
  }
  return s->quote == '\0'
             ? DLS_OK
             : dls_fail(err, DLS_ERR_PARSE, "command \"%.120s\": a quote %c is not closed", text, s->quote);
}

dls_status dls_command_split(const char *text, dls_pool *pool, char ***words, size_t *count, dls_error *err)
{
  const size_t most = strlen(text) + 2;
  splitter s = {.at = text, .word = dls_pool_take(pool, most)};
  *words = dls_pool_take(pool, most * sizeof **words);
  *count = 0;
  dls_status status = DLS_OK;
  while (!pool->failed && status == DLS_OK) {
    status = next_word(&s, text, err);
    if (status != DLS_OK || !s.open) {
      break;
    }
    (*words)[(*count)++] = dls_pool_copy(pool, s.word, s.length);
  }
  if (pool->failed) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the command \"%.120s\"", text);
  }
  return status != DLS_OK || *count > 0 ? status : dls_fail(err, DLS_ERR_PARSE, "the command is empty");
}

/* --- values --- */

/* Fill in the value from an opening brace on. @return after the closing one; NULL with err */
static const char *put_value(FILE *out, const char *at, dls_command_value value, void *data, const char *list,
                             dls_error *err)
{
  char name[80];
  const size_t length = strcspn(at + 1, "{}");
  if (at[1 + length] != '}' || length == 0 || length >= sizeof name) {
    dls_fail(err, DLS_ERR_PARSE,
             "'%.60s': a brace begins a value, such as {h}; for a brace write {{; the values are: %s", at,
             list);
    return NULL;
  }
  memcpy(name, at + 1, length);
  name[length] = '\0';
  const char *text = value(data, name);
  if (text == NULL) {
    dls_fail(err, DLS_ERR_OPTION, "unknown value {%s}; allowed: %s", name, list);
    return NULL;
  }
  fputs(text, out);
  return at + length + 2;
}

static bool put_word(FILE *out, const char *word, dls_command_value value, void *data, const char *list,
                     dls_error *err)
{
  for (const char *at = word; *at != '\0';) {
    if (at[0] == '{' && at[1] == '{') {
      fputc('{', out);
      at += 2;
    } else if (*at == '{') {
      at = put_value(out, at, value, data, list, err);
      if (at == NULL) {
        return false;
      }
    } else {
      fputc(*at++, out);
    }
  }
  return true;
}

char *dls_command_fill(const char *word, dls_command_value value, void *data, const char *list, dls_pool *pool,
                       dls_error *err)
{
  char *text = NULL, *filled = NULL;
  size_t size = 0;
  FILE *out = dls_text_stream(&text, &size);
  const bool good = out != NULL && put_word(out, word, value, data, list, err);
  if (out == NULL || fclose(out) != 0 || (good && (filled = dls_pool_copy(pool, text, size)) == NULL)) {
    dls_fail(err, DLS_ERR_MEMORY, "no memory for the word '%.60s' of a command", word);
  }
  free(text);
  return filled;
}
