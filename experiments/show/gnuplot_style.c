/* experiments/show/gnuplot_style.c -- colours, points, and text in the scripts of gnuplot.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/gnuplot.h"
#include <math.h>
#include <string.h>

static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#E69F00", "#56B4E9", "#000000"};
enum { COLOURS = sizeof colours / sizeof colours[0] };

const char *dls_gnuplot_colour(size_t i)
{
  return colours[i % COLOURS];
}

int dls_gnuplot_dash_type(size_t i)
{
  static const int types[] = {1, 2, 4, 3, 5}; /* solid, dashes, dashes and dots, dots, dash and two dots */
  return types[i % (sizeof types / sizeof types[0])];
}

double dls_gnuplot_curve_width(size_t i, size_t count)
{
  const double thinnest = 1.3, thinnest_dotted = 2.6, most = 5; /* thin dots vanish, in grey above all */
  const double step = count > 1 ? fmin(1, (most - thinnest) / (double)(count - 1)) : 0;
  return fmax(thinnest + step * (double)(count - 1 - i), dls_gnuplot_dash_type(i) == 3 ? thinnest_dotted : 0);
}

int dls_gnuplot_point_type(size_t i)
{
  static const int types[] = {7,  5,  9,
                              13, 11, 15}; /* disc, square, triangle, diamond, triangle down, pentagon */
  return types[i % (sizeof types / sizeof types[0])];
}

/* Within single quotes only the quote itself means anything, but the end of a line ends the string. */
void dls_gnuplot_quote(FILE *script, const char *text)
{
  fputc('\'', script);
  for (const char *c = text; *c != '\0'; c++) {
    if (*c == '\'') {
      fputc('\'', script);
    }
    fputc((unsigned char)*c < ' ' ? ' ' : *c, script);
  }
  fputc('\'', script);
}

/* Characters of a line in the key of a narrow picture: its width less that of the sample, at 7.5 pixels each. */
enum { SAMPLE_WIDTH = 51, MOST_LINE_BYTES = 250 };

static size_t key_line_bytes(const dls_canvas *canvas)
{
  return (size_t)((dls_canvas_width(canvas, 0) - SAMPLE_WIDTH) / 7.5);
}

/* How many bytes of text go into the next line of the key: all that is left, or up to a blank, comma or colon. */
static size_t line_bytes(const dls_canvas *canvas, const char *text)
{
  const size_t length = strlen(text);
  if (!canvas->narrow || length <= key_line_bytes(canvas)) {
    return length;
  }
  size_t bytes = key_line_bytes(canvas);
  while (bytes > key_line_bytes(canvas) / 2 && strchr(" ,:", text[bytes - 1]) == NULL) {
    bytes--;
  }
  for (; ((unsigned char)text[bytes] & 0xC0) == 0x80; bytes++) { /* whole characters of UTF-8 */
  }
  return bytes;
}

int dls_gnuplot_title_lines(const dls_canvas *canvas, const char *text)
{
  int lines = 0;
  for (size_t bytes = 0; *text != '\0'; text += bytes, lines++) {
    bytes = line_bytes(canvas, text);
  }
  return lines;
}

void dls_gnuplot_title(FILE *script, const dls_canvas *canvas, const char *text)
{
  char line[MOST_LINE_BYTES];
  size_t bytes = line_bytes(canvas, text);
  const bool whole = text[bytes] == '\0';
  snprintf(line, sizeof line, "%.*s", (int)bytes, text);
  fputs("title ", script);
  dls_gnuplot_quote(script, whole ? text : line);
  for (text += bytes; *text != '\0'; text += bytes) {
    bytes = line_bytes(canvas, text);
    snprintf(line, sizeof line, "%.*s", (int)bytes, text);
    fputs(canvas->path != NULL ? ", \\\n  keyentry with lines linetype -2 title "
                               : ", \\\n  keyentry with points pointsize 0 title ",
          script);
    dls_gnuplot_quote(script, line);
  }
}

/* Within double quotes gnuplot runs what stands between backquotes. */
static void put_in_double_quotes(FILE *script, char c)
{
  if (strchr("\"\\", c) != NULL) {
    fputc('\\', script);
  }
  fputc((unsigned char)c < ' ' ? ' ' : c == '`' ? '\'' : c, script);
}

void dls_gnuplot_end_titled(FILE *script, const dls_canvas *canvas, const char *text)
{
  if (dls_canvas_titled(canvas)) {
    fputs(" title ", script);
    dls_gnuplot_quote(script, text);
    fputs(" noenhanced", script);
  } else if (canvas->path != NULL) {
    fputs(" # ", script);
    for (const char *c = text; *c != '\0'; c++) {
      fputc((unsigned char)*c < ' ' || *c == '\\' ? ' ' : *c, script);
    }
  }
  fputc('\n', script);
}

void dls_gnuplot_heading(FILE *script, const dls_canvas *canvas, const char *text)
{
  if (!canvas->narrow) {
    dls_gnuplot_quote(script, text);
    return;
  }
  fputc('"', script);
  for (size_t bytes = line_bytes(canvas, text); *text != '\0'; bytes = line_bytes(canvas, text)) {
    for (const char *end = text + bytes; text < end; text++) {
      put_in_double_quotes(script, *text);
    }
    fputs(*text != '\0' ? "\\n" : "", script);
  }
  fputc('"', script);
}
