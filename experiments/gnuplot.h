/* experiments/gnuplot.h -- run gnuplot on a script that is kept beside the picture.
 *
 *   dls_gnuplot *plot = NULL;
 *   dls_gnuplot_begin("ball.png", 1000, 750, &plot, err);
 *   fprintf(dls_gnuplot_script(plot), "plot x\n");
 *   dls_gnuplot_finish(plot, err);
 *
 * begin writes encoding, terminal and output into the script; finish makes ball.gp and ball.png, both or none.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_GNUPLOT_H
#define DELASSUS_EXPERIMENTS_GNUPLOT_H

#include <delassus/error.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct dls_gnuplot dls_gnuplot;

/**
 * @param[in] path           as for dls_plot_check; copied
 * @param[in] width, height  of the picture in pixels at 96 per inch; "-" takes the terminal's COLUMNS and LINES
 * @return as dls_plot_check; DLS_ERR_MEMORY
 */
dls_status dls_gnuplot_begin(const char *path, int width, int height, dls_gnuplot **out, dls_error *err);
FILE *dls_gnuplot_script(dls_gnuplot *plot);
/** Whether the picture is made of characters in the terminal. */
bool dls_gnuplot_is_text(const dls_gnuplot *plot);
/** Run gnuplot, put picture and script in place, free. @return DLS_ERR_IO, and nothing is left behind */
dls_status dls_gnuplot_finish(dls_gnuplot *plot, dls_error *err);
void dls_gnuplot_abandon(dls_gnuplot *plot); /* NULL is fine */

/** Colour i of Okabe and Ito's palette that the colour-blind can tell apart, "#RRGGBB"; repeats. */
const char *dls_gnuplot_colour(size_t i);
/** A gnuplot dash type for curve i: another one each time that the colours repeat. */
int dls_gnuplot_dash_type(size_t i);
/** A filled gnuplot point type for curve i; repeats. */
int dls_gnuplot_point_type(size_t i);
/** Write text as a single-quoted gnuplot string. */
void dls_gnuplot_quote(FILE *script, const char *text);

#endif
