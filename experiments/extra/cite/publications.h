/* experiments/extra/cite/publications.h -- the publications that catalogue entries name as their source. A source is
 * free text: "M. Jean 1999; V. Acary 2014 (INRIA RR-8602), eq. (31)". The authors before a year, and the year, identify the
 * reference. "V. Acary, lecture" has no year and is found by its words.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PUBLICATIONS_H
#define DELASSUS_EXPERIMENTS_PUBLICATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum dls_publication_kind {
  DLS_PUB_ARTICLE,
  DLS_PUB_BOOK,
  DLS_PUB_EDITED, /* a book whose authors are its editors */
  DLS_PUB_CHAPTER,
  DLS_PUB_PROCEEDINGS,
  DLS_PUB_REPORT,
  DLS_PUB_THESIS,
  DLS_PUB_MISC
} dls_publication_kind;

typedef struct dls_publication {
  const char *key;
  const char *
      named; /* how sources name it: surnames, separated by spaces, without accents; without a year: the words in the
              * source */
  const char *year; /* and the year they name, "" if none */
  dls_publication_kind kind;
  const char *authors, *title; /* as in BibTeX, UTF-8 */
  const char *where;           /* journal, publisher, book, school, institution, or kind */
  const char *volume, *number, *pages, *published, *doi,
      *note; /* "" if none; published: "" means the year above */
} dls_publication;

/** All of them, sorted by authors and years; ends with a NULL key. */
const dls_publication *dls_publications(void);

/** delassus itself. */
extern const dls_publication dls_publication_self;

/**
 * The references that a source names.
 * @param[in]  source  as in catalogue entries
 * @param[out] out     at most room of them, each once, in the order of the source
 * @param[out] unknown "" or the first year without a known reference, with the text before it
 * @return their number
 */
size_t dls_publications_named(const char *source, const dls_publication **out, size_t room, char *unknown,
                              size_t unknown_size);

/** Year of publication. */
const char *dls_publication_published(const dls_publication *reference);

void dls_publication_bibtex(FILE *out, const dls_publication *reference);
/** A row "| authors | title | where | DOI |". */
void dls_publication_row(FILE *out, const dls_publication *reference);

#endif
