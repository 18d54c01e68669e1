/* experiments/show/pgfplots_script.c -- words of gnuplot's scripts, as this tool writes them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/pgfplots_script.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *line_end(const char *line)
{
  const char *feed = strchr(line, '\n');
  return feed != NULL ? feed : line + strlen(line);
}

char *dls_script_statement(const char **at)
{
  const char *end = line_end(*at);
  while (*end != '\0' && end > *at && end[-1] == '\\') {
    end = line_end(end + 1);
  }
  if (**at == '\0') {
    return NULL;
  }
  const size_t size = (size_t)(end - *at);
  char *statement = malloc(size + 1);
  if (statement == NULL) {
    return NULL;
  }
  memcpy(statement, *at, size);
  statement[size] = '\0';
  for (char *c = statement; (c = strstr(c, "\\\n")) != NULL;) {
    c[0] = c[1] = ' ';
  }
  *at = end + (*end != '\0');
  return statement;
}

static void append(dls_token *token, size_t *length, char c)
{
  if (*length + 1 < sizeof token->text) {
    token->text[(*length)++] = c;
    token->text[*length] = '\0';
  }
}

/* Between single quotes two of them are one; between double ones \n ends a line. @return behind it */
static const char *read_string(const char *at, dls_token *out)
{
  const char quote = *at++;
  size_t length = 0;
  out->kind = DLS_TOKEN_STRING;
  for (; *at != '\0' && (*at != quote || (quote == '\'' && at[1] == quote)); at++) {
    if (quote == '\'' && *at == quote) {
      at++;
    } else if (quote == '"' && *at == '\\' && at[1] != '\0') {
      at++;
      append(out, &length, *at == 'n' ? '\n' : *at);
      continue;
    }
    append(out, &length, *at);
  }
  return *at != '\0' ? at + 1 : at;
}

/* Up to what closes the bracket; quotes inside hide brackets. @return behind it */
static const char *read_bracket(const char *at, dls_token *out)
{
  const char close = *at == '[' ? ']' : ')';
  size_t length = 0;
  bool quoted = false;
  for (; *at != '\0' && (quoted || *at != close); at++) {
    quoted = quoted != (*at == '\'');
    append(out, &length, *at);
  }
  append(out, &length, close);
  return *at != '\0' ? at + 1 : at;
}

void dls_script_token(const char **at, dls_token *out)
{
  *at += strspn(*at, " \t\n");
  out->text[0] = '\0';
  if (**at == '\0' || **at == '#') {
    out->kind = DLS_TOKEN_END;
    return;
  }
  out->kind = DLS_TOKEN_WORD;
  if (**at == '\'' || **at == '"') {
    *at = read_string(*at, out);
  } else if (**at == '[' || **at == '(') {
    *at = read_bracket(*at, out);
  } else if (**at == ',') {
    out->kind = DLS_TOKEN_COMMA;
    ++*at;
  } else {
    size_t length = 0;
    const size_t size = strcspn(*at, " ,\t\n");
    for (size_t i = 0; i < size; i++) {
      append(out, &length, (*at)[i]);
    }
    *at += size;
  }
}

bool dls_script_takes(const char **at, const char *word)
{
  const char *begin = *at + strspn(*at, " \t\n");
  const size_t length = strlen(word);
  if (strncmp(begin, word, length) != 0 || strchr(" ,\t\n", begin[length]) == NULL) {
    return false; /* strchr finds the end, too */
  }
  *at = begin + length;
  return true;
}

double dls_script_number(const char **at)
{
  char *end = NULL;
  const double number = strtod(*at, &end);
  if (end == *at) {
    return NAN;
  }
  *at = end;
  return number;
}
