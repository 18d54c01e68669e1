/* experiments/show/canvas.h -- destination and style of a picture.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CANVAS_H
#define DELASSUS_EXPERIMENTS_CANVAS_H

#include "experiments/campaign/picture_form.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** Destination and form of a picture. */
typedef struct dls_canvas {
  const char *path; /* as for dls_plot_check; NULL: the picture is written to stream, and no script is kept */
  FILE *stream;
  int delay; /* of a stream: 0: SVG, a figure of a page; else GIF, a frame for each plot, hundredths of a second */
  bool narrow;    /* for phones, columns and slides: keys below the plot with wrapped lines */
  int width;      /* of the layout, pixels; 0: narrow DLS_NARROW_WIDTH, else each picture's own */
  int height;     /* of the layout, pixels; 0: as the panels need it */
  double letters; /* their size over that of the style; 0: 1. A layout with smaller letters has more pixels */
  dls_picture_form form; /* of a file */
} dls_canvas;

/* Pixels of a character in the terminal. */
enum { DLS_CELL_WIDTH = 8, DLS_CELL_HEIGHT = 16 };

/* Narrow: a phone less its margins. Wide: from here on there is room beside the frames. */
enum {
  DLS_NARROW_WIDTH = 366,
  DLS_WIDE_WIDTH = 600,
  DLS_KEY_LINE_HEIGHT = 22 /* pixels */,
  DLS_FILE_VERTICES = 8000
};

/** The canvas of a file in a form; NULL: as the screen. */
dls_canvas dls_canvas_file(const char *path, const dls_picture_form *form);
/** The same over two columns, for pictures with panels side by side; the same canvas where its size is given. */
dls_canvas dls_canvas_two_columns(const dls_canvas *canvas);
/** Whether it is a TeX file. */
bool dls_canvas_is_tex(const dls_canvas *canvas);
/** Whether the picture has a title. Pages, papers and slides have their own. */
bool dls_canvas_titled(const dls_canvas *canvas);
/** Pixels of the layout: those of the canvas; without any, of a narrow one DLS_NARROW_WIDTH, else `wide`. */
int dls_canvas_width(const dls_canvas *canvas, int wide);
/** The same of its height; 0: as the panels need it. */
double dls_canvas_height(const dls_canvas *canvas);
/** How many vertices a curve may have: some for each pixel, DLS_FILE_VERTICES in files. Pages hold many curves, each
 * twice. */
size_t dls_canvas_vertices(const dls_canvas *canvas);

static const double dls_centimetres_per_inch = 2.54, dls_pixels_per_inch = 96;

/** Size of a picture in the terminal, where none is asked for: COLUMNS and LINES of the environment, without the line of the prompt. */
int dls_terminal_columns(void);
int dls_terminal_lines(void);

/** Size of the layout of a style on paper. */
typedef struct dls_magnification {
  int width;          /* width of the layout [pixels]; 0: each picture's own width and size */
  double centimetres; /* of that width on paper */
  int png, svg;       /* the same in pixels of these files */
  double lines;       /* factor of all line widths */
  struct {
    int width;          /* of the layout */
    double centimetres; /* of that width */
    const char *font;   /* switch of TeX */
    double line;        /* [pt] */
  } tex;
} dls_magnification;
const dls_magnification *dls_canvas_magnification(const dls_canvas *canvas);
/** Centimetres of a pixel of the layout on paper, of gnuplot's pictures and of TeX. */
double dls_canvas_centimetres(const dls_canvas *canvas);

#endif
