/* experiments/extra/cite/publications.c -- finds the publications that a source names, and prints them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/cite/publications.h"

#include "common/base/text.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { YEAR_LENGTH = 4 };

/* --- finding --- */

/* Letters of names, as sources write them without accents. */
static void fold(const char *text, char *out, size_t size)
{
  static const char *const letters[][2] = {{"é", "e"}, {"è", "e"}, {"ú", "u"}, {"ü", "u"},
                                           {"ő", "o"}, {"ö", "o"}, {"ø", "o"}, {"í", "i"},
                                           {"á", "a"}, {"ã", "a"}, {"ç", "c"}, {"É", "E"}};
  size_t used = 0;
  while (*text != '\0' && used + 1 < size) {
    size_t length = 1;
    char letter = *text;
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
      if (strncmp(text, letters[i][0], strlen(letters[i][0])) == 0) {
        length = strlen(letters[i][0]);
        letter = letters[i][1][0];
      }
    }
    out[used++] = letter;
    text += length;
  }
  out[used] = '\0';
}

/* Is the word in text[0..length), with no letter beside it? */
static bool has_word(const char *text, size_t length, const char *word, size_t word_length)
{
  for (size_t i = 0; i + word_length <= length; i++) {
    if (memcmp(text + i, word, word_length) == 0 && (i == 0 || !isalpha((unsigned char)text[i - 1])) &&
        !(i + word_length < length && isalpha((unsigned char)text[i + word_length]))) {
      return true;
    }
  }
  return false;
}

/* Number of the names present; 0 unless all are, or the first alone before "et al.". */
static size_t names_in(const char *text, size_t length, const char *named)
{
  const bool short_form = has_word(text, length, "et al", strlen("et al"));
  size_t count = 0;
  while (*named != '\0') {
    const size_t word = strcspn(named, " ");
    if (has_word(text, length, named, word)) {
      count++;
    } else if (!(short_form && count > 0)) {
      return 0;
    }
    named += word;
    named += strspn(named, " ");
  }
  return count;
}

/* The next year, from 1700 to 2099, that is not part of a longer word; NULL if there is none before the end. */
static const char *next_year(const char *text, const char *end)
{
  for (const char *c = text; c + YEAR_LENGTH <= end; c++) {
    const bool begins = c == text || !isalnum((unsigned char)c[-1]);
    if (begins && strspn(c, "0123456789") == YEAR_LENGTH && !isalpha((unsigned char)c[YEAR_LENGTH]) &&
        ((c[0] == '1' && c[1] >= '7') || (c[0] == '2' && c[1] == '0'))) {
      return c;
    }
  }
  return NULL;
}

typedef struct found {
  const dls_publication **out;
  size_t count, room;
  char *unknown;
  size_t unknown_size;
} found;

static void add(found *f, const dls_publication *reference)
{
  for (size_t i = 0; i < f->count; i++) {
    if (f->out[i] == reference) {
      return;
    }
  }
  if (f->count < f->room) {
    f->out[f->count++] = reference;
  }
}

/* The reference of the year with most names among the authors. */
static void add_year(found *f, const char *authors, size_t length, const char *year)
{
  const dls_publication *best = NULL;
  size_t most = 0;
  for (const dls_publication *r = dls_publications(); r->key != NULL; r++) {
    const size_t names = strncmp(r->year, year, YEAR_LENGTH) == 0 ? names_in(authors, length, r->named) : 0;
    if (names > most) {
      most = names;
      best = r;
    }
  }
  if (best != NULL) {
    add(f, best);
  } else if (f->unknown[0] == '\0') {
    dls_text_append(f->unknown, f->unknown_size, "%.*s%.*s", (int)length, authors, YEAR_LENGTH, year);
  }
}

static bool has_letter(const char *text, size_t length)
{
  size_t i = 0;
  while (i < length && !isalpha((unsigned char)text[i])) {
    i++;
  }
  return i < length;
}

/* References of the text between two semicolons: authors before each year ("1993, 2002" has the same for both), and
 * words that need no year. */
static void add_part(found *f, const char *part, size_t length)
{
  const char *const end = part + length;
  const char *authors = part, *from = part;
  size_t authors_length = 0;
  for (const char *year; (year = next_year(from, end)) != NULL; from = year + YEAR_LENGTH) {
    if (has_letter(from, (size_t)(year - from))) {
      authors = from;
      authors_length = (size_t)(year - from);
    }
    add_year(f, authors, authors_length, year);
  }
  for (const dls_publication *r = dls_publications(); r->key != NULL; r++) {
    if (r->year[0] == '\0' && names_in(part, length, r->named) > 0) {
      add(f, r);
    }
  }
}

size_t dls_publications_named(const char *source, const dls_publication **out, size_t room, char *unknown,
                              size_t unknown_size)
{
  enum { LONGEST = 1000 };
  char text[LONGEST];
  found f = {.out = out, .room = room, .unknown = unknown, .unknown_size = unknown_size};
  unknown[0] = '\0';
  fold(source != NULL ? source : "", text, sizeof text);
  for (const char *part = text; *part != '\0';) {
    const size_t length = strcspn(part, ";");
    add_part(&f, part, length);
    part += length + (part[length] == ';');
  }
  return f.count;
}

/* --- printing --- */

const char *dls_publication_published(const dls_publication *reference)
{
  return reference->published[0] != '\0' ? reference->published : reference->year;
}

typedef struct form {
  const char *type, *where;
} form;

static const form forms[] = {
    [DLS_PUB_ARTICLE] = {"article", "journal"},
    [DLS_PUB_BOOK] = {"book", "publisher"},
    [DLS_PUB_EDITED] = {"book", "publisher"},
    [DLS_PUB_CHAPTER] = {"incollection", "booktitle"},
    [DLS_PUB_PROCEEDINGS] = {"inproceedings", "booktitle"},
    [DLS_PUB_REPORT] = {"techreport", "institution"},
    [DLS_PUB_THESIS] = {"phdthesis", "school"},
    [DLS_PUB_MISC] = {"misc", "howpublished"},
};

/* "  name = {value}" after a comma, with & escaped for TeX; nothing for an empty value. */
static void put_field(FILE *out, const char *name, const char *value)
{
  if (value[0] == '\0') {
    return;
  }
  fprintf(out, ",\n  %s = {", name);
  for (const char *c = value; *c != '\0'; c++) {
    fprintf(out, *c == '&' ? "\\%c" : "%c", *c);
  }
  fputc('}', out);
}

void dls_publication_bibtex(FILE *out, const dls_publication *r)
{
  fprintf(out, "@%s{%s", forms[r->kind].type, r->key);
  put_field(out, r->kind == DLS_PUB_EDITED ? "editor" : "author", r->authors);
  fprintf(out, ",\n  title = {{%s}}", r->title);
  const char *const fields[][2] = {
      {forms[r->kind].where, r->where},       {"volume", r->volume}, {"number", r->number}, {"pages", r->pages},
      {"year", dls_publication_published(r)}, {"doi", r->doi},       {"note", r->note}};
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
    put_field(out, fields[i][0], fields[i][1]);
  }
  fputs("\n}\n", out);
}

/* Text of BibTeX for readers: without braces, with typographic dashes. */
static void put_plain(FILE *out, const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++) {
    const size_t dashes = strspn(text + i, "-");
    if (dashes > 1 && i + dashes <= length) {
      fputs(dashes == 2 ? "–" : "—", out);
      i += dashes - 1;
    } else if (text[i] != '{' && text[i] != '}') {
      fputc(text[i], out);
    }
  }
}

/* "Last, First and Last, First" as "First Last, First Last". */
static void put_people(FILE *out, const char *authors)
{
  static const char between[] = " and ";
  while (authors != NULL) {
    const char *next = strstr(authors, between);
    const size_t length = next != NULL ? (size_t)(next - authors) : strlen(authors);
    const char *comma = memchr(authors, ',', length);
    if (comma != NULL) {
      const size_t last = (size_t)(comma - authors);
      put_plain(out, comma + 2, length - last - 2);
      fputc(' ', out);
      put_plain(out, authors, last);
    } else {
      put_plain(out, authors, length);
    }
    fputs(next != NULL ? ", " : "", out);
    authors = next != NULL ? next + strlen(between) : NULL;
  }
}

/* "Journal 96(5), 585–603, 2016" */
static void put_place(FILE *out, const dls_publication *r)
{
  fputs(r->where, out);
  if (r->volume[0] != '\0') {
    fprintf(out, " %s", r->volume);
  }
  if (r->number[0] != '\0') {
    fprintf(out, r->volume[0] != '\0' ? "(%s)" : " %s", r->number);
  }
  if (r->pages[0] != '\0') {
    fputs(", ", out);
    put_plain(out, r->pages, strlen(r->pages));
  }
  if (dls_publication_published(r)[0] != '\0') {
    fprintf(out, ", %s", dls_publication_published(r));
  }
}

void dls_publication_row(FILE *out, const dls_publication *r)
{
  fprintf(out, "| `%s` | ", r->key);
  put_people(out, r->authors);
  fputs(": *", out);
  put_plain(out, r->title, strlen(r->title));
  fputs("*. ", out);
  put_place(out, r);
  if (r->note[0] != '\0') {
    fputs("; ", out);
    put_plain(out, r->note, strlen(r->note));
  }
  fprintf(out, " | %s |\n", r->doi);
}
