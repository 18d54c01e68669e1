/* experiments/show/report_svg.h -- embed SVG pictures in a page.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_REPORT_SVG_H
#define DELASSUS_EXPERIMENTS_REPORT_SVG_H

#include <stdbool.h>
#include <stdio.h>

/** Text of a page or an attribute, with special characters escaped; invalid UTF-8 becomes U+FFFD. */
void dls_markup_escape(FILE *out, const char *text);
bool dls_svg_is_picture(const char *svg);
/**
 * Write a picture as an element of a page: without prolog, namespaces, size, title and description of its own; every
 * id with a prefix, also where it is referred to.
 * @param[in] svg  dls_svg_is_picture
 */
void dls_svg_inline(FILE *out, const char *svg, const char *prefix, const char *title);

#endif
