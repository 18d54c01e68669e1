/* experiments/show/gnuplot.h -- run gnuplot on a script that is kept beside the picture.
 *
 *   dls_gnuplot *plot = NULL;
 *   dls_gnuplot_begin(&(dls_canvas){.path = "ball.png"}, 1000, 750, &plot, err);
 *   fprintf(dls_gnuplot_script(plot), "plot x\n");
 *   dls_gnuplot_finish(plot, err);
 *
 * begin writes encoding, terminal and output into the script. finish makes ball.gp and ball.png, both or none.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_GNUPLOT_H
#define DELASSUS_EXPERIMENTS_GNUPLOT_H

#include "experiments/show/canvas.h"

#include <delassus/error.h>
#include <stdio.h>

typedef struct dls_gnuplot dls_gnuplot;

/**
 * @param[in] canvas         neither TeX nor the terminal; copied, but its stream must live until finish
 * @param[in] width, height  of the layout in pixels
 * @return as dls_plot_check; DLS_ERR_MEMORY
 */
dls_status dls_gnuplot_begin(const dls_canvas *canvas, int width, int height, dls_gnuplot **out,
                             dls_error *err);
FILE *dls_gnuplot_script(dls_gnuplot *plot);
/** What a script must write for letters of a size in the layout whose labels have 13 pixels. */
double dls_gnuplot_font_size(const dls_gnuplot *plot, double size);
/** Title and description of an SVG file, for readers who do not see it; copied. */
void dls_gnuplot_describe(dls_gnuplot *plot, const char *title, const char *description);
/** Run gnuplot, put picture and script in place or the picture into the stream, and free. @return DLS_ERR_IO, and
 * nothing is left behind */
dls_status dls_gnuplot_finish(dls_gnuplot *plot, dls_error *err);

/** Write text as a single-quoted gnuplot string. */
void dls_gnuplot_quote(FILE *script, const char *text);

#endif
