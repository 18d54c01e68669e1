/* common/base/csv_field.h -- splits a line of CSV into fields (RFC 4180), for all readers of tables.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CSV_FIELD_H
#define DELASSUS_COMMON_CSV_FIELD_H

#include <stddef.h>
#include <string.h>

/** The quote that closes the one at the start of text, or NULL; two quotes stand for one inside. */
static inline const char *dls_csv_closing_quote(const char *text)
{
  const char *quote = strchr(text + 1, '"');
  while (quote != NULL && quote[1] == '"') {
    quote = strchr(quote + 2, '"');
  }
  return quote;
}

/** Length of the field at the start of text: up to the next comma that is not between quotes. Blanks may precede a quote. */
static inline size_t dls_csv_field_length(const char *text)
{
  const size_t blanks = strspn(text, " \t");
  const char *closing = text[blanks] == '"' ? dls_csv_closing_quote(text + blanks) : NULL;
  const size_t quoted = closing != NULL ? (size_t)(closing - text) : 0;
  return quoted + strcspn(text + quoted, ",");
}

static inline size_t dls_csv_field_count(const char *line)
{
  size_t count = 1;
  for (line += dls_csv_field_length(line); *line == ','; line += 1 + dls_csv_field_length(line + 1)) {
    count++;
  }
  return count;
}

/** Remove the pair of quotes around the text, in place. */
static inline char *dls_csv_unquote(char *text)
{
  const size_t length = strlen(text);
  if (text[0] != '"' || dls_csv_closing_quote(text) != text + length - 1) {
    return text;
  }
  char *to = text + 1;
  text[length - 1] = '\0';
  for (const char *from = to; *from != '\0'; from += *from == '"' ? 2 : 1) {
    *to++ = *from;
  }
  *to = '\0';
  return text + 1;
}

/** Cut the next field off the line at *rest, as it is; *rest is NULL behind the last. @return NULL if there is none */
static inline char *dls_csv_cut(char **rest)
{
  char *field = *rest;
  char *end = field != NULL ? field + dls_csv_field_length(field) : NULL;
  *rest = end != NULL && *end == ',' ? end + 1 : NULL;
  if (end != NULL) {
    *end = '\0';
  }
  return field;
}

#endif
