/* experiments/show/gnuplot.h -- run gnuplot on a script that is kept beside the picture.
 *
 *   dls_gnuplot *plot = NULL;
 *   dls_gnuplot_begin(&(dls_canvas){.path = "ball.png"}, 1000, 750, &plot, err);
 *   fprintf(dls_gnuplot_script(plot), "plot x\n");
 *   dls_gnuplot_finish(plot, err);
 *
 * begin writes encoding, terminal and output into the script; finish makes ball.gp and ball.png, both or none.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_GNUPLOT_H
#define DELASSUS_EXPERIMENTS_GNUPLOT_H

#include "experiments/show/canvas.h"

#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct dls_gnuplot dls_gnuplot;

/**
 * @param[in] canvas         copied; the stream must live until finish
 * @param[in] width, height  of the picture in pixels at 96 per inch; "-" takes the terminal's COLUMNS and LINES;
 *                           narrow pictures have their own width
 * @return as dls_plot_check; DLS_ERR_MEMORY
 */
dls_status dls_gnuplot_begin(const dls_canvas *canvas, int width, int height, dls_gnuplot **out,
                             dls_error *err);
FILE *dls_gnuplot_script(dls_gnuplot *plot);
/** Whether the picture is made of characters in the terminal. */
bool dls_gnuplot_is_text(const dls_gnuplot *plot);
/** Run gnuplot, put picture and script in place or the picture into the stream, free. @return DLS_ERR_IO, and
 * nothing is left behind */
dls_status dls_gnuplot_finish(dls_gnuplot *plot, dls_error *err);
void dls_gnuplot_abandon(dls_gnuplot *plot); /* NULL is fine */

/** Colour i of Okabe and Ito's palette that the colour-blind can tell apart, "#RRGGBB"; repeats. */
const char *dls_gnuplot_colour(size_t i);
/** A gnuplot dash type for curve i, so that curves differ in grey too; repeats. */
int dls_gnuplot_dash_type(size_t i);
/** Width of curve i of `count` that are drawn one over the other: falls, so that those that agree are all seen. */
double dls_gnuplot_curve_width(size_t i, size_t count);
/** Lines of the terminal that a picture of characters may have. */
int dls_gnuplot_lines(void);
/** A filled gnuplot point type for curve i; repeats. */
int dls_gnuplot_point_type(size_t i);
/** Write text as a single-quoted gnuplot string. */
void dls_gnuplot_quote(FILE *script, const char *text);
/** Write "title 'text'" for an item of a plot command; on a narrow canvas, what does not fit goes on in entries of
 * the key below. */
void dls_gnuplot_title(FILE *script, const dls_canvas *canvas, const char *text);
/** Write text as a string for a title, on a narrow canvas in as many lines as it needs. */
void dls_gnuplot_heading(FILE *script, const dls_canvas *canvas, const char *text);
/**
 * Write "set logscale" and every tick of the axis with its label: powers of ten, on an axis with fewer than two of them
 * also 2, 5 and if need be all digits. Nothing is left to gnuplot, whose versions differ.
 * @param[in] axis       'x' or 'y'
 * @param[in] low, high  the axis, 0 < low < high
 * @param[in] text       for the terminal: labels like 1e-3, no small ticks
 */
void dls_gnuplot_log_axis(FILE *script, char axis, double low, double high, bool text);
/** Write " title 'text' noenhanced", or the text as a remark where the picture has no title; ends the line. */
void dls_gnuplot_end_titled(FILE *script, const dls_canvas *canvas, const char *text);
/** Number of lines that the title takes in the key. */
int dls_gnuplot_title_lines(const dls_canvas *canvas, const char *text);

#endif
