/* line.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/line.h"
#include "common/base/memory.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

dls_status dls_line_unread(const char *path, int reason, dls_error *err)
{
  return dls_fail(err, dls_unread_status(reason), "cannot read '%.200s': %s", path, strerror(reason));
}

dls_status dls_line_open(const char *path, FILE **file, dls_error *err)
{
  *file = fopen(path, "r");
  return *file != NULL ? DLS_OK : dls_line_unread(path, errno, err);
}

/* Make room for one more character and NUL. */
static bool reserve(dls_line *line, size_t length)
{
  if (length + 1 < line->room) {
    return true;
  }
  const size_t room = 2 * line->room + 256;
  char *larger = realloc(line->text, room);
  if (larger != NULL) {
    line->text = larger;
    line->room = room;
  }
  return larger != NULL;
}

dls_status dls_line_read(dls_line *line, FILE *in, const char *path, bool *there, dls_error *err)
{
  size_t length = 0;
  int c = getc_unlocked(in);
  *there = c != EOF;
  line->number += *there;
  for (; c != EOF && c != '\n'; c = getc_unlocked(in)) {
    if (length == DLS_LINE_LONGEST) {
      return dls_fail(err, DLS_ERR_PARSE, "%.200s:%zu: the line has more than %zu characters", path,
                      line->number, DLS_LINE_LONGEST);
    }
    if (!reserve(line, length)) {
      return dls_fail(err, DLS_ERR_MEMORY, "%.200s:%zu: no memory for the line", path, line->number);
    }
    line->text[length++] = (char)c;
  }
  if (ferror(in)) {
    return dls_line_unread(path, errno, err);
  }
  if (!reserve(line, length)) {
    return dls_fail(err, DLS_ERR_MEMORY, "%.200s:%zu: no memory for the line", path, line->number);
  }
  length -= length > 0 && line->text[length - 1] == '\r';
  line->text[length] = '\0';
  return DLS_OK;
}
