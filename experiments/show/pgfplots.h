/* experiments/show/pgfplots.h -- pictures for TeX: the script that gnuplot would draw, written as a picture of pgfplots.
 *
 * The script is the description of a picture. What it uses of gnuplot's language is read: blocks of data, axes, keys,
 * labels, arrows, rectangles and the items of its plot commands; what only gnuplot needs (terminal, margins in characters)
 * is passed over.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PGFPLOTS_H
#define DELASSUS_EXPERIMENTS_PGFPLOTS_H

#include "experiments/show/canvas.h"

#include <delassus/error.h>

/**
 * Write a file that TeX takes as a part of a document that loads pgfplots, and that pdflatex makes a page of by itself.
 * @param[in] script  for gnuplot, on a canvas of TeX
 * @param[in] height  of the layout [pixels]
 * @return DLS_ERR_ARG, with the words, if the script says what cannot be written; DLS_ERR_MEMORY
 */
dls_status dls_pgfplots_write(FILE *out, const char *script, const dls_canvas *canvas, int height,
                              dls_error *err);

#endif
