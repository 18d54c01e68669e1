/* experiments/show/page.h -- the template of all pages, reports and lessons: page.html, with its places {{NAME}}
 * filled.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PAGE_H
#define DELASSUS_EXPERIMENTS_PAGE_H

#include <stdio.h>

/** page.html, report.css and svg.js, embedded. */
const char *dls_page_template(void);
const char *dls_page_style(void);
const char *dls_page_svg(void);

/** Write the content of the place {{name}}. */
typedef void (*dls_page_put)(FILE *out, const char *name, const void *data);
/** Write a template, its places filled by `put`. */
void dls_page_fill(FILE *out, const char *template, dls_page_put put, const void *data);
/** Write a page. @param[in] put  for the place "body", and for "style" what is added to the common style sheet */
void dls_page_write(FILE *out, const char *title, dls_page_put put, const void *data);

/** A file of a folder pages/, embedded: "lesson.js". */
typedef struct dls_page_part {
  const char *name, *text;
} dls_page_part;
/** The text of a part of a list that ends with {0}; "" if there is none of this name. */
const char *dls_page_part_text(const dls_page_part *parts, const char *name);

/** Write a string of JSON, safe inside an element of a page. */
void dls_page_put_json(FILE *out, const char *text);

#endif
