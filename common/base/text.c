/* text.c -- strings.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "common/base/csv_field.h"
#include <langinfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dls_text_append(char *text, size_t size, const char *format, ...)
{
  const size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, size - used, format, arguments);
  va_end(arguments);
}

size_t dls_text_mark(const char *text)
{
  static const char mark[] = "\xEF\xBB\xBF";
  return strncmp(text, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0;
}

bool dls_text_is_utf16(const char *text)
{
  return strncmp(text, "\xFF\xFE", 2) == 0 || strncmp(text, "\xFE\xFF", 2) == 0;
}

locale_t dls_text_begin_c_locale(void)
{
  if (strcmp(nl_langinfo(RADIXCHAR), ".") == 0) { /* the usual case, and fast */
    return (locale_t)0;
  }
  const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return c == (locale_t)0 ? c : uselocale(c);
}

void dls_text_end_c_locale(locale_t before)
{
  if (before != (locale_t)0) {
    freelocale(uselocale(before));
  }
}

void dls_text_put_on_one_line(FILE *out, const char *text)
{
  for (; *text != '\0'; text++) {
    fputc(*text == '\n' || *text == '\r' ? ' ' : *text, out);
  }
}

void dls_text_put_number(char *text, size_t size, const char *pattern, size_t number)
{
  const size_t before = strcspn(pattern, "#");
  if (pattern[before] == '#') {
    snprintf(text, size, "%.*s%zu%s", (int)before, pattern, number, pattern + before + 1);
  } else {
    snprintf(text, size, "%s", pattern);
  }
}

char *dls_text_copy(const char *text)
{
  const size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  return copy == NULL ? NULL : memcpy(copy, text, size);
}

size_t dls_text_field(const char *text, char separator)
{
  size_t length = 0;
  for (bool inside = false; text[length] != '\0' && (inside || text[length] != separator); length++) {
    const bool opens =
        text[length] == '"' && !inside && (length == 0 || strchr("=*", text[length - 1]) != NULL);
    const char *closing = opens ? dls_csv_closing_quote(text + length) : NULL;
    length = closing != NULL ? (size_t)(closing - text) : length;
    inside = text[length] == '[' || (inside && text[length] != ']');
  }
  return length;
}
