/* text_stream.c -- a stream into memory that reports when memory ran out. open_memstream drops data it has no memory for,
 * and neither ferror nor fclose reports it, which leaves a line with a gap.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* fopencookie */
#include "common/base/text.h"
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__

typedef struct text_stream {
  char **text; /* the caller's */
  size_t *size, room;
  bool failed;
} text_stream;

static bool grow(text_stream *s, size_t room)
{
  if (room <= s->room) {
    return true;
  }
  const size_t twice = 2 * s->room > room ? 2 * s->room : room;
  char *larger = realloc(*s->text, twice);
  if (larger != NULL) {
    *s->text = larger;
    s->room = twice;
  }
  return larger != NULL;
}

static ssize_t put(void *cookie, const char *bytes, size_t count)
{
  text_stream *s = cookie;
  s->failed = s->failed || !grow(s, *s->size + count + 1);
  if (s->failed) {
    errno = ENOMEM;
    return 0;
  }
  memcpy(*s->text + *s->size, bytes, count);
  *s->size += count;
  (*s->text)[*s->size] = '\0';
  return (ssize_t)count;
}

static int finish(void *cookie)
{
  const bool failed = ((const text_stream *)cookie)->failed;
  free(cookie);
  errno = failed ? ENOMEM : errno;
  return failed ? -1 : 0;
}

FILE *dls_text_stream(char **text, size_t *size)
{
  const cookie_io_functions_t functions = {.write = put, .close = finish};
  text_stream *s = calloc(1, sizeof *s);
  *size = 0;
  *text = calloc(1, 1);
  FILE *stream = NULL;
  if (s != NULL && *text != NULL) {
    *s = (text_stream){.text = text, .size = size, .room = 1};
    stream = fopencookie(s, "w", functions);
  }
  if (stream == NULL) {
    free(s);
    free(*text);
    *text = NULL;
  }
  return stream;
}

#else

FILE *dls_text_stream(char **text, size_t *size)
{
  return open_memstream(text, size);
}

#endif
