/* matrix_text.c -- Matrix Market files in one text, before each a line with the name of its matrix.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "common/models/matrix_market/market_table.h"
#include "common/models/matrix_market/matrix_tables.h"
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define BANNER "%%MatrixMarket"

/* What is on a line between blanks. */
typedef struct line {
  const char *start; /* of the line */
  const char *words;
  size_t length; /* of the words; 0: there are none */
  size_t number; /* from 1; 0: there is no such line */
} line;

typedef struct reader {
  const char *name, *at, *end; /* of the text; what is left of it */
  size_t number;               /* of the last line */
  line words;                  /* the last line with words since the banner, comments left out */
  line banner;                 /* of the matrix that is read */
  size_t slot;                 /* its place */
  dls_matrix_tables *tables;
} reader;

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

static line next_line(reader *r)
{
  line now = {.start = r->at, .words = r->at, .number = ++r->number};
  const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
  const char *end = newline != NULL ? newline : r->end;
  r->at = newline != NULL ? newline + 1 : r->end;
  while (now.words < end && is_blank(*now.words)) {
    now.words++;
  }
  while (end > now.words && is_blank(end[-1])) {
    end--;
  }
  now.length = (size_t)(end - now.words);
  return now;
}

static bool is_banner(const line *now)
{
  return now->length >= strlen(BANNER) && strncasecmp(now->words, BANNER, strlen(BANNER)) == 0;
}

static dls_status refuse(const reader *r, const line *at, const char *why, dls_error *err)
{
  const size_t most = 40, shown = at->length < most ? at->length : most;
  return dls_fail(err, DLS_ERR_PARSE, "%.160s:%zu:%zu: '%.*s' %s", r->name, at->number,
                  (size_t)(at->words - at->start) + 1, (int)shown, at->words, why);
}

/* The file whose banner was found ends at `end`. */
static dls_status read_matrix(reader *r, const char *end, dls_error *err)
{
  const size_t length = (size_t)(end - r->banner.start);
  FILE *in = fmemopen((char *)r->banner.start, length, "r");
  if (in == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%.160s:%zu: no memory for a matrix", r->name, r->banner.number);
  }
  const dls_status status =
      dls_market_parse_from(in, r->name, r->banner.number, &r->tables->slots[r->slot], err);
  fclose(in);
  return status;
}

/* The last line with words before a banner is a name, and ends what is before it. */
static dls_status begin_matrix(reader *r, const line *banner, dls_error *err)
{
  const line name = r->words.number > 0 ? r->words : *banner;
  const size_t slot = dls_matrix_slot(name.words, name.length);
  if (slot == DLS_MATRIX_SLOTS) {
    return refuse(r, &name,
                  "is not the name of a matrix: before each line " BANNER " a name is expected, M, K, HT, ...",
                  err);
  }
  const dls_status status = r->banner.number > 0 ? read_matrix(r, name.start, err) : DLS_OK;
  if (status == DLS_OK && r->tables->slots[slot] != NULL) {
    return refuse(r, &name, "is given twice", err);
  }
  r->words = (line){0};
  r->banner = *banner;
  r->slot = slot;
  return status;
}

dls_status dls_matrix_tables_read(const char *name, const char *text, size_t length, dls_matrix_tables *out,
                                  dls_error *err)
{
  reader r = {.name = name, .at = text, .end = text + length, .tables = out};
  dls_status status = DLS_OK;
  out->text = name;
  while (r.at < r.end && status == DLS_OK) {
    const line now = next_line(&r);
    if (is_banner(&now)) {
      status = begin_matrix(&r, &now, err);
    } else if (now.length > 0 && *now.start != '%') {
      const bool second = r.banner.number == 0 && r.words.number > 0;
      status = second ? refuse(&r, &now, "is found where the first line " BANNER " is expected", err) : DLS_OK;
      r.words = now;
    }
  }
  if (status == DLS_OK && r.banner.number == 0) {
    return dls_fail(err, DLS_ERR_PARSE, "%.160s:%zu:1: the text ends before a line " BANNER, name,
                    r.number + (r.number == 0));
  }
  return status != DLS_OK ? status : read_matrix(&r, r.end, err);
}
