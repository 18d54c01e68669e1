/* experiments/show/canvas.c -- the size of a picture for its purpose: width of the layout, and magnification on paper.
 *
 * A layout is in pixels, with a font of 13 pixels. A style is a width and a magnification of the whole: font,
 * points and lines with it, lines by a factor of their own.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/canvas.h"
#include <string.h>

enum { TEX_VERTICES = 1200 }; /* vertices of a curve: TeX has little memory */

static const dls_magnification styles[DLS_PLOT_STYLES] = {
    /* of TeX: a column of 12 cm in the font of the document */
    [DLS_PLOT_SCREEN] = {.tex = {444, 12, "", 0.6}},
    /* a column of 8.5 cm in a font of 8.8 pt; 600 dots per inch */
    [DLS_PLOT_JOURNAL] = {.width = 366,
                          .centimetres = 8.5,
                          .png = 2008,
                          .svg = 321,
                          .lines = 0.45,
                          .tex = {366, 8.5, "\\footnotesize", 0.4}},
    /* 10 inches, the breadth of a slide, in a font of 18 pt */
    [DLS_PLOT_SLIDES] =
        {.width = 520, .centimetres = 25.4, .png = 1920, .svg = 520, .lines = 1.2, .tex = {430, 12.6, "", 1.1}},
};

const dls_magnification *dls_canvas_magnification(const dls_canvas *canvas)
{
  return &styles[canvas->style];
}

bool dls_canvas_is_tex(const dls_canvas *canvas)
{
  const char *ending = canvas->path != NULL ? strrchr(canvas->path, '.') : NULL;
  return ending != NULL && strcmp(ending, ".tex") == 0;
}

dls_canvas dls_canvas_file(const char *path, dls_plot_style style)
{
  dls_canvas canvas = {.path = path, .style = style};
  if (strcmp(path, "-") != 0) { /* text pictures have no style */
    canvas.width = dls_canvas_is_tex(&canvas) ? styles[style].tex.width : styles[style].width;
  }
  canvas.narrow = canvas.width > 0;
  return canvas;
}

dls_canvas dls_canvas_two_columns(const dls_canvas *canvas)
{
  dls_canvas wide = *canvas;
  wide.width *= 2;
  return wide;
}

bool dls_canvas_titled(const dls_canvas *canvas)
{
  return canvas->path != NULL && !canvas->narrow;
}

int dls_canvas_width(const dls_canvas *canvas, int wide)
{
  return !canvas->narrow ? wide : canvas->width > 0 ? canvas->width : DLS_NARROW_WIDTH;
}

double dls_canvas_left(const dls_canvas *canvas, double wide)
{
  const double narrow = 0.24; /* labels with a sign and three digits, and the name of the axis */
  return !canvas->narrow ? wide : narrow * DLS_NARROW_WIDTH / dls_canvas_width(canvas, 0);
}

double dls_canvas_right(const dls_canvas *canvas, double wide)
{
  const double narrow = 0.05;
  return !canvas->narrow ? wide : 1 - narrow * DLS_NARROW_WIDTH / dls_canvas_width(canvas, 0);
}

size_t dls_canvas_vertices(const dls_canvas *canvas)
{
  return dls_canvas_is_tex(canvas) ? TEX_VERTICES
         : canvas->path != NULL    ? DLS_FILE_VERTICES
         : canvas->narrow          ? 1000
                                   : 2400;
}
