/* experiments/show/pgfplots.h -- figures for TeX.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PGFPLOTS_H
#define DELASSUS_EXPERIMENTS_PGFPLOTS_H

#include "experiments/show/figure.h"

/** Write a file that is a part of a document that loads pgfplots, and that pdflatex makes a page of by itself.
 * @param[in] figure  laid out on a canvas of TeX */
void dls_pgfplots_write(FILE *out, const dls_figure *figure);
/** Write text. @param[in] markup  q_{0}, L^1 and s^{1/2} are symbols with indices; units in brackets are upright */
void dls_tex_text(FILE *out, const char *text, bool markup);

#endif
