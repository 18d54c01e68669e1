/* csv_layout.c -- tables that delassus did not write, rewritten line by line as those that it reads: commas between columns, decimal
 * points.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/csv_layout.h"
#include "common/base/csv_field.h"
#include <stdlib.h>
#include <string.h>

/* The character behind the quoted text at `at`, or `at` itself. */
static const char *skip_quotes(const char *at)
{
  const char *closing = *at == '"' ? dls_csv_closing_quote(at) : NULL;
  return closing != NULL ? closing + 1 : at;
}

char dls_csv_separator(const char *header)
{
  static const char separators[] = ";,\t";
  const char *found = separators + sizeof separators - 1;
  for (const char *at = skip_quotes(header); *at != '\0'; at = skip_quotes(at + 1)) {
    const char *separator = strchr(separators, *at);
    found = separator != NULL && separator < found ? separator : found;
    if (*at == '"') { /* without a second one */
      break;
    }
  }
  return *found != '\0' ? *found : ' ';
}

bool dls_csv_begins_with_number(const char *line)
{
  char *end = NULL;
  line += *line == '"';
  strtod(line, &end);
  return end > line && strchr("\",; \t", *end) != NULL; /* the NUL too */
}

/* Runs of blanks: the first blank becomes the comma. Blanks at the ends of the line remain. */
static void rewrite_blanks(char *line)
{
  for (char *at = line + strspn(line, " \t"); *at != '\0'; at++) {
    at = (char *)skip_quotes(at);
    if (*at == ' ' || *at == '\t') {
      const size_t run = strspn(at, " \t");
      *at = at[run] != '\0' ? ',' : ' ';
      at += run - 1;
    }
    if (*at == '\0') {
      break;
    }
  }
}

/* A decimal sign of a row. @return whether it is allowed */
static bool accept_sign(dls_csv_layout *layout, char sign)
{
  layout->decimal_comma = layout->decimal_comma || sign == ',';
  layout->decimal_point = layout->decimal_point || sign == '.';
  return !(layout->decimal_comma && layout->decimal_point);
}

static char *rewrite_row(dls_csv_layout *layout, char *line)
{
  for (char *at = line; *at != '\0'; at++) {
    if (*at == layout->separator) {
      *at = ',';
    } else if (*at == ',' || *at == '.') {
      if (!accept_sign(layout, *at)) {
        return at;
      }
      *at = '.';
    }
  }
  return NULL;
}

static char *rewrite_header(const dls_csv_layout *layout, char *line)
{
  for (char *at = (char *)skip_quotes(line); *at != '\0'; at = (char *)skip_quotes(at + 1)) {
    if (*at == ',') {
      return at;
    }
    *at = *at == layout->separator ? ',' : *at;
  }
  return NULL;
}

char *dls_csv_rewrite(dls_csv_layout *layout, char *line, bool numbers)
{
  if (layout->separator == ' ') {
    rewrite_blanks(line);
  } else if (layout->separator != ',') {
    return numbers ? rewrite_row(layout, line) : rewrite_header(layout, line);
  }
  return NULL;
}
