/* experiments/show/canvas.c -- the size of a picture for its purpose: width of the layout, and magnification on paper.
 *
 * A layout is in pixels, with a font of 13 pixels. A style is a width and a magnification of the whole: font,
 * points and lines with it, lines by a factor of their own.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/canvas.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEX_VERTICES = 1200 }; /* vertices of a curve: TeX has little memory */

static const dls_magnification styles[DLS_PLOT_STYLES] = {
    /* of TeX: a column of 12 cm in the font of the document */
    [DLS_PLOT_SCREEN] = {.lines = 1, .tex = {444, 12, "", 0.6}},
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
  return &styles[canvas->form.style];
}

bool dls_canvas_is_tex(const dls_canvas *canvas)
{
  const char *ending = canvas->path != NULL ? strrchr(canvas->path, '.') : NULL;
  return ending != NULL && strcmp(ending, ".tex") == 0;
}

/* Centimetres of a pixel of the layout in a style. */
static double style_centimetres(const dls_canvas *canvas)
{
  const dls_magnification *style = dls_canvas_magnification(canvas);
  return dls_canvas_is_tex(canvas) ? style->tex.centimetres / style->tex.width
         : style->width > 0        ? style->centimetres / style->width
                                   : dls_centimetres_per_inch / dls_pixels_per_inch;
}

static double letters_of(const dls_canvas *canvas)
{
  return canvas->letters > 0 ? canvas->letters : 1;
}

double dls_canvas_centimetres(const dls_canvas *canvas)
{
  const dls_picture_form *form = &canvas->form;
  const double width =
      form->width > 0 && form->centimetres ? form->width : style_centimetres(canvas) * canvas->width;
  return canvas->width > 0 ? width / dls_canvas_width(canvas, 0) : style_centimetres(canvas);
}

/* The layout of a given size. In pixels a style is magnified as a whole; in centimetres its letters keep their size. */
static void set_size(dls_canvas *canvas)
{
  const dls_picture_form *form = &canvas->form;
  const double pixel = style_centimetres(canvas); /* in centimetres */
  const double per_unit = form->centimetres           ? 1 / pixel
                          : dls_canvas_is_tex(canvas) ? dls_centimetres_per_inch / dls_pixels_per_inch / pixel
                                                      : (canvas->width > 0 ? canvas->width / form->width : 1);
  canvas->width = (int)lround(form->width * per_unit);
  canvas->height = (int)lround(form->height * per_unit);
}

dls_canvas dls_canvas_file(const char *path, const dls_picture_form *form)
{
  dls_canvas canvas = {.path = path, .form = form != NULL ? *form : (dls_picture_form){0}};
  const dls_magnification *style = dls_canvas_magnification(&canvas);
  const bool text = strcmp(path, "-") == 0; /* text pictures have no style */
  canvas.width = text ? 0 : dls_canvas_is_tex(&canvas) ? style->tex.width : style->width;
  canvas.narrow = canvas.width > 0;
  if (canvas.form.width > 0) {
    set_size(&canvas);
    canvas.narrow = !text && (canvas.narrow || canvas.width < DLS_WIDE_WIDTH);
  }
  return canvas;
}

dls_canvas dls_canvas_two_columns(const dls_canvas *canvas)
{
  dls_canvas wide = *canvas;
  wide.width *= canvas->form.width > 0 ? 1 : 2;
  return wide;
}

bool dls_canvas_titled(const dls_canvas *canvas)
{
  return canvas->path != NULL && canvas->form.style == DLS_PLOT_SCREEN && !dls_canvas_is_tex(canvas);
}

int dls_canvas_width(const dls_canvas *canvas, int wide)
{
  return canvas->width > 0 ? (int)lround(canvas->width / letters_of(canvas))
         : canvas->narrow  ? DLS_NARROW_WIDTH
                           : wide;
}

double dls_canvas_height(const dls_canvas *canvas)
{
  return round(canvas->height / letters_of(canvas));
}

size_t dls_canvas_vertices(const dls_canvas *canvas)
{
  return dls_canvas_is_tex(canvas) ? TEX_VERTICES
         : canvas->path != NULL    ? DLS_FILE_VERTICES
         : canvas->narrow          ? 1000
                                   : 2400;
}

static int from_environment(const char *name, int otherwise)
{
  const char *text = getenv(name);
  const long value = text == NULL ? 0 : strtol(text, NULL, 10);
  return value >= 20 && value <= 1000 ? (int)value : otherwise;
}

int dls_terminal_columns(void)
{
  return from_environment("COLUMNS", 80);
}

int dls_terminal_lines(void)
{
  return from_environment("LINES", 25) - 1;
}
