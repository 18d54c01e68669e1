/* experiments/show/markdown.h -- write Markdown and convert it to HTML.
 *
 * The dialect is that of pandoc, as much of it as reports use: headings with or without {#id}, paragraphs, fenced text, pipe
 * tables with a caption before them, definition lists, figures, paragraphs with classes (::: {.warning}), <details>; within
 * a line *emphasis*, **strong**, `code` and characters behind a backslash. All else is text.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_MARKDOWN_H
#define DELASSUS_EXPERIMENTS_MARKDOWN_H

#include <stddef.h>
#include <stdio.h>

/** Text as one line without markup: control characters become blanks. */
void dls_markdown_escape(FILE *out, const char *text);

typedef struct dls_markdown_html {
  FILE *body;
  FILE *contents; /* <li> of the headings that have an id */
  int depth;      /* of the table of contents: headings of levels 2 to depth */
  /** Write the picture of ![caption](figure-NUMBER). */
  void (*put_figure)(FILE *out, size_t number, const void *data);
  const void *data;
} dls_markdown_html;

/** Convert Markdown to HTML that is well-formed XML. @param[in,out] text  is cut to pieces */
void dls_markdown_to_html(char *text, const dls_markdown_html *to);

#endif
